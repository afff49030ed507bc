//! The moves of a puzzle as permutations of its places.

use std::collections::HashSet;

/// The most places.
pub(crate) const MAX_PLACES: usize = 64;

/// A move: for each place, the place to which its label goes.
pub(crate) type Images = Vec<u8>;

/// The move that undoes a move.
pub(crate) fn inverse(images: &[u8]) -> Images {
    let mut inverse = vec![0; images.len()];
    for (place, &to) in (0..).zip(images) {
        inverse[usize::from(to)] = place;
    }
    inverse
}

/// The moves of a puzzle, and their inverses unless each of those is a move, too.
#[derive(Clone, Debug)]
pub(crate) struct Moves {
    pub(crate) images: Vec<Images>,
    pub(crate) count: usize,
}

impl Moves {
    pub(crate) fn new(mut images: Vec<Images>) -> Self {
        let count = images.len();
        let known: HashSet<_> = images.iter().cloned().collect();
        let inverses: Vec<_> = images.iter().map(|images| inverse(images)).collect();
        if !inverses.iter().all(|inverse| known.contains(inverse)) {
            images.extend(inverses);
        }
        Self { images, count }
    }

    pub(crate) fn is_undirected(&self) -> bool {
        self.images.len() == self.count
    }
}
