//! Mazes for judging other programs, and the check of their answers.

use fewest_geometry::Direction;
use fewest_puzzle::Puzzle;
use fewest_puzzle::judge::{AnswerText, WrongAnswer, advanced, check_number, check_plan};
use fewest_puzzle::random::Random;
use fewest_rules::Verified;
use fewest_rules::text::quote;

use crate::generate::{MazeOptions, maze};
use crate::instance::{Edge, Instance, Size};

/// A random maze of this size with few or many walls and gaps.
pub fn random(size: Size, random: &mut Random) -> Instance {
    let options = MazeOptions { size, walls: 20 + random.below(61), gaps: random.below(5) };
    maze(options, random)
}

/// Mazes with shorter plans or fewer inner walls, or with a gap less.
pub fn smaller(instance: &Instance, plan: Option<&Verified<Instance>>) -> Vec<Instance> {
    let size = instance.size();
    let mut all = advanced(instance, plan);
    all.extend(Edge::all(size).filter_map(|edge| {
        let (mut walls, has_wall) = (*instance.walls(), instance.walls().has(edge));
        walls.set(edge, edge.is_border(size));
        let is_smaller = has_wall != edge.is_border(size);
        is_smaller.then(|| Instance::new(size, walls, instance.start())).flatten()
    }));
    all
}

/// Checks the letters of a plan on one line, or the word of a maze without a plan.
///
/// # Errors
/// Why the answer is wrong.
pub fn check<P: Puzzle<Instance = Instance>>(
    instance: &Instance,
    fewest: Option<u32>,
    answer: &mut AnswerText<'_>,
) -> Result<(), WrongAnswer> {
    let Some(fewest) = fewest else {
        return check_number::<P>(None, answer).map(drop);
    };
    let expected = || {
        let noun = if fewest == 1 { "move" } else { "moves" };
        format!("a plan of {fewest} {noun}, as letters W, N, E and S")
    };
    let line = answer.next_line();
    let Some(found) = line else {
        return Err(AnswerText::wrong(None, "the end of the output", expected()));
    };
    let letters = found.text.trim();
    let plan: Option<Vec<Direction>> = letters.chars().map(Direction::from_letter).collect();
    match plan {
        Some(plan) => check_plan::<P>(instance, fewest, plan, found),
        None => Err(AnswerText::wrong(line, quote(letters), expected())),
    }
}
