//! A puzzle from scratch, with a heuristic and a pattern database: pancake sorting.
//! `cargo run --release -p fewest-core --example pancakes`
//!
//! `docs/own-puzzle.md` explains this file step by step.
#![allow(unreachable_pub, missing_docs, dead_code, reason = "a test includes it as a module")]

use std::error::Error;
use std::ops::ControlFlow;

use fewest_core::budget::{Budget, Limit};
use fewest_core::outcome::Outcome;
use fewest_core::pattern::{Additive, Database};
use fewest_core::search::{Engine, Search};
use fewest_core::{Goals, Heuristic, Predecessors, Ranked, StateSpace, check};

/// A stack of up to 16 pancakes of different sizes. A state has the sizes, from 0, in 4 bits each.
/// The lowest 4 bits are the pancake on top.
pub struct Pancakes {
    pub start: u64,
    pub count: u32,
}

/// Reverses the order of the upper `flipped` pancakes.
fn flip(stack: u64, flipped: u32) -> u64 {
    let in_bytes = stack.swap_bytes();
    let reversed = in_bytes >> 4 & 0x0F0F_0F0F_0F0F_0F0F | (in_bytes & 0x0F0F_0F0F_0F0F_0F0F) << 4;
    let upper = reversed >> (64 - 4 * flipped);
    let lower = stack.checked_shr(4 * flipped).unwrap_or(0);
    lower.checked_shl(4 * flipped).unwrap_or(0) | upper
}

impl StateSpace for Pancakes {
    type State = u64;
    type Move = u32;

    fn initial(&self, mut emit: impl FnMut(u64)) {
        emit(self.start);
    }

    fn is_goal(&self, stack: u64) -> bool {
        stack == self.sorted()
    }

    fn successors<B>(
        &self,
        stack: u64,
        _last: Option<u32>,
        mut emit: impl FnMut(u32, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for flipped in 2..=self.count {
            emit(flipped, flip(stack, flipped))?;
        }
        ControlFlow::Continue(())
    }
}

impl Pancakes {
    /// The sorted stack, with the smallest pancake on top.
    fn sorted(&self) -> u64 {
        0xFEDC_BA98_7654_3210 & u64::MAX >> (64 - 4 * self.count)
    }

    /// The sizes of the pancakes, from the top.
    fn sizes(&self, stack: u64) -> impl Iterator<Item = u32> {
        (0..self.count).map(move |position| (stack >> (4 * position) & 15) as u32)
    }
}

// The same flip again undoes a flip.
impl Predecessors for Pancakes {
    const UNDIRECTED: bool = true;
}

impl Goals for Pancakes {
    fn goals(&self, mut emit: impl FnMut(u64)) {
        emit(self.sorted());
    }
}

/// The number of gaps: pancakes that lie on a pancake whose size is not adjacent to theirs. The
/// plate counts as the largest pancake. A flip changes what one pancake lies on, so it removes at
/// most one gap (Helmert 2010).
impl Heuristic<Pancakes> for Pancakes {
    type Evaluation = u32;

    fn evaluate(&self, stack: u64) -> u32 {
        let below = self.sizes(stack).skip(1).chain([self.count]);
        self.sizes(stack).zip(below).filter(|&(size, below)| size.abs_diff(below) > 1).count()
            as u32
    }

    fn bound(&self, gaps: u32) -> Option<u32> {
        Some(gaps)
    }
}

/// Checks what the space and the bound promise, on a hundred stacks.
pub fn check_promises(pancakes: &Pancakes, budget: &Budget) -> Result<(), check::Violation<u64>> {
    let stacks = check::reachable(pancakes, 100);
    check::space(pancakes, &stacks)?;
    check::predecessors(pancakes, &stacks)?;
    check::goals(pancakes, &stacks)?;
    check::heuristic(pancakes, pancakes, &stacks, budget)?;
    check::consistency(pancakes, pancakes, &stacks)
}

/// The patterns of a stack of `count` pancakes: the positions of the largest ones, in 4 bits each.
struct Largest {
    count: u32,
}

/// The number of pancakes in a pattern.
const PATTERN_SIZE: u32 = 5;

impl Largest {
    fn pattern_of(&self, pancakes: &Pancakes, stack: u64) -> u32 {
        let mut pattern = 0;
        for (position, size) in pancakes.sizes(stack).enumerate() {
            if let Some(index) = size.checked_sub(self.count - PATTERN_SIZE) {
                pattern |= (position as u32) << (4 * index);
            }
        }
        pattern
    }
}

impl StateSpace for Largest {
    type State = u32;
    type Move = u32;

    // A pattern database searches from the goals and needs no initial state.
    fn initial(&self, _emit: impl FnMut(u32)) {}

    fn is_goal(&self, pattern: u32) -> bool {
        let mut is_goal = false;
        self.goals(|goal| is_goal = goal == pattern);
        is_goal
    }

    fn successors<B>(
        &self,
        pattern: u32,
        _last: Option<u32>,
        mut emit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for flipped in 2..=self.count {
            let mut next = 0;
            for index in 0..PATTERN_SIZE {
                let before = pattern >> (4 * index) & 15;
                let after = if before < flipped { flipped - 1 - before } else { before };
                next |= after << (4 * index);
            }
            emit(flipped, next)?;
        }
        ControlFlow::Continue(())
    }
}

impl Predecessors for Largest {
    const UNDIRECTED: bool = true;
}

impl Goals for Largest {
    fn goals(&self, mut emit: impl FnMut(u32)) {
        let solved = |index: u32| (self.count - PATTERN_SIZE + index) << (4 * index);
        emit((0..PATTERN_SIZE).map(solved).sum());
    }
}

impl Ranked for Largest {
    fn ranks(&self) -> Option<u64> {
        Some(1 << (4 * PATTERN_SIZE))
    }

    fn rank(&self, pattern: u32) -> u64 {
        pattern.into()
    }

    fn unrank(&self, rank: u64) -> u32 {
        rank as u32
    }
}

/// The number of flips that bring the largest pancakes to their positions, wherever the others are.
fn patterns(pancakes: &Pancakes) -> Result<impl Heuristic<Pancakes>, Limit> {
    let largest = Largest { count: pancakes.count };
    let database = Database::new(&largest, &Budget::unlimited())?;
    let kept = move |stack: u64| u64::from(largest.pattern_of(pancakes, stack));
    Ok(Additive::new([(kept, database)]))
}

/// The name of a search and its outcome.
pub type NamedOutcome = (&'static str, Outcome<Vec<u64>>);

pub fn searches(pancakes: &Pancakes) -> Result<Vec<NamedOutcome>, Box<dyn Error>> {
    let patterns = patterns(pancakes)?;
    let search = || Search::new(pancakes).predecessors().goals();
    Ok(vec![
        ("breadth-first", search().engine(Engine::Bfs)?.run()),
        ("bidirectional", search().engine(Engine::Bidirectional)?.run()),
        ("A* by patterns", search().heuristic(&patterns).run()),
        ("A* by gaps", search().heuristic(pancakes).run()),
    ])
}

pub const TEN: Pancakes = Pancakes { start: 0x71_8462_0953, count: 10 };

#[allow(clippy::print_stdout, reason = "the example prints its results")]
fn main() -> Result<(), Box<dyn Error>> {
    for (search, outcome) in searches(&TEN)? {
        println!("{search:<14} {:?} flips, {:>7} expanded", outcome.cost(), outcome.stats.expanded);
    }
    if let Some(plan) = Search::new(&TEN).heuristic(&TEN).plan()? {
        println!("flip {:?}", plan.moves());
    }
    Ok(())
}
