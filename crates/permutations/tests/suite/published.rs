//! Layers as others have published them.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use fewest_core::Budget;
use fewest_core::representation::Representation;
use fewest_core::storage::Storage;
use fewest_permutations::{PermutationSpace, Permutations};

use crate::cube::cube;

fn layers(space: &PermutationSpace, budget: &Budget) -> Vec<u64> {
    space.count_layers(budget, |_, _| ControlFlow::Continue(())).layers
}

/// A puzzle by its name in the file, and a number or colours.
fn puzzle(family: &str, parameter: &str) -> Permutations {
    let is_coloured = parameter.len() > 2;
    let colours: Vec<u8> = parameter.bytes().map(|digit| digit - b'0').collect();
    let n = if is_coloured { colours.len() } else { parameter.parse().unwrap_or(0) };
    let puzzle = match family {
        "lrx" => Permutations::lrx(n),
        "top-spin" => Permutations::top_spin(n, 4),
        "pancake" => Permutations::pancake(n),
        "burnt-pancake" => Permutations::burnt_pancake(n),
        "cube_222_fixed_htm" => cube().with_powers(),
        "cube_222_fixed_qtm" => cube().with_inverses(),
        _ => unreachable!("{family}"),
    };
    if is_coloured { puzzle.colours(colours) } else { puzzle }
}

/// `cargo xtask bench` checks the larger ones.
const MOST_STATES: u64 = 500_000;

#[test]
fn layers_are_as_published() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/permutations/growth.txt");
    let mut checked = 0;
    for line in fs::read_to_string(path).unwrap().lines().filter(|line| !line.starts_with('#')) {
        let Some((name, numbers)) = line.split_once(':') else { continue };
        let (family, parameter) = name.split_once(' ').unwrap_or((name, ""));
        let expected: Vec<u64> = numbers.split_whitespace().map(|n| n.parse().unwrap()).collect();
        if expected.iter().sum::<u64>() > MOST_STATES {
            continue;
        }
        let space = puzzle(family, parameter).build().unwrap();
        assert_eq!(layers(&space, &Budget::unlimited()), expected, "{name}");
        checked += 1;
    }
    assert_eq!(checked, 114);
}

/// The Mathieu group of degree 11.
#[test]
fn a_group_without_blocks_has_its_order() {
    let m11 = Permutations::new(11)
        .generator("a", [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]])
        .generator("b", [[2, 6, 10, 7], [3, 9, 4, 5]])
        .with_inverses();
    let space = m11.build().unwrap();
    assert_eq!(layers(&space, &Budget::unlimited()).iter().sum::<u64>(), 7920);
}

#[test]
fn two_bits_for_each_rank_and_threads_count_the_same() {
    let two_bits = Storage::default().with_representation(Representation::TwoBits);
    let budgets = [
        Budget::unlimited().with_storage(two_bits),
        Budget::unlimited().with_threads(2.try_into().unwrap()),
    ];
    let puzzles = [
        Permutations::lrx(8),
        Permutations::top_spin(8, 4),
        Permutations::top_spin(9, 5),
        Permutations::top_spin(8, 5),
        Permutations::burnt_pancake(5),
    ];
    for puzzle in puzzles {
        let space = puzzle.build().unwrap();
        let expected = layers(&space, &Budget::unlimited());
        for budget in &budgets {
            assert_eq!(layers(&space, budget), expected, "{space:?}");
        }
    }
}

/// A small group has few ranks, also where permutations have some; and with more moves than are
/// looked up at once, in one direction only.
#[test]
fn small_groups_have_small_numbers() {
    let ring = |places: usize| {
        let shift = |by: usize| (0..places).map(move |p| (p + by) % places).collect::<Vec<_>>();
        let ring = Permutations::new(places + 1);
        (1..places).fold(ring, |ring, by| {
            ring.generator_from_images(by.to_string(), [shift(by), vec![places]].concat())
        })
    };
    let turns = ring(13).build().unwrap();
    assert_eq!((turns.ranks(), layers(&turns, &Budget::unlimited())), (Some(13), vec![1, 12]));
    let turns = ring(30).build().unwrap();
    assert_eq!((turns.ranks(), layers(&turns, &Budget::unlimited())), (Some(30), vec![1, 29]));
    // One direction: 29 steps to what is one step behind.
    let turn = Permutations::new(30).generator("T", [Vec::from_iter(0..30_usize)]).build().unwrap();
    let mut arrangement = turn.solved().to_vec();
    arrangement.rotate_right(1);
    let outcome = turn.solve(&arrangement, &Budget::unlimited()).unwrap();
    assert_eq!(outcome.cost(), Some(29));
}

/// Two rings of three and of five colours, a ring of one colour, and a place that nothing moves.
#[test]
fn orbits_with_different_colours_share_a_word() {
    let rings = Permutations::new(12)
        .generator("A", [[0, 1, 2]])
        .generator("B", [[3, 4, 5, 6, 7]])
        .generator("C", [[8, 9, 10]])
        .colours([5, 6, 7, 1, 1, 2, 3, 4, 9, 9, 9, 5]);
    let rings = rings.build().unwrap();
    let found = layers(&rings, &Budget::unlimited());
    assert_eq!(found.iter().sum::<u64>(), 15);
    // A and B are turned once each to get home from two and four turns.
    let outcome = rings.solve(&[6, 7, 5, 1, 2, 3, 4, 1, 9, 9, 9, 5], &Budget::unlimited()).unwrap();
    assert_eq!(outcome.cost(), Some(2));
    let exchanged = [6, 7, 9, 1, 2, 3, 4, 1, 5, 9, 9, 5];
    assert_eq!(rings.solve(&exchanged, &Budget::unlimited()).unwrap().lower_bound(), None);
}

/// No moves twist a single corner.
#[test]
fn an_arrangement_that_no_moves_reach_is_unsolvable() {
    let cube = cube().with_powers().build().unwrap();
    let mut twisted = cube.solved().to_vec();
    twisted[..3].rotate_left(1);
    let outcome = cube.solve(&twisted, &Budget::unlimited()).unwrap();
    assert_eq!((outcome.cost(), outcome.lower_bound()), (None, None));
}
