//! Reads puzzles from text: a board in one of several notations, followed by goals and locks.
//!
//! A board is one of these:
//!
//! - rows on lines of their own,
//! - rows on one line, separated by `/`,
//! - a [Rush Hour line](rush_hour),
//! - a [`code`] or a short code, alone on a line,
//! - the name of a [built-in layout](crate::builtin), alone on a line.
//!
//! Goals and locks may follow on the lines below it. Without a goal, it is the classic puzzle or
//! Rush Hour.
//!
//! ```
//! use fewest_klotski::Instance;
//!
//! let read = |text: &str| Instance::read(text.as_bytes()).next().unwrap().unwrap();
//! let layout = read("aCCb\naCCb\ncdde\ncfge\nh..i\n");
//! for same in ["aCCb/aCCb/cdde/cfge/h..i", "1A9BF0C", "4WVE1", "横刀立马", "heng-dao-li-ma"] {
//!     assert_eq!(read(same), layout);
//! }
//! assert_eq!(read("1A9BF0C\ngoal: C at 4,2"), layout);
//! assert_eq!(layout.code().as_deref(), Some("1A9BF0C"));
//! assert_eq!(
//!     read("AAb/A.b/...\ngoal:\n.../.AA/.A.\nlock: along b"),
//!     read("AAb/A.b/...\ngoal: A at 2,2\nlock: vertical b"),
//! );
//! ```

use std::fmt;
use std::str::FromStr;

use fewest_geometry::Direction;
use fewest_rules::builtin::{self, Builtin};
use fewest_rules::text::{Diagnostic, Line, Lines, data_sets, number, quote};

use crate::board::{BLANK, Board, WALL};
use crate::builtin::BUILTINS;
use crate::instance::{
    Axis, Fault, FaultLocation, Goal, Instance, Lock, describe_piece, describe_size, missing_piece,
};
use crate::layout::{COLUMNS, ROWS};
use crate::rush_hour::line::Drawing;
use crate::{code, rush_hour, short_code};

/// What a message expects in place of a data set.
const DATA_SET_FORMS: &str = "a board, a code or a name";

/// The greatest number of rows of a board.
const MAX_ROWS: usize = 256;

/// The goal of a piece as a user writes it: `A at 4,2` is the row and column of the first cell of
/// piece `A`, in reading order. It is not bound to a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The piece.
    pub piece: char,
    /// The row of its first cell, from 1.
    pub row: usize,
    /// The column of its first cell, from 1.
    pub column: usize,
}

/// The error for a text that is not a [`Target`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {TARGET}")]
pub struct ParseTargetError;

const TARGET: &str = "a piece and the row and column of its first cell, such as `A at 4,2`";

impl FromStr for Target {
    type Err = ParseTargetError;

    fn from_str(text: &str) -> Result<Self, ParseTargetError> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let [piece, "at", cell] = words[..] else { return Err(ParseTargetError) };
        let mut characters = piece.chars();
        let (Some(piece), None) = (characters.next(), characters.next()) else {
            return Err(ParseTargetError);
        };
        let (row, column) = cell.split_once(',').ok_or(ParseTargetError)?;
        let from_one = |digits| number(digits).filter(|&number| number > 0).ok_or(ParseTargetError);
        Ok(Self { piece, row: from_one(row)?, column: from_one(column)? })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { piece, row, column } = self;
        write!(f, "{piece} at {row},{column}")
    }
}

impl Target {
    /// The goal on a board; `None` if its first cell is not within the board.
    fn goal_on(self, board: &Board) -> Option<Goal> {
        let Self { piece, row, column } = self;
        let inside = row <= board.rows() && column <= board.columns();
        inside.then(|| Goal { piece, first: (row - 1) * board.columns() + column - 1 })
    }
}

impl Instance {
    /// Reads the data sets of a text, one at a time. An error is the last item.
    ///
    /// # Errors
    /// If a data set is invalid, if a line is not UTF-8, or if the text has no data set.
    pub fn read(text: &[u8]) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        Self::read_with_goals(text, &[])
    }

    /// Reads the data sets of a text as [`read`](Self::read) does, but with the goals `targets`
    /// instead of their own, unless `targets` is empty.
    ///
    /// # Errors
    /// The same as [`read`](Self::read), and if a target is not valid on a board.
    pub fn read_with_goals(
        text: &[u8],
        targets: &[Target],
    ) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        data_sets(text, DATA_SET_FORMS, |line, lines| data_set(line, lines, targets).map(Some))
    }

    /// Whether a word looks like a puzzle, valid or not: a code, a Rush Hour line, or rows
    /// separated by `/` or line breaks. Names are not among them.
    pub fn is_word(word: &str) -> bool {
        let mut rows = word.split(['/', '\n']).map(|row| row.chars().count());
        let (first, second) = (rows.next(), rows.next());
        is_code(word)
            || rush_hour::line::split_published(word).is_some()
            || rush_hour::line::is_almost_line(word)
            || second.is_some() && first == second
    }
}

/// The parts of a puzzle, with their positions in the text.
struct LocatedParts<'a> {
    drawing: Drawing<'a>,
    goals: Vec<Located<'a, Goal>>,
    locks: Vec<Located<'a, Lock>>,
}

/// A part of a puzzle that starts at byte `at` of `line`.
struct Located<'a, T> {
    line: Line<'a>,
    at: usize,
    part: T,
}

impl<'a> LocatedParts<'a> {
    /// `targets` are the goals if they come from an option.
    fn into_instance(self, targets: &[Target]) -> Result<Instance, Diagnostic> {
        let Self { drawing: Drawing { board, positions }, goals, locks } = self;
        let parts = (
            goals.iter().map(|goal| goal.part).collect(),
            locks.iter().map(|lock| lock.part).collect(),
        );
        Instance::new(board, parts.0, parts.1).map_err(|fault| {
            let Fault { location, found, expected, hint } = fault;
            let (line, offset) = match location {
                FaultLocation::Cell(cell) => positions[cell],
                FaultLocation::Goal(goal) if goal < targets.len() => {
                    return Diagnostic::of_option("--goal", targets[goal], found, expected);
                }
                FaultLocation::Goal(goal) => {
                    goals.get(goal).map_or(positions[0], |goal| (goal.line, goal.at))
                }
                FaultLocation::Lock(lock) => (locks[lock].line, locks[lock].at),
            };
            line.wrong(offset, found, expected).hinting(hint.map(str::to_owned))
        })
    }
}

/// Reads a data set that starts on `line`. Goals from `targets` replace its own.
fn data_set<'a>(
    line: Line<'a>,
    lines: &mut Lines<'a>,
    targets: &[Target],
) -> Result<Instance, Diagnostic> {
    let (at, word) = (line.start(), line.text.trim_ascii());
    let (mut goals, mut locks, mut published) = (Vec::new(), Vec::new(), None);
    let drawing = if let Some(builtin) = builtin_named(word) {
        rows_on_one_line(Line { text: builtin.text, ..line }, 0, builtin.text)?
    } else if word.contains('/') {
        rows_on_one_line(line, at, word)?
    } else if let Some((cars, numbers)) = rush_hour::line::split_published(word) {
        published = numbers;
        let at = at + word.find(cars).unwrap_or(0);
        let (drawing, goal, car_locks) = rush_hour::line::read(line, at, cars)?;
        goals.push(Located { line, at, part: goal });
        locks.extend(car_locks.into_iter().map(|part| Located { line, at, part }));
        drawing
    } else if let Some(count) = board_row_count(line, lines, !targets.is_empty()) {
        rows_on_lines(line, lines, count)?
    } else if is_code(word) {
        let is_short = short_code::looks_like_short_code(word);
        let decode = if is_short { short_code::decode } else { code::decode };
        let board = decode(line, at, word)?;
        let positions = vec![(line, at); board.cells().len()];
        Drawing { board, positions }
    } else {
        let near = builtin::did_you_mean(BUILTINS, word);
        let hint = near.or_else(|| rush_hour::line::hint(word));
        return Err(line
            .wrong(at, quote(word), "rows of a board, a code, or a name")
            .hinting(hint));
    };
    for piece in drawing.board.pieces() {
        if let Some(wall) = find_cutting_wall(&drawing.board, &drawing.board.cells_of(piece)) {
            let (line, at) = drawing.positions[wall];
            let found = format!("a wall that cuts {}", describe_piece(piece));
            return Err(line.wrong(at, found, "no wall between the cells of a piece"));
        }
    }
    let (mut own_goals, mut own_locks) = directives(&drawing.board, lines)?;
    if !targets.is_empty() {
        own_goals.clear();
        for target in targets {
            let outside = || {
                let Target { row, column, .. } = target;
                let found = format!("row {row}, column {column}");
                let expected = format!("a cell of a board of {}", describe_size(&drawing.board));
                Diagnostic::of_option("--goal", target, found, expected)
            };
            own_goals.push(Located {
                line,
                at,
                part: target.goal_on(&drawing.board).ok_or_else(outside)?,
            });
        }
    }
    // Goals and locks below a Rush Hour line replace those that the line implies.
    if own_goals.is_empty() {
        own_goals = goals;
    }
    if own_locks.is_empty() {
        own_locks.append(&mut locks);
    }
    let parts = LocatedParts { drawing, goals: own_goals, locks: own_locks };
    Ok(parts.into_instance(targets)?.with_published(published))
}

/// The first wall of a stretch of walls between two cells of a piece in one row or column.
///
/// Such a drawing is probably a mistake, so it is refused. A piece of several parts may still move
/// to such cells.
fn find_cutting_wall(board: &Board, cells: &[usize]) -> Option<usize> {
    let wall = |&cell: &usize, direction| {
        let ahead = std::iter::successors(board.neighbour(cell, direction), |&next| {
            board.neighbour(next, direction)
        });
        let between: Vec<usize> = ahead.take_while(|next| !cells.contains(next)).collect();
        let end = board.neighbour(*between.last()?, direction)?;
        (cells.contains(&end) && between.iter().all(|&cell| board.cells()[cell] == WALL))
            .then(|| between[0])
    };
    cells
        .iter()
        .find_map(|cell| wall(cell, Direction::East).or_else(|| wall(cell, Direction::South)))
}

fn builtin_named(word: &str) -> Option<&'static Builtin> {
    builtin::find(BUILTINS, word)
}

/// The number of characters on a line, without surrounding white space.
fn width(line: Line<'_>) -> usize {
    line.text.trim_ascii().chars().count()
}

/// The words that start a directive, which is a line below a board.
const GOAL: &str = "goal:";
const LOCK: &str = "lock:";

fn is_directive(line: Line<'_>) -> bool {
    [GOAL, LOCK].iter().any(|word| line.text.trim_ascii().starts_with(word))
}

/// The number of rows of a board on lines of its own that starts on `line`; `None` if no such board
/// starts there.
///
/// The rows are all lines before a directive; or else five lines of four characters, or all lines
/// before the next blank line. `has_targets` means that the board needs no directive for its goals.
fn board_row_count(line: Line<'_>, lines: &Lines<'_>, has_targets: bool) -> Option<usize> {
    let ahead = || lines.clone().map_while(Result::ok).take(MAX_ROWS);
    let more: Vec<Line<'_>> =
        ahead().take_while(|line| !line.is_blank() && !is_directive(*line)).collect();
    let (columns, word) = (width(line), line.text.trim_ascii());
    let same_width = more.iter().take_while(|line| width(**line) == columns);
    let is_name = |line: &Line<'_>| builtin_named(line.text.trim_ascii()).is_some();
    let rows = 1 + same_width.take_while(|line| !is_name(line)).count();
    // Several classic boards may follow one another, with or without targets.
    let are_classic_boards = columns == COLUMNS && rows.is_multiple_of(ROWS);
    let has_goals =
        has_targets && !are_classic_boards || ahead().nth(more.len()).is_some_and(is_directive);
    let resembles_name = || builtin::did_you_mean(BUILTINS, word).is_some();
    let has_blank_or_wall = |line: &Line<'_>| line.text.contains([BLANK, WALL]);
    let is_board = match () {
        () if rows == 1 && is_code(word) => false,
        () if has_goals => true,
        // Fewer rows than a classic board has are an incomplete board, unless the first one looks
        // like a code or a name.
        () if columns == COLUMNS => rows >= ROWS || rows > 1 && !is_code(word) && !resembles_name(),
        () => rows > 1 && [line].iter().chain(&more).any(has_blank_or_wall),
    };
    let count = 1 + more.len();
    is_board.then_some(if has_goals || columns != COLUMNS { count } else { count.min(ROWS) })
}

/// Whether a word looks like a code or a short code, valid or not.
fn is_code(word: &str) -> bool {
    code::looks_like_code(word) || short_code::looks_like_short_code(word)
}

/// Reads a board of `count` rows on lines of their own.
fn rows_on_lines<'a>(
    first: Line<'a>,
    lines: &mut Lines<'a>,
    count: usize,
) -> Result<Drawing<'a>, Diagnostic> {
    let mut rows = vec![first];
    for line in lines.take(count - 1) {
        rows.push(line?);
    }
    drawing(rows.into_iter().map(|line| (line, line.start(), line.text.trim_ascii())))
}

/// Reads a board of rows on one line, which start at byte `at` of `line`.
fn rows_on_one_line<'a>(
    line: Line<'a>,
    mut at: usize,
    text: &'a str,
) -> Result<Drawing<'a>, Diagnostic> {
    drawing(text.split('/').map(|row| {
        let start = at;
        at += row.len() + 1;
        (line, start, row)
    }))
}

/// Reads a board from its rows, each with its line and the byte at which it starts there.
fn drawing<'a>(
    rows: impl Iterator<Item = (Line<'a>, usize, &'a str)>,
) -> Result<Drawing<'a>, Diagnostic> {
    let (mut cells, mut positions, mut columns) = (Vec::new(), Vec::new(), 0);
    for (number, (line, at, row)) in rows.enumerate() {
        let width = row.chars().count();
        if number == 0 {
            columns = width;
        }
        if number == MAX_ROWS {
            return Err(line.wrong(
                at,
                format!("row {}", number + 1),
                format!("at most {MAX_ROWS} rows"),
            ));
        }
        if width == 0 || width != columns {
            let found = if row.is_empty() { "an empty row".to_owned() } else { quote(row) };
            let length = if number == 0 {
                "at least one character".to_owned()
            } else {
                format!("{columns} characters")
            };
            return Err(line.wrong(at, found, format!("row {} of {length}", number + 1)));
        }
        for (offset, cell) in row.char_indices() {
            if cell.is_whitespace() || cell.is_control() {
                let found = quote(cell.encode_utf8(&mut [0; 4]));
                return Err(line.wrong(
                    at + offset,
                    found,
                    "`.` for a blank, `#` for a wall, or the character of a piece",
                ));
            }
            cells.push(cell);
            positions.push((line, at + offset));
        }
    }
    Ok(Drawing { board: Board::of_cells(columns, cells), positions })
}

type Directives<'a> = (Vec<Located<'a, Goal>>, Vec<Located<'a, Lock>>);

/// Reads the directives below a board: its goals and locks.
fn directives<'a>(board: &Board, lines: &mut Lines<'a>) -> Result<Directives<'a>, Diagnostic> {
    let (mut goals, mut locks) = (Vec::new(), Vec::new());
    while let Some(Ok(line)) =
        lines.clone().next().filter(|line| line.as_ref().is_ok_and(|line| is_directive(*line)))
    {
        lines.next();
        let start = line.start();
        let (word, argument) =
            (line.text.trim_ascii(), line.text[start + GOAL.len()..].trim_ascii());
        let at = start + (word.len() - argument.len());
        if word.starts_with(LOCK) {
            locks.extend(read_locks(board, line, at, argument)?);
        } else if argument.is_empty() {
            goals.extend(read_drawn_goals(board, line, lines)?);
        } else {
            let wrong = |expected: String| line.wrong(at, quote(argument), expected);
            let target: Target =
                argument.parse().map_err(|ParseTargetError| wrong(TARGET.to_owned()))?;
            let valid_range = || {
                format!(
                    "a row from 1 to {} and a column from 1 to {}",
                    board.rows(),
                    board.columns()
                )
            };
            goals.push(Located {
                line,
                at,
                part: target.goal_on(board).ok_or_else(|| wrong(valid_range()))?,
            });
        }
    }
    Ok((goals, locks))
}

/// Reads goals from the drawing below a line `goal:`.
fn read_drawn_goals<'a>(
    board: &Board,
    goal: Line<'a>,
    lines: &mut Lines<'a>,
) -> Result<Vec<Located<'a, Goal>>, Diagnostic> {
    let expected = || format!("a drawing of {} with pieces on their goals", describe_size(board));
    let Some(first) = lines.next().transpose()?.filter(|line| !line.is_blank()) else {
        return Err(goal.wrong(goal.start(), "a goal without a drawing", expected()));
    };
    let text = first.text.trim_ascii();
    let Drawing { board: drawn, positions } = if text.contains('/') {
        rows_on_one_line(first, first.start(), text)?
    } else {
        let rest = lines
            .clone()
            .map_while(Result::ok)
            .take_while(|line| !line.is_blank() && !is_directive(*line));
        let count = 1 + rest.take(board.rows() - 1).count();
        rows_on_lines(first, lines, count)?
    };
    if (drawn.rows(), drawn.columns()) != (board.rows(), board.columns()) {
        let found = format!("a drawing of {}", describe_size(&drawn));
        return Err(positions[0].0.wrong(positions[0].1, found, expected()));
    }
    let is_new_wall = |&cell: &usize| drawn.cells()[cell] == WALL && board.cells()[cell] != WALL;
    if let Some(cell) = (0..drawn.cells().len()).find(is_new_wall) {
        let (line, at) = positions[cell];
        return Err(line.wrong(at, "a wall that the board does not have", "`.` or a piece"));
    }
    let mut goals = Vec::new();
    for piece in drawn.pieces() {
        let (cells, target) = (board.cells_of(piece), drawn.cells_of(piece));
        let (line, at) = positions[target[0]];
        // `Instance::new` reports a piece that is not on the board.
        if !cells.is_empty() && board.translated(&cells, target[0]).as_ref() != Some(&target) {
            let found = format!("a goal for {} in another shape", describe_piece(piece));
            let expected = format!(
                "its shape on the board, where its first cell is at {}",
                board.coordinates(cells[0])
            );
            return Err(line.wrong(at, found, expected));
        }
        goals.push(Located { line, at, part: Goal { piece, first: target[0] } });
    }
    match goals.is_empty() {
        true => {
            Err(positions[0].0.wrong(positions[0].1, "a goal drawing without a piece", expected()))
        }
        false => Ok(goals),
    }
}

/// Reads the locks of a directive: an axis or `along`, and the pieces; all pieces if none is given.
fn read_locks<'a>(
    board: &Board,
    line: Line<'a>,
    at: usize,
    argument: &'a str,
) -> Result<Vec<Located<'a, Lock>>, Diagnostic> {
    let word = argument.split_ascii_whitespace().next().unwrap_or_default();
    let axis = match word {
        "horizontal" => Some(Axis::Horizontal),
        "vertical" => Some(Axis::Vertical),
        "along" => None,
        _ => {
            return Err(line.wrong(
                at,
                quote(word),
                "`horizontal`, `vertical` or `along`, and the pieces",
            ));
        }
    };
    let names = &argument[word.len()..];
    let start = at + word.len();
    let listed: Vec<(usize, char)> =
        names.char_indices().filter(|(_, name)| !name.is_whitespace()).collect();
    let pieces = if listed.is_empty() {
        board.pieces().into_iter().map(|piece| (at, piece)).collect()
    } else {
        listed.into_iter().map(|(offset, piece)| (start + offset, piece)).collect::<Vec<_>>()
    };
    let lock = |(at, piece): (usize, char)| {
        let cells = board.cells_of(piece);
        if cells.is_empty() {
            let (found, expected) = missing_piece(board, piece);
            return Err(line.wrong(at, found, expected));
        }
        let no_longer_axis = || {
            line.wrong(
                at,
                format!("{}, which is as tall as it is wide", describe_piece(piece)),
                "`horizontal` or `vertical` instead of `along`",
            )
        };
        let axis = axis.or_else(|| Axis::longer(board, &cells)).ok_or_else(no_longer_axis)?;
        Ok(Located { line, at, part: Lock { piece, axis } })
    };
    pieces.into_iter().map(lock).collect()
}
