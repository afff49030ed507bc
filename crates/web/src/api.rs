//! What the page can ask.

use std::sync::Arc;
use std::time::Instant;

use fewest_core::budget::{Budget, Limit};
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::Engine;
use fewest_geometry::{Cell, Direction};
use fewest_puzzle::any::AnyReplay;
use fewest_puzzle::builtin::ListReport;
use fewest_puzzle::results;
use fewest_puzzle::solve::{Solution, SolveReport};
use fewest_puzzle::{AnyPuzzle, Choice, Push};
use fewest_scene::{Theme, html, svg};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::jobs::Lines;
use crate::request::{Opened, Position, Puzzles, RequestError, ShownMove, draw_limits};

/// The greatest number of legal moves that are listed. The others can still be made by hand.
const MAX_MOVES: usize = 200;
/// The greatest number of parts of a board that a page can move.
const MAX_PARTS: usize = 4096;
/// Cells beyond are on no board.
const MAX_CELL: i32 = 10_000;

/// Bytes with their media type.
pub(crate) type Download = (&'static str, Vec<u8>);

/// All puzzles with their built-in instances, and the text of the instance to start with.
pub(crate) fn catalog(puzzles: Puzzles, start: Option<String>) -> Value {
    let all: Vec<Value> = puzzles.iter().map(|puzzle| of_puzzle(*puzzle)).collect();
    json!({ "puzzles": all, "start": start })
}

fn of_puzzle(puzzle: &dyn AnyPuzzle) -> Value {
    let info = puzzle.info();
    let verbs = info.verbs;
    let builtins: Vec<ListReport<'_>> = info
        .builtins
        .iter()
        .map(|builtin| {
            let listed = puzzle.listed(builtin);
            let (code, pieces) = (listed.code, listed.pieces);
            let &fewest_puzzle::builtin::Builtin { names, about, text, moves } = builtin;
            ListReport { names, about, moves, code, pieces, text }
        })
        .collect();
    let choice = |choice: &Choice| {
        json!({
            "option": choice.option, "values": choice.values, "of_pictures": choice.is_of_pictures,
            "language": choice.language
        })
    };
    let engines: Vec<&str> = info.engines.iter().map(|engine| engine.name()).collect();
    json!({
        "name": info.name,
        "about": info.about,
        "format": info.format,
        "choices": info.choices.iter().map(choice).collect::<Vec<_>>(),
        "moves_at_once": info.moves_at_once,
        "import_options": info.import_options,
        "second_text": info.two_texts.map(|texts| texts.second),
        "counts_plans": verbs.count_plans,
        "brushes": verbs.brushes,
        "engines": engines,
        "builtins": builtins,
    })
}

/// The picture of a built-in instance, by the name of the puzzle, its own name, and the theme.
pub(crate) fn thumbnail(
    puzzles: Puzzles,
    (puzzle, name, theme): (&str, &str, Theme),
    budget: &Budget,
) -> Result<Download, RequestError> {
    let no_puzzle = || RequestError::new(format!("no puzzle `{puzzle}`"));
    let puzzle = puzzles.iter().find(|other| other.info().name == puzzle).ok_or_else(no_puzzle)?;
    let builtin = fewest_puzzle::builtin::find(puzzle.info().builtins, name);
    let text = builtin.ok_or_else(|| RequestError::new(format!("no instance `{name}`")))?.text;
    let position = Position::of(puzzle.info().name, text);
    let opened = position.open(puzzles)?;
    let is_stopped = || budget.check().is_err();
    let limits = draw_limits(budget, &is_stopped);
    let animation = opened.instance.animation(opened.pictures(), &limits)?;
    let mut picture = Vec::new();
    svg::still(&animation, &svg::Look { theme, ..svg::Look::default() }, &limits, &mut picture)?;
    Ok(("image/svg+xml", picture))
}

/// A request about a position and nothing else.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct About {
    at: Position,
}

/// The board before the first move, and the moves up to the position.
#[derive(Serialize)]
struct BoardAnswer {
    svg: String,
    /// The classes of the inks of the parts.
    inks: Vec<String>,
    /// The upper left corner of the first cell in the picture: right and down.
    origin: [f64; 2],
    cell_width: f64,
    /// The text of the instance.
    text: String,
    /// The words for one move and for several.
    unit: [&'static str; 2],
    note: Option<String>,
    steps: Vec<ShownMove>,
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
        cell_width: html::CELL_WIDTH,
        text: instance.drawing(),
        unit: instance.unit(),
        note: instance.note().or_else(|| opened.note()),
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

/// A move from a position, as a step.
fn step(
    opened: &Opened<'_>,
    line: &str,
    budget: &Budget,
) -> Result<Option<ShownMove>, RequestError> {
    let replay = opened.replay(&[line.to_owned()])?;
    Ok(opened.steps(&*replay, opened.move_count(), budget)?.pop())
}

/// A move by hand.
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
    /// The letters of the directions.
    path: String,
}

/// The cell in a row and a column from 1; `None` if it is far from every board.
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

/// The move that pushes parts, if the rules allow it.
pub(crate) fn by_hand(
    puzzles: Puzzles,
    asked: &ByHand,
    budget: &Budget,
) -> Result<Value, RequestError> {
    let opened = asked.at.open(puzzles)?;
    let rest =
        opened.replay(&[])?.rest().ok_or_else(|| RequestError::new("the puzzle has ended"))?;
    let pushes: Option<Vec<Push>> = asked.pushes.iter().map(PushedPart::push).collect();
    let line = pushes.and_then(|pushes| rest.by_hand(&pushes));
    let line = line.ok_or_else(|| RequestError::new("this is no move"))?;
    Ok(json!({ "step": step(&opened, &line, budget)? }))
}

/// What is proved of the number of moves from a position.
#[derive(Serialize)]
struct Known {
    /// The fewest moves; null if there is no plan, or it is not known.
    moves: Option<u32>,
    /// Whether it is proved that there is no plan.
    unsolvable: bool,
    /// The proved lower bound; null if there is no plan.
    lower_bound: Option<u32>,
    /// What stopped the search.
    stopped: Option<String>,
}

impl<P> From<&Outcome<P>> for Known {
    fn from(outcome: &Outcome<P>) -> Self {
        let stopped = match outcome.verdict {
            Verdict::Stopped { limit, .. } => Some(limit.to_string()),
            Verdict::Solved { .. } | Verdict::Unsolvable => None,
        };
        Self {
            moves: outcome.moves(),
            unsolvable: matches!(outcome.verdict, Verdict::Unsolvable),
            lower_bound: outcome.lower_bound(),
            stopped,
        }
    }
}

impl Known {
    const SOLVED: Self =
        Self { moves: Some(0), unsolvable: false, lower_bound: Some(0), stopped: None };

    /// What a search finds.
    fn after(replay: &dyn AnyReplay, budget: &Budget) -> Result<Self, RequestError> {
        if replay.unsolved().is_none() {
            return Ok(Self::SOLVED);
        }
        let rest = replay.rest().ok_or_else(|| RequestError::new("no instance starts here"))?;
        Ok((&rest.solve_cost(None, budget)?.outcome).into())
    }
}

/// A request for what is proved.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Know {
    at: Position,
    /// Whether the fewest moves from the position are known, so that only those after its moves are
    /// asked for.
    #[serde(default)]
    only_after_moves: bool,
}

/// The fewest moves from a position, and then from each position after a legal move, until the time
/// is over.
pub(crate) fn know(
    puzzles: Puzzles,
    Know { at, only_after_moves }: &Know,
    budget: &Budget,
    lines: &Lines,
) -> Result<(), RequestError> {
    let opened = at.open(puzzles)?;
    let replay = opened.replay(&[])?;
    if !only_after_moves {
        let known = Known::after(&*replay, budget)?;
        let is_all = known.stopped.is_some() || known.unsolvable;
        lines.send(&json!({ "known": known }));
        if is_all {
            return Ok(());
        }
    }
    for line in replay.legal_moves().into_iter().take(MAX_MOVES) {
        if budget.check().is_err() {
            break;
        }
        let after = opened.replay(std::slice::from_ref(&line))?;
        lines.send(&json!({ "move": line, "known": Known::after(&*after, budget)? }));
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
    lines: &Lines,
) -> Result<(), RequestError> {
    let opened = at.open(puzzles)?;
    let replay = opened.replay(&[])?;
    let ended = || RequestError::new("nothing is left to solve");
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
    lines.send(&json!({ "answer": report, "steps": steps }));
    Ok(())
}

/// A request for a file.
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
    /// The position.
    Board,
    /// The moves, as a strip of boards.
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
    let theme = asked.theme.as_deref().and_then(|name| name.parse().ok()).unwrap_or(Theme::Auto);
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

/// The position in all notations of the puzzle.
pub(crate) fn texts(
    puzzles: Puzzles,
    About { at }: &About,
    _: &Budget,
) -> Result<Value, RequestError> {
    let opened = at.open(puzzles)?;
    let instance = opened.replay(&[])?.rest();
    let instance = instance.ok_or_else(|| RequestError::new("no instance starts here"))?;
    // Not all positions can be written, such as a ghost on the goal of another one.
    let own = at.checked(instance.drawing(), puzzles)?;
    let own = json!({ "noun": "text", "text": own });
    let notations = opened.puzzle.info().verbs.convert.map_or(&[][..], |verb| verb.notations);
    let converted = notations.iter().filter_map(|notation| {
        let text = instance.converter()?.convert(notation.name)?;
        Some(json!({ "noun": notation.noun, "text": text }))
    });
    Ok(std::iter::once(own).chain(converted).collect())
}

/// A text to be read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Import {
    at: Position,
    /// The second text of instances in two texts.
    second: Option<String>,
}

/// The text of an instance that can be read without options.
pub(crate) fn import(puzzles: Puzzles, asked: &Import, _: &Budget) -> Result<Value, RequestError> {
    let instance = asked.at.read(asked.second.as_deref(), puzzles)?;
    let text = instance.drawing();
    let again = Position::of(asked.at.name(), &text).read(None, puzzles);
    if again.is_ok_and(|again| again.part() == instance.part()) {
        Ok(json!({ "text": text }))
    } else {
        Err(RequestError::new("this instance is too large, or cannot be written as one text"))
    }
}

/// A stroke of a brush.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Edit {
    at: Position,
    brush: String,
    /// The rows and columns of the cells, from 1, in the order in which they were touched.
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

/// An empty board.
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

/// A comparison of two engines.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Compare {
    at: Position,
    engines: [String; 2],
}

/// The most states that a search of a comparison may expand.
const MAX_COMPARED: u64 = 100_000;

/// A search that was stopped after a number of expansions.
#[derive(Serialize)]
struct Snapshot {
    expanded: u64,
    generated: u64,
    duplicates: u64,
    lower_bound: Option<u32>,
}

/// How each engine comes to its answer: a snapshot whenever it has proved more. For that, the
/// search is run again and again, each time with another limit on states.
pub(crate) fn compare(
    puzzles: Puzzles,
    asked: &Compare,
    budget: &Budget,
    lines: &Lines,
) -> Result<(), RequestError> {
    let opened = asked.at.open(puzzles)?;
    let instance = opened.replay(&[])?.rest();
    let instance = instance.ok_or_else(|| RequestError::new("no instance starts here"))?;
    let run = |engine: Engine, states: u64| -> Result<(Snapshot, Known), RequestError> {
        let outcome = instance.solve_cost(Some(engine), &budget.with_state_limit(states))?.outcome;
        match outcome.verdict {
            Verdict::Stopped { limit, .. } if limit != Limit::States => return Err(limit.into()),
            _ => {}
        }
        let (stats, lower_bound) = (outcome.stats, outcome.lower_bound());
        let (expanded, generated, duplicates) = (stats.expanded, stats.generated, stats.duplicates);
        Ok((Snapshot { expanded, generated, duplicates, lower_bound }, (&outcome).into()))
    };
    for name in &asked.engines {
        let engine: Engine =
            name.parse().map_err(|_| RequestError::new(format!("no engine `{name}`")))?;
        let (last, known) = run(engine, MAX_COMPARED)?;
        if known.stopped.is_some() {
            return Err(RequestError::new(format!(
                "`{name}` expands more than {MAX_COMPARED} states: compare on a smaller instance"
            )));
        }
        let mut snapshots = vec![run(engine, 0)?.0];
        let mut allowed = 0;
        while allowed < last.expanded {
            // The fewest states with which it proves more; a bound never falls.
            let bound = snapshots.last().and_then(|snapshot| snapshot.lower_bound);
            let (mut least, mut most) = (allowed + 1, last.expanded);
            while least < most {
                let middle = least.midpoint(most);
                if run(engine, middle)?.0.lower_bound > bound {
                    most = middle;
                } else {
                    least = middle + 1;
                }
            }
            allowed = least;
            if allowed < last.expanded {
                snapshots.push(run(engine, allowed)?.0);
            }
        }
        snapshots.push(last);
        lines.send(&json!({ "engine": name, "known": known, "snapshots": snapshots }));
    }
    Ok(())
}
