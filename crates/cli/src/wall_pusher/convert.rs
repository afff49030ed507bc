//! `convert`: mazes in another notation.

use std::io::{self, BufWriter, Write};

use clap::Args;

use super::{Options, WallPusher};
use crate::exit::{Exit, Failure};
use crate::input::Source;

#[derive(Args)]
pub(crate) struct Convert {
    /// A file, `-` for standard input, or a built-in name
    instance: String,

    /// To the judges' numbers, which do not tell their size, or to drawings
    #[arg(long, value_name = "NOTATION", value_parser = ["numbers", "drawing"])]
    to: String,

    #[command(flatten)]
    options: Options,
}

impl Convert {
    pub(super) fn carry_out(&self) -> Result<Exit, Failure> {
        let source = Source::instance::<WallPusher>(&self.instance)?;
        let mut out = BufWriter::new(io::stdout().lock());
        for (number, data_set) in source.data_sets::<WallPusher>(&self.options).enumerate() {
            let (_, maze) = data_set?;
            if self.to == "numbers" {
                write!(out, "{maze}")?;
            } else {
                let between = if number > 0 { "\n" } else { "" };
                write!(out, "{between}{}", maze.drawing())?;
            }
        }
        out.flush()?;
        Ok(Exit::Answered)
    }
}
