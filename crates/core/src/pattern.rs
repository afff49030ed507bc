//! Pattern databases: exact distances in a space that leaves something out, as lower bounds for one
//! that does not.
//!
//! What is left out of a state leaves a *pattern*: two ghosts of many, five tiles of fifteen.
//! Patterns with their moves are a [`StateSpace`](crate::StateSpace) of their own, small enough to
//! be searched backward from its goals, once, and looked up by rank ever after (Culberson and
//! Schaeffer 1998).
//!
//! The search may be led: given how far a pattern is at least from where the puzzle starts, a
//! [`Database`] is extended by the patterns that lie on plans of at most so many moves, and by more
//! when more is asked for. A search that tries one length after the other needs no others (Silver
//! 2005 calls it resumable). For two ghosts in a full-size house that is a tenth of all patterns on
//! average.
//!
//! ```
//! use std::ops::ControlFlow;
//! use fewest_core::budget::Budget;
//! use fewest_core::pattern::Database;
//! use fewest_core::{Goals, Heuristic, Ranked, StateSpace, Undirected};
//!
//! /// A walk along a line of cells, from cell 4 to cell 0.
//! struct Walk(u16);
//!
//! impl StateSpace for Walk {
//!     type State = u16;
//!     type Move = ();
//!     fn initial(&self, mut emit: impl FnMut(u16)) {
//!         emit(4)
//!     }
//!     fn is_goal(&self, cell: u16) -> bool {
//!         cell == 0
//!     }
//!     fn successors<B>(&self, cell: u16, _: Option<()>, mut emit: impl FnMut((), u16) -> ControlFlow<B>) -> ControlFlow<B> {
//!         if cell > 0 {
//!             emit((), cell - 1)?;
//!         }
//!         if cell + 1 < self.0 { emit((), cell + 1) } else { ControlFlow::Continue(()) }
//!     }
//! }
//!
//! impl Undirected for Walk {}
//!
//! impl Goals for Walk {
//!     fn goals(&self, mut emit: impl FnMut(u16)) {
//!         emit(0)
//!     }
//! }
//!
//! impl Ranked for Walk {
//!     fn ranks(&self) -> Option<u64> {
//!         Some(self.0.into())
//!     }
//!     fn rank(&self, cell: u16) -> u64 {
//!         cell.into()
//!     }
//!     fn unrank(&self, rank: u64) -> u16 {
//!         rank as u16
//!     }
//! }
//!
//! /// How far a cell is from the start.
//! struct FromStart;
//!
//! impl Heuristic<Walk> for FromStart {
//!     type Evaluation = u16;
//!     fn evaluate(&self, cell: u16) -> u16 {
//!         cell.abs_diff(4)
//!     }
//!     fn bound(&self, cells: u16) -> Option<u32> {
//!         Some(cells.into())
//!     }
//! }
//!
//! let budget = Budget::unlimited();
//! let mut meter = budget.meter();
//! // A plan of six moves goes to cell 5 and back; one of four does not.
//! let mut database = Database::new(Walk(9), FromStart, budget.memory())?;
//! database.extend(4, &mut meter)?;
//! assert_eq!((database.distance(4), database.distance(5)), (Some(4), None));
//! database.extend(6, &mut meter)?;
//! assert_eq!((database.distance(5), database.distance(6)), (Some(5), None));
//! # Ok::<(), fewest_core::budget::Limit>(())
//! ```

use std::collections::VecDeque;

use crate::budget::{Limit, Meter, go_on};
use crate::heuristic::Heuristic;
use crate::memory::{Block, Memory, OutOfMemory, SegmentedVec};
use crate::space::{Goals, Predecessors, Ranked};
use crate::visited::Table;
use crate::word::Word;

/// The distances of patterns from the goals of their space, as far as they were asked for.
///
/// Two bytes a rank, for up to 4,194,304 ranks; beyond that a table of the patterns that were met.
#[derive(Debug)]
pub struct Database<S: Ranked, H> {
    patterns: S,
    from_start: H,
    marks: Marks<S::State>,
    waiting: Waiting<S::State>,
    /// Patterns that are known and not searched yet; none but within
    /// [`extend_by_one`](Self::extend_by_one).
    now: SegmentedVec<(S::State, u32)>,
}

impl<S: Ranked + Goals + Predecessors, H: Heuristic<S>> Database<S, H> {
    /// Knows nothing yet. `from_start` bounds the moves from a start to a pattern, as a heuristic
    /// does those to a goal; it must be consistent. With [`Blind`](crate::heuristic::Blind) all
    /// patterns are searched, the nearest to a goal first.
    pub fn new(patterns: S, from_start: H, memory: &Memory) -> Result<Self, OutOfMemory> {
        let mut marks = Marks::new(patterns.ranks(), memory)?;
        let mut waiting = Waiting::new(memory);
        let mut started = Ok(());
        patterns.goals(|goal| {
            let mut wait = || {
                if let Some(bound) = from_start.bound(from_start.evaluate(goal)) {
                    *marks.at(patterns.rank(goal), goal)? = Mark::waiting(0);
                    waiting.push(bound, goal, 0)?;
                }
                Ok(())
            };
            started = started.and_then(|()| wait());
        });
        started.map(|()| Self {
            patterns,
            from_start,
            marks,
            waiting,
            now: SegmentedVec::new(memory),
        })
    }

    /// The space of the patterns.
    pub fn patterns(&self) -> &S {
        &self.patterns
    }

    /// Makes known all patterns whose distance and bound are together at most `sum`. A distance
    /// greater than 32,766 is too large to be encoded. After a failure what is known means nothing.
    pub fn extend(&mut self, sum: u32, meter: &mut Meter<'_>) -> Result<(), Limit> {
        while self.waiting.least <= sum && self.waiting.any() {
            self.extend_by_one(meter)?;
        }
        Ok(())
    }

    /// The least sum of a pattern's distance and bound that may not be known yet; `None` if all are
    /// known that there are.
    pub fn least_unknown(&self) -> Option<u32> {
        self.waiting.any().then_some(self.waiting.least)
    }

    /// The distance of the pattern of this rank, if it is known. A pattern that is not known and
    /// its bound have a sum greater than any that was asked for.
    #[inline]
    pub fn distance(&self, rank: u64) -> Option<u32> {
        let mark = match &self.marks {
            Marks::Dense(marks) => marks[rank as usize],
            Marks::Sparse(marks) => marks.get(self.patterns.unrank(rank)).unwrap_or(Mark::NEW),
        };
        mark.distance()
    }

    /// The patterns that are known, with their distances.
    pub fn known(&self) -> impl Iterator<Item = (S::State, u32)> + '_ {
        let marks: Box<dyn Iterator<Item = (S::State, Mark)>> = match &self.marks {
            Marks::Dense(marks) => Box::new(
                marks
                    .iter()
                    .enumerate()
                    .map(|(rank, &mark)| (self.patterns.unrank(rank as u64), mark)),
            ),
            Marks::Sparse(marks) => Box::new(marks.iter()),
        };
        marks.filter_map(|(pattern, mark)| Some((pattern, mark.distance()?)))
    }

    /// Takes all that waits at the least sum, and what is met from there at the same sum. As the
    /// bound is consistent, a pattern is met first at its least depth.
    fn extend_by_one(&mut self, meter: &mut Meter<'_>) -> Result<(), Limit> {
        let Self { patterns, from_start, marks, waiting, now } = self;
        let sum = waiting.least;
        while let Some((pattern, depth)) = waiting.pop() {
            let mark = marks.at(patterns.rank(pattern), pattern)?;
            // It may have been met at a smaller sum since.
            if *mark == Mark::waiting(depth) {
                *mark = Mark::known(depth);
                now.push((pattern, depth))?;
            }
            while let Some((pattern, depth)) = now.pop() {
                meter.expand()?;
                let depth = depth + 1;
                let (mut generated, mut new) = (0, 0);
                let mut admit = |before| -> Result<(), Limit> {
                    generated += 1;
                    if depth > Mark::MOST {
                        return Err(Limit::Encoding);
                    }
                    let mark = marks.at(patterns.rank(before), before)?;
                    if mark.is_no_later_than(depth) {
                        return Ok(());
                    }
                    let Some(bound) = from_start.bound(from_start.evaluate(before)) else {
                        return Ok(());
                    };
                    new += 1;
                    if depth + bound > sum {
                        *mark = Mark::waiting(depth);
                        waiting.push(depth + bound, before, depth)?;
                    } else {
                        *mark = Mark::known(depth);
                        now.push((before, depth))?;
                    }
                    Ok(())
                };
                let mut end = Ok(());
                let _ = patterns.predecessors(pattern, |before| go_on(&mut end, || admit(before)));
                meter.duplicates(generated - new);
                meter.generated(generated)?;
                end?;
            }
        }
        waiting.next();
        Ok(())
    }
}

/// Patterns that were met and not searched yet, with their depths, by the sum of depth and bound.
#[derive(Debug)]
struct Waiting<W> {
    /// The sum of `lists[i]` is `least + i`. There are few of them, as a move raises a sum by at
    /// most 2.
    lists: VecDeque<SegmentedVec<(W, u32)>>,
    least: u32,
    memory: Memory,
}

impl<W: Copy> Waiting<W> {
    fn new(memory: &Memory) -> Self {
        Self { lists: VecDeque::new(), least: 0, memory: memory.clone() }
    }

    fn any(&self) -> bool {
        self.lists.iter().any(|list| !list.is_empty())
    }

    #[inline(always)]
    fn push(&mut self, sum: u32, pattern: W, depth: u32) -> Result<(), OutOfMemory> {
        if self.lists.is_empty() {
            self.least = sum;
        }
        while sum < self.least {
            self.lists.push_front(SegmentedVec::new(&self.memory));
            self.least -= 1;
        }
        let index = (sum - self.least) as usize;
        while self.lists.len() <= index {
            self.lists.push_back(SegmentedVec::new(&self.memory));
        }
        self.lists[index].push((pattern, depth))
    }

    /// One that waits at the least sum.
    #[inline(always)]
    fn pop(&mut self) -> Option<(W, u32)> {
        self.lists.front_mut()?.pop()
    }

    /// Goes on to the next sum, once nothing waits at the least.
    fn next(&mut self) {
        self.lists.rotate_left(1);
        self.least += 1;
    }
}

/// What is known of a pattern: nothing, the depth at which it waits, or its distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Mark(u16);

impl Mark {
    const NEW: Self = Self(0);
    const WAITS: u16 = 1 << 15;

    /// The greatest depth that can be noted.
    const MOST: u32 = Self::WAITS as u32 - 2;

    #[inline]
    fn depth(depth: u32) -> u16 {
        depth as u16 + 1
    }

    #[inline]
    fn known(depth: u32) -> Self {
        Self(Self::depth(depth))
    }

    #[inline]
    fn waiting(depth: u32) -> Self {
        Self(Self::depth(depth) | Self::WAITS)
    }

    #[inline]
    fn distance(self) -> Option<u32> {
        (self.0 & Self::WAITS == 0 && self != Self::NEW).then(|| u32::from(self.0) - 1)
    }

    /// Whether the pattern was met at this depth or a smaller one, as one is whose distance is
    /// known.
    #[inline]
    fn is_no_later_than(self, depth: u32) -> bool {
        (self.0 & !Self::WAITS).wrapping_sub(1) < Self::depth(depth)
    }
}

/// The most ranks that have two bytes each.
const MOST_DENSE: u64 = 1 << 22;

#[derive(Debug)]
enum Marks<W> {
    /// By rank.
    Dense(Block<Mark>),
    Sparse(Table<W, Mark>),
}

impl<W: Word> Marks<W> {
    fn new(ranks: Option<u64>, memory: &Memory) -> Result<Self, OutOfMemory> {
        match ranks.filter(|&ranks| ranks <= MOST_DENSE) {
            Some(ranks) => Block::filled(Mark::NEW, ranks as usize, memory).map(Self::Dense),
            None => Table::new(memory).map(Self::Sparse),
        }
    }

    #[inline(always)]
    fn at(&mut self, rank: u64, pattern: W) -> Result<&mut Mark, OutOfMemory> {
        match self {
            Self::Dense(marks) => Ok(&mut marks[rank as usize]),
            Self::Sparse(marks) => marks.entry(pattern, Mark::NEW).map(|(mark, _)| mark),
        }
    }
}
