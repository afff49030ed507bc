//! `convert`: writes mazes in another notation.

use std::io::Write;

use clap::Args;
use serde_json::json;

use super::{Options, WallPusher};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{DataSet, Source};
use crate::json;
use crate::output::standard_output;
use crate::verbs::completions;

#[derive(Args)]
pub(crate) struct Convert {
    /// A file, `-` for standard input, or a built-in name
    #[arg(add = completions::instance::<WallPusher>())]
    instance: String,

    /// Target notation: the numbers of the contest format, which do not contain the size, or
    /// drawings
    #[arg(long, value_name = "NOTATION", value_parser = ["numbers", "drawing"])]
    to: String,

    /// Print one JSON object per data set, one object per line, with the converted text
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    options: Options,
}

impl Convert {
    pub(super) fn run(&self) -> Result<Exit, Failure> {
        let source = Source::instance::<WallPusher>(&self.instance)?;
        let mut out = standard_output();
        for (number, data_set) in source.data_sets::<WallPusher>(&self.options).enumerate() {
            let DataSet { name, instance: maze, .. } = data_set?;
            let text = if self.to == "numbers" { maze.to_string() } else { maze.drawing() };
            if self.json {
                let size = maze.size().to_string();
                let fields = json!({ "instance": name, "notation": self.to, "size": size, "text": text.trim_end() });
                json::write::<WallPusher>("convert", fields, &mut out)?;
                continue;
            }
            let between = if number > 0 && self.to == "drawing" { "\n" } else { "" };
            write!(out, "{between}{text}")?;
        }
        out.flush()?;
        Ok(Exit::Answered)
    }
}
