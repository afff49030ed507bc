//! Permutation puzzles that are data: all arrangements, beside a program by hand and other
//! libraries, which have a row of ten labels in four bits each.

use std::num::NonZero;
use std::ops::ControlFlow;

use anyhow::{Context, ensure};
use fewest_bench_variants::layers::in_a_hash_set;
use fewest_core::Budget;
use fewest_core::representation::Representation;
use fewest_core::space::from_fn;
use fewest_core::storage::Storage;
use fewest_permutations::{PermutationSpace, Permutations};

use super::case::{Case, Work};
use super::library::{Layered, leak};
use super::measure::Comparison;

#[allow(dead_code, reason = "the benchmark does not run its `main`")]
#[path = "../../../crates/permutations/examples/pocket_cube.rs"]
mod pocket_cube;

/// As CayleyPy has published them.
const GROWTH: &str = include_str!("../../../testdata/permutations/growth.txt");

fn published(name: &str) -> anyhow::Result<Vec<u64>> {
    let mut lines = GROWTH.lines().filter_map(|line| line.split_once(": "));
    let (_, layers) = lines.find(|(other, _)| *other == name).context("no published layers")?;
    layers.split(' ').map(|number| Ok(number.parse()?)).collect()
}

/// Ways to count the layers of a puzzle, which must be those that are published.
fn cases(id: &str, puzzle: Permutations, published: Vec<u64>) -> anyhow::Result<Vec<Case>> {
    let (space, published): (&PermutationSpace, &[u64]) = (leak(puzzle.build()?), published.leak());
    let case = |method: &str, about: &str, threads: usize, storage: fn() -> Storage| {
        let run = move || {
            let budget = Budget::unlimited().with_storage(storage());
            let budget = budget.with_threads(NonZero::new(threads).expect("a thread"));
            space.count_layers(&budget, |_, _| ControlFlow::Continue(()))
        };
        Case::new(format!("{id}.{method}"), about, run, move |found| {
            ensure!(found.layers == published, "found the layers {:?}", found.layers);
            let (states, bytes) = (Some(found.states()), Some(found.stats.bytes));
            Ok(Work { states, bytes, ..Work::default() })
        })
    };
    Ok(vec![
        case("data", "ours, from data", 1, Storage::default),
        case("data.2", "ours, from data, 2 threads", 2, Storage::default),
        case("data.two-bits", "ours, from data, two bits a rank", 1, || {
            Storage::default().with_representation(Representation::TwoBits)
        }),
    ])
}

/// A row of ten labels that turns, and what the third move does with it.
fn row(
    name: &'static str,
    title: &'static str,
    puzzle: Permutations,
    third: impl Fn(u64) -> u64 + Copy + Send + Sync + 'static,
) -> anyhow::Result<Comparison> {
    const START: u64 = 0x98_7654_3210;
    const MASK: u64 = (1 << 40) - 1;
    let layers = published(&format!("{name} 10"))?;
    let next =
        move |row: u64| [row >> 4 | (row & 15) << 36, row << 4 & MASK | row >> 36, third(row)];
    let space =
        leak(from_fn([START], move |row| next(row).map(|row| ((), row)), |_| false).undirected());
    let expected = (layers.iter().sum(), layers.len());
    let layered = Layered { name, title, space, expected, moves: None };
    let mut comparison = layered.comparison(
        |space| {
            let search = fewest_core::Search::new(space);
            (search.count_layers(|_, _| ControlFlow::Continue(())), None)
        },
        move |_| in_a_hash_set(START, next),
    );
    comparison.cases.extend(cases(&format!("library.{name}"), puzzle, layers)?);
    Ok(comparison)
}

/// What the 2x2x2 cube takes from data.
pub(super) fn cube() -> anyhow::Result<Vec<Case>> {
    let cube = pocket_cube::pocket_cube;
    let half_turns = cases("library.cube", cube().with_powers(), published("cube_222_fixed_htm")?)?;
    let quarter_turns =
        cases("library.cube.quarter", cube().with_inverses(), published("cube_222_fixed_qtm")?)?;
    Ok(half_turns.into_iter().chain(quarter_turns).collect())
}

pub(super) fn rows() -> anyhow::Result<[Comparison; 2]> {
    let exchange = |row: u64| row & !0xFF | row >> 4 & 15 | (row & 15) << 4;
    let reverse = |row: u64| {
        row & !0xFFFF | row >> 12 & 15 | row >> 4 & 0xF0 | row << 4 & 0xF00 | row << 12 & 0xF000
    };
    Ok([
        row("lrx", "LRX of 10 labels: all layers", Permutations::lrx(10), exchange)?,
        row("top-spin", "TopSpin 10/4: all layers", Permutations::top_spin(10, 4), reverse)?,
    ])
}
