//! A maze as a drawing: cells framed by `+--+` and `|`, gaps as gaps, `S` the start.
//!
//! ```text
//! +--+--+
//! | S    
//! +  +--+
//! |  |  |
//! +--+--+
//! ```
//!
//! A cell is two characters wide and one high. Rows of cells that end early go on as blanks. The
//! drawing ends where a row of cells might begin and there is a number, another drawing, or a blank
//! line; but a blank line as wide as the frame is a row of cells without a wall.

use fewest_core::grid::{Direction, Place};
use fewest_core::text::{Diagnostic, Line, Lines, quote};

use crate::instance::{Edge, Instance, Maze, Size, Walls};

/// From one upright edge to the next.
const PITCH: usize = 3;

/// Reads a drawing that begins with the line `top`.
pub(crate) fn read(top: Line<'_>, lines: &mut Lines<'_>) -> Result<Maze, Diagnostic> {
    let indent = top.text.len() - top.text.trim_start().len();
    if indent > 0 {
        return Err(top.wrong(
            0,
            "blanks before a drawing",
            "its frame at the beginning of the line",
        ));
    }
    let width = top.text.trim_ascii_end().len();
    let columns = width / PITCH;
    if width % PITCH != 1 || !(1..=Size::MOST).contains(&columns) {
        let expected = "the upper edges of 1 to 8 cells, such as `+--+  +--+`";
        return Err(top.wrong(0, quote(top.text.trim_ascii_end()), expected));
    }
    let mut drawing = Drawing { columns, walls: Walls::default(), start: None };
    drawing.edges_above(top, 0)?;
    let mut rows = 0;
    loop {
        let mut ahead = lines.clone();
        let line = match ahead.next().transpose()? {
            Some(line) if is_row(line, width) => line,
            _ if rows > 0 => break,
            line => {
                let expected = "a row of cells, such as `|  |`";
                return Err(line.map_or_else(
                    || ahead.ended(expected),
                    |line| broken(line, 0, None, expected),
                ));
            }
        };
        if rows == Size::MOST {
            return Err(line.wrong(
                0,
                quote(line.text),
                "a blank line after a drawing of 8 rows, the most there may be",
            ));
        }
        drawing.cells(line, rows)?;
        rows += 1;
        let below = ahead.next().transpose()?;
        let line = below
            .ok_or_else(|| ahead.ended(format!("the lower edges of row {rows}, such as `+--+`")))?;
        drawing.edges_above(line, rows)?;
        *lines = ahead;
    }
    // Both were looked at.
    let size = Size::new(rows, columns)
        .ok_or_else(|| top.wrong(0, quote(top.text), "at most 8 x 8 cells"))?;
    Ok(Maze { size, walls: drawing.walls, start: drawing.start.map(|(start, _)| start) })
}

/// Whether a line that follows a line of edges is a row of cells, or is meant to be one.
fn is_row(line: Line<'_>, width: usize) -> bool {
    let begins_another = line
        .text
        .trim_ascii_start()
        .starts_with(|first: char| first == '+' || first.is_ascii_digit());
    !begins_another && (!line.is_blank() || line.text.chars().count() >= width)
}

struct Drawing {
    columns: usize,
    walls: Walls,
    /// With the line that it stands on.
    start: Option<(Place, usize)>,
}

impl Drawing {
    /// Reads a line of edges, those above `row`.
    fn edges_above(&mut self, line: Line<'_>, row: usize) -> Result<(), Diagnostic> {
        let text = line.text.trim_ascii_end();
        for column in 0..=self.columns {
            let at = column * PITCH;
            if line.text.as_bytes().get(at) != Some(&b'+') {
                return Err(broken(line, at, None, "a corner, `+`"));
            }
            if column < self.columns {
                let wall = match text.get(at + 1..at + PITCH) {
                    Some("--") => true,
                    Some("  ") => false,
                    other => {
                        return Err(broken(line, at + 1, other, "an edge, `--` or two blanks"));
                    }
                };
                self.walls.set(Edge::of(Place { row, column }, Direction::North), wall);
            }
        }
        self.expect_end(line)
    }

    /// Reads a row of cells.
    fn cells(&mut self, line: Line<'_>, row: usize) -> Result<(), Diagnostic> {
        for column in 0..=self.columns {
            let place = Place { row, column };
            let at = column * PITCH;
            let wall = match line.text.as_bytes().get(at) {
                Some(b'|') => true,
                Some(b' ') | None => false,
                Some(_) => return Err(broken(line, at, None, "an edge, `|` or a blank")),
            };
            self.walls.set(Edge::of(place, Direction::West), wall);
            if column == self.columns {
                break;
            }
            for at in at + 1..at + PITCH {
                match line.text.as_bytes().get(at) {
                    Some(b'S') => self.mark(line, at, place)?,
                    Some(b' ') | None => {}
                    Some(_) => {
                        return Err(broken(
                            line,
                            at,
                            None,
                            "a cell: two blanks, or `S` and a blank",
                        ));
                    }
                }
            }
        }
        self.expect_end(line)
    }

    fn mark(&mut self, line: Line<'_>, at: usize, place: Place) -> Result<(), Diagnostic> {
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
                Err(broken(line, at, None, "the end of a line of the frame"))
            }
            _ => Ok(()),
        }
    }
}

/// What stands at byte `at`, or near it where that is within a character, is not what the frame
/// needs.
fn broken(line: Line<'_>, at: usize, found: Option<&str>, expected: &str) -> Diagnostic {
    let at =
        (0..=at.min(line.text.len())).rev().find(|&at| line.text.is_char_boundary(at)).unwrap_or(0);
    let rest = &line.text[at..];
    let found = match found.or_else(|| rest.chars().next().map(|first| &rest[..first.len_utf8()])) {
        Some(found) => quote(found),
        None => "the end of the line".to_owned(),
    };
    line.wrong(at, found, expected)
}

/// Draws a maze. Lines are as wide as the frame.
pub(crate) fn write(maze: &Instance) -> String {
    let (rows, columns) = (maze.size().rows(), maze.size().columns());
    let has = |row, column, way| maze.walls().has(Edge::of(Place { row, column }, way));
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
                    text += if maze.start() == (Place { row, column }) { "S " } else { "  " };
                }
            }
            text += "\n";
        }
    }
    text
}
