//! Klotski (Huarong Dao, L'âne rouge) and sliding pieces at large: pieces slide on a board until
//! those that have a goal are there.
//!
//! The classic puzzle has one 2x2 piece, any dominoes and single cells on 5 rows and 4 columns, and
//! asks for the fewest moves that bring the 2x2 to the middle of the last two rows. A puzzle at
//! large has pieces of any cells on a board of any outline, goals for some of them, and pieces that
//! move along one axis only, as Rush Hour has. What counts as one move, the [`Metric`] says.
//!
//! ```
//! use fewest_core::budget::Budget;
//! use fewest_klotski::{Instance, Metric, solve::{Choice, solve}};
//!
//! let layout = Instance::read("横刀立马".as_bytes()).next().unwrap().unwrap();
//! let answer = solve(&layout, Metric::Rectilinear, Choice::default(), &Budget::unlimited()).unwrap();
//! assert_eq!(answer.outcome.cost(), Some(81));
//! ```

pub mod board;
pub mod builtin;
pub mod census;
pub mod code;
pub mod explore;
pub mod generate;
pub mod heuristic;
pub mod instance;
pub mod picture;
pub mod plan;
mod plan_moves;
pub mod plans;
pub mod read;
pub mod rules;
pub mod rush_hour;
pub mod solve;
pub mod space;

pub use board::Board;
pub use instance::{Axis, Goal, Instance, Lock};
pub use plan::{Metric, Plan, Slide};
