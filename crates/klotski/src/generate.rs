//! New boards of the pieces of a puzzle: those that take most moves, or as many as are wanted.
//!
//! A board is drawn at random, and from all goals that can be reached from it a search goes back to
//! the boards that are farthest from them: so each try gives the hardest board of a whole
//! component. Where all solved boards of the pieces can be listed, a single search back from all of
//! them gives the hardest of all components at once.
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

use std::cmp::Reverse;
use std::collections::BTreeSet;

use fewest_core::budget::{Budget, Limit, Meter};
use fewest_core::explore::explore_with;
use fewest_core::memory::{Block, SegmentedVec};
use fewest_core::random::Random;
use fewest_core::space::StartingFrom;
use fewest_core::visited::Adaptive;

use crate::board::{BLANK, Board};
use crate::instance::Instance;
use crate::plan::Metric;
use crate::plan_moves::PlanMoves;
use crate::plans::shortest_plans;
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
    /// The fewest moves that solve them, exactly; `None` is as many as there are.
    pub moves: Option<u32>,
    /// Whether shortest plans may differ in the order of moves only, as
    /// [`Difficulty`](crate::plans::Difficulty) has it.
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
    /// Components of random placements; of each, what is wanted beyond the number of moves is
    /// looked for among [`CHECKS`] boards.
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
    /// Whether that is proved: all boards of the pieces were looked at.
    pub complete: bool,
    /// Random boards that were tried; none if there seems to be no room to place the pieces at
    /// random.
    pub tried: u64,
    /// Those of them from which no goal can be reached.
    pub unsolvable: u64,
    /// What ended it before all was tried.
    pub limit: Option<Limit>,
}

/// So many boards of a random component, the hardest first, are looked at for what is wanted beyond
/// the number of moves.
pub const CHECKS: usize = 1000;

/// Looks for boards of the pieces of a puzzle, on its outline, with its goals and locks.
///
/// # Errors
/// [`Limit::Encoding`] if the states have more than 128 bits.
pub fn generate(
    puzzle: &Instance,
    wanted: &Wanted,
    source: Source<'_>,
    budget: &Budget,
) -> Result<Generated, Limit> {
    let kinds = Kind::all(puzzle);
    let mut pieces: Pieces<'_> = Vec::new();
    for (kind, of_kind) in &kinds {
        pieces.extend(of_kind.iter().map(|&piece| (piece, kind)));
    }
    let mut found = Generated::default();
    let mut seen = BTreeSet::new();
    let mut look = |starts: Starts<'_>, found: &mut Generated| -> Result<(), Limit> {
        let question =
            Hardest { puzzle, wanted, starts, budget, seen: &mut seen, found: &mut *found };
        let searched = ask(puzzle, wanted.metric, wanted.encoding, question)?;
        found.limit = searched.err();
        Ok(())
    };
    match source {
        Source::All => {
            look(Starts::Solved(&pieces), &mut found)?;
            found.complete = found.limit.is_none();
        }
        Source::Random { tries, random } => {
            // The large ones first, as they find no room later.
            pieces.sort_by_key(|(piece, _)| Reverse(puzzle.board().cells_of(*piece).len()));
            for _ in 0..tries {
                match by_chance(puzzle, &pieces, random, &mut budget.meter()) {
                    Ok(Some(board)) => {
                        found.tried += 1;
                        look(Starts::One(board), &mut found)?;
                    }
                    Ok(None) => break,
                    Err(limit) => found.limit = Some(limit),
                }
                let enough = wanted.moves.is_some() && found.boards.len() >= wanted.count;
                if enough || found.limit.is_some() {
                    break;
                }
            }
        }
    }
    Ok(found)
}

/// All pieces of a puzzle with their kinds, those of a kind one after another.
type Pieces<'a> = Vec<(char, &'a Kind)>;

/// Puts a piece on a board that has room for it there; `false`, and nothing changes, where there is
/// none.
fn try_put(board: &mut Board, puzzle: &Instance, piece: char, first: usize) -> bool {
    let is_blank = |cells: &Vec<usize>| cells.iter().all(|&cell| board.cells()[cell] == BLANK);
    let cells = board.moved(&puzzle.board().cells_of(piece), first).filter(is_blank);
    cells.inspect(|cells| board.put(piece, cells)).is_some()
}

/// A board with the pieces anywhere they could get to if nothing were in their way; `None` if there
/// seems to be no room.
fn by_chance(
    puzzle: &Instance,
    pieces: &Pieces<'_>,
    random: &mut Random,
    meter: &mut Meter<'_>,
) -> Result<Option<Board>, Limit> {
    const ATTEMPTS: usize = 10_000;
    for _ in 0..ATTEMPTS {
        let mut board = puzzle.board().bare();
        let mut has_room = true;
        for (piece, kind) in pieces {
            meter.poll()?;
            let mut firsts = kind.firsts.clone();
            random.shuffle(&mut firsts);
            has_room = firsts.into_iter().any(|first| try_put(&mut board, puzzle, *piece, first));
            if !has_room {
                break;
            }
        }
        if has_room {
            return Ok(Some(board));
        }
    }
    Ok(None)
}

/// Collects every board on which the pieces that have goals are there and the others anywhere they
/// could get to if nothing were in their way; of those that differ in which of equal pieces is
/// where, one.
struct Solved<'a, S: Boards> {
    space: &'a S,
    puzzle: &'a Instance,
    meter: Meter<'a>,
    board: Board,
    found: SegmentedVec<S::State>,
}

impl<S: Boards> Solved<'_, S> {
    /// Places what is left; the first of it, behind a cell if one is given.
    fn place(&mut self, left: &[(char, &Kind)], after: Option<usize>) -> Result<(), Limit> {
        let Some((&(piece, kind), rest)) = left.split_first() else {
            return Ok(self.found.push(self.space.pack(&self.board))?);
        };
        let goal =
            self.puzzle.goals().iter().find(|goal| goal.piece == piece).map(|goal| goal.first);
        // Pieces of a kind stand in their order.
        let allowed = |first: usize| {
            goal.is_none_or(|goal| goal == first) && after.is_none_or(|after| first > after)
        };
        for &first in kind.firsts.iter().filter(|&&first| allowed(first)) {
            self.meter.poll()?;
            if try_put(&mut self.board, self.puzzle, piece, first) {
                let same = rest.first().is_some_and(|(_, other)| std::ptr::eq(*other, kind));
                self.place(rest, same.then_some(first))?;
                self.board.put(piece, &[]);
            }
        }
        Ok(())
    }
}

/// Which boards of a component, or of all, are hardest?
struct Hardest<'a> {
    puzzle: &'a Instance,
    wanted: &'a Wanted,
    starts: Starts<'a>,
    budget: &'a Budget,
    /// Of each component that was searched, the least of its solved boards.
    seen: &'a mut BTreeSet<String>,
    found: &'a mut Generated,
}

/// From where the goals are found.
enum Starts<'a> {
    /// They are what can be reached from a board.
    One(Board),
    /// They are all placements of the pieces.
    Solved(&'a Pieces<'a>),
}

impl Question for Hardest<'_> {
    type Answer = Result<(), Limit>;

    fn ask<S: Boards>(self, space: &S) -> Result<(), Limit> {
        let goals = self.goals(space)?;
        let Some(&least) = goals.iter().min() else {
            self.found.unsolvable += 1;
            return Ok(());
        };
        if !self.seen.insert(unpack(space, self.puzzle.board(), least).row_text()) {
            return Ok(());
        }
        let layers = layers(space, &goals, self.budget)?;
        // Only boards that are harder than those known, or as hard as wanted.
        let known = self.found.moves;
        let fits =
            |moves: &u32| self.wanted.moves.map_or(Some(*moves) > known, |wanted| wanted == *moves);
        let mut checks = if matches!(self.starts, Starts::One(_)) { CHECKS } else { usize::MAX };
        for moves in (0..layers.len() as u32).rev().filter(fits) {
            let boards = self.chosen(space, &layers[moves as usize], &mut checks)?;
            if !boards.is_empty() {
                if known < Some(moves) {
                    self.found.boards.clear();
                }
                self.found.moves = Some(moves);
                self.found.boards.extend(boards);
                break;
            }
        }
        Ok(())
    }
}

impl Hardest<'_> {
    fn goals<S: Boards>(&self, space: &S) -> Result<Block<S::State>, Limit> {
        let Self { puzzle, budget, .. } = self;
        let mut goals = SegmentedVec::new(budget.memory());
        match &self.starts {
            Starts::One(board) => {
                let (states, mut out) = ([space.pack(board)], Ok(()));
                let all = explore_with::<Adaptive<_>, _>(
                    &StartingFrom { space, states: &states },
                    budget,
                    |_, state| {
                        if space.is_goal(state) {
                            out = out.and_then(|()| goals.push(state));
                        }
                    },
                );
                out?;
                all.limit.map_or(Ok(()), Err)?;
            }
            Starts::Solved(pieces) => {
                let (meter, board) = (budget.meter(), puzzle.board().bare());
                let mut solved = Solved { space, puzzle, meter, board, found: goals };
                solved.place(pieces, None)?;
                goals = solved.found;
            }
        }
        Ok(Block::of(&goals, budget.memory())?)
    }

    /// Boards of a layer that are as wanted, and not among those found, no more than are wanted
    /// still. `checks` says how many may be looked at more closely.
    fn chosen<S: Boards>(
        &self,
        space: &S,
        layer: &SegmentedVec<S::State>,
        checks: &mut usize,
    ) -> Result<Vec<Instance>, Limit> {
        let Self { puzzle, wanted, found, .. } = self;
        let more = wanted.count - if wanted.moves.is_some() { found.boards.len() } else { 0 };
        let mut states = Block::of(layer, self.budget.memory())?;
        states.sort_unstable();
        let mut boards = Vec::new();
        for &state in &states[..] {
            if boards.len() == more {
                break;
            }
            let Ok(board) = puzzle.with_board(unpack(space, puzzle.board(), state)) else {
                continue;
            };
            if found.boards.contains(&board) {
                continue;
            }
            if wanted.unique || wanted.no_idle_piece {
                if *checks == 0 {
                    break;
                }
                *checks -= 1;
                if !suits(space, &board, wanted, self.budget)? {
                    continue;
                }
            }
            boards.push(board);
        }
        Ok(boards)
    }
}

/// What can be reached from some states, by depth.
fn layers<S: Boards>(
    space: &S,
    states: &[S::State],
    budget: &Budget,
) -> Result<Vec<SegmentedVec<S::State>>, Limit> {
    let mut layers: Vec<SegmentedVec<S::State>> = Vec::new();
    let mut end = Ok(());
    let all =
        explore_with::<Adaptive<_>, _>(&StartingFrom { space, states }, budget, |depth, state| {
            if depth as usize == layers.len() {
                layers.push(SegmentedVec::new(budget.memory()));
            }
            end = end.and_then(|()| layers[depth as usize].push(state));
        });
    end?;
    all.limit.map_or(Ok(layers), Err)
}

/// Whether a board is as wanted beyond the number of its moves.
fn suits<S: Boards>(
    space: &S,
    puzzle: &Instance,
    wanted: &Wanted,
    budget: &Budget,
) -> Result<bool, Limit> {
    let starts = [space.pack(puzzle.board())];
    let plans = shortest_plans(&StartingFrom { space, states: &starts }, budget)?;
    let Some(plans) = plans else { return Ok(false) };
    let moves = PlanMoves::new(space, &plans, budget)?;
    let moved = !wanted.no_idle_piece || moves.idle(puzzle).is_empty();
    Ok(moved && (!wanted.unique || moves.is_unique(budget)?))
}
