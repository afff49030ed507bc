//! Rush Hour: cars on a square board, each of which moves along its length only, and a red car that
//! has to reach the right end of its row.

mod cars;
pub mod census;
pub mod climb;
mod lane;
mod lane_set;
pub mod line;
pub mod universe;

/// The row of the red car, from 0.
pub const RED_ROW: usize = 2;
