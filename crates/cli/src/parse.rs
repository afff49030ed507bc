//! Parsing of the command line, with better messages for common mistakes.

use std::env;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anstream::ColorChoice;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use clap_complete::CompleteEnv;
use fewest_puzzle::builtin;

use crate::PuzzleRef;
use crate::args::list;
use crate::closed;
use crate::diagnostic;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::message::message;
use crate::verbs;

/// Parses the command line. Returns an exit code after a usage error or help. Answers shell
/// completion requests and exits.
pub(crate) fn parse(
    command: impl Fn() -> Command,
    puzzles: &[PuzzleRef],
) -> Result<ArgMatches, ExitCode> {
    CompleteEnv::with_factory(&command).complete();
    // Building a command takes longer than parsing with it, so a second one is built only to report
    // an error.
    let mut parsed = command();
    let matches = parsed
        .try_get_matches_from_mut(env::args_os())
        .map_err(|error| report_error(error, &command(), puzzles))?;
    if let Some(failure) = misplaced_argument(&parsed, &matches) {
        apply_color();
        return Err(diagnostic::report(&Err(failure)));
    }
    Ok(matches)
}

/// The error for an argument before the verb, if there is one.
fn misplaced_argument(command: &Command, matches: &ArgMatches) -> Option<Failure> {
    let (name, of_verb) = matches.subcommand()?;
    let verb = command.find_subcommand(name)?;
    let own = |arg: &&Arg| !arg.is_global_set();
    let typed =
        |arg: &&Arg| matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let Some(arg) = command.get_arguments().filter(own).find(typed) else {
        return misplaced_argument(verb, of_verb);
    };
    let what = arg.get_long().map_or("a file".to_owned(), |long| format!("`--{long}`"));
    let is_of_verb =
        arg.is_positional() || verb.get_arguments().any(|other| other.get_long() == arg.get_long());
    Some(if is_of_verb {
        Failure::usage_with_hint(
            format!("{what} must come after the verb `{name}`"),
            "only `--color`, `--quiet` and `--progress` may come before a verb",
        )
    } else {
        Failure::usage(format!(
            "{what} is for contest mode and cannot be used with the verb `{name}`"
        ))
    })
}

/// Prints clap's message: an error on standard error, or help on standard output.
fn report_error(mut error: clap::Error, program: &Command, puzzles: &[PuzzleRef]) -> ExitCode {
    apply_color();
    if let Some(failure) = mistyped_verb(&error, program, puzzles) {
        return diagnostic::report(&Err(failure));
    }
    // clap suggests `--` for values that start with a hyphen, which file names rarely do.
    let on_hyphens = |tip: &StyledStr| tip.to_string().contains("as a value");
    let tips = error.get(ContextKind::Suggested);
    if matches!(tips, Some(ContextValue::StyledStrs(tips)) if tips.iter().any(on_hyphens)) {
        error.remove(ContextKind::Suggested);
    }
    let text = error.render();
    if error.use_stderr() {
        message(format_args!("{}", text.ansi().to_string().trim_end()));
        return diagnostic::report(&Ok(Exit::BadInput));
    }
    let mut out = anstream::stdout();
    let written =
        closed::check().and_then(|()| write!(out, "{}", text.ansi())).and_then(|()| out.flush());
    diagnostic::report(&written.map(|()| Exit::Answered).map_err(Failure::from))
}

/// A better error if the first of two words is probably a mistyped verb. Contest mode takes at most
/// one file.
fn mistyped_verb(error: &clap::Error, program: &Command, puzzles: &[PuzzleRef]) -> Option<Failure> {
    let words = words();
    let unexpected = match error.kind() {
        ErrorKind::UnknownArgument => error.get(ContextKind::InvalidArg),
        ErrorKind::InvalidSubcommand => error.get(ContextKind::InvalidSubcommand),
        _ => None,
    };
    let Some(ContextValue::String(unexpected)) = unexpected else { return None };
    let puzzle = words
        .iter()
        .find_map(|word| program.find_subcommand(word))
        .filter(|word| word.has_subcommands());
    let puzzle = puzzle.unwrap_or(program);
    let shown = puzzle.get_subcommands().filter(|verb| !verb.is_hide_set());
    let verbs: Vec<&str> = shown.map(Command::get_name).collect();
    if words.iter().any(|word| verbs.contains(&word.as_str())) {
        return None;
    }
    if puzzle.get_positionals().next().is_some()
        && let Some(word) = words.iter().find(|word| verbs::exists(word))
    {
        return Some(verbs::missing(puzzle.get_name(), word, verbs));
    }
    if unexpected.starts_with('-') {
        return None;
    }
    let is_name =
        |word: &&String| !word.starts_with('-') && *word != puzzle.get_name() && *word != "help";
    let names = words.iter().filter(is_name);
    if puzzle.get_positionals().next().is_none() {
        return Some(missing_puzzle(unexpected, names, &verbs, puzzles));
    }
    let near = names.clone().find_map(|word| Some((word, verbs::suggestion(word, &verbs)?)));
    let no_verb = |word: &str| format!("there is no verb `{word}`");
    Some(match near {
        Some((word, hint)) => Failure::usage_with_hint(no_verb(word), hint),
        None => {
            let first = names.clone().next().filter(|word| !Path::new(word).exists());
            let what = match first {
                Some(first) => no_verb(first),
                None => "without a verb, at most one file is accepted".to_owned(),
            };
            Failure::usage_with_hint(what, format!("the verbs are {}", list(verbs)))
        }
    })
}

/// The error for a word where the puzzles and `verbs` of `fewest` are expected. `names` are all
/// words of the command line that are not options.
fn missing_puzzle<'a>(
    word: &str,
    mut names: impl Iterator<Item = &'a String>,
    verbs: &[&str],
    puzzles: &[PuzzleRef],
) -> Failure {
    let has_verb = |puzzle: &&PuzzleRef| verbs::names(**puzzle).any(|verb| verb == word);
    let with_verb = puzzles.iter().find(has_verb).map(|puzzle| puzzle.info().name);
    let meant = verbs::meant_by(word);
    let (what, verb) = match with_verb {
        Some(_) => (format!("`{word}` is a verb of a puzzle"), word),
        None => (format!("there is no puzzle or verb `{word}`"), meant.unwrap_or("solve")),
    };
    let similar = || verbs::suggestion(word, verbs).filter(|_| with_verb.is_none());
    let mut of_instance = || {
        names.find_map(|name| {
            let knows = |puzzle: &&PuzzleRef| {
                builtin::find(puzzle.info().builtins, name).is_some() || puzzle.is_inline(name)
            };
            let puzzle = puzzles.iter().find(knows)?.info().name;
            Some(format!("`{name}` is an instance of {puzzle}: `fewest {puzzle} {verb} {name}`"))
        })
    };
    let of_verb =
        || with_verb.map(|puzzle| format!("name the puzzle first, as in `fewest {puzzle} {word}`"));
    let hint = match meant {
        Some(_) => of_instance().or_else(similar),
        None => similar().or_else(of_instance),
    };
    let hint = hint.or_else(of_verb);
    let all = || format!("the puzzles and verbs are {}", list(verbs.iter().copied()));
    Failure::usage_with_hint(what, hint.unwrap_or_else(all))
}

/// The arguments, with replacement characters for invalid Unicode.
fn words() -> Vec<String> {
    env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Applies `--color` of a command line that cannot be parsed.
fn apply_color() {
    let words = words();
    let is_option = |word: &String| word == "--color";
    let separate =
        words.iter().rposition(is_option).and_then(|at| words.get(at + 1)).map(String::as_str);
    match separate.or_else(|| words.iter().rev().find_map(|word| word.strip_prefix("--color="))) {
        Some("always") => ColorChoice::Always.write_global(),
        Some("never") => ColorChoice::Never.write_global(),
        _ => {}
    }
}
