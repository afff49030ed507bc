//! The layers of one search in a checkpoint: those that it has, which are read again, and those that
//! are added. The last one may be expanded in part.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::owner::{Owner, StateFile};
use super::parts::{Division, Earlier};
use super::{Checkpoint, CheckpointError, search_name, text};
use crate::disk::{Disk, Input, Output};
use crate::limit::Limit;
use crate::run_file::{RunFile, RunWriter, read_blocks};
use crate::stats::Stats;
use crate::word::Word;

/// What a search does with layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Ends at the first goal: the layers that it adds have none.
    Goal,
    /// Shows them to a visitor.
    Visit,
    /// Counts them, in a space where each move has an inverse: only the last two are kept.
    Count,
}

/// What the files of layers have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
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
pub(super) struct Recorded {
    pub(super) states: u64,
    /// The bytes of its file; `None` if it is not needed any more.
    bytes: Option<u64>,
    /// The work of the search up to this layer.
    stats: Stats,
}

/// What is known of the layer after the last one.
#[derive(Clone, Copy, Debug)]
struct Part {
    id: PartId,
    /// The states of the last layer that are not expanded.
    rest: Recorded,
    /// The number of states in the file of those that were generated, and its bytes.
    added: (u64, u64),
}

/// In the names of the two files of a part, so that neither passes for that of another part, also of another
/// run: a layer is the same in each run, and a part is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PartId(u64);

impl PartId {
    fn random() -> Self {
        Self(RandomState::new().build_hasher().finish())
    }

    fn parse(text: &str) -> Option<Self> {
        u64::from_str_radix(text, 16).ok().map(Self)
    }

    fn rest_name(self) -> String {
        format!("rest-{self}")
    }

    fn added_name(self) -> String {
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

/// The layers of a search.
pub(crate) struct LayerLog {
    checkpoint: Checkpoint,
    disk: Disk,
    /// The owner of the files.
    owner: Owner,
    coding: Coding,
    purpose: Purpose,
    layers: Vec<Recorded>,
    /// The number of states of each layer that was there before the search, of all processes.
    earlier: Vec<u64>,
    /// Whether it is known that none of these has a goal.
    earlier_are_goal_free: bool,
    /// Whether it is known that none of `layers` has one.
    are_goal_free: bool,
    /// If another number of processes has written the layers: the folder of each, and its layers. They are
    /// read, and written again.
    others: Vec<(Disk, Owner, Vec<Recorded>)>,
    /// The number of layers that the search has read again or added.
    done: usize,
    part: Option<Part>,
    /// That of the part that is written next.
    next_part: PartId,
    /// Whether the durable list names everything.
    is_durable: bool,
    /// Files that are written and not durable.
    unsynced: Vec<Box<dyn Output>>,
    /// Names of files that are not needed when the next list is durable.
    obsolete: Vec<String>,
    /// Whether making layers durable has failed. After that, it cannot be known what a disk has.
    is_broken: bool,
    begin: Instant,
    /// How long it took to make layers durable.
    publishing: Duration,
    last_publishing: Duration,
    /// How long it took to write states, and their number.
    writing: Duration,
    written: u64,
    /// When a layer was last written.
    last: Instant,
}

const FORMAT: &str = "fewest-layers 4";
pub(super) const LAYERS: &str = "layers";
/// What was done in this time is not worth a last part.
const MIN_LOST_WORK: Duration = Duration::from_millis(100);
/// The least and the most time for what is written after a limit.
const TIME_LEFT: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(2)];
/// The most files that are open because they are not durable yet.
const MAX_UNSYNCED: usize = 16;

fn layer_name(depth: usize) -> String {
    format!("layer-{depth}")
}

/// A file of a folder that proves that it had a list. A process that is killed before its first list is durable
/// leaves the first layer, at most.
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

/// What the list of a search has.
pub(super) struct List {
    coding: String,
    /// Whether it is known that none of the layers has a goal.
    pub(super) is_goal_free: bool,
    pub(super) layers: Vec<Recorded>,
    part: Option<Part>,
}

impl List {
    /// The list in a folder; `None` if it has none.
    pub(super) fn read(disk: &Disk, owner: &Owner) -> Result<Option<Self>, CheckpointError> {
        let Some(text) = disk.contents(LAYERS)? else { return Ok(None) };
        let fields = text::parse(&text, FORMAT).map_err(|error| error.of(LAYERS))?;
        let fields = owner.check(&fields).map_err(|difference| difference.of(LAYERS))?;
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
        let Self { states, bytes, stats } = self;
        let Stats { expanded, generated, duplicates, peak_frontier, .. } = stats;
        write!(f, "{states} {expanded} {generated} {duplicates} {peak_frontier} ")?;
        match bytes {
            Some(bytes) => write!(f, "{bytes}"),
            None => write!(f, "-"),
        }
    }
}

/// The values of the field `goals`.
const GOALS: [&str; 2] = ["unknown", "none"];

fn parse(fields: &[(String, String)]) -> Option<List> {
    fn recorded(value: &str) -> Option<Recorded> {
        let (numbers, bytes) = value.rsplit_once(' ')?;
        let numbers: Vec<u64> =
            numbers.split(' ').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let &[states, expanded, generated, duplicates, peak_frontier] = numbers.as_slice() else {
            return None;
        };
        let bytes = if bytes == "-" { None } else { Some(bytes.parse().ok()?) };
        let stats = Stats { expanded, generated, duplicates, peak_frontier, ..Stats::default() };
        Some(Recorded { states, bytes, stats })
    }
    fn part_of(value: &str) -> Option<Part> {
        let mut values = value.splitn(4, ' ');
        let id = PartId::parse(values.next()?)?;
        let mut number = || values.next()?.parse().ok();
        let added = (number()?, number()?);
        Some(Part { id, added, rest: recorded(values.next()?)? })
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
    let layer = |(name, value): &(String, String)| recorded(value).filter(|_| name == "layer");
    let layers: Vec<_> = rest.iter().map(layer).collect::<Option<_>>()?;
    let is_named = name == "coding" && goals_name == "goals";
    let is_list = is_named && (part.is_none() || !layers.is_empty());
    is_list.then(|| List { coding: coding.clone(), is_goal_free, layers, part })
}

impl LayerLog {
    pub(super) fn open(
        checkpoint: Checkpoint,
        search: u32,
        division: Division,
        earlier: Option<Earlier>,
        purpose: Purpose,
        state_bytes: usize,
        takes_ranks: bool,
    ) -> Result<Self, Limit> {
        let states = Coding::States(state_bytes);
        let inner = Arc::clone(&checkpoint.inner);
        let root = &inner.disk;
        let folder = |division: &Division, process| {
            division.part(root, process).sub_folder(&search_name(search))
        };
        let disk = folder(&division, inner.process);
        let owner =
            |division: &Division, process| Owner::new(&inner.question, search, division, process);
        // From here on, its end lets the next search use the checkpoint.
        let mut log = Self {
            checkpoint,
            disk,
            owner: owner(&division, inner.process),
            coding: if takes_ranks { Coding::Ranks } else { states },
            purpose,
            layers: Vec::new(),
            earlier: earlier.as_ref().map(|earlier| earlier.layers.clone()).unwrap_or_default(),
            earlier_are_goal_free: earlier.as_ref().is_some_and(|earlier| earlier.is_goal_free),
            are_goal_free: earlier.as_ref().is_some_and(|earlier| earlier.is_goal_free),
            others: Vec::new(),
            done: 0,
            part: None,
            next_part: PartId::random(),
            is_durable: true,
            unsynced: Vec::new(),
            obsolete: Vec::new(),
            is_broken: false,
            begin: Instant::now(),
            publishing: Duration::ZERO,
            last_publishing: Duration::ZERO,
            writing: Duration::ZERO,
            written: 0,
            last: Instant::now(),
        };
        let created = log.disk.create();
        log.noted(created)?;
        if let Some(earlier) = earlier.as_ref().filter(|earlier| earlier.division == division) {
            let (layers, part) =
                log.read_list(&log.disk.clone(), &log.owner.clone(), states, earlier)?;
            (log.layers, log.part) = (layers, part);
        } else if let Some(earlier) = &earlier {
            for process in 0..earlier.division.processes {
                let folder = folder(&earlier.division, process);
                let owner = owner(&earlier.division, process);
                let (layers, _) = log.read_list(&folder, &owner, states, earlier)?;
                log.others.push((folder, owner, layers));
            }
        }
        let lists = log.others.iter().map(|(_, _, layers)| layers).chain([&log.layers]);
        let needed = if log.keeps_two() { 2 } else { usize::MAX };
        let is_missing = |layers: &Vec<Recorded>| {
            layers.iter().rev().take(needed).any(|layer| layer.bytes.is_none())
        };
        if lists.into_iter().any(is_missing) {
            return Err(
                log.refused("it has the last two layers, and this search needs all of them")
            );
        }
        log.remove_unnamed();
        Ok(log)
    }

    /// The layers that a folder has, as many as all processes have, and a part of the next one.
    fn read_list(
        &mut self,
        disk: &Disk,
        owner: &Owner,
        states: Coding,
        earlier: &Earlier,
    ) -> Result<(Vec<Recorded>, Option<Part>), Limit> {
        let list = match List::read(disk, owner) {
            Err(CheckpointError::Io(error)) => self.noted(Err(error))?,
            read => read.map_err(|error| self.refused(&error.to_string()))?,
        };
        let Some(list) = list else { return Ok((Vec::new(), None)) };
        let List { coding: found, mut layers, part, .. } = list;
        if found == states.to_string() {
            // Any store takes them.
            self.coding = states;
        } else if found != self.coding.to_string() {
            let what = format!(
                "it has {found}, which two bits per rank write and read, and this search needs {states}"
            );
            return Err(self.refused(&what));
        }
        layers.truncate(earlier.layers.len());
        Ok((layers, part.filter(|_| earlier.has_part)))
    }

    /// Removes the files that a process left that was killed before it removed them.
    fn remove_unnamed(&self) {
        let files = self.disk.files();
        let named = |name: &str| match name.split_once('-') {
            Some(("layer", depth)) => depth
                .parse::<usize>()
                .ok()
                .and_then(|depth| self.layers.get(depth))
                .is_some_and(|layer| layer.bytes.is_some()),
            Some(("rest" | "added", id)) => {
                self.part.is_some_and(|part| Some(part.id) == PartId::parse(id))
            }
            _ => true,
        };
        for name in files.names(self.disk.folder()).unwrap_or_default() {
            if !named(&name) {
                // A file that stays costs space and nothing else.
                let _ = files.remove(&self.disk.path(&name));
            }
        }
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

    /// Whether layers are ranks. A store that has ranks also takes states.
    pub(crate) fn has_ranks(&self) -> bool {
        self.coding == Coding::Ranks
    }

    /// Whether the next layer is in the log.
    pub(crate) fn has_next(&self) -> bool {
        self.has_own_next() || self.others.iter().any(|(_, _, layers)| self.done < layers.len())
    }

    /// Whether the next layer is there and need not be written.
    pub(crate) fn has_own_next(&self) -> bool {
        self.done < self.layers.len()
    }

    /// If others have written the next layer, the work of the searches up to then, and whether it is the
    /// last one.
    pub(crate) fn others_work(&self) -> Option<(Stats, bool)> {
        let (_, _, layers) = self.others.first()?;
        let next = layers.get(self.done)?;
        Some((next.stats, self.done + 1 == layers.len()))
    }

    /// Removes what others have written. All processes have it.
    pub(crate) fn remove_others(&mut self) {
        let others = std::mem::take(&mut self.others);
        if self.checkpoint.inner.process > 0 {
            return;
        }
        for (disk, ..) in others {
            let names = disk.files().names(disk.folder()).unwrap_or_default();
            // Without the list, the layers do not count. What stays costs space and nothing else.
            for name in [LAYERS].into_iter().chain(names.iter().map(String::as_str)) {
                let _ = disk.files().remove(&disk.path(name));
            }
        }
    }

    /// The number of states of each layer that was there before the search; none if its start is not checked.
    pub(crate) fn earlier(&self) -> &[u64] {
        if self.is_at_start() { &[] } else { &self.earlier }
    }

    /// The number of layers that are known to have no goal.
    pub(crate) fn goal_free_layers(&self) -> u32 {
        let read = if self.purpose == Purpose::Goal { self.done } else { 0 };
        let earlier = if self.earlier_are_goal_free { self.earlier().len() } else { 0 };
        read.max(earlier) as u32
    }

    /// Reports that a limit was reached before all layers were read, if there are others.
    pub(crate) fn note_unread(&self, limit: Limit) {
        let (read, all) = (self.done, self.earlier.len());
        if read < all {
            let what = format!("{limit} while it was read: {read} of {all} layers are read");
            self.checkpoint.note(io::Error::other(what));
        }
    }

    /// Whether only the last two layers are kept. Several processes do not make their layers durable at the same
    /// time.
    fn keeps_two(&self) -> bool {
        self.purpose == Purpose::Count && !self.is_distributed()
    }

    /// Whether the next layer is the first one.
    pub(crate) fn is_at_start(&self) -> bool {
        self.done == 0
    }

    /// Whether the next layer has a file. Of others, only the number of states is known.
    pub(crate) fn has_next_states(&self) -> bool {
        self.layers.get(self.done).is_none_or(|layer| layer.bytes.is_some())
    }

    /// The number of states of the next layer: those of this process; or of all, if others have written it.
    pub(crate) fn next_states(&self) -> u64 {
        match self.layers.get(self.done) {
            Some(layer) => layer.states,
            None => self.others.iter().map(|(_, _, layers)| layers[self.done].states).sum(),
        }
    }

    /// Reads the states or ranks of the next layer, which has a file.
    pub(crate) fn read_next<W: Word>(
        &self,
        visit: impl FnMut(&[W]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let (name, coding, mut visit) = (layer_name(self.done), self.coding.to_string(), visit);
        let file = StateFile { name: &name, depth: self.done, coding: &coding };
        let own = [(&self.disk, &self.owner, &self.layers)];
        let others = self.others.iter().map(|(disk, owner, layers)| (disk, owner, layers));
        let lists: Vec<_> = if self.has_own_next() { Vec::from(own) } else { others.collect() };
        for (disk, owner, layers) in lists {
            let Recorded { states, bytes, .. } = layers[self.done];
            self.read(disk, owner, file, (states, bytes.unwrap_or(0)), &mut visit)?;
        }
        Ok(())
    }

    /// Opens a file of a depth, and returns it with the number of bytes of its head.
    fn open_file(
        &self,
        disk: &Disk,
        owner: &Owner,
        file: StateFile<'_>,
    ) -> Result<(Box<dyn Input>, u64), Limit> {
        let name = file.name;
        let opened = disk.files().open(&disk.path(name));
        let mut input = opened.map_err(|error| self.unreadable(name, error.into()))?;
        match owner.read_head(&mut *input, file) {
            Ok(Ok(head)) => Ok((input, head)),
            Ok(Err(difference)) => Err(self.refused(&difference.of(name).to_string())),
            Err(error) => Err(self.unreadable(name, error.into())),
        }
    }

    /// Reads a file of a depth, of a known number of states and bytes.
    fn read<W: Word>(
        &self,
        disk: &Disk,
        owner: &Owner,
        file: StateFile<'_>,
        expected: (u64, u64),
        visit: impl FnMut(&[W]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let (mut input, head) = self.open_file(disk, owner, file)?;
        let read = read_blocks(&mut *input, visit);
        self.checked(file.name, expected, read.map(|(states, bytes)| (states, head + bytes)))
    }

    /// Reports a file that cannot be read, or that has other states or bytes than expected.
    fn checked(
        &self,
        name: &str,
        expected: (u64, u64),
        read: Result<(u64, u64), Limit>,
    ) -> Result<(), Limit> {
        match read {
            Ok(read) if read == expected => Ok(()),
            Ok(_) => Err(self.unreadable(name, Limit::Io(ErrorKind::InvalidData))),
            Err(limit) => Err(self.unreadable(name, limit)),
        }
    }

    /// Reports why a file was not opened, or not read to its end.
    fn unreadable(&self, name: &str, limit: Limit) -> Limit {
        match limit {
            Limit::Io(ErrorKind::InvalidData | ErrorKind::UnexpectedEof) => {
                self.refused(&format!("{name} is damaged"))
            }
            Limit::Io(ErrorKind::NotFound) => self.refused(&format!("{name} is missing")),
            Limit::Io(kind) => {
                self.refused(&format!("{name} cannot be read: {}", io::Error::from(kind)));
                limit
            }
            limit => limit,
        }
    }

    /// The part of the next layer that is known; `None` if there is nothing of it.
    /// `start` gets the states that were generated. Returns the file of those that are not expanded,
    /// and the work of the searches up to then.
    pub(crate) fn read_part<W: Word>(
        &self,
        start: impl FnMut(&[W]) -> Result<(), Limit>,
    ) -> Result<Option<(RunFile, Stats)>, Limit> {
        let Some(part) = self.part else { return Ok(None) };
        // The states of the last layer, and those of the next one.
        let depth = self.done - 1;
        let added = part.id.added_name();
        let coding = Coding::States(W::BYTES).to_string();
        let file = StateFile { name: &added, depth: depth + 1, coding: &coding };
        self.read(&self.disk, &self.owner, file, part.added, start)?;
        let name = part.id.rest_name();
        let file = StateFile { name: &name, depth, coding: &coding };
        let (_, head) = self.open_file(&self.disk, &self.owner, file)?;
        let scanned = RunFile::scan::<W>(&self.disk.path(&name), &self.disk, head);
        let read = scanned.as_ref().map(|rest| (rest.states, rest.bytes));
        let expected = (part.rest.states, part.rest.bytes.unwrap_or(0));
        self.checked(&name, expected, read.map_err(|error| Limit::Io(error.kind())))?;
        Ok(Some((self.noted(scanned)?, part.rest.stats)))
    }

    /// Reports that a layer does not have the states of the search.
    pub(crate) fn other_states(&self) -> Limit {
        self.refused(&format!("{} has other states", layer_name(self.done)))
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
            return Err(self.other_states());
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
        let file = self.write(&layer_name(depth), depth, self.coding, write)?;
        if file.states != states {
            return Err(self.refused("the store has other states than it said"));
        }
        self.layers.push(Recorded { states, bytes: Some(file.bytes), stats });
        self.are_goal_free = self.purpose == Purpose::Goal;
        self.done += 1;
        self.is_durable = false;
        self.end_part();
        // The first layer is checked by each search.
        if self.keeps_two()
            && let Some(old) = depth.checked_sub(2).filter(|&old| old > 0)
        {
            self.layers[old].bytes = None;
            self.obsolete.push(layer_name(old));
        }
        let expected = self.publishing + self.last_publishing;
        if expected * 10 <= self.begin.elapsed() || self.unsynced.len() >= MAX_UNSYNCED {
            self.publish()?;
        }
        Ok(())
    }

    /// Writes a file of states of a depth.
    fn write<W: Word>(
        &mut self,
        name: &str,
        depth: usize,
        coding: Coding,
        write: impl FnOnce(&mut RunWriter<W>) -> Result<(), Limit>,
    ) -> Result<RunFile, Limit> {
        let (path, begin) = (self.disk.path(name), Instant::now());
        let head = self.owner.head(StateFile { name, depth, coding: &coding.to_string() });
        let written = self
            .disk
            .check_space()
            .and_then(|()| RunWriter::create_with_head(&path, &self.disk, &head))
            .map_err(Limit::from)
            .and_then(|mut writer| write(&mut writer).and_then(|()| Ok(writer.end()?)));
        let (file, output) = written.inspect_err(|&limit| {
            // If the disk is full, there is room for the list.
            let _ = self.disk.files().remove(&path);
            if let Limit::Io(kind) = limit {
                self.failed(kind, format!("{name} is not in it: {}", io::Error::from(kind)));
            }
        })?;
        self.unsynced.push(output);
        self.last = Instant::now();
        self.writing += self.last - begin;
        self.written += file.states;
        Ok(file)
    }

    /// Drops the part of a layer that is complete, or is known better.
    fn end_part(&mut self) {
        if let Some(old) = self.part.take() {
            self.obsolete.extend([old.id.rest_name(), old.id.added_name()]);
        }
    }

    /// When a layer of `states` states should be written in part: so that all parts take at most a tenth
    /// of the time.
    pub(crate) fn next_part(&self, states: u64) -> Option<Instant> {
        if self.is_distributed() {
            return None;
        }
        let interval = self.checkpoint.part_interval;
        if interval.is_zero() {
            return Some(self.last);
        }
        // The rest and what was generated are about two layers.
        let nanoseconds = self.writing.as_nanos() as f64 / self.written.max(1) as f64;
        let expected = Duration::from_nanos((2.0 * nanoseconds * states as f64) as u64);
        let spent = self.writing + self.publishing + self.last_publishing;
        let cheap = self.begin.checked_add((spent + expected).saturating_mul(10))?;
        Some(cheap.max(self.last.checked_add(interval)?))
    }

    /// Whether a limit that was reached now would lose work that is worth a part.
    pub(crate) fn needs_last_part(&self) -> bool {
        !self.is_distributed()
            && self.last.elapsed() >= MIN_LOST_WORK.min(self.checkpoint.part_interval)
    }

    /// Whether other processes have parts of the layers. Then a layer is written as a whole: what is on the
    /// way between processes is in no store.
    fn is_distributed(&self) -> bool {
        self.checkpoint.inner.processes > 1
    }

    /// How long writing may take after a limit was reached: a twentieth of the run, at most two seconds.
    pub(crate) fn time_left(&self) -> Duration {
        (self.begin.elapsed() / 20).clamp(TIME_LEFT[0], TIME_LEFT[1])
    }

    /// Reports that a last part is not written. An error of a file is reported already.
    pub(crate) fn note_lost_part(&self, limit: Limit) {
        if limit.is_of_budget() {
            let what = lost_part(self.time_left());
            self.checkpoint.note(io::Error::new(ErrorKind::TimedOut, what));
        }
    }

    /// Writes the states of the current layer that are not expanded.
    pub(crate) fn write_rest<W: Word>(
        &mut self,
        write: impl FnOnce(&mut RunWriter<W>) -> Result<(), Limit>,
    ) -> Result<RunFile, Limit> {
        self.write(&self.next_part.rest_name(), self.done - 1, Coding::States(W::BYTES), write)
    }

    /// Writes the states that were generated from the others, and makes both durable.
    pub(crate) fn end_rest<W: Word>(
        &mut self,
        rest: &RunFile,
        stats: Stats,
        write: impl FnOnce(&mut RunWriter<W>) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let (id, coding) = (self.next_part, Coding::States(W::BYTES));
        let added = self.write(&id.added_name(), self.done, coding, write).inspect_err(|_| {
            // Alone it is of no use.
            let _ = self.disk.files().remove(&self.disk.path(&id.rest_name()));
        })?;
        self.end_part();
        self.part = Some(Part {
            id,
            rest: Recorded { states: rest.states, bytes: Some(rest.bytes), stats },
            added: (added.states, added.bytes),
        });
        self.next_part = PartId::random();
        self.is_durable = false;
        self.publish()
    }

    /// Makes all layers durable, unless that has failed before.
    pub(crate) fn publish(&mut self) -> Result<(), Limit> {
        if self.is_durable || self.is_broken {
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
        let owner = self.owner.fields().map(|(name, value)| (name, value.to_owned()));
        let coding = ("coding", self.coding.to_string());
        let goals = ("goals", GOALS[usize::from(self.are_goal_free)].to_owned());
        let layers = self.layers.iter().map(|layer| ("layer", layer.to_string()));
        let part = self.part.iter().map(|part| ("part", part.to_string()));
        let text = text::write(FORMAT, owner.chain([coding, goals]).chain(layers).chain(part));
        self.disk.replace(LAYERS, text.as_bytes())?;
        self.is_broken = false;
        self.is_durable = true;
        for name in self.obsolete.drain(..) {
            // A file that stays costs space and nothing else.
            let _ = self.disk.files().remove(&self.disk.path(&name));
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

/// Why a last part that may take this long is not written. Whatever limit stopped the run, it need not be one of time.
fn lost_part(time_left: Duration) -> String {
    let seconds = time_left.as_secs_f64();
    format!(
        "what was done since the last part of a layer is not in it: to write it takes longer than the \
         {seconds:.2} s that a run which is stopped has for it"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_part_is_explained_without_a_time_limit_of_the_user() {
        let text = lost_part(TIME_LEFT[0]);
        assert!(text.ends_with("longer than the 0.05 s that a run which is stopped has for it"));
        assert!(!text.contains("--time") && !text.contains("limit"), "{text}");
    }
}
