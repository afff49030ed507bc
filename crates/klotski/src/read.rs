//! Puzzles from text: a board in any of its forms, then its goals and locks.
//!
//! A board is rows on lines of their own, or on one line with `/` between them; a Rush Hour line
//! (see [`rush_hour`]); or a code (see [`code`]) or a name, alone on a line. Below it may stand
//! goals and locks. Without a goal it is the classic puzzle, or Rush Hour.
//!
//! ```
//! use fewest_klotski::Instance;
//!
//! let read = |text: &str| Instance::read(text.as_bytes()).next().unwrap().unwrap();
//! let layout = read("aCCb\naCCb\ncdde\ncfge\nh..i\n");
//! for same in ["aCCb/aCCb/cdde/cfge/h..i", "1A9BF0C", "横刀立马", "heng-dao-li-ma", "1A9BF0C\ngoal: C at 4,2"] {
//!     assert_eq!(read(same), layout);
//! }
//! assert_eq!(layout.code().as_deref(), Some("1A9BF0C"));
//! assert_eq!(read("AAb/A.b/...\ngoal:\n.../.AA/.A.\nlock: along b"), read("AAb/A.b/...\ngoal: A at 2,2\nlock: vertical b"));
//! ```

use std::str::FromStr;

use fewest_core::builtin::{self, Builtin};
use fewest_core::grid::Direction;
use fewest_core::text::{Diagnostic, Line, Lines, data_sets, number, quote};

use crate::board::{BLANK, Board, WALL};
use crate::builtin::BUILTINS;
use crate::instance::{At, Axis, COLUMNS, Fault, Goal, Instance, Lock, ROWS, extent, no_piece};
use crate::{code, instance, rush_hour};

/// What a text may hold.
const FORMS: &str = "a board, a code or a name";

/// The most rows of a board.
const MOST_ROWS: usize = 256;

/// Where a piece is to be, as a user says it: `A at 4,2`, the row and column of its first cell in
/// reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The piece.
    pub piece: char,
    /// From 1.
    pub row: usize,
    /// From 1.
    pub column: usize,
}

/// The text does not say a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {TARGET}")]
pub struct NoTarget;

const TARGET: &str = "a piece and the row and column of its first cell, such as `A at 4,2`";

impl FromStr for Target {
    type Err = NoTarget;

    fn from_str(text: &str) -> Result<Self, NoTarget> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let [piece, "at", place] = words[..] else { return Err(NoTarget) };
        let mut characters = piece.chars();
        let (Some(piece), None) = (characters.next(), characters.next()) else {
            return Err(NoTarget);
        };
        let (row, column) = place.split_once(',').ok_or(NoTarget)?;
        let from_one = |digits| number(digits).filter(|&number| number > 0).ok_or(NoTarget);
        Ok(Self { piece, row: from_one(row)?, column: from_one(column)? })
    }
}

impl Target {
    fn on(self, board: &Board) -> Option<Goal> {
        let Self { piece, row, column } = self;
        let inside = row <= board.rows() && column <= board.columns();
        inside.then(|| Goal { piece, first: (row - 1) * board.columns() + column - 1 })
    }
}

impl Instance {
    /// The data sets of a text, each read in its turn; an error is the last.
    pub fn read(text: &[u8]) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        Self::read_with_goals(text, &[])
    }

    /// The same, with these goals for all of them instead of their own, if there are any.
    pub fn read_with_goals(
        text: &[u8],
        targets: &[Target],
    ) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        data_sets(text, FORMS, |line, lines| data_set(line, lines, targets).map(Some))
    }

    /// Whether a word is a puzzle by itself, a code, a Rush Hour line or rows with `/` or line
    /// breaks between them; or is meant to be one.
    pub fn is_word(word: &str) -> bool {
        let mut rows = word.split(['/', '\n']).map(|row| row.chars().count());
        let (first, second) = (rows.next(), rows.next());
        code::is_meant(word) || rush_hour::is_meant(word) || second.is_some() && first == second
    }
}

/// A board with the place of each of its cells in the text.
pub(crate) struct Drawing<'a> {
    pub(crate) board: Board,
    pub(crate) places: Vec<(Line<'a>, usize)>,
}

/// The parts of a puzzle, with the places of its goals and locks.
struct Parts<'a> {
    drawing: Drawing<'a>,
    goals: Vec<Placed<'a, Goal>>,
    locks: Vec<Placed<'a, Lock>>,
}

struct Placed<'a, T> {
    line: Line<'a>,
    at: usize,
    part: T,
}

impl<'a> Parts<'a> {
    fn into_instance(self) -> Result<Instance, Diagnostic> {
        let Self { drawing: Drawing { board, places }, goals, locks } = self;
        let parts = (
            goals.iter().map(|goal| goal.part).collect(),
            locks.iter().map(|lock| lock.part).collect(),
        );
        Instance::new(board, parts.0, parts.1).map_err(|Fault { at, found, expected, hint }| {
            let (line, offset) = match at {
                At::Cell(cell) => places[cell],
                At::Goal(goal) => goals.get(goal).map_or(places[0], |goal| (goal.line, goal.at)),
                At::Lock(lock) => (locks[lock].line, locks[lock].at),
            };
            line.wrong(offset, found, expected).hinting(hint.map(str::to_owned))
        })
    }
}

fn data_set<'a>(
    line: Line<'a>,
    lines: &mut Lines<'a>,
    targets: &[Target],
) -> Result<Instance, Diagnostic> {
    let (at, word) = (line.start(), line.text.trim_ascii());
    let (mut goals, mut locks) = (Vec::new(), Vec::new());
    let drawing = if let Some(builtin) = named(word) {
        on_one_line(Line { text: builtin.text, ..line }, 0, builtin.text)?
    } else if word.contains('/') {
        on_one_line(line, at, word)?
    } else if rush_hour::is_meant(word) {
        let (drawing, goal, along) = rush_hour::read(line, at, word)?;
        goals.push(Placed { line, at, part: goal });
        locks.extend(along.into_iter().map(|part| Placed { line, at, part }));
        drawing
    } else if let Some(count) = rows_of_a_board(line, lines, !targets.is_empty()) {
        on_lines(line, lines, count)?
    } else if code::is_meant(word) {
        let board = code::decode(line, at, word)?;
        let places = vec![(line, at); board.cells().len()];
        Drawing { board, places }
    } else {
        let near = builtin::did_you_mean(BUILTINS, word);
        return Err(line
            .wrong(at, quote(word), "rows of a board, a code, or a name")
            .hinting(near));
    };
    for piece in drawing.board.pieces() {
        if let Some(wall) = cutting_wall(&drawing.board, &drawing.board.cells_of(piece)) {
            let (line, at) = drawing.places[wall];
            let found = format!("a wall that cuts {}", instance::named(piece));
            return Err(line.wrong(at, found, "pieces that have no wall between their cells"));
        }
    }
    let (mut own_goals, mut own_locks) = directives(&drawing.board, lines)?;
    if !targets.is_empty() {
        own_goals.clear();
        for target in targets {
            let out = || {
                let Target { piece, row, column } = target;
                line.wrong(
                    at,
                    format!("a board that the goal `{piece} at {row},{column}` is not on"),
                    "a larger one",
                )
            };
            own_goals.push(Placed { line, at, part: target.on(&drawing.board).ok_or_else(out)? });
        }
    }
    // What is said below a Rush Hour line goes before what the line means by itself.
    if own_goals.is_empty() {
        own_goals = goals;
    }
    if own_locks.is_empty() {
        own_locks.append(&mut locks);
    }
    Parts { drawing, goals: own_goals, locks: own_locks }.into_instance()
}

/// A wall in a gap between two cells of a piece that stand in one row or column: drawn so, a piece
/// is a mistake, even if one in parts may come to stand on both sides of a wall.
fn cutting_wall(board: &Board, cells: &[usize]) -> Option<usize> {
    let gap = |&cell: &usize, way| {
        let beyond =
            std::iter::successors(board.neighbour(cell, way), |&next| board.neighbour(next, way));
        let gap: Vec<usize> = beyond.take_while(|next| !cells.contains(next)).collect();
        let end = board.neighbour(*gap.last()?, way)?;
        (cells.contains(&end) && gap.iter().all(|&cell| board.cells()[cell] == WALL))
            .then(|| gap[0])
    };
    cells.iter().find_map(|cell| gap(cell, Direction::East).or_else(|| gap(cell, Direction::South)))
}

fn named(word: &str) -> Option<&'static Builtin> {
    builtin::find(BUILTINS, word)
}

fn width(line: Line<'_>) -> usize {
    line.text.trim_ascii().chars().count()
}

/// What begins a line below a board.
const GOAL: &str = "goal:";
const LOCK: &str = "lock:";

fn is_directive(line: Line<'_>) -> bool {
    [GOAL, LOCK].iter().any(|word| line.text.trim_ascii().starts_with(word))
}

/// How many rows there are from `line` on, if it begins a board: all lines to a goal or lock; else
/// five of four characters, or all to the next blank line. `goals_elsewhere` says that the board
/// needs no line for its goals.
fn rows_of_a_board(line: Line<'_>, lines: &Lines<'_>, goals_elsewhere: bool) -> Option<usize> {
    let ahead = || lines.clone().map_while(Result::ok).take(MOST_ROWS);
    let more: Vec<Line<'_>> =
        ahead().take_while(|line| !line.is_blank() && !is_directive(*line)).collect();
    let (columns, word) = (width(line), line.text.trim_ascii());
    let alike = more.iter().take_while(|line| width(**line) == columns);
    let rows = 1 + alike.take_while(|line| named(line.text.trim_ascii()).is_none()).count();
    // Classic boards may follow one another, wherever their goals come from.
    let classics = columns == COLUMNS && rows.is_multiple_of(ROWS);
    let directed =
        goals_elsewhere && !classics || ahead().nth(more.len()).is_some_and(is_directive);
    let near = || builtin::did_you_mean(BUILTINS, word);
    let in_row = |line: &Line<'_>| line.text.contains([BLANK, WALL]);
    let is_board = match () {
        () if rows == 1 && code::is_meant(word) => false,
        () if directed => true,
        // Fewer rows than the classic board has are a board that is cut, unless they look like what
        // stands alone.
        () if columns == COLUMNS => {
            rows >= ROWS || rows > 1 && !code::is_meant(word) && near().is_none()
        }
        () => rows > 1 && [line].iter().chain(&more).any(in_row),
    };
    let count = 1 + more.len();
    is_board.then_some(if directed || columns != COLUMNS { count } else { count.min(ROWS) })
}

fn on_lines<'a>(
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

fn on_one_line<'a>(
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

/// The board of these rows, each with the line that it is on and where it starts there.
fn drawing<'a>(
    rows: impl Iterator<Item = (Line<'a>, usize, &'a str)>,
) -> Result<Drawing<'a>, Diagnostic> {
    let (mut cells, mut places, mut columns) = (Vec::new(), Vec::new(), 0);
    for (number, (line, at, row)) in rows.enumerate() {
        let width = row.chars().count();
        if number == 0 {
            columns = width;
        }
        if number == MOST_ROWS {
            return Err(line.wrong(
                at,
                format!("row {}", number + 1),
                format!("at most {MOST_ROWS} rows"),
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
            places.push((line, at + offset));
        }
    }
    Ok(Drawing { board: Board::of_cells(columns, cells), places })
}

type Directives<'a> = (Vec<Placed<'a, Goal>>, Vec<Placed<'a, Lock>>);

/// Takes the lines below a board that say goals and locks.
fn directives<'a>(board: &Board, lines: &mut Lines<'a>) -> Result<Directives<'a>, Diagnostic> {
    let (mut goals, mut locks) = (Vec::new(), Vec::new());
    while let Some(Ok(line)) =
        lines.clone().next().filter(|line| line.as_ref().is_ok_and(|line| is_directive(*line)))
    {
        lines.next();
        let start = line.start();
        let (word, said) = (line.text.trim_ascii(), line.text[start + GOAL.len()..].trim_ascii());
        let at = start + (word.len() - said.len());
        if word.starts_with(LOCK) {
            locks.extend(lock(board, line, at, said)?);
        } else if said.is_empty() {
            goals.extend(drawn_goals(board, line, lines)?);
        } else {
            let wrong = |expected: String| line.wrong(at, quote(said), expected);
            let target: Target = said.parse().map_err(|NoTarget| wrong(TARGET.to_owned()))?;
            let size = || {
                format!(
                    "a row from 1 to {} and a column from 1 to {}",
                    board.rows(),
                    board.columns()
                )
            };
            goals.push(Placed { line, at, part: target.on(board).ok_or_else(|| wrong(size()))? });
        }
    }
    Ok((goals, locks))
}

/// The goals of a second drawing below the line `goal:`.
fn drawn_goals<'a>(
    board: &Board,
    goal: Line<'a>,
    lines: &mut Lines<'a>,
) -> Result<Vec<Placed<'a, Goal>>, Diagnostic> {
    let missing = || format!("a board of {} with the pieces where they should be", extent(board));
    let Some(first) = lines.next().transpose()?.filter(|line| !line.is_blank()) else {
        return Err(goal.wrong(goal.start(), "a goal without a drawing", missing()));
    };
    let text = first.text.trim_ascii();
    let Drawing { board: drawn, places } = if text.contains('/') {
        on_one_line(first, first.start(), text)?
    } else {
        let rest = lines
            .clone()
            .map_while(Result::ok)
            .take_while(|line| !line.is_blank() && !is_directive(*line));
        let count = 1 + rest.take(board.rows() - 1).count();
        on_lines(first, lines, count)?
    };
    if (drawn.rows(), drawn.columns()) != (board.rows(), board.columns()) {
        let found = format!("a drawing of {}", extent(&drawn));
        return Err(places[0].0.wrong(places[0].1, found, missing()));
    }
    let differs = |&cell: &usize| drawn.cells()[cell] == WALL && board.cells()[cell] != WALL;
    if let Some(cell) = (0..drawn.cells().len()).find(differs) {
        let (line, at) = places[cell];
        return Err(line.wrong(
            at,
            "a wall in a goal that the board does not have",
            "`.` or a piece",
        ));
    }
    let mut goals = Vec::new();
    for piece in drawn.pieces() {
        let (cells, target) = (board.cells_of(piece), drawn.cells_of(piece));
        let (line, at) = places[target[0]];
        // A piece that the board does not have is named later, with those that it has.
        if !cells.is_empty() && board.moved(&cells, target[0]).as_ref() != Some(&target) {
            let found =
                format!("a goal for piece {} that has another shape", quote(&piece.to_string()));
            let expected = format!(
                "its shape on the board, where its first cell is at {}",
                board.place(cells[0])
            );
            return Err(line.wrong(at, found, expected));
        }
        goals.push(Placed { line, at, part: Goal { piece, first: target[0] } });
    }
    match goals.is_empty() {
        true => {
            Err(places[0].0.wrong(places[0].1, "a drawing of a goal without a piece", missing()))
        }
        false => Ok(goals),
    }
}

/// The locks of a line: an axis, or `along`, and the pieces, all if none is named.
fn lock<'a>(
    board: &Board,
    line: Line<'a>,
    at: usize,
    said: &'a str,
) -> Result<Vec<Placed<'a, Lock>>, Diagnostic> {
    let word = said.split_ascii_whitespace().next().unwrap_or_default();
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
    let names = &said[word.len()..];
    let start = at + word.len();
    let named: Vec<(usize, char)> =
        names.char_indices().filter(|(_, name)| !name.is_whitespace()).collect();
    let named = if named.is_empty() {
        board.pieces().into_iter().map(|piece| (at, piece)).collect()
    } else {
        named.into_iter().map(|(offset, piece)| (start + offset, piece)).collect::<Vec<_>>()
    };
    let locked = |(at, piece): (usize, char)| {
        let cells = board.cells_of(piece);
        if cells.is_empty() {
            let (found, expected) = no_piece(board, piece);
            return Err(line.wrong(at, found, expected));
        }
        let shown = quote(piece.encode_utf8(&mut [0; 4]));
        let square = || {
            line.wrong(
                at,
                format!("piece {shown}, as long as it is wide"),
                "`horizontal` or `vertical` for it",
            )
        };
        let axis = axis.or_else(|| length(board, &cells)).ok_or_else(square)?;
        Ok(Placed { line, at, part: Lock { piece, axis } })
    };
    named.into_iter().map(locked).collect()
}

/// The axis along which a piece is longer.
pub(crate) fn length(board: &Board, cells: &[usize]) -> Option<Axis> {
    let extent = |values: &mut dyn Iterator<Item = usize>| {
        let (least, most) = values
            .fold((usize::MAX, 0), |(least, most), value| (least.min(value), most.max(value)));
        most - least
    };
    let tall = extent(&mut cells.iter().map(|cell| cell / board.columns()));
    let wide = extent(&mut cells.iter().map(|cell| cell % board.columns()));
    match tall.cmp(&wide) {
        std::cmp::Ordering::Less => Some(Axis::Horizontal),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Axis::Vertical),
    }
}
