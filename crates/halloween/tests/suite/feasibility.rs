//! The feasibility test agrees with exhaustive search.

use std::collections::{BTreeSet, HashSet};

use fewest_core::budget::Budget;
use fewest_core::encoding::{CellIndex, Cells};
use fewest_core::search::Engine;
use fewest_core::{Goals, StateSpace};
use fewest_geometry::Grid;
use fewest_halloween::Instance;
use fewest_halloween::feasibility::has_plan;
use fewest_halloween::solve::solve;
use fewest_halloween::space::Space;
use proptest::prelude::*;

use crate::maps;

/// The cells of all ghosts, four bits each.
type PackedBoard = u32;

fn grid_cells(rows: usize, columns: usize, is_open: impl Fn(usize, usize) -> bool) -> Cells {
    let grid = Grid::<64>::new(rows, columns).expect("a size");
    Cells::new(grid, |cell| is_open(cell.row as usize, cell.column as usize)).expect("few cells")
}

fn pack(board: &[CellIndex]) -> PackedBoard {
    board.iter().rev().fold(0, |packed, &cell| packed << 4 | PackedBoard::from(cell))
}

/// Emits the boards one step after `from`, by the rules: each ghost stays or moves to a neighbour,
/// and no two ghosts share or exchange cells. `to` holds the cells decided so far.
fn successors(
    cells: &Cells,
    from: &[CellIndex],
    to: &mut Vec<CellIndex>,
    emit: &mut impl FnMut(&[CellIndex]),
) {
    let ghost = to.len();
    if ghost == from.len() {
        return emit(to);
    }
    for &next in std::iter::once(&from[ghost]).chain(cells.neighbours(from[ghost])) {
        let exchanged = (0..ghost).any(|other| to[other] == from[ghost] && next == from[other]);
        if !to.contains(&next) && !exchanged {
            to.push(next);
            successors(cells, from, to, emit);
            to.pop();
        }
    }
}

fn reachable(cells: &Cells, start: Vec<CellIndex>) -> HashSet<PackedBoard> {
    let mut visited = HashSet::from([pack(&start)]);
    let mut stack = vec![start];
    while let Some(from) = stack.pop() {
        successors(cells, &from, &mut Vec::new(), &mut |next| {
            if visited.insert(pack(next)) {
                stack.push(next.to_vec());
            }
        });
    }
    visited
}

/// All boards of `ghosts` ghosts on `cells` cells.
fn boards(cells: usize, ghosts: usize) -> Vec<Vec<CellIndex>> {
    let mut boards = vec![Vec::new()];
    for _ in 0..ghosts {
        let longer = |board: &Vec<CellIndex>| {
            let free = (0..cells as CellIndex).filter(|cell| !board.contains(cell));
            free.map(|cell| [board.as_slice(), &[cell]].concat()).collect::<Vec<_>>()
        };
        boards = boards.iter().flat_map(longer).collect();
    }
    boards
}

fn map(rows: &[&str]) -> Cells {
    grid_cells(rows.len(), rows[0].len(), |row, column| rows[row].as_bytes()[column] == b' ')
}

/// Checks `has_plan` from one start to every `interval`-th board. Returns the number of boards that
/// can be reached from this start.
fn check_boards(cells: &Cells, ghosts: usize, interval: usize) -> usize {
    let start: Vec<CellIndex> = (0..ghosts as CellIndex).collect();
    let reachable = reachable(cells, start.clone());
    let budget = Budget::unlimited();
    for goal in boards(cells.len(), ghosts).iter().step_by(interval) {
        let found = has_plan(cells, &start, goal, &mut budget.meter());
        let expected = reachable.contains(&pack(goal));
        assert_eq!(found, Ok(expected), "{cells:?}: {start:?} to {goal:?}");
    }
    reachable.len()
}

#[test]
fn a_square_only_rotates_and_larger_rectangles_reach_every_board() {
    let square = map(&["  ", "  "]);
    assert_eq!((check_boards(&square, 4, 1), check_boards(&square, 3, 1)), (4, 12));
    let six = map(&["   ", "   "]);
    assert_eq!((check_boards(&six, 6, 1), check_boards(&six, 5, 1)), (720, 720));
    let eight = map(&["    ", "    "]);
    assert_eq!((check_boards(&eight, 8, 1), check_boards(&eight, 7, 1)), (40_320, 40_320));
}

type Shape = BTreeSet<(i8, i8)>;

/// All connected shapes of `cells` cells, up to rotation, reflection and translation.
fn shapes(cells: usize) -> BTreeSet<Shape> {
    if cells == 1 {
        return BTreeSet::from([Shape::from([(0, 0)])]);
    }
    let mut found = BTreeSet::new();
    for smaller in shapes(cells - 1) {
        for &(x, y) in &smaller {
            for neighbour in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                if !smaller.contains(&neighbour) {
                    let mut shape = smaller.clone();
                    shape.insert(neighbour);
                    found.insert(canonical_form(&shape));
                }
            }
        }
    }
    found
}

/// The least of the eight images of a shape by rotation and reflection.
fn canonical_form(shape: &Shape) -> Shape {
    let image = |symmetry: u8| -> Shape {
        let transformed = |&(x, y): &(i8, i8)| match symmetry {
            0 => (x, y),
            1 => (-x, y),
            2 => (x, -y),
            3 => (-x, -y),
            4 => (y, x),
            5 => (-y, x),
            6 => (y, -x),
            _ => (-y, -x),
        };
        let cells: Vec<_> = shape.iter().map(transformed).collect();
        let left = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
        let top = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
        cells.into_iter().map(|(x, y)| (x - left, y - top)).collect()
    };
    (0..8).map(image).min().expect("eight images")
}

#[test]
fn feasibility_is_exact_on_every_map_of_up_to_eight_cells() {
    for size in 2..=8 {
        for shape in shapes(size) {
            let cells = grid_cells(8, 8, |row, column| shape.contains(&(column as i8, row as i8)));
            for ghosts in 2..=size {
                // All boards of the hundreds of shapes of eight cells would take minutes.
                let stride = match size {
                    8 if fewest_testing::is_thorough() => 41,
                    8 => 401,
                    _ => 1,
                };
                check_boards(&cells, ghosts, stride);
            }
        }
    }
}

proptest! {
    #![proptest_config(fewest_testing::cases(5000))]

    #[test]
    fn feasibility_is_exact_on_random_instances(text in maps::texts([5, 5], 1..=4)) {
        let instance =
            Instance::read(text.as_bytes()).next().expect("a data set").expect("well-formed");
        let exhaustive =
            solve(&instance, Some(Engine::Bfs), &Budget::unlimited()).expect("a legal plan");
        let space = Space::<u32>::new(&instance).expect("the state fits 32 bits");
        let cells = |state| space.ghost_cells(state).collect::<Vec<_>>();
        let (mut start, mut goal) = (Vec::new(), Vec::new());
        space.initial(|state| start = cells(state));
        space.goals(|state| goal = cells(state));
        let found = has_plan(space.cells(), &start, &goal, &mut Budget::unlimited().meter());
        prop_assert_eq!(found, Ok(exhaustive.outcome.optimal().is_some()));
    }
}
