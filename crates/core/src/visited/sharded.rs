//! A set of sets, each behind a lock of its own.
//!
//! A thread collects what it generates by shard, and enters hundreds of states while it has the
//! lock: what the lock costs is shared by all of them, and inside it they are inserted as one
//! thread would alone, without an atomic instruction for each. What was entered together is
//! expanded together, too, and where a move changes a rank by little it leads to the same shard.
//! Measured by two threads on two processors: the 2x5 tiles in 63 ms with sharded tables and in 90
//! with a [`SharedTable`](super::SharedTable), in 32 with sharded bits and in 39 with
//! [`SharedBits`](super::SharedBits); the 3x4 tiles in 14 s, 24 s, 5.6 s and 6.7 s.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::growth::Hashed;
use super::{BATCH, DenseBits, Shared, Table, Visited, insert_all};
use crate::memory::{Memory, OutOfMemory};
use crate::space::{Ranked, StateSpace};

/// A set that can hold a shard of a space.
pub trait Shard<S: StateSpace>: Visited<S> + Send {
    /// Empty sets for all shards, and what [`shard`](Self::shard) has to know.
    fn shards(space: &S, memory: &Memory) -> Result<(Vec<Self>, u32), OutOfMemory>;

    /// The shard of a key, and the key within it.
    fn shard(key: Self::Key, shift: u32) -> (usize, Self::Key);
}

/// At most so many shards. With 64, the 3x4 tiles took tables 18.3 s instead of 16.7, since less of
/// a shard was in the cache.
const SHARDS: usize = 256;

impl<S: StateSpace> Shard<S> for Table<S::State> {
    fn shards(_: &S, memory: &Memory) -> Result<(Vec<Self>, u32), OutOfMemory> {
        let tables: Result<_, _> = (0..SHARDS).map(|_| Table::new(memory)).collect();
        Ok((tables?, 0))
    }

    #[inline]
    fn shard(key: Hashed, _: u32) -> (usize, Hashed) {
        (key.shard(SHARDS), key)
    }
}

/// So many ranks are worth a shard of their own, 4 KiB. With 1 KiB, the 2x5 tiles took 40 ms
/// instead of 35: states waited on more partition_buffers than the cache holds.
const RANKS: u64 = 1 << 15;

/// A shard has `1 << shift` ranks that follow each other.
impl<S: Ranked> Shard<S> for DenseBits {
    fn shards(space: &S, memory: &Memory) -> Result<(Vec<Self>, u32), OutOfMemory> {
        let ranks = space.ranks().ok_or(OutOfMemory)?;
        let shift = ranks
            .div_ceil(SHARDS as u64)
            .max(RANKS)
            .checked_next_power_of_two()
            .ok_or(OutOfMemory)?
            .ilog2();
        let shards: Result<_, _> =
            (0..ranks.div_ceil(1 << shift)).map(|_| DenseBits::of(1 << shift, memory)).collect();
        Ok((shards?, shift))
    }

    #[inline]
    fn shard(rank: u64, shift: u32) -> (usize, u64) {
        ((rank >> shift) as usize, rank & ((1 << shift) - 1))
    }
}

/// A visited set for many threads, of sets for one.
#[derive(Debug)]
pub struct Sharded<V> {
    shards: Vec<Mutex<V>>,
    shift: u32,
}

impl<V> Sharded<V> {
    /// A thread that panicked has left a shard with some of its states in it: no harm, its search
    /// is over.
    fn lock(&self, shard: usize) -> MutexGuard<'_, V> {
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same for whoever holds them all.
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

    /// A shard's memory is asked for when it is locked, for it may move until then.
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

impl<S: StateSpace, V: Shard<S>> Shared<S> for Sharded<V> {
    #[inline]
    fn parts(&self) -> usize {
        self.shards.len()
    }

    #[inline]
    fn part(&self, key: V::Key) -> usize {
        V::shard(key, self.shift).0
    }

    fn insert_batch<M: Copy>(&self, batch: &mut [(V::Key, S::State, M)]) -> Option<usize> {
        let Some(&(key, ..)) = batch.first() else { return Some(0) };
        let (mut new, mut again) = (0, Vec::new());
        let mut set = self.lock(V::shard(key, self.shift).0);
        set.make_room(batch.len()).ok()?;
        for from in (0..batch.len()).step_by(BATCH) {
            let some = from..batch.len().min(from + BATCH);
            for (key, ..) in &mut batch[some.clone()] {
                *key = V::shard(*key, self.shift).1;
                set.prefetch(*key);
            }
            let kept = insert_all::<S, V, M>(&mut set, &mut batch[some], &mut again);
            batch.copy_within(from..from + kept, new);
            new += kept;
        }
        Some(new)
    }

    fn make_room_in(&mut self, part: usize, states: usize) -> Result<(), OutOfMemory> {
        self.shard_mut(part).make_room(states)
    }
}
