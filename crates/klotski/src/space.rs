//! The packed state spaces: the fast twins of the rules. Here a state becomes bits, and a move is
//! decided.
//!
//! [`classic`] is for 5 x 4 cells with one 2x2, dominoes and singles, [`general`] for any board.
//! Both are made for a metric, a type that says [what one move is](Reach).

pub mod classic;
pub mod general;

use fewest_core::{Symmetric, Undirected};

use crate::board::Board;
use crate::plan::Metric;

/// A metric as a type.
pub trait Reach: Copy + Send + Sync + 'static {
    /// The same as a value.
    const METRIC: Metric;
}

/// Any way: [`Metric::Rectilinear`].
#[derive(Clone, Copy, Debug)]
pub struct Rectilinear;

/// Any distance in one direction: [`Metric::Straight`].
#[derive(Clone, Copy, Debug)]
pub struct Straight;

/// One cell: [`Metric::Unit`].
#[derive(Clone, Copy, Debug)]
pub struct Unit;

impl Reach for Rectilinear {
    const METRIC: Metric = Metric::Rectilinear;
}

impl Reach for Straight {
    const METRIC: Metric = Metric::Straight;
}

impl Reach for Unit {
    const METRIC: Metric = Metric::Unit;
}

/// The boards that have the pieces of a puzzle. Pieces of one class, of the same shape and without
/// goals of their own, are not told apart.
///
/// Each move can be undone. The mirror image of a board is one of the same space, with the same
/// distance to a goal, only if the space [is symmetric](Self::is_symmetric).
pub trait Boards: Undirected + Symmetric {
    /// Whether an image means anything.
    fn is_symmetric(&self) -> bool;

    /// The state of a board that has the pieces of the puzzle, with their characters, each where it
    /// could get to.
    fn pack(&self, board: &Board) -> Self::State;

    /// Of each piece its class and the cell that its first cell is on, class by class, and in order
    /// within a class.
    fn pieces(&self, state: Self::State) -> Vec<(usize, usize)>;

    /// The moves that the pieces with goals would take in all if nothing were in the way of each;
    /// `None` if one of them cannot get to its goal.
    fn relaxed_distance(&self, state: Self::State) -> Option<u32>;

    /// The cells of the first cell of a piece before and after the move that leads from a state to
    /// the next; `None` if none can lead there.
    fn moved(&self, state: Self::State, next: Self::State) -> Option<(usize, usize)>;
}

/// The board of a state, with the characters of the puzzle: those of a class go to its pieces in
/// order.
pub fn unpack<S: Boards>(space: &S, puzzle: &Board, state: S::State) -> Board {
    let mut board = puzzle.bare();
    let start = space.pieces(space.pack(puzzle));
    for ((_, from), (_, to)) in start.into_iter().zip(space.pieces(state)) {
        let piece = puzzle.cells()[from];
        board.put(piece, &puzzle.moved(&puzzle.cells_of(piece), to).unwrap_or_default());
    }
    board
}
