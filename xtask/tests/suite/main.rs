//! All integration tests of the crate in one binary, which is linked once.

mod architecture;
mod own_puzzle;
mod serialized;
