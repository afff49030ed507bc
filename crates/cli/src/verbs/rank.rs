//! `rank`: sorts boards by difficulty.

use std::convert::Infallible;
use std::io::Write;
use std::path::PathBuf;

use clap::{ArgMatches, Args, Command};
use fewest_core::budget::Limits;
use fewest_puzzle::SolveError;
use fewest_puzzle::options::Whole;
use fewest_puzzle::rank::{
    Difficulty, Published, RANK_KEYS, RankReport, sort_by_difficulty, write_ranking,
};
use fewest_puzzle::results;
use fewest_puzzle::words::plural;
use fewest_puzzle::work::WorkContext;

use crate::PuzzleRef;
use crate::args::{LimitOptions, instances, instances_arg, parsed, reader, with};
use crate::batch::{LOOKAHEAD, in_order};
use crate::diagnostic;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{DataSet, Source, expanded};
use crate::message::{message, note};
use crate::output::standard_output;
use crate::run::Run;
use crate::verbs::capability;

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

    /// Measure this number of boards at a time, each with an equal share of --memory. The ranking
    /// does not change
    #[arg(long, value_name = "COUNT", default_value_t = Whole::new(1))]
    threads: Whole<1, 1024>,

    /// Print one JSON object per board, one object per line
    #[arg(long)]
    json: bool,
}

pub(super) fn command(puzzle: PuzzleRef) -> Option<Command> {
    if !puzzle.info().verbs.rank {
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
    let RankArgs { by, expect, threads, json } = parsed(matches)?;
    let limits = parsed::<LimitOptions>(matches)?.limits();
    let share = |bytes: u64| bytes / threads.get();
    let limits = Limits { memory_bytes: limits.memory_bytes.map(share), ..limits };
    let reader = reader(puzzle, matches)?;
    let read = |name: PathBuf| match expanded(&name, None) {
        Ok(files) => files.iter().map(|file| Source::instance(puzzle, file)).collect(),
        Err(failure) => vec![Err(failure)],
    };
    let sources = instances(matches).into_iter().flat_map(read).map(|source| source.map_err(Some));
    let mut sources: Vec<Result<Source, Option<Failure>>> = sources.collect();
    // Started after the input is read, because until then Ctrl-C should end the program.
    let run = Run::start();
    run.start("board", None);
    let data_sets = sources.iter_mut().flat_map(|source| {
        let (source, failure) = match source {
            Ok(source) => (Some(&*source), None),
            Err(failure) => (None, failure.take()),
        };
        let data_sets = source.into_iter().flat_map(|source| source.data_sets(&*reader));
        failure.map(Err).into_iter().chain(data_sets)
    });
    let mut ranking = Ranking::default();
    let take = |measured| {
        match measured {
            Ok((data_set, difficulty)) => ranking.add(&data_set, difficulty),
            Err(failure) => ranking.fail(failure),
        }
        Ok::<_, Infallible>(())
    };
    let threads = threads.to_threads().get();
    let Ok(()) = in_order(
        threads,
        LOOKAHEAD,
        data_sets,
        || !run.is_interrupted(),
        |data_set| {
            let data_set = data_set?;
            let ranker = capability(data_set.instance.ranker())?;
            let difficulty = ranker.difficulty(&run.budget(limits));
            run.add_done(1);
            Ok((data_set, difficulty))
        },
        take,
    );
    if run.is_interrupted() {
        ranking.exit = ranking.exit.max(Exit::Interrupted);
    }
    sort_by_difficulty(&mut ranking.ranked, &by);
    let mut out = standard_output();
    if json {
        for (name, hard) in &ranking.ranked {
            results::write(puzzle.info().name, &RankReport::new(name, hard.as_ref()), &mut out)?;
        }
    } else {
        write_ranking(&ranking.ranked, &mut out)?;
    }
    out.flush()?;
    if expect {
        ranking.report_differences();
    }
    ranking.failure.map_or(Ok(ranking.exit), Err)
}

#[derive(Default)]
struct Ranking {
    ranked: Vec<(String, Option<Difficulty>)>,
    exit: Exit,
    /// The last failure. The earlier ones are printed.
    failure: Option<Failure>,
    /// The differences from what is published, for each board with such numbers.
    differences: Vec<Vec<String>>,
}

impl Ranking {
    /// A failure does not stop the other boards.
    fn fail(&mut self, failure: Failure) {
        if let Some(before) = self.failure.replace(failure) {
            message(format_args!("{}", diagnostic::render(&before)));
        }
    }

    fn add(&mut self, board: &DataSet<'_>, difficulty: Result<Option<Difficulty>, SolveError>) {
        let name = board.name();
        match difficulty {
            Ok(hard) => {
                let exit = if hard.is_some() { Exit::Answered } else { Exit::Unsolvable };
                self.exit = self.exit.max(exit);
                if let Some(published) =
                    board.instance.ranker().and_then(|ranker| ranker.published())
                {
                    let differences = differences(published, hard.as_ref());
                    let named =
                        differences.iter().map(|difference| format!("{name}: {difference}"));
                    self.differences.push(named.collect());
                }
                self.ranked.push((name, hard));
            }
            Err(SolveError::Stopped(limit)) => {
                message(format_args!("{name}: stopped, {limit}"));
                self.exit = self.exit.max(Exit::from_limit(limit));
            }
            Err(error) => self.fail(Failure::from(error).in_data_set(&name)),
        }
    }

    fn report_differences(&mut self) {
        for difference in self.differences.iter().flatten() {
            message(format_args!("{difference}"));
        }
        let compared = self.differences.len();
        let equal = self.differences.iter().filter(|differences| differences.is_empty()).count();
        let boards = plural("board", compared as u64);
        note(format_args!("{equal} of {compared} {boards} as expected"));
        let without = (self.ranked.len() - compared) as u64;
        if without > 0 {
            message(format_args!(
                "{without} {} without expected numbers",
                plural("board", without)
            ));
        }
        if equal < compared {
            self.exit = self.exit.max(Exit::Refused);
        }
    }
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
