//! Boards of any outline with pieces of any cells: the places of the pieces as numbers, or as bits where pieces are many.
//!
//! ```
//! use fewest_klotski::{Instance, space::{Boards, Unit, general::Space}};
//!
//! // `A` has 4 places on this board, and each of the two singles 9.
//! let puzzle = Instance::read(b"AA./AAb/..c\ngoal: A at 2,2").next().unwrap().unwrap();
//! let space = Space::<u64, Unit>::new(&puzzle).unwrap();
//! assert_eq!(space.pack(puzzle.board()), 0 | 5 << 2 | 8 << 6);
//! ```

use std::marker::PhantomData;
use std::ops::{BitAnd, BitOr, BitXor, ControlFlow, Not, Shl, Shr};

use fewest_core::grid::Direction;
use fewest_core::{LeftOut, StateSpace, Symmetric, Undirected, Word};

use super::{Boards, Reach};
use crate::board::{Board, WALL};
use crate::instance::{Axis, Instance, MOST_CELLS};
use crate::plan::Metric;

/// A word that serves as a state and as a set of cells.
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
/// Pieces of one shape that have no goals, are confined alike and can get to the same places, were nothing in their way, are
/// one class. A place of a class is the number of its first cell among all such places. The classes follow one another from
/// bit 0 up, in the order of their first pieces, and each takes what is less:
///
/// | form | bits |
/// | --- | --- |
/// | a list | for each piece as many as tell the places apart, in ascending order |
/// | a set | one for each place |
///
/// `W` holds the state and the cells of the board.
#[derive(Clone, Debug)]
pub struct Space<W, M> {
    start: W,
    classes: Vec<Class<W>>,
    /// The class of each piece.
    pieces: Vec<(char, usize)>,
    goals: Vec<Goal>,
    /// By class.
    mirror: Option<Vec<Mirrored>>,
    metric: PhantomData<M>,
}

/// Pieces that are not told apart.
#[derive(Clone, Debug)]
struct Class<W> {
    /// Its first bit in the state.
    offset: u32,
    /// How many pieces.
    count: u32,
    /// The bits of each piece, of a list; `None` for a set.
    width: Option<u32>,
    /// The bits of the state that are its own, shifted down to bit 0.
    mask: W,
    /// As many as a byte tells apart, so that none is looked for in vain; those beyond `len` are the first one.
    places: Box<[Place<W>; 256]>,
    len: usize,
}

/// A place of a piece.
#[derive(Clone, Copy, Debug)]
struct Place<W> {
    /// The cells that it covers.
    cells: W,
    /// The cells that it covers after a move of one cell, in any direction, and does not cover now.
    beside: W,
    /// The places one cell to the north, east, south and west; the place itself where there is none.
    next: [u8; 4],
    /// Its first cell, in the drawing, of which the walls may make much more than fit the word.
    first: u32,
}

/// The number of no place.
const NONE: u8 = u8::MAX;

/// The goal of a class of one piece.
#[derive(Clone, Debug)]
struct Goal {
    class: usize,
    /// [`NONE`] if the piece can never get there.
    place: u8,
    /// The moves from each place, alone on the board.
    moves: Vec<Option<u32>>,
}

/// What the mirror image of a class is.
#[derive(Clone, Debug)]
struct Mirrored {
    class: usize,
    /// By place.
    places: Vec<u8>,
    /// By direction.
    ways: [u8; 4],
}

/// A move, as far as it says which moves after it are pointless: the class and the place that a piece came to, and the
/// direction it went, where the metric knows one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slid {
    class: u8,
    to: u8,
    way: u8,
}

impl<W: Bits> Class<W> {
    fn places(&self) -> &[Place<W>] {
        &self.places[..self.len]
    }

    #[inline(always)]
    fn bits(&self, state: W) -> W {
        (state >> self.offset) & self.mask
    }

    /// Calls `each` with the places of its pieces in ascending order, each with its number in a list.
    #[inline(always)]
    fn each<B>(&self, state: W, mut each: impl FnMut(u32, u8) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut bits = self.bits(state);
        match self.width {
            Some(width) => {
                let mask = ((1u32 << width) - 1) as u8;
                for index in 0..self.count {
                    each(index, bits.low_byte() & mask)?;
                    bits = bits >> width;
                }
            }
            None => {
                while bits != W::ZERO {
                    each(0, bits.lowest() as u8)?;
                    bits = bits.without_lowest();
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn all(&self, state: W) -> Vec<u8> {
        let mut all = Vec::new();
        let _ = self.each(state, |_, place| {
            all.push(place);
            ControlFlow::<()>::Continue(())
        });
        all
    }

    /// A state with a piece more; of a list, so many are there already.
    #[inline(always)]
    fn with(&self, state: W, there: u32, place: u8) -> W {
        let Some(width) = self.width else { return state | W::from(1) << (self.offset + u32::from(place)) };
        let state = state | W::from(place) << (self.offset + there * width);
        let get = |index: u32| self.in_list(state, index, width);
        let before = (0..there).rev().take_while(|&index| get(index) > place).count() as u32;
        (there - before..there).rev().fold(state, |state, index| self.exchanged(state, index, width))
    }

    /// The state after the piece at place `from`, which is that number in a list, has come to another.
    #[inline(always)]
    fn moved(&self, state: W, mut index: u32, from: u8, to: u8) -> W {
        let Some(width) = self.width else {
            return state
                ^ (W::from(1) << (self.offset + u32::from(from)))
                ^ (W::from(1) << (self.offset + u32::from(to)));
        };
        if self.count == 1 {
            return state ^ (W::from(from ^ to) << self.offset);
        }
        let mut moved = state ^ (W::from(from ^ to) << (self.offset + index * width));
        while index > 0 && self.in_list(moved, index - 1, width) > to {
            index -= 1;
            moved = self.exchanged(moved, index, width);
        }
        while index + 1 < self.count && self.in_list(moved, index + 1, width) < to {
            moved = self.exchanged(moved, index, width);
            index += 1;
        }
        moved
    }

    /// The place of that number in the list of a state.
    #[inline(always)]
    fn in_list(&self, state: W, index: u32, width: u32) -> u8 {
        (state >> (self.offset + index * width)).low_byte() & ((1u32 << width) - 1) as u8
    }

    /// A state whose list has the place of that number and the next exchanged.
    #[inline(always)]
    fn exchanged(&self, state: W, index: u32, width: u32) -> W {
        let differ = W::from(self.in_list(state, index, width) ^ self.in_list(state, index + 1, width));
        state ^ (differ << (self.offset + index * width)) ^ (differ << (self.offset + (index + 1) * width))
    }

    /// The number of a place in the list of a state; 0 for a set.
    #[inline(always)]
    fn index_of(&self, state: W, place: u8) -> u32 {
        if self.count == 1 || self.width.is_none() {
            return 0;
        }
        let found = self.each(state, |index, other| match other == place {
            true => ControlFlow::Break(index),
            false => ControlFlow::Continue(()),
        });
        found.break_value().unwrap_or(0)
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
        let place = |cell: usize| ((cell / board.columns()) as isize, (cell % board.columns()) as isize);
        let (row, column) = place(cells[0]);
        let shape = cells.iter().map(|&cell| (place(cell).0 - row, place(cell).1 - column)).collect();
        let mut firsts = vec![cells[0]];
        let mut done = 0;
        while done < firsts.len() {
            let ways = Direction::ALL.into_iter().filter(|&way| lock.is_none_or(|axis| axis == Axis::of(way)));
            let next = ways.filter_map(|way| board.neighbour(firsts[done], way));
            let next: Vec<usize> =
                next.filter(|first| !firsts.contains(first) && stands(board, &cells, *first)).collect();
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
    board.moved(cells, first).is_some_and(|cells| cells.iter().all(|&cell| board.cells()[cell] != WALL))
}

impl<W: Bits, M: Reach> Space<W, M> {
    /// The space from a board on; `None` if its states or its cells have more bits than the word.
    pub fn new(puzzle: &Instance) -> Option<Self> {
        let board = puzzle.board();
        let kinds = Kind::all(puzzle);
        let open: Vec<usize> = (0..board.cells().len()).filter(|&cell| board.cells()[cell] != WALL).collect();
        if open.len() as u32 > W::BITS {
            return None;
        }
        let bit = |cell: usize| W::from(1) << open.partition_point(|&other| other < cell) as u32;
        let (mut classes, mut offset) = (Vec::new(), 0);
        for (kind, pieces) in &kinds {
            let class = Class::new(board, kind, pieces, bit);
            let bits = class.width.map_or(class.len as u32, |width| width * class.count);
            if offset + bits > W::BITS {
                return None;
            }
            // What cannot move has no bits, and no first one either, which would be one too far behind a full word.
            classes.push(Class { offset: if bits == 0 { 0 } else { offset }, mask: low_bits(bits), ..class });
            offset += bits;
        }
        let goals = puzzle.goals().iter().filter_map(|goal| {
            let class = kinds.iter().position(|(kind, _)| kind.goal == Some(goal.piece))?;
            // A goal that its piece can never get to is no place of its class.
            let place = classes[class].places().iter().position(|place| place.first as usize == goal.first);
            let place = place.map_or(NONE, |place| place as u8);
            Some(Goal { class, place, moves: moves_alone::<W, M>(classes[class].places(), place) })
        });
        let goals: Vec<Goal> = goals.collect();
        let mirror = Mapping::ALL.into_iter().find_map(|mapping| mapping.mirror(board, &open, &classes, &goals));
        let numbered = kinds.into_iter().enumerate();
        let pieces = numbered.flat_map(|(class, (_, pieces))| pieces.into_iter().map(move |piece| (piece, class)));
        let space = Self { start: W::ZERO, classes, pieces: pieces.collect(), goals, mirror, metric: PhantomData };
        Some(Self { start: space.pack(board), ..space })
    }

    /// Shows each move that `last` does not make pointless: its class, the number in its list and the place of what moved,
    /// and where to.
    ///
    /// Pointless is what it is on [classic boards](super::classic).
    #[inline(always)]
    fn moves<B>(
        &self,
        state: W,
        last: Option<Slid>,
        mut emit: impl FnMut(&Class<W>, u32, u8, Slid) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (mut occupied, mut pieces, mut met) = (W::ZERO, [0u32; MOST_CELLS], 0);
        for (number, class) in self.classes.iter().enumerate() {
            let _ = class.each(state, |index, place| {
                occupied = occupied | class.places[usize::from(place)].cells;
                pieces[met % MOST_CELLS] = (number as u32) << 16 | index << 8 | u32::from(place);
                met += 1;
                ControlFlow::<()>::Continue(())
            });
        }
        // Those that can move come to the front. Which they are cannot be guessed, so nothing branches on it.
        let mut movable = 0;
        for at in 0..met {
            let piece = pieces[at % MOST_CELLS];
            let beside = self.classes[(piece >> 16) as usize].places[usize::from(piece as u8)].beside;
            pieces[movable % MOST_CELLS] = piece;
            movable += usize::from(beside & !occupied != W::ZERO);
        }
        for &piece in &pieces[..movable] {
            let (number, index, from) = ((piece >> 16) as u8, piece >> 8 & 255, piece as u8);
            let class = &self.classes[usize::from(number)];
            let place = &class.places[usize::from(from)];
            let last = last.filter(|last| last.class == number && last.to == from);
            let slid = |way: usize, to| Slid { class: number, to, way: way as u8 };
            let taken = occupied & !place.cells;
            let next = |here: u8, way: usize| class.places[usize::from(here)].next[way];
            let is_free = |place: u8| class.places[usize::from(place)].cells & taken == W::ZERO;
            match M::METRIC {
                Metric::Rectilinear if last.is_some() => {}
                Metric::Rectilinear => {
                    // Sets of places: whether a place is free cannot be guessed, so nothing branches on it.
                    let start = W::from(1) << from.into();
                    let (mut reached, mut waiting) = (start, start);
                    while waiting != W::ZERO {
                        let here = waiting.lowest() as u8;
                        let free = (0..4).fold(W::ZERO, |free, way| {
                            let to = next(here, way);
                            free | W::from(u8::from(is_free(to))) << to.into()
                        });
                        let new = free & !reached;
                        (reached, waiting) = (reached | new, waiting.without_lowest() | new);
                    }
                    let mut to = reached & !start;
                    while to != W::ZERO {
                        emit(class, index, from, slid(0, to.lowest() as u8))?;
                        to = to.without_lowest();
                    }
                }
                Metric::Straight => {
                    for way in (0..4).filter(|way| last.is_none_or(|last| usize::from(last.way) % 2 != way % 2)) {
                        let (mut here, mut to) = (from, next(from, way));
                        while to != here && is_free(to) {
                            emit(class, index, from, slid(way, to))?;
                            (here, to) = (to, next(to, way));
                        }
                    }
                }
                Metric::Unit => {
                    for way in (0..4).filter(|way| last.is_none_or(|last| usize::from(last.way) != way ^ 2)) {
                        let to = next(from, way);
                        if to != from && is_free(to) {
                            emit(class, index, from, slid(way, to))?;
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// The moves from each place to one of them, by a search from there.
fn moves_alone<W: Bits, M: Reach>(places: &[Place<W>], goal: u8) -> Vec<Option<u32>> {
    let mut moves = vec![None; places.len()];
    let mut layer = Vec::from_iter((goal != NONE).then_some(goal));
    layer.iter().for_each(|&goal| moves[usize::from(goal)] = Some(0));
    for depth in 1u32.. {
        let mut next: Vec<u8> = Vec::new();
        for &from in &layer {
            for way in 0..4 {
                let ahead = |&here: &u8| Some(places[usize::from(here)].next[way]).filter(|&next| next != here);
                let far = if M::METRIC == Metric::Unit { 1 } else { places.len() };
                next.extend(std::iter::successors(ahead(&from), ahead).take(far));
            }
        }
        next.retain(|&place| moves[usize::from(place)].is_none());
        // By any way, whatever can be reached at all is one move away.
        let moved = if M::METRIC == Metric::Rectilinear { 1 } else { depth };
        next.iter().for_each(|&place| moves[usize::from(place)] = Some(moved));
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    moves
}

fn low_bits<W: Bits>(bits: u32) -> W {
    if bits == 0 { W::ZERO } else { !W::ZERO >> (W::BITS - bits) }
}

impl<W: Bits> Class<W> {
    /// Where it is in the state is left to be set.
    fn new(board: &Board, kind: &Kind, pieces: &[char], bit: impl Fn(usize) -> W) -> Self {
        let cells = board.cells_of(pieces[0]);
        let covered = |first: usize| {
            let cells = board.moved(&cells, first).unwrap_or_default();
            cells.into_iter().fold(W::ZERO, |covered, cell| covered | bit(cell))
        };
        let mut places: Vec<Place<W>> = Vec::new();
        for (number, &first) in kind.firsts.iter().enumerate() {
            let ways = Direction::ALL.map(|way| {
                let next = board.neighbour(first, way).filter(|_| kind.lock.is_none_or(|axis| axis == Axis::of(way)));
                next.and_then(|next| kind.firsts.binary_search(&next).ok())
            });
            let here = covered(first);
            let around = ways.into_iter().flatten().fold(W::ZERO, |around, place| around | covered(kind.firsts[place]));
            let next = ways.map(|place| place.unwrap_or(number) as u8);
            places.push(Place { cells: here, beside: around & !here, next, first: first as u32 });
        }
        let count = pieces.len() as u32;
        // A piece that cannot move needs none at all.
        let width = usize::BITS - (places.len() - 1).leading_zeros();
        let width = (count == 1 || width * count < places.len() as u32).then_some(width);
        let all = std::array::from_fn(|place| *places.get(place).unwrap_or(&places[0]));
        Self { offset: 0, count, width, mask: W::ZERO, places: Box::new(all), len: places.len() }
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
    const ALL: [Self; 5] = [Self::LeftRight, Self::UpDown, Self::HalfTurn, Self::Diagonal, Self::OtherDiagonal];

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

    /// What north, east, south and west become.
    fn ways(self) -> [u8; 4] {
        match self {
            Self::LeftRight => [0, 3, 2, 1],
            Self::UpDown => [2, 1, 0, 3],
            Self::HalfTurn => [2, 3, 0, 1],
            Self::Diagonal => [3, 2, 1, 0],
            Self::OtherDiagonal => [1, 0, 3, 2],
        }
    }

    /// What becomes of each class, if all of them become others, or themselves, and the goals the goals.
    fn mirror<W: Bits>(
        self,
        board: &Board,
        open: &[usize],
        classes: &[Class<W>],
        goals: &[Goal],
    ) -> Option<Vec<Mirrored>> {
        let cells: Option<Vec<u32>> =
            open.iter().map(|&cell| open.binary_search(&self.cell(board, cell)?).ok().map(|bit| bit as u32)).collect();
        let cells = cells?;
        let goal = |class: usize| goals.iter().find(|goal| goal.class == class).map(|goal| goal.place);
        let onto = |from: usize, to: usize| -> Option<Mirrored> {
            let (one, other) = (&classes[from], &classes[to]);
            if (one.count, one.len) != (other.count, other.len) {
                return None;
            }
            let place = |place: &Place<W>| -> Option<u8> {
                let (mut left, mut covered) = (place.cells, W::ZERO);
                while left != W::ZERO {
                    covered = covered | W::from(1) << cells[left.lowest() as usize];
                    left = left.without_lowest();
                }
                other.places().iter().position(|place| place.cells == covered).map(|place| place as u8)
            };
            let places = one.places().iter().map(place).collect::<Option<Vec<u8>>>()?;
            let ways = self.ways();
            let same_ways = one.places().iter().zip(&places).all(|(place, &to)| {
                let next = other.places[usize::from(to)].next;
                (0..4).all(|way| places[usize::from(place.next[way])] == next[usize::from(ways[way])])
            });
            let image = |place: u8| places.get(usize::from(place)).copied().unwrap_or(NONE);
            (same_ways && goal(from).map(image) == goal(to)).then_some(Mirrored { class: to, places, ways })
        };
        let numbers = 0..classes.len();
        let mirror: Vec<Mirrored> =
            numbers.clone().map(|from| numbers.clone().find_map(|to| onto(from, to))).collect::<Option<_>>()?;
        let undone = |(number, one): (usize, &Mirrored)| {
            let back = &mirror[one.class];
            let places = (0..).zip(&one.places);
            back.class == number
                && places.into_iter().all(|(place, &to): (u8, _)| back.places[usize::from(to)] == place)
        };
        mirror.iter().enumerate().all(undone).then_some(mirror)
    }
}

impl<W: Bits, M: Reach> StateSpace for Space<W, M> {
    type State = W;
    type Move = Slid;

    const LEAVES_OUT: LeftOut = LeftOut::Known;

    fn initial(&self, mut emit: impl FnMut(W)) {
        emit(self.start);
    }

    #[inline]
    fn is_goal(&self, state: W) -> bool {
        self.goals.iter().all(|goal| self.classes[goal.class].bits(state) == W::from(goal.place))
    }

    #[inline]
    fn successors<B>(
        &self,
        state: W,
        last: Option<Slid>,
        mut emit: impl FnMut(Slid, W) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.moves(state, last, |class, index, from, slid| emit(slid, class.moved(state, index, from, slid.to)))
    }
}

impl<W: Bits, M: Reach> Undirected for Space<W, M> {}

/// The first of some reflections of the board, or its half turn, that makes the same puzzle of it.
impl<W: Bits, M: Reach> Symmetric for Space<W, M> {
    fn image(&self, state: W) -> W {
        let Some(mirror) = &self.mirror else { return state };
        let mut image = W::ZERO;
        for (class, mirrored) in self.classes.iter().zip(mirror) {
            let to = &self.classes[mirrored.class];
            let _ = class.each(state, |index, place| {
                image = to.with(image, index, mirrored.places[usize::from(place)]);
                ControlFlow::<()>::Continue(())
            });
        }
        image
    }

    fn image_of_move(&self, slid: Slid) -> Slid {
        let Some(mirror) = &self.mirror else { return slid };
        let Mirrored { class, places, ways } = &mirror[usize::from(slid.class)];
        Slid { class: *class as u8, to: places[usize::from(slid.to)], way: ways[usize::from(slid.way)] }
    }

    #[inline]
    fn successors_and_images<B>(
        &self,
        state: W,
        last: Option<Slid>,
        mut emit: impl FnMut(Slid, W, W) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let Some(mirror) = &self.mirror else {
            return self.successors(state, last, |slid, next| emit(slid, next, next));
        };
        let image = self.image(state);
        self.moves(state, last, |class, index, from, slid| {
            let next = class.moved(state, index, from, slid.to);
            let Mirrored { class, places, .. } = &mirror[usize::from(slid.class)];
            let class = &self.classes[*class];
            let (from, to) = (places[usize::from(from)], places[usize::from(slid.to)]);
            emit(slid, next, class.moved(image, class.index_of(image, from), from, to))
        })
    }
}

impl<W: Bits, M: Reach> Boards for Space<W, M> {
    fn is_symmetric(&self) -> bool {
        self.mirror.is_some()
    }

    fn pack(&self, board: &Board) -> W {
        let mut placed = vec![Vec::new(); self.classes.len()];
        for &(piece, class) in &self.pieces {
            let stands = |place: &Place<W>| board.first_cell(piece) == Some(place.first as usize);
            placed[class].extend(self.classes[class].places().iter().position(stands).map(|place| place as u8));
        }
        let filled = |state, (class, placed): (&Class<W>, Vec<u8>)| {
            (0..).zip(placed).fold(state, |state, (there, place)| class.with(state, there, place))
        };
        self.classes.iter().zip(placed).fold(W::ZERO, filled)
    }

    #[inline]
    fn alone(&self, state: W) -> Option<u32> {
        let moves = |goal: &Goal| goal.moves[usize::from(self.classes[goal.class].bits(state).low_byte())];
        self.goals.iter().try_fold(0, |sum, goal| Some(sum + moves(goal)?))
    }

    fn pieces(&self, state: W) -> Vec<(usize, usize)> {
        let places = |(number, class): (usize, &Class<W>)| {
            let firsts = class.all(state).into_iter().map(|place| class.places[usize::from(place)].first as usize);
            firsts.map(|first| (number, first)).collect::<Vec<_>>()
        };
        self.classes.iter().enumerate().flat_map(places).collect()
    }
}
