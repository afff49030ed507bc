//! The whole classic universe: how all layouts of a 2x2, dominoes, singles and two blanks or more
//! hang together, without visiting them one by one.
//!
//! Take the singles off a layout: what is left is its *skeleton*, the 2x2 and the dominoes. The
//! cells that they leave free fall into regions, and within a region singles and blanks come into
//! any order, if it has a blank at all. So all layouts of a skeleton with the same number of blanks
//! in each region hang together: they are one *node*. A region of `n` cells and `k` blanks stands
//! for `n` over `k` layouts, and 29,334,498 layouts are but 1,446,166 nodes. A piece of the
//! skeleton moves by a cell where the cells ahead of it are blank; the nodes before and after are
//! joined, for all ways to spread the other blanks over the regions that are left when the piece
//! has taken both its old and its new place. What is joined in the end is a component, in each
//! metric.
//!
//! ```
//! use fewest_klotski::census::components;
//!
//! // Four dominoes that stand and one that lies: the pieces of 横刀立马 are those with four singles.
//! let of_four: Vec<_> = components(4, 1).into_iter().filter(|component| component.pieces.singles == 4).collect();
//! assert_eq!(of_four.iter().map(|component| component.layouts).sum::<u64>(), 65_880);
//! assert!(of_four.iter().any(|component| (component.layouts, component.solvable) == (25_955, true)));
//! ```

use crate::board::{BLANK, Board};
use crate::code;
use crate::instance::{CELLS, COLUMNS, EXIT, footprint};

/// How many there are of each kind beside the 2x2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pieces {
    /// Dominoes that stand.
    pub standing: usize,
    /// Dominoes that lie.
    pub lying: usize,
    /// Single cells.
    pub singles: usize,
}

impl Pieces {
    /// The cells that are left; `None` if the pieces have more than there are.
    pub fn blanks(self) -> Option<usize> {
        (CELLS - 4).checked_sub(2 * (self.standing + self.lying) + self.singles)
    }
}

/// Layouts that moves lead to from each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// Their pieces.
    pub pieces: Pieces,
    /// How many they are.
    pub layouts: u64,
    /// Whether the 2x2 is at the exit in some of them, and so can get there from all.
    pub solvable: bool,
    /// One of them, always the same.
    pub layout: Board,
}

/// The most dominoes beside the 2x2 and two blanks.
pub const MOST_DOMINOES: usize = 7;

/// The numbers of dominoes that [`components`] takes: how many stand and how many lie, from none to
/// [`MOST_DOMINOES`] in all.
pub fn all_dominoes() -> impl Iterator<Item = (usize, usize)> + Clone {
    (0..=MOST_DOMINOES)
        .flat_map(|dominoes| (0..=dominoes).map(move |standing| (standing, dominoes - standing)))
}

/// The components of all layouts with so many dominoes, any singles and at least two blanks: by the
/// number of singles, then by the first skeleton in which they occur.
///
/// Takes some milliseconds, and a few hundred bytes for each of the
/// [skeletons](crate::space::classic::SKELETONS).
pub fn components(standing: usize, lying: usize) -> Vec<Component> {
    let skeletons = skeletons(standing, lying);
    let mut nodes = Vec::with_capacity(skeletons.len());
    let mut count = 0;
    for skeleton in &skeletons {
        let regions = Regions::of(skeleton.free(), count);
        count = regions.end;
        nodes.push(regions);
    }
    let mut joined = Joined::apart(count);
    for (skeleton, regions) in skeletons.iter().zip(&nodes) {
        skeleton.moves(|moved| {
            if let Ok(other) = skeletons.binary_search(&moved.skeleton) {
                join_ends(moved, regions, &nodes[other], &mut joined);
            }
        });
    }
    let mut found: Vec<Component> = Vec::new();
    // Of each root, the number of its component.
    let mut number = vec![usize::MAX; count];
    for (skeleton, regions) in skeletons.iter().zip(&nodes) {
        regions.each(|node, blanks| {
            let all: u32 = blanks.iter().sum();
            if all < 2 {
                return;
            }
            let root = joined.root(node);
            if number[root] == usize::MAX {
                number[root] = found.len();
                let singles = skeleton.free().count_ones() - all;
                let pieces = Pieces { standing, lying, singles: singles as usize };
                let layout = skeleton.board(regions, blanks);
                found.push(Component { pieces, layouts: 0, solvable: false, layout });
            }
            let component = &mut found[number[root]];
            component.layouts += regions.layouts(blanks);
            component.solvable |= skeleton.large == EXIT;
        });
    }
    found.sort_by_key(|component| component.pieces);
    found
}

/// A layout without its singles; the dominoes by the cells that they begin on, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Skeleton {
    /// The number of the 2x2's first cell.
    large: usize,
    standing: u32,
    lying: u32,
}

/// All of them, in order.
fn skeletons(standing: usize, lying: usize) -> Vec<Skeleton> {
    fn place(
        cell: usize,
        taken: u32,
        left: (usize, usize),
        made: Skeleton,
        all: &mut Vec<Skeleton>,
    ) {
        if left == (0, 0) {
            all.push(made);
            return;
        }
        if cell == CELLS {
            return;
        }
        let mut put = |shape, left, made| {
            if let Some(covered) = cells(cell, shape).filter(|covered| taken & covered == 0) {
                place(cell + 1, taken | covered, left, made, all);
            }
        };
        let here = 1 << cell;
        if left.0 > 0 {
            put((2, 1), (left.0 - 1, left.1), Skeleton { standing: made.standing | here, ..made });
        }
        if left.1 > 0 {
            put((1, 2), (left.0, left.1 - 1), Skeleton { lying: made.lying | here, ..made });
        }
        place(cell + 1, taken, left, made, all);
    }
    let mut all = Vec::new();
    for large in 0..CELLS {
        if let Some(covered) = cells(large, (2, 2)) {
            place(
                0,
                covered,
                (standing, lying),
                Skeleton { large, standing: 0, lying: 0 },
                &mut all,
            );
        }
    }
    all.sort_unstable();
    all
}

/// The cells of a piece of so many rows and columns, a bit each; `None` if it hangs over the edge.
fn cells(first: usize, shape: (usize, usize)) -> Option<u32> {
    Some(footprint(first, shape)?.into_iter().fold(0, |cells, cell| cells | 1 << cell))
}

/// The numbers of the bits that are set.
fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < CELLS).then_some(bit)
    })
}

/// A move of a piece of a skeleton by a cell.
struct Moved {
    /// The skeleton after it.
    skeleton: Skeleton,
    /// The cells that were free before and are not after.
    taken: u32,
    /// The cells that are free after and were not before.
    left: u32,
    /// The cells that are free before and after.
    free: u32,
}

impl Skeleton {
    /// The cells that no piece covers.
    fn free(&self) -> u32 {
        let standing = self.standing | self.standing << COLUMNS;
        let lying = self.lying | self.lying << 1;
        let large = 1 << self.large | 1 << (self.large + 1);
        !(standing | lying | large | large << COLUMNS) & ((1 << CELLS) - 1)
    }

    /// Shows all moves by a cell to the east and south, if the cells ahead are free: each move or
    /// its reverse is among them.
    fn moves(&self, mut show: impl FnMut(&Moved)) {
        let free = self.free();
        let mut step = |from: usize, shape, put: &dyn Fn(usize) -> Skeleton| {
            for to in [(from % COLUMNS + 1 < COLUMNS).then_some(from + 1), Some(from + COLUMNS)]
                .into_iter()
                .flatten()
            {
                let (Some(before), Some(after)) = (cells(from, shape), cells(to, shape)) else {
                    continue;
                };
                if after & !(free | before) == 0 {
                    let (taken, left) = (after & !before, before & !after);
                    show(&Moved { skeleton: put(to), taken, left, free: free & !taken });
                }
            }
        };
        step(self.large, (2, 2), &|large| Self { large, ..*self });
        for from in bits(self.standing) {
            step(from, (2, 1), &|to| Self {
                standing: self.standing ^ 1 << from ^ 1 << to,
                ..*self
            });
        }
        for from in bits(self.lying) {
            step(from, (1, 2), &|to| Self { lying: self.lying ^ 1 << from ^ 1 << to, ..*self });
        }
    }

    /// A layout of a node: in each region the blanks are the last cells.
    fn board(&self, regions: &Regions, blanks: &[u32]) -> Board {
        let mut free = 0;
        for (region, &blanks) in regions.regions.iter().zip(blanks) {
            let cells: Vec<usize> = bits(region.cells).collect();
            cells[cells.len() - blanks as usize..].iter().for_each(|cell| free |= 1 << cell);
        }
        let mut board = vec![BLANK; CELLS];
        let mut letters = 'a'..='z';
        for cell in 0..CELLS {
            let shape = match cell {
                _ if cell == self.large => (2, 2),
                _ if self.standing >> cell & 1 == 1 => (2, 1),
                _ if self.lying >> cell & 1 == 1 => (1, 2),
                _ if self.free() & !free & 1 << cell != 0 => (1, 1),
                _ => continue,
            };
            let letter = if shape == (2, 2) { code::LARGE } else { letters.next().unwrap_or('?') };
            footprint(cell, shape)
                .into_iter()
                .flatten()
                .for_each(|covered| board[covered] = letter);
        }
        Board::of_cells(COLUMNS, board)
    }
}

/// The regions of the free cells of a skeleton, and the numbers of its nodes.
///
/// The number of a node is a number of mixed radix: the blanks in a region are a digit.
struct Regions {
    regions: Vec<Region>,
    /// The number of the first node, that without blanks.
    first: usize,
    /// Behind the number of the last.
    end: usize,
}

struct Region {
    cells: u32,
    /// What a blank more adds to the number of a node.
    weight: usize,
}

impl Region {
    fn size(&self) -> u32 {
        self.cells.count_ones()
    }
}

/// The connected parts of a set of cells.
fn connected(mut cells: u32) -> impl Iterator<Item = u32> {
    const FIRST_COLUMN: u32 = 0x1_1111;
    std::iter::from_fn(move || {
        let mut part = cells & cells.wrapping_neg();
        loop {
            let aside =
                (part & !(FIRST_COLUMN << (COLUMNS - 1))) << 1 | (part & !FIRST_COLUMN) >> 1;
            let more = (part | part << COLUMNS | part >> COLUMNS | aside) & cells;
            if more == part {
                break;
            }
            part = more;
        }
        cells &= !part;
        (part != 0).then_some(part)
    })
}

impl Regions {
    fn of(free: u32, first: usize) -> Self {
        let (mut regions, mut weight) = (Vec::new(), 1);
        for cells in connected(free) {
            let region = Region { cells, weight };
            weight *= region.size() as usize + 1;
            regions.push(region);
        }
        Self { regions, first, end: first + weight }
    }

    /// What a blank on a cell, or one more in the region of a set of cells, adds to the number of a
    /// node.
    fn weight(&self, cells: u32) -> usize {
        self.regions
            .iter()
            .find(|region| region.cells & cells != 0)
            .map_or(0, |region| region.weight)
    }

    /// Shows the number of each node, and the blanks of each region.
    fn each(&self, mut show: impl FnMut(usize, &[u32])) {
        let mut blanks = vec![0; self.regions.len()];
        for node in self.first..self.end {
            show(node, &blanks);
            for (blanks, region) in blanks.iter_mut().zip(&self.regions) {
                if *blanks < region.size() {
                    *blanks += 1;
                    break;
                }
                *blanks = 0;
            }
        }
    }

    /// How many layouts a node stands for.
    fn layouts(&self, blanks: &[u32]) -> u64 {
        let ways = |(region, &blanks): (&Region, &u32)| {
            (0..u64::from(blanks))
                .fold(1, |ways, blank| ways * (u64::from(region.size()) - blank) / (blank + 1))
        };
        self.regions.iter().zip(blanks).map(ways).product()
    }
}

/// Joins the nodes before and after a move, for all ways to spread blanks over the cells that are
/// free before and after.
fn join_ends(moved: &Moved, before: &Regions, after: &Regions, joined: &mut Joined) {
    let sum = |regions: &Regions, cells: u32| {
        bits(cells).map(|cell| regions.weight(1 << cell)).sum::<usize>()
    };
    let (mut one, mut other) =
        (before.first + sum(before, moved.taken), after.first + sum(after, moved.left));
    let parts: Vec<(u32, usize, usize)> = connected(moved.free)
        .map(|part| (part.count_ones(), before.weight(part), after.weight(part)))
        .collect();
    let mut blanks = vec![0; parts.len()];
    loop {
        joined.join(one, other);
        let mut more = false;
        for (blanks, &(size, in_one, in_other)) in blanks.iter_mut().zip(&parts) {
            if *blanks < size {
                (*blanks, one, other) = (*blanks + 1, one + in_one, other + in_other);
                more = true;
                break;
            }
            (one, other) = (one - size as usize * in_one, other - size as usize * in_other);
            *blanks = 0;
        }
        if !more {
            return;
        }
    }
}

/// Sets of numbers that are joined to each other (Galler and Fischer, 1964); the least of a set
/// stands for it.
struct Joined(Vec<u32>);

impl Joined {
    fn apart(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    fn root(&mut self, number: usize) -> usize {
        let mut here = number as u32;
        while self.0[here as usize] != here {
            let next = self.0[self.0[here as usize] as usize];
            self.0[here as usize] = next;
            here = next;
        }
        here as usize
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other)] = one.min(other) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::classic::SKELETONS;

    #[test]
    fn there_are_as_many_skeletons_as_is_known() {
        for (standing, row) in SKELETONS.iter().enumerate() {
            let counted: Vec<usize> =
                (0..row.len()).map(|lying| skeletons(standing, lying).len()).collect();
            assert_eq!(counted, row.map(|count| count as usize), "{standing} dominoes that stand");
        }
    }
}
