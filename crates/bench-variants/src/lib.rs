//! Textbook programs for the puzzles: what one would write after reading about them, each trick on its own or not at all.
//!
//! `cargo xtask bench` measures them against the library. They share no code with it, check nothing that need not be checked
//! to be right, and ask for no budget.

pub mod tiles;
