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

use crate::draw::{DrawError, DrawLimits};
use crate::ink::{Ink, Theme};
use crate::outline::outline;
use crate::scene::{Animation, Part, Placement, Scene, Shape, Side, Step};
use crate::tokens::{
    ARROW_HEAD, BOARD_GAP, CAPTION_HEIGHT, CAPTION_SIZE, CELL, DISC_RADIUS, GOAL_INSET,
    GOAL_RADIUS, GROUND_RADIUS, LABEL_SIZE, MARGIN, PIECE_INSET, PIECE_RADIUS, STRIP_WIDTH,
    style_sheet,
};
use crate::xml::{Px, escaped};

/// Options of SVG and GIF output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The theme: a light or a dark background.
    pub theme: Theme,
    /// The width of a cell in pixels.
    pub cell: u32,
    /// The width of a strip in pixels. A wider board is not truncated.
    pub width: u32,
}

impl Default for Look {
    fn default() -> Self {
        Self { theme: Theme::Auto, cell: CELL as u32, width: STRIP_WIDTH as u32 }
    }
}

/// How far the arrow of a disc or a figure reaches into the next cell.
const SMALL_ARROW_AHEAD: f64 = 9.0;
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
    limits: &DrawLimits<'_>,
    out: &mut dyn io::Write,
) -> Result<(), DrawError> {
    still_with(Lettering::Text, animation, look, limits, out)
}

pub(crate) fn still_with(
    lettering: Lettering,
    animation: &Animation<'_>,
    look: &Look,
    limits: &DrawLimits<'_>,
    out: &mut dyn io::Write,
) -> Result<(), DrawError> {
    let painter = Painter::with_target(animation, lettering);
    let paths = animation.traced_paths(limits)?;
    let mut svg = Buffered::new(out);
    painter.open(look, painter.size(), &mut svg);
    painter.background(&mut svg);
    painter.definitions(&mut svg);
    let _ = svg.write_str("<use href=\"#ground\"/>\n");
    painter.paths(&paths, &mut svg);
    painter.board(&animation.start(), None, &mut svg);
    painter.target_beside(&mut svg);
    let _ = svg.write_str("</svg>\n");
    svg.finish()
}

/// Draws a strip: the [target](Scene::target), if there is one; the board with the
/// [traced](method@Part::traced) paths of the whole plan, if there are any; the board before every
/// `every`th step, with arrows; and the board after the last step.
///
/// One board is in memory at a time.
///
/// # Errors
/// If writing fails, or if a limit stops drawing.
pub fn strip(
    animation: &Animation<'_>,
    look: &Look,
    every: usize,
    limits: &DrawLimits<'_>,
    out: &mut dyn io::Write,
) -> Result<(), DrawError> {
    strip_with(Lettering::Text, animation, look, every, limits, out)
}

pub(crate) fn strip_with(
    lettering: Lettering,
    animation: &Animation<'_>,
    look: &Look,
    every: usize,
    limits: &DrawLimits<'_>,
    out: &mut dyn io::Write,
) -> Result<(), DrawError> {
    let painter = Painter::new(animation, lettering);
    let (width, height) = painter.size();
    let (stride_x, stride_y) =
        (width - 2.0 * MARGIN + BOARD_GAP, height - 2.0 * MARGIN + BOARD_GAP + CAPTION_HEIGHT);
    let paths = animation.traced_paths(limits)?;
    let has_target = !animation.scene.target.is_empty();
    let boards =
        animation.board_count(every) + usize::from(!paths.is_empty()) + usize::from(has_target);
    let strip = f64::from(look.width) * CELL / f64::from(look.cell);
    let columns = ((strip - 2.0 * MARGIN + BOARD_GAP) / stride_x).floor().max(1.0);
    let columns = (columns as usize).min(boards);
    let rows = boards.div_ceil(columns);
    let strip_width = columns as f64 * stride_x - BOARD_GAP + 2.0 * MARGIN;
    let mut svg = Buffered::new(out);
    painter.open(look, (strip_width, rows as f64 * stride_y - BOARD_GAP + 2.0 * MARGIN), &mut svg);
    painter.background(&mut svg);
    painter.definitions(&mut svg);
    let mut index = 0;
    let mut open_board = |caption: &str, ground: &str, svg: &mut Buffered<'_>| {
        let (x, y) = (
            (index % columns) as f64 * stride_x,
            (index / columns) as f64 * stride_y + CAPTION_HEIGHT,
        );
        index += 1;
        let _ = writeln!(svg, "<g transform=\"translate({} {})\">{ground}", Px(x), Px(y));
        painter.caption(caption, svg);
        let _ = svg.write_char('\n');
    };
    const GROUND: &str = "<use href=\"#ground\"/>";
    if has_target {
        open_board("target", "", &mut svg);
        painter.target((0.0, 0.0), &mut svg);
        let _ = svg.write_str("</g>\n");
    }
    if !paths.is_empty() {
        open_board("whole plan", GROUND, &mut svg);
        painter.paths(&paths, &mut svg);
        painter.board(&animation.start(), None, &mut svg);
        let _ = svg.write_str("</g>\n");
    }
    drop(paths);
    for board in animation.boards(every, limits) {
        let (caption, frame) = board?;
        open_board(&caption, GROUND, &mut svg);
        painter.board(&frame.placements, frame.step.as_ref(), &mut svg);
        let _ = svg.write_str("</g>\n");
        svg.check()?;
    }
    let _ = svg.write_str("</svg>\n");
    svg.finish()
}

/// A buffer between [`fmt::Write`] and [`io::Write`]. It stores the first error until
/// [`check`](Self::check), so that the drawing functions need not handle errors.
pub(crate) struct Buffered<'a> {
    text: String,
    out: &'a mut dyn io::Write,
    result: io::Result<()>,
}

impl<'a> Buffered<'a> {
    /// The size at which the buffer is flushed.
    const CAPACITY_BYTES: usize = 1 << 16;

    pub(crate) fn new(out: &'a mut dyn io::Write) -> Self {
        Self { text: String::new(), out, result: Ok(()) }
    }

    fn flush(&mut self) {
        if self.result.is_ok() {
            self.result = self.out.write_all(self.text.as_bytes());
        }
        self.text.clear();
    }

    /// Returns the first error since the last check.
    pub(crate) fn check(&mut self) -> Result<(), DrawError> {
        Ok(std::mem::replace(&mut self.result, Ok(()))?)
    }

    /// Writes the rest.
    pub(crate) fn finish(mut self) -> Result<(), DrawError> {
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
    limits: &DrawLimits<'_>,
    out: &mut dyn io::Write,
) -> Result<(), DrawError> {
    let painter = Painter::with_target(animation, Lettering::Text);
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
    painter.target_beside(&mut svg);
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
        painter.caption(&format!("{} {}", number + 1, step.caption()), &mut svg);
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
    /// How far to the right of the board its target is, if they are side by side.
    target: Option<f64>,
}

impl<'a> Painter<'a> {
    /// The boards alone.
    fn new(animation: &'a Animation<'a>, lettering: Lettering) -> Self {
        let (from, to) = animation.extent();
        let length = |cells: i32| f64::from(cells) * CELL;
        Self {
            animation,
            lettering,
            left: MARGIN - length(from.column),
            top: MARGIN - length(from.row),
            width: length(to.column - from.column + 1) + 2.0 * MARGIN,
            height: length(to.row - from.row + 1) + 2.0 * MARGIN,
            target: None,
        }
    }

    /// The boards with the [target](Scene::target) on the right, if there is one.
    pub(crate) fn with_target(animation: &'a Animation<'a>, lettering: Lettering) -> Self {
        let mut painter = Self::new(animation, lettering);
        if !animation.scene.target.is_empty() {
            // One cell for the arrow between them.
            let offset = painter.width - 2.0 * MARGIN + CELL;
            painter.width += offset;
            painter.target = Some(offset);
        }
        painter
    }

    /// The parts of the board that can move.
    pub(crate) fn parts(&self) -> &'a [Part] {
        &self.animation.scene.parts
    }

    /// The width and height of the boards with their margin, in pixels.
    pub(crate) fn size(&self) -> (f64, f64) {
        (self.width, self.height)
    }

    /// Writes the opening `<svg>` tag with the size, and the style sheet.
    pub(crate) fn open(&self, look: &Look, size: (f64, f64), svg: &mut dyn fmt::Write) {
        let Scene { ground, parts, target, .. } = &self.animation.scene;
        let turns = self.animation.turns().iter().copied();
        let used: BTreeSet<Ink> =
            ground.iter().chain(parts).chain(target).map(|part| part.ink).chain(turns).collect();
        let inks: Vec<Ink> = Ink::all()
            .filter(|ink| {
                let class = ink.name();
                let label_inks = used.iter().map(|ink| ink.on());
                matches!(ink, Ink::Paper | Ink::Text | Ink::Floor)
                    || used.iter().copied().chain(label_inks).any(|used| used.name() == class)
            })
            .collect();
        self.tag(look.cell, size, svg);
        let _ = writeln!(svg, "<style>{}</style>", style_sheet(&inks, look.theme));
    }

    /// Writes the opening `<svg>` tag, for cells of this width.
    pub(crate) fn tag(&self, cell: u32, (width, height): (f64, f64), svg: &mut dyn fmt::Write) {
        let scale = f64::from(cell) / CELL;
        let _ = write!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\"",
            Px(width * scale),
            Px(height * scale),
            Px(width),
            Px(height),
        );
        let _ = match self.animation.title.as_str() {
            "" => writeln!(svg, ">"),
            title => writeln!(svg, " role=\"img\">\n<title>{}</title>", escaped(title)),
        };
    }

    /// Fills the background.
    pub(crate) fn background(&self, svg: &mut dyn fmt::Write) {
        let _ = svg.write_str("<rect width=\"100%\" height=\"100%\" class=\"paper\"/>\n");
    }

    /// Defines the ground and each part, for `<use>` elements.
    fn definitions(&self, svg: &mut dyn fmt::Write) {
        let _ = svg.write_str("<defs>\n");
        for (id, goals) in [("ground", false), ("goals", true)] {
            let _ = writeln!(svg, "<g id=\"{id}\">");
            self.ground(goals, svg);
            let _ = svg.write_str("</g>\n");
        }
        for (number, part) in self.animation.scene.parts.iter().enumerate() {
            let _ = write!(svg, "<g id=\"p{number}\">");
            self.part(part, None, false, svg);
            let _ = svg.write_str("</g>\n");
        }
        let _ = svg.write_str("</defs>\n");
    }

    /// Draws the ground below the paths, or the goals above them.
    pub(crate) fn ground(&self, goals: bool, svg: &mut dyn fmt::Write) {
        let ground = &self.animation.scene.ground;
        for part in ground.iter().filter(|part| part.is_goal() == goals) {
            self.fixed(part, (0.0, 0.0), svg);
        }
    }

    /// Draws a part that does not move, with an offset.
    fn fixed(&self, part: &Part, offset: (f64, f64), svg: &mut dyn fmt::Write) {
        let (x, y) = self.corner(part.at);
        let (x, y) = (Px(x + offset.0), Px(y + offset.1));
        let _ = write!(svg, "<g transform=\"translate({x} {y})\">");
        self.part(part, Some(part.ink), true, svg);
        let _ = svg.write_str("</g>\n");
    }

    /// Draws the target with an offset from the position of the board.
    fn target(&self, offset: (f64, f64), svg: &mut dyn fmt::Write) {
        self.animation.scene.target.iter().for_each(|part| self.fixed(part, offset, svg));
    }

    /// Draws an arrow and the target on the right of the board, if they are side by side.
    pub(crate) fn target_beside(&self, svg: &mut dyn fmt::Write) {
        let Some(offset) = self.target else { return };
        let Scene { rows, columns, .. } = self.animation.scene;
        let (x, y) = self.corner(Cell::at(rows.saturating_sub(1) / 2, columns));
        let (start, tip) = ((x + CELL / 5.0, y + CELL / 2.0), (x + CELL * 0.8, y + CELL / 2.0));
        let arrow = with_head(&[start, tip], (1.0, 0.0));
        let _ = writeln!(svg, "<path d=\"{arrow}\" class=\"text-line arrow\"/>");
        self.target((offset, 0.0), svg);
    }

    /// The upper left corner of a cell.
    pub(crate) fn corner(&self, at: Cell) -> (f64, f64) {
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
            Shape::Goal(cells) => {
                // The floor hides the paths below.
                let tile = outline(cells, CELL, GOAL_INSET, GOAL_RADIUS);
                let (floor, tint) = (Ink::Floor.name(), class("goal", ""));
                let _ = write!(svg, "<path d=\"{tile}\" class=\"{floor}\"/>");
                let _ = write!(svg, "<path d=\"{tile}\"{tint}/>");
            }
            Shape::Cells(cells) => {
                let (inset, radius) =
                    if is_ground { (0.0, GROUND_RADIUS) } else { (PIECE_INSET, PIECE_RADIUS) };
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
                let _ = write!(
                    svg,
                    "<circle cx=\"{half}\" cy=\"{half}\" r=\"{DISC_RADIUS}\"{}/>",
                    class("", "")
                );
            }
            Shape::Figure(path) => {
                let _ = write!(
                    svg,
                    "<path transform=\"scale({CELL})\" d=\"{path}\"{}/>",
                    class("", "")
                );
            }
        }
        let ink = if part.is_goal() { Ink::Text } else { part.ink.on() };
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
        let size = fit.min((room.height * CELL - 6.0) / lines.len() as f64).min(LABEL_SIZE);
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
                let text_width = crate::glyphs::width(text) * size;
                let start = if class == "text caption" { x } else { x - text_width / 2.0 };
                crate::glyphs::write(text, (start, y, size), class, svg);
            }
        }
    }

    /// Writes a caption above a board, shortened to the width of the board.
    pub(crate) fn caption(&self, text: &str, svg: &mut dyn fmt::Write) {
        let columns = ((self.width - 2.0 * MARGIN) / (CAPTION_SIZE * 0.55)) as usize;
        self.write(
            &ellipsize(text, columns.max(3)),
            (MARGIN, 0.0, CAPTION_SIZE),
            "text caption",
            svg,
        );
    }

    /// Draws goals, all parts and, with a step, the arrows of its motions.
    fn board(&self, placements: &[Placement], step: Option<&Step>, svg: &mut dyn fmt::Write) {
        let _ = svg.write_str("<use href=\"#goals\"/>\n");
        for (number, (part, &(at, ink))) in
            self.animation.scene.parts.iter().zip(placements).enumerate()
        {
            let (x, y) = self.corner(at);
            let class = class_of(part, ink);
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

    /// Draws an arrow along a path, from the side of the part that moves first to where its front
    /// will be. It crosses no label: a piece moves over empty cells, and the arrow of a small part
    /// ends before the middle of the next cell, where another part can be.
    fn arrow(&self, part: &Part, path: &[Cell], svg: &mut dyn fmt::Write) {
        let room = LabelRoom::of(part);
        let half = (room.width * CELL / 2.0, room.height * CELL / 2.0);
        let mut points: Vec<(f64, f64)> = path
            .iter()
            .map(|&at| {
                let (x, y) = self.corner(at);
                (x + room.x * CELL, y + room.y * CELL)
            })
            .collect();
        let unit = |from: (f64, f64), to: (f64, f64)| {
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            let length = dx.hypot(dy);
            if length == 0.0 { (0.0, 0.0) } else { (dx / length, dy / length) }
        };
        // Only the ends and the corners.
        for index in (1..points.len() - 1).rev() {
            if unit(points[index - 1], points[index]) == unit(points[index], points[index + 1]) {
                points.remove(index);
            }
        }
        let to_side = |(dx, dy): (f64, f64)| half.0 * dx.abs() + half.1 * dy.abs();
        let last = points.len() - 1;
        let (out, ahead) = (unit(points[0], points[1]), unit(points[last - 1], points[last]));
        let is_small = matches!(part.shape, Shape::Disc | Shape::Figure(_));
        let is_along_an_axis = |(dx, dy): (f64, f64)| dx == 0.0 || dy == 0.0;
        if !is_along_an_axis(out) || !is_along_an_axis(ahead) {
            // A hop, from beside the middle of one cell to beside the middle of another.
            points[last] = along(points[last], ahead, -SMALL_ARROW_AHEAD);
            points[0] = along(points[0], out, SMALL_ARROW_AHEAD);
        } else {
            let front = to_side(ahead) - 2.0 * PIECE_INSET;
            points[last] = match path {
                [_, _] if is_small => along(points[0], ahead, to_side(ahead) + SMALL_ARROW_AHEAD),
                _ => along(points[last], ahead, front),
            };
            points[0] = along(points[0], out, to_side(out) - 2.0 * PIECE_INSET);
        }
        // A long piece can turn before its front has left the cells that it covers.
        let turns_at_once = |from: (f64, f64), to: (f64, f64)| {
            let (dx, dy) = unit(from, to);
            dx * out.0 + dy * out.1 <= 0.0
        };
        if last > 1 && turns_at_once(points[0], points[1]) {
            points.remove(0);
        }
        let arrow = with_head(&points, ahead);
        let _ = writeln!(
            svg,
            "<path d=\"{arrow}\" class=\"paper-line arrow halo\"/><path d=\"{arrow}\" class=\"text-line arrow\"/>"
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
    fn part_motions(
        &self,
        limits: &DrawLimits<'_>,
    ) -> Result<(Vec<Vec<PartMotion>>, u64), DrawError> {
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

    /// The upper left corner of a part that has moved along a path, at a progress from 0 to 1.
    #[cfg(feature = "raster")]
    pub(crate) fn corner_on_path(&self, path: &[Cell], progress: f64) -> Option<(f64, f64)> {
        let passed = ease(progress) * path.len().saturating_sub(1) as f64;
        let (from, to) = (*path.get(passed as usize)?, *path.get(passed.ceil() as usize)?);
        let ((x, y), (to_x, to_y)) = (self.corner(from), self.corner(to));
        let fraction = passed.fract();
        Some((x + (to_x - x) * fraction, y + (to_y - y) * fraction))
    }
}

/// The CSS class of an element with a part, which gives the part its colour.
pub(crate) fn class_of(part: &Part, ink: Ink) -> String {
    ink.name() + if matches!(part.shape, Shape::Edge(_)) { "-line" } else { "" }
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

/// The point at a distance from another in a direction.
fn along((x, y): (f64, f64), (dx, dy): (f64, f64), distance: f64) -> (f64, f64) {
    (x + distance * dx, y + distance * dy)
}

/// The path data of an arrow through some points, the last of which is reached in the direction
/// `ahead`.
fn with_head(points: &[(f64, f64)], ahead: (f64, f64)) -> String {
    let tip = points[points.len() - 1];
    let back = along(tip, ahead, -ARROW_HEAD);
    let side = |turn: f64| along(back, (-ahead.1, ahead.0), turn * ARROW_HEAD * 0.75);
    polyline(points) + &polyline(&[side(1.0), tip, side(-1.0)])
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
        let step = |line: &str, motions| Step::new(line, motions);
        let steps = [step("E", east), step("S", south)];
        Animation::new(scene, move || steps.clone(), &DrawLimits::NONE).expect("no limits")
    }

    type Draw<'a> =
        dyn Fn(&Animation<'_>, &DrawLimits<'_>, &mut dyn io::Write) -> Result<(), DrawError> + 'a;

    fn drawn(draw: &Draw<'_>) -> String {
        let mut svg = Vec::new();
        draw(&animation(), &DrawLimits::NONE, &mut svg).expect("no limits");
        String::from_utf8(svg).expect("UTF-8")
    }

    #[test]
    fn every_picture_is_well_formed_svg() {
        let look = Look { theme: Theme::Light, cell: 20, ..Look::default() };
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
        let look = Look { theme: Theme::Light, cell: 20, ..Look::default() };
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
    fn a_picture_has_a_title_for_people_who_do_not_see_it() {
        let mut animation = animation();
        animation.title = "a & b: 2 moves".to_owned();
        let mut svg = Vec::new();
        still(&animation, &Look::default(), &DrawLimits::NONE, &mut svg).expect("no limits");
        let svg = String::from_utf8(svg).expect("UTF-8");
        let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
        let root = document.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        let title = root.first_element_child().expect("a child");
        assert_eq!((title.tag_name().name(), title.text()), ("title", Some("a & b: 2 moves")));
    }

    #[test]
    fn a_strip_is_as_wide_as_asked_and_no_board_is_cut() {
        let width = |width| {
            let look = Look { width, ..Look::default() };
            let svg = drawn(&|animation, limits, out| strip(animation, &look, 1, limits, out));
            let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
            document.root_element().attribute("width").map(|width| width.parse::<u32>().unwrap())
        };
        // Four boards of 80 pixels, with a space of 20 between them and a margin of 8.
        assert_eq!([1, 196, 295, 296, 1200].map(width), [96, 196, 196, 296, 396].map(Some));
    }

    #[test]
    fn the_target_is_once_in_a_strip_and_beside_other_pictures() {
        let targets = |draw: &Draw<'_>| {
            let mut animation = animation();
            let target = Part::new(Shape::Disc, Cell::new(0, 1), Ink::Hue(3));
            animation.scene.target.push(target);
            let mut svg = Vec::new();
            draw(&animation, &DrawLimits::NONE, &mut svg).expect("no limits");
            let svg = String::from_utf8(svg).expect("UTF-8");
            let width = svg.split('"').nth(3).map(str::to_owned).unwrap_or_default();
            (svg.matches("class=\"hue3\"").count(), width)
        };
        let look = Look::default();
        let still = targets(&|animation, limits, out| still(animation, &look, limits, out));
        let moving = targets(&|animation, limits, out| moving(animation, &look, limits, out));
        // Two boards of two columns, and a column for the arrow between them.
        assert_eq!([&still, &moving].map(|(count, width)| (*count, &width[..])), [(1, "216"); 2]);
        let strip = targets(&|animation, limits, out| strip(animation, &look, 1, limits, out));
        assert_eq!(strip.0, 1);
    }

    #[test]
    fn arrows_cross_no_label() {
        let arrow = |part: Part, path: &[(i32, i32)]| {
            let mut scene = Scene::new(6, 6);
            scene.parts.push(part);
            let path = path.iter().map(|&(row, column)| Cell::new(row, column)).collect();
            let step = Step::new("", vec![Motion { part: 0, path, turns: None }]);
            let steps = move || [step.clone()];
            let animation = Animation::new(scene, steps, &DrawLimits::NONE).expect("no limits");
            let painter = Painter::new(&animation, Lettering::Text);
            let mut svg = String::new();
            let step = animation.steps().next().expect("a step");
            painter.arrow(&animation.scene.parts[0], &step.motions[0].path, &mut svg);
            let line = svg.split('"').nth(1).unwrap_or_default().to_owned();
            line.split(['M', 'L'])
                .filter(|point| !point.is_empty())
                .map(|point| {
                    let (x, y) = point.split_once(' ').expect("x and y");
                    (x.parse().expect("x"), y.parse().expect("y"))
                })
                .collect::<Vec<(f64, f64)>>()
        };
        let long = || {
            let cells = vec![Cell::new(0, 0), Cell::new(0, 1), Cell::new(0, 2)];
            Part::new(Shape::Cells(cells), Cell::new(0, 0), Ink::Hue(0))
        };
        // From the right end of the piece, at 128, to where it will be, at 208.
        let east = arrow(long(), &[(0, 0), (0, 1), (0, 2)]);
        assert_eq!((east[0], east[1]), ((121.0, 28.0), (201.0, 28.0)));
        // The piece turns before its right end has left its cells, so the arrow starts at the turn.
        let bent = arrow(long(), &[(0, 0), (0, 1), (1, 1)]);
        assert_eq!((bent[0], bent[1]), ((108.0, 28.0), (108.0, 81.0)));
        // The label of a disc in the next cell is in the middle, at 68.
        let disc = Part::new(Shape::Disc, Cell::new(0, 0), Ink::Hue(0));
        let disc = arrow(disc, &[(0, 0), (0, 1)]);
        assert_eq!((disc[0], disc[1]), ((41.0, 28.0), (57.0, 28.0)));
    }

    #[test]
    fn limits_stop_drawing() {
        let look = Look::default();
        let draws: [&Draw<'_>; 2] = [
            &|animation, limits, out| strip(animation, &look, 1, limits, out),
            &|animation, limits, out| moving(animation, &look, limits, out),
        ];
        for draw in draws {
            let stop = DrawLimits { stop: &|| true, ..DrawLimits::NONE };
            assert!(matches!(draw(&animation(), &stop, &mut Vec::new()), Err(DrawError::Stopped)));
            let tight = DrawLimits { memory_bytes: 10, ..DrawLimits::NONE };
            assert!(matches!(
                draw(&animation(), &tight, &mut Vec::new()),
                Err(DrawError::Memory { .. })
            ));
            let full: &mut [u8] = &mut [0; 100];
            assert!(matches!(
                draw(&animation(), &DrawLimits::NONE, &mut &mut full[..]),
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
