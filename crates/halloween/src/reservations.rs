//! Who stands where at which time, of the ghosts that have a way: a reservation table (Silver
//! 2005).

use fewest_core::encoding::Cell;
use fewest_core::memory::{Block, Memory, OutOfMemory};

/// A row a time, each an open-addressing table of the cells that are taken then, at most half full.
#[derive(Debug)]
pub(crate) struct Reservations {
    slots: Block<Option<(Cell, Column)>>,
    /// The logarithm of the slots of a row.
    bits: u32,
}

/// A ghost, by its place in the order of planning.
type Column = u16;

impl Reservations {
    /// None yet, for times below `times` and so many ghosts. Takes twelve to 24 bytes a ghost and
    /// time.
    pub(crate) fn new(times: usize, ghosts: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        let bits = (2 * ghosts).next_power_of_two().ilog2();
        Ok(Self { slots: Block::filled(None, times << bits, memory)?, bits })
    }

    /// Frees all cells.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(None);
    }

    /// The slots of a time, beginning with the one where a cell is looked for first.
    #[inline]
    fn probe(&self, time: usize, cell: Cell) -> impl Iterator<Item = usize> + use<> {
        // Fibonacci hashing (Knuth 1973).
        let first = (u32::from(cell).wrapping_mul(0x9E37_79B9) >> (32 - self.bits)) as usize;
        let (row, last) = (time << self.bits, (1 << self.bits) - 1);
        (first..).map(move |slot| row + (slot & last))
    }

    /// The ghost that stands on a cell.
    #[inline]
    pub(crate) fn at(&self, time: usize, cell: Cell) -> Option<usize> {
        for slot in self.probe(time, cell) {
            let (there, column) = self.slots[slot]?;
            if there == cell {
                return Some(column.into());
            }
        }
        None
    }

    /// Has a ghost stand on a free cell.
    pub(crate) fn put(&mut self, time: usize, cell: Cell, column: usize) {
        if let Some(slot) = self.probe(time, cell).find(|&slot| self.slots[slot].is_none()) {
            self.slots[slot] = Some((cell, column as Column));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_ghosts_as_there_are_find_their_cells() {
        for ghosts in [1, 2, 3, 100] {
            let mut reservations =
                Reservations::new(2, ghosts, &Memory::unlimited()).expect("memory");
            let cell = |column: usize, time: usize| (640 * column + time) as Cell;
            for (column, time) in (0..ghosts).flat_map(|column| [(column, 0), (column, 1)]) {
                assert_eq!(reservations.at(time, cell(column, time)), None);
                reservations.put(time, cell(column, time), column);
            }
            for (column, time) in (0..ghosts).flat_map(|column| [(column, 0), (column, 1)]) {
                assert_eq!(reservations.at(time, cell(column, time)), Some(column));
                assert_eq!(reservations.at(1 - time, cell(column, time)), None);
            }
            reservations.clear();
            assert_eq!(reservations.at(0, 0), None);
        }
    }
}
