//! Finds a plan or proves that there is none, without an exhaustive search of the state space.
//!
//! # Method
//!
//! Counterexample-guided abstraction refinement (Clarke, Grumberg, Jha, Lu and Veith, CAV 2000).
//! For each gap that the [`Relaxation`] does not rule out:
//!
//! 1. **Abstract.** An abstract state has the walls of some lines only, the *visible* lines. In all
//!    other lines no wall blocks a move, unless the relaxation rules the move out. Plans leave
//!    through this gap only, and no wall is pushed into it, because that closes it. The first
//!    abstraction of a gap shows two lines: the row and the column of the cell inside the gap.
//! 2. **Search.** Search the abstract state space exhaustively for a plan. Each plan of the maze
//!    that leaves through this gap is also an abstract plan. If there is no abstract plan, rule the
//!    gap out and continue with the next gap.
//! 3. **Check.** Otherwise, play the abstract plan by the rules. If it is legal, it is a plan of
//!    the maze, and the proof ends.
//! 4. **Refine.** Otherwise, the abstract plan is a spurious counterexample: it crosses hidden
//!    edges on which a wall blocks the move. Make the lines of these edges visible and continue
//!    with step 1.
//!
//! If no gap is left, the maze is unsolvable. The loop ends because each refinement makes at least
//! one more line visible, and an abstract plan is legal if all lines are visible. Abstract spaces
//! with few visible lines are small, and a few lines are often enough.
//!
//! # Regions
//!
//! The search expands regions instead of states. A *region* is the set of cells that the player can
//! walk to without a push, for one arrangement of the visible walls. All of its cells count as one
//! state, and a successor of a region results from one push.

use std::collections::VecDeque;

use fewest_core::Word;
use fewest_core::budget::{Limit, Meter};
use fewest_core::memory::Reservation;
use fewest_core::visited::AdaptiveMap;
use fewest_geometry::{Cell, Direction};
use fewest_rules::Rules;

use crate::bits::take_lowest;
use crate::instance::{Edge, Instance};
use crate::plan::Plan;
use crate::relaxation::Relaxation;
use crate::space::{Abstraction, Space, with_space};

/// A proof in progress, which a limit may interrupt and a later call continues.
pub(crate) struct UnsolvabilityProof {
    /// The gaps that are not ruled out, the next one last.
    gaps: Vec<GapProof>,
}

struct GapProof {
    /// The cell inside the gap.
    place: Cell,
    /// The direction out of the maze.
    direction: Direction,
    /// The [lines](Edge::line_number) of the current abstraction, one bit each.
    visible_lines: u32,
}

impl UnsolvabilityProof {
    /// A proof with the first abstraction of each gap that the relaxation does not rule out.
    pub(crate) fn new(maze: &Instance, relaxation: &Relaxation) -> Self {
        let line = |place, direction| 1 << Edge::of(place, direction).line_number(maze.size());
        let lines_of = |place| {
            Direction::ALL.iter().fold(0, |lines, &direction| lines | line(place, direction))
        };
        Self {
            gaps: relaxation
                .gaps()
                .map(|(place, direction)| GapProof {
                    place,
                    direction,
                    visible_lines: lines_of(place),
                })
                .collect(),
        }
    }

    /// Continues until a plan is found, not always a shortest one, or returns `None` if the maze is
    /// unsolvable. Gaps through which no plan leaves are ruled out in the relaxation, too.
    ///
    /// # Errors
    /// The limit that stopped the proof. A later call continues with the same gap and its visible
    /// lines. A region counts as one state.
    pub(crate) fn resume(
        &mut self,
        maze: &Instance,
        relaxation: &mut Relaxation,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Plan>, Limit> {
        while let Some(gap) = self.gaps.last_mut() {
            let plan = gap.resume(maze, relaxation, meter)?;
            if plan.is_some() {
                return Ok(plan);
            }
            relaxation.rule_out(gap.place, gap.direction);
            self.gaps.pop();
        }
        Ok(None)
    }
}

impl GapProof {
    /// Refines the abstraction until a plan through the gap is legal, or there is none.
    fn resume(
        &mut self,
        maze: &Instance,
        relaxation: &Relaxation,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Plan>, Limit> {
        let gap = Some(Edge::of(self.place, self.direction));
        loop {
            let abstraction = Abstraction { lines: self.visible_lines, gap };
            let plan =
                with_space!(maze, relaxation, abstraction, |space| search_regions(space, meter))??;
            match plan.as_ref().map_or(0, |plan| blocking_lines(maze, plan)) {
                0 => return Ok(plan),
                blocking => self.visible_lines |= blocking,
            }
        }
    }
}

/// The lines whose walls block moves of an abstract plan. The rest of the plan is played as if a
/// blocked move had been possible, so that one refinement adds all of these lines. This takes fewer
/// refinements than one line at a time, and less work in total.
fn blocking_lines(maze: &Instance, plan: &[Direction]) -> u32 {
    let size = maze.size();
    let mut board = maze.start_board();
    let mut lines = 0;
    for &direction in plan {
        let Some(place) = board.place else { break };
        if maze.play(&mut board, &direction).is_err() {
            lines |= 1 << Edge::of(place, direction).line_number(size);
            board.place = size.neighbour(place, direction);
        }
    }
    lines
}

/// An entry into a region: the visible walls, and the cell of the player after the last push.
#[derive(Clone, Copy)]
struct PushEntry<W> {
    walls: W,
    /// The index of the entry before the last push; the first entry is its own parent.
    parent: u32,
    /// The cell from which the player made the last push.
    pushed_from: u8,
    /// The cell of the player after that push.
    cell: u8,
}

/// Searches breadth-first for a plan with the fewest pushes; `None` if there is no plan.
fn search_regions<W: Word>(space: &Space<W>, meter: &mut Meter<'_>) -> Result<Option<Plan>, Limit> {
    let cells = space.size().len();
    // For each arrangement of the walls, the cells of all regions that were expanded, one bit each.
    let mut visited = AdaptiveMap::<W, u64>::with_room(0, meter.memory())?;
    let mut reservation = Reservation::none(meter.memory());
    let cell = space.cell(space.start()) as u8;
    let walls = space.walls(space.start());
    let mut entries = vec![PushEntry { walls, parent: 0, pushed_from: cell, cell }];
    let mut index = 0;
    let mut pushes = Vec::new();
    while let Some(&PushEntry { walls, cell, .. }) = entries.get(index) {
        let (visited_cells, _) = visited.entry(walls, 0)?;
        if *visited_cells >> cell & 1 == 0 {
            meter.expand()?;
            let mut region = 1u64 << cell;
            let mut frontier = region;
            while let Some(from) = take_lowest(&mut frontier) {
                for packed_move in space.moves_from(from) {
                    if packed_move.is_free(walls) {
                        if usize::from(packed_move.to) >= cells {
                            let (last, outside) = (from as u8, packed_move.to);
                            let plan = reconstruct_plan(space, &entries, index, last, outside);
                            return Ok(Some(plan));
                        }
                        let new = 1 << packed_move.to & !region;
                        region |= new;
                        frontier |= new;
                    } else if packed_move.is_legal(walls) {
                        pushes.push((walls.xor(packed_move.push), from as u8, packed_move.to));
                    }
                }
            }
            *visited_cells |= region;
            for (walls, pushed_from, cell) in pushes.drain(..) {
                meter.generate()?;
                if visited.get(walls).is_some_and(|cells| cells >> cell & 1 == 1) {
                    meter.duplicate();
                } else {
                    // A vector that grows by doubling has up to twice the needed capacity.
                    reservation.grow(2 * size_of::<PushEntry<W>>() as u64)?;
                    let parent = u32::try_from(index).map_err(|_| Limit::Encoding)?;
                    entries.push(PushEntry { walls, parent, pushed_from, cell });
                }
            }
        }
        index += 1;
        meter.note_frontier((entries.len() - index) as u64);
    }
    Ok(None)
}

/// The plan that reaches entry `index`, walks to the cell `last` and leaves to `outside`.
fn reconstruct_plan<W: Word>(
    space: &Space<W>,
    entries: &[PushEntry<W>],
    index: usize,
    last: u8,
    outside: u8,
) -> Plan {
    let mut plan = Plan::new();
    let (mut index, mut from, mut to) = (index, last, outside);
    // In reverse order, from push to push.
    loop {
        let entry = &entries[index];
        let packed_move = space.moves_from(from.into()).iter().find(|candidate| candidate.to == to);
        plan.extend(packed_move.map(|packed_move| packed_move.direction));
        plan.extend(shortest_walk(space, entry.walls, entry.cell, from).iter().rev());
        if index == 0 {
            break;
        }
        (index, from, to) = (entry.parent as usize, entry.pushed_from, entry.cell);
    }
    plan.reverse();
    plan
}

/// A shortest walk without a push from one cell of a region to another.
fn shortest_walk<W: Word>(space: &Space<W>, walls: W, from: u8, to: u8) -> Plan {
    let mut predecessors = vec![None; space.size().len()];
    let mut queue = VecDeque::from([from]);
    while let Some(cell) = queue.pop_front() {
        let moves = space.moves_from(cell.into()).iter();
        let walks = moves.filter(|candidate| candidate.is_free(walls) && candidate.to != from);
        for packed_move in walks {
            if let Some(unvisited @ None) = predecessors.get_mut(usize::from(packed_move.to)) {
                *unvisited = Some((cell, packed_move.direction));
                queue.push_back(packed_move.to);
            }
        }
    }
    let mut plan = Plan::new();
    let mut cell = to;
    while let Some((predecessor, direction)) = predecessors[usize::from(cell)] {
        plan.push(direction);
        cell = predecessor;
    }
    plan.reverse();
    plan
}

#[cfg(test)]
mod tests {
    use fewest_core::budget::Budget;
    use fewest_puzzle::random::Random;
    use fewest_rules::verify;

    use super::*;
    use crate::Size;
    use crate::generate::{MazeOptions, maze};
    use crate::rules::tests::optimal_cost;

    /// Compares the proof with a plain search on the rules for random mazes. Returns the number of
    /// solvable mazes, and of unsolvable mazes that the relaxation alone does not prove unsolvable.
    fn assert_proofs_agree(
        mazes: usize,
        seed: u64,
        most_rows: usize,
        most_columns: usize,
    ) -> [usize; 2] {
        let mut random = Random::from_seed(seed);
        let [mut solvable, mut searched] = [0; 2];
        for _ in 0..mazes {
            let size =
                Size::new(2 + random.below(most_rows - 1), 2 + random.below(most_columns - 1))
                    .expect("a size");
            let options = MazeOptions { size, walls: 30 + random.below(50), gaps: random.below(4) };
            let maze = maze(options, &mut random);
            let expected = optimal_cost(&maze);
            let mut relaxation = Relaxation::new(&maze);
            let budget = Budget::unlimited();
            let mut meter = budget.meter();
            let found = UnsolvabilityProof::new(&maze, &relaxation)
                .resume(&maze, &mut relaxation, &mut meter)
                .expect("no limit");
            assert_eq!(found.is_some(), expected.is_some(), "{maze}");
            if let Some(plan) = found {
                verify(&maze, plan).expect("a legal plan");
                solvable += 1;
            } else {
                assert_eq!(relaxation.gaps().count(), 0);
                searched += usize::from(meter.stats().expanded > 0);
            }
        }
        [solvable, searched]
    }

    #[test]
    fn proof_finds_a_plan_if_and_only_if_a_plain_search_does() {
        let [solvable, searched] = assert_proofs_agree(20_000, 1, 4, 4);
        assert!(solvable > 5_000 && solvable < 15_000 && searched > 1_000, "{solvable} {searched}");
        let [solvable, searched] = assert_proofs_agree(1000, 2, 4, 5);
        assert!(solvable > 50 && searched > 50, "{solvable} {searched}");
    }

    #[test]
    fn proof_stops_at_the_state_limit() {
        let mut random = Random::from_seed(3);
        let options = MazeOptions { size: Size::new(4, 6).expect("a size"), walls: 40, gaps: 1 };
        let budget = Budget::unlimited().with_state_limit(5);
        let limit = |_| {
            let maze = maze(options, &mut random);
            let mut meter = budget.meter();
            let mut relaxation = Relaxation::new(&maze);
            let limit = UnsolvabilityProof::new(&maze, &relaxation)
                .resume(&maze, &mut relaxation, &mut meter)
                .err();
            assert!(meter.stats().expanded <= 5);
            limit
        };
        let limits: Vec<_> = (0..50).filter_map(limit).collect();
        assert!(
            limits.len() > 5 && limits.iter().all(|&limit| limit == Limit::States),
            "{limits:?}"
        );
    }
}
