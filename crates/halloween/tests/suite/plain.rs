//! A plain search on the rules, the reference for all others.

use fewest_geometry::{Cell, Direction};
use fewest_halloween::Instance;
use fewest_halloween::plan::JointStep;
use fewest_halloween::rules::Board;
use fewest_rules::Rules;
use fewest_testing::outcomes::plain_search;

/// The cells of the ghosts after each legal step from `cells`, in which all may stay.
///
/// Plays all `5^n` combinations of directions of `n` ghosts.
pub(crate) fn successors(instance: &Instance, cells: &[Cell]) -> Vec<Vec<Cell>> {
    let choices = 1 + Direction::ALL.len();
    let steps = 0..choices.pow(cells.len() as u32);
    let step = |mut number: usize| {
        let choose = |_: &Cell| {
            let choice = number % choices;
            number /= choices;
            choice.checked_sub(1).map(|index| Direction::ALL[index])
        };
        JointStep(cells.iter().map(choose).collect())
    };
    let board = Board::new(instance, cells.to_vec()).expect("a board");
    let played = |number| {
        let mut after = board.clone();
        instance.play(&mut after, &step(number)).ok().map(|()| after.cells().to_vec())
    };
    steps.filter_map(played).collect()
}

/// The number of steps of a shortest plan; `None` if there is none.
pub(crate) fn cost(instance: &Instance) -> Option<u32> {
    let is_solved = |cells: &Vec<Cell>| {
        instance.ghosts().iter().zip(cells).all(|(ghost, &cell)| ghost.goal == cell)
    };
    plain_search(instance.starts(), Vec::clone, is_solved, |cells| successors(instance, cells))
}
