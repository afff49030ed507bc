//! Puzzles by name: the object-safe form of [`Puzzle`], for programs that know puzzles only through a
//! list of them.

use std::any::Any;
use std::io;
use std::marker::PhantomData;
use std::sync::Arc;

use fewest_core::budget::{Budget, Limits};
use fewest_core::explore::diameter::{Diameter, Progress};
use fewest_core::outcome::Outcome;
use fewest_core::search::all_shortest::ShortestPlans;
use fewest_core::search::{Answer, Engine};
use fewest_rules::text::{Diagnostic, Line};
use fewest_rules::{Replayed, Verified, replay, verify};
use fewest_scene::{Animation, DrawError, Limits as DrawLimits};

use crate::builtin::Builtin;
use crate::capabilities::{
    CensusRow, CensusVerb, ConvertVerb, Difficulty, ExploreVerb, GenerateVerb, Generated, Offers,
    Work, WorkError,
};
use crate::error::SolveError;
use crate::explore::{BoardGraph, Explored};
#[cfg(feature = "clap")]
use crate::options::add_arguments;
use crate::options::{Given, OptionsError};
use crate::puzzle::{Info, Puzzle, TextError};

/// A puzzle, by [`of`].
pub trait AnyPuzzle: Sync {
    /// What is known of the puzzle without an instance.
    fn info(&self) -> &'static Info;

    /// [`Puzzle::describe`]
    fn describe(&self, builtin: &Builtin) -> String;

    /// [`Puzzle::is_inline`]
    fn is_inline(&self, text: &str) -> bool;

    /// Adds the options of instances to a command.
    #[cfg(feature = "clap")]
    fn arguments(&self, command: clap::Command) -> clap::Command;

    /// Adds the options of pictures to a command.
    #[cfg(feature = "clap")]
    fn picture_arguments(&self, command: clap::Command) -> clap::Command;

    /// A reader of instances with these options, and for `pictures` those of pictures, too.
    ///
    /// # Errors
    /// If the options are not valid.
    fn reader(
        &self,
        options: Given<'_>,
        pictures: Option<Given<'_>>,
    ) -> Result<Box<dyn AnyReader>, OptionsError>;

    /// Which verbs the puzzle has.
    fn verbs(&self) -> Verbs;

    /// The JSON schemas of the [details](crate::capabilities::Detail) of a plan, and of a row of the
    /// census.
    fn schemas(&self) -> [Option<serde_json::Value>; 2];

    /// Generates instances as [`Generate`](crate::capabilities::Generate), and passes their texts to
    /// `emit`.
    ///
    /// # Errors
    /// The same, or if the puzzle cannot generate.
    fn generate(
        &self,
        base: Option<&dyn AnyInstance>,
        options: Given<'_>,
        limits: Limits,
        work: &dyn Work,
        emit: &mut dyn FnMut(String, Option<u32>) -> io::Result<()>,
    ) -> Result<Generated, WorkError>;

    /// The columns of [`census`](Self::census).
    ///
    /// # Errors
    /// If the options are not valid.
    fn census_columns(&self, options: Given<'_>) -> Result<Vec<&'static str>, OptionsError>;

    /// Lists all instances as [`Census`](crate::capabilities::Census).
    ///
    /// # Errors
    /// The same, or if the puzzle has no census.
    fn census(
        &self,
        options: Given<'_>,
        limits: Limits,
        work: &dyn Work,
        emit: &mut dyn FnMut(CensusRow) -> io::Result<()>,
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
}

/// A puzzle with options.
pub trait AnyReader: Send + Sync {
    /// [`Puzzle::second_text`]
    fn second_text(&self) -> Option<&str>;

    /// The instances of a text, in order. An error ends the text.
    fn read<'a>(
        &'a self,
        text: &'a [u8],
    ) -> Box<dyn Iterator<Item = Result<Arc<dyn AnyInstance>, Diagnostic>> + 'a>;

    /// The instance of two texts.
    ///
    /// # Errors
    /// The error, and in which text it is.
    fn read_two(&self, text: &[u8], second: &[u8]) -> Result<Arc<dyn AnyInstance>, TextError>;
}

/// An instance of a puzzle, with the options that it was read with.
pub trait AnyInstance: Any + Send + Sync {
    /// The text of the instance.
    fn text(&self) -> String;

    /// [`Puzzle::board`]
    fn board(&self) -> Option<String>;

    /// [`Puzzle::unit`]
    fn unit(&self) -> [&'static str; 2];

    /// [`Puzzle::max_shapes`]
    fn max_shapes(&self) -> usize;

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

    /// Reads a plan and replays it by the rules. The inner error is the refusal.
    ///
    /// # Errors
    /// A diagnostic of a line that is not a move.
    fn verify(
        self: Arc<Self>,
        lines: &[Line<'_>],
    ) -> Result<Result<Box<dyn AnyPlan>, String>, Diagnostic>;

    /// The plan without moves, which may not solve the instance.
    fn no_moves(self: Arc<Self>) -> Box<dyn AnyPlan>;

    /// [`CountPlans::list_shortest_plans`](crate::capabilities::CountPlans::list_shortest_plans)
    ///
    /// # Errors
    /// The same, or if the puzzle cannot count plans.
    fn list_shortest_plans(
        self: Arc<Self>,
        max_plans: usize,
        budget: &Budget,
    ) -> Result<Outcome<ShortestPlans<Box<dyn AnyPlan>>>, SolveError>;

    /// [`Explore::explore`](crate::capabilities::Explore::explore)
    ///
    /// # Errors
    /// The same, or if the puzzle cannot be explored.
    fn explore(&self, budget: &Budget) -> Result<Explored, SolveError>;

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

    /// [`Convert::convert`](crate::capabilities::Convert::convert); `None` also if the puzzle has
    /// no notations.
    fn convert(&self, notation: usize) -> Option<String>;

    /// [`Convert::size`](crate::capabilities::Convert::size)
    fn size(&self) -> Option<String>;

    /// [`Rank::difficulty`](crate::capabilities::Rank::difficulty)
    ///
    /// # Errors
    /// The same, or if the puzzle has no measure of difficulty.
    fn difficulty(&self, budget: &Budget) -> Result<Option<Difficulty>, SolveError>;
}

/// A plan that the rules have replayed, with its instance.
pub trait AnyPlan: Send + Sync {
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

    /// [`Puzzle::write_contest`]
    ///
    /// # Errors
    /// The same.
    fn write_contest(&self, out: &mut dyn io::Write) -> io::Result<()>;

    /// [`Puzzle::animation`]
    ///
    /// # Errors
    /// The same.
    fn animation(&self, limits: &DrawLimits<'_>) -> Result<Animation<'_>, DrawError>;

    /// [`Detail::details`](crate::capabilities::Detail::details); `None` if the puzzle has none or
    /// the plan does not solve the instance.
    fn details(&self) -> Option<Box<dyn erased_serde::Serialize + '_>>;
}

/// The object-safe form of a puzzle.
pub const fn of<P: Offers>() -> &'static dyn AnyPuzzle {
    &Of::<P>(PhantomData)
}

struct Of<P>(PhantomData<fn() -> P>);

struct Reader<P: Puzzle> {
    options: P::Options,
    pictures: Arc<P::PictureOptions>,
}

struct Loaded<P: Puzzle> {
    instance: P::Instance,
    pictures: Arc<P::PictureOptions>,
}

struct Plan<P: Puzzle> {
    of: Arc<Loaded<P>>,
    moves: Moves<P>,
}

enum Moves<P: Puzzle> {
    Verified(Verified<<P as Puzzle>::Instance>),
    Replayed(Replayed<P::Instance>),
}

fn missing(info: &Info, verb: &str) -> SolveError {
    SolveError::unsupported(format!("{} has no `{verb}`", info.name))
}

impl<P: Offers> AnyPuzzle for Of<P> {
    fn info(&self) -> &'static Info {
        const { &P::INFO }
    }

    fn describe(&self, builtin: &Builtin) -> String {
        P::describe(builtin)
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

    fn reader(
        &self,
        options: Given<'_>,
        pictures: Option<Given<'_>>,
    ) -> Result<Box<dyn AnyReader>, OptionsError> {
        let pictures = pictures.map(Given::options).transpose()?.unwrap_or_default();
        Ok(Box::new(Reader::<P> { options: options.options()?, pictures: Arc::new(pictures) }))
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
        }
    }

    fn schemas(&self) -> [Option<serde_json::Value>; 2] {
        let all = P::capabilities();
        [all.detail.map(|detail| (detail.schema)()), all.census.map(|census| (census.row_schema)())]
    }

    fn generate(
        &self,
        base: Option<&dyn AnyInstance>,
        options: Given<'_>,
        limits: Limits,
        work: &dyn Work,
        emit: &mut dyn FnMut(String, Option<u32>) -> io::Result<()>,
    ) -> Result<Generated, WorkError> {
        let generate = P::capabilities().generate.ok_or_else(|| missing(&P::INFO, "generate"))?;
        let base = base.map(|base| (base as &dyn Any).downcast_ref::<Loaded<P>>());
        let other = || SolveError::unsupported("the instance is of another puzzle");
        let base = base.map(|base| base.ok_or_else(other)).transpose()?.map(|base| &base.instance);
        (generate.generate)(base, options, limits, work, &mut |instance, cost| {
            emit(instance.to_string(), cost)
        })
    }

    fn census_columns(&self, options: Given<'_>) -> Result<Vec<&'static str>, OptionsError> {
        P::capabilities().census.map_or(Ok(Vec::new()), |census| (census.columns)(options))
    }

    fn census(
        &self,
        options: Given<'_>,
        limits: Limits,
        work: &dyn Work,
        emit: &mut dyn FnMut(CensusRow) -> io::Result<()>,
    ) -> Result<String, WorkError> {
        let census = P::capabilities().census.ok_or_else(|| missing(&P::INFO, "census"))?;
        (census.census)(options, limits, work, emit)
    }
}

impl<P: Offers> Reader<P> {
    fn loaded(&self, instance: P::Instance) -> Arc<dyn AnyInstance> {
        Arc::new(Loaded::<P> { instance, pictures: Arc::clone(&self.pictures) })
    }
}

impl<P: Offers> AnyReader for Reader<P> {
    fn second_text(&self) -> Option<&str> {
        P::second_text(&self.options)
    }

    fn read<'a>(
        &'a self,
        text: &'a [u8],
    ) -> Box<dyn Iterator<Item = Result<Arc<dyn AnyInstance>, Diagnostic>> + 'a> {
        Box::new(P::read(text, &self.options).map(|instance| Ok(self.loaded(instance?))))
    }

    fn read_two(&self, text: &[u8], second: &[u8]) -> Result<Arc<dyn AnyInstance>, TextError> {
        Ok(self.loaded(P::read_two(text, second, &self.options)?))
    }
}

impl<P: Offers> Loaded<P> {
    fn plan(self: &Arc<Self>, moves: Moves<P>) -> Box<dyn AnyPlan> {
        Box::new(Plan { of: Arc::clone(self), moves })
    }

    fn verified(self: &Arc<Self>, moves: Verified<<P as Puzzle>::Instance>) -> Box<dyn AnyPlan> {
        self.plan(Moves::Verified(moves))
    }
}

impl<P: Offers> AnyInstance for Loaded<P> {
    fn text(&self) -> String {
        self.instance.to_string()
    }

    fn board(&self) -> Option<String> {
        P::board(&self.instance)
    }

    fn unit(&self) -> [&'static str; 2] {
        P::unit(&self.instance)
    }

    fn max_shapes(&self) -> usize {
        P::max_shapes(&self.instance)
    }

    fn solve(
        self: Arc<Self>,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<Box<dyn AnyPlan>>, SolveError> {
        Ok(P::solve(&self.instance, engine, budget)?.map(|plan| self.verified(plan)))
    }

    fn solve_cost(
        &self,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<()>, SolveError> {
        P::solve_cost(&self.instance, engine, budget)
    }

    fn verify(
        self: Arc<Self>,
        lines: &[Line<'_>],
    ) -> Result<Result<Box<dyn AnyPlan>, String>, Diagnostic> {
        let moves = lines.iter().map(|&line| P::read_move(&self.instance, line));
        let verified = verify(&self.instance, moves.collect::<Result<_, _>>()?);
        Ok(verified.map(|plan| self.verified(plan)).map_err(|refusal| refusal.to_string()))
    }

    fn no_moves(self: Arc<Self>) -> Box<dyn AnyPlan> {
        let Ok(no_moves) = replay(&self.instance, Vec::new()) else {
            unreachable!("no move is illegal")
        };
        self.plan(Moves::Replayed(no_moves))
    }

    fn list_shortest_plans(
        self: Arc<Self>,
        max_plans: usize,
        budget: &Budget,
    ) -> Result<Outcome<ShortestPlans<Box<dyn AnyPlan>>>, SolveError> {
        let list = P::capabilities().count_plans;
        let list = list.ok_or_else(|| missing(&P::INFO, "solve --all"))?;
        let outcome = list(&self.instance, max_plans, budget)?;
        Ok(outcome.map(|ShortestPlans { count, plans, limit, plan_bytes }| ShortestPlans {
            count,
            plans: plans.into_iter().map(|plan| self.verified(plan)).collect(),
            limit,
            plan_bytes,
        }))
    }

    fn explore(&self, budget: &Budget) -> Result<Explored, SolveError> {
        let explore = P::capabilities().explore.ok_or_else(|| missing(&P::INFO, "explore"))?;
        (explore.explore)(&self.instance, budget)
    }

    fn graph(&self, budget: &Budget) -> Result<BoardGraph, SolveError> {
        let explore = P::capabilities().explore.ok_or_else(|| missing(&P::INFO, "explore"))?;
        (explore.graph)(&self.instance, budget)
    }

    fn diameter(
        &self,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Diameter, SolveError> {
        let explore = P::capabilities().explore.ok_or_else(|| missing(&P::INFO, "explore"))?;
        (explore.diameter)(&self.instance, budget, progress)
    }

    fn convert(&self, notation: usize) -> Option<String> {
        (P::capabilities().convert?.convert)(&self.instance, notation)
    }

    fn size(&self) -> Option<String> {
        (P::capabilities().convert?.size)(&self.instance)
    }

    fn difficulty(&self, budget: &Budget) -> Result<Option<Difficulty>, SolveError> {
        let rank = P::capabilities().rank.ok_or_else(|| missing(&P::INFO, "rank"))?;
        rank(&self.instance, budget)
    }
}

impl<P: Offers> Moves<P> {
    fn replayed(&self) -> &Replayed<P::Instance> {
        match self {
            Self::Verified(moves) => moves,
            Self::Replayed(moves) => moves,
        }
    }
}

impl<P: Offers> AnyPlan for Plan<P> {
    fn len(&self) -> usize {
        self.moves.replayed().len()
    }

    fn line(&self, index: usize) -> String {
        let mut line = String::new();
        // A String takes everything.
        let _ = P::write_move(&self.of.instance, &self.moves.replayed()[index], &mut line);
        line
    }

    fn write_contest(&self, out: &mut dyn io::Write) -> io::Result<()> {
        match &self.moves {
            Moves::Verified(moves) => P::write_contest(&self.of.instance, moves, out),
            Moves::Replayed(_) => Ok(()),
        }
    }

    fn animation(&self, limits: &DrawLimits<'_>) -> Result<Animation<'_>, DrawError> {
        let Loaded { instance, pictures } = &*self.of;
        P::animation(instance, self.moves.replayed(), pictures, limits)
    }

    fn details(&self) -> Option<Box<dyn erased_serde::Serialize + '_>> {
        match &self.moves {
            Moves::Verified(moves) => {
                Some((P::capabilities().detail?.details)(&self.of.instance, moves))
            }
            Moves::Replayed(_) => None,
        }
    }
}
