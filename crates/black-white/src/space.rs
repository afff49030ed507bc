//! The packed state space: the fast twin of the rules. Here a move is decided and a state becomes
//! bits.
//!
//! ```
//! use fewest_black_white::{Instance, Size, space::Space};
//!
//! let size = Size::new(2, 3).unwrap();
//! let boards = Instance::read(b"100 010 000 011", size).next().unwrap().unwrap();
//! let space = Space::new(&boards).unwrap();
//! assert_eq!(space.pack(boards.start()), 0b010_001);
//! ```

use std::ops::ControlFlow;

use fewest_core::{Goals, Ranked, StateSpace, Undirected};

use crate::instance::{Board, Instance, Size};
use crate::plan::Exchange;
use crate::solve::MOST_SEARCHED;

/// All boards of a size, packed: bit `i` is set if the piece of cell `i`, in reading order, is
/// black; that of a wall is clear. 4 x 4 cells take 16 bits, 8 x 8 all 64.
#[derive(Clone, Copy, Debug)]
pub struct Space {
    size: Size,
    start: u64,
    target: u64,
    /// The cells with a neighbour on the right, neither of them a wall.
    beside: u64,
    /// The same below.
    above: u64,
}

impl Space {
    /// The space from the start to the target of an instance; `None` if it has more than
    /// [`MOST_SEARCHED`] cells.
    pub fn new(instance: &Instance) -> Option<Self> {
        let size = instance.size();
        if size.cells() > MOST_SEARCHED {
            return None;
        }
        let beside = size.mask(|place| place.column + 1 < size.columns());
        let above = size.mask(|place| place.row + 1 < size.rows());
        let space = Self { size, start: 0, target: 0, beside, above };
        let open = !space.pack(instance.walls());
        Some(Self {
            start: space.pack(instance.start()),
            target: space.pack(instance.target()),
            beside: beside & open & open >> 1,
            above: above & open & open.checked_shr(size.columns() as u32).unwrap_or(0),
            ..space
        })
    }

    /// Rows and columns.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The state to be reached.
    pub fn target(&self) -> u64 {
        self.target
    }

    /// The state of a board.
    pub fn pack(&self, board: &[bool]) -> u64 {
        board.iter().enumerate().fold(0, |state, (cell, &black)| state | u64::from(black) << cell)
    }

    /// The board of a state.
    pub fn unpack(&self, state: u64) -> Board {
        (0..self.size.cells()).map(|cell| state >> cell & 1 == 1).collect()
    }

    /// The move between two states, if it is one.
    pub fn exchange(&self, from: u64, to: u64) -> Option<Exchange> {
        let changed = from ^ to;
        let place = |cell: u32| self.size.place(cell as usize);
        let cells = (changed.trailing_zeros(), 63 - changed.leading_zeros().min(63));
        (changed.count_ones() == 2).then(|| Exchange::new(place(cells.0), place(cells.1)))
    }
}

impl StateSpace for Space {
    type State = u64;
    /// Two boards say which move lies between them.
    type Move = ();

    fn initial(&self, mut emit: impl FnMut(u64)) {
        emit(self.start);
    }

    #[inline]
    fn is_goal(&self, state: u64) -> bool {
        state == self.target
    }

    #[inline]
    fn successors<B>(
        &self,
        state: u64,
        _: Option<()>,
        mut emit: impl FnMut((), u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        // A set bit of `unlike` is a cell whose neighbour, `apart` cells on, has the other colour.
        // Of 64 columns there is one row, and nothing above another.
        for (apart, cells) in [(1, self.beside), (self.size.columns().min(63), self.above)] {
            let mut unlike = (state ^ state >> apart) & cells;
            while unlike != 0 {
                let cell = unlike & unlike.wrapping_neg();
                emit((), state ^ (cell | cell << apart))?;
                unlike ^= cell;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Undirected for Space {}

impl Goals for Space {
    fn goals(&self, mut emit: impl FnMut(u64)) {
        emit(self.target);
    }
}

/// The board itself, as a number.
impl Ranked for Space {
    fn ranks(&self) -> Option<u64> {
        1u64.checked_shl(self.size.cells() as u32)
    }

    #[inline]
    fn rank(&self, state: u64) -> u64 {
        state
    }

    fn unrank(&self, rank: u64) -> u64 {
        rank
    }
}
