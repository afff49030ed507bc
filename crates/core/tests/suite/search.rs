//! [`Search`] runs each engine with what it may use of a space, and refuses the others. Adapters
//! keep what the underlying space promises.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::ops::{BitAnd, BitOr, ControlFlow};
use std::time::Duration;

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::disk::Disk;
use fewest_core::explore::{End, explore_in};
use fewest_core::memory::{Memory, OutOfMemory};
use fewest_core::outcome::Verdict;
use fewest_core::representation::Representation;
use fewest_core::seam::{Batch, Erased, SearchSpace, SpaceView};
use fewest_core::search::compiled::SearchedWord;
use fewest_core::search::{Engine, Search};
use fewest_core::space::{from_fn, moves_along};
use fewest_core::storage::Storage;
use fewest_core::store::OneThread;
use fewest_core::symmetry::Folded;
use fewest_core::visited::{Adaptive, CompactTable, RankSet, Table, Visited};
use fewest_core::{Goals, Predecessors, Ranked, StateSpace, Word, check, heuristic};

use proptest::prelude::*;

use crate::by_set::explore;
use crate::spaces::sliding_tile::{Grid, Tiles};
use crate::spaces::{MirroredGraph, Numbers, Path};

const TWO: NonZero<usize> = NonZero::new(2).unwrap();

const NUMBERS: Numbers = Numbers { states: 50_000, goal: 49_999 };

#[test]
fn every_engine_finds_the_fewest_moves_with_everything_it_may_use() {
    let tiles = Tiles::new(3, 3, 0x1_2345_6780);
    let plain = Search::new(&tiles).engine(Engine::Bfs).unwrap().run();
    let moves = plain.cost();
    assert!(moves.is_some_and(|moves| moves > 10));
    let search = || Search::new(&tiles).predecessors().ranked().heuristic(&tiles);
    for engine in [Engine::Bfs, Engine::Astar, Engine::Idastar] {
        for threads in [NonZero::<usize>::MIN, TWO] {
            let outcome = search().engine(engine).unwrap().threads(threads).run();
            assert_eq!(outcome.cost(), moves, "{engine}");
        }
    }
    let threads = Search::new(&tiles).engine(Engine::Bfs).unwrap().threads(TWO).run();
    assert_eq!(threads.verdict, plain.verdict);
    assert!(plain.stats.recovered > 0);

    let moves = Search::new(&NUMBERS).run().cost();
    let both = Search::new(&NUMBERS).predecessors().goals();
    let outcome = both.run();
    assert_eq!(outcome.cost(), moves);
    // Without a chosen engine, it is bidirectional.
    assert!(outcome.stats.expanded < 5000, "{:?}", outcome.stats);
    let ranked = Search::new(&NUMBERS).predecessors().goals().ranked().run();
    assert_eq!(ranked.verdict, outcome.verdict);
}

#[test]
fn engines_that_a_search_may_not_use_are_refused_by_name() {
    let search = || Search::new(&NUMBERS);
    let refused = |search: Search<'_, _>, engine: Engine| {
        search.engine(engine).expect_err("the engine is refused").to_string()
    };
    for engine in [Engine::Astar, Engine::Idastar] {
        let expected = format!("the engine `{engine}` is not available: it needs a heuristic");
        assert_eq!(refused(search(), engine), expected);
    }
    let expected = "the engine `bidirectional` is not available: it needs lists of the goals and of \
                    predecessors";
    for search in [search(), search().goals(), search().predecessors()] {
        assert_eq!(refused(search, Engine::Bidirectional), expected);
    }
}

#[test]
fn a_heuristic_is_made_only_if_it_is_needed() {
    let tiles = Tiles::new(3, 3, 0x1_2345_6780);
    let fails = |_: &Budget| -> Result<Tiles, OutOfMemory> { Err(OutOfMemory) };
    let search = || Search::new(&tiles).heuristic_from(fails);
    assert!(search().engine(Engine::Bfs).unwrap().run().optimal().is_some());
    let stopped = Verdict::Stopped { limit: Limit::Memory, lower_bound: 0, best: None };
    assert_eq!(search().run().verdict, stopped);
}

#[test]
fn limits_and_budgets_stop_a_search() {
    // A path without an end.
    let path = from_fn([0_u64], |state| [((), state + 1)], |_| false);
    let limits = Limits { time: Some(Duration::from_millis(350)), ..Limits::default() };
    let outcome = Search::new(&path).limits(limits).run();
    assert!(matches!(outcome.verdict, Verdict::Stopped { limit: Limit::Time, .. }));

    let budget = Budget::unlimited().with_state_limit(10);
    let outcome = Search::new(&path).budget(&budget).run();
    let stopped = Verdict::Stopped { limit: Limit::States, lower_bound: 11, best: None };
    assert_eq!((&outcome.verdict, outcome.stats.expanded), (&stopped, 10));

    // The last of limits and budget counts.
    let ten = Limits { states: Some(10), ..Limits::default() };
    let unlimited = Budget::unlimited();
    let outcome = Search::new(&path).budget(&unlimited).limits(ten).run();
    assert_eq!(outcome.verdict, stopped);
    let outcome = Search::new(&path).limits(Limits::default()).budget(&budget).run();
    assert_eq!(outcome.verdict, stopped);
}

#[test]
fn the_expected_number_of_states_does_not_affect_the_answer() {
    for expected in [0, 100_000, 2_000_000, 1 << 40, usize::MAX] {
        let path = Path { state_bits: 48, expected_states: expected };
        let limits = Limits { memory_bytes: Some(4 << 20), ..Limits::default() };
        let search = || Search::new(&path).predecessors().limits(limits);
        for threads in [NonZero::<usize>::MIN, TWO] {
            let outcome = search().threads(threads).run();
            assert_eq!(outcome.cost(), Some(999), "{expected} expected states");
            assert!(outcome.stats.bytes <= 4 << 20);
        }
        assert_eq!(search().goals().run().cost(), Some(999));
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
        let space = Path { state_bits: width, expected_states: 0 };
        let states: Vec<u64> =
            numbers.iter().map(|&(number, shift)| number >> shift.max(64 - width)).collect();
        let erased = Erased::new(&space);
        let mut table = <CompactTable as Visited<u64>>::new(&erased.properties(), &Memory::unlimited()).unwrap();
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
    for threads in [NonZero::<usize>::MIN, TWO] {
        let path = Path { state_bits: 128, expected_states: 0 };
        assert_eq!(Erased::new(&path).properties().state_bits, u64::BITS);
        let search = Search::new(&path).threads(threads);
        assert_eq!(search.explore(|_, _| ControlFlow::Continue(())).states(), 1000);
    }
}

#[test]
fn a_compact_table_holds_all_values_of_a_type() {
    let next = |state: u16| {
        [state.wrapping_mul(5).wrapping_add(1), state.wrapping_add(1)].map(|next| ((), next))
    };
    let all = from_fn([0], next, |_| false);
    assert_eq!(explore::<CompactTable, _>(&all, &Budget::unlimited()).states(), 1 << 16);
}

#[test]
#[should_panic(expected = "the store has states of an earlier search")]
fn a_store_that_is_not_empty_is_refused() {
    let path = Path { state_bits: 48, expected_states: 0 };
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
        let all = search().explore(|_, _| ControlFlow::Continue(()));
        assert_eq!((all.states(), all.end), (181_440, End::Complete));
        assert_eq!(search().ranked().explore(|_, _| ControlFlow::Continue(())).layers, all.layers);
        let mut visited = 0;
        let some = search().explore(|depth, _| {
            visited += 1;
            if depth == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((&some.layers[..], some.end), (&all.layers[..11], End::Visitor));
        assert_eq!(visited, all.layers[..10].iter().sum::<u64>() + 1);
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
        assert_eq!(search.run().cost(), moves);
    }
    let links = [(0, 2), (2, 5), (5, 6), (6, 9), (3, 8), (8, 7), (9, 1)];
    let self_images = vec![false, false, true, false, false];
    for (start, goal) in [(0, 9), (0, 7), (4, 1), (2, 2)] {
        let graph = MirroredGraph::<true>::new(self_images.clone(), &links, start, goal);
        let moves = Search::new(&graph).run().cost();
        assert_keeps(&graph, moves);
        assert_keeps(&Folded::new(&graph), moves);
        let directed = MirroredGraph::<false>::new(self_images.clone(), &links, start, goal);
        assert_keeps(&directed, moves);
        assert_keeps(&Folded::new(&directed), moves);
    }
    let near = check::near_goals(&NUMBERS, 100);
    assert_eq!((near.len(), near[0], near[1]), (100, 49_999, 49_998));
}

/// Every engine can start from other states, and several.
#[test]
fn a_search_starts_from_the_states_that_it_is_given() {
    let tiles = Tiles::new(3, 3, 0x1_2345_6780);
    let other = Tiles::new(3, 3, 0x8_7654_3210);
    let expected = Search::new(&other).run();
    let starts = [other.start];
    for engine in [Engine::Bfs, Engine::Astar, Engine::Idastar] {
        for threads in [NonZero::<usize>::MIN, TWO] {
            let search = Search::new(&tiles).starting_from(&starts).heuristic(&tiles);
            let outcome = search.engine(engine).unwrap().threads(threads).run();
            assert_eq!(outcome.cost(), expected.cost(), "{engine}");
            let plan = outcome.optimal().expect("a plan");
            assert_eq!(plan[0], other.start, "{engine}");
        }
    }
    let both = [other.start, 0x1_2345_6780];
    let nearer = Search::new(&tiles).starting_from(&both).run().cost();
    let first = Search::new(&tiles).run().cost();
    assert_eq!(nearer, expected.cost().min(first));
    let two_ways = Search::new(&tiles).starting_from(&starts).predecessors().goals();
    assert_eq!(two_ways.engine(Engine::Bidirectional).unwrap().run().cost(), expected.cost());
    let all = Search::new(&tiles).starting_from(&both).explore(|_, _| ControlFlow::Continue(()));
    assert_eq!(all.layers[0], 2);
    assert_eq!(Search::new(&tiles).starting_from(&starts).all_shortest().cost(), expected.cost());
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

#[test]
fn closures_promise_what_the_traits_do() {
    // Ten switches.
    let flip = |on: u32| (0..10).map(move |switch| (switch, on ^ 1 << switch));
    let switches = || from_fn([0_u32], flip, |on| on == 31);
    let both = switches().undirected().with_goals([31]).with_ranks(
        1024,
        |on| 1023 - u64::from(on),
        |rank| 1023 - rank as u32,
    );
    let states = check::reachable(&both, 2000);
    assert_eq!(states.len(), 1024);
    assert_eq!(check::space(&both, &states), Ok(()));
    assert_eq!(check::predecessors(&both, &states), Ok(()));
    assert_eq!(check::goals(&both, &states), Ok(()));
    assert_eq!(check::ranks(&both, &states), Ok(()));
    let from_one_side = Search::new(&both).run();
    let outcome = Search::new(&both).predecessors().goals().ranked().run();
    assert_eq!((outcome.cost(), from_one_side.cost()), (Some(5), Some(5)));
    assert!(2 * outcome.stats.expanded < from_one_side.stats.expanded, "{:?}", outcome.stats);

    // A ring of 997 cells without a way back.
    let step = |by: u32| move |cell: u32| (by, (cell + by) % 997);
    let one_way = from_fn([0_u32], |cell| [step(1)(cell)], |cell| cell == 400)
        .with_predecessors(|cell| [(cell + 996) % 997])
        .with_goals([400]);
    let cells = check::reachable(&one_way, 1000);
    assert_eq!(check::predecessors(&one_way, &cells), Ok(()));
    assert_eq!(Search::new(&one_way).predecessors().goals().run().cost(), Some(400));
    let wrong = switches().with_predecessors(|on| [on ^ 1]).with_goals([31, 1]);
    assert!(check::predecessors(&wrong, &states).is_err());
    assert!(check::goals(&wrong, &states).is_err());

    let exact = heuristic::from_fn(|on: u32| (on ^ 31).count_ones());
    assert_eq!(check::heuristic(&both, &exact, &states, &Budget::unlimited()), Ok(()));
    for engine in [Engine::Astar, Engine::Idastar] {
        let outcome = Search::new(&both).heuristic(&exact).engine(engine).unwrap().run();
        assert_eq!((outcome.cost(), outcome.stats.expanded), (Some(5), 5), "{engine}");
    }
}

#[test]
fn idastar_without_a_table_takes_what_a_search_has() {
    let tiles = Tiles::new(3, 3, 0x1_2345_6780);
    let moves = Search::new(&tiles).run().cost();
    let search = || Search::new(&tiles).heuristic(&tiles);
    assert_eq!(search().run_without_table().cost(), moves);
    // From two states, of which one is nearer than the initial one.
    let plan = search().run().optimal().cloned().unwrap();
    let starts = [plan[0], plan[5]];
    let outcome = search().starting_from(&starts).run_without_table();
    assert_eq!(outcome.cost().map(|moves| moves + 5), moves);
    let limits = Limits { states: Some(10), ..Limits::default() };
    let stopped = search().limits(limits).run_without_table();
    assert!(matches!(stopped.verdict, Verdict::Stopped { limit: Limit::States, .. }));
    let fails = |_: &Budget| -> Result<Tiles, OutOfMemory> { Err(OutOfMemory) };
    let stopped = Search::new(&tiles).heuristic_from(fails).run_without_table();
    assert!(matches!(stopped.verdict, Verdict::Stopped { limit: Limit::Memory, .. }));
}

/// The subsets of 16 things, in the low bits of a word: a move adds one. A layer has those of a
/// size.
fn subsets<W>(is_graded: bool) -> impl StateSpace<State = W, Move = u32>
where
    W: Word + From<u32> + BitOr<Output = W> + BitAnd<Output = W>,
{
    let successors = |set: W| {
        let missing = move |&bit: &u32| set & W::from(1 << bit) == W::ZERO;
        (0..16).filter(missing).map(move |bit| (bit, set | W::from(1 << bit)))
    };
    let space = from_fn([W::ZERO], successors, |set| set == W::from(0xF0FF));
    if is_graded { space.graded() } else { space }
}

#[test]
fn a_graded_space_is_searched_with_the_set_of_one_layer() {
    fn in_all_stores<W>()
    where
        W: SearchedWord + Word + From<u32> + BitOr<Output = W> + BitAnd<Output = W>,
    {
        let (plain, graded) = (subsets::<W>(false), subsets::<W>(true));
        assert_eq!(check::graded(&graded, 3000), Ok(()));
        let binomials = |n: u64| {
            (0..=n).scan(1, move |ways, k| {
                let now = *ways;
                *ways = now * (n - k) / (k + 1);
                Some(now)
            })
        };
        let expected: Vec<u64> = binomials(16).collect();
        let on_disk = || Storage::default().with_disk(Disk::new(std::env::temp_dir()));
        for threads in [NonZero::<usize>::MIN, TWO] {
            for storage in [Storage::default(), on_disk()] {
                let budget = || Budget::unlimited().with_storage(storage.clone());
                let explored = |space| {
                    let budget = budget();
                    let search = Search::new(space).threads(threads).budget(&budget);
                    let found = search.count_layers(|_, _| ControlFlow::Continue(()));
                    (found.layers, found.end, found.stats.generated, budget.memory().peak_bytes())
                };
                let (of_plain, of_graded) = (explored(&plain), explored(&graded));
                assert_eq!(of_graded.0, expected);
                assert_eq!((of_graded.1, of_graded.2), (End::Complete, 16 << 15));
                let is_less = of_graded.3 < of_plain.3 || storage.disk().is_some();
                assert!(is_less, "{} > {}", of_graded.3, of_plain.3);
                let budget = budget();
                let found = Search::new(&graded).threads(threads).budget(&budget).run();
                let plan = found.optimal().expect("a plan");
                assert_eq!((found.cost(), plan.len()), (Some(12), 13));
                assert!(moves_along(&graded, plan).is_some());
            }
        }
        let one = |space| {
            let budget = Budget::unlimited();
            let search = Search::new(space).budget(&budget);
            search.count_layers(|_, _| ControlFlow::Continue(()));
            budget.memory().peak_bytes()
        };
        // The largest layer has 20 % of the states.
        assert!(2 * one(&graded) < one(&plain), "{} {}", one(&graded), one(&plain));
    }
    in_all_stores::<u32>();
    in_all_stores::<u128>();

    let not_graded = from_fn([1_u32], |n| [('+', n + 1), ('*', 2 * n)], |n| n == 10).graded();
    let violation = check::graded(&not_graded, 100).unwrap_err();
    let expected = "state 3: it is in layer 2, and its successor 4 in layer 2";
    assert_eq!(violation.to_string(), expected);
}

#[test]
fn sets_forget_states() {
    fn forgets<V: Visited<u64>>(grows: bool) {
        let numbers =
            from_fn([0_u64], |n| [((), n + 1)], |_| false).with_ranks(1 << 20, |n| n, |rank| rank);
        let erased = Erased::new(&numbers).with_ranks();
        let memory = Memory::unlimited();
        let mut set = V::new(&erased.properties(), &memory).unwrap();
        let add = |set: &mut V| -> usize {
            let blocks = (0..1 << 20).step_by(256).map(|first| {
                // A state is its rank.
                let states: Vec<u64> = (first..first + 256).collect();
                set.make_room(256).unwrap();
                set.insert_all(&states, &states, &mut [0; 256])
            });
            blocks.sum()
        };
        assert_eq!((add(&mut set), add(&mut set)), (1 << 20, 0));
        let held = memory.held_bytes();
        set.forget();
        assert_eq!(2 * memory.held_bytes() < held, grows);
        assert_eq!(add(&mut set), if grows { 1 << 20 } else { 0 });
    }
    forgets::<Adaptive<u64>>(true);
    forgets::<Table<u64>>(true);
    forgets::<CompactTable>(true);
    forgets::<RankSet>(false);
}

#[test]
fn a_table_of_ranks_becomes_bits_on_any_number_of_threads() {
    const RANKS: u32 = 1 << 24;
    // One rank in sixteen is reached.
    let space = from_fn(
        [0_u32],
        |n| [16, 16 * 1001, 16 * 77_777].map(|step| (step, (n + step) % RANKS)),
        |n| n == 16 * 999_999,
    )
    .with_ranks(RANKS.into(), Into::into, |rank| rank as u32);
    // Less than eight times the bits, so that they are not there from the start.
    let limits = Limits { memory_bytes: Some(15 << 20), ..Limits::default() };
    let plain = Search::new(&space).explore(|_, _| ControlFlow::Continue(()));
    assert_eq!(plain.states(), 1 << 20);
    for threads in [1, 2] {
        let threads = NonZero::new(threads).unwrap();
        let search = || Search::new(&space).ranked().threads(threads).limits(limits);
        let ranked = search().explore(|_, _| ControlFlow::Continue(()));
        assert_eq!(ranked.layers, plain.layers);
        let choice = ranked.representation.expect("layers");
        assert_eq!(choice.representation, Representation::TwoBits, "two bits fit, a table may not");

        let outcome = search().engine(Engine::Bfs).unwrap().run();
        let choice = outcome.representation.expect("a breadth-first search");
        assert_eq!(choice.representation, Representation::Bits);
        assert_eq!(choice.reason, "a table of ranks becomes bits when it has many of them");
        let unranked = Search::new(&space).engine(Engine::Bfs).unwrap().run();
        assert_eq!(outcome.verdict, unranked.verdict);
        assert_eq!(unranked.representation.expect("a search").reason, "the states have no ranks");
        // The states of all layers take 4 MiB, the bits 2; a table of as many numbers takes 5.
        let bytes = outcome.stats.bytes;
        assert!(bytes < if threads == TWO { 10 << 20 } else { 8 << 20 }, "{bytes}");
    }
}

#[test]
fn a_plan_has_its_moves_and_states() {
    let numbers = |target| {
        from_fn(
            [1_u32],
            move |n| [('+', n + 1), ('*', 2 * n)].into_iter().filter(move |&(_, n)| n <= target),
            move |n| n == target,
        )
    };
    let ten = numbers(10);
    let plan = Search::new(&ten).plan().unwrap().expect("10 is reached");
    assert_eq!((plan.cost(), plan.states()), (4, &[1, 2, 4, 5, 10][..]));
    assert_eq!((&plan).into_iter().collect::<String>(), "+*+*");
    assert_eq!(plan.moves(), plan.clone().into_iter().collect::<Vec<_>>());

    let odd = from_fn([1_u32], |n| [((), (n + 2) % 100)], |n| n == 4);
    assert_eq!(Search::new(&odd).plan(), Ok(None));

    let limits = Limits { states: Some(3), ..Limits::default() };
    let stopped = Search::new(&ten).limits(limits).plan().unwrap_err();
    assert_eq!((stopped.limit, stopped.lower_bound), (Limit::States, 3));
    assert_eq!(stopped.to_string(), "out of states: every plan costs at least 3");
}

#[test]
fn a_loop_over_layers_sees_those_of_an_exploration() {
    let tiles = Tiles::new(3, 3, 0x8_7654_3210);
    let mut expected = vec![Vec::new(); 32];
    Search::new(&tiles).explore(|depth, state| {
        expected[depth as usize].push(state);
        ControlFlow::Continue(())
    });
    let search = Search::new(&tiles).predecessors().ranked();
    let layers = |search: &Search<'_, Tiles>| -> Vec<Vec<u64>> {
        (0..)
            .zip(search.layers())
            .map(|(depth, layer)| {
                let layer = layer.unwrap();
                assert_eq!(layer.depth, depth);
                layer.states
            })
            .collect()
    };
    assert_eq!(layers(&search), expected);
    let mut on_two = layers(&search.threads(TWO));
    for layer in on_two.iter_mut().chain(&mut expected) {
        layer.sort_unstable();
    }
    assert_eq!(on_two, expected);

    // The clock starts, and the limits count, for each loop.
    let limits = Limits { states: Some(1000), ..Limits::default() };
    let search = Search::new(&tiles).limits(limits);
    for _ in 0..2 {
        let mut layers = search.layers();
        let complete = layers.by_ref().take_while(Result::is_ok).flatten();
        let states: usize = complete.map(|layer| layer.states.len()).sum();
        assert!((1000..2000).contains(&states), "{states}");
        assert!(layers.next().is_none());
    }
    let ended: Vec<_> = search.layers().filter_map(Result::err).collect();
    assert_eq!(ended, [Limit::States]);
}

#[test]
fn a_representation_that_a_search_cannot_have_stops_it() {
    let tiles = Tiles::new(3, 3, 0x8_7654_3210);
    let storage = Storage::default().with_representation(Representation::TwoBits);
    let budget = Budget::unlimited().with_storage(storage);
    let search = || Search::new(&tiles).budget(&budget);
    let message = |limit: Option<Limit>| limit.expect("a limit").to_string();
    let expected = "the representation `two-bits` is not available: \
                    it needs ranks, which these states do not have";
    let explored = search().explore(|_, _| ControlFlow::Continue(()));
    assert_eq!(message(explored.limit()), expected);
    assert_eq!(message(search().layers().find_map(Result::err)), expected);
    assert_eq!(message(search().plan().err().map(|stopped| stopped.limit)), expected);
    let ranked = search().ranked().explore(|_, _| ControlFlow::Continue(()));
    assert_eq!((ranked.states(), ranked.end), (181_440, End::Complete));
}

#[test]
fn what_closures_expect_decides_the_representation_and_the_width() {
    let numbers = |expected| {
        from_fn([0_u64], |n| [1, 999].map(|step| (step, (n + step) % 100_000)), |_| false)
            .with_state_bits(17)
            .with_expected_states(expected)
            .with_ranks(1 << 40, |n| n << 23, |rank| rank >> 23)
    };
    let choice = |expected: usize| {
        let space = numbers(expected);
        assert_eq!((space.state_bits(), space.expected_states()), (17, expected));
        let found = Search::new(&space).ranked().count_layers(|_, _| ControlFlow::Continue(()));
        assert_eq!(found.states(), 100_000);
        found.representation.expect("layers").reason
    };
    assert_eq!(choice(100_000), "few of the ranks are expected");
    assert_eq!(choice(0), "a table of ranks becomes bits when it has many of them");
}
