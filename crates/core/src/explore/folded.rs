//! Exploration of a symmetric space that visits one state of each orbit and still counts all
//! states.

use std::ops::ControlFlow;

use super::{Exploration, explore_in_with};
use crate::budget::Budget;
use crate::memory::{Memory, OutOfMemory};
use crate::space::Predecessors;
use crate::store::OneThread;
use crate::symmetry::{Symmetric, canonical};
use crate::visited::{Adaptive, StateHash, Visited, compact};
use crate::word::Word;

/// The result of [`explore_folded`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldedExploration {
    /// The number of orbits at each depth, which is the least depth of their states.
    pub orbits: Exploration,
    /// The number of states that are reachable from the start. This includes mirror images if and
    /// only if they are reachable, too. If a limit stopped the exploration, the states of the
    /// complete layers.
    pub states: u64,
    /// Whether the mirror image of the start is reachable, so that the component is its own mirror
    /// image. If a limit stopped the exploration, `false` means that this is not known.
    pub own_image: bool,
}

/// Counts the states that are reachable from the initial state of an undirected, symmetric space,
/// and expands only one state of each orbit.
///
/// The component of the start either is its own mirror image or is disjoint from it. The number of
/// its states differs by a factor of almost 2 between these cases. To tell them apart, the visited
/// set stores for each orbit which of its two states was visited first. The component is its own
/// mirror image if and only if the search also reaches the other state of some orbit, or a state
/// that is its own image.
///
/// Time: one expansion for each orbit, and one [`image`](Symmetric::image) for each generated
/// state.
///
/// Memory: an [`Adaptive`] set with `size_of::<State>() + 1` bytes per entry, and two layers of
/// orbits.
///
/// # Panics
/// If the space has several initial states, because their components could differ.
pub fn explore_folded<S: Symmetric + Predecessors>(
    space: &S,
    budget: &Budget,
) -> FoldedExploration {
    const { assert!(S::UNDIRECTED, "`explore_folded` requires an undirected space") };
    let mut starts = 0;
    space.initial(|_| starts += 1);
    assert!(starts <= 1, "found {starts} initial states, expected one");
    // The number of orbits with one state.
    let mut symmetric = 0;
    let count = |_, state| {
        symmetric += u64::from(space.image(state) == state);
        ControlFlow::Continue(())
    };
    let store = OneThread::<S, Orbits<_>>::new(space, budget.memory());
    let (orbits, own_image) = match store {
        Ok(mut store) => {
            // A layer does not say which state of an orbit was reached first.
            let orbits = explore_in_with(&mut store, &budget.without_checkpoint(), count);
            (orbits, store.visited().own_image)
        }
        Err(error) => (Exploration::stopped(error.into(), budget), false),
    };
    let states = if own_image { 2 * orbits.states() - symmetric } else { orbits.states() };
    FoldedExploration { orbits, states, own_image }
}

/// A visited set of orbits.
struct Orbits<W> {
    /// For each canonical form: whether it was reached before its mirror image.
    first: Adaptive<W, bool>,
    /// Whether both states of an orbit have been reached, or a state that is its own image.
    own_image: bool,
}

impl<W: Word> Orbits<W> {
    /// Inserts the states of the items of a batch, as [`Visited::insert_batch`] does.
    fn insert_all<S: Symmetric<State = W>, T: Copy>(
        &mut self,
        space: &S,
        batch: &mut [T],
        state_of: impl Fn(T) -> W,
    ) -> Result<usize, OutOfMemory> {
        self.first.make_room(batch.len())?;
        Ok(compact(batch, |item| {
            let state = state_of(item);
            let image = space.image(state);
            let (canonical, is_canonical) = (state.min(image), state <= image);
            let hash = StateHash::of(canonical);
            let (&mut first, new) = self.first.entry_with_hash(hash, canonical, is_canonical);
            self.own_image |= state == image || first != is_canonical;
            new
        }))
    }
}

impl<S: Symmetric> Visited<S> for Orbits<S::State> {
    fn new(space: &S, memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Self {
            first: Adaptive::with_room(space.expected_states() / 2, memory)?,
            own_image: false,
        })
    }

    fn insert(&mut self, space: &S, state: S::State) -> Result<bool, OutOfMemory> {
        Ok(self.insert_all(space, &mut [state], |state| state)? == 1)
    }

    fn insert_batch(
        &mut self,
        space: &S,
        batch: &mut [(S::State, S::Move)],
    ) -> Result<usize, OutOfMemory> {
        self.insert_all(space, batch, |(state, _)| state)
    }

    fn contains(&self, space: &S, state: S::State) -> bool {
        self.first.get(canonical(space, state)).is_some()
    }
}
