//! Boards of any outline with pieces of any cells: the places of the pieces as bits where the word
//! has room, and as numbers where those are fewer.
//!
//! ```
//! use fewest_klotski::{Instance, space::{Boards, Unit, general::Space}};
//!
//! // `A` has 4 places on this board, and each of the two singles 9.
//! let puzzle = Instance::read(b"AA./AAb/..c\ngoal: A at 2,2").next().unwrap().unwrap();
//! let space = Space::<u64, Unit>::new(&puzzle).unwrap();
//! assert_eq!(space.pack(puzzle.board()), 0b1_0010_0000_0001);
//! ```

use std::marker::PhantomData;
use std::ops::{BitAnd, BitOr, BitXor, ControlFlow, Not, Range, Shl, Shr};

use fewest_core::grid::Direction;
use fewest_core::{MovePruning, StateSpace, Symmetric, Undirected, Word};

use super::{Boards, Reach};
use crate::board::{Board, WALL};
use crate::instance::{Axis, Instance};
use crate::plan::Metric;

/// A word that serves as a state, as a set of cells and as a set of places.
pub trait Bits:
    Word
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + From<u8>
{
    /// The number of the lowest bit that is set.
    fn lowest(self) -> u32;
    /// The lowest eight bits.
    fn low_byte(self) -> u8;
    /// Without the lowest bit that is set.
    fn without_lowest(self) -> Self;

    /// The numbers of all bits that are set, in ascending order.
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
            #[inline(always)]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline(always)]
            fn low_byte(self) -> u8 {
                self as u8
            }

            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    )*};
}

bits!(u64, u128);

/// All boards with the pieces of a puzzle, packed.
///
/// Pieces of one shape that have no goals, are confined alike and can get to the same places, were
/// nothing in their way, are one class. A class takes one of two forms:
///
/// | form | bits |
/// | --- | --- |
/// | a set | one for each place |
/// | a list | for each piece as many as tell the places apart, in ascending order |
///
/// All are sets if the word has room for that, as sets are the faster ones; if not, each is what is
/// less. The sets follow one another from bit 0 up, then the lists, both in the order of their
/// first pieces, and the places of a class in that of their first cells. `W` holds the state and
/// the cells of the board.
#[derive(Clone, Debug)]
pub struct Space<W, M> {
    start: W,
    /// The cells that matter to some set.
    cells: W,
    /// All bits of sets.
    sets: W,
    lists: Vec<List>,
    /// The list of each bit, up to the last.
    list_of: Vec<Option<List>>,
    classes: Vec<Class>,
    /// Those of all classes. The number of a place of a set is that of its bit.
    places: Vec<Place<W>>,
    /// Of each cell, the places of sets from which a move of one cell covers it.
    beside: Vec<W>,
    /// The class of each piece.
    pieces: Vec<(char, usize)>,
    goals: Vec<Goal<W>>,
    is_symmetric: bool,
    metric: PhantomData<M>,
}

/// Pieces that are not told apart.
#[derive(Clone, Debug)]
struct Class {
    count: u32,
    /// The numbers of its places.
    places: Range<usize>,
    /// `None` for a set.
    list: Option<List>,
}

/// A class as a list.
#[derive(Clone, Copy, Debug)]
struct List {
    /// The number of its first place.
    base: usize,
    /// Its first bit in the state.
    offset: u32,
    /// The bits of each piece.
    width: u32,
    count: u32,
}

/// A place of a piece.
#[derive(Clone, Copy, Debug)]
struct Place<W> {
    /// The cells that it covers.
    cells: W,
    /// The cells that it covers after a move of one cell to the north, east, south or west, and
    /// does not cover now.
    ahead: [W; 4],
    /// The places one cell to the north, east, south and west; the place itself where there is
    /// none.
    next: [u16; 4],
    /// The number of the place that is bit 0 in sets of places.
    base: u16,
    /// The number of the list that is to be kept in order when a piece leaves; `None` where nothing
    /// is.
    list: Option<u8>,
    /// The part of the state that says that a piece is there, unless it is in such a list.
    at: W,
    /// The same of the mirror image.
    mirrored: W,
    /// The place of the mirror image.
    mirror: u16,
    /// Its first cell, in the drawing, of which the walls may make much more than fit the word.
    first: u32,
    /// The column of that.
    column: u32,
}

/// The goal of a class of one piece.
#[derive(Clone, Debug)]
struct Goal<W> {
    class: usize,
    /// The number of the place; `None` if the piece can never get there.
    place: Option<usize>,
    /// The bits of the class.
    mask: W,
    /// Those of them that are set when the piece is there.
    at: W,
    /// The moves from each place of the class, alone on the board.
    moves: Vec<Option<u32>>,
}

/// A move: the numbers of the places that the piece leaves and comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slid {
    from: u16,
    to: u16,
}

impl List {
    /// The bits of the state that it takes.
    fn bits(&self) -> Range<u32> {
        self.offset..self.offset + self.count * self.width
    }

    /// The place of the piece of that number; they are in ascending order.
    #[inline(always)]
    fn get(&self, state: impl Bits, index: u32) -> usize {
        self.base + usize::from(self.field(state, index))
    }

    #[inline(always)]
    fn field(&self, state: impl Bits, index: u32) -> u8 {
        (state >> (self.offset + index * self.width)).low_byte() & ((1u32 << self.width) - 1) as u8
    }

    /// A state with a piece more; so many are there already.
    fn with<W: Bits>(&self, state: W, there: u32, place: usize) -> W {
        let state =
            state | W::from((place - self.base) as u8) << (self.offset + there * self.width);
        let before =
            (0..there).rev().take_while(|&index| self.get(state, index) > place).count() as u32;
        (there - before..there).rev().fold(state, |state, index| self.exchanged(state, index))
    }

    /// The state after the piece at a place has come to another.
    #[inline(always)]
    fn moved<W: Bits>(&self, state: W, from: usize, to: usize) -> W {
        let mut index = (0..self.count).find(|&index| self.get(state, index) == from).unwrap_or(0);
        let differ = (from - self.base) as u8 ^ (to - self.base) as u8;
        let mut moved = state ^ (W::from(differ) << (self.offset + index * self.width));
        while index > 0 && self.get(moved, index - 1) > to {
            index -= 1;
            moved = self.exchanged(moved, index);
        }
        while index + 1 < self.count && self.get(moved, index + 1) < to {
            moved = self.exchanged(moved, index);
            index += 1;
        }
        moved
    }

    /// A state in which the piece of that number and the next are exchanged.
    #[inline(always)]
    fn exchanged<W: Bits>(&self, state: W, index: u32) -> W {
        let differ = W::from(self.field(state, index) ^ self.field(state, index + 1));
        state
            ^ (differ << (self.offset + index * self.width))
            ^ (differ << (self.offset + (index + 1) * self.width))
    }
}

impl Class {
    /// The classes of some kinds: of each how many pieces and how many places. Where a class begins
    /// among the places is where it begins in the state if it is a set. `None` if they do not fit a
    /// word of so many bits.
    fn all(sizes: &[(usize, usize)], bits: u32) -> Option<Vec<Self>> {
        // A piece that cannot move needs none at all.
        let width = |places: usize| usize::BITS - (places - 1).leading_zeros();
        let all_sets = sizes.iter().map(|(_, places)| places).sum::<usize>() <= bits as usize;
        let is_set = |&(count, places): &(usize, usize)| {
            all_sets || width(places) as usize * count >= places
        };
        let (mut base, mut offset) = (0, 0);
        let (sets, lists): (Vec<_>, Vec<_>) =
            sizes.iter().enumerate().partition(|(_, size)| is_set(size));
        let mut classes = vec![None; sizes.len()];
        for (class, &size) in sets.into_iter().chain(lists) {
            let (count, places) = (size.0 as u32, size.1);
            let list = (!is_set(&size)).then(|| {
                let width = width(places);
                // What has no bits has no first one either, which would be one too far behind a
                // full word.
                List { base, offset: if width == 0 { 0 } else { offset }, width, count }
            });
            classes[class] = Some(Self { count, places: base..base + places, list });
            base += places;
            offset += list.map_or(places as u32, |list| list.width * count);
        }
        if offset > bits { None } else { classes.into_iter().collect() }
    }
}

/// What tells the classes of pieces apart.
#[derive(PartialEq)]
pub(crate) struct Kind {
    /// The piece that has a goal.
    goal: Option<char>,
    lock: Option<Axis>,
    /// Rows and columns of its cells from the first.
    shape: Vec<(isize, isize)>,
    /// The first cells of all places that it can get to, were nothing in its way; in order.
    pub(crate) firsts: Vec<usize>,
}

impl Kind {
    /// All kinds of a puzzle with their pieces, in the order of the first of these.
    pub(crate) fn all(puzzle: &Instance) -> Vec<(Self, Vec<char>)> {
        let mut kinds: Vec<(Self, Vec<char>)> = Vec::new();
        for piece in puzzle.board().pieces() {
            let kind = Self::of(puzzle, piece);
            match kinds.iter_mut().find(|(other, _)| *other == kind) {
                Some((_, pieces)) => pieces.push(piece),
                None => kinds.push((kind, vec![piece])),
            }
        }
        kinds
    }

    fn of(puzzle: &Instance, piece: char) -> Self {
        let (board, lock) = (puzzle.board(), puzzle.lock(piece));
        let cells = board.cells_of(piece);
        let place =
            |cell: usize| ((cell / board.columns()) as isize, (cell % board.columns()) as isize);
        let (row, column) = place(cells[0]);
        let shape =
            cells.iter().map(|&cell| (place(cell).0 - row, place(cell).1 - column)).collect();
        let mut firsts = vec![cells[0]];
        let mut done = 0;
        while done < firsts.len() {
            let ways = Direction::ALL
                .into_iter()
                .filter(|&way| lock.is_none_or(|axis| axis == Axis::of(way)));
            let next = ways.filter_map(|way| board.neighbour(firsts[done], way));
            let next: Vec<usize> = next
                .filter(|first| !firsts.contains(first) && stands(board, &cells, *first))
                .collect();
            firsts.extend(next);
            done += 1;
        }
        firsts.sort_unstable();
        let goal = puzzle.goals().iter().any(|goal| goal.piece == piece).then_some(piece);
        Self { goal, lock, shape, firsts }
    }
}

/// Whether a piece can stand somewhere if nothing but walls is on the board.
fn stands(board: &Board, cells: &[usize], first: usize) -> bool {
    board
        .moved(cells, first)
        .is_some_and(|cells| cells.iter().all(|&cell| board.cells()[cell] != WALL))
}

impl<W: Bits, M: Reach> Space<W, M> {
    /// The space from a board on; `None` if its states or its cells have more bits than the word.
    pub fn new(puzzle: &Instance) -> Option<Self> {
        let board = puzzle.board();
        let open: Vec<usize> =
            (0..board.cells().len()).filter(|&cell| board.cells()[cell] != WALL).collect();
        if open.len() as u32 > W::BITS {
            return None;
        }
        let bit = |cell: usize| W::from(1) << open.partition_point(|&other| other < cell) as u32;
        let kinds = Kind::all(puzzle);
        let sizes: Vec<_> =
            kinds.iter().map(|(kind, pieces)| (pieces.len(), kind.firsts.len())).collect();
        let classes = Class::all(&sizes, W::BITS)?;
        let lists: Vec<List> = classes.iter().filter_map(|class| class.list).collect();
        let mut numbered: Vec<_> = classes.iter().zip(&kinds).collect();
        numbered.sort_by_key(|(class, _)| class.places.start);
        let places = numbered.into_iter().flat_map(|(class, (kind, pieces))| {
            let list =
                lists.iter().position(|list| list.base == class.places.start && list.count > 1);
            Place::all(board, class, kind, pieces[0], list.map(|list| list as u8), bit)
        });
        let mut places: Vec<Place<W>> = places.collect();
        let goals = puzzle.goals().iter().filter_map(|goal| {
            let class = kinds.iter().position(|(kind, _)| kind.goal == Some(goal.piece))?;
            let Class { places: ref range, list, .. } = classes[class];
            // A goal that its piece can never get to is no place of its class.
            let place = range.clone().find(|&place| places[place].first as usize == goal.first);
            let mask = match list {
                Some(list) => mask(list.offset, list.width),
                None => mask(range.start as u32, range.len() as u32),
            };
            let at = place.map_or(!W::ZERO, |place| places[place].at);
            let moves = moves_alone::<W, M>(&places, range, place);
            Some(Goal { class, place, mask, at, moves })
        });
        let goals: Vec<Goal<W>> = goals.collect();
        let mirror = Mapping::ALL
            .into_iter()
            .find_map(|map| map.mirror(board, &open, &classes, &places, &goals));
        for place in 0..places.len() {
            // Where nothing makes the same puzzle, everything is its own image.
            let mirror = mirror.as_ref().map_or(place, |mirror| mirror[place]);
            (places[place].mirror, places[place].mirrored) = (mirror as u16, places[mirror].at);
        }
        let mut cells = W::ZERO;
        let sets = classes
            .iter()
            .filter(|class| class.list.is_none())
            .flat_map(|class| class.places.clone());
        let mut beside = vec![W::ZERO; W::BITS as usize];
        for place in sets.clone() {
            cells = cells | places[place].beside();
            for cell in places[place].beside().ones() {
                beside[cell] = beside[cell] | places[place].at;
            }
        }
        let listed = lists.iter().map(|list| list.bits().end).max().unwrap_or(0);
        let list_of = (0..listed)
            .map(|bit| lists.iter().find(|list| list.bits().contains(&bit)).copied())
            .collect();
        let pieces = kinds.iter().enumerate();
        let pieces =
            pieces.flat_map(|(class, (_, pieces))| pieces.iter().map(move |&piece| (piece, class)));
        let space = Self {
            start: W::ZERO,
            cells,
            sets: mask(0, sets.count() as u32),
            lists,
            list_of,
            places,
            beside,
            pieces: pieces.collect(),
            goals,
            is_symmetric: mirror.is_some(),
            metric: PhantomData,
            classes,
        };
        Some(Self { start: space.pack(board), ..space })
    }

    /// Shows each move that `last` does not make pointless.
    ///
    /// Pointless is what it is on [classic boards](super::classic).
    #[inline(always)]
    fn moves<B>(
        &self,
        state: W,
        last: Option<Slid>,
        mut emit: impl FnMut(Slid) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let occupied = self.occupied(state);
        let free = self.cells & !occupied;
        let mut movable = free.ones().fold(W::ZERO, |movable, cell| movable | self.beside[cell]);
        let moved = last
            .filter(|_| M::METRIC == Metric::Rectilinear)
            .map_or(usize::MAX, |last| last.to.into());
        // Not even looked at: whether a piece is the one that moved cannot be guessed.
        movable = movable & state & !self.places.get(moved).map_or(W::ZERO, |place| place.at);
        // A list has a bit a piece at least, if they can move at all, so these say which of its
        // pieces can.
        for list in &self.lists {
            for index in 0..list.count {
                let place = list.get(state, index);
                let can_move =
                    (self.places[place].beside() & !occupied != W::ZERO) & (place != moved);
                movable = movable | W::from(u8::from(can_move)) << (list.offset + index);
            }
        }
        for bit in movable.ones() {
            let from = match self.list_of.get(bit) {
                Some(&Some(list)) => list.get(state, bit as u32 - list.offset),
                _ => bit,
            };
            self.slides(from, occupied, last, &mut emit)?;
        }
        ControlFlow::Continue(())
    }

    /// The cells that are covered.
    #[inline(always)]
    fn occupied(&self, state: W) -> W {
        let places = (state & self.sets).ones();
        let mut occupied =
            places.fold(W::ZERO, |occupied, place| occupied | self.places[place].cells);
        for list in &self.lists {
            for index in 0..list.count {
                occupied = occupied | self.places[list.get(state, index)].cells;
            }
        }
        occupied
    }

    /// The moves of the piece at a place.
    #[inline(always)]
    fn slides<B>(
        &self,
        from: usize,
        occupied: W,
        last: Option<Slid>,
        emit: &mut impl FnMut(Slid) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let place = &self.places[from];
        let taken = occupied & !place.cells;
        let base = usize::from(place.base);
        let bit = |place: u16| W::from(1) << (usize::from(place) - base) as u32;
        let step = |here: &Place<W>, way: usize| {
            W::from(u8::from(here.ahead[way] & taken == W::ZERO))
                << (usize::from(here.next[way]) - base) as u32
        };
        let start = bit(from as u16);
        let last = last.filter(|last| usize::from(last.to) == from);
        let mut reached = start;
        // Sets of places: whether a place is free cannot be guessed, so nothing branches on it.
        match M::METRIC {
            Metric::Rectilinear => {
                let mut waiting = start;
                while waiting != W::ZERO {
                    let here = &self.places[base + waiting.lowest() as usize];
                    let new = (0..4).fold(W::ZERO, |new, way| new | step(here, way)) & !reached;
                    (reached, waiting) = (reached | new, waiting.without_lowest() | new);
                }
            }
            Metric::Straight => {
                let is_along =
                    |last: Slid| place.column == self.places[usize::from(last.from)].column;
                let pointless = last.map_or(0, |last| if is_along(last) { 0b0101 } else { 0b1010 });
                let first = [0, 1, 2, 3].map(|way| step(place, way) & !start);
                let is_free = |way: usize| u32::from(first[way] != W::ZERO) << way;
                let mut ways = (0..4).fold(0, |ways, way| ways | is_free(way)) & !pointless;
                while ways != 0 {
                    // The compiler does not see that there are four.
                    let way = ways.trailing_zeros() as usize % 4;
                    ways &= ways - 1;
                    let mut to = first[way];
                    while to != W::ZERO {
                        reached = reached | to;
                        to = step(&self.places[base + to.lowest() as usize], way) & !reached;
                    }
                }
            }
            Metric::Unit => {
                reached = (0..4).fold(W::ZERO, |reached, way| reached | step(place, way));
                reached = reached & !last.map_or(W::ZERO, |last| bit(last.from));
            }
        }
        let mut to = (reached & !start).ones();
        to.try_for_each(|to| emit(Slid { from: from as u16, to: (base + to) as u16 }))
    }

    /// The state after a move.
    #[inline(always)]
    fn moved(&self, state: W, Slid { from, to }: Slid) -> W {
        let (from, to) = (usize::from(from), usize::from(to));
        match self.places[from].list {
            None => state ^ self.places[from].at ^ self.places[to].at,
            Some(list) => self.lists[usize::from(list)].moved(state, from, to),
        }
    }

    /// The places of the pieces of a class, in ascending order.
    fn places_of(&self, class: &Class, state: W) -> Vec<usize> {
        match class.list {
            Some(list) => (0..list.count).map(|index| list.get(state, index)).collect(),
            None => class
                .places
                .clone()
                .filter(|&place| state & self.places[place].at != W::ZERO)
                .collect(),
        }
    }

    /// A state with a piece more; so many of its class are there already.
    fn with(&self, class: &Class, state: W, there: u32, place: usize) -> W {
        match class.list {
            Some(list) => list.with(state, there, place),
            None => state | self.places[place].at,
        }
    }
}

/// The moves from each place of a class to one of them, by a search from there.
fn moves_alone<W: Bits, M: Reach>(
    places: &[Place<W>],
    class: &Range<usize>,
    goal: Option<usize>,
) -> Vec<Option<u32>> {
    let mut moves = vec![None; class.len()];
    let mut layer = Vec::from_iter(goal);
    layer.iter().for_each(|&goal| moves[goal - class.start] = Some(0));
    for depth in 1u32.. {
        // By any way, whatever can be reached at all is one move away.
        let moved = if M::METRIC == Metric::Rectilinear { 1 } else { depth };
        let mut next: Vec<usize> = Vec::new();
        for &from in &layer {
            for way in 0..4 {
                let ahead = |&here: &usize| {
                    Some(places[here].next[way].into()).filter(|&next| next != here)
                };
                let far = if M::METRIC == Metric::Unit { 1 } else { places.len() };
                for place in std::iter::successors(ahead(&from), ahead).take(far) {
                    if moves[place - class.start].is_none() {
                        moves[place - class.start] = Some(moved);
                        next.push(place);
                    }
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    moves
}

/// So many bits, from one up.
fn mask<W: Bits>(from: u32, count: u32) -> W {
    if count == 0 { W::ZERO } else { (!W::ZERO >> (W::BITS - count)) << from }
}

impl<W: Bits> Place<W> {
    /// The places of a class, with none known of their mirror images.
    fn all(
        board: &Board,
        class: &Class,
        kind: &Kind,
        piece: char,
        list: Option<u8>,
        bit: impl Fn(usize) -> W,
    ) -> Vec<Self> {
        let cells = board.cells_of(piece);
        let covered = |first: usize| {
            let cells = board.moved(&cells, first).unwrap_or_default();
            cells.into_iter().fold(W::ZERO, |covered, cell| covered | bit(cell))
        };
        let place = |(number, &first): (usize, &usize)| {
            let next = Direction::ALL.map(|way| {
                let next = board
                    .neighbour(first, way)
                    .filter(|_| kind.lock.is_none_or(|axis| axis == Axis::of(way)));
                next.and_then(|next| kind.firsts.binary_search(&next).ok()).unwrap_or(number)
            });
            let here = covered(first);
            Self {
                cells: here,
                ahead: next.map(|next| covered(kind.firsts[next]) & !here),
                next: next.map(|next| (class.places.start + next) as u16),
                base: class.list.map_or(0, |_| class.places.start as u16),
                list,
                at: match class.list {
                    Some(list) => W::from(number as u8) << list.offset,
                    None => W::from(1) << (class.places.start + number) as u32,
                },
                mirrored: W::ZERO,
                mirror: 0,
                first: first as u32,
                column: (first % board.columns()) as u32,
            }
        };
        kind.firsts.iter().enumerate().map(place).collect()
    }

    /// All cells that it covers after a move of one cell, in any direction, and does not cover now.
    #[inline(always)]
    fn beside(&self) -> W {
        self.ahead.into_iter().fold(W::ZERO, |beside, ahead| beside | ahead)
    }
}

/// A map of a board onto itself that undoes itself.
#[derive(Clone, Copy)]
enum Mapping {
    LeftRight,
    UpDown,
    HalfTurn,
    Diagonal,
    OtherDiagonal,
}

impl Mapping {
    const ALL: [Self; 5] =
        [Self::LeftRight, Self::UpDown, Self::HalfTurn, Self::Diagonal, Self::OtherDiagonal];

    /// Where a cell comes to; `None` if the board is not square and would have to be.
    fn cell(self, board: &Board, cell: usize) -> Option<usize> {
        let (rows, columns) = (board.rows(), board.columns());
        let (row, column) = (cell / columns, cell % columns);
        let (row, column) = match self {
            Self::LeftRight => (row, columns - 1 - column),
            Self::UpDown => (rows - 1 - row, column),
            Self::HalfTurn => (rows - 1 - row, columns - 1 - column),
            Self::Diagonal | Self::OtherDiagonal if rows != columns => return None,
            Self::Diagonal => (column, row),
            Self::OtherDiagonal => (columns - 1 - column, rows - 1 - row),
        };
        Some(row * columns + column)
    }

    /// The place that each becomes, if all classes become others, or themselves, and the goals the
    /// goals.
    fn mirror<W: Bits>(
        self,
        board: &Board,
        open: &[usize],
        classes: &[Class],
        places: &[Place<W>],
        goals: &[Goal<W>],
    ) -> Option<Vec<usize>> {
        let cells: Option<Vec<u32>> = open
            .iter()
            .map(|&cell| open.binary_search(&self.cell(board, cell)?).ok().map(|bit| bit as u32))
            .collect();
        let cells = cells?;
        let image = |covered: W| {
            covered.ones().fold(W::ZERO, |image, cell| image | W::from(1) << cells[cell])
        };
        let goal =
            |class: usize| goals.iter().find(|goal| goal.class == class).map(|goal| goal.place);
        let onto = |from: usize, to: usize| -> Option<Vec<usize>> {
            let (one, other) = (&classes[from], &classes[to]);
            if (one.count, one.places.len()) != (other.count, other.places.len()) {
                return None;
            }
            let find =
                |covered: W| other.places.clone().find(|&place| places[place].cells == covered);
            let images = one.places.clone().map(|place| find(image(places[place].cells)));
            let images = images.collect::<Option<Vec<usize>>>()?;
            let image = |place: usize| images[place - one.places.start];
            // Which way is which follows from where the places are.
            let sorted = |mut next: [usize; 4]| {
                next.sort_unstable();
                next
            };
            let next = |place: usize| places[place].next.map(usize::from);
            let same_ways =
                |place: usize| sorted(next(place).map(image)) == sorted(next(image(place)));
            let same = one.places.clone().all(same_ways)
                && goal(from).map(|goal| goal.map(image)) == goal(to);
            same.then_some(images)
        };
        let mut mirror = vec![0; places.len()];
        for (from, class) in classes.iter().enumerate() {
            let images = (0..classes.len()).find_map(|to| onto(from, to))?;
            mirror[class.places.clone()].copy_from_slice(&images);
        }
        (0..places.len()).all(|place| mirror[mirror[place]] == place).then_some(mirror)
    }
}

impl<W: Bits, M: Reach> StateSpace for Space<W, M> {
    type State = W;
    type Move = Slid;

    const MOVE_PRUNING: MovePruning = MovePruning::TwoStep;

    fn initial(&self, mut emit: impl FnMut(W)) {
        emit(self.start);
    }

    #[inline]
    fn is_goal(&self, state: W) -> bool {
        self.goals.iter().all(|goal| state & goal.mask == goal.at)
    }

    #[inline]
    fn successors<B>(
        &self,
        state: W,
        last: Option<Slid>,
        mut emit: impl FnMut(Slid, W) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.moves(state, last, |slid| emit(slid, self.moved(state, slid)))
    }
}

impl<W: Bits, M: Reach> Undirected for Space<W, M> {}

/// The first of some reflections of the board, or its half turn, that makes the same puzzle of it.
impl<W: Bits, M: Reach> Symmetric for Space<W, M> {
    #[inline]
    fn image(&self, state: W) -> W {
        let places = (state & self.sets).ones();
        let mut image = places.fold(W::ZERO, |image, place| image | self.places[place].mirrored);
        for list in &self.lists {
            for index in 0..list.count {
                let place = &self.places[list.get(state, index)];
                let mirror = usize::from(place.mirror);
                image = match self.places[mirror].list {
                    None => image | place.mirrored,
                    Some(list) => self.lists[usize::from(list)].with(image, index, mirror),
                };
            }
        }
        image
    }

    #[inline]
    fn image_of_move(&self, Slid { from, to }: Slid) -> Slid {
        let mirror = |place: u16| self.places[usize::from(place)].mirror;
        Slid { from: mirror(from), to: mirror(to) }
    }

    #[inline]
    fn successors_and_images<B>(
        &self,
        state: W,
        last: Option<Slid>,
        mut emit: impl FnMut(Slid, W, W) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let image = self.image(state);
        self.moves(state, last, |slid| {
            let (from, to) =
                (&self.places[usize::from(slid.from)], &self.places[usize::from(slid.to)]);
            let next = match from.list {
                None => image ^ from.mirrored ^ to.mirrored,
                Some(_) => self.moved(image, self.image_of_move(slid)),
            };
            emit(slid, self.moved(state, slid), next)
        })
    }
}

impl<W: Bits, M: Reach> Boards for Space<W, M> {
    fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    fn pack(&self, board: &Board) -> W {
        let mut there = vec![0; self.classes.len()];
        self.pieces.iter().fold(W::ZERO, |state, &(piece, number)| {
            let class = &self.classes[number];
            let first = board.first_cell(piece);
            let stands = |&place: &usize| first == Some(self.places[place].first as usize);
            let Some(place) = class.places.clone().find(stands) else { return state };
            there[number] += 1;
            self.with(class, state, there[number] - 1, place)
        })
    }

    #[inline]
    fn relaxed_distance(&self, state: W) -> Option<u32> {
        self.goals.iter().try_fold(0, |sum, goal| {
            let class = &self.classes[goal.class];
            let place = match class.list {
                Some(list) => list.get(state, 0),
                None => (state & goal.mask).lowest() as usize,
            };
            Some(sum + (*goal.moves.get(place - class.places.start)?)?)
        })
    }

    fn moved(&self, state: W, next: W) -> Option<(usize, usize)> {
        let differs = state ^ next;
        let first_cell = |place: usize| self.places[place].first as usize;
        let one = |mut places: Vec<usize>| if places.len() == 1 { places.pop() } else { None };
        if differs & !self.sets == W::ZERO {
            let (from, to) =
                (one((differs & state).ones().collect())?, one((differs & next).ones().collect())?);
            let same = self
                .classes
                .iter()
                .any(|class| class.places.contains(&from) && class.places.contains(&to));
            return same.then(|| (first_cell(from), first_cell(to)));
        }
        let mut changed = self
            .classes
            .iter()
            .map(|class| (self.places_of(class, state), self.places_of(class, next)));
        let (before, after) = changed.by_ref().find(|(before, after)| before != after)?;
        if changed.any(|(before, after)| before != after) {
            return None;
        }
        let from = one(before.iter().copied().filter(|place| !after.contains(place)).collect())?;
        let to = one(after.into_iter().filter(|place| !before.contains(place)).collect())?;
        Some((first_cell(from), first_cell(to)))
    }

    fn pieces(&self, state: W) -> Vec<(usize, usize)> {
        let places = |(number, class): (usize, &Class)| {
            let firsts = self
                .places_of(class, state)
                .into_iter()
                .map(|place| self.places[place].first as usize);
            firsts.map(|first| (number, first)).collect::<Vec<_>>()
        };
        self.classes.iter().enumerate().flat_map(places).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_sets_if_all_have_room_and_else_what_is_less() {
        let are_lists = |sizes: &[(usize, usize)], bits| {
            let classes = Class::all(sizes, bits)?;
            Some(classes.iter().map(|class| class.list.is_some()).collect::<Vec<_>>())
        };
        assert_eq!(are_lists(&[(4, 20), (4, 16), (1, 15), (1, 12)], 64), Some(vec![false; 4]));
        assert_eq!(are_lists(&[(1, 30), (2, 42), (7, 49)], 64), Some(vec![true; 3]));
        assert_eq!(are_lists(&[(10, 36), (2, 30), (1, 25)], 64), Some(vec![false, true, true]));
        assert_eq!(are_lists(&[(1, 1), (64, 64)], 64), Some(vec![true, false]));
        assert_eq!(are_lists(&[(1, 49), (9, 81), (3, 72)], 64), None);
    }

    #[test]
    fn many_ways_of_one_length_are_not_told_apart() {
        // A staircase: the ways double with every other step.
        let row = |row: usize| "#".repeat(row) + "...." + &"#".repeat(31 - row);
        let rows: Vec<String> = (0..32).map(row).collect();
        let text = format!("{}\ngoal: A at 32,35\n", rows.join("\n").replacen('.', "A", 1));
        let puzzle = Instance::read(text.as_bytes()).next().expect("a puzzle").expect("a good one");
        let space = Space::<u128, crate::space::Unit>::new(&puzzle).expect("128 cells");
        assert_eq!(space.relaxed_distance(space.start), Some(31 + 34));
    }
}
