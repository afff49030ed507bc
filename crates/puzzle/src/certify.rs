//! Certificates of instances: a solver makes them, and the rules check them.

use std::ops::ControlFlow;

use fewest_certificate::{BoardOf, Boards, Certificate, OutOfMemory, Proof, StateList};
pub use fewest_certificate::{Claim, Refusal, read_at_most};
use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::{CompleteLayer, Exploration};
use fewest_core::outcome::Verdict;
use fewest_rules::Rules;

use crate::error::SolveError;
use crate::puzzle::{Move, Puzzle};

/// Instances can be certified: boards have records, and are visited by a search.
pub trait Certify: Puzzle {
    /// The boards of an instance as records.
    type Boards<'a>: Boards<Rules = Self::Instance>;

    /// The boards of an instance.
    ///
    /// # Errors
    /// If its boards have no records.
    fn boards(instance: &Self::Instance) -> Result<Self::Boards<'_>, SolveError>;

    /// Numbers from which [`Boards::bound`] has the answer; `None` if the puzzle proves it by states.
    ///
    /// # Errors
    /// If a limit was reached.
    fn bound_numbers(_: &Self::Instance, _budget: &Budget) -> Result<Option<Vec<i64>>, SolveError> {
        Ok(None)
    }

    /// Visits all boards whose distance from the start is less than `end`, layer by layer. Boards that are
    /// equal up to the names of pieces are visited once; the moves of mirror images are not left out.
    ///
    /// # Errors
    /// If the instance is not supported.
    fn visit_boards(
        instance: &Self::Instance,
        end: u32,
        budget: &Budget,
        visit: VisitBoard<'_, <Self::Instance as Rules>::Board>,
    ) -> Result<Exploration, SolveError>;
}

/// Takes the distance of a board from the start, and the board.
pub type VisitBoard<'a, B> = &'a mut dyn FnMut(u32, &B) -> Result<(), Limit>;

/// What to certify.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
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

impl From<OutOfMemory> for SolveError {
    fn from(_: OutOfMemory) -> Self {
        Self::Stopped(Limit::Memory)
    }
}

/// A visitor of layers that stops before layer `end`.
pub fn below<W: Copy>(
    end: u32,
    mut visit: impl FnMut(u32, W) -> Result<(), Limit>,
) -> impl FnMut(u32, &dyn CompleteLayer<W>) -> Result<ControlFlow<()>, Limit> {
    move |depth, layer| {
        let mut visited = Ok(());
        let read = layer.read(&mut |states| {
            for &state in states {
                visited = visit(depth, state);
                if visited.is_err() {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        })?;
        visited?;
        // The next layer is not even generated.
        Ok(if depth + 1 >= end { ControlFlow::Break(()) } else { read })
    }
}

/// Makes a certificate, and checks it as a user would.
///
/// # Errors
/// If there is no answer within the budget, or a board has no record.
pub fn certify<P: Certify>(
    instance: &P::Instance,
    question: Question,
    budget: &Budget,
) -> Result<Certified, SolveError> {
    let (claim, plan, end) = match question {
        Question::Answer => answer::<P>(instance, budget)?,
        Question::Layers => (None, String::new(), u32::MAX),
    };
    let boards = P::boards(instance)?;
    let memory = budget.memory().limit_bytes();
    if let Some(claim) = &claim
        && let Some(numbers) = P::bound_numbers(instance, budget)?
    {
        let proof = Proof::Numbers(&numbers);
        let file = Certificate { claim, plan: &plan, proof }.file(&boards);
        fewest_certificate::check(&boards, &file, memory).map_err(refused)?;
        return Ok(Certified { file, claim: claim.clone(), states: 0 });
    }
    if boards.record_bytes() > usize::from(u8::MAX) {
        return Err(SolveError::unsupported(
            "a certificate by boards needs at most 255 bytes a board",
        ));
    }
    // States of half of the boards, if the start is its own mirror image: then the distances are equal.
    let mirrored = claim.is_some() && is_symmetric(&boards);
    let made = make::<P>(instance, &boards, claim.clone(), &plan, end, mirrored, budget)?;
    match fewest_certificate::check(&boards, &made.file, memory) {
        Ok(_) => return Ok(made),
        // The goals need not be symmetric.
        Err(Refusal::State { .. }) if mirrored => {}
        Err(refusal) => return Err(refused(refusal)),
    }
    let made = make::<P>(instance, &boards, claim, &plan, end, false, budget)?;
    fewest_certificate::check(&boards, &made.file, memory).map_err(refused)?;
    Ok(made)
}

fn refused(refusal: Refusal) -> SolveError {
    match refusal {
        Refusal::Memory => SolveError::Stopped(Limit::Memory),
        refusal => {
            SolveError::Bug(format!("the rules refuse the certificate of the search: {refusal}"))
        }
    }
}

/// The claim, the lines of a plan, and the depth that no state has.
fn answer<P: Certify>(
    instance: &P::Instance,
    budget: &Budget,
) -> Result<(Option<Claim>, String, u32), SolveError> {
    match P::solve(instance, None, budget)?.outcome.verdict {
        Verdict::Solved { plan, cost } => {
            let mut lines = String::new();
            for by in &plan {
                write_line::<P>(instance, by, &mut lines)?;
            }
            Ok((Some(Claim::Optimal { moves: cost }), lines, cost))
        }
        Verdict::Unsolvable => Ok((Some(Claim::Unsolvable), String::new(), u32::MAX)),
        Verdict::Stopped { limit, .. } => Err(SolveError::Stopped(limit)),
    }
}

fn write_line<P: Certify>(
    instance: &P::Instance,
    by: &Move<P>,
    lines: &mut String,
) -> Result<(), SolveError> {
    let written = P::write_move(instance, by, lines);
    lines.push('\n');
    written.map_err(|_| SolveError::Bug("a move cannot be written".to_owned()))
}

fn is_symmetric<B: Boards>(boards: &B) -> bool {
    let record = |board: &BoardOf<B>| {
        let mut record = Vec::new();
        boards.write_record(board, &mut record);
        record
    };
    let start = boards.rules().start_board();
    boards.mirror(&start).is_some_and(|image| record(&image) == record(&start))
}

fn make<P: Certify>(
    instance: &P::Instance,
    boards: &P::Boards<'_>,
    claim: Option<Claim>,
    plan: &str,
    end: u32,
    has_mirrors: bool,
    budget: &Budget,
) -> Result<Certified, SolveError> {
    // Half of the memory is for the search, which is at its end when the list is full.
    let mut states = StateList::new(boards.record_bytes(), budget.memory().limit_bytes() / 2);
    let (mut record, mut image) = (Vec::new(), Vec::new());
    let mut layers: Vec<u64> = Vec::new();
    if end > 0 {
        let explored = P::visit_boards(instance, end, budget, &mut |depth, board| {
            record.clear();
            if !boards.write_record(board, &mut record) {
                return Ok(());
            }
            image.clear();
            if has_mirrors && let Some(mirrored) = boards.mirror(board) {
                boards.write_record(&mirrored, &mut image);
            }
            layers.resize(layers.len().max(depth as usize + 1), 0);
            layers[depth as usize] += 1;
            if !image.is_empty() && image < record {
                // The other board of the pair stands for both.
                return Ok(());
            }
            states.push(&record, depth).map_err(|OutOfMemory| Limit::Memory)
        })?;
        if let Some(limit) = explored.limit() {
            return Err(SolveError::Stopped(limit));
        }
    }
    let claim = claim.unwrap_or(Claim::Layers(layers));
    let proof = Proof::States { states: &states, has_mirrors };
    let file = Certificate { claim: &claim, plan, proof }.file(boards);
    Ok(Certified { file, states: states.len(), claim })
}
