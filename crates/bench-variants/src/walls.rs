//! The wall pusher: out of a maze of 4 x 6 cells, pushing walls (UVa 10384).
//!
//! The depth-first programs deepen until they find a way out, so they never end on a maze without
//! one.

use std::collections::HashSet;
use std::hash::BuildHasher;

use fxhash::FxHashSet;

use crate::Found;
use crate::bfs::breadth_first;

const ROWS: usize = 4;
const COLUMNS: usize = 6;

/// A maze as the input has it: of each cell, which sides have walls (1 west, 2 north, 4 east, 8
/// south). A wall between two cells stands in both.
#[derive(Clone, Copy, Debug)]
pub struct Maze {
    masks: [[u8; COLUMNS]; ROWS],
    row: usize,
    column: usize,
}

impl Maze {
    /// The data sets of a well-formed input.
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

    /// Crosses a side of the cell, pushing what stands there.
    fn go(&mut self, way: usize) -> Crossed {
        let (side, other_side) = (1 << way, 1 << (way ^ 2));
        let (row, column) = (self.row, self.column);
        let there = beside(row, column, way);
        if self.masks[row][column] & side == 0 {
            let Some((row, column)) = there else { return Crossed::Out };
            (self.row, self.column) = (row, column);
            return Crossed::Walked;
        }
        let Some((next_row, next_column)) = there else { return Crossed::Not };
        if self.masks[next_row][next_column] & side != 0 {
            return Crossed::Not;
        }
        self.push(row, column, way);
        (self.row, self.column) = (next_row, next_column);
        debug_assert_eq!(
            self.masks[row][column] & side | self.masks[next_row][next_column] & other_side,
            0
        );
        Crossed::Pushed
    }

    /// Moves a wall that stands on a side of a cell to that side of the next cell, or back: the
    /// same bits change.
    fn push(&mut self, row: usize, column: usize, way: usize) {
        let (side, other_side) = (1 << way, 1 << (way ^ 2));
        self.masks[row][column] ^= side;
        let (row, column) = beside(row, column, way).expect("a wall is pushed over a cell");
        self.masks[row][column] ^= side | other_side;
        if let Some((row, column)) = beside(row, column, way) {
            self.masks[row][column] ^= other_side;
        }
    }

    /// How many moves it is at least from each cell to the outside: one more than to the nearest
    /// cell with a gap.
    fn distances(&self) -> [[u32; COLUMNS]; ROWS] {
        let cells = || (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (row, column)));
        let gap = |&(row, column): &(usize, usize)| {
            (0..4).any(|way| {
                beside(row, column, way).is_none() && self.masks[row][column] & 1 << way == 0
            })
        };
        let mut distances = [[u32::MAX; COLUMNS]; ROWS];
        for (row, column) in cells() {
            let away = |(y, x): (usize, usize)| (row.abs_diff(y) + column.abs_diff(x)) as u32 + 1;
            distances[row][column] = cells().filter(gap).map(away).min().unwrap_or(u32::MAX);
        }
        distances
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Crossed {
    Not,
    Walked,
    Pushed,
    Out,
}

/// The cell beside another: west, north, east and south are 0 to 3.
fn beside(row: usize, column: usize, way: usize) -> Option<(usize, usize)> {
    match way {
        0 => (column > 0).then(|| (row, column - 1)),
        1 => (row > 0).then(|| (row - 1, column)),
        2 => (column + 1 < COLUMNS).then_some((row, column + 1)),
        _ => (row + 1 < ROWS).then_some((row + 1, column)),
    }
}

/// Deepens from `least` until `search` finds a way out in as many moves.
fn deepen(least: u32, mut search: impl FnMut(u32, &mut Found) -> bool) -> Found {
    let mut found = Found { moves: None, states: 0, nodes: 0 };
    let moves = (least..).find(|&moves| search(moves, &mut found));
    Found { moves, ..found }
}

/// The textbook: iterative deepening, and a copy of the maze for each move.
pub fn copying(mazes: &[Maze]) -> Vec<Found> {
    fn search(maze: &Maze, left: u32, found: &mut Found) -> bool {
        if left == 0 {
            return false;
        }
        found.states += 1;
        for way in 0..4 {
            let mut next = *maze;
            let crossed = next.go(way);
            found.nodes += u64::from(crossed != Crossed::Not);
            if crossed == Crossed::Out || crossed != Crossed::Not && search(&next, left - 1, found)
            {
                return true;
            }
        }
        false
    }
    mazes.iter().map(|maze| deepen(1, |moves, found| search(maze, moves, found))).collect()
}

/// One maze for all moves: each is undone on the way back.
pub fn undoing(mazes: &[Maze]) -> Vec<Found> {
    mazes.iter().map(|maze| deepen_in_place(maze, |_, _| 1, 1)).collect()
}

/// The same, and no move that leaves too few for the way to the nearest gap.
pub fn bounded(mazes: &[Maze]) -> Vec<Found> {
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

fn deepen_in_place(maze: &Maze, bound: impl Fn(usize, usize) -> u32, least: u32) -> Found {
    fn search(
        maze: &mut Maze,
        left: u32,
        bound: &impl Fn(usize, usize) -> u32,
        found: &mut Found,
    ) -> bool {
        found.states += 1;
        let (row, column) = (maze.row, maze.column);
        for way in 0..4 {
            let crossed = maze.go(way);
            found.nodes += u64::from(crossed != Crossed::Not);
            if crossed == Crossed::Out {
                return true;
            }
            if crossed != Crossed::Not
                && bound(maze.row, maze.column) < left
                && search(maze, left - 1, bound, found)
            {
                return true;
            }
            (maze.row, maze.column) = (row, column);
            if crossed == Crossed::Pushed {
                maze.push(row, column, way);
            }
        }
        false
    }
    deepen(least, |moves, found| search(&mut maze.clone(), moves, &bound, found))
}

/// A maze as a word: a bit for each edge, and the cell's number above them.
///
/// The edges of the rows come first, 7 each from the west, then those of the columns, 5 each from
/// the north.
#[derive(Clone, Copy, Debug)]
struct Edges;

impl Edges {
    const CELL: u32 = (ROWS * (COLUMNS + 1) + COLUMNS * (ROWS + 1)) as u32;
    const OUTSIDE: u64 = (ROWS * COLUMNS) as u64;

    /// The bit of a side of a cell.
    fn edge(row: usize, column: usize, way: usize) -> u32 {
        let edge = match way {
            0 => row * (COLUMNS + 1) + column,
            2 => row * (COLUMNS + 1) + column + 1,
            1 => ROWS * (COLUMNS + 1) + column * (ROWS + 1) + row,
            _ => ROWS * (COLUMNS + 1) + column * (ROWS + 1) + row + 1,
        };
        edge as u32
    }

    fn pack(maze: &Maze) -> u64 {
        let mut word = ((maze.row * COLUMNS + maze.column) as u64) << Self::CELL;
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                for way in (0..4).filter(|way| maze.masks[row][column] & 1 << way != 0) {
                    word |= 1 << Self::edge(row, column, way);
                }
            }
        }
        word
    }

    fn cell(word: u64) -> u64 {
        word >> Self::CELL
    }

    /// The word after a move.
    fn go(word: u64, way: usize) -> Option<u64> {
        let cell = Self::cell(word) as usize;
        let (row, column) = (cell / COLUMNS, cell % COLUMNS);
        let there = beside(row, column, way);
        let mut after = word;
        let edge = Self::edge(row, column, way);
        if word >> edge & 1 == 1 {
            let (row, column) = there?;
            let ahead = Self::edge(row, column, way);
            if word >> ahead & 1 == 1 {
                return None;
            }
            after ^= 1 << edge | 1 << ahead;
        }
        let to = there.map_or(Self::OUTSIDE, |(row, column)| (row * COLUMNS + column) as u64);
        Some(after ^ (cell as u64 ^ to) << Self::CELL)
    }
}

/// A bit an edge instead of two a wall; with the bound.
pub fn edges(mazes: &[Maze]) -> Vec<Found> {
    fn search(word: u64, left: u32, distances: &[u32; ROWS * COLUMNS], found: &mut Found) -> bool {
        found.states += 1;
        for way in 0..4 {
            let Some(next) = Edges::go(word, way) else { continue };
            found.nodes += 1;
            let cell = Edges::cell(next);
            if cell == Edges::OUTSIDE {
                return true;
            }
            if distances[cell as usize] < left && search(next, left - 1, distances, found) {
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
        let least = rows[maze.row][maze.column];
        deepen(least, |moves, found| search(Edges::pack(maze), moves, &distances, found))
    };
    mazes.iter().map(solve).collect()
}

/// Breadth-first, a bit an edge, in the standard library's hash set.
pub fn breadth_first_std(mazes: &[Maze]) -> Vec<Found> {
    mazes.iter().map(|maze| by_layers(maze, &mut HashSet::new())).collect()
}

/// Breadth-first in the same set with a quick hash.
pub fn breadth_first_fx(mazes: &[Maze]) -> Vec<Found> {
    mazes.iter().map(|maze| by_layers(maze, &mut FxHashSet::default())).collect()
}

fn by_layers<H: BuildHasher>(maze: &Maze, seen: &mut HashSet<u64, H>) -> Found {
    let is_out = |&word: &u64| Edges::cell(word) == Edges::OUTSIDE;
    breadth_first(Edges::pack(maze), is_out, seen, |&word, next| {
        next.extend((0..4).filter_map(|way| Edges::go(word, way)));
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_finds_the_fewest_moves() {
        let mazes = Maze::read(include_str!("../../../testdata/wall-pusher/sample.in"));
        for program in [copying, undoing, bounded, edges, breadth_first_std, breadth_first_fx] {
            let moves: Vec<_> = program(&mazes).iter().map(|found| found.moves).collect();
            assert_eq!(moves, [Some(16)]);
        }
    }

    #[test]
    fn the_depth_first_programs_differ_only_by_the_bound() {
        let mazes = Maze::read(include_str!("../../../testdata/wall-pusher/sample.in"));
        assert_eq!(copying(&mazes), undoing(&mazes));
        assert_eq!(bounded(&mazes), edges(&mazes));
        assert!(bounded(&mazes)[0].nodes < undoing(&mazes)[0].nodes);
    }
}
