//! Textbook programs for the puzzles: what one would write after reading about them, each trick on
//! its own or not at all.
//!
//! `cargo xtask bench` measures them against each other and against the library. They share no code
//! with it, check nothing that need not be checked to be right, and ask for no budget. Two programs
//! that are compared differ in one trick, so they share all else: the plain breadth-first loop in
//! [`bfs`], the sets in [`sets`].

pub mod bfs;
pub mod boards;
pub mod ghosts;
pub mod klotski;
pub mod sets;
pub mod tiles;
pub mod walls;

/// What a program found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The fewest moves; `None` if no moves solve it.
    pub moves: Option<u32>,
    /// States whose successors were asked for.
    pub states: u64,
    /// Successors.
    pub nodes: u64,
}
