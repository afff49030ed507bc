//! A better heuristic: additive pattern databases (Felner, Korf and Hanan 2004).
//!
//! A pattern is a set of tiles. Its database has the minimal number of moves of these tiles,
//! wherever the other tiles are. Since each move moves a tile of one pattern only, the sum over
//! disjoint patterns is admissible.

use std::ops::ControlFlow;

use fewest_core::budget::{Budget, Limit};
use fewest_core::cost::{CostRange, Costs};
use fewest_core::pattern::{Abstraction, Additive, Database};
use fewest_core::{Goals, Predecessors, Ranked, StateSpace};

use super::{Grid, Move, Tiles};

/// The state space of a pattern: the cell of each of its tiles in 4 bits, then that of the blank.
struct Pattern<'a> {
    grid: &'a Grid,
    tiles: &'a [u8],
}

impl Pattern<'_> {
    fn cell(state: u32, index: usize) -> usize {
        (state >> (4 * index) & 15) as usize
    }

    /// A mask of the bits of the cells of all tiles, without the blank.
    fn all_cells(&self) -> u32 {
        (1 << (4 * self.tiles.len())) - 1
    }

    /// The number of moves of the tiles, by their cells in 4 bits each, wherever the blank is.
    fn database(&self, budget: &Budget) -> Result<Database, Limit> {
        let with_blank = Database::new(self, budget)?;
        let cells = u64::from(self.all_cells());
        Ok(with_blank.least_by(cells + 1, |rank| rank & cells, budget.memory())?)
    }
}

impl StateSpace for Pattern<'_> {
    type State = u32;
    /// Whether it moves a tile of the pattern.
    type Move = bool;

    /// Moves of other tiles do not count.
    const COSTS: Costs<Self> = Costs::ByMove {
        cost: |_, _, moves_tile| moves_tile.into(),
        range: |_| CostRange::integers(0..=1),
    };

    /// A pattern database searches from the goals and needs no initial state.
    fn initial(&self, _: impl FnMut(u32)) {}

    fn is_goal(&self, state: u32) -> bool {
        let mut is_goal = false;
        self.goals(|goal| is_goal = state == goal);
        is_goal
    }

    fn successors<B>(
        &self,
        state: u32,
        _: Option<bool>,
        mut emit: impl FnMut(bool, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let count = self.tiles.len();
        let blank = Self::cell(state, count);
        for &from in self.grid.neighbours(blank) {
            let change = blank as u32 ^ u32::from(from);
            let moved = state ^ change << (4 * count);
            match (0..count).find(|&index| Self::cell(state, index) == usize::from(from)) {
                Some(index) => emit(true, moved ^ change << (4 * index))?,
                None => emit(false, moved)?,
            }
        }
        ControlFlow::Continue(())
    }
}

impl Predecessors for Pattern<'_> {
    const UNDIRECTED: bool = true;

    /// A move is undone by one that moves the same tile.
    fn predecessors_with_costs<B>(
        &self,
        state: u32,
        mut emit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.successors(state, None, |moves_tile, before| emit(moves_tile.into(), before))
    }
}

impl Goals for Pattern<'_> {
    /// Each tile at the cell with its number, and the blank at the first cell.
    fn goals(&self, mut emit: impl FnMut(u32)) {
        emit(self.tiles.iter().rev().fold(0, |cells, &tile| cells << 4 | u32::from(tile)));
    }
}

impl Ranked for Pattern<'_> {
    fn ranks(&self) -> Option<u64> {
        Some(1 << (4 * (self.tiles.len() + 1)))
    }

    fn rank(&self, state: u32) -> u64 {
        state.into()
    }

    fn unrank(&self, rank: u64) -> u32 {
        rank as u32
    }
}

/// What a pattern keeps: the cells of its tiles.
#[derive(Clone, Debug)]
pub struct Cells {
    /// For each tile, 16 to the power of its index in the pattern; 0 if the pattern does not have it.
    weight_of: [u32; 16],
}

impl Abstraction<Tiles> for Cells {
    type Pattern = u32;

    fn pattern(&self, state: u64) -> u32 {
        (0..16).map(|cell| cell * self.weight_of[(state >> (4 * cell) & 15) as usize]).sum()
    }

    #[inline]
    fn rank(&self, cells: u32) -> u64 {
        cells.into()
    }

    #[inline]
    fn after(&self, cells: u32, _: u64, by: Move, _: u64) -> u32 {
        let change = by.to() as u32 ^ by.from() as u32;
        cells ^ (change * self.weight_of[by.tile()])
    }
}

/// The sum over disjoint patterns.
pub type Patterns<const N: usize> = Additive<Cells, Database, N>;

/// A partition of the tiles of the 15-puzzle: the best of six that were tried. Each table has 16^5
/// bytes.
pub const FIFTEEN: [&[u8]; 3] = [&[1, 4, 5, 8, 9], &[2, 3, 6, 7, 11], &[10, 12, 13, 14, 15]];

/// Searches all states of each pattern.
pub fn patterns<const N: usize>(
    grid: &Grid,
    patterns: [&[u8]; N],
    budget: &Budget,
) -> Result<Patterns<N>, Limit> {
    let mut parts = Vec::new();
    for tiles in patterns {
        let mut weight_of = [0; 16];
        for (index, &tile) in tiles.iter().enumerate() {
            weight_of[usize::from(tile)] = 1 << (4 * index);
        }
        parts.push((Cells { weight_of }, Pattern { grid, tiles }.database(budget)?));
    }
    let parts = parts.try_into().unwrap_or_else(|_| unreachable!("as many as patterns"));
    Ok(Additive::new(parts))
}
