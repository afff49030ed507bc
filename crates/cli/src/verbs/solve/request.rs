//! What `solve` is asked: its arguments as they are parsed, and the request that they make.

use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgGroup, ArgMatches, Args, Command, ValueHint};
use fewest_core::search::Engine;
use fewest_puzzle::any::AnyReader;
use fewest_puzzle::puzzle::Choice;

use crate::PuzzleRef;
use crate::args::{SearchArgs, instances, instances_arg, parsed, reader, with};
use crate::failure::Failure;
use crate::files::OutputFiles;
use crate::input::{DataSet, Source};
use crate::picture::{PictureArgs, Pictures};
use crate::plot::svg;
use crate::storage::StorageArgs;

#[derive(Args)]
#[group(skip)]
struct OutputArgs {
    /// Print one JSON object per data set, one object per line
    #[arg(long)]
    json: bool,

    /// Print one row per data set as CSV, without plans
    #[arg(long, conflicts_with_all = ["json", "hint", "show", "output"])]
    csv: bool,

    /// Print, list or draw only the first move of a shortest plan
    #[arg(long)]
    hint: bool,

    /// Start after the moves of this plan: a file in the form that `solve` prints, or `-` for
    /// standard input. The plan may stop anywhere
    #[arg(long, value_name = "PLAN", value_hint = ValueHint::FilePath)]
    after: Option<PathBuf>,
}

/// Options of puzzles with many agents.
#[derive(Args, Default)]
#[group(skip)]
struct AgentArgs {
    /// Write a chart to this SVG file: the share of solved instances by the number of agents, one
    /// line per map
    #[arg(long, value_name = "FILE.svg", value_parser = svg(), value_hint = ValueHint::FilePath)]
    plot_success: Option<PathBuf>,

    /// Print the cells of all ghosts at each time as the visualizers of multi-agent path finding
    /// read them: `3:(5,16),(2,0)`, with the column and the row, counted from 0
    #[arg(long, conflicts_with_all = ["json", "hint", "csv"])]
    positions: bool,
}

/// Options to count and list all shortest plans.
#[derive(Args)]
#[group(skip)]
struct AllPlansArgs {
    /// Count all shortest plans, as sequences of boards, and list the first of them. `--show` draws
    /// only the first
    #[arg(long, conflicts_with_all = ["hint", "csv"])]
    all: bool,

    /// List at most this number of shortest plans; `verify` reads one plan per data set, so use 1
    /// for it
    #[arg(long, value_name = "COUNT", default_value_t = 1, requires = "all")]
    limit: usize,
}

#[derive(Args)]
#[group(skip)]
struct ShowArgs {
    /// Draw the plan. The picture replaces the moves on standard output; `-o` writes it to a file
    /// and implies `--show`
    #[arg(long, help_heading = "Pictures")]
    show: bool,

    /// With `-o`, print the moves on a terminal, too; elsewhere they are always printed
    #[arg(long, help_heading = "Pictures", requires = "output")]
    moves: bool,
}

pub(crate) fn command(puzzle: PuzzleRef) -> Option<Command> {
    let command = Command::new("solve")
        .about("Find a shortest plan, or prove that there is none")
        .long_about(
            "Find a shortest plan, or prove that there is none\n\n\
             Prints for each data set: its name as a comment (`klotski` and `wall-pusher`: also its \
             board); a line with the result; and the plan, one move per line.",
        )
        .arg(instances_arg(puzzle));
    let command = with::<OutputArgs>(with::<StorageArgs>(SearchArgs::add_to(command, puzzle)));
    let command = if puzzle.info().verbs.timeline { with::<AgentArgs>(command) } else { command };
    let command = match puzzle.info().verbs.count_plans {
        true => with::<AllPlansArgs>(command),
        false => command,
    };
    let command = with::<PictureArgs>(with::<ShowArgs>(command));
    let command = command.mut_args(|arg| match arg.get_help_heading() {
        Some("Pictures") if !DRAWS.contains(&arg.get_id().as_str()) => arg.requires("draws"),
        _ => arg,
    });
    // Those of the puzzle, such as names of pieces, are for moves as text, too.
    let command = puzzle.picture_arguments(command);
    Some(command.group(ArgGroup::new("draws").args(DRAWS).multiple(true)))
}

/// The options that ask for a picture.
const DRAWS: [&str; 2] = ["show", "output"];

/// What to solve, and what to print of it.
pub(super) struct Request<'a> {
    pub(super) puzzle: PuzzleRef,
    pub(super) matches: &'a ArgMatches,
    pub(super) search: SearchArgs,
    pub(super) storage: StorageArgs,
    pub(super) engine: Option<Engine>,
    /// The number of shortest plans to list; `None` if one plan is enough.
    pub(super) all_plans: Option<usize>,
    pub(super) form: Form,
    /// Whether only the first move is wanted.
    pub(super) hint: bool,
    /// Whether the moves are printed beside a picture in a file.
    pub(super) prints_moves: bool,
    pub(super) pictures: Option<Pictures<'a>>,
    /// A file for the chart of solved instances.
    pub(super) chart: Option<PathBuf>,
    pub(super) files: OutputFiles,
    pub(super) reader: Box<dyn AnyReader>,
    pub(super) sources: Vec<Source>,
    /// The plans after whose moves the data sets start.
    pub(super) after: Option<Source>,
    /// The number of data sets whose pictures are drawn. The numbers of files have as many digits.
    pub(super) count: usize,
    /// Whether an option of the puzzle gives moves other words, in pictures and below moves.
    pub(super) has_other_words: bool,
}

/// How an answer is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    /// The cells of all ghosts at each time.
    Positions,
    Json,
    Csv,
}

impl<'a> Request<'a> {
    /// Settles the arguments, and reads what they name.
    pub(super) fn of(puzzle: PuzzleRef, matches: &'a ArgMatches) -> Result<Self, Failure> {
        let verbs = puzzle.info().verbs;
        let OutputArgs { json, csv, hint, after } = parsed(matches)?;
        let ShowArgs { show, moves } = parsed(matches)?;
        let agents: AgentArgs =
            if verbs.timeline { parsed(matches)? } else { AgentArgs::default() };
        let all_plans = match verbs.count_plans {
            true => Some(parsed::<AllPlansArgs>(matches)?),
            false => None,
        };
        let all_plans = all_plans.filter(|args| args.all).map(|args| args.limit);
        let form = if csv {
            Form::Csv
        } else if json {
            Form::Json
        } else if agents.positions {
            Form::Positions
        } else {
            Form::Text
        };
        let search: SearchArgs = parsed(matches)?;
        let storage: StorageArgs = parsed(matches)?;
        storage.check(matches)?;
        let engine = storage.engine(search.engine())?;
        let instances = instances(matches);
        let reader = reader(puzzle, matches)?;
        let inputs = || instances.iter().chain(&after).chain(reader.second_texts());
        let pictures = match show || matches.contains_id("output") {
            true => Some(Pictures::resolve(matches, inputs())?),
            false => None,
        };
        if json && pictures.as_ref().is_some_and(|pictures| !pictures.are_files()) {
            return Err(Failure::usage_with_hint(
                "`--json` and a picture cannot both go to standard output",
                "use `-o FILE` to write the picture to a file",
            ));
        }
        let words = words_option(puzzle, matches);
        if let Some(option) = words
            && pictures.is_none()
            && (json || csv || hint)
        {
            let what = format!("`--{option}` is for pictures, and for moves as text");
            return Err(Failure::usage(what));
        }
        let files = OutputFiles::new(inputs());
        let chart = agents.plot_success;
        chart.as_deref().map_or(Ok(()), |file| files.check_writable(file))?;
        let after = after.map(|plan| Source::plan(&plan, &instances, &*reader)).transpose()?;
        let sources = Source::instances(puzzle, &instances)?;
        let mut request = Self {
            puzzle,
            matches,
            search,
            storage,
            engine,
            all_plans,
            form,
            hint,
            prints_moves: moves,
            pictures,
            chart,
            files,
            reader,
            sources,
            after,
            count: 0,
            has_other_words: words.is_some(),
        };
        if request.pictures.is_some() {
            request.count = request.data_sets().count();
        }
        Ok(request)
    }

    /// The data sets, in order.
    pub(super) fn data_sets(&self) -> impl Iterator<Item = Result<DataSet<'_>, Failure>> + '_ {
        self.sources.iter().flat_map(|source| source.data_sets(&*self.reader))
    }

    /// Whether a data set is the only one.
    pub(super) fn is_only(&self, data_set: &DataSet<'_>) -> bool {
        data_set.is_only() && self.sources.len() == 1
    }
}

/// The option of the puzzle for other words in pictures and below moves, if it is given.
fn words_option(puzzle: PuzzleRef, matches: &ArgMatches) -> Option<&'static str> {
    let is_given = |choice: &&Choice| {
        choice.is_of_pictures
            && matches.value_source(choice.option) == Some(ValueSource::CommandLine)
    };
    puzzle.info().choices.iter().find(is_given).map(|choice| choice.option)
}
