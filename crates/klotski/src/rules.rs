//! The referee: the rules on a plain board, with nothing of the fast search in it. Every plan that
//! leaves the program has been replayed here.
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
//! assert_eq!(refused.to_string(), "piece `C` goes 2 cells, and a unit move is one cell");
//! ```

use fewest_core::grid::Direction;

use crate::board::{BLANK, Board};
use crate::instance::{Axis, Instance};
use crate::plan::{Metric, Slide};

/// Whether each piece that has a goal is there.
pub fn is_solved(puzzle: &Instance, board: &Board) -> bool {
    puzzle.goals().iter().all(|goal| board.first_cell(goal.piece) == Some(goal.first))
}

/// What breaks the rules in a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// No cell has this character.
    #[error("there is no piece `{0}`")]
    NoPiece(char),
    /// It runs into another piece or a wall, or over the edge.
    #[error("piece `{piece}` cannot go {way}{}", if *steps == 0 { String::new() } else { format!(" after {steps} cells") })]
    Blocked {
        /// The piece.
        piece: char,
        /// The direction that is not free.
        way: Direction,
        /// The cells that it went before.
        steps: usize,
    },
    /// It leaves the axis that it is confined to.
    #[error("piece `{piece}` goes {way}, and it is locked {axis}")]
    Locked {
        /// The piece.
        piece: char,
        /// Where it goes.
        way: Direction,
        /// Where it may go.
        axis: Axis,
    },
    /// A straight move goes around a corner.
    #[error("piece `{0}` turns, and a straight move goes in one direction")]
    Turns(char),
    /// A unit move goes farther than a cell.
    #[error("piece `{piece}` goes {cells} cells, and a unit move is one cell")]
    Far {
        /// The piece.
        piece: char,
        /// How far it goes.
        cells: usize,
    },
    /// It ends where it began.
    #[error("piece `{0}` ends where it began")]
    Nowhere(char),
}

/// The cells that a piece on some cells comes to when it goes one further; `None` if the way is not
/// free.
fn pushed(board: &Board, piece: char, cells: &[usize], way: Direction) -> Option<Vec<usize>> {
    let is_free = |to: usize| matches!(board.cells()[to], here if here == piece || here == BLANK);
    cells.iter().map(|&cell| board.neighbour(cell, way).filter(|&to| is_free(to))).collect()
}

/// The board after a move, or what is illegal in it.
pub fn play(
    puzzle: &Instance,
    board: &Board,
    slide: &Slide,
    metric: Metric,
) -> Result<Board, Illegal> {
    let mut after = board.clone();
    play_on(puzzle, &mut after, slide, metric)?;
    Ok(after)
}

/// Makes a move on a board, which stays as it is if the move is illegal.
pub fn play_on(
    puzzle: &Instance,
    board: &mut Board,
    slide: &Slide,
    metric: Metric,
) -> Result<(), Illegal> {
    let Slide { piece, ref way } = *slide;
    let from = board.cells_of(piece);
    if from.is_empty() {
        return Err(Illegal::NoPiece(piece));
    }
    match metric {
        Metric::Unit if way.len() > 1 => return Err(Illegal::Far { piece, cells: way.len() }),
        Metric::Straight if way.windows(2).any(|pair| pair[0] != pair[1]) => {
            return Err(Illegal::Turns(piece));
        }
        _ => {}
    }
    let lock = puzzle.lock(piece);
    let mut cells = from.clone();
    for (steps, &way) in way.iter().enumerate() {
        if let Some(axis) = lock.filter(|&axis| axis != Axis::of(way)) {
            return Err(Illegal::Locked { piece, way, axis });
        }
        cells = pushed(board, piece, &cells, way).ok_or(Illegal::Blocked { piece, way, steps })?;
    }
    if cells == from {
        return Err(Illegal::Nowhere(piece));
    }
    board.put(piece, &cells);
    Ok(())
}

/// The moves of a piece, each by a shortest way and with the cells that it comes to.
pub fn slides(
    puzzle: &Instance,
    board: &Board,
    piece: char,
    metric: Metric,
) -> Vec<(Slide, Vec<usize>)> {
    let lock = puzzle.lock(piece);
    // Ways grow cell by cell, as far as the metric allows; a place that was reached before is no
    // new one.
    let mut made = vec![(Slide { piece, way: Vec::new() }, board.cells_of(piece))];
    let mut next = 0;
    while next < made.len() {
        for direction in Direction::ALL {
            let (Slide { way, .. }, cells) = &made[next];
            let goes_on = match metric {
                Metric::Rectilinear => true,
                Metric::Straight => way.first().is_none_or(|&first| first == direction),
                Metric::Unit => way.is_empty(),
            };
            if !goes_on || lock.is_some_and(|axis| axis != Axis::of(direction)) {
                continue;
            }
            let Some(cells) = pushed(board, piece, cells, direction) else { continue };
            if made.iter().all(|(_, other)| *other != cells) {
                let way = way.iter().copied().chain([direction]).collect();
                made.push((Slide { piece, way }, cells));
            }
        }
        next += 1;
    }
    made.remove(0);
    made
}

/// All moves from a board, each by a shortest way and with the board that it makes.
pub fn moves(puzzle: &Instance, board: &Board, metric: Metric) -> Vec<(Slide, Board)> {
    let made = |(slide, cells): (Slide, Vec<usize>)| {
        let mut after = board.clone();
        after.put(slide.piece, &cells);
        (slide, after)
    };
    board
        .pieces()
        .into_iter()
        .flat_map(|piece| slides(puzzle, board, piece, metric))
        .map(made)
        .collect()
}

/// Why a plan does not solve a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A move breaks the rules.
    #[error("move {number}: {illegal}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// What is wrong.
        illegal: Illegal,
    },
    /// No move leads from one board of a search to the next.
    #[error("move {number}: no move makes this board")]
    Jump {
        /// The number of the move, from 1.
        number: usize,
    },
    /// All moves are legal, but a piece is not where it should be after the last.
    #[error("after move {moves} piece `{piece}` is not at {row},{column}")]
    NotSolved {
        /// How many moves there were.
        moves: usize,
        /// The piece.
        piece: char,
        /// The row that its first cell should be in, from 1.
        row: usize,
        /// The column, from 1.
        column: usize,
    },
}

/// Plays a plan from the start: fine if each move is legal and the puzzle solved at the end.
pub fn replay(puzzle: &Instance, plan: &[Slide], metric: Metric) -> Result<(), Refusal> {
    let mut board = puzzle.board().clone();
    for (index, slide) in plan.iter().enumerate() {
        let refused = |illegal| Refusal::Move { number: index + 1, illegal };
        play_on(puzzle, &mut board, slide, metric).map_err(refused)?;
    }
    check_end(puzzle, &board, plan.len())
}

/// Whether a board is solved; it came of so many moves.
pub(crate) fn check_end(puzzle: &Instance, board: &Board, moves: usize) -> Result<(), Refusal> {
    let missed =
        puzzle.goals().iter().find(|goal| board.first_cell(goal.piece) != Some(goal.first));
    missed.map_or(Ok(()), |goal| {
        let (row, column) = (goal.first / board.columns() + 1, goal.first % board.columns() + 1);
        Err(Refusal::NotSolved { moves, piece: goal.piece, row, column })
    })
}
