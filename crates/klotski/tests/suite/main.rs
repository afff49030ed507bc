//! All integration tests of the crate in one binary, so that it is linked once.

mod census;
mod components;
mod layouts;
mod questions;
mod rules;
mod text;
