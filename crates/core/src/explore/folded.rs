//! Exploration of a symmetric space that visits one state of each orbit and still counts all
//! states.

use super::Exploration;
use super::in_memory::explore_returning_set;
use crate::budget::Budget;
use crate::memory::{Memory, OutOfMemory};
use crate::space::Predecessors;
use crate::symmetry::Symmetric;
use crate::visited::{Adaptive, StateHash, Visited};

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
    let count = |_, state| symmetric += u64::from(space.image(state) == state);
    let (orbits, visited) = explore_returning_set::<Orbits<_>, _>(space, budget, count);
    let own_image = visited.is_some_and(|visited| visited.own_image);
    let states = if own_image { 2 * orbits.states() - symmetric } else { orbits.states() };
    FoldedExploration { orbits, states, own_image }
}

/// The orbit of a state, as the key of the visited set.
#[derive(Clone, Copy)]
struct Orbit<W> {
    canonical: W,
    hash: StateHash,
    /// Whether the state is the canonical form.
    is_canonical: bool,
    /// Whether the state is its own image.
    is_symmetric: bool,
}

/// A visited set of orbits.
struct Orbits<W> {
    /// For each canonical form: whether it was reached before its mirror image.
    first: Adaptive<W, bool>,
    /// Whether both states of an orbit have been reached, or a state that is its own image.
    own_image: bool,
}

impl<S: Symmetric> Visited<S> for Orbits<S::State> {
    type Key = Orbit<S::State>;

    fn new(space: &S, memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Self {
            first: Adaptive::with_room(space.expected_states() / 2, memory)?,
            own_image: false,
        })
    }

    fn key(space: &S, state: S::State) -> Orbit<S::State> {
        let image = space.image(state);
        let canonical = state.min(image);
        Orbit {
            canonical,
            hash: StateHash::of(canonical),
            is_canonical: state <= image,
            is_symmetric: state == image,
        }
    }

    fn prefetch(&self, orbit: Orbit<S::State>) {
        self.first.prefetch(orbit.hash);
    }

    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        self.first.make_room(states)
    }

    fn insert(&mut self, orbit: Orbit<S::State>, _: S::State) -> bool {
        let (&mut first, new) =
            self.first.entry_with_hash(orbit.hash, orbit.canonical, orbit.is_canonical);
        self.own_image |= orbit.is_symmetric || first != orbit.is_canonical;
        new
    }

    fn contains(&self, orbit: Orbit<S::State>, _: S::State) -> bool {
        self.first.get(orbit.canonical).is_some()
    }
}
