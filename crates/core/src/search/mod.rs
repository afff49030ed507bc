//! Searches for a shortest plan: [`Search`], which picks an engine, and the engines, one per file.
//!
//! | engine | requires | memory grows with | use it when |
//! | --- | --- | --- | --- |
//! | [`bfs`] | any space | states up to the goal's depth | no good heuristic is known |
//! | [`bidirectional`] | goals, predecessors | states up to half that depth | the goals are few |
//! | [`astar`] | a heuristic | states that the bound does not rule out | the bound is good |
//! | [`idastar`] | a heuristic | the depth, or the table | few paths lead to the same state |
//!
//! [`all_shortest`] finds every shortest plan instead of one.
//!
//! An engine returns a plan as a chain of states, the initial state first: `n + 1` states for a
//! plan of `n` moves. [`moves_along`](crate::space::moves_along) finds the moves between them.
//! Queues store neither parents nor paths; the engine recovers the plan by a walk back from the
//! goal. An engine that no limit stops always returns the same plan for the same space. Two engines
//! may return different plans of the same cost.
//!
//! A search that a limit stops returns [`Stopped`](crate::outcome::Verdict::Stopped) with a lower
//! bound on the cost. Once a goal is found, the recovery of the plan ignores the time limit and a
//! cancellation for up to two seconds, and its expansions do not count against the limit on states.
//!
//! A caller can drive an engine: [`Search::steps`] makes one expansion at a time, and
//! [`LayeredSearch::pull_layers`] hands over blocks of states that somebody else expands.
//!
//! Breadth-first search, bidirectional search and explorations see a [space](crate::seam) behind a
//! `dyn`, and keep its states in a [store](crate::store); they are [compiled] once for each type of
//! word. A* and IDA* decide for each successor, and are compiled for each space and heuristic; they
//! store a depth or a bound with each state in tables of their own.
//!
//! ```
//! use std::ops::ControlFlow;
//! use fewest_core::search::{Engine, Search};
//! use fewest_core::{Goals, Heuristic, Predecessors, StateSpace};
//!
//! /// A knight on a chess board, from one corner to the opposite one. Squares are numbered row by
//! /// row.
//! struct Knight;
//!
//! impl StateSpace for Knight {
//!     type State = u32;
//!     type Move = (); // the two squares identify the move
//!     fn initial(&self, mut emit: impl FnMut(u32)) {
//!         emit(0)
//!     }
//!     fn is_goal(&self, square: u32) -> bool {
//!         square == 63
//!     }
//!     fn successors<B>(
//!         &self,
//!         square: u32,
//!         _last: Option<()>,
//!         mut emit: impl FnMut((), u32) -> ControlFlow<B>,
//!     ) -> ControlFlow<B> {
//!         for to in 0..64_u32 {
//!             let offset = ((to % 8).abs_diff(square % 8), (to / 8).abs_diff(square / 8));
//!             if let (1, 2) | (2, 1) = offset {
//!                 emit((), to)?;
//!             }
//!         }
//!         ControlFlow::Continue(())
//!     }
//! }
//!
//! impl Predecessors for Knight {
//!     const UNDIRECTED: bool = true;
//! }
//!
//! impl Goals for Knight {
//!     fn goals(&self, mut emit: impl FnMut(u32)) {
//!         emit(63)
//!     }
//! }
//!
//! /// A move reduces the number of rows plus columns to the goal by at most 3.
//! impl Heuristic<Knight> for Knight {
//!     type Evaluation = u32;
//!     fn evaluate(&self, square: u32) -> u32 {
//!         (7 - square % 8) + (7 - square / 8)
//!     }
//!     fn bound(&self, rows_and_columns: u32) -> Option<u32> {
//!         Some(rows_and_columns.div_ceil(3))
//!     }
//! }
//!
//! for engine in Engine::ALL {
//!     let search = Search::new(&Knight).heuristic(&Knight).predecessors().goals();
//!     assert_eq!(search.engine(engine)?.run().cost(), Some(6), "{engine}");
//! }
//! # Ok::<(), fewest_core::search::UnsupportedEngine>(())
//! ```

pub mod all_shortest;
pub mod astar;
pub mod bfs;
pub mod bidirectional;
mod bidirectional_by_cost;
mod bucket_queue;
mod builder;
pub mod compiled;
mod cost_queue;
mod depths;
mod driven_side;
pub mod heuristics;
pub mod idastar;
mod layered;
mod open_list;
mod pulled;
pub(crate) mod recovery;
mod settings;
mod stepped;
mod steps;

use std::fmt;
use std::str::FromStr;

pub use builder::Search;
pub use layered::LayeredSearch;
pub use pulled::PulledLayers;
pub use steps::{Node, Step, Steps};

use crate::outcome::Outcome;

/// The engines that a user can choose by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Engine {
    /// Breadth-first search: [`bfs`].
    Bfs,
    /// Bidirectional breadth-first search: [`bidirectional`].
    Bidirectional,
    /// A*: [`astar`].
    Astar,
    /// IDA*: [`idastar`].
    Idastar,
}

impl Engine {
    /// All engines.
    pub const ALL: [Self; 4] = [Self::Bfs, Self::Bidirectional, Self::Astar, Self::Idastar];

    /// The name that [`FromStr`] parses, such as `"bfs"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bfs => "bfs",
            Self::Bidirectional => "bidirectional",
            Self::Astar => "astar",
            Self::Idastar => "idastar",
        }
    }

    /// What the engine needs beyond a [`StateSpace`](crate::StateSpace).
    fn needs(self) -> &'static str {
        match self {
            Self::Bfs => "nothing",
            Self::Bidirectional => "lists of the goals and of predecessors",
            Self::Astar | Self::Idastar => "a heuristic",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The result of solving an instance: the outcome, and the engine that produced it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<P> {
    /// The outcome. The rules of the puzzle have accepted its plan.
    pub outcome: Outcome<P>,
    /// The name of the [`Engine`], or of a method specific to the puzzle.
    pub engine: &'static str,
}

impl<P> Answer<P> {
    /// The same answer with its plan, if it has one, translated by `translate`.
    pub fn map<Q>(self, translate: impl FnMut(P) -> Q) -> Answer<Q> {
        Answer { outcome: self.outcome.map(translate), engine: self.engine }
    }
}

/// The error of an engine for which a search may not use what it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the engine `{0}` is not available: it needs {needs}", needs = .0.needs())]
pub struct UnsupportedEngine(pub Engine);

/// The error of parsing an engine from a name that no [`Engine`] has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown engine; expected `bfs`, `bidirectional`, `astar` or `idastar`")]
pub struct UnknownEngine;

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        let mut engines = Self::ALL.into_iter();
        engines.find(|engine| engine.name() == name).ok_or(UnknownEngine)
    }
}
