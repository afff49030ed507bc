//! Exploration of all reachable states, layer by layer.
//!
//! | function | memory | threads |
//! | --- | --- | --- |
//! | [`explore()`], [`explore_with`] | the visited set and two layers | one |
//! | [`explore_folded`] | the same, for half of the states of a symmetric space | one |
//! | [`explore_in`], [`explore_in_with`], [`explore_in_with_counts`] | those of a [store](crate::store) | those of the store |
//! | [`graph::Graph::of`] | all states and all moves | one |
//!
//! All of them start from the initial states and ignore whether a state is a goal.
//!
//! ```
//! use std::ops::ControlFlow;
//! use fewest_core::{StateSpace, budget::Budget, explore::explore, visited::Table};
//!
//! /// A dial with ten digits that turns in both directions.
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
//!         digit: u16,
//!         _last: Option<u16>,
//!         mut emit: impl FnMut(u16, u16) -> ControlFlow<B>,
//!     ) -> ControlFlow<B> {
//!         [1, 9].into_iter().try_for_each(|turn| emit(turn, (digit + turn) % 10))
//!     }
//! }
//!
//! let all = explore::<Table<_>, _>(&Dial, &Budget::unlimited());
//! assert_eq!(all.layers, [1, 2, 2, 2, 2, 1]);
//! ```

pub mod diameter;
mod folded;
pub mod graph;
mod layers;

use crate::budget::{Budget, Limit};
use crate::stats::Stats;

pub use folded::{FoldedExploration, explore_folded};
pub(crate) use layers::explore_by_layer;
pub use layers::{
    CompleteLayer, explore, explore_in, explore_in_with, explore_in_with_counts, explore_with,
};

/// The number of reachable states at each depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// `layers[d]` is the number of states at depth `d`. All of them are complete, whatever ended the
    /// exploration. If it is complete, the last index is the eccentricity of the start.
    pub layers: Vec<u64>,
    /// Why the exploration ended.
    pub end: End,
    /// The work of the exploration. If the space declares no
    /// [`MOVE_PRUNING`](crate::StateSpace::MOVE_PRUNING), `generated` is the number of moves from
    /// all expanded states.
    pub stats: Stats,
}

/// Why an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All reachable states were generated.
    Complete,
    /// The visitor broke.
    Visitor,
    /// A limit was reached.
    Limit(Limit),
}

impl Exploration {
    /// An exploration that `limit` stopped before it started.
    pub(crate) fn stopped(limit: Limit, budget: &Budget) -> Self {
        Self { layers: Vec::new(), end: End::Limit(limit), stats: budget.meter().stats() }
    }

    /// The limit that stopped the exploration, if one did.
    pub fn limit(&self) -> Option<Limit> {
        match self.end {
            End::Limit(limit) => Some(limit),
            End::Complete | End::Visitor => None,
        }
    }

    /// The number of states in all layers.
    pub fn states(&self) -> u64 {
        self.layers.iter().sum()
    }
}
