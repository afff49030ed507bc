//! The lower bound of A* and IDA*: how far the 2x2 is from the exit.

use std::marker::PhantomData;

use fewest_core::{Heuristic, StateSpace};

use crate::instance::COLUMNS;
use crate::plan::Metric;
use crate::space::{EXIT, Reach, large};

/// The moves that the 2x2 would take if nothing were in its way: in units the rows plus the columns that it is away from
/// the exit, in straight moves one for the rows and one for the columns, and one at all in rectilinear moves. Consistent,
/// and the same for a board and its mirror image.
///
/// A few operations on four bits of the state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Way<M>(PhantomData<M>);

impl<M: Reach> Way<M> {
    /// There is nothing to prepare.
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

impl<M: Reach, S: StateSpace<State = u64>> Heuristic<S> for Way<M> {
    type Memo = u8;

    #[inline]
    fn memo(&self, state: u64) -> u8 {
        let large = large(state);
        let (rows, columns) = ((EXIT / COLUMNS).abs_diff(large / COLUMNS), (EXIT % COLUMNS).abs_diff(large % COLUMNS));
        let (rows, columns) = (rows as u8, columns as u8);
        match M::METRIC {
            Metric::Rectilinear => (rows | columns).min(1),
            Metric::Straight => rows.min(1) + columns.min(1),
            Metric::Unit => rows + columns,
        }
    }

    #[inline]
    fn bound(&self, moves: u8) -> Option<u32> {
        Some(moves.into())
    }
}
