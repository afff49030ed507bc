//! Pattern databases: tables of exact distances in an abstraction of a space, used as a heuristic
//! (Culberson and Schaeffer 1998).
//!
//! A *pattern* is the part of a state that the abstraction keeps, such as two ghosts of many or
//! five tiles of fifteen. Patterns and their moves form a [`StateSpace`](crate::StateSpace) that is
//! small enough to be searched completely. One search from its goals computes the distance of every
//! pattern. The distance is admissible if every goal of the original space has a goal pattern, and
//! every move of the original space changes the pattern by at most one move of the pattern space,
//! which costs no more.
//!
//! | type | what it is |
//! | --- | --- |
//! | [`Database`] | a byte for each pattern, computed by all threads, saved and loaded |
//! | [`Additive`] | the heuristic: the sum of the distances of several patterns, each looked up |
//! | [`ResumableDatabase`] | the distances that a search needs so far, and more when it asks |
//!
//! Distances of several patterns may be added if no move is counted in two of them (Felner, Korf
//! and Hanan 2004). Here a move turns one of three dials of ten digits, and each dial is a pattern:
//!
//! ```
//! use fewest_core::pattern::{Additive, Database};
//! use fewest_core::prelude::*;
//! use fewest_core::space::from_fn;
//!
//! let turned = |digit: u32| [1, 9].map(|turn| (digit + turn) % 10);
//! let weights = [100, 10, 1];
//! let digit = move |state: u32, weight: u32| state / weight % 10;
//! let dials = from_fn(
//!     [738_u32],
//!     move |state| {
//!         weights.into_iter().flat_map(move |weight| {
//!             let before = digit(state, weight);
//!             turned(before).map(|after| ((weight, after), state - weight * before + weight * after))
//!         })
//!     },
//!     |state| state == 0,
//! );
//!
//! let budget = Budget::unlimited();
//! let dial = from_fn([0_u32], |digit| turned(digit).map(|after| ((), after)), |digit| digit == 0)
//!     .undirected()
//!     .with_goals([0])
//!     .with_ranks(10, u64::from, |rank| rank as u32);
//! // All three have the same table.
//! let table = Database::new(&dial, &budget)?;
//! let bound = Additive::new(weights.map(|weight| {
//!     (move |state: u32| u64::from(state / weight % 10), &table)
//! }));
//! let outcome = Search::new(&dials).heuristic(&bound).run();
//! assert_eq!((outcome.cost(), outcome.stats.expanded), (Some(8), 8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Where a move changes several patterns, it may count in one of them only: it
//! [costs](crate::space::cost) 1 in that pattern space, and 0 in the others.

mod additive;
mod database;
mod file;
mod resumable;

pub use additive::{Abstraction, Additive};
pub use database::Database;
pub use file::DatabaseError;
pub use resumable::ResumableDatabase;
