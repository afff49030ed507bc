//! What a search by [cost](crate::space::cost) has generated, and not yet added to its store: a
//! bucket for each distance (Dial, "Algorithm 360: Shortest-path forest with topological ordering",
//! 1969).
//!
//! The successors of a layer go to buckets by the costs of the moves. The least bucket is the next
//! layer: its states are added to the store, which removes those that are in an earlier layer, or
//! twice in this one. So a store knows nothing of costs. Moves of cost 0 lead to a further layer of
//! the same distance.
//!
//! **Memory.** A state for each successor of the layers of the last distances, as many as the
//! greatest cost. With a [disk](crate::storage::Storage::with_disk), blocks of them are in files:
//! an open one for each thread and distance.

use std::collections::BTreeMap;
use std::iter::repeat_with;
use std::sync::Arc;

use crate::budget::{Budget, Limit, Meter};
use crate::cluster::{self, sums};
use crate::disk::{Disk, ScratchFolder};
use crate::layers::{
    DistanceQueue, Expander, LayerSize, Source, Successors, add_states, add_states_here,
};
use crate::memory::{Memory, SegmentPool, SegmentedVec};
use crate::run_file::{BLOCK_STATES, RunFile, RunWriter};
use crate::seam::Batch;
use crate::space::cost::CostRange;
use crate::store::{FileReader, LayerStore};
use crate::word::Word;

/// The buckets of a search, and the distances of its layers.
pub(crate) struct Buckets<W> {
    distances: Vec<u32>,
    /// What each thread generated.
    sorters: Vec<Sorter<W>>,
    disk: Option<Disk>,
}

/// The states of a distance, some of them more than once.
struct Bucket<W> {
    lists: Vec<SegmentedVec<W>>,
    files: Vec<RunFile>,
}

impl<W: Word> Bucket<W> {
    /// The number of its states.
    fn states(&self) -> u64 {
        let listed: usize = self.lists.iter().map(SegmentedVec::len).sum();
        listed as u64 + self.files.iter().map(|file| file.states).sum::<u64>()
    }

    /// Leaves its memory to other buckets, and removes its files.
    fn remove(self) {
        self.lists.into_iter().flat_map(SegmentedVec::into_segments).for_each(drop);
        self.files.into_iter().for_each(RunFile::remove);
    }
}

impl<W: Word> Buckets<W> {
    /// For a search that starts with a layer of distance 0.
    pub(crate) fn new(range: CostRange, threads: usize, budget: &Budget) -> Self {
        let (memory, pool) = (budget.memory(), SegmentPool::new());
        let sorter = || Sorter {
            range,
            distance: 0,
            slots: [(0, NO_LIST); SLOTS],
            indices: BTreeMap::new(),
            waiting: Vec::new(),
            unused: Vec::new(),
            memory: memory.clone(),
            pool: pool.clone(),
            folder: None,
        };
        let sorters = repeat_with(sorter).take(threads).collect();
        Self { distances: vec![0], sorters, disk: budget.storage().disk().cloned() }
    }

    /// Notes the distance of a layer that was committed, and frees the memory that buckets left,
    /// except for room for this many states.
    fn end_layer(&mut self, distance: u32, states: u64) {
        self.distances.push(distance);
        self.sorters[0].pool.shrink_to(states as usize);
    }

    /// The least distance of a bucket.
    fn least(&self) -> Option<u32> {
        let least = |sorter: &Sorter<W>| Some(*sorter.indices.first_key_value()?.0);
        self.sorters.iter().filter_map(least).min()
    }

    /// Removes the bucket of a distance.
    fn remove(&mut self, distance: u32) -> Result<Bucket<W>, Limit> {
        let mut bucket = Bucket { lists: Vec::new(), files: Vec::new() };
        for sorter in &mut self.sorters {
            let Some(index) = sorter.indices.remove(&distance) else { continue };
            sorter.unused.push(index);
            let Some(Waiting { list, file }) = sorter.waiting[index].take() else { continue };
            bucket.lists.push(list);
            if let Some(file) = file {
                bucket.files.push(file.finish()?);
            }
        }
        Ok(bucket)
    }
}

impl<W: Word> DistanceQueue<W> for Buckets<W> {
    fn distances(&self) -> &[u32] {
        &self.distances
    }

    fn for_each(&self, visit: &mut dyn FnMut(W, u32)) {
        let mut lists: Vec<_> = self.sorters.iter().flat_map(Sorter::lists).collect();
        lists.sort_by_key(|&(distance, _)| distance);
        for (distance, list) in lists {
            list.iter().for_each(|state| visit(state, distance));
        }
    }

    fn begin(&mut self, distance: u32) -> Result<Vec<&mut dyn Successors<W>>, Limit> {
        if let Some(disk) = self.disk.take() {
            let folder = Arc::new(ScratchFolder::create(&disk)?);
            self.sorters.iter_mut().for_each(|sorter| sorter.folder = Some(Arc::clone(&folder)));
        }
        for sorter in &mut self.sorters {
            (sorter.distance, sorter.slots) = (distance, [(0, NO_LIST); SLOTS]);
        }
        Ok(self.sorters.iter_mut().map(|sorter| sorter as _).collect())
    }

    fn skip(&mut self, distance: u32, states: u64) -> Result<(), Limit> {
        while let Some(least) = self.least().filter(|&least| least <= distance) {
            self.remove(least)?.remove();
        }
        self.end_layer(distance, states);
        Ok(())
    }

    fn commit_least(
        &mut self,
        store: &mut dyn LayerStore<W>,
        expander: &mut Expander<'_, W>,
        meter: &mut Meter<'_>,
        states: u64,
    ) -> Result<LayerSize, Limit> {
        loop {
            let least = cluster::least(store.cluster(), self.least())?;
            let mut added = 0;
            if let Some(distance) = least {
                let bucket = self.remove(distance)?;
                expander.distance = distance;
                added = bucket.states();
                add_bucket(store, expander, meter, &bucket)?;
                bucket.remove();
            }
            let own = store.commit(meter)?;
            self.end_layer(expander.distance, added);
            let [all, added] = sums(store.cluster(), [own, added])?;
            meter.duplicates(added - all);
            meter.note_frontier(states + all);
            if all > 0 || least.is_none() {
                return Ok(LayerSize { own, all });
            }
        }
    }
}

/// The successors that one thread generated.
struct Sorter<W> {
    range: CostRange,
    /// That of the layer that is expanded.
    distance: u32,
    /// By [`slot_of`] the last cost, and the index of its list.
    slots: [(u32, usize); SLOTS],
    /// The index of the list of each distance.
    indices: BTreeMap<u32, usize>,
    waiting: Vec<Option<Waiting<W>>>,
    /// The indices of lists of no distance.
    unused: Vec<usize>,
    memory: Memory,
    pool: SegmentPool<W>,
    /// On the disk, if there is one.
    folder: Option<Arc<ScratchFolder>>,
}

/// The successors of a distance.
struct Waiting<W> {
    list: SegmentedVec<W>,
    file: Option<RunWriter<W>>,
}

/// More than there are small costs.
const SLOTS: usize = 16;
const NO_LIST: usize = usize::MAX;

/// Where a cost has its place among the last ones: small integers each in one of their own, and so
/// the pairs of 0 or 1.
fn slot_of(cost: u32) -> usize {
    cost.wrapping_add(4 * (cost >> u16::BITS)) as usize % SLOTS
}

impl<W: Word> Successors<W> for Sorter<W> {
    fn add(&mut self, batch: &Batch<W>) -> Result<(), Limit> {
        assert!(batch.costs().len() == batch.len(), "a cost for each successor");
        for (&state, &cost) in batch.states().iter().zip(batch.costs()) {
            let (known, index) = self.slots[slot_of(cost)];
            let index = if known == cost && index != NO_LIST { index } else { self.list(cost)? };
            if let Some(Waiting { list, .. }) = &mut self.waiting[index] {
                list.push(state)?;
            }
        }
        let Some(folder) = &self.folder else { return Ok(()) };
        self.waiting.iter_mut().flatten().try_for_each(|waiting| waiting.write(folder))
    }
}

impl<W: Word> Sorter<W> {
    /// The list of each distance.
    fn lists(&self) -> impl Iterator<Item = (u32, &SegmentedVec<W>)> {
        let waiting = |(&distance, &index): (&u32, &usize)| {
            Some((distance, &self.waiting[index].as_ref()?.list))
        };
        self.indices.iter().filter_map(waiting)
    }

    /// The index of the list of a cost.
    #[inline(never)]
    fn list(&mut self, cost: u32) -> Result<usize, Limit> {
        let distance = self.range.add(self.distance, cost)?;
        let Self { indices, waiting, unused, memory, pool, .. } = self;
        let index = *indices.entry(distance).or_insert_with(|| {
            let index = unused.pop().unwrap_or_else(|| {
                waiting.push(None);
                waiting.len() - 1
            });
            let list = SegmentedVec::with_pool(memory, pool);
            waiting[index] = Some(Waiting { list, file: None });
            index
        });
        self.slots[slot_of(cost)] = (cost, index);
        Ok(index)
    }
}

impl<W: Word> Waiting<W> {
    /// Moves the list to the file, if it has a block.
    fn write(&mut self, folder: &ScratchFolder) -> Result<(), Limit> {
        if self.list.len() < BLOCK_STATES {
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(RunWriter::create_of_blocks(&folder.new_file()?, folder.disk())?),
        };
        self.list.slices().try_for_each(|states| file.push_blocks(states))?;
        self.list.clear();
        Ok(())
    }
}

/// Adds the states of a bucket to the store, on all threads.
fn add_bucket<W: Word>(
    store: &mut dyn LayerStore<W>,
    expander: &mut Expander<'_, W>,
    meter: &mut Meter<'_>,
    bucket: &Bucket<W>,
) -> Result<(), Limit> {
    store.open()?;
    let states = bucket.states();
    let lists = bucket.lists.iter().flat_map(SegmentedVec::slices);
    if bucket.files.is_empty() && expander.pool.worthwhile(states) == 1 {
        let Expander { space, batches, .. } = expander;
        return add_states_here(store, *space, &mut batches[0], meter, lists);
    }
    let files = bucket.files.iter().map(|file| Source::File(FileReader::new(file)));
    let lists = Source::Lists(lists.flat_map(|list| list.chunks(LISTED_STATES)).collect());
    add_states(store, expander, meter, states, std::iter::once(lists).chain(files))
}

/// The number of states of a bucket that a thread takes at a time.
const LISTED_STATES: usize = 1 << 12;
