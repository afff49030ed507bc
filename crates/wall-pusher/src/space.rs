//! The packed state space: the fast twin of the rules. Here a move is decided and a state becomes
//! bits.
//!
//! ```
//! use fewest_wall_pusher::{Instance, Size, rules, space::Space};
//!
//! // Three cells in a row, the mover in the middle. The wall on the right can be pushed to the far east, where a gap is: 2
//! // bits of place, and 1 for each of these two edges. No other edge can ever change, so none other has a bit.
//! let size = Size::new(1, 3).unwrap();
//! let maze = Instance::read(b"2 1\n11 14 11\n", size).next().unwrap().unwrap();
//! let space = Space::<u64>::new(&maze).unwrap();
//! assert_eq!(space.pack(&rules::start(&maze)), Some(0b01_001));
//! ```

use std::ops::ControlFlow;

use fewest_core::budget::Limit;
use fewest_core::encoding::Fields;
use fewest_core::grid::{Direction, Place};
use fewest_core::{StateSpace, Word};

use crate::instance::{Edge, Instance, Size, Walls};
use crate::relaxation::{Ever, Relaxation};
use crate::rules::Board;

/// The boards that the start can lead to, packed.
///
/// | bits | what |
/// | --- | --- |
/// | the lowest, enough for the cells and four more | the number of the cell, in reading order; behind them outside, to the north, east, south and west |
/// | 1 an edge that can change | its wall: the rows from the north, each from the west, then the columns from the west, each from the north |
///
/// An edge can change if the [`Relaxation`] does not rule it out. A maze of 4 x 6 cells takes 63
/// bits at most, a `u64`; one of 8 x 8 151, a `[u64; 3]`, but mostly fewer than 128. Once outside,
/// walls no longer matter: all their bits are clear.
#[derive(Clone, Debug)]
pub struct Space<W> {
    size: Size,
    /// Bits of the cell's number.
    place_bits: u32,
    walls: Walls,
    /// The bit of each edge that has one, in the order of [`Edge::all`].
    bits: Vec<Option<u32>>,
    start: W,
    /// Those that lead from cell `c` are `steps[first[c]..first[c + 1]]`.
    steps: Vec<Step<W>>,
    first: Vec<u32>,
}

/// A move, whatever the walls that can change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<W> {
    pub(crate) way: Direction,
    /// The edge that it crosses; clear if there is never a wall on it.
    edge: W,
    /// That edge and the next behind it; clear if no wall can be pushed there.
    pub(crate) push: W,
    /// The cells that it leads from and to: the bits in which their numbers differ.
    cells: W,
    /// The number of the cell that it leads to, or of outside.
    pub(crate) to: u8,
}

impl<W: Word> Step<W> {
    /// Whether it pushes nothing.
    #[inline]
    pub(crate) fn is_free(&self, state: W) -> bool {
        state.and(self.edge) == W::ZERO
    }

    /// Whether no walls are in the way. What a branch would ask here nobody can guess, so there is
    /// none.
    #[inline]
    pub(crate) fn is_possible(&self, state: W) -> bool {
        self.is_free(state) | ((state.and(self.push) == self.edge) & (self.push != W::ZERO))
    }

    /// The state after the move, if it is possible.
    #[inline]
    pub(crate) fn after(&self, state: W) -> W {
        state.xor(self.cells).xor(if self.is_free(state) { W::ZERO } else { self.push })
    }
}

/// What of a maze is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    /// The [lines of edges](Edge::line_number), a bit each. In all others walls are never in the
    /// way of a move that the relaxation allows.
    pub(crate) lines: u32,
    /// The only gap to leave by, if not all count. Nothing is pushed into it.
    pub(crate) exit: Option<Edge>,
}

impl View {
    /// Everything.
    pub(crate) const ALL: Self = Self { lines: u32::MAX, exit: None };
}

impl<W: Word> Space<W> {
    /// `None` if the state does not fit the word.
    pub fn new(maze: &Instance) -> Option<Self> {
        Self::of(maze, &Relaxation::new(maze), View::ALL)
    }

    /// The space of a view. Each plan of the maze that leaves by the exit of the view is one of
    /// this space, and if all lines are looked at, the other way round as well.
    pub(crate) fn of(
        maze: &Instance,
        relaxation: &Relaxation,
        View { lines, exit }: View,
    ) -> Option<Self> {
        let size = maze.size();
        let looked_at = |edge: Edge| lines >> edge.line_number(size) & 1 == 1;
        let mut space = Self::without_moves(size, |edge| {
            looked_at(edge) && relaxation.ever(edge) == Ever::Changing
        })?;
        let leads_on = |place, way, edge| {
            let inside = size.neighbour(place, way).is_some();
            relaxation.may_cross(place, way) && (inside || exit.is_none_or(|exit| exit == edge))
        };
        space.fill_steps(leads_on, exit);
        space.walls = *maze.walls();
        space.start = space.pack(&Board { walls: space.walls, place: Some(maze.start()) })?;
        Some(space)
    }

    /// The space of all mazes of a size, for states of [`state`](Self::state): nothing is ruled
    /// out, and each edge has a bit.
    pub(crate) fn of_size(size: Size) -> Option<Self> {
        let mut space = Self::without_moves(size, |_| true)?;
        space.fill_steps(|_, _, _| true, None);
        Some(space)
    }

    /// A bit for the edges that are to have one.
    fn without_moves(size: Size, has: impl Fn(Edge) -> bool) -> Option<Self> {
        let place_bits = Fields::<u64>::width_for(size.cells() + Direction::ALL.len());
        let mut bit = place_bits;
        let bits = Edge::all(size)
            .map(|edge| {
                has(edge).then(|| {
                    bit += 1;
                    bit - 1
                })
            })
            .collect();
        let steps = Vec::with_capacity(4 * size.cells());
        let space = Self {
            size,
            place_bits,
            walls: Walls::default(),
            bits,
            start: W::ZERO,
            steps,
            first: vec![0],
        };
        (bit <= W::BITS).then_some(space)
    }

    /// The moves, of those that lead on.
    fn fill_steps(
        &mut self,
        leads_on: impl Fn(Place, Direction, Edge) -> bool,
        exit: Option<Edge>,
    ) {
        for place in self.size.places() {
            for way in
                Direction::ALL.into_iter().filter(|&way| leads_on(place, way, Edge::of(place, way)))
            {
                let step = self.step(place, way, exit);
                self.steps.push(step);
            }
            self.first.push(self.steps.len() as u32);
        }
    }

    fn step(&self, place: Place, way: Direction, exit: Option<Edge>) -> Step<W> {
        let size = self.size;
        let edge = Edge::of(place, way);
        let ahead = edge
            .next(way, size)
            .filter(|&ahead| exit != Some(ahead))
            .map_or(W::ZERO, |ahead| self.mask(ahead));
        let from = size.number(place) as u32;
        let to = size
            .neighbour(place, way)
            .map_or(size.cells() + way as usize, |to| size.number(to)) as u32;
        let edge = self.mask(edge);
        Step {
            way,
            edge,
            push: if ahead == W::ZERO { W::ZERO } else { edge.xor(ahead) },
            cells: W::ZERO.with_bits(0, self.place_bits, from ^ to),
            to: to as u8,
        }
    }

    /// Rows and columns.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The bit of an edge, alone in a word; none if the edge has none.
    pub(crate) fn mask(&self, edge: Edge) -> W {
        self.bits[edge.number(self.size)].map_or(W::ZERO, |bit| W::ZERO.with_bits(bit, 1, 1))
    }

    /// The edges that have a bit.
    fn edges(&self) -> impl Iterator<Item = (Edge, u32)> {
        Edge::all(self.size).zip(&self.bits).filter_map(|(edge, &bit)| Some((edge, bit?)))
    }

    /// The number of the cell in a state; the count of all cells or more is outside.
    #[inline]
    pub fn cell(&self, state: W) -> usize {
        state.bits(0, self.place_bits) as usize
    }

    /// The moves from a cell, in the order of [`Direction::ALL`].
    #[inline]
    pub(crate) fn steps(&self, cell: usize) -> &[Step<W>] {
        &self.steps[self.first[cell] as usize..self.first[cell + 1] as usize]
    }

    /// The state at first.
    pub(crate) fn start(&self) -> W {
        self.start
    }

    /// A state with its cell put to the first.
    #[inline]
    pub(crate) fn walls(&self, state: W) -> W {
        state.with_bits(0, self.place_bits, 0)
    }

    /// The state of a board that the start can lead to; `None` if it is outside, which does not say
    /// on what side.
    pub fn pack(&self, board: &Board) -> Option<W> {
        let state = W::ZERO.with_bits(0, self.place_bits, self.size.number(board.place?) as u32);
        let walls = self.edges().filter(|&(edge, _)| board.walls.has(edge));
        Some(walls.fold(state, |state, (_, bit)| state.with_bits(bit, 1, 1)))
    }

    /// The board of a state; without walls if it is outside.
    pub fn unpack(&self, state: W) -> Board {
        let cell = self.cell(state);
        if cell >= self.size.cells() {
            return Board { walls: Walls::default(), place: None };
        }
        let mut walls = self.walls;
        self.edges().for_each(|(edge, bit)| walls.set(edge, state.bits(bit, 1) == 1));
        Board { walls, place: Some(self.size.place(cell)) }
    }
}

impl<W: Word> StateSpace for Space<W> {
    type State = W;
    type Move = Direction;

    fn initial(&self, mut emit: impl FnMut(W)) {
        emit(self.start);
    }

    #[inline]
    fn is_goal(&self, state: W) -> bool {
        self.cell(state) >= self.size.cells()
    }

    #[inline]
    fn successors<B>(
        &self,
        state: W,
        _: Option<Direction>,
        mut emit: impl FnMut(Direction, W) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (cell, cells) = (self.cell(state), self.size.cells());
        if cell >= cells {
            return ControlFlow::Continue(());
        }
        for step in self.steps(cell) {
            if step.is_possible(state) {
                let out = usize::from(step.to) >= cells;
                let after = if out {
                    W::ZERO.with_bits(0, self.place_bits, step.to.into())
                } else {
                    step.after(state)
                };
                emit(step.way, after)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Space<u64> {
    /// The first state of a maze in the space of its [size](Self::of_size): all lines of edges in a
    /// row.
    #[inline]
    pub(crate) fn state(&self, maze: &Instance) -> u64 {
        let (rows, columns) = (self.size.rows(), self.size.columns());
        let mut state = self.size.number(maze.start()) as u64;
        let mut bit = self.place_bits;
        for line in 0..rows + columns {
            state |= (maze.walls().of_line(line, self.size) as u64) << bit;
            bit += if line < rows { columns as u32 + 1 } else { rows as u32 + 1 };
        }
        state
    }
}

/// A question to the space of a maze, whatever its word.
pub(crate) trait Question {
    type Answer;

    fn ask<W: Word>(self, space: &Space<W>) -> Self::Answer;
}

/// The answer to a question about the space of a view, in the smallest word that it fits.
///
/// # Errors
/// [`Limit::Encoding`] if it fits none; they are wide enough for all mazes of 8 x 8.
pub(crate) fn ask<Q: Question>(
    maze: &Instance,
    relaxation: &Relaxation,
    view: View,
    question: Q,
) -> Result<Q::Answer, Limit> {
    if let Some(space) = Space::<u64>::of(maze, relaxation, view) {
        Ok(question.ask(&space))
    } else if let Some(space) = Space::<u128>::of(maze, relaxation, view) {
        Ok(question.ask(&space))
    } else {
        let space = Space::<[u64; 3]>::of(maze, relaxation, view).ok_or(Limit::Encoding)?;
        Ok(question.ask(&space))
    }
}
