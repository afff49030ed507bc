//! The starts and goals of agents, checked as they are read from a file.

use std::collections::BTreeMap;

use bitvec::slice::BitSlice;
use fewest_geometry::Cell;
use fewest_rules::text::{Diagnostic, Line};

use crate::instance::{Ghost, Size};

/// The agents that were read so far.
pub(crate) struct Placing<'a> {
    size: Size,
    corridor: &'a BitSlice,
    /// The line numbers of the starts and of the goals.
    taken: [BTreeMap<Cell, usize>; 2],
}

/// A cell in a file.
#[derive(Clone, Copy)]
pub(crate) struct PlacedAt<'a> {
    pub(crate) line: Line<'a>,
    /// The byte offset in the line.
    pub(crate) at: usize,
    pub(crate) column: u16,
    pub(crate) row: u16,
}

impl<'a> Placing<'a> {
    pub(crate) fn new(size: Size, corridor: &'a BitSlice) -> Self {
        Self { size, corridor, taken: [BTreeMap::new(), BTreeMap::new()] }
    }

    /// The next agent.
    pub(crate) fn agent(&mut self, ends: [PlacedAt<'_>; 2]) -> Result<Ghost, Diagnostic> {
        let [start, goal] = ends;
        Ok(Ghost { start: self.place(0, start)?, goal: self.place(1, goal)? })
    }

    fn place(&mut self, end: usize, placed: PlacedAt<'_>) -> Result<Cell, Diagnostic> {
        let PlacedAt { line, at, column, row } = placed;
        let what = ["start", "goal"][end];
        let found = format!("the {what} {column} {row}");
        let cell = Cell::new(row.into(), column.into());
        if !self.size.contains(cell) {
            let (rows, columns) = (self.size.rows(), self.size.columns());
            let expected = format!("a column below {columns} and a row below {rows}");
            return Err(line.wrong(at, found, expected));
        }
        if !self.corridor[self.size.index(cell)] {
            let found = format!("{found}, which is a wall");
            return Err(line.wrong(at, found, "a corridor cell of the map"));
        }
        match self.taken[end].insert(cell, line.number) {
            Some(before) => {
                let expected = format!("a {what} other than the one on line {before}");
                Err(line.wrong(at, found, expected))
            }
            None => Ok(cell),
        }
    }
}
