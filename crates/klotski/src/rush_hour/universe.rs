//! All Rush Hour boards of a size: cars of two and three cells, and a red car of two cells in the
//! third row, with no other horizontal car in that row. No lane is full. A move slides one car by
//! any distance; a board is solved when the red car is at the right end of its row.
//!
//! The cars of a lane and their order never change, so the boards fall into *lane sets*: what cars
//! each row and column has. A lane set is a set of placements of the rows, each with a product of
//! the placements of every column that fit between the cars of the rows. This numbers the boards of
//! a lane set densely, and one breadth-first search from all its solved boards finds the distances
//! in all its components. A *component* is a set of boards that can be reached from each other.
//!
//! The lane sets with the same cars in the rows are searched together, and their distances are
//! kept: removing a car of a column is one look into an earlier lane set. *Row sets*, the cars of
//! all rows, are independent of each other. On 5x5 the red car is in the middle row, so a board
//! upside down has the same distance, and a row set is searched together with its mirror image.
//!
//! M. Fogleman listed these boards first, with his program `rush`. The counts of packed boards,
//! components (*clusters*) and minimal components agree with it, and so do the hardest boards.
//!
//! ```
//! use fewest_core::budget::Budget;
//! use fewest_klotski::rush_hour::universe::{Totals, Universe};
//!
//! let universe = Universe::<4>::new();
//! let mut totals = Totals::default();
//! let mut hardest = 0;
//! for row_set in 0..universe.row_sets() {
//!     let found = universe.search(row_set, &Budget::unlimited(), |component| {
//!         hardest = hardest.max(component.layers.len() - 1);
//!     });
//!     totals += found.unwrap();
//! }
//! assert_eq!((totals.boards, totals.packed, totals.components), (9_304, 1_150, 880));
//! assert_eq!((totals.solvable, totals.minimal, hardest), (493, 32, 7));
//! ```

use std::cmp::Ordering;
use std::ops::AddAssign;

use fewest_core::budget::{Budget, Limit, Meter};
use fewest_core::memory::Reservation;

use super::RED_ROW;
use super::cars::{Car, upside_down};
use super::lane_set::{
    Entry, LaneSet, RED_LANE, Rows, Tables, UNSOLVABLE, cells_upside_down, root,
};
use crate::board::Board;

/// All boards of N x N cells, where N is 4, 5 or 6.
pub struct Universe<const N: usize>(Tables<N>);

/// Numbers of boards and components.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// All boards.
    pub boards: u64,
    /// The boards on which no car can move left or up. Every component has such a board.
    pub packed: u64,
    /// The components.
    pub components: u64,
    /// The components with a solved board.
    pub solvable: u64,
    /// The solvable components in which every car is needed.
    pub minimal: u64,
}

impl AddAssign for Totals {
    fn add_assign(&mut self, other: Self) {
        self.boards += other.boards;
        self.packed += other.packed;
        self.components += other.components;
        self.solvable += other.solvable;
        self.minimal += other.minimal;
    }
}

/// A component with a solved board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// A board of the greatest distance: that with the least set of the cells of horizontal cars,
    /// and then of vertical ones. The first cell is the lowest bit.
    pub hardest: Board,
    /// The number of boards at each distance from the nearest solved board.
    pub layers: Vec<u64>,
    /// Whether every car is needed: whichever is removed from the hardest board, it takes fewer
    /// moves.
    pub is_minimal: bool,
}

impl<const N: usize> Default for Universe<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Universe<N> {
    /// The boards of a size.
    pub fn new() -> Self {
        Self(Tables::new())
    }

    /// The number of row sets.
    pub fn row_sets(&self) -> usize {
        self.0.lanes.len().pow(N as u32 - 1)
    }

    /// The lanes of the rows of a row set.
    fn rows(&self, row_set: usize) -> [usize; N] {
        let mut rest = row_set;
        std::array::from_fn(|row| {
            if row == RED_ROW {
                return RED_LANE;
            }
            let lane = rest % self.0.lanes.len();
            rest /= self.0.lanes.len();
            lane
        })
    }

    /// The number of boards that the search of a row set counts.
    pub fn row_set_boards(&self, row_set: usize) -> u64 {
        let rows = self.rows(row_set);
        Mirroring::of(rows).of_both(self.boards_of(&self.0.row_placements(rows, [0; N])))
    }

    /// The number of boards with any of these placements of the rows.
    fn boards_of(&self, placements: &[Rows<N>]) -> u64 {
        let fits = |blocked: u8| -> u64 {
            self.0.fittings.iter().map(|lane| u64::from(lane[usize::from(blocked)].count)).sum()
        };
        let fits: Vec<u64> = (0..1 << N).map(fits).collect();
        let columns = |rows: &Rows<N>| -> u64 {
            rows.blocked.iter().map(|&blocked| fits[usize::from(blocked)]).product()
        };
        placements.iter().map(columns).sum()
    }

    /// Finds the components of a row set and passes those with a solved board to `visit`. If the
    /// mirror image is another row set, one of the two has the components of both, and the other
    /// none.
    ///
    /// # Errors
    /// The limit that stopped the work. A limit of states limits the number of boards, with those
    /// of the mirror image.
    pub fn search<'a>(
        &'a self,
        row_set: usize,
        budget: &'a Budget,
        visit: impl FnMut(Component),
    ) -> Result<Totals, Limit> {
        let rows = self.rows(row_set);
        let mirroring = Mirroring::of(rows);
        if mirroring == Mirroring::Elsewhere {
            return Ok(Totals::default());
        }
        let set = LaneSet::new(&self.0, rows, [0; N], budget.memory())?;
        let boards = self.boards_of(&set.placements);
        if mirroring.of_both(boards) > budget.states() {
            return Err(Limit::States);
        }
        let sets = self.0.lanes.len().pow(N as u32);
        // The lists of placements that fit, one for each column, are in `choose_columns`.
        let lists = set.placements.len() * (N + 1) * size_of::<(u32, u32)>();
        let tables = lists + sets * size_of::<Distances>();
        let mut reserved = Reservation::none(budget.memory());
        reserved.grow(tables as u64 + boards * size_of::<u8>() as u64)?;
        let all: Vec<(u32, u32)> = (0..set.placements.len() as u32).map(|rows| (rows, 1)).collect();
        let mut search = RowSetSearch {
            tables: &self.0,
            set,
            mirroring,
            known: vec![Distances::default(); sets],
            reserved,
            distances: Vec::with_capacity(boards as usize),
            meter: budget.meter(),
            found: Vec::new(),
            totals: Totals::default(),
            visit,
        };
        search.choose_columns(0, &all)?;
        Ok(search.totals)
    }
}

/// Whether the mirror image of a row set is searched with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mirroring {
    /// It has none with the red car in the same row, or it is its own.
    None,
    /// Both are searched together.
    Both,
    /// It is searched with its mirror image.
    Elsewhere,
}

impl Mirroring {
    fn of<const N: usize>(rows: [usize; N]) -> Self {
        if RED_ROW != N - 1 - RED_ROW {
            return Self::None;
        }
        match rows.iter().cmp(rows.iter().rev()) {
            Ordering::Less => Self::Both,
            Ordering::Equal => Self::None,
            Ordering::Greater => Self::Elsewhere,
        }
    }

    /// How many boards or components are counted if the row set alone has this number of them.
    fn of_both(self, count: u64) -> u64 {
        match self {
            Self::None => count,
            Self::Both => 2 * count,
            Self::Elsewhere => 0,
        }
    }
}

/// Where the distances of a lane set are.
#[derive(Clone, Default)]
struct Distances {
    /// The index of the distance of its first board.
    base: usize,
    /// The placements of the rows that have a board, in ascending order, and the number of their
    /// first board.
    starts: Vec<(u32, u32)>,
}

/// What is known about the boards of a label.
#[derive(Clone, Default)]
struct LabelBoards {
    layers: Vec<u64>,
    /// The index of the hardest board in the queue.
    hardest: usize,
    /// The index of the board whose mirror image is the hardest of the mirror images.
    hardest_image: usize,
}

struct RowSetSearch<'a, const N: usize, V> {
    tables: &'a Tables<N>,
    set: LaneSet<'a, N>,
    mirroring: Mirroring,
    /// The lane sets that were searched, by the number of their columns.
    known: Vec<Distances>,
    reserved: Reservation,
    /// The distances of the boards of all lane sets.
    distances: Vec<u8>,
    meter: Meter<'a>,
    found: Vec<LabelBoards>,
    totals: Totals,
    visit: V,
}

impl<const N: usize, V: FnMut(Component)> RowSetSearch<'_, N, V> {
    /// Searches all lane sets whose first columns are chosen. `rows` are the placements of the rows
    /// that leave room for these columns, and the number of ways.
    fn choose_columns(&mut self, column: usize, rows: &[(u32, u32)]) -> Result<(), Limit> {
        if rows.is_empty() {
            return Ok(());
        }
        if column == N {
            return self.search(rows);
        }
        let mut fitting = Vec::with_capacity(rows.len());
        for lane in 0..self.tables.lanes.len() {
            let fittings = &self.tables.fittings[lane];
            fitting.clear();
            fitting.extend(rows.iter().filter_map(|&(rows, ways)| {
                let blocked = self.set.placements[rows as usize].blocked[column];
                let count = fittings[usize::from(blocked)].count;
                (count > 0).then_some((rows, ways * u32::from(count)))
            }));
            self.set.columns[column] = lane;
            self.choose_columns(column + 1, &fitting)?;
        }
        Ok(())
    }

    /// The number of a lane set.
    fn set_index(&self, columns: [usize; N]) -> usize {
        columns.into_iter().fold(0, |index, lane| index * self.tables.lanes.len() + lane)
    }

    /// Searches a lane set: `rows` are the placements of its rows and their numbers of boards.
    fn search(&mut self, rows: &[(u32, u32)]) -> Result<(), Limit> {
        let count = self.set.number_boards(rows)?;
        self.meter.poll_after(count)?;
        self.reserved.grow(size_of_val(rows) as u64)?;
        let (mut packed, mut components) = (self.set.find_distances(), 0);
        if self.set.queue.len() < count as usize {
            let unsolvable = self.set.mark_unsolvable();
            components = unsolvable.0;
            packed += unsolvable.1;
        }
        self.totals.boards += self.mirroring.of_both(count.into());
        self.totals.components += self.mirroring.of_both(components);
        self.totals.packed += packed.up;
        if self.mirroring == Mirroring::Both {
            self.totals.packed += packed.down;
        }
        let base = self.distances.len();
        self.distances.extend(self.set.marks.iter().map(|mark| mark.distance()));
        let slots = &self.set.boards.slots;
        let starts = slots.iter().map(|slot| (slot.rows, slot.start)).collect();
        let index = self.set_index(self.set.columns);
        self.known[index] = Distances { base, starts };
        self.find_components()
    }

    /// Passes the solvable components to `visit`.
    fn find_components(&mut self) -> Result<(), Limit> {
        let (set, found) = (&mut self.set, &mut self.found);
        let image =
            |(rows, columns)| (cells_upside_down::<N>(rows), cells_upside_down::<N>(columns));
        let more = set.parents.len().saturating_sub(found.capacity());
        self.reserved.grow((more * size_of::<LabelBoards>()) as u64)?;
        found.clear();
        found.reserve_exact(set.parents.len());
        found.resize(set.parents.len(), LabelBoards::default());
        for (index, board) in set.queue.iter().enumerate() {
            let mark = set.marks[board.number as usize];
            let component = &mut found[root(&mut set.parents, mark.label()) as usize];
            if component.layers.len() == usize::from(mark.distance()) {
                component.layers.push(0);
                (component.hardest, component.hardest_image) = (index, index);
            }
            component.layers[usize::from(mark.distance())] += 1;
        }
        for index in 0..set.queue.len() {
            let board = set.queue[index];
            let mark = set.marks[board.number as usize];
            let component = &mut found[root(&mut set.parents, mark.label()) as usize];
            if component.layers.len() - 1 > usize::from(mark.distance()) {
                continue;
            }
            if set.cells(board) < set.cells(set.queue[component.hardest]) {
                component.hardest = index;
            }
            if self.mirroring == Mirroring::Both
                && image(set.cells(board)) < image(set.cells(set.queue[component.hardest_image]))
            {
                component.hardest_image = index;
            }
        }
        let mut found = std::mem::take(found);
        for component in found.iter_mut().filter(|component| !component.layers.is_empty()) {
            let (layers, hardest) = (std::mem::take(&mut component.layers), component.hardest);
            let moves = (layers.len() - 1) as u8;
            let mut is_minimal = self.is_minimal(self.set.queue[hardest], moves);
            let board = self.set.cars(self.set.queue[hardest]).board();
            if self.mirroring != Mirroring::Both {
                self.visit_component(board, layers, is_minimal);
                continue;
            }
            self.visit_component(board, layers.clone(), is_minimal);
            let hardest_image = self.set.queue[component.hardest_image];
            if component.hardest_image != hardest {
                is_minimal = self.is_minimal(hardest_image, moves);
            }
            let board = upside_down(&self.set.cars(hardest_image).board());
            self.visit_component(board, layers, is_minimal);
        }
        self.found = found;
        Ok(())
    }

    fn visit_component(&mut self, hardest: Board, layers: Vec<u64>, is_minimal: bool) {
        self.totals.components += 1;
        self.totals.solvable += 1;
        self.totals.minimal += u64::from(is_minimal);
        (self.visit)(Component { hardest, layers, is_minimal });
    }

    /// Whether a board takes fewer than `moves` moves, whichever of its cars is removed.
    fn is_minimal(&self, board: Entry, moves: u8) -> bool {
        let rows = self.set.boards.slots[board.slot as usize].rows;
        let placements = std::array::from_fn(|column| board.columns.placement(column));
        let all_columns_needed = (0..N).all(|column| {
            let mut reductions = self.tables.lanes[self.set.columns[column]].reductions.iter();
            reductions.all(|reduction| {
                let (mut lanes, mut placements) = (self.set.columns, placements);
                lanes[column] = reduction.lane;
                placements[column] = usize::from(reduction.placements[placements[column]]);
                self.distance(lanes, rows, placements) < moves
            })
        });
        // The columns are cheaper to check, and most boards end here.
        all_columns_needed && {
            let (cars, moved) = (self.set.cars(board), self.moved_in_rows(board));
            let is_unknown = |&car: &usize| {
                let Car { is_horizontal, lane, index, .. } = cars.cars()[car];
                is_horizontal && moved[usize::from(lane)] >> index & 1 == 0
            };
            let mut unknown = (1..cars.cars().len()).filter(is_unknown);
            unknown.all(|car| cars.without(car).takes_fewer_than(moves.into()))
        }
    }

    /// For each row, the set of its cars that move in one shortest plan, and therefore are needed.
    fn moved_in_rows(&self, board: Entry) -> [u8; N] {
        let mut moved = [0; N];
        let (mut here, mut next) = (board, None);
        let distance = |board: Entry| self.set.marks[board.number as usize].distance();
        while distance(here) > 0 {
            self.set.boards.neighbours(here, |neighbour| {
                if distance(neighbour) < distance(here) {
                    next = Some(neighbour);
                }
            });
            let Some(to) = next.take() else { break };
            for (row, moved) in moved.iter_mut().enumerate() {
                let firsts = |board: Entry| {
                    let placement = self.set.boards.slots[board.slot as usize].placements[row];
                    &self.tables.lanes[self.set.rows[row]].placements[usize::from(placement)].firsts
                };
                for (car, (from, to)) in firsts(here).iter().zip(firsts(to)).enumerate() {
                    *moved |= u8::from(from != to) << car;
                }
            }
            here = to;
        }
        moved
    }

    /// The distance of a board of a lane set that was searched.
    fn distance(&self, lanes: [usize; N], rows: u32, placements: [usize; N]) -> u8 {
        let set = &self.known[self.set_index(lanes)];
        let Ok(slot) = set.starts.binary_search_by_key(&rows, |(rows, _)| *rows) else {
            return UNSOLVABLE;
        };
        let (mut board, mut weight) = (set.starts[slot].1, 1);
        for column in 0..N {
            let blocked = self.set.placements[rows as usize].blocked[column];
            let fitting = &self.tables.fittings[lanes[column]][usize::from(blocked)];
            board += weight * u32::from(fitting.ranks[placements[column]]);
            weight *= u32::from(fitting.count);
        }
        self.distances[set.base + board as usize]
    }
}
