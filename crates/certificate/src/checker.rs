//! The check of a certificate by the rules.

use fewest_rules::text::Lines;
use fewest_rules::{Rules, verify};

use crate::boards::{BoardOf, Boards};
use crate::claim::{Claim, Head, MAX_HEAD_BYTES, Refusal};
use crate::file::{Sections, Tag};
use crate::states::StateSet;

/// The most bytes of the text of a plan.
const MAX_PLAN_BYTES: u64 = 64 << 20;

/// Checks a certificate, and returns what it proves. It takes at most `memory` bytes beside the file.
///
/// Time: each state is expanded once by the rules, and each successor is looked up.
///
/// # Errors
/// Why the certificate is refused.
pub fn check<B: Boards>(boards: &B, file: &[u8], memory: u64) -> Result<Claim, Refusal> {
    let sections = Sections::read(file)?;
    let head = sections.get(Tag::Claim)?.text(MAX_HEAD_BYTES.min(memory))?;
    let head = Head::read(&head)?;
    check_question(boards, &head)?;
    if !sections.are(head.claim.sections()) {
        return Err(Refusal::Damaged("it does not have the sections of its claim".to_owned()));
    }
    if head.record_bytes != boards.record_bytes() {
        let bytes = (head.record_bytes, boards.record_bytes());
        let what = format!("its records have {} bytes, not {}", bytes.0, bytes.1);
        return Err(Refusal::Damaged(what));
    }
    if let Claim::Optimal { moves } = head.claim {
        let plan = sections.get(Tag::Plan)?.text(MAX_PLAN_BYTES.min(memory))?;
        check_plan(boards, &plan, moves)?;
    }
    let has_depths = !matches!(head.claim, Claim::Unsolvable);
    let states = StateSet::read(&sections, head.states, head.record_bytes, has_depths, memory)?;
    Checker { boards, states, head: &head }.run()?;
    Ok(head.claim)
}

/// Checks that the certificate is about this instance.
fn check_question(boards: &impl Boards, head: &Head) -> Result<(), Refusal> {
    let shown = |value: Option<&str>| {
        value.map_or_else(|| "nothing".to_owned(), |value| format!("`{}`", value.trim_end()))
    };
    let expected = boards.question();
    let found = |name: &str| {
        head.question.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    };
    let names = expected.iter().map(|&(name, _)| name);
    for name in names.chain(head.question.iter().map(|(name, _)| name.as_str())) {
        let here = expected.iter().find(|&&(other, _)| other == name);
        let here = here.map(|(_, value)| value.as_str());
        if found(name) != here {
            return Err(Refusal::Differs {
                field: name.to_owned(),
                found: shown(found(name)),
                expected: shown(here),
            });
        }
    }
    Ok(())
}

fn check_plan(boards: &impl Boards, text: &str, moves: u32) -> Result<(), Refusal> {
    let lines: Result<Vec<_>, _> = Lines::new(text.as_bytes()).collect();
    let plan: Result<Vec<_>, _> = lines?.into_iter().map(|line| boards.read_move(line)).collect();
    let plan =
        verify(boards.rules(), plan?).map_err(|refusal| Refusal::Plan(refusal.to_string()))?;
    if plan.len() == moves as usize {
        Ok(())
    } else {
        Err(Refusal::Plan(format!("it has {} moves, and {moves} are claimed", plan.len())))
    }
}

struct Checker<'a, B> {
    boards: &'a B,
    states: StateSet,
    head: &'a Head,
}

impl<B: Boards> Checker<'_, B> {
    fn refused<T>(&self, board: &BoardOf<B>, what: impl Into<String>) -> Result<T, Refusal> {
        Err(Refusal::State { board: self.boards.show(board), what: what.into() })
    }

    /// The state that a board is, or that its mirror image is; `None` if there is neither.
    fn find(&self, board: &BoardOf<B>, record: &mut Vec<u8>) -> Option<u32> {
        let mut state_of = |board: &BoardOf<B>| {
            record.clear();
            self.boards.write_record(board, record).then(|| self.states.find(record)).flatten()
        };
        let found = state_of(board);
        if !self.head.has_mirrors {
            return found;
        }
        // The one of less depth proves more.
        let image = self.boards.mirror(board).and_then(|image| state_of(&image));
        found.into_iter().chain(image).min_by_key(|&state| self.states.depth(state))
    }

    fn run(&self) -> Result<(), Refusal> {
        let rules = self.boards.rules();
        // No state of this depth or more is expanded, and none has it.
        let end = match self.head.claim {
            Claim::Optimal { moves } => moves,
            Claim::Unsolvable | Claim::Layers(_) => u32::MAX,
        };
        let is_exact = matches!(self.head.claim, Claim::Layers(_));
        if is_exact && self.head.has_mirrors {
            return Err(Refusal::Damaged("layers have no mirror images".to_owned()));
        }
        let mut record = Vec::new();
        let start = rules.start_board();
        if end > 0
            && self.find(&start, &mut record).is_none_or(|start| self.states.depth(start) > 0)
        {
            return self.refused(&start, "is the start, and does not have depth 0");
        }
        let mut is_reached = vec![false; if is_exact { self.states.len() } else { 0 }];
        for state in 0..self.states.len() as u32 {
            let depth = self.states.depth(state);
            let no_board = || Refusal::NoBoard(state as usize);
            let board = self.boards.read_record(self.states.record(state)).ok_or_else(no_board)?;
            record.clear();
            if !self.boards.write_record(&board, &mut record) || record != self.states.record(state)
            {
                return Err(no_board());
            }
            if depth >= end {
                return self
                    .refused(&board, format!("has depth {depth}, which is not below {end}"));
            }
            let image = if self.head.has_mirrors { self.boards.mirror(&board) } else { None };
            for board in std::iter::once(board).chain(image) {
                self.expand(&board, depth, end, is_exact, &mut is_reached)?;
            }
        }
        if let Claim::Layers(claimed) = &self.head.claim {
            self.check_layers(claimed, &is_reached)?;
        }
        Ok(())
    }

    fn expand(
        &self,
        board: &BoardOf<B>,
        depth: u32,
        end: u32,
        is_exact: bool,
        is_reached: &mut [bool],
    ) -> Result<(), Refusal> {
        let rules = self.boards.rules();
        if !is_exact && rules.is_solved(board) {
            return self.refused(board, format!("has depth {depth}, and is solved"));
        }
        if depth >= end - 1 {
            return Ok(());
        }
        let (mut checked, mut record) = (Ok(()), Vec::new());
        self.boards.successors(board, &mut |next| {
            if checked.is_ok() {
                checked = self.check_successor(next, depth, is_exact, &mut record, is_reached);
            }
        });
        checked
    }

    fn check_successor(
        &self,
        next: &BoardOf<B>,
        depth: u32,
        is_exact: bool,
        record: &mut Vec<u8>,
        is_reached: &mut [bool],
    ) -> Result<(), Refusal> {
        let is_solved = || self.boards.rules().is_solved(next);
        let Some(found) = self.find(next, record) else {
            record.clear();
            if is_exact && is_solved() && !self.boards.write_record(next, record) {
                // It has no successors, and layers do not count it.
                return Ok(());
            }
            if !is_exact && is_solved() {
                return self.refused(next, format!("is solved, and follows depth {depth}"));
            }
            return self.refused(next, format!("is missing, and follows depth {depth}"));
        };
        let has = self.states.depth(found);
        // A depth is less than the end, so the sum does not overflow.
        if has > depth.saturating_add(1) {
            return self.refused(next, format!("has depth {has}, and follows depth {depth}"));
        }
        if has == depth.saturating_add(1)
            && let Some(is_reached) = is_reached.get_mut(found as usize)
        {
            *is_reached = true;
        }
        Ok(())
    }

    fn check_layers(&self, claimed: &[u64], is_reached: &[bool]) -> Result<(), Refusal> {
        let mut layers = vec![0_u64; claimed.len()];
        for state in 0..self.states.len() as u32 {
            let depth = self.states.depth(state) as usize;
            let what = if depth == 0 && layers.first() == Some(&1) {
                Some("has depth 0, and is not the start")
            } else if depth > 0 && !is_reached[state as usize] {
                Some("follows no state of the depth before")
            } else if depth >= layers.len() {
                Some("has a depth that is not claimed")
            } else {
                None
            };
            if let Some(what) = what {
                let board = self.boards.read_record(self.states.record(state));
                let board = board.ok_or(Refusal::NoBoard(state as usize))?;
                return self.refused(&board, what);
            }
            layers[depth] += 1;
        }
        let mut both = layers.into_iter().zip(claimed).enumerate();
        match both.find(|(_, (found, claimed))| found != *claimed) {
            Some((distance, (found, &claimed))) => Err(Refusal::Layer { distance, found, claimed }),
            None => Ok(()),
        }
    }
}
