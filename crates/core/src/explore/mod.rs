//! Exploration of all reachable states, layer by layer:
//! [`Search::explore`](crate::search::Search::explore), and what it returns.
//!
//! [`graph::Graph::of`] keeps all states and all moves in memory, for many searches of the same
//! space. Explorations start from the initial states and ignore whether a state is a goal.
//!
//! ```
//! use std::ops::ControlFlow;
//! use fewest_core::search::Search;
//! use fewest_core::space::from_fn;
//!
//! // A dial with ten digits that turns in both directions.
//! let dial = from_fn([0_u32], |digit| [1, 9].map(|turn| (turn, (digit + turn) % 10)), |_| false);
//! let all = Search::new(&dial).explore(|_, _| ControlFlow::Continue(()));
//! assert_eq!(all.layers, [1, 2, 2, 2, 2, 1]);
//! ```

pub mod diameter;
pub mod graph;
mod iter;
mod layers;

use crate::budget::{Budget, Limit};
use crate::representation::{RepresentationChoice, UnsupportedRepresentation};
use crate::stats::Stats;

pub use iter::{Layer, Layers};
pub use layers::{CompleteLayer, VisitLayer, explore_in};

/// The number of reachable states at each depth.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Exploration {
    /// `layers[d]` is the number of states at depth `d`, unless there are `distances`. All of them
    /// are complete, whatever ended the exploration. If it is complete, the last index or distance
    /// is the eccentricity of the start.
    pub layers: Vec<u64>,
    /// If moves have [costs](crate::space::cost), the distance of each of `layers`, in ascending
    /// order; else empty.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub distances: Vec<u32>,
    /// The sizes of the layers in the [checkpoint](crate::checkpoint) that the exploration had not
    /// read back when a limit ended it.
    pub unread: Vec<u64>,
    /// Why the exploration ended.
    pub end: End,
    /// The work of the exploration. If the space declares no
    /// [`PRUNING`](crate::StateSpace::PRUNING), `generated` is the number of moves from
    /// all expanded states.
    pub stats: Stats,
    /// How the exploration kept its states, and why; `None` if the caller gave the store.
    pub representation: Option<RepresentationChoice>,
}

/// Why an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum End {
    /// All reachable states were generated.
    Complete,
    /// The visitor returned `Break`.
    Visitor,
    /// A limit was reached.
    Limit(Limit),
}

impl Exploration {
    /// An exploration that `limit` stopped before it started.
    pub fn stopped(limit: Limit, budget: &Budget) -> Self {
        let stats = budget.meter().stats();
        let (layers, distances, unread) = (Vec::new(), Vec::new(), Vec::new());
        Self { layers, distances, unread, end: End::Limit(limit), stats, representation: None }
    }

    /// As [`Outcome::supported`](crate::Outcome::supported).
    ///
    /// # Errors
    /// What was asked for.
    pub fn supported(self) -> Result<Self, UnsupportedRepresentation> {
        match self.end {
            End::Limit(Limit::Representation(error)) => Err(error),
            _ => Ok(self),
        }
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
