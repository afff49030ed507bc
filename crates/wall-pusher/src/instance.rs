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
use fewest_rules::text::{Diagnostic, Line, Lines, data_sets, number, quote};

use crate::drawing;

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

    /// The index of the edge in the order of [`all`](Self::all).
    pub(crate) fn number(self, size: Size) -> usize {
        let (rows, columns) = (size.rows(), size.columns());
        let before = if self.in_row {
            self.line * (columns + 1)
        } else {
            rows * (columns + 1) + self.line * (rows + 1)
        };
        before + self.index
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
    rows: [u16; Size::MAX_SIDE],
    /// The same for each column.
    columns: [u16; Size::MAX_SIDE],
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

    /// The walls of the line with this [number](Edge::line_number): bit `i` is set if edge `i` has
    /// a wall.
    #[inline]
    pub(crate) fn of_line(&self, number: usize, size: Size) -> usize {
        let line = number
            .checked_sub(size.rows())
            .map_or_else(|| self.rows[number], |column| self.columns[column]);
        line.into()
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

    /// Reads the data sets of a text lazily, up to a line `0 0` or the end of the text. An error is
    /// the last item. `size` is the size of mazes in numbers; a drawing determines its own size.
    pub fn read(text: &[u8], size: Size) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        Self::read_from(text, size, &[])
    }

    /// Like [`read`](Self::read), but yields each maze once for each of `starts`, in this order,
    /// instead of with its own start. A drawing then needs no `S`. If `starts` is empty, each maze
    /// has its own start.
    pub fn read_from(
        text: &[u8],
        size: Size,
        starts: &[Cell],
    ) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        const FORM: &str =
            "a maze: the column and the row of the start, then the masks; or a drawing, `+--+`";
        let mazes = data_sets(text, FORM, move |line, lines| {
            let header: Vec<_> = line.words().collect();
            let maze = if line.text.trim_start().starts_with('+') {
                drawing::read(line, lines)?
            } else if header.len() == 2 && header.iter().all(|(_, word)| number(word) == Some(0u8))
            {
                return Ok(None);
            } else {
                let start = read_start(line, &header, size)?;
                ParsedMaze { size, walls: read_walls(lines, size)?, start: Some(start) }
            };
            maze.instances(line, starts).map(Some)
        });
        mazes.flat_map(|maze| {
            let (instances, error) =
                maze.map_or_else(|error| (Vec::new(), Some(error)), |maze| (maze, None));
            instances.into_iter().map(Ok).chain(error.map(Err))
        })
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

    /// The maze as a drawing: walls as `--` and `|`, and `S` in the start cell.
    /// [`read`](Self::read) accepts it.
    pub fn drawing(&self) -> String {
        drawing::write(self)
    }
}

/// A maze as it was read. The start is `None` if a drawing has no `S`.
pub(crate) struct ParsedMaze {
    pub(crate) size: Size,
    pub(crate) walls: Walls,
    pub(crate) start: Option<Cell>,
}

impl ParsedMaze {
    /// One instance for each of `starts`, or one with the maze's own start if there are none.
    /// `line` is the first line of the maze.
    fn instances(self, line: Line<'_>, starts: &[Cell]) -> Result<Vec<Instance>, Diagnostic> {
        let Self { size, walls, start } = self;
        if starts.is_empty() {
            // If an empty line cuts a drawing in two, one half has no `S`.
            let missing = || {
                line.wrong(0, "a drawing without `S`", "an `S` in the start cell")
                    .hinting(drawing::ROW_HINT.to_owned())
            };
            let start = start.ok_or_else(missing)?;
            return Ok(vec![Instance { size, walls, start }]);
        }
        let starting_at = |&start: &Cell| {
            let outside = || {
                let expected = format!("a maze that contains the start, {start}");
                line.wrong(0, format!("a maze of {size}"), expected)
            };
            Instance::new(size, walls, start).ok_or_else(outside)
        };
        starts.iter().map(starting_at).collect()
    }
}

fn read_start(line: Line<'_>, header: &[(usize, &str)], size: Size) -> Result<Cell, Diagnostic> {
    let read = |index: usize, name: &str, most: usize| {
        let (at, word) = header.get(index).copied().unwrap_or((line.text.len(), ""));
        let value =
            number(word).filter(|number| (1..=most).contains(number)).map(|number| number - 1);
        value.ok_or_else(|| {
            let found =
                if word.is_empty() { "the end of the line".to_owned() } else { quote(word) };
            let hint =
                number::<usize>(word).filter(|&number| number > most).map(|_| size_hint(size));
            line.wrong(at, found, format!("the {name} of the start, a number from 1 to {most}"))
                .hinting(hint)
        })
    };
    let column = read(0, "column", size.columns())?;
    let row = read(1, "row", size.rows())?;
    match header.get(2) {
        Some(&(at, word)) => {
            let expected = "the end of the line after the column and the row of the start";
            Err(line.wrong(at, quote(word), expected))
        }
        None => Ok(Cell::at(row, column)),
    }
}

/// A hint for errors that another `--size` may resolve.
fn size_hint(size: Size) -> String {
    format!("numbers do not contain the size of the maze: it is read as {size}")
}

fn read_walls(lines: &mut Lines<'_>, size: Size) -> Result<Walls, Diagnostic> {
    let mut walls = Walls::default();
    for row in 0..size.rows() {
        let this_row = || format!("row {} of {}, {} masks", row + 1, size.rows(), size.columns());
        let line = lines.next_filled().transpose()?;
        let line = line.ok_or_else(|| lines.ended(this_row()).hinting(size_hint(size)))?;
        let mut words = line.words();
        for column in 0..size.columns() {
            let too_short = || {
                line.wrong(line.text.len(), "the end of the line", this_row())
                    .hinting(size_hint(size))
            };
            let (at, word) = words.next().ok_or_else(too_short)?;
            let mask: u8 = number(word).filter(|&mask| mask <= 15).ok_or_else(|| {
                line.wrong(
                    at,
                    quote(word),
                    "a mask from 0 to 15: 1 for a wall on the west, plus 2 north, 4 east, 8 south",
                )
            })?;
            let [west, north, east, south] = [0, 1, 2, 3].map(|bit| u16::from(mask >> bit & 1));
            let (row_walls, column_walls) = (&mut walls.rows[row], &mut walls.columns[column]);
            let contradiction = |wall, side, neighbour, opposite| {
                let [here, there] = if wall == 1 { ["a", "no"] } else { ["no", "a"] };
                let found = format!("the mask {mask} with {here} wall on the {side}");
                let reason = format!("the mask {neighbour} it has {there} wall on the {opposite}");
                let expected = format!("{there} wall there, because {reason}");
                Err(line.wrong(at, found, expected))
            };
            if column > 0 && *row_walls >> column & 1 != west {
                return contradiction(west, "west", "before", "east");
            }
            if row > 0 && *column_walls >> row & 1 != north {
                return contradiction(north, "north", "above", "south");
            }
            *row_walls |= west << column | east << (column + 1);
            *column_walls |= north << row | south << (row + 1);
        }
        if let Some((at, word)) = words.next() {
            let expected = format!("the end of a row of {} masks", size.columns());
            return Err(line.wrong(at, quote(word), expected).hinting(size_hint(size)));
        }
    }
    Ok(walls)
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
