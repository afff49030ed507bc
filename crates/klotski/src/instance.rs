//! The puzzle as given: a layout of blocks.
//!
//! A data set is a board, five lines of four characters or the five rows on one line with `/` between them; or a code (see
//! [`code`]), or a name, alone on a line. `.` is a blank, and the same character is the same block:
//!
//! ```
//! use fewest_klotski::Instance;
//!
//! let read = |text: &str| Instance::read(text.as_bytes()).next().unwrap().unwrap();
//! let layout = read("aCCb\naCCb\ncdde\ncfge\nh..i\n");
//! for same in ["aCCb/aCCb/cdde/cfge/h..i", "1A9BF0C", "横刀立马", "heng-dao-li-ma"] {
//!     assert_eq!(read(same), layout);
//! }
//! assert_eq!((layout.code().as_str(), layout.row_text().as_str()), ("1A9BF0C", "aCCb/aCCb/cdde/cfge/h..i"));
//! ```

use std::fmt;

use fewest_core::builtin::{self, Builtin};
use fewest_core::text::{Diagnostic, Line, Lines, data_sets, quote};

use crate::builtin::BUILTINS;
use crate::code;

/// Rows of the board.
pub const ROWS: usize = 5;
/// Columns of the board.
pub const COLUMNS: usize = 4;
/// Cells of the board.
pub const CELLS: usize = ROWS * COLUMNS;

/// What a cell holds that belongs to no block.
pub const BLANK: char = '.';

/// The character of each cell, in reading order.
pub type Board = [char; CELLS];

/// What a block can be: its rows and columns.
pub(crate) const SHAPES: [(usize, usize); 4] = [(1, 1), (2, 1), (1, 2), (2, 2)];

/// A board with one 2x2, dominoes, singles and at least two blanks.
///
/// [`Display`](fmt::Display) writes it as five lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    board: Board,
}

impl Instance {
    /// The data sets of a text, each read in its turn; an error is the last.
    pub fn read(text: &[u8]) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        const FORM: &str = "a board of five lines, a code or a name";
        data_sets(text, FORM, |line, lines| data_set(line, lines).map(Some))
    }

    /// The character of each cell.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The layout's code, which does not tell the characters of blocks.
    pub fn code(&self) -> String {
        code::encode(&self.board)
    }

    /// The five rows on a line, with `/` between them.
    pub fn row_text(&self) -> String {
        rows(&self.board).collect::<Vec<_>>().join("/")
    }

    /// Whether a word is a layout by itself, a code or rows with `/` or line breaks between them; or is meant to be one.
    pub fn is_word(word: &str) -> bool {
        let wide = word.split(['/', '\n']).filter(|row| is_wide(row)).count();
        code::is_meant(word) || wide > ROWS / 2
    }
}

fn rows(board: &Board) -> impl Iterator<Item = String> {
    board.chunks(COLUMNS).map(|row| row.iter().collect())
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        rows(&self.board).try_for_each(|row| writeln!(f, "{row}"))
    }
}

fn data_set<'a>(line: Line<'a>, lines: &mut Lines<'a>) -> Result<Instance, Diagnostic> {
    let (at, word) = (line.start(), line.text.trim_ascii());
    if let Some(builtin) = named(word) {
        let rows = Line { text: builtin.text, ..line };
        return Rows::on_one_line(rows, 0, builtin.text).into_instance();
    }
    if word.contains('/') {
        return Rows::on_one_line(line, at, word).into_instance();
    }
    let rows = 1 + rows_ahead(lines);
    let near = || builtin::did_you_mean(BUILTINS, word);
    // Fewer rows than a board has are a board that is cut, unless they look like what stands alone.
    if is_row(line) && (rows >= ROWS || rows > 1 && !code::is_meant(word) && near().is_empty()) {
        return Rows::on_five_lines(line, lines)?.into_instance();
    }
    if code::is_meant(word) {
        return code::decode(line, at, word).map(|board| Instance { board });
    }
    let near = near();
    Err(line.wrong(at, quote(word), format!("five rows of four characters, a code, or a name{near}")))
}

/// Whether a line has the width of a row.
fn is_row(line: Line<'_>) -> bool {
    is_wide(line.text)
}

fn is_wide(row: &str) -> bool {
    row.trim_ascii().chars().count() == COLUMNS
}

/// How many lines follow that have the width of a row and are no names, as many of those have four characters too.
fn rows_ahead(lines: &Lines<'_>) -> usize {
    let like = lines.clone().map_while(Result::ok).take_while(|line| is_row(*line));
    like.take_while(|line| named(line.text.trim_ascii()).is_none()).take(ROWS).count()
}

fn named(word: &str) -> Option<&'static Builtin> {
    builtin::find(BUILTINS, word)
}

/// The rows of a board, each with the line that it is on and where it starts there.
struct Rows<'a>(Vec<(Line<'a>, usize, &'a str)>);

impl<'a> Rows<'a> {
    fn on_one_line(line: Line<'a>, mut at: usize, text: &'a str) -> Self {
        let row = |row: &'a str| {
            let start = at;
            at += row.len() + 1;
            (line, start, row)
        };
        Self(text.split('/').map(row).collect())
    }

    fn on_five_lines(first: Line<'a>, lines: &mut Lines<'a>) -> Result<Self, Diagnostic> {
        let mut rows = vec![(first, first.start(), first.text.trim_ascii())];
        while rows.len() < ROWS {
            let missing = format!("row {} of {ROWS}", rows.len() + 1);
            let line = lines.next().transpose()?.ok_or_else(|| lines.ended(missing))?;
            rows.push((line, line.start(), line.text.trim_ascii()));
        }
        Ok(Self(rows))
    }

    fn into_instance(self) -> Result<Instance, Diagnostic> {
        let Self(rows) = self;
        let mut board = [BLANK; CELLS];
        let mut places = Vec::new();
        for &(line, at, row) in &rows {
            let cells = row.chars().count();
            if places.len() == CELLS || cells != COLUMNS {
                let found = if row.is_empty() { "an empty row".to_owned() } else { quote(row) };
                let number = places.len() / COLUMNS + 1;
                let expected = if number > ROWS {
                    format!("no more than {ROWS} rows")
                } else {
                    format!("row {number} of {ROWS}, {COLUMNS} characters")
                };
                return Err(line.wrong(at, found, expected));
            }
            for (offset, cell) in row.char_indices() {
                if cell.is_whitespace() || cell.is_control() || cell == '#' {
                    let found = quote(cell.encode_utf8(&mut [0; 4]));
                    let expected = "`.` for a blank, or the character of a block, but no `#`";
                    return Err(line.wrong(at + offset, found, expected));
                }
                board[places.len()] = cell;
                places.push((line, at + offset));
            }
        }
        if let Some(&(line, at, row)) = rows.last()
            && places.len() < CELLS
        {
            return Err(line.wrong(
                at + row.len(),
                "the end of the board",
                format!("{ROWS} rows with `/` between them"),
            ));
        }
        check(&board).map_err(|Fault { cell, found, expected }| {
            let (line, at) = places[cell];
            line.wrong(at, found, expected)
        })?;
        Ok(Instance { board })
    }
}

/// What is wrong with a board, and the first cell that shows it.
struct Fault {
    cell: usize,
    found: String,
    expected: String,
}

fn check(board: &Board) -> Result<(), Fault> {
    let mut large = None;
    for (cell, &block) in board.iter().enumerate() {
        let first = board.iter().position(|&other| other == block);
        if block == BLANK || first != Some(cell) {
            continue;
        }
        let name = quote(block.encode_utf8(&mut [0; 4]));
        match shape(board, cell) {
            None => {
                let cells = board.iter().filter(|&&other| other == block).count();
                let found = format!("a block {name} of {cells} cells that are none of these");
                let expected = "one cell, two side by side, two on top of each other, or 2x2".to_owned();
                return Err(Fault { cell, found, expected });
            }
            Some((2, 2)) => {
                if let Some(other) = large.replace(block) {
                    let found = format!("a second block of 2x2, {name}");
                    return Err(Fault {
                        cell,
                        found,
                        expected: format!("only one, as {} is", quote(&other.to_string())),
                    });
                }
            }
            Some(_) => {}
        }
    }
    if large.is_none() {
        return Err(Fault { cell: 0, found: "no block of 2x2".to_owned(), expected: "one of them".to_owned() });
    }
    match board.iter().filter(|&&cell| cell == BLANK).count() {
        2.. => Ok(()),
        1 => {
            Err(Fault { cell: 0, found: "only one blank".to_owned(), expected: "at least two, marked `.`".to_owned() })
        }
        _ => Err(Fault { cell: 0, found: "no blank".to_owned(), expected: "at least two, marked `.`".to_owned() }),
    }
}

/// The rows and columns of the block whose first cell this is, if all cells of its character are one of [`SHAPES`].
pub(crate) fn shape(board: &Board, first: usize) -> Option<(usize, usize)> {
    let cells: Vec<usize> = (0..CELLS).filter(|&cell| board[cell] == board[first]).collect();
    SHAPES.into_iter().find(|&shape| footprint(first, shape).is_some_and(|footprint| footprint == cells))
}

/// The cells of a shape whose first one is `first`, in reading order; `None` if it hangs over the edge.
pub(crate) fn footprint(first: usize, (rows, columns): (usize, usize)) -> Option<Vec<usize>> {
    let inside = first / COLUMNS + rows <= ROWS && first % COLUMNS + columns <= COLUMNS;
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| first + row * COLUMNS + column));
    inside.then(|| cells.collect())
}
