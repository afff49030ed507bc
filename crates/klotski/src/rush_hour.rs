//! Rush Hour: cars on a square board, each of which moves along its length only, and a red car that
//! has to reach the right end of its row.

#[cfg(feature = "search")]
mod cars;
#[cfg(feature = "search")]
pub mod census;
#[cfg(feature = "search")]
pub mod climb;
#[cfg(feature = "search")]
mod lane;
#[cfg(feature = "search")]
mod lane_set;
pub mod line;
pub(crate) mod red_car;
#[cfg(feature = "search")]
pub mod universe;

/// The row of the red car, from 0.
pub const RED_ROW: usize = 2;
