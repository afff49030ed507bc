//! Complete exploration of a space by layers.

use std::hash::Hash;

use fxhash::FxHashSet;

/// The number of states at each depth. The visited set is the hash set of the standard library with
/// FxHash, and each layer is a vector.
pub fn in_a_hash_set<S: Copy + Eq + Hash, I: IntoIterator<Item = S>>(
    start: S,
    successors: impl Fn(S) -> I,
) -> Vec<u64> {
    let mut visited = FxHashSet::default();
    by(start, successors, |state| visited.insert(state))
}

/// The same with a bit for each number below `states`.
pub fn in_bits<I: IntoIterator<Item = u32>>(
    states: usize,
    start: u32,
    successors: impl Fn(u32) -> I,
) -> Vec<u64> {
    let mut visited = vec![0_u64; states.div_ceil(64)];
    by(start, successors, |state| {
        let (word, bit) = (&mut visited[state as usize / 64], 1 << (state % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    })
}

fn by<S: Copy, I: IntoIterator<Item = S>>(
    start: S,
    successors: impl Fn(S) -> I,
    mut insert: impl FnMut(S) -> bool,
) -> Vec<u64> {
    insert(start);
    let mut layer = vec![start];
    let mut layers = Vec::new();
    while !layer.is_empty() {
        layers.push(layer.len() as u64);
        let mut next = Vec::new();
        for state in layer {
            next.extend(successors(state).into_iter().filter(|&state| insert(state)));
        }
        layer = next;
    }
    layers
}
