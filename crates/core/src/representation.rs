//! The representations of states in breadth-first searches and explorations, and the choice between
//! them.
//!
//! [`Storage::with_representation`](crate::storage::Storage::with_representation) chooses one, and
//! [`Storage::on_choice`](crate::storage::Storage::on_choice) tells which a search has before it
//! starts.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// How a breadth-first search or an exploration keeps its states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Representation {
    /// A hash table, and lists of the states of each layer.
    Table,
    /// A [set of ranks](crate::visited::RankSet), which becomes a bit for each rank, and lists of
    /// the states of each layer.
    Bits,
    /// Two bits for each rank: for explorations, in memory or on a disk.
    TwoBits,
    /// Sorted runs of states on a disk.
    Runs,
}

impl Representation {
    /// All representations.
    pub const ALL: [Self; 4] = [Self::Table, Self::Bits, Self::TwoBits, Self::Runs];

    /// The name that [`FromStr`] parses, such as `"two-bits"`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Bits => "bits",
            Self::TwoBits => "two-bits",
            Self::Runs => "runs",
        }
    }
}

impl fmt::Display for Representation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error of parsing a name that no [`Representation`] has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown representation; expected `table`, `bits`, `two-bits` or `runs`")]
pub struct UnknownRepresentation;

impl FromStr for Representation {
    type Err = UnknownRepresentation;

    fn from_str(name: &str) -> Result<Self, UnknownRepresentation> {
        let mut all = Self::ALL.into_iter();
        all.find(|representation| representation.name() == name).ok_or(UnknownRepresentation)
    }
}

/// The error of a representation that a search cannot use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the representation `{representation}` is not available: {why}")]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct UnsupportedRepresentation {
    /// The representation.
    pub representation: Representation,
    /// Why.
    pub why: UnsupportedReason,
}

/// Why a search cannot use a representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum UnsupportedReason {
    /// It is kept in memory, but there is a disk.
    #[error("it is kept in memory, and a disk was given")]
    KeptInMemory,
    /// There is no disk.
    #[error("it needs a disk")]
    NeedsDisk,
    /// The states have no ranks, or the search may not use them.
    #[error("it needs ranks, which these states do not have")]
    NeedsRanks,
    /// The search recovers a plan.
    #[error("it does not keep layers, from which plans are recovered")]
    KeepsNoLayers,
}

/// The representation that a search has, why, and what it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct RepresentationChoice {
    /// The representation.
    pub representation: Representation,
    /// Whether its states are on a disk.
    pub is_on_disk: bool,
    /// Why it was chosen.
    pub reason: &'static str,
    /// The bytes of memory that it takes whatever is found: a table of all ranks, or the buffers of
    /// a store on disk.
    pub memory_bytes: u64,
    /// The bytes of files that it takes whatever is found: a table of all ranks.
    pub disk_bytes: u64,
    /// The most bytes for each state that is found, of memory, or of files if it is on a disk;
    /// there also for each time that a state is generated for the next layer. A store that removes
    /// layers needs them for the largest ones only.
    pub bytes_per_state: u64,
}

/// The inputs of the choice of a representation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    /// The representation that was asked for.
    pub(crate) asked: Option<Representation>,
    /// The number of ranks, if the search may use them.
    pub(crate) ranks: Option<u64>,
    /// The number of states that the space expects; 0 if it is not known.
    pub(crate) expected_states: usize,
    /// Whether the search recovers a plan from its layers.
    pub(crate) needs_layers: bool,
    /// The bytes of a state.
    pub(crate) state_bytes: usize,
    pub(crate) threads: usize,
    pub(crate) is_on_disk: bool,
    /// Whether there is a checkpoint with ranks, which only two bits for each read.
    pub(crate) has_rank_layers: bool,
    /// The memory limit; `u64::MAX` if there is none.
    pub(crate) memory: u64,
}

/// The bytes of the buffers of a store on disk if there is no memory limit.
const DISK_BUFFERS: u64 = 256 << 20;
/// A table on disk of up to this many times the memory of its segment is swept in each layer, which
/// costs less than sorting its states.
const MAX_SWEEPS: u64 = 16;

/// A set of one rank in this many becomes bits. The slots of a small hash table take then 1 to 2
/// times as much memory as the bits; those of a large one, which is slower than bits, a third.
pub(crate) const SPARSITY: u64 = 128;

/// Bits that take at most this many bytes are there from the start: clearing them takes less time
/// than the first thousands of states.
const LITTLE_BYTES: u64 = 4 << 20;

/// Whether bits for this many ranks take little, also of the memory limit: more than an eighth of
/// it may be more than a table that grows as needed.
fn bits_take_little(ranks: u64, memory_limit: u64) -> bool {
    ranks / 8 <= LITTLE_BYTES.min(memory_limit / 8)
}

/// Whether a set of the expected number of states would become bits.
fn is_dense(expected_states: usize, ranks: u64) -> bool {
    expected_states as u64 >= ranks.div_ceil(SPARSITY)
}

/// Whether a set of ranks begins with bits: if they take little, or if many of the ranks are
/// expected and the bits take at most half of the memory limit.
pub(crate) fn begins_with_bits(ranks: u64, expected_states: usize, memory_limit: u64) -> bool {
    bits_take_little(ranks, memory_limit)
        || is_dense(expected_states, ranks) && ranks / 8 <= memory_limit / 2
}

/// The states that a thread sorts at a time. The most take about 0.2 s, in which no limit is looked
/// at.
const BUFFER_STATES: RangeInclusive<usize> = 1 << 8..=1 << 22;

/// The states of the buffer of each thread of a store of runs, if the buffers are given `bytes`.
pub(crate) fn run_buffer_states(threads: usize, state_bytes: usize, bytes: u64) -> usize {
    let each = (bytes / threads as u64 / state_bytes as u64) as usize;
    each.clamp(*BUFFER_STATES.start(), *BUFFER_STATES.end())
}

impl Request {
    /// The bytes of the buffers of a store on disk.
    pub(crate) fn buffer_bytes(memory: u64) -> u64 {
        if memory == u64::MAX { DISK_BUFFERS } else { memory / 2 }
    }

    /// Chooses a representation, or checks that the one that was asked for can be used.
    pub(crate) fn choose(self) -> Result<RepresentationChoice, UnsupportedRepresentation> {
        let (representation, reason) = match self.asked {
            Some(representation) => {
                let refused = |why| UnsupportedRepresentation { representation, why };
                self.obstacle(representation).map_or(Ok(()), |why| Err(refused(why)))?;
                (representation, "as asked for")
            }
            None if self.has_rank_layers && self.obstacle(Representation::TwoBits).is_none() => {
                (Representation::TwoBits, "the checkpoint has ranks")
            }
            None => self.best(),
        };
        Ok(self.costs(representation, reason))
    }

    /// Chooses for a search that keeps its states in memory, whatever was asked for.
    pub(crate) fn choose_in_memory(self) -> RepresentationChoice {
        let request = Self { is_on_disk: false, ..self };
        let (representation, reason) = request.best();
        request.costs(representation, reason)
    }

    /// Chooses for two searches that meet, each of which finds few of the states.
    pub(crate) fn choose_from_both_sides(self) -> RepresentationChoice {
        let (representation, reason) = match self.ranks {
            Some(ranks) if bits_take_little(ranks, self.memory) => {
                (Representation::Bits, "a bit for each rank takes little")
            }
            Some(_) => (Representation::Table, "searches from both sides find few of the ranks"),
            None => (Representation::Table, "the states have no ranks"),
        };
        Self { is_on_disk: false, ..self }.costs(representation, reason)
    }

    /// Why the search cannot use a representation.
    fn obstacle(self, representation: Representation) -> Option<UnsupportedReason> {
        let Self { ranks, needs_layers, is_on_disk, .. } = self;
        match representation {
            Representation::Table | Representation::Bits if is_on_disk => {
                Some(UnsupportedReason::KeptInMemory)
            }
            Representation::Runs if !is_on_disk => Some(UnsupportedReason::NeedsDisk),
            Representation::Bits | Representation::TwoBits if ranks.is_none() => {
                Some(UnsupportedReason::NeedsRanks)
            }
            Representation::TwoBits if needs_layers => Some(UnsupportedReason::KeepsNoLayers),
            _ => None,
        }
    }

    fn best(self) -> (Representation, &'static str) {
        let Self { needs_layers, memory, state_bytes, is_on_disk, expected_states, .. } = self;
        let explored = self.ranks.filter(|_| !needs_layers);
        if is_on_disk {
            let swept = Self::buffer_bytes(memory).saturating_mul(MAX_SWEEPS);
            return match explored {
                Some(ranks) if ranks / 4 <= swept => {
                    (Representation::TwoBits, "a table of all ranks is small for the memory")
                }
                Some(_) => (Representation::Runs, "a table of all ranks is large for the memory"),
                None if needs_layers => (Representation::Runs, "plans are recovered from layers"),
                None => (Representation::Runs, "the states have no ranks"),
            };
        }
        let Some(ranks) = self.ranks else {
            return (Representation::Table, "the states have no ranks");
        };
        let all_states = ranks.saturating_mul(table_bytes(state_bytes));
        if bits_take_little(ranks, memory) {
            (Representation::Bits, "a bit for each rank takes little")
        } else if expected_states > 0 && !is_dense(expected_states, ranks) {
            (Representation::Table, "few of the ranks are expected")
        } else if !needs_layers && all_states > memory && ranks / 4 <= memory {
            (Representation::TwoBits, "a hash table of all states may not fit the memory")
        } else if begins_with_bits(ranks, expected_states, memory) {
            (Representation::Bits, "many of the ranks are expected")
        } else {
            (Representation::Bits, "a table of ranks becomes bits when it has many of them")
        }
    }

    fn costs(self, representation: Representation, reason: &'static str) -> RepresentationChoice {
        let Self { state_bytes, threads, is_on_disk, memory, expected_states, .. } = self;
        let ranks = self.ranks.unwrap_or(0);
        let (state, buffers) = (state_bytes as u64, Self::buffer_bytes(memory));
        let (memory_bytes, disk_bytes, bytes_per_state) = match representation {
            Representation::Table => (0, 0, table_bytes(state_bytes)),
            Representation::Bits if begins_with_bits(ranks, expected_states, memory) => {
                (ranks.div_ceil(8), 0, state)
            }
            Representation::Bits => (0, 0, table_bytes(size_of::<u64>()) - 8 + state),
            Representation::TwoBits if is_on_disk => (buffers, ranks.div_ceil(4), MAX_RUN_BYTES),
            Representation::TwoBits => (ranks.div_ceil(4), 0, 0),
            Representation::Runs => {
                let states = run_buffer_states(threads, state_bytes, buffers) * threads;
                let each = if state <= 8 { state * 8 / 7 + 1 } else { state + 1 };
                (states as u64 * state, 0, each)
            }
        };
        RepresentationChoice {
            representation,
            is_on_disk,
            reason,
            memory_bytes,
            disk_bytes,
            bytes_per_state,
        }
    }
}

/// The most bytes of a rank in a run.
const MAX_RUN_BYTES: u64 = 10;

/// The most bytes of a state in a hash table that has just grown, and in the list of its layer.
fn table_bytes(state_bytes: usize) -> u64 {
    state_bytes as u64 * 35 / 16 + state_bytes as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn request() -> Request {
        Request {
            asked: None,
            ranks: None,
            expected_states: 0,
            needs_layers: false,
            state_bytes: 8,
            threads: 1,
            is_on_disk: false,
            has_rank_layers: false,
            memory: u64::MAX,
        }
    }

    #[test]
    fn the_choice_follows_from_ranks_memory_and_disk() {
        let choose = |ranks, needs_layers, is_on_disk, memory| {
            let given = Request { ranks, needs_layers, is_on_disk, memory, ..request() };
            given.choose().expect("nothing was asked for").representation
        };
        let (few, many) = (Some(5_200_300), Some(9_075_135_300));
        assert_eq!(choose(None, false, false, u64::MAX), Representation::Table);
        assert_eq!(choose(few, true, false, u64::MAX), Representation::Bits);
        assert_eq!(choose(few, false, false, 4 * MIB), Representation::TwoBits);
        assert_eq!(choose(many, false, false, u64::MAX), Representation::Bits);
        assert_eq!(choose(many, false, false, 4096 * MIB), Representation::TwoBits);
        assert_eq!(choose(many, true, false, 4096 * MIB), Representation::Bits);
        assert_eq!(choose(many, false, false, 2048 * MIB), Representation::Bits);
        assert_eq!(choose(many, false, true, 2048 * MIB), Representation::TwoBits);
        assert_eq!(choose(many, false, true, 64 * MIB), Representation::Runs);
        assert_eq!(choose(many, true, true, 2048 * MIB), Representation::Runs);
        assert_eq!(choose(None, false, true, 2048 * MIB), Representation::Runs);
    }

    #[test]
    fn the_states_that_are_expected_decide_for_many_ranks() {
        let choose = |expected_states, memory| {
            let ranks = Some(9_075_135_300);
            let given = Request { ranks, expected_states, memory, ..request() };
            given.choose().expect("nothing was asked for").representation
        };
        assert_eq!(choose(1_000_000, u64::MAX), Representation::Table);
        assert_eq!(choose(100_000_000, u64::MAX), Representation::Bits);
        // All of them would not fit as states.
        assert_eq!(choose(100_000_000, 4096 * MIB), Representation::TwoBits);
        assert_eq!(choose(9_000_000_000, 4096 * MIB), Representation::TwoBits);
        assert_eq!(choose(100_000_000, 1024 * MIB), Representation::Bits);
    }

    #[test]
    fn a_checkpoint_of_ranks_is_read_with_any_memory() {
        let choose = |ranks, needs_layers| {
            let given = Request { ranks, needs_layers, has_rank_layers: true, ..request() };
            given.choose().expect("nothing was asked for").representation
        };
        assert_eq!(choose(Some(9_075_135_300), false), Representation::TwoBits);
        assert_eq!(choose(Some(5_200_300), false), Representation::TwoBits);
        // The search refuses the checkpoint, and says why.
        assert_eq!(choose(Some(5_200_300), true), Representation::Bits);
        assert_eq!(choose(None, false), Representation::Table);
    }

    #[test]
    fn what_cannot_be_used_is_refused() {
        let refused = |asked, ranks, needs_layers, is_on_disk| {
            let asked = Some(asked);
            let given = Request { asked, ranks, needs_layers, is_on_disk, ..request() };
            given.choose().map_err(|error| error.to_string())
        };
        let ranks = Some(1000);
        for (asked, ranks, needs_layers, is_on_disk, why) in [
            (
                Representation::Table,
                ranks,
                false,
                true,
                "it is kept in memory, and a disk was given",
            ),
            (
                Representation::Bits,
                ranks,
                false,
                true,
                "it is kept in memory, and a disk was given",
            ),
            (Representation::Runs, ranks, false, false, "it needs a disk"),
            (
                Representation::TwoBits,
                None,
                false,
                true,
                "it needs ranks, which these states do not have",
            ),
            (
                Representation::TwoBits,
                ranks,
                true,
                false,
                "it does not keep layers, from which plans are recovered",
            ),
        ] {
            let expected = format!("the representation `{asked}` is not available: {why}");
            assert_eq!(refused(asked, ranks, needs_layers, is_on_disk), Err(expected));
        }
        for (asked, is_on_disk) in
            [(Representation::TwoBits, true), (Representation::TwoBits, false)]
        {
            let choice = refused(asked, ranks, false, is_on_disk).expect("ranks");
            assert_eq!((choice.representation, choice.reason), (asked, "as asked for"));
            assert!(choice.memory_bytes + choice.disk_bytes >= 250);
        }
    }
}
