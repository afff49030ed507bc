//! Every shortest plan of a puzzle, and what they say of how hard it is.

use std::collections::BTreeSet;

use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::graph::Graph;
use fewest_core::memory::Reservation;
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::all::{self, Every, Plans};
use fewest_core::visited::Adaptive;
use fewest_core::{StateSpace, Word};

use crate::instance::Instance;
use crate::plan::{Metric, Plan, Slide};
use crate::rules::Refusal;
use crate::solve::{Encoding, Question, accepted, ask};
use crate::space::Boards;

/// Counts all shortest plans, and lists the first `most`, in a fixed order.
///
/// # Errors
/// If the rules refuse a plan: a fault of this program.
pub fn every(
    puzzle: &Instance,
    metric: Metric,
    encoding: Option<Encoding>,
    most: usize,
    budget: &Budget,
) -> Result<Outcome<Every<Plan>>, Refusal> {
    ask(puzzle, metric, encoding, CountAll { puzzle, metric, most, budget })
        .unwrap_or_else(|limit| Ok(Outcome::stopped_at_once(limit, budget)))
}

/// What allocators take for the few bytes of a way.
const LEAST_ALLOCATION: usize = 32;

struct CountAll<'a> {
    puzzle: &'a Instance,
    metric: Metric,
    most: usize,
    budget: &'a Budget,
}

impl Question for CountAll<'_> {
    type Answer = Result<Outcome<Every<Plan>>, Refusal>;

    fn ask<S: Boards>(self, space: &S) -> Self::Answer {
        let Self { puzzle, metric, most, budget } = self;
        all::search::<Adaptive<_>, _>(space, budget).try_map(|all| {
            all.every(most, budget, |states| {
                let plan = accepted(space, puzzle, metric, states)?;
                let way = |slide: &Slide| slide.way.capacity().max(LEAST_ALLOCATION);
                let bytes = plan.capacity() * size_of::<Slide>() + plan.iter().map(way).sum::<usize>();
                Ok((plan, bytes))
            })
        })
    }
}

/// How hard a puzzle is, beyond the number of its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Difficulty {
    /// The fewest moves.
    pub moves: u32,
    /// How many shortest plans there are, as sequences of boards; `None` if they are 2^128 or more.
    pub plans: Option<u128>,
    /// Whether the shortest plans differ only in the order of moves that can be exchanged: of two moves in a row by different
    /// pieces, the one can be made before the other, too, with the same board after both.
    pub unique: bool,
    /// Of the boards that shortest plans go through, the goals apart, the share from which only one move keeps to a shortest
    /// plan; 1 if there are none.
    pub forced: f64,
    /// The pieces that no shortest plan moves, in the order of the board.
    pub idle: Vec<char>,
    /// The boards that can be reached.
    pub boards: u64,
    /// Those of them from which only one move leads on: back.
    pub dead_ends: u64,
}

/// The difficulty of a puzzle; `None` if it has no plan.
///
/// # Errors
/// The limit that ended the search for it.
pub fn difficulty(
    puzzle: &Instance,
    metric: Metric,
    encoding: Option<Encoding>,
    budget: &Budget,
) -> Result<Option<Difficulty>, Limit> {
    ask(puzzle, metric, encoding, HowHard { puzzle, budget })?
}

struct HowHard<'a> {
    puzzle: &'a Instance,
    budget: &'a Budget,
}

impl Question for HowHard<'_> {
    type Answer = Result<Option<Difficulty>, Limit>;

    fn ask<S: Boards>(self, space: &S) -> Self::Answer {
        let Some(plans) = shortest_plans(space, self.budget)? else { return Ok(None) };
        let graph = Graph::of(space, self.budget)?;
        let numbers = 0..graph.len() as u32;
        Ok(Some(Difficulty {
            moves: plans.layers().len() as u32 - 1,
            plans: plans.count(),
            unique: is_unique(space, &plans, self.budget)?,
            forced: forced(&plans),
            idle: idle(space, self.puzzle, &plans, self.budget)?,
            boards: graph.len() as u64,
            dead_ends: numbers.filter(|&number| graph.successors(number).len() == 1).count() as u64,
        }))
    }
}

/// All shortest plans, if there is one.
pub(crate) fn shortest_plans<S: StateSpace>(space: &S, budget: &Budget) -> Result<Option<Plans<S::State>>, Limit> {
    match all::search::<Adaptive<_>, _>(space, budget).verdict {
        Verdict::Solved { plan, .. } => Ok(Some(plan)),
        Verdict::Unsolvable => Ok(None),
        Verdict::Stopped { limit, .. } => Err(limit),
    }
}

fn forced<W: Word>(plans: &Plans<W>) -> f64 {
    let on_the_way = || plans.layers().iter().flatten().filter(|state| !state.next.is_empty());
    match on_the_way().count() {
        0 => 1.0,
        all => on_the_way().filter(|state| state.next.len() == 1).count() as f64 / all as f64,
    }
}

/// The pieces of the start that no move of a shortest plan takes from where they are. Where one moves first, it moves from
/// there; and whatever moves from there later, it has moved before.
pub(crate) fn idle<S: Boards>(
    space: &S,
    puzzle: &Instance,
    plans: &Plans<S::State>,
    budget: &Budget,
) -> Result<Vec<char>, Limit> {
    let mut meter = budget.meter();
    let mut left = BTreeSet::new();
    for pair in plans.layers().windows(2) {
        for on_the_way in &pair[0] {
            let here = space.pieces(on_the_way.state);
            for &next in &on_the_way.next {
                meter.look()?;
                let after = space.pieces(pair[1][next as usize].state);
                left.extend(here.iter().filter(|piece| !after.contains(piece)).copied());
            }
        }
    }
    let start = space.pieces(space.pack(puzzle.board()));
    let idle: Vec<usize> = start.into_iter().filter(|piece| !left.contains(piece)).map(|(_, cell)| cell).collect();
    let board = puzzle.board();
    let is_idle = |&piece: &char| board.first_cell(piece).is_some_and(|cell| idle.contains(&cell));
    Ok(board.pieces().into_iter().filter(is_idle).collect())
}

/// Whether all shortest plans come of one by exchanging moves: whether the boards and moves of one, closed under exchanging two
/// in a row, are those of all.
pub(crate) fn is_unique<S: Boards>(space: &S, plans: &Plans<S::State>, budget: &Budget) -> Result<bool, Limit> {
    let layers = plans.layers();
    if layers[0].len() > 1 {
        return Ok(false);
    }
    let all: usize = layers.iter().flatten().map(|on_the_way| on_the_way.next.len()).sum();
    let mut meter = budget.meter();
    let mut held = Reservation::none(budget.memory());
    // Each move may stand in two trees and wait several times.
    held.grow((all * 6 * size_of::<(usize, u32, u32)>()) as u64)?;
    let moved = |depth: usize, one: u32, other: u32| {
        space.moved(layers[depth][one as usize].state, layers[depth + 1][other as usize].state)
    };
    // Of each depth, the moves that were reached, by the numbers of their boards: from the first to the second, and turned.
    let mut reached = vec![(BTreeSet::new(), BTreeSet::new()); layers.len()];
    let with = |board: u32| (board, 0)..=(board, u32::MAX);
    let mut waiting = Vec::new();
    let mut here = 0;
    for (depth, layer) in layers[..layers.len() - 1].iter().enumerate() {
        let next = layer[here as usize].next[0];
        waiting.push((depth, here, next));
        here = next;
    }
    let mut count = 0;
    while let Some((depth, one, other)) = waiting.pop() {
        if !reached[depth].0.insert((one, other)) {
            continue;
        }
        reached[depth].1.insert((other, one));
        count += 1;
        // A move before it, and one behind it, each with what it makes a pair of.
        let mut pairs = Vec::new();
        if depth > 0 {
            pairs.extend(reached[depth - 1].1.range(with(one)).map(|&(_, start)| (depth - 1, start, one, other)));
        }
        pairs.extend(reached[depth + 1].0.range(with(other)).map(|&(_, end)| (depth, one, other, end)));
        for (depth, start, middle, end) in pairs {
            let moves = (moved(depth, start, middle), moved(depth + 1, middle, end));
            for &through in &layers[depth][start as usize].next {
                meter.look()?;
                let exchanged = through != middle
                    && layers[depth + 1][through as usize].next.binary_search(&end).is_ok()
                    && (moved(depth + 1, through, end), moved(depth, start, through)) == moves;
                if exchanged {
                    waiting.extend([(depth, start, through), (depth + 1, through, end)]);
                }
            }
        }
    }
    Ok(count == all)
}
