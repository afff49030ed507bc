//! The Morning after Halloween on the command line.

use std::fmt::Write;

use clap::{Args, Subcommand, ValueHint};
use fewest_core::budget::Budget;
use fewest_core::search::{Answer, Engine};
use fewest_geometry::Cell;
use fewest_halloween::generate::{self, InstanceSize};
use fewest_halloween::moving_ai::{self, ReadError};
use fewest_halloween::plan::Step;
use fewest_halloween::space::max_ghosts;
use fewest_halloween::{Instance, builtin, picture, rules, solve};
use fewest_puzzle::builtin::Builtin;
use fewest_puzzle::random::Random;
use fewest_rules::text::{Diagnostic, Line};
use fewest_rules::{Replayed, Verified};
use fewest_scene::{Animation, DrawError, Limits};
use serde::ser::SerializeMap;

use crate::args::whole_number;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::generate::{GenerateArgs, Generator};
use crate::json::List;
use crate::puzzle::{InputError, NoArgs, Puzzle, PuzzleVerb, ReadWithSecondFile, plural};

pub(crate) enum Halloween {}

#[derive(Args, Default)]
pub(crate) struct Scenario {
    /// Read INSTANCE as a `.map` file of the MovingAI benchmark, and the agents from this `.scen`
    /// file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    scenario: Option<String>,

    /// Use only the first COUNT agents of the scenario
    #[arg(
        long,
        value_name = "COUNT",
        requires = "scenario",
        value_parser = whole_number(1, u16::MAX),
    )]
    agents: Option<u16>,
}

#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Generate random instances with the structure that the contest problem requires
    ///
    /// There are walls around the map, no 2x2 block of corridor cells, and different starts and
    /// goals. The instances are printed in contest format. The same seed and options generate the
    /// same instances on every machine.
    Generate(Generate),
}

impl PuzzleVerb for Verb {
    fn run(self) -> Result<Exit, Failure> {
        let Self::Generate(args) = self;
        args.run()
    }
}

#[derive(Args)]
pub(crate) struct Generate {
    /// Number of columns, including the walls around the map
    #[arg(long, default_value_t = 16, value_parser = whole_number(3u16, 255))]
    width: u16,

    /// Number of rows, including the walls around the map
    #[arg(long, default_value_t = 16, value_parser = whole_number(3u16, 255))]
    height: u16,

    /// Number of ghosts
    #[arg(long, default_value_t = 3, value_parser = whole_number(1u64, 26))]
    ghosts: u64,

    #[command(flatten)]
    args: GenerateArgs,
}

impl Generate {
    fn run(&self) -> Result<Exit, Failure> {
        let size @ InstanceSize { width, height, ghosts } =
            InstanceSize { width: self.width, height: self.height, ghosts: self.ghosts as usize };
        let too_small = || {
            Failure::usage(format!(
                "a map of {width} x {height} cells has no room for the starts and goals of \
                 {ghosts} {}",
                plural("ghost", self.ghosts)
            ))
        };
        let generator = Generator {
            make: |random: &mut Random| {
                generate::random_instance(size, random).ok_or_else(too_small)
            },
            hardest: |tries, random: &mut Random, budget: &mut dyn FnMut() -> Option<Budget>| {
                generate::hard(size, tries, random, budget).map_err(Failure::plan_refused)
            },
            limits: generate::LIMITS,
            noun: "map",
        };
        self.args.run::<Halloween, _, _>(generator, Instance::to_string)
    }
}

impl Puzzle for Halloween {
    const NAME: &'static str = "halloween";
    const ABOUT: &'static str =
        "The Morning after Halloween: bring every ghost to its goal, all moving at once";
    const FORMAT: &'static str = "\
A data set is a line with the width, the height and the number of ghosts, then the map, one line per
row:
  5 5 2
  #####
  #A#B#
  #   #
  #b#a#
  #####
`#` is a wall, a space is a corridor cell, `a` is the start of a ghost and `A` its goal. Cells that
are missing at the end of a row are corridor. Data sets follow one another; a line `0 0 0` may end
them. At most 26 ghosts and 255 x 255 cells. Contest mode prints the number of steps, or -1 if there
is no plan.

A line of a plan is a step: `aN bE` moves `a` north and `b` east, and all other ghosts stay; `-` is
a step in which all stay. Ghosts after `z` are named `aa`, `ab` and so on; on a terminal they are
drawn as `*` if there is no room for their names.

Messages give the row and the column of a cell, counted from 1, as text editors do. Scenarios and
JSON give the column and the row, counted from 0.

With --scenario, INSTANCE is a map of the MovingAI benchmark (`type octile`, `height H`,
`width W`, `map`, then the rows; `.`, `G` and `S` are corridor, `@`, `O`, `T` and `W` walls). Each
row of the scenario is a ghost, without a limit on their number; the map name in the row is ignored.
At most 65535 corridor cells.";
    const ENGINES: &'static [Engine] = &Engine::ALL;
    const CONTEST_UNSOLVABLE: &'static str = "-1";

    type Options = Scenario;
    type PlanArgs = NoArgs;
    type Picture = NoArgs;
    type Verb = Verb;
    type Instance = Instance;
    type Move = Step;

    fn builtins() -> &'static [Builtin] {
        builtin::BUILTINS
    }

    fn read(text: &[u8], _: &Scenario) -> impl Iterator<Item = Result<Instance, Diagnostic>> {
        let is_map = text.starts_with(b"type ");
        let hinting = move |diagnostic: Diagnostic| match is_map {
            true => diagnostic
                .hinting("a map of the MovingAI benchmark needs `--scenario FILE`".to_owned()),
            false => diagnostic,
        };
        Instance::read(text).map(move |data_set| data_set.map_err(hinting))
    }

    fn second_file(options: &Scenario) -> Option<(&str, ReadWithSecondFile<Self>)> {
        let file = options.scenario.as_deref()?;
        Some((file, |map, scenario, options| {
            let agents = options.agents.map(usize::from);
            moving_ai::read(map, scenario, agents).map_err(|error| match error {
                ReadError::Map(diagnostic) => InputError::Instance(diagnostic),
                ReadError::Scenario(diagnostic) => InputError::SecondFile(diagnostic),
            })
        }))
    }

    fn moves(_: &Instance) -> [&'static str; 2] {
        ["step", "steps"]
    }

    fn solve(
        instance: &Instance,
        engine: Option<Engine>,
        budget: &Budget,
    ) -> Result<Answer<Verified<Step>>, Failure> {
        let (ghosts, most) = (instance.ghosts().len(), max_ghosts(instance.corridor_cell_count()));
        if let Some(engine) = engine.filter(|_| ghosts > most) {
            return Err(Failure::usage_with_hint(
                format!(
                    "--engine {engine} takes at most {most} ghosts on a map of this size, and there \
                     are {ghosts}"
                ),
                "the default without --engine has no such limit",
            ));
        }
        solve::solve(instance, engine, budget).map_err(Failure::plan_refused)
    }

    fn write_move(_: &Instance, step: &Step, line: &mut String) {
        let _ = write!(line, "{step}");
    }

    fn animation<'a>(
        instance: &'a Instance,
        plan: &'a Replayed<Step>,
        _: &NoArgs,
        limits: &Limits<'_>,
    ) -> Result<Animation<'a>, DrawError> {
        picture::animation(instance, plan, limits)
    }

    fn max_shapes(instance: &Instance) -> usize {
        // All walls are one shape.
        1 + 2 * instance.ghosts().len()
    }

    fn write_details<M: SerializeMap>(
        instance: &Instance,
        plan: &Verified<Step>,
        object: &mut M,
    ) -> Result<(), M::Error> {
        let cells = || plan.boards(instance, |board| board.cells().to_vec());
        object.serialize_entry("makespan", &plan.len())?;
        object.serialize_entry("sum_of_costs", &rules::sum_of_costs(instance, cells()))?;
        object.serialize_entry("moves", &plan.iter().map(Step::moves).sum::<usize>())?;
        let positions = |board: Vec<Cell>| {
            board.into_iter().map(|cell| [cell.column, cell.row]).collect::<Vec<_>>()
        };
        object.serialize_entry("positions", &List(|| cells().map(positions)))
    }

    fn read_move(instance: &Instance, line: Line<'_>) -> Result<Step, Diagnostic> {
        Step::read(line, instance.ghosts().len())
    }
}
