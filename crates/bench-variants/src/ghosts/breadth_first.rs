//! Breadth-first search over the joint positions, with different states and visited sets.

use std::collections::HashSet;

use fxhash::FxHashSet;

use super::{Cell, GhostMap, Numbering, joint_steps, with_dummies};
use crate::SearchResult;
use crate::bfs::breadth_first;
use crate::sets::{Dense, OpenAddressing, Stamped, VisitedSet};

/// The baseline: a struct with the cells of three ghosts, in the hash set of the standard library.
pub fn structs(maps: &[GhostMap]) -> Vec<SearchResult> {
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    struct Ghosts {
        cells: [Cell; 3],
    }
    let solve = |map: &GhostMap| {
        let start = Ghosts { cells: with_dummies(map, &map.starts) };
        let goal = Ghosts { cells: with_dummies(map, &map.goals) };
        breadth_first(
            start,
            |&state| state == goal,
            &mut HashSet::new(),
            |state, next| {
                joint_steps(&state.cells, &|cell| map.step_targets(cell), &mut |cells| {
                    next.push(Ghosts { cells })
                });
            },
        )
    };
    maps.iter().map(solve).collect()
}

/// Searches with the cells of three ghosts as six hexadecimal digits of a `u32`.
fn in_hex(map: &GhostMap, visited: &mut impl VisitedSet<u32>) -> SearchResult {
    let pack = |cells: [Cell; 3]| {
        cells.iter().fold(0, |state, cell| state << 8 | u32::from(cell.y) << 4 | u32::from(cell.x))
    };
    let cell = |digits: u32| Cell { x: (digits & 15) as u8, y: (digits >> 4 & 15) as u8 };
    let unpack = |state: u32| [cell(state >> 16), cell(state >> 8), cell(state)];
    let start = pack(with_dummies(map, &map.starts));
    let goal = pack(with_dummies(map, &map.goals));
    breadth_first(
        start,
        |&state| state == goal,
        visited,
        |&state, next| {
            joint_steps(&unpack(state), &|cell| map.step_targets(cell), &mut |cells| {
                next.push(pack(cells))
            });
        },
    )
}

/// The number of states of six hexadecimal digits.
const HEX_STATES: usize = 1 << 24;

/// Six hexadecimal digits in the hash set of the standard library.
pub fn packed(maps: &[GhostMap]) -> Vec<SearchResult> {
    maps.iter().map(|map| in_hex(map, &mut HashSet::new())).collect()
}

/// The same as [`packed`], with FxHash, which is fast but does not resist hash flooding.
pub fn fx(maps: &[GhostMap]) -> Vec<SearchResult> {
    maps.iter().map(|map| in_hex(map, &mut FxHashSet::default())).collect()
}

/// The same as [`packed`], with [`OpenAddressing`].
pub fn own_table(maps: &[GhostMap]) -> Vec<SearchResult> {
    maps.iter().map(|map| in_hex(map, &mut OpenAddressing::default())).collect()
}

/// The same as [`packed`], with one table of a byte for each state. The table is cleared for each
/// data set.
pub fn cleared(maps: &[GhostMap]) -> Vec<SearchResult> {
    let mut visited = Dense::new(HEX_STATES);
    let solve = |map| {
        visited.clear();
        in_hex(map, &mut visited)
    };
    maps.iter().map(solve).collect()
}

/// The same as [`cleared`], with a stamp for each data set instead of clearing.
pub fn stamped(maps: &[GhostMap]) -> Vec<SearchResult> {
    let mut visited = Stamped::new(HEX_STATES);
    let solve = |map| {
        visited.clear();
        in_hex(map, &mut visited)
    };
    maps.iter().map(solve).collect()
}

/// Numbered open cells, and a table of one byte for each state, n^3 for n cells. Walls are tested
/// at each step.
pub fn numbered(maps: &[GhostMap]) -> Vec<SearchResult> {
    let solve = |map: &GhostMap| {
        let numbering = Numbering::new(map);
        let step_targets = |number: u16| {
            map.step_targets(numbering.cells[number as usize]).map(|cell| numbering.number(cell))
        };
        search::<3, _>(map, &numbering, &step_targets)
    };
    maps.iter().map(solve).collect()
}

/// The same as [`numbered`], with a list of step targets for each cell.
pub fn lists(maps: &[GhostMap]) -> Vec<SearchResult> {
    maps.iter().map(with_lists::<3>).collect()
}

/// The same as [`lists`], without dummies: a search for the actual number of ghosts.
pub fn exact(maps: &[GhostMap]) -> Vec<SearchResult> {
    let solve = |map: &GhostMap| match map.ghost_count() {
        1 => with_lists::<1>(map),
        2 => with_lists::<2>(map),
        _ => with_lists::<3>(map),
    };
    maps.iter().map(solve).collect()
}

fn with_lists<const N: usize>(map: &GhostMap) -> SearchResult {
    let numbering = Numbering::new(map);
    search::<N, _>(map, &numbering, &|cell| numbering.step_targets[cell as usize].iter().copied())
}

fn search<const N: usize, I: Iterator<Item = u16>>(
    map: &GhostMap,
    numbering: &Numbering,
    step_targets: &impl Fn(u16) -> I,
) -> SearchResult {
    let pack = |cells: [Cell; N]| numbering.pack(cells.map(|cell| numbering.number(cell)));
    let start = pack(with_dummies(map, &map.starts));
    let goal = pack(with_dummies(map, &map.goals));
    let mut visited = Dense::new(numbering.state_count(N));
    breadth_first(
        start,
        |&state| state == goal,
        &mut visited,
        |&state, next| {
            joint_steps(&numbering.unpack::<N>(state), step_targets, &mut |cells| {
                next.push(numbering.pack(cells))
            });
        },
    )
}
