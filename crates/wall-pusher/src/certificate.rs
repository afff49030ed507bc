//! Boards as records, for certificates.

use fewest_certificate::Boards;
use fewest_geometry::Direction;
use fewest_rules::text::{Diagnostic, Line};

use crate::drawing;
use crate::instance::{Edge, Instance, Walls};
use crate::plan;
use crate::rules::Board;

/// A record has the number of the player's cell in reading order, and for each row and then for
/// each column a number in which bit `i` is set if there is a wall on edge `i` of the line: a byte,
/// or two if a line has nine edges, the most significant first. A board with the player outside has
/// no record.
pub struct BoardRecords<'a>(pub &'a Instance);

impl BoardRecords<'_> {
    /// The edges, by their lines. A wall can be pushed onto the border, too.
    fn lines(&self) -> impl Iterator<Item = Vec<Edge>> {
        let size = self.0.size();
        let line = move |in_row, line, last| {
            (0..=last).map(|index| Edge { in_row, line, index }).collect()
        };
        let rows = (0..size.rows()).map(move |row| line(true, row, size.columns()));
        rows.chain((0..size.columns()).map(move |column| line(false, column, size.rows())))
    }

    /// The bytes of a line.
    fn line_bytes(&self) -> usize {
        let size = self.0.size();
        if size.rows().max(size.columns()) < 8 { 1 } else { 2 }
    }
}

impl Boards for BoardRecords<'_> {
    type Rules = Instance;

    fn rules(&self) -> &Instance {
        self.0
    }

    fn description(&self) -> Vec<(&'static str, String)> {
        vec![("puzzle", "wall-pusher".to_owned()), ("maze", self.0.to_string())]
    }

    fn record_bytes(&self) -> usize {
        1 + (self.0.size().rows() + self.0.size().columns()) * self.line_bytes()
    }

    fn write_record(&self, board: &Board, record: &mut Vec<u8>) -> bool {
        let Some(place) = board.place else { return false };
        record.push(self.0.size().index(place) as u8);
        for line in self.lines() {
            let walls = line.into_iter().zip(0..);
            let bits: u16 = walls.map(|(edge, bit)| u16::from(board.walls.has(edge)) << bit).sum();
            record.extend_from_slice(&bits.to_be_bytes()[2 - self.line_bytes()..]);
        }
        true
    }

    fn read_record(&self, record: &[u8]) -> Option<Board> {
        let size = self.0.size();
        let (&place, lines) = record.split_first()?;
        let place = usize::from(place);
        if place >= size.len() || record.len() != self.record_bytes() {
            return None;
        }
        let mut walls = Walls::default();
        for (line, bytes) in self.lines().zip(lines.chunks(self.line_bytes())) {
            let bits = bytes.iter().fold(0, |bits, &byte| bits << 8 | usize::from(byte));
            if bits >> line.len() != 0 {
                return None;
            }
            line.into_iter().zip(0..).for_each(|(edge, bit)| walls.set(edge, bits >> bit & 1 == 1));
        }
        Some(Board { walls, place: Some(size.cell(place)) })
    }

    fn read_move(&self, line: Line<'_>) -> Result<Direction, Diagnostic> {
        plan::read_move(line)
    }

    fn show(&self, board: &Board) -> String {
        drawing::line(self.0, board)
    }
}
