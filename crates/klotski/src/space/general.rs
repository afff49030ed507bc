//! Boards of any outline with pieces of any cells. The placements of the pieces are encoded as sets
//! of bits if the word has room, and otherwise as lists of numbers where a list takes fewer bits.
//!
//! A *placement* is a position that a piece can reach on an otherwise empty board.
//!
//! ```
//! use fewest_klotski::{Instance, Metric, space::{BoardSpace, general::Space}};
//!
//! // `A` has 4 placements on this board, and each of the two singles has 9.
//! let puzzle = Instance::read(b"AA./AAb/..c\ngoal: A at 2,2").next().unwrap().unwrap();
//! let space = Space::<u64>::new(&puzzle, Metric::Unit).unwrap();
//! assert_eq!(space.pack(puzzle.board()), 0b1_0010_0000_0001);
//! ```

use std::ops::{BitAnd, BitOr, BitXor, ControlFlow, Not, Range, Shl, Shr};

use fewest_core::{Predecessors, Pruning, StateSpace, Symmetric, Tags, Word};
use fewest_geometry::Direction;

use super::BoardSpace;
use crate::board::{Board, WALL};
use crate::instance::{Axis, Instance};
use crate::plan::Metric;

/// Bits that represent a state, a set of cells or a set of placements.
pub trait Bits:
    Copy
    + Send
    + Sync
    + Eq
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + From<u16>
{
    /// The word of a state in searches. It may have fewer bits, since a board can have more cells
    /// than its states have bits.
    type State: Word;

    /// The number of bits.
    const BITS: u32;
    /// No bit is set.
    const ZERO: Self;

    /// The bits of a state.
    fn of_state(state: Self::State) -> Self;
    /// The state with the lowest bits.
    fn to_state(self) -> Self::State;
    /// The number of the lowest bit that is set; the number of bits of the word if it is 0.
    fn lowest(self) -> u32;
    /// The lowest sixteen bits.
    fn low_bits(self) -> u16;
    /// The word with its lowest set bit cleared; 0 for 0.
    fn without_lowest(self) -> Self;

    /// The numbers of the bits that are set, in ascending order.
    #[inline(always)]
    fn ones(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            let lowest = (self != Self::ZERO).then(|| self.lowest() as usize)?;
            self = self.without_lowest();
            Some(lowest)
        })
    }
}

macro_rules! bits {
    ($($int:ty),*) => {$(
        impl Bits for $int {
            type State = Self;

            const BITS: u32 = <$int>::BITS;
            const ZERO: Self = 0;

            #[inline(always)]
            fn of_state(state: Self) -> Self {
                state
            }

            #[inline(always)]
            fn to_state(self) -> Self {
                self
            }

            #[inline(always)]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline(always)]
            fn low_bits(self) -> u16 {
                self as u16
            }

            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    )*};
}

bits!(u64, u128);

/// The space of all boards with the pieces of one puzzle.
///
/// Two pieces are in one class if and only if they have no goals, have the same shape, the same
/// lock and the same gates, and have the same placements. Each class is encoded in one of two
/// forms:
///
/// | form | bits |
/// | --- | --- |
/// | set | one for each placement |
/// | list | for each piece the number of its placement in the fewest bits, in ascending order |
///
/// If sets for all classes fit in a state, all classes are sets, which are faster. Otherwise each
/// class takes the form with fewer bits. The sets start at bit 0, and the lists follow them. Both
/// are in the order of the first pieces of their classes, and the placements of a class are in the
/// order of their first cells. `W` has a bit for each cell that is not a wall.
#[derive(Clone, Debug)]
pub struct Space<W> {
    start: W,
    /// The cells that a piece in a set can move onto.
    set_cells: W,
    /// The bits of all sets.
    set_bits: W,
    lists: Vec<List>,
    /// The list that each bit belongs to, up to the last bit of a list.
    list_of_bit: Vec<Option<List>>,
    classes: Vec<Class>,
    /// The placements of all classes. The number of a placement in a set is that of its bit.
    placements: Vec<Placement<W>>,
    /// For each cell, the placements in sets from which a piece covers it by moving one cell.
    movable_onto: Vec<W>,
    /// The class of each piece.
    pieces: Vec<(char, usize)>,
    goals: Vec<PackedGoal<W>>,
    is_symmetric: bool,
    metric: Metric,
}

/// How a class of interchangeable pieces is encoded.
#[derive(Clone, Debug)]
struct Class {
    piece_count: u32,
    /// The numbers of its placements.
    placements: Range<usize>,
    /// `None` if the class is a set.
    list: Option<List>,
}

/// A class that is encoded as a list.
#[derive(Clone, Copy, Debug)]
struct List {
    /// The number of the first placement of the class.
    first_placement: usize,
    /// The first bit of the list in a state.
    first_bit: u32,
    /// The number of bits per piece.
    piece_bits: u32,
    piece_count: u32,
}

/// A placement of the pieces of a class.
#[derive(Clone, Copy, Debug)]
struct Placement<W> {
    /// The cells that the piece covers.
    cells: W,
    /// The cells that the piece newly covers when it moves one cell to the north, east, south or
    /// west.
    entered: [W; 4],
    /// The placements one cell to the north, east, south and west; the placement itself where there
    /// is none.
    neighbours: [u16; 4],
    /// The number of the placement that bit 0 stands for in a set of placements of this class.
    base: u16,
    /// The index of the list that has to stay sorted when the piece moves; `None` for a set and for
    /// a list of one piece.
    list: Option<u16>,
    /// The bits of a state that represent the piece, unless it is in a list of several pieces.
    state_bits: W,
    /// The bits that represent the mirror image of the piece, with the same exception.
    image_bits: W,
    /// The placement of the mirror image.
    image: u16,
    /// The number of the first cell on the board. It may be much greater than the number of bits of
    /// the word, since it counts walls.
    first_cell: u32,
    /// The column of the first cell.
    column: u32,
}

/// The goal of a piece. A piece with a goal is the only one of its class.
#[derive(Clone, Debug)]
struct PackedGoal<W> {
    class: usize,
    /// The placement at the goal; `None` if the piece cannot reach it.
    placement: Option<usize>,
    /// The bits of the class in a state.
    mask: W,
    /// The values of these bits when the piece is at its goal.
    bits: W,
    /// The number of moves to the goal from each placement of the class on an otherwise empty
    /// board.
    distances: Vec<Option<u32>>,
}

impl<W: Bits> PackedGoal<W> {
    /// In place of the goals of a puzzle that has none: no state has it.
    fn unreachable() -> Self {
        let (mask, bits) = (W::ZERO, W::from(1));
        Self { class: 0, placement: None, mask, bits, distances: Vec::new() }
    }
}

/// A move: the placements of the piece before and after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeneralMove {
    from: u16,
    to: u16,
}

impl GeneralMove {
    #[inline(always)]
    fn tag(self) -> u32 {
        u32::from(self.from) | u32::from(self.to) << 16
    }

    #[inline(always)]
    fn of_tag(tag: u32) -> Self {
        Self { from: tag as u16, to: (tag >> 16) as u16 }
    }
}

impl List {
    /// The bits of the list in a state.
    fn bit_range(&self) -> Range<u32> {
        self.first_bit..self.first_bit + self.piece_count * self.piece_bits
    }

    /// The placement at an index of the list.
    #[inline(always)]
    fn placement(&self, state: impl Bits, index: u32) -> usize {
        self.first_placement + usize::from(self.entry(state, index))
    }

    /// The placement at an index of the list, relative to the first of the class.
    #[inline(always)]
    fn entry(&self, state: impl Bits, index: u32) -> u16 {
        (state >> (self.first_bit + index * self.piece_bits)).low_bits()
            & ((1u32 << self.piece_bits) - 1) as u16
    }

    /// The state with one more piece, if it has the first `present` pieces of the list.
    fn inserted<W: Bits>(&self, state: W, present: u32, placement: usize) -> W {
        let entry = W::from((placement - self.first_placement) as u16);
        let state = state | entry << (self.first_bit + present * self.piece_bits);
        let greater = (0..present)
            .rev()
            .take_while(|&index| self.placement(state, index) > placement)
            .count() as u32;
        (present - greater..present).rev().fold(state, |state, index| self.swapped(state, index))
    }

    /// The state after a piece moves from a placement to another.
    #[inline(always)]
    fn moved<W: Bits>(&self, state: W, from: usize, to: usize) -> W {
        let mut index =
            (0..self.piece_count).find(|&index| self.placement(state, index) == from).unwrap_or(0);
        let difference = (from - self.first_placement) as u16 ^ (to - self.first_placement) as u16;
        let mut moved = state ^ (W::from(difference) << (self.first_bit + index * self.piece_bits));
        while index > 0 && self.placement(moved, index - 1) > to {
            index -= 1;
            moved = self.swapped(moved, index);
        }
        while index + 1 < self.piece_count && self.placement(moved, index + 1) < to {
            moved = self.swapped(moved, index);
            index += 1;
        }
        moved
    }

    /// The state with the entries at an index and the next one swapped.
    #[inline(always)]
    fn swapped<W: Bits>(&self, state: W, index: u32) -> W {
        let difference = W::from(self.entry(state, index) ^ self.entry(state, index + 1));
        state
            ^ (difference << (self.first_bit + index * self.piece_bits))
            ^ (difference << (self.first_bit + (index + 1) * self.piece_bits))
    }
}

impl Class {
    /// Chooses the forms of all classes, given the number of pieces and of placements of each.
    /// `None` if they do not fit in a word of `bits` bits.
    ///
    /// Sets come first, so the first placement of a set has the number of its first bit.
    fn encode_all(sizes: &[(usize, usize)], bits: u32) -> Option<Vec<Self>> {
        // A piece with one placement takes 0 bits.
        let piece_bits = |placements: usize| usize::BITS - (placements - 1).leading_zeros();
        let all_sets =
            sizes.iter().map(|(_, placements)| placements).sum::<usize>() <= bits as usize;
        let is_set = |&(pieces, placements): &(usize, usize)| {
            all_sets || piece_bits(placements) as usize * pieces >= placements
        };
        let (mut next_placement, mut next_bit) = (0, 0);
        let (sets, lists): (Vec<_>, Vec<_>) =
            sizes.iter().enumerate().partition(|(_, size)| is_set(size));
        let mut classes = vec![None; sizes.len()];
        for (class, &size) in sets.into_iter().chain(lists) {
            let (piece_count, placements) = (size.0 as u32, size.1);
            let list = (!is_set(&size)).then(|| {
                let piece_bits = piece_bits(placements);
                // A list without bits starts at bit 0, since `next_bit` is beyond the last bit of
                // the word if the word is full.
                let first_bit = if piece_bits == 0 { 0 } else { next_bit };
                List { first_placement: next_placement, first_bit, piece_bits, piece_count }
            });
            let range = next_placement..next_placement + placements;
            classes[class] = Some(Self { piece_count, placements: range, list });
            next_placement += placements;
            next_bit += list.map_or(placements as u32, |list| list.piece_bits * piece_count);
        }
        if next_bit > bits { None } else { classes.into_iter().collect() }
    }
}

/// What distinguishes the classes: pieces of equal kind are interchangeable.
#[derive(PartialEq)]
pub(crate) struct PieceKind {
    /// The character of the piece if it has a goal, so that no other piece is of the same kind.
    goal: Option<char>,
    lock: Option<Axis>,
    gates: Vec<usize>,
    /// The rows and columns of the cells relative to the first cell.
    shape: Vec<(isize, isize)>,
    /// The first cells of all placements, in ascending order.
    pub(crate) first_cells: Vec<usize>,
}

impl PieceKind {
    /// The kinds of all pieces of a puzzle, each with its pieces, in the order of the first pieces.
    pub(crate) fn all(instance: &Instance) -> Vec<(Self, Vec<char>)> {
        let mut kinds: Vec<(Self, Vec<char>)> = Vec::new();
        for piece in instance.board().pieces() {
            let kind = Self::of(instance, piece);
            match kinds.iter_mut().find(|(other, _)| *other == kind) {
                Some((_, pieces)) => pieces.push(piece),
                None => kinds.push((kind, vec![piece])),
            }
        }
        kinds
    }

    fn of(instance: &Instance, piece: char) -> Self {
        let (board, lock) = (instance.board(), instance.lock(piece));
        let cells = board.cells_of(piece);
        let row_and_column =
            |cell: usize| ((cell / board.columns()) as isize, (cell % board.columns()) as isize);
        let (row, column) = row_and_column(cells[0]);
        let shape = cells
            .iter()
            .map(|&cell| (row_and_column(cell).0 - row, row_and_column(cell).1 - column))
            .collect();
        // A breadth-first search over the first cells.
        let mut first_cells = vec![cells[0]];
        let mut expanded = 0;
        while expanded < first_cells.len() {
            let directions = Direction::ALL
                .into_iter()
                .filter(|&direction| lock.is_none_or(|axis| axis == Axis::of(direction)));
            let next = directions
                .filter_map(|direction| board.neighbour(first_cells[expanded], direction));
            let next: Vec<usize> = next
                .filter(|first| {
                    !first_cells.contains(first) && fits(instance, piece, &cells, *first)
                })
                .collect();
            first_cells.extend(next);
            expanded += 1;
        }
        first_cells.sort_unstable();
        let goal = instance.goals().iter().any(|goal| goal.piece == piece).then_some(piece);
        Self { goal, lock, gates: instance.gates_for(piece), shape, first_cells }
    }
}

/// Whether a piece with these cells fits at a first cell of the board without the other pieces.
fn fits(instance: &Instance, piece: char, cells: &[usize], first: usize) -> bool {
    let board = instance.board();
    let is_open = |&cell: &usize| board.cells()[cell] != WALL && !instance.is_closed(piece, cell);
    board.translated(cells, first).is_some_and(|cells| cells.iter().all(is_open))
}

impl<W: Bits> Space<W> {
    /// The space of a puzzle; `None` if a state, or a set of the cells that are not walls, has too
    /// many bits.
    pub fn new(instance: &Instance, metric: Metric) -> Option<Self> {
        let board = instance.board();
        let open: Vec<usize> =
            (0..board.cells().len()).filter(|&cell| board.cells()[cell] != WALL).collect();
        if open.len() as u32 > W::BITS {
            return None;
        }
        let cell_bit =
            |cell: usize| W::from(1) << open.partition_point(|&other| other < cell) as u32;
        let kinds = PieceKind::all(instance);
        let sizes: Vec<_> =
            kinds.iter().map(|(kind, pieces)| (pieces.len(), kind.first_cells.len())).collect();
        let classes = Class::encode_all(&sizes, W::State::BITS)?;
        let lists: Vec<List> = classes.iter().filter_map(|class| class.list).collect();
        let mut by_placement: Vec<_> = classes.iter().zip(&kinds).collect();
        by_placement.sort_by_key(|(class, _)| class.placements.start);
        let placements = by_placement.into_iter().flat_map(|(class, (kind, pieces))| {
            let list = lists.iter().position(|list| {
                list.first_placement == class.placements.start && list.piece_count > 1
            });
            let list = list.map(|list| list as u16);
            Placement::all(board, class, kind, pieces[0], list, cell_bit)
        });
        let mut placements: Vec<Placement<W>> = placements.collect();
        let goals = instance.goals().iter().filter_map(|goal| {
            let class = kinds.iter().position(|(kind, _)| kind.goal == Some(goal.piece))?;
            let Class { placements: ref range, list, .. } = classes[class];
            // There is no such placement if the piece cannot reach its goal.
            let placement = range
                .clone()
                .find(|&placement| placements[placement].first_cell as usize == goal.first);
            let mask = match list {
                Some(list) => mask(list.first_bit, list.piece_bits),
                None => mask(range.start as u32, range.len() as u32),
            };
            let bits = placement.map_or(!W::ZERO, |placement| placements[placement].state_bits);
            let distances = relaxed_distances(&placements, range, placement, metric);
            Some(PackedGoal { class, placement, mask, bits, distances })
        });
        let mut goals: Vec<PackedGoal<W>> = goals.collect();
        let images = BoardSymmetry::ALL
            .into_iter()
            .find_map(|symmetry| symmetry.images(board, &open, &classes, &placements, &goals));
        if goals.is_empty() {
            goals.push(PackedGoal::unreachable());
        }
        for placement in 0..placements.len() {
            // Without a symmetry, each placement is its own image.
            let image = images.as_ref().map_or(placement, |images| images[placement]);
            (placements[placement].image, placements[placement].image_bits) =
                (image as u16, placements[image].state_bits);
        }
        let mut set_cells = W::ZERO;
        let set_placements = classes
            .iter()
            .filter(|class| class.list.is_none())
            .flat_map(|class| class.placements.clone());
        let mut movable_onto = vec![W::ZERO; W::BITS as usize];
        for placement in set_placements.clone() {
            set_cells = set_cells | placements[placement].all_entered();
            for cell in placements[placement].all_entered().ones() {
                movable_onto[cell] = movable_onto[cell] | placements[placement].state_bits;
            }
        }
        let list_end = lists.iter().map(|list| list.bit_range().end).max().unwrap_or(0);
        let list_of_bit = (0..list_end)
            .map(|bit| lists.iter().find(|list| list.bit_range().contains(&bit)).copied())
            .collect();
        let pieces = kinds.iter().enumerate();
        let pieces =
            pieces.flat_map(|(class, (_, pieces))| pieces.iter().map(move |&piece| (piece, class)));
        let space = Self {
            start: W::ZERO,
            set_cells,
            set_bits: mask(0, set_placements.count() as u32),
            lists,
            list_of_bit,
            placements,
            movable_onto,
            pieces: pieces.collect(),
            goals,
            is_symmetric: images.is_some(),
            metric,
            classes,
        };
        Some(Self { start: W::of_state(space.pack(board)), ..space })
    }

    /// Emits each move from `state` that is not pruned after the move `last`. The same moves are
    /// pruned as on [classic boards](super::classic).
    #[inline(always)]
    fn moves<B>(
        &self,
        state: W,
        last: Option<GeneralMove>,
        mut emit: impl FnMut(GeneralMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let occupied = self.occupied(state);
        let blanks = self.set_cells & !occupied;
        let mut movable =
            blanks.ones().fold(W::ZERO, |movable, cell| movable | self.movable_onto[cell]);
        let moved = last
            .filter(|_| self.metric == Metric::Rectilinear)
            .map_or(usize::MAX, |last| last.to.into());
        // The moved piece is removed here, since a test for it in the loop would be mispredicted.
        let moved_bits = self.placements.get(moved).map_or(W::ZERO, |moved| moved.state_bits);
        movable = movable & state & !moved_bits;
        // A list has at least one bit per piece, unless its pieces cannot move. So the first bits
        // of the list can mark which of its pieces can move.
        for list in &self.lists {
            for index in 0..list.piece_count {
                let placement = list.placement(state, index);
                let can_move = (self.placements[placement].all_entered() & !occupied != W::ZERO)
                    & (placement != moved);
                movable = movable | W::from(u16::from(can_move)) << (list.first_bit + index);
            }
        }
        for bit in movable.ones() {
            let from = match self.list_of_bit.get(bit) {
                Some(&Some(list)) => list.placement(state, bit as u32 - list.first_bit),
                _ => bit,
            };
            self.emit_moves(from, occupied, last, &mut emit)?;
        }
        ControlFlow::Continue(())
    }

    /// The cells that pieces cover.
    #[inline(always)]
    fn occupied(&self, state: W) -> W {
        let placements = (state & self.set_bits).ones();
        let mut occupied = placements
            .fold(W::ZERO, |occupied, placement| occupied | self.placements[placement].cells);
        for list in &self.lists {
            for index in 0..list.piece_count {
                occupied = occupied | self.placements[list.placement(state, index)].cells;
            }
        }
        occupied
    }

    /// Emits the moves of the piece at a placement.
    #[inline(always)]
    fn emit_moves<B>(
        &self,
        from: usize,
        occupied: W,
        last: Option<GeneralMove>,
        emit: &mut impl FnMut(GeneralMove) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let start = &self.placements[from];
        let obstacles = occupied & !start.cells;
        let base = usize::from(start.base);
        let bit = |placement: u16| W::from(1) << (usize::from(placement) - base) as u32;
        // The neighbour in a direction as a set of placements, empty if the piece is blocked.
        let step = |here: &Placement<W>, direction: usize| {
            W::from(u16::from(here.entered[direction] & obstacles == W::ZERO))
                << (usize::from(here.neighbours[direction]) - base) as u32
        };
        let start_bit = bit(from as u16);
        let last = last.filter(|last| usize::from(last.to) == from);
        let mut reached = start_bit;
        // Sets of placements instead of branches on whether a placement is free, which would be
        // mispredicted.
        match self.metric {
            Metric::Rectilinear => {
                let mut open = start_bit;
                while open != W::ZERO {
                    let here = &self.placements[base + open.lowest() as usize];
                    let new = (0..4).fold(W::ZERO, |new, direction| new | step(here, direction))
                        & !reached;
                    (reached, open) = (reached | new, open.without_lowest() | new);
                }
            }
            Metric::Straight => {
                let is_vertical = |last: GeneralMove| {
                    start.column == self.placements[usize::from(last.from)].column
                };
                let pruned = last.map_or(0, |last| if is_vertical(last) { 0b0101 } else { 0b1010 });
                let first = [0, 1, 2, 3].map(|direction| step(start, direction) & !start_bit);
                let is_free =
                    |direction: usize| u32::from(first[direction] != W::ZERO) << direction;
                let mut directions = (0..4)
                    .fold(0, |directions, direction| directions | is_free(direction))
                    & !pruned;
                while directions != 0 {
                    // The remainder saves a bounds check.
                    let direction = directions.trailing_zeros() as usize % 4;
                    directions &= directions - 1;
                    let mut to = first[direction];
                    while to != W::ZERO {
                        reached = reached | to;
                        let here = &self.placements[base + to.lowest() as usize];
                        to = step(here, direction) & !reached;
                    }
                }
            }
            Metric::Unit => {
                reached =
                    (0..4).fold(W::ZERO, |reached, direction| reached | step(start, direction));
                reached = reached & !last.map_or(W::ZERO, |last| bit(last.from));
            }
        }
        let mut to = (reached & !start_bit).ones();
        to.try_for_each(|to| emit(GeneralMove { from: from as u16, to: (base + to) as u16 }))
    }

    /// The state after a move.
    #[inline(always)]
    fn moved(&self, state: W, GeneralMove { from, to }: GeneralMove) -> W {
        let (from, to) = (usize::from(from), usize::from(to));
        match self.placements[from].list {
            None => state ^ self.placements[from].state_bits ^ self.placements[to].state_bits,
            Some(list) => self.lists[usize::from(list)].moved(state, from, to),
        }
    }

    /// The mirror image.
    #[inline(always)]
    fn image_of(&self, state: W) -> W {
        let placements = (state & self.set_bits).ones();
        let mut image = placements
            .fold(W::ZERO, |image, placement| image | self.placements[placement].image_bits);
        for list in &self.lists {
            for index in 0..list.piece_count {
                let placement = &self.placements[list.placement(state, index)];
                let mirrored = usize::from(placement.image);
                image = match self.placements[mirrored].list {
                    None => image | placement.image_bits,
                    Some(list) => self.lists[usize::from(list)].inserted(image, index, mirrored),
                };
            }
        }
        image
    }

    /// The placements of the pieces of a class, in ascending order.
    fn placements_of(&self, class: &Class, state: W) -> Vec<usize> {
        match class.list {
            Some(list) => (0..list.piece_count).map(|index| list.placement(state, index)).collect(),
            None => class
                .placements
                .clone()
                .filter(|&placement| state & self.placements[placement].state_bits != W::ZERO)
                .collect(),
        }
    }

    /// The state with one more piece, if it has `present` pieces of the class.
    fn inserted(&self, class: &Class, state: W, present: u32, placement: usize) -> W {
        match class.list {
            Some(list) => list.inserted(state, present, placement),
            None => state | self.placements[placement].state_bits,
        }
    }
}

/// The number of moves from each placement of a class to the goal on an otherwise empty board, by a
/// breadth-first search from the goal.
fn relaxed_distances<W: Bits>(
    placements: &[Placement<W>],
    class: &Range<usize>,
    goal: Option<usize>,
    metric: Metric,
) -> Vec<Option<u32>> {
    let mut distances = vec![None; class.len()];
    let mut layer = Vec::from_iter(goal);
    layer.iter().for_each(|&goal| distances[goal - class.start] = Some(0));
    for depth in 1u32.. {
        // In the rectilinear metric one move reaches every placement.
        let distance = if metric == Metric::Rectilinear { 1 } else { depth };
        let mut next: Vec<usize> = Vec::new();
        for &from in &layer {
            for direction in 0..4 {
                let ahead = |&here: &usize| {
                    Some(placements[here].neighbours[direction].into()).filter(|&next| next != here)
                };
                let max_cells = if metric == Metric::Unit { 1 } else { placements.len() };
                for placement in std::iter::successors(ahead(&from), ahead).take(max_cells) {
                    if distances[placement - class.start].is_none() {
                        distances[placement - class.start] = Some(distance);
                        next.push(placement);
                    }
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    distances
}

/// A word with `count` set bits, from bit `from` up.
fn mask<W: Bits>(from: u32, count: u32) -> W {
    if count == 0 { W::ZERO } else { (!W::ZERO >> (W::BITS - count)) << from }
}

impl<W: Bits> Placement<W> {
    /// The placements of a class. Their mirror images are not set yet.
    fn all(
        board: &Board,
        class: &Class,
        kind: &PieceKind,
        piece: char,
        list: Option<u16>,
        cell_bit: impl Fn(usize) -> W,
    ) -> Vec<Self> {
        let cells = board.cells_of(piece);
        let covered = |first: usize| {
            let cells = board.translated(&cells, first).unwrap_or_default();
            cells.into_iter().fold(W::ZERO, |covered, cell| covered | cell_bit(cell))
        };
        let placement = |(index, &first): (usize, &usize)| {
            let neighbours = Direction::ALL.map(|direction| {
                let next = board
                    .neighbour(first, direction)
                    .filter(|_| kind.lock.is_none_or(|axis| axis == Axis::of(direction)));
                next.and_then(|next| kind.first_cells.binary_search(&next).ok()).unwrap_or(index)
            });
            let here = covered(first);
            Self {
                cells: here,
                entered: neighbours.map(|next| covered(kind.first_cells[next]) & !here),
                neighbours: neighbours.map(|next| (class.placements.start + next) as u16),
                base: class.list.map_or(0, |_| class.placements.start as u16),
                list,
                state_bits: match class.list {
                    Some(list) => W::from(index as u16) << list.first_bit,
                    None => W::from(1) << (class.placements.start + index) as u32,
                },
                image_bits: W::ZERO,
                image: 0,
                first_cell: first as u32,
                column: (first % board.columns()) as u32,
            }
        };
        kind.first_cells.iter().enumerate().map(placement).collect()
    }

    /// The cells that the piece newly covers when it moves one cell in any direction.
    #[inline(always)]
    fn all_entered(&self) -> W {
        self.entered.into_iter().fold(W::ZERO, |all, entered| all | entered)
    }
}

/// A symmetry of a board that is its own inverse.
#[derive(Clone, Copy)]
enum BoardSymmetry {
    LeftRight,
    UpDown,
    HalfTurn,
    Diagonal,
    AntiDiagonal,
}

impl BoardSymmetry {
    const ALL: [Self; 5] =
        [Self::LeftRight, Self::UpDown, Self::HalfTurn, Self::Diagonal, Self::AntiDiagonal];

    /// The image of a cell; `None` if the symmetry needs a square board and the board is not
    /// square.
    fn image_of_cell(self, board: &Board, cell: usize) -> Option<usize> {
        let (rows, columns) = (board.rows(), board.columns());
        let (row, column) = (cell / columns, cell % columns);
        let (row, column) = match self {
            Self::LeftRight => (row, columns - 1 - column),
            Self::UpDown => (rows - 1 - row, column),
            Self::HalfTurn => (rows - 1 - row, columns - 1 - column),
            Self::Diagonal | Self::AntiDiagonal if rows != columns => return None,
            Self::Diagonal => (column, row),
            Self::AntiDiagonal => (columns - 1 - column, rows - 1 - row),
        };
        Some(row * columns + column)
    }

    /// The image of each placement; `None` unless the symmetry maps open cells onto open cells,
    /// classes onto classes and goals onto goals.
    fn images<W: Bits>(
        self,
        board: &Board,
        open: &[usize],
        classes: &[Class],
        placements: &[Placement<W>],
        goals: &[PackedGoal<W>],
    ) -> Option<Vec<usize>> {
        let bit_images: Option<Vec<u32>> = open
            .iter()
            .map(|&cell| {
                let image = self.image_of_cell(board, cell)?;
                open.binary_search(&image).ok().map(|bit| bit as u32)
            })
            .collect();
        let bit_images = bit_images?;
        let image_of_cells = |cells: W| {
            cells.ones().fold(W::ZERO, |image, bit| image | W::from(1) << bit_images[bit])
        };
        let goal_of =
            |class: usize| goals.iter().find(|goal| goal.class == class).map(|goal| goal.placement);
        // The images of the placements of the class `from`, if they are those of the class `to`.
        let images_in = |from: usize, to: usize| -> Option<Vec<usize>> {
            let (one, other) = (&classes[from], &classes[to]);
            if (one.piece_count, one.placements.len())
                != (other.piece_count, other.placements.len())
            {
                return None;
            }
            let find = |cells: W| {
                other.placements.clone().find(|&placement| placements[placement].cells == cells)
            };
            let images = one
                .placements
                .clone()
                .map(|placement| find(image_of_cells(placements[placement].cells)));
            let images = images.collect::<Option<Vec<usize>>>()?;
            let image = |placement: usize| images[placement - one.placements.start];
            // The neighbours are compared as sets: their directions follow from where they are.
            let sorted = |mut neighbours: [usize; 4]| {
                neighbours.sort_unstable();
                neighbours
            };
            let neighbours = |placement: usize| placements[placement].neighbours.map(usize::from);
            let has_same_neighbours = |placement: usize| {
                sorted(neighbours(placement).map(image)) == sorted(neighbours(image(placement)))
            };
            let is_symmetric = one.placements.clone().all(has_same_neighbours)
                && goal_of(from).map(|goal| goal.map(image)) == goal_of(to);
            is_symmetric.then_some(images)
        };
        let mut all_images = vec![0; placements.len()];
        for (from, class) in classes.iter().enumerate() {
            let images = (0..classes.len()).find_map(|to| images_in(from, to))?;
            all_images[class.placements.clone()].copy_from_slice(&images);
        }
        (0..placements.len())
            .all(|placement| all_images[all_images[placement]] == placement)
            .then_some(all_images)
    }
}

impl<W: Bits> StateSpace for Space<W> {
    type State = W::State;
    type Move = GeneralMove;

    const PRUNING: Pruning<GeneralMove> =
        Pruning::TwoStep(Tags { to: GeneralMove::tag, from: GeneralMove::of_tag });

    fn initial(&self, mut emit: impl FnMut(W::State)) {
        emit(self.start.to_state());
    }

    #[inline]
    fn is_goal(&self, state: W::State) -> bool {
        let state = W::of_state(state);
        self.goals.iter().all(|goal| state & goal.mask == goal.bits)
    }

    #[inline]
    fn successors<B>(
        &self,
        state: W::State,
        last: Option<GeneralMove>,
        mut emit: impl FnMut(GeneralMove, W::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let state = W::of_state(state);
        self.moves(state, last, |by| emit(by, self.moved(state, by).to_state()))
    }
}

impl<W: Bits> Predecessors for Space<W> {
    const UNDIRECTED: bool = true;
}

/// The mirror image is that of the first symmetry of the board that maps the puzzle onto itself:
/// left and right, up and down, a half turn, or one of the diagonals.
impl<W: Bits> Symmetric for Space<W> {
    #[inline]
    fn image(&self, state: W::State, _symmetry: u32) -> W::State {
        self.image_of(W::of_state(state)).to_state()
    }

    #[inline]
    fn image_of_move(&self, GeneralMove { from, to }: GeneralMove, _symmetry: u32) -> GeneralMove {
        let image = |placement: u16| self.placements[usize::from(placement)].image;
        GeneralMove { from: image(from), to: image(to) }
    }

    #[inline]
    fn canonical_successors<B>(
        &self,
        state: W::State,
        last: Option<GeneralMove>,
        mut emit: impl FnMut(GeneralMove, GeneralMove, W::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let state = W::of_state(state);
        let image = self.image_of(state);
        self.moves(state, last, |by| {
            let (from, to) =
                (&self.placements[usize::from(by.from)], &self.placements[usize::from(by.to)]);
            let mirrored = self.image_of_move(by, 1);
            let image = match from.list {
                None => image ^ from.image_bits ^ to.image_bits,
                Some(_) => self.moved(image, mirrored),
            };
            let (next, image) = (self.moved(state, by).to_state(), image.to_state());
            // As in the classic space, without a branch.
            let (image_of_move, canonical) =
                if next <= image { (by, next) } else { (mirrored, image) };
            emit(by, image_of_move, canonical)
        })
    }
}

impl<W: Bits> BoardSpace for Space<W> {
    fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    fn pack(&self, board: &Board) -> W::State {
        let mut present = vec![0; self.classes.len()];
        let state = self.pieces.iter().fold(W::ZERO, |state, &(piece, number)| {
            let class = &self.classes[number];
            let first = board.first_cell(piece);
            let is_at =
                |&placement: &usize| first == Some(self.placements[placement].first_cell as usize);
            let Some(placement) = class.placements.clone().find(is_at) else { return state };
            present[number] += 1;
            self.inserted(class, state, present[number] - 1, placement)
        });
        state.to_state()
    }

    #[inline]
    fn relaxed_distance(&self, state: W::State) -> Option<u32> {
        let state = W::of_state(state);
        self.goals.iter().try_fold(0, |sum, goal| {
            let class = &self.classes[goal.class];
            let placement = match class.list {
                Some(list) => list.placement(state, 0),
                None => (state & goal.mask).lowest() as usize,
            };
            Some(sum + (*goal.distances.get(placement - class.placements.start)?)?)
        })
    }

    fn moved_piece(&self, state: W::State, next: W::State) -> Option<(usize, usize)> {
        let (state, next) = (W::of_state(state), W::of_state(next));
        let difference = state ^ next;
        let first_cell = |placement: usize| self.placements[placement].first_cell as usize;
        let only = |mut placements: Vec<usize>| {
            if placements.len() == 1 { placements.pop() } else { None }
        };
        if difference & !self.set_bits == W::ZERO {
            let from = only((difference & state).ones().collect())?;
            let to = only((difference & next).ones().collect())?;
            let is_one_class = self
                .classes
                .iter()
                .any(|class| class.placements.contains(&from) && class.placements.contains(&to));
            return is_one_class.then(|| (first_cell(from), first_cell(to)));
        }
        let mut changed = self
            .classes
            .iter()
            .map(|class| (self.placements_of(class, state), self.placements_of(class, next)));
        let (before, after) = changed.by_ref().find(|(before, after)| before != after)?;
        if changed.any(|(before, after)| before != after) {
            return None;
        }
        let left = before.iter().copied().filter(|placement| !after.contains(placement));
        let from = only(left.collect())?;
        let to = only(after.into_iter().filter(|placement| !before.contains(placement)).collect())?;
        Some((first_cell(from), first_cell(to)))
    }

    fn pieces(&self, state: W::State) -> Vec<(usize, usize)> {
        let state = W::of_state(state);
        let pieces = |(number, class): (usize, &Class)| {
            let first_cells = self
                .placements_of(class, state)
                .into_iter()
                .map(|placement| self.placements[placement].first_cell as usize);
            first_cells.map(|first| (number, first)).collect::<Vec<_>>()
        };
        self.classes.iter().enumerate().flat_map(pieces).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_sets_if_all_fit_and_otherwise_the_smaller_form() {
        let are_lists = |sizes: &[(usize, usize)], bits| {
            let classes = Class::encode_all(sizes, bits)?;
            Some(classes.iter().map(|class| class.list.is_some()).collect::<Vec<_>>())
        };
        assert_eq!(are_lists(&[(4, 20), (4, 16), (1, 15), (1, 12)], 64), Some(vec![false; 4]));
        assert_eq!(are_lists(&[(1, 30), (2, 42), (7, 49)], 64), Some(vec![true; 3]));
        assert_eq!(are_lists(&[(10, 36), (2, 30), (1, 25)], 64), Some(vec![false, true, true]));
        assert_eq!(are_lists(&[(1, 1), (64, 64)], 64), Some(vec![true, false]));
        assert_eq!(are_lists(&[(1, 49), (9, 81), (3, 72)], 64), None);
    }

    #[test]
    fn relaxed_distances_do_not_enumerate_shortest_paths() {
        // A staircase: the number of shortest paths doubles with every other cell.
        let row = |row: usize| "#".repeat(row) + "...." + &"#".repeat(31 - row);
        let rows: Vec<String> = (0..32).map(row).collect();
        let text = format!("{}\ngoal: A at 32,35\n", rows.join("\n").replacen('.', "A", 1));
        let instance = Instance::read(text.as_bytes())
            .next()
            .expect("one data set")
            .expect("a valid data set");
        let space = Space::<u128>::new(&instance, Metric::Unit).expect("128 cells");
        assert_eq!(space.relaxed_distance(space.start), Some(31 + 34));
    }
}
