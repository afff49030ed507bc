//! The interface of a puzzle.

use std::any::Any;
use std::fmt::{self, Display};
use std::io;
use std::path::PathBuf;

use fewest_core::budget::Budget;
use fewest_core::search::{Answer, Engine};
use fewest_geometry::{Cell, Direction};
use fewest_rules::text::{Diagnostic, Line};
use fewest_rules::{Replayed, Rules, Verified};
use fewest_scene::{Animation, DrawError, DrawLimits};
use schemars::Schema;

use crate::builtin::{Builtin, Listed};
use crate::census::{Census, CensusVerb};
use crate::certify::Certify;
use crate::convert::{Convert, ConvertVerb};
use crate::count_plans::CountPlans;
use crate::edit::{Brush, Edit};
use crate::error::SolveError;
use crate::explore::{Explore, ExploreVerb};
use crate::generate::{Generate, GenerateVerb};
use crate::judge::{Judge, JudgeVerb};
use crate::options::Options;
use crate::rank::Rank;
use crate::timeline::Timeline;

/// A move of a puzzle.
pub type Move<P> = <<P as Puzzle>::Instance as Rules>::Move;

/// What a text was read as, or where it is not valid.
pub type Parsed<T> = Result<T, Diagnostic>;

/// Fields of a report that only one puzzle has.
pub type AnyDetails<'a> = Box<dyn erased_serde::Serialize + 'a>;

/// A shortest plan with its proof, or how far the search came.
pub type Solved<P> = Result<Answer<Verified<<P as Puzzle>::Instance>>, SolveError>;

/// What a puzzle is: its texts, its instances, and how they are solved and drawn.
///
/// What only some puzzles offer is a trait of its own, which [`Verbs`] lists. Each has a method
/// here that returns what implements it, for an instance or for the puzzle: by default nothing.
/// `examples/water_jugs.rs` is a complete puzzle.
pub trait Puzzle: Sized + Sync + 'static {
    /// What is known of the puzzle without an instance.
    const INFO: Info;

    /// How to read an instance, and what to count as a move.
    type Options: Options;
    /// How to draw it.
    type PictureOptions: Options;
    /// An instance with all that decides its fewest moves. Its [`Display`] is a text that
    /// [`read`](Self::read) accepts.
    type Instance: Rules<Board: Send, Move: Send + Sync> + Display + Send + Sync;

    /// The instances of a text, in order. An error ends the text.
    fn read<'a>(
        text: &'a [u8],
        options: &'a Self::Options,
    ) -> impl Iterator<Item = Parsed<Self::Instance>> + 'a;

    /// Finds a shortest plan, or proves that there is none. `engine` is one of
    /// [`Info::engines`]; `None` leaves the choice to the puzzle.
    ///
    /// # Errors
    /// If the engine cannot solve the instance; if the rules refuse the plan, which is a bug.
    fn solve(instance: &Self::Instance, engine: Option<Engine>, budget: &Budget) -> Solved<Self>;

    /// Parses a line that [`write_move`](Self::write_move) wrote.
    ///
    /// # Errors
    /// A diagnostic of the line.
    fn read_move(instance: &Self::Instance, line: Line<'_>) -> Parsed<Move<Self>>;

    /// Parses the lines of a plan: by default a move on each. A puzzle may also read the forms of
    /// other programs.
    ///
    /// # Errors
    /// A diagnostic of a line.
    fn read_moves(instance: &Self::Instance, lines: &[Line<'_>]) -> Parsed<Vec<Move<Self>>> {
        lines.iter().map(|&line| Self::read_move(instance, line)).collect()
    }

    /// Writes a move as a line of a plan, without the newline.
    ///
    /// # Errors
    /// If `line` cannot be written to.
    fn write_move(
        instance: &Self::Instance,
        by: &Move<Self>,
        line: &mut dyn fmt::Write,
    ) -> fmt::Result;

    /// The board and the motions of a plan on it, ready to be drawn.
    ///
    /// # Errors
    /// If a limit is exceeded.
    fn animation<'a>(
        instance: &'a Self::Instance,
        plan: &'a Replayed<Self::Instance>,
        options: &Self::PictureOptions,
        limits: &DrawLimits<'_>,
    ) -> Result<Animation<'a>, DrawError>;

    /// An upper bound of the number of shapes that the board of an instance is drawn with, from
    /// which its memory is booked. The default is enough for small boards.
    fn max_shapes(_: &Self::Instance) -> usize {
        1 << 12
    }

    /// The second texts that the options name. Each pair of a text and a second text that
    /// is [for](Self::first_text) it gives instances. Empty if an instance needs only one text.
    fn second_texts(_: &Self::Options) -> &[PathBuf] {
        &[]
    }

    /// The file name of the text that a second text says it is for; `None` if it says nothing.
    fn first_text(_second: &[u8]) -> Option<String> {
        None
    }

    /// The instances of a text and of a [second text](Self::second_texts), at least one. Each may
    /// have an error in one of the texts.
    fn read_two(
        text: &[u8],
        _second: &[u8],
        options: &Self::Options,
    ) -> Vec<Result<Self::Instance, TextError>> {
        Self::read(text, options).map(|instance| instance.map_err(TextError::First)).collect()
    }

    /// The number that tells the instances of the same two texts apart, such as the number of
    /// agents.
    fn part(_: &Self::Instance) -> usize {
        0
    }

    /// Whether an argument that is neither a built-in name nor a file is an instance itself.
    fn is_inline(_: &str) -> bool {
        false
    }

    /// The board as text of one or more lines, for puzzles whose plans are hard to read without it.
    fn board(_: &Self::Instance) -> Option<String> {
        None
    }

    /// The same options for instances that are only explored, and so need no goal.
    fn without_goals(options: Self::Options) -> Self::Options {
        options
    }

    /// The text of an instance that can be read with the default options, whatever its size.
    fn drawing(instance: &Self::Instance) -> String {
        instance.to_string()
    }

    /// What is unusual about an instance, and perhaps not meant.
    fn note(_: &Self::Instance) -> Option<String> {
        None
    }

    /// The move of parts of the picture that are pushed by hand, whether it is legal or not. `None`
    /// if no move pushes these parts; by default always. Several parts are pushed only if pieces
    /// [move at once](Info::moves_at_once).
    fn by_hand(_: &Self::Instance, _: &[Push]) -> Option<Move<Self>> {
        None
    }

    /// The words for one move and for several.
    fn unit(_: &Self::Instance) -> [&'static str; 2] {
        ["move", "moves"]
    }

    /// As [`solve`](Self::solve), but only the number of moves is needed.
    ///
    /// # Errors
    /// The same.
    fn solve_cost(
        instance: &Self::Instance,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<()>, SolveError> {
        Ok(Self::solve(instance, engine, budget)?.map(drop))
    }

    /// The instance that starts with a state of a search of this instance with an engine, as
    /// [`Budget::on_step`] reports it; `None` if none can start with it.
    fn at_state(_: &Self::Instance, _: &dyn Any) -> Option<Self::Instance> {
        None
    }

    /// Writes the answer of a solved instance in contest mode, without the newline at its end.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    fn write_contest(
        _: &Self::Instance,
        plan: &Verified<Self::Instance>,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        write!(out, "{}", plan.len())
    }

    /// What lists show of a built-in instance beside its description.
    fn listed(_: &Builtin) -> Listed {
        Listed::default()
    }

    /// The fields that only this puzzle reports of a plan.
    fn details<'a>(
        _: &'a Self::Instance,
        _: &'a Verified<Self::Instance>,
    ) -> Option<AnyDetails<'a>> {
        None
    }

    /// The JSON schema of the [details](Self::details).
    fn details_schema() -> Option<Schema> {
        None
    }

    /// `solve --all`
    fn plan_counter(_: &Self::Instance) -> Option<&dyn CountPlans<Self::Instance>> {
        None
    }

    /// `explore`
    fn explorer(_: &Self::Instance) -> Option<&dyn Explore> {
        None
    }

    /// `certify` and `check`
    fn certifier(_: &Self::Instance) -> Option<&dyn Certify> {
        None
    }

    /// `rank`
    fn ranker(_: &Self::Instance) -> Option<&dyn Rank> {
        None
    }

    /// `convert`
    fn converter(_: &Self::Instance) -> Option<&dyn Convert> {
        None
    }

    /// Plans as what all pieces are on at each time.
    fn timeline(_: &Self::Instance) -> Option<&dyn Timeline<Self::Instance>> {
        None
    }

    /// The editor of the page.
    fn editor(_: &Self::Instance) -> Option<&dyn Edit<Self::Instance>> {
        None
    }

    /// `generate`
    fn generator() -> Option<&'static dyn Generate<Self::Instance>> {
        None
    }

    /// `census`
    fn census() -> Option<&'static dyn Census> {
        None
    }

    /// `judge`
    fn judge() -> Option<&'static dyn Judge<Self::Instance>> {
        None
    }
}

/// A move as a line of a plan.
pub(crate) fn line<P: Puzzle>(instance: &P::Instance, by: &Move<P>) -> String {
    let mut line = String::new();
    // A String takes everything.
    let _ = P::write_move(instance, by, &mut line);
    line
}

/// The verbs that only some puzzles have, and what is known of them without an instance.
#[derive(Clone, Copy, Debug)]
pub struct Verbs {
    /// Whether all shortest plans can be counted.
    pub count_plans: bool,
    /// `explore`
    pub explore: Option<ExploreVerb>,
    /// Whether there are `certify` and `check`.
    pub certify: bool,
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
    /// The brushes of the editor of the page; none if instances cannot be edited.
    pub brushes: &'static [Brush],
}

impl Verbs {
    /// None of them.
    pub const NONE: Self = Self {
        count_plans: false,
        explore: None,
        certify: false,
        generate: None,
        convert: None,
        rank: false,
        census: None,
        judge: None,
        timeline: false,
        brushes: &[],
    };
}

/// A part of the picture that is pushed by hand, from the start of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Push {
    /// The cell of the part: [`Part::at`](fewest_scene::Part::at).
    pub at: Cell,
    /// The directions in which it is pushed, one for each cell; at least one.
    pub path: Vec<Direction>,
}

/// An option with few values, which a page shows beside the board.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The name of the option.
    pub option: &'static str,
    /// Its values, with the default first. None for an option that is on or off, and off by
    /// default.
    pub values: &'static [&'static str],
    /// Whether it is one of the options of pictures, and not of instances.
    pub is_of_pictures: bool,
    /// The language, such as `zh`, in which an option without values is on by default.
    pub language: Option<&'static str>,
}

/// What is known of a puzzle without an instance.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// The name, in lower case with hyphens.
    pub name: &'static str,
    /// One line for help and lists.
    pub about: &'static str,
    /// The formats of an instance and of a line of a plan, for the end of the long help.
    pub format: &'static str,
    /// What the puzzle says in Chinese on a page, perhaps [`not_in_browser`]. A line has a sentence
    /// in English, ` = `, and the same in Chinese: `*` stands for any text and `%` for a number, and
    /// `$1` for the first of them, in Chinese if there is a line for it and it is not quoted. The
    /// lines of all puzzles follow those of the page; the first that fits counts. After an empty
    /// line there may be the [format](Self::format), as a page needs it.
    pub chinese: &'static str,
    /// The engines that can solve the puzzle.
    pub engines: &'static [Engine],
    /// What contest mode prints for an unsolvable instance.
    pub contest_unsolvable: &'static str,
    /// How help describes an instance given on the command line itself; `None` if the puzzle takes
    /// none.
    pub inline: Option<&'static str>,
    /// What a second text is, for puzzles with instances in two texts.
    pub two_texts: Option<TwoTexts>,
    /// The options that a page shows.
    pub choices: &'static [Choice],
    /// The options that say how to read a text, each with an example, such as `size` and `4x4`. An
    /// example that is a number is that of an option with a list of numbers.
    pub import_options: &'static [(&'static str, &'static str)],
    /// Whether several pieces may move in one move, so that a move by hand is made of several
    /// pushes.
    pub moves_at_once: bool,
    /// The built-in instances; at least one.
    pub builtins: &'static [Builtin],
    /// The name or the text of an instance on which a lower bound pays, so that it shows how engines
    /// differ. Empty if there is none.
    pub compared: &'static str,
    /// The verbs that not all puzzles have.
    pub verbs: Verbs,
    /// Examples for the help: a verb, or nothing for the puzzle itself, and its command lines. A
    /// verb without examples gets one with the first built-in instance.
    pub examples: &'static [(&'static str, &'static [&'static str])],
}

impl Info {
    /// A puzzle of this name and with these built-in instances, at least one, without engines and
    /// texts.
    pub const fn named(name: &'static str, builtins: &'static [Builtin]) -> Self {
        assert!(!builtins.is_empty(), "a puzzle has a built-in instance");
        Self {
            name,
            about: "",
            format: "",
            chinese: "",
            engines: &[],
            contest_unsolvable: "-1",
            inline: None,
            two_texts: None,
            choices: &[],
            import_options: &[],
            moves_at_once: false,
            builtins,
            compared: "",
            verbs: Verbs::NONE,
            examples: &[],
        }
    }
}

/// A text that nobody asks for in a browser: empty in WebAssembly for browsers, whose page has the
/// catalog as a file.
pub const fn not_in_browser(text: &'static str) -> &'static str {
    if cfg!(all(target_family = "wasm", target_os = "unknown")) { "" } else { text }
}

/// The names of what instances in two texts are made of.
#[derive(Clone, Copy, Debug)]
pub struct TwoTexts {
    /// The first text.
    pub first: &'static str,
    /// The second text.
    pub second: &'static str,
    /// The extension of the files of second texts, which are taken from a folder.
    pub second_extension: &'static str,
    /// [`Puzzle::part`]
    pub part: &'static str,
    /// The number of moves.
    pub cost: &'static str,
    /// The numbers among the [details](Puzzle::details) of a plan.
    pub details: &'static [&'static str],
}

/// An error in one of two texts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// In the text of the instance.
    #[error("{0}")]
    First(Diagnostic),
    /// In the second text.
    #[error("{0}")]
    Second(Diagnostic),
}
