//! The verbs of puzzles: what each adds to a command line, and how it answers.

pub(crate) mod census;
mod certify;
mod check;
pub(crate) mod completions;
pub(crate) mod contest;
mod convert;
mod explore;
mod generate;
mod judge;
pub(crate) mod list;
pub(crate) mod man;
mod rank;
#[cfg(feature = "serve")]
pub(crate) mod serve;
mod sheet;
mod show;
mod solve;
mod verify;

use clap::{ArgMatches, Command};
use fewest_rules::text::did_you_mean;

use crate::PuzzleRef;
use crate::args::list;
use crate::exit::Exit;
use crate::failure::Failure;

/// A verb of puzzles.
pub(crate) struct Verb {
    pub(crate) name: &'static str,
    /// The subcommand; `None` if the puzzle does not have the verb.
    pub(crate) command: fn(PuzzleRef) -> Option<Command>,
    pub(crate) run: fn(PuzzleRef, &ArgMatches) -> Result<Exit, Failure>,
}

/// All verbs, in the order of help.
pub(crate) const ALL: &[Verb] = &[
    Verb { name: "solve", command: solve::command, run: solve::run },
    Verb { name: "show", command: show::command, run: show::run },
    #[cfg(feature = "serve")]
    Verb { name: "serve", command: |puzzle| Some(serve::of_puzzle(puzzle)), run: serve::run_one },
    Verb { name: "sheet", command: sheet::command, run: sheet::run },
    Verb { name: "verify", command: verify::command, run: verify::run },
    Verb { name: "certify", command: certify::command, run: certify::run },
    Verb { name: "check", command: check::command, run: check::run },
    Verb { name: "list", command: list::command, run: list::run },
    Verb { name: "explore", command: explore::command, run: explore::run },
    Verb { name: "generate", command: generate::command, run: generate::run },
    Verb { name: "judge", command: judge::command, run: judge::run },
    Verb { name: "rank", command: rank::command, run: rank::run },
    Verb { name: "census", command: census::command, run: census::run },
    Verb { name: "convert", command: convert::command, run: convert::run },
    Verb { name: "completions", command: |_| Some(completions::command()), run: completions::run },
];

/// The verb with this name.
pub(crate) fn find(name: &str) -> Result<&'static Verb, Failure> {
    let found = ALL.iter().find(|verb| verb.name == name);
    found.ok_or_else(|| Failure::Internal(format!("no verb {name}")))
}

/// Whether there is a verb of this name, for this or another puzzle.
pub(crate) fn exists(name: &str) -> bool {
    ALL.iter().any(|verb| verb.name == name)
}

/// Words that other programs use for verbs.
const OTHER_WORDS: [(&str, &str); 22] = [
    ("analyse", "explore"),
    ("analyze", "explore"),
    ("answer", "solve"),
    ("count", "explore"),
    ("create", "generate"),
    ("display", "show"),
    ("draw", "show"),
    ("find", "solve"),
    ("ls", "list"),
    ("names", "list"),
    ("new", "generate"),
    ("gui", "serve"),
    ("play", "serve"),
    ("print", "show"),
    ("prove", "certify"),
    ("random", "generate"),
    ("replay", "verify"),
    ("search", "solve"),
    ("sort", "rank"),
    ("test", "judge"),
    ("view", "show"),
    ("web", "serve"),
];

/// The verb that a word of other programs stands for.
pub(crate) fn meant_by(word: &str) -> Option<&'static str> {
    OTHER_WORDS.iter().find(|(other, _)| *other == word).map(|(_, verb)| *verb)
}

/// A hint for a word that is probably meant as one of these verbs.
pub(crate) fn suggestion(word: &str, verbs: &[&str]) -> Option<String> {
    match meant_by(word).filter(|verb| verbs.contains(verb)) {
        Some(verb) => Some(format!("did you mean `{verb}`?")),
        None => did_you_mean(word, verbs.iter().copied()),
    }
}

/// The error for a verb that a puzzle with these verbs does not have.
pub(crate) fn missing<'a>(
    puzzle: &str,
    name: &str,
    verbs: impl IntoIterator<Item = &'a str>,
) -> Failure {
    let hint = format!("the verbs are {}", list(verbs));
    Failure::usage_with_hint(format!("{puzzle} has no `{name}`"), hint)
}

/// The names of the verbs of a puzzle.
pub(crate) fn names(puzzle: PuzzleRef) -> impl Iterator<Item = &'static str> {
    ALL.iter().filter(move |verb| (verb.command)(puzzle).is_some()).map(|verb| verb.name)
}

/// The capability that a verb needs. A command line without it is refused before it runs.
pub(crate) fn capability<C>(capability: Option<C>) -> Result<C, Failure> {
    capability.ok_or_else(|| Failure::Internal("a verb without its capability".to_owned()))
}
