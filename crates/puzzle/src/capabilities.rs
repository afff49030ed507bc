//! What only some puzzles offer. A program has a verb for a puzzle if and only if the puzzle has the
//! capability.

use std::io;

use fewest_core::budget::{Budget, Limit, Limits};
use fewest_core::explore::diameter::{Diameter, Progress};
use fewest_core::outcome::Outcome;
use fewest_core::search::all_shortest::ShortestPlans;
use fewest_rules::Verified;
use schemars::JsonSchema;
use serde::Serialize;

use crate::error::SolveError;
use crate::explore::{BoardGraph, Explored};
use crate::options::{Given, Options, OptionsError};
use crate::puzzle::Puzzle;
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
    /// One line for help.
    const ABOUT: &'static str = "Explore all boards that can be reached from the start";
    /// What the cost of a shortest plan is called in reports; `None` if it is left out.
    const COST: Option<&'static str> = Some("shortest plan");
    /// Whether every move can be undone, so that boards have a [diameter](Self::diameter).
    const UNDIRECTED: bool = false;

    /// Counts the boards by their distance from the start.
    ///
    /// # Errors
    /// If the instance is not supported.
    fn explore(instance: &Self::Instance, budget: &Budget) -> Result<Explored, SolveError>;

    /// All boards, and the moves between them.
    ///
    /// # Errors
    /// If the instance is not supported, or a limit stopped the exploration.
    fn graph(instance: &Self::Instance, budget: &Budget) -> Result<BoardGraph, SolveError>;

    /// The greatest and the least eccentricity of all boards. `progress` is called now and then.
    ///
    /// # Errors
    /// If a limit stopped the search, or if moves cannot be [undone](Self::UNDIRECTED).
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

/// Instances can be generated.
pub trait Generate: Puzzle {
    /// One line for help.
    const ABOUT: &'static str;
    /// More lines for help.
    const LONG_ABOUT: &'static str;
    /// The help of the instance that the generated ones are like; `None` if they need none.
    const BASE: Option<&'static str> = None;
    /// The singular noun for what is generated.
    const NOUN: &'static str;
    /// What is between two texts of generated instances.
    const SEPARATOR: &'static str = "";

    /// What to generate.
    type GenerateOptions: Options;

    /// Generates instances, and passes each to `emit` with its fewest moves if they are known.
    /// `limits` are for the whole work.
    ///
    /// # Errors
    /// If the options allow no instance; an error of `emit`.
    fn generate(
        base: Option<&Self::Instance>,
        options: &Self::GenerateOptions,
        limits: Limits,
        work: &dyn Work,
        emit: Emit<'_, Self::Instance>,
    ) -> Result<Generated, WorkError>;
}

/// Instances can be written in several notations.
pub trait Convert: Puzzle {
    /// The names of the notations, each with what is between two texts in it, and with what it is
    /// called in messages.
    const NOTATIONS: &'static [Notation];
    /// The help of the choice.
    const HELP: &'static str;
    /// One line for help.
    const ABOUT: &'static str;

    /// The instance in a notation, given by its index. `None` if it cannot be written in it without
    /// loss.
    fn convert(instance: &Self::Instance, notation: usize) -> Option<String>;

    /// The size of an instance, where a notation does not contain it.
    fn size(_: &Self::Instance) -> Option<String> {
        None
    }
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
    /// One line for help.
    const ABOUT: &'static str;
    /// More lines for help.
    const LONG_ABOUT: &'static str;
    /// The singular noun for what is counted while the work runs.
    const NOUN: &'static str;

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
        limits: Limits,
        work: &dyn Work,
        emit: &mut dyn FnMut(Self::Row) -> io::Result<()>,
    ) -> Result<String, WorkError>;
}

/// What a program offers to work that takes long.
pub trait Work: Sync {
    /// A budget that an interrupt of the program cancels.
    fn budget(&self, limits: Limits) -> Budget;
    /// Whether the program was interrupted.
    fn is_interrupted(&self) -> bool;
    /// This number of items is done.
    fn add_done(&self, items: u64);
    /// There are this number of items.
    fn set_total(&self, items: u64);
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

/// How work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It is complete.
    Complete,
    /// It is proved that there is nothing to be found.
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
    pub(crate) rank: Option<MeasureDifficulty<P>>,
    pub(crate) census: Option<CensusWith>,
}

type ListPlans<P> = fn(
    &<P as Puzzle>::Instance,
    usize,
    &Budget,
) -> Result<Outcome<ShortestPlans<Verified<<P as Puzzle>::Instance>>>, SolveError>;

type MeasureDifficulty<P> =
    fn(&<P as Puzzle>::Instance, &Budget) -> Result<Option<Difficulty>, SolveError>;

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

pub(crate) struct ExploreWith<P: Puzzle> {
    pub(crate) verb: ExploreVerb,
    pub(crate) explore: fn(&P::Instance, &Budget) -> Result<Explored, SolveError>,
    pub(crate) graph: fn(&P::Instance, &Budget) -> Result<BoardGraph, SolveError>,
    pub(crate) diameter: ComputeDiameter<P>,
}

/// The verb `explore` of a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct ExploreVerb {
    /// [`Explore::ABOUT`]
    pub about: &'static str,
    /// [`Explore::COST`]
    pub cost: Option<&'static str>,
    /// [`Explore::UNDIRECTED`]
    pub undirected: bool,
}

type GenerateAny<I> =
    fn(Option<&I>, Given<'_>, Limits, &dyn Work, Emit<'_, I>) -> Result<Generated, WorkError>;

pub(crate) struct GenerateWith<P: Puzzle> {
    pub(crate) verb: GenerateVerb,
    pub(crate) generate: GenerateAny<P::Instance>,
}

/// The verb `generate` of a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct GenerateVerb {
    /// [`Generate::ABOUT`]
    pub about: &'static str,
    /// [`Generate::LONG_ABOUT`]
    pub long_about: &'static str,
    /// [`Generate::BASE`]
    pub base: Option<&'static str>,
    /// [`Generate::NOUN`]
    pub noun: &'static str,
    /// [`Generate::SEPARATOR`]
    pub separator: &'static str,
    /// Adds the options to a command.
    #[cfg(feature = "clap")]
    pub arguments: fn(clap::Command) -> clap::Command,
}

pub(crate) struct ConvertWith<P: Puzzle> {
    pub(crate) verb: ConvertVerb,
    pub(crate) convert: fn(&P::Instance, usize) -> Option<String>,
    pub(crate) size: fn(&P::Instance) -> Option<String>,
}

/// The verb `convert` of a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct ConvertVerb {
    /// [`Convert::ABOUT`]
    pub about: &'static str,
    /// [`Convert::HELP`]
    pub help: &'static str,
    /// [`Convert::NOTATIONS`]
    pub notations: &'static [Notation],
}

/// The fields of a row of a census, and the row as JSON.
pub type CensusRow = (Vec<String>, serde_json::Value);

type CensusAny = fn(
    Given<'_>,
    Limits,
    &dyn Work,
    &mut dyn FnMut(CensusRow) -> io::Result<()>,
) -> Result<String, WorkError>;

pub(crate) struct CensusWith {
    pub(crate) verb: CensusVerb,
    pub(crate) row_schema: fn() -> serde_json::Value,
    pub(crate) columns: fn(Given<'_>) -> Result<Vec<&'static str>, OptionsError>,
    pub(crate) census: CensusAny,
}

/// The verb `census` of a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct CensusVerb {
    /// [`Census::ABOUT`]
    pub about: &'static str,
    /// [`Census::LONG_ABOUT`]
    pub long_about: &'static str,
    /// [`Census::NOUN`]
    pub noun: &'static str,
    /// Adds the options to a command.
    #[cfg(feature = "clap")]
    pub arguments: fn(clap::Command) -> clap::Command,
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
        let verb = ExploreVerb { about: P::ABOUT, cost: P::COST, undirected: P::UNDIRECTED };
        let (explore, graph, diameter) = (P::explore, P::graph, P::diameter);
        Self { explore: Some(ExploreWith { verb, explore, graph, diameter }), ..self }
    }

    /// Adds [`Generate`].
    #[must_use]
    pub fn generate(self) -> Self
    where
        P: Generate,
    {
        let verb = GenerateVerb {
            about: <P as Generate>::ABOUT,
            long_about: <P as Generate>::LONG_ABOUT,
            base: P::BASE,
            noun: <P as Generate>::NOUN,
            separator: P::SEPARATOR,
            #[cfg(feature = "clap")]
            arguments: crate::options::add_arguments::<P::GenerateOptions>,
        };
        let generate: GenerateAny<P::Instance> = |base, given, limits, work, emit| {
            P::generate(base, &given.options::<P::GenerateOptions>()?, limits, work, emit)
        };
        Self { generate: Some(GenerateWith { verb, generate }), ..self }
    }

    /// Adds [`Convert`].
    #[must_use]
    pub fn convert(self) -> Self
    where
        P: Convert,
    {
        let verb =
            ConvertVerb { about: <P as Convert>::ABOUT, help: P::HELP, notations: P::NOTATIONS };
        Self { convert: Some(ConvertWith { verb, convert: P::convert, size: P::size }), ..self }
    }

    /// Adds [`Rank`].
    #[must_use]
    pub fn rank(self) -> Self
    where
        P: Rank,
    {
        Self { rank: Some(P::difficulty), ..self }
    }

    /// Adds [`Census`].
    #[must_use]
    pub fn census(self) -> Self
    where
        P: Census,
    {
        let verb = CensusVerb {
            about: <P as Census>::ABOUT,
            long_about: <P as Census>::LONG_ABOUT,
            noun: <P as Census>::NOUN,
            #[cfg(feature = "clap")]
            arguments: crate::options::add_arguments::<P::CensusOptions>,
        };
        let census: CensusAny = |given, limits, work, emit| {
            let options = given.options::<P::CensusOptions>()?;
            P::census(&options, limits, work, &mut |row| {
                let json = serde_json::to_value(&row).map_err(io::Error::from)?;
                emit((P::fields(&options, &row), json))
            })
        };
        let columns = |given: Given<'_>| Ok(P::columns(&given.options::<P::CensusOptions>()?));
        Self {
            census: Some(CensusWith { verb, row_schema: schema_of::<P::Row>, columns, census }),
            ..self
        }
    }
}
