//! Families of puzzles, as the literature names them.

use crate::generators::Permutations;
use crate::moves::MAX_PLACES;

impl Permutations {
    /// LRX of `n` labels: `L` and `R` turn the row left and right, and `X` exchanges the first two
    /// labels. (Chervov et al., "CayleyPy RL", 2025.)
    pub fn lrx(n: usize) -> Self {
        Self::turns(n).generator("X", [[0, 1]])
    }

    /// TopSpin of `n` labels on a ring: it turns left (`L`) and right (`R`), and a spindle reverses
    /// the first `k` labels (`F`).
    pub fn top_spin(n: usize, k: usize) -> Self {
        Self::turns(n).generator("F", reversed(k))
    }

    /// A stack of `n` pancakes: the move `k` reverses the first `k` of them, for `k` from 2 to `n`.
    pub fn pancake(n: usize) -> Self {
        let most = n.min(MAX_PLACES);
        (2..=most).fold(Self::new(n), |stack, k| stack.generator(k.to_string(), reversed(k)))
    }

    /// A stack of `n` pancakes with a burnt side: the move `k` reverses the first `k` of them and
    /// turns each over, for `k` from 1 to `n`. Pancake `p` is at the places `2 * p` and `2 * p + 1`.
    pub fn burnt_pancake(n: usize) -> Self {
        let stack = Self::new(n.saturating_mul(2));
        (1..=n.min(MAX_PLACES))
            .fold(stack, |stack, k| stack.generator(k.to_string(), reversed(2 * k)))
    }

    /// A row that turns left and right.
    fn turns(n: usize) -> Self {
        // Too many places are refused by their number.
        let right: Vec<_> = (0..n.min(MAX_PLACES)).collect();
        let left: Vec<_> = right.iter().copied().rev().collect();
        Self::new(n).generator("L", [left]).generator("R", [right])
    }
}

/// The first `k` places in reverse order, as cycles.
fn reversed(k: usize) -> impl Iterator<Item = [usize; 2]> {
    // Of more places than there can be, the first cycle is refused.
    (0..(k / 2).min(MAX_PLACES)).map(move |place| [place, k - 1 - place])
}
