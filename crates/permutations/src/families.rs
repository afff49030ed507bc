//! Families of puzzles, as the literature names them.

use crate::generators::Permutations;

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
        (2..=n).fold(Self::new(n), |stack, k| stack.generator(k.to_string(), reversed(k)))
    }

    /// A stack of `n` pancakes with a burnt side: the move `k` reverses the first `k` of them and
    /// turns each over, for `k` from 1 to `n`. Pancake `p` is at the places `2 * p` and `2 * p + 1`.
    pub fn burnt_pancake(n: usize) -> Self {
        let stack = Self::new(2 * n);
        (1..=n).fold(stack, |stack, k| stack.generator(k.to_string(), reversed(2 * k)))
    }

    /// A row that turns left and right.
    fn turns(n: usize) -> Self {
        let left: Vec<_> = (0..n).rev().collect();
        let right: Vec<_> = (0..n).collect();
        Self::new(n).generator("L", [left]).generator("R", [right])
    }
}

/// The first `k` places in reverse order, as cycles.
fn reversed(k: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..k / 2).map(move |place| [place, k - 1 - place])
}
