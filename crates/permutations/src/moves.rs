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

/// One move after the other.
pub(crate) fn then(first: &[u8], second: &[u8]) -> Images {
    first.iter().map(|&to| second[usize::from(to)]).collect()
}

/// The powers of a move from the second one to its inverse.
pub(crate) fn powers(generator: &Images) -> impl Iterator<Item = Images> {
    std::iter::successors(Some(then(generator, generator)), |images| Some(then(images, generator)))
        .take_while(|images| !(0..).zip(images).all(|(place, &to)| place == to))
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
