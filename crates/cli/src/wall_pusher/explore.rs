//! `explore`: counts the boards that can be reached from the start of a maze.

use std::io::{self, Write};

use clap::Args;
use fewest_wall_pusher::Instance;
use fewest_wall_pusher::explore::{Explored, explore};
use serde_json::{Value, json};

use super::{Options, WallPusher};
use crate::args::LimitArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{DataSet, Source, skip_invalid};
use crate::json;
use crate::output::{BrokenPipe, standard_output_with};
use crate::plot::PlotArgs;
use crate::puzzle::{moves, plural};
use crate::report::{limit_name, write_explored, write_layers};
use crate::run::Run;
use crate::verbs::completions;

#[derive(Args)]
pub(crate) struct Explore {
    /// A file, `-` for standard input, or a built-in name
    #[arg(required = true, value_name = "INSTANCE", add = completions::instance::<WallPusher>())]
    instances: Vec<String>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    options: Options,

    #[command(flatten)]
    plot: PlotArgs,

    /// Print one JSON object per data set, one object per line
    #[arg(long)]
    json: bool,
}

impl Explore {
    pub(super) fn run(&self) -> Result<Exit, Failure> {
        let sources = Source::instances::<WallPusher>(&self.instances)?;
        let run = Run::start("maze");
        let mut out = standard_output_with(BrokenPipe::discards_if(self.plot.is_set()));
        let mut exit = Exit::Answered;
        let mut plot = self.plot.start(&self.instances)?;
        for data_set in
            sources.iter().flat_map(|source| source.data_sets::<WallPusher>(&self.options))
        {
            if run.is_interrupted() {
                exit = exit.max(Exit::Interrupted);
                break;
            }
            let Some(data_set) = skip_invalid(data_set, &mut exit)? else { continue };
            let DataSet { name, instance: maze, .. } = data_set;
            let explored =
                explore(&maze, &run.budget(self.limits.limits())).map_err(Failure::Stopped)?;
            run.inc(1);
            plot.add(&name, &explored.layers);
            if self.json {
                json::write::<WallPusher>("explore", fields(&name, &maze, &explored), &mut out)?;
            } else {
                write_text(&name, &maze, &explored, &mut out)?;
            }
            out.flush()?;
            exit = exit.max(match (explored.limit, explored.way_out) {
                (Some(limit), _) => Exit::from_limit(limit),
                (None, None) => Exit::Unsolvable,
                (None, Some(_)) => Exit::Answered,
            });
        }
        plot.write()?;
        Ok(exit)
    }
}

/// The number of moves to the last layer.
fn farthest(explored: &Explored) -> u32 {
    explored.layers.len().saturating_sub(1) as u32
}

fn write_text(
    name: &str,
    maze: &Instance,
    explored: &Explored,
    out: &mut impl Write,
) -> io::Result<()> {
    let count = |count| moves::<WallPusher>(maze, count);
    write_explored::<WallPusher>(
        name,
        maze,
        explored.limit.map(|limit| (limit, farthest(explored))),
        out,
    )?;
    writeln!(out, "boards: {}", explored.boards())?;
    match (explored.way_out, explored.limit) {
        (Some(way_out), _) => writeln!(out, "shortest path out: {}", count(way_out))?,
        (None, None) => writeln!(out, "unsolvable")?,
        (None, Some(_)) => {}
    }
    if let Some(&boards) = explored.layers.last() {
        writeln!(
            out,
            "farthest from the start: {}, {boards} {}",
            count(farthest(explored)),
            plural("board", boards)
        )?;
    }
    write_layers(&explored.layers, out)
}

fn fields(name: &str, maze: &Instance, explored: &Explored) -> Value {
    let Explored { layers, way_out, limit, stats } = explored;
    json!({
        "instance": name,
        "board": maze.drawing(),
        "complete": limit.is_none(),
        "limit": limit.map(limit_name),
        "boards": explored.boards(),
        "cost": way_out,
        "eccentricity": limit.is_none().then(|| farthest(explored)),
        "layers": layers,
        "stats": { "expanded": stats.expanded, "generated": stats.generated, "bytes": stats.bytes },
    })
}
