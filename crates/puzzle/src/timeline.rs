//! The forms of a plan: a move on each line, or a timeline.

use fewest_rules::text::{Diagnostic, Line};
use fewest_rules::{Replayed, Rules};

/// Plans can be written as what all pieces are on at each time.
pub trait Timeline<I: Rules = Self> {
    /// The lines of a plan, from the start on: `0:(5,16),(2,0)` and so on.
    fn write_timeline(&self, plan: &Replayed<I>) -> String;

    /// Reads such lines.
    ///
    /// # Errors
    /// A diagnostic of a line.
    fn read_timeline(&self, lines: &[Line<'_>]) -> Result<Vec<I::Move>, Diagnostic>;
}

/// How a plan is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanForm {
    /// A move on each line.
    Moves,
    /// What all pieces are on at each time: [`Timeline`].
    Timeline,
}
