//! The layers of one search in a checkpoint: saved layers that are read back, and new layers that
//! are appended. The last layer may be partially expanded.

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use super::files::LayerFiles;
use super::header::{Header, StateFile};
use super::list::{self, Coding, LAYERS, List, Part, PartId, Recorded, layer_name};
use super::parts::{Division, SavedLayers};
use super::{Checkpoint, CheckpointError, search_name};
use crate::clock::Instant;
use crate::disk::Disk;
use crate::limit::Limit;
use crate::run_file::{RunFile, RunWriter};
use crate::stats::Stats;
use crate::word::Word;

/// What a search needs the saved layers for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To find a goal. The search ends at the first goal, so the layers that it appends contain
    /// none.
    Goal,
    /// To pass them to a visitor.
    Visit,
    /// To count their states, in an undirected or a graded space: only the last two layers are kept.
    Count,
}

/// The layers of a search.
pub(crate) struct LayerLog {
    files: LayerFiles,
    coding: Coding,
    purpose: Purpose,
    layers: Vec<Recorded>,
    /// The sizes of the layers that were saved before this search, over all processes.
    earlier: Vec<u64>,
    /// Whether the saved layers are known to contain no goal.
    earlier_are_goal_free: bool,
    /// Whether `layers` are known to contain no goal.
    are_goal_free: bool,
    /// If the layers were saved under another partitioning: the folder, the file header and the
    /// layers of each process of that run. They are read and written again under the current
    /// partitioning.
    others: Vec<(Disk, Header, Vec<Recorded>)>,
    /// The number of layers that the search has read back or appended.
    done: usize,
    part: Option<Part>,
    /// The id of the next partial layer to write.
    next_part: PartId,
}

impl LayerLog {
    pub(super) fn open(
        checkpoint: Checkpoint,
        search: u32,
        division: Division,
        earlier: Option<SavedLayers>,
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
        let header = |division: &Division, process| {
            Header::new(&inner.description, search, division, process)
        };
        // From here on, dropping `files` allows the next search to use the checkpoint, also on an
        // early return.
        let files = LayerFiles::new(checkpoint, disk, header(&division, inner.process));
        let created = files.disk.create();
        files.noted(created)?;
        let is_goal_free = earlier.as_ref().is_some_and(|earlier| earlier.is_goal_free);
        let mut log = Self {
            files,
            coding: if takes_ranks { Coding::Ranks } else { states },
            purpose,
            layers: Vec::new(),
            earlier: earlier.as_ref().map(|earlier| earlier.layers.clone()).unwrap_or_default(),
            earlier_are_goal_free: is_goal_free,
            are_goal_free: is_goal_free,
            others: Vec::new(),
            done: 0,
            part: None,
            next_part: PartId::random(),
        };
        // Three cases: nothing is saved; the layers were saved by this very partitioning, and are
        // continued in place; or they were saved by another one, and are read from all of its
        // folders and appended to ours as if they were new.
        if let Some(earlier) = earlier.as_ref().filter(|earlier| earlier.division == division) {
            let (disk, header) = (log.files.disk.clone(), log.files.header.clone());
            let (layers, part) = log.read_list(&disk, &header, states, earlier)?;
            (log.layers, log.part) = (layers, part);
        } else if let Some(earlier) = &earlier {
            for process in 0..earlier.division.processes {
                let folder = folder(&earlier.division, process);
                let header = header(&earlier.division, process);
                let (layers, _) = log.read_list(&folder, &header, states, earlier)?;
                log.others.push((folder, header, layers));
            }
        }
        let needed = if log.keeps_two() { 2 } else { usize::MAX };
        let is_missing = |layers: &Vec<Recorded>| {
            layers.iter().rev().take(needed).any(|layer| layer.bytes.is_none())
        };
        if log.lists().any(is_missing) {
            let what = "it keeps only the last two layers, but this search needs all of them";
            return Err(log.files.refused(what));
        }
        log.remove_unnamed();
        Ok(log)
    }

    /// Reads the list of a folder: the layers that all processes have saved, and the partial next
    /// layer.
    fn read_list(
        &mut self,
        disk: &Disk,
        header: &Header,
        states: Coding,
        earlier: &SavedLayers,
    ) -> Result<(Vec<Recorded>, Option<Part>), Limit> {
        let list = match List::read(disk, header) {
            Err(CheckpointError::Io(error)) => self.files.noted(Err(error))?,
            read => read.map_err(|error| self.files.refused(&error.to_string()))?,
        };
        let Some(list) = list else { return Ok((Vec::new(), None)) };
        let List { coding: found, mut layers, part, .. } = list;
        if found == states.to_string() {
            // Every store can read states.
            self.coding = states;
        } else if found != self.coding.to_string() {
            let what = format!(
                "it contains {found}, which only `two-bits` reads, but this search needs {states}"
            );
            return Err(self.files.refused(&what));
        }
        layers.truncate(earlier.layers.len());
        Ok((layers, part.filter(|_| earlier.has_part)))
    }

    /// Removes files that the list does not name: leftovers of a process that was killed. Runs
    /// before the first write of this search, so that no such file is in progress.
    fn remove_unnamed(&self) {
        self.files.remove_unnamed(|name| match name.split_once('-') {
            Some(("layer", depth)) => depth
                .parse::<usize>()
                .ok()
                .and_then(|depth| self.layers.get(depth))
                .is_some_and(|layer| layer.bytes.is_some()),
            Some(("rest" | "added", id)) => {
                self.part.is_some_and(|part| Some(part.id) == PartId::parse(id))
            }
            _ => true,
        });
    }

    /// Whether the layers contain ranks.
    pub(crate) fn has_ranks(&self) -> bool {
        self.coding == Coding::Ranks
    }

    /// Whether the next layer is saved, by this process or under another partitioning.
    pub(crate) fn has_next(&self) -> bool {
        self.has_own_next() || self.others.iter().any(|(_, _, layers)| self.done < layers.len())
    }

    /// Whether the next layer is saved in the folder of this process.
    pub(crate) fn has_own_next(&self) -> bool {
        self.done < self.layers.len()
    }

    /// If the next layer was saved under another partitioning: the work up to that layer, and
    /// whether it is the last saved one.
    pub(crate) fn others_work(&self) -> Option<(Stats, bool)> {
        let (_, _, layers) = self.others.first()?;
        let next = layers.get(self.done)?;
        Some((next.stats, self.done + 1 == layers.len()))
    }

    /// Removes the files of this search that were saved under the other division (process 0 does
    /// it). The caller guarantees that every process has rewritten its layers durably.
    pub(crate) fn remove_others(&mut self) {
        let others = std::mem::take(&mut self.others);
        if self.files.checkpoint.inner.process > 0 {
            return;
        }
        for (disk, ..) in others {
            let names = disk.files().names(disk.folder()).unwrap_or_default();
            // Remove the list first: without it the layer files are ignored. Errors are ignored,
            // too: a file that is left only costs space.
            for name in [LAYERS].into_iter().chain(names.iter().map(String::as_str)) {
                let _ = disk.files().remove(&disk.path(name));
            }
        }
    }

    /// The sizes of the layers that earlier runs saved. Empty until layer 0 has been compared with
    /// the initial states, because the checkpoint may belong to a search with others.
    pub(crate) fn earlier(&self) -> &[u64] {
        if self.is_at_start() { &[] } else { &self.earlier }
    }

    /// The distance up to which the layers, from layer 0, are known to contain no goal; `None` if
    /// no layer is.
    pub(crate) fn goal_free_distance(&self) -> Option<u32> {
        let read = if self.purpose == Purpose::Goal { self.done } else { 0 };
        let earlier = if self.earlier_are_goal_free { self.earlier().len() } else { 0 };
        self.distance(read.max(earlier).checked_sub(1)?)
    }

    /// The distance of the next saved layer.
    pub(crate) fn next_distance(&self) -> Option<u32> {
        self.distance(self.done)
    }

    /// The distance of the last saved layer.
    pub(crate) fn last_distance(&self) -> Option<u32> {
        self.lists().filter_map(|layers| Some(layers.last()?.distance)).max()
    }

    fn distance(&self, layer: usize) -> Option<u32> {
        self.lists().find_map(|layers| Some(layers.get(layer)?.distance))
    }

    /// The layers of this process, and those that were saved under another partitioning.
    fn lists(&self) -> impl Iterator<Item = &Vec<Recorded>> {
        let others = self.others.iter().map(|(_, _, layers)| layers);
        std::iter::once(&self.layers).chain(others)
    }

    /// Records that a limit was reached before all saved layers were read, if that is so.
    pub(crate) fn note_unread(&self, limit: Limit) {
        let (read, all) = (self.done, self.earlier.len());
        if read < all {
            let what = format!("{limit} while the saved layers were read: {read} of {all}");
            self.files.checkpoint.note(io::Error::other(what));
        }
    }

    /// Whether only the last two layers are kept. A cluster keeps all of them: its processes sync
    /// at different times, so the last layer that all of them have may be an older one.
    fn keeps_two(&self) -> bool {
        self.purpose == Purpose::Count && !self.is_distributed()
    }

    /// Whether the next layer is layer 0.
    pub(crate) fn is_at_start(&self) -> bool {
        self.done == 0
    }

    /// Whether the states of the next layer are still on disk. Of a removed layer only the size is
    /// known.
    pub(crate) fn has_next_states(&self) -> bool {
        self.layers.get(self.done).is_none_or(|layer| layer.bytes.is_some())
    }

    /// The size of the next layer: the states of this process, or of all processes if it was saved
    /// under another partitioning.
    pub(crate) fn next_states(&self) -> u64 {
        match self.layers.get(self.done) {
            Some(layer) => layer.states,
            None => self.others.iter().map(|(_, _, layers)| layers[self.done].states).sum(),
        }
    }

    /// Reads the states or ranks of the next layer. Call it only if
    /// [`has_next_states`](Self::has_next_states) is true.
    pub(crate) fn read_next<W: Word>(
        &self,
        visit: impl FnMut(&[W]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let (name, coding, mut visit) = (layer_name(self.done), self.coding.to_string(), visit);
        let file = StateFile { name: &name, depth: self.done, coding: &coding };
        let own = [(&self.files.disk, &self.files.header, &self.layers)];
        let others = self.others.iter().map(|(disk, header, layers)| (disk, header, layers));
        let lists: Vec<_> = if self.has_own_next() { Vec::from(own) } else { others.collect() };
        for (disk, header, layers) in lists {
            let Recorded { states, bytes, .. } = layers[self.done];
            self.files.read(disk, header, file, (states, bytes.unwrap_or(0)), &mut visit)?;
        }
        Ok(())
    }

    /// Reads the half-finished expansion of layer `d`, if one is saved. Passes the states of layer
    /// `d + 1` to `start`. Returns the file of the states of layer `d` that are not expanded, and
    /// the work that was done when it was saved.
    pub(crate) fn read_part<W: Word>(
        &self,
        start: impl FnMut(&[W]) -> Result<(), Limit>,
    ) -> Result<Option<(RunFile, Stats)>, Limit> {
        let Some(part) = self.part else { return Ok(None) };
        // The depth `d`.
        let depth = self.done - 1;
        let added = part.id.added_name();
        let coding = Coding::States(W::BYTES).to_string();
        let file = StateFile { name: &added, depth: depth + 1, coding: &coding };
        self.files.read(&self.files.disk, &self.files.header, file, part.added, start)?;
        let name = part.id.rest_name();
        let file = StateFile { name: &name, depth, coding: &coding };
        let (_, head) = self.files.open_file(&self.files.disk, &self.files.header, file)?;
        let scanned = RunFile::scan::<W>(&self.files.disk.path(&name), &self.files.disk, head);
        let read = scanned.as_ref().map(|rest| (rest.states, rest.bytes));
        let expected = (part.rest.states, part.rest.bytes.unwrap_or(0));
        self.files.checked(&name, expected, read.map_err(|error| Limit::Io(error.kind())))?;
        Ok(Some((self.files.noted(scanned)?, part.rest.stats)))
    }

    /// Records that a saved layer differs from the layer of this search.
    pub(crate) fn other_states(&self) -> Limit {
        self.files
            .refused(&format!("{} does not have the states of this search", layer_name(self.done)))
    }

    /// Records that layer 0 differs from the initial states of this search.
    pub(crate) fn other_start(&self) -> Limit {
        self.files.refused("its initial states are not those of this search")
    }

    /// Advances over a saved layer of which the search has `states` states. After the last saved
    /// layer, returns the work of the run that wrote it.
    pub(crate) fn confirm(&mut self, states: u64) -> Result<Option<Stats>, Limit> {
        let Recorded { states: expected, stats, .. } = self.layers[self.done];
        if states != expected {
            return Err(self.other_states());
        }
        self.done += 1;
        Ok((!self.has_next()).then_some(stats))
    }

    /// Appends a complete layer. `write` must write exactly `states` states or ranks.
    pub(crate) fn append<W: Word>(
        &mut self,
        distance: u32,
        states: u64,
        stats: Stats,
        write: impl FnOnce(&mut RunWriter<W>) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let depth = self.done;
        let file = self.files.write(&layer_name(depth), depth, self.coding, write)?;
        if file.states != states {
            return Err(self.files.refused(
                "internal error: the store returned another number of states than it committed",
            ));
        }
        let bytes = Some(file.bytes);
        self.layers.push(Recorded { distance, states, bytes, stats });
        self.are_goal_free = self.purpose == Purpose::Goal;
        self.done += 1;
        self.files.note_change();
        // The complete layer supersedes its partial one; the old files go once the new list is
        // durable.
        self.end_part();
        // Layer 0 is kept, because each run compares it with its initial states.
        if self.keeps_two()
            && let Some(old) = depth.checked_sub(2).filter(|&old| old > 0)
        {
            self.layers[old].bytes = None;
            self.files.remove_later([layer_name(old)]);
        }
        if self.files.should_sync() { self.sync() } else { Ok(()) }
    }

    /// Drops the partial layer: the layer is complete, or a newer partial layer replaces it.
    fn end_part(&mut self) {
        if let Some(old) = self.part.take() {
            self.files.remove_later([old.id.rest_name(), old.id.added_name()]);
        }
    }

    /// When to write the next partial layer while a layer of `states` states is expanded; `None`
    /// for never.
    pub(crate) fn next_part(&self, states: u64) -> Option<Instant> {
        let interval = self.files.checkpoint.part_interval;
        if self.is_distributed() { None } else { self.files.pace.next_part(states, interval) }
    }

    /// Whether enough work would be lost now to justify a last partial layer.
    pub(crate) fn needs_last_part(&self) -> bool {
        !self.is_distributed() && self.files.pace.is_part_due(self.files.checkpoint.part_interval)
    }

    /// Whether the states are partitioned over several processes. Then only complete layers are
    /// written: states that are in transit between processes are in no store.
    fn is_distributed(&self) -> bool {
        self.files.checkpoint.inner.processes > 1
    }

    /// How long writing may continue after a limit is reached.
    pub(crate) fn time_left(&self) -> Duration {
        self.files.pace.time_left()
    }

    /// Records that the last partial layer was not written because of a limit. I/O errors are
    /// already recorded.
    pub(crate) fn note_lost_part(&self, limit: Limit) {
        if limit.is_of_budget() {
            let what = lost_part(self.time_left());
            self.files.checkpoint.note(io::Error::new(ErrorKind::TimedOut, what));
        }
    }

    /// First half of a partial layer: writes the states of the current layer that are not expanded.
    pub(crate) fn write_rest<W: Word>(
        &mut self,
        write: impl FnOnce(&mut RunWriter<W>) -> Result<(), Limit>,
    ) -> Result<RunFile, Limit> {
        self.files.write(
            &self.next_part.rest_name(),
            self.done - 1,
            Coding::States(W::BYTES),
            write,
        )
    }

    /// Second half: writes the states that were generated so far, and makes both files durable.
    pub(crate) fn end_rest<W: Word>(
        &mut self,
        rest: &RunFile,
        stats: Stats,
        write: impl FnOnce(&mut RunWriter<W>) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let (id, coding) = (self.next_part, Coding::States(W::BYTES));
        let added =
            self.files.write(&id.added_name(), self.done, coding, write).inspect_err(|_| {
                // One file without the other is useless.
                self.files.remove(&id.rest_name());
            })?;
        // The old partial layer stays valid until the list that names the new one is durable. Both
        // have different ids, so a crash between the two cannot mix their files.
        self.end_part();
        self.part = Some(Part {
            id,
            rest: Recorded { distance: 0, states: rest.states, bytes: Some(rest.bytes), stats },
            added: (added.states, added.bytes),
        });
        self.next_part = PartId::random();
        self.files.note_change();
        self.sync()
    }

    /// Makes all layers durable. Does nothing after a failure.
    pub(crate) fn sync(&mut self) -> Result<(), Limit> {
        let (header, part) = (&self.files.header, self.part);
        let list = list::write(header, self.coding, self.are_goal_free, &self.layers, part);
        self.files.sync(&list)
    }
}

/// The warning for a last partial layer that did not fit in this time. It must not mention a time
/// limit: the run may have been stopped by another limit.
fn lost_part(time_left: Duration) -> String {
    let seconds = time_left.as_secs_f64();
    format!(
        "the work since the last save is lost: writing it takes longer than the {seconds:.2} s \
         that are reserved for it after a stop"
    )
}

#[cfg(test)]
mod tests {
    use super::super::pace::TIME_LEFT;
    use super::*;

    #[test]
    fn a_lost_part_is_explained_without_a_time_limit_of_the_user() {
        let text = lost_part(TIME_LEFT[0]);
        assert!(text.ends_with("longer than the 0.05 s that are reserved for it after a stop"));
        assert!(!text.contains("--time") && !text.contains("limit"), "{text}");
    }
}
