//! Levels of GNOME Klotski: a frame of `#`, a space for a blank, `-` for a gate, `*` for the cells
//! of the piece that has to leave, and `.` for the cells that it has to reach. Any other character
//! is a piece. Rows may end early.
//!
//! The piece may start on its goal in part: there `*` is drawn, and the goal follows from the cells
//! of `.` alone if they have its shape.

use fewest_rules::text::Line;

use super::grid::Block;
use crate::board::{BLANK, Board, WALL};
use crate::instance::{Gate, Goal, Instance};
use crate::parts::{Located, Parts};

const PIECE: char = '*';
const GOAL: char = '.';
const GATE: char = '-';

pub(super) fn read<'a>(block: &Block<'a>) -> Option<Parts<'a>> {
    if block.has_goal || !block.lines.iter().any(|line| line.text.contains(PIECE)) {
        return None;
    }
    // A title above a level is not a row of it.
    let is_row = |line: &Line<'_>| line.text.contains(['#', PIECE, GOAL, GATE]);
    if !is_row(&block.lines[0]) && block.lines.len() > 1 {
        return None;
    }
    // Rows on one line are separated by `/`, as in the notation of the project.
    let rows: Vec<(Line<'a>, &str)> = match block.lines[..] {
        [line] => line.text.split('/').map(|row| (line, row)).collect(),
        _ => block.lines.iter().map(|&line| (line, line.text)).collect(),
    };
    let columns = rows.iter().map(|(_, row)| row.trim_end().chars().count()).max()?;
    let (mut cells, mut positions) = (Vec::new(), Vec::new());
    for &(line, row) in &rows {
        let before = row.as_ptr() as usize - line.text.as_ptr() as usize;
        let row: Vec<(usize, char)> = row.trim_end().char_indices().collect();
        positions.extend(row.iter().map(|&(at, _)| (line, before + at)));
        positions.extend((row.len()..columns).map(|_| (line, before)));
        cells.extend(row.iter().map(|&(_, cell)| cell));
        cells.extend((row.len()..columns).map(|_| ' '));
    }
    let cells_of = |character: char| -> Vec<usize> {
        (0..cells.len()).filter(|&cell| cells[cell] == character).collect()
    };
    let (piece, goal, gates) = (cells_of(PIECE), cells_of(GOAL), cells_of(GATE));
    let visible = |cell: &char| match *cell {
        ' ' | GOAL | GATE => BLANK,
        cell => cell,
    };
    let board = Board::of_cells(columns, cells.iter().map(visible).collect());
    let is_level = cells.contains(&WALL) && !piece.is_empty() && !goal.is_empty();
    if !is_level || board.translated(&piece, goal[0])? != goal {
        return None;
    }
    let located = |cell: usize| positions[cell];
    let gates = gates.into_iter().map(|cell| {
        let (line, at) = located(cell);
        Located { line, at, part: Gate { piece: PIECE, cell } }
    });
    let gates = gates.collect();
    let (line, at) = located(goal[0]);
    let goals = vec![Located { line, at, part: Goal { piece: PIECE, first: goal[0] } }];
    Some(Parts { goals, gates, ..Parts::from(crate::parts::Drawing { board, positions }) })
}

/// Writes a puzzle with one goal in a frame of walls.
pub(super) fn write(instance: &Instance) -> Option<String> {
    let board = instance.board();
    let [goal] = instance.goals() else { return None };
    let gates: Vec<usize> = instance.gates().iter().map(|gate| gate.cell).collect();
    let goal_cells = board.translated(&board.cells_of(goal.piece), goal.first)?;
    let character = |cell: usize| match board.cells()[cell] {
        BLANK if goal_cells.contains(&cell) => GOAL,
        BLANK if gates.contains(&cell) => GATE,
        BLANK => ' ',
        WALL => '#',
        piece if piece == goal.piece => PIECE,
        // Another piece may have the name of this one.
        PIECE => goal.piece,
        piece => piece,
    };
    let (rows, columns) = (board.rows(), board.columns());
    let is_outer = |cell: usize| {
        let (row, column) = (cell / columns, cell % columns);
        row == 0 || row + 1 == rows || column == 0 || column + 1 == columns
    };
    let cells = 0..board.cells().len();
    let has_frame =
        cells.clone().filter(|&cell| is_outer(cell)).all(|cell| board.cells()[cell] == WALL);
    let cells: Vec<char> = cells.map(character).collect();
    let lines: Vec<String> = cells.chunks(columns).map(|row| row.iter().collect()).collect();
    if has_frame {
        return Some(lines.join("\n") + "\n");
    }
    let frame = "#".repeat(columns + 2);
    Some(format!("{frame}\n#{}#\n{frame}\n", lines.join("#\n#")))
}
