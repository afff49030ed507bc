//! Breadth-first over the joint positions, by what a state is and what it is put into.

use std::collections::HashSet;

use fxhash::FxHashSet;

use super::{House, Numbered, Place, filled_up, joint_steps};
use crate::Found;
use crate::bfs::breadth_first;
use crate::sets::{Dense, OpenAddressing, Seen, Stamped};

/// The textbook: a struct with the places of three ghosts, in the standard library's hash set.
pub fn structs(houses: &[House]) -> Vec<Found> {
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    struct Ghosts {
        places: [Place; 3],
    }
    let solve = |house: &House| {
        let start = Ghosts { places: filled_up(house, &house.starts) };
        let goal = Ghosts { places: filled_up(house, &house.goals) };
        breadth_first(
            start,
            |&state| state == goal,
            &mut HashSet::new(),
            |state, next| {
                joint_steps(&state.places, &|place| house.around(place), &mut |places| {
                    next.push(Ghosts { places })
                });
            },
        )
    };
    houses.iter().map(solve).collect()
}

/// The places of three ghosts as six hexadecimal digits of a `u32`, in a set.
fn in_hex(house: &House, seen: &mut impl Seen<u32>) -> Found {
    let pack = |places: [Place; 3]| {
        places
            .iter()
            .fold(0, |state, place| state << 8 | u32::from(place.y) << 4 | u32::from(place.x))
    };
    let place = |digits: u32| Place { x: (digits & 15) as u8, y: (digits >> 4 & 15) as u8 };
    let unpack = |state: u32| [place(state >> 16), place(state >> 8), place(state)];
    let start = pack(filled_up(house, &house.starts));
    let goal = pack(filled_up(house, &house.goals));
    breadth_first(
        start,
        |&state| state == goal,
        seen,
        |&state, next| {
            joint_steps(&unpack(state), &|place| house.around(place), &mut |places| {
                next.push(pack(places))
            });
        },
    )
}

/// The numbers that six hexadecimal digits make.
const HEX: usize = 1 << 24;

/// Six hexadecimal digits in the standard library's hash set.
pub fn packed(houses: &[House]) -> Vec<Found> {
    houses.iter().map(|house| in_hex(house, &mut HashSet::new())).collect()
}

/// The same set with a hash that is quick, and no defence against an opponent.
pub fn fx(houses: &[House]) -> Vec<Found> {
    houses.iter().map(|house| in_hex(house, &mut FxHashSet::default())).collect()
}

/// A hash table of our own.
pub fn own_table(houses: &[House]) -> Vec<Found> {
    houses.iter().map(|house| in_hex(house, &mut OpenAddressing::default())).collect()
}

/// A byte for each six digits, in one table that is cleared for each data set.
pub fn cleared(houses: &[House]) -> Vec<Found> {
    let mut seen = Dense::new(HEX);
    let solve = |house| {
        seen.clear();
        in_hex(house, &mut seen)
    };
    houses.iter().map(solve).collect()
}

/// The same table, with a stamp for each data set.
pub fn stamped(houses: &[House]) -> Vec<Found> {
    let mut seen = Stamped::new(HEX);
    let solve = |house| {
        seen.clear();
        in_hex(house, &mut seen)
    };
    houses.iter().map(solve).collect()
}

/// Corridor cells by number, a table of just their cube, and walls tested at each step.
pub fn numbered(houses: &[House]) -> Vec<Found> {
    let solve = |house: &House| {
        let cells = Numbered::new(house);
        let around =
            |cell: u16| house.around(cells.places[cell as usize]).map(|place| cells.number(place));
        search::<3, _>(house, &cells, &around)
    };
    houses.iter().map(solve).collect()
}

/// Corridor cells by number, each with a list of the cells around it.
pub fn lists(houses: &[House]) -> Vec<Found> {
    houses.iter().map(with_lists::<3>).collect()
}

/// The same, with no dummies: a search for just as many ghosts as there are.
pub fn exact(houses: &[House]) -> Vec<Found> {
    let solve = |house: &House| match house.ghosts() {
        1 => with_lists::<1>(house),
        2 => with_lists::<2>(house),
        _ => with_lists::<3>(house),
    };
    houses.iter().map(solve).collect()
}

fn with_lists<const N: usize>(house: &House) -> Found {
    let cells = Numbered::new(house);
    search::<N, _>(house, &cells, &|cell| cells.around[cell as usize].iter().copied())
}

fn search<const N: usize, I: Iterator<Item = u16>>(
    house: &House,
    cells: &Numbered,
    around: &impl Fn(u16) -> I,
) -> Found {
    let pack = |places: [Place; N]| cells.pack(places.map(|place| cells.number(place)));
    let start = pack(filled_up(house, &house.starts));
    let goal = pack(filled_up(house, &house.goals));
    let mut seen = Dense::new(cells.states(N));
    breadth_first(
        start,
        |&state| state == goal,
        &mut seen,
        |&state, next| {
            joint_steps(&cells.unpack::<N>(state), around, &mut |ghosts| {
                next.push(cells.pack(ghosts))
            });
        },
    )
}
