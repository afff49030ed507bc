//! Peg solitaire on the English board: a peg jumps over a neighbour into a hole and removes it,
//! until one peg is left in the centre. Counts the positions after each number of jumps.
//! `cargo run --release -p fewest-core --example peg_solitaire`
//!
//! A position has a bit for each of the 33 holes. A jump removes a peg, so the space is graded, and
//! the visited set forgets a layer when it is complete. Of the eight images of a position under the
//! symmetries of the board, the space emits the least.

#![allow(clippy::print_stdout, reason = "an example prints its result")]

use fewest_core::prelude::*;

/// The images of a third of a position under each symmetry, by its pegs.
type Images = Vec<[[u64; 8]; 3]>;

/// The number of holes in a third of a position.
const THIRD: usize = 11;

/// The bit of a cell of the square of 7 x 7; `None` if it is not a hole of the board.
fn bit(row: usize, column: usize) -> Option<u64> {
    let is_hole = |&(row, column): &(usize, usize)| {
        (2..5).contains(&row) && column < 7 || (2..5).contains(&column) && row < 7
    };
    let before = (0..7 * row + column).filter(|&cell| is_hole(&(cell / 7, cell % 7))).count();
    is_hole(&(row, column)).then_some(1 << before)
}

/// The holes that each jump changes, and those of them that have pegs before it.
fn jumps() -> Vec<(u64, u64)> {
    let mut jumps = Vec::new();
    for (row, column) in (0..49).map(|cell| (cell / 7, cell % 7)) {
        for (down, right) in [(1, 0), (0, 1)] {
            let line = [0, 1, 2].map(|step| bit(row + step * down, column + step * right));
            if let [Some(one), Some(middle), Some(other)] = line {
                let changed = one | middle | other;
                jumps.extend([(changed, one | middle), (changed, middle | other)]);
            }
        }
    }
    jumps
}

fn images() -> Images {
    let holes: Vec<[u64; 8]> = (0..49)
        .map(|cell| (cell / 7, cell % 7))
        .filter(|&(row, column)| bit(row, column).is_some())
        .map(|(row, column)| {
            std::array::from_fn(|symmetry| {
                let (row, column) = if symmetry < 4 { (row, column) } else { (column, row) };
                let row = if symmetry % 2 == 0 { row } else { 6 - row };
                let column = if symmetry / 2 % 2 == 0 { column } else { 6 - column };
                bit(row, column).unwrap_or(0)
            })
        })
        .collect();
    let image = |pegs: usize, third: usize, symmetry: usize| {
        let holes = holes.iter().skip(third * THIRD).take(THIRD).enumerate();
        holes.filter(|&(hole, _)| pegs >> hole & 1 == 1).map(|(_, images)| images[symmetry]).sum()
    };
    (0..1 << THIRD)
        .map(|pegs| [0, 1, 2].map(|third| std::array::from_fn(|s| image(pegs, third, s))))
        .collect()
}

fn least_image(images: &Images, pegs: u64) -> u64 {
    let pegs_of = |third: usize| (pegs >> (third * THIRD)) as usize % (1 << THIRD);
    let [first, second, last] = [0, 1, 2].map(|third| &images[pegs_of(third)][third]);
    (0..8).map(|s| first[s] | second[s] | last[s]).min().unwrap_or(pegs)
}

/// What the space of a board reads.
pub(crate) struct Board {
    jumps: Vec<(u64, u64)>,
    images: Images,
}

impl Board {
    pub(crate) fn new() -> Self {
        Self { jumps: jumps(), images: images() }
    }

    /// From all pegs but the one in the centre to only that one.
    pub(crate) fn solitaire(&self) -> impl StateSpace<State = u64, Move = ()> {
        let centre = bit(3, 3).unwrap_or(0);
        let successors = move |pegs: u64| {
            let legal = move |&&(changed, before): &&(u64, u64)| pegs & changed == before;
            let emit =
                move |&(changed, _): &(u64, u64)| ((), least_image(&self.images, pegs ^ changed));
            self.jumps.iter().filter(legal).map(emit)
        };
        from_fn([((1 << 33) - 1) ^ centre], successors, move |pegs| pegs == centre).graded()
    }
}

fn main() {
    let board = Board::new();
    let explored = Search::new(&board.solitaire()).count_layers(|jumps, positions| {
        println!("{jumps:>2} jumps: {positions:>7} positions");
        ControlFlow::Continue(())
    });
    println!("{} positions", explored.states());
}
