//! Random choices that are the same for the same seed, on every machine and in every version.
//!
//! ```
//! use fewest_core::random::Random;
//!
//! let mut random = Random::from_seed(7);
//! let rolls: Vec<usize> = (0..8).map(|_| random.below(6)).collect();
//! assert_eq!(rolls, [0, 1, 4, 4, 3, 2, 0, 5]);
//! ```

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A source of random choices.
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The source of a seed.
    pub fn from_seed(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number below `most`, all alike to within one in 2^64; 0 if there is none.
    pub fn below(&mut self, most: usize) -> usize {
        ((u128::from(self.0.next_u64()) * most as u128) >> 64) as usize
    }

    /// Puts items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}
