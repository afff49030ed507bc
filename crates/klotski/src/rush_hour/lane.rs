//! A lane is a row or a column with its cars. Cars do not leave their lane and do not pass each
//! other, so the cars of a lane are a list of lengths, and there are at most six placements of
//! them.

/// A bit beside a set of placements: a car can move left or up.
pub(super) const CAN_MOVE_UP: u8 = 0x80;
/// A bit beside a set of placements: a car can move right or down.
pub(super) const CAN_MOVE_DOWN: u8 = 0x40;
/// The other bits.
pub(super) const ANY_PLACEMENT: u8 = !(CAN_MOVE_UP | CAN_MOVE_DOWN);

/// The lengths of cars.
const LENGTHS: [u8; 2] = [2, 3];

/// The length of a table of placements. A lane of at most six cells has at most six placements; an
/// index of three bits is always within the table.
pub(super) const PLACEMENTS: usize = 8;

/// The placements of some cars in a lane.
pub(super) struct Lane {
    /// The lengths of the cars, in order.
    pub(super) lengths: Vec<u8>,
    /// The placements, in ascending order of [`Placement::cells`]. So a car that moves left or up
    /// gives a smaller index.
    pub(super) placements: Vec<Placement>,
    /// For each car: the lane without it.
    pub(super) reductions: Vec<Reduction>,
}

/// Where the cars of a lane are.
pub(super) struct Placement {
    /// The first cell of each car.
    pub(super) firsts: Vec<u8>,
    /// The set of the cells of all cars.
    pub(super) cells: u8,
    /// The moves of one car by any distance.
    pub(super) slides: Vec<Slide>,
}

/// A move of one car in its lane.
#[derive(Clone, Copy)]
pub(super) struct Slide {
    /// The index of the placement after the move.
    pub(super) to: u8,
    /// The set of the cells that the car enters.
    pub(super) swept: u8,
}

/// A lane without one of its cars.
pub(super) struct Reduction {
    /// The index of the lane.
    pub(super) lane: usize,
    /// For each placement, the index of the placement without the car.
    pub(super) placements: Vec<u8>,
}

/// All lanes of a number of cells with at least one blank, by the number of cars.
pub(super) fn lanes(cells: usize) -> Vec<Lane> {
    let mut all = vec![Vec::new()];
    let mut at = 0;
    while at < all.len() {
        for length in LENGTHS {
            let longer: Vec<u8> = all[at].iter().copied().chain([length]).collect();
            if longer.iter().map(|&length| usize::from(length)).sum::<usize>() < cells {
                all.push(longer);
            }
        }
        at += 1;
    }
    let mut lanes: Vec<Lane> = all.into_iter().map(|lengths| Lane::new(lengths, cells)).collect();
    for index in 0..lanes.len() {
        lanes[index].reductions = reductions(&lanes, index);
    }
    lanes
}

fn reductions(lanes: &[Lane], index: usize) -> Vec<Reduction> {
    fn without<T: Copy>(items: &[T], removed: usize) -> Vec<T> {
        let kept = items.iter().enumerate().filter(|(item, _)| *item != removed);
        kept.map(|(_, item)| *item).collect()
    }
    let Lane { lengths, placements, .. } = &lanes[index];
    let reduction = |car| {
        let lane = lanes.iter().position(|lane| lane.lengths == without(lengths, car))?;
        let placement = |placement: &Placement| {
            let firsts = without(&placement.firsts, car);
            let reduced = lanes[lane].placements.iter().position(|other| other.firsts == firsts);
            reduced.map(|reduced| reduced as u8)
        };
        let placements = placements.iter().map(placement).collect::<Option<_>>()?;
        Some(Reduction { lane, placements })
    };
    // Every lane without one of its cars is among the lanes.
    (0..lengths.len()).filter_map(reduction).collect()
}

impl Lane {
    fn new(lengths: Vec<u8>, cells: usize) -> Self {
        let mut placements = Vec::new();
        place(&lengths, cells as u8, &mut Vec::new(), &mut placements);
        placements.sort_by_key(|firsts: &Vec<u8>| covered(firsts, &lengths));
        let slides_from = |from: &Vec<u8>| {
            let slide = |(to, firsts): (usize, &Vec<u8>)| {
                let swept = slide(from, firsts, &lengths)?;
                Some(Slide { to: to as u8, swept })
            };
            placements.iter().enumerate().filter_map(slide).collect()
        };
        let placements = placements.iter().map(|firsts| Placement {
            firsts: firsts.clone(),
            cells: covered(firsts, &lengths),
            slides: slides_from(firsts),
        });
        let placements = placements.collect();
        Self { lengths, placements, reductions: Vec::new() }
    }
}

/// Adds all placements that begin with the cars at `firsts`.
fn place(lengths: &[u8], cells: u8, firsts: &mut Vec<u8>, all: &mut Vec<Vec<u8>>) {
    let Some(&length) = lengths.get(firsts.len()) else {
        all.push(firsts.clone());
        return;
    };
    let after = firsts.last().map_or(0, |first| first + lengths[firsts.len() - 1]);
    for first in after..(cells + 1).saturating_sub(length) {
        firsts.push(first);
        place(lengths, cells, firsts, all);
        firsts.pop();
    }
}

/// The cells of a car.
fn car(first: u8, length: u8) -> u8 {
    ((1 << length) - 1) << first
}

/// The cells of the cars of a placement.
fn covered(firsts: &[u8], lengths: &[u8]) -> u8 {
    firsts.iter().zip(lengths).fold(0, |cells, (&first, &length)| cells | car(first, length))
}

/// The cells that a car enters if one placement results from another by moving only this car.
fn slide(from: &[u8], to: &[u8], lengths: &[u8]) -> Option<u8> {
    let mut moved = (0..lengths.len()).filter(|&car| from[car] != to[car]);
    let (car_index, None) = (moved.next()?, moved.next()) else { return None };
    let (from, to, length) = (from[car_index], to[car_index], lengths[car_index]);
    Some(car(from.min(to), from.abs_diff(to) + length) & !car(from, length))
}

/// The placements of a lane that do not use some cells, which cars of the other direction cover.
#[derive(Clone, Copy, Default)]
pub(super) struct Fitting {
    /// The number of placements that fit.
    pub(super) count: u8,
    /// The placements that fit, in ascending order.
    pub(super) placements: [u8; PLACEMENTS],
    /// For each placement that fits, its index in `placements`.
    pub(super) ranks: [u8; PLACEMENTS],
    /// For each placement that fits, the set of the placements after one slide, with
    /// [`CAN_MOVE_UP`] and [`CAN_MOVE_DOWN`].
    pub(super) slides: [u8; PLACEMENTS],
    /// For each placement that fits, the number of the set of placements that its cars can reach
    /// without other cars.
    pub(super) classes: [u8; PLACEMENTS],
    /// The number of classes.
    pub(super) class_count: u8,
}

impl Fitting {
    /// The placements of a lane that use none of some cells.
    pub(super) fn new(lane: &Lane, blocked: u8) -> Self {
        let mut fitting = Self::default();
        for (index, placement) in lane.placements.iter().enumerate() {
            if placement.cells & blocked != 0 {
                continue;
            }
            let rank = fitting.count;
            fitting.placements[usize::from(rank)] = index as u8;
            fitting.ranks[index] = rank;
            let slides = placement.slides.iter().filter(|slide| slide.swept & blocked == 0);
            let reachable = slides.fold(0, |set, slide| set | 1 << slide.to);
            let (up, down) = (reachable & ((1 << index) - 1), reachable >> index >> 1);
            let up = if up > 0 { CAN_MOVE_UP } else { 0 };
            let down = if down > 0 { CAN_MOVE_DOWN } else { 0 };
            fitting.slides[index] = reachable | up | down;
            fitting.count += 1;
        }
        let mut unseen = fitting.fitting().iter().fold(0u8, |set, &placement| set | 1 << placement);
        while unseen != 0 {
            let mut class = unseen & unseen.wrapping_neg();
            loop {
                let grown = bits(class)
                    .fold(class, |set, placement| set | fitting.slides[placement] & ANY_PLACEMENT);
                if grown == class {
                    break;
                }
                class = grown;
            }
            bits(class).for_each(|placement| fitting.classes[placement] = fitting.class_count);
            fitting.class_count += 1;
            unseen &= !class;
        }
        fitting
    }

    /// The placements that fit.
    pub(super) fn fitting(&self) -> &[u8] {
        &self.placements[..usize::from(self.count)]
    }
}

/// The numbers of the bits that are set.
pub(super) fn bits(set: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut set = set.into();
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}
