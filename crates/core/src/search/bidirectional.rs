//! Bidirectional breadth-first search: layers from the start and layers from the goals, the smaller
//! one first, until they meet.
//!
//! Let all states within `a` moves of the start and within `b` of a goal be known, with none in
//! common: then no plan has `a + b` moves or fewer. The first layer on either side that has a state
//! in common with the other side's gives a plan of `a + b + 1`, which is therefore shortest. The
//! layer is finished and the least common state is taken, so neither the plan nor a count depends
//! on the order within layers.

use super::layers::{
    Backward, Direction, Forward, Frontier, Layer, NO_WAY_BACK, first_layer, least_neighbour,
    next_layer, retrace,
};
use crate::budget::{Budget, Limit, Meter};
use crate::outcome::{Outcome, Verdict};
use crate::space::{Goals, Predecessors};
use crate::visited::Visited;

/// Searches a space that can list its goals and knows its predecessors; `V` is the visited set of
/// each side.
///
/// # Panics
/// If the predecessors turn out not to be the successors backwards.
pub fn search<V: Visited<S>, S: Goals + Predecessors>(
    space: &S,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    let mut meter = budget.meter();
    let mut lower_bound = 0;
    let verdict = run::<V, S>(space, &mut meter, &mut lower_bound);
    let verdict =
        verdict.unwrap_or_else(|limit| Verdict::Stopped { limit, lower_bound, best: None });
    Outcome { verdict, stats: meter.stats() }
}

/// The layers on one side.
struct Side<V, W> {
    visited: V,
    /// All layers before the last.
    layers: Vec<Layer<W>>,
    last: Layer<W>,
}

impl<V, W: Copy + Ord> Side<V, W> {
    fn new<S: Goals<State = W>>(
        space: &S,
        states: impl FnOnce(&mut dyn FnMut(W)),
        meter: &mut Meter<'_>,
    ) -> Result<Self, Limit>
    where
        V: Visited<S>,
    {
        let mut visited = V::new(space, meter.memory())?;
        let mut last = Layer::new(meter.memory());
        first_layer(space, states, &mut visited, meter, &mut last)?;
        Ok(Self { visited, layers: Vec::new(), last })
    }

    /// Makes the next layer the last. Also where a limit cuts it short: what was met until then is
    /// there.
    fn grow<S: Goals<State = W>>(
        &mut self,
        direction: impl Direction<S>,
        space: &S,
        meter: &mut Meter<'_>,
    ) -> Result<(), Limit>
    where
        V: Visited<S>,
    {
        let mut next = Frontier::new(meter.memory());
        let last = self.last.slices().map(|states| (states, &[][..]));
        let filled = next_layer(direction, space, last, &mut self.visited, meter, &mut next);
        self.layers.push(std::mem::replace(&mut self.last, next.states));
        filled
    }

    /// The least state of the last layer that the other side knows too.
    fn meeting<S: Goals<State = W>>(&self, space: &S, other: &Self) -> Option<W>
    where
        V: Visited<S>,
    {
        let met = |&state: &W| other.visited.contains(V::key(space, state), state);
        self.last.iter().filter(met).min()
    }
}

fn run<V: Visited<S>, S: Goals + Predecessors>(
    space: &S,
    meter: &mut Meter<'_>,
    lower_bound: &mut u32,
) -> Result<Verdict<Vec<S::State>>, Limit> {
    let mut ahead = Side::<V, S::State>::new(space, |emit| space.initial(emit), meter)?;
    let mut back = Side::<V, S::State>::new(space, |emit| space.goals(emit), meter)?;
    let mut meeting = ahead.meeting(space, &back);
    let mut filled = Ok(());
    let meeting = loop {
        // A layer that a limit cut short may meet the other side all the same, and the plan is as
        // short as any.
        if let Some(state) = meeting {
            break state;
        }
        filled?;
        *lower_bound += 1;
        meter.set_depth(*lower_bound);
        if ahead.last.is_empty() || back.last.is_empty() {
            return Ok(Verdict::Unsolvable);
        }
        let before = (ahead.last.len() + back.last.len()) as u64;
        let grown = if ahead.last.len() <= back.last.len() {
            filled = ahead.grow(Forward, space, meter);
            meeting = ahead.meeting(space, &back);
            &ahead.last
        } else {
            filled = back.grow(Backward, space, meter);
            meeting = back.meeting(space, &ahead);
            &back.last
        };
        meter.note_frontier(before + grown.len() as u64);
    };

    drop((ahead.visited, back.visited));
    meter.start_recovery();
    let mut plan = retrace(&ahead.layers, meeting, |layer, state| {
        least_neighbour(Backward, space, layer, state, meter)
    })?;
    let mut rest = retrace(&back.layers, meeting, |layer, state| {
        least_neighbour(Forward, space, layer, state, meter)
    })?;
    rest.pop();
    plan.extend(rest.into_iter().rev());
    let cost = *lower_bound;
    assert_eq!(plan.len(), cost as usize + 1, "{NO_WAY_BACK}");
    Ok(Verdict::Solved { plan, cost })
}
