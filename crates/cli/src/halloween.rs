//! The Morning after Halloween on the command line.

use std::fmt::Display;

use fewest_core::budget::Budget;
use fewest_core::builtin::Builtin;
use fewest_core::search::{Answer, Engine};
use fewest_core::text::{Diagnostic, Line};
use fewest_halloween::plan::Step;
use fewest_halloween::{Instance, Plan, builtin, rules, solve};

use crate::puzzle::{NoOptions, Puzzle};

pub(crate) enum Halloween {}

impl Puzzle for Halloween {
    const NAME: &'static str = "halloween";
    const ABOUT: &'static str = "The Morning after Halloween: bring every ghost home, all moving at once";
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
At most 26 ghosts and 255 x 255 cells. Classic mode answers by the number of steps, or -1 where there
is no plan.

A line of a plan is a step: `aN bE` sends `a` north and `b` east while all others stay; `-` lets
all stay.";
    const ENGINES: &'static [Engine] = &Engine::ALL;
    const CLASSIC_UNSOLVABLE: &'static str = "-1";

    type Options = NoOptions;
    type Instance = Instance;
    type Move = Step;

    fn builtins() -> &'static [Builtin] {
        builtin::BUILTINS
    }

    fn read(text: &[u8], _: &NoOptions) -> impl Iterator<Item = Result<Instance, Diagnostic>> {
        Instance::read(text)
    }

    fn moves(_: &Instance) -> [&'static str; 2] {
        ["step", "steps"]
    }

    fn solve(instance: &Instance, engine: Option<Engine>, budget: &Budget) -> Result<Answer<Plan>, String> {
        solve::solve(instance, engine, budget).map_err(|refusal| refusal.to_string())
    }

    fn write_move(step: &Step) -> String {
        step.to_string()
    }

    fn read_move(instance: &Instance, line: Line<'_>) -> Result<Step, Diagnostic> {
        Step::read(line, instance.ghosts().len())
    }

    fn replay(instance: &Instance, plan: &[Step]) -> Result<(), impl Display> {
        rules::replay(instance, plan)
    }
}
