//! The 2x2x2 cube has the published number of states at each distance from the solved one.

#[path = "../../examples/cube/main.rs"]
mod cube_example;

use std::num::NonZero;

use fewest_core::budget::Budget;
use fewest_core::check;
use fewest_core::space::moves_along;
use fewest_core::visited::{RankSet, Table};

use super::by_set::{bfs, bidirectional, explore, sharded, sweep};
use cube_example::Cube;

/// Jaap Scherphuis, "Mini Cube, the 2x2x2 Rubik's Cube", half-turn metric.
const LAYERS: [u64; 12] =
    [1, 9, 54, 321, 1847, 9992, 50_136, 227_536, 870_072, 1_887_748, 623_800, 2644];

#[test]
fn layers_are_the_published_ones_in_every_store() {
    let (cube, budget) = (Cube::after(&[]), Budget::unlimited());
    let two = NonZero::new(2).expect("two");
    assert_eq!(explore::<Table<_>, _>(&cube, &budget).layers, LAYERS);
    assert_eq!(explore::<RankSet, _>(&cube, &budget).layers, LAYERS);
    assert_eq!(sharded::<RankSet, _>(&cube, &budget, two).layers, LAYERS);
    assert_eq!(sweep(&cube, &budget, two).layers, LAYERS);
}

#[test]
fn the_cube_keeps_its_promises() {
    let cube = Cube::after(&[0, 4, 8]);
    let states = check::reachable(&cube, 2000);
    assert_eq!(check::space(&cube, &states), Ok(()));
    assert_eq!(check::predecessors(&cube, &states), Ok(()));
    assert_eq!(check::goals(&cube, &states), Ok(()));
    assert_eq!(check::ranks(&cube, &states), Ok(()));
}

#[test]
fn mixed_cubes_are_solved_in_the_fewest_moves() {
    let budget = Budget::unlimited();
    for mix in [&[0_u8, 3, 6][..], &[1, 4, 7, 1, 4, 7], &[2, 3, 8, 0, 5, 6, 1, 3, 7, 2]] {
        let cube = Cube::after(mix);
        let one_way = bfs::search::<RankSet, _>(&cube, &budget);
        let two_ways = bidirectional(&cube, &budget, |search| search);
        assert_eq!(one_way.cost(), two_ways.cost());
        assert!(one_way.cost().is_some_and(|moves| moves as usize <= mix.len()));
        let plan = two_ways.optimal().expect("every cube can be solved");
        let moves = moves_along(&cube, plan).expect("moves");
        let solution: Vec<_> = mix.iter().chain(&moves).copied().collect();
        // The moves after the mix lead back to the solved cube.
        let solved = bfs::search::<Table<_>, _>(&Cube::after(&solution), &budget);
        assert_eq!(solved.cost(), Some(0));
    }
}
