//! PIBT (Okumura et al. 2019, 2022): one step of all ghosts that takes most of them nearer to their
//! goals.
//!
//! Ghosts are planned in order of priority. Each moves to the free cell nearest to its goal, with
//! ties broken at random. A ghost that stands on that cell inherits the priority and is planned
//! next; if it cannot move away, the next best cell is tried.
//!
//! Two ghosts that want to pass each other in a corridor would push each other back and forth. The
//! swap of Okumura (2023b) solves this: the ghost that pushes looks for a fork behind it. If there
//! is one, the ghost moves backward until it reaches the fork and pulls the other ghost along, so
//! that the two can pass each other there.

use std::cmp::Reverse;

use fewest_core::encoding::Cell;
use fewest_core::memory::{Block, Memory, OutOfMemory};
use fewest_core::random::Random;

use crate::single_agent::SingleAgent;

/// The longest chain of ghosts that make room for one another. Each ghost of a chain takes a call
/// on the stack.
const MAX_CHAIN: usize = 1000;

/// The greatest number of cells that a ghost looks ahead for a fork.
const MAX_LOOKAHEAD: usize = 1000;

/// The result of [`Pibt::step`].
pub(crate) enum PibtStep {
    /// The cell of each ghost after the step.
    Step(Vec<Cell>),
    /// No step satisfies the constraint.
    Impossible,
    /// All constraints were used before.
    Exhausted,
}

/// A generator of steps.
pub(crate) struct Pibt<'a> {
    single_agent: &'a SingleAgent,
    /// Breaks ties, so that ghosts do not move in circles.
    random: Random,
    from: Vec<Cell>,
    /// The cell after the step of each ghost that is planned.
    to: Vec<Option<Cell>>,
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

    /// A step from `board` under the constraint with this index, from 0. No two constraints fix the
    /// same cells for the same ghosts. The ghosts that are away from their goals longest, by the
    /// number of steps in `steps_away`, have the highest priority.
    pub(crate) fn step(
        &mut self,
        board: &[Cell],
        steps_away: &[u16],
        constraint_index: u64,
    ) -> PibtStep {
        let mut order: Vec<usize> = (0..board.len()).collect();
        order.sort_by_key(|&ghost| {
            Reverse((steps_away[ghost], self.single_agent.start_to_goal(ghost)))
        });
        let Some(constraint) = self.constraint(board, &order, constraint_index) else {
            return PibtStep::Exhausted;
        };
        self.from.copy_from_slice(board);
        for (ghost, &cell) in board.iter().enumerate() {
            self.before[usize::from(cell)] = Some(ghost as u16);
        }
        let is_possible = constraint.into_iter().all(|(ghost, to)| self.try_assign(ghost, to))
            && order
                .into_iter()
                .all(|ghost| self.to[ghost].is_some() || self.plan_ghost(ghost, MAX_CHAIN));
        let step = if is_possible {
            PibtStep::Step(self.to.iter().copied().flatten().collect())
        } else {
            PibtStep::Impossible
        };
        for (from, to) in self.from.iter().zip(&mut self.to) {
            self.before[usize::from(*from)] = None;
            if let Some(to) = to.take() {
                self.after[usize::from(to)] = None;
            }
        }
        step
    }

    /// The ghosts whose cells are fixed, with these cells. The constraints fix no ghost first, then
    /// the first ghost of `order` to each of its choices, then the first two ghosts to each pair of
    /// theirs, and so on. `None` if `index` is beyond the last constraint.
    fn constraint(
        &self,
        board: &[Cell],
        order: &[usize],
        mut index: u64,
    ) -> Option<Vec<(usize, Cell)>> {
        let choices = |ghost: usize| self.single_agent.choices(ghost, board[ghost]);
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
    fn try_assign(&mut self, ghost: usize, to: Cell) -> bool {
        let other = self.ghost_on(to).filter(|&other| other != ghost);
        let is_free = self.after[usize::from(to)].is_none()
            && other.is_none_or(|other| self.to[other] != Some(self.from[ghost]));
        if is_free {
            self.assign(ghost, to);
        }
        is_free
    }

    fn assign(&mut self, ghost: usize, to: Cell) {
        self.to[ghost] = Some(to);
        self.after[usize::from(to)] = Some(ghost as u16);
    }

    /// Plans a ghost and, by priority inheritance, the ghosts in its way. If it can move nowhere,
    /// it stays, and the result is false. At most `chain_left` ghosts make room for one another.
    fn plan_ghost(&mut self, ghost: usize, chain_left: usize) -> bool {
        let from = self.from[ghost];
        if chain_left == 0 {
            self.assign(ghost, from);
            return false;
        }
        let mut choices: Vec<Cell> = self.single_agent.choices(ghost, from).collect();
        self.random.shuffle(&mut choices);
        choices.sort_by_key(|&to| self.single_agent.to_goal(ghost)[usize::from(to)]);
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
    fn ghost_on(&self, cell: Cell) -> Option<usize> {
        self.before[usize::from(cell)].map(usize::from)
    }

    /// The ghost on a cell before the step, if it is not planned yet.
    fn unplanned_ghost_on(&self, cell: Cell) -> Option<usize> {
        self.ghost_on(cell).filter(|&ghost| self.to[ghost].is_none())
    }

    /// The ghost that this ghost has to pull along so that a swap becomes possible. `ahead` is the
    /// cell that this ghost prefers.
    fn swap_partner(&self, ghost: usize, ahead: Cell) -> Option<usize> {
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
        // A ghost behind this one, for which this one has to clear a fork that is ahead.
        let behind =
            self.single_agent.cells().neighbours(here).iter().filter(|&&cell| cell != ahead);
        behind.filter_map(|&cell| self.ghost_on(cell)).find(|&other| {
            self.is_swap_required(other, ghost, here, ahead) && self.is_swap_possible(ahead, here)
        })
    }

    /// The neighbours of `here` through which two ghosts that come from `back` can leave: all
    /// except `back` and dead ends with a ghost at its goal.
    fn exits(&self, here: Cell, back: Cell) -> impl Iterator<Item = Cell> {
        let cells = self.single_agent.cells();
        let is_blocked = move |cell: Cell| {
            let is_at_goal = |ghost: usize| self.single_agent.goals()[ghost] == cell;
            cell == back
                || cells.neighbours(cell).len() == 1 && self.ghost_on(cell).is_some_and(is_at_goal)
        };
        cells.neighbours(here).iter().copied().filter(move |&cell| !is_blocked(cell))
    }

    /// Whether the ghost `pusher` on `behind`, which pushes the ghost `other` on `ahead` along a
    /// corridor, cannot reach its goal until the two have passed each other.
    fn is_swap_required(
        &self,
        pusher: usize,
        other: usize,
        mut behind: Cell,
        mut ahead: Cell,
    ) -> bool {
        let distance =
            |ghost: usize, cell: Cell| self.single_agent.to_goal(ghost)[usize::from(cell)];
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

    /// Whether the corridor from `from` through `through` leads to a fork.
    fn is_swap_possible(&self, from: Cell, through: Cell) -> bool {
        let (mut behind, mut here) = (from, through);
        for _ in 0..MAX_LOOKAHEAD {
            let mut exits = self.exits(here, behind);
            match (exits.next(), exits.next()) {
                (Some(_), Some(_)) => return true,
                (Some(next), None) if next != from => (behind, here) = (here, next),
                _ => return false,
            }
        }
        false
    }
}
