//! The least cost of a plan, as one writes it by hand.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::Hash;
use std::ops::Add;

use fxhash::FxHashMap;

/// Dial's buckets: a vector for each distance up to the greatest cost, and a map from each state to
/// its distance.
pub fn dial<S: Copy + Eq + Hash, I: IntoIterator<Item = (u32, S)>>(
    start: S,
    successors: impl Fn(S) -> I,
    is_goal: impl Fn(S) -> bool,
    greatest_cost: u32,
) -> Option<u32> {
    let mut distances = FxHashMap::from_iter([(start, 0)]);
    in_buckets(start, successors, is_goal, greatest_cost, |state, distance| match distance {
        None => distances[&state],
        Some(distance) => {
            let known = distances.entry(state).or_insert(u32::MAX);
            let before = *known;
            *known = before.min(distance);
            before
        }
    })
}

/// The same with a distance for each number below `states`.
pub fn dial_in_an_array<I: IntoIterator<Item = (u32, u32)>>(
    states: usize,
    start: u32,
    successors: impl Fn(u32) -> I,
    is_goal: impl Fn(u32) -> bool,
    greatest_cost: u32,
) -> Option<u32> {
    let mut distances = vec![u32::MAX; states];
    distances[start as usize] = 0;
    in_buckets(start, successors, is_goal, greatest_cost, |state, distance| {
        let known = &mut distances[state as usize];
        let before = *known;
        *known = before.min(distance.unwrap_or(before));
        before
    })
}

/// `lower` gives the distance of a state before it is lowered to another one.
fn in_buckets<S: Copy, I: IntoIterator<Item = (u32, S)>>(
    start: S,
    successors: impl Fn(S) -> I,
    is_goal: impl Fn(S) -> bool,
    greatest_cost: u32,
    mut lower: impl FnMut(S, Option<u32>) -> u32,
) -> Option<u32> {
    let count = greatest_cost + 1;
    let mut buckets = vec![Vec::new(); count as usize];
    buckets[0].push(start);
    let (mut distance, mut empty) = (0, 0);
    while empty < count {
        while let Some(state) = buckets[(distance % count) as usize].pop() {
            empty = 0;
            if lower(state, None) < distance {
                continue;
            }
            if is_goal(state) {
                return Some(distance);
            }
            for (cost, next) in successors(state) {
                if distance + cost < lower(next, Some(distance + cost)) {
                    buckets[((distance + cost) % count) as usize].push(next);
                }
            }
        }
        distance += 1;
        empty += 1;
    }
    None
}

/// Dijkstra's algorithm with a heap, for costs of any kind.
pub fn dijkstra<S, C, I>(
    start: S,
    none: C,
    successors: impl Fn(S) -> I,
    is_goal: impl Fn(S) -> bool,
) -> Option<C>
where
    S: Copy + Ord + Hash,
    C: Copy + Ord + Add<Output = C>,
    I: IntoIterator<Item = (C, S)>,
{
    let mut distances = FxHashMap::from_iter([(start, none)]);
    let mut heap = BinaryHeap::from([Reverse((none, start))]);
    while let Some(Reverse((distance, state))) = heap.pop() {
        if distances[&state] < distance {
            continue;
        }
        if is_goal(state) {
            return Some(distance);
        }
        for (cost, next) in successors(state) {
            let reached = distance + cost;
            let is_less = distances.get(&next).is_none_or(|&known| reached < known);
            if is_less {
                distances.insert(next, reached);
                heap.push(Reverse((reached, next)));
            }
        }
    }
    None
}

/// A* with a heap and a distance for each number below `states`.
pub fn astar_in_an_array<I: IntoIterator<Item = (u32, u32)>>(
    states: usize,
    start: u32,
    successors: impl Fn(u32) -> I,
    is_goal: impl Fn(u32) -> bool,
    bound: impl Fn(u32) -> u32,
) -> Option<u32> {
    let mut distances = vec![u32::MAX; states];
    distances[start as usize] = 0;
    let mut heap = BinaryHeap::from([Reverse((bound(start), start))]);
    while let Some(Reverse((sum, state))) = heap.pop() {
        let distance = distances[state as usize];
        if distance + bound(state) < sum {
            continue;
        }
        if is_goal(state) {
            return Some(distance);
        }
        for (cost, next) in successors(state) {
            if distance + cost < distances[next as usize] {
                distances[next as usize] = distance + cost;
                heap.push(Reverse((distance + cost + bound(next), next)));
            }
        }
    }
    None
}
