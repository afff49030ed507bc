//! How the answers of other programs are judged.

use fewest_puzzle::Puzzle;
use fewest_puzzle::judge::{AnswerText, Judge, WrongAnswer, advanced, broken, check_plan};
use fewest_puzzle::random::Random;
use fewest_rules::Verified;
use fewest_rules::text::Diagnostic;

use crate::instance::{Board, Instance};
use crate::plan::Exchange;
use crate::puzzle::{BlackWhite, DEFAULT_SIZE};

/// The black pieces of a board, by the statement.
const BLACK: usize = 8;

impl Judge<Instance> for BlackWhite {
    /// Checks the number of moves and the moves below it.
    fn check(
        &self,
        boards: &Instance,
        fewest: Option<u32>,
        answer: &mut AnswerText<'_>,
    ) -> Result<(), WrongAnswer> {
        let mut line = answer.expect_number(fewest)?;
        let Some(fewest) = fewest else { return Ok(()) };
        let mut plan = Vec::new();
        for number in 1..=fewest {
            let expected = || format!("move {number} of {fewest}, such as `1222`");
            line = answer.expect_line(expected)?;
            let exchange = Exchange::read(line);
            let wrong = |wrong: Diagnostic| WrongAnswer::on_line(line, wrong.found, expected());
            plan.push(exchange.map_err(wrong)?);
        }
        check_plan(boards, BlackWhite::unit(boards), fewest, plan, line)
    }

    /// Boards with shorter plans, or with fewer black pieces, also of other numbers than the
    /// statement says.
    fn smaller(&self, boards: &Instance, plan: Option<&Verified<Instance>>) -> Vec<Instance> {
        let mut all = advanced(boards, plan);
        let without = |start: usize, target: usize| {
            let mut fewer = boards.clone();
            (fewer.start[start], fewer.target[target]) = (false, false);
            fewer
        };
        let cells = || 0..boards.size.len();
        let black = |board: &Board| -> Vec<usize> { cells().filter(|&cell| board[cell]).collect() };
        let (starts, targets) = (black(&boards.start), black(&boards.target));
        // Black in the same cell of both boards, or in two cells.
        all.extend(
            starts.iter().filter(|cell| targets.contains(cell)).map(|&cell| without(cell, cell)),
        );
        for &start in &starts {
            let others = targets.iter().filter(|&&target| target != start);
            all.extend(others.map(|&target| without(start, target)));
        }
        all
    }

    /// Random boards.
    fn random(&self, random: &mut Random) -> Instance {
        let size = DEFAULT_SIZE;
        let mut board = || -> Board {
            let mut board: Board = (0..size.len()).map(|cell| cell < BLACK).collect();
            random.shuffle(&mut board);
            board
        };
        let (start, target, walls) = (board(), board(), vec![false; size.len()]);
        Instance { size, walls, start, target }
    }

    fn broken_guarantees(&self, boards: &Instance, has_plan: bool) -> Vec<&'static str> {
        let black = [&boards.start, &boards.target]
            .map(|board| board.iter().filter(|&&is_black| is_black).count());
        let is_free = boards.size == DEFAULT_SIZE && !boards.walls.contains(&true);
        broken([
            ("4 x 4 cells without walls", is_free),
            ("8 black and 8 white pieces", black == [BLACK; 2]),
            ("a plan", has_plan),
        ])
    }
}
