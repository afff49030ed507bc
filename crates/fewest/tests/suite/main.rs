//! All integration tests of the crate in one binary, so that they are linked once.

#[cfg(unix)]
mod book;
#[cfg(unix)]
mod browser;
mod certificates;
mod cli;
mod cluster;
#[cfg(unix)]
mod compiled;
mod forms;
#[cfg(unix)]
mod game;
mod golden;
#[cfg(unix)]
mod help;
#[cfg(unix)]
mod judge;
mod limits;
#[cfg(unix)]
mod page;
#[cfg(unix)]
mod player;
mod program;
mod schemas;
mod serve;
mod sheet;
#[cfg(unix)]
mod site;
mod storage;
