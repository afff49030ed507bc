//! The packed state space: the fast twin of the rules. Here a move is decided and a state becomes bits.
//!
//! ```
//! use fewest_klotski::{Instance, space::pack};
//!
//! let layout = Instance::read(b"aCCb/aCCb/cdde/cfge/h..i").next().unwrap().unwrap();
//! let (singles, standing, lying, large) = (0b1001_0110_0000_0000_0000, 0b1001_0000_1001, 0b0010_0000_0000, 1);
//! assert_eq!(pack(layout.board()), singles | standing << 20 | lying << 40 | large << 60);
//! ```

use std::marker::PhantomData;
use std::ops::ControlFlow;

use fewest_core::{StateSpace, Symmetric, Undirected};

use crate::instance::{BLANK, Board, CELLS, COLUMNS, Instance, shape};
use crate::plan::Metric;

/// What a metric lets a block do: the type that a [`Space`] is made for.
pub trait Reach: Copy + Send + Sync + 'static {
    /// The metric as a value.
    const METRIC: Metric;

    /// The places of a block after a move from the place `from`; `fit` are all places where it fits, with the others
    /// where they are. Places are bits, a bit a cell in reading order, and `from` may be among the result.
    fn reach(fit: u32, from: u32) -> u32;
}

/// Any way: [`Metric::Rectilinear`].
#[derive(Clone, Copy, Debug)]
pub struct Rectilinear;

/// Any distance in one direction: [`Metric::Straight`].
#[derive(Clone, Copy, Debug)]
pub struct Straight;

/// One cell: [`Metric::Unit`].
#[derive(Clone, Copy, Debug)]
pub struct Unit;

const WIDTH: u32 = COLUMNS as u32;
const ALL: u32 = (1 << CELLS) - 1;
const FIRST_COLUMN: u32 = ALL / 15;
const LAST_COLUMN: u32 = FIRST_COLUMN << (WIDTH - 1);

/// Every place moved by a cell: north, east, south and west. What leaves the board is gone.
const STEPS: [fn(u32) -> u32; 4] = [
    |places| places >> WIDTH,
    |places| (places & !LAST_COLUMN) << 1,
    |places| places << WIDTH & ALL,
    |places| (places & !FIRST_COLUMN) >> 1,
];

/// The places in a direction from `from`, up to the first that is not in `fit`.
#[inline]
fn ray(step: fn(u32) -> u32, fit: u32, from: u32) -> u32 {
    let (mut reached, mut here) = (0, from);
    loop {
        here = step(here) & fit;
        if here == 0 {
            return reached;
        }
        reached |= here;
    }
}

impl Reach for Rectilinear {
    const METRIC: Metric = Metric::Rectilinear;

    #[inline]
    fn reach(fit: u32, from: u32) -> u32 {
        let mut reached = from;
        loop {
            let more = STEPS.iter().fold(reached, |more, step| more | step(reached) & fit);
            if more == reached {
                return reached;
            }
            reached = more;
        }
    }
}

impl Reach for Straight {
    const METRIC: Metric = Metric::Straight;

    #[inline]
    fn reach(fit: u32, from: u32) -> u32 {
        STEPS.iter().fold(0, |reached, &step| reached | ray(step, fit, from))
    }
}

impl Reach for Unit {
    const METRIC: Metric = Metric::Unit;

    #[inline]
    fn reach(fit: u32, from: u32) -> u32 {
        STEPS.iter().fold(0, |reached, step| reached | step(from) & fit)
    }
}

/// All boards with the blocks of a layout, packed. Blocks of one shape are not told apart.
///
/// | bits | what |
/// | --- | --- |
/// | 0 to 19 | the cells of the singles, in reading order |
/// | 20 to 39 | the upper cells of the dominoes that stand |
/// | 40 to 59 | the left cells of the dominoes that lie |
/// | 60 to 63 | the number of the 2x2's upper left cell |
///
/// Each move can be undone, and the mirror image of a move is a move, in all three metrics.
#[derive(Clone, Copy, Debug)]
pub struct Space<M> {
    start: u64,
    metric: PhantomData<M>,
}

/// A kind of blocks: where the state has them, and how many rows and columns they have beyond the first.
#[derive(Clone, Copy)]
struct Kind {
    offset: u32,
    tall: bool,
    wide: bool,
}

/// The kinds, as the state has them.
const KINDS: [Kind; 4] = [
    Kind { offset: 0, tall: false, wide: false },
    Kind { offset: 20, tall: true, wide: false },
    Kind { offset: 40, tall: false, wide: true },
    Kind { offset: 60, tall: true, wide: true },
];
const LARGE: Kind = KINDS[3];

/// The number of the 2x2's upper left cell when the puzzle is solved: fourth row, second column.
pub(crate) const EXIT: usize = 3 * COLUMNS + 1;

/// The number of the 2x2's upper left cell.
#[inline]
pub(crate) fn large(state: u64) -> usize {
    (state >> LARGE.offset) as usize
}

impl Kind {
    /// Rows and columns.
    fn shape(self) -> (usize, usize) {
        (1 + usize::from(self.tall), 1 + usize::from(self.wide))
    }

    /// Whether there is only one, of which the state has the number of its place instead of a bit.
    #[inline]
    fn is_large(self) -> bool {
        self.tall && self.wide
    }

    /// The cells that blocks of this kind cover from these places.
    #[inline]
    fn cells(self, places: u32) -> u32 {
        let tall = if self.tall { places | places << WIDTH } else { places };
        if self.wide { tall | tall << 1 } else { tall }
    }

    /// The places where a block of this kind fits into these cells.
    #[inline]
    fn fit(self, cells: u32) -> u32 {
        let tall = if self.tall { cells & cells >> WIDTH } else { cells };
        if self.wide { tall & tall >> 1 & !LAST_COLUMN } else { tall }
    }

    /// The places of all blocks of this kind.
    #[inline]
    fn places(self, state: u64) -> u32 {
        if self.is_large() { 1 << large(state) } else { (state >> self.offset) as u32 & ALL }
    }

    /// The part of the state that says that a block of this kind is at a place.
    #[inline]
    fn at(self, place: u32) -> u64 {
        let place = if self.is_large() { u64::from(place.trailing_zeros()) } else { place.into() };
        place << self.offset
    }
}

/// The lowest bit, which is taken away.
#[inline]
fn take(places: &mut u32) -> Option<u32> {
    let place = *places & places.wrapping_neg();
    *places ^= place;
    (place != 0).then_some(place)
}

/// The state of a board that is well formed, as an [`Instance`] is.
pub fn pack(board: &Board) -> u64 {
    let first = |&cell: &usize| board[cell] != BLANK && !board[..cell].contains(&board[cell]);
    let kind = |cell| KINDS.into_iter().find(|kind| shape(board, cell) == Some(kind.shape()));
    let parts = (0..CELLS).filter(first).filter_map(|cell| Some(kind(cell)?.at(1 << cell)));
    parts.fold(0, |state, part| state | part)
}

/// The board of a state: the 2x2 is `C`, the other blocks are `a`, `b` and so on in reading order.
pub fn unpack(state: u64) -> Board {
    let mut board = [BLANK; CELLS];
    let mut letters = 'a'..='z';
    for cell in 0..CELLS {
        if let Some(kind) = KINDS.into_iter().find(|kind| kind.places(state) >> cell & 1 == 1) {
            let letter = if kind.is_large() { Some('C') } else { letters.next() };
            let covered = kind.cells(1 << cell);
            (0..CELLS).filter(|other| covered >> other & 1 == 1).for_each(|other| board[other] = letter.unwrap_or('?'));
        }
    }
    board
}

impl<M: Reach> Space<M> {
    /// The space from a layout on.
    pub fn new(instance: &Instance) -> Self {
        Self { start: pack(instance.board()), metric: PhantomData }
    }
}

impl<M: Reach> StateSpace for Space<M> {
    type State = u64;
    /// Two boards say which move lies between them.
    type Move = ();

    fn initial(&self, mut emit: impl FnMut(u64)) {
        emit(self.start);
    }

    #[inline]
    fn is_goal(&self, state: u64) -> bool {
        large(state) == EXIT
    }

    #[inline]
    fn successors<B>(
        &self,
        state: u64,
        _: Option<()>,
        mut emit: impl FnMut((), u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let free = ALL & !KINDS.iter().fold(0, |cells, kind| cells | kind.cells(kind.places(state)));
        for kind in KINDS {
            let mut blocks = kind.places(state);
            while let Some(from) = take(&mut blocks) {
                let fit = kind.fit(free | kind.cells(from));
                let mut places = M::reach(fit, from) & !from;
                while let Some(to) = take(&mut places) {
                    emit((), state ^ kind.at(from) ^ kind.at(to))?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl<M: Reach> Undirected for Space<M> {}

/// Left and right exchanged. The exit is in the middle, so a goal's image is a goal.
impl<M: Reach> Symmetric for Space<M> {
    #[inline]
    fn image(&self, state: u64) -> u64 {
        // A row is four bits, so the columns are exchanged by reversing each nibble.
        let pairs = (state & 0x5555_5555_5555_5555) << 1 | state >> 1 & 0x5555_5555_5555_5555;
        let nibbles = (pairs & 0x3333_3333_3333_3333) << 2 | pairs >> 2 & 0x3333_3333_3333_3333;
        let [singles, standing, lying, _] = KINDS.map(|kind| nibbles >> kind.offset & u64::from(ALL));
        // What is two columns wide began in its left one, and the image's left one is its right.
        let (row, column) = (large(state) / COLUMNS, large(state) % COLUMNS);
        let large = 1 << (row * COLUMNS + 2 - column);
        singles | standing << 20 | lying >> 1 << 40 | LARGE.at(large)
    }
}
