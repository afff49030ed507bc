//! The joint state space for the engines of core: all ghosts in one packed state.
//!
//! ```
//! use fewest_core::StateSpace;
//! use fewest_halloween::{Instance, rules, space::Space};
//!
//! // Four corridor cells, so 2 bits per ghost: `a` is on cell 0, `b` on cell 1.
//! let instance = Instance::read(b"4 1 2\nabAB\n").next().unwrap().unwrap();
//! let space = Space::<u32>::new(&instance).unwrap();
//! assert_eq!(space.pack(instance.starts()), Some(0b01_00));
//! ```

use std::ops::ControlFlow;

use fewest_core::encoding::{CellIndex, Cells, Fields};
use fewest_core::{Goals, Predecessors, Ranked, StateSpace, Word};
use fewest_geometry::Cell;

use crate::instance::Instance;

/// The state space of an instance. A state is the board packed into a word `W`.
///
/// Corridor cells are numbered in reading order, and field `i` of the word is the cell of ghost
/// `i`. On `n` cells a field has `ceil(log2(n))` bits, at least 1: 7 bits on the 111 cells of the
/// largest official map.
///
/// | word | three ghosts fit | ghosts that fit on 65,025 cells (16 bits) |
/// | --- | --- | --- |
/// | `u32` | up to 1,024 cells | 2 |
/// | `u64` | on every map | 4 |
/// | `u128` | on every map | 8 |
/// | `[u64; 3]` | on every map | 12 |
/// | `[u64; 7]` | on every map | 28 |
///
/// The space is undirected: the reverse of a legal step is legal.
#[derive(Clone, Debug)]
pub struct Space<W> {
    cells: Cells,
    fields: Fields<W>,
    start: W,
    goal: W,
}

impl Instance {
    /// The corridor cells, numbered in reading order. `None` if there are more than 2,097,152.
    pub fn cells(&self) -> Option<Cells> {
        Cells::new(self.size(), |cell| self.is_corridor(cell))
    }
}

/// The widest word that a state is packed into.
pub(crate) type WidestWord = [u64; 7];

/// The most ghosts that fit a word on any map. `n` ghosts need `n` cells, so 65 ghosts need fields
/// of 7 bits, of which the widest word holds 63.
pub const MAX_GHOSTS: usize = 64;

/// The most ghosts that fit a word on a map of `cells` corridor cells. Fields do not cross limbs.
pub fn max_ghosts(cells: usize) -> usize {
    let fit = |ghosts: &usize| {
        let width = Fields::<WidestWord>::width_for(cells);
        Fields::<WidestWord>::new(width, *ghosts as u32).is_ok()
    };
    (0..=MAX_GHOSTS).rev().find(fit).unwrap_or(0)
}

impl<W: Word> Space<W> {
    /// The space of `instance`. `None` if its states do not fit the word, or if the map has more
    /// than 2,097,152 corridor cells.
    pub fn new(instance: &Instance) -> Option<Self> {
        let cells = instance.cells()?;
        let ghosts = instance.ghosts().len();
        let fields = Fields::new(Fields::<W>::width_for(cells.len()), ghosts as u32)
            .ok()
            .filter(|_| ghosts <= MAX_GHOSTS)?;
        let mut space = Self { cells, fields, start: W::ZERO, goal: W::ZERO };
        space.start = space.pack(instance.ghosts().iter().map(|ghost| ghost.start))?;
        space.goal = space.pack(instance.ghosts().iter().map(|ghost| ghost.goal))?;
        Some(space)
    }

    /// The state of a board. `None` if a ghost is not on a corridor cell.
    pub fn pack(&self, board: impl IntoIterator<Item = Cell>) -> Option<W> {
        let cell = |cell| self.cells.index(cell);
        let cells: Option<Vec<u32>> = board.into_iter().map(cell).collect();
        Some(self.fields.pack(cells?))
    }

    /// The board of a state.
    pub fn unpack(&self, state: W) -> Vec<Cell> {
        self.ghost_cells(state).map(|cell| self.cells.cell(cell)).collect()
    }

    /// The state of the starts.
    pub(crate) fn start(&self) -> W {
        self.start
    }

    /// The corridor cells.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The cell of each ghost, in the order of the ghosts.
    #[inline]
    pub fn ghost_cells(&self, state: W) -> impl Iterator<Item = CellIndex> + '_ {
        self.fields.values(state).map(|cell| cell as CellIndex)
    }
}

/// Evaluates an expression with the space of an instance, in the narrowest word that holds the
/// states: `with_space!(instance, |space| ...)`. It is compiled for each word. `None` if no word
/// holds them.
macro_rules! with_space {
    ($instance:expr, |$space:ident| $result:expr) => {
        $crate::space::with_space!(
            @ $instance, $space, $result, u32, u64, u128, [u64; 3], $crate::space::WidestWord
        )
    };
    (@ $instance:expr, $space:ident, $result:expr, $word:ty $(, $wider:ty)*) => {
        match $crate::space::Space::<$word>::new($instance) {
            Some(space) => {
                let $space = &space;
                Some($result)
            }
            None => $crate::space::with_space!(@ $instance, $space, $result $(, $wider)*),
        }
    };
    (@ $instance:expr, $space:ident, $result:expr) => { None };
}

pub(crate) use with_space;

/// In `StepGenerator::to`, a ghost without a cell yet. No cell has this number.
const UNDECIDED: CellIndex = CellIndex::MAX;

/// An array entry beyond the last ghost. No cell has this number.
const NO_CELL: CellIndex = CellIndex::MAX - 1;

/// A step that is being built ghost by ghost, for at most `N` ghosts. The loops over the ghosts are
/// fast because `N` is a constant.
struct StepGenerator<'a, W, const N: usize> {
    space: &'a Space<W>,
    from: [CellIndex; N],
    to: [CellIndex; N],
}

impl<'a, W: Word, const N: usize> StepGenerator<'a, W, N> {
    #[inline]
    fn from(space: &'a Space<W>, state: W) -> Self {
        let mut generator = Self { space, from: [NO_CELL; N], to: [NO_CELL; N] };
        for (ghost, cell) in space.ghost_cells(state).enumerate() {
            generator.from[ghost] = cell;
            generator.to[ghost] = UNDECIDED;
        }
        generator
    }

    /// Emits the state after each legal step that extends the decisions so far, with `ghost`
    /// decided next. `state` holds the cells of the decided ghosts.
    fn extend<B>(
        &mut self,
        ghost: usize,
        state: W,
        emit: &mut impl FnMut(W) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let space = self.space;
        let from = self.from[ghost];
        for &to in std::iter::once(&from).chain(space.cells.neighbours(from)) {
            // Without branches, because which ghosts are decided cannot be predicted.
            if self.to.iter().fold(false, |taken, &cell| taken | (cell == to)) {
                continue;
            }
            let occupant = self.from.iter().position(|&cell| cell == to);
            if occupant.is_some_and(|other| other != ghost && self.to[other] == from) {
                continue;
            }
            self.to[ghost] = to;
            let state = space.fields.set(state, ghost, to);
            // The ghost that has to make room is decided next, so that a step that cannot be
            // completed is dropped early.
            let is_undecided = |&ghost: &usize| self.to[ghost] == UNDECIDED;
            let next = occupant.filter(is_undecided).or_else(|| (0..N).find(is_undecided));
            match next {
                Some(next) => self.extend(next, state, emit)?,
                None => emit(state)?,
            }
        }
        self.to[ghost] = UNDECIDED;
        ControlFlow::Continue(())
    }
}

impl<W: Word> StateSpace for Space<W> {
    type State = W;
    /// Empty: two boards determine the step between them.
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
            0..=3 => StepGenerator::<W, 3>::from(self, state).extend(0, W::ZERO, emit),
            4..=8 => StepGenerator::<W, 8>::from(self, state).extend(0, W::ZERO, emit),
            _ => StepGenerator::<W, MAX_GHOSTS>::from(self, state).extend(0, W::ZERO, emit),
        }
    }
}

impl<W: Word> Predecessors for Space<W> {
    const UNDIRECTED: bool = true;
}

impl<W: Word> Goals for Space<W> {
    fn goals(&self, mut emit: impl FnMut(W)) {
        emit(self.goal);
    }
}

/// The rank has one digit per ghost, its cell, in a base that is the number of cells. Ghost 0 is
/// the most significant digit.
impl<W: Word> Ranked for Space<W> {
    fn ranks(&self) -> Option<u64> {
        (self.cells.len() as u64).checked_pow(self.fields.count() as u32)
    }

    #[inline]
    fn rank(&self, state: W) -> u64 {
        let base = self.cells.len() as u64;
        let append = |rank, cell| rank * base + u64::from(cell);
        match self.fields.count() {
            // Most maps have three ghosts, and without a loop a search of them takes 9 % less time.
            3 => [0, 1, 2].map(|ghost| self.fields.get(state, ghost)).into_iter().fold(0, append),
            _ => self.fields.values(state).fold(0, append),
        }
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
