//! The moves of a permutation puzzle as a user writes them.

use std::collections::HashSet;

use crate::moves::{Images, MAX_PLACES, inverse, powers};
use crate::permutation_space::PermutationSpace;
use crate::symmetries::{MAX_SYMMETRIES, symmetries};

/// The most moves, powers and inverses included.
const MAX_MOVES: usize = 1024;

/// A permutation puzzle: places with labels, and moves that permute the labels. [`build`] checks it
/// and makes a space of it.
///
/// Places are numbered from 0. In the solved arrangement, the label of a place is its number, or a
/// [colour](Self::colours).
///
/// [`build`]: Self::build
#[derive(Clone, Debug)]
#[must_use = "it does nothing before `build` is called"]
pub struct Permutations {
    places: usize,
    generators: Vec<(String, Written)>,
    colours: Option<Vec<u8>>,
    derived: Derived,
    has_symmetries: bool,
}

/// A generator as it is written.
#[derive(Clone, Debug)]
enum Written {
    Cycles(Vec<Vec<usize>>),
    Images(Vec<usize>),
}

/// Which moves are made of a generator, besides itself.
#[derive(Clone, Copy, Debug)]
enum Derived {
    None,
    Inverses,
    Powers,
}

/// The error of [`Permutations::build`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidPermutations {
    /// There are too few or too many places.
    #[error("{0} places: expected 1 to {MAX_PLACES}")]
    Places(usize),
    /// There is no generator.
    #[error("no generator: expected at least one")]
    NoGenerator,
    /// Two generators have the same name.
    #[error("generator `{0}`: another one has the same name")]
    SameName(String),
    /// There are too many moves.
    #[error("{0} moves, with powers and inverses: expected at most {MAX_MOVES}")]
    Moves(usize),
    /// A generator is no permutation of the places.
    #[error("generator `{name}`: {problem}")]
    Generator {
        /// Its name.
        name: String,
        /// What is wrong.
        problem: InvalidGenerator,
    },
    /// The moves have more symmetries than are kept, or they were not found among a quarter of a
    /// million choices.
    #[error(
        "more than {MAX_SYMMETRIES} symmetries, or too many choices for the images of the moves"
    )]
    Symmetries,
    /// Symmetries permute labels, and what looks the same need not stay so.
    #[error("symmetries of colours: expected either colours or symmetries")]
    ColouredSymmetries,
    /// There is not a colour for each place.
    #[error("{found} colours: expected one for each of {places} places")]
    Colours {
        /// How many there are.
        found: usize,
        /// The number of places.
        places: usize,
    },
}

/// Why a generator is no permutation of the places.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidGenerator {
    /// A place does not exist.
    #[error("there is no place {0}; the last one is {last}", last = .1 - 1)]
    NoPlace(usize, usize),
    /// A place occurs twice in the cycles.
    #[error("place {0} is in its cycles twice")]
    Twice(usize),
    /// Its list has another length.
    #[error("its list has {found} images: expected one for each of {places} places")]
    Length {
        /// The number of images.
        found: usize,
        /// The number of places.
        places: usize,
    },
    /// Two places have the same image, so that no move undoes it.
    #[error("it has no inverse: places {0} and {1} both go to place {2}")]
    NoInverse(usize, usize, usize),
}

impl Permutations {
    /// A puzzle of `places` places, at most 64, without moves.
    pub fn new(places: usize) -> Self {
        Self {
            places,
            generators: Vec::new(),
            colours: None,
            derived: Derived::None,
            has_symmetries: false,
        }
    }

    /// Adds a generator as cycles: in `[a, b, c]`, the label at place `a` goes to place `b`, that at
    /// `b` to `c`, and that at `c` to `a`. Places that are in no cycle keep their labels.
    pub fn generator<C: AsRef<[usize]>>(
        mut self,
        name: impl Into<String>,
        cycles: impl IntoIterator<Item = C>,
    ) -> Self {
        let cycles = cycles.into_iter().map(|cycle| cycle.as_ref().to_vec()).collect();
        self.generators.push((name.into(), Written::Cycles(cycles)));
        self
    }

    /// Adds a generator as a list of images: the label at place `p` goes to place `images[p]`.
    ///
    /// Where a list says from which place each label comes, as an index of numpy does, it is the
    /// list of images of the inverse.
    pub fn generator_from_images(
        mut self,
        name: impl Into<String>,
        images: impl Into<Vec<usize>>,
    ) -> Self {
        self.generators.push((name.into(), Written::Images(images.into())));
        self
    }

    /// The inverse of each generator is a move, too. That of `U` is named `U'`, unless it is a
    /// generator.
    pub fn with_inverses(self) -> Self {
        Self { derived: Derived::Inverses, ..self }
    }

    /// Each power of a generator is one move: of a quarter turn `U` also `U2` and `U'`.
    pub fn with_powers(self) -> Self {
        Self { derived: Derived::Powers, ..self }
    }

    /// The label of each place in the solved arrangement. Places of the same label have the same
    /// colour, and arrangements that look the same are one state.
    pub fn colours(self, colours: impl Into<Vec<u8>>) -> Self {
        Self { colours: Some(colours.into()), ..self }
    }

    /// Finds the symmetries of the moves: the permutations of places and labels under which each
    /// move becomes a move, such as the 48 of a cube. Searches by the [group](fewest_core::symmetry)
    /// take one arrangement of those that are images of one another:
    /// [`PermutationSpace::count_orbits`] and [`PermutationSpace::solve`] do.
    ///
    /// A state is then the labels, whatever the moves are.
    pub fn with_symmetries(self) -> Self {
        Self { has_symmetries: true, ..self }
    }

    /// Makes a space of the moves.
    ///
    /// Time and memory: microseconds and kilobytes, unless tables of coordinates are made or tried:
    /// then up to some tenths of a second and 64 MB for each, as for labels at more than 16 places.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn build(self) -> Result<PermutationSpace, InvalidPermutations> {
        let places = self.places;
        if !(1..=MAX_PLACES).contains(&places) {
            return Err(InvalidPermutations::Places(places));
        }
        if self.generators.is_empty() {
            return Err(InvalidPermutations::NoGenerator);
        }
        if let Some(found) = self.colours.as_ref().map(Vec::len).filter(|&found| found != places) {
            return Err(InvalidPermutations::Colours { found, places });
        }
        let mut moves = Vec::new();
        for (name, written) in &self.generators {
            let images = images(written, places).map_err(|problem| {
                InvalidPermutations::Generator { name: name.clone(), problem }
            })?;
            moves.push((name.clone(), images));
        }
        self.derive(&mut moves);
        if moves.len() > MAX_MOVES {
            return Err(InvalidPermutations::Moves(moves.len()));
        }
        let mut names = HashSet::new();
        if let Some((name, _)) = moves.iter().find(|(name, _)| !names.insert(name)) {
            return Err(InvalidPermutations::SameName(name.clone()));
        }
        let images: Vec<_> = moves.iter().map(|(_, images)| images.clone()).collect();
        let symmetries = match (self.has_symmetries, &self.colours) {
            (false, _) => Vec::new(),
            (true, Some(_)) => return Err(InvalidPermutations::ColouredSymmetries),
            (true, None) => symmetries(&images).ok_or(InvalidPermutations::Symmetries)?,
        };
        Ok(PermutationSpace::new(moves, places, self.colours, symmetries))
    }

    /// Adds powers and inverses after their generators, unless they are moves already.
    fn derive(&self, moves: &mut Vec<(String, Images)>) {
        let mut known: HashSet<Images> = moves.iter().map(|(_, images)| images.clone()).collect();
        for (name, generator) in std::mem::take(moves) {
            let inverse = inverse(&generator);
            let powers = match self.derived {
                Derived::None => Vec::new(),
                Derived::Inverses => vec![inverse.clone()],
                Derived::Powers => powers(&generator).take(MAX_MOVES).collect(),
            };
            moves.push((name.clone(), generator));
            for (power, images) in (2..).zip(powers) {
                if known.insert(images.clone()) {
                    let power = if images == inverse { "'".to_owned() } else { power.to_string() };
                    moves.push((format!("{name}{power}"), images));
                }
            }
        }
    }
}

fn images(written: &Written, places: usize) -> Result<Images, InvalidGenerator> {
    let exists = |place: usize| {
        if place < places { Ok(()) } else { Err(InvalidGenerator::NoPlace(place, places)) }
    };
    match written {
        Written::Cycles(cycles) => {
            let mut images: Images = (0..places as u8).collect();
            let mut is_moved = [false; MAX_PLACES];
            for cycle in cycles {
                for (at, &place) in cycle.iter().enumerate() {
                    exists(place)?;
                    if std::mem::replace(&mut is_moved[place], true) {
                        return Err(InvalidGenerator::Twice(place));
                    }
                    images[place] = cycle[(at + 1) % cycle.len()] as u8;
                }
            }
            Ok(images)
        }
        Written::Images(list) => {
            if list.len() != places {
                return Err(InvalidGenerator::Length { found: list.len(), places });
            }
            let mut from = [None; MAX_PLACES];
            for (place, &to) in list.iter().enumerate() {
                exists(to)?;
                if let Some(other) = from[to].replace(place) {
                    return Err(InvalidGenerator::NoInverse(other, place, to));
                }
            }
            Ok(list.iter().map(|&to| to as u8).collect())
        }
    }
}
