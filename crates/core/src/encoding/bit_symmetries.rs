//! The images of a set of bits under a group of symmetries.

/// The bits that a table has an entry for each set of.
const CHUNK: u32 = 11;

/// `N` symmetries of a board that permute its cells, which are bits of a `u64`, such as the eight of
/// a square. Symmetry 0 is the identity.
///
/// Memory: 16 KiB per symmetry for each 11 bits. Time: a look-up for each 11 bits, for all
/// symmetries at once.
///
/// ```
/// use fewest_core::encoding::BitSymmetries;
///
/// // The cells of a row of five, and its mirror image.
/// let row = BitSymmetries::<2>::new(5, |cell, symmetry| if symmetry == 0 { cell } else { 4 - cell });
/// assert_eq!(row.images(0b00011), [0b00011, 0b11000]);
/// assert_eq!(row.least(0b11010), (0b01011, 1));
/// ```
#[derive(Clone, Debug)]
pub struct BitSymmetries<const N: usize> {
    /// For each chunk of a word, and for each set of its bits, the images.
    tables: Vec<[u64; N]>,
}

impl<const N: usize> BitSymmetries<N> {
    /// The symmetries of the first `bits` bits, where `image` maps a bit to another one. Further bits
    /// of a word have no images.
    ///
    /// # Panics
    /// If an image is not one of these bits, or there are more than 64.
    pub fn new(bits: u32, image: impl Fn(u32, u32) -> u32) -> Self {
        assert!(bits <= u64::BITS, "{bits} bits: a word has 64");
        let image = |bit, symmetry| {
            let image = image(bit, symmetry);
            assert!(image < bits, "the image of bit {bit} is bit {image}, of {bits} bits");
            image
        };
        let of_set = |first: u32, set: u32| {
            std::array::from_fn(|symmetry| {
                let bits = (0..CHUNK).filter(|bit| set >> bit & 1 == 1 && first + bit < bits);
                bits.fold(0, |word, bit| word | 1 << image(first + bit, symmetry as u32))
            })
        };
        let chunks = (0..bits).step_by(CHUNK as usize);
        let tables = chunks.flat_map(|first| (0..1 << CHUNK).map(move |set| (first, set)));
        Self { tables: tables.map(|(first, set)| of_set(first, set)).collect() }
    }

    /// The image under each symmetry.
    #[inline]
    pub fn images(&self, word: u64) -> [u64; N] {
        let (mut rest, mut images) = (word, [0; N]);
        for table in self.tables.chunks_exact(1 << CHUNK) {
            let of_chunk = &table[(rest & ((1 << CHUNK) - 1)) as usize];
            rest >>= CHUNK;
            for (image, of_chunk) in images.iter_mut().zip(of_chunk) {
                *image |= of_chunk;
            }
        }
        images
    }

    /// The least image, and the first symmetry that leads to it.
    #[inline]
    pub fn least(&self, word: u64) -> (u64, u32) {
        let images = self.images(word);
        let least = images.iter().fold(word, |least, &image| least.min(image));
        // A second pass, which costs nothing where nobody asks for the symmetry.
        let symmetry = images.iter().position(|&image| image == least).unwrap_or_default();
        (least, symmetry as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_those_of_each_bit() {
        // The rotations of a ring of 30 bits, more than two chunks and no whole number of them.
        let image = |bit: u32, symmetry: u32| (bit + 5 * symmetry) % 30;
        let ring = BitSymmetries::<6>::new(30, image);
        let mut word = 1_u64;
        for _ in 0..1000 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let set = word >> 34;
            let by_bit: [u64; 6] = std::array::from_fn(|symmetry| {
                let bits = (0..30).filter(|bit| set >> bit & 1 == 1);
                bits.map(|bit| 1 << image(bit, symmetry as u32)).sum()
            });
            assert_eq!(ring.images(set), by_bit);
            let (least, symmetry) = ring.least(set);
            assert_eq!(Some(&least), by_bit.iter().min());
            assert_eq!(by_bit.iter().position(|image| *image == least), Some(symmetry as usize));
        }
    }
}
