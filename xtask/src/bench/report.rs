//! Measured rows for people and for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::machine::Machine;
use super::measure::{Row, Spread, Work};

/// The rows of one comparison.
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) rows: Vec<Row>,
}

impl Section {
    /// What all its ids have in common, for a file.
    pub(crate) fn name(&self) -> &str {
        let id = self.rows.first().map_or("", |row| &row.id);
        let dots = id.match_indices('.').map(|(dot, _)| dot);
        dots.take(2).last().map_or(id, |dot| &id[..dot])
    }
}

const HEADERS: [&str; 8] = ["id", "what", "time", "ratio", "states", "nodes", "M/s", "bytes"];

fn cells(row: &Row) -> [String; 8] {
    let seconds = Spread::of(&row.seconds);
    let ratio = row.ratio.map_or_else(String::new, |ratio| {
        format!("{} ({}-{})", short(ratio.median), short(ratio.least), short(ratio.greatest))
    });
    let some = |count: Option<u64>| count.map_or_else(String::new, grouped);
    // States a second where states are what is explored, else nodes.
    let done = row.work.states.or(row.work.nodes);
    let rate = done.map_or_else(String::new, |done| format!("{:.1}", done as f64 / seconds.median / 1e6));
    let Work { states, nodes, bytes } = row.work;
    [row.id.clone(), row.about.clone(), time(seconds.median), ratio, some(states), some(nodes), rate, some(bytes)]
}

/// A ratio with two digits behind those that are 0.
fn short(ratio: f64) -> String {
    let zeros = if ratio > 0.0 { (-ratio.log10().floor()).max(0.0) as usize } else { 0 };
    format!("{ratio:.digits$}", digits = if zeros == 0 { 2 } else { zeros + 1 })
}

/// Seconds in the unit in which they have three digits.
pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        ..1e-3 => format!("{:.3} us", seconds * 1e6),
        ..1.0 => format!("{:.3} ms", seconds * 1e3),
        _ => format!("{seconds:.3} s"),
    }
}

fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group)).collect();
    groups.join(",")
}

/// A section as lines of a terminal.
pub(crate) fn table(section: &Section) -> String {
    let rows: Vec<_> = std::iter::once(HEADERS.map(str::to_owned)).chain(section.rows.iter().map(cells)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 8] = std::array::from_fn(width);
    let mut text = format!("{}\n", section.title);
    for row in &rows {
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            let _ = if column < 2 { write!(text, "  {cell:<width$}") } else { write!(text, "  {cell:>width$}") };
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// All sections as a page of Markdown.
pub(crate) fn markdown(machine: &Machine, sections: &[Section]) -> String {
    let mut text = format!(
        "# Performance\n\n{machine}\n\nTimes and ratios are medians; a ratio is the time over that of the first row, with its least and greatest value over the rounds.\n"
    );
    for section in sections {
        let _ = write!(text, "\n## {}\n\n| {} |\n|{}\n", section.title, HEADERS.join(" | "), " --- |".repeat(8));
        for row in &section.rows {
            let _ = writeln!(text, "| {} |", cells(row).join(" | "));
        }
    }
    text
}

/// Everything as one object.
pub(crate) fn object(machine: &Machine, sections: &[Section]) -> Value {
    let rows = sections.iter().flat_map(|section| &section.rows).map(|row| {
        let seconds = Spread::of(&row.seconds);
        let ends = |spread: Spread| json!([spread.least, spread.greatest]);
        json!({
            "id": row.id,
            "ratio": row.ratio.map(|ratio| ratio.median),
            "ratio_range": row.ratio.map(ends),
            "states": row.work.states,
            "nodes": row.work.nodes,
            "bytes": row.work.bytes,
            "seconds": seconds.median,
            "seconds_range": ends(seconds),
            "rounds": row.seconds.len(),
        })
    });
    json!({ "machine": machine.object(), "revision": machine.revision, "rows": rows.collect::<Vec<_>>() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_written_to_be_read() {
        assert_eq!([0, 999, 1000, 1_814_400].map(grouped), ["0", "999", "1,000", "1,814,400"]);
        assert_eq!([20.994, 1.0, 0.286, 0.0037].map(short), ["20.99", "1.00", "0.29", "0.0037"]);
        assert_eq!([2.5e-6, 0.0125, 61.0].map(time), ["2.500 us", "12.500 ms", "61.000 s"]);
    }
}
