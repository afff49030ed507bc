//! The 8-puzzle of core's example in other libraries, as `docs/coming-from.md` shows it.

use std::collections::VecDeque;

use pathfinding::directed::astar::astar;
use pathfinding::directed::bfs::bfs;
use petgraph::graphmap::UnGraphMap;
use stateright::{Checker, Model, Property};

use super::library::eight_puzzle::{GOAL, START, distance, moves};

pub(super) fn by_pathfinding() -> Option<usize> {
    let path = bfs(&START, |&board| moves(board).map(|(_, next)| next), |&board| board == GOAL);
    path.map(|boards| boards.len() - 1)
}

pub(super) fn by_astar_of_pathfinding() -> Option<usize> {
    let next = |&board: &u64| moves(board).map(|(_, next)| (next, 1));
    let path = astar(&START, next, |&board| distance(board), |&board| board == GOAL);
    path.map(|(boards, _)| boards.len() - 1)
}

pub(super) fn by_petgraph() -> Option<usize> {
    let mut graph: UnGraphMap<u64, ()> = UnGraphMap::new();
    let mut queue = VecDeque::from([START]);
    while let Some(board) = queue.pop_front() {
        for (_, next) in moves(board) {
            if !graph.contains_node(next) {
                queue.push_back(next);
            }
            graph.add_edge(board, next, ());
        }
    }
    let path = petgraph::algo::astar(&graph, START, |board| board == GOAL, |_| 1, |_| 0);
    path.map(|(_, boards)| boards.len() - 1)
}

struct Puzzle;

impl Model for Puzzle {
    type State = u64;
    type Action = u64;

    fn init_states(&self) -> Vec<u64> {
        vec![START]
    }

    fn actions(&self, &board: &u64, actions: &mut Vec<u64>) {
        actions.extend(moves(board).map(|(tile, _)| tile));
    }

    fn next_state(&self, &board: &u64, tile: u64) -> Option<u64> {
        moves(board).find(|&(slides, _)| slides == tile).map(|(_, next)| next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::sometimes("solved", |_, &board| board == GOAL)]
    }
}

pub(super) fn by_stateright() -> Option<usize> {
    let checker = Puzzle.checker().spawn_bfs().join();
    checker.discovery("solved").map(|path| path.into_actions().len())
}
