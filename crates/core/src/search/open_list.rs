//! What A* needs of its open list.

use crate::memory::OutOfMemory;

/// A priority queue of states, the least sum of depth and bound first.
pub(crate) trait OpenList<W> {
    /// The number of states.
    fn len(&self) -> u64;

    /// Adds a state.
    ///
    /// # Errors
    /// If the memory limit does not allow it.
    fn push(&mut self, sum: u32, depth: u32, state: W) -> Result<(), OutOfMemory>;

    /// Prepares an empty list for sums of at least this.
    fn start(&mut self, least: u32) {
        let _ = least;
    }

    /// Removes all states, and frees their memory.
    fn free(&mut self);

    /// Calls `visit` with the sum, the depth and the state of each state, the first one first.
    fn for_each(&self, visit: &mut dyn FnMut(u32, u32, W));

    /// Removes the first state. Returns its sum, its depth and the state.
    fn pop(&mut self) -> Option<(u32, u32, W)>;
}
