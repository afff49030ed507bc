//! Scenarios in YAML, as libMultiRobotPlanning (github.com/whoenig/libMultiRobotPlanning) and the
//! programs that follow it read them: a map with its dimensions and obstacles, and agents with a
//! start and a goal. A pair of numbers is a column and a row, counted from 0. Other keys are
//! ignored.
//!
//! ```
//! let text = "\
//! agents:
//! - name: agent0
//!   start: [0, 0]
//!   goal: [2, 0]
//! map:
//!   dimensions: [3, 2]
//!   obstacles:
//!   - [1, 1]
//! ";
//! let instance = fewest_halloween::Instance::read(text.as_bytes()).next().unwrap().unwrap();
//! assert_eq!(instance.to_string(), "3 2 1\na A\n # \n");
//! ```

use std::fmt;

use bitvec::vec::BitVec;
use fewest_geometry::Cell;
use fewest_rules::text::{Diagnostic, Line, Lines, number, quote};
use saphyr_parser::{Event, Marker, Parser, ScanError, Span};

use crate::instance::{Instance, MAX_CORRIDOR_CELLS, Size};
use crate::placing::{PlacedAt, Placing};

/// Whether a line is the first one of a document, perhaps a comment.
pub(crate) fn is_first<'a>(line: Line<'a>, lines: &Lines<'a>) -> bool {
    let is_content = |line: &Line<'a>| !line.is_blank() && !line.text.starts_with('#');
    let mut all = std::iter::once(line).chain(lines.clone().map_while(Result::ok));
    let first = all.find(is_content);
    let is_key = |text: &str| {
        let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        text.split_once(':')
            .is_some_and(|(name, _)| !name.is_empty() && name.bytes().all(is_of_name))
    };
    first.is_some_and(|line| {
        line.text.starts_with('{') || line.text.starts_with("---") || is_key(line.text)
    })
}

/// Reads the document that begins on `first`. It ends before the next `---`, and before a line that
/// begins with a digit, which is a data set in the contest format.
pub(crate) fn read<'a>(first: Line<'a>, lines: &mut Lines<'a>) -> Result<Instance, Diagnostic> {
    let mut texts = vec![first];
    let mut ahead = lines.clone();
    while let Some(line) = ahead.next().transpose()? {
        if line.text.starts_with("---") || line.text.starts_with(|at: char| at.is_ascii_digit()) {
            break;
        }
        texts.push(line);
        *lines = ahead.clone();
    }
    let lines = texts.into_iter().map(|line| (line, line.text.is_ascii()));
    Document { lines: lines.collect() }.instance()
}

/// An instance as a document.
#[cfg(feature = "search")]
pub(crate) fn text(instance: &Instance) -> String {
    let mut text = String::new();
    // A String takes everything.
    let _ = write(instance, &mut text);
    text
}

/// Writes an instance with any number of ghosts on any cells.
pub(crate) fn write(instance: &Instance, f: &mut dyn fmt::Write) -> fmt::Result {
    let size = instance.size();
    let pair = |cell: Cell| format!("[{}, {}]", cell.column, cell.row);
    writeln!(f, "---\nagents:")?;
    for (agent, ghost) in instance.ghosts().iter().enumerate() {
        let (start, goal) = (pair(ghost.start), pair(ghost.goal));
        writeln!(f, "- name: agent{agent}\n  start: {start}\n  goal: {goal}")?;
    }
    writeln!(f, "map:\n  dimensions: [{}, {}]", size.columns(), size.rows())?;
    let mut walls = size.cells().filter(|&cell| !instance.is_corridor(cell)).peekable();
    if walls.peek().is_none() {
        return writeln!(f, "  obstacles: []");
    }
    writeln!(f, "  obstacles:")?;
    walls.try_for_each(|cell| writeln!(f, "  - {}", pair(cell)))
}

/// The lines of a document.
struct Document<'a> {
    /// Each with whether it has ASCII characters only, in which a place is found at once.
    lines: Vec<(Line<'a>, bool)>,
}

/// A place in a document: the index of the line, and the characters before it on the line.
#[derive(Clone, Copy)]
struct Place {
    line: usize,
    column: usize,
}

struct Node {
    at: Place,
    value: Value,
}

enum Value {
    Scalar(String),
    List(Vec<Node>),
    /// Keys, with their places, and values.
    Map(Vec<(String, Place, Node)>),
}

/// The deepest nesting that a scenario needs, and some more for keys that are ignored.
const MAX_DEPTH: usize = 8;

impl<'a> Document<'a> {
    fn instance(&self) -> Result<Instance, Diagnostic> {
        let text: Vec<&str> = self.lines.iter().map(|(line, _)| line.text).collect();
        let text = text.join("\n");
        let is_start = |event: &Result<(Event<'_>, Span), ScanError>| {
            matches!(event, Ok((Event::StreamStart | Event::DocumentStart(_), _)))
        };
        let mut events = Parser::new_from_str(&text).filter(|event| !is_start(event));
        let start = Place { line: 0, column: 0 };
        let empty = || self.wrong(start, "an empty document".to_owned(), SCENARIO);
        let scenario = self.node(&mut events, 0)?.ok_or_else(empty)?;
        let map = self.get(&scenario, "a scenario", "map")?;
        let dimensions = self.get(map, "a map", "dimensions")?;
        let [columns, rows] = self.pair(dimensions, "the numbers of columns and rows")?;
        let obstacles = match self.find(map, "obstacles")? {
            Some(obstacles) => self.list(obstacles, "a list of obstacles")?,
            None => &[],
        };
        let size = Size::new(rows.into(), columns.into())
            .filter(|size| size.len().saturating_sub(obstacles.len()) <= MAX_CORRIDOR_CELLS);
        let size = size.ok_or_else(|| {
            let found = format!("the dimensions {columns} {rows}");
            let expected = format!("from 1 to {MAX_CORRIDOR_CELLS} cells that are not obstacles");
            self.wrong(dimensions.at, found, expected)
        })?;
        let mut corridor = BitVec::repeat(true, size.len());
        for obstacle in obstacles {
            let [column, row] = self.pair(obstacle, "the column and the row of an obstacle")?;
            let cell = Cell::new(row.into(), column.into());
            if !size.contains(cell) {
                let found = format!("the obstacle {column} {row}");
                let expected = format!("a column below {columns} and a row below {rows}");
                return Err(self.wrong(obstacle.at, found, expected));
            }
            corridor.set(size.index(cell), false);
        }
        let agents = self.get(&scenario, "a scenario", "agents")?;
        let mut placing = Placing::new(size, &corridor);
        let mut ghosts = Vec::new();
        for agent in self.list(agents, "a list of agents")? {
            let end = |key: &str| {
                let end = self.get(agent, "an agent", key)?;
                let [column, row] = self.pair(end, "a column and a row")?;
                let (line, at) = self.offset(end.at);
                Ok(PlacedAt { line, at, column, row })
            };
            ghosts.push(placing.agent([end("start")?, end("goal")?])?);
        }
        Instance::new(size, corridor, ghosts)
            .ok_or_else(|| self.wrong(agents.at, "no agent".to_owned(), "an agent"))
    }

    /// The next node; `None` at the end of a list or a map. An alias is an error: its value would
    /// have to be copied, any number of times.
    fn node<'t>(
        &self,
        events: &mut impl Iterator<Item = Result<(Event<'t>, Span), ScanError>>,
        depth: usize,
    ) -> Result<Option<Node>, Diagnostic> {
        let Some(event) = events.next() else { return Ok(None) };
        let (event, span) = event.map_err(|error| {
            let found = format!("YAML that is not well-formed ({})", error.info());
            self.wrong(self.place(error.marker()), found, SCENARIO)
        })?;
        let at = self.place(&span.start);
        let is_list = matches!(event, Event::SequenceStart(..) | Event::MappingStart(..));
        if is_list && depth == MAX_DEPTH {
            return Err(self.wrong(at, "a list that is too deep".to_owned(), SCENARIO));
        }
        let value = match event {
            Event::Scalar(text, ..) => Value::Scalar(text.into_owned()),
            Event::SequenceStart(..) => {
                let mut items = Vec::new();
                while let Some(item) = self.node(events, depth + 1)? {
                    items.push(item);
                }
                Value::List(items)
            }
            Event::MappingStart(..) => {
                let mut entries = Vec::new();
                while let Some(key) = self.node(events, depth + 1)? {
                    let Some(value) = self.node(events, depth + 1)? else { break };
                    if let Value::Scalar(name) = key.value {
                        entries.push((name, key.at, value));
                    }
                }
                Value::Map(entries)
            }
            Event::Alias(_) => {
                return Err(self.wrong(at, "an alias".to_owned(), "the value itself"));
            }
            _ => return Ok(None),
        };
        Ok(Some(Node { at, value }))
    }

    fn place(&self, marker: &Marker) -> Place {
        // The end of the document is behind its last line.
        let line = marker.line().saturating_sub(1).min(self.lines.len() - 1);
        Place { line, column: marker.col() }
    }

    fn wrong(&self, at: Place, found: String, expected: impl Into<String>) -> Diagnostic {
        let (line, at) = self.offset(at);
        line.wrong(at, found, expected)
    }

    /// The line of a place, and the byte offset there.
    fn offset(&self, at: Place) -> (Line<'a>, usize) {
        let (line, is_ascii) = self.lines[at.line];
        let end = line.text.len();
        let offset = match is_ascii {
            true => at.column.min(end),
            false => line.text.char_indices().nth(at.column).map_or(end, |(at, _)| at),
        };
        (line, offset)
    }

    /// The value of a key, if the map has it.
    fn find<'n>(&self, node: &'n Node, key: &str) -> Result<Option<&'n Node>, Diagnostic> {
        match &node.value {
            Value::Map(entries) => {
                let mut found = entries.iter().filter(|(other, ..)| other == key);
                match (found.next(), found.next()) {
                    (_, Some(&(_, at, _))) => {
                        let expected = "each key once; `---` is between two scenarios";
                        Err(self.wrong(at, format!("a second `{key}`"), expected))
                    }
                    (first, None) => Ok(first.map(|(.., value)| value)),
                }
            }
            _ => Err(self.wrong(node.at, "no map".to_owned(), format!("a map with `{key}`"))),
        }
    }

    /// The value of a key of `what`.
    fn get<'n>(&self, node: &'n Node, what: &str, key: &str) -> Result<&'n Node, Diagnostic> {
        let missing = || self.wrong(node.at, format!("{what} without `{key}`"), SCENARIO);
        self.find(node, key)?.ok_or_else(missing)
    }

    /// The items of a list. A key without a value is an empty one.
    fn list<'n>(&self, node: &'n Node, expected: &str) -> Result<&'n [Node], Diagnostic> {
        match &node.value {
            Value::List(items) => Ok(items),
            Value::Scalar(text) if matches!(text.as_str(), "" | "~" | "null") => Ok(&[]),
            Value::Scalar(text) => Err(self.wrong(node.at, quote(text), expected)),
            Value::Map(_) => Err(self.wrong(node.at, "a map".to_owned(), expected)),
        }
    }

    fn pair(&self, node: &Node, what: &str) -> Result<[u16; 2], Diagnostic> {
        let as_number = |item: &Node| match &item.value {
            Value::Scalar(text) => number::<u16>(text),
            _ => None,
        };
        let numbers: Option<Vec<u16>> = match &node.value {
            Value::List(items) => items.iter().map(as_number).collect(),
            _ => None,
        };
        let pair = numbers.and_then(|numbers| <[u16; 2]>::try_from(numbers).ok());
        let expected = || format!("{what}, such as `[4, 0]`");
        pair.ok_or_else(|| self.wrong(node.at, "no pair of numbers".to_owned(), expected()))
    }
}

const SCENARIO: &str =
    "`map` with `dimensions` and `obstacles`, and `agents` with a `start` and a `goal` each";
