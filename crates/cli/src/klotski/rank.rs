//! `rank`: sorts boards by difficulty.

use std::cmp::Reverse;
use std::fs;
use std::io::Write;
use std::path::Path;

use clap::Args;
use fewest_klotski::plans::{Difficulty, difficulty};
use serde_json::json;
use unicode_width::UnicodeWidthStr;

use fewest_klotski::Task;

use super::{Klotski, Options, checked};
use crate::args::LimitArgs;
use crate::diagnostic;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{DataSet, Source};
use crate::json;
use crate::message::message;
use crate::output::standard_output;
use crate::puzzle::plan_count;
use crate::run::Run;
use crate::verbs::completions;

#[derive(Args)]
pub(crate) struct Rank {
    /// Files with boards, `-` for standard input, folders with such files (not recursive, without
    /// hidden files), built-in names, or boards themselves
    #[arg(required = true, value_name = "INSTANCE", add = completions::instance::<Klotski>())]
    instances: Vec<String>,

    /// Sort key. First come the boards with the most moves (`moves`), the fewest shortest plans
    /// (`plans`), the greatest share of boards with a single best move (`forced`), the most dead
    /// ends (`dead-ends`), or the most reachable boards (`boards`)
    #[arg(long, default_value = "moves", value_parser = ["moves", "plans", "forced", "dead-ends", "boards"])]
    by: String,

    /// Print one JSON object per board, one object per line
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    options: Options,
}

impl Rank {
    pub(super) fn run(&self) -> Result<Exit, Failure> {
        let read = |name: &String| match files(name) {
            Ok(files) => files.iter().map(|file| Source::instance::<Klotski>(file)).collect(),
            Err(failure) => vec![Err(failure)],
        };
        let sources: Vec<_> = self.instances.iter().flat_map(read).collect();
        // Started after the input is read, because until then Ctrl-C should end the program.
        let run = Run::start("board");
        let mut ranked: Vec<(String, Option<Difficulty>)> = Vec::new();
        let mut exit = Exit::Answered;
        let mut show = |name, task: &Task| {
            let budget = run.budget(self.limits.limits());
            let hard = difficulty(task, &budget);
            run.inc(1);
            match hard {
                Ok(hard) => {
                    exit = exit.max(if hard.is_some() { Exit::Answered } else { Exit::Unsolvable });
                    ranked.push((name, hard));
                }
                Err(limit) => {
                    message(format_args!("{name}: stopped, {limit}"));
                    exit = exit.max(Exit::from_limit(limit));
                }
            }
            exit != Exit::Interrupted
        };
        let mut result = Ok(());
        for source in sources {
            match source.and_then(|source| self.for_each(&source, &mut show)) {
                Ok(true) => {}
                Ok(false) => break,
                Err(failure) => {
                    // An invalid file does not stop the others. The last error is returned at the
                    // end, all earlier ones are printed here.
                    if let Err(before) = std::mem::replace(&mut result, Err(failure)) {
                        message(format_args!("{}", diagnostic::render(&before)));
                    }
                }
            }
        }
        // Unsolvable boards come last. The sort is stable.
        let key = |hard: &Difficulty| match self.by.as_str() {
            "plans" => u128::MAX - hard.plans.unwrap_or(u128::MAX),
            "forced" => (hard.forced * 1e9) as u128,
            "dead-ends" => hard.dead_ends.into(),
            "boards" => hard.boards.into(),
            _ => hard.moves.into(),
        };
        ranked.sort_by_key(|(_, hard)| Reverse(hard.as_ref().map(key)));
        let mut out = standard_output();
        if !self.json {
            writeln!(
                out,
                "moves  plans           unique  forced  idle  boards    dead ends  board"
            )?;
        }
        for (name, hard) in &ranked {
            match hard {
                Some(hard) if self.json => {
                    let idle: String = hard.idle.iter().collect();
                    let fields = json!({
                        "instance": name, "moves": hard.moves, "plans": hard.plans.map(|plans| plans.to_string()),
                        "unique": hard.unique, "forced": hard.forced, "idle": idle, "boards": hard.boards,
                        "dead_ends": hard.dead_ends,
                    });
                    json::write::<Klotski>("rank", fields, &mut out)?;
                }
                None if self.json => {
                    json::write::<Klotski>(
                        "rank",
                        json!({ "instance": name, "moves": null }),
                        &mut out,
                    )?;
                }
                Some(hard) => {
                    let plans = plan_count(hard.plans);
                    let idle: String = hard.idle.iter().collect();
                    writeln!(
                        out,
                        "{:<5}  {plans:<14}  {:<6}  {:>4.0} %  {}  {:<8}  {:<9}  {name}",
                        hard.moves,
                        if hard.unique { "yes" } else { "no" },
                        100.0 * hard.forced,
                        padded(if idle.is_empty() { "-" } else { &idle }, 4),
                        hard.boards,
                        hard.dead_ends,
                    )?;
                }
                None => writeln!(out, "{:<64}  {name}", "unsolvable")?,
            }
        }
        out.flush()?;
        result.map(|()| exit)
    }

    /// Calls `show` for each board of a file. Returns whether `show` accepts more boards.
    fn for_each(
        &self,
        source: &Source,
        show: &mut impl FnMut(String, &Task) -> bool,
    ) -> Result<bool, Failure> {
        for data_set in source.data_sets::<Klotski>(&self.options) {
            let DataSet { name, instance: task, .. } = data_set?;
            if !show(name, checked(&task)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// The files of a folder sorted by name, or the name itself if it is not a folder.
fn files(name: &str) -> Result<Vec<String>, Failure> {
    if !Path::new(name).is_dir() {
        return Ok(vec![name.to_owned()]);
    }
    let read_failure = |error| Failure::Read { origin: name.to_owned(), error };
    let mut files = Vec::new();
    for entry in fs::read_dir(name).map_err(read_failure)? {
        let entry = entry.map_err(read_failure)?;
        let path = entry.path();
        if path.is_file() && !entry.file_name().to_string_lossy().starts_with('.') {
            files.push(path.to_string_lossy().into_owned());
        }
    }
    files.sort();
    Ok(files)
}
