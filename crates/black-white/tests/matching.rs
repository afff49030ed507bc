//! Distances on 4 x 4 cells against what they must be: the cheapest matching of black pieces to the target's places. The
//! matching here is found by trying them all, and shares nothing with the search.

use std::collections::BTreeMap;

use fewest_black_white::Instance;
use fewest_black_white::space::Space;
use fewest_core::StateSpace;
use fewest_core::budget::Budget;
use fewest_core::explore::explore_with;
use fewest_core::grid::Size;
use fewest_core::visited::DenseBits;

const SIZE: Size = Size::new(4, 4).unwrap();

/// The space of all boards that can be made of `board`.
fn space_from(board: u16) -> Space {
    let cells: Vec<bool> = (0..16).map(|cell| board >> cell & 1 == 1).collect();
    Space::new(&Instance::new(SIZE, cells.clone(), cells).expect("16 cells"))
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
        costs[taken] = last.map(|place| costs[taken ^ 1 << place] + away(piece, to[place])).min().expect("a place");
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
            let explored = explore_with::<DenseBits, _>(&space_from(from), &Budget::unlimited(), |depth, state| {
                let to = state as u16;
                // Pieces that are where the target has one may stay: a matching that exchanges roles costs no more.
                let surplus = (cells(from & !to), cells(to & !from));
                assert_eq!(depth, cheapest_matching(&surplus.0, &surplus.1), "{from:016b} to {to:016b}");
                met += 1;
            });
            assert_eq!((met, explored.limit), (all.len(), None));
            pairs += met;
        }
    }
    assert_eq!(pairs, 20 * 65_536);
}

#[test]
fn pieces_in_place_may_stay() {
    for number in 0..2_000u64 {
        let from = scatter(2 * number) as u16;
        let ones = from.count_ones();
        let to = (0..).map(|turn| scatter(1_000_000 + 5_000 * number + turn) as u16);
        let to = to.into_iter().find(|to| to.count_ones() == ones).expect("one of many");
        let surplus = cheapest_matching(&cells(from & !to), &cells(to & !from));
        assert_eq!(cheapest_matching(&cells(from), &cells(to)), surplus, "{from:016b} to {to:016b}");
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
