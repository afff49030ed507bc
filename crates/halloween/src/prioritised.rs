//! Prioritised planning (Erdmann and Lozano-Pérez 1987) with a reservation table (Silver 2005): one
//! ghost after the other, each around the paths of those before it. It is fast but incomplete.
//!
//! The planner looks for a plan of a given number of steps. Each ghost searches depth first over
//! pairs of a cell and a time, cells nearer to its goal first. It skips cells that are reserved,
//! exchanges with ghosts that have a path, and cells from which it can no longer reach its goal in
//! time. A ghost that finds no path goes first in the next attempt. If the number of steps is a
//! lower bound, the plan is optimal.
//!
//! Groups of ghosts that already have a joint plan keep it and go before all others. So only the
//! ghosts for which this planner fails have to be searched jointly.

use std::cmp::Reverse;
use std::mem;

use fewest_core::budget::{Limit, Meter};
use fewest_core::encoding::CellIndex;
use fewest_core::memory::{Block, SegmentedVec};

use crate::bounds::{Positions, indices_by_ghost};
use crate::reservations::ReservationTable;
use crate::single_agent::SingleAgent;

/// How long the planner tries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// The number of attempts, each with another order of the ghosts.
    pub(crate) attempts: usize,
    /// The number of visited cells for each step of a path. Most paths that exist are found with 1
    /// or 2.
    pub(crate) cells_per_step: usize,
}

/// Ghosts that are planned together.
#[derive(Clone, Debug)]
pub(crate) enum PlanningUnit {
    /// One ghost.
    Single(usize),
    /// Ghosts in ascending order with their joint plan. They stay at their goals after its last
    /// step.
    Group(Vec<usize>, Vec<Positions>),
}

impl PlanningUnit {
    pub(crate) fn ghosts(&self) -> &[usize] {
        match self {
            Self::Single(ghost) => std::slice::from_ref(ghost),
            Self::Group(ghosts, _) => ghosts,
        }
    }
}

/// The result of [`plan`].
#[derive(Clone, Debug)]
pub(crate) enum PrioritisedResult {
    /// A plan: the positions of all ghosts at each time.
    Plan(Vec<Positions>),
    /// No plan was found. The first index is the unit that found no path in the last attempt, the
    /// second the unit that blocked it most often.
    Blocked(usize, usize),
}

/// Looks for a plan of exactly `length` steps. `length` must be at least the distance from start to
/// goal of each single ghost.
///
/// Takes 14 to 26 bytes for each pair of a ghost and a step, and 32 for each cell that `effort`
/// allows to visit.
pub(crate) fn plan(
    single_agent: &SingleAgent,
    units: &[PlanningUnit],
    length: u32,
    effort: Effort,
    meter: &mut Meter<'_>,
) -> Result<PrioritisedResult, Limit> {
    let priority = |&unit: &usize| match &units[unit] {
        PlanningUnit::Single(ghost) => single_agent.start_to_goal(*ghost),
        PlanningUnit::Group(..) => u16::MAX,
    };
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by_key(|unit| Reverse(priority(unit)));
    let groups = units.iter().filter(|unit| matches!(unit, PlanningUnit::Group(..))).count();
    let ghosts: usize = units.iter().map(|unit| unit.ghosts().len()).sum();
    let times = length as usize + 1;
    let positions = Block::filled(0, times * ghosts, meter.memory())?;
    let reservations = ReservationTable::new(times, ghosts, meter.memory())?;
    // Four times the cells that are visited if the visits are spread evenly over the times.
    let slots_per_time = single_agent.cells().len().min(4 * effort.cells_per_step);
    let visited = Block::filled(0, times * slots_per_time, meter.memory())?;
    let conflicts = vec![0; ghosts];
    let mut planner = Planner {
        single_agent,
        times,
        ghosts,
        planned: 0,
        positions,
        reservations,
        slots_per_time,
        visited,
        search: 0,
        conflicts,
    };
    let mut blocked = (0, 0);
    for _ in 0..effort.attempts {
        planner.planned = 0;
        planner.reservations.clear();
        let mut failed = None;
        for (index, &unit) in order.iter().enumerate() {
            let is_planned = match &units[unit] {
                PlanningUnit::Single(ghost) => planner.plan_single(*ghost, effort, meter)?,
                PlanningUnit::Group(_, plan) => planner.add_group(plan),
            };
            if !is_planned {
                failed = Some(index);
                break;
            }
        }
        let Some(failed) = failed else {
            return Ok(PrioritisedResult::Plan(planner.plan(units, &order)));
        };
        blocked = (order[failed], planner.most_conflicting(units, &order[..failed]));
        if failed <= groups {
            break;
        }
        order[groups..=failed].rotate_right(1);
    }
    Ok(PrioritisedResult::Blocked(blocked.0, blocked.1))
}

struct Planner<'a> {
    single_agent: &'a SingleAgent,
    times: usize,
    ghosts: usize,
    /// The number of ghosts that have a path.
    planned: usize,
    /// The cells of the planned ghosts: one row per time, one column per ghost in the order
    /// of planning.
    positions: Block<CellIndex>,
    /// The same, by time and cell.
    reservations: ReservationTable,
    /// The visited pairs of a cell and a time, each as the number of its search and the cell. Each
    /// time has a row of `slots_per_time` slots, and a cell overwrites the entry in its slot. So
    /// some pairs are forgotten and may be visited again.
    visited: Block<u64>,
    slots_per_time: usize,
    /// The number of the current search for a path.
    search: u64,
    /// For each planned ghost, the number of conflicts with the unit that was planned last.
    conflicts: Vec<u32>,
}

impl Planner<'_> {
    /// The cells of the planned ghosts at a time.
    fn positions_at(&self, time: usize) -> &[CellIndex] {
        &self.positions[time * self.ghosts..][..self.planned]
    }

    fn reserve(&mut self, time: usize, column: usize, cell: CellIndex) {
        self.positions[time * self.ghosts + column] = cell;
        self.reservations.reserve(time, cell, column);
    }

    /// The column of the planned ghost that conflicts with a move to `to` at the time `after`: it
    /// is on `to` then, or it exchanges cells with the moving ghost.
    fn conflicting_ghost(&self, from: CellIndex, to: CellIndex, after: usize) -> Option<usize> {
        self.reservations.at(after, to).or_else(|| {
            let other = self.reservations.at(after - 1, to)?;
            (from != to && self.positions_at(after)[other] == from).then_some(other)
        })
    }

    /// Finds a path for a ghost around all planned ghosts. False if there is none, or if none was
    /// found within `effort`.
    fn plan_single(
        &mut self,
        ghost: usize,
        effort: Effort,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Limit> {
        let to_goal = self.single_agent.to_goal(ghost);
        self.conflicts.fill(0);
        self.search += 1;
        let mut visits_left = self.times.saturating_mul(effort.cells_per_step);
        // The cell at each time, and the number of its choices that have been tried.
        let mut path = SegmentedVec::new(meter.memory());
        path.push((self.single_agent.starts()[ghost], 0u8))?;
        while path.len() < self.times {
            let after = path.len();
            let Some((here, choice)) = path.last_mut() else { return Ok(false) };
            let Some(to) = self.single_agent.choices(ghost, *here).nth((*choice).into()) else {
                path.pop();
                continue;
            };
            *choice += 1;
            if to_goal[to as usize] as usize >= self.times - after {
                continue;
            }
            if let Some(other) = self.conflicting_ghost(*here, to, after) {
                self.conflicts[other] += 1;
                continue;
            }
            let entry = self.search << CellIndex::BITS | u64::from(to);
            let slot = after * self.slots_per_time + to as usize % self.slots_per_time;
            if mem::replace(&mut self.visited[slot], entry) == entry {
                continue;
            }
            if visits_left == 0 {
                return Ok(false);
            }
            visits_left -= 1;
            meter.poll()?;
            path.push((to, 0))?;
        }
        for (time, (cell, _)) in path.iter().enumerate() {
            self.reserve(time, self.planned, cell);
        }
        self.planned += 1;
        Ok(true)
    }

    /// Adds the plan of a group. False if it is too long or conflicts with a planned ghost.
    fn add_group(&mut self, plan: &[Positions]) -> bool {
        self.conflicts.fill(0);
        let at = |time: usize| &plan[time.min(plan.len() - 1)];
        for time in 1..self.times {
            for (&from, &to) in at(time - 1).iter().zip(at(time)) {
                if let Some(other) = self.conflicting_ghost(from, to, time) {
                    self.conflicts[other] += 1;
                }
            }
        }
        if plan.len() > self.times || self.conflicts.iter().any(|&conflicts| conflicts > 0) {
            return false;
        }
        for time in 0..self.times {
            for (column, &cell) in (self.planned..).zip(at(time)) {
                self.reserve(time, column, cell);
            }
        }
        self.planned += at(0).len();
        true
    }

    /// The unit of `order` with the most conflicts with the unit that failed after them. There is
    /// one, because a single ghost finds a path if no other ghost has one.
    fn most_conflicting(&self, units: &[PlanningUnit], order: &[usize]) -> usize {
        let mut conflicts = self.conflicts.iter();
        let sum = |&unit: &usize| {
            (conflicts.by_ref().take(units[unit].ghosts().len()).sum::<u32>(), unit)
        };
        order.iter().map(sum).max_by_key(|&(conflicts, _)| conflicts).map_or(0, |(_, unit)| unit)
    }

    /// The plan, after all units were planned in `order`.
    fn plan(&self, units: &[PlanningUnit], order: &[usize]) -> Vec<Positions> {
        let ghosts: Vec<usize> =
            order.iter().flat_map(|&unit| units[unit].ghosts()).copied().collect();
        let columns = indices_by_ghost(&ghosts);
        (0..self.times)
            .map(|time| columns.iter().map(|&column| self.positions_at(time)[column]).collect())
            .collect()
    }
}
