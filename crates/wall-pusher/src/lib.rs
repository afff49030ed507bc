//! The Wall Pusher (UVa 10384): the way out of a maze whose inner walls can be pushed.
//!
//! A move goes to a neighbouring cell. A wall in the way is pushed one cell ahead, if there is room
//! for it; two walls at once are too many, and the walls of the border never move. Wanted are the
//! fewest moves that lead out through a gap in the border.
//!
//! ```
//! use fewest_core::budget::Budget;
//! use fewest_wall_pusher::{Instance, Size, solve::solve};
//!
//! // Two cells, walls around and between; the way out is on the far side, and the wall between goes there if pushed.
//! let text = b"1 1\n15 11\n";
//! let size = Size::new(1, 2).unwrap();
//! let maze = Instance::read(text, size).next().unwrap().unwrap();
//! let answer = solve(&maze, None, &Budget::unlimited()).unwrap();
//! assert_eq!(answer.outcome.plan(), None);
//! ```

mod bits;
pub mod builtin;
mod drawing;
pub mod explore;
pub mod generate;
pub mod heuristic;
pub mod instance;
pub mod picture;
pub mod plan;
mod proof;
mod quick;
pub mod relaxation;
pub mod rules;
pub mod solve;
pub mod space;

pub use instance::{Instance, Size, Walls};
pub use plan::Plan;
