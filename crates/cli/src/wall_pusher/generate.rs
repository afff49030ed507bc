//! `generate`: random mazes.

use clap::Args;
use fewest_core::budget::Budget;
use fewest_puzzle::random::Random;
use fewest_wall_pusher::generate::{GenerateOptions, hard, limits, maze};
use fewest_wall_pusher::{Instance, Size};

use super::WallPusher;
use crate::args::whole_number;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::generate::{GenerateArgs, Generator};

#[derive(Args)]
pub(crate) struct Generate {
    /// Rows x columns, at most 8x8. The numbers do not contain the size, so `solve` needs --size as
    /// well
    #[arg(long, value_name = "RxC", default_value = "4x6")]
    size: Size,

    /// Average share of inner edges with a wall, in percent; changes of --hard may have more or
    /// fewer
    #[arg(
        long,
        value_name = "PERCENT",
        default_value_t = 50,
        value_parser = whole_number(0usize, 100),
    )]
    walls: usize,

    /// Number of gaps in the border, at most 100, or all edges of a smaller border; changes of
    /// --hard may have more or fewer
    #[arg(
        long,
        value_name = "COUNT",
        default_value_t = 2,
        value_parser = whole_number(0usize, 100),
    )]
    gaps: usize,

    #[command(flatten)]
    args: GenerateArgs,
}

impl Generate {
    pub(super) fn run(&self) -> Result<Exit, Failure> {
        let options = GenerateOptions { size: self.size, walls: self.walls, gaps: self.gaps };
        let generator = Generator {
            make: |random: &mut Random| Ok(maze(options, random)),
            hardest: |tries, random: &mut Random, budget: &mut dyn FnMut() -> Option<Budget>| {
                hard(options, tries, random, budget).map_err(Failure::plan_refused)
            },
            limits: limits(self.size),
            noun: "maze",
        };
        self.args.run::<WallPusher, _, _>(generator, Instance::to_string)
    }
}
