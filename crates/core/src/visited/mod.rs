//! Visited sets: which states a search has met. They compare whole states; no answer rests on a hash.
//!
//! | set | for | bytes a state met | a look-up costs |
//! | --- | --- | --- | --- |
//! | [`Table`] | any state | 4/3 to 8/3 words | a hash and about one cache line |
//! | [`DenseBits`] | states with a rank | 1/8 a *rank*, met or not | the rank and one cache line |

mod dense_bits;
mod table;

pub use dense_bits::DenseBits;
pub use table::Table;

use crate::memory::{Memory, OutOfMemory};
use crate::space::StateSpace;

/// A set of states of the space `S` to which a search adds what it meets.
pub trait Visited<S: StateSpace>: Sized {
    /// An empty set, booked on `memory`.
    fn new(space: &S, memory: &Memory) -> Result<Self, OutOfMemory>;

    /// Adds a state; `true` if it was not there.
    fn insert(&mut self, space: &S, state: S::State) -> Result<bool, OutOfMemory>;

    /// Whether the state is there.
    fn contains(&self, space: &S, state: S::State) -> bool;
}
