//! A minimum-cost matching of pieces to cells, for boards without walls on which few pieces are out
//! of place.
//!
//! Without walls the distances are Manhattan distances, and the matching takes less time than only
//! to set up a flow over all cells.
//!
//! This is the Hungarian method (Kuhn 1955) in the form of Jonker and Volgenant (1987): shortest
//! augmenting paths with potentials, one piece at a time. It takes time cubic in the number of
//! pieces, a quarter of a microsecond for four. Libraries for the same problem took four times as
//! long.

use fewest_geometry::Cell;

use crate::instance::Instance;

/// The greatest number of pieces. From about this number on, a flow is as fast.
const MAX_PIECES: usize = 8;

/// A matching of the surplus cells, which are black on the start only, to the deficit cells, which
/// are black on the target only.
pub(crate) struct Matching {
    /// A surplus cell and its deficit cell in each pair.
    pairs: [[Cell; 2]; MAX_PIECES],
    count: usize,
}

impl Matching {
    /// Computes a minimum-cost matching; `None` if there are more than [`MAX_PIECES`] surplus
    /// cells, another number of deficit cells, or a wall.
    pub(crate) fn of_min_cost(instance: &Instance) -> Option<Self> {
        let mut pairs = [[Cell::ORIGIN; 2]; MAX_PIECES];
        let mut counts = [0; 2];
        for (cell, (&start, &target)) in instance.start().iter().zip(instance.target()).enumerate()
        {
            if start != target {
                let side = usize::from(target);
                pairs.get_mut(counts[side])?[side] = instance.size().cell(cell);
                counts[side] += 1;
            }
        }
        if counts[0] != counts[1] || instance.walls().contains(&true) {
            return None;
        }
        let count = counts[0];
        let matched = assign(&pairs[..count]);
        let surplus = pairs.map(|[surplus, _]| surplus);
        pairs
            .iter_mut()
            .zip(matched)
            .for_each(|(pair, piece)| pair[0] = surplus[usize::from(piece)]);
        Some(Self { pairs, count })
    }

    /// The pairs: for each piece, the cell that it leaves and the cell that it moves to.
    pub(crate) fn pairs(&self) -> &[[Cell; 2]] {
        &self.pairs[..self.count]
    }

    /// The sum of the distances of all pairs.
    pub(crate) fn cost(&self) -> u32 {
        self.pairs().iter().map(|&[from, to]| manhattan_distance(from, to)).sum()
    }
}

fn manhattan_distance(from: Cell, to: Cell) -> u32 {
    from.row.abs_diff(to.row) + from.column.abs_diff(to.column)
}

/// The Hungarian method. `pairs` has the surplus cell of each piece and, in any order, the deficit
/// cells. Returns for each deficit cell the number of its piece.
fn assign(pairs: &[[Cell; 2]]) -> [u8; MAX_PIECES] {
    let count = pairs.len();
    let mut costs = [[0; MAX_PIECES]; MAX_PIECES];
    for (costs, &[surplus, _]) in costs.iter_mut().zip(pairs) {
        for (cost, &[_, deficit]) in costs.iter_mut().zip(pairs) {
            *cost = manhattan_distance(surplus, deficit) as i32;
        }
    }
    // Invariant: piece_potentials[p] + cell_potentials[c] <= costs[p][c] for all pieces and cells,
    // with equality for matched pairs.
    let (mut piece_potentials, mut cell_potentials) = ([0; MAX_PIECES], [0; MAX_PIECES]);
    let mut matched = [None::<u8>; MAX_PIECES];
    for first in 0..count {
        // Dijkstra's algorithm from the piece `first`: for each cell the reduced length of the
        // shortest alternating path to it, and the cell before it on that path.
        let (mut distances, mut predecessors) = ([i32::MAX; MAX_PIECES], [None::<u8>; MAX_PIECES]);
        let mut settled = [false; MAX_PIECES];
        let (mut piece, mut last, mut length) = (first, None::<u8>, 0);
        let end = loop {
            let base = length - piece_potentials[piece];
            let (mut next, mut nearest) = (0, i32::MAX);
            for cell in (0..count).filter(|&cell| !settled[cell]) {
                let distance = base + costs[piece][cell] - cell_potentials[cell];
                if distance < distances[cell] {
                    (distances[cell], predecessors[cell]) = (distance, last);
                }
                if distances[cell] < nearest {
                    (next, nearest) = (cell, distances[cell]);
                }
            }
            // Some cell is unmatched and therefore not settled, so `next` is a valid cell.
            length = nearest;
            match matched[next] {
                None => break next,
                Some(other) => piece = other.into(),
            }
            settled[next] = true;
            last = Some(next as u8);
        };
        piece_potentials[first] += length;
        for cell in (0..count).filter(|&cell| settled[cell]) {
            cell_potentials[cell] -= length - distances[cell];
            if let Some(piece) = matched[cell] {
                piece_potentials[usize::from(piece)] += length - distances[cell];
            }
        }
        let mut cell = end;
        while let Some(predecessor) = predecessors[cell] {
            matched[cell] = matched[usize::from(predecessor)];
            cell = predecessor.into();
        }
        matched[cell] = Some(first as u8);
    }
    matched.map(|piece| piece.unwrap_or(0))
}
