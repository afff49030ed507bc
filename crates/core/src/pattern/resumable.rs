//! Pattern databases that are computed as far as a search needs them.
//!
//! Given a lower bound on the depth of each pattern, a [`ResumableDatabase`] computes the distances
//! only of patterns whose bound and distance add up to at most a given sum, and continues from
//! there for a larger sum. A search that tries one plan length after the other
//! needs no other patterns. Silver (2005) calls such a search resumable. For two ghosts on a
//! `halloween` map of 16 x 16 cells, that is a tenth of all patterns on average.
//!
//! ```
//! use std::ops::ControlFlow;
//! use fewest_core::budget::Budget;
//! use fewest_core::pattern::ResumableDatabase;
//! use fewest_core::{Goals, Heuristic, Ranked, StateSpace, Predecessors};
//!
//! /// A row of cells. A plan moves from cell 4 to cell 0.
//! struct Row(u32);
//!
//! impl StateSpace for Row {
//!     type State = u32;
//!     type Move = ();
//!     fn initial(&self, mut emit: impl FnMut(u32)) {
//!         emit(4)
//!     }
//!     fn is_goal(&self, cell: u32) -> bool {
//!         cell == 0
//!     }
//!     fn successors<B>(
//!         &self,
//!         cell: u32,
//!         _last: Option<()>,
//!         mut emit: impl FnMut((), u32) -> ControlFlow<B>,
//!     ) -> ControlFlow<B> {
//!         if cell > 0 {
//!             emit((), cell - 1)?;
//!         }
//!         if cell + 1 < self.0 { emit((), cell + 1) } else { ControlFlow::Continue(()) }
//!     }
//! }
//!
//! impl Predecessors for Row {
//!     const UNDIRECTED: bool = true;
//! }
//!
//! impl Goals for Row {
//!     fn goals(&self, mut emit: impl FnMut(u32)) {
//!         emit(0)
//!     }
//! }
//!
//! impl Ranked for Row {
//!     fn ranks(&self) -> Option<u64> {
//!         Some(self.0.into())
//!     }
//!     fn rank(&self, cell: u32) -> u64 {
//!         cell.into()
//!     }
//!     fn unrank(&self, rank: u64) -> u32 {
//!         rank as u32
//!     }
//! }
//!
//! /// The distance from the start to a cell.
//! struct FromStart;
//!
//! impl Heuristic<Row> for FromStart {
//!     type Evaluation = u32;
//!     fn evaluate(&self, cell: u32) -> u32 {
//!         cell.abs_diff(4)
//!     }
//!     fn bound(&self, cells: u32) -> Option<u32> {
//!         Some(cells)
//!     }
//! }
//!
//! let budget = Budget::unlimited();
//! let mut meter = budget.meter();
//! // A plan of six moves can visit cell 5; a plan of four moves cannot.
//! let mut database = ResumableDatabase::new(Row(9), FromStart, budget.memory())?;
//! database.extend(4, &mut meter)?;
//! assert_eq!((database.distance(4), database.distance(5)), (Some(4), None));
//! database.extend(6, &mut meter)?;
//! assert_eq!((database.distance(5), database.distance(6)), (Some(5), None));
//! # Ok::<(), fewest_core::budget::Limit>(())
//! ```

use std::collections::VecDeque;

use crate::budget::{Limit, Meter};
use crate::expansion::{continue_if_ok, expanded};
use crate::heuristic::Heuristic;
use crate::memory::{Block, Memory, OutOfMemory, SegmentedVec};
use crate::space::{Goals, Predecessors, Ranked};
use crate::visited::Table;
use crate::word::Word;

/// The distances of patterns to the goals of the pattern space `S`, computed as far as requested.
///
/// The type `H` bounds the depth of a pattern from below; see [`new`](Self::new).
///
/// Memory: 2 bytes per rank for up to 4,194,304 ranks. For more ranks it is a hash table with a
/// word and 2 bytes per generated pattern. In addition, there is a `(S::State, u32)` for each
/// pattern that is generated and not yet expanded.
#[derive(Debug)]
pub struct ResumableDatabase<S: Ranked, H> {
    patterns: S,
    from_start: H,
    labels: Labels<S::State>,
    open: OpenList<S::State>,
    /// Patterns whose distance is exact and that are not expanded yet. Empty except within
    /// [`extend_by_one_sum`](Self::extend_by_one_sum).
    to_expand: SegmentedVec<(S::State, u32)>,
}

impl<S: Ranked + Goals + Predecessors, H: Heuristic<S>> ResumableDatabase<S, H> {
    /// A database in which no distance is known yet.
    ///
    /// `from_start` is a lower bound on the depth of a pattern: the number of moves from an initial
    /// pattern to it. It must be consistent: a move increases it by at most 1. The database ignores
    /// patterns for which it is `None`. With [`Blind`](crate::heuristic::Blind), the distances are
    /// computed in ascending order.
    ///
    /// # Errors
    /// [`OutOfMemory`] if the table does not fit.
    pub fn new(patterns: S, from_start: H, memory: &Memory) -> Result<Self, OutOfMemory> {
        let mut labels = Labels::new(patterns.ranks(), memory)?;
        let mut open = OpenList::new(memory);
        let mut started = Ok(());
        patterns.goals(|goal| {
            let mut insert = || {
                if let Some(bound) = from_start.bound(from_start.evaluate(goal)) {
                    *labels.get_mut(patterns.rank(goal), goal)? = Label::tentative(0);
                    open.push(bound, goal, 0)?;
                }
                Ok(())
            };
            started = started.and_then(|()| insert());
        });
        started.map(|()| Self {
            patterns,
            from_start,
            labels,
            open,
            to_expand: SegmentedVec::new(memory),
        })
    }

    /// The pattern space.
    pub fn patterns(&self) -> &S {
        &self.patterns
    }

    /// Computes the distance of every pattern whose distance and bound add up to at most `sum`.
    /// Pass `u32::MAX` to complete the database. Distances that are known already are not computed
    /// again.
    ///
    /// Time: one expansion for each pattern whose distance is computed; an expansion computes the
    /// predecessors.
    ///
    /// # Errors
    /// [`Limit::Encoding`] if a distance exceeds 32,766; otherwise a limit of the budget. After an
    /// error the distances are unspecified: drop the database.
    pub fn extend(&mut self, sum: u32, meter: &mut Meter<'_>) -> Result<(), Limit> {
        const { assert!(S::COSTS.are_unit(), "a resumable database counts moves") };
        while self.open.least_sum <= sum && self.open.has_any() {
            self.extend_by_one_sum(meter)?;
        }
        Ok(())
    }

    /// A lower bound on the sum of distance and bound of every pattern whose distance is not known.
    /// `None` if the database is complete.
    pub fn least_unknown(&self) -> Option<u32> {
        self.open.has_any().then_some(self.open.least_sum)
    }

    /// The distance of the pattern with this rank, if it is known. If it is `None`, the distance
    /// and the bound of the pattern add up to more than every sum passed to
    /// [`extend`](Self::extend), or no goal is reachable from the pattern.
    ///
    /// Time: one array access, or one `unrank` and one lookup in a hash table.
    ///
    /// # Panics
    /// If there are at most 4,194,304 ranks and `rank` is not one of them.
    #[inline]
    pub fn distance(&self, rank: u64) -> Option<u32> {
        let label = match &self.labels {
            Labels::Dense(labels) => labels[rank as usize],
            Labels::Sparse(labels) => {
                labels.get(self.patterns.unrank(rank)).unwrap_or(Label::UNKNOWN)
            }
        };
        label.distance()
    }

    /// Each pattern whose distance is known, with the distance. If there are at most 4,194,304
    /// ranks, the iterator calls [`unrank`](Ranked::unrank) for each of them.
    pub fn known(&self) -> impl Iterator<Item = (S::State, u32)> + '_ {
        let labels: Box<dyn Iterator<Item = (S::State, Label)>> = match &self.labels {
            Labels::Dense(labels) => Box::new(
                labels
                    .iter()
                    .enumerate()
                    .map(|(rank, &label)| (self.patterns.unrank(rank as u64), label)),
            ),
            Labels::Sparse(labels) => Box::new(labels.iter()),
        };
        labels.filter_map(|(pattern, label)| Some((pattern, label.distance()?)))
    }

    /// Expands all patterns of the least sum on the open list, and those of the same sum that this
    /// generates. Since the bound is consistent, a pattern that is expanded has its exact distance.
    fn extend_by_one_sum(&mut self, meter: &mut Meter<'_>) -> Result<(), Limit> {
        let Self { patterns, from_start, labels, open, to_expand } = self;
        let sum = open.least_sum;
        while let Some((pattern, distance)) = open.pop() {
            let label = labels.get_mut(patterns.rank(pattern), pattern)?;
            // The pattern may have been generated again with a smaller sum.
            if *label == Label::tentative(distance) {
                *label = Label::exact(distance);
                to_expand.push((pattern, distance))?;
            }
            while let Some((pattern, distance)) = to_expand.pop() {
                meter.expand()?;
                let distance = distance + 1;
                let (mut generated, mut new) = (0, 0);
                let mut admit = |before| -> Result<(), Limit> {
                    generated += 1;
                    if distance > Label::MAX_DISTANCE {
                        return Err(Limit::Encoding);
                    }
                    let label = labels.get_mut(patterns.rank(before), before)?;
                    if label.is_at_most(distance) {
                        return Ok(());
                    }
                    let Some(bound) = from_start.bound(from_start.evaluate(before)) else {
                        return Ok(());
                    };
                    new += 1;
                    if distance + bound > sum {
                        *label = Label::tentative(distance);
                        open.push(distance + bound, before, distance)?;
                    } else {
                        *label = Label::exact(distance);
                        to_expand.push((before, distance))?;
                    }
                    Ok(())
                };
                let mut end = Ok(());
                let flow = patterns
                    .predecessors(pattern, |before| continue_if_ok(&mut end, || admit(before)));
                meter.duplicates(generated - new);
                meter.generated(generated)?;
                expanded(flow, end)?;
            }
        }
        open.advance();
        Ok(())
    }
}

/// Patterns that are generated and not yet expanded, with the least distance found so far, by the
/// sum of that distance and the bound.
#[derive(Debug)]
struct OpenList<W> {
    /// `lists[i]` has the patterns with sum `least_sum + i`. There are few lists, since a move
    /// raises a sum by at most 2.
    lists: VecDeque<SegmentedVec<(W, u32)>>,
    least_sum: u32,
    memory: Memory,
}

impl<W: Copy> OpenList<W> {
    fn new(memory: &Memory) -> Self {
        Self { lists: VecDeque::new(), least_sum: 0, memory: memory.clone() }
    }

    fn has_any(&self) -> bool {
        self.lists.iter().any(|list| !list.is_empty())
    }

    #[inline(always)]
    fn push(&mut self, sum: u32, pattern: W, distance: u32) -> Result<(), OutOfMemory> {
        if self.lists.is_empty() {
            self.least_sum = sum;
        }
        while sum < self.least_sum {
            self.lists.push_front(SegmentedVec::new(&self.memory));
            self.least_sum -= 1;
        }
        let index = (sum - self.least_sum) as usize;
        while self.lists.len() <= index {
            self.lists.push_back(SegmentedVec::new(&self.memory));
        }
        self.lists[index].push((pattern, distance))
    }

    /// Removes a pattern with the least sum.
    #[inline(always)]
    fn pop(&mut self) -> Option<(W, u32)> {
        self.lists.front_mut()?.pop()
    }

    /// Advances to the next sum. The list of the least sum must be empty.
    fn advance(&mut self) {
        self.lists.rotate_left(1);
        self.least_sum += 1;
    }
}

/// What is known about the distance of a pattern, as a `u16`.
///
/// | value | meaning |
/// | --- | --- |
/// | 0 | unknown |
/// | `d + 1` | the distance is `d` |
/// | `2^15 + d + 1` | on the open list; `d` is an upper bound on the distance |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Label(u16);

impl Label {
    const UNKNOWN: Self = Self(0);
    const TENTATIVE_BIT: u16 = 1 << 15;

    /// The greatest distance that a label can hold.
    const MAX_DISTANCE: u32 = Self::TENTATIVE_BIT as u32 - 2;

    #[inline]
    fn encode(distance: u32) -> u16 {
        distance as u16 + 1
    }

    #[inline]
    fn exact(distance: u32) -> Self {
        Self(Self::encode(distance))
    }

    #[inline]
    fn tentative(distance: u32) -> Self {
        Self(Self::encode(distance) | Self::TENTATIVE_BIT)
    }

    #[inline]
    fn distance(self) -> Option<u32> {
        (self.0 & Self::TENTATIVE_BIT == 0 && self != Self::UNKNOWN).then(|| u32::from(self.0) - 1)
    }

    /// Whether the pattern has a label, exact or tentative, of at most `distance`.
    #[inline]
    fn is_at_most(self, distance: u32) -> bool {
        (self.0 & !Self::TENTATIVE_BIT).wrapping_sub(1) < Self::encode(distance)
    }
}

/// The largest number of ranks for which labels are an array of all ranks.
const MAX_DENSE_RANKS: u64 = 1 << 22;

#[derive(Debug)]
enum Labels<W> {
    /// By rank.
    Dense(Block<Label>),
    Sparse(Table<W, Label>),
}

impl<W: Word> Labels<W> {
    fn new(ranks: Option<u64>, memory: &Memory) -> Result<Self, OutOfMemory> {
        match ranks.filter(|&ranks| ranks <= MAX_DENSE_RANKS) {
            Some(ranks) => Block::filled(Label::UNKNOWN, ranks as usize, memory).map(Self::Dense),
            None => Table::new(memory).map(Self::Sparse),
        }
    }

    #[inline(always)]
    fn get_mut(&mut self, rank: u64, pattern: W) -> Result<&mut Label, OutOfMemory> {
        match self {
            Self::Dense(labels) => Ok(&mut labels[rank as usize]),
            Self::Sparse(labels) => labels.entry(pattern, Label::UNKNOWN).map(|(label, _)| label),
        }
    }
}
