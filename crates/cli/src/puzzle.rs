//! What the verbs have to know of a puzzle. A puzzle's crate does the work; its file here only introduces it.

use std::fmt::Display;

use fewest_core::budget::Budget;
use fewest_core::outcome::Outcome;
use fewest_core::search::Engine;
use fewest_core::text::{Diagnostic, Line};

/// An instance that the program brings along.
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) text: &'static str,
}

/// A puzzle on the command line.
pub(crate) trait Puzzle {
    /// Its name there.
    const NAME: &'static str;
    /// What it is, in a line.
    const ABOUT: &'static str;
    /// What its texts look like: an instance, and a line of a plan.
    const FORMAT: &'static str;
    /// What one move is called, and what several are.
    const MOVE: [&'static str; 2];
    /// What classic mode writes for an instance that has no solution.
    const CLASSIC_UNSOLVABLE: &'static str;

    type Instance;
    type Plan;

    fn builtins() -> impl Iterator<Item = Builtin>;

    /// The instances of a text, each in its turn; an error is the last.
    fn read(text: &[u8]) -> impl Iterator<Item = Result<Self::Instance, Diagnostic>>;

    /// The outcome, with a plan that the rules have accepted, and the engine that was taken. The error is the rules'.
    fn solve(
        instance: &Self::Instance,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<(Outcome<Self::Plan>, Engine), String>;

    /// What classic mode writes for a solved instance, without the end of the line.
    fn classic(plan: &Self::Plan) -> String;

    /// The plan as text, a line a move.
    fn plan_lines(plan: &Self::Plan) -> impl Iterator<Item = String>;

    /// Reads what [`plan_lines`](Self::plan_lines) wrote.
    fn read_plan(instance: &Self::Instance, lines: &[Line<'_>]) -> Result<Self::Plan, Diagnostic>;

    /// The moves of a plan.
    fn cost(plan: &Self::Plan) -> u32;

    /// Plays a plan by the rules.
    fn replay(instance: &Self::Instance, plan: &Self::Plan) -> Result<(), impl Display>;
}

/// `7 steps`, as `P` calls its moves.
pub(crate) fn moves<P: Puzzle>(count: u32) -> String {
    format!("{count} {}", P::MOVE[usize::from(count != 1)])
}
