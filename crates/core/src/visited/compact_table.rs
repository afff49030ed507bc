//! A hash table that stores only those bits of a hash that the place of an entry does not tell.

use super::pages::AlignedSlice;
use super::prefetch::prefetch;
use super::table::Table;
use super::{Visited, insert_each_pipelined};
use crate::memory::{Memory, OutOfMemory};
use crate::seam::Properties;
use crate::word::Word;

/// A [visited set](Visited) of states of known width: at most 64 bits, of which
/// [`state_bits`](crate::StateSpace::state_bits) can be set.
///
/// The hash of a state is a permutation of the words of that many bits. A hash determines the
/// state, so no state has to be stored; and the place of an entry determines the high bits of its
/// hash, so only the rest is stored. This is known as *quotienting* (Cleary 1984).
///
/// - **Layout.** The highest 5 bits of a hash select one of 32 parts. In a part, whose buckets are
///   cache lines, `width` consecutive hashes have the same home bucket. An entry is
///   `remainder + width * displaced`. It is displaced if it is in the other bucket of its pair
///   because its home was full. If both are full, the hash goes to a table beside the buckets.
/// - **Memory.** An entry takes `1 + log2(width)` bits, rounded up. A set of 2^28 states of 48 bits
///   takes 4.2 bytes per state if it was created for as many states
///   ([`expected_states`](crate::StateSpace::expected_states)), else about 5.
/// - **Growth.** Small parts double. Larger ones have different growth factors, between 5/4 and
///   3/2, so that they grow at different times and only some of them have much unused memory.
///   Growth needs a copy of the part.
/// - **Time.** An insertion accesses one cache line in most cases. The set is slower than a
///   [`Table`] as long as both fit the cache.
#[derive(Debug)]
pub struct CompactTable {
    parts: Vec<Part>,
    /// The width of the states.
    state_bits: u32,
}

/// The number of bits of a hash that select a part.
const PART_BITS: u32 = 5;

/// The number of parts.
const PARTS: usize = 1 << PART_BITS;

const FIRST_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
const SECOND_FACTOR: u64 = 0xD6E8_FEB8_6659_FD93;

/// The number whose product with an odd `factor` is 1, modulo 2^64, by Newton's method: each step
/// doubles the number of correct bits, which are 3 at first.
const fn inverse(factor: u64) -> u64 {
    let mut inverse = factor;
    let mut step = 0;
    while step < 5 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(factor.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}

/// The hash of a state of known width, in the highest bits of a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Permuted(u64);

impl Permuted {
    /// The hash of a state below `2^bits`. Different states have different hashes.
    ///
    /// # Panics
    /// If the state has more bits.
    #[inline(always)]
    pub(crate) fn of<W: Word>(state: W, bits: u32) -> Self {
        let has_high_bits = (64..W::BITS).step_by(32).any(|at| state.bits(at, 32) != 0);
        let state = state.low_bits();
        assert!(
            !has_high_bits && state.checked_shr(bits).unwrap_or(0) == 0,
            "a state has more than `state_bits` bits"
        );
        let bits = hash_bits(bits);
        let unused = 64 - bits;
        // Each step is invertible: the product with an odd number, and the XOR of the lower half
        // with the upper one.
        let product = (state << unused).wrapping_mul(FIRST_FACTOR);
        let folded = product ^ (product >> bits.div_ceil(2) >> unused << unused);
        Self(folded.wrapping_mul(SECOND_FACTOR))
    }

    /// The state below `2^bits` with this hash.
    fn state(self, bits: u32) -> u64 {
        let bits = hash_bits(bits);
        let unused = 64 - bits;
        let folded = self.0.wrapping_mul(inverse(SECOND_FACTOR));
        let product = folded ^ (folded >> bits.div_ceil(2) >> unused << unused);
        product.wrapping_mul(inverse(FIRST_FACTOR)) >> unused
    }

    #[inline(always)]
    fn part(self, parts: usize) -> usize {
        (self.0 >> (64 - PART_BITS)) as usize & (parts - 1)
    }
}

/// A hash has at least 16 bits, so that it has more than the index of the part.
const fn hash_bits(state_bits: u32) -> u32 {
    if state_bits < 16 { 16 } else { state_bits }
}

/// Which hashes of a part are at home in which bucket.
#[derive(Clone, Copy, Debug)]
struct Homes {
    /// The number of bits of a hash without those of the part.
    bits: u32,
    /// The number of consecutive hashes with the same home.
    width: u64,
    /// For the division by `width` (Granlund and Montgomery 1994).
    reciprocal: u64,
    shift: u32,
}

impl Homes {
    /// At most `buckets` homes, and one for each hash if these are fewer.
    fn new(bits: u32, buckets: usize) -> Self {
        let width = (1_u64 << bits).div_ceil(buckets as u64);
        let shift = width.next_power_of_two().ilog2();
        let reciprocal = ((1_u128 << (bits + shift)) / u128::from(width)) as u64 + 1;
        Self { bits, width, reciprocal, shift }
    }

    /// The number of buckets. It is even because buckets form pairs.
    fn buckets(&self) -> usize {
        ((1_u64 << self.bits).div_ceil(self.width) as usize).next_multiple_of(2)
    }

    /// The home of a hash and the remainder. The hash has no bits of the part and is in the highest
    /// bits.
    #[inline(always)]
    fn locate(&self, hash: u64) -> (usize, u64) {
        let product = u128::from(hash) * u128::from(self.reciprocal);
        let home = (product >> 64) as u64 >> self.shift;
        (home as usize, (hash >> (64 - self.bits)) - home * self.width)
    }

    /// The inverse of [`locate`](Self::locate).
    #[inline(always)]
    fn hash(&self, home: usize, remainder: u64) -> u64 {
        (home as u64 * self.width + remainder) << (64 - self.bits)
    }
}

/// The number of buckets for this number of entries.
fn buckets_for(bits: u32, entries: usize) -> usize {
    // In 64 bits, which is more than a `usize` has in a browser.
    let all_slots = entries as u64 * 256 / MAX_LOAD as u64;
    let buckets = |slots: u32| (all_slots / u64::from(slots)) as usize + 2;
    // More buckets have shorter entries, so more slots.
    let fits = |slots: &u32| Layout::new(&Homes::new(bits, buckets(*slots))).slots >= *slots;
    buckets((1..=MAX_SLOTS).rev().find(fits).unwrap_or(1))
}

/// A cache line of slots. The lowest 16 bits of all entries come first, which are their *tags*,
/// then the other bits of all entries. The last byte is the number of occupied slots.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket([u8; 64]);

/// The byte of a bucket with the number of occupied slots.
const FILLED: usize = 63;

const TAG_BITS: u32 = u16::BITS;

impl Bucket {
    const EMPTY: Self = Self([0; 64]);

    #[inline(always)]
    fn filled(&self) -> u32 {
        u32::from(self.0[FILLED])
    }

    #[inline(always)]
    fn tag(&self, slot: u32) -> u16 {
        let byte = 2 * slot as usize;
        u16::from_le_bytes([self.0[byte], self.0[byte + 1]])
    }

    #[inline(always)]
    fn eight_bytes(&self, first: usize) -> u64 {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&self.0[first..first + 8]);
        u64::from_le_bytes(bytes)
    }

    /// A mask of the slots with this tag. The bits of empty slots are unspecified.
    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "vector instructions that every x86-64 processor has")]
    fn slots_with_tag(&self, tag: u16) -> u32 {
        use std::arch::x86_64::{
            __m128i, _mm_cmpeq_epi16, _mm_loadu_si128, _mm_movemask_epi8, _mm_packs_epi16,
            _mm_set1_epi16,
        };
        let bytes = self.0.as_ptr().cast::<__m128i>();
        // SAFETY: a bucket is four vectors of 16 bytes, and every x86-64 processor has SSE2.
        unsafe {
            let tags = _mm_set1_epi16(tag.cast_signed());
            let quarter = |i| _mm_cmpeq_epi16(_mm_loadu_si128(bytes.add(i)), tags);
            let half = |i| _mm_movemask_epi8(_mm_packs_epi16(quarter(i), quarter(i + 1)));
            half(0).cast_unsigned() | half(2).cast_unsigned() << 16
        }
    }

    #[inline(always)]
    #[cfg(not(target_arch = "x86_64"))]
    fn slots_with_tag(&self, tag: u16) -> u32 {
        (0..32).fold(0, |mask, slot| mask | u32::from(self.tag(slot) == tag) << slot)
    }
}

/// Where the bits of the entries are in a bucket.
#[derive(Clone, Copy, Debug)]
struct Layout {
    slots: u32,
    /// The number of bits of an entry without the tag.
    rest_bits: u32,
}

/// The result of an insertion into a bucket.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inserted {
    New,
    Present,
    /// The bucket has neither the entry nor an empty slot.
    Full,
}

/// The last two bytes of a bucket are not for tags.
const MAX_SLOTS: u32 = 31;

impl Layout {
    fn new(homes: &Homes) -> Self {
        let entry_bits = u64::BITS - (2 * homes.width - 1).leading_zeros();
        let rest_bits = entry_bits.saturating_sub(TAG_BITS);
        let slots = (8 * FILLED as u32 / (TAG_BITS + rest_bits)).min(MAX_SLOTS);
        Self { slots, rest_bits }
    }

    /// Where the rest of an entry is: in the eight bytes from this byte, from this bit upward.
    #[inline(always)]
    fn rest_at(&self, slot: u32) -> (usize, u32) {
        let bit = TAG_BITS * self.slots + slot * self.rest_bits;
        let byte = (bit / 8).min(56);
        (byte as usize, bit - 8 * byte)
    }

    #[inline(always)]
    fn rest(&self, eight_bytes: u64, bit: u32) -> u64 {
        eight_bytes >> bit & ((1 << self.rest_bits) - 1)
    }

    #[inline(always)]
    fn entry(&self, bucket: &Bucket, slot: u32) -> u64 {
        let (byte, bit) = self.rest_at(slot);
        self.rest(bucket.eight_bytes(byte), bit) << TAG_BITS | u64::from(bucket.tag(slot))
    }

    /// Inserts an entry if there is an empty slot.
    #[inline(always)]
    fn insert(&self, bucket: &mut Bucket, entry: u64) -> Inserted {
        let (tag, rest) = (entry as u16, entry >> TAG_BITS);
        let filled = bucket.filled();
        let candidates = bucket.slots_with_tag(tag) & ((1 << filled) - 1);
        let slot = (candidates | 1 << filled).trailing_zeros();
        if slot == self.slots {
            return Inserted::Full;
        }
        let (byte, bit) = self.rest_at(slot);
        let eight_bytes = bucket.eight_bytes(byte);
        let new = slot == filled;
        if !new & (self.rest(eight_bytes, bit) != rest) {
            return self.insert_with_equal_tags(bucket, entry, candidates);
        }
        // Unconditional writes, because a branch would be unpredictable. They change nothing if the
        // entry was present.
        self.write(bucket, slot, entry);
        bucket.0[FILLED] += u8::from(new);
        if new { Inserted::New } else { Inserted::Present }
    }

    /// The same if another entry has the same tag.
    #[cold]
    #[inline(never)]
    fn insert_with_equal_tags(&self, bucket: &mut Bucket, entry: u64, candidates: u32) -> Inserted {
        let mut slots = (0..bucket.filled()).filter(|slot| candidates >> slot & 1 == 1);
        if slots.any(|slot| self.entry(bucket, slot) == entry) {
            Inserted::Present
        } else if self.push(bucket, entry) {
            Inserted::New
        } else {
            Inserted::Full
        }
    }

    /// Fills the first empty slot. Returns `false` if there is none.
    #[inline(always)]
    fn push(&self, bucket: &mut Bucket, entry: u64) -> bool {
        let slot = bucket.filled();
        if slot == self.slots {
            return false;
        }
        self.write(bucket, slot, entry);
        bucket.0[FILLED] += 1;
        true
    }

    /// Writes an entry into a slot that is empty or has the same entry.
    #[inline(always)]
    fn write(&self, bucket: &mut Bucket, slot: u32, entry: u64) {
        let (byte, bit) = self.rest_at(slot);
        let eight_bytes = bucket.eight_bytes(byte) | entry >> TAG_BITS << bit;
        bucket.0[byte..byte + 8].copy_from_slice(&eight_bytes.to_le_bytes());
        bucket.0[2 * slot as usize..][..2].copy_from_slice(&(entry as u16).to_le_bytes());
    }

    /// A bucket with these entries, at most as many as there are slots.
    #[inline(always)]
    fn bucket(&self, entries: &[u64]) -> Bucket {
        // Whole words, because a load cannot be served from a recent store to other bytes.
        let mut words = [0_u64; 8];
        let mut bit = TAG_BITS * self.slots;
        for (slot, &entry) in entries.iter().enumerate() {
            words[slot / 4] |= (entry & 0xFFFF) << (slot % 4 * 16);
            let rest = entry >> TAG_BITS;
            let word = bit as usize / 64;
            words[word] |= rest << (bit % 64);
            words[(word + 1).min(7)] |= rest >> 1 >> (63 - bit % 64);
            bit += self.rest_bits;
        }
        words[7] |= (entries.len() as u64) << 56;
        let mut bucket = Bucket::EMPTY;
        for (bytes, word) in bucket.0.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        bucket
    }
}

/// The part of a [`CompactTable`] whose hashes begin with the same bits.
#[derive(Debug)]
struct Part {
    buckets: AlignedSlice<Bucket>,
    homes: Homes,
    layout: Layout,
    occupied: usize,
    /// The part grows when it has more entries.
    max_entries: usize,
    /// The hashes for which both buckets were full. It has room for all states of a batch, so that
    /// no insertion fails in the middle of a batch.
    overflow: Table<u64>,
    memory: Memory,
    /// The part grows by this number of buckets for each 256.
    growth: usize,
}

/// Up to about this size of all parts, a part doubles when it grows: time counts more than memory.
const MAX_DOUBLED_BYTES: u64 = 8 << 20;

/// A part grows when more than this number of 256 slots are occupied. Of the states, 2 % are in the
/// overflow table then.
const MAX_LOAD: usize = 218;

impl Part {
    fn new(homes: Homes, growth: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        let layout = Layout::new(&homes);
        let slots = layout.slots as usize;
        let max_entries = if homes.width <= layout.slots.into() {
            // All hashes of a bucket have slots.
            usize::MAX
        } else {
            (homes.buckets() as u64 * slots as u64 * MAX_LOAD as u64 / 256) as usize
        };
        Ok(Self {
            buckets: AlignedSlice::new(homes.buckets(), || Bucket::EMPTY, memory)?,
            homes,
            layout,
            occupied: 0,
            max_entries,
            overflow: Table::new(memory)?,
            memory: memory.clone(),
            growth,
        })
    }

    /// Makes room for the states of a batch, of which about `states` are for this part.
    #[inline]
    fn make_room(&mut self, states: usize, batch: usize) -> Result<(), OutOfMemory> {
        while self.occupied + states > self.max_entries && self.grow(self.occupied + states)? {}
        self.overflow.make_room(batch)
    }

    /// The hash of the entry in a slot of this bucket.
    #[inline(always)]
    fn hash_at(&self, index: usize, bucket: &Bucket, slot: u32) -> u64 {
        let entry = self.layout.entry(bucket, slot);
        let displaced = entry >= self.homes.width;
        let remainder = entry - if displaced { self.homes.width } else { 0 };
        self.homes.hash(index ^ usize::from(displaced), remainder)
    }

    /// Moves all entries to a larger part with room for `entries` entries, but with at most four
    /// times as many buckets. Returns whether more are needed.
    ///
    /// The order of the homes stays the same, so the pairs of buckets are read and written from
    /// first to last.
    #[cold]
    fn grow(&mut self, entries: usize) -> Result<bool, OutOfMemory> {
        let bits = self.homes.bits;
        let set_bytes = 8 * self.occupied as u64 * PARTS as u64;
        let is_small = set_bytes <= MAX_DOUBLED_BYTES.min(self.memory.limit_bytes() / 16);
        let growth = if is_small { 256 } else { self.growth };
        let entries = entries.max(self.occupied + self.occupied * growth / 256);
        let (needed, most) = (buckets_for(bits, entries), 4 * self.buckets.len());
        let homes = Homes::new(bits, needed.min(most));
        let mut next = Self::new(homes, self.growth, &self.memory)?;
        let mut open = Open::default();
        let mut homeless = Vec::new();
        let mut written = 0;
        for (pair, buckets) in self.buckets.chunks_exact(2).enumerate() {
            let first_hash = 2 * pair as u64 * self.homes.width;
            while 2 * (written as u64 + 1) * homes.width <= first_hash {
                open.write(written, &mut next, &mut homeless);
                written += 1;
            }
            for (bucket, entries) in [2 * pair, 2 * pair + 1].into_iter().zip(buckets) {
                for slot in 0..entries.filled() {
                    let (home, remainder) = homes.locate(self.hash_at(bucket, entries, slot));
                    open.add(home, remainder);
                }
            }
        }
        for pair in written..homes.buckets() / 2 {
            open.write(pair, &mut next, &mut homeless);
        }
        next.occupied = self.occupied;
        next.overflow.make_room(self.overflow.len() + homeless.len())?;
        for hash in self.overflow.iter().map(|(hash, ())| hash).chain(homeless) {
            let (home, remainder) = homes.locate(hash);
            next.insert(home, remainder);
        }
        *self = next;
        Ok(needed > most)
    }

    /// Inserts an entry. Returns whether it is new.
    #[inline(always)]
    fn insert(&mut self, home: usize, remainder: u64) -> bool {
        let layout = self.layout;
        match layout.insert(&mut self.buckets[home], remainder) {
            Inserted::Full => self.insert_displaced(home, remainder),
            inserted => inserted == Inserted::New,
        }
    }

    #[inline(never)]
    fn insert_displaced(&mut self, home: usize, remainder: u64) -> bool {
        let (layout, entry) = (self.layout, remainder + self.homes.width);
        match layout.insert(&mut self.buckets[home ^ 1], entry) {
            Inserted::Full => {
                let hash = self.homes.hash(home, remainder);
                let (_, new) = self.overflow.entry(hash, ()).expect("make_room is called first");
                new
            }
            inserted => inserted == Inserted::New,
        }
    }
}

/// The remainders of the new buckets that growth has not written yet. An old pair has hashes of at
/// most six new pairs, and a new pair of at most two old ones, so at most 124.
struct Open {
    remainders: [[u64; 128]; 16],
    filled: [usize; 16],
}

impl Default for Open {
    fn default() -> Self {
        Self { remainders: [[0; 128]; 16], filled: [0; 16] }
    }
}

impl Open {
    #[inline(always)]
    fn add(&mut self, home: usize, remainder: u64) {
        let filled = &mut self.filled[home % 16];
        self.remainders[home % 16][*filled % 128] = remainder;
        *filled += 1;
    }

    /// Writes a pair of buckets. Hashes that find no slot go to `homeless`.
    fn write(&mut self, pair: usize, part: &mut Part, homeless: &mut Vec<u64>) {
        let slots = part.layout.slots as usize;
        for home in [2 * pair, 2 * pair + 1] {
            let filled = std::mem::take(&mut self.filled[home % 16]);
            let remainders = &self.remainders[home % 16][..filled];
            let (at_home, others) = remainders.split_at(filled.min(slots));
            part.buckets[home] = part.layout.bucket(at_home);
            homeless.extend(others.iter().map(|&remainder| part.homes.hash(home, remainder)));
        }
    }
}

/// The most memory that is allocated because a space expects many states.
const MAX_EXPECTED_BYTES: u64 = 4 << 30;

/// The number of buckets of a part that starts small.
const SMALL: usize = 2;

/// The shards of many threads have room for this many states from the start, in some 2 MiB.
const SHARED: usize = 1 << 18;

/// Where an entry is at home.
#[derive(Clone, Copy)]
struct Place {
    part: u32,
    home: u32,
    remainder: u64,
}

/// Empty parts with room for a number of states. If that takes more than `tenths` tenths of the
/// free memory, they start small, because a search also needs memory for its layers.
fn empty_parts(
    state_bits: u32,
    states: usize,
    tenths: u64,
    memory: &Memory,
) -> Result<Vec<Part>, OutOfMemory> {
    let bits = hash_bits(state_bits) - PART_BITS;
    let free = memory.limit_bytes().saturating_sub(memory.held_bytes());
    let most_bytes = (free / 10 * tenths).min(MAX_EXPECTED_BYTES);
    // An entry takes more than a byte.
    let entries = (states as u64).min(most_bytes) as usize / PARTS;
    // Four standard deviations more, so that no part grows if as many states come.
    let mut buckets = buckets_for(bits, entries + 4 * entries.isqrt());
    if (buckets * PARTS * size_of::<Bucket>()) as u64 > most_bytes {
        buckets = SMALL;
    }
    let with_buckets = |buckets| {
        let homes = Homes::new(bits, buckets);
        let parts = (0..PARTS).map(|part| Part::new(homes, 64 + part * 64 / PARTS, memory));
        parts.collect::<Result<Vec<_>, _>>()
    };
    // The system may refuse what the limit allows.
    with_buckets(buckets).or_else(|OutOfMemory| with_buckets(SMALL))
}

impl CompactTable {
    /// An empty set of states of this width, with room for `states` if that takes at most `tenths`
    /// tenths of the free memory.
    pub(super) fn with_room(
        state_bits: u32,
        states: usize,
        tenths: u64,
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        Ok(Self { parts: empty_parts(state_bits, states, tenths, memory)?, state_bits })
    }

    /// A set for each part.
    pub(crate) fn shards(
        properties: &Properties,
        memory: &Memory,
    ) -> Result<Vec<Self>, OutOfMemory> {
        // Buffers and two whole layers need memory, too.
        let &Properties { state_bits, expected_states, .. } = properties;
        let parts = empty_parts(state_bits, expected_states.max(SHARED), 5, memory)?;
        Ok(parts.into_iter().map(|part| Self { parts: vec![part], state_bits }).collect())
    }

    /// Calls `visit` for each state of a set of all parts, in any order.
    pub(super) fn for_each(&self, visit: &mut dyn FnMut(u64)) {
        for (index, part) in (0_u64..).zip(&self.parts) {
            let mut found = |local: u64| {
                let hash = index << (64 - PART_BITS) | local >> PART_BITS;
                visit(Permuted(hash).state(self.state_bits));
            };
            for (index, bucket) in part.buckets.iter().enumerate() {
                (0..bucket.filled()).for_each(|slot| found(part.hash_at(index, bucket, slot)));
            }
            part.overflow.iter().for_each(|(local, ())| found(local));
        }
    }

    /// The index of the shard of a hash.
    #[inline(always)]
    pub(crate) fn shard(hash: Permuted) -> usize {
        hash.part(PARTS)
    }

    /// Inserts the hashes of states, as [`insert_all`](Visited::insert_all).
    #[inline(always)]
    fn insert_hashes<W: Copy>(
        &mut self,
        states: &[W],
        new: &mut [u32],
        hash: impl Fn(W) -> Permuted,
    ) -> usize {
        insert_each_pipelined(
            self,
            states,
            new,
            |table, state| table.prefetch(hash(state)),
            |table, place, _| table.insert_at(place),
        )
    }

    /// Inserts the hash of a place, and returns whether it is new.
    #[inline(always)]
    fn insert_at(&mut self, place: Place) -> bool {
        let part = &mut self.parts[place.part as usize];
        let new = part.insert(place.home as usize, place.remainder);
        part.occupied += usize::from(new);
        new
    }

    fn contains_hash(&self, hash: Permuted) -> bool {
        let part = &self.parts[hash.part(self.parts.len())];
        let (home, remainder) = part.homes.locate(hash.0 << PART_BITS);
        let (slots, displaced) = (part.layout.slots, remainder + part.homes.width);
        for (bucket, entry) in [(home, remainder), (home ^ 1, displaced)] {
            let bucket = &part.buckets[bucket];
            let candidates = bucket.slots_with_tag(entry as u16);
            let mut filled = 0..bucket.filled();
            if filled.any(|i| candidates >> i & 1 == 1 && part.layout.entry(bucket, i) == entry) {
                return true;
            }
            if bucket.filled() < slots {
                return false;
            }
        }
        part.overflow.get(hash.0 << PART_BITS).is_some()
    }

    /// Prefetches the home of a hash.
    #[inline(always)]
    fn prefetch(&self, hash: Permuted) -> Place {
        let index = hash.part(self.parts.len());
        let part = &self.parts[index];
        let (home, remainder) = part.homes.locate(hash.0 << PART_BITS);
        prefetch(&part.buckets[home]);
        Place { part: index as u32, home: home as u32, remainder }
    }
}

/// Only for states of up to 64 bits.
impl<W: Word> Visited<W> for CompactTable {
    fn new(properties: &Properties, memory: &Memory) -> Result<Self, OutOfMemory> {
        Self::with_room(properties.state_bits, properties.expected_states, 5, memory)
    }

    fn small(properties: &Properties, memory: &Memory) -> Result<Self, OutOfMemory> {
        Self::with_room(properties.state_bits, 0, 0, memory)
    }

    fn make_room(&mut self, states: usize) -> Result<(), OutOfMemory> {
        let share = states.div_ceil(self.parts.len());
        self.parts.iter_mut().try_for_each(|part| part.make_room(share, states))
    }

    #[inline]
    fn insert_all(&mut self, states: &[W], _: &[u64], new: &mut [u32]) -> usize {
        let bits = self.state_bits;
        self.insert_hashes(states, new, |state| Permuted::of(state, bits))
    }

    fn forget(&mut self) {
        for part in &mut self.parts {
            let homes = Homes::new(part.homes.bits, SMALL);
            if let Ok(empty) = Part::new(homes, part.growth, &part.memory) {
                *part = empty;
            }
        }
    }

    fn contains(&self, state: W, _: u64) -> bool {
        self.contains_hash(Permuted::of(state, self.state_bits))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// A set of one part, for hashes of 48 bits without those of the part.
    fn part(memory: &Memory) -> CompactTable {
        CompactTable {
            parts: vec![Part::new(Homes::new(43, 2), 64, memory).unwrap()],
            state_bits: 48,
        }
    }

    fn hash(local: u64) -> Permuted {
        Permuted(local << 21 >> PART_BITS)
    }

    fn insert(table: &mut CompactTable, batch: &[u64]) -> Result<Vec<u64>, OutOfMemory> {
        Visited::<u64>::make_room(table, batch.len())?;
        let mut new = vec![0; batch.len()];
        let count = table.insert_hashes(batch, &mut new, hash);
        Ok(new[..count].iter().map(|&index| batch[index as usize]).collect())
    }

    #[test]
    fn different_states_have_different_hashes() {
        for bits in [1, 7, 16, 17] {
            let hashes: BTreeSet<_> = (0..1_u64 << bits).map(|n| Permuted::of(n, bits).0).collect();
            assert!((0..1 << bits).all(|n| Permuted::of(n, bits).state(bits) == n));
            assert_eq!(hashes.len(), 1 << bits);
            assert!(hashes.iter().all(|hash| hash.trailing_zeros() >= 64 - bits.max(16)));
        }
        for bits in [40, 63, 64] {
            let numbers = (0..64 * 64).map(|pair| 1_u64 << (pair / 64) | 1 << (pair % 64));
            let numbers: BTreeSet<_> = numbers.map(|n| n >> (64 - bits)).collect();
            let hashes: BTreeSet<_> = numbers.iter().map(|&n| Permuted::of(n, bits).0).collect();
            assert_eq!(hashes.len(), numbers.len());
            assert!(numbers.iter().all(|&n| Permuted::of(n, bits).state(bits) == n));
        }
    }

    #[test]
    #[should_panic(expected = "more than `state_bits` bits")]
    fn a_state_that_is_too_wide_is_refused() {
        Permuted::of(1_u64 << 20, 20);
    }

    #[test]
    #[should_panic(expected = "more than `state_bits` bits")]
    fn a_state_beyond_64_bits_is_refused() {
        Permuted::of(1_u128 << 100, 60);
    }

    proptest! {
        #[test]
        fn a_hash_is_located_and_recovered(
            bits in 11_u32..=59, buckets in 2_usize..100_000, hash: u64,
        ) {
            let homes = Homes::new(bits, buckets);
            let hash = hash >> (64 - bits) << (64 - bits);
            let (home, remainder) = homes.locate(hash);
            prop_assert!(home < homes.buckets() && remainder < homes.width);
            prop_assert_eq!(homes.hash(home, remainder), hash);
        }

        #[test]
        fn a_bucket_keeps_its_entries(bits in 1_u32..=59, entries: [u64; 31]) {
            let homes = Homes { bits, width: 1 << (bits - 1), reciprocal: 0, shift: 0 };
            let layout = Layout::new(&homes);
            let entries = entries.map(|entry| entry >> (64 - bits));
            let entries = &entries[..layout.slots as usize];
            let mut pushed = Bucket::EMPTY;
            for &entry in entries {
                prop_assert!(layout.push(&mut pushed, entry));
            }
            prop_assert!(!layout.push(&mut pushed, 0));
            prop_assert_eq!(pushed.0, layout.bucket(entries).0);
            for (slot, &entry) in (0..).zip(entries) {
                prop_assert_eq!(layout.entry(&pushed, slot), entry);
            }
        }

        #[test]
        fn it_is_a_set(
            // Most hashes are in few buckets, so that many are displaced or overflow, and many have
            // equal tags.
            hashes in prop::collection::vec((any::<u64>(), 21_u32..64, any::<bool>(), 0_u32..20), 0..2000),
            batch in 1_usize..300,
        ) {
            let local = |(number, shift, high, zeros): (u64, u32, bool, u32)| {
                let number = number >> shift;
                (if high { number << (shift - 21) } else { number }) >> zeros << zeros
            };
            let hashes: Vec<_> = hashes.into_iter().map(local).collect();
            let mut table = part(&Memory::unlimited());
            let mut set = BTreeSet::new();
            for batch in hashes.chunks(batch) {
                let expected: Vec<_> = batch.iter().copied().filter(|&h| set.insert(h)).collect();
                prop_assert_eq!(insert(&mut table, batch).unwrap(), expected);
            }
            prop_assert_eq!(insert(&mut table, &hashes).unwrap(), []);
            prop_assert!(hashes.iter().all(|&local| table.contains_hash(hash(local))));
            prop_assert_eq!(table.parts[0].occupied, set.len());
            let absent = |local: &u64| !set.contains(local);
            prop_assert!(
                hashes.iter().map(|local| local ^ 1).filter(absent).all(|local| !table.contains_hash(hash(local)))
            );
        }
    }

    /// A pseudorandom order of all numbers of 43 bits.
    fn number(index: u64) -> u64 {
        index.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 21
    }

    #[test]
    fn it_grows_to_a_size_close_to_its_entries() {
        let memory = Memory::unlimited();
        let mut table = part(&memory);
        for first in (0..300_000).step_by(250) {
            let batch: Vec<_> = (first..first + 250).map(number).collect();
            assert_eq!(insert(&mut table, &batch).unwrap(), batch);
        }
        assert!((0..300_000).all(|index| table.contains_hash(hash(number(index)))));
        // 27 to 30 bits per entry, at a load of more than 0.55.
        assert!(memory.held_bytes() < 7 * 300_000, "{}", memory.held_bytes());
        drop(table);
        assert_eq!(memory.held_bytes(), 0);
    }

    #[test]
    fn each_state_is_visited_once_wherever_it_is() {
        // Numbers of which many have no place in their pair of buckets.
        let numbers: BTreeSet<u64> = (0..200_000).map(|n| Permuted(n << 44).state(48)).collect();
        let mut table = CompactTable::with_room(48, 0, 0, &Memory::unlimited()).unwrap();
        for batch in numbers.iter().copied().collect::<Vec<_>>().chunks(250) {
            Visited::<u64>::make_room(&mut table, batch.len()).unwrap();
            let mut new = vec![0; batch.len()];
            assert_eq!(table.insert_all(batch, &[], &mut new), batch.len());
        }
        assert!(table.parts.iter().any(|part| !part.overflow.is_empty()));
        let mut visited = Vec::new();
        table.for_each(&mut |state| visited.push(state));
        visited.sort_unstable();
        assert!(visited.into_iter().eq(numbers));
    }

    #[test]
    fn it_keeps_its_entries_when_memory_runs_out() {
        let memory = Memory::with_limit(100_000);
        let mut table = part(&memory);
        let batch = |index: u64| (100 * index..100 * (index + 1)).map(number).collect::<Vec<_>>();
        let inserted = (0..).take_while(|&index| insert(&mut table, &batch(index)).is_ok()).count();
        assert!((50..200).contains(&inserted), "{inserted}");
        assert!(memory.peak_bytes() <= 100_000);
        let known =
            |index: u64| batch(index).into_iter().all(|local| table.contains_hash(hash(local)));
        assert!((0..inserted as u64).all(known));
        assert!(!known(inserted as u64));
    }
}
