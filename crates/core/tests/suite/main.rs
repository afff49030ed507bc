//! All integration tests of the crate in one binary, so that it is linked once.

mod engines;
mod graphs;
mod symmetry;
