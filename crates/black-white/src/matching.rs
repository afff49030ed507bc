//! The cheapest matching of a few pieces to a few places, where no wall is in the way: the
//! distances are known then, and a flow over all cells would take longer to set up than this to
//! end.
//!
//! Shortest augmenting paths with potentials, a piece at a time (the Hungarian method as Jonker and
//! Volgenant 1987 have it): cubic in the pieces, a quarter of a microsecond for four. Libraries
//! that solve the same took four times as long.

use fewest_core::grid::Place;

use crate::instance::Instance;

/// The most pieces; from about so many on, a flow is as fast.
const MOST: usize = 8;

/// Pieces too many and places where one is missing, in pairs that take the fewest steps together.
pub(crate) struct Matching {
    pairs: [[Place; 2]; MOST],
    count: usize,
}

impl Matching {
    /// From the start of an instance to its target; `None` if there are too many pieces, or not as
    /// many places, or a wall somewhere.
    pub(crate) fn cheapest(boards: &Instance) -> Option<Self> {
        let mut pairs = [[Place { row: 0, column: 0 }; 2]; MOST];
        let mut counts = [0; 2];
        for (cell, (&here, &wanted)) in boards.start().iter().zip(boards.target()).enumerate() {
            if here != wanted {
                let side = usize::from(wanted);
                pairs.get_mut(counts[side])?[side] = boards.size().place(cell);
                counts[side] += 1;
            }
        }
        if counts[0] != counts[1] || boards.walls().contains(&true) {
            return None;
        }
        let count = counts[0];
        let pieces = assign(&pairs[..count]);
        let from = pairs.map(|[piece, _]| piece);
        pairs.iter_mut().zip(pieces).for_each(|(pair, piece)| pair[0] = from[usize::from(piece)]);
        Some(Self { pairs, count })
    }

    /// From where to where a piece goes.
    pub(crate) fn pairs(&self) -> &[[Place; 2]] {
        &self.pairs[..self.count]
    }

    /// The steps of all.
    pub(crate) fn cost(&self) -> u32 {
        self.pairs().iter().map(|&[from, to]| apart(from, to)).sum()
    }
}

fn apart(one: Place, other: Place) -> u32 {
    (one.row.abs_diff(other.row) + one.column.abs_diff(other.column)) as u32
}

/// For each place, the second of a pair, the number of the piece that goes there, the first of some
/// pair.
fn assign(pairs: &[[Place; 2]]) -> [u8; MOST] {
    let count = pairs.len();
    let mut costs = [[0; MOST]; MOST];
    for (costs, &[piece, _]) in costs.iter_mut().zip(pairs) {
        for (cost, &[_, place]) in costs.iter_mut().zip(pairs) {
            *cost = apart(piece, place) as i32;
        }
    }
    // What a piece pays, and what a place adds to that: never more than the cost of any pair.
    let (mut pays, mut adds) = ([0; MOST], [0; MOST]);
    let mut matched = [None::<u8>; MOST];
    for first in 0..count {
        // The least that a path from the piece to each place costs beyond what is paid, and the
        // place before it on that path.
        let (mut least, mut before) = ([i32::MAX; MOST], [None::<u8>; MOST]);
        let mut settled = [false; MOST];
        let (mut piece, mut last, mut length) = (first, None::<u8>, 0);
        let end = loop {
            let paid = length - pays[piece];
            let (mut next, mut nearest) = (0, i32::MAX);
            for place in (0..count).filter(|&place| !settled[place]) {
                let cost = paid + costs[piece][place] - adds[place];
                if cost < least[place] {
                    (least[place], before[place]) = (cost, last);
                }
                if least[place] < nearest {
                    (next, nearest) = (place, least[place]);
                }
            }
            // As long as the piece is matched to none, some place is not settled.
            length = nearest;
            match matched[next] {
                None => break next,
                Some(other) => piece = other.into(),
            }
            settled[next] = true;
            last = Some(next as u8);
        };
        pays[first] += length;
        for place in (0..count).filter(|&place| settled[place]) {
            adds[place] -= length - least[place];
            if let Some(piece) = matched[place] {
                pays[usize::from(piece)] += length - least[place];
            }
        }
        let mut place = end;
        while let Some(previous) = before[place] {
            matched[place] = matched[usize::from(previous)];
            place = previous.into();
        }
        matched[place] = Some(first as u8);
    }
    matched.map(|piece| piece.unwrap_or(0))
}
