//! All integration tests of the crate in one binary, so that only one is linked.

mod analysis;
mod census;
mod certificate;
mod components;
mod forms;
mod layouts;
mod rules;
mod rush_hour;
mod text;
