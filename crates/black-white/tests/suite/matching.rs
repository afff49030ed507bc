//! Distances against the cost of a minimum-cost matching of the black pieces of the start to those
//! of the target. The matching here is computed by dynamic programming over subsets, independent of
//! the crate.

use std::collections::BTreeMap;

use fewest_black_white::solve::{solve, solve_cost};
use fewest_black_white::space::Space;
use fewest_black_white::{Board, Exchange, Instance, Size};
use fewest_core::StateSpace;
use fewest_core::budget::Budget;
use fewest_core::search::Engine;
use fewest_geometry::Cell;
use fewest_puzzle::count_plans::CountPlans;
use fewest_puzzle::random::Random;
use fewest_rules::Rules;
use fewest_testing::spaces::explore_states;

const SIZE: Size = Size::new(4, 4).unwrap();

/// A space whose initial state is `board`.
fn space_from(board: u16) -> Space {
    let cells: Vec<bool> = (0..16).map(|cell| board >> cell & 1 == 1).collect();
    Space::new(&Instance::new(SIZE, cells.clone(), cells).expect("16 cells")).expect("16 cells")
}

fn cells(board: u16) -> Vec<u32> {
    (0..16).filter(|cell| board >> cell & 1 == 1).collect()
}

fn manhattan_distance(from: u32, to: u32) -> u32 {
    (from / 4).abs_diff(to / 4) + (from % 4).abs_diff(to % 4)
}

/// The minimum cost of a perfect matching of `from` to `to`, cells of a 4 x 4 board.
fn min_cost_matching(from: &[u32], to: &[u32]) -> u32 {
    // Entry `taken` is the minimum cost of matching the first cells of `from` to the subset `taken`
    // of `to`.
    let mut costs = vec![u32::MAX; 1 << to.len()];
    costs[0] = 0;
    for taken in 1usize..1 << to.len() {
        let piece = from[taken.count_ones() as usize - 1];
        let last = (0..to.len()).filter(|cell| taken >> cell & 1 == 1);
        costs[taken] = last
            .map(|cell| costs[taken ^ 1 << cell] + manhattan_distance(piece, to[cell]))
            .min()
            .expect("a cell");
    }
    costs[costs.len() - 1]
}

/// A hash of a number: the finaliser of SplitMix64.
fn hash(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb) >> 16
}

#[test]
fn distances_are_costs_of_min_cost_matchings() {
    let mut pairs = 0;
    for ones in 0..=16u32 {
        let all: Vec<u16> = (0..=u16::MAX).filter(|board| board.count_ones() == ones).collect();
        for index in 0..20 {
            let from = all[hash(20 * u64::from(ones) + index) as usize % all.len()];
            let mut visited = 0;
            let explored =
                explore_states(&space_from(from), &Budget::unlimited(), |depth, state| {
                    let to = state as u16;
                    // Black pieces that are on black cells of the target may stay, see
                    // `pieces_in_place_may_stay`.
                    let (surplus, deficit) = (cells(from & !to), cells(to & !from));
                    assert_eq!(
                        depth,
                        min_cost_matching(&surplus, &deficit),
                        "{from:016b} to {to:016b}"
                    );
                    visited += 1;
                });
            assert_eq!((visited, explored.limit()), (all.len(), None));
            pairs += visited;
        }
    }
    assert_eq!(pairs, 20 * 65_536);
}

/// Costs and plans of flows and matchings against breadth-first search: for each number of black
/// pieces, from 200 start boards, chosen at random, to all boards with this number.
#[test]
fn costs_are_the_depths_of_a_breadth_first_search() {
    let board = |board: u16| -> Board { (0..16).map(|cell| board >> cell & 1 == 1).collect() };
    let budget = Budget::unlimited();
    for ones in 0..=16u32 {
        let all: Vec<u16> = (0..=u16::MAX).filter(|board| board.count_ones() == ones).collect();
        for index in 0..200 {
            let from = all[hash(200 * u64::from(ones) + index) as usize % all.len()];
            let mut visited = 0;
            explore_states(&space_from(from), &budget, |depth, state| {
                let boards =
                    Instance::new(SIZE, board(from), board(state as u16)).expect("16 cells");
                assert_eq!(solve_cost(&boards, &budget).outcome.cost(), Some(depth), "{boards}");
                // A plan takes more time than its cost, so only one board in eight is solved.
                if hash(state).is_multiple_of(8) {
                    let plan = solve(&boards, None, &budget).expect("a legal plan").outcome;
                    assert_eq!(
                        (plan.cost(), plan.optimal().map(|plan| plan.len() as u32)),
                        (Some(depth), Some(depth))
                    );
                }
                visited += 1;
            });
            assert_eq!(visited, all.len());
        }
    }
}

#[test]
fn costs_on_5x5_boards_are_those_of_the_engines() {
    let size = Size::new(5, 5).expect("a size");
    let mut random = Random::from_seed(1);
    for _ in 0..400 {
        let ones = random.below(26);
        let mut board = || -> Board {
            let mut cells: Board = (0..25).map(|cell| cell < ones).collect();
            random.shuffle(&mut cells);
            cells
        };
        let boards = Instance::new(size, board(), board()).expect("25 cells");
        let cost = |engine| {
            solve(&boards, engine, &Budget::unlimited()).expect("a legal plan").outcome.cost()
        };
        assert_eq!(cost(None), cost(Some(Engine::Astar)), "{boards}");
        assert_eq!(cost(None), cost(Some(Engine::Bidirectional)), "{boards}");
    }
}

/// The number of plans of exactly `moves_left` moves from a board, by trying all moves.
fn plain_plans(boards: &Instance, board: &Board, moves_left: u32) -> u128 {
    if moves_left == 0 {
        return u128::from(board == boards.target());
    }
    let size = boards.size();
    let right = size.cells().map(|one| Exchange::new(one, Cell { column: one.column + 1, ..one }));
    let below = size.cells().map(|one| Exchange::new(one, Cell { row: one.row + 1, ..one }));
    let after = |exchange| {
        let mut after = board.clone();
        boards.play(&mut after, &exchange).ok().map(|()| after)
    };
    right
        .chain(below)
        .filter_map(after)
        .map(|after| plain_plans(boards, &after, moves_left - 1))
        .sum()
}

#[test]
fn all_shortest_plans_are_counted() {
    let size = Size::new(3, 3).expect("a size");
    let mut random = Random::from_seed(2);
    let mut counted = 0;
    for _ in 0..300 {
        let walls: Board = (0..9).map(|_| random.below(6) == 0).collect();
        let open: Vec<usize> = (0..9).filter(|&cell| !walls[cell]).collect();
        let ones = random.below(open.len() + 1);
        let mut board = || -> Board {
            let mut cells = open.clone();
            random.shuffle(&mut cells);
            (0..9).map(|cell| cells[..ones].contains(&cell)).collect()
        };
        let (start, target) = (board(), board());
        let boards = Instance::with_walls(size, walls, start, target).expect("9 cells");
        let cost = solve_cost(&boards, &Budget::unlimited()).outcome.cost();
        let every =
            boards.list_shortest_plans(usize::MAX, &Budget::unlimited()).expect("legal plans");
        assert_eq!(every.cost(), cost, "{boards}");
        if let Some((every, cost)) = every.optimal().zip(cost).filter(|&(_, cost)| cost <= 5) {
            let expected = plain_plans(&boards, &boards.start().to_vec(), cost);
            assert_eq!(
                (every.count, every.plans.len() as u128),
                (Some(expected), expected),
                "{boards}"
            );
            counted += 1;
        }
    }
    assert!(counted > 100, "{counted}");
    let sample = b"1111 0000 1110 0010  1010 0101 1010 0101";
    let sample = Instance::read(sample, SIZE).next().expect("a data set").expect("no error");
    let every = sample.list_shortest_plans(2, &Budget::unlimited()).expect("legal plans");
    assert_eq!(every.optimal().map(|every| (every.count, every.plans.len())), Some((Some(24), 2)));
}

#[test]
fn large_boards_are_solved() {
    let mut random = Random::from_seed(3);
    for (rows, columns) in [(64, 64), (256, 256), (1, 1024), (100, 7)] {
        let size = Size::new(rows, columns).expect("a size");
        let mut board = || -> Board {
            let mut cells: Board = (0..size.len()).map(|cell| cell % 2 == 0).collect();
            random.shuffle(&mut cells);
            cells
        };
        let boards = Instance::new(size, board(), board()).expect("boards of this size");
        // `solve` replays the plan by the rules.
        let answer = solve(&boards, None, &Budget::unlimited()).expect("a legal plan");
        let cost = answer.outcome.cost().expect("a plan");
        assert!(cost as usize >= size.len() / 4, "{size}: {cost}");
        assert_eq!(solve_cost(&boards, &Budget::unlimited()).outcome.cost(), Some(cost));
        if rows == 1 {
            // In a single row the order of the pieces does not change.
            let black_cells =
                |board: &[bool]| (0..columns).filter(|&cell| board[cell]).collect::<Vec<_>>();
            let distance: usize = black_cells(boards.start())
                .iter()
                .zip(black_cells(boards.target()))
                .map(|(a, b)| a.abs_diff(b))
                .sum();
            assert_eq!(cost as usize, distance);
        }
    }
}

/// A minimum-cost matching of all black pieces costs as much as one of those that are out of place.
#[test]
fn pieces_in_place_may_stay() {
    for number in 0..2_000u64 {
        let from = hash(2 * number) as u16;
        let ones = from.count_ones();
        let to = (0..).map(|attempt| hash(1_000_000 + 5_000 * number + attempt) as u16);
        let to = to.into_iter().find(|to| to.count_ones() == ones).expect("a board");
        let expected = min_cost_matching(&cells(from & !to), &cells(to & !from));
        assert_eq!(
            min_cost_matching(&cells(from), &cells(to)),
            expected,
            "{from:016b} to {to:016b}"
        );
    }
}

/// The eight images of a board under rotation and reflection.
fn images(board: u16) -> [u16; 8] {
    type Symmetry = fn(u32, u32) -> (u32, u32);
    let image = |board: u16, symmetry: Symmetry| {
        let moved = cells(board).into_iter().map(|cell| symmetry(cell / 4, cell % 4));
        moved.fold(0, |image, (row, column)| image | 1 << (4 * row + column))
    };
    let symmetries: [Symmetry; 8] = [
        |r, c| (r, c),
        |r, c| (c, 3 - r),
        |r, c| (3 - r, 3 - c),
        |r, c| (3 - c, r),
        |r, c| (r, 3 - c),
        |r, c| (c, r),
        |r, c| (3 - r, c),
        |r, c| (3 - c, 3 - r),
    ];
    symmetries.map(|symmetry| image(board, symmetry))
}

#[test]
fn eight_black_pieces_have_diameter_20_and_mean_distance_6_986() {
    // One board of each symmetry class is enough, because all its images have the same distances.
    let mut classes: BTreeMap<u16, u64> = BTreeMap::new();
    for board in (0..=u16::MAX).filter(|board| board.count_ones() == 8) {
        *classes.entry(images(board).into_iter().min().expect("eight images")).or_default() += 1;
    }
    let (mut diameter, mut sum, mut boards) = (0, 0, 0);
    for (&board, &class_size) in &classes {
        let space = space_from(board);
        let explored = explore_states(&space, &Budget::unlimited(), |_, _| {});
        assert_eq!((explored.states(), explored.limit()), (12_870, None));
        diameter = diameter.max(explored.layers.len() - 1);
        let distances = explored.layers.iter().zip(0u64..).map(|(states, depth)| states * depth);
        sum += class_size * distances.sum::<u64>();
        boards += class_size;
        assert!(space.is_goal(board.into()));
    }
    assert_eq!((boards, diameter), (12_870, 20));
    assert_eq!((sum as f64 / (12_870.0 * 12_870.0) * 1000.0).round(), 6986.0);
}
