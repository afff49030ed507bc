//! The proof: lower bounds rise and plans are found until a plan is as short as the bound.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use fewest_core::budget::{Limit, Meter};

use crate::bounds::{Bounds, Halt, Positions};
use crate::feasibility::has_plan;
use crate::joint::{self, End};
use crate::lacam;
use crate::prioritised::{self, Effort, Unit};
use crate::single_agent::SingleAgent;
use crate::tables::Table;

/// What is known of a house.
pub(crate) struct Solver<'a> {
    alone: &'a SingleAgent,
    tables: Vec<Table<'a>>,
    /// The two or three ghosts that were found to get home within the lower bound, or that have a
    /// table.
    seen: BTreeSet<Vec<usize>>,
    pub(crate) bounds: Bounds,
}

/// For a plan that is a shortest one if it is found: a failure costs little, as next is a search
/// that may cost any time.
const QUICK: usize = 2;
const PATIENT: usize = 64;

/// So many ghosts are searched together before those are sorted out that are in each other's way.
const FEW: usize = 6;

/// So many steps of a group are made at most before there are tables of three ghosts: with few
/// ghosts a fraction of a second.
const MANY_STEPS: u64 = 1_000_000;

/// So many at most before there is a table of two more.
const SOME_STEPS: u64 = 2_000;

/// So many steps, of a ghost each, are asked for at most for some plan, beyond some of all ghosts:
/// some seconds.
const STEPS_TO_SOME_PLAN: u64 = 4_000_000;

/// So many steps, of a ghost each, the planner may plan at most, beyond one attempt: some tenths of
/// a second.
const STEPS_TO_ATTEMPT: u64 = 4_000_000;

impl<'a> Solver<'a> {
    pub(crate) fn new(alone: &'a SingleAgent) -> Self {
        Self { alone, tables: Vec::new(), seen: BTreeSet::new(), bounds: Bounds::default() }
    }

    /// A shortest plan, or `None` if there is no plan.
    pub(crate) fn solve(&mut self, meter: &mut Meter<'_>) -> Result<Option<Vec<Positions>>, Limit> {
        match self.by_stages(meter) {
            Ok(found) => Ok(found),
            Err(Halt::Met) => Ok(self.bounds.best.take()),
            Err(Halt::Limit(limit)) => Err(limit),
        }
    }

    fn by_stages(&mut self, meter: &mut Meter<'_>) -> Result<Option<Vec<Positions>>, Halt> {
        let all: Vec<usize> = (0..self.alone.starts().len()).collect();
        let Some(farthest) = self.alone.farthest(&all) else { return Ok(None) };
        self.bounds.raise(farthest)?;
        if let Some(plan) = self.quick_plan(&all, all.len(), meter)? {
            return Ok(Some(plan));
        }
        if !has_plan(self.alone.cells(), self.alone.starts(), self.alone.goals(), meter)? {
            return Ok(None);
        }
        // What comes next may take any time with many ghosts or in a large house, else not with
        // three.
        let long = all.len() > FEW || self.few_steps() == MANY_STEPS;
        if long {
            self.find_some_plan(&all, meter)?;
        }
        if all.len() <= FEW {
            match self.search_briefly(&all, meter)? {
                End::Plan(plan) => return Ok(Some(plan)),
                End::NoPlan => return Ok(None),
                End::GivenUp => {}
            }
        }
        if all.len() <= 3 {
            return self.search_to_the_end(&all, meter);
        }
        if !long {
            self.find_some_plan(&all, meter)?;
        }
        self.search_by_groups(&all, meter)
    }

    /// Finds out which ghosts are in each other's way, and searches for plans of only those
    /// together; all others are planned around them (independence detection, Standley 2010, for the
    /// number of steps).
    fn search_by_groups(
        &mut self,
        all: &[usize],
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Positions>>, Halt> {
        let mut units = singly(all);
        loop {
            let (one, other) = match self.patient_plan(&units, self.bounds.lower, meter)? {
                prioritised::End::Plan(plan) => return Ok(Some(plan)),
                prioritised::End::Blocked(one, other) => (one, other),
            };
            let mut group = units.swap_remove(one.max(other)).ghosts().to_vec();
            group.extend_from_slice(units.swap_remove(one.min(other)).ghosts());
            group.sort_unstable();
            if !joint::fit(self.alone, group.len()) {
                return Err(Limit::Encoding.into());
            }
            let found = match self.search_briefly(&group, meter)? {
                End::Plan(plan) => Some(plan),
                End::NoPlan => None,
                End::GivenUp => self.search_to_the_end(&group, meter)?,
            };
            match found {
                Some(plan) => units.push(Unit::Group(group, plan)),
                None => return Ok(None),
            }
        }
    }

    /// A shortest plan of a group as if there were no others, or one of the lower bound, if it
    /// takes few steps to find once there are tables of its pairs.
    ///
    /// One or two of the tables are often enough, so it is tried with each new one.
    fn search_briefly(&mut self, group: &[usize], meter: &mut Meter<'_>) -> Result<End, Halt> {
        // Less work than another table.
        let some = (self.alone.cells().len() as u64).pow(2) / 16;
        for pair in self.pairs(group) {
            if !self.is_new_and_hard(&pair, meter)? {
                continue;
            }
            let before = self.bounds.lower;
            self.include(Table::of_two(self.alone, pair, meter.memory())?, meter)?;
            if self.bounds.lower > before
                && let Some(plan) = self.quick_plan(group, group.len(), meter)?
            {
                return Ok(End::Plan(plan));
            }
            match self.search(group, some.min(SOME_STEPS), meter)? {
                End::GivenUp => {}
                end => return Ok(end),
            }
        }
        self.search(group, self.few_steps(), meter)
    }

    /// Each two of a group. Those come first that are farthest apart at their starts and goals: to
    /// pass each other they have to make most room, and that of ghosts between them is part of it.
    fn pairs(&self, group: &[usize]) -> Vec<[usize; 2]> {
        let pairs = group.iter().enumerate().flat_map(|(number, &second)| {
            group[..number].iter().map(move |&first| [first, second])
        });
        let mut pairs: Vec<[usize; 2]> = pairs.collect();
        pairs.sort_by_key(|&[first, second]| {
            let starts = self.alone.from_start(first)[usize::from(self.alone.starts()[second])];
            let goals = self.alone.to_goal(first)[usize::from(self.alone.goals()[second])];
            Reverse(u32::from(starts) + u32::from(goals))
        });
        pairs
    }

    /// A fortieth of the boards that three ghosts may have at most: so much may tables of three
    /// ghosts cost, if it comes to them.
    fn few_steps(&self) -> u64 {
        ((self.alone.cells().len() as u64).saturating_pow(3) / 40).min(MANY_STEPS)
    }

    fn search_to_the_end(
        &mut self,
        group: &[usize],
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Positions>>, Halt> {
        self.include_triples(group, meter)?;
        match self.search(group, u64::MAX, meter)? {
            End::Plan(plan) => Ok(Some(plan)),
            End::NoPlan => Ok(None),
            // So many boards are more than there is time for; were they not, it would be no proof
            // that there is no plan.
            End::GivenUp => Err(Limit::States.into()),
        }
    }

    fn search(&mut self, group: &[usize], most: u64, meter: &mut Meter<'_>) -> Result<End, Halt> {
        joint::search(self.alone, group, &mut self.tables, most, &mut self.bounds, meter)
    }

    /// A plan as short as the lower bound, if a few attempts find one.
    fn quick_plan(
        &self,
        group: &[usize],
        attempts: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Positions>>, Limit> {
        let effort =
            Effort { attempts: self.affordable(attempts, group.len()), cells_a_step: QUICK };
        match prioritised::plan(self.alone, &singly(group), self.bounds.lower, effort, meter) {
            Ok(prioritised::End::Plan(plan)) => Ok(Some(plan)),
            // What it asks for is not what a search has to.
            Ok(prioritised::End::Blocked(..)) | Err(Limit::Memory) => Ok(None),
            Err(limit) => Err(limit),
        }
    }

    /// So many attempts or fewer, at least one, to plan so many ghosts.
    fn affordable(&self, attempts: usize, ghosts: usize) -> usize {
        let steps = ghosts as u64 * u64::from(self.bounds.lower + 1);
        attempts.min((STEPS_TO_ATTEMPT / steps) as usize).max(1)
    }

    fn patient_plan(
        &self,
        units: &[Unit],
        length: u32,
        meter: &mut Meter<'_>,
    ) -> Result<prioritised::End, Limit> {
        let effort = Effort {
            attempts: self.affordable(2 * units.len(), units.len()),
            cells_a_step: PATIENT,
        };
        prioritised::plan(self.alone, units, length, effort, meter)
    }

    /// Finds a plan in case that time runs out: any at first, then a shorter one, by lengths from
    /// the lower bound up, farther and farther apart.
    fn find_some_plan(&mut self, all: &[usize], meter: &mut Meter<'_>) -> Result<(), Halt> {
        let lower = self.bounds.lower;
        let mut longest = lower.saturating_mul(4).saturating_add(16);
        let steps = STEPS_TO_SOME_PLAN / all.len() as u64 + 20 * u64::from(lower);
        let found = match lacam::plan(self.alone, steps, meter) {
            // The search may do with less, and gets all of it back.
            Err(Limit::Memory) => None,
            found => found?,
        };
        if let Some(plan) = found {
            let steps = plan.len() as u32 - 1;
            self.bounds.found(plan)?;
            longest = steps - 1;
        }
        let units = singly(all);
        let mut more = 1;
        while lower + more <= longest {
            if let prioritised::End::Plan(plan) = self.patient_plan(&units, lower + more, meter)? {
                return self.bounds.found(plan);
            }
            more += more.div_ceil(2);
        }
        Ok(())
    }

    /// Makes tables of those three ghosts that do not easily get home within the lower bound, which
    /// may rise with it.
    fn include_triples(&mut self, group: &[usize], meter: &mut Meter<'_>) -> Result<(), Halt> {
        for (number, &third) in group.iter().enumerate() {
            for (number, &second) in group[..number].iter().enumerate() {
                for &first in &group[..number] {
                    if self.is_new_and_hard(&[first, second, third], meter)? {
                        self.include(
                            Table::of_three(self.alone, [first, second, third], meter.memory())?,
                            meter,
                        )?;
                    }
                }
            }
        }
        Ok(())
    }

    fn is_new_and_hard(&mut self, ghosts: &[usize], meter: &mut Meter<'_>) -> Result<bool, Limit> {
        Ok(self.seen.insert(ghosts.to_vec()) && self.quick_plan(ghosts, 1, meter)?.is_none())
    }

    fn include(&mut self, mut table: Table<'a>, meter: &mut Meter<'_>) -> Result<(), Halt> {
        while let (None, Some(least)) = (table.from_starts(), table.least_unknown()) {
            self.bounds.raise(least)?;
            table.extend(least, meter)?;
        }
        // They get home, as all do.
        let steps = table.from_starts().unwrap_or(0);
        self.tables.push(table);
        self.bounds.raise(steps)
    }
}

fn singly(ghosts: &[usize]) -> Vec<Unit> {
    ghosts.iter().copied().map(Unit::One).collect()
}
