//! What moves cost.
//!
//! Each move of a space costs 1, and a search finds the fewest moves, unless the space says
//! otherwise: with small integers, 0 included, or with pairs of which the first number is compared
//! first, such as pushes and then moves. A search then finds a plan of the least sum. Wherever this
//! crate says "distance", "depth" or "number of moves", read "sum of costs" for such a space.
//!
//! A cost is a `u32`. A [`pair`] of numbers up to 65,535 is one, too, so that pairs add up and
//! compare like integers. A sum that is too large ends a search with [`Limit::Encoding`].
//!
//! ```
//! use fewest_core::cost::{self, CostRange};
//! use fewest_core::search::Search;
//! use fewest_core::space::from_fn;
//!
//! // From 1 to 10: adding 1 costs 1, doubling costs 3.
//! let next = |n: u32| [('+', n + 1), ('*', 2 * n)];
//! let numbers = || from_fn([1], next, |n| n == 10);
//! let dear = numbers().with_costs(CostRange::integers(1..=3), |_, by| if by == '*' { 3 } else { 1 });
//! assert_eq!(Search::new(&dear).run().cost(), Some(7));
//!
//! // The fewest doublings, and among those plans one with the fewest moves.
//! let range = CostRange::pairs((0, 1)..=(1, 1));
//! let few = numbers().with_costs(range, |_, by| cost::pair(u16::from(by == '*'), 1));
//! assert_eq!(Search::new(&few).run().cost().map(cost::parts), Some((0, 9)));
//! ```

use std::fmt;
use std::ops::RangeInclusive;

use crate::limit::Limit;
use crate::space::StateSpace;

/// What the moves of a space cost: see [`StateSpace::COSTS`].
pub enum Costs<S: StateSpace + ?Sized> {
    /// 1 each.
    Unit,
    /// What a function says.
    ByMove {
        /// The cost of a move from a state.
        cost: fn(&S, S::State, S::Move) -> u32,
        /// The costs that moves can have.
        range: fn(&S) -> CostRange,
    },
}

impl<S: StateSpace + ?Sized> Clone for Costs<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: StateSpace + ?Sized> Copy for Costs<S> {}

impl<S: StateSpace + ?Sized> fmt::Debug for Costs<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.are_unit() { "Unit" } else { "ByMove" })
    }
}

impl<S: StateSpace + ?Sized> Costs<S> {
    /// Whether each move costs 1, whatever the space.
    pub const fn are_unit(&self) -> bool {
        matches!(self, Self::Unit)
    }
}

/// The cost of a move from a state.
#[inline(always)]
pub fn of<S: StateSpace + ?Sized>(space: &S, state: S::State, by: S::Move) -> u32 {
    match S::COSTS {
        Costs::Unit => 1,
        Costs::ByMove { cost, .. } => cost(space, state, by),
    }
}

/// The sum of two costs of a space.
#[inline(always)]
pub(crate) fn add<S: StateSpace>(range: CostRange, distance: u32, cost: u32) -> Result<u32, Limit> {
    if const { S::COSTS.are_unit() } { Ok(distance + cost) } else { range.add(distance, cost) }
}

/// The costs that the moves of a space can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostRange {
    least: u32,
    greatest: u32,
    kind: Kind,
}

/// How costs are written. A range from 1 to 1 that a space declares is not `Unit`, so that its
/// costs are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unit,
    Integers,
    Pairs,
}

impl Default for CostRange {
    fn default() -> Self {
        Self::UNIT
    }
}

impl CostRange {
    /// Every move costs 1.
    pub const UNIT: Self = Self { least: 1, greatest: 1, kind: Kind::Unit };

    /// Integers. Memory grows with the number of different costs, and time with the number of
    /// different sums.
    pub const fn integers(costs: RangeInclusive<u32>) -> Self {
        Self { least: *costs.start(), greatest: *costs.end(), kind: Kind::Integers }
    }

    /// [Pairs](pair), from the least one to the greatest.
    pub const fn pairs(costs: RangeInclusive<(u16, u16)>) -> Self {
        let (least, greatest) = (*costs.start(), *costs.end());
        let (least, greatest) = (pair(least.0, least.1), pair(greatest.0, greatest.1));
        Self { least, greatest, kind: Kind::Pairs }
    }

    /// The range of a space.
    pub(crate) fn of<S: StateSpace>(space: &S) -> Self {
        match S::COSTS {
            Costs::Unit => Self::UNIT,
            Costs::ByMove { range, .. } => match range(space) {
                Self::UNIT => Self::integers(1..=1),
                range => range,
            },
        }
    }

    /// The least cost.
    pub const fn least(self) -> u32 {
        self.least
    }

    /// The greatest cost.
    pub const fn greatest(self) -> u32 {
        self.greatest
    }

    /// Whether it is [`UNIT`](Self::UNIT).
    pub const fn is_unit(self) -> bool {
        matches!(self.kind, Kind::Unit)
    }

    /// Whether it is between the least and the greatest cost.
    #[inline]
    pub const fn contains(self, cost: u32) -> bool {
        self.least <= cost && cost <= self.greatest
    }

    /// A cost, or a sum of costs, as it is written: a pair as two numbers.
    pub(crate) fn written(self, cost: u32) -> String {
        match self.kind {
            Kind::Pairs => format!("{:?}", parts(cost)),
            Kind::Unit | Kind::Integers => cost.to_string(),
        }
    }

    /// # Panics
    /// If the cost is not in the range.
    #[inline]
    pub(crate) fn check(self, cost: u32) {
        assert!(
            self.contains(cost),
            "invalid state space: {} (`check::space` finds the state)",
            self.refusal(cost)
        );
    }

    /// What is wrong with a cost that is not in the range.
    pub(crate) fn refusal(self, cost: u32) -> String {
        let [cost, least, greatest] =
            [cost, self.least, self.greatest].map(|cost| self.written(cost));
        format!("a move costs {cost}, which is not from {least} to {greatest}")
    }

    /// A sum of costs and one more.
    ///
    /// # Errors
    /// [`Limit::Encoding`] if it does not fit.
    ///
    /// # Panics
    /// If the cost is not in the range.
    #[inline]
    pub fn add(self, distance: u32, cost: u32) -> Result<u32, Limit> {
        self.check(cost);
        self.sum(distance, cost)
    }

    /// The sum of two sums of costs.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    #[inline]
    pub(crate) fn sum(self, distance: u32, cost: u32) -> Result<u32, Limit> {
        // A sum in the low half must not reach the high one.
        let is_carried = (distance ^ cost ^ distance.wrapping_add(cost)) & (1 << u16::BITS) != 0;
        if self.kind == Kind::Pairs && is_carried {
            return Err(Limit::Encoding);
        }
        distance.checked_add(cost).ok_or(Limit::Encoding)
    }
}

/// A pair as a cost. Of two pairs, that with the lesser first number is the lesser one.
pub const fn pair(first: u16, then: u16) -> u32 {
    (first as u32) << u16::BITS | then as u32
}

/// The two numbers of a pair, or of a sum of pairs.
pub const fn parts(cost: u32) -> (u16, u16) {
    ((cost >> u16::BITS) as u16, cost as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_add_and_compare_by_their_first_numbers_first() {
        let range = CostRange::pairs((0, 0)..=(u16::MAX, u16::MAX));
        let sum = range.add(pair(3, 65_000), pair(2, 535)).unwrap();
        assert_eq!(parts(sum), (5, 65_535));
        assert!(pair(3, 65_535) < pair(4, 0));
        assert_eq!(range.add(pair(3, 65_000), pair(2, 536)), Err(Limit::Encoding));
        assert_eq!(range.add(pair(65_535, 0), pair(1, 0)), Err(Limit::Encoding));
    }

    #[test]
    fn integers_add_until_they_do_not_fit() {
        let range = CostRange::integers(0..=u32::MAX);
        assert_eq!(range.add(65_535, 1), Ok(65_536));
        assert_eq!(range.add(u32::MAX, 0), Ok(u32::MAX));
        assert_eq!(range.add(u32::MAX, 1), Err(Limit::Encoding));
        assert!(CostRange::UNIT.is_unit() && !CostRange::integers(1..=1).is_unit());
    }
}
