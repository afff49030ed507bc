//! A fast planner that may fail: one ghost after the other, each around those before it (Erdmann and Lozano-Pérez 1987).
//!
//! It looks for a plan of a given length. Each ghost goes depth first through cells and times, towards its goal first, where no
//! ghost before it stands or comes the other way, and where it can still be home in time. One that finds no way goes before all
//! others in the next attempt. A plan whose length is a lower bound is a shortest one, and then nothing else is to be proved.

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

/// A plan of exactly `length` steps for the ghosts of `group`, if that much effort finds one: their positions from start to goal.
///
/// Takes two bytes a ghost and step, and a bit a cell and step.
pub fn plan(
    alone: &Alone,
    group: &[usize],
    length: u32,
    effort: Effort,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Positions>>, Limit> {
    let own = |&place: &usize| alone.to_goal(group[place])[usize::from(alone.starts()[group[place]])];
    let mut order: Vec<usize> = (0..group.len()).collect();
    order.sort_by_key(|place| Reverse(own(place)));
    let times = length as usize + 1;
    let taken = Block::filled(0, times * group.len(), meter.memory())?;
    let tried = Block::filled(0, (times * alone.cells().len()).div_ceil(64), meter.memory())?;
    let mut planner = Planner { alone, times, ghosts: group.len(), planned: 0, taken, tried };
    for _ in 0..effort.attempts {
        planner.planned = 0;
        while let Some(&place) = order.get(planner.planned)
            && planner.plan_one(group[place], effort, meter)?
        {}
        match planner.planned {
            planned if planned == group.len() => return Ok(Some(planner.positions(&order))),
            // Even alone it has no way of that length.
            0 => return Ok(None),
            failed => order[..=failed].rotate_right(1),
        }
    }
    Ok(None)
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
}

impl Planner<'_> {
    fn taken(&self, time: usize) -> &[Cell] {
        &self.taken[time * self.ghosts..][..self.planned]
    }

    /// Finds a way for a ghost around all that have one. False if there is none, or too much effort has not found it.
    fn plan_one(&mut self, ghost: usize, effort: Effort, meter: &mut Meter<'_>) -> Result<bool, Limit> {
        let (cells, to_goal) = (self.alone.cells(), self.alone.to_goal(ghost));
        let steps = |cell: Cell| usize::from(to_goal[usize::from(cell)]);
        let start = self.alone.starts()[ghost];
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
            let meets = |other: usize| self.taken(after)[other] == *here;
            let exchanges =
                || to != *here && self.taken(after - 1).iter().position(|&cell| cell == to).is_some_and(meets);
            if steps(to) >= self.times - after || self.taken(after).contains(&to) || exchanges() {
                continue;
            }
            let bit = after * cells.len() + usize::from(to);
            let word = &mut self.tried[bit / 64];
            if std::mem::replace(word, *word | 1 << (bit % 64)) & 1 << (bit % 64) != 0 {
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

    /// The cells at each time by the places of the ghosts, once all are planned.
    fn positions(&self, order: &[usize]) -> Vec<Positions> {
        let row = |cells: &[Cell]| {
            let mut positions = vec![0; cells.len()];
            order.iter().zip(cells).for_each(|(&place, &cell)| positions[place] = cell);
            positions
        };
        (0..self.times).map(|time| row(self.taken(time))).collect()
    }
}
