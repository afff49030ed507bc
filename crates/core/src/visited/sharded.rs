//! A visited set that consists of shards, each behind its own lock.
//!
//! A thread collects the states that it generates by shard and inserts hundreds of states while it
//! holds a lock. They share the cost of the lock, and none of them needs an atomic instruction.
//! States that are inserted together are expanded together. If a move changes a rank by little,
//! their successors are in the same shard.
//!
//! Measured with two threads on two processors, for all states of sliding tiles:
//!
//! | set | 2x5 | 3x4 |
//! | --- | --- | --- |
//! | sharded tables | 63 ms | 14 s |
//! | [`SharedTable`](super::SharedTable) | 90 ms | 24 s |
//! | sharded bits | 32 ms | 5.6 s |
//! | [`SharedBits`](super::SharedBits) | 39 ms | 6.7 s |

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::growth::StateHash;
use super::{BATCH, ConcurrentVisited, DenseBits, Table, Visited, insert_batch_prefetched};
use crate::memory::{Memory, OutOfMemory};
use crate::space::{Ranked, StateSpace};

/// A visited set that can be a shard of a [`Sharded`] set.
pub trait Shard<S: StateSpace>: Visited<S> + Send {
    /// An empty set for each shard, and the number to pass to [`shard`](Self::shard) as `shift`.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the empty sets do not fit.
    fn shards(space: &S, memory: &Memory) -> Result<(Vec<Self>, u32), OutOfMemory>;

    /// The index of the shard of a key, and the key within that shard.
    fn shard(key: Self::Key, shift: u32) -> (usize, Self::Key);
}

/// The number of shards of a set of tables, and the maximal number for bits. With 64 tables, the
/// 3x4 tiles took 18.3 s instead of 16.7 s, since less of a shard was in the cache.
const MAX_SHARDS: usize = 256;

impl<S: StateSpace> Shard<S> for Table<S::State> {
    fn shards(_: &S, memory: &Memory) -> Result<(Vec<Self>, u32), OutOfMemory> {
        let tables: Result<_, _> = (0..MAX_SHARDS).map(|_| Table::new(memory)).collect();
        Ok((tables?, 0))
    }

    #[inline]
    fn shard(hash: StateHash, _: u32) -> (usize, StateHash) {
        (hash.shard(MAX_SHARDS), hash)
    }
}

/// The minimal number of ranks of a shard, which is 4 KiB of bits. With 1 KiB, the 2x5 tiles took
/// 40 ms instead of 35 ms: the buffers of all shards did not fit the cache.
const MIN_SHARD_RANKS: u64 = 1 << 15;

/// A shard has `1 << shift` consecutive ranks.
impl<S: Ranked> Shard<S> for DenseBits {
    fn shards(space: &S, memory: &Memory) -> Result<(Vec<Self>, u32), OutOfMemory> {
        let ranks = space.ranks().ok_or(OutOfMemory)?;
        let shift = ranks
            .div_ceil(MAX_SHARDS as u64)
            .max(MIN_SHARD_RANKS)
            .checked_next_power_of_two()
            .ok_or(OutOfMemory)?
            .ilog2();
        let shards: Result<_, _> = (0..ranks.div_ceil(1 << shift))
            .map(|_| DenseBits::with_ranks(1 << shift, memory))
            .collect();
        Ok((shards?, shift))
    }

    #[inline]
    fn shard(rank: u64, shift: u32) -> (usize, u64) {
        ((rank >> shift) as usize, rank & ((1 << shift) - 1))
    }
}

/// A visited set for many threads that consists of sets for one thread: `Sharded<Table<_>>` for any
/// states, `Sharded<DenseBits>` for ranked states.
///
/// There are 256 tables, or up to 256 bit sets of at least 32,768 ranks each. Each shard is one
/// partition of [`ConcurrentVisited`] and is protected by a mutex. A set of tables grows while
/// threads insert, shard by shard.
#[derive(Debug)]
pub struct Sharded<V> {
    shards: Vec<Mutex<V>>,
    shift: u32,
}

impl<V> Sharded<V> {
    /// Ignores poisoning: if a thread panicked while it held the lock, some states of its batch are
    /// missing, but its search is over.
    fn lock(&self, shard: usize) -> MutexGuard<'_, V> {
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Like `lock`, without locking.
    fn shard_mut(&mut self, shard: usize) -> &mut V {
        self.shards[shard].get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: StateSpace, V: Shard<S>> Visited<S> for Sharded<V> {
    type Key = V::Key;

    fn new(space: &S, memory: &Memory) -> Result<Self, OutOfMemory> {
        let (shards, shift) = V::shards(space, memory)?;
        Ok(Self { shards: shards.into_iter().map(Mutex::new).collect(), shift })
    }

    #[inline]
    fn key(space: &S, state: S::State) -> V::Key {
        V::key(space, state)
    }

    /// Does nothing: a shard may move in memory until it is locked. `insert_batch` prefetches.
    #[inline]
    fn prefetch(&self, _: V::Key) {}

    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        (0..self.shards.len()).try_for_each(|shard| self.shard_mut(shard).make_room(states))
    }

    fn insert(&mut self, key: V::Key, state: S::State) -> bool {
        let (shard, key) = V::shard(key, self.shift);
        self.shard_mut(shard).insert(key, state)
    }

    fn contains(&self, key: V::Key, state: S::State) -> bool {
        let (shard, key) = V::shard(key, self.shift);
        self.lock(shard).contains(key, state)
    }
}

impl<S: StateSpace, V: Shard<S>> ConcurrentVisited<S> for Sharded<V> {
    #[inline]
    fn partition_count(&self) -> usize {
        self.shards.len()
    }

    #[inline]
    fn partition_of(&self, key: V::Key) -> usize {
        V::shard(key, self.shift).0
    }

    fn insert_batch<M: Copy>(&self, batch: &mut [(V::Key, S::State, M)]) -> Option<usize> {
        let Some(&(key, ..)) = batch.first() else { return Some(0) };
        let (mut new, mut again) = (0, Vec::new());
        let mut set = self.lock(V::shard(key, self.shift).0);
        set.make_room(batch.len()).ok()?;
        for first in (0..batch.len()).step_by(BATCH) {
            let range = first..batch.len().min(first + BATCH);
            for (key, ..) in &mut batch[range.clone()] {
                *key = V::shard(*key, self.shift).1;
                set.prefetch(*key);
            }
            let inserted =
                insert_batch_prefetched::<S, V, M>(&mut set, &mut batch[range], &mut again);
            batch.copy_within(first..first + inserted, new);
            new += inserted;
        }
        Some(new)
    }

    fn make_room_in(&mut self, partition: usize, states: usize) -> Result<(), OutOfMemory> {
        self.shard_mut(partition).make_room(states)
    }
}
