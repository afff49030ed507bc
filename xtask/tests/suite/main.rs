//! All integration tests of the crate in one binary, so that it is linked once.

mod architecture;
mod own_puzzle;
