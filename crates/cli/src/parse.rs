//! From the words of a command line to what they ask for, or to what is wrong with them.

use std::env;
use std::io::Write;
use std::process::ExitCode;

use anstream::ColorChoice;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, FromArgMatches};
use fewest_core::text::did_you_mean;

use crate::args::verbs_of;
use crate::closed;
use crate::commands;
use crate::exit::{self, Exit, Failure};
use crate::message::message;

/// What the command line says; an exit code where it says nothing that can be done, asks for help,
/// or where a shell asks how it may go on.
pub(crate) fn parse<A: FromArgMatches>(command: fn() -> Command) -> Result<A, ExitCode> {
    commands::complete(command);
    // To make it takes longer than to parse by it, so there is another only for what is refused.
    let mut parsed = command();
    let matches = parsed
        .try_get_matches_from_mut(env::args_os())
        .map_err(|error| refuse(error, &command()))?;
    if let Some(failure) = misplaced(&parsed, &matches) {
        settle_colours();
        return Err(exit::report(Err(failure)));
    }
    A::from_arg_matches(&matches).map_err(|error| refuse(error, &command()))
}

/// What is wrong with something that stands before a verb.
fn misplaced(command: &Command, matches: &ArgMatches) -> Option<Failure> {
    let (name, of_verb) = matches.subcommand()?;
    let verb = command.find_subcommand(name)?;
    let own = |arg: &&Arg| !arg.is_global_set();
    let typed =
        |arg: &&Arg| matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let Some(arg) = command.get_arguments().filter(own).find(typed) else {
        return misplaced(verb, of_verb);
    };
    let what = arg.get_long().map_or("a file".to_owned(), |long| format!("`--{long}`"));
    let is_of_verb =
        arg.is_positional() || verb.get_arguments().any(|other| other.get_long() == arg.get_long());
    Some(if is_of_verb {
        Failure::advised(
            format!("{what} stands before the verb `{name}`, and belongs behind it"),
            "before a verb go `--color`, `--quiet` and `--progress` alone",
        )
    } else {
        Failure::usage(format!("{what} is for a call without a verb, and `{name}` is one"))
    })
}

/// Tells what clap has to say of a command line: why it is refused, or help.
fn refuse(mut error: clap::Error, program: &Command) -> ExitCode {
    settle_colours();
    if let Some(failure) = mistyped_verb(&error, program) {
        return exit::report(Err(failure));
    }
    // No file is likely to begin with a hyphen, which is what clap thinks of first.
    let on_hyphens = |tip: &StyledStr| tip.to_string().contains("as a value");
    let tips = error.get(ContextKind::Suggested);
    if matches!(tips, Some(ContextValue::StyledStrs(tips)) if tips.iter().any(on_hyphens)) {
        error.remove(ContextKind::Suggested);
    }
    let text = error.render();
    if error.use_stderr() {
        message(format_args!("{}", text.ansi().to_string().trim_end()));
        return exit::report(Ok(Exit::BadInput));
    }
    let mut out = anstream::stdout();
    let written =
        closed::check().and_then(|()| write!(out, "{}", text.ansi())).and_then(|()| out.flush());
    exit::report(written.map(|()| Exit::Answered).map_err(Failure::from))
}

/// Without a verb there is at most one file. If there are two words, the first is most likely meant
/// as a verb.
fn mistyped_verb(error: &clap::Error, program: &Command) -> Option<Failure> {
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
    let verbs: Vec<&str> = puzzle.get_subcommands().map(Command::get_name).collect();
    let has_verb = words.iter().any(|word| verbs.contains(&word.as_str()));
    if unexpected.starts_with('-') || has_verb {
        return None;
    }
    if puzzle.get_positionals().next().is_none() {
        let puzzle = program
            .get_subcommands()
            .find(|puzzle| puzzle.find_subcommand(unexpected).is_some())?
            .get_name();
        let hint = format!("the puzzle comes first, as in `fewest {puzzle} {unexpected}`");
        return Some(Failure::advised(format!("`{unexpected}` is a verb of a puzzle"), hint));
    }
    let near =
        words.iter().find_map(|word| Some((word, did_you_mean(word, verbs.iter().copied())?)));
    Some(match near {
        Some((word, hint)) => Failure::advised(format!("there is no verb `{word}`"), hint),
        None => {
            let hint = format!("the verbs are {}", verbs_of(puzzle));
            Failure::advised("without a verb there is at most one file", hint)
        }
    })
}

/// What is typed, of which not all need be Unicode.
fn words() -> Vec<String> {
    env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// As a command line that cannot be read says it all the same.
fn settle_colours() {
    let words = words();
    let behind = |word: &String| word == "--color";
    let apart = words.iter().rposition(behind).and_then(|at| words.get(at + 1)).map(String::as_str);
    match apart.or_else(|| words.iter().rev().find_map(|word| word.strip_prefix("--color="))) {
        Some("always") => ColorChoice::Always.write_global(),
        Some("never") => ColorChoice::Never.write_global(),
        _ => {}
    }
}
