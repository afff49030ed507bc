//! A better heuristic: additive pattern databases (Felner, Korf and Hanan 2004).
//!
//! A pattern is a set of tiles. Its database has the minimal number of moves of these tiles,
//! wherever the other tiles are. Since each move moves a tile of one pattern only, the sum over
//! disjoint patterns is admissible.

use std::ops::ControlFlow;

use fewest_core::budget::{Limit, Meter};
use fewest_core::heuristic::Blind;
use fewest_core::memory::Block;
use fewest_core::pattern::Database;
use fewest_core::{Goals, Heuristic, Predecessors, Ranked, StateSpace};

use super::{Grid, Move, Tiles};

/// The state space of a pattern of at most five tiles. Moves of other tiles are not counted.
///
/// A state has the cell of each tile of the pattern in 4 bits, followed by 4 bits for the blank:
/// the first cell that the blank can reach without moving a tile of the pattern. So each move of
/// the space moves a tile of the pattern and costs 1.
struct Pattern<'a> {
    tiles: &'a [u8],
    /// The neighbours of each cell, as a bit mask.
    neighbours: [u32; 16],
}

impl<'a> Pattern<'a> {
    fn new(grid: &Grid, tiles: &'a [u8]) -> Self {
        let bits = |cells: &[u8]| cells.iter().fold(0, |bits, &cell| bits | 1 << cell);
        Self { tiles, neighbours: std::array::from_fn(|cell| bits(grid.neighbours(cell))) }
    }

    /// The cell of the tile with this index in the pattern, or of the blank for `tiles.len()`.
    fn cell(&self, state: u32, index: usize) -> usize {
        (state >> (4 * index) & 15) as usize
    }

    /// A bit mask of the cells that the blank can reach from `cell` without moving a tile of the
    /// pattern.
    fn reachable(&self, state: u32, cell: usize) -> u32 {
        let occupied: u32 =
            (0..self.tiles.len()).fold(0, |mask, index| mask | 1 << self.cell(state, index));
        let mut reachable = 1 << cell;
        let mut frontier: u32 = reachable;
        while frontier != 0 {
            let cell = frontier.trailing_zeros() as usize;
            let new = self.neighbours[cell] & !occupied & !reachable;
            reachable |= new;
            frontier = frontier & (frontier - 1) | new;
        }
        reachable
    }

    /// The state with the blank at `cell`.
    fn with_blank(&self, state: u32, cell: usize) -> u32 {
        let cells = state & self.all_cells();
        cells | self.reachable(cells, cell).trailing_zeros() << (4 * self.tiles.len())
    }

    /// A mask of the bits of the cells of all tiles, without the blank.
    fn all_cells(&self) -> u32 {
        (1 << (4 * self.tiles.len())) - 1
    }
}

impl StateSpace for Pattern<'_> {
    type State = u32;
    type Move = ();

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
        _: Option<()>,
        mut emit: impl FnMut((), u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let reachable = self.reachable(state, self.cell(state, self.tiles.len()));
        for index in 0..self.tiles.len() {
            let from = self.cell(state, index);
            let mut targets = self.neighbours[from] & reachable;
            while targets != 0 {
                let moved = state ^ (from as u32 ^ targets.trailing_zeros()) << (4 * index);
                emit((), self.with_blank(moved, from))?;
                targets &= targets - 1;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Predecessors for Pattern<'_> {
    const UNDIRECTED: bool = true;
}

impl Goals for Pattern<'_> {
    /// Each tile at the cell with its number, and the blank at the first cell.
    fn goals(&self, mut emit: impl FnMut(u32)) {
        let cells = self.tiles.iter().rev().fold(0, |cells, &tile| cells << 4 | u32::from(tile));
        emit(self.with_blank(cells, 0));
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

/// The sum over disjoint patterns of at most five tiles each.
pub struct Patterns {
    /// For each pattern, the number of moves, indexed by the cells of its tiles in 4 bits each. It
    /// is the minimum over all positions of the blank.
    tables: Vec<Block<u8>>,
    /// For each tile, the index of its pattern and its index in the pattern.
    pattern_of: [(usize, usize); 16],
}

impl Patterns {
    /// A partition of the tiles of the 15-puzzle: the best of six that were tried. Each table has
    /// 16^5 bytes.
    pub const FIFTEEN: [&[u8]; 3] = [&[1, 4, 5, 8, 9], &[2, 3, 6, 7, 11], &[10, 12, 13, 14, 15]];

    /// Searches all states of each pattern. The meter counts the expansions and the memory.
    pub fn new(grid: &Grid, patterns: &[&[u8]], meter: &mut Meter<'_>) -> Result<Self, Limit> {
        let mut heuristic = Self { tables: Vec::new(), pattern_of: [(usize::MAX, 0); 16] };
        for (pattern, &tiles) in patterns.iter().enumerate() {
            let mut database = Database::new(Pattern::new(grid, tiles), Blind, meter.memory())?;
            database.extend(u32::MAX, meter)?;
            let cells = database.patterns().all_cells();
            let mut table = Block::filled(u8::MAX, cells as usize + 1, meter.memory())?;
            for (state, moves) in database.known() {
                let least = &mut table[(state & cells) as usize];
                *least = (*least).min(moves as u8);
            }
            for (index, &tile) in tiles.iter().enumerate() {
                heuristic.pattern_of[usize::from(tile)] = (pattern, index);
            }
            heuristic.tables.push(table);
        }
        Ok(heuristic)
    }
}

/// For each pattern, the cells of its tiles and the number of moves from the table.
#[derive(Clone, Copy)]
pub struct Evaluation {
    cells: [u32; 3],
    moves: [u8; 3],
}

impl Heuristic<Tiles> for Patterns {
    type Evaluation = Evaluation;

    fn evaluate(&self, state: u64) -> Evaluation {
        let mut evaluation = Evaluation { cells: [0; 3], moves: [0; 3] };
        for cell in 0..16 {
            let (pattern, index) = self.pattern_of[(state >> (4 * cell) & 15) as usize];
            if let Some(cells) = evaluation.cells.get_mut(pattern) {
                *cells |= cell << (4 * index);
            }
        }
        for (pattern, table) in self.tables.iter().enumerate() {
            evaluation.moves[pattern] = table[evaluation.cells[pattern] as usize];
        }
        evaluation
    }

    /// Only the table of the tile that has moved is read.
    #[inline(always)]
    fn update(
        &self,
        evaluation: impl FnOnce() -> Evaluation,
        _: u64,
        by: Move,
        _: u64,
    ) -> Evaluation {
        let mut evaluation = evaluation();
        let (pattern, index) = self.pattern_of[by.tile()];
        if let Some(table) = self.tables.get(pattern) {
            evaluation.cells[pattern] ^= (by.to() as u32 ^ by.from() as u32) << (4 * index);
            evaluation.moves[pattern] = table[evaluation.cells[pattern] as usize];
        }
        evaluation
    }

    #[inline(always)]
    fn bound(&self, evaluation: Evaluation) -> Option<u32> {
        Some(evaluation.moves.iter().map(|&moves| u32::from(moves)).sum())
    }
}
