//! Coordinates as states: where moves act on blocks, each state is a few small numbers, and a table
//! says to which number each move leads.

use std::ops::ControlFlow;

use fewest_core::{Goals, Predecessors, Ranked, StateSpace, Symmetric};
use fxhash::FxHashMap;

use crate::blocks::{colourings, orbits, restricted};
use crate::moves::{Images, Moves};
use crate::space::{Space, keeps_labels};

/// The most arrangements of a coordinate: more than the 9! orders of nine pieces.
pub(crate) const MAX_ARRANGEMENTS: usize = 1 << 19;

/// The most arrangements that are numbered without need: it takes about a millisecond.
pub(crate) const FEW_ARRANGEMENTS: usize = 1 << 13;

/// The most entries of the table of a coordinate: 32 MB.
const MAX_ENTRIES: usize = 1 << 23;

/// The moves that are looked up at once.
const CHUNK: usize = 16;

/// A coordinate: the arrangements of a painting that the moves reach, numbered from the solved one.
#[derive(Clone, Debug)]
struct Coordinate {
    /// The places, and the colour of the label of each.
    places: Vec<u8>,
    colours: Vec<u8>,
    /// All arrangements, one after the other.
    arrangements: Vec<u8>,
    /// For each number, and for each move the number to which it leads.
    table: Vec<u32>,
    /// What it counts in a state.
    weight: u64,
}

impl Coordinate {
    /// `None` if there are more arrangements, or the table would be too large.
    fn new(moves: &[Images], places: &[u8], colours: Vec<u8>, most: usize) -> Option<Self> {
        let mut numbers = FxHashMap::from_iter([(colours.clone(), 0_u32)]);
        let (mut arrangements, mut table) = (colours.clone(), Vec::new());
        let (length, mut at) = (colours.len(), 0);
        while let Some(arrangement) = arrangements.get(at..at + length).map(<[u8]>::to_vec) {
            at += length;
            for images in moves {
                let mut moved = vec![0; length];
                for (&to, &colour) in images.iter().zip(&arrangement) {
                    moved[usize::from(to)] = colour;
                }
                let next = numbers.len() as u32;
                let number = *numbers.entry(moved).or_insert_with_key(|moved| {
                    arrangements.extend(moved);
                    next
                });
                table.push(number);
            }
            if numbers.len() > most || numbers.len() * moves.len() > MAX_ENTRIES {
                return None;
            }
        }
        let places = places.to_vec();
        Some(Self { places, colours, arrangements, table, weight: 0 })
    }

    fn count(&self) -> u64 {
        (self.arrangements.len() / self.places.len()) as u64
    }

    fn arrangement(&self, state: u64) -> &[u8] {
        let length = self.places.len();
        let number = (state / self.weight % self.count()) as usize;
        &self.arrangements[number * length..(number + 1) * length]
    }
}

/// The space of the coordinates of a puzzle.
#[derive(Clone, Debug)]
pub(crate) struct Coordinates {
    coordinates: Vec<Coordinate>,
    /// The label of each place in the solved arrangement.
    solved: Vec<u8>,
    /// How many of the moves a search makes; the others are the inverses, unless those are moves.
    moves: usize,
    columns: usize,
    is_undirected: bool,
    states: u64,
}

impl Coordinates {
    /// `None` if there are more arrangements of a coordinate than `most`, or too many of all.
    pub(crate) fn new(moves: &Moves, solved: &[u8], most: usize) -> Option<Self> {
        let (mut coordinates, mut states) = (Vec::new(), 1_u64);
        for orbit in orbits(&moves.images, solved.len()) {
            let moves = restricted(&moves.images, &orbit);
            // A small group is numbered as it is: the product of its coordinates may be far more.
            let labels = (0..orbit.len() as u8).collect();
            let of_orbit = match Coordinate::new(&moves, &orbit, labels, FEW_ARRANGEMENTS) {
                Some(whole) => vec![whole],
                None if most <= FEW_ARRANGEMENTS => return None,
                None => {
                    let colourings = colourings(&moves, orbit.len()).into_iter();
                    let of_colours = |colours| Coordinate::new(&moves, &orbit, colours, most);
                    colourings.map(of_colours).collect::<Option<_>>()?
                }
            };
            for coordinate in of_orbit {
                let weight = states;
                states = states.checked_mul(coordinate.count())?;
                coordinates.push(Coordinate { weight, ..coordinate });
            }
        }
        // The greatest weight is divided by first.
        coordinates.reverse();
        Some(Self {
            coordinates,
            solved: solved.to_vec(),
            moves: moves.count,
            columns: moves.images.len(),
            is_undirected: moves.is_undirected(),
            states,
        })
    }

    /// Emits what the moves of these columns lead to.
    #[inline]
    fn moved<B>(
        &self,
        state: u64,
        columns: std::ops::Range<usize>,
        mut emit: impl FnMut(u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for first in columns.clone().step_by(CHUNK) {
            let count = CHUNK.min(columns.end - first);
            let (mut next, mut rest) = ([0; CHUNK], state);
            for it in &self.coordinates {
                let number = rest / it.weight;
                rest -= number * it.weight;
                let row = &it.table[number as usize * self.columns + first..][..count];
                for (next, &number) in next.iter_mut().zip(row) {
                    *next += u64::from(number) * it.weight;
                }
            }
            next[..count].iter().try_for_each(|&next| emit(next))?;
        }
        ControlFlow::Continue(())
    }
}

impl StateSpace for Coordinates {
    type State = u64;
    type Move = u16;

    fn state_bits(&self) -> u32 {
        u64::BITS - (self.states - 1).leading_zeros()
    }

    fn initial(&self, mut emit: impl FnMut(u64)) {
        emit(0);
    }

    fn is_goal(&self, state: u64) -> bool {
        state == 0
    }

    #[inline]
    fn successors<B>(
        &self,
        state: u64,
        _last: Option<u16>,
        mut emit: impl FnMut(u16, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut by = 0..;
        self.moved(state, 0..self.moves, |next| emit(by.next().unwrap_or_default(), next))
    }
}

impl Predecessors for Coordinates {
    fn is_undirected(&self) -> bool {
        self.is_undirected
    }

    #[inline]
    fn predecessors<B>(
        &self,
        state: u64,
        emit: impl FnMut(u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        // The inverses are the last ones, or all if each is a move.
        self.moved(state, self.columns - self.moves..self.columns, emit)
    }
}

impl Goals for Coordinates {
    fn goals(&self, mut emit: impl FnMut(u64)) {
        emit(0);
    }
}

impl Ranked for Coordinates {
    fn ranks(&self) -> Option<u64> {
        Some(self.states)
    }

    #[inline]
    fn rank(&self, state: u64) -> u64 {
        state
    }

    #[inline]
    fn unrank(&self, rank: u64) -> u64 {
        rank
    }
}

/// Symmetries are those of labels.
impl Symmetric for Coordinates {
    fn order(&self) -> u32 {
        1
    }

    fn image(&self, state: u64, _symmetry: u32) -> u64 {
        state
    }

    fn image_of_move(&self, by: u16, _symmetry: u32) -> u16 {
        by
    }
}

impl Space for Coordinates {
    fn state(&self, arrangement: &[u8]) -> Option<u64> {
        let places: Vec<_> = self.coordinates.iter().map(|it| it.places.as_slice()).collect();
        if !keeps_labels(&places, arrangement, &self.solved) {
            return None;
        }
        let mut state = 0;
        for it in &self.coordinates {
            let colour = |&place: &u8| {
                let label = arrangement[usize::from(place)];
                let mut labels = it.places.iter().map(|&place| self.solved[usize::from(place)]);
                labels.position(|other| other == label).map(|label| it.colours[label])
            };
            let colours: Vec<_> = it.places.iter().map(colour).collect::<Option<_>>()?;
            let mut all = it.arrangements.chunks_exact(it.places.len());
            state += all.position(|arrangement| arrangement == colours)? as u64 * it.weight;
        }
        Some(state)
    }

    fn arrangement(&self, state: u64) -> Vec<u8> {
        let mut arrangement = self.solved.clone();
        for of_orbit in self.coordinates.chunk_by(|one, other| one.places == other.places) {
            let places = &of_orbit[0].places;
            for (at, &place) in places.iter().enumerate() {
                let is_label = |&label: &usize| {
                    of_orbit.iter().all(|it| it.colours[label] == it.arrangement(state)[at])
                };
                let label = (0..places.len()).find(is_label).unwrap_or(at);
                arrangement[usize::from(place)] = self.solved[usize::from(places[label])];
            }
        }
        arrangement
    }
}
