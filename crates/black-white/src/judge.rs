//! Boards for judging other programs, and the check of their answers.

use fewest_puzzle::Puzzle;
use fewest_puzzle::judge::{AnswerText, WrongAnswer, advanced, check_number, check_plan};
use fewest_puzzle::random::Random;
use fewest_rules::Verified;

use crate::instance::{Board, Instance, Size};
use crate::plan::Exchange;

/// Random boards of this size with the same number of black pieces, or rarely with another number.
pub fn random(size: Size, random: &mut Random) -> Instance {
    let black = random.below(size.len() + 1);
    let other = if random.below(10) == 0 { random.below(size.len() + 1) } else { black };
    let mut board = |black: usize| -> Board {
        let mut board: Board = (0..size.len()).map(|cell| cell < black).collect();
        random.shuffle(&mut board);
        board
    };
    let (start, target, walls) = (board(black), board(other), vec![false; size.len()]);
    Instance { size, walls, start, target }
}

/// Boards with shorter plans, or with fewer black pieces.
pub fn smaller(instance: &Instance, plan: Option<&Verified<Instance>>) -> Vec<Instance> {
    let mut all = advanced(instance, plan);
    let cells = || 0..instance.size.len();
    let without = |start: usize, target: usize| {
        let mut fewer = instance.clone();
        (fewer.start[start], fewer.target[target]) = (false, false);
        fewer
    };
    // Black in the same cell of both boards, or in two cells.
    let is_black = |&cell: &usize| instance.start[cell] && instance.target[cell];
    all.extend(cells().filter(is_black).map(|cell| without(cell, cell)));
    let black = |board: &Board| -> Vec<usize> { cells().filter(|&cell| board[cell]).collect() };
    let targets = black(&instance.target);
    for start in black(&instance.start) {
        all.extend(
            targets.iter().filter(|&&target| target != start).map(|&target| without(start, target)),
        );
    }
    all
}

/// Checks the number of moves and the moves below it.
///
/// # Errors
/// Why the answer is wrong.
pub fn check<P: Puzzle<Instance = Instance>>(
    instance: &Instance,
    fewest: Option<u32>,
    answer: &mut AnswerText<'_>,
) -> Result<(), WrongAnswer> {
    let mut last = check_number::<P>(fewest, answer)?;
    let Some(fewest) = fewest else { return Ok(()) };
    let mut plan = Vec::new();
    for number in 1..=fewest {
        let expected = || format!("move {number} of {fewest}, such as `1222`");
        let line = answer.next_line();
        let Some(found) = line else {
            return Err(AnswerText::wrong(None, "the end of the output", expected()));
        };
        let exchange = Exchange::read(found);
        plan.push(exchange.map_err(|wrong| AnswerText::wrong(line, wrong.found, expected()))?);
        last = found;
    }
    check_plan::<P>(instance, fewest, plan, last)
}
