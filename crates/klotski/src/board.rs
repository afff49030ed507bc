//! A board as drawn: a character a cell.

use std::fmt;

use fewest_core::grid::Direction;

/// What a cell holds that belongs to no piece.
pub const BLANK: char = '.';
/// A cell that is not there: a wall, or outside.
pub const WALL: char = '#';

/// Rows of characters: [`BLANK`], [`WALL`], and of each piece its own character on all its cells.
/// Cells are numbered in reading order, from 0.
///
/// [`Display`](fmt::Display) writes it as lines.
///
/// ```
/// use fewest_core::grid::Direction;
/// use fewest_klotski::Board;
///
/// let board = Board::of_rows(["AA.", "A#b"]).unwrap();
/// assert_eq!((board.rows(), board.columns(), board.pieces()), (2, 3, vec!['A', 'b']));
/// assert_eq!((board.cells_of('A'), board.first_cell('b')), (vec![0, 1, 3], Some(5)));
/// assert_eq!((board.cells_of('.'), board.first_cell('#')), (vec![], None));
/// assert_eq!((board.neighbour(5, Direction::North), board.neighbour(5, Direction::East)), (Some(2), None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    columns: usize,
    cells: Vec<char>,
}

impl Board {
    /// The board of these rows; `None` if there is no cell, or if they are not equally long.
    pub fn of_rows<'a>(rows: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let mut board = Self { columns: 0, cells: Vec::new() };
        for row in rows {
            let before = board.cells.len();
            board.cells.extend(row.chars());
            let columns = board.cells.len() - before;
            if columns == 0 || before > 0 && columns != board.columns {
                return None;
            }
            board.columns = columns;
        }
        (board.columns > 0).then_some(board)
    }

    /// The board of these cells.
    ///
    /// # Panics
    /// If they do not fill a number of rows.
    pub fn of_cells(columns: usize, cells: Vec<char>) -> Self {
        assert!(
            columns > 0 && !cells.is_empty() && cells.len().is_multiple_of(columns),
            "whole rows"
        );
        Self { columns, cells }
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.cells.len() / self.columns
    }

    /// How many columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The characters of all cells.
    pub fn cells(&self) -> &[char] {
        &self.cells
    }

    /// The cell that shares an edge with another in a direction; `None` over the edge of the
    /// drawing.
    pub fn neighbour(&self, cell: usize, way: Direction) -> Option<usize> {
        let column = cell % self.columns;
        match way {
            Direction::North => cell.checked_sub(self.columns),
            Direction::East => (column + 1 < self.columns).then_some(cell + 1),
            Direction::South => Some(cell + self.columns).filter(|&cell| cell < self.cells.len()),
            Direction::West => (column > 0).then(|| cell - 1),
        }
    }

    /// The characters of all pieces, in the order of their first cells.
    pub fn pieces(&self) -> Vec<char> {
        let mut pieces = Vec::new();
        for &cell in &self.cells {
            if is_piece(cell) && !pieces.contains(&cell) {
                pieces.push(cell);
            }
        }
        pieces
    }

    /// The cells of a piece, in reading order; none if it is not on the board.
    pub fn cells_of(&self, piece: char) -> Vec<usize> {
        (0..self.cells.len()).filter(|&cell| is_piece(piece) && self.cells[cell] == piece).collect()
    }

    /// The first cell of a piece, by which its place is told; `None` if it is not on the board.
    pub fn first_cell(&self, piece: char) -> Option<usize> {
        self.cells.iter().position(|&cell| cell == piece).filter(|_| is_piece(piece))
    }

    /// The board with all pieces taken off.
    pub fn bare(&self) -> Self {
        let off = |&cell: &char| if is_piece(cell) { BLANK } else { cell };
        Self { columns: self.columns, cells: self.cells.iter().map(off).collect() }
    }

    /// Takes a piece to these cells, and off those that it was on.
    pub fn put(&mut self, piece: char, cells: &[usize]) {
        self.cells.iter_mut().filter(|cell| **cell == piece).for_each(|cell| *cell = BLANK);
        cells.iter().for_each(|&cell| self.cells[cell] = piece);
    }

    /// The cells moved so that the first of them becomes `first`; `None` if one of them leaves the
    /// drawing.
    pub fn moved(&self, cells: &[usize], first: usize) -> Option<Vec<usize>> {
        let columns = self.columns as isize;
        let place = |cell: usize| (cell as isize / columns, cell as isize % columns);
        let (from, to) = (place(*cells.first()?), place(first));
        let moved = |&cell: &usize| {
            let (row, column) = place(cell);
            let (row, column) = (row + to.0 - from.0, column + to.1 - from.1);
            let inside = (0..self.rows() as isize).contains(&row) && (0..columns).contains(&column);
            inside.then_some((row * columns + column) as usize)
        };
        cells.iter().map(moved).collect()
    }

    /// Row and column of a cell, from 1, as texts say them: `4,2`.
    pub fn place(&self, cell: usize) -> String {
        format!("{},{}", cell / self.columns + 1, cell % self.columns + 1)
    }

    /// The rows on a line, with `/` between them.
    pub fn row_text(&self) -> String {
        self.cells
            .chunks(self.columns)
            .map(|row| row.iter().collect::<String>())
            .collect::<Vec<_>>()
            .join("/")
    }
}

/// Whether a character names a piece.
pub(crate) fn is_piece(cell: char) -> bool {
    cell != BLANK && cell != WALL
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cells
            .chunks(self.columns)
            .try_for_each(|row| writeln!(f, "{}", row.iter().collect::<String>()))
    }
}
