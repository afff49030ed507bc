//! A*: the state first through which the shortest plan may still lead, by its depth plus a lower
//! bound on the rest.
//!
//! A state is entered in the table with its depth when it is generated, and again on the open list
//! whenever it is reached by a shorter way, so heuristics need not be consistent; with a consistent
//! one that never happens after its expansion. Ties go to the deepest state, and of those to the
//! one that was generated last. Proof: the least sum on the open list bounds the cost of every plan
//! that is still to be found.
//!
//! The table's lines are not asked for beforehand: doing so for all successors of a state gained a
//! tenth on a house of 375,000 states and nothing on 15-puzzles of two million, where the last
//! states generated are the next to be expanded and still near.

use super::bucket_queue::BucketQueue;
use super::layers::{Layer, NO_WAY_BACK, least_expanding_to, retrace};
use crate::budget::{Budget, Limit, Meter, go_on};
use crate::heuristic::Heuristic;
use crate::outcome::{Outcome, Verdict};
use crate::space::{Predecessors, StateSpace};
use crate::visited::Table;

/// Searches any space. To recover the plan, it expands the states that it knows once more.
pub fn search<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    run(space, heuristic, budget, |depths, goal, meter| {
        plan_by_expansion(space, depths, goal, meter)
    })
}

/// Searches a space that knows its predecessors, and recovers the plan by them.
///
/// # Panics
/// If the predecessors turn out not to be the successors backwards.
pub fn search_with_predecessors<S: Predecessors, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    budget: &Budget,
) -> Outcome<Vec<S::State>> {
    run(space, heuristic, budget, |depths, goal, meter| {
        plan_by_predecessors(space, depths, goal, meter)
    })
}

/// The least depth at which each state was met: the length of a chain of known states from the
/// start.
type Depths<W> = Table<W, u32>;

fn run<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    budget: &Budget,
    plan: impl Fn(&Depths<S::State>, S::State, &mut Meter<'_>) -> Result<Vec<S::State>, Limit>,
) -> Outcome<Vec<S::State>> {
    let mut meter = budget.meter();
    let mut lower_bound = 0;
    let mut solve = || -> Result<_, Limit> {
        let mut depths = Table::new(meter.memory())?;
        let mut best = None;
        let end =
            expand_in_order(space, heuristic, &mut meter, &mut depths, &mut lower_bound, &mut best);
        let Some((goal, _)) = best else {
            return end.map(|()| Verdict::Unsolvable);
        };
        meter.start_recovery();
        let plan = plan(&depths, goal, &mut meter)?;
        assert_eq!(depths.get(plan[0]), Some(0), "{NO_WAY_BACK}");
        let cost = plan.len() as u32 - 1;
        Ok(match end {
            Err(limit) if cost > lower_bound => {
                Verdict::Stopped { limit, lower_bound, best: Some((plan, cost)) }
            }
            _ => Verdict::Solved { plan, cost },
        })
    };
    let verdict =
        solve().unwrap_or_else(|limit| Verdict::Stopped { limit, lower_bound, best: None });
    Outcome { verdict, stats: meter.stats() }
}

/// Expands until `best`, the goal met by the shortest way and the moves of that way, is proved best
/// or nothing is left to expand. No plan has fewer moves than `lower_bound`.
fn expand_in_order<S: StateSpace, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    meter: &mut Meter<'_>,
    depths: &mut Depths<S::State>,
    lower_bound: &mut u32,
    best: &mut Option<(S::State, u32)>,
) -> Result<(), Limit> {
    let bound_of = |state| heuristic.bound(heuristic.evaluate(state));
    let mut least = None;
    space.initial(|state| least = least.into_iter().chain(bound_of(state)).min());
    // Without a bound at any start no goal can be reached.
    let Some(least) = least else { return Ok(()) };
    *lower_bound = least;

    let mut open = BucketQueue::new(least, meter.memory());
    let mut started = Ok(());
    space.initial(|state| {
        let mut enter = |state| -> Result<(), Limit> {
            let (_, new) = depths.entry(state, 0)?;
            if space.is_goal(state) {
                *best = Some(best.map_or((state, 0), |least| least.min((state, 0))));
            } else if new && let Some(bound) = bound_of(state) {
                open.push(bound, 0, state)?;
            }
            Ok(())
        };
        started = started.and(enter(state));
    });
    started?;

    while let Some((sum, depth, state)) = open.pop() {
        // Of a plan in hand, its cost is as far as the bound can rise.
        *lower_bound = best.map_or(sum, |(_, cost)| cost.min(sum));
        meter.set_depth(*lower_bound);
        if best.is_some_and(|(_, cost)| cost <= sum) {
            return Ok(());
        }
        // It may have been reached by a shorter way since.
        if depths.get(state) != Some(depth) {
            continue;
        }
        meter.expand()?;
        let depth = depth + 1;
        let evaluation = heuristic.evaluate(state);
        let mut admit = |by, next| -> Result<(), Limit> {
            meter.generate()?;
            let (known, new) = depths.entry(next, depth)?;
            if !new {
                if *known <= depth {
                    meter.duplicate();
                    return Ok(());
                }
                *known = depth;
            }
            if space.is_goal(next) {
                if best.is_none_or(|(_, cost)| depth < cost) {
                    *best = Some((next, depth));
                }
            } else if let Some(bound) =
                heuristic.bound(heuristic.update(evaluation, state, by, next))
                && let Some(through) = depth.checked_add(bound)
            {
                // The parent's sum bounds every plan through the child as well.
                open.push(sum.max(through), depth, next)?;
            }
            Ok(())
        };
        let mut end = Ok(());
        let _ = space.successors(state, None, |by, next| go_on(&mut end, || admit(by, next)));
        end?;
        meter.note_frontier(open.len());
    }
    Ok(())
}

/// Walks back from the goal by predecessors of smaller depth, each time the smallest, and of these
/// the least state.
fn plan_by_predecessors<S: Predecessors>(
    space: &S,
    depths: &Depths<S::State>,
    goal: S::State,
    meter: &mut Meter<'_>,
) -> Result<Vec<S::State>, Limit> {
    let mut chain = Vec::new();
    let mut here = depths.get(goal).map(|depth| (depth, goal));
    while let Some((depth, state)) = here {
        chain.push(state);
        here = None;
        if depth == 0 {
            break;
        }
        let mut end = Ok(());
        let _ = space.predecessors(state, |before| {
            let known = depths.get(before).filter(|&known| known < depth);
            here = here.into_iter().chain(known.map(|depth| (depth, before))).min();
            go_on(&mut end, || meter.poll())
        });
        end?;
    }
    chain.reverse();
    Ok(chain)
}

/// Sorts the known states into layers by depth and walks back through them.
fn plan_by_expansion<S: StateSpace>(
    space: &S,
    depths: &Depths<S::State>,
    goal: S::State,
    meter: &mut Meter<'_>,
) -> Result<Vec<S::State>, Limit> {
    let mut layers: Vec<Layer<S::State>> = Vec::new();
    layers.resize_with(depths.get(goal).unwrap_or(0) as usize, || Layer::new(meter.memory()));
    for (state, depth) in depths.iter() {
        if let Some(layer) = layers.get_mut(depth as usize) {
            layer.push(state)?;
        }
    }
    retrace(&layers, goal, |layer, state| least_expanding_to(space, layer, state, meter))
}
