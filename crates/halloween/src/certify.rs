//! What a certificate has beside boards: tables of the ghosts that the bound of the solver is
//! about.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use fewest_certificate::{Boards, Claim};
use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::Exploration;
use fewest_core::memory::Reservation;
use fewest_core::search::Search;
use fewest_puzzle::SolveError;
use fewest_puzzle::certifying::{Certifiable, Evidence, VisitBoard, below};

use crate::certificate::{BoardRecords, OUT_OF_REACH};
use crate::instance::Instance;
use crate::puzzle::Halloween;
use crate::rules::Board;
use crate::solve::proving_ghosts;
use crate::space::with_space;

/// The most entries of all tables: 8 bytes each while they are made.
const MAX_ENTRIES: usize = 1 << 22;

impl Certifiable for Instance {
    type Puzzle = Halloween;
    type Boards<'a> = BoardRecords<'a>;

    fn boards(&self) -> Result<BoardRecords<'_>, SolveError> {
        BoardRecords::new(self).ok_or_else(|| {
            SolveError::unsupported("`certify` needs at most 16,777,215 corridor cells")
        })
    }

    fn evidence(
        &self,
        records: &BoardRecords<'_>,
        claim: &Claim,
        budget: &Budget,
    ) -> Result<Vec<Evidence>, SolveError> {
        evidence(self, records, claim, budget)
    }

    fn visit_boards(
        &self,
        end: u32,
        budget: &Budget,
        visit: VisitBoard<'_, Board>,
    ) -> Result<Exploration, SolveError> {
        let visited = with_space!(self, |space| {
            let search = Search::new(space).predecessors().ranked().budget(budget);
            search.explore_layers(below(end, |depth, state| {
                // The space has boards only.
                Board::new(self, space.unpack(state)).map_or(Ok(()), |board| visit(depth, &board))
            }))
        });
        Ok(visited.ok_or(Limit::Encoding)?.supported()?)
    }
}

/// What proves a claim with few boards: tables of the ghosts that the bound of the solver is about,
/// or boards of them alone. It solves the instance again, to see which ghosts its bound is about.
///
/// # Errors
/// The limit that was reached.
fn evidence(
    instance: &Instance,
    records: &BoardRecords<'_>,
    claim: &Claim,
    budget: &Budget,
) -> Result<Vec<Evidence>, SolveError> {
    let all = instance.ghosts().len();
    match *claim {
        Claim::Optimal { cost: 0 } | Claim::Layers(_) => Ok(vec![Evidence::default()]),
        Claim::Optimal { cost: moves } => {
            let ghosts = proving_ghosts(instance, budget)?;
            if ghosts.len() <= 2 && entries(records, ghosts.len()).is_some() {
                let numbers = table(records, &ghosts, i64::from(moves), budget)?;
                return Ok(vec![Evidence { numbers, ..Evidence::default() }]);
            }
            let members = ghosts.iter().map(|&ghost| ghost as u64).collect::<Vec<_>>();
            let part = if ghosts.len() < all { members } else { Vec::new() };
            let of_part = (!part.is_empty()).then(|| records.part(&part)).transpose();
            let of_part = of_part.map_err(SolveError::Bug)?;
            let records = of_part.as_ref().unwrap_or(records);
            let mut numbers = Vec::new();
            for ghosts in pairs(ghosts.len()) {
                if numbers.len() + entries(records, 2).unwrap_or(MAX_ENTRIES) < MAX_ENTRIES {
                    numbers.extend(table(records, &ghosts, i64::from(moves), budget)?);
                }
            }
            let halves = Evidence { part: part.clone(), has_halves: true, ..Evidence::default() };
            Ok(vec![Evidence { part, numbers, has_halves: false }, halves])
        }
        Claim::Unsolvable => {
            // Of many pairs, only some are tried.
            let mut tried = 0;
            for ghosts in (0..all).map(|ghost| vec![ghost]).chain(pairs(all)) {
                tried += entries(records, ghosts.len()).unwrap_or(MAX_ENTRIES);
                if tried > MAX_ENTRIES {
                    break;
                }
                let numbers = table(records, &ghosts, OUT_OF_REACH, budget)?;
                let starts = ghosts.iter().map(|&ghost| instance.ghosts()[ghost].start);
                if numbers[1 + ghosts.len() + records.index(starts)] == OUT_OF_REACH {
                    return Ok(vec![Evidence { numbers, ..Evidence::default() }]);
                }
            }
            Ok(vec![Evidence::default()])
        }
    }
}

/// The number of entries of a table of this number of ghosts; `None` if they are too many.
fn entries(records: &BoardRecords<'_>, ghosts: usize) -> Option<usize> {
    let entries = records.cell_count().checked_pow(ghosts as u32);
    entries.filter(|&entries| entries <= MAX_ENTRIES)
}

/// All pairs of `all` ghosts, in the order in which a certificate has their tables.
fn pairs(all: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..all).flat_map(move |first| (first + 1..all).map(move |second| vec![first, second]))
}

/// A table as in a certificate. `others` is what it has where the ghosts need that number of steps
/// or more; if it is [`OUT_OF_REACH`], the others have 0.
///
/// A backward search from the goals, by the rules: steps can be undone.
fn table(
    records: &BoardRecords<'_>,
    ghosts: &[usize],
    others: i64,
    budget: &Budget,
) -> Result<Vec<i64>, Limit> {
    let head = [ghosts.len() as i64].into_iter().chain(ghosts.iter().map(|&ghost| ghost as i64));
    let mut numbers: Vec<i64> = head.collect();
    let first = numbers.len();
    let entries = entries(records, ghosts.len()).ok_or(Limit::Memory)?;
    // The numbers, and the queue, whose buffer may double.
    let mut held = Reservation::none(budget.memory());
    held.grow((entries * (size_of::<i64>() + 2 * size_of::<u32>())) as u64)?;
    numbers.resize(first + entries, others);
    let mut meter = budget.meter();
    let goals = ghosts.iter().map(|&ghost| records.rules().ghosts()[ghost].goal);
    let goals = records.index(goals);
    numbers[first + goals] = 0;
    let mut queue = VecDeque::from([goals as u32]);
    while let Some(index) = queue.pop_front() {
        meter.poll()?;
        let index = index as usize;
        let (cells, steps) = (records.cells(index, ghosts.len()), numbers[first + index]);
        let next_steps = if others == OUT_OF_REACH { 0 } else { steps + 1 };
        if next_steps == others {
            break;
        }
        let _ = records.step(&cells, &mut Vec::new(), &mut |next| {
            let index = records.index(next.iter().copied());
            if numbers[first + index] == others {
                numbers[first + index] = next_steps;
                queue.push_back(index as u32);
            }
            ControlFlow::<()>::Continue(())
        });
    }
    Ok(numbers)
}
