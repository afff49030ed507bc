//! Wall-pusher: leave a maze of 4 x 6 cells, pushing walls (UVa 10384).
//!
//! The depth-first programs increase the depth limit until they find a plan, so they do not
//! terminate on an unsolvable maze.

use std::collections::HashSet;
use std::hash::BuildHasher;

use fxhash::FxHashSet;

use crate::SearchResult;
use crate::bfs::breadth_first;

const ROWS: usize = 4;
const COLUMNS: usize = 6;

/// A maze in the representation of the contest format: each cell has a mask with a bit for each
/// side that has a wall (1 west, 2 north, 4 east, 8 south). A wall between two cells is in both
/// masks.
#[derive(Clone, Copy, Debug)]
pub struct Maze {
    masks: [[u8; COLUMNS]; ROWS],
    row: usize,
    column: usize,
}

impl Maze {
    /// Reads the data sets of a valid input in the contest format.
    pub fn read(text: &str) -> Vec<Self> {
        let mut numbers = text.split_whitespace().filter_map(|word| word.parse::<u8>().ok());
        let mut mazes = Vec::new();
        while let (Some(column @ 1..), Some(row)) = (numbers.next(), numbers.next()) {
            let mut masks = [[0; COLUMNS]; ROWS];
            masks.iter_mut().flatten().zip(&mut numbers).for_each(|(mask, number)| *mask = number);
            mazes.push(Self { masks, row: usize::from(row) - 1, column: usize::from(column) - 1 });
        }
        mazes
    }

    /// Moves in a direction, and pushes the wall on that side, if any.
    fn step(&mut self, direction: usize) -> StepResult {
        let (side, other_side) = (1 << direction, 1 << (direction ^ 2));
        let (row, column) = (self.row, self.column);
        let target = neighbour(row, column, direction);
        if self.masks[row][column] & side == 0 {
            let Some((row, column)) = target else { return StepResult::Left };
            (self.row, self.column) = (row, column);
            return StepResult::Walked;
        }
        let Some((next_row, next_column)) = target else { return StepResult::Blocked };
        if self.masks[next_row][next_column] & side != 0 {
            return StepResult::Blocked;
        }
        self.push(row, column, direction);
        (self.row, self.column) = (next_row, next_column);
        debug_assert_eq!(
            self.masks[row][column] & side | self.masks[next_row][next_column] & other_side,
            0
        );
        StepResult::Pushed
    }

    /// Pushes the wall on one side of a cell to the same side of the next cell, or back. Both
    /// change the same bits.
    fn push(&mut self, row: usize, column: usize, direction: usize) {
        let (side, other_side) = (1 << direction, 1 << (direction ^ 2));
        self.masks[row][column] ^= side;
        let (row, column) =
            neighbour(row, column, direction).expect("a wall cannot be pushed out of the maze");
        self.masks[row][column] ^= side | other_side;
        if let Some((row, column)) = neighbour(row, column, direction) {
            self.masks[row][column] ^= other_side;
        }
    }

    /// A lower bound of the moves from each cell to the outside: one more than the Manhattan
    /// distance to the nearest cell with a gap.
    fn distances(&self) -> [[u32; COLUMNS]; ROWS] {
        let cells = || (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (row, column)));
        let gap = |&(row, column): &(usize, usize)| {
            (0..4).any(|direction| {
                neighbour(row, column, direction).is_none()
                    && self.masks[row][column] & 1 << direction == 0
            })
        };
        let mut distances = [[u32::MAX; COLUMNS]; ROWS];
        for (row, column) in cells() {
            let bound = |(y, x): (usize, usize)| (row.abs_diff(y) + column.abs_diff(x)) as u32 + 1;
            distances[row][column] = cells().filter(gap).map(bound).min().unwrap_or(u32::MAX);
        }
        distances
    }
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StepResult {
    /// The step is not allowed.
    Blocked,
    /// To the next cell, without pushing a wall.
    Walked,
    /// To the next cell, pushing a wall.
    Pushed,
    /// Out of the maze.
    Left,
}

/// The neighbour of a cell. Directions 0 to 3 are west, north, east and south.
fn neighbour(row: usize, column: usize, direction: usize) -> Option<(usize, usize)> {
    match direction {
        0 => (column > 0).then(|| (row, column - 1)),
        1 => (row > 0).then(|| (row - 1, column)),
        2 => (column + 1 < COLUMNS).then_some((row, column + 1)),
        _ => (row + 1 < ROWS).then_some((row + 1, column)),
    }
}

/// Iterative deepening: calls `search` with a limit of moves, from `min_moves` up, until it finds a
/// plan.
fn deepen(min_moves: u32, mut search: impl FnMut(u32, &mut SearchResult) -> bool) -> SearchResult {
    let mut result = SearchResult { moves: None, expanded: 0, generated: 0 };
    let moves = (min_moves..).find(|&moves| search(moves, &mut result));
    SearchResult { moves, ..result }
}

/// The baseline: iterative deepening, with a copy of the maze for each move.
pub fn copying(mazes: &[Maze]) -> Vec<SearchResult> {
    fn search(maze: &Maze, left: u32, result: &mut SearchResult) -> bool {
        if left == 0 {
            return false;
        }
        result.expanded += 1;
        for direction in 0..4 {
            let mut next = *maze;
            let step = next.step(direction);
            result.generated += u64::from(step != StepResult::Blocked);
            if step == StepResult::Left
                || step != StepResult::Blocked && search(&next, left - 1, result)
            {
                return true;
            }
        }
        false
    }
    mazes.iter().map(|maze| deepen(1, |moves, result| search(maze, moves, result))).collect()
}

/// Iterative deepening on one maze: each move is undone when the search backtracks.
pub fn undoing(mazes: &[Maze]) -> Vec<SearchResult> {
    mazes.iter().map(|maze| deepen_in_place(maze, |_, _| 1, 1)).collect()
}

/// The same as [`undoing`], as IDA*: prunes a state if the distance to the nearest gap exceeds the
/// remaining moves.
pub fn bounded(mazes: &[Maze]) -> Vec<SearchResult> {
    let solve = |maze: &Maze| {
        let distances = maze.distances();
        deepen_in_place(
            maze,
            |row, column| distances[row][column],
            distances[maze.row][maze.column],
        )
    };
    mazes.iter().map(solve).collect()
}

/// Iterative deepening on one maze, with a lower bound for each cell.
fn deepen_in_place(
    maze: &Maze,
    bound: impl Fn(usize, usize) -> u32,
    min_moves: u32,
) -> SearchResult {
    fn search(
        maze: &mut Maze,
        left: u32,
        bound: &impl Fn(usize, usize) -> u32,
        result: &mut SearchResult,
    ) -> bool {
        result.expanded += 1;
        let (row, column) = (maze.row, maze.column);
        for direction in 0..4 {
            let step = maze.step(direction);
            result.generated += u64::from(step != StepResult::Blocked);
            if step == StepResult::Left {
                return true;
            }
            if step != StepResult::Blocked
                && bound(maze.row, maze.column) < left
                && search(maze, left - 1, bound, result)
            {
                return true;
            }
            (maze.row, maze.column) = (row, column);
            if step == StepResult::Pushed {
                maze.push(row, column, direction);
            }
        }
        false
    }
    deepen(min_moves, |moves, result| search(&mut maze.clone(), moves, &bound, result))
}

/// A maze packed into a word of 64 bits.
///
/// | bits | meaning |
/// | --- | --- |
/// | 0 to 27 | the edges of the 4 rows, 7 each from west to east |
/// | 28 to 57 | the edges of the 6 columns, 5 each from north to south |
/// | 58 and above | the number of the cell, or 24 for the outside |
#[derive(Clone, Copy, Debug)]
struct PackedMaze;

impl PackedMaze {
    const CELL_SHIFT: u32 = (ROWS * (COLUMNS + 1) + COLUMNS * (ROWS + 1)) as u32;
    const OUTSIDE: u64 = (ROWS * COLUMNS) as u64;

    /// The index of the bit of a side of a cell.
    fn edge_bit(row: usize, column: usize, direction: usize) -> u32 {
        let edge = match direction {
            0 => row * (COLUMNS + 1) + column,
            2 => row * (COLUMNS + 1) + column + 1,
            1 => ROWS * (COLUMNS + 1) + column * (ROWS + 1) + row,
            _ => ROWS * (COLUMNS + 1) + column * (ROWS + 1) + row + 1,
        };
        edge as u32
    }

    fn pack(maze: &Maze) -> u64 {
        let mut word = ((maze.row * COLUMNS + maze.column) as u64) << Self::CELL_SHIFT;
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                for direction in
                    (0..4).filter(|direction| maze.masks[row][column] & 1 << direction != 0)
                {
                    word |= 1 << Self::edge_bit(row, column, direction);
                }
            }
        }
        word
    }

    fn cell(word: u64) -> u64 {
        word >> Self::CELL_SHIFT
    }

    /// The successor in a direction, or `None` if the step is not allowed.
    fn successor(word: u64, direction: usize) -> Option<u64> {
        let cell = Self::cell(word) as usize;
        let (row, column) = (cell / COLUMNS, cell % COLUMNS);
        let target = neighbour(row, column, direction);
        let mut after = word;
        let edge = Self::edge_bit(row, column, direction);
        if word >> edge & 1 == 1 {
            let (row, column) = target?;
            let ahead = Self::edge_bit(row, column, direction);
            if word >> ahead & 1 == 1 {
                return None;
            }
            after ^= 1 << edge | 1 << ahead;
        }
        let to = target.map_or(Self::OUTSIDE, |(row, column)| (row * COLUMNS + column) as u64);
        Some(after ^ (cell as u64 ^ to) << Self::CELL_SHIFT)
    }
}

/// The same as [`bounded`], with one bit for each edge instead of two for each wall.
pub fn edges(mazes: &[Maze]) -> Vec<SearchResult> {
    fn search(
        word: u64,
        left: u32,
        distances: &[u32; ROWS * COLUMNS],
        result: &mut SearchResult,
    ) -> bool {
        result.expanded += 1;
        for direction in 0..4 {
            let Some(next) = PackedMaze::successor(word, direction) else { continue };
            result.generated += 1;
            let cell = PackedMaze::cell(next);
            if cell == PackedMaze::OUTSIDE {
                return true;
            }
            if distances[cell as usize] < left && search(next, left - 1, distances, result) {
                return true;
            }
        }
        false
    }
    let solve = |maze: &Maze| {
        let rows = maze.distances();
        let mut distances = [0; ROWS * COLUMNS];
        distances
            .iter_mut()
            .zip(rows.iter().flatten())
            .for_each(|(distance, &row)| *distance = row);
        let min_moves = rows[maze.row][maze.column];
        deepen(min_moves, |moves, result| search(PackedMaze::pack(maze), moves, &distances, result))
    };
    mazes.iter().map(solve).collect()
}

/// Breadth-first search with one bit for each edge and the hash set of the standard library.
pub fn breadth_first_std(mazes: &[Maze]) -> Vec<SearchResult> {
    mazes.iter().map(|maze| breadth_first_packed(maze, &mut HashSet::new())).collect()
}

/// The same as [`breadth_first_std`], with FxHash.
pub fn breadth_first_fx(mazes: &[Maze]) -> Vec<SearchResult> {
    mazes.iter().map(|maze| breadth_first_packed(maze, &mut FxHashSet::default())).collect()
}

fn breadth_first_packed<H: BuildHasher>(
    maze: &Maze,
    visited: &mut HashSet<u64, H>,
) -> SearchResult {
    let is_out = |&word: &u64| PackedMaze::cell(word) == PackedMaze::OUTSIDE;
    breadth_first(PackedMaze::pack(maze), is_out, visited, |&word, next| {
        next.extend((0..4).filter_map(|direction| PackedMaze::successor(word, direction)));
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_programs_find_optimal_plans() {
        let mazes = Maze::read(include_str!("../../../testdata/wall-pusher/sample.in"));
        for program in [copying, undoing, bounded, edges, breadth_first_std, breadth_first_fx] {
            let moves: Vec<_> = program(&mazes).iter().map(|result| result.moves).collect();
            assert_eq!(moves, [Some(16)]);
        }
    }

    #[test]
    fn depth_first_programs_differ_only_in_the_bound() {
        let mazes = Maze::read(include_str!("../../../testdata/wall-pusher/sample.in"));
        assert_eq!(copying(&mazes), undoing(&mazes));
        assert_eq!(bounded(&mazes), edges(&mazes));
        assert!(bounded(&mazes)[0].generated < undoing(&mazes)[0].generated);
    }
}
