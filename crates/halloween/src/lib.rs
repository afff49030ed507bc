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
//! assert_eq!(answer.outcome.cost(), Some(7));
//! ```

#![forbid(unsafe_code)]

#[cfg(feature = "search")]
mod bounds;
pub mod builtin;
pub mod certificate;
#[cfg(feature = "search")]
mod certify;
#[cfg(feature = "search")]
mod convert;
#[cfg(feature = "search")]
mod edit;
#[cfg(feature = "search")]
pub mod explore;
#[cfg(feature = "search")]
pub mod feasibility;
#[cfg(feature = "search")]
pub mod generate;
#[cfg(feature = "search")]
pub mod heuristic;
pub mod instance;
#[cfg(feature = "search")]
mod joint;
#[cfg(feature = "search")]
mod judge;
#[cfg(feature = "search")]
pub mod lacam;
pub mod moving_ai;
#[cfg(feature = "search")]
pub mod paths;
#[cfg(feature = "search")]
mod pibt;
mod pibt2;
#[cfg(feature = "search")]
pub mod picture;
mod placing;
pub mod plan;
#[cfg(feature = "search")]
mod prioritised;
#[cfg(feature = "search")]
pub mod puzzle;
mod read;
#[cfg(feature = "search")]
mod reservations;
pub mod rules;
#[cfg(feature = "search")]
pub mod single_agent;
#[cfg(feature = "search")]
pub mod solve;
#[cfg(feature = "search")]
mod solver;
#[cfg(feature = "search")]
pub mod space;
#[cfg(feature = "search")]
pub mod tables;
#[cfg(feature = "search")]
pub mod timeline;
pub mod yaml;

pub use instance::{Ghost, Instance, Size};
pub use plan::Plan;
#[cfg(feature = "search")]
pub use puzzle::Halloween;
