//! Levels of GNOME Klotski: a frame of `#`, a space for a blank, `-` for a gate, `*` for the cells of
//! the piece that has to leave, and `.` for the cells that it has to reach. Any other character is a
//! piece. Rows may end early.
//!
//! The piece may start on its goal in part: there `*` is drawn, and the goal follows from the cells
//! of `.` alone if they have its shape.

use fewest_rules::text::{Line, Lines};

use super::grid::Block;
use crate::board::{BLANK, Board, WALL};
use crate::instance::{Gate, Goal};
use crate::parts::{Located, Parts};

const PIECE: char = '*';
const GOAL: char = '.';
const GATE: char = '-';

pub(super) fn read<'a>(line: Line<'a>, lines: &mut Lines<'a>) -> Option<Parts<'a>> {
    let block = Block::at(line, lines);
    if block.has_goal {
        return None;
    }
    let columns = block.lines.iter().map(|line| line.text.trim_end().chars().count()).max()?;
    let (mut cells, mut positions) = (Vec::new(), Vec::new());
    for &line in &block.lines {
        let row = line.text.trim_end();
        let row: Vec<(usize, char)> = row.char_indices().collect();
        positions.extend(row.iter().map(|&(at, _)| (line, at)));
        positions.extend((row.len()..columns).map(|_| (line, line.start())));
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
    block.take_from(lines);
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
