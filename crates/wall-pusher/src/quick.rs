//! A short search before anything is prepared. Most mazes are easy, and what a deeper search makes
//! ready takes longer than to find the way out of them: deepening depth-first, from the distance to
//! the nearest gap on, on a word with a bit for each edge.
//!
//! What depends on the size alone is made once a program.

use std::sync::OnceLock;

use fewest_core::stats::Stats;

use crate::bits::take_lowest;
use crate::instance::{Instance, Size};
use crate::plan::Plan;
use crate::space::{Space, Step};

/// The boards of a size, whatever the maze.
struct Boards {
    space: Space<u64>,
    /// The moves of the space from each cell; where nothing is ruled out there are four. As lists
    /// of a length that is not known they would take a tenth longer.
    steps: Vec<[Step<u64>; 4]>,
    /// The cells, a bit each; and those that are not in the first column.
    cells: u64,
    not_first: u64,
}

/// `None` if a board of the size does not fit the word.
fn boards(size: Size) -> Option<&'static Boards> {
    static ALL: [OnceLock<Option<Boards>>; Size::MOST * Size::MOST] =
        [const { OnceLock::new() }; Size::MOST * Size::MOST];
    let make = || {
        let space = Space::of_size(size)?;
        let steps = (0..size.cells())
            .map(|cell| space.steps(cell).first_chunk().copied())
            .collect::<Option<_>>()?;
        Some(Boards {
            space,
            steps,
            cells: size.mask(|_| true),
            not_first: size.mask(|place| place.column > 0),
        })
    };
    ALL[(size.rows() - 1) * Size::MOST + size.columns() - 1].get_or_init(make).as_ref()
}

/// A shortest plan, if it is found within so many states; else how many moves any plan has at
/// least. And the work.
pub(crate) fn search(maze: &Instance, most: u64) -> (Result<Plan, u32>, Stats) {
    let Some(boards) = boards(maze.size()) else { return (Err(0), Stats::default()) };
    let start = boards.space.state(maze);
    let from = boards.space.cell(start);
    // Outside is near.
    let near = [!boards.cells; DEEP];
    let mut deepening =
        Deepening { boards, near, most, stats: Stats::default(), plan: Plan::new() };
    let mut cells = boards.with_gaps(maze);
    let mut least = 1;
    for moves in 1..DEEP {
        deepening.near[moves] |= cells;
        if cells >> from & 1 == 1 && deepening.search(start, 0, moves) || deepening.is_spent() {
            break;
        }
        cells = boards.beside(cells, maze.size().columns());
        least += 1;
    }
    let Deepening { mut plan, stats, .. } = deepening;
    plan.reverse();
    (if plan.is_empty() { Err(least) } else { Ok(plan) }, stats)
}

/// No way out that is found soon has as many moves.
const DEEP: usize = 32;

impl Boards {
    /// The cells with a gap.
    #[inline]
    fn with_gaps(&self, maze: &Instance) -> u64 {
        let (size, walls) = (maze.size(), maze.walls());
        let (rows, columns) = (size.rows(), size.columns());
        // At both ends of each line.
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

    /// The cells beside these.
    #[inline]
    fn beside(&self, cells: u64, columns: usize) -> u64 {
        let in_row = cells << 1 & self.not_first | (cells & self.not_first) >> 1;
        (in_row | cells << columns | cells >> columns) & self.cells
    }
}

struct Deepening {
    boards: &'static Boards,
    /// For so many moves, the cells from which they might lead out, no fewer: each move changes the
    /// colour of the cell as on a chess board, so to each gap there are only even or only odd ways.
    near: [u64; DEEP],
    most: u64,
    stats: Stats,
    /// The plan that was found, last move first.
    plan: Plan,
}

impl Deepening {
    fn is_spent(&self) -> bool {
        self.stats.expanded >= self.most
    }

    /// Whether there is a way out of just so many moves. `back` is the bit of the move that would
    /// undo the last one, if that pushed nothing.
    fn search(&mut self, state: u64, back: u64, moves: usize) -> bool {
        if self.is_spent() {
            return false;
        }
        self.stats.expanded += 1;
        let steps = &self.boards.steps[self.boards.space.cell(state)];
        let near = self.near[moves - 1];
        let good =
            steps.each_ref().map(|step| step.is_possible(state) & (near >> step.to & 1 == 1));
        let mut ways = (0..4).fold(0, |ways, way| ways | u64::from(good[way]) << way) & !back;
        while let Some(way) = take_lowest(&mut ways) {
            let step = &steps[way];
            self.stats.generated += 1;
            let back = if step.is_free(state) { 1 << step.way.opposite() as u8 } else { 0 };
            if usize::from(step.to) >= self.boards.steps.len()
                || self.search(step.after(state), back, moves - 1)
            {
                self.plan.push(step.way);
                return true;
            }
        }
        false
    }
}
