//! [`Search`] runs each engine with what it may use of a space, and refuses the others. Adapters
//! keep what the underlying space promises.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::time::Duration;

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::explore::{End, explore_in};
use fewest_core::memory::{Memory, OutOfMemory};
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::seam::{Batch, Erased, SpaceView};
use fewest_core::search::{Engine, Search, Unsupported};
use fewest_core::space::from_fn;
use fewest_core::store::OneThread;
use fewest_core::symmetry::Folded;
use fewest_core::visited::{CompactTable, Table, Visited};
use fewest_core::{Goals, Predecessors, Ranked, StateSpace, Symmetric, check};

use proptest::prelude::*;

use super::engines::sliding_tile::{Grid, Tiles};
use super::symmetry::MirroredGraph;

const TWO: NonZero<usize> = NonZero::new(2).unwrap();

/// Numbers below `states`. A move adds 1 or doubles, modulo `states`; there is no way back.
struct Numbers {
    states: u32,
    goal: u32,
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

const NUMBERS: Numbers = Numbers { states: 50_000, goal: 49_999 };

#[test]
fn every_engine_finds_the_fewest_moves_with_everything_it_may_use() {
    let tiles = Tiles::new(3, 3, 0x1_2345_6780);
    let plain = Search::new(&tiles).engine(Engine::Bfs).run().unwrap();
    let moves = plain.moves();
    assert!(moves.is_some_and(|moves| moves > 10));
    let search = || Search::new(&tiles).predecessors().ranked().heuristic(&tiles);
    for engine in [Engine::Bfs, Engine::Astar, Engine::Idastar] {
        for threads in [NonZero::<usize>::MIN, TWO] {
            let outcome = search().engine(engine).threads(threads).run().unwrap();
            assert_eq!(outcome.moves(), moves, "{engine}");
        }
    }
    let threads = Search::new(&tiles).engine(Engine::Bfs).threads(TWO).run().unwrap();
    assert_eq!(threads.verdict, plain.verdict);
    assert!(plain.stats.recovered > 0);

    let moves = Search::new(&NUMBERS).run().unwrap().moves();
    let both = Search::new(&NUMBERS).predecessors().goals();
    let outcome = both.run().unwrap();
    assert_eq!(outcome.moves(), moves);
    // Without a chosen engine, it is bidirectional.
    assert!(outcome.stats.expanded < 5000, "{:?}", outcome.stats);
    let ranked = Search::new(&NUMBERS).predecessors().goals().ranked().run().unwrap();
    assert_eq!(ranked.verdict, outcome.verdict);
}

#[test]
fn engines_that_a_search_may_not_use_are_refused_by_name() {
    type Refused = Result<Outcome<Vec<u32>>, Unsupported>;
    let refused = |search: Refused| search.unwrap_err().to_string();
    let search = || Search::new(&NUMBERS);
    for engine in [Engine::Astar, Engine::Idastar] {
        let expected = format!("the engine `{engine}` is not available: it needs a heuristic");
        assert_eq!(refused(search().engine(engine).run()), expected);
    }
    let expected = "the engine `bidirectional` is not available: it needs lists of the goals and of \
                    predecessors";
    let bidirectional = Engine::Bidirectional;
    assert_eq!(refused(search().engine(bidirectional).run()), expected);
    assert_eq!(refused(search().goals().engine(bidirectional).run()), expected);
    assert_eq!(refused(search().predecessors().engine(bidirectional).run()), expected);
}

#[test]
fn a_heuristic_is_made_only_if_it_is_needed() {
    let tiles = Tiles::new(3, 3, 0x1_2345_6780);
    let fails = |_: &Budget| -> Result<Tiles, OutOfMemory> { Err(OutOfMemory) };
    let search = || Search::new(&tiles).heuristic_from(fails);
    assert!(search().engine(Engine::Bfs).run().unwrap().optimal().is_some());
    let stopped = Verdict::Stopped { limit: Limit::Memory, lower_bound: 0, best: None };
    assert_eq!(search().run().unwrap().verdict, stopped);
}

#[test]
fn limits_and_budgets_stop_a_search() {
    // A path without an end.
    let path = from_fn([0_u64], |state| [((), state + 1)], |_| false);
    let limits = Limits { time: Some(Duration::from_millis(350)), ..Limits::default() };
    let outcome = Search::new(&path).limits(limits).run().unwrap();
    assert!(matches!(outcome.verdict, Verdict::Stopped { limit: Limit::Time, .. }));

    let budget = Budget::unlimited().with_state_limit(10);
    let outcome = Search::new(&path).budget(&budget).run().unwrap();
    let stopped = Verdict::Stopped { limit: Limit::States, lower_bound: 11, best: None };
    assert_eq!((&outcome.verdict, outcome.stats.expanded), (&stopped, 10));

    // The last of limits and budget counts.
    let ten = Limits { states: Some(10), ..Limits::default() };
    let unlimited = Budget::unlimited();
    let outcome = Search::new(&path).budget(&unlimited).limits(ten).run().unwrap();
    assert_eq!(outcome.verdict, stopped);
    let outcome = Search::new(&path).limits(Limits::default()).budget(&budget).run().unwrap();
    assert_eq!(outcome.verdict, stopped);
}

/// A path of 1000 states of which more are expected.
struct Path {
    expected: usize,
}

impl StateSpace for Path {
    type State = u64;
    type Move = ();

    fn state_bits(&self) -> u32 {
        48
    }

    fn expected_states(&self) -> usize {
        self.expected
    }

    fn initial(&self, mut emit: impl FnMut(u64)) {
        emit(0);
    }

    fn is_goal(&self, state: u64) -> bool {
        state == 999
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
        emit((), state + 1)
    }
}

impl Predecessors for Path {
    const UNDIRECTED: bool = true;
}

impl Goals for Path {
    fn goals(&self, mut emit: impl FnMut(u64)) {
        emit(999);
    }
}

#[test]
fn the_expected_number_of_states_does_not_affect_the_answer() {
    for expected in [0, 100_000, 2_000_000, 1 << 40, usize::MAX] {
        let path = Path { expected };
        let limits = Limits { memory_bytes: Some(4 << 20), ..Limits::default() };
        let search = || Search::new(&path).predecessors().limits(limits);
        for threads in [NonZero::<usize>::MIN, TWO] {
            let outcome = search().threads(threads).run().unwrap();
            assert_eq!(outcome.moves(), Some(999), "{expected} expected states");
            assert!(outcome.stats.bytes <= 4 << 20);
        }
        assert_eq!(search().goals().run().unwrap().moves(), Some(999));
    }
}

/// A space without moves whose states have this number of bits.
struct OfWidth(u32);

impl StateSpace for OfWidth {
    type State = u64;
    type Move = ();

    fn state_bits(&self) -> u32 {
        self.0
    }

    fn initial(&self, _: impl FnMut(u64)) {}

    fn is_goal(&self, _: u64) -> bool {
        false
    }

    fn successors<B>(
        &self,
        _: u64,
        _: Option<()>,
        _: impl FnMut((), u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        ControlFlow::Continue(())
    }
}

proptest! {
    #[test]
    fn a_compact_table_is_a_set_of_states_of_any_width(
        width in 1_u32..=64,
        // Most numbers are close to others, and many are equal.
        numbers in prop::collection::vec((any::<u64>(), 0_u32..64), 0..3000),
        batch in 1_usize..300,
    ) {
        let space = OfWidth(width);
        let states: Vec<u64> =
            numbers.iter().map(|&(number, shift)| number >> shift.max(64 - width)).collect();
        let erased = Erased::new(&space);
        let view = SpaceView::new(&erased);
        let mut table = CompactTable::new(&view, &Memory::unlimited()).unwrap();
        let mut set = BTreeSet::new();
        let mut items = Batch::default();
        for states in states.chunks(batch) {
            items.set(states);
            let new = table.insert(&mut items).unwrap();
            let expected: Vec<_> =
                states.iter().copied().filter(|&state| set.insert(state)).collect();
            prop_assert_eq!(items.new_states(new).collect::<Vec<_>>(), expected);
        }
        for &state in &states {
            prop_assert!(table.contains(state, 0));
            let other = state ^ 1;
            prop_assert_eq!(table.contains(other, 0), set.contains(&other));
        }
    }
}

#[test]
fn a_width_beyond_the_type_of_the_states_is_that_of_the_type() {
    /// All numbers of 16 bits.
    struct Wide;
    impl StateSpace for Wide {
        type State = u16;
        type Move = ();
        fn state_bits(&self) -> u32 {
            64
        }
        fn initial(&self, mut emit: impl FnMut(u16)) {
            emit(0);
        }
        fn is_goal(&self, _: u16) -> bool {
            false
        }
        fn successors<B>(
            &self,
            state: u16,
            _: Option<()>,
            mut emit: impl FnMut((), u16) -> ControlFlow<B>,
        ) -> ControlFlow<B> {
            emit((), state.wrapping_mul(5).wrapping_add(1))?;
            emit((), state.wrapping_add(1))
        }
    }
    for threads in [NonZero::<usize>::MIN, TWO] {
        let search = Search::new(&Wide).threads(threads);
        assert_eq!(search.explore(|_, _| ControlFlow::Continue(())).unwrap().states(), 1 << 16);
    }
}

#[test]
#[should_panic(expected = "the store has states of an earlier search")]
fn a_store_that_is_not_empty_is_refused() {
    let path = Path { expected: 0 };
    let erased = Erased::new(&path);
    let view = SpaceView::new(&erased);
    let mut store = OneThread::<_, Table<_>>::new(&view, &Memory::unlimited()).unwrap();
    let budget = Budget::new(Limits { states: Some(5), ..Limits::default() });
    let mut explore =
        || explore_in(view, &mut store, true, &budget, &mut |_, _| Ok(ControlFlow::Continue(())));
    assert_eq!(explore().states(), 6);
    explore();
}

#[test]
fn a_visitor_stops_an_exploration() {
    let tiles = Tiles::new(3, 3, Grid::new(3, 3).goal());
    for threads in [NonZero::<usize>::MIN, TWO] {
        let search = || Search::new(&tiles).threads(threads);
        let all = search().explore(|_, _| ControlFlow::Continue(())).unwrap();
        assert_eq!((all.states(), all.end), (181_440, End::Complete));
        assert_eq!(
            search().ranked().explore(|_, _| ControlFlow::Continue(())).unwrap().layers,
            all.layers
        );
        let mut visited = 0;
        let some = search().explore(|depth, _| {
            visited += 1;
            if depth == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let some = some.unwrap();
        assert_eq!((&some.layers[..], some.end), (&all.layers[..11], End::Visitor));
        assert_eq!(visited, all.layers[..10].iter().sum::<u64>() + 1);
    }
}

/// A graph that is its own mirror image, with its goals, and with listed predecessors although it
/// is undirected.
struct Listed(MirroredGraph);

impl StateSpace for Listed {
    type State = u16;
    type Move = u16;

    fn initial(&self, emit: impl FnMut(u16)) {
        self.0.initial(emit);
    }

    fn is_goal(&self, state: u16) -> bool {
        self.0.is_goal(state)
    }

    fn successors<B>(
        &self,
        state: u16,
        _: Option<u16>,
        emit: impl FnMut(u16, u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.successors(state, None, emit)
    }
}

impl Predecessors for Listed {
    fn predecessors<B>(
        &self,
        state: u16,
        emit: impl FnMut(u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.predecessors(state, emit)
    }
}

impl Goals for Listed {
    fn goals(&self, emit: impl FnMut(u16)) {
        (0..self.0.states()).filter(|&state| self.0.is_goal(state)).for_each(emit);
    }
}

impl Ranked for Listed {
    fn ranks(&self) -> Option<u64> {
        Some(self.0.states().into())
    }

    fn rank(&self, state: u16) -> u64 {
        state.into()
    }

    fn unrank(&self, rank: u64) -> u16 {
        rank as u16
    }
}

impl Symmetric for Listed {
    fn image(&self, state: u16) -> u16 {
        self.0.image(state)
    }

    fn image_of_move(&self, by: u16) -> u16 {
        self.0.image_of_move(by)
    }
}

#[test]
fn adapters_keep_the_promises_of_the_space() {
    fn assert_keeps<S: Goals + Predecessors + Ranked>(space: &S, moves: Option<u32>) {
        let states = check::reachable(space, 1000);
        assert_eq!(check::space(space, &states), Ok(()));
        assert_eq!(check::predecessors(space, &states), Ok(()));
        assert_eq!(check::goals(space, &states), Ok(()));
        assert_eq!(check::ranks(space, &states), Ok(()));
        let search = Search::new(space).predecessors().goals().ranked();
        assert_eq!(search.run().unwrap().moves(), moves);
    }
    let links = [(0, 2), (2, 5), (5, 6), (6, 9), (3, 8), (8, 7), (9, 1)];
    let self_images = vec![false, false, true, false, false];
    for (start, goal) in [(0, 9), (0, 7), (4, 1), (2, 2)] {
        let graph = Listed(MirroredGraph::new(self_images.clone(), &links, start, goal));
        let moves = Search::new(&graph).run().unwrap().moves();
        assert_keeps(&graph, moves);
        assert_keeps(&Folded(&graph), moves);
    }
    let near = check::near_goals(&NUMBERS, 100);
    assert_eq!((near.len(), near[0], near[1]), (100, 49_999, 49_998));
}

/// Every engine can start from other states, and several.
#[test]
fn a_search_starts_from_the_states_that_it_is_given() {
    let tiles = Tiles::new(3, 3, 0x1_2345_6780);
    let other = Tiles::new(3, 3, 0x8_7654_3210);
    let expected = Search::new(&other).run().unwrap();
    let starts = [other.start];
    for engine in [Engine::Bfs, Engine::Astar, Engine::Idastar] {
        for threads in [NonZero::<usize>::MIN, TWO] {
            let search = Search::new(&tiles).starting_from(&starts).heuristic(&tiles);
            let outcome = search.engine(engine).threads(threads).run().unwrap();
            assert_eq!(outcome.moves(), expected.moves(), "{engine}");
            let plan = outcome.optimal().expect("a plan");
            assert_eq!(plan[0], other.start, "{engine}");
        }
    }
    let both = [other.start, 0x1_2345_6780];
    let nearer = Search::new(&tiles).starting_from(&both).run().unwrap().moves();
    let first = Search::new(&tiles).run().unwrap().moves();
    assert_eq!(nearer, expected.moves().min(first));
    let two_ways = Search::new(&tiles).starting_from(&starts).predecessors().goals();
    assert_eq!(two_ways.engine(Engine::Bidirectional).run().unwrap().moves(), expected.moves());
    let all = Search::new(&tiles).starting_from(&both).explore(|_, _| ControlFlow::Continue(()));
    assert_eq!(all.unwrap().layers[0], 2);
    assert_eq!(Search::new(&tiles).starting_from(&starts).all_shortest().moves(), expected.moves());
}

#[test]
fn time_that_is_left_is_zero_after_the_deadline_and_grows_with_it() {
    let hour = Duration::from_secs(3600);
    let over = Budget::new(Limits { time: Some(Duration::ZERO), ..Limits::default() });
    assert_eq!(over.time_left(), Some(Duration::ZERO));
    let left = over.postponed(hour).time_left().expect("a limit");
    assert!(left > hour / 2 && left <= hour, "{left:?}");
    assert_eq!(Budget::unlimited().time_left(), None);
}
