//! The seam between spaces and layered searches.
//!
//! A puzzle writes a [`StateSpace`], which is generic code: its successors are inlined into the
//! loop that generates them. A layered search sees a [`SearchSpace`] behind a `dyn`: it expands a
//! block of states into columns of a [`Batch`], at the cost of one indirect call for hundreds of
//! successors. So the searches, the stores and the checkpoints are compiled for each type of word
//! (see [`compiled!`](crate::compiled)), and [`Erased`] is the only code of a layered search that
//! is compiled for each space.

use std::fmt;
use std::ops::ControlFlow;

use crate::expansion::{Breaks, IGNORED_BREAK};
use crate::space::cost::{self, CostRange};
use crate::space::{Goals, Predecessors, PruningKind, Ranked, StateSpace, Tags};
use crate::word::{SearchedWord, SearchesByCost, Word};

/// What a search knows of a space before it starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Properties {
    /// Whether every move can be undone by one move.
    pub is_undirected: bool,
    /// As [`StateSpace::is_graded`].
    pub is_graded: bool,
    /// Which successors a state omits if its tag is passed.
    pub pruning: PruningKind,
    /// As [`StateSpace::state_bits`].
    pub state_bits: u32,
    /// As [`StateSpace::expected_states`].
    pub expected_states: usize,
    /// The number of ranks; `None` if the search may not use ranks.
    pub ranks: Option<u64>,
    /// Whether the search may use predecessors.
    pub has_predecessors: bool,
    /// Whether the search may list the goals.
    pub has_goals: bool,
    /// What moves cost. If they do not cost 1 each, batches have a cost for each successor.
    pub costs: CostRange,
}

impl Properties {
    /// A space of states with this many bits, of which nothing else is known: set the fields that
    /// are.
    pub fn new(state_bits: u32) -> Self {
        Self { state_bits, ..Self::default() }
    }

    /// How many of the last layers, the current one included, have states that may be generated
    /// again: `usize::MAX` if all may.
    pub fn repeated_layers(&self) -> usize {
        if !self.costs.is_unit() {
            return usize::MAX;
        }
        match (self.is_undirected, self.is_graded) {
            (true, _) => 2,
            (false, true) => 0,
            (false, false) => usize::MAX,
        }
    }
}

/// Takes a full batch, and empties it. If it breaks, the expansion ends in the middle of a state.
pub type Full<'f, W> = &'f mut dyn FnMut(&mut Batch<W>) -> ControlFlow<()>;

/// A space as a layered search sees it: it expands blocks of states. [`Erased`] makes one of a
/// [`StateSpace`]; a space that is faster by blocks implements it, and is searched by
/// [`LayeredSearch`](crate::search::LayeredSearch).
///
/// ```
/// use fewest_core::search::LayeredSearch;
/// use fewest_core::seam::{Batch, Full, Properties, SearchSpace};
///
/// /// From 1 to 10 by adding 1 or doubling.
/// struct Numbers;
///
/// impl SearchSpace<u32> for Numbers {
///     fn properties(&self) -> Properties {
///         Properties::new(32)
///     }
///     fn initial(&self, emit: &mut dyn FnMut(u32)) {
///         emit(1)
///     }
///     fn successors(
///         &self,
///         states: &[u32],
///         _tags: &[u32],
///         at: &mut usize,
///         out: &mut Batch<u32>,
///         _full: Full<'_, u32>,
///     ) {
///         // The whole block at once.
///         out.extend(states[*at..].iter().map(|n| n + 1));
///         out.extend(states[*at..].iter().map(|n| n * 2));
///         *at = states.len();
///     }
///     fn goals_among(&self, states: &[u32], emit: &mut dyn FnMut(u32)) {
///         states.iter().copied().filter(|&n| n == 10).for_each(emit);
///     }
/// }
///
/// let plan = LayeredSearch::new(&Numbers).run();
/// assert_eq!(plan.optimal(), Some(&vec![1, 2, 4, 5, 10]));
/// ```
pub trait SearchSpace<W: Word>: Sync {
    /// What is known before the search starts.
    fn properties(&self) -> Properties;

    /// Emits every initial state.
    fn initial(&self, emit: &mut dyn FnMut(W));

    /// Emits every goal, each once. Called only if the search
    /// [may list them](Properties::has_goals).
    fn goals(&self, _emit: &mut dyn FnMut(W)) {}

    /// Appends the successors of `states[*at..]` to a batch, and counts `at` up for each state that
    /// is expanded. Returns when all are, or when the batch [has enough](Batch::has_enough). `tags`
    /// are those of the moves that led to the states, or empty. If the batch is full in the middle
    /// of a state, calls `full`; if that breaks, returns, and `at` is the index of this state.
    ///
    /// A space that expands whole blocks [extends](Batch::extend) the batch, which is then never
    /// full, sets `at` to the number of states, and calls nothing. The batch takes what the block
    /// has; that memory is not reserved from the budget.
    fn successors(
        &self,
        states: &[W],
        tags: &[u32],
        at: &mut usize,
        out: &mut Batch<W>,
        full: Full<'_, W>,
    );

    /// The same for predecessors, without tags. A cost is that of the move to the state. Called
    /// only if the search [may use them](Properties::has_predecessors). Without an implementation,
    /// those are the successors, which is right if
    /// [each move can be undone](Properties::is_undirected).
    fn predecessors(&self, states: &[W], at: &mut usize, out: &mut Batch<W>, full: Full<'_, W>) {
        self.successors(states, &[], at, out, full);
    }

    /// Emits the states that are goals.
    fn goals_among(&self, _states: &[W], _emit: &mut dyn FnMut(W)) {}

    /// The least of `states` from which a move of this cost leads to `target`, or `least` if that
    /// is less. Calls `poll` before each expansion, with true, and during long ones with false. If
    /// it breaks, returns.
    ///
    /// Without an implementation, it expands the states once more, each in a block of its own.
    fn least_leading_to(
        &self,
        states: &[W],
        target: W,
        cost: u32,
        mut least: Option<W>,
        poll: &mut dyn FnMut(bool) -> ControlFlow<()>,
    ) -> Option<W> {
        let mut batch = Batch::unlimited();
        for &state in states {
            if least.is_some_and(|least| least <= state) {
                continue;
            }
            if poll(true).is_break() {
                break;
            }
            batch.clear();
            self.successors(&[state], &[], &mut 0, &mut batch, &mut |_| ControlFlow::Break(()));
            if batch.states_and_costs().any(|successor| successor == (target, cost)) {
                least = Some(state);
            }
        }
        least
    }

    /// Writes the rank of each state. Called only if the search [may use them](Properties::ranks).
    fn rank(&self, _states: &[W], _ranks: &mut [u64]) {}

    /// Writes the state of each rank. Called only if the search [may use them](Properties::ranks).
    fn unrank(&self, _ranks: &[u64], _states: &mut [W]) {}

    /// Whether it says where the successors of each state end.
    #[doc(hidden)]
    fn ends_states(&self) -> bool {
        false
    }

    #[doc(hidden)]
    fn searches_by_cost(&self) -> Option<&'static dyn SearchesByCost<W>> {
        (!self.properties().costs.is_unit()).then(W::searches_by_cost)
    }
}

/// The number of successors after which a block ends: they are passed to a store together. Only the
/// successors of one state make a batch larger.
pub(crate) const BATCH: usize = 256;

/// The least room of a batch that has any, in successors. Small, since a search of 38 states takes
/// 7 µs.
const LEAST_ROOM: usize = 64;

/// The most successors of a batch. The memory for them is not booked.
const MAX_BATCH: usize = 1 << 12;

/// Successors, in columns.
///
/// On cache lines of its own, since those of several threads are written to all the time.
#[derive(Debug)]
#[repr(align(128))]
pub struct Batch<W> {
    /// The states. Those from `len` on are room for more.
    states: Vec<W>,
    /// The tags of the moves; empty if the space has none.
    tags: Vec<u32>,
    /// The costs of the moves; empty if each costs 1.
    costs: Vec<u32>,
    has_costs: bool,
    len: usize,
    /// The ranks, as far as they are filled.
    ranks: Vec<u64>,
    /// If wanted: for each expanded state the number of successors up to its last one.
    ends: Option<Vec<u32>>,
    /// Where the successors of the state begin that is expanded.
    open: usize,
    /// The indices of the states that a set found to be new.
    new: Vec<u32>,
    enough: usize,
    max: usize,
}

impl<W: Word> Default for Batch<W> {
    fn default() -> Self {
        Self {
            states: Vec::new(),
            tags: Vec::new(),
            costs: Vec::new(),
            has_costs: false,
            len: 0,
            ranks: Vec::new(),
            ends: None,
            open: 0,
            new: Vec::new(),
            enough: BATCH,
            max: MAX_BATCH,
        }
    }
}

impl<W: Word> Batch<W> {
    /// An empty batch of any size, which also has the [ends](Self::ends).
    pub(crate) fn with_ends() -> Self {
        Self { ends: Some(Vec::new()), max: usize::MAX, ..Self::default() }
    }

    /// A batch of any size that takes the successors of one state.
    pub(crate) fn unlimited() -> Self {
        Self { max: usize::MAX, ..Self::default() }
    }

    /// The states.
    #[inline]
    pub fn states(&self) -> &[W] {
        &self.states[..self.len]
    }

    /// The tag of each state; empty if there are none.
    #[inline]
    pub fn tags(&self) -> &[u32] {
        &self.tags[..self.len.min(self.tags.len())]
    }

    /// The cost of each move; empty if each costs 1.
    #[inline]
    pub fn costs(&self) -> &[u32] {
        &self.costs[..self.len.min(self.costs.len())]
    }

    /// The states, each with the cost of its move.
    #[inline]
    pub(crate) fn states_and_costs(&self) -> impl Iterator<Item = (W, u32)> + '_ {
        let costs = self.costs().iter().copied().chain(std::iter::repeat(1));
        self.states().iter().copied().zip(costs)
    }

    /// The rank of each state, if they are filled.
    #[inline]
    pub fn ranks(&self) -> &[u64] {
        &self.ranks[..self.len.min(self.ranks.len())]
    }

    /// For each expanded state the number of successors up to its last one, if wanted.
    pub(crate) fn ends(&self) -> &[u32] {
        self.ends.as_deref().unwrap_or_default()
    }

    /// The number of states.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no states.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a space returns after the state that it expands.
    #[inline]
    pub fn has_enough(&self) -> bool {
        self.len >= self.enough
    }

    /// Removes all states.
    #[inline]
    pub fn clear(&mut self) {
        (self.len, self.open) = (0, 0);
        if let Some(ends) = &mut self.ends {
            ends.clear();
        }
    }

    /// The number of states of the state that is expanded, and whether there are others.
    pub(crate) fn open_states(&self) -> (usize, bool) {
        (self.len - self.open, self.open > 0)
    }

    /// Removes states at the beginning.
    pub(crate) fn drop_first(&mut self, count: usize) {
        self.states.copy_within(count..self.len, 0);
        if !self.tags.is_empty() {
            self.tags.copy_within(count..self.len, 0);
        }
        if !self.costs.is_empty() {
            self.costs.copy_within(count..self.len, 0);
        }
        self.len -= count;
        self.open = self.open.saturating_sub(count);
    }

    /// Appends the successors of a block, without tags; each move costs 1.
    pub fn extend(&mut self, states: impl IntoIterator<Item = W>) {
        if !self.costs().is_empty() {
            return self.extend_with_costs(states.into_iter().map(|state| (state, 1)));
        }
        self.states.truncate(self.len);
        self.states.extend(states);
        self.len = self.states.len();
        self.tags.clear();
        self.costs.clear();
    }

    /// The same with the cost of the move to each.
    pub fn extend_with_costs(&mut self, successors: impl IntoIterator<Item = (W, u32)>) {
        self.states.truncate(self.len);
        // The states before may have none.
        self.costs.resize(self.len, 1);
        for (state, cost) in successors {
            self.states.push(state);
            self.costs.push(cost);
        }
        self.len = self.states.len();
        self.tags.clear();
    }

    /// Removes the tags.
    pub(crate) fn drop_tags(&mut self) {
        self.tags.clear();
    }

    /// Replaces the states, without tags, costs and ranks.
    pub fn set(&mut self, states: &[W]) {
        self.clear();
        self.tags.clear();
        self.costs.clear();
        if self.states.len() < states.len() {
            self.states.resize(states.len(), W::ZERO);
        }
        self.states[..states.len()].copy_from_slice(states);
        self.len = states.len();
    }

    /// The same with the cost of the move to each state.
    pub(crate) fn set_with_costs(&mut self, states: &[W], costs: &[u32]) {
        self.set(states);
        self.costs.extend_from_slice(costs);
    }

    /// Keeps the states for which `keep` is true, with their ranks. `keep` gets a state and its
    /// rank, or 0.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(W, u64) -> bool) {
        let has_ranks = self.ranks.len() >= self.len;
        let mut kept = 0;
        for index in 0..self.len {
            let state = self.states[index];
            let rank = if has_ranks { self.ranks[index] } else { 0 };
            // Unconditional writes: a branch would be unpredictable.
            self.states[kept] = state;
            if has_ranks {
                self.ranks[kept] = rank;
            }
            kept += usize::from(keep(state, rank));
        }
        self.len = kept;
    }

    /// The ranks, to be filled.
    pub(crate) fn ranks_mut(&mut self) -> (&[W], &mut [u64]) {
        if self.ranks.len() < self.len {
            self.ranks.resize(self.states.len(), 0);
        }
        (&self.states[..self.len], &mut self.ranks[..self.len])
    }

    /// The states, the ranks if they are filled, and room for the indices of those that are new.
    #[inline]
    pub(crate) fn for_insertion(&mut self) -> (&[W], &[u64], &mut [u32]) {
        if self.new.len() < self.len {
            self.new.resize(self.states.len(), 0);
        }
        let ranks = self.len.min(self.ranks.len());
        (&self.states[..self.len], &self.ranks[..ranks], &mut self.new[..self.len])
    }

    /// The first `new` states that a set found to be new.
    #[inline]
    pub fn new_states(&self, new: usize) -> impl ExactSizeIterator<Item = W> + '_ {
        self.new[..new].iter().map(|&index| self.states[index as usize])
    }

    /// The tags of the first `new` states that a set found to be new; `None` if there are none.
    #[inline]
    pub(crate) fn new_tags(&self, new: usize) -> Option<impl ExactSizeIterator<Item = u32> + '_> {
        (self.tags.len() >= self.len)
            .then(|| self.new[..new].iter().map(|&index| self.tags[index as usize]))
    }

    /// Adds a state to a batch whose room is used up: makes more room, or passes the states to
    /// `full`. Returns the number of states, or `None` if `full` broke. The caller sets the cost.
    ///
    /// The room begins with many states: state by state, a third of the time of a search of a few
    /// hundred states was spent here.
    #[cold]
    #[inline(never)]
    fn push_full(
        &mut self,
        len: usize,
        state: W,
        tag: Option<u32>,
        full: Full<'_, W>,
    ) -> Option<usize> {
        let mut len = len;
        if len < self.max {
            let room = (2 * len).clamp(LEAST_ROOM.min(self.max), self.max);
            self.states.resize(room, W::ZERO);
            if tag.is_some() {
                self.tags.resize(room, 0);
            }
            if self.has_costs {
                self.costs.resize(room, 0);
            }
        } else {
            self.len = len;
            let flow = full(self);
            self.clear();
            len = 0;
            if flow.is_break() {
                return None;
            }
        }
        self.states[len] = state;
        if let Some(tag) = tag {
            self.tags[len] = tag;
        }
        Some(len + 1)
    }

    /// Prepares the columns for an expansion, and returns the number of states.
    #[inline]
    fn begin(&mut self, has_tags: bool, has_costs: bool) -> usize {
        let states = self.states.len();
        prepare(&mut self.tags, has_tags, states);
        prepare(&mut self.costs, has_costs, states);
        self.has_costs = has_costs;
        self.len
    }

    #[inline]
    fn end_state(&mut self, len: usize) {
        if let Some(ends) = &mut self.ends {
            ends.push(len as u32);
        }
    }
}

/// Makes a column as long as that of the states, or empty.
#[inline]
fn prepare(column: &mut Vec<u32>, is_wanted: bool, states: usize) {
    if is_wanted && column.len() < states {
        column.resize(states, 0);
    } else if !is_wanted {
        column.clear();
    }
}

/// Writes a rank for each state of a block.
type Rank<S> = fn(&S, &[<S as StateSpace>::State], &mut [u64]);
/// Writes a state for each rank of a block.
type Unrank<S> = fn(&S, &[u64], &mut [<S as StateSpace>::State]);
/// As [`SearchSpace::predecessors`].
type ExpandBack<S> = for<'f> fn(
    &S,
    &[<S as StateSpace>::State],
    &mut usize,
    &mut Batch<<S as StateSpace>::State>,
    Full<'f, <S as StateSpace>::State>,
);
type EmitGoals<S> = fn(&S, &mut dyn FnMut(<S as StateSpace>::State));

/// What a search may use of a space, as functions that the methods of a
/// [`Search`](super::Search) set: a type does not tell which traits it implements.
pub(crate) struct Uses<S: StateSpace> {
    ranks: Option<(Option<u64>, Rank<S>, Unrank<S>)>,
    predecessors: Option<ExpandBack<S>>,
    goals: Option<EmitGoals<S>>,
    is_undirected: bool,
}

impl<S: StateSpace> Clone for Uses<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: StateSpace> Copy for Uses<S> {}

impl<S: StateSpace> Default for Uses<S> {
    fn default() -> Self {
        Self { ranks: None, predecessors: None, goals: None, is_undirected: false }
    }
}

/// A [`StateSpace`] as a [`SearchSpace`], with what a search may use of it.
///
/// ```
/// use fewest_core::seam::{Batch, Erased, SearchSpace};
/// use fewest_core::space::from_fn;
///
/// let numbers = from_fn([1_u32], |n| [('+', n + 1), ('*', 2 * n)], |n| n == 10);
/// let space = Erased::new(&numbers);
/// let (mut at, mut batch) = (0, Batch::default());
/// space.successors(&[3, 5], &[], &mut at, &mut batch, &mut |_| unreachable!("there is room"));
/// assert_eq!((at, batch.states()), (2, &[4, 6, 6, 10][..]));
/// ```
pub struct Erased<'a, S: StateSpace> {
    pub(crate) space: &'a S,
    pub(crate) uses: Uses<S>,
}

impl<S: StateSpace> Clone for Erased<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: StateSpace> Copy for Erased<'_, S> {}

impl<S: StateSpace> fmt::Debug for Erased<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Erased").field("properties", &self.properties()).finish()
    }
}

impl<'a, S: StateSpace> Erased<'a, S> {
    /// A space of which a search uses the required methods only.
    pub fn new(space: &'a S) -> Self {
        Self { space, uses: Uses::default() }
    }

    pub(crate) fn with(space: &'a S, uses: Uses<S>) -> Self {
        Self { space, uses }
    }

    /// The search may use the ranks.
    #[must_use]
    pub fn with_ranks(self) -> Self
    where
        S: Ranked,
    {
        Self { uses: self.uses.ranked(self.space), ..self }
    }

    /// The search may use the predecessors.
    #[must_use]
    pub fn with_predecessors(self) -> Self
    where
        S: Predecessors,
    {
        Self { uses: self.uses.predecessors(self.space), ..self }
    }

    /// The search may use the list of goals.
    #[must_use]
    pub fn with_goals(self) -> Self
    where
        S: Goals,
    {
        Self { uses: self.uses.goals(), ..self }
    }
}

impl<S: StateSpace> Uses<S> {
    pub(crate) fn ranked(self, space: &S) -> Self
    where
        S: Ranked,
    {
        fn rank<S: Ranked>(space: &S, states: &[S::State], ranks: &mut [u64]) {
            for (&state, rank) in states.iter().zip(ranks) {
                *rank = space.rank(state);
            }
        }
        fn unrank<S: Ranked>(space: &S, ranks: &[u64], states: &mut [S::State]) {
            for (&rank, state) in ranks.iter().zip(states) {
                *state = space.unrank(rank);
            }
        }
        Self { ranks: Some((space.ranks(), rank::<S>, unrank::<S>)), ..self }
    }

    pub(crate) fn predecessors(self, space: &S) -> Self
    where
        S: Predecessors,
    {
        Self {
            predecessors: Some(predecessors_of_block::<S>),
            is_undirected: space.is_undirected(),
            ..self
        }
    }

    pub(crate) fn goals(self) -> Self
    where
        S: Goals,
    {
        fn emit_goals<S: Goals>(space: &S, emit: &mut dyn FnMut(S::State)) {
            space.goals(emit);
        }
        Self { goals: Some(emit_goals::<S>), ..self }
    }

    pub(crate) fn has_predecessors(&self) -> bool {
        self.predecessors.is_some()
    }

    pub(crate) fn has_goals(&self) -> bool {
        self.goals.is_some()
    }
}

fn predecessors_of_block<S: Predecessors>(
    space: &S,
    states: &[S::State],
    at: &mut usize,
    out: &mut Batch<S::State>,
    full: Full<'_, S::State>,
) {
    if const { S::UNDIRECTED && S::COSTS.are_unit() } {
        // Not compiled a second time.
        Erased::new(space).successors(states, &[], at, out, full);
        out.drop_tags();
        return;
    }
    let (mut len, mut is_over) = (out.begin(false, const { !S::COSTS.are_unit() }), false);
    while let Some(&state) = states.get(*at) {
        out.open = len;
        let mut push = |cost, before| {
            if let Some(slot) = out.states.get_mut(len) {
                *slot = before;
                if const { !S::COSTS.are_unit() }
                    && let Some(slot) = out.costs.get_mut(len)
                {
                    *slot = cost;
                }
                len += 1;
                return ControlFlow::Continue(());
            }
            assert!(!is_over, "{IGNORED_BREAK}");
            match out.push_full(len, before, None, full) {
                Some(now) => {
                    len = now;
                    if const { !S::COSTS.are_unit() } {
                        out.costs[len - 1] = cost;
                    }
                }
                None => (len, is_over) = (usize::MAX, true),
            }
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let flow = if const { S::COSTS.are_unit() } {
            space.predecessors(state, |before| push(1, before))
        } else {
            space.predecessors_with_costs(state, push)
        };
        assert!(flow.is_break() == is_over, "{IGNORED_BREAK}");
        if is_over {
            return;
        }
        *at += 1;
        out.end_state(len);
        if len >= out.enough {
            break;
        }
    }
    out.len = len;
}

/// How layered searches keep moves: not if those have costs, since what a state omits then depends
/// on them.
const fn tags_of<S: StateSpace>() -> Option<Tags<S::Move>> {
    if const { S::COSTS.are_unit() } { S::PRUNING.tags() } else { None }
}

impl<S: StateSpace> SearchSpace<S::State> for Erased<'_, S> {
    fn properties(&self) -> Properties {
        let Uses { ranks, predecessors, goals, is_undirected } = self.uses;
        Properties {
            is_undirected,
            is_graded: self.space.is_graded(),
            pruning: if const { S::COSTS.are_unit() } {
                S::PRUNING.kind()
            } else {
                PruningKind::default()
            },
            state_bits: self.space.state_bits().min(S::State::BITS),
            expected_states: self.space.expected_states(),
            ranks: ranks.and_then(|(ranks, ..)| ranks),
            has_predecessors: predecessors.is_some(),
            has_goals: goals.is_some(),
            costs: CostRange::of(self.space),
        }
    }

    fn initial(&self, emit: &mut dyn FnMut(S::State)) {
        self.space.initial(emit);
    }

    fn goals(&self, emit: &mut dyn FnMut(S::State)) {
        if let Some(goals) = self.uses.goals {
            goals(self.space, emit);
        }
    }

    fn successors(
        &self,
        states: &[S::State],
        tags: &[u32],
        at: &mut usize,
        out: &mut Batch<S::State>,
        full: Full<'_, S::State>,
    ) {
        let (space, has_costs) = (self.space, const { !S::COSTS.are_unit() });
        let has_tags = const { tags_of::<S>().is_some() };
        let (mut len, mut is_over) = (out.begin(has_tags, has_costs), false);
        while let Some(&state) = states.get(*at) {
            out.open = len;
            let last = match (const { tags_of::<S>() }, tags.get(*at)) {
                (Some(moves), Some(&tag)) => Some((moves.from)(tag)),
                _ => None,
            };
            // The closure almost always only stores the successor, so that the loop of the space
            // stays tight. To look at what the space returns cost 5 % of the time of classic
            // klotski. What is known of the type is a constant in place, so that the closure need
            // not hold it: that cost 6 % of the time of ghosts.
            let flow = space.successors(state, last, |by, next| {
                if let Some(slot) = out.states.get_mut(len) {
                    *slot = next;
                    if let Some(moves) = const { tags_of::<S>() }
                        && let Some(slot) = out.tags.get_mut(len)
                    {
                        *slot = (moves.to)(by);
                    }
                    if const { !S::COSTS.are_unit() }
                        && let Some(slot) = out.costs.get_mut(len)
                    {
                        *slot = cost::of(space, state, by);
                    }
                    len += 1;
                    return ControlFlow::Continue(());
                }
                assert!(!is_over, "{IGNORED_BREAK}");
                let tag = const { tags_of::<S>() }.map(|moves| (moves.to)(by));
                match out.push_full(len, next, tag, full) {
                    Some(now) => {
                        len = now;
                        if const { !S::COSTS.are_unit() } {
                            out.costs[len - 1] = cost::of(space, state, by);
                        }
                    }
                    // No slot has this index, so that a further call is noticed.
                    None => (len, is_over) = (usize::MAX, true),
                }
                if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert!(flow.is_break() == is_over, "{IGNORED_BREAK}");
            if is_over {
                return;
            }
            *at += 1;
            out.end_state(len);
            if len >= out.enough {
                break;
            }
        }
        out.len = len;
    }

    fn predecessors(
        &self,
        states: &[S::State],
        at: &mut usize,
        out: &mut Batch<S::State>,
        full: Full<'_, S::State>,
    ) {
        if let Some(expand) = self.uses.predecessors {
            expand(self.space, states, at, out, full);
        }
    }

    fn goals_among(&self, states: &[S::State], emit: &mut dyn FnMut(S::State)) {
        states.iter().copied().filter(|&state| self.space.is_goal(state)).for_each(emit);
    }

    fn least_leading_to(
        &self,
        states: &[S::State],
        target: S::State,
        cost: u32,
        mut least: Option<S::State>,
        poll: &mut dyn FnMut(bool) -> ControlFlow<()>,
    ) -> Option<S::State> {
        for &candidate in states {
            if least.is_some_and(|least| least <= candidate) {
                continue;
            }
            if poll(true).is_break() {
                return least;
            }
            let (mut breaks, mut emitted) = (Breaks::default(), 0usize);
            let flow = self.space.successors(candidate, None, |by, next| {
                emitted += 1;
                breaks.pass(if next == target && cost::of(self.space, candidate, by) == cost {
                    ControlFlow::Break(true)
                } else if emitted % MAX_BATCH == 0 && poll(false).is_break() {
                    ControlFlow::Break(false)
                } else {
                    ControlFlow::Continue(())
                })
            });
            match breaks.end(flow) {
                ControlFlow::Break(true) => least = Some(candidate),
                ControlFlow::Break(false) => return least,
                ControlFlow::Continue(()) => {}
            }
        }
        least
    }

    fn rank(&self, states: &[S::State], ranks: &mut [u64]) {
        if let Some((_, rank, _)) = self.uses.ranks {
            rank(self.space, states, ranks);
        }
    }

    fn unrank(&self, ranks: &[u64], states: &mut [S::State]) {
        if let Some((.., unrank)) = self.uses.ranks {
            unrank(self.space, ranks, states);
        }
    }

    fn ends_states(&self) -> bool {
        true
    }

    fn searches_by_cost(&self) -> Option<&'static dyn SearchesByCost<S::State>> {
        if const { S::COSTS.are_unit() } { None } else { Some(S::State::searches_by_cost()) }
    }
}

/// A space as one side of a search sees it: in a direction, from some states, with the ranks of one
/// process.
pub struct SpaceView<'a, W> {
    space: &'a dyn SearchSpace<W>,
    properties: Properties,
    is_backward: bool,
    /// Instead of the initial states.
    starts: Option<&'a [W]>,
    /// The rank that counts as 0.
    first_rank: u64,
}

impl<W> Clone for SpaceView<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for SpaceView<'_, W> {}

impl<W> fmt::Debug for SpaceView<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { properties, is_backward, .. } = self;
        let mut text = f.debug_struct("SpaceView");
        text.field("properties", properties).field("is_backward", is_backward).finish()
    }
}

impl<'a, W: Word> SpaceView<'a, W> {
    /// The space, from its initial states.
    pub fn new(space: &'a dyn SearchSpace<W>) -> Self {
        let properties = space.properties();
        Self { space, properties, is_backward: false, starts: None, first_rank: 0 }
    }

    /// The same from these states instead, if there are any.
    #[must_use]
    pub fn starting_from(self, starts: Option<&'a [W]>) -> Self {
        // They may have different grades.
        let is_graded = self.properties.is_graded && starts.is_none_or(|starts| starts.len() < 2);
        Self { starts, properties: Properties { is_graded, ..self.properties }, ..self }
    }

    /// The same against the moves, from the goals.
    #[must_use]
    pub fn backward(self) -> Self {
        let properties = Properties {
            pruning: PruningKind::PathDependent,
            // The goals may have different grades.
            is_graded: false,
            ..self.properties
        };
        Self { properties, is_backward: true, starts: None, ..self }
    }

    /// The same for one of several processes, which has these ranks.
    pub(crate) fn of_process(self, ranks: Option<(u64, u64)>, processes: usize) -> Self {
        let (first_rank, ranks) = ranks.map_or((0, None), |(first, count)| (first, Some(count)));
        let properties = Properties {
            // Tags are not sent.
            pruning: PruningKind::PathDependent,
            expected_states: self.properties.expected_states / processes,
            ranks: self.properties.ranks.and(ranks),
            ..self.properties
        };
        Self { properties, first_rank, ..self }
    }

    /// What is known before the search starts.
    pub fn properties(&self) -> Properties {
        self.properties
    }

    /// Whether it is [against the moves](Self::backward).
    pub(crate) fn is_backward(&self) -> bool {
        self.is_backward
    }

    /// `None` if each move costs 1.
    pub(crate) fn searches_by_cost(&self) -> Option<&'static dyn SearchesByCost<W>> {
        self.space.searches_by_cost()
    }

    /// Emits the states from which it starts.
    pub(crate) fn initial(&self, emit: &mut dyn FnMut(W)) {
        match self.starts {
            Some(starts) => starts.iter().copied().for_each(emit),
            None if self.is_backward => self.space.goals(emit),
            None => self.space.initial(emit),
        }
    }

    /// As [`SearchSpace::successors`], in the direction of the search.
    #[inline]
    pub(crate) fn expand(
        &self,
        states: &[W],
        tags: &[u32],
        at: &mut usize,
        out: &mut Batch<W>,
        full: Full<'_, W>,
    ) {
        if self.is_backward {
            self.space.predecessors(states, at, out, full);
        } else {
            self.space.successors(states, tags, at, out, full);
        }
    }

    /// The same into a batch with [ends](Batch::with_ends).
    pub(crate) fn expand_with_ends(&self, states: &[W], at: &mut usize, out: &mut Batch<W>) {
        let no_limit = &mut |_: &mut Batch<W>| ControlFlow::Break(());
        if self.space.ends_states() {
            return self.expand(states, &[], at, out, no_limit);
        }
        for state in &states[*at..] {
            self.expand(std::slice::from_ref(state), &[], &mut 0, out, no_limit);
            out.end_state(out.len);
            *at += 1;
            if out.has_enough() {
                break;
            }
        }
    }

    /// Appends the states from which a move of the search leads to `state`.
    pub(crate) fn expand_back(&self, state: W, out: &mut Batch<W>, full: Full<'_, W>) {
        let (states, mut at) = ([state], 0);
        if self.is_backward {
            self.space.successors(&states, &[], &mut at, out, full);
        } else {
            self.space.predecessors(&states, &mut at, out, full);
        }
    }

    /// The least goal of some states; `least` if that is less.
    pub(crate) fn least_goal(&self, states: &[W], mut least: Option<W>) -> Option<W> {
        self.space.goals_among(states, &mut |goal| {
            least = Some(least.map_or(goal, |least| least.min(goal)));
        });
        least
    }

    /// Emits the states that are goals.
    pub(crate) fn goals_among(&self, states: &[W], emit: &mut dyn FnMut(W)) {
        self.space.goals_among(states, emit);
    }

    /// As [`SearchSpace::least_leading_to`].
    pub(crate) fn least_leading_to(
        &self,
        states: &[W],
        target: W,
        cost: u32,
        least: Option<W>,
        poll: &mut dyn FnMut(bool) -> ControlFlow<()>,
    ) -> Option<W> {
        self.space.least_leading_to(states, target, cost, least, poll)
    }

    /// Fills the ranks of a batch.
    #[inline]
    pub(crate) fn fill_ranks(&self, batch: &mut Batch<W>) {
        let (states, ranks) = batch.ranks_mut();
        self.rank(states, ranks);
    }

    #[inline]
    pub(crate) fn rank(&self, states: &[W], ranks: &mut [u64]) {
        self.space.rank(states, ranks);
        if self.first_rank > 0 {
            ranks.iter_mut().for_each(|rank| *rank = rank.wrapping_sub(self.first_rank));
        }
    }

    /// Writes the state of each rank, of which the first one counts as 0.
    #[inline]
    pub(crate) fn unrank(&self, ranks: &mut [u64], states: &mut [W]) {
        if self.first_rank > 0 {
            ranks.iter_mut().for_each(|rank| *rank += self.first_rank);
        }
        self.space.unrank(ranks, states);
    }
}
