//! One step of all ghosts that takes most of them nearer to their goals: PIBT (Okumura et al.
//! 2022).
//!
//! Each ghost in its turn goes to the nearest cell to its goal that it can have, one of several at
//! random, and has the one who stands there go first. Where two want past each other in a corridor,
//! that alone would push them to and fro; so the one who pushes looks ahead whether there is a fork
//! behind it, backs off until it gets there, and pulls the other one along, who passes it there
//! (the swap of Okumura 2023).

use std::cmp::Reverse;

use fewest_core::encoding::Cell;
use fewest_core::memory::{Block, Memory, OutOfMemory};
use fewest_core::random::Random;

use crate::single_agent::SingleAgent;

/// So many ghosts in a row make room one for the other, each on the stack of the program, and no
/// more.
const DEEPEST: usize = 1000;

/// So far ahead ghosts look for a fork.
const FARTHEST: usize = 1000;

/// What comes of asking for a step.
pub(crate) enum Asked {
    /// The cells of all ghosts after it.
    Step(Vec<Cell>),
    /// The ghosts cannot go where they were sent.
    Impossible,
    /// All were asked for before.
    NoMore,
}

/// Makes steps.
pub(crate) struct Stepper<'a> {
    alone: &'a SingleAgent,
    /// Breaks ties, lest ghosts go around in circles.
    random: Random,
    from: Vec<Cell>,
    /// Where each ghost goes that has decided.
    to: Vec<Option<Cell>>,
    /// The ghost on each cell before the step, and after it as far as it is decided.
    before: Block<Option<u16>>,
    after: Block<Option<u16>>,
}

impl<'a> Stepper<'a> {
    pub(crate) fn new(alone: &'a SingleAgent, memory: &Memory) -> Result<Self, OutOfMemory> {
        let nobody = || Block::filled(None, alone.cells().len(), memory);
        let ghosts = alone.starts().len();
        Ok(Self {
            alone,
            random: Random::from_seed(0),
            from: vec![0; ghosts],
            to: vec![None; ghosts],
            before: nobody()?,
            after: nobody()?,
        })
    }

    /// A step from a board. The turn is first with the ghosts that are `away` from home longest. No
    /// two steps of different numbers, from 0, have all ghosts sent to the same cells.
    pub(crate) fn step(&mut self, board: &[Cell], away: &[u16], number: u64) -> Asked {
        let mut turns: Vec<usize> = (0..board.len()).collect();
        turns.sort_by_key(|&ghost| Reverse((away[ghost], self.alone.steps(ghost))));
        let Some(sent) = self.sent(board, &turns, number) else { return Asked::NoMore };
        self.from.copy_from_slice(board);
        for (ghost, &cell) in board.iter().enumerate() {
            self.before[usize::from(cell)] = Some(ghost as u16);
        }
        let possible = sent.into_iter().all(|(ghost, to)| self.decide(ghost, to))
            && turns.into_iter().all(|ghost| self.to[ghost].is_some() || self.go(ghost, DEEPEST));
        let step = if possible {
            Asked::Step(self.to.iter().copied().flatten().collect())
        } else {
            Asked::Impossible
        };
        for (from, to) in self.from.iter().zip(&mut self.to) {
            self.before[usize::from(*from)] = None;
            if let Some(to) = to.take() {
                self.after[usize::from(to)] = None;
            }
        }
        step
    }

    /// The ghosts that have no choice, and where they go: none at first, then the first of `turns`,
    /// then the first two, each in all ways.
    fn sent(&self, board: &[Cell], turns: &[usize], mut number: u64) -> Option<Vec<(usize, Cell)>> {
        let choices = |ghost: usize| self.alone.choices(ghost, board[ghost]);
        let count = |ghost: usize| choices(ghost).count() as u64;
        let (mut sent, mut ways) = (0, 1u64);
        while number >= ways {
            number -= ways;
            ways = ways.saturating_mul(count(*turns.get(sent)?));
            sent += 1;
        }
        let send = |&ghost: &usize| {
            let choice = number % count(ghost);
            number /= count(ghost);
            Some((ghost, choices(ghost).nth(choice as usize)?))
        };
        turns[..sent].iter().map(send).collect()
    }

    /// Has a ghost go there, unless somebody does, or comes from there to where the ghost is.
    fn decide(&mut self, ghost: usize, to: Cell) -> bool {
        let there = self.ghost(to).filter(|&there| there != ghost);
        let free = self.after[usize::from(to)].is_none()
            && there.is_none_or(|there| self.to[there] != Some(self.from[ghost]));
        if free {
            self.put(ghost, to);
        }
        free
    }

    fn put(&mut self, ghost: usize, to: Cell) {
        self.to[ghost] = Some(to);
        self.after[usize::from(to)] = Some(ghost as u16);
    }

    /// Has a ghost go where it likes best, and who is there make room. If nothing else can be done
    /// it stays, and false is returned.
    fn go(&mut self, ghost: usize, deeper: usize) -> bool {
        let from = self.from[ghost];
        if deeper == 0 {
            self.put(ghost, from);
            return false;
        }
        let mut choices: Vec<Cell> = self.alone.choices(ghost, from).collect();
        self.random.shuffle(&mut choices);
        choices.sort_by_key(|&to| self.alone.to_goal(ghost)[usize::from(to)]);
        let pulled = self.pulled(ghost, choices[0]);
        if pulled.is_some() {
            choices.reverse();
        }
        for (number, &to) in choices.iter().enumerate() {
            if !self.decide(ghost, to)
                || self.waiting(to).is_some_and(|there| !self.go(there, deeper - 1))
            {
                continue;
            }
            if let Some(pulled) = pulled.filter(|&pulled| number == 0 && self.to[pulled].is_none())
            {
                self.decide(pulled, from);
            }
            return true;
        }
        self.put(ghost, from);
        false
    }

    fn ghost(&self, cell: Cell) -> Option<usize> {
        self.before[usize::from(cell)].map(usize::from)
    }

    /// The ghost on a cell, if it is not decided yet.
    fn waiting(&self, cell: Cell) -> Option<usize> {
        self.ghost(cell).filter(|&ghost| self.to[ghost].is_none())
    }

    /// The ghost that has to pass this one, who wants to go to `ahead` and can back off for it.
    fn pulled(&self, ghost: usize, ahead: Cell) -> Option<usize> {
        let here = self.from[ghost];
        if ahead == here {
            return None;
        }
        if let Some(other) = self.waiting(ahead)
            && self.must_pass(ghost, other, here, ahead)
            && self.has_fork(ahead, here)
        {
            return Some(other);
        }
        // One behind it, for which it has to clear a fork that is ahead.
        let behind = self.alone.cells().neighbours(here).iter().filter(|&&cell| cell != ahead);
        behind
            .filter_map(|&cell| self.ghost(cell))
            .find(|&other| self.must_pass(other, ghost, here, ahead) && self.has_fork(ahead, here))
    }

    /// The cells next to `here`, that the two come from, where they may part: all but `back` and
    /// dead ends with ghosts at home.
    fn ways_on(&self, here: Cell, back: Cell) -> impl Iterator<Item = Cell> {
        let cells = self.alone.cells();
        let shut = move |cell: Cell| {
            let home = |ghost: usize| self.alone.goals()[ghost] == cell;
            cell == back || cells.neighbours(cell).len() == 1 && self.ghost(cell).is_some_and(home)
        };
        cells.neighbours(here).iter().copied().filter(move |&cell| !shut(cell))
    }

    /// Whether `one`, as it pushes `other` along from these cells, gets nowhere until they have
    /// passed each other.
    fn must_pass(&self, one: usize, other: usize, mut behind: Cell, mut ahead: Cell) -> bool {
        let steps = |ghost: usize, cell: Cell| self.alone.to_goal(ghost)[usize::from(cell)];
        for _ in 0..FARTHEST {
            if steps(one, ahead) >= steps(one, behind) {
                break;
            }
            let mut ways = self.ways_on(ahead, behind);
            match (ways.next(), ways.next()) {
                (Some(_), Some(_)) => return false,
                (Some(next), None) => (behind, ahead) = (ahead, next),
                _ => break,
            }
        }
        steps(other, behind) < steps(other, ahead)
            && (steps(one, behind) == 0 || steps(one, ahead) < steps(one, behind))
    }

    /// Whether the corridor that leads from `from` through `through` comes to a fork.
    fn has_fork(&self, from: Cell, through: Cell) -> bool {
        let (mut behind, mut here) = (from, through);
        for _ in 0..FARTHEST {
            let mut ways = self.ways_on(here, behind);
            match (ways.next(), ways.next()) {
                (Some(_), Some(_)) => return true,
                (Some(next), None) if next != from => (behind, here) = (here, next),
                _ => return false,
            }
        }
        false
    }
}
