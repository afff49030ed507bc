//! `explore --export`: all boards and the moves between them, for other programs.

use std::io::{self, Write};

use clap::Args;
use fewest_core::budget::Budget;
use fewest_puzzle::explore::BoardGraph;
use fewest_puzzle::results::{self, BoardReport};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use crate::Puzzle;
use crate::failure::Failure;

#[derive(Args)]
#[group(skip)]
pub(super) struct ExportArgs {
    /// Instead, print all boards and the moves between them: as GraphML, as DOT for Graphviz, as
    /// CSV with one move per row, or as JSON with one board per line
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = ["graphml", "dot", "csv", "jsonl"],
        conflicts_with_all = ["json", "plot"],
    )]
    pub(super) export: Option<String>,
}

/// Writes all boards and moves. The boards are numbered from 0, the start.
pub(super) fn write_graph(
    puzzle: Puzzle,
    graph: &BoardGraph,
    format: &str,
    budget: &Budget,
    out: &mut impl Write,
) -> Result<(), Failure> {
    match format {
        "graphml" => write_graphml(graph, budget, out),
        "dot" => write_dot(puzzle, graph, budget, out),
        "csv" => write_csv(graph, budget, out),
        _ => write_json(puzzle, graph, budget, out),
    }
}

fn write_graphml(graph: &BoardGraph, budget: &Budget, out: &mut impl Write) -> Result<(), Failure> {
    // Without indentation, so that a board takes one line; `line` begins one.
    let mut xml = Writer::new(out);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    fn line(xml: &mut Writer<impl Write>, indent: &str) -> io::Result<()> {
        write!(xml.get_mut(), "\n{indent}")
    }
    let start = |name: &'static str, attribute: (&str, &str)| {
        Event::Start(BytesStart::new(name).with_attributes([attribute]))
    };
    line(&mut xml, "")?;
    xml.write_event(start("graphml", ("xmlns", "http://graphml.graphdrawing.org/xmlns")))?;
    for (key, kind) in [("board", "string"), ("depth", "int"), ("solved", "boolean")] {
        line(&mut xml, "  ")?;
        let attributes = [("id", key), ("for", "node"), ("attr.name", key), ("attr.type", kind)];
        xml.create_element("key").with_attributes(attributes).write_empty()?;
    }
    let direction = if graph.is_directed { "directed" } else { "undirected" };
    line(&mut xml, "  ")?;
    xml.write_event(start("graph", ("edgedefault", direction)))?;
    for (number, board) in graph.boards.iter().enumerate() {
        budget.check().map_err(Failure::Stopped)?;
        line(&mut xml, "    ")?;
        xml.write_event(start("node", ("id", &format!("n{number}"))))?;
        let (depth, solved) = (graph.depths[number].to_string(), graph.solved[number].to_string());
        for (key, value) in [("board", board), ("depth", &depth), ("solved", &solved)] {
            let data = xml.create_element("data").with_attribute(("key", key));
            data.write_text_content(BytesText::new(value))?;
        }
        xml.write_event(Event::End(BytesEnd::new("node")))?;
    }
    for (one, other) in graph.moves() {
        budget.check().map_err(Failure::Stopped)?;
        line(&mut xml, "    ")?;
        let (source, target) = (format!("n{one}"), format!("n{other}"));
        let attributes = [("source", source.as_str()), ("target", target.as_str())];
        xml.create_element("edge").with_attributes(attributes).write_empty()?;
    }
    line(&mut xml, "  ")?;
    xml.write_event(Event::End(BytesEnd::new("graph")))?;
    line(&mut xml, "")?;
    xml.write_event(Event::End(BytesEnd::new("graphml")))?;
    Ok(line(&mut xml, "")?)
}

fn write_dot(
    puzzle: Puzzle,
    graph: &BoardGraph,
    budget: &Budget,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let (kind, edge) = if graph.is_directed { ("digraph", "->") } else { ("graph", "--") };
    let name = puzzle.info().name.replace('-', "_");
    writeln!(out, "{kind} {name} {{")?;
    for (number, board) in graph.boards.iter().enumerate() {
        budget.check().map_err(Failure::Stopped)?;
        let shape = if graph.solved[number] { ", shape=box" } else { "" };
        writeln!(out, "  {number} [label=\"{}\"{shape}];", quoted(board))?;
    }
    for (one, other) in graph.moves() {
        budget.check().map_err(Failure::Stopped)?;
        writeln!(out, "  {one} {edge} {other};")?;
    }
    Ok(writeln!(out, "}}")?)
}

fn write_csv(graph: &BoardGraph, budget: &Budget, out: &mut impl Write) -> Result<(), Failure> {
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(["from", "to"]).map_err(io::Error::from)?;
    for (one, other) in graph.moves() {
        budget.check().map_err(Failure::Stopped)?;
        let boards = [one, other].map(|number| &graph.boards[number as usize]);
        csv.write_record(boards).map_err(io::Error::from)?;
    }
    Ok(csv.flush()?)
}

fn write_json(
    puzzle: Puzzle,
    graph: &BoardGraph,
    budget: &Budget,
    out: &mut impl Write,
) -> Result<(), Failure> {
    for (number, board) in (0..).zip(&graph.boards) {
        budget.check().map_err(Failure::Stopped)?;
        let (depth, solved) = (graph.depths[number as usize], graph.solved[number as usize]);
        let mut moves_to = graph.successors(number).to_vec();
        moves_to.sort_unstable();
        let report = BoardReport { number, board, depth, solved, moves_to };
        results::write(puzzle, &report, out)?;
    }
    Ok(())
}
