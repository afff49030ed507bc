//! `generate`: mazes from a seed.

use clap::Args;
use fewest_core::budget::Budget;
use fewest_core::random::Random;
use fewest_wall_pusher::generate::{Wanted, hard, limits, maze};
use fewest_wall_pusher::{Instance, Size};

use super::WallPusher;
use crate::args::whole;
use crate::exit::{Exit, Failure};
use crate::generate::{GenerateArgs, Generator};

#[derive(Args)]
pub(crate) struct Generate {
    /// Rows x columns, at most 8x8; numbers do not tell it, so `solve` has to be told it again
    #[arg(long, value_name = "RxC", default_value = "4x6")]
    size: Size,

    /// Of a hundred edges within, so many have a wall on average; the changes of --hard may have
    /// more or fewer
    #[arg(long, value_name = "PERCENT", default_value_t = 50, value_parser = whole(0usize, 100))]
    walls: usize,

    /// The gaps of the border, at most 100; all of it, if it has fewer edges. The changes of --hard
    /// may have more or fewer
    #[arg(long, value_name = "COUNT", default_value_t = 2, value_parser = whole(0usize, 100))]
    gaps: usize,

    #[command(flatten)]
    args: GenerateArgs,
}

impl Generate {
    pub(super) fn carry_out(&self) -> Result<Exit, Failure> {
        let wanted = Wanted { size: self.size, walls: self.walls, gaps: self.gaps };
        let generator = Generator {
            make: |random: &mut Random| Ok(maze(wanted, random)),
            hard: |tries, random: &mut Random, budget: &mut dyn FnMut() -> Option<Budget>| {
                hard(wanted, tries, random, budget).map_err(Failure::refused)
            },
            limits: limits(self.size),
            many: "mazes",
        };
        self.args.carry_out::<WallPusher, _, _>(generator, Instance::to_string)
    }
}
