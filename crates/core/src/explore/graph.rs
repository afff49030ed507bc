//! The graph of all reachable states in memory, for many searches of the same space. A search takes
//! a few nanoseconds per edge, instead of tens of nanoseconds per move with a [`StateSpace`].

use crate::budget::{Budget, Limit};
use crate::memory::{Block, Memory, OutOfMemory, SegmentedVec};
use crate::seam::{Batch, Erased, SpaceView};
use crate::space::StateSpace;
use crate::visited::AdaptiveMap;
use crate::word::Word;

/// All reachable states of a space, and the moves between them.
///
/// A state is identified by its number, a `u32` below [`len`](Self::len). Numbers are in the order
/// in which a breadth-first search generates the states, so the initial states have the first
/// numbers.
///
/// Memory: `size_of::<W>() + 8` bytes per state and 4 bytes per move.
#[derive(Debug)]
pub struct Graph<W> {
    states: Block<W>,
    edges: Edges,
}

/// The moves of a graph, as pairs of state numbers. Takes 8 bytes per state and 4 bytes per move.
#[derive(Debug)]
pub struct Edges {
    /// The successors of state `n` are `ends[first[n]..first[n + 1]]`.
    first: Block<u64>,
    ends: Block<u32>,
}

impl Edges {
    /// The numbers of the successors of a state, in the order of [`StateSpace::successors`]. A
    /// successor occurs once for each move that leads to it.
    ///
    /// # Panics
    /// If `number` is not the number of a state.
    #[inline]
    pub fn successors(&self, number: u32) -> &[u32] {
        let number = number as usize;
        &self.ends[self.first[number] as usize..self.first[number + 1] as usize]
    }

    /// The number of moves. A move and the one that undoes it count as two.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no moves.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The moves against their direction: the successors of a state are its predecessors.
    ///
    /// Time and memory: proportional to the number of states and moves.
    ///
    /// # Errors
    /// If `memory` does not suffice.
    pub fn reversed(&self, memory: &Memory) -> Result<Self, OutOfMemory> {
        let states = self.first.len() - 1;
        let mut first = Block::filled(0, states + 1, memory)?;
        // Counted one place further, so that the sums are where each state begins.
        self.ends.iter().for_each(|&end| first[end as usize + 1] += 1);
        (0..states).for_each(|state| first[state + 1] += first[state]);
        let mut free = Block::filled(0, states + 1, memory)?;
        free.copy_from_slice(&first);
        let mut ends = Block::filled(0, self.ends.len(), memory)?;
        for state in 0..states as u32 {
            for &end in self.successors(state) {
                let place: &mut u64 = &mut free[end as usize];
                ends[*place as usize] = state;
                *place += 1;
            }
        }
        Ok(Self { first, ends })
    }

    /// Computes the distance of each state from the nearest state in `from`, by breadth-first
    /// search.
    ///
    /// `distances` must have one item for each state; it is overwritten, with [`UNREACHED`] for
    /// unreachable states. `order` is cleared and then holds the numbers of the reached states in
    /// ascending order of their distances.
    ///
    /// Time: proportional to the number of states and moves.
    ///
    /// # Panics
    /// If `from` contains a number that is not the number of a state, or if `distances` is too
    /// short.
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
            let state = order[expanded];
            expanded += 1;
            let distance = distances[state as usize] + 1;
            for &next in self.successors(state) {
                if distances[next as usize] == UNREACHED {
                    distances[next as usize] = distance;
                    order.push(next);
                }
            }
        }
    }
}

/// The distance of an unreachable state, see [`Edges::distances`].
pub const UNREACHED: u32 = u32::MAX;

impl<W: Word> Graph<W> {
    /// Explores a space and builds its graph.
    ///
    /// Time: one expansion for each state, and one lookup for each move. Memory while building:
    /// twice that of the graph, and a map from states to numbers with `size_of::<W>() + 4` bytes
    /// for each state, times 5/4 to 4.
    ///
    /// # Errors
    /// The limit that stopped the exploration. [`Limit::Encoding`] if the space has 2^32 - 1 or
    /// more reachable states.
    pub fn of<S: StateSpace<State = W>>(space: &S, budget: &Budget) -> Result<Self, Limit> {
        W::graph(SpaceView::new(&Erased::new(space)), budget)
    }

    /// The same for any space of these words.
    pub(crate) fn of_space(space: SpaceView<'_, W>, budget: &Budget) -> Result<Self, Limit> {
        let mut meter = budget.meter();
        let memory = meter.memory().clone();
        let room = space.properties().expected_states;
        let mut numbers = AdaptiveMap::<W, u32>::with_room(room, &memory)?;
        let mut states = SegmentedVec::new(&memory);
        let (mut first, mut ends) = (SegmentedVec::new(&memory), SegmentedVec::new(&memory));
        let mut next = SegmentedVec::new(&memory);
        let mut number = |state: W, next: &mut SegmentedVec<W>| -> Result<u32, Limit> {
            let next_number = u32::try_from(states.len())
                .ok()
                .filter(|&number| number < UNREACHED)
                .ok_or(Limit::Encoding)?;
            let (&mut number, new) = numbers.entry(state, next_number)?;
            if new {
                states.push(state)?;
                next.push(state)?;
            }
            Ok(number)
        };
        let mut result = Ok(());
        space.initial(&mut |state| {
            if result.is_ok() {
                result = number(state, &mut next).map(drop);
            }
        });
        result?;
        let mut batch = Batch::with_ends();
        while !next.is_empty() {
            let layer = std::mem::replace(&mut next, SegmentedVec::new(&memory));
            for block in layer.slices() {
                let mut at = 0;
                while at < block.len() {
                    batch.clear();
                    let (begin, end) = (at, at + meter.grant(block.len() - at)?);
                    space.expand_with_ends(&block[..end], &mut at, &mut batch);
                    meter.expanded((at - begin) as u64);
                    meter.generated(batch.len() as u64)?;
                    let before = ends.len() as u64;
                    first.push(before)?;
                    for &end in &batch.ends()[..at - begin - 1] {
                        first.push(before + u64::from(end))?;
                    }
                    for &successor in batch.states() {
                        ends.push(number(successor, &mut next)?)?;
                    }
                }
            }
        }
        first.push(ends.len() as u64)?;
        let edges = Edges { first: Block::of(&first, &memory)?, ends: Block::of(&ends, &memory)? };
        Ok(Self { states: Block::of(&states, &memory)?, edges })
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether the graph has no states.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The moves.
    pub fn edges(&self) -> &Edges {
        &self.edges
    }

    /// All states, indexed by number.
    pub fn states(&self) -> &[W] {
        &self.states
    }
}
