//! The `layers` file: the layers of a folder, their encoding, and the work of the search up to each
//! of them.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, ErrorKind};

use super::header::Header;
use super::{CheckpointError, text};
use crate::disk::Disk;
use crate::stats::Stats;

const FORMAT: &str = "fewest-layers 4";
pub(super) const LAYERS: &str = "layers";

/// How the layer files encode states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// States of this number of bytes.
    States(usize),
    Ranks,
}

impl fmt::Display for Coding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::States(bytes) => write!(f, "states of {bytes} bytes"),
            Self::Ranks => write!(f, "ranks"),
        }
    }
}

/// The entry of a layer in the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recorded {
    /// From the start; its index, unless moves have [costs](crate::space::cost).
    pub(super) distance: u32,
    pub(super) states: u64,
    /// The size of its file; `None` if the file was removed because it is no longer needed.
    pub(super) bytes: Option<u64>,
    /// The work of the search up to this layer.
    pub(super) stats: Stats,
}

/// A half-finished expansion: the states of layer `d` that are not expanded yet, and the states of
/// layer `d + 1` that were generated so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) id: PartId,
    /// The file of the states of layer `d` that are not expanded yet.
    pub(super) rest: Recorded,
    /// The number of states and the size of the file of states that were generated so far.
    pub(super) added: (u64, u64),
}

/// A random id in the names of the two files of a partial layer. A complete layer is the same set
/// in each run, but a partial one depends on timing: files of two partial layers must never be
/// combined, even across runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PartId(u64);

impl PartId {
    pub(super) fn random() -> Self {
        Self(RandomState::new().build_hasher().finish())
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        u64::from_str_radix(text, 16).ok().map(Self)
    }

    pub(super) fn rest_name(self) -> String {
        format!("rest-{self}")
    }

    pub(super) fn added_name(self) -> String {
        format!("added-{self}")
    }
}

impl fmt::Display for PartId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, rest, added: (states, bytes) } = self;
        write!(f, "{id} {states} {bytes} {rest}")
    }
}

/// The name of the file of a layer.
pub(super) fn layer_name(depth: usize) -> String {
    format!("layer-{depth}")
}

/// A file whose existence proves that the folder once had a list. A process that is killed before
/// its first list is durable leaves at most `layer-0`.
pub(super) fn trace_of_list(disk: &Disk) -> io::Result<Option<String>> {
    let names = match disk.files().names(disk.folder()) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        names => names?,
    };
    let is_trace = |name: &String| match name.split_once('-') {
        Some(("layer", _)) => *name != layer_name(0),
        Some(("rest" | "added", _)) => true,
        _ => false,
    };
    Ok(names.into_iter().find(is_trace))
}

/// The contents of a `layers` file.
pub(super) struct List {
    pub(super) coding: String,
    /// Whether the layers are known to contain no goal.
    pub(super) is_goal_free: bool,
    pub(super) layers: Vec<Recorded>,
    pub(super) part: Option<Part>,
}

impl List {
    /// Reads the list of a folder; `None` if there is none.
    pub(super) fn read(disk: &Disk, header: &Header) -> Result<Option<Self>, CheckpointError> {
        let Some(text) = disk.contents(LAYERS)? else { return Ok(None) };
        let fields = text::parse(&text, FORMAT).map_err(|error| error.of(LAYERS))?;
        let fields = header.check(&fields).map_err(|difference| difference.of(LAYERS))?;
        let list = parse(fields).ok_or_else(|| CheckpointError::Damaged(LAYERS.to_owned()))?;
        Ok(Some(list))
    }

    pub(super) fn are_ranks(&self) -> bool {
        self.coding == Coding::Ranks.to_string()
    }

    pub(super) fn has_part(&self) -> bool {
        self.part.is_some()
    }
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Format of an entry: states, the work up to this layer (expanded, generated, duplicates,
        // peak frontier), and the bytes of the file or `-`. `recorded` below parses it.
        let Self { states, bytes, stats, .. } = self;
        let Stats { expanded, generated, duplicates, peak_frontier, .. } = stats;
        write!(f, "{states} {expanded} {generated} {duplicates} {peak_frontier} ")?;
        match bytes {
            Some(bytes) => write!(f, "{bytes}"),
            None => write!(f, "-"),
        }
    }
}

/// The text of a list.
pub(super) fn write(
    header: &Header,
    coding: Coding,
    is_goal_free: bool,
    layers: &[Recorded],
    part: Option<Part>,
) -> String {
    let header = header.fields().map(|(name, value)| (name, value.to_owned()));
    let coding = ("coding", coding.to_string());
    let goals = ("goals", GOALS[usize::from(is_goal_free)].to_owned());
    // The distance is before the entry, if it is not the index.
    let entry = |(index, layer): (u32, &Recorded)| match layer.distance {
        distance if distance == index => layer.to_string(),
        distance => format!("{distance} {layer}"),
    };
    let layers = (0..).zip(layers).map(|layer| ("layer", entry(layer)));
    let part = part.iter().map(|part| ("part", part.to_string()));
    text::write(FORMAT, header.chain([coding, goals]).chain(layers).chain(part))
}

/// The values of the field `goals`.
const GOALS: [&str; 2] = ["unknown", "none"];

fn parse(fields: &[(String, String)]) -> Option<List> {
    fn recorded(index: usize, value: &str) -> Option<Recorded> {
        let (numbers, bytes) = value.rsplit_once(' ')?;
        let numbers: Vec<u64> =
            numbers.split(' ').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let (distance, numbers) = match numbers.as_slice() {
            [distance, numbers @ ..] if numbers.len() == 5 => (*distance, numbers),
            numbers => (index as u64, numbers),
        };
        let &[states, expanded, generated, duplicates, peak_frontier] = numbers else {
            return None;
        };
        let bytes = if bytes == "-" { None } else { Some(bytes.parse().ok()?) };
        let stats = Stats { expanded, generated, duplicates, peak_frontier, ..Stats::default() };
        Some(Recorded { distance: distance.try_into().ok()?, states, bytes, stats })
    }
    fn part_of(value: &str) -> Option<Part> {
        let mut values = value.splitn(4, ' ');
        let id = PartId::parse(values.next()?)?;
        let mut number = || values.next()?.parse().ok();
        let added = (number()?, number()?);
        Some(Part { id, added, rest: recorded(0, values.next()?)? })
    }
    let ([(name, coding), (goals_name, goals)], mut rest) = fields.split_first_chunk()?;
    let is_goal_free = GOALS.iter().position(|text| text == goals)? == 1;
    let mut part = None;
    if let Some(((name, value), layers)) = rest.split_last()
        && name == "part"
    {
        part = Some(part_of(value)?);
        rest = layers;
    }
    let layer = |(index, (name, value)): (usize, &(String, String))| {
        recorded(index, value).filter(|_| name == "layer")
    };
    let layers: Vec<_> = rest.iter().enumerate().map(layer).collect::<Option<_>>()?;
    let is_named = name == "coding" && goals_name == "goals";
    let is_list = is_named && (part.is_none() || !layers.is_empty());
    is_list.then(|| List { coding: coding.clone(), is_goal_free, layers, part })
}
