//! Whose layers a search goes on from: those of one process, or of several, each of which has written the
//! states that it owned. Which process writes and which one reads does not matter: a layer is the same set
//! of states in each run, and each store takes the states that it owns.

use super::layer_log::recorded;
use super::{CheckpointError, search_name};
use crate::disk::Disk;

/// The layers that a checkpoint has of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Earlier {
    /// The number of processes that have written them.
    pub(super) processes: usize,
    /// The number of layers that all of them have.
    pub(super) layers: u32,
    /// The number of states in these layers.
    pub(super) states: u64,
    /// Whether they are ranks.
    pub(super) are_ranks: bool,
    /// Whether a part of the next layer is there, too.
    pub(super) has_part: bool,
}

impl Earlier {
    /// As numbers that can be sent.
    pub(super) fn to_numbers(&self) -> [u64; 5] {
        let Self { processes, layers, states, are_ranks, has_part } = *self;
        [processes as u64, layers.into(), states, are_ranks.into(), has_part.into()]
    }

    /// The inverse of [`to_numbers`](Self::to_numbers).
    pub(super) fn of_numbers(numbers: &[u64; 5]) -> Self {
        let [processes, layers, states, are_ranks, has_part] = *numbers;
        Self {
            processes: processes as usize,
            layers: layers as u32,
            states,
            are_ranks: are_ranks > 0,
            has_part: has_part > 0,
        }
    }

    /// What the checkpoint has of a search; `None` if it has nothing. If several runs have left layers,
    /// those with the most; of equally many, those of as many processes as now.
    pub(super) fn find(
        root: &Disk,
        search: u32,
        processes: usize,
    ) -> Result<Option<Self>, CheckpointError> {
        let names = root.files().names(root.folder())?;
        let counts =
            names.iter().filter_map(|name| name.strip_prefix("process-0-of-")?.parse().ok());
        let mut best: Option<Self> = None;
        for count in [processes, 1].into_iter().chain(counts) {
            let Some(found) = Self::of_processes(root, search, count)? else { continue };
            if best.is_none_or(|best| best.layers < found.layers) {
                best = Some(found);
            }
        }
        Ok(best)
    }

    /// What as many processes have written.
    fn of_processes(
        root: &Disk,
        search: u32,
        processes: usize,
    ) -> Result<Option<Self>, CheckpointError> {
        let mut lists = Vec::new();
        for process in 0..processes {
            let disk = part(root, process, processes).sub_folder(&search_name(search));
            let Some(list) = recorded(&disk)? else { return Ok(None) };
            lists.push(list);
        }
        let layers = lists.iter().map(|list| list.layers.len()).min().unwrap_or(0);
        let states = lists.iter().flat_map(|list| &list.layers[..layers]).sum();
        Ok(Some(Self {
            processes,
            layers: layers as u32,
            states,
            are_ranks: lists.iter().any(|list| list.are_ranks),
            has_part: processes == 1 && lists.iter().any(|list| list.has_part),
        }))
    }
}

/// The folder of one of several processes.
pub(super) fn part(root: &Disk, process: usize, processes: usize) -> Disk {
    if processes == 1 {
        root.clone()
    } else {
        root.sub_folder(&format!("process-{process}-of-{processes}"))
    }
}

/// Whether a folder has such a name.
pub(super) fn is_part(name: &str) -> bool {
    name.strip_prefix("process-").is_some_and(|rest| {
        rest.split_once("-of-")
            .is_some_and(|(one, all)| one.parse::<u32>().is_ok() && all.parse::<u32>().is_ok())
    })
}
