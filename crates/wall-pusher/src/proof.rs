//! Whether there is a way out at all, without looking at all that can be reached.
//!
//! Each gap is looked at alone, and at first only the two lines of edges that its cell lies on; in
//! all others walls are never in the way of a move that the relaxation allows. If the gap cannot be
//! left by even then, it cannot at all, and with few lines there is little to exhaust. If it can,
//! that way out is played by the rules. Either it holds, or it breaks at lines that were not looked
//! at, which then are, too: abstraction refined by counterexamples (Clarke, Grumberg, Jha, Lu and
//! Veith, 2000). With all lines nothing can break any more.
//!
//! What is exhausted is not boards but regions: all cells that can be walked to without a push are
//! one state.

use std::collections::VecDeque;

use fewest_core::Word;
use fewest_core::budget::{Limit, Meter};
use fewest_core::grid::{Direction, Place};
use fewest_core::memory::Reservation;
use fewest_core::visited::Adaptive;

use crate::bits::take_lowest;
use crate::instance::{Edge, Instance};
use crate::plan::Plan;
use crate::relaxation::Relaxation;
use crate::rules;
use crate::space::{Question, Space, View, ask};

/// What is left to be shown.
pub(crate) struct Proof {
    /// The gaps that were not ruled out.
    gaps: Vec<Gap>,
}

struct Gap {
    inside: Place,
    way: Direction,
    /// The lines to be looked at, as far as is known.
    lines: u32,
}

impl Proof {
    /// Everything, as far as the relaxation does not show it.
    pub(crate) fn new(maze: &Instance, relaxation: &Relaxation) -> Self {
        let line = |inside, way| 1 << Edge::of(inside, way).line_number(maze.size());
        let lines = |inside| Direction::ALL.iter().fold(0, |lines, &way| lines | line(inside, way));
        Self {
            gaps: relaxation
                .exits()
                .map(|(inside, way)| Gap { inside, way, lines: lines(inside) })
                .collect(),
        }
    }

    /// Goes on to a plan, maybe not a shortest one; `None` if there is none. Gaps that cannot be
    /// left by are ruled out in the relaxation, and what a limit ends can be gone on with.
    ///
    /// # Errors
    /// The limit that ended it. A region counts as a state.
    pub(crate) fn way_out(
        &mut self,
        maze: &Instance,
        relaxation: &mut Relaxation,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Plan>, Limit> {
        while let Some(gap) = self.gaps.last_mut() {
            let plan = gap.way_out(maze, relaxation, meter)?;
            if plan.is_some() {
                return Ok(plan);
            }
            relaxation.rule_out(gap.inside, gap.way);
            self.gaps.pop();
        }
        Ok(None)
    }
}

impl Gap {
    fn way_out(
        &mut self,
        maze: &Instance,
        relaxation: &Relaxation,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Plan>, Limit> {
        struct Regions<'a, 'b>(&'a mut Meter<'b>);
        impl Question for Regions<'_, '_> {
            type Answer = Result<Option<Plan>, Limit>;

            fn ask<W: Word>(self, space: &Space<W>) -> Self::Answer {
                search(space, self.0)
            }
        }
        let exit = Some(Edge::of(self.inside, self.way));
        loop {
            let plan = ask(maze, relaxation, View { lines: self.lines, exit }, Regions(meter))??;
            match plan.as_ref().map_or(0, |plan| broken(maze, plan)) {
                0 => return Ok(plan),
                more => self.lines |= more,
            }
        }
    }
}

/// The lines at which the rules stop a plan that goes on each time as if nothing had been in the
/// way: fewer attempts than one line at a time, and less to exhaust in the end.
fn broken(maze: &Instance, plan: &[Direction]) -> u32 {
    let size = maze.size();
    let mut board = rules::start(maze);
    let mut lines = 0;
    for &way in plan {
        let Some(place) = board.place else { break };
        if rules::play(maze, &mut board, way).is_err() {
            lines |= 1 << Edge::of(place, way).line_number(size);
            board.place = size.neighbour(place, way);
        }
    }
    lines
}

/// Walls, and how one came to them.
#[derive(Clone, Copy)]
struct Node<W> {
    walls: W,
    /// The node before the push that led here; the first has itself.
    before: u32,
    /// The cells before that push and after it.
    from: u8,
    cell: u8,
}

/// A way out with the fewest pushes.
fn search<W: Word>(space: &Space<W>, meter: &mut Meter<'_>) -> Result<Option<Plan>, Limit> {
    let cells = space.size().cells();
    // Of each arrangement of walls the cells that were come to, a bit each.
    let mut known = Adaptive::<W, u64>::with_room(0, meter.memory())?;
    let mut held = Reservation::none(meter.memory());
    let cell = space.cell(space.start()) as u8;
    let mut nodes = vec![Node { walls: space.walls(space.start()), before: 0, from: cell, cell }];
    let mut number = 0;
    let mut pushes = Vec::new();
    while let Some(&Node { walls, cell, .. }) = nodes.get(number) {
        let (known_here, _) = known.entry(walls, 0)?;
        if *known_here >> cell & 1 == 0 {
            meter.expand()?;
            let mut region = 1u64 << cell;
            let mut waiting = region;
            while let Some(from) = take_lowest(&mut waiting) {
                for step in space.steps(from) {
                    if step.is_free(walls) {
                        if usize::from(step.to) >= cells {
                            return Ok(Some(retrace(space, &nodes, number, from as u8, step.to)));
                        }
                        let new = 1 << step.to & !region;
                        region |= new;
                        waiting |= new;
                    } else if step.is_possible(walls) {
                        pushes.push((walls.xor(step.push), from as u8, step.to));
                    }
                }
            }
            *known_here |= region;
            for (walls, from, cell) in pushes.drain(..) {
                meter.generate()?;
                if known.get(walls).is_some_and(|cells| cells >> cell & 1 == 1) {
                    meter.duplicate();
                } else {
                    // The list grows by doubling.
                    held.grow(2 * size_of::<Node<W>>() as u64)?;
                    let before = u32::try_from(number).map_err(|_| Limit::Encoding)?;
                    nodes.push(Node { walls, before, from, cell });
                }
            }
        }
        number += 1;
        meter.note_frontier((nodes.len() - number) as u64);
    }
    Ok(None)
}

/// The moves to a node, from there to the cell `last`, and from that `out`.
fn retrace<W: Word>(space: &Space<W>, nodes: &[Node<W>], number: usize, last: u8, out: u8) -> Plan {
    let mut plan = Plan::new();
    let (mut number, mut from, mut to) = (number, last, out);
    // Backwards, from push to push.
    loop {
        let node = &nodes[number];
        plan.extend(
            space.steps(from.into()).iter().find(|step| step.to == to).map(|step| step.way),
        );
        plan.extend(walk(space, node.walls, node.cell, from).iter().rev());
        if number == 0 {
            break;
        }
        (number, from, to) = (node.before as usize, node.from, node.cell);
    }
    plan.reverse();
    plan
}

/// The fewest moves from one cell of a region to another.
fn walk<W: Word>(space: &Space<W>, walls: W, from: u8, to: u8) -> Plan {
    let mut come_by = vec![None; space.size().cells()];
    let mut queue = VecDeque::from([from]);
    while let Some(cell) = queue.pop_front() {
        for step in
            space.steps(cell.into()).iter().filter(|step| step.is_free(walls) && step.to != from)
        {
            if let Some(unknown @ None) = come_by.get_mut(usize::from(step.to)) {
                *unknown = Some((cell, step.way));
                queue.push_back(step.to);
            }
        }
    }
    let mut plan = Plan::new();
    let mut cell = to;
    while let Some((before, way)) = come_by[usize::from(cell)] {
        plan.push(way);
        cell = before;
    }
    plan.reverse();
    plan
}

#[cfg(test)]
mod tests {
    use fewest_core::budget::Budget;
    use fewest_core::random::Random;

    use super::*;
    use crate::Size;
    use crate::generate::{Wanted, maze};
    use crate::rules::tests::fewest;

    /// Holds it against a plain search on the rules. Returns how many mazes have a way out, and how
    /// many of the others the relaxation leaves to be searched.
    fn judge(mazes: usize, seed: u64, most_rows: usize, most_columns: usize) -> [usize; 2] {
        let mut random = Random::from_seed(seed);
        let [mut solvable, mut searched] = [0; 2];
        for _ in 0..mazes {
            let size =
                Size::new(2 + random.below(most_rows - 1), 2 + random.below(most_columns - 1))
                    .expect("a size");
            let wanted = Wanted { size, walls: 30 + random.below(50), gaps: random.below(4) };
            let maze = maze(wanted, &mut random);
            let expected = fewest(&maze);
            let mut relaxation = Relaxation::new(&maze);
            let budget = Budget::unlimited();
            let mut meter = budget.meter();
            let found = Proof::new(&maze, &relaxation)
                .way_out(&maze, &mut relaxation, &mut meter)
                .expect("no limit");
            assert_eq!(found.is_some(), expected.is_some(), "{maze}");
            if let Some(plan) = found {
                rules::replay(&maze, &plan).expect("a legal plan");
                solvable += 1;
            } else {
                assert_eq!(relaxation.exits().count(), 0);
                searched += usize::from(meter.stats().expanded > 0);
            }
        }
        [solvable, searched]
    }

    #[test]
    fn there_is_a_way_out_where_a_plain_search_finds_one() {
        let [solvable, searched] = judge(20_000, 1, 4, 4);
        assert!(solvable > 5_000 && solvable < 15_000 && searched > 1_000, "{solvable} {searched}");
        let [solvable, searched] = judge(1000, 2, 4, 5);
        assert!(solvable > 50 && searched > 50, "{solvable} {searched}");
    }

    #[test]
    fn it_stops_where_it_must() {
        let mut random = Random::from_seed(3);
        let wanted = Wanted { size: Size::new(4, 6).expect("a size"), walls: 40, gaps: 1 };
        let budget = Budget::unlimited().with_state_limit(5);
        let end = |_| {
            let maze = maze(wanted, &mut random);
            let mut meter = budget.meter();
            let mut relaxation = Relaxation::new(&maze);
            let end =
                Proof::new(&maze, &relaxation).way_out(&maze, &mut relaxation, &mut meter).err();
            assert!(meter.stats().expanded <= 5);
            end
        };
        let ends: Vec<_> = (0..50).filter_map(end).collect();
        assert!(ends.len() > 5 && ends.iter().all(|&limit| limit == Limit::States), "{ends:?}");
    }
}
