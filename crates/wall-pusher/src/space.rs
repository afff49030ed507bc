//! The packed state space: the fast twin of the rules. Here a move is decided and a state becomes bits.
//!
//! ```
//! use fewest_core::grid::Size;
//! use fewest_wall_pusher::{Instance, rules, space::Space};
//!
//! // Two cells side by side, all walls but the one on the far east: 2 bits of place, then the row's edges 1, 1, 0, then
//! // those of the columns, 1, 1 and 1, 1.
//! let size = Size::new(1, 2).unwrap();
//! let maze = Instance::read(b"1 1\n15 11\n", size).next().unwrap().unwrap();
//! let space = Space::<u64>::new(&maze).unwrap();
//! assert_eq!(space.pack(&rules::start(&maze)), 0b11_11_011_00);
//! ```

use std::ops::ControlFlow;

use fewest_core::encoding::Fields;
use fewest_core::grid::{Direction, Place, Size};
use fewest_core::{StateSpace, Word};

use crate::instance::{Edge, Instance, Walls};
use crate::rules::Board;

/// All boards of a maze, packed.
///
/// | bits | what |
/// | --- | --- |
/// | the lowest, enough for the cells and one more | the number of the cell, in reading order; their count is outside |
/// | 1 an edge | its wall: the rows from the north, each from the west, then the columns from the west, each from the north |
///
/// That is 63 bits for 4 x 6 cells, a `u64`; 118 for 7 x 7, a `u128`; 151 for 8 x 8, a `[u64; 3]`. Border edges are
/// among them, since their gaps can be closed. Once outside, walls no longer matter: all their bits are clear.
#[derive(Clone, Debug)]
pub struct Space<W> {
    size: Size,
    /// Bits of the cell's number.
    place_bits: u32,
    start: W,
    /// Four for each cell, in the order of [`Direction::ALL`].
    moves: Vec<Step>,
}

/// What a move takes, whatever the walls.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The bit of the edge that it crosses.
    edge: u32,
    /// The bit of the edge to which a wall would be pushed; `None` where there is none, as from the border.
    ahead: Option<u32>,
    /// The number of the cell that it leads to.
    to: u32,
}

/// The bits that a state of a maze of this size takes.
pub fn state_bits(size: Size) -> u32 {
    Fields::<u64>::width_for(size.cells() + 1) + Edge::all(size).count() as u32
}

impl<W: Word> Space<W> {
    /// `None` if the state does not fit the word.
    pub fn new(instance: &Instance) -> Option<Self> {
        let size = instance.size();
        if state_bits(size) > W::BITS {
            return None;
        }
        let place_bits = Fields::<u64>::width_for(size.cells() + 1);
        let mut space = Self { size, place_bits, start: W::ZERO, moves: Vec::new() };
        for place in size.places() {
            let steps = Direction::ALL.map(|way| space.step(place, way));
            space.moves.extend(steps);
        }
        space.start = space.pack(&Board { walls: *instance.walls(), place: Some(instance.start()) });
        Some(space)
    }

    fn step(&self, place: Place, way: Direction) -> Step {
        let edge = Edge::of(place, way);
        Step {
            edge: self.bit(edge),
            ahead: edge.next(way, self.size).map(|ahead| self.bit(ahead)),
            to: self.number(self.size.neighbour(place, way)),
        }
    }

    /// Rows and columns.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The bit of an edge.
    pub fn bit(&self, edge: Edge) -> u32 {
        let (rows, columns) = (self.size.rows(), self.size.columns());
        let before =
            if edge.in_row { edge.line * (columns + 1) } else { rows * (columns + 1) + edge.line * (rows + 1) };
        self.place_bits + (before + edge.index) as u32
    }

    /// The number of a cell, or of outside.
    fn number(&self, place: Option<Place>) -> u32 {
        place.map_or(self.size.cells(), |place| self.size.number(place)) as u32
    }

    /// The number of the cell in a state; the count of all cells is outside.
    #[inline]
    pub fn cell(&self, state: W) -> usize {
        state.bits(0, self.place_bits) as usize
    }

    /// The state of a board.
    pub fn pack(&self, board: &Board) -> W {
        let state = W::ZERO.with_bits(0, self.place_bits, self.number(board.place));
        if board.place.is_none() {
            return state;
        }
        let walls = Edge::all(self.size).filter(|&edge| board.walls.has(edge));
        walls.fold(state, |state, edge| state.with_bits(self.bit(edge), 1, 1))
    }

    /// The board of a state; without walls if it is outside.
    pub fn unpack(&self, state: W) -> Board {
        let mut walls = Walls::default();
        Edge::all(self.size).for_each(|edge| walls.set(edge, state.bits(self.bit(edge), 1) == 1));
        let cell = self.cell(state);
        let place = (cell < self.size.cells()).then(|| self.size.place(cell));
        Board { walls, place }
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
        self.cell(state) == self.size.cells()
    }

    #[inline]
    fn successors<B>(
        &self,
        state: W,
        _: Option<Direction>,
        mut emit: impl FnMut(Direction, W) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let outside = self.size.cells();
        let cell = self.cell(state);
        if cell == outside {
            return ControlFlow::Continue(());
        }
        for (way, step) in Direction::ALL.into_iter().zip(&self.moves[4 * cell..]) {
            let mut next = state;
            if state.bits(step.edge, 1) == 1 {
                match step.ahead {
                    Some(ahead) if state.bits(ahead, 1) == 0 => {
                        next = next.with_bits(step.edge, 1, 0).with_bits(ahead, 1, 1);
                    }
                    _ => continue,
                }
            } else if step.to as usize == outside {
                next = W::ZERO;
            }
            emit(way, next.with_bits(0, self.place_bits, step.to))?;
        }
        ControlFlow::Continue(())
    }
}
