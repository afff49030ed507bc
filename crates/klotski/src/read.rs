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

use fewest_geometry::Direction;
use fewest_rules::builtin::{self, Builtin};
use fewest_rules::text::{Diagnostic, Line, Lines, data_sets, quote};

use crate::board::{BLANK, Board, WALL};
use crate::builtin::BUILTINS;
use crate::instance::{
    Axis, Gate, Goal, Instance, Lock, describe_piece, describe_size, missing_piece,
};
use crate::layout::{COLUMNS, ROWS};
use crate::parts::{
    Drawing, GATE, GOAL, LOCK, Located, Parts, TARGET, is_directive, only_character, row_and_column,
};
pub use crate::parts::{Overrides, ParseTargetError, Target};
use crate::{code, forms, rush_hour, short_code};

/// What a message expects in place of a data set.
const DATA_SET_FORMS: &str = "a board, a code or a name";

/// The greatest number of rows of a board.
const MAX_ROWS: usize = 256;

impl Instance {
    /// Reads the data sets of a text, one at a time. An error is the last item.
    ///
    /// # Errors
    /// If a data set is invalid, if a line is not UTF-8, or if the text has no data set.
    pub fn read(text: &[u8]) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        Self::read_with(text, Overrides::default())
    }

    /// Reads the data sets of a text as [`read`](Self::read) does, with what options say of them.
    ///
    /// # Errors
    /// The same as [`read`](Self::read), and if an option is not valid on a board.
    pub fn read_with(
        text: &[u8],
        overrides: Overrides<'_>,
    ) -> impl Iterator<Item = Result<Self, Diagnostic>> {
        #[cfg(feature = "search")]
        let mut array = forms::array(text);
        let mut data_sets = data_sets(text, DATA_SET_FORMS, move |line, lines| {
            data_set(line, lines, overrides).map(Some)
        });
        std::iter::from_fn(move || {
            #[cfg(feature = "search")]
            if let Some(array) = &mut array {
                let parts = array.next()?;
                return Some(
                    parts.and_then(|parts| settled(parts, &mut Lines::new(b""), overrides)),
                );
            }
            data_sets.next()
        })
    }

    /// Whether a word looks like a puzzle, valid or not: a code, a Rush Hour line, or rows
    /// separated by `/` or line breaks. Names are not among them.
    pub fn is_word(word: &str) -> bool {
        let mut rows = word.split(['/', '\n']).map(|row| row.chars().count());
        let (first, second) = (rows.next(), rows.next());
        is_code(word)
            || rush_hour::line::split_published(word).is_some()
            || rush_hour::line::is_almost_line(word)
            || forms::is_word(word)
            || second.is_some() && first == second
    }
}

/// Reads a data set that starts on `line`.
fn data_set<'a>(
    line: Line<'a>,
    lines: &mut Lines<'a>,
    overrides: Overrides<'_>,
) -> Result<Instance, Diagnostic> {
    // Boards on one line come first: a form of several lines could take the next lines of a
    // collection, which has a board on each of its lines.
    let parts = match on_one_line(line, overrides)? {
        Some(parts) => Some(parts),
        None => forms::read(line, lines, overrides)?,
    };
    let parts = match parts {
        Some(parts) => parts,
        None => own_form(line, lines, overrides)?,
    };
    settled(parts, lines, overrides)
}

/// The instance of a board, with the directives below it and what options say.
fn settled<'a>(
    mut parts: Parts<'a>,
    lines: &mut Lines<'a>,
    overrides: Overrides<'_>,
) -> Result<Instance, Diagnostic> {
    if let Some(red) = overrides.red
        && !matches!(parts.goals[..], [ref goal] if goal.part.piece == red)
    {
        let found = "a board without a red car".to_owned();
        return Err(Diagnostic::of_option("--red", red, found, "a Rush Hour board"));
    }
    let Drawing { board, positions } = &parts.drawing;
    for piece in board.pieces() {
        if let Some(wall) = find_cutting_wall(board, &board.cells_of(piece)) {
            let (line, at) = positions[wall];
            let found = format!("a wall that cuts {}", describe_piece(piece));
            return Err(line.wrong(at, found, "no wall between the cells of a piece"));
        }
    }
    // Goals and locks below a board replace those that its form implies.
    let below = directives(board, lines)?;
    if !below.goals.is_empty() {
        parts.goals = below.goals;
    }
    if !below.locks.is_empty() {
        parts.locks = below.locks;
    }
    parts.gates.extend(below.gates);
    if !overrides.goals.is_empty() {
        let (line, at) = parts.drawing.positions[0];
        let goals = overrides.goals.iter().map(|&target| {
            let outside = || {
                let found = format!("row {}, column {}", target.row, target.column);
                let expected =
                    format!("a cell of a board of {}", describe_size(&parts.drawing.board));
                Diagnostic::of_option("--goal", target, found, expected)
            };
            let part = target.goal_on(&parts.drawing.board).ok_or_else(outside)?;
            Ok(Located { line, at, part })
        });
        parts.goals = goals.collect::<Result<_, Diagnostic>>()?;
    }
    read_drawn_gates(&mut parts)?;
    parts.into_instance(overrides)
}

/// Reads a name or a Rush Hour line.
fn on_one_line<'a>(
    line: Line<'a>,
    overrides: Overrides<'_>,
) -> Result<Option<Parts<'a>>, Diagnostic> {
    let word = line.text.trim_ascii();
    if let Some(builtin) = builtin_named(word) {
        let line = Line { text: builtin.text, ..line };
        return Ok(Some(rows_on_one_line(line, 0, builtin.text)?.into()));
    }
    let Some((cars, published)) = rush_hour::line::split_published(word) else { return Ok(None) };
    let at = line.start() + word.find(cars).unwrap_or(0);
    let parts = rush_hour::line::read(line, at, cars, overrides.red)?;
    Ok(Some(Parts { published, ..parts }))
}

/// Reads any other board in the notation of this module.
fn own_form<'a>(
    line: Line<'a>,
    lines: &mut Lines<'a>,
    overrides: Overrides<'_>,
) -> Result<Parts<'a>, Diagnostic> {
    let (at, word) = (line.start(), line.text.trim_ascii());
    let has_targets = !overrides.goals.is_empty() || overrides.without_goals;
    if word.contains('/') {
        return Ok(rows_on_one_line(line, at, word)?.into());
    }
    if let Some(count) = board_row_count(line, lines, has_targets) {
        return Ok(rows_on_lines(line, lines, count)?.into());
    }
    if is_code(word) {
        let is_short = short_code::looks_like_short_code(word);
        let decode = if is_short { short_code::decode } else { code::decode };
        let board = decode(line, at, word)?;
        let positions = vec![(line, at); board.cells().len()];
        return Ok(Drawing { board, positions }.into());
    }
    let near = builtin::did_you_mean(BUILTINS, word);
    let hint = near.or_else(|| rush_hour::line::hint(word));
    Err(line.wrong(at, quote(word), "rows of a board, a code, or a name").hinting(hint))
}

/// The character of a gate in a drawing with walls.
const DRAWN_GATE: char = '-';

/// Whether `-` marks gates and is no piece: if the text has gates, or if each group of adjacent
/// cells of `-` touches a wall.
fn has_drawn_gates(board: &Board, has_gates: bool) -> bool {
    let mut left = board.cells_of(DRAWN_GATE);
    let next_to = |cell: usize| Direction::ALL.map(|direction| board.neighbour(cell, direction));
    let is_wall = |cell: usize| board.cells()[cell] == WALL;
    let mut are_gates = !left.is_empty();
    while let Some(first) = left.pop() {
        let (mut group, mut seen) = (vec![first], 0);
        while let Some(&cell) = group.get(seen) {
            seen += 1;
            let (near, others) =
                left.iter().partition(|&&other| next_to(cell).contains(&Some(other)));
            (left, _) = (others, group.extend::<Vec<usize>>(near));
        }
        let mut around = group.iter().flat_map(|&cell| next_to(cell)).flatten();
        are_gates &= around.any(is_wall);
    }
    are_gates || has_gates
}

/// Reads each `-` as a gate for the pieces with goals if it [is one](has_drawn_gates); otherwise it
/// is a piece as any other.
fn read_drawn_gates(parts: &mut Parts<'_>) -> Result<(), Diagnostic> {
    let Parts { drawing: Drawing { board, positions }, goals, gates, .. } = parts;
    let cells = board.cells_of(DRAWN_GATE);
    let has_goal = goals.iter().any(|goal| goal.part.piece == DRAWN_GATE);
    if cells.is_empty() || has_goal || !has_drawn_gates(board, !gates.is_empty()) {
        return Ok(());
    }
    if goals.is_empty() {
        let (line, at) = positions[cells[0]];
        return Err(line.wrong(at, "a gate", "a goal, whose piece may enter it, or `gate: A at`"));
    }
    board.put(DRAWN_GATE, &[]);
    for &cell in &cells {
        let (line, at) = positions[cell];
        if gates.iter().all(|gate| gate.part.cell != cell) {
            let pieces = goals.iter().map(|goal| goal.part.piece);
            gates.extend(pieces.map(|piece| Located { line, at, part: Gate { piece, cell } }));
        }
    }
    Ok(())
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

/// The number of rows of a board on lines of its own that starts on `line`; `None` if no such board
/// starts there.
///
/// A board ends before the first blank line or directive. If no directive follows, a board of four
/// columns has only five rows. `has_targets` means that a board needs no directive for its goals.
fn board_row_count(line: Line<'_>, lines: &Lines<'_>, has_targets: bool) -> Option<usize> {
    let ahead = || lines.clone().map_while(Result::ok).take(MAX_ROWS);
    let more: Vec<Line<'_>> =
        ahead().take_while(|line| !line.is_blank() && !is_directive(*line)).collect();
    let (columns, word) = (width(line), line.text.trim_ascii());
    let same_width = more.iter().take_while(|line| width(**line) == columns);
    let is_name = |line: &Line<'_>| builtin_named(line.text.trim_ascii()).is_some();
    let rows = 1 + same_width.take_while(|line| !is_name(line)).count();
    // A multiple of five rows of four columns is several classic boards, even if `has_targets`.
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

/// What the directives below a board say.
#[derive(Default)]
struct Directives<'a> {
    goals: Vec<Located<'a, Goal>>,
    locks: Vec<Located<'a, Lock>>,
    gates: Vec<Located<'a, Gate>>,
}

/// Reads the directives below a board: its goals, locks and gates.
fn directives<'a>(board: &Board, lines: &mut Lines<'a>) -> Result<Directives<'a>, Diagnostic> {
    let mut all = Directives::default();
    while let Some(Ok(line)) =
        lines.clone().next().filter(|line| line.as_ref().is_ok_and(|line| is_directive(*line)))
    {
        lines.next();
        let start = line.start();
        // All of them have the same length.
        let (word, argument) =
            (line.text.trim_ascii(), line.text[start + GOAL.len()..].trim_ascii());
        let at = start + (word.len() - argument.len());
        if word.starts_with(LOCK) {
            all.locks.extend(read_locks(board, line, at, argument)?);
        } else if word.starts_with(GATE) {
            all.gates.extend(read_gates(board, line, at, argument)?);
        } else if argument.is_empty() {
            all.goals.extend(read_drawn_goals(board, line, lines)?);
        } else {
            let wrong = |expected: String| line.wrong(at, quote(argument), expected);
            let target: Target =
                argument.parse().map_err(|ParseTargetError| wrong(TARGET.to_owned()))?;
            let part = target.goal_on(board).ok_or_else(|| wrong(cells_in_words(board)))?;
            all.goals.push(Located { line, at, part });
        }
    }
    Ok(all)
}

/// What a message expects in place of a cell.
fn cells_in_words(board: &Board) -> String {
    let (rows, columns) = (board.rows(), board.columns());
    format!("a row from 1 to {rows} and a column from 1 to {columns}")
}

/// Reads the gates of a directive: a piece and the cells that no other piece may enter.
fn read_gates<'a>(
    board: &Board,
    line: Line<'a>,
    at: usize,
    argument: &'a str,
) -> Result<Vec<Located<'a, Gate>>, Diagnostic> {
    const EXPECTED: &str = "a piece and cells, such as `A at 6,2 6,3`";
    let mut words = argument.split_ascii_whitespace();
    let piece = words.next().and_then(only_character).filter(|_| words.next() == Some("at"));
    let cells: Vec<&str> = words.collect();
    let Some(piece) = piece.filter(|_| !cells.is_empty()) else {
        return Err(line.wrong(at, quote(argument), EXPECTED));
    };
    let gate = |text: &&'a str| {
        // `text` is a part of `argument`.
        let at = at + (text.as_ptr() as usize - argument.as_ptr() as usize);
        let wrong = |expected: String| line.wrong(at, quote(text), expected);
        let (row, column) = row_and_column(text).ok_or_else(|| wrong(cells_in_words(board)))?;
        let cell = board.cell_at(row, column).ok_or_else(|| wrong(cells_in_words(board)))?;
        Ok(Located { line, at, part: Gate { piece, cell } })
    };
    cells.iter().map(gate).collect()
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
    let is_gate = |piece: &char| {
        *piece == DRAWN_GATE
            && drawn.cells_of(DRAWN_GATE) == board.cells_of(DRAWN_GATE)
            && has_drawn_gates(board, false)
    };
    for piece in drawn.pieces().into_iter().filter(|piece| !is_gate(piece)) {
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
