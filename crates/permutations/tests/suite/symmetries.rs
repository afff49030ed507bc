//! Symmetries: those of small puzzles are all that the definition gives, and what is counted and
//! solved by orbits is what a plain search and published tables say.

use std::collections::HashSet;
use std::ops::ControlFlow;

use fewest_core::{Budget, check};
use fewest_permutations::{PermutationSpace, Permutations, Space, WithSpace};
use proptest::prelude::*;

use crate::plain::{Images, distances, moved};

#[path = "../../examples/cube_orbits.rs"]
#[allow(dead_code, reason = "its `main`")]
mod cube_orbits;

/// A puzzle of labels, with inverses.
fn puzzle(moves: &[Images]) -> Permutations {
    let add = |puzzle: Permutations, (number, images): (usize, &Images)| {
        puzzle.generator_from_images(number.to_string(), images.clone())
    };
    moves.iter().enumerate().fold(Permutations::new(moves[0].len()), add)
}

fn permutations(length: usize) -> Vec<Images> {
    if length == 0 {
        return vec![Vec::new()];
    }
    let shorter = permutations(length - 1);
    let inserted = |shorter: &Images| {
        let shorter = shorter.clone();
        (0..length).map(move |at| {
            let mut longer = shorter.clone();
            longer.insert(at, length - 1);
            longer
        })
    };
    shorter.iter().flat_map(inserted).collect()
}

/// What each permutation of the places makes of the moves, if those are moves again: by definition.
fn images_of_moves(moves: &[Images]) -> HashSet<Vec<usize>> {
    let conjugated = |by: &Images, symmetry: &Images| {
        let mut image = by.clone();
        for (place, &to) in by.iter().enumerate() {
            image[symmetry[place]] = symmetry[to];
        }
        image
    };
    let images = |symmetry: &Images| {
        let number = |by| moves.iter().position(|other| *other == conjugated(by, symmetry));
        moves.iter().map(number).collect::<Option<Vec<_>>>()
    };
    permutations(moves[0].len()).iter().filter_map(images).collect()
}

/// The layers by orbits: the depth, the number of orbits, and that of arrangements.
fn orbits(space: &PermutationSpace, most: u32) -> Vec<(u64, u64)> {
    let mut layers = Vec::new();
    space.count_orbits(&Budget::unlimited(), |depth, orbits, arrangements| {
        layers.push((orbits, arrangements));
        if depth < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    layers
}

struct CheckSymmetries;

impl WithSpace for CheckSymmetries {
    type Output = ();

    fn run<S: Space>(self, space: &S) {
        let states = check::reachable(space, 200);
        assert_eq!(check::symmetry(space, &states), Ok(()));
        for state in states {
            let orbit = space.orbit(state);
            assert_eq!(space.orbit_size(state) as usize, orbit.len());
            assert_eq!(space.canonical(state).0, orbit[0]);
        }
    }
}

/// One to three permutations, often alike, and all of their inverses.
fn moves() -> impl Strategy<Value = Vec<Images>> {
    let images = (3_usize..=6).prop_flat_map(|length| {
        let shuffled = Just((0..length).collect::<Images>()).prop_shuffle();
        prop::collection::vec(shuffled, 1..4)
    });
    images.prop_map(|mut moves| {
        let inverses: Vec<Images> = moves
            .iter()
            .map(|images| {
                (0..images.len())
                    .map(|place| images.iter().position(|&to| to == place).unwrap())
                    .collect()
            })
            .collect();
        moves.extend(inverses);
        moves.sort_unstable();
        moves.dedup();
        moves
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn all_symmetries_are_found_and_counts_and_plans_stay_the_same(
        moves in moves(),
        other in any::<prop::sample::Index>(),
    ) {
        let space = puzzle(&moves).with_symmetries().build().unwrap();
        // Twice the same move is one.
        prop_assert_eq!(space.symmetries() as usize, images_of_moves(&moves).len());
        space.with(CheckSymmetries);
        let solved: Vec<u8> = space.solved().to_vec();
        let plain = distances(&moves, &solved);
        let mut sizes = vec![0; plain.values().max().map_or(0, |&most| most as usize + 1)];
        plain.values().for_each(|&depth| sizes[depth as usize] += 1);
        let layers = orbits(&space, u32::MAX);
        prop_assert_eq!(layers.iter().map(|layer| layer.1).collect::<Vec<u64>>(), sizes);
        prop_assert!(layers.iter().all(|layer| layer.0 <= layer.1));

        let arrangements: Vec<_> = plain.keys().collect();
        let start = other.get(&arrangements);
        let outcome = space.solve(start, &Budget::unlimited()).unwrap();
        prop_assert_eq!(outcome.cost(), Some(distances(&moves, start)[&solved]));
        let mut arrangement = start.to_vec();
        for name in outcome.optimal().unwrap() {
            arrangement = moved(&moves[name.parse::<usize>().unwrap()], &arrangement);
        }
        prop_assert_eq!(arrangement, solved);
    }
}

#[test]
fn a_cube_has_48_symmetries_and_its_published_orbits() {
    // A mirror image of a quarter turn is its inverse.
    let clockwise = cube_orbits::cube().with_symmetries().build().expect("valid");
    assert_eq!(clockwise.symmetries(), 24);
    clockwise.with(CheckSymmetries);
    let cube = cube_orbits::cube().with_powers().with_symmetries().build().expect("valid");
    assert_eq!(cube.symmetries(), 48);
    // Half turns; T. Rokicki and others at cube20.org: positions, and those that differ by the 48.
    let published = [(1, 1), (2, 18), (9, 243), (75, 3240), (934, 43_239), (12_077, 574_908)];
    assert_eq!(orbits(&cube, 5), published);
    cube.with(CheckSymmetries);
}

#[test]
fn rows_and_spins_have_a_mirror_and_published_layers() {
    let text = include_str!("../../../../testdata/permutations/growth.txt");
    for labels in 4..=8 {
        let row = text.lines().find_map(|line| line.strip_prefix(&format!("lrx {labels}: ")));
        let published: Vec<u64> =
            row.expect("a row").split(' ').map(|size| size.parse().expect("a number")).collect();
        let space = Permutations::lrx(labels).with_symmetries().build().expect("valid");
        assert_eq!(space.symmetries(), 2);
        let layers = orbits(&space, u32::MAX);
        assert_eq!(layers.iter().map(|layer| layer.1).collect::<Vec<_>>(), published);
        let all: u64 = layers.iter().map(|layer| layer.0).sum();
        assert!(all <= published.iter().sum::<u64>() * 2 / 3);
        space.with(CheckSymmetries);
    }
    let spin = Permutations::top_spin(7, 4).with_symmetries().build().expect("valid");
    assert_eq!(spin.symmetries(), 2);
    spin.with(CheckSymmetries);
}

#[test]
fn rows_and_columns_that_turn_have_all_of_their_symmetries() {
    // Loopover: 4 x 4 places, of which each row and each column turns. A place may become each other
    // one, rows may become columns, and each direction may turn around: 16 * 2 * 2 * 2.
    let line = |puzzle: Permutations, (name, first, step): (String, usize, usize)| {
        let cycle: Vec<usize> = (0..4).map(|at| first + at * step).collect();
        puzzle.generator(name, [cycle])
    };
    let rows = (0..4).map(|row| (format!("R{row}"), 4 * row, 1));
    let columns = (0..4).map(|column| (format!("C{column}"), column, 4));
    let loopover = rows.chain(columns).fold(Permutations::new(16), line).with_inverses();
    let space = loopover.with_symmetries().build().expect("valid");
    assert_eq!(space.symmetries(), 128);
    space.with(CheckSymmetries);
}

#[test]
fn orbits_that_fit_are_not_tried_in_each_order() {
    // 14 pairs, of which each generator exchanges some; only the last choice finds that two
    // generators are not alike.
    let pairs =
        ["ab", "ab", "ab", "ab", "ab", "ab", "ab", "ab", "ab", "ab", "abc", "c", "ad", "bd"];
    let exchange = |puzzle: Permutations, name: char| {
        let moved = (0..).zip(pairs).filter(|(_, names)| names.contains(name));
        puzzle.generator(name, moved.map(|(pair, _)| [2 * pair, 2 * pair + 1]))
    };
    let space = "abcd".chars().fold(Permutations::new(28), exchange).with_symmetries();
    // a and b may be exchanged.
    assert_eq!(space.build().expect("valid").symmetries(), 2);
}

#[test]
fn equal_moves_are_no_symmetry() {
    let twice = Permutations::new(3).generator("A", [[0, 1, 2]]).generator("B", [[0, 1, 2]]);
    assert_eq!(twice.with_symmetries().build().expect("valid").symmetries(), 1);
}

#[test]
fn what_has_no_group_of_symmetries_is_refused() {
    let refusal = |puzzle: Permutations| puzzle.with_symmetries().build().expect_err("no group");
    let coloured = Permutations::lrx(4).colours([0, 0, 1, 1]);
    assert_eq!(
        refusal(coloured).to_string(),
        "symmetries of colours: expected either colours or symmetries"
    );
    // All exchanges of two of ten labels: each of 3,628,800 permutations is a symmetry.
    let mut exchanges = Permutations::new(10);
    for (one, other) in (0..10).flat_map(|one| (0..one).map(move |other| (one, other))) {
        exchanges = exchanges.generator(format!("{one}-{other}"), [[one, other]]);
    }
    assert_eq!(
        refusal(exchanges).to_string(),
        "more than 4096 symmetries, or too many choices for the images of the moves"
    );
    let none = Permutations::lrx(5).build().expect("valid");
    assert_eq!(none.symmetries(), 1);
}
