//! Sokoban levels are solved in the known numbers of pushes, and the plans follow the plain rules.

#[path = "../../examples/sokoban/main.rs"]
mod sokoban_example;

use std::collections::BTreeSet;

use fewest_core::budget::Budget;
use fewest_core::check;
use fewest_core::search::{Engine, Search};
use fewest_core::space::moves_along;

use sokoban_example::{Level, Matching, Push, Sokoban, Squares};

const LEVELS: &str = include_str!("../../../../testdata/sokoban/microban-1-10.xsb");

/// The fewest pushes of levels 1 to 10.
const PUSHES: [u32; 10] = [8, 3, 13, 7, 6, 29, 6, 32, 10, 21];

fn levels() -> impl Iterator<Item = Sokoban> {
    let levels = sokoban_example::read(LEVELS).expect("valid levels");
    levels.into_iter().map(|level| Sokoban::new(level).expect("at most 57 live squares"))
}

/// A level as cells of a text, played by the plain rules.
struct Board {
    walls: BTreeSet<(u32, u32)>,
    boxes: BTreeSet<(u32, u32)>,
    goals: BTreeSet<(u32, u32)>,
    player: (u32, u32),
}

impl Board {
    fn new(rows: &[&str]) -> Self {
        let mut board = Self {
            walls: BTreeSet::new(),
            boxes: BTreeSet::new(),
            goals: BTreeSet::new(),
            player: (0, 0),
        };
        for (row, line) in (1..).zip(rows) {
            for (column, character) in (1..).zip(line.chars()) {
                let cell = (row, column);
                match character {
                    '#' => drop(board.walls.insert(cell)),
                    '.' => drop(board.goals.insert(cell)),
                    '$' => drop(board.boxes.insert(cell)),
                    '@' => board.player = cell,
                    '*' => drop((board.boxes.insert(cell), board.goals.insert(cell))),
                    '+' => (board.player, _) = (cell, board.goals.insert(cell)),
                    _ => {}
                }
            }
        }
        board
    }

    fn is_free(&self, cell: (u32, u32)) -> bool {
        !self.walls.contains(&cell) && !self.boxes.contains(&cell)
    }

    fn can_walk_to(&self, target: (u32, u32)) -> bool {
        let (mut known, mut open) = (BTreeSet::from([self.player]), vec![self.player]);
        while let Some(cell) = open.pop() {
            for direction in 0..4 {
                let next = step(cell, direction);
                if self.is_free(next) && known.insert(next) {
                    open.push(next);
                }
            }
        }
        known.contains(&target)
    }

    fn push(&mut self, from: (u32, u32), direction: u8) {
        // The opposite direction.
        assert!(self.can_walk_to(step(from, direction ^ 1)));
        let to = step(from, direction);
        assert!(self.boxes.remove(&from) && self.is_free(to));
        self.boxes.insert(to);
        self.player = from;
    }
}

/// The next cell to the left, to the right, above or below.
fn step((row, column): (u32, u32), direction: u8) -> (u32, u32) {
    match direction {
        0 => (row, column - 1),
        1 => (row, column + 1),
        2 => (row - 1, column),
        _ => (row + 1, column),
    }
}

#[test]
fn every_engine_finds_the_known_pushes_and_the_plans_follow_the_rules() {
    let texts: Vec<Vec<&str>> = LEVELS
        .split("\n; ")
        .skip(1)
        .map(|level| level.lines().filter(|line| line.contains('#')).collect())
        .collect();
    let solved = levels().zip(PUSHES).zip(&texts).map(|((sokoban, pushes), rows)| {
        let matching = Matching::new(&sokoban);
        for engine in Engine::ALL {
            let search = Search::new(&sokoban).heuristic(&matching).predecessors().goals();
            let outcome = search.engine(engine).unwrap().run();
            assert_eq!(outcome.cost(), Some(pushes), "{engine}");
            let mut board = Board::new(rows);
            let plan = outcome.optimal().expect("a plan");
            for Push { square, direction } in moves_along(&sokoban, plan).expect("moves") {
                board.push(sokoban.level.row_and_column(square.into()), direction);
            }
            assert_eq!(board.boxes, board.goals, "{engine}");
        }
    });
    assert_eq!(solved.count(), 10);
}

#[test]
fn levels_keep_their_promises() {
    for sokoban in levels() {
        let states = check::reachable(&sokoban, 60);
        assert_eq!(check::space(&sokoban, &states), Ok(()));
        assert_eq!(check::predecessors(&sokoban, &states), Ok(()));
        assert_eq!(check::goals(&sokoban, &states), Ok(()));
        let (matching, budget) = (Matching::new(&sokoban), Budget::unlimited());
        assert_eq!(check::heuristic(&sokoban, &matching, &states, &budget), Ok(()));
        assert_eq!(check::consistency(&sokoban, &matching, &states), Ok(()));
    }
}

#[test]
fn invalid_levels_are_refused() {
    let error = |text: &str| sokoban_example::read(text).err().expect("an invalid level");
    assert_eq!(
        error("####\n#@ .\n####"),
        "level 1: expected one player, and as many boxes as goals"
    );
    let open = "level 1: expected walls around the player and all boxes and goals";
    assert_eq!(error("######\n#@$. \n######"), open);
    let wide = format!("{0}\n#@$.#\n{0}", "#".repeat(50));
    assert_eq!(error(&wide), "level 1: 3 x 50 squares, at most 128 fit");
    let valid = |text| sokoban_example::read(text).expect("a valid level");
    let levels: Vec<Level> = valid("#####\n#@$.#\n#####\n\n######\n#.$ @#\n######");
    let boxes: Vec<Squares> = levels.iter().map(|level| level.boxes).collect();
    assert_eq!(boxes, [1 << 7, 1 << 8]);
}
