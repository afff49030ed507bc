//! Searches that are distributed over processes have the same layers, plans and counts. Here the
//! processes are threads.

use std::collections::VecDeque;
use std::env::temp_dir;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::checkpoint::{Checkpoint, Description};
use fewest_core::cluster::{Cluster, Received};
use fewest_core::disk::Disk;
use fewest_core::explore::{End, Exploration};
use fewest_core::outcome::Verdict;
use fewest_core::representation::Representation;
use fewest_core::seam::{Erased, SpaceView};
use fewest_core::search::{Engine, Search};
use fewest_core::storage::Storage;
use fewest_core::store::{Distributed, Owners, Sharded};
use fewest_core::visited::{RankSet, Table};
use fewest_core::{Predecessors, Ranked, StateSpace};
use proptest::prelude::*;

use crate::by_set::{self, bfs, explore_store};
use crate::engines::refusing;
use crate::spaces::sliding_tile::{Grid, Tiles};
use crate::spaces::{Star, hub, wide_graph};

/// What all processes share.
#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// For each process, the blocks that it has not received.
    inboxes: Vec<VecDeque<Vec<u8>>>,
    /// The layers that each process has ended, and those whose end it has received.
    ended: Vec<[u64; 2]>,
    /// What each process has passed to the current all-gather, and the result of the last one.
    gathering: Vec<Option<Vec<u8>>>,
    gathered: Vec<Vec<u8>>,
    rounds: u64,
    stopped: Option<Limit>,
    sent_blocks: u64,
}

/// One of several threads that act as processes.
#[derive(Debug)]
pub(crate) struct Thread {
    shared: Arc<Shared>,
    number: usize,
}

/// The blocks to one process that are not received. As few as possible, so that processes wait for
/// each other all the time.
const WINDOW: usize = 1;

impl Thread {
    fn cluster(count: usize) -> (Arc<Shared>, Vec<Arc<Self>>) {
        let shared = Arc::<Shared>::default();
        *shared.lock() = State {
            inboxes: vec![VecDeque::new(); count],
            ended: vec![[0; 2]; count],
            gathering: vec![None; count],
            ..State::default()
        };
        let thread = |number| Arc::new(Self { shared: Arc::clone(&shared), number });
        let threads = (0..count).map(thread).collect();
        (shared, threads)
    }

    fn state(&self) -> Result<MutexGuard<'_, State>, Limit> {
        let state = self.shared.lock();
        state.stopped.map_or(Ok(state), Err)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cluster for Thread {
    fn processes(&self) -> usize {
        self.shared.lock().inboxes.len()
    }

    fn process(&self) -> usize {
        self.number
    }

    fn send(&self, to: usize, block: Vec<u8>) -> Result<Option<Vec<u8>>, Limit> {
        let mut state = self.state()?;
        assert_ne!(to, self.number, "a process keeps its own states");
        if state.inboxes[to].len() == WINDOW {
            return Ok(Some(block));
        }
        assert_eq!(state.ended[self.number][0], state.ended[self.number][1], "the layer has ended");
        state.inboxes[to].push_back(block);
        state.sent_blocks += 1;
        self.shared.changed.notify_all();
        Ok(None)
    }

    fn end_layer(&self) -> Result<(), Limit> {
        self.state()?.ended[self.number][0] += 1;
        self.shared.changed.notify_all();
        Ok(())
    }

    fn receive(&self) -> Result<Received, Limit> {
        let mut state = self.state()?;
        if let Some(block) = state.inboxes[self.number].pop_front() {
            self.shared.changed.notify_all();
            return Ok(Received::Block(block));
        }
        let [ended, received] = state.ended[self.number];
        let have_all_ended = state.ended.iter().all(|&[layers, _]| layers > received);
        if ended > received && have_all_ended {
            state.ended[self.number][1] += 1;
            return Ok(Received::LayerEnd);
        }
        Ok(Received::Nothing)
    }

    fn wait(&self, time: Duration) {
        let state = self.shared.lock();
        let _ = self.shared.changed.wait_timeout(state, time);
    }

    fn all_gather(&self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, Limit> {
        let mut state = self.state()?;
        state.gathering[self.number] = Some(own);
        let round = state.rounds;
        if state.gathering.iter().all(Option::is_some) {
            state.gathered =
                state.gathering.iter_mut().map(|bytes| bytes.take().unwrap()).collect();
            state.rounds += 1;
            self.shared.changed.notify_all();
        }
        while state.rounds == round {
            drop(state);
            self.wait(Duration::from_millis(1));
            state = self.state()?;
        }
        Ok(state.gathered.clone())
    }

    fn stop(&self, limit: Limit) {
        self.shared.lock().stopped.get_or_insert(limit);
        self.shared.changed.notify_all();
    }
}

/// Runs `work` in as many processes. Returns what each of them returns, and the number of blocks.
pub(crate) fn in_processes<T: Send>(
    count: usize,
    work: impl Fn(&Arc<Thread>) -> T + Sync,
) -> (Vec<T>, u64) {
    let (shared, processes) = Thread::cluster(count);
    let results = thread::scope(|scope| {
        let work = &work;
        let run = |process: Arc<Thread>| scope.spawn(move || work(&process));
        let threads: Vec<_> = processes.into_iter().map(run).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let sent = shared.lock().sent_blocks;
    (results, sent)
}

/// How each process keeps its states, and whether on disk.
pub(crate) type Way = (Representation, bool);

pub(crate) const TABLE: Way = (Representation::Table, false);
pub(crate) const BITS: Way = (Representation::Bits, false);
pub(crate) const TWO_BITS: Way = (Representation::TwoBits, false);
pub(crate) const TWO_BITS_ON_DISK: Way = (Representation::TwoBits, true);
pub(crate) const RUNS: Way = (Representation::Runs, true);

/// The budget of one process.
pub(crate) fn within(budget: &Budget, cluster: &Arc<Thread>, way: Way, threads: usize) -> Budget {
    let storage = budget.storage().clone();
    let mut storage = storage.with_cluster(Arc::clone(cluster) as _).with_representation(way.0);
    if way.1 {
        storage = storage.with_disk(Disk::new(temp_dir()));
    }
    let threads = NonZero::new(threads).expect("a thread");
    budget.clone().with_storage(storage).with_threads(threads)
}

/// Explores, and returns also the goals of all processes.
fn explore<S: Predecessors + Ranked>(space: &S, budget: &Budget) -> (Exploration, Vec<S::State>) {
    let mut goals = Vec::new();
    let search = Search::new(space).predecessors().ranked().budget(budget);
    let found = search.explore_layers(|_, layer| {
        let (mut own_goals, mut states) = (Vec::new(), [0]);
        let read = layer.read(&mut |batch| {
            states[0] += batch.len() as u64;
            own_goals.extend(batch.iter().copied().filter(|&state| space.is_goal(state)));
            ControlFlow::Continue(())
        })?;
        layer.sum(&mut states)?;
        assert_eq!(states, [layer.states()]);
        goals.extend(layer.gather(&own_goals)?);
        Ok(read)
    });
    (found, goals)
}

fn alone(tiles: &Tiles) -> Exploration {
    by_set::explore::<RankSet, _>(tiles, &Budget::unlimited())
}

#[test]
fn tiles_have_the_same_layers_in_all_processes() {
    let tiles = Tiles::new(5, 2, Grid::new(5, 2).goal());
    let alone = alone(&tiles);
    assert_eq!(alone.states(), 1_814_400);
    for way in [TABLE, BITS, TWO_BITS, TWO_BITS_ON_DISK, RUNS] {
        for (processes, threads) in [(1, 2), (2, 1), (3, 2)] {
            let (found, sent) = in_processes(processes, |cluster| {
                explore(&tiles, &within(&Budget::unlimited(), cluster, way, threads))
            });
            let context = format!("{way:?}, {processes}, {threads}");
            for (found, goals) in found {
                assert_eq!(found.layers, alone.layers, "{context}");
                assert_eq!(found.end, End::Complete, "{context}");
                assert_eq!(goals, [Grid::new(5, 2).goal()], "{context}");
                assert_eq!(found.stats.expanded, 1_814_400, "{context}");
                // Each move of all states: none is left out.
                assert_eq!(found.stats.generated, 2 * 2_358_720, "{context}");
                assert_eq!(found.stats.peak_frontier, alone.stats.peak_frontier, "{context}");
            }
            assert_eq!(sent > 0, processes > 1, "{context}");
        }
    }
}

#[test]
fn plans_are_the_same_in_all_processes() {
    let tiles = Tiles::new(3, 3, Grid::new(3, 3).goal());
    for rank in [0, 1000, 181_439] {
        let states = [tiles.unrank(rank)];
        let budget = Budget::unlimited();
        let start = &Tiles::new(3, 3, states[0]);
        let expected = bfs::search::<Table<_>, _>(start, &budget);
        assert!(matches!(expected.verdict, Verdict::Solved { .. } | Verdict::Unsolvable));
        for way in [TABLE, BITS, RUNS] {
            let (found, _) = in_processes(2, |cluster| {
                let budget = &within(&budget, cluster, way, 1 + cluster.number);
                let search = || Search::new(&tiles).starting_from(&states).budget(budget);
                let search_forward = search().ranked().engine(Engine::Bfs).unwrap();
                let forward = search_forward.run();
                // One search after the other, by the same processes.
                let search = search().predecessors().ranked().engine(Engine::Bfs).unwrap();
                [forward, search.run()]
            });
            for found in found.into_iter().flatten() {
                assert_eq!(found.verdict, expected.verdict, "{way:?}");
                assert_eq!(found.stats.expanded, expected.stats.expanded, "{way:?}");
            }
        }
    }
}

#[test]
fn a_limit_of_one_process_stops_all() {
    let tiles = Tiles::new(5, 2, Grid::new(5, 2).goal());
    // One process has little memory; then one has no time; then all have a limit on states.
    let limits: [fn(usize) -> Limits; 3] = [
        |process| Limits { memory_bytes: (process == 1).then_some(4 << 20), ..Limits::default() },
        |process| Limits { time: (process == 1).then_some(Duration::ZERO), ..Limits::default() },
        |_| Limits { states: Some(100_000), ..Limits::default() },
    ];
    for (limits, expected) in limits.into_iter().zip([Limit::Memory, Limit::Time, Limit::States]) {
        let (found, _) = in_processes(3, |cluster| {
            explore(&tiles, &within(&Budget::new(limits(cluster.number)), cluster, TABLE, 1)).0
        });
        for found in found {
            assert_eq!(found.end, End::Limit(expected));
            assert!(found.layers.len() < 55);
        }
    }
}

#[test]
fn a_state_can_have_any_number_of_successors() {
    for rays in [1, 63, 64, 65, 129, 4095, 4096, 4097, 8192, 10_000] {
        let star = Star { rays, ..Star::default() };
        for way in [TABLE, BITS, TWO_BITS, RUNS] {
            for threads in [1, 2] {
                let (found, _) = in_processes(2, |cluster| {
                    explore(&star, &within(&Budget::unlimited(), cluster, way, threads)).0
                });
                for found in found {
                    let context = format!("{rays}, {way:?}, {threads}");
                    assert_eq!(found.layers, [1, rays.into()], "{context}");
                    assert_eq!(found.stats.generated, 2 * u64::from(rays), "{context}");
                }
            }
        }
    }
}

#[test]
fn a_space_that_ignores_a_break_is_found() {
    let (found, _) = in_processes(1, |cluster| {
        // It has no room for all of them.
        let star = Star { rays: 1_000_000, continues_after_break: true, ..Star::default() };
        let limits = Limits { memory_bytes: Some(1 << 20), ..Limits::default() };
        let budget = within(&Budget::new(limits), cluster, TABLE, 1);
        catch_unwind(AssertUnwindSafe(|| explore(&star, &budget))).is_err()
    });
    assert_eq!(found, [true]);
}

#[test]
fn no_state_is_lost_if_the_store_of_a_process_often_has_no_room() {
    fn assert_nothing_lost<S: StateSpace>(space: &S, threads: usize) {
        let budget = &Budget::unlimited();
        let expected = by_set::explore::<Table<_>, _>(space, budget);
        let (found, _) = in_processes(2, |cluster| {
            let (erased, cluster) = (Erased::new(space), &**cluster);
            let own = Owners::Hash.own(&SpaceView::new(&erased), cluster);
            let threads = NonZero::new(threads).expect("a thread");
            let store = Sharded::<_, Table<_>>::new(&own, threads, budget.memory());
            let store = Box::new(refusing(store.expect("memory"), usize::MAX));
            let store = Distributed::new(&own, cluster, Owners::Hash, store, budget.memory());
            explore_store(own, store, budget)
        });
        for found in found {
            assert_eq!(found.layers, expected.layers, "{threads}");
            assert_eq!(found.stats.generated, expected.stats.generated, "{threads}");
        }
    }
    for threads in [1, 3] {
        assert_nothing_lost(&Star { rays: 20_000, ..Star::default() }, threads);
        assert_nothing_lost(&hub(), threads);
    }
}

#[test]
fn a_plan_of_several_processes_is_recovered_by_predecessors() {
    let tiles = Tiles::new(3, 3, Grid::new(3, 3).goal());
    let states = [tiles.unrank(1000)];
    let budget = &Budget::unlimited();
    let expected = bfs::search::<Table<_>, _>(&Tiles::new(3, 3, states[0]), budget);
    let (found, _) = in_processes(2, |cluster| {
        let budget = within(budget, cluster, TABLE, 1);
        let search = Search::new(&tiles).starting_from(&states).predecessors().budget(&budget);
        search.engine(Engine::Bfs).unwrap().run()
    });
    for found in found {
        assert_eq!(found.verdict, expected.verdict);
        // One state for each move, instead of whole layers.
        assert_eq!(Some(found.stats.recovered), found.cost().map(u64::from));
    }
}

/// A folder that is removed in the end.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = temp_dir().join(format!("fewest-test-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Goes on from a checkpoint, with a limit on the states that are expanded. Returns also the number
/// of layers that were there.
fn go_on(
    folder: &Folder,
    processes: usize,
    way: Way,
    states: Option<u64>,
) -> Vec<(Exploration, u64)> {
    let tiles = Tiles::new(5, 2, Grid::new(5, 2).goal());
    let description = Description::new([("puzzle", "tiles")]);
    let limits = Limits { states, ..Limits::default() };
    let (found, _) = in_processes(processes, |cluster| {
        let disk = Disk::new(&folder.0);
        let checkpoint =
            Checkpoint::open_in_cluster(&disk, &description, &**cluster).expect("a checkpoint");
        let had = checkpoint.found().layers.into();
        let budget = Budget::new(limits)
            .with_storage(Storage::default().with_checkpoint(checkpoint.clone()));
        let budget = within(&budget, cluster, way, 1 + cluster.number % 2);
        let (explored, _) = explore(&tiles, &budget);
        assert!(checkpoint.take_error().is_none());
        (explored, had)
    });
    found
}

#[test]
fn any_number_of_processes_goes_on_from_a_checkpoint() {
    let tiles = Tiles::new(5, 2, Grid::new(5, 2).goal());
    let alone = alone(&tiles);
    let folder = Folder::new("cluster");
    let mut layers = 0;
    for (processes, way) in
        [(2, TABLE), (3, RUNS), (1, TABLE), (2, TWO_BITS), (2, TABLE), (4, BITS), (3, TABLE)]
    {
        let context = format!("{processes}, {way:?}");
        let mut now = 0;
        for (found, had) in go_on(&folder, processes, way, Some(200_000)) {
            assert_eq!(had, layers, "{context}");
            assert_eq!(found.end, End::Limit(Limit::States), "{context}");
            assert_eq!(found.layers, alone.layers[..found.layers.len()], "{context}");
            let complete: u64 = found.layers[..found.layers.len() - 1].iter().sum();
            assert_eq!(found.stats.expanded, complete, "{context}");
            now = found.layers.len() as u64;
        }
        layers = now;
    }
    assert!(layers > 30, "{layers}");
    for processes in [2, 3, 1] {
        for (found, _) in go_on(&folder, processes, TABLE, None) {
            assert_eq!((found.layers, found.end), (alone.layers.clone(), End::Complete));
            assert_eq!(found.stats.expanded, 1_814_400);
        }
    }
    let list = folder.0.join("process-1-of-2-by-hash/search-0/layers");
    assert!(!list.exists(), "other processes have written the layers again");
    // One process without a cluster.
    let description = Description::new([("puzzle", "tiles")]);
    let checkpoint = Checkpoint::open(&Disk::new(&folder.0), &description).expect("a checkpoint");
    let budget = Budget::unlimited().with_storage(Storage::default().with_checkpoint(checkpoint));
    assert_eq!(by_set::explore::<Table<_>, _>(&tiles, &budget).layers, alone.layers);
}

#[test]
fn one_process_goes_on_from_what_several_have_written() {
    let tiles = Tiles::new(5, 2, Grid::new(5, 2).goal());
    let alone = alone(&tiles);
    let folder = Folder::new("several");
    let had = go_on(&folder, 3, TABLE, Some(300_000))[0].0.layers.len() as u32;
    let description = Description::new([("puzzle", "tiles")]);
    for (states, end) in [(Some(0), End::Limit(Limit::States)), (None, End::Complete)] {
        let checkpoint = Checkpoint::open(&Disk::new(&folder.0), &description).expect("usable");
        assert_eq!(checkpoint.found().layers, had);
        let budget = Budget::new(Limits { states, ..Limits::default() });
        let budget = budget.with_storage(Storage::default().with_checkpoint(checkpoint));
        let found = by_set::explore::<Table<_>, _>(&tiles, &budget);
        assert_eq!((&found.layers[..], found.end), (&alone.layers[..found.layers.len()], end));
        assert_eq!(found.stats.expanded == 1_814_400, states.is_none());
    }
}

/// A search that writes the layers of an exploration again knows of those that it has read that
/// they have no goal, and nothing of the others.
#[test]
fn layers_that_others_explored_are_no_bound() {
    let tiles = Tiles::new(3, 3, Grid::new(3, 3).goal());
    let start = Tiles::new(3, 3, tiles.unrank(1000));
    let Verdict::Solved { cost, .. } =
        bfs::search::<Table<_>, _>(&start, &Budget::unlimited()).verdict
    else {
        panic!("it has a plan");
    };
    let (folder, description) = (Folder::new("explored"), Description::new([("puzzle", "tiles")]));
    let disk = Disk::new(&folder.0);
    let (explored, _) = in_processes(2, |cluster| {
        let checkpoint = Checkpoint::open_in_cluster(&disk, &description, &**cluster);
        let storage = Storage::default().with_checkpoint(checkpoint.expect("a checkpoint"));
        explore(&start, &within(&Budget::unlimited().with_storage(storage), cluster, TABLE, 1)).0
    });
    assert!(explored[0].layers.len() as u32 > cost + 1);
    let checkpoint = Checkpoint::open(&disk, &description).expect("usable");
    let budget = Budget::unlimited()
        .cancelled_by(Arc::new(AtomicBool::new(true)))
        .with_storage(Storage::default().with_checkpoint(checkpoint));
    match bfs::search::<Table<_>, _>(&start, &budget).verdict {
        Verdict::Stopped { lower_bound, .. } => assert_eq!(lower_bound, 1),
        verdict => panic!("{verdict:?}"),
    }
}

#[test]
fn layers_that_not_all_processes_have_do_not_count() {
    let tiles = Tiles::new(5, 2, Grid::new(5, 2).goal());
    let alone = alone(&tiles);
    let folder = Folder::new("uneven");
    let had = go_on(&folder, 2, TABLE, Some(50_000))[0].0.layers.len() as u64;
    let list = folder.0.join("process-1-of-2-by-hash/search-0/layers");
    let early = std::fs::read(&list).expect("a list");
    go_on(&folder, 2, TABLE, Some(400_000));
    // One process has not made its last layers durable.
    std::fs::write(&list, early).expect("written");
    for processes in [2, 3] {
        let (found, layers) = go_on(&folder, processes, TABLE, Some(0)).remove(0);
        assert_eq!(layers, had);
        assert_eq!(found.layers, alone.layers[..had as usize]);
    }
    for (found, _) in go_on(&folder, 2, TABLE, None) {
        assert_eq!(found.layers, alone.layers);
        assert_eq!(found.stats.expanded, 1_814_400);
    }
}

#[test]
fn all_processes_have_to_see_the_same_folder() {
    let folders = [Folder::new("here"), Folder::new("there")];
    let (found, _) = in_processes(2, |cluster| {
        let description = Description::new([("puzzle", "tiles")]);
        let disk = Disk::new(&folders[cluster.number].0);
        let refused = Checkpoint::open_in_cluster(&disk, &description, &**cluster);
        refused.expect_err("another folder").to_string()
    });
    assert_eq!(found, ["process 1 does not see the folder of process 0"; 2]);
}

#[test]
fn files_of_other_processes_and_divisions_are_refused() {
    let folder = Folder::new("swapped");
    go_on(&folder, 2, TABLE, Some(50_000));
    let others = Folder::new("others");
    go_on(&others, 3, TABLE, Some(50_000));
    let tiles = Tiles::new(5, 2, Grid::new(5, 2).goal());
    let description = Description::new([("puzzle", "tiles")]);
    let path = |folder: &Folder, process: usize, processes: usize, name: &str| {
        folder.0.join(format!("process-{process}-of-{processes}-by-hash/search-0/{name}"))
    };
    for name in ["layers", "layer-0", "layer-9"] {
        for (from, found) in [
            (path(&folder, 0, 2, name), "0 of 2 by hash"),
            (path(&others, 1, 3, name), "1 of 3 by hash"),
        ] {
            let own_path = path(&folder, 1, 2, name);
            let own = std::fs::read(&own_path).expect("a file");
            std::fs::copy(from, &own_path).expect("copied");
            // Two processes, and one that reads what they have written.
            for processes in [1, 2] {
                let (errors, _) = in_processes(processes, |cluster| {
                    let disk = Disk::new(&folder.0);
                    match Checkpoint::open_in_cluster(&disk, &description, &**cluster) {
                        Err(error) => Some(error.to_string()),
                        Ok(opened) => {
                            let budget = Budget::unlimited()
                                .with_storage(Storage::default().with_checkpoint(opened.clone()));
                            let budget = within(&budget, cluster, TABLE, 1);
                            let limit = explore(&tiles, &budget).0.limit();
                            assert!(matches!(limit, Some(Limit::Io(_))), "{limit:?}");
                            opened.take_error().map(|error| error.to_string())
                        }
                    }
                });
                let expected = format!(
                    "`{name}` belongs to another search: its process is `{found}`, expected `1 of 2 by hash`"
                );
                let is_expected = |error: &String| error.ends_with(&expected);
                assert!(errors.iter().flatten().any(is_expected), "{errors:?}");
            }
            std::fs::write(&own_path, own).expect("written");
        }
    }
    for (found, _) in go_on(&folder, 2, TABLE, None) {
        assert_eq!(found.layers, alone(&tiles).layers);
    }
}

#[test]
fn a_checkpoint_that_one_process_cannot_read_stops_all() {
    let folder = Folder::new("unreadable");
    go_on(&folder, 2, TABLE, Some(50_000));
    let part = folder.0.join("process-1-of-2-by-hash/search-0");
    for file in std::fs::read_dir(&part).expect("a folder") {
        let file = file.expect("a file").path();
        if file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("layer-")) {
            std::fs::write(&file, "damaged").expect("written");
        }
    }
    let tiles = Tiles::new(5, 2, Grid::new(5, 2).goal());
    let (found, _) = in_processes(2, |cluster| {
        let description = Description::new([("puzzle", "tiles")]);
        let disk = Disk::new(&folder.0);
        let opened =
            Checkpoint::open_in_cluster(&disk, &description, &**cluster).expect("a checkpoint");
        let budget = Budget::unlimited().with_storage(Storage::default().with_checkpoint(opened));
        explore(&tiles, &within(&budget, cluster, TABLE, 1)).0.limit()
    });
    for limit in found {
        assert!(matches!(limit, Some(Limit::Io(_))), "{limit:?}");
    }
}

proptest! {
    #![proptest_config(fewest_testing::cases(32))]

    #[test]
    fn graphs_of_wide_states_are_divided(
        edges in prop::collection::vec((0u8..60, 0u8..60), 0..120),
        goal in 0u8..60,
        undirected: bool,
        processes in 1usize..5,
        on_disk: bool,
    ) {
        let space = wide_graph(&edges, goal, undirected);
        let budget = Budget::unlimited();
        let expected = bfs::search::<Table<_>, _>(&space, &budget).verdict;
        let way = if on_disk { RUNS } else { TABLE };
        let (found, _) = in_processes(processes, |cluster| {
            let budget = within(&budget, cluster, way, 1 + cluster.number % 2);
            let search = Search::new(&space).engine(Engine::Bfs).unwrap().budget(&budget);
            search.run().verdict
        });
        for found in found {
            prop_assert_eq!(&found, &expected);
        }
    }
}
