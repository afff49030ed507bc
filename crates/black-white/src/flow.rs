//! Distances and shortest plans without a search, by a minimum-cost flow of black pieces.
//!
//! # The network
//!
//! The nodes are the cells without a wall. An edge of cost 1 and unlimited capacity leads from each
//! cell to each of its neighbours. A cell that is black on the start and white on the target is a
//! source of one unit; a cell that is white on the start and black on the target is a sink of one
//! unit.
//!
//! Each move carries one black piece over one edge, so the moves of a plan add up to a flow, and no
//! plan has fewer moves than the cost of a minimum-cost flow. Conversely,
//! [`into_plan`](Flow::into_plan) turns each minimum-cost flow into a plan with as many moves.
//! `docs/black-white.md` has the proof. A flow does not pair sources with sinks, so the work
//! depends on cells and edges only, and not on pairs of pieces.
//!
//! # The algorithm
//!
//! Successive shortest paths with potentials, in rounds that augment the flow along many paths of
//! the same length (the primal-dual method, Ford and Fulkerson 1962):
//!
//! 1. Search for a shortest path from a source to a sink in the residual network, and raise the
//!    potentials by the distances. All reduced costs are 0, 1 or 2, so three buckets are a
//!    sufficient priority queue (Dial 1969).
//! 2. From each source, search depth-first for an augmenting path along edges of reduced cost 0,
//!    and augment the flow along it.
//!
//! A round takes time linear in the number of cells. Each round sends at least one unit, so there
//! are at most as many rounds as sources. In practice there is about one round per length of an
//! augmenting path, a few hundred on 256 x 256 cells.

use fewest_core::budget::{Limit, Meter};
use fewest_core::memory::{Block, Memory, OutOfMemory, Reservation, SegmentedVec};
use fewest_geometry::{Cell, Direction};

use crate::instance::Instance;
use crate::matching::Matching;
use crate::plan::{Exchange, Plan};

/// A cell as a node of the network, with its edges. Walls surround the board and separate its rows,
/// so that each cell has four neighbours.
#[derive(Clone, Copy)]
struct FlowCell {
    /// The potential: the distance from the sources in the residual network, as of the last round,
    /// and at most the distance of the nearest sink.
    potential: i32,
    /// The distance from the sources in this round, in reduced costs.
    distance: i32,
    /// The net flow to the neighbour on the east, and to the neighbour on the south.
    east: i32,
    south: i32,
    /// 1 at a source and -1 at a sink that the flow does not saturate yet; 0 elsewhere. Not updated
    /// by [`Flow::route`].
    excess: i8,
    /// Whether the cell is not a wall.
    open: bool,
    /// Whether a depth-first search of this round has visited the cell. False again for the cells
    /// of augmenting paths.
    visited: bool,
}

/// The number of directions: north, east, south and west, in this order.
const DIRECTIONS: usize = 4;

/// The distance of a cell that no path reaches.
const UNREACHED: i32 = i32::MAX;

/// A flow, with minimum cost among the flows that send the same units.
pub(crate) struct Flow {
    cells: Block<FlowCell>,
    /// The difference between the index of a cell and that of the cell below it.
    stride: usize,
    /// The cost, which is the number of moves of the plan.
    pub(crate) cost: u32,
}

/// The result of a computation that a limit stopped.
pub(crate) struct FlowStopped {
    pub(crate) limit: Limit,
    /// A lower bound on the cost of a minimum-cost flow.
    pub(crate) lower_bound: u32,
}

impl FlowStopped {
    /// Stopped before the first round. Each source takes at least one move.
    fn before_first_round(error: OutOfMemory, instance: &Instance) -> Self {
        let cells = instance.start().iter().zip(instance.target());
        Self {
            limit: error.into(),
            lower_bound: cells.filter(|&(&start, &target)| start && !target).count() as u32,
        }
    }
}

/// What the algorithm needs in addition to the cells.
struct FlowBuffers {
    /// The sources that the flow does not saturate yet.
    sources: SegmentedVec<u32>,
    buckets: [SegmentedVec<u32>; 3],
    path: CellPath,
}

/// A path: its cells, each with the direction to the next one.
type CellPath = SegmentedVec<(u32, u8)>;

/// The cost of a minimum-cost flow; `None` if there is no flow.
pub(crate) fn min_cost(
    instance: &Instance,
    meter: &mut Meter<'_>,
) -> Result<Option<u32>, FlowStopped> {
    match Matching::of_min_cost(instance) {
        Some(matching) => Ok(Some(matching.cost())),
        None => Ok(Flow::by_augmentation(instance, meter)?.map(|flow| flow.cost)),
    }
}

/// A price for each cell, in reading order, that prove the cost of a minimum-cost flow: they differ
/// by at most 1 between neighbours, and the sum of those of the target is greater than that of the
/// start by the cost. If there is no flow, they are equal between neighbours, and the sums differ.
pub(crate) fn prices(instance: &Instance, meter: &mut Meter<'_>) -> Result<Vec<i64>, Limit> {
    let flow = Flow::by_augmentation(instance, meter).map_err(|stopped| stopped.limit)?;
    let Some(flow) = flow else { return Ok(of_unbalanced_part(instance)) };
    let size = instance.size();
    let price = |cell: Cell| {
        let (row, column) = (cell.row as usize, cell.column as usize);
        i64::from(flow.cells[(row + 1) * flow.stride + column].potential)
    };
    Ok(size.cells().map(price).collect())
}

/// 1 for the cells of a part between walls that has different numbers of black pieces on the start
/// and on the target, and 0 for all others.
fn of_unbalanced_part(instance: &Instance) -> Vec<i64> {
    let (size, mut is_seen) = (instance.size(), instance.walls().to_vec());
    for first in size.cells() {
        if std::mem::replace(&mut is_seen[size.index(first)], true) {
            continue;
        }
        let (mut part, mut next) = (vec![first], 0);
        while let Some(&cell) = part.get(next) {
            next += 1;
            for direction in Direction::ALL {
                let other = size.neighbour(cell, direction);
                let is_new =
                    |&other: &Cell| !std::mem::replace(&mut is_seen[size.index(other)], true);
                part.extend(other.filter(is_new));
            }
        }
        let black = |board: &[bool]| part.iter().filter(|&&cell| board[size.index(cell)]).count();
        if black(instance.start()) != black(instance.target()) {
            let mut prices = vec![0; size.len()];
            part.iter().for_each(|&cell| prices[size.index(cell)] = 1);
            return prices;
        }
    }
    vec![0; size.len()]
}

impl Flow {
    /// Computes a minimum-cost flow, by a matching if few pieces are out of place. `None` if there
    /// is no flow, because a part of the board between walls has different numbers of black pieces
    /// on the start and on the target. A cell that step 1 of a round settles counts as an expanded
    /// state.
    pub(crate) fn of_min_cost(
        instance: &Instance,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Self>, FlowStopped> {
        let Some(matching) = Matching::of_min_cost(instance) else {
            return Self::by_augmentation(instance, meter);
        };
        let mut flow = Self::zero(instance, meter.memory())
            .map_err(|error| FlowStopped::before_first_round(error, instance))?;
        flow.route(&matching);
        Ok(Some(flow))
    }

    /// Computes a minimum-cost flow by successive shortest paths, for any number of pieces.
    fn by_augmentation(
        instance: &Instance,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Self>, FlowStopped> {
        let stopped = |error| FlowStopped::before_first_round(error, instance);
        let mut flow = Self::zero(instance, meter.memory()).map_err(stopped)?;
        let mut buffers = flow.buffers(meter.memory()).map_err(stopped)?;
        Ok(flow.saturate(&mut buffers, meter)?.then_some(flow))
    }

    /// Augments the flow until it saturates all sources and sinks. Returns whether this is
    /// possible.
    fn saturate(
        &mut self,
        buffers: &mut FlowBuffers,
        meter: &mut Meter<'_>,
    ) -> Result<bool, FlowStopped> {
        if buffers.sources.len() != self.cells.iter().filter(|cell| cell.excess < 0).count() {
            return Ok(false);
        }
        let mut length = 0;
        while !buffers.sources.is_empty() {
            // Lengths never decrease, and each remaining source takes at least one move.
            let bound = u64::from(self.cost) + buffers.sources.len() as u64 * length.max(1) as u64;
            let lower_bound = u32::try_from(bound).unwrap_or(u32::MAX);
            let stopped = |limit| FlowStopped { limit, lower_bound };
            match self.update_potentials(buffers, meter).map_err(stopped)? {
                UNREACHED => return Ok(false),
                increase => length += increase,
            }
            self.augment(length, buffers, meter).map_err(stopped)?;
        }
        Ok(true)
    }

    /// Empty buffers with all sources.
    fn buffers(&self, memory: &Memory) -> Result<FlowBuffers, OutOfMemory> {
        let list = || SegmentedVec::new(memory);
        let mut buffers = FlowBuffers {
            sources: list(),
            buckets: [list(), list(), list()],
            path: CellPath::new(memory),
        };
        for cell in (0..self.cells.len()).filter(|&cell| self.cells[cell].excess > 0) {
            buffers.sources.push(cell as u32)?;
        }
        Ok(buffers)
    }

    /// Sends one unit from each source to its matched sink, along the row first. This costs at most
    /// as much as the matching, and no flow costs less. So it is a minimum-cost flow: no two units
    /// cancel, and there is no cycle. Does not update [`FlowCell::excess`].
    fn route(&mut self, matching: &Matching) {
        for &[from, to] in matching.pairs() {
            let mut send = |row: i32, column: i32, direction| {
                self.add_unit((row + 1) as usize * self.stride + column as usize, direction);
            };
            (from.column..to.column).for_each(|column| send(from.row, column, 1));
            (to.column + 1..=from.column).for_each(|column| send(from.row, column, 3));
            (from.row..to.row).for_each(|row| send(row, to.column, 2));
            (to.row + 1..=from.row).for_each(|row| send(row, to.column, 0));
        }
        self.cost = matching.cost();
    }

    /// The flow that sends nothing.
    fn zero(instance: &Instance, memory: &Memory) -> Result<Self, OutOfMemory> {
        let (rows, columns) = (instance.size().rows(), instance.size().columns());
        let stride = columns + 1;
        let wall = FlowCell {
            potential: 0,
            distance: 0,
            east: 0,
            south: 0,
            excess: 0,
            open: false,
            visited: false,
        };
        let mut cells = Block::filled(wall, (rows + 2) * stride + 1, memory)?;
        let each = instance.start().iter().zip(instance.target()).zip(instance.walls());
        for (index, ((&start, &target), &wall)) in each.enumerate() {
            let cell = &mut cells[(index / columns + 1) * stride + index % columns];
            cell.open = !wall;
            cell.excess = i8::from(start) - i8::from(target);
        }
        Ok(Self { cells, stride, cost: 0 })
    }

    #[inline]
    fn neighbour(&self, cell: usize, direction: usize) -> usize {
        match direction {
            0 => cell - self.stride,
            1 => cell + 1,
            2 => cell + self.stride,
            _ => cell - 1,
        }
    }

    /// The net flow from a cell to its neighbour in a direction.
    #[inline]
    fn net_flow(&self, cell: usize, direction: usize) -> i32 {
        match direction {
            0 => -self.cells[cell - self.stride].south,
            1 => self.cells[cell].east,
            2 => self.cells[cell].south,
            _ => -self.cells[cell - 1].east,
        }
    }

    /// Adds one unit of flow from a cell to its neighbour in a direction.
    #[inline]
    fn add_unit(&mut self, cell: usize, direction: usize) {
        match direction {
            0 => self.cells[cell - self.stride].south -= 1,
            1 => self.cells[cell].east += 1,
            2 => self.cells[cell].south += 1,
            _ => self.cells[cell - 1].east -= 1,
        }
    }

    /// The reduced cost of one more unit from a cell to its neighbour `to`: 0, 1 or 2. The cost in
    /// the residual network is 1, or -1 if the unit cancels a unit in the opposite direction.
    #[inline]
    fn reduced_cost(&self, cell: usize, direction: usize, to: usize) -> i32 {
        let cost = if self.net_flow(cell, direction) < 0 { -1 } else { 1 };
        cost + self.cells[cell].potential - self.cells[to].potential
    }

    /// Raises each potential by the distance of its cell in this round, at most by that of the
    /// nearest sink. Returns by how much the length of a shortest augmenting path has increased, or
    /// [`UNREACHED`] if there is no augmenting path.
    ///
    /// Invariant: the potential of each sink is the length of a shortest augmenting path, because
    /// no potential exceeds this length, and no sink is nearer.
    fn update_potentials(
        &mut self,
        buffers: &mut FlowBuffers,
        meter: &mut Meter<'_>,
    ) -> Result<i32, Limit> {
        self.cells.iter_mut().for_each(|cell| cell.distance = UNREACHED);
        for source in buffers.sources.iter() {
            self.cells[source as usize].distance = 0;
            buffers.buckets[0].push(source)?;
        }
        let (mut nearest, mut key, mut empty_buckets) = (UNREACHED, 0, 0);
        while empty_buckets < buffers.buckets.len() {
            let Some(cell) = buffers.buckets[key as usize % 3].pop() else {
                (key, empty_buckets) = (key + 1, empty_buckets + 1);
                continue;
            };
            empty_buckets = 0;
            let cell = cell as usize;
            if self.cells[cell].distance != key {
                continue;
            }
            meter.expand()?;
            if self.cells[cell].excess < 0 {
                nearest = key;
                break;
            }
            for direction in 0..DIRECTIONS {
                let to = self.neighbour(cell, direction);
                if !self.cells[to].open {
                    continue;
                }
                let distance = key + self.reduced_cost(cell, direction, to);
                if distance < self.cells[to].distance {
                    self.cells[to].distance = distance;
                    buffers.buckets[distance as usize % 3].push(to as u32)?;
                    meter.generate()?;
                }
            }
        }
        buffers.buckets.iter_mut().for_each(SegmentedVec::clear);
        if nearest != UNREACHED {
            self.cells.iter_mut().for_each(|cell| cell.potential += cell.distance.min(nearest));
        }
        Ok(nearest)
    }

    /// Augments the flow along paths of reduced cost 0, whose length is `length`. A path is not
    /// found if it leads over a cell from which an earlier search of this round found none. The
    /// next round then finds the same length again.
    fn augment(
        &mut self,
        length: i32,
        buffers: &mut FlowBuffers,
        meter: &mut Meter<'_>,
    ) -> Result<(), Limit> {
        self.cells.iter_mut().for_each(|cell| cell.visited = false);
        let mut left = SegmentedVec::new(meter.memory());
        for source in buffers.sources.iter() {
            meter.poll()?;
            if self.find_augmenting_path(source as usize, &mut buffers.path, meter)? {
                let mut end = source as usize;
                for (cell, direction) in buffers.path.iter() {
                    self.add_unit(cell as usize, direction.into());
                    self.cells[cell as usize].visited = false;
                    end = self.neighbour(cell as usize, direction.into());
                }
                self.cells[source as usize].excess -= 1;
                self.cells[end].excess += 1;
                // Between many walls a path may have as many edges as there are cells.
                self.cost = self.cost.checked_add(length as u32).ok_or(Limit::Encoding)?;
            } else {
                left.push(source)?;
            }
        }
        buffers.sources = left;
        Ok(())
    }

    /// Searches depth-first for a path of reduced cost 0 from a source to a sink. Returns whether
    /// it found one, and stores it in `path`.
    fn find_augmenting_path(
        &mut self,
        source: usize,
        path: &mut CellPath,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Limit> {
        path.clear();
        let (mut cell, mut direction) = (source, 0);
        self.cells[cell].visited = true;
        loop {
            if direction == DIRECTIONS {
                let Some((previous, tried)) = path.pop() else { return Ok(false) };
                (cell, direction) = (previous as usize, usize::from(tried) + 1);
                continue;
            }
            let to = self.neighbour(cell, direction);
            let next = &self.cells[to];
            if !next.open || next.visited || self.reduced_cost(cell, direction, to) != 0 {
                direction += 1;
                continue;
            }
            path.push((cell as u32, direction as u8))?;
            if next.excess < 0 {
                return Ok(true);
            }
            meter.poll()?;
            self.cells[to].visited = true;
            (cell, direction) = (to, 0);
        }
    }

    /// Decomposes the flow into moves, in an order in which each is legal: a move is legal if it
    /// takes a black piece to the cell of a white one.
    ///
    /// A cell with inflow and no outflow has no black piece. Follow the flow from it upstream to
    /// the first cell with a black piece, and move this piece downstream to the end; all cells on
    /// the path after the first have white pieces. This takes one move per edge of the path. The
    /// rest of the flow is a minimum-cost flow for the new board.
    pub(crate) fn into_plan(
        mut self,
        instance: &Instance,
        meter: &mut Meter<'_>,
    ) -> Result<Plan, Limit> {
        let mut reservation = Reservation::none(meter.memory());
        reservation.grow(u64::from(self.cost) * size_of::<Exchange>() as u64)?;
        let mut plan = Plan::new();
        plan.try_reserve_exact(self.cost as usize).map_err(|_| Limit::Memory)?;
        let (size, stride) = (instance.size(), self.stride);
        let board_index = |cell: usize| (cell / stride - 1) * size.columns() + cell % stride;
        let place = |cell: usize| size.cell(board_index(cell));
        let mut black = Block::filled(false, size.len(), meter.memory())?;
        black.copy_from_slice(instance.start());
        let has_no_outflow = |flow: &Self, cell: usize| {
            (0..DIRECTIONS).all(|direction| flow.net_flow(cell, direction) <= 0)
        };
        let mut ends = SegmentedVec::new(meter.memory());
        for cell in (0..self.cells.len())
            .filter(|&cell| self.cells[cell].open && has_no_outflow(&self, cell))
        {
            ends.push(cell as u32)?;
        }
        let mut path = CellPath::new(meter.memory());
        while let Some(end) = ends.pop() {
            let end = end as usize;
            let mut cell = end;
            while let Some(direction) = (0..DIRECTIONS)
                .find(|&direction| self.net_flow(cell, direction) < 0)
                .filter(|_| !black[board_index(cell)])
            {
                path.push((cell as u32, direction as u8))?;
                cell = self.neighbour(cell, direction);
            }
            black.swap(board_index(cell), board_index(end));
            while let Some((to, direction)) = path.pop() {
                let (to, direction) = (to as usize, usize::from(direction));
                meter.poll()?;
                plan.push(Exchange::new(place(cell), place(to)));
                self.add_unit(to, direction);
                if has_no_outflow(&self, cell) {
                    ends.push(cell as u32)?;
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
    use fewest_puzzle::random::Random;
    use fewest_rules::verify;

    use super::*;
    use crate::instance::{Board, Size};

    /// Random boards with the same number of black pieces; each cell is a wall with a probability
    /// of `percent` percent.
    fn boards(size: Size, percent: usize, random: &mut Random) -> Instance {
        let walls: Vec<bool> = (0..size.len()).map(|_| random.below(100) < percent).collect();
        let open: Vec<usize> = (0..size.len()).filter(|&cell| !walls[cell]).collect();
        let black_pieces = random.below(open.len() + 1);
        let mut board = || -> Board {
            let mut cells = open.clone();
            random.shuffle(&mut cells);
            cells[..black_pieces].iter().fold(vec![false; size.len()], |mut board, &cell| {
                board[cell] = true;
                board
            })
        };
        let (start, target) = (board(), board());
        Instance::with_walls(size, walls, start, target).expect("no piece on a wall")
    }

    /// Checks by the potentials that no plan is shorter. They differ by at most 1 along each edge,
    /// so a move raises the sum of the potentials of all black pieces by at most 1. From the start
    /// to the target this sum has to rise by the cost of the flow.
    fn assert_min_cost(flow: &Flow, boards: &Instance) {
        let columns = boards.size().columns();
        let cell = |index: usize| (index / columns + 1) * flow.stride + index % columns;
        let mut rise = 0;
        for index in 0..boards.size().len() {
            let here = &flow.cells[cell(index)];
            for direction in [1, 2] {
                let there = &flow.cells[flow.neighbour(cell(index), direction)];
                assert!(!here.open || !there.open || here.potential.abs_diff(there.potential) <= 1);
            }
            rise += here.potential
                * (i32::from(boards.target()[index]) - i32::from(boards.start()[index]));
        }
        assert_eq!(rise, flow.cost as i32, "{}", boards.drawing());
    }

    #[test]
    fn flows_have_minimum_cost_and_are_plans() {
        let budget = Budget::unlimited();
        let mut random = Random::from_seed(1);
        let mut unsolvable = 0;
        for round in 0..3000 {
            let size = Size::new(1 + random.below(30), 1 + random.below(30)).expect("a size");
            let boards = boards(size, [0, 10, 30, 50][round % 4], &mut random);
            let mut meter = budget.meter();
            let flow = Flow::by_augmentation(&boards, &mut meter).ok().expect("no limit");
            let Some(flow) = flow else {
                unsolvable += 1;
                continue;
            };
            assert_min_cost(&flow, &boards);
            let cost = flow.cost;
            let plan = flow.into_plan(&boards, &mut meter).expect("no limit");
            let moves = verify(&boards, plan).map(|plan| plan.len() as u32);
            assert_eq!(moves, Ok(cost), "{}", boards.drawing());
        }
        assert!((500..2000).contains(&unsolvable), "{unsolvable}");
    }

    #[test]
    fn matchings_cost_as_much_as_flows() {
        let budget = Budget::unlimited();
        let mut random = Random::from_seed(2);
        let mut matched = 0;
        for _ in 0..20_000 {
            let size = Size::new(1 + random.below(6), 1 + random.below(6)).expect("a size");
            let boards = boards(size, 0, &mut random);
            let Some(matching) = Matching::of_min_cost(&boards) else { continue };
            let flow = Flow::by_augmentation(&boards, &mut budget.meter());
            let flow = flow.ok().flatten().expect("a flow");
            assert_eq!(matching.cost(), flow.cost, "{}", boards.drawing());
            matched += 1;
        }
        assert!(matched > 15_000, "{matched}");
    }

    #[test]
    fn parts_with_different_numbers_of_pieces_have_no_plan() {
        let size = Size::new(1, 5).expect("a size");
        let read =
            |text: &[u8]| Instance::read(text, size).next().expect("a data set").expect("no error");
        let cost =
            |text| min_cost(&read(text), &mut Budget::unlimited().meter()).ok().expect("no limit");
        assert_eq!(cost(b"10#10 01#01"), Some(2));
        assert_eq!(cost(b"10#10 11#00"), None);
        assert_eq!(cost(b"10#10 01#11"), None);
    }

    #[test]
    fn state_limit_gives_a_lower_bound() {
        let mut random = Random::from_seed(3);
        let [mut stopped, mut high] = [0; 2];
        for round in 0..300 {
            let size = Size::new(12, 12).expect("a size");
            let boards = boards(size, 0, &mut random);
            let expected =
                min_cost(&boards, &mut Budget::unlimited().meter()).ok().flatten().expect("a plan");
            let sources = boards
                .start()
                .iter()
                .zip(boards.target())
                .filter(|&(start, target)| start > target)
                .count();
            let budget = Budget::unlimited().with_state_limit(4 * round);
            match min_cost(&boards, &mut budget.meter()) {
                Ok(cost) => assert_eq!(cost, Some(expected)),
                Err(FlowStopped { limit, lower_bound }) => {
                    assert_eq!(limit, Limit::States);
                    assert!(
                        (sources as u32..=expected).contains(&lower_bound),
                        "{sources} {lower_bound} {expected}"
                    );
                    stopped += 1;
                    // The bound is more than one move per source after some rounds.
                    high += usize::from(2 * lower_bound > expected);
                }
            }
        }
        assert!(stopped > 50 && high > 20, "{stopped} {high}");
    }

    #[test]
    fn memory_limit_stops_or_gives_the_plan() {
        let size = Size::new(64, 64).expect("a size");
        let boards = boards(size, 0, &mut Random::from_seed(4));
        let plan = |budget: &Budget| {
            let mut meter = budget.meter();
            let flow = Flow::of_min_cost(&boards, &mut meter)
                .map_err(|stopped| stopped.limit)?
                .expect("equal numbers of pieces");
            Ok(flow.into_plan(&boards, &mut meter)?.len())
        };
        let budget = Budget::unlimited();
        let (moves, peak_bytes) = (plan(&budget).expect("no limit"), budget.memory().peak_bytes());
        let with_limit = |memory_bytes| {
            Budget::new(Limits { memory_bytes: Some(memory_bytes), ..Limits::default() })
        };
        for part in 0..20 {
            let budget = with_limit(peak_bytes * part / 20);
            assert_eq!(plan(&budget), Err(Limit::Memory));
            assert!(budget.memory().peak_bytes() <= peak_bytes * part / 20);
        }
        assert_eq!(plan(&with_limit(peak_bytes)), Ok(moves));
    }

    /// The module doc says that there is about one round per path length; here there are fewer than
    /// two.
    #[test]
    fn most_rounds_have_a_new_path_length() {
        let mut random = Random::from_seed(5);
        let [mut rounds, mut lengths] = [0; 2];
        for round in 0..300 {
            let boards =
                boards(Size::new(24, 24).expect("a size"), [0, 5, 10][round % 3], &mut random);
            let budget = Budget::unlimited();
            let mut meter = budget.meter();
            let mut flow = Flow::zero(&boards, meter.memory()).expect("no limit");
            let mut buffers = flow.buffers(meter.memory()).expect("no limit");
            let mut length = 0;
            while !buffers.sources.is_empty() {
                let increase = flow.update_potentials(&mut buffers, &mut meter).expect("no limit");
                if increase == UNREACHED {
                    break;
                }
                length += increase;
                flow.augment(length, &mut buffers, &mut meter).expect("no limit");
                (rounds, lengths) = (rounds + 1, lengths + i32::from(increase > 0));
            }
        }
        assert!(lengths > 1000 && rounds < 2 * lengths, "{rounds} {lengths}");
    }
}
