//! The geometry of the classic board, on which layouts are placed: its size, the shapes of its
//! pieces, and where the 2x2 piece has to be.

/// Rows of the classic board.
pub const ROWS: usize = 5;
/// Columns of the classic board.
pub const COLUMNS: usize = 4;
/// Cells of the classic board.
pub const CELLS: usize = ROWS * COLUMNS;

/// The first cell of the 2x2 piece when the classic puzzle is solved: row 4, column 2.
pub(crate) const EXIT: usize = 3 * COLUMNS + 1;

/// The shapes of classic pieces, in rows and columns.
pub(crate) const SHAPES: [(usize, usize); 4] = [(1, 1), (2, 1), (1, 2), (2, 2)];

/// The rows and columns of a classic piece with these cells; `None` if they have none of the
/// [`SHAPES`].
pub(crate) fn shape_of(cells: &[usize]) -> Option<(usize, usize)> {
    SHAPES
        .into_iter()
        .find(|&shape| footprint(cells[0], shape).is_some_and(|footprint| footprint == cells))
}

/// The cells of a shape on the classic board in reading order, with its first cell on `first`;
/// `None` if it extends beyond the board.
pub(crate) fn footprint(first: usize, (rows, columns): (usize, usize)) -> Option<Vec<usize>> {
    let inside = first / COLUMNS + rows <= ROWS && first % COLUMNS + columns <= COLUMNS;
    let cells =
        (0..rows).flat_map(|row| (0..columns).map(move |column| first + row * COLUMNS + column));
    inside.then(|| cells.collect())
}

/// The number of pieces of each shape, apart from the 2x2 piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pieces {
    /// Vertical dominoes (2x1).
    pub standing: usize,
    /// Horizontal dominoes (1x2).
    pub lying: usize,
    /// Singles.
    pub singles: usize,
}

impl Pieces {
    /// The number of blanks; `None` if the pieces have more cells than the board.
    pub fn blanks(self) -> Option<usize> {
        (CELLS - 4).checked_sub(2 * (self.standing + self.lying) + self.singles)
    }
}

/// The number of layouts with at least two blanks. A test counts them.
pub const LAYOUTS: u64 = 29_334_498;
