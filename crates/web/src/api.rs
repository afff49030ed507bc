//! The request handlers.

use std::sync::{Arc, Mutex, PoisonError};

use fewest_core::budget::{Budget, Limit};
use fewest_core::clock::Instant;
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::Engine;
use fewest_core::stats::Stats;
use fewest_geometry::{Cell, Direction};
use fewest_puzzle::any::{AnyInstance, AnyReplay};
use fewest_puzzle::builtin::ListReport;
use fewest_puzzle::options::OptionSource;
use fewest_puzzle::results;
use fewest_puzzle::show::StepReport;
use fewest_puzzle::solve::{Solution, SolveReport};
use fewest_puzzle::timeline::PlanForm;
use fewest_puzzle::{AnyPuzzle, Choice, Info, Push};
use fewest_rules::text::Line;
use fewest_scene::{Theme, html, svg};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::request::{Download, Opened, Position, Puzzles, RequestError, Send, draw_limits};

/// The maximum number of legal moves in a response. Others can still be made by dragging.
const MAX_MOVES: usize = 200;
/// The maximum number of movable parts of a board on the page.
const MAX_PARTS: usize = 4096;
/// A bound on rows and columns, far beyond any board, so that arithmetic on them cannot overflow.
const MAX_CELL: i32 = 10_000;

/// Where the page without a server is published, for links, if who builds this says so.
const PAGE: Option<&str> = match option_env!("FEWEST_PAGE_URL") {
    Some(url) if !url.is_empty() => Some(url),
    _ => None,
};

/// Describes all puzzles and their built-in instances, with a picture of the first one of each, in
/// the style sheet of the page. `start` is the text of the instance that the page opens first.
pub fn catalog(puzzles: Puzzles, start: Option<String>) -> Value {
    let all: Vec<Value> = puzzles.iter().map(|puzzle| of_puzzle(puzzles, *puzzle)).collect();
    json!({ "puzzles": all, "start": start, "page": PAGE })
}

fn of_puzzle(puzzles: Puzzles, puzzle: &dyn AnyPuzzle) -> Value {
    let info = puzzle.info();
    let verbs = info.verbs;
    let builtins: Vec<ListReport<'_>> = info
        .builtins
        .iter()
        .map(|builtin| {
            let listed = puzzle.listed(builtin);
            let (code, pieces, group) = (listed.code, listed.pieces, listed.group);
            let &fewest_puzzle::builtin::Builtin { names, about, text, moves } = builtin;
            ListReport { names, about, moves, code, pieces, group, text }
        })
        .collect();
    let choice = |choice: &Choice| {
        json!({
            "option": choice.option, "values": choice.values, "of_pictures": choice.is_of_pictures,
            "language": choice.language
        })
    };
    let compared = fewest_puzzle::builtin::find(info.builtins, info.compared)
        .map_or(info.compared, |builtin| builtin.text);
    let engines: Vec<&str> = info.engines.iter().map(|engine| engine.name()).collect();
    let first = first_picture(puzzles, info).ok();
    json!({
        "name": info.name,
        "about": info.about,
        "picture": first,
        "format": info.format,
        "chinese": info.chinese,
        "choices": info.choices.iter().map(choice).collect::<Vec<_>>(),
        "moves_at_once": info.moves_at_once,
        "import_options": info.import_options,
        "second_text": info.two_texts.map(|texts| texts.second),
        "counts_plans": verbs.count_plans,
        "brushes": verbs.brushes,
        "engines": engines,
        "compared": compared,
        "builtins": builtins,
    })
}

/// A picture for the start page, which waits for no request.
fn first_picture(puzzles: Puzzles, of: &Info) -> Result<String, RequestError> {
    let first = of.builtins.first().ok_or_else(|| RequestError::new("no instance"))?;
    let position = Position::of(of.name, first.text);
    let opened = position.open(puzzles)?;
    picture_of(&*opened.instance, opened.pictures(), &Budget::unlimited())
}

/// A board without a style sheet: it has that of the page.
fn picture_of(
    instance: &dyn AnyInstance,
    pictures: OptionSource<'_>,
    budget: &Budget,
) -> Result<String, RequestError> {
    let is_stopped = || budget.check().is_err();
    Ok(html::board(&instance.animation(pictures, &draw_limits(budget, &is_stopped))?).svg)
}

fn theme_of(name: &str) -> Theme {
    name.parse().unwrap_or(Theme::Auto)
}

/// A request with a position and no other parameters.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct About {
    at: Position,
}

/// The board before the first move, and the moves up to the position.
#[derive(Serialize)]
struct BoardAnswer {
    svg: String,
    /// The CSS class of each part.
    inks: Vec<String>,
    /// The x and y coordinates of the upper left corner of the first cell in the picture.
    origin: [f64; 2],
    cell_width: f64,
    /// The number of rows and of columns.
    size: [usize; 2],
    /// The part that leaves the board when the puzzle is solved, and the letter of the direction.
    exit: Option<(usize, char)>,
    /// The text of the instance.
    text: String,
    /// The unit of moves: singular and plural.
    unit: [&'static str; 2],
    note: Option<String>,
    /// Whether the text has more data sets.
    has_more: bool,
    steps: Vec<StepReport>,
}

/// Draws a board.
pub(crate) fn board(
    puzzles: Puzzles,
    About { at }: &About,
    budget: &Budget,
) -> Result<Value, RequestError> {
    let opened = at.open(puzzles)?;
    let replay = opened.replay(&[])?;
    let is_stopped = || budget.check().is_err();
    let instance = &opened.instance;
    let animation = instance.animation(opened.pictures(), &draw_limits(budget, &is_stopped))?;
    let parts = animation.scene.parts.len();
    if parts > MAX_PARTS {
        let message = format!("the page shows boards of at most {MAX_PARTS} parts, not {parts}");
        return Err(RequestError::new(message));
    }
    let html::Board { svg, origin, inks } = html::board(&animation);
    Ok(serde_json::to_value(BoardAnswer {
        svg,
        inks,
        origin,
        size: [animation.scene.rows, animation.scene.columns],
        exit: animation.scene.exit.map(|(part, direction)| (part, direction.letter())),
        cell_width: html::CELL_WIDTH,
        text: instance.drawing(),
        unit: instance.unit(),
        note: instance.note().or_else(|| opened.note()),
        has_more: opened.has_more,
        steps: opened.steps(&*replay, 0, budget)?,
    })?)
}

/// The legal moves of a position.
pub(crate) fn moves(
    puzzles: Puzzles,
    About { at }: &About,
    budget: &Budget,
) -> Result<Value, RequestError> {
    let opened = at.open(puzzles)?;
    let replay = opened.replay(&[])?;
    let lines = replay.legal_moves();
    let moves = lines.iter().take(MAX_MOVES).map(|line| step(&opened, line, budget));
    Ok(json!({
        "moves": moves.collect::<Result<Vec<_>, _>>()?,
        "count": lines.len(),
        "solved": replay.unsolved().is_none(),
    }))
}

/// Plays one move from a position; the result is its step.
fn step(
    opened: &Opened<'_>,
    line: &str,
    budget: &Budget,
) -> Result<Option<StepReport>, RequestError> {
    let replay = opened.replay(&[line.to_owned()])?;
    Ok(opened.steps(&*replay, opened.move_count(), budget)?.pop())
}

/// A request to make a move by dragging parts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ByHand {
    at: Position,
    pushes: Vec<PushedPart>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PushedPart {
    /// The row and the column of its cell, from 1.
    cell: [i32; 2],
    /// The directions of the path, one letter each.
    path: String,
}

/// Converts a row and a column, counted from 1, to a cell; `None` if they are out of bounds.
fn cell([row, column]: [i32; 2]) -> Option<Cell> {
    let is_near = |number: i32| (-MAX_CELL..=MAX_CELL).contains(&number);
    (is_near(row) && is_near(column)).then(|| Cell { row: row - 1, column: column - 1 })
}

impl PushedPart {
    fn push(&self) -> Option<Push> {
        let path: Option<Vec<Direction>> = self.path.chars().map(Direction::from_letter).collect();
        Some(Push { at: cell(self.cell)?, path: path.filter(|path| !path.is_empty())? })
    }
}

/// Finds the legal move that corresponds to a drag.
pub(crate) fn by_hand(
    puzzles: Puzzles,
    asked: &ByHand,
    budget: &Budget,
) -> Result<Value, RequestError> {
    let opened = asked.at.open(puzzles)?;
    let rest = opened
        .replay(&[])?
        .rest()
        .ok_or_else(|| RequestError::new("no move is possible from this position"))?;
    let pushes: Option<Vec<Push>> = asked.pushes.iter().map(PushedPart::push).collect();
    let line = pushes.and_then(|pushes| rest.by_hand(&pushes));
    let line = line.ok_or_else(|| RequestError::new("this is not a legal move"))?;
    Ok(json!({ "step": step(&opened, &line, budget)? }))
}

/// What is proved about the number of moves from a position.
#[derive(Serialize)]
struct Known {
    /// The fewest moves; null if there is no plan or the number is unknown.
    moves: Option<u32>,
    /// Whether it is proved that there is no plan.
    unsolvable: bool,
    /// The proved lower bound; null if there is no plan.
    lower_bound: Option<u32>,
    /// The limit that stopped the search; null if none did.
    stopped: Option<String>,
}

impl<P> From<&Outcome<P>> for Known {
    fn from(outcome: &Outcome<P>) -> Self {
        let stopped = match outcome.verdict {
            Verdict::Stopped { limit, .. } => Some(limit.to_string()),
            Verdict::Solved { .. } | Verdict::Unsolvable => None,
        };
        Self {
            moves: outcome.cost(),
            unsolvable: matches!(outcome.verdict, Verdict::Unsolvable),
            lower_bound: outcome.lower_bound(),
            stopped,
        }
    }
}

impl Known {
    const SOLVED: Self =
        Self { moves: Some(0), unsolvable: false, lower_bound: Some(0), stopped: None };

    /// Searches from the end of a replay.
    fn after(replay: &dyn AnyReplay, budget: &Budget) -> Result<Self, RequestError> {
        // A solved position may have no instance, for example if the player of a maze is outside.
        if replay.unsolved().is_none() {
            return Ok(Self::SOLVED);
        }
        let rest =
            replay.rest().ok_or_else(|| RequestError::new("this position cannot be searched"))?;
        Ok((&rest.solve_cost(None, budget)?.outcome).into())
    }
}

/// A request to analyze a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Know {
    at: Position,
    #[serde(default)]
    about: Unknown,
}

/// What the page does not know yet.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Unknown {
    /// The position, and those after each legal move.
    #[default]
    All,
    /// The position.
    Position,
    /// The positions after each legal move.
    Moves,
}

/// Sends the fewest moves from a position, and then from the position after each legal move, until
/// a limit is reached.
pub(crate) fn know(
    puzzles: Puzzles,
    Know { at, about }: &Know,
    budget: &Budget,
    send: Send<'_>,
) -> Result<(), RequestError> {
    let opened = at.open(puzzles)?;
    let replay = opened.replay(&[])?;
    if *about != Unknown::Moves {
        let known = Known::after(&*replay, budget)?;
        let is_all = *about == Unknown::Position || known.stopped.is_some() || known.unsolvable;
        send(json!({ "known": known }));
        if is_all {
            return Ok(());
        }
    }
    // Not from the start again for each move.
    let rest = replay.rest().unwrap_or_else(|| Arc::clone(&opened.instance));
    for line in replay.legal_moves().into_iter().take(MAX_MOVES) {
        if budget.check().is_err() {
            break;
        }
        let after =
            Arc::clone(&rest).replay(&[Line { number: 1, text: &line }], PlanForm::Moves)?;
        send(json!({ "move": line, "known": Known::after(&*after, budget)? }));
    }
    Ok(())
}

/// A request for a plan.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Solve {
    at: Position,
    /// Whether to count all shortest plans.
    #[serde(default)]
    count: bool,
}

/// A shortest plan from a position, as `solve --json` reports it, and its steps.
pub(crate) fn solve(
    puzzles: Puzzles,
    Solve { at, count }: &Solve,
    budget: &Budget,
    send: Send<'_>,
) -> Result<(), RequestError> {
    let opened = at.open(puzzles)?;
    let replay = opened.replay(&[])?;
    let ended = || RequestError::new("the position is already solved");
    let instance = replay.rest().filter(|_| replay.unsolved().is_some()).ok_or_else(ended)?;
    let start = Instant::now();
    let answer = Arc::clone(&instance).solve(None, budget)?;
    let shortest_plans = match &answer.outcome.verdict {
        Verdict::Solved { .. } if *count => {
            let counted = Arc::clone(&instance).list_shortest_plans(1, budget)?;
            match counted.verdict {
                Verdict::Solved { plan: plans, .. } => Some(Ok(plans)),
                Verdict::Unsolvable => None,
                Verdict::Stopped { limit, .. } => Some(Err(limit)),
            }
        }
        _ => None,
    };
    let solution = Solution {
        name: "page".to_owned(),
        texts: None,
        instance,
        outcome: answer.outcome,
        shortest_plans,
        engine: answer.engine,
        elapsed: start.elapsed(),
    };
    let steps = match solution.plan() {
        Some(plan) => {
            let plan: Vec<String> = plan.lines().collect();
            opened.steps(&*opened.replay(&plan)?, opened.move_count(), budget)?
        }
        None => Vec::new(),
    };
    let mut report = Vec::new();
    let written = results::write(
        opened.puzzle.info().name,
        &SolveReport::new(&solution, usize::MAX),
        &mut report,
    );
    written.map_err(|error| RequestError::new(error.to_string()))?;
    let report: Value = serde_json::from_slice(&report)?;
    send(json!({ "answer": report, "steps": steps }));
    Ok(())
}

/// A request for a picture.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Draw {
    at: Position,
    format: Format,
    theme: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    /// The position, as SVG.
    Board,
    /// The moves up to the position, as an SVG strip with one board per move.
    Svg,
    /// The moves, as a page with a player.
    Html,
    /// The moves.
    #[cfg(feature = "gif")]
    Gif,
}

/// Draws the position, or the moves up to it.
pub(crate) fn draw(
    puzzles: Puzzles,
    asked: &Draw,
    budget: &Budget,
) -> Result<Download, RequestError> {
    let opened = asked.at.open(puzzles)?;
    let replay = opened.replay(&[])?;
    let is_stopped = || budget.check().is_err();
    let limits = draw_limits(budget, &is_stopped);
    let theme = asked.theme.as_deref().map_or(Theme::Auto, theme_of);
    let look = svg::Look { theme, ..svg::Look::default() };
    let mut file = Vec::new();
    let media_type = match asked.format {
        Format::Board => {
            let ended = || RequestError::new("no instance starts here");
            let instance = replay.rest().ok_or_else(ended)?;
            let animation = instance.animation(opened.pictures(), &limits)?;
            svg::still(&animation, &look, &limits, &mut file)?;
            "image/svg+xml"
        }
        format => {
            let mut animation = replay.animation(opened.pictures(), &limits)?;
            animation.title = opened.puzzle.info().name.to_owned();
            match format {
                Format::Html => {
                    html::player(&animation, &look, &limits, &mut file)?;
                    "text/html"
                }
                #[cfg(feature = "gif")]
                Format::Gif => {
                    fewest_scene::raster::gif(&animation, &look, &limits, &mut file)?;
                    "image/gif"
                }
                _ => {
                    svg::strip(&animation, &look, 1, &limits, &mut file)?;
                    "image/svg+xml"
                }
            }
        }
    };
    Ok((media_type, file))
}

/// Converts a position to all notations of the puzzle.
pub(crate) fn texts(
    puzzles: Puzzles,
    About { at }: &About,
    _: &Budget,
) -> Result<Value, RequestError> {
    let opened = at.open(puzzles)?;
    let instance = opened.replay(&[])?.rest();
    let instance = instance.ok_or_else(|| RequestError::new("no instance starts here"))?;
    // Some positions have no text, for example if a ghost is on the goal of another ghost.
    let own = at.checked(instance.drawing(), puzzles)?;
    // Notations of the same text are one.
    let mut texts: Vec<(Vec<&str>, String)> = vec![(vec!["text"], own)];
    let notations = opened.puzzle.info().verbs.convert.map_or(&[][..], |verb| verb.notations);
    for notation in notations {
        let Some(text) = instance.converter().and_then(|to| to.convert(notation.name)) else {
            continue;
        };
        match texts.iter_mut().find(|(_, other)| other.trim_end() == text.trim_end()) {
            Some((nouns, _)) => nouns.push(notation.noun),
            None => texts.push((vec![notation.noun], text)),
        }
    }
    let texts = texts.into_iter().map(|(nouns, text)| json!({ "nouns": nouns, "text": text }));
    Ok(texts.collect())
}

/// A request to import a text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Import {
    at: Position,
    /// The second text of instances in two texts.
    second: Option<String>,
}

/// The maximum number of instances of an imported text.
const MAX_IMPORTED: usize = 500;

/// Converts an imported text to texts that can be read without options, one for each instance. A
/// fault after the first of them ends the text.
pub(crate) fn import(puzzles: Puzzles, asked: &Import, _: &Budget) -> Result<Value, RequestError> {
    let alone = |instance: Arc<dyn AnyInstance>| {
        let text = instance.drawing();
        let again = Position::of(asked.at.name(), &text);
        match again.open(puzzles).is_ok_and(|again| again.instance.part() == instance.part()) {
            true => Ok(text),
            false => Err(RequestError::new(
                "this instance is too large or cannot be written as a single text",
            )),
        }
    };
    let all = asked.at.read_all(asked.second.as_deref(), MAX_IMPORTED + 1, puzzles)?;
    let has_more = all.len() > MAX_IMPORTED;
    let (mut texts, mut fault) = (Vec::new(), None);
    for instance in all.into_iter().take(MAX_IMPORTED) {
        match instance.and_then(alone) {
            Ok(text) => texts.push(text),
            Err(error) => {
                fault = Some(error);
                break;
            }
        }
    }
    match fault {
        Some(error) if texts.is_empty() => Err(error),
        None if texts.is_empty() => Err(RequestError::new("there is no instance")),
        fault => Ok(json!({ "texts": texts, "has_more": has_more, "fault": fault })),
    }
}

/// A request to edit a board with a brush.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Edit {
    at: Position,
    brush: String,
    /// The rows and columns of the touched cells, from 1, in order.
    cells: Vec<[i32; 2]>,
}

/// The text of the instance after a stroke.
pub(crate) fn edit(puzzles: Puzzles, asked: &Edit, _: &Budget) -> Result<Value, RequestError> {
    let opened = asked.at.open(puzzles)?;
    let cells: Vec<Cell> = asked.cells.iter().filter_map(|&at| cell(at)).collect();
    let instance = opened.replay(&[])?.rest();
    let instance = instance.ok_or_else(|| RequestError::new("no instance starts here"))?;
    let edited = instance.edit(&asked.brush, &cells).map_err(RequestError::new)?;
    Ok(json!({ "text": asked.at.checked(edited.drawing(), puzzles)? }))
}

/// A request for an empty board.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Blank {
    at: Position,
    rows: usize,
    columns: usize,
}

/// The text of an empty instance.
pub(crate) fn blank(puzzles: Puzzles, asked: &Blank, _: &Budget) -> Result<Value, RequestError> {
    let opened = asked.at.open(puzzles)?;
    let blank = opened.instance.blank(asked.rows, asked.columns).map_err(RequestError::new)?;
    Ok(json!({ "text": asked.at.checked(blank.drawing(), puzzles)? }))
}

/// A request to compare two engines.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Compare {
    at: Position,
    engines: [String; 2],
}

/// The maximum number of states that each search of a comparison may expand.
const MAX_COMPARED: u64 = 1_000_000;

/// The maximum size of all boards of an engine. Fewer of large ones are shown.
const MAX_DRAWN_BYTES: usize = 2 << 20;

/// The state of a search after a number of expansions.
#[derive(Clone, Copy, Default, Serialize)]
struct Snapshot {
    expanded: u64,
    generated: u64,
    duplicates: u64,
    lower_bound: Option<u32>,
}

impl Snapshot {
    fn new(stats: &Stats, lower_bound: Option<u32>) -> Self {
        let Stats { expanded, generated, duplicates, .. } = *stats;
        Self { expanded, generated, duplicates, lower_bound }
    }
}

/// What a search has done: at each lower bound that it proves, with the work before, and after some
/// of its expansions, with the board.
#[derive(Default)]
struct Record {
    snapshots: Vec<Snapshot>,
    boards: Vec<(u64, Arc<dyn AnyInstance>)>,
    before: Snapshot,
    /// The next expansion whose board is shown: ever fewer of many.
    next: u64,
}

impl Record {
    fn see(&mut self, after: Snapshot, board: impl FnOnce() -> Option<Arc<dyn AnyInstance>>) {
        let bound = after.lower_bound;
        if self.snapshots.last().and_then(|last| last.lower_bound) < bound {
            self.snapshots.push(Snapshot { lower_bound: bound, ..self.before });
        }
        if after.expanded >= self.next {
            self.snapshots.push(after);
            self.boards.extend(board().map(|board| (after.expanded, board)));
            self.next = after.expanded + (after.expanded / 8).max(1);
        }
        self.before = after;
    }
}

/// Sends what each engine, which goes on step by step, has done.
pub(crate) fn compare(
    puzzles: Puzzles,
    asked: &Compare,
    budget: &Budget,
    send: Send<'_>,
) -> Result<(), RequestError> {
    let opened = asked.at.open(puzzles)?;
    let instance = opened.replay(&[])?.rest();
    let instance = instance.ok_or_else(|| RequestError::new("no instance starts here"))?;
    for name in &asked.engines {
        let engine: Engine =
            name.parse().map_err(|_| RequestError::new(format!("no engine `{name}`")))?;
        let record = Arc::new(Mutex::new(Record::default()));
        let (seen, of) = (Arc::clone(&record), Arc::clone(&instance));
        let budget = budget.with_state_limit(MAX_COMPARED);
        let budget = budget.on_step(move |stats, lower_bound, state| {
            let mut record = seen.lock().unwrap_or_else(PoisonError::into_inner);
            record.see(Snapshot::new(stats, Some(lower_bound)), || of.at_state(state));
        });
        let outcome = Arc::clone(&instance).solve(Some(engine), &budget)?.outcome;
        match outcome.verdict {
            Verdict::Stopped { limit: Limit::States, .. } => {
                return Err(RequestError::new(format!(
                    "`{name}` expands more than {MAX_COMPARED} states; use a smaller instance"
                )));
            }
            Verdict::Stopped { limit, .. } => return Err(limit.into()),
            _ => {}
        }
        let mut record = record.lock().unwrap_or_else(PoisonError::into_inner);
        let Record { snapshots, boards, .. } = &mut *record;
        snapshots.push(Snapshot::new(&outcome.stats, outcome.lower_bound()));
        // The last board is the solved one.
        let solved = outcome.best().and_then(|(plan, _)| plan.rest());
        boards.extend(solved.map(|board| (outcome.stats.expanded, board)));
        let draw = |(expanded, board): &(u64, Arc<dyn AnyInstance>)| {
            Ok((*expanded, picture_of(&**board, opened.pictures(), &budget)?))
        };
        let bytes =
            boards.first().map(draw).transpose()?.map_or(1, |(_, svg): (_, String)| svg.len());
        let step = boards.len().div_ceil((MAX_DRAWN_BYTES / bytes).max(1)).max(1);
        let boards: Vec<_> =
            boards.iter().step_by(step).map(draw).collect::<Result<_, RequestError>>()?;
        let known: Known = (&outcome).into();
        send(json!({ "engine": name, "known": known, "snapshots": snapshots, "boards": boards }));
    }
    Ok(())
}
