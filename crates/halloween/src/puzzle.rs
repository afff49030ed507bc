//! The Morning after Halloween as a puzzle that programs know by name.

use std::any::Any;
use std::fmt;
use std::path::PathBuf;

use fewest_core::budget::Budget;
use fewest_core::search::Engine;
use fewest_puzzle::certify::Certify;
use fewest_puzzle::convert::{Convert, ConvertVerb, Notation};
use fewest_puzzle::edit::Edit;
use fewest_puzzle::explore::{Explore, ExploreVerb};
use fewest_puzzle::generate::{Generate, GenerateVerb};
use fewest_puzzle::generating::RandomOptions;
use fewest_puzzle::judge::{Judge, JudgeVerb};
use fewest_puzzle::options::{NoOptions, NumberRange, Whole};
use fewest_puzzle::puzzle::{AnyDetails, TextError, TwoTexts, not_in_browser};
use fewest_puzzle::results::{Position, Stream, position, schema_of};
use fewest_puzzle::timeline::Timeline;
use fewest_puzzle::{Info, Parsed, Push, Puzzle, Solved, Verbs};
use fewest_rules::text::{Diagnostic, Line};
use fewest_rules::{Replayed, Verified};
use fewest_scene::{Animation, DrawError, DrawLimits};
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

use crate::instance::Instance;
use crate::moving_ai::{self, ReadError};
use crate::plan::JointStep;
use crate::rules::sum_of_costs;
use crate::{builtin, edit, picture, solve};

/// The Morning after Halloween.
pub struct Halloween;

const FORMAT: &str = "\
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

Messages and JSON give the row and the column of a cell, counted from 1, as text editors do.
Scenarios give the column and the row, counted from 0.

With --scenario, INSTANCE is a map of the MovingAI benchmark (`type octile`, `height H`,
`width W`, `map`, then the rows; `.`, `G` and `S` are corridor, `@`, `O`, `T` and `W` walls). Each
row of the scenario is a ghost, without a limit on their number; the map name in the row is ignored.
The scenario may also be an instance file of pibt2. A scenario in YAML has its own map:
  agents:
  - start: [0, 0]
    goal: [2, 0]
  map:
    dimensions: [3, 2]
    obstacles:
    - [1, 1]
At most 2097152 corridor cells. Plans may also be paths, `Agent 0: (3,1)->(2,1)->` with row and
column.";

const EXAMPLES: &[(&str, &[&str])] = &[
    ("", &["halloween solve sample-3", "halloween generate --seed 7 | halloween"]),
    (
        "solve",
        &[
            "halloween solve sample-3 --stats",
            "halloween solve sample-1 sample-3 --show -o maps.svg --animate",
        ],
    ),
    (
        "generate",
        &[
            "halloween generate --ghosts 2 --count 10 | halloween --count-only",
            "halloween generate --width 6 --height 6 --ghosts 2 --hard 200 --seed 3",
        ],
    ),
    (
        "convert",
        &[
            "halloween convert sample-1 --to yaml",
            "halloween convert sample-1 --to pibt2 > sample.txt",
        ],
    ),
    ("explore", &["halloween explore sample-1", "halloween explore sample-1 --diameter --json"]),
];

/// The options to read maps.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args), group(skip))]
#[serde(default, deny_unknown_fields)]
pub struct ReadOptions {
    /// Read INSTANCE as a `.map` file of the MovingAI benchmark, and the agents from this `.scen`
    /// file. The option may be repeated, and its value may be a folder of such files or a pattern
    /// such as `'*.scen'`; with several maps, each file is used for the map that it names
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)
    )]
    pub scenario: Vec<PathBuf>,

    /// Use only the first COUNT agents of a scenario. `10,20,30` solves each of these numbers
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "COUNT", value_delimiter = ',', requires = "scenario")
    )]
    pub agents: Vec<Whole<1, 65_535>>,
}

/// Which maps to generate.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args), group(skip))]
#[serde(default, deny_unknown_fields)]
pub struct GenerateOptions {
    /// Number of columns, including the walls around the map: from 3 to 255, or a range such as
    /// `5..16`, from which each map takes a number. With --hard, all maps take the same
    #[cfg_attr(feature = "clap", arg(long, value_name = "RANGE", default_value = "16"))]
    pub width: NumberRange<3, 255>,

    /// Number of rows, including the walls around the map: as the number of columns
    #[cfg_attr(feature = "clap", arg(long, value_name = "RANGE", default_value = "16"))]
    pub height: NumberRange<3, 255>,

    /// Number of ghosts: from 1 to 26, or a range
    #[cfg_attr(feature = "clap", arg(long, value_name = "RANGE", default_value = "3"))]
    pub ghosts: NumberRange<1, 26>,

    /// How many maps, or the hardest of how many.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub random: RandomOptions,
}

impl Default for GenerateOptions {
    fn default() -> Self {
        Self {
            width: NumberRange::new(16, 16),
            height: NumberRange::new(16, 16),
            ghosts: NumberRange::new(3, 3),
            random: RandomOptions::default(),
        }
    }
}

/// What only this puzzle reports of a plan.
#[derive(Serialize, JsonSchema)]
pub struct Details<'a> {
    /// Only halloween: the number of steps of the plan.
    makespan: usize,
    /// Only halloween: the sum over the ghosts of the number of steps until each is at its goal to
    /// stay. It is not minimized: another plan of the same makespan may have a smaller one.
    sum_of_costs: usize,
    /// Only halloween: the number of moves of single ghosts.
    moves: usize,
    /// Only halloween: the row and the column of each ghost, from 1, before the first step and
    /// after each step.
    positions: Stream<'a, Vec<Position>>,
}

impl<'a> Details<'a> {
    fn of(instance: &'a Instance, plan: &'a Verified<Instance>) -> Self {
        Self {
            makespan: plan.len(),
            sum_of_costs: sum_of_costs(
                instance,
                plan.boards(instance, |board| board.cells().to_vec()),
            ),
            moves: plan.iter().map(JointStep::moves).sum(),
            positions: Stream::new(move || {
                plan.boards(instance, |board| board.cells().iter().copied().map(position).collect())
            }),
        }
    }
}

/// What this puzzle offers beyond solving.
const VERBS: Verbs = Verbs {
    explore: Some(ExploreVerb { undirected: true, ..ExploreVerb::DEFAULT }),
    certify: true,
    generate: Some(GenerateVerb {
        about: "Generate random instances with the structure that the contest problem requires",
        long_about: "\
Generate random instances with the structure that the contest problem requires

There are walls around the map, no 2x2 block of corridor cells, and different starts and goals. The \
instances are printed in contest format. The same seed and options generate the same instances on \
every machine.",
        base: None,
        without_base: None,
        noun: "map",
        separator: "",
    }),
    convert: Some(ConvertVerb {
        about: "Convert instances to another notation",
        help: "Target notation: the contest format; a scenario in YAML; or a map of the MovingAI \
               benchmark, and its scenario or instance file of pibt2, which name the map `map.map`",
        notations: &[
            Notation { name: "contest", noun: "data set of the contest", separator: "" },
            Notation { name: "yaml", noun: "scenario in YAML", separator: "" },
            Notation { name: "map", noun: "map", separator: "\n" },
            Notation { name: "scenario", noun: "scenario", separator: "\n" },
            Notation { name: "pibt2", noun: "file of pibt2", separator: "\n" },
        ],
    }),
    judge: Some(JudgeVerb { end: "0 0 0\n", separator: "", has_statement: true }),
    timeline: true,
    brushes: edit::BRUSHES,
    ..Verbs::NONE
};

impl Puzzle for Halloween {
    const INFO: Info = Info {
        about: "The Morning after Halloween: bring every ghost to its goal, all moving at once",
        format: not_in_browser(FORMAT),
        chinese: not_in_browser(include_str!("chinese.txt")),
        engines: &Engine::ALL,
        two_texts: Some(TwoTexts {
            first: "map",
            second: "scenario",
            second_extension: "scen",
            part: "agents",
            cost: "makespan",
            details: &["sum_of_costs", "moves"],
        }),
        import_options: &[("agents", "5")],
        moves_at_once: true,
        verbs: VERBS,
        compared: "crossing",
        examples: EXAMPLES,
        ..Info::named("halloween", builtin::BUILTINS)
    };

    type Options = ReadOptions;
    type PictureOptions = NoOptions;
    type Instance = Instance;

    fn read<'a>(text: &'a [u8], _: &'a ReadOptions) -> impl Iterator<Item = Parsed<Instance>> + 'a {
        let is_map = text.starts_with(b"type ");
        let hinting = move |diagnostic: Diagnostic| match is_map {
            true => diagnostic
                .hinting("a map of the MovingAI benchmark needs `--scenario FILE`".to_owned()),
            false => diagnostic,
        };
        Instance::read(text).map(move |data_set| data_set.map_err(hinting))
    }

    fn solve(instance: &Instance, engine: Option<Engine>, budget: &Budget) -> Solved<Self> {
        solve::solve(instance, engine, budget)
    }

    fn read_move(instance: &Instance, line: Line<'_>) -> Parsed<JointStep> {
        JointStep::read(line, instance.ghosts().len())
    }

    fn by_hand(instance: &Instance, pushes: &[Push]) -> Option<JointStep> {
        let ghosts = instance.ghosts();
        let mut step = JointStep(vec![None; ghosts.len()]);
        for Push { at, path } in pushes {
            let ghost = ghosts.iter().position(|ghost| ghost.start == *at)?;
            step.0[ghost] = Some(*path.first()?);
        }
        Some(step)
    }

    fn write_move(_: &Instance, step: &JointStep, line: &mut dyn fmt::Write) -> fmt::Result {
        write!(line, "{step}")
    }

    fn animation<'a>(
        instance: &'a Instance,
        plan: &'a Replayed<Instance>,
        _: &NoOptions,
        limits: &DrawLimits<'_>,
    ) -> Result<Animation<'a>, DrawError> {
        picture::animation(instance, plan, limits)
    }

    fn max_shapes(instance: &Instance) -> usize {
        // All corridor cells are one shape, and all walls.
        2 + 2 * instance.ghosts().len()
    }

    fn second_texts(options: &ReadOptions) -> &[PathBuf] {
        &options.scenario
    }

    fn first_text(scenario: &[u8]) -> Option<String> {
        moving_ai::map_name(scenario)
    }

    fn read_two(
        map: &[u8],
        scenario: &[u8],
        options: &ReadOptions,
    ) -> Vec<Result<Instance, TextError>> {
        let counts = options.agents.iter().map(|agents| Some(agents.get() as usize));
        let counts: Vec<_> = if options.agents.is_empty() { vec![None] } else { counts.collect() };
        let read = |agents| {
            moving_ai::read(map, scenario, agents).map_err(|error| match error {
                ReadError::Map(diagnostic) => TextError::First(diagnostic),
                ReadError::Scenario(diagnostic) => TextError::Second(diagnostic),
            })
        };
        counts.into_iter().map(read).collect()
    }

    fn part(instance: &Instance) -> usize {
        instance.ghosts().len()
    }

    fn unit(_: &Instance) -> [&'static str; 2] {
        ["step", "steps"]
    }

    fn details<'a>(instance: &'a Instance, plan: &'a Verified<Instance>) -> Option<AnyDetails<'a>> {
        Some(Box::new(Details::of(instance, plan)))
    }

    fn details_schema() -> Option<Schema> {
        Some(schema_of::<Details<'_>>())
    }

    fn at_state(instance: &Instance, state: &dyn Any) -> Option<Instance> {
        solve::at_state(instance, state)
    }

    fn explorer(instance: &Instance) -> Option<&dyn Explore> {
        Some(instance)
    }

    fn certifier(instance: &Instance) -> Option<&dyn Certify> {
        Some(instance)
    }

    fn timeline(instance: &Instance) -> Option<&dyn Timeline<Instance>> {
        Some(instance)
    }

    fn editor(instance: &Instance) -> Option<&dyn Edit<Instance>> {
        Some(instance)
    }

    fn converter(instance: &Instance) -> Option<&dyn Convert> {
        Some(instance)
    }

    fn generator() -> Option<&'static dyn Generate<Self::Instance>> {
        Some(&Self)
    }

    fn judge() -> Option<&'static dyn Judge<Self::Instance>> {
        Some(&Self)
    }
}
