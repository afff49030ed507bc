//! A complete puzzle: sliding tiles. `cargo run --release -p fewest-core --example sliding_tile`
//!
//! This file has the state space. `grid.rs` has precomputed tables that make it fast,
//! `heuristic.rs` the Manhattan distance, `patterns.rs` additive pattern databases, and `ranked.rs`
//! ranks and goals.
#![allow(
    unreachable_pub,
    missing_docs,
    dead_code,
    reason = "tests and benchmarks include it as a module"
)]

mod grid;
mod heuristic;
mod patterns;
mod ranked;

use std::ops::ControlFlow;

use fewest_core::space::moves_along;
use fewest_core::visited::Table;
use fewest_core::{MovePruning, Predecessors, StateSpace, budget::Budget, explore, search::astar};
pub use grid::{Grid, Move};
pub use patterns::Patterns;

/// Tiles on a grid of 3 to 16 cells. A state has 4 bits per cell, row by row from bit 0: the number
/// of the tile, or 0 for the blank.
pub struct Tiles {
    pub start: u64,
    grid: Grid,
    ranking: ranked::Ranking,
}

impl Tiles {
    pub fn new(width: usize, height: usize, start: u64) -> Self {
        Self {
            start,
            grid: Grid::new(width, height),
            ranking: ranked::Ranking::new(width, height, start),
        }
    }
}

impl StateSpace for Tiles {
    type State = u64;
    type Move = Move;
    const MOVE_PRUNING: MovePruning = MovePruning::Inverse;

    fn state_bits(&self) -> u32 {
        4 * self.grid.cells as u32
    }

    /// Half of the permutations of up to 13 cells. Of larger spaces, few searches generate many.
    fn expected_states(&self) -> usize {
        if self.grid.cells <= 13 { (3..=self.grid.cells).product() } else { 0 }
    }

    fn initial(&self, mut emit: impl FnMut(u64)) {
        emit(self.start);
    }

    fn is_goal(&self, state: u64) -> bool {
        state == self.grid.goal()
    }

    #[inline(always)]
    fn successors<B>(
        &self,
        state: u64,
        last: Option<Move>,
        mut emit: impl FnMut(Move, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let from = last.map_or_else(|| grid::blank(state), Move::to);
        for &to in self.grid.neighbours(from) {
            if last.is_none_or(|last| usize::from(to) != last.from()) {
                let tile = state >> (4 * to) & 15;
                emit(Move::new(from, to, tile), state ^ tile << (4 * to) ^ tile << (4 * from))?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Predecessors for Tiles {
    const UNDIRECTED: bool = true;
}

#[allow(clippy::print_stdout, reason = "the example prints its results")]
fn main() {
    let tiles = Tiles::new(3, 3, 0x1_2345_6780);
    let all = explore::explore::<Table<_>, _>(&tiles, &Budget::unlimited());
    println!("{} states, greatest depth {}", all.states(), all.layers.len() - 1);
    let outcome = astar::search(&tiles, &tiles, &Budget::unlimited());
    let moves = outcome.optimal().and_then(|plan| moves_along(&tiles, plan));
    let cells: Vec<_> = moves.unwrap_or_default().iter().map(|by| by.to()).collect();
    println!("_87/654/321 to _12/345/678 takes {} moves; the blank goes to {cells:?}", cells.len());
}
