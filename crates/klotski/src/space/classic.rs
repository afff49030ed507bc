//! The classic boards in words of 64 bits. A few shifts give the moves of all pieces of one shape.
//!
//! ```
//! use fewest_klotski::{Instance, space::{BoardSpace, Rectilinear, classic::Space}};
//!
//! let instance = Instance::read(b"aCCb/aCCb/cdde/cfge/h..i").next().unwrap().unwrap();
//! let space = Space::<Rectilinear>::new(&instance).unwrap();
//! let (singles, vertical) = (0b1001_0110_0000_0000_0000, 0b1001_0000_1001);
//! let (horizontal, large) = (0b0010_0000_0000, 1);
//! let state = singles | vertical << 20 | horizontal << 40 | large << 60;
//! assert_eq!(space.pack(instance.board()), state);
//! ```

use std::iter::from_fn;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use fewest_core::{Predecessors, Pruning, StateSpace, Symmetric, Tags};

use super::{BoardSpace, StaticMetric};
use crate::board::{BLANK, Board};
use crate::instance::Instance;
use crate::layout::{CELLS, COLUMNS, shape_of};
use crate::plan::Metric;

const WIDTH: u32 = COLUMNS as u32;
const ALL: u32 = (1 << CELLS) - 1;
const FIRST_COLUMN: u32 = ALL / 15;
const LAST_COLUMN: u32 = FIRST_COLUMN << (WIDTH - 1);
const FIRST_TWO_COLUMNS: u32 = FIRST_COLUMN | FIRST_COLUMN << 1;

/// The space of all boards with the pieces of one instance.
///
/// A state holds the first cells of the pieces. A set of cells has one bit per cell, in reading
/// order from the lowest bit up.
///
/// | bits | content |
/// | --- | --- |
/// | 0 to 19 | the set of the first cells of the singles |
/// | 20 to 39 | the set of the first cells of the vertical dominoes (2x1) |
/// | 40 to 59 | the set of the first cells of the horizontal dominoes (1x2) |
/// | 60 to 63 | the index of the first cell of the 2x2 piece |
///
/// Every move can be undone. If the goal is in the middle columns, the mirror image of a move is a
/// move in each metric.
#[derive(Clone, Copy, Debug)]
pub struct Space<M> {
    start: u64,
    blank_count: usize,
    two_blank_moves: Option<&'static [TwoBlankMoves; PAIRS]>,
    /// The first cell of the 2x2 piece when the puzzle is solved.
    goal_cell: usize,
    metric: PhantomData<M>,
}

/// The number of directions: 0 is north, 1 east, 2 south and 3 west.
const DIRECTIONS: usize = 4;

/// The shape of a piece: one or two rows, one or two columns.
#[derive(Clone, Copy)]
struct PieceShape {
    tall: bool,
    wide: bool,
}

/// The shapes in the order of their fields in a state. The field of shape `n` starts at bit `20 n`.
const PIECE_SHAPES: [PieceShape; 4] = [
    PieceShape { tall: false, wide: false },
    PieceShape { tall: true, wide: false },
    PieceShape { tall: false, wide: true },
    PieceShape { tall: true, wide: true },
];
/// The index of the 2x2 shape.
const LARGE: usize = 3;

/// The number of bits of the field of a shape.
const FIELD_BITS: u32 = CELLS as u32;
/// The first bit of the field of the 2x2 piece, which holds an index instead of a set.
const LARGE_BIT: u32 = LARGE as u32 * FIELD_BITS;

/// The number of placements. A placement is a shape and a first cell; its index is 20 times the
/// index of the shape plus the index of the cell.
const PLACEMENTS: usize = PIECE_SHAPES.len() * CELLS;

impl PieceShape {
    fn rows_and_columns(self) -> (usize, usize) {
        (1 + usize::from(self.tall), 1 + usize::from(self.wide))
    }

    /// The cells that pieces of this shape cover, given the set of their first cells.
    #[inline(always)]
    fn covered(self, first_cells: u32) -> u32 {
        let tall = if self.tall { first_cells | first_cells << WIDTH } else { first_cells };
        if self.wide { tall | tall << 1 } else { tall }
    }

    /// The first cells from which a piece of this shape can move by one cell in a direction, onto
    /// blanks only.
    #[inline(always)]
    fn movable(self, blanks: u32, direction: usize) -> u32 {
        let across_row = |cells: u32| if self.wide { cells & cells >> 1 } else { cells };
        let across_column = |cells: u32| if self.tall { cells & cells >> WIDTH } else { cells };
        match direction {
            0 => across_row(blanks << WIDTH),
            1 => across_column(if self.wide {
                blanks >> 2 & FIRST_TWO_COLUMNS
            } else {
                blanks >> 1 & !LAST_COLUMN
            }),
            2 => across_row(if self.tall { blanks >> (2 * WIDTH) } else { blanks >> WIDTH }),
            _ => across_column(blanks << 1 & !FIRST_COLUMN),
        }
    }
}

/// The bits of a state that represent a piece, by placement.
const STATE_BITS: [u64; PLACEMENTS] = bits_by_placement(false);
/// The bits of the mirror image of a state that represent a piece, by placement of the piece.
const IMAGE_BITS: [u64; PLACEMENTS] = bits_by_placement(true);

const fn bits_by_placement(mirrored: bool) -> [u64; PLACEMENTS] {
    let mut bits = [0; PLACEMENTS];
    let mut placement = 0;
    while placement < PLACEMENTS {
        let index = if mirrored { MIRROR[placement] as u32 } else { placement as u32 };
        bits[placement] = if index < LARGE_BIT {
            1 << index
        } else {
            (index as u64 - LARGE_BIT as u64) << LARGE_BIT
        };
        placement += 1;
    }
    bits
}

/// The placement of the mirror image of a piece, by placement of the piece.
///
/// The first cell of a piece of two columns is in its left column, and the left column of the
/// image is the image of its right column. Such a piece has no placement with the first cell in
/// the last column. The length of 256 lets a byte index the table without a bounds check.
const MIRROR: [u8; 256] = {
    let mut mirror = [0; 256];
    let mut placement = 0;
    while placement < PLACEMENTS {
        let cell = (placement % CELLS) ^ (COLUMNS - 1);
        let cell = if PIECE_SHAPES[placement / CELLS].wide { cell.saturating_sub(1) } else { cell };
        mirror[placement] = (placement - placement % CELLS + cell) as u8;
        placement += 1;
    }
    mirror
};

/// The number of skeletons: `SKELETON_COUNTS[vertical][horizontal]` for these numbers of vertical
/// and horizontal dominoes. A skeleton is a placement of the 2x2 piece and the dominoes on the
/// classic board.
#[rustfmt::skip]
pub const SKELETON_COUNTS: [[u32; 9]; 9] = [
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

/// A move: the placements of the piece before and after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassicMove {
    from: u8,
    to: u8,
}

/// The sets of the first cells of the pieces, by shape.
#[inline(always)]
fn first_cells(state: u64) -> [u32; 4] {
    let field = |shape: u32| (state >> (shape * FIELD_BITS)) as u32 & ALL;
    [field(0), field(1), field(2), 1 << large_cell(state)]
}

/// The first cell of the 2x2 piece.
#[inline(always)]
fn large_cell(state: u64) -> usize {
    (state >> (LARGE as u32 * FIELD_BITS)) as usize
}

impl<M: StaticMetric> Space<M> {
    /// The space of an instance; `None` if its pieces are not
    /// [classic](Instance::is_of_classic_pieces).
    pub fn new(instance: &Instance) -> Option<Self> {
        if !instance.is_of_classic_pieces() {
            return None;
        }
        let blank_count = instance.board().cells().iter().filter(|&&cell| cell == BLANK).count();
        let two_blank_moves = (blank_count == 2).then(two_blank_moves::<M>);
        let space = Self {
            start: 0,
            blank_count,
            two_blank_moves,
            goal_cell: instance.goals()[0].first,
            metric: PhantomData,
        };
        Some(Self { start: space.pack(instance.board()), ..space })
    }

    /// Emits each move from `state` that is not pruned after the move `last`.
    ///
    /// The pruned moves are those of the piece that `last` moved: all of them in the rectilinear
    /// metric, those along the same line in the straight metric, and the inverse of `last` in the
    /// unit metric. A pruned move leads to the state before `last`, or to a successor of that
    /// state.
    #[inline(always)]
    fn moves<B>(
        &self,
        state: u64,
        last: Option<ClassicMove>,
        emit: impl FnMut(ClassicMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let first_cells = first_cells(state);
        let covered = (0..4)
            .fold(0, |covered, shape| covered | PIECE_SHAPES[shape].covered(first_cells[shape]));
        let blanks = ALL & !covered;
        // Most layouts have two blanks, and for those all moves are precomputed.
        match self.two_blank_moves {
            Some(all) => {
                let known = &all[pair_index(blanks)];
                let targets = |placement: usize| known.targets[placement].iter();
                emit_moves::<M, _, _>(state, known.movable, last, targets, emit)
            }
            None => {
                let targets = |placement: usize| {
                    let (shape, from) = (placement / CELLS, 1 << (placement % CELLS));
                    let base = shape * CELLS;
                    let mut left = reachable(M::METRIC, self.blank_count, shape, blanks, from);
                    from_fn(move || {
                        let cell = (left != 0).then(|| left.trailing_zeros())?;
                        left &= left - 1;
                        Some(base as u8 + cell as u8)
                    })
                };
                emit_moves::<M, _, _>(state, Movable::new(blanks), last, targets, emit)
            }
        }
    }
}

/// Emits the moves of all movable pieces; `targets` returns the placements that a piece can move to
/// from a placement.
#[inline(always)]
fn emit_moves<M: StaticMetric, T: Iterator<Item = u8>, B>(
    state: u64,
    movable: Movable,
    last: Option<ClassicMove>,
    targets: impl Fn(usize) -> T,
    mut emit: impl FnMut(ClassicMove) -> ControlFlow<B>,
) -> ControlFlow<B> {
    // One loop over the pieces of all shapes: the branch at the end of a loop per shape would be
    // mispredicted.
    let mut left =
        state & movable.others | u64::from(movable.large >> large_cell(state) & 1) << LARGE_BIT;
    // The last moved piece comes after the loop, since a test for it inside would be mispredicted.
    left &= !last.map_or(0, |last| 1 << last.bit());
    while left != 0 {
        let bit = left.trailing_zeros();
        left &= left - 1;
        let from = bit as usize + if bit == LARGE_BIT { large_cell(state) } else { 0 };
        for to in targets(from) {
            emit(ClassicMove { from: from as u8, to })?;
        }
    }
    match last {
        Some(last) if M::METRIC != Metric::Rectilinear => targets(last.to.into())
            .filter(|&to| !last.prunes::<M>(to))
            .try_for_each(|to| emit(ClassicMove { from: last.to, to })),
        _ => ControlFlow::Continue(()),
    }
}

/// The first cells from which a piece can move by at least one cell in some direction.
#[derive(Clone, Copy, Debug)]
struct Movable {
    /// For all shapes except 2x2, in the fields of a state.
    others: u64,
    /// For the 2x2 piece.
    large: u32,
}

impl Movable {
    #[inline(always)]
    fn new(blanks: u32) -> Self {
        let movable = |shape: usize| {
            (0..DIRECTIONS)
                .fold(0, |all, direction| all | PIECE_SHAPES[shape].movable(blanks, direction))
                & ALL
        };
        let field = |shape: usize| u64::from(movable(shape)) << (shape as u32 * FIELD_BITS);
        Self { others: field(0) | field(1) | field(2), large: movable(LARGE) }
    }
}

/// The moves with two given blanks.
#[derive(Clone, Copy, Debug)]
struct TwoBlankMoves {
    movable: Movable,
    /// By placement; the entry is arbitrary if no piece can have the placement.
    targets: [Targets; PLACEMENTS],
}

/// The targets of a piece, at most two when there are two blanks: the placements that it can move
/// to. Each takes a byte that holds its index plus one, in ascending order from the lowest byte up.
#[derive(Clone, Copy, Debug)]
struct Targets(u16);

impl Targets {
    #[inline(always)]
    fn iter(self) -> impl Iterator<Item = u8> {
        let mut left = self.0;
        from_fn(move || {
            let placement = (left as u8).checked_sub(1)?;
            left >>= 8;
            Some(placement)
        })
    }
}

/// The number of indices of pairs of blanks.
const PAIRS: usize = CELLS * CELLS;

/// The index of a pair of blanks: 20 times the index of the first plus the index of the last.
#[inline(always)]
fn pair_index(blanks: u32) -> usize {
    let index = blanks.trailing_zeros() as usize * CELLS + (31 - blanks.leading_zeros()) as usize;
    // The minimum saves a bounds check.
    index.min(PAIRS - 1)
}

/// The moves for each pair of blanks, by [`pair_index`]: 10,000 moves, computed on first use in a
/// fifth of a millisecond.
fn two_blank_moves<M: StaticMetric>() -> &'static [TwoBlankMoves; PAIRS] {
    type Table = LazyLock<Box<[TwoBlankMoves; PAIRS]>>;
    fn table(metric: Metric) -> Box<[TwoBlankMoves; PAIRS]> {
        let none = TwoBlankMoves {
            movable: Movable { others: 0, large: 0 },
            targets: [Targets(0); PLACEMENTS],
        };
        let mut table = Box::new([none; PAIRS]);
        for (first, last) in (0..CELLS).flat_map(|last| (0..last).map(move |first| (first, last))) {
            let blanks = 1 << first | 1 << last;
            let targets = |placement: usize| {
                let (shape, from) = (placement / CELLS, 1 << (placement % CELLS));
                let reachable = reachable(metric, 2, shape, blanks, from);
                let cells = (0..CELLS).filter(|cell| reachable >> cell & 1 == 1);
                let placements = cells.map(|cell| (shape * CELLS + cell) as u16);
                Targets(
                    placements.rev().fold(0, |targets, placement| targets << 8 | (placement + 1)),
                )
            };
            table[pair_index(blanks)] = TwoBlankMoves {
                movable: Movable::new(blanks),
                targets: std::array::from_fn(targets),
            };
        }
        table
    }
    static RECTILINEAR: Table = LazyLock::new(|| table(Metric::Rectilinear));
    static STRAIGHT: Table = LazyLock::new(|| table(Metric::Straight));
    static UNIT: Table = LazyLock::new(|| table(Metric::Unit));
    match M::METRIC {
        Metric::Rectilinear => &RECTILINEAR,
        Metric::Straight => &STRAIGHT,
        Metric::Unit => &UNIT,
    }
}

/// The set of first cells that a piece can move to from the first cell `from`, which is a set of
/// one cell.
#[inline(always)]
fn reachable(metric: Metric, blank_count: usize, shape: usize, blanks: u32, from: u32) -> u32 {
    // This uses shifts, possibly by 0, because branches would be mispredicted.
    let PieceShape { tall, wide } = PIECE_SHAPES[shape];
    let (tall, wide) = (WIDTH * u32::from(tall), u32::from(wide));
    let covered = from | from << tall;
    let cells = blanks | covered | covered << wide;
    let fit = cells & cells >> tall;
    let fit = fit & fit >> wide & [ALL, !LAST_COLUMN][wide as usize];
    let vertical = |set: u32| (set << WIDTH | set >> WIDTH) & fit;
    let horizontal = |set: u32| ((set & !LAST_COLUMN) << 1 | (set & !FIRST_COLUMN) >> 1) & fit;
    // A shortest path has at most as many steps as there are blanks, since each step covers a blank
    // that was not covered before.
    let reached = match metric {
        Metric::Rectilinear => (0..blank_count)
            .fold(from, |reached, _| reached | vertical(reached) | horizontal(reached)),
        Metric::Straight => {
            let row = (0..blank_count).fold(from, |reached, _| reached | horizontal(reached));
            (0..blank_count).fold(from, |reached, _| reached | vertical(reached)) | row
        }
        Metric::Unit => vertical(from) | horizontal(from),
    };
    reached & !from
}

impl ClassicMove {
    #[inline(always)]
    fn tag(self) -> u32 {
        u32::from(self.from) | u32::from(self.to) << 8
    }

    #[inline(always)]
    fn of_tag(tag: u32) -> Self {
        Self { from: tag as u8, to: (tag >> 8) as u8 }
    }

    #[inline(always)]
    fn placements(self) -> (usize, usize) {
        (self.from.into(), self.to.into())
    }

    /// The bit of the moved piece in the fields of [`Movable`].
    #[inline(always)]
    fn bit(self) -> u32 {
        u32::from(self.to).min(LARGE_BIT)
    }

    /// Whether a move of the same piece to the placement `next` is pruned after this move.
    #[inline(always)]
    fn prunes<M: StaticMetric>(self, next: u8) -> bool {
        // Rows are numbered across all shapes, which have five rows of four cells each.
        let row = |placement: u8| placement / COLUMNS as u8;
        let column = |placement: u8| placement % COLUMNS as u8;
        match M::METRIC {
            Metric::Rectilinear => true,
            Metric::Straight if row(self.from) == row(self.to) => row(next) == row(self.to),
            Metric::Straight => column(next) == column(self.to),
            Metric::Unit => next == self.from,
        }
    }
}

impl<M: StaticMetric> StateSpace for Space<M> {
    type State = u64;
    type Move = ClassicMove;

    const PRUNING: Pruning<ClassicMove> =
        Pruning::TwoStep(Tags { to: ClassicMove::tag, from: ClassicMove::of_tag });

    /// Two fifths of all boards with the same pieces; about this share is reachable in the forty
    /// classic layouts.
    fn expected_states(&self) -> usize {
        let [singles, vertical, horizontal, _] = first_cells(self.start).map(u32::count_ones);
        let free = singles as usize + self.blank_count;
        let single_placements =
            (0..singles as usize).fold(1, |count, single| count * (free - single) / (single + 1));
        let counts = &SKELETON_COUNTS[vertical as usize];
        let skeletons = counts.get(horizontal as usize).copied().unwrap_or(0);
        skeletons as usize * single_placements * 2 / 5
    }

    fn initial(&self, mut emit: impl FnMut(u64)) {
        emit(self.start);
    }

    #[inline]
    fn is_goal(&self, state: u64) -> bool {
        large_cell(state) == self.goal_cell
    }

    #[inline]
    fn successors<B>(
        &self,
        state: u64,
        last: Option<ClassicMove>,
        mut emit: impl FnMut(ClassicMove, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.moves(state, last, |by| {
            let (from, to) = by.placements();
            emit(by, state ^ STATE_BITS[from] ^ STATE_BITS[to])
        })
    }
}

impl<M: StaticMetric> Predecessors for Space<M> {
    const UNDIRECTED: bool = true;
}

/// The mirror image exchanges left and right.
impl<M: StaticMetric> Symmetric for Space<M> {
    #[inline]
    fn image(&self, state: u64, _symmetry: u32) -> u64 {
        // A row is a nibble, so reversing the bits of each nibble mirrors all sets.
        let pairs = (state & 0x5555_5555_5555_5555) << 1 | state >> 1 & 0x5555_5555_5555_5555;
        let nibbles = (pairs & 0x3333_3333_3333_3333) << 2 | pairs >> 2 & 0x3333_3333_3333_3333;
        let [singles, vertical, horizontal, _] = first_cells(nibbles).map(u64::from);
        // The first cell of the image of a horizontal domino is the image of its right cell.
        singles
            | vertical << FIELD_BITS
            | horizontal >> 1 << (2 * FIELD_BITS)
            | IMAGE_BITS[LARGE_BIT as usize + large_cell(state)]
    }

    #[inline]
    fn image_of_move(&self, by: ClassicMove, _symmetry: u32) -> ClassicMove {
        ClassicMove { from: MIRROR[usize::from(by.from)], to: MIRROR[usize::from(by.to)] }
    }

    #[inline]
    fn canonical_successors<B>(
        &self,
        state: u64,
        last: Option<ClassicMove>,
        mut emit: impl FnMut(ClassicMove, ClassicMove, u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let image = self.image(state, 1);
        self.moves(state, last, |by| {
            let (from, to) = by.placements();
            let next = state ^ STATE_BITS[from] ^ STATE_BITS[to];
            let image = image ^ IMAGE_BITS[from] ^ IMAGE_BITS[to];
            // Which is less is unpredictable. With both moves computed in advance, it compiles to
            // conditional moves instead of a branch.
            let mirrored = self.image_of_move(by, 1);
            let (image_of_move, canonical) =
                if next <= image { (by, next) } else { (mirrored, image) };
            emit(by, image_of_move, canonical)
        })
    }
}

impl<M: StaticMetric> BoardSpace for Space<M> {
    fn is_symmetric(&self) -> bool {
        let goal = LARGE_BIT as usize + self.goal_cell;
        usize::from(MIRROR[goal]) == goal
    }

    fn pack(&self, board: &Board) -> u64 {
        let bits = |piece| {
            let cells = board.cells_of(piece);
            let shape = PIECE_SHAPES
                .iter()
                .position(|shape| shape_of(&cells) == Some(shape.rows_and_columns()))?;
            Some(STATE_BITS[shape * CELLS + cells[0]])
        };
        board.pieces().into_iter().filter_map(bits).fold(0, |state, bits| state | bits)
    }

    #[inline]
    fn relaxed_distance(&self, state: u64) -> Option<u32> {
        let large = large_cell(state);
        let rows = (self.goal_cell / COLUMNS).abs_diff(large / COLUMNS) as u32;
        let columns = (self.goal_cell % COLUMNS).abs_diff(large % COLUMNS) as u32;
        Some(match M::METRIC {
            Metric::Rectilinear => (rows | columns).min(1),
            Metric::Straight => rows.min(1) + columns.min(1),
            Metric::Unit => rows + columns,
        })
    }

    fn moved_piece(&self, state: u64, next: u64) -> Option<(usize, usize)> {
        let (before, after) = (first_cells(state), first_cells(next));
        let mut shapes = (0..PIECE_SHAPES.len()).filter(|&shape| before[shape] != after[shape]);
        let (Some(shape), None) = (shapes.next(), shapes.next()) else { return None };
        let (left, reached) = (before[shape] & !after[shape], after[shape] & !before[shape]);
        let is_one_piece = left.is_power_of_two() && reached.is_power_of_two();
        is_one_piece.then(|| (left.trailing_zeros() as usize, reached.trailing_zeros() as usize))
    }

    fn pieces(&self, state: u64) -> Vec<(usize, usize)> {
        let cells = |set: u32| (0..CELLS).filter(move |cell| set >> cell & 1 == 1);
        let by_shape = first_cells(state).into_iter().enumerate();
        by_shape.flat_map(|(shape, set)| cells(set).map(move |cell| (shape, cell))).collect()
    }
}
