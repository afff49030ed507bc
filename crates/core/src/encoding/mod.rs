//! From the things of a puzzle to numbers, and from numbers to bits.

mod cells;
mod fields;
mod permutations;

pub use cells::{Cell, Cells, UNREACHABLE};
pub use fields::Fields;
pub use permutations::Permutations;
