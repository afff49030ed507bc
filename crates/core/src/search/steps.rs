//! A search that its caller drives, one expansion at a time.

use std::fmt;
use std::ops::ControlFlow;

use super::stepped::{self, Stepped};
use crate::budget::{Budget, Limit, Meter, Paused};
use crate::outcome::Outcome;
use crate::stats::Stats;
use crate::visited::AdaptiveMap;
use crate::word::Word;

/// A state, and how a search has reached it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Node<W> {
    /// The state.
    pub state: W,
    /// The cost of the path by which the search has reached it, the *g* of the literature: in a
    /// breadth-first search its layer.
    pub depth: u32,
    /// A lower bound on the cost from it to a goal, the *h*: of the heuristic, or raised to what the
    /// search knows (pathmax; the table of IDA*, whose bounds hold if what it is searching at the
    /// time fails). 0 without a heuristic.
    pub bound: u32,
    /// The state before it on that path; `None` for an initial state.
    pub parent: Option<W>,
    /// Whether a bidirectional search has reached it from the goals. Its depth is then the cost to a
    /// goal, and its parent the state after it.
    pub is_backward: bool,
}

impl<W> Node<W> {
    pub(crate) fn new(state: W) -> Self {
        Self { state, depth: 0, bound: 0, parent: None, is_backward: false }
    }

    /// A lower bound on the cost of a plan along this path, the *f*.
    pub fn sum(&self) -> u32 {
        self.depth.saturating_add(self.bound)
    }
}

/// An expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step<W> {
    /// The state that was expanded.
    pub node: Node<W>,
    /// Its successors that the search did not know, or not at so little cost, in the order in which
    /// it generated them. A search by costs without a bound looks later whether it knows them. IDA*
    /// has only those within its threshold.
    pub new: Vec<Node<W>>,
    /// What was proved before the expansion: every plan costs at least this. The threshold of IDA*.
    pub lower_bound: u32,
    /// Whether IDA* expands a state to find out whether there are any that it does not know, since
    /// there may be no plan. The depth and the parent of the node are then not known: 0 and `None`.
    pub is_closing: bool,
}

impl<W> Step<W> {
    /// Notes the state that is expanded.
    pub(crate) fn begin(&mut self, node: Node<W>, lower_bound: u32) {
        (self.node, self.lower_bound) = (node, lower_bound);
    }

    /// Notes a successor that is new.
    pub(crate) fn add(&mut self, node: Node<W>)
    where
        W: Copy,
    {
        let (parent, is_backward) = (Some(self.node.state), self.node.is_backward);
        self.new.push(Node { parent, is_backward, ..node });
    }
}

/// The expansions of a search: [`Search::steps`](super::Search::steps). A step is made when the
/// iterator is asked for it. It ends with the search, or at a limit; [`outcome`](Self::outcome) says
/// which.
///
/// The engine is that of [`Search::run`](super::Search::run), in memory and on this thread, so that
/// the counts and the plan are the same. Beside it, the depth and the parent of each state are in a
/// hash map.
pub struct Steps<'a, W> {
    engine: Result<Box<dyn Stepped<W> + 'a>, Limit>,
    budget: Budget,
    paused: Paused,
    /// How the search has ended.
    ended: Option<Result<(), Limit>>,
    /// From the start, and from the goals.
    parents: Option<[Parents<W>; 2]>,
}

/// The depth and the parent of each state.
type Parents<W> = AdaptiveMap<W, (u32, Option<W>)>;

impl<W> fmt::Debug for Steps<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { paused, ended, .. } = self;
        f.debug_struct("Steps")
            .field("paused", paused)
            .field("ended", ended)
            .finish_non_exhaustive()
    }
}

impl<'a, W: Word> Steps<'a, W> {
    pub(super) fn new(
        budget: Budget,
        start: impl FnOnce(&Budget, &mut Meter<'_>) -> Result<Box<dyn Stepped<W> + 'a>, Limit>,
    ) -> Self {
        let mut meter = budget.meter();
        let engine = start(&budget, &mut meter).and_then(|mut engine| {
            // So that the initial states are open.
            let _ = engine.advance(0, None, &mut meter)?;
            Ok(engine)
        });
        let (paused, ended) = (meter.pause(), engine.as_ref().err().map(|&limit| Err(limit)));
        drop(meter);
        Self { engine, budget, paused, ended, parents: None }
    }

    /// The states that wait for their expansion. The next one is first in A*, whose sums ascend, and
    /// in a breadth-first search, which has the rest of the layer before the next one. A bidirectional
    /// search has those from the start before those from the goals. IDA* has its stack, which is
    /// empty between two thresholds and while it is [closing](Step::is_closing).
    ///
    /// Costs as many operations as there are.
    pub fn open(&self) -> Vec<Node<W>> {
        let mut open = Vec::new();
        if let Ok(engine) = &self.engine {
            engine.open(&mut |node| open.push(Node { parent: self.parent(&node), ..node }));
        }
        open
    }

    /// The work so far. A search by costs counts the duplicates of a distance when it is complete.
    pub fn stats(&self) -> Stats {
        self.paused.stats
    }

    /// Every plan costs at least this.
    pub fn lower_bound(&self) -> u32 {
        self.engine.as_ref().map_or(0, |engine| engine.lower_bound())
    }

    /// The end of the search, with its plan. If it has not ended yet, it goes on to its end or to a
    /// limit first, without steps.
    pub fn outcome(mut self) -> Outcome<Vec<W>> {
        let Self { engine, budget, paused, ended, .. } = &mut self;
        match engine {
            Ok(engine) => {
                let mut meter = budget.resume(*paused);
                match *ended {
                    Some(result) => stepped::end(&mut **engine, result, &mut meter),
                    None => stepped::run(&mut **engine, &mut meter),
                }
            }
            Err(limit) => Outcome::stopped(*limit, budget),
        }
    }

    fn parent(&self, node: &Node<W>) -> Option<W> {
        let known = || self.parents.as_ref()?[usize::from(node.is_backward)].get(node.state);
        let of_path = |&(depth, _): &(u32, _)| depth == node.depth;
        node.parent.or_else(|| known().filter(of_path)?.1)
    }

    /// Notes the parents of the new states, and that of the state that was expanded.
    fn note_parents(&mut self, step: &mut Step<W>) -> Result<(), Limit> {
        step.node.parent = self.parent(&step.node);
        let memory = self.budget.memory();
        let parents = match &mut self.parents {
            Some(parents) => parents,
            none => none
                .insert([AdaptiveMap::with_room(0, memory)?, AdaptiveMap::with_room(0, memory)?]),
        };
        for node in &step.new {
            let value = (node.depth, node.parent);
            let (known, _) = parents[usize::from(node.is_backward)].entry(node.state, value)?;
            if node.depth < known.0 {
                *known = value;
            }
        }
        Ok(())
    }
}

impl<W: Word> Iterator for Steps<'_, W> {
    type Item = Step<W>;

    fn next(&mut self) -> Option<Step<W>> {
        let (Ok(engine), None) = (&mut self.engine, self.ended) else { return None };
        let mut step =
            Step { node: Node::new(W::ZERO), new: Vec::new(), lower_bound: 0, is_closing: false };
        let mut meter = self.budget.resume(self.paused);
        let knows_parents = engine.knows_parents();
        let mut result = engine.advance(1, Some(&mut step), &mut meter);
        self.paused = meter.pause();
        drop(meter);
        if let (Ok(ControlFlow::Continue(())), false) = (&result, knows_parents)
            && let Err(limit) = self.note_parents(&mut step)
        {
            result = Err(limit);
        }
        if let Ok(ControlFlow::Continue(())) = result {
            return Some(step);
        }
        self.ended = Some(result.map(|_| ()));
        None
    }
}
