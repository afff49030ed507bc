//! The proof: lower bounds and plans, until a plan is as short as the bound.

use fewest_core::budget::{Limit, Meter};

use crate::alone::Alone;
use crate::feasibility::has_plan;
use crate::joint::{self, End, Positions};
use crate::prioritised::{self, Effort};
use crate::tables::Table;

/// What is known of a house.
pub(crate) struct Solver<'a> {
    pub(crate) alone: &'a Alone,
    pub(crate) tables: Vec<Table<'a>>,
    /// No plan has fewer steps.
    pub(crate) lower_bound: u32,
}

impl<'a> Solver<'a> {
    /// A shortest plan, or `None` if there is no plan.
    pub(crate) fn solve(&mut self, meter: &mut Meter<'_>) -> Result<Option<Vec<Positions>>, Limit> {
        let Some(farthest) = self.alone.farthest() else { return Ok(None) };
        self.lower_bound = farthest;
        let all: Vec<usize> = (0..self.alone.starts().len()).collect();
        if let Some(plan) = self.plan(&all, meter)? {
            return Ok(Some(plan));
        }
        if !has_plan(self.alone.cells(), self.alone.starts(), self.alone.goals()) {
            return Ok(None);
        }
        self.include_pairs(&all, meter)?;
        if self.lower_bound > farthest
            && let Some(plan) = self.plan(&all, meter)?
        {
            return Ok(Some(plan));
        }
        // Tables of three ghosts may cost as much as to go through all their boards.
        let few = (self.alone.cells().len() as u64).pow(3) / 100;
        match joint::search(self.alone, &all, &mut self.tables, few, &mut self.lower_bound, meter)? {
            End::Plan(plan) => return Ok(Some(plan)),
            End::NoPlan => return Ok(None),
            End::GivenUp => {}
        }
        self.include_triples(&all, meter)?;
        match joint::search(self.alone, &all, &mut self.tables, u64::MAX, &mut self.lower_bound, meter)? {
            End::Plan(plan) => Ok(Some(plan)),
            End::NoPlan | End::GivenUp => Ok(None),
        }
    }

    /// A plan as short as the lower bound, if a few attempts find one.
    fn plan(&self, group: &[usize], meter: &mut Meter<'_>) -> Result<Option<Vec<Positions>>, Limit> {
        let effort = Effort { attempts: group.len(), cells_a_step: 4 };
        prioritised::plan(self.alone, group, self.lower_bound, effort, meter)
    }

    /// Makes tables of those two ghosts that do not easily get home within the lower bound, which may rise with it.
    fn include_pairs(&mut self, group: &[usize], meter: &mut Meter<'_>) -> Result<(), Limit> {
        for (number, &second) in group.iter().enumerate() {
            for &first in &group[..number] {
                if self.plan(&[first, second], meter)?.is_none() {
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
                    if self.plan(&[first, second, third], meter)?.is_none() {
                        self.include(Table::of_three(self.alone, [first, second, third], meter.memory())?, meter)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn include(&mut self, mut table: Table<'a>, meter: &mut Meter<'_>) -> Result<(), Limit> {
        self.lower_bound = self.lower_bound.max(table.from_starts(meter)?.unwrap_or(u32::MAX));
        self.tables.push(table);
        Ok(())
    }
}
