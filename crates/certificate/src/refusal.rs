//! Why a certificate does not prove its claim.

use fewest_rules::text::Diagnostic;

/// Why a certificate is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The file is not what was written.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// It is about another instance.
    #[error("it is about another {field}: {found}, not {expected}")]
    Differs {
        /// The part of the question that differs.
        field: String,
        /// What the certificate has.
        found: String,
        /// What the instance has.
        expected: String,
    },
    /// The plan is not one.
    #[error("the plan: {0}")]
    Plan(String),
    /// A record is that of no board, or not the one that its board has.
    #[error("record {0} is that of no board")]
    NoBoard(usize),
    /// The start is not in the set with depth 0, or something else is.
    #[error("{board} {what}")]
    State {
        /// The board.
        board: String,
        /// What is wrong with it.
        what: String,
    },
    /// A layer does not have the number of boards that is claimed.
    #[error("distance {distance} has {found} boards, and {claimed} are claimed")]
    Layer {
        /// The distance.
        distance: usize,
        /// The number of boards in the file.
        found: u64,
        /// The number that is claimed.
        claimed: u64,
    },
    /// Its numbers prove nothing, or less than is claimed.
    #[error("its numbers: {0}")]
    Numbers(String),
    /// It is about a part that the instance does not have.
    #[error("its part: {0}")]
    Part(String),
    /// It has states from a goal, and the instance cannot be reversed.
    #[error("its states from the goal: {0}")]
    Back(String),
    /// The certificate does not fit the memory.
    #[error("it does not fit the memory")]
    Memory,
    /// The check was stopped.
    #[error("the check was stopped")]
    Stopped,
}

impl From<Diagnostic> for Refusal {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Plan(diagnostic.to_string())
    }
}
