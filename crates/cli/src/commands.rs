//! The command lines of the programs: what `args` derives, with the examples and the end of each
//! help.

use clap::{ArgAction, Command, CommandFactory};
use clap_complete::CompleteEnv;

use crate::args::{EXIT_CODES, Fewest, PuzzleProgram};
use crate::examples::examples;
use crate::puzzle::Puzzle;
use crate::{BlackWhite, Halloween, Klotski, WallPusher};

/// All programs.
pub(crate) fn all() -> Vec<Command> {
    vec![
        fewest(),
        puzzle::<Halloween>(),
        puzzle::<WallPusher>(),
        puzzle::<Klotski>(),
        puzzle::<BlackWhite>(),
    ]
}

/// `fewest`, for all puzzles.
pub(crate) fn fewest() -> Command {
    with_ends(in_our_words(Fewest::command()), "fewest")
}

/// The program of one puzzle.
pub(crate) fn puzzle<P: Puzzle>() -> Command {
    let command =
        PuzzleProgram::<P>::command().name(P::NAME).about(P::ABOUT).after_long_help(P::FORMAT);
    with_ends(in_our_words(command), P::NAME)
}

/// Answers a shell that asks for completions, and ends the program then.
pub(crate) fn complete(command: fn() -> Command) {
    CompleteEnv::with_factory(command).complete();
}

/// Of the options of pictures, those that `solve` takes want `--show`.
fn with_pictures_of_plans(verb: Command) -> Command {
    verb.mut_args(|arg| match arg.get_help_heading() {
        Some("Pictures") if arg.get_id() != "show" => arg.requires("show"),
        _ => arg,
    })
}

/// What others wrote of options that all programs have.
fn in_our_words(command: Command) -> Command {
    command.mut_arg("color", |color| {
        color.help("When to use colours; `auto` means where a terminal shows them. The last `--color` counts")
    })
}

/// Lets flags be repeated, and `--color`, of which the last counts. Any other option that is given
/// twice is refused, so that no value is dropped in silence.
fn with_repeatable_flags(command: Command) -> Command {
    command.mut_args(|arg| {
        let is_flag = matches!(arg.get_action(), ArgAction::SetTrue);
        let id = arg.get_id().clone();
        if is_flag || id == "color" { arg.overrides_with(id) } else { arg }
    })
}

/// Adds to each help what it ends with; `line` are the words that lead to the command. A puzzle
/// within `fewest` has the examples of its own program.
fn with_ends(command: Command, line: &str) -> Command {
    let examples =
        examples(line.strip_prefix("fewest ").filter(|line| *line != "list").unwrap_or(line));
    let mut end = String::from("Examples:\n");
    examples.iter().for_each(|example| end += &format!("  {example}\n"));
    if let Some(more) = command.get_after_long_help() {
        end += &format!("\n{more}\n");
    }
    end += &format!("\n{EXIT_CODES}");
    let line = line.to_owned();
    // A puzzle takes a file or a verb.
    let is_puzzle = command.find_subcommand("solve").is_some();
    let name = format!("{0}{line}{0:#}", command.get_styles().get_literal());
    let usage = || format!("{name} [OPTIONS] [FILE]\n       {name} <COMMAND>");
    let command = if is_puzzle { command.override_usage(usage()) } else { command };
    let command = with_repeatable_flags(command)
        .after_help("`--help` tells more, with examples and the exit codes.")
        .after_long_help(end);
    command.mut_subcommands(move |verb| {
        let line = format!("{line} {}", verb.get_name());
        let verb = if verb.get_name() == "solve" { with_pictures_of_plans(verb) } else { verb };
        with_ends(verb, &line)
    })
}
