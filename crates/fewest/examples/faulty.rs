//! Programs in contest format, each with a fault that the tests of `judge` have to find. They share
//! no code with the puzzles, except `klotski-exit`.

#![allow(clippy::print_stdout, reason = "its answers")]

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::io::{self, Read};

fn main() {
    let fault = std::env::args().nth(1).expect("the name of a fault");
    if fault == "allocate" {
        std::hint::black_box(Vec::<u8>::with_capacity(2 << 30));
    }
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).expect("text");
    match fault.as_str() {
        "crash" => std::process::exit(3),
        "silent" => {}
        "endless" => loop {
            std::thread::sleep(std::time::Duration::from_secs(1));
        },
        "chatty" => loop {
            println!("7");
        },
        "klotski-exit" => klotski(&text),
        "black-white-greedy" => black_white(&text),
        wall_pusher if wall_pusher.starts_with("wall-pusher") => walls(&text, wall_pusher),
        ghosts => halloween(&text, ghosts),
    }
}

/// `halloween-follow` forbids to enter a cell that is left in the same step, `halloween-exchange`
/// allows exchanging, and `halloween-zero` prints 0 for -1.
fn halloween(text: &str, fault: &str) {
    let mut lines = text.lines();
    while let Some(header) = lines.next() {
        let numbers: Vec<usize> =
            header.split_whitespace().map(|word| word.parse().expect("a number")).collect();
        let [width, height, count] = numbers[..] else { continue };
        if count == 0 {
            break;
        }
        let map: Vec<u8> = lines
            .by_ref()
            .take(height)
            .flat_map(|row| {
                row.bytes().chain(std::iter::repeat(b' ')).take(width).collect::<Vec<_>>()
            })
            .collect();
        let find = |letter: u8| map.iter().position(|&cell| cell == letter).expect("a letter");
        let start: Vec<usize> = (0..count as u8).map(|ghost| find(b'a' + ghost)).collect();
        let goal: Vec<usize> = (0..count as u8).map(|ghost| find(b'A' + ghost)).collect();
        let near = |cell: usize| {
            let all = [Some(cell), cell.checked_sub(width), Some(cell + width)];
            let sides = [
                (!cell.is_multiple_of(width)).then(|| cell - 1),
                (cell % width + 1 < width).then_some(cell + 1),
            ];
            let cells = all.into_iter().chain(sides).flatten();
            cells.filter(|&to| to < map.len() && map[to] != b'#').collect::<Vec<_>>()
        };
        let is_legal = |from: &[usize], to: &[usize]| {
            (0..count).all(|one| {
                (0..one).all(|other| {
                    let follows = |one: usize, other: usize| {
                        to[one] == from[other] && fault == "halloween-follow"
                    };
                    let exchange = to[one] == from[other] && to[other] == from[one];
                    to[one] != to[other]
                        && (!exchange || fault == "halloween-exchange")
                        && !follows(one, other)
                        && !follows(other, one)
                })
            })
        };
        let mut distances = HashMap::from([(start.clone(), 0)]);
        let mut queue = VecDeque::from([start]);
        while let Some(here) = queue.pop_front().filter(|_| !distances.contains_key(&goal)) {
            let mut all = vec![Vec::new()];
            for &cell in &here {
                let longer = |to: &Vec<usize>| {
                    near(cell)
                        .into_iter()
                        .map(|cell| [&to[..], &[cell]].concat())
                        .collect::<Vec<_>>()
                };
                all = all.iter().flat_map(longer).collect();
            }
            for to in all.into_iter().filter(|to| is_legal(&here, to)) {
                if !distances.contains_key(&to) {
                    distances.insert(to.clone(), distances[&here] + 1);
                    queue.push_back(to);
                }
            }
        }
        let unsolvable = if fault == "halloween-zero" { 0 } else { -1 };
        println!("{}", distances.get(&goal).copied().unwrap_or(unsolvable));
    }
}

/// `wall-pusher-three` prints three moves for a way out of one, and `wall-pusher-two` lets two
/// walls be pushed at once.
fn walls(text: &str, fault: &str) {
    const MAX_STATES: usize = 200_000;
    let mut numbers = text.split_whitespace().map(|word| word.parse::<usize>().expect("a number"));
    while let (Some(column), Some(row)) = (numbers.next(), numbers.next()) {
        if column == 0 {
            break;
        }
        // The edges of each row, from west to east, and of each column, from north to south.
        let (mut rows, mut columns) = ([0u8; 4], [0u8; 6]);
        for (row, in_row) in rows.iter_mut().enumerate() {
            for (column, in_column) in columns.iter_mut().enumerate() {
                let mask = numbers.next().expect("a mask") as u8;
                *in_row |= (mask & 1 | (mask >> 2 & 1) << 1) << column;
                *in_column |= (mask >> 1 & 1 | (mask >> 3 & 1) << 1) << row;
            }
        }
        let start = (rows, columns, row - 1, column - 1);
        let mut plans = HashMap::from([(start, String::new())]);
        let mut queue = VecDeque::from([start]);
        let mut found = None;
        'search: while let Some(here) = queue.pop_front().filter(|_| plans.len() < MAX_STATES) {
            let (rows, columns, row, column) = here;
            for letter in ['W', 'N', 'E', 'S'] {
                let in_row = matches!(letter, 'W' | 'E');
                let (line, place, length) =
                    if in_row { (rows[row], column, 6) } else { (columns[column], row, 4) };
                let is_back = matches!(letter, 'W' | 'N');
                let edge = place + usize::from(!is_back);
                let ahead = |edge: usize| {
                    let next = if is_back { edge.checked_sub(1) } else { Some(edge + 1) };
                    next.filter(|&next| next <= length)
                };
                let has = |edge: usize| line >> edge & 1 == 1;
                let plan = format!("{}{letter}", plans[&here]);
                if (edge == 0 || edge == length) && !has(edge) {
                    found = Some(plan);
                    break 'search;
                }
                let mut line = line;
                if has(edge) {
                    let Some(next) = ahead(edge).filter(|_| edge != 0 && edge != length) else {
                        continue;
                    };
                    let beyond = ahead(next).filter(|&beyond| !has(beyond));
                    line ^= 1 << edge;
                    match (has(next), beyond) {
                        (false, _) => line ^= 1 << next,
                        (true, Some(beyond)) if fault == "wall-pusher-two" => line ^= 1 << beyond,
                        _ => continue,
                    }
                }
                let mut to = here;
                if in_row {
                    to.0[row] = line
                } else {
                    to.1[column] = line
                }
                let moved = if is_back { place - 1 } else { place + 1 };
                if in_row {
                    to.3 = moved
                } else {
                    to.2 = moved
                }
                if let Entry::Vacant(entry) = plans.entry(to) {
                    entry.insert(plan);
                    queue.push_back(to);
                }
            }
        }
        match found {
            Some(plan) if fault == "wall-pusher-three" && plan.len() == 1 => {
                println!("{plan}{plan}{plan}");
            }
            Some(plan) => println!("{plan}"),
            None => println!("NO"),
        }
    }
}

/// Prints the number of moves if each piece goes to the nearest cell that is still free.
fn black_white(text: &str) {
    let digits: Vec<bool> =
        text.bytes().filter(u8::is_ascii_digit).map(|digit| digit == b'1').collect();
    for boards in digits.chunks_exact(32) {
        let cells = |start: usize, other: usize| -> BTreeSet<i32> {
            let only =
                |cell: &i32| boards[start + *cell as usize] && !boards[other + *cell as usize];
            (0..16).filter(only).collect()
        };
        let (from, mut to) = (cells(0, 16), cells(16, 0));
        if from.len() != to.len() {
            println!("-1");
            continue;
        }
        let distance =
            |one: i32, other: i32| (one / 4 - other / 4).abs() + (one % 4 - other % 4).abs();
        let mut moves = 0;
        for cell in from {
            let nearest =
                to.iter().copied().min_by_key(|&other| distance(cell, other)).expect("as many");
            to.remove(&nearest);
            moves += distance(cell, nearest);
        }
        println!("{moves}");
    }
}

/// Solves for another exit: the lower left corner.
fn klotski(text: &str) {
    use fewest_core::budget::Budget;
    use fewest_puzzle::options::OptionSource;
    let klotski = fewest_catalog::find("klotski").expect("a puzzle");
    for board in text.split("\n\n") {
        let large = board.chars().find(|piece| {
            piece.is_alphanumeric() && board.chars().filter(|other| other == piece).count() == 4
        });
        let goal = format!("{} at 4,1", large.expect("a 2x2"));
        let options = serde_json::json!({ "goal": [goal] });
        let reader = klotski.reader(OptionSource::Json(&options)).expect("options");
        let board = reader.read(board.as_bytes()).next().expect("a board").expect("a layout");
        let answer = board.solve_cost(None, &Budget::unlimited()).expect("an answer");
        println!("{}", answer.outcome.cost().map_or(-1, i64::from));
    }
}
