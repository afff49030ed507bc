//! Searches that are stopped go on to the same answer: by any store, after any failed operation,
//! and after the power was lost.

use std::io::ErrorKind;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::checkpoint::{Checkpoint, CheckpointError, Description};
use fewest_core::disk::{Disk, Files, RESERVED_BYTES};
use fewest_core::explore::{End, Exploration, explore_in};
use fewest_core::memory::Memory;
use fewest_core::outcome::Verdict;
use fewest_core::seam::{Batch, Erased, Full, Properties, SearchSpace, SpaceView};
use fewest_core::search::Search;
use fewest_core::space::from_fn;
use fewest_core::storage::Storage;
use fewest_core::store::{LayerStore, OneThread, Runs, Sharded, TwoBits, TwoBitsOnDisk};
use fewest_core::visited::{CompactTable, RankSet, Table};
use fewest_core::{Ranked, StateSpace};
use proptest::prelude::*;

use crate::by_set::bfs;
use crate::spaces::sliding_tile::{Grid, Tiles};
use crate::spaces::{Interrupting, Wide};
use crate::test_files::TestFiles;

fn description() -> Description {
    Description::new([("puzzle", "tiles"), ("board", "first\nsecond")])
}

fn disk(files: &TestFiles) -> Disk {
    Disk::with_files("saved", Arc::new(files.clone()))
}

fn saved(checkpoint: Checkpoint) -> Storage {
    Storage::default().with_checkpoint(checkpoint)
}

/// Opens the checkpoint. With `parts`, a part of a layer is written as often as possible.
fn open(files: &TestFiles, parts: bool) -> Checkpoint {
    let checkpoint = Checkpoint::open(&disk(files), &description()).expect("usable");
    if parts { checkpoint.with_part_interval(Duration::ZERO) } else { checkpoint }
}

fn tiles() -> Tiles {
    Tiles::new(2, 3, Grid::new(2, 3).goal())
}

const STORES: usize = 7;
const TWO_BITS: usize = 4;
const TWO_BITS_ON_DISK: usize = 6;

/// Explores with one of the stores. If `only_counts`, two layers are kept.
fn explore_with<S: Ranked<State = u64>>(
    tiles: &S,
    store: usize,
    only_counts: bool,
    files: &TestFiles,
    budget: &Budget,
) -> Exploration {
    let (memory, two) = (budget.memory(), NonZero::new(2).expect("not 0"));
    let scratch = Disk::with_files("scratch", Arc::new(files.clone()));
    // As if the caller promised it.
    let erased = Undirected(Erased::new(tiles).with_ranks());
    let view = &SpaceView::new(&erased);
    let store: Result<Box<dyn LayerStore<u64>>, Limit> = match store {
        0 => Ok(Box::new(OneThread::<_, Table<_>>::new(view, memory).expect("memory"))),
        1 => Ok(Box::new(OneThread::<_, CompactTable>::new(view, memory).expect("memory"))),
        2 => Ok(Box::new(Sharded::<_, RankSet>::new(view, two, memory).expect("memory"))),
        3 => Ok(Box::new(Sharded::<_, Table<_>>::new(view, two, memory).expect("memory"))),
        TWO_BITS => Ok(Box::new(TwoBits::new(view, two, memory).expect("memory"))),
        TWO_BITS_ON_DISK => {
            TwoBitsOnDisk::new(view, &scratch, two, 0, memory).map(|store| Box::new(store) as _)
        }
        _ => Runs::new(&scratch, 2, two, 0, memory).map(|store| Box::new(store) as _),
    };
    match store {
        Ok(mut store) => explore_in(*view, &mut *store, only_counts, budget, &mut |_, _| {
            Ok(ControlFlow::Continue(()))
        }),
        Err(limit) => Exploration::stopped(limit, budget),
    }
}

/// A space that is undirected.
struct Undirected<'a, S: StateSpace>(Erased<'a, S>);

impl<S: StateSpace> SearchSpace<S::State> for Undirected<'_, S> {
    fn properties(&self) -> Properties {
        let mut properties = self.0.properties();
        properties.is_undirected = true;
        properties
    }

    fn initial(&self, emit: &mut dyn FnMut(S::State)) {
        self.0.initial(emit);
    }

    fn goals(&self, emit: &mut dyn FnMut(S::State)) {
        self.0.goals(emit);
    }

    fn successors(
        &self,
        states: &[S::State],
        tags: &[u32],
        at: &mut usize,
        out: &mut Batch<S::State>,
        full: Full<'_, S::State>,
    ) {
        self.0.successors(states, tags, at, out, full);
    }

    fn predecessors(
        &self,
        states: &[S::State],
        at: &mut usize,
        out: &mut Batch<S::State>,
        full: Full<'_, S::State>,
    ) {
        self.0.predecessors(states, at, out, full);
    }

    fn goals_among(&self, states: &[S::State], emit: &mut dyn FnMut(S::State)) {
        self.0.goals_among(states, emit);
    }

    fn least_leading_to(
        &self,
        states: &[S::State],
        target: S::State,
        cost: u32,
        least: Option<S::State>,
        poll: &mut dyn FnMut(bool) -> ControlFlow<()>,
    ) -> Option<S::State> {
        self.0.least_leading_to(states, target, cost, least, poll)
    }

    fn rank(&self, states: &[S::State], ranks: &mut [u64]) {
        self.0.rank(states, ranks);
    }

    fn unrank(&self, ranks: &[u64], states: &mut [S::State]) {
        self.0.unrank(ranks, states);
    }
}

fn layers() -> Vec<u64> {
    explore_with(&tiles(), 0, false, &TestFiles::default(), &Budget::unlimited()).layers
}

proptest! {
    #![proptest_config(fewest_testing::cases(128))]

    #[test]
    fn an_exploration_that_is_stopped_goes_on_with_any_store(
        stops in prop::collection::vec((0..STORES, 1u64..200, any::<bool>()), 0..6),
        last in 0..STORES,
        only_counts: bool,
        has_ranks: bool,
    ) {
        // Two bits per rank start with ranks, which no other store reads.
        let store_of = |store| match (has_ranks, store) {
            (true, store) => if store % 2 == 0 { TWO_BITS } else { TWO_BITS_ON_DISK },
            (false, store) => store,
        };
        let (files, tiles, layers) = (TestFiles::default(), tiles(), layers());
        if !has_ranks {
            let limits = Limits { states: Some(1), ..Limits::default() };
            let budget = Budget::new(limits).with_storage(saved(open(&files, false)));
            explore_with(&tiles, 0, only_counts, &files, &budget);
        }
        let mut done = u32::from(!has_ranks) * 2;
        for (store, states, parts) in stops {
            let checkpoint = open(&files, parts);
            prop_assert_eq!(checkpoint.found().layers, done);
            let limits = Limits { states: Some(states), ..Limits::default() };
            let budget = Budget::new(limits).with_storage(saved(checkpoint));
            let found = explore_with(&tiles, store_of(store), only_counts, &files, &budget);
            prop_assert!(layers.starts_with(&found.layers));
            prop_assert!(found.layers.len() as u32 >= done);
            done = found.layers.len() as u32;
        }
        let budget = Budget::unlimited().with_storage(saved(open(&files, true)));
        let found = explore_with(&tiles, store_of(last), only_counts, &files, &budget);
        prop_assert_eq!(found.layers, layers);
        prop_assert_eq!(found.end, End::Complete);
        // Each state is expanded once, over all of the searches.
        prop_assert_eq!(found.stats.expanded, 360);
    }

    #[test]
    fn a_search_in_a_directed_space_goes_on_to_the_same_plan(
        stops in prop::collection::vec(1u64..80, 0..5),
        goal in 0u64..300,
    ) {
        let (files, space) = (TestFiles::default(), numbers([1, 1], goal));
        let search = |budget: &Budget| {
            bfs::search::<Table<_>, _>(&space, budget).verdict
        };
        let expected = search(&Budget::unlimited());
        for states in stops {
            let checkpoint = Checkpoint::open(&disk(&files), &description()).expect("usable");
            let limits = Limits { states: Some(states), ..Limits::default() };
            let found = search(&Budget::new(limits).with_storage(saved(checkpoint)));
            if !matches!(found, Verdict::Stopped { .. }) {
                prop_assert_eq!(found, expected.clone());
            }
        }
        let checkpoint = Checkpoint::open(&disk(&files), &description()).expect("usable");
        prop_assert_eq!(search(&Budget::unlimited().with_storage(saved(checkpoint))), expected);
    }
}

/// Lets `count` changes of files fail, from each one on, and goes on after that.
fn fail_at_each_change(store: usize, only_counts: bool, count: u64, loses_power: bool) {
    let (tiles, layers) = (tiles(), layers());
    for change in 0.. {
        let files = TestFiles::default();
        files.fail(Some((change, count)));
        let opened = Checkpoint::open(&disk(&files), &description());
        if let Ok(checkpoint) = opened {
            let budget = Budget::unlimited().with_storage(saved(checkpoint.clone()));
            let found = explore_with(&tiles, store, only_counts, &files, &budget);
            assert!(layers.starts_with(&found.layers), "change {change}");
            assert!(found.end != End::Complete || found.layers == layers, "change {change}");
            let failed = found.end != End::Complete || checkpoint.take_error().is_some();
            if let End::Limit(limit) = found.end {
                assert_eq!(limit, Limit::Io(ErrorKind::StorageFull), "change {change}");
            }
            if !files.has_failed() {
                assert!(!failed && change > 50, "all of {change} changes were tried");
                return;
            }
        }
        files.fail(None);
        if loses_power {
            files.lose_power();
        }
        let checkpoint = Checkpoint::open(&disk(&files), &description()).expect("usable");
        let budget = Budget::unlimited().with_storage(saved(checkpoint));
        let found = explore_with(&tiles, store, only_counts, &files, &budget);
        assert_eq!((found.layers, found.end), (layers.clone(), End::Complete), "change {change}");
    }
}

#[test]
fn any_operation_may_fail() {
    for (store, only_counts) in
        [(0, false), (2, true), (TWO_BITS, true), (5, false), (5, true), (6, true)]
    {
        fail_at_each_change(store, only_counts, u64::MAX, false);
        fail_at_each_change(store, only_counts, 1, false);
    }
}

#[test]
fn the_power_may_be_lost_at_any_time() {
    for (store, only_counts) in [(0, false), (0, true), (TWO_BITS, true), (5, true), (6, true)] {
        fail_at_each_change(store, only_counts, u64::MAX, true);
        // A sync that fails once must not count as done later.
        fail_at_each_change(store, only_counts, 1, true);
    }
}

/// Stops explorations that write parts of layers at these changes of files, and goes on with
/// another store. Returns how often it went on from a part.
fn stop_in_parts(
    columns: usize,
    rows: usize,
    stores: [usize; 2],
    changes: impl IntoIterator<Item = u64>,
) -> usize {
    let tiles = Tiles::new(columns, rows, Grid::new(columns, rows).goal());
    let expected =
        explore_with(&tiles, 2, false, &TestFiles::default(), &Budget::unlimited()).layers;
    let mut parts = 0;
    for change in changes {
        let files = TestFiles::default();
        let first = Budget::unlimited().with_storage(saved(open(&files, true)));
        files.fail(Some((change, u64::MAX)));
        let found = explore_with(&tiles, stores[0], true, &files, &first);
        drop(first);
        if !files.has_failed() {
            assert_eq!((found.layers, found.end), (expected, End::Complete));
            return parts;
        }
        assert!(expected.starts_with(&found.layers), "change {change}");
        files.fail(None);
        if change % 2 == 0 {
            files.lose_power();
        }
        let names = files.names(Path::new("saved/search-0")).unwrap_or_default();
        let has_part = names.iter().any(|name| name.starts_with("added"));
        parts += usize::from(has_part);
        let budget = Budget::unlimited().with_storage(saved(open(&files, false)));
        let found = explore_with(&tiles, stores[1], true, &files, &budget);
        assert_eq!((found.layers, found.end), (expected.clone(), End::Complete), "{change}");
        // What is expanded a second time is not counted.
        assert_eq!(found.stats.expanded, expected.iter().sum::<u64>(), "change {change}");
        let names = files.names(Path::new("saved/search-0")).expect("a folder");
        assert!(!names.iter().any(|name| name.contains("added") || name.contains("rest")));
    }
    parts
}

#[test]
fn a_search_goes_on_in_the_middle_of_a_layer_with_any_store() {
    let small = [[0, 3], [3, 1], [TWO_BITS, TWO_BITS_ON_DISK], [3, 5], [2, 0]];
    for stores in small {
        let parts = stop_in_parts(2, 4, stores, (0..).map(|step| 20 * step * step));
        assert!(parts > 2, "{stores:?}: {parts}");
    }
    for stores in [[5, 2], [TWO_BITS_ON_DISK, TWO_BITS]] {
        let parts = stop_in_parts(2, 5, stores, [1000, 2001, 4000]);
        assert!(parts > 0, "{stores:?}: {parts}");
    }
}

/// If the first chunks have no states, a part has no generated ones. Those of the layer are
/// expanded from the rest, and must not be current again.
#[test]
fn a_part_may_have_no_generated_states() {
    let tiles = Tiles::new(2, 4, Grid::new(2, 4).goal());
    let expected = explore_with(&tiles, 0, true, &TestFiles::default(), &Budget::unlimited());
    let mut empty = 0;
    for change in 30..400 {
        let files = TestFiles::default();
        let first = Budget::unlimited().with_storage(saved(open(&files, true)));
        files.fail(Some((change, u64::MAX)));
        explore_with(&tiles, TWO_BITS, true, &files, &first);
        drop(first);
        files.fail(None);
        let folder = Path::new("saved/search-0");
        let names = files.names(folder).unwrap_or_default();
        let added = names.iter().find(|name| name.starts_with("added"));
        empty += u32::from(added.is_some_and(|name| files.len_of(&folder.join(name)) == 0));
        let budget = Budget::unlimited().with_storage(saved(open(&files, false)));
        let found = explore_with(&tiles, TWO_BITS, true, &files, &budget);
        assert_eq!((&found.layers, found.end), (&expected.layers, End::Complete), "{change}");
    }
    assert!(empty > 0, "no part without generated states");
}

const MAX_INTERRUPTIONS: u32 = 40;

/// Interrupts explorations after this number of expansions each, up to 40 times, until one is
/// complete. Returns how often they were interrupted.
fn interrupt_often<S: Ranked<State = u64>>(space: &S, store: usize, expansions: u64) -> u32 {
    let expected = explore_with(space, 2, false, &TestFiles::default(), &Budget::unlimited());
    let (files, mut expanded) = (TestFiles::default(), 0);
    for interrupted in 0.. {
        let end = if interrupted < MAX_INTERRUPTIONS { expansions } else { u64::MAX };
        let space = Interrupting::new(space, end);
        let budget = Budget::unlimited().cancelled_by(Arc::clone(&space.flag));
        let budget = budget.with_progress(Arc::default());
        // Also a layer that takes no second loses nothing.
        let budget = budget.with_storage(saved(open(&files, true)));
        let found = explore_with(&space, store, true, &files, &budget);
        let here = space.expanded.into_inner();
        expanded += here;
        if found.end == End::Complete {
            assert_eq!(found.layers, expected.layers, "{store}: {expansions}");
            let states: u64 = expected.layers.iter().sum();
            assert_eq!(found.stats.expanded, states, "{store}: {expansions}");
            // A state is expanded again only if its successors were not all generated.
            let again = expanded - states;
            assert!(again <= u64::from(interrupted) * 2, "{store}: {expansions}: {again}");
            return interrupted;
        }
        assert_eq!(found.end, End::Limit(Limit::Cancelled));
        assert!(here >= end, "{store}: {expansions}: {here}");
    }
    unreachable!("it makes progress")
}

#[test]
fn an_interrupted_search_loses_no_expansion() {
    let tiles = Tiles::new(2, 4, Grid::new(2, 4).goal());
    for store in 0..STORES {
        for expansions in [1, 77, 1500, 4000] {
            assert!(interrupt_often(&tiles, store, expansions) > 2, "{store}: {expansions}");
        }
    }
}

/// Threads meet a limit while others need room.
#[test]
fn an_interrupted_search_loses_nothing_while_its_table_grows() {
    let tiles = Tiles::new(2, 4, Grid::new(2, 4).goal());
    for expansions in (300..3000).step_by(111) {
        interrupt_often(&tiles, 3, expansions);
    }
}

/// The commit of a store on disk is interrupted, also after some of its files were written.
#[test]
fn an_interrupted_commit_loses_nothing() {
    let tiles = Tiles::new(2, 5, Grid::new(2, 5).goal());
    let expected = explore_with(&tiles, 2, true, &TestFiles::default(), &Budget::unlimited());
    for store in [5, TWO_BITS_ON_DISK] {
        let files = TestFiles::default();
        explore_with(&tiles, store, true, &files, &Budget::unlimited());
        let changes = files.changes();
        for part in [2, 5, 8] {
            let files = TestFiles::default();
            let flag = files.interrupt(changes * part / 10 + 7 * part);
            let budget = Budget::unlimited().cancelled_by(flag);
            let budget = budget.with_storage(saved(open(&files, false)));
            let stopped = explore_with(&tiles, store, true, &files, &budget);
            assert_eq!(stopped.end, End::Limit(Limit::Cancelled), "{store}: {part}");
            drop(budget);
            let budget = Budget::unlimited().with_storage(saved(open(&files, false)));
            let found = explore_with(&tiles, store, true, &files, &budget);
            assert_eq!(found.layers, expected.layers, "{store}: {part}");
            assert_eq!(found.stats.expanded, expected.states(), "{store}: {part}");
        }
    }
}

#[test]
fn a_state_with_many_successors_may_be_interrupted() {
    for store in 0..STORES {
        assert!(interrupt_often(&Wide, store, 3) > 2, "{store}");
    }
}

#[test]
fn a_search_stops_before_the_disk_is_full() {
    let full = End::Limit(Limit::Io(ErrorKind::StorageFull));
    for store in [0, 5, TWO_BITS_ON_DISK] {
        let files = TestFiles::default();
        files.set_free(RESERVED_BYTES - 1);
        let explore = || {
            let budget = Budget::unlimited().with_storage(saved(open(&files, false)));
            explore_with(&tiles(), store, true, &files, &budget)
        };
        assert_eq!(explore().end, full, "{store}");
        files.set_free(RESERVED_BYTES);
        assert_eq!(explore().layers, layers(), "{store}");
    }
}

#[test]
fn flipped_bits_are_found_in_each_kind_of_file() {
    let (files, tiles) = (TestFiles::default(), Tiles::new(2, 4, Grid::new(2, 4).goal()));
    let explore = |checkpoint, states| {
        let limits = Limits { states, ..Limits::default() };
        let budget = Budget::new(limits).with_storage(saved(checkpoint));
        explore_with(&tiles, 0, false, &files, &budget)
    };
    explore(open(&files, true), Some(9000));
    let names = files.names(Path::new("saved/search-0")).expect("a folder");
    let part = ["rest-", "added-"].map(|kind| {
        let name = names.iter().find(|name| name.starts_with(kind));
        format!("search-0/{}", name.expect("a part of a layer"))
    });
    let kinds = ["question", "search-0/layers", "search-0/layer-0", "search-0/layer-12"];
    for kind in kinds.into_iter().chain(part.iter().map(String::as_str)) {
        let path = Path::new("saved").join(kind);
        let bits = 8 * files.len_of(&path);
        for flip in 0..1000 {
            // All bits, or a thousand of them.
            let bit = if bits <= 1000 { flip % bits } else { flip * 7919 % bits };
            files.flip(&path, bit);
            match Checkpoint::open(&disk(&files), &description()) {
                Ok(checkpoint) => {
                    let end = explore(checkpoint, None).end;
                    assert!(matches!(end, End::Limit(Limit::Io(_))), "{kind}: {bit}: {end:?}");
                }
                Err(CheckpointError::Damaged(_)) => {}
                Err(error) => panic!("{kind}: {bit}: {error}"),
            }
            files.flip(&path, bit);
        }
    }
    let found = explore(open(&files, false), None);
    let expected = explore_with(&tiles, 0, false, &TestFiles::default(), &Budget::unlimited());
    assert_eq!((found.layers, found.end), (expected.layers, End::Complete));
}

/// The search is about half of the layers of 2x4 tiles, so that a part of the next layer is there,
/// too.
fn stopped_in_a_part(files: &TestFiles, description: &Description, states: u64) {
    let tiles = Tiles::new(2, 4, Grid::new(2, 4).goal());
    let checkpoint = Checkpoint::open(&disk(files), description).expect("usable");
    let limits = Limits { states: Some(states), ..Limits::default() };
    let checkpoint = checkpoint.with_part_interval(Duration::ZERO);
    let budget = Budget::new(limits).with_storage(saved(checkpoint));
    explore_with(&tiles, 0, false, files, &budget);
}

/// Why an exploration does not go on; `None` if it does.
fn refusal(files: &TestFiles, description: &Description) -> Option<String> {
    let tiles = Tiles::new(2, 4, Grid::new(2, 4).goal());
    let checkpoint = match Checkpoint::open(&disk(files), description) {
        Ok(checkpoint) => checkpoint,
        Err(error) => return Some(error.to_string()),
    };
    let budget = Budget::unlimited().with_storage(saved(checkpoint.clone()));
    let end = explore_with(&tiles, 0, false, files, &budget).end;
    let error = checkpoint.take_error().map(|error| error.to_string());
    assert_eq!(error.is_none(), end == End::Complete, "{end:?}");
    error
}

/// The space is the same, so that nothing but the head of a file can say that it is of another
/// search.
#[test]
fn files_of_other_questions_searches_and_depths_are_refused() {
    let other_question = Description::new([("puzzle", "tiles"), ("board", "first\nthird")]);
    let (files, other) = (TestFiles::default(), TestFiles::default());
    stopped_in_a_part(&files, &description(), 9000);
    stopped_in_a_part(&other, &other_question, 9000);
    let (name, path) = (|start| name_of(&files, start), path_of);
    for kind in ["layers", "layer-0", "layer-12", "rest-", "added-"] {
        let name = name(kind);
        let own = files.contents(&path(&name));
        let others = other.contents(&path(&name_of(&other, kind)));
        assert_ne!(own, others, "{name}");
        files.replace(&path(&name), others);
        let error = refusal(&files, &description()).expect("refused");
        let expected = format!(
            "`{name}` belongs to another search: its board is `first\nthird`, expected `first\nsecond`"
        );
        assert!(error.ends_with(&expected), "{error}");
        files.replace(&path(&name), own);
    }
    for (kind, other) in [("layer-12", "layer-11"), ("rest-", "layer-12"), ("added-", "rest-")] {
        let (name, other) = (name(kind), name(other));
        let own = files.contents(&path(&name));
        files.replace(&path(&name), files.contents(&path(&other)));
        let error = refusal(&files, &description()).expect("refused");
        let expected =
            format!("`{name}` belongs to another search: its file is `{other}`, expected `{name}`");
        assert!(error.ends_with(&expected), "{error}");
        files.replace(&path(&name), own);
    }
    assert_eq!(refusal(&files, &description()), None);
}

/// A layer is the same in each run. What is known of the next one depends on when a run was
/// stopped.
#[test]
fn parts_of_another_run_of_the_same_question_are_refused() {
    let (files, other) = (TestFiles::default(), TestFiles::default());
    stopped_in_a_part(&files, &description(), 9000);
    stopped_in_a_part(&other, &description(), 9200);
    for kind in ["rest-", "added-"] {
        let [own, others] = [&files, &other].map(|files| name_of(files, kind));
        let kept = files.contents(&path_of(&own));
        files.replace(&path_of(&own), other.contents(&path_of(&others)));
        let error = refusal(&files, &description()).expect("refused");
        let expected =
            format!("`{own}` belongs to another search: its file is `{others}`, expected `{own}`");
        assert!(error.ends_with(&expected), "{error}");
        files.replace(&path_of(&own), kept);
    }
    files.replace(&path_of("layer-12"), other.contents(&path_of("layer-12")));
    assert_eq!(refusal(&files, &description()), None);
}

#[test]
fn files_that_are_missing_are_named_and_nothing_else_is_lost() {
    let files = TestFiles::default();
    stopped_in_a_part(&files, &description(), 9000);
    let names = files.names(Path::new("saved/search-0")).expect("a folder");
    for (kind, expected) in [
        ("layers", "is missing"),
        ("layer-12", "layer-12 is missing"),
        ("rest-", "is missing"),
        ("added-", "is missing"),
    ] {
        let name = name_of(&files, kind);
        let [path, elsewhere] = [path_of(&name), PathBuf::from("elsewhere")];
        files.rename(&path, &elsewhere).expect("there");
        let error = refusal(&files, &description()).expect("refused");
        assert!(error.ends_with(expected) && error.contains(&name), "{error}");
        let mut left = files.names(Path::new("saved/search-0")).expect("a folder");
        left.push(name.clone());
        left.sort_unstable();
        assert_eq!(left, names, "{name}");
        files.rename(&elsewhere, &path).expect("there");
    }
    assert_eq!(refusal(&files, &description()), None);
}

/// The folder of the first search is lost, and the second one is there.
#[test]
fn a_search_that_is_missing_before_another_is_refused() {
    let (files, tiles) = (TestFiles::default(), tiles());
    let limits = Limits { states: Some(100), ..Limits::default() };
    let budget = Budget::new(limits).with_storage(saved(open(&files, false)));
    for _ in 0..2 {
        explore_with(&tiles, 0, false, &files, &budget);
    }
    drop(budget);
    for name in files.names(Path::new("saved/search-0")).expect("a folder") {
        files.remove(&path_of(&name)).expect("there");
    }
    let error = Checkpoint::open(&disk(&files), &description()).expect_err("a list is missing");
    let expected = "it contains `search-1/layers`, but `search-0/layers` is missing";
    assert_eq!(error.to_string(), expected);
}

/// The file of the search whose name begins so.
fn name_of(files: &TestFiles, start: &str) -> String {
    let names = files.names(Path::new("saved/search-0")).expect("a folder");
    names.into_iter().find(|name| name.starts_with(start)).expect("a file")
}

fn path_of(name: &str) -> PathBuf {
    Path::new("saved/search-0").join(name)
}

/// Two searches of a description have a folder each.
#[test]
fn files_of_another_search_of_the_same_question_are_refused() {
    let files = TestFiles::default();
    let tiles = tiles();
    let run_twice =
        |budget: &Budget| [(); 2].map(|()| explore_with(&tiles, 0, false, &files, budget).end);
    let limits = Limits { states: Some(100), ..Limits::default() };
    run_twice(&Budget::new(limits).with_storage(saved(open(&files, false))));
    for name in ["layers", "layer-3"] {
        let [first, second] =
            [0, 1].map(|search| Path::new("saved").join(format!("search-{search}")).join(name));
        let own = files.contents(&second);
        files.replace(&second, files.contents(&first));
        let error = match Checkpoint::open(&disk(&files), &description()) {
            Err(error) => error.to_string(),
            Ok(checkpoint) => {
                let budget = Budget::unlimited().with_storage(saved(checkpoint.clone()));
                assert!(matches!(run_twice(&budget)[1], End::Limit(Limit::Io(_))));
                checkpoint.take_error().expect("a reason").to_string()
            }
        };
        let expected =
            format!("`{name}` belongs to another search: its search is `0`, expected `1`");
        assert!(error.ends_with(&expected), "{error}");
        files.replace(&second, own);
    }
}

#[test]
fn checkpoints_of_other_questions_processes_and_folders_are_refused() {
    let files = TestFiles::default();
    let open = |description: &Description| Checkpoint::open(&disk(&files), description);
    let first = open(&description()).expect("usable");
    let error = open(&description()).expect_err("in use").to_string();
    assert_eq!(error, format!("it is in use by process {}", std::process::id()));
    drop(first);
    let other = Description::new([("puzzle", "tiles"), ("board", "third")]);
    let error = open(&other).expect_err("another board").to_string();
    assert_eq!(error, "its board is `first\nsecond`, not `third`");
    let more =
        Description::new([("puzzle", "tiles"), ("board", "first\nsecond"), ("metric", "unit")]);
    let error = open(&more).expect_err("a field more").to_string();
    assert_eq!(error, "its metric is ``, not `unit`");
    let elsewhere = Disk::with_files("saved/search-0", Arc::new(files.clone()));
    open(&description()).map(drop).expect("usable");
    assert!(Checkpoint::open(&elsewhere, &description()).is_ok(), "an empty folder");
    let around = Disk::with_files("", Arc::new(files.clone()));
    let error = Checkpoint::open(&around, &description()).expect_err("other files");
    assert!(matches!(error, CheckpointError::OtherFiles), "{error}");
}

#[test]
fn stores_of_states_do_not_read_ranks() {
    let files = TestFiles::default();
    let explore = |store, budget: Budget| {
        let budget = budget.with_storage(saved(open(&files, false)));
        explore_with(&tiles(), store, true, &files, &budget)
    };
    let limits = Limits { states: Some(50), ..Limits::default() };
    explore(TWO_BITS, Budget::new(limits));
    let end = explore(0, Budget::unlimited()).end;
    assert_eq!(end, End::Limit(Limit::Io(ErrorKind::InvalidData)));
    assert_eq!(explore(TWO_BITS_ON_DISK, Budget::unlimited()).layers, layers());
}

/// Numbers with moves that cannot be undone.
fn numbers(starts: [u64; 2], goal: u64) -> impl StateSpace<State = u64> {
    from_fn(
        starts,
        |number| [(0, (number * 7 + 3) % 257), (1, (number * number + 1) % 257)],
        move |number| number == goal,
    )
}

/// A budget that ends at its first check.
fn over(files: &TestFiles) -> Budget {
    Budget::unlimited()
        .cancelled_by(Arc::new(AtomicBool::new(true)))
        .with_storage(saved(open(files, false)))
}

fn with_states(states: u64, files: &TestFiles) -> Budget {
    let limits = Limits { states: Some(states), ..Limits::default() };
    Budget::new(limits).with_storage(saved(open(files, false)))
}

#[test]
fn a_limit_before_all_layers_are_read_again_takes_nothing_back() {
    let space = numbers([1, 5], 300);
    let bound = |budget: &Budget| match bfs::search::<Table<_>, _>(&space, budget).verdict {
        Verdict::Stopped { lower_bound, .. } => lower_bound,
        verdict => panic!("{verdict:?}"),
    };
    let files = TestFiles::default();
    let proved = bound(&with_states(60, &files));
    assert!(proved > 4, "{proved}");
    let budget = over(&files);
    assert_eq!(bound(&budget), proved);
    let error = budget.storage().checkpoint().and_then(Checkpoint::take_error).expect("an error");
    let expected = format!("interrupted while the saved layers were read: 1 of {proved}");
    assert_eq!(error.to_string(), expected);
    drop(budget);
    // A search that ends sooner than the one before leaves its layers as they are.
    assert_eq!(bound(&with_states(1, &files)), proved);

    let files = TestFiles::default();
    let tiles = tiles();
    let found = explore_with(&tiles, 0, false, &files, &with_states(100, &files));
    let again = explore_with(&tiles, 0, false, &files, &over(&files));
    assert_eq!(again.layers.iter().chain(&again.unread).collect::<Vec<_>>(), {
        found.layers.iter().collect::<Vec<_>>()
    });
    assert!(!again.unread.is_empty() && found.unread.is_empty());
}

/// An exploration does not look for goals, so that its layers prove nothing before a search reads
/// them.
#[test]
fn layers_of_an_exploration_are_no_bound() {
    let (files, space) = (TestFiles::default(), numbers([1, 1], 17));
    let search = |budget: &Budget| bfs::search::<Table<_>, _>(&space, budget).verdict;
    let cost = match search(&Budget::unlimited()) {
        Verdict::Solved { cost, .. } => cost,
        verdict => panic!("{verdict:?}"),
    };
    let explored = Search::new(&space)
        .budget(&with_states(40, &files))
        .explore(|_, _| ControlFlow::Continue(()));
    assert!(explored.layers.len() as u32 > cost + 1);
    assert!(matches!(search(&over(&files)), Verdict::Stopped { lower_bound: 1, .. }));
    let budget = Budget::unlimited().with_storage(saved(open(&files, false)));
    assert!(matches!(search(&budget), Verdict::Solved { cost: found, .. } if found == cost));
}

#[test]
fn directed_spaces_go_on_with_any_store() {
    let (space, memory) = (numbers([1, 5], 300), Memory::unlimited());
    let erased = Erased::new(&space);
    let view = SpaceView::new(&erased);
    let layers_of = |store: Box<dyn LayerStore<u64> + '_>, budget: &Budget| {
        let mut store = store;
        let explored =
            explore_in(view, &mut *store, false, budget, &mut |_, _| Ok(ControlFlow::Continue(())));
        explored.layers
    };
    let two = NonZero::new(2).expect("not 0");
    let in_memory =
        || Box::new(OneThread::<_, Table<_>>::new(&view, &memory).expect("memory")) as _;
    let shards =
        || Box::new(Sharded::<_, Table<_>>::new(&view, two, &memory).expect("memory")) as _;
    let on_disk = |files: &TestFiles| {
        let disk = Disk::with_files("runs", Arc::new(files.clone()));
        Box::new(Runs::new(&disk, usize::MAX, two, 0, &memory).expect("a folder")) as _
    };
    let expected = layers_of(in_memory(), &Budget::unlimited());
    assert!(expected.len() > 8, "{expected:?}");
    for states in 1..60 {
        let files = TestFiles::default();
        let budget = |states| {
            let checkpoint = Checkpoint::open(&disk(&files), &description()).expect("usable");
            Budget::new(Limits { states, ..Limits::default() }).with_storage(saved(checkpoint))
        };
        // One after the other, since a checkpoint belongs to one budget at a time.
        for store in 0..3 {
            let budget = budget(Some(states));
            let stopped = match store {
                0 => layers_of(on_disk(&files), &budget),
                1 => layers_of(shards(), &budget),
                _ => layers_of(in_memory(), &budget),
            };
            assert!(expected.starts_with(&stopped), "{states}");
        }
        assert_eq!(layers_of(on_disk(&files), &budget(None)), expected, "{states}");
        assert_eq!(layers_of(shards(), &budget(None)), expected, "{states}");
    }
}

#[test]
fn searches_use_a_checkpoint_one_after_the_other() {
    let files = TestFiles::default();
    // The sums of the initial states are equal.
    let (first, second) = (numbers([1, 5], 300), numbers([2, 4], 300));
    let explore = |space, budget: &Budget| {
        let search = Search::new(space).budget(budget);
        search.explore(|_, _| ControlFlow::Continue(()))
    };
    let budget = |states| {
        let checkpoint = Checkpoint::open(&disk(&files), &description()).expect("usable");
        Budget::new(Limits { states, ..Limits::default() }).with_storage(saved(checkpoint))
    };
    let expected = [&first, &second].map(|space| explore(space, &Budget::unlimited()).layers);
    for states in [None, Some(20), None] {
        let budget = budget(states);
        let found = [&first, &second].map(|space| explore(space, &budget));
        let all_found = found.each_ref().map(|found| &found.layers);
        if states.is_none() {
            assert_eq!(all_found, expected.each_ref());
        }
    }
    // Other initial states are found, although there are as many.
    let budget = budget(None);
    assert_eq!(explore(&second, &budget).end, End::Limit(Limit::Io(ErrorKind::InvalidData)));
    let error = budget.storage().checkpoint().and_then(Checkpoint::take_error).expect("an error");
    assert_eq!(
        error.to_string(),
        "`saved/search-0`: its initial states are not those of this search"
    );
}

#[test]
fn a_count_of_a_graded_space_keeps_two_layers() {
    // The subsets of twelve things: a move adds one.
    let add =
        |set: u64| (0..12).filter(move |i| set >> i & 1 == 0).map(move |i| ((), set | 1 << i));
    let subsets = from_fn([0_u64], add, |_| false).graded();
    let files = TestFiles::default();
    let mut runs = 0;
    let all = loop {
        let search = Search::new(&subsets);
        let budget = with_states(1000, &files);
        let found = search.budget(&budget).count_layers(|_, _| ControlFlow::Continue(()));
        runs += 1;
        let names = files.names(Path::new("saved/search-0")).expect("a folder");
        let layers = names.iter().filter(|name| name.starts_with("layer-")).count();
        assert!(layers <= 3, "{names:?}");
        if found.end == End::Complete {
            break found;
        }
    };
    assert!(runs > 3, "{runs}");
    assert_eq!(all.layers, [1, 12, 66, 220, 495, 792, 924, 792, 495, 220, 66, 12, 1]);
}
