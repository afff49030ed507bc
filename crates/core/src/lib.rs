//! Optimal search in implicit state spaces.
//!
//! A puzzle implements [`StateSpace`]: states packed into a [`Word`], successors in a fixed order,
//! and a goal test. A move costs 1, or what the space [says](cost). A [`Search`] returns an
//! [`Outcome`]: a plan that is proved shortest, a proof that no plan exists, or, if a limit stopped
//! the search, a proved lower bound.
//!
//! | to | use |
//! | --- | --- |
//! | describe a puzzle | [`space`], [`word`], [`cost`] |
//! | pack states into words and number them | [`encoding`] |
//! | find a shortest plan, or visit all reachable states | [`Search`] |
//! | choose the engine and its data structures yourself | [`search`], [`explore`] |
//! | test what a space promises | [`check`] |
//! | limit time, memory and states | [`budget`], [`memory`], [`clock`] |
//! | keep states on a disk, and go on later | [`storage`], [`disk`], [`checkpoint`] |
//! | search in several processes | [`cluster`] |
//! | import the common names at once | [`prelude`] |
//! | read the result | [`outcome`], [`stats`], [`progress`] |
//! | store the states that were generated | [`representation`], [`visited`], [`store`], [`disk`] |
//! | guide A* and IDA* | [`heuristic`], [`pattern`] |
//! | search one state of all that are images of one another | [`symmetry`] |
//!
//! The module [`space`] has a complete example of a few lines. `examples/pancakes` is a puzzle with
//! a heuristic and a pattern database in one file, and `docs/own-puzzle.md` explains it step by
//! step. `examples/sliding_tile` shows every capability of a space.
//!
//! With the feature `serde`, outcomes, explorations and limits are serialized.
//!
//! The crate is independent of any puzzle. It does not print or exit the process, and it accesses
//! files only through a [`disk`].

#![warn(missing_debug_implementations)]

mod buckets;
pub mod budget;
pub mod check;
pub mod checkpoint;
pub mod clock;
pub mod cluster;
pub mod disk;
mod driver;
pub mod encoding;
mod expansion;
pub mod explore;
pub mod heuristic;
mod layers;
mod limit;
pub mod memory;
pub mod outcome;
pub mod pattern;
pub mod prelude;
pub mod progress;
pub mod representation;
mod run_file;
pub mod seam;
pub mod search;
pub mod space;
pub mod stats;
pub mod storage;
pub mod store;
pub mod symmetry;
pub mod visited;
pub mod word;
mod worker_pool;

pub use budget::{Budget, Limit, Limits};
pub use heuristic::Heuristic;
pub use outcome::{Outcome, Plan, Stopped, Verdict};
pub use search::{Engine, Search};
pub use space::cost;
pub use space::{Goals, Predecessors, Pruning, Ranked, StateSpace, Tags};
pub use symmetry::Symmetric;
pub use word::Word;
