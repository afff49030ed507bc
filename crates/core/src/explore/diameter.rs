//! Exact diameter and radius of a graph with few searches.
//!
//! A search from one state gives its eccentricity and bounds the eccentricities of all other
//! states: for a state at distance `d` from a state of eccentricity `e`, the eccentricity is at
//! least `max(d, e - d)` and at most `e + d`. The searches start alternately from the state with
//! the greatest upper bound and from the one with the least lower bound. They end when no remaining
//! state can have an eccentricity above the greatest known or below the least known (Takes and
//! Kosters, "Determining the diameter of small world networks", 2011).
//!
//! On the component of 横刀立马 with 25,955 states, this takes 51, 67 or 94 searches, depending on the
//! metric.

use super::graph::Graph;
use crate::budget::{Budget, Limit};
use crate::memory::{Block, reserved_vec};
use crate::word::Word;

/// The greatest and the least eccentricity of the states of a graph. Those of a graph without
/// states are 0 and `u32::MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diameter {
    /// The greatest eccentricity: the distance between two states that are farthest apart.
    pub diameter: u32,
    /// The least eccentricity of a state.
    pub radius: u32,
    /// The number of searches.
    pub searches: u64,
}

/// The state of [`diameter`] after a search: bounds on its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of searches so far.
    pub searches: u64,
    /// The number of states whose eccentricities can still change the diameter or the radius.
    pub undecided: usize,
    /// A lower bound on the diameter.
    pub diameter_least: u32,
    /// An upper bound on the diameter.
    pub diameter_most: u32,
    /// A lower bound on the radius.
    pub radius_least: u32,
    /// An upper bound on the radius.
    pub radius_most: u32,
}

/// Computes the diameter and the radius of a graph, and calls `progress` after each search.
///
/// The graph must be connected, and it must have for each move one that undoes it. Otherwise the
/// results are meaningless.
///
/// Time: each search follows every move once. At worst there is one search for each state; the
/// number of searches is high if many states have almost the same eccentricity.
///
/// Memory: 20 bytes per state.
///
/// # Errors
/// The limit that stopped the computation. A search counts as one expansion, so the limit on states
/// is a limit on the searches.
pub fn diameter<W: Word>(
    graph: &Graph<W>,
    budget: &Budget,
    mut progress: impl FnMut(Progress),
) -> Result<Diameter, Limit> {
    let mut meter = budget.meter();
    let states = graph.len();
    let mut bounds = Block::filled((0u32, u32::MAX), states, meter.memory())?;
    let mut distances = Block::filled(0, states, meter.memory())?;
    let (mut undecided, _held_by_undecided) = reserved_vec(states, meter.memory())?;
    undecided.extend(0..states as u32);
    let (mut order, _held_by_order) = reserved_vec(states, meter.memory())?;
    let (mut diameter, mut radius) = (0, u32::MAX);
    let mut searches = 0;
    while !undecided.is_empty() {
        meter.expand()?;
        meter.poll_after(graph.edges().len().min(u32::MAX as usize) as u32)?;
        let bound = |&state: &u32| bounds[state as usize];
        let farthest = undecided
            .iter()
            .copied()
            .max_by_key(|state| (bound(state).1, std::cmp::Reverse(*state)));
        let nearest = undecided.iter().copied().min_by_key(|state| (bound(state).0, *state));
        let Some(from) = (if searches % 2 == 0 { farthest } else { nearest }) else { break };
        graph.edges().distances([from], &mut distances, &mut order);
        searches += 1;
        let eccentricity = order.last().map_or(0, |&last| distances[last as usize]);
        (diameter, radius) = (diameter.max(eccentricity), radius.min(eccentricity));
        for &state in &undecided {
            let (distance, bound) = (distances[state as usize], &mut bounds[state as usize]);
            bound.0 = bound.0.max(distance).max(eccentricity - distance.min(eccentricity));
            bound.1 = bound.1.min(eccentricity.saturating_add(distance));
            diameter = diameter.max(bound.0);
            radius = radius.min(bound.1);
        }
        undecided.retain(|&state| {
            let (least, most) = bounds[state as usize];
            state != from && (most > diameter || least < radius)
        });
        let most = undecided.iter().map(|&state| bounds[state as usize].1).max().unwrap_or(0);
        let least =
            undecided.iter().map(|&state| bounds[state as usize].0).min().unwrap_or(u32::MAX);
        progress(Progress {
            searches,
            undecided: undecided.len(),
            diameter_least: diameter,
            diameter_most: most.max(diameter),
            radius_least: least.min(radius),
            radius_most: radius,
        });
    }
    Ok(Diameter { diameter, radius, searches })
}
