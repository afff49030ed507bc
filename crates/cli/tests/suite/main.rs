//! All integration tests of the crate in one binary, so that they are linked once.

#[cfg(unix)]
mod book;
mod cli;
mod golden;
#[cfg(unix)]
mod help;
#[cfg(unix)]
mod judge;
mod limits;
mod program;
mod schemas;
mod sheet;
