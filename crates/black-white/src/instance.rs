//! The puzzle as given: a start board and a target board.
//!
//! There are two text formats. In digits, the contest format, a board is the list of its cells in
//! reading order: `0` is a white piece (or an empty cell), `1` a black piece (or a toy), and `#` a
//! wall. White space is ignored. In a drawing, each row is a line with `.` for a white piece, `X`
//! for a black piece and `#` for a wall, and a blank line separates the boards. The same boards in
//! both formats:
//!
//! ```
//! use fewest_black_white::{Instance, Size};
//!
//! let size = Size::new(2, 3).unwrap();
//! let boards = Instance::read(b"10# 000 00# 001", size).next().unwrap().unwrap();
//! let drawn = Instance::read(b"X.#\n...\n\n..#\n..X\n", size).next().unwrap().unwrap();
//! assert_eq!(drawn, boards);
//! assert_eq!(boards.to_string(), "10#\n000\n\n00#\n001\n");
//! ```

use std::fmt;

use fewest_geometry::Grid;
use fewest_rules::text::{Diagnostic, Line, Lines, quote, until_error};

/// The rows and columns of a board, at most 1024 x 1024.
pub type Size = Grid<1024>;

/// For each cell, in reading order, whether its piece is black; `false` for a wall.
pub type Board = Vec<bool>;

/// A start board and a target board of the same size, with the same walls.
///
/// [`Display`](fmt::Display) writes digits, and [`drawing`](Self::drawing) drawings. An instance
/// takes 3 bytes per cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    pub(crate) size: Size,
    pub(crate) walls: Vec<bool>,
    pub(crate) start: Board,
    pub(crate) target: Board,
}

impl Instance {
    /// Creates an instance without walls; `None` if a board does not have as many cells as the
    /// size.
    pub fn new(size: Size, start: Board, target: Board) -> Option<Self> {
        Self::with_walls(size, vec![false; size.len()], start, target)
    }

    /// Creates an instance. `walls` has for each cell, in reading order, whether it is a wall.
    /// `None` if one of the lists does not have as many cells as the size, or a black piece is on a
    /// wall.
    pub fn with_walls(size: Size, walls: Vec<bool>, start: Board, target: Board) -> Option<Self> {
        let fits = |board: &Board| {
            board.len() == walls.len()
                && board.iter().zip(&walls).all(|(&black, &wall)| !(black && wall))
        };
        (walls.len() == size.len() && fits(&start) && fits(&target)).then_some(Self {
            size,
            walls,
            start,
            target,
        })
    }

    /// Reads the data sets of a text lazily. An error is the last item. `size` is the size of
    /// boards in digits; a drawing determines its own size.
    pub fn read(text: &[u8], size: Size) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        let mut reader = BoardReader { lines: Lines::new(text), current: None, first_piece: None };
        let mut is_first = true;
        until_error(move || reader.data_set(size, std::mem::replace(&mut is_first, false)))
    }

    /// The rows and columns.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Whether each cell is a wall, in reading order.
    pub fn walls(&self) -> &[bool] {
        &self.walls
    }

    /// The start board.
    pub fn start(&self) -> &[bool] {
        &self.start
    }

    /// The target board.
    pub fn target(&self) -> &[bool] {
        &self.target
    }

    /// Both boards as drawings. [`read`](Self::read) accepts them.
    pub fn drawing(&self) -> String {
        self.text(['.', 'X'])
    }

    /// A board as a drawing on one line, the rows separated by `/`.
    pub(crate) fn line(&self, board: &[bool]) -> String {
        self.rows(board, ['.', 'X']).trim_end().replace('\n', "/")
    }

    /// One line per row and a blank line between the boards, with these symbols for a white and a
    /// black piece.
    fn text(&self, pieces: [char; 2]) -> String {
        self.rows(&self.start, pieces) + "\n" + &self.rows(&self.target, pieces)
    }

    /// One line per row.
    fn rows(&self, board: &[bool], pieces: [char; 2]) -> String {
        let row = |(board, walls): (&[bool], &[bool])| -> String {
            let cells = board.iter().zip(walls);
            cells
                .map(|(&black, &wall)| if wall { '#' } else { pieces[usize::from(black)] })
                .chain(['\n'])
                .collect()
        };
        let columns = self.size.columns();
        board.chunks(columns).zip(self.walls.chunks(columns)).map(row).collect()
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(['0', '1']))
    }
}

/// The content of a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CellContent {
    Wall,
    White,
    Black,
}

impl CellContent {
    fn of_digit(symbol: char) -> Option<Self> {
        match symbol {
            // The digit is unpredictable, so this has no branch on it.
            '0' | '1' => Some([Self::White, Self::Black][symbol as usize & 1]),
            '#' => Some(Self::Wall),
            _ => None,
        }
    }

    fn instance(start: &[Self], target: &[Self], size: Size) -> Instance {
        let are =
            |cells: &[Self], content: Self| cells.iter().map(|&cell| cell == content).collect();
        Instance {
            size,
            walls: are(start, Self::Wall),
            start: are(start, Self::Black),
            target: are(target, Self::Black),
        }
    }
}

/// Reads a text symbol by symbol.
struct BoardReader<'a> {
    lines: Lines<'a>,
    /// The current line and the byte offset of its unread rest.
    current: Option<(Line<'a>, usize)>,
    /// The last result of [`first_piece`](Self::first_piece): the number of the line, and the
    /// piece; `usize::MAX` and `None` if there is no piece up to the end of the text.
    first_piece: Option<(usize, Option<char>)>,
}

/// A character other than white space, with its line and its byte offset in the line.
type Symbol<'a> = (Line<'a>, usize, char);

impl<'a> BoardReader<'a> {
    /// Reads the next data set; `None` at the end of the text, which is an error before the first
    /// data set.
    fn data_set(&mut self, size: Size, is_first: bool) -> Result<Option<Instance>, Diagnostic> {
        let Some((line, at, first)) = self.next_symbol()? else {
            let expected = "two boards of the digits 0 and 1, or two drawings of `.` and `X`";
            return if is_first { Err(self.lines.ended(expected)) } else { Ok(None) };
        };
        self.current = Some((line, at));
        if at == line.start() {
            // Both formats have the same symbol for a wall, so the first piece decides.
            let piece = if first == '#' { self.first_piece(line)? } else { Some(first) };
            if piece.is_none_or(|piece| matches!(piece, '.' | 'X')) {
                self.current = None;
                return self.read_drawings(line, at).map(Some);
            }
        }
        let start = self.read_digits(size, None)?;
        let target = self.read_digits(size, Some(&start))?;
        Ok(Some(CellContent::instance(&start, &target, size)))
    }

    /// The first symbol in `from` or a later line that is not a wall. Reads no symbol.
    fn first_piece(&mut self, from: Line<'a>) -> Result<Option<char>, Diagnostic> {
        // All symbols before the last result are walls.
        if let Some((number, piece)) = self.first_piece
            && from.number <= number
        {
            return Ok(piece);
        }
        let mut ahead =
            Self { lines: self.lines.clone(), current: self.current, first_piece: None };
        loop {
            match ahead.next_symbol()? {
                Some((_, _, '#')) => {}
                symbol => {
                    let (number, piece) = symbol
                        .map_or((usize::MAX, None), |(line, _, piece)| (line.number, Some(piece)));
                    self.first_piece = Some((number, piece));
                    return Ok(piece);
                }
            }
        }
    }

    /// Reads a board in digits: a start, or the target for a start.
    fn read_digits(
        &mut self,
        size: Size,
        start: Option<&[CellContent]>,
    ) -> Result<Vec<CellContent>, Diagnostic> {
        let mut cells = Vec::with_capacity(size.len());
        while cells.len() < size.len() {
            let next = cells.len();
            let expected = || {
                let (board, symbols) = match start.map(|start| start[next]) {
                    None => ("start", "`0`, `1` or `#`"),
                    Some(CellContent::Wall) => ("target", "`#`, as the start has a wall there"),
                    Some(_) => ("target", "`0` or `1`, as the start has no wall there"),
                };
                format!("{symbols}, for {} of the {board}", size.cell(next))
            };
            let matches_start = |next: usize, cell: &CellContent| {
                let is_wall = *cell == CellContent::Wall;
                start.is_none_or(|start| (start[next] == CellContent::Wall) == is_wall)
            };
            // The fast path: a sequence of valid digits without white space.
            if let Some((line, from)) = &mut self.current {
                let row = &line.text.as_bytes()[*from..];
                let missing = size.len() - next;
                for &byte in row.iter().take(missing) {
                    let cell = CellContent::of_digit(byte.into());
                    match cell.filter(|cell| matches_start(cells.len(), cell)) {
                        Some(cell) => cells.push(cell),
                        None => break,
                    }
                }
                *from += cells.len() - next;
                if cells.len() > next {
                    continue;
                }
                if row.is_empty()
                    && let Some(line) = self.lines.next().transpose()?
                {
                    self.current = Some((line, 0));
                    continue;
                }
            }
            let Some((line, at, symbol)) = self.next_symbol()? else {
                let hint =
                    format!("digits do not contain the size of a board: it is read as {size}");
                return Err(self.lines.ended(expected()).hinting(hint));
            };
            let cell = CellContent::of_digit(symbol).filter(|cell| matches_start(next, cell));
            let wrong = || line.wrong(at, quote(symbol.encode_utf8(&mut [0; 4])), expected());
            cells.push(cell.ok_or_else(wrong)?);
        }
        Ok(cells)
    }

    /// Reads two drawings. The first one begins at byte `at` of `line`, the line read last.
    fn read_drawings(&mut self, line: Line<'a>, at: usize) -> Result<Instance, Diagnostic> {
        let start = DrawnBoard::read(line, at, &mut self.lines, None)?;
        let missing = "a blank line and the drawing of the target";
        let line =
            self.lines.next_filled().transpose()?.ok_or_else(|| self.lines.ended(missing))?;
        let target = DrawnBoard::read(line, line.start(), &mut self.lines, Some(&start))?;
        if target.size != start.size {
            let found = format!("a target of {} cells", target.size);
            return Err(line.wrong(
                line.start(),
                found,
                format!("{} cells, as the start has", start.size),
            ));
        }
        Ok(CellContent::instance(&start.cells, &target.cells, start.size))
    }

    /// Reads the next symbol; `None` at the end of the text.
    fn next_symbol(&mut self) -> Result<Option<Symbol<'a>>, Diagnostic> {
        loop {
            if let Some((line, from)) = &mut self.current {
                let mut rest = line.text[*from..].char_indices();
                if let Some((offset, symbol)) = rest.find(|(_, symbol)| !symbol.is_whitespace()) {
                    let at = *from + offset;
                    *from = at + symbol.len_utf8();
                    return Ok(Some((*line, at, symbol)));
                }
            }
            match self.lines.next().transpose()? {
                Some(line) => self.current = Some((line, 0)),
                None => return Ok(None),
            }
        }
    }
}

/// A board that is read from a drawing.
struct DrawnBoard {
    size: Size,
    cells: Vec<CellContent>,
}

impl DrawnBoard {
    /// Reads a drawing up to a blank line or the end of the text. Its first row begins at byte `at`
    /// of `line`. For a target, `start` is its start board, whose walls it must have.
    fn read(
        line: Line<'_>,
        at: usize,
        lines: &mut Lines<'_>,
        start: Option<&Self>,
    ) -> Result<Self, Diagnostic> {
        const BLACK: &str = "a black piece is `X`";
        let mut cells = Vec::new();
        let mut rows = 0;
        let mut next = Some((line, at));
        let columns = line.text[at..].trim_ascii_end().chars().count();
        if columns > Size::MAX_SIDE {
            return Err(line.wrong(
                at,
                format!("a row of {columns} cells"),
                format!("at most {} cells", Size::MAX_SIDE),
            ));
        }
        while let Some((line, at)) = next {
            let row = line.text[at..].trim_ascii_end();
            if rows == Size::MAX_SIDE {
                let expected = format!("a blank line: a board has at most {} rows", Size::MAX_SIDE);
                return Err(line.wrong(at, quote(row), expected));
            }
            for (column, (offset, symbol)) in row.char_indices().enumerate() {
                let wrong = |expected: &str| {
                    line.wrong(at + offset, quote(symbol.encode_utf8(&mut [0; 4])), expected)
                };
                let cell = match symbol {
                    'X' => CellContent::Black,
                    '.' => CellContent::White,
                    '#' => CellContent::Wall,
                    _ => return Err(wrong("`.` (white piece), `X` (black piece) or `#` (wall)")),
                };
                let inside =
                    |start: &&Self| rows < start.size.rows() && column < start.size.columns();
                match start
                    .filter(inside)
                    .map(|start| start.cells[rows * start.size.columns() + column])
                {
                    Some(CellContent::Wall) if cell != CellContent::Wall => {
                        return Err(wrong("a wall, `#`, as the start has one here")
                            .hinting(BLACK.to_owned()));
                    }
                    Some(CellContent::White | CellContent::Black) if cell == CellContent::Wall => {
                        return Err(
                            wrong("no wall, as the start has none here").hinting(BLACK.to_owned())
                        );
                    }
                    _ => cells.push(cell),
                }
            }
            let found = row.chars().count();
            if found != columns {
                return Err(line.wrong(
                    at,
                    format!("a row of {found} cells"),
                    format!("{columns} cells, as in the first row"),
                ));
            }
            rows += 1;
            let below = lines.next().transpose()?;
            next = below.filter(|line| !line.is_blank()).map(|line| (line, line.start()));
        }
        // Both numbers are at most 1024 here, but the number of columns may be 0.
        let size = Size::new(rows, columns)
            .ok_or_else(|| line.wrong(at, "a row without cells", "a row of a drawing"))?;
        Ok(Self { size, cells })
    }
}
