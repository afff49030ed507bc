//! All integration tests of the crate in one binary, so that it is linked once.

mod data;
mod feasibility;
mod generate;
mod houses;
mod lacam;
mod moving_ai;
mod rules;
mod tables;
mod text;
