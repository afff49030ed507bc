//! Plans as the path of each agent, as EECBS, CBSH2 and other programs of multi-agent path finding
//! write them: a line `Agent 0: (3,1)->(2,1)->` has the row and the column of the agent at each
//! time, counted from 0. An agent stays on its last cell.

use fewest_geometry::Cell;
use fewest_rules::text::{Diagnostic, Line, number, quote};

use crate::instance::{Instance, ghost_name};
use crate::plan::{JointStep, Plan};

/// Whether a line is one of a path.
pub(crate) fn is_path(line: Line<'_>) -> bool {
    line.text.trim_start().starts_with("Agent ")
}

/// Reads a path for each agent of an instance, in any order. An agent may have only one cell.
pub(crate) fn read(instance: &Instance, lines: &[Line<'_>]) -> Result<Plan, Diagnostic> {
    let agents = instance.ghosts().len();
    let mut paths: Vec<Option<Vec<Cell>>> = vec![None; agents];
    for &line in lines {
        let (agent, path) = path(line, agents)?;
        let (at, start) = (line.start(), instance.ghosts()[agent].start);
        if path[0] != start {
            let found = format!("another start of agent `{}`", ghost_name(agent));
            return Err(line.wrong(at, found, format!("({},{})", start.row, start.column)));
        }
        let is_apart =
            |pair: &[Cell]| pair[0] != pair[1] && pair[0].direction_to(pair[1]).is_none();
        if let Some(time) = path.windows(2).position(is_apart) {
            let found = format!(
                "agent `{}` more than one cell away at time {}",
                ghost_name(agent),
                time + 1
            );
            return Err(line.wrong(at, found, "the same or a neighbouring cell"));
        }
        if paths[agent].replace(path).is_some() {
            return Err(line.wrong(at, format!("a second path of agent {agent}"), "one path"));
        }
    }
    let last = lines[lines.len() - 1];
    if let Some(agent) = paths.iter().position(Option::is_none) {
        let expected = format!("a path of agent {agent} of {agents}");
        return Err(last.wrong(last.text.len(), "the end of the paths", expected));
    }
    let paths: Vec<Vec<Cell>> = paths.into_iter().flatten().collect();
    let steps = paths.iter().map(Vec::len).max().unwrap_or(1) - 1;
    let cell = |path: &Vec<Cell>, time: usize| path[time.min(path.len() - 1)];
    let directions = |time: usize| {
        let pairs = paths.iter().map(|path| (cell(path, time), cell(path, time + 1)));
        JointStep(pairs.map(|(from, to)| from.direction_to(to)).collect())
    };
    Ok((0..steps).map(directions).collect())
}

/// The number of the agent, and its cells.
fn path(line: Line<'_>, agents: usize) -> Result<(usize, Vec<Cell>), Diagnostic> {
    let form = || "`Agent A: (row,column)->(row,column)->...`".to_owned();
    let text = line.text.trim();
    let wrong = |part: &str, expected: String| {
        let at = part.as_ptr() as usize - line.text.as_ptr() as usize;
        line.wrong(at, if part.is_empty() { "nothing".to_owned() } else { quote(part) }, expected)
    };
    let (name, path) = text
        .strip_prefix("Agent ")
        .and_then(|rest| rest.split_once(':'))
        .ok_or_else(|| wrong(text, form()))?;
    let agent = number(name.trim()).filter(|&agent| agent < agents);
    let agent = agent.ok_or_else(|| wrong(name, format!("an agent from 0 to {}", agents - 1)))?;
    let mut cells = Vec::new();
    for part in path.trim().trim_end_matches("->").split("->") {
        let pair = part.trim().strip_prefix('(').and_then(|part| part.strip_suffix(')'));
        let cell = pair.and_then(|pair| pair.split_once(',')).and_then(|(row, column)| {
            Some(Cell::new(number::<u16>(row.trim())?.into(), number::<u16>(column.trim())?.into()))
        });
        cells.push(cell.ok_or_else(|| wrong(part, form()))?);
    }
    Ok((agent, cells))
}
