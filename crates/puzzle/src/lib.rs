//! What a puzzle is: an interface that programs, a web page and bindings share.
//!
//! | to | use |
//! | --- | --- |
//! | describe a puzzle | [`Puzzle`] |
//! | use puzzles by name | [`AnyPuzzle`] |
//! | give options | [`options`] |
//! | offer or use a verb | its module: [`solve`], [`verify`], [`show`], [`explore`], [`certify`], ... |
//! | pass results on | the `...Report` of a verb as JSON, by [`results`] |
//! | search for instances | [`random`], [`hardest`], [`generate`] |
//!
//! A module of a verb has the trait that a puzzle or an instance implements to offer it, and its
//! results with their forms: JSON, text, CSV. A crate of a puzzle implements [`Puzzle`] and these
//! traits, and is added to a list. A program goes through the list and needs to know nothing else.

#![forbid(unsafe_code)]

pub mod any;
pub mod builtin;
pub mod census;
pub mod certify;
pub mod certifying;
pub mod convert;
pub mod count_plans;
pub mod distances;
pub mod edit;
pub mod error;
pub mod explore;
pub mod exploring;
pub mod export;
pub mod generate;
pub mod generating;
pub mod graph;
pub mod hardest;
pub mod judge;
pub mod options;
pub mod prelude;
pub mod puzzle;
pub mod random;
pub mod rank;
pub mod results;
pub mod schemas;
pub mod show;
pub mod solve;
pub mod timeline;
pub mod verify;
pub mod words;
pub mod work;

pub use any::AnyPuzzle;
pub use error::SolveError;
pub use puzzle::{Choice, Info, Move, Parsed, Push, Puzzle, Solved, Verbs};
