//! The rules of a puzzle.

use std::error::Error;

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

    /// What a legal move costs: by default 1, as if moves were counted. A pair, of which the first
    /// number counts first, has it in the upper 16 bits, and the second in the lower ones.
    fn cost(&self, _: &Self::Board, _: &Self::Move) -> u32 {
        1
    }

    /// The instance that starts with this board, to go on from any position. `None` if no instance
    /// can start with it; by default with no board, for puzzles that always start in the same way.
    fn with_board(&self, _: Self::Board) -> Option<Self> {
        None
    }
}
