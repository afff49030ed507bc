//! Moves from elsewhere: from a text, or made under other options.

use std::sync::Arc;

use fewest_core::budget::Budget;
use fewest_geometry::{Cell, Direction};
use fewest_puzzle::Push;
use fewest_puzzle::any::AnyInstance;
use fewest_puzzle::error::PlanError;
use fewest_puzzle::timeline::PlanForm;
use fewest_puzzle::verify;
use fewest_rules::text::Line;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::request::{MAX_MADE, Position, Puzzles, RequestError, draw_limits};

/// A request to read the text of a plan.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadPlan {
    at: Position,
    plan: String,
}

/// Reads a plan in each form that `verify` reads, replays it, and returns its moves as lines. The
/// plan may stop before the puzzle is solved.
pub(crate) fn read_plan(
    puzzles: Puzzles,
    asked: &ReadPlan,
    _: &Budget,
) -> Result<Value, RequestError> {
    let opened = asked.at.open(puzzles)?;
    let blocks = verify::read(asked.plan.as_bytes())?;
    let [block, ..] = blocks.as_slice() else { unreachable!("a text has at least one block") };
    let replay = block.replay(&opened.instance).map_err(|error| match error {
        // Its place is one in the text that was asked.
        PlanError::Text(diagnostic) => diagnostic.into(),
        refused => RequestError::from(refused),
    })?;
    let moves: Vec<String> = replay.lines().collect();
    if moves.is_empty() {
        return Err(RequestError::new("the plan has no moves"));
    }
    Ok(json!({ "moves": moves }))
}

/// A request to convert moves.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Convert {
    /// Where the moves lead to under the options before.
    at: Position,
    /// The options after.
    options: Value,
}

/// What one part does before another one moves.
struct Run {
    part: usize,
    /// The cells that it passes.
    path: Vec<Cell>,
    /// Where its moves end in the path, each with the number of moves that are made then.
    ends: Vec<(usize, usize)>,
}

/// Converts moves to other options, under which what one part does may be more or fewer moves. It
/// stops before what is not legal there. `made` has the number of moves before that are made whole
/// after each move.
pub(crate) fn convert(
    puzzles: Puzzles,
    asked: &Convert,
    budget: &Budget,
) -> Result<Value, RequestError> {
    let runs = runs(&asked.at, puzzles, budget)?;
    let other = asked.at.with_options(asked.options.clone());
    let mut rest = Some(other.open(puzzles)?.instance);
    let (mut moves, mut made) = (Vec::new(), Vec::new());
    let mut is_whole = true;
    'runs: for Run { path, ends, .. } in runs {
        let before = ends[0].1 - 1;
        let mut start = 0;
        while start + 1 < path.len() {
            // As far as it is one move.
            let mut longest = None;
            for end in start + 1..path.len() {
                budget.check()?;
                let by_hand = rest.as_ref().and_then(|instance| {
                    let line = instance.by_hand(&[push(&without_loops(&path[start..=end]))?])?;
                    let rest = after_move(instance, &line)?;
                    Some((line, rest, end))
                });
                if by_hand.is_none() {
                    break;
                }
                longest = by_hand;
            }
            let Some((line, after_it, end)) = longest.filter(|_| moves.len() < MAX_MADE) else {
                is_whole = false;
                break 'runs;
            };
            (rest, start) = (after_it, end);
            moves.push(line);
            let ended = ends.iter().rev().find(|(at, _)| *at <= end);
            made.push(ended.map_or(before, |(_, made)| *made));
        }
    }
    Ok(json!({ "moves": moves, "made": made, "is_whole": is_whole }))
}

/// The instance after a move, which may be none if it is solved; `None` if the move is not legal.
fn after_move(instance: &Arc<dyn AnyInstance>, line: &str) -> Option<Option<Arc<dyn AnyInstance>>> {
    let line = Line { number: 1, text: line };
    Some(Arc::clone(instance).replay(&[line], PlanForm::Moves).ok()?.rest())
}

/// The push along a path; `None` if it leads nowhere.
fn push(path: &[Cell]) -> Option<Push> {
    let directions: Option<Vec<Direction>> =
        path.windows(2).map(|pair| pair[0].direction_to(pair[1])).collect();
    Some(Push { at: path[0], path: directions.filter(|path| !path.is_empty())? })
}

/// A path without the loops that it closes.
fn without_loops(path: &[Cell]) -> Vec<Cell> {
    let mut straight: Vec<Cell> = Vec::new();
    for &cell in path {
        match straight.iter().position(|&passed| passed == cell) {
            Some(at) => straight.truncate(at + 1),
            None => straight.push(cell),
        }
    }
    straight
}

/// The runs of a line. Of what moves at once, only the first part counts: others are pushed.
fn runs(at: &Position, puzzles: Puzzles, budget: &Budget) -> Result<Vec<Run>, RequestError> {
    let opened = at.open(puzzles)?;
    let replay = opened.replay(&[])?;
    let is_stopped = || budget.check().is_err();
    let animation = replay.animation(opened.pictures(), &draw_limits(budget, &is_stopped))?;
    let mut runs: Vec<Run> = Vec::new();
    for (step, made) in animation.steps().zip(1..) {
        let Some(motion) = step.motions.first() else { continue };
        match runs.last_mut() {
            Some(run) if run.part == motion.part => {
                run.path.extend(&motion.path[1..]);
                run.ends.push((run.path.len() - 1, made));
            }
            _ => {
                let (part, path) = (motion.part, motion.path.clone());
                runs.push(Run { part, ends: vec![(path.len() - 1, made)], path });
            }
        }
    }
    Ok(runs)
}
