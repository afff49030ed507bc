//! Integration tests of `fewest-permutations`.

mod cube;
mod plain;
mod published;
mod random;
mod refusals;
mod symmetries;
