//! Breadth-first search, with a queue and with a list for each layer.

use std::collections::VecDeque;

use crate::SearchResult;
use crate::sets::VisitedSet;

/// Searches from `start` for the nearest goal, with a queue of states and their depths.
/// `successors` appends the successors of a state to a list.
pub fn breadth_first<S: Clone>(
    start: S,
    is_goal: impl Fn(&S) -> bool,
    visited: &mut impl VisitedSet<S>,
    mut successors: impl FnMut(&S, &mut Vec<S>),
) -> SearchResult {
    let mut result = SearchResult { moves: None, expanded: 0, generated: 0 };
    let mut next = Vec::new();
    visited.insert(&start);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((state, depth)) = queue.pop_front() {
        if is_goal(&state) {
            result.moves = Some(depth);
            break;
        }
        result.expanded += 1;
        successors(&state, &mut next);
        result.generated += next.len() as u64;
        for state in next.drain(..) {
            if visited.insert(&state) {
                queue.push_back((state, depth + 1));
            }
        }
    }
    result
}

/// The same as [`breadth_first`], with a list for each layer instead of a queue.
pub fn layer_by_layer<S: Clone>(
    start: S,
    is_goal: impl Fn(&S) -> bool,
    visited: &mut impl VisitedSet<S>,
    mut successors: impl FnMut(&S, &mut Vec<S>),
) -> SearchResult {
    let mut result = SearchResult { moves: None, expanded: 0, generated: 0 };
    let mut next = Vec::new();
    visited.insert(&start);
    let mut layer = vec![start];
    let mut next_layer = Vec::new();
    for depth in 0.. {
        for state in layer.drain(..) {
            if is_goal(&state) {
                result.moves = Some(depth);
                return result;
            }
            result.expanded += 1;
            successors(&state, &mut next);
            result.generated += next.len() as u64;
            next_layer.extend(next.drain(..).filter(|state| visited.insert(state)));
        }
        if next_layer.is_empty() {
            break;
        }
        std::mem::swap(&mut layer, &mut next_layer);
    }
    result
}
