//! Encodings: cell numbers, fields of bits in a word, ranks of permutations, and images of bits.
//!
//! - [`BitSymmetries`] has the images of a board of bits under a group of symmetries.
//! - [`Cells`] numbers the open cells of a grid and lists the neighbours of each.
//! - [`Fields`] packs several small numbers into one [`Word`](crate::Word).
//! - [`PermutationRanks`] ranks permutations of up to 16 values.

mod bit_symmetries;
mod cells;
mod fields;
mod permutation_ranks;

pub use bit_symmetries::BitSymmetries;
pub use cells::{CellIndex, Cells, MAX_OPEN_CELLS, UNREACHABLE};
pub use fields::{Fields, FieldsDoNotFit};
pub use permutation_ranks::{PermutationRanks, UnsupportedLength};
