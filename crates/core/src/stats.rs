//! What a search took.

/// The work of a search, in units that do not depend on the machine. The same input, version and
/// options give the same figures, unless time or a cancellation ended the search; with several
/// threads, `bytes` varies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// States whose successors (or predecessors) the search asked for, repetitions included; not
    /// those that the recovery of the plan looked at again.
    pub expanded: u64,
    /// States that came out of expansions.
    pub generated: u64,
    /// Generated states that were already known, by no longer way.
    pub duplicates: u64,
    /// Most states waiting at one time: the two layers at hand of a breadth-first search, the open
    /// list of A*, the stack of IDA*, or the path of IDA* without a table.
    pub peak_frontier: u64,
    /// Most memory held at one time, in bytes, as counted against the budget. Searches that share a
    /// budget share this figure: to learn what one of them takes, give it a budget of its own.
    pub bytes: u64,
}

impl Stats {
    /// The work of this search and of one after it under the same budget.
    #[must_use]
    pub fn and_then(self, next: Self) -> Self {
        Self {
            expanded: self.expanded + next.expanded,
            generated: self.generated + next.generated,
            duplicates: self.duplicates + next.duplicates,
            peak_frontier: self.peak_frontier.max(next.peak_frontier),
            bytes: self.bytes.max(next.bytes),
        }
    }
}
