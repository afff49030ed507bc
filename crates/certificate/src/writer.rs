//! Encodes a certificate as a file.

use crate::boards::Boards;
use crate::claim::{Claim, Head};
use crate::file::{self, SectionWriter, Tag};
use crate::states::{BACK, FORWARD, StateList};

/// The contents of a certificate.
#[derive(Clone, Copy, Debug)]
pub struct Certificate<'a> {
    /// What it claims.
    pub claim: &'a Claim,
    /// The moves of the plan, one on each line; empty if the claim has none.
    pub plan: &'a str,
    /// The proof of the claim.
    pub proof: Proof<'a>,
}

/// What proves a claim.
#[derive(Clone, Copy, Debug)]
pub struct Proof<'a> {
    /// The members of the [part](Boards::part) that is proved; empty for the whole instance.
    pub part: &'a [u64],
    /// States with their depths.
    pub states: &'a StateList,
    /// Whether each state also represents its mirror image.
    pub has_mirrors: bool,
    /// Numbers of a [potential](Boards::potential).
    pub numbers: &'a [i64],
    /// States with their depths from the goal, and their depth limit. If present, `states` only
    /// needs depths up to where the two balls meet.
    pub back: Option<(&'a StateList, u32)>,
}

impl<'a> Proof<'a> {
    /// A proof that consists of states only.
    pub fn by_states(states: &'a StateList) -> Self {
        Self { part: &[], states, has_mirrors: false, numbers: &[], back: None }
    }
}

impl Certificate<'_> {
    /// Encodes the certificate as a file.
    pub fn file(&self, boards: &impl Boards) -> Vec<u8> {
        let Self { claim, plan, proof } = *self;
        let Proof { part, states, has_mirrors, numbers, back } = proof;
        let (count, of_states) = states.sections(FORWARD);
        let back = back.map(|(states, end)| (states.sections(BACK), end));
        let head = Head {
            description: owned(boards.description()),
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
