//! Precomputed tables of a grid, and the encoding of a move.

/// The cell of the blank: the first cell with all four bits clear.
pub fn blank(state: u64) -> usize {
    const ONES: u64 = 0x1111_1111_1111_1111;
    (state.wrapping_sub(ONES) & !state & ONES << 3).trailing_zeros() as usize / 4
}

/// The neighbours and distances of the cells of a grid of at most 16 cells.
pub struct Grid {
    pub cells: usize,
    /// The neighbours of each cell, and their number.
    neighbours: [([u8; 4], u8); 16],
    /// The Manhattan distance of each pair of cells.
    distances: [[u8; 16]; 16],
    /// By encoded move: the change of the distance of the moved tile to its goal cell.
    distance_changes: [i8; 1 << 12],
}

impl Grid {
    pub fn new(width: usize, height: usize) -> Self {
        let distance = |a: usize, b: usize| {
            ((a % width).abs_diff(b % width) + (a / width).abs_diff(b / width)) as u8
        };
        let mut neighbours = [([0; 4], 0); 16];
        for (cell, (cells, count)) in neighbours.iter_mut().enumerate() {
            for to in (0..width * height).filter(|&to| distance(cell, to) == 1) {
                cells[usize::from(*count)] = to as u8;
                *count += 1;
            }
        }
        let distances_from = |a| std::array::from_fn(|b| distance(a, b));
        let distance_change =
            |by: Move| distance(by.tile(), by.from()) as i8 - distance(by.tile(), by.to()) as i8;
        Self {
            cells: width * height,
            neighbours,
            distances: std::array::from_fn(distances_from),
            distance_changes: std::array::from_fn(|code| distance_change(Move(code as u16))),
        }
    }

    /// The goal: the tiles in ascending order, the blank first.
    pub fn goal(&self) -> u64 {
        0xFEDC_BA98_7654_3210 & (u64::MAX >> (64 - 4 * self.cells))
    }

    #[inline(always)]
    pub fn neighbours(&self, cell: usize) -> &[u8] {
        let (cells, count) = &self.neighbours[cell & 15];
        &cells[..usize::from(*count)]
    }

    /// The change of the distance of the moved tile to its goal cell.
    #[inline(always)]
    pub fn distance_change(&self, by: Move) -> i8 {
        self.distance_changes[usize::from(by.0 & 0xFFF)]
    }

    /// The Manhattan distance from `cell` to each cell.
    #[inline(always)]
    pub fn distances(&self, cell: usize) -> &[u8; 16] {
        &self.distances[cell & 15]
    }
}

/// A move: the cells that the blank moves from and to, and the tile that moves the other way, in 4
/// bits each. The next expansion need not search the state for the blank.
#[derive(Clone, Copy, Debug)]
pub struct Move(u16);

impl Move {
    #[inline(always)]
    pub fn new(from: usize, to: u8, tile: u64) -> Self {
        Self(from as u16 | u16::from(to) << 4 | (tile as u16) << 8)
    }

    /// The bits of the move.
    #[inline(always)]
    pub fn tag(self) -> u32 {
        self.0.into()
    }

    #[inline(always)]
    pub fn of_tag(tag: u32) -> Self {
        Self(tag as u16)
    }

    #[inline(always)]
    pub fn from(self) -> usize {
        usize::from(self.0 & 15)
    }

    #[inline(always)]
    pub fn to(self) -> usize {
        usize::from(self.0 >> 4 & 15)
    }

    #[inline(always)]
    pub fn tile(self) -> usize {
        usize::from(self.0 >> 8)
    }
}
