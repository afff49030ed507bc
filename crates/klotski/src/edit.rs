//! Strokes of brushes on a board.

use fewest_geometry::Cell;
use fewest_puzzle::edit::{Brush, Edit};

use crate::board::{BLANK, Board, WALL, is_piece};
use crate::instance::{Axis, Gate, Goal, Instance, Lock, MAX_CELLS};
use crate::task::Task;

/// What can be drawn.
pub(crate) const BRUSHES: &[Brush] = &[
    Brush { name: "piece", about: "A new piece on the cells of the stroke", on_edges: false },
    Brush { name: "gap", about: "Remove what is on the cells", on_edges: false },
    Brush { name: "wall", about: "Make the cells walls", on_edges: false },
    Brush {
        name: "goal",
        about: "Drag a piece to where it has to go; a tap on it removes its goal",
        on_edges: false,
    },
    Brush {
        name: "lock",
        about: "Draw a line over a piece to lock it to this axis; a tap on it unlocks it",
        on_edges: false,
    },
    Brush { name: "gate", about: "Only pieces with a goal may enter these cells", on_edges: false },
];

/// The characters of new pieces.
const NAMES: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

impl Edit for Task {
    /// Goals, locks and gates of pieces that are gone are gone, too.
    fn edit(&self, brush: &str, cells: &[Cell]) -> Result<Self, String> {
        let board = self.instance.board();
        let (rows, columns) = (board.rows() as i32, board.columns() as i32);
        let is_on_board =
            |cell: &&Cell| (0..rows).contains(&cell.row) && (0..columns).contains(&cell.column);
        let cells: Vec<usize> = cells
            .iter()
            .filter(is_on_board)
            .map(|cell| (cell.row * columns + cell.column) as usize)
            .collect();
        match cells[..] {
            [] => Err("the stroke is not on the board".to_owned()),
            _ => Ok(Self { instance: stroke_over(&self.instance, brush, &cells)?, ..*self }),
        }
    }

    /// A board with one piece, which has to go to the opposite corner.
    fn blank(&self, rows: usize, columns: usize) -> Result<Self, String> {
        let cells = rows.checked_mul(columns).filter(|cells| (2..=MAX_CELLS).contains(cells));
        let cells = cells.ok_or_else(|| format!("a board has from 2 to {MAX_CELLS} cells"))?;
        let board = with(&Board::of_cells(columns, vec![BLANK; cells]), &[0], 'A');
        let goal = Goal { piece: 'A', first: cells - 1 };
        let instance = Instance::new(board, vec![goal], Vec::new());
        let instance = instance
            .map_err(|fault| format!("found {}, expected {}", fault.found, fault.expected))?;
        Ok(Self { instance, ..*self })
    }
}

/// The same for at least one cell, all of them on the board.
fn stroke_over(instance: &Instance, brush: &str, cells: &[usize]) -> Result<Instance, String> {
    let old = instance.board();
    let (first, last) = (cells[0], cells[cells.len() - 1]);
    let piece = old.cells()[first];
    let (mut goals, mut locks) = (instance.goals().to_vec(), instance.locks().to_vec());
    let mut gates = instance.gates().to_vec();
    let mut board = old.clone();
    let on_piece = || match is_piece(piece) {
        true => Ok(()),
        false => Err("start the stroke on a piece".to_owned()),
    };
    match brush {
        "piece" => board = with(old, cells, unused_name(old)?),
        "gap" => board = with(old, cells, BLANK),
        "wall" => board = with(old, cells, WALL),
        "goal" => {
            on_piece()?;
            goals.retain(|goal| goal.piece != piece);
            if first != last {
                let to = shifted(old, old.cells_of(piece)[0], first, last);
                goals.push(Goal { piece, first: to.ok_or("the goal is not on the board")? });
            }
        }
        "lock" => {
            on_piece()?;
            locks.retain(|lock| lock.piece != piece);
            let is_row = first / old.columns() == last / old.columns();
            let axis = if is_row { Axis::Horizontal } else { Axis::Vertical };
            locks.extend((first != last).then_some(Lock { piece, axis }));
        }
        "gate" => {
            let is_under_piece = |&cell: &usize| is_piece(old.cells()[cell]);
            let is_free = |cell: &usize| !is_under_piece(cell);
            board = with(old, &cells.iter().copied().filter(is_free).collect::<Vec<_>>(), BLANK);
            let pieces: Vec<char> = goals.iter().map(|goal| goal.piece).collect();
            let gates_on = |&cell: &usize| pieces.iter().map(move |&piece| Gate { piece, cell });
            gates.extend(cells.iter().flat_map(gates_on));
        }
        _ => return Err(format!("no brush `{brush}`")),
    }
    if ["piece", "gap", "wall"].contains(&brush) {
        gates.retain(|gate| !cells.contains(&gate.cell));
    }
    goals.retain(|goal| {
        let cells = board.cells_of(goal.piece);
        old.cells_of(goal.piece) == cells || board.translated(&cells, goal.first).is_some()
    });
    goals.retain(|goal| board.first_cell(goal.piece).is_some());
    locks.retain(|lock| board.first_cell(lock.piece).is_some());
    gates.retain(|gate| board.first_cell(gate.piece).is_some());
    let edited = Instance::new(board, goals, locks);
    edited.and_then(|instance| instance.with_gates(gates)).map_err(|fault| {
        let hint = fault.hint.map(|hint| format!("; {hint}")).unwrap_or_default();
        format!("found {}, expected {}{hint}", fault.found, fault.expected)
    })
}

/// A board with this character on some cells.
fn with(board: &Board, cells: &[usize], character: char) -> Board {
    let mut all = board.cells().to_vec();
    cells.iter().for_each(|&cell| all[cell] = character);
    Board::of_cells(board.columns(), all)
}

/// A cell as far from `cell` as `last` is from `first`.
fn shifted(board: &Board, cell: usize, first: usize, last: usize) -> Option<usize> {
    let columns = board.columns();
    let along = |of: fn(usize, usize) -> usize| {
        (of(cell, columns) + of(last, columns)).checked_sub(of(first, columns))
    };
    let (row, column) =
        (along(|cell, columns| cell / columns)?, along(|cell, columns| cell % columns)?);
    (row < board.rows() && column < columns).then_some(row * columns + column)
}

fn unused_name(board: &Board) -> Result<char, String> {
    let pieces = board.pieces();
    let name = NAMES.chars().find(|name| !pieces.contains(name));
    name.ok_or_else(|| "there are too many pieces".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Metric;

    fn edited(text: &str, brush: &str, cells: &[(i32, i32)]) -> Result<String, String> {
        let instance = Instance::read(text.as_bytes()).next().expect("a puzzle").expect("valid");
        let cells: Vec<Cell> = cells.iter().map(|&(row, column)| Cell { row, column }).collect();
        Task::new(instance, Metric::Unit).edit(brush, &cells).map(|task| task.to_string())
    }

    #[test]
    fn strokes_make_pieces_gaps_walls_goals_locks_and_gates() {
        let text = "A..\n...\ngoal: A at 2,3\n";
        for (brush, cells, expected) in [
            ("piece", &[(0, 1), (0, 2), (1, 2)][..], "ABB\n..B\ngoal: A at 2,3\n"),
            ("wall", &[(1, 0)], "A..\n#..\ngoal: A at 2,3\n"),
            ("goal", &[(0, 0), (0, 1), (0, 2)], "A..\n...\ngoal: A at 1,3\n"),
            ("lock", &[(0, 0), (0, 1)], "A..\n...\ngoal: A at 2,3\nlock: horizontal A\n"),
            ("lock", &[(0, 0), (1, 0)], "A..\n...\ngoal: A at 2,3\nlock: vertical A\n"),
            ("gate", &[(0, 2), (1, 2)], "A..\n...\ngoal: A at 2,3\ngate: A at 1,3 2,3\n"),
        ] {
            assert_eq!(edited(text, brush, cells).as_deref(), Ok(expected), "{brush}");
        }
        let two = "AB.\n...\ngoal: A at 2,3\ngoal: B at 1,3\nlock: horizontal A\n";
        let without = "A..\n...\ngoal: A at 2,3\nlock: horizontal A\n";
        assert_eq!(edited(two, "gap", &[(0, 1), (0, 5)]).as_deref(), Ok(without));
        assert_eq!(
            edited(two, "lock", &[(0, 0)]).as_deref().map(|text| text.contains("lock")),
            Ok(false)
        );
        assert_eq!(
            edited(two, "goal", &[(0, 0)]).as_deref().map(|text| text.contains("A at")),
            Ok(false)
        );
        let gate = "A..\n...\ngoal: A at 2,3\ngate: A at 1,3\n";
        for (brush, expected) in [
            ("gap", "A..\n...\ngoal: A at 2,3\n"),
            ("wall", "A.#\n...\ngoal: A at 2,3\n"),
            ("piece", "A.B\n...\ngoal: A at 2,3\n"),
        ] {
            assert_eq!(edited(gate, brush, &[(0, 2)]).as_deref(), Ok(expected), "{brush}");
        }
        // The only goal cannot go.
        assert!(edited(text, "gap", &[(0, 0)]).expect_err("no goal").contains("expected"));
        for (brush, cells) in [
            ("goal", &[(1, 1)][..]),
            ("lock", &[(1, 1)]),
            ("piece", &[(9, 9)]),
            ("piece", &[]),
            ("paint", &[(0, 0)]),
        ] {
            assert!(edited(text, brush, cells).is_err(), "{brush}");
        }
    }
}
