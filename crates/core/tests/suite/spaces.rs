//! The spaces of the tests, from small graphs to lines with a flaw. Where a test needs no more than
//! successors and a goal test, it has a [`from_fn`](fewest_core::space::from_fn).

#[path = "../../examples/sliding_tile/tiles.rs"]
pub(crate) mod sliding_tile;

use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};

use fewest_core::space::from_fn;
use fewest_core::{
    Goals, Heuristic, Predecessors, Pruning, Ranked, StateSpace, Symmetric, Tags, Word,
};

/// A directed graph with several initial states and goals. `bounds` is its heuristic.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) edges: Vec<Vec<u16>>,
    pub(crate) starts: Vec<u16>,
    pub(crate) goals: Vec<u16>,
    pub(crate) bounds: Vec<Option<u32>>,
}

impl StateSpace for Graph {
    type State = u16;
    type Move = usize;

    fn initial(&self, emit: impl FnMut(u16)) {
        self.starts.iter().copied().for_each(emit);
    }

    fn is_goal(&self, state: u16) -> bool {
        self.goals.contains(&state)
    }

    fn successors<B>(
        &self,
        state: u16,
        _: Option<usize>,
        mut emit: impl FnMut(usize, u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.edges[usize::from(state)].iter().enumerate().try_for_each(|(by, &next)| emit(by, next))
    }
}

impl Predecessors for Graph {
    fn predecessors<B>(
        &self,
        state: u16,
        mut emit: impl FnMut(u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let all = 0..self.edges.len() as u16;
        all.filter(|&from| self.edges[usize::from(from)].contains(&state)).try_for_each(&mut emit)
    }
}

impl Goals for Graph {
    fn goals(&self, emit: impl FnMut(u16)) {
        self.goals.iter().copied().for_each(emit);
    }
}

impl Ranked for Graph {
    fn ranks(&self) -> Option<u64> {
        Some(self.edges.len() as u64)
    }

    fn rank(&self, state: u16) -> u64 {
        state.into()
    }

    fn unrank(&self, rank: u64) -> u16 {
        rank as u16
    }
}

impl Heuristic<Graph> for Graph {
    type Evaluation = u16;

    fn evaluate(&self, state: u16) -> u16 {
        state
    }

    fn bound(&self, state: u16) -> Option<u32> {
        self.bounds[usize::from(state)]
    }
}

/// Distances from the nearest of several states, by a naive breadth-first search.
pub(crate) fn distances(from: &[u16], edges: &[Vec<u16>]) -> Vec<Option<u32>> {
    let mut distances = vec![None; edges.len()];
    let mut queue = VecDeque::new();
    for &state in from {
        distances[usize::from(state)] = Some(0);
        queue.push_back((state, 0));
    }
    while let Some((state, distance)) = queue.pop_front() {
        for &next in &edges[usize::from(state)] {
            if distances[usize::from(next)].is_none() {
                distances[usize::from(next)] = Some(distance + 1);
                queue.push_back((next, distance + 1));
            }
        }
    }
    distances
}

impl Graph {
    pub(crate) fn reversed(&self) -> Vec<Vec<u16>> {
        let mut reversed = vec![Vec::new(); self.edges.len()];
        for (from, to) in self.edges.iter().enumerate() {
            to.iter().for_each(|&to| reversed[usize::from(to)].push(from as u16));
        }
        reversed
    }

    pub(crate) fn cost(&self) -> Option<u32> {
        let from_starts = distances(&self.starts, &self.edges);
        self.goals.iter().filter_map(|&goal| from_starts[usize::from(goal)]).min()
    }
}

/// Permutations of five items; a move applies a permutation to them. Prunes each second move of a
/// pair that has the same effect as a pair of moves that comes earlier, or as fewer moves.
#[derive(Debug)]
pub(crate) struct Permutations {
    moves: Vec<[u8; 5]>,
    /// `redundant[a][b]`: whether move `b` is pruned after move `a`.
    redundant: Vec<Vec<bool>>,
    goal: u16,
}

pub(crate) fn then(first: [u8; 5], second: [u8; 5]) -> [u8; 5] {
    second.map(|at| first[usize::from(at)])
}

fn pack(order: [u8; 5]) -> u16 {
    order.into_iter().fold(0, |word, item| word << 3 | u16::from(item))
}

fn unpack(word: u16) -> [u8; 5] {
    std::array::from_fn(|at| (word >> (3 * (4 - at)) & 7) as u8)
}

impl Permutations {
    pub(crate) fn new(moves: Vec<[u8; 5]>, goal: [u8; 5]) -> Self {
        let mut earlier = BTreeSet::from([[0, 1, 2, 3, 4]]);
        earlier.extend(&moves);
        let mut redundant = vec![vec![false; moves.len()]; moves.len()];
        for (a, &first) in moves.iter().enumerate() {
            for (b, &second) in moves.iter().enumerate() {
                redundant[a][b] = !earlier.insert(then(first, second));
            }
        }
        Self { moves, redundant, goal: pack(goal) }
    }
}

impl StateSpace for Permutations {
    type State = u16;
    type Move = usize;

    fn initial(&self, mut emit: impl FnMut(u16)) {
        emit(pack([0, 1, 2, 3, 4]));
    }

    fn is_goal(&self, state: u16) -> bool {
        state == self.goal
    }

    fn successors<B>(
        &self,
        state: u16,
        last: Option<usize>,
        mut emit: impl FnMut(usize, u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for (by, &permutation) in self.moves.iter().enumerate() {
            if !last.is_some_and(|last| self.redundant[last][by]) {
                emit(by, pack(then(unpack(state), permutation)))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Pairs of states with one move between them, which is its own inverse.
pub(crate) struct StatePairs;

impl StateSpace for StatePairs {
    type State = u32;
    type Move = ();
    const PRUNING: Pruning<()> = Pruning::Inverse(Tags { to: |()| 0, from: |_| () });

    fn initial(&self, emit: impl FnMut(u32)) {
        (0..10_000).step_by(2).for_each(emit);
    }

    fn is_goal(&self, _: u32) -> bool {
        false
    }

    fn successors<B>(
        &self,
        state: u32,
        last: Option<()>,
        mut emit: impl FnMut((), u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if last.is_some() { ControlFlow::Continue(()) } else { emit((), state ^ 1) }
    }
}

/// Numbers below `states`. A move adds 1 or doubles, modulo `states`; there is no way back.
pub(crate) struct Numbers {
    pub(crate) states: u32,
    pub(crate) goal: u32,
}

impl StateSpace for Numbers {
    type State = u32;
    type Move = char;

    fn initial(&self, mut emit: impl FnMut(u32)) {
        emit(1);
    }

    fn is_goal(&self, number: u32) -> bool {
        number == self.goal
    }

    fn successors<B>(
        &self,
        number: u32,
        _: Option<char>,
        mut emit: impl FnMut(char, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        emit('+', (number + 1) % self.states)?;
        emit('*', number * 2 % self.states)
    }
}

impl Predecessors for Numbers {
    fn predecessors<B>(
        &self,
        number: u32,
        mut emit: impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let half = number / 2;
        emit((number + self.states - 1) % self.states)?;
        // The number of states is even, so an even number is twice two numbers.
        if number.is_multiple_of(2) {
            emit(half)?;
            emit(half + self.states / 2)?;
        }
        ControlFlow::Continue(())
    }
}

impl Goals for Numbers {
    fn goals(&self, mut emit: impl FnMut(u32)) {
        emit(self.goal);
    }
}

impl Ranked for Numbers {
    fn ranks(&self) -> Option<u64> {
        Some(self.states.into())
    }

    fn rank(&self, number: u32) -> u64 {
        number.into()
    }

    fn unrank(&self, rank: u64) -> u32 {
        rank as u32
    }
}

/// A path of 1000 states, with what it says of them.
pub(crate) struct Path {
    pub(crate) state_bits: u32,
    pub(crate) expected_states: usize,
}

const END_OF_PATH: u64 = 999;

impl StateSpace for Path {
    type State = u64;
    type Move = ();

    fn state_bits(&self) -> u32 {
        self.state_bits
    }

    fn expected_states(&self) -> usize {
        self.expected_states
    }

    fn initial(&self, mut emit: impl FnMut(u64)) {
        emit(0);
    }

    fn is_goal(&self, state: u64) -> bool {
        state == END_OF_PATH
    }

    fn successors<B>(
        &self,
        state: u64,
        _: Option<()>,
        mut emit: impl FnMut((), u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if state > 0 {
            emit((), state - 1)?;
        }
        if state < END_OF_PATH { emit((), state + 1) } else { ControlFlow::Continue(()) }
    }
}

impl Predecessors for Path {
    const UNDIRECTED: bool = true;
}

impl Goals for Path {
    fn goals(&self, mut emit: impl FnMut(u64)) {
        emit(END_OF_PATH);
    }
}

/// An undirected graph of pairs of states. The states `2i` and `2i + 1` are mirror images of each
/// other, unless `self_images[i]`: then each of them is its own mirror image. Without `UNDIRECTED`,
/// it lists its predecessors as a directed space.
#[derive(Clone, Debug)]
pub(crate) struct MirroredGraph<const UNDIRECTED: bool = true> {
    self_images: Vec<bool>,
    pub(crate) edges: Vec<Vec<u16>>,
    pub(crate) start: u16,
    goal: u16,
}

impl<const UNDIRECTED: bool> MirroredGraph<UNDIRECTED> {
    pub(crate) fn new(self_images: Vec<bool>, links: &[(u16, u16)], start: u16, goal: u16) -> Self {
        let edges = vec![Vec::new(); 2 * self_images.len()];
        let mut graph = Self { edges, self_images, start, goal };
        let states = graph.edges.len() as u16;
        for &(from, to) in links {
            let (from, to) = (from % states, to % states);
            for (from, to) in [(from, to), (graph.image(from, 1), graph.image(to, 1))] {
                for (from, to) in [(from, to), (to, from)] {
                    let edges = &mut graph.edges[usize::from(from)];
                    if from != to && !edges.contains(&to) {
                        edges.push(to);
                    }
                }
            }
        }
        (graph.start, graph.goal) = (start % states, goal % states);
        graph
    }
}

impl<const UNDIRECTED: bool> StateSpace for MirroredGraph<UNDIRECTED> {
    type State = u16;
    /// The state before the move, to which the next move does not return.
    type Move = u16;

    const PRUNING: Pruning<u16> =
        Pruning::TwoStep(Tags { to: |from| from.into(), from: |tag| tag as u16 });

    fn initial(&self, mut emit: impl FnMut(u16)) {
        emit(self.start);
    }

    fn is_goal(&self, state: u16) -> bool {
        state == self.goal || self.image(state, 1) == self.goal
    }

    fn successors<B>(
        &self,
        state: u16,
        last: Option<u16>,
        mut emit: impl FnMut(u16, u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let edges = self.edges[usize::from(state)].iter();
        edges.filter(|&&next| Some(next) != last).try_for_each(|&next| emit(state, next))
    }
}

impl<const UNDIRECTED: bool> Predecessors for MirroredGraph<UNDIRECTED> {
    const UNDIRECTED: bool = UNDIRECTED;

    fn predecessors<B>(
        &self,
        state: u16,
        mut emit: impl FnMut(u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.successors(state, None, |_, from| emit(from))
    }
}

impl<const UNDIRECTED: bool> Goals for MirroredGraph<UNDIRECTED> {
    fn goals(&self, emit: impl FnMut(u16)) {
        (0..self.edges.len() as u16).filter(|&state| self.is_goal(state)).for_each(emit);
    }
}

impl<const UNDIRECTED: bool> Ranked for MirroredGraph<UNDIRECTED> {
    fn ranks(&self) -> Option<u64> {
        Some(self.edges.len() as u64)
    }

    fn rank(&self, state: u16) -> u64 {
        state.into()
    }

    fn unrank(&self, rank: u64) -> u16 {
        rank as u16
    }
}

impl<const UNDIRECTED: bool> Symmetric for MirroredGraph<UNDIRECTED> {
    fn image(&self, state: u16, _symmetry: u32) -> u16 {
        if self.self_images[usize::from(state / 2)] { state } else { state ^ 1 }
    }

    fn image_of_move(&self, from: u16, symmetry: u32) -> u16 {
        self.image(from, symmetry)
    }
}

/// What is wrong with a [`Line`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Flaw {
    None,
    /// `emit` is called again after it broke, and the last break is returned.
    ContinuesAfterBreak,
    /// The break is not returned.
    DropsBreak,
    Order,
    Pruning,
    Adds,
    OneWay,
    /// As `OneWay`, with the right predecessors.
    Irreversible,
    PredecessorsDropBreak,
    GoalTwice,
    GoalRefused,
    GoalMissing,
    Rank,
    RankTooHigh,
    Image,
    ImageOfMove,
    ImageOfGoal,
    ImagesOfSuccessors,
    Bound,
    NoBound,
    Update,
    Inconsistent,
}

/// Steps to the left and right on a line of 20 cells, between two goals at its ends.
pub(crate) struct Line {
    flaw: Flaw,
    calls: AtomicU16,
}

pub(crate) const LAST: u16 = 19;
const ONE_WAY: u16 = 11;

impl Line {
    pub(crate) fn new(flaw: Flaw) -> Self {
        Self { flaw, calls: AtomicU16::new(0) }
    }
}

impl StateSpace for Line {
    type State = u16;
    type Move = i16;

    const PRUNING: Pruning<i16> = Pruning::Inverse(Tags {
        to: |step| u32::from(step.cast_unsigned()),
        from: |tag| (tag as u16).cast_signed(),
    });

    fn initial(&self, mut emit: impl FnMut(u16)) {
        emit(7);
    }

    fn is_goal(&self, cell: u16) -> bool {
        (cell == 0 || cell == LAST) && !(self.flaw == Flaw::ImageOfGoal && cell == 0)
    }

    fn successors<B>(
        &self,
        cell: u16,
        last: Option<i16>,
        mut emit: impl FnMut(i16, u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut steps = vec![];
        if cell > 0 && last != Some(1) {
            steps.push(-1);
        }
        if cell < LAST && last != Some(-1) {
            steps.push(1);
        }
        match self.flaw {
            Flaw::Order if self.calls.fetch_add(1, Ordering::Relaxed) % 2 == 1 => steps.reverse(),
            Flaw::Pruning if last.is_some() && cell == 12 => steps.clear(),
            Flaw::Adds if last.is_some() && cell == 12 => steps.push(3),
            Flaw::OneWay | Flaw::Irreversible if cell == ONE_WAY => steps.retain(|&step| step == 1),
            _ => {}
        }
        let mut flow = ControlFlow::Continue(());
        for step in steps {
            let next = emit(step, cell.saturating_add_signed(step));
            match self.flaw {
                Flaw::ContinuesAfterBreak => {
                    flow = if next.is_break() { next } else { flow };
                }
                Flaw::DropsBreak => {}
                _ => next?,
            }
        }
        flow
    }
}

impl Predecessors for Line {
    const UNDIRECTED: bool = true;

    fn predecessors<B>(
        &self,
        cell: u16,
        mut emit: impl FnMut(u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let flow = self.successors(cell, None, |_, from| match (self.flaw, from) {
            (Flaw::Irreversible, ONE_WAY) if cell < ONE_WAY => ControlFlow::Continue(()),
            _ => emit(from),
        });
        match self.flaw {
            Flaw::Irreversible if cell == ONE_WAY => emit(cell - 1),
            Flaw::PredecessorsDropBreak => ControlFlow::Continue(()),
            _ => flow,
        }
    }
}

impl Goals for Line {
    fn goals(&self, mut emit: impl FnMut(u16)) {
        emit(0);
        match self.flaw {
            Flaw::GoalTwice => emit(0),
            Flaw::GoalRefused => emit(5),
            Flaw::GoalMissing => return,
            _ => {}
        }
        emit(LAST);
    }
}

impl Ranked for Line {
    fn ranks(&self) -> Option<u64> {
        Some(if self.flaw == Flaw::RankTooHigh { 15 } else { 20 })
    }

    fn rank(&self, cell: u16) -> u64 {
        if self.flaw == Flaw::Rank { u64::from(cell) / 2 } else { cell.into() }
    }

    fn unrank(&self, rank: u64) -> u16 {
        rank as u16
    }
}

impl Symmetric for Line {
    fn image(&self, cell: u16, _symmetry: u32) -> u16 {
        if self.flaw == Flaw::Image && cell == 3 { 3 } else { LAST - cell }
    }

    fn image_of_move(&self, step: i16, _symmetry: u32) -> i16 {
        if self.flaw == Flaw::ImageOfMove { step } else { -step }
    }

    fn canonical_successors<B>(
        &self,
        cell: u16,
        last: Option<i16>,
        mut emit: impl FnMut(i16, i16, u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let shift = u16::from(self.flaw == Flaw::ImagesOfSuccessors);
        self.successors(cell, last, |by, next| {
            let (canonical, symmetry) = self.canonical(next);
            let image = if symmetry == 0 { by } else { self.image_of_move(by, symmetry) };
            emit(by, image, canonical + shift)
        })
    }
}

impl Heuristic<Line> for Line {
    type Evaluation = u16;

    fn evaluate(&self, cell: u16) -> u16 {
        cell.min(LAST - cell)
    }

    fn update(&self, distance: impl FnOnce() -> u16, from: u16, step: i16, to: u16) -> u16 {
        match self.flaw {
            Flaw::Update => distance().saturating_add_signed(step),
            _ => Heuristic::<Self>::evaluate(self, from.saturating_add_signed(step).max(to)),
        }
    }

    fn bound(&self, distance: u16) -> Option<u32> {
        match (self.flaw, distance) {
            (Flaw::Bound, 8) => Some(9),
            (Flaw::NoBound, 8) => None,
            (Flaw::Inconsistent, 5) => Some(1),
            _ => Some(distance.into()),
        }
    }
}

/// A start with many successors, each of which leads back to it. The first one is the goal.
#[derive(Default)]
pub(crate) struct Star {
    pub(crate) rays: u32,
    pub(crate) continues_after_break: bool,
    /// Is set after the goal is emitted.
    pub(crate) flag: Arc<AtomicBool>,
}

impl StateSpace for Star {
    type State = u32;
    type Move = ();

    fn initial(&self, mut emit: impl FnMut(u32)) {
        emit(0);
    }

    fn is_goal(&self, state: u32) -> bool {
        state == 1
    }

    fn successors<B>(
        &self,
        state: u32,
        _: Option<()>,
        mut emit: impl FnMut((), u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if state > 0 {
            return emit((), 0);
        }
        for ray in 1..=self.rays {
            let flow = emit((), ray);
            if !self.continues_after_break {
                flow?;
            }
            self.flag.store(true, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    }
}

impl Predecessors for Star {
    const UNDIRECTED: bool = true;
}

impl Ranked for Star {
    fn ranks(&self) -> Option<u64> {
        Some(u64::from(self.rays) + 1)
    }

    fn rank(&self, state: u32) -> u64 {
        u64::from(state)
    }

    fn unrank(&self, rank: u64) -> u32 {
        rank as u32
    }
}

/// A space that sets a flag after a number of expansions, and counts them.
pub(crate) struct Interrupting<'a, S> {
    space: &'a S,
    pub(crate) expanded: AtomicU64,
    end: u64,
    pub(crate) flag: Arc<AtomicBool>,
}

impl<'a, S> Interrupting<'a, S> {
    pub(crate) fn new(space: &'a S, end: u64) -> Self {
        Self { space, expanded: AtomicU64::new(0), end, flag: Arc::default() }
    }
}

impl<S: StateSpace> StateSpace for Interrupting<'_, S> {
    type State = S::State;
    type Move = S::Move;
    const PRUNING: Pruning<S::Move> = S::PRUNING;

    fn state_bits(&self) -> u32 {
        self.space.state_bits()
    }

    fn initial(&self, emit: impl FnMut(S::State)) {
        self.space.initial(emit);
    }

    fn is_goal(&self, state: S::State) -> bool {
        self.space.is_goal(state)
    }

    fn successors<B>(
        &self,
        state: S::State,
        last: Option<S::Move>,
        emit: impl FnMut(S::Move, S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.expanded.fetch_add(1, Ordering::Relaxed) + 1 == self.end {
            self.flag.store(true, Ordering::Relaxed);
        }
        self.space.successors(state, last, emit)
    }
}

impl<S: Ranked> Ranked for Interrupting<'_, S> {
    fn ranks(&self) -> Option<u64> {
        self.space.ranks()
    }

    fn rank(&self, state: S::State) -> u64 {
        self.space.rank(state)
    }

    fn unrank(&self, rank: u64) -> S::State {
        self.space.unrank(rank)
    }
}

/// Each of 64 states leads to ten thousand, so that a limit stops in the middle of a state.
pub(crate) struct Wide;

impl StateSpace for Wide {
    type State = u64;
    type Move = ();

    fn initial(&self, mut emit: impl FnMut(u64)) {
        (0..64).for_each(&mut emit);
    }

    fn is_goal(&self, _: u64) -> bool {
        false
    }

    fn state_bits(&self) -> u32 {
        14
    }

    fn successors<B>(
        &self,
        state: u64,
        _: Option<()>,
        mut emit: impl FnMut((), u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let end = if state < 64 { 10_000 } else { 0 };
        (0..end).try_for_each(|next| emit((), (state * 101 + next) % 16_000))
    }
}

impl Ranked for Wide {
    fn ranks(&self) -> Option<u64> {
        Some(16_000)
    }

    fn rank(&self, state: u64) -> u64 {
        state
    }

    fn unrank(&self, rank: u64) -> u64 {
        rank
    }
}

/// A graph whose states are wide words that differ in their first, middle or last bytes.
pub(crate) fn wide_graph(
    edges: &[(u8, u8)],
    goal: u8,
    undirected: bool,
) -> impl StateSpace<State = [u64; 3], Move = ()> {
    fn word(number: u8) -> [u64; 3] {
        [u64::from(number & 3) << 62, u64::from(number >> 2 & 7) << 30, u64::from(number >> 5)]
    }
    let successors = move |state| {
        edges.iter().flat_map(move |&(one, other)| {
            let forth = (word(one) == state).then(|| ((), word(other)));
            let back = (undirected && word(other) == state).then(|| ((), word(one)));
            forth.into_iter().chain(back)
        })
    };
    from_fn([word(0)], successors, move |state| state == word(goal))
}

/// A square of cells without walls, numbered row by row. The start is the first cell; a move leads
/// to a neighbouring cell.
pub(crate) fn square(side: u32, goal: u32) -> impl StateSpace<State = u32, Move = ()> {
    let neighbours = move |cell: u32| {
        let (row, column) = (cell / side, cell % side);
        let before = [(row > 0, cell.wrapping_sub(side)), (column > 0, cell.wrapping_sub(1))];
        let after = [(row + 1 < side, cell + side), (column + 1 < side, cell + 1)];
        let all = before.into_iter().chain(after);
        all.filter_map(|(exists, next)| exists.then_some(((), next)))
    };
    from_fn([0], neighbours, move |cell| cell == goal)
}

/// A start with 50,000 successors, each of which leads to its neighbours on a circle.
pub(crate) fn hub() -> impl StateSpace<State = u32, Move = ()> {
    let successors = |state| {
        let first = if state == 0 { 1..50_001 } else { 0..0 };
        let neighbours = [state % 60_000 + 1, (state + 59_998) % 60_000 + 1];
        first.chain(neighbours.into_iter().filter(move |_| state > 0)).map(|next| ((), next))
    };
    from_fn([0], successors, |_| false)
}

/// Numbers that a move doubles or increases by 1, stored at both ends of a word.
pub(crate) fn doubling<W: Word>(states: u32) -> impl StateSpace<State = W, Move = ()> {
    let word =
        |number: u32| W::ZERO.with_bits(0, 20, number).with_bits(W::BITS - 12, 12, number & 0xFFF);
    let successors = move |state: W| {
        let number = state.bits(0, 20);
        [2 * number % states, (number + 1) % states].map(|next| ((), word(next)))
    };
    from_fn([word(1)], successors, move |state| state == word(states / 2 - 1))
}
