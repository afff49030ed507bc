//! All integration tests of the crate in one binary, so that it is linked once.

mod certificate;
mod data;
mod mazes;
mod rules;
mod text;
