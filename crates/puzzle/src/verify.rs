//! `verify`: plans are read as [`Solution::write_text`](crate::solve::Solution::write_text) writes
//! them, in blocks that blank lines separate, and replayed by the rules.
//!
//! A line that starts with `#` is a comment. The first line of a block starts with the number of
//! moves, such as `7 steps, optimal`; the rest of the line is ignored. If there is no plan, it is
//! `unsolvable` or starts with `stopped`. A block without such a line has the moves only, and a
//! line with an object of `solve --json` is a block of its own.
//!
//! A plan may also be a [timeline](crate::timeline::Timeline), which has no such line. Lines before
//! it such as `solution=`, which other programs write, are ignored.

use std::sync::Arc;

use fewest_rules::text::{Diagnostic, Line, Lines, number};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::any::{AnyInstance, AnyPlan, AnyReplay};
use crate::error::PlanError;
use crate::results::report;
use crate::timeline::PlanForm;

/// The lines of one data set.
#[derive(Clone, Debug)]
pub struct Block<'a> {
    /// The first line.
    pub header: Line<'a>,
    stated: Stated,
    form: PlanForm,
    moves: Moves<'a>,
}

/// What the first line of a block states.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stated {
    Moves(usize),
    NoPlan,
    /// It is a move itself.
    Nothing,
}

#[derive(Clone, Debug)]
enum Moves<'a> {
    Lines(Vec<Line<'a>>),
    /// From an object on the line of the header.
    Json(Vec<String>),
}

/// What `solve --json` says of a plan.
#[derive(Deserialize)]
struct JsonPlan {
    // Required, but may be null.
    #[serde(deserialize_with = "Option::deserialize")]
    plan: Option<Vec<String>>,
    cost: Option<usize>,
}

/// All blocks of a text; there is at least one.
///
/// # Errors
/// A diagnostic of a header, or if there is no block.
pub fn read(text: &[u8]) -> Result<Vec<Block<'_>>, Diagnostic> {
    const FORM: &str = "the moves of a plan, one a line, perhaps below their number, such as `7`";
    let mut lines = Lines::new(text);
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut in_block = false;
    for line in lines.by_ref() {
        let line = line?;
        let is_setting =
            !in_block && line.text.split_once('=').is_some_and(|(name, _)| is_name(name));
        if line.text.starts_with('#') || is_setting {
            continue;
        }
        if line.is_blank() {
            in_block = false;
        } else if !in_block && line.text.starts_with('{') {
            blocks.push(json_block(line)?);
        } else if let Some(Block { moves: Moves::Lines(moves), .. }) =
            blocks.last_mut().filter(|_| in_block)
        {
            moves.push(line);
        } else {
            blocks.push(Block::starting_on(line));
            in_block = true;
        }
    }
    if blocks.is_empty() { Err(lines.ended(FORM)) } else { Ok(blocks) }
}

fn json_block(line: Line<'_>) -> Result<Block<'_>, Diagnostic> {
    let JsonPlan { plan, cost } = serde_json::from_str(line.text).map_err(|error| {
        let found = format!("JSON that has no plan ({error})");
        line.wrong(line.start(), found, "an object of `solve --json`")
    })?;
    let stated =
        plan.as_ref().map_or(Stated::NoPlan, |plan| Stated::Moves(cost.unwrap_or(plan.len())));
    let moves = Moves::Json(plan.unwrap_or_default());
    Ok(Block { header: line, stated, form: PlanForm::Moves, moves })
}

/// Whether a line is the first of a timeline, such as `0:(5,16),(2,0)`, or `Agent 0: (3,1)->(2,1)`
/// where each line is the path of a piece.
fn is_timeline(line: Line<'_>) -> bool {
    let text = line.text.trim_start();
    text.starts_with("0:(") || text.starts_with("Agent ")
}

/// Whether a text is the name of a setting, such as `solution=`, which other programs write before
/// a timeline.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

impl<'a> Block<'a> {
    fn starting_on(line: Line<'a>) -> Self {
        let word = line.words().next().map_or("", |(_, word)| word);
        let stated = match word.trim_end_matches([',', ':']) {
            "unsolvable" | "stopped" => Stated::NoPlan,
            _ if is_timeline(line) => Stated::Nothing,
            digits => number::<u32>(digits).map_or(Stated::Nothing, |n| Stated::Moves(n as usize)),
        };
        let form = if is_timeline(line) { PlanForm::Timeline } else { PlanForm::Moves };
        let first = (stated == Stated::Nothing).then_some(line);
        Self { header: line, stated, form, moves: Moves::Lines(first.into_iter().collect()) }
    }

    fn lines(&self) -> Vec<Line<'_>> {
        match &self.moves {
            Moves::Lines(lines) => lines.clone(),
            Moves::Json(moves) => {
                moves.iter().map(|text| Line { number: self.header.number, text }).collect()
            }
        }
    }

    /// The lines of all moves if the first line is probably one of them: a number that is not that
    /// of the lines below it, and nothing else.
    fn lines_with_header(&self) -> Option<Vec<Line<'_>>> {
        let lines = self.lines();
        let is_alone = self.header.words().nth(1).is_none();
        let is_other = matches!(self.stated, Stated::Moves(stated) if stated != lines.len());
        (is_alone && is_other).then(|| [vec![self.header], lines].concat())
    }

    /// Replays the plan by the rules.
    ///
    /// # Errors
    /// If a line is not a move, or the plan is refused.
    pub fn verify(&self, instance: &Arc<dyn AnyInstance>) -> Result<Box<dyn AnyPlan>, PlanError> {
        self.check_has_plan()?;
        let verify = |lines: &[Line<'_>]| Arc::clone(instance).verify(lines, self.form);
        if let Some(Ok(plan)) = self.lines_with_header().map(|lines| verify(&lines)) {
            return Ok(plan);
        }
        let plan = verify(&self.lines())?;
        match self.stated {
            Stated::Moves(stated) if plan.len() != stated => {
                Err(Self::other_cost(instance, plan.len(), stated))
            }
            _ => Ok(plan),
        }
    }

    /// Replays the plan by the rules. It may have fewer moves than its first line states, and may
    /// stop before the puzzle is solved.
    ///
    /// # Errors
    /// If a line is not a move, or a move is refused.
    pub fn replay(&self, instance: &Arc<dyn AnyInstance>) -> Result<Box<dyn AnyReplay>, PlanError> {
        self.check_has_plan()?;
        let replay = |lines: &[Line<'_>]| Arc::clone(instance).replay(lines, self.form);
        if let Some(Ok(plan)) = self.lines_with_header().map(|lines| replay(&lines)) {
            return Ok(plan);
        }
        let plan = replay(&self.lines())?;
        match self.stated {
            Stated::Moves(stated) if plan.len() > stated => {
                Err(Self::other_cost(instance, plan.len(), stated))
            }
            _ => Ok(plan),
        }
    }

    fn check_has_plan(&self) -> Result<(), PlanError> {
        if self.stated != Stated::NoPlan {
            return Ok(());
        }
        let header = match self.moves {
            Moves::Lines(_) => self.header.text.trim(),
            Moves::Json(_) => "\"plan\": null",
        };
        Err(PlanError::Refused(format!("there is no plan to replay, only `{header}`")))
    }

    fn other_cost(instance: &Arc<dyn AnyInstance>, found: usize, stated: usize) -> PlanError {
        let found = instance.moves(found as u32);
        PlanError::Refused(format!("it has {found}, but its first line states {stated}"))
    }
}

/// Whether the rules accept a plan: `verify --json`.
#[derive(Serialize, JsonSchema)]
pub struct VerifyReport<'a> {
    /// The name of the data set.
    instance: &'a str,
    /// Whether the plan is accepted.
    accepted: bool,
    /// The number of moves of an accepted plan.
    cost: Option<u32>,
    /// The unit of the cost, such as `step` or `unit move`.
    cost_unit: &'static str,
    /// Why the plan is refused; null if it is accepted.
    refusal: Option<&'a str>,
}

impl<'a> VerifyReport<'a> {
    /// The report of an instance with its plan, or with the reason why the plan is refused.
    pub fn new(
        name: &'a str,
        instance: &dyn AnyInstance,
        verdict: Result<&dyn AnyPlan, &'a str>,
    ) -> Self {
        Self {
            instance: name,
            accepted: verdict.is_ok(),
            cost: verdict.ok().map(|plan| plan.len() as u32),
            cost_unit: instance.unit()[0],
            refusal: verdict.err(),
        }
    }
}

report!(VerifyReport<'_>, "verify", 1);
