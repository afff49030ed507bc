//! A certificate as its file is written.

use crate::boards::Boards;
use crate::claim::{Claim, Head};
use crate::file::{self, SectionWriter, Tag};
use crate::states::{BACK, FORWARD, StateList};

/// A certificate that is being made.
#[derive(Clone, Copy, Debug)]
pub struct Certificate<'a> {
    /// What it claims.
    pub claim: &'a Claim,
    /// The moves of the plan, one on each line; empty if the claim has none.
    pub plan: &'a str,
    /// What proves the claim.
    pub proof: Proof<'a>,
}

/// What proves a claim.
#[derive(Clone, Copy, Debug)]
pub struct Proof<'a> {
    /// The members of the [part](Boards::part) that it is about; empty if it is about the whole.
    pub part: &'a [u64],
    /// States with their depths.
    pub states: &'a StateList,
    /// Whether a state stands for its mirror image, too.
    pub has_mirrors: bool,
    /// Numbers of a [potential](Boards::potential).
    pub numbers: &'a [i64],
    /// States with their depths from the goal, and the depth that none of them has: if there are
    /// some, the others end where the two meet.
    pub back: Option<(&'a StateList, u32)>,
}

impl<'a> Proof<'a> {
    /// A proof by states only.
    pub fn by_states(states: &'a StateList) -> Self {
        Self { part: &[], states, has_mirrors: false, numbers: &[], back: None }
    }
}

impl Certificate<'_> {
    /// The file of the certificate.
    pub fn file(&self, boards: &impl Boards) -> Vec<u8> {
        let Self { claim, plan, proof } = *self;
        let Proof { part, states, has_mirrors, numbers, back } = proof;
        let (count, of_states) = states.sections(FORWARD);
        let back = back.map(|(states, end)| (states.sections(BACK), end));
        let head = Head {
            question: owned(boards.question()),
            claim: claim.clone(),
            part: part.to_vec(),
            states: count as u64,
            record_bytes: states.record_bytes(),
            has_mirrors,
            numbers: numbers.len() as u64,
            back: back.as_ref().map(|((count, _), end)| (*count as u64, *end)),
        };
        let expected = claim.sections(back.is_some());
        let mut of_numbers = SectionWriter::new();
        numbers.iter().for_each(|&number| of_numbers.push_number(number));
        let first = [
            (Tag::Claim, SectionWriter::of_text(&head.to_string())),
            (Tag::Plan, SectionWriter::of_text(plan)),
        ];
        let of_back = back.into_iter().flat_map(|((_, sections), _)| sections);
        let sections = first.into_iter().chain(of_states).chain([(Tag::Numbers, of_numbers)]);
        file::write(sections.chain(of_back).filter(|(tag, _)| expected.contains(tag)))
    }
}

fn owned(fields: Vec<(&str, String)>) -> Vec<(String, String)> {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
