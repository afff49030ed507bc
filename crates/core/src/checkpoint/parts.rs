//! Whose layers a search goes on from: those of one process, or of several, each of which has
//! written the states that it owned. Which process writes and which one reads does not matter: a
//! layer is the same set of states in each run, and each store takes the states that it owns.

use std::io;

use super::list::{LAYERS, List, trace_of_list};
use super::owner::Owner;
use super::{CheckpointError, Description, list_name, search_name};
use crate::disk::Disk;

/// The processes that have written a checkpoint, or write it, and how they divide the states. A
/// word that is not known is that of a store of somebody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Division {
    pub(super) processes: usize,
    /// As [`LayerStore::division`](crate::store::LayerStore::division) says; empty for one process.
    pub(super) name: String,
}

impl Division {
    pub(super) fn new(processes: usize, name: &str) -> Self {
        let name = if processes == 1 { "" } else { name };
        Self { processes, name: name.to_owned() }
    }

    /// That of one process.
    pub(super) fn alone() -> Self {
        Self::new(1, "")
    }

    /// The name of the folder of one of the processes; `None` for the folder of the checkpoint
    /// itself.
    fn part_name(&self, process: usize) -> Option<String> {
        let Self { processes, name } = self;
        (*processes > 1).then(|| format!("process-{process}-of-{processes}-by-{name}"))
    }

    /// The folder of one of the processes.
    pub(super) fn part(&self, root: &Disk, process: usize) -> Disk {
        self.part_name(process).map_or_else(|| root.clone(), |name| root.sub_folder(&name))
    }

    /// The name of a file in it, from the folder of the checkpoint.
    fn path(&self, process: usize, file: &str) -> String {
        match self.part_name(process) {
            Some(name) => format!("{name}/{file}"),
            None => file.to_owned(),
        }
    }

    /// The number of the process and the division whose folder has this name.
    pub(super) fn of_part(name: &str) -> Option<(usize, Self)> {
        let (process, rest) = name.strip_prefix("process-")?.split_once("-of-")?;
        let (processes, name) = rest.split_once("-by-")?;
        let processes = processes.parse().ok().filter(|&processes| processes > 1)?;
        Some((process.parse().ok()?, Self::new(processes, name)))
    }
}

/// Where a process has a search.
fn folder(root: &Disk, division: &Division, process: usize, search: u32) -> Disk {
    division.part(root, process).sub_folder(&search_name(search))
}

/// The layers that a checkpoint has of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EarlierLayers {
    /// Who has written them.
    pub(super) division: Division,
    /// The number of states of each layer that all processes have.
    pub(super) layers: Vec<u64>,
    /// Whether they are ranks.
    pub(super) are_ranks: bool,
    /// Whether it is known that none of them has a goal.
    pub(super) is_goal_free: bool,
    /// Whether a part of the next layer is there, too.
    pub(super) has_part: bool,
}

impl EarlierLayers {
    /// As words that can be sent.
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

    /// What the checkpoint has of a search; `None` if it has nothing. If several runs have left
    /// layers, those with the most.
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

    /// Refuses what has lost a list. All processes have one before the first of them has a second
    /// layer.
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

    /// What these processes have written.
    fn of(
        root: &Disk,
        description: &Description,
        search: u32,
        division: Division,
    ) -> Result<Option<Self>, CheckpointError> {
        let mut lists = Vec::new();
        for process in 0..division.processes {
            let disk = folder(root, &division, process, search);
            let owner = Owner::new(description, search, &division, process);
            let Some(list) = List::read(&disk, &owner)? else { return Ok(None) };
            lists.push(list);
        }
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
