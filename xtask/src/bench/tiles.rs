//! The sliding tile spaces of core's example, explored whole, and Korf's hundred 15-puzzles.

use std::fs;
use std::num::NonZero;
use std::rc::Rc;

use anyhow::{Context, ensure};
use fewest_bench_variants::tiles::{Idastar, layers_in_a_hash_set};
use fewest_core::budget::Budget;
use fewest_core::explore::{Exploration, explore, explore_by, sweep};
use fewest_core::search::idastar;
use fewest_core::visited::{DenseBits, SharedBits, SharedTable, Table};

use super::measure::{Case, Comparison, Work};
use crate::root;

#[path = "../../../crates/core/examples/sliding_tile/main.rs"]
mod sliding_tile;

use sliding_tile::{Grid, Tiles};

/// A grid, the states that can be reached from the ordered tiles and the depth of the farthest.
struct Space {
    name: &'static str,
    width: usize,
    height: usize,
    states: u64,
    depth: usize,
}

const SMALL: Space = Space { name: "2x5", width: 5, height: 2, states: 1_814_400, depth: 55 };
const LARGE: Space = Space { name: "3x4", width: 4, height: 3, states: 239_500_800, depth: 53 };

impl Space {
    fn start(&self) -> u64 {
        Grid::new(self.width, self.height).goal()
    }

    fn check(&self, layers: &[u64]) -> anyhow::Result<()> {
        let found = (layers.iter().sum::<u64>(), layers.len() - 1);
        let expected = (self.states, self.depth);
        ensure!(found == expected, "states and depth {found:?}, expected {expected:?}");
        Ok(())
    }

    fn case(&'static self, way: &str, about: &str, run: impl Fn(&Tiles, &Budget) -> Exploration + 'static) -> Case {
        let tiles = Tiles::new(self.width, self.height, self.start());
        let explore = move || run(&tiles, &Budget::unlimited());
        Case::new(format!("tiles.{}.{way}", self.name), about, explore, |all| {
            self.check(&all.layers)?;
            Ok(Work { states: Some(all.states()), nodes: Some(all.stats.generated), bytes: Some(all.stats.bytes) })
        })
    }

    fn comparison(&'static self, large: bool) -> Comparison {
        let (width, height, start) = (self.width, self.height, self.start());
        let one = NonZero::<usize>::MIN;
        let two = one.saturating_add(1);
        let plain = Case::new(
            format!("tiles.{}.hash-set", self.name),
            "textbook: a hash set and a vector a layer",
            move || layers_in_a_hash_set(width, height, start),
            |layers| {
                self.check(layers)?;
                Ok(Work { states: Some(layers.iter().sum()), ..Work::default() })
            },
        );
        let cases = vec![
            plain,
            self.case("table", "packed table", explore::<Table<_>, _>),
            self.case("bits", "a bit a rank", explore::<DenseBits, _>),
            self.case("sweep", "two bits a rank, swept", move |tiles, budget| sweep(tiles, budget, one)),
            self.case("shared-table.2", "shared table, two threads", move |tiles, budget| {
                explore_by::<SharedTable<_>, _>(tiles, budget, two)
            }),
            self.case("bits.2", "a bit a rank, two threads", move |tiles, budget| {
                explore_by::<SharedBits, _>(tiles, budget, two)
            }),
            self.case("sweep.2", "two bits a rank, swept by two threads", move |tiles, budget| {
                sweep(tiles, budget, two)
            }),
        ];
        Comparison {
            title: format!("Sliding tiles {}: all {} states", self.name, self.states),
            cases,
            comparable: true,
            large,
        }
    }
}

/// One of Korf's hundred.
#[derive(Clone)]
struct Puzzle {
    board: [usize; 16],
    moves: u32,
    nodes: u64,
}

impl Puzzle {
    fn all() -> anyhow::Result<Vec<Self>> {
        let path = root().join("testdata/tiles/korf100.tsv");
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
        rows.map(|row| {
            let mut fields = row.split('\t').skip(1);
            let mut field = || fields.next().with_context(|| format!("too few fields: {row}"));
            let cells: Vec<usize> = field()?.split(' ').map(str::parse).collect::<Result<_, _>>()?;
            let board = cells.try_into().ok().with_context(|| format!("not 16 cells: {row}"))?;
            Ok(Self { board, moves: field()?.parse()?, nodes: field()?.parse()? })
        })
        .collect()
    }

    fn packed(&self) -> u64 {
        self.board.iter().rev().fold(0, |state, &tile| state << 4 | tile as u64)
    }
}

fn korf(puzzles: Vec<Puzzle>, name: &str, large: bool) -> Comparison {
    let title = format!("IDA* on {} of Korf's hundred 15-puzzles", puzzles.len());
    let puzzles = Rc::new(puzzles);
    let by_hand = {
        let (puzzles, all) = (Rc::clone(&puzzles), Rc::clone(&puzzles));
        let solve = move |puzzle: &Puzzle| {
            let mut search = Idastar::new(puzzle.board);
            (search.solve(), search.nodes)
        };
        let solve = move || puzzles.iter().map(solve).collect::<Vec<_>>();
        Case::new(format!("tiles.{name}.by-hand"), "textbook: IDA* in one recursive function", solve, move |found| {
            for (puzzle, &(moves, nodes)) in all.iter().zip(found) {
                ensure!(moves == puzzle.moves, "{moves} moves, published {}", puzzle.moves);
                // Korf counts the start, too.
                ensure!(nodes + 1 == puzzle.nodes, "{nodes} nodes and the start, published {}", puzzle.nodes);
            }
            Ok(Work { nodes: Some(found.iter().map(|&(_, nodes)| nodes).sum()), ..Work::default() })
        })
    };
    let ours = {
        let all = Rc::clone(&puzzles);
        let solve = |puzzle: &Puzzle| {
            let tiles = Tiles::new(4, 4, puzzle.packed());
            let outcome = idastar::search_without_table(&tiles, &tiles, &Budget::unlimited());
            (outcome.cost(), outcome.stats)
        };
        let solve = move || puzzles.iter().map(solve).collect::<Vec<_>>();
        Case::new(format!("tiles.{name}.idastar"), "IDA* through the traits", solve, move |found| {
            for (puzzle, &(moves, stats)) in all.iter().zip(found) {
                ensure!(moves == Some(puzzle.moves), "{moves:?} moves, published {}", puzzle.moves);
                let nodes = stats.generated;
                ensure!(nodes + 1 == puzzle.nodes, "{nodes} nodes and the start, published {}", puzzle.nodes);
            }
            let bytes = found.iter().map(|(_, stats)| stats.bytes).max();
            let nodes = found.iter().map(|(_, stats)| stats.generated).sum();
            Ok(Work { nodes: Some(nodes), bytes, ..Work::default() })
        })
    };
    Comparison { title, cases: vec![by_hand, ours], comparable: true, large }
}

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    let hundred = Puzzle::all()?;
    ensure!(hundred.len() == 100, "{} puzzles instead of a hundred", hundred.len());
    let nearest = hundred.iter().filter(|puzzle| puzzle.nodes < 3_000_000).cloned().collect();
    Ok(vec![
        SMALL.comparison(false),
        korf(nearest, "korf-near", false),
        LARGE.comparison(true),
        korf(hundred, "korf", true),
    ])
}
