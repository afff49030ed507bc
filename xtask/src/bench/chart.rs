//! Charts as SVG: bars of times, and lines of shares.

use std::fmt::Write as _;

use super::measure::{Row, Spread};
use super::report::time;
use super::survey::{Share, TIME};

/// Pixels: of a row, of the longest bar, and of a letter, of which the browser's font is no wider.
const ROW: usize = 22;
const BAR: f64 = 420.0;
const LETTER: usize = 8;

/// How long a bar is for a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scale {
    /// As long as the time.
    Linear,
    /// As its logarithm: as much longer for each ten times as long, from a tenth of the shortest on.
    Logarithmic,
}

/// A bar for each row; the ends of a thin line are the least and the greatest time.
pub(crate) fn bars(title: &str, rows: &[&Row], scale: Scale) -> String {
    let spreads: Vec<_> = rows.iter().map(|row| Spread::of(&row.seconds)).collect();
    let longest = spreads.iter().map(|spread| spread.greatest).fold(f64::MIN_POSITIVE, f64::max);
    let shortest = spreads.iter().map(|spread| spread.least).fold(longest, f64::min);
    let length = |seconds: f64| match scale {
        Scale::Linear => seconds / longest * BAR,
        Scale::Logarithmic => ((seconds / shortest).log10() + 1.0) / ((longest / shortest).log10() + 1.0) * BAR,
    };
    let label = rows.iter().map(|row| row.id.len()).max().unwrap_or(0) * LETTER + 10;
    let (width, height) = (label + BAR as usize + 12 * LETTER, (rows.len() + 2) * ROW);
    let of = if scale == Scale::Logarithmic { ", logarithmic" } else { "" };
    let mut svg = sheet(&format!("{title}{of}"), width, height);
    for (number, (row, spread)) in rows.iter().zip(spreads).enumerate() {
        let y = (number + 1) * ROW + 10;
        let at = |seconds: f64| label as f64 + length(seconds);
        let (start, end, middle) = (label, at(spread.median), y + ROW / 2 - 3);
        let _ = write!(
            svg,
            "<text x=\"8\" y=\"{}\">{}</text>\n\
             <rect x=\"{start}\" y=\"{y}\" width=\"{:.1}\" height=\"{}\" fill=\"#0072b2\"/>\n\
             <line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{middle}\" y2=\"{middle}\" stroke=\"black\"/>\n\
             <text x=\"{:.1}\" y=\"{}\">{}</text>\n",
            y + 13,
            escaped(&row.id),
            end - label as f64,
            ROW - 6,
            at(spread.least),
            at(spread.greatest),
            at(spread.greatest) + 6.0,
            y + 13,
            time(spread.median),
        );
    }
    svg + "</svg>\n"
}

/// White, with a title.
fn sheet(title: &str, width: usize, height: usize) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"monospace\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"8\" y=\"18\" font-weight=\"bold\">{}</text>\n",
        escaped(title)
    )
}

/// Of a plot: its place on the sheet and its height; it is as wide as the longest bar.
const LEFT: f64 = 60.0;
const TOP: f64 = 40.0;
const HEIGHT: f64 = 200.0;

/// Colours that everyone can tell apart (Okabe and Ito), with dashes besides.
const LINES: [(&str, &str); 3] = [("#0072b2", "none"), ("#d55e00", "6 4"), ("#009e73", "2 3")];

/// What part of each group was proved, by its number of ghosts, a line for each kind.
pub(crate) fn shares(title: &str, shares: &[Share]) -> String {
    let most = shares.iter().map(|share| share.ghosts).max().unwrap_or(1) as f64;
    let x = |ghosts: usize| LEFT + ghosts as f64 / most * BAR;
    let y = |percent: f64| TOP + (1.0 - percent / 100.0) * HEIGHT;
    let mut kinds: Vec<&str> = shares.iter().map(|share| share.line.as_str()).collect();
    kinds.dedup();
    let longest = kinds.iter().map(|kind| kind.len()).max().unwrap_or(0);
    let (right, bottom) = (LEFT + BAR, TOP + HEIGHT);
    let title = format!("{title}: proved within {} s", TIME.as_secs());
    let mut svg = sheet(&title, right as usize + (longest + 4) * LETTER, bottom as usize + 2 * ROW);
    for percent in [0.0, 25.0, 50.0, 75.0, 100.0] {
        let (y, end) = (y(percent), LEFT - 6.0);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#ddd\"/>\n\
             <text x=\"{end}\" y=\"{}\" text-anchor=\"end\">{percent} %</text>",
            y + 4.0
        );
    }
    let mut numbers: Vec<usize> = shares.iter().map(|share| share.ghosts).collect();
    numbers.sort_unstable();
    numbers.dedup();
    for ghosts in numbers {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{ghosts}</text>",
            x(ghosts),
            bottom + 18.0
        );
    }
    let _ = writeln!(svg, "<text x=\"{right}\" y=\"{}\" text-anchor=\"end\">ghosts</text>", bottom + 34.0);
    for (number, (kind, (colour, dashes))) in kinds.iter().zip(LINES.into_iter().cycle()).enumerate() {
        let of_kind = shares.iter().filter(|share| share.line == **kind);
        let points: Vec<_> = of_kind.map(|share| format!("{:.1},{:.1}", x(share.ghosts), y(share.percent()))).collect();
        let legend = TOP + 4.0 + (number * ROW) as f64;
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"/>\n\
             <text x=\"{}\" y=\"{legend}\" fill=\"{colour}\">{}</text>",
            points.join(" "),
            right + 10.0,
            escaped(kind)
        );
    }
    svg + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::super::measure::Work;
    use super::*;

    fn row(id: &str, seconds: f64) -> Row {
        let (id, about, seconds) = (id.to_owned(), String::new(), vec![seconds]);
        Row { id, about, seconds, ratio: None, work: Work::default(), instructions: None }
    }

    #[test]
    fn a_bar_is_as_long_as_its_time() {
        let svg = bars("1 < 2", &[&row("a", 2.0), &row("b", 0.5)], Scale::Linear);
        assert!(
            svg.contains("1 &lt; 2") && svg.contains("width=\"420.0\"") && svg.contains("width=\"105.0\""),
            "{svg}"
        );
    }

    #[test]
    fn a_share_is_as_high_as_it_is_large() {
        let share = |line: &str, ghosts, proved| Share {
            id: String::new(),
            line: line.to_owned(),
            ghosts,
            instances: 4,
            proved,
            planned: 0,
            seconds: vec![1.0],
            bytes: 0,
        };
        let svg = shares("", &[share("a", 5, 4), share("a", 10, 1), share("b", 10, 2)]);
        assert!(svg.contains("points=\"270.0,40.0 480.0,190.0\"") && svg.contains("points=\"480.0,140.0\""), "{svg}");
    }

    #[test]
    fn or_as_its_logarithm() {
        let svg = bars("", &[&row("a", 10.0), &row("b", 0.1), &row("c", 1.0)], Scale::Logarithmic);
        assert!(["420.0", "140.0", "280.0"].iter().all(|width| svg.contains(&format!("width=\"{width}\""))), "{svg}");
    }
}
