//! Rows of cells as people draw them: with a frame around the board, or with spaces or commas
//! between the cells.

use fewest_rules::text::{Line, Lines};

use crate::board::{BLANK, Board};
use crate::parts::{Drawing, GOAL, is_directive};

/// The greatest number of lines of a board.
const MAX_LINES: usize = 300;

/// Cells in rows of the same length, each with its place in the text.
pub(super) struct Grid<'a> {
    pub(super) columns: usize,
    pub(super) cells: Vec<(char, Line<'a>, usize)>,
    /// Whether a frame, separators or an exit mark were removed.
    pub(super) is_changed: bool,
    /// The row of a mark `>` of the exit, and where the mark is.
    pub(super) exit: Option<(usize, Line<'a>, usize)>,
}

impl<'a> Grid<'a> {
    pub(super) fn rows(&self) -> usize {
        self.cells.len() / self.columns
    }

    pub(super) fn characters(&self) -> impl Iterator<Item = char> {
        self.cells.iter().map(|&(cell, ..)| cell)
    }

    /// The grid with other characters.
    pub(super) fn drawing(&self, cells: Vec<char>) -> Drawing<'a> {
        let positions = self.cells.iter().map(|&(_, line, at)| (line, at)).collect();
        Drawing { board: Board::of_cells(self.columns, cells), positions }
    }
}

/// A row: its line, and its cells with the bytes at which they start.
type Row<'a> = (Line<'a>, Vec<(usize, char)>);

/// The lines of a data set up to an empty line or a directive.
pub(super) struct Block<'a> {
    /// The first line, and those after it. A line of white space between others is one of them.
    pub(super) lines: Vec<Line<'a>>,
    /// Whether a goal is below them.
    pub(super) has_goal: bool,
}

impl<'a> Block<'a> {
    pub(super) fn at(first: Line<'a>, lines: &Lines<'a>) -> Self {
        let mut block = Self { lines: vec![first], has_goal: false };
        // A file may have thousands of boards without a blank line between them.
        let mut ahead = lines.clone().map_while(Result::ok).take(MAX_LINES).peekable();
        while let Some(line) = ahead.next_if(|line| !line.text.is_empty() && !is_directive(*line)) {
            block.lines.push(line);
        }
        let mut below = ahead.take_while(|line| is_directive(*line));
        block.has_goal = below.any(|line| line.text.trim_ascii().starts_with(GOAL));
        let width = |line: &Line<'_>| line.text.trim_end().chars().count();
        let columns = block.lines.iter().map(width).max().unwrap_or(0);
        let is_row = |line: &Line<'_>| {
            !line.is_blank() || block.has_spaces_as_blanks() && line.text.len() >= columns
        };
        let rows = block.lines.iter().rposition(is_row).map_or(1, |last| last + 1);
        block.lines.truncate(rows);
        block
    }

    /// Whether a space within a row is a blank cell: not if each row has a space between all of its
    /// cells.
    fn has_spaces_as_blanks(&self) -> bool {
        let rows = || self.lines.iter().map(|line| line.text.trim());
        let is_separated =
            |row: &str| row.chars().enumerate().all(|(at, cell)| (at % 2 == 1) == (cell == ' '));
        rows().any(|row| row.contains(' ')) && !rows().all(is_separated)
    }

    /// Passes over the lines.
    pub(super) fn take_from(&self, lines: &mut Lines<'a>) {
        self.lines[1..].iter().for_each(|_| drop(lines.next()));
    }

    /// The cells of the lines. White space is a blank; where spaces within rows are blanks, rows
    /// that end early are filled with blanks. `None` if the lines are no rows of one length.
    pub(super) fn grid(&self) -> Option<Grid<'a>> {
        // Spaces at the ends of rows are cells where spaces are blanks, and otherwise no part of
        // them.
        let is_trimmed = !self.has_spaces_as_blanks();
        let cells_of = |line: &Line<'a>| {
            let text = if is_trimmed { line.text.trim() } else { line.text };
            let before = if is_trimmed { line.start() } else { 0 };
            text.char_indices().map(|(at, cell)| (before + at, cell)).collect()
        };
        let mut rows: Vec<Row<'a>> =
            self.lines.iter().map(|line| (*line, cells_of(line))).collect();
        let exit = exit_mark(&rows);
        let is_changed = [remove_frame(&mut rows), remove_exit_mark(&mut rows)].contains(&true);
        let is_changed = remove_separators(&mut rows) || is_changed;
        let exit = exit.and_then(|(line, at)| {
            let row = rows.iter().position(|(other, _)| other.number == line.number)?;
            Some((row, line, at))
        });
        let columns = rows.iter().map(|(_, cells)| cells.len()).max().filter(|&width| width > 0)?;
        if is_trimmed && rows.iter().any(|(_, cells)| cells.len() < columns) {
            return None;
        }
        let mut cells = Vec::with_capacity(rows.len() * columns);
        for (line, row) in rows {
            let visible = |cell: char| if cell.is_whitespace() { BLANK } else { cell };
            let blanks = (row.len()..columns).map(|_| (BLANK, line, line.start()));
            cells.extend(row.iter().map(|&(at, cell)| (visible(cell), line, at)).chain(blanks));
        }
        Some(Grid { columns, cells, is_changed, exit })
    }
}

/// Removes a frame: `|` at both ends of each line, and a first and a last line of `+`, `-`, `=` and
/// `_` if there are such. A `>` in place of the second `|` is the exit.
fn remove_frame(rows: &mut Vec<Row<'_>>) -> bool {
    let is_edge = |row: &Row<'_>| {
        let mut cells = row.1.iter().map(|&(_, cell)| cell).filter(|cell| !cell.is_whitespace());
        row.1.len() > 2 && cells.all(|cell| "+-=|_".contains(cell))
    };
    let inside = |row: &Row<'_>| -> Option<Vec<(usize, char)>> {
        let cells = row.1.iter().copied().skip_while(|(_, cell)| cell.is_whitespace());
        let cells: Vec<_> = cells.collect();
        match cells[..] {
            [(_, '|'), ref inner @ .., (_, '|' | '>')] => Some(inner.to_vec()),
            _ => None,
        }
    };
    let has_edges = rows.len() > 2 && is_edge(&rows[0]) && is_edge(&rows[rows.len() - 1]);
    let inner = if has_edges { &rows[1..rows.len() - 1] } else { &rows[..] };
    let inner: Option<Vec<_>> = inner.iter().map(|row| Some((row.0, inside(row)?))).collect();
    let is_framed = inner.is_some();
    *rows = inner.unwrap_or_else(|| std::mem::take(rows));
    is_framed
}

/// Where the only `>` at the end of a row is.
fn exit_mark<'a>(rows: &[Row<'a>]) -> Option<(Line<'a>, usize)> {
    let mut marks = rows.iter().filter_map(|(line, cells)| match cells.last() {
        Some(&(at, '>')) => Some((*line, at)),
        _ => None,
    });
    marks.next().filter(|_| marks.next().is_none())
}

/// Removes a `>` behind the row of the exit.
fn remove_exit_mark(rows: &mut [Row<'_>]) -> bool {
    let is_marked = |row: &Row<'_>| row.1.last().is_some_and(|&(_, cell)| cell == '>');
    let marked: Vec<usize> = (0..rows.len()).filter(|&row| is_marked(&rows[row])).collect();
    let [row] = marked[..] else { return false };
    let length = rows[row].1.len();
    let is_behind = (0..rows.len()).all(|other| other == row || rows[other].1.len() < length);
    if is_behind {
        rows[row].1.pop();
    }
    is_behind
}

/// Removes the spaces or commas between cells, if all rows have them between all of their cells.
fn remove_separators(rows: &mut [Row<'_>]) -> bool {
    let cells_of = |row: &Row<'_>| -> Option<Vec<(usize, char)>> {
        let has_commas = row.1.iter().any(|&(_, cell)| cell == ',');
        let is_separator = |cell: char| if has_commas { cell == ',' } else { cell == ' ' };
        let mut cells = Vec::new();
        let is_space = |cell: &&(usize, char)| cell.1.is_whitespace();
        let begin = row.1.iter().take_while(is_space).count();
        let end = row.1.len() - row.1.iter().rev().take_while(is_space).count();
        for part in row.1.get(begin..end)?.split(|&(_, cell)| is_separator(cell)) {
            let mut part = part.iter().copied().filter(|(_, cell)| !cell.is_whitespace());
            match (part.next(), part.next()) {
                (Some(cell), None) => cells.push(cell),
                (None, _) if has_commas => cells.push((row.1[0].0, BLANK)),
                _ => return None,
            }
        }
        (cells.len() > 1).then_some(cells)
    };
    let all: Option<Vec<_>> = rows.iter().map(cells_of).collect();
    let all = all.filter(|all| all.iter().all(|row| row.len() == all[0].len()));
    let is_separated = all.is_some();
    rows.iter_mut().zip(all.unwrap_or_default()).for_each(|(row, cells)| row.1 = cells);
    is_separated
}
