//! The interface between the verbs and the puzzles. The crate of a puzzle does the work; its module
//! here adapts it to [`Puzzle`].

use std::io::{self, Write};

use clap::{Args, Subcommand};
use fewest_core::budget::{Budget, Limit};
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::all_shortest;
use fewest_core::search::{Answer, Engine};
use fewest_puzzle::builtin::Builtin;
use fewest_rules::text::{Diagnostic, Line};
use fewest_rules::{Replayed, Rules, Verified};
use fewest_scene::{Animation, DrawError, Limits};
use serde::ser::SerializeMap;

use crate::exit::Exit;
use crate::failure::Failure;

/// Parses an instance from its own text and the text of a second file.
pub(crate) type ReadWithSecondFile<P> =
    fn(&[u8], &[u8], &<P as Puzzle>::Options) -> Result<<P as Puzzle>::Instance, InputError>;

/// An error in one of the two texts.
pub(crate) enum InputError {
    Instance(Diagnostic),
    SecondFile(Diagnostic),
}

/// The verbs that only one puzzle has.
pub(crate) trait PuzzleVerb: Subcommand {
    fn run(self) -> Result<Exit, Failure>;
}

/// No additional options.
#[derive(Args)]
#[group(skip)]
pub(crate) struct NoArgs {}

/// No additional verbs.
#[derive(Subcommand)]
pub(crate) enum NoVerbs {}

impl PuzzleVerb for NoVerbs {
    fn run(self) -> Result<Exit, Failure> {
        match self {}
    }
}

/// All shortest plans.
pub(crate) struct ShortestPlans<M> {
    /// The number of shortest plans; `None` if it is 2^128 or more.
    pub(crate) count: Option<u128>,
    /// The listed plans.
    pub(crate) plans: Vec<Verified<M>>,
    /// The limit that ended the list early.
    pub(crate) limit: Option<Limit>,
    /// The bytes of the listed plans.
    pub(crate) plan_bytes: u64,
}

/// Options of `solve` that select which plans are listed.
pub(crate) trait PlanListing: Args {
    /// Whether a result may hold many plans.
    fn lists_plans(&self) -> bool;
}

impl PlanListing for NoArgs {
    fn lists_plans(&self) -> bool {
        false
    }
}

impl PlanListing for AllPlansArgs {
    fn lists_plans(&self) -> bool {
        self.all
    }
}

/// Options to count and list all shortest plans.
#[derive(Args)]
pub(crate) struct AllPlansArgs {
    /// Count all shortest plans, as sequences of boards, and list the first of them. `--show` draws
    /// only the first
    #[arg(long, conflicts_with = "hint")]
    all: bool,

    /// List at most this number of shortest plans; `verify` reads one plan per data set, so use 1
    /// for it
    #[arg(long, value_name = "COUNT", default_value_t = 1, requires = "all")]
    limit: usize,
}

impl AllPlansArgs {
    /// The shortest plans, or `None` without `--all` or if there is no plan. `find` counts them and
    /// lists at most the given number of them.
    pub(crate) fn shortest_plans<M>(
        &self,
        find: impl FnOnce(usize) -> Result<Outcome<all_shortest::ShortestPlans<Verified<M>>>, Failure>,
    ) -> Result<Option<ShortestPlans<M>>, Failure> {
        if !self.all {
            return Ok(None);
        }
        match find(self.limit)?.verdict {
            Verdict::Solved {
                plan: all_shortest::ShortestPlans { count, plans, limit, plan_bytes },
                ..
            } => Ok(Some(ShortestPlans { count, plans, limit, plan_bytes })),
            Verdict::Unsolvable => Ok(None),
            Verdict::Stopped { limit, .. } => Err(Failure::Stopped(limit)),
        }
    }
}

/// A puzzle on the command line.
pub(crate) trait Puzzle {
    /// The name of the program and of the subcommand of `fewest`.
    const NAME: &'static str;
    /// One line for help and lists.
    const ABOUT: &'static str;
    /// The end of the long help: the formats of an instance and of a line of a plan.
    const FORMAT: &'static str;
    /// The engines that can solve the puzzle.
    const ENGINES: &'static [Engine];
    /// What contest mode prints for an unsolvable instance.
    const CONTEST_UNSOLVABLE: &'static str;

    /// How help describes an instance given on the command line itself; `None` if the puzzle takes
    /// none.
    const INLINE: Option<&'static str> = None;

    /// The options of this puzzle: how to read an instance, and what to count as a move.
    type Options: Args + Sync;
    /// The options of `solve` that select which plans are listed.
    type PlanArgs: PlanListing + Sync;
    /// The options of this puzzle for pictures.
    type Picture: Args + Sync;
    /// The verbs of this puzzle alone.
    type Verb: PuzzleVerb;
    type Instance: Rules<Move = Self::Move> + Send;
    type Move: Send;

    fn builtins() -> &'static [Builtin];

    /// The instances of a text in order. An error ends the text.
    fn read(
        text: &[u8],
        options: &Self::Options,
    ) -> impl Iterator<Item = Result<Self::Instance, Diagnostic>>;

    /// The second input file that the options name, and the parser of an instance from both texts;
    /// `None` if the options name none.
    fn second_file(_: &Self::Options) -> Option<(&str, ReadWithSecondFile<Self>)> {
        None
    }

    /// Whether an argument that is neither a built-in name nor a file is an instance itself.
    fn is_inline(_: &str) -> bool {
        false
    }

    /// The board as text of one or more lines, for puzzles whose plans need it.
    fn board(_: &Self::Instance) -> Option<String> {
        None
    }

    /// The words for one move and for several.
    fn moves(_: &Self::Instance) -> [&'static str; 2] {
        ["move", "moves"]
    }

    /// The outcome, with a plan that the rules accept, and the name of the engine that found it.
    fn solve(
        instance: &Self::Instance,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<Verified<Self::Move>>, Failure>;

    /// As [`solve`](Self::solve), but only the number of moves is needed.
    fn solve_cost(
        instance: &Self::Instance,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<()>, Failure> {
        let Answer { outcome, engine } = Self::solve(instance, engine, budget)?;
        Ok(Answer { outcome: outcome.map(drop), engine })
    }

    /// All shortest plans, or `None` if `args` does not ask for them or there is no plan.
    fn shortest_plans(
        _: &Self::Instance,
        _args: &Self::PlanArgs,
        _: &Budget,
    ) -> Result<Option<ShortestPlans<Self::Move>>, Failure> {
        Ok(None)
    }

    /// The description of a built-in instance in lists.
    fn about(builtin: &Builtin) -> String {
        builtin.about.to_owned()
    }

    /// Writes the contest answer of a solved instance, without the newline at its end.
    fn write_contest(
        _: &Self::Instance,
        plan: &Verified<Self::Move>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        write!(out, "{}", plan.len())
    }

    /// Appends a move to a line, in the format of a plan.
    fn write_move(instance: &Self::Instance, step: &Self::Move, line: &mut String);

    /// The board and the motions of a plan on it, ready to be drawn.
    fn animation<'a>(
        instance: &'a Self::Instance,
        plan: &'a Replayed<Self::Move>,
        options: &Self::Picture,
        limits: &Limits<'_>,
    ) -> Result<Animation<'a>, DrawError>;

    /// An upper bound of the number of shapes that the board of an instance is drawn with.
    fn max_shapes(instance: &Self::Instance) -> usize;

    /// Adds the fields of a plan that only this puzzle has to a JSON object.
    fn write_details<M: SerializeMap>(
        _: &Self::Instance,
        _plan: &Verified<Self::Move>,
        _object: &mut M,
    ) -> Result<(), M::Error> {
        Ok(())
    }

    /// Parses a line that [`write_move`](Self::write_move) wrote.
    fn read_move(instance: &Self::Instance, line: Line<'_>) -> Result<Self::Move, Diagnostic>;
}

/// A number of plans as text; `None` is 2^128 or more.
pub(crate) fn plan_count(count: Option<u128>) -> String {
    count.map_or_else(|| "at least 2^128".to_owned(), |count| count.to_string())
}

/// A number of moves with its unit, such as `7 steps`.
pub(crate) fn moves<P: Puzzle>(instance: &P::Instance, count: u32) -> String {
    format!("{count} {}", P::moves(instance)[usize::from(count != 1)])
}

/// The word of `1 board`, `2 boards` or `3 searches`.
pub(crate) fn plural(noun: &str, count: u64) -> String {
    match count {
        1 => noun.to_owned(),
        _ if noun.ends_with('h') => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}
