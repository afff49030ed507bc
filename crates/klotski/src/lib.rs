//! Klotski (Huarong Dao, L'âne rouge) and other sliding-piece puzzles: pieces slide on a board
//! until every piece that has a goal is on it.
//!
//! The classic puzzle has a board of 5 rows and 4 columns with one 2x2 piece and any number of
//! dominoes and singles. It asks for the fewest moves that bring the 2x2 piece to the middle of the
//! last two rows. A general puzzle has a board of any outline, pieces of any cells, goals for some
//! of the pieces, and locks that confine a piece to one axis, as in Rush Hour. The [`Metric`]
//! defines what counts as one move.
//!
//! ```
//! use fewest_core::budget::Budget;
//! use fewest_klotski::{Instance, Metric, Task, solve::solve};
//!
//! let layout = Instance::read("横刀立马".as_bytes()).next().unwrap().unwrap();
//! let task = Task::new(layout, Metric::Rectilinear);
//! let answer = solve(&task, None, &Budget::unlimited()).unwrap();
//! assert_eq!(answer.outcome.cost(), Some(81));
//! ```

#![forbid(unsafe_code)]

pub mod board;
pub mod builtin;
#[cfg(feature = "search")]
pub mod census;
pub mod certificate;
#[cfg(feature = "search")]
mod certify;
pub mod code;
#[cfg(feature = "search")]
mod convert;
#[cfg(feature = "search")]
mod edit;
#[cfg(feature = "search")]
pub mod explore;
mod forms;
#[cfg(feature = "search")]
pub mod generate;
#[cfg(feature = "search")]
pub mod heuristic;
pub mod instance;
#[cfg(feature = "search")]
mod judge;
pub mod layout;
#[cfg(feature = "search")]
pub mod options;
mod parts;
#[cfg(feature = "search")]
mod path;
#[cfg(feature = "search")]
pub mod picture;
pub mod plan;
#[cfg(feature = "search")]
mod plan_forms;
#[cfg(feature = "search")]
mod plan_moves;
#[cfg(feature = "search")]
pub mod plans;
#[cfg(feature = "search")]
pub mod puzzle;
pub mod read;
pub mod rules;
pub mod rush_hour;
pub mod short_code;
#[cfg(feature = "search")]
pub mod solve;
#[cfg(feature = "search")]
pub mod space;
pub mod task;

pub use board::Board;
pub use instance::{Axis, Goal, Instance, Lock};
pub use plan::{Metric, Plan, Slide};
#[cfg(feature = "search")]
pub use puzzle::Klotski;
pub use task::{Encoding, Task};
