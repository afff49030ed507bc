//! The layers of one search in a checkpoint: those that it has, which are read again, and those that
//! are added.

use std::fmt;
use std::io::{self, ErrorKind};
use std::mem;
use std::time::{Duration, Instant};

use super::{CheckpointError, text};
use crate::budget::Limit;
use crate::disk::{Disk, Output};
use crate::stats::Stats;
use crate::store::run_file::{RunWriter, damaged, read_blocks};
use crate::word::Word;

/// Which layers a search needs to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    All,
    /// For a search that only counts, in a space where each move has an inverse.
    LastTwo,
}

/// What the files of layers have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
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

/// A layer of a checkpoint.
#[derive(Clone, Debug)]
struct Recorded {
    states: u64,
    /// The bytes of its file; `None` if it is not needed any more.
    bytes: Option<u64>,
    /// The work of the search up to this layer.
    stats: Stats,
}

/// The layers of a search.
pub(crate) struct LayerLog {
    disk: Disk,
    coding: Coding,
    kept: Kept,
    layers: Vec<Recorded>,
    /// The number of layers that the search has read again or added.
    done: usize,
    /// The number of layers that the durable list names.
    durable: usize,
    /// Files that are written and not durable.
    unsynced: Vec<Box<dyn Output>>,
    /// Depths of layers whose files are not needed when the next list is durable.
    obsolete: Vec<usize>,
    begin: Instant,
    /// How long it took to make layers durable: in total, and the last time.
    spent: (Duration, Duration),
}

const FORMAT: &str = "fewest layers 1";
const LAYERS: &str = "layers";
/// The most files that are open because they are not durable yet.
const MAX_UNSYNCED: usize = 64;

fn layer_name(depth: usize) -> String {
    format!("layer-{depth}")
}

/// The numbers of states of the layers of a search; `None` if it has no list.
pub(super) fn recorded_layers(disk: &Disk) -> Result<Option<Vec<u64>>, CheckpointError> {
    let Some(text) = disk.contents(LAYERS)? else { return Ok(None) };
    let fields = text::parse(&text, FORMAT).map_err(|error| error.of(LAYERS))?;
    let (_, layers) = parse(&fields).ok_or_else(|| CheckpointError::Damaged(LAYERS.to_owned()))?;
    Ok(Some(layers.iter().map(|layer| layer.states).collect()))
}

/// The coding of the files, and the layers.
fn parse(fields: &[(String, String)]) -> Option<(&str, Vec<Recorded>)> {
    let ((name, coding), layers) = fields.split_first()?;
    let layer = |(name, value): &(String, String)| {
        let (numbers, bytes) = value.rsplit_once(' ')?;
        let numbers: Vec<u64> =
            numbers.split(' ').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let &[states, expanded, generated, duplicates, peak_frontier] = numbers.as_slice() else {
            return None;
        };
        let bytes = if bytes == "-" { None } else { Some(bytes.parse().ok()?) };
        let stats = Stats { expanded, generated, duplicates, peak_frontier, ..Stats::default() };
        (name == "layer").then_some(Recorded { states, bytes, stats })
    };
    let layers = layers.iter().map(layer).collect::<Option<_>>()?;
    (name == "coding").then_some((coding.as_str(), layers))
}

impl LayerLog {
    pub(super) fn open(disk: Disk, kept: Kept, coding: Coding) -> Result<Self, Limit> {
        disk.files().create_folder(disk.folder())?;
        let mut layers = Vec::new();
        if let Some(text) = disk.contents(LAYERS)? {
            let fields = text::parse(&text, FORMAT).map_err(|_| damaged())?;
            let (found, recorded) = parse(&fields).ok_or_else(damaged)?;
            let needed = match kept {
                Kept::All => recorded.len(),
                Kept::LastTwo => 2,
            };
            let has_all = recorded.iter().rev().take(needed).all(|layer| layer.bytes.is_some());
            if found != coding.to_string() {
                return Err(Limit::Io(ErrorKind::Unsupported));
            }
            if !has_all {
                return Err(damaged().into());
            }
            layers = recorded;
        }
        let durable = layers.len();
        Ok(Self {
            disk,
            coding,
            kept,
            layers,
            done: 0,
            durable,
            unsynced: Vec::new(),
            obsolete: Vec::new(),
            begin: Instant::now(),
            spent: (Duration::ZERO, Duration::ZERO),
        })
    }

    /// Whether the next layer is read and not expanded.
    pub(crate) fn has_next(&self) -> bool {
        self.done < self.layers.len()
    }

    /// Reads the states or ranks of the next layer, and returns their number. If a count is all that is left
    /// of the layer, `visit` is not called.
    pub(crate) fn read_next<W: Word>(
        &self,
        visit: impl FnMut(&[W]) -> Result<(), Limit>,
    ) -> Result<u64, Limit> {
        let layer = &self.layers[self.done];
        if let Some(bytes) = layer.bytes {
            let mut file = self.disk.files().open(&self.disk.path(&layer_name(self.done)))?;
            if read_blocks(&mut *file, visit)? != (layer.states, bytes) {
                return Err(damaged().into());
            }
        }
        Ok(layer.states)
    }

    /// Whether the states of the next layer are needed.
    pub(crate) fn has_next_states(&self) -> bool {
        self.layers[self.done].bytes.is_some()
    }

    /// Notes that the search has a complete layer of `states` states, and writes it if it is new:
    /// `write` passes the states on. If the layer is the last one that was read, returns the work of
    /// the searches that found it.
    pub(crate) fn record<W: Word>(
        &mut self,
        states: u64,
        stats: Stats,
        write: impl FnOnce(&mut RunWriter<W>) -> Result<(), Limit>,
    ) -> Result<Option<Stats>, Limit> {
        let depth = self.done;
        if let Some(layer) = self.layers.get(depth) {
            // The search has the initial states without the file.
            if layer.states != states || depth == 0 && self.read_next::<W>(|_| Ok(()))? != states {
                return Err(damaged().into());
            }
            self.done += 1;
            return Ok((self.done == self.layers.len()).then_some(layer.stats));
        }
        let mut writer =
            RunWriter::create(&self.disk.path(&layer_name(depth)), self.disk.shared_files())?;
        write(&mut writer)?;
        let (file, output) = writer.end()?;
        if file.states != states {
            return Err(damaged().into());
        }
        self.unsynced.push(output);
        self.layers.push(Recorded { states, bytes: Some(file.bytes), stats });
        self.done += 1;
        if self.kept == Kept::LastTwo
            && let Some(old) = depth.checked_sub(2)
        {
            self.layers[old].bytes = None;
            self.obsolete.push(old);
        }
        let (total, last) = self.spent;
        let is_due = (total + last) * 10 <= self.begin.elapsed();
        if is_due || self.unsynced.len() >= MAX_UNSYNCED {
            self.publish()?
        }
        Ok(None)
    }

    /// Makes all layers durable.
    pub(crate) fn publish(&mut self) -> io::Result<()> {
        if self.durable == self.layers.len() {
            return Ok(());
        }
        let begin = Instant::now();
        for mut output in mem::take(&mut self.unsynced) {
            output.sync()?;
        }
        // The files of the layers are in the folder before the list names them.
        self.disk.files().sync_folder(self.disk.folder())?;
        let coding = ("coding", self.coding.to_string());
        let layers = self.layers.iter().map(|layer| {
            let Stats { expanded, generated, duplicates, peak_frontier, .. } = layer.stats;
            let bytes = layer.bytes.map_or_else(|| "-".to_owned(), |bytes| bytes.to_string());
            let states = layer.states;
            let value =
                format!("{states} {expanded} {generated} {duplicates} {peak_frontier} {bytes}");
            ("layer", value)
        });
        let text = text::write(FORMAT, std::iter::once(coding).chain(layers));
        self.disk.replace(LAYERS, text.as_bytes())?;
        self.durable = self.layers.len();
        for depth in mem::take(&mut self.obsolete) {
            // A file that stays costs space and nothing else.
            let _ = self.disk.files().remove(&self.disk.path(&layer_name(depth)));
        }
        let last = begin.elapsed();
        self.spent = (self.spent.0 + last, last);
        Ok(())
    }
}
