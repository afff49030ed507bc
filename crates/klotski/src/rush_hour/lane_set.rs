//! The boards of a lane set, which is what cars each row and each column has, and where walls are.
//! The boards are numbered densely, and one breadth-first search from all solved boards finds the
//! distances of all of them.

use std::iter;
use std::ops::AddAssign;

use fewest_core::memory::{Memory, OutOfMemory, Reservation};

use super::RED_ROW;
use super::cars::{Car, Cars};
use super::lane::{
    ANY_PLACEMENT, CAN_MOVE_DOWN, CAN_MOVE_UP, Fitting, Lane, PLACEMENTS, bits, lanes,
};

/// The index of the lane of the red car.
pub(super) const RED_LANE: usize = 1;
/// A row of a cell set has this number of bits.
const ROW_BITS: usize = 6;
/// The bits of a set of cells.
const CELL_BITS: usize = ROW_BITS * MAX_LANES;
const MAX_LANES: usize = 6;
/// The bits of a set of placements in a word for all lanes of a direction.
const LANE_BITS: usize = 8;
/// A word with the same byte for each lane.
const fn of_all_lanes(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The distance of a board of an unsolvable component.
pub(super) const UNSOLVABLE: u8 = u8::MAX - 1;

/// The lanes of N cells and their placements.
pub(super) struct Tables<const N: usize> {
    pub(super) lanes: Vec<Lane>,
    /// For each lane and each set of blocked cells: the placements that fit.
    pub(super) fittings: Vec<[Fitting; 1 << ROW_BITS]>,
    /// [`Fitting::slides`] of `fittings`, in a table that stays in the cache.
    slides: Vec<[[u8; PLACEMENTS]; 1 << ROW_BITS]>,
    /// For each lane, column and placement: what it adds to [`Columns`].
    columns: Vec<[[Columns; PLACEMENTS]; N]>,
}

impl<const N: usize> Tables<N> {
    pub(super) fn new() -> Self {
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

    /// All placements of the rows, with walls. `walls` are the walls of each row.
    pub(super) fn row_placements(&self, rows: [usize; N], walls: [u8; N]) -> Vec<Rows<N>> {
        let counts = rows.map(|lane| self.lanes[lane].placements.len());
        let at = |index: usize| {
            let mut rest = index;
            let mut all = Rows { placements: [0; N], cells: 0, blocked: [0; N], fits: true };
            for (row, count) in counts.into_iter().enumerate() {
                let placement = rest % count;
                rest /= count;
                all.placements[row] = placement as u8;
                let cells = self.lanes[rows[row]].placements[placement].cells;
                all.cells |= u64::from(cells) << (row * ROW_BITS);
                bits(cells | walls[row]).for_each(|column| all.blocked[column] |= 1 << row);
                all.fits &= cells & walls[row] == 0;
            }
            all
        };
        (0..counts.iter().product()).map(at).collect()
    }

    /// For each row and placement: what it adds to an index of
    /// [`row_placements`](Self::row_placements).
    fn row_offsets(&self, rows: [usize; N]) -> [[u32; PLACEMENTS]; N] {
        let mut weight = 1;
        rows.map(|lane| {
            let offsets = std::array::from_fn(|placement| placement as u32 * weight);
            weight *= self.lanes[lane].placements.len() as u32;
            offsets
        })
    }
}

/// A placement of all cars of the rows.
pub(super) struct Rows<const N: usize> {
    /// The placement of each row.
    placements: [u8; N],
    /// The cells of the board that the cars cover.
    pub(super) cells: u64,
    /// For each column, the cells that the cars and walls cover.
    pub(super) blocked: [u8; N],
    /// Whether no car is on a wall.
    pub(super) fits: bool,
}

/// A set of cells, upside down.
pub(super) fn cells_upside_down<const N: usize>(cells: u64) -> u64 {
    let row = |row: usize| cells >> (row * ROW_BITS) & ((1 << ROW_BITS) - 1);
    (0..N).fold(0, |all, index| all << ROW_BITS | row(index))
}

impl<const N: usize> Rows<N> {
    fn is_solved(&self) -> bool {
        self.blocked[N - 1] >> RED_ROW & 1 == 1
    }
}

/// The boards of one lane set, which are numbered from 0.
pub(super) struct LaneSetBoards<'a, const N: usize> {
    pub(super) slots: Vec<Slot<'a, N>>,
    /// For each placement of the rows that has boards: its slot.
    slot_of: Vec<u32>,
    /// For each column and placement: what it adds to [`Columns`].
    columns: [&'a [Columns; PLACEMENTS]; N],
    /// The walls, without placements of the columns.
    walls: Columns,
    /// For each row and each set of cells of vertical cars: [`Fitting::slides`].
    row_slides: [&'a [[u8; PLACEMENTS]; 1 << ROW_BITS]; N],
    /// For each row and placement: what it adds to the index of a placement of the rows.
    row_offsets: [[u32; PLACEMENTS]; N],
}

/// The boards with the same placement of the rows.
pub(super) struct Slot<'a, const N: usize> {
    /// The index of the placement of the rows.
    pub(super) rows: u32,
    /// The placement of each row.
    pub(super) placements: [u8; N],
    /// The number of the first board.
    pub(super) start: u32,
    /// Whether the boards are solved.
    is_solved: bool,
    /// The placements of each column that fit.
    columns: [&'a Fitting; N],
    /// What a placement of a column adds to the number of the board.
    offsets: [[u32; PLACEMENTS]; N],
}

/// A board of a lane set.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// The index of the slot.
    pub(super) slot: u32,
    /// The number of the board.
    pub(super) number: u32,
    pub(super) columns: Columns,
}

/// The placements of the columns: in the low bits the cells that they and the walls cover, above
/// them the index of each placement, with three bits each.
#[derive(Clone, Copy)]
pub(super) struct Columns(u64);

impl Columns {
    const NONE: Self = Self(0);

    /// A placement of one column.
    fn of(column: usize, placement: usize, lane: &Lane) -> Self {
        let rows = bits(lane.placements[placement].cells);
        let cells: u64 = rows.map(|row| 1 << (row * ROW_BITS + column)).sum();
        Self(cells | (placement as u64) << (CELL_BITS + 3 * column))
    }

    /// The walls of each row.
    fn of_walls<const N: usize>(walls: [u8; N]) -> Self {
        let rows = walls.into_iter().enumerate();
        Self(rows.map(|(row, walls)| u64::from(walls) << (row * ROW_BITS)).sum())
    }

    pub(super) fn placement(self, column: usize) -> usize {
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

    pub(super) fn cells(self) -> u64 {
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

impl<const N: usize> LaneSetBoards<'_, N> {
    /// Passes all boards of a slot to `visit`.
    pub(super) fn for_each(&self, slot: usize, mut visit: impl FnMut(Entry)) {
        let fitting = &self.slots[slot].columns;
        let mut ranks = [0; N];
        loop {
            let mut columns = self.walls;
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

    /// Passes all boards after one move to `visit`. Returns the board as packed or not: two counts
    /// of 0 or 1.
    #[inline(always)]
    pub(super) fn neighbours(&self, entry: Entry, mut visit: impl FnMut(Entry)) -> Packed {
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
        for bit in bits(vertical & of_all_lanes(ANY_PLACEMENT)) {
            let (column, to) = (bit / LANE_BITS, bit % LANE_BITS);
            let from = entry.columns.placement(column);
            let (offsets, placements) = (&slot.offsets[column], self.columns[column]);
            let number = entry.number + offsets[to] - offsets[from];
            let columns = entry.columns.toggle(placements[from]).toggle(placements[to]);
            visit(Entry { number, columns, ..entry });
        }
        for bit in bits(horizontal & of_all_lanes(ANY_PLACEMENT)) {
            let (row, to) = (bit / LANE_BITS, bit % LANE_BITS);
            let offsets = &self.row_offsets[row];
            let from = usize::from(slot.placements[row]) % PLACEMENTS;
            let slot = self.slot_of[(slot.rows + offsets[to] - offsets[from]) as usize];
            visit(Entry { slot, number: self.slots[slot as usize].number(entry.columns), ..entry });
        }
        let can_move = |set, flag| u64::from(set & of_all_lanes(flag) != 0);
        let left = can_move(horizontal, CAN_MOVE_UP);
        Packed {
            up: 1 - (left | can_move(vertical, CAN_MOVE_UP)),
            down: 1 - (left | can_move(vertical, CAN_MOVE_DOWN)),
        }
    }
}

/// The number of boards on which no car can move left or in one direction of the columns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Packed {
    /// Left or up.
    pub(super) up: u64,
    /// Left or down.
    pub(super) down: u64,
}

impl AddAssign for Packed {
    fn add_assign(&mut self, other: Self) {
        self.up += other.up;
        self.down += other.down;
    }
}

/// The distance of a board in the low byte and its label above it: the number of a set of boards of
/// the same component. Solved boards have at most 6^5 placements of the rows, and for each of them
/// at most three classes of each column, so there are fewer than 2^24 labels.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark(u32);

impl Mark {
    pub(super) const NONE: Self = Self(u32::MAX);
    const UNSOLVABLE: Self = Self(UNSOLVABLE as u32);

    fn new(label: u32, distance: u8) -> Self {
        Self(label << 8 | u32::from(distance))
    }

    pub(super) fn distance(self) -> u8 {
        self.0 as u8
    }

    pub(super) fn label(self) -> u32 {
        self.0 >> 8
    }
}

/// The least label of the same component that is known. Halves the path to it.
pub(super) fn root(parents: &mut [u32], label: u32) -> u32 {
    let mut here = label;
    while parents[here as usize] != here {
        let next = parents[parents[here as usize] as usize];
        parents[here as usize] = next;
        here = next;
    }
    here
}

/// The boards of one lane set after another, with their distances. The lists are used again.
pub(super) struct LaneSet<'a, const N: usize> {
    tables: &'a Tables<N>,
    /// The index of the lane of each row.
    pub(super) rows: [usize; N],
    /// For each row, the set of its walls.
    walls: [u8; N],
    /// The index of the lane of each column.
    pub(super) columns: [usize; N],
    /// All placements of the rows.
    pub(super) placements: Vec<Rows<N>>,
    pub(super) boards: LaneSetBoards<'a, N>,
    /// The boards with a distance, in ascending order of it.
    pub(super) queue: Vec<Entry>,
    pub(super) marks: Vec<Mark>,
    /// For each label, a label of the same component that is not greater.
    pub(super) parents: Vec<u32>,
    reserved: Reservation,
}

impl<'a, const N: usize> LaneSet<'a, N> {
    /// Some rows and walls, and columns without cars.
    ///
    /// # Errors
    /// If the memory is not enough.
    pub(super) fn new(
        tables: &'a Tables<N>,
        rows: [usize; N],
        walls: [u8; N],
        memory: &Memory,
    ) -> Result<Self, OutOfMemory> {
        let mut set = Self {
            tables,
            rows,
            walls,
            columns: [0; N],
            placements: Vec::new(),
            boards: LaneSetBoards {
                slots: Vec::new(),
                slot_of: Vec::new(),
                columns: [&[Columns::NONE; PLACEMENTS]; N],
                walls: Columns::NONE,
                row_slides: rows.map(|lane| &tables.slides[lane]),
                row_offsets: [[0; PLACEMENTS]; N],
            },
            queue: Vec::new(),
            marks: Vec::new(),
            parents: Vec::new(),
            reserved: Reservation::none(memory),
        };
        set.set_rows(rows, walls)?;
        Ok(set)
    }

    /// Changes the rows and the walls.
    ///
    /// # Errors
    /// If the memory is not enough.
    pub(super) fn set_rows(&mut self, rows: [usize; N], walls: [u8; N]) -> Result<(), OutOfMemory> {
        if (rows, walls) == (self.rows, self.walls) && !self.placements.is_empty() {
            return Ok(());
        }
        let tables = self.tables;
        let placements = tables.row_placements(rows, walls);
        let more = placements.len().saturating_sub(self.boards.slot_of.len());
        let per_placement = size_of::<Rows<N>>() + size_of::<Slot<'_, N>>() + size_of::<u32>();
        self.reserved.grow((more * per_placement) as u64)?;
        let boards = &mut self.boards;
        boards.slot_of.resize(boards.slot_of.len() + more, 0);
        boards.walls = Columns::of_walls(walls);
        boards.row_slides = rows.map(|lane| &tables.slides[lane]);
        boards.row_offsets = tables.row_offsets(rows);
        (self.rows, self.walls, self.placements) = (rows, walls, placements);
        Ok(())
    }

    /// Numbers the boards of the rows and columns, none of which has a mark then. `rows` are the
    /// placements of the rows that leave room for the columns, in ascending order, and the number
    /// of boards of each. Returns how many boards there are.
    ///
    /// # Errors
    /// If the memory is not enough.
    pub(super) fn number_boards(&mut self, rows: &[(u32, u32)]) -> Result<u32, OutOfMemory> {
        let (tables, lanes) = (self.tables, self.columns);
        let LaneSetBoards { slots, slot_of, columns, .. } = &mut self.boards;
        *columns = std::array::from_fn(|column| &tables.columns[lanes[column]][column]);
        slots.clear();
        let mut start = 0;
        for &(rows, count) in rows {
            slot_of[rows as usize] = slots.len() as u32;
            let placement = &self.placements[rows as usize];
            let columns: [&Fitting; N] = std::array::from_fn(|column| {
                &tables.fittings[lanes[column]][usize::from(placement.blocked[column])]
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
        self.make_room(start as usize)?;
        self.marks.clear();
        self.marks.resize(start as usize, Mark::NONE);
        Ok(start)
    }

    /// Reserves the memory of this number of boards.
    fn make_room(&mut self, boards: usize) -> Result<(), OutOfMemory> {
        let more = boards.saturating_sub(self.queue.capacity());
        if more > 0 {
            // There are at most as many labels as boards.
            let per_board = size_of::<Entry>() + size_of::<Mark>() + size_of::<u32>();
            self.reserved.grow((more * per_board) as u64)?;
            self.queue.clear();
            self.queue.reserve_exact(boards);
            self.marks.clear();
            self.marks.reserve_exact(boards);
        }
        Ok(())
    }

    /// Marks the boards of the solvable components, from the solved boards on. The queue has them
    /// in order of distance. Returns how many of these boards are packed.
    pub(super) fn find_distances(&mut self) -> Packed {
        let Self { boards, queue, marks, parents, .. } = self;
        queue.clear();
        parents.clear();
        for (index, slot) in boards.slots.iter().enumerate() {
            if !slot.is_solved {
                continue;
            }
            // Boards with the same rows whose columns are in the same classes are in one component.
            let first = parents.len() as u32;
            let classes = slot.columns.map(|fitting| u32::from(fitting.class_count));
            parents.extend(first..first + classes.iter().product::<u32>());
            boards.for_each(index, |entry| {
                let class =
                    |column: usize| slot.columns[column].classes[entry.columns.placement(column)];
                let label = (0..N)
                    .rev()
                    .fold(0, |label, column| label * classes[column] + u32::from(class(column)));
                marks[entry.number as usize] = Mark::new(first + label, 0);
                queue.push(entry);
            });
        }
        let (mut at, mut packed) = (0, Packed::default());
        while let Some(&entry) = queue.get(at) {
            at += 1;
            let here = marks[entry.number as usize];
            let (mut label, next) = (root(parents, here.label()), here.distance() + 1);
            packed += boards.neighbours(entry, |neighbour| {
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
        }
        packed
    }

    /// Marks the boards of the unsolvable components, one after the other. Returns the number of
    /// these components, and how many of their boards are packed.
    pub(super) fn mark_unsolvable(&mut self) -> (u64, Packed) {
        let Self { boards, queue, marks, .. } = self;
        let (solvable, mut components, mut packed) = (queue.len(), 0, Packed::default());
        for (index, slot) in boards.slots.iter().enumerate() {
            let start = slot.start as usize;
            if !marks[start..start + slot.len() as usize].contains(&Mark::NONE) {
                continue;
            }
            boards.for_each(index, |entry| {
                let mark = &mut marks[entry.number as usize];
                if *mark != Mark::NONE {
                    return;
                }
                *mark = Mark::UNSOLVABLE;
                components += 1;
                queue.push(entry);
                while queue.len() > solvable
                    && let Some(entry) = queue.pop()
                {
                    packed += boards.neighbours(entry, |neighbour| {
                        let mark = &mut marks[neighbour.number as usize];
                        if *mark == Mark::NONE {
                            *mark = Mark::UNSOLVABLE;
                            queue.push(neighbour);
                        }
                    });
                }
            });
        }
        (components, packed)
    }

    /// The distance of a board that [`find_distances`](Self::find_distances) reached.
    pub(super) fn distance(&self, board: Entry) -> u8 {
        self.marks[board.number as usize].distance()
    }

    /// The sets of the cells of horizontal cars, and of vertical cars and walls. They tell the
    /// boards of a component apart.
    pub(super) fn cells(&self, board: Entry) -> (u64, u64) {
        let rows = self.boards.slots[board.slot as usize].rows;
        (self.placements[rows as usize].cells, board.columns.cells())
    }

    /// The cars of a board.
    pub(super) fn cars(&self, board: Entry) -> Cars {
        let slot = &self.boards.slots[board.slot as usize];
        let mut cars = Cars::new(&self.walls);
        let mut add = |lane: &Lane, placement: usize, is_horizontal, lane_index| {
            let firsts = lane.placements[placement].firsts.iter();
            for (index, (&first, &length)) in firsts.zip(&lane.lengths).enumerate() {
                let (lane, index) = (lane_index as u8, index as u8);
                cars.push(Car { is_horizontal, lane, index, length }, first);
            }
        };
        for row in iter::once(RED_ROW).chain((0..N).filter(|&row| row != RED_ROW)) {
            let lane = &self.tables.lanes[self.rows[row]];
            add(lane, slot.placements[row].into(), true, row);
        }
        for column in 0..N {
            let lane = &self.tables.lanes[self.columns[column]];
            add(lane, board.columns.placement(column), false, column);
        }
        cars
    }
}
