//! How certificates are made: from the boards that a search visits.

use std::ops::ControlFlow;

use fewest_certificate::{
    BoardOf, Boards, Certificate, IsStopped, OutOfMemory, Poll, Proof, StateList,
};
use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::{CompleteLayer, Exploration};
use fewest_core::memory::Reservation;
use fewest_core::outcome::Verdict;
use fewest_rules::Rules;

use crate::certify::{Certified, Certify, Claim, Refusal, Subject, is_check_stopped};
use crate::error::SolveError;
use crate::puzzle::{Puzzle, line};

/// An instance whose boards have records, and are visited by a search.
pub trait Certifiable: Rules + Sized {
    /// The puzzle.
    type Puzzle: Puzzle<Instance = Self>;
    /// The boards as records.
    type Boards<'a>: Boards<Rules = Self>
    where
        Self: 'a;

    /// The boards as records.
    ///
    /// # Errors
    /// If they have none.
    fn boards(&self) -> Result<Self::Boards<'_>, SolveError>;

    /// What may prove a claim with fewer states, or without any. Of several, the one with the
    /// smallest certificate is taken.
    ///
    /// # Errors
    /// If a limit was reached.
    fn evidence(
        &self,
        _boards: &Self::Boards<'_>,
        _claim: &Claim,
        _budget: &Budget,
    ) -> Result<Vec<Evidence>, SolveError> {
        Ok(vec![Evidence::default()])
    }

    /// Visits all boards whose distance from the start is less than `end`, layer by layer. Boards
    /// that are equal up to the names of pieces are visited once; the moves of mirror images are
    /// not left out.
    ///
    /// # Errors
    /// If the instance is not supported.
    fn visit_boards(
        &self,
        end: u32,
        budget: &Budget,
        visit: VisitBoard<'_, Self::Board>,
    ) -> Result<Exploration, SolveError>;
}

/// What a certificate has beside states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The members of the [part](Boards::part) that it is about; empty if it is about the whole.
    pub part: Vec<u64>,
    /// The numbers of a [potential](Boards::potential).
    pub numbers: Vec<i64>,
    /// Whether half of the states are to be those around the goal: only without numbers, and where
    /// the boards can be [reversed](Boards::reversed).
    pub has_halves: bool,
}

/// Takes the distance of a board from the start, and the board.
pub type VisitBoard<'a, B> = &'a mut dyn FnMut(u32, &B) -> Result<(), Limit>;

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

impl<I: Certifiable> Certify for I {
    fn certify(&self, subject: Subject, budget: &Budget) -> Result<Certified, SolveError> {
        let (claim, plan, end) = match subject {
            Subject::Answer => answer(self, budget)?,
            Subject::Layers => (None, String::new(), u32::MAX),
        };
        let boards = self.boards()?;
        let choices = match &claim {
            Some(claim) => self.evidence(&boards, claim, budget)?,
            None => vec![Evidence::default()],
        };
        let mut held = Reservation::none(budget.memory());
        let numbers =
            choices.iter().map(|choice| size_of_val(choice.numbers.as_slice()) as u64).sum();
        held.grow(numbers).map_err(|error| SolveError::Stopped(error.into()))?;
        let builder = CertificateBuilder::<I> { boards: &boards, claim, plan, end, budget };
        let (mut smallest, mut failed) = (None::<Certified>, None);
        for evidence in &choices {
            match builder.make_of(evidence) {
                Ok(made)
                    if smallest.as_ref().is_none_or(|best| made.file.len() < best.file.len()) =>
                {
                    smallest = Some(made);
                }
                Ok(_) => {}
                // Another one may fit the memory.
                Err(SolveError::Stopped(Limit::Memory)) => {
                    failed = Some(SolveError::Stopped(Limit::Memory));
                }
                Err(error) => return Err(error),
            }
        }
        let none =
            || failed.unwrap_or_else(|| SolveError::Bug("no proof of the answer".to_owned()));
        smallest.ok_or_else(none)
    }

    fn check(
        &self,
        file: &[u8],
        memory: u64,
        is_stopped: IsStopped<'_>,
    ) -> Result<Result<Claim, Refusal>, SolveError> {
        Ok(fewest_certificate::check(&self.boards()?, file, memory, is_stopped))
    }
}

fn refused(refusal: Refusal, budget: &Budget) -> SolveError {
    match refusal {
        Refusal::Memory => SolveError::Stopped(Limit::Memory),
        Refusal::Stopped => SolveError::Stopped(budget.check().err().unwrap_or(Limit::Cancelled)),
        refusal => {
            SolveError::Bug(format!("the rules refuse the certificate of the search: {refusal}"))
        }
    }
}

/// The claim, the lines of a plan, and the depth that no state has.
fn answer<I: Certifiable>(
    instance: &I,
    budget: &Budget,
) -> Result<(Option<Claim>, String, u32), SolveError> {
    match I::Puzzle::solve(instance, None, budget)?.outcome.verdict {
        Verdict::Solved { plan, cost } => {
            let lines = plan.iter().map(|by| line::<I::Puzzle>(instance, by) + "\n").collect();
            Ok((Some(Claim::Optimal { cost }), lines, cost))
        }
        Verdict::Unsolvable => Ok((Some(Claim::Unsolvable), String::new(), u32::MAX)),
        Verdict::Stopped { limit, .. } => Err(SolveError::Stopped(limit)),
    }
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

/// A certificate that is being made.
struct CertificateBuilder<'a, 'i, I: Certifiable + 'i> {
    boards: &'a I::Boards<'i>,
    /// `None` if the layers are to be found.
    claim: Option<Claim>,
    plan: String,
    end: u32,
    budget: &'a Budget,
}

impl<I: Certifiable> CertificateBuilder<'_, '_, I> {
    /// Makes the certificate with this evidence, and checks it.
    fn make_of(&self, evidence: &Evidence) -> Result<Certified, SolveError> {
        let part = match evidence.part.as_slice() {
            [] => None,
            members => Some(self.boards.part(members).map_err(SolveError::Bug)?),
        };
        let of_proof = part.as_ref().unwrap_or(self.boards);
        // States of half of the boards, if the start is its own mirror image: then the distances
        // are equal.
        let is_plain = self.claim.is_some() && *evidence == Evidence::default();
        let mirrored = is_plain && is_symmetric(of_proof);
        let made = match self.make(of_proof, evidence, mirrored)? {
            // The goals need not be symmetric.
            Err(Refusal::State { .. }) if mirrored => self.make(of_proof, evidence, false)?,
            made => made,
        };
        made.map_err(|refusal| refused(refusal, self.budget))
    }

    fn make(
        &self,
        of_proof: &I::Boards<'_>,
        evidence: &Evidence,
        has_mirrors: bool,
    ) -> Result<Result<Certified, Refusal>, SolveError> {
        let Self { boards, claim, plan, budget, .. } = self;
        let Evidence { part, numbers, has_halves } = evidence;
        let back_end = if *has_halves { self.end.div_ceil(2) } else { 0 };
        let end = if *has_halves { self.end + 1 - back_end } else { self.end };
        let mut held = Reservation::none(budget.memory());
        let (states, layers) = self.states(of_proof, numbers, end, has_mirrors, &mut held)?;
        let claim = claim.clone().unwrap_or(Claim::Layers(layers));
        let mut back = None;
        if *has_halves {
            let reversed = of_proof.reversed().map_err(SolveError::Bug)?;
            back = Some((self.states(&reversed, &[], back_end, false, &mut held)?.0, back_end));
        }
        let back = back.as_ref().map(|(states, end)| (states, *end));
        let proof = Proof { part, states: &states, has_mirrors, numbers, back };
        let file = Certificate { claim: &claim, plan, proof }.file(*boards);
        let others = budget.memory().held_bytes() + file.len() as u64;
        let memory = budget.memory().limit_bytes().saturating_sub(others);
        let is_stopped = || is_check_stopped(budget);
        let states = states.len() + back.map_or(0, |(states, _)| states.len());
        let checked = fewest_certificate::check(*boards, &file, memory, &is_stopped);
        Ok(checked.map(|claim| Certified { file, claim, states }))
    }

    /// The states below depth `end` that the proof needs, and the number of boards of each layer.
    fn states(
        &self,
        of_proof: &I::Boards<'_>,
        numbers: &[i64],
        end: u32,
        has_mirrors: bool,
        held: &mut Reservation,
    ) -> Result<(StateList, Vec<u64>), SolveError> {
        let Self { claim, budget, .. } = self;
        let is_stopped = || is_check_stopped(budget);
        let potential = of_proof.potential(numbers, &Poll::new(&is_stopped));
        let potential = potential.map_err(|refusal| refused(refusal, budget))?;
        let needs = |board: &BoardOf<I::Boards<'_>>, depth| {
            claim.as_ref().is_none_or(|claim| !claim.exempts(potential(board), depth))
        };
        // The list may not take more than half of the memory, so that there is some for the search.
        let memory = budget.memory();
        let before = held.bytes();
        let mut states = StateList::new(of_proof.record_bytes(), memory.limit_bytes() / 2);
        let (mut record, mut image) = (Vec::new(), Vec::new());
        let mut layers: Vec<u64> = Vec::new();
        if end == 0 || !needs(&of_proof.rules().start_board(), 0) {
            return Ok((states, layers));
        }
        if of_proof.record_bytes() > usize::from(u8::MAX) {
            let what = "a certificate by boards needs at most 255 bytes a board";
            return Err(SolveError::unsupported(what));
        }
        let explored = of_proof.rules().visit_boards(end, budget, &mut |depth, board| {
            record.clear();
            if !of_proof.write_record(board, &mut record) {
                return Ok(());
            }
            image.clear();
            if has_mirrors && let Some(mirrored) = of_proof.mirror(board) {
                of_proof.write_record(&mirrored, &mut image);
            }
            layers.resize(layers.len().max(depth as usize + 1), 0);
            layers[depth as usize] += 1;
            // The other board of a pair stands for both.
            let is_represented = !image.is_empty() && image < record;
            if is_represented || !needs(board, depth) {
                return Ok(());
            }
            states.push(&record, depth).map_err(|OutOfMemory| Limit::Memory)?;
            Ok(held.grow(states.bytes() - (held.bytes() - before))?)
        })?;
        match explored.limit() {
            Some(limit) => Err(SolveError::Stopped(limit)),
            None => Ok((states, layers)),
        }
    }
}
