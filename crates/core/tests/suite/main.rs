//! All integration tests of the crate in one binary, so that it is linked once.

mod blocks;
mod by_set;
mod check;
mod checkpoint;
mod cluster;
mod costs;
mod cube;
mod engines;
mod graphs;
mod own_word;
mod pattern;
mod peg_solitaire;
mod runs;
mod search;
mod sokoban;
mod spaces;
mod steps;
mod symmetry;
mod test_files;
