//! Requests: the position they refer to, and the error type of all handlers.

use std::sync::Arc;

use fewest_core::budget::{Budget, Limit};
use fewest_puzzle::any::{AnyInstance, AnyReplay};
use fewest_puzzle::error::{PictureError, PlanError};
use fewest_puzzle::options::{OptionSource, OptionsError};
use fewest_puzzle::puzzle::TextError;
use fewest_puzzle::show::StepReport;
use fewest_puzzle::timeline::PlanForm;
use fewest_puzzle::{AnyPuzzle, SolveError};
use fewest_rules::text::{Diagnostic, Line};
use fewest_scene::{DrawError, DrawLimits};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The maximum number of moves of a position.
pub(crate) const MAX_MADE: usize = 10_000;

/// The puzzles of the page.
pub type Puzzles = &'static [&'static dyn AnyPuzzle];

/// A media type and the bytes of a file.
pub type Download = (&'static str, Vec<u8>);

/// An instance of a text, or why it is none.
pub(crate) type Read = Result<Arc<dyn AnyInstance>, RequestError>;

/// Takes the parts of an answer as they come.
pub type Send<'a> = &'a mut dyn FnMut(Value);

/// A position: an instance and the moves from its start.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Position {
    /// The name of the puzzle.
    puzzle: String,
    /// The options of the instance.
    #[serde(default = "no_options")]
    options: Value,
    /// The options of pictures.
    #[serde(default = "no_options")]
    pictures: Value,
    /// The text of the instance.
    text: String,
    /// The moves, as lines of a plan.
    #[serde(default)]
    moves: Vec<String>,
}

fn no_options() -> Value {
    json!({})
}

/// A position whose instance has been parsed.
pub(crate) struct Opened<'a> {
    pub(crate) puzzle: &'static dyn AnyPuzzle,
    /// The instance before the first move.
    pub(crate) instance: Arc<dyn AnyInstance>,
    moves: &'a [String],
    pictures: &'a Value,
    /// Whether the text contains more data sets.
    pub(crate) has_more: bool,
}

impl Position {
    /// The start of an instance, without options.
    pub(crate) fn of(puzzle: &str, text: &str) -> Self {
        let (puzzle, text) = (puzzle.to_owned(), text.to_owned());
        Self { puzzle, options: no_options(), pictures: no_options(), text, moves: Vec::new() }
    }

    /// The name of the puzzle.
    pub(crate) fn name(&self) -> &str {
        &self.puzzle
    }

    /// The start of the instance with other options.
    pub(crate) fn with_options(&self, options: Value) -> Self {
        Self { options, ..Self::of(&self.puzzle, &self.text) }
    }

    /// Returns `text` if it can be read as an instance with the same options.
    pub(crate) fn checked(&self, text: String, puzzles: Puzzles) -> Result<String, RequestError> {
        let other = Self { options: self.options.clone(), ..Self::of(&self.puzzle, &text) };
        other.open(puzzles)?;
        Ok(other.text)
    }

    /// Reads the instances, at most `most`, from the text and, for puzzles that need two, a second
    /// text.
    pub(crate) fn read_all(
        &self,
        second: Option<&str>,
        most: usize,
        puzzles: Puzzles,
    ) -> Result<Vec<Read>, RequestError> {
        let puzzle = self.puzzle(puzzles)?;
        let reader = puzzle.reader(OptionSource::Json(&self.options))?;
        let text = self.text.as_bytes();
        let Some(second) = second else {
            return Ok(reader.read(text).take(most).map(|instance| Ok(instance?)).collect());
        };
        let of_both = |error| match error {
            TextError::First(diagnostic) => diagnostic.into(),
            TextError::Second(diagnostic) => {
                let name = puzzle.info().two_texts.map_or("second text", |texts| texts.second);
                RequestError::new(format!("{name}: {diagnostic}"))
            }
        };
        let instances = reader.read_two(text, second.as_bytes()).into_iter().take(most);
        Ok(instances.map(|instance| instance.map_err(of_both)).collect())
    }

    fn puzzle(&self, puzzles: Puzzles) -> Result<&'static dyn AnyPuzzle, RequestError> {
        let puzzle = puzzles.iter().copied().find(|puzzle| puzzle.info().name == self.puzzle);
        puzzle.ok_or_else(|| RequestError::new(format!("no puzzle `{}`", self.puzzle)))
    }

    /// Reads the instance.
    pub(crate) fn open(&self, puzzles: Puzzles) -> Result<Opened<'_>, RequestError> {
        let puzzle = self.puzzle(puzzles)?;
        let reader = puzzle.reader(OptionSource::Json(&self.options))?;
        if self.moves.len() > MAX_MADE {
            return Err(RequestError::new(format!("a position can have at most {MAX_MADE} moves")));
        }
        let mut data_sets = reader.read(self.text.as_bytes());
        let instance =
            data_sets.next().ok_or_else(|| RequestError::new("the text has no data set"))??;
        let has_more = data_sets.next().is_some();
        let (moves, pictures) = (self.moves.as_slice(), &self.pictures);
        Ok(Opened { puzzle, instance, moves, pictures, has_more })
    }
}

impl Opened<'_> {
    /// Replays the moves of the position, followed by `more`.
    pub(crate) fn replay(&self, more: &[String]) -> Result<Box<dyn AnyReplay>, RequestError> {
        let lines: Vec<Line<'_>> = self.moves.iter().chain(more).zip(1..).map(line).collect();
        Ok(Arc::clone(&self.instance).replay(&lines, PlanForm::Moves)?)
    }

    /// A note about the text, if there is something unusual.
    pub(crate) fn note(&self) -> Option<String> {
        self.has_more.then(|| "the text has several data sets; this is the first".to_owned())
    }

    /// The number of moves.
    pub(crate) fn move_count(&self) -> usize {
        self.moves.len()
    }

    /// The options of pictures.
    pub(crate) fn pictures(&self) -> OptionSource<'_> {
        OptionSource::Json(self.pictures)
    }

    /// The steps of a replay, from move `from` on.
    pub(crate) fn steps(
        &self,
        replay: &dyn AnyReplay,
        from: usize,
        budget: &Budget,
    ) -> Result<Vec<StepReport>, RequestError> {
        let is_stopped = || budget.check().is_err();
        let animation = replay.animation(self.pictures(), &draw_limits(budget, &is_stopped))?;
        let steps = animation.steps().skip(from).map(|step| {
            budget.check()?;
            Ok(step.into())
        });
        steps.collect()
    }
}

fn line((text, number): (&String, usize)) -> Line<'_> {
    Line { number, text }
}

/// The limits for drawing a picture under a budget.
pub(crate) fn draw_limits<'a>(budget: &Budget, is_stopped: &'a dyn Fn() -> bool) -> DrawLimits<'a> {
    let memory = budget.memory();
    let memory_bytes = memory.limit_bytes().saturating_sub(memory.held_bytes());
    DrawLimits { memory_bytes, stop: is_stopped }
}

/// The error of a request.
#[derive(Debug, Default, Serialize)]
pub struct RequestError {
    /// The message for users.
    message: String,
    /// How to fix the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// The line in the text of the instance, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// The option whose value is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    option: Option<&'static str>,
}

impl RequestError {
    /// An error without a place.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }
}

impl From<Diagnostic> for RequestError {
    fn from(diagnostic: Diagnostic) -> Self {
        let Diagnostic { line, column, found, expected, hint, option } = diagnostic;
        Self {
            message: format!("found {found}, expected {expected}"),
            hint,
            line: Some(line),
            column: Some(column),
            option: option.map(|option| option.0),
        }
    }
}

impl From<PlanError> for RequestError {
    fn from(error: PlanError) -> Self {
        // Its line number refers to the plan, not to the text of the instance, so it is not set.
        Self::new(error.to_string())
    }
}

impl From<SolveError> for RequestError {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Unsupported { what, hint } => {
                Self { message: what, hint: hint.map(str::to_owned), ..Self::default() }
            }
            error => Self::new(error.to_string()),
        }
    }
}

impl From<Limit> for RequestError {
    fn from(limit: Limit) -> Self {
        Self::new(format!("stopped, {limit}"))
    }
}

impl From<OptionsError> for RequestError {
    fn from(error: OptionsError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<DrawError> for RequestError {
    fn from(error: DrawError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<PictureError> for RequestError {
    fn from(error: PictureError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<serde_json::Error> for RequestError {
    fn from(error: serde_json::Error) -> Self {
        Self::new(error.to_string())
    }
}
