//! Counts of the work of a search.

/// The work of a search, in units that do not depend on the machine.
///
/// The same input, version and options give the same counts, unless the time limit or cancellation
/// stopped the search. With several threads, [`bytes`](Self::bytes) and
/// [`recovered`](Self::recovered) vary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stats {
    /// The number of expansions: states whose successors or predecessors the search computed. A
    /// state that is expanded twice counts twice. Expansions during plan recovery do not count.
    pub expanded: u64,
    /// The number of expansions during plan recovery. With several threads, and without
    /// [`Predecessors`](crate::Predecessors), it depends on timing.
    pub recovered: u64,
    /// The number of generated states: all states that expansions emitted, duplicates included.
    pub generated: u64,
    /// The number of duplicates: generated states that were known before at the same or a smaller
    /// depth.
    pub duplicates: u64,
    /// The largest frontier at one time, in states. It is the current and the next layer of a
    /// breadth-first search, the open list of A*, the stack of IDA* with a table, and the path of
    /// IDA* without a table.
    pub peak_frontier: u64,
    /// The peak of the reserved memory, in bytes; see [`Memory`](crate::memory::Memory). Searches
    /// that share a budget share this figure. To measure one search, give it its own budget.
    pub bytes: u64,
}

impl Stats {
    /// The combined work of this search and a later one under the same budget: counts are added,
    /// peaks are maxima.
    #[must_use]
    pub fn and_then(self, next: Self) -> Self {
        Self {
            expanded: self.expanded + next.expanded,
            recovered: self.recovered + next.recovered,
            generated: self.generated + next.generated,
            duplicates: self.duplicates + next.duplicates,
            peak_frontier: self.peak_frontier.max(next.peak_frontier),
            bytes: self.bytes.max(next.bytes),
        }
    }
}
