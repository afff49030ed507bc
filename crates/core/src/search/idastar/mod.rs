//! IDA* (Korf, "Depth-first iterative-deepening: an optimal admissible tree search", 1985):
//! repeated depth-first searches under a rising threshold, with little memory.
//!
//! An iteration looks for a plan of at most `threshold` moves. It cuts off each state whose depth
//! plus the heuristic's bound exceeds the threshold. The next threshold is the least sum that was
//! cut off.
//!
//! Optimality: with an [admissible](crate::heuristic::Heuristic) heuristic, an iteration that fails
//! proves that every plan has at least as many moves as the next threshold.
//!
//! If moves have [costs](crate::space::cost), a number of moves is the sum of what they cost: in
//! the documentation and the names of this module, too.
//!
//! [`search`] remembers states in a transposition table, expands fewer states, and detects that no
//! plan exists. [`search_without_table`] needs almost no memory and spends less time on a state.
//!
//! The thread's stack does not limit the depth: beyond a fixed number of calls, states are stored
//! in lists whose memory is reserved from the budget.

mod plain;
mod table;

pub use plain::search_without_table;
pub(super) use plain::search_without_table_from;
pub use table::search;
pub(super) use table::{new_search, search_from};

/// The sum of depth and bound of a state that is on no plan.
const NO_PLAN: u32 = u32::MAX;
