//! State spaces from closures.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::budget::Budget;
use crate::space::StateSpace;
use crate::word::Word;

/// A space from closures: its initial states, the successors of a state with the moves that lead to
/// them, and the goal test.
///
/// A type that implements [`StateSpace`] can do more: prune moves, and break an expansion without
/// computing the rest of it.
///
/// ```
/// use fewest_core::search::bfs;
/// use fewest_core::space::from_fn;
/// use fewest_core::{budget::Budget, visited::Table};
///
/// // From 1 to 10 by adding 1 or doubling.
/// let numbers = from_fn([1_u32], |n| [('+', n + 1), ('*', 2 * n)], |n| n == 10);
/// let outcome = bfs::search::<Table<_>, _>(&numbers, &Budget::unlimited());
/// assert_eq!(outcome.optimal(), Some(&vec![1, 2, 4, 5, 10]));
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

/// The same as [`from_fn`], with successors that can fail: they ask a process, a file or another
/// language.
///
/// ```
/// use fewest_core::search::bfs;
/// use fewest_core::space::try_from_fn;
/// use fewest_core::{budget::Budget, visited::Table};
///
/// // Numbers in steps of 100, in a type that ends at 255.
/// let step = |n: u8| n.checked_add(100).map(|next| [((), next)]).ok_or("too large");
/// let moves_to = |goal| {
///     let numbers = try_from_fn([0], step, move |n| n == goal);
///     numbers.search(&Budget::unlimited(), |space, budget| {
///         bfs::search::<Table<_>, _>(space, budget).moves()
///     })
/// };
/// assert_eq!(moves_to(200), Ok(Some(2)));
/// assert_eq!(moves_to(250), Err("too large"));
/// ```
pub fn try_from_fn<W: Word, N, E, F, G>(
    initial: impl IntoIterator<Item = W>,
    successors: F,
    is_goal: G,
) -> TryFromFn<W, F, G>
where
    F: Fn(W) -> Result<N, E>,
    N: IntoIterator,
    G: Fn(W) -> bool,
{
    TryFromFn(FromFn { initial: initial.into_iter().collect(), successors, is_goal })
}

/// What [`try_from_fn`] returns. It is no [`StateSpace`], so that no failure can be overlooked;
/// [`search`](Self::search) lends one.
#[derive(Clone, Debug)]
pub struct TryFromFn<W, F, G>(FromFn<W, F, G>);

impl<W, F, G> TryFromFn<W, F, G> {
    /// Calls `search` with a space and with the budget that it has to use: the first error of
    /// `successors` cancels it, so that the search stops the next time it reads the clock.
    ///
    /// # Errors
    /// The first error of `successors`. The result of `search` is dropped then.
    pub fn search<M, N, E, T>(
        &self,
        budget: &Budget,
        search: impl FnOnce(&UntilError<'_, W, F, G, E>, &Budget) -> T,
    ) -> Result<T, E>
    where
        F: Fn(W) -> Result<N, E>,
        N: IntoIterator<Item = (M, W)>,
    {
        let failed = Arc::<AtomicBool>::default();
        let budget = budget.clone().cancelled_by(Arc::clone(&failed));
        let space = UntilError { space: &self.0, error: OnceLock::new(), failed };
        let result = search(&space, &budget);
        space.error.into_inner().map_or(Ok(result), Err)
    }
}

/// The space that [`TryFromFn::search`] lends. A state whose successors fail has none.
#[derive(Debug)]
pub struct UntilError<'a, W, F, G, E> {
    space: &'a FromFn<W, F, G>,
    error: OnceLock<E>,
    failed: Arc<AtomicBool>,
}

impl<W, M, N, E, F, G> StateSpace for UntilError<'_, W, F, G, E>
where
    W: Word,
    M: Copy + Send + Sync,
    E: Send + Sync,
    F: Fn(W) -> Result<N, E> + Sync,
    N: IntoIterator<Item = (M, W)>,
    G: Fn(W) -> bool + Sync,
{
    type State = W;
    type Move = M;

    fn initial(&self, emit: impl FnMut(W)) {
        self.space.initial.iter().copied().for_each(emit);
    }

    #[inline]
    fn is_goal(&self, state: W) -> bool {
        (self.space.is_goal)(state)
    }

    #[inline]
    fn successors<B>(
        &self,
        state: W,
        _: Option<M>,
        mut emit: impl FnMut(M, W) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match (self.space.successors)(state) {
            Ok(successors) => successors.into_iter().try_for_each(|(by, next)| emit(by, next)),
            Err(error) => {
                // Only the first error is kept.
                let _ = self.error.set(error);
                self.failed.store(true, Ordering::Relaxed);
                ControlFlow::Continue(())
            }
        }
    }
}
