//! The puzzle as given: a board and the board to be made of it.
//!
//! As text a board is its cells in reading order, `0` a white piece (or an empty cell), `1` a black
//! one (or a toy) and `#` a wall. White space matters only in a drawing, which has `.` and `X` for
//! the pieces, each row on a line of its own, and a blank line between the boards, so that it shows
//! its size:
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

use fewest_core::grid;
use fewest_core::text::{Diagnostic, Line, Lines, quote, until_error};

/// Rows and columns of boards, at most 1024 x 1024.
pub type Size = grid::Size<1024>;

/// Whether the piece of each cell is black, in reading order; there is none on a wall.
pub type Board = Vec<bool>;

/// A start and a target of the same size, with the same walls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    size: Size,
    walls: Vec<bool>,
    start: Board,
    target: Board,
}

impl Instance {
    /// Boards without walls; `None` if one of them has not as many cells as the size.
    pub fn new(size: Size, start: Board, target: Board) -> Option<Self> {
        Self::with_walls(size, vec![false; size.cells()], start, target)
    }

    /// `None` if there are not as many cells as the size has, or a black piece is on a wall.
    pub fn with_walls(size: Size, walls: Vec<bool>, start: Board, target: Board) -> Option<Self> {
        let fits = |board: &Board| {
            board.len() == walls.len()
                && board.iter().zip(&walls).all(|(&black, &wall)| !(black && wall))
        };
        (walls.len() == size.cells() && fits(&start) && fits(&target)).then_some(Self {
            size,
            walls,
            start,
            target,
        })
    }

    /// The same target, from another board of as many cells.
    pub(crate) fn starting_at(&self, start: Board) -> Self {
        Self { size: self.size, walls: self.walls.clone(), start, target: self.target.clone() }
    }

    /// The data sets of a text, each read in its turn; an error is the last. Digits are for boards
    /// of `size`; a drawing shows its own.
    pub fn read(text: &[u8], size: Size) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        let mut reader = Reader { lines: Lines::new(text), ahead: None, piece: None };
        let mut any = false;
        until_error(move || reader.data_set(size, std::mem::replace(&mut any, true)))
    }

    /// Rows and columns.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Whether each cell is a wall, in reading order.
    pub fn walls(&self) -> &[bool] {
        &self.walls
    }

    /// The board at first.
    pub fn start(&self) -> &[bool] {
        &self.start
    }

    /// The board at last.
    pub fn target(&self) -> &[bool] {
        &self.target
    }

    /// Both boards as drawings. [`read`](Self::read) takes them back.
    pub fn drawing(&self) -> String {
        self.text(['.', 'X'])
    }

    /// A row of marks on a line, white and black pieces as they are given, and a blank line between
    /// the boards.
    fn text(&self, pieces: [char; 2]) -> String {
        let row = |board: &[bool], walls: &[bool]| -> String {
            let marks = board.iter().zip(walls);
            marks
                .map(|(&black, &wall)| if wall { '#' } else { pieces[usize::from(black)] })
                .chain(['\n'])
                .collect()
        };
        let columns = self.size.columns();
        let rows = |board: &Board| -> String {
            board
                .chunks(columns)
                .zip(self.walls.chunks(columns))
                .map(|(board, walls)| row(board, walls))
                .collect()
        };
        rows(&self.start) + "\n" + &rows(&self.target)
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(['0', '1']))
    }
}

/// What a mark says of a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Wall,
    White,
    Black,
}

impl Cell {
    fn of_digit(mark: char) -> Option<Self> {
        match mark {
            // Nobody can guess which, so no branch asks.
            '0' | '1' => Some([Self::White, Self::Black][mark as usize & 1]),
            '#' => Some(Self::Wall),
            _ => None,
        }
    }

    fn boards(start: &[Self], target: &[Self], size: Size) -> Instance {
        let are = |cells: &[Self], what: Self| cells.iter().map(|&cell| cell == what).collect();
        Instance {
            size,
            walls: are(start, Self::Wall),
            start: are(start, Self::Black),
            target: are(target, Self::Black),
        }
    }
}

/// Reads a text mark by mark.
struct Reader<'a> {
    lines: Lines<'a>,
    /// The line at hand, and where its marks go on.
    ahead: Option<(Line<'a>, usize)>,
    /// The first piece behind walls that was looked for, if there is one, and the number of its
    /// line.
    piece: Option<(usize, Option<char>)>,
}

/// A character that is no white space, and the byte of its line at which it stands.
type Mark<'a> = (Line<'a>, usize, char);

impl<'a> Reader<'a> {
    /// The next data set; `None` if there is none and does not have to be one.
    fn data_set(&mut self, size: Size, may_end: bool) -> Result<Option<Instance>, Diagnostic> {
        let Some((line, at, first)) = self.mark()? else {
            let form = "two boards of the digits 0 and 1, or two drawings of `.` and `X`";
            return if may_end { Ok(None) } else { Err(self.lines.ended(form)) };
        };
        self.ahead = Some((line, at));
        if at == line.start() {
            // A wall says nothing of the pieces.
            let piece = if first == '#' { self.first_piece(line)? } else { Some(first) };
            if piece.is_none_or(|piece| matches!(piece, '.' | 'X')) {
                self.ahead = None;
                return self.drawings(line, at).map(Some);
            }
        }
        let start = self.digits(size, None)?;
        let target = self.digits(size, Some(&start))?;
        Ok(Some(Cell::boards(&start, &target, size)))
    }

    /// The first mark from a line on that is no wall.
    fn first_piece(&mut self, from: Line<'a>) -> Result<Option<char>, Diagnostic> {
        // Up to the last one that was looked for there are walls alone.
        if let Some((number, piece)) = self.piece
            && from.number <= number
        {
            return Ok(piece);
        }
        let mut ahead = Self { lines: self.lines.clone(), ahead: self.ahead, piece: None };
        loop {
            match ahead.mark()? {
                Some((_, _, '#')) => {}
                mark => {
                    let (number, piece) = mark
                        .map_or((usize::MAX, None), |(line, _, piece)| (line.number, Some(piece)));
                    self.piece = Some((number, piece));
                    return Ok(piece);
                }
            }
        }
    }

    /// A board in digits: the start, or the target of a start.
    fn digits(&mut self, size: Size, start: Option<&[Cell]>) -> Result<Vec<Cell>, Diagnostic> {
        let mut cells = Vec::with_capacity(size.cells());
        while cells.len() < size.cells() {
            let next = cells.len();
            let name = || {
                let (board, expected) = match start.map(|start| start[next]) {
                    None => ("start", "`0`, `1` or `#`"),
                    Some(Cell::Wall) => ("target", "`#`, as the start has a wall there"),
                    Some(_) => ("target", "`0` or `1`, as the start has no wall there"),
                };
                format!("{expected}, for {} of the {board}", size.place(next))
            };
            let as_start = |next: usize, cell: &Cell| {
                start.is_none_or(|start| (start[next] == Cell::Wall) == (*cell == Cell::Wall))
            };
            // Digits of a line in a row, without a look at what else there might be.
            if let Some((line, from)) = &mut self.ahead {
                let row = &line.text.as_bytes()[*from..];
                let wanted = size.cells() - next;
                for &byte in row.iter().take(wanted) {
                    match Cell::of_digit(byte.into()).filter(|cell| as_start(cells.len(), cell)) {
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
                    self.ahead = Some((line, 0));
                    continue;
                }
            }
            let Some((line, at, mark)) = self.mark()? else {
                let hint = format!(
                    "digits do not tell the size of a board: these are read as one of {size}"
                );
                return Err(self.lines.ended(name()).hinting(hint));
            };
            let cell = Cell::of_digit(mark).filter(|cell| as_start(next, cell));
            cells.push(
                cell.ok_or_else(|| line.wrong(at, quote(mark.encode_utf8(&mut [0; 4])), name()))?,
            );
        }
        Ok(cells)
    }

    /// Two drawings, of which the first begins on a line that is taken.
    fn drawings(&mut self, line: Line<'a>, at: usize) -> Result<Instance, Diagnostic> {
        let start = Drawing::read(line, at, &mut self.lines, None)?;
        let missing = "a blank line and the drawing of the target";
        let line =
            self.lines.next_filled().transpose()?.ok_or_else(|| self.lines.ended(missing))?;
        let target = Drawing::read(line, line.start(), &mut self.lines, Some(&start))?;
        if target.size != start.size {
            let found = format!("a target of {} cells", target.size);
            return Err(line.wrong(
                line.start(),
                found,
                format!("{} cells, as the start has", start.size),
            ));
        }
        Ok(Cell::boards(&start.cells, &target.cells, start.size))
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
    cells: Vec<Cell>,
}

impl Drawing {
    /// Reads a drawing whose first row is on `line` from byte `at` on, up to a blank line or the
    /// end; a target with the drawing of its start.
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
        if columns > Size::MOST {
            return Err(line.wrong(
                at,
                format!("a row of {columns} cells"),
                format!("at most {}", Size::MOST),
            ));
        }
        while let Some((line, at)) = next {
            let row = line.text[at..].trim_ascii_end();
            if rows == Size::MOST {
                let expected = format!(
                    "a blank line after a board of {} rows, the most there may be",
                    Size::MOST
                );
                return Err(line.wrong(at, quote(row), expected));
            }
            for (column, (offset, mark)) in row.char_indices().enumerate() {
                let wrong = |expected: &str| {
                    line.wrong(at + offset, quote(mark.encode_utf8(&mut [0; 4])), expected)
                };
                let cell = match mark {
                    'X' => Cell::Black,
                    '.' => Cell::White,
                    '#' => Cell::Wall,
                    _ => return Err(wrong("`.` or `X`, a white or a black piece, or `#`, a wall")),
                };
                let inside =
                    |start: &&Self| rows < start.size.rows() && column < start.size.columns();
                match start
                    .filter(inside)
                    .map(|start| start.cells[rows * start.size.columns() + column])
                {
                    Some(Cell::Wall) if cell != Cell::Wall => {
                        return Err(wrong("a wall, `#`, as the start has one here")
                            .hinting(BLACK.to_owned()));
                    }
                    Some(Cell::White | Cell::Black) if cell == Cell::Wall => {
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
                    format!("{columns}, as in the first row"),
                ));
            }
            rows += 1;
            let below = lines.next().transpose()?;
            next = below.filter(|line| !line.is_blank()).map(|line| (line, line.start()));
        }
        // Both were looked at, but an empty row is none.
        let size = Size::new(rows, columns)
            .ok_or_else(|| line.wrong(at, "a row without cells", "a row of a drawing"))?;
        Ok(Self { size, cells })
    }
}
