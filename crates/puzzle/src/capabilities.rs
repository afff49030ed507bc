//! What only some puzzles offer. A program has a verb for a puzzle if and only if the puzzle has
//! the capability.

use std::io;

use fewest_certificate::{Claim, IsStopped, Refusal};
use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::explore::diameter::{Diameter, Progress};
use fewest_core::outcome::Outcome;
use fewest_core::search::all_shortest::ShortestPlans;
use fewest_geometry::Cell;
pub use fewest_rules::builtin::Published;
use fewest_rules::text::Line;
use fewest_rules::{Replayed, Verified};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::certify::{self, Certified, Subject};
pub use crate::certify::{Certify, VisitBoard};
use crate::error::SolveError;
use crate::explore::{BoardGraph, Explored, OnLayer};
use crate::judge::{self, AnswerText, WrongAnswer};
use crate::options::{OptionSource, Options, OptionsError};
use crate::puzzle::{Move, Parsed, Puzzle};
use crate::random::Random;
use crate::schema::schema_of;

/// All shortest plans can be counted and listed.
pub trait CountPlans: Puzzle {
    /// Counts all shortest plans, and lists the first `max_plans` of them in a fixed order.
    ///
    /// # Errors
    /// If the instance is not supported; if the rules refuse a plan, which is a bug.
    fn list_shortest_plans(
        instance: &Self::Instance,
        max_plans: usize,
        budget: &Budget,
    ) -> Result<Outcome<ShortestPlans<Verified<Self::Instance>>>, SolveError>;
}

/// There is more to report of a plan.
pub trait Detail: Puzzle {
    /// The fields that only this puzzle reports of a plan.
    type Details<'a>: Serialize + JsonSchema;

    /// The fields of a plan.
    fn details<'a>(
        instance: &'a Self::Instance,
        plan: &'a Verified<Self::Instance>,
    ) -> Self::Details<'a>;
}

/// All boards that can be reached can be explored.
pub trait Explore: Puzzle {
    /// The verb.
    const VERB: ExploreVerb = ExploreVerb::DEFAULT;

    /// Counts the boards by their distance from the start. `on_layer` is called for each layer as soon
    /// as it is complete.
    ///
    /// # Errors
    /// If the instance is not supported, or if the search cannot use the representation of the budget.
    fn explore(
        instance: &Self::Instance,
        budget: &Budget,
        on_layer: OnLayer<'_>,
    ) -> Result<Explored, SolveError>;

    /// All boards, and the moves between them.
    ///
    /// # Errors
    /// If the instance is not supported, or a limit stopped the exploration.
    fn graph(instance: &Self::Instance, budget: &Budget) -> Result<BoardGraph, SolveError>;

    /// The greatest and the least eccentricity of all boards. `progress` is called now and then.
    ///
    /// # Errors
    /// If a limit stopped the search, or if moves cannot be [undone](ExploreVerb::undirected).
    fn diameter(
        _: &Self::Instance,
        _budget: &Budget,
        _progress: &mut dyn FnMut(Progress),
    ) -> Result<Diameter, SolveError> {
        Err(SolveError::unsupported("the boards of this puzzle have no diameter"))
    }
}

/// Takes a generated instance, with its fewest moves if they are known.
pub type Emit<'a, I> = &'a mut dyn FnMut(&I, Option<u32>) -> io::Result<()>;

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

/// Instances can be generated.
pub trait Generate: Puzzle {
    /// The verb.
    const VERB: GenerateVerb;

    /// What to generate.
    type GenerateOptions: Options;

    /// Generates instances, and passes each to `emit` with its fewest moves if they are known.
    ///
    /// # Errors
    /// If the options allow no instance; an error of `emit`.
    fn generate(
        base: Option<&Self::Instance>,
        options: &Self::GenerateOptions,
        work: &dyn WorkContext,
        emit: Emit<'_, Self::Instance>,
    ) -> Result<Generated, WorkError>;

    /// The text of a generated instance. Its own text by default.
    fn text(instance: &Self::Instance) -> String {
        instance.to_string()
    }
}

/// The verb `generate` of a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct GenerateVerb {
    /// One line for help.
    pub about: &'static str,
    /// More lines for help.
    pub long_about: &'static str,
    /// The help of the instance that the generated ones are like; `None` if they need none.
    pub base: Option<&'static str>,
    /// The name of an option with which they need none.
    pub without_base: Option<&'static str>,
    /// The singular noun for what is generated.
    pub noun: &'static str,
    /// What is between two texts of generated instances that have several lines.
    pub separator: &'static str,
}

/// Instances can be written in several notations.
pub trait Convert: Puzzle {
    /// The verb.
    const VERB: ConvertVerb;

    /// The instance in one of the [notations](ConvertVerb::notations). `None` if it cannot be
    /// written in it without loss.
    fn convert(instance: &Self::Instance, notation: &Notation) -> Option<String>;

    /// The size of an instance, where a notation does not contain it.
    fn size(_: &Self::Instance) -> Option<String> {
        None
    }
}

/// The verb `convert` of a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct ConvertVerb {
    /// One line for help.
    pub about: &'static str,
    /// The help of the choice.
    pub help: &'static str,
    /// The notations.
    pub notations: &'static [Notation],
}

/// A notation of instances.
#[derive(Clone, Copy, Debug)]
pub struct Notation {
    /// The name of the choice.
    pub name: &'static str,
    /// What it is called in messages.
    pub noun: &'static str,
    /// What is between two texts.
    pub separator: &'static str,
}

/// The difficulty of instances can be measured.
pub trait Rank: Puzzle {
    /// Measures how difficult an instance is; `None` if it has no plan.
    ///
    /// # Errors
    /// If the instance is not supported, or a limit stopped the work.
    fn difficulty(
        instance: &Self::Instance,
        budget: &Budget,
    ) -> Result<Option<Difficulty>, SolveError>;

    /// What the text of an instance says about its difficulty.
    fn published(instance: &Self::Instance) -> Option<Published>;
}

/// Measures of how difficult an instance is.
#[derive(Clone, Debug, PartialEq)]
pub struct Difficulty {
    /// The number of moves of a shortest plan.
    pub moves: u32,
    /// The number of shortest plans, as sequences of boards; `None` if it is 2^128 or more.
    pub plans: Option<u128>,
    /// Whether each shortest plan can be obtained from any other by exchanging successive moves,
    /// repeatedly. Two successive moves of different pieces can be exchanged if the opposite order
    /// is legal and leads to the same board.
    pub unique: bool,
    /// The share of forced boards among the boards on shortest plans, goals excluded. A board is
    /// forced if only one move from it is on a shortest plan. The share is 1 if there are no such
    /// boards.
    pub forced: f64,
    /// The pieces that no shortest plan moves, in the order of their first cells.
    pub idle: Vec<char>,
    /// The number of boards that are reachable from the start.
    pub boards: u64,
    /// The number of these boards that have only one move, which leads back.
    pub dead_ends: u64,
}

/// All instances of a kind can be listed by component.
pub trait Census: Puzzle {
    /// The verb.
    const VERB: CensusVerb;

    /// What to list.
    type CensusOptions: Options;
    /// A row of the list.
    type Row: Serialize + JsonSchema;

    /// The names of the columns.
    fn columns(options: &Self::CensusOptions) -> Vec<&'static str>;

    /// A row as the fields of the columns.
    fn fields(options: &Self::CensusOptions, row: &Self::Row) -> Vec<String>;

    /// Passes each row to `emit`, and returns a summary.
    ///
    /// # Errors
    /// If a limit stopped the work; an error of `emit`.
    fn census(
        options: &Self::CensusOptions,
        work: &dyn WorkContext,
        emit: &mut dyn FnMut(Self::Row) -> io::Result<()>,
    ) -> Result<String, WorkError>;
}

/// The verb `census` of a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct CensusVerb {
    /// One line for help.
    pub about: &'static str,
    /// More lines for help.
    pub long_about: &'static str,
}

/// What a program offers to work that takes long.
pub trait WorkContext: Sync {
    /// A budget that an interrupt of the program cancels.
    fn budget(&self, limits: Limits) -> Budget;
    /// Whether the program was interrupted.
    fn is_interrupted(&self) -> bool;
    /// The work consists of items, which this singular noun names: of `total` of them, if the
    /// number is known.
    fn start(&self, item: &'static str, total: Option<u64>);
    /// This number of items is done.
    fn add_done(&self, items: u64);
}

/// Why work ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The question has no answer.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The options are not valid.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A result could not be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

impl From<Limit> for WorkError {
    fn from(limit: Limit) -> Self {
        Self::Solve(limit.into())
    }
}

/// The end of the generation of instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// What to tell, in order.
    pub messages: Vec<Message>,
    /// How it ended.
    pub end: End,
}

/// A message at the end of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The message.
    pub text: String,
    /// Whether it may be suppressed.
    pub is_note: bool,
}

impl Generated {
    /// An end without messages.
    pub fn new(end: End) -> Self {
        Self { messages: Vec::new(), end }
    }

    /// The same with a message that may be suppressed.
    #[must_use]
    pub fn note(mut self, text: String) -> Self {
        self.messages.push(Message { text, is_note: true });
        self
    }

    /// The same with a message.
    #[must_use]
    pub fn message(mut self, text: String) -> Self {
        self.messages.push(Message { text, is_note: false });
        self
    }
}

/// Plans can be written as what all pieces are on at each time.
pub trait Timeline: Puzzle {
    /// The lines of a plan, from the start on: `0:(5,16),(2,0)` and so on.
    fn write_timeline(instance: &Self::Instance, plan: &Replayed<Self::Instance>) -> String;

    /// Reads such lines.
    ///
    /// # Errors
    /// A diagnostic of a line.
    fn read_timeline(instance: &Self::Instance, lines: &[Line<'_>]) -> Parsed<Vec<Move<Self>>>;
}

/// Instances can be edited on their pictures.
pub trait Edit: Puzzle {
    /// What can be drawn.
    const BRUSHES: &'static [Brush];

    /// The instance after a stroke over these cells, at least one. They need not be on the board.
    ///
    /// # Errors
    /// Why there is no such instance.
    fn edit(
        instance: &Self::Instance,
        brush: &str,
        cells: &[Cell],
    ) -> Result<Self::Instance, String>;

    /// An instance of this size with as little as possible, with the options of another one.
    ///
    /// # Errors
    /// If there is none of this size.
    fn blank(like: &Self::Instance, rows: usize, columns: usize) -> Result<Self::Instance, String>;
}

/// A brush of an editor.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Brush {
    /// The name.
    pub name: &'static str,
    /// What a stroke does.
    pub about: &'static str,
    /// Whether a stroke is over the edge between two neighbouring cells, of which one may be outside
    /// the board.
    pub on_edges: bool,
}

/// The answers of other programs in contest format can be judged.
pub trait Judge: Puzzle {
    /// What ends a text in contest format.
    const END: &'static str = "";
    /// What is between two data sets.
    const SEPARATOR: &'static str = "";
    /// Whether there is a contest with a statement.
    const HAS_STATEMENT: bool = true;

    /// Checks the answer to an instance, whose lines are the next ones. `fewest` is the fewest moves,
    /// or `None` if there is no plan. By default the answer is this number.
    ///
    /// # Errors
    /// Why the answer is wrong.
    fn check(
        _: &Self::Instance,
        fewest: Option<u32>,
        answer: &mut AnswerText<'_>,
    ) -> Result<(), WrongAnswer> {
        judge::check_number::<Self>(fewest, answer).map(drop)
    }

    /// Instances in contest format that are a little smaller, or whose plans are shorter: those first
    /// that are much smaller. `plan` is a shortest plan.
    fn smaller(
        instance: &Self::Instance,
        plan: Option<&Verified<Self::Instance>>,
    ) -> Vec<Self::Instance>;

    /// A random instance that meets the guarantees of the statement, except that it may have no plan.
    fn random(random: &mut Random) -> Self::Instance;

    /// The guarantees of the contest statement that an instance breaks, such as `a plan`. What published solutions
    /// rely on counts as one.
    fn broken_guarantees(instance: &Self::Instance, has_plan: bool) -> Vec<&'static str>;
}

/// The verb `judge` of a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct JudgeVerb {
    /// [`Judge::END`]
    pub end: &'static str,
    /// [`Judge::SEPARATOR`]
    pub separator: &'static str,
    /// [`Judge::HAS_STATEMENT`]
    pub has_statement: bool,
}

/// How work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It is complete.
    Complete,
    /// Nothing was found, and nothing was given up: no instance exists, or none of the random ones
    /// has a plan.
    NoneExists,
    /// Nothing was found.
    NoneFound,
    /// A limit stopped it.
    Stopped(Limit),
}

/// A puzzle with the list of what it offers beyond [`Puzzle`].
pub trait Offers: Puzzle {
    /// The capabilities; none by default.
    fn capabilities() -> Capabilities<Self> {
        Capabilities::none()
    }
}

/// The capabilities of a puzzle.
///
/// [`none`](Self::none) has none, and each method adds one:
/// `Capabilities::none().count_plans().explore()`.
pub struct Capabilities<P: Puzzle> {
    pub(crate) count_plans: Option<ListPlans<P>>,
    pub(crate) detail: Option<DetailWith<P>>,
    pub(crate) explore: Option<ExploreWith<P>>,
    pub(crate) generate: Option<GenerateWith<P>>,
    pub(crate) convert: Option<ConvertWith<P>>,
    pub(crate) rank: Option<RankWith<P>>,
    pub(crate) census: Option<CensusWith>,
    pub(crate) judge: Option<JudgeWith<P>>,
    pub(crate) timeline: Option<TimelineWith<P>>,
    pub(crate) edit: Option<EditWith<P>>,
    pub(crate) certify: Option<CertifyWith<P>>,
}

pub(crate) struct CertifyWith<P: Puzzle> {
    pub(crate) certify: fn(&P::Instance, Subject, &Budget) -> Result<Certified, SolveError>,
    pub(crate) check: CheckFile<P>,
}

type CheckFile<P> = fn(
    &<P as Puzzle>::Instance,
    &[u8],
    u64,
    IsStopped<'_>,
) -> Result<Result<Claim, Refusal>, SolveError>;

type EditInstance<P> =
    fn(&<P as Puzzle>::Instance, &str, &[Cell]) -> Result<<P as Puzzle>::Instance, String>;

type BlankInstance<P> =
    fn(&<P as Puzzle>::Instance, usize, usize) -> Result<<P as Puzzle>::Instance, String>;

pub(crate) struct EditWith<P: Puzzle> {
    pub(crate) brushes: &'static [Brush],
    pub(crate) edit: EditInstance<P>,
    pub(crate) blank: BlankInstance<P>,
}

type ReadTimeline<P> = fn(&<P as Puzzle>::Instance, &[Line<'_>]) -> Parsed<Vec<Move<P>>>;

pub(crate) struct TimelineWith<P: Puzzle> {
    pub(crate) write: fn(&P::Instance, &Replayed<P::Instance>) -> String,
    pub(crate) read: ReadTimeline<P>,
}

type ListPlans<P> =
    fn(
        &<P as Puzzle>::Instance,
        usize,
        &Budget,
    ) -> Result<Outcome<ShortestPlans<Verified<<P as Puzzle>::Instance>>>, SolveError>;

type MeasureDifficulty<P> =
    fn(&<P as Puzzle>::Instance, &Budget) -> Result<Option<Difficulty>, SolveError>;

pub(crate) struct RankWith<P: Puzzle> {
    pub(crate) difficulty: MeasureDifficulty<P>,
    pub(crate) published: fn(&P::Instance) -> Option<Published>,
}

type DetailsOf<P> = for<'a> fn(
    &'a <P as Puzzle>::Instance,
    &'a Verified<<P as Puzzle>::Instance>,
) -> Box<dyn erased_serde::Serialize + 'a>;

pub(crate) struct DetailWith<P: Puzzle> {
    pub(crate) schema: fn() -> serde_json::Value,
    pub(crate) details: DetailsOf<P>,
}

type ComputeDiameter<P> =
    fn(&<P as Puzzle>::Instance, &Budget, &mut dyn FnMut(Progress)) -> Result<Diameter, SolveError>;

type ExploreAll<P> =
    fn(&<P as Puzzle>::Instance, &Budget, OnLayer<'_>) -> Result<Explored, SolveError>;

pub(crate) struct ExploreWith<P: Puzzle> {
    pub(crate) verb: ExploreVerb,
    pub(crate) explore: ExploreAll<P>,
    pub(crate) graph: fn(&P::Instance, &Budget) -> Result<BoardGraph, SolveError>,
    pub(crate) diameter: ComputeDiameter<P>,
}

type GenerateAny<I> =
    fn(Option<&I>, OptionSource<'_>, &dyn WorkContext, Emit<'_, I>) -> Result<Generated, WorkError>;

pub(crate) struct GenerateWith<P: Puzzle> {
    pub(crate) verb: GenerateVerb,
    #[cfg(feature = "clap")]
    pub(crate) arguments: fn(clap::Command) -> clap::Command,
    pub(crate) generate: GenerateAny<P::Instance>,
    pub(crate) text: fn(&P::Instance) -> String,
}

pub(crate) struct ConvertWith<P: Puzzle> {
    pub(crate) verb: ConvertVerb,
    pub(crate) convert: fn(&P::Instance, &Notation) -> Option<String>,
    pub(crate) size: fn(&P::Instance) -> Option<String>,
}

type ListSmaller<I> = fn(&I, Option<&Verified<I>>) -> Vec<I>;

type CheckAnswer<I> = fn(&I, Option<u32>, &mut AnswerText<'_>) -> Result<(), WrongAnswer>;

pub(crate) struct JudgeWith<P: Puzzle> {
    pub(crate) verb: JudgeVerb,
    pub(crate) check_number: fn(Option<u32>, &mut AnswerText<'_>) -> Result<(), WrongAnswer>,
    pub(crate) check: CheckAnswer<P::Instance>,
    pub(crate) smaller: ListSmaller<P::Instance>,
    pub(crate) random: fn(&mut Random) -> P::Instance,
    pub(crate) broken_guarantees: fn(&P::Instance, bool) -> Vec<&'static str>,
}

/// A row of a census: it serializes to JSON.
pub trait CensusRow: erased_serde::Serialize {
    /// The row as the fields of the columns.
    fn fields(&self) -> Vec<String>;
}

struct RowOf<'a, P: Census>(&'a P::CensusOptions, &'a P::Row);

impl<P: Census> Serialize for RowOf<'_, P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.1.serialize(serializer)
    }
}

impl<P: Census> CensusRow for RowOf<'_, P> {
    fn fields(&self) -> Vec<String> {
        P::fields(self.0, self.1)
    }
}

type CensusAny = fn(
    OptionSource<'_>,
    &dyn WorkContext,
    &mut dyn FnMut(&dyn CensusRow) -> io::Result<()>,
) -> Result<String, WorkError>;

pub(crate) struct CensusWith {
    pub(crate) verb: CensusVerb,
    #[cfg(feature = "clap")]
    pub(crate) arguments: fn(clap::Command) -> clap::Command,
    pub(crate) row_schema: fn() -> serde_json::Value,
    pub(crate) columns: fn(OptionSource<'_>) -> Result<Vec<&'static str>, OptionsError>,
    pub(crate) census: CensusAny,
}

impl<P: Puzzle> Capabilities<P> {
    /// No capability.
    pub fn none() -> Self {
        Self {
            count_plans: None,
            detail: None,
            explore: None,
            generate: None,
            convert: None,
            rank: None,
            census: None,
            judge: None,
            timeline: None,
            edit: None,
            certify: None,
        }
    }

    /// Adds [`CountPlans`].
    #[must_use]
    pub fn count_plans(self) -> Self
    where
        P: CountPlans,
    {
        Self { count_plans: Some(P::list_shortest_plans), ..self }
    }

    /// Adds [`Detail`].
    #[must_use]
    pub fn detail(self) -> Self
    where
        P: Detail,
    {
        let detail = DetailWith {
            schema: schema_of::<P::Details<'_>>,
            details: |instance, plan| Box::new(P::details(instance, plan)),
        };
        Self { detail: Some(detail), ..self }
    }

    /// Adds [`Explore`].
    #[must_use]
    pub fn explore(self) -> Self
    where
        P: Explore,
    {
        let verb = <P as Explore>::VERB;
        let (explore, graph, diameter) = (P::explore, P::graph, P::diameter);
        Self { explore: Some(ExploreWith { verb, explore, graph, diameter }), ..self }
    }

    /// Adds [`Certify`].
    #[must_use]
    pub fn certify(self) -> Self
    where
        P: Certify,
    {
        let check: CheckFile<P> = |instance, file, memory, is_stopped| {
            Ok(fewest_certificate::check(&P::boards(instance)?, file, memory, is_stopped))
        };
        Self { certify: Some(CertifyWith { certify: certify::certify::<P>, check }), ..self }
    }

    /// Adds [`Generate`].
    #[must_use]
    pub fn generate(self) -> Self
    where
        P: Generate,
    {
        let generate: GenerateAny<P::Instance> = |base, given, work, emit| {
            P::generate(base, &given.options::<P::GenerateOptions>()?, work, emit)
        };
        let generate = GenerateWith {
            verb: <P as Generate>::VERB,
            #[cfg(feature = "clap")]
            arguments: crate::options::add_arguments::<P::GenerateOptions>,
            generate,
            text: P::text,
        };
        Self { generate: Some(generate), ..self }
    }

    /// Adds [`Convert`].
    #[must_use]
    pub fn convert(self) -> Self
    where
        P: Convert,
    {
        let verb = <P as Convert>::VERB;
        Self { convert: Some(ConvertWith { verb, convert: P::convert, size: P::size }), ..self }
    }

    /// Adds [`Timeline`].
    #[must_use]
    pub fn timeline(self) -> Self
    where
        P: Timeline,
    {
        Self {
            timeline: Some(TimelineWith { write: P::write_timeline, read: P::read_timeline }),
            ..self
        }
    }

    /// The same with [`Edit`].
    #[must_use]
    pub fn edit(self) -> Self
    where
        P: Edit,
    {
        Self {
            edit: Some(EditWith { brushes: P::BRUSHES, edit: P::edit, blank: P::blank }),
            ..self
        }
    }

    /// Adds [`Judge`].
    #[must_use]
    pub fn judge(self) -> Self
    where
        P: Judge,
    {
        let judge = JudgeWith {
            verb: JudgeVerb {
                end: P::END,
                separator: P::SEPARATOR,
                has_statement: P::HAS_STATEMENT,
            },
            check_number: |fewest, answer| judge::check_number::<P>(fewest, answer).map(drop),
            check: P::check,
            smaller: P::smaller,
            random: P::random,
            broken_guarantees: P::broken_guarantees,
        };
        Self { judge: Some(judge), ..self }
    }

    /// Adds [`Rank`].
    #[must_use]
    pub fn rank(self) -> Self
    where
        P: Rank,
    {
        Self { rank: Some(RankWith { difficulty: P::difficulty, published: P::published }), ..self }
    }

    /// Adds [`Census`].
    #[must_use]
    pub fn census(self) -> Self
    where
        P: Census,
    {
        let census: CensusAny = |given, work, emit| {
            let options = given.options::<P::CensusOptions>()?;
            P::census(&options, work, &mut |row| emit(&RowOf::<P>(&options, &row)))
        };
        let census = CensusWith {
            verb: <P as Census>::VERB,
            #[cfg(feature = "clap")]
            arguments: crate::options::add_arguments::<P::CensusOptions>,
            row_schema: schema_of::<P::Row>,
            columns: |given| Ok(P::columns(&given.options::<P::CensusOptions>()?)),
            census,
        };
        Self { census: Some(census), ..self }
    }
}
