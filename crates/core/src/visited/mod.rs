//! Visited sets: the sets of states that searches have generated.
//!
//! A visited set compares whole states, or ranks that are unique to a state. No result depends on a
//! hash value.
//!
//! | set | states | memory |
//! | --- | --- | --- |
//! | [`Table`] | any | 5/4 (full) to 35/16 (after growth) words per state |
//! | [`CompactTable`] | of known width, up to 64 bits | 4 to 6 bytes per state, for 10^8 states of 48 bits |
//! | [`Adaptive`] | any | 2 to 4 words per state while they are few, then as `CompactTable` or `Table` |
//! | [`RankSet`] | ranked | as `Adaptive`, of ranks, until 1/8 byte per *rank* is less or not much more |
//!
//! - "Ranked" requires that the space implements [`Ranked`](crate::Ranked).
//! - Take `RankSet` if there are ranks, else `Adaptive`. The others are what `Adaptive` becomes, and
//!   the sets of many threads.
//!
//! A visited set is for one thread. [`store`](crate::store) divides sets into shards for many
//! threads.
//!
//! A random access to a large set waits for main memory. States are therefore inserted in batches:
//! a set reads ahead the slots of the states that follow.
//!
//! ```
//! use fewest_core::memory::Memory;
//! use fewest_core::seam::{Batch, Erased, SearchSpace};
//! use fewest_core::space::from_fn;
//! use fewest_core::visited::{Table, Visited};
//!
//! let numbers = from_fn([1_u32], |n| [('+', n + 1), ('*', 2 * n)], |n| n == 10);
//! let space = Erased::new(&numbers);
//! let mut table = Table::new(&Memory::unlimited())?;
//! let mut batch = Batch::default();
//! space.successors(&[1, 2, 3], &[], &mut 0, &mut batch, &mut |_| unreachable!("there is room"));
//! assert_eq!(batch.states(), [2, 2, 3, 4, 4, 6]);
//! assert_eq!(table.insert(&mut batch)?, 4);
//! # Ok::<(), fewest_core::memory::OutOfMemory>(())
//! ```

mod adaptive;
mod adaptive_map;
mod bucket;
mod compact_table;
mod dense_bits;
mod growth;
mod linear_probing;
pub(crate) mod pages;
pub(crate) mod partition_buffers;
pub(crate) mod prefetch;
mod rank_set;
mod table;

pub use adaptive::Adaptive;
pub use adaptive_map::AdaptiveMap;
pub use compact_table::CompactTable;
pub(crate) use compact_table::Permuted;
pub use growth::StateHash;
pub use rank_set::RankSet;
pub use table::Table;

use std::fmt::Debug;

use crate::memory::{Memory, OutOfMemory};
use crate::seam::{Batch, Properties};
use crate::word::Word;

/// A set of states, for one thread.
///
/// A state is in the set if and only if it was inserted. Only [`forget`](Self::forget) removes
/// states.
pub trait Visited<W: Word>: Sized + Send + Debug {
    /// Whether the set has ranks instead of states.
    const BY_RANK: bool = false;

    /// An empty set of states of a space with these properties. It reserves its memory from `memory`, now and when it grows.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the empty set does not fit.
    fn new(properties: &Properties, memory: &Memory) -> Result<Self, OutOfMemory>;

    /// The same, without room for the states that the space
    /// [expects](crate::StateSpace::expected_states): for one of several sets of a search.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    fn small(properties: &Properties, memory: &Memory) -> Result<Self, OutOfMemory> {
        Self::new(properties, memory)
    }

    /// Makes room for `states` more states.
    ///
    /// # Errors
    /// [`OutOfMemory`] if they do not fit. The set is unchanged then, and can still be used.
    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory>;

    /// Inserts states, for which there must be [room](Self::make_room), given their ranks if the
    /// set is [by rank](Self::BY_RANK). Writes the indices of those that were not in the set, in
    /// their order, and returns their number. Of equal states, the first is new. There must be as
    /// many places for indices as states.
    fn insert_all(&mut self, states: &[W], ranks: &[u64], new: &mut [u32]) -> usize;

    /// Does both with the states of a batch, which has the indices then.
    ///
    /// # Errors
    /// As [`make_room`](Self::make_room).
    fn insert(&mut self, batch: &mut Batch<W>) -> Result<usize, OutOfMemory> {
        self.make_room(batch.len())?;
        let (states, ranks, new) = batch.for_insertion();
        Ok(self.insert_all(states, ranks, new))
    }

    /// Forgets states that will not be inserted again, to free memory. The set may keep some: all
    /// of them if it never grows any more.
    fn forget(&mut self) {}

    /// Whether the set contains a state with this rank. A set of states ignores the rank.
    fn contains(&self, state: W, rank: u64) -> bool;
}

/// Writes the indices of the keys for which `insert` is true, and returns their number. Calls
/// `insert` once per key, in order.
#[inline(always)]
pub(crate) fn insert_each<K: Copy>(
    keys: &[K],
    new: &mut [u32],
    mut insert: impl FnMut(K) -> bool,
) -> usize {
    let new = &mut new[..keys.len()];
    let mut count = 0;
    for (index, &key) in keys.iter().enumerate() {
        // Unconditional write: a branch would be unpredictable.
        new[count] = index as u32;
        count += usize::from(insert(key));
    }
    count
}

/// The same with slots that are prefetched some keys before. `prefetch` returns what locates a key.
#[inline(always)]
pub(crate) fn insert_each_pipelined<C: ?Sized, K: Copy, L: Copy>(
    set: &mut C,
    keys: &[K],
    new: &mut [u32],
    prefetch: impl Fn(&C, K) -> L,
    mut insert: impl FnMut(&mut C, L, K) -> bool,
) -> usize {
    let Some(&first) = keys.first() else { return 0 };
    let new = &mut new[..keys.len()];
    let mut places = [prefetch(set, first); READ_AHEAD];
    for (place, &key) in places.iter_mut().zip(keys).skip(1) {
        *place = prefetch(set, key);
    }
    let mut count = 0;
    for (index, &key) in keys.iter().enumerate() {
        let place = places[index % READ_AHEAD];
        if let Some(&ahead) = keys.get(index + READ_AHEAD) {
            places[index % READ_AHEAD] = prefetch(set, ahead);
        }
        new[count] = index as u32;
        count += usize::from(insert(set, place, key));
    }
    count
}

/// How many keys a slot is prefetched before it is accessed.
const READ_AHEAD: usize = 32;
