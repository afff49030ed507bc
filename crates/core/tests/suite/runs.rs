//! Stores on disk find the same layers and plans as stores in memory.

use std::env::temp_dir;
use std::num::NonZero;

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::disk::Disk;
use fewest_core::explore::End;
use fewest_core::memory::Memory;
use fewest_core::outcome::Verdict;
use fewest_core::seam::{Erased, SpaceView};
use fewest_core::store::{Runs, TwoBitsOnDisk};
use fewest_core::visited::Table;
use fewest_core::{StateSpace, Word};
use proptest::prelude::*;

use crate::by_set::{bfs, explore, explore_store};
use crate::spaces::sliding_tile::{Grid, Tiles};
use crate::spaces::wide_graph;

fn runs<W: Word>(undirected: bool, threads: usize) -> Result<Runs<W>, Limit> {
    let repeated_layers = if undirected { 2 } else { usize::MAX };
    let threads = NonZero::new(threads).expect("a thread");
    // The smallest buffers, so that there are many runs.
    Runs::new(&Disk::new(temp_dir()), repeated_layers, threads, 0, &Memory::unlimited())
}

fn layers_in_memory<S: StateSpace>(space: &S) -> Vec<u64> {
    explore::<Table<_>, _>(space, &Budget::unlimited()).layers
}

proptest! {
    #![proptest_config(fewest_testing::cases(128))]

    #[test]
    fn random_graphs_have_the_same_layers_and_plans(
        edges in prop::collection::vec((0u8..60, 0u8..60), 0..120),
        goal in 0u8..60,
        undirected: bool,
        threads in 1usize..4,
    ) {
        let space = wide_graph(&edges, goal, undirected);
        let erased = Erased::new(&space);
        let (view, budget) = (SpaceView::new(&erased), Budget::unlimited());
        let found = explore_store(view, runs(undirected, threads), &budget);
        prop_assert_eq!(found.end, End::Complete);
        prop_assert_eq!(found.layers, layers_in_memory(&space));
        let in_memory = bfs::search::<Table<_>, _>(&space, &budget);
        let on_disk = bfs::search_store(view, runs(undirected, threads), &budget);
        prop_assert_eq!(on_disk.verdict, in_memory.verdict);
    }
}

#[test]
fn tiles_have_the_same_layers_on_disk() {
    let tiles = Tiles::new(2, 4, Grid::new(2, 4).goal());
    let expected = layers_in_memory(&tiles);
    for (undirected, threads) in [(true, 1), (true, 3), (false, 2)] {
        let erased = Erased::new(&tiles);
        let (view, budget) = (SpaceView::new(&erased), Budget::unlimited());
        let found = explore_store(view, runs(undirected, threads), &budget);
        assert_eq!(found.layers, expected);
    }
}

#[test]
fn two_bits_on_disk_have_the_same_layers_with_many_segments() {
    // 1,814,400 ranks are 56,700 words, and a segment has at least 8,192.
    let tiles = Tiles::new(5, 2, Grid::new(5, 2).goal());
    let expected = layers_in_memory(&tiles);
    assert_eq!(expected.iter().sum::<u64>(), 1_814_400);
    for (bytes, threads) in [(0, 1), (1 << 18, 2), (1 << 24, 2)] {
        let threads = NonZero::new(threads).expect("a thread");
        let memory = Memory::unlimited();
        let disk = Disk::new(temp_dir());
        let erased = Erased::new(&tiles).with_ranks();
        let view = SpaceView::new(&erased);
        let store = TwoBitsOnDisk::new(&view, &disk, threads, bytes, &memory).expect("a folder");
        let held = memory.held_bytes();
        assert!((bytes.min(450_000) * 3 / 4..=bytes.max(200 << 10)).contains(&held), "{held}");
        let less = Memory::with_limit(held - 1);
        let refused = TwoBitsOnDisk::new(&view, &disk, threads, bytes, &less);
        assert_eq!(refused.err(), Some(Limit::Memory));
        let found = explore_store(view, Ok::<_, Limit>(store), &Budget::unlimited());
        assert_eq!((found.layers, found.end), (expected.clone(), End::Complete), "{bytes} bytes");
        assert_eq!(found.stats.expanded, 1_814_400);
    }
}

#[test]
fn limits_and_folders_that_cannot_be_made_are_reported() {
    let tiles = Tiles::new(2, 4, Grid::new(2, 4).goal());
    let budget = Budget::new(Limits { states: Some(100), ..Limits::default() });
    let erased = Erased::new(&tiles);
    let view = SpaceView::new(&erased);
    let found = explore_store(view, runs(true, 1), &budget);
    assert_eq!(found.end, End::Limit(Limit::States));
    let one = NonZero::<usize>::MIN;
    let file = std::env::current_exe().expect("this program");
    let store = Runs::<u64>::new(&Disk::new(&file), 2, one, 0, &Memory::unlimited());
    assert!(matches!(store.err(), Some(Limit::Io(_))));
    let store =
        Runs::<u64>::new(&Disk::new(temp_dir()), 2, one, 1 << 30, &Memory::with_limit(1 << 20));
    assert_eq!(store.err(), Some(Limit::Memory));
    // A search is as exact on disk as in memory.
    let outcome = bfs::search_store(view, runs(true, 1), &Budget::unlimited());
    assert!(matches!(outcome.verdict, Verdict::Solved { cost: 0, .. } | Verdict::Unsolvable));
}
