//! `explore --export`: all boards and the moves between them, for other programs: as GraphML, as
//! DOT for Graphviz, as CSV with one move per row, or as JSON with one board per line.

use std::io::{self, Write};

use fewest_core::budget::Budget;
use quick_xml::escape::escape;
use schemars::JsonSchema;
use serde::Serialize;

use crate::any::AnyPuzzle;
use crate::graph::BoardGraph;
use crate::results::{self, report};
use crate::work::WorkError;

/// A board and the moves from it: `explore --export jsonl`.
#[derive(Serialize, JsonSchema)]
pub struct BoardReport {
    /// The number of the board, from 0, which is the start.
    pub number: u32,
    /// The board, on one line.
    pub board: String,
    /// The distance from the start.
    pub depth: u32,
    /// Whether the board is solved.
    pub solved: bool,
    /// The numbers of the other boards that one move leads to.
    pub moves_to: Vec<u32>,
    /// The move to each of them, as in a plan.
    pub moves: Vec<String>,
}

report!(BoardReport, "explore-export", 1);

/// The names of the formats.
pub const FORMATS: [&str; 4] = ["graphml", "dot", "csv", "jsonl"];

/// Writes all boards and moves in one of [`FORMATS`]. The boards are numbered from 0, the start.
///
/// # Errors
/// The limit that stopped it, or an error of `out`.
pub fn write_graph(
    puzzle: &dyn AnyPuzzle,
    graph: &BoardGraph<'_>,
    format: &str,
    budget: &Budget,
    out: &mut impl Write,
) -> Result<(), WorkError> {
    match format {
        "graphml" => write_graphml(graph, budget, out),
        "dot" => write_dot(puzzle, graph, budget, out),
        "csv" => write_csv(graph, budget, out),
        _ => write_json(puzzle, graph, budget, out),
    }
}

fn write_graphml(
    graph: &BoardGraph<'_>,
    budget: &Budget,
    out: &mut impl Write,
) -> Result<(), WorkError> {
    let direction = if graph.is_directed { "directed" } else { "undirected" };
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, r#"<graphml xmlns="http://graphml.graphdrawing.org/xmlns">"#)?;
    for (key, of, kind) in [
        ("board", "node", "string"),
        ("depth", "node", "int"),
        ("solved", "node", "boolean"),
        ("move", "edge", "string"),
    ] {
        let names = format!(r#"id="{key}" for="{of}" attr.name="{key}""#);
        writeln!(out, r#"  <key {names} attr.type="{kind}"/>"#)?;
    }
    writeln!(out, r#"  <graph edgedefault="{direction}">"#)?;
    for number in 0..graph.boards() {
        budget.check()?;
        let (depth, solved) = (graph.depths[number as usize], graph.solved[number as usize]);
        let board = graph.board(number);
        let board = escape(&board);
        write!(out, r#"    <node id="n{number}"><data key="board">{board}</data>"#)?;
        write!(out, r#"<data key="depth">{depth}</data>"#)?;
        writeln!(out, r#"<data key="solved">{solved}</data></node>"#)?;
    }
    for (from, to) in graph.moves() {
        budget.check()?;
        let text = graph.move_text(from, to);
        let text = escape(&text);
        write!(out, r#"    <edge source="n{from}" target="n{to}">"#)?;
        writeln!(out, r#"<data key="move">{text}</data></edge>"#)?;
    }
    Ok(writeln!(out, "  </graph>\n</graphml>")?)
}

fn write_dot(
    puzzle: &dyn AnyPuzzle,
    graph: &BoardGraph<'_>,
    budget: &Budget,
    out: &mut impl Write,
) -> Result<(), WorkError> {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let (kind, edge) = if graph.is_directed { ("digraph", "->") } else { ("graph", "--") };
    let name = puzzle.info().name.replace('-', "_");
    writeln!(out, "{kind} {name} {{")?;
    for number in 0..graph.boards() {
        budget.check()?;
        let shape = if graph.solved[number as usize] { ", shape=box" } else { "" };
        writeln!(out, "  {number} [label=\"{}\"{shape}];", quoted(&graph.board(number)))?;
    }
    for (from, to) in graph.moves() {
        budget.check()?;
        let text = graph.move_text(from, to);
        writeln!(out, "  {from} {edge} {to} [label=\"{}\"];", quoted(&text))?;
    }
    Ok(writeln!(out, "}}")?)
}

/// An error of CSV as one of its writer, such as a broken pipe.
pub fn csv_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

fn write_csv(
    graph: &BoardGraph<'_>,
    budget: &Budget,
    out: &mut impl Write,
) -> Result<(), WorkError> {
    let mut csv = csv::Writer::from_writer(out);
    let columns = ["from", "to", "move", "from_depth", "to_depth", "from_solved", "to_solved"];
    csv.write_record(columns).map_err(csv_error)?;
    for (from, to) in graph.moves() {
        budget.check()?;
        let ends = [from, to];
        let [from_board, to_board] = ends.map(|number| graph.board(number));
        let [from_depth, to_depth] = ends.map(|number| graph.depths[number as usize].to_string());
        let [from_solved, to_solved] = ends.map(|number| graph.solved[number as usize].to_string());
        let text = graph.move_text(from, to);
        let row = [from_board, to_board, text, from_depth, to_depth, from_solved, to_solved];
        csv.write_record(row).map_err(csv_error)?;
    }
    Ok(csv.flush()?)
}

fn write_json(
    puzzle: &dyn AnyPuzzle,
    graph: &BoardGraph<'_>,
    budget: &Budget,
    out: &mut impl Write,
) -> Result<(), WorkError> {
    for number in 0..graph.boards() {
        budget.check()?;
        let (depth, solved) = (graph.depths[number as usize], graph.solved[number as usize]);
        let others = graph.successors(number).iter().filter(|&&to| to != number);
        let mut moves_to: Vec<u32> = others.copied().collect();
        moves_to.sort_unstable();
        let moves = moves_to.iter().map(|&to| graph.move_text(number, to)).collect();
        let board = graph.board(number);
        let report = BoardReport { number, board, depth, solved, moves_to, moves };
        results::write(puzzle.info().name, &report, out)?;
    }
    Ok(())
}
