//! Visited sets: which states a search has met. They compare whole states; no answer rests on a hash.
//!
//! | set | for | bytes a state met | threads |
//! | --- | --- | --- | --- |
//! | [`Table`] | any state | 5/4 words when full, 35/16 when just grown | one |
//! | [`SharedTable`] | any state | the same, and for states wider than 64 bits a byte a slot more | any number |
//! | [`DenseBits`] | states with a rank | 1/8 a *rank*, met or not | one |
//! | [`SharedBits`] | states with a rank | the same | any number |
//! | [`TwoBits`] | states with a rank | 1/4 a *rank*, and no lists of layers are needed | any number |
//!
//! A search works out where a state belongs once, as a [key](Visited::Key), asks the processor for that place, and inserts
//! some dozens of states later, when the place has arrived.

mod dense_bits;
mod growth;
mod line;
mod pages;
pub(crate) mod piles;
mod prefetch;
mod shared_bits;
mod shared_slots;
mod shared_table;
mod table;
mod two_bits;

pub use dense_bits::DenseBits;
pub use growth::Hashed;
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

    /// The key of a state. Growing does not change it.
    fn key(&self, space: &S, state: S::State) -> Self::Key;

    /// Tells the processor that the place of a key will be asked for soon.
    fn prefetch(&self, key: Self::Key);

    /// Makes sure that so many states more can be inserted.
    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory>;

    /// Adds a state; `true` if it was not there. There must be room.
    fn insert(&mut self, key: Self::Key, state: S::State) -> bool;

    /// The same, if where the state belongs is known from what the processor has been asked for before this `pass`, the first
    /// of which is 0. Else `None`, and it has been asked for more. After pass [`LAST_PASS`](Self::LAST_PASS), `insert` is due.
    #[inline]
    fn try_insert(&mut self, key: Self::Key, state: S::State, pass: usize) -> Option<bool> {
        let _ = pass;
        Some(self.insert(key, state))
    }

    /// The last pass in which it is worth while to [try](Self::try_insert).
    const LAST_PASS: usize = 0;

    /// Into how many parts the set is to be thought as divided, so that states are sorted by part before they come to it; 1
    /// for a set that is small enough to go without.
    #[inline]
    fn parts(&self) -> usize {
        1
    }

    /// The part, of so many, that a key belongs to.
    #[inline]
    fn part(&self, key: Self::Key, parts: usize) -> usize {
        let _ = (key, parts);
        0
    }

    /// Whether the state is there.
    fn contains(&self, key: Self::Key, state: S::State) -> bool;
}

/// A set that threads insert into at the same time.
pub trait Shared<S: StateSpace>: Visited<S> + Sync {
    /// Takes room for so many states; `false` if there is not enough left, and then somebody has to
    /// [make room](Visited::make_room) while no thread inserts.
    fn take_room(&self, states: usize) -> bool;

    /// Gives back room that was taken and not needed, since states were known.
    fn give_back(&self, states: usize);

    /// Whether the state is there already, where that costs less to find out than to try.
    #[inline]
    fn known(&self, key: Self::Key) -> bool {
        let _ = key;
        false
    }

    /// Adds a state; `true` for the one thread that was first with it. Room must have been taken for it.
    fn insert_shared(&self, key: Self::Key, state: S::State) -> bool;
}
