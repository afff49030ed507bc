//! Whole state spaces, layer by layer.
//!
//! ```
//! use std::ops::ControlFlow;
//! use fewest_core::{StateSpace, budget::Budget, explore::explore, visited::Table};
//!
//! /// A dial of ten figures that turns both ways.
//! struct Dial;
//!
//! impl StateSpace for Dial {
//!     type State = u16;
//!     type Move = u16;
//!     fn initial(&self, mut emit: impl FnMut(u16)) {
//!         emit(0)
//!     }
//!     fn is_goal(&self, _: u16) -> bool {
//!         false
//!     }
//!     fn successors<B>(
//!         &self,
//!         figure: u16,
//!         _last: Option<u16>,
//!         mut emit: impl FnMut(u16, u16) -> ControlFlow<B>,
//!     ) -> ControlFlow<B> {
//!         [1, 9].into_iter().try_for_each(|turn| emit(turn, (figure + turn) % 10))
//!     }
//! }
//!
//! let all = explore::<Table<_>, _>(&Dial, &Budget::unlimited());
//! assert_eq!(all.layers, [1, 2, 2, 2, 2, 1]);
//! ```

pub mod diameter;
mod folded;
pub mod graph;
mod in_memory;
mod parallel;

use crate::budget::Limit;
use crate::stats::Stats;

pub use folded::{FoldedExploration, explore_folded};
pub use in_memory::{explore, explore_with};
pub use parallel::{explore_by, sweep};

/// The states that can be reached, counted by their depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// How many states lie at depth 0, 1, 2 and so on. The last one is the eccentricity of the
    /// start.
    pub layers: Vec<u64>,
    /// What ended the exploration before all states were met; the layers are complete up to there.
    pub limit: Option<Limit>,
    /// The work. The generated states are the edges: each is counted from each state that it can be
    /// reached from.
    pub stats: Stats,
}

impl Exploration {
    /// All states counted.
    pub fn states(&self) -> u64 {
        self.layers.iter().sum()
    }
}
