//! IDA*: depth-first searches under a rising bound on the plan, with hardly any memory (Korf,
//! 1985).
//!
//! Each iteration looks for a plan of at most `threshold` moves by depth plus heuristic; the next
//! threshold is the least sum that was cut off. No depth takes more of the thread's stack than some
//! calls: what is deeper is kept in lists that are booked on the budget.

mod plain;
mod table;

pub use plain::search_without_table;
pub use table::search;

/// A sum of depth and bound that no plan has.
const NEVER: u32 = u32::MAX;
