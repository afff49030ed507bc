//! Boards as records, for certificates.

use fewest_certificate::Boards;
use fewest_geometry::Direction;
use fewest_rules::text::{Diagnostic, Line};

use crate::drawing;
use crate::instance::{Edge, Instance, Walls};
use crate::plan;
use crate::rules::Board;

/// A record has the number of the player's cell in reading order, and a byte for each row and then for
/// each column, in which bit `i` is set if there is a wall on the inner edge `i` of the line. The walls of
/// the border never move. A board with the player outside has no record.
pub struct BoardRecords<'a>(pub &'a Instance);

impl BoardRecords<'_> {
    /// The inner edges, by their lines.
    fn lines(&self) -> impl Iterator<Item = Vec<Edge>> {
        let size = self.0.size();
        let line =
            move |in_row, line, last| (1..last).map(|index| Edge { in_row, line, index }).collect();
        let rows = (0..size.rows()).map(move |row| line(true, row, size.columns()));
        rows.chain((0..size.columns()).map(move |column| line(false, column, size.rows())))
    }
}

impl Boards for BoardRecords<'_> {
    type Rules = Instance;

    fn rules(&self) -> &Instance {
        self.0
    }

    fn question(&self) -> Vec<(&'static str, String)> {
        vec![("puzzle", "wall-pusher".to_owned()), ("maze", self.0.to_string())]
    }

    fn record_bytes(&self) -> usize {
        1 + self.0.size().rows() + self.0.size().columns()
    }

    fn write_record(&self, board: &Board, record: &mut Vec<u8>) -> bool {
        let Some(place) = board.place else { return false };
        record.push(self.0.size().index(place) as u8);
        record.extend(self.lines().map(|line| {
            let walls = line.into_iter().zip(0..);
            walls.map(|(edge, bit)| u8::from(board.walls.has(edge)) << bit).sum::<u8>()
        }));
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
        Edge::all(size).filter(|edge| edge.is_border(size)).for_each(|edge| {
            walls.set(edge, self.0.walls().has(edge));
        });
        for (line, &byte) in self.lines().zip(lines) {
            if usize::from(byte) >> line.len() != 0 {
                return None;
            }
            line.into_iter().zip(0..).for_each(|(edge, bit)| walls.set(edge, byte >> bit & 1 == 1));
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
