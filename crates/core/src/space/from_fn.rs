//! State spaces from closures.

use std::ops::ControlFlow;

use crate::space::cost::{CostRange, Costs};
use crate::space::{Goals, Predecessors, Ranked, StateSpace};
use crate::word::Word;

/// A space from closures: its initial states, the successors of a state with the moves that lead to
/// them, and the goal test.
///
/// The methods of [`FromFn`] add what else is known of the space. A type that implements
/// [`StateSpace`] can do more: prune moves, and break an expansion without computing the rest of it.
///
/// ```
/// use fewest_core::search::Search;
/// use fewest_core::space::from_fn;
///
/// // From 1 to 10 by adding 1 or doubling.
/// let numbers = from_fn([1_u32], |n| [('+', n + 1), ('*', 2 * n)], |n| n == 10);
/// let outcome = Search::new(&numbers).run();
/// assert_eq!(outcome.optimal(), Some(&vec![1, 2, 4, 5, 10]));
///
/// // Ten switches, and a goal with five of them on: a search from both sides, with a bit for each
/// // state.
/// let flip = |on: u32| (0..10).map(move |switch| (switch, on ^ 1 << switch));
/// let switches = from_fn([0_u32], flip, |on| on == 31)
///     .undirected()
///     .with_goals([31])
///     .with_ranks(1 << 10, |on| on.into(), |rank| rank as u32);
/// let from_one_side = Search::new(&switches).run();
/// let from_both = Search::new(&switches).predecessors().goals().ranked().run();
/// assert_eq!((from_one_side.cost(), from_both.cost()), (Some(5), Some(5)));
/// assert!(2 * from_both.stats.expanded < from_one_side.stats.expanded);
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
    FromFn {
        initial: initial.into_iter().collect(),
        successors,
        is_goal,
        predecessors: Unknown,
        goals: Unknown,
        ranks: Unknown,
        costs: EachOne,
        facts: Facts { is_graded: false, state_bits: W::BITS, expected_states: 0 },
    }
}

/// The space that [`from_fn`] returns. `P`, `L` and `R` are what is known of predecessors, goals
/// and ranks, and `C` of costs.
#[derive(Clone, Debug)]
pub struct FromFn<W, F, G, P = Unknown, L = Unknown, R = Unknown, C = EachOne> {
    initial: Vec<W>,
    successors: F,
    is_goal: G,
    predecessors: P,
    goals: L,
    ranks: R,
    costs: C,
    facts: Facts,
}

/// What a space without a type of its own returns from its methods.
#[derive(Clone, Copy, Debug)]
struct Facts {
    is_graded: bool,
    state_bits: u32,
    expected_states: usize,
}

/// Nothing is known of the predecessors, goals or ranks of a [`FromFn`].
#[derive(Clone, Copy, Debug)]
pub struct Unknown;

/// Each move of a [`FromFn`] can be undone by a move.
#[derive(Clone, Copy, Debug)]
pub struct Undirected;

/// The predecessors of a [`FromFn`], from a closure.
#[derive(Clone, Copy, Debug)]
pub struct PredecessorsFn<B>(B);

/// The goals of a [`FromFn`].
#[derive(Clone, Debug)]
pub struct GoalList<W>(Vec<W>);

/// The ranks of a [`FromFn`], from closures.
#[derive(Clone, Copy, Debug)]
pub struct RankFns<A, B> {
    ranks: u64,
    rank: A,
    unrank: B,
}

/// Each move of a [`FromFn`] costs 1.
#[derive(Clone, Copy, Debug)]
pub struct EachOne;

/// The costs of the moves of a [`FromFn`], from a closure.
#[derive(Clone, Copy, Debug)]
pub struct CostFn<T> {
    range: CostRange,
    cost: T,
}

/// What the moves of a [`FromFn`] cost.
pub trait MoveCosts<W, M>: Sync {
    /// Whether every move costs 1.
    const ARE_UNIT: bool;

    /// The costs that moves can have.
    fn range(&self) -> CostRange {
        CostRange::UNIT
    }

    /// The cost of a move from a state.
    fn cost(&self, _: W, _: M) -> u32 {
        1
    }
}

impl<W, M> MoveCosts<W, M> for EachOne {
    const ARE_UNIT: bool = true;
}

impl<W, M, T: Fn(W, M) -> u32 + Sync> MoveCosts<W, M> for CostFn<T> {
    const ARE_UNIT: bool = false;

    fn range(&self) -> CostRange {
        self.range
    }

    #[inline]
    fn cost(&self, state: W, by: M) -> u32 {
        (self.cost)(state, by)
    }
}

impl<W: Word, F, G, P, L, R, C> FromFn<W, F, G, P, L, R, C> {
    /// Promises that the space is [graded](StateSpace::is_graded).
    /// [`check::graded`](crate::check::graded) tests it.
    #[must_use]
    pub fn graded(self) -> Self {
        Self { facts: Facts { is_graded: true, ..self.facts }, ..self }
    }

    /// Promises that only the lowest `state_bits` bits of a state
    /// [can be set](StateSpace::state_bits).
    #[must_use]
    pub fn with_state_bits(self, state_bits: u32) -> Self {
        Self { facts: Facts { state_bits, ..self.facts }, ..self }
    }

    /// Estimates the number of states that a search
    /// [generates](StateSpace::expected_states).
    #[must_use]
    pub fn with_expected_states(self, expected_states: usize) -> Self {
        Self { facts: Facts { expected_states, ..self.facts }, ..self }
    }

    /// Promises that each move can be undone by one move.
    /// [`check::predecessors`](crate::check::predecessors) tests it.
    #[must_use]
    pub fn undirected(self) -> FromFn<W, F, G, Undirected, L, R, C> {
        let Self { initial, successors, is_goal, goals, ranks, costs, facts, .. } = self;
        let predecessors = Undirected;
        FromFn { initial, successors, is_goal, predecessors, goals, ranks, costs, facts }
    }

    /// Lists the states from which one move leads to a state.
    /// [`check::predecessors`](crate::check::predecessors) tests it.
    #[must_use]
    pub fn with_predecessors<B, N>(
        self,
        predecessors: B,
    ) -> FromFn<W, F, G, PredecessorsFn<B>, L, R, C>
    where
        B: Fn(W) -> N,
        N: IntoIterator<Item = W>,
    {
        let Self { initial, successors, is_goal, goals, ranks, costs, facts, .. } = self;
        let predecessors = PredecessorsFn(predecessors);
        FromFn { initial, successors, is_goal, predecessors, goals, ranks, costs, facts }
    }

    /// Lists the goals: exactly the states for which the goal test is true, each once.
    /// [`check::goals`](crate::check::goals) tests it.
    #[must_use]
    pub fn with_goals(
        self,
        goals: impl IntoIterator<Item = W>,
    ) -> FromFn<W, F, G, P, GoalList<W>, R, C> {
        let Self { initial, successors, is_goal, predecessors, ranks, costs, facts, .. } = self;
        let goals = GoalList(goals.into_iter().collect());
        FromFn { initial, successors, is_goal, predecessors, goals, ranks, costs, facts }
    }

    /// Numbers the states: `rank` is below `ranks` and different for different states, and `unrank`
    /// is its inverse. [`check::ranks`](crate::check::ranks) tests it.
    #[must_use]
    pub fn with_ranks<A, B>(
        self,
        ranks: u64,
        rank: A,
        unrank: B,
    ) -> FromFn<W, F, G, P, L, RankFns<A, B>, C>
    where
        A: Fn(W) -> u64,
        B: Fn(u64) -> W,
    {
        let Self { initial, successors, is_goal, predecessors, goals, costs, facts, .. } = self;
        let ranks = RankFns { ranks, rank, unrank };
        FromFn { initial, successors, is_goal, predecessors, goals, ranks, costs, facts }
    }

    /// Says what a move from a state [costs](crate::space::cost).
    #[must_use]
    pub fn with_costs<M, T>(self, range: CostRange, cost: T) -> FromFn<W, F, G, P, L, R, CostFn<T>>
    where
        T: Fn(W, M) -> u32,
    {
        let Self { initial, successors, is_goal, predecessors, goals, ranks, facts, .. } = self;
        let costs = CostFn { range, cost };
        FromFn { initial, successors, is_goal, predecessors, goals, ranks, costs, facts }
    }
}

impl<W, M, N, F, G, P, L, R, C> StateSpace for FromFn<W, F, G, P, L, R, C>
where
    W: Word,
    M: Copy + Send + Sync,
    F: Fn(W) -> N + Sync,
    N: IntoIterator<Item = (M, W)>,
    G: Fn(W) -> bool + Sync,
    P: Sync,
    L: Sync,
    R: Sync,
    C: MoveCosts<W, M>,
{
    type State = W;
    type Move = M;

    const COSTS: Costs<Self> = if C::ARE_UNIT {
        Costs::Unit
    } else {
        Costs::ByMove {
            cost: |space, state, by| space.costs.cost(state, by),
            range: |space| space.costs.range(),
        }
    };

    fn state_bits(&self) -> u32 {
        self.facts.state_bits
    }

    fn expected_states(&self) -> usize {
        self.facts.expected_states
    }

    fn is_graded(&self) -> bool {
        self.facts.is_graded
    }

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

impl<W: Word, F, G, L, R, C> Predecessors for FromFn<W, F, G, Undirected, L, R, C>
where
    Self: StateSpace<State = W>,
{
    const UNDIRECTED: bool = true;
}

impl<W: Word, F, G, B, N, L, R, C> Predecessors for FromFn<W, F, G, PredecessorsFn<B>, L, R, C>
where
    Self: StateSpace<State = W>,
    B: Fn(W) -> N,
    N: IntoIterator<Item = W>,
{
    #[inline]
    fn predecessors<T>(&self, state: W, emit: impl FnMut(W) -> ControlFlow<T>) -> ControlFlow<T> {
        (self.predecessors.0)(state).into_iter().try_for_each(emit)
    }
}

impl<W: Word, F, G, P, R, C> Goals for FromFn<W, F, G, P, GoalList<W>, R, C>
where
    Self: StateSpace<State = W>,
{
    fn goals(&self, emit: impl FnMut(W)) {
        self.goals.0.iter().copied().for_each(emit);
    }
}

impl<W: Word, F, G, P, L, A, B, C> Ranked for FromFn<W, F, G, P, L, RankFns<A, B>, C>
where
    Self: StateSpace<State = W>,
    A: Fn(W) -> u64,
    B: Fn(u64) -> W,
{
    fn ranks(&self) -> Option<u64> {
        Some(self.ranks.ranks)
    }

    #[inline]
    fn rank(&self, state: W) -> u64 {
        (self.ranks.rank)(state)
    }

    #[inline]
    fn unrank(&self, rank: u64) -> W {
        (self.ranks.unrank)(rank)
    }
}
