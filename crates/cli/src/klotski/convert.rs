//! `convert`: writes boards in another notation.

use std::io::Write;

use clap::Args;
use fewest_klotski::{Instance, builtin, rush_hour};
use serde_json::json;

use super::{Klotski, Options};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{DataSet, Source};
use crate::json;
use crate::output::standard_output;
use crate::verbs::completions;

#[derive(Args)]
pub(crate) struct Convert {
    /// A file, `-` for standard input, a built-in name, or a board itself
    #[arg(add = completions::instance::<Klotski>())]
    instance: String,

    /// Target notation: the lines of a board; rows on one line separated by `/`, with goals and
    /// locks below; a code; a name; or a Rush Hour line
    #[arg(long, value_name = "NOTATION", value_parser = ["board", "rows", "code", "name", "rush-hour"])]
    to: String,

    /// Print one JSON object per data set, one object per line, with the converted text
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    options: Options,
}

impl Convert {
    pub(super) fn run(&self) -> Result<Exit, Failure> {
        let source = Source::instance::<Klotski>(&self.instance)?;
        let mut out = standard_output();
        for (number, data_set) in source.data_sets::<Klotski>(&self.options).enumerate() {
            let DataSet { name, instance: task, .. } = data_set?;
            let puzzle = &task.instance;
            let text = match self.to.as_str() {
                "board" => Some(puzzle.to_string()),
                "rows" => Some(rows(puzzle)),
                "code" => puzzle.code().filter(|_| puzzle.is_classic()),
                "name" => named(puzzle),
                _ => rush_hour::write(puzzle),
            };
            let Some(text) = text else {
                let notation = self.to.replace("rush-hour", "Rush Hour line");
                return Err(Failure::usage(format!(
                    "{name} cannot be written as a {notation} without loss"
                )));
            };
            let text = text.trim_end();
            if self.json {
                let fields = json!({ "instance": name, "notation": self.to, "text": text });
                json::write::<Klotski>("convert", fields, &mut out)?;
                continue;
            }
            if number > 0 && self.to == "board" {
                writeln!(out)?;
            }
            writeln!(out, "{text}")?;
        }
        out.flush()?;
        Ok(Exit::Answered)
    }
}

/// The rows on one line, and the goals and locks below.
fn rows(puzzle: &Instance) -> String {
    let text = puzzle.to_string();
    let below = text.lines().skip(puzzle.board().rows()).map(|line| format!("\n{line}"));
    puzzle.board().row_text() + &below.collect::<String>()
}

/// The first built-in name of a layout. The pieces may have other characters than the built-in
/// ones.
fn named(puzzle: &Instance) -> Option<String> {
    let code = puzzle.code().filter(|_| puzzle.is_classic())?;
    let same = |text: &str| {
        let other = Instance::read(text.as_bytes()).next().and_then(Result::ok);
        other.and_then(|other| other.code()).as_ref() == Some(&code)
    };
    let builtin = builtin::BUILTINS.iter().find(|builtin| same(builtin.text))?;
    Some(builtin.names[0].to_owned())
}
