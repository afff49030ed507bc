//! The Morning after Halloween on the command line.

use std::fmt::{Display, Write};

use clap::{Args, Subcommand, ValueHint};
use fewest_core::budget::Budget;
use fewest_core::builtin::Builtin;
use fewest_core::random::Random;
use fewest_core::search::{Answer, Engine};
use fewest_core::text::{Diagnostic, Line};
use fewest_halloween::generate::{self, Wanted};
use fewest_halloween::moving_ai::{self, Fault};
use fewest_halloween::plan::Step;
use fewest_halloween::space::most_ghosts;
use fewest_halloween::{Instance, Place, Plan, builtin, picture, rules, solve};
use fewest_scene::{Animation, DrawError, Limits};
use serde::ser::SerializeMap;

use crate::args::whole;
use crate::exit::{Exit, Failure};
use crate::generate::{GenerateArgs, Generator};
use crate::json::List;
use crate::puzzle::{InBoth, Nothing, OwnVerb, Puzzle, ReadBoth};

pub(crate) enum Halloween {}

#[derive(Args, Default)]
pub(crate) struct Scenario {
    /// Read INSTANCE as a `.map` of the MovingAI benchmark, and the agents from this `.scen`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    scenario: Option<String>,

    /// Take only the first so many agents of the scenario
    #[arg(long, value_name = "COUNT", requires = "scenario", value_parser = whole(1, u16::MAX))]
    agents: Option<u16>,
}

#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Make houses that keep every rule of the statement, from a seed
    ///
    /// The same seed and size give the same houses on every machine, as classic text.
    Generate(Generate),
}

impl OwnVerb for Verb {
    fn carry_out(self) -> Result<Exit, Failure> {
        let Self::Generate(args) = self;
        args.carry_out()
    }
}

#[derive(Args)]
pub(crate) struct Generate {
    /// Columns, the walls around included
    #[arg(long, default_value_t = 16, value_parser = whole(3u16, 255))]
    width: u16,

    /// Rows, the walls around included
    #[arg(long, default_value_t = 16, value_parser = whole(3u16, 255))]
    height: u16,

    /// How many ghosts
    #[arg(long, default_value_t = 3, value_parser = whole(1u64, 26))]
    ghosts: u64,

    #[command(flatten)]
    args: GenerateArgs,
}

impl Generate {
    fn carry_out(&self) -> Result<Exit, Failure> {
        let wanted @ Wanted { width, height, ghosts } =
            Wanted { width: self.width, height: self.height, ghosts: self.ghosts as usize };
        let too_small = || {
            Failure::usage(format!(
                "a house of {width} x {height} has no room for the starts and goals of so many ghosts: {ghosts}"
            ))
        };
        let generator = Generator {
            make: |random: &mut Random| generate::house(wanted, random).ok_or_else(too_small),
            hard: |tries, random: &mut Random, budget: &mut dyn FnMut() -> Option<Budget>| {
                generate::hard(wanted, tries, random, budget).map_err(Failure::refused)
            },
            limits: generate::LIMITS,
            many: "houses",
        };
        self.args.carry_out::<Halloween, _, _>(generator, Instance::to_string)
    }
}

impl Puzzle for Halloween {
    const NAME: &'static str = "halloween";
    const ABOUT: &'static str =
        "The Morning after Halloween: bring every ghost home, all moving at once";
    const FORMAT: &'static str = "\
A data set is a line with width, height and number of ghosts, then the map, a line a row:
  5 5 2
  #####
  #A#B#
  #   #
  #b#a#
  #####
`#` is a wall, a space is corridor, `a` is where a ghost is and `A` where it belongs. A row that
ends early goes on as corridor. Data sets follow one another; a line `0 0 0` may close them.
At most 26 ghosts and 255 x 255 cells. Classic mode answers by the number of steps, or -1 where
there is no plan.

A line of a plan is a step: `aN bE` sends `a` north and `b` east while all others stay; `-` lets
all stay. Ghosts beyond `z` are `aa`, `ab` and so on, and `*` on a map.

Messages count columns and rows from 1, as a text editor does; scenarios and JSON count from 0.

With --scenario, INSTANCE is a map of the MovingAI benchmark (`type octile`, `height H`,
`width W`, `map`, then the rows; `.`, `G` and `S` are corridor, `@`, `O`, `T` and `W` walls), and
the rows of the scenario are the ghosts, as many as there are; the name of the map in them is not
looked at. At most 65535 corridor cells.";
    const ENGINES: &'static [Engine] = &Engine::ALL;
    const CLASSIC_UNSOLVABLE: &'static str = "-1";

    type Options = Scenario;
    type Show = Nothing;
    type Picture = Nothing;
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
                .hinting("a map of the MovingAI benchmark comes with `--scenario FILE`".to_owned()),
            false => diagnostic,
        };
        Instance::read(text).map(move |data_set| data_set.map_err(hinting))
    }

    fn second_file(options: &Scenario) -> Option<(&str, ReadBoth<Self>)> {
        let file = options.scenario.as_deref()?;
        Some((file, |map, scenario, options| {
            let agents = options.agents.map(usize::from);
            moving_ai::read(map, scenario, agents).map_err(|fault| match fault {
                Fault::Map(diagnostic) => InBoth::Own(diagnostic),
                Fault::Scenario(diagnostic) => InBoth::Second(diagnostic),
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
    ) -> Result<Answer<Plan>, Failure> {
        let (ghosts, most) = (instance.ghosts().len(), most_ghosts(instance.open_places()));
        if let Some(engine) = engine.filter(|_| ghosts > most) {
            return Err(Failure::advised(
                format!(
                    "--engine {engine} takes at most {most} ghosts in a house as large as this one, which has {ghosts}"
                ),
                "without --engine there is no such limit",
            ));
        }
        solve::solve(instance, engine, budget).map_err(Failure::refused)
    }

    fn write_move(_: &Instance, step: &Step, line: &mut String) {
        let _ = write!(line, "{step}");
    }

    fn animation<'a>(
        house: &'a Instance,
        plan: &'a [Step],
        _: &Nothing,
        limits: &Limits<'_>,
    ) -> Result<Animation<'a>, DrawError> {
        picture::animation(house, plan, limits)
    }

    fn shapes(house: &Instance) -> usize {
        // All walls are one shape.
        1 + 2 * house.ghosts().len()
    }

    fn write_details<M: SerializeMap>(
        house: &Instance,
        plan: &[Step],
        object: &mut M,
    ) -> Result<(), M::Error> {
        object.serialize_entry("makespan", &plan.len())?;
        object.serialize_entry(
            "sum_of_costs",
            &rules::sum_of_costs(house, rules::boards(house, plan)),
        )?;
        object.serialize_entry("moves", &plan.iter().map(Step::moves).sum::<usize>())?;
        let positions = |board: Vec<Place>| {
            board.into_iter().map(|place| [place.x, place.y]).collect::<Vec<_>>()
        };
        object.serialize_entry("positions", &List(|| rules::boards(house, plan).map(positions)))
    }

    fn read_move(instance: &Instance, line: Line<'_>) -> Result<Step, Diagnostic> {
        Step::read(line, instance.ghosts().len())
    }

    fn replay(instance: &Instance, plan: &[Step]) -> Result<(), impl Display> {
        rules::replay(instance, plan)
    }
}
