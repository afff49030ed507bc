//! Random numbers that depend only on the seed: they are the same on every machine and in every
//! version.
//!
//! ```
//! use fewest_puzzle::random::Random;
//!
//! let mut random = Random::from_seed(7);
//! let rolls: Vec<usize> = (0..8).map(|_| random.below(6)).collect();
//! assert_eq!(rolls, [0, 1, 4, 4, 3, 2, 0, 5]);
//! ```

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A random number generator: ChaCha with 8 rounds (Bernstein 2008). It is reproducible and not
/// meant for cryptography.
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// A generator with this seed.
    pub fn from_seed(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A random number in `0..bound`; 0 if `bound` is 0. The probabilities of any two numbers
    /// differ by at most 2^-64.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    /// Shuffles items in place (Durstenfeld 1964).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
