//! `explore`: all boards that can be reached from a board.

use std::io::{self, Write};

use clap::Args;
use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::diameter::{Diameter, Progress};
use fewest_klotski::explore::{self, Component, ComponentGraph, Extreme};
use serde_json::{Value, json};

use fewest_klotski::Task;

use super::{Klotski, Options, checked};
use crate::args::LimitArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{DataSet, Source, skip_invalid};
use crate::json;
use crate::message::message;
use crate::output::{BrokenPipe, standard_output_with};
use crate::plot::PlotArgs;
use crate::puzzle::{Puzzle, moves, plural};
use crate::report::{limit_name, write_explored, write_layers};
use crate::run::Run;
use crate::verbs::completions;

#[derive(Args)]
pub(crate) struct Explore {
    /// A file, `-` for standard input, a built-in name, or a board itself
    #[arg(required = true, value_name = "INSTANCE", add = completions::instance::<Klotski>())]
    instances: Vec<String>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    options: Options,

    /// Also compute the diameter and the radius: the greatest and the least eccentricity of all
    /// boards
    #[arg(long)]
    diameter: bool,

    /// Instead, print all boards and the moves between them: as GraphML, as DOT for Graphviz, as
    /// CSV with one move per row, or as JSON with one board per line
    #[arg(long, value_name = "FORMAT", value_parser = ["graphml", "dot", "csv", "jsonl"], conflicts_with_all = ["diameter", "json", "plot"])]
    export: Option<String>,

    #[command(flatten)]
    plot: PlotArgs,

    /// Print one JSON object per data set, one object per line
    #[arg(long)]
    json: bool,
}

impl Explore {
    pub(super) fn run(&self) -> Result<Exit, Failure> {
        let sources = Source::instances::<Klotski>(&self.instances)?;
        let run = Run::start("board");
        let mut out = standard_output_with(BrokenPipe::discards_if(self.plot.is_set()));
        let mut exit = Exit::Answered;
        let mut plot = self.plot.start(&self.instances)?;
        for data_set in sources.iter().flat_map(|source| source.data_sets::<Klotski>(&self.options))
        {
            if run.is_interrupted() {
                exit = exit.max(Exit::Interrupted);
                break;
            }
            let Some(data_set) = skip_invalid(data_set, &mut exit)? else { continue };
            let DataSet { name, is_only, instance: task } = data_set;
            let budget = run.budget(self.limits.limits());
            checked(&task)?;
            if let Some(format) = &self.export {
                if !is_only || sources.len() > 1 {
                    return Err(Failure::usage("--export takes one board, and there are several"));
                }
                let graph = explore::component_graph(&task, &budget).map_err(Failure::Stopped)?;
                write_graph(&graph, format, &budget, &mut out)?;
                break;
            }
            let mut stopped = |what: &str, limit: Limit| {
                message(format_args!("{name}{what}: stopped, {limit}"));
                exit = exit.max(Exit::from_limit(limit));
            };
            let component = match explore::explore(&task, &budget) {
                Ok(component) => component,
                Err(limit) => {
                    stopped("", limit);
                    continue;
                }
            };
            let wants_diameter = self.diameter && component.limit.is_none();
            let diameter = wants_diameter
                .then(|| {
                    explore::diameter(&task, &budget, |progress| {
                        run.set_message(diameter_progress(progress))
                    })
                })
                .transpose();
            let diameter = diameter.unwrap_or_else(|limit| {
                // The report of the component is still printed.
                stopped(", diameter", limit);
                None
            });
            run.inc(1);
            plot.add(&name, &component.layers);
            if self.json {
                json::write::<Klotski>(
                    "explore",
                    fields(&name, &task, &component, diameter),
                    &mut out,
                )?;
            } else {
                write_text(&name, &task, &component, diameter, &mut out)?;
            }
            out.flush()?;
            exit = exit.max(match (&component.hardest, component.goals) {
                (Err(limit), _) => Exit::from_limit(*limit),
                (Ok(_), 0) => Exit::Unsolvable,
                (Ok(_), _) => Exit::Answered,
            });
        }
        out.flush()?;
        plot.write()?;
        Ok(exit)
    }
}

/// The progress of the search for the diameter as text.
fn diameter_progress(progress: Progress) -> String {
    let Progress { searches, undecided, diameter_least, diameter_most, radius_least, radius_most } =
        progress;
    format!(
        "{searches} searches, {undecided} boards undecided: diameter {diameter_least} to {diameter_most}, radius \
         {radius_least} to {radius_most}"
    )
}

fn write_text(
    name: &str,
    task: &Task,
    component: &Component,
    diameter: Option<Diameter>,
    out: &mut impl Write,
) -> io::Result<()> {
    let count = |count| moves::<Klotski>(task, count);
    let Component { boards, goals, layers, farthest, hardest, limit, .. } = component;
    write_explored::<Klotski>(name, task, limit.map(|limit| (limit, farthest.moves)), out)?;
    writeln!(out, "boards: {boards}, of which {goals} are solved")?;
    let write = |what: &str, Extreme { moves, boards, board }: &Extreme, out: &mut dyn Write| {
        writeln!(
            out,
            "{what}: {}, {boards} {}: {}",
            count(*moves),
            plural("board", *boards),
            board.row_text()
        )
    };
    write("farthest from the start", farthest, out)?;
    match hardest {
        Ok(Some(hardest)) => write("farthest from a goal", hardest, out)?,
        Ok(None) => writeln!(out, "unsolvable")?,
        Err(stopped) if limit.is_none() => {
            writeln!(out, "farthest from a goal: stopped, {stopped}")?
        }
        Err(_) => {}
    }
    if let Some(Diameter { diameter, radius, searches }) = diameter {
        writeln!(
            out,
            "diameter: {diameter}, radius: {radius}, by {searches} {}",
            plural("search", searches)
        )?;
    }
    write_layers(layers, out)
}

fn fields(name: &str, task: &Task, component: &Component, diameter: Option<Diameter>) -> Value {
    let extreme = |extreme: &Extreme| json!({ "moves": extreme.moves, "boards": extreme.boards, "board": extreme.board.row_text() });
    let Component { boards, goals, layers, farthest, hardest, limit, stats } = component;
    json!({
        "instance": name,
        "board": Klotski::board(task),
        "cost_unit": Klotski::moves(task)[0],
        "complete": limit.is_none(),
        "limit": limit.or(hardest.as_ref().err().copied()).map(limit_name),
        "boards": boards,
        "goals": goals,
        "eccentricity": limit.is_none().then_some(farthest.moves),
        "farthest": extreme(farthest),
        "hardest": hardest.as_ref().ok().and_then(Option::as_ref).map(extreme),
        "diameter": diameter.map(|found| found.diameter),
        "radius": diameter.map(|found| found.radius),
        "layers": layers,
        "stats": { "expanded": stats.expanded, "generated": stats.generated, "bytes": stats.bytes },
    })
}

/// Writes all boards and moves. The boards are numbered from 0, the start.
fn write_graph(
    graph: &ComponentGraph,
    format: &str,
    budget: &Budget,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let check_budget = || budget.check().map_err(Failure::Stopped);
    let ComponentGraph { depths, solved, boards, .. } = graph;
    // Boards may contain characters that have a meaning in XML or in quoted strings.
    let xml = |text: &str| {
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
    };
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    match format {
        "graphml" => {
            writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
            writeln!(out, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
            for (key, kind) in [("board", "string"), ("depth", "int"), ("solved", "boolean")] {
                writeln!(
                    out,
                    "  <key id=\"{key}\" for=\"node\" attr.name=\"{key}\" attr.type=\"{kind}\"/>"
                )?;
            }
            writeln!(out, "  <graph edgedefault=\"undirected\">")?;
            for number in 0..boards.len() {
                check_budget()?;
                let (board, depth, solved) = (xml(&boards[number]), depths[number], solved[number]);
                writeln!(
                    out,
                    "    <node id=\"n{number}\"><data key=\"board\">{board}</data><data key=\"depth\">{depth}</data>\
                     <data key=\"solved\">{solved}</data></node>"
                )?;
            }
            for (one, other) in graph.moves() {
                check_budget()?;
                writeln!(out, "    <edge source=\"n{one}\" target=\"n{other}\"/>")?;
            }
            writeln!(out, "  </graph>\n</graphml>")?;
        }
        "dot" => {
            writeln!(out, "graph klotski {{")?;
            for number in 0..boards.len() {
                check_budget()?;
                let shape = if solved[number] { ", shape=box" } else { "" };
                writeln!(out, "  {number} [label=\"{}\"{shape}];", quoted(&boards[number]))?;
            }
            for (one, other) in graph.moves() {
                check_budget()?;
                writeln!(out, "  {one} -- {other};")?;
            }
            writeln!(out, "}}")?;
        }
        "csv" => {
            writeln!(out, "from,to")?;
            let field = |number: u32| {
                let board = &boards[number as usize];
                if board.contains([',', '"']) {
                    format!("\"{}\"", board.replace('"', "\"\""))
                } else {
                    board.clone()
                }
            };
            for (one, other) in graph.moves() {
                check_budget()?;
                writeln!(out, "{},{}", field(one), field(other))?;
            }
        }
        _ => {
            for number in 0..boards.len() {
                check_budget()?;
                let (board, depth, solved) = (&boards[number], depths[number], solved[number]);
                let mut next = graph.successors(number as u32).to_vec();
                next.sort_unstable();
                let fields = json!({ "number": number, "board": board, "depth": depth, "solved": solved, "moves_to": next });
                json::write::<Klotski>("explore-export", fields, out)?;
            }
        }
    }
    Ok(())
}
