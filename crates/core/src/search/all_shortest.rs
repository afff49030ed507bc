//! All shortest plans: their number, and each of them.
//!
//! Breadth-first search finds the layers. A pass from the last layer back to the first then selects
//! each state from which a move leads to a selected state at a distance that is greater by what the
//! move costs. The selected states are the nodes of a graph whose paths are the shortest plans.
//!
//! Two plans are the same if and only if they visit the same states: several moves from one state
//! to the same successor count once. A plan ends at the first goal.
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

use std::cmp::Reverse;
use std::ops::{ControlFlow, Range};

use super::recovery::ensure_predecessor;
use crate::budget::{Budget, Limit, Meter};
use crate::checkpoint::Purpose;
use crate::layers::{Expander, Reached, expand_layers};
use crate::memory::{Memory, OutOfMemory, Reservation, allocation_bytes};
use crate::outcome::{Outcome, Verdict};
use crate::seam::{Batch, SpaceView};
use crate::store::{LayerStore, flow};
use crate::visited::AdaptiveMap;
use crate::word::Word;

/// The graph of all shortest plans. Its nodes are the states on some shortest plan; each path from
/// a start to a node without successors is a shortest plan.
///
/// Memory: up to twice `size_of::<Node<W>>()` bytes per node, and at least 32 bytes for the edges
/// of each node that is no goal.
#[derive(Debug)]
pub struct PlanGraph<W> {
    /// By distance; nodes of the same distance in ascending order of their states.
    nodes: Vec<Node<W>>,
    /// The indices of the initial states, in ascending order.
    starts: Vec<u32>,
    _held: Reservation,
}

/// A state on some shortest plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<W> {
    /// The state.
    pub state: W,
    /// Its distance from the start.
    pub distance: u32,
    /// The indices of the nodes to which plans go on, in ascending order; empty at a goal.
    pub next: Vec<u32>,
    /// The number of shortest paths from this state to a goal; `None` if it is 2^128 or more.
    pub path_count: Option<u128>,
}

impl<W: Word> PlanGraph<W> {
    /// The number of shortest plans; `None` if it is 2^128 or more.
    pub fn count(&self) -> Option<u128> {
        sum(self.starts.iter().map(|&start| self.nodes[start as usize].path_count))
    }

    /// The nodes in ascending order of their distances, and of their states for equal distances.
    pub fn nodes(&self) -> &[Node<W>] {
        &self.nodes
    }

    /// The indices of the nodes at which plans start, in ascending order.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// What each plan costs: its number of moves, unless moves have [costs](crate::space::cost).
    pub fn cost(&self) -> u32 {
        self.nodes.last().map_or(0, |goal| goal.distance)
    }

    /// Iterates over the plans, each a chain of states with the initial state first, in ascending
    /// lexicographic order of their nodes: of their states, if each move costs 1. Each call of
    /// `next` takes time proportional to the number of moves and to the number of edges of the
    /// nodes in which the plan differs from the one before.
    pub fn iter(&self) -> impl Iterator<Item = Vec<W>> + '_ {
        // A stack of node indices for each state of the current plan. The last index of each is on
        // the plan; those before it remain to be tried.
        let mut stacks: Vec<Vec<u32>> = vec![self.starts.iter().rev().copied().collect()];
        std::iter::from_fn(move || {
            while stacks.last()?.is_empty() {
                stacks.pop();
                stacks.last_mut()?.pop();
            }
            let node = |stack: &Vec<u32>| Some(&self.nodes[*stack.last()? as usize]);
            while let Some(here) = stacks.last().and_then(node).filter(|node| !node.next.is_empty())
            {
                stacks.push(here.next.iter().rev().copied().collect());
            }
            let plan = stacks.iter().map(|stack| Some(node(stack)?.state)).collect();
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
/// `size_of::<State>() + 4` bytes for each node, times 2 to 4.
///
/// If a limit stops the search, the lower bound is that of [`bfs`](super::bfs). The outcome has no
/// plan then, even if the search generated a goal, because other shortest plans could be missing.
/// [`Limit::Encoding`] stops it if moves of cost 0 form a cycle on a plan: there is no greatest
/// number of plans then.
pub(crate) fn search_in<W: Word>(
    space: SpaceView<'_, W>,
    store: &mut dyn LayerStore<W>,
    budget: &Budget,
) -> Outcome<PlanGraph<W>> {
    let mut meter = budget.meter();
    let mut reached = Reached::default();
    let verdict = match build(space, store, budget, &mut meter, &mut reached) {
        Ok(Some(graph)) => Verdict::Solved { cost: graph.cost(), plan: graph },
        Ok(None) => Verdict::Unsolvable,
        Err(limit) => Verdict::Stopped { limit, lower_bound: reached.distance, best: None },
    };
    Outcome::new(verdict, meter.stats())
}

/// The graph of all shortest plans; `None` if there is no plan. `reached` has the distance of the
/// goals, or that up to which the layers are complete and without a goal.
fn build<W: Word>(
    space: SpaceView<'_, W>,
    store: &mut dyn LayerStore<W>,
    budget: &Budget,
    meter: &mut Meter<'_>,
    reached: &mut Reached,
) -> Result<Option<PlanGraph<W>>, Limit> {
    store.keep_layers()?;
    let has_free_moves = space.properties().costs.least() == 0;
    let mut expander = Expander::new(space, store, budget);
    let mut goals = NodeList::new(meter.memory())?;
    expand_layers(store, &mut expander, meter, reached, Purpose::Goal, &mut |store, layer| {
        let found = goals.nodes.first().map(|goal| goal.distance);
        if found.is_some_and(|distance| distance < layer.distance) {
            return Ok(ControlFlow::Break(()));
        }
        let mut pushed = Ok(());
        if layer.is_complete {
            let _ = store.read(&mut |states| {
                space.goals_among(states, &mut |state| {
                    let (distance, next) = (layer.distance, Vec::new());
                    let goal = Node { state, distance, next, path_count: Some(1) };
                    pushed = pushed.and_then(|()| goals.push(goal));
                });
                if pushed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            pushed?;
        }
        // Free moves may lead to further goals of the same distance.
        let is_done = !goals.nodes.is_empty() && !has_free_moves;
        Ok(if is_done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    let mut list = goals;
    let Some(distance) = list.nodes.first().map(|goal| goal.distance) else { return Ok(None) };
    reached.distance = distance;
    store.drop_all_but_layers();
    list.number_from(0)?;
    let mut distances = expander.distances();
    distances.retain(|&layer| layer <= distance);
    // From the last layers to the first, those of the same distance together.
    while let Some(&last) = distances.last() {
        let first = distances.partition_point(|&layer| layer < last);
        let layers = first as u32..distances.len() as u32;
        distances.truncate(first);
        if last == distance && !has_free_moves {
            continue;
        }
        list.select(layers, last, space, store, meter)?;
    }
    let mut starts = Vec::new();
    let _ = store.read_layer(0, &mut |states| {
        starts.extend(states.iter().filter_map(|&state| list.indices.get(state)));
        ControlFlow::Continue(())
    })?;
    ensure_predecessor(!starts.is_empty(), meter)?;
    let is_on_plan = list.count_paths(&starts)?;
    Ok(Some(list.into_graph(&starts, &is_on_plan)))
}

/// The nodes of a graph in descending order of their distances, and of their states for equal
/// distances: those of greater distances are found first.
struct NodeList<W> {
    nodes: Vec<Node<W>>,
    indices: AdaptiveMap<W, u32>,
    held: Reservation,
}

/// The capacity of a list after its first node.
const INITIAL_CAPACITY: usize = 4;

impl<W: Word> NodeList<W> {
    fn new(memory: &Memory) -> Result<Self, OutOfMemory> {
        let (indices, held) = (AdaptiveMap::with_room(0, memory)?, Reservation::none(memory));
        Ok(Self { nodes: Vec::new(), indices, held })
    }

    /// Adds a node, and reserves the memory of its edges and of the growth of the list.
    fn push(&mut self, node: Node<W>) -> Result<(), OutOfMemory> {
        self.held.grow(allocation_bytes(node.next.capacity() * size_of::<u32>()) as u64)?;
        if self.nodes.len() == self.nodes.capacity() {
            let more = self.nodes.len().max(INITIAL_CAPACITY);
            self.held.grow((more * size_of::<Node<W>>()) as u64)?;
            self.nodes.try_reserve_exact(more).map_err(|_| OutOfMemory)?;
        }
        self.indices.entry(node.state, self.nodes.len() as u32)?;
        self.nodes.push(node);
        Ok(())
    }

    /// Sorts the nodes from this one on, to which no edge leads yet.
    fn number_from(&mut self, begin: usize) -> Result<(), OutOfMemory> {
        self.nodes[begin..].sort_unstable_by_key(|node| Reverse(node.state));
        for (index, node) in (begin as u32..).zip(&self.nodes[begin..]) {
            *self.indices.entry(node.state, index)?.0 = index;
        }
        Ok(())
    }

    /// Adds the states of some layers, all of this distance, from which a plan leads to a node.
    fn select(
        &mut self,
        layers: Range<u32>,
        distance: u32,
        space: SpaceView<'_, W>,
        store: &dyn LayerStore<W>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Limit> {
        let (has_free_moves, mut batch) =
            (space.properties().costs.least() == 0, Batch::with_ends());
        let begin = self.nodes.partition_point(|node| node.distance > distance);
        loop {
            let before = self.nodes.len();
            for layer in layers.clone() {
                let mut result = Ok(());
                let mut add = |states: &[W]| -> Result<(), Limit> {
                    for (state, next) in self.edges(states, distance, space, &mut batch, meter)? {
                        if self.indices.get(state).is_none() {
                            // Those of free moves are not known yet.
                            let next = if has_free_moves { Vec::new() } else { next };
                            self.push(Node { state, distance, next, path_count: None })?;
                        }
                    }
                    Ok(())
                };
                let _ = store.read_layer(layer, &mut |states| flow(add(states), &mut result))?;
                result?;
            }
            // A free move to a state that was added may make another one a node.
            if !has_free_moves || self.nodes.len() == before {
                break;
            }
        }
        self.number_from(begin)?;
        if has_free_moves {
            let inner = self.nodes[begin..].iter().filter(|node| node.path_count.is_none());
            let states: Vec<W> = inner.map(|node| node.state).collect();
            for (state, next) in self.edges(&states, distance, space, &mut batch, meter)? {
                self.held.grow(allocation_bytes(next.capacity() * size_of::<u32>()) as u64)?;
                if let Some(index) = self.indices.get(state) {
                    self.nodes[index as usize].next = next;
                }
            }
        }
        Ok(())
    }

    /// The states of this distance from which a move leads to a node whose distance is greater by
    /// its cost, each with these nodes.
    fn edges(
        &self,
        states: &[W],
        distance: u32,
        space: SpaceView<'_, W>,
        batch: &mut Batch<W>,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<(W, Vec<u32>)>, Limit> {
        let (mut edges, mut at) = (Vec::new(), 0);
        while at < states.len() {
            batch.clear();
            let begin = at;
            space.expand_with_ends(states, &mut at, batch);
            meter.recover((at - begin) as u64);
            meter.poll_after(batch.len() as u32)?;
            let mut successors = batch.states_and_costs();
            let mut first = 0;
            for (&state, &end) in states[begin..at].iter().zip(batch.ends()) {
                let successors = successors.by_ref().take((end - first) as usize);
                first = end;
                let mut next: Vec<u32> = successors
                    .filter_map(|(successor, cost)| Some((self.indices.get(successor)?, cost)))
                    .filter(|&(node, cost)| self.nodes[node as usize].distance - distance == cost)
                    .map(|(node, _)| node)
                    .collect();
                if !next.is_empty() {
                    next.sort_unstable();
                    next.dedup();
                    edges.push((state, next));
                }
            }
        }
        Ok(edges)
    }

    /// Counts the paths from each node that a plan visits, and returns which ones do.
    fn count_paths(&mut self, starts: &[u32]) -> Result<Vec<bool>, Limit> {
        // These lists, and the numbers of the nodes in the graph.
        self.held.grow(self.nodes.len() as u64 * 6)?;
        let (mut is_counted, mut is_open) =
            (vec![false; self.nodes.len()], vec![false; self.nodes.len()]);
        // Depth first: a node is counted after those to which its edges lead.
        let mut path: Vec<(u32, usize)> = Vec::new();
        for &start in starts {
            path.push((start, 0));
            while let Some((index, edge)) = path.last_mut() {
                let (node, index) = (&self.nodes[*index as usize], *index as usize);
                is_open[index] = true;
                if let Some(&next) = node.next.get(*edge).filter(|_| !is_counted[index]) {
                    *edge += 1;
                    if is_open[next as usize] {
                        return Err(Limit::Encoding);
                    }
                    if !is_counted[next as usize] {
                        path.push((next, 0));
                    }
                    continue;
                }
                if !node.next.is_empty() {
                    let counts = node.next.iter().map(|&next| self.nodes[next as usize].path_count);
                    self.nodes[index].path_count = sum(counts);
                }
                (is_counted[index], is_open[index]) = (true, false);
                path.pop();
            }
        }
        Ok(is_counted)
    }

    /// The nodes that are on a plan, in ascending order.
    fn into_graph(self, starts: &[u32], is_on_plan: &[bool]) -> PlanGraph<W> {
        let Self { mut nodes, held, .. } = self;
        let mut number = 0;
        let mut numbers = vec![0; nodes.len()];
        for index in (0..nodes.len()).rev() {
            numbers[index] = number;
            number += u32::from(is_on_plan[index]);
        }
        let renumber = |indices: &mut Vec<u32>| {
            indices.iter_mut().for_each(|index| *index = numbers[*index as usize]);
            indices.sort_unstable();
        };
        let mut keep = is_on_plan.iter();
        nodes.retain(|_| keep.next() == Some(&true));
        nodes.reverse();
        nodes.iter_mut().for_each(|node| renumber(&mut node.next));
        let mut starts = starts.to_vec();
        renumber(&mut starts);
        PlanGraph { nodes, starts, _held: held }
    }
}
