//! How the answers of other programs are judged.

use std::collections::BTreeSet;

use bitvec::vec::BitVec;
use fewest_geometry::{Cell, Direction};
use fewest_puzzle::judge::{Judge, advanced, broken};
use fewest_puzzle::random::Random;
use fewest_rules::Verified;

use crate::generate::{InstanceSize, random_instance};
use crate::instance::{Ghost, Instance, LETTERS, Size};
use crate::puzzle::Halloween;

impl Judge<Instance> for Halloween {
    /// Instances in contest format that are a little smaller: fewer ghosts, shorter plans, fewer
    /// rows and columns, fewer corridor cells. What surrounds the map stays.
    fn smaller(&self, instance: &Instance, plan: Option<&Verified<Instance>>) -> Vec<Instance> {
        let ghosts = instance.ghosts();
        let with_ghosts =
            |ghosts| Instance::new(instance.size(), instance.corridor().to_bitvec(), ghosts);
        let without = |ghost: usize| {
            let others = ghosts.iter().enumerate().filter(|(other, _)| *other != ghost);
            with_ghosts(others.map(|(_, ghost)| *ghost).collect())
        };
        let mut all: Vec<Instance> = (0..ghosts.len()).filter_map(without).collect();
        all.extend(advanced(instance, plan));
        if let Some(plan) = plan.filter(|plan| plan.len() > 1) {
            // With the goals where the ghosts are before the last steps.
            for steps in [plan.len() / 2, plan.len() - 1] {
                let goals = plan.first_moves(steps).last_board(instance);
                let goals = goals.cells().iter().zip(ghosts);
                let ghosts = goals.map(|(&goal, ghost)| Ghost { goal, ..*ghost });
                all.extend(with_ghosts(ghosts.collect()));
            }
        }
        let (rows, columns) = (instance.size().rows(), instance.size().columns());
        all.extend((1..rows.saturating_sub(1)).filter_map(|row| without_line(instance, row, true)));
        let inner = 1..columns.saturating_sub(1);
        all.extend(inner.filter_map(|column| without_line(instance, column, false)));
        let is_free = |&cell: &Cell| {
            instance.is_corridor(cell)
                && ghosts.iter().all(|ghost| ghost.start != cell && ghost.goal != cell)
        };
        all.extend(instance.size().cells().filter(is_free).filter_map(|cell| {
            let mut corridor = instance.corridor().to_bitvec();
            corridor.set(instance.size().index(cell), false);
            Instance::new(instance.size(), corridor, ghosts.to_vec())
        }));
        all.retain(is_writable);
        all
    }

    /// A random instance of 4 x 4 to 12 x 12 cells with one to three ghosts.
    fn random(&self, random: &mut Random) -> Instance {
        loop {
            let size = InstanceSize {
                width: 4 + random.below(9) as u16,
                height: 4 + random.below(9) as u16,
                ghosts: 1 + random.below(3),
            };
            if let Some(instance) = random_instance(size, random) {
                return instance;
            }
        }
    }

    fn broken_guarantees(&self, instance: &Instance, has_plan: bool) -> Vec<&'static str> {
        let size = instance.size();
        let is_in_range = |lines: usize| (4..=16).contains(&lines);
        let on_border = |cell: &Cell| {
            let is_outer = |at: i32, lines: usize| at == 0 || at as usize + 1 == lines;
            is_outer(cell.row, size.rows()) || is_outer(cell.column, size.columns())
        };
        let is_corridor = |&cell: &Cell| instance.is_corridor(cell);
        broken([
            ("4 x 4 to 16 x 16 cells", is_in_range(size.rows()) && is_in_range(size.columns())),
            ("one to three ghosts", (1..=3).contains(&instance.ghosts().len())),
            (
                "walls around the map",
                !size.cells().filter(on_border).any(|cell| is_corridor(&cell)),
            ),
            ("connected corridors", are_connected(size, is_corridor)),
            ("connected walls", are_connected(size, |cell| !is_corridor(cell))),
            ("a wall in each block of 2 x 2 cells", !has_opening(instance)),
            ("a plan", has_plan),
        ])
    }
}

/// Whether each cell of a kind can be reached from each other one through such cells.
fn are_connected(size: Size, is_of_kind: impl Fn(&Cell) -> bool) -> bool {
    let mut left: BTreeSet<Cell> = size.cells().filter(is_of_kind).collect();
    let mut queue: Vec<Cell> = left.pop_first().into_iter().collect();
    while let Some(cell) = queue.pop() {
        let neighbours = Direction::ALL.into_iter().map(|direction| cell.step(direction));
        queue.extend(neighbours.filter(|neighbour| left.remove(neighbour)));
    }
    left.is_empty()
}

/// Whether the contest format can write an instance: no cell is both a start and a goal.
fn is_writable(instance: &Instance) -> bool {
    let ghosts = instance.ghosts();
    let is_start = |cell| ghosts.iter().any(|ghost| ghost.start == cell);
    ghosts.len() <= LETTERS && !ghosts.iter().any(|ghost| is_start(ghost.goal))
}

/// Whether there is a block of 2 x 2 corridor cells.
fn has_opening(instance: &Instance) -> bool {
    instance.size().cells().any(|Cell { row, column }| {
        let block = [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)];
        block.into_iter().all(|(row, column)| instance.is_corridor(Cell::new(row, column)))
    })
}

/// The instance without a row or a column; `None` if a start or a goal is in it.
fn without_line(instance: &Instance, line: usize, is_row: bool) -> Option<Instance> {
    let size = instance.size();
    let of = |cell: Cell| (if is_row { cell.row } else { cell.column }) as usize;
    let moved = |cell: Cell| {
        let step = i32::from(of(cell) > line);
        let (row, column) = if is_row { (step, 0) } else { (0, step) };
        (of(cell) != line).then(|| Cell::new(cell.row - row, cell.column - column))
    };
    let ghosts = instance
        .ghosts()
        .iter()
        .map(|ghost| Some(Ghost { start: moved(ghost.start)?, goal: moved(ghost.goal)? }));
    let kept = size.cells().filter(|&cell| of(cell) != line);
    let corridor: BitVec = kept.map(|cell| instance.is_corridor(cell)).collect();
    let (rows, columns) = if is_row { (1, 0) } else { (0, 1) };
    let size = Size::new(size.rows() - rows, size.columns() - columns)?;
    Instance::new(size, corridor, ghosts.collect::<Option<_>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken_by(text: &str) -> Vec<&'static str> {
        let instance = Instance::read(text.as_bytes()).next().expect("an instance").expect("valid");
        Halloween.broken_guarantees(&instance, true)
    }

    #[test]
    fn the_official_samples_and_random_maps_meet_all_guarantees() {
        for sample in &crate::builtin::BUILTINS[..3] {
            assert!(broken_by(sample.text).is_empty(), "{:?}", sample.names);
        }
        let mut random = Random::from_seed(1);
        for _ in 0..200 {
            let instance = Halloween.random(&mut random);
            assert!(Halloween.broken_guarantees(&instance, true).is_empty(), "{instance}");
            assert_eq!(Halloween.broken_guarantees(&instance, false), ["a plan"]);
        }
    }

    #[test]
    fn each_guarantee_can_be_broken() {
        for (text, expected) in [
            ("5 3 1\n#####\n#a A#\n#####\n", "4 x 4 to 16 x 16 cells"),
            ("5 4 1\n#####\n#a A \n#####\n#####\n", "walls around the map"),
            ("5 5 1\n#####\n#a A#\n#####\n#  ##\n#####\n", "connected corridors"),
            ("5 5 1\n#####\n#a A#\n# # #\n#   #\n#####\n", "connected walls"),
            ("5 4 1\n#####\n#a A#\n#  ##\n#####\n", "a wall in each block of 2 x 2 cells"),
            ("9 4 4\n#########\n#abcdABC#\n#######D#\n#########\n", "one to three ghosts"),
        ] {
            assert_eq!(broken_by(text), [expected], "{text}");
        }
    }
}
