//! All integration tests of the crate in one binary, so that it is linked once.

mod boards;
mod certificate;
mod data;
mod matching;
mod rules;
mod text;
