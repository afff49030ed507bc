//! Certificates: files with a claim about an instance and a proof that can be checked with the
//! rules alone.
//!
//! | claim | what the file has | why it proves the claim |
//! | --- | --- | --- |
//! | a plan of `n` moves solves the instance, and none is shorter | the plan, and a *ball*: states with depths | the start has depth 0; each successor of a state of depth `d < n - 1` is in the file with a depth of at most `d + 1`; no state is solved. By induction, the file contains all states within `n - 1` moves of the start |
//! | no plan exists | a set of states | the set contains the start, is closed under successors, and contains no solved state |
//! | these are the layers from the start | states with depths | as a ball without a depth limit; moreover only the start has depth 0, and each state of depth `d > 0` is a successor of a state of depth `d - 1` |
//!
//! **Potentials.** A file may also contain the data of a [potential](Boards::potential): a
//! consistent lower bound `h` on the number of moves from each board. States with `d + h >= n` may
//! then be left out, and so may states for which the potential proves that no plan exists. If that
//! holds for the start, the file needs no states at all.
//!
//! **Parts.** A file may prove its bound for a [part](Boards::part) of the instance, such as a
//! subset of its pieces.
//!
//! **Two balls.** If all moves are invertible and there is a single solved board, a file may
//! contain two balls: one around the start with depths below `m`, and one around the goal with
//! depths below `n + 1 - m`. A plan of fewer than `n` moves would contain a board that has depth
//! `m - 1` in the first ball and a depth below `n + 1 - m` in the second, with a sum below `n`. It
//! is therefore enough to check that the two depths of each common board add up to at least `n`.
//!
//! **Mirror images.** A file may contain one board of each pair of mirror images. The checker then
//! expands both boards of the pair, and looks up each successor and its mirror image. This is sound
//! for any instance, so the file makes no claim about symmetry.
//!
//! [`check`] accesses an instance through [`Boards`]. This crate depends on no search.
//!
//! A certificate does not prove that the rules describe the intended puzzle, that this checker and
//! the compiler are correct, or anything about plans longer than the claimed one.

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
