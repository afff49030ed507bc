//! Generates boards with the pieces of a puzzle: the hardest ones, or boards whose number of moves
//! is in a given range.
//!
//! For each random board, one search finds the solved boards that are reachable from it, and a
//! second search from all of them finds the boards that are farthest from a goal. So each try gives
//! the hardest boards of a whole component. If all solved boards with the pieces can be listed, one
//! search from all of them gives the hardest boards of all components at once.
//!
//! ```
//! use fewest_core::budget::Budget;
//! use fewest_puzzle::random::Random;
//! use fewest_klotski::generate::{Source, generate};
//! use fewest_klotski::options::GenerateOptions;
//! use fewest_klotski::{Instance, Metric, Task};
//!
//! let pieces = Instance::read(b"AA1/AA2/...\ngoal: A at 2,2").next().unwrap().unwrap();
//! let pieces = Task::new(pieces, Metric::Unit);
//! let options = GenerateOptions::default();
//! let budget = Budget::unlimited();
//! let found = generate(&pieces, &options, Source::All, &budget).unwrap();
//! assert_eq!(found.moves, Some(7));
//! assert_eq!(found.boards[0].board().row_text(), "AA1/AA./2..");
//! let mut random = Random::from_seed(1);
//! let source = Source::Random { tries: 3, random: &mut random };
//! assert_eq!(generate(&pieces, &options, source, &budget).unwrap().moves, Some(7));
//! ```

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::num::NonZero;
use std::ops::ControlFlow;

use fewest_core::budget::{Budget, Limit, Meter};
use fewest_core::memory::{Block, SegmentedVec};
use fewest_core::search::Search;
use fewest_puzzle::SolveError;
use fewest_puzzle::generate::{Emit, Generate, GenerateEnd, Generated};
use fewest_puzzle::options::{OptionSource, Whole};
use fewest_puzzle::random::Random;
use fewest_puzzle::rank::Difficulty;
use fewest_puzzle::words::{counted, plan_count, plural};
use fewest_puzzle::work::{WorkContext, WorkError};

use crate::board::{BLANK, Board};
use crate::instance::Instance;
use crate::options::GenerateOptions;
use crate::plan::Metric;
use crate::plan_moves::PlanMoves;
use crate::plans::{difficulty, shortest_plans};
use crate::puzzle::Klotski;
use crate::rush_hour;
use crate::rush_hour::census::Side;
use crate::rush_hour::climb::{Climbed, Wanted, climb};
use crate::solve::check_encoding;
use crate::space::general::PieceKind;
use crate::space::{BoardSpace, unpack};
use crate::task::Task;
use crate::with_space;

impl Generate<Task> for Klotski {
    #[cfg(feature = "clap")]
    fn arguments(&self, command: clap::Command) -> clap::Command {
        fewest_puzzle::options::add_arguments::<GenerateOptions>(command)
    }

    fn generate(
        &self,
        base: Option<&Task>,
        options: OptionSource<'_>,
        work: &dyn WorkContext,
        emit: Emit<'_, Task>,
    ) -> Result<Generated, WorkError> {
        let options: GenerateOptions = options.options()?;
        let budget = work.budget(options.limits.limits());
        if options.rush_hour {
            return run_rush_hour(&options, &budget, emit);
        }
        let task =
            base.ok_or_else(|| SolveError::unsupported("there is no board to start from"))?;
        run(check_encoding(task)?, &options, &budget, emit)
    }

    fn text(&self, task: &Task) -> String {
        rush_hour::line::write_published(&task.instance)
            .unwrap_or_else(|| task.instance.to_string())
    }
}

/// The boards to select from.
pub enum Source<'a> {
    /// All boards with the pieces.
    All,
    /// The components of random boards. In each component, at most [`MAX_CHECKED_BOARDS`] boards
    /// are checked for `unique` and `no_idle_piece`.
    Random {
        /// The number of random boards.
        tries: u64,
        /// The random number generator.
        random: &'a mut Random,
    },
}

/// The result of [`generate`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeneratedBoards {
    /// The number of moves of a shortest plan, which is the same for all of the boards; `None` if
    /// there are no boards.
    pub moves: Option<u32>,
    /// The boards, at most [`GenerateOptions::count`].
    pub boards: Vec<Instance>,
    /// Whether all boards with the pieces were examined, so that the result is proved.
    pub complete: bool,
    /// The number of random boards that were tried. It is 0 if no room was found to place the
    /// pieces at random.
    pub tried: u64,
    /// The number of tried boards that are unsolvable. For [`Source::All`], 1 if no board is
    /// solved.
    pub unsolvable: u64,
    /// The limit that stopped the search, if any.
    pub limit: Option<Limit>,
}

/// The greatest number of boards of a random component that are checked for `unique` and
/// `no_idle_piece`, the hardest first.
pub const MAX_CHECKED_BOARDS: usize = 1000;

/// The number of tries if none is given.
const DEFAULT_TRIES: u64 = 10;

/// Searches for boards with the outline, the pieces, the goals and the locks of a puzzle.
///
/// # Errors
/// [`Limit::Encoding`] if a state takes more than 192 bits.
pub fn generate(
    task: &Task,
    options: &GenerateOptions,
    source: Source<'_>,
    budget: &Budget,
) -> Result<GeneratedBoards, Limit> {
    let instance = &task.instance;
    let kinds = PieceKind::all(instance);
    let mut pieces: PiecesByKind<'_> = Vec::new();
    for (kind, of_kind) in &kinds {
        pieces.extend(of_kind.iter().map(|&piece| (piece, kind)));
    }
    let mut found = GeneratedBoards::default();
    let mut seen = BTreeSet::new();
    let mut search = |source: GoalSource<'_>, found: &mut GeneratedBoards| -> Result<(), Limit> {
        let seen = &mut seen;
        let search = FindHardest { instance, options, source, budget, seen, found: &mut *found };
        let searched = with_space!(task, |space| search.run(space))?;
        found.limit = searched.err();
        Ok(())
    };
    match source {
        Source::All => {
            search(GoalSource::All(&pieces), &mut found)?;
            found.complete = found.limit.is_none();
        }
        Source::Random { tries, random } => {
            // Large pieces come first, since there may be no room for them later.
            pieces.sort_by_key(|(piece, _)| Reverse(instance.board().cells_of(*piece).len()));
            for _ in 0..tries {
                match random_board(instance, &pieces, random, &mut budget.meter()) {
                    Ok(Some(board)) => {
                        found.tried += 1;
                        search(GoalSource::ReachableFrom(board), &mut found)?;
                    }
                    Ok(None) => break,
                    Err(limit) => found.limit = Some(limit),
                }
                let enough =
                    options.moves.is_some() && found.boards.len() >= options.count.get() as usize;
                if enough || found.limit.is_some() {
                    break;
                }
            }
        }
    }
    Ok(found)
}

/// Generates boards as the options ask, and passes each to `emit` with its number of moves.
///
/// # Errors
/// The limit that stopped the search before it found anything; an error of `emit`.
pub fn run(
    task: &Task,
    options: &GenerateOptions,
    budget: &Budget,
    emit: Emit<'_, Task>,
) -> Result<Generated, WorkError> {
    let mut random = Random::from_seed(options.seed.get());
    let boards = if options.exhaustive {
        Source::All
    } else {
        let tries = options.tries.map_or(DEFAULT_TRIES, Whole::get);
        Source::Random { tries, random: &mut random }
    };
    let found = generate(task, options, boards, budget)?;
    let tasks = found.boards.iter().map(|board| Task { instance: board.clone(), ..*task });
    let tasks: Vec<Task> = tasks.collect();
    tasks.iter().try_for_each(|task| emit(task, found.moves))?;
    let reached = || {
        let boards = plural("board", found.tried);
        let (tried, unsolvable) = (found.tried, found.unsolvable);
        format!("can be reached from {tried} {boards}, {unsolvable} of them unsolvable")
    };
    // A locked piece is placed only where its lock lets it move.
    let covered = match task.instance.locks() {
        [] => "with these pieces",
        _ => "with these pieces, the locked ones in their rows and columns",
    };
    let count = |count| counted(task.metric.unit(), count);
    let ended = Generated::new(match found.limit {
        Some(limit) => GenerateEnd::Stopped(limit),
        None if !found.boards.is_empty() => GenerateEnd::Complete,
        None if found.complete => GenerateEnd::NoneExists,
        None => GenerateEnd::NoneFound,
    });
    let mut ended = match (found.moves, found.limit) {
        (Some(moves), None) if options.moves.is_some() => ended.note(count(moves)),
        (Some(moves), None) if found.complete => {
            ended.note(format!("{}, the most of all boards {covered}", count(moves)))
        }
        (Some(moves), None) => {
            ended.note(format!("{}, the most of all boards that {}", count(moves), reached()))
        }
        (Some(moves), Some(_)) => ended.note(count(moves)),
        (None, Some(_)) => ended,
        (None, None) if found.complete => ended.message(format!("no such board exists {covered}")),
        (None, None) if found.tried == 0 => {
            ended.message("found no room to place the pieces at random".to_owned())
        }
        (None, None) => {
            ended.message(format!("found no such board among those that {}", reached()))
        }
    };
    let listed = found.boards.len();
    if (1..options.count.get() as usize).contains(&listed) {
        ended = ended.note(format!("found only {listed} {}", plural("board", listed as u64)));
    }
    if let Some(limit) = found.limit {
        return Ok(ended.message(format!("stopped, {limit}")));
    }
    if options.stats { add_difficulties(ended, &tasks, budget) } else { Ok(ended) }
}

/// Generates Rush Hour boards as the options ask, and passes each to `emit` with its number of
/// moves.
///
/// # Errors
/// If there is no room for as many cars and walls; an error of `emit`.
pub fn run_rush_hour(
    options: &GenerateOptions,
    budget: &Budget,
    emit: Emit<'_, Task>,
) -> Result<Generated, WorkError> {
    let wanted = Wanted {
        cars: options.cars,
        trucks: options.trucks,
        walls: options.walls,
        moves: options.moves,
        count: options.count.get() as usize,
        unique: options.unique,
        no_idle_piece: options.no_idle_piece,
        tries: match options.tries {
            Some(tries) => Some(tries.get()),
            None if options.limits.time.is_some() => None,
            None if options.moves.is_some() => Some(100 * DEFAULT_TRIES),
            None => Some(DEFAULT_TRIES),
        },
        seed: options.seed.get(),
    };
    let side = options.size.cells();
    if let Some(cells) = wanted.cells_without_room(side) {
        let [cars, trucks, walls] =
            [wanted.cars.least(), wanted.trucks.least(), wanted.walls.least()];
        let what = format!(
            "a board of {side}x{side} has no room for {cars} {}, {trucks} {} and {walls} {}: they take \
             {cells} cells, and there are {}, {} of them outside the row of the red car",
            plural("car", cars.into()),
            plural("truck", trucks.into()),
            plural("wall", walls.into()),
            side * side,
            side * (side - 1),
        );
        return Err(SolveError::unsupported(what).into());
    }
    let found = match options.size {
        Side::Four => climb::<4>(&wanted, budget),
        Side::Five => climb::<5>(&wanted, budget),
        Side::Six => climb::<6>(&wanted, budget),
    };
    let Climbed { boards, climbs, steps, judged, limit } = found;
    let tasks: Vec<Task> =
        boards.into_iter().map(|board| Task::new(board, Metric::Straight)).collect();
    let moves = |task: &Task| task.instance.published().map(|published| published.moves);
    tasks.iter().try_for_each(|task| emit(task, moves(task)))?;
    // The time is how long to climb, so that it is no failure if there are as many boards as
    // wanted.
    let limit = limit.filter(|limit| *limit != Limit::Time || tasks.len() < wanted.count);
    let ended = Generated::new(match limit {
        Some(limit) => GenerateEnd::Stopped(limit),
        None if tasks.is_empty() => GenerateEnd::NoneFound,
        None => GenerateEnd::Complete,
    });
    let among = format!(
        "{judged} judged {}, in {steps} {} and {climbs} {}",
        plural("board", judged),
        plural("search", steps),
        plural("climb", climbs)
    );
    let most = tasks.first().and_then(moves);
    let mut ended = match most {
        _ if climbs == 0 && limit.is_none() => {
            ended.message("found no room for these numbers of cars and walls".to_owned())
        }
        None => ended.message(format!("found no such board among {among}")),
        Some(most) => {
            let most = counted(["straight move", "straight moves"], most);
            let is_selective = wanted.moves.is_some() || wanted.unique || wanted.no_idle_piece;
            let what = if is_selective { "the wanted boards among " } else { "" };
            ended.note(format!("{most}, the most of {what}{among}"))
        }
    };
    if !tasks.is_empty() && tasks.len() < wanted.count {
        let boards = plural("board", tasks.len() as u64);
        ended = ended.note(format!("found only {} {boards}", tasks.len()));
    }
    if let Some(limit) = limit {
        return Ok(ended.message(format!("stopped, {limit}")));
    }
    if options.stats { add_difficulties(ended, &tasks, budget) } else { Ok(ended) }
}

/// Adds the difficulty of each board to the messages.
fn add_difficulties(
    mut ended: Generated,
    tasks: &[Task],
    budget: &Budget,
) -> Result<Generated, WorkError> {
    for task in tasks {
        let hard = match difficulty(task, budget) {
            Ok(hard) => hard.map(|hard| line(&hard)).unwrap_or_default(),
            Err(limit) => {
                ended.end = GenerateEnd::Stopped(limit);
                return Ok(ended.message(format!("stopped, {limit}")));
            }
        };
        ended = ended.message(format!("{}: {hard}", task.instance.board().row_text()));
    }
    Ok(ended)
}

/// The difficulty of a board as text.
fn line(hard: &Difficulty) -> String {
    let plans = plan_count(hard.plans);
    let unique =
        if hard.unique { " that differ only in the order of independent moves" } else { "" };
    format!(
        "{} moves, shortest plans {plans}{unique}, a single best move on {:.0} % of the \
         boards on shortest plans, idle pieces {}, {} boards, {} dead ends",
        hard.moves,
        100.0 * hard.forced,
        if hard.idle.is_empty() { "none" } else { &hard.idle },
        hard.boards,
        hard.dead_ends,
    )
}

/// All pieces of a puzzle with their kinds. The pieces of a kind follow one another.
type PiecesByKind<'a> = Vec<(char, &'a PieceKind)>;

/// Places a piece with its first cell on `first`. Returns `false` and leaves the board unchanged if
/// there is no room.
fn try_place(board: &mut Board, instance: &Instance, piece: char, first: usize) -> bool {
    let is_blank = |cells: &Vec<usize>| cells.iter().all(|&cell| board.cells()[cell] == BLANK);
    let cells = board.translated(&instance.board().cells_of(piece), first).filter(is_blank);
    cells.inspect(|cells| board.put(piece, cells)).is_some()
}

/// A board with each piece in a random placement; `None` if no such board is found in 10,000
/// attempts.
fn random_board(
    instance: &Instance,
    pieces: &PiecesByKind<'_>,
    random: &mut Random,
    meter: &mut Meter<'_>,
) -> Result<Option<Board>, Limit> {
    const ATTEMPTS: usize = 10_000;
    for _ in 0..ATTEMPTS {
        let mut board = instance.board().without_pieces();
        let mut has_room = true;
        for (piece, kind) in pieces {
            meter.poll()?;
            let mut first_cells = kind.first_cells.clone();
            random.shuffle(&mut first_cells);
            has_room =
                first_cells.into_iter().any(|first| try_place(&mut board, instance, *piece, first));
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

/// Lists all solved boards with the pieces of a puzzle. Boards that differ in interchangeable
/// pieces only are listed once.
struct SolvedBoards<'a, S: BoardSpace> {
    space: &'a S,
    instance: &'a Instance,
    meter: Meter<'a>,
    board: Board,
    states: SegmentedVec<S::State>,
}

impl<S: BoardSpace> SolvedBoards<'_, S> {
    /// Adds every solved board that results from placing the remaining pieces on the board; the
    /// first of these pieces only on cells after `after`, in reading order.
    fn place(&mut self, pieces: &[(char, &PieceKind)], after: Option<usize>) -> Result<(), Limit> {
        let Some((&(piece, kind), rest)) = pieces.split_first() else {
            return Ok(self.states.push(self.space.pack(&self.board))?);
        };
        let goal =
            self.instance.goals().iter().find(|goal| goal.piece == piece).map(|goal| goal.first);
        // The pieces of a kind are placed in ascending order only.
        let is_allowed = |first: usize| {
            goal.is_none_or(|goal| goal == first) && after.is_none_or(|after| first > after)
        };
        for &first in kind.first_cells.iter().filter(|&&first| is_allowed(first)) {
            self.meter.poll()?;
            if try_place(&mut self.board, self.instance, piece, first) {
                let is_same_kind =
                    rest.first().is_some_and(|(_, other)| std::ptr::eq(*other, kind));
                self.place(rest, is_same_kind.then_some(first))?;
                self.board.put(piece, &[]);
            }
        }
        Ok(())
    }
}

/// Finds the hardest boards that are reachable from some goals, and adds them to `found`.
struct FindHardest<'a> {
    instance: &'a Instance,
    options: &'a GenerateOptions,
    source: GoalSource<'a>,
    budget: &'a Budget,
    /// For each component that was searched, its least solved state as a board.
    seen: &'a mut BTreeSet<String>,
    found: &'a mut GeneratedBoards,
}

/// Which solved boards a search starts from.
enum GoalSource<'a> {
    /// The solved boards that are reachable from a board.
    ReachableFrom(Board),
    /// All solved boards with the pieces.
    All(&'a PiecesByKind<'a>),
}

impl FindHardest<'_> {
    fn run<S: BoardSpace>(self, space: &S) -> Result<(), Limit> {
        let goal_states = self.goal_states(space)?;
        let Some(&least) = goal_states.iter().min() else {
            self.found.unsolvable += 1;
            return Ok(());
        };
        if !self.seen.insert(unpack(space, self.instance.board(), least).row_text()) {
            return Ok(());
        }
        let layers = layers(space, &goal_states, self.budget)?;
        // Only layers that are harder than the boards found so far, or that have the required
        // number of moves.
        let known = self.found.moves;
        let is_candidate = |moves: &u32| {
            self.options.moves.map_or(Some(*moves) > known, |range| {
                range.contains(*moves) && Some(*moves) >= known
            })
        };
        let mut checks_left = match self.source {
            GoalSource::ReachableFrom(_) => MAX_CHECKED_BOARDS,
            GoalSource::All(_) => usize::MAX,
        };
        for moves in (0..layers.len() as u32).rev().filter(is_candidate) {
            // Boards of a harder layer replace those that were found.
            let kept = if known == Some(moves) { self.found.boards.len() } else { 0 };
            let missing = (self.options.count.get() as usize).saturating_sub(kept);
            let layer = &layers[moves as usize];
            let boards = self.select(space, layer, missing, &mut checks_left)?;
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

    fn goal_states<S: BoardSpace>(&self, space: &S) -> Result<Block<S::State>, Limit> {
        let Self { instance, budget, .. } = self;
        let mut goal_states = SegmentedVec::new(budget.memory());
        match &self.source {
            GoalSource::ReachableFrom(board) => {
                explore(space, &[space.pack(board)], budget, |_, states| {
                    let mut goals = states.iter().filter(|&&state| space.is_goal(state));
                    Ok(goals.try_for_each(|&goal| goal_states.push(goal))?)
                })?;
            }
            GoalSource::All(pieces) => {
                let (meter, board) = (budget.meter(), instance.board().without_pieces());
                let mut solved =
                    SolvedBoards { space, instance, meter, board, states: goal_states };
                solved.place(pieces, None)?;
                goal_states = solved.states;
            }
        }
        Ok(Block::of(&goal_states, budget.memory())?)
    }

    /// The boards of a layer that meet the options and are not in `found` yet, at most `missing`.
    /// At most `checks_left` boards are checked for `unique` and `no_idle_piece`.
    fn select<S: BoardSpace>(
        &self,
        space: &S,
        layer: &SegmentedVec<S::State>,
        missing: usize,
        checks_left: &mut usize,
    ) -> Result<Vec<Instance>, Limit> {
        let Self { instance, options, found, .. } = self;
        let mut states = Block::of(layer, self.budget.memory())?;
        states.sort_unstable();
        let known: BTreeSet<String> =
            found.boards.iter().map(|board| board.board().row_text()).collect();
        let (mut boards, mut meter) = (Vec::new(), self.budget.meter());
        for &state in &states[..] {
            if boards.len() == missing {
                break;
            }
            meter.poll()?;
            let Ok(board) = instance.with_board(unpack(space, instance.board(), state)) else {
                continue;
            };
            if known.contains(&board.board().row_text()) {
                continue;
            }
            if options.unique || options.no_idle_piece {
                if *checks_left == 0 {
                    break;
                }
                *checks_left -= 1;
                if !meets_options(space, &board, options, self.budget)? {
                    continue;
                }
            }
            boards.push(board);
        }
        Ok(boards)
    }
}

/// Explores from some states on the calling thread. `visit` gets the states of each layer in
/// batches.
fn explore<S: BoardSpace>(
    space: &S,
    states: &[S::State],
    budget: &Budget,
    mut visit: impl FnMut(u32, &[S::State]) -> Result<(), Limit>,
) -> Result<(), Limit> {
    let search = Search::new(space).starting_from(states).threads(NonZero::<usize>::MIN);
    let explored = search.budget(budget).explore_layers(|depth, layer| {
        let mut visited = Ok(());
        let read = layer.read(&mut |states| {
            visited = visit(depth, states);
            if visited.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        visited.map(|()| read)
    });
    explored.limit().map_or(Ok(()), Err)
}

/// The states that are reachable from some states, by depth.
fn layers<S: BoardSpace>(
    space: &S,
    states: &[S::State],
    budget: &Budget,
) -> Result<Vec<SegmentedVec<S::State>>, Limit> {
    let mut layers: Vec<SegmentedVec<S::State>> = Vec::new();
    explore(space, states, budget, |depth, states| {
        if depth as usize == layers.len() {
            layers.push(SegmentedVec::new(budget.memory()));
        }
        Ok(layers[depth as usize].extend(states.iter().copied())?)
    })?;
    Ok(layers)
}

/// Whether a board meets `unique` and `no_idle_piece`.
fn meets_options<S: BoardSpace>(
    space: &S,
    instance: &Instance,
    options: &GenerateOptions,
    budget: &Budget,
) -> Result<bool, Limit> {
    let starts = [space.pack(instance.board())];
    let plans = shortest_plans(space, Some(&starts), budget)?;
    let Some(plans) = plans else { return Ok(false) };
    let moves = PlanMoves::new(space, &plans, budget)?;
    let all_move = !options.no_idle_piece || moves.idle_pieces(instance).is_empty();
    Ok(all_move && (!options.unique || moves.is_unique(budget)?))
}
