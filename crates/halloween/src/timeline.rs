//! Plans as the cells of all agents at each time, as visualizers of multi-agent path finding read
//! them: a line `3:(5,16),(2,0)` has the time, and for each agent its column and its row, counted
//! from 0.
//!
//! ```
//! use fewest_halloween::Instance;
//! use fewest_puzzle::timeline::Timeline;
//! use fewest_rules::text::Lines;
//! use fewest_rules::verify;
//!
//! let instance = Instance::read(b"3 1 1\na A\n").next().unwrap().unwrap();
//! let lines: Vec<_> = Lines::new(b"0:(0,0),\n1:(1,0),\n2:(2,0),\n").map(Result::unwrap).collect();
//! let plan = instance.read_timeline(&lines).unwrap();
//! let plan = verify(&instance, plan).unwrap();
//! assert_eq!(instance.write_timeline(&plan), "0:(0,0)\n1:(1,0)\n2:(2,0)\n");
//! ```

use fewest_geometry::Cell;
use fewest_puzzle::Parsed;
use fewest_puzzle::timeline::Timeline;
use fewest_rules::Replayed;
use fewest_rules::text::{Diagnostic, Line, number, quote};

use crate::instance::{Instance, ghost_name};
use crate::paths;
use crate::plan::{JointStep, Plan};

impl Timeline for Instance {
    fn write_timeline(&self, plan: &Replayed<Self>) -> String {
        let boards = plan.boards(self, |board| board.cells().to_vec());
        let line = |(time, cells): (usize, Vec<Cell>)| {
            let cell = |cell: Cell| format!("({},{})", cell.column, cell.row);
            let cells: Vec<String> = cells.into_iter().map(cell).collect();
            format!("{time}:{}\n", cells.join(","))
        };
        boards.enumerate().map(line).collect()
    }

    /// The first line has the time 0 and the starts. A comma may end a line. The lines may also be
    /// [`paths`], one of each agent.
    ///
    /// # Errors
    /// If a line is not of this form, if a time or an agent is missing, or if an agent is neither
    /// on the same nor on a neighbouring cell at the next time.
    fn read_timeline(&self, lines: &[Line<'_>]) -> Parsed<Plan> {
        if lines.first().is_some_and(|&line| paths::is_path(line)) {
            return paths::read(self, lines);
        }
        let (mut before, mut plan) = (None, Vec::new());
        for (time, &line) in lines.iter().enumerate() {
            let cells = cells(line, time, self.ghosts().len())?;
            match before.replace(cells.clone()) {
                None => {
                    let starts = self.ghosts().iter().map(|ghost| ghost.start);
                    let mut agents = cells.iter().zip(starts).enumerate();
                    if let Some((agent, (_, start))) =
                        agents.find(|(_, (cell, start))| *cell != start)
                    {
                        let found = format!("another start of agent `{}`", ghost_name(agent));
                        let expected = format!("({},{})", start.column, start.row);
                        return Err(line.wrong(line.start(), found, expected));
                    }
                }
                Some(before) => {
                    plan.push(JointStep::between(&before, &cells).ok_or_else(|| {
                        let apart = |(from, to): (&Cell, &Cell)| {
                            from != to && from.direction_to(*to).is_none()
                        };
                        let agent = before.iter().zip(&cells).position(apart).unwrap_or(0);
                        let found =
                            format!("agent `{}` more than one cell away", ghost_name(agent));
                        line.wrong(line.start(), found, "the same or a neighbouring cell")
                    })?)
                }
            }
        }
        Ok(plan)
    }
}

/// The cells of a line.
fn cells(line: Line<'_>, time: usize, agents: usize) -> Result<Vec<Cell>, Diagnostic> {
    let form = || format!("`{time}:(column,row),...` with {agents} cells");
    let text = line.text.trim();
    let (found, rest) = text.split_once(':').unwrap_or((text, &text[text.len()..]));
    if number(found) != Some(time) {
        return Err(line.wrong(line.start(), quote(found), form()));
    }
    let mut cells = Vec::new();
    for cell in rest.trim().trim_end_matches(',').split("),") {
        let cell = cell.trim().trim_start_matches('(').trim_end_matches(')');
        let parsed = cell.split_once(',').and_then(|(column, row)| {
            Some(Cell::new(number::<u16>(row.trim())?.into(), number::<u16>(column.trim())?.into()))
        });
        let at = cell.as_ptr() as usize - line.text.as_ptr() as usize;
        cells.push(parsed.ok_or_else(|| line.wrong(at, quote(cell), form()))?);
    }
    match cells.len() {
        len if len == agents => Ok(cells),
        1 => Err(line.wrong(line.start(), "a line with one cell", form())),
        len => Err(line.wrong(line.start(), format!("a line with {len} cells"), form())),
    }
}
