//! Complete exploration of the sliding-tile spaces of core's example, and Korf's hundred
//! 15-puzzles.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::rc::Rc;

use anyhow::{Context, ensure};
use fewest_bench_variants::tiles::{Idastar, layers_in_a_hash_set};
use fewest_core::budget::{Budget, Limits};
use fewest_core::disk::Disk;
use fewest_core::explore::Exploration;
use fewest_core::representation::Representation;
use fewest_core::search::{Search, idastar};
use fewest_core::storage::Storage;

use super::case::{Case, Work};
use super::measure::Comparison;
use super::processes::{explore_all, in_two_processes};
use super::testdata;

#[path = "../../../crates/core/examples/sliding_tile/tiles.rs"]
mod sliding_tile;

pub(super) use sliding_tile::{FIFTEEN, Grid, Patterns, Tiles, patterns};

/// A sliding-tile space, with the number of states reachable from the ordered tiles and the
/// greatest depth.
pub(super) struct Space {
    pub(super) name: &'static str,
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) states: u64,
    depth: usize,
}

static TINY: [Space; 3] = [
    Space { name: "2x3", width: 3, height: 2, states: 360, depth: 21 },
    Space { name: "2x4", width: 4, height: 2, states: 20_160, depth: 36 },
    Space { name: "3x3", width: 3, height: 3, states: 181_440, depth: 31 },
];
pub(super) static SMALL: Space =
    Space { name: "2x5", width: 5, height: 2, states: 1_814_400, depth: 55 };
static LARGE: Space = Space { name: "3x4", width: 4, height: 3, states: 239_500_800, depth: 53 };

impl Space {
    pub(super) fn start(&self) -> u64 {
        Grid::new(self.width, self.height).goal()
    }

    fn check(&self, layers: &[u64]) -> anyhow::Result<()> {
        let found = (layers.iter().sum::<u64>(), layers.len() - 1);
        let expected = (self.states, self.depth);
        ensure!(found == expected, "found {found:?} states and depth, expected {expected:?}");
        Ok(())
    }

    fn case(
        &'static self,
        id: String,
        about: &str,
        run: impl Fn(&Tiles, &Budget) -> Exploration + 'static,
    ) -> Case {
        let tiles = Tiles::new(self.width, self.height, self.start());
        let explore = move || run(&tiles, &Budget::unlimited());
        Case::new(id, about, explore, |all| {
            self.check(&all.layers)?;
            Ok(Work {
                states: Some(all.states()),
                generated: Some(all.stats.generated),
                bytes: Some(all.stats.bytes),
            })
        })
    }

    fn textbook(&'static self, group: &str) -> Case {
        let (width, height, start) = (self.width, self.height, self.start());
        Case::new(
            format!("{group}.{}.hash-set", self.name),
            "textbook: hash set, one vector per layer",
            move || layers_in_a_hash_set(width, height, start),
            |layers| {
                self.check(layers)?;
                Ok(Work { states: Some(layers.iter().sum()), ..Work::default() })
            },
        )
        .baseline()
    }

    /// Our methods on one thread.
    fn single_threaded(&'static self, group: &str) -> [Case; 3] {
        Method::ALL.map(|method| {
            let run = move |tiles: &Tiles, budget: &Budget| {
                method.explore(tiles, NonZero::<usize>::MIN, budget)
            };
            self.case(format!("{group}.{}.{}", self.name, method.name()), method.about(), run)
        })
    }

    /// Our methods on one thread and on more.
    pub(super) fn methods(&'static self, group: &str) -> Vec<Case> {
        let mut cases = Vec::from(self.single_threaded(group));
        let threads: &[usize] = if self.states > SMALL.states { &[2] } else { &[2, 3, 8] };
        for &threads in threads {
            let number = NonZero::<usize>::new(threads).expect("at least one thread");
            cases.extend(Method::ALL.map(|method| {
                self.case(
                    format!("{group}.{}.{}.{threads}", self.name, method.name()),
                    &format!("{}, {threads} threads", method.about_threads()),
                    move |tiles, budget| method.explore(tiles, number, budget),
                )
            }));
        }
        let id = |method: &str| format!("{group}.{}.{method}.2", self.name);
        cases.extend([
            self.case(id("runs"), "sorted runs of states on disk, 2 threads", on_disk),
            self.case(
                id("processes-table"),
                "2 processes of one thread, over TCP: a packed table in each",
                |tiles, budget| two_processes(tiles, Representation::Table, budget),
            ),
            self.case(
                id("processes-sweep"),
                "2 processes of one thread, over TCP: two bits per rank, swept",
                |tiles, budget| two_processes(tiles, Representation::TwoBits, budget),
            ),
            self.case(
                id("processes-runs"),
                "2 processes of one thread, over TCP: sorted runs of states on disk",
                |tiles, budget| {
                    let disk = Disk::new(std::env::temp_dir());
                    two_processes(
                        tiles,
                        Representation::Runs,
                        &budget.clone().with_storage(Storage::default().with_disk(disk)),
                    )
                },
            ),
        ]);
        cases
    }

    fn comparison(&'static self, large: bool) -> Comparison {
        let cases = [self.textbook("tiles")].into_iter().chain(self.methods("tiles")).collect();
        Comparison {
            title: format!("Sliding tiles {}: all {} states", self.name, self.states),
            cases,
            large,
            ..Comparison::default()
        }
    }
}

/// One of Korf's hundred 15-puzzles, with its published fewest moves and IDA* nodes.
#[derive(Clone)]
pub(super) struct Puzzle {
    pub(super) board: [u8; 16],
    pub(super) moves: u32,
    pub(super) nodes: u64,
}

impl Puzzle {
    pub(super) fn all() -> anyhow::Result<Vec<Self>> {
        let text = testdata("tiles/korf100.tsv")?;
        let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
        rows.map(|row| {
            let mut fields = row.split('\t').skip(1);
            let mut field = || fields.next().with_context(|| format!("too few fields in {row}"));
            let cells: Vec<u8> = field()?.split(' ').map(str::parse).collect::<Result<_, _>>()?;
            let board = cells.try_into().ok().with_context(|| format!("not 16 cells in {row}"))?;
            Ok(Self { board, moves: field()?.parse()?, nodes: field()?.parse()? })
        })
        .collect()
    }

    fn check(&self, moves: Option<u32>, nodes: u64) -> anyhow::Result<()> {
        ensure!(moves == Some(self.moves), "found {moves:?} moves, expected {}", self.moves);
        // Korf also counts the initial state.
        ensure!(nodes + 1 == self.nodes, "found {} nodes, expected {}", nodes + 1, self.nodes);
        Ok(())
    }

    pub(super) fn packed(&self) -> u64 {
        self.board.iter().rev().fold(0, |state, &tile| state << 4 | u64::from(tile))
    }
}

fn korf(puzzles: Vec<Puzzle>, name: &str, large: bool) -> Comparison {
    let number = if large { "all".to_owned() } else { puzzles.len().to_string() };
    let title = format!("IDA* on {number} of Korf's hundred 15-puzzles");
    let puzzles = Rc::new(puzzles);
    let textbook = {
        let (puzzles, all) = (Rc::clone(&puzzles), Rc::clone(&puzzles));
        let solve = move |puzzle: &Puzzle| {
            let mut search = Idastar::new(puzzle.board);
            (search.solve(), search.generated)
        };
        let solve = move || puzzles.iter().map(solve).collect::<Vec<_>>();
        Case::new(
            format!("tiles.{name}.by-hand"),
            "textbook: IDA* in one recursive function",
            solve,
            move |found| {
                all.iter()
                    .zip(found)
                    .try_for_each(|(puzzle, &(moves, nodes))| puzzle.check(Some(moves), nodes))?;
                Ok(Work {
                    generated: Some(found.iter().map(|&(_, nodes)| nodes).sum()),
                    ..Work::default()
                })
            },
        )
        .baseline()
    };
    let ours = {
        let (puzzles, all) = (Rc::clone(&puzzles), Rc::clone(&puzzles));
        let solve = |puzzle: &Puzzle| {
            let tiles = Tiles::new(4, 4, puzzle.packed());
            let outcome = idastar::search_without_table(&tiles, &tiles, &Budget::unlimited());
            (outcome.cost(), outcome.stats)
        };
        let solve = move || puzzles.iter().map(solve).collect::<Vec<_>>();
        Case::new(
            format!("tiles.{name}.idastar"),
            "ours: IDA* through the traits",
            solve,
            move |found| {
                all.iter().zip(found).try_for_each(|(puzzle, &(moves, stats))| {
                    puzzle.check(moves, stats.generated)
                })?;
                let bytes = found.iter().map(|(_, stats)| stats.bytes).max();
                let nodes = found.iter().map(|(_, stats)| stats.generated).sum();
                Ok(Work { generated: Some(nodes), bytes, ..Work::default() })
            },
        )
    };
    let patterns = {
        let all = Rc::clone(&puzzles);
        let solve = move || {
            let budget = Budget::unlimited();
            let patterns = patterns(&Grid::new(4, 4), FIFTEEN, &budget);
            let patterns = patterns.map_err(|limit| anyhow::anyhow!("{limit}"))?;
            let solve = |puzzle: &Puzzle| {
                let tiles = Tiles::new(4, 4, puzzle.packed());
                let outcome = idastar::search_without_table(&tiles, &patterns, &budget);
                (outcome.cost(), outcome.stats.generated)
            };
            anyhow::Ok((
                puzzles.iter().map(solve).collect::<Vec<_>>(),
                budget.memory().peak_bytes(),
            ))
        };
        let about = "ours: IDA* with a 5-5-5 pattern database, including its construction";
        Case::new(format!("tiles.{name}.patterns"), about, solve, move |found| {
            let (found, bytes) = found.as_ref().map_err(|error| anyhow::anyhow!("{error}"))?;
            for (puzzle, &(moves, _)) in all.iter().zip(found) {
                ensure!(
                    moves == Some(puzzle.moves),
                    "found {moves:?} moves, expected {}",
                    puzzle.moves
                );
            }
            let nodes = found.iter().map(|(_, nodes)| nodes).sum();
            Ok(Work { generated: Some(nodes), bytes: Some(*bytes), ..Work::default() })
        })
    };
    // For the easy puzzles the construction of the database takes longer than the searches.
    let cases = [textbook, ours].into_iter().chain(large.then_some(patterns)).collect();
    Comparison { title, cases, large, ..Comparison::default() }
}

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    let hundred = Puzzle::all()?;
    ensure!(hundred.len() == 100, "found {} puzzles, expected 100", hundred.len());
    let growth = Comparison {
        title: "Sliding tiles: cost against size".to_owned(),
        cases: TINY
            .iter()
            .chain([&SMALL])
            .flat_map(|space| {
                [space.textbook("growth")].into_iter().chain(space.single_threaded("growth"))
            })
            .collect(),
        unrelated: true,
        ..Comparison::default()
    };
    let easy = hundred.iter().filter(|puzzle| puzzle.nodes < 3_000_000).cloned().collect();
    Ok(vec![
        SMALL.comparison(false),
        growth,
        korf(easy, "korf-near", false),
        LARGE.comparison(true),
        korf(hundred, "korf", true),
    ])
}

/// How the states are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    Table,
    Bits,
    Sweep,
}

impl Method {
    const ALL: [Self; 3] = [Self::Table, Self::Bits, Self::Sweep];

    fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Bits => "bits",
            Self::Sweep => "sweep",
        }
    }

    fn about(self) -> &'static str {
        match self {
            Self::Table => "hash table",
            Self::Bits => "one bit per rank",
            Self::Sweep => "two bits per rank, swept",
        }
    }

    fn about_threads(self) -> &'static str {
        match self {
            Self::Table => "one hash table per shard",
            other => other.about(),
        }
    }

    fn explore(self, tiles: &Tiles, threads: NonZero<usize>, budget: &Budget) -> Exploration {
        let representation = match self {
            Self::Table => Representation::Table,
            Self::Bits => Representation::Bits,
            Self::Sweep => Representation::TwoBits,
        };
        let budget =
            budget.clone().with_storage(Storage::default().with_representation(representation));
        let search = Search::new(tiles).predecessors().ranked().threads(threads).budget(&budget);
        search.count_layers(|_, _| ControlFlow::Continue(()))
    }
}

/// Explores with sorted runs in files, 128 MiB of buffers, and two threads.
fn on_disk(tiles: &Tiles, _: &Budget) -> Exploration {
    let limits = Limits { memory_bytes: Some(256 << 20), ..Limits::default() };
    let budget = Budget::new(limits).with_storage(
        Storage::default()
            .with_disk(Disk::new(std::env::temp_dir()))
            .with_representation(Representation::Runs),
    );
    let search = Search::new(tiles).predecessors().threads(NonZero::new(2).expect("not 0"));
    search.budget(&budget).count_layers(|_, _| ControlFlow::Continue(()))
}

/// Explores with two processes of one thread.
fn two_processes(tiles: &Tiles, representation: Representation, budget: &Budget) -> Exploration {
    let storage = budget.storage().clone().with_representation(representation);
    let budget = budget.clone().with_storage(storage);
    in_two_processes(&budget, |budget| explore_all(tiles, budget))
}
