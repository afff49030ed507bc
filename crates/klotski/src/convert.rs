//! Boards in other notations.

use fewest_puzzle::convert::Convert;

use crate::board::WALL;
use crate::builtin::BUILTINS;
use crate::instance::{Axis, Instance};
use crate::task::Task;
use crate::{forms, rush_hour, short_code};

impl Convert for Task {
    fn convert(&self, notation: &str) -> Option<String> {
        let puzzle = &self.instance;
        match notation {
            "board" => Some(puzzle.to_string()),
            "rows" => Some(rows(puzzle)),
            "code" => puzzle.code().filter(|_| puzzle.is_classic()),
            "short-code" if puzzle.is_classic() => short_code::encode(puzzle.board()),
            "name" => named(puzzle),
            "rush-hour" => rush_hour::line::write(puzzle),
            form => {
                let text = forms::write(form, puzzle)?;
                let same = Instance::read(text.as_bytes()).next()?.ok()?;
                (Unnamed::of(&same) == Unnamed::of(puzzle)).then_some(text)
            }
        }
    }
}

/// What a puzzle is but for the names of its pieces, and for walls around it.
#[derive(PartialEq)]
struct Unnamed {
    open: Vec<(isize, isize)>,
    pieces: Vec<UnnamedPiece>,
}

#[derive(PartialEq)]
struct UnnamedPiece {
    cells: Vec<(isize, isize)>,
    goal: Option<(isize, isize)>,
    lock: Option<Axis>,
    gates: Vec<(isize, isize)>,
}

impl Unnamed {
    fn of(puzzle: &Instance) -> Self {
        let board = puzzle.board();
        let cells = 0..board.cells().len();
        let place =
            |cell: usize| ((cell / board.columns()) as isize, (cell % board.columns()) as isize);
        let open: Vec<_> = cells.filter(|&cell| board.cells()[cell] != WALL).map(place).collect();
        let least = |of: fn(&(isize, isize)) -> isize| open.iter().map(of).min().unwrap_or(0);
        let (top, left) = (least(|place| place.0), least(|place| place.1));
        let moved = |(row, column): (isize, isize)| (row - top, column - left);
        let of_cell = |cell: usize| moved(place(cell));
        let piece = |piece: char| UnnamedPiece {
            cells: board.cells_of(piece).into_iter().map(of_cell).collect(),
            goal: puzzle
                .goals()
                .iter()
                .find(|goal| goal.piece == piece)
                .map(|goal| of_cell(goal.first)),
            lock: puzzle.lock(piece),
            gates: puzzle.gates_for(piece).into_iter().map(of_cell).collect(),
        };
        let mut pieces: Vec<_> = board.pieces().into_iter().map(piece).collect();
        pieces.sort_by(|one, other| one.cells.cmp(&other.cells));
        Self { open: open.into_iter().map(moved).collect(), pieces }
    }
}

/// The rows on one line, and the goals and locks below.
fn rows(puzzle: &Instance) -> String {
    let text = puzzle.to_string();
    let below = text.lines().skip(puzzle.board().rows()).map(|line| format!("\n{line}"));
    puzzle.board().row_text() + &below.collect::<String>()
}

/// The first built-in name of a layout. The pieces may have other characters than the built-in
/// ones.
fn named(puzzle: &Instance) -> Option<String> {
    let code = puzzle.code().filter(|_| puzzle.is_classic())?;
    let same = |text: &str| {
        let other = Instance::read(text.as_bytes()).next().and_then(Result::ok);
        other.and_then(|other| other.code()).as_ref() == Some(&code)
    };
    let builtin = BUILTINS.iter().find(|builtin| same(builtin.text))?;
    Some(builtin.names[0].to_owned())
}
