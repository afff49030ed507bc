//! A fast planner that may fail: one ghost after the other, each around those before it (Erdmann and Lozano-Pérez 1987).
//!
//! It looks for a plan of a given length. Each ghost goes depth first through cells and times, towards its goal first, where no
//! ghost before it stands or comes the other way, and where it can still be home in time. One that finds no way goes before all
//! others in the next attempt. A plan whose length is a lower bound is a shortest one, and then nothing else is to be proved.

use std::cmp::Reverse;

use bitvec::vec::BitVec;
use fewest_core::budget::{Limit, Meter};
use fewest_core::encoding::Cell;

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
pub fn plan(
    alone: &Alone,
    group: &[usize],
    length: u32,
    effort: Effort,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Positions>>, Limit> {
    let steps = |&place: &usize| alone.to_goal(group[place])[usize::from(alone.starts()[group[place]])];
    let mut order: Vec<usize> = (0..group.len()).collect();
    order.sort_by_key(|place| Reverse(steps(place)));
    for _ in 0..effort.attempts {
        match attempt(alone, group, &order, length, effort, meter)? {
            Ok(plan) => return Ok(Some(plan)),
            Err(0) => return Ok(None),
            Err(failed) => order[..=failed].rotate_right(1),
        }
    }
    Ok(None)
}

/// By one order of the ghosts: the plan, or the place in the order of the first that finds no way.
fn attempt(
    alone: &Alone,
    group: &[usize],
    order: &[usize],
    length: u32,
    effort: Effort,
    meter: &mut Meter<'_>,
) -> Result<Result<Vec<Positions>, usize>, Limit> {
    // The cells of the ghosts so far, by time.
    let mut taken: Vec<Vec<Cell>> = vec![Vec::with_capacity(order.len()); length as usize + 1];
    for (number, &place) in order.iter().enumerate() {
        let Some(way) = way(alone, group[place], &taken, effort, meter)? else { return Ok(Err(number)) };
        taken.iter_mut().zip(way).for_each(|(cells, cell)| cells.push(cell));
    }
    let sorted = |cells: Vec<Cell>| {
        let mut positions = vec![0; cells.len()];
        order.iter().zip(cells).for_each(|(&place, cell)| positions[place] = cell);
        positions
    };
    Ok(Ok(taken.into_iter().map(sorted).collect()))
}

/// The way of a ghost by time, around cells that are taken.
fn way(
    alone: &Alone,
    ghost: usize,
    taken: &[Vec<Cell>],
    effort: Effort,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Cell>>, Limit> {
    let (cells, to_goal) = (alone.cells(), alone.to_goal(ghost));
    let steps = |cell: Cell| usize::from(to_goal[usize::from(cell)]);
    let length = taken.len() - 1;
    let start = alone.starts()[ghost];
    if steps(start) > length {
        return Ok(None);
    }
    let mut tried: BitVec = BitVec::repeat(false, cells.len() * taken.len());
    let mut left = taken.len().saturating_mul(effort.cells_a_step);
    let mut way = vec![(start, 0)];
    while let Some((here, next)) = way.last_mut() {
        let (here, choice) = (*here, *next);
        *next += 1;
        let time = way.len() - 1;
        if time == length {
            return Ok(Some(way.into_iter().map(|(cell, _)| cell).collect()));
        }
        // Those nearer to the goal, the cell itself, those farther.
        let beside = cells.neighbours(here).iter().copied();
        let nearer = beside.clone().filter(|&to| steps(to) < steps(here));
        let farther = beside.filter(|&to| steps(to) > steps(here));
        let Some(to) = nearer.chain([here]).chain(farther).nth(choice) else {
            way.pop();
            continue;
        };
        let meets = |other: usize| taken[time + 1][other] == here;
        let exchanged = to != here && taken[time].iter().position(|&cell| cell == to).is_some_and(meets);
        let index = (time + 1) * cells.len() + usize::from(to);
        if steps(to) < length - time && !taken[time + 1].contains(&to) && !exchanged && !tried.replace(index, true) {
            if left == 0 {
                return Ok(None);
            }
            left -= 1;
            meter.expand()?;
            way.push((to, 0));
        }
    }
    Ok(None)
}
