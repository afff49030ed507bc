//! Fewest moves, with proof: what every solver of this workspace is built on, and nothing of any
//! puzzle.
//!
//! A puzzle becomes a [`StateSpace`]: states packed into a [`Word`], a fixed order of successors, a
//! goal test. A [`search`] walks it under a [`Budget`](budget::Budget) with a [`visited`] set that
//! fits it, and returns an [`Outcome`](outcome::Outcome): a chain of states that is proved
//! shortest, a proof that there is none, or how far the budget carried.
//!
//! The crate prints nothing, exits from nothing and knows no puzzle. `examples/sliding_tile` is a
//! whole puzzle in two short files.

pub mod budget;
pub mod builtin;
pub mod encoding;
pub mod explore;
pub mod grid;
pub mod hardest;
pub mod heuristic;
pub mod memory;
pub mod outcome;
pub mod pattern;
pub mod progress;
pub mod random;
pub mod search;
pub mod space;
pub mod stats;
pub mod symmetry;
pub mod text;
pub mod visited;
pub mod word;

pub use heuristic::Heuristic;
pub use space::{Goals, MovePruning, Predecessors, Ranked, StateSpace, Undirected};
pub use symmetry::Symmetric;
pub use word::Word;
