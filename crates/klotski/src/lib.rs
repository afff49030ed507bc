//! Klotski (Huarong Dao, L'âne rouge): blocks slide on a board of 5 rows and 4 columns until the large one stands before
//! the exit.
//!
//! A layout has one 2x2 block, any dominoes and single cells, and at least two blanks. Wanted are the fewest moves that
//! bring the 2x2 to the middle of the last two rows; what counts as one move, the [`Metric`] says.
//!
//! ```
//! use fewest_core::budget::Budget;
//! use fewest_klotski::{Instance, Metric, solve::solve};
//!
//! let layout = Instance::read("横刀立马".as_bytes()).next().unwrap().unwrap();
//! let answer = solve(&layout, Metric::Rectilinear, None, &Budget::unlimited()).unwrap();
//! assert_eq!(answer.outcome.cost(), Some(81));
//! ```

pub mod builtin;
pub mod code;
pub mod heuristic;
pub mod instance;
pub mod plan;
pub mod rules;
pub mod solve;
pub mod space;

pub use instance::{Board, Instance};
pub use plan::{Metric, Plan, Slide};
