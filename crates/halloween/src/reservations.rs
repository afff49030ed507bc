//! The reservation table (Silver 2005): which ghost is on a cell at a time, for all ghosts that
//! have a path.

use fewest_core::encoding::CellIndex;
use fewest_core::memory::{Block, Memory, OutOfMemory};

/// One row per time, each an open-addressing hash table of the reserved cells. A row is at most
/// half full.
#[derive(Debug)]
pub(crate) struct ReservationTable {
    slots: Block<(CellIndex, Column)>,
    /// A row has `1 << row_bits` slots.
    row_bits: u32,
}

/// The index of a ghost in the order of planning.
type Column = u16;

/// A slot without a reservation. No cell has this number.
const FREE: (CellIndex, Column) = (CellIndex::MAX, 0);

impl ReservationTable {
    /// An empty table for the times below `times` and for `ghosts` ghosts. Takes 16 to 32 bytes for
    /// each pair of a ghost and a time.
    pub(crate) fn new(times: usize, ghosts: usize, memory: &Memory) -> Result<Self, OutOfMemory> {
        let row_bits = (2 * ghosts).next_power_of_two().ilog2();
        Ok(Self { slots: Block::filled(FREE, times << row_bits, memory)?, row_bits })
    }

    /// Removes all reservations.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(FREE);
    }

    /// The probe sequence of a cell: the slots of its row, from the one that it hashes to.
    #[inline]
    fn probe(&self, time: usize, cell: CellIndex) -> impl Iterator<Item = usize> + use<> {
        // Fibonacci hashing (Knuth 1973).
        let first = (cell.wrapping_mul(0x9E37_79B9) >> (32 - self.row_bits)) as usize;
        let (row, mask) = (time << self.row_bits, (1 << self.row_bits) - 1);
        (first..).map(move |slot| row + (slot & mask))
    }

    /// The ghost that has reserved a cell at a time.
    #[inline]
    pub(crate) fn at(&self, time: usize, cell: CellIndex) -> Option<usize> {
        for slot in self.probe(time, cell) {
            match self.slots[slot] {
                FREE => return None,
                (reserved, column) if reserved == cell => return Some(column.into()),
                _ => {}
            }
        }
        None
    }

    /// Reserves a cell for a ghost. The cell must be free at that time.
    pub(crate) fn reserve(&mut self, time: usize, cell: CellIndex, column: usize) {
        if let Some(slot) = self.probe(time, cell).find(|&slot| self.slots[slot] == FREE) {
            self.slots[slot] = (cell, column as Column);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_reservations_of_a_full_table_are_found() {
        for ghosts in [1, 2, 3, 100] {
            let mut reservations =
                ReservationTable::new(2, ghosts, &Memory::unlimited()).expect("unlimited memory");
            let cell = |column: usize, time: usize| (640 * column + time) as CellIndex;
            for (column, time) in (0..ghosts).flat_map(|column| [(column, 0), (column, 1)]) {
                assert_eq!(reservations.at(time, cell(column, time)), None);
                reservations.reserve(time, cell(column, time), column);
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
