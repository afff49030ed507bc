//! Boards as records, for certificates.

use std::ops::ControlFlow;

use fewest_certificate::Boards;
use fewest_geometry::{Cell, Direction};
use fewest_rules::text::{Diagnostic, Line};

use crate::instance::Instance;
use crate::plan::Step;
use crate::rules::Board;

/// A record has the number of each ghost's cell among the corridor cells in reading order, the most
/// significant byte first: one byte if there are fewer than 256 of them, else two.
pub struct BoardRecords<'a> {
    instance: &'a Instance,
    /// The corridor cells in reading order.
    corridor: Vec<Cell>,
    cell_bytes: usize,
}

impl<'a> BoardRecords<'a> {
    /// `None` if there are more than 65,535 corridor cells, or if a record has more than 255 bytes.
    pub fn new(instance: &'a Instance) -> Option<Self> {
        let cells = instance.size().cells();
        let corridor: Vec<Cell> = cells.filter(|&cell| instance.is_corridor(cell)).collect();
        let cell_bytes = match corridor.len() {
            ..=0xff => 1,
            0x100..=0xffff => 2,
            _ => return None,
        };
        let fits = instance.ghosts().len() * cell_bytes <= usize::from(u8::MAX);
        fits.then_some(Self { instance, corridor, cell_bytes })
    }

    /// Adds the steps of the ghosts from `ghost` on, if those before go from `from` to `to`.
    fn step<R>(
        &self,
        from: &[Cell],
        to: &mut Vec<Cell>,
        visit: &mut dyn FnMut(&[Cell]) -> ControlFlow<R>,
    ) -> ControlFlow<R> {
        let ghost = to.len();
        let Some(&here) = from.get(ghost) else { return visit(to) };
        let directions = Direction::ALL.map(Some).into_iter().chain([None]);
        for there in directions.map(|by| by.map_or(here, |direction| here.step(direction))) {
            let is_free = self.instance.is_corridor(there)
                && from.iter().zip(&*to).all(|(&other_from, &other_to)| {
                    other_to != there && !(other_to == here && other_from == there)
                });
            if is_free {
                to.push(there);
                self.step(from, to, visit)?;
                to.pop();
            }
        }
        ControlFlow::Continue(())
    }
}

impl Boards for BoardRecords<'_> {
    type Rules = Instance;

    fn rules(&self) -> &Instance {
        self.instance
    }

    fn question(&self) -> Vec<(&'static str, String)> {
        let ghosts = self.instance.ghosts().iter();
        let ghosts: Vec<_> =
            ghosts.map(|ghost| format!("{} to {}", ghost.start, ghost.goal)).collect();
        let map = self.instance.map_text(&[]);
        let map = map.replace(|symbol: char| symbol.is_ascii_uppercase(), " ");
        vec![("puzzle", "halloween".to_owned()), ("map", map), ("ghosts", ghosts.join("; "))]
    }

    fn record_bytes(&self) -> usize {
        self.instance.ghosts().len() * self.cell_bytes
    }

    fn write_record(&self, board: &Board, record: &mut Vec<u8>) -> bool {
        for cell in board.cells() {
            // Ghosts are in the corridor.
            let number = self.corridor.binary_search(cell).unwrap_or(usize::MAX);
            record.extend_from_slice(&(number as u16).to_be_bytes()[2 - self.cell_bytes..]);
        }
        true
    }

    fn read_record(&self, record: &[u8]) -> Option<Board> {
        let cell = |bytes: &[u8]| {
            let number = bytes.iter().fold(0, |number, &byte| number << 8 | usize::from(byte));
            self.corridor.get(number).copied()
        };
        let cells: Option<Vec<_>> = record.chunks(self.cell_bytes).map(cell).collect();
        Board::new(self.instance, cells?)
    }

    /// All steps of all ghosts. [`Rules::moves`](fewest_rules::Rules::moves) has those of one ghost.
    fn successors<R>(
        &self,
        board: &Board,
        visit: &mut dyn FnMut(&Board) -> ControlFlow<R>,
    ) -> ControlFlow<R> {
        self.step(board.cells(), &mut Vec::new(), &mut |cells| match Board::new(
            self.instance,
            cells.to_vec(),
        ) {
            Some(next) => visit(&next),
            None => ControlFlow::Continue(()),
        })
    }

    fn read_move(&self, line: Line<'_>) -> Result<Step, Diagnostic> {
        Step::read(line, self.instance.ghosts().len())
    }

    fn show(&self, board: &Board) -> String {
        self.instance.map_text(board.cells()).trim_end_matches('\n').replace('\n', "/")
    }
}
