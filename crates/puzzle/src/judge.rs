//! How the answers of other programs in contest format are judged.

use std::fmt;

use fewest_rules::text::{Line, Lines, quote};
use fewest_rules::{Replayed, Rules, Verified, verify};

use crate::puzzle::{Move, Puzzle};

/// What another program wrote, line by line. Blank lines are skipped.
pub struct AnswerText<'a>(Lines<'a>);

impl<'a> AnswerText<'a> {
    /// The lines of a text.
    pub fn new(text: &'a str) -> Self {
        Self(Lines::new(text.as_bytes()))
    }

    /// The next line that is not blank.
    pub fn next_line(&mut self) -> Option<Line<'a>> {
        self.0.next_filled()?.ok()
    }

    /// An error for what was found on a line, or at the end of the text if there is no line.
    pub fn wrong(
        line: Option<Line<'_>>,
        found: impl Into<String>,
        expected: String,
    ) -> WrongAnswer {
        WrongAnswer { line: line.map(|line| line.number), found: found.into(), expected }
    }
}

/// Why an answer is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongAnswer {
    /// The line of the output, from 1; `None` at its end.
    pub line: Option<usize>,
    /// What was found.
    pub found: String,
    /// What a right answer has.
    pub expected: String,
}

impl fmt::Display for WrongAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, found, expected } = self;
        match line {
            Some(line) => write!(f, "line {line}: found {found}, expected {expected}"),
            None => write!(f, "found {found}, expected {expected}"),
        }
    }
}

/// What a contest answer states first: the number of moves, or that there is no plan.
fn number<P: Puzzle>(fewest: Option<u32>) -> String {
    fewest.map_or_else(|| P::INFO.contest_unsolvable.to_owned(), |fewest| fewest.to_string())
}

/// Checks a line with the number of moves, or with the word of an instance without a plan. Returns
/// the line.
///
/// # Errors
/// If the line is another one or missing.
pub fn check_number<'a, P: Puzzle>(
    fewest: Option<u32>,
    answer: &mut AnswerText<'a>,
) -> Result<Line<'a>, WrongAnswer> {
    let expected = number::<P>(fewest);
    let line = answer.next_line();
    match line {
        Some(line) if line.text.trim() == expected => Ok(line),
        Some(found) => Err(AnswerText::wrong(line, quote(found.text.trim()), quote(&expected))),
        None => Err(AnswerText::wrong(None, "the end of the output", quote(&expected))),
    }
}

/// Checks a plan that ends on a line: the rules accept it, and it has the fewest moves.
///
/// # Errors
/// Why it is wrong.
pub fn check_plan<P: Puzzle>(
    instance: &P::Instance,
    fewest: u32,
    plan: Vec<Move<P>>,
    line: Line<'_>,
) -> Result<(), WrongAnswer> {
    let (len, [one, several]) = (plan.len() as u64, P::unit(instance));
    let count = |count: u64| format!("{count} {}", if count == 1 { one } else { several });
    let expected = format!("a plan of {}", count(fewest.into()));
    match verify(instance, plan) {
        Err(refusal) => Err(AnswerText::wrong(
            Some(line),
            format!("a plan that is refused, {refusal}"),
            expected,
        )),
        Ok(_) if len != u64::from(fewest) => {
            Err(AnswerText::wrong(Some(line), format!("a plan of {}", count(len)), expected))
        }
        Ok(_) => Ok(()),
    }
}

/// The instances that start after half of the moves of a plan, and after the first one.
pub fn advanced<R: Rules>(instance: &R, plan: Option<&Verified<R>>) -> Vec<R> {
    let Some(plan) = plan.filter(|plan| !plan.is_empty()) else { return Vec::new() };
    let after = |moves: Replayed<R>| instance.with_board(moves.last_board(instance));
    let half = plan.len().div_ceil(2);
    let counts = if half > 1 { vec![half, 1] } else { vec![1] };
    counts.into_iter().filter_map(|count| after(plan.first_moves(count))).collect()
}
