//! The interface of the forms of a space.

use fewest_core::{Goals, Predecessors, Ranked, StateSpace, Symmetric};

/// A permutation puzzle as the searches see it. The solved arrangement is the initial state, and
/// the goal. A move is its number in [`PermutationSpace::names`](crate::PermutationSpace::names).
///
/// With [symmetries](crate::Permutations::with_symmetries), it can be
/// [folded](fewest_core::symmetry::Folded); without, its group has the identity only.
pub trait Space: StateSpace<Move = u16> + Predecessors + Goals + Ranked + Symmetric {
    /// The state of an arrangement: the label of each place. It must have the labels of the solved
    /// one, each as often. `None` only if no moves lead to it, which is not always known.
    fn state(&self, arrangement: &[u8]) -> Option<Self::State>;

    /// The label of each place.
    fn arrangement(&self, state: Self::State) -> Vec<u8>;
}

/// What is done with a [`Space`], whatever its states are.
pub trait WithSpace {
    /// What it returns.
    type Output;

    /// Does it.
    fn run<S: Space>(self, space: &S) -> Self::Output;
}

/// Whether an arrangement has the labels of the solved one on each of some sets of places, and
/// differs from it nowhere else.
pub(crate) fn keeps_labels(sets: &[&[u8]], arrangement: &[u8], solved: &[u8]) -> bool {
    let labels = |places: &[u8], arrangement: &[u8]| {
        let mut labels: Vec<_> =
            places.iter().map(|&place| arrangement[usize::from(place)]).collect();
        labels.sort_unstable();
        labels
    };
    let is_in_a_set = |place| sets.iter().any(|places| places.contains(&place));
    let mut places = (0..).zip(arrangement.iter().zip(solved));
    places.all(|(place, (label, solved))| is_in_a_set(place) || label == solved)
        && sets.iter().all(|places| labels(places, arrangement) == labels(places, solved))
}
