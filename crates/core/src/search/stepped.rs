//! What an engine is to its caller: a search that goes on for some expansions at a time.

use std::ops::ControlFlow;

use super::steps::{Node, Step};
use crate::budget::{Budget, Limit, Meter};
use crate::outcome::{Outcome, Verdict};

/// A search between two expansions. After an error or a break, only [`end`](Self::end) is called.
pub trait Stepped<W> {
    /// Goes on for up to this number of expansions. Breaks when the search has ended. `step` takes
    /// the last expansion, which is reported to the budget, too.
    fn advance(
        &mut self,
        expansions: u64,
        step: Option<&mut Step<W>>,
        meter: &mut Meter<'_>,
    ) -> Result<ControlFlow<()>, Limit>;

    /// Every plan costs at least this.
    fn lower_bound(&self) -> u32;

    /// Whether the nodes of its steps have their parents.
    fn knows_parents(&self) -> bool {
        false
    }

    /// Emits the states that wait for their expansion, the next one first.
    fn open(&self, emit: &mut dyn FnMut(Node<W>));

    /// What the search found, and the plan. `result` is how it ended.
    fn end(
        &mut self,
        result: Result<(), Limit>,
        meter: &mut Meter<'_>,
    ) -> Result<Verdict<Vec<W>>, Limit>;
}

/// Runs a search to its end. Not behind a `dyn`, so that a program which drives none does not have
/// the code of single steps.
pub(super) fn run<W, T: Stepped<W> + ?Sized>(
    search: &mut T,
    meter: &mut Meter<'_>,
) -> Outcome<Vec<W>> {
    let expansions = if meter.has_steps() { 1 } else { u64::MAX };
    let result = loop {
        match search.advance(expansions, None, meter) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => break Ok(()),
            Err(limit) => break Err(limit),
        }
    };
    end(search, result, meter)
}

/// Makes a search, and runs it to its end.
pub(super) fn run_new<'s, W: 's>(
    budget: &Budget,
    new_search: impl FnOnce(&mut Meter<'_>) -> Result<Box<dyn Stepped<W> + 's>, Limit>,
) -> Outcome<Vec<W>> {
    let mut meter = budget.meter();
    match new_search(&mut meter) {
        Ok(mut search) => run(&mut *search, &mut meter),
        Err(limit) => Outcome::stopped(limit, budget),
    }
}

/// The outcome of a search that has ended with `result`.
pub(super) fn end<W, T: Stepped<W> + ?Sized>(
    search: &mut T,
    result: Result<(), Limit>,
    meter: &mut Meter<'_>,
) -> Outcome<Vec<W>> {
    let verdict = search.end(result, meter).unwrap_or_else(|limit| Verdict::Stopped {
        limit,
        lower_bound: search.lower_bound(),
        best: None,
    });
    Outcome::new(verdict, meter.stats())
}
