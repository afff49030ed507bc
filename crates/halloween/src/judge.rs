//! How the answers of other programs are judged.

use bitvec::vec::BitVec;
use fewest_geometry::Cell;
use fewest_puzzle::capabilities::Judge;
use fewest_puzzle::judge::advanced;
use fewest_puzzle::random::Random;
use fewest_rules::Verified;

use crate::generate::{InstanceSize, random_instance};
use crate::instance::{Ghost, Instance, LETTERS, Size};
use crate::puzzle::Halloween;

impl Judge for Halloween {
    const END: &'static str = "0 0 0\n";

    /// Instances in contest format that are a little smaller: fewer ghosts, shorter plans, fewer rows and
    /// columns, fewer corridor cells. What surrounds the map stays.
    fn smaller(instance: &Instance, plan: Option<&Verified<Instance>>) -> Vec<Instance> {
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
        // The contest promises that there is no opening, and programs may rely on it.
        let may_open = has_opening(instance);
        all.retain(|smaller| is_writable(smaller) && (may_open || !has_opening(smaller)));
        all
    }

    /// A random instance of 3 x 3 to 12 x 12 cells with one to three ghosts.
    fn random(random: &mut Random) -> Instance {
        loop {
            let size = InstanceSize {
                width: 3 + random.below(10) as u16,
                height: 3 + random.below(10) as u16,
                ghosts: 1 + random.below(3),
            };
            if let Some(instance) = random_instance(size, random) {
                return instance;
            }
        }
    }

    fn is_of_contest(instance: &Instance) -> bool {
        let size = instance.size();
        size.rows() <= 16 && size.columns() <= 16 && instance.ghosts().len() <= 3
    }
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

    #[test]
    fn shrinking_opens_no_block_of_the_map() {
        let mut random = Random::from_seed(1);
        let mut opened = 0;
        for _ in 0..100 {
            let instance = Halloween::random(&mut random);
            assert!(!has_opening(&instance), "{instance}");
            let lines =
                (1..instance.size().rows()).filter_map(|row| without_line(&instance, row, true));
            opened += lines.filter(has_opening).count();
            for smaller in Halloween::smaller(&instance, None) {
                assert!(!has_opening(&smaller), "{instance}\n{smaller}");
            }
        }
        assert!(opened > 0, "no row between two corridors was removed");
    }
}
