//! Certificates: files with a claim about an instance and a proof that can be checked with the
//! rules alone.
//!
//! | claim | what the file has | why it proves the claim |
//! | --- | --- | --- |
//! | a plan of cost `n` solves the instance, and none is cheaper | the plan, and a *ball*: states with depths | the start has depth 0; each successor of a state of depth `d` by a move of cost `c` with `d + c < n` is in the file with a depth of at most `d + c`; no state is solved. By induction, the file contains all states nearer to the start than `n` |
//! | no plan exists | a set of states | the set contains the start, is closed under successors, and contains no solved state |
//! | these are the layers from the start | states with depths | as a ball without a depth limit; moreover each state but the start is reached at its depth: by a move of cost `c > 0` from a state of depth `d - c`, or by moves of cost 0 from a state that is so reached, or from the start |
//!
//! **Potentials.** A file may also contain the data of a [potential](Boards::potential): a
//! consistent lower bound `h` on the cost of a plan from each board. States with `d + h >= n` may
//! then be left out, and so may states for which the potential proves that no plan exists. If that
//! holds for the start, the file needs no states at all.
//!
//! **Parts.** A file may prove its bound for a [part](Boards::part) of the instance, such as a
//! subset of its pieces.
//!
//! **Two balls.** If each move can be undone by one that costs as much and there is a single solved
//! board, a file may contain two balls: one around the start with depths below `m`, and one around
//! the goal with depths below `n + c - m`, where `c` is the greatest cost. The last board below `m`
//! on a plan that costs less than `n` would have a depth of at least `m - c` in the first ball, and
//! so one below `n + c - m` in the second, with a sum below `n`. It is therefore enough to check
//! that the two depths of each common board add up to at least `n`.
//!
//! **Mirror images.** A file may contain one board of each pair of mirror images. The checker then
//! expands both boards of the pair, and looks up each successor and its mirror image. This is sound
//! for any instance, so the file makes no claim about symmetry.
//!
//! Moves cost 1 unless the [rules](fewest_rules::Rules::COSTS) say otherwise.
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
