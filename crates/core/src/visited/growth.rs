//! Open addressing in buckets of slots, with growth in place.
//!
//! Buckets `2i` and `2i + 1` form a pair. The *home* bucket of an entry with hash `h` among `n`
//! buckets is `floor(h * n / 2^64)`. The entry is in the first bucket with an empty slot in this
//! order: the home bucket, the other bucket of its pair, the buckets of the following pairs, with
//! the first pair after the last.
//!
//! Since the home is monotone in the hash, the order of the homes stays the same when buckets are
//! added at the end. Growth processes the pairs from last to first. It removes each run of full
//! pairs, together with the pair that ends the run, and inserts the entries at their new homes,
//! which never have a smaller index. It accesses memory sequentially, needs extra memory only for
//! the longest run, and can add any number of pairs.

use std::hash::{BuildHasher, Hash};

use fxhash::FxBuildHasher;

use crate::memory::{Block, Memory, OutOfMemory, reserved_vec};

/// An array of buckets; their number is even.
pub(super) trait Buckets {
    type Entry: Copy;
    /// The number of slots per bucket.
    const SLOTS: usize;

    fn bucket_count(&self) -> usize;
    /// Adds empty buckets at the end until there are `bucket_count`. On an error, none is added.
    fn extend(&mut self, bucket_count: usize) -> Result<(), OutOfMemory>;
    fn is_full(&mut self, bucket: usize) -> bool;
    /// Moves the entries of a bucket to the end of `run`.
    fn drain(&mut self, bucket: usize, run: &mut Vec<Self::Entry>);
    /// Fills an empty slot.
    fn put(&mut self, bucket: usize, slot: usize, entry: Self::Entry);
    fn hash(entry: Self::Entry) -> StateHash;
}

/// The 64-bit hash of a state.
#[derive(Clone, Copy, Debug)]
pub struct StateHash(u64);

impl StateHash {
    #[inline]
    pub(crate) fn of(state: impl Hash) -> Self {
        // The home depends on the high bits, which are weak in FxHash. An odd multiplier carries
        // all bits into them.
        Self(FxBuildHasher.hash_one(state).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// The hash without its `shift` lowest bits.
    #[inline(always)]
    pub(crate) fn high_bits(self, shift: u32) -> usize {
        (self.0 >> shift) as usize
    }

    /// A shard in `0..shards` that is almost independent of the home; `shards` is at most 2^16.
    #[inline]
    pub(crate) fn shard(self, shards: usize) -> usize {
        ((self.0 >> 16 & 0xFFFF) as usize * shards) >> 16
    }

    /// The home bucket among `bucket_count` buckets.
    #[inline]
    pub(super) fn home(self, bucket_count: usize) -> usize {
        ((u128::from(self.0) * bucket_count as u128) >> 64) as usize
    }

    /// The buckets in which an entry may be, in the order in which they are filled.
    #[inline(always)]
    pub(super) fn probe(self, bucket_count: usize) -> impl Iterator<Item = usize> {
        let home = self.home(bucket_count);
        let pair = home & !1;
        [home, home ^ 1].into_iter().chain(pair + 2..bucket_count).chain(0..pair)
    }
}

/// The number of buckets of a new table: 32 slots, at least one pair.
pub(super) fn initial_bucket_count(slots_per_bucket: usize) -> usize {
    (32 / slots_per_bucket).max(2)
}

/// The maximal number of entries in `bucket_count` buckets: four fifths of the slots.
#[inline]
pub(super) fn max_entries<T: Buckets>(bucket_count: usize) -> usize {
    bucket_count * T::SLOTS / 5 * 4
}

/// Adds buckets until there is room for `entries` entries, at least three buckets for every four.
#[cold]
pub(super) fn grow<T: Buckets>(
    table: &mut T,
    entries: usize,
    memory: &Memory,
) -> Result<(), OutOfMemory> {
    let before = table.bucket_count();
    let slots = entries
        .checked_add(entries / 4)
        .and_then(|slots| slots.checked_add(5))
        .ok_or(OutOfMemory)?;
    let after = slots.div_ceil(T::SLOTS).max(before + before / 4 * 3).next_multiple_of(2);
    let (mut run, _held) = reserved_vec((longest_full_run(table) + 2) * T::SLOTS, memory)?;
    // The number of entries per bucket. Reading the buckets themselves so soon after writing them
    // would stall the processor.
    let mut filled = Block::filled(0, after, memory)?;
    table.extend(after)?;
    // Entries that wrap around to the first pair, which is not processed yet. There are rarely more
    // than a few.
    let mut wrapped = Vec::new();
    for pair in (0..before).step_by(2).rev() {
        if !(table.is_full(pair) && table.is_full(pair + 1)) {
            reinsert_run(table, &mut filled, &mut run, &mut wrapped);
        }
        table.drain(pair, &mut run);
        table.drain(pair + 1, &mut run);
    }
    reinsert_run(table, &mut filled, &mut run, &mut wrapped);
    for entry in wrapped {
        insert_into_first(table, &mut filled, 0..after, entry);
    }
    Ok(())
}

/// Inserts the entries of `run` at their new homes. Those that find no slot up to the last bucket
/// are moved to `wrapped`.
fn reinsert_run<T: Buckets>(
    table: &mut T,
    filled: &mut [u8],
    run: &mut Vec<T::Entry>,
    wrapped: &mut Vec<T::Entry>,
) {
    for entry in run.drain(..) {
        let home = T::hash(entry).home(filled.len());
        let up_to_last = [home, home ^ 1].into_iter().chain((home | 1) + 1..filled.len());
        if !insert_into_first(table, filled, up_to_last, entry) {
            wrapped.push(entry);
        }
    }
}

/// Inserts an entry into the first of `buckets` that has an empty slot. Returns `false` if none
/// has.
#[inline(always)]
fn insert_into_first<T: Buckets>(
    table: &mut T,
    filled: &mut [u8],
    mut buckets: impl Iterator<Item = usize>,
    entry: T::Entry,
) -> bool {
    let bucket = buckets.find(|&bucket| usize::from(filled[bucket]) < T::SLOTS);
    if let Some(bucket) = bucket {
        table.put(bucket, usize::from(filled[bucket]), entry);
        filled[bucket] += 1;
    }
    bucket.is_some()
}

/// The number of buckets in the longest run of full pairs.
fn longest_full_run<T: Buckets>(table: &mut T) -> usize {
    let (mut longest, mut run) = (0, 0);
    for pair in (0..table.bucket_count()).step_by(2) {
        run = if table.is_full(pair) && table.is_full(pair + 1) { run + 2 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Entries that are their own hashes, in buckets of two slots.
    #[derive(Default)]
    struct Hashes(Vec<Vec<u64>>);

    impl Buckets for Hashes {
        type Entry = u64;
        const SLOTS: usize = 2;

        fn bucket_count(&self) -> usize {
            self.0.len()
        }

        fn extend(&mut self, bucket_count: usize) -> Result<(), OutOfMemory> {
            self.0.resize(bucket_count, Vec::new());
            Ok(())
        }

        fn is_full(&mut self, bucket: usize) -> bool {
            self.0[bucket].len() == 2
        }

        fn drain(&mut self, bucket: usize, run: &mut Vec<u64>) {
            run.append(&mut self.0[bucket]);
        }

        fn put(&mut self, bucket: usize, slot: usize, hash: u64) {
            assert_eq!(self.0[bucket].len(), slot, "the slot is the first empty one");
            self.0[bucket].push(hash);
        }

        fn hash(hash: u64) -> StateHash {
            StateHash(hash)
        }
    }

    impl Hashes {
        fn probe(&self, hash: u64) -> impl Iterator<Item = usize> {
            StateHash(hash).probe(self.0.len())
        }
    }

    proptest! {
        #[test]
        fn every_entry_is_found_after_growth(
            // Most of them have close homes, possibly at the end, so that runs wrap around to the
            // first pair.
            hashes in prop::collection::btree_set((any::<u64>(), 0u32..64, any::<bool>()), 0..300),
        ) {
            let clustered = |(hash, shift, high): (u64, u32, bool)| {
                if high { !(hash >> shift) } else { hash >> shift }
            };
            let mut table = Hashes(vec![Vec::new(); 2]);
            let mut inserted = Vec::new();
            for hash in hashes.into_iter().map(clustered) {
                if inserted.len() == max_entries::<Hashes>(table.bucket_count()) {
                    grow(&mut table, inserted.len() + 1, &Memory::unlimited()).unwrap();
                }
                let bucket = table.probe(hash).find(|&bucket| table.0[bucket].len() < 2);
                table.0[bucket.expect("room")].push(hash);
                inserted.push(hash);
                for &hash in &inserted {
                    // No bucket before the one with the entry has an empty slot.
                    let mut buckets = table.probe(hash).map(|bucket| &table.0[bucket]);
                    let found = buckets.find(|slots| slots.contains(&hash) || slots.len() < 2);
                    prop_assert!(found.is_some_and(|slots| slots.contains(&hash)));
                }
            }
        }
    }
}
