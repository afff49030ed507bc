//! Moves that cost more than one, beside programs by hand, other libraries, and states of delay: a
//! chain of `c` states for a move of cost `c`.

use std::num::NonZero;

use anyhow::{Context, ensure};
use fewest_bench_variants::costs::{astar_in_an_array, dial, dial_in_an_array, dijkstra};
use fewest_core::cost::{self, CostRange};
use fewest_core::heuristic;
use fewest_core::search::Search;
use fewest_core::space::from_fn;

use super::case::{Case, Work};
use super::library::leak;
use super::measure::Comparison;

#[path = "../../../crates/core/examples/sokoban/main.rs"]
pub(super) mod sokoban;
#[allow(dead_code, reason = "the benchmark does not run its `main`")]
#[path = "../../../crates/core/examples/weighted_grid.rs"]
mod weighted_grid;

const LEVELS: &str = include_str!("../../../testdata/sokoban/microban-1-10.xsb");

/// Steps and pushes on all squares, dead ones too, as one writes it first. The bits up to `PLAYER`
/// are the boxes, by the number of the square; those up to `DELAY` that of the player.
struct Warehouse {
    /// The squares that are next to each square: left, right, up, down.
    next: Vec<[Option<u64>; 4]>,
    start: u64,
    goals: u64,
}

const PLAYER: u32 = 50;
const DELAY: u32 = 56;

impl Warehouse {
    fn new(number: usize) -> anyhow::Result<Self> {
        let mut levels = sokoban::read(LEVELS).map_err(anyhow::Error::msg)?;
        let level = levels.swap_remove(number - 1);
        let squares: Vec<u32> = (0..128).filter(|square| level.floor >> square & 1 == 1).collect();
        ensure!(squares.len() <= PLAYER as usize, "a level of {} squares", squares.len());
        let number = |square| squares.iter().position(|&other| other == square);
        let numbers = |set: sokoban::Squares| -> u64 {
            (0..squares.len()).filter(|&at| set >> squares[at] & 1 == 1).map(|at| 1 << at).sum()
        };
        let near = |&square: &u32| {
            level.steps.map(|step| Some(number(square.wrapping_add_signed(step))? as u64))
        };
        let player = number(level.player).context("the player is on the floor")? as u64;
        Ok(Self {
            next: squares.iter().map(near).collect(),
            start: numbers(level.boxes) | player << PLAYER,
            goals: numbers(level.goals),
        })
    }

    fn is_goal(&self, state: u64) -> bool {
        state & ((1 << PLAYER) - 1) == self.goals && state >> DELAY == 0
    }

    /// Each step, and whether it pushes.
    fn steps(&self, state: u64) -> impl Iterator<Item = (bool, u64)> {
        let boxes = state & ((1 << PLAYER) - 1);
        let near = self.next[(state >> PLAYER) as usize];
        (0..4).zip(near).filter_map(move |(direction, to)| {
            let to = to?;
            if boxes >> to & 1 == 0 {
                return Some((false, boxes | to << PLAYER));
            }
            let behind = self.next[to as usize][direction]?;
            let pushed = (boxes ^ 1 << to | 1 << behind) | to << PLAYER;
            (boxes >> behind & 1 == 0).then_some((true, pushed))
        })
    }

    fn costs(&self, state: u64) -> impl Iterator<Item = (u32, u64)> {
        self.steps(state).map(|(is_push, next)| (if is_push { 3 } else { 1 }, next))
    }
}

/// A case that finds a cost.
fn case(id: String, about: &str, expected: u32, run: impl Fn() -> Option<u32> + 'static) -> Case {
    Case::new(id, about, run, move |&found: &Option<u32>| {
        ensure!(found == Some(expected), "found a cost of {found:?}, expected {expected}");
        Ok(Work::default())
    })
}

fn two() -> NonZero<usize> {
    NonZero::new(2).expect("not 0")
}

fn sokoban_costs() -> anyhow::Result<Comparison> {
    let level: &'static Warehouse = leak(Warehouse::new(7)?);
    let (start, is_goal) = (level.start, |state| level.is_goal(state));
    let space = leak(
        from_fn([start], |state| level.costs(state), is_goal)
            .with_costs(CostRange::integers(1..=3), |_, cost: u32| cost),
    );
    let delayed = leak(from_fn(
        [start],
        |state| {
            let wait = (state >> DELAY > 0).then(|| ((), state - (1 << DELAY)));
            let steps = wait.is_none().then(|| level.costs(state));
            let delay = |(cost, next)| ((), next | u64::from(cost - 1) << DELAY);
            wait.into_iter().chain(steps.into_iter().flatten().map(delay))
        },
        is_goal,
    ));
    let id = |method: &str| format!("costs.sokoban.{method}");
    #[allow(unused_mut, reason = "there are no peers without the feature")]
    let mut cases = vec![
        case(id("by-hand"), "by hand: Dial's buckets", 38, move || {
            dial(start, |state| level.costs(state), is_goal, 3)
        })
        .baseline(),
        case(id("delays"), "states of delay", 38, || Search::new(delayed).run().cost()).baseline(),
        case(id("ours"), "ours", 38, || Search::new(space).run().cost()),
        case(id("ours.2"), "ours, 2 threads", 38, || {
            Search::new(space).threads(two()).run().cost()
        }),
    ];
    #[cfg(feature = "peers")]
    cases.push(
        case(id("pathfinding"), "pathfinding::dijkstra", 38, move || {
            let next = |&state: &u64| level.costs(state).map(|(cost, next)| (next, cost));
            Some(pathfinding::prelude::dijkstra(&start, next, |&state| is_goal(state))?.1)
        })
        .baseline(),
    );
    let title = "Sokoban, Microban 7: a step costs 1, a push 3".to_owned();
    Ok(Comparison { title, cases, isolated: true, large: true, ..Comparison::default() })
}

fn sokoban_pairs() -> anyhow::Result<Comparison> {
    let level: &'static Warehouse = leak(Warehouse::new(5)?);
    let (start, is_goal) = (level.start, |state| level.is_goal(state));
    let range = CostRange::pairs((0, 1)..=(1, 1));
    let space = leak(
        from_fn([start], |state| level.steps(state), is_goal)
            .with_costs(range, |_, is_push: bool| cost::pair(is_push.into(), 1)),
    );
    // A pair in 64 bits.
    let pairs =
        |state| level.steps(state).map(|(is_push, next)| (u64::from(is_push) << 32 | 1, next));
    let packed = |pair: u64| cost::pair((pair >> 32) as u16, pair as u16);
    let expected = cost::pair(6, 27);
    let id = |method: &str| format!("costs.pairs.{method}");
    #[allow(unused_mut, reason = "there are no peers without the feature")]
    let mut cases = vec![
        case(id("by-hand"), "by hand: a heap", expected, move || {
            dijkstra(start, 0_u64, pairs, is_goal).map(packed)
        })
        .baseline(),
        case(id("ours"), "ours", expected, || Search::new(space).run().cost()),
    ];
    #[cfg(feature = "peers")]
    cases.push(
        case(id("pathfinding"), "pathfinding::dijkstra", expected, move || {
            let next = |&state: &u64| pairs(state).map(|(cost, next)| (next, cost));
            let found = pathfinding::prelude::dijkstra(&start, next, |&state| is_goal(state));
            Some(packed(found?.1))
        })
        .baseline(),
    );
    let title = "Sokoban, Microban 5: pushes, then moves".to_owned();
    Ok(Comparison { title, cases, isolated: true, large: true, ..Comparison::default() })
}

fn grid() -> Comparison {
    use weighted_grid::{GOAL, SIDE, map, neighbours, steps_left, weights};
    const CELLS: usize = (SIDE * SIDE) as usize;
    const COST: u32 = 5528;
    let weights: &'static [u8] = weights().leak();
    let space = leak(map(weights));
    let steps = |cell| neighbours(cell).map(|next| (weights[next as usize].into(), next));
    // Each cell has nine states: the number of steps until it is left.
    let delayed = leak(
        from_fn(
            [0_u32],
            move |state: u32| {
                let (delay, cell) = (state >> 20, state & ((1 << 20) - 1));
                let wait = (delay > 0).then(|| ((), state - (1 << 20)));
                let steps = wait.is_none().then(|| steps(cell));
                let enter = |(cost, next): (u32, u32)| ((), next | (cost - 1) << 20);
                wait.into_iter().chain(steps.into_iter().flatten().map(enter))
            },
            |state| state == GOAL,
        )
        .with_ranks(9 << 20, u64::from, |rank| rank as u32),
    );
    let bound = leak(heuristic::from_fn(steps_left));
    let is_goal = |cell| cell == GOAL;
    let id = |method: &str| format!("costs.grid.{method}");
    #[allow(unused_mut, reason = "there are no peers without the feature")]
    let mut cases = vec![
        case(id("by-hand"), "by hand: Dial's buckets", COST, move || {
            dial_in_an_array(CELLS, 0, steps, is_goal, 9)
        })
        .baseline(),
        case(id("by-hand.astar"), "by hand: A*", COST, move || {
            astar_in_an_array(CELLS, 0, steps, is_goal, steps_left)
        })
        .baseline(),
        case(id("delays"), "states of delay", COST, || Search::new(delayed).ranked().run().cost())
            .baseline(),
        case(id("ours"), "ours: breadth-first", COST, || {
            Search::new(space).predecessors().ranked().run().cost()
        }),
        case(id("ours.astar"), "ours: A*", COST, || {
            Search::new(space).predecessors().ranked().heuristic(bound).run().cost()
        }),
        case(id("ours.both"), "ours: from both ends", COST, || {
            Search::new(space).predecessors().goals().run().cost()
        }),
    ];
    #[cfg(feature = "peers")]
    {
        let next = move |&cell: &u32| steps(cell).map(|(cost, next): (u32, u32)| (next, cost));
        let peers = [
            case(id("pathfinding"), "pathfinding::dijkstra", COST, move || {
                Some(pathfinding::prelude::dijkstra(&0, next, |&cell| is_goal(cell))?.1)
            }),
            case(id("pathfinding.astar"), "pathfinding::astar", COST, move || {
                let bound = |&cell: &u32| steps_left(cell);
                Some(pathfinding::prelude::astar(&0, next, bound, |&cell| is_goal(cell))?.1)
            }),
        ];
        cases.extend(peers.map(Case::baseline));
    }
    let title = "A map of 1,000,000 cells that cost 1 to 9".to_owned();
    Comparison { title, cases, isolated: true, large: true, ..Comparison::default() }
}

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    Ok(vec![sokoban_costs()?, sokoban_pairs()?, grid()])
}
