//! The packed state space, the fast counterpart of the [rules](crate::rules): it encodes boards as
//! bits and computes successors on them.
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
use std::sync::{Arc, OnceLock};

use fewest_core::{Goals, Predecessors, Ranked, StateSpace};

use crate::combinations::Combinations;
use crate::instance::{Board, Instance, Size};
use crate::plan::Exchange;

/// The greatest number of cells of a board that can be packed, and therefore searched: one bit per
/// cell.
pub const MAX_SEARCHED_CELLS: usize = u64::BITS as usize;

/// The boards of an instance, packed.
///
/// | bit | content |
/// | --- | --- |
/// | `i`, below the number of cells | set if the piece of cell `i`, in reading order, is black |
/// | the others | clear |
///
/// The bit of a wall is clear. A board of 4 x 4 cells takes 16 bits, a board of 8 x 8 cells 64
/// bits.
#[derive(Clone, Debug)]
pub struct Space {
    size: Size,
    start: u64,
    target: u64,
    /// The cells whose piece can be exchanged with a piece on the right: neither cell is a wall.
    with_right: u64,
    /// The cells whose piece can be exchanged with a piece below.
    with_below: u64,
    /// The ranks, for large boards; without any if the target has another number of black pieces in
    /// a region.
    ///
    /// They are made when they are needed, and not inside the space: a loop over ranks of small
    /// boards then knows that nothing in it changes, and takes a tenth less time.
    numbers: Option<Arc<OnceLock<Option<Combinations>>>>,
}

/// The most cells of a board that is its own rank: a bit for each takes 4 MiB.
const MAX_OWN_RANK_CELLS: usize = 25;

impl Space {
    /// Creates the space of an instance; `None` if its boards have more than [`MAX_SEARCHED_CELLS`]
    /// cells.
    pub fn new(instance: &Instance) -> Option<Self> {
        let size = instance.size();
        if size.len() > MAX_SEARCHED_CELLS {
            return None;
        }
        let with_right = size.mask(|place| (place.column as usize) + 1 < size.columns());
        let with_below = size.mask(|place| (place.row as usize) + 1 < size.rows());
        let numbers = (size.len() > MAX_OWN_RANK_CELLS).then(Arc::default);
        let space = Self { size, start: 0, target: 0, with_right, with_below, numbers };
        let open = !space.pack(instance.walls());
        Some(Self {
            start: space.pack(instance.start()),
            target: space.pack(instance.target()),
            with_right: with_right & open & open >> 1,
            with_below: with_below & open & open.checked_shr(size.columns() as u32).unwrap_or(0),
            ..space
        })
    }

    /// The rows and columns.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The goal, which is the state of the target board.
    pub fn target(&self) -> u64 {
        self.target
    }

    /// The state of a board.
    pub fn pack(&self, board: &[bool]) -> u64 {
        board.iter().enumerate().fold(0, |state, (cell, &black)| state | u64::from(black) << cell)
    }

    /// The board of a state.
    pub fn unpack(&self, state: u64) -> Board {
        (0..self.size.len()).map(|cell| state >> cell & 1 == 1).collect()
    }

    /// The ranks of a large board, made when they are first needed.
    fn combinations<'a>(
        &self,
        numbers: &'a OnceLock<Option<Combinations>>,
    ) -> Option<&'a Combinations> {
        let make = || {
            let numbers = Combinations::new(&self.regions(), self.start);
            numbers.has(self.target).then_some(numbers)
        };
        numbers.get_or_init(make).as_ref()
    }

    /// The connected regions. A wall, or a cell without an open neighbour, is a region of its own.
    fn regions(&self) -> Vec<u64> {
        let below = self.size.columns() as u32;
        let spread = |cells: u64| {
            let pairs = [(1, self.with_right), (below.min(63), self.with_below)];
            pairs.into_iter().fold(cells, |cells, (distance, with_next)| {
                cells | (cells & with_next) << distance | cells >> distance & with_next
            })
        };
        let (mut regions, mut left) = (Vec::new(), self.size.mask(|_| true));
        while left != 0 {
            let mut region = left & left.wrapping_neg();
            while spread(region) != region {
                region = spread(region);
            }
            regions.push(region);
            left &= !region;
        }
        regions
    }

    /// The move that leads from one state to another; `None` if the states do not differ in exactly
    /// two cells. It does not check whether these are neighbours.
    pub fn exchange(&self, from: u64, to: u64) -> Option<Exchange> {
        let changed = from ^ to;
        let place = |cell: u32| self.size.cell(cell as usize);
        let cells = (changed.trailing_zeros(), 63 - changed.leading_zeros().min(63));
        (changed.count_ones() == 2).then(|| Exchange::new(place(cells.0), place(cells.1)))
    }
}

impl StateSpace for Space {
    type State = u64;
    /// Two states determine the move between them.
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
        // A set bit of `differing` is a cell whose neighbour, `distance` cells further, has the
        // other colour. A board of 64 columns has one row, so `with_below` is empty.
        let to_below = self.size.columns().min(63);
        for (distance, cells) in [(1, self.with_right), (to_below, self.with_below)] {
            let mut differing = (state ^ state >> distance) & cells;
            while differing != 0 {
                let cell = differing & differing.wrapping_neg();
                emit((), state ^ (cell | cell << distance))?;
                differing ^= cell;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Predecessors for Space {
    const UNDIRECTED: bool = true;
}

impl Goals for Space {
    fn goals(&self, mut emit: impl FnMut(u64)) {
        emit(self.target);
    }
}

/// The rank of a small board is the board itself, which costs nothing. Large boards are numbered
/// among those with as many black pieces in each region.
impl Ranked for Space {
    fn ranks(&self) -> Option<u64> {
        match &self.numbers {
            None => Some(1 << self.size.len()),
            Some(numbers) => self.combinations(numbers).map(Combinations::count),
        }
    }

    #[inline]
    fn rank(&self, state: u64) -> u64 {
        match &self.numbers {
            None => state,
            Some(numbers) => self.combinations(numbers).map_or(0, |numbers| numbers.rank(state)),
        }
    }

    fn unrank(&self, rank: u64) -> u64 {
        match &self.numbers {
            None => rank,
            Some(numbers) => self.combinations(numbers).map_or(0, |numbers| numbers.unrank(rank)),
        }
    }
}
