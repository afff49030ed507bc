//! The puzzle as given: a board and the board to be made of it.
//!
//! As text a board is its cells in reading order, `0` a white piece (or an empty cell) and `1` a black one (or a toy).
//! White space matters only in a drawing, which has `.` and `#` instead, each row on a line of its own, and a blank line
//! between the boards, so that it shows its size:
//!
//! ```
//! use fewest_black_white::Instance;
//! use fewest_core::grid::Size;
//!
//! let size = Size::new(2, 3).unwrap();
//! let boards = Instance::read(b"100 000 000 001", size).next().unwrap().unwrap();
//! let drawn = Instance::read(b"#..\n...\n\n...\n..#\n", size).next().unwrap().unwrap();
//! assert_eq!(drawn, boards);
//! assert_eq!(boards.to_string(), "100\n000\n\n000\n001\n");
//! ```

use std::fmt;

use fewest_core::grid::Size;
use fewest_core::text::{Diagnostic, Line, Lines, quote, until_error};

/// Whether the piece of each cell is black, in reading order.
pub type Board = Vec<bool>;

/// A start and a target of the same size, at most 8 x 8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    size: Size,
    start: Board,
    target: Board,
}

impl Instance {
    /// `None` if one of the boards has not as many cells as the size.
    pub fn new(size: Size, start: Board, target: Board) -> Option<Self> {
        let fits = |board: &Board| board.len() == size.cells();
        (fits(&start) && fits(&target)).then_some(Self { size, start, target })
    }

    /// The data sets of a text, each read in its turn; an error is the last. Digits are for boards of `size`; a drawing
    /// shows its own.
    pub fn read(text: &[u8], size: Size) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        let mut reader = Reader { lines: Lines::new(text), ahead: None };
        let mut any = false;
        until_error(move || reader.data_set(size, std::mem::replace(&mut any, true)))
    }

    /// Rows and columns.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The board at first.
    pub fn start(&self) -> &[bool] {
        &self.start
    }

    /// The board at last.
    pub fn target(&self) -> &[bool] {
        &self.target
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, board) in [&self.start, &self.target].into_iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            for row in board.chunks(self.size.columns()) {
                writeln!(f, "{}", row.iter().map(|&black| if black { '1' } else { '0' }).collect::<String>())?;
            }
        }
        Ok(())
    }
}

/// Reads a text mark by mark.
struct Reader<'a> {
    lines: Lines<'a>,
    /// The line at hand, and where its marks go on.
    ahead: Option<(Line<'a>, usize)>,
}

/// A character that is no white space, and the byte of its line at which it stands.
type Mark<'a> = (Line<'a>, usize, char);

impl<'a> Reader<'a> {
    /// The next data set; `None` if there is none and does not have to be one.
    fn data_set(&mut self, size: Size, may_end: bool) -> Result<Option<Instance>, Diagnostic> {
        let Some((line, at, mark)) = self.mark()? else {
            let form = "two boards of the digits 0 and 1, or two drawings of `.` and `#`";
            return if may_end { Ok(None) } else { Err(self.lines.ended(form)) };
        };
        if matches!(mark, '.' | '#') && at == line.start() {
            let start = Drawing::read(line, at, &mut self.lines)?;
            let missing = "a blank line and the drawing of the target";
            let line = self.lines.next_filled().transpose()?.ok_or_else(|| self.lines.ended(missing))?;
            let target = Drawing::read(line, line.start(), &mut self.lines)?;
            self.ahead = None;
            if target.size != start.size {
                let found = format!("a target of {} cells", target.size);
                return Err(line.wrong(line.start(), found, format!("{} cells, as the start has", start.size)));
            }
            return Ok(Some(Instance { size: start.size, start: start.board, target: target.board }));
        }
        self.ahead = Some((line, at));
        let mut cells = Vec::new();
        while cells.len() < 2 * size.cells() {
            let next = cells.len();
            let (board, cell) = (["start", "target"][next / size.cells()], next % size.cells());
            let name = || format!("`0` or `1`, for {} of the {board}", size.place(cell));
            match self.mark()? {
                Some((_, _, '0')) => cells.push(false),
                Some((_, _, '1')) => cells.push(true),
                Some((line, at, mark)) => return Err(line.wrong(at, quote(mark.encode_utf8(&mut [0; 4])), name())),
                None => return Err(self.lines.ended(name())),
            }
        }
        let target = cells.split_off(size.cells());
        Ok(Some(Instance { size, start: cells, target }))
    }

    /// The next mark, which is passed over.
    fn mark(&mut self) -> Result<Option<Mark<'a>>, Diagnostic> {
        loop {
            if let Some((line, from)) = &mut self.ahead {
                let mut rest = line.text[*from..].char_indices();
                if let Some((offset, mark)) = rest.find(|(_, mark)| !mark.is_whitespace()) {
                    let at = *from + offset;
                    *from = at + mark.len_utf8();
                    return Ok(Some((*line, at, mark)));
                }
            }
            match self.lines.next().transpose()? {
                Some(line) => self.ahead = Some((line, 0)),
                None => return Ok(None),
            }
        }
    }
}

/// One board.
struct Drawing {
    size: Size,
    board: Board,
}

impl Drawing {
    /// Reads a drawing whose first row is on `line` from byte `at` on, up to a blank line or the end.
    fn read(line: Line<'_>, at: usize, lines: &mut Lines<'_>) -> Result<Self, Diagnostic> {
        let mut board = Board::new();
        let mut rows = 0;
        let mut next = Some((line, at));
        let columns = line.text[at..].trim_ascii_end().chars().count();
        if columns > Size::MOST {
            return Err(line.wrong(at, format!("a row of {columns} cells"), "at most 8"));
        }
        while let Some((line, at)) = next {
            let row = line.text[at..].trim_ascii_end();
            if rows == Size::MOST {
                return Err(line.wrong(at, quote(row), "a blank line after a board of 8 rows, the most there may be"));
            }
            for (offset, mark) in row.char_indices() {
                let black = match mark {
                    '#' => true,
                    '.' => false,
                    _ => {
                        let found = quote(mark.encode_utf8(&mut [0; 4]));
                        return Err(line.wrong(at + offset, found, "`.` or `#`, a white or a black piece"));
                    }
                };
                board.push(black);
            }
            let cells = row.chars().count();
            if cells != columns {
                return Err(line.wrong(
                    at,
                    format!("a row of {cells} cells"),
                    format!("{columns}, as in the first row"),
                ));
            }
            rows += 1;
            let below = lines.next().transpose()?;
            next = below.filter(|line| !line.is_blank()).map(|line| (line, line.start()));
        }
        // Both were looked at, but an empty row is none.
        let size =
            Size::new(rows, columns).ok_or_else(|| line.wrong(at, "a row without cells", "a row of a drawing"))?;
        Ok(Self { size, board })
    }
}
