//! The file formats of the MovingAI benchmark for multi-agent path finding (Stern et al. 2019): a
//! `.map` file, and a `.scen` file (scenario) with the starts and goals of agents on it. A scenario
//! may also lack its version, have a size of 0 0, or be an instance file of pibt2.
//!
//! ```
//! use fewest_halloween::moving_ai;
//!
//! let map = b"type octile\nheight 2\nwidth 3\nmap\n...\n@.T\n";
//! let scenario = b"version 1\n0\troom.map\t3\t2\t0\t0\t2\t0\t2\n0\troom.map\t3\t2\t1\t1\t0\t0\t2\n";
//! let instance = moving_ai::read(map, scenario, Some(1)).unwrap();
//! assert_eq!(instance.to_string(), "3 2 1\na A\n# #\n");
//! ```

use std::fmt;

use bitvec::vec::BitVec;
use fewest_rules::text::{Diagnostic, Line, Lines, number, quote};

use crate::instance::{Ghost, Instance, MAX_CORRIDOR_CELLS, Size};
use crate::pibt2;
use crate::placing::{PlacedAt, Placing};

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
/// If a file is not well-formed, if the map has more than 2,097,152 corridor cells, if the scenario
/// is for a map of another size or has fewer than `agents` agents, if a start or a goal is not a
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
    let of_pibt2 = pibt2::is_instance(scenario);
    let name = if of_pibt2 { pibt2::map_name(scenario)? } else { name_in_first_row(scenario)? };
    Some(name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned())
}

fn name_in_first_row(scenario: &[u8]) -> Option<&str> {
    let row = ScenarioRow::new(first_row(&mut Lines::new(scenario)).ok()??);
    row.columns.get(1).map(|&(_, name)| name)
}

/// The contents of a `.map` file.
struct GridMap {
    size: Size,
    /// Whether each cell is corridor, in reading order.
    corridor: BitVec,
}

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
                if corridor_count > MAX_CORRIDOR_CELLS {
                    let found = format!("corridor cell number {corridor_count}");
                    let expected = format!("at most {MAX_CORRIDOR_CELLS} corridor cells");
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
        let mut placing = Placing::new(self.size, &self.corridor);
        if pibt2::is_instance(scenario) {
            return pibt2::agents(scenario, agents, placing);
        }
        let mut ghosts = Vec::new();
        let mut lines = Lines::new(scenario);
        let mut next = first_row(&mut lines)?;
        while agents.is_none_or(|agents| ghosts.len() < agents) {
            let Some(line) = next else {
                return match agents {
                    Some(agents) => {
                        Err(lines.ended(format!("agent {} of {agents}", ghosts.len() + 1)))
                    }
                    None if ghosts.is_empty() => Err(lines.ended("an agent")),
                    None => Ok(ghosts),
                };
            };
            ghosts.push(self.agent(line, &mut placing)?);
            next = lines.next_filled().transpose()?;
        }
        Ok(ghosts)
    }

    fn agent(&self, line: Line<'_>, placing: &mut Placing<'_>) -> Result<Ghost, Diagnostic> {
        let row = ScenarioRow::new(line);
        for (column, what, expected) in
            [(2, "width", self.size.columns()), (3, "height", self.size.rows())]
        {
            let (at, found) = row.number(column, format!("the {what} of the map"))?;
            // Some programs write 0 for a size that they do not know.
            if found != 0 && usize::from(found) != expected {
                let expected = format!("{expected}, the {what} of the map");
                return Err(line.wrong(at, format!("the {what} {found}"), expected));
            }
        }
        let cell = |first: usize, what: &str| {
            let (at, column) = row.number(first, format!("the column of the {what}"))?;
            let (_, row) = row.number(first + 1, format!("the row of the {what}"))?;
            Ok(PlacedAt { line, at, column, row })
        };
        placing.agent([cell(4, "start")?, cell(6, "goal")?])
    }
}

/// The first row of a scenario, below a line with the version if there is one.
fn first_row<'a>(lines: &mut Lines<'a>) -> Result<Option<Line<'a>>, Diagnostic> {
    const VERSION: &str = "`version 1`, or the row of an agent";
    let first = lines.next_filled().transpose()?.ok_or_else(|| lines.ended(VERSION))?;
    let words: Vec<_> = first.words().map(|(_, word)| word).collect();
    match words.as_slice() {
        ["version", "1" | "1.0"] => lines.next_filled().transpose(),
        [bucket, _, ..] if number::<u32>(bucket).is_some() => Ok(Some(first)),
        _ => {
            let hint = "a scenario in YAML has its own map, and is given without `--scenario`";
            let is_yaml = first.text.starts_with("---") || first.text.ends_with(':');
            let wrong = first.wrong(first.start(), quote(first.text.trim()), VERSION);
            Err(wrong.hinting(is_yaml.then(|| hint.to_owned())))
        }
    }
}

/// The map of an instance as a `.map` file.
pub fn map_text(instance: &Instance) -> String {
    let size = instance.size();
    let mut text = format!("type octile\nheight {}\nwidth {}\nmap\n", size.rows(), size.columns());
    for row in instance.corridor().chunks(size.columns()) {
        text.extend(row.iter().map(|is_corridor| if *is_corridor { '.' } else { '@' }));
        text.push('\n');
    }
    text
}

/// The ghosts of an instance as a `.scen` file for a map of this name. The first and the last
/// column, which the benchmark has for single agents, are 0.
pub fn scenario_text(instance: &Instance, map: &str) -> String {
    let size = instance.size();
    let row = |ghost: &Ghost| {
        let Ghost { start, goal } = ghost;
        let cells = format!("{}\t{}\t{}\t{}", start.column, start.row, goal.column, goal.row);
        format!("0\t{map}\t{}\t{}\t{cells}\t0\n", size.columns(), size.rows())
    };
    "version 1\n".to_owned() + &instance.ghosts().iter().map(row).collect::<String>()
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
