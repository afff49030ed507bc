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
//! The lane sets with the same cars in the rows are searched together, and their distances are kept:
//! removing a car of a column is one look into an earlier lane set. *Row sets*, the cars of all rows,
//! are independent of each other.
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

use std::iter;
use std::ops::AddAssign;

use fewest_core::budget::{Budget, Limit, Meter};
use fewest_core::memory::{OutOfMemory, Reservation};

use super::RED_ROW;
use super::cars::{Car, Cars};
use super::lane::{Fitting, Lane, NOT_PACKED, PLACEMENTS, bits, lanes};
use crate::board::Board;

/// The index of the lane of the red car.
const RED_LANE: usize = 1;
/// A row of a cell set has this number of bits.
const ROW_BITS: usize = 6;
/// The bits of a set of cells.
const CELL_BITS: usize = ROW_BITS * MAX_LANES;
const MAX_LANES: usize = 6;
/// The bits of a set of placements in a word for all lanes of a direction.
const LANE_BITS: usize = 8;
/// [`NOT_PACKED`] of each lane.
const ANY_NOT_PACKED: u64 = NOT_PACKED as u64 * 0x0101_0101_0101_0101;

/// The distance of a board of an unsolvable component.
const UNSOLVABLE: u8 = u8::MAX - 1;

/// All boards of N x N cells, where N is 4, 5 or 6.
pub struct Universe<const N: usize> {
    lanes: Vec<Lane>,
    /// For each lane and each set of blocked cells: the placements that fit.
    fittings: Vec<[Fitting; 1 << ROW_BITS]>,
    /// [`Fitting::slides`] of `fittings`, in a table that stays in the cache.
    slides: Vec<[[u8; PLACEMENTS]; 1 << ROW_BITS]>,
    /// For each lane, column and placement: what it adds to [`Columns`].
    columns: Vec<[[Columns; PLACEMENTS]; N]>,
}

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
    /// Whether every car is needed: whichever is removed from the hardest board, it takes fewer moves.
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
        const { assert!(4 <= N && N <= MAX_LANES, "a side is 4, 5 or 6") };
        let lanes = lanes(N);
        let fittings = |lane| std::array::from_fn(|blocked| Fitting::new(lane, blocked as u8));
        let fittings: Vec<[Fitting; 1 << ROW_BITS]> = lanes.iter().map(fittings).collect();
        let columns = |lane: &Lane| {
            std::array::from_fn(|column| {
                let mut placements = [Columns::NONE; PLACEMENTS];
                for (index, placement) in placements[..lane.placements.len()].iter_mut().enumerate()
                {
                    *placement = Columns::of(column, index, lane);
                }
                placements
            })
        };
        Self {
            slides: fittings.iter().map(|of_lane| of_lane.map(|fitting| fitting.slides)).collect(),
            fittings,
            columns: lanes.iter().map(columns).collect(),
            lanes,
        }
    }

    /// The number of row sets.
    pub fn row_sets(&self) -> usize {
        self.lanes.len().pow(N as u32 - 1)
    }

    /// The lanes of the rows of a row set.
    fn rows(&self, row_set: usize) -> [usize; N] {
        let mut rest = row_set;
        std::array::from_fn(|row| {
            if row == RED_ROW {
                return RED_LANE;
            }
            let lane = rest % self.lanes.len();
            rest /= self.lanes.len();
            lane
        })
    }

    /// All placements of the rows of a row set.
    fn row_placements(&self, rows: [usize; N]) -> Vec<Rows<N>> {
        let counts = rows.map(|lane| self.lanes[lane].placements.len());
        let at = |index: usize| {
            let mut rest = index;
            let mut all = Rows { placements: [0; N], cells: 0, blocked: [0; N] };
            for (row, count) in counts.into_iter().enumerate() {
                let placement = rest % count;
                rest /= count;
                all.placements[row] = placement as u8;
                let cells = self.lanes[rows[row]].placements[placement].cells;
                all.cells |= u64::from(cells) << (row * ROW_BITS);
                bits(cells).for_each(|column| all.blocked[column] |= 1 << row);
            }
            all
        };
        (0..counts.iter().product()).map(at).collect()
    }

    /// For each row and placement: what it adds to an index of [`row_placements`](Self::row_placements).
    fn row_offsets(&self, rows: [usize; N]) -> [[u32; PLACEMENTS]; N] {
        let mut weight = 1;
        rows.map(|lane| {
            let offsets = std::array::from_fn(|placement| placement as u32 * weight);
            weight *= self.lanes[lane].placements.len() as u32;
            offsets
        })
    }

    /// The number of boards of a row set.
    pub fn row_set_boards(&self, row_set: usize) -> u64 {
        self.boards_of(&self.row_placements(self.rows(row_set)))
    }

    /// The number of boards with any of these placements of the rows.
    fn boards_of(&self, placements: &[Rows<N>]) -> u64 {
        let fits = |blocked: u8| -> u64 {
            self.fittings.iter().map(|lane| u64::from(lane[usize::from(blocked)].count)).sum()
        };
        let fits: Vec<u64> = (0..1 << N).map(fits).collect();
        let columns = |rows: &Rows<N>| -> u64 {
            rows.blocked.iter().map(|&blocked| fits[usize::from(blocked)]).product()
        };
        placements.iter().map(columns).sum()
    }

    /// Finds the components of a row set and passes those with a solved board to `visit`.
    ///
    /// # Errors
    /// The limit that stopped the work. A limit of states limits the number of boards of the row set.
    pub fn search<'a>(
        &'a self,
        row_set: usize,
        budget: &'a Budget,
        visit: impl FnMut(Component),
    ) -> Result<Totals, Limit> {
        let rows = self.rows(row_set);
        let placements = self.row_placements(rows);
        let boards = self.boards_of(&placements);
        if boards > budget.states() {
            return Err(Limit::States);
        }
        let sets = self.lanes.len().pow(N as u32);
        // The lists of placements that fit, one for each column, are in `choose_columns`.
        let lists = (N + 1) * size_of::<(u32, u32)>();
        let per_placement =
            size_of::<Rows<N>>() + size_of::<Slot<'_, N>>() + size_of::<u32>() + lists;
        let tables = placements.len() * per_placement + sets * size_of::<LaneSet>();
        let mut reserved = Reservation::none(budget.memory());
        reserved.grow(tables as u64 + boards * size_of::<u8>() as u64)?;
        let mut search = RowSetSearch {
            universe: self,
            rows,
            sets: vec![LaneSet::default(); sets],
            columns: [0; N],
            boards: Boards {
                slots: Vec::with_capacity(placements.len()),
                slot_of: vec![0; placements.len()],
                columns: [&[Columns::NONE; PLACEMENTS]; N],
                row_slides: rows.map(|lane| &self.slides[lane]),
                row_offsets: self.row_offsets(rows),
            },
            placements,
            reserved,
            distances: Vec::with_capacity(boards as usize),
            meter: budget.meter(),
            work: Work::default(),
            totals: Totals::default(),
            visit,
        };
        let all: Vec<(u32, u32)> =
            (0..search.placements.len() as u32).map(|rows| (rows, 1)).collect();
        search.choose_columns(0, &all)?;
        Ok(search.totals)
    }
}

/// A placement of all cars of the rows.
struct Rows<const N: usize> {
    /// The placement of each row.
    placements: [u8; N],
    /// The covered cells of the board.
    cells: u64,
    /// For each column, the covered cells.
    blocked: [u8; N],
}

impl<const N: usize> Rows<N> {
    fn is_solved(&self) -> bool {
        self.blocked[N - 1] >> RED_ROW & 1 == 1
    }
}

/// Where the distances of a lane set are.
#[derive(Clone, Default)]
struct LaneSet {
    /// The index of the distance of its first board.
    base: usize,
    /// The placements of the rows that have a board, in ascending order, and the number of their
    /// first board.
    starts: Vec<(u32, u32)>,
}

/// The boards of one lane set, which are numbered from 0.
struct Boards<'a, const N: usize> {
    slots: Vec<Slot<'a, N>>,
    /// For each placement of the rows that has boards: its slot.
    slot_of: Vec<u32>,
    /// For each column and placement: what it adds to [`Columns`].
    columns: [&'a [Columns; PLACEMENTS]; N],
    /// For each row and each set of cells of vertical cars: [`Fitting::slides`].
    row_slides: [&'a [[u8; PLACEMENTS]; 1 << ROW_BITS]; N],
    /// For each row and placement: what it adds to the index of a placement of the rows.
    row_offsets: [[u32; PLACEMENTS]; N],
}

/// The boards with the same placement of the rows.
struct Slot<'a, const N: usize> {
    /// The index of the placement of the rows.
    rows: u32,
    /// The placement of each row.
    placements: [u8; N],
    /// The number of the first board.
    start: u32,
    /// Whether the boards are solved.
    is_solved: bool,
    /// The placements of each column that fit.
    columns: [&'a Fitting; N],
    /// What a placement of a column adds to the number of the board.
    offsets: [[u32; PLACEMENTS]; N],
}

/// A board of a lane set.
#[derive(Clone, Copy)]
struct Entry {
    /// The index of the slot.
    slot: u32,
    /// The number of the board.
    number: u32,
    columns: Columns,
}

/// The placements of the columns: in the low bits the cells that they cover, above them the index of
/// each placement, with three bits each.
#[derive(Clone, Copy)]
struct Columns(u64);

impl Columns {
    const NONE: Self = Self(0);

    /// A placement of one column.
    fn of(column: usize, placement: usize, lane: &Lane) -> Self {
        let rows = bits(lane.placements[placement].cells);
        let cells: u64 = rows.map(|row| 1 << (row * ROW_BITS + column)).sum();
        Self(cells | (placement as u64) << (CELL_BITS + 3 * column))
    }

    fn placement(self, column: usize) -> usize {
        (self.0 >> (CELL_BITS + 3 * column) & 7) as usize
    }

    /// Adds a placement of a column, or removes it.
    fn toggle(self, of_column: Self) -> Self {
        Self(self.0 ^ of_column.0)
    }

    /// The covered cells of a row.
    fn in_row(self, row: usize) -> usize {
        (self.0 >> (ROW_BITS * row)) as usize % (1 << ROW_BITS)
    }

    fn cells(self) -> u64 {
        self.0 & ((1 << CELL_BITS) - 1)
    }
}

impl<const N: usize> Slot<'_, N> {
    /// The number of a board.
    fn number(&self, columns: Columns) -> u32 {
        let offset = |column: usize| self.offsets[column][columns.placement(column)];
        self.start + (0..N).map(offset).sum::<u32>()
    }

    /// The number of boards.
    fn len(&self) -> u32 {
        self.columns.iter().map(|fitting| u32::from(fitting.count)).product()
    }
}

impl<const N: usize> Boards<'_, N> {
    /// Passes all boards of a slot to `visit`.
    fn for_each(&self, slot: usize, mut visit: impl FnMut(Entry)) {
        let fitting = &self.slots[slot].columns;
        let mut ranks = [0; N];
        loop {
            let mut columns = Columns::NONE;
            for column in 0..N {
                let placement = fitting[column].placements[ranks[column]];
                columns = columns.toggle(self.columns[column][usize::from(placement)]);
            }
            visit(Entry { slot: slot as u32, number: self.slots[slot].number(columns), columns });
            let mut column = 0;
            loop {
                if column == N {
                    return;
                }
                ranks[column] += 1;
                if ranks[column] < usize::from(fitting[column].count) {
                    break;
                }
                ranks[column] = 0;
                column += 1;
            }
        }
    }

    /// Passes all boards after one move to `visit`. Returns whether no car can
    /// move left or up.
    #[inline(always)]
    fn neighbours(&self, entry: Entry, mut visit: impl FnMut(Entry)) -> bool {
        let slot = &self.slots[entry.slot as usize];
        // The sets of all lanes side by side: one loop over them is predicted better than N loops.
        let (mut vertical, mut horizontal) = (0, 0);
        for column in 0..N {
            let slides = slot.columns[column].slides[entry.columns.placement(column)];
            vertical |= u64::from(slides) << (LANE_BITS * column);
        }
        for row in 0..N {
            let from = usize::from(slot.placements[row]) % PLACEMENTS;
            let slides = self.row_slides[row][entry.columns.in_row(row)][from];
            horizontal |= u64::from(slides) << (LANE_BITS * row);
        }
        for bit in bits(vertical & !ANY_NOT_PACKED) {
            let (column, to) = (bit / LANE_BITS, bit % LANE_BITS);
            let from = entry.columns.placement(column);
            let (offsets, placements) = (&slot.offsets[column], self.columns[column]);
            let number = entry.number + offsets[to] - offsets[from];
            let columns = entry.columns.toggle(placements[from]).toggle(placements[to]);
            visit(Entry { number, columns, ..entry });
        }
        for bit in bits(horizontal & !ANY_NOT_PACKED) {
            let (row, to) = (bit / LANE_BITS, bit % LANE_BITS);
            let offsets = &self.row_offsets[row];
            let from = usize::from(slot.placements[row]) % PLACEMENTS;
            let slot = self.slot_of[(slot.rows + offsets[to] - offsets[from]) as usize];
            visit(Entry { slot, number: self.slots[slot as usize].number(entry.columns), ..entry });
        }
        (vertical | horizontal) & ANY_NOT_PACKED == 0
    }
}

/// The distance of a board in the low byte and its label above it: the number of a set of boards of
/// the same component. Solved boards have at most 6^5 placements of the rows, and for each of them at
/// most three classes of each column, so there are fewer than 2^24 labels.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Mark(u32);

impl Mark {
    const NONE: Self = Self(u32::MAX);
    const UNSOLVABLE: Self = Self(UNSOLVABLE as u32);

    fn new(label: u32, distance: u8) -> Self {
        Self(label << 8 | u32::from(distance))
    }

    fn distance(self) -> u8 {
        self.0 as u8
    }

    fn label(self) -> u32 {
        self.0 >> 8
    }
}

/// What is known about the boards of a label.
#[derive(Clone, Default)]
struct Found {
    layers: Vec<u64>,
    /// The index of the hardest board in the queue.
    hardest: usize,
}

/// Lists that are used again for each lane set.
#[derive(Default)]
struct Work {
    queue: Vec<Entry>,
    marks: Vec<Mark>,
    /// For each label, a label of the same component that is not greater.
    parents: Vec<u32>,
    found: Vec<Found>,
}

impl Work {
    /// Reserves the memory of a lane set with this number of boards.
    fn make_room(&mut self, boards: usize, reserved: &mut Reservation) -> Result<(), OutOfMemory> {
        let more = boards.saturating_sub(self.queue.capacity());
        if more > 0 {
            // There are at most as many labels as boards.
            let per_board =
                size_of::<Entry>() + size_of::<Mark>() + size_of::<u32>() + size_of::<Found>();
            reserved.grow((more * per_board) as u64)?;
            self.queue.clear();
            self.queue.reserve_exact(boards);
            self.marks.clear();
            self.marks.reserve_exact(boards);
        }
        Ok(())
    }
}

/// The least label of the same component that is known. Halves the path to it.
fn root(parents: &mut [u32], label: u32) -> u32 {
    let mut here = label;
    while parents[here as usize] != here {
        let next = parents[parents[here as usize] as usize];
        parents[here as usize] = next;
        here = next;
    }
    here
}

struct RowSetSearch<'a, const N: usize, V> {
    universe: &'a Universe<N>,
    rows: [usize; N],
    placements: Vec<Rows<N>>,
    /// The lane sets that were searched, by the number of their columns.
    sets: Vec<LaneSet>,
    /// The lanes of the columns.
    columns: [usize; N],
    boards: Boards<'a, N>,
    reserved: Reservation,
    /// The distances of the boards of all lane sets.
    distances: Vec<u8>,
    meter: Meter<'a>,
    work: Work,
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
        for lane in 0..self.universe.lanes.len() {
            let fittings = &self.universe.fittings[lane];
            fitting.clear();
            fitting.extend(rows.iter().filter_map(|&(rows, ways)| {
                let blocked = self.placements[rows as usize].blocked[column];
                let count = fittings[usize::from(blocked)].count;
                (count > 0).then_some((rows, ways * u32::from(count)))
            }));
            self.columns[column] = lane;
            self.choose_columns(column + 1, &fitting)?;
        }
        Ok(())
    }

    /// The number of a lane set.
    fn set_index(&self, columns: [usize; N]) -> usize {
        columns.into_iter().fold(0, |index, lane| index * self.universe.lanes.len() + lane)
    }

    /// Searches a lane set: `rows` are the placements of its rows and their numbers of boards.
    fn search(&mut self, rows: &[(u32, u32)]) -> Result<(), Limit> {
        let count = self.number_boards(rows);
        self.meter.poll_after(count)?;
        self.totals.boards += u64::from(count);
        self.reserved.grow(size_of_val(rows) as u64)?;
        self.work.make_room(count as usize, &mut self.reserved)?;
        self.work.marks.clear();
        self.work.marks.resize(count as usize, Mark::NONE);
        self.find_distances();
        let solvable = self.work.queue.len();
        if solvable < count as usize {
            self.mark_unsolvable();
        }
        let base = self.distances.len();
        self.distances.extend(self.work.marks.iter().map(|mark| mark.distance()));
        let starts = rows.iter().zip(&self.boards.slots).map(|(rows, slot)| (rows.0, slot.start));
        let starts: Vec<(u32, u32)> = starts.collect();
        let set = self.set_index(self.columns);
        self.sets[set] = LaneSet { base, starts };
        self.find_components();
        Ok(())
    }

    /// Numbers the boards of a lane set. Returns how many there are.
    fn number_boards(&mut self, rows: &[(u32, u32)]) -> u32 {
        let universe = self.universe;
        let lanes = self.columns;
        let Boards { slots, slot_of, columns, .. } = &mut self.boards;
        *columns = std::array::from_fn(|column| &universe.columns[lanes[column]][column]);
        slots.clear();
        let mut start = 0;
        for &(rows, count) in rows {
            slot_of[rows as usize] = slots.len() as u32;
            let placement = &self.placements[rows as usize];
            let columns: [&Fitting; N] = std::array::from_fn(|column| {
                &universe.fittings[lanes[column]][usize::from(placement.blocked[column])]
            });
            let mut weight = 1;
            let offsets = columns.map(|fitting| {
                let offsets = fitting.ranks.map(|rank| u32::from(rank) * weight);
                weight *= u32::from(fitting.count);
                offsets
            });
            let (placements, is_solved) = (placement.placements, placement.is_solved());
            slots.push(Slot { rows, placements, start, is_solved, columns, offsets });
            start += count;
        }
        start
    }

    /// Marks the boards of the solvable components, from the solved boards on. The queue has them in
    /// order of distance.
    fn find_distances(&mut self) {
        let Work { queue, marks, parents, .. } = &mut self.work;
        queue.clear();
        parents.clear();
        for (index, slot) in self.boards.slots.iter().enumerate() {
            if !slot.is_solved {
                continue;
            }
            // Boards with the same rows whose columns are in the same classes are in one component.
            let first = parents.len() as u32;
            let classes = slot.columns.map(|fitting| u32::from(fitting.class_count));
            parents.extend(first..first + classes.iter().product::<u32>());
            self.boards.for_each(index, |entry| {
                let class =
                    |column: usize| slot.columns[column].classes[entry.columns.placement(column)];
                let label = (0..N)
                    .rev()
                    .fold(0, |label, column| label * classes[column] + u32::from(class(column)));
                marks[entry.number as usize] = Mark::new(first + label, 0);
                queue.push(entry);
            });
        }
        let mut at = 0;
        while let Some(&entry) = queue.get(at) {
            at += 1;
            let here = marks[entry.number as usize];
            let (mut label, next) = (root(parents, here.label()), here.distance() + 1);
            let is_packed = self.boards.neighbours(entry, |neighbour| {
                let mark = &mut marks[neighbour.number as usize];
                if *mark == Mark::NONE {
                    *mark = Mark::new(label, next);
                    queue.push(neighbour);
                } else if mark.label() != label {
                    let other = root(parents, mark.label());
                    parents[label.max(other) as usize] = label.min(other);
                    label = label.min(other);
                    *mark = Mark::new(label, mark.distance());
                }
            });
            self.totals.packed += u64::from(is_packed);
        }
    }

    /// Marks the boards of the unsolvable components, one after the other.
    fn mark_unsolvable(&mut self) {
        let Work { queue, marks, .. } = &mut self.work;
        let solvable = queue.len();
        for (index, slot) in self.boards.slots.iter().enumerate() {
            let start = slot.start as usize;
            if !marks[start..start + slot.len() as usize].contains(&Mark::NONE) {
                continue;
            }
            self.boards.for_each(index, |entry| {
                let mark = &mut marks[entry.number as usize];
                if *mark != Mark::NONE {
                    return;
                }
                *mark = Mark::UNSOLVABLE;
                self.totals.components += 1;
                queue.push(entry);
                while queue.len() > solvable
                    && let Some(entry) = queue.pop()
                {
                    let is_packed = self.boards.neighbours(entry, |neighbour| {
                        let mark = &mut marks[neighbour.number as usize];
                        if *mark == Mark::NONE {
                            *mark = Mark::UNSOLVABLE;
                            queue.push(neighbour);
                        }
                    });
                    self.totals.packed += u64::from(is_packed);
                }
            });
        }
    }

    /// Passes the solvable components to `visit`.
    fn find_components(&mut self) {
        let Work { queue, marks, parents, found } = &mut self.work;
        found.clear();
        found.resize(parents.len(), Found::default());
        for (index, entry) in queue.iter().enumerate() {
            let mark = marks[entry.number as usize];
            let component = &mut found[root(parents, mark.label()) as usize];
            if component.layers.len() == usize::from(mark.distance()) {
                component.layers.push(0);
                component.hardest = index;
            }
            component.layers[usize::from(mark.distance())] += 1;
            let key = |entry: &Entry| {
                let rows = self.boards.slots[entry.slot as usize].rows;
                (self.placements[rows as usize].cells, entry.columns.cells())
            };
            if key(entry) < key(&queue[component.hardest]) {
                component.hardest = index;
            }
        }
        let mut found = std::mem::take(found);
        for component in found.iter_mut().filter(|component| !component.layers.is_empty()) {
            self.totals.components += 1;
            self.totals.solvable += 1;
            let hardest = self.work.queue[component.hardest];
            let is_minimal = self.is_minimal(hardest, (component.layers.len() - 1) as u8);
            self.totals.minimal += u64::from(is_minimal);
            let (layers, hardest) =
                (std::mem::take(&mut component.layers), self.cars(hardest).board());
            (self.visit)(Component { hardest, layers, is_minimal });
        }
        self.work.found = found;
    }

    /// Whether a board takes fewer than `moves` moves, whichever of its cars is removed.
    fn is_minimal(&self, board: Entry, moves: u8) -> bool {
        let rows = self.boards.slots[board.slot as usize].rows;
        let placements = std::array::from_fn(|column| board.columns.placement(column));
        let all_columns_needed = (0..N).all(|column| {
            let mut reductions = self.universe.lanes[self.columns[column]].reductions.iter();
            reductions.all(|reduction| {
                let (mut lanes, mut placements) = (self.columns, placements);
                lanes[column] = reduction.lane;
                placements[column] = usize::from(reduction.placements[placements[column]]);
                self.distance(lanes, rows, placements) < moves
            })
        });
        // The columns are cheaper to check, and most boards end here.
        all_columns_needed && {
            let (cars, moved) = (self.cars(board), self.moved_in_rows(board));
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
        let distance = |board: Entry| self.work.marks[board.number as usize].distance();
        while distance(here) > 0 {
            self.boards.neighbours(here, |neighbour| {
                if distance(neighbour) < distance(here) {
                    next = Some(neighbour);
                }
            });
            let Some(to) = next.take() else { break };
            for (row, moved) in moved.iter_mut().enumerate() {
                let firsts = |board: Entry| {
                    let placement = self.boards.slots[board.slot as usize].placements[row];
                    &self.universe.lanes[self.rows[row]].placements[usize::from(placement)].firsts
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
        let set = &self.sets[self.set_index(lanes)];
        let Ok(slot) = set.starts.binary_search_by_key(&rows, |(rows, _)| *rows) else {
            return UNSOLVABLE;
        };
        let (mut board, mut weight) = (set.starts[slot].1, 1);
        for column in 0..N {
            let blocked = self.placements[rows as usize].blocked[column];
            let fitting = &self.universe.fittings[lanes[column]][usize::from(blocked)];
            board += weight * u32::from(fitting.ranks[placements[column]]);
            weight *= u32::from(fitting.count);
        }
        self.distances[set.base + board as usize]
    }

    /// The cars of a board.
    fn cars(&self, board: Entry) -> Cars {
        let slot = &self.boards.slots[board.slot as usize];
        let mut cars = Cars::new(N);
        let mut add = |lane: &Lane, placement: usize, is_horizontal, lane_index| {
            let firsts = lane.placements[placement].firsts.iter();
            for (index, (&first, &length)) in firsts.zip(&lane.lengths).enumerate() {
                let (lane, index) = (lane_index as u8, index as u8);
                cars.push(Car { is_horizontal, lane, index, length }, first);
            }
        };
        for row in iter::once(RED_ROW).chain((0..N).filter(|&row| row != RED_ROW)) {
            let lane = &self.universe.lanes[self.rows[row]];
            add(lane, slot.placements[row].into(), true, row);
        }
        for column in 0..N {
            let lane = &self.universe.lanes[self.columns[column]];
            add(lane, board.columns.placement(column), false, column);
        }
        cars
    }
}
