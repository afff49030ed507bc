//! All integration tests of the crate in one binary, which is linked only once.

mod certificate;
mod data;
mod feasibility;
mod forms;
mod generate;
mod lacam;
mod maps;
mod moving_ai;
mod plain;
mod rules;
mod tables;
mod text;
