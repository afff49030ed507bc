//! `explore`: the boards that can be reached from a board. How many there are, how far away they
//! are, and which of them are hardest to solve. [`exploring`](crate::exploring) finds them.

use std::io::{self, Write};

use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::Exploration;
use fewest_core::explore::diameter::{Diameter, Progress};
use fewest_core::stats::Stats;
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::SolveError;
use crate::graph::VisitGraph;
use crate::results::{LimitName, report};
use crate::words::{Named, plural};
use crate::work::WorkError;

/// All boards that can be reached can be explored.
pub trait Explore {
    /// Counts the boards by their distance from the start. `on_layer` is called for each layer as
    /// soon as it is complete.
    ///
    /// # Errors
    /// If the instance is not supported, or if the search cannot use the representation of the
    /// budget.
    fn explore(&self, budget: &Budget, on_layer: OnLayer<'_>) -> Result<Explored, SolveError>;

    /// Passes all boards, and the moves between them, to `visit`.
    ///
    /// # Errors
    /// If the instance is not supported, or a limit stopped the exploration; an error of `visit`.
    fn graph(&self, budget: &Budget, visit: VisitGraph<'_>) -> Result<(), WorkError>;

    /// The greatest and the least eccentricity of all boards. `progress` is called now and then.
    ///
    /// # Errors
    /// If a limit stopped the search, or if moves cannot be [undone](ExploreVerb::undirected).
    fn diameter(
        &self,
        _budget: &Budget,
        _progress: &mut dyn FnMut(Progress),
    ) -> Result<Diameter, SolveError> {
        Err(SolveError::unsupported("the boards of this puzzle have no diameter"))
    }
}

/// The verb `explore` of a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct ExploreVerb {
    /// One line for help.
    pub about: &'static str,
    /// What the cost of a shortest plan is called in reports; `None` if it is left out.
    pub cost: Option<&'static str>,
    /// Whether every move can be undone, so that boards have a [diameter](Explore::diameter).
    pub undirected: bool,
    /// Whether text shows one of the boards that are farthest from the start or from a goal.
    pub shows_boards: bool,
}

impl ExploreVerb {
    /// For any puzzle.
    pub const DEFAULT: Self = Self {
        about: "Explore all boards that can be reached from the start",
        cost: Some("shortest plan"),
        undirected: false,
        shows_boards: true,
    };
}

/// Takes the distance of a complete layer, and the number of its boards.
pub type OnLayer<'a> = &'a mut dyn FnMut(u32, u64);

/// The boards that are reachable from a start board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explored {
    /// The number of boards at each distance from the start. If `limit` is `None`, the last
    /// distance is the eccentricity of the start.
    pub layers: Vec<u64>,
    /// Whether the instance has a goal: without one, there is nothing to solve.
    pub has_goal: bool,
    /// The number of solved boards among them; `None` if solved boards are not counted.
    pub goals: Option<u64>,
    /// The number of moves of a shortest plan; `None` if no plan was found, or if it was not looked
    /// for.
    pub cost: Option<u32>,
    /// The boards that are farthest from the start; `None` if they were not looked for.
    pub farthest: Option<Extreme>,
    /// The boards that are farthest from the nearest goal. `Ok(None)` if no goal is reachable, or
    /// they were not looked for; the limit that stopped the exploration or the search for them.
    pub hardest: Result<Option<Extreme>, Limit>,
    /// The limit that stopped the exploration before it generated all boards. The counts are those
    /// of the complete layers then.
    pub limit: Option<Limit>,
    /// How far a checkpoint goes, if the limit was reached before all of its layers were read
    /// again.
    pub checkpoint: Option<InCheckpoint>,
    /// The work of the exploration and of the search for the hardest boards.
    pub stats: Stats,
}

/// The layers that a checkpoint has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InCheckpoint {
    /// The distance of the last layer in moves.
    pub moves: u32,
    /// The number of states in all layers. A state can stand for a board and its mirror image.
    pub states: u64,
}

impl InCheckpoint {
    /// What is known of a checkpoint whose layers were not all read again.
    pub fn of(found: &Exploration) -> Option<Self> {
        let layers = found.layers.len() + found.unread.len();
        let states = found.states() + found.unread.iter().sum::<u64>();
        (!found.unread.is_empty()).then(|| Self { moves: layers as u32 - 1, states })
    }
}

/// The boards at the greatest distance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Extreme {
    /// The distance in moves.
    pub moves: u32,
    /// The number of boards at this distance.
    pub boards: u64,
    /// One of these boards, on one line.
    pub board: String,
}

impl Explored {
    /// The number of boards, over all layers.
    pub fn boards(&self) -> u64 {
        self.layers.iter().sum()
    }

    /// The limit that stopped the exploration, or else the search for the hardest boards.
    pub fn first_limit(&self) -> Option<Limit> {
        self.limit.or(self.hardest.as_ref().err().copied())
    }

    /// The distance of the last layer.
    pub fn last_distance(&self) -> u32 {
        self.layers.len().saturating_sub(1) as u32
    }

    /// Whether it is proved that there is no plan.
    pub fn is_unsolvable(&self) -> bool {
        let is_solved = self.goals.unwrap_or(0) > 0 || self.cost.is_some();
        self.has_goal && self.limit.is_none() && !is_solved
    }
}

/// The boards that can be reached from a board: `explore --json`.
#[derive(Serialize, JsonSchema)]
pub struct ExploreReport<'a> {
    /// The name of the data set.
    instance: &'a str,
    /// The board as text, for puzzles whose plans are easier to read with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    board: Option<String>,
    /// The unit of the numbers of moves.
    cost_unit: &'static str,
    /// Whether all boards were explored.
    complete: bool,
    /// The limit that stopped the exploration, the search from the goals, or the search for the
    /// diameter; null if none did.
    limit: Option<LimitName>,
    /// The number of boards that were reached.
    boards: u64,
    /// The number of solved boards among them; null if they are not counted.
    goals: Option<u64>,
    /// The number of moves of a shortest plan; null if none was found.
    cost: Option<u32>,
    /// The number of moves to the boards that are farthest from the start; null if the exploration
    /// is not complete.
    eccentricity: Option<u32>,
    /// The boards that are farthest from the start.
    farthest: Option<&'a Extreme>,
    /// The boards that are farthest from the nearest goal.
    hardest: Option<&'a Extreme>,
    /// With `--diameter`: the greatest eccentricity of all boards.
    diameter: Option<u32>,
    /// With `--diameter`: the least eccentricity of all boards.
    radius: Option<u32>,
    /// The number of boards at each number of moves from the start, from 0.
    layers: &'a [u64],
    /// How far a checkpoint goes, if a limit was reached before all of its layers were read again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "InCheckpoint")]
    checkpoint: Option<InCheckpoint>,
    /// The work of the exploration.
    stats: ExploreStats,
}

/// The work of an exploration.
#[derive(Serialize, JsonSchema)]
struct ExploreStats {
    /// The number of expanded states.
    expanded: u64,
    /// The number of generated states.
    generated: u64,
    /// The peak of the reserved memory in bytes.
    bytes: u64,
}

impl<'a> ExploreReport<'a> {
    /// The report of an exploration, and with `--diameter` of the search for the diameter.
    pub fn new(
        instance: Named<'a>,
        explored: &'a Explored,
        diameter: Option<Result<Diameter, Limit>>,
    ) -> Self {
        let stopped = diameter.and_then(Result::err);
        let diameter = diameter.and_then(Result::ok);
        let Explored { goals, cost, farthest, hardest, limit, layers, checkpoint, stats, .. } =
            explored;
        Self {
            instance: instance.name,
            cost_unit: instance.unit[0],
            board: instance.board,
            complete: limit.is_none(),
            limit: explored.first_limit().or(stopped).map(Into::into),
            boards: explored.boards(),
            goals: *goals,
            cost: *cost,
            eccentricity: limit.is_none().then(|| explored.last_distance()),
            farthest: farthest.as_ref(),
            hardest: hardest.as_ref().ok().and_then(Option::as_ref),
            diameter: diameter.map(|found| found.diameter),
            radius: diameter.map(|found| found.radius),
            layers,
            checkpoint: *checkpoint,
            stats: ExploreStats {
                expanded: stats.expanded,
                generated: stats.generated,
                bytes: stats.bytes,
            },
        }
    }
}

report!(ExploreReport<'_>, "explore", 1);

/// A complete layer: `explore --layers --json`.
#[derive(Serialize, JsonSchema)]
pub struct LayerReport<'a> {
    /// The name of the data set.
    pub instance: &'a str,
    /// The distance from the start, in moves.
    pub moves: u32,
    /// The number of boards at this distance.
    pub boards: u64,
}

report!(LayerReport<'_>, "explore-layer", 1);

/// Writes what an exploration found.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_explored(
    instance: &Named<'_>,
    verb: ExploreVerb,
    explored: &Explored,
    diameter: Option<Diameter>,
    out: &mut impl Write,
) -> io::Result<()> {
    let count = |count| instance.moves(count);
    instance.write(out)?;
    if let Some(limit) = explored.limit {
        let most = count(explored.last_distance());
        writeln!(out, "stopped, {limit}: the numbers below are for the boards within {most}")?;
    }
    if let Some(InCheckpoint { moves, states }) = explored.checkpoint {
        let states = format!("{states} {}", plural("state", states));
        writeln!(out, "in the checkpoint: {states} within {}", count(moves))?;
    }
    let goals = explored.goals.map(|goals| {
        let are = if goals == 1 { "is" } else { "are" };
        format!(", of which {goals} {are} solved")
    });
    writeln!(out, "boards: {}{}", explored.boards(), goals.unwrap_or_default())?;
    if let Some(cost) = explored.cost {
        writeln!(out, "{}: {}", verb.cost.unwrap_or("nearest goal"), count(cost))?;
    } else if explored.is_unsolvable() && explored.goals.is_none() {
        writeln!(out, "unsolvable")?;
    }
    let write = |what: &str, extreme: &Extreme, out: &mut dyn Write| {
        let Extreme { moves, boards, board } = extreme;
        let noun = plural("board", *boards);
        write!(out, "{what}: {}, {boards} {noun}", count(*moves))?;
        if verb.shows_boards { writeln!(out, ": {board}") } else { writeln!(out) }
    };
    if let Some(farthest) = &explored.farthest {
        write("farthest from the start", farthest, out)?;
    }
    match &explored.hardest {
        Ok(Some(hardest)) => write("farthest from a goal", hardest, out)?,
        Ok(None) if explored.is_unsolvable() && explored.goals.is_some() => {
            writeln!(out, "unsolvable")?;
        }
        Err(stopped) if explored.limit.is_none() => {
            writeln!(out, "farthest from a goal: stopped, {stopped}")?;
        }
        _ => {}
    }
    if let Some(Diameter { diameter, radius, searches }) = diameter {
        let noun = plural("search", searches);
        writeln!(out, "diameter: {diameter}, radius: {radius}, by {searches} {noun}")?;
    }
    writeln!(out, "boards by moves from the start:")?;
    write_histogram(&explored.layers, out)?;
    writeln!(out)
}

/// Writes a layer that is complete, on a line.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_layer(
    instance: &Named<'_>,
    count: u32,
    boards: u64,
    out: &mut impl Write,
) -> io::Result<()> {
    let (name, moves) = (instance.name, instance.moves(count));
    writeln!(out, "{name}, {moves}: {boards} {}", plural("board", boards))
}

/// The greatest number of rows of a histogram, and of marks in a row.
const MAX_ROWS: usize = 20;
const MAX_MARKS: u64 = 50;

/// Writes the number of boards at each number of moves, or at several that follow one another: one
/// row each, with a bar.
fn write_histogram(layers: &[u64], out: &mut impl Write) -> io::Result<()> {
    let per_row = layers.len().div_ceil(MAX_ROWS).max(1);
    let rows: Vec<u64> = layers.chunks(per_row).map(|layers| layers.iter().sum()).collect();
    let most = rows.iter().copied().max().unwrap_or(0).max(1);
    let width = most.to_string().len();
    let digits = layers.len().to_string().len();
    for (row, &boards) in rows.iter().enumerate() {
        let (first, end) = (row * per_row, layers.len().min((row + 1) * per_row));
        let moves = match end - 1 {
            _ if per_row == 1 => format!("{first:>digits$}"),
            last if last == first => format!("{first:>digits$}    {:digits$}", ""),
            last => format!("{first:>digits$} to {last:>digits$}"),
        };
        let marks = "#".repeat((boards * MAX_MARKS).div_ceil(most) as usize);
        writeln!(out, "  {moves}  {boards:>width$}  {marks}")?;
    }
    Ok(())
}
