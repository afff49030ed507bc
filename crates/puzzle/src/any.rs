//! Puzzles by name: the object-safe form of [`Puzzle`], for programs that know puzzles only through
//! a list of them.
//!
//! Only [`of`] creates it. So each [`AnyPlan`] was replayed by the rules, and belongs to its
//! instance.

use std::any::Any;
use std::borrow::Cow;
use std::io;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::Arc;

use fewest_certificate::{Claim, IsStopped, Refusal};
use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::diameter::{Diameter, Progress};
use fewest_core::outcome::Outcome;
use fewest_core::search::all_shortest::ShortestPlans;
use fewest_core::search::{Answer, Engine};
use fewest_geometry::Cell;
use fewest_rules::text::{Diagnostic, Line};
use fewest_rules::{Replayed, Rules, Verified, replay, verify};
use fewest_scene::{Animation, Limits as DrawLimits};

use crate::builtin::{Builtin, Listed};
use crate::capabilities::{
    Brush, CensusRow, CensusVerb, ConvertVerb, Difficulty, ExploreVerb, GenerateVerb, Generated,
    JudgeVerb, Offers, Published, WorkContext, WorkError,
};
use crate::certify::{Certified, Subject};
use crate::error::{PictureError, PlanError, SolveError};
use crate::explore::{BoardGraph, Explored, OnLayer};
use crate::judge::{AnswerText, WrongAnswer};
#[cfg(feature = "clap")]
use crate::options::add_arguments;
use crate::options::{OptionSource, OptionsError};
use crate::puzzle::{Info, Move, Push, Puzzle, TextError};
use crate::random::Random;

mod sealed {
    pub trait Sealed {}

    impl<P> Sealed for super::Of<P> {}
    impl<P: super::Puzzle> Sealed for super::Reader<P> {}
    impl<P: super::Puzzle> Sealed for super::Loaded<P> {}
    impl<P: super::Puzzle, M: Clone> Sealed for super::Plan<'_, P, M> {}
    impl<P: super::Puzzle> Sealed for super::Plans<P> {}
}

use sealed::Sealed;

/// A puzzle, by [`of`].
pub trait AnyPuzzle: Sealed + Sync {
    /// What is known of the puzzle without an instance.
    fn info(&self) -> &'static Info;

    /// [`Puzzle::listed`]
    fn listed(&self, builtin: &Builtin) -> Listed;

    /// [`Puzzle::is_inline`]
    fn is_inline(&self, text: &str) -> bool;

    /// Adds the options of instances to a command.
    #[cfg(feature = "clap")]
    fn arguments(&self, command: clap::Command) -> clap::Command;

    /// Adds the options of pictures to a command.
    #[cfg(feature = "clap")]
    fn picture_arguments(&self, command: clap::Command) -> clap::Command;

    /// A reader of instances with these options.
    ///
    /// # Errors
    /// If the options are not valid.
    fn reader(&self, options: OptionSource<'_>) -> Result<Box<dyn AnyReader>, OptionsError>;

    /// [`Edit::BRUSHES`](crate::capabilities::Edit::BRUSHES); none if instances cannot be edited.
    fn brushes(&self) -> &'static [Brush];

    /// Which verbs the puzzle has.
    fn verbs(&self) -> Verbs;

    /// The JSON schemas of the [details](crate::capabilities::Detail) of a plan, and of a row of
    /// the census.
    fn schemas(&self) -> [Option<serde_json::Value>; 2];

    /// Adds the options of [`generate`](Self::generate) to a command.
    #[cfg(feature = "clap")]
    fn generate_arguments(&self, command: clap::Command) -> clap::Command;

    /// Generates instances as [`Generate`](crate::capabilities::Generate), and passes their texts
    /// to `emit`.
    ///
    /// # Errors
    /// The same, or if the puzzle cannot generate.
    fn generate(
        &self,
        base: Option<&dyn AnyInstance>,
        options: OptionSource<'_>,
        work: &dyn WorkContext,
        emit: &mut dyn FnMut(String, Option<u32>) -> io::Result<()>,
    ) -> Result<Generated, WorkError>;

    /// [`Judge::random`](crate::capabilities::Judge::random); `None` if the puzzle cannot judge.
    fn random_instance(&self, random: &mut Random) -> Option<Arc<dyn AnyInstance>>;

    /// Adds the options of [`census`](Self::census) to a command.
    #[cfg(feature = "clap")]
    fn census_arguments(&self, command: clap::Command) -> clap::Command;

    /// The columns of [`census`](Self::census).
    ///
    /// # Errors
    /// If the options are not valid.
    fn census_columns(&self, options: OptionSource<'_>) -> Result<Vec<&'static str>, OptionsError>;

    /// Lists all instances as [`Census`](crate::capabilities::Census).
    ///
    /// # Errors
    /// The same, or if the puzzle has no census.
    fn census(
        &self,
        options: OptionSource<'_>,
        work: &dyn WorkContext,
        emit: &mut dyn FnMut(&dyn CensusRow) -> io::Result<()>,
    ) -> Result<String, WorkError>;
}

/// The verbs that only some puzzles have.
#[derive(Clone, Copy, Debug)]
pub struct Verbs {
    /// Whether all shortest plans can be counted.
    pub count_plans: bool,
    /// `explore`
    pub explore: Option<ExploreVerb>,
    /// `generate`
    pub generate: Option<GenerateVerb>,
    /// `convert`
    pub convert: Option<ConvertVerb>,
    /// Whether there is `rank`.
    pub rank: bool,
    /// `census`
    pub census: Option<CensusVerb>,
    /// `judge`
    pub judge: Option<JudgeVerb>,
    /// Whether plans can be written as positions.
    pub timeline: bool,
    /// Whether there are `certify` and `check`.
    pub certify: bool,
}

/// A puzzle with options.
pub trait AnyReader: Sealed + Send + Sync {
    /// [`Puzzle::second_texts`]
    fn second_texts(&self) -> &[PathBuf];

    /// [`Puzzle::first_text`]
    fn first_text(&self, second: &[u8]) -> Option<String>;

    /// The instances of a text, in order. An error ends the text.
    fn read<'a>(
        &'a self,
        text: &'a [u8],
    ) -> Box<dyn Iterator<Item = Result<Arc<dyn AnyInstance>, Diagnostic>> + 'a>;

    /// [`Puzzle::read_two`]
    fn read_two(&self, text: &[u8], second: &[u8]) -> Vec<Result<Arc<dyn AnyInstance>, TextError>>;
}

/// An instance of a puzzle, with the options that it was read with.
pub trait AnyInstance: Sealed + Any + Send + Sync {
    /// The text of the instance.
    fn text(&self) -> String;

    /// [`Puzzle::board`]
    fn board(&self) -> Option<String>;

    /// [`Puzzle::drawing`]
    fn drawing(&self) -> String;

    /// [`Puzzle::note`]
    fn note(&self) -> Option<String>;

    /// [`Puzzle::by_hand`], as a line of a plan.
    fn by_hand(&self, pushes: &[Push]) -> Option<String>;

    /// [`Edit::edit`](crate::capabilities::Edit::edit)
    ///
    /// # Errors
    /// The same, or if instances cannot be edited.
    fn edit(&self, brush: &str, cells: &[Cell]) -> Result<Arc<dyn AnyInstance>, String>;

    /// [`Edit::blank`](crate::capabilities::Edit::blank)
    ///
    /// # Errors
    /// The same, or if instances cannot be edited.
    fn blank(&self, rows: usize, columns: usize) -> Result<Arc<dyn AnyInstance>, String>;

    /// [`Puzzle::unit`]
    fn unit(&self) -> [&'static str; 2];

    /// [`Puzzle::part`]
    fn part(&self) -> usize;

    /// [`Puzzle::max_shapes`]
    fn max_shapes(&self) -> usize;

    /// The board, ready to be drawn.
    ///
    /// # Errors
    /// If the options of pictures are not valid, or a limit is exceeded.
    fn animation(
        &self,
        pictures: OptionSource<'_>,
        limits: &DrawLimits<'_>,
    ) -> Result<Animation<'_>, PictureError>;

    /// [`Puzzle::solve`]
    ///
    /// # Errors
    /// The same.
    fn solve(
        self: Arc<Self>,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<Box<dyn AnyPlan>>, SolveError>;

    /// [`Puzzle::solve_cost`]
    ///
    /// # Errors
    /// The same.
    fn solve_cost(&self, engine: Option<Engine>, budget: &Budget)
    -> Result<Answer<()>, SolveError>;

    /// Reads a plan, as moves or as a [timeline](crate::capabilities::Timeline), and replays it by
    /// the rules.
    ///
    /// # Errors
    /// If a line is not of this form, or the rules refuse the plan.
    fn verify(
        self: Arc<Self>,
        lines: &[Line<'_>],
        form: PlanForm,
    ) -> Result<Box<dyn AnyPlan>, PlanError>;

    /// As [`verify`](Self::verify), for a plan that may stop before the puzzle is solved.
    ///
    /// # Errors
    /// The same.
    fn replay(
        self: Arc<Self>,
        lines: &[Line<'_>],
        form: PlanForm,
    ) -> Result<Box<dyn AnyReplay>, PlanError>;

    /// [`CountPlans::list_shortest_plans`](crate::capabilities::CountPlans::list_shortest_plans)
    ///
    /// # Errors
    /// The same, or if the puzzle cannot count plans.
    fn list_shortest_plans(
        self: Arc<Self>,
        max_plans: usize,
        budget: &Budget,
    ) -> Result<Outcome<Box<dyn AnyPlans>>, SolveError>;

    /// [`Explore::explore`](crate::capabilities::Explore::explore)
    ///
    /// # Errors
    /// The same, or if the puzzle cannot be explored.
    fn explore(&self, budget: &Budget, on_layer: OnLayer<'_>) -> Result<Explored, SolveError>;

    /// [`Explore::graph`](crate::capabilities::Explore::graph)
    ///
    /// # Errors
    /// The same, or if the puzzle cannot be explored.
    fn graph(&self, budget: &Budget) -> Result<BoardGraph, SolveError>;

    /// [`Explore::diameter`](crate::capabilities::Explore::diameter)
    ///
    /// # Errors
    /// The same, or if the puzzle cannot be explored.
    fn diameter(
        &self,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Diameter, SolveError>;

    /// Makes a certificate by [`Certify`](crate::capabilities::Certify), which was checked.
    ///
    /// # Errors
    /// If there is no answer within the budget, or the puzzle cannot be certified.
    fn certify(&self, subject: Subject, budget: &Budget) -> Result<Certified, SolveError>;

    /// Checks a certificate by the rules, in at most `memory` bytes. It asks `is_stopped` again and
    /// again.
    ///
    /// # Errors
    /// If the puzzle or the instance cannot be certified.
    fn check(
        &self,
        file: &[u8],
        memory: u64,
        is_stopped: IsStopped<'_>,
    ) -> Result<Result<Claim, Refusal>, SolveError>;

    /// [`Convert::convert`](crate::capabilities::Convert::convert); `None` also if the puzzle has
    /// no notation of this name.
    fn convert(&self, notation: &str) -> Option<String>;

    /// [`Convert::size`](crate::capabilities::Convert::size)
    fn size(&self) -> Option<String>;

    /// [`Rank::difficulty`](crate::capabilities::Rank::difficulty)
    ///
    /// # Errors
    /// The same, or if the puzzle has no measure of difficulty.
    fn difficulty(&self, budget: &Budget) -> Result<Option<Difficulty>, SolveError>;

    /// [`Rank::published`](crate::capabilities::Rank::published)
    fn published(&self) -> Option<Published>;

    /// Checks the answer of another program as [`Judge::check`](crate::capabilities::Judge::check),
    /// or only the number of moves.
    ///
    /// # Errors
    /// The same. A puzzle that cannot judge accepts every answer.
    fn check_answer(
        &self,
        fewest: Option<u32>,
        count_only: bool,
        answer: &mut AnswerText<'_>,
    ) -> Result<(), WrongAnswer>;

    /// [`Judge::broken_guarantees`](crate::capabilities::Judge::broken_guarantees)
    fn broken_guarantees(&self, has_plan: bool) -> Vec<&'static str>;

    /// [`Judge::smaller`](crate::capabilities::Judge::smaller) for an instance without a plan. Empty
    /// if the puzzle cannot judge.
    fn smaller(&self) -> Vec<Arc<dyn AnyInstance>>;
}

/// How a plan is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanForm {
    /// A move on each line.
    Moves,
    /// What all pieces are on at each time: [`Timeline`](crate::capabilities::Timeline).
    Timeline,
}

/// Moves that the rules have accepted, with their instance. The puzzle may not be solved after them.
pub trait AnyReplay: Sealed + Send + Sync {
    /// The number of moves.
    fn len(&self) -> usize;

    /// Whether there are no moves.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The move with this index as a line.
    ///
    /// # Panics
    /// If there is no such move.
    fn line(&self, index: usize) -> String;

    /// The moves as lines.
    fn lines(&self) -> Box<dyn Iterator<Item = String> + '_>;

    /// [`Puzzle::animation`]
    ///
    /// # Errors
    /// The same, or if the options of pictures are not valid.
    fn animation(
        &self,
        pictures: OptionSource<'_>,
        limits: &DrawLimits<'_>,
    ) -> Result<Animation<'_>, PictureError>;

    /// What is missing after the last move; `None` if the puzzle is solved.
    fn unsolved(&self) -> Option<String>;

    /// [`Rules::moves`] after the last move, as lines of a plan.
    fn legal_moves(&self) -> Vec<String>;

    /// The instance that starts after the last move; `None` if none can start there.
    fn rest(&self) -> Option<Arc<dyn AnyInstance>>;
}

/// A plan that the rules have verified, with its instance.
pub trait AnyPlan: AnyReplay {
    /// [`Puzzle::write_contest`]
    ///
    /// # Errors
    /// The same.
    fn write_contest(&self, out: &mut dyn io::Write) -> io::Result<()>;

    /// [`Judge::smaller`](crate::capabilities::Judge::smaller) for the instance of this plan. Empty
    /// if the puzzle cannot judge.
    fn smaller(&self) -> Vec<Arc<dyn AnyInstance>>;

    /// The first `count` moves, or all if there are fewer.
    fn first_moves(&self, count: usize) -> Box<dyn AnyReplay>;

    /// [`Timeline::write`](crate::capabilities::Timeline::write_timeline); `None` if the puzzle has no
    /// timelines.
    fn timeline(&self) -> Option<String>;

    /// [`Detail::details`](crate::capabilities::Detail::details); `None` if the puzzle has none.
    fn details(&self) -> Option<Box<dyn erased_serde::Serialize + '_>>;
}

/// The number of all shortest plans, and a list of the first of them.
///
/// The plans are kept as the search made them, as their number is what takes memory.
pub trait AnyPlans: Sealed + Send + Sync {
    /// [`ShortestPlans::count`]
    fn count(&self) -> Option<u128>;

    /// [`ShortestPlans::limit`]
    fn limit(&self) -> Option<Limit>;

    /// [`ShortestPlans::plan_bytes`]
    fn plan_bytes(&self) -> u64;

    /// The number of listed plans.
    fn listed(&self) -> usize;

    /// The first listed plan.
    fn first(&self) -> Option<Box<dyn AnyPlan>>;

    /// Iterates over the listed plans.
    fn iter(&self) -> Box<dyn Iterator<Item = Box<dyn AnyPlan + '_>> + '_>;
}

/// The object-safe form of a puzzle.
pub const fn of<P: Offers>() -> &'static dyn AnyPuzzle {
    &Of::<P>(PhantomData)
}

struct Of<P>(PhantomData<fn() -> P>);

struct Reader<P: Puzzle>(P::Options);

struct Loaded<P: Puzzle>(P::Instance);

/// `M` is what is known of the moves.
struct Plan<'a, P: Puzzle, M: Clone> {
    of: Arc<Loaded<P>>,
    moves: Cow<'a, M>,
}

struct Plans<P: Puzzle> {
    of: Arc<Loaded<P>>,
    shortest: ShortestPlans<Verified<P::Instance>>,
}

fn missing(info: &Info, verb: &str) -> SolveError {
    SolveError::unsupported(format!("{} has no `{verb}`", info.name))
}

impl<P: Offers> AnyPuzzle for Of<P> {
    fn info(&self) -> &'static Info {
        const { &P::INFO }
    }

    fn listed(&self, builtin: &Builtin) -> Listed {
        P::listed(builtin)
    }

    fn is_inline(&self, text: &str) -> bool {
        P::is_inline(text)
    }

    #[cfg(feature = "clap")]
    fn arguments(&self, command: clap::Command) -> clap::Command {
        add_arguments::<P::Options>(command)
    }

    #[cfg(feature = "clap")]
    fn picture_arguments(&self, command: clap::Command) -> clap::Command {
        add_arguments::<P::PictureOptions>(command)
    }

    fn reader(&self, options: OptionSource<'_>) -> Result<Box<dyn AnyReader>, OptionsError> {
        Ok(Box::new(Reader::<P>(options.options()?)))
    }

    fn brushes(&self) -> &'static [Brush] {
        P::capabilities().edit.map_or(&[], |edit| edit.brushes)
    }

    fn verbs(&self) -> Verbs {
        let all = P::capabilities();
        Verbs {
            count_plans: all.count_plans.is_some(),
            explore: all.explore.map(|explore| explore.verb),
            generate: all.generate.map(|generate| generate.verb),
            convert: all.convert.map(|convert| convert.verb),
            rank: all.rank.is_some(),
            census: all.census.map(|census| census.verb),
            judge: all.judge.map(|judge| judge.verb),
            timeline: all.timeline.is_some(),
            certify: all.certify.is_some(),
        }
    }

    fn schemas(&self) -> [Option<serde_json::Value>; 2] {
        let all = P::capabilities();
        [all.detail.map(|detail| (detail.schema)()), all.census.map(|census| (census.row_schema)())]
    }

    #[cfg(feature = "clap")]
    fn generate_arguments(&self, command: clap::Command) -> clap::Command {
        match P::capabilities().generate {
            Some(all) => (all.arguments)(command),
            None => command,
        }
    }

    fn generate(
        &self,
        base: Option<&dyn AnyInstance>,
        options: OptionSource<'_>,
        work: &dyn WorkContext,
        emit: &mut dyn FnMut(String, Option<u32>) -> io::Result<()>,
    ) -> Result<Generated, WorkError> {
        let generate = P::capabilities().generate.ok_or_else(|| missing(&P::INFO, "generate"))?;
        let other = || SolveError::unsupported("the instance is of another puzzle");
        let base = base.map(|base| (base as &dyn Any).downcast_ref().ok_or_else(other));
        let base = base.transpose()?.map(|Loaded::<P>(instance)| instance);
        (generate.generate)(base, options, work, &mut |instance, cost| {
            emit((generate.text)(instance), cost)
        })
    }

    fn random_instance(&self, random: &mut Random) -> Option<Arc<dyn AnyInstance>> {
        let judge = P::capabilities().judge?;
        Some(Arc::new(Loaded::<P>((judge.random)(random))))
    }

    #[cfg(feature = "clap")]
    fn census_arguments(&self, command: clap::Command) -> clap::Command {
        match P::capabilities().census {
            Some(all) => (all.arguments)(command),
            None => command,
        }
    }

    fn census_columns(&self, options: OptionSource<'_>) -> Result<Vec<&'static str>, OptionsError> {
        P::capabilities().census.map_or(Ok(Vec::new()), |census| (census.columns)(options))
    }

    fn census(
        &self,
        options: OptionSource<'_>,
        work: &dyn WorkContext,
        emit: &mut dyn FnMut(&dyn CensusRow) -> io::Result<()>,
    ) -> Result<String, WorkError> {
        let census = P::capabilities().census.ok_or_else(|| missing(&P::INFO, "census"))?;
        (census.census)(options, work, emit)
    }
}

impl<P: Offers> AnyReader for Reader<P> {
    fn second_texts(&self) -> &[PathBuf] {
        P::second_texts(&self.0)
    }

    fn first_text(&self, second: &[u8]) -> Option<String> {
        P::first_text(second)
    }

    fn read<'a>(
        &'a self,
        text: &'a [u8],
    ) -> Box<dyn Iterator<Item = Result<Arc<dyn AnyInstance>, Diagnostic>> + 'a> {
        Box::new(P::read(text, &self.0).map(|instance| Ok(Arc::new(Loaded::<P>(instance?)) as _)))
    }

    fn read_two(&self, text: &[u8], second: &[u8]) -> Vec<Result<Arc<dyn AnyInstance>, TextError>> {
        let instances = P::read_two(text, second, &self.0).into_iter();
        instances.map(|instance| Ok(Arc::new(Loaded::<P>(instance?)) as _)).collect()
    }
}

impl<P: Offers> Loaded<P> {
    fn plan(self: &Arc<Self>, moves: Verified<P::Instance>) -> Box<dyn AnyPlan> {
        Box::new(Plan { of: Arc::clone(self), moves: Cow::Owned(moves) })
    }

    /// The moves of the lines of a plan.
    fn moves(&self, lines: &[Line<'_>], form: PlanForm) -> Result<Vec<Move<P>>, PlanError> {
        match form {
            PlanForm::Moves => {
                let moves = lines.iter().map(|&line| P::read_move(&self.0, line));
                Ok(moves.collect::<Result<_, _>>()?)
            }
            PlanForm::Timeline => match P::capabilities().timeline {
                Some(timeline) => Ok((timeline.read)(&self.0, lines)?),
                None => {
                    let name = P::INFO.name;
                    Err(PlanError::Refused(format!("{name} has no plans as positions")))
                }
            },
        }
    }

    /// The smaller instances for judging other programs. `plan` is a shortest plan.
    fn smaller_than(&self, plan: Option<&Verified<P::Instance>>) -> Vec<Arc<dyn AnyInstance>> {
        let smaller = P::capabilities().judge.map(|judge| (judge.smaller)(&self.0, plan));
        let smaller = smaller.into_iter().flatten();
        smaller.map(|instance| Arc::new(Loaded::<P>(instance)) as _).collect()
    }

    /// Returns an error if the puzzle does not list the engine.
    fn check(engine: Option<Engine>) -> Result<(), SolveError> {
        match engine {
            Some(engine) if !P::INFO.engines.contains(&engine) => {
                Err(SolveError::unsupported(format!("{} has no engine `{engine}`", P::INFO.name)))
            }
            _ => Ok(()),
        }
    }
}

/// A move as a line of a plan.
fn line<P: Puzzle>(instance: &P::Instance, by: &Move<P>) -> String {
    let mut line = String::new();
    // A String takes everything.
    let _ = P::write_move(instance, by, &mut line);
    line
}

/// Returns an error if a plan does not have the cost that was found.
fn check_cost<R: Rules>(plan: &Verified<R>, cost: u32) -> Result<(), SolveError> {
    match plan.len() {
        len if len == cost as usize => Ok(()),
        len => Err(SolveError::Bug(format!("a plan of {len} moves, but the cost is {cost}"))),
    }
}

impl<P: Offers> AnyInstance for Loaded<P> {
    fn text(&self) -> String {
        self.0.to_string()
    }

    fn board(&self) -> Option<String> {
        P::board(&self.0)
    }

    fn drawing(&self) -> String {
        P::drawing(&self.0)
    }

    fn note(&self) -> Option<String> {
        P::note(&self.0)
    }

    fn by_hand(&self, pushes: &[Push]) -> Option<String> {
        Some(line::<P>(&self.0, &P::by_hand(&self.0, pushes)?))
    }

    fn edit(&self, brush: &str, cells: &[Cell]) -> Result<Arc<dyn AnyInstance>, String> {
        let edit = P::capabilities().edit.ok_or("instances cannot be edited")?;
        Ok(Arc::new(Loaded::<P>((edit.edit)(&self.0, brush, cells)?)))
    }

    fn blank(&self, rows: usize, columns: usize) -> Result<Arc<dyn AnyInstance>, String> {
        let edit = P::capabilities().edit.ok_or("instances cannot be edited")?;
        Ok(Arc::new(Loaded::<P>((edit.blank)(&self.0, rows, columns)?)))
    }

    fn unit(&self) -> [&'static str; 2] {
        P::unit(&self.0)
    }

    fn part(&self) -> usize {
        P::part(&self.0)
    }

    fn max_shapes(&self) -> usize {
        P::max_shapes(&self.0)
    }

    fn animation(
        &self,
        pictures: OptionSource<'_>,
        limits: &DrawLimits<'_>,
    ) -> Result<Animation<'_>, PictureError> {
        let no_moves = const { &Replayed::NO_MOVES };
        Ok(P::animation(&self.0, no_moves, &pictures.options()?, limits)?)
    }

    fn solve(
        self: Arc<Self>,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<Box<dyn AnyPlan>>, SolveError> {
        Self::check(engine)?;
        let answer = P::solve(&self.0, engine, budget)?;
        answer.outcome.best().map_or(Ok(()), |(plan, cost)| check_cost(plan, cost))?;
        Ok(answer.map(|plan| self.plan(plan)))
    }

    fn solve_cost(
        &self,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<()>, SolveError> {
        Self::check(engine)?;
        P::solve_cost(&self.0, engine, budget)
    }

    fn verify(
        self: Arc<Self>,
        lines: &[Line<'_>],
        form: PlanForm,
    ) -> Result<Box<dyn AnyPlan>, PlanError> {
        let verified = verify(&self.0, self.moves(lines, form)?);
        let plan = verified.map_err(|refusal| PlanError::Refused(refusal.to_string()))?;
        Ok(self.plan(plan))
    }

    fn replay(
        self: Arc<Self>,
        lines: &[Line<'_>],
        form: PlanForm,
    ) -> Result<Box<dyn AnyReplay>, PlanError> {
        let replayed = replay(&self.0, self.moves(lines, form)?);
        let moves = replayed.map_err(|refusal| PlanError::Refused(refusal.to_string()))?;
        Ok(Box::new(Plan::<P, Replayed<_>> { of: self, moves: Cow::Owned(moves) }))
    }

    fn list_shortest_plans(
        self: Arc<Self>,
        max_plans: usize,
        budget: &Budget,
    ) -> Result<Outcome<Box<dyn AnyPlans>>, SolveError> {
        let list = P::capabilities().count_plans;
        let list = list.ok_or_else(|| missing(&P::INFO, "solve --all"))?;
        let outcome = list(&self.0, max_plans, budget)?;
        if let Some((shortest, cost)) = outcome.best() {
            shortest.plans.iter().try_for_each(|plan| check_cost(plan, cost))?;
        }
        Ok(outcome.map(|shortest| Box::new(Plans { of: Arc::clone(&self), shortest }) as _))
    }

    fn explore(&self, budget: &Budget, on_layer: OnLayer<'_>) -> Result<Explored, SolveError> {
        let explore = P::capabilities().explore.ok_or_else(|| missing(&P::INFO, "explore"))?;
        (explore.explore)(&self.0, budget, on_layer)
    }

    fn graph(&self, budget: &Budget) -> Result<BoardGraph, SolveError> {
        let explore = P::capabilities().explore.ok_or_else(|| missing(&P::INFO, "explore"))?;
        (explore.graph)(&self.0, budget)
    }

    fn diameter(
        &self,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Diameter, SolveError> {
        let explore = P::capabilities().explore.ok_or_else(|| missing(&P::INFO, "explore"))?;
        (explore.diameter)(&self.0, budget, progress)
    }

    fn certify(&self, subject: Subject, budget: &Budget) -> Result<Certified, SolveError> {
        let certify = P::capabilities().certify.ok_or_else(|| missing(&P::INFO, "certify"))?;
        (certify.certify)(&self.0, subject, budget)
    }

    fn check(
        &self,
        file: &[u8],
        memory: u64,
        is_stopped: IsStopped<'_>,
    ) -> Result<Result<Claim, Refusal>, SolveError> {
        let certify = P::capabilities().certify.ok_or_else(|| missing(&P::INFO, "check"))?;
        (certify.check)(&self.0, file, memory, is_stopped)
    }

    fn convert(&self, notation: &str) -> Option<String> {
        let convert = P::capabilities().convert?;
        let known = convert.verb.notations.iter().find(|known| known.name == notation)?;
        (convert.convert)(&self.0, known)
    }

    fn size(&self) -> Option<String> {
        (P::capabilities().convert?.size)(&self.0)
    }

    fn difficulty(&self, budget: &Budget) -> Result<Option<Difficulty>, SolveError> {
        let rank = P::capabilities().rank.ok_or_else(|| missing(&P::INFO, "rank"))?;
        (rank.difficulty)(&self.0, budget)
    }

    fn published(&self) -> Option<Published> {
        (P::capabilities().rank?.published)(&self.0)
    }

    fn check_answer(
        &self,
        fewest: Option<u32>,
        count_only: bool,
        answer: &mut AnswerText<'_>,
    ) -> Result<(), WrongAnswer> {
        match P::capabilities().judge {
            Some(judge) if count_only => (judge.check_number)(fewest, answer),
            Some(judge) => (judge.check)(&self.0, fewest, answer),
            None => Ok(()),
        }
    }

    fn broken_guarantees(&self, has_plan: bool) -> Vec<&'static str> {
        let judge = P::capabilities().judge;
        judge.map_or_else(Vec::new, |judge| (judge.broken_guarantees)(&self.0, has_plan))
    }

    fn smaller(&self) -> Vec<Arc<dyn AnyInstance>> {
        self.smaller_than(None)
    }
}

impl<P: Offers, M> Plan<'_, P, M>
where
    M: AsRef<Replayed<P::Instance>> + Clone,
{
    fn replayed(&self) -> &Replayed<P::Instance> {
        (*self.moves).as_ref()
    }
}

impl<P: Offers, M> AnyReplay for Plan<'_, P, M>
where
    M: AsRef<Replayed<P::Instance>> + Clone + Send + Sync,
{
    fn len(&self) -> usize {
        self.replayed().len()
    }

    fn line(&self, index: usize) -> String {
        line::<P>(&self.of.0, &self.replayed()[index])
    }

    fn lines(&self) -> Box<dyn Iterator<Item = String> + '_> {
        Box::new((0..self.len()).map(|index| self.line(index)))
    }

    fn animation(
        &self,
        pictures: OptionSource<'_>,
        limits: &DrawLimits<'_>,
    ) -> Result<Animation<'_>, PictureError> {
        Ok(P::animation(&self.of.0, self.replayed(), &pictures.options()?, limits)?)
    }

    fn unsolved(&self) -> Option<String> {
        self.replayed().check_solved(&self.of.0).err().map(|missing| missing.to_string())
    }

    fn legal_moves(&self) -> Vec<String> {
        let moves = self.of.0.moves(&self.replayed().last_board(&self.of.0));
        moves.iter().map(|by| line::<P>(&self.of.0, by)).collect()
    }

    fn rest(&self) -> Option<Arc<dyn AnyInstance>> {
        if self.replayed().is_empty() {
            return Some(Arc::clone(&self.of) as _);
        }
        let rest = self.of.0.with_board(self.replayed().last_board(&self.of.0))?;
        Some(Arc::new(Loaded::<P>(rest)))
    }
}

impl<P: Offers> AnyPlan for Plan<'_, P, Verified<P::Instance>> {
    fn write_contest(&self, out: &mut dyn io::Write) -> io::Result<()> {
        P::write_contest(&self.of.0, &self.moves, out)
    }

    fn smaller(&self) -> Vec<Arc<dyn AnyInstance>> {
        self.of.smaller_than(Some(&self.moves))
    }

    fn first_moves(&self, count: usize) -> Box<dyn AnyReplay> {
        let moves = Cow::Owned(self.replayed().first_moves(count));
        Box::new(Plan::<P, Replayed<_>> { of: Arc::clone(&self.of), moves })
    }

    fn timeline(&self) -> Option<String> {
        Some((P::capabilities().timeline?.write)(&self.of.0, self.replayed()))
    }

    fn details(&self) -> Option<Box<dyn erased_serde::Serialize + '_>> {
        Some((P::capabilities().detail?.details)(&self.of.0, &self.moves))
    }
}

impl<P: Offers> AnyPlans for Plans<P> {
    fn count(&self) -> Option<u128> {
        self.shortest.count
    }

    fn limit(&self) -> Option<Limit> {
        self.shortest.limit
    }

    fn plan_bytes(&self) -> u64 {
        self.shortest.plan_bytes
    }

    fn listed(&self) -> usize {
        self.shortest.plans.len()
    }

    fn first(&self) -> Option<Box<dyn AnyPlan>> {
        self.shortest.plans.first().map(|plan| self.of.plan(plan.clone()))
    }

    fn iter(&self) -> Box<dyn Iterator<Item = Box<dyn AnyPlan + '_>> + '_> {
        Box::new(self.shortest.plans.iter().map(|plan| {
            Box::new(Plan { of: Arc::clone(&self.of), moves: Cow::Borrowed(plan) }) as _
        }))
    }
}
