//! The space of a permutation puzzle, and the choice of what a state is.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;

use fewest_core::encoding::PermutationRanks;
use fewest_core::explore::Exploration;
use fewest_core::space::moves_along;
use fewest_core::symmetry::Folded;
use fewest_core::{Budget, Goals, Outcome, Predecessors, Ranked, Search, Verdict};

use crate::arrangement::{Arrangements, Layout};
use crate::blocks::{blocks, orbits, restricted};
use crate::coordinates::{Coordinates, FEW_ARRANGEMENTS, MAX_ARRANGEMENTS};
use crate::moves::{Images, Moves};
use crate::space::{Space, WithSpace};
use crate::symmetries::Symmetry;

/// The space of a permutation puzzle: see [the crate](crate).
#[derive(Clone)]
pub struct PermutationSpace {
    names: Vec<String>,
    solved: Vec<u8>,
    form: Form,
}

/// What a state is.
#[derive(Clone)]
enum Form {
    Coordinates(Coordinates),
    Bits64(Arrangements<u64>),
    Bits128(Arrangements<u128>),
    Bits192(Arrangements<[u64; 3]>),
    Bits384(Arrangements<[u64; 6]>),
}

/// The error of an arrangement that does not have the labels of the puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidArrangement {
    /// It has not one label for each place.
    #[error("{found} labels: expected one for each of {places} places")]
    Length {
        /// The number of its labels.
        found: usize,
        /// The number of places.
        places: usize,
    },
    /// It has a label more or less often than the solved arrangement.
    #[error("label {label} occurs {found} times: expected {expected}")]
    Label {
        /// The label.
        label: u8,
        /// How often it occurs.
        found: usize,
        /// How often it occurs in the solved arrangement.
        expected: usize,
    },
}

impl fmt::Debug for PermutationSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { names, solved, .. } = self;
        f.debug_struct("PermutationSpace").field("names", names).field("solved", solved).finish()
    }
}

impl PermutationSpace {
    pub(crate) fn new(
        moves: Vec<(String, Images)>,
        places: usize,
        colours: Option<Vec<u8>>,
        symmetries: Vec<Symmetry>,
    ) -> Self {
        let (names, images) = moves.into_iter().unzip();
        let moves = Moves::new(images);
        let solved = colours.unwrap_or_else(|| (0..places as u8).collect());
        Self { form: Form::new(&moves, &solved, &symmetries), names, solved }
    }

    /// The number of [symmetries](crate::Permutations::with_symmetries), with the identity: 1 if
    /// they were not asked for.
    pub fn symmetries(&self) -> u32 {
        struct Order;
        impl WithSpace for Order {
            type Output = u32;
            fn run<S: Space>(self, space: &S) -> u32 {
                space.order()
            }
        }
        self.with(Order)
    }

    /// The names of the moves, in the order in which they are made.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The label of each place in the solved arrangement.
    pub fn solved(&self) -> &[u8] {
        &self.solved
    }

    /// The number of ranks, if states have them: with two bits for each, the memory that an
    /// exploration takes is a quarter of it in bytes. It is at least the number of states.
    pub fn ranks(&self) -> Option<u64> {
        struct Ranks;
        impl WithSpace for Ranks {
            type Output = Option<u64>;
            fn run<S: Space>(self, space: &S) -> Option<u64> {
                space.ranks()
            }
        }
        self.with(Ranks)
    }

    /// Does something with the space that the searches of [`fewest_core`] accept. It is compiled
    /// for each of five forms.
    pub fn with<V: WithSpace>(&self, visitor: V) -> V::Output {
        match &self.form {
            Form::Coordinates(space) => visitor.run(space),
            Form::Bits64(space) => visitor.run(space),
            Form::Bits128(space) => visitor.run(space),
            Form::Bits192(space) => visitor.run(space),
            Form::Bits384(space) => visitor.run(space),
        }
    }

    /// Counts the arrangements that `d` moves from the solved one reach, and not fewer, for each
    /// `d`. `visit` is called for each complete layer, with its depth and its number of states.
    pub fn count_layers(
        &self,
        budget: &Budget,
        mut visit: impl FnMut(u32, u64) -> ControlFlow<()>,
    ) -> Exploration {
        self.with(CountLayers { budget, visit: &mut visit })
    }

    /// The same by [symmetries](crate::Permutations::with_symmetries): `visit` gets the number of
    /// orbits, which are sets of arrangements that are images of one another, and the number of the
    /// arrangements in them. In a hash table, the memory is that of the orbits.
    pub fn count_orbits(
        &self,
        budget: &Budget,
        mut visit: impl FnMut(u32, u64, u64) -> ControlFlow<()>,
    ) -> Exploration {
        self.with(CountOrbits { budget, visit: &mut visit })
    }

    /// The same as [`count_layers`](Self::count_layers), and calls `visit` for each arrangement with
    /// its depth.
    pub fn explore(
        &self,
        budget: &Budget,
        mut visit: impl FnMut(u32, &[u8]) -> ControlFlow<()>,
    ) -> Exploration {
        self.with(Explore { budget, visit: &mut visit })
    }

    /// Finds the fewest moves from an arrangement to the solved one, by their names.
    ///
    /// # Errors
    /// If the arrangement does not have the labels of the solved one.
    pub fn solve(
        &self,
        arrangement: &[u8],
        budget: &Budget,
    ) -> Result<Outcome<Vec<&str>>, InvalidArrangement> {
        self.check(arrangement)?;
        let outcome = self.with(Solve { arrangement, budget });
        let names = |by: &u16| self.names[usize::from(*by)].as_str();
        Ok(outcome.map(|moves| moves.iter().map(names).collect()))
    }

    fn check(&self, arrangement: &[u8]) -> Result<(), InvalidArrangement> {
        let (found, places) = (arrangement.len(), self.solved.len());
        if found != places {
            return Err(InvalidArrangement::Length { found, places });
        }
        let mut counts = BTreeMap::<u8, (usize, usize)>::new();
        for (&found, &expected) in arrangement.iter().zip(&self.solved) {
            counts.entry(found).or_default().0 += 1;
            counts.entry(expected).or_default().1 += 1;
        }
        match counts.into_iter().find(|(_, (found, expected))| found != expected) {
            Some((label, (found, expected))) => {
                Err(InvalidArrangement::Label { label, found, expected })
            }
            None => Ok(()),
        }
    }
}

impl Form {
    fn new(moves: &Moves, solved: &[u8], symmetries: &[Symmetry]) -> Self {
        let orbits = orbits(&moves.images, solved.len());
        let is_labelled = solved.iter().collect::<HashSet<_>>().len() == solved.len();
        let is_ranked = match orbits.as_slice() {
            [orbit] if is_labelled && PermutationRanks::new(orbit.len() as u32).is_ok() => {
                blocks(&restricted(&moves.images, orbit), orbit.len()).is_none()
            }
            _ => false,
        };
        // Ranks of permutations are far more than a small group has elements.
        let most = if is_ranked { FEW_ARRANGEMENTS } else { MAX_ARRANGEMENTS };
        if is_labelled
            && symmetries.is_empty()
            && let Some(space) = Coordinates::new(moves, solved, most)
        {
            return Self::Coordinates(space);
        }
        let mut layout = Layout::new(&orbits, solved, is_ranked);
        if !symmetries.is_empty() && layout.bits() > u128::BITS {
            // Images are compared field by field then.
            layout = layout.in_bytes(size_of::<[u64; 6]>());
        }
        match layout.bits() {
            0..=64 => Self::Bits64(Arrangements::new(moves, layout, symmetries)),
            65..=128 => Self::Bits128(Arrangements::new(moves, layout, symmetries)),
            129..=192 => Self::Bits192(Arrangements::new(moves, layout, symmetries)),
            _ => Self::Bits384(Arrangements::new(moves, layout, symmetries)),
        }
    }
}

struct CountLayers<'a> {
    budget: &'a Budget,
    visit: &'a mut dyn FnMut(u32, u64) -> ControlFlow<()>,
}

impl WithSpace for CountLayers<'_> {
    type Output = Exploration;

    fn run<S: Space>(self, space: &S) -> Exploration {
        Search::new(space).ranked().predecessors().budget(self.budget).count_layers(self.visit)
    }
}

struct Explore<'a> {
    budget: &'a Budget,
    visit: &'a mut dyn FnMut(u32, &[u8]) -> ControlFlow<()>,
}

impl WithSpace for Explore<'_> {
    type Output = Exploration;

    fn run<S: Space>(self, space: &S) -> Exploration {
        let search = Search::new(space).ranked().predecessors().budget(self.budget);
        search.explore(|depth, state| (self.visit)(depth, &space.arrangement(state)))
    }
}

struct CountOrbits<'a> {
    budget: &'a Budget,
    visit: &'a mut dyn FnMut(u32, u64, u64) -> ControlFlow<()>,
}

impl WithSpace for CountOrbits<'_> {
    type Output = Exploration;

    fn run<S: Space>(self, space: &S) -> Exploration {
        let folded = Folded::new(space);
        let search = Search::new(&folded).ranked().predecessors().budget(self.budget);
        search.explore_layers(|depth, layer| {
            let mut arrangements = [0];
            let _ = layer.read(&mut |states| {
                let sizes = states.iter().map(|&state| u64::from(space.orbit_size(state)));
                arrangements[0] += sizes.sum::<u64>();
                ControlFlow::Continue(())
            })?;
            layer.sum(&mut arrangements)?;
            Ok((self.visit)(depth, layer.states(), arrangements[0]))
        })
    }
}

struct Solve<'a> {
    arrangement: &'a [u8],
    budget: &'a Budget,
}

impl WithSpace for Solve<'_> {
    type Output = Outcome<Vec<u16>>;

    fn run<S: Space>(self, space: &S) -> Outcome<Vec<u16>> {
        let Some(start) = space.state(self.arrangement) else {
            return Outcome::new(Verdict::Unsolvable, self.budget.meter().stats());
        };
        if space.order() == 1 {
            let outcome = chain_to_solved(space, start, self.budget);
            let moves =
                |chain: Vec<_>| moves_along(space, &chain).expect("moves between the states");
            return outcome.map(moves);
        }
        let outcome = chain_to_solved(&Folded::new(space), space.canonical(start).0, self.budget);
        outcome.map(|chain| moves_along_orbits(space, start, &chain))
    }
}

fn chain_to_solved<S: Predecessors + Goals + Ranked>(
    space: &S,
    start: S::State,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    let starts = [start];
    let search = Search::new(space).starting_from(&starts).budget(budget);
    search.ranked().predecessors().goals().run()
}

/// Moves from a state through the orbits of a chain of canonical forms.
fn moves_along_orbits<S: Space>(space: &S, start: S::State, chain: &[S::State]) -> Vec<u16> {
    let mut state = start;
    let step = |&next: &S::State| {
        let found = space.successors(state, None, |by, to| {
            if space.canonical(to).0 == next {
                ControlFlow::Break((by, to))
            } else {
                ControlFlow::Continue(())
            }
        });
        let (by, to) = found.break_value().expect("a move to the next orbit");
        state = to;
        by
    };
    chain[1..].iter().map(step).collect()
}
