//! A validated puzzle: a board, the goals of its pieces, the locks that confine pieces to one axis,
//! and the gates that only some pieces may enter.
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

use fewest_geometry::Direction;
use fewest_rules::builtin::Published;
use fewest_rules::text::quote;

use crate::board::{Board, WALL, is_piece};
use crate::code;
use crate::layout::{COLUMNS, EXIT, ROWS, shape_of};

/// The greatest number of cells of a board that are not walls.
pub const MAX_CELLS: usize = 384;

/// The goal of a piece: where it has to be when the puzzle is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Goal {
    /// The piece.
    pub piece: char,
    /// The number of the cell where the first cell of the piece has to be.
    pub first: usize,
}

/// The axis that a piece may be locked to.
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

    /// The axis along which a piece is longer; `None` if it is as tall as it is wide.
    pub(crate) fn longer(board: &Board, cells: &[usize]) -> Option<Self> {
        let extent = |values: &mut dyn Iterator<Item = usize>| {
            let (least, most) = values
                .fold((usize::MAX, 0), |(least, most), value| (least.min(value), most.max(value)));
            most - least
        };
        let height = extent(&mut cells.iter().map(|cell| cell / board.columns()));
        let width = extent(&mut cells.iter().map(|cell| cell % board.columns()));
        match height.cmp(&width) {
            std::cmp::Ordering::Less => Some(Self::Horizontal),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Self::Vertical),
        }
    }

    /// The axis of a direction.
    pub fn of(direction: Direction) -> Self {
        match direction {
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

/// A lock: it confines a piece to an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lock {
    /// The piece.
    pub piece: char,
    /// The only axis along which the piece moves.
    pub axis: Axis,
}

/// A gate: a cell that only one piece may enter. Several gates on a cell let in as many pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Gate {
    /// The piece that may enter.
    pub piece: char,
    /// The number of the cell.
    pub cell: usize,
}

/// A valid puzzle: it has at least one goal, unless it is only [explored](Self::with_any_goals);
/// every goal is within the board, and no two goals overlap. A goal may cover a wall; the puzzle is
/// unsolvable then.
///
/// [`Display`](fmt::Display) writes the board as lines and, unless it is the [classic
/// puzzle](Self::is_classic), the goals, locks and gates below it. [`read`](Self::read) reads that
/// text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    board: Board,
    goals: Vec<Goal>,
    locks: Vec<Lock>,
    /// Sorted, without duplicates.
    gates: Vec<Gate>,
    published: Option<Published>,
}

/// Why the parts of a puzzle are invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The part that is invalid.
    pub location: FaultLocation,
    /// What was found there.
    pub found: String,
    /// What was expected instead.
    pub expected: String,
    /// How to fix it, if `expected` alone does not show it.
    pub hint: Option<&'static str>,
}

/// The part of a puzzle that a [`Fault`] is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultLocation {
    /// The cell with this number.
    Cell(usize),
    /// The goal with this index.
    Goal(usize),
    /// The lock with this index.
    Lock(usize),
    /// The gate with this index.
    Gate(usize),
}

impl Fault {
    fn new<T>(
        location: FaultLocation,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Result<T, Self> {
        Err(Self { location, found: found.into(), expected: expected.into(), hint: None })
    }
}

/// A piece as messages show it.
pub(crate) fn describe_piece(piece: char) -> String {
    format!("piece {}", quote(piece.encode_utf8(&mut [0; 4])))
}

impl Instance {
    /// Validates the parts of a puzzle. Without goals it is the classic puzzle: the 2x2 piece has
    /// to reach the middle of the last two rows.
    ///
    /// # Errors
    /// - If the board has more than [`MAX_CELLS`] cells that are not walls.
    /// - If a goal or a lock is for a piece that is not on the board, or a piece has two of them.
    /// - If a goal is not within the board, or two goals overlap.
    /// - If there are no goals and the board is not 5 x 4 cells with one 2x2 piece, dominoes,
    ///   singles and blanks.
    pub fn new(board: Board, goals: Vec<Goal>, locks: Vec<Lock>) -> Result<Self, Fault> {
        let goals = if goals.is_empty() { vec![classic_goal(&board)?] } else { goals };
        Self::with_any_goals(board, goals, locks)
    }

    /// The same as [`new`](Self::new), but without goals the puzzle is the classic one or has none:
    /// then its boards can be explored, and none is solved.
    ///
    /// # Errors
    /// As [`new`](Self::new), except for the last.
    pub fn with_any_goals(board: Board, goals: Vec<Goal>, locks: Vec<Lock>) -> Result<Self, Fault> {
        let classic = || classic_goal(&board).into_iter().collect();
        let goals = if goals.is_empty() { classic() } else { goals };
        check_cells(&board)?;
        check_goals(&board, &goals)?;
        for (number, lock) in locks.iter().enumerate() {
            if board.first_cell(lock.piece).is_none() {
                let (found, expected) = missing_piece(&board, lock.piece);
                return Fault::new(FaultLocation::Lock(number), found, expected);
            }
            if let Some(other) = locks[..number].iter().find(|other| other.piece == lock.piece) {
                let found = format!("a second lock for {}", describe_piece(lock.piece));
                return Fault::new(
                    FaultLocation::Lock(number),
                    found,
                    format!("only one lock, as it is already locked {}", other.axis),
                );
            }
        }
        Ok(Self { board, goals, locks, gates: Vec::new(), published: None })
    }

    /// The same puzzle with these gates instead of its own.
    ///
    /// # Errors
    /// If a gate is for a piece that is not on the board, or is on a wall, or if a piece that may
    /// not enter it is on it.
    pub fn with_gates(self, mut gates: Vec<Gate>) -> Result<Self, Fault> {
        for (number, &Gate { piece, cell }) in gates.iter().enumerate() {
            let location = FaultLocation::Gate(number);
            if self.board.first_cell(piece).is_none() {
                let (found, expected) = missing_piece(&self.board, piece);
                return Fault::new(location, found, expected);
            }
            let here = self.board.cells()[cell];
            let at = || self.board.coordinates(cell);
            if here == WALL {
                return Fault::new(location, format!("a gate on the wall at {}", at()), "a blank");
            }
            let may_enter = |piece| gates.contains(&Gate { piece, cell });
            if is_piece(here) && !may_enter(here) {
                let found =
                    format!("{} on a gate for {}", describe_piece(here), describe_piece(piece));
                return Fault::new(
                    location,
                    found,
                    format!("a blank or {}", describe_piece(piece)),
                );
            }
        }
        gates.sort_unstable();
        gates.dedup();
        Ok(Self { gates, ..self })
    }

    /// The same puzzle, with what a collection says about it.
    #[must_use]
    pub fn with_published(self, published: Option<Published>) -> Self {
        Self { published, ..self }
    }

    /// What the collection that the puzzle is from says about it.
    pub fn published(&self) -> Option<Published> {
        self.published
    }

    /// The board with the pieces at the start.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The goals; none if boards are only [explored](Self::with_any_goals).
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// The locks.
    pub fn locks(&self) -> &[Lock] {
        &self.locks
    }

    /// The axis that a piece is locked to; `None` if it is not locked.
    pub fn lock(&self, piece: char) -> Option<Axis> {
        self.locks.iter().find(|lock| lock.piece == piece).map(|lock| lock.axis)
    }

    /// The gates, sorted.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// The cells with a gate for a piece, in ascending order.
    pub fn gates_for(&self, piece: char) -> Vec<usize> {
        self.gates.iter().filter(|gate| gate.piece == piece).map(|gate| gate.cell).collect()
    }

    /// Whether gates keep a piece off a cell.
    pub fn is_closed(&self, piece: char, cell: usize) -> bool {
        self.gates.iter().any(|gate| gate.cell == cell)
            && !self.gates.contains(&Gate { piece, cell })
    }

    /// The same goals, locks and gates on another board.
    ///
    /// # Errors
    /// The same as [`new`](Self::new) and [`with_gates`](Self::with_gates).
    pub fn with_board(&self, board: Board) -> Result<Self, Fault> {
        Self::new(board, self.goals.clone(), self.locks.clone())?.with_gates(self.gates.clone())
    }

    /// Whether the board is 5 x 4 cells with one 2x2 piece, dominoes, singles and blanks, the only
    /// goal is for the 2x2 piece, and there are no locks and no gates.
    pub fn is_of_classic_pieces(&self) -> bool {
        let of_large = |large| matches!(self.goals[..], [goal] if goal.piece == large);
        let is_plain = self.locks.is_empty() && self.gates.is_empty();
        is_plain && classic_large(&self.board).is_ok_and(of_large)
    }

    /// Whether this is the classic puzzle: [classic pieces](Self::is_of_classic_pieces), and the
    /// goal is the middle of the last two rows.
    pub fn is_classic(&self) -> bool {
        self.is_of_classic_pieces() && self.goals[0].first == EXIT
    }

    /// The [`code`] of the board; `None` unless the pieces are
    /// [classic](Self::is_of_classic_pieces). The code holds neither their characters nor the goal.
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
            writeln!(f, "goal: {} at {}", goal.piece, self.board.coordinates(goal.first))?;
        }
        for axis in [Axis::Horizontal, Axis::Vertical] {
            let locked = self.locks.iter().filter(|lock| lock.axis == axis).map(|lock| lock.piece);
            let locked: String = locked.collect();
            if !locked.is_empty() {
                writeln!(f, "lock: {axis} {locked}")?;
            }
        }
        for gates in self.gates.chunk_by(|one, other| one.piece == other.piece) {
            write!(f, "gate: {} at", gates[0].piece)?;
            gates
                .iter()
                .try_for_each(|gate| write!(f, " {}", self.board.coordinates(gate.cell)))?;
            writeln!(f)?;
        }
        Ok(())
    }
}

fn check_cells(board: &Board) -> Result<(), Fault> {
    let cells = board.cells();
    let open = cells.iter().filter(|&&cell| cell != WALL).count();
    if open > MAX_CELLS {
        return Fault::new(
            FaultLocation::Cell(0),
            format!("{open} cells that are not walls"),
            format!("at most {MAX_CELLS}"),
        );
    }
    Ok(())
}

/// What a message reports as found and expected if a piece is not on the board.
pub(crate) fn missing_piece(board: &Board, piece: char) -> (String, String) {
    let pieces: String = board.pieces().into_iter().collect();
    let expected = match pieces.as_str() {
        "" => "a board with pieces".to_owned(),
        pieces => format!("a piece on the board: {}", quote(pieces)),
    };
    (describe_piece(piece), expected)
}

fn check_goals(board: &Board, goals: &[Goal]) -> Result<(), Fault> {
    let mut taken: Vec<(usize, char)> = Vec::new();
    for (number, &Goal { piece, first }) in goals.iter().enumerate() {
        let location = FaultLocation::Goal(number);
        let cells = board.cells_of(piece);
        if cells.is_empty() {
            let (found, expected) = missing_piece(board, piece);
            return Fault::new(location, found, expected);
        }
        if goals[..number].iter().any(|other| other.piece == piece) {
            return Fault::new(
                location,
                format!("a second goal for {}", describe_piece(piece)),
                "only one goal per piece",
            );
        }
        let Some(target) = board.translated(&cells, first) else {
            let found =
                format!("a goal for {} that is not within the board", describe_piece(piece));
            return Fault::new(
                location,
                found,
                "a row and column of its first cell that put all its cells within the board",
            );
        };
        for cell in target {
            if let Some(&(_, other)) = taken.iter().find(|&&(taken, _)| taken == cell) {
                let found = format!(
                    "goals for {} and {} that overlap at {}",
                    describe_piece(other),
                    describe_piece(piece),
                    board.coordinates(cell)
                );
                return Fault::new(location, found, "goals that do not overlap");
            }
            taken.push((cell, piece));
        }
    }
    Ok(())
}

fn classic_goal(board: &Board) -> Result<Goal, Fault> {
    Ok(Goal { piece: classic_large(board)?, first: EXIT })
}

/// The 2x2 piece of a board of 5 x 4 cells with one 2x2 piece, dominoes, singles and blanks.
fn classic_large(board: &Board) -> Result<char, Fault> {
    const HINT: &str = "any other board needs a goal on a line below it, such as `goal: A at 4,2`";
    find_classic_large(board).map_err(|fault| Fault { hint: Some(HINT), ..fault })
}

fn find_classic_large(board: &Board) -> Result<char, Fault> {
    if (board.rows(), board.columns()) != (ROWS, COLUMNS) {
        let found = format!("a board of {}", describe_size(board));
        return Fault::new(
            FaultLocation::Cell(0),
            found,
            format!("{ROWS} rows of {COLUMNS} characters"),
        );
    }
    if let Some(wall) = board.cells().iter().position(|&cell| cell == WALL) {
        return Fault::new(FaultLocation::Cell(wall), "a wall", "blanks and pieces");
    }
    let mut large = None;
    for piece in board.pieces() {
        let cells = board.cells_of(piece);
        match shape_of(&cells) {
            None => {
                let found = format!(
                    "{} of {} in another shape",
                    describe_piece(piece),
                    counted(cells.len(), "cell")
                );
                let expected = "a piece of 1x1, 1x2, 2x1 or 2x2 cells";
                return Fault::new(FaultLocation::Cell(cells[0]), found, expected);
            }
            Some((2, 2)) => {
                if let Some(other) = large.replace(piece) {
                    let found = format!("a second 2x2, {}", describe_piece(piece));
                    return Fault::new(
                        FaultLocation::Cell(cells[0]),
                        found,
                        format!("only one 2x2, {}", describe_piece(other)),
                    );
                }
            }
            Some(_) => {}
        }
    }
    large.map_or_else(|| Fault::new(FaultLocation::Cell(0), "no 2x2 piece", "one"), Ok)
}

/// The numbers of rows and columns of a board, in words.
pub(crate) fn describe_size(board: &Board) -> String {
    format!("{} and {}", counted(board.rows(), "row"), counted(board.columns(), "column"))
}

/// A number and a noun in the singular or plural.
fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
