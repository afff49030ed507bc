//! Boards as records, for certificates.

use fewest_certificate::Boards;
use fewest_rules::text::{Diagnostic, Line};

use crate::instance::{Board, Instance};
use crate::plan::Exchange;

/// A record has a bit for each cell, set if its piece is black: cell 0 is the highest bit of the first
/// byte.
pub struct BoardRecords<'a>(&'a Instance);

impl<'a> BoardRecords<'a> {
    /// `None` if a record has more than 255 bytes.
    pub fn new(boards: &'a Instance) -> Option<Self> {
        (boards.size().len().div_ceil(8) <= usize::from(u8::MAX)).then_some(Self(boards))
    }
}

impl Boards for BoardRecords<'_> {
    type Rules = Instance;

    fn rules(&self) -> &Instance {
        self.0
    }

    fn question(&self) -> Vec<(&'static str, String)> {
        vec![("puzzle", "black-white".to_owned()), ("boards", self.0.to_string())]
    }

    fn record_bytes(&self) -> usize {
        self.0.size().len().div_ceil(8)
    }

    fn write_record(&self, board: &Board, record: &mut Vec<u8>) -> bool {
        record.extend(board.chunks(8).map(|cells| {
            let bits = cells.iter().zip(0..).map(|(&black, bit)| u8::from(black) << (7 - bit));
            bits.sum::<u8>()
        }));
        true
    }

    fn read_record(&self, record: &[u8]) -> Option<Board> {
        let walls = self.0.walls();
        let black = |cell: usize| record[cell / 8] >> (7 - cell % 8) & 1 == 1;
        let board: Board = (0..walls.len()).map(black).collect();
        let is_on_wall = board.iter().zip(walls).any(|(&black, &wall)| black && wall);
        (record.len() == self.record_bytes() && !is_on_wall).then_some(board)
    }

    fn mirror(&self, board: &Board) -> Option<Board> {
        let columns = self.0.size().columns();
        let reflected = |cells: &[bool]| -> Vec<bool> {
            cells.chunks(columns).flat_map(|row| row.iter().rev().copied()).collect()
        };
        (reflected(self.0.walls()) == self.0.walls()).then(|| reflected(board))
    }

    fn read_move(&self, line: Line<'_>) -> Result<Exchange, Diagnostic> {
        Exchange::read(line)
    }

    fn show(&self, board: &Board) -> String {
        self.0.line(board)
    }
}
