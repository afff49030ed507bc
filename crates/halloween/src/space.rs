//! The packed state space: the fast twin of the rules. Here a ghost's step is decided and a state
//! becomes bits.
//!
//! ```
//! use fewest_core::StateSpace;
//! use fewest_halloween::{Instance, rules, space::Space};
//!
//! // Four corridor cells, so 2 bits a ghost: `a` on cell 0, `b` on cell 1.
//! let house = Instance::read(b"4 1 2\nabAB\n").next().unwrap().unwrap();
//! let space = Space::<u32>::new(&house).unwrap();
//! assert_eq!(space.pack(rules::start(&house)), Some(0b01_00));
//! ```

use std::ops::ControlFlow;

use fewest_core::encoding::{Cell, Cells, Fields};
use fewest_core::{Goals, Ranked, StateSpace, Undirected, Word};

use crate::instance::{Instance, Place};

/// All boards of a house, packed.
///
/// Corridor cells are numbered in reading order; ghost `i`'s cell is field `i` of the word, in the
/// least bits that tell the cells apart: on 111 cells, the most of an official map, 7 bits a ghost.
///
/// | word | three ghosts fit | so many ghosts fit on 65,025 cells (16 bits) |
/// | --- | --- | --- |
/// | `u32` | up to 1,024 cells | 2 |
/// | `u64` | on every map | 4 |
/// | `u128` | on every map | 8 |
/// | `[u64; 3]` | on every map | 12 |
/// | `[u64; 7]` | on every map | 28 |
///
/// Each step can be undone: where a ghost came from it may go back to, and what was no exchange is
/// none backwards.
#[derive(Clone, Debug)]
pub struct Space<W> {
    cells: Cells,
    fields: Fields<W>,
    start: W,
    goal: W,
}

/// The word of those whose states fit no integer.
pub(crate) type Wide = [u64; 7];

/// More ghosts than these fit no word: each needs a cell of its own, and its field tells the cells
/// apart.
pub const MOST_GHOSTS: usize = 64;

/// How many ghosts fit a word on so many cells: a field does not lie across two limbs.
pub fn most_ghosts(cells: usize) -> usize {
    let fit = |ghosts: &usize| {
        Fields::<Wide>::new(Fields::<Wide>::width_for(cells), *ghosts as u32).is_some()
    };
    (0..=MOST_GHOSTS).rev().find(fit).unwrap_or(0)
}

impl<W: Word> Space<W> {
    /// `None` if the state does not fit the word.
    pub fn new(instance: &Instance) -> Option<Self> {
        let cells = instance.cells()?;
        let ghosts = instance.ghosts().len();
        let fields = Fields::new(Fields::<W>::width_for(cells.len()), ghosts as u32)
            .filter(|_| ghosts <= MOST_GHOSTS)?;
        let mut space = Self { cells, fields, start: W::ZERO, goal: W::ZERO };
        space.start = space.pack(instance.ghosts().iter().map(|ghost| ghost.start))?;
        space.goal = space.pack(instance.ghosts().iter().map(|ghost| ghost.goal))?;
        Some(space)
    }

    /// The state of a board; `None` if a ghost stands in a wall.
    pub fn pack(&self, board: impl IntoIterator<Item = Place>) -> Option<W> {
        let cell = |place: Place| self.cells.at(place.x.into(), place.y.into()).map(u32::from);
        let cells: Option<Vec<u32>> = board.into_iter().map(cell).collect();
        Some(self.fields.pack(cells?))
    }

    /// The board of a state.
    pub fn unpack(&self, state: W) -> Vec<Place> {
        self.ghost_cells(state).map(|cell| Place::at(self.cells.place(cell))).collect()
    }

    /// The corridor cells.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The cell of each ghost.
    #[inline]
    pub fn ghost_cells(&self, state: W) -> impl Iterator<Item = Cell> + '_ {
        (0..self.fields.count()).map(move |ghost| self.fields.get(state, ghost) as Cell)
    }
}

/// No cell has these numbers: where a ghost that is still undecided goes, and where one is that
/// there is not.
const UNDECIDED: Cell = Cell::MAX;
const NOWHERE: Cell = Cell::MAX - 1;

/// A joint step in the making, of at most `N` ghosts: a number known beforehand makes short loops.
struct Step<'a, W, const N: usize> {
    space: &'a Space<W>,
    from: [Cell; N],
    to: [Cell; N],
}

impl<'a, W: Word, const N: usize> Step<'a, W, N> {
    #[inline]
    fn from(space: &'a Space<W>, state: W) -> Self {
        let mut step = Self { space, from: [NOWHERE; N], to: [NOWHERE; N] };
        for (ghost, cell) in space.ghost_cells(state).enumerate() {
            step.from[ghost] = cell;
            step.to[ghost] = UNDECIDED;
        }
        step
    }

    /// Tries each cell for `ghost`, and for each the cells of the ghosts that are still undecided;
    /// `state` holds the cells decided so far.
    fn decide<B>(
        &mut self,
        ghost: usize,
        state: W,
        emit: &mut impl FnMut(W) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let space = self.space;
        let from = self.from[ghost];
        for &to in std::iter::once(&from).chain(space.cells.neighbours(from)) {
            if self.to.contains(&to) {
                continue;
            }
            let there = self.from.iter().position(|&cell| cell == to);
            if there.is_some_and(|there| there != ghost && self.to[there] == from) {
                continue;
            }
            self.to[ghost] = to;
            let state = space.fields.set(state, ghost, to.into());
            // The ghost that has to make room comes next, so that a step that cannot be completed
            // is dropped at once.
            let undecided = |&ghost: &usize| self.to[ghost] == UNDECIDED;
            let next = there.filter(undecided).or_else(|| (0..N).find(undecided));
            match next {
                Some(next) => self.decide(next, state, emit)?,
                None => emit(state)?,
            }
        }
        self.to[ghost] = UNDECIDED;
        ControlFlow::Continue(())
    }
}

impl<W: Word> StateSpace for Space<W> {
    type State = W;
    /// Two boards say which step lies between them.
    type Move = ();

    fn initial(&self, mut emit: impl FnMut(W)) {
        emit(self.start);
    }

    #[inline]
    fn is_goal(&self, state: W) -> bool {
        state == self.goal
    }

    #[inline]
    fn successors<B>(
        &self,
        state: W,
        _: Option<()>,
        mut emit: impl FnMut((), W) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let emit = &mut |next| emit((), next);
        match self.fields.count() {
            0..=3 => Step::<W, 3>::from(self, state).decide(0, W::ZERO, emit),
            4..=8 => Step::<W, 8>::from(self, state).decide(0, W::ZERO, emit),
            _ => Step::<W, MOST_GHOSTS>::from(self, state).decide(0, W::ZERO, emit),
        }
    }
}

impl<W: Word> Undirected for Space<W> {}

impl<W: Word> Goals for Space<W> {
    fn goals(&self, mut emit: impl FnMut(W)) {
        emit(self.goal);
    }
}

/// The cells of the ghosts as the digits of a number to the base of the cells, ghost `a` the
/// highest.
impl<W: Word> Ranked for Space<W> {
    fn ranks(&self) -> Option<u64> {
        (self.cells.len() as u64).checked_pow(self.fields.count() as u32)
    }

    #[inline]
    fn rank(&self, state: W) -> u64 {
        let base = self.cells.len() as u64;
        self.ghost_cells(state).fold(0, |rank, cell| rank * base + u64::from(cell))
    }

    fn unrank(&self, mut rank: u64) -> W {
        let base = self.cells.len() as u64;
        (0..self.fields.count()).rev().fold(W::ZERO, |state, ghost| {
            let cell = rank % base;
            rank /= base;
            self.fields.set(state, ghost, cell as u32)
        })
    }
}
