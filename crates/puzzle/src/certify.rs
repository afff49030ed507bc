//! `certify` and `check`: a solver makes certificates of instances, and the rules check them.

pub use fewest_certificate::{Claim, Refusal, read_at_most};
use fewest_certificate::{IsStopped, POLL_INTERVAL};
use fewest_core::budget::Budget;
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::SolveError;
use crate::results::report;

/// An instance can be certified, as everything that is
/// [`Certifiable`](crate::certifying::Certifiable).
pub trait Certify {
    /// Makes a certificate, and checks it as a user would.
    ///
    /// # Errors
    /// If there is no answer within the budget, or a board has no record.
    fn certify(&self, subject: Subject, budget: &Budget) -> Result<Certified, SolveError>;

    /// Checks a certificate by the rules, in at most `memory` bytes. It asks `is_stopped` again and
    /// again.
    ///
    /// # Errors
    /// If the boards have no records.
    fn check(
        &self,
        file: &[u8],
        memory: u64,
        is_stopped: IsStopped<'_>,
    ) -> Result<Result<Claim, Refusal>, SolveError>;
}

/// What to certify.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The fewest moves, or that there is no plan.
    Answer,
    /// The number of boards at each distance.
    Layers,
}

/// A certificate, and what it proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certified {
    /// The file.
    pub file: Vec<u8>,
    /// The claim.
    pub claim: Claim,
    /// The number of states in the file.
    pub states: usize,
}

/// Whether the check of a certificate is stopped. To be asked as a
/// [`Poll`](fewest_certificate::Poll) does: it counts the steps.
pub fn is_check_stopped(budget: &Budget) -> bool {
    budget.note_checked(POLL_INTERVAL.into());
    budget.check().is_err()
}

/// A certificate that was made: `certify --json`.
#[derive(Serialize, JsonSchema)]
pub struct CertifyReport<'a> {
    /// The name of the data set.
    instance: &'a str,
    /// What is certified.
    claim: ClaimName,
    /// The number of moves of a shortest plan; null if the claim is another one.
    cost: Option<u32>,
    /// The number of boards at each distance; null if the claim is another one.
    layers: Option<&'a [u64]>,
    /// The number of states in the file.
    states: usize,
    /// The number of bytes of the file.
    bytes: usize,
}

/// What a certificate claims.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum ClaimName {
    /// A plan has this number of moves, and none has fewer.
    Optimal,
    /// No plan exists.
    Unsolvable,
    /// These are the numbers of boards at each distance from the start.
    Layers,
}

/// The name, the number of moves, and the layers of a claim.
fn parts(claim: &Claim) -> (ClaimName, Option<u32>, Option<&[u64]>) {
    match claim {
        Claim::Optimal { cost: moves } => (ClaimName::Optimal, Some(*moves), None),
        Claim::Unsolvable => (ClaimName::Unsolvable, None, None),
        Claim::Layers(layers) => (ClaimName::Layers, None, Some(layers)),
    }
}

impl<'a> CertifyReport<'a> {
    /// The report of a certificate of an instance.
    pub fn new(name: &'a str, certified: &'a Certified) -> Self {
        let Certified { file, claim, states } = certified;
        let (claim, cost, layers) = parts(claim);
        Self { instance: name, claim, cost, layers, states: *states, bytes: file.len() }
    }
}

report!(CertifyReport<'_>, "certify", 1);

/// Whether a certificate is accepted: `check --json`.
#[derive(Serialize, JsonSchema)]
pub struct CheckReport<'a> {
    /// The name of the data set.
    instance: &'a str,
    /// Whether the certificate is accepted.
    accepted: bool,
    /// What it proves; null if it is refused.
    claim: Option<ClaimName>,
    /// The number of moves of a shortest plan; null if the claim is another one.
    cost: Option<u32>,
    /// The number of boards at each distance; null if the claim is another one.
    layers: Option<&'a [u64]>,
    /// Why it is refused; null if it is accepted.
    refusal: Option<String>,
}

impl<'a> CheckReport<'a> {
    /// The report of a check.
    pub fn new(name: &'a str, checked: &'a Result<Claim, Refusal>) -> Self {
        let parts = checked.as_ref().ok().map(parts);
        Self {
            instance: name,
            accepted: checked.is_ok(),
            claim: parts.map(|(claim, ..)| claim),
            cost: parts.and_then(|(_, cost, _)| cost),
            layers: parts.and_then(|(.., layers)| layers),
            refusal: checked.as_ref().err().map(ToString::to_string),
        }
    }
}

report!(CheckReport<'_>, "check", 1);
