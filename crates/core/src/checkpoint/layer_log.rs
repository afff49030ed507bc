//! The layers of one search in a checkpoint: those that it has, which are read again, and those that
//! are added.

use std::fmt;
use std::io::{self, ErrorKind};
use std::time::{Duration, Instant};

use super::{Checkpoint, CheckpointError, text};
use crate::budget::Limit;
use crate::disk::{Disk, Output};
use crate::stats::Stats;
use crate::store::run_file::{RunWriter, read_blocks};
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
#[derive(Clone, Copy, Debug)]
struct Recorded {
    states: u64,
    /// The bytes of its file; `None` if it is not needed any more.
    bytes: Option<u64>,
    /// The work of the search up to this layer.
    stats: Stats,
}

/// The layers of a search.
pub(crate) struct LayerLog {
    checkpoint: Checkpoint,
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
    /// Whether making layers durable has failed. After that, it cannot be known what a disk has.
    is_broken: bool,
    begin: Instant,
    /// How long it took to make layers durable.
    publishing: Duration,
    last_publishing: Duration,
}

const FORMAT: &str = "fewest-layers 1";
const LAYERS: &str = "layers";
/// The most files that are open because they are not durable yet.
const MAX_UNSYNCED: usize = 16;

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

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { states, bytes, stats } = self;
        let Stats { expanded, generated, duplicates, peak_frontier, .. } = stats;
        write!(f, "{states} {expanded} {generated} {duplicates} {peak_frontier} ")?;
        match bytes {
            Some(bytes) => write!(f, "{bytes}"),
            None => write!(f, "-"),
        }
    }
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
    pub(super) fn open(
        checkpoint: Checkpoint,
        disk: Disk,
        kept: Kept,
        coding: Coding,
    ) -> Result<Self, Limit> {
        // From here on, its end lets the next search use the checkpoint.
        let mut log = Self {
            checkpoint,
            disk,
            coding,
            kept,
            layers: Vec::new(),
            done: 0,
            durable: 0,
            unsynced: Vec::new(),
            obsolete: Vec::new(),
            is_broken: false,
            begin: Instant::now(),
            publishing: Duration::ZERO,
            last_publishing: Duration::ZERO,
        };
        let text = log.disk.create().and_then(|()| log.disk.contents(LAYERS));
        let Some(text) = log.noted(text)? else { return Ok(log) };
        let fields = text::parse(&text, FORMAT).map_err(|_| log.refused("the list is damaged"))?;
        let parsed = parse(&fields);
        let (found, layers) = parsed.ok_or_else(|| log.refused("the list is damaged"))?;
        if found != coding.to_string() {
            let what = format!("it has {found}, and this search needs {coding}");
            return Err(log.refused(&what));
        }
        let needed = match kept {
            Kept::All => layers.len(),
            Kept::LastTwo => 2,
        };
        if layers.iter().rev().take(needed).any(|layer| layer.bytes.is_none()) {
            return Err(
                log.refused("it has the last two layers, and this search needs all of them")
            );
        }
        for depth in (0..layers.len()).filter(|&depth| layers[depth].bytes.is_none()) {
            // What a process left that was killed before it removed them.
            let _ = log.disk.files().remove(&log.disk.path(&layer_name(depth)));
        }
        log.durable = layers.len();
        log.layers = layers;
        Ok(log)
    }

    /// Reports an error of a file.
    fn noted<T>(&self, result: io::Result<T>) -> Result<T, Limit> {
        result.map_err(|error| {
            let limit = Limit::Io(error.kind());
            self.checkpoint.note(error);
            limit
        })
    }

    /// Reports what failed.
    fn failed(&self, kind: ErrorKind, what: String) -> Limit {
        self.checkpoint.note(io::Error::new(kind, what));
        Limit::Io(kind)
    }

    /// Reports why the search cannot go on.
    fn refused(&self, what: &str) -> Limit {
        let what = format!("`{}`: {what}", self.disk.folder().display());
        self.failed(ErrorKind::InvalidData, what)
    }

    /// Whether the next layer is in the log.
    pub(crate) fn has_next(&self) -> bool {
        self.done < self.layers.len()
    }

    /// Whether the next layer is the first one.
    pub(crate) fn is_at_start(&self) -> bool {
        self.done == 0
    }

    /// Whether the next layer has a file. Of others, only the number of states is known.
    pub(crate) fn has_next_states(&self) -> bool {
        self.layers[self.done].bytes.is_some()
    }

    /// The number of states of the next layer.
    pub(crate) fn next_states(&self) -> u64 {
        self.layers[self.done].states
    }

    /// Reads the states or ranks of the next layer, which has a file.
    pub(crate) fn read_next<W: Word>(
        &self,
        visit: impl FnMut(&[W]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let Recorded { states, bytes, .. } = self.layers[self.done];
        let name = layer_name(self.done);
        let mut file = self.noted(self.disk.files().open(&self.disk.path(&name)))?;
        match read_blocks(&mut *file, visit) {
            Ok((read, length)) if read == states && Some(length) == bytes => Ok(()),
            Ok(_) | Err(Limit::Io(ErrorKind::InvalidData | ErrorKind::UnexpectedEof)) => {
                Err(self.refused(&format!("{name} is damaged")))
            }
            Err(Limit::Io(kind)) => self.noted(Err(kind.into())),
            Err(limit) => Err(limit),
        }
    }

    /// Reports that the search has other initial states.
    pub(crate) fn other_start(&self) -> Limit {
        self.refused("it starts from other states")
    }

    /// Notes that the search has the next layer, which is in the log. If it is the last one there,
    /// returns the work of the searches that found it.
    pub(crate) fn confirm(&mut self, states: u64) -> Result<Option<Stats>, Limit> {
        let Recorded { states: expected, stats, .. } = self.layers[self.done];
        if states != expected {
            return Err(self.refused(&format!("{} has other states", layer_name(self.done))));
        }
        self.done += 1;
        Ok((!self.has_next()).then_some(stats))
    }

    /// Adds a complete layer of `states` states or ranks, which `write` passes on.
    pub(crate) fn append<W: Word>(
        &mut self,
        states: u64,
        stats: Stats,
        write: impl FnOnce(&mut RunWriter<W>) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let depth = self.done;
        let path = self.disk.path(&layer_name(depth));
        let written = RunWriter::create(&path, self.disk.shared_files())
            .map_err(Limit::from)
            .and_then(|mut writer| write(&mut writer).and_then(|()| Ok(writer.end()?)));
        let (file, output) = written.inspect_err(|&limit| {
            // If the disk is full, there is room for the list.
            let _ = self.disk.files().remove(&path);
            if let Limit::Io(kind) = limit {
                self.failed(kind, format!("layer {depth} is not in it: {}", io::Error::from(kind)));
            }
        })?;
        if file.states != states {
            return Err(self.refused("the store has other states than it said"));
        }
        self.unsynced.push(output);
        self.layers.push(Recorded { states, bytes: Some(file.bytes), stats });
        self.done += 1;
        // The first layer is checked by each search.
        if self.kept == Kept::LastTwo
            && let Some(old) = depth.checked_sub(2).filter(|&old| old > 0)
        {
            self.layers[old].bytes = None;
            self.obsolete.push(old);
        }
        let expected = self.publishing + self.last_publishing;
        if expected * 10 <= self.begin.elapsed() || self.unsynced.len() >= MAX_UNSYNCED {
            self.publish()?;
        }
        Ok(())
    }

    /// Makes all layers durable, unless that has failed before.
    pub(crate) fn publish(&mut self) -> Result<(), Limit> {
        if self.durable == self.layers.len() || self.is_broken {
            return Ok(());
        }
        self.try_publish().map_err(|error| {
            self.failed(error.kind(), format!("the last layers are not in it: {error}"))
        })
    }

    fn try_publish(&mut self) -> io::Result<()> {
        let begin = Instant::now();
        // A failed operation is not tried again: the system may have dropped what was to be written.
        self.is_broken = true;
        self.unsynced.iter_mut().try_for_each(|output| output.sync())?;
        self.unsynced.clear();
        // The files of the layers are in the folder before the list names them.
        self.disk.files().sync_folder(self.disk.folder())?;
        let coding = ("coding", self.coding.to_string());
        let layers = self.layers.iter().map(|layer| ("layer", layer.to_string()));
        let text = text::write(FORMAT, std::iter::once(coding).chain(layers));
        self.disk.replace(LAYERS, text.as_bytes())?;
        self.is_broken = false;
        self.durable = self.layers.len();
        for depth in self.obsolete.drain(..) {
            // A file that stays costs space and nothing else.
            let _ = self.disk.files().remove(&self.disk.path(&layer_name(depth)));
        }
        self.last_publishing = begin.elapsed();
        self.publishing += self.last_publishing;
        Ok(())
    }
}

impl Drop for LayerLog {
    fn drop(&mut self) {
        self.checkpoint.end_search();
    }
}
