//! The packed state space, the fast counterpart of the [rules](crate::rules): it encodes boards as
//! bits and computes successors on them.
//!
//! ```
//! use fewest_rules::Rules;
//! use fewest_wall_pusher::{Instance, Size, space::Space};
//!
//! // Three cells in a row, and the player in the middle one. The wall on the east of that cell can
//! // be pushed one edge further, into the gap in the border. The cell has three bits, and these
//! // two edges have one bit each. No other edge can change, so no other edge has a bit.
//! let size = Size::new(1, 3).unwrap();
//! let maze = Instance::read(b"2 1\n11 14 11\n", size).next().unwrap().unwrap();
//! let space = Space::<u64>::new(&maze).unwrap();
//! assert_eq!(space.pack(&maze.start_board()), Some(0b01_001));
//! ```

use std::ops::ControlFlow;

use fewest_core::encoding::Fields;
use fewest_core::{StateSpace, Word};
use fewest_geometry::{Cell, Direction};

use crate::instance::{Edge, Instance, Size, Walls};
use crate::relaxation::{EdgeStatus, Relaxation};
use crate::rules::Board;

/// The boards that are reachable from the start of a maze, packed into words.
///
/// | bits | content |
/// | --- | --- |
/// | the lowest | the cell field: the number of the player's cell |
/// | above, one for each edge that can change | set if the edge has a wall |
///
/// Cells are numbered in reading order. The next four numbers mean that the player is outside, to
/// the north, east, south or west. The cell field is as wide as these `cells + 4` values need. The
/// edges are in the order of [`Edge::all`]. An edge can change unless the [`Relaxation`] proves
/// that it cannot. If the player is outside, all wall bits are clear, because walls no longer
/// matter.
///
/// A maze of 4 x 6 cells takes at most 63 bits and fits a `u64`. A maze of 8 x 8 cells takes at
/// most 151 bits, a `[u64; 3]`, but most of them take fewer than 128.
#[derive(Clone, Debug)]
pub struct Space<W> {
    size: Size,
    /// The width of the cell field.
    cell_bits: u32,
    /// The walls before the first move, for the edges without a bit.
    walls: Walls,
    /// For each edge, in the order of [`Edge::all`], the index of its bit.
    edge_bits: Vec<Option<u32>>,
    start: W,
    /// The moves from cell `c` are `moves[first_move[c]..first_move[c + 1]]`.
    moves: Vec<PackedMove<W>>,
    first_move: Vec<u32>,
}

/// A move from one cell in one direction, as bit masks that apply to every arrangement of walls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PackedMove<W> {
    pub(crate) direction: Direction,
    /// The bit of the edge that the move crosses; zero if the edge has no bit. No wall of such an
    /// edge blocks the move.
    edge: W,
    /// The bits of that edge and of the next one in the same direction; zero if no wall can be
    /// pushed there.
    pub(crate) push: W,
    /// In the cell field, the exclusive or of the numbers of the two cells.
    cell_change: W,
    /// The number of the cell that the move leads to, or of outside in this direction.
    pub(crate) to: u8,
}

impl<W: Word> PackedMove<W> {
    /// Whether the move is possible without a push.
    #[inline]
    pub(crate) fn is_free(&self, state: W) -> bool {
        state.and(self.edge) == W::ZERO
    }

    /// Whether the move is legal. The result is unpredictable, so this has no branches.
    #[inline]
    pub(crate) fn is_legal(&self, state: W) -> bool {
        self.is_free(state) | ((state.and(self.push) == self.edge) & (self.push != W::ZERO))
    }

    /// The state after the move, which must be legal.
    #[inline]
    pub(crate) fn apply(&self, state: W) -> W {
        state.xor(self.cell_change).xor(if self.is_free(state) { W::ZERO } else { self.push })
    }
}

/// An abstraction of a maze that ignores some of its walls and gaps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Abstraction {
    /// The visible [lines](Edge::line_number), one bit each. In all other lines, no wall blocks a
    /// move that the relaxation allows.
    pub(crate) lines: u32,
    /// The only gap through which moves may leave the maze, and into which no wall is pushed;
    /// `None` if all gaps may be used.
    pub(crate) gap: Option<Edge>,
}

impl Abstraction {
    /// The abstraction that ignores nothing.
    pub(crate) const IDENTITY: Self = Self { lines: u32::MAX, gap: None };
}

impl<W: Word> Space<W> {
    /// Creates the space of a maze; `None` if a state does not fit the word.
    pub fn new(maze: &Instance) -> Option<Self> {
        Self::abstracted(maze, &Relaxation::new(maze), Abstraction::IDENTITY)
    }

    /// Creates the space of an abstraction of a maze; `None` if a state does not fit the word.
    ///
    /// Each plan of the maze that leaves through a gap of the abstraction is a plan of this space.
    /// If all lines are visible, the converse holds as well.
    pub(crate) fn abstracted(
        maze: &Instance,
        relaxation: &Relaxation,
        Abstraction { lines, gap }: Abstraction,
    ) -> Option<Self> {
        let size = maze.size();
        let is_visible = |edge: Edge| lines >> edge.line_number(size) & 1 == 1;
        let mut space = Self::without_moves(size, |edge| {
            is_visible(edge) && relaxation.edge_status(edge) == EdgeStatus::Unknown
        })?;
        let is_included = |place, direction, edge| {
            let inside = size.neighbour(place, direction).is_some();
            relaxation.may_cross(place, direction) && (inside || gap.is_none_or(|gap| gap == edge))
        };
        space.fill_moves(is_included, gap);
        space.walls = *maze.walls();
        space.start = space.pack(&Board { walls: space.walls, place: Some(maze.start()) })?;
        Some(space)
    }

    /// Creates the space of all mazes of a size, for the states of
    /// [`initial_state`](Self::initial_state): each edge has a bit, and no move is excluded.
    pub(crate) fn of_size(size: Size) -> Option<Self> {
        let mut space = Self::without_moves(size, |_| true)?;
        space.fill_moves(|_, _, _| true, None);
        Some(space)
    }

    /// Assigns bits to the edges for which `has_bit` holds.
    fn without_moves(size: Size, has_bit: impl Fn(Edge) -> bool) -> Option<Self> {
        let cell_bits = Fields::<u64>::width_for(size.len() + Direction::ALL.len());
        let mut bit = cell_bits;
        let edge_bits = Edge::all(size)
            .map(|edge| {
                has_bit(edge).then(|| {
                    bit += 1;
                    bit - 1
                })
            })
            .collect();
        let moves = Vec::with_capacity(4 * size.len());
        let space = Self {
            size,
            cell_bits,
            walls: Walls::default(),
            edge_bits,
            start: W::ZERO,
            moves,
            first_move: vec![0],
        };
        (bit <= W::BITS).then_some(space)
    }

    /// Adds the moves for which `is_included` holds. No wall is pushed into `gap`.
    fn fill_moves(
        &mut self,
        is_included: impl Fn(Cell, Direction, Edge) -> bool,
        gap: Option<Edge>,
    ) {
        for place in self.size.cells() {
            for direction in Direction::ALL
                .into_iter()
                .filter(|&direction| is_included(place, direction, Edge::of(place, direction)))
            {
                let packed_move = self.packed_move(place, direction, gap);
                self.moves.push(packed_move);
            }
            self.first_move.push(self.moves.len() as u32);
        }
    }

    fn packed_move(&self, place: Cell, direction: Direction, gap: Option<Edge>) -> PackedMove<W> {
        let size = self.size;
        let edge = Edge::of(place, direction);
        let ahead = edge
            .next(direction, size)
            .filter(|&ahead| gap != Some(ahead))
            .map_or(W::ZERO, |ahead| self.edge_bit(ahead));
        let from = size.index(place) as u32;
        let to = size
            .neighbour(place, direction)
            .map_or(size.len() + direction as usize, |to| size.index(to)) as u32;
        let edge = self.edge_bit(edge);
        PackedMove {
            direction,
            edge,
            push: if ahead == W::ZERO { W::ZERO } else { edge.xor(ahead) },
            cell_change: W::ZERO.with_bits(0, self.cell_bits, from ^ to),
            to: to as u8,
        }
    }

    /// The rows and columns.
    pub fn size(&self) -> Size {
        self.size
    }

    /// A word with only the bit of an edge set; zero if the edge has no bit.
    pub(crate) fn edge_bit(&self, edge: Edge) -> W {
        self.edge_bits[edge.number(self.size)].map_or(W::ZERO, |bit| W::ZERO.with_bits(bit, 1, 1))
    }

    /// The edges that have a bit, each with the index of its bit.
    fn packed_edges(&self) -> impl Iterator<Item = (Edge, u32)> {
        Edge::all(self.size).zip(&self.edge_bits).filter_map(|(edge, &bit)| Some((edge, bit?)))
    }

    /// The number of the player's cell in a state; the number of cells or more if the player is
    /// outside.
    #[inline]
    pub fn cell(&self, state: W) -> usize {
        state.bits(0, self.cell_bits) as usize
    }

    /// The moves from a cell, in the order of [`Direction::ALL`].
    #[inline]
    pub(crate) fn moves_from(&self, cell: usize) -> &[PackedMove<W>] {
        &self.moves[self.first_move[cell] as usize..self.first_move[cell + 1] as usize]
    }

    /// The initial state.
    pub(crate) fn start(&self) -> W {
        self.start
    }

    /// The wall bits of a state: the state with its cell field cleared.
    #[inline]
    pub(crate) fn walls(&self, state: W) -> W {
        state.with_bits(0, self.cell_bits, 0)
    }

    /// The state of a board that is reachable from the start; `None` if the player is outside,
    /// because a board does not record the side.
    pub fn pack(&self, board: &Board) -> Option<W> {
        let state = W::ZERO.with_bits(0, self.cell_bits, self.size.index(board.place?) as u32);
        let walls = self.packed_edges().filter(|&(edge, _)| board.walls.has(edge));
        Some(walls.fold(state, |state, (_, bit)| state.with_bits(bit, 1, 1)))
    }

    /// The board of a state; without walls if the player is outside.
    pub fn unpack(&self, state: W) -> Board {
        let cell = self.cell(state);
        if cell >= self.size.len() {
            return Board { walls: Walls::default(), place: None };
        }
        let mut walls = self.walls;
        self.packed_edges().for_each(|(edge, bit)| walls.set(edge, state.bits(bit, 1) == 1));
        Board { walls, place: Some(self.size.cell(cell)) }
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
        self.cell(state) >= self.size.len()
    }

    #[inline]
    fn successors<B>(
        &self,
        state: W,
        _: Option<Direction>,
        mut emit: impl FnMut(Direction, W) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (cell, cells) = (self.cell(state), self.size.len());
        if cell >= cells {
            return ControlFlow::Continue(());
        }
        for packed_move in self.moves_from(cell) {
            if packed_move.is_legal(state) {
                let leaves = usize::from(packed_move.to) >= cells;
                let after = if leaves {
                    W::ZERO.with_bits(0, self.cell_bits, packed_move.to.into())
                } else {
                    packed_move.apply(state)
                };
                emit(packed_move.direction, after)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Space<u64> {
    /// The initial state of a maze in the space of its [size](Self::of_size), where the bits of a
    /// line are adjacent.
    #[inline]
    pub(crate) fn initial_state(&self, maze: &Instance) -> u64 {
        let (rows, columns) = (self.size.rows(), self.size.columns());
        let mut state = self.size.index(maze.start()) as u64;
        let mut bit = self.cell_bits;
        for line in 0..rows + columns {
            state |= (maze.walls().of_line(line, self.size) as u64) << bit;
            bit += if line < rows { columns as u32 + 1 } else { rows as u32 + 1 };
        }
        state
    }
}

/// Evaluates an expression with the space of an abstraction of a maze, in the narrowest word that
/// holds the states: `with_space!(maze, relaxation, abstraction, |space| ...)`. It is compiled for
/// each word.
///
/// # Errors
/// [`Limit::Encoding`](fewest_core::budget::Limit::Encoding) if no word holds them. This does not
/// happen for mazes of at most 8 x 8 cells.
macro_rules! with_space {
    ($maze:expr, $relaxation:expr, $abstraction:expr, |$space:ident| $result:expr) => {{
        let of = ($maze, $relaxation, $abstraction);
        $crate::space::with_space!(@ of, $space, $result, u64, u128, [u64; 3])
    }};
    (@ $of:ident, $space:ident, $result:expr, $word:ty $(, $wider:ty)*) => {
        match $crate::space::Space::<$word>::abstracted($of.0, $of.1, $of.2) {
            Some(space) => {
                let $space = &space;
                Ok($result)
            }
            None => $crate::space::with_space!(@ $of, $space, $result $(, $wider)*),
        }
    };
    (@ $of:ident, $space:ident, $result:expr) => { Err(::fewest_core::budget::Limit::Encoding) };
}

pub(crate) use with_space;
