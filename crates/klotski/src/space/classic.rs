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

use std::iter::from_fn;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use fewest_core::{MovePruning, StateSpace, Symmetric, Undirected};

use super::{Boards, Reach};
use crate::board::{BLANK, Board};
use crate::instance::{CELLS, COLUMNS, Instance, shape};
use crate::plan::Metric;

const WIDTH: u32 = COLUMNS as u32;
const ALL: u32 = (1 << CELLS) - 1;
const FIRST_COLUMN: u32 = ALL / 15;
const LAST_COLUMN: u32 = FIRST_COLUMN << (WIDTH - 1);
const FIRST_COLUMNS: u32 = FIRST_COLUMN | FIRST_COLUMN << 1;

/// All boards with the pieces of a layout, packed. A place is a bit, a bit a cell in reading order:
/// that of a piece's first cell.
///
/// | bits | what |
/// | --- | --- |
/// | 0 to 19 | the places of the singles |
/// | 20 to 39 | the places of the dominoes that stand |
/// | 40 to 59 | the places of the dominoes that lie |
/// | 60 to 63 | the number of the 2x2's first cell |
///
/// Each move can be undone. If the goal is in the middle, the mirror image of a move is a move, in
/// all three metrics.
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
const LARGE: usize = 3;

/// The bits of a kind.
const FIELD: u32 = CELLS as u32;
/// The first bit of the 2x2, which has a number there.
const LARGE_BIT: u32 = LARGE as u32 * FIELD;

/// How many places there are. A place is one of a kind: its number is 20 times that of the kind,
/// and that of the cell.
const PLACES: usize = KINDS.len() * CELLS;

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

    /// The places from which a piece of this kind can go a cell to the north, east, south or west,
    /// into cells that are free.
    #[inline(always)]
    fn movable(self, free: u32, way: usize) -> u32 {
        let across_row = |cells: u32| if self.wide { cells & cells >> 1 } else { cells };
        let across_column = |cells: u32| if self.tall { cells & cells >> WIDTH } else { cells };
        match way {
            0 => across_row(free << WIDTH),
            1 => across_column(if self.wide {
                free >> 2 & FIRST_COLUMNS
            } else {
                free >> 1 & !LAST_COLUMN
            }),
            2 => across_row(if self.tall { free >> (2 * WIDTH) } else { free >> WIDTH }),
            _ => across_column(free << 1 & !FIRST_COLUMN),
        }
    }
}

/// Of each place, the part of the state that says that a piece is there.
const AT: [u64; PLACES] = parts(false);
/// Of each place, the part of the mirror image of the state.
const MIRRORED: [u64; PLACES] = parts(true);

const fn parts(mirrored: bool) -> [u64; PLACES] {
    let mut parts = [0; PLACES];
    let mut place = 0;
    while place < PLACES {
        let at = if mirrored { MIRROR[place] as u32 } else { place as u32 };
        parts[place] =
            if at < LARGE_BIT { 1 << at } else { (at as u64 - LARGE_BIT as u64) << LARGE_BIT };
        place += 1;
    }
    parts
}

/// Of each place, that of the mirror image of the piece. What is two columns wide begins in its
/// left one, and the image's left one is its right; there is none in the last column. As many as a
/// byte tells apart, so that none is looked for in vain.
const MIRROR: [u8; 256] = {
    let mut mirror = [0; 256];
    let mut place = 0;
    while place < PLACES {
        let cell = (place % CELLS) ^ (COLUMNS - 1);
        let cell = if KINDS[place / CELLS].wide { cell.saturating_sub(1) } else { cell };
        mirror[place] = (place - place % CELLS + cell) as u8;
        place += 1;
    }
    mirror
};

/// In how many ways a 2x2, as many dominoes that stand as the number of the row says, and as many
/// that lie as that of the column says, can be put on the board.
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

/// A move: the numbers of the places that the piece leaves and comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slid {
    from: u8,
    to: u8,
}

/// The first cells of the pieces of each kind.
#[inline(always)]
fn cells(state: u64) -> [u32; 4] {
    let field = |kind: u32| (state >> (kind * FIELD)) as u32 & ALL;
    [field(0), field(1), field(2), 1 << large(state)]
}

/// The number of the 2x2's first cell.
#[inline(always)]
fn large(state: u64) -> usize {
    (state >> (LARGE as u32 * FIELD)) as usize
}

impl<M: Reach> Space<M> {
    /// The space from a layout on; `None` if it is not one of [classic
    /// pieces](Instance::is_of_classic_pieces).
    pub fn new(layout: &Instance) -> Option<Self> {
        if !layout.is_of_classic_pieces() {
            return None;
        }
        let blanks = layout.board().cells().iter().filter(|&&cell| cell == BLANK).count();
        let of_two_blanks = (blanks == 2).then(of_two_blanks::<M>);
        let space = Self {
            start: 0,
            blanks,
            of_two_blanks,
            exit: layout.goals()[0].first,
            metric: PhantomData,
        };
        Some(Self { start: space.pack(layout.board()), ..space })
    }

    /// Shows each move that `last` does not make pointless.
    ///
    /// A piece that has just moved need not move again, by any way in the rectilinear metric, along
    /// the same line in the straight one, and back in the unit one: what that leads to, a move from
    /// the board before led to as well.
    #[inline(always)]
    fn moves<B>(
        &self,
        state: u64,
        last: Option<Slid>,
        emit: impl FnMut(Slid) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let placed = cells(state);
        let free = ALL & !(0..4).fold(0, |covered, kind| covered | KINDS[kind].cells(placed[kind]));
        // Of two blanks, as most layouts have, all has been worked out before.
        match self.of_two_blanks {
            Some(all) => {
                let known = &all[pair(free)];
                let targets = |place: usize| known.targets[place].iter();
                slides::<M, _, _>(state, known.movable, last, targets, emit)
            }
            None => {
                let targets = |place: usize| {
                    let (of_kind, from) = (place / CELLS * CELLS, 1 << (place % CELLS));
                    let mut left = reach(M::METRIC, self.blanks, place / CELLS, free, from);
                    from_fn(move || {
                        let cell = (left != 0).then(|| left.trailing_zeros())?;
                        left &= left - 1;
                        Some(of_kind as u8 + cell as u8)
                    })
                };
                slides::<M, _, _>(state, Movable::with(free), last, targets, emit)
            }
        }
    }
}

/// Shows the moves of all pieces that can move; `targets` are the places that a piece at a place
/// can get to.
#[inline(always)]
fn slides<M: Reach, T: Iterator<Item = u8>, B>(
    state: u64,
    movable: Movable,
    last: Option<Slid>,
    targets: impl Fn(usize) -> T,
    mut emit: impl FnMut(Slid) -> ControlFlow<B>,
) -> ControlFlow<B> {
    // One loop over the pieces of all kinds: how often each of four would turn cannot be guessed.
    let mut left =
        state & movable.others | u64::from(movable.large >> large(state) & 1) << LARGE_BIT;
    // Nor can be whether a piece is the one that has moved, so that one is left to the end.
    left &= !last.map_or(0, |last| 1 << last.bit());
    while left != 0 {
        let bit = left.trailing_zeros();
        left &= left - 1;
        let from = bit as usize + if bit == LARGE_BIT { large(state) } else { 0 };
        for to in targets(from) {
            emit(Slid { from: from as u8, to })?;
        }
    }
    match last {
        Some(last) if M::METRIC != Metric::Rectilinear => targets(last.to.into())
            .filter(|&to| !last.makes_pointless::<M>(to))
            .try_for_each(|to| emit(Slid { from: last.to, to })),
        _ => ControlFlow::Continue(()),
    }
}

/// The cells of pieces that can go at least a cell in some direction.
#[derive(Clone, Copy, Debug)]
struct Movable {
    /// Those of all kinds but the 2x2, where the state has them.
    others: u64,
    large: u32,
}

impl Movable {
    #[inline(always)]
    fn with(free: u32) -> Self {
        let of =
            |kind: usize| (0..WAYS).fold(0, |all, way| all | KINDS[kind].movable(free, way)) & ALL;
        let field = |kind: usize| u64::from(of(kind)) << (kind as u32 * FIELD);
        Self { others: field(0) | field(1) | field(2), large: of(LARGE) }
    }
}

/// What can move where with two certain blanks.
#[derive(Clone, Copy, Debug)]
struct Moves {
    movable: Movable,
    /// By place; of one where no piece can be, anything.
    targets: [Targets; PLACES],
}

/// The places that a piece can get to with two blanks, which are two at most: each plus one, in a
/// byte, from the lowest up.
#[derive(Clone, Copy, Debug)]
struct Targets(u16);

impl Targets {
    #[inline(always)]
    fn iter(self) -> impl Iterator<Item = u8> {
        let mut left = self.0;
        from_fn(move || {
            let place = (left as u8).checked_sub(1)?;
            left >>= 8;
            Some(place)
        })
    }
}

/// How many numbers of two blanks.
const PAIRS: usize = CELLS * CELLS;

/// The number of two blanks: twenty times that of the first and that of the last.
#[inline(always)]
fn pair(free: u32) -> usize {
    let pair = free.trailing_zeros() as usize * CELLS + (31 - free.leading_zeros()) as usize;
    // Without a check that it is one.
    pair.min(PAIRS - 1)
}

/// The moves with each two blanks, by [`pair`]: 10,000 of them, worked out in a fifth of a
/// millisecond when first asked for.
fn of_two_blanks<M: Reach>() -> &'static [Moves; PAIRS] {
    type All = LazyLock<Box<[Moves; PAIRS]>>;
    fn all(metric: Metric) -> Box<[Moves; PAIRS]> {
        let none =
            Moves { movable: Movable { others: 0, large: 0 }, targets: [Targets(0); PLACES] };
        let mut all = Box::new([none; PAIRS]);
        for (first, last) in (0..CELLS).flat_map(|last| (0..last).map(move |first| (first, last))) {
            let free = 1 << first | 1 << last;
            let targets = |place: usize| {
                let reach = reach(metric, 2, place / CELLS, free, 1 << (place % CELLS));
                let cells = (0..CELLS).filter(|cell| reach >> cell & 1 == 1);
                let places = cells.map(|cell| (place / CELLS * CELLS + cell) as u16);
                Targets(places.rev().fold(0, |targets, place| targets << 8 | (place + 1)))
            };
            all[pair(free)] =
                Moves { movable: Movable::with(free), targets: std::array::from_fn(targets) };
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

/// All cells that a piece of a kind can get to from another by a move.
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
        Metric::Rectilinear => {
            (0..blanks).fold(from, |reached, _| reached | along(reached) | aside(reached))
        }
        Metric::Straight => {
            let rows = (0..blanks).fold(from, |reached, _| reached | aside(reached));
            (0..blanks).fold(from, |reached, _| reached | along(reached)) | rows
        }
        Metric::Unit => along(from) | aside(from),
    };
    reached & !from
}

impl Slid {
    #[inline(always)]
    fn places(self) -> (usize, usize) {
        (self.from.into(), self.to.into())
    }

    /// The bit of the piece that has moved, among those [`Movable`].
    #[inline(always)]
    fn bit(self) -> u32 {
        u32::from(self.to).min(LARGE_BIT)
    }

    /// Whether the piece need not move to a place now.
    #[inline(always)]
    fn makes_pointless<M: Reach>(self, next: u8) -> bool {
        // All kinds have five rows of four cells.
        let row = |place: u8| place / COLUMNS as u8;
        let column = |place: u8| place % COLUMNS as u8;
        match M::METRIC {
            Metric::Rectilinear => true,
            Metric::Straight if row(self.from) == row(self.to) => row(next) == row(self.to),
            Metric::Straight => column(next) == column(self.to),
            Metric::Unit => next == self.from,
        }
    }
}

impl<M: Reach> StateSpace for Space<M> {
    type State = u64;
    type Move = Slid;

    const MOVE_PRUNING: MovePruning = MovePruning::TwoStep;

    /// Two fifths of the boards that have the same pieces: as much as the classics reach of them.
    fn expected_states(&self) -> usize {
        let [singles, standing, lying, _] = cells(self.start).map(u32::count_ones);
        let free = singles as usize + self.blanks;
        let singles =
            (0..singles as usize).fold(1, |ways, single| ways * (free - single) / (single + 1));
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
            let (from, to) = slid.places();
            emit(slid, state ^ AT[from] ^ AT[to])
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
        let [singles, standing, lying, _] = cells(nibbles).map(u64::from);
        // What lies begins in its left column, and the image's left one is its right.
        singles
            | standing << FIELD
            | lying >> 1 << (2 * FIELD)
            | MIRRORED[LARGE_BIT as usize + large(state)]
    }

    #[inline]
    fn image_of_move(&self, slid: Slid) -> Slid {
        Slid { from: MIRROR[usize::from(slid.from)], to: MIRROR[usize::from(slid.to)] }
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
            let (from, to) = slid.places();
            emit(slid, state ^ AT[from] ^ AT[to], image ^ MIRRORED[from] ^ MIRRORED[to])
        })
    }
}

impl<M: Reach> Boards for Space<M> {
    fn is_symmetric(&self) -> bool {
        let exit = LARGE_BIT as usize + self.exit;
        usize::from(MIRROR[exit]) == exit
    }

    fn pack(&self, board: &Board) -> u64 {
        let part = |piece| {
            let cells = board.cells_of(piece);
            let kind = KINDS.iter().position(|kind| shape(&cells) == Some(kind.shape()))?;
            Some(AT[kind * CELLS + cells[0]])
        };
        board.pieces().into_iter().filter_map(part).fold(0, |state, part| state | part)
    }

    #[inline]
    fn relaxed_distance(&self, state: u64) -> Option<u32> {
        let large = large(state);
        let rows = (self.exit / COLUMNS).abs_diff(large / COLUMNS) as u32;
        let columns = (self.exit % COLUMNS).abs_diff(large % COLUMNS) as u32;
        Some(match M::METRIC {
            Metric::Rectilinear => (rows | columns).min(1),
            Metric::Straight => rows.min(1) + columns.min(1),
            Metric::Unit => rows + columns,
        })
    }

    fn moved(&self, state: u64, next: u64) -> Option<(usize, usize)> {
        let (before, after) = (cells(state), cells(next));
        let mut kinds = (0..KINDS.len()).filter(|&kind| before[kind] != after[kind]);
        let (Some(kind), None) = (kinds.next(), kinds.next()) else { return None };
        let (left, reached) = (before[kind] & !after[kind], after[kind] & !before[kind]);
        let one = left.is_power_of_two() && reached.is_power_of_two();
        one.then(|| (left.trailing_zeros() as usize, reached.trailing_zeros() as usize))
    }

    fn pieces(&self, state: u64) -> Vec<(usize, usize)> {
        let each = |set: u32| (0..CELLS).filter(move |cell| set >> cell & 1 == 1);
        let numbered = cells(state).into_iter().enumerate();
        numbered.flat_map(|(kind, set)| each(set).map(move |cell| (kind, cell))).collect()
    }
}
