//! State spaces from closures.

use std::ops::ControlFlow;

use crate::space::StateSpace;
use crate::word::Word;

/// A space from closures: its initial states, the successors of a state with the moves that lead to
/// them, and the goal test.
///
/// A type that implements [`StateSpace`] can do more: prune moves, and break an expansion without
/// computing the rest of it.
///
/// ```
/// use fewest_core::search::Search;
/// use fewest_core::space::from_fn;
///
/// // From 1 to 10 by adding 1 or doubling.
/// let numbers = from_fn([1_u32], |n| [('+', n + 1), ('*', 2 * n)], |n| n == 10);
/// let outcome = Search::new(&numbers).run()?;
/// assert_eq!(outcome.optimal(), Some(&vec![1, 2, 4, 5, 10]));
/// # Ok::<(), fewest_core::search::Unsupported>(())
/// ```
pub fn from_fn<W: Word, N, F, G>(
    initial: impl IntoIterator<Item = W>,
    successors: F,
    is_goal: G,
) -> FromFn<W, F, G>
where
    F: Fn(W) -> N,
    N: IntoIterator,
    G: Fn(W) -> bool,
{
    FromFn { initial: initial.into_iter().collect(), successors, is_goal }
}

/// The space that [`from_fn`] returns.
#[derive(Clone, Debug)]
pub struct FromFn<W, F, G> {
    initial: Vec<W>,
    successors: F,
    is_goal: G,
}

impl<W, M, N, F, G> StateSpace for FromFn<W, F, G>
where
    W: Word,
    M: Copy + Send + Sync,
    F: Fn(W) -> N + Sync,
    N: IntoIterator<Item = (M, W)>,
    G: Fn(W) -> bool + Sync,
{
    type State = W;
    type Move = M;

    fn initial(&self, emit: impl FnMut(W)) {
        self.initial.iter().copied().for_each(emit);
    }

    #[inline]
    fn is_goal(&self, state: W) -> bool {
        (self.is_goal)(state)
    }

    #[inline]
    fn successors<B>(
        &self,
        state: W,
        _: Option<M>,
        mut emit: impl FnMut(M, W) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        (self.successors)(state).into_iter().try_for_each(|(by, next)| emit(by, next))
    }
}
