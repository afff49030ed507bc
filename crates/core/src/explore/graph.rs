//! All that can be reached as a graph in memory, to be searched again and again: some nanoseconds
//! an edge instead of some tens.

use std::ops::ControlFlow;

use crate::budget::{Budget, Limit, go_on};
use crate::memory::{Block, SegmentedVec};
use crate::space::StateSpace;
use crate::visited::Adaptive;
use crate::word::Word;

/// The states that can be reached, numbered from 0 in the order in which a breadth-first search
/// meets them, the starts first; and the numbers of the successors of each.
///
/// Takes a word and 8 bytes a state and 4 bytes a move; while it is made, twice as much and a map
/// from states to numbers.
#[derive(Debug)]
pub struct Graph<W> {
    states: Block<W>,
    edges: Edges,
}

/// The moves of a graph, by the numbers of states.
#[derive(Debug)]
pub struct Edges {
    /// The successors of `n` are `ends[first[n]..first[n + 1]]`.
    first: Block<u64>,
    ends: Block<u32>,
}

impl Edges {
    /// The numbers of the successors of a state.
    #[inline]
    pub fn successors(&self, number: u32) -> &[u32] {
        let number = number as usize;
        &self.ends[self.first[number] as usize..self.first[number + 1] as usize]
    }
}

/// The distance of what cannot be reached.
pub const UNREACHED: u32 = u32::MAX;

impl<W: Word> Graph<W> {
    /// The graph of a space, or the limit that ended it before all was met.
    pub fn of<S: StateSpace<State = W>>(space: &S, budget: &Budget) -> Result<Self, Limit> {
        let mut meter = budget.meter();
        let memory = meter.memory().clone();
        let mut numbers = Adaptive::<W, u32>::with_room(space.expected_states(), &memory)?;
        let mut states = SegmentedVec::new(&memory);
        let (mut first, mut ends) = (SegmentedVec::new(&memory), SegmentedVec::new(&memory));
        let mut next = SegmentedVec::new(&memory);
        let mut number = |state: W, next: &mut SegmentedVec<W>| -> Result<u32, Limit> {
            let fresh = u32::try_from(states.len())
                .ok()
                .filter(|&number| number < UNREACHED)
                .ok_or(Limit::Encoding)?;
            let (&mut number, new) = numbers.entry(state, fresh)?;
            if new {
                states.push(state)?;
                next.push(state)?;
            }
            Ok(number)
        };
        let mut end = Ok(());
        space.initial(|state| {
            if end.is_ok() {
                end = number(state, &mut next).map(drop);
            }
        });
        end?;
        while !next.is_empty() {
            let layer = std::mem::replace(&mut next, SegmentedVec::new(&memory));
            for state in layer.iter() {
                meter.expand()?;
                first.push(ends.len() as u64)?;
                let mut end = Ok(());
                let _: ControlFlow<()> = space.successors(state, None, |_, successor| {
                    go_on(&mut end, || {
                        meter.generate()?;
                        Ok(ends.push(number(successor, &mut next)?)?)
                    })
                });
                end?;
            }
        }
        first.push(ends.len() as u64)?;
        let edges = Edges { first: Block::of(&first, &memory)?, ends: Block::of(&ends, &memory)? };
        Ok(Self { states: Block::of(&states, &memory)?, edges })
    }

    /// How many states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// How many moves, each from the state that it leaves.
    pub fn edges(&self) -> usize {
        self.edges.ends.len()
    }

    /// All states, by number.
    pub fn states(&self) -> &[W] {
        &self.states
    }

    /// The numbers of the successors of a state.
    #[inline]
    pub fn successors(&self, number: u32) -> &[u32] {
        self.edges.successors(number)
    }

    /// The moves without the states.
    pub fn into_edges(self) -> Edges {
        self.edges
    }

    /// Writes to `distances`, which has an entry a state, the moves from the nearest of some states
    /// to each, [`UNREACHED`] where there is no way; and to `order` the states that were reached,
    /// the nearest first.
    pub fn distances(
        &self,
        from: impl IntoIterator<Item = u32>,
        distances: &mut [u32],
        order: &mut Vec<u32>,
    ) {
        distances.fill(UNREACHED);
        order.clear();
        for start in from {
            if distances[start as usize] == UNREACHED {
                distances[start as usize] = 0;
                order.push(start);
            }
        }
        let mut expanded = 0;
        while expanded < order.len() {
            let here = order[expanded];
            expanded += 1;
            let distance = distances[here as usize] + 1;
            for &next in self.successors(here) {
                if distances[next as usize] == UNREACHED {
                    distances[next as usize] = distance;
                    order.push(next);
                }
            }
        }
    }
}
