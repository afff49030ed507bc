//! Visited sets: the sets of states that searches have generated.
//!
//! A visited set compares whole states, or ranks that are unique to a state. No result depends on a
//! hash value.
//!
//! | set | states | memory |
//! | --- | --- | --- |
//! | [`Table`] | any | 5/4 (full) to 35/16 (after growth) words per state |
//! | [`CompactTable`] | of known width, up to 64 bits | 4 to 6 bytes per state, for 10^8 states of 48 bits |
//! | [`Adaptive`] | any, mostly few | 2 to 4 words per state, then as `Table` |
//! | [`DenseBits`] | ranked | 1/8 byte per *rank* |
//!
//! - "Ranked" requires that the space implements [`Ranked`](crate::Ranked). The memory of
//!   `DenseBits` depends on the number of ranks, not on the number of states that are generated.
//! - Take `Table` if little is known about the space, `Adaptive` if most searches generate fewer
//!   than half a million states, `CompactTable` for many millions of states whose width is known, and
//!   `DenseBits` if most ranks are generated or
//!   [`DenseBits::is_suitable`] is true.
//!
//! A visited set is for one thread. [`store`](crate::store) divides sets into shards for many
//! threads.
//!
//! A random access to a large set waits for main memory. States are therefore inserted in batches:
//! a set reads ahead the slots of the states that follow.
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
//! /// Removes the states that occur earlier in the list.
//! fn remove_duplicates<S: StateSpace, V: Visited<S>>(
//!     space: &S,
//!     states: &mut Vec<(S::State, S::Move)>,
//!     memory: &Memory,
//! ) -> Result<(), OutOfMemory> {
//!     let distinct = V::new(space, memory)?.insert_batch(space, states)?;
//!     states.truncate(distinct);
//!     Ok(())
//! }
//!
//! let mut states = vec![(1, ()), (2, ()), (1, ())];
//! let memory = Memory::with_limit(1 << 20);
//! remove_duplicates::<Numbers, Table<u32>>(&Numbers, &mut states, &memory)?;
//! assert_eq!(states, [(1, ()), (2, ())]);
//! # Ok::<(), OutOfMemory>(())
//! ```

mod adaptive;
mod bucket;
mod compact_table;
mod dense_bits;
mod growth;
pub(crate) mod pages;
pub(crate) mod partition_buffers;
pub(crate) mod prefetch;
mod table;

pub use adaptive::Adaptive;
pub use compact_table::{CompactTable, Permuted};
pub use dense_bits::DenseBits;
pub use growth::StateHash;
pub use table::Table;

use crate::memory::{Memory, OutOfMemory};
use crate::space::StateSpace;

/// A set of states of the space `S`.
///
/// A state is in the set if and only if it was inserted. States are never removed.
pub trait Visited<S: StateSpace>: Sized {
    /// An empty set. It reserves its memory from `memory`, now and when it grows.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the empty set does not fit.
    fn new(space: &S, memory: &Memory) -> Result<Self, OutOfMemory>;

    /// The same, without room for the states that the space
    /// [expects](StateSpace::expected_states): for one of several sets of a search.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    fn small(space: &S, memory: &Memory) -> Result<Self, OutOfMemory> {
        Self::new(space, memory)
    }

    /// Inserts an initial state. Returns whether it was not in the set.
    ///
    /// # Errors
    /// [`OutOfMemory`] if there is no room. The set is unchanged then.
    fn insert(&mut self, space: &S, state: S::State) -> Result<bool, OutOfMemory>;

    /// Inserts the states of a batch, each with the move that led to it. It moves the items whose
    /// states were not in the set to the front of the batch, in their order, and returns their
    /// number. Of equal states, the first is new. The rest of the batch is unspecified afterwards.
    ///
    /// # Errors
    /// [`OutOfMemory`] if there is no room for the whole batch. The set and the batch are unchanged
    /// then, and the set can still be used.
    fn insert_batch(
        &mut self,
        space: &S,
        batch: &mut [(S::State, S::Move)],
    ) -> Result<usize, OutOfMemory>;

    /// Called when all states of a layer have been inserted.
    #[inline]
    fn commit_layer(&mut self) {}

    /// Whether the set contains a state.
    fn contains(&self, space: &S, state: S::State) -> bool;
}

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

/// How many items a slot is prefetched before it is accessed.
const READ_AHEAD: usize = 32;

/// Inserts the items of a batch, whose slots are prefetched some items before. `prefetch` returns
/// the key of an item, and `insert` whether its state is new. Moves the new items to the front, in
/// their order, and returns their number.
#[inline(always)]
pub(crate) fn insert_pipelined<C: ?Sized, T: Copy, K: Copy>(
    set: &mut C,
    batch: &mut [T],
    prefetch: impl Fn(&C, T) -> K,
    mut insert: impl FnMut(&mut C, K, T) -> bool,
) -> usize {
    let Some(&first) = batch.first() else { return 0 };
    let mut keys = [prefetch(set, first); READ_AHEAD];
    for (key, &item) in keys.iter_mut().zip(batch.iter()).skip(1) {
        *key = prefetch(set, item);
    }
    let mut new = 0;
    for index in 0..batch.len() {
        let (item, key) = (batch[index], keys[index % READ_AHEAD]);
        if let Some(&ahead) = batch.get(index + READ_AHEAD) {
            keys[index % READ_AHEAD] = prefetch(set, ahead);
        }
        // Unconditional write, as in `compact`.
        batch[new] = item;
        new += usize::from(insert(set, key, item));
    }
    new
}
