//! The boards of given cars, as a state space: the cars stay in their lanes, and a state is the
//! first cell of each car.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use fewest_core::StateSpace;
use fewest_core::search::Search;

use crate::board::{BLANK, Board, WALL};

/// The bits of the first cell of a car in a state.
const FIRST_BITS: usize = 3;

/// A car and its lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Car {
    pub(super) is_horizontal: bool,
    /// The row or column.
    pub(super) lane: u8,
    /// The number of cars before it in its lane.
    pub(super) index: u8,
    pub(super) length: u8,
}

/// Cars and where they start. The first is the red one. A move slides one car by any distance.
#[derive(Clone, Debug)]
pub(super) struct Cars {
    side: u8,
    /// For each row, the set of its walls.
    walls: Vec<u8>,
    cars: Vec<Car>,
    start: u64,
}

impl Cars {
    /// A board without cars. `walls` has the set of the walls of each row.
    pub(super) fn new(walls: &[u8]) -> Self {
        Self { side: walls.len() as u8, walls: walls.to_vec(), cars: Vec::new(), start: 0 }
    }

    /// Adds a car.
    pub(super) fn push(&mut self, car: Car, first: u8) {
        self.start |= u64::from(first) << (FIRST_BITS * self.cars.len());
        self.cars.push(car);
    }

    pub(super) fn cars(&self) -> &[Car] {
        &self.cars
    }

    /// The same board without a car.
    pub(super) fn without(&self, car: usize) -> Self {
        let mut fewer = Self::new(&self.walls);
        let others = self.cars.iter().enumerate().filter(|(other, _)| *other != car);
        others.for_each(|(other, &car)| fewer.push(car, first(self.start, other)));
        fewer
    }

    /// Whether a shortest plan has fewer than `moves` moves.
    pub(super) fn takes_fewer_than(&self, moves: u32) -> bool {
        let mut is_solved = false;
        Search::new(self).explore(|depth, state| {
            is_solved = depth < moves && self.is_goal(state);
            if is_solved || depth >= moves {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        is_solved
    }

    /// The board, with the cars named from `A` on: the red one, then the others in reading order.
    pub(super) fn board(&self) -> Board {
        let side = usize::from(self.side);
        let cell = |cell: usize| {
            if self.walls[cell / side] >> (cell % side) & 1 == 1 { WALL } else { BLANK }
        };
        let mut cells: Vec<char> = (0..side.pow(2)).map(cell).collect();
        let mut order: Vec<usize> = (0..self.cars.len()).collect();
        order[1..].sort_by_key(|&car| self.cell(car, first(self.start, car)));
        for (car, name) in order.into_iter().zip('A'..='Z') {
            let first = first(self.start, car);
            (first..first + self.cars[car].length).for_each(|at| cells[self.cell(car, at)] = name);
        }
        Board::of_cells(side, cells)
    }

    /// The cell of the board that is at a place in the lane of a car.
    fn cell(&self, car: usize, at: u8) -> usize {
        let Car { is_horizontal, lane, .. } = self.cars[car];
        let (row, column) = if is_horizontal { (lane, at) } else { (at, lane) };
        usize::from(row * self.side + column)
    }

    /// The cells that all cars and walls cover.
    fn covered(&self, state: u64) -> u64 {
        let cells = |car: usize| {
            let first = first(state, car);
            (first..first + self.cars[car].length).map(move |at| self.cell(car, at))
        };
        let walls = self.walls.iter().rev();
        let walls = walls.fold(0, |all, &of_row| all << self.side | u64::from(of_row));
        (0..self.cars.len()).flat_map(cells).fold(walls, |covered, cell| covered | 1 << cell)
    }
}

/// A board with its rows in reverse order, and its cars named anew.
pub(super) fn upside_down(board: &Board) -> Board {
    let rows = board.cells().chunks(board.columns()).rev();
    let cells: Vec<char> = rows.flatten().copied().collect();
    let image = Board::of_cells(board.columns(), cells);
    let mut names = BTreeMap::from([('A', 'A')]);
    let mut free = 'B'..='Z';
    for piece in image.pieces() {
        names.entry(piece).or_insert_with(|| free.next().unwrap_or(piece));
    }
    let rename = |cell: &char| names.get(cell).copied().unwrap_or(*cell);
    Board::of_cells(board.columns(), image.cells().iter().map(rename).collect())
}

/// The first cell of a car in its lane.
fn first(state: u64, car: usize) -> u8 {
    (state >> (FIRST_BITS * car) & 7) as u8
}

impl StateSpace for Cars {
    type State = u64;
    type Move = ();

    fn initial(&self, mut emit: impl FnMut(u64)) {
        emit(self.start);
    }

    fn is_goal(&self, state: u64) -> bool {
        first(state, 0) + self.cars[0].length == self.side
    }

    fn successors<B>(
        &self,
        state: u64,
        _last: Option<()>,
        mut emit: impl FnMut((), u64) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let covered = self.covered(state);
        for (car, Car { length, .. }) in self.cars.iter().enumerate() {
            let is_blank = |at: u8| covered >> self.cell(car, at) & 1 == 0;
            let shift = FIRST_BITS * car;
            let placed = |first: u8| state & !(7 << shift) | u64::from(first) << shift;
            let here = first(state, car);
            for to in (0..here).rev().take_while(|&to| is_blank(to)) {
                emit((), placed(to))?;
            }
            for to in (here + 1..=self.side - length).take_while(|&to| is_blank(to + length - 1)) {
                emit((), placed(to))?;
            }
        }
        ControlFlow::Continue(())
    }
}
