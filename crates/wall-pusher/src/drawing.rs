//! Mazes as drawings: `--` and `|` for walls, spaces for edges without a wall, `+` at each corner
//! of a cell, and `S` in the start cell.
//!
//! ```text
//! +--+--+
//! | S    
//! +  +--+
//! |  |  |
//! +--+--+
//! ```
//!
//! The inside of a cell is two characters wide and one high. A row of cells that ends early
//! continues with spaces. The drawing ends where, instead of a row of cells, there is a number,
//! another drawing, the end of the text, or a blank line. A blank line that is at least as wide as
//! the drawing is a row of cells without walls.

use fewest_geometry::{Cell, Direction};
use fewest_rules::Rules;
use fewest_rules::text::{Diagnostic, Line, Lines, quote};

use crate::instance::{Edge, Instance, Size, Walls};
use crate::rules::Board;

/// The number of characters from one vertical edge to the next.
const PITCH: usize = 3;

/// A hint for errors after an empty line that cuts a drawing in two.
pub(crate) const ROW_HINT: &str =
    "a row of cells without walls is a line of spaces, not an empty line";

/// A maze as it was read. The start is `None` if a drawing has no `S`.
pub(crate) struct ParsedMaze {
    pub(crate) size: Size,
    pub(crate) walls: Walls,
    pub(crate) start: Option<Cell>,
}

/// Reads a drawing whose first line is `top`.
pub(crate) fn read(top: Line<'_>, lines: &mut Lines<'_>) -> Result<ParsedMaze, Diagnostic> {
    let indent = top.text.len() - top.text.trim_start().len();
    if indent > 0 {
        return Err(top.wrong(
            0,
            "spaces before a drawing",
            "a drawing that begins in the first column",
        ));
    }
    let width = top.text.trim_ascii_end().len();
    let columns = width / PITCH;
    if width % PITCH != 1 || !(1..=Size::MAX_SIDE).contains(&columns) {
        let expected = "the top edges of 1 to 8 cells, such as `+--+  +--+`";
        return Err(top.wrong(0, quote(top.text.trim_ascii_end()), expected));
    }
    let mut parser = DrawingParser { columns, walls: Walls::default(), start: None };
    parser.read_edges_above(top, 0)?;
    let mut rows = 0;
    loop {
        let mut ahead = lines.clone();
        let line = match ahead.next().transpose()? {
            Some(line) if is_row(line, width) => line,
            _ if rows > 0 => break,
            line => {
                let expected = "a row of cells, such as `|  |`";
                let error = line.map_or_else(
                    || ahead.ended(expected),
                    |line| unexpected(line, 0, None, expected),
                );
                return Err(error.hinting(ROW_HINT.to_owned()));
            }
        };
        if rows == Size::MAX_SIDE {
            return Err(line.wrong(
                0,
                quote(line.text),
                "a blank line: a drawing has at most 8 rows",
            ));
        }
        parser.read_cells(line, rows)?;
        rows += 1;
        let below = ahead.next().transpose()?;
        let line = below.ok_or_else(|| {
            ahead.ended(format!("the bottom edges of row {rows}, such as `+--+`"))
        })?;
        parser.read_edges_above(line, rows)?;
        *lines = ahead;
    }
    // Both numbers are checked above, so there is no error here.
    let size = Size::new(rows, columns)
        .ok_or_else(|| top.wrong(0, quote(top.text), "at most 8 x 8 cells"))?;
    Ok(ParsedMaze { size, walls: parser.walls, start: parser.start.map(|(start, _)| start) })
}

/// Whether a line after a line of edges is a row of cells, possibly a malformed one.
fn is_row(line: Line<'_>, width: usize) -> bool {
    let begins_another = line
        .text
        .trim_ascii_start()
        .starts_with(|first: char| first == '+' || first.is_ascii_digit());
    !begins_another && (!line.is_blank() || line.text.chars().count() >= width)
}

struct DrawingParser {
    columns: usize,
    walls: Walls,
    /// The start cell and the number of its line.
    start: Option<(Cell, usize)>,
}

impl DrawingParser {
    /// Reads the line of edges above `row`.
    fn read_edges_above(&mut self, line: Line<'_>, row: usize) -> Result<(), Diagnostic> {
        let text = line.text.trim_ascii_end();
        for column in 0..=self.columns {
            let at = column * PITCH;
            if line.text.as_bytes().get(at) != Some(&b'+') {
                return Err(unexpected(line, at, None, "a corner, `+`"));
            }
            if column < self.columns {
                let wall = match text.get(at + 1..at + PITCH) {
                    Some("--") => true,
                    Some("  ") => false,
                    other => {
                        let expected = "an edge: `--` or two spaces";
                        return Err(unexpected(line, at + 1, other, expected));
                    }
                };
                self.walls.set(Edge::of(Cell::at(row, column), Direction::North), wall);
            }
        }
        self.expect_end(line)
    }

    /// Reads a row of cells.
    fn read_cells(&mut self, line: Line<'_>, row: usize) -> Result<(), Diagnostic> {
        for column in 0..=self.columns {
            let place = Cell::at(row, column);
            let at = column * PITCH;
            let wall = match line.text.as_bytes().get(at) {
                Some(b'|') => true,
                Some(b' ') | None => false,
                Some(_) => return Err(unexpected(line, at, None, "an edge: `|` or a space")),
            };
            self.walls.set(Edge::of(place, Direction::West), wall);
            if column == self.columns {
                break;
            }
            for at in at + 1..at + PITCH {
                match line.text.as_bytes().get(at) {
                    Some(b'S') => self.set_start(line, at, place)?,
                    Some(b' ') | None => {}
                    Some(_) => {
                        let expected = "a cell: two spaces, or `S` and a space";
                        return Err(unexpected(line, at, None, expected));
                    }
                }
            }
        }
        self.expect_end(line)
    }

    fn set_start(&mut self, line: Line<'_>, at: usize, place: Cell) -> Result<(), Diagnostic> {
        match self.start.replace((place, line.number)) {
            None => Ok(()),
            Some((_, first)) => {
                Err(line.wrong(at, "a second `S`", format!("only the one on line {first}")))
            }
        }
    }

    fn expect_end(&self, line: Line<'_>) -> Result<(), Diagnostic> {
        let width = self.columns * PITCH + 1;
        match line.text.get(width..) {
            Some(rest) if !rest.trim_ascii().is_empty() => {
                let at = width + (rest.len() - rest.trim_ascii_start().len());
                Err(unexpected(line, at, None, "nothing to the right of the drawing"))
            }
            _ => Ok(()),
        }
    }
}

/// An error at byte `at`, or at the beginning of the character that contains it. `found` is by
/// default that character.
fn unexpected(line: Line<'_>, at: usize, found: Option<&str>, expected: &str) -> Diagnostic {
    let at =
        (0..=at.min(line.text.len())).rev().find(|&at| line.text.is_char_boundary(at)).unwrap_or(0);
    let rest = &line.text[at..];
    let found = match found.or_else(|| rest.chars().next().map(|first| &rest[..first.len_utf8()])) {
        Some(found) => quote(found),
        None => "the end of the line".to_owned(),
    };
    line.wrong(at, found, expected)
}

/// Draws a maze. All lines have the same width.
pub(crate) fn write(maze: &Instance) -> String {
    let (rows, columns) = (maze.size().rows(), maze.size().columns());
    let has = |row, column, side| maze.walls().has(Edge::of(Cell::at(row, column), side));
    let mut text = String::new();
    for row in 0..=rows {
        for column in 0..columns {
            text += if has(row, column, Direction::North) { "+--" } else { "+  " };
        }
        text += "+\n";
        if row < rows {
            for column in 0..=columns {
                text += if has(row, column, Direction::West) { "|" } else { " " };
                if column < columns {
                    text += if maze.start() == Cell::at(row, column) { "S " } else { "  " };
                }
            }
            text += "\n";
        }
    }
    text
}

/// A board as its drawing on one line, the lines separated by `/`. Without the player, `outside`.
pub(crate) fn line(maze: &Instance, board: &Board) -> String {
    match maze.with_board(*board) {
        Some(maze) => write(&maze).trim_end().replace('\n', "/"),
        None => "outside".to_owned(),
    }
}
