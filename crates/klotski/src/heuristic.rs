//! The lower bound of A* and IDA*: how far the 2x2 is from the exit.

use std::marker::PhantomData;

use fewest_core::{Heuristic, StateSpace};

use crate::plan::Metric;
use crate::space::Reach;

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
        let large = (state >> 60) as u8;
        let (rows, columns) = (3 - large / 4, (large % 4).abs_diff(1));
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
