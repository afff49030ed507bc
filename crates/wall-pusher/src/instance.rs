//! The puzzle as given: a maze and the start cell.
//!
//! There are two text formats: numbers, which is the contest format, and drawings. A text may mix
//! data sets of both. The same maze in both formats:
//!
//! ```
//! use fewest_wall_pusher::{Instance, Size};
//!
//! let size = Size::new(2, 2).unwrap();
//! let numbers = "2 1\n3 6\n9 8\n";
//! let drawing = "\
//! +--+--+
//! |   S |
//! +  +  +
//! |
//! +--+--+
//! ";
//! let maze = Instance::read(numbers.as_bytes(), size).next().unwrap().unwrap();
//! assert_eq!(Instance::read(drawing.as_bytes(), size).next().unwrap().unwrap(), maze);
//! assert_eq!(maze.to_string(), numbers);
//! ```

use std::fmt;

use fewest_geometry::{Cell, Direction, Grid};

/// The rows and columns of a maze, at most 8 x 8.
pub type Size = Grid<8>;

/// An edge of a cell, given by its line and its index in the line. The line of a row has the
/// `columns + 1` vertical edges of that row; the line of a column, its `rows + 1` horizontal edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Whether the line is that of a row; otherwise it is that of a column.
    pub in_row: bool,
    /// The number of the row or column, from 0.
    pub line: usize,
    /// The index in the line, from the west or from the north. Index 0 is on the border.
    pub index: usize,
}

impl Edge {
    /// The edge of a cell in a direction.
    pub fn of(place: Cell, direction: Direction) -> Self {
        let (row, column) = (place.row as usize, place.column as usize);
        match direction {
            Direction::West => Self { in_row: true, line: row, index: column },
            Direction::East => Self { in_row: true, line: row, index: column + 1 },
            Direction::North => Self { in_row: false, line: column, index: row },
            Direction::South => Self { in_row: false, line: column, index: row + 1 },
        }
    }

    /// The next edge of the same line in a direction along the line, one cell further; `None`
    /// outside the maze.
    pub fn next(self, direction: Direction, size: Size) -> Option<Self> {
        let index = match direction {
            Direction::West | Direction::North => self.index.checked_sub(1)?,
            Direction::East | Direction::South => self.index + 1,
        };
        (index <= self.last_index(size)).then_some(Self { index, ..self })
    }

    /// Whether the edge is on the border of the maze.
    pub fn is_border(self, size: Size) -> bool {
        self.index == 0 || self.index == self.last_index(size)
    }

    /// The number of the line, from 0: the rows from the north, then the columns from the west.
    pub fn line_number(self, size: Size) -> usize {
        if self.in_row { self.line } else { size.rows() + self.line }
    }

    /// The index of the last edge of the line.
    fn last_index(self, size: Size) -> usize {
        if self.in_row { size.columns() } else { size.rows() }
    }

    /// All edges of a maze, in the order of [`line_number`](Self::line_number), and within a line
    /// in the order of their indices.
    pub fn all(size: Size) -> impl Iterator<Item = Self> {
        let lines = |in_row, lines, last_index| {
            (0..lines).flat_map(move |line| {
                (0..=last_index).map(move |index| Self { in_row, line, index })
            })
        };
        lines(true, size.rows(), size.columns()).chain(lines(false, size.columns(), size.rows()))
    }
}

/// The set of edges that have a wall. 32 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Walls {
    /// For each row: bit `i` is set if edge `i` of its line has a wall.
    pub(crate) rows: [u16; Size::MAX_SIDE],
    /// The same for each column.
    pub(crate) columns: [u16; Size::MAX_SIDE],
}

impl Walls {
    /// Whether an edge has a wall.
    ///
    /// # Panics
    /// If `edge.line` is 8 or more.
    pub fn has(&self, edge: Edge) -> bool {
        let lines = if edge.in_row { &self.rows } else { &self.columns };
        lines[edge.line] >> edge.index & 1 == 1
    }

    /// Whether all walls are on edges of a maze of this size.
    fn fit(&self, size: Size) -> bool {
        let fits = |lines: &[u16], line_count: usize, last_index: usize| {
            lines.iter().enumerate().all(|(line, &walls)| {
                walls >> (if line < line_count { last_index + 1 } else { 0 }) == 0
            })
        };
        fits(&self.rows, size.rows(), size.columns())
            && fits(&self.columns, size.columns(), size.rows())
    }

    /// Puts a wall on an edge, or removes it.
    ///
    /// # Panics
    /// If `edge.line` is 8 or more.
    pub fn set(&mut self, edge: Edge, wall: bool) {
        let lines = if edge.in_row { &mut self.rows } else { &mut self.columns };
        let bit = 1 << edge.index;
        if wall { lines[edge.line] |= bit } else { lines[edge.line] &= !bit }
    }
}

/// A maze of at most 8 x 8 cells with a start cell.
///
/// [`Display`](fmt::Display) writes numbers, and [`drawing`](Self::drawing) a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    pub(crate) size: Size,
    pub(crate) walls: Walls,
    pub(crate) start: Cell,
}

/// The directions of the bits of a mask, from the lowest: 1, 2, 4, 8.
const MASK_BITS: [Direction; 4] =
    [Direction::West, Direction::North, Direction::East, Direction::South];

impl Instance {
    /// Creates an instance; `None` if the start or a wall is outside the maze.
    pub fn new(size: Size, walls: Walls, start: Cell) -> Option<Self> {
        (size.contains(start) && walls.fit(size)).then_some(Self { size, walls, start })
    }

    /// The rows and columns.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The walls before the first move.
    pub fn walls(&self) -> &Walls {
        &self.walls
    }

    /// The start cell.
    pub fn start(&self) -> Cell {
        self.start
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.start.column + 1, self.start.row + 1)?;
        for row in 0..self.size.rows() {
            let mask = |column| {
                let has_wall = |side| self.walls.has(Edge::of(Cell::at(row, column), side));
                let walls = MASK_BITS.map(has_wall);
                let mask: u8 =
                    walls.iter().enumerate().map(|(bit, &wall)| u8::from(wall) << bit).sum();
                mask.to_string()
            };
            writeln!(f, "{}", (0..self.size.columns()).map(mask).collect::<Vec<_>>().join(" "))?;
        }
        Ok(())
    }
}
