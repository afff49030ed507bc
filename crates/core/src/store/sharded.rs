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

use std::iter::repeat;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::layer::{Frontier, Layers};

use super::{Interrupt, KeepsLayers, LayerReader, LayerStore, LayerWriter, MAX_THREADS};
use crate::budget::{Limit, Meter};
use crate::memory::{Block, Memory, OutOfMemory};
use crate::space::{MovePruning, Ranked, StateSpace};
use crate::visited::partition_buffers::PartitionBuffers;
use crate::visited::{CompactTable, DenseBits, Permuted, StateHash, Table};

/// A visited set that can be a shard of a [`Sharded`] store.
pub trait Shard<S: StateSpace>: Sized + Send {
    /// What locates a state in a shard: its rank or its hash.
    type Key: Copy + Send;

    /// An empty set for each shard, and the number to pass to [`shard`](Self::shard) as `shift`.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the empty sets do not fit.
    fn shards(space: &S, memory: &Memory) -> Result<(Vec<Self>, u32), OutOfMemory>;

    /// The key of a state. `by` is the move that led to it, if there was one.
    fn key(space: &S, state: S::State, by: Option<S::Move>) -> Self::Key;

    /// The index of the shard of a key.
    fn shard(key: Self::Key, shift: u32) -> usize;

    /// Makes room for `states` more states.
    ///
    /// # Errors
    /// [`OutOfMemory`] if they do not fit. The set is unchanged then.
    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory>;

    /// Inserts the states of a batch, for which there must be room. It moves the items whose states
    /// were not in the set to the front of the batch, and returns their number.
    fn insert_keyed<M: Copy>(
        &mut self,
        batch: &mut [(Self::Key, S::State, M)],
        shift: u32,
    ) -> usize;
}

/// The number of shards of a set of tables, and the maximal number for bits. With 64 tables, the
/// 3x4 tiles took 18.3 s instead of 16.7 s, since less of a shard was in the cache.
const MAX_SHARDS: usize = 256;

impl<S: StateSpace> Shard<S> for Table<S::State> {
    type Key = StateHash;

    fn shards(_: &S, memory: &Memory) -> Result<(Vec<Self>, u32), OutOfMemory> {
        let tables: Result<_, _> = (0..MAX_SHARDS).map(|_| Table::new(memory)).collect();
        Ok((tables?, 0))
    }

    #[inline]
    fn key(_: &S, state: S::State, _: Option<S::Move>) -> StateHash {
        StateHash::of(state)
    }

    #[inline]
    fn shard(hash: StateHash, _: u32) -> usize {
        hash.shard(MAX_SHARDS)
    }

    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        self.make_room(states)
    }

    fn insert_keyed<M: Copy>(&mut self, batch: &mut [(StateHash, S::State, M)], _: u32) -> usize {
        self.insert_all(batch, |(hash, state, _)| (hash, state))
    }
}

impl<S: StateSpace> Shard<S> for CompactTable {
    type Key = Permuted;

    fn shards(space: &S, memory: &Memory) -> Result<(Vec<Self>, u32), OutOfMemory> {
        Ok((Self::shards(space, memory)?, 0))
    }

    #[inline(always)]
    fn key(space: &S, state: S::State, _: Option<S::Move>) -> Permuted {
        Self::hash(space, state)
    }

    #[inline(always)]
    fn shard(hash: Permuted, _: u32) -> usize {
        Self::shard(hash)
    }

    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        self.make_room(states)
    }

    fn insert_keyed<M: Copy>(&mut self, batch: &mut [(Permuted, S::State, M)], _: u32) -> usize {
        self.insert_all(batch, |(hash, ..)| hash)
    }
}

/// The minimal number of ranks of a shard, which is 4 KiB of bits. With 1 KiB, the 2x5 tiles took
/// 40 ms instead of 35 ms: the buffers of all shards did not fit the cache.
const MIN_SHARD_RANKS: u64 = 1 << 15;

/// A shard has `1 << shift` consecutive ranks.
impl<S: Ranked> Shard<S> for DenseBits {
    type Key = u64;

    fn shards(space: &S, memory: &Memory) -> Result<(Vec<Self>, u32), OutOfMemory> {
        let ranks = space.ranks().ok_or(OutOfMemory)?;
        let shift = ranks
            .div_ceil(MAX_SHARDS as u64)
            .max(MIN_SHARD_RANKS)
            .checked_next_power_of_two()
            .ok_or(OutOfMemory)?
            .ilog2();
        // An empty space has a shard, too.
        let shards: Result<_, _> = (0..ranks.div_ceil(1 << shift).max(1))
            .map(|_| DenseBits::with_ranks(1 << shift, memory))
            .collect();
        Ok((shards?, shift))
    }

    #[inline]
    fn key(space: &S, state: S::State, by: Option<S::Move>) -> u64 {
        by.map_or_else(|| space.rank(state), |by| space.rank_after(state, by))
    }

    #[inline]
    fn shard(rank: u64, shift: u32) -> usize {
        (rank >> shift) as usize
    }

    fn make_room(&mut self, _: usize) -> Result<(), OutOfMemory> {
        Ok(())
    }

    fn insert_keyed<M: Copy>(&mut self, batch: &mut [(u64, S::State, M)], shift: u32) -> usize {
        self.insert_all(batch, |(rank, ..)| rank & ((1 << shift) - 1))
    }
}

/// A [`LayerStore`] in memory for many threads. Its visited set consists of shards:
/// `Sharded<_, Table<_>>` for any states, `Sharded<_, CompactTable>` for states of known width,
/// `Sharded<_, DenseBits>` for ranked states.
///
/// There are 256 tables, 32 compact tables, or up to 256 bit sets of at least 32,768 ranks each. Each
/// shard is protected by a mutex. A set of tables grows while threads insert, shard by shard.
///
/// Memory: the shards, the layers, and for each thread and each shard a buffer of up to 1,024
/// states with their keys and moves. The buffers take at most an eighth of the memory limit, unless
/// a buffer would hold fewer than 4 states.
#[derive(Debug)]
pub struct Sharded<'s, S: StateSpace, V: Shard<S>> {
    space: &'s S,
    shards: Vec<Mutex<V>>,
    shift: u32,
    layers: Layers<S::State, S::Move>,
    /// One for each thread.
    pending: Vec<Pending<V::Key, S::State, S::Move>>,
    memory: Memory,
}

/// The states that a thread has generated and not inserted yet.
#[derive(Debug)]
struct Pending<K, W, M> {
    /// The states by shard.
    buffers: PartitionBuffers<(K, W, M)>,
    /// The rest of a batch after a shard had no room. Not reserved from the budget, because a batch
    /// is small.
    overflow: Vec<(K, W, M)>,
}

/// The greatest capacity of a buffer, in states. With two threads, a capacity of 512 made the 3x4
/// tiles 5 % slower.
const MAX_BUFFER_CAPACITY: u16 = 1024;

/// The least capacity of a buffer. All buffers of a thread then fit its cache. For layers of some
/// 10,000 boards of klotski, 128 is faster by a sixth than 1024, and 64 is slower again.
const MIN_BUFFER_CAPACITY: usize = 128;

impl<'s, S: StateSpace, V: Shard<S>> Sharded<'s, S, V> {
    /// An empty store for up to `threads` threads, at most 256. It reserves its memory from
    /// `memory`.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the empty shards and the buffers do not fit.
    pub fn new(
        space: &'s S,
        threads: NonZero<usize>,
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        let threads = threads.get().min(MAX_THREADS);
        let (shards, shift) = V::shards(space, memory)?;
        // Smaller buffers cost time. Larger ones could leave no memory for the visited set.
        let item = size_of::<(V::Key, S::State, S::Move)>();
        let bytes = |capacity: u16| (threads * shards.len() * item) as u64 * u64::from(capacity);
        let mut capacity = MAX_BUFFER_CAPACITY;
        while capacity > 4 && bytes(capacity) > memory.limit_bytes() / 8 {
            capacity /= 2;
        }
        let pending = |_| {
            Ok(Pending {
                buffers: PartitionBuffers::new(shards.len(), capacity, memory)?,
                overflow: Vec::new(),
            })
        };
        Ok(Self {
            space,
            pending: (0..threads).map(pending).collect::<Result<_, _>>()?,
            shards: shards.into_iter().map(Mutex::new).collect(),
            shift,
            layers: Layers::new(threads, memory),
            memory: memory.clone(),
        })
    }

    /// Makes room in each shard for the pending states of all threads.
    fn make_room_in_shards(&mut self) -> Result<(), OutOfMemory> {
        let mut states = vec![0; self.shards.len()];
        for pending in &mut self.pending {
            for (shard, states) in states.iter_mut().enumerate() {
                *states += pending.buffers.buffer(shard).len();
            }
            pending.overflow.iter().for_each(|&(key, ..)| states[V::shard(key, self.shift)] += 1);
        }
        self.shards.iter_mut().zip(states).filter(|&(_, states)| states > 0).try_for_each(
            |(shard, states)| {
                shard.get_mut().unwrap_or_else(PoisonError::into_inner).make_room(states)
            },
        )
    }
}

/// Locks a shard. Ignores poisoning: if a thread panicked while it held the lock, some states of
/// its batch are missing, but its search is over.
fn lock<V>(shard: &Mutex<V>) -> MutexGuard<'_, V> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether moves are stored. Several threads cannot use [`MovePruning::TwoStep`].
const fn stores_moves<S: StateSpace>() -> bool {
    matches!(S::MOVE_PRUNING, MovePruning::Inverse)
}

impl<'s, S: StateSpace, V: Shard<S>> LayerStore<'s, S> for Sharded<'s, S, V> {
    const SEQUENTIAL: bool = false;

    type Reader<'a>
        = Reader<'a, S::State, S::Move>
    where
        Self: 'a;

    type Writer<'a>
        = Writer<'a, S, V>
    where
        Self: 'a;

    fn space(&self) -> &'s S {
        self.space
    }

    fn threads(&self) -> NonZero<usize> {
        NonZero::new(self.pending.len()).unwrap_or(NonZero::<usize>::MIN)
    }

    fn is_empty(&self) -> bool {
        self.layers.are_empty()
    }

    fn start(&mut self, states: &[S::State]) -> Result<(), Limit> {
        for &state in states {
            let key = V::key(self.space, state, None);
            let mut shard = lock(&self.shards[V::shard(key, self.shift)]);
            shard.make_room(1)?;
            if shard.insert_keyed(&mut [(key, state, ())], self.shift) == 1 {
                self.layers.next[0].states.push(state)?;
            }
        }
        Ok(())
    }

    fn open(&mut self) -> Result<(Self::Reader<'_>, Vec<Self::Writer<'_>>), Limit> {
        let Self { space, shards, shift, layers, pending, memory } = self;
        let (space, shards, shift) = (*space, &shards[..], *shift);
        let shard_of = |state| V::shard(V::key(space, state, None), shift);
        let reader = match Reader::new(&layers.current, shard_of, memory) {
            Err(OutOfMemory) => {
                layers.shrink_spare(0);
                Reader::new(&layers.current, shard_of, memory)
            }
            reader => reader,
        }?;
        let threads = pending.len();
        let writers = pending.iter_mut().zip(&mut layers.next).enumerate().map(
            |(thread, (pending, next))| Writer {
                space,
                shards,
                shift,
                pending,
                next,
                first_shard: thread * shards.len() / threads,
            },
        );
        Ok((reader, writers.collect()))
    }

    fn make_room(&mut self) -> Result<(), Limit> {
        if self.make_room_in_shards().is_err() {
            self.layers.next.iter_mut().for_each(Frontier::free_unused);
            self.make_room_in_shards()?;
        }
        Ok(())
    }

    fn commit(&mut self, _: &mut Meter<'_>) -> Result<u64, Limit> {
        // The unused memory of the new layer goes to the visited set.
        self.layers.next.iter_mut().for_each(Frontier::free_unused);
        self.layers.commit();
        // The next layer can be as large without a new allocation.
        self.layers.shrink_spare(self.layers.len());
        let capacity = (self.layers.len() / self.shards.len()).max(MIN_BUFFER_CAPACITY);
        self.pending.iter_mut().for_each(|pending| pending.buffers.set_capacity(capacity));
        Ok(self.layers.len() as u64)
    }

    fn read_added(
        &mut self,
        visit: impl FnMut(&[S::State]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        self.layers.read_next(visit)
    }

    fn read<B>(
        &self,
        visit: impl FnMut(&[S::State]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, Limit> {
        Ok(self.layers.read(visit))
    }
}

impl<'s, S: StateSpace, V: Shard<S>> KeepsLayers<'s, S> for Sharded<'s, S, V> {
    type Layers = Layers<S::State, S::Move>;

    fn keep_layers(&mut self) {
        self.layers.keep();
    }

    fn into_layers(self) -> Self::Layers {
        self.layers
    }
}

/// The current layer of a [`Sharded`] store, in chunks that are sorted by the shard of their first
/// state. If a move changes a rank by little, the successors are in the same shard, whose memory is
/// then in the cache. On the 3x4 tiles with bits, this reduces the time of two threads by 20 %.
#[derive(Debug)]
#[doc(hidden)]
pub struct Reader<'a, W, M>(Block<Chunk<'a, W, M>>);

#[derive(Clone, Copy, Debug)]
struct Chunk<'a, W, M> {
    /// The shard of the first state. In a large layer, most other states of the chunk share it. It
    /// affects only the speed.
    shard: usize,
    states: &'a [W],
    /// The moves that led to the states; empty if they are not stored.
    moves: &'a [M],
}

/// The number of states in a chunk, about 10 µs of work.
const CHUNK_STATES: usize = 256;

impl<'a, W: Copy, M: Copy> Reader<'a, W, M> {
    fn new(
        layer: &'a [Frontier<W, M>],
        shard_of: impl Fn(W) -> usize,
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        let slices = || layer.iter().flat_map(Frontier::slices);
        let count = slices().map(|(states, _)| states.len().div_ceil(CHUNK_STATES)).sum();
        let empty = Chunk { shard: 0, states: &[][..], moves: &[][..] };
        let mut chunks = Block::filled(empty, count, memory)?;
        let parts = slices().flat_map(|(states, moves)| {
            states.chunks(CHUNK_STATES).zip(moves.chunks(CHUNK_STATES).chain(repeat(&[][..])))
        });
        for (chunk, (states, moves)) in chunks.iter_mut().zip(parts) {
            *chunk = Chunk { shard: shard_of(states[0]), states, moves };
        }
        chunks.sort_unstable_by_key(|chunk| chunk.shard);
        Ok(Self(chunks))
    }
}

impl<S: StateSpace> LayerReader<S> for Reader<'_, S::State, S::Move> {
    const SEPARATE_RANGES: bool = true;

    fn chunk_count(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn read(
        &self,
        chunk: usize,
        mut visit: impl FnMut(&[S::State], &[S::Move]) -> ControlFlow<()>,
    ) -> Result<(), Limit> {
        let Chunk { states, moves, .. } = self.0[chunk];
        let _ = visit(states, moves);
        Ok(())
    }
}

/// Collects the states of one thread by shard, inserts full buffers, and adds the states that are
/// new to the thread's part of the next layer.
#[derive(Debug)]
#[doc(hidden)]
pub struct Writer<'a, S: StateSpace, V: Shard<S>> {
    space: &'a S,
    shards: &'a [Mutex<V>],
    shift: u32,
    pending: &'a mut Pending<V::Key, S::State, S::Move>,
    next: &'a mut Frontier<S::State, S::Move>,
    /// The shard that is flushed first: another one for each thread, so that they do not contend
    /// for the same lock.
    first_shard: usize,
}

impl<S: StateSpace, V: Shard<S>> Writer<'_, S, V> {
    /// Inserts the states of a buffer and adds the new ones to the next layer. If the shard has no
    /// room, the buffer is unchanged.
    #[inline(never)]
    fn flush_shard(&mut self, index: usize) -> Result<(), Interrupt> {
        let buffer = self.pending.buffers.buffer(index);
        let mut shard = lock(&self.shards[index]);
        shard.make_room(buffer.len()).map_err(|OutOfMemory| Interrupt::NeedsRoom)?;
        let new = shard.insert_keyed(buffer, self.shift);
        drop(shard);
        let states = buffer[..new].iter().map(|&(_, state, by)| (state, by));
        let added = self.next.add(states, stores_moves::<S>());
        self.pending.buffers.clear(index);
        Ok(added?)
    }

    /// Appends a state to the buffer of its shard, which it empties if it is full.
    #[inline(always)]
    fn push(&mut self, item: (V::Key, S::State, S::Move)) -> Result<(), Interrupt> {
        let shard = V::shard(item.0, self.shift);
        if self.pending.buffers.push(shard, item) { self.flush_shard(shard) } else { Ok(()) }
    }
}

impl<S: StateSpace, V: Shard<S>> LayerWriter<S> for Writer<'_, S, V> {
    #[inline]
    fn add(&mut self, batch: &mut [(S::State, S::Move)]) -> Result<(), Interrupt> {
        let space = self.space;
        let mut items =
            batch.iter().map(|&(state, by)| (V::key(space, state, Some(by)), state, by));
        while let Some(item) = items.next() {
            if let Err(interrupt) = self.push(item) {
                self.pending.overflow.extend(items);
                return Err(interrupt);
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Interrupt> {
        let shards = self.shards.len();
        for shard in (self.first_shard..shards).chain(0..self.first_shard) {
            if !self.pending.buffers.buffer(shard).is_empty() {
                self.flush_shard(shard)?;
            }
        }
        while let Some(item) = self.pending.overflow.pop() {
            self.push(item)?;
        }
        if self.pending.buffers.is_empty() { Ok(()) } else { self.flush() }
    }
}
