//! The same levels with all steps of the player, and what a step and a push cost.

use std::ops::ControlFlow;

use fewest_core::cost::{self, CostRange, Costs};
use fewest_core::{Heuristic, Predecessors, StateSpace};

use super::{Matching, PLAYER, Sokoban, level};

/// The steps of a level, some of which push a box.
///
/// A state is that of [`Sokoban`], but the upper bits are the square of the player.
pub struct Steps<'a> {
    pub sokoban: &'a Sokoban,
    pub metric: Metric,
}

/// What is to be least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Steps and pushes together.
    Moves,
    /// The pushes, and of the plans with as few of them, the moves.
    PushesThenMoves,
    /// What they cost.
    Costs { step: u32, push: u32 },
}

/// A move of the player, by an index of [`Level::steps`](super::Level::steps).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub direction: u8,
    pub is_push: bool,
}

impl Step {
    /// As in `LURD` solutions: a capital letter is a push.
    pub fn letter(self) -> char {
        let letter = ['l', 'r', 'u', 'd'][usize::from(self.direction)];
        if self.is_push { letter.to_ascii_uppercase() } else { letter }
    }
}

impl Steps<'_> {
    #[inline]
    pub fn cost(&self, _: u64, by: Step) -> u32 {
        match self.metric {
            Metric::Moves => 1,
            Metric::PushesThenMoves => cost::pair(by.is_push.into(), 1),
            Metric::Costs { push, .. } if by.is_push => push,
            Metric::Costs { step, .. } => step,
        }
    }

    fn range(&self) -> CostRange {
        match self.metric {
            Metric::Moves => CostRange::UNIT,
            Metric::PushesThenMoves => CostRange::pairs((0, 1)..=(1, 1)),
            Metric::Costs { step, push } => CostRange::integers(step.min(push)..=step.max(push)),
        }
    }

    /// The boxes, and the square of the player.
    pub fn unpack(&self, state: u64) -> (level::Squares, u32) {
        self.sokoban.unpack(state)
    }

    fn pack(&self, boxes: u64, player: u32) -> u64 {
        boxes | u64::from(player) << PLAYER
    }

    /// The bit of a box on a square; 0 on one from which it reaches no goal.
    fn bit(&self, square: u32) -> u64 {
        let level = &self.sokoban.level;
        let is_live = level.live_squares >> square & 1 == 1;
        if is_live { 1 << level.live_index[square as usize] } else { 0 }
    }
}

impl StateSpace for Steps<'_> {
    type State = u64;
    type Move = Step;

    const COSTS: Costs<Self> = Costs::ByMove { cost: Self::cost, range: Self::range };

    fn initial(&self, mut emit: impl FnMut(u64)) {
        let level = &self.sokoban.level;
        if level.boxes & !level.live_squares == 0 {
            let boxes = level::squares(level.boxes).map(|square| self.bit(square)).sum();
            emit(self.pack(boxes, level.player));
        }
    }

    fn is_goal(&self, state: u64) -> bool {
        self.sokoban.is_goal(state)
    }

    fn successors<B>(
        &self,
        state: u64,
        _last: Option<Step>,
        mut emit: impl FnMut(Step, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (boxes, player) = (state & ((1 << PLAYER) - 1), (state >> PLAYER) as u32);
        let level = &self.sokoban.level;
        for (direction, &step) in (0..).zip(&level.steps) {
            let to = player.wrapping_add_signed(step);
            if level.floor >> to & 1 == 0 {
                continue;
            }
            let pushed = boxes & self.bit(to);
            if pushed == 0 {
                emit(Step { direction, is_push: false }, self.pack(boxes, to))?;
                continue;
            }
            let free = self.bit(to.wrapping_add_signed(step)) & !boxes;
            if free != 0 {
                let boxes = boxes ^ pushed | free;
                emit(Step { direction, is_push: true }, self.pack(boxes, to))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// A step is undone by a step back, and a push by a pull.
impl Predecessors for Steps<'_> {
    fn predecessors<B>(
        &self,
        state: u64,
        mut emit: impl FnMut(u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.predecessors_with_costs(state, |_, before| emit(before))
    }

    fn predecessors_with_costs<B>(
        &self,
        state: u64,
        mut emit: impl FnMut(u32, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (boxes, player) = (state & ((1 << PLAYER) - 1), (state >> PLAYER) as u32);
        let level = &self.sokoban.level;
        for (direction, &step) in (0..).zip(&level.steps) {
            let from = player.wrapping_add_signed(-step);
            if level.floor >> from & 1 == 0 || boxes & self.bit(from) != 0 {
                continue;
            }
            let cost = |is_push| self.cost(state, Step { direction, is_push });
            emit(cost(false), self.pack(boxes, from))?;
            let pulled = boxes & self.bit(player.wrapping_add_signed(step));
            let to = self.bit(player);
            if pulled != 0 && to != 0 {
                emit(cost(true), self.pack(boxes ^ pulled | to, from))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The pushes of a [`Matching`], with what a push costs. It is consistent, since a step changes none
/// of them.
pub struct PushCosts<'a> {
    matching: &'a Matching<'a>,
    push: u32,
}

impl<'a> PushCosts<'a> {
    pub fn new(steps: &Steps<'_>, matching: &'a Matching<'a>) -> Self {
        Self { matching, push: steps.cost(0, Step { direction: 0, is_push: true }) }
    }
}

impl Heuristic<Steps<'_>> for PushCosts<'_> {
    type Evaluation = u32;

    fn evaluate(&self, state: u64) -> u32 {
        self.matching.evaluate(state)
    }

    fn bound(&self, sum: u32) -> Option<u32> {
        Some(self.matching.bound(sum)? * self.push)
    }
}
