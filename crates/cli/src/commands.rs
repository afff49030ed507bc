//! The clap commands of the programs: what `args` derives, with examples and exit codes at the end
//! of each help.

use clap::{ArgAction, Command, CommandFactory};
use clap_complete::CompleteEnv;

use crate::args::{EXIT_CODES, Fewest, PuzzleProgram};
use crate::examples::examples;
use crate::puzzle::Puzzle;
use crate::{BlackWhite, Halloween, Klotski, WallPusher};

/// The commands of all programs.
pub(crate) fn all() -> Vec<Command> {
    vec![
        fewest(),
        puzzle::<Halloween>(),
        puzzle::<WallPusher>(),
        puzzle::<Klotski>(),
        puzzle::<BlackWhite>(),
    ]
}

/// The program `fewest`, for all puzzles.
pub(crate) fn fewest() -> Command {
    with_help_footer(with_color_help(Fewest::command()), "fewest")
}

/// The program of one puzzle.
pub(crate) fn puzzle<P: Puzzle>() -> Command {
    let command =
        PuzzleProgram::<P>::command().name(P::NAME).about(P::ABOUT).after_long_help(P::FORMAT);
    with_help_footer(with_color_help(command), P::NAME)
}

/// If a shell asks for completions, prints them and exits.
pub(crate) fn complete(command: fn() -> Command) {
    CompleteEnv::with_factory(command).complete();
}

/// Makes the picture options of `solve` require `--show`.
fn with_show_required(verb: Command) -> Command {
    verb.mut_args(|arg| match arg.get_help_heading() {
        Some("Pictures") if arg.get_id() != "show" => arg.requires("show"),
        _ => arg,
    })
}

/// Replaces the help of `--color`, which another crate defines.
fn with_color_help(command: Command) -> Command {
    command.mut_arg("color", |color| {
        color.help(
            "When to use colours: `auto` means on a terminal that supports them. The last `--color` \
             takes effect",
        )
    })
}

/// Allows flags and `--color` to be repeated; the last one takes effect. An option with a list of
/// values, such as `--goal`, may be repeated anyway. Any other repeated option is an error, so that
/// no value is dropped silently.
fn with_repeatable_flags(command: Command) -> Command {
    command.mut_args(|arg| {
        let is_flag = matches!(arg.get_action(), ArgAction::SetTrue);
        let id = arg.get_id().clone();
        if is_flag || id == "color" { arg.overrides_with(id) } else { arg }
    })
}

/// Adds examples and exit codes to the help of a command and of its subcommands. `line` is the
/// command line up to the command, such as `fewest klotski`. A puzzle within `fewest` shows the
/// examples of its own program.
fn with_help_footer(command: Command, line: &str) -> Command {
    let examples =
        examples(line.strip_prefix("fewest ").filter(|line| *line != "list").unwrap_or(line));
    let mut footer = String::from("Examples:\n");
    examples.iter().for_each(|example| footer += &format!("  {example}\n"));
    if let Some(more) = command.get_after_long_help() {
        footer += &format!("\n{more}\n");
    }
    footer += &format!("\n{EXIT_CODES}");
    let line = line.to_owned();
    // A puzzle takes a file or a verb.
    let is_puzzle = command.find_subcommand("solve").is_some();
    let name = format!("{0}{line}{0:#}", command.get_styles().get_literal());
    let usage = || format!("{name} [OPTIONS] [FILE]\n       {name} <COMMAND>");
    let command = if is_puzzle { command.override_usage(usage()) } else { command };
    let command = with_repeatable_flags(command)
        .after_help("See `--help` for details, examples and exit codes.")
        .after_long_help(footer);
    command.mut_subcommands(move |verb| {
        let line = format!("{line} {}", verb.get_name());
        let verb = if verb.get_name() == "solve" { with_show_required(verb) } else { verb };
        with_help_footer(verb, &line)
    })
}
