//! A whole puzzle on one page: sliding tiles. `cargo run --release --example sliding_tile`
//!
//! What more it can tell the searches is beside it: a lower bound in `heuristic.rs`, ranks and goals in `ranked.rs`.
#![allow(
    unreachable_pub,
    missing_docs,
    dead_code,
    reason = "an example, which tests and benchmarks read in as a module"
)]

mod heuristic;
mod ranked;

use std::ops::ControlFlow;

use fewest_core::space::moves_along;
use fewest_core::visited::Table;
use fewest_core::{StateSpace, Undirected, budget::Budget, explore, search::astar};

/// Tiles on `width` x `height` cells, 3 to 16. A state has 4 bits a cell, in reading order from bit 0: its tile, 0
/// for the blank.
pub struct Tiles {
    pub width: usize,
    pub height: usize,
    pub start: u64,
    /// `apart[a][b]`: the columns plus the rows between two cells.
    apart: [[u8; 16]; 16],
    /// Of each cell, the cells beside it.
    beside: Vec<Vec<usize>>,
    ranking: ranked::Ranking,
}

impl Tiles {
    /// All tiles in their order, the blank first.
    pub fn goal(&self) -> u64 {
        0xFEDC_BA98_7654_3210 & (u64::MAX >> (64 - 4 * self.width * self.height))
    }

    pub fn new(width: usize, height: usize, start: u64) -> Self {
        let apart = |a: usize, b: usize| ((a % width).abs_diff(b % width) + (a / width).abs_diff(b / width)) as u8;
        let cells = 0..width * height;
        let beside = cells.clone().map(|cell| cells.clone().filter(|&to| apart(cell, to) == 1).collect()).collect();
        let apart = std::array::from_fn(|a| std::array::from_fn(|b| apart(a, b)));
        Self { width, height, start, apart, beside, ranking: ranked::Ranking::new(width, height, start) }
    }
}

/// The cell of the blank: the first one of which all four bits are clear.
fn blank(state: u64) -> usize {
    const ONES: u64 = 0x1111_1111_1111_1111;
    (state.wrapping_sub(ONES) & !state & ONES << 3).trailing_zeros() as usize / 4
}

impl StateSpace for Tiles {
    type State = u64;
    type Move = i8; // where the blank goes: so many cells on
    const LEAVES_OUT_UNDOING_ONLY: bool = true;

    fn initial(&self, mut emit: impl FnMut(u64)) {
        emit(self.start);
    }

    fn is_goal(&self, state: u64) -> bool {
        state == self.goal()
    }

    #[inline]
    fn successors<B>(
        &self,
        state: u64,
        last: Option<i8>,
        mut emit: impl FnMut(i8, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let blank = blank(state);
        for &from in &self.beside[blank] {
            let way = from.wrapping_sub(blank) as i8;
            if last != Some(-way) {
                let tile = state >> (4 * from) & 15;
                emit(way, state ^ tile << (4 * from) ^ tile << (4 * blank))?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Undirected for Tiles {}

#[allow(clippy::print_stdout, reason = "what the example shows")]
fn main() {
    let tiles = Tiles::new(3, 3, 0x1_2345_6780);
    let all = explore::explore::<Table<_>, _>(&tiles, &Budget::unlimited());
    println!("{} states, the farthest {} moves away", all.states(), all.layers.len() - 1);
    let outcome = astar::search(&tiles, &tiles, &Budget::unlimited());
    let moves = outcome.plan().and_then(|plan| moves_along(&tiles, plan));
    println!("from 8 to 1 to 1 to 8 the blank goes {:?}: {:?} moves", moves.unwrap_or_default(), outcome.cost());
}
