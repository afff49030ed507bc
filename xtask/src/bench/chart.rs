//! Bar charts of times, as SVG.

use std::fmt::Write as _;

use super::measure::{Row, Spread};
use super::report::time;

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
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"monospace\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"8\" y=\"18\" font-weight=\"bold\">{}{of}</text>\n",
        escaped(title)
    );
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
    fn or_as_its_logarithm() {
        let svg = bars("", &[&row("a", 10.0), &row("b", 0.1), &row("c", 1.0)], Scale::Logarithmic);
        assert!(["420.0", "140.0", "280.0"].iter().all(|width| svg.contains(&format!("width=\"{width}\""))), "{svg}");
    }
}
