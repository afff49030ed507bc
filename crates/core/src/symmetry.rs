//! Symmetry reduction: searching one state of each pair of mirror images, which takes about half
//! the time and memory.
//!
//! A space that is [`Symmetric`] is searched as [`Folded`]: each state is replaced by its canonical
//! form, the lesser of the state and its mirror image. The search returns a chain of canonical
//! forms, and [`unfold`] converts it to a chain of states of the original space. Every state and
//! its canonical form have the same distance to the goals. The number of states differs.
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
//!     fn image(&self, cell: u32) -> u32 {
//!         cell % 4 * 4 + cell / 4
//!     }
//!     fn image_of_move(&self, (): ()) {}
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

/// A space with a mirror symmetry: an involution on the states that preserves moves and goals.
///
/// State `b` is a successor of `a` if and only if the image of `b` is a successor of the image of
/// `a`, and the move costs as much. A state is a goal if and only if its image is.
pub trait Symmetric: StateSpace {
    /// The mirror image of a state: `image(image(state)) == state`.
    fn image(&self, state: Self::State) -> Self::State;

    /// The mirror image of a move: if `by` leads from `a` to `b`, its image leads from the image of
    /// `a` to the image of `b`.
    fn image_of_move(&self, by: Self::Move) -> Self::Move;

    /// Emits the same moves and states as [`successors`](StateSpace::successors), each with the
    /// image of the state as the third argument. The default calls [`image`](Self::image). Override
    /// it if the image of a successor can be computed from the image of `state` at a lower cost.
    #[inline]
    fn successors_and_images<B>(
        &self,
        state: Self::State,
        last: Option<Self::Move>,
        mut emit: impl FnMut(Self::Move, Self::State, Self::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.successors(state, last, |by, next| emit(by, next, self.image(next)))
    }
}

/// The canonical form of a state: the lesser of the state and its image.
#[inline]
pub fn canonical<S: Symmetric>(space: &S, state: S::State) -> S::State {
    state.min(space.image(state))
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
        self.0.expected_states() / 2
    }

    fn is_graded(&self) -> bool {
        self.0.is_graded()
    }

    fn initial(&self, mut emit: impl FnMut(S::State)) {
        self.0.initial(|state| emit(canonical(self.0, state)));
    }

    #[inline]
    fn is_goal(&self, state: S::State) -> bool {
        self.0.is_goal(state)
    }

    /// Emits the moves of the canonical form `state`. A move whose successor is replaced by its
    /// image is replaced by its image, too, unless moves have costs: those are known for the moves
    /// of `state`, which then must not be pruned.
    #[inline]
    fn successors<B>(
        &self,
        state: S::State,
        last: Option<S::Move>,
        mut emit: impl FnMut(S::Move, S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let is_unit = const { Self::COSTS.are_unit() };
        self.0.successors_and_images(state, last.filter(|_| is_unit), |by, next, image| {
            // The comparison is unpredictable. With both results computed in advance, it compiles
            // to conditional moves instead of a branch.
            let mirrored = if is_unit { self.0.image_of_move(by) } else { by };
            let (by, canonical) = if next <= image { (by, next) } else { (mirrored, image) };
            emit(by, canonical)
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
            self.0.predecessors(state, |before| emit(canonical(self.0, before)))
        }
    }

    /// Two predecessors may have the same canonical form, and each its own cost.
    #[inline]
    fn predecessors_with_costs<B>(
        &self,
        state: S::State,
        mut emit: impl FnMut(u32, S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.predecessors_with_costs(state, |cost, before| emit(cost, canonical(self.0, before)))
    }
}

/// The image of a goal is a goal, so the goals that are canonical forms represent all others.
impl<S: Symmetric + Goals> Goals for Folded<'_, S> {
    fn goals(&self, mut emit: impl FnMut(S::State)) {
        self.0.goals(|goal| {
            if canonical(self.0, goal) == goal {
                emit(goal);
            }
        });
    }
}

/// A canonical form has its rank in the underlying space, so about half of the ranks are unused.
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
    let (&first, rest) = chain.split_first()?;
    let mut start = None;
    space.initial(|state| start = start.or((canonical(space, state) == first).then_some(state)));
    let mut current = start?;
    let mut unfolded = vec![current];
    for &next in rest {
        current = cheapest_move(space, current, |to| canonical(space, to) == next)?.to;
        unfolded.push(current);
    }
    Some(unfolded)
}
