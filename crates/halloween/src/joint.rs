//! The joint search: all ghosts of a group at once, by one length of plan after the other.
//!
//! For each length, from a lower bound upward, it goes through the boards that a plan of that
//! length may lead through: those whose depth and lower bound come to the length exactly. It goes
//! depth first and lets each ghost try the way home first, so where the bound is right it hardly
//! meets a board that is not on its plan. The bound is that of the ghost, or of the two or three
//! ghosts of a [table](crate::tables), who are farthest from home; a step is decided ghost by
//! ghost, and one that takes some ghosts too far from home for the steps that are left is dropped
//! before the others are asked. It is A* with partial expansion (Yoshizumi, Miura and Ishida 2000)
//! that breaks ties towards depth.
//!
//! The bound is consistent, so all boards of smaller sums were met, each at its least depth, before
//! the first of a length is; a board is new at its least depth or it is not new, and no depth is
//! ever corrected. A step raises the sum by at most two: the boards that a length begins with are
//! next to those that were new at the two lengths before.

use std::cmp::Reverse;
use std::mem;

use fewest_core::Word;
use fewest_core::budget::{Limit, Meter};
use fewest_core::encoding::{Cell, Fields};
use fewest_core::memory::SegmentedVec;
use fewest_core::visited;

use crate::bounds::{Bounds, Halt, Positions, ascending};
use crate::single_agent::SingleAgent;
use crate::space::{MOST_GHOSTS, Wide, most_ghosts};
use crate::tables::Table;

/// How a search has ended that its budget did not stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// With a shortest plan: the positions of the group from start to goal.
    Plan(Vec<Positions>),
    /// With the proof that there is none.
    NoPlan,
    /// With as many steps as it was to try at most.
    GivenUp,
}

/// Searches for a shortest plan for the ghosts of `group`, as if there were no others, by at most
/// so many steps that are tried. The lower bound rises with what is proved. It ends at once for a
/// group whose cells do not fit a word.
pub(crate) fn search<'a>(
    alone: &'a SingleAgent,
    group: &[usize],
    tables: &mut [Table<'a>],
    most: u64,
    bounds: &mut Bounds,
    meter: &mut Meter<'_>,
) -> Result<End, Halt> {
    let width = Fields::<u64>::width_for(alone.cells().len());
    match (group.len(), width * group.len() as u32) {
        (..=4, ..=32) => Group::<u32>::new(alone, group)?.search::<4>(tables, most, bounds, meter),
        (..=8, ..=64) => Group::<u64>::new(alone, group)?.search::<8>(tables, most, bounds, meter),
        (..=8, _) => Group::<u128>::new(alone, group)?.search::<8>(tables, most, bounds, meter),
        _ => Group::<Wide>::new(alone, group)?.search::<MOST_GHOSTS>(tables, most, bounds, meter),
    }
}

/// Whether the cells of so many ghosts fit a word.
pub(crate) fn fit(alone: &SingleAgent, ghosts: usize) -> bool {
    ghosts <= most_ghosts(alone.cells().len())
}

/// The ghosts of a group, and how their cells are packed.
struct Group<'a, W> {
    alone: &'a SingleAgent,
    /// The one that has farthest to go comes first: it has the fewest choices.
    ghosts: Vec<usize>,
    fields: Fields<W>,
    start: W,
    goal: W,
}

impl<'a, W: Word + Default> Group<'a, W> {
    fn new(alone: &'a SingleAgent, group: &[usize]) -> Result<Self, Limit> {
        let mut ghosts = group.to_vec();
        ghosts.sort_by_key(|&ghost| Reverse(alone.steps(ghost)));
        let width = Fields::<W>::width_for(alone.cells().len());
        let fields = Fields::new(width, group.len() as u32).filter(|_| group.len() <= MOST_GHOSTS);
        let fields = fields.ok_or(Limit::Encoding)?;
        let pack = |cells: &[Cell]| fields.pack(ghosts.iter().map(|&ghost| cells[ghost].into()));
        let (start, goal) = (pack(alone.starts()), pack(alone.goals()));
        Ok(Self { alone, ghosts, fields, start, goal })
    }

    fn cells(&self, state: W) -> impl Iterator<Item = Cell> {
        (0..self.ghosts.len()).map(move |ghost| self.fields.get(state, ghost) as Cell)
    }

    /// The places in the group of the ghosts of a table, if all of them are in it.
    fn places(&self, table: &Table<'_>) -> Option<Vec<usize>> {
        let place = |ghost: &usize| self.ghosts.iter().position(|other| other == ghost);
        table.ghosts().iter().map(place).collect()
    }

    /// `None` if some of the ghosts cannot get home.
    fn bound_of_start(&self, tables: &[Table<'a>]) -> Option<u32> {
        let of_group = tables.iter().filter(|table| self.places(table).is_some());
        let mut bounds = of_group.map(|table| table.from_starts().or(table.least_unknown()));
        bounds.try_fold(self.alone.farthest(&self.ghosts)?, |most, bound| Some(most.max(bound?)))
    }

    fn search<const N: usize>(
        &self,
        tables: &mut [Table<'a>],
        mut most: u64,
        bounds: &mut Bounds,
        meter: &mut Meter<'_>,
    ) -> Result<End, Halt> {
        let Some(mut length) = self.bound_of_start(tables) else { return Ok(End::NoPlan) };
        let memory = meter.memory().clone();
        let none = || SegmentedVec::new(&memory);
        let mut met = Met { parents: visited::Table::new(meter.memory())?, new: none() };
        met.parents.entry(self.start, self.start)?;
        met.new.push((self.start, 0))?;
        let mut sources = [none(), none()];
        sources[0].push((self.start, 0))?;
        if self.start == self.goal {
            return Ok(End::Plan(self.plan(&met)));
        }
        loop {
            bounds.raise(length)?;
            meter.set_depth(length);
            let of_group = |table: &&mut Table<'_>| self.places(table).is_some();
            tables.iter_mut().filter(of_group).try_for_each(|table| table.extend(length, meter))?;
            let mut walk = Walk::<W, N> {
                group: self,
                bound: Bound::new(self, tables),
                length,
                most: &mut most,
                met: &mut met,
            };
            match walk.all(&sources, meter)? {
                Some(Stop::Goal) => return Ok(End::Plan(self.plan(&met))),
                Some(Stop::Most) => return Ok(End::GivenUp),
                None => {}
            }
            sources.swap(0, 1);
            sources[0] = mem::replace(&mut met.new, none());
            if sources.iter().all(SegmentedVec::is_empty) {
                return Ok(End::NoPlan);
            }
            length += 1;
        }
    }

    /// The positions from the start to the goal, by the boards from which each was met.
    fn plan(&self, met: &Met<W>) -> Vec<Positions> {
        let mut chain = vec![self.goal];
        let mut here = self.goal;
        while here != self.start
            && let Some(before) = met.parents.get(here)
        {
            chain.push(before);
            here = before;
        }
        let places = ascending(&self.ghosts);
        let cell = |state, &place: &usize| self.fields.get(state, place) as Cell;
        chain
            .into_iter()
            .rev()
            .map(|state| places.iter().map(|place| cell(state, place)).collect())
            .collect()
    }
}

/// What a search remembers.
struct Met<W> {
    /// Of each board, the one from which it was met.
    parents: visited::Table<W, W>,
    /// The boards that are new at this length, with their depths.
    new: SegmentedVec<(W, u32)>,
}

/// How far from home ghosts are at least together.
struct Bound<'t, 'a> {
    /// Of each ghost, the tables of ghosts of which it is the last to decide.
    together: Vec<Vec<Together<'t, 'a>>>,
}

/// A table, and the places of its ghosts in the group.
struct Together<'t, 'a> {
    table: &'t Table<'a>,
    places: [usize; 3],
}

impl Together<'_, '_> {
    #[inline]
    fn steps(&self, cells: &[Cell]) -> Option<u32> {
        self.table.from(|ghost| cells[self.places[ghost]])
    }
}

impl<'t, 'a> Bound<'t, 'a> {
    /// By those tables whose ghosts are all in the group.
    fn new<W: Word + Default>(group: &Group<'a, W>, tables: &'t [Table<'a>]) -> Self {
        let mut together: Vec<Vec<_>> = group.ghosts.iter().map(|_| Vec::new()).collect();
        for (table, found) in tables.iter().filter_map(|table| Some((table, group.places(table)?)))
        {
            let last = found.iter().copied().max().unwrap_or(0);
            let mut places = [0; 3];
            places[..found.len()].copy_from_slice(&found);
            together[last].push(Together { table, places });
        }
        Self { together }
    }
}

/// What ends a walk early.
enum Stop {
    Goal,
    Most,
}

/// One length of plan.
struct Walk<'t, 'a, W, const N: usize> {
    group: &'t Group<'a, W>,
    bound: Bound<'t, 'a>,
    length: u32,
    /// After so many steps it is given up.
    most: &'t mut u64,
    met: &'t mut Met<W>,
}

/// A board on the way of a walk, and how far its steps have been tried.
#[derive(Clone, Copy)]
struct Frame<W, const N: usize> {
    state: W,
    from: [Cell; N],
    to: [Cell; N],
    /// The cells that each ghost may go to, those nearer to its goal first, and how many they are.
    choices: [[Cell; 5]; N],
    count: [u8; N],
    /// The choice that is to be tried next.
    next: [u8; N],
    /// How many ghosts have decided.
    decided: usize,
    /// The steps that are left after this one.
    left: u32,
}

impl<W: Word + Default, const N: usize> Walk<'_, '_, W, N> {
    fn all(
        &mut self,
        sources: &[SegmentedVec<(W, u32)>],
        meter: &mut Meter<'_>,
    ) -> Result<Option<Stop>, Limit> {
        for (source, depth) in sources.iter().flat_map(SegmentedVec::iter) {
            let stop = self.from(source, depth, meter)?;
            if stop.is_some() {
                return Ok(stop);
            }
        }
        Ok(None)
    }

    /// Depth first through all boards of this length that are new and can be reached from `source`
    /// by others of them.
    fn from(
        &mut self,
        source: W,
        depth: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Stop>, Limit> {
        let mut path = SegmentedVec::new(meter.memory());
        let Some(left) = self.length.checked_sub(depth + 1) else { return Ok(None) };
        meter.expand()?;
        path.push(self.frame(source, left))?;
        while let Some(frame) = path.last_mut() {
            if !self.bound.decide(frame, self.group.ghosts.len(), meter)? {
                path.pop();
                continue;
            }
            let next = self
                .group
                .fields
                .pack(frame.to[..self.group.ghosts.len()].iter().map(|&cell| cell.into()));
            if *self.most == 0 {
                return Ok(Some(Stop::Most));
            }
            *self.most -= 1;
            meter.generate()?;
            let (_, new) = self.met.parents.entry(next, frame.state)?;
            if !new {
                meter.duplicate();
                continue;
            }
            if next == self.group.goal {
                return Ok(Some(Stop::Goal));
            }
            self.met.new.push((next, self.length - frame.left))?;
            if let Some(left) = frame.left.checked_sub(1) {
                meter.expand()?;
                path.push(self.frame(next, left))?;
                meter.note_frontier(path.len() as u64);
            }
        }
        Ok(None)
    }

    fn frame(&self, state: W, left: u32) -> Frame<W, N> {
        let (mut from, mut choices, mut count) = ([0; N], [[0; 5]; N], [0; N]);
        for (place, (&ghost, cell)) in
            self.group.ghosts.iter().zip(self.group.cells(state)).enumerate()
        {
            from[place] = cell;
            let to_goal = self.group.alone.to_goal(ghost);
            let near = |to: &Cell| u32::from(to_goal[usize::from(*to)]) <= left;
            for to in self.group.alone.choices(ghost, cell).filter(near) {
                choices[place][usize::from(count[place])] = to;
                count[place] += 1;
            }
        }
        Frame { state, from, to: [0; N], choices, count, next: [0; N], decided: 0, left }
    }
}

impl Bound<'_, '_> {
    /// The next step of a board, in `to`: each ghost has decided, and none is too far from home.
    /// False if there is none.
    fn decide<W, const N: usize>(
        &self,
        frame: &mut Frame<W, N>,
        ghosts: usize,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Limit> {
        if frame.decided == ghosts {
            frame.decided -= 1;
        }
        loop {
            let ghost = frame.decided;
            if frame.next[ghost] == frame.count[ghost] {
                if ghost == 0 {
                    return Ok(false);
                }
                frame.decided -= 1;
                continue;
            }
            // Where the last ghosts can do nothing, the others may try all that they can.
            meter.poll()?;
            let to = frame.choices[ghost][usize::from(frame.next[ghost])];
            frame.next[ghost] += 1;
            let from = frame.from[ghost];
            let free = |other: usize| {
                frame.to[other] != to && (frame.to[other] != from || frame.from[other] != to)
            };
            if !(0..ghost).all(free) {
                continue;
            }
            frame.to[ghost] = to;
            let near = |together: &Together<'_, '_>| {
                together.steps(&frame.to).is_some_and(|steps| steps <= frame.left)
            };
            if self.together[ghost].iter().all(near) {
                frame.decided += 1;
                if frame.decided == ghosts {
                    return Ok(true);
                }
                frame.next[frame.decided] = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use fewest_core::budget::Budget;

    use super::*;
    use crate::instance::{Ghost, Instance, Place};

    #[test]
    fn ghosts_whose_cells_fit_no_word_are_refused_at_once() {
        // 16 bits a ghost, of 448.
        let way = |x| Ghost { start: Place { x, y: 0 }, goal: Place { x, y: 1 } };
        let house =
            |ghosts| Instance::new(255, std::iter::repeat_n(true, 255 * 255).collect(), ghosts);
        for (count, fit) in [(28, true), (29, false)] {
            let house = house((0..count).map(way).collect()).expect("a house");
            let budget = Budget::unlimited();
            let alone = SingleAgent::new(&house, &mut budget.meter()).expect("few cells");
            let all: Vec<usize> = (0..usize::from(count)).collect();
            let end = search(
                &alone,
                &all,
                &mut [],
                u64::MAX,
                &mut Bounds::default(),
                &mut budget.meter(),
            );
            match end {
                Ok(End::Plan(plan)) => assert!(fit && plan.len() == 2),
                end => assert!(!fit && end == Err(Halt::Limit(Limit::Encoding)), "{end:?}"),
            }
        }
    }
}
