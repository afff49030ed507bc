//! `explore`: what can be reached from a board.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use fewest_core::budget::Budget;
use fewest_core::explore::diameter::Progress;
use fewest_klotski::explore::{self, Component, Extreme, Network};
use serde_json::{Value, json};

use super::{Klotski, Options, Question};
use crate::args::LimitArgs;
use crate::exit::{Exit, Failure, message};
use crate::input::Source;
use crate::puzzle::{Puzzle, moves};
use crate::session::interrupted;

#[derive(Args)]
pub(crate) struct Explore {
    /// A file, `-` for standard input, a built-in name, or a board itself
    instance: String,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    options: Options,

    /// Also the diameter and the radius: the greatest and the least eccentricity of all boards
    #[arg(long)]
    diameter: bool,

    /// Write all boards and the moves between them instead, for other programs: as GraphML, for Graphviz, as CSV of the moves,
    /// or as JSON, a board on a line
    #[arg(long, value_name = "FORMAT", value_parser = ["graphml", "dot", "csv", "jsonl"], conflicts_with_all = ["diameter", "json"])]
    export: Option<String>,

    /// Print one JSON object a data set, each on a line
    #[arg(long)]
    json: bool,
}

impl Explore {
    pub(super) fn carry_out(&self) -> Result<Exit, Failure> {
        let source = Source::instance::<Klotski>(&self.instance)?;
        let flag = interrupted();
        let mut out = BufWriter::new(io::stdout().lock());
        let mut exit = Exit::Answered;
        for data_set in source.data_sets::<Klotski>(&self.options) {
            let (name, question) = data_set?;
            let budget = Budget::new(self.limits.limits()).cancelled_by(Arc::clone(&flag));
            let Question { ref puzzle, metric, encoding } = question;
            if let Some(format) = &self.export {
                let network = explore::network(puzzle, metric, encoding, &budget).map_err(Failure::Stopped)?;
                write_network(&network, format, &mut out)?;
                continue;
            }
            let component = explore::explore(puzzle, metric, encoding, &budget).map_err(Failure::Stopped)?;
            let diameter = match component.limit {
                None if self.diameter => {
                    let found = explore::extent(puzzle, metric, encoding, &budget, reporter());
                    Some(found.map_err(Failure::Stopped)?)
                }
                _ => None,
            };
            let extent = diameter.map(|found| (found.diameter, found.radius, found.searches));
            if self.json {
                writeln!(out, "{}", object(&name, &question, &component, extent))?;
            } else {
                write_text(&name, &question, &component, extent, &mut out)?;
            }
            out.flush()?;
            exit = exit.max(match (component.limit, component.goals) {
                (Some(limit), _) => Exit::at(limit),
                (None, 0) => Exit::Unsolvable,
                (None, _) => Exit::Answered,
            });
            if exit == Exit::Interrupted {
                break;
            }
        }
        out.flush()?;
        Ok(exit)
    }
}

/// Tells every few seconds how far the search for the diameter is.
fn reporter() -> impl FnMut(Progress) {
    let mut last = Instant::now();
    move |progress| {
        if last.elapsed() > Duration::from_secs(2) {
            last = Instant::now();
            let Progress { searches, undecided, diameter_least, diameter_most, radius_least, radius_most } = progress;
            message(format_args!(
                "{searches} searches, {undecided} boards undecided: diameter {diameter_least} to {diameter_most}, radius \
                 {radius_least} to {radius_most}"
            ));
        }
    }
}

fn write_text(
    name: &str,
    question: &Question,
    component: &Component,
    extent: Option<(u32, u32, u64)>,
    out: &mut impl Write,
) -> io::Result<()> {
    let count = |count| moves::<Klotski>(question, count);
    writeln!(out, "# {name}")?;
    Klotski::board(question).iter().flat_map(|board| board.lines()).try_for_each(|line| writeln!(out, "# {line}"))?;
    let Component { boards, goals, layers, farthest, hardest, limit, .. } = component;
    if let Some(limit) = limit {
        writeln!(out, "stopped, {limit}: what follows is of the boards within {}", count(farthest.moves))?;
    }
    writeln!(out, "boards: {boards}, of which {goals} are solved")?;
    let write = |what: &str, Extreme { moves, boards, board }: &Extreme, out: &mut dyn Write| {
        writeln!(out, "{what}: {}, {boards} {}: {}", count(*moves), plural("board", *boards), board.row_text())
    };
    write("farthest from the start", farthest, out)?;
    match hardest {
        Some(hardest) => write("farthest from a goal", hardest, out)?,
        None if limit.is_none() => writeln!(out, "unsolvable")?,
        None => {}
    }
    if let Some((diameter, radius, searches)) = extent {
        writeln!(out, "diameter: {diameter}, radius: {radius}, by {searches} {}", plural("search", searches))?;
    }
    let layers: Vec<String> = layers.iter().map(u64::to_string).collect();
    writeln!(out, "boards by moves from the start: {}\n", layers.join(" "))
}

fn plural(what: &str, count: u64) -> String {
    match count {
        1 => what.to_owned(),
        _ if what.ends_with('h') => format!("{what}es"),
        _ => format!("{what}s"),
    }
}

fn object(name: &str, question: &Question, component: &Component, extent: Option<(u32, u32, u64)>) -> Value {
    let extreme = |extreme: &Extreme| json!({ "moves": extreme.moves, "boards": extreme.boards, "board": extreme.board.row_text() });
    let Component { boards, goals, layers, farthest, hardest, limit, stats } = component;
    json!({
        "puzzle": Klotski::NAME,
        "instance": name,
        "board": Klotski::board(question),
        "cost_unit": Klotski::moves(question)[0],
        "complete": limit.is_none(),
        "boards": boards,
        "goals": goals,
        "eccentricity": farthest.moves,
        "farthest": extreme(farthest),
        "hardest": hardest.as_ref().map(extreme),
        "diameter": extent.map(|extent| extent.0),
        "radius": extent.map(|extent| extent.1),
        "layers": layers,
        "stats": { "expanded": stats.expanded, "generated": stats.generated, "bytes": stats.bytes },
    })
}

/// The boards are numbered from 0, which is the start.
fn write_network(network: &Network, format: &str, out: &mut impl Write) -> io::Result<()> {
    let Network { depths, solved, boards, moves, .. } = network;
    // Of the characters of boards, those that mean something in XML and in quotes.
    let xml = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    match format {
        "graphml" => {
            writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
            writeln!(out, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
            for (key, kind) in [("board", "string"), ("depth", "int"), ("solved", "boolean")] {
                writeln!(out, "  <key id=\"{key}\" for=\"node\" attr.name=\"{key}\" attr.type=\"{kind}\"/>")?;
            }
            writeln!(out, "  <graph edgedefault=\"undirected\">")?;
            for number in 0..boards.len() {
                let (board, depth, solved) = (xml(&boards[number]), depths[number], solved[number]);
                writeln!(
                    out,
                    "    <node id=\"n{number}\"><data key=\"board\">{board}</data><data key=\"depth\">{depth}</data>\
                     <data key=\"solved\">{solved}</data></node>"
                )?;
            }
            for (one, other) in moves {
                writeln!(out, "    <edge source=\"n{one}\" target=\"n{other}\"/>")?;
            }
            writeln!(out, "  </graph>\n</graphml>")
        }
        "dot" => {
            writeln!(out, "graph klotski {{")?;
            for number in 0..boards.len() {
                let shape = if solved[number] { ", shape=box" } else { "" };
                writeln!(out, "  {number} [label=\"{}\"{shape}];", quoted(&boards[number]))?;
            }
            moves.iter().try_for_each(|(one, other)| writeln!(out, "  {one} -- {other};"))?;
            writeln!(out, "}}")
        }
        "csv" => {
            writeln!(out, "from,to")?;
            let field = |number: u32| {
                let board = &boards[number as usize];
                if board.contains([',', '"']) { format!("\"{}\"", board.replace('"', "\"\"")) } else { board.clone() }
            };
            moves.iter().try_for_each(|&(one, other)| writeln!(out, "{},{}", field(one), field(other)))
        }
        _ => {
            let mut next = vec![Vec::new(); boards.len()];
            for &(one, other) in moves {
                next[one as usize].push(other);
                next[other as usize].push(one);
            }
            for (number, next) in next.into_iter().enumerate() {
                let (board, depth, solved) = (&boards[number], depths[number], solved[number]);
                let line =
                    json!({ "number": number, "board": board, "depth": depth, "solved": solved, "moves_to": next });
                writeln!(out, "{line}")?;
            }
            Ok(())
        }
    }
}
