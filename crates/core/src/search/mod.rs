//! Searches for a shortest plan, one engine a file. All of them prove what they answer.
//!
//! | engine | asks of the space | memory grows with | take it when |
//! | --- | --- | --- | --- |
//! | [`bfs`] | nothing more | all states up to the goal's depth | there is no bound worth having, or all is to be seen |
//! | [`parallel`] | nothing more | the same | the same, and there are processors to spare |
//! | [`bidirectional`] | goals, predecessors | two balls of half the depth | the goals are few and moves run backwards |
//! | [`astar`] | a heuristic | the states that the bound cannot rule out | the bound is good |
//! | [`idastar`] | a heuristic | the depth, or the table allowed | states are cheap, many and met by few ways |
//!
//! [`all`] finds every shortest plan instead of one.
//!
//! An engine returns the plan as a chain of states, start first;
//! [`moves_along`](crate::space::moves_along) names its moves. No queue carries parents or paths: a
//! plan is recovered by walking back from the goal. Each engine always finds the same plan; two
//! engines may find different ones, of the same cost.
//!
//! Breadth-first and bidirectional search are told by a type which [visited set](crate::visited) to
//! use; A* and IDA* need to note more of a state than that it was met, and bring tables of their
//! own.
//!
//! ```
//! use std::ops::ControlFlow;
//! use fewest_core::search::{astar, bfs, bidirectional, idastar};
//! use fewest_core::{Goals, Heuristic, StateSpace, Undirected, budget::Budget, visited::Table};
//!
//! /// A knight's way across a chess board, from corner to corner. Squares are numbered row by row.
//! struct Knight;
//!
//! impl StateSpace for Knight {
//!     type State = u16;
//!     type Move = (); // two squares say it
//!     fn initial(&self, mut emit: impl FnMut(u16)) {
//!         emit(0)
//!     }
//!     fn is_goal(&self, square: u16) -> bool {
//!         square == 63
//!     }
//!     fn successors<B>(
//!         &self,
//!         square: u16,
//!         _last: Option<()>,
//!         mut emit: impl FnMut((), u16) -> ControlFlow<B>,
//!     ) -> ControlFlow<B> {
//!         for to in 0..64u16 {
//!             if let (1, 2) | (2, 1) = ((to % 8).abs_diff(square % 8), (to / 8).abs_diff(square / 8)) {
//!                 emit((), to)?;
//!             }
//!         }
//!         ControlFlow::Continue(())
//!     }
//! }
//!
//! impl Undirected for Knight {}
//!
//! impl Goals for Knight {
//!     fn goals(&self, mut emit: impl FnMut(u16)) {
//!         emit(63)
//!     }
//! }
//!
//! /// A move brings it at most three rows and columns nearer.
//! impl Heuristic<Knight> for Knight {
//!     type Evaluation = u16;
//!     fn evaluate(&self, square: u16) -> u16 {
//!         (7 - square % 8) + (7 - square / 8)
//!     }
//!     fn bound(&self, to_go: u16) -> Option<u32> {
//!         Some(to_go.div_ceil(3).into())
//!     }
//! }
//!
//! let budget = Budget::unlimited();
//! assert_eq!(bfs::search_with_predecessors::<Table<_>, _>(&Knight, &budget).cost(), Some(6));
//! assert_eq!(bidirectional::search::<Table<_>, _>(&Knight, &budget).cost(), Some(6));
//! assert_eq!(astar::search_with_predecessors(&Knight, &Knight, &budget).cost(), Some(6));
//! assert_eq!(idastar::search(&Knight, &Knight, &budget).cost(), Some(6));
//! ```

pub mod all_shortest;
pub mod astar;
pub mod bfs;
pub mod bidirectional;
mod bucket_queue;
pub mod idastar;
pub(crate) mod layers;
pub mod parallel;
pub(crate) mod worker_pool;

use std::fmt;
use std::str::FromStr;

use crate::outcome::Outcome;

/// The engines by name, for those who let a user choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// [`bfs`]
    Bfs,
    /// [`bidirectional`]
    Bidirectional,
    /// [`astar`]
    Astar,
    /// [`idastar`]
    Idastar,
}

impl Engine {
    /// Every engine.
    pub const ALL: [Self; 4] = [Self::Bfs, Self::Bidirectional, Self::Astar, Self::Idastar];

    /// The name that [`FromStr`] reads.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bfs => "bfs",
            Self::Bidirectional => "bidirectional",
            Self::Astar => "astar",
            Self::Idastar => "idastar",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a puzzle's crate answers: the outcome, and the engine that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<P> {
    /// With a plan that the rules of the puzzle have accepted.
    pub outcome: Outcome<P>,
    /// What found it: an [`Engine`], or a method of the puzzle's own.
    pub engine: &'static str,
}

/// There is no engine of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no engine of that name")]
pub struct UnknownEngine;

impl FromStr for Engine {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        let mut engines = Self::ALL.into_iter();
        engines.find(|engine| engine.name() == name).ok_or(UnknownEngine)
    }
}
