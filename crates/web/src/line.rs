//! Moves from elsewhere: from a text, or made under other options.

use std::sync::Arc;

use fewest_core::budget::Budget;
use fewest_geometry::{Cell, Direction};
use fewest_puzzle::Push;
use fewest_puzzle::any::AnyInstance;
use fewest_puzzle::timeline::PlanForm;
use fewest_puzzle::verify;
use fewest_rules::text::Line;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::request::{Position, Puzzles, RequestError, draw_limits};

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
    let moves: Vec<String> = block.replay(&opened.instance)?.lines().collect();
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
    /// The cells that it passes, without loops.
    path: Vec<Cell>,
    /// The move as a line, if it is one move.
    line: Option<String>,
    /// The number of moves that are made after it.
    made: usize,
}

/// Converts moves to other options, under which what one part does may be more or fewer moves. It
/// stops before a part of a move that is not legal. `made` has the number of moves before that are
/// made after each move.
pub(crate) fn convert(
    puzzles: Puzzles,
    asked: &Convert,
    budget: &Budget,
) -> Result<Value, RequestError> {
    let runs = runs(&asked.at, puzzles, budget)?;
    let other = asked.at.with_options(asked.options.clone());
    let mut rest = Some(other.open(puzzles)?.instance);
    let (mut moves, mut made) = (Vec::new(), Vec::new());
    let mut before = 0;
    'runs: for Run { path, line, made: after } in runs {
        let mut start = 0;
        while start + 1 < path.len() {
            budget.check()?;
            let Some(instance) = &rest else { break 'runs };
            // The longest part of the way that is one move.
            let next = (start + 1..path.len()).rev().find_map(|end| {
                let is_whole = start == 0 && end + 1 == path.len();
                let written = line.clone().filter(|_| is_whole);
                let line = written.or_else(|| instance.by_hand(&[push(&path[start..=end])?]))?;
                let rest = after_move(instance, &line)?;
                Some((line, rest, end))
            });
            let Some((line, after_it, end)) = next else { break 'runs };
            (rest, start) = (after_it, end);
            moves.push(line);
            made.push(if end + 1 == path.len() { after } else { before });
        }
        before = after;
    }
    Ok(json!({ "moves": moves, "made": made }))
}

/// The instance after a move, which may be none if it is solved; `None` if the move is not legal.
fn after_move(instance: &Arc<dyn AnyInstance>, line: &str) -> Option<Option<Arc<dyn AnyInstance>>> {
    let line = Line { number: 1, text: line };
    Some(Arc::clone(instance).replay(&[line], PlanForm::Moves).ok()?.rest())
}

fn push(path: &[Cell]) -> Option<Push> {
    let directions: Option<Vec<Direction>> =
        path.windows(2).map(|pair| pair[0].direction_to(pair[1])).collect();
    Some(Push { at: path[0], path: directions? })
}

fn runs(at: &Position, puzzles: Puzzles, budget: &Budget) -> Result<Vec<Run>, RequestError> {
    let opened = at.open(puzzles)?;
    let replay = opened.replay(&[])?;
    let is_stopped = || budget.check().is_err();
    let animation = replay.animation(opened.pictures(), &draw_limits(budget, &is_stopped))?;
    // Each with the part, if only one moves.
    let mut runs: Vec<(Option<usize>, Run)> = Vec::new();
    for (step, made) in animation.steps().zip(1..) {
        let [motion] = step.motions.as_slice() else {
            let path = step.motions.first().map_or_else(Vec::new, |motion| motion.path.clone());
            runs.push((None, Run { path, line: Some(step.line.to_string()), made }));
            continue;
        };
        match runs.last_mut() {
            Some((part, run)) if *part == Some(motion.part) => {
                run.made = made;
                run.line = None;
                motion.path[1..].iter().for_each(|&cell| extend(&mut run.path, cell));
            }
            _ => {
                let (path, line) = (motion.path.clone(), Some(step.line.to_string()));
                runs.push((Some(motion.part), Run { path, line, made }));
            }
        }
    }
    Ok(runs.into_iter().map(|(_, run)| run).collect())
}

/// Adds a cell to a path, which loses the loop that it closes.
fn extend(path: &mut Vec<Cell>, cell: Cell) {
    match path.iter().position(|&passed| passed == cell) {
        Some(at) => path.truncate(at + 1),
        None => path.push(cell),
    }
}
