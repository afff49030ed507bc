//! Fields of equal width in a word.

use std::marker::PhantomData;

use crate::word::Word;

/// A layout of `count` fields of `width` bits each in a word of type `W`. Typically, each field is
/// the position of one of several pieces.
///
/// | word | field `i` starts at bit |
/// | --- | --- |
/// | integer | `i * width` |
/// | `[u64; N]` | `i % (64 / width) * width` of limb `i / (64 / width)`: no field crosses limbs |
///
/// Bits outside all fields are clear in a packed word.
///
/// ```
/// use fewest_core::encoding::Fields;
/// let three = Fields::<u32>::new(7, 3).unwrap();
/// assert_eq!(three.pack([1, 2, 3]), 1 | 2 << 7 | 3 << 14);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fields<W> {
    width: u32,
    count: u32,
    word: PhantomData<W>,
}

/// The error of [`Fields::new`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{count} fields of {width} bits do not fit a word of {bits} bits, or have not 1 to 32 bits"
)]
pub struct FieldsDoNotFit {
    width: u32,
    count: u32,
    bits: u32,
}

impl<W: Word> Fields<W> {
    /// A layout.
    ///
    /// # Errors
    /// If the fields do not fit the word, or `width` is not in `1..=32`.
    pub fn new(width: u32, count: u32) -> Result<Self, FieldsDoNotFit> {
        let limbs = W::BITS / W::LIMB_BITS;
        let fits = (1..=32).contains(&width) && count <= limbs * (W::LIMB_BITS / width);
        let bits = W::BITS;
        fits.then_some(Self { width, count, word: PhantomData }).ok_or(FieldsDoNotFit {
            width,
            count,
            bits,
        })
    }

    /// The least field width for numbers in `0..values`: `ceil(log2(values))`, at least 1.
    pub fn width_for(values: usize) -> u32 {
        (usize::BITS - values.saturating_sub(1).leading_zeros()).max(1)
    }

    /// The number of fields.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    #[inline]
    fn offset(&self, field: usize) -> u32 {
        let field = field as u32;
        if W::LIMB_BITS == W::BITS {
            return field * self.width;
        }
        let fields_per_limb = W::LIMB_BITS / self.width;
        field / fields_per_limb * W::LIMB_BITS + field % fields_per_limb * self.width
    }

    /// The value of field `field`, which must be below [`count`](Self::count).
    #[inline]
    pub fn get(&self, word: W, field: usize) -> u32 {
        word.bits(self.offset(field), self.width)
    }

    /// The values of all fields, starting with field 0.
    #[inline]
    pub fn values(&self, word: W) -> impl Iterator<Item = u32> + use<W> {
        let Self { width, .. } = *self;
        let fields = *self;
        // A shift by a field costs less than the offset of each field.
        let mut rest = word.low_bits();
        (0..self.count()).map(move |field| {
            if W::BITS > u64::BITS {
                return fields.get(word, field);
            }
            let value = rest & ((1 << width) - 1);
            rest >>= width;
            value as u32
        })
    }

    /// The word with field `field` replaced by `value`. `field` must be below
    /// [`count`](Self::count), and `value` below `2^width`.
    #[inline]
    #[must_use]
    pub fn set(&self, word: W, field: usize, value: u32) -> W {
        word.with_bits(self.offset(field), self.width, value)
    }

    /// The word with these values in its fields, starting with field 0. All other bits are clear.
    /// The conditions of [`set`](Self::set) apply to each value.
    pub fn pack(&self, values: impl IntoIterator<Item = u32>) -> W {
        let numbered = values.into_iter().enumerate();
        numbered.fold(W::ZERO, |word, (field, value)| self.set(word, field, value))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn assert_round_trip<W: Word>(width: u32, values: &[u32]) {
        let Ok(fields) = Fields::<W>::new(width, values.len() as u32) else {
            let limbs = W::BITS / W::LIMB_BITS;
            assert!(values.len() as u32 > limbs * (W::LIMB_BITS / width));
            return;
        };
        let values: Vec<u32> =
            values.iter().map(|value| (u64::from(*value) & ((1 << width) - 1)) as u32).collect();
        let mut word = fields.pack(values.iter().copied());
        for (field, &value) in values.iter().enumerate() {
            assert_eq!(fields.get(word, field), value);
        }
        assert_eq!(fields.values(word).collect::<Vec<_>>(), values);
        let mut bytes = vec![0; W::BYTES];
        word.write_le(&mut bytes);
        assert_eq!(W::read_le(&bytes), word);
        for field in 0..values.len() {
            word = fields.set(word, field, 0);
        }
        assert_eq!(word, W::ZERO);
    }

    proptest! {
        #[test]
        fn fields_round_trip_in_every_word(
            width in 1u32..=32,
            values in prop::collection::vec(any::<u32>(), 0..30),
        ) {
            if width <= 16 { assert_round_trip::<u16>(width, &values); }
            assert_round_trip::<u32>(width, &values);
            assert_round_trip::<u64>(width, &values);
            assert_round_trip::<u128>(width, &values);
            assert_round_trip::<[u64; 4]>(width, &values);
            assert_round_trip::<[u64; 7]>(width, &values);
        }
    }

    #[test]
    fn layouts_that_do_not_fit_are_rejected() {
        assert!(Fields::<u32>::new(8, 4).is_ok());
        assert!(Fields::<u32>::new(8, 5).is_err());
        assert!(Fields::<u64>::new(33, 1).is_err());
        assert!(Fields::<u64>::new(0, 1).is_err());
        // A limb has room for four fields of 16 bits, but only for three of 17.
        assert!(Fields::<[u64; 7]>::new(16, 28).is_ok());
        assert!(Fields::<[u64; 7]>::new(17, 22).is_err());
        assert!(Fields::<u16>::new(17, 1).is_err());
    }

    #[test]
    fn width_for_is_the_least_width() {
        let widths = [1, 2, 3, 4, 5, 111, 128, 129, 65_025].map(Fields::<u32>::width_for);
        assert_eq!(widths, [1, 1, 2, 2, 3, 7, 7, 8, 16]);
    }
}
