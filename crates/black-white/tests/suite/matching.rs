//! Distances on 4 x 4 cells against what they must be: the cheapest matching of black pieces to the
//! target's places. The matching here is found by trying them all, and shares nothing with the
//! search.

use std::collections::BTreeMap;

use fewest_black_white::solve::{count, every, solve};
use fewest_black_white::space::Space;
use fewest_black_white::{Board, Exchange, Instance, Size, rules};
use fewest_core::StateSpace;
use fewest_core::budget::Budget;
use fewest_core::explore::explore_with;
use fewest_core::grid::Place;
use fewest_core::random::Random;
use fewest_core::search::Engine;
use fewest_core::visited::DenseBits;

const SIZE: Size = Size::new(4, 4).unwrap();

/// The space of all boards that can be made of `board`.
fn space_from(board: u16) -> Space {
    let cells: Vec<bool> = (0..16).map(|cell| board >> cell & 1 == 1).collect();
    Space::new(&Instance::new(SIZE, cells.clone(), cells).expect("16 cells")).expect("16 cells")
}

fn cells(board: u16) -> Vec<u32> {
    (0..16).filter(|cell| board >> cell & 1 == 1).collect()
}

fn away(one: u32, other: u32) -> u32 {
    (one / 4).abs_diff(other / 4) + (one % 4).abs_diff(other % 4)
}

/// The least sum of distances from each cell of `from` to one of `to`, all of them different.
fn cheapest_matching(from: &[u32], to: &[u32]) -> u32 {
    // Entry `taken` is the least cost of matching the first cells to the set `taken`.
    let mut costs = vec![u32::MAX; 1 << to.len()];
    costs[0] = 0;
    for taken in 1usize..1 << to.len() {
        let piece = from[taken.count_ones() as usize - 1];
        let last = (0..to.len()).filter(|place| taken >> place & 1 == 1);
        costs[taken] = last
            .map(|place| costs[taken ^ 1 << place] + away(piece, to[place]))
            .min()
            .expect("a place");
    }
    costs[costs.len() - 1]
}

/// A number that only its argument decides, spread well (the finaliser of SplitMix64).
fn scatter(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb) >> 16
}

#[test]
fn distances_are_those_of_the_cheapest_matching() {
    let mut pairs = 0;
    for ones in 0..=16u32 {
        let all: Vec<u16> = (0..=u16::MAX).filter(|board| board.count_ones() == ones).collect();
        for index in 0..20 {
            let from = all[scatter(20 * u64::from(ones) + index) as usize % all.len()];
            let mut met = 0;
            let explored = explore_with::<DenseBits, _>(
                &space_from(from),
                &Budget::unlimited(),
                |depth, state| {
                    let to = state as u16;
                    // Pieces that are where the target has one may stay: a matching that exchanges
                    // roles costs no more.
                    let surplus = (cells(from & !to), cells(to & !from));
                    assert_eq!(
                        depth,
                        cheapest_matching(&surplus.0, &surplus.1),
                        "{from:016b} to {to:016b}"
                    );
                    met += 1;
                },
            );
            assert_eq!((met, explored.limit), (all.len(), None));
            pairs += met;
        }
    }
    assert_eq!(pairs, 20 * 65_536);
}

/// What is answered without a search against what a search meets: all pairs from 200 sources of
/// each count.
#[test]
fn answers_without_a_search_are_those_of_a_search() {
    let board = |board: u16| -> Board { (0..16).map(|cell| board >> cell & 1 == 1).collect() };
    let budget = Budget::unlimited();
    for ones in 0..=16u32 {
        let all: Vec<u16> = (0..=u16::MAX).filter(|board| board.count_ones() == ones).collect();
        for index in 0..200 {
            let from = all[scatter(200 * u64::from(ones) + index) as usize % all.len()];
            let mut met = 0;
            explore_with::<DenseBits, _>(&space_from(from), &budget, |depth, state| {
                let boards =
                    Instance::new(SIZE, board(from), board(state as u16)).expect("16 cells");
                assert_eq!(count(&boards, &budget).outcome.cost(), Some(depth), "{boards}");
                // A plan takes longer, so not of each.
                if scatter(state).is_multiple_of(8) {
                    let plan = solve(&boards, None, &budget).expect("a legal plan").outcome;
                    assert_eq!(
                        (plan.cost(), plan.plan().map(|plan| plan.len() as u32)),
                        (Some(depth), Some(depth))
                    );
                }
                met += 1;
            });
            assert_eq!(met, all.len());
        }
    }
}

/// On 5 x 5 cells, a sample.
#[test]
fn so_they_are_on_larger_boards() {
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

/// The shortest plans from a board, by trying all moves.
fn plain_plans(boards: &Instance, now: &Board, left: u32) -> u128 {
    if left == 0 {
        return u128::from(now == boards.target());
    }
    let size = boards.size();
    let right =
        size.places().map(|one| Exchange::new(one, Place { column: one.column + 1, ..one }));
    let below = size.places().map(|one| Exchange::new(one, Place { row: one.row + 1, ..one }));
    let after = |exchange| {
        let mut after = now.clone();
        rules::play(boards, &mut after, exchange).ok().map(|()| after)
    };
    right.chain(below).filter_map(after).map(|after| plain_plans(boards, &after, left - 1)).sum()
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
        let cost = count(&boards, &Budget::unlimited()).outcome.cost();
        let every = every(&boards, usize::MAX, &Budget::unlimited()).expect("legal plans");
        assert_eq!(every.cost(), cost, "{boards}");
        if let Some((every, cost)) = every.plan().zip(cost).filter(|&(_, cost)| cost <= 5) {
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
    let sample = Instance::read(sample, SIZE).next().expect("a data set").expect("a good one");
    let every = every(&sample, 2, &Budget::unlimited()).expect("legal plans");
    assert_eq!(every.plan().map(|every| (every.count, every.plans.len())), Some((Some(24), 2)));
}

#[test]
fn large_boards_are_solved() {
    let mut random = Random::from_seed(3);
    for (rows, columns) in [(64, 64), (256, 256), (1, 1024), (100, 7)] {
        let size = Size::new(rows, columns).expect("a size");
        let mut board = || -> Board {
            let mut cells: Board = (0..size.cells()).map(|cell| cell % 2 == 0).collect();
            random.shuffle(&mut cells);
            cells
        };
        let boards = Instance::new(size, board(), board()).expect("as many cells");
        // The plan has been replayed, or this is an error.
        let answer = solve(&boards, None, &Budget::unlimited()).expect("a legal plan");
        let cost = answer.outcome.cost().expect("a plan");
        assert!(cost as usize >= size.cells() / 4, "{size}: {cost}");
        assert_eq!(count(&boards, &Budget::unlimited()).outcome.cost(), Some(cost));
        if rows == 1 {
            // In a row the pieces keep their order.
            let at = |board: &[bool]| (0..columns).filter(|&cell| board[cell]).collect::<Vec<_>>();
            let apart: usize = at(boards.start())
                .iter()
                .zip(at(boards.target()))
                .map(|(a, b)| a.abs_diff(b))
                .sum();
            assert_eq!(cost as usize, apart);
        }
    }
}

#[test]
fn pieces_in_place_may_stay() {
    for number in 0..2_000u64 {
        let from = scatter(2 * number) as u16;
        let ones = from.count_ones();
        let to = (0..).map(|turn| scatter(1_000_000 + 5_000 * number + turn) as u16);
        let to = to.into_iter().find(|to| to.count_ones() == ones).expect("one of many");
        let surplus = cheapest_matching(&cells(from & !to), &cells(to & !from));
        assert_eq!(
            cheapest_matching(&cells(from), &cells(to)),
            surplus,
            "{from:016b} to {to:016b}"
        );
    }
}

/// The eight images of a board under rotation and reflection.
fn images(board: u16) -> [u16; 8] {
    type Turn = fn(u32, u32) -> (u32, u32);
    let turn = |board: u16, to: Turn| {
        let moved = cells(board).into_iter().map(|cell| to(cell / 4, cell % 4));
        moved.fold(0, |image, (row, column)| image | 1 << (4 * row + column))
    };
    let ways: [Turn; 8] = [
        |r, c| (r, c),
        |r, c| (c, 3 - r),
        |r, c| (3 - r, 3 - c),
        |r, c| (3 - c, r),
        |r, c| (r, 3 - c),
        |r, c| (c, r),
        |r, c| (3 - r, c),
        |r, c| (3 - c, 3 - r),
    ];
    ways.map(|way| turn(board, way))
}

#[test]
fn eight_black_pieces_have_diameter_20_and_mean_distance_6_986() {
    // One source of each kind is enough: the images of a source see the same distances.
    let mut kinds: BTreeMap<u16, u64> = BTreeMap::new();
    for board in (0..=u16::MAX).filter(|board| board.count_ones() == 8) {
        *kinds.entry(images(board).into_iter().min().expect("eight")).or_default() += 1;
    }
    let (mut diameter, mut sum, mut sources) = (0, 0, 0);
    for (&board, &weight) in &kinds {
        let space = space_from(board);
        let explored = explore_with::<DenseBits, _>(&space, &Budget::unlimited(), |_, _| {});
        assert_eq!((explored.states(), explored.limit), (12_870, None));
        diameter = diameter.max(explored.layers.len() - 1);
        let distances = explored.layers.iter().zip(0u64..).map(|(states, depth)| states * depth);
        sum += weight * distances.sum::<u64>();
        sources += weight;
        assert!(space.is_goal(board.into()));
    }
    assert_eq!((sources, diameter), (12_870, 20));
    assert_eq!((sum as f64 / (12_870.0 * 12_870.0) * 1000.0).round(), 6986.0);
}
