//! What a puzzle is.

#![forbid(unsafe_code)]

pub mod builtin;
pub mod hardest;
pub mod random;
