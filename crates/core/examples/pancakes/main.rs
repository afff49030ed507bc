//! A puzzle from nothing to a pattern database: pancakes.
//! `cargo run --release -p fewest-core --example pancakes`
//!
//! `docs/own-puzzle.md` goes through this file.
#![allow(unreachable_pub, missing_docs, dead_code, reason = "a test reads it in as a module")]

use std::ops::ControlFlow;

use fewest_core::budget::{Budget, Limit};
use fewest_core::heuristic::Blind;
use fewest_core::outcome::Outcome;
use fewest_core::pattern::Database;
use fewest_core::search::{astar, bfs, bidirectional};
use fewest_core::space::moves_along;
use fewest_core::visited::Table;
use fewest_core::{Goals, Heuristic, Ranked, StateSpace, Undirected};

/// A stack of up to 16 pancakes, each of another size. In a state each has 4 bits, the one on top
/// the lowest: its size, from 0.
pub struct Pancakes {
    pub start: u64,
    pub count: u32,
}

/// Turns the upper `flipped` pancakes over.
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
        _: Option<u32>,
        mut emit: impl FnMut(u32, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for flipped in 2..=self.count {
            emit(flipped, flip(stack, flipped))?;
        }
        ControlFlow::Continue(())
    }
}

impl Pancakes {
    /// The smallest on top.
    fn sorted(&self) -> u64 {
        0xFEDC_BA98_7654_3210 & u64::MAX >> (64 - 4 * self.count)
    }

    fn sizes(&self, stack: u64) -> impl Iterator<Item = u32> {
        (0..self.count).map(move |place| (stack >> (4 * place) & 15) as u32)
    }
}

// A flip undoes itself.
impl Undirected for Pancakes {}

impl Goals for Pancakes {
    fn goals(&self, mut emit: impl FnMut(u64)) {
        emit(self.sorted());
    }
}

/// How many pancakes lie on one that is not their neighbour in size, the plate being the largest. A
/// flip changes what one pancake lies on, so it mends one of these gaps at most.
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

/// The places of the five largest pancakes, 4 bits each; what the others do is forgotten.
struct Largest {
    count: u32,
}

const KEPT: u32 = 5;

impl Largest {
    fn of(&self, pancakes: &Pancakes, stack: u64) -> u32 {
        let mut places = 0;
        for (place, size) in pancakes.sizes(stack).enumerate() {
            if let Some(kept) = size.checked_sub(self.count - KEPT) {
                places |= (place as u32) << (4 * kept);
            }
        }
        places
    }
}

impl StateSpace for Largest {
    type State = u32;
    type Move = u32;

    // It is searched from its goal, and has no start.
    fn initial(&self, _: impl FnMut(u32)) {}

    fn is_goal(&self, places: u32) -> bool {
        let mut is_goal = false;
        self.goals(|goal| is_goal = goal == places);
        is_goal
    }

    fn successors<B>(
        &self,
        places: u32,
        _: Option<u32>,
        mut emit: impl FnMut(u32, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for flipped in 2..=self.count {
            let mut next = 0;
            for kept in 0..KEPT {
                let place = places >> (4 * kept) & 15;
                next |= (if place < flipped { flipped - 1 - place } else { place }) << (4 * kept);
            }
            emit(flipped, next)?;
        }
        ControlFlow::Continue(())
    }
}

impl Undirected for Largest {}

impl Goals for Largest {
    fn goals(&self, mut emit: impl FnMut(u32)) {
        emit((0..KEPT).map(|kept| (self.count - KEPT + kept) << (4 * kept)).sum());
    }
}

impl Ranked for Largest {
    fn ranks(&self) -> Option<u64> {
        Some(1 << (4 * KEPT))
    }

    fn rank(&self, places: u32) -> u64 {
        places.into()
    }

    fn unrank(&self, rank: u64) -> u32 {
        rank as u32
    }
}

/// The flips that the five largest take by themselves.
struct Patterns<'a> {
    pancakes: &'a Pancakes,
    database: Database<Largest, Blind>,
}

impl<'a> Patterns<'a> {
    fn new(pancakes: &'a Pancakes, budget: &Budget) -> Result<Self, Limit> {
        let mut database =
            Database::new(Largest { count: pancakes.count }, Blind, budget.memory())?;
        database.extend(u32::MAX, &mut budget.meter())?;
        Ok(Self { pancakes, database })
    }
}

impl Heuristic<Pancakes> for Patterns<'_> {
    type Evaluation = u32;

    fn evaluate(&self, stack: u64) -> u32 {
        let patterns = self.database.patterns();
        self.database.distance(patterns.rank(patterns.of(self.pancakes, stack))).unwrap_or(0)
    }

    fn bound(&self, flips: u32) -> Option<u32> {
        Some(flips)
    }
}

/// A search with its outcome.
pub type Found = (&'static str, Outcome<Vec<u64>>);

pub fn searches(pancakes: &Pancakes) -> Result<Vec<Found>, Limit> {
    let budget = Budget::unlimited;
    let patterns = Patterns::new(pancakes, &budget())?;
    Ok(vec![
        ("breadth-first", bfs::search::<Table<_>, _>(pancakes, &budget())),
        ("bidirectional", bidirectional::search::<Table<_>, _>(pancakes, &budget())),
        ("A* by patterns", astar::search(pancakes, &patterns, &budget())),
        ("A* by gaps", astar::search(pancakes, pancakes, &budget())),
    ])
}

pub const TEN: Pancakes = Pancakes { start: 0x71_8462_0953, count: 10 };

#[allow(clippy::print_stdout, reason = "what the example shows")]
fn main() -> Result<(), Limit> {
    for (search, outcome) in searches(&TEN)? {
        println!("{search:<14} {:?} flips, {:>7} expanded", outcome.cost(), outcome.stats.expanded);
    }
    // A plan is the states from the start to the goal; the moves are looked up between them.
    let outcome = astar::search(&TEN, &TEN, &Budget::unlimited());
    let flips = outcome.plan().and_then(|plan| moves_along(&TEN, plan));
    println!("flip {:?}", flips.unwrap_or_default());
    Ok(())
}
