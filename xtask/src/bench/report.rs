//! Reports of the measurements as text, Markdown, SVG charts and JSON.

use std::fmt::Write as _;

use fewest_scene::Theme;
use fewest_scene::chart::{self, Axis, Bar, Line, Scale};
use serde_json::{Value, json};

use super::case::{Row, Work};
use super::certificates;
use super::claims::Finding;
use super::machine::Machine;
use super::spread::{Spread, median, ratio};
use super::survey::{self, GroupResult};

/// The rows of one comparison, with the findings and the ladder.
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) rows: Vec<Row>,
    pub(crate) findings: Vec<Finding>,
    /// The ids of the rungs of the ladder.
    pub(crate) ladder: Vec<String>,
    /// Whether the rows are for different instances.
    pub(crate) unrelated: bool,
}

/// The results of one survey.
pub(crate) struct SurveyResult {
    pub(crate) id: &'static str,
    pub(crate) title: String,
    pub(crate) groups: Vec<GroupResult>,
}

/// All measurements.
pub(crate) struct Measured {
    pub(crate) sections: Vec<Section>,
    pub(crate) surveys: Vec<SurveyResult>,
    pub(crate) certificates: Vec<certificates::GroupResult>,
}

impl Measured {
    /// All charts, each as a file name and SVG text.
    pub(crate) fn charts(&self) -> impl Iterator<Item = (String, String)> {
        self.sections
            .iter()
            .flat_map(Section::charts)
            .chain(self.surveys.iter().map(SurveyResult::chart))
    }
}

impl SurveyResult {
    fn chart(&self) -> (String, String) {
        (format!("{}.svg", self.id), proved_lines(&self.title, &self.groups))
    }
}

impl Section {
    /// The longest common prefix of all ids that ends before a dot, for file names.
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

    /// A chart of all rows and a chart of the ladder, each as a file name and SVG text.
    pub(crate) fn charts(&self) -> Vec<(String, String)> {
        let all: Vec<&Row> = self.rows.iter().collect();
        let scale = if self.unrelated { Scale::Logarithmic } else { Scale::Linear };
        let mut charts = vec![(format!("{}.svg", self.name()), bars(&self.title, &all, scale))];
        let rungs = self.rungs();
        if !rungs.is_empty() {
            let chart = bars(&self.title, &rungs, Scale::Logarithmic);
            charts.push((format!("{}.ladder.svg", self.name()), chart));
        }
        charts
    }

    /// The rows of the ladder, the textbook program first; empty if one of them was not measured.
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

/// A chart with one bar per row. Its thin line spans the least to the greatest time.
fn bars(title: &str, rows: &[&Row], scale: Scale) -> String {
    let bar = |row: &&Row| {
        let Spread { low, median, high } = Spread::extremes(&row.seconds);
        Bar { label: row.id.clone(), value: time(median), length: median, spread: [low, high] }
    };
    chart::bars(title, &rows.iter().map(bar).collect::<Vec<_>>(), scale, Theme::Auto)
}

/// A chart with the proved percentage of each group against its number of ghosts, one line per
/// series.
fn proved_lines(title: &str, groups: &[GroupResult]) -> String {
    let mut numbers: Vec<usize> = groups.iter().map(|group| group.ghosts).collect();
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
    for group in groups {
        let point = (group.ghosts as f64, group.proved_percent());
        match lines.iter_mut().find(|line| line.name == group.series) {
            Some(line) => line.points.push(point),
            None => lines.push(Line { name: group.series.clone(), points: vec![point] }),
        }
    }
    let title = format!("{title}: proved within {} s", survey::TIME_LIMIT.as_secs());
    chart::lines(&title, &ghosts, &Axis::with_ticks("", 100.0, percents), &lines, Theme::Auto)
}

/// A table of text cells with headers.
struct Table {
    title: String,
    headers: Vec<&'static str>,
    rows: Vec<Vec<String>>,
    /// The number of text columns, which come first. The other columns are numbers.
    text_columns: usize,
}

impl Table {
    fn of_rows(title: &str, rows: &[Row]) -> Self {
        let mut headers = vec![
            "id",
            "description",
            "time",
            "ratio",
            "states",
            "generated",
            "ns/generated",
            "M/s",
            "bytes",
            "bytes/state",
        ];
        let has_instructions = rows.iter().any(|row| row.instructions.is_some());
        let cells = |row: &Row| {
            let seconds = median(&row.seconds);
            let Work { states, generated, bytes } = row.work;
            // A count is 0 if the answer needs no search.
            let positive = |count: Option<u64>| count.filter(|&count| count > 0);
            // The rate counts states, or generated states if the program does not count states.
            let counted = positive(states.or(generated));
            let mut cells = vec![
                row.id.clone(),
                row.about.clone(),
                time(seconds),
                cell(row.ratio, ratio),
                cell(states, grouped),
                cell(generated, grouped),
                cell(positive(generated), |count| format!("{:.1}", seconds * 1e9 / count as f64)),
                cell(counted, |count| format!("{:.1}", count as f64 / seconds / 1e6)),
                cell(bytes, grouped),
                cell(bytes.zip(positive(states)), |(bytes, states)| {
                    format!("{:.2}", bytes as f64 / states as f64)
                }),
            ];
            if has_instructions {
                cells.push(cell(row.instructions, grouped));
            }
            cells
        };
        let rows = rows.iter().map(cells).collect();
        if has_instructions {
            headers.push("instructions");
        }
        Self { title: title.to_owned(), headers, rows, text_columns: 2 }
    }

    fn of_findings(findings: &[Finding]) -> Self {
        let headers = vec![
            "claim",
            "statement",
            "textbook",
            "variant",
            "verdict",
            "ratio to textbook",
            "states",
            "generated",
            "ns/generated",
            "bytes",
        ];
        let cells = |finding: &Finding| {
            let both = |figure: &dyn Fn(&Row) -> String| {
                let (textbook, variant) = (figure(&finding.textbook), figure(&finding.variant));
                if textbook == variant { textbook } else { format!("{textbook} → {variant}") }
            };
            let nanoseconds = |row: &Row| {
                cell(row.work.generated, |count| {
                    format!("{:.1}", median(&row.seconds) * 1e9 / count as f64)
                })
            };
            vec![
                finding.id.clone(),
                finding.text.to_owned(),
                finding.textbook.about.clone(),
                finding.variant.about.clone(),
                finding.verdict.clone(),
                ratio(finding.ratio),
                both(&|row| cell(row.work.states, grouped)),
                both(&|row| cell(row.work.generated, grouped)),
                both(&nanoseconds),
                both(&|row| cell(row.work.bytes, grouped)),
            ]
        };
        Self {
            title: "Claims".to_owned(),
            headers,
            rows: findings.iter().map(cells).collect(),
            text_columns: 5,
        }
    }

    /// The verdicts of all claims, without counts.
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
        let headers = vec!["claim", "statement", "variant", "verdict", "ratio to textbook"];
        Self {
            title: "The effect of each trick".to_owned(),
            headers,
            rows: findings.map(cells).collect(),
            text_columns: 4,
        }
    }

    /// The rungs with their ratios to the previous and to the first rung.
    fn of_rungs(rungs: &[&Row]) -> Self {
        let previous = |index: usize| rungs[index.saturating_sub(1)];
        let cells = |(index, row): (usize, &&Row)| {
            vec![
                row.id.clone(),
                row.about.clone(),
                time(median(&row.seconds)),
                ratio(row.ratio_to(previous(index))),
                ratio(row.ratio_to(rungs[0])),
            ]
        };
        Self {
            title: "Ladder from the textbook program to ours".to_owned(),
            headers: vec![
                "rung",
                "description",
                "time",
                "ratio to previous rung",
                "ratio to first rung",
            ],
            rows: rungs.iter().enumerate().map(cells).collect(),
            text_columns: 2,
        }
    }

    fn of_groups(survey: &SurveyResult) -> Self {
        let cells = |group: &GroupResult| {
            let spread = group.time_spread();
            vec![
                group.id.clone(),
                group.series.clone(),
                group.ghosts.to_string(),
                group.instance_count.to_string(),
                format!("{:.0} %", group.proved_percent()),
                group.planned.to_string(),
                time(spread.median),
                time(spread.high),
                grouped(group.bytes),
            ]
        };
        Self {
            title: survey.title.clone(),
            headers: vec![
                "id",
                "description",
                "ghosts",
                "instances",
                "proved",
                "plan without proof",
                "median time",
                "longest time",
                "peak bytes",
            ],
            rows: survey.groups.iter().map(cells).collect(),
            text_columns: 2,
        }
    }

    fn of_certificates(groups: &[certificates::GroupResult]) -> Self {
        let cells = |group: &certificates::GroupResult| {
            let (middle, last) = (group.bytes.len() / 2, group.bytes.last());
            let mut cells = vec![
                group.id.clone(),
                group.missing.join("; "),
                group.instance_count.to_string(),
                group.bytes.len().to_string(),
                cell(group.bytes.get(middle).copied(), grouped),
                cell(last.copied(), grouped),
                grouped(group.states),
            ];
            cells.extend(group.seconds.map(time));
            cells.push(time(group.longest_check));
            cells
        };
        Self {
            title: "Certificates".to_owned(),
            headers: vec![
                "id",
                "not certified",
                "instances",
                "certified",
                "median bytes",
                "most bytes",
                "boards",
                "solve",
                "certify",
                "check",
                "longest check",
            ],
            rows: groups.iter().map(cells).collect(),
            text_columns: 2,
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
                let _ = if column < self.text_columns {
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
            .map(|column| if column < self.text_columns { "---" } else { "---:" }.to_owned())
            .collect();
        line(&headers) + &line(&rule) + &self.rows.iter().map(|row| line(row)).collect::<String>()
    }
}

/// A section as text with aligned columns.
pub(crate) fn text(section: &Section) -> String {
    section.tables().iter().map(|table| table.aligned() + "\n").collect()
}

/// A survey as text with aligned columns.
pub(crate) fn survey_text(survey: &SurveyResult) -> String {
    Table::of_groups(survey).aligned() + "\n"
}

/// The certificates as text with aligned columns; empty if there are none.
pub(crate) fn certificates_text(groups: &[certificates::GroupResult]) -> String {
    if groups.is_empty() {
        return String::new();
    }
    Table::of_certificates(groups).aligned() + "\n"
}

/// All measurements as a Markdown page; `charts` is the folder of the charts, relative to the page.
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
         In each round all rows of a table run in turn, and a run of less than 10 ms is \
         repeated until 10 ms have passed. Each answer is checked before its time is used. \
         Times and ratios are medians over the rounds. A ratio is the time of a row divided \
         by the time of the first row; if there is more than one round, the 95 % bootstrap \
         interval of the median follows in parentheses. All rows of a table run in one process, except \
         in the tables of peers. The time of a row that takes a few milliseconds and uses \
         megabytes can be halved or doubled by the other rows of its table, because they \
         change which memory is available. States are expanded states, generated is the number of \
         generated states; a cell is empty if the program does not count them. M/s is millions of \
         states per second, or of generated states if states are not counted.\n\n\
         Bytes are the peak of the memory that a search reserved from its budget. For textbook \
         programs, and for all rows in a table of peers, bytes are the peak of the resident \
         memory of a separate process minus its resident memory before the run, rounded up to \
         64 KiB. Pages of a table that the program never touches are not included.\n\n\
         A claim is a statement about a trick, made in the write-ups that this project grew \
         out of. A claimed ratio is taken from there. A claim is confirmed or refuted if the \
         whole interval of its ratio is on one side of 1 and the median differs by at least 3 %. If each variant is claimed to \
         be faster than the one before, its ratio to that one decides. If a claim has several \
         variants, the last one has the id of the claim, and the ids of the others end in \
         their names. `a → b` are the figures of the textbook program and of the variant.\n",
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
    for survey in &measured.surveys {
        let (title, (name, _)) = (&survey.title, survey.chart());
        let seconds = survey::TIME_LIMIT.as_secs();
        let _ = write!(
            text,
            "\n## {title}\n\n\
             Each instance runs once, with a time limit of {seconds} s. An instance is proved if \
             its plan is proved optimal or if it is proved unsolvable.\n\n\
             {}\n![{title}]({charts}/{name})\n",
            Table::of_groups(survey).markdown()
        );
    }
    if !measured.certificates.is_empty() {
        let _ = write!(
            text,
            "\n## Certificates\n\n\
             Each instance is solved, certified, and its certificate is checked, once; `certify` also \
             solves, and checks what it has made. Times are sums over the instances of a row. Bytes are \
             those of the files, and boards are those in all of them.\n\n{}",
            Table::of_certificates(&measured.certificates).markdown()
        );
    }
    text
}

/// All measurements as one JSON object.
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
    let groups = measured.surveys.iter().flat_map(|survey| &survey.groups);
    let groups: Vec<_> = groups.map(group_object).collect();
    json!({
        "machine": machine.object(),
        "revision": machine.revision,
        "rows": rows,
        "surveyed": groups,
        "certificates": measured.certificates.iter().map(certificate_object).collect::<Vec<_>>(),
    })
}

fn certificate_object(group: &certificates::GroupResult) -> Value {
    let [solve, certify, check] = group.seconds;
    json!({
        "id": group.id,
        "instances": group.instance_count,
        "bytes": group.bytes,
        "boards": group.states,
        "seconds": { "solve": solve, "certify": certify, "check": check },
        "longest_check": group.longest_check,
        "missing": group.missing,
    })
}

fn group_object(group: &GroupResult) -> Value {
    let spread = group.time_spread();
    json!({
        "id": group.id,
        "ghosts": group.ghosts,
        "instances": group.instance_count,
        "proved": group.proved,
        "planned": group.planned,
        "bytes": group.bytes,
        "seconds": spread.median,
        "seconds_range": [spread.low, spread.high],
    })
}

fn row_object(id: &str, row: &Row, ratio: Option<Spread>) -> Value {
    let seconds = Spread::extremes(&row.seconds);
    let range = |spread: Spread| json!([spread.low, spread.high]);
    json!({
        "id": id,
        "ratio": ratio.map(|ratio| ratio.median),
        "ratio_range": ratio.map(range),
        "states": row.work.states,
        "nodes": row.work.generated,
        "bytes": row.work.bytes,
        "seconds": seconds.median,
        "seconds_range": range(seconds),
        "rounds": row.seconds.len(),
        "instructions": row.instructions,
    })
}

/// The text of a table cell, empty for `None`.
fn cell<T>(value: Option<T>, format: impl FnOnce(T) -> String) -> String {
    value.map_or_else(String::new, format)
}

/// A time in microseconds, milliseconds or seconds, with three decimals.
pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        ..1e-3 => format!("{:.3} us", seconds * 1e6),
        ..1.0 => format!("{:.3} ms", seconds * 1e3),
        _ => format!("{seconds:.3} s"),
    }
}

/// A count with commas between groups of three digits.
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
    fn numbers_are_formatted() {
        assert_eq!([0, 999, 1000, 1_814_400].map(grouped), ["0", "999", "1,000", "1,814,400"]);
        assert_eq!([2.5e-6, 0.0125, 61.0].map(time), ["2.500 us", "12.500 ms", "61.000 s"]);
    }

    #[test]
    fn a_ladder_with_a_missing_rung_is_left_out() {
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
            unrelated: false,
        };
        let complete = section(&["p.s.one", "p.s.two", "p.s.ours"]);
        let table = Table::of_rungs(&complete.rungs());
        assert_eq!(table.rows[2][3..], ["0.25", "0.12"]);
        assert!(section(&["p.s.one", "p.s.three"]).rungs().is_empty());
        assert_eq!(complete.name(), "p.s");
    }
}
