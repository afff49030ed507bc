//! Priority Inheritance with Backtracking (PIBT; Okumura et al. 2019, 2022): one step of all ghosts
//! that takes most of them nearer to their goals.
//!
//! Ghosts are planned in order of priority. Each moves to the cell nearest to its goal that no
//! planned ghost has taken, with ties broken at random. If an unplanned ghost stands there, it
//! inherits the priority and is planned next; if it cannot move away, the next best cell is tried.
//!
//! Two ghosts that want to pass each other in a corridor would push each other back and forth. The
//! swap of Okumura (2023b) solves this: the ghost that pushes looks for a branching cell behind it.
//! If there is one, the ghost moves backward until it reaches this cell and pulls the other ghost
//! along, so that the two can pass each other there.

use std::cmp::Reverse;

use fewest_core::encoding::CellIndex;
use fewest_core::memory::{Block, Memory, OutOfMemory};
use fewest_puzzle::random::Random;

use crate::single_agent::SingleAgent;

/// The longest chain of ghosts that make room for one another. Each ghost of a chain takes a call
/// on the stack.
const MAX_CHAIN: usize = 1000;

/// The greatest number of cells that a ghost looks ahead for a branching cell.
const MAX_LOOKAHEAD: usize = 1000;

/// The result of [`Pibt::step`].
pub(crate) enum PibtStep {
    /// The cell of each ghost after the step.
    Step(Vec<CellIndex>),
    /// PIBT found no step that satisfies the constraint; one may exist.
    NotFound,
    /// `constraint_index` is beyond the last constraint.
    Exhausted,
}

/// A generator of steps.
pub(crate) struct Pibt<'a> {
    single_agent: &'a SingleAgent,
    /// Breaks ties, so that ghosts do not move in circles.
    random: Random,
    /// For each ghost, its cell before the step.
    from: Vec<CellIndex>,
    /// For each ghost, its cell after the step; `None` if it is not planned yet.
    to: Vec<Option<CellIndex>>,
    /// For each cell, the ghost on it before the step.
    before: Block<Option<u16>>,
    /// For each cell, the planned ghost on it after the step.
    after: Block<Option<u16>>,
}

impl<'a> Pibt<'a> {
    pub(crate) fn new(single_agent: &'a SingleAgent, memory: &Memory) -> Result<Self, OutOfMemory> {
        let no_ghosts = || Block::filled(None, single_agent.cells().len(), memory);
        let ghosts = single_agent.starts().len();
        Ok(Self {
            single_agent,
            random: Random::from_seed(0),
            from: vec![0; ghosts],
            to: vec![None; ghosts],
            before: no_ghosts()?,
            after: no_ghosts()?,
        })
    }

    /// A step from `positions`, the cell of each ghost, under the constraint with this index, from
    /// 0. No two constraints fix the same cells for the same ghosts. The ghosts that have been off
    /// their goals longest, by the number of steps in `steps_off_goal`, have the highest priority.
    pub(crate) fn step(
        &mut self,
        positions: &[CellIndex],
        steps_off_goal: &[u16],
        constraint_index: u64,
    ) -> PibtStep {
        let mut order: Vec<usize> = (0..positions.len()).collect();
        order.sort_by_key(|&ghost| {
            Reverse((steps_off_goal[ghost], self.single_agent.start_to_goal(ghost)))
        });
        let Some(constraint) = self.constraint(positions, &order, constraint_index) else {
            return PibtStep::Exhausted;
        };
        self.from.copy_from_slice(positions);
        for (ghost, &cell) in positions.iter().enumerate() {
            self.before[cell as usize] = Some(ghost as u16);
        }
        let is_found = constraint.into_iter().all(|(ghost, to)| self.try_assign(ghost, to))
            && order
                .into_iter()
                .all(|ghost| self.to[ghost].is_some() || self.plan_ghost(ghost, MAX_CHAIN));
        let step = if is_found {
            PibtStep::Step(self.to.iter().copied().flatten().collect())
        } else {
            PibtStep::NotFound
        };
        for (from, to) in self.from.iter().zip(&mut self.to) {
            self.before[*from as usize] = None;
            if let Some(to) = to.take() {
                self.after[to as usize] = None;
            }
        }
        step
    }

    /// Constraint 0 fixes no ghost. The next ones fix only `order[0]`, one per choice; then
    /// `order[0]` and `order[1]`, one per pair of choices; and so on. Returns the fixed ghosts with
    /// their cells; `None` if `index` is beyond the last constraint.
    fn constraint(
        &self,
        positions: &[CellIndex],
        order: &[usize],
        mut index: u64,
    ) -> Option<Vec<(usize, CellIndex)>> {
        let choices = |ghost: usize| self.single_agent.choices(ghost, positions[ghost]);
        let count = |ghost: usize| choices(ghost).count() as u64;
        let (mut fixed, mut combinations) = (0, 1u64);
        while index >= combinations {
            index -= combinations;
            combinations = combinations.saturating_mul(count(*order.get(fixed)?));
            fixed += 1;
        }
        let fix = |&ghost: &usize| {
            let choice = index % count(ghost);
            index /= count(ghost);
            Some((ghost, choices(ghost).nth(choice as usize)?))
        };
        order[..fixed].iter().map(fix).collect()
    }

    /// Assigns a cell to a ghost, unless a planned ghost moves to that cell or would exchange cells
    /// with this one. Returns whether the cell was assigned.
    fn try_assign(&mut self, ghost: usize, to: CellIndex) -> bool {
        let other = self.ghost_on(to).filter(|&other| other != ghost);
        let is_free = self.after[to as usize].is_none()
            && other.is_none_or(|other| self.to[other] != Some(self.from[ghost]));
        if is_free {
            self.assign(ghost, to);
        }
        is_free
    }

    fn assign(&mut self, ghost: usize, to: CellIndex) {
        self.to[ghost] = Some(to);
        self.after[to as usize] = Some(ghost as u16);
    }

    /// Plans a ghost and, by priority inheritance, the ghosts in its way. If no choice works, not
    /// even staying, its own cell is recorded and the result is false; the caller then tries
    /// another cell. At most `chain_left` ghosts make room for one another.
    fn plan_ghost(&mut self, ghost: usize, chain_left: usize) -> bool {
        let from = self.from[ghost];
        if chain_left == 0 {
            self.assign(ghost, from);
            return false;
        }
        let mut choices: Vec<CellIndex> = self.single_agent.choices(ghost, from).collect();
        self.random.shuffle(&mut choices);
        choices.sort_by_key(|&to| self.single_agent.to_goal(ghost)[to as usize]);
        let partner = self.swap_partner(ghost, choices[0]);
        if partner.is_some() {
            choices.reverse();
        }
        for (index, &to) in choices.iter().enumerate() {
            if !self.try_assign(ghost, to)
                || self
                    .unplanned_ghost_on(to)
                    .is_some_and(|other| !self.plan_ghost(other, chain_left - 1))
            {
                continue;
            }
            if let Some(partner) =
                partner.filter(|&partner| index == 0 && self.to[partner].is_none())
            {
                self.try_assign(partner, from);
            }
            return true;
        }
        self.assign(ghost, from);
        false
    }

    /// The ghost on a cell before the step.
    fn ghost_on(&self, cell: CellIndex) -> Option<usize> {
        self.before[cell as usize].map(usize::from)
    }

    /// The ghost on a cell before the step, if it is not planned yet.
    fn unplanned_ghost_on(&self, cell: CellIndex) -> Option<usize> {
        self.ghost_on(cell).filter(|&ghost| self.to[ghost].is_none())
    }

    /// The ghost that this ghost has to pull along so that a swap becomes possible. `ahead` is the
    /// cell that this ghost prefers.
    fn swap_partner(&self, ghost: usize, ahead: CellIndex) -> Option<usize> {
        let here = self.from[ghost];
        if ahead == here {
            return None;
        }
        if let Some(other) = self.unplanned_ghost_on(ahead)
            && self.is_swap_required(ghost, other, here, ahead)
            && self.is_swap_possible(ahead, here)
        {
            return Some(other);
        }
        // Otherwise: a neighbour behind that needs to pass this ghost; this ghost moves on to make
        // room at the branching cell ahead.
        let behind =
            self.single_agent.cells().neighbours(here).iter().filter(|&&cell| cell != ahead);
        behind.filter_map(|&cell| self.ghost_on(cell)).find(|&other| {
            self.is_swap_required(other, ghost, here, ahead) && self.is_swap_possible(ahead, here)
        })
    }

    /// The neighbours of `here` through which two ghosts that come from `back` can leave: all
    /// except `back` and dead ends with a ghost at its goal.
    fn exits(&self, here: CellIndex, back: CellIndex) -> impl Iterator<Item = CellIndex> {
        let cells = self.single_agent.cells();
        let is_blocked = move |cell: CellIndex| {
            let is_at_goal = |ghost: usize| self.single_agent.goals()[ghost] == cell;
            cell == back
                || cells.neighbours(cell).len() == 1 && self.ghost_on(cell).is_some_and(is_at_goal)
        };
        cells.neighbours(here).iter().copied().filter(move |&cell| !is_blocked(cell))
    }

    /// Whether the ghost `pusher`, which pushes the ghost `other` along a corridor, cannot reach
    /// its goal until the two have passed each other, assuming that `pusher` stands on `behind`
    /// and `other` on `ahead`. The second call in [`swap_partner`](Self::swap_partner) asks this
    /// for the situation one step later.
    fn is_swap_required(
        &self,
        pusher: usize,
        other: usize,
        mut behind: CellIndex,
        mut ahead: CellIndex,
    ) -> bool {
        let distance =
            |ghost: usize, cell: CellIndex| self.single_agent.to_goal(ghost)[cell as usize];
        for _ in 0..MAX_LOOKAHEAD {
            if distance(pusher, ahead) >= distance(pusher, behind) {
                break;
            }
            let mut exits = self.exits(ahead, behind);
            match (exits.next(), exits.next()) {
                (Some(_), Some(_)) => return false,
                (Some(next), None) => (behind, ahead) = (ahead, next),
                _ => break,
            }
        }
        distance(other, behind) < distance(other, ahead)
            && (distance(pusher, behind) == 0 || distance(pusher, ahead) < distance(pusher, behind))
    }

    /// Whether the corridor that enters `here` from `behind` leads to a branching cell.
    fn is_swap_possible(&self, mut behind: CellIndex, mut here: CellIndex) -> bool {
        let first = behind;
        for _ in 0..MAX_LOOKAHEAD {
            let mut exits = self.exits(here, behind);
            match (exits.next(), exits.next()) {
                (Some(_), Some(_)) => return true,
                (Some(next), None) if next != first => (behind, here) = (here, next),
                _ => return false,
            }
        }
        false
    }
}
