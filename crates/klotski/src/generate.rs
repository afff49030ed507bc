//! New boards of the pieces of a puzzle: those that take most moves, or as many as are wanted.
//!
//! A board is drawn at random, and from all goals that can be reached from it a search goes back to the boards that are
//! farthest from them: so each try gives the hardest board of a whole component. Where all solved boards of the pieces can be
//! listed, a single search back from all of them gives the hardest of all components at once.
//!
//! ```
//! use fewest_core::{budget::Budget, random::Random};
//! use fewest_klotski::{Instance, Metric, generate::{Source, Wanted, generate}};
//!
//! let pieces = Instance::read(b"AA1/AA2/...\ngoal: A at 2,2").next().unwrap().unwrap();
//! let wanted = Wanted { metric: Metric::Unit, ..Wanted::default() };
//! let found = generate(&pieces, &wanted, Source::All, &Budget::unlimited()).unwrap();
//! assert_eq!((found.moves, found.boards[0].board().row_text().as_str()), (Some(7), "AA1/AA./2.."));
//! let mut random = Random::from_seed(1);
//! let by_chance = generate(&pieces, &wanted, Source::Random { tries: 3, random: &mut random }, &Budget::unlimited());
//! assert_eq!(by_chance.unwrap().moves, Some(7));
//! ```

use std::ops::ControlFlow;

use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::explore_with;
use fewest_core::memory::SegmentedVec;
use fewest_core::random::Random;
use fewest_core::search::all;
use fewest_core::space::StartingFrom;
use fewest_core::visited::Adaptive;

use crate::board::{BLANK, Board, is_piece};
use crate::instance::Instance;
use crate::plan::Metric;
use crate::plans::{idle, is_unique};
use crate::solve::{Encoding, Question, ask};
use crate::space::general::Kind;
use crate::space::{Boards, unpack};

/// What boards are to be like.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// What is counted.
    pub metric: Metric,
    /// The encoding of the searches; `None` is a choice left to us.
    pub encoding: Option<Encoding>,
    /// The fewest moves that they take; `None` is as many as there are.
    pub moves: Option<u32>,
    /// Whether shortest plans may differ in the order of moves only, as [`Difficulty`](crate::plans::Difficulty) has it.
    pub unique: bool,
    /// Whether each piece has to move in some shortest plan.
    pub no_idle_piece: bool,
    /// So many of them.
    pub count: usize,
}

impl Default for Wanted {
    fn default() -> Self {
        let metric = Metric::Rectilinear;
        Self { metric, encoding: None, moves: None, unique: false, no_idle_piece: false, count: 1 }
    }
}

/// Where boards come from.
pub enum Source<'a> {
    /// All placements of the pieces.
    All,
    /// Components of random placements.
    Random {
        /// So many.
        tries: u64,
        /// The choices.
        random: &'a mut Random,
    },
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    /// The fewest moves that each of the boards takes; `None` if there are none.
    pub moves: Option<u32>,
    /// The boards, no more than were wanted.
    pub boards: Vec<Instance>,
    /// Random boards that were tried.
    pub tried: u64,
    /// Those of them from which no goal can be reached.
    pub unsolvable: u64,
    /// What ended it before all was tried.
    pub limit: Option<Limit>,
}

/// So many boards are looked at for what is wanted beyond the number of moves, of each search.
const CHECKS: usize = 1000;

/// Looks for boards of the pieces of a puzzle, on its outline, with its goals and locks.
///
/// # Errors
/// [`Limit::Encoding`] if the states have more than 128 bits.
pub fn generate(puzzle: &Instance, wanted: &Wanted, source: Source<'_>, budget: &Budget) -> Result<Generated, Limit> {
    let mut found = Generated::default();
    match source {
        Source::All => {
            let question = Hardest { puzzle, wanted, from: None, budget, found: &mut found };
            ask(puzzle, wanted.metric, wanted.encoding, question)?;
        }
        Source::Random { tries, random } => {
            for _ in 0..tries {
                let Some(board) = by_chance(puzzle, random) else { break };
                found.tried += 1;
                let question = Hardest { puzzle, wanted, from: Some(board), budget, found: &mut found };
                ask(puzzle, wanted.metric, wanted.encoding, question)?;
                let enough = wanted.moves.is_some() && found.boards.len() >= wanted.count;
                if enough || found.limit.is_some() {
                    break;
                }
            }
        }
    }
    Ok(found)
}

/// The pieces taken off.
fn bare(puzzle: &Instance) -> Board {
    let board = puzzle.board();
    let off = |&cell: &char| if is_piece(cell) { BLANK } else { cell };
    Board::of_cells(board.columns(), board.cells().iter().map(off).collect())
}

/// Puts a piece on a board; `None`, and nothing changes, where there is no room.
fn put(board: &mut Board, puzzle: &Instance, piece: char, first: usize) -> Option<Vec<usize>> {
    let cells = board.moved(&puzzle.board().cells_of(piece), first)?;
    if cells.iter().any(|&cell| board.cells()[cell] != BLANK) {
        return None;
    }
    cells.iter().for_each(|&cell| board.cells_mut()[cell] = piece);
    Some(cells)
}

/// A board with the pieces anywhere they could get to if nothing were in their way; `None` if there seems to be no room.
fn by_chance(puzzle: &Instance, random: &mut Random) -> Option<Board> {
    const ATTEMPTS: usize = 10_000;
    let kinds = Kind::all(puzzle);
    let mut pieces: Vec<(char, &Kind)> =
        kinds.iter().flat_map(|(kind, pieces)| pieces.iter().map(move |&piece| (piece, kind))).collect();
    // The large ones first, as they find no room later.
    pieces.sort_by_key(|(piece, _)| std::cmp::Reverse(puzzle.board().cells_of(*piece).len()));
    (0..ATTEMPTS).find_map(|_| {
        let mut board = bare(puzzle);
        for (piece, kind) in &pieces {
            let mut firsts = kind.firsts.clone();
            random.shuffle(&mut firsts);
            firsts.into_iter().find_map(|first| put(&mut board, puzzle, *piece, first))?;
        }
        Some(board)
    })
}

/// Shows every board on which the pieces that have goals are there and the others anywhere they could get to if nothing were
/// in their way; of those that differ in which of equal pieces is where, one.
fn each_solved(puzzle: &Instance, show: &mut dyn FnMut(&Board) -> ControlFlow<()>) -> ControlFlow<()> {
    fn place(
        puzzle: &Instance,
        left: &[(char, &Kind)],
        after: Option<usize>,
        board: &mut Board,
        show: &mut dyn FnMut(&Board) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some((&(piece, kind), rest)) = left.split_first() else { return show(board) };
        let goal = puzzle.goals().iter().find(|goal| goal.piece == piece).map(|goal| goal.first);
        // Pieces of a kind stand in their order.
        let allowed = |first: usize| goal.is_none_or(|goal| goal == first) && after.is_none_or(|after| first > after);
        for &first in kind.firsts.iter().filter(|&&first| allowed(first)) {
            if let Some(cells) = put(board, puzzle, piece, first) {
                let same = rest.first().is_some_and(|(_, other)| std::ptr::eq(*other, kind));
                let end = place(puzzle, rest, same.then_some(first), board, show);
                cells.into_iter().for_each(|cell| board.cells_mut()[cell] = BLANK);
                end?;
            }
        }
        ControlFlow::Continue(())
    }
    let kinds = Kind::all(puzzle);
    let pieces: Vec<(char, &Kind)> =
        kinds.iter().flat_map(|(kind, pieces)| pieces.iter().map(move |&piece| (piece, kind))).collect();
    place(puzzle, &pieces, None, &mut bare(puzzle), show)
}

/// Which boards of a component, or of all, are hardest?
struct Hardest<'a> {
    puzzle: &'a Instance,
    wanted: &'a Wanted,
    /// A board of the component; `None` for all boards.
    from: Option<Board>,
    budget: &'a Budget,
    found: &'a mut Generated,
}

impl Question for Hardest<'_> {
    type Answer = ();

    fn ask<S: Boards>(self, space: &S) {
        let Self { puzzle, wanted, from, budget, found } = self;
        let mut goals = SegmentedVec::new(budget.memory());
        let mut out = None;
        if let Some(board) = from {
            let starts = [space.pack(&board)];
            let start = StartingFrom { space, states: &starts };
            let all = explore_with::<Adaptive<_>, _>(&start, budget, |_, state| {
                if space.is_goal(state) {
                    out = out.or(goals.push(state).err());
                }
            });
            found.limit = all.limit;
        } else {
            let _ = each_solved(puzzle, &mut |board| {
                out = goals.push(space.pack(board)).err();
                if out.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        }
        found.limit = found.limit.or(out.map(Limit::from));
        if found.limit.is_some() {
            return;
        }
        let goals: Vec<S::State> = goals.iter().collect();
        found.unsolvable += u64::from(goals.is_empty());
        let mut layers: Vec<SegmentedVec<S::State>> = Vec::new();
        let start = StartingFrom { space, states: &goals };
        let back = explore_with::<Adaptive<_>, _>(&start, budget, |depth, state| {
            if depth as usize == layers.len() {
                layers.push(SegmentedVec::new(budget.memory()));
            }
            out = out.or(layers[depth as usize].push(state).err());
        });
        found.limit = back.limit.or(out.map(Limit::from));
        if found.limit.is_some() {
            return;
        }
        // Only boards that are harder than those known, or as hard as wanted.
        let mut checks = 0;
        for moves in (1..layers.len() as u32).rev() {
            let more = found.moves.is_none_or(|known| known < moves);
            if !wanted.moves.map_or(more, |wanted| wanted == moves) {
                continue;
            }
            let mut states: Vec<S::State> = layers[moves as usize].iter().collect();
            states.sort_unstable();
            let mut boards = Vec::new();
            for state in states {
                if wanted.unique || wanted.no_idle_piece {
                    checks += 1;
                    if checks > CHECKS {
                        break;
                    }
                    match suits(space, puzzle, wanted, state, budget) {
                        Ok(true) => {}
                        Ok(false) => continue,
                        Err(limit) => {
                            found.limit = Some(limit);
                            return;
                        }
                    }
                }
                boards.extend(puzzle.with_board(unpack(space, puzzle.board(), state)).ok());
                if boards.len() + if wanted.moves.is_some() { found.boards.len() } else { 0 } >= wanted.count {
                    break;
                }
            }
            if boards.is_empty() {
                continue;
            }
            if found.moves.is_none_or(|known| known < moves) {
                found.boards.clear();
            }
            found.moves = Some(moves);
            found.boards.extend(boards.into_iter().filter(|board| !found.boards.contains(board)).collect::<Vec<_>>());
            return;
        }
    }
}

/// Whether a board is as wanted beyond the number of its moves.
fn suits<S: Boards>(
    space: &S,
    puzzle: &Instance,
    wanted: &Wanted,
    state: S::State,
    budget: &Budget,
) -> Result<bool, Limit> {
    let starts = [state];
    let start = StartingFrom { space, states: &starts };
    let outcome = all::search::<Adaptive<_>, _>(&start, budget);
    if let fewest_core::outcome::Verdict::Stopped { limit, .. } = outcome.verdict {
        return Err(limit);
    }
    let Some(plans) = outcome.plan() else { return Ok(false) };
    let board = || puzzle.with_board(unpack(space, puzzle.board(), state)).ok();
    let moved = !wanted.no_idle_piece || board().is_some_and(|puzzle| idle(space, &puzzle, plans).is_empty());
    Ok(moved && (!wanted.unique || is_unique(space, plans)))
}
