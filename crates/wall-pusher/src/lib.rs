//! The Wall Pusher (UVa 10384, called "The Wall Pushers" in most sources): leave a maze whose inner
//! walls can be pushed.
//!
//! A move takes the player to a neighbouring cell. A wall on the edge between the two cells is
//! pushed to the next edge in the same direction, if that edge has no wall. Walls on the border
//! cannot be pushed, and a wall that is pushed into a gap in the border closes it. A plan leaves
//! the maze through a gap, and [`solve`](solve::solve) finds a plan with the fewest moves.
//!
//! ```
//! use fewest_core::budget::Budget;
//! use fewest_wall_pusher::{Instance, Size, solve::solve};
//!
//! // Two cells with a wall between them. The only gap is on the east, and the push closes it.
//! let text = b"1 1\n15 11\n";
//! let size = Size::new(1, 2).unwrap();
//! let maze = Instance::read(text, size).next().unwrap().unwrap();
//! let answer = solve(&maze, None, &Budget::unlimited()).unwrap();
//! assert_eq!(answer.outcome.optimal(), None);
//! ```

#![forbid(unsafe_code)]

#[cfg(feature = "search")]
mod bits;
pub mod builtin;
pub mod certificate;
#[cfg(feature = "search")]
mod certify;
#[cfg(feature = "search")]
mod convert;
mod drawing;
#[cfg(feature = "search")]
mod edit;
#[cfg(feature = "search")]
pub mod explore;
#[cfg(feature = "search")]
pub mod generate;
#[cfg(feature = "search")]
pub mod heuristic;
pub mod instance;
#[cfg(feature = "search")]
mod judge;
#[cfg(feature = "search")]
pub mod picture;
pub mod plan;
#[cfg(feature = "search")]
mod proof;
#[cfg(feature = "search")]
pub mod puzzle;
#[cfg(feature = "search")]
mod quick;
mod read;
#[cfg(feature = "search")]
pub mod relaxation;
pub mod rules;
#[cfg(feature = "search")]
pub mod solve;
#[cfg(feature = "search")]
pub mod space;

pub use instance::{Instance, Size, Walls};
pub use plan::Plan;
#[cfg(feature = "search")]
pub use puzzle::WallPusher;
