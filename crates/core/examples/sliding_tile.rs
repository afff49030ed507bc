//! A whole puzzle on one page: sliding tiles. `cargo run --release --example sliding_tile`
#![allow(unreachable_pub, missing_docs, reason = "an example, which the tests read in as a module")]

use std::ops::ControlFlow;

use fewest_core::space::moves_along;
use fewest_core::visited::Table;
use fewest_core::{Heuristic, StateSpace, Undirected, budget::Budget, explore, search::astar};

/// Tiles on `width` x `height` cells, at most 16. A state has 4 bits a cell, in reading order from bit 0: its tile, 0
/// for the blank.
pub struct Tiles {
    pub width: usize,
    pub height: usize,
    pub start: u64,
}

impl StateSpace for Tiles {
    type State = u64;
    type Move = isize; // where the blank goes: so many cells on

    fn initial(&self, mut emit: impl FnMut(u64)) {
        emit(self.start);
    }

    fn is_goal(&self, state: u64) -> bool {
        (0..self.width * self.height).all(|cell| state >> (4 * cell) & 15 == cell as u64)
    }

    fn successors<B>(
        &self,
        state: u64,
        last: Option<isize>,
        mut emit: impl FnMut(isize, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (width, cells) = (self.width, self.width * self.height);
        let blank = (0..cells).find(|cell| state >> (4 * cell) & 15 == 0).unwrap_or(0);
        let sideways = [(blank % width > 0, -1), ((blank + 1) % width > 0, 1)];
        let upright = [(blank >= width, -(width as isize)), (blank + width < cells, width as isize)];
        for (open, way) in upright.into_iter().chain(sideways) {
            if open && last != Some(-way) {
                let from = blank.wrapping_add_signed(way);
                let tile = state >> (4 * from) & 15;
                emit(way, state ^ tile << (4 * from) ^ tile << (4 * blank))?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Undirected for Tiles {}

/// The columns plus the rows that each tile has to go.
impl Heuristic<Tiles> for Tiles {
    type Memo = u32;

    fn memo(&self, state: u64) -> u32 {
        let away = |a: usize, b: usize| a.abs_diff(b) as u32;
        let tiles = (0..self.width * self.height).map(|cell| (cell, (state >> (4 * cell) & 15) as usize));
        let to_go = |(at, to)| away(at % self.width, to % self.width) + away(at / self.width, to / self.width);
        tiles.filter(|&(_, tile)| tile != 0).map(to_go).sum()
    }

    fn bound(&self, memo: u32) -> Option<u32> {
        Some(memo)
    }
}

#[allow(dead_code, clippy::print_stdout, reason = "what the example shows")]
fn main() {
    let tiles = Tiles { width: 3, height: 3, start: 0x1_2345_6780 };
    let all = explore::explore::<Table<_>, _>(&tiles, &Budget::unlimited());
    println!("{} states, the farthest {} moves away", all.states(), all.layers.len() - 1);
    let outcome = astar::search(&tiles, &tiles, &Budget::unlimited());
    let moves = outcome.plan().and_then(|plan| moves_along(&tiles, plan));
    println!("from 8 to 1 to 1 to 8 the blank goes {:?}: {:?} moves", moves.unwrap_or_default(), outcome.cost());
}
