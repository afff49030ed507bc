//! A plain search: arrangements in a map, and moves as lists.

use std::collections::HashMap;

/// A move, for each place the place to which its label goes.
pub(crate) type Images = Vec<usize>;

pub(crate) fn moved(images: &[usize], arrangement: &[u8]) -> Vec<u8> {
    let mut moved = vec![0; arrangement.len()];
    for (&to, &label) in images.iter().zip(arrangement) {
        moved[to] = label;
    }
    moved
}

/// The distance from an arrangement to each one.
pub(crate) fn distances(moves: &[Images], from: &[u8]) -> HashMap<Vec<u8>, u32> {
    let mut distances = HashMap::from([(from.to_vec(), 0)]);
    let mut layer = vec![from.to_vec()];
    for distance in 1.. {
        let mut next = Vec::new();
        for arrangement in &layer {
            for images in moves {
                let to = moved(images, arrangement);
                if !distances.contains_key(&to) {
                    distances.insert(to.clone(), distance);
                    next.push(to);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    distances
}

/// The number of arrangements at each distance.
pub(crate) fn layers(distances: &HashMap<Vec<u8>, u32>) -> Vec<u64> {
    let mut layers = vec![0; distances.values().max().map_or(0, |&last| last as usize + 1)];
    distances.values().for_each(|&distance| layers[distance as usize] += 1);
    layers
}
