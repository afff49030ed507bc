//! `judge`: the answers of other programs in contest format.

use std::fmt;

use fewest_rules::text::{Line, Lines, quote};
use fewest_rules::{Replayed, Rules, Verified, verify};

use crate::random::Random;
use crate::words::counted;

/// The answers of other programs in contest format can be judged.
pub trait Judge<I: Rules>: Sync {
    /// Checks the answer to an instance, whose lines are the next ones. `fewest` is the fewest
    /// moves, or `None` if there is no plan. By default the answer is this number.
    ///
    /// # Errors
    /// Why the answer is wrong.
    fn check(
        &self,
        _: &I,
        fewest: Option<u32>,
        answer: &mut AnswerText<'_>,
    ) -> Result<(), WrongAnswer> {
        answer.expect_number(fewest).map(drop)
    }

    /// Instances in contest format that are a little smaller, or whose plans are shorter: those
    /// first that are much smaller. `plan` is a shortest plan.
    fn smaller(&self, instance: &I, plan: Option<&Verified<I>>) -> Vec<I>;

    /// A random instance that meets the guarantees of the statement, except that it may have no
    /// plan.
    fn random(&self, random: &mut Random) -> I;

    /// The guarantees of the contest statement that an instance breaks, such as `a plan`. What
    /// published solutions rely on counts as one.
    fn broken_guarantees(&self, instance: &I, has_plan: bool) -> Vec<&'static str>;
}

/// The verb `judge` of a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct JudgeVerb {
    /// What ends a text in contest format.
    pub end: &'static str,
    /// What is between two data sets.
    pub separator: &'static str,
    /// Whether there is a contest with a statement.
    pub has_statement: bool,
}

/// What another program wrote, line by line. Blank lines are skipped.
pub struct AnswerText<'a> {
    lines: Lines<'a>,
    unsolvable: &'static str,
}

impl<'a> AnswerText<'a> {
    /// The lines of a text, in which a word stands for an instance without a plan:
    /// [`Info::contest_unsolvable`](crate::Info::contest_unsolvable).
    pub fn new(text: &'a str, unsolvable: &'static str) -> Self {
        Self { lines: Lines::new(text.as_bytes()), unsolvable }
    }

    /// The next line that is not blank.
    pub fn next_line(&mut self) -> Option<Line<'a>> {
        self.lines.next_filled()?.ok()
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

    /// The next line that is not blank, which has to be what a contest answer states first: the
    /// number of moves, or the word for an instance without a plan.
    ///
    /// # Errors
    /// If the line is another one or missing.
    pub fn expect_number(&mut self, fewest: Option<u32>) -> Result<Line<'a>, WrongAnswer> {
        let expected =
            fewest.map_or_else(|| self.unsolvable.to_owned(), |fewest| fewest.to_string());
        let line = self.expect_line(|| quote(&expected))?;
        match line.text.trim() {
            found if found == expected => Ok(line),
            found => Err(WrongAnswer::on_line(line, quote(found), quote(&expected))),
        }
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

/// Checks a plan that ends on a line: the rules accept it, and it has the fewest moves.
///
/// # Errors
/// Why it is wrong.
pub fn check_plan<R: Rules>(
    instance: &R,
    unit: [&str; 2],
    fewest: u32,
    plan: Vec<R::Move>,
    line: Line<'_>,
) -> Result<(), WrongAnswer> {
    let plan_of = |count| format!("a plan of {}", counted(unit, count));
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
