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
use std::sync::LazyLock;

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
    of_two_blanks: Option<&'static [Moves; PAIRS]>,
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

/// A move: the number of the piece's kind, and the numbers of the places that it leaves and comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slid {
    kind: u8,
    from: u8,
    to: u8,
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
fn pieces(placed: [u32; 4], chosen: impl Fn(usize) -> u32) -> u64 {
    let field = |kind: usize| u64::from(placed[kind] & chosen(kind));
    field(0) | field(1) << FIELD | field(2) << (2 * FIELD) | u64::from(field(LARGE) != 0) << LARGE_BIT
}

const LARGE_BIT: u32 = LARGE as u32 * FIELD;

impl<M: Reach> Space<M> {
    /// The space from a layout on; `None` if it is not one of [classic pieces](Instance::is_of_classic_pieces).
    pub fn new(layout: &Instance) -> Option<Self> {
        if !layout.is_of_classic_pieces() {
            return None;
        }
        let blanks = layout.board().cells().iter().filter(|&&cell| cell == BLANK).count();
        let of_two_blanks = (blanks == 2).then(of_two_blanks::<M>);
        let space = Self { start: 0, blanks, of_two_blanks, exit: layout.goals()[0].first, metric: PhantomData };
        Some(Self { start: space.pack(layout.board()), ..space })
    }

    /// Shows each move that `last` does not make pointless.
    ///
    /// A piece that has just moved need not move again, by any way in the rectilinear metric, along the same line in the
    /// straight one, and back in the unit one: what that leads to, a move from the board before led to as well.
    #[inline(always)]
    fn moves<B>(&self, state: u64, last: Option<Slid>, mut emit: impl FnMut(Slid) -> ControlFlow<B>) -> ControlFlow<B> {
        let placed = places(state);
        let free = ALL & !(0..4).fold(0, |cells, kind| cells | KINDS[kind].cells(placed[kind]));
        // Of two blanks, as most layouts have, all has been worked out before.
        let known = self.of_two_blanks.map(|all| &all[pair(free)]);
        // One loop over the pieces of all kinds: how often each of four would turn cannot be guessed.
        let mut left = match known {
            Some(known) => pieces(placed, |kind| known.movable[kind]),
            None => pieces(placed, |kind| movable(kind, free)),
        };
        let (moved, pointless) = last.map_or((u32::MAX, 0), |last| (last.bit(), last.pointless::<M>()));
        if M::METRIC == Metric::Rectilinear {
            // Nowhere at all: no look at it is one that cannot be guessed.
            left &= !last.map_or(0, |_| 1 << moved);
        }
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            let kind = bit / FIELD;
            let from = if bit == LARGE_BIT { large(state) as u32 } else { bit - kind * FIELD };
            let mut places = match known {
                Some(known) => known.reach[kind as usize][from as usize],
                None => reach(M::METRIC, self.blanks, kind as usize, free, 1 << from),
            };
            places &= if bit == moved { !pointless } else { ALL };
            while places != 0 {
                let to = places.trailing_zeros() as u8;
                places &= places - 1;
                emit(Slid { kind: kind as u8, from: from as u8, to })?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The places of a kind from which a piece can go at least a cell.
#[inline(always)]
fn movable(kind: usize, free: u32) -> u32 {
    (0..WAYS).fold(0, |all, way| all | KINDS[kind].movable(free, way))
}

/// What can move where with two certain blanks.
#[derive(Clone, Copy, Debug)]
struct Moves {
    /// By kind.
    movable: [u32; 4],
    /// By kind and place.
    reach: [[u32; CELLS]; 4],
}

/// How many numbers of two blanks.
const PAIRS: usize = CELLS * CELLS;

/// The number of two blanks: twenty times that of the first and that of the last.
#[inline(always)]
fn pair(free: u32) -> usize {
    (free.trailing_zeros() as usize * CELLS + (31 - free.leading_zeros()) as usize) % PAIRS
}

/// The moves with each two blanks, by [`pair`]: 10,000 of them, worked out in a fifth of a millisecond when first asked for.
fn of_two_blanks<M: Reach>() -> &'static [Moves; PAIRS] {
    type All = LazyLock<Box<[Moves; PAIRS]>>;
    fn all(metric: Metric) -> Box<[Moves; PAIRS]> {
        let mut all = Box::new([Moves { movable: [0; 4], reach: [[0; CELLS]; 4] }; PAIRS]);
        for (first, last) in (0..CELLS).flat_map(|last| (0..last).map(move |first| (first, last))) {
            let free = 1 << first | 1 << last;
            let moves = &mut all[pair(free)];
            for kind in 0..4 {
                moves.movable[kind] = movable(kind, free);
                for place in (0..CELLS).filter(|place| moves.movable[kind] >> place & 1 == 1) {
                    moves.reach[kind][place] = reach(metric, 2, kind, free, 1 << place);
                }
            }
        }
        all
    }
    static RECTILINEAR: All = LazyLock::new(|| all(Metric::Rectilinear));
    static STRAIGHT: All = LazyLock::new(|| all(Metric::Straight));
    static UNIT: All = LazyLock::new(|| all(Metric::Unit));
    match M::METRIC {
        Metric::Rectilinear => &RECTILINEAR,
        Metric::Straight => &STRAIGHT,
        Metric::Unit => &UNIT,
    }
}

/// All places that a piece of a kind can get to from another by a move. Places are bits.
#[inline(always)]
fn reach(metric: Metric, blanks: usize, kind: usize, free: u32, from: u32) -> u32 {
    // By a number of shifts that may be 0, as the kind cannot be guessed.
    let Kind { tall, wide } = KINDS[kind];
    let (tall, wide) = (WIDTH * u32::from(tall), u32::from(wide));
    let covered = from | from << tall;
    let cells = free | covered | covered << wide;
    let fit = cells & cells >> tall;
    let fit = fit & fit >> wide & [ALL, !LAST_COLUMN][wide as usize];
    let along = |places: u32| (places << WIDTH | places >> WIDTH) & fit;
    let aside = |places: u32| ((places & !LAST_COLUMN) << 1 | (places & !FIRST_COLUMN) >> 1) & fit;
    // No way is longer than there are blanks, as each step takes one that was not taken before.
    let reached = match metric {
        Metric::Rectilinear => (0..blanks).fold(from, |reached, _| reached | along(reached) | aside(reached)),
        Metric::Straight => {
            let rows = (0..blanks).fold(from, |reached, _| reached | aside(reached));
            (0..blanks).fold(from, |reached, _| reached | along(reached)) | rows
        }
        Metric::Unit => along(from) | aside(from),
    };
    reached & !from
}

impl Slid {
    /// The bit of the piece that has moved, among [`pieces`].
    #[inline(always)]
    fn bit(self) -> u32 {
        let kind = u32::from(self.kind);
        if kind == LARGE as u32 { LARGE_BIT } else { kind * FIELD + u32::from(self.to) }
    }

    /// The places to which the piece need not move now.
    #[inline(always)]
    fn pointless<M: Reach>(self) -> u32 {
        let in_a_row = self.from / COLUMNS as u8 == self.to / COLUMNS as u8;
        match M::METRIC {
            Metric::Rectilinear => ALL,
            Metric::Straight if in_a_row => 15 << (self.to / COLUMNS as u8 * COLUMNS as u8),
            Metric::Straight => FIRST_COLUMN << (self.to % COLUMNS as u8),
            Metric::Unit => 1 << self.from,
        }
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
        self.moves(state, last, |slid| {
            let at = &AT[usize::from(slid.kind)];
            emit(slid, state ^ at[usize::from(slid.from)] ^ at[usize::from(slid.to)])
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
        let mirrored = |place: u8| mirror(usize::from(slid.kind), place.into()) as u8;
        Slid { from: mirrored(slid.from), to: mirrored(slid.to), ..slid }
    }

    #[inline]
    fn successors_and_images<B>(
        &self,
        state: u64,
        last: Option<Slid>,
        mut emit: impl FnMut(Slid, u64, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let image = self.image(state);
        self.moves(state, last, |slid| {
            let (from, to) = (usize::from(slid.from), usize::from(slid.to));
            let (at, mirrored) = (&AT[usize::from(slid.kind)], &MIRRORED[usize::from(slid.kind)]);
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
