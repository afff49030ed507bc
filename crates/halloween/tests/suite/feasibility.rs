//! Whether a plan exists, told from the shape of a house, against the exhaustion of its boards.

use std::collections::{BTreeSet, HashSet};

use fewest_core::budget::Budget;
use fewest_core::encoding::{Cell, Cells};
use fewest_core::search::Engine;
use fewest_core::{Goals, StateSpace};
use fewest_halloween::Instance;
use fewest_halloween::feasibility::has_plan;
use fewest_halloween::solve::solve;
use fewest_halloween::space::Space;
use proptest::prelude::*;

use crate::houses;

/// The cells of all ghosts, four bits each.
type Board = u32;

fn board(ghosts: &[Cell]) -> Board {
    ghosts.iter().rev().fold(0, |board, &cell| board << 4 | Board::from(cell))
}

/// Adds what one step makes of `from`, by the rules: each ghost stays or goes to a neighbour, no
/// two end on one cell or exchange.
fn step(cells: &Cells, from: &[Cell], to: &mut Vec<Cell>, found: &mut impl FnMut(&[Cell])) {
    let ghost = to.len();
    if ghost == from.len() {
        return found(to);
    }
    for &next in std::iter::once(&from[ghost]).chain(cells.neighbours(from[ghost])) {
        let exchanged = (0..ghost).any(|other| to[other] == from[ghost] && next == from[other]);
        if !to.contains(&next) && !exchanged {
            to.push(next);
            step(cells, from, to, found);
            to.pop();
        }
    }
}

fn reachable(cells: &Cells, start: Vec<Cell>) -> HashSet<Board> {
    let mut known = HashSet::from([board(&start)]);
    let mut list = vec![start];
    while let Some(from) = list.pop() {
        step(cells, &from, &mut Vec::new(), &mut |next| {
            if known.insert(board(next)) {
                list.push(next.to_vec());
            }
        });
    }
    known
}

/// All ways to put `ghosts` on `cells`.
fn boards(cells: usize, ghosts: usize) -> Vec<Vec<Cell>> {
    let mut boards = vec![Vec::new()];
    for _ in 0..ghosts {
        let longer = |board: &Vec<Cell>| {
            let free = (0..cells as Cell).filter(|cell| !board.contains(cell));
            free.map(|cell| [board.as_slice(), &[cell]].concat()).collect::<Vec<_>>()
        };
        boards = boards.iter().flat_map(longer).collect();
    }
    boards
}

fn map(rows: &[&str]) -> Cells {
    Cells::new(rows[0].len(), rows.len(), |x, y| rows[y].as_bytes()[x] == b' ').expect("small")
}

/// Holds one board of `every` so many against what can be reached from the first.
fn boards_agree(cells: &Cells, ghosts: usize, every: usize) -> usize {
    let start: Vec<Cell> = (0..ghosts as Cell).collect();
    let reached = reachable(cells, start.clone());
    let budget = Budget::unlimited();
    for goal in boards(cells.len(), ghosts).iter().step_by(every) {
        let told = has_plan(cells, &start, goal, &mut budget.meter());
        assert_eq!(told, Ok(reached.contains(&board(goal))), "{cells:?}: {start:?} to {goal:?}");
    }
    reached.len()
}

#[test]
fn a_square_turns_and_larger_boards_reach_all() {
    let square = map(&["  ", "  "]);
    assert_eq!((boards_agree(&square, 4, 1), boards_agree(&square, 3, 1)), (4, 12));
    let six = map(&["   ", "   "]);
    assert_eq!((boards_agree(&six, 6, 1), boards_agree(&six, 5, 1)), (720, 720));
    let eight = map(&["    ", "    "]);
    assert_eq!((boards_agree(&eight, 8, 1), boards_agree(&eight, 7, 1)), (40_320, 40_320));
}

type Shape = BTreeSet<(i8, i8)>;

/// All shapes of `cells` connected cells, one of each that differ by a turn, a reflection or a
/// shift only.
fn shapes(cells: usize) -> BTreeSet<Shape> {
    if cells == 1 {
        return BTreeSet::from([Shape::from([(0, 0)])]);
    }
    let mut found = BTreeSet::new();
    for smaller in shapes(cells - 1) {
        for &(x, y) in &smaller {
            for beside in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                if !smaller.contains(&beside) {
                    let mut shape = smaller.clone();
                    shape.insert(beside);
                    found.insert(least_image(&shape));
                }
            }
        }
    }
    found
}

fn least_image(shape: &Shape) -> Shape {
    let image = |turn: u8| -> Shape {
        let turned = |&(x, y): &(i8, i8)| match turn {
            0 => (x, y),
            1 => (-x, y),
            2 => (x, -y),
            3 => (-x, -y),
            4 => (y, x),
            5 => (-y, x),
            6 => (y, -x),
            _ => (-y, -x),
        };
        let cells: Vec<_> = shape.iter().map(turned).collect();
        let left = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
        let top = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
        cells.into_iter().map(|(x, y)| (x - left, y - top)).collect()
    };
    (0..8).map(image).min().expect("eight images")
}

#[test]
fn every_shape_of_few_cells_with_any_number_of_ghosts() {
    for size in 2..=8 {
        for shape in shapes(size) {
            let cells =
                Cells::new(8, 8, |x, y| shape.contains(&(x as i8, y as i8))).expect("small");
            for ghosts in 2..=size {
                // Of the hundreds of shapes of eight cells, not all boards: that takes minutes.
                boards_agree(&cells, ghosts, if size < 8 { 1 } else { 41 });
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]

    #[test]
    fn random_houses(text in houses::texts([5, 5], 1..=4)) {
        let house = Instance::read(text.as_bytes()).next().expect("a data set").expect("a good one");
        let exhausted = solve(&house, Some(Engine::Bfs), &Budget::unlimited()).expect("a legal plan");
        let space = Space::<u32>::new(&house).expect("it fits");
        let cells = |state| space.ghost_cells(state).collect::<Vec<_>>();
        let (mut start, mut goal) = (Vec::new(), Vec::new());
        space.initial(|state| start = cells(state));
        space.goals(|state| goal = cells(state));
        let told = has_plan(space.cells(), &start, &goal, &mut Budget::unlimited().meter());
        prop_assert_eq!(told, Ok(exhausted.outcome.plan().is_some()));
    }
}
