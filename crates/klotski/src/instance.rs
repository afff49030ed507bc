//! The puzzle as given: a board, what is to be where in the end, and what may move only along one
//! axis.
//!
//! ```
//! use fewest_klotski::{Board, Goal, Instance};
//!
//! let board = || Board::of_rows(["AAb", "A.b", "..."]).unwrap();
//! let puzzle = Instance::new(board(), vec![Goal { piece: 'A', first: 4 }], vec![]).unwrap();
//! assert_eq!(puzzle.to_string(), "AAb\nA.b\n...\ngoal: A at 2,2\n");
//! let fault = Instance::new(board(), vec![Goal { piece: 'b', first: 8 }], vec![]).unwrap_err();
//! assert_eq!(fault.found, "a goal for piece `b` that is not within the board");
//! ```

use std::fmt;

use fewest_core::grid::Direction;
use fewest_core::text::quote;

use crate::board::{Board, WALL};
use crate::code;

/// Rows of the classic board.
pub const ROWS: usize = 5;
/// Columns of the classic board.
pub const COLUMNS: usize = 4;
/// Cells of the classic board.
pub const CELLS: usize = ROWS * COLUMNS;

/// Where the 2x2 of the classic board has its upper left cell when the puzzle is solved: fourth
/// row, second column.
pub(crate) const EXIT: usize = 3 * COLUMNS + 1;

/// The most cells that are no walls.
pub const MOST_CELLS: usize = 128;

/// What a piece of the classic board can be: its rows and columns.
pub(crate) const SHAPES: [(usize, usize); 4] = [(1, 1), (2, 1), (1, 2), (2, 2)];

/// Where a piece is to be in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Goal {
    /// The piece.
    pub piece: char,
    /// The cell that its first cell, in reading order, is to be on.
    pub first: usize,
}

/// The directions that a piece may be confined to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// East and west.
    Horizontal,
    /// North and south.
    Vertical,
}

impl Axis {
    /// `horizontal` or `vertical`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Horizontal => "horizontal",
            Self::Vertical => "vertical",
        }
    }

    /// The axis of a direction.
    pub fn of(way: Direction) -> Self {
        match way {
            Direction::East | Direction::West => Self::Horizontal,
            Direction::North | Direction::South => Self::Vertical,
        }
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A piece that may move only along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lock {
    /// The piece.
    pub piece: char,
    /// Where it may go.
    pub axis: Axis,
}

/// A valid puzzle: each goal is within the board, and no two overlap. A goal may be cut by a wall;
/// the puzzle is unsolvable then.
///
/// [`Display`](fmt::Display) writes the board as lines and, unless it is the [classic
/// puzzle](Self::is_classic), the goals and locks below it; [`read`](Self::read) reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    board: Board,
    goals: Vec<Goal>,
    locks: Vec<Lock>,
}

/// What is wrong with a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where it shows.
    pub at: At,
    /// What is there.
    pub found: String,
    /// What should be.
    pub expected: String,
    /// How it may be mended, where that is not said by what is expected.
    pub hint: Option<&'static str>,
}

/// A part of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// The cell of this number.
    Cell(usize),
    /// The goal of this number.
    Goal(usize),
    /// The lock of this number.
    Lock(usize),
}

impl Fault {
    fn new<T>(at: At, found: impl Into<String>, expected: impl Into<String>) -> Result<T, Self> {
        Err(Self { at, found: found.into(), expected: expected.into(), hint: None })
    }
}

/// A piece as messages name it.
pub(crate) fn named(piece: char) -> String {
    format!("piece {}", quote(piece.encode_utf8(&mut [0; 4])))
}

impl Instance {
    /// The puzzle of these parts. Without goals it is the classic one, and the board has to be one
    /// of that.
    pub fn new(board: Board, goals: Vec<Goal>, locks: Vec<Lock>) -> Result<Self, Fault> {
        let goals = if goals.is_empty() { vec![classic_goal(&board)?] } else { goals };
        check_cells(&board)?;
        check_goals(&board, &goals)?;
        for (number, lock) in locks.iter().enumerate() {
            if board.first_cell(lock.piece).is_none() {
                let (found, expected) = no_piece(&board, lock.piece);
                return Fault::new(At::Lock(number), found, expected);
            }
            if let Some(other) = locks[..number].iter().find(|other| other.piece == lock.piece) {
                let found = format!("a second lock for {}", named(lock.piece));
                return Fault::new(
                    At::Lock(number),
                    found,
                    format!("only one, as it is locked {} before", other.axis),
                );
            }
        }
        Ok(Self { board, goals, locks })
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// What has to be where; at least one.
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// What may move along one axis only.
    pub fn locks(&self) -> &[Lock] {
        &self.locks
    }

    /// The axis that a piece is confined to, if it is.
    pub fn lock(&self, piece: char) -> Option<Axis> {
        self.locks.iter().find(|lock| lock.piece == piece).map(|lock| lock.axis)
    }

    /// The same goals and locks on another board, which has to have their pieces.
    pub fn with_board(&self, board: Board) -> Result<Self, Fault> {
        Self::new(board, self.goals.clone(), self.locks.clone())
    }

    /// Whether it is played on 5 x 4 cells with one 2x2, for which alone there is a goal, and
    /// dominoes and singles.
    pub fn is_of_classic_pieces(&self) -> bool {
        let of_large = |large| matches!(self.goals[..], [goal] if goal.piece == large);
        self.locks.is_empty() && classic_large(&self.board).is_ok_and(of_large)
    }

    /// The same, and the goal is the middle of the last two rows.
    pub fn is_classic(&self) -> bool {
        self.is_of_classic_pieces() && self.goals[0].first == EXIT
    }

    /// The layout's code, if it is one of classic pieces. It does not tell their characters.
    pub fn code(&self) -> Option<String> {
        self.is_of_classic_pieces().then(|| code::encode(&self.board))
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.board)?;
        if self.is_classic() {
            return Ok(());
        }
        for goal in &self.goals {
            writeln!(f, "goal: {} at {}", goal.piece, self.board.place(goal.first))?;
        }
        for axis in [Axis::Horizontal, Axis::Vertical] {
            let locked = self.locks.iter().filter(|lock| lock.axis == axis).map(|lock| lock.piece);
            let locked: String = locked.collect();
            if !locked.is_empty() {
                writeln!(f, "lock: {axis} {locked}")?;
            }
        }
        Ok(())
    }
}

fn check_cells(board: &Board) -> Result<(), Fault> {
    let cells = board.cells();
    let open = cells.iter().filter(|&&cell| cell != WALL).count();
    if open > MOST_CELLS {
        return Fault::new(
            At::Cell(0),
            format!("{open} cells"),
            format!("at most {MOST_CELLS} that are no walls"),
        );
    }
    Ok(())
}

/// What is found and expected where a character names no piece of the board.
pub(crate) fn no_piece(board: &Board, piece: char) -> (String, String) {
    let pieces: String = board.pieces().into_iter().collect();
    let expected = match pieces.as_str() {
        "" => "a board with pieces".to_owned(),
        pieces => format!("one that is on the board: {}", quote(pieces)),
    };
    (named(piece), expected)
}

fn check_goals(board: &Board, goals: &[Goal]) -> Result<(), Fault> {
    let mut taken: Vec<(usize, char)> = Vec::new();
    for (number, &Goal { piece, first }) in goals.iter().enumerate() {
        let at = At::Goal(number);
        let cells = board.cells_of(piece);
        if cells.is_empty() {
            let (found, expected) = no_piece(board, piece);
            return Fault::new(at, found, expected);
        }
        if goals[..number].iter().any(|other| other.piece == piece) {
            return Fault::new(
                at,
                format!("a second goal for {}", named(piece)),
                "only one for each piece",
            );
        }
        let Some(target) = board.moved(&cells, first) else {
            let found = format!("a goal for {} that is not within the board", named(piece));
            return Fault::new(
                at,
                found,
                "the row and column of its first cell, so that all its cells are there",
            );
        };
        for cell in target {
            if let Some(&(_, other)) = taken.iter().find(|&&(taken, _)| taken == cell) {
                let found = format!(
                    "goals for {} and {} that overlap at {}",
                    named(other),
                    named(piece),
                    board.place(cell)
                );
                return Fault::new(at, found, "places apart from each other");
            }
            taken.push((cell, piece));
        }
    }
    Ok(())
}

fn classic_goal(board: &Board) -> Result<Goal, Fault> {
    Ok(Goal { piece: classic_large(board)?, first: EXIT })
}

/// The 2x2 of a board of 5 x 4 cells that has one, and dominoes and singles otherwise.
fn classic_large(board: &Board) -> Result<char, Fault> {
    const ELSE: &str = "any other board has its goal on a line below it, such as `goal: A at 4,2`";
    find_classic_large(board).map_err(|fault| Fault { hint: Some(ELSE), ..fault })
}

fn find_classic_large(board: &Board) -> Result<char, Fault> {
    if (board.rows(), board.columns()) != (ROWS, COLUMNS) {
        let found = format!("a board of {}", extent(board));
        return Fault::new(At::Cell(0), found, format!("{ROWS} rows of {COLUMNS} characters"));
    }
    if let Some(wall) = board.cells().iter().position(|&cell| cell == WALL) {
        return Fault::new(At::Cell(wall), "a wall", "blanks and pieces");
    }
    let mut large = None;
    for piece in board.pieces() {
        let cells = board.cells_of(piece);
        match shape(&cells) {
            None => {
                let found = format!(
                    "{} of {} that are none of these",
                    named(piece),
                    count(cells.len(), "cell")
                );
                let expected = "one cell, two side by side, two on top of each other, or 2x2";
                return Fault::new(At::Cell(cells[0]), found, expected);
            }
            Some((2, 2)) => {
                if let Some(other) = large.replace(piece) {
                    let found = format!("a second 2x2, {}", named(piece));
                    return Fault::new(
                        At::Cell(cells[0]),
                        found,
                        format!("only one, as {} is", named(other)),
                    );
                }
            }
            Some(_) => {}
        }
    }
    large.map_or_else(|| Fault::new(At::Cell(0), "no 2x2", "one"), Ok)
}

/// How many rows and columns a board has, in words.
pub(crate) fn extent(board: &Board) -> String {
    format!("{} and {}", count(board.rows(), "row"), count(board.columns(), "column"))
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Rows and columns of the one of [`SHAPES`] that has these cells of the classic board.
pub(crate) fn shape(cells: &[usize]) -> Option<(usize, usize)> {
    SHAPES
        .into_iter()
        .find(|&shape| footprint(cells[0], shape).is_some_and(|footprint| footprint == cells))
}

/// The cells of a shape whose first one is `first`, in reading order; `None` if it hangs over the
/// edge of the classic board.
pub(crate) fn footprint(first: usize, (rows, columns): (usize, usize)) -> Option<Vec<usize>> {
    let inside = first / COLUMNS + rows <= ROWS && first % COLUMNS + columns <= COLUMNS;
    let cells =
        (0..rows).flat_map(|row| (0..columns).map(move |column| first + row * COLUMNS + column));
    inside.then(|| cells.collect())
}
