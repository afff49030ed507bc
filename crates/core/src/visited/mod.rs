//! Visited sets: which states a search has met. They compare whole states; no answer rests on a hash.
//!
//! | set | for | bytes a state met | threads |
//! | --- | --- | --- | --- |
//! | [`Table`] | any state | 5/4 words when full, 35/16 when just grown | one |
//! | [`DenseBits`] | states with a rank | 1/8 a *rank*, met or not | one |
//!
//! A search works out where a state belongs once, as a [key](Visited::Key), asks the processor for that place, and inserts
//! some dozens of states later, when the place has arrived.

mod dense_bits;
mod growth;
mod line;
mod pages;
mod prefetch;
mod table;

pub use dense_bits::DenseBits;
pub use growth::Hashed;
pub use table::Table;

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

    /// Whether the state is there.
    fn contains(&self, key: Self::Key, state: S::State) -> bool;
}
