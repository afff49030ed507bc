//! Results as data: what a program prints as JSON, and a page or a binding passes on.
//!
//! Each result is an object on one line: the name and the version of its schema, the puzzle, and the
//! fields of one of the types below. [`schemas`] has a JSON schema for each. Cells are pairs of a
//! row and a column, both counted from 1.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;

use fewest_core::budget::Limit;
use fewest_core::explore::diameter::Diameter;
use fewest_core::outcome::Verdict;
use fewest_geometry::Cell;
use fewest_scene::{Animation, Motion, Part, Shape, Side, Step};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::any::{AnyInstance, AnyPlan, AnyPuzzle, Verbs};
use crate::capabilities::{CensusRow, Difficulty};
use crate::certify::{Certified, Claim, Refusal};
use crate::explore::{self, Explored};
use crate::schema::schema_of;
use crate::solution::{InTwoTexts, Solution};

/// A result that has a schema.
pub trait Report: Serialize + JsonSchema {
    /// The verb that reports it.
    const VERB: &'static str;
    /// The version of its schema.
    const VERSION: u32;
}

/// A result with the head that all results have.
#[derive(Serialize)]
struct Record<'a, R: Serialize> {
    schema: String,
    puzzle: &'a str,
    #[serde(flatten)]
    report: &'a R,
}

/// Writes a result as an object on a line. Nothing is buffered.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write<R: Report>(
    puzzle: &dyn AnyPuzzle,
    report: &R,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let record = Record { schema: schema_name::<R>(), puzzle: puzzle.info().name, report };
    serde_json::to_writer(&mut *out, &record)?;
    writeln!(out)
}

fn schema_name<R: Report>() -> String {
    format!("fewest.{}.{}", R::VERB, R::VERSION)
}

/// The row and the column of a cell, both counted from 1.
pub type Position = [i64; 2];

/// The position of a cell.
pub fn position(cell: Cell) -> Position {
    [i64::from(cell.row) + 1, i64::from(cell.column) + 1]
}

/// A list whose items are created when they are written, so that they are never all in memory.
pub struct Stream<'a, T>(Box<dyn Fn() -> Box<dyn Iterator<Item = T> + 'a> + 'a>);

impl<'a, T> Stream<'a, T> {
    /// The items of the iterator that `items` returns, each time the list is written.
    pub fn new<I: Iterator<Item = T> + 'a>(items: impl Fn() -> I + 'a) -> Self {
        Self(Box::new(move || Box::new(items())))
    }
}

impl<T: Serialize> Serialize for Stream<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

impl<T: JsonSchema> JsonSchema for Stream<'_, T> {
    fn schema_name() -> Cow<'static, str> {
        Vec::<T>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<T>::json_schema(generator)
    }

    fn inline_schema() -> bool {
        true
    }
}

/// The result of one data set: `solve --json`.
#[derive(Serialize, JsonSchema)]
pub struct SolveReport<'a> {
    /// The name of the data set: the name of its text, followed by `#` and a number if the text has
    /// several data sets.
    instance: &'a str,
    /// For an instance in two texts: their names and the number that tells the instances in them apart,
    /// as `map`, `scenario` and `agents` (halloween).
    #[serde(flatten)]
    #[schemars(skip)]
    texts: BTreeMap<&'static str, Value>,
    /// `solved`: the plan is proved optimal. `unsolvable`: it is proved that there is no plan.
    /// `stopped`: a limit stopped the search.
    outcome: OutcomeName,
    /// The number of moves of `plan`.
    cost: Option<u32>,
    /// The unit of the cost, such as `step` or `unit move`.
    cost_unit: &'static str,
    /// Whether the plan is proved optimal.
    optimal: bool,
    /// The proved lower bound of the number of moves; null if there is no plan.
    lower_bound: Option<u32>,
    /// The limit that stopped the search; null if none did.
    limit: Option<LimitName>,
    /// A shortest plan, or the best plan that a stopped search found; null if there is none. Each
    /// move is a line of a plan. With `--hint`, only the first move.
    plan: Option<Stream<'a, String>>,
    /// The algorithm that found the answer: an engine, or `joint` (halloween), `regions`
    /// (wall-pusher) or `flow` (black-white).
    engine: &'static str,
    /// The work of the search.
    stats: SearchStats,
    // The schemas of the puzzles' details are added to the schema.
    #[serde(flatten)]
    #[schemars(skip)]
    details: Option<Box<dyn erased_serde::Serialize + 'a>>,
    /// With `--all`: the number of shortest plans, as text, because many JSON parsers round numbers
    /// with more than 15 digits; missing if it is 2^128 or more, or if a limit stopped the count.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", regex(pattern = "^[0-9]+$"))]
    plan_count: Option<String>,
    /// With `--all`: the first shortest plans.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Vec<String>>")]
    plans: Option<Stream<'a, Vec<String>>>,
    /// With `--all`: the limit that stopped the count or the list of the shortest plans; missing if
    /// none did.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LimitName")]
    plans_limit: Option<LimitName>,
    /// The board as text, for puzzles whose plans are easier to read with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    board: Option<String>,
}

/// What a search found and proved.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum OutcomeName {
    Solved,
    Unsolvable,
    Stopped,
}

/// The limit that stopped a search.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum LimitName {
    Time,
    Memory,
    States,
    Encoding,
    Interrupted,
    Io,
}

impl From<Limit> for LimitName {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Time => Self::Time,
            Limit::Memory => Self::Memory,
            Limit::Encoding => Self::Encoding,
            Limit::States => Self::States,
            Limit::Cancelled => Self::Interrupted,
            Limit::Io(_) => Self::Io,
        }
    }
}

/// The work of a search.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
struct SearchStats {
    /// The number of expanded states.
    expanded: u64,
    /// The number of states that were expanded to recover the plan.
    recovered: u64,
    /// The number of generated states.
    generated: u64,
    /// The number of generated states that were known before.
    duplicates: u64,
    /// The greatest number of states that waited for their expansion.
    peak_frontier: u64,
    /// The peak of the reserved memory in bytes.
    bytes: u64,
    /// The time of the search.
    #[schemars(range(min = 0.0))]
    elapsed_seconds: f64,
}

impl<'a> SolveReport<'a> {
    /// The report of a solution, with at most this number of moves of its plan.
    pub fn new(solution: &'a Solution, max_moves: usize) -> Self {
        let outcome = &solution.outcome;
        let (name, limit) = match outcome.verdict {
            Verdict::Solved { .. } => (OutcomeName::Solved, None),
            Verdict::Unsolvable => (OutcomeName::Unsolvable, None),
            Verdict::Stopped { limit, .. } => (OutcomeName::Stopped, Some(limit)),
        };
        let plan = solution.plan();
        let all = solution.all_plans();
        let plans_limit = match &solution.shortest_plans {
            Some(Ok(plans)) => plans.limit(),
            Some(Err(limit)) => Some(*limit),
            None => None,
        };
        let stats = outcome.stats;
        let texts = solution.texts.iter().flat_map(|InTwoTexts { names, first, second, part }| {
            [
                (names.first, Value::from(first.as_str())),
                (names.second, Value::from(second.as_str())),
                (names.part, Value::from(*part)),
            ]
        });
        Self {
            instance: &solution.name,
            texts: texts.collect(),
            outcome: name,
            cost: outcome.best().map(|(_, cost)| cost),
            cost_unit: solution.instance.unit()[0],
            optimal: outcome.optimal().is_some(),
            lower_bound: outcome.lower_bound(),
            limit: limit.map(Into::into),
            plan: plan.map(|plan| Stream::new(move || plan.lines().take(max_moves))),
            engine: solution.engine,
            stats: SearchStats {
                expanded: stats.expanded,
                recovered: stats.recovered,
                generated: stats.generated,
                duplicates: stats.duplicates,
                peak_frontier: stats.peak_frontier,
                bytes: stats.bytes,
                elapsed_seconds: solution.elapsed.as_secs_f64(),
            },
            details: plan.and_then(|plan| plan.details()),
            plan_count: all.and_then(|all| Some(all.count()?.to_string())),
            plans: all.map(|all| Stream::new(|| all.iter().map(|plan| plan.lines().collect()))),
            plans_limit: plans_limit.map(Into::into),
            board: solution.instance.board(),
        }
    }
}

impl Report for SolveReport<'_> {
    const VERB: &'static str = "solve";
    const VERSION: u32 = 2;
}

/// Whether the rules accept a plan: `verify --json`.
#[derive(Serialize, JsonSchema)]
pub struct VerifyReport<'a> {
    /// The name of the data set.
    instance: &'a str,
    /// Whether the plan is accepted.
    accepted: bool,
    /// The number of moves of an accepted plan.
    cost: Option<u32>,
    /// The unit of the cost, such as `step` or `unit move`.
    cost_unit: &'static str,
    /// Why the plan is refused; null if it is accepted.
    refusal: Option<&'a str>,
}

impl<'a> VerifyReport<'a> {
    /// The report of an instance with its plan, or with the reason why the plan is refused.
    pub fn new(
        name: &'a str,
        instance: &dyn AnyInstance,
        verdict: Result<&dyn AnyPlan, &'a str>,
    ) -> Self {
        Self {
            instance: name,
            accepted: verdict.is_ok(),
            cost: verdict.ok().map(|plan| plan.len() as u32),
            cost_unit: instance.unit()[0],
            refusal: verdict.err(),
        }
    }
}

impl Report for VerifyReport<'_> {
    const VERB: &'static str = "verify";
    const VERSION: u32 = 1;
}

/// A certificate that was made: `certify --json`.
#[derive(Serialize, JsonSchema)]
pub struct CertifyReport<'a> {
    /// The name of the data set.
    instance: &'a str,
    /// What is certified.
    claim: ClaimName,
    /// The number of moves of a shortest plan; null if the claim is another one.
    cost: Option<u32>,
    /// The number of boards at each distance; null if the claim is another one.
    layers: Option<&'a [u64]>,
    /// The number of states in the file.
    states: usize,
    /// The number of bytes of the file.
    bytes: usize,
}

/// What a certificate claims.
#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum ClaimName {
    /// A plan has this number of moves, and none has fewer.
    Optimal,
    /// No plan exists.
    Unsolvable,
    /// These are the numbers of boards at each distance from the start.
    Layers,
}

/// The name, the number of moves, and the layers of a claim.
fn parts(claim: &Claim) -> (ClaimName, Option<u32>, Option<&[u64]>) {
    match claim {
        Claim::Optimal { moves } => (ClaimName::Optimal, Some(*moves), None),
        Claim::Unsolvable => (ClaimName::Unsolvable, None, None),
        Claim::Layers(layers) => (ClaimName::Layers, None, Some(layers)),
    }
}

impl<'a> CertifyReport<'a> {
    /// The report of a certificate of an instance.
    pub fn new(name: &'a str, certified: &'a Certified) -> Self {
        let Certified { file, claim, states } = certified;
        let (claim, cost, layers) = parts(claim);
        Self { instance: name, claim, cost, layers, states: *states, bytes: file.len() }
    }
}

impl Report for CertifyReport<'_> {
    const VERB: &'static str = "certify";
    const VERSION: u32 = 1;
}

/// Whether a certificate is accepted: `check --json`.
#[derive(Serialize, JsonSchema)]
pub struct CheckReport<'a> {
    /// The name of the data set.
    instance: &'a str,
    /// Whether the certificate is accepted.
    accepted: bool,
    /// What it proves; null if it is refused.
    claim: Option<ClaimName>,
    /// The number of moves of a shortest plan; null if the claim is another one.
    cost: Option<u32>,
    /// The number of boards at each distance; null if the claim is another one.
    layers: Option<&'a [u64]>,
    /// Why it is refused; null if it is accepted.
    refusal: Option<String>,
}

impl<'a> CheckReport<'a> {
    /// The report of a check.
    pub fn new(name: &'a str, checked: &'a Result<Claim, Refusal>) -> Self {
        let parts = checked.as_ref().ok().map(parts);
        Self {
            instance: name,
            accepted: checked.is_ok(),
            claim: parts.map(|(claim, ..)| claim),
            cost: parts.and_then(|(_, cost, _)| cost),
            layers: parts.and_then(|(.., layers)| layers),
            refusal: checked.as_ref().err().map(ToString::to_string),
        }
    }
}

impl Report for CheckReport<'_> {
    const VERB: &'static str = "check";
    const VERSION: u32 = 1;
}

/// A built-in instance: `list --json`.
#[derive(Serialize, JsonSchema)]
pub struct ListReport<'a> {
    /// The names of the instance, with the main name first.
    #[schemars(length(min = 1))]
    pub names: &'a [&'a str],
    /// The description of the instance.
    pub about: &'a str,
    /// The fewest moves with the default options; null if there is no plan.
    pub moves: Option<u32>,
    /// Only klotski: the code of the layout.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub code: Option<String>,
    /// Only klotski: the number of pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "usize")]
    pub pieces: Option<usize>,
    /// The text of the instance, as input for `solve -`.
    pub text: &'a str,
}

impl Report for ListReport<'_> {
    const VERB: &'static str = "list";
    const VERSION: u32 = 1;
}

/// A generated instance: `generate --json`.
#[derive(Serialize, JsonSchema)]
pub struct GenerateReport<'a> {
    /// The text of the instance, as input for `solve -`.
    pub text: &'a str,
    /// The number of moves of a shortest plan; null if it is not known.
    pub cost: Option<u32>,
}

impl Report for GenerateReport<'_> {
    const VERB: &'static str = "generate";
    const VERSION: u32 = 1;
}

/// An instance in another notation: `convert --json`.
#[derive(Serialize, JsonSchema)]
pub struct ConvertReport<'a> {
    /// The name of the data set.
    pub instance: &'a str,
    /// The name of the notation: the value of `--to`.
    pub notation: &'a str,
    /// The rows and columns, such as `4x6`, if a notation does not contain them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub size: Option<String>,
    /// The instance in the notation.
    pub text: &'a str,
}

impl Report for ConvertReport<'_> {
    const VERB: &'static str = "convert";
    const VERSION: u32 = 1;
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
    farthest: Option<ExtremeReport<'a>>,
    /// The boards that are farthest from the nearest goal.
    hardest: Option<ExtremeReport<'a>>,
    /// With `--diameter`: the greatest eccentricity of all boards.
    diameter: Option<u32>,
    /// With `--diameter`: the least eccentricity of all boards.
    radius: Option<u32>,
    /// The number of boards at each number of moves from the start, from 0.
    layers: &'a [u64],
    /// How far a checkpoint goes, if a limit was reached before all of its layers were read again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "CheckpointReport")]
    checkpoint: Option<CheckpointReport>,
    /// The work of the exploration.
    stats: ExploreStats,
}

/// The layers that a checkpoint has.
#[derive(Serialize, JsonSchema)]
struct CheckpointReport {
    /// The distance of the last layer in moves.
    moves: u32,
    /// The number of states in all layers. A state can stand for a board and its mirror image.
    states: u64,
}

/// The boards at the greatest distance.
#[derive(Serialize, JsonSchema)]
struct ExtremeReport<'a> {
    /// The distance in moves.
    moves: u32,
    /// The number of boards at this distance.
    boards: u64,
    /// One of these boards, on one line.
    board: &'a str,
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
        name: &'a str,
        instance: &dyn AnyInstance,
        explored: &'a Explored,
        diameter: Option<Result<Diameter, Limit>>,
    ) -> Self {
        let stopped = diameter.and_then(Result::err);
        let diameter = diameter.and_then(Result::ok);
        let extreme = |extreme: &'a explore::Extreme| ExtremeReport {
            moves: extreme.moves,
            boards: extreme.boards,
            board: &extreme.board,
        };
        let Explored { goals, cost, farthest, hardest, limit, layers, checkpoint, stats } =
            explored;
        Self {
            instance: name,
            board: instance.board(),
            cost_unit: instance.unit()[0],
            complete: limit.is_none(),
            limit: explored.first_limit().or(stopped).map(Into::into),
            boards: explored.boards(),
            goals: *goals,
            cost: *cost,
            eccentricity: limit.is_none().then(|| explored.last_distance()),
            farthest: farthest.as_ref().map(extreme),
            hardest: hardest.as_ref().ok().and_then(Option::as_ref).map(extreme),
            diameter: diameter.map(|found| found.diameter),
            radius: diameter.map(|found| found.radius),
            layers,
            checkpoint: checkpoint
                .map(|explore::InCheckpoint { moves, states }| CheckpointReport { moves, states }),
            stats: ExploreStats {
                expanded: stats.expanded,
                generated: stats.generated,
                bytes: stats.bytes,
            },
        }
    }
}

impl Report for ExploreReport<'_> {
    const VERB: &'static str = "explore";
    const VERSION: u32 = 1;
}

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

impl Report for LayerReport<'_> {
    const VERB: &'static str = "explore-layer";
    const VERSION: u32 = 1;
}

/// A board and the moves from it: `explore --export jsonl`.
#[derive(Serialize, JsonSchema)]
pub struct BoardReport<'a> {
    /// The number of the board, from 0, which is the start.
    pub number: u32,
    /// The board, on one line.
    pub board: &'a str,
    /// The distance from the start.
    pub depth: u32,
    /// Whether the board is solved.
    pub solved: bool,
    /// The numbers of the other boards that one move leads to.
    pub moves_to: Vec<u32>,
    /// The move to each of them, as in a plan.
    pub moves: Vec<&'a str>,
}

impl Report for BoardReport<'_> {
    const VERB: &'static str = "explore-export";
    const VERSION: u32 = 1;
}

/// The difficulty of an instance: `rank --json`.
#[derive(Serialize, JsonSchema)]
pub struct RankReport<'a> {
    /// The name of the data set.
    instance: &'a str,
    /// The number of moves of a shortest plan; null if there is none, and then the rest is missing.
    moves: Option<u32>,
    #[serde(flatten)]
    measures: Option<Measures>,
}

/// The measures of difficulty.
#[derive(Serialize, JsonSchema)]
struct Measures {
    /// The number of shortest plans, as text; null if it is 2^128 or more.
    #[schemars(regex(pattern = "^[0-9]+$"))]
    plans: Option<String>,
    /// Whether the shortest plans differ only in the order of independent moves.
    unique: bool,
    /// The share of boards on shortest plans from which only one move continues a shortest plan.
    #[schemars(range(min = 0.0, max = 1.0))]
    forced: f64,
    /// The pieces that no shortest plan moves.
    idle: String,
    /// The number of boards that can be reached.
    boards: u64,
    /// The number of these boards from which the only move leads back.
    dead_ends: u64,
}

impl<'a> RankReport<'a> {
    /// The report of an instance; `None` if it has no plan.
    pub fn new(name: &'a str, difficulty: Option<&Difficulty>) -> Self {
        let measures = |hard: &Difficulty| Measures {
            plans: hard.plans.map(|plans| plans.to_string()),
            unique: hard.unique,
            forced: hard.forced,
            idle: hard.idle.iter().collect(),
            boards: hard.boards,
            dead_ends: hard.dead_ends,
        };
        let moves = difficulty.map(|hard| hard.moves);
        Self { instance: name, moves, measures: difficulty.map(measures) }
    }
}

impl Report for RankReport<'_> {
    const VERB: &'static str = "rank";
    const VERSION: u32 = 1;
}

/// A component of all instances of a kind: `census --json`.
#[derive(Serialize, JsonSchema)]
pub struct CensusReport<'a> {
    // The schema is that of the row of the puzzle.
    #[serde(flatten)]
    #[schemars(skip)]
    row: &'a dyn erased_serde::Serialize,
}

impl<'a> CensusReport<'a> {
    /// The report of a row.
    pub fn new(row: &'a dyn CensusRow) -> Self {
        Self { row }
    }
}

impl Report for CensusReport<'_> {
    const VERB: &'static str = "census";
    const VERSION: u32 = 1;
}

/// A board and the motions of a plan on it, for other programs to draw: `show --json`.
#[derive(Serialize, JsonSchema)]
pub struct ShowReport<'a> {
    /// The name of the data set.
    instance: &'a str,
    /// The number of columns.
    columns: usize,
    /// The number of rows.
    rows: usize,
    /// The parts that never move.
    ground: Stream<'a, PartReport>,
    /// The parts that can move. Later parts are drawn above earlier ones.
    parts: Stream<'a, PartReport>,
    /// The board that the plan has to reach, if that is another one: its parts, none of which moves.
    target: Stream<'a, PartReport>,
    /// The moves of the plan.
    steps: Stream<'a, StepReport>,
}

/// A part of a picture.
#[derive(Serialize, JsonSchema)]
struct PartReport {
    /// The shape.
    shape: ShapeReport,
    /// The row and the column of its cell, from 1.
    at: Position,
    /// The colour by its role, such as `wall` or `hue 3`.
    ink: String,
    /// The label, which may be empty.
    label: String,
}

/// A shape on cells.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ShapeReport {
    /// Whole cells, as rows and columns from the cell of the part.
    Cells(Vec<Position>),
    /// The cells of a goal, as rows and columns from the cell of the part.
    Goal(Vec<Position>),
    /// A side of the cell.
    Edge(SideName),
    /// A disc in the cell.
    Disc,
    /// An SVG path in a cell of 1 x 1.
    Path(&'static str),
}

/// A side of a cell.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SideName {
    West,
    North,
}

/// A move of a plan.
#[derive(Serialize, JsonSchema)]
pub struct StepReport {
    /// The move as a line of a plan.
    r#move: String,
    /// What moves, all at the same time.
    motions: Vec<MotionReport>,
}

/// The motion of a part.
#[derive(Serialize, JsonSchema)]
struct MotionReport {
    /// The index of the part in `parts`.
    part: usize,
    /// The rows and the columns of the cells that the part passes, from 1, from its current cell to
    /// its next one.
    #[schemars(length(min = 1))]
    path: Vec<Position>,
    /// The new colour of the part; null if it does not change.
    turns: Option<String>,
}

impl From<&Part> for PartReport {
    fn from(part: &Part) -> Self {
        let offsets = |cells: &[Cell]| {
            cells.iter().map(|cell| [cell.row.into(), cell.column.into()]).collect()
        };
        let shape = match &part.shape {
            Shape::Cells(cells) => ShapeReport::Cells(offsets(cells)),
            Shape::Goal(cells) => ShapeReport::Goal(offsets(cells)),
            Shape::Edge(Side::West) => ShapeReport::Edge(SideName::West),
            Shape::Edge(Side::North) => ShapeReport::Edge(SideName::North),
            Shape::Disc => ShapeReport::Disc,
            Shape::Figure(path) => ShapeReport::Path(path),
        };
        Self {
            shape,
            at: position(part.at),
            ink: part.ink.name().to_string(),
            label: part.label.clone(),
        }
    }
}

impl From<Step> for StepReport {
    fn from(step: Step) -> Self {
        let motion = |motion: &Motion| MotionReport {
            part: motion.part,
            path: motion.path.iter().copied().map(position).collect(),
            turns: motion.turns.map(|ink| ink.name().to_string()),
        };
        Self { r#move: step.line, motions: step.motions.iter().map(motion).collect() }
    }
}

impl<'a> ShowReport<'a> {
    /// The report of an animation. Once `is_stopped` returns `true`, the list of steps ends.
    pub fn new(
        name: &'a str,
        animation: &'a Animation<'_>,
        is_stopped: &'a (dyn Fn() -> bool + 'a),
    ) -> Self {
        let scene = &animation.scene;
        Self {
            instance: name,
            columns: scene.columns,
            rows: scene.rows,
            ground: Stream::new(|| scene.ground.iter().map(Into::into)),
            parts: Stream::new(|| scene.parts.iter().map(Into::into)),
            target: Stream::new(|| scene.target.iter().map(Into::into)),
            steps: Stream::new(move || {
                animation.steps().take_while(move |_| !is_stopped()).map(Into::into)
            }),
        }
    }
}

impl Report for ShowReport<'_> {
    const VERB: &'static str = "show";
    const VERSION: u32 = 3;
}

/// The JSON schemas of all reports of these puzzles, each with its name.
pub fn schemas(puzzles: &[&dyn AnyPuzzle]) -> Vec<(String, Value)> {
    let having = |has: fn(&Verbs) -> bool| {
        let names = puzzles.iter().filter(|puzzle| has(&puzzle.verbs()));
        names.map(|puzzle| puzzle.info().name).collect::<Vec<_>>()
    };
    let all = having(|_| true);
    let exploring = having(|verbs| verbs.explore.is_some());
    let certifying = having(|verbs| verbs.certify);
    let mut solve = schema::<SolveReport<'_>>(&all);
    let mut census = schema::<CensusReport<'_>>(&having(|verbs| verbs.census.is_some()));
    for puzzle in puzzles {
        let [details, row] = puzzle.schemas();
        if let Some(texts) = puzzle.info().two_texts {
            let name = puzzle.info().name;
            let text = |what: &str| {
                let description =
                    format!("Only {name}, if the instance is in two files: the {what}.");
                json!({ "type": "string", "description": description })
            };
            let part = format!(
                "Only {name}, if the instance is in two files: the number of {}.",
                texts.part
            );
            let properties = json!({
                texts.first: text(texts.first),
                texts.second: text(texts.second),
                texts.part: { "type": "integer", "minimum": 0, "description": part },
            });
            add_properties(&mut solve.1, json!({ "properties": properties }), false);
        }
        // A plan has the details of its puzzle only.
        details.into_iter().for_each(|details| add_properties(&mut solve.1, details, false));
        row.into_iter().for_each(|row| add_properties(&mut census.1, row, true));
    }
    vec![
        census,
        schema::<CertifyReport<'_>>(&certifying),
        schema::<CheckReport<'_>>(&certifying),
        schema::<ConvertReport<'_>>(&having(|verbs| verbs.convert.is_some())),
        schema::<LayerReport<'_>>(&exploring),
        schema::<BoardReport<'_>>(&exploring),
        schema::<ExploreReport<'_>>(&exploring),
        schema::<GenerateReport<'_>>(&having(|verbs| verbs.generate.is_some())),
        schema::<ListReport<'_>>(&all),
        schema::<RankReport<'_>>(&having(|verbs| verbs.rank)),
        schema::<ShowReport<'_>>(&all),
        solve,
        schema::<VerifyReport<'_>>(&all),
    ]
}

/// The schema of a report of these puzzles, with its name.
fn schema<R: Report>(puzzles: &[&str]) -> (String, Value) {
    let name = schema_name::<R>();
    let mut of_report = schema_of::<R>();
    let description = of_report["description"].take();
    let mut of_record = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "description": description,
        "type": "object",
        "properties": { "schema": { "const": name }, "puzzle": { "enum": puzzles } },
        "required": ["schema", "puzzle"],
    });
    add_properties(&mut of_record, of_report, true);
    (name, of_record)
}

/// Adds the properties of a schema to those of another.
fn add_properties(schema: &mut Value, from: Value, are_required: bool) {
    let Value::Object(mut from) = from else { return };
    if let (Some(Value::Object(to)), Some(Value::Object(added))) =
        (schema.get_mut("properties"), from.remove("properties"))
    {
        to.extend(added);
    }
    if let (Some(Value::Array(to)), Some(Value::Array(added))) =
        (schema.get_mut("required"), from.remove("required").filter(|_| are_required))
    {
        to.extend(added);
    }
    // The alternatives of an enum, each of which has properties of its own.
    if let (Value::Object(to), Some(alternatives)) = (schema, from.remove("anyOf")) {
        to.insert("anyOf".to_owned(), alternatives);
    }
}
