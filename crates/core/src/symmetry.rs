//! Symmetry reduction: searching one state of all that are images of one another. With a mirror it
//! takes about half the time and memory, with the eight symmetries of a square about an eighth.
//!
//! A space that is [`Symmetric`] is searched as [`Folded`]: each state is replaced by its canonical
//! form, the least of its images. The search returns a chain of canonical forms, and [`unfold`]
//! converts it to a chain of states of the original space. Every state and its canonical form have
//! the same distance to the goals. The number of states differs: [`Symmetric::orbit`] lists those
//! that a canonical form stands for. All of them are reached if the images of the initial states are
//! initial states, too.
//!
//! ```
//! use std::ops::ControlFlow;
//! use fewest_core::symmetry::{Folded, unfold};
//! use fewest_core::{StateSpace, Symmetric, search::Search};
//!
//! /// From one corner of 4x4 cells to the opposite one. A state is `4 * row + column`.
//! struct Corners;
//!
//! impl StateSpace for Corners {
//!     type State = u32;
//!     type Move = ();
//!     fn initial(&self, mut emit: impl FnMut(u32)) {
//!         emit(0)
//!     }
//!     fn is_goal(&self, cell: u32) -> bool {
//!         cell == 15
//!     }
//!     fn successors<B>(
//!         &self,
//!         cell: u32,
//!         _last: Option<()>,
//!         mut emit: impl FnMut((), u32) -> ControlFlow<B>,
//!     ) -> ControlFlow<B> {
//!         if cell % 4 < 3 {
//!             emit((), cell + 1)?;
//!         }
//!         if cell < 12 { emit((), cell + 4) } else { ControlFlow::Continue(()) }
//!     }
//! }
//!
//! /// The mirror image exchanges rows and columns.
//! impl Symmetric for Corners {
//!     fn image(&self, cell: u32, _symmetry: u32) -> u32 {
//!         cell % 4 * 4 + cell / 4
//!     }
//!     fn image_of_move(&self, (): (), _symmetry: u32) {}
//! }
//!
//! let outcome = Search::new(&Folded::new(&Corners)).run();
//! // 15 states have a depth below 6, and 9 of them are canonical.
//! assert_eq!(outcome.stats.expanded, 9);
//! let plan = unfold(&Corners, outcome.optimal().unwrap()).unwrap();
//! assert_eq!((plan.len(), plan[0], plan[6]), (7, 0, 15));
//! ```

use std::ops::ControlFlow;

use crate::space::cost::{self, CostRange, Costs};
use crate::space::{Goals, Predecessors, Pruning, Ranked, StateSpace, cheapest_move};

/// A space with a group of symmetries: bijections of the states that preserve moves and goals, such
/// as a mirror, or the eight symmetries of a square. With two symmetries, their composition and
/// their inverses are in the group.
///
/// State `b` is a successor of `a` if and only if the image of `b` is a successor of the image of
/// `a`, and the move costs as much. A state is a goal if and only if its image is.
/// [`check::symmetry`](crate::check::symmetry) tests it.
///
/// The symmetries are numbered from 0, which is the identity. The methods get numbers from 1.
pub trait Symmetric: StateSpace {
    /// The number of symmetries, with the identity. The default, 2, is that of a mirror, which is
    /// number 1.
    #[inline]
    fn order(&self) -> u32 {
        2
    }

    /// The image of a state under a symmetry.
    fn image(&self, state: Self::State, symmetry: u32) -> Self::State;

    /// The image of a move: if `by` leads from `a` to `b`, its image leads from the image of `a` to
    /// the image of `b`.
    fn image_of_move(&self, by: Self::Move, symmetry: u32) -> Self::Move;

    /// The canonical form of a state, which is the least of its images, and the first symmetry that
    /// maps the state to it. The default computes all images.
    #[inline]
    fn canonical(&self, state: Self::State) -> (Self::State, u32) {
        (1..self.order()).fold((state, 0), |least, symmetry| {
            let image = self.image(state, symmetry);
            if image < least.0 { (image, symmetry) } else { least }
        })
    }

    /// Emits the same moves as [`successors`](StateSpace::successors), each with the
    /// [canonical form](Self::canonical) of the state that it leads to, and between them the image of
    /// the move under the symmetry that maps the state to that form. Override it if the images of a
    /// successor can be computed from those of `state` at a lower cost.
    #[inline]
    fn canonical_successors<B>(
        &self,
        state: Self::State,
        last: Option<Self::Move>,
        mut emit: impl FnMut(Self::Move, Self::Move, Self::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.successors(state, last, |by, next| {
            let (canonical, symmetry) = self.canonical(next);
            let image = if symmetry == 0 { by } else { self.image_of_move(by, symmetry) };
            emit(by, image, canonical)
        })
    }

    /// The images of a state, each once, in ascending order: its orbit. The first one is the
    /// canonical form.
    fn orbit(&self, state: Self::State) -> Vec<Self::State> {
        let images = (1..self.order()).map(|symmetry| self.image(state, symmetry));
        let mut orbit: Vec<_> = images.chain([state]).collect();
        orbit.sort_unstable();
        orbit.dedup();
        orbit
    }

    /// The number of states in the orbit of a state. The default computes all images.
    fn orbit_size(&self, state: Self::State) -> u32 {
        let is_fixed = |&symmetry: &u32| self.image(state, symmetry) == state;
        // As many symmetries lead from the state to each of the others as to itself.
        let fixed = (1..self.order()).filter(is_fixed).count() as u32 + 1;
        self.order() / fixed
    }
}

/// The space of the canonical forms of a [`Symmetric`] space. Every search accepts it.
#[derive(Clone, Copy, Debug)]
pub struct Folded<'a, S>(&'a S);

impl<'a, S: Symmetric> Folded<'a, S> {
    /// The canonical forms of the states of `space`.
    pub fn new(space: &'a S) -> Self {
        Self(space)
    }
}

impl<S: Symmetric> StateSpace for Folded<'_, S> {
    type State = S::State;
    type Move = S::Move;

    // Folding may merge the previous state with another successor, which is then omitted as well.
    // So `Inverse` becomes `TwoStep`.
    const PRUNING: Pruning<S::Move> = match S::PRUNING {
        Pruning::PathDependent => Pruning::PathDependent,
        Pruning::TwoStep(tags) | Pruning::Inverse(tags) => Pruning::TwoStep(tags),
    };

    const COSTS: Costs<Self> = match S::COSTS {
        Costs::Unit => Costs::Unit,
        Costs::ByMove { .. } => Costs::ByMove {
            cost: |space, state, by| cost::of(space.0, state, by),
            range: |space| CostRange::of(space.0),
        },
    };

    fn state_bits(&self) -> u32 {
        self.0.state_bits()
    }

    fn expected_states(&self) -> usize {
        self.0.expected_states() / self.0.order().max(1) as usize
    }

    fn is_graded(&self) -> bool {
        self.0.is_graded()
    }

    fn initial(&self, mut emit: impl FnMut(S::State)) {
        self.0.initial(|state| emit(self.0.canonical(state).0));
    }

    #[inline]
    fn is_goal(&self, state: S::State) -> bool {
        self.0.is_goal(state)
    }

    /// Emits the moves of the canonical form `state`. A move whose successor is replaced by an
    /// image is replaced by that image, too, unless moves have costs: those are known for the moves
    /// of `state`, which then must not be pruned.
    #[inline]
    fn successors<B>(
        &self,
        state: S::State,
        last: Option<S::Move>,
        mut emit: impl FnMut(S::Move, S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let is_unit = const { Self::COSTS.are_unit() };
        // What depends on the path may be pruned after a move and not after its image.
        let is_pruned = const { Self::COSTS.are_unit() && S::PRUNING.tags().is_some() };
        self.0.canonical_successors(state, last.filter(|_| is_pruned), |by, image, canonical| {
            emit(if is_unit { image } else { by }, canonical)
        })
    }
}

/// The predecessors of a canonical form are the canonical forms of its predecessors, because the
/// image of a predecessor precedes the image.
impl<S: Symmetric + Predecessors> Predecessors for Folded<'_, S> {
    const UNDIRECTED: bool = S::UNDIRECTED;

    fn is_undirected(&self) -> bool {
        self.0.is_undirected()
    }

    #[inline]
    fn predecessors<B>(
        &self,
        state: S::State,
        mut emit: impl FnMut(S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if S::UNDIRECTED {
            self.successors(state, None, |_, next| emit(next))
        } else {
            self.0.predecessors(state, |before| emit(self.0.canonical(before).0))
        }
    }

    /// Two predecessors may have the same canonical form, and each its own cost.
    #[inline]
    fn predecessors_with_costs<B>(
        &self,
        state: S::State,
        mut emit: impl FnMut(u32, S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.predecessors_with_costs(state, |cost, before| emit(cost, self.0.canonical(before).0))
    }
}

/// The image of a goal is a goal, so the goals that are canonical forms represent all others.
impl<S: Symmetric + Goals> Goals for Folded<'_, S> {
    fn goals(&self, mut emit: impl FnMut(S::State)) {
        self.0.goals(|goal| {
            if self.0.canonical(goal).0 == goal {
                emit(goal);
            }
        });
    }
}

/// A canonical form has the same rank as in the space that is folded. The ranks of all other states
/// stay unused.
impl<S: Symmetric + Ranked> Ranked for Folded<'_, S> {
    fn ranks(&self) -> Option<u64> {
        self.0.ranks()
    }

    #[inline]
    fn rank(&self, state: S::State) -> u64 {
        self.0.rank(state)
    }

    #[inline]
    fn unrank(&self, rank: u64) -> S::State {
        self.0.unrank(rank)
    }
}

/// Converts a chain of canonical forms, as a search of [`Folded`] returns it, to a chain of states
/// of `space`. The chain starts at the first initial state with the first canonical form. Each
/// further state is the one with the next canonical form to which the first of the cheapest moves
/// leads. `None` if there is no such state.
///
/// Time: one expansion per move.
pub fn unfold<S: Symmetric>(space: &S, chain: &[S::State]) -> Option<Vec<S::State>> {
    let (&first, mut start) = (chain.first()?, None);
    space.initial(|state| start = start.or((space.canonical(state).0 == first).then_some(state)));
    unfold_from(space, start?, chain)
}

/// As [`unfold`] from a state of `space`, for a search that does not start at the
/// [initial](StateSpace::initial) ones. `None` also if the chain does not begin with the canonical
/// form of `start`.
pub fn unfold_from<S: Symmetric>(
    space: &S,
    start: S::State,
    chain: &[S::State],
) -> Option<Vec<S::State>> {
    let (&first, rest) = chain.split_first()?;
    if space.canonical(start).0 != first {
        return None;
    }
    let mut current = start;
    let mut unfolded = vec![current];
    for &next in rest {
        current = cheapest_move(space, current, |to| space.canonical(to).0 == next)?.to;
        unfolded.push(current);
    }
    Some(unfolded)
}
