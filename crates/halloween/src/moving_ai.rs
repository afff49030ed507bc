//! The file formats of the MovingAI benchmark for multi-agent path finding (Stern et al. 2019): a
//! `.map` file, and a `.scen` file (scenario) with the starts and goals of agents on it.
//!
//! ```
//! use fewest_halloween::moving_ai;
//!
//! let map = b"type octile\nheight 2\nwidth 3\nmap\n...\n@.T\n";
//! let scenario = b"version 1\n0\troom.map\t3\t2\t0\t0\t2\t0\t2\n0\troom.map\t3\t2\t1\t1\t0\t0\t2\n";
//! let instance = moving_ai::read(map, scenario, Some(1)).unwrap();
//! assert_eq!(instance.to_string(), "3 2 1\na A\n# #\n");
//! ```

use std::collections::BTreeMap;
use std::fmt;

use bitvec::vec::BitVec;
use fewest_geometry::Cell;
use fewest_rules::text::{Diagnostic, Line, Lines, number, quote};

use crate::instance::{Ghost, Instance, Size};

/// Why [`read`] fails, by the file that has the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The map is not well-formed.
    Map(Diagnostic),
    /// The scenario is not well-formed, or does not fit the map.
    Scenario(Diagnostic),
}

/// The instance of a map and the first `agents` agents of a scenario, or all agents if `agents` is
/// `None`. The agents are the ghosts, in the order of the scenario.
///
/// The cells `.`, `G` and `S` are corridor; `@`, `O`, `T` and `W` are walls. The first and the last
/// column of a scenario are ignored. The [name of its map](map_name) is only shown in errors.
///
/// # Errors
/// If a file is not well-formed, if the map has more than 65,535 corridor cells, if the scenario is
/// for a map of another size or has fewer than `agents` agents, if a start or a goal is not a
/// corridor cell, or if two agents have the same start or the same goal.
pub fn read(map: &[u8], scenario: &[u8], agents: Option<usize>) -> Result<Instance, ReadError> {
    let map = GridMap::read(map).map_err(ReadError::Map)?;
    let ghosts = map.agents(scenario, agents).map_err(ReadError::Scenario)?;
    let end = || Lines::new(scenario).ended("an agent");
    Instance::new(map.size, map.corridor, ghosts).ok_or_else(|| ReadError::Scenario(end()))
}

/// The file name of the map that a scenario is for: that of its first agent, without a folder.
/// `None` if the scenario has no agent.
pub fn map_name(scenario: &[u8]) -> Option<String> {
    let mut lines = Lines::new(scenario);
    lines.next_filled()?.ok()?;
    let row = ScenarioRow::new(lines.next_filled()?.ok()?);
    let &(_, name) = row.columns.get(1)?;
    Some(name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned())
}

/// The contents of a `.map` file.
struct GridMap {
    size: Size,
    /// Whether each cell is corridor, in reading order.
    corridor: BitVec,
}

/// The most corridor cells that searches can number.
const MAX_CELLS: usize = u16::MAX as usize;

const CELLS: &str = "`.`, `G` or `S` for corridor, or `@`, `O`, `T` or `W` for a wall";

impl GridMap {
    fn read(text: &[u8]) -> Result<Self, Diagnostic> {
        let mut lines = Lines::new(text);
        let (mut width, mut height) = (None, None);
        loop {
            const HEADER: &str =
                "a header with `type octile`, `height H` and `width W`, then the line `map`";
            let line = lines.next_filled().transpose()?.ok_or_else(|| lines.ended(HEADER))?;
            let words: Vec<_> = line.words().collect();
            let size = |(at, word): (usize, &str)| {
                let size = number(word).filter(|size| (1..=Size::MAX_SIDE).contains(size));
                size.ok_or_else(|| {
                    line.wrong(at, quote(word), format!("a number from 1 to {}", Size::MAX_SIDE))
                })
            };
            match words.as_slice() {
                [(_, "type"), (_, "octile")] => {}
                [(_, "type"), (at, other)] => {
                    return Err(line.wrong(*at, quote(other), "the type `octile`"));
                }
                [(_, "height"), word] => height = Some(size(*word)?),
                [(_, "width"), word] => width = Some(size(*word)?),
                [(_, "map")] => match (width, height) {
                    (Some(columns), Some(rows)) => return Self::rows(rows, columns, &mut lines),
                    (None, _) => {
                        return Err(line.wrong(line.start(), "`map`", "`width W` before `map`"));
                    }
                    (_, None) => {
                        return Err(line.wrong(line.start(), "`map`", "`height H` before `map`"));
                    }
                },
                _ => return Err(line.wrong(line.start(), quote(line.text.trim()), HEADER)),
            }
        }
    }

    fn rows(rows: usize, columns: usize, lines: &mut Lines<'_>) -> Result<Self, Diagnostic> {
        let mut corridor = BitVec::new();
        let mut corridor_count = 0;
        for row in 1..=rows {
            let missing = || format!("row {row} of {rows}");
            let line = lines.next().transpose()?.ok_or_else(|| lines.ended(missing()))?;
            let cells = line.text.trim_end();
            for (at, cell) in cells.char_indices().take(columns) {
                let is_corridor = match cell {
                    '.' | 'G' | 'S' => true,
                    '@' | 'O' | 'T' | 'W' => false,
                    _ => return Err(line.wrong(at, quote(cell.encode_utf8(&mut [0; 4])), CELLS)),
                };
                corridor.push(is_corridor);
                corridor_count += usize::from(is_corridor);
                if corridor_count > MAX_CELLS {
                    let found = format!("corridor cell number {corridor_count}");
                    let expected = format!("at most {MAX_CELLS} corridor cells");
                    return Err(line.wrong(at, found, expected));
                }
            }
            let expected = || format!("a row of {columns}, the width in the header");
            match cells.chars().count() {
                count if count < columns => {
                    return Err(line.wrong(
                        cells.len(),
                        format!("the end of a row of {count}"),
                        expected(),
                    ));
                }
                count if count > columns => {
                    let at = cells.char_indices().nth(columns).map_or(0, |(at, _)| at);
                    return Err(line.wrong(at, format!("a row of {count}"), expected()));
                }
                _ => {}
            }
        }
        if let Some(line) = lines.next_filled().transpose()? {
            let expected = format!("the end of the map after row {rows}, the height in the header");
            return Err(line.wrong(line.start(), quote(line.text.trim()), expected));
        }
        // Both numbers are in the range of a size.
        let size = Size::new(rows, columns).ok_or_else(|| lines.ended("a map"))?;
        Ok(Self { size, corridor })
    }

    fn agents(&self, scenario: &[u8], agents: Option<usize>) -> Result<Vec<Ghost>, Diagnostic> {
        let mut lines = Lines::new(scenario);
        const VERSION: &str = "`version 1`";
        let first = lines.next_filled().transpose()?.ok_or_else(|| lines.ended(VERSION))?;
        let words: Vec<_> = first.words().map(|(_, word)| word).collect();
        if !matches!(words.as_slice(), ["version", "1" | "1.0"]) {
            return Err(first.wrong(first.start(), quote(first.text.trim()), VERSION));
        }
        let mut ghosts = Vec::new();
        // The line numbers of the starts and of the goals.
        let mut taken = [BTreeMap::new(), BTreeMap::new()];
        while agents.is_none_or(|agents| ghosts.len() < agents) {
            let Some(line) = lines.next_filled().transpose()? else {
                return match agents {
                    Some(agents) => {
                        Err(lines.ended(format!("agent {} of {agents}", ghosts.len() + 1)))
                    }
                    None if ghosts.is_empty() => Err(lines.ended("an agent")),
                    None => Ok(ghosts),
                };
            };
            ghosts.push(self.agent(line, &mut taken)?);
        }
        Ok(ghosts)
    }

    fn agent(
        &self,
        line: Line<'_>,
        taken: &mut [BTreeMap<Cell, usize>; 2],
    ) -> Result<Ghost, Diagnostic> {
        let row = ScenarioRow::new(line);
        for (column, what, expected) in
            [(2, "width", self.size.columns()), (3, "height", self.size.rows())]
        {
            let (at, found) = row.number(column, format!("the {what} of the map"))?;
            if usize::from(found) != expected {
                let expected = format!("{expected}, the {what} of the map");
                return Err(line.wrong(at, format!("the {what} {found}"), expected));
            }
        }
        let cell = |first: usize, what: &str, taken: &mut BTreeMap<Cell, usize>| {
            let (at, x) = row.number(first, format!("the column of the {what}"))?;
            let (_, y) = row.number(first + 1, format!("the row of the {what}"))?;
            let found = format!("the {what} {x} {y}");
            let cell = Cell::new(y.into(), x.into());
            if !self.size.contains(cell) {
                let (rows, columns) = (self.size.rows(), self.size.columns());
                let expected = format!("a column below {columns} and a row below {rows}");
                return Err(line.wrong(at, found, expected));
            }
            if !self.corridor[self.size.index(cell)] {
                let map = row.columns.get(1).map_or("", |(_, name)| name);
                let expected = format!("a corridor cell, as in the map {}", quote(map));
                return Err(line.wrong(at, format!("{found}, which is a wall"), expected));
            }
            match taken.insert(cell, line.number) {
                Some(before) => {
                    let expected = format!("a {what} other than the one on line {before}");
                    Err(line.wrong(at, found, expected))
                }
                None => Ok(cell),
            }
        };
        let [starts, goals] = taken;
        Ok(Ghost { start: cell(4, "start", starts)?, goal: cell(6, "goal", goals)? })
    }
}

/// A row of a scenario, split into columns.
struct ScenarioRow<'a> {
    line: Line<'a>,
    /// The byte offset and the text of each column.
    columns: Vec<(usize, &'a str)>,
}

impl<'a> ScenarioRow<'a> {
    /// If the line has tabs, they separate the columns, because the name of a map may contain
    /// blanks. Otherwise blanks do.
    fn new(line: Line<'a>) -> Self {
        let columns = if line.text.contains('\t') {
            let begin = line.text.as_ptr() as usize;
            line.text
                .split('\t')
                .map(|column| (column.as_ptr() as usize - begin, column.trim()))
                .collect()
        } else {
            line.words().collect()
        };
        Self { line, columns }
    }

    fn number(&self, column: usize, what: impl fmt::Display) -> Result<(usize, u16), Diagnostic> {
        let end = (self.line.text.len(), "");
        let &(at, word) = self.columns.get(column).unwrap_or(&end);
        let found = if word.is_empty() { "the end of the row".to_owned() } else { quote(word) };
        let wrong =
            || self.line.wrong(at, found, format!("a number in field {}, {what}", column + 1));
        number(word).map(|number| (at, number)).ok_or_else(wrong)
    }
}
