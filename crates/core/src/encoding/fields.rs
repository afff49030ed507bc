//! Fields of fixed width in a word: the state of things that are alike and keep their order.

use std::marker::PhantomData;

use crate::word::Word;

/// `count` fields of `width` bits each in a `W`.
///
/// | word | field `i` starts at bit |
/// | --- | --- |
/// | integer | `i * width` |
/// | `[u64; N]` | `i % (64 / width) * width` of limb `i / (64 / width)`: no field crosses limbs |
///
/// Bits that belong to no field are clear.
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

impl<W: Word> Fields<W> {
    /// `None` if they do not fit the word, or are not between 1 and 32 bits wide.
    pub fn new(width: u32, count: u32) -> Option<Self> {
        let limbs = W::BITS / W::LIMB_BITS;
        let fits = (1..=32).contains(&width) && count <= limbs * (W::LIMB_BITS / width);
        fits.then_some(Self { width, count, word: PhantomData })
    }

    /// The bits that it takes to tell `values` values apart; at least 1.
    pub fn width_for(values: usize) -> u32 {
        (usize::BITS - values.saturating_sub(1).leading_zeros()).max(1)
    }

    /// How many fields.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    #[inline]
    fn offset(&self, field: usize) -> u32 {
        let field = field as u32;
        if W::LIMB_BITS == W::BITS {
            return field * self.width;
        }
        let in_limb = W::LIMB_BITS / self.width;
        field / in_limb * W::LIMB_BITS + field % in_limb * self.width
    }

    /// The value of a field.
    #[inline]
    pub fn get(&self, word: W, field: usize) -> u32 {
        word.bits(self.offset(field), self.width)
    }

    /// The word with a field set; `value` must fit the width.
    #[inline]
    #[must_use]
    pub fn set(&self, word: W, field: usize, value: u32) -> W {
        word.with_bits(self.offset(field), self.width, value)
    }

    /// The word with these values in its fields, first to last, and the rest clear.
    pub fn pack(&self, values: impl IntoIterator<Item = u32>) -> W {
        let numbered = values.into_iter().enumerate();
        numbered.fold(W::ZERO, |word, (field, value)| self.set(word, field, value))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn keeps<W: Word>(width: u32, values: &[u32]) {
        let Some(fields) = Fields::<W>::new(width, values.len() as u32) else {
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
        fn every_field_keeps_its_value_in_every_word(
            width in 1u32..=32,
            values in prop::collection::vec(any::<u32>(), 0..30),
        ) {
            if width <= 16 { keeps::<u16>(width, &values); }
            keeps::<u32>(width, &values);
            keeps::<u64>(width, &values);
            keeps::<u128>(width, &values);
            keeps::<[u64; 4]>(width, &values);
            keeps::<[u64; 7]>(width, &values);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(Fields::<u32>::new(8, 4).is_some());
        assert!(Fields::<u32>::new(8, 5).is_none());
        assert!(Fields::<u64>::new(33, 1).is_none());
        assert!(Fields::<u64>::new(0, 1).is_none());
        // Four fields of 16 bits a limb, but only three of 17.
        assert!(Fields::<[u64; 7]>::new(16, 28).is_some());
        assert!(Fields::<[u64; 7]>::new(17, 22).is_none());
        assert!(Fields::<u16>::new(17, 1).is_none());
    }

    #[test]
    fn width_is_the_least_that_tells_apart() {
        let widths = [1, 2, 3, 4, 5, 111, 128, 129, 65_025].map(Fields::<u32>::width_for);
        assert_eq!(widths, [1, 1, 2, 2, 3, 7, 7, 8, 16]);
    }
}
