//! Textbook programs for the puzzles. `cargo xtask bench` compares them with each other and with
//! the library.
//!
//! The programs share no code with the library. They expect valid input and have no budget. Two
//! programs that are compared differ in one technique only, so they share the rest of the code: the
//! breadth-first loops in [`bfs`] and the visited sets in [`sets`].

#![forbid(unsafe_code)]

pub mod bfs;
pub mod boards;
pub mod costs;
pub mod ghosts;
pub mod klotski;
pub mod layers;
pub mod patterns;
pub mod sets;
pub mod tiles;
pub mod walls;

/// The result of a program for one instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// The optimal cost, or `None` if the instance is unsolvable.
    pub moves: Option<u32>,
    /// The number of expanded states.
    pub expanded: u64,
    /// The number of generated states.
    pub generated: u64,
}
