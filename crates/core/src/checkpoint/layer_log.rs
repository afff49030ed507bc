//! The layers of one search in a checkpoint: those that it has, which are read again, and those
//! that are added. The last one may be expanded in part.

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::files::LayerFiles;
use super::list::{self, Coding, LAYERS, List, Part, PartId, Recorded, layer_name};
use super::owner::{Owner, StateFile};
use super::parts::{Division, EarlierLayers};
use super::{Checkpoint, CheckpointError, search_name};
use crate::disk::Disk;
use crate::limit::Limit;
use crate::run_file::{RunFile, RunWriter};
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

/// The layers of a search.
pub(crate) struct LayerLog {
    files: LayerFiles,
    coding: Coding,
    purpose: Purpose,
    layers: Vec<Recorded>,
    /// The number of states of each layer that was there before the search, of all processes.
    earlier: Vec<u64>,
    /// Whether it is known that none of these has a goal.
    earlier_are_goal_free: bool,
    /// Whether it is known that none of `layers` has one.
    are_goal_free: bool,
    /// If another number of processes has written the layers: the folder of each, and its layers.
    /// They are read, and written again.
    others: Vec<(Disk, Owner, Vec<Recorded>)>,
    /// The number of layers that the search has read again or added.
    done: usize,
    part: Option<Part>,
    /// That of the part that is written next.
    next_part: PartId,
}

impl LayerLog {
    pub(super) fn open(
        checkpoint: Checkpoint,
        search: u32,
        division: Division,
        earlier: Option<EarlierLayers>,
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
        let owner = |division: &Division, process| {
            Owner::new(&inner.description, search, division, process)
        };
        // From here on, its end lets the next search use the checkpoint.
        let files = LayerFiles::new(checkpoint, disk, owner(&division, inner.process));
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
        if let Some(earlier) = earlier.as_ref().filter(|earlier| earlier.division == division) {
            let (disk, owner) = (log.files.disk.clone(), log.files.owner.clone());
            let (layers, part) = log.read_list(&disk, &owner, states, earlier)?;
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
            let what = "it has the last two layers, and this search needs all of them";
            return Err(log.files.refused(what));
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
        earlier: &EarlierLayers,
    ) -> Result<(Vec<Recorded>, Option<Part>), Limit> {
        let list = match List::read(disk, owner) {
            Err(CheckpointError::Io(error)) => self.files.noted(Err(error))?,
            read => read.map_err(|error| self.files.refused(&error.to_string()))?,
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
            return Err(self.files.refused(&what));
        }
        layers.truncate(earlier.layers.len());
        Ok((layers, part.filter(|_| earlier.has_part)))
    }

    /// Removes the files that a process left that was killed before it removed them.
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

    /// If others have written the next layer, the work of the searches up to then, and whether it
    /// is the last one.
    pub(crate) fn others_work(&self) -> Option<(Stats, bool)> {
        let (_, _, layers) = self.others.first()?;
        let next = layers.get(self.done)?;
        Some((next.stats, self.done + 1 == layers.len()))
    }

    /// Removes what others have written. All processes have it.
    pub(crate) fn remove_others(&mut self) {
        let others = std::mem::take(&mut self.others);
        if self.files.checkpoint.inner.process > 0 {
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

    /// The number of states of each layer that was there before the search; none if its start is
    /// not checked.
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
            self.files.checkpoint.note(io::Error::other(what));
        }
    }

    /// Whether only the last two layers are kept. Several processes do not make their layers
    /// durable at the same time.
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

    /// The number of states of the next layer: those of this process; or of all, if others have
    /// written it.
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
        let own = [(&self.files.disk, &self.files.owner, &self.layers)];
        let others = self.others.iter().map(|(disk, owner, layers)| (disk, owner, layers));
        let lists: Vec<_> = if self.has_own_next() { Vec::from(own) } else { others.collect() };
        for (disk, owner, layers) in lists {
            let Recorded { states, bytes, .. } = layers[self.done];
            self.files.read(disk, owner, file, (states, bytes.unwrap_or(0)), &mut visit)?;
        }
        Ok(())
    }

    /// The part of the next layer that is known; `None` if there is nothing of it. `start` gets the
    /// states that were generated. Returns the file of those that are not expanded, and the work of
    /// the searches up to then.
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
        self.files.read(&self.files.disk, &self.files.owner, file, part.added, start)?;
        let name = part.id.rest_name();
        let file = StateFile { name: &name, depth, coding: &coding };
        let (_, head) = self.files.open_file(&self.files.disk, &self.files.owner, file)?;
        let scanned = RunFile::scan::<W>(&self.files.disk.path(&name), &self.files.disk, head);
        let read = scanned.as_ref().map(|rest| (rest.states, rest.bytes));
        let expected = (part.rest.states, part.rest.bytes.unwrap_or(0));
        self.files.checked(&name, expected, read.map_err(|error| Limit::Io(error.kind())))?;
        Ok(Some((self.files.noted(scanned)?, part.rest.stats)))
    }

    /// Reports that a layer does not have the states of the search.
    pub(crate) fn other_states(&self) -> Limit {
        self.files.refused(&format!("{} has other states", layer_name(self.done)))
    }

    /// Reports that the search has other initial states.
    pub(crate) fn other_start(&self) -> Limit {
        self.files.refused("it starts from other states")
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
        let file = self.files.write(&layer_name(depth), depth, self.coding, write)?;
        if file.states != states {
            return Err(self.files.refused("the store has other states than it said"));
        }
        self.layers.push(Recorded { states, bytes: Some(file.bytes), stats });
        self.are_goal_free = self.purpose == Purpose::Goal;
        self.done += 1;
        self.files.note_change();
        self.end_part();
        // The first layer is checked by each search.
        if self.keeps_two()
            && let Some(old) = depth.checked_sub(2).filter(|&old| old > 0)
        {
            self.layers[old].bytes = None;
            self.files.remove_later([layer_name(old)]);
        }
        if self.files.should_publish() { self.publish() } else { Ok(()) }
    }

    /// Drops the part of a layer that is complete, or is known better.
    fn end_part(&mut self) {
        if let Some(old) = self.part.take() {
            self.files.remove_later([old.id.rest_name(), old.id.added_name()]);
        }
    }

    /// When a layer of `states` states should be written in part; `None` for never.
    pub(crate) fn next_part(&self, states: u64) -> Option<Instant> {
        let interval = self.files.checkpoint.part_interval;
        if self.is_distributed() { None } else { self.files.pace.next_part(states, interval) }
    }

    /// Whether a limit that was reached now would lose work that is worth a part.
    pub(crate) fn needs_last_part(&self) -> bool {
        !self.is_distributed() && self.files.pace.is_part_due(self.files.checkpoint.part_interval)
    }

    /// Whether other processes have parts of the layers. Then a layer is written as a whole: what
    /// is on the way between processes is in no store.
    fn is_distributed(&self) -> bool {
        self.files.checkpoint.inner.processes > 1
    }

    /// How long writing may take after a limit was reached.
    pub(crate) fn time_left(&self) -> Duration {
        self.files.pace.time_left()
    }

    /// Reports that a last part is not written. An error of a file is reported already.
    pub(crate) fn note_lost_part(&self, limit: Limit) {
        if limit.is_of_budget() {
            let what = lost_part(self.time_left());
            self.files.checkpoint.note(io::Error::new(ErrorKind::TimedOut, what));
        }
    }

    /// Writes the states of the current layer that are not expanded.
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

    /// Writes the states that were generated from the others, and makes both durable.
    pub(crate) fn end_rest<W: Word>(
        &mut self,
        rest: &RunFile,
        stats: Stats,
        write: impl FnOnce(&mut RunWriter<W>) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let (id, coding) = (self.next_part, Coding::States(W::BYTES));
        let added =
            self.files.write(&id.added_name(), self.done, coding, write).inspect_err(|_| {
                // Alone it is of no use.
                self.files.remove(&id.rest_name());
            })?;
        self.end_part();
        self.part = Some(Part {
            id,
            rest: Recorded { states: rest.states, bytes: Some(rest.bytes), stats },
            added: (added.states, added.bytes),
        });
        self.next_part = PartId::random();
        self.files.note_change();
        self.publish()
    }

    /// Makes all layers durable, unless that has failed before.
    pub(crate) fn publish(&mut self) -> Result<(), Limit> {
        let (owner, part) = (&self.files.owner, self.part);
        let list = list::write(owner, self.coding, self.are_goal_free, &self.layers, part);
        self.files.publish(&list)
    }
}

/// Why a last part that may take this long is not written. Whatever limit stopped the run, it need
/// not be one of time.
fn lost_part(time_left: Duration) -> String {
    let seconds = time_left.as_secs_f64();
    format!(
        "what was done since the last part of a layer is not in it: to write it takes longer than the \
         {seconds:.2} s that a run which is stopped has for it"
    )
}

#[cfg(test)]
mod tests {
    use super::super::pace::TIME_LEFT;
    use super::*;

    #[test]
    fn a_lost_part_is_explained_without_a_time_limit_of_the_user() {
        let text = lost_part(TIME_LEFT[0]);
        assert!(text.ends_with("longer than the 0.05 s that a run which is stopped has for it"));
        assert!(!text.contains("--time") && !text.contains("limit"), "{text}");
    }
}
