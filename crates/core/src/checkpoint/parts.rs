//! The processes that wrote a checkpoint, and how they partitioned the states. Any set of processes
//! can read what another set wrote: a layer is the same set of states in each run, and each store
//! keeps the states that it owns.

use std::io;

use super::header::Header;
use super::list::{LAYERS, List, trace_of_list};
use super::{CheckpointError, Description, list_name, search_name};
use crate::disk::Disk;

/// A number of processes and how they partition the states. The name of the partitioning is free
/// text, because a store outside of this crate can define its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Division {
    pub(super) processes: usize,
    /// The result of [`LayerStore::division`](crate::store::LayerStore::division); empty for one
    /// process.
    pub(super) name: String,
}

impl Division {
    pub(super) fn new(processes: usize, name: &str) -> Self {
        let name = if processes == 1 { "" } else { name };
        Self { processes, name: name.to_owned() }
    }

    /// A single process, which has all states.
    pub(super) fn alone() -> Self {
        Self::new(1, "")
    }

    /// The name of the subfolder of a process; `None` if it is the checkpoint folder itself.
    fn part_name(&self, process: usize) -> Option<String> {
        let Self { processes, name } = self;
        (*processes > 1).then(|| format!("process-{process}-of-{processes}-by-{name}"))
    }

    /// The folder of one of the processes.
    pub(super) fn part(&self, root: &Disk, process: usize) -> Disk {
        self.part_name(process).map_or_else(|| root.clone(), |name| root.sub_folder(&name))
    }

    /// The path of one of its files, relative to the checkpoint folder.
    fn path(&self, process: usize, file: &str) -> String {
        match self.part_name(process) {
            Some(name) => format!("{name}/{file}"),
            None => file.to_owned(),
        }
    }

    /// Parses the name of a subfolder: the inverse of [`part_name`](Self::part_name).
    pub(super) fn of_part(name: &str) -> Option<(usize, Self)> {
        let (process, rest) = name.strip_prefix("process-")?.split_once("-of-")?;
        let (processes, name) = rest.split_once("-by-")?;
        let processes = processes.parse().ok().filter(|&processes| processes > 1)?;
        Some((process.parse().ok()?, Self::new(processes, name)))
    }
}

/// The folder of one search of one process.
fn folder(root: &Disk, division: &Division, process: usize, search: u32) -> Disk {
    division.part(root, process).sub_folder(&search_name(search))
}

/// The saved layers of one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SavedLayers {
    /// The partitioning under which they were written.
    pub(super) division: Division,
    /// The sizes of the layers that all processes have saved, over all processes.
    pub(super) layers: Vec<u64>,
    /// Whether they are ranks.
    pub(super) are_ranks: bool,
    /// Whether it is known that none of them has a goal.
    pub(super) is_goal_free: bool,
    /// Whether there is also a partial next layer.
    pub(super) has_part: bool,
}

impl SavedLayers {
    /// Encodes it as one line of text, to send it to other processes.
    pub(super) fn to_text(&self) -> String {
        let Self { division, layers, are_ranks, is_goal_free, has_part } = self;
        let Division { processes, name } = division;
        let layers: Vec<_> = layers.iter().map(u64::to_string).collect();
        let layers = layers.join(",");
        format!("{processes} {are_ranks} {is_goal_free} {has_part} {layers} {name}")
    }

    /// The inverse of [`to_text`](Self::to_text).
    pub(super) fn of_text(text: &str) -> Option<Self> {
        let words: Vec<_> = text.splitn(6, ' ').collect();
        let [processes, are_ranks, is_goal_free, has_part, layers, name] = words[..] else {
            return None;
        };
        let layers = layers.split(',').filter(|layer| !layer.is_empty());
        Some(Self {
            division: Division::new(processes.parse().ok()?, name),
            layers: layers.map(|layer| layer.parse().ok()).collect::<Option<_>>()?,
            are_ranks: are_ranks.parse().ok()?,
            is_goal_free: is_goal_free.parse().ok()?,
            has_part: has_part.parse().ok()?,
        })
    }

    /// Finds the saved layers of a search; `None` if there are none. If several partitionings have
    /// layers, the one with the most layers wins.
    pub(super) fn find(
        root: &Disk,
        description: &Description,
        search: u32,
    ) -> Result<Option<Self>, CheckpointError> {
        let names = root.files().names(root.folder())?;
        let mut divisions = vec![Division::alone()];
        for (_, division) in names.iter().filter_map(|name| Division::of_part(name)) {
            if !divisions.contains(&division) {
                divisions.push(division);
            }
        }
        let mut best: Option<Self> = None;
        // The layers of several divisions may exist at the same time: a run with another division
        // removes the old files only after all of its processes have rewritten every layer.
        for division in divisions.clone() {
            let Some(found) = Self::of(root, description, search, division)? else { continue };
            if best.as_ref().is_none_or(|best| best.layers.len() < found.layers.len()) {
                best = Some(found);
            }
        }
        if best.is_none() {
            divisions.iter().try_for_each(|division| Self::check_empty(root, search, division))?;
        }
        Ok(best)
    }

    /// Checks that no list was lost. Each process writes its first list before any process can
    /// commit layer 1, so a folder with later files must have one.
    fn check_empty(root: &Disk, search: u32, division: &Division) -> Result<(), CheckpointError> {
        let lists = (0..division.processes).map(|process| {
            let disk = folder(root, division, process, search);
            Ok((process, disk.contents(LAYERS)?.is_some(), trace_of_list(&disk)?))
        });
        let lists = lists.collect::<io::Result<Vec<_>>>()?;
        let missing = lists.iter().find(|(_, has_list, _)| !has_list);
        let has = lists.iter().find_map(|(process, _, trace)| Some((*process, trace.as_ref()?)));
        match (missing, has) {
            (Some(&(missing, ..)), Some((process, file))) => Err(CheckpointError::Unlisted {
                has: division.path(process, &format!("{}/{file}", search_name(search))),
                missing: division.path(missing, &list_name(search)),
            }),
            _ => Ok(()),
        }
    }

    /// Reads what the processes of one partitioning have written.
    fn of(
        root: &Disk,
        description: &Description,
        search: u32,
        division: Division,
    ) -> Result<Option<Self>, CheckpointError> {
        let mut lists = Vec::new();
        for process in 0..division.processes {
            let disk = folder(root, &division, process, search);
            let header = Header::new(description, search, &division, process);
            let Some(list) = List::read(&disk, &header)? else { return Ok(None) };
            lists.push(list);
        }
        // Processes sync at different times, so only the layers that every process has count.
        let layers = lists.iter().map(|list| list.layers.len()).min().unwrap_or(0);
        let states = |depth: usize| lists.iter().map(|list| list.layers[depth].states).sum();
        Ok(Some(Self {
            layers: (0..layers).map(states).collect(),
            are_ranks: lists.iter().any(List::are_ranks),
            is_goal_free: lists.iter().all(|list| list.is_goal_free),
            has_part: division.processes == 1 && lists.iter().any(List::has_part),
            division,
        }))
    }
}
