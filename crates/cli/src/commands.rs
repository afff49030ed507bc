//! The clap commands of the programs: from the puzzles and the verbs, with examples at the end of
//! each help.

use std::path::PathBuf;

use clap::{Arg, ArgAction, Command, ValueHint, value_parser};

use crate::PuzzleRef;
use crate::args::{self, ListArgs, MessageArgs, SearchArgs, with};
#[cfg(feature = "serve")]
use crate::verbs::serve;
use crate::verbs::{self, completions, man};

/// The widest help, in columns.
const MAX_WIDTH: usize = 100;

/// The subcommand that lists the exit codes.
pub(crate) const EXIT_CODES: &str = "exit-codes";

/// The program `fewest`, for all puzzles.
pub(crate) fn fewest(puzzles: &[PuzzleRef]) -> Command {
    let list = with::<ListArgs>(
        Command::new("list").about("List the puzzles and their built-in instances"),
    );
    let command = Command::new("fewest")
        .about("Find the fewest moves that solve a puzzle, and prove that no plan is shorter")
        .propagate_version(true)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(puzzles.iter().map(|puzzle| of_puzzle(*puzzle, "fewest ")))
        .subcommand(with_footer(list, &["fewest list", "fewest list sample --json"]));
    #[cfg(feature = "serve")]
    let command = command
        .subcommand(with_footer(serve::command(), &["fewest serve", "fewest serve --port 8080"]));
    let command = command.subcommand(with_footer(
        completions::command(),
        &["fewest completions bash > fewest.bash", "fewest completions zsh > _fewest"],
    ));
    let command = command.subcommand(with_footer(
        man::command(),
        &["fewest man pages", "fewest man share/man/man1 --quiet"],
    ));
    let examples = ["fewest list", "fewest klotski solve heng-dao-li-ma"];
    with_footer(finished(command), &examples)
}

/// The program of one puzzle.
pub(crate) fn program(puzzle: PuzzleRef) -> Command {
    finished(of_puzzle(puzzle, ""))
}

/// Adds what all programs have.
fn finished(command: Command) -> Command {
    let exit_codes = Command::new(EXIT_CODES)
        .about("The exit codes of all verbs")
        .long_about(args::EXIT_CODES)
        .hide(true);
    let name = command.get_name().to_owned();
    let more = format!("`{name} help exit-codes` lists the exit codes.");
    let footer = command.get_after_long_help().map(|footer| format!("{footer}\n{more}"));
    let command = command.after_long_help(footer.unwrap_or(more)).subcommand(exit_codes);
    let command = command.version(env!("CARGO_PKG_VERSION")).max_term_width(MAX_WIDTH);
    with_repeatable_flags(with::<MessageArgs>(command).mut_arg("color", |color| {
        // Another crate defines this option.
        color.help(
            "When to use colours: `auto` means on a terminal that supports them. The last `--color` \
             takes effect",
        )
    }))
}

/// The command of a puzzle, for contest mode, and its verbs. `program` is what is before the name
/// of the puzzle on the command line.
fn of_puzzle(puzzle: PuzzleRef, program: &str) -> Command {
    let info = puzzle.info();
    let file = Arg::new("file")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help(
            "Contest mode: a file in contest format; standard input if it is omitted or `-`. The \
             answer of a data set that a limit stopped is `?`",
        );
    let count_only = Arg::new("count_only").long("count-only").action(ArgAction::SetTrue).help(
        "Contest mode: print only the number of moves. `halloween` and `klotski` never print moves \
         there",
    );
    let numbered = Arg::new("numbered")
        .long("numbered")
        .action(ArgAction::SetTrue)
        .help("Contest mode: print the number of the data set before each answer, as `3: 7`");
    let expected = Arg::new("expected")
        .long("expected")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .conflicts_with("numbered")
        .help(
            "Contest mode: compare with the answers in this file instead of printing them. The first \
             data set whose answer differs is named, and the exit code is 11",
        );
    let command = Command::new(info.name)
        .about(info.about)
        .after_long_help(info.format)
        .args([file, count_only, numbered])
        .args(puzzle.info().verbs.judge.map(|_| expected));
    let verbs = verbs::ALL.iter().filter_map(|verb| {
        let command = (verb.command)(puzzle)?.name(verb.name);
        Some(with_footer(command, &examples(puzzle, verb.name)))
    });
    let command = SearchArgs::add_to(command, puzzle).subcommands(verbs);
    let name = format!("{0}{program}{1}{0:#}", command.get_styles().get_literal(), info.name);
    let usage = format!("{name} [OPTIONS] [FILE]\n       {name} <COMMAND>");
    with_footer(command.override_usage(usage), &examples(puzzle, ""))
}

/// The examples of a verb of a puzzle, or of the puzzle itself for an empty name.
fn examples(puzzle: PuzzleRef, verb: &str) -> Vec<String> {
    let info = puzzle.info();
    if let Some((_, lines)) = info.examples.iter().find(|(name, _)| *name == verb) {
        return lines.iter().map(|line| (*line).to_owned()).collect();
    }
    let (name, instance) = (info.name, info.builtins[0].names[0]);
    let other = info.builtins.get(1).map_or(instance, |other| other.names[0]);
    let certify = format!("{name} certify {instance} -o {instance}.cert");
    let check = format!("{certify} && {name} check {instance} {instance}.cert");
    let solve = format!("{name} solve {instance}");
    let verbs = info.verbs;
    vec![match verb {
        "" => solve,
        "show" => {
            let draw = format!("{solve} | {name} show {instance} --plan - -o {instance}.svg");
            return vec![format!("{name} show {instance}"), draw];
        }
        "sheet" => {
            let letter = format!("{name} sheet {instance} {other} --paper letter --per-page 2");
            let html = format!("{name} sheet {instance} -o sheet.html");
            return vec![html, format!("{letter} > sheet.html")];
        }
        "judge" => {
            let judge = format!("{name} judge {instance} --program {name}");
            return vec![judge, format!("{name} judge --tries 10 --program {name}")];
        }
        "verify" => {
            let saved = format!("{solve} > plan.txt && {name} verify {instance} plan.txt --json");
            return vec![format!("{solve} | {name} verify {instance} -"), saved];
        }
        "list" => return vec![format!("{name} list"), format!("{name} list {instance} --json")],
        "census" => format!("{name} census"),
        "generate" if verbs.generate.is_some_and(|verb| verb.base.is_none()) => {
            format!("{name} generate")
        }
        "convert" => {
            let notation = verbs.convert.and_then(|verb| verb.notations.first());
            let to = notation.map_or("", |notation| notation.name);
            format!("{name} convert {instance} --to {to}")
        }
        "certify" => {
            return vec![certify, format!("{name} certify {instance} --layers -o layers.cert")];
        }
        "check" => {
            let json = format!("{check} --json");
            return vec![check, json];
        }
        "serve" => {
            return vec![format!("{name} serve"), format!("{name} serve {instance} --port 8080")];
        }
        "completions" => {
            let bash = format!("{name} completions bash > {name}.bash");
            return vec![bash, format!("{name} completions zsh > _{name}")];
        }
        verb => format!("{name} {verb} {instance}"),
    }]
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

/// Adds examples and exit codes to the help of a command.
fn with_footer(command: Command, examples: &[impl AsRef<str>]) -> Command {
    let mut footer = String::from("Examples:\n");
    examples.iter().for_each(|example| footer += &format!("  {}\n", example.as_ref()));
    if let Some(more) = command.get_after_long_help() {
        footer += &format!("\n{more}\n");
    }
    with_repeatable_flags(command)
        .after_help("See `--help` for details and examples.")
        .after_long_help(footer)
}
