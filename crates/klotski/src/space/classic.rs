//! The classic boards as words of 64 bits: all moves of a kind of pieces are a few shifts.
//!
//! ```
//! use fewest_klotski::{Instance, space::{Boards, Rectilinear, classic::Space}};
//!
//! let layout = Instance::read(b"aCCb/aCCb/cdde/cfge/h..i").next().unwrap().unwrap();
//! let space = Space::<Rectilinear>::new(&layout).unwrap();
//! let (singles, standing, lying, large) = (0b1001_0110_0000_0000_0000, 0b1001_0000_1001, 0b0010_0000_0000, 1);
//! assert_eq!(space.pack(layout.board()), singles | standing << 20 | lying << 40 | large << 60);
//! ```

use std::marker::PhantomData;
use std::ops::ControlFlow;

use fewest_core::{LeftOut, StateSpace, Symmetric, Undirected};

use super::{Boards, Reach};
use crate::board::{BLANK, Board};
use crate::instance::{CELLS, COLUMNS, Instance, shape};
use crate::plan::Metric;

const WIDTH: u32 = COLUMNS as u32;
const ALL: u32 = (1 << CELLS) - 1;
const FIRST_COLUMN: u32 = ALL / 15;
const LAST_COLUMN: u32 = FIRST_COLUMN << (WIDTH - 1);
const FIRST_COLUMNS: u32 = FIRST_COLUMN | FIRST_COLUMN << 1;

/// All boards with the pieces of a layout, packed. A place is a bit, a bit a cell in reading order: that of a piece's first
/// cell.
///
/// | bits | what |
/// | --- | --- |
/// | 0 to 19 | the places of the singles |
/// | 20 to 39 | the places of the dominoes that stand |
/// | 40 to 59 | the places of the dominoes that lie |
/// | 60 to 63 | the number of the 2x2's first cell |
///
/// Each move can be undone. If the goal is in the middle, the mirror image of a move is a move, in all three metrics.
#[derive(Clone, Copy, Debug)]
pub struct Space<M> {
    start: u64,
    blanks: usize,
    /// The number of the 2x2's first cell when the puzzle is solved.
    exit: usize,
    metric: PhantomData<M>,
}

/// Directions, by number: north, east, south and west.
const WAYS: usize = 4;

/// A kind of pieces.
#[derive(Clone, Copy)]
struct Kind {
    tall: bool,
    wide: bool,
}

/// The kinds, as the state has them, each from a bit that is 20 above that of the one before.
const KINDS: [Kind; 4] = [
    Kind { tall: false, wide: false },
    Kind { tall: true, wide: false },
    Kind { tall: false, wide: true },
    Kind { tall: true, wide: true },
];
const FIELD: u32 = CELLS as u32;
const LARGE: usize = 3;

impl Kind {
    /// Rows and columns.
    fn shape(self) -> (usize, usize) {
        (1 + usize::from(self.tall), 1 + usize::from(self.wide))
    }

    /// The cells that pieces of this kind cover from these places.
    #[inline(always)]
    fn cells(self, places: u32) -> u32 {
        let tall = if self.tall { places | places << WIDTH } else { places };
        if self.wide { tall | tall << 1 } else { tall }
    }

    /// The places from which a piece of this kind can go a cell to the north, east, south or west, into cells that are free.
    #[inline(always)]
    fn movable(self, free: u32, way: usize) -> u32 {
        let across_row = |cells: u32| if self.wide { cells & cells >> 1 } else { cells };
        let across_column = |cells: u32| if self.tall { cells & cells >> WIDTH } else { cells };
        match way {
            0 => across_row(free << WIDTH),
            1 => across_column(if self.wide { free >> 2 & FIRST_COLUMNS } else { free >> 1 & !LAST_COLUMN }),
            2 => across_row(if self.tall { free >> (2 * WIDTH) } else { free >> WIDTH }),
            _ => across_column(free << 1 & !FIRST_COLUMN),
        }
    }
}

/// Of each kind and place, the part of the state that says that a piece is there.
const AT: [[u64; CELLS]; 4] = parts(false);
/// Of each kind and place, the part of the mirror image of the state.
const MIRRORED: [[u64; CELLS]; 4] = parts(true);

const fn parts(mirrored: bool) -> [[u64; CELLS]; 4] {
    let mut parts = [[0; CELLS]; 4];
    let mut index = 0;
    while index < 4 * CELLS {
        let (kind, place) = (index / CELLS, (index % CELLS) as u32);
        let place = if mirrored { mirror(kind, place) } else { place };
        let part = if kind == LARGE { place as u64 } else { 1 << place };
        parts[kind][index % CELLS] = part << (kind as u32 * FIELD);
        index += 1;
    }
    parts
}

/// The number of the place of the mirror image of a piece. What is two columns wide begins in its left one, and the image's
/// left one is its right; there is none in the last column.
const fn mirror(kind: usize, place: u32) -> u32 {
    let mirrored = place ^ (WIDTH - 1);
    if KINDS[kind].wide { mirrored.saturating_sub(1) } else { mirrored }
}

/// In how many ways a 2x2, as many dominoes that stand as the number of the row says, and as many that lie as that of the
/// column says, can be put on the board.
#[rustfmt::skip]
pub const SKELETONS: [[u32; 9]; 9] = [
    [12, 124, 512, 1092, 1320, 948, 396, 88, 8],
    [132, 1044, 3180, 4680, 3444, 1260, 180, 0, 0],
    [582, 3382, 7248, 7120, 3084, 626, 60, 0, 0],
    [1320, 5344, 7284, 4288, 772, 0, 0, 0, 0],
    [1632, 4392, 3196, 1036, 112, 0, 0, 0, 0],
    [1044, 1836, 464, 0, 0, 0, 0, 0, 0],
    [270, 342, 46, 0, 0, 0, 0, 0, 0],
    [0; 9],
    [0; 9],
];

/// A move, as far as it says which moves after it are pointless: the number of the piece's kind, the number of the place that
/// it came to, and the direction it went, where the metric knows one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slid {
    kind: u8,
    to: u8,
    way: u8,
}

/// The places of the pieces of each kind.
#[inline(always)]
fn places(state: u64) -> [u32; 4] {
    let field = |kind: u32| (state >> (kind * FIELD)) as u32 & ALL;
    [field(0), field(1), field(2), 1 << large(state)]
}

/// The number of the 2x2's first cell.
#[inline(always)]
fn large(state: u64) -> usize {
    (state >> (LARGE as u32 * FIELD)) as usize
}

/// The pieces for which `chosen` has their places, kind by kind, a bit each: as the state has them, and the 2x2 as
/// [`LARGE_BIT`].
#[inline(always)]
fn pieces(placed: [u32; 4], chosen: impl Fn(Kind) -> u32) -> u64 {
    let field = |kind: usize| u64::from(placed[kind] & chosen(KINDS[kind]));
    field(0) | field(1) << FIELD | field(2) << (2 * FIELD) | u64::from(field(LARGE) != 0) << LARGE_BIT
}

const LARGE_BIT: u32 = LARGE as u32 * FIELD;

impl<M: Reach> Space<M> {
    /// The space from a layout on; `None` if it is not one of [classic pieces](Instance::is_of_classic_pieces).
    pub fn new(layout: &Instance) -> Option<Self> {
        let blanks = layout.board().cells().iter().filter(|&&cell| cell == BLANK).count();
        let space = Self { start: 0, blanks, exit: layout.goals()[0].first, metric: PhantomData };
        let start = || space.pack(layout.board());
        layout.is_of_classic_pieces().then(|| Self { start: start(), ..space })
    }

    /// Shows each move that `last` does not make pointless: the number of the place that a piece leaves, and the move.
    ///
    /// A piece that has just moved need not move again, by any way in the rectilinear metric, along the same line in the
    /// straight one, and back in the unit one: what that leads to, a move from the board before led to as well.
    #[inline(always)]
    fn moves<B>(
        &self,
        state: u64,
        last: Option<Slid>,
        mut emit: impl FnMut(usize, Slid) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let placed = places(state);
        let free = ALL & !(0..4).fold(0, |cells, kind| cells | KINDS[kind].cells(placed[kind]));
        // The bit of the piece that has moved.
        let moved = last.map_or(0, |last| {
            if usize::from(last.kind) == LARGE {
                1 << LARGE_BIT
            } else {
                AT[usize::from(last.kind)][usize::from(last.to)]
            }
        });
        let kind_and_place = |bit: u32| {
            let kind = bit / FIELD;
            (kind as usize, if bit == LARGE_BIT { large(state) as u32 } else { bit - kind * FIELD })
        };
        match M::METRIC {
            Metric::Rectilinear => {
                // One loop over the pieces of all kinds: how often each of four would turn cannot be guessed.
                let mut pieces =
                    !moved & pieces(placed, |kind| (0..WAYS).fold(0, |all, way| all | kind.movable(free, way)));
                while pieces != 0 {
                    let (kind, from) = kind_and_place(pieces.trailing_zeros());
                    pieces &= pieces - 1;
                    let mut places = self.reach(kind, free, 1 << from) & !(1 << from);
                    while places != 0 {
                        let to = places.trailing_zeros() as u8;
                        places &= places - 1;
                        emit(from as usize, Slid { kind: kind as u8, to, way: 0 })?;
                    }
                }
            }
            Metric::Straight | Metric::Unit => {
                const STEPS: [i32; WAYS] = [-(WIDTH as i32), 1, WIDTH as i32, -1];
                for (way, step) in STEPS.into_iter().enumerate() {
                    let is_pointless = last.is_some_and(|last| match M::METRIC {
                        Metric::Straight => usize::from(last.way) % 2 == way % 2,
                        _ => usize::from(last.way) == way ^ 2,
                    });
                    let mut pieces =
                        pieces(placed, |kind| kind.movable(free, way)) & !if is_pointless { moved } else { 0 };
                    while pieces != 0 {
                        let (kind, from) = kind_and_place(pieces.trailing_zeros());
                        pieces &= pieces - 1;
                        let mut to = from as i32 + step;
                        emit(from as usize, Slid { kind: kind as u8, to: to as u8, way: way as u8 })?;
                        while M::METRIC == Metric::Straight && KINDS[kind].movable(free, way) >> to & 1 == 1 {
                            to += step;
                            emit(from as usize, Slid { kind: kind as u8, to: to as u8, way: way as u8 })?;
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// All places that a piece can get to from one, which is a bit.
    #[inline(always)]
    fn reach(&self, kind: usize, free: u32, from: u32) -> u32 {
        // By a number of shifts that may be 0, as the kind cannot be guessed either.
        let Kind { tall, wide } = KINDS[kind];
        let (tall, wide) = (WIDTH * u32::from(tall), u32::from(wide));
        let covered = from | from << tall;
        let cells = free | covered | covered << wide;
        let fit = cells & cells >> tall;
        let fit = fit & fit >> wide & [ALL, !LAST_COLUMN][wide as usize];
        let mut reached = from;
        // No way is longer than there are blanks, as each step takes one that was not taken before.
        for _ in 0..self.blanks {
            let aside = (reached & !LAST_COLUMN) << 1 | (reached & !FIRST_COLUMN) >> 1;
            reached |= (reached << WIDTH | reached >> WIDTH | aside) & fit;
        }
        reached
    }
}

impl<M: Reach> StateSpace for Space<M> {
    type State = u64;
    type Move = Slid;

    const LEAVES_OUT: LeftOut = LeftOut::Known;

    /// Two fifths of the boards that have the same pieces: as much as the classics reach of them.
    fn expected_states(&self) -> usize {
        let [singles, standing, lying, _] = places(self.start).map(u32::count_ones);
        let free = singles as usize + self.blanks;
        let singles = (0..singles as usize).fold(1, |ways, single| ways * (free - single) / (single + 1));
        let skeletons = SKELETONS[standing as usize].get(lying as usize).copied().unwrap_or(0);
        skeletons as usize * singles * 2 / 5
    }

    fn initial(&self, mut emit: impl FnMut(u64)) {
        emit(self.start);
    }

    #[inline]
    fn is_goal(&self, state: u64) -> bool {
        large(state) == self.exit
    }

    #[inline]
    fn successors<B>(
        &self,
        state: u64,
        last: Option<Slid>,
        mut emit: impl FnMut(Slid, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.moves(state, last, |from, slid| {
            let at = &AT[usize::from(slid.kind)];
            emit(slid, state ^ at[from] ^ at[usize::from(slid.to)])
        })
    }
}

impl<M: Reach> Undirected for Space<M> {}

/// Left and right exchanged.
impl<M: Reach> Symmetric for Space<M> {
    #[inline]
    fn image(&self, state: u64) -> u64 {
        // A row is four bits, so the columns are exchanged by reversing each nibble.
        let pairs = (state & 0x5555_5555_5555_5555) << 1 | state >> 1 & 0x5555_5555_5555_5555;
        let nibbles = (pairs & 0x3333_3333_3333_3333) << 2 | pairs >> 2 & 0x3333_3333_3333_3333;
        let [singles, standing, lying, _] = places(nibbles).map(u64::from);
        // What lies begins in its left column, and the image's left one is its right.
        singles | standing << FIELD | lying >> 1 << (2 * FIELD) | MIRRORED[LARGE][large(state)]
    }

    #[inline]
    fn image_of_move(&self, slid: Slid) -> Slid {
        // East and west are 1 and 3.
        let way = slid.way ^ (slid.way & 1) << 1;
        Slid { way, to: mirror(usize::from(slid.kind), slid.to.into()) as u8, ..slid }
    }

    #[inline]
    fn successors_and_images<B>(
        &self,
        state: u64,
        last: Option<Slid>,
        mut emit: impl FnMut(Slid, u64, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let image = self.image(state);
        self.moves(state, last, |from, slid| {
            let (kind, to) = (usize::from(slid.kind), usize::from(slid.to));
            let (at, mirrored) = (&AT[kind], &MIRRORED[kind]);
            emit(slid, state ^ at[from] ^ at[to], image ^ mirrored[from] ^ mirrored[to])
        })
    }
}

impl<M: Reach> Boards for Space<M> {
    fn is_symmetric(&self) -> bool {
        mirror(LARGE, self.exit as u32) as usize == self.exit
    }

    fn pack(&self, board: &Board) -> u64 {
        let part = |piece| {
            let cells = board.cells_of(piece);
            let kind = KINDS.iter().position(|kind| shape(&cells) == Some(kind.shape()))?;
            Some(AT[kind][cells[0]])
        };
        board.pieces().into_iter().filter_map(part).fold(0, |state, part| state | part)
    }

    #[inline]
    fn alone(&self, state: u64) -> Option<u32> {
        let large = large(state);
        let rows = (self.exit / COLUMNS).abs_diff(large / COLUMNS) as u32;
        let columns = (self.exit % COLUMNS).abs_diff(large % COLUMNS) as u32;
        Some(match M::METRIC {
            Metric::Rectilinear => (rows | columns).min(1),
            Metric::Straight => rows.min(1) + columns.min(1),
            Metric::Unit => rows + columns,
        })
    }

    fn pieces(&self, state: u64) -> Vec<(usize, usize)> {
        let cells = |set: u32| (0..CELLS).filter(move |cell| set >> cell & 1 == 1);
        let numbered = places(state).into_iter().enumerate();
        numbered.flat_map(|(kind, set)| cells(set).map(move |cell| (kind, cell))).collect()
    }
}
