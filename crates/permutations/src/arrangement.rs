//! Arrangements of labels as states: a field of bits for each place. A move shifts all fields that
//! it moves by the same distance at once.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use fewest_core::encoding::PermutationRanks;
use fewest_core::{Goals, Predecessors, Ranked, StateSpace, Symmetric, Word};

use crate::moves::{Images, MAX_PLACES, Moves};
use crate::space::{Space, keeps_labels};
use crate::symmetries::Symmetry;

/// The width of a field that has a label of 16, which [`PermutationRanks`] requires.
const RANKED_WIDTH: u32 = 4;

/// The bits of a limb that move together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift<L> {
    from_limb: u8,
    to_limb: u8,
    mask: L,
    /// One of the two is 0.
    left: u8,
    right: u8,
}

/// A word of which the bits are permuted.
pub(crate) trait Masks: Word {
    /// A part of the word that is shifted as a whole.
    type Limb: Copy + std::fmt::Debug + Send + Sync;

    /// A limb with these bits set.
    fn limb(bits: &[u32]) -> Self::Limb;

    /// The word with its bits permuted.
    #[must_use]
    fn shifted(self, shifts: &[Shift<Self::Limb>]) -> Self;
}

macro_rules! integer_masks {
    ($($int:ty),*) => {$(
        impl Masks for $int {
            type Limb = Self;

            fn limb(bits: &[u32]) -> Self {
                bits.iter().fold(0, |limb, bit| limb | 1 << bit)
            }

            #[inline]
            fn shifted(self, shifts: &[Shift<Self>]) -> Self {
                shifts.iter().fold(0, |word, shift| {
                    word | (self & shift.mask) << shift.left >> shift.right
                })
            }
        }
    )*};
}

integer_masks!(u64, u128);

impl<const N: usize> Masks for [u64; N]
where
    Self: Word,
{
    type Limb = u64;

    fn limb(bits: &[u32]) -> u64 {
        <u64 as Masks>::limb(bits)
    }

    #[inline]
    fn shifted(self, shifts: &[Shift<u64>]) -> Self {
        let mut word = [0; N];
        for shift in shifts {
            let moved = self[usize::from(shift.from_limb)] & shift.mask;
            word[usize::from(shift.to_limb)] |= moved << shift.left >> shift.right;
        }
        word
    }
}

/// The shifts of a move of bits, given as pairs of a bit and the one to which it goes.
fn shifts<W: Masks>(bits: impl Iterator<Item = (u32, u32)>) -> Vec<Shift<W::Limb>> {
    let limb_and_bit = |bit: u32| ((bit / W::LIMB_BITS) as u8, bit % W::LIMB_BITS);
    let mut together = BTreeMap::<_, Vec<u32>>::new();
    for (from, to) in bits {
        let ((from_limb, from), (to_limb, to)) = (limb_and_bit(from), limb_and_bit(to));
        let by = (from_limb, to_limb, to.saturating_sub(from), from.saturating_sub(to));
        together.entry(by).or_default().push(from);
    }
    let shift = |((from_limb, to_limb, left, right), bits): (_, Vec<u32>)| Shift {
        from_limb,
        to_limb,
        mask: W::limb(&bits),
        left: left as u8,
        right: right as u8,
    };
    together.into_iter().map(shift).collect()
}

/// Where labels are in a word.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Places that exchange labels, of at least two kinds, and these labels in the order of the
    /// places at which they are first in the solved arrangement.
    orbits: Vec<(Vec<u8>, Vec<u8>)>,
    /// The number of bits of a field.
    width: u32,
    is_ranked: bool,
    /// The label of each place in the solved arrangement.
    solved: Vec<u8>,
}

impl Layout {
    /// `is_ranked` if the labels of one orbit are a permutation that has a rank.
    pub(crate) fn new(orbits: &[Vec<u8>], solved: &[u8], is_ranked: bool) -> Self {
        let labels = |orbit: &Vec<u8>| {
            let mut labels = Vec::new();
            for &place in orbit {
                let label = solved[usize::from(place)];
                if !labels.contains(&label) {
                    labels.push(label);
                }
            }
            (orbit.clone(), labels)
        };
        let orbits: Vec<_> =
            orbits.iter().map(labels).filter(|(_, labels)| labels.len() > 1).collect();
        let most = orbits.iter().map(|(_, labels)| labels.len()).max().unwrap_or(2);
        let width = if is_ranked { RANKED_WIDTH } else { (most - 1).ilog2() + 1 };
        Self { orbits, width, is_ranked, solved: solved.to_vec() }
    }

    /// The same with 8 bits for each field, so that no field lies in two limbs; unchanged if there are
    /// more than `most` fields.
    pub(crate) fn in_bytes(self, most: usize) -> Self {
        if self.fields().count() > most { self } else { Self { width: u8::BITS, ..self } }
    }

    /// The number of bits of a state.
    pub(crate) fn bits(&self) -> u32 {
        self.fields().count() as u32 * self.width
    }

    /// The place of each field, and the labels that it can have.
    fn fields(&self) -> impl Iterator<Item = (u8, &[u8])> {
        self.orbits
            .iter()
            .flat_map(|(places, labels)| places.iter().map(|&place| (place, labels.as_slice())))
    }
}

impl Layout {
    /// A symmetry of labels that are all different.
    fn symmetry(&self, symmetry: &Symmetry) -> FieldSymmetry {
        let image = |place: u8| symmetry.places[usize::from(place)];
        let places: Vec<u8> = self.fields().map(|(place, _)| place).collect();
        let field_of = |place| places.iter().position(|&other| other == place).unwrap_or_default();
        let mut from = vec![0; places.len()];
        for (field, &place) in (0..).zip(&places) {
            from[field_of(image(place))] = field;
        }
        let number = |label| {
            let number = |(_, labels): &(_, Vec<u8>)| labels.iter().position(|&it| it == label);
            self.orbits.iter().find_map(number).unwrap_or_default() as u8
        };
        let labels = self.orbits.iter().flat_map(|(_, labels)| labels);
        let of_fields = self.orbits.iter().scan(0, |first, (places, labels)| {
            let of_orbit = std::iter::repeat_n(*first, places.len());
            *first += labels.len() as u16;
            Some(of_orbit)
        });
        FieldSymmetry {
            from,
            first: of_fields.flatten().collect(),
            labels: labels.map(|&label| number(image(label))).collect(),
            moves: symmetry.moves.clone(),
        }
    }

    /// The fields in the order in which words are compared, unless one is in two limbs.
    fn by_significance(&self, limb_bits: u32) -> Option<Vec<u8>> {
        let mut fields: Vec<u8> = (0..self.fields().count() as u8).collect();
        let first = |field: u8| u32::from(field) * self.width;
        let limb = |bit: u32| bit / limb_bits;
        let is_whole = |&field: &u8| limb(first(field)) == limb(first(field) + self.width - 1);
        fields.sort_by_key(|&field| (limb(first(field)), std::cmp::Reverse(field)));
        fields.iter().all(is_whole).then_some(fields)
    }
}

/// The space of the arrangements of labels or colours, packed into words.
#[derive(Clone, Debug)]
pub(crate) struct Arrangements<W: Masks> {
    layout: Layout,
    /// How many of the moves a search makes; the others are the inverses, unless those are moves.
    moves: usize,
    is_undirected: bool,
    shifts: Vec<Vec<Shift<W::Limb>>>,
    solved: W,
    ranks: Option<PermutationRanks>,
    /// Whether all moves are even, so that one parity is never reached.
    is_even: bool,
    /// After the identity; none if they are not used.
    symmetries: Vec<FieldSymmetry>,
    /// The fields, the most significant one first, if none of them is in two limbs.
    by_significance: Option<Vec<u8>>,
}

/// What a symmetry does to the fields.
#[derive(Clone, Debug)]
struct FieldSymmetry {
    /// The field that comes to each field.
    from: Vec<u8>,
    /// Where the labels of each field begin in `labels`.
    first: Vec<u16>,
    /// The image of each label of each orbit.
    labels: Vec<u8>,
    moves: Vec<u16>,
}

impl FieldSymmetry {
    /// The number that comes to a field.
    #[inline]
    fn number(&self, numbers: &[u8; MAX_PLACES], field: usize) -> u8 {
        let from = usize::from(self.from[field]);
        self.labels[usize::from(self.first[from]) + usize::from(numbers[from])]
    }
}

impl<W: Masks> Arrangements<W> {
    /// The layout must fit the word.
    pub(crate) fn new(moves: &Moves, layout: Layout, symmetries: &[Symmetry]) -> Self {
        let places: Vec<_> = layout.fields().map(|(place, _)| place).collect();
        let width = layout.width;
        let field_of = |place| places.iter().position(|&other| other == place);
        let bits_of = |images: &Images| {
            let to = |&place: &u8| field_of(images[usize::from(place)]);
            let fields: Vec<_> = (0..).zip(places.iter().filter_map(to)).collect();
            shifts::<W>(fields.into_iter().flat_map(|(from, to)| {
                (0..width).map(move |bit| (from * width + bit, to as u32 * width + bit))
            }))
        };
        let ranks = PermutationRanks::new(places.len() as u32).ok().filter(|_| layout.is_ranked);
        let mut space = Self {
            moves: moves.count,
            is_undirected: moves.is_undirected(),
            shifts: moves.images.iter().map(bits_of).collect(),
            solved: W::ZERO,
            is_even: moves.images.iter().all(|images| !is_odd(images)),
            ranks,
            symmetries: symmetries.iter().skip(1).map(|it| layout.symmetry(it)).collect(),
            by_significance: layout.by_significance(W::LIMB_BITS),
            layout,
        };
        space.solved = space.state(&space.layout.solved).unwrap_or(W::ZERO);
        space
    }

    fn from_low_bits(bits: u64) -> W {
        W::ZERO.with_bits(0, 32, bits as u32).with_bits(32, 32, (bits >> 32) as u32)
    }
}

/// Whether a permutation has an odd number of inversions.
fn is_odd(images: &[u8]) -> bool {
    let smaller = |at| images[at + 1..].iter().filter(move |&&later| later < images[at]).count();
    (0..images.len()).map(smaller).sum::<usize>() % 2 == 1
}

impl<W: Masks> StateSpace for Arrangements<W> {
    type State = W;
    type Move = u16;

    fn state_bits(&self) -> u32 {
        self.layout.bits()
    }

    fn initial(&self, mut emit: impl FnMut(W)) {
        emit(self.solved);
    }

    fn is_goal(&self, state: W) -> bool {
        state == self.solved
    }

    #[inline]
    fn successors<B>(
        &self,
        state: W,
        _last: Option<u16>,
        mut emit: impl FnMut(u16, W) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for (by, shifts) in (0..).zip(&self.shifts[..self.moves]) {
            emit(by, state.shifted(shifts))?;
        }
        ControlFlow::Continue(())
    }
}

impl<W: Masks> Predecessors for Arrangements<W> {
    fn is_undirected(&self) -> bool {
        self.is_undirected
    }

    #[inline]
    fn predecessors<B>(
        &self,
        state: W,
        mut emit: impl FnMut(W) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        // The inverses are the last ones, or all if each is a move.
        let inverses = &self.shifts[self.shifts.len() - self.moves..];
        inverses.iter().try_for_each(|shifts| emit(state.shifted(shifts)))
    }
}

impl<W: Masks> Goals for Arrangements<W> {
    fn goals(&self, mut emit: impl FnMut(W)) {
        emit(self.solved);
    }
}

/// The rank of a permutation among those of its parity; times two and plus its parity, if both
/// occur.
impl<W: Masks> Ranked for Arrangements<W> {
    fn ranks(&self) -> Option<u64> {
        let ranks = self.ranks.as_ref()?.count();
        Some(if self.is_even { ranks } else { 2 * ranks })
    }

    #[inline]
    fn rank(&self, state: W) -> u64 {
        let Some(ranks) = &self.ranks else { return 0 };
        if self.is_even {
            return ranks.rank(state.low_bits());
        }
        let (rank, is_odd) = ranks.rank_and_parity(state.low_bits());
        2 * rank + u64::from(is_odd)
    }

    #[inline]
    fn unrank(&self, rank: u64) -> W {
        let Some(ranks) = &self.ranks else { return W::ZERO };
        Self::from_low_bits(if self.is_even {
            ranks.unrank(rank, false)
        } else {
            ranks.unrank(rank / 2, rank % 2 == 1)
        })
    }
}

impl<W: Masks> Arrangements<W> {
    /// The number of the label in each field.
    #[inline]
    fn numbers(&self, state: W) -> [u8; MAX_PLACES] {
        let (mut numbers, width) = ([0; MAX_PLACES], self.layout.width);
        for (field, number) in (0..self.layout.bits() / width).zip(&mut numbers) {
            *number = match &self.by_significance {
                Some(_) => state.bits(field * width, width) as u8,
                None => (0..width).fold(0, |number, bit| {
                    number | (state.bits(field * width + bit, 1) as u8) << bit
                }),
            };
        }
        numbers
    }

    /// The state with these numbers.
    fn state_of(&self, numbers: impl Iterator<Item = u8>) -> W {
        let width = self.layout.width;
        (0..).zip(numbers).fold(W::ZERO, |state, (field, number)| match &self.by_significance {
            Some(_) => state.with_bits(field * width, width, number.into()),
            None => (0..width).fold(state, |state, bit| {
                state.with_bits(field * width + bit, 1, u32::from(number >> bit & 1))
            }),
        })
    }

    fn image_of(&self, numbers: &[u8; MAX_PLACES], symmetry: &FieldSymmetry) -> W {
        self.state_of((0..symmetry.from.len()).map(|field| symmetry.number(numbers, field)))
    }
}

/// An image has at the image of each place the image of its label.
impl<W: Masks> Symmetric for Arrangements<W> {
    fn order(&self) -> u32 {
        self.symmetries.len() as u32 + 1
    }

    fn image(&self, state: W, symmetry: u32) -> W {
        match self.symmetries.get((symmetry as usize).wrapping_sub(1)) {
            Some(symmetry) => self.image_of(&self.numbers(state), symmetry),
            None => state,
        }
    }

    fn image_of_move(&self, by: u16, symmetry: u32) -> u16 {
        let symmetry = self.symmetries.get((symmetry as usize).wrapping_sub(1));
        symmetry.map_or(by, |symmetry| symmetry.moves[usize::from(by)])
    }

    /// Most images are known to be greater after one or two fields.
    fn canonical(&self, state: W) -> (W, u32) {
        let numbers = self.numbers(state);
        let mut least = (state, 0);
        let Some(fields) = &self.by_significance else {
            for (number, symmetry) in (1..).zip(&self.symmetries) {
                least = least.min((self.image_of(&numbers, symmetry), number));
            }
            return least;
        };
        let mut best = numbers;
        for (number, symmetry) in (1..).zip(&self.symmetries) {
            let of = |field: usize| symmetry.number(&numbers, field);
            let mut differs =
                fields.iter().map(|&field| of(field.into()).cmp(&best[usize::from(field)]));
            if differs.find(|it| it.is_ne()) == Some(Ordering::Less) {
                for (field, best) in best[..symmetry.from.len()].iter_mut().enumerate() {
                    *best = of(field);
                }
                least.1 = number;
            }
        }
        if least.1 > 0 {
            least.0 = self.state_of(best[..fields.len()].iter().copied());
        }
        least
    }

    fn orbit_size(&self, state: W) -> u32 {
        let numbers = self.numbers(state);
        let is_fixed = |symmetry: &&FieldSymmetry| {
            (0..symmetry.from.len()).all(|field| symmetry.number(&numbers, field) == numbers[field])
        };
        self.order() / (self.symmetries.iter().filter(is_fixed).count() as u32 + 1)
    }
}

impl<W: Masks> Space for Arrangements<W> {
    fn state(&self, arrangement: &[u8]) -> Option<W> {
        let Layout { orbits, width, solved, .. } = &self.layout;
        let places: Vec<_> = orbits.iter().map(|(places, _)| places.as_slice()).collect();
        if !keeps_labels(&places, arrangement, solved) {
            return None;
        }
        let mut state = W::ZERO;
        for (field, (place, labels)) in (0..).zip(self.layout.fields()) {
            let label = arrangement[usize::from(place)];
            let number = labels.iter().position(|&other| other == label)?;
            // Bit by bit, since a field may be in two limbs.
            for bit in 0..*width {
                state = state.with_bits(field * width + bit, 1, number as u32 >> bit & 1);
            }
        }
        // Even moves reach one parity, and the ranks do not tell them apart.
        let is_odd = |ranks: &PermutationRanks| ranks.rank_and_parity(state.low_bits()).1;
        let is_reached = !self.is_even || !self.ranks.as_ref().is_some_and(is_odd);
        is_reached.then_some(state)
    }

    fn arrangement(&self, state: W) -> Vec<u8> {
        let (mut arrangement, width) = (self.layout.solved.clone(), self.layout.width);
        for (field, (place, labels)) in (0..).zip(self.layout.fields()) {
            let number = (0..width)
                .fold(0, |number, bit| number | state.bits(field * width + bit, 1) << bit);
            arrangement[usize::from(place)] = labels[number as usize];
        }
        arrangement
    }
}
