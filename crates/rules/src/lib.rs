//! What a checker of plans needs, and nothing else: the [rules](Rules) of a puzzle on a plain
//! board, the [replay](verify) of a plan by them, and the reading of [texts](text).
//!
//! No search, no picture and no serialization is linked, so that whoever trusts a plan has little
//! to trust.
//!
//! ```
//! use fewest_rules::{Refusal, Rules, replay, verify};
//!
//! /// A counter that goes up by 1 or 2 and has to show 3.
//! struct Counter;
//!
//! #[derive(Debug, PartialEq, thiserror::Error)]
//! #[error("{0} is neither 1 nor 2")]
//! struct WrongStep(u32);
//!
//! #[derive(Debug, PartialEq, thiserror::Error)]
//! #[error("the counter shows {0}")]
//! struct NotThree(u32);
//!
//! impl Rules for Counter {
//!     type Board = u32;
//!     type Move = u32;
//!     type Illegal = WrongStep;
//!     type Unsolved = NotThree;
//!
//!     fn start_board(&self) -> u32 {
//!         0
//!     }
//!     fn play(&self, count: &mut u32, &step: &u32) -> Result<(), WrongStep> {
//!         if !(1..=2).contains(&step) {
//!             return Err(WrongStep(step));
//!         }
//!         *count += step;
//!         Ok(())
//!     }
//!     fn check_solved(&self, &count: &u32) -> Result<(), NotThree> {
//!         if count == 3 { Ok(()) } else { Err(NotThree(count)) }
//!     }
//!     fn moves(&self, _: &u32) -> Vec<u32> {
//!         vec![1, 2]
//!     }
//! }
//!
//! assert_eq!(verify(&Counter, vec![1, 2]).unwrap().len(), 2);
//! let refusal = verify(&Counter, vec![1, 1]).unwrap_err();
//! assert_eq!(refusal.to_string(), "after move 2 the counter shows 2");
//! // A plan that is not complete can be replayed, but not verified.
//! assert_eq!(replay(&Counter, vec![1, 1]).unwrap()[..], [1, 1]);
//! let refusal = replay(&Counter, vec![1, 3]).unwrap_err();
//! assert_eq!(refusal.to_string(), "move 2: 3 is neither 1 nor 2");
//! ```

#![forbid(unsafe_code)]

pub mod builtin;
mod replay;
mod rules;
pub mod text;

pub use replay::{Refusal, RefusalOf, Replayed, Verified, replay, verify};
pub use rules::{Costs, Rules};
