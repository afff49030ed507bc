//! Animations as SVG: a still board, a strip of boards, or an animated board.
//!
//! The output is SVG 1.1. Animated boards use SMIL, which browsers play even where scripts are
//! disabled. Programs without SMIL show the board at the start. Sizes are in pixels; a cell has 40
//! before scaling.

use fewest_geometry::Cell;
use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::io;

use unicode_width::UnicodeWidthStr;

use crate::draw::{DrawError, Limits};
use crate::ink::{Ink, Theme, classes};
use crate::outline::outline;
use crate::scene::{Animation, Part, Placement, Scene, Shape, Side, Step};
use crate::xml::{Px, escaped};

/// Options of SVG and GIF output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The theme: a light or a dark background.
    pub theme: Theme,
    /// The width of a cell in pixels.
    pub cell: u32,
}

impl Default for Look {
    fn default() -> Self {
        Self { theme: Theme::Auto, cell: CELL as u32 }
    }
}

/// The width of a cell in pixels, before scaling.
pub(crate) const CELL: f64 = 40.0;
/// The margin around a picture.
const MARGIN: f64 = 8.0;
/// The height of a caption.
pub(crate) const CAPTION_HEIGHT: f64 = 22.0;
/// The space between the boards of a strip.
const BOARD_GAP: f64 = 20.0;
/// The maximum width of a letter, relative to the font size.
const LETTER_WIDTH: f64 = 0.62;

/// How text is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lettering {
    /// As `<text>` elements, in a font of the viewer.
    Text,
    /// As outlines, for renderers without fonts.
    #[cfg(feature = "raster")]
    Outlines,
}

/// Draws the board at the start, with the [traced](method@Part::traced) paths of the whole plan.
///
/// # Errors
/// If writing fails, or if a limit stops drawing.
pub fn still(
    animation: &Animation<'_>,
    look: &Look,
    limits: &Limits<'_>,
    out: &mut dyn io::Write,
) -> Result<(), DrawError> {
    let painter = Painter::new(animation, Lettering::Text);
    let (width, height) = painter.size();
    let paths = animation.traced_paths(limits)?;
    let mut svg = Buffered::new(out);
    painter.open(look, (width, height), &mut svg);
    painter.background(&mut svg);
    painter.definitions(&mut svg);
    let _ = svg.write_str("<use href=\"#ground\"/>\n");
    painter.paths(&paths, &mut svg);
    painter.board(&animation.start(), None, &mut svg);
    let _ = svg.write_str("</svg>\n");
    svg.finish()
}

/// Draws a strip: the board with the [traced](method@Part::traced) paths of the whole plan, if
/// there are any; the board before every `every`th step, with arrows; and the board after the last
/// step.
///
/// One board is in memory at a time.
///
/// # Errors
/// If writing fails, or if a limit stops drawing.
pub fn strip(
    animation: &Animation<'_>,
    look: &Look,
    every: usize,
    limits: &Limits<'_>,
    out: &mut dyn io::Write,
) -> Result<(), DrawError> {
    let painter = Painter::new(animation, Lettering::Text);
    let (width, height) = painter.size();
    let (stride_x, stride_y) =
        (width - 2.0 * MARGIN + BOARD_GAP, height - 2.0 * MARGIN + BOARD_GAP + CAPTION_HEIGHT);
    let paths = animation.traced_paths(limits)?;
    let boards = animation.board_count(every) + usize::from(!paths.is_empty());
    // The strip is about a third wider than high.
    let columns =
        ((boards as f64 * stride_y / stride_x * 1.33).sqrt().ceil().max(1.0) as usize).min(boards);
    let rows = boards.div_ceil(columns);
    let strip_width = columns as f64 * stride_x - BOARD_GAP + 2.0 * MARGIN;
    let mut svg = Buffered::new(out);
    painter.open(look, (strip_width, rows as f64 * stride_y - BOARD_GAP + 2.0 * MARGIN), &mut svg);
    painter.background(&mut svg);
    painter.definitions(&mut svg);
    let mut index = 0;
    let mut open_board = |caption: &str, svg: &mut Buffered<'_>| {
        let (x, y) = (
            (index % columns) as f64 * stride_x,
            (index / columns) as f64 * stride_y + CAPTION_HEIGHT,
        );
        index += 1;
        let _ = writeln!(
            svg,
            "<g transform=\"translate({} {})\"><use href=\"#ground\"/>",
            Px(x),
            Px(y)
        );
        painter.caption(caption, svg);
        let _ = svg.write_char('\n');
    };
    if !paths.is_empty() {
        open_board("whole plan", &mut svg);
        painter.paths(&paths, &mut svg);
        painter.board(&animation.start(), None, &mut svg);
        let _ = svg.write_str("</g>\n");
    }
    drop(paths);
    for board in animation.boards(every, limits) {
        let (caption, frame) = board?;
        open_board(&caption, &mut svg);
        painter.board(&frame.placements, frame.step.as_ref(), &mut svg);
        let _ = svg.write_str("</g>\n");
        svg.check()?;
    }
    let _ = svg.write_str("</svg>\n");
    svg.finish()
}

/// A buffer between [`fmt::Write`] and [`io::Write`]. It stores the first error until
/// [`check`](Self::check), so that the drawing functions need not handle errors.
struct Buffered<'a> {
    text: String,
    out: &'a mut dyn io::Write,
    result: io::Result<()>,
}

impl<'a> Buffered<'a> {
    /// The size at which the buffer is flushed.
    const CAPACITY_BYTES: usize = 1 << 16;

    fn new(out: &'a mut dyn io::Write) -> Self {
        Self { text: String::new(), out, result: Ok(()) }
    }

    fn flush(&mut self) {
        if self.result.is_ok() {
            self.result = self.out.write_all(self.text.as_bytes());
        }
        self.text.clear();
    }

    /// Returns the first error since the last check.
    fn check(&mut self) -> Result<(), DrawError> {
        Ok(std::mem::replace(&mut self.result, Ok(()))?)
    }

    /// Writes the rest.
    fn finish(mut self) -> Result<(), DrawError> {
        self.flush();
        self.check()
    }
}

impl fmt::Write for Buffered<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.push_str(text);
        if self.text.len() >= Self::CAPACITY_BYTES {
            self.flush();
        }
        Ok(())
    }
}

/// The timing of an animation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    /// The time from the start of a step to the start of the next.
    pub(crate) step_seconds: f64,
    /// The part of this time in which parts move.
    pub(crate) motion_seconds: f64,
    /// The duration of the animation.
    pub(crate) total_seconds: f64,
}

/// The time before the first step.
pub(crate) const LEAD_SECONDS: f64 = 1.0;
/// The time after the last step.
pub(crate) const TAIL_SECONDS: f64 = 2.0;

impl Timing {
    /// 0.66 s per step. If all steps together would take more than 90 s, a step is shorter, but not
    /// shorter than 0.12 s.
    pub(crate) fn of(animation: &Animation<'_>) -> Self {
        let steps = animation.step_count().max(1) as f64;
        let step_seconds = (90.0 / steps).clamp(0.12, 0.66);
        Self {
            step_seconds,
            motion_seconds: 0.7 * step_seconds,
            total_seconds: LEAD_SECONDS + steps * step_seconds + TAIL_SECONDS,
        }
    }

    /// The start of a step, in seconds.
    pub(crate) fn start(&self, step: usize) -> f64 {
        LEAD_SECONDS + step as f64 * self.step_seconds
    }

    /// A time as a fraction of the duration, for `keyTimes`.
    fn key(&self, time: f64) -> String {
        format!("{:.5}", time / self.total_seconds)
    }
}

/// Draws an animated board that repeats indefinitely.
///
/// The motions of all parts are in memory at the same time.
///
/// # Errors
/// If writing fails, or if a limit stops drawing.
pub fn moving(
    animation: &Animation<'_>,
    look: &Look,
    limits: &Limits<'_>,
    out: &mut dyn io::Write,
) -> Result<(), DrawError> {
    let painter = Painter::new(animation, Lettering::Text);
    let timing = Timing::of(animation);
    let (width, height) = painter.size();
    // Before the first byte of output, because they may exceed the limit.
    let (motions, motion_bytes) = painter.part_motions(limits)?;
    let paths = animation.traced_paths(&limits.remaining(motion_bytes))?;
    let mut svg = Buffered::new(out);
    painter.open(look, (width, height + CAPTION_HEIGHT), &mut svg);
    painter.background(&mut svg);
    let _ = writeln!(svg, "<g transform=\"translate(0 {CAPTION_HEIGHT})\">");
    painter.ground(false, &mut svg);
    painter.paths(&paths, &mut svg);
    drop(paths);
    painter.ground(true, &mut svg);
    for (number, motions) in motions.into_iter().enumerate() {
        limits.check(0)?;
        painter.animated_part(number, &motions, &timing, &mut svg);
        svg.check()?;
    }
    let repeat = format!("dur=\"{}s\" repeatCount=\"indefinite\"", Px(timing.total_seconds));
    for (number, step) in animation.steps().enumerate() {
        let from = timing.key(timing.start(number));
        let (values, times) = match number + 1 < animation.step_count() {
            true => ("0;1;0", format!("0;{from};{}", timing.key(timing.start(number + 1)))),
            false => ("0;1", format!("0;{from}")),
        };
        let _ = write!(
            svg,
            "<g opacity=\"0\"><animate attributeName=\"opacity\" calcMode=\"discrete\" values=\"{values}\" keyTimes=\"{times}\" {repeat}/>"
        );
        painter.caption(&format!("{} {}", number + 1, step.caption), &mut svg);
        let _ = svg.write_str("</g>\n");
        limits.check(0)?;
        svg.check()?;
    }
    let _ = svg.write_str("</g>\n</svg>\n");
    svg.finish()
}

/// A motion of a part.
struct PartMotion {
    /// The index of the step.
    step: u32,
    /// The cells of the path after the current cell of the part.
    path: Box<[Cell]>,
    turns: Option<Ink>,
}

/// Draws the boards of an animation.
pub(crate) struct Painter<'a> {
    animation: &'a Animation<'a>,
    lettering: Lettering,
    /// The position of the cell `Cell::ORIGIN` in the picture, in pixels.
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl<'a> Painter<'a> {
    pub(crate) fn new(animation: &'a Animation<'a>, lettering: Lettering) -> Self {
        let (from, to) = animation.extent();
        let length = |cells: i32| f64::from(cells) * CELL;
        Self {
            animation,
            lettering,
            left: MARGIN - length(from.column),
            top: MARGIN - length(from.row),
            width: length(to.column - from.column + 1) + 2.0 * MARGIN,
            height: length(to.row - from.row + 1) + 2.0 * MARGIN,
        }
    }

    /// The width and height of a board with its margin, in pixels.
    pub(crate) fn size(&self) -> (f64, f64) {
        (self.width, self.height)
    }

    /// Writes the opening `<svg>` tag with the size, and the style sheet.
    pub(crate) fn open(&self, look: &Look, (width, height): (f64, f64), svg: &mut dyn fmt::Write) {
        let Scene { ground, parts, .. } = &self.animation.scene;
        let turns = self.animation.turns().iter().copied();
        let used: BTreeSet<Ink> =
            ground.iter().chain(parts).map(|part| part.ink).chain(turns).collect();
        let inks: Vec<Ink> = Ink::all()
            .filter(|ink| {
                let class = ink.name();
                let label_inks = used.iter().map(|ink| ink.on());
                matches!(ink, Ink::Paper | Ink::Text)
                    || used.iter().copied().chain(label_inks).any(|used| used.name() == class)
            })
            .collect();
        let scale = f64::from(look.cell) / CELL;
        let _ = write!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\">\n<style>{}\n\
             .way{{stroke-width:3;stroke-linejoin:round;stroke-linecap:round;fill:none;stroke-opacity:.8}}\
             .arrow{{stroke-width:3;stroke-linejoin:round;fill:none}}.halo{{stroke-width:6;stroke-opacity:.7}}\
             .edge{{stroke-width:6;stroke-linecap:round}}.outline{{stroke-width:2.5;stroke-dasharray:5 4;fill:none}}\
             text{{font-family:system-ui,sans-serif;text-anchor:middle}}text.caption{{font-size:14px;text-anchor:start}}</style>\n",
            Px(width * scale),
            Px(height * scale),
            Px(width),
            Px(height),
            classes(&inks, look.theme),
        );
    }

    /// Fills the background.
    pub(crate) fn background(&self, svg: &mut dyn fmt::Write) {
        let _ = svg.write_str("<rect width=\"100%\" height=\"100%\" class=\"paper\"/>\n");
    }

    /// Defines the ground and each part, for `<use>` elements.
    fn definitions(&self, svg: &mut dyn fmt::Write) {
        let _ = svg.write_str("<defs>\n");
        for (id, outlines) in [("ground", false), ("outlines", true)] {
            let _ = writeln!(svg, "<g id=\"{id}\">");
            self.ground(outlines, svg);
            let _ = svg.write_str("</g>\n");
        }
        for (number, part) in self.animation.scene.parts.iter().enumerate() {
            let _ = write!(svg, "<g id=\"p{number}\">");
            self.part(part, None, false, svg);
            let _ = svg.write_str("</g>\n");
        }
        let _ = svg.write_str("</defs>\n");
    }

    /// Draws the ground below the paths, or the outlines above them.
    pub(crate) fn ground(&self, outlines: bool, svg: &mut dyn fmt::Write) {
        for part in self.animation.scene.ground.iter().filter(|part| part.is_outline() == outlines)
        {
            let (x, y) = self.corner(part.at);
            let _ = write!(svg, "<g transform=\"translate({} {})\">", Px(x), Px(y));
            self.part(part, Some(part.ink), true, svg);
            let _ = svg.write_str("</g>\n");
        }
    }

    /// The upper left corner of a cell.
    fn corner(&self, at: Cell) -> (f64, f64) {
        (self.left + f64::from(at.column) * CELL, self.top + f64::from(at.row) * CELL)
    }

    /// Draws a part at the origin. Without an ink, the colour is that of the enclosing element.
    pub(crate) fn part(
        &self,
        part: &Part,
        ink: Option<Ink>,
        is_ground: bool,
        svg: &mut dyn fmt::Write,
    ) {
        let class = |kind: &str, suffix: &str| {
            let ink = ink.map(|ink| ink.name() + suffix).unwrap_or_default();
            let class = [ink.as_str(), kind]
                .into_iter()
                .filter(|word| !word.is_empty())
                .collect::<Vec<_>>()
                .join(" ");
            if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") }
        };
        let half = CELL / 2.0;
        match &part.shape {
            Shape::Outline(cells) => {
                let _ = write!(
                    svg,
                    "<path d=\"{}\"{}/>",
                    outline(cells, CELL, 3.5, 7.0),
                    class("outline", "-line")
                );
            }
            Shape::Cells(cells) => {
                let (inset, radius) = if is_ground { (0.0, 4.0) } else { (1.5, 7.0) };
                let _ = write!(
                    svg,
                    "<path d=\"{}\"{}/>",
                    outline(cells, CELL, inset, radius),
                    class("", "")
                );
            }
            Shape::Edge(side) => {
                let (x, y) = if *side == Side::West { (0.0, CELL) } else { (CELL, 0.0) };
                let _ = write!(svg, "<path d=\"M0 0L{x} {y}\"{}/>", class("edge", "-line"));
            }
            Shape::Disc => {
                let _ =
                    write!(svg, "<circle cx=\"{half}\" cy=\"{half}\" r=\"14\"{}/>", class("", ""));
            }
            Shape::Arrow => {
                let head = CELL / 5.0;
                let tip = (CELL - head, half);
                let shaft = polyline(&[(head, half), tip]);
                let point =
                    polyline(&[(tip.0 - head, half - head), tip, (tip.0 - head, half + head)]);
                let _ = write!(svg, "<path d=\"{shaft}{point}\"{}/>", class("arrow", "-line"));
            }
            Shape::Figure(path) => {
                let _ = write!(
                    svg,
                    "<path transform=\"scale({CELL})\" d=\"{path}\"{}/>",
                    class("", "")
                );
            }
        }
        let ink = if part.is_outline() { part.ink } else { part.ink.on() };
        self.label(part, ink, svg);
    }

    /// Draws the label of a part at the origin.
    fn label(&self, part: &Part, ink: Ink, svg: &mut dyn fmt::Write) {
        if part.label.is_empty() {
            return;
        }
        let room = LabelRoom::of(part);
        let lines = room.lines(&part.label);
        let longest = lines.iter().map(|line| line.width()).max().unwrap_or(1).max(1) as f64;
        let fit = (room.width * CELL - 8.0) / (longest * LETTER_WIDTH);
        let size = fit.min((room.height * CELL - 6.0) / lines.len() as f64).min(20.0);
        let (x, y) = (room.x * CELL, room.y * CELL);
        for (number, line) in lines.iter().enumerate() {
            // The middle of a capital letter is about a third of the font size above the baseline.
            let baseline = y + size * (number as f64 - (lines.len() - 1) as f64 / 2.0 + 0.35);
            self.write(line, (x, baseline, size), &ink.name(), svg);
        }
    }

    /// Writes text with its baseline at `y`. Captions start at `x`, labels are centred at `x`.
    fn write(
        &self,
        text: &str,
        (x, y, size): (f64, f64, f64),
        class: &str,
        svg: &mut dyn fmt::Write,
    ) {
        match self.lettering {
            Lettering::Text => {
                let (x, y, size) = (Px(x), Px(y), Px(size));
                let _ = write!(
                    svg,
                    "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" class=\"{class}\">{}</text>",
                    escaped(text)
                );
            }
            #[cfg(feature = "raster")]
            Lettering::Outlines => {
                let text_width = crate::raster::glyphs::width(text) * size;
                let start = if class == "text caption" { x } else { x - text_width / 2.0 };
                crate::raster::glyphs::write(text, (start, y, size), class, svg);
            }
        }
    }

    /// Writes a caption above a board, shortened to the width of the board.
    pub(crate) fn caption(&self, text: &str, svg: &mut dyn fmt::Write) {
        const SIZE: f64 = 14.0;
        let columns = ((self.width - 2.0 * MARGIN) / (SIZE * 0.55)) as usize;
        self.write(
            &ellipsize(text, columns.max(3)),
            (MARGIN, MARGIN - 8.0, SIZE),
            "text caption",
            svg,
        );
    }

    /// Draws outlines, all parts and, with a step, the arrows of its motions.
    fn board(&self, placements: &[Placement], step: Option<&Step>, svg: &mut dyn fmt::Write) {
        let _ = svg.write_str("<use href=\"#outlines\"/>\n");
        for (number, (part, &(at, ink))) in
            self.animation.scene.parts.iter().zip(placements).enumerate()
        {
            let (x, y) = self.corner(at);
            let line = matches!(part.shape, Shape::Edge(_) | Shape::Arrow | Shape::Outline(_));
            let class = ink.name() + if line { "-line" } else { "" };
            let _ = writeln!(
                svg,
                "<use href=\"#p{number}\" x=\"{}\" y=\"{}\" class=\"{class}\"/>",
                Px(x),
                Px(y)
            );
        }
        for motion in step.into_iter().flat_map(|step| &step.motions) {
            let part = &self.animation.scene.parts[motion.part];
            // A pushed edge needs no arrow, because the arrow of the pushing part ends at it.
            if motion.path.len() > 1 && !matches!(part.shape, Shape::Edge(_)) {
                self.arrow(part, &motion.path, svg);
            }
        }
    }

    /// Draws an arrow along a path.
    fn arrow(&self, part: &Part, path: &[Cell], svg: &mut dyn fmt::Write) {
        let room = LabelRoom::of(part);
        let mut points: Vec<(f64, f64)> = path
            .iter()
            .map(|&at| {
                let (x, y) = self.corner(at);
                (x + room.x * CELL, y + room.y * CELL)
            })
            .collect();
        let unit = |from: (f64, f64), to: (f64, f64)| {
            (
                (to.0 - from.0).signum() * f64::from(to.0 != from.0),
                (to.1 - from.1).signum() * f64::from(to.1 != from.1),
            )
        };
        let last = points.len() - 1;
        let (out, (dx, dy)) = (unit(points[0], points[1]), unit(points[last - 1], points[last]));
        // Shorten both ends, so that the arrow does not cross the labels.
        points[last] = (points[last].0 - 9.0 * dx, points[last].1 - 9.0 * dy);
        points[0] = (points[0].0 + 11.0 * out.0, points[0].1 + 11.0 * out.1);
        let (x, y) = points[last];
        let line = polyline(&points);
        let head = polyline(&[
            (x - 8.0 * dx - 6.0 * dy, y - 8.0 * dy - 6.0 * dx),
            (x, y),
            (x - 8.0 * dx + 6.0 * dy, y - 8.0 * dy + 6.0 * dx),
        ]);
        let _ = writeln!(
            svg,
            "<path d=\"{line}{head}\" class=\"paper-line arrow halo\"/><path d=\"{line}{head}\" class=\"text-line arrow\"/>"
        );
    }

    /// Draws paths of parts. Each path has an offset, so that paths through the same cells are
    /// visible side by side.
    pub(crate) fn paths(&self, paths: &[(usize, Vec<Cell>)], svg: &mut dyn fmt::Write) {
        let offset_count = paths.len().min(5) as f64;
        for (index, (number, path)) in paths.iter().enumerate() {
            let part = &self.animation.scene.parts[*number];
            let offset = 4.0 * (index as f64 % 5.0 - (offset_count - 1.0) / 2.0);
            let points: Vec<(f64, f64)> = path
                .iter()
                .map(|&at| {
                    let (x, y) = self.corner(at);
                    (x + CELL / 2.0 + offset, y + CELL / 2.0 + offset)
                })
                .collect();
            let _ = writeln!(
                svg,
                "<path d=\"{}\" class=\"{}-line way\"/>",
                polyline(&points),
                part.ink.name()
            );
        }
    }

    /// Returns the motions of each part, and the bytes that they take.
    fn part_motions(&self, limits: &Limits<'_>) -> Result<(Vec<Vec<PartMotion>>, u64), DrawError> {
        let mut part_motions: Vec<Vec<PartMotion>> =
            self.animation.scene.parts.iter().map(|_| Vec::new()).collect();
        let mut bytes = 0;
        for (number, step) in self.animation.steps().enumerate() {
            for motion in step.motions {
                let path: Box<[Cell]> = motion.path.into_iter().skip(1).collect();
                // A list that grows by doubling can have twice the capacity that it needs.
                bytes += (2 * size_of::<PartMotion>()
                    + MIN_ALLOCATION_BYTES.max(size_of_val(&path[..])))
                    as u64;
                part_motions[motion.part].push(PartMotion {
                    step: number as u32,
                    path,
                    turns: motion.turns,
                });
            }
            limits.check(bytes)?;
        }
        Ok((part_motions, bytes))
    }

    /// Draws a part with all its motions.
    fn animated_part(
        &self,
        number: usize,
        motions: &[PartMotion],
        timing: &Timing,
        svg: &mut dyn fmt::Write,
    ) {
        let part = &self.animation.scene.parts[number];
        let (x, y) = self.corner(part.at);
        let repeat = format!("dur=\"{}s\" repeatCount=\"indefinite\"", Px(timing.total_seconds));
        let _ = write!(svg, "<g transform=\"translate({} {})\">", Px(x), Px(y));
        let mut whole_path: Vec<Cell> = vec![part.at];
        // The number of cells passed at each key time.
        let (mut passed, mut keys): (usize, Vec<(f64, usize)>) = (0, vec![(0.0, 0)]);
        for PartMotion { step, path, .. } in motions {
            let start = timing.start(*step as usize);
            keys.push((start, passed));
            whole_path.extend_from_slice(path);
            passed += path.len();
            keys.push((start + timing.motion_seconds, passed));
        }
        if passed > 0 {
            keys.push((timing.total_seconds, passed));
            let points: Vec<(f64, f64)> = whole_path
                .iter()
                .map(|at| {
                    (
                        f64::from(at.column - part.at.column) * CELL,
                        f64::from(at.row - part.at.row) * CELL,
                    )
                })
                .collect();
            let _ = write!(
                svg,
                "<animateMotion path=\"{}\" calcMode=\"spline\" keyPoints=\"",
                polyline(&points)
            );
            for (number, &(_, passed_by_then)) in keys.iter().enumerate() {
                let _ = write!(
                    svg,
                    "{}{:.5}",
                    separator(number),
                    passed_by_then as f64 / passed as f64
                );
            }
            let _ = svg.write_str("\" keyTimes=\"");
            for (number, &(time, _)) in keys.iter().enumerate() {
                let _ = write!(svg, "{}{}", separator(number), timing.key(time));
            }
            let _ = write!(
                svg,
                "\" keySplines=\"{}\" {repeat}/>",
                vec![EASE_SPLINE; keys.len() - 1].join(";")
            );
        }
        // If the colour changes, the new colour is drawn below, and the old one disappears.
        let turn = motions.iter().find_map(|motion| Some((motion.step, motion.turns?)));
        if let Some((step, ink)) = turn {
            self.part(part, Some(ink), false, svg);
            let _ = write!(
                svg,
                "<g><animate attributeName=\"opacity\" calcMode=\"discrete\" values=\"1;0\" keyTimes=\"0;{}\" {repeat}/>",
                timing.key(timing.start(step as usize))
            );
        }
        self.part(part, Some(part.ink), false, svg);
        let _ = svg.write_str(if turn.is_some() { "</g></g>\n" } else { "</g>\n" });
    }

    /// Draws all parts at one time of an animation, without the ground. `step` is the current step
    /// and its progress from 0 to 1.
    #[cfg(feature = "raster")]
    pub(crate) fn parts_at(
        &self,
        placements: &[Placement],
        step: Option<(&Step, f64)>,
        svg: &mut dyn fmt::Write,
    ) {
        let moved = |number: usize| {
            let (step, progress) = step?;
            let motion = step.motions.iter().find(|motion| motion.part == number)?;
            let passed = ease(progress) * motion.path.len().saturating_sub(1) as f64;
            let (from, to) =
                (*motion.path.get(passed as usize)?, *motion.path.get(passed.ceil() as usize)?);
            let ((x, y), (to_x, to_y)) = (self.corner(from), self.corner(to));
            let fraction = passed.fract();
            Some(((x + (to_x - x) * fraction, y + (to_y - y) * fraction), motion.turns))
        };
        for (number, (part, &(at, ink))) in
            self.animation.scene.parts.iter().zip(placements).enumerate()
        {
            let ((x, y), turns) = moved(number).unwrap_or((self.corner(at), None));
            let _ = write!(svg, "<g transform=\"translate({} {})\">", Px(x), Px(y));
            self.part(part, Some(turns.unwrap_or(ink)), false, svg);
            let _ = svg.write_str("</g>");
        }
    }
}

/// The separator before an item of a list.
fn separator(number: usize) -> &'static str {
    if number > 0 { ";" } else { "" }
}

/// The memory that an allocator uses for an allocation of a few bytes.
const MIN_ALLOCATION_BYTES: usize = 32;

/// Ease-in and ease-out, for `keySplines`.
const EASE_SPLINE: &str = ".45 0 .55 1";

/// About the same as [`EASE_SPLINE`], as a function from 0 to 1.
#[cfg(feature = "raster")]
fn ease(progress: f64) -> f64 {
    progress * progress * (3.0 - 2.0 * progress)
}

/// The path data of a polyline.
fn polyline(points: &[(f64, f64)]) -> String {
    points.iter().enumerate().fold(String::new(), |mut path, (number, &(x, y))| {
        let _ = write!(path, "{}{} {}", if number == 0 { 'M' } else { 'L' }, Px(x), Px(y));
        path
    })
}

/// Shortens a text to this many columns. A shortened text ends in `…`.
pub(crate) fn ellipsize(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if short.width() + c.to_string().width() >= columns {
            break;
        }
        short.push(c);
    }
    short + "…"
}

/// The space for the label of a part, in units of one cell, relative to the cell of the part.
pub(crate) struct LabelRoom {
    /// The middle.
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl LabelRoom {
    /// The whole part if its cells are a rectangle; else its cell nearest to its centre of mass.
    pub(crate) fn of(part: &Part) -> Self {
        let cells = part.cells(Cell::ORIGIN);
        let ends = |of: fn(&Cell) -> i32| {
            (cells.iter().map(of).min().unwrap_or(0), cells.iter().map(of).max().unwrap_or(0))
        };
        let ((left, right), (top, bottom)) = (ends(|cell| cell.column), ends(|cell| cell.row));
        let (width, height) = (right - left + 1, bottom - top + 1);
        if cells.len() == (width * height) as usize {
            let [left, top, width, height] = [left, top, width, height].map(f64::from);
            return Self { x: left + width / 2.0, y: top + height / 2.0, width, height };
        }
        // Distances times the number of cells, so that they are whole numbers.
        let count = cells.len().max(1) as i64;
        let [x, y] = [|cell: &Cell| i64::from(cell.column), |cell: &Cell| i64::from(cell.row)];
        let sum = cells.iter().fold((0, 0), |sum, cell| (sum.0 + x(cell), sum.1 + y(cell)));
        let distance =
            |cell: &&Cell| (x(cell) * count - sum.0).pow(2) + (y(cell) * count - sum.1).pow(2);
        let Cell { row: y, column: x } =
            cells.iter().min_by_key(distance).copied().unwrap_or(Cell::ORIGIN);
        Self { x: f64::from(x) + 0.5, y: f64::from(y) + 0.5, width: 1.0, height: 1.0 }
    }

    /// Splits a label into lines: one character per line if all characters are wide and the space
    /// is higher than wide, else one line.
    pub(crate) fn lines(&self, label: &str) -> Vec<String> {
        let char_count = label.chars().count();
        if self.height > self.width && char_count > 1 && label.width() == 2 * char_count {
            label.chars().map(String::from).collect()
        } else {
            vec![label.to_owned()]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Motion;

    /// A disc that moves east and then south out of the board. Its first step pushes an edge, which
    /// changes its colour.
    fn animation() -> Animation<'static> {
        let mut scene = Scene::new(2, 1);
        scene.ground.push(Part::new(
            Shape::Cells(vec![Cell::new(0, 0), Cell::new(0, 1)]),
            Cell::new(0, 0),
            Ink::Floor,
        ));
        scene
            .parts
            .push(Part::new(Shape::Disc, Cell::new(0, 0), Ink::Hue(4)).labelled("<").traced());
        scene.parts.push(Part::new(Shape::Edge(Side::West), Cell::new(0, 1), Ink::Wall));
        let motion = |part, from, to, turns| Motion { part, path: vec![from, to], turns };
        let east = vec![
            motion(0, Cell::new(0, 0), Cell::new(0, 1), None),
            motion(1, Cell::new(0, 1), Cell::new(0, 2), Some(Ink::Hue(0))),
        ];
        let south = vec![motion(0, Cell::new(0, 1), Cell::new(1, 1), None)];
        let step = |caption: &str, motions| Step { caption: caption.to_owned(), motions };
        let steps = [step("E", east), step("S", south)];
        Animation::new(scene, move || steps.clone(), &Limits::NONE).expect("no limits")
    }

    type Draw<'a> =
        dyn Fn(&Animation<'_>, &Limits<'_>, &mut dyn io::Write) -> Result<(), DrawError> + 'a;

    fn drawn(draw: &Draw<'_>) -> String {
        let mut svg = Vec::new();
        draw(&animation(), &Limits::NONE, &mut svg).expect("no limits");
        String::from_utf8(svg).expect("UTF-8")
    }

    #[test]
    fn every_picture_is_well_formed_svg() {
        let look = Look { theme: Theme::Light, cell: 20 };
        let draws: [&Draw<'_>; 3] = [
            &|animation, limits, out| still(animation, &look, limits, out),
            &|animation, limits, out| strip(animation, &look, 1, limits, out),
            &|animation, limits, out| moving(animation, &look, limits, out),
        ];
        for svg in draws.map(drawn) {
            let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
            let ids: Vec<_> =
                document.descendants().filter_map(|node| node.attribute("id")).collect();
            for used in document.descendants().filter_map(|node| node.attribute("href")) {
                assert!(ids.contains(&used.trim_start_matches('#')), "{used} in {svg}");
            }
        }
    }

    #[test]
    fn a_picture_includes_parts_that_leave_the_board() {
        let look = Look { theme: Theme::Light, cell: 20 };
        let svg = drawn(&|animation, limits, out| still(animation, &look, limits, out));
        assert!(svg.contains("width=\"48\" height=\"48\" viewBox=\"0 0 96 96\""), "{svg}");
    }

    #[test]
    fn a_strip_has_the_whole_plan_each_board_and_the_end() {
        let svg =
            drawn(&|animation, limits, out| strip(animation, &Look::default(), 1, limits, out));
        let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
        let captions: Vec<_> = document
            .descendants()
            .filter(|node| node.attribute("class") == Some("text caption"))
            .filter_map(|node| node.text())
            .collect();
        assert_eq!(captions, ["whole plan", "1 E", "2 S", "end"]);
        let edges = document.descendants().filter(|node| node.attribute("href") == Some("#p1"));
        let classes: Vec<_> = edges.filter_map(|node| node.attribute("class")).collect();
        assert_eq!(
            classes,
            ["wall-line", "wall-line", "hue0-line", "hue0-line"],
            "the edge changes its colour in the first step"
        );
    }

    #[test]
    fn a_strip_with_every_2_omits_boards_but_not_the_end() {
        let svg =
            drawn(&|animation, limits, out| strip(animation, &Look::default(), 2, limits, out));
        assert!(svg.contains(">1 E<") && !svg.contains(">2 S<") && svg.contains(">end<"), "{svg}");
    }

    #[test]
    fn limits_stop_drawing() {
        let look = Look::default();
        let draws: [&Draw<'_>; 2] = [
            &|animation, limits, out| strip(animation, &look, 1, limits, out),
            &|animation, limits, out| moving(animation, &look, limits, out),
        ];
        for draw in draws {
            let stop = Limits { stop: &|| true, ..Limits::NONE };
            assert!(matches!(draw(&animation(), &stop, &mut Vec::new()), Err(DrawError::Stopped)));
            let tight = Limits { memory_bytes: 10, ..Limits::NONE };
            assert!(matches!(
                draw(&animation(), &tight, &mut Vec::new()),
                Err(DrawError::Memory { .. })
            ));
            let full: &mut [u8] = &mut [0; 100];
            assert!(matches!(
                draw(&animation(), &Limits::NONE, &mut &mut full[..]),
                Err(DrawError::Write(_))
            ));
        }
    }

    #[test]
    fn parts_follow_their_paths_in_time() {
        let svg = drawn(&|animation, limits, out| moving(animation, &Look::default(), limits, out));
        assert!(svg.contains("path=\"M0 0L40 0L40 40\""), "{svg}");
        assert!(
            svg.contains("keyPoints=\"0.00000;0.00000;0.50000;0.50000;1.00000;1.00000\""),
            "{svg}"
        );
        let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
        for node in document.descendants().filter(|node| node.has_attribute("keyTimes")) {
            let list = |name| node.attribute(name).map_or(0, |list| list.split(';').count());
            let times: Vec<f64> = node
                .attribute("keyTimes")
                .unwrap_or_default()
                .split(';')
                .map(|time| time.parse().expect("a number"))
                .collect();
            assert!(
                times.is_sorted() && times[0] == 0.0 && times[times.len() - 1] <= 1.0,
                "{times:?}"
            );
            assert_eq!(times.len(), list("values").max(list("keyPoints")));
        }
    }

    #[test]
    fn labels_have_lines_and_a_position() {
        let part = |cells: &[(i32, i32)]| {
            Part::new(
                Shape::Cells(cells.iter().map(|&(x, y)| Cell::new(y, x)).collect()),
                Cell::new(0, 0),
                Ink::Wall,
            )
        };
        let tall = LabelRoom::of(&part(&[(0, 0), (0, 1)]));
        assert_eq!(
            (tall.x, tall.y, tall.lines("张飞").len(), tall.lines("ab").len()),
            (0.5, 1.0, 2, 1)
        );
        let bent = LabelRoom::of(&part(&[(0, 0), (0, 1), (0, 2), (1, 2)]));
        assert_eq!((bent.x, bent.y, bent.width), (0.5, 1.5, 1.0));
    }

    #[test]
    fn long_texts_are_shortened() {
        assert_eq!(
            [ellipsize("abc", 3), ellipsize("abcd", 3), ellipsize("张飞曹", 5)],
            ["abc", "ab…", "张飞…"]
        );
    }
}
