//! What the crate of a puzzle usually needs: `use fewest_puzzle::prelude::*;`

pub use fewest_core::StateSpace;
pub use fewest_core::budget::Budget;
pub use fewest_core::search::{Answer, Engine};
pub use fewest_geometry::Cell;
pub use fewest_rules::text::{Diagnostic, Line, data_sets, number, quote};
pub use fewest_rules::{Replayed, Rules, Verified, verify};
pub use fewest_scene::DrawLimits;
pub use fewest_scene::{Animation, DrawError, Ink, Motion, Part, Scene, Shape, Step};

pub use crate::builtin::Builtin;
pub use crate::explore::{Explore, ExploreVerb, Explored, OnLayer};
pub use crate::exploring::explore_from_start;
pub use crate::graph::{BoardGraph, StateTexts, VisitGraph};
pub use crate::options::NoOptions;
pub use crate::work::WorkError;
pub use crate::{Info, Parsed, Puzzle, SolveError, Solved, Verbs};
