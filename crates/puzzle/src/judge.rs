//! How the answers of other programs in contest format are judged.

use std::fmt;

use fewest_rules::text::{Line, Lines, quote};
use fewest_rules::{Replayed, Rules, Verified, verify};

use crate::puzzle::{Move, Puzzle};
use crate::words::counted;

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

    /// The next line that is not blank, which has to be what is `expected`.
    ///
    /// # Errors
    /// If there is no line.
    pub fn expect_line(
        &mut self,
        expected: impl FnOnce() -> String,
    ) -> Result<Line<'a>, WrongAnswer> {
        self.next_line().ok_or_else(|| WrongAnswer {
            line: None,
            found: "the end of the output".to_owned(),
            expected: expected(),
        })
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

impl WrongAnswer {
    /// What was found on a line.
    pub fn on_line(line: Line<'_>, found: impl Into<String>, expected: String) -> Self {
        Self { line: Some(line.number), found: found.into(), expected }
    }
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
    let line = answer.expect_line(|| quote(&expected))?;
    match line.text.trim() {
        found if found == expected => Ok(line),
        found => Err(WrongAnswer::on_line(line, quote(found), quote(&expected))),
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
    let plan_of = |count| format!("a plan of {}", counted(P::unit(instance), count));
    let len = plan.len() as u32;
    let found = match verify(instance, plan) {
        Err(refusal) => format!("a plan that is refused, {refusal}"),
        Ok(_) if len != fewest => plan_of(len),
        Ok(_) => return Ok(()),
    };
    Err(WrongAnswer::on_line(line, found, plan_of(fewest)))
}

/// The guarantees that are broken, of pairs of a guarantee and whether an instance meets it.
pub fn broken<const N: usize>(guarantees: [(&'static str, bool); N]) -> Vec<&'static str> {
    guarantees.into_iter().filter(|(_, is_met)| !is_met).map(|(guarantee, _)| guarantee).collect()
}

/// The instances that start after half of the moves of a plan, and after the first one.
pub fn advanced<R: Rules>(instance: &R, plan: Option<&Verified<R>>) -> Vec<R> {
    let Some(plan) = plan.filter(|plan| !plan.is_empty()) else { return Vec::new() };
    let after = |moves: Replayed<R>| instance.with_board(moves.last_board(instance));
    let half = plan.len().div_ceil(2);
    let counts = if half > 1 { vec![half, 1] } else { vec![1] };
    counts.into_iter().filter_map(|count| after(plan.first_moves(count))).collect()
}
