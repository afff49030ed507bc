//! Open addressing in lines of slots, two to a pair, that grow where they are.
//!
//! Each entry has a *home* line, and lies in the first empty slot of that line, or of the other
//! line of the pair, or of the pairs that follow, the first pair coming after the last. The home is
//! the line that lies as far along the lines as the hash along the numbers of 64 bits. So the homes
//! keep their order when lines are added at the end, and growing is a walk from the right: each run
//! of full pairs is taken out, with the pair that ends it, and put back at its new homes, which are
//! no further left. Memory is read and written in order, nothing is held twice but the longest run,
//! and any number of pairs may be added.

use std::hash::{BuildHasher, Hash};

use fxhash::FxBuildHasher;

use crate::memory::{Block, Memory, OutOfMemory, reserved_vec};

/// Lines of slots for entries; an even number of them.
pub(super) trait Lines {
    type Entry: Copy;
    /// Slots in a line.
    const SLOTS: usize;

    fn lines(&self) -> usize;
    /// Adds empty lines at the end until there are so many; all of them or none.
    fn extend(&mut self, lines: usize) -> Result<(), OutOfMemory>;
    fn is_full(&mut self, line: usize) -> bool;
    /// Empties a line into `run`.
    fn drain(&mut self, line: usize, run: &mut Vec<Self::Entry>);
    /// Fills an empty slot.
    fn put(&mut self, line: usize, slot: usize, entry: Self::Entry);
    fn key(entry: Self::Entry) -> Hashed;
}

/// What finds the home of a state among any number of lines.
#[derive(Clone, Copy, Debug)]
pub struct Hashed(u64);

impl Hashed {
    #[inline]
    pub(crate) fn of(state: impl Hash) -> Self {
        // The home is made of the high bits, in which FxHash is weak; an odd multiplier carries all
        // bits up there.
        Self(FxBuildHasher.hash_one(state).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// Seven bits that hardly depend on the home, below a bit that is set.
    #[inline]
    pub(super) fn tag(self) -> u8 {
        self.0 as u8 | 0x80
    }

    /// The bits that are left when so many are shifted out.
    #[inline(always)]
    pub(crate) fn high_bits(self, shift: u32) -> usize {
        (self.0 >> shift) as usize
    }

    /// One of so many shards, at most 2^16, that hardly depends on the home.
    #[inline]
    pub(super) fn shard(self, shards: usize) -> usize {
        ((self.0 >> 16 & 0xFFFF) as usize * shards) >> 16
    }

    /// The home among so many lines.
    #[inline]
    pub(super) fn home(self, lines: usize) -> usize {
        ((u128::from(self.0) * lines as u128) >> 64) as usize
    }

    /// The lines in which an entry may lie, in the order in which they are filled.
    #[inline(always)]
    pub(super) fn probe(self, lines: usize) -> impl Iterator<Item = usize> {
        let home = self.home(lines);
        let pair = home & !1;
        [home, home ^ 1].into_iter().chain(pair + 2..lines).chain(0..pair)
    }
}

/// How many lines a table begins with: 32 slots, or a pair.
pub(super) fn first_lines(slots_in_line: usize) -> usize {
    (32 / slots_in_line).max(2)
}

/// How many of the slots in so many lines may be occupied: four of five.
#[inline]
pub(super) fn room<T: Lines>(lines: usize) -> usize {
    lines * T::SLOTS / 5 * 4
}

/// Adds lines until `entries` have room, three for each four that there are or more.
#[cold]
pub(super) fn grow<T: Lines>(
    table: &mut T,
    entries: usize,
    memory: &Memory,
) -> Result<(), OutOfMemory> {
    let before = table.lines();
    let slots = entries
        .checked_add(entries / 4)
        .and_then(|slots| slots.checked_add(5))
        .ok_or(OutOfMemory)?;
    let lines = slots.div_ceil(T::SLOTS).max(before + before / 4 * 3).next_multiple_of(2);
    let (mut run, _held) = reserved_vec((longest_run(table) + 2) * T::SLOTS, memory)?;
    // How many slots of each line are filled: the processor would have to wait for the lines
    // themselves if they were looked at so soon after they were written.
    let mut filled = Block::filled(0, lines, memory)?;
    table.extend(lines)?;
    // Those that go on at the first pair, which is not there yet. There are hardly ever more than a
    // few.
    let mut wrapped = Vec::new();
    for pair in (0..before).step_by(2).rev() {
        if !(table.is_full(pair) && table.is_full(pair + 1)) {
            put_back(table, &mut filled, &mut run, &mut wrapped);
        }
        table.drain(pair, &mut run);
        table.drain(pair + 1, &mut run);
    }
    put_back(table, &mut filled, &mut run, &mut wrapped);
    for entry in wrapped {
        put_into_first(table, &mut filled, 0..lines, entry);
    }
    Ok(())
}

fn put_back<T: Lines>(
    table: &mut T,
    filled: &mut [u8],
    run: &mut Vec<T::Entry>,
    wrapped: &mut Vec<T::Entry>,
) {
    for entry in run.drain(..) {
        let home = T::key(entry).home(filled.len());
        let to_the_end = [home, home ^ 1].into_iter().chain((home | 1) + 1..filled.len());
        if !put_into_first(table, filled, to_the_end, entry) {
            wrapped.push(entry);
        }
    }
}

/// Puts an entry into the first of these lines that has an empty slot; `false` if none has.
#[inline(always)]
fn put_into_first<T: Lines>(
    table: &mut T,
    filled: &mut [u8],
    mut lines: impl Iterator<Item = usize>,
    entry: T::Entry,
) -> bool {
    let line = lines.find(|&line| usize::from(filled[line]) < T::SLOTS);
    if let Some(line) = line {
        table.put(line, usize::from(filled[line]), entry);
        filled[line] += 1;
    }
    line.is_some()
}

/// The most lines in a row that are in full pairs.
fn longest_run<T: Lines>(table: &mut T) -> usize {
    let (mut longest, mut run) = (0, 0);
    for pair in (0..table.lines()).step_by(2) {
        run = if table.is_full(pair) && table.is_full(pair + 1) { run + 2 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Entries that are their own hashes, in lines of two.
    #[derive(Default)]
    struct Hashes(Vec<Vec<u64>>);

    impl Lines for Hashes {
        type Entry = u64;
        const SLOTS: usize = 2;

        fn lines(&self) -> usize {
            self.0.len()
        }

        fn extend(&mut self, lines: usize) -> Result<(), OutOfMemory> {
            self.0.resize(lines, Vec::new());
            Ok(())
        }

        fn is_full(&mut self, line: usize) -> bool {
            self.0[line].len() == 2
        }

        fn drain(&mut self, line: usize, run: &mut Vec<u64>) {
            run.append(&mut self.0[line]);
        }

        fn put(&mut self, line: usize, slot: usize, hash: u64) {
            assert_eq!(self.0[line].len(), slot, "the first empty slot");
            self.0[line].push(hash);
        }

        fn key(hash: u64) -> Hashed {
            Hashed(hash)
        }
    }

    impl Hashes {
        fn probe(&self, hash: u64) -> impl Iterator<Item = usize> {
            Hashed(hash).probe(self.0.len())
        }
    }

    proptest! {
        #[test]
        fn whatever_the_hashes_are_every_entry_is_found_after_growing(
            // Most of them crowd in one place, which may be the end, so that runs go on at the
            // first pair.
            hashes in prop::collection::btree_set((any::<u64>(), 0u32..64, any::<bool>()), 0..300),
        ) {
            let crowd = |(hash, shift, high): (u64, u32, bool)| if high { !(hash >> shift) } else { hash >> shift };
            let mut table = Hashes(vec![Vec::new(); 2]);
            let mut entered = Vec::new();
            for hash in hashes.into_iter().map(crowd) {
                if entered.len() == room::<Hashes>(table.lines()) {
                    grow(&mut table, entered.len() + 1, &Memory::unlimited()).unwrap();
                }
                let line = table.probe(hash).find(|&line| table.0[line].len() < 2).expect("room");
                table.0[line].push(hash);
                entered.push(hash);
                for &hash in &entered {
                    // Nothing empty lies before it.
                    let line = table.probe(hash).find(|&line| table.0[line].contains(&hash) || table.0[line].len() < 2);
                    prop_assert!(line.is_some_and(|line| table.0[line].contains(&hash)));
                }
            }
        }
    }
}
