//! Checks a certificate with the rules.

use std::io::{self, Read};
use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

use fewest_rules::text::{Lines, where_they_differ};
use fewest_rules::{Costs, Rules};

use crate::boards::{BoardOf, Boards, Bound, Potential};
use crate::claim::{Claim, Head, MAX_HEAD_BYTES};
use crate::file::{Sections, Tag};
use crate::poll::{IsStopped, Poll};
use crate::refusal::Refusal;
use crate::states::{BACK, FORWARD, StateSet};

/// An upper bound on the memory for a parsed header, as a multiple of its size.
const HEAD_PARTS: u64 = 8;
/// The maximum size of the text of a plan.
const MAX_PLAN_BYTES: u64 = 64 << 20;

/// The minimum number of states per thread.
const PART: u32 = 1 << 12;
/// The maximum number of threads. Each uses some memory that is not counted against the limit.
const MOST_THREADS: u32 = 32;

/// Checks a certificate and returns the claim that it proves. Uses at most `memory` bytes in
/// addition to `file`, and polls `is_stopped` regularly.
///
/// Time: one expansion per state and one lookup per successor, on up to 32 threads, plus the check
/// of a [potential](Boards::potential), on one thread. Layers with moves of cost 0 take a second
/// expansion of each state, on one thread.
///
/// # Errors
/// Why the certificate is refused, or that the check was stopped.
pub fn check<B: Boards>(
    boards: &B,
    file: &[u8],
    memory: u64,
    is_stopped: IsStopped<'_>,
) -> Result<Claim, Refusal> {
    let sections = Sections::read(file)?;
    let head = sections.get(Tag::Claim)?.text(MAX_HEAD_BYTES, memory / HEAD_PARTS)?;
    let head = Head::read(&head)?;
    check_description(boards, &head)?;
    if !sections.are(&head.claim.sections(head.back.is_some())) {
        return Err(Refusal::Damaged("its sections do not match its claim".to_owned()));
    }
    match head.claim {
        Claim::Optimal { cost } => {
            let plan = sections.get(Tag::Plan)?.text(MAX_PLAN_BYTES, memory)?;
            check_plan(boards, &plan, cost, &Poll::new(is_stopped))?;
        }
        Claim::Unsolvable => {}
        Claim::Layers(_) => {
            let is_plain = !head.has_mirrors && head.numbers == 0 && head.back.is_none();
            if !is_plain || !head.part.is_empty() {
                let what = "a certificate of layers must cover the whole instance, without mirror \
                 images and numbers";
                return Err(Refusal::Damaged(what.to_owned()));
            }
        }
    }
    if head.part.is_empty() {
        check_proof(boards, &head, &sections, memory, is_stopped)?;
    } else {
        let part = boards.part(&head.part).map_err(Refusal::Part)?;
        let checked = check_proof(&part, &head, &sections, memory, is_stopped);
        checked.map_err(|refusal| in_part(refusal, &head.part))?;
    }
    Ok(head.claim)
}

/// Adds the part to a message about a board: the pieces of a part have different names.
fn in_part(refusal: Refusal, members: &[u64]) -> Refusal {
    let members = members.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    match refusal {
        Refusal::State { board, what } => {
            Refusal::State { board, what: format!("{what}, in the part of {members}") }
        }
        Refusal::Numbers(what) => Refusal::Numbers(format!("{what}, in the part of {members}")),
        refusal => refusal,
    }
}

fn check_proof<B: Boards>(
    boards: &B,
    head: &Head,
    sections: &Sections<'_>,
    memory: u64,
    is_stopped: IsStopped<'_>,
) -> Result<(), Refusal> {
    let poll = &Poll::new(is_stopped);
    let Head { claim, states, record_bytes, has_mirrors, numbers, back, .. } = head;
    let expected = boards.record_bytes();
    if *record_bytes != expected || expected > usize::from(u8::MAX) && *states > 0 {
        let what = format!("its records have {record_bytes} bytes, expected {expected}");
        return Err(Refusal::Damaged(what));
    }
    let numbers = read_numbers(sections, *numbers, memory)?;
    let memory = memory - size_of_val(numbers.as_slice()) as u64;
    // Moves of cost 0 need a list of states, too.
    let lists_states =
        matches!(claim, Claim::Layers(_)) && *Costs::range(boards.rules()).start() == 0;
    let listed = if lists_states { states.saturating_mul(size_of::<u32>() as u64) } else { 0 };
    let memory = memory.checked_sub(listed).ok_or(Refusal::Memory)?;
    let states = StateSet::read(sections, FORWARD, *states, expected, memory, poll)?;
    let potential = boards.potential(&numbers, poll)?;
    let (has_mirrors, end) = (*has_mirrors, claim.end());
    let mut ball = Checker { boards, states, potential, claim, end, has_mirrors, is_stopped };
    let Some((count, back_end)) = *back else { return ball.run() };
    if has_mirrors || !numbers.is_empty() || *claim == Claim::Unsolvable {
        let what = "a certificate with states from the goal must not have mirror images or numbers";
        return Err(Refusal::Damaged(what.to_owned()));
    }
    if !(1..=end).contains(&back_end) {
        let what = format!("its depth limit {back_end} for states from the goal is out of range");
        return Err(Refusal::Damaged(what));
    }
    let reversed = boards.reversed().map_err(Refusal::Back)?;
    let memory = memory - ball.states.bytes();
    let states = StateSet::read(sections, BACK, count, expected, memory, poll)?;
    let potential = reversed.potential(&[], poll)?;
    // In the terms of the crate documentation, n is `end` and m is `ball.end`. A plan that costs
    // less than n passes through a board that is in both balls and whose depths add up to less than
    // n; `check_meeting` checks that there is no such board.
    ball.end =
        end.min((end - back_end).saturating_add((*Costs::range(boards.rules()).end()).max(1)));
    let boards = &reversed;
    let back = Checker { boards, states, potential, claim, end: back_end, has_mirrors, is_stopped };
    ball.run()?;
    back.run()?;
    ball.check_meeting(&back.states, end)
}

/// Reads a certificate file; `None` if it is larger than `memory` bytes.
///
/// # Errors
/// If it cannot be read.
pub fn read_at_most(file: impl Read, memory: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    file.take(memory.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= memory))
}

fn read_numbers(sections: &Sections<'_>, count: u64, memory: u64) -> Result<Vec<i64>, Refusal> {
    if count.saturating_mul(size_of::<i64>() as u64) > memory {
        return Err(Refusal::Memory);
    }
    if count == 0 && sections.get(Tag::Numbers).is_err() {
        return Ok(Vec::new());
    }
    let section = sections.get(Tag::Numbers)?;
    // Each number takes at least one byte. Check before allocating.
    if section.bytes < count {
        return Err(Refusal::Damaged("it has fewer numbers than its header declares".to_owned()));
    }
    let (mut numbers, mut reader) = (Vec::new(), section.open());
    numbers.try_reserve_exact(count as usize).map_err(|_| Refusal::Memory)?;
    for _ in 0..count {
        numbers.push(reader.number()?);
    }
    reader.end()?;
    Ok(numbers)
}

/// Checks that the certificate is about this instance.
fn check_description(boards: &impl Boards, head: &Head) -> Result<(), Refusal> {
    let expected = boards.description();
    let missing = || (String::new(), String::new());
    let both = expected.len().max(head.description.len());
    for number in 0..both {
        let (name, here) = expected
            .get(number)
            .map_or_else(missing, |(name, value)| ((*name).to_owned(), value.clone()));
        let (other, there) = head.description.get(number).cloned().unwrap_or_else(missing);
        if (&name, &here) != (&other, &there) {
            let field = if name.is_empty() { "field".to_owned() } else { name };
            let [found, expected] = where_they_differ(&there, &here);
            return Err(Refusal::Differs { field, found, expected });
        }
    }
    Ok(())
}

/// Replays the plan with the rules.
fn check_plan(
    boards: &impl Boards,
    text: &str,
    claimed: u32,
    poll: &Poll<'_>,
) -> Result<(), Refusal> {
    let rules = boards.rules();
    let costs = Costs::range(rules);
    let are_unit = costs == (1..=1);
    let (mut board, mut played, mut total) = (rules.start_board(), 0, 0_u64);
    let check_total = |total: u64| match total > u64::from(claimed) {
        false => Ok(()),
        true if are_unit => {
            Err(Refusal::Plan(format!("it has more than the claimed {claimed} moves")))
        }
        true => Err(Refusal::Plan(format!("it costs more than the claimed {claimed}"))),
    };
    for line in Lines::new(text.as_bytes()) {
        poll.count()?;
        check_total(total + u64::from(*costs.start()))?;
        let by = boards.read_move(line?)?;
        played += 1;
        let before = (!are_unit).then(|| board.clone());
        let illegal = rules.play(&mut board, &by);
        illegal.map_err(|illegal| Refusal::Plan(format!("move {played}: {illegal}")))?;
        total += before.map_or(1, |before| u64::from(Costs::of(rules, &before, &by)));
        check_total(total)?;
    }
    if total < u64::from(claimed) {
        return Err(Refusal::Plan(if are_unit {
            format!("it has {played} moves, but {claimed} are claimed")
        } else {
            format!("it costs {total}, but {claimed} is claimed")
        }));
    }
    rules.check_solved(&board).map_err(|unsolved| Refusal::Plan(format!("at its end, {unsolved}")))
}

struct Checker<'a, B: Boards> {
    boards: &'a B,
    states: StateSet,
    potential: Potential<'a, B>,
    claim: &'a Claim,
    /// All states have a smaller depth than this.
    end: u32,
    has_mirrors: bool,
    is_stopped: IsStopped<'a>,
}

/// For each state, whether a plan that costs its depth leads to it, if the same is true of all
/// states of lesser depths.
type Reached = [AtomicBool];

impl<B: Boards> Checker<'_, B> {
    fn refused<T>(&self, board: &BoardOf<B>, what: impl Into<String>) -> Result<T, Refusal> {
        Err(Refusal::State { board: self.boards.show(board), what: what.into() })
    }

    /// Looks up a board, or its mirror image if the certificate has mirror images.
    fn find(&self, board: &BoardOf<B>, record: &mut Vec<u8>) -> Option<u32> {
        let mut state_of = |board: &BoardOf<B>| {
            record.clear();
            self.boards.write_record(board, record).then(|| self.states.find(record)).flatten()
        };
        let found = state_of(board);
        if !self.has_mirrors {
            return found;
        }
        // If both are in the set, use the smaller depth: it claims more about the successors.
        let image = self.boards.mirror(board).and_then(|image| state_of(&image));
        found.into_iter().chain(image).min_by_key(|&state| self.states.depth(state))
    }

    fn is_exempt(&self, board: &BoardOf<B>, depth: u32) -> bool {
        self.claim.exempts((self.potential)(board), depth)
    }

    /// Whether depths are claimed to be exact distances. Solved boards are allowed in this case.
    fn is_exact(&self) -> bool {
        matches!(self.claim, Claim::Layers(_))
    }

    fn run(&self) -> Result<(), Refusal> {
        let (start, mut record) = (self.boards.rules().start_board(), Vec::new());
        // The start must be in the set, unless the potential alone proves the claim for it.
        let is_first = self.find(&start, &mut record).is_some_and(|at| self.states.depth(at) == 0);
        if !is_first && !self.is_exempt(&start, 0) {
            return match (self.potential)(&start) {
                Bound::Cost(bound) if self.states.len() == 0 && bound > 0 => {
                    Err(Refusal::Numbers(format!("they prove a lower bound of only {bound}")))
                }
                _ => self.refused(&start, "is the start but does not have depth 0"),
            };
        }
        let count = if self.is_exact() { self.states.len() } else { 0 };
        let is_reached: Vec<_> = (0..count).map(|_| AtomicBool::new(false)).collect();
        self.check_states(&is_reached)?;
        if let Claim::Layers(claimed) = self.claim {
            let start = self.find(&start, &mut record);
            self.check_layers(claimed, &self.spread(start, is_reached)?)?;
        }
        Ok(())
    }

    /// Checks all states and their successors on several threads. If several states are refused,
    /// reports the first one, whatever the number of threads.
    fn check_states(&self, is_reached: &Reached) -> Result<(), Refusal> {
        let count = self.states.len() as u32;
        let processors = thread::available_parallelism().map_or(1, NonZero::get) as u32;
        let parts = processors.min(MOST_THREADS).min(count / PART).max(1);
        let begin = |part: u32| (u64::from(count) * u64::from(part) / u64::from(parts)) as u32;
        let least_refused = AtomicU32::new(parts);
        let check_part = &|part: u32| {
            // Stop only threads with *greater* ranges than a refused one: a smaller range may still
            // have an earlier refusal. The results are collected in order, so the first error wins.
            let is_over = || (self.is_stopped)() || least_refused.load(Ordering::Relaxed) < part;
            let states = begin(part)..begin(part + 1);
            let checked = self.check_range(states, &Poll::new(&is_over), is_reached);
            if checked.is_err() {
                least_refused.fetch_min(part, Ordering::Relaxed);
            }
            checked
        };
        thread::scope(|scope| {
            let start = |part| thread::Builder::new().spawn_scoped(scope, move || check_part(part));
            let others: Vec<_> = (1..parts).map(|part| (part, start(part))).collect();
            let checked = others.into_iter().map(|(part, started)| match started {
                Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                // The system refused to start a thread: do its work here.
                Err(_) => check_part(part),
            });
            std::iter::once(check_part(0)).chain(checked).collect()
        })
    }

    /// Checks a range of states and their successors.
    fn check_range(
        &self,
        states: Range<u32>,
        poll: &Poll<'_>,
        is_reached: &Reached,
    ) -> Result<(), Refusal> {
        let (end, mut record) = (self.end, Vec::new());
        for state in states {
            poll.count()?;
            let depth = self.states.depth(state);
            let no_board = || Refusal::NoBoard(state as usize);
            // Decode and encode again: two different records must not stand for the same board, and
            // a record must be the canonical one, or lookups would miss it.
            let board = self.boards.read_record(self.states.record(state)).ok_or_else(no_board)?;
            record.clear();
            if !self.boards.write_record(&board, &mut record) || record != self.states.record(state)
            {
                return Err(no_board());
            }
            if depth >= end {
                return self.refused(
                    &board,
                    format!("has depth {depth}, but all depths must be below {end}"),
                );
            }
            let image = if self.has_mirrors { self.boards.mirror(&board) } else { None };
            for board in std::iter::once(board).chain(image) {
                self.expand(&board, depth, poll, is_reached)?;
            }
        }
        Ok(())
    }

    /// Checks that no plan through a state of both balls costs less than `cost`.
    fn check_meeting(&self, back: &StateSet, cost: u32) -> Result<(), Refusal> {
        let poll = Poll::new(self.is_stopped);
        for state in 0..back.len() as u32 {
            poll.count()?;
            let Some(found) = self.states.find(back.record(state)) else { continue };
            let depths = (self.states.depth(found), back.depth(state));
            if depths.0.saturating_add(depths.1) < cost {
                let board = self.boards.read_record(back.record(state));
                let board = board.ok_or(Refusal::NoBoard(state as usize))?;
                let what =
                    format!("has depth {} from the start and {} from the goal", depths.0, depths.1);
                return self.refused(&board, what);
            }
        }
        Ok(())
    }

    fn expand(
        &self,
        board: &BoardOf<B>,
        depth: u32,
        poll: &Poll<'_>,
        is_reached: &Reached,
    ) -> Result<(), Refusal> {
        if !self.is_exact() && self.boards.rules().is_solved(board) {
            return self.refused(board, format!("has depth {depth} but is solved"));
        }
        // Near the depth limit, states need no successors: no plan through those costs less.
        if self.is_beyond(depth.saturating_add(*Costs::range(self.boards.rules()).start())) {
            return Ok(());
        }
        let mut record = Vec::new();
        let checked = self.boards.successors(board, &mut |next, cost| {
            let checked = poll
                .count()
                .and_then(|()| self.check_successor(next, (depth, cost), &mut record, is_reached));
            checked.map_or_else(ControlFlow::Break, ControlFlow::Continue)
        });
        checked.break_value().map_or(Ok(()), Err)
    }

    fn is_beyond(&self, depth: u32) -> bool {
        matches!(self.claim, Claim::Optimal { .. }) && depth >= self.end
    }

    /// Checks a successor of a state of this depth, by a move of this cost.
    fn check_successor(
        &self,
        next: &BoardOf<B>,
        (depth, cost): (u32, u32),
        record: &mut Vec<u8>,
        is_reached: &Reached,
    ) -> Result<(), Refusal> {
        let most = depth.saturating_add(Costs::check(self.boards.rules(), cost));
        if self.is_beyond(most) {
            return Ok(());
        }
        let is_solved = || self.boards.rules().is_solved(next);
        let Some(found) = self.find(next, record) else {
            if self.is_exempt(next, most) {
                return Ok(());
            }
            record.clear();
            if self.is_exact() && is_solved() && !self.boards.write_record(next, record) {
                // Only solved boards without legal moves have no record. Layers do not count them.
                return Ok(());
            }
            if !self.is_exact() && is_solved() {
                return self.refused(
                    next,
                    format!("is solved and is a successor of a state of depth {depth}"),
                );
            }
            return self.refused(
                next,
                format!("is missing but is a successor of a state of depth {depth}"),
            );
        };
        let has = self.states.depth(found);
        if has > most {
            if self.is_exempt(next, most) {
                return Ok(());
            }
            return self.refused(
                next,
                format!("has depth {has} but is a successor of a state of depth {depth}"),
            );
        }
        if has == most
            && cost > 0
            && let Some(is_reached) = is_reached.get(found as usize)
        {
            is_reached.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// The states that are reached, with those that moves of cost 0 from the start or another one
    /// reach.
    fn spread(
        &self,
        start: Option<u32>,
        is_reached: Vec<AtomicBool>,
    ) -> Result<Vec<bool>, Refusal> {
        let mut is_reached: Vec<_> = is_reached.into_iter().map(AtomicBool::into_inner).collect();
        if let Some(start) = start {
            is_reached[start as usize] = true;
        }
        if *Costs::range(self.boards.rules()).start() > 0 {
            return Ok(is_reached);
        }
        let (poll, mut record) = (Poll::new(self.is_stopped), Vec::new());
        let mut open = Vec::new();
        open.try_reserve_exact(self.states.len()).map_err(|_| Refusal::Memory)?;
        open.extend((0..self.states.len() as u32).filter(|&state| is_reached[state as usize]));
        while let Some(state) = open.pop() {
            let board = self.boards.read_record(self.states.record(state));
            let board = board.ok_or(Refusal::NoBoard(state as usize))?;
            let spread = self.boards.successors(&board, &mut |next, cost| {
                if let Err(refusal) = poll.count() {
                    return ControlFlow::Break(refusal);
                }
                if cost == 0
                    && let Some(found) = self.find(next, &mut record)
                    && self.states.depth(found) == self.states.depth(state)
                    && !std::mem::replace(&mut is_reached[found as usize], true)
                {
                    open.push(found);
                }
                ControlFlow::Continue(())
            });
            if let ControlFlow::Break(refusal) = spread {
                return Err(refusal);
            }
        }
        Ok(is_reached)
    }

    fn check_layers(&self, claimed: &[u64], is_reached: &[bool]) -> Result<(), Refusal> {
        let mut layers = vec![0_u64; claimed.len()];
        for state in 0..self.states.len() as u32 {
            let depth = self.states.depth(state) as usize;
            let what = if !is_reached[state as usize] {
                Some("has a depth at which no plan leads to it")
            } else if depth >= layers.len() {
                Some("has a depth beyond the claimed layers")
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
