//! The error of a certificate that does not prove its claim.

use fewest_rules::text::Diagnostic;

/// Why a certificate is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The file is malformed or its checksum is wrong.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// It is about another instance.
    #[error("it is about another {field}: {found}, not {expected}")]
    Differs {
        /// The field that differs.
        field: String,
        /// The value in the certificate.
        found: String,
        /// The value of the instance.
        expected: String,
    },
    /// The plan is illegal, does not solve the instance, or has another length than claimed.
    #[error("the plan: {0}")]
    Plan(String),
    /// A record does not decode to a board, or is not the canonical record of its board.
    #[error("record {0} is not a valid board")]
    NoBoard(usize),
    /// A board violates a condition of the proof.
    #[error("{board} {what}")]
    State {
        /// The board.
        board: String,
        /// What is wrong with it.
        what: String,
    },
    /// The size of a layer differs from the claim.
    #[error("distance {distance} has {found} boards, but {claimed} are claimed")]
    Layer {
        /// The distance.
        distance: usize,
        /// The number of boards in the file.
        found: u64,
        /// The number that is claimed.
        claimed: u64,
    },
    /// The potential is invalid, or proves less than claimed.
    #[error("its numbers: {0}")]
    Numbers(String),
    /// The instance has no such part.
    #[error("its part: {0}")]
    Part(String),
    /// It has states from the goal, but the instance cannot be reversed.
    #[error("its states from the goal: {0}")]
    Back(String),
    /// The certificate does not fit into the memory limit.
    #[error("it does not fit into the memory limit")]
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
