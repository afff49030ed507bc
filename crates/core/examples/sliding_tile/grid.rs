//! What the cells of a grid are to each other, worked out once; and what a move is called.

/// The cell of the blank: the first one of which all four bits are clear.
pub fn blank(state: u64) -> usize {
    const ONES: u64 = 0x1111_1111_1111_1111;
    (state.wrapping_sub(ONES) & !state & ONES << 3).trailing_zeros() as usize / 4
}

/// Neighbours and distances of at most 16 cells.
pub struct Grid {
    pub cells: usize,
    /// Of each cell, the cells beside it, and how many they are.
    beside: [([u8; 4], u8); 16],
    apart: [[u8; 16]; 16],
    /// Of each move by its number, how much farther from its place the tile is after it.
    farther: [i8; 1 << 12],
}

impl Grid {
    pub fn new(width: usize, height: usize) -> Self {
        let apart = |a: usize, b: usize| {
            ((a % width).abs_diff(b % width) + (a / width).abs_diff(b / width)) as u8
        };
        let mut beside = [([0; 4], 0); 16];
        for (cell, (cells, count)) in beside.iter_mut().enumerate() {
            for to in (0..width * height).filter(|&to| apart(cell, to) == 1) {
                cells[usize::from(*count)] = to as u8;
                *count += 1;
            }
        }
        let apart_from = |a| std::array::from_fn(|b| apart(a, b));
        let farther =
            |by: Move| apart(by.tile(), by.from()) as i8 - apart(by.tile(), by.to()) as i8;
        Self {
            cells: width * height,
            beside,
            apart: std::array::from_fn(apart_from),
            farther: std::array::from_fn(|number| farther(Move(number as u16))),
        }
    }

    /// All tiles in their order, the blank first.
    pub fn goal(&self) -> u64 {
        0xFEDC_BA98_7654_3210 & (u64::MAX >> (64 - 4 * self.cells))
    }

    #[inline(always)]
    pub fn beside(&self, cell: usize) -> &[u8] {
        let (cells, count) = &self.beside[cell & 15];
        &cells[..usize::from(*count)]
    }

    /// How much farther from its place the tile of a move is after it.
    #[inline(always)]
    pub fn farther(&self, by: Move) -> i8 {
        self.farther[usize::from(by.0 & 0xFFF)]
    }

    /// The columns plus the rows from `cell` to each cell.
    #[inline(always)]
    pub fn apart(&self, cell: usize) -> &[u8; 16] {
        &self.apart[cell & 15]
    }
}

/// Where the blank was, where it goes, and the tile that comes from there: 4 bits each. So neither
/// has to be looked for in the state after it.
#[derive(Clone, Copy, Debug)]
pub struct Move(u16);

impl Move {
    #[inline(always)]
    pub fn new(from: usize, to: u8, tile: u64) -> Self {
        Self(from as u16 | u16::from(to) << 4 | (tile as u16) << 8)
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
