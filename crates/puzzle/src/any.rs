//! Puzzles by name: the object-safe form of [`Puzzle`], for programs that know puzzles only through
//! a list of them.
//!
//! Every [`Puzzle`] has it, and nothing else. So each [`AnyPlan`] was replayed by the rules, and
//! belongs to its instance.

use std::any::Any;
use std::borrow::Cow;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use fewest_core::budget::{Budget, Limit};
use fewest_core::outcome::Outcome;
use fewest_core::search::all_shortest::ShortestPlans;
use fewest_core::search::{Answer, Engine};
use fewest_geometry::Cell;
use fewest_rules::text::{Diagnostic, Line};
use fewest_rules::{Replayed, Rules, Verified, replay, verify};
use fewest_scene::{Animation, DrawLimits};
use schemars::Schema;

use crate::builtin::{Builtin, Listed};
use crate::census::Census;
use crate::certify::Certify;
use crate::convert::Convert;
use crate::error::{PictureError, PlanError, SolveError};
use crate::explore::Explore;
use crate::generate::Generated;
use crate::judge::{AnswerText, WrongAnswer};
#[cfg(feature = "clap")]
use crate::options::add_arguments;
use crate::options::{OptionSource, OptionsError};
use crate::puzzle::{AnyDetails, Info, Move, Push, Puzzle, TextError, line};
use crate::random::Random;
use crate::rank::Rank;
use crate::timeline::PlanForm;
use crate::words::{Named, counted};
use crate::work::{WorkContext, WorkError};

mod sealed {
    pub trait Sealed {}

    impl<P: super::Puzzle> Sealed for P {}
    impl<P: super::Puzzle> Sealed for super::Reader<P> {}
    impl<P: super::Puzzle> Sealed for super::Loaded<P> {}
    impl<P: super::Puzzle, M: Clone> Sealed for super::Plan<'_, P, M> {}
    impl<P: super::Puzzle> Sealed for super::Plans<P> {}
}

use sealed::Sealed;

/// A puzzle by name.
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

    /// The same for instances that are only explored: [`Puzzle::without_goals`].
    ///
    /// # Errors
    /// If the options are not valid.
    fn explorer_reader(
        &self,
        options: OptionSource<'_>,
    ) -> Result<Box<dyn AnyReader>, OptionsError>;

    /// Adds the options of [`generate`](Self::generate) to a command.
    #[cfg(feature = "clap")]
    fn generate_arguments(&self, command: clap::Command) -> clap::Command;

    /// Generates instances as [`Generate`](crate::generate::Generate), and passes their texts to
    /// `emit`.
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

    /// [`Judge::random`](crate::judge::Judge::random); `None` if the puzzle cannot judge.
    fn random_instance(&self, random: &mut Random) -> Option<Arc<dyn AnyInstance>>;

    /// [`Puzzle::details_schema`]
    fn details_schema(&self) -> Option<Schema>;

    /// [`Puzzle::census`]
    fn census(&self) -> Option<&'static dyn Census>;
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

    /// [`Edit::edit`](crate::edit::Edit::edit)
    ///
    /// # Errors
    /// The same, or if instances cannot be edited.
    fn edit(&self, brush: &str, cells: &[Cell]) -> Result<Arc<dyn AnyInstance>, String>;

    /// [`Edit::blank`](crate::edit::Edit::blank)
    ///
    /// # Errors
    /// The same, or if instances cannot be edited.
    fn blank(&self, rows: usize, columns: usize) -> Result<Arc<dyn AnyInstance>, String>;

    /// [`Puzzle::unit`]
    fn unit(&self) -> [&'static str; 2];

    /// A number of moves with its unit, such as `7 steps`.
    fn moves(&self, count: u32) -> String {
        counted(self.unit(), count)
    }

    /// What texts and reports say of the instance with this name.
    fn named<'a>(&self, name: &'a str) -> Named<'a> {
        Named { name, board: self.board(), unit: self.unit() }
    }

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

    /// [`Puzzle::at_state`]
    fn at_state(&self, state: &dyn Any) -> Option<Arc<dyn AnyInstance>>;

    /// Reads a plan, as moves or as a [timeline](crate::timeline::Timeline), and replays it by
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

    /// [`CountPlans::list_shortest_plans`](crate::count_plans::CountPlans::list_shortest_plans)
    ///
    /// # Errors
    /// The same, or if the puzzle cannot count plans.
    fn list_shortest_plans(
        self: Arc<Self>,
        max_plans: usize,
        budget: &Budget,
    ) -> Result<Outcome<Box<dyn AnyPlans>>, SolveError>;

    /// [`Puzzle::explorer`]
    fn explorer(&self) -> Option<&dyn Explore>;

    /// [`Puzzle::certifier`]
    fn certifier(&self) -> Option<&dyn Certify>;

    /// [`Puzzle::ranker`]
    fn ranker(&self) -> Option<&dyn Rank>;

    /// [`Puzzle::converter`]
    fn converter(&self) -> Option<&dyn Convert>;

    /// Checks the answer of another program as [`Judge::check`](crate::judge::Judge::check),
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

    /// [`Judge::broken_guarantees`](crate::judge::Judge::broken_guarantees)
    fn broken_guarantees(&self, has_plan: bool) -> Vec<&'static str>;

    /// [`Judge::smaller`](crate::judge::Judge::smaller) for an instance without a plan. Empty
    /// if the puzzle cannot judge.
    fn smaller(&self) -> Vec<Arc<dyn AnyInstance>>;
}

/// Moves that the rules have accepted, with their instance. The puzzle may not be solved after
/// them.
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

    /// [`Judge::smaller`](crate::judge::Judge::smaller) for the instance of this plan. Empty
    /// if the puzzle cannot judge.
    fn smaller(&self) -> Vec<Arc<dyn AnyInstance>>;

    /// The first `count` moves, or all if there are fewer.
    fn first_moves(&self, count: usize) -> Box<dyn AnyReplay>;

    /// [`Timeline`](crate::timeline::Timeline); `None` if the puzzle has no
    /// timelines.
    fn timeline(&self) -> Option<String>;

    /// [`Puzzle::details`]; `None` if the puzzle has none.
    fn details(&self) -> Option<AnyDetails<'_>>;
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

impl<P: Puzzle> AnyPuzzle for P {
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

    fn explorer_reader(
        &self,
        options: OptionSource<'_>,
    ) -> Result<Box<dyn AnyReader>, OptionsError> {
        Ok(Box::new(Reader::<P>(P::without_goals(options.options()?))))
    }

    #[cfg(feature = "clap")]
    fn generate_arguments(&self, command: clap::Command) -> clap::Command {
        match P::generator() {
            Some(generator) => generator.arguments(command),
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
        let generator = P::generator().ok_or_else(|| missing(&P::INFO, "generate"))?;
        let other = || SolveError::unsupported("the instance is of another puzzle");
        let base = base.map(|base| (base as &dyn Any).downcast_ref().ok_or_else(other));
        let base = base.transpose()?.map(|Loaded::<P>(instance)| instance);
        generator.generate(base, options, work, &mut |instance, cost| {
            emit(generator.text(instance), cost)
        })
    }

    fn random_instance(&self, random: &mut Random) -> Option<Arc<dyn AnyInstance>> {
        Some(Arc::new(Loaded::<P>(P::judge()?.random(random))))
    }

    fn details_schema(&self) -> Option<Schema> {
        P::details_schema()
    }

    fn census(&self) -> Option<&'static dyn Census> {
        P::census()
    }
}

impl<P: Puzzle> AnyReader for Reader<P> {
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

impl<P: Puzzle> Loaded<P> {
    fn plan(self: &Arc<Self>, moves: Verified<P::Instance>) -> Box<dyn AnyPlan> {
        Box::new(Plan { of: Arc::clone(self), moves: Cow::Owned(moves) })
    }

    /// The moves of the lines of a plan.
    fn moves(&self, lines: &[Line<'_>], form: PlanForm) -> Result<Vec<Move<P>>, PlanError> {
        match form {
            PlanForm::Moves => Ok(P::read_moves(&self.0, lines)?),
            PlanForm::Timeline => match P::timeline(&self.0) {
                Some(timeline) => Ok(timeline.read_timeline(lines)?),
                None => {
                    let name = P::INFO.name;
                    Err(PlanError::Refused(format!("{name} has no plans as positions")))
                }
            },
        }
    }

    /// The smaller instances for judging other programs. `plan` is a shortest plan.
    fn smaller_than(&self, plan: Option<&Verified<P::Instance>>) -> Vec<Arc<dyn AnyInstance>> {
        let smaller = P::judge().map(|judge| judge.smaller(&self.0, plan));
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

/// Returns an error if a plan does not have the cost that was found.
fn check_cost<R: Rules>(plan: &Verified<R>, cost: u32) -> Result<(), SolveError> {
    match plan.len() {
        len if len == cost as usize => Ok(()),
        len => Err(SolveError::Bug(format!("a plan of {len} moves, but the cost is {cost}"))),
    }
}

impl<P: Puzzle> AnyInstance for Loaded<P> {
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
        let editor = P::editor(&self.0).ok_or("instances cannot be edited")?;
        Ok(Arc::new(Loaded::<P>(editor.edit(brush, cells)?)))
    }

    fn blank(&self, rows: usize, columns: usize) -> Result<Arc<dyn AnyInstance>, String> {
        let editor = P::editor(&self.0).ok_or("instances cannot be edited")?;
        Ok(Arc::new(Loaded::<P>(editor.blank(rows, columns)?)))
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

    fn at_state(&self, state: &dyn Any) -> Option<Arc<dyn AnyInstance>> {
        Some(Arc::new(Loaded::<P>(P::at_state(&self.0, state)?)))
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
        let counter = P::plan_counter(&self.0).ok_or_else(|| missing(&P::INFO, "solve --all"))?;
        let outcome = counter.list_shortest_plans(max_plans, budget)?;
        if let Some((shortest, cost)) = outcome.best() {
            shortest.plans.iter().try_for_each(|plan| check_cost(plan, cost))?;
        }
        Ok(outcome.map(|shortest| Box::new(Plans { of: Arc::clone(&self), shortest }) as _))
    }

    fn explorer(&self) -> Option<&dyn Explore> {
        P::explorer(&self.0)
    }

    fn certifier(&self) -> Option<&dyn Certify> {
        P::certifier(&self.0)
    }

    fn ranker(&self) -> Option<&dyn Rank> {
        P::ranker(&self.0)
    }

    fn converter(&self) -> Option<&dyn Convert> {
        P::converter(&self.0)
    }

    fn check_answer(
        &self,
        fewest: Option<u32>,
        count_only: bool,
        answer: &mut AnswerText<'_>,
    ) -> Result<(), WrongAnswer> {
        match P::judge() {
            Some(_) if count_only => answer.expect_number(fewest).map(drop),
            Some(judge) => judge.check(&self.0, fewest, answer),
            None => Ok(()),
        }
    }

    fn broken_guarantees(&self, has_plan: bool) -> Vec<&'static str> {
        P::judge().map_or_else(Vec::new, |judge| judge.broken_guarantees(&self.0, has_plan))
    }

    fn smaller(&self) -> Vec<Arc<dyn AnyInstance>> {
        self.smaller_than(None)
    }
}

impl<P: Puzzle, M> Plan<'_, P, M>
where
    M: AsRef<Replayed<P::Instance>> + Clone,
{
    fn replayed(&self) -> &Replayed<P::Instance> {
        (*self.moves).as_ref()
    }
}

impl<P: Puzzle, M> AnyReplay for Plan<'_, P, M>
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

impl<P: Puzzle> AnyPlan for Plan<'_, P, Verified<P::Instance>> {
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
        Some(P::timeline(&self.of.0)?.write_timeline(self.replayed()))
    }

    fn details(&self) -> Option<AnyDetails<'_>> {
        P::details(&self.of.0, &self.moves)
    }
}

impl<P: Puzzle> AnyPlans for Plans<P> {
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
