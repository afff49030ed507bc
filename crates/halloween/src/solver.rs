//! The proof: lower bounds rise and plans are found until a plan is as short as the bound.

use std::collections::BTreeSet;

use fewest_core::budget::{Limit, Meter};

use crate::alone::Alone;
use crate::feasibility::has_plan;
use crate::joint::{self, End, Positions};
use crate::prioritised::{self, Effort, Unit};
use crate::tables::Table;

/// What is known of a house.
pub(crate) struct Solver<'a> {
    alone: &'a Alone,
    tables: Vec<Table<'a>>,
    /// The two or three ghosts that were found to get home within the lower bound, or that have a table.
    seen: BTreeSet<Vec<usize>>,
    /// No plan has fewer steps.
    pub(crate) lower_bound: u32,
    /// The shortest plan so far.
    pub(crate) best: Option<Vec<Positions>>,
}

/// For a plan that is a shortest one if it is found: a failure costs little, as next is a search that may cost any time.
const QUICK: usize = 4;
const PATIENT: usize = 64;

/// So many ghosts are searched together before those are sorted out that are in each other's way.
const FEW: usize = 6;

impl<'a> Solver<'a> {
    pub(crate) fn new(alone: &'a Alone) -> Self {
        Self { alone, tables: Vec::new(), seen: BTreeSet::new(), lower_bound: 0, best: None }
    }

    /// A shortest plan, or `None` if there is no plan.
    pub(crate) fn solve(&mut self, meter: &mut Meter<'_>) -> Result<Option<Vec<Positions>>, Limit> {
        let Some(farthest) = self.alone.farthest() else { return Ok(None) };
        self.lower_bound = farthest;
        let all: Vec<usize> = (0..self.alone.starts().len()).collect();
        if let Some(plan) = self.quick_plan(&all, all.len(), meter)? {
            return Ok(Some(plan));
        }
        if !has_plan(self.alone.cells(), self.alone.starts(), self.alone.goals()) {
            return Ok(None);
        }
        if all.len() > FEW {
            return self.solve_by_groups(&all, meter);
        }
        self.include_pairs(&all, meter)?;
        if self.lower_bound > farthest
            && let Some(plan) = self.quick_plan(&all, all.len(), meter)?
        {
            return Ok(Some(plan));
        }
        match self.search(&all, self.few_boards(), meter)? {
            End::Plan(plan) => Ok(Some(plan)),
            End::NoPlan => Ok(None),
            End::GivenUp if all.len() > 3 => self.solve_by_groups(&all, meter),
            End::GivenUp => self.search_to_the_end(&all, meter),
        }
    }

    /// As many boards as three ghosts may have at most, by a hundred: so much may tables of three ghosts cost, if it comes to them.
    fn few_boards(&self) -> u64 {
        (self.alone.cells().len() as u64).saturating_pow(3) / 100
    }

    fn search(&mut self, group: &[usize], most: u64, meter: &mut Meter<'_>) -> Result<End, Limit> {
        joint::search(self.alone, group, &mut self.tables, most, &mut self.lower_bound, meter)
    }

    /// A plan as short as the lower bound, if a few attempts find one.
    fn quick_plan(
        &self,
        group: &[usize],
        attempts: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Positions>>, Limit> {
        let units: Vec<Unit> = group.iter().copied().map(Unit::One).collect();
        let effort = Effort { attempts, cells_a_step: QUICK };
        match prioritised::plan(self.alone, &units, self.lower_bound, effort, meter)? {
            prioritised::End::Plan(plan) => Ok(Some(plan)),
            prioritised::End::Blocked(..) => Ok(None),
        }
    }

    /// Finds out which ghosts are in each other's way, and searches for plans of only those together; all others are planned around
    /// them (independence detection, Standley 2010, for the number of steps).
    fn solve_by_groups(&mut self, all: &[usize], meter: &mut Meter<'_>) -> Result<Option<Vec<Positions>>, Limit> {
        self.find_some_plan(all, meter)?;
        let mut units: Vec<Unit> = all.iter().copied().map(Unit::One).collect();
        loop {
            let effort = Effort { attempts: 2 * units.len(), cells_a_step: PATIENT };
            let (one, other) = match prioritised::plan(self.alone, &units, self.lower_bound, effort, meter)? {
                prioritised::End::Plan(plan) => return Ok(Some(sorted(&units, plan))),
                prioritised::End::Blocked(one, other) => (one, other),
            };
            let mut group = units.swap_remove(one.max(other)).ghosts().to_vec();
            if one != other {
                group.extend_from_slice(units.swap_remove(one.min(other)).ghosts());
            }
            group.sort_unstable();
            match self.solve_group(&group, meter)? {
                Some(plan) => units.push(Unit::Group(group, plan)),
                None => return Ok(None),
            }
        }
    }

    /// A shortest plan of a group as if there were no others.
    fn solve_group(&mut self, group: &[usize], meter: &mut Meter<'_>) -> Result<Option<Vec<Positions>>, Limit> {
        self.include_pairs(group, meter)?;
        match self.search(group, self.few_boards(), meter)? {
            End::Plan(plan) => Ok(Some(plan)),
            End::NoPlan => Ok(None),
            End::GivenUp => self.search_to_the_end(group, meter),
        }
    }

    fn search_to_the_end(&mut self, group: &[usize], meter: &mut Meter<'_>) -> Result<Option<Vec<Positions>>, Limit> {
        self.include_triples(group, meter)?;
        match self.search(group, u64::MAX, meter)? {
            End::Plan(plan) => Ok(Some(plan)),
            End::NoPlan | End::GivenUp => Ok(None),
        }
    }

    /// Tries lengths above the lower bound, farther and farther apart, so that there is a plan if time runs out.
    fn find_some_plan(&mut self, all: &[usize], meter: &mut Meter<'_>) -> Result<(), Limit> {
        let units: Vec<Unit> = all.iter().copied().map(Unit::One).collect();
        let effort = Effort { attempts: 2 * units.len(), cells_a_step: PATIENT };
        let longest = self.lower_bound.saturating_mul(4).saturating_add(16);
        let mut more = 1;
        while self.lower_bound + more <= longest {
            if let prioritised::End::Plan(plan) =
                prioritised::plan(self.alone, &units, self.lower_bound + more, effort, meter)?
            {
                self.best = Some(plan);
                break;
            }
            more += more.div_ceil(2);
        }
        Ok(())
    }

    /// Makes tables of those two ghosts that do not easily get home within the lower bound, which may rise with it.
    fn include_pairs(&mut self, group: &[usize], meter: &mut Meter<'_>) -> Result<(), Limit> {
        for (number, &second) in group.iter().enumerate() {
            for &first in &group[..number] {
                if self.is_new_and_hard(&[first, second], meter)? {
                    self.include(Table::of_two(self.alone, [first, second], meter.memory())?, meter)?;
                }
            }
        }
        Ok(())
    }

    /// The same of three ghosts.
    fn include_triples(&mut self, group: &[usize], meter: &mut Meter<'_>) -> Result<(), Limit> {
        for (number, &third) in group.iter().enumerate() {
            for (number, &second) in group[..number].iter().enumerate() {
                for &first in &group[..number] {
                    if self.is_new_and_hard(&[first, second, third], meter)? {
                        self.include(Table::of_three(self.alone, [first, second, third], meter.memory())?, meter)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn is_new_and_hard(&mut self, ghosts: &[usize], meter: &mut Meter<'_>) -> Result<bool, Limit> {
        Ok(self.seen.insert(ghosts.to_vec()) && self.quick_plan(ghosts, 1, meter)?.is_none())
    }

    fn include(&mut self, mut table: Table<'a>, meter: &mut Meter<'_>) -> Result<(), Limit> {
        // They get home, as all do.
        self.lower_bound = self.lower_bound.max(table.from_starts(meter)?.unwrap_or(0));
        self.tables.push(table);
        Ok(())
    }
}

/// A plan that has the ghosts in the order of the units, with the ghosts in their own.
fn sorted(units: &[Unit], plan: Vec<Positions>) -> Vec<Positions> {
    let order: Vec<usize> = units.iter().flat_map(|unit| unit.ghosts().iter().copied()).collect();
    let sort = |cells: Positions| {
        let mut positions = vec![0; cells.len()];
        order.iter().zip(cells).for_each(|(&ghost, cell)| positions[ghost] = cell);
        positions
    };
    plan.into_iter().map(sort).collect()
}
