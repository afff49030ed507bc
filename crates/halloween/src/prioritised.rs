//! A fast planner that may fail: one ghost after the other, each around those before it (Erdmann and Lozano-Pérez 1987).
//!
//! It looks for a plan of a given length. Each ghost goes depth first through cells and times, towards its goal first, where no
//! ghost before it stands or comes the other way, and where it can still be home in time. One that finds no way goes before all
//! others in the next attempt. A plan whose length is a lower bound is a shortest one, and then nothing else is to be proved.
//!
//! Ghosts that were planned together keep their plan, and go before all others. So those that the planner cannot plan are planned
//! by a search, and only those.

use std::cmp::Reverse;

use fewest_core::budget::{Limit, Meter};
use fewest_core::encoding::Cell;
use fewest_core::memory::{Block, SegmentedVec};

use crate::alone::Alone;
use crate::joint::Positions;

/// How hard to try.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// By so many orders of the ghosts.
    pub attempts: usize,
    /// By so many cells for each step of a ghost's way. A way that is there is mostly found by one or two.
    pub cells_a_step: usize,
}

/// What is planned at one time.
#[derive(Clone, Debug)]
pub enum Unit {
    /// A ghost.
    One(usize),
    /// Ghosts with their plan, which lets them stay at their goals when it is over.
    Group(Vec<usize>, Vec<Positions>),
}

impl Unit {
    /// Its ghosts.
    pub fn ghosts(&self) -> &[usize] {
        match self {
            Self::One(ghost) => std::slice::from_ref(ghost),
            Self::Group(ghosts, _) => ghosts,
        }
    }
}

/// How the planner ends.
#[derive(Clone, Debug)]
pub enum End {
    /// With the cells of all ghosts, in the order in which the units have them, from start to goal.
    Plan(Vec<Positions>),
    /// With two units, by their places, of which the first found no way, the second most often in it. They are equal if the first
    /// has none even alone.
    Blocked(usize, usize),
}

/// Looks for a plan of exactly `length` steps.
///
/// Takes two bytes a ghost and step, and a bit a cell and step.
pub fn plan(alone: &Alone, units: &[Unit], length: u32, effort: Effort, meter: &mut Meter<'_>) -> Result<End, Limit> {
    let steps = |&place: &usize| match &units[place] {
        Unit::One(ghost) => alone.to_goal(*ghost)[usize::from(alone.starts()[*ghost])],
        Unit::Group(..) => u16::MAX,
    };
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by_key(|place| Reverse(steps(place)));
    let groups = units.iter().filter(|unit| matches!(unit, Unit::Group(..))).count();
    let ghosts = units.iter().map(|unit| unit.ghosts().len()).sum();
    let times = length as usize + 1;
    let taken = Block::filled(0, times * ghosts, meter.memory())?;
    let tried = Block::filled(0, (times * alone.cells().len()).div_ceil(64), meter.memory())?;
    let mut planner = Planner { alone, times, ghosts, planned: 0, taken, tried, in_the_way: vec![0; ghosts] };
    let mut blocked = (0, 0);
    for _ in 0..effort.attempts {
        planner.planned = 0;
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
        let Some(failed) = failed else { return Ok(End::Plan(planner.positions(units, &order))) };
        blocked = (order[failed], planner.most_in_the_way(units, &order[..=failed]));
        if failed <= groups {
            break;
        }
        order[groups..=failed].rotate_right(1);
    }
    Ok(End::Blocked(blocked.0, blocked.1))
}

struct Planner<'a> {
    alone: &'a Alone,
    times: usize,
    ghosts: usize,
    /// How many of the ghosts have a way.
    planned: usize,
    /// The cells of the ghosts that have one: a row a time, a column a ghost in the order of planning.
    taken: Block<Cell>,
    /// A bit a time and cell: whether the ghost that is planned has been there then.
    tried: Block<u64>,
    /// How often each ghost that has a way was in that of the last that was planned.
    in_the_way: Vec<u32>,
}

impl Planner<'_> {
    fn taken(&self, time: usize) -> &[Cell] {
        &self.taken[time * self.ghosts..][..self.planned]
    }

    /// The ghost that stands on a cell after a step, or comes from there to where the step begins.
    fn met(&self, from: Cell, to: Cell, after: usize) -> Option<usize> {
        let stands = self.taken(after).iter().position(|&cell| cell == to);
        stands.or_else(|| {
            let comes = self.taken(after - 1).iter().position(|&cell| cell == to)?;
            (from != to && self.taken(after)[comes] == from).then_some(comes)
        })
    }

    /// Finds a way for a ghost around all that have one. False if there is none, or too much effort has not found it.
    fn plan_one(&mut self, ghost: usize, effort: Effort, meter: &mut Meter<'_>) -> Result<bool, Limit> {
        let (cells, to_goal) = (self.alone.cells(), self.alone.to_goal(ghost));
        let steps = |cell: Cell| usize::from(to_goal[usize::from(cell)]);
        let start = self.alone.starts()[ghost];
        self.in_the_way.fill(0);
        if steps(start) >= self.times {
            return Ok(false);
        }
        self.tried.fill(0);
        let mut left = self.times.saturating_mul(effort.cells_a_step);
        // The cell at each time, and how many of its choices have been tried.
        let mut way = SegmentedVec::new(meter.memory());
        way.push((start, 0u8))?;
        while way.len() < self.times {
            let after = way.len();
            let Some((here, choice)) = way.last_mut() else { return Ok(false) };
            // Those nearer to the goal, the cell itself, those farther.
            let beside = cells.neighbours(*here).iter().copied();
            let nearer = beside.clone().filter(|&to| steps(to) < steps(*here));
            let farther = beside.filter(|&to| steps(to) > steps(*here));
            let Some(to) = nearer.chain([*here]).chain(farther).nth((*choice).into()) else {
                way.pop();
                continue;
            };
            *choice += 1;
            if steps(to) >= self.times - after {
                continue;
            }
            if let Some(other) = self.met(*here, to, after) {
                self.in_the_way[other] += 1;
                continue;
            }
            let bit = after * cells.len() + usize::from(to);
            let (word, bit) = (&mut self.tried[bit / 64], 1 << (bit % 64));
            if std::mem::replace(word, *word | bit) & bit != 0 {
                continue;
            }
            if left == 0 {
                return Ok(false);
            }
            left -= 1;
            meter.expand()?;
            way.push((to, 0))?;
        }
        for (time, (cell, _)) in way.iter().enumerate() {
            self.taken[time * self.ghosts + self.planned] = cell;
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
            self.taken[time * self.ghosts + self.planned..][..at(time).len()].copy_from_slice(at(time));
        }
        self.planned += at(0).len();
        true
    }

    /// The place of the unit, of those in `order`, that was most often in the way of the last; that of the last if none was.
    fn most_in_the_way(&self, units: &[Unit], order: &[usize]) -> usize {
        let mut ghosts = self.in_the_way.iter();
        let sum = |&place: &usize| {
            let times: u32 = ghosts.by_ref().take(units[place].ghosts().len()).sum();
            (times, place)
        };
        let (times, place) = order.iter().map(sum).max_by_key(|&(times, _)| times).unwrap_or((0, 0));
        if times > 0 { place } else { order.last().copied().unwrap_or(0) }
    }

    /// The cells at each time in the order of the units, once all are planned in `order`.
    fn positions(&self, units: &[Unit], order: &[usize]) -> Vec<Positions> {
        let begins = |place: usize| units[..place].iter().map(|unit| unit.ghosts().len()).sum::<usize>();
        let columns: Vec<usize> = order
            .iter()
            .flat_map(|&place| (0..units[place].ghosts().len()).map(move |ghost| begins(place) + ghost))
            .collect();
        let row = |cells: &[Cell]| {
            let mut positions = vec![0; cells.len()];
            columns.iter().zip(cells).for_each(|(&column, &cell)| positions[column] = cell);
            positions
        };
        (0..self.times).map(|time| row(self.taken(time))).collect()
    }
}
