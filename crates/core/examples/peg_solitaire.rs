//! Peg solitaire on the English board: a peg jumps over a neighbour into a hole and removes it,
//! until one peg is left in the centre. Counts the positions after each number of jumps.
//! `cargo run --release -p fewest-core --example peg_solitaire`
//!
//! A position has a bit for each of the 33 holes. A jump removes a peg, so the space is graded, and
//! the visited set forgets a layer when it is complete. Positions that are images of one another
//! under the eight symmetries of the board are one state.

#![allow(clippy::print_stdout, reason = "an example prints its result")]

use fewest_core::encoding::BitSymmetries;
use fewest_core::prelude::*;
use fewest_core::symmetry::{Folded, Symmetric};

/// The holes of the board, as cells of a square of 7 x 7.
const HOLES: u32 = 33;

/// The bit of a cell; `None` if it is not a hole of the board.
fn bit(row: u32, column: u32) -> Option<u32> {
    let is_hole = |row: u32, column: u32| {
        (2..5).contains(&row) && column < 7 || (2..5).contains(&column) && row < 7
    };
    let before = (0..7 * row + column).filter(|&cell| is_hole(cell / 7, cell % 7)).count();
    is_hole(row, column).then_some(before as u32)
}

pub(crate) struct Solitaire {
    /// The holes that each jump changes, and those of them that have pegs before it.
    jumps: Vec<(u64, u64)>,
    symmetries: BitSymmetries<8>,
    centre: u64,
}

impl Solitaire {
    pub(crate) fn new() -> Self {
        let cells = || (0..49).map(|cell| (cell / 7, cell % 7));
        let (mut jumps, mut holes) = (Vec::new(), Vec::new());
        for (row, column) in cells() {
            holes.extend(bit(row, column).map(|_| (row, column)));
            for (down, right) in [(1, 0), (0, 1)] {
                let line = [0, 1, 2].map(|step| bit(row + step * down, column + step * right));
                if let [Some(one), Some(middle), Some(other)] = line.map(|bit| Some(1 << bit?)) {
                    let changed = one | middle | other;
                    jumps.extend([(changed, one | middle), (changed, middle | other)]);
                }
            }
        }
        let image = |hole: u32, symmetry: u32| {
            let (row, column) = holes[hole as usize];
            let (row, column) = if symmetry & 4 == 0 { (row, column) } else { (column, row) };
            let row = if symmetry & 1 == 0 { row } else { 6 - row };
            bit(row, if symmetry & 2 == 0 { column } else { 6 - column }).unwrap_or(hole)
        };
        let centre = bit(3, 3).map_or(0, |bit| 1 << bit);
        Self { jumps, symmetries: BitSymmetries::new(HOLES, image), centre }
    }
}

/// From all pegs but the one in the centre to only that one.
impl StateSpace for Solitaire {
    type State = u64;
    type Move = ();

    fn is_graded(&self) -> bool {
        true
    }

    fn initial(&self, mut emit: impl FnMut(u64)) {
        emit(((1 << HOLES) - 1) ^ self.centre);
    }

    fn is_goal(&self, pegs: u64) -> bool {
        pegs == self.centre
    }

    fn successors<B>(
        &self,
        pegs: u64,
        _last: Option<()>,
        mut emit: impl FnMut((), u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let legal = |&&(changed, before): &&(u64, u64)| pegs & changed == before;
        self.jumps.iter().filter(legal).try_for_each(|&(changed, _)| emit((), pegs ^ changed))
    }
}

impl Symmetric for Solitaire {
    fn order(&self) -> u32 {
        8
    }

    fn image(&self, pegs: u64, symmetry: u32) -> u64 {
        self.symmetries.images(pegs)[symmetry as usize]
    }

    fn image_of_move(&self, (): (), _symmetry: u32) {}

    fn canonical(&self, pegs: u64) -> (u64, u32) {
        self.symmetries.least(pegs)
    }
}

fn main() {
    let solitaire = Solitaire::new();
    let mut all = [0; HOLES as usize];
    let explored = Search::new(&Folded::new(&solitaire)).explore(|jumps, pegs| {
        all[jumps as usize] += solitaire.orbit(pegs).len() as u64;
        ControlFlow::Continue(())
    });
    for (jumps, (positions, all)) in explored.layers.iter().zip(all).enumerate() {
        println!("{jumps:>2} jumps: {positions:>7} positions up to symmetry, {all:>8} in all");
    }
    println!("{} positions, {} in all", explored.states(), all.iter().sum::<u64>());
}
