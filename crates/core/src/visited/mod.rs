//! Visited sets: which states a search has met. They compare whole states; no answer rests on a
//! hash.
//!
//! | set | for | bytes a state met | threads |
//! | --- | --- | --- | --- |
//! | [`Table`] | any state | 5/4 words when full, 35/16 when just grown | one |
//! | [`Adaptive`] | states that are mostly few | two to four words, as a table beyond half a million | one |
//! | [`SharedTable`] | any state | the same, and for states wider than 64 bits a byte a slot more | any number |
//! | [`DenseBits`] | states with a rank | 1/8 a *rank*, met or not | one |
//! | [`SharedBits`] | states with a rank | the same | any number |
//! | [`Sharded<Table<_>>`](Sharded), `Sharded<DenseBits>` | the same as the set inside | the same, and up to 1,024 states a shard that wait in each thread | any number |
//! | [`TwoBits`] | states with a rank | 1/4 a *rank*, and no lists of layers are needed | any number |
//!
//! A search works out where a state belongs once, as a [key](Visited::Key), asks the processor for
//! that place, and inserts some dozens of states later, when the place has arrived.

mod adaptive;
mod dense_bits;
mod growth;
mod line;
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
pub use growth::Hashed;
pub use sharded::{Shard, Sharded};
pub use shared_bits::SharedBits;
pub use shared_slots::SharedWord;
pub use shared_table::SharedTable;
pub use table::Table;
pub use two_bits::TwoBits;

use crate::memory::{Memory, OutOfMemory};
use crate::space::StateSpace;

/// A set of states of the space `S` to which a search adds what it meets.
pub trait Visited<S: StateSpace>: Sized {
    /// What finds the place of a state: its rank, or its hash.
    type Key: Copy + Send;

    /// An empty set, booked on `memory`.
    fn new(space: &S, memory: &Memory) -> Result<Self, OutOfMemory>;

    /// The key of a state.
    fn key(space: &S, state: S::State) -> Self::Key;

    /// Tells the processor that the place of a key will be asked for soon.
    fn prefetch(&self, key: Self::Key);

    /// Whether all of it is in the processor's cache, more likely than not, so that states are best
    /// inserted at once.
    #[inline]
    fn fits_in_cache(&self) -> bool {
        false
    }

    /// Inserts the states of a batch, and puts those that were new to its front, in their order;
    /// returns how many they are. There must be room.
    #[inline]
    fn insert_batch_resident<M: Copy>(&mut self, space: &S, batch: &mut [(S::State, M)]) -> usize {
        keep(batch, |(state, _)| self.insert(Self::key(space, state), state))
    }

    /// Makes sure that so many states more can be inserted.
    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory>;

    /// Adds a state; `true` if it was not there. There must be room.
    fn insert(&mut self, key: Self::Key, state: S::State) -> bool;

    /// The same, if where the state belongs is known from what the processor has been asked for
    /// before this `pass`, the first of which is 0. Else `None`, and it has been asked for more.
    /// After pass [`LAST_PASS`](Self::LAST_PASS), `insert` is due.
    #[inline]
    fn try_insert(&mut self, key: Self::Key, state: S::State, pass: usize) -> Option<bool> {
        let _ = pass;
        Some(self.insert(key, state))
    }

    /// The last pass in which it is worth while to [try](Self::try_insert).
    const LAST_PASS: usize = 0;

    /// Whether the state is there.
    fn contains(&self, key: Self::Key, state: S::State) -> bool;
}

/// A set that threads insert into at the same time.
pub trait Shared<S: StateSpace>: Visited<S> + Sync {
    /// Into how many parts the set is divided, so that each thread collects its states by part; 1
    /// for a set in one piece.
    #[inline]
    fn parts(&self) -> usize {
        1
    }

    /// The part that a key belongs to.
    #[inline]
    fn part(&self, key: Self::Key) -> usize {
        let _ = key;
        0
    }

    /// Inserts the states of a batch, all of one [part](Self::part), and puts those that were new
    /// to its front; returns how many they are. A state that several threads insert is new for one
    /// of them. What was inserted has lost its key.
    ///
    /// `None`, and nothing is inserted, if there is not enough room left for all: somebody has to
    /// [make room](Self::make_room_in) then, while no thread inserts.
    fn insert_batch<M: Copy>(&self, batch: &mut [(Self::Key, S::State, M)]) -> Option<usize>;

    /// Makes sure that so many states more can be inserted in a part.
    fn make_room_in(&mut self, part: usize, states: usize) -> Result<(), OutOfMemory> {
        let _ = part;
        self.make_room(states)
    }
}

/// How many places are asked for before the first is looked at. On the 2x5 sliding tiles anything
/// from 32 to 256 is the same within the noise.
pub(crate) const BATCH: usize = 64;

/// Puts the items that are to be kept to the front, and returns how many they are.
#[inline(always)]
pub(crate) fn keep<T: Copy>(items: &mut [T], mut is_kept: impl FnMut(T) -> bool) -> usize {
    let mut kept = 0;
    for index in 0..items.len() {
        let item = items[index];
        // Written either way: no branch, for there is no guessing which it will be.
        items[kept] = item;
        kept += usize::from(is_kept(item));
    }
    kept
}

/// Inserts the states of a batch, whose places the processor has been asked for, and puts those
/// that were new to its front; returns how many they are. There must be room. `again` is empty
/// before and after, and saves asking for memory.
#[inline(always)]
pub(crate) fn insert_all<S: StateSpace, V: Visited<S>, M: Copy>(
    visited: &mut V,
    batch: &mut [(V::Key, S::State, M)],
    again: &mut Vec<(V::Key, S::State, M)>,
) -> usize {
    let mut new = 0;
    for index in 0..batch.len() {
        let (key, state, by) = batch[index];
        let found = visited.try_insert(key, state, 0);
        if found.is_none() {
            again.push((key, state, by));
        }
        // Written either way, as in `keep`; a closure for that was not inlined, and cost 3 % on the
        // 2x5 tiles.
        batch[new] = (key, state, by);
        new += usize::from(found == Some(true));
    }
    let mut pass = 1;
    while !again.is_empty() {
        let mut left = 0;
        for index in 0..again.len() {
            let (key, state, by) = again[index];
            let is_last = pass > V::LAST_PASS;
            let found = if is_last {
                Some(visited.insert(key, state))
            } else {
                visited.try_insert(key, state, pass)
            };
            again[left] = (key, state, by);
            left += usize::from(found.is_none());
            batch[new] = (key, state, by);
            new += usize::from(found == Some(true));
        }
        again.truncate(left);
        pass += 1;
    }
    new
}
