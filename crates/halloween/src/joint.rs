//! The joint search: all ghosts of a group in one state, in iterations over the number of steps.
//!
//! Let the sum of a state be its depth plus its heuristic. Each iteration looks for a plan of a
//! given number of steps, from a lower bound upward, and generates the states whose sum equals that
//! number; those of smaller sums are known from the iterations before. It searches depth first, and
//! each ghost tries the cells nearer to its goal first. So if the heuristic is exact, it generates
//! few states that are not on its plan.
//!
//! The heuristic is the greatest of the single ghosts' distances and of the distances in the
//! [tables](crate::tables) of two or three ghosts. A step is decided ghost by ghost. A partial step
//! is dropped as soon as some of the decided ghosts are too far from their goals for the steps that
//! are left. The search is A* with partial expansion (Yoshizumi, Miura and Ishida 2000) that breaks
//! ties in favour of greater depth.
//!
//! The heuristic is consistent. So all states of smaller sums are generated before an iteration, a
//! state is first generated at its least depth, and depths never have to be corrected. A step
//! raises the sum by at most 2. So an iteration starts from the states that were new in the two
//! iterations before it.

use std::cmp::Reverse;
use std::mem;

use fewest_core::Word;
use fewest_core::budget::{Limit, Meter};
use fewest_core::encoding::{CellIndex, Fields};
use fewest_core::memory::SegmentedVec;
use fewest_core::visited;

use crate::bounds::{Bounds, Halt, Positions, indices_by_ghost};
use crate::single_agent::SingleAgent;
use crate::space::{MAX_GHOSTS, WidestWord, max_ghosts};
use crate::tables::DistanceTable;

/// The result of [`search`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JointResult {
    /// A shortest plan: the positions of the group at each time.
    Plan(Vec<Positions>),
    /// There is no plan.
    NoPlan,
    /// The search reached its limit of generated states.
    GaveUp,
}

/// Searches for a shortest plan for the ghosts of `group`, as if there were no others. Gives up
/// after `max_generated` states. Raises the lower bound of `bounds` to the number of
/// steps of each iteration.
///
/// # Errors
/// [`Limit::Encoding`] if the cells of the group do not fit a word, a limit of the budget, or
/// [`Halt::Optimal`].
pub(crate) fn search<'a>(
    single_agent: &'a SingleAgent,
    group: &[usize],
    tables: &mut [DistanceTable<'a>],
    max_generated: u64,
    bounds: &mut Bounds,
    meter: &mut Meter<'_>,
) -> Result<JointResult, Halt> {
    let width = Fields::<u64>::width_for(single_agent.cells().len());
    match (group.len(), width * group.len() as u32) {
        (..=4, ..=32) => GhostGroup::<u32>::new(single_agent, group)?.search::<4>(
            tables,
            max_generated,
            bounds,
            meter,
        ),
        (..=8, ..=64) => GhostGroup::<u64>::new(single_agent, group)?.search::<8>(
            tables,
            max_generated,
            bounds,
            meter,
        ),
        (..=8, _) => GhostGroup::<u128>::new(single_agent, group)?.search::<8>(
            tables,
            max_generated,
            bounds,
            meter,
        ),
        _ => GhostGroup::<WidestWord>::new(single_agent, group)?.search::<MAX_GHOSTS>(
            tables,
            max_generated,
            bounds,
            meter,
        ),
    }
}

/// Whether the cells of a group of this number of ghosts fit a word.
pub(crate) fn fits_word(single_agent: &SingleAgent, ghost_count: usize) -> bool {
    ghost_count <= max_ghosts(single_agent.cells().len())
}

/// The ghosts of a group and the encoding of their cells. Within this module, the index of a ghost
/// is its index in `ghosts`.
struct GhostGroup<'a, W> {
    single_agent: &'a SingleAgent,
    /// In descending order of the distance from start to goal: the first ghost has the fewest
    /// choices.
    ghosts: Vec<usize>,
    fields: Fields<W>,
    start: W,
    goal: W,
}

impl<'a, W: Word + Default> GhostGroup<'a, W> {
    fn new(single_agent: &'a SingleAgent, group: &[usize]) -> Result<Self, Limit> {
        let mut ghosts = group.to_vec();
        ghosts.sort_by_key(|&ghost| Reverse(single_agent.start_to_goal(ghost)));
        let width = Fields::<W>::width_for(single_agent.cells().len());
        let fields = Fields::new(width, group.len() as u32);
        let fields = fields.ok().filter(|_| group.len() <= MAX_GHOSTS).ok_or(Limit::Encoding)?;
        let pack = |cells: &[CellIndex]| fields.pack(ghosts.iter().map(|&ghost| cells[ghost]));
        let (start, goal) = (pack(single_agent.starts()), pack(single_agent.goals()));
        Ok(Self { single_agent, ghosts, fields, start, goal })
    }

    fn cells(&self, state: W) -> impl Iterator<Item = CellIndex> {
        (0..self.ghosts.len()).map(move |index| self.fields.get(state, index) as CellIndex)
    }

    /// The indices of the ghosts of a table, if all of them are in the group.
    fn indices(&self, table: &DistanceTable<'_>) -> Option<Vec<usize>> {
        let index = |ghost: &usize| self.ghosts.iter().position(|other| other == ghost);
        table.ghosts().iter().map(index).collect()
    }

    /// The heuristic of the start: a lower bound on the number of steps. `None` if some of the
    /// ghosts cannot reach their goals.
    fn start_bound(&self, tables: &[DistanceTable<'a>]) -> Option<u32> {
        let of_group = tables.iter().filter(|table| self.indices(table).is_some());
        let mut bounds = of_group.map(|table| table.start_distance().or(table.least_unknown()));
        bounds.try_fold(self.single_agent.farthest(&self.ghosts)?, |greatest, bound| {
            Some(greatest.max(bound?))
        })
    }

    fn search<const N: usize>(
        &self,
        tables: &mut [DistanceTable<'a>],
        max_generated: u64,
        bounds: &mut Bounds,
        meter: &mut Meter<'_>,
    ) -> Result<JointResult, Halt> {
        let Some(mut steps) = self.start_bound(tables) else { return Ok(JointResult::NoPlan) };
        let mut generations_left = max_generated;
        let memory = meter.memory().clone();
        let empty = || SegmentedVec::new(&memory);
        let mut generated =
            GeneratedStates { parents: visited::Table::new(meter.memory())?, new: empty() };
        generated.parents.entry(self.start, self.start)?;
        generated.new.push((self.start, 0))?;
        let mut sources = [empty(), empty()];
        sources[0].push((self.start, 0))?;
        if self.start == self.goal {
            return Ok(JointResult::Plan(self.plan(&generated)));
        }
        loop {
            bounds.raise_lower(steps, &self.ghosts)?;
            meter.set_depth(steps);
            let is_of_group = |table: &&mut DistanceTable<'_>| self.indices(table).is_some();
            tables
                .iter_mut()
                .filter(is_of_group)
                .try_for_each(|table| table.extend(steps, meter))?;
            let mut iteration = Iteration::<W, N> {
                group: self,
                bound: TableBound::new(self, tables),
                steps,
                generations_left: &mut generations_left,
                generated: &mut generated,
            };
            match iteration.search_from_all(&sources, meter)? {
                Some(IterationEnd::Goal) => return Ok(JointResult::Plan(self.plan(&generated))),
                Some(IterationEnd::GaveUp) => return Ok(JointResult::GaveUp),
                None => {}
            }
            sources.swap(0, 1);
            sources[0] = mem::replace(&mut generated.new, empty());
            if sources.iter().all(SegmentedVec::is_empty) {
                return Ok(JointResult::NoPlan);
            }
            steps += 1;
        }
    }

    /// The positions from the start to the goal, along the parents.
    fn plan(&self, generated: &GeneratedStates<W>) -> Vec<Positions> {
        let mut chain = vec![self.goal];
        let mut here = self.goal;
        while here != self.start
            && let Some(parent) = generated.parents.get(here)
        {
            chain.push(parent);
            here = parent;
        }
        let indices = indices_by_ghost(&self.ghosts);
        let cell = |state, &index: &usize| self.fields.get(state, index) as CellIndex;
        chain
            .into_iter()
            .rev()
            .map(|state| indices.iter().map(|index| cell(state, index)).collect())
            .collect()
    }
}

struct GeneratedStates<W> {
    /// For each generated state, the state from which it was generated first.
    parents: visited::Table<W, W>,
    /// The states that are new in this iteration, with their depths.
    new: SegmentedVec<(W, u32)>,
}

/// The heuristic from the tables, for partial steps.
struct TableBound<'t, 'a> {
    /// For each ghost index, the tables whose ghosts are all decided once this ghost is: their
    /// greatest index is this one.
    tables_by_last_ghost: Vec<Vec<GroupTable<'t, 'a>>>,
}

/// A table, and the indices of its ghosts in the group.
struct GroupTable<'t, 'a> {
    table: &'t DistanceTable<'a>,
    indices: [usize; 3],
}

impl GroupTable<'_, '_> {
    #[inline]
    fn distance(&self, cells: &[CellIndex]) -> Option<u32> {
        self.table.distance(|ghost| cells[self.indices[ghost]])
    }
}

impl<'t, 'a> TableBound<'t, 'a> {
    /// Uses the tables whose ghosts are all in the group.
    fn new<W: Word + Default>(group: &GhostGroup<'a, W>, tables: &'t [DistanceTable<'a>]) -> Self {
        let mut tables_by_last_ghost: Vec<Vec<_>> =
            group.ghosts.iter().map(|_| Vec::new()).collect();
        for (table, found) in tables.iter().filter_map(|table| Some((table, group.indices(table)?)))
        {
            let last = found.iter().copied().max().unwrap_or(0);
            let mut indices = [0; 3];
            indices[..found.len()].copy_from_slice(&found);
            tables_by_last_ghost[last].push(GroupTable { table, indices });
        }
        Self { tables_by_last_ghost }
    }
}

/// Why an iteration ends early.
enum IterationEnd {
    /// The goal was generated.
    Goal,
    /// The limit of generated states was reached.
    GaveUp,
}

/// The search for plans of one number of steps.
struct Iteration<'t, 'a, W, const N: usize> {
    group: &'t GhostGroup<'a, W>,
    bound: TableBound<'t, 'a>,
    steps: u32,
    /// The number of states that may still be generated.
    generations_left: &'t mut u64,
    generated: &'t mut GeneratedStates<W>,
}

/// A state on the stack of an iteration, with its next step.
#[derive(Clone, Copy)]
struct StackFrame<W, const N: usize> {
    state: W,
    /// The cell of each ghost in `state`.
    from: [CellIndex; N],
    /// The cell of each decided ghost after the step.
    to: [CellIndex; N],
    /// The cells that each ghost may move to, those nearer to its goal first, and their number.
    choices: [[CellIndex; 5]; N],
    choice_count: [u8; N],
    /// For each ghost, the index of the choice to try next.
    next_choice: [u8; N],
    /// The number of ghosts whose choice is made.
    decided: usize,
    /// The number of steps that are left after this one.
    steps_left: u32,
}

impl<W: Word + Default, const N: usize> Iteration<'_, '_, W, N> {
    fn search_from_all(
        &mut self,
        sources: &[SegmentedVec<(W, u32)>],
        meter: &mut Meter<'_>,
    ) -> Result<Option<IterationEnd>, Limit> {
        for (source, depth) in sources.iter().flat_map(SegmentedVec::iter) {
            let end = self.search_from(source, depth, meter)?;
            if end.is_some() {
                return Ok(end);
            }
        }
        Ok(None)
    }

    /// Searches depth first from `source`, through states that are new in this iteration.
    fn search_from(
        &mut self,
        source: W,
        depth: u32,
        meter: &mut Meter<'_>,
    ) -> Result<Option<IterationEnd>, Limit> {
        let mut path = SegmentedVec::new(meter.memory());
        let Some(steps_left) = self.steps.checked_sub(depth + 1) else { return Ok(None) };
        meter.expand()?;
        path.push(self.frame(source, steps_left))?;
        while let Some(frame) = path.last_mut() {
            if !self.bound.next_step(frame, self.group.ghosts.len(), meter)? {
                path.pop();
                continue;
            }
            let next = self.group.fields.pack(frame.to[..self.group.ghosts.len()].iter().copied());
            if *self.generations_left == 0 {
                return Ok(Some(IterationEnd::GaveUp));
            }
            *self.generations_left -= 1;
            meter.generate()?;
            let (_, is_new) = self.generated.parents.entry(next, frame.state)?;
            if !is_new {
                meter.duplicate();
                continue;
            }
            if next == self.group.goal {
                return Ok(Some(IterationEnd::Goal));
            }
            self.generated.new.push((next, self.steps - frame.steps_left))?;
            if let Some(steps_left) = frame.steps_left.checked_sub(1) {
                meter.expand()?;
                path.push(self.frame(next, steps_left))?;
                meter.note_frontier(path.len() as u64);
            }
        }
        Ok(None)
    }

    fn frame(&self, state: W, steps_left: u32) -> StackFrame<W, N> {
        let (mut from, mut choices, mut choice_count) = ([0; N], [[0; 5]; N], [0; N]);
        for (index, (&ghost, cell)) in
            self.group.ghosts.iter().zip(self.group.cells(state)).enumerate()
        {
            from[index] = cell;
            let to_goal = self.group.single_agent.to_goal(ghost);
            let is_in_time = |to: &CellIndex| u32::from(to_goal[*to as usize]) <= steps_left;
            for to in self.group.single_agent.choices(ghost, cell).filter(is_in_time) {
                choices[index][usize::from(choice_count[index])] = to;
                choice_count[index] += 1;
            }
        }
        StackFrame {
            state,
            from,
            to: [0; N],
            choices,
            choice_count,
            next_choice: [0; N],
            decided: 0,
            steps_left,
        }
    }
}

impl TableBound<'_, '_> {
    /// Writes the next legal step to `frame.to` after which the bound is at most
    /// `frame.steps_left`. False if there is none.
    fn next_step<W, const N: usize>(
        &self,
        frame: &mut StackFrame<W, N>,
        ghost_count: usize,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Limit> {
        if frame.decided == ghost_count {
            frame.decided -= 1;
        }
        loop {
            let index = frame.decided;
            if frame.next_choice[index] == frame.choice_count[index] {
                if index == 0 {
                    return Ok(false);
                }
                frame.decided -= 1;
                continue;
            }
            // Polled for each choice, because the number of partial steps is exponential in the
            // number of ghosts if the last ghosts have no legal choice.
            meter.poll()?;
            let to = frame.choices[index][usize::from(frame.next_choice[index])];
            frame.next_choice[index] += 1;
            let from = frame.from[index];
            let is_free = |other: usize| {
                frame.to[other] != to && (frame.to[other] != from || frame.from[other] != to)
            };
            if !(0..index).all(is_free) {
                continue;
            }
            frame.to[index] = to;
            let is_in_time = |table: &GroupTable<'_, '_>| {
                table.distance(&frame.to).is_some_and(|steps| steps <= frame.steps_left)
            };
            if self.tables_by_last_ghost[index].iter().all(is_in_time) {
                frame.decided += 1;
                if frame.decided == ghost_count {
                    return Ok(true);
                }
                frame.next_choice[frame.decided] = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use fewest_core::budget::Budget;
    use fewest_geometry::Cell;

    use super::*;
    use crate::instance::{Ghost, Instance, Size};

    #[test]
    fn a_group_that_does_not_fit_a_word_is_an_encoding_limit() {
        // A ghost has 16 bits of the 448 of the widest word.
        let ghost = |x: i32| Ghost { start: Cell::new(0, x), goal: Cell::new(1, x) };
        let instance = |ghosts| {
            Instance::new(
                Size::new(255, 255).expect("a size"),
                std::iter::repeat_n(true, 255 * 255).collect(),
                ghosts,
            )
        };
        for (count, fits) in [(28, true), (29, false)] {
            let instance = instance((0..count).map(ghost).collect()).expect("a valid instance");
            let budget = Budget::unlimited();
            let single_agent = SingleAgent::new(&instance, &mut budget.meter()).expect("few cells");
            let all: Vec<usize> = (0..count as usize).collect();
            let result = search(
                &single_agent,
                &all,
                &mut [],
                u64::MAX,
                &mut Bounds::default(),
                &mut budget.meter(),
            );
            match result {
                Ok(JointResult::Plan(plan)) => assert!(fits && plan.len() == 2),
                other => {
                    assert!(!fits && other == Err(Halt::Limit(Limit::Encoding)), "{other:?}")
                }
            }
        }
    }
}
