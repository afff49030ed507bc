//! A board as drawn, with one character per cell.

use std::fmt;

use fewest_geometry::Direction;

/// The character of a blank, which is a cell without a piece.
pub const BLANK: char = '.';
/// The character of a wall, or of a cell outside the board.
pub const WALL: char = '#';

/// A rectangle of characters: [`BLANK`], [`WALL`], or the character of a piece on each of its
/// cells.
///
/// Cells are numbered from 0 in reading order. The first cell of a piece is the one with the lowest
/// number. [`Display`](fmt::Display) writes one line per row.
///
/// ```
/// use fewest_geometry::Direction;
/// use fewest_klotski::Board;
///
/// let board = Board::of_rows(["AA.", "A#b"]).unwrap();
/// assert_eq!((board.rows(), board.columns(), board.pieces()), (2, 3, vec!['A', 'b']));
/// assert_eq!((board.cells_of('A'), board.first_cell('b')), (vec![0, 1, 3], Some(5)));
/// assert_eq!((board.cells_of('.'), board.first_cell('#')), (vec![], None));
/// assert_eq!(board.neighbour(5, Direction::North), Some(2));
/// assert_eq!(board.neighbour(5, Direction::East), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    columns: usize,
    cells: Vec<char>,
}

impl Board {
    /// A board from its rows; `None` if there is no row, a row is empty, or the rows differ in
    /// length.
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

    /// A board from its cells in reading order.
    ///
    /// # Panics
    /// If there are no cells or no columns, or if the last row is incomplete.
    pub fn of_cells(columns: usize, cells: Vec<char>) -> Self {
        assert!(
            columns > 0 && !cells.is_empty() && cells.len().is_multiple_of(columns),
            "the cells must fill whole rows"
        );
        Self { columns, cells }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.cells.len() / self.columns
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The characters of all cells, in reading order.
    pub fn cells(&self) -> &[char] {
        &self.cells
    }

    /// The neighbour of a cell in a direction; `None` if it is beyond the edge of the rectangle.
    pub fn neighbour(&self, cell: usize, direction: Direction) -> Option<usize> {
        let column = cell % self.columns;
        match direction {
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

    /// The cells of a piece in reading order; empty if the piece is not on the board.
    pub fn cells_of(&self, piece: char) -> Vec<usize> {
        (0..self.cells.len()).filter(|&cell| is_piece(piece) && self.cells[cell] == piece).collect()
    }

    /// The first cell of a piece; `None` if the piece is not on the board.
    pub fn first_cell(&self, piece: char) -> Option<usize> {
        self.cells.iter().position(|&cell| cell == piece).filter(|_| is_piece(piece))
    }

    /// The board with all pieces removed.
    pub fn without_pieces(&self) -> Self {
        let remove = |&cell: &char| if is_piece(cell) { BLANK } else { cell };
        Self { columns: self.columns, cells: self.cells.iter().map(remove).collect() }
    }

    /// Moves a piece from its current cells, if any, to `cells`. What `cells` held is overwritten.
    ///
    /// # Panics
    /// If one of `cells` is not on the board.
    pub fn put(&mut self, piece: char, cells: &[usize]) {
        self.cells.iter_mut().filter(|cell| **cell == piece).for_each(|cell| *cell = BLANK);
        cells.iter().for_each(|&cell| self.cells[cell] = piece);
    }

    /// The cells translated so that the first of them becomes `first`; `None` if `cells` is empty
    /// or if a translated cell is beyond the edge of the rectangle.
    pub fn translated(&self, cells: &[usize], first: usize) -> Option<Vec<usize>> {
        let columns = self.columns as isize;
        let row_and_column = |cell: usize| (cell as isize / columns, cell as isize % columns);
        let (from, to) = (row_and_column(*cells.first()?), row_and_column(first));
        let translate = |&cell: &usize| {
            let (row, column) = row_and_column(cell);
            let (row, column) = (row + to.0 - from.0, column + to.1 - from.1);
            let inside = (0..self.rows() as isize).contains(&row) && (0..columns).contains(&column);
            inside.then_some((row * columns + column) as usize)
        };
        cells.iter().map(translate).collect()
    }

    /// Whether each of some cells can be reached from any other by steps to neighbours among them.
    pub fn is_connected(&self, cells: &[usize]) -> bool {
        let mut reached: Vec<usize> = cells.iter().take(1).copied().collect();
        let mut at = 0;
        while let Some(&cell) = reached.get(at) {
            at += 1;
            for direction in Direction::ALL {
                let next = self.neighbour(cell, direction);
                let is_new = |next: &usize| cells.contains(next) && !reached.contains(next);
                reached.extend(next.filter(is_new));
            }
        }
        reached.len() == cells.len()
    }

    /// The cell in a row and a column, from 1; `None` if it is not on the board.
    pub fn cell_at(&self, row: usize, column: usize) -> Option<usize> {
        let inside = (1..=self.rows()).contains(&row) && (1..=self.columns).contains(&column);
        inside.then(|| (row - 1) * self.columns + column - 1)
    }

    /// The row and column of a cell, from 1, as in the text format: `4,2`.
    pub fn coordinates(&self, cell: usize) -> String {
        format!("{},{}", cell / self.columns + 1, cell % self.columns + 1)
    }

    /// The rows on one line, separated by `/`.
    pub fn row_text(&self) -> String {
        self.cells
            .chunks(self.columns)
            .map(|row| row.iter().collect::<String>())
            .collect::<Vec<_>>()
            .join("/")
    }
}

/// Whether the character of a cell is that of a piece.
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
