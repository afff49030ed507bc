//! The census of Rush Hour boards, compared with published figures, with boards that are listed and
//! searched by the plain rules, and with the solver for any board.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_klotski::rush_hour::RED_ROW;
use fewest_klotski::rush_hour::universe::{Component, Totals, Universe};
use fewest_klotski::solve::solve;
use fewest_klotski::{Axis, Board, Goal, Instance, Lock, Metric, Task};
use fewest_puzzle::explore::Explore;

fn components<const N: usize>() -> (Totals, Vec<Component>) {
    let universe = Universe::<N>::new();
    let (mut totals, mut components) = (Totals::default(), Vec::new());
    for row_set in 0..universe.row_sets() {
        let found =
            universe.search(row_set, &Budget::unlimited(), |component| components.push(component));
        let found = found.expect("no limit");
        assert_eq!(found.boards, universe.row_set_boards(row_set), "row_set {row_set}");
        totals += found;
    }
    (totals, components)
}

/// The figures, the histogram of moves and the hardest components that M. Fogleman's program `rush`
/// gives.
#[test]
fn boards_of_5x5_are_as_published() {
    let (totals, components) = components::<5>();
    assert_eq!((totals.packed, totals.components), (268_109, 130_299));
    assert_eq!((totals.solvable, totals.minimal), (62_106, 1_730));
    assert_eq!(totals.boards, 6_795_364);
    assert_eq!(components.len(), 62_106);
    let mut by_moves = vec![0; 21];
    let mut hardest = Vec::new();
    for component in components.iter().filter(|component| component.is_minimal) {
        by_moves[component.layers.len() - 1] += 1;
        if component.layers.len() == 21 {
            hardest.push(component.hardest.row_text());
            let layers = [12, 7, 23, 32, 55, 47, 42, 29, 14, 10, 7, 3, 1, 3, 1, 1, 2, 3, 3, 3, 1];
            assert_eq!(component.layers, layers);
        }
    }
    let published =
        [0, 1, 3, 46, 165, 339, 340, 296, 196, 139, 83, 32, 12, 26, 22, 14, 12, 0, 2, 0, 2];
    assert_eq!(by_moves, published);
    // They are mirror images of each other.
    hardest.sort();
    assert_eq!(hardest, ["BBC../D.CEE/DAAF./GG.FH/IIJJH", "BBCCD/EE.FD/GAAF./G.HII/JJH.."]);
}

/// The number of boards is published, and so is the hardest one: 51 moves, 4,780 boards.
#[test]
fn boards_of_6x6_have_the_published_number_and_the_hardest_one() {
    let universe = Universe::<6>::new();
    let boards = (0..universe.row_sets()).map(|row_set| universe.row_set_boards(row_set));
    assert_eq!(boards.sum::<u64>(), 27_103_652_326);
    // The rows have cars of 2; none; 2; 3; 2; 2 and 2.
    let row_set = [1, 0, 2, 1, 3].into_iter().rev().fold(0, |index, lane| index * 6 + lane);
    let mut hardest: Vec<Component> = Vec::new();
    let visit = |component: Component| {
        if component.layers.len() > 50 {
            hardest.push(component);
        }
    };
    universe.search(row_set, &Budget::unlimited(), visit).expect("no limit");
    let [hardest] = &hardest[..] else { panic!("{hardest:?}") };
    assert_eq!(hardest.hardest.row_text(), "BCC.D./BEF.DG/BEFAAG/HHHI.G/..JIKK/LLJMM.");
    assert_eq!((hardest.layers.len() - 1, hardest.layers.iter().sum()), (51, 4_780));
    assert!(hardest.is_minimal);
}

/// The puzzle of a board: all cars are locked along their length, and the first one has to reach
/// the right end of its row.
fn puzzle(board: &Board) -> Task {
    let locks = board.pieces().into_iter().map(|piece| {
        let cells = board.cells_of(piece);
        let axis = if cells[1] == cells[0] + 1 { Axis::Horizontal } else { Axis::Vertical };
        Lock { piece, axis }
    });
    let goal = Goal { piece: 'A', first: (RED_ROW + 1) * board.columns() - 2 };
    let instance = Instance::new(board.clone(), vec![goal], locks.collect()).expect("a puzzle");
    Task::new(instance, Metric::Straight)
}

fn moves(board: &Board) -> u32 {
    let solved = solve(&puzzle(board), None, &Budget::unlimited()).expect("it can be searched");
    solved.outcome.cost().expect("a plan")
}

#[test]
fn the_solver_for_any_board_agrees() {
    let (_, components) = components::<5>();
    let minimal = components.iter().filter(|component| component.is_minimal);
    for component in components.iter().step_by(601).chain(minimal.step_by(31)) {
        let (board, most) = (&component.hardest, component.layers.len() as u32 - 1);
        assert_eq!(moves(board), most, "{board:?}");
        let explored = puzzle(board).explore(&Budget::unlimited(), &mut |_, _| {}).expect("small");
        assert_eq!(
            explored.layers.iter().sum::<u64>(),
            component.layers.iter().sum::<u64>(),
            "{board:?}"
        );
        let hardest = explored.hardest.expect("complete").expect("solvable");
        assert_eq!((hardest.moves, Some(&hardest.boards)), (most, component.layers.last()));
        let is_needed = |&car: &char| {
            let mut fewer = board.clone();
            fewer.put(car, &[]);
            moves(&fewer) < most
        };
        let is_minimal = board.pieces().iter().filter(|&&car| car != 'A').all(is_needed);
        assert_eq!(component.is_minimal, is_minimal, "{board:?}");
    }
}

const SIDE: usize = 4;

/// Cars as their lists of cells. The red one is first.
type Cars = Vec<Vec<usize>>;

/// Adds all boards of 4x4 that result from adding cars whose first cells are `from` or later.
fn add_boards(from: usize, cars: &mut Cars, all: &mut BTreeSet<Cars>) {
    let covered: BTreeSet<usize> = cars.iter().flatten().copied().collect();
    let Some(cell) = (from..SIDE * SIDE).find(|cell| !covered.contains(cell)) else {
        let is_horizontal = |car: &&Vec<usize>| car[1] == car[0] + 1;
        let in_lane = |horizontal: bool, lane: usize| {
            let is_in = |car: &&Vec<usize>| {
                let of_car = if horizontal { car[0] / SIDE } else { car[0] % SIDE };
                is_horizontal(car) == horizontal && of_car == lane
            };
            cars.iter().filter(is_in).collect::<Vec<_>>()
        };
        let red = in_lane(true, RED_ROW);
        let is_full = |lane: &Vec<&Vec<usize>>| lane.iter().copied().flatten().count() == SIDE;
        let mut lanes = (0..SIDE).flat_map(|lane| [in_lane(true, lane), in_lane(false, lane)]);
        if red.len() == 1 && red[0].len() == 2 && !lanes.any(|lane| is_full(&lane)) {
            let others = cars.iter().filter(|car| *car != red[0]);
            all.insert([red[0]].into_iter().chain(others).cloned().collect());
        }
        return;
    };
    add_boards(cell + 1, cars, all);
    for length in 2..=3 {
        for stride in [1, SIDE] {
            let car: Vec<usize> = (0..length).map(|index| cell + index * stride).collect();
            let last = car[length - 1];
            let is_inside = last < SIDE * SIDE && (stride == SIDE || last / SIDE == cell / SIDE);
            if is_inside && car.iter().all(|cell| !covered.contains(cell)) {
                cars.push(car);
                add_boards(cell + 1, cars, all);
                cars.pop();
            }
        }
    }
}

/// All boards after one car slides any distance. The red car stays first; the others are sorted by
/// their first cells, as `add_boards` lists them.
fn slides(cars: &Cars) -> Vec<Cars> {
    let mut all = Vec::new();
    for (index, car) in cars.iter().enumerate() {
        let stride = car[1] - car[0];
        let covered: BTreeSet<usize> = cars.iter().flatten().copied().collect();
        for forward in [false, true] {
            let mut moved = car.clone();
            loop {
                let end = if forward { moved[moved.len() - 1] } else { moved[0] };
                let line = |cell: usize| if stride == 1 { cell / SIDE } else { cell % SIDE };
                let next = if forward { Some(end + stride) } else { end.checked_sub(stride) };
                let free = |next: &usize| {
                    *next < SIDE * SIDE && line(*next) == line(end) && !covered.contains(next)
                };
                if next.filter(free).is_none() {
                    break;
                }
                let step = |cell: usize| if forward { cell + stride } else { cell - stride };
                moved = moved.into_iter().map(step).collect();
                let mut after = cars.clone();
                after[index] = moved.clone();
                after[1..].sort();
                all.push(after);
            }
        }
    }
    all
}

#[test]
fn boards_of_4x4_are_those_of_the_plain_rules() {
    let mut boards = BTreeSet::new();
    add_boards(0, &mut Vec::new(), &mut boards);
    let is_solved = |cars: &Cars| cars[0][1] % SIDE == SIDE - 1;
    let (mut left, mut expected, mut count) = (boards.clone(), Vec::new(), 0);
    while let Some(first) = left.first().cloned() {
        count += 1;
        let (mut component, mut queue) = (BTreeSet::from([first.clone()]), vec![first]);
        while let Some(board) = queue.pop() {
            queue.extend(slides(&board).into_iter().filter(|next| component.insert(next.clone())));
        }
        assert!(component.iter().all(|board| left.remove(board)), "components are disjoint");
        let solved = component.iter().filter(|board| is_solved(board)).cloned();
        let mut distances: BTreeMap<Cars, usize> = solved.map(|board| (board, 0)).collect();
        let mut queue: VecDeque<Cars> = distances.keys().cloned().collect();
        let mut layers = Vec::new();
        while let Some(board) = queue.pop_front() {
            let distance = distances[&board];
            layers.resize(distance + 1, 0);
            layers[distance] += 1;
            for next in slides(&board) {
                if !distances.contains_key(&next) {
                    distances.insert(next.clone(), distance + 1);
                    queue.push_back(next);
                }
            }
        }
        if !layers.is_empty() {
            expected.push(layers);
        }
    }
    let (totals, components) = components::<SIDE>();
    assert_eq!((totals.boards, totals.components), (boards.len() as u64, count));
    let mut layers: Vec<_> = components.into_iter().map(|component| component.layers).collect();
    layers.sort();
    expected.sort();
    assert_eq!(layers, expected);
}

#[test]
fn a_row_set_keeps_to_its_limits() {
    let universe = Universe::<5>::new();
    let row_set = (0..universe.row_sets())
        .max_by_key(|&row_set| universe.row_set_boards(row_set))
        .expect("one");
    let under = |limits| universe.search(row_set, &Budget::new(limits), |_| {}).err();
    let boards = universe.row_set_boards(row_set);
    assert_eq!(under(Limits { states: Some(boards), ..Limits::default() }), None);
    let too_few = Limits { states: Some(boards - 1), ..Limits::default() };
    assert_eq!(under(too_few), Some(Limit::States));
    let little = Limits { memory_bytes: Some(boards), ..Limits::default() };
    assert_eq!(under(little), Some(Limit::Memory));
    let no_time = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    assert_eq!(under(no_time), Some(Limit::Time));
}
