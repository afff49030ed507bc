//! A fast planner that may fail: one ghost after the other, each around those before it (Erdmann
//! and Lozano-Pérez 1987).
//!
//! It looks for a plan of a given length. Each ghost goes depth first through cells and times,
//! towards its goal first, where no ghost before it stands or comes the other way, and where it can
//! still be home in time. One that finds no way goes before all others in the next attempt. A plan
//! whose length is a lower bound is a shortest one, and then nothing else is to be proved.
//!
//! Ghosts that were planned together keep their plan, and go before all others. So those that the
//! planner cannot plan are planned by a search, and only those.

use std::cmp::Reverse;
use std::mem;

use fewest_core::budget::{Limit, Meter};
use fewest_core::encoding::Cell;
use fewest_core::memory::{Block, SegmentedVec};

use crate::bounds::{Positions, ascending};
use crate::reservations::Reservations;
use crate::single_agent::SingleAgent;

/// How hard to try.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// By so many orders of the ghosts.
    pub(crate) attempts: usize,
    /// By so many cells for each step of a ghost's way. A way that is there is mostly found by one
    /// or two.
    pub(crate) cells_a_step: usize,
}

/// What is planned at one time.
#[derive(Clone, Debug)]
pub(crate) enum Unit {
    /// A ghost.
    One(usize),
    /// Ghosts in ascending order with their plan, which lets them stay at their goals when it is
    /// over.
    Group(Vec<usize>, Vec<Positions>),
}

impl Unit {
    /// Its ghosts.
    pub(crate) fn ghosts(&self) -> &[usize] {
        match self {
            Self::One(ghost) => std::slice::from_ref(ghost),
            Self::Group(ghosts, _) => ghosts,
        }
    }
}

/// How the planner ends.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// With the positions of all ghosts from start to goal.
    Plan(Vec<Positions>),
    /// With two units, by their places, of which the first found no way, and the second was most
    /// often in it.
    Blocked(usize, usize),
}

/// Looks for a plan of exactly `length` steps, as many as each unit needs alone or more.
///
/// Takes 14 to 26 bytes a ghost and step, and 32 a cell that may be tried.
pub(crate) fn plan(
    alone: &SingleAgent,
    units: &[Unit],
    length: u32,
    effort: Effort,
    meter: &mut Meter<'_>,
) -> Result<End, Limit> {
    let steps = |&place: &usize| match &units[place] {
        Unit::One(ghost) => alone.steps(*ghost),
        Unit::Group(..) => u16::MAX,
    };
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by_key(|place| Reverse(steps(place)));
    let groups = units.iter().filter(|unit| matches!(unit, Unit::Group(..))).count();
    let ghosts: usize = units.iter().map(|unit| unit.ghosts().len()).sum();
    let times = length as usize + 1;
    let taken = Block::filled(0, times * ghosts, meter.memory())?;
    let reservations = Reservations::new(times, ghosts, meter.memory())?;
    // Four times the room that they need if as many are tried at each time.
    let room = alone.cells().len().min(4 * effort.cells_a_step);
    let tried = Block::filled(0, times * room, meter.memory())?;
    let in_the_way = vec![0; ghosts];
    let mut planner = Planner {
        alone,
        times,
        ghosts,
        planned: 0,
        taken,
        reservations,
        room,
        tried,
        round: 0,
        in_the_way,
    };
    let mut blocked = (0, 0);
    for _ in 0..effort.attempts {
        planner.planned = 0;
        planner.reservations.clear();
        let mut failed = None;
        for (number, &place) in order.iter().enumerate() {
            let fits = match &units[place] {
                Unit::One(ghost) => planner.plan_one(*ghost, effort, meter)?,
                Unit::Group(_, plan) => planner.keep(plan),
            };
            if !fits {
                failed = Some(number);
                break;
            }
        }
        let Some(failed) = failed else { return Ok(End::Plan(planner.plan(units, &order))) };
        blocked = (order[failed], planner.most_in_the_way(units, &order[..failed]));
        if failed <= groups {
            break;
        }
        order[groups..=failed].rotate_right(1);
    }
    Ok(End::Blocked(blocked.0, blocked.1))
}

struct Planner<'a> {
    alone: &'a SingleAgent,
    times: usize,
    ghosts: usize,
    /// How many of the ghosts have a way.
    planned: usize,
    /// The cells of the ghosts that have one: a row a time, a column a ghost in the order of
    /// planning.
    taken: Block<Cell>,
    /// The same by time and cell.
    reservations: Reservations,
    /// The cells that ghosts were sent to: a row a time with so much room, in which each cell has
    /// its place and takes it from the one that was there. So some are forgotten, and may be tried
    /// once more. They are marked with the round, the number of the attempt to plan a ghost.
    tried: Block<u64>,
    room: usize,
    round: u64,
    /// How often each ghost that has a way was in that of the last that was planned.
    in_the_way: Vec<u32>,
}

impl Planner<'_> {
    fn taken(&self, time: usize) -> &[Cell] {
        &self.taken[time * self.ghosts..][..self.planned]
    }

    fn take(&mut self, time: usize, column: usize, cell: Cell) {
        self.taken[time * self.ghosts + column] = cell;
        self.reservations.put(time, cell, column);
    }

    /// The ghost that stands on a cell after a step, or comes from there to where the step begins.
    fn met(&self, from: Cell, to: Cell, after: usize) -> Option<usize> {
        self.reservations.at(after, to).or_else(|| {
            let comes = self.reservations.at(after - 1, to)?;
            (from != to && self.taken(after)[comes] == from).then_some(comes)
        })
    }

    /// Finds a way for a ghost around all that have one. False if there is none, or too much effort
    /// has not found it.
    fn plan_one(
        &mut self,
        ghost: usize,
        effort: Effort,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Limit> {
        let to_goal = self.alone.to_goal(ghost);
        self.in_the_way.fill(0);
        self.round += 1;
        let mut left = self.times.saturating_mul(effort.cells_a_step);
        // The cell at each time, and how many of its choices have been tried.
        let mut way = SegmentedVec::new(meter.memory());
        way.push((self.alone.starts()[ghost], 0u8))?;
        while way.len() < self.times {
            let after = way.len();
            let Some((here, choice)) = way.last_mut() else { return Ok(false) };
            let Some(to) = self.alone.choices(ghost, *here).nth((*choice).into()) else {
                way.pop();
                continue;
            };
            *choice += 1;
            if usize::from(to_goal[usize::from(to)]) >= self.times - after {
                continue;
            }
            if let Some(other) = self.met(*here, to, after) {
                self.in_the_way[other] += 1;
                continue;
            }
            let mark = self.round << Cell::BITS | u64::from(to);
            if mem::replace(&mut self.tried[after * self.room + usize::from(to) % self.room], mark)
                == mark
            {
                continue;
            }
            if left == 0 {
                return Ok(false);
            }
            left -= 1;
            meter.poll()?;
            way.push((to, 0))?;
        }
        for (time, (cell, _)) in way.iter().enumerate() {
            self.take(time, self.planned, cell);
        }
        self.planned += 1;
        Ok(true)
    }

    /// Takes the plan of a group as it is, if it is not too long and no ghost is in its way.
    fn keep(&mut self, plan: &[Positions]) -> bool {
        self.in_the_way.fill(0);
        let at = |time: usize| &plan[time.min(plan.len() - 1)];
        for time in 1..self.times {
            for (&from, &to) in at(time - 1).iter().zip(at(time)) {
                if let Some(other) = self.met(from, to, time) {
                    self.in_the_way[other] += 1;
                }
            }
        }
        if plan.len() > self.times || self.in_the_way.iter().any(|&times| times > 0) {
            return false;
        }
        for time in 0..self.times {
            for (column, &cell) in (self.planned..).zip(at(time)) {
                self.take(time, column, cell);
            }
        }
        self.planned += at(0).len();
        true
    }

    /// The unit, of those in `order`, that was most often in the way of the one after them; alone,
    /// that one would have found its way.
    fn most_in_the_way(&self, units: &[Unit], order: &[usize]) -> usize {
        let mut times = self.in_the_way.iter();
        let sum =
            |&place: &usize| (times.by_ref().take(units[place].ghosts().len()).sum::<u32>(), place);
        order.iter().map(sum).max_by_key(|&(times, _)| times).map_or(0, |(_, place)| place)
    }

    /// The plan, once all are planned in `order`.
    fn plan(&self, units: &[Unit], order: &[usize]) -> Vec<Positions> {
        let ghosts: Vec<usize> =
            order.iter().flat_map(|&place| units[place].ghosts()).copied().collect();
        let columns = ascending(&ghosts);
        (0..self.times)
            .map(|time| columns.iter().map(|&column| self.taken(time)[column]).collect())
            .collect()
    }
}
