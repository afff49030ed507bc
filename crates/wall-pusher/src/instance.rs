//! The puzzle as given: a maze and the cell to start from.
//!
//! Two texts say the same, the judges' numbers and a drawing, and a file may hold both, one data
//! set after the other:
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

use fewest_core::grid::{self, Direction, Place};
use fewest_core::text::{Diagnostic, Line, Lines, data_sets, number, quote};

use crate::drawing;

/// Rows and columns of mazes, at most 8 x 8.
pub type Size = grid::Size<8>;

/// An edge of a cell: the line of edges that it lies on, and its index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Whether the line runs along a row, so that its edges stand upright, or along a column.
    pub in_row: bool,
    /// The number of the row or column.
    pub line: usize,
    /// How many edges of the line lie before it, seen from the west or the north: 0 is the border.
    pub index: usize,
}

impl Edge {
    /// The edge of a cell in a direction.
    pub fn of(place: Place, way: Direction) -> Self {
        let Place { row, column } = place;
        match way {
            Direction::West => Self { in_row: true, line: row, index: column },
            Direction::East => Self { in_row: true, line: row, index: column + 1 },
            Direction::North => Self { in_row: false, line: column, index: row },
            Direction::South => Self { in_row: false, line: column, index: row + 1 },
        }
    }

    /// The next edge of the line in a direction, beyond the cell that lies between.
    pub fn next(self, way: Direction, size: Size) -> Option<Self> {
        let index = match way {
            Direction::West | Direction::North => self.index.checked_sub(1)?,
            Direction::East | Direction::South => self.index + 1,
        };
        (index <= self.last(size)).then_some(Self { index, ..self })
    }

    /// Whether it belongs to the border of the maze.
    pub fn is_border(self, size: Size) -> bool {
        self.index == 0 || self.index == self.last(size)
    }

    /// The number of its line: the rows from the north, then the columns from the west.
    pub fn line_number(self, size: Size) -> usize {
        if self.in_row { self.line } else { size.rows() + self.line }
    }

    /// Its place in the order of [`all`](Self::all).
    pub(crate) fn number(self, size: Size) -> usize {
        let (rows, columns) = (size.rows(), size.columns());
        let before = if self.in_row {
            self.line * (columns + 1)
        } else {
            rows * (columns + 1) + self.line * (rows + 1)
        };
        before + self.index
    }

    fn last(self, size: Size) -> usize {
        if self.in_row { size.columns() } else { size.rows() }
    }

    /// All edges of a maze: those of the rows from the north, then those of the columns from the
    /// west.
    pub fn all(size: Size) -> impl Iterator<Item = Self> {
        let lines = |in_row, lines, last| {
            (0..lines)
                .flat_map(move |line| (0..=last).map(move |index| Self { in_row, line, index }))
        };
        lines(true, size.rows(), size.columns()).chain(lines(false, size.columns(), size.rows()))
    }
}

/// Which edges have a wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Walls {
    /// A bit an edge of each row, edge 0 the lowest.
    rows: [u16; Size::MOST],
    /// The same of each column.
    columns: [u16; Size::MOST],
}

impl Walls {
    /// Whether there is a wall on an edge.
    pub fn has(&self, edge: Edge) -> bool {
        let lines = if edge.in_row { &self.rows } else { &self.columns };
        lines[edge.line] >> edge.index & 1 == 1
    }

    /// Whether all are on edges of a maze of this size.
    fn fit(&self, size: Size) -> bool {
        let fit = |lines: &[u16], count: usize, last: usize| {
            lines
                .iter()
                .enumerate()
                .all(|(line, &edges)| edges >> (if line < count { last + 1 } else { 0 }) == 0)
        };
        fit(&self.rows, size.rows(), size.columns())
            && fit(&self.columns, size.columns(), size.rows())
    }

    /// The walls of a [line](Edge::line_number), a bit an edge.
    #[inline]
    pub(crate) fn of_line(&self, number: usize, size: Size) -> usize {
        let line = number
            .checked_sub(size.rows())
            .map_or_else(|| self.rows[number], |column| self.columns[column]);
        line.into()
    }

    /// Puts a wall on an edge, or takes it away.
    pub fn set(&mut self, edge: Edge, wall: bool) {
        let lines = if edge.in_row { &mut self.rows } else { &mut self.columns };
        let bit = 1 << edge.index;
        if wall { lines[edge.line] |= bit } else { lines[edge.line] &= !bit }
    }
}

/// A maze of at most 8 x 8 cells and a start within it.
///
/// [`Display`](fmt::Display) writes the judges' numbers, [`drawing`](Self::drawing) what is easier
/// to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    pub(crate) size: Size,
    pub(crate) walls: Walls,
    pub(crate) start: Place,
}

/// The bits of a mask, in the order of their values 1, 2, 4, 8.
const MASK: [Direction; 4] = [Direction::West, Direction::North, Direction::East, Direction::South];

impl Instance {
    /// `None` if the start or a wall is outside the maze.
    pub fn new(size: Size, walls: Walls, start: Place) -> Option<Self> {
        (size.contains(start) && walls.fit(size)).then_some(Self { size, walls, start })
    }

    /// The data sets of a text, up to the closing `0 0` or the end; each is read in its turn, and
    /// an error is the last. Numbers are for a maze of `size`; a drawing shows its own.
    pub fn read(text: &[u8], size: Size) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        Self::read_from(text, size, &[])
    }

    /// The same with each maze once for each of `starts` instead of its own start, which a drawing
    /// need not have then. Without any the mazes keep their own.
    pub fn read_from(
        text: &[u8],
        size: Size,
        starts: &[Place],
    ) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        const FORM: &str =
            "a maze: the column and the row of the start, then its masks; or a drawing, `+--+`";
        let mazes = data_sets(text, FORM, move |line, lines| {
            let header: Vec<_> = line.words().collect();
            let maze = if line.text.trim_start().starts_with('+') {
                drawing::read(line, lines)?
            } else if header.len() == 2 && header.iter().all(|(_, word)| number(word) == Some(0u8))
            {
                return Ok(None);
            } else {
                let start = start(line, &header, size)?;
                Maze { size, walls: walls(lines, size)?, start: Some(start) }
            };
            maze.instances(line, starts).map(Some)
        });
        mazes.flat_map(|maze| {
            let (instances, fault) =
                maze.map_or_else(|fault| (Vec::new(), Some(fault)), |maze| (maze, None));
            instances.into_iter().map(Ok).chain(fault.map(Err))
        })
    }

    /// Rows and columns.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The walls at first.
    pub fn walls(&self) -> &Walls {
        &self.walls
    }

    /// The cell at first.
    pub fn start(&self) -> Place {
        self.start
    }

    /// The maze as a drawing: cells framed by `+--+` and `|`, `S` the start. [`read`](Self::read)
    /// takes it back.
    pub fn drawing(&self) -> String {
        drawing::write(self)
    }
}

/// A maze as it is read.
pub(crate) struct Maze {
    pub(crate) size: Size,
    pub(crate) walls: Walls,
    pub(crate) start: Option<Place>,
}

impl Maze {
    /// The maze from each of these starts, or else from its own. `line` is its first.
    fn instances(self, line: Line<'_>, starts: &[Place]) -> Result<Vec<Instance>, Diagnostic> {
        let Self { size, walls, start } = self;
        if starts.is_empty() {
            // What an empty line cuts in two has its start in one half only.
            let hint = || "a row of cells without walls is blanks, no empty line".to_owned();
            let wrong = || {
                line.wrong(0, "a drawing without `S`", "the cell to start from, marked `S`")
                    .hinting(hint())
            };
            let start = start.ok_or_else(wrong)?;
            return Ok(vec![Instance { size, walls, start }]);
        }
        let from = |&start: &Place| {
            let outside = || {
                line.wrong(
                    0,
                    format!("a maze of {size}"),
                    format!("one that has {start}, to start from"),
                )
            };
            Instance::new(size, walls, start).ok_or_else(outside)
        };
        starts.iter().map(from).collect()
    }
}

fn start(line: Line<'_>, header: &[(usize, &str)], size: Size) -> Result<Place, Diagnostic> {
    let read = |index: usize, of: &str, most: usize| {
        let (at, word) = header.get(index).copied().unwrap_or((line.text.len(), ""));
        let value =
            number(word).filter(|number| (1..=most).contains(number)).map(|number| number - 1);
        value.ok_or_else(|| {
            let found =
                if word.is_empty() { "the end of the line".to_owned() } else { quote(word) };
            let hint =
                number::<usize>(word).filter(|&number| number > most).map(|_| size_hint(size));
            line.wrong(at, found, format!("the {of} of the start, a number from 1 to {most}"))
                .hinting(hint)
        })
    };
    let column = read(0, "column", size.columns())?;
    let row = read(1, "row", size.rows())?;
    match header.get(2) {
        Some(&(at, word)) => {
            Err(line.wrong(at, quote(word), "the end of the line `column row` of the start"))
        }
        None => Ok(Place { row, column }),
    }
}

/// What a maze in numbers may have been meant to be.
fn size_hint(size: Size) -> String {
    format!("numbers do not tell the size of a maze: this one is read as one of {size}")
}

fn walls(lines: &mut Lines<'_>, size: Size) -> Result<Walls, Diagnostic> {
    let mut walls = Walls::default();
    for row in 0..size.rows() {
        let name = || format!("row {} of {}, {} masks", row + 1, size.rows(), size.columns());
        let line = lines.next_filled().transpose()?;
        let line = line.ok_or_else(|| lines.ended(name()).hinting(size_hint(size)))?;
        let mut words = line.words();
        for column in 0..size.columns() {
            let cut = || {
                line.wrong(line.text.len(), "the end of the line", name()).hinting(size_hint(size))
            };
            let (at, word) = words.next().ok_or_else(cut)?;
            let mask: u8 = number(word).filter(|&mask| mask <= 15).ok_or_else(|| {
                line.wrong(
                    at,
                    quote(word),
                    "a mask from 0 to 15: 1 a wall on the west, 2 north, 4 east, 8 south",
                )
            })?;
            let [west, north, east, south] = [0, 1, 2, 3].map(|bit| u16::from(mask >> bit & 1));
            let (along, across) = (&mut walls.rows[row], &mut walls.columns[column]);
            let contradiction = |wall, way, neighbour, back| {
                let [here, there] = if wall == 1 { ["a", "no"] } else { ["no", "a"] };
                let found = format!("the mask {mask} with {here} wall on the {way}");
                let expected =
                    format!("what the mask {neighbour} it says, {there} wall on its {back}");
                Err(line.wrong(at, found, expected))
            };
            if column > 0 && *along >> column & 1 != west {
                return contradiction(west, "west", "before", "east");
            }
            if row > 0 && *across >> row & 1 != north {
                return contradiction(north, "north", "above", "south");
            }
            *along |= west << column | east << (column + 1);
            *across |= north << row | south << (row + 1);
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
                let walls = MASK.map(|way| self.walls.has(Edge::of(Place { row, column }, way)));
                let mask: u8 =
                    walls.iter().enumerate().map(|(bit, &wall)| u8::from(wall) << bit).sum();
                mask.to_string()
            };
            writeln!(f, "{}", (0..self.size.columns()).map(mask).collect::<Vec<_>>().join(" "))?;
        }
        Ok(())
    }
}
