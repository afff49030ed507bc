//! The state space. `grid.rs` has precomputed tables that make it fast, `heuristic.rs` the
//! Manhattan distance, `patterns.rs` additive pattern databases, `mirror.rs` the mirror image, and
//! `ranked.rs` ranks and goals.
#![allow(
    unreachable_pub,
    missing_docs,
    dead_code,
    unused_imports,
    reason = "the program, tests and benchmarks each use a part of it"
)]

mod grid;
mod heuristic;
mod mirror;
mod patterns;
mod ranked;

use std::ops::ControlFlow;

use fewest_core::{Predecessors, Pruning, Ranked, StateSpace, Tags};
pub use grid::{Grid, Move};
pub use patterns::{FIFTEEN, Patterns, patterns};

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

    /// Whether the start can be ordered: whether the goal has the parity of the start.
    pub fn is_solvable(&self) -> bool {
        let goal = self.grid.goal();
        self.unrank(self.rank(goal)) == goal
    }
}

impl StateSpace for Tiles {
    type State = u64;
    type Move = Move;
    const PRUNING: Pruning<Move> = Pruning::Inverse(Tags { to: Move::tag, from: Move::of_tag });

    fn state_bits(&self) -> u32 {
        4 * self.grid.cells as u32
    }

    /// Half of the permutations of up to 12 cells. Few searches of larger boards generate all
    /// states.
    fn expected_states(&self) -> usize {
        if self.grid.cells <= 12 { (3..=self.grid.cells).product() } else { 0 }
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
