//! The rules of the puzzle on a plain board, independent of the packed space, the flow and every
//! search. Each plan is replayed here before it is printed.
//!
//! ```
//! use fewest_black_white::{Exchange, Instance, Size, rules};
//! use fewest_geometry::Cell;
//!
//! let size = Size::new(1, 3).unwrap();
//! let boards = Instance::read(b"100 001", size).next().unwrap().unwrap();
//! let place = |column| Cell { row: 0, column };
//! let (first, second) = (Exchange::new(place(0), place(1)), Exchange::new(place(1), place(2)));
//! assert!(rules::replay(&boards, &[first, second]).is_ok());
//! let refusal = rules::replay(&boards, &[second]).unwrap_err();
//! let message = "move 1: row 1, column 2 and row 1, column 3 have pieces of the same colour";
//! assert_eq!(refusal.to_string(), message);
//! ```

use fewest_geometry::Cell;

use crate::instance::Instance;
use crate::plan::Exchange;

/// Why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// A cell is outside the board.
    #[error("{0} is not on the board")]
    Outside(Cell),
    /// A cell is a wall.
    #[error("{0} is a wall")]
    Wall(Cell),
    /// The cells do not share an edge.
    #[error("{0} and {1} are not neighbours")]
    Apart(Cell, Cell),
    /// Both cells have pieces of the same colour.
    #[error("{0} and {1} have pieces of the same colour")]
    SameColour(Cell, Cell),
}

/// Plays one move on a board. The board is unchanged if the move is illegal.
///
/// # Errors
/// The rule that the move breaks.
///
/// # Panics
/// If the board has fewer cells than the instance.
pub fn play(instance: &Instance, board: &mut [bool], exchange: Exchange) -> Result<(), Illegal> {
    let size = instance.size();
    let cell = |place: Cell| {
        let cell = if size.contains(place) {
            size.index(place)
        } else {
            return Err(Illegal::Outside(place));
        };
        if instance.walls()[cell] { Err(Illegal::Wall(place)) } else { Ok(cell) }
    };
    let [one, other] = exchange.cells();
    let (here, there) = (cell(one)?, cell(other)?);
    if one.direction_to(other).is_none() {
        return Err(Illegal::Apart(one, other));
    }
    if board[here] == board[there] {
        return Err(Illegal::SameColour(one, other));
    }
    board.swap(here, there);
    Ok(())
}

/// Why the rules reject a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A move is illegal.
    #[error("move {number}: {illegal}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// The rule that it breaks.
        illegal: Illegal,
    },
    /// All moves are legal, but the board after the last one is not the target.
    #[error("after move {moves} the board differs from the target in {place}")]
    OffTarget {
        /// The number of moves.
        moves: usize,
        /// The first cell that differs, in reading order.
        place: Cell,
    },
}

/// Plays a plan from the start. It is accepted if and only if each move is legal and the last board
/// is the target.
///
/// # Errors
/// The first illegal move, or a cell in which the last board differs from the target.
pub fn replay(instance: &Instance, plan: &[Exchange]) -> Result<(), Refusal> {
    let mut board = instance.start().to_vec();
    for (index, &exchange) in plan.iter().enumerate() {
        play(instance, &mut board, exchange)
            .map_err(|illegal| Refusal::Move { number: index + 1, illegal })?;
    }
    match board.iter().zip(instance.target()).position(|(piece, target)| piece != target) {
        Some(cell) => {
            let place = instance.size().cell(cell);
            Err(Refusal::OffTarget { moves: plan.len(), place })
        }
        None => Ok(()),
    }
}
