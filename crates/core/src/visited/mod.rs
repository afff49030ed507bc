//! Visited sets: the sets of states that searches have generated.
//!
//! A visited set compares whole states, or ranks that are unique to a state. No result depends on a
//! hash value.
//!
//! | set | states | memory | threads |
//! | --- | --- | --- | --- |
//! | [`Table`] | any | 5/4 (full) to 35/16 (after growth) words per state | one |
//! | [`Adaptive`] | any, mostly few | 2 to 4 words per state, then as `Table` | one |
//! | [`SharedTable`] | any | as `Table`; wider than 64 bits: 1 more byte per slot | many |
//! | [`DenseBits`] | ranked | 1/8 byte per *rank* | one |
//! | [`SharedBits`] | ranked | 1/8 byte per *rank* | many |
//! | [`Sharded<Table<_>>`](Sharded) | any | as `Table`, plus buffers | many |
//! | [`Sharded<DenseBits>`](Sharded) | ranked | 1/8 byte per *rank*, plus buffers | many |
//! | [`TwoBits`] | ranked | 1/4 byte per *rank*; no lists of layers | many |
//!
//! - "Ranked" requires that the space implements [`Ranked`](crate::Ranked). The memory of these
//!   sets depends on the number of ranks, not on the number of states that are generated.
//! - With one thread, take `Table` if little is known about the space, `Adaptive` if most searches
//!   generate fewer than half a million states, and `DenseBits` if most ranks are generated or
//!   [`DenseBits::is_suitable`] is true.
//! - With many threads, `Sharded` sets are faster than `SharedTable` and `SharedBits`. Their
//!   buffers take up to 1,024 states per shard and thread.
//! - `TwoBits` is for [`explore::sweep`](crate::explore::sweep), which needs no other memory.
//!
//! # Inserting a state
//!
//! A random access to a large set waits for main memory. A search therefore inserts in two steps.
//! It computes the [key](Visited::Key) of a state, which is its rank or its hash, and
//! [prefetches](Visited::prefetch) the slot of the key. Some dozens of states later, when the slot
//! is in the cache, it inserts the state.
//!
//! ```
//! # use std::ops::ControlFlow;
//! use fewest_core::StateSpace;
//! use fewest_core::memory::{Memory, OutOfMemory};
//! use fewest_core::visited::{Table, Visited};
//!
//! # struct Numbers;
//! # impl StateSpace for Numbers {
//! #     type State = u32;
//! #     type Move = ();
//! #     fn initial(&self, mut emit: impl FnMut(u32)) {
//! #         emit(1)
//! #     }
//! #     fn is_goal(&self, state: u32) -> bool {
//! #         state == 10
//! #     }
//! #     fn successors<B>(
//! #         &self,
//! #         state: u32,
//! #         _last: Option<()>,
//! #         mut emit: impl FnMut((), u32) -> ControlFlow<B>,
//! #     ) -> ControlFlow<B> {
//! #         emit((), state + 1)
//! #     }
//! # }
//! fn count_distinct<S: StateSpace, V: Visited<S>>(
//!     space: &S,
//!     states: &[S::State],
//!     memory: &Memory,
//! ) -> Result<usize, OutOfMemory> {
//!     let mut visited = V::new(space, memory)?;
//!     visited.make_room(states.len())?;
//!     let keys: Vec<_> = states.iter().map(|&state| V::key(space, state)).collect();
//!     keys.iter().for_each(|&key| visited.prefetch(key));
//!     let mut distinct = 0;
//!     for (&key, &state) in keys.iter().zip(states) {
//!         distinct += usize::from(visited.insert(key, state));
//!     }
//!     Ok(distinct)
//! }
//!
//! let states = [1, 2, 1];
//! let memory = Memory::with_limit(1 << 20);
//! assert_eq!(count_distinct::<Numbers, Table<u32>>(&Numbers, &states, &memory), Ok(2));
//! ```

mod adaptive;
mod bucket;
mod dense_bits;
mod growth;
mod pages;
pub(crate) mod partition_buffers;
mod prefetch;
mod sharded;
mod shared_bits;
mod shared_slots;
mod shared_table;
mod table;
mod two_bits;

pub use adaptive::Adaptive;
pub use dense_bits::DenseBits;
pub use growth::StateHash;
pub use sharded::{Shard, Sharded};
pub use shared_bits::SharedBits;
pub use shared_slots::SharedWord;
pub use shared_table::SharedTable;
pub use table::Table;
pub use two_bits::TwoBits;

use crate::memory::{Memory, OutOfMemory};
use crate::space::StateSpace;

/// A set of states of the space `S`.
///
/// A state is in the set if and only if it was inserted. States are never removed. To insert one:
///
/// 1. Compute its key with [`key`](Self::key).
/// 2. Optionally call [`prefetch`](Self::prefetch), and insert the state some dozens of states
///    later.
/// 3. Call [`make_room`](Self::make_room) for this and possibly further states.
/// 4. Call [`insert`](Self::insert).
pub trait Visited<S: StateSpace>: Sized {
    /// What locates a state in the set: its rank or its hash.
    type Key: Copy + Send;

    /// An empty set. It reserves its memory from `memory`, now and when it grows.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the empty set does not fit.
    fn new(space: &S, memory: &Memory) -> Result<Self, OutOfMemory>;

    /// The key of a state. It depends on the space and the state only.
    fn key(space: &S, state: S::State) -> Self::Key;

    /// Hints to the processor that the slot of this key will be read soon. It has no other effect.
    fn prefetch(&self, key: Self::Key);

    /// Whether the whole set is probably in the processor's cache, so that a search need not
    /// prefetch.
    #[inline]
    fn fits_in_cache(&self) -> bool {
        false
    }

    /// Inserts the states of a batch without prefetching. It moves the items whose states were not
    /// in the set to the front of the batch, in their order, and returns their number. There must
    /// be room for the whole batch.
    #[inline]
    fn insert_batch_in_cache<M: Copy>(&mut self, space: &S, batch: &mut [(S::State, M)]) -> usize {
        compact(batch, |(state, _)| self.insert(Self::key(space, state), state))
    }

    /// Makes room for `states` more states.
    ///
    /// # Errors
    /// [`OutOfMemory`] if they do not fit. The set is unchanged then and can still be used.
    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory>;

    /// Inserts a state and returns `true` if it was not in the set. `key` must be the key of
    /// `state`.
    ///
    /// # Panics
    /// May panic if there is no room: call [`make_room`](Self::make_room) before.
    fn insert(&mut self, key: Self::Key, state: S::State) -> bool;

    /// Inserts a state like [`insert`](Self::insert), but only if that needs no memory access that
    /// was not prefetched before this pass. Otherwise it prefetches what the next pass needs and
    /// returns `None`.
    ///
    /// Passes are numbered from 0. After pass [`LAST_PASS`](Self::LAST_PASS), use `insert`.
    #[inline]
    fn try_insert(&mut self, key: Self::Key, state: S::State, pass: usize) -> Option<bool> {
        let _ = pass;
        Some(self.insert(key, state))
    }

    /// The last pass for which [`try_insert`](Self::try_insert) prefetches anything.
    const LAST_PASS: usize = 0;

    /// Whether the set contains a state. `key` must be the key of `state`.
    fn contains(&self, key: Self::Key, state: S::State) -> bool;
}

/// A visited set into which several threads insert at the same time.
///
/// A set consists of one or more *partitions*. The key of a state determines its partition. Each
/// thread collects states by partition and inserts them in batches.
pub trait ConcurrentVisited<S: StateSpace>: Visited<S> + Sync {
    /// The number of partitions; 1 if the set is not divided.
    #[inline]
    fn partition_count(&self) -> usize {
        1
    }

    /// The partition of a key, below [`partition_count`](Self::partition_count).
    #[inline]
    fn partition_of(&self, key: Self::Key) -> usize {
        let _ = key;
        0
    }

    /// Inserts the states of a batch, which must all be in one [partition](Self::partition_of).
    /// It moves the items whose states were not in the set to the front of the batch, in any order,
    /// and returns their number. If several threads insert the same state, it is new for exactly
    /// one of them. The keys in the batch are unspecified afterwards.
    ///
    /// Returns `None`, and inserts nothing, if there is not enough room for the whole batch. The
    /// caller must then stop all threads, call [`make_room_in`](Self::make_room_in), and insert the
    /// batch again.
    fn insert_batch<M: Copy>(&self, batch: &mut [(Self::Key, S::State, M)]) -> Option<usize>;

    /// Makes room for `states` more states in a partition.
    ///
    /// # Errors
    /// [`OutOfMemory`] if they do not fit. The set is unchanged then.
    fn make_room_in(&mut self, partition: usize, states: usize) -> Result<(), OutOfMemory> {
        let _ = partition;
        self.make_room(states)
    }
}

/// The number of slots that are prefetched before the first one is read. On the 2x5 sliding tiles,
/// values from 32 to 256 are equally fast within the noise.
pub(crate) const BATCH: usize = 64;

/// Moves the items for which `keep` is true to the front, in their order, and returns their number.
/// Calls `keep` once per item, in order.
#[inline(always)]
pub(crate) fn compact<T: Copy>(items: &mut [T], mut keep: impl FnMut(T) -> bool) -> usize {
    let mut kept = 0;
    for index in 0..items.len() {
        let item = items[index];
        // Unconditional write: a branch would be unpredictable.
        items[kept] = item;
        kept += usize::from(keep(item));
    }
    kept
}

/// Inserts the states of a batch whose slots were prefetched. It moves the items whose states were
/// not in the set to the front, in any order, and returns their number. There must be room for the
/// whole batch. `again` must be empty, and is empty afterwards: a buffer that the caller reuses.
#[inline(always)]
pub(crate) fn insert_batch_prefetched<S: StateSpace, V: Visited<S>, M: Copy>(
    visited: &mut V,
    batch: &mut [(V::Key, S::State, M)],
    again: &mut Vec<(V::Key, S::State, M)>,
) -> usize {
    let mut new = 0;
    for index in 0..batch.len() {
        let (key, state, by) = batch[index];
        let inserted = visited.try_insert(key, state, 0);
        if inserted.is_none() {
            again.push((key, state, by));
        }
        // Unconditional write, as in `compact`. With a closure, this was not inlined and cost 3 %
        // on the 2x5 tiles.
        batch[new] = (key, state, by);
        new += usize::from(inserted == Some(true));
    }
    let mut pass = 1;
    while !again.is_empty() {
        let mut left = 0;
        for index in 0..again.len() {
            let (key, state, by) = again[index];
            let is_last = pass > V::LAST_PASS;
            let inserted = if is_last {
                Some(visited.insert(key, state))
            } else {
                visited.try_insert(key, state, pass)
            };
            again[left] = (key, state, by);
            left += usize::from(inserted.is_none());
            batch[new] = (key, state, by);
            new += usize::from(inserted == Some(true));
        }
        again.truncate(left);
        pass += 1;
    }
    new
}
