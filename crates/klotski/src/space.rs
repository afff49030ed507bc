//! The packed state spaces, the fast counterpart of [`rules`](crate::rules): they pack a board into
//! bits and generate its successors.
//!
//! [`classic`] encodes boards of 5 x 4 cells with one 2x2 piece, dominoes and singles. [`general`]
//! encodes any board. The classic space takes the metric as a [type](StaticMetric), because a
//! branch on it costs up to a tenth of the time; for the general space it costs at most 3 %.

pub mod classic;
pub mod general;
pub mod wide;

use fewest_core::{Predecessors, Symmetric};

use crate::board::Board;
use crate::plan::Metric;

/// A metric as a type, so that a search is compiled for each metric.
pub trait StaticMetric: Copy + Send + Sync + 'static {
    /// The metric as a value.
    const METRIC: Metric;
}

/// [`Metric::Rectilinear`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Rectilinear;

/// [`Metric::Straight`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Straight;

/// [`Metric::Unit`] as a type.
#[derive(Clone, Copy, Debug)]
pub struct Unit;

impl StaticMetric for Rectilinear {
    const METRIC: Metric = Metric::Rectilinear;
}

impl StaticMetric for Straight {
    const METRIC: Metric = Metric::Straight;
}

impl StaticMetric for Unit {
    const METRIC: Metric = Metric::Unit;
}

/// The space of all boards with the pieces of one puzzle.
///
/// The pieces are divided into classes. Two pieces are in one class if and only if they have no
/// goals, have the same shape, lock and gates, and can reach the same cells on an otherwise empty
/// board. A state holds where the pieces of each class are, but not which of them is where.
///
/// Every move can be undone.
pub trait BoardSpace: Predecessors + Symmetric<Move: PartialEq> {
    /// Whether the mirror image of each board is a board of the space with the same distance to a
    /// goal. If not, [`image`](Symmetric::image) has no meaning, and the space must not be
    /// [folded](fewest_core::symmetry::Folded).
    fn is_symmetric(&self) -> bool;

    /// Packs a board. It must have the pieces of the puzzle under their characters, each in a
    /// placement that it can reach on an otherwise empty board; the state is meaningless
    /// otherwise.
    fn pack(&self, board: &Board) -> Self::State;

    /// The class of each piece and the number of its first cell, sorted by both.
    fn pieces(&self, state: Self::State) -> Vec<(usize, usize)>;

    /// The sum over the pieces with goals of the number of moves to the goal on an otherwise empty
    /// board; `None` if a piece cannot reach its goal.
    fn relaxed_distance(&self, state: Self::State) -> Option<u32>;

    /// The number of the first cell of the piece that a move from `state` to `next` moves, before
    /// and after the move; `None` unless the states differ in exactly one piece.
    fn moved_piece(&self, state: Self::State, next: Self::State) -> Option<(usize, usize)>;
}

/// Unpacks a state into a board.
///
/// The k-th piece of a class, in reading order, gets the character that the k-th piece of the class
/// has on `instance`.
pub fn unpack<S: BoardSpace>(space: &S, instance: &Board, state: S::State) -> Board {
    let mut board = instance.without_pieces();
    let start = space.pieces(space.pack(instance));
    for ((_, from), (_, to)) in start.into_iter().zip(space.pieces(state)) {
        let piece = instance.cells()[from];
        board.put(piece, &instance.translated(&instance.cells_of(piece), to).unwrap_or_default());
    }
    board
}
