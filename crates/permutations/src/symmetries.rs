//! The symmetries of a puzzle: permutations of its places under which each move becomes a move.

use std::collections::HashMap;

use crate::blocks::orbits;
use crate::moves::{Images, powers, then};

/// The most symmetries, with the identity.
pub(crate) const MAX_SYMMETRIES: usize = 4096;

/// The most choices that are tried, so that a puzzle with many symmetries is refused soon.
const MAX_CHOICES: usize = 1 << 18;

/// The most powers of a move that are compared.
const MAX_POWERS: usize = 256;

/// A symmetry.
#[derive(Clone, Debug)]
pub(crate) struct Symmetry {
    /// The image of each place, and of its label.
    pub(crate) places: Images,
    /// The number of the image of each move.
    pub(crate) moves: Vec<u16>,
}

/// The number of cycles of each length, which a symmetry keeps.
fn cycle_type(images: &[u8]) -> Vec<u8> {
    let (mut counts, mut is_seen) = (vec![0; images.len()], vec![false; images.len()]);
    for start in 0..images.len() {
        let (mut place, mut length) = (start, 0);
        while !std::mem::replace(&mut is_seen[place], true) {
            (place, length) = (images[place].into(), length + 1);
        }
        if length > 0 {
            counts[length - 1] += 1;
        }
    }
    counts
}

/// All symmetries of some moves that are different on the arrangements which these reach, the
/// identity first. `None` if there are too many.
///
/// Two of them that map the moves alike also map these arrangements alike. So the search is for
/// images of the moves, with the same cycles alone and after one another, and then for one
/// permutation of the places that has them.
pub(crate) fn symmetries(moves: &[Images]) -> Option<Vec<Symmetry>> {
    let generators = generators(moves);
    let mut search = Search {
        moves,
        types: moves.iter().map(|by| cycle_type(by)).collect(),
        generators,
        images: Vec::new(),
        choices: 0,
        found: Vec::new(),
    };
    search.choose()?;
    Some(search.found)
}

/// Moves that are no powers of others: they generate the same.
fn generators(moves: &[Images]) -> Vec<usize> {
    // All powers of a move may be millions; a generator too many does no harm.
    let is_power_of = |by: &Images, of: &Images| {
        by == of || powers(of).take(MAX_POWERS).any(|power| power == *by)
    };
    let is_generator = |&number: &usize| {
        let mut earlier = moves[..number].iter();
        !earlier.any(|of| is_power_of(&moves[number], of))
    };
    (0..moves.len()).filter(is_generator).collect()
}

struct Search<'a> {
    moves: &'a [Images],
    types: Vec<Vec<u8>>,
    generators: Vec<usize>,
    /// The images of the first generators.
    images: Vec<usize>,
    choices: usize,
    found: Vec<Symmetry>,
}

impl Search<'_> {
    /// Chooses the image of the next generator in each way. `None` if there are too many.
    fn choose(&mut self) -> Option<()> {
        let Some(&generator) = self.generators.get(self.images.len()) else {
            if let Some(symmetry) = self.symmetry() {
                self.found.push(symmetry);
            }
            return (self.found.len() <= MAX_SYMMETRIES).then_some(());
        };
        for image in 0..self.moves.len() {
            self.choices += 1;
            if self.choices > MAX_CHOICES {
                return None;
            }
            if self.is_possible(generator, image) {
                self.images.push(image);
                if self.places().is_some() {
                    self.choose()?;
                }
                self.images.pop();
            }
        }
        Some(())
    }

    fn is_possible(&self, generator: usize, image: usize) -> bool {
        let product =
            |one: usize, other: usize| cycle_type(&then(&self.moves[one], &self.moves[other]));
        self.types[generator] == self.types[image]
            // Of equal moves, the first one is the image.
            && !self.moves[..image].contains(&self.moves[image])
            && self.generators.iter().zip(&self.images).all(|(&earlier, &its_image)| {
                its_image != image && product(earlier, generator) == product(its_image, image)
            })
    }

    /// A permutation of the places under which the generators have the images that were chosen.
    fn symmetry(&self) -> Option<Symmetry> {
        let places = self.places()?;
        let numbers: HashMap<&Images, u16> = self.moves.iter().zip(0..).collect();
        let image = |by: &Images| {
            let mut image = by.clone();
            for (place, &to) in by.iter().enumerate() {
                image[usize::from(places[place])] = places[usize::from(to)];
            }
            numbers.get(&image).copied()
        };
        let moves = self.moves.iter().map(image).collect::<Option<_>>()?;
        Some(Symmetry { places, moves })
    }

    /// The places to which it maps those of the orbits of the generators that have images: each
    /// orbit to the first one that fits. Orbits that fit are alike, so none has to be tried again.
    fn places(&self) -> Option<Images> {
        let chosen = |numbers: &[usize]| -> Vec<Images> {
            numbers.iter().map(|&number| self.moves[number].clone()).collect()
        };
        let count = self.moves[0].len();
        let from = orbits(&chosen(&self.generators[..self.images.len()]), count);
        let to = orbits(&chosen(&self.images), count);
        let mut places = vec![None; count];
        for orbit in from {
            let alike = to.iter().filter(|to| to.len() == orbit.len()).flatten();
            places = alike.copied().find_map(|to| self.place(orbit[0], to, places.clone()))?;
        }
        // Those that these do not change: in any order.
        let mut rest =
            (0..count as u8).filter(|to| !places.contains(&Some(*to))).collect::<Vec<_>>();
        rest.reverse();
        let place = |to: &Option<u8>| to.or_else(|| rest.pop());
        places.iter().map(place).collect()
    }

    /// Maps a place, and with it those to which the generators lead from it.
    fn place(&self, place: u8, to: u8, mut places: Vec<Option<u8>>) -> Option<Vec<Option<u8>>> {
        let mut open = vec![(place, to)];
        while let Some((place, to)) = open.pop() {
            match places[usize::from(place)] {
                Some(known) if known == to => continue,
                None if !places.contains(&Some(to)) => places[usize::from(place)] = Some(to),
                _ => return None,
            }
            for (&generator, &image) in self.generators.iter().zip(&self.images) {
                let moved = |by: usize, place: u8| self.moves[by][usize::from(place)];
                open.push((moved(generator, place), moved(image, to)));
            }
        }
        Some(places)
    }
}
