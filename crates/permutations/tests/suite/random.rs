//! Random moves, with and without blocks and colours, against a plain search.

use std::collections::HashMap;
use std::ops::ControlFlow;

use fewest_core::{Budget, check};
use fewest_permutations::{PermutationSpace, Permutations, Space, WithSpace};
use proptest::prelude::*;

use crate::plain::{Images, distances, layers, moved};

/// Moves of some places, and a label for each place.
#[derive(Clone, Debug)]
struct Puzzle {
    moves: Vec<Images>,
    solved: Vec<u8>,
}

impl Puzzle {
    fn space(&self) -> PermutationSpace {
        let puzzle = Permutations::new(self.solved.len()).colours(self.solved.clone());
        let named = |puzzle: Permutations, (number, images): (usize, &Images)| {
            puzzle.generator_from_images(number.to_string(), images.clone())
        };
        self.moves.iter().enumerate().fold(puzzle, named).build().unwrap()
    }
}

fn permutation(length: usize) -> impl Strategy<Value = Images> {
    Just((0..length).collect::<Images>()).prop_shuffle()
}

/// Moves of `blocks` blocks of `size` places each, which may be turned.
fn moves_of_blocks(blocks: usize, size: usize) -> impl Strategy<Value = Images> {
    let within = proptest::collection::vec(permutation(size), blocks);
    (permutation(blocks), within).prop_map(move |(blocks, within)| {
        let places = (0..blocks.len()).flat_map(|block| (0..size).map(move |place| (block, place)));
        places.map(|(block, place)| blocks[block] * size + within[block][place]).collect()
    })
}

/// Numbers the places in another order.
fn renumbered(moves: &[Images], order: &[usize]) -> Vec<Images> {
    let of_move = |images: &Images| {
        let mut moved = vec![0; images.len()];
        for (place, &to) in images.iter().enumerate() {
            moved[order[place]] = order[to];
        }
        moved
    };
    moves.iter().map(of_move).collect()
}

fn puzzles() -> impl Strategy<Value = Puzzle> {
    let shapes = prop_oneof![
        Just((7, 1)),
        Just((5, 1)),
        Just((3, 2)),
        Just((2, 3)),
        Just((4, 2)),
        Just((2, 4)),
        Just((3, 3)),
    ];
    let moves = shapes.prop_flat_map(|(blocks, size)| {
        let moves = proptest::collection::vec(moves_of_blocks(blocks, size), 1..4);
        let colours = prop_oneof![
            3 => Just((0..(blocks * size) as u8).collect::<Vec<_>>()).prop_shuffle(),
            1 => proptest::collection::vec(0_u8..3, blocks * size),
        ];
        (moves, permutation(blocks * size), colours)
    });
    moves.prop_map(|(moves, order, solved)| Puzzle { moves: renumbered(&moves, &order), solved })
}

/// Checks what a space promises, for all of its states.
struct CheckPromises<'a>(&'a HashMap<Vec<u8>, u32>);

impl WithSpace for CheckPromises<'_> {
    type Output = ();

    fn run<S: Space>(self, space: &S) {
        let states = check::reachable(space, usize::MAX);
        assert_eq!(states.len(), self.0.len());
        for &state in &states {
            let arrangement = space.arrangement(state);
            assert!(self.0.contains_key(&arrangement));
            assert_eq!(space.state(&arrangement), Some(state));
        }
        let some = &states[..states.len().min(100)];
        assert_eq!(check::space(space, some), Ok(()));
        assert_eq!(check::predecessors(space, some), Ok(()));
        assert_eq!(check::goals(space, some), Ok(()));
        assert_eq!(check::ranks(space, &states), Ok(()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn layers_and_plans_are_those_of_a_plain_search(
        puzzle in puzzles(),
        other in any::<prop::sample::Index>(),
    ) {
        let (space, budget) = (puzzle.space(), Budget::unlimited());
        let distances = distances(&puzzle.moves, &puzzle.solved);
        let found = space.count_layers(&budget, |_, _| ControlFlow::Continue(()));
        prop_assert_eq!(&found.layers, &layers(&distances));
        let mut explored = HashMap::new();
        space.explore(&budget, |depth, arrangement| {
            explored.insert(arrangement.to_vec(), depth);
            ControlFlow::Continue(())
        });
        prop_assert_eq!(&explored, &distances);
        space.with(CheckPromises(&distances));

        let arrangements: Vec<_> = distances.keys().collect();
        let start = other.get(&arrangements);
        let plain = crate::plain::distances(&puzzle.moves, start)[&puzzle.solved];
        let outcome = space.solve(start, &budget).unwrap();
        prop_assert_eq!(outcome.cost(), Some(plain));
        let mut arrangement = start.to_vec();
        for name in outcome.optimal().unwrap() {
            arrangement = moved(&puzzle.moves[name.parse::<usize>().unwrap()], &arrangement);
        }
        prop_assert_eq!(&arrangement, &puzzle.solved);
    }

    /// Arrangements of the same labels, most of which no moves reach.
    #[test]
    fn what_no_moves_reach_is_unsolvable(puzzle in puzzles(), seed in any::<u64>()) {
        let mut arrangement = puzzle.solved.clone();
        for last in (1..arrangement.len()).rev() {
            arrangement.swap(last, (seed >> last) as usize % (last + 1));
        }
        let is_reached = distances(&puzzle.moves, &arrangement).contains_key(&puzzle.solved);
        let space = puzzle.space();
        let outcome = space.solve(&arrangement, &Budget::unlimited()).unwrap();
        prop_assert_eq!(outcome.cost().is_some(), is_reached);
        prop_assert_eq!(outcome.lower_bound().is_some(), is_reached);
    }
}

/// Words of each width: some labels of a long row are turned, and the rest stays.
#[test]
fn words_of_each_width_hold_the_labels() {
    for places in [16, 17, 25, 26, 32, 33, 64] {
        let row = Permutations::lrx(places).build().unwrap();
        let mut counts = Vec::new();
        let found = row.count_layers(&Budget::unlimited(), |depth, states| {
            counts.push(states);
            if depth < 6 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        // The layers of a long row: those of 15 labels, as published by CayleyPy.
        assert_eq!(counts[..7], [1, 3, 6, 12, 24, 48, 91][..], "{places} places");
        assert_eq!(found.layers, counts);
        let mut turned = row.solved().to_vec();
        turned.rotate_left(3);
        turned.swap(0, 1);
        let outcome = row.solve(&turned, &Budget::unlimited()).unwrap();
        assert_eq!(outcome.optimal().unwrap(), &["X", "R", "R", "R"]);
    }
}
