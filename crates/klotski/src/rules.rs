//! The rules on a plain board, independent of the packed spaces and the searches. Every plan is
//! replayed here before it is returned.
//!
//! ```
//! use fewest_core::text::Line;
//! use fewest_klotski::{Instance, Metric, Slide, rules};
//!
//! let layout = Instance::read(b"..CC/..CC/abcd/efgh/ijkl").next().unwrap().unwrap();
//! let slide = |text| Slide::read(Line { number: 1, text }).unwrap();
//! let after = rules::play(&layout, layout.board(), &slide("CWW"), Metric::Straight).unwrap();
//! assert_eq!(after.row_text(), "CC../CC../abcd/efgh/ijkl");
//! let refused = rules::play(&layout, layout.board(), &slide("CWW"), Metric::Unit).unwrap_err();
//! assert_eq!(refused.to_string(), "piece `C` moves 2 cells, but a unit move is one cell");
//! ```

use fewest_geometry::Direction;

use crate::board::{BLANK, Board};
use crate::instance::{Axis, Instance};
use crate::plan::{Metric, Slide};

/// Whether every piece that has a goal is on it.
pub fn is_solved(instance: &Instance, board: &Board) -> bool {
    instance.goals().iter().all(|goal| board.first_cell(goal.piece) == Some(goal.first))
}

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// The board has no piece with this character.
    #[error("there is no piece `{0}`")]
    NoPiece(char),
    /// The piece runs into another piece, a wall or the edge of the board.
    #[error(
        "piece `{piece}` cannot go {direction}{}",
        if *cells_before == 0 { String::new() } else { format!(" after {cells_before} cells") }
    )]
    Blocked {
        /// The piece.
        piece: char,
        /// The direction that is blocked.
        direction: Direction,
        /// The number of cells that the piece moved before.
        cells_before: usize,
    },
    /// The piece leaves the axis that it is locked to.
    #[error("piece `{piece}` moves {direction}, but is locked {axis}")]
    Locked {
        /// The piece.
        piece: char,
        /// The direction of the move.
        direction: Direction,
        /// The axis that the piece is locked to.
        axis: Axis,
    },
    /// A straight move goes around a corner.
    #[error("piece `{0}` turns, but a straight move goes in one direction")]
    Turns(char),
    /// A unit move goes farther than one cell.
    #[error("piece `{piece}` moves {cells} cells, but a unit move is one cell")]
    TooFar {
        /// The piece.
        piece: char,
        /// The number of cells that the piece moves.
        cells: usize,
    },
    /// The piece ends on the cells where it started.
    #[error("piece `{0}` ends where it started")]
    ReturnsToStart(char),
}

/// The cells of a piece after it moves by one cell; `None` if one of them is not free.
fn shifted(
    board: &Board,
    piece: char,
    cells: &[usize],
    direction: Direction,
) -> Option<Vec<usize>> {
    let is_free = |to: usize| matches!(board.cells()[to], here if here == piece || here == BLANK);
    cells.iter().map(|&cell| board.neighbour(cell, direction).filter(|&to| is_free(to))).collect()
}

/// Plays a move and returns the board after it.
///
/// # Errors
/// If the move is illegal in the metric.
pub fn play(
    instance: &Instance,
    board: &Board,
    slide: &Slide,
    metric: Metric,
) -> Result<Board, Illegal> {
    let mut after = board.clone();
    play_on(instance, &mut after, slide, metric)?;
    Ok(after)
}

/// Plays a move on a board in place.
///
/// # Errors
/// If the move is illegal in the metric. The board is unchanged then.
pub fn play_on(
    instance: &Instance,
    board: &mut Board,
    slide: &Slide,
    metric: Metric,
) -> Result<(), Illegal> {
    let Slide { piece, ref path } = *slide;
    let from = board.cells_of(piece);
    if from.is_empty() {
        return Err(Illegal::NoPiece(piece));
    }
    match metric {
        Metric::Unit if path.len() > 1 => {
            return Err(Illegal::TooFar { piece, cells: path.len() });
        }
        Metric::Straight if path.windows(2).any(|pair| pair[0] != pair[1]) => {
            return Err(Illegal::Turns(piece));
        }
        _ => {}
    }
    let lock = instance.lock(piece);
    let mut cells = from.clone();
    for (cells_before, &direction) in path.iter().enumerate() {
        if let Some(axis) = lock.filter(|&axis| axis != Axis::of(direction)) {
            return Err(Illegal::Locked { piece, direction, axis });
        }
        cells = shifted(board, piece, &cells, direction).ok_or(Illegal::Blocked {
            piece,
            direction,
            cells_before,
        })?;
    }
    if cells == from {
        return Err(Illegal::ReturnsToStart(piece));
    }
    board.put(piece, &cells);
    Ok(())
}

/// The legal moves of a piece, each with a shortest path and the cells that the piece moves to.
pub fn slides(
    instance: &Instance,
    board: &Board,
    piece: char,
    metric: Metric,
) -> Vec<(Slide, Vec<usize>)> {
    let lock = instance.lock(piece);
    // A breadth-first search over the cells of the piece, along the paths that the metric allows.
    // The first entry is the piece where it is.
    let mut reached = vec![(Slide { piece, path: Vec::new() }, board.cells_of(piece))];
    let mut next = 0;
    while next < reached.len() {
        for direction in Direction::ALL {
            let (Slide { path, .. }, cells) = &reached[next];
            let is_allowed = match metric {
                Metric::Rectilinear => true,
                Metric::Straight => path.first().is_none_or(|&first| first == direction),
                Metric::Unit => path.is_empty(),
            };
            if !is_allowed || lock.is_some_and(|axis| axis != Axis::of(direction)) {
                continue;
            }
            let Some(cells) = shifted(board, piece, cells, direction) else { continue };
            if reached.iter().all(|(_, other)| *other != cells) {
                let path = path.iter().copied().chain([direction]).collect();
                reached.push((Slide { piece, path }, cells));
            }
        }
        next += 1;
    }
    reached.remove(0);
    reached
}

/// All legal moves from a board, each with a shortest path and the board after the move.
pub fn moves(instance: &Instance, board: &Board, metric: Metric) -> Vec<(Slide, Board)> {
    let with_board = |(slide, cells): (Slide, Vec<usize>)| {
        let mut after = board.clone();
        after.put(slide.piece, &cells);
        (slide, after)
    };
    board
        .pieces()
        .into_iter()
        .flat_map(|piece| slides(instance, board, piece, metric))
        .map(with_board)
        .collect()
}

/// Why a plan does not solve a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A move breaks the rules.
    #[error("move {number}: {illegal}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// Why the move is illegal.
        illegal: Illegal,
    },
    /// No legal move leads from one board of a search to the next.
    #[error("move {number}: no legal move leads to this board")]
    Jump {
        /// The number of the move, from 1.
        number: usize,
    },
    /// All moves are legal, but after the last one a piece is not on its goal.
    #[error("after move {moves} piece `{piece}` is not at {row},{column}")]
    NotSolved {
        /// The number of moves of the plan.
        moves: usize,
        /// The piece.
        piece: char,
        /// The row of the first cell of its goal, from 1.
        row: usize,
        /// The column of that cell, from 1.
        column: usize,
    },
}

/// Plays a plan from the start.
///
/// # Errors
/// If a move is illegal in the metric, or if the board is not solved after the last move.
pub fn replay(instance: &Instance, plan: &[Slide], metric: Metric) -> Result<(), Refusal> {
    let mut board = instance.board().clone();
    for (index, slide) in plan.iter().enumerate() {
        let refused = |illegal| Refusal::Move { number: index + 1, illegal };
        play_on(instance, &mut board, slide, metric).map_err(refused)?;
    }
    check_solved(instance, &board, plan.len())
}

/// Checks that a board is solved after `moves` moves.
pub(crate) fn check_solved(
    instance: &Instance,
    board: &Board,
    moves: usize,
) -> Result<(), Refusal> {
    let missed =
        instance.goals().iter().find(|goal| board.first_cell(goal.piece) != Some(goal.first));
    missed.map_or(Ok(()), |goal| {
        let (row, column) = (goal.first / board.columns() + 1, goal.first % board.columns() + 1);
        Err(Refusal::NotSolved { moves, piece: goal.piece, row, column })
    })
}
