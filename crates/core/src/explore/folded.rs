//! Exploration of a space and its mirror image as one, with the right count of states.

use super::Exploration;
use super::in_memory::explore_keeping;
use crate::budget::Budget;
use crate::memory::{Memory, OutOfMemory};
use crate::space::Undirected;
use crate::symmetry::Symmetric;
use crate::visited::{Adaptive, Hashed, Visited};

/// What can be reached, a state and its mirror image visited as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldedExploration {
    /// The orbits, by the least depth of a state of theirs or of its image.
    pub orbits: Exploration,
    /// The states of the start's component, images that belong to it included. Of an exploration
    /// that a limit ended, those of the layers that are complete.
    pub states: u64,
    /// Whether the component is its own mirror image, as far as it was explored.
    pub own_image: bool,
}

/// Counts what can be reached from the start of an undirected space, a state and its mirror image
/// visited as one.
///
/// The component of the start may be its own mirror image, or the image a component apart; the
/// number of its states differs by a factor of almost two. Which it is shows on the way: each orbit
/// remembers which of its two states was reached first. Reaching the other one too, or a state that
/// is its own image, joins the component to its image; if neither ever happens, they are apart. A
/// bit an orbit, and one look-up an edge, as without it.
///
/// # Panics
/// If the space has several starts: their components may differ in this.
pub fn explore_folded<S: Symmetric + Undirected>(space: &S, budget: &Budget) -> FoldedExploration {
    let mut starts = 0;
    space.initial(|_| starts += 1);
    assert!(starts <= 1, "a folded exploration has one start");
    // Orbits of one state.
    let mut symmetric = 0;
    let count = |_, state| symmetric += u64::from(space.image(state) == state);
    let (orbits, reached) = explore_keeping::<Orbits<_>, _>(space, budget, count);
    let own_image = reached.is_some_and(|reached| reached.own_image);
    let states = if own_image { 2 * orbits.states() - symmetric } else { orbits.states() };
    FoldedExploration { orbits, states, own_image }
}

/// The orbit of a state.
#[derive(Clone, Copy)]
struct Orbit<W> {
    canonical: W,
    hashed: Hashed,
    /// Whether the state is the canonical form.
    itself: bool,
    /// Whether the state is its own image.
    symmetric: bool,
}

/// A visited set in which a state and its image are one.
struct Orbits<W> {
    /// By canonical form: whether it was the form itself that came first, or its image.
    first: Adaptive<W, bool>,
    /// Whether both states of an orbit, or one that is its own image, have been reached.
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
            hashed: Hashed::of(canonical),
            itself: state <= image,
            symmetric: state == image,
        }
    }

    fn prefetch(&self, orbit: Orbit<S::State>) {
        self.first.prefetch(orbit.hashed);
    }

    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        self.first.make_room(states)
    }

    fn insert(&mut self, orbit: Orbit<S::State>, _: S::State) -> bool {
        let (&mut first, new) = self.first.enter(orbit.hashed, orbit.canonical, orbit.itself);
        self.own_image |= orbit.symmetric || first != orbit.itself;
        new
    }

    fn contains(&self, orbit: Orbit<S::State>, _: S::State) -> bool {
        self.first.get(orbit.canonical).is_some()
    }
}
