//! `rank`: sorts boards by difficulty.

use std::fs;
use std::io::Write;
use std::path::Path;

use clap::{ArgMatches, Args, Command};
use fewest_puzzle::SolveError;
use fewest_puzzle::any::AnyReader;
use fewest_puzzle::capabilities::{Difficulty, Published, WorkContext};
use fewest_puzzle::report::{RANK_KEYS, sort_by_difficulty, write_ranking};
use fewest_puzzle::results::{self, RankReport};
use fewest_puzzle::solution::plural;

use crate::PuzzleRef;
use crate::args::{LimitOptions, instances, instances_arg, parsed, reader, with};
use crate::diagnostic;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{DataSet, Source};
use crate::message::{message, note};
use crate::output::standard_output;
use crate::run::Run;

#[derive(Args)]
#[group(skip)]
struct RankArgs {
    /// Sort key. First come the boards with the most moves (`moves`), the fewest shortest plans
    /// (`plans`), the greatest share of boards with a single best move (`forced`), the most dead
    /// ends (`dead-ends`), or the most reachable boards (`boards`)
    #[arg(
        long,
        default_value = "moves",
        value_parser = RANK_KEYS,
    )]
    by: String,

    /// Compare the moves and the number of boards with those of the text, as in
    /// `60 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM 2332`; a difference is reported, and the exit code
    /// is 11
    #[arg(long)]
    expect: bool,

    /// Print one JSON object per board, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn command(puzzle: PuzzleRef) -> Option<Command> {
    if !puzzle.verbs().rank {
        return None;
    }
    let help = "Files with boards, `-` for standard input, folders with such files (not recursive, \
                without hidden files), built-in names, or boards themselves";
    let command = Command::new("rank")
        .about("Sort boards by difficulty")
        .long_about(
            "Sort boards by difficulty\n\n\
             The columns for each board: the fewest moves; the number of shortest plans; whether \
             these differ only in the order of independent moves (unique); the share of boards on \
             shortest plans from which only one move continues a shortest plan (forced); the pieces \
             that no shortest plan moves (idle); the boards that can be reached; and the dead ends \
             among them, from which the only move leads back.",
        )
        .arg(instances_arg(puzzle).help(help));
    Some(puzzle.arguments(with::<LimitOptions>(with::<RankArgs>(command))))
}

pub(super) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let RankArgs { by, expect, json } = parsed(matches)?;
    let limits = parsed::<LimitOptions>(matches)?.limits();
    let reader = reader(puzzle, matches)?;
    let read = |name: &String| match files(name) {
        Ok(files) => files.iter().map(|file| Source::instance(puzzle, file)).collect(),
        Err(failure) => vec![Err(failure)],
    };
    let sources: Vec<_> = instances(matches).iter().flat_map(read).collect();
    // Started after the input is read, because until then Ctrl-C should end the program.
    let run = Run::start();
    run.start("board", None);
    let mut ranked: Vec<(String, Option<Difficulty>)> = Vec::new();
    let mut exit = Exit::Answered;
    let (mut compared, mut different, mut not_published) = (0, 0u64, 0u64);
    let mut show = |data_set: DataSet<'_>| {
        let name = data_set.name();
        let hard = data_set.instance.difficulty(&run.budget(limits));
        run.add_done(1);
        match hard {
            Ok(hard) => {
                exit = exit.max(if hard.is_some() { Exit::Answered } else { Exit::Unsolvable });
                if expect {
                    match data_set.instance.published() {
                        None => not_published += 1,
                        Some(published) => {
                            let differences = differences(published, hard.as_ref());
                            compared += 1;
                            different += u64::from(!differences.is_empty());
                            for difference in differences {
                                message(format_args!("{name}: {difference}"));
                            }
                        }
                    }
                }
                ranked.push((name, hard));
            }
            Err(SolveError::Stopped(limit)) => {
                message(format_args!("{name}: stopped, {limit}"));
                exit = exit.max(Exit::from_limit(limit));
            }
            Err(error) => return Err(Failure::from(error).in_data_set(&name)),
        }
        Ok(exit != Exit::Interrupted)
    };
    let mut result = Ok(());
    for source in sources {
        match source.and_then(|source| for_each(&source, &*reader, &mut show)) {
            Ok(true) => {}
            Ok(false) => break,
            Err(failure) => {
                // An invalid file does not stop the others. The last error is returned at the
                // end, all earlier ones are printed here.
                if let Err(before) = std::mem::replace(&mut result, Err(failure)) {
                    message(format_args!("{}", diagnostic::render(&before)));
                }
            }
        }
    }
    sort_by_difficulty(&mut ranked, &by);
    let mut out = standard_output();
    if json {
        for (name, hard) in &ranked {
            results::write(puzzle, &RankReport::new(name, hard.as_ref()), &mut out)?;
        }
    } else {
        write_ranking(&ranked, &mut out)?;
    }
    out.flush()?;
    if expect {
        let boards = plural("board", compared);
        note(format_args!("{} of {compared} {boards} as expected", compared - different));
        if not_published > 0 {
            let boards = plural("board", not_published);
            message(format_args!("{not_published} {boards} without expected numbers"));
        }
        if different > 0 {
            exit = exit.max(Exit::Refused);
        }
    }
    result.map(|()| exit)
}

/// How the difficulty of a board differs from what is published.
fn differences(published: Published, found: Option<&Difficulty>) -> Vec<String> {
    let Published { moves, boards } = published;
    let Some(found) = found else { return vec![format!("expected {moves} moves, found no plan")] };
    let numbers = [("moves", moves.into(), found.moves.into()), ("boards", boards, found.boards)];
    let differs = |&(_, expected, found): &(&str, u64, u64)| expected != found;
    let describe = |(what, expected, found)| format!("expected {expected} {what}, found {found}");
    numbers.into_iter().filter(differs).map(describe).collect()
}

/// Calls `show` for each board of a file. Returns whether `show` accepts more boards.
fn for_each(
    source: &Source,
    reader: &dyn AnyReader,
    show: &mut impl FnMut(DataSet<'_>) -> Result<bool, Failure>,
) -> Result<bool, Failure> {
    for data_set in source.data_sets(reader) {
        if !show(data_set?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The files of a folder sorted by name, or the name itself if it is not a folder.
fn files(name: &str) -> Result<Vec<String>, Failure> {
    if !Path::new(name).is_dir() {
        return Ok(vec![name.to_owned()]);
    }
    let read_failure = |error| Failure::Read { origin: name.to_owned(), error };
    let mut files = Vec::new();
    for entry in fs::read_dir(name).map_err(read_failure)? {
        let entry = entry.map_err(read_failure)?;
        let path = entry.path();
        if path.is_file() && !entry.file_name().to_string_lossy().starts_with('.') {
            files.push(path.to_string_lossy().into_owned());
        }
    }
    files.sort();
    Ok(files)
}
