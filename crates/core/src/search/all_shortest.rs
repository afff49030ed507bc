//! All shortest plans: their number, and each of them.
//!
//! Breadth-first search finds the layers. A pass from the last layer back to the first then selects
//! each state from which a move leads to a selected state of the next layer. The selected states
//! are the nodes of a graph whose paths are the shortest plans.
//!
//! Two plans are the same if and only if they visit the same states: several moves from one state
//! to the same successor count once.
//!
//! ```
//! use fewest_core::search::Search;
//! use fewest_core::space::from_fn;
//!
//! // Steps to the right and down on an 8x8 board, from the first cell to the last.
//! let steps = |cell: u32| {
//!     let steps = [(cell % 8 < 7, cell + 1), (cell / 8 < 7, cell + 8)];
//!     steps.into_iter().filter_map(|(exists, next)| exists.then_some(((), next)))
//! };
//! let board = from_fn([0], steps, |cell| cell == 63);
//! let outcome = Search::new(&board).all_shortest();
//! let plans = outcome.optimal().unwrap();
//! assert_eq!((outcome.cost(), plans.count()), (Some(14), Some(3432)));
//! assert_eq!(plans.iter().nth(1).unwrap()[..9], [0, 1, 2, 3, 4, 5, 6, 14, 15]);
//! ```

use std::ops::ControlFlow;

use super::recovery::ensure_predecessor;
use crate::budget::{Budget, Limit, Meter};
use crate::checkpoint::Purpose;
use crate::layers::{Expander, Reached, expand_layers};
use crate::memory::{OutOfMemory, Reservation, allocation_bytes};
use crate::outcome::{Outcome, Verdict};
use crate::seam::{Batch, SpaceView};
use crate::store::LayerStore;
use crate::visited::AdaptiveMap;
use crate::word::Word;

/// The graph of all shortest plans. Its nodes are the states on some shortest plan; each path from
/// a node of the first layer to one of the last is a shortest plan.
///
/// Memory: up to twice `size_of::<Node<W>>()` bytes per node, and at least 32 bytes for the edges
/// of each node before the last layer.
#[derive(Debug)]
pub struct PlanGraph<W> {
    /// The nodes by depth; within a layer in ascending order of their states.
    layers: Vec<Vec<Node<W>>>,
    _held: Reservation,
}

/// A state on some shortest plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<W> {
    /// The state.
    pub state: W,
    /// The indices of its successors in the next layer, in ascending order; empty in the last
    /// layer.
    pub next: Vec<u32>,
    /// The number of shortest paths from this state to a goal; `None` if it is 2^128 or more.
    pub path_count: Option<u128>,
}

impl<W: Word> PlanGraph<W> {
    /// The number of shortest plans; `None` if it is 2^128 or more.
    pub fn count(&self) -> Option<u128> {
        sum(self.layers[0].iter().map(|start| start.path_count))
    }

    /// The nodes by depth: `cost + 1` layers, each in ascending order of the states.
    pub fn layers(&self) -> &[Vec<Node<W>>] {
        &self.layers
    }

    /// Iterates over the plans in ascending lexicographic order. A plan is a chain of `cost + 1`
    /// states, the initial state first. Each call of `next` takes time proportional to the cost and
    /// to the number of edges of the nodes in which the plan differs from the one before.
    pub fn iter(&self) -> impl Iterator<Item = Vec<W>> + '_ {
        // One stack of node indices per layer. The last index is the node on the current plan;
        // those before it remain to be tried.
        let mut stacks: Vec<Vec<u32>> = vec![(0..self.layers[0].len() as u32).rev().collect()];
        std::iter::from_fn(move || {
            while stacks.last()?.is_empty() {
                stacks.pop();
                stacks.last_mut()?.pop();
            }
            while stacks.len() < self.layers.len() {
                let current = *stacks.last()?.last()?;
                stacks.push(
                    self.layers[stacks.len() - 1][current as usize]
                        .next
                        .iter()
                        .rev()
                        .copied()
                        .collect(),
                );
            }
            let nodes = stacks.iter().zip(&self.layers);
            let plan =
                nodes.map(|(stack, layer)| Some(layer[*stack.last()? as usize].state)).collect();
            stacks.last_mut()?.pop();
            plan
        })
    }
}

/// The number of shortest plans, and the first of them. `P` is the type of a plan of the puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortestPlans<P> {
    /// The number of all shortest plans; `None` if it is 2^128 or more.
    pub count: Option<u128>,
    /// The first plans, in the order of [`PlanGraph::iter`].
    pub plans: Vec<P>,
    /// The limit that cut `plans` short; `None` if it holds as many plans as requested, or all.
    pub limit: Option<Limit>,
    /// An upper bound on the bytes of `plans`. Their reservation ended with the call; a caller that
    /// keeps the plans has to reserve these bytes.
    pub plan_bytes: u64,
}

impl<W: Word> PlanGraph<W> {
    /// Counts the plans and lists the first `max_plans`. `translate` turns a chain of states into a
    /// plan of the puzzle, and returns with it the bytes that the plan takes beyond
    /// `size_of::<P>()`.
    ///
    /// # Errors
    /// The first error of `translate`. If a limit stops the listing, that is not an error:
    /// [`ShortestPlans::limit`] is set.
    pub fn list<P, E>(
        &self,
        max_plans: usize,
        budget: &Budget,
        mut translate: impl FnMut(&[W]) -> Result<(P, usize), E>,
    ) -> Result<ShortestPlans<P>, E> {
        let (mut plans, mut limit) = (Vec::new(), None);
        let (mut meter, mut held) = (budget.meter(), Reservation::none(budget.memory()));
        for states in self.iter().take(max_plans) {
            let (plan, bytes) = translate(&states)?;
            // The factor of 2 covers the growth of `plans` by doubling.
            let room = held.grow((bytes + 2 * size_of::<P>()) as u64).map_err(Limit::from);
            limit = room.and_then(|()| meter.poll_after(states.len() as u32)).err();
            if limit.is_some() {
                break;
            }
            plans.push(plan);
        }
        Ok(ShortestPlans { count: self.count(), plans, limit, plan_bytes: held.bytes() })
    }
}

fn sum(mut path_counts: impl Iterator<Item = Option<u128>>) -> Option<u128> {
    path_counts.try_fold(0u128, |sum, path_count| sum.checked_add(path_count?))
}

/// Searches a space with an empty store for all shortest plans.
///
/// Time: that of [`bfs`](super::bfs), and a second expansion of each state before
/// the goals' layer. Memory: that of the breadth-first search, the [`PlanGraph`], and a map with
/// `size_of::<State>() + 4` bytes for each node of one layer, times 2 to 4.
///
/// If a limit stops the search, the lower bound is the number of complete layers without a goal.
/// The outcome has no plan then, even if the search generated a goal, because other shortest plans
/// could be missing.
pub(crate) fn search_in<W: Word>(
    space: SpaceView<'_, W>,
    store: &mut dyn LayerStore<W>,
    budget: &Budget,
) -> Outcome<PlanGraph<W>> {
    let mut meter = budget.meter();
    let mut reached = Reached::default();
    let verdict = match build(space, store, budget, &mut meter, &mut reached) {
        Ok(Some(graph)) => Verdict::Solved { cost: reached.distance, plan: graph },
        Ok(None) => Verdict::Unsolvable,
        Err(limit) => Verdict::Stopped { limit, lower_bound: reached.distance, best: None },
    };
    Outcome::new(verdict, meter.stats())
}

/// The graph of all shortest plans; `None` if there is no plan. `reached` has the depth of the
/// goals, or the number of complete layers without a goal.
fn build<W: Word>(
    space: SpaceView<'_, W>,
    store: &mut dyn LayerStore<W>,
    budget: &Budget,
    meter: &mut Meter<'_>,
    reached: &mut Reached,
) -> Result<Option<PlanGraph<W>>, Limit> {
    store.keep_layers()?;
    let mut expander = Expander::new(space, store, budget);
    let mut held = Reservation::none(meter.memory());
    let mut goals = Vec::new();
    expand_layers(store, &mut expander, meter, reached, Purpose::Goal, &mut |store, layer| {
        let mut pushed = Ok(());
        if layer.is_complete {
            let _ = store.read(&mut |states| {
                space.goals_among(states, &mut |state| {
                    let goal = Node { state, next: Vec::new(), path_count: Some(1) };
                    pushed = pushed.and_then(|()| push(&mut goals, goal, &mut held));
                });
                if pushed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            pushed?;
        }
        Ok(if goals.is_empty() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })?;
    if goals.is_empty() {
        return Ok(None);
    }
    goals.sort_unstable_by_key(|goal| goal.state);
    store.drop_all_but_layers();
    let mut node_layers = vec![goals];
    for depth in (0..reached.distance).rev() {
        let next = &node_layers[node_layers.len() - 1];
        let nodes = nodes_leading_to(next, space, store, depth, meter, &mut held)?;
        ensure_predecessor(!nodes.is_empty(), meter)?;
        node_layers.push(nodes);
    }
    node_layers.reverse();
    Ok(Some(PlanGraph { layers: node_layers, _held: held }))
}

/// The states of the layer at a depth from which a move leads to a node of `next_layer`, in
/// ascending order.
fn nodes_leading_to<W: Word>(
    next_layer: &[Node<W>],
    space: SpaceView<'_, W>,
    store: &dyn LayerStore<W>,
    depth: u32,
    meter: &mut Meter<'_>,
    held: &mut Reservation,
) -> Result<Vec<Node<W>>, Limit> {
    let mut indices = AdaptiveMap::<W, u32>::with_room(next_layer.len(), meter.memory())?;
    for (index, node) in (0..).zip(next_layer) {
        indices.entry(node.state, index)?;
    }
    let (mut nodes, mut batch) = (Vec::new(), Batch::with_ends());
    let mut add = |states: &[W]| -> Result<(), Limit> {
        let mut at = 0;
        while at < states.len() {
            batch.clear();
            let begin = at;
            space.expand(states, &[], &mut at, &mut batch, &mut |_| ControlFlow::Break(()));
            meter.recover((at - begin) as u64);
            meter.poll_after(batch.len() as u32)?;
            let mut first = 0;
            for (&state, &end) in states[begin..at].iter().zip(batch.ends()) {
                let successors = &batch.states()[first..end as usize];
                first = end as usize;
                let mut next: Vec<u32> =
                    successors.iter().filter_map(|&successor| indices.get(successor)).collect();
                if next.is_empty() {
                    continue;
                }
                next.sort_unstable();
                next.dedup();
                let path_count =
                    sum(next.iter().map(|&index| next_layer[index as usize].path_count));
                push(&mut nodes, Node { state, next, path_count }, held)?;
            }
        }
        Ok(())
    };
    let mut result = Ok(());
    let _ = store.read_layer(depth, &mut |states| {
        result = add(states);
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    result?;
    nodes.sort_unstable_by_key(|node| node.state);
    Ok(nodes)
}

/// Adds a node to a layer, and reserves the memory of its edges and of the layer's growth.
fn push<W>(
    layer: &mut Vec<Node<W>>,
    node: Node<W>,
    held: &mut Reservation,
) -> Result<(), OutOfMemory> {
    held.grow(allocation_bytes(node.next.capacity() * size_of::<u32>()) as u64)?;
    if layer.len() == layer.capacity() {
        let more = layer.len().max(INITIAL_CAPACITY);
        held.grow((more * size_of::<Node<W>>()) as u64)?;
        layer.try_reserve_exact(more).map_err(|_| OutOfMemory)?;
    }
    layer.push(node);
    Ok(())
}

/// The capacity of a layer after its first node.
const INITIAL_CAPACITY: usize = 4;
