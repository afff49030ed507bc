//! Right programs in contest format, which the tests of `judge` run: they rely on the guarantees of
//! the statements, and panic or do not end on other texts. They share no code with the puzzles.

#![allow(clippy::print_stdout, reason = "its answers")]

use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{self, Read};

fn main() {
    let program = std::env::args().nth(1).expect("the name of a program");
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).expect("text");
    match program.split_once('-').expect("a puzzle and a way") {
        ("halloween", way) => maps(&text, way),
        ("walls", way) => mazes(&text, way),
        ("boards", way) => boards(&text, way),
        _ => panic!("{program} is not known"),
    }
}

/// A map: the cells that a step leads to from each cell, the starts and the goals.
struct Map {
    steps: Vec<Vec<usize>>,
    start: [usize; 3],
    goal: [usize; 3],
}

/// Three ghosts always: those that are missing are in cells of their own. Walls around the map make
/// bounds unnecessary.
fn maps(text: &str, way: &str) {
    let mut lines = text.lines();
    while let Some(header) = lines.next() {
        let numbers: Vec<usize> =
            header.split_whitespace().map(|word| word.parse().expect("a number")).collect();
        let [width, height, count] = numbers[..] else { continue };
        if count == 0 {
            break;
        }
        let rows: Vec<u8> = lines.by_ref().take(height).flat_map(str::bytes).collect();
        let open: Vec<usize> = (0..rows.len()).filter(|&cell| rows[cell] != b'#').collect();
        let number = |cell: usize| open.binary_search(&cell).ok();
        let mut steps: Vec<Vec<usize>> = open
            .iter()
            .map(|&cell| {
                let near = [cell, cell - 1, cell + 1, cell - width, cell + width];
                near.into_iter().filter_map(number).collect()
            })
            .collect();
        let mut place = |letter: u8, ghost: usize| {
            let cell = rows.iter().position(|&cell| cell == letter + ghost as u8);
            if ghost < count {
                return cell.and_then(number).expect("a ghost");
            }
            let own = open.len() + ghost - count;
            if own == steps.len() {
                steps.push(vec![own]);
            }
            own
        };
        let start = std::array::from_fn(|ghost| place(b'a', ghost));
        let goal = std::array::from_fn(|ghost| place(b'A', ghost));
        let map = Map { steps, start, goal };
        println!(
            "{}",
            match way {
                "table" => map.by_table(),
                "sets" => map.by_both_ends(),
                _ => map.by_estimate(),
            }
        );
    }
}

impl Map {
    fn successors(&self, from: [usize; 3], mut emit: impl FnMut([usize; 3])) {
        for &a in &self.steps[from[0]] {
            for &b in &self.steps[from[1]] {
                if a == b || a == from[1] && b == from[0] {
                    continue;
                }
                for &c in &self.steps[from[2]] {
                    let meets = |to: usize, old: usize| c == to || c == old && to == from[2];
                    if !meets(a, from[0]) && !meets(b, from[1]) {
                        emit([a, b, c]);
                    }
                }
            }
        }
    }

    /// Breadth-first search with a table for 150 cells: a map without openings has no more.
    fn by_table(&self) -> u32 {
        const CELLS: usize = 150;
        let index = |at: [usize; 3]| (at[0] * CELLS + at[1]) * CELLS + at[2];
        let mut seen = vec![false; CELLS * CELLS * CELLS];
        seen[index(self.start)] = true;
        let mut layer = vec![self.start];
        for steps in 0.. {
            assert!(!layer.is_empty(), "there is a plan");
            if layer.contains(&self.goal) {
                return steps;
            }
            let mut next = Vec::new();
            for &at in &layer {
                self.successors(at, |to| {
                    if !std::mem::replace(&mut seen[index(to)], true) {
                        next.push(to);
                    }
                });
            }
            layer = next;
        }
        unreachable!("there is a plan")
    }

    /// Layers from both ends, until one has a state of the other.
    fn by_both_ends(&self) -> u32 {
        let mut seen = [HashSet::from([self.start]), HashSet::from([self.goal])];
        let mut layers = [vec![self.start], vec![self.goal]];
        for steps in 1.. {
            let side = usize::from(layers[1].len() < layers[0].len());
            let mut next = Vec::new();
            for &at in &layers[side] {
                self.successors(at, |to| {
                    if seen[side].insert(to) {
                        next.push(to);
                    }
                });
            }
            if next.iter().any(|at| seen[1 - side].contains(at)) {
                return steps;
            }
            layers[side] = next;
        }
        unreachable!("there is a plan")
    }

    /// A* with the distance of the ghost that is farthest from its goal.
    fn by_estimate(&self) -> u32 {
        let distances = self.goal.map(|goal| {
            let mut distances = vec![u32::MAX; self.steps.len()];
            distances[goal] = 0;
            let mut queue = VecDeque::from([goal]);
            while let Some(cell) = queue.pop_front() {
                for &to in &self.steps[cell] {
                    if distances[to] == u32::MAX {
                        distances[to] = distances[cell] + 1;
                        queue.push_back(to);
                    }
                }
            }
            distances
        });
        let estimate = |at: [usize; 3]| (0..3).map(|ghost| distances[ghost][at[ghost]]).max();
        let estimate = |at| estimate(at).expect("three ghosts");
        let mut queues = vec![Vec::new(); 2000];
        let mut costs = HashMap::from([(self.start, 0)]);
        let first = estimate(self.start) as usize;
        queues[first].push((self.start, 0));
        for bound in first.. {
            while let Some((at, cost)) = queues[bound].pop() {
                if at == self.goal {
                    return cost;
                }
                if costs[&at] < cost {
                    continue;
                }
                self.successors(at, |to| {
                    let known = costs.entry(to).or_insert(u32::MAX);
                    if cost + 1 < *known {
                        *known = cost + 1;
                        queues[(cost + 1 + estimate(to)) as usize].push((to, cost + 1));
                    }
                });
            }
        }
        unreachable!("there is a plan")
    }
}

/// The edges of 4 rows, from west to east, those of 6 columns, from north to south, and the cell.
type Maze = ([u8; 4], [u8; 6], usize, usize);

fn mazes(text: &str, way: &str) {
    let mut numbers = text.split_whitespace().map(|word| word.parse::<usize>().expect("a number"));
    while let (Some(column @ 1..), Some(row)) = (numbers.next(), numbers.next()) {
        let (mut rows, mut columns) = ([0u8; 4], [0u8; 6]);
        for (row, in_row) in rows.iter_mut().enumerate() {
            for (column, in_column) in columns.iter_mut().enumerate() {
                let mask = numbers.next().expect("a mask") as u8;
                *in_row |= (mask & 1 | (mask >> 2 & 1) << 1) << column;
                *in_column |= (mask >> 1 & 1 | (mask >> 3 & 1) << 1) << row;
            }
        }
        let start = (rows, columns, row - 1, column - 1);
        println!(
            "{}",
            match way {
                "queue" => by_queue(start),
                "layers" => by_layers(start),
                _ => by_deepening(start),
            }
        );
    }
}

/// The maze after a move; `None` outside if it leads out, and `None` if it is not possible.
fn pushed(maze: Maze, letter: char) -> Option<Option<Maze>> {
    let (rows, columns, row, column) = maze;
    let in_row = matches!(letter, 'W' | 'E');
    let (mut line, place, length) =
        if in_row { (rows[row], column, 6) } else { (columns[column], row, 4) };
    let is_back = matches!(letter, 'W' | 'N');
    let edge = place + usize::from(!is_back);
    if line >> edge & 1 == 0 && (edge == 0 || edge == length) {
        return Some(None);
    }
    if line >> edge & 1 == 1 {
        let next = if is_back { edge.checked_sub(1)? } else { edge + 1 };
        if edge == 0 || edge == length || line >> next & 1 == 1 {
            return None;
        }
        line ^= 1 << edge | 1 << next;
    }
    let mut to = maze;
    let moved = if is_back { place - 1 } else { place + 1 };
    if in_row {
        (to.0[row], to.3) = (line, moved);
    } else {
        (to.1[column], to.2) = (line, moved);
    }
    Some(Some(to))
}

const LETTERS: [char; 4] = ['W', 'N', 'E', 'S'];

fn by_queue(start: Maze) -> String {
    let mut queue = VecDeque::from([(start, String::new())]);
    let mut seen = HashSet::from([start]);
    loop {
        let (maze, plan) = queue.pop_front().expect("there is a plan");
        for letter in LETTERS {
            match pushed(maze, letter) {
                Some(None) => return format!("{plan}{letter}"),
                Some(Some(to)) if seen.insert(to) => {
                    queue.push_back((to, format!("{plan}{letter}")))
                }
                _ => {}
            }
        }
    }
}

fn by_layers(start: Maze) -> String {
    let mut from: HashMap<Maze, (Maze, char)> = HashMap::new();
    let mut layer = vec![start];
    loop {
        assert!(!layer.is_empty(), "there is a plan");
        let mut next = Vec::new();
        for &maze in &layer {
            for letter in LETTERS {
                match pushed(maze, letter) {
                    Some(None) => {
                        let (mut plan, mut at) = (vec![letter], maze);
                        while at != start {
                            let (before, letter) = from[&at];
                            plan.push(letter);
                            at = before;
                        }
                        return plan.into_iter().rev().collect();
                    }
                    Some(Some(to)) if to != start && !from.contains_key(&to) => {
                        from.insert(to, (maze, letter));
                        next.push(to);
                    }
                    _ => {}
                }
            }
        }
        layer = next;
    }
}

/// Depth-first with a bound that grows, and with the depth at which each maze was seen last.
/// Without a plan it does not end.
fn by_deepening(start: Maze) -> String {
    fn search(maze: Maze, left: usize, seen: &mut HashMap<Maze, usize>, plan: &mut String) -> bool {
        if left == 0 || seen.get(&maze).is_some_and(|&with| with >= left) {
            return false;
        }
        seen.insert(maze, left);
        LETTERS.into_iter().any(|letter| {
            plan.push(letter);
            let found = match pushed(maze, letter) {
                Some(None) => true,
                Some(Some(to)) => search(to, left - 1, seen, plan),
                None => false,
            };
            if !found {
                plan.pop();
            }
            found
        })
    }
    let mut plan = String::new();
    let found = (1..).any(|bound| search(start, bound, &mut HashMap::new(), &mut plan));
    assert!(found, "there is a plan");
    plan
}

/// Prints the number of moves.
fn boards(text: &str, way: &str) {
    let digits: Vec<bool> =
        text.bytes().filter(u8::is_ascii_digit).map(|digit| digit == b'1').collect();
    for boards in digits.chunks_exact(32) {
        let board =
            |start: usize| (0..16).map(|cell| u16::from(boards[start + cell]) << cell).sum::<u16>();
        let (start, target) = (board(0), board(16));
        println!(
            "{}",
            match way {
                "table" => board_by_table(start, target),
                "sets" => board_by_both_ends(start, target),
                _ => board_by_matching(start, target),
            }
        );
    }
}

fn exchanges(board: u16) -> impl Iterator<Item = u16> {
    let right = (0..16).filter(|cell| cell % 4 < 3).map(|cell| 0b11 << cell);
    let down = (0..12).map(|cell| 0b1_0001 << cell);
    let pairs = right.chain(down);
    pairs.filter(move |pair| (board & pair).count_ones() == 1).map(move |pair: u16| board ^ pair)
}

fn board_by_table(start: u16, target: u16) -> u32 {
    let mut moves = vec![u32::MAX; 1 << 16];
    moves[usize::from(start)] = 0;
    let mut queue = VecDeque::from([start]);
    while moves[usize::from(target)] == u32::MAX {
        let board = queue.pop_front().expect("there is a plan");
        for to in exchanges(board) {
            if moves[usize::from(to)] == u32::MAX {
                moves[usize::from(to)] = moves[usize::from(board)] + 1;
                queue.push_back(to);
            }
        }
    }
    moves[usize::from(target)]
}

fn board_by_both_ends(start: u16, target: u16) -> u32 {
    let mut sides = [HashSet::from([start]), HashSet::from([target])];
    let mut moves = 0;
    // The sets have all boards within some moves. Without a plan they stop growing, and this does
    // not end.
    while sides[0].is_disjoint(&sides[1]) {
        let side = moves as usize % 2;
        let next: Vec<u16> = sides[side].iter().flat_map(|&board| exchanges(board)).collect();
        sides[side].extend(next);
        moves += 1;
    }
    moves
}

/// The least sum of distances between 8 black pieces and 8 places.
fn board_by_matching(start: u16, target: u16) -> u32 {
    let black = |board: u16| -> [i32; 8] {
        let cells: Vec<i32> = (0..16).filter(|cell| board >> cell & 1 == 1).collect();
        cells.try_into().expect("8 black pieces")
    };
    let (from, to) = (black(start), black(target));
    let mut least = [u32::MAX; 1 << 8];
    least[0] = 0;
    for taken in 0..least.len() - 1 {
        let cell = from[taken.count_ones() as usize];
        for (place, other) in
            to.into_iter().enumerate().filter(|(place, _)| taken >> place & 1 == 0)
        {
            let distance = (cell / 4).abs_diff(other / 4) + (cell % 4).abs_diff(other % 4);
            let sum = least[taken] + distance;
            let known = &mut least[taken | 1 << place];
            *known = sum.min(*known);
        }
    }
    least[least.len() - 1]
}
