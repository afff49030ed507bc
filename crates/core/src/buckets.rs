//! What a search by [cost](crate::cost) has generated, and not yet added to its store: a bucket for
//! each distance (Dial, "Algorithm 360: Shortest-path forest with topological ordering", 1969).
//!
//! The successors of a layer go to buckets by the costs of the moves. The least bucket is the next
//! layer: its states are added to the store, which removes those that are in an earlier layer, or
//! twice in this one. So a store knows nothing of costs. Moves of cost 0 lead to a further layer of
//! the same distance.
//!
//! **Memory.** A state for each successor of the layers of the last distances, as many as the
//! greatest cost. With a [disk](crate::storage::Storage::with_disk), blocks of them are in files.

use std::collections::BTreeMap;
use std::iter::repeat_with;
use std::sync::Arc;

use crate::budget::{Budget, Limit};
use crate::cost::CostRange;
use crate::disk::{Disk, ScratchFolder};
use crate::memory::{Memory, SegmentPool, SegmentedVec};
use crate::run_file::{BLOCK_STATES, RunFile, RunWriter};
use crate::seam::Batch;
use crate::word::Word;

/// The buckets of a search, and the distances of its layers.
pub(crate) struct Buckets<W> {
    range: CostRange,
    /// Of each layer that was committed, in ascending order.
    pub(crate) distances: Vec<u32>,
    waiting: BTreeMap<u32, Bucket<W>>,
    memory: Memory,
    pool: SegmentPool<W>,
    disk: Option<Disk>,
    /// On the disk, once a layer is expanded.
    folder: Option<Arc<ScratchFolder>>,
}

/// The states of a distance, some of them more than once.
pub(crate) struct Bucket<W> {
    pub(crate) lists: Vec<SegmentedVec<W>>,
    pub(crate) files: Vec<RunFile>,
}

impl<W: Word> Bucket<W> {
    /// The number of its states.
    pub(crate) fn states(&self) -> u64 {
        let listed: usize = self.lists.iter().map(SegmentedVec::len).sum();
        listed as u64 + self.files.iter().map(|file| file.states).sum::<u64>()
    }

    /// Leaves its memory to other buckets, and removes its files.
    pub(crate) fn remove(self) {
        self.lists.into_iter().flat_map(SegmentedVec::into_segments).for_each(drop);
        self.files.into_iter().for_each(RunFile::remove);
    }
}

impl<W: Word> Buckets<W> {
    /// For a search that starts with a layer of distance 0.
    pub(crate) fn new(range: CostRange, budget: &Budget) -> Self {
        Self {
            range,
            distances: vec![0],
            waiting: BTreeMap::new(),
            memory: budget.memory().clone(),
            pool: SegmentPool::new(),
            disk: budget.storage().disk().cloned(),
            folder: None,
        }
    }

    /// What the expansion of a layer can add at least to its distance.
    pub(crate) fn least_cost(&self) -> u32 {
        self.range.least()
    }

    /// Where threads sort the successors of a layer.
    pub(crate) fn sorters(
        &mut self,
        distance: u32,
        threads: usize,
    ) -> Result<Vec<Sorter<W>>, Limit> {
        if let (None, Some(disk)) = (&self.folder, &self.disk) {
            self.folder = Some(Arc::new(ScratchFolder::create(disk)?));
        }
        let sorter = || Sorter {
            range: self.range,
            distance,
            lists: Vec::new(),
            slots: [(0, NO_LIST); SLOTS],
            memory: self.memory.clone(),
            pool: self.pool.clone(),
            folder: self.folder.clone(),
        };
        Ok(repeat_with(sorter).take(threads).collect())
    }

    /// Takes what a thread has sorted.
    pub(crate) fn take(&mut self, sorter: Sorter<W>) -> Result<(), Limit> {
        for mut sorted in sorter.lists {
            // A short list is not worth a file.
            if self.folder.is_some() && sorted.list.len() >= BLOCK_STATES / 8 {
                sorted.write(self.folder.as_deref())?;
            }
            let bucket = self.waiting.entry(sorted.distance);
            let bucket = bucket.or_insert_with(|| Bucket { lists: Vec::new(), files: Vec::new() });
            if !sorted.list.is_empty() {
                bucket.lists.push(sorted.list);
            }
            if let Some(file) = sorted.file {
                bucket.files.push(file.finish()?);
            }
        }
        Ok(())
    }

    /// The least distance of a bucket.
    pub(crate) fn least(&self) -> Option<u32> {
        self.waiting.first_key_value().map(|(&distance, _)| distance)
    }

    /// Removes the bucket of a distance.
    pub(crate) fn remove(&mut self, distance: u32) -> Option<Bucket<W>> {
        self.waiting.remove(&distance)
    }
}

/// The successors of a layer that one thread generated, by the costs of the moves.
pub(crate) struct Sorter<W> {
    range: CostRange,
    /// That of the layer.
    distance: u32,
    lists: Vec<Sorted<W>>,
    /// The last cost with these lowest bits, and the index of its list.
    slots: [(u32, usize); SLOTS],
    memory: Memory,
    pool: SegmentPool<W>,
    folder: Option<Arc<ScratchFolder>>,
}

/// The successors of a distance.
struct Sorted<W> {
    distance: u32,
    list: SegmentedVec<W>,
    file: Option<RunWriter<W>>,
}

/// More than there are small costs.
const SLOTS: usize = 16;
const NO_LIST: usize = usize::MAX;

impl<W: Word> Sorter<W> {
    /// Adds the states of a batch.
    pub(crate) fn add(&mut self, batch: &Batch<W>) -> Result<(), Limit> {
        for (state, cost) in batch.states_and_costs() {
            let (known, index) = self.slots[cost as usize % SLOTS];
            let index = if known == cost && index != NO_LIST { index } else { self.list(cost)? };
            self.lists[index].list.push(state)?;
        }
        if self.folder.is_some() {
            let full = self.lists.iter_mut().filter(|sorted| sorted.list.len() >= BLOCK_STATES);
            full.into_iter().try_for_each(|sorted| sorted.write(self.folder.as_deref()))?;
        }
        Ok(())
    }

    /// The index of the list of a cost.
    #[cold]
    fn list(&mut self, cost: u32) -> Result<usize, Limit> {
        let distance = self.range.add(self.distance, cost)?;
        let index = self.lists.iter().position(|sorted| sorted.distance == distance);
        let index = index.unwrap_or_else(|| {
            let list = SegmentedVec::with_pool(&self.memory, &self.pool);
            self.lists.push(Sorted { distance, list, file: None });
            self.lists.len() - 1
        });
        self.slots[cost as usize % SLOTS] = (cost, index);
        Ok(index)
    }
}

impl<W: Word> Sorted<W> {
    /// Moves the list to the file.
    fn write(&mut self, folder: Option<&ScratchFolder>) -> Result<(), Limit> {
        let Some(folder) = folder else { return Ok(()) };
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(RunWriter::create(&folder.new_file()?, folder.disk())?),
        };
        self.list.slices().try_for_each(|states| file.push_blocks(states))?;
        self.list.clear();
        Ok(())
    }
}
