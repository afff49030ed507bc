//! The rules of a puzzle.

use std::error::Error;
use std::ops::RangeInclusive;

/// The rules of one instance of a puzzle, on a plain board.
///
/// They are written directly from the statement of the puzzle and use neither a packed state nor a
/// search, so that they can judge both.
pub trait Rules: Sized {
    /// A position during play.
    type Board: Clone;
    /// A move.
    type Move: Clone;
    /// Why a move is illegal.
    type Illegal: Error;
    /// Why a board is not solved.
    type Unsolved: Error;

    /// What a move is called in messages.
    const MOVE: &'static str = "move";

    /// What moves cost.
    const COSTS: Costs<Self> = Costs::Unit;

    /// The board before the first move.
    fn start_board(&self) -> Self::Board;

    /// Plays a move.
    ///
    /// # Errors
    /// The rule that the move breaks. The board is unchanged then.
    fn play(&self, board: &mut Self::Board, by: &Self::Move) -> Result<(), Self::Illegal>;

    /// Accepts a board on which the puzzle is solved.
    ///
    /// # Errors
    /// What is missing.
    fn check_solved(&self, board: &Self::Board) -> Result<(), Self::Unsolved>;

    /// Whether the puzzle is solved.
    fn is_solved(&self, board: &Self::Board) -> bool {
        self.check_solved(board).is_ok()
    }

    /// The legal moves, in a fixed order. If several pieces may move at once, only the moves of
    /// single pieces, because all combinations are too many.
    fn moves(&self, board: &Self::Board) -> Vec<Self::Move>;

    /// The instance that starts with this board, to go on from any position. `None` if no instance
    /// can start with it; by default with no board, for puzzles that always start in the same way.
    fn with_board(&self, _: Self::Board) -> Option<Self> {
        None
    }
}

/// What the moves of a puzzle cost.
#[derive(Debug)]
pub enum Costs<R: Rules> {
    /// Each costs 1, so that a plan costs the number of its moves.
    Unit,
    /// Each has a cost of its own. A pair, of which the first number counts first, is one number:
    /// the first in the upper 16 bits, the second in the lower ones.
    ByMove {
        /// What a legal move from a board costs.
        cost: fn(&R, &R::Board, &R::Move) -> u32,
        /// The least and the greatest cost.
        range: fn(&R) -> RangeInclusive<u32>,
    },
}

impl<R: Rules> Costs<R> {
    /// What a legal move from a board costs.
    ///
    /// # Panics
    /// If it is not in the range.
    pub fn of(rules: &R, board: &R::Board, by: &R::Move) -> u32 {
        match R::COSTS {
            Self::Unit => 1,
            Self::ByMove { cost, .. } => Self::check(rules, cost(rules, board, by)),
        }
    }

    /// The least and the greatest cost.
    pub fn range(rules: &R) -> RangeInclusive<u32> {
        match R::COSTS {
            Self::Unit => 1..=1,
            Self::ByMove { range, .. } => range(rules),
        }
    }

    /// A cost that is in the range.
    ///
    /// # Panics
    /// If it is not: a certificate would prove less than it seems to.
    pub fn check(rules: &R, cost: u32) -> u32 {
        let range = Self::range(rules);
        assert!(range.contains(&cost), "invalid rules: a move costs {cost}, expected {range:?}");
        cost
    }
}
