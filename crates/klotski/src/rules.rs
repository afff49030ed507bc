//! The referee: the rules on a plain board, with nothing of the fast search in it. Every plan that leaves the program has
//! been replayed here.
//!
//! ```
//! use fewest_core::text::Line;
//! use fewest_klotski::{Instance, Metric, Slide, rules};
//!
//! let layout = Instance::read(b"..CC/..CC/abcd/efgh/ijkl").next().unwrap().unwrap();
//! let slide = |text| Slide::read(Line { number: 1, text }).unwrap();
//! let after = rules::play(layout.board(), &slide("CWW"), Metric::Straight).unwrap();
//! assert_eq!(after.iter().collect::<String>(), "CC..CC..abcdefghijkl");
//! let refused = rules::play(layout.board(), &slide("CWW"), Metric::Unit).unwrap_err();
//! assert_eq!(refused.to_string(), "block `C` goes 2 cells, and a unit move is one cell");
//! ```

use fewest_core::grid::Direction;

use crate::instance::{BLANK, Board, CELLS, COLUMNS, Instance, ROWS};
use crate::plan::{Metric, Slide};

/// The upper left of the 2x2 when the puzzle is solved: fourth row, second column.
const EXIT: usize = 3 * COLUMNS + 1;

/// Whether the 2x2 stands in the middle of the last two rows.
pub fn is_solved(board: &Board) -> bool {
    let exit = board[EXIT];
    let stands = |cell: &usize| board[*cell] == exit;
    exit != BLANK && [EXIT, EXIT + 1, EXIT + COLUMNS, EXIT + COLUMNS + 1].iter().all(stands)
}

/// What breaks the rules in a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// No cell has this character.
    #[error("there is no block `{0}`")]
    NoBlock(char),
    /// It runs into another block, or over the edge.
    #[error("block `{block}` cannot go {way}{}", if *steps == 0 { String::new() } else { format!(" after {steps} cells") })]
    Blocked {
        /// The block.
        block: char,
        /// The direction that is not free.
        way: Direction,
        /// The cells that it went before.
        steps: usize,
    },
    /// A straight move goes around a corner.
    #[error("block `{0}` turns, and a straight move goes in one direction")]
    Turns(char),
    /// A unit move goes farther than a cell.
    #[error("block `{block}` goes {cells} cells, and a unit move is one cell")]
    Far {
        /// The block.
        block: char,
        /// How far it goes.
        cells: usize,
    },
    /// It ends where it began.
    #[error("block `{0}` ends where it began")]
    Nowhere(char),
}

/// The cell next to another; `None` over the edge.
fn neighbour(cell: usize, way: Direction) -> Option<usize> {
    let (row, column) = (cell / COLUMNS, cell % COLUMNS);
    match way {
        Direction::North => (row > 0).then(|| cell - COLUMNS),
        Direction::East => (column + 1 < COLUMNS).then_some(cell + 1),
        Direction::South => (row + 1 < ROWS).then_some(cell + COLUMNS),
        Direction::West => (column > 0).then(|| cell - 1),
    }
}

/// The board after a block has gone one cell; `None` if the way is not free.
fn push(board: &Board, block: char, way: Direction) -> Option<Board> {
    let cells = (0..CELLS).filter(|&cell| board[cell] == block);
    let mut after = board.map(|cell| if cell == block { BLANK } else { cell });
    for cell in cells {
        let to = neighbour(cell, way).filter(|&to| after[to] == BLANK)?;
        after[to] = block;
    }
    Some(after)
}

/// The board after a move, or what is illegal in it.
pub fn play(board: &Board, slide: &Slide, metric: Metric) -> Result<Board, Illegal> {
    let Slide { block, ref way } = *slide;
    if block == BLANK || !board.contains(&block) {
        return Err(Illegal::NoBlock(block));
    }
    match metric {
        Metric::Unit if way.len() > 1 => return Err(Illegal::Far { block, cells: way.len() }),
        Metric::Straight if way.windows(2).any(|pair| pair[0] != pair[1]) => return Err(Illegal::Turns(block)),
        _ => {}
    }
    let mut after = *board;
    for (steps, &way) in way.iter().enumerate() {
        after = push(&after, block, way).ok_or(Illegal::Blocked { block, way, steps })?;
    }
    if after == *board { Err(Illegal::Nowhere(block)) } else { Ok(after) }
}

/// All moves from a board, each with the board that it makes: every block by a shortest way to each place that it can go.
pub fn moves(board: &Board, metric: Metric) -> Vec<(Slide, Board)> {
    let mut moves = Vec::new();
    let mut blocks: Vec<char> = Vec::new();
    for &block in board {
        if block == BLANK || blocks.contains(&block) {
            continue;
        }
        blocks.push(block);
        // Ways grow cell by cell, as far as the metric allows; what has been made before is no new board.
        let mut made = vec![(Slide { block, way: Vec::new() }, *board)];
        let mut next = 0;
        while next < made.len() {
            let way = made[next].0.way.clone();
            next += 1;
            for direction in Direction::ALL {
                let slide = Slide { block, way: way.iter().copied().chain([direction]).collect() };
                if let Ok(after) = play(board, &slide, metric)
                    && made.iter().all(|(_, other)| *other != after)
                {
                    made.push((slide, after));
                }
            }
        }
        moves.extend(made.into_iter().skip(1));
    }
    moves
}

/// Why a plan does not solve a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A move breaks the rules.
    #[error("move {number}: {illegal}")]
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// What is wrong.
        illegal: Illegal,
    },
    /// No move leads from one board of a search to the next.
    #[error("move {number}: no move makes this board")]
    Jump {
        /// The number of the move, from 1.
        number: usize,
    },
    /// All moves are legal, but the 2x2 is not where it should be after the last.
    #[error("after move {moves} the 2x2 is not in the middle of the last two rows")]
    NotSolved {
        /// How many moves there were.
        moves: usize,
    },
}

/// Plays a plan from the start: fine if each move is legal and the puzzle solved at the end.
pub fn replay(instance: &Instance, plan: &[Slide], metric: Metric) -> Result<(), Refusal> {
    let mut board = *instance.board();
    for (index, slide) in plan.iter().enumerate() {
        board = play(&board, slide, metric).map_err(|illegal| Refusal::Move { number: index + 1, illegal })?;
    }
    if is_solved(&board) { Ok(()) } else { Err(Refusal::NotSolved { moves: plan.len() }) }
}
