//! Boards as JSON: an object with `blocks`, each with its `shape` (rows and columns), its
//! `position` (row and column from 0) and perhaps its `directions` (0 down, 1 right, 2 up, 3 left),
//! and perhaps with `boardSize` and `escapePoint`. The first block has to reach the escape point.
//! This is the form of jeantimex/klotski, in which the classic board is the default, and whose
//! files are arrays of such objects.

use fewest_rules::text::{Diagnostic, Line, Lines, quote};
use serde::{Deserialize, Serialize};

use super::{piece_name, piece_names};
use crate::board::{BLANK, Board};
use crate::instance::{Axis, Goal, Instance, Lock};
use crate::layout::{COLUMNS, ROWS};
use crate::parts::{Drawing, Located, Parts};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Game {
    blocks: Vec<Block>,
    #[serde(default = "classic_size")]
    board_size: [usize; 2],
    #[serde(default = "classic_escape")]
    escape_point: [usize; 2],
}

#[derive(Serialize, Deserialize)]
struct Block {
    shape: [usize; 2],
    position: [usize; 2],
    #[serde(default)]
    directions: Vec<u8>,
}

fn classic_size() -> [usize; 2] {
    [ROWS, COLUMNS]
}

fn classic_escape() -> [usize; 2] {
    [ROWS - 2, COLUMNS / 2 - 1]
}

/// The greatest number of rows, and of columns.
const MAX_SIDE: usize = 64;

pub(super) fn read<'a>(
    line: Line<'a>,
    lines: &mut Lines<'a>,
) -> Result<Option<Parts<'a>>, Diagnostic> {
    if !line.text.trim_ascii().starts_with('{') {
        return Ok(None);
    }
    let (text, further) = object(line, lines);
    let game = serde_json::from_str(&text).map_err(|error| no_board(line, line.start(), &error))?;
    (0..further).for_each(|_| drop(lines.next()));
    board(line, line.start(), &game).map(Some)
}

fn no_board(line: Line<'_>, at: usize, error: &serde_json::Error) -> Diagnostic {
    let found = format!("JSON that is no board ({error})");
    line.wrong(at, found, "an object with `blocks`, each with `shape` and `position`")
}

/// The boards of a text that is an array of objects.
pub(super) struct Array<'a> {
    text: &'a str,
    /// The bytes that were read.
    end: usize,
    /// The line on which they end, and the byte at which it starts.
    line: Line<'a>,
    line_start: usize,
    /// What has to be there next: `[`, or `,` between objects.
    mark: char,
}

impl<'a> Array<'a> {
    /// `None` if the text is no array of objects with members.
    pub(super) fn of(text: &'a [u8]) -> Option<Self> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        // Most texts are none, and the first byte is enough to know it.
        text.trim_ascii_start().starts_with(b"[").then_some(())?;
        let text = std::str::from_utf8(text).ok()?;
        let after = |text: &'a str, mark: char| text.trim_start().strip_prefix(mark);
        after(text, '[').and_then(|rest| after(rest, '{')).and_then(|rest| after(rest, '"'))?;
        let line = Line { number: 1, text: text.lines().next()? };
        Some(Self { text, end: 0, line, line_start: 0, mark: '[' })
    }

    /// Passes over bytes and the white space behind them. Returns the text that follows, its line,
    /// and where on the line it starts.
    fn pass(&mut self, bytes: usize) -> (&'a str, Line<'a>, usize) {
        let before = self.end;
        let rest = self.text[before + bytes..].trim_start();
        self.end = self.text.len() - rest.len();
        let passed = &self.text[before..self.end];
        if let Some(last) = passed.rfind('\n') {
            self.line_start = before + last + 1;
            let text = self.text[self.line_start..].lines().next().unwrap_or_default();
            self.line = Line { number: self.line.number + passed.matches('\n').count(), text };
        }
        (rest, self.line, self.end - self.line_start)
    }

    /// The next board; `None` behind the last.
    pub(super) fn read_next(&mut self) -> Result<Option<Parts<'a>>, Diagnostic> {
        let (rest, line, at) = self.pass(0);
        let character = rest.chars().next();
        let found = |character: Option<char>| match character {
            Some(other) => quote(other.encode_utf8(&mut [0; 4])),
            None => "the end of the text".to_owned(),
        };
        if self.mark == ',' && character == Some(']') {
            let (rest, line, at) = self.pass(1);
            return match rest.chars().next() {
                None => Ok(None),
                more => Err(line.wrong(at, found(more), "nothing after the closing `]`")),
            };
        }
        if character != Some(self.mark) {
            return Err(line.wrong(at, found(character), "`,` and an object, or `]`"));
        }
        self.mark = ',';
        let (rest, line, at) = self.pass(1);
        let mut objects = serde_json::Deserializer::from_str(rest).into_iter::<Game>();
        let game = objects.next().transpose().map_err(|error| no_board(line, at, &error))?;
        let game = game.ok_or_else(|| line.wrong(at, found(None), "an object"))?;
        self.pass(objects.byte_offset());
        board(line, at, &game).map(Some)
    }
}

/// The text of an object that starts on a line, and the number of its further lines.
fn object<'a>(first: Line<'a>, lines: &Lines<'a>) -> (String, usize) {
    let (mut text, mut depth, mut in_string) = (String::new(), 0_usize, false);
    let all = std::iter::once(first).chain(lines.clone().map_while(Result::ok));
    for (number, line) in all.enumerate() {
        let mut is_escaped = false;
        for character in line.text.chars() {
            match character {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = in_string,
                '"' => in_string = !in_string,
                '{' | '[' if !in_string => depth += 1,
                '}' | ']' if !in_string => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        text.push_str(line.text);
        text.push('\n');
        if depth == 0 {
            return (text, number);
        }
    }
    let count = text.lines().count();
    (text, count.saturating_sub(1))
}

fn board<'a>(line: Line<'a>, at: usize, game: &Game) -> Result<Parts<'a>, Diagnostic> {
    let wrong = |found: String, expected: &str| Err(line.wrong(at, found, expected));
    let [rows, columns] = game.board_size;
    if !(1..=MAX_SIDE).contains(&rows) || !(1..=MAX_SIDE).contains(&columns) {
        return wrong(
            format!("a board of {rows} x {columns} cells"),
            "at most 64 rows and columns",
        );
    }
    let mut cells = vec![BLANK; rows * columns];
    let mut locks = Vec::new();
    for (number, block) in game.blocks.iter().enumerate() {
        let ([height, width], [row, column]) = (block.shape, block.position);
        let found = format!("block {number}");
        let is_inside =
            row.saturating_add(height) <= rows && column.saturating_add(width) <= columns;
        let Some(name) = piece_name(number, ' ') else {
            let most = format!("at most {}", piece_names().count());
            return wrong(format!("{} blocks", game.blocks.len()), &most);
        };
        if height == 0 || width == 0 || !is_inside {
            let expected = format!("a block on the board of {rows} rows and {columns} columns");
            return wrong(format!("{found} that is not within the board"), &expected);
        }
        for cell in (row..row + height)
            .flat_map(|row| (column..column + width).map(move |column| row * columns + column))
        {
            if cells[cell] != BLANK {
                return wrong(format!("{found} on a cell of another block"), "a blank cell");
            }
            cells[cell] = name;
        }
        let axis = match block.directions[..] {
            [] => None,
            _ if block.directions.iter().all(|direction| [0, 2].contains(direction)) => {
                Some(Axis::Vertical)
            }
            _ if block.directions.iter().all(|direction| [1, 3].contains(direction)) => {
                Some(Axis::Horizontal)
            }
            _ if [0, 1, 2, 3].iter().all(|direction| block.directions.contains(direction)) => None,
            _ => {
                return wrong(
                    format!("{found} with other `directions`"),
                    "an axis, or all directions",
                );
            }
        };
        locks.extend(axis.map(|axis| Located { line, at, part: Lock { piece: name, axis } }));
    }
    let [row, column] = game.escape_point;
    let first =
        piece_name(0, ' ').filter(|_| !game.blocks.is_empty() && row < rows && column < columns);
    let Some(piece) = first else {
        return wrong(
            "no block, or an escape point beyond the board".to_owned(),
            "a block that escapes",
        );
    };
    let goals = vec![Located { line, at, part: Goal { piece, first: row * columns + column } }];
    let positions = vec![(line, at); cells.len()];
    let drawing = Drawing { board: Board::of_cells(columns, cells), positions };
    Ok(Parts { goals, locks, ..Parts::from(drawing) })
}

/// Writes a puzzle of rectangles, of which one has a goal, on one line.
pub(super) fn write(instance: &Instance) -> Option<String> {
    let board = instance.board();
    let [goal] = instance.goals() else { return None };
    let row_and_column = |cell: usize| [cell / board.columns(), cell % board.columns()];
    let block = |piece: char| {
        let cells = board.cells_of(piece);
        let ([top, left], [bottom, right]) =
            (row_and_column(cells[0]), row_and_column(cells[cells.len() - 1]));
        let shape = [bottom + 1 - top, (right + 1).checked_sub(left)?];
        let directions = match instance.lock(piece) {
            Some(Axis::Vertical) => vec![0, 2],
            Some(Axis::Horizontal) => vec![1, 3],
            None => vec![0, 1, 2, 3],
        };
        (shape[0] * shape[1] == cells.len()).then_some(Block {
            shape,
            position: [top, left],
            directions,
        })
    };
    // The block that escapes is the first.
    let others = board.pieces().into_iter().filter(|&piece| piece != goal.piece);
    let blocks = std::iter::once(goal.piece).chain(others).map(block).collect::<Option<_>>()?;
    let board_size = [board.rows(), board.columns()];
    let game = Game { blocks, board_size, escape_point: row_and_column(goal.first) };
    serde_json::to_string(&game).ok().map(|text| text + "\n")
}
