//! Plans in the forms of other programs.
//!
//! | move | source |
//! | --- | --- |
//! | `CL3`: piece, left, right, up or down, and the number of cells; several on a line | solutions of Rush Hour cards |
//! | `A+2`, `A-1`: piece and the number of cells along its length, right and down first | M. Fogleman's `rush` |
//! | `A,2`, `A,-1`: the same below a line `car,move` | the course files of the University of Amsterdam |
//!
//! A red car that leaves the board with its last move stops at its goal.

use fewest_geometry::Direction;
use fewest_rules::text::{Diagnostic, Line, number, quote};

use crate::instance::{Axis, Instance};
use crate::plan::{Metric, Plan, Slide};
use crate::task::Task;

/// Reads the moves of the lines of a plan. Its first line says whether all have one of these forms.
pub(crate) fn read(task: &Task, lines: &[Line<'_>]) -> Result<Plan, Diagnostic> {
    let instance = &task.instance;
    let is_header = |line: &Line<'_>| line.text.trim_ascii().eq_ignore_ascii_case("car,move");
    let has_header = lines.first().is_some_and(is_header);
    let moves = &lines[usize::from(has_header)..];
    let first = moves.first().and_then(|line| line.words().next());
    let is_foreign =
        has_header || first.is_some_and(|(_, word)| read_foreign_move(instance, word).is_some());
    if !is_foreign {
        return moves.iter().map(|&line| Slide::read(line)).collect();
    }
    let mut plan = Vec::new();
    for line in moves {
        for (at, word) in line.words() {
            let expected = match has_header {
                true => "a car and a number of cells, such as `A,-1`",
                false => "a move such as `CL3` or `C+3`",
            };
            let slide = read_foreign_move(instance, word).filter(|slide| !slide.path.is_empty());
            plan.push(slide.ok_or_else(|| line.wrong(at, quote(word), expected))?);
        }
    }
    stop_at_goal(instance, &mut plan);
    // Other programs write a slide over several cells as one move.
    let unit = |slide: Slide| {
        let Slide { piece, path } = slide;
        path.into_iter().map(move |step| Slide { piece, path: vec![step] })
    };
    Ok(match task.metric {
        Metric::Unit => plan.into_iter().flat_map(unit).collect(),
        _ => plan,
    })
}

/// A move in the form of another program.
fn read_foreign_move(instance: &Instance, word: &str) -> Option<Slide> {
    let word = word.trim_end_matches(',');
    let piece = word.chars().next()?;
    let rest = &word[piece.len_utf8()..];
    let (direction, cells) = match rest.chars().next()? {
        letter @ ('L' | 'R' | 'U' | 'D') => {
            let direction = match letter {
                'L' => Direction::West,
                'R' => Direction::East,
                'U' => Direction::North,
                _ => Direction::South,
            };
            (direction, &rest[1..])
        }
        ',' | '+' | '-' => {
            let signed = rest.strip_prefix(',').unwrap_or(rest);
            let is_back = signed.starts_with('-');
            let cells = signed.strip_prefix(['+', '-']).unwrap_or(signed);
            let board = instance.board();
            let along = || Axis::longer(board, &board.cells_of(piece));
            let axis = match board.first_cell(piece) {
                Some(_) => instance.lock(piece).or_else(along)?,
                // The rules say that there is no such piece.
                None => Axis::Horizontal,
            };
            let direction = match (axis, is_back) {
                (Axis::Horizontal, false) => Direction::East,
                (Axis::Horizontal, true) => Direction::West,
                (Axis::Vertical, false) => Direction::South,
                (Axis::Vertical, true) => Direction::North,
            };
            (direction, cells)
        }
        _ => return None,
    };
    let cells = if cells.is_empty() { 1 } else { number::<u8>(cells)?.into() };
    Some(Slide { piece, path: vec![direction; cells] })
}

/// Cuts the last move of a red car at the right end of its row: programs that let it leave count
/// the cells beyond the board, too.
fn stop_at_goal(instance: &Instance, plan: &mut [Slide]) {
    let ([goal], board) = (instance.goals(), instance.board()) else { return };
    let is_red = instance.lock(goal.piece) == Some(Axis::Horizontal);
    let Some((last, before)) = plan.split_last_mut().filter(|_| is_red) else { return };
    let Some(first) = board.first_cell(goal.piece) else { return };
    let steps =
        before.iter().filter(|slide| slide.piece == goal.piece).flat_map(|slide| &slide.path);
    let reached = steps.fold(first, |cell, direction| match direction {
        Direction::East => cell + 1,
        Direction::West => cell.saturating_sub(1),
        _ => cell,
    });
    let is_last_column = (goal.first + board.cells_of(goal.piece).len()) % board.columns() == 0;
    let leaves = last.piece == goal.piece && last.path.iter().all(|&step| step == Direction::East);
    if leaves && is_last_column && reached < goal.first {
        last.path.truncate(goal.first - reached);
    }
}
