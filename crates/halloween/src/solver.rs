//! The stages of the default search. They raise a lower bound and look for plans until the shortest
//! plan found has as many steps as the lower bound.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use fewest_core::budget::{Limit, Meter};

use crate::bounds::{Bounds, Halt, Positions};
use crate::feasibility::has_plan;
use crate::joint::{self, JointResult};
use crate::lacam;
use crate::prioritised::{self, Effort, PlanningUnit, PrioritisedResult};
use crate::single_agent::SingleAgent;
use crate::tables::DistanceTable;

/// A solver for one instance.
pub(crate) struct Solver<'a> {
    single_agent: &'a SingleAgent,
    tables: Vec<DistanceTable<'a>>,
    /// The pairs and triples of ghosts that have a table, or that were found to need none because
    /// they have a plan within the lower bound.
    examined: BTreeSet<Vec<usize>>,
    pub(crate) bounds: Bounds,
}

/// [`Effort::cells_per_step`] where the next stage decides if the planner fails.
const QUICK_CELLS_PER_STEP: usize = 2;

/// [`Effort::cells_per_step`] where the next stage may take very long.
const PATIENT_CELLS_PER_STEP: usize = 64;

/// The most ghosts that are searched jointly before those that interfere are known.
const MAX_GHOSTS_AT_ONCE: usize = 6;

/// The most states that a joint search generates before there are tables of three ghosts: a
/// fraction of a second with few ghosts.
const MAX_GENERATED_BEFORE_TRIPLES: u64 = 1_000_000;

/// The most states that a joint search generates before the next table of two ghosts.
const MAX_GENERATED_BEFORE_PAIR: u64 = 2_000;

/// The work of LaCAM, as a number of steps times a number of ghosts, in addition to a few steps of
/// all ghosts: a few seconds.
const LACAM_GHOST_STEPS: u64 = 4_000_000;

/// The most work of the prioritised planner beyond its first attempt, as a number of steps times a
/// number of ghosts: a few tenths of a second.
const PRIORITISED_GHOST_STEPS: u64 = 4_000_000;

impl<'a> Solver<'a> {
    pub(crate) fn new(single_agent: &'a SingleAgent) -> Self {
        Self {
            single_agent,
            tables: Vec::new(),
            examined: BTreeSet::new(),
            bounds: Bounds::default(),
        }
    }

    /// A shortest plan, or `None` if there is no plan. If a limit stops the solver, `bounds` holds
    /// the lower bound and the best plan.
    pub(crate) fn solve(&mut self, meter: &mut Meter<'_>) -> Result<Option<Vec<Positions>>, Limit> {
        match self.run_stages(meter) {
            Ok(plan) => Ok(plan),
            Err(Halt::Optimal) => Ok(self.bounds.best.take()),
            Err(Halt::Limit(limit)) => Err(limit),
        }
    }

    fn run_stages(&mut self, meter: &mut Meter<'_>) -> Result<Option<Vec<Positions>>, Halt> {
        let all: Vec<usize> = (0..self.single_agent.starts().len()).collect();
        let Some(farthest) = self.single_agent.farthest(&all) else { return Ok(None) };
        let is_farthest =
            |&ghost: &usize| u32::from(self.single_agent.start_to_goal(ghost)) == farthest;
        let last = all.iter().position(is_farthest).unwrap_or(0);
        self.bounds.raise_lower(farthest, &all[last..=last])?;
        if let Some(plan) = self.quick_plan(&all, all.len(), meter)? {
            return Ok(Some(plan));
        }
        let single_agent = self.single_agent;
        if !has_plan(single_agent.cells(), single_agent.starts(), single_agent.goals(), meter)? {
            return Ok(None);
        }
        // With many ghosts or on a large map, the next stage may take very long, so some plan is
        // found first. Otherwise only the stages after it may.
        let may_be_long = all.len() > MAX_GHOSTS_AT_ONCE
            || self.max_generated_before_triples() == MAX_GENERATED_BEFORE_TRIPLES;
        if may_be_long {
            self.find_some_plan(&all, meter)?;
        }
        if all.len() <= MAX_GHOSTS_AT_ONCE {
            match self.search_with_pairs(&all, meter)? {
                JointResult::Plan(plan) => return Ok(Some(plan)),
                JointResult::NoPlan => return Ok(None),
                JointResult::GaveUp => {}
            }
        }
        if all.len() <= 3 {
            return self.search_with_triples(&all, meter);
        }
        if !may_be_long {
            self.find_some_plan(&all, meter)?;
        }
        self.search_by_groups(&all, meter)
    }

    /// Searches jointly only for the ghosts that interfere, and plans all others around them:
    /// independence detection (Standley 2010), for the makespan.
    fn search_by_groups(
        &mut self,
        all: &[usize],
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Positions>>, Halt> {
        let mut units = single_units(all);
        loop {
            let (one, other) = match self.patient_plan(&units, self.bounds.lower, meter)? {
                PrioritisedResult::Plan(plan) => return Ok(Some(plan)),
                PrioritisedResult::Blocked(one, other) => (one, other),
            };
            let mut group = units.swap_remove(one.max(other)).ghosts().to_vec();
            group.extend_from_slice(units.swap_remove(one.min(other)).ghosts());
            group.sort_unstable();
            if !joint::fits_word(self.single_agent, group.len()) {
                return Err(Limit::Encoding.into());
            }
            let plan = match self.search_with_pairs(&group, meter)? {
                JointResult::Plan(plan) => Some(plan),
                JointResult::NoPlan => None,
                JointResult::GaveUp => self.search_with_triples(&group, meter)?,
            };
            match plan {
                Some(plan) => units.push(PlanningUnit::Group(group, plan)),
                None => return Ok(None),
            }
        }
    }

    /// A shortest plan of a group as if there were no others, or one with as many steps as the
    /// lower bound. Gives up if the search is long even with the tables of all pairs.
    ///
    /// One or two of the tables are often enough, so the search is tried after each new one.
    fn search_with_pairs(
        &mut self,
        group: &[usize],
        meter: &mut Meter<'_>,
    ) -> Result<JointResult, Halt> {
        // Less work than another table.
        let max_generated = (self.single_agent.cells().len() as u64).pow(2) / 16;
        for pair in self.pairs(group) {
            if !self.needs_table(&pair, meter)? {
                continue;
            }
            let before = self.bounds.lower;
            self.add_table(DistanceTable::of_two(self.single_agent, pair, meter.memory())?, meter)?;
            if self.bounds.lower > before
                && let Some(plan) = self.quick_plan(group, group.len(), meter)?
            {
                return Ok(JointResult::Plan(plan));
            }
            match self.search(group, max_generated.min(MAX_GENERATED_BEFORE_PAIR), meter)? {
                JointResult::GaveUp => {}
                result => return Ok(result),
            }
        }
        self.search(group, self.max_generated_before_triples(), meter)
    }

    /// All pairs of a group, in descending order of the distance between the two starts plus the
    /// distance between the two goals. Distant ghosts have to make most room to pass each other,
    /// and that includes the room for the ghosts between them.
    fn pairs(&self, group: &[usize]) -> Vec<[usize; 2]> {
        let pairs = group
            .iter()
            .enumerate()
            .flat_map(|(index, &second)| group[..index].iter().map(move |&first| [first, second]));
        let mut pairs: Vec<[usize; 2]> = pairs.collect();
        pairs.sort_by_key(|&[first, second]| {
            let second_start = self.single_agent.starts()[second];
            let second_goal = self.single_agent.goals()[second];
            let starts = self.single_agent.from_start(first)[second_start as usize];
            let goals = self.single_agent.to_goal(first)[second_goal as usize];
            Reverse(u32::from(starts) + u32::from(goals))
        });
        pairs
    }

    /// A fortieth of the possible boards of three ghosts, at most [`MAX_GENERATED_BEFORE_TRIPLES`]:
    /// about the cost of the tables of three ghosts, which come next.
    fn max_generated_before_triples(&self) -> u64 {
        let boards = (self.single_agent.cells().len() as u64).saturating_pow(3);
        (boards / 40).min(MAX_GENERATED_BEFORE_TRIPLES)
    }

    /// A shortest plan of a group as if there were no others, with tables of three ghosts and
    /// without a limit of its own.
    fn search_with_triples(
        &mut self,
        group: &[usize],
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Positions>>, Halt> {
        self.add_triple_tables(group, meter)?;
        match self.search(group, u64::MAX, meter)? {
            JointResult::Plan(plan) => Ok(Some(plan)),
            JointResult::NoPlan => Ok(None),
            // Not reached in practice. The result would not prove that there is no plan.
            JointResult::GaveUp => Err(Limit::States.into()),
        }
    }

    fn search(
        &mut self,
        group: &[usize],
        max_generated: u64,
        meter: &mut Meter<'_>,
    ) -> Result<JointResult, Halt> {
        joint::search(
            self.single_agent,
            group,
            &mut self.tables,
            max_generated,
            &mut self.bounds,
            meter,
        )
    }

    /// A plan with as many steps as the lower bound, if the prioritised planner finds one within a
    /// few attempts.
    fn quick_plan(
        &self,
        group: &[usize],
        attempts: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Positions>>, Limit> {
        let effort = Effort {
            attempts: self.affordable_attempts(attempts, group.len()),
            cells_per_step: QUICK_CELLS_PER_STEP,
        };
        let units = single_units(group);
        match prioritised::plan(self.single_agent, &units, self.bounds.lower, effort, meter) {
            Ok(PrioritisedResult::Plan(plan)) => Ok(Some(plan)),
            // A search may need less memory than the planner.
            Ok(PrioritisedResult::Blocked(..)) | Err(Limit::Memory) => Ok(None),
            Err(limit) => Err(limit),
        }
    }

    /// The number of attempts, at most `attempts` and at least one, for planning `ghosts` ghosts
    /// within [`PRIORITISED_GHOST_STEPS`].
    fn affordable_attempts(&self, attempts: usize, ghosts: usize) -> usize {
        let ghost_steps = ghosts as u64 * u64::from(self.bounds.lower + 1);
        attempts.min((PRIORITISED_GHOST_STEPS / ghost_steps) as usize).max(1)
    }

    /// A plan of `length` steps by the prioritised planner with many attempts.
    fn patient_plan(
        &self,
        units: &[PlanningUnit],
        length: u32,
        meter: &mut Meter<'_>,
    ) -> Result<PrioritisedResult, Limit> {
        let effort = Effort {
            attempts: self.affordable_attempts(2 * units.len(), units.len()),
            cells_per_step: PATIENT_CELLS_PER_STEP,
        };
        prioritised::plan(self.single_agent, units, length, effort, meter)
    }

    /// Finds a plan in case the budget runs out: first any plan, then a shorter one with a length
    /// from the lower bound upward, in growing increments.
    fn find_some_plan(&mut self, all: &[usize], meter: &mut Meter<'_>) -> Result<(), Halt> {
        let lower = self.bounds.lower;
        let mut longest = lower.saturating_mul(4).saturating_add(16);
        let max_steps = LACAM_GHOST_STEPS / all.len() as u64 + 20 * u64::from(lower);
        let found = match lacam::plan(self.single_agent, max_steps, meter) {
            // LaCAM has freed its memory, and the search may need less.
            Err(Limit::Memory) => None,
            found => found?,
        };
        if let Some(plan) = found {
            let steps = plan.len() as u32 - 1;
            self.bounds.add_plan(plan)?;
            longest = steps - 1;
        }
        let units = single_units(all);
        let mut excess = 1;
        while lower + excess <= longest {
            let result = self.patient_plan(&units, lower + excess, meter)?;
            if let PrioritisedResult::Plan(plan) = result {
                return self.bounds.add_plan(plan);
            }
            excess += excess.div_ceil(2);
        }
        Ok(())
    }

    /// Adds the tables of all triples of a group that the planner does not solve within the lower
    /// bound. The lower bound may rise with each table.
    fn add_triple_tables(&mut self, group: &[usize], meter: &mut Meter<'_>) -> Result<(), Halt> {
        for (index, &third) in group.iter().enumerate() {
            for (index, &second) in group[..index].iter().enumerate() {
                for &first in &group[..index] {
                    let triple = [first, second, third];
                    if self.needs_table(&triple, meter)? {
                        self.add_table(
                            DistanceTable::of_three(self.single_agent, triple, meter.memory())?,
                            meter,
                        )?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether ghosts are examined for the first time and the planner finds no plan for them within
    /// the lower bound.
    fn needs_table(&mut self, ghosts: &[usize], meter: &mut Meter<'_>) -> Result<bool, Limit> {
        Ok(self.examined.insert(ghosts.to_vec()) && self.quick_plan(ghosts, 1, meter)?.is_none())
    }

    /// Extends a table to the starts, and raises the lower bound on the way.
    fn add_table(
        &mut self,
        mut table: DistanceTable<'a>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        while let (None, Some(least)) = (table.start_distance(), table.least_unknown()) {
            self.bounds.raise_lower(least, table.ghosts())?;
            table.extend(least, meter)?;
        }
        // Known here, because all ghosts together have a plan.
        let steps = table.start_distance().unwrap_or(0);
        let raised = self.bounds.raise_lower(steps, table.ghosts());
        self.tables.push(table);
        raised
    }
}

fn single_units(ghosts: &[usize]) -> Vec<PlanningUnit> {
    ghosts.iter().copied().map(PlanningUnit::Single).collect()
}
