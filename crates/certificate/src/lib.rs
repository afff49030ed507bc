//! Certificates: what a solver claims about an instance, in a form that the rules alone can check.
//!
//! | claim | what the file has | why it proves the claim |
//! | --- | --- | --- |
//! | a plan of `n` moves solves the instance, and none is shorter | the plan, and a *ball*: states with depths | the start has depth 0; each successor of a state of depth `d < n - 1` has a depth of at most `d + 1`; no state is solved. So by induction each state within `n - 1` moves of the start is one of them |
//! | no plan exists | a set of states | it has the start and the successors of all its states, and none is solved |
//! | these are the layers from the start | states with depths | as a ball without an end; only the start has depth 0, and each state of depth `d > 0` is a successor of one of depth `d - 1` |
//!
//! A file may also have numbers from which a [potential](Boards::potential) follows by the rules: a
//! lower bound `h` on the moves from each board, which a move lowers by at most 1. Then states of
//! which `d + h` is at least `n` need not be there, nor those from which it proves that there is no
//! plan. If that holds for the start, the file has no states at all. And a file may prove its bound
//! for a [part](Boards::part) of the instance, such as some of its pieces.
//!
//! Where moves can be undone and there is one solved board, a file may have two balls: one around
//! the start without depths from `m` on, and one around the goal without depths from `n + 1 - m`
//! on. A plan of fewer than `n` moves would have a board with depth `m - 1` in the first one and a
//! lower depth than `n + 1 - m` in the second one; so it is enough that the depths of each board in
//! both have a sum of at least `n`.
//!
//! A file may have one of two mirror images for both. The checker then looks at both, and for each
//! successor it looks for the board or for its mirror image: that is sound whether or not the
//! instance is symmetric, so nothing is claimed about symmetry.
//!
//! [`check`] uses [`Boards`], which an instance implements by its rules. This crate knows no
//! search.
//!
//! What a certificate does not prove: that the rules are those of the puzzle that the user means,
//! that this checker and the compiler are right, and for a ball anything about longer plans.

#![forbid(unsafe_code)]

mod boards;
mod checker;
mod claim;
mod file;
mod poll;
mod refusal;
mod states;
mod writer;

pub use boards::{BoardOf, Boards, Bound, Potential};
pub use checker::{check, read_at_most};
pub use claim::Claim;
pub use poll::{IsStopped, POLL_INTERVAL, Poll};
pub use refusal::Refusal;
pub use states::{OutOfMemory, StateList};
pub use writer::{Certificate, Proof};
