//! The referee: the rules on a plain board, with nothing of the fast search in it. Every plan that leaves the program has
//! been replayed here.
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

/// Moves a piece a cell; `None`, and nothing is moved, if the way is not free.
fn push(board: &mut Board, piece: char, way: Direction) -> Option<()> {
    let cells = board.cells_of(piece);
    let is_free = |to: usize| matches!(board.cells()[to], here if here == piece || here == BLANK);
    let to = |&cell: &usize| board.neighbour(cell, way).filter(|&to| is_free(to));
    let to: Vec<usize> = cells.iter().map(to).collect::<Option<_>>()?;
    cells.into_iter().for_each(|cell| board.cells_mut()[cell] = BLANK);
    to.into_iter().for_each(|cell| board.cells_mut()[cell] = piece);
    Some(())
}

/// The board after a move, or what is illegal in it.
pub fn play(puzzle: &Instance, board: &Board, slide: &Slide, metric: Metric) -> Result<Board, Illegal> {
    let Slide { piece, ref way } = *slide;
    let Some(from) = board.first_cell(piece) else { return Err(Illegal::NoPiece(piece)) };
    match metric {
        Metric::Unit if way.len() > 1 => return Err(Illegal::Far { piece, cells: way.len() }),
        Metric::Straight if way.windows(2).any(|pair| pair[0] != pair[1]) => return Err(Illegal::Turns(piece)),
        _ => {}
    }
    let lock = puzzle.lock(piece);
    let mut after = board.clone();
    for (steps, &way) in way.iter().enumerate() {
        if let Some(axis) = lock.filter(|&axis| axis != Axis::of(way)) {
            return Err(Illegal::Locked { piece, way, axis });
        }
        push(&mut after, piece, way).ok_or(Illegal::Blocked { piece, way, steps })?;
    }
    if after.first_cell(piece) == Some(from) { Err(Illegal::Nowhere(piece)) } else { Ok(after) }
}

/// The moves of a piece, each by a shortest way and with the board that it makes.
pub fn moves_of(puzzle: &Instance, board: &Board, piece: char, metric: Metric) -> Vec<(Slide, Board)> {
    let lock = puzzle.lock(piece);
    // Ways grow cell by cell, as far as the metric allows; a place that was reached before is no new one.
    let mut made = vec![(Slide { piece, way: Vec::new() }, board.clone())];
    let mut next = 0;
    while next < made.len() {
        for direction in Direction::ALL {
            let (Slide { way, .. }, before) = &made[next];
            let goes_on = match metric {
                Metric::Rectilinear => true,
                Metric::Straight => way.first().is_none_or(|&first| first == direction),
                Metric::Unit => way.is_empty(),
            };
            if !goes_on || lock.is_some_and(|axis| axis != Axis::of(direction)) {
                continue;
            }
            let mut after = before.clone();
            if push(&mut after, piece, direction).is_some() && made.iter().all(|(_, other)| *other != after) {
                let way = way.iter().copied().chain([direction]).collect();
                made.push((Slide { piece, way }, after));
            }
        }
        next += 1;
    }
    made.remove(0);
    made
}

/// All moves from a board, each by a shortest way and with the board that it makes.
pub fn moves(puzzle: &Instance, board: &Board, metric: Metric) -> Vec<(Slide, Board)> {
    board.pieces().into_iter().flat_map(|piece| moves_of(puzzle, board, piece, metric)).collect()
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
        board = play(puzzle, &board, slide, metric).map_err(|illegal| Refusal::Move { number: index + 1, illegal })?;
    }
    let missed = puzzle.goals().iter().find(|goal| board.first_cell(goal.piece) != Some(goal.first));
    missed.map_or(Ok(()), |goal| {
        let (row, column) = (goal.first / board.columns() + 1, goal.first % board.columns() + 1);
        Err(Refusal::NotSolved { moves: plan.len(), piece: goal.piece, row, column })
    })
}
