//! Reports of the measurements: text, a page in Markdown, CSV and SVG charts.

use std::fmt::Write as _;

use fewest_scene::Theme;
use fewest_scene::chart::{self, Axis, Bar, Line, Scale};

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

/// How the file names of the charts of ladders end.
const LADDER: &str = ".ladder.svg";

impl Measured {
    /// The charts of the ladders, which the book shows, each as a file name and SVG text.
    pub(crate) fn ladders(&self) -> impl Iterator<Item = (String, String)> {
        self.sections.iter().flat_map(Section::charts).filter(|(name, _)| name.ends_with(LADDER))
    }

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
            charts.push((format!("{}{LADDER}", self.name()), chart));
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
                finding.textbook.about.clone(),
                finding.variant.about.clone(),
                finding.verdict.clone(),
                ratio(finding.ratio),
            ]
        };
        let headers = vec!["claim", "statement", "compared with", "variant", "verdict", "ratio"];
        Self {
            title: "The effect of each trick".to_owned(),
            headers,
            rows: findings.map(cells).collect(),
            text_columns: 5,
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

/// How everything was measured, and the effect of each trick, as a Markdown page.
pub(crate) fn page(machine: &Machine, command: &str, measured: &Measured) -> String {
    let findings = measured.sections.iter().flat_map(|section| &section.findings);
    let verdicts = Table::of_verdicts(findings);
    format!(
        "# Performance\n\n\
         Written by `{command}`, {} UTC, on {machine}.\n\n\
         All measurements are in data files:\n\n\
         | file | its rows |\n\
         | --- | --- |\n\
         | [rows.csv](performance/rows.csv) | each program and search; those of a `comparison` ran in turn, the first one is what ratios are to |\n\
         | [claims.csv](performance/claims.csv) | the claims below, with the rows that decide them |\n\
         | [surveys.csv](performance/surveys.csv) | groups of halloween maps with many ghosts: each \
         instance runs once, with a time limit of {} s, and is proved if its plan is proved optimal or \
         if it is proved unsolvable |\n\
         | [certificates.csv](performance/certificates.csv) | groups of instances that are solved, \
         certified and checked, once each; `certify` also solves, and checks what it has made. Times \
         are sums over the instances. Bytes are those of the files, and boards are those in all of \
         them |\n\n\
         In each round all rows of a comparison run in turn, and a run of less than 10 ms is \
         repeated until 10 ms have passed. Each answer is checked before its time is used. \
         Times and ratios are medians over the rounds. A ratio is the time of a row divided \
         by the time of the first row of its comparison, with the 95 % bootstrap interval of the \
         median; `seconds_low` and `seconds_high` are the least and the greatest time. All rows of a comparison run in \
         one process, except those of peers. The time of a row that takes a few milliseconds and uses \
         megabytes can be halved or doubled by the other rows of its comparison, because they \
         change which memory is available. States are expanded states, generated is the number of \
         generated states; a cell is empty if the program does not count them.\n\n\
         Bytes are the peak of the memory that a search reserved from its budget. For textbook \
         programs, and for all rows of peers, bytes are the peak of the resident \
         memory of a separate process minus its resident memory before the run, rounded up to \
         64 KiB. Pages of a table that the program never touches are not included.\n\n\
         ## {}\n\n\
         A claim is a statement about a trick, made in the write-ups that this project grew \
         out of. A claimed ratio is taken from there. A claim is confirmed or refuted if the \
         whole interval of its ratio is on one side of 1 and the median differs by at least 3 %. \
         If each variant is claimed to be faster than the one before, its ratio to that one decides. \
         If a claim has several variants, the last one has the id of the claim, and the ids of the \
         others end in their names.\n\n{}",
        Machine::now(),
        survey::TIME_LIMIT.as_secs(),
        verdicts.title,
        verdicts.markdown()
    )
}

/// The data files of all measurements, each as its name and CSV text.
pub(crate) fn data_files(measured: &Measured) -> csv::Result<[(&'static str, Vec<u8>); 4]> {
    let rows = measured
        .sections
        .iter()
        .flat_map(|section| section.rows.iter().map(|row| (section.name().to_owned(), row)));
    let rows = rows.map(|(comparison, row)| {
        let Spread { low, median, high } = Spread::extremes(&row.seconds);
        let mut cells = vec![comparison, row.id.clone(), row.about.clone()];
        cells.extend([median, low, high].map(significant));
        cells.push(row.seconds.len().to_string());
        cells.extend(spread(row.ratio));
        let counts = [row.work.states, row.work.generated, row.work.bytes, row.instructions];
        cells.extend(counts.map(|count| cell(count, |count| count.to_string())));
        cells
    });
    let claims = measured.sections.iter().flat_map(|section| &section.findings).map(|finding| {
        let Finding { id, text, textbook, variant, ratio, verdict } = finding;
        let mut cells = vec![id.clone(), (*text).to_owned(), textbook.id.clone()];
        cells.extend([variant.id.clone(), verdict.clone()]);
        cells.extend(spread(Some(*ratio)));
        cells
    });
    let surveys = measured.surveys.iter().flat_map(|survey| &survey.groups).map(|group| {
        let counts = [group.ghosts, group.instance_count, group.proved, group.planned];
        let mut cells = vec![group.id.clone(), group.series.clone()];
        cells.extend(counts.map(|count| count.to_string()));
        let times = group.time_spread();
        cells.extend([significant(times.median), significant(times.high), group.bytes.to_string()]);
        cells
    });
    let certificates = measured.certificates.iter().map(|group| {
        let (median, most) = (group.bytes.get(group.bytes.len() / 2), group.bytes.last());
        let mut cells = vec![group.id.clone(), group.missing.join("; ")];
        cells.extend([group.instance_count, group.bytes.len()].map(|count| count.to_string()));
        cells.extend([median, most].map(|bytes| cell(bytes, u64::to_string)));
        cells.push(group.states.to_string());
        cells.extend(group.seconds.map(significant));
        cells.push(significant(group.longest_check));
        cells
    });
    Ok([
        (
            "rows.csv",
            csv(
                "comparison,id,description,seconds,seconds_low,seconds_high,rounds,ratio,ratio_low,ratio_high,\
                 states,generated,bytes,instructions",
                rows,
            )?,
        ),
        (
            "claims.csv",
            csv("id,statement,textbook,variant,verdict,ratio,ratio_low,ratio_high", claims)?,
        ),
        (
            "surveys.csv",
            csv(
                "id,description,ghosts,instances,proved,plans_without_proof,seconds,\
                 longest_seconds,peak_bytes",
                surveys,
            )?,
        ),
        (
            "certificates.csv",
            csv(
                "id,not_certified,instances,certified,median_bytes,most_bytes,boards,\
                 solve_seconds,certify_seconds,check_seconds,longest_check_seconds",
                certificates,
            )?,
        ),
    ])
}

fn csv(columns: &str, rows: impl Iterator<Item = Vec<String>>) -> csv::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns.split(','))?;
    for row in rows {
        writer.write_record(row)?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// A number with four significant digits.
fn significant(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let decimals = (3 - number.log10().floor() as i32).clamp(0, 12);
    format!("{number:.*}", decimals as usize)
}

fn spread(ratio: Option<Spread>) -> [String; 3] {
    let Some(Spread { low, median, high }) = ratio else { return <[String; 3]>::default() };
    [median, low, high].map(significant)
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
        let numbers = [0.0, 1.0, 10.0, 0.000123456, 123456.0];
        assert_eq!(numbers.map(significant), ["0", "1.000", "10.00", "0.0001235", "123456"]);
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
