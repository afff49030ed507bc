//! A better bound: the moves that the tiles of each pattern need at least, whatever the others do,
//! from pattern databases, all together. No move counts twice, as each moves a tile of one pattern
//! only (Felner, Korf and Hanan 2004).

use std::ops::ControlFlow;

use fewest_core::budget::{Limit, Meter};
use fewest_core::heuristic::Blind;
use fewest_core::memory::Block;
use fewest_core::pattern::Database;
use fewest_core::{Goals, Heuristic, Ranked, StateSpace, Undirected};

use super::{Grid, Move, Tiles};

/// At most five tiles of a grid, the others blank like the blank. A state has the cell of each in 4
/// bits, and in the next 4 the first of the cells that the blank gets to without moving one of
/// them. So each move costs one.
struct Pattern<'a> {
    tiles: &'a [u8],
    /// Of each cell, those beside it, a bit each.
    beside: [u32; 16],
}

impl<'a> Pattern<'a> {
    fn new(grid: &Grid, tiles: &'a [u8]) -> Self {
        let bits = |cells: &[u8]| cells.iter().fold(0, |bits, &cell| bits | 1 << cell);
        Self { tiles, beside: std::array::from_fn(|cell| bits(grid.beside(cell))) }
    }

    fn cell(&self, state: u32, tile: usize) -> usize {
        (state >> (4 * tile) & 15) as usize
    }

    /// The cells, a bit each, that the blank gets to from `cell`.
    fn room(&self, state: u32, cell: usize) -> u32 {
        let taken: u32 =
            (0..self.tiles.len()).fold(0, |taken, tile| taken | 1 << self.cell(state, tile));
        let mut room = 1 << cell;
        let mut new: u32 = room;
        while new != 0 {
            let cell = new.trailing_zeros() as usize;
            let next = self.beside[cell] & !taken & !room;
            room |= next;
            new = new & (new - 1) | next;
        }
        room
    }

    /// The state with the blank at `cell`.
    fn with_blank(&self, state: u32, cell: usize) -> u32 {
        let cells = state & self.all_cells();
        cells | self.room(cells, cell).trailing_zeros() << (4 * self.tiles.len())
    }

    /// The bits of the tiles' cells.
    fn all_cells(&self) -> u32 {
        (1 << (4 * self.tiles.len())) - 1
    }
}

impl StateSpace for Pattern<'_> {
    type State = u32;
    type Move = ();

    /// All states lead to the goal; none is the start.
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
        let room = self.room(state, self.cell(state, self.tiles.len()));
        for tile in 0..self.tiles.len() {
            let from = self.cell(state, tile);
            let mut free = self.beside[from] & room;
            while free != 0 {
                let moved = state ^ (from as u32 ^ free.trailing_zeros()) << (4 * tile);
                emit((), self.with_blank(moved, from))?;
                free &= free - 1;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Undirected for Pattern<'_> {}

impl Goals for Pattern<'_> {
    /// Each tile in the cell of its number, and the blank in the first.
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

/// The sum over patterns, each of at most five tiles, that have no tile in common.
pub struct Patterns {
    /// Of each pattern, the moves by the cells of its tiles, 4 bits each, wherever the blank is.
    tables: Vec<Block<u8>>,
    /// Of each tile, its pattern, and its place in it.
    place: [(usize, usize); 16],
}

impl Patterns {
    /// The 15-puzzle's tiles in three fives, the best of six ways that were tried, and a byte for
    /// each of 16^5 keys.
    pub const FIFTEEN: [&[u8]; 3] = [&[1, 4, 5, 8, 9], &[2, 3, 6, 7, 11], &[10, 12, 13, 14, 15]];

    /// Searches all states of each pattern; their most bytes and their number go to the meter.
    pub fn new(grid: &Grid, patterns: &[&[u8]], meter: &mut Meter<'_>) -> Result<Self, Limit> {
        let mut made = Self { tables: Vec::new(), place: [(usize::MAX, 0); 16] };
        for (number, &tiles) in patterns.iter().enumerate() {
            let mut database = Database::new(Pattern::new(grid, tiles), Blind, meter.memory())?;
            database.extend(u32::MAX, meter)?;
            let cells = database.patterns().all_cells();
            let mut table = Block::filled(u8::MAX, cells as usize + 1, meter.memory())?;
            for (state, moves) in database.known() {
                let least = &mut table[(state & cells) as usize];
                *least = (*least).min(moves as u8);
            }
            tiles
                .iter()
                .enumerate()
                .for_each(|(place, &tile)| made.place[usize::from(tile)] = (number, place));
            made.tables.push(table);
        }
        Ok(made)
    }
}

/// The cells of the tiles of each pattern, and the moves that they need.
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
            let (pattern, place) = self.place[(state >> (4 * cell) & 15) as usize];
            if let Some(cells) = evaluation.cells.get_mut(pattern) {
                *cells |= cell << (4 * place);
            }
        }
        for (pattern, table) in self.tables.iter().enumerate() {
            evaluation.moves[pattern] = table[evaluation.cells[pattern] as usize];
        }
        evaluation
    }

    /// Only the pattern of the tile that has moved is looked up again.
    #[inline(always)]
    fn update(&self, mut evaluation: Evaluation, _: u64, by: Move, _: u64) -> Evaluation {
        let (pattern, place) = self.place[by.tile()];
        if let Some(table) = self.tables.get(pattern) {
            evaluation.cells[pattern] ^= (by.to() as u32 ^ by.from() as u32) << (4 * place);
            evaluation.moves[pattern] = table[evaluation.cells[pattern] as usize];
        }
        evaluation
    }

    #[inline(always)]
    fn bound(&self, evaluation: Evaluation) -> Option<u32> {
        Some(evaluation.moves.iter().map(|&moves| u32::from(moves)).sum())
    }
}
