//! Measured rows for people and for programs.

use std::fmt::Write as _;

use fewest_scene::Theme;
use fewest_scene::chart::{self, Axis, Bar, Line, Scale};
use serde_json::{Value, json};

use super::claims::Finding;
use super::machine::Machine;
use super::measure::{Row, Spread, Work};
use super::survey::{self, Share};

/// The rows of one comparison, and what follows from them.
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) rows: Vec<Row>,
    pub(crate) findings: Vec<Finding>,
    /// The ids of the rungs.
    pub(crate) ladder: Vec<String>,
    /// Whether each row is of something else.
    pub(crate) unlike: bool,
}

/// The groups of one survey.
pub(crate) struct Surveyed {
    pub(crate) id: &'static str,
    pub(crate) title: String,
    pub(crate) shares: Vec<Share>,
}

/// All that was measured.
pub(crate) struct Measured {
    pub(crate) sections: Vec<Section>,
    pub(crate) surveyed: Vec<Surveyed>,
}

impl Measured {
    /// All charts, as SVG with the names of their files.
    pub(crate) fn charts(&self) -> impl Iterator<Item = (String, String)> {
        self.sections
            .iter()
            .flat_map(Section::charts)
            .chain(self.surveyed.iter().map(Surveyed::chart))
    }
}

impl Surveyed {
    fn chart(&self) -> (String, String) {
        (format!("{}.svg", self.id), shares(&self.title, &self.shares))
    }
}

impl Section {
    /// What all its ids begin with, up to a dot, for files.
    pub(crate) fn name(&self) -> &str {
        let first = self.rows.first().map_or("", |row| &row.id);
        let common =
            |end: &usize| self.rows.iter().all(|row| row.id.starts_with(&first[..*end + 1]));
        first
            .match_indices('.')
            .map(|(dot, _)| dot)
            .take_while(common)
            .last()
            .map_or(first, |dot| &first[..dot])
    }

    /// All rows, and the rungs of the ladder, as SVG with the names of their files.
    pub(crate) fn charts(&self) -> Vec<(String, String)> {
        let all: Vec<&Row> = self.rows.iter().collect();
        let scale = if self.unlike { Scale::Logarithmic } else { Scale::Linear };
        let mut charts = vec![(format!("{}.svg", self.name()), bars(&self.title, &all, scale))];
        let rungs = self.rungs();
        if !rungs.is_empty() {
            let chart = bars(&self.title, &rungs, Scale::Logarithmic);
            charts.push((format!("{}.ladder.svg", self.name()), chart));
        }
        charts
    }

    /// The rows of the ladder, from the textbook on; none if not all were measured.
    pub(crate) fn rungs(&self) -> Vec<&Row> {
        let rung = |id: &String| self.rows.iter().find(|row| row.id == *id);
        self.ladder.iter().map(rung).collect::<Option<_>>().unwrap_or_default()
    }

    fn tables(&self) -> Vec<Table> {
        let mut tables = vec![Table::of_rows(&self.title, &self.rows)];
        if !self.findings.is_empty() {
            tables.push(Table::of_findings(&self.findings));
        }
        let rungs = self.rungs();
        if !rungs.is_empty() {
            tables.push(Table::of_rungs(&rungs));
        }
        tables
    }
}

/// A bar for each row; the ends of its thin line are the least and the greatest time.
fn bars(title: &str, rows: &[&Row], scale: Scale) -> String {
    let bar = |row: &&Row| {
        let Spread { least, median, greatest } = Spread::of(&row.seconds);
        Bar {
            label: row.id.clone(),
            value: time(median),
            length: median,
            spread: [least, greatest],
        }
    };
    chart::bars(title, &rows.iter().map(bar).collect::<Vec<_>>(), scale, Theme::Auto)
}

/// What part of each group was proved, by its number of ghosts, a line for each kind.
fn shares(title: &str, shares: &[Share]) -> String {
    let mut numbers: Vec<usize> = shares.iter().map(|share| share.ghosts).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let most = numbers.last().map_or(1.0, |&most| most as f64);
    let ghosts = Axis::with_ticks(
        "ghosts",
        most,
        numbers.iter().map(|&number| (number as f64, number.to_string())),
    );
    let percents = [0, 25, 50, 75, 100].map(|percent| (f64::from(percent), format!("{percent} %")));
    let mut lines: Vec<Line> = Vec::new();
    for share in shares {
        let point = (share.ghosts as f64, share.percent());
        match lines.iter_mut().find(|line| line.name == share.line) {
            Some(line) => line.points.push(point),
            None => lines.push(Line { name: share.line.clone(), points: vec![point] }),
        }
    }
    let title = format!("{title}: proved within {} s", survey::TIME.as_secs());
    chart::lines(&title, &ghosts, &Axis::with_ticks("", 100.0, percents), &lines, Theme::Auto)
}

/// Cells of text under headers.
struct Table {
    title: String,
    headers: Vec<&'static str>,
    rows: Vec<Vec<String>>,
    /// Columns that are words, at the left; the others are figures.
    words: usize,
}

impl Table {
    fn of_rows(title: &str, rows: &[Row]) -> Self {
        let mut headers = vec![
            "id",
            "what",
            "time",
            "ratio",
            "states",
            "nodes",
            "ns/node",
            "M/s",
            "bytes",
            "bytes/state",
        ];
        let counted = rows.iter().any(|row| row.instructions.is_some());
        let cells = |row: &Row| {
            let seconds = Spread::of(&row.seconds).median;
            let Work { states, nodes, bytes } = row.work;
            // Some answers need no search.
            let any = |count: Option<u64>| count.filter(|&count| count > 0);
            // States a second where states are what is explored, else nodes.
            let done = any(states.or(nodes));
            let mut cells = vec![
                row.id.clone(),
                row.about.clone(),
                time(seconds),
                some(row.ratio, ratio),
                some(states, grouped),
                some(nodes, grouped),
                some(any(nodes), |nodes| format!("{:.1}", seconds * 1e9 / nodes as f64)),
                some(done, |done| format!("{:.1}", done as f64 / seconds / 1e6)),
                some(bytes, grouped),
                some(bytes.zip(any(states)), |(bytes, states)| {
                    format!("{:.2}", bytes as f64 / states as f64)
                }),
            ];
            if counted {
                cells.push(some(row.instructions, grouped));
            }
            cells
        };
        let rows = rows.iter().map(cells).collect();
        if counted {
            headers.push("instructions");
        }
        Self { title: title.to_owned(), headers, rows, words: 2 }
    }

    fn of_findings(findings: &[Finding]) -> Self {
        let headers = vec![
            "claim",
            "what is said",
            "textbook",
            "variant",
            "verdict",
            "over the textbook",
            "states",
            "nodes",
            "ns/node",
            "bytes",
        ];
        let cells = |finding: &Finding| {
            let (one, other) = (&finding.textbook, &finding.variant);
            let both = |figure: &dyn Fn(&Row) -> String| {
                let figures = (figure(one), figure(other));
                if figures.0 == figures.1 {
                    figures.0
                } else {
                    format!("{} → {}", figures.0, figures.1)
                }
            };
            let nanoseconds = |row: &Row| {
                some(row.work.nodes, |nodes| {
                    format!("{:.1}", Spread::of(&row.seconds).median * 1e9 / nodes as f64)
                })
            };
            vec![
                finding.id.clone(),
                finding.text.to_owned(),
                one.about.clone(),
                other.about.clone(),
                finding.verdict.clone(),
                ratio(finding.ratio),
                both(&|row| some(row.work.states, grouped)),
                both(&|row| some(row.work.nodes, grouped)),
                both(&nanoseconds),
                both(&|row| some(row.work.bytes, grouped)),
            ]
        };
        Self {
            title: "Claims".to_owned(),
            headers,
            rows: findings.iter().map(cells).collect(),
            words: 5,
        }
    }

    /// What came of all claims, without the counts.
    fn of_verdicts<'a>(findings: impl Iterator<Item = &'a Finding>) -> Self {
        let cells = |finding: &Finding| {
            let (id, text) = (finding.id.clone(), finding.text.to_owned());
            vec![
                id,
                text,
                finding.variant.about.clone(),
                finding.verdict.clone(),
                ratio(finding.ratio),
            ]
        };
        let headers = vec!["claim", "what is said", "variant", "verdict", "over the textbook"];
        Self {
            title: "What the tricks are worth".to_owned(),
            headers,
            rows: findings.map(cells).collect(),
            words: 4,
        }
    }

    /// Each rung over the one before and over the first.
    fn of_rungs(rungs: &[&Row]) -> Self {
        let before = |index: usize| rungs[index.saturating_sub(1)];
        let cells = |(index, row): (usize, &&Row)| {
            vec![
                row.id.clone(),
                row.about.clone(),
                time(Spread::of(&row.seconds).median),
                ratio(row.over(before(index))),
                ratio(row.over(rungs[0])),
            ]
        };
        Self {
            title: "Ladder from the textbook to ours".to_owned(),
            headers: vec!["rung", "what", "time", "over the rung before", "over the first"],
            rows: rungs.iter().enumerate().map(cells).collect(),
            words: 2,
        }
    }

    fn of_shares(surveyed: &Surveyed) -> Self {
        let cells = |share: &Share| {
            let spread = share.spread();
            vec![
                share.id.clone(),
                share.line.clone(),
                share.ghosts.to_string(),
                share.instances.to_string(),
                format!("{:.0} %", share.percent()),
                share.planned.to_string(),
                time(spread.median),
                time(spread.greatest),
                grouped(share.bytes),
            ]
        };
        Self {
            title: surveyed.title.clone(),
            headers: vec![
                "id",
                "what",
                "ghosts",
                "instances",
                "proved",
                "others with a plan",
                "median time",
                "longest",
                "most bytes",
            ],
            rows: surveyed.shares.iter().map(cells).collect(),
            words: 2,
        }
    }

    fn aligned(&self) -> String {
        let headers = self.headers.iter().map(|header| (*header).to_owned()).collect();
        let rows: Vec<&Vec<String>> = [&headers].into_iter().chain(&self.rows).collect();
        let width =
            |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.headers.len()).map(width).collect();
        let mut text = format!("{}\n", self.title);
        for row in rows {
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                let _ = if column < self.words {
                    write!(text, "  {cell:<width$}")
                } else {
                    write!(text, "  {cell:>width$}")
                };
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        text
    }

    fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let headers: Vec<_> = self.headers.iter().map(|header| (*header).to_owned()).collect();
        let rule: Vec<_> = (0..headers.len())
            .map(|column| if column < self.words { "---" } else { "---:" }.to_owned())
            .collect();
        line(&headers) + &line(&rule) + &self.rows.iter().map(|row| line(row)).collect::<String>()
    }
}

/// A section as aligned columns.
pub(crate) fn text(section: &Section) -> String {
    section.tables().iter().map(|table| table.aligned() + "\n").collect()
}

/// A survey as aligned columns.
pub(crate) fn survey_text(surveyed: &Surveyed) -> String {
    Table::of_shares(surveyed).aligned() + "\n"
}

/// Everything as a page of Markdown, with charts from a folder beside it.
pub(crate) fn markdown(
    machine: &Machine,
    command: &str,
    charts: &str,
    measured: &Measured,
) -> String {
    let sections = &measured.sections;
    let mut text = format!(
        "# Performance\n\n\
         Written by `{command}`, {} UTC, on {machine}.\n\n\
         Each answer was checked before its time was taken. Times and ratios are medians over rounds in which all rows of a table \
         ran in turn, those of less than ten milliseconds again and again until ten are over; a ratio is the time over that of the first \
         row, with its least and greatest value if it is of more than one round. All rows of a table run in one process, but for \
         those of peers; a row of a few milliseconds that takes megabytes may take half or twice its time beside others, as it \
         depends on them what memory is at hand. A state is one that was expanded, a node one that was generated, and nothing \
         stands where a program does not count them; M/s is millions of states a second, or of nodes where no states are \
         counted.\n\n\
         Bytes are the most that a search booked with its budget. Of textbook programs, and of all in a table of peers, they are \
         the most that a process of their own held beyond what it began with, in steps of 64 KiB: pages of a table that were \
         never touched are not among them.\n\n\
         A claim is what the write-ups that this project grew out of say of a trick, and a figure that is said is theirs. It is \
         confirmed or refuted if every round says so and the median differs by 3 % or more; where each variant is said to beat \
         the one before, its ratio to that one decides. Of several variants, the last has the claim's id, and the others have \
         their names behind it. `a → b` are the textbook's figure and the variant's.\n",
        Machine::now()
    );
    let findings = || sections.iter().flat_map(|section| &section.findings);
    if findings().next().is_some() {
        let verdicts = Table::of_verdicts(findings());
        let _ = write!(text, "\n## {}\n\n{}", verdicts.title, verdicts.markdown());
    }
    for section in sections {
        let _ = write!(text, "\n## {}\n", section.title);
        for (number, table) in section.tables().iter().enumerate() {
            if number > 0 {
                let _ = write!(text, "\n### {}\n", table.title);
            }
            let _ = write!(text, "\n{}", table.markdown());
        }
        for (name, _) in section.charts() {
            let _ = write!(text, "\n![{}]({charts}/{name})\n", section.title);
        }
    }
    for surveyed in &measured.surveyed {
        let (title, (name, _)) = (&surveyed.title, surveyed.chart());
        let seconds = survey::TIME.as_secs();
        let _ = write!(
            text,
            "\n## {title}\n\nEach instance once, with {seconds} s; proved is that its plan is a shortest one, or that there is none.\n\n\
             {}\n![{title}]({charts}/{name})\n",
            Table::of_shares(surveyed).markdown()
        );
    }
    text
}

/// Everything as one object.
pub(crate) fn object(machine: &Machine, measured: &Measured) -> Value {
    let sections = &measured.sections;
    let cases = sections
        .iter()
        .flat_map(|section| &section.rows)
        .map(|row| row_object(&row.id, row, row.ratio));
    let findings = sections.iter().flat_map(|section| &section.findings).map(|finding| {
        let mut object = row_object(&finding.id, &finding.variant, Some(finding.ratio));
        object["claim"] = json!(finding.text);
        object["textbook"] = json!(finding.textbook.id);
        object["variant"] = json!(finding.variant.id);
        object["verdict"] = json!(finding.verdict);
        object
    });
    let rows: Vec<_> = cases.chain(findings).collect();
    let surveyed = measured.surveyed.iter().flat_map(|surveyed| &surveyed.shares);
    let surveyed: Vec<_> = surveyed.map(share_object).collect();
    json!({ "machine": machine.object(), "revision": machine.revision, "rows": rows, "surveyed": surveyed })
}

fn share_object(share: &Share) -> Value {
    json!({
        "id": share.id,
        "ghosts": share.ghosts,
        "instances": share.instances,
        "proved": share.proved,
        "planned": share.planned,
        "bytes": share.bytes,
        "seconds": share.spread().median,
        "seconds_range": [share.spread().least, share.spread().greatest],
    })
}

fn row_object(id: &str, row: &Row, ratio: Option<Spread>) -> Value {
    let seconds = Spread::of(&row.seconds);
    let ends = |spread: Spread| json!([spread.least, spread.greatest]);
    json!({
        "id": id,
        "ratio": ratio.map(|ratio| ratio.median),
        "ratio_range": ratio.map(ends),
        "states": row.work.states,
        "nodes": row.work.nodes,
        "bytes": row.work.bytes,
        "seconds": seconds.median,
        "seconds_range": ends(seconds),
        "rounds": row.seconds.len(),
        "instructions": row.instructions,
    })
}

fn some<T>(value: Option<T>, words: impl FnOnce(T) -> String) -> String {
    value.map_or_else(String::new, words)
}

/// A ratio with its spread, if it has one: not of a single round.
pub(crate) fn ratio(ratio: Spread) -> String {
    if ratio.least == ratio.greatest {
        return short(ratio.median);
    }
    format!("{} ({}-{})", short(ratio.median), short(ratio.least), short(ratio.greatest))
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

pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let groups: Vec<_> =
        digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group)).collect();
    groups.join(",")
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

    #[test]
    fn a_ladder_is_whole_or_none() {
        let row = |id: &str, seconds| Row {
            id: id.to_owned(),
            about: String::new(),
            seconds: vec![seconds],
            ratio: None,
            work: Work::default(),
            instructions: None,
        };
        let section = |ladder: &[&str]| Section {
            title: String::new(),
            rows: vec![row("p.s.one", 4.0), row("p.s.two", 2.0), row("p.s.ours", 0.5)],
            findings: Vec::new(),
            ladder: ladder.iter().map(|&id| id.to_owned()).collect(),
            unlike: false,
        };
        let whole = section(&["p.s.one", "p.s.two", "p.s.ours"]);
        let table = Table::of_rungs(&whole.rungs());
        assert_eq!(table.rows[2][3..], ["0.25", "0.12"]);
        assert!(section(&["p.s.one", "p.s.three"]).rungs().is_empty());
        assert_eq!(whole.name(), "p.s");
    }
}
