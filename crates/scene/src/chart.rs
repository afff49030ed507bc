//! Charts as SVG: bars of quantities with their spread, and lines over a number.
//!
//! ```
//! use fewest_scene::Theme;
//! use fewest_scene::chart::{Axis, Line, lines};
//!
//! let boards = [1, 5, 13, 24, 13, 1];
//! let points = boards.iter().enumerate().map(|(moves, &boards)| (moves as f64, f64::from(boards))).collect();
//! let line = Line { name: "sample".to_owned(), points };
//! let svg = lines("Boards by depth", &Axis::linear("moves", 5.0), &Axis::logarithmic("boards", 24.0), &[line], Theme::Auto);
//! assert!(svg.contains("<polyline") && svg.contains("Boards by depth"));
//! ```

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use crate::ink::{Ink, Theme, classes};
use crate::xml::{Px, escaped};

/// Pixels: of a row, of the longest bar, and of a letter, of which the reader's font is no wider.
const ROW: usize = 22;
const BAR: f64 = 420.0;
const LETTER: usize = 8;

/// How a length follows a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// As long as the quantity.
    Linear,
    /// As its logarithm: as much longer for each ten times as much.
    Logarithmic,
}

/// A quantity with its spread.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// What stands before it.
    pub label: String,
    /// The quantity in words, which stands behind it.
    pub value: String,
    /// How long it is.
    pub length: f64,
    /// The ends of the thin line upon it: the least and the greatest.
    pub spread: [f64; 2],
}

/// A bar below the other for each of these. On a logarithmic scale they begin at a tenth of the
/// least.
pub fn bars(title: &str, bars: &[Bar], scale: Scale, theme: Theme) -> String {
    let longest = bars.iter().map(|bar| bar.spread[1]).fold(f64::MIN_POSITIVE, f64::max);
    let shortest =
        bars.iter().map(|bar| bar.spread[0]).fold(longest, f64::min).max(f64::MIN_POSITIVE);
    let long = |quantity: f64| match scale {
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
    let of = if scale == Scale::Logarithmic { ", logarithmic" } else { "" };
    let mut svg =
        sheet(&format!("{title}{of}"), width, (bars.len() + 2) * ROW, &[Ink::Hue(4)], theme);
    for (number, bar) in bars.iter().enumerate() {
        let top = (number + 1) * ROW + 10;
        let [least, greatest] = bar.spread.map(|end| start + long(end));
        let _ = writeln!(
            svg,
            "<text x=\"8\" y=\"{line}\" class=\"text\">{}</text><rect x=\"{}\" y=\"{top}\" width=\"{}\" height=\"{}\" class=\"hue4\"/>\
             <path d=\"M{} {middle}H{}\" class=\"text-line\"/><text x=\"{}\" y=\"{line}\" class=\"text\">{}</text>",
            escaped(&bar.label),
            Px(start),
            Px(long(bar.length)),
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

/// One of the two sides of a plot: what is measured along it, and where there are numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    name: String,
    scale: Scale,
    most: f64,
    ticks: Vec<(f64, String)>,
}

impl Axis {
    /// From nothing to `most`, with numbers at these places.
    pub fn with_ticks(
        name: &str,
        most: f64,
        ticks: impl IntoIterator<Item = (f64, String)>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            scale: Scale::Linear,
            most,
            ticks: ticks.into_iter().collect(),
        }
    }

    /// From nothing to `most`, with some five round numbers.
    pub fn linear(name: &str, most: f64) -> Self {
        let most = most.max(1.0);
        let decade = 10f64.powf((most / 5.0).log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|steps| steps * decade)
            .into_iter()
            .find(|step| most / step <= 6.0);
        // Whole things are counted, never parts of them.
        let step = step.unwrap_or(most).max(1.0);
        let ticks = (0..).map(|number| f64::from(number) * step).take_while(|&tick| tick <= most);
        Self::with_ticks(name, most, ticks.map(|tick| (tick, count(tick))))
    }

    /// From one to `most`, with the powers of ten.
    pub fn logarithmic(name: &str, most: f64) -> Self {
        let most = most.max(10.0);
        let ticks = (0..).map(|power| 10f64.powi(power)).take_while(|&tick| tick <= most);
        let ticks = ticks.map(|tick| (tick, count(tick))).collect();
        Self { name: name.to_owned(), scale: Scale::Logarithmic, most, ticks }
    }

    /// How much of the axis a quantity takes.
    fn share(&self, quantity: f64) -> f64 {
        match self.scale {
            Scale::Linear => quantity / self.most,
            Scale::Logarithmic => quantity.max(1.0).log10() / self.most.log10(),
        }
    }
}

/// A whole number with its thousands apart.
fn count(number: f64) -> String {
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

/// Points joined in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What stands beside it.
    pub name: String,
    /// Along the two axes.
    pub points: Vec<(f64, f64)>,
}

/// Of a plot: its place on the sheet and its height; it is as wide as the longest bar.
const TOP: f64 = 48.0;
const HEIGHT: f64 = 200.0;

/// How long the piece of a line beside its name is.
const SAMPLE: f64 = 26.0;

/// Lines are told apart by dashes as well as by hues.
const DASHES: [&str; 4] = ["none", "6 4", "2 3", "9 3 2 3"];

/// Lines over the numbers of `x`, with their names at the right.
pub fn lines(title: &str, x: &Axis, y: &Axis, lines: &[Line], theme: Theme) -> String {
    let widest = |texts: &mut dyn Iterator<Item = &str>| {
        texts.map(UnicodeWidthStr::width).max().unwrap_or(0) * LETTER
    };
    let left = (widest(&mut y.ticks.iter().map(|(_, text)| text.as_str())) + 2 * LETTER) as f64;
    let (right, bottom) = (left + BAR, TOP + HEIGHT);
    let across = |quantity: f64| Px(left + x.share(quantity) * BAR);
    let up = |quantity: f64| bottom - y.share(quantity) * HEIGHT;
    let names = widest(&mut lines.iter().map(|line| line.name.as_str()));
    let width = right as usize + SAMPLE as usize + names + 4 * LETTER;
    let width = width.max((title.width() + 4) * LETTER);
    let height = (bottom as usize + 2 * ROW).max(TOP as usize + lines.len() * ROW);
    let hues: Vec<_> = (0..lines.len()).map(hue).collect();
    let mut svg = sheet(title, width, height, &hues, theme);
    let _ = writeln!(
        svg,
        "<text x=\"8\" y=\"{}\" class=\"text\">{}</text>",
        Px(TOP - 10.0),
        escaped(&y.name)
    );
    for (tick, text) in &y.ticks {
        let (at, end) = (up(*tick), Px(left - 6.0));
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
        let (at, below) = (across(*tick), Px(bottom + 18.0));
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
        let points: Vec<_> =
            line.points.iter().map(|&(x, y)| format!("{},{}", across(x), Px(up(y)))).collect();
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

/// The darkest hue comes first.
fn hue(number: usize) -> Ink {
    Ink::Hue(number + 4)
}

/// An empty sheet with its title and the classes of its inks.
fn sheet(title: &str, width: usize, height: usize, hues: &[Ink], theme: Theme) -> String {
    let mut inks = vec![Ink::Paper, Ink::Text, Ink::Board];
    inks.extend(hues.iter().take(crate::ink::HUES));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"monospace\" font-size=\"12\">\n<style>{}</style>\n<rect width=\"100%\" height=\"100%\" class=\"paper\"/>\n\
         <text x=\"8\" y=\"18\" font-weight=\"bold\" class=\"text\">{}</text>\n",
        classes(&inks, theme),
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
    fn a_bar_is_as_long_as_its_quantity() {
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
    fn or_as_its_logarithm() {
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
    fn nothing_at_all_is_drawn_as_well() {
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
    fn a_point_is_where_its_numbers_are() {
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
        // Five letters and two more are left of the plot.
        assert!(
            svg.contains("points=\"266,48 476,198\"") && svg.contains("points=\"476,148\""),
            "{svg}"
        );
        roxmltree::Document::parse(&svg).expect("XML");
    }

    #[test]
    fn numbers_are_round() {
        let texts = |axis: Axis| axis.ticks.into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(texts(Axis::linear("", 116.0)), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(texts(Axis::linear("", 3.0)), ["0", "1", "2", "3"]);
        assert_eq!(texts(Axis::logarithmic("", 25955.0)), ["1", "10", "100", "1,000", "10,000"]);
    }
}
