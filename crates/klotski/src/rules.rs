//! The rules on a plain board, independent of the packed spaces and the searches. Every plan is
//! replayed by them before it is returned.
//!
//! ```
//! use fewest_klotski::{Instance, Metric, Slide, Task};
//! use fewest_rules::{replay, text::Line};
//!
//! let layout = Instance::read(b"..CC/..CC/abcd/efgh/ijkl").next().unwrap().unwrap();
//! let slides = || vec![Slide::read(Line { number: 1, text: "CWW" }).unwrap()];
//! assert!(replay(&Task::new(layout.clone(), Metric::Straight), slides()).is_ok());
//! let refusal = replay(&Task::new(layout, Metric::Unit), slides()).unwrap_err();
//! let message = "move 1: piece `C` moves 2 cells, but a unit move is one cell";
//! assert_eq!(refusal.to_string(), message);
//! ```

use fewest_geometry::Direction;
use fewest_rules::Rules;

use crate::board::{BLANK, Board};
use crate::instance::Axis;
use crate::plan::{Metric, Slide};
use crate::task::Task;

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
    /// The piece enters a gate that is not for it.
    #[error("piece `{piece}` cannot go {direction} into a gate for other pieces")]
    Closed {
        /// The piece.
        piece: char,
        /// The direction of the step.
        direction: Direction,
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
fn shifted<'a>(
    board: &'a Board,
    piece: char,
    cells: &'a [usize],
    direction: Direction,
) -> impl Iterator<Item = Option<usize>> + 'a {
    let is_free =
        move |to: &usize| matches!(board.cells()[*to], here if here == piece || here == BLANK);
    cells.iter().map(move |&cell| board.neighbour(cell, direction).filter(is_free))
}

/// The places to which a piece can go in one move. The first place is where it is.
#[derive(Default)]
pub(crate) struct Places {
    /// The cells of all places, one after the other.
    cells: Vec<usize>,
    /// The number of cells of the piece.
    size: usize,
    /// The last step to each place but the first, and the place that it goes from.
    steps: Vec<(usize, Direction)>,
}

impl Places {
    /// The places of a piece, instead of those before.
    pub(crate) fn find(&mut self, task: &Task, board: &Board, piece: char) {
        let lock = task.instance.lock(piece);
        let Self { cells, size, steps } = self;
        steps.clear();
        *cells = board.cells_of(piece);
        *size = cells.len();
        // A breadth-first search along the paths that the metric allows.
        let mut from = 0;
        while from <= steps.len() {
            let first = from.checked_sub(1).map(|step| steps[step].1);
            for direction in Direction::ALL {
                let is_allowed = match task.metric {
                    Metric::Rectilinear => true,
                    // All steps of a path have the direction of its last one.
                    Metric::Straight => first.is_none_or(|first| first == direction),
                    Metric::Unit => first.is_none(),
                };
                if !is_allowed || lock.is_some_and(|axis| axis != Axis::of(direction)) {
                    continue;
                }
                let known = cells.len();
                for index in from * *size..(from + 1) * *size {
                    let here = [cells[index]];
                    match shifted(board, piece, &here, direction).next().flatten() {
                        Some(to) if !task.instance.is_closed(piece, to) => cells.push(to),
                        _ => break,
                    }
                }
                let (before, new) = cells.split_at(known);
                // A piece keeps its shape.
                if new.len() == *size && before.chunks(*size).all(|other| other[0] != new[0]) {
                    steps.push((from, direction));
                } else {
                    cells.truncate(known);
                }
            }
            from += 1;
        }
    }

    /// The cells of each place.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &[usize]> {
        self.cells.chunks(self.size.max(1))
    }

    /// A shortest path to a place.
    fn path(&self, mut place: usize) -> Vec<Direction> {
        let mut path = Vec::new();
        while let Some(step) = place.checked_sub(1) {
            let (from, direction) = self.steps[step];
            path.push(direction);
            place = from;
        }
        path.reverse();
        path
    }
}

/// A piece that is not at its goal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("piece `{piece}` is not at {goal}")]
pub struct NotAtGoal {
    /// The piece.
    pub piece: char,
    /// The row and the column of the first cell of its goal, from 1: `4,2`.
    pub goal: String,
}

impl Rules for Task {
    type Board = Board;
    type Move = Slide;
    type Illegal = Illegal;
    type Unsolved = NotAtGoal;

    fn start_board(&self) -> Board {
        self.instance.board().clone()
    }

    fn play(&self, board: &mut Board, slide: &Slide) -> Result<(), Illegal> {
        let Slide { piece, ref path } = *slide;
        let from = board.cells_of(piece);
        if from.is_empty() {
            return Err(Illegal::NoPiece(piece));
        }
        match self.metric {
            Metric::Unit if path.len() > 1 => {
                return Err(Illegal::TooFar { piece, cells: path.len() });
            }
            Metric::Straight if path.windows(2).any(|pair| pair[0] != pair[1]) => {
                return Err(Illegal::Turns(piece));
            }
            _ => {}
        }
        let lock = self.instance.lock(piece);
        let mut cells = from.clone();
        for (cells_before, &direction) in path.iter().enumerate() {
            if let Some(axis) = lock.filter(|&axis| axis != Axis::of(direction)) {
                return Err(Illegal::Locked { piece, direction, axis });
            }
            let blocked = Illegal::Blocked { piece, direction, cells_before };
            let shifted = shifted(board, piece, &cells, direction).collect::<Option<_>>();
            cells = shifted.ok_or(blocked)?;
            if cells.iter().any(|&cell| self.instance.is_closed(piece, cell)) {
                return Err(Illegal::Closed { piece, direction });
            }
        }
        if cells == from {
            return Err(Illegal::ReturnsToStart(piece));
        }
        board.put(piece, &cells);
        Ok(())
    }

    fn check_solved(&self, board: &Board) -> Result<(), NotAtGoal> {
        let mut goals = self.instance.goals().iter();
        let missed = goals.find(|goal| board.first_cell(goal.piece) != Some(goal.first));
        missed.map_or(Ok(()), |goal| {
            Err(NotAtGoal { piece: goal.piece, goal: board.coordinates(goal.first) })
        })
    }

    /// A shortest path for each place that a piece can go to.
    fn moves(&self, board: &Board) -> Vec<Slide> {
        let mut places = Places::default();
        let mut slides = Vec::new();
        for piece in board.pieces() {
            places.find(self, board, piece);
            let paths = (1..=places.steps.len()).map(|place| places.path(place));
            slides.extend(paths.map(|path| Slide { piece, path }));
        }
        slides
    }

    fn with_board(&self, board: Board) -> Option<Self> {
        let instance = self.instance.with_board(board).ok()?;
        Some(Self { instance, ..*self })
    }
}
