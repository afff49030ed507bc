//! Black and white (Luogu P1225; P4289, HAOI 2008): pieces of two colours on a grid.
//!
//! A move exchanges two pieces of different colours on neighbouring cells. A plan turns the start
//! board into the target board, and [`solve`](solve::solve) finds a plan with the fewest moves. It
//! does not search: a minimum-cost flow of black pieces is a shortest plan.
//!
//! ```
//! use fewest_black_white::{Instance, Size, solve::solve};
//! use fewest_core::budget::Budget;
//!
//! let size = Size::new(2, 2).unwrap();
//! let boards = Instance::read(b"10\n00\n\n00\n01\n", size).next().unwrap().unwrap();
//! let answer = solve(&boards, None, &Budget::unlimited()).unwrap();
//! assert_eq!(answer.outcome.cost(), Some(2));
//! ```

#![forbid(unsafe_code)]

pub mod builtin;
pub mod certificate;
#[cfg(feature = "search")]
mod certify;
#[cfg(feature = "search")]
mod combinations;
#[cfg(feature = "search")]
mod edit;
#[cfg(feature = "search")]
mod explore;
#[cfg(feature = "search")]
mod flow;
#[cfg(feature = "search")]
pub mod heuristic;
pub mod instance;
#[cfg(feature = "search")]
mod judge;
#[cfg(feature = "search")]
mod matching;
#[cfg(feature = "search")]
pub mod picture;
pub mod plan;
#[cfg(feature = "search")]
pub mod puzzle;
pub mod rules;
#[cfg(feature = "search")]
pub mod solve;
#[cfg(feature = "search")]
pub mod space;

pub use instance::{Board, Instance, Size};
pub use plan::{Exchange, Plan};
#[cfg(feature = "search")]
pub use puzzle::BlackWhite;
