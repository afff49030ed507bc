//! A store in memory for many threads: a visited set of shards, each behind its own lock.
//!
//! A thread collects the states that it generates by shard and inserts hundreds of states while it
//! holds a lock. They share the cost of the lock, and none of them needs an atomic instruction.
//! States that are inserted together are expanded together. If a move changes a rank by little,
//! their successors are in the same shard.
//!
//! A table that all threads update by atomic instructions needs no buffers but is slower: with two
//! threads on two processors, all states of the 3x4 tiles took 14 s with sharded tables and 24 s
//! with such a table, 5.6 s with sharded bits and 6.7 s with atomic bits.

use std::num::NonZero;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Mutex;

use super::layer::Layers;
use super::{
    Interrupt, LEAST_FORGOTTEN, LayerStore, MAX_THREADS, StoreProperties, Visit, VisitTagged,
    get_mut, lock,
};
use crate::budget::{Limit, Meter};
use crate::memory::{Block, Memory, OutOfMemory};
use crate::seam::{Batch, Properties, SpaceView};
use crate::space::PruningKind;
use crate::visited::partition_buffers::PartitionBuffers;
use crate::visited::{CompactTable, Permuted, RankSet, StateHash, Table, Visited};
use crate::word::Word;

/// A visited set that can be a shard of a [`Sharded`] store.
pub trait Shard<W: Word>: Visited<W> {
    /// An empty set for each shard, and the number to pass to [`place`](Self::place) as
    /// `parameter`: what decides where a state is, beside the state.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the empty sets do not fit.
    fn shards(properties: &Properties, memory: &Memory) -> Result<(Vec<Self>, u32), OutOfMemory>;

    /// The index of the shard of a state, and the rank of the state in the shard, if the set is
    /// [by rank](Visited::BY_RANK).
    fn place(state: W, rank: u64, parameter: u32) -> (usize, u64);
}

/// The number of shards of a set of tables, and the maximal number for bits. With 64 tables, the
/// 3x4 tiles took 18.3 s instead of 16.7 s, since less of a shard was in the cache.
const MAX_SHARDS: usize = 256;

/// The hash is computed twice: it takes less time than to write and read it.
impl<W: Word> Shard<W> for Table<W> {
    fn shards(_: &Properties, memory: &Memory) -> Result<(Vec<Self>, u32), OutOfMemory> {
        let tables: Result<_, _> = (0..MAX_SHARDS).map(|_| Table::new(memory)).collect();
        Ok((tables?, 0))
    }

    #[inline(always)]
    fn place(state: W, _: u64, _: u32) -> (usize, u64) {
        (StateHash::of(state).shard(MAX_SHARDS), 0)
    }
}

impl<W: Word> Shard<W> for CompactTable {
    /// With the width of the states.
    fn shards(properties: &Properties, memory: &Memory) -> Result<(Vec<Self>, u32), OutOfMemory> {
        Ok((Self::shards(properties, memory)?, properties.state_bits))
    }

    #[inline(always)]
    fn place(state: W, _: u64, state_bits: u32) -> (usize, u64) {
        (Self::shard(Permuted::of(state, state_bits)), 0)
    }
}

/// The minimal number of ranks of a shard, which is 4 KiB of bits. With 1 KiB, the 2x5 tiles took
/// 40 ms instead of 35 ms: the buffers of all shards did not fit the cache.
const MIN_SHARD_RANKS: u64 = 1 << 15;

/// In place of a shift, which is less.
const TURNS: u32 = u64::BITS;

/// A shard of bits has `1 << shift` consecutive ranks. While there are few ranks, all of them may be
/// close together: then 256 shards take turns, with 32,768 consecutive ranks each, and `shift` is
/// `TURNS`.
impl<W: Word> Shard<W> for RankSet {
    fn shards(properties: &Properties, memory: &Memory) -> Result<(Vec<Self>, u32), OutOfMemory> {
        let ranks = properties.ranks.ok_or(OutOfMemory)?;
        if !Self::begins_with_bits(properties, memory) {
            let each = ranks.div_ceil(MIN_SHARD_RANKS * MAX_SHARDS as u64) * MIN_SHARD_RANKS;
            let shards: Result<_, _> =
                (0..MAX_SHARDS).map(|_| Self::with_ranks(each, false, memory)).collect();
            return Ok((shards?, TURNS));
        }
        let shift = ranks
            .div_ceil(MAX_SHARDS as u64)
            .max(MIN_SHARD_RANKS)
            .checked_next_power_of_two()
            .ok_or(OutOfMemory)?
            .ilog2();
        // An empty space has a shard, too.
        let shards: Result<_, _> = (0..ranks.div_ceil(1 << shift).max(1))
            .map(|_| Self::with_ranks(1 << shift, true, memory))
            .collect();
        Ok((shards?, shift))
    }

    #[inline(always)]
    fn place(_: W, rank: u64, shift: u32) -> (usize, u64) {
        if shift == TURNS {
            let (turn, offset) = (rank / MIN_SHARD_RANKS, rank % MIN_SHARD_RANKS);
            let shards = MAX_SHARDS as u64;
            return ((turn % shards) as usize, turn / shards * MIN_SHARD_RANKS + offset);
        }
        ((rank >> shift) as usize, rank & ((1 << shift) - 1))
    }
}

/// A [`LayerStore`] in memory for many threads. Its visited set consists of shards:
/// `Sharded<_, Table<_>>` for any states, `Sharded<_, CompactTable>` for states of known width,
/// `Sharded<_, RankSet>` for ranked states.
///
/// There are 256 tables, 32 compact tables, or up to 256 sets of at least 32,768 ranks each.
/// Each shard is protected by a mutex. A set of tables grows while threads insert, shard by shard.
///
/// Memory: the shards, the layers, and for each thread and each shard a buffer of 1,024 to 4,096
/// states, with their tags if the space has them, and ranks for bits. The buffers take at most an
/// eighth of the memory limit, unless a buffer would hold fewer than 4 states.
#[derive(Debug)]
pub struct Sharded<'s, W: Word, V: Shard<W>> {
    space: SpaceView<'s, W>,
    keeps_tags: bool,
    shards: Vec<Mutex<V>>,
    parameter: u32,
    layers: Layers<W>,
    /// One for each thread. Only its own thread locks it.
    pending: Vec<Mutex<Pending<W>>>,
    /// The chunks of the current layer while it is open.
    chunks: Option<Block<Chunk>>,
    memory: Memory,
}

/// The states that a thread has generated and not inserted yet.
#[derive(Debug)]
struct Pending<W> {
    /// The states by shard.
    buffers: PartitionBuffers<W>,
    /// The rest of a batch after a shard had no room, with ranks and tags. Not reserved from the
    /// budget, because a batch is small.
    overflow: Vec<(W, u64, u32)>,
    /// The indices of the states of a buffer that are new.
    new: Vec<u32>,
}

/// How many states the buffers of a thread hold. Fewer and larger shards get larger buffers: a
/// flush reads most pages of a shard, and a page that is not in the processor's table of addresses
/// takes longer to find than to read. With 1,024 states for each of 32 shards instead of 4,096, all
/// 5x5 boards in tables took 1.2 times as long.
const BUFFERED_STATES: usize = 1 << 17;

/// The bounds of the capacity of a buffer, in states. With two threads, a capacity of 512 made the
/// 3x4 tiles 5 % slower.
const BUFFER_CAPACITIES: RangeInclusive<usize> = 1024..=4096;

/// The least capacity of a buffer. All buffers of a thread then fit its cache. For layers of some
/// 10,000 boards of klotski, 128 is faster by a sixth than 1024, and 64 is slower again.
const MIN_BUFFER_CAPACITY: usize = 128;

/// The number of states in a chunk, about 10 µs of work.
const CHUNK_STATES: usize = 256;

/// A part of the current layer. Chunks are sorted by the shard of their first state. If a move
/// changes a rank by little, the successors are in the same shard, whose memory is then in the
/// cache. On the 3x4 tiles with bits, this reduces the time of two threads by 20 %.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    /// The shard of the first state. In a large layer, most other states of the chunk share it. It
    /// affects only the speed.
    shard: u32,
    /// Which thread has added the states, in which slice, and where they begin there.
    part: u32,
    slice: u32,
    start: u32,
}

impl<'s, W: Word, V: Shard<W>> Sharded<'s, W, V> {
    /// An empty store for up to `threads` threads, at most 256. It reserves its memory from
    /// `memory`.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the empty shards and the buffers do not fit.
    pub fn new(
        space: &SpaceView<'s, W>,
        threads: NonZero<usize>,
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        let threads = threads.get().min(MAX_THREADS);
        let (shards, parameter) = V::shards(&space.properties(), memory)?;
        // Several threads cannot use two steps.
        let keeps_tags = space.properties().pruning == PruningKind::Inverse;
        let rank_bytes = if V::BY_RANK { size_of::<u64>() } else { 0 };
        let tag_bytes = if keeps_tags { size_of::<u32>() } else { 0 };
        let state_bytes = size_of::<W>() + rank_bytes + tag_bytes;
        // Smaller buffers cost time. Larger ones could leave no memory for the visited set.
        let bytes =
            |capacity: u16| (threads * shards.len() * state_bytes) as u64 * u64::from(capacity);
        let (least, most) = (*BUFFER_CAPACITIES.start(), *BUFFER_CAPACITIES.end());
        let mut capacity = (BUFFERED_STATES / shards.len()).clamp(least, most) as u16;
        while capacity > 4 && bytes(capacity) > memory.limit_bytes() / 8 {
            capacity /= 2;
        }
        let pending = |_| {
            Ok(Mutex::new(Pending {
                buffers: PartitionBuffers::new(
                    shards.len(),
                    capacity,
                    (V::BY_RANK, keeps_tags),
                    memory,
                )?,
                overflow: Vec::new(),
                new: vec![0; capacity.into()],
            }))
        };
        Ok(Self {
            space: *space,
            keeps_tags,
            pending: (0..threads).map(pending).collect::<Result<_, _>>()?,
            shards: shards.into_iter().map(Mutex::new).collect(),
            parameter,
            layers: Layers::new(threads, memory),
            chunks: None,
            memory: memory.clone(),
        })
    }

    /// Makes room in each shard for the pending states of all threads.
    fn make_room_in_shards(&mut self) -> Result<(), OutOfMemory> {
        let mut states = vec![0; self.shards.len()];
        for pending in &mut self.pending {
            let pending = get_mut(pending);
            for (shard, states) in states.iter_mut().enumerate() {
                *states += pending.buffers.len(shard);
            }
            for &(state, rank, _) in &pending.overflow {
                states[V::place(state, rank, self.parameter).0] += 1;
            }
        }
        self.shards
            .iter_mut()
            .zip(states)
            .filter(|&(_, states)| states > 0)
            .try_for_each(|(shard, states)| get_mut(shard).make_room(states))
    }

    /// The states of a batch with their ranks and tags.
    #[inline]
    fn with_ranks_and_tags<'b>(batch: &'b Batch<W>) -> impl Iterator<Item = (W, u64, u32)> + 'b {
        let (states, tags, ranks) = (batch.states(), batch.tags(), batch.ranks());
        (0..states.len()).map(move |index| {
            let tag = tags.get(index).copied().unwrap_or(0);
            let rank = if V::BY_RANK { ranks[index] } else { 0 };
            (states[index], rank, tag)
        })
    }

    /// The chunks of the current layer.
    fn new_chunks(&self) -> Result<Block<Chunk>, OutOfMemory> {
        let slices = || {
            let parts = (0..).zip(&self.layers.current);
            parts.flat_map(|(part, frontier)| {
                (0..)
                    .zip(frontier.states.slices())
                    .map(move |(slice, states)| (part, slice, states))
            })
        };
        let count = slices().map(|(.., states)| states.len().div_ceil(CHUNK_STATES)).sum();
        let empty = Chunk { shard: 0, part: 0, slice: 0, start: 0 };
        let mut chunks = Block::filled(empty, count, &self.memory)?;
        let mut next = 0;
        // The shards of many first states are computed together.
        let mut firsts = Batch::default();
        for (part, slice, states) in slices() {
            let starts = (0..states.len()).step_by(CHUNK_STATES);
            let heads: Vec<W> = starts.clone().map(|start| states[start]).collect();
            firsts.set(&heads);
            if V::BY_RANK {
                self.space.fill_ranks(&mut firsts);
            }
            for (start, (state, rank, _)) in starts.zip(Self::with_ranks_and_tags(&firsts)) {
                let shard = V::place(state, rank, self.parameter).0 as u32;
                chunks[next] = Chunk { shard, part, slice, start: start as u32 };
                next += 1;
            }
        }
        chunks.sort_unstable_by_key(|chunk| chunk.shard);
        Ok(chunks)
    }

    /// Inserts the states of a buffer into their shard and appends the new ones to the next layer.
    /// If the shard has no room, leaves the buffer unchanged and returns `NeedsRoom`.
    #[inline(never)]
    fn flush_shard(
        &self,
        thread: usize,
        pending: &mut Pending<W>,
        index: usize,
    ) -> Result<(), Interrupt> {
        let (states, ranks, tags) = pending.buffers.buffer(index);
        let mut shard = lock(&self.shards[index]);
        // A shard grows here if the memory allows it. If not, the thread waits until all have
        // stopped: `make_room` can then free the spare capacity of the layers, which other threads
        // are writing to now.
        shard.make_room(states.len()).map_err(|OutOfMemory| Interrupt::NeedsRoom)?;
        let count = shard.insert_all(states, ranks, &mut pending.new[..states.len()]);
        drop(shard);
        let new = pending.new[..count].iter().map(|&index| index as usize);
        let tags = self.keeps_tags.then(|| new.clone().map(|index| tags[index]));
        let added = lock(&self.layers.next[thread]).add(new.map(|index| states[index]), tags);
        pending.buffers.clear(index);
        Ok(added?)
    }

    /// Appends a state to the buffer of its shard, which it empties if it is full.
    #[inline(always)]
    fn push(
        &self,
        thread: usize,
        pending: &mut Pending<W>,
        (state, rank, tag): (W, u64, u32),
    ) -> Result<(), Interrupt> {
        let (shard, rank) = V::place(state, rank, self.parameter);
        if pending.buffers.push(shard, state, rank, tag) {
            self.flush_shard(thread, pending, shard)
        } else {
            Ok(())
        }
    }
}

impl<W: Word, V: Shard<W>> LayerStore<W> for Sharded<'_, W, V> {
    fn properties(&self) -> StoreProperties {
        StoreProperties {
            is_sequential: false,
            has_rank_layers: false,
            needs_ranks: V::BY_RANK,
            keeps_tags: self.keeps_tags,
            has_separate_ranges: true,
            threads: NonZero::new(self.pending.len()).unwrap_or(NonZero::<usize>::MIN),
        }
    }

    fn is_empty(&self) -> bool {
        self.layers.are_empty()
    }

    fn start(&mut self, batch: &mut Batch<W>) -> Result<(), Limit> {
        batch.drop_tags();
        for (state, rank, _) in Self::with_ranks_and_tags(batch) {
            let (shard, rank) = V::place(state, rank, self.parameter);
            let mut shard = lock(&self.shards[shard]);
            shard.make_room(1)?;
            if shard.insert_all(&[state], &[rank], &mut [0]) == 1 {
                lock(&self.layers.next[0]).states.push(state)?;
            }
        }
        Ok(())
    }

    fn open(&mut self) -> Result<usize, Limit> {
        let chunks = match self.new_chunks() {
            Err(OutOfMemory) => {
                self.layers.shrink_spare(0);
                self.new_chunks()
            }
            chunks => chunks,
        }?;
        Ok(self.chunks.insert(chunks).len())
    }

    #[inline]
    fn read_chunk(&self, chunk: usize, visit: VisitTagged<'_, W>) -> Result<(), Limit> {
        let Some(chunks) = &self.chunks else { return Ok(()) };
        let Chunk { part, slice, start, .. } = chunks[chunk];
        let (states, tags) = self.layers.current[part as usize].slice(slice as usize);
        let start = start as usize;
        let range = start..states.len().min(start + CHUNK_STATES);
        let _ = visit(&states[range.clone()], tags.get(range).unwrap_or_default());
        Ok(())
    }

    fn add(&self, thread: usize, batch: &mut Batch<W>) -> Result<(), Interrupt> {
        let mut pending = lock(&self.pending[thread]);
        let mut states = Self::with_ranks_and_tags(batch);
        while let Some(state) = states.next() {
            if let Err(interrupt) = self.push(thread, &mut pending, state) {
                pending.overflow.extend(states);
                return Err(interrupt);
            }
        }
        Ok(())
    }

    fn flush(&self, thread: usize) -> Result<(), Interrupt> {
        let (mut pending, shards) = (lock(&self.pending[thread]), self.shards.len());
        // Threads begin with different shards, so that they do not contend for the same lock.
        let first = thread * shards / self.pending.len();
        loop {
            for shard in (first..shards).chain(0..first) {
                if pending.buffers.len(shard) > 0 {
                    self.flush_shard(thread, &mut pending, shard)?;
                }
            }
            while let Some(state) = pending.overflow.pop() {
                self.push(thread, &mut pending, state)?;
            }
            if pending.buffers.is_empty() {
                return Ok(());
            }
        }
    }

    fn make_room(&mut self) -> Result<(), Limit> {
        self.chunks = None;
        // First grow the shards with what the memory account still has; if that fails, give the
        // unused capacity of the layers back to it and try again.
        if self.make_room_in_shards().is_err() {
            self.layers.free_unused();
            self.make_room_in_shards()?;
        }
        Ok(())
    }

    fn commit(&mut self, _: &mut Meter<'_>) -> Result<u64, Limit> {
        self.chunks = None;
        // The unused memory of the new layer goes to the visited set.
        self.layers.free_unused();
        self.layers.commit();
        // The next layer can be as large without a new allocation.
        self.layers.shrink_spare(self.layers.len());
        if self.space.properties().repeated_layers() == 0 && self.layers.len() >= LEAST_FORGOTTEN {
            self.shards.iter_mut().for_each(|shard| get_mut(shard).forget());
        }
        let capacity = (self.layers.len() / self.shards.len()).max(MIN_BUFFER_CAPACITY);
        for pending in &mut self.pending {
            get_mut(pending).buffers.set_capacity(capacity);
        }
        Ok(self.layers.len() as u64)
    }

    fn read_added(
        &mut self,
        visit: &mut dyn FnMut(&[W]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        self.layers.read_next(visit)
    }

    fn read(&self, visit: Visit<'_, W>) -> Result<ControlFlow<()>, Limit> {
        Ok(self.layers.read(visit))
    }

    fn keep_layers(&mut self) -> Result<(), Limit> {
        self.layers.keep();
        Ok(())
    }

    fn drop_all_but_layers(&mut self) {
        self.shards.clear();
        self.pending.clear();
    }

    fn read_layer(&self, depth: u32, visit: Visit<'_, W>) -> Result<ControlFlow<()>, Limit> {
        Ok(self.layers.read_layer(depth, visit))
    }
}
