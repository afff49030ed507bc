//! The Morning after Halloween (ICPC Tokyo 2007 G; UVa 1601, AOJ 1281): ghosts on a map that all
//! move at the same time. It is multi-agent path finding with the makespan as the cost.
//!
//! In one step every ghost stays or moves to a neighbouring corridor cell. After the step no two
//! ghosts share a cell, and no two have exchanged cells. A plan is a sequence of steps that brings
//! every ghost to its goal; the cost of a plan is its number of steps.
//!
//! ```
//! use fewest_core::budget::Budget;
//! use fewest_halloween::{Instance, solve::solve};
//!
//! let text = b"5 5 2\n#####\n#A#B#\n#   #\n#b#a#\n#####\n";
//! let instance = Instance::read(text).next().unwrap().unwrap();
//! let answer = solve(&instance, None, &Budget::unlimited()).unwrap();
//! assert_eq!(answer.outcome.moves(), Some(7));
//! ```

#![forbid(unsafe_code)]

mod bounds;
pub mod builtin;
mod edit;
pub mod explore;
pub mod feasibility;
pub mod generate;
pub mod heuristic;
pub mod instance;
mod joint;
mod judge;
pub mod lacam;
pub mod moving_ai;
mod pibt;
pub mod picture;
pub mod plan;
mod prioritised;
pub mod puzzle;
mod reservations;
pub mod rules;
pub mod single_agent;
pub mod solve;
mod solver;
pub mod space;
pub mod tables;
pub mod timeline;

pub use instance::{Ghost, Instance, Size};
pub use plan::Plan;
pub use puzzle::Halloween;
