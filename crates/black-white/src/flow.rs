//! The distance of two boards without a search: a cheapest flow of black pieces from where there is
//! one too many to where one is missing.
//!
//! Each move carries one black piece over one edge, so the moves of a plan, added up, are a flow
//! with unit costs on the edges of the grid: no plan is shorter than the cheapest one. And each
//! cheapest flow is a plan, as [`hand_over`](Flow::hand_over) shows; `docs/black-white.md` has the
//! proof. So no pair of pieces is ever looked at, only cells and edges.
//!
//! The flow grows along shortest paths, in rounds (primal-dual; Ford and Fulkerson 1962):
//! potentials keep all reduced costs at 0, 1 or 2, so three buckets are the queue of a
//! shortest-path search, and one search serves most pieces that have a path of the same length. A
//! round takes time linear in the cells. There are mostly as many as there are lengths of paths,
//! some hundreds on 256 x 256 cells, and never more than pieces out of place, since each sends one
//! at least.

use fewest_core::budget::{Limit, Meter};
use fewest_core::memory::{Block, Memory, OutOfMemory, Reservation, SegmentedVec};

use crate::instance::Instance;
use crate::matching::Matching;
use crate::plan::{Exchange, Plan};

/// A cell. Around the board and between its rows there are walls, so that each cell has four
/// neighbours.
#[derive(Clone, Copy)]
struct Cell {
    /// The length of the shortest path to it, when last it was worked out.
    potential: i32,
    /// How much more it is now.
    distance: i32,
    /// Pieces that go east, less those that come from there; and the same for the south.
    east: i32,
    south: i32,
    /// 1 with a piece too many, -1 where one is missing.
    excess: i8,
    open: bool,
    /// Whether this round has been there in vain, or is on the way there.
    passed: bool,
}

/// North, east, south, west.
const WAYS: usize = 4;

/// No path is known.
const FAR: i32 = i32::MAX;

/// A cheapest flow.
pub(crate) struct Flow {
    cells: Block<Cell>,
    /// From a cell to the one below it.
    stride: usize,
    /// The moves that it takes.
    pub(crate) cost: u32,
}

/// What ended it early, and how many moves it takes at least.
pub(crate) struct Stopped {
    pub(crate) limit: Limit,
    pub(crate) lower_bound: u32,
}

impl Stopped {
    /// Each piece that is out of place takes a move at least.
    fn at_once(none: OutOfMemory, boards: &Instance) -> Self {
        let pieces = boards.start().iter().zip(boards.target());
        Self {
            limit: none.into(),
            lower_bound: pieces.filter(|&(&here, &wanted)| here && !wanted).count() as u32,
        }
    }
}

/// What is needed beside the cells while the flow grows.
struct Work {
    /// The cells that still have a piece too many.
    sources: SegmentedVec<u32>,
    buckets: [SegmentedVec<u32>; 3],
    path: Path,
}

/// Cells, and the way that was taken from each.
type Path = SegmentedVec<(u32, u8)>;

/// The cost of a cheapest flow alone.
pub(crate) fn distance(boards: &Instance, meter: &mut Meter<'_>) -> Result<Option<u32>, Stopped> {
    match Matching::cheapest(boards) {
        Some(matching) => Ok(Some(matching.cost())),
        None => Ok(Flow::grown(boards, meter)?.map(|flow| flow.cost)),
    }
}

impl Flow {
    /// From the start of an instance to its target; `None` if there is none, as some part of the
    /// board has another number of pieces there. A cell that a path was worked out to counts as a
    /// state expanded.
    pub(crate) fn cheapest(
        boards: &Instance,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Self>, Stopped> {
        let Some(matching) = Matching::cheapest(boards) else { return Self::grown(boards, meter) };
        let mut flow =
            Self::none(boards, meter.memory()).map_err(|none| Stopped::at_once(none, boards))?;
        flow.follow(&matching);
        Ok(Some(flow))
    }

    /// The same, whatever the number of pieces.
    fn grown(boards: &Instance, meter: &mut Meter<'_>) -> Result<Option<Self>, Stopped> {
        let at_once = |none| Stopped::at_once(none, boards);
        let mut flow = Self::none(boards, meter.memory()).map_err(at_once)?;
        let mut work = flow.work(meter.memory()).map_err(at_once)?;
        Ok(flow.grow(&mut work, meter)?.then_some(flow))
    }

    /// Sends a piece to every place where one is missing, and tells whether that can be done.
    fn grow(&mut self, work: &mut Work, meter: &mut Meter<'_>) -> Result<bool, Stopped> {
        if work.sources.len() != self.cells.iter().filter(|cell| cell.excess < 0).count() {
            return Ok(false);
        }
        let mut length = 0;
        while !work.sources.is_empty() {
            // Each piece that is out of place takes a move at least.
            let least = u64::from(self.cost) + work.sources.len() as u64 * length.max(1) as u64;
            let lower_bound = u32::try_from(least).unwrap_or(u32::MAX);
            let stopped = |limit| Stopped { limit, lower_bound };
            match self.lengthen(work, meter).map_err(stopped)? {
                FAR => return Ok(false),
                more => length += more,
            }
            self.augment(length, work, meter).map_err(stopped)?;
        }
        Ok(true)
    }

    /// What has to be done.
    fn work(&self, memory: &Memory) -> Result<Work, OutOfMemory> {
        let list = || SegmentedVec::new(memory);
        let mut work =
            Work { sources: list(), buckets: [list(), list(), list()], path: Path::new(memory) };
        for cell in (0..self.cells.len()).filter(|&cell| self.cells[cell].excess > 0) {
            work.sources.push(cell as u32)?;
        }
        Ok(work)
    }

    /// Sends each piece to its place, along the row first. That costs no more than the matching,
    /// and no flow costs less, so it is a cheapest flow: no two pieces go against each other, and
    /// there is no circle.
    fn follow(&mut self, matching: &Matching) {
        for &[from, to] in matching.pairs() {
            let mut send = |row, column, way| self.send((row + 1) * self.stride + column, way);
            (from.column..to.column).for_each(|column| send(from.row, column, 1));
            (to.column + 1..=from.column).for_each(|column| send(from.row, column, 3));
            (from.row..to.row).for_each(|row| send(row, to.column, 2));
            (to.row + 1..=from.row).for_each(|row| send(row, to.column, 0));
        }
        self.cost = matching.cost();
    }

    fn none(boards: &Instance, memory: &Memory) -> Result<Self, OutOfMemory> {
        let (rows, columns) = (boards.size().rows(), boards.size().columns());
        let stride = columns + 1;
        let wall = Cell {
            potential: 0,
            distance: 0,
            east: 0,
            south: 0,
            excess: 0,
            open: false,
            passed: false,
        };
        let mut cells = Block::filled(wall, (rows + 2) * stride + 1, memory)?;
        let each = boards.start().iter().zip(boards.target()).zip(boards.walls());
        for (number, ((&here, &wanted), &wall)) in each.enumerate() {
            let cell = &mut cells[(number / columns + 1) * stride + number % columns];
            cell.open = !wall;
            cell.excess = i8::from(here) - i8::from(wanted);
        }
        Ok(Self { cells, stride, cost: 0 })
    }

    #[inline]
    fn neighbour(&self, cell: usize, way: usize) -> usize {
        match way {
            0 => cell - self.stride,
            1 => cell + 1,
            2 => cell + self.stride,
            _ => cell - 1,
        }
    }

    /// The pieces that go from a cell in a direction, less those that come from there.
    #[inline]
    fn along(&self, cell: usize, way: usize) -> i32 {
        match way {
            0 => -self.cells[cell - self.stride].south,
            1 => self.cells[cell].east,
            2 => self.cells[cell].south,
            _ => -self.cells[cell - 1].east,
        }
    }

    /// A piece more in a direction.
    #[inline]
    fn send(&mut self, cell: usize, way: usize) {
        match way {
            0 => self.cells[cell - self.stride].south -= 1,
            1 => self.cells[cell].east += 1,
            2 => self.cells[cell].south += 1,
            _ => self.cells[cell - 1].east -= 1,
        }
    }

    /// What a piece more costs in a direction, less what the potentials say of it already: 0, 1 or
    /// 2. To go against others is to take a move back.
    #[inline]
    fn reduced(&self, cell: usize, way: usize, to: usize) -> i32 {
        let cost = if self.along(cell, way) < 0 { -1 } else { 1 };
        cost + self.cells[cell].potential - self.cells[to].potential
    }

    /// Finds out by how much the shortest path from a piece too many to where one is missing has
    /// become longer, and brings all potentials up to that; [`FAR`] if there is no path any more.
    /// Where a piece is missing, the potential is always the length of the shortest path: none of
    /// these cells was nearer, and no potential is above it.
    fn lengthen(&mut self, work: &mut Work, meter: &mut Meter<'_>) -> Result<i32, Limit> {
        self.cells.iter_mut().for_each(|cell| cell.distance = FAR);
        for source in work.sources.iter() {
            self.cells[source as usize].distance = 0;
            work.buckets[0].push(source)?;
        }
        let (mut nearest, mut key, mut empty) = (FAR, 0, 0);
        while empty < work.buckets.len() {
            let Some(cell) = work.buckets[key as usize % 3].pop() else {
                (key, empty) = (key + 1, empty + 1);
                continue;
            };
            empty = 0;
            let cell = cell as usize;
            if self.cells[cell].distance != key {
                continue;
            }
            meter.expand()?;
            if self.cells[cell].excess < 0 {
                nearest = key;
                break;
            }
            for way in 0..WAYS {
                let to = self.neighbour(cell, way);
                if !self.cells[to].open {
                    continue;
                }
                let distance = key + self.reduced(cell, way, to);
                if distance < self.cells[to].distance {
                    self.cells[to].distance = distance;
                    work.buckets[distance as usize % 3].push(to as u32)?;
                    meter.generate()?;
                }
            }
        }
        work.buckets.iter_mut().for_each(SegmentedVec::clear);
        if nearest != FAR {
            self.cells.iter_mut().for_each(|cell| cell.potential += cell.distance.min(nearest));
        }
        Ok(nearest)
    }

    /// Sends pieces along paths of this length. A path that leads over cells from which an earlier
    /// one was not found is left to the next round, which finds the length unchanged.
    fn augment(
        &mut self,
        length: i32,
        work: &mut Work,
        meter: &mut Meter<'_>,
    ) -> Result<(), Limit> {
        self.cells.iter_mut().for_each(|cell| cell.passed = false);
        let mut left = SegmentedVec::new(meter.memory());
        for source in work.sources.iter() {
            meter.poll()?;
            if self.find_path(source as usize, &mut work.path, meter)? {
                let mut end = source as usize;
                for (cell, way) in work.path.iter() {
                    self.send(cell as usize, way.into());
                    self.cells[cell as usize].passed = false;
                    end = self.neighbour(cell as usize, way.into());
                }
                self.cells[source as usize].excess -= 1;
                self.cells[end].excess += 1;
                // Around many walls a path may have as many edges as there are cells.
                self.cost = self.cost.checked_add(length as u32).ok_or(Limit::Encoding)?;
            } else {
                left.push(source)?;
            }
        }
        work.sources = left;
        Ok(())
    }

    /// Whether a shortest path leads from a cell to where a piece is missing: depth-first.
    fn find_path(
        &mut self,
        source: usize,
        path: &mut Path,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Limit> {
        path.clear();
        let (mut cell, mut way) = (source, 0);
        self.cells[cell].passed = true;
        loop {
            if way == WAYS {
                let Some((before, tried)) = path.pop() else { return Ok(false) };
                (cell, way) = (before as usize, usize::from(tried) + 1);
                continue;
            }
            let to = self.neighbour(cell, way);
            let next = &self.cells[to];
            if !next.open || next.passed || self.reduced(cell, way, to) != 0 {
                way += 1;
                continue;
            }
            path.push((cell as u32, way as u8))?;
            if next.excess < 0 {
                return Ok(true);
            }
            meter.poll()?;
            self.cells[to].passed = true;
            (cell, way) = (to, 0);
        }
    }

    /// The moves of the flow in an order in which all are legal, each of a black piece to a white
    /// one's cell.
    ///
    /// A cell that no piece leaves any more and one is to come to has no black piece. Upstream of
    /// it lies a cell that has one; from the first such that is met, the piece goes down to it,
    /// over cells without any. That takes as many moves as edges, and the rest is again such a
    /// flow.
    pub(crate) fn hand_over(
        mut self,
        boards: &Instance,
        meter: &mut Meter<'_>,
    ) -> Result<Plan, Limit> {
        let mut held = Reservation::none(meter.memory());
        held.grow(u64::from(self.cost) * size_of::<Exchange>() as u64)?;
        let mut plan = Plan::new();
        plan.try_reserve_exact(self.cost as usize).map_err(|_| Limit::Memory)?;
        let (size, stride) = (boards.size(), self.stride);
        let number = |cell: usize| (cell / stride - 1) * size.columns() + cell % stride;
        let mut black = Block::filled(false, size.cells(), meter.memory())?;
        black.copy_from_slice(boards.start());
        let is_last = |flow: &Self, cell: usize| (0..WAYS).all(|way| flow.along(cell, way) <= 0);
        let mut last = SegmentedVec::new(meter.memory());
        for cell in
            (0..self.cells.len()).filter(|&cell| self.cells[cell].open && is_last(&self, cell))
        {
            last.push(cell as u32)?;
        }
        let mut path = Path::new(meter.memory());
        while let Some(end) = last.pop() {
            let end = end as usize;
            let mut cell = end;
            while let Some(way) =
                (0..WAYS).find(|&way| self.along(cell, way) < 0).filter(|_| !black[number(cell)])
            {
                path.push((cell as u32, way as u8))?;
                cell = self.neighbour(cell, way);
            }
            black.swap(number(cell), number(end));
            while let Some((to, way)) = path.pop() {
                let (to, way) = (to as usize, usize::from(way));
                meter.poll()?;
                plan.push(Exchange::new(size.place(number(cell)), size.place(number(to))));
                self.send(to, way);
                if is_last(&self, cell) {
                    last.push(cell as u32)?;
                }
                cell = to;
            }
        }
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use fewest_core::budget::{Budget, Limits};
    use fewest_core::random::Random;

    use super::*;
    use crate::instance::{Board, Size};
    use crate::rules;

    /// Boards with so many walls in a hundred cells.
    fn boards(size: Size, walls: usize, random: &mut Random) -> Instance {
        let walls: Vec<bool> = (0..size.cells()).map(|_| random.below(100) < walls).collect();
        let open: Vec<usize> = (0..size.cells()).filter(|&cell| !walls[cell]).collect();
        let blacks = random.below(open.len() + 1);
        let mut board = || -> Board {
            let mut cells = open.clone();
            random.shuffle(&mut cells);
            cells[..blacks].iter().fold(vec![false; size.cells()], |mut board, &cell| {
                board[cell] = true;
                board
            })
        };
        let (start, target) = (board(), board());
        Instance::with_walls(size, walls, start, target).expect("pieces beside walls")
    }

    /// No plan is shorter: along each edge potentials change by 1 at most, so a move carries a
    /// piece up by 1 at most, and all together have to go up by as much as the flow costs.
    fn assert_cheapest(flow: &Flow, boards: &Instance) {
        let columns = boards.size().columns();
        let cell = |number: usize| (number / columns + 1) * flow.stride + number % columns;
        let mut up = 0;
        for number in 0..boards.size().cells() {
            let here = &flow.cells[cell(number)];
            for way in [1, 2] {
                let there = &flow.cells[flow.neighbour(cell(number), way)];
                assert!(!here.open || !there.open || here.potential.abs_diff(there.potential) <= 1);
            }
            up += here.potential
                * (i32::from(boards.target()[number]) - i32::from(boards.start()[number]));
        }
        assert_eq!(up, flow.cost as i32, "{}", boards.drawing());
    }

    #[test]
    fn a_flow_is_cheapest_and_is_a_plan() {
        let budget = Budget::unlimited();
        let mut random = Random::from_seed(1);
        let mut unsolvable = 0;
        for round in 0..3000 {
            let size = Size::new(1 + random.below(30), 1 + random.below(30)).expect("a size");
            let boards = boards(size, [0, 10, 30, 50][round % 4], &mut random);
            let mut meter = budget.meter();
            let Some(flow) = Flow::grown(&boards, &mut meter).ok().expect("no limit") else {
                unsolvable += 1;
                continue;
            };
            assert_cheapest(&flow, &boards);
            let cost = flow.cost;
            let plan = flow.hand_over(&boards, &mut meter).expect("no limit");
            assert_eq!(
                (plan.len() as u32, rules::replay(&boards, &plan)),
                (cost, Ok(())),
                "{}",
                boards.drawing()
            );
        }
        assert!((500..2000).contains(&unsolvable), "{unsolvable}");
    }

    #[test]
    fn a_matching_costs_as_much_as_a_flow() {
        let budget = Budget::unlimited();
        let mut random = Random::from_seed(2);
        let mut matched = 0;
        for _ in 0..20_000 {
            let size = Size::new(1 + random.below(6), 1 + random.below(6)).expect("a size");
            let boards = boards(size, 0, &mut random);
            let Some(matching) = Matching::cheapest(&boards) else { continue };
            let flow = Flow::grown(&boards, &mut budget.meter()).ok().flatten().expect("a flow");
            assert_eq!(matching.cost(), flow.cost, "{}", boards.drawing());
            matched += 1;
        }
        assert!(matched > 15_000, "{matched}");
    }

    #[test]
    fn a_part_with_another_count_has_no_plan() {
        let size = Size::new(1, 5).expect("a size");
        let read = |text: &[u8]| {
            Instance::read(text, size).next().expect("a data set").expect("a good one")
        };
        let cost =
            |text| distance(&read(text), &mut Budget::unlimited().meter()).ok().expect("no limit");
        assert_eq!(cost(b"10#10 01#01"), Some(2));
        assert_eq!(cost(b"10#10 11#00"), None);
        assert_eq!(cost(b"10#10 01#11"), None);
    }

    #[test]
    fn out_of_states_it_has_a_lower_bound() {
        let mut random = Random::from_seed(3);
        let [mut stopped, mut high] = [0; 2];
        for round in 0..300 {
            let size = Size::new(12, 12).expect("a size");
            let boards = boards(size, 0, &mut random);
            let least =
                distance(&boards, &mut Budget::unlimited().meter()).ok().flatten().expect("a plan");
            let pieces = boards
                .start()
                .iter()
                .zip(boards.target())
                .filter(|&(here, wanted)| here > wanted)
                .count();
            let budget = Budget::unlimited().with_state_limit(4 * round);
            match distance(&boards, &mut budget.meter()) {
                Ok(cost) => assert_eq!(cost, Some(least)),
                Err(Stopped { limit, lower_bound }) => {
                    assert_eq!(limit, Limit::States);
                    assert!(
                        (pieces as u32..=least).contains(&lower_bound),
                        "{pieces} {lower_bound} {least}"
                    );
                    stopped += 1;
                    // Each piece takes a move, and those that have gone took more.
                    high += usize::from(2 * lower_bound > least);
                }
            }
        }
        assert!(stopped > 50 && high > 20, "{stopped} {high}");
    }

    #[test]
    fn with_little_memory_it_stops_or_is_right() {
        let size = Size::new(64, 64).expect("a size");
        let boards = boards(size, 0, &mut Random::from_seed(4));
        let plan = |budget: &Budget| {
            let mut meter = budget.meter();
            let flow = Flow::cheapest(&boards, &mut meter)
                .map_err(|stopped| stopped.limit)?
                .expect("as many pieces");
            Ok(flow.hand_over(&boards, &mut meter)?.len())
        };
        let budget = Budget::unlimited();
        let (moves, most) = (plan(&budget).expect("no limit"), budget.memory().peak_bytes());
        let bytes = |memory_bytes| {
            Budget::new(Limits { memory_bytes: Some(memory_bytes), ..Limits::default() })
        };
        for part in 0..20 {
            let budget = bytes(most * part / 20);
            assert_eq!(plan(&budget), Err(Limit::Memory));
            assert!(budget.memory().peak_bytes() <= most * part / 20);
        }
        assert_eq!(plan(&bytes(most)), Ok(moves));
    }

    /// What is said of the time: there are hardly more rounds than lengths of paths.
    #[test]
    fn a_round_serves_most_paths_of_a_length() {
        let mut random = Random::from_seed(5);
        let [mut rounds, mut lengths] = [0; 2];
        for round in 0..300 {
            let boards =
                boards(Size::new(24, 24).expect("a size"), [0, 5, 10][round % 3], &mut random);
            let budget = Budget::unlimited();
            let mut meter = budget.meter();
            let mut flow = Flow::none(&boards, meter.memory()).expect("no limit");
            let mut work = flow.work(meter.memory()).expect("no limit");
            let mut length = 0;
            while !work.sources.is_empty() {
                let more = flow.lengthen(&mut work, &mut meter).expect("no limit");
                if more == FAR {
                    break;
                }
                length += more;
                flow.augment(length, &mut work, &mut meter).expect("no limit");
                (rounds, lengths) = (rounds + 1, lengths + i32::from(more > 0));
            }
        }
        assert!(lengths > 1000 && rounds < 2 * lengths, "{rounds} {lengths}");
    }
}
