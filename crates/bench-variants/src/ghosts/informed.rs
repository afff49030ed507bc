//! Searches that know their goal: from both ends, and with a lower bound.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::{House, Numbered, Place, filled_up, joint_steps};
use crate::Found;

/// A layer from the start, a layer from the goal, the smaller first, until they meet. Steps can be
/// undone.
pub fn bidirectional(houses: &[House]) -> Vec<Found> {
    let solve = |house: &House| match house.ghosts() {
        1 => from_both_ends::<1>(house),
        2 => from_both_ends::<2>(house),
        _ => from_both_ends::<3>(house),
    };
    houses.iter().map(solve).collect()
}

fn from_both_ends<const N: usize>(house: &House) -> Found {
    const NOT_SEEN: u8 = 2;
    let cells = Numbered::new(house);
    let pack = |places: [Place; N]| cells.pack(places.map(|place| cells.number(place)));
    let (start, goal) =
        (pack(filled_up(house, &house.starts)), pack(filled_up(house, &house.goals)));
    let mut found = Found { moves: None, states: 0, nodes: 0 };
    if start == goal {
        found.moves = Some(0);
        return found;
    }
    // By which side each state was seen.
    let mut seen = vec![NOT_SEEN; cells.states(N)];
    let mut layers = [vec![start], vec![goal]];
    (seen[start as usize], seen[goal as usize]) = (0, 1);
    for depth in 1.. {
        let side = usize::from(layers[1].len() < layers[0].len());
        let layer = std::mem::take(&mut layers[side]);
        if layer.is_empty() {
            break;
        }
        let mut met = false;
        for state in layer {
            found.states += 1;
            let around = |cell: u16| cells.around[cell as usize].iter().copied();
            joint_steps(&cells.unpack::<N>(state), &around, &mut |ghosts| {
                found.nodes += 1;
                let next = cells.pack(ghosts);
                let by = &mut seen[next as usize];
                if *by == NOT_SEEN {
                    *by = side as u8;
                    layers[side].push(next);
                }
                met |= usize::from(*by) != side;
            });
        }
        if met {
            found.moves = Some(depth);
            break;
        }
    }
    found
}

/// A* with the largest of the ghosts' own distances as the bound, and the standard library's heap.
pub fn astar(houses: &[House]) -> Vec<Found> {
    let solve = |house: &House| match house.ghosts() {
        1 => with_a_bound::<1>(house),
        2 => with_a_bound::<2>(house),
        _ => with_a_bound::<3>(house),
    };
    houses.iter().map(solve).collect()
}

/// How far each cell is from one of them.
fn distances(cells: &Numbered, from: u16) -> Vec<u32> {
    let mut distances = vec![u32::MAX; cells.around.len()];
    distances[from as usize] = 0;
    let mut queue = VecDeque::from([from]);
    while let Some(cell) = queue.pop_front() {
        for &next in &cells.around[cell as usize] {
            if distances[next as usize] == u32::MAX {
                distances[next as usize] = distances[cell as usize] + 1;
                queue.push_back(next);
            }
        }
    }
    distances
}

fn with_a_bound<const N: usize>(house: &House) -> Found {
    let cells = Numbered::new(house);
    let goals = filled_up(house, &house.goals).map(|place: Place| cells.number(place));
    let starts = filled_up(house, &house.starts).map(|place: Place| cells.number(place));
    let distances: [_; N] = goals.map(|goal| distances(&cells, goal));
    let bound = |ghosts: [u16; N]| {
        (0..N).map(|ghost| distances[ghost][ghosts[ghost] as usize]).max().expect("a ghost")
    };
    let mut found = Found { moves: None, states: 0, nodes: 0 };
    if bound(starts) == u32::MAX {
        return found;
    }
    let (start, goal) = (cells.pack(starts), cells.pack(goals));
    let mut depths = vec![u32::MAX; cells.states(N)];
    depths[start as usize] = 0;
    // The least sum first, of equal ones the deepest.
    let mut heap = BinaryHeap::from([(Reverse(bound(starts)), 0, start)]);
    while let Some((_, depth, state)) = heap.pop() {
        if state == goal {
            found.moves = Some(depth);
            break;
        }
        if depth > depths[state as usize] {
            continue;
        }
        found.states += 1;
        let around = |cell: u16| cells.around[cell as usize].iter().copied();
        joint_steps(&cells.unpack::<N>(state), &around, &mut |ghosts| {
            found.nodes += 1;
            let next = cells.pack(ghosts);
            if depth + 1 < depths[next as usize] {
                depths[next as usize] = depth + 1;
                heap.push((Reverse(depth + 1 + bound(ghosts)), depth + 1, next));
            }
        });
    }
    found
}
