//! What the verbs have to know of a puzzle. A puzzle's crate does the work; its file here only
//! introduces it.

use std::fmt::Display;
use std::io::{self, Write};

use clap::{Args, Subcommand};
use fewest_core::budget::{Budget, Limit};
use fewest_core::builtin::Builtin;
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::all_shortest;
use fewest_core::search::{Answer, Engine};
use fewest_core::text::{Diagnostic, Line};
use fewest_scene::{Animation, DrawError, Limits};
use serde::ser::SerializeMap;

use crate::exit::{Exit, Failure};

/// Reads an instance from its own text and from that of a second file.
pub(crate) type ReadBoth<P> =
    fn(&[u8], &[u8], &<P as Puzzle>::Options) -> Result<<P as Puzzle>::Instance, InBoth>;

/// In which of two texts something is wrong.
pub(crate) enum InBoth {
    Own(Diagnostic),
    Second(Diagnostic),
}

/// What only one puzzle can do.
pub(crate) trait OwnVerb: Subcommand {
    fn carry_out(self) -> Result<Exit, Failure>;
}

/// For a puzzle that offers nothing beyond what all do.
#[derive(Args)]
#[group(skip)]
pub(crate) struct Nothing {}

/// For a puzzle that has the verbs of all and no others.
#[derive(Subcommand)]
pub(crate) enum NoVerb {}

impl OwnVerb for NoVerb {
    fn carry_out(self) -> Result<Exit, Failure> {
        match self {}
    }
}

/// All shortest plans.
pub(crate) struct ShortestPlans<M> {
    /// How many there are; `None` if there are 2^128 or more.
    pub(crate) count: Option<u128>,
    /// Some of them.
    pub(crate) plans: Vec<Vec<M>>,
    /// What ended the list of them early.
    pub(crate) limit: Option<Limit>,
}

/// Whether all shortest plans are to be shown.
#[derive(Args)]
pub(crate) struct All {
    /// Count all shortest plans, as sequences of boards, and list the first of them
    #[arg(long, conflicts_with = "hint")]
    all: bool,

    /// List so many of them; `verify` takes a list of one
    #[arg(long, value_name = "COUNT", default_value_t = 1, requires = "all")]
    limit: usize,
}

impl All {
    /// All shortest plans, if they are wanted and there is one; `count` lists so many of them.
    pub(crate) fn every<M>(
        &self,
        count: impl FnOnce(usize) -> Result<Outcome<all_shortest::ShortestPlans<Vec<M>>>, Failure>,
    ) -> Result<Option<ShortestPlans<M>>, Failure> {
        if !self.all {
            return Ok(None);
        }
        match count(self.limit)?.verdict {
            Verdict::Solved {
                plan: all_shortest::ShortestPlans { count, plans, limit }, ..
            } => Ok(Some(ShortestPlans { count, plans, limit })),
            Verdict::Unsolvable => Ok(None),
            Verdict::Stopped { limit, .. } => Err(Failure::Stopped(limit)),
        }
    }
}

/// A puzzle on the command line.
pub(crate) trait Puzzle {
    /// Its name there.
    const NAME: &'static str;
    /// What it is, in a line.
    const ABOUT: &'static str;
    /// What its texts look like: an instance, and a line of a plan.
    const FORMAT: &'static str;
    /// The searches that it can be solved by.
    const ENGINES: &'static [Engine];
    /// What classic mode writes for an instance that has no solution.
    const CLASSIC_UNSOLVABLE: &'static str;

    /// What to call an instance that is given on the command line itself, if it may be.
    const INLINE: Option<&'static str> = None;

    /// What only this puzzle asks of its user: how to read an instance, and what to count.
    type Options: Args + Sync;
    /// What only this puzzle offers of how plans are listed.
    type Show: Args + Sync;
    /// What only this puzzle offers of how pictures look.
    type Picture: Args + Sync;
    /// What only this puzzle can do.
    type Verb: OwnVerb;
    type Instance: Send;
    type Move: Send;

    fn builtins() -> &'static [Builtin];

    /// The instances of a text, each in its turn; an error is the last.
    fn read(
        text: &[u8],
        options: &Self::Options,
    ) -> impl Iterator<Item = Result<Self::Instance, Diagnostic>>;

    /// A file beside the instance's own that the options name, if they do, and what reads the
    /// instance from both texts.
    fn second_file(_: &Self::Options) -> Option<(&str, ReadBoth<Self>)> {
        None
    }

    /// Whether a word that is neither a built-in name nor a file is an instance itself.
    fn is_inline(_: &str) -> bool {
        false
    }

    /// The instance as a picture of text, a line or more, if it has one that helps to read a plan.
    fn board(_: &Self::Instance) -> Option<String> {
        None
    }

    /// What one move is called, and what several are.
    fn moves(_: &Self::Instance) -> [&'static str; 2] {
        ["move", "moves"]
    }

    /// The outcome, with a plan that the rules have accepted, and the engine that was taken.
    fn solve(
        instance: &Self::Instance,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<Vec<Self::Move>>, Failure>;

    /// The same where nothing is asked but the number of moves: the plan may be left out.
    fn count(
        instance: &Self::Instance,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<Vec<Self::Move>>, Failure> {
        Self::solve(instance, engine, budget)
    }

    /// All shortest plans, if `show` asks for them and there is one.
    fn every(
        _: &Self::Instance,
        _show: &Self::Show,
        _: &Budget,
    ) -> Result<Option<ShortestPlans<Self::Move>>, Failure> {
        Ok(None)
    }

    /// What a list tells of a built-in instance.
    fn about(builtin: &Builtin) -> String {
        builtin.about.to_owned()
    }

    /// Writes what classic mode says of a solved instance, without the end of the last line.
    fn write_classic(
        _: &Self::Instance,
        plan: &[Self::Move],
        out: &mut impl Write,
    ) -> io::Result<()> {
        write!(out, "{}", plan.len())
    }

    /// Adds a move to a line, as it stands in a plan.
    fn write_move(instance: &Self::Instance, step: &Self::Move, line: &mut String);

    /// The board and what a plan moves on it, to be drawn; an error is a limit.
    fn animation<'a>(
        instance: &'a Self::Instance,
        plan: &'a [Self::Move],
        options: &Self::Picture,
        limits: &Limits<'_>,
    ) -> Result<Animation<'a>, DrawError>;

    /// The most shapes that the board of an instance is drawn with.
    fn shapes(instance: &Self::Instance) -> usize;

    /// Adds to a JSON object what it has of a plan beyond what it has of those of any puzzle.
    fn write_details<M: SerializeMap>(
        _: &Self::Instance,
        _plan: &[Self::Move],
        _object: &mut M,
    ) -> Result<(), M::Error> {
        Ok(())
    }

    /// Reads what [`write_move`](Self::write_move) wrote.
    fn read_move(instance: &Self::Instance, line: Line<'_>) -> Result<Self::Move, Diagnostic>;

    /// Plays a plan by the rules.
    fn replay(instance: &Self::Instance, plan: &[Self::Move]) -> Result<(), impl Display>;
}

/// A number of plans; `None` if there are 2^128 or more.
pub(crate) fn plan_count(count: Option<u128>) -> String {
    count.map_or_else(|| "at least 2^128".to_owned(), |count| count.to_string())
}

/// `7 steps`, as `P` calls the moves of an instance.
pub(crate) fn moves<P: Puzzle>(instance: &P::Instance, count: u32) -> String {
    format!("{count} {}", P::moves(instance)[usize::from(count != 1)])
}

/// `1 board`, `2 boards`, `3 searches`: the word.
pub(crate) fn plural(what: &str, count: u64) -> String {
    match count {
        1 => what.to_owned(),
        _ if what.ends_with('h') => format!("{what}es"),
        _ => format!("{what}s"),
    }
}
