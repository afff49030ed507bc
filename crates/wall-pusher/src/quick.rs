//! A short search that needs no preparation, for easy mazes.
//!
//! Most mazes are easy: to set up the relaxation and the heuristic takes longer than to find a
//! shortest plan without them. The search is an iterative-deepening depth-first search on a word
//! with one bit per edge. Its lower bound is the distance to the nearest gap on the grid without
//! walls, together with the parity of the moves that are left.
//!
//! The tables depend only on the size. They are computed once per process.

use std::sync::OnceLock;

use fewest_core::stats::Stats;

use crate::bits::take_lowest;
use crate::instance::{Instance, Size};
use crate::plan::Plan;
use crate::space::{PackedMove, Space};

/// The tables for all mazes of one size.
struct SizeTables {
    space: Space<u64>,
    /// The moves from each cell. Because no move is excluded, there are four. Slices of unknown
    /// length make the search a tenth slower.
    moves: Vec<[PackedMove<u64>; 4]>,
    /// All cells, one bit each.
    cells: u64,
    /// All cells but those of the first column.
    not_first_column: u64,
}

/// The tables of a size; `None` if its states do not fit the word.
fn tables(size: Size) -> Option<&'static SizeTables> {
    static ALL: [OnceLock<Option<SizeTables>>; Size::MAX_SIDE * Size::MAX_SIDE] =
        [const { OnceLock::new() }; Size::MAX_SIDE * Size::MAX_SIDE];
    let build = || {
        let space = Space::of_size(size)?;
        let moves = (0..size.len())
            .map(|cell| space.moves_from(cell).first_chunk().copied())
            .collect::<Option<_>>()?;
        Some(SizeTables {
            space,
            moves,
            cells: size.mask(|_| true),
            not_first_column: size.mask(|place| place.column > 0),
        })
    };
    ALL[(size.rows() - 1) * Size::MAX_SIDE + size.columns() - 1].get_or_init(build).as_ref()
}

/// Searches for a shortest plan with at most `state_limit` expansions. If it finds none, returns a
/// lower bound on the cost instead. Also returns the work.
pub(crate) fn search(maze: &Instance, state_limit: u64) -> (Result<Plan, u32>, Stats) {
    let Some(tables) = tables(maze.size()) else { return (Err(0), Stats::default()) };
    let start = tables.space.initial_state(maze);
    let from = tables.space.cell(start);
    // The bits above those of the cells stand for outside. They are always set, because a move to
    // the outside ends the plan.
    let may_exit = [!tables.cells; COST_LIMIT];
    let mut deepening =
        Deepening { tables, may_exit, state_limit, stats: Stats::default(), plan: Plan::new() };
    let mut cells = tables.cells_with_gaps(maze);
    let mut lower_bound = 1;
    for cost in 1..COST_LIMIT {
        deepening.may_exit[cost] |= cells;
        if cells >> from & 1 == 1 && deepening.search(start, 0, cost) || deepening.is_exhausted() {
            break;
        }
        cells = tables.neighbours(cells, maze.size().columns());
        lower_bound += 1;
    }
    let Deepening { mut plan, stats, .. } = deepening;
    plan.reverse();
    (if plan.is_empty() { Err(lower_bound) } else { Ok(plan) }, stats)
}

/// The search tries only costs below this. Longer plans are left to the other algorithms.
const COST_LIMIT: usize = 32;

impl SizeTables {
    /// The cells with a gap.
    #[inline]
    fn cells_with_gaps(&self, maze: &Instance) -> u64 {
        let (size, walls) = (maze.size(), maze.walls());
        let (rows, columns) = (size.rows(), size.columns());
        // The first and the last edge of each line are on the border.
        let mut gaps = 0;
        for row in 0..rows {
            let open = !walls.of_line(row, size);
            gaps |= (open & 1 | (open >> columns & 1) << (columns - 1)) << (row * columns);
        }
        for column in 0..columns {
            let open = !walls.of_line(rows + column, size);
            gaps |= (open & 1 | (open >> rows & 1) << ((rows - 1) * columns)) << column;
        }
        gaps as u64
    }

    /// The neighbours of all these cells.
    #[inline]
    fn neighbours(&self, cells: u64, columns: usize) -> u64 {
        let in_row = cells << 1 & self.not_first_column | (cells & self.not_first_column) >> 1;
        (in_row | cells << columns | cells >> columns) & self.cells
    }
}

struct Deepening {
    tables: &'static SizeTables,
    /// For each number of moves, the cells from which exactly this number may lead outside. Each
    /// move changes the colour of the cell as on a chessboard, so all walks from a cell through the
    /// same gap have lengths of the same parity.
    may_exit: [u64; COST_LIMIT],
    state_limit: u64,
    stats: Stats,
    /// The plan that was found, last move first.
    plan: Plan,
}

impl Deepening {
    /// Whether the state limit is reached.
    fn is_exhausted(&self) -> bool {
        self.stats.expanded >= self.state_limit
    }

    /// Whether a plan of exactly `moves_left` moves leads outside from `state`. `inverse` has the
    /// bit of the direction that undoes the last move; it is zero if that move was a push.
    fn search(&mut self, state: u64, inverse: u64, moves_left: usize) -> bool {
        if self.is_exhausted() {
            return false;
        }
        self.stats.expanded += 1;
        let moves = &self.tables.moves[self.tables.space.cell(state)];
        let may_exit = self.may_exit[moves_left - 1];
        let is_promising = moves
            .each_ref()
            .map(|packed_move| packed_move.is_legal(state) & (may_exit >> packed_move.to & 1 == 1));
        let mut directions = (0..4).fold(0, |directions, direction| {
            directions | u64::from(is_promising[direction]) << direction
        }) & !inverse;
        while let Some(direction) = take_lowest(&mut directions) {
            let packed_move = &moves[direction];
            self.stats.generated += 1;
            let inverse = if packed_move.is_free(state) {
                1 << packed_move.direction.opposite() as u8
            } else {
                0
            };
            if usize::from(packed_move.to) >= self.tables.moves.len()
                || self.search(packed_move.apply(state), inverse, moves_left - 1)
            {
                self.plan.push(packed_move.direction);
                return true;
            }
        }
        false
    }
}
