//! Sokoban: push all boxes to goals in as few pushes as possible, or moves, or first the one and
//! then the other.
//! `cargo run --release -p fewest-core --example sokoban -- testdata/sokoban/microban-1-10.xsb`
//!
//! Where only pushes count, a state has the boxes and the region in which the player can walk: the
//! state space in this file. Where steps count, too, it has the square of the player: that in
//! `steps.rs`, whose moves have costs. `level.rs` has the levels and their squares, `matching.rs`
//! the lower bound.
#![allow(
    unreachable_pub,
    missing_docs,
    dead_code,
    reason = "tests and benchmarks include it as a module"
)]

pub mod level;
mod matching;
mod steps;

use std::error::Error;
use std::ops::ControlFlow;

use fewest_core::search::Search;
use fewest_core::{Goals, Predecessors, StateSpace, Stopped};
pub use level::{Level, Squares, read};
pub use matching::Matching;
pub use steps::{Metric, PushCosts, Step, Steps};

/// The pushes of a level.
///
/// Bit `i` of a state is set if a box is on live square `i`. The upper 7 bits are the first square
/// in reading order that the player can reach.
pub struct Sokoban {
    pub level: Level,
}

/// The position of the player's square in a state, and so the most live squares.
const PLAYER: u32 = 57;

/// A box on a square is pushed in a direction, an index of [`Level::steps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Push {
    pub square: u8,
    pub direction: u8,
}

impl Sokoban {
    /// `None` if the level has more than 57 live squares.
    pub fn new(level: Level) -> Option<Self> {
        (level.live.len() <= PLAYER as usize).then_some(Self { level })
    }

    fn pack(&self, boxes: Squares, player: u32) -> u64 {
        let region = self.level.reachable(boxes, player).trailing_zeros();
        let bit = |square: u32| 1 << self.level.live_index[square as usize];
        level::squares(boxes).map(bit).sum::<u64>() | u64::from(region) << PLAYER
    }

    /// The boxes, and a square of the player.
    pub fn unpack(&self, state: u64) -> (Squares, u32) {
        let boxes = state & ((1 << PLAYER) - 1);
        let square = |index: u32| 1 << self.level.live[index as usize];
        (level::squares(boxes.into()).map(square).sum(), (state >> PLAYER) as u32)
    }
}

impl StateSpace for Sokoban {
    type State = u64;
    type Move = Push;

    fn initial(&self, mut emit: impl FnMut(u64)) {
        // From a dead square, a box reaches no goal.
        if self.level.boxes & !self.level.live_squares == 0 {
            emit(self.pack(self.level.boxes, self.level.player));
        }
    }

    fn is_goal(&self, state: u64) -> bool {
        self.unpack(state).0 == self.level.goals
    }

    fn successors<B>(
        &self,
        state: u64,
        _last: Option<Push>,
        mut emit: impl FnMut(Push, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (boxes, player) = self.unpack(state);
        let reachable = self.level.reachable(boxes, player);
        let free = self.level.live_squares & !boxes;
        for (direction, &step) in (0..).zip(&self.level.steps) {
            // The boxes with the player behind them and a free live square ahead.
            let pushable = boxes & level::shifted(reachable, step) & level::shifted(free, -step);
            for from in level::squares(pushable) {
                let to = from.wrapping_add_signed(step);
                let push = Push { square: from as u8, direction };
                emit(push, self.pack(boxes ^ 1 << from ^ 1 << to, from))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// A push is undone by a pull: the player steps back, and the box follows.
impl Predecessors for Sokoban {
    fn predecessors<B>(
        &self,
        state: u64,
        mut emit: impl FnMut(u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (boxes, player) = self.unpack(state);
        let reachable = self.level.reachable(boxes, player);
        for &step in &self.level.steps {
            // The squares of the player next to a box that is ahead, with a free square behind.
            let behind = level::shifted(self.level.floor & !boxes, step);
            let pulled_to = reachable & level::shifted(boxes, -step) & behind;
            for to in level::squares(pulled_to & self.level.live_squares) {
                let from = to.wrapping_add_signed(step);
                let boxes = boxes ^ 1 << from ^ 1 << to;
                emit(self.pack(boxes, to.wrapping_add_signed(-step)))?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The boxes are on the goals, and the player is in any region.
impl Goals for Sokoban {
    fn goals(&self, mut emit: impl FnMut(u64)) {
        let mut rest = self.level.floor & !self.level.goals;
        while rest != 0 {
            let player = rest.trailing_zeros();
            rest &= !self.level.reachable(self.level.goals, player);
            emit(self.pack(self.level.goals, player));
        }
    }
}

#[allow(clippy::print_stdout, reason = "the example prints its results")]
fn main() -> Result<(), Box<dyn Error>> {
    let usage = "usage: sokoban FILE [pushes | moves | pushes-then-moves]";
    let (path, metric) = (std::env::args().nth(1).ok_or(usage)?, std::env::args().nth(2));
    let metric = match metric.as_deref() {
        None | Some("pushes") => None,
        Some("moves") => Some(Metric::Moves),
        Some("pushes-then-moves") => Some(Metric::PushesThenMoves),
        Some(_) => return Err(usage.into()),
    };
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    for (number, level) in (1..).zip(read(&text)?) {
        let sokoban = Sokoban::new(level).ok_or("more than 57 live squares")?;
        match metric {
            None => print_pushes(number, &sokoban)?,
            Some(metric) => print_steps(number, &Steps { sokoban: &sokoban, metric })?,
        }
    }
    Ok(())
}

#[allow(clippy::print_stdout, reason = "the example prints its results")]
fn print_pushes(number: u32, sokoban: &Sokoban) -> Result<(), Stopped> {
    let matching = Matching::new(sokoban);
    match Search::new(sokoban).heuristic(&matching).predecessors().plan()? {
        Some(plan) => {
            println!("{number}: {} pushes", plan.cost());
            for Push { square, direction } in plan {
                let (row, column) = sokoban.level.row_and_column(square.into());
                print!(" {row},{column}{}", level::ARROWS[usize::from(direction)]);
            }
            println!();
        }
        None => println!("{number}: unsolvable"),
    }
    Ok(())
}

#[allow(clippy::print_stdout, reason = "the example prints its results")]
fn print_steps(number: u32, steps: &Steps<'_>) -> Result<(), Stopped> {
    let matching = Matching::new(steps.sokoban);
    let bound = PushCosts::new(steps, &matching);
    match Search::new(steps).heuristic(&bound).predecessors().plan()? {
        Some(plan) => {
            let pushes = plan.moves().iter().filter(|step| step.is_push).count();
            println!("{number}: {} moves, {pushes} pushes", plan.moves().len());
            println!(" {}", plan.into_iter().map(Step::letter).collect::<String>());
        }
        None => println!("{number}: unsolvable"),
    }
    Ok(())
}
