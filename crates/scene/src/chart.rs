//! Charts as SVG: bar charts of quantities with their spread, and line charts.
//!
//! ```
//! use fewest_scene::Theme;
//! use fewest_scene::chart::{Axis, Line, lines};
//!
//! let points = vec![(0.0, 1.0), (1.0, 5.0), (2.0, 13.0), (3.0, 24.0), (4.0, 13.0), (5.0, 1.0)];
//! let line = Line { name: "sample".to_owned(), points };
//! let (x, y) = (Axis::linear("moves", 5.0), Axis::logarithmic("boards", 24.0));
//! let svg = lines("Boards by depth", &x, &y, &[line], Theme::Auto);
//! assert!(svg.contains("<polyline") && svg.contains("Boards by depth"));
//! ```

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use crate::ink::{Ink, Theme};
use crate::tokens::colours;
use crate::xml::{Px, escaped};

/// The height of a row, in pixels.
const ROW: usize = 22;
/// The length of the longest bar, in pixels.
const BAR: f64 = 420.0;
/// The maximum width of a letter in the font of the viewer, in pixels.
const LETTER: usize = 8;

/// How quantities are converted to lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// The length is proportional to the quantity.
    Linear,
    /// The length is proportional to the logarithm of the quantity.
    Logarithmic,
}

/// A bar of a bar chart: a quantity with its spread.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// The text before the bar.
    pub label: String,
    /// The text after the bar: the quantity with its unit.
    pub value: String,
    /// The quantity.
    pub length: f64,
    /// The ends of the thin line on the bar: the minimum and the maximum.
    pub spread: [f64; 2],
}

/// Returns a bar chart as an SVG document, with one row for each bar.
///
/// A logarithmic scale starts at a tenth of the smallest minimum of all bars.
pub fn bars(title: &str, bars: &[Bar], scale: Scale, theme: Theme) -> String {
    let longest = bars.iter().map(|bar| bar.spread[1]).fold(f64::MIN_POSITIVE, f64::max);
    let shortest =
        bars.iter().map(|bar| bar.spread[0]).fold(longest, f64::min).max(f64::MIN_POSITIVE);
    let length = |quantity: f64| match scale {
        Scale::Linear => quantity / longest * BAR,
        Scale::Logarithmic => {
            let decades = |quantity: f64| (quantity.max(shortest) / shortest).log10() + 1.0;
            decades(quantity) / decades(longest) * BAR
        }
    };
    let widest = |text: fn(&Bar) -> &str| {
        bars.iter().map(|bar| text(bar).width()).max().unwrap_or(0) * LETTER
    };
    let start = (widest(|bar| &bar.label) + 10) as f64;
    let width = start as usize + BAR as usize + widest(|bar| &bar.value) + LETTER;
    let suffix = if scale == Scale::Logarithmic { ", logarithmic" } else { "" };
    let mut svg =
        header(&format!("{title}{suffix}"), width, (bars.len() + 2) * ROW, &[Ink::Hue(4)], theme);
    for (number, bar) in bars.iter().enumerate() {
        let top = (number + 1) * ROW + 10;
        let [least, greatest] = bar.spread.map(|end| start + length(end));
        let _ = writeln!(
            svg,
            "<text x=\"8\" y=\"{line}\" class=\"text\">{}</text><rect x=\"{}\" y=\"{top}\" width=\"{}\" height=\"{}\" class=\"hue4\"/>\
             <path d=\"M{} {middle}H{}\" class=\"text-line\"/><text x=\"{}\" y=\"{line}\" class=\"text\">{}</text>",
            escaped(&bar.label),
            Px(start),
            Px(length(bar.length)),
            ROW - 6,
            Px(least),
            Px(greatest),
            Px(greatest + 6.0),
            escaped(&bar.value),
            line = top + 13,
            middle = top + ROW / 2 - 3,
        );
    }
    svg + "</svg>\n"
}

/// An axis of a line chart: its name, its scale, its maximum, and its ticks.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    name: String,
    scale: Scale,
    max: f64,
    ticks: Vec<(f64, String)>,
}

impl Axis {
    /// A linear axis from 0 to `max` with these ticks: positions with their texts.
    pub fn with_ticks(
        name: &str,
        max: f64,
        ticks: impl IntoIterator<Item = (f64, String)>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            scale: Scale::Linear,
            max,
            ticks: ticks.into_iter().collect(),
        }
    }

    /// A linear axis from 0 to `max`, or to 1 if `max` is smaller, with about five ticks at round
    /// whole numbers.
    pub fn linear(name: &str, max: f64) -> Self {
        let max = max.max(1.0);
        let decade = 10f64.powf((max / 5.0).log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|factor| factor * decade)
            .into_iter()
            .find(|step| max / step <= 6.0);
        // Quantities are counts, so ticks are whole numbers.
        let step = step.unwrap_or(max).max(1.0);
        let ticks = (0..).map(|number| f64::from(number) * step).take_while(|&tick| tick <= max);
        Self::with_ticks(name, max, ticks.map(|tick| (tick, with_separators(tick))))
    }

    /// A logarithmic axis from 1 to `max`, or to 10 if `max` is smaller, with ticks at the powers
    /// of ten.
    pub fn logarithmic(name: &str, max: f64) -> Self {
        let max = max.max(10.0);
        let ticks = (0..).map(|power| 10f64.powi(power)).take_while(|&tick| tick <= max);
        let ticks = ticks.map(|tick| (tick, with_separators(tick))).collect();
        Self { name: name.to_owned(), scale: Scale::Logarithmic, max, ticks }
    }

    /// The position of a quantity on the axis, as a fraction of its length.
    fn fraction(&self, quantity: f64) -> f64 {
        match self.scale {
            Scale::Linear => quantity / self.max,
            Scale::Logarithmic => quantity.max(1.0).log10() / self.max.log10(),
        }
    }
}

/// A whole number with thousands separators.
fn with_separators(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A line of a line chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The name in the legend.
    pub name: String,
    /// The points, x and y, joined in this order.
    pub points: Vec<(f64, f64)>,
}

/// The distance from the top of the picture to the plot, in pixels.
const TOP: f64 = 48.0;
/// The height of the plot, in pixels. Its width is [`BAR`].
const HEIGHT: f64 = 200.0;

/// The length of a line sample in the legend, in pixels.
const SAMPLE: f64 = 26.0;

/// Dash patterns, so that lines differ not only by hue.
const DASHES: [&str; 4] = ["none", "6 4", "2 3", "9 3 2 3"];

/// Returns a line chart as an SVG document, with a legend on the right.
pub fn lines(title: &str, x: &Axis, y: &Axis, lines: &[Line], theme: Theme) -> String {
    let widest = |texts: &mut dyn Iterator<Item = &str>| {
        texts.map(UnicodeWidthStr::width).max().unwrap_or(0) * LETTER
    };
    let left = (widest(&mut y.ticks.iter().map(|(_, text)| text.as_str())) + 2 * LETTER) as f64;
    let (right, bottom) = (left + BAR, TOP + HEIGHT);
    let x_position = |quantity: f64| Px(left + x.fraction(quantity) * BAR);
    let y_position = |quantity: f64| bottom - y.fraction(quantity) * HEIGHT;
    let names = widest(&mut lines.iter().map(|line| line.name.as_str()));
    let width = right as usize + SAMPLE as usize + names + 4 * LETTER;
    let width = width.max((title.width() + 4) * LETTER);
    let height = (bottom as usize + 2 * ROW).max(TOP as usize + lines.len() * ROW);
    let hues: Vec<_> = (0..lines.len()).map(hue).collect();
    let mut svg = header(title, width, height, &hues, theme);
    let _ = writeln!(
        svg,
        "<text x=\"8\" y=\"{}\" class=\"text\">{}</text>",
        Px(TOP - 10.0),
        escaped(&y.name)
    );
    for (tick, text) in &y.ticks {
        let (at, end) = (y_position(*tick), Px(left - 6.0));
        let _ = writeln!(
            svg,
            "<path d=\"M{} {}H{}\" class=\"board-line\" stroke-width=\".5\"/>\
             <text x=\"{end}\" y=\"{}\" text-anchor=\"end\" class=\"text\">{text}</text>",
            Px(left),
            Px(at),
            Px(right),
            Px(at + 4.0),
        );
    }
    for (tick, text) in &x.ticks {
        let (at, below) = (x_position(*tick), Px(bottom + 18.0));
        let _ = writeln!(
            svg,
            "<text x=\"{at}\" y=\"{below}\" text-anchor=\"middle\" class=\"text\">{text}</text>"
        );
    }
    let (end, below) = (Px(right), Px(bottom + 34.0));
    let _ = writeln!(
        svg,
        "<text x=\"{end}\" y=\"{below}\" text-anchor=\"end\" class=\"text\">{}</text>",
        escaped(&x.name)
    );
    for (number, line) in lines.iter().enumerate() {
        let points: Vec<_> = line
            .points
            .iter()
            .map(|&(x, y)| format!("{},{}", x_position(x), Px(y_position(y))))
            .collect();
        let (class, dashes) = (hues[number].name(), DASHES[number % DASHES.len()]);
        let legend = TOP + (number * ROW) as f64;
        let _ = writeln!(
            svg,
            "<g stroke-width=\"2\" stroke-dasharray=\"{dashes}\" class=\"{class}-line\"><polyline points=\"{}\"/>\
             <path d=\"M{} {}h{SAMPLE}\"/></g><text x=\"{}\" y=\"{}\" class=\"{class}\">{}</text>",
            points.join(" "),
            Px(right + 10.0),
            Px(legend),
            Px(right + 18.0 + SAMPLE),
            Px(legend + 4.0),
            escaped(&line.name),
        );
    }
    svg + "</svg>\n"
}

/// The hue of a line. The first line gets the darkest hue.
fn hue(number: usize) -> Ink {
    Ink::Hue(number + 4)
}

/// The start of an SVG document: the style sheet, the background and the title.
fn header(title: &str, width: usize, height: usize, hues: &[Ink], theme: Theme) -> String {
    let mut inks = vec![Ink::Paper, Ink::Text, Ink::Board];
    inks.extend(hues.iter().take(crate::ink::HUES));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"monospace\" font-size=\"12\">\n<style>{}</style>\n<rect width=\"100%\" height=\"100%\" class=\"paper\"/>\n\
         <text x=\"8\" y=\"18\" font-weight=\"bold\" class=\"text\">{}</text>\n",
        colours(&inks, theme),
        escaped(title)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(label: &str, length: f64) -> Bar {
        Bar { label: label.to_owned(), value: format!("{length} s"), length, spread: [length; 2] }
    }

    #[test]
    fn a_linear_bar_is_proportional_to_its_quantity() {
        let svg = bars("1 < 2", &[bar("a", 2.0), bar("b", 0.5)], Scale::Linear, Theme::Light);
        assert!(
            svg.contains("1 &lt; 2")
                && svg.contains("width=\"420\"")
                && svg.contains("width=\"105\""),
            "{svg}"
        );
        roxmltree::Document::parse(&svg).expect("XML");
    }

    #[test]
    fn a_logarithmic_bar_is_proportional_to_the_logarithm() {
        let bars = bars(
            "",
            &[bar("a", 10.0), bar("b", 0.1), bar("c", 1.0)],
            Scale::Logarithmic,
            Theme::Auto,
        );
        assert!(
            ["420", "140", "280"].iter().all(|width| bars.contains(&format!("width=\"{width}\""))),
            "{bars}"
        );
    }

    #[test]
    fn empty_charts_and_zeros_are_valid() {
        for scale in [Scale::Linear, Scale::Logarithmic] {
            for svg in
                [bars("", &[], scale, Theme::Auto), bars("", &[bar("a", 0.0)], scale, Theme::Auto)]
            {
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            }
        }
        let line = Line { name: String::new(), points: vec![(0.0, 1.0)] };
        let svg =
            lines("", &Axis::linear("", 0.0), &Axis::logarithmic("", 1.0), &[line], Theme::Dark);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn points_have_their_positions() {
        let line =
            |points: &[(f64, f64)]| Line { name: "a & b".to_owned(), points: points.to_vec() };
        let percent =
            Axis::with_ticks("", 100.0, [(0.0, "0 %".to_owned()), (100.0, "100 %".to_owned())]);
        let svg = lines(
            "",
            &Axis::linear("ghosts", 10.0),
            &percent,
            &[line(&[(5.0, 100.0), (10.0, 25.0)]), line(&[(10.0, 50.0)])],
            Theme::Auto,
        );
        // Left of the plot there is space for the five letters of "100 %" and two more.
        assert!(
            svg.contains("points=\"266,48 476,198\"") && svg.contains("points=\"476,148\""),
            "{svg}"
        );
        roxmltree::Document::parse(&svg).expect("XML");
    }

    #[test]
    fn ticks_are_round_numbers() {
        let texts = |axis: Axis| axis.ticks.into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(texts(Axis::linear("", 116.0)), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(texts(Axis::linear("", 3.0)), ["0", "1", "2", "3"]);
        assert_eq!(texts(Axis::logarithmic("", 25955.0)), ["1", "10", "100", "1,000", "10,000"]);
    }
}
