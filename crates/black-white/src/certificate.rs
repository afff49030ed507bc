//! Boards as records, for certificates.

use std::borrow::Cow;

use fewest_certificate::{Boards, Bound, Poll, Potential, Refusal};
use fewest_geometry::Direction;
use fewest_rules::text::{Diagnostic, Line};

use crate::instance::{Board, Instance};
use crate::plan::Exchange;

/// A record has a bit for each cell, set if its piece is black: cell 0 is the highest bit of the
/// first byte.
pub struct BoardRecords<'a>(Cow<'a, Instance>);

impl<'a> BoardRecords<'a> {
    /// The boards of an instance.
    pub fn new(instance: &'a Instance) -> Self {
        Self(Cow::Borrowed(instance))
    }

    /// Whether the prices of all neighbours are equal.
    fn check_prices(&self, prices: &[i64]) -> Result<bool, String> {
        let (size, walls) = (self.0.size(), self.0.walls());
        if prices.len() != size.len() {
            let (found, cells) = (prices.len(), size.len());
            return Err(format!("found {found}, expected one for each of {cells} cells"));
        }
        let mut are_equal = true;
        for cell in size.cells() {
            for direction in [Direction::East, Direction::South] {
                let Some(other) = size.neighbour(cell, direction) else { continue };
                let [here, there] = [cell, other].map(|cell| size.index(cell));
                if walls[here] || walls[there] {
                    continue;
                }
                match prices[here].abs_diff(prices[there]) {
                    0 => {}
                    1 => are_equal = false,
                    _ => return Err(format!("those of {cell} and {other} differ by more than 1")),
                }
            }
        }
        Ok(are_equal)
    }
}

impl Boards for BoardRecords<'_> {
    type Rules = Instance;

    fn rules(&self) -> &Instance {
        &self.0
    }

    fn description(&self) -> Vec<(&'static str, String)> {
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

    fn reversed(&self) -> Result<Self, String> {
        let Self(boards) = self;
        let walls = boards.walls().to_vec();
        let (start, target) = (boards.target().to_vec(), boards.start().to_vec());
        let reversed = Instance::with_walls(boards.size(), walls, start, target);
        let reversed = reversed.ok_or("its boards differ in size")?;
        Ok(Self(Cow::Owned(reversed)))
    }

    /// The numbers are prices of the cells in reading order. If they differ by at most 1 between
    /// neighbours, a move changes the sum of the prices under the black pieces by at most 1; so no
    /// plan has fewer moves than the sums of the target and of a board differ. If no two neighbours
    /// differ, no move changes the sum.
    fn potential<'a>(
        &'a self,
        prices: &'a [i64],
        _: &Poll<'_>,
    ) -> Result<Potential<'a, Self>, Refusal> {
        if prices.is_empty() {
            return Ok(Box::new(|_| Bound::Cost(0)));
        }
        let are_equal = self.check_prices(prices).map_err(Refusal::Numbers)?;
        let sum = move |board: &[bool]| {
            let black = board.iter().zip(prices).filter(|(black, _)| **black);
            black.map(|(_, &price)| i128::from(price)).sum::<i128>()
        };
        let target = sum(self.0.target());
        Ok(Box::new(move |board| match target.abs_diff(sum(board)) {
            difference if are_equal && difference > 0 => Bound::Unsolvable,
            // A smaller bound holds, too.
            difference => Bound::Cost(u64::try_from(difference).unwrap_or(u64::MAX)),
        }))
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
