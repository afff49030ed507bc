//! Informed searches: bidirectional search and A*.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::{Cell, GhostMap, Numbering, joint_steps, with_dummies};
use crate::SearchResult;

/// Bidirectional breadth-first search: expands the smaller of the two frontiers by one layer until
/// the searches meet. It uses the same joint steps in both directions, because steps are
/// undirected.
pub fn bidirectional(maps: &[GhostMap]) -> Vec<SearchResult> {
    let solve = |map: &GhostMap| match map.ghost_count() {
        1 => bidirectional_for::<1>(map),
        2 => bidirectional_for::<2>(map),
        _ => bidirectional_for::<3>(map),
    };
    maps.iter().map(solve).collect()
}

fn bidirectional_for<const N: usize>(map: &GhostMap) -> SearchResult {
    const NOT_VISITED: u8 = 2;
    let numbering = Numbering::new(map);
    let pack = |cells: [Cell; N]| numbering.pack(cells.map(|cell| numbering.number(cell)));
    let (start, goal) = (pack(with_dummies(map, &map.starts)), pack(with_dummies(map, &map.goals)));
    let mut result = SearchResult { moves: None, expanded: 0, generated: 0 };
    if start == goal {
        result.moves = Some(0);
        return result;
    }
    // The side that visited each state: 0 for the start, 1 for the goal.
    let mut visited = vec![NOT_VISITED; numbering.state_count(N)];
    let mut layers = [vec![start], vec![goal]];
    (visited[start as usize], visited[goal as usize]) = (0, 1);
    for depth in 1.. {
        let side = usize::from(layers[1].len() < layers[0].len());
        let layer = std::mem::take(&mut layers[side]);
        if layer.is_empty() {
            break;
        }
        let mut meets = false;
        for state in layer {
            result.expanded += 1;
            let step_targets = |cell: u16| numbering.step_targets[cell as usize].iter().copied();
            joint_steps(&numbering.unpack::<N>(state), &step_targets, &mut |cells| {
                result.generated += 1;
                let next = numbering.pack(cells);
                let visited_by = &mut visited[next as usize];
                if *visited_by == NOT_VISITED {
                    *visited_by = side as u8;
                    layers[side].push(next);
                }
                meets |= usize::from(*visited_by) != side;
            });
        }
        if meets {
            result.moves = Some(depth);
            break;
        }
    }
    result
}

/// A* with the largest distance of a single ghost as the heuristic, and the binary heap of the
/// standard library.
pub fn astar(maps: &[GhostMap]) -> Vec<SearchResult> {
    let solve = |map: &GhostMap| match map.ghost_count() {
        1 => astar_for::<1>(map),
        2 => astar_for::<2>(map),
        _ => astar_for::<3>(map),
    };
    maps.iter().map(solve).collect()
}

/// The distance of each cell from one cell, for a single ghost. `u32::MAX` if it is unreachable.
fn distances(numbering: &Numbering, from: u16) -> Vec<u32> {
    let mut distances = vec![u32::MAX; numbering.step_targets.len()];
    distances[from as usize] = 0;
    let mut queue = VecDeque::from([from]);
    while let Some(cell) = queue.pop_front() {
        for &next in &numbering.step_targets[cell as usize] {
            if distances[next as usize] == u32::MAX {
                distances[next as usize] = distances[cell as usize] + 1;
                queue.push_back(next);
            }
        }
    }
    distances
}

fn astar_for<const N: usize>(map: &GhostMap) -> SearchResult {
    let numbering = Numbering::new(map);
    let goals = with_dummies(map, &map.goals).map(|cell: Cell| numbering.number(cell));
    let starts = with_dummies(map, &map.starts).map(|cell: Cell| numbering.number(cell));
    let distances: [_; N] = goals.map(|goal| distances(&numbering, goal));
    let heuristic = |cells: [u16; N]| {
        (0..N).map(|ghost| distances[ghost][cells[ghost] as usize]).max().expect("a ghost")
    };
    let mut result = SearchResult { moves: None, expanded: 0, generated: 0 };
    if heuristic(starts) == u32::MAX {
        return result;
    }
    let (start, goal) = (numbering.pack(starts), numbering.pack(goals));
    let mut depths = vec![u32::MAX; numbering.state_count(N)];
    depths[start as usize] = 0;
    // The smallest estimate first. Ties are broken in favour of the greatest depth.
    let mut heap = BinaryHeap::from([(Reverse(heuristic(starts)), 0, start)]);
    while let Some((_, depth, state)) = heap.pop() {
        if state == goal {
            result.moves = Some(depth);
            break;
        }
        if depth > depths[state as usize] {
            continue;
        }
        result.expanded += 1;
        let step_targets = |cell: u16| numbering.step_targets[cell as usize].iter().copied();
        joint_steps(&numbering.unpack::<N>(state), &step_targets, &mut |cells| {
            result.generated += 1;
            let next = numbering.pack(cells);
            if depth + 1 < depths[next as usize] {
                depths[next as usize] = depth + 1;
                heap.push((Reverse(depth + 1 + heuristic(cells)), depth + 1, next));
            }
        });
    }
    result
}
