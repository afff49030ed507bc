//! Bar charts of times, as SVG.

use std::fmt::Write as _;

use super::measure::Spread;
use super::report::{Section, time};

/// Pixels: of a row, of the longest bar, and of what stands before and behind the bars, a letter being 7 wide.
const ROW: usize = 22;
const BAR: f64 = 420.0;
const LETTER: usize = 7;

/// A bar for each row of a section, as long as its time; the ends of a thin line are the least and the greatest time.
pub(crate) fn bars(section: &Section) -> String {
    let spreads: Vec<_> = section.rows.iter().map(|row| Spread::of(&row.seconds)).collect();
    let longest = spreads.iter().map(|spread| spread.greatest).fold(f64::MIN_POSITIVE, f64::max);
    let label = section.rows.iter().map(|row| row.id.len()).max().unwrap_or(0) * LETTER + 10;
    let (width, height) = (label + BAR as usize + 12 * LETTER, (section.rows.len() + 2) * ROW);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"monospace\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"8\" y=\"18\" font-weight=\"bold\">{}</text>\n",
        escaped(&section.title)
    );
    for (number, (row, spread)) in section.rows.iter().zip(spreads).enumerate() {
        let y = (number + 1) * ROW + 10;
        let at = |seconds: f64| label as f64 + seconds / longest * BAR;
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
    use super::super::measure::{Row, Work};
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_time() {
        let row = |id: &str, seconds| Row {
            id: id.to_owned(),
            about: String::new(),
            seconds: vec![seconds],
            ratio: None,
            work: Work::default(),
        };
        let rows = vec![row("a", 2.0), row("b", 0.5)];
        let svg = bars(&Section { title: "1 < 2".to_owned(), rows });
        assert!(
            svg.contains("1 &lt; 2") && svg.contains("width=\"420.0\"") && svg.contains("width=\"105.0\""),
            "{svg}"
        );
    }
}
