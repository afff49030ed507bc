//! Records with depths: a list to collect and write them, and a set to read and look them up.

use std::hash::{BuildHasher, RandomState};

use crate::file::{Section, SectionReader, SectionWriter, Sections, Tag};
use crate::poll::Poll;
use crate::refusal::Refusal;

/// The sections of a set of states.
pub(crate) type StateTags = [Tag; 3];
/// The sections of the states from the start.
pub(crate) const FORWARD: StateTags = [Tag::Shared, Tag::Rest, Tag::Depths];
/// The sections of the states from the goal.
pub(crate) const BACK: StateTags = [Tag::BackShared, Tag::BackRest, Tag::BackDepths];

/// A growing list of records with depths, in any order.
#[derive(Debug)]
pub struct StateList {
    record_bytes: usize,
    records: Vec<u8>,
    depths: Vec<u32>,
    /// Its memory limit in bytes.
    memory: u64,
}

/// The error of a list that would exceed its memory limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the states of the certificate do not fit into the memory limit")]
pub struct OutOfMemory;

/// The memory per state in addition to its record while the list is sorted: its depth and its
/// index.
const LISTED_BYTES: usize = 8;

impl StateList {
    /// An empty list that takes at most `memory` bytes.
    pub fn new(record_bytes: usize, memory: u64) -> Self {
        Self { record_bytes, records: Vec::new(), depths: Vec::new(), memory }
    }

    /// The memory that it takes, including what sorting needs.
    pub fn bytes(&self) -> u64 {
        (self.records.capacity() + self.depths.capacity() * LISTED_BYTES) as u64
    }

    pub(crate) fn record_bytes(&self) -> usize {
        self.record_bytes
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.depths.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.depths.is_empty()
    }

    /// Adds a record.
    ///
    /// # Errors
    /// If the list would exceed its memory limit.
    pub fn push(&mut self, record: &[u8], depth: u32) -> Result<(), OutOfMemory> {
        debug_assert_eq!(record.len(), self.record_bytes);
        if self.records.len() + record.len() > self.records.capacity() {
            // The capacity doubles. During the reallocation the old records exist, too: half of the
            // new capacity.
            let states = 2 * self.len().max(1 << 10);
            let each = self.record_bytes + self.record_bytes / 2 + LISTED_BYTES;
            let bytes = states.saturating_mul(each);
            if bytes as u64 > self.memory || u32::try_from(states).is_err() {
                return Err(OutOfMemory);
            }
            let more = states - self.len();
            let room = self.records.try_reserve_exact(more * self.record_bytes);
            room.and_then(|()| self.depths.try_reserve_exact(more)).map_err(|_| OutOfMemory)?;
        }
        self.records.extend_from_slice(record);
        self.depths.push(depth);
        Ok(())
    }

    /// The records with their depths, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], u32)> {
        (0..).zip(&self.depths).map(|(state, &depth)| (self.record(state), depth))
    }

    fn record(&self, state: u32) -> &[u8] {
        &self.records[state as usize * self.record_bytes..][..self.record_bytes]
    }

    /// Sorts the states, keeps the smallest depth of duplicates, and encodes them. Returns the
    /// number of states and their sections.
    pub(crate) fn sections(&self, tags: StateTags) -> (usize, [(Tag, SectionWriter); 3]) {
        let mut order: Vec<u32> = (0..self.depths.len() as u32).collect();
        let depth = |state: u32| self.depths[state as usize];
        order.sort_unstable_by(|&one, &other| {
            self.record(one).cmp(self.record(other)).then(depth(one).cmp(&depth(other)))
        });
        order.dedup_by(|one, first| self.record(*one) == self.record(*first));
        let mut shared = SectionWriter::new();
        let mut rest = SectionWriter::new();
        let mut depths = SectionWriter::new();
        let mut last: &[u8] = &[];
        for &state in &order {
            let record = self.record(state);
            let equal = last.iter().zip(record).take_while(|(one, other)| one == other).count();
            // A record has at most 255 bytes.
            shared.push(&[equal as u8]);
            rest.push(&record[equal..]);
            depths.push_number(depth(state).into());
            last = record;
        }
        let [of_shared, of_rest, of_depths] = tags;
        (order.len(), [(of_shared, shared), (of_rest, rest), (of_depths, depths)])
    }
}

/// The states of a certificate, in ascending order of their records, with a hash table to look them
/// up.
///
/// The hash has a random key, so that a malicious certificate cannot contain records that all
/// collide.
pub(crate) struct StateSet {
    record_bytes: usize,
    records: Vec<u8>,
    depths: Vec<u32>,
    key: RandomState,
    /// An open-addressing hash table with linear probing: indices of states, or [`EMPTY`]. At most
    /// half full.
    slots: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;

/// The memory per state in addition to its record: its depth, its flag in `Reached`, and up to four
/// slots.
const KNOWN_BYTES: u64 = 4 + 1 + 4 * 4;

impl StateSet {
    /// Reads `count` states, within `memory` bytes. Without a section of depths, all depths are 0.
    pub(crate) fn read(
        sections: &Sections<'_>,
        [of_shared, of_rest, of_depths]: StateTags,
        count: u64,
        record_bytes: usize,
        memory: u64,
        poll: &Poll<'_>,
    ) -> Result<Self, Refusal> {
        let needed = count.saturating_mul(record_bytes as u64 + KNOWN_BYTES);
        if needed > memory || u32::try_from(count).is_err() {
            return Err(Refusal::Memory);
        }
        // Check the declared sizes before decompressing anything.
        let damaged = |what: &str| Refusal::Damaged(what.to_owned());
        if sections.get(of_shared)?.bytes != count {
            return Err(damaged("its section `shared` does not have a byte for each state"));
        }
        let (count, mut records, mut depths) = (count as usize, Vec::new(), Vec::new());
        let mut slots = Vec::new();
        // For `count == 0` this is 1: `slot` needs at least one slot.
        let slot_count = (2 * count).next_power_of_two();
        let room = records.try_reserve_exact(count * record_bytes);
        room.and_then(|()| depths.try_reserve_exact(count))
            .and_then(|()| slots.try_reserve_exact(slot_count))
            .map_err(|_| Refusal::Memory)?;
        slots.resize(slot_count, EMPTY);
        let mut set = Self { record_bytes, records, depths, key: RandomState::new(), slots };
        let mut shared = sections.get(of_shared)?.open();
        let mut rest = sections.get(of_rest)?.open();
        let mut depths = sections.get(of_depths).ok().map(Section::open);
        let mut record = vec![0; record_bytes];
        for state in 0..count {
            poll.count()?;
            set.read_record(state, &mut shared, &mut rest, &mut record)?;
            let depth = match &mut depths {
                Some(depths) => u32::try_from(depths.number()?)
                    .map_err(|_| damaged("one of its depths is not in range"))?,
                None => 0,
            };
            set.records.extend_from_slice(&record);
            set.depths.push(depth);
            let slot = set.slot(&record);
            set.slots[slot] = state as u32;
        }
        shared.end()?;
        rest.end()?;
        depths.map_or(Ok(()), SectionReader::end)?;
        Ok(set)
    }

    fn read_record(
        &self,
        state: usize,
        shared: &mut SectionReader<'_>,
        rest: &mut SectionReader<'_>,
        record: &mut [u8],
    ) -> Result<(), Refusal> {
        let damaged = |what: &str| Refusal::Damaged(format!("its record {state} {what}"));
        let equal = usize::from(shared.byte()?);
        let before =
            record.get(equal).copied().ok_or_else(|| damaged("equals the record before it"))?;
        rest.read(&mut record[equal..])?;
        // The first byte that differs must be greater, so records are strictly ascending and no
        // record occurs twice.
        if state == 0 && equal > 0 || state > 0 && record[equal] <= before {
            return Err(damaged("is not in order"));
        }
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.depths.len()
    }

    /// The bytes that it takes.
    pub(crate) fn bytes(&self) -> u64 {
        (self.records.len() as u64).saturating_add(self.len() as u64 * KNOWN_BYTES)
    }

    pub(crate) fn record(&self, state: u32) -> &[u8] {
        &self.records[state as usize * self.record_bytes..][..self.record_bytes]
    }

    pub(crate) fn depth(&self, state: u32) -> u32 {
        self.depths[state as usize]
    }

    /// The state with a record.
    pub(crate) fn find(&self, record: &[u8]) -> Option<u32> {
        Some(self.slots[self.slot(record)]).filter(|&state| state != EMPTY)
    }

    /// The slot with the state of a record, or the empty slot for it.
    fn slot(&self, record: &[u8]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.key.hash_one(record) as usize & mask;
        while self.slots[slot] != EMPTY && self.record(self.slots[slot]) != record {
            slot = (slot + 1) & mask;
        }
        slot
    }
}
