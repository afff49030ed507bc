//! Every shortest plan: how many there are, and each of them.
//!
//! Breadth-first search finds the layers; then they are gone through backwards once more, and of
//! each layer those states are kept from which a move leads to one that was kept in the next. What
//! is kept is the graph of all shortest plans. Two plans are the same if they go through the same
//! states: two moves that lead from one state to the same next one count once.
//!
//! ```
//! use std::ops::ControlFlow;
//! use fewest_core::{StateSpace, budget::Budget, search::all_shortest, visited::Table};
//!
//! /// A rook's way from the corner of a chess board to the other, cell by cell.
//! struct Steps;
//!
//! impl StateSpace for Steps {
//!     type State = u16;
//!     type Move = ();
//!     fn initial(&self, mut emit: impl FnMut(u16)) {
//!         emit(0)
//!     }
//!     fn is_goal(&self, cell: u16) -> bool {
//!         cell == 63
//!     }
//!     fn successors<B>(
//!         &self,
//!         cell: u16,
//!         _last: Option<()>,
//!         mut emit: impl FnMut((), u16) -> ControlFlow<B>,
//!     ) -> ControlFlow<B> {
//!         for (can, to) in [(cell % 8 < 7, cell + 1), (cell / 8 < 7, cell + 8)] {
//!             if can {
//!                 emit((), to)?;
//!             }
//!         }
//!         ControlFlow::Continue(())
//!     }
//! }
//!
//! let outcome = all_shortest::search::<Table<_>, _>(&Steps, &Budget::unlimited());
//! let plans = outcome.plan().unwrap();
//! assert_eq!((outcome.cost(), plans.count()), (Some(14), Some(3432)));
//! assert_eq!(plans.iter().nth(1).unwrap()[..9], [0, 1, 2, 3, 4, 5, 6, 14, 15]);
//! ```

use std::ops::ControlFlow;

use super::bfs::layers_to_goals;
use crate::budget::{Budget, Limit, Meter, go_on};
use crate::memory::{OutOfMemory, Reservation};
use crate::outcome::{Outcome, Verdict};
use crate::space::StateSpace;
use crate::visited::{Adaptive, Visited};
use crate::word::Word;

/// All shortest plans, as a graph.
#[derive(Debug)]
pub struct PlanGraph<W> {
    /// By depth; within a layer by state.
    layers: Vec<Vec<Node<W>>>,
    _held: Reservation,
}

/// A state that some shortest plan goes through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<W> {
    /// The state.
    pub state: W,
    /// The numbers of those in the next layer to which a move leads from it, in ascending order;
    /// none at the goal.
    pub next: Vec<u32>,
    /// How many shortest path_count lead on from here; `None` if they are 2^128 or more.
    pub path_count: Option<u128>,
}

impl<W: Word> PlanGraph<W> {
    /// How many there are; `None` if they are 2^128 or more.
    pub fn count(&self) -> Option<u128> {
        sum(self.layers[0].iter().map(|start| start.path_count))
    }

    /// The states of all plans by depth, within a depth in ascending order.
    pub fn layers(&self) -> &[Vec<Node<W>>] {
        &self.layers
    }

    /// Each plan as a chain of states, in ascending order of their states.
    pub fn iter(&self) -> impl Iterator<Item = Vec<W>> + '_ {
        // The numbers of the states on the plan at hand, and behind them those that remain to be
        // tried.
        let mut rest: Vec<Vec<u32>> = vec![(0..self.layers[0].len() as u32).rev().collect()];
        std::iter::from_fn(move || {
            while rest.last()?.is_empty() {
                rest.pop();
                rest.last_mut()?.pop();
            }
            while rest.len() < self.layers.len() {
                let here = *rest.last()?.last()?;
                rest.push(
                    self.layers[rest.len() - 1][here as usize].next.iter().rev().copied().collect(),
                );
            }
            let node = rest.iter().zip(&self.layers);
            let plan =
                node.map(|(rest, layer)| Some(layer[*rest.last()? as usize].state)).collect();
            rest.last_mut()?.pop();
            plan
        })
    }
}

/// How many shortest plans there are, and some of them as a puzzle says them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortestPlans<P> {
    /// All of them; `None` if they are 2^128 or more.
    pub count: Option<u128>,
    /// The first so many.
    pub plans: Vec<P>,
    /// What ended the list before there were as many as wanted, or all.
    pub limit: Option<Limit>,
}

impl<W: Word> PlanGraph<W> {
    /// Counts them, and lists the first `most` in the words of `translate`, which says as well how
    /// many bytes a plan takes beyond those of `P`.
    ///
    /// # Errors
    /// The first of `translate`.
    pub fn list<P, E>(
        &self,
        most: usize,
        budget: &Budget,
        mut translate: impl FnMut(&[W]) -> Result<(P, usize), E>,
    ) -> Result<ShortestPlans<P>, E> {
        let (mut plans, mut limit) = (Vec::new(), None);
        let (mut meter, mut held) = (budget.meter(), Reservation::none(budget.memory()));
        for states in self.iter().take(most) {
            let (plan, bytes) = translate(&states)?;
            // The list grows by doubling.
            let room = held.grow((bytes + 2 * size_of::<P>()) as u64).map_err(Limit::from);
            limit = room.and_then(|()| meter.poll_after(states.len() as u32)).err();
            if limit.is_some() {
                break;
            }
            plans.push(plan);
        }
        Ok(ShortestPlans { count: self.count(), plans, limit })
    }
}

fn sum(mut path_count: impl Iterator<Item = Option<u128>>) -> Option<u128> {
    path_count.try_fold(0u128, |sum, path_count| sum.checked_add(path_count?))
}

/// Searches any space for all its shortest plans; `V` is the visited set. Each state before the
/// goals' layer is expanded twice.
pub fn search<V: Visited<S>, S: StateSpace>(
    space: &S,
    budget: &Budget,
) -> Outcome<PlanGraph<S::State>> {
    let mut meter = budget.meter();
    let mut layers = Vec::new();
    let mut found = || -> Result<Option<PlanGraph<S::State>>, Limit> {
        let Some((last, filled)) = layers_to_goals::<V, S>(space, &mut meter, &mut layers)? else {
            return Ok(None);
        };
        filled?;
        let mut held = Reservation::none(meter.memory());
        let mut goals = Vec::new();
        for state in last.iter().filter(|&state| space.is_goal(state)) {
            push(&mut goals, Node { state, next: Vec::new(), path_count: Some(1) }, &mut held)?;
        }
        goals.sort_unstable_by_key(|goal| goal.state);
        let mut kept = vec![goals];
        for layer in layers.iter().rev() {
            kept.push(before(space, layer.iter(), &kept[kept.len() - 1], &mut meter, &mut held)?);
        }
        kept.reverse();
        Ok(Some(PlanGraph { layers: kept, _held: held }))
    };
    let verdict = match found() {
        Ok(Some(plans)) => Verdict::Solved { cost: plans.layers.len() as u32 - 1, plan: plans },
        Ok(None) => Verdict::Unsolvable,
        Err(limit) => Verdict::Stopped { limit, lower_bound: layers.len() as u32, best: None },
    };
    Outcome { verdict, stats: meter.stats() }
}

/// Those of a layer from which a move leads to one of the next that is kept, in the order of the
/// states.
fn before<S: StateSpace>(
    space: &S,
    layer: impl Iterator<Item = S::State>,
    kept: &[Node<S::State>],
    meter: &mut Meter<'_>,
    held: &mut Reservation,
) -> Result<Vec<Node<S::State>>, Limit> {
    let mut numbers = Adaptive::<S::State, u32>::with_room(kept.len(), meter.memory())?;
    for (number, node) in (0..).zip(kept) {
        numbers.entry(node.state, number)?;
    }
    let mut found = Vec::new();
    for state in layer {
        let mut next = Vec::new();
        let mut end = Ok(());
        let _: ControlFlow<()> = space.successors(state, None, |_, successor| {
            next.extend(numbers.get(successor));
            go_on(&mut end, || meter.poll())
        });
        end?;
        if !next.is_empty() {
            next.sort_unstable();
            next.dedup();
            let path_count = sum(next.iter().map(|&number| kept[number as usize].path_count));
            push(&mut found, Node { state, next, path_count }, held)?;
        }
    }
    found.sort_unstable_by_key(|node| node.state);
    Ok(found)
}

/// Keeps a state, booked with the room that the list grows by.
fn push<W>(
    layer: &mut Vec<Node<W>>,
    node: Node<W>,
    held: &mut Reservation,
) -> Result<(), OutOfMemory> {
    let next = node.next.capacity() * size_of::<u32>();
    held.grow(next.max(if next > 0 { LEAST_ALLOCATION } else { 0 }) as u64)?;
    if layer.len() == layer.capacity() {
        let more = layer.len().max(FIRST_ROOM);
        held.grow((more * size_of::<Node<W>>()) as u64)?;
        layer.try_reserve_exact(more).map_err(|_| OutOfMemory)?;
    }
    layer.push(node);
    Ok(())
}

/// Room that a list begins with.
const FIRST_ROOM: usize = 4;

/// Bytes that allocators take for a few.
const LEAST_ALLOCATION: usize = 32;
