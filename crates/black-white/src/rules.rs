//! The referee: the rules as the statement has them, on a plain board, with nothing of the fast
//! search in it. Every plan that leaves the program has been replayed here.
//!
//! ```
//! use fewest_black_white::{Exchange, Instance, Size, rules};
//! use fewest_core::grid::Place;
//!
//! let size = Size::new(1, 3).unwrap();
//! let boards = Instance::read(b"100 001", size).next().unwrap().unwrap();
//! let place = |column| Place { row: 0, column };
//! let (first, second) = (Exchange::new(place(0), place(1)), Exchange::new(place(1), place(2)));
//! assert!(rules::replay(&boards, &[first, second]).is_ok());
//! let refusal = rules::replay(&boards, &[second]).unwrap_err();
//! assert_eq!(refusal.to_string(), "move 1: row 1, column 2 and row 1, column 3 have pieces of the same colour");
//! ```

use fewest_core::grid::Place;

use crate::instance::Instance;
use crate::plan::Exchange;

/// What breaks the rules in a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// A cell that the board does not have.
    #[error("{0} is not on the board")]
    Outside(Place),
    /// A cell that is a wall.
    #[error("{0} is a wall")]
    Wall(Place),
    /// The cells do not share an edge.
    #[error("{0} and {1} are no neighbours")]
    Apart(Place, Place),
    /// There is nothing to exchange.
    #[error("{0} and {1} have pieces of the same colour")]
    SameColour(Place, Place),
}

/// Plays a move on a board, which stays as it is if the move is illegal.
pub fn play(instance: &Instance, board: &mut [bool], exchange: Exchange) -> Result<(), Illegal> {
    let size = instance.size();
    let cell = |place: Place| {
        let cell = if size.contains(place) {
            size.number(place)
        } else {
            return Err(Illegal::Outside(place));
        };
        if instance.walls()[cell] { Err(Illegal::Wall(place)) } else { Ok(cell) }
    };
    let [one, other] = exchange.places();
    let (here, there) = (cell(one)?, cell(other)?);
    if one.row.abs_diff(other.row) + one.column.abs_diff(other.column) != 1 {
        return Err(Illegal::Apart(one, other));
    }
    if board[here] == board[there] {
        return Err(Illegal::SameColour(one, other));
    }
    board.swap(here, there);
    Ok(())
}

/// Why a plan does not make the target.
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
    /// All moves are legal, but the board after the last is not the target.
    #[error("after move {moves} the piece in {place} is not that of the target")]
    OffTarget {
        /// How many moves there were.
        moves: usize,
        /// The first cell that differs.
        place: Place,
    },
}

/// Plays a plan from the start: fine if each move is legal and the target stands at the end.
pub fn replay(instance: &Instance, plan: &[Exchange]) -> Result<(), Refusal> {
    let mut board = instance.start().to_vec();
    for (index, &exchange) in plan.iter().enumerate() {
        play(instance, &mut board, exchange)
            .map_err(|illegal| Refusal::Move { number: index + 1, illegal })?;
    }
    match board.iter().zip(instance.target()).position(|(here, wanted)| here != wanted) {
        Some(cell) => {
            let place = instance.size().place(cell);
            Err(Refusal::OffTarget { moves: plan.len(), place })
        }
        None => Ok(()),
    }
}
