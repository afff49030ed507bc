//! From the words of a command line to what they ask for, or to what is wrong with them.

use std::env;
use std::io::Write;
use std::process::ExitCode;

use anstream::ColorChoice;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, FromArgMatches};
use fewest_core::text::did_you_mean;

use crate::args::verbs_of;
use crate::commands;
use crate::exit::{self, Exit, Failure};
use crate::message::message;

/// What the command line says; an exit code where it says nothing that can be done, asks for help, or where a shell asks how it
/// may go on.
pub(crate) fn parse<A: FromArgMatches>(command: fn() -> Command) -> Result<A, ExitCode> {
    commands::complete(command);
    let matches = command().try_get_matches().map_err(|error| refuse(&error, &command()))?;
    if let Some((arg, verb)) = misplaced(&command(), &matches) {
        settle_colours();
        return Err(exit::report(Err(before_verb(&arg, &verb))));
    }
    A::from_arg_matches(&matches).map_err(|error| refuse(&error, &command()))
}

/// What is given before a verb and belongs to a call without one, and the verb.
fn misplaced(command: &Command, matches: &ArgMatches) -> Option<(Arg, String)> {
    let (verb, of_verb) = matches.subcommand()?;
    let own = |arg: &&Arg| !arg.is_global_set();
    let typed = |arg: &&Arg| matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let here = command.get_arguments().filter(own).find(typed).map(|arg| (arg.clone(), verb.to_owned()));
    here.or_else(|| misplaced(command.find_subcommand(verb)?, of_verb))
}

fn before_verb(arg: &Arg, verb: &str) -> Failure {
    let what = arg.get_long().map_or("a file".to_owned(), |name| format!("`--{name}`"));
    Failure::advised(
        format!("{what} stands before the verb `{verb}`, and there it is for a call without one"),
        "what is for a verb comes behind it, as in `solve --engine bfs INSTANCE`",
    )
}

/// Tells what clap has to say of a command line: why it is refused, or help.
fn refuse(error: &clap::Error, program: &Command) -> ExitCode {
    settle_colours();
    if let Some(failure) = mistyped_verb(error, program) {
        return exit::report(Err(failure));
    }
    let text = error.render();
    if error.use_stderr() {
        message(format_args!("{}", text.ansi().to_string().trim_end()));
        return exit::report(Ok(Exit::BadInput));
    }
    let mut out = anstream::stdout();
    let written = write!(out, "{}", text.ansi()).and_then(|()| out.flush());
    exit::report(written.map(|()| Exit::Answered).map_err(Failure::from))
}

/// Without a verb there is at most one file. If there are two words, the first is most likely meant as a verb.
fn mistyped_verb(error: &clap::Error, program: &Command) -> Option<Failure> {
    let words = words();
    let unexpected = match error.kind() {
        ErrorKind::UnknownArgument => error.get(ContextKind::InvalidArg),
        ErrorKind::InvalidSubcommand => error.get(ContextKind::InvalidSubcommand),
        _ => None,
    };
    let Some(ContextValue::String(unexpected)) = unexpected else { return None };
    let puzzle = words.iter().find_map(|word| program.find_subcommand(word)).filter(|word| word.has_subcommands());
    let puzzle = puzzle.unwrap_or(program);
    let verbs: Vec<&str> = puzzle.get_subcommands().map(Command::get_name).collect();
    let has_verb = words.iter().any(|word| verbs.contains(&word.as_str()));
    if unexpected.starts_with('-') || has_verb || puzzle.get_positionals().next().is_none() {
        return None;
    }
    let near = words.iter().find_map(|word| did_you_mean(word, verbs.iter().copied()));
    Some(Failure::advised(
        "without a verb there is at most one file",
        near.unwrap_or_else(|| format!("the verbs are {}", verbs_of(puzzle))),
    ))
}

/// What is typed, of which not all need be Unicode.
fn words() -> Vec<String> {
    env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}

/// As a command line that cannot be read says it all the same.
fn settle_colours() {
    let words = words();
    let behind = |word: &String| word == "--color";
    let apart = words.iter().position(behind).and_then(|at| words.get(at + 1)).map(String::as_str);
    match apart.or_else(|| words.iter().find_map(|word| word.strip_prefix("--color="))) {
        Some("always") => ColorChoice::Always.write_global(),
        Some("never") => ColorChoice::Never.write_global(),
        _ => {}
    }
}
