//! Searches for a shortest plan, one engine a file. All of them prove what they answer.
//!
//! | engine | asks of the space | memory grows with | take it when |
//! | --- | --- | --- | --- |
//! | [`bfs`] | nothing more | all states up to the goal's depth | there is no bound worth having, or all is to be seen |
//! | [`bidirectional`] | goals, predecessors | two balls of half the depth | the goals are few and moves run backwards |
//! | [`astar`] | a heuristic | the states that the bound cannot rule out | the bound is good |
//! | [`idastar`] | a heuristic | the depth, or the table allowed | states are cheap, many and met by few ways |
//!
//! An engine returns the plan as a chain of states, start first; [`moves_along`](crate::space::moves_along) names its
//! moves. No engine stores parents or paths: a plan is recovered by walking back through the layers, and where there is
//! a choice the least state, as a word, is taken, so the plan does not depend on the order of the work.

pub mod astar;
pub mod bfs;
pub mod bidirectional;
mod bucket_queue;
pub mod idastar;
pub(crate) mod layers;

use std::fmt;
use std::str::FromStr;

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
