//! What a puzzle is: an interface that programs, a web page and bindings share.
//!
//! | to | use |
//! | --- | --- |
//! | describe a puzzle | [`Puzzle`], and [`Offers`] for what only some puzzles offer |
//! | use puzzles by name | [`any`] |
//! | give options | [`options`] |
//! | pass results on | [`results`] as JSON, [`solution`] and [`report`] as text, [`plan_text`] to read plans |
//! | explore a space | [`explore`], and [`export`] for other programs |
//! | make instances | [`random`], [`hardest`], [`generate`], [`builtin`] |
//!
//! A crate of a puzzle implements [`Puzzle`] and [`Offers`], and is added to a list. A program goes
//! through the list and needs to know nothing else.

#![forbid(unsafe_code)]

pub mod any;
pub mod builtin;
pub mod capabilities;
pub mod certify;
pub mod error;
pub mod explore;
pub mod export;
pub mod generate;
pub mod hardest;
pub mod judge;
pub mod options;
pub mod plan_text;
pub mod prelude;
pub mod puzzle;
pub mod random;
pub mod report;
pub mod results;
mod schema;
pub mod solution;
pub mod words;

pub use any::{AnyPuzzle, of};
pub use capabilities::{Capabilities, Offers};
pub use error::SolveError;
pub use puzzle::{Choice, Info, Move, Parsed, Push, Puzzle, Solved};
