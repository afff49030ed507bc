//! Boards as records, for certificates.

use std::ops::ControlFlow;

use fewest_certificate::Boards;
use fewest_rules::text::{Diagnostic, Line};

use crate::board::{BLANK, Board, WALL, is_piece};
use crate::instance::Axis;
use crate::plan::Slide;
use crate::rules::Places;
use crate::task::Task;

/// A record has a byte for each piece and each blank, in reading order of their first cells: 0 for
/// a blank, and else the number of the kind of the piece, from 1. Pieces are of one kind if they
/// have the same shape, the same lock and the same gates, and no goal of their own. Kinds are
/// numbered in reading order at the start.
pub struct BoardRecords<'a> {
    task: &'a Task,
    kinds: Vec<Kind>,
    /// The pieces, each with the number of its kind, from 1.
    numbers: Vec<(char, u8)>,
    /// The index there of each piece that has an ASCII character.
    indices: [u8; 128],
    /// The board without pieces.
    floor: Board,
    record_bytes: usize,
}

/// Pieces that are equal in all that the rules look at.
struct Kind {
    /// The row and the column of each cell, from the first one on.
    shape: Vec<(isize, isize)>,
    lock: Option<Axis>,
    /// The gates that they may enter.
    gates: Vec<usize>,
    has_goal: bool,
    pieces: Vec<char>,
}

/// The row and the column of each cell, from the first one on.
fn shape_of(board: &Board, cells: &[usize]) -> Vec<(isize, isize)> {
    let at = |cell: usize| ((cell / board.columns()) as isize, (cell % board.columns()) as isize);
    let first = cells.first().map_or((0, 0), |&cell| at(cell));
    cells.iter().map(|&cell| (at(cell).0 - first.0, at(cell).1 - first.1)).collect()
}

impl<'a> BoardRecords<'a> {
    /// `None` if a record has more than 255 bytes, or there are more than 255 kinds.
    pub fn new(task: &'a Task) -> Option<Self> {
        let board = task.instance.board();
        let mut kinds: Vec<Kind> = Vec::new();
        let mut covered = 0;
        for piece in board.pieces() {
            let cells = board.cells_of(piece);
            covered += cells.len() - 1;
            let (shape, lock) = (shape_of(board, &cells), task.instance.lock(piece));
            let gates = task.instance.gates_for(piece);
            let has_goal = task.instance.goals().iter().any(|goal| goal.piece == piece);
            let equal = kinds.iter_mut().find(|kind| {
                let is_alike = kind.shape == shape && kind.lock == lock && kind.gates == gates;
                is_alike && !has_goal && !kind.has_goal
            });
            match equal {
                Some(kind) => kind.pieces.push(piece),
                None => kinds.push(Kind { shape, lock, gates, has_goal, pieces: vec![piece] }),
            }
        }
        let open = board.cells().iter().filter(|&&cell| cell != WALL).count();
        let record_bytes = open - covered;
        let fits = record_bytes.max(kinds.len()) <= usize::from(u8::MAX);
        let numbers = (1..=u8::MAX)
            .zip(&kinds)
            .flat_map(|(number, kind)| kind.pieces.iter().map(move |&piece| (piece, number)));
        let numbers: Vec<_> = if fits { numbers.collect() } else { Vec::new() };
        let mut indices = [0; 128];
        for (index, &(piece, _)) in (0..=u8::MAX).zip(&numbers) {
            if let Some(slot) = indices.get_mut(piece as usize) {
                *slot = index;
            }
        }
        let floor = board.without_pieces();
        fits.then_some(Self { task, kinds, numbers, indices, floor, record_bytes })
    }

    /// The index of a piece in the list of them.
    fn index(&self, piece: char) -> Option<usize> {
        match self.indices.get(piece as usize) {
            Some(&index) => Some(usize::from(index)),
            None => self.numbers.iter().position(|&(other, _)| other == piece),
        }
    }

    /// Puts a piece with its first cell on a blank; `None` if another cell is not a blank.
    fn put(&self, cells: &mut [char], first: usize, piece: char, kind: &Kind) -> Option<()> {
        let columns = self.floor.columns() as isize;
        let (row, column) = (first as isize / columns, first as isize % columns);
        for (down, right) in &kind.shape {
            let (row, column) = (row + down, column + right);
            let cell = usize::try_from(row * columns + column).ok()?;
            let here = cells.get_mut(cell).filter(|_| (0..columns).contains(&column))?;
            if *here != BLANK {
                return None;
            }
            *here = piece;
        }
        Some(())
    }
}

impl Boards for BoardRecords<'_> {
    type Rules = Task;

    fn rules(&self) -> &Task {
        self.task
    }

    fn description(&self) -> Vec<(&'static str, String)> {
        vec![
            ("puzzle", "klotski".to_owned()),
            ("metric", self.task.metric.to_string()),
            ("board", self.task.instance.to_string()),
        ]
    }

    fn record_bytes(&self) -> usize {
        self.record_bytes
    }

    fn write_record(&self, board: &Board, record: &mut Vec<u8>) -> bool {
        let cells = board.cells();
        // There are at most 255 pieces.
        let mut seen = [0_u64; 4];
        for &cell in cells {
            if cell == BLANK {
                record.push(0);
            } else if is_piece(cell) {
                let Some(index) = self.index(cell) else { continue };
                let (word, bit) = (&mut seen[index / 64], 1 << (index % 64));
                if *word & bit == 0 {
                    *word |= bit;
                    record.push(self.numbers[index].1);
                }
            }
        }
        true
    }

    fn read_record(&self, record: &[u8]) -> Option<Board> {
        let mut cells = self.floor.cells().to_vec();
        let mut unused: Vec<_> = self.kinds.iter().map(|kind| kind.pieces.iter()).collect();
        let mut is_blank = vec![false; cells.len()];
        let mut first = 0;
        for &number in record {
            while *cells.get(first)? != BLANK {
                first += 1;
            }
            if let Some(index) = usize::from(number).checked_sub(1) {
                let piece = *unused.get_mut(index)?.next()?;
                self.put(&mut cells, first, piece, &self.kinds[index])?;
            } else {
                is_blank[first] = true;
            }
            first += 1;
        }
        // A piece that comes later must not cover a blank.
        let are_blank =
            cells.iter().zip(is_blank).all(|(&cell, is_blank)| is_blank == (cell == BLANK));
        let are_used = unused.into_iter().all(|mut pieces| pieces.next().is_none());
        (are_blank && are_used).then(|| Board::of_cells(self.floor.columns(), cells))
    }

    /// As by the rules, without the paths.
    fn successors<R>(
        &self,
        board: &Board,
        visit: &mut dyn FnMut(&Board, u32) -> ControlFlow<R>,
    ) -> ControlFlow<R> {
        let (mut places, mut next) = (Places::default(), board.clone());
        for piece in board.pieces() {
            places.find(self.task, board, piece);
            for cells in places.cells().skip(1) {
                next.put(piece, cells);
                visit(&next, 1)?;
            }
            next.clone_from(board);
        }
        ControlFlow::Continue(())
    }

    /// From left to right. `None` if a wall is in the way, or a piece has another shape in the
    /// mirror.
    fn mirror(&self, board: &Board) -> Option<Board> {
        let columns = board.columns();
        let rows = board.cells().chunks(columns);
        let cells: Vec<char> = rows.flat_map(|row| row.iter().rev().copied()).collect();
        let image = Board::of_cells(columns, cells);
        let has_shape = |piece: &char| {
            let kind = self.kinds.iter().find(|kind| kind.pieces.contains(piece));
            kind.is_some_and(|kind| shape_of(&image, &image.cells_of(*piece)) == kind.shape)
        };
        let is_board = image.without_pieces() == self.floor && image.pieces().iter().all(has_shape);
        is_board.then_some(image)
    }

    fn read_move(&self, line: Line<'_>) -> Result<Slide, Diagnostic> {
        Slide::read(line)
    }

    fn show(&self, board: &Board) -> String {
        board.row_text()
    }
}
