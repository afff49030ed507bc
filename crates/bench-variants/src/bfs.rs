//! The plain breadth-first loop, with a queue and without.

use std::collections::VecDeque;

use crate::Found;
use crate::sets::Seen;

/// From `start` to the first state that is a goal; states wait in a queue with their depths.
/// `successors` puts those of a state into a list.
pub fn breadth_first<S: Clone>(
    start: S,
    is_goal: impl Fn(&S) -> bool,
    seen: &mut impl Seen<S>,
    mut successors: impl FnMut(&S, &mut Vec<S>),
) -> Found {
    let mut found = Found { moves: None, states: 0, nodes: 0 };
    let mut next = Vec::new();
    seen.insert(&start);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((state, depth)) = queue.pop_front() {
        if is_goal(&state) {
            found.moves = Some(depth);
            break;
        }
        found.states += 1;
        successors(&state, &mut next);
        found.nodes += next.len() as u64;
        for state in next.drain(..) {
            if seen.insert(&state) {
                queue.push_back((state, depth + 1));
            }
        }
    }
    found
}

/// The same without a queue: the states of a layer are a list, and those of the next are another.
pub fn layer_by_layer<S: Clone>(
    start: S,
    is_goal: impl Fn(&S) -> bool,
    seen: &mut impl Seen<S>,
    mut successors: impl FnMut(&S, &mut Vec<S>),
) -> Found {
    let mut found = Found { moves: None, states: 0, nodes: 0 };
    let mut next = Vec::new();
    seen.insert(&start);
    let mut layer = vec![start];
    let mut deeper = Vec::new();
    for depth in 0.. {
        for state in layer.drain(..) {
            if is_goal(&state) {
                found.moves = Some(depth);
                return found;
            }
            found.states += 1;
            successors(&state, &mut next);
            found.nodes += next.len() as u64;
            deeper.extend(next.drain(..).filter(|state| seen.insert(state)));
        }
        if deeper.is_empty() {
            break;
        }
        std::mem::swap(&mut layer, &mut deeper);
    }
    found
}
