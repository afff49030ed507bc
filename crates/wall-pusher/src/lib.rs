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

mod bits;
pub mod builtin;
mod drawing;
mod edit;
pub mod explore;
pub mod generate;
pub mod heuristic;
pub mod instance;
mod judge;
pub mod picture;
pub mod plan;
mod proof;
pub mod puzzle;
mod quick;
mod read;
pub mod relaxation;
pub mod rules;
pub mod solve;
pub mod space;

pub use instance::{Instance, Size, Walls};
pub use plan::Plan;
pub use puzzle::WallPusher;
