//! Animations as SVG: a board, a strip of all boards, or one that moves.
//!
//! All of it is plain SVG 1.1, and what moves is its animation (SMIL), which browsers play even
//! where a picture may run no script; whatever cannot play it shows the board at first. Sizes are
//! pixels, of which a cell has 40 before it is scaled.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::io;

use unicode_width::UnicodeWidthStr;

use crate::draw::{DrawError, Limits};
use crate::ink::{Ink, Theme, classes};
use crate::outline::outline;
use crate::scene::{Animation, At, Part, Scene, Shape, Side, Spot, Step};
use crate::xml::{Px, escaped};

/// How SVG is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The background.
    pub theme: Theme,
    /// How many pixels wide a cell is shown.
    pub cell: u32,
}

impl Default for Look {
    fn default() -> Self {
        Self { theme: Theme::Auto, cell: CELL as u32 }
    }
}

/// Pixels of a cell, before it is scaled.
pub(crate) const CELL: f64 = 40.0;
/// Around everything.
const MARGIN: f64 = 8.0;
/// Of a line of writing.
pub(crate) const CAPTION: f64 = 22.0;
/// Between the boards of a strip.
const GAP: f64 = 20.0;
/// How wide a letter is, in parts of its height, at the most.
const LETTER: f64 = 0.62;

/// How letters are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lettering {
    /// As text, in a font of the reader's.
    Text,
    /// As outlines, for programs without fonts.
    #[cfg(feature = "raster")]
    Outlines,
}

/// Draws the board at first and, where ways are drawn, the whole plan.
///
/// # Errors
/// If writing fails, or a limit says so.
pub fn still(
    animation: &Animation<'_>,
    look: &Look,
    limits: &Limits<'_>,
    out: &mut dyn io::Write,
) -> Result<(), DrawError> {
    let painter = Painter::new(animation, Lettering::Text);
    let (width, height) = painter.size();
    let ways = animation.ways(limits)?;
    let mut svg = Buffered::new(out);
    painter.open(look, (width, height), &mut svg);
    painter.paper(&mut svg);
    painter.define(&mut svg);
    let _ = svg.write_str("<use href=\"#ground\"/>\n");
    painter.ways(&ways, &mut svg);
    painter.board(&animation.start(), None, &mut svg);
    let _ = svg.write_str("</svg>\n");
    svg.end()
}

/// Draws the plan at a glance, where ways are drawn; the board before every `every`th move, with
/// arrows; and the board after the last. One board is in memory at a time.
///
/// # Errors
/// If writing fails, or a limit says so.
pub fn strip(
    animation: &Animation<'_>,
    look: &Look,
    every: usize,
    limits: &Limits<'_>,
    out: &mut dyn io::Write,
) -> Result<(), DrawError> {
    let painter = Painter::new(animation, Lettering::Text);
    let (width, height) = painter.size();
    let (pace_x, pace_y) = (width - 2.0 * MARGIN + GAP, height - 2.0 * MARGIN + GAP + CAPTION);
    let ways = animation.ways(limits)?;
    let boards = animation.board_count(every) + usize::from(!ways.is_empty());
    // About a third wider than high.
    let columns =
        ((boards as f64 * pace_y / pace_x * 1.33).sqrt().ceil().max(1.0) as usize).min(boards);
    let rows = boards.div_ceil(columns);
    let wide = columns as f64 * pace_x - GAP + 2.0 * MARGIN;
    let mut svg = Buffered::new(out);
    painter.open(look, (wide, rows as f64 * pace_y - GAP + 2.0 * MARGIN), &mut svg);
    painter.paper(&mut svg);
    painter.define(&mut svg);
    let mut place = 0;
    let mut open = |caption: &str, svg: &mut Buffered<'_>| {
        let (x, y) =
            ((place % columns) as f64 * pace_x, (place / columns) as f64 * pace_y + CAPTION);
        place += 1;
        let _ = writeln!(
            svg,
            "<g transform=\"translate({} {})\"><use href=\"#ground\"/>",
            Px(x),
            Px(y)
        );
        painter.caption(caption, svg);
        let _ = svg.write_char('\n');
    };
    if !ways.is_empty() {
        open("whole plan", &mut svg);
        painter.ways(&ways, &mut svg);
        painter.board(&animation.start(), None, &mut svg);
        let _ = svg.write_str("</g>\n");
    }
    drop(ways);
    for board in animation.boards(every, limits) {
        let (caption, frame) = board?;
        open(&caption, &mut svg);
        painter.board(&frame.spots, frame.step.as_ref(), &mut svg);
        let _ = svg.write_str("</g>\n");
        svg.check()?;
    }
    let _ = svg.write_str("</svg>\n");
    svg.end()
}

/// Text on its way to a writer. Of its errors the first is kept, until it is asked for: so that
/// what draws need not ask each time.
struct Buffered<'a> {
    text: String,
    out: &'a mut dyn io::Write,
    result: io::Result<()>,
}

impl<'a> Buffered<'a> {
    /// How much text is written at a time.
    const BYTES: usize = 1 << 16;

    fn new(out: &'a mut dyn io::Write) -> Self {
        Self { text: String::new(), out, result: Ok(()) }
    }

    fn flush(&mut self) {
        if self.result.is_ok() {
            self.result = self.out.write_all(self.text.as_bytes());
        }
        self.text.clear();
    }

    /// The first error so far.
    fn check(&mut self) -> Result<(), DrawError> {
        Ok(std::mem::replace(&mut self.result, Ok(()))?)
    }

    fn end(mut self) -> Result<(), DrawError> {
        self.flush();
        self.check()
    }
}

impl fmt::Write for Buffered<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.push_str(text);
        if self.text.len() >= Self::BYTES {
            self.flush();
        }
        Ok(())
    }
}

/// When things happen in an animation, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    /// From a step to the next.
    pub(crate) pace: f64,
    /// Of that, how long things move.
    pub(crate) motion: f64,
    /// All of it.
    pub(crate) whole: f64,
}

/// Before the first step and after the last.
pub(crate) const LEAD: f64 = 1.0;
pub(crate) const TAIL: f64 = 2.0;

impl Timing {
    /// Two thirds of a second a step, faster if that took longer than a minute and a half.
    pub(crate) fn of(animation: &Animation<'_>) -> Self {
        let steps = animation.step_count().max(1) as f64;
        let pace = (90.0 / steps).clamp(0.12, 0.66);
        Self { pace, motion: 0.7 * pace, whole: LEAD + steps * pace + TAIL }
    }

    /// When a step begins.
    pub(crate) fn start(&self, step: usize) -> f64 {
        LEAD + step as f64 * self.pace
    }

    /// A time as the part of the whole, as `keyTimes` wants it.
    fn key(&self, time: f64) -> String {
        format!("{:.5}", time / self.whole)
    }
}

/// Draws one board that moves, over and over.
///
/// # Errors
/// If writing fails, or a limit says so.
pub fn moving(
    animation: &Animation<'_>,
    look: &Look,
    limits: &Limits<'_>,
    out: &mut dyn io::Write,
) -> Result<(), DrawError> {
    let painter = Painter::new(animation, Lettering::Text);
    let timing = Timing::of(animation);
    let (width, height) = painter.size();
    let ways = animation.ways(limits)?;
    let mut svg = Buffered::new(out);
    painter.open(look, (width, height + CAPTION), &mut svg);
    painter.paper(&mut svg);
    let _ = writeln!(svg, "<g transform=\"translate(0 {CAPTION})\">");
    painter.ground(false, &mut svg);
    painter.ways(&ways, &mut svg);
    drop(ways);
    painter.ground(true, &mut svg);
    let moves = painter.moves_of_parts(limits)?;
    for (number, moves) in moves.into_iter().enumerate() {
        limits.check(0)?;
        painter.moving_part(number, &moves, &timing, &mut svg);
        svg.check()?;
    }
    let repeat = format!("dur=\"{}s\" repeatCount=\"indefinite\"", Px(timing.whole));
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
    svg.end()
}

/// A move of a part.
struct PartMove {
    /// The number of the step, from 0.
    step: u32,
    /// Where the part goes, beyond where it is.
    path: Box<[At]>,
    turns: Option<Ink>,
}

/// Draws the boards of an animation.
pub(crate) struct Painter<'a> {
    animation: &'a Animation<'a>,
    lettering: Lettering,
    /// Pixels from the corner of the picture to that of the board.
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
            left: MARGIN - length(from.x),
            top: MARGIN - length(from.y),
            width: length(to.x - from.x + 1) + 2.0 * MARGIN,
            height: length(to.y - from.y + 1) + 2.0 * MARGIN,
        }
    }

    /// Width and height of a board with its margin.
    pub(crate) fn size(&self) -> (f64, f64) {
        (self.width, self.height)
    }

    /// What every picture begins with: its size and its colours.
    pub(crate) fn open(&self, look: &Look, (width, height): (f64, f64), svg: &mut dyn fmt::Write) {
        let Scene { ground, parts, .. } = &self.animation.scene;
        let turns = self.animation.turns().iter().copied();
        let used: BTreeSet<Ink> =
            ground.iter().chain(parts).map(|part| part.ink).chain(turns).collect();
        let inks: Vec<Ink> = Ink::all()
            .filter(|ink| {
                let class = ink.name();
                let of_labels = used.iter().map(|ink| ink.on());
                matches!(ink, Ink::Paper | Ink::Text)
                    || used.iter().copied().chain(of_labels).any(|used| used.name() == class)
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

    pub(crate) fn paper(&self, svg: &mut dyn fmt::Write) {
        let _ = svg.write_str("<rect width=\"100%\" height=\"100%\" class=\"paper\"/>\n");
    }

    /// The ground and each part, to be used again and again.
    fn define(&self, svg: &mut dyn fmt::Write) {
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

    /// What lies below the ways, or what lies above them: outlines.
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
    fn corner(&self, at: At) -> (f64, f64) {
        (self.left + f64::from(at.x) * CELL, self.top + f64::from(at.y) * CELL)
    }

    /// A part seen from its own place. Without an ink it takes that of what uses it.
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

    fn label(&self, part: &Part, ink: Ink, svg: &mut dyn fmt::Write) {
        if part.label.is_empty() {
            return;
        }
        let room = Room::of(part);
        let lines = room.lines(&part.label);
        let longest = lines.iter().map(|line| line.width()).max().unwrap_or(1).max(1) as f64;
        let fit = (room.width * CELL - 8.0) / (longest * LETTER);
        let size = fit.min((room.height * CELL - 6.0) / lines.len() as f64).min(20.0);
        let (x, y) = (room.x * CELL, room.y * CELL);
        for (number, line) in lines.iter().enumerate() {
            // The middle of capitals is a third of the size above their foot.
            let foot = y + size * (number as f64 - (lines.len() - 1) as f64 / 2.0 + 0.35);
            self.write(line, (x, foot, size), &ink.name(), svg);
        }
    }

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
                let wide = crate::raster::glyphs::width(text) * size;
                let at = if class == "text caption" { x } else { x - wide / 2.0 };
                crate::raster::glyphs::write(text, (at, y, size), class, svg);
            }
        }
    }

    /// What is written above a board, as far as there is room.
    pub(crate) fn caption(&self, text: &str, svg: &mut dyn fmt::Write) {
        const SIZE: f64 = 14.0;
        let room = ((self.width - 2.0 * MARGIN) / (SIZE * 0.55)) as usize;
        self.write(&cut(text, room.max(3)), (MARGIN, MARGIN - 8.0, SIZE), "text caption", svg);
    }

    /// Outlines, all parts at their spots and, of a step, the arrows.
    fn board(&self, spots: &[Spot], step: Option<&Step>, svg: &mut dyn fmt::Write) {
        let _ = svg.write_str("<use href=\"#outlines\"/>\n");
        for (number, (part, &(at, ink))) in self.animation.scene.parts.iter().zip(spots).enumerate()
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
            // A wall that is pushed is where the arrow of who pushes it ends.
            if motion.path.len() > 1 && !matches!(part.shape, Shape::Edge(_)) {
                self.arrow(part, &motion.path, svg);
            }
        }
    }

    /// A line with a head, from where a part is to where it comes to.
    fn arrow(&self, part: &Part, path: &[At], svg: &mut dyn fmt::Write) {
        let room = Room::of(part);
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
        // Between the labels, not across them.
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

    /// The ways of all parts whose ways are drawn, side by side where they share cells.
    pub(crate) fn ways(&self, ways: &[(usize, Vec<At>)], svg: &mut dyn fmt::Write) {
        let lanes = ways.len().min(5) as f64;
        for (lane, (number, way)) in ways.iter().enumerate() {
            let part = &self.animation.scene.parts[*number];
            let aside = 4.0 * (lane as f64 % 5.0 - (lanes - 1.0) / 2.0);
            let points: Vec<(f64, f64)> = way
                .iter()
                .map(|&at| {
                    let (x, y) = self.corner(at);
                    (x + CELL / 2.0 + aside, y + CELL / 2.0 + aside)
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

    /// The moves of each part.
    fn moves_of_parts(&self, limits: &Limits<'_>) -> Result<Vec<Vec<PartMove>>, DrawError> {
        let mut moves: Vec<Vec<PartMove>> =
            self.animation.scene.parts.iter().map(|_| Vec::new()).collect();
        let mut bytes = 0;
        for (step, motions) in self.animation.steps().enumerate() {
            for motion in motions.motions {
                let path: Box<[At]> = motion.path.into_iter().skip(1).collect();
                // A list grows by doubling.
                bytes += (2 * size_of::<PartMove>() + LEAST_ALLOCATION.max(size_of_val(&path[..])))
                    as u64;
                moves[motion.part].push(PartMove { step: step as u32, path, turns: motion.turns });
            }
            limits.check(bytes)?;
        }
        Ok(moves)
    }

    /// A part with all its moves.
    fn moving_part(
        &self,
        number: usize,
        moves: &[PartMove],
        timing: &Timing,
        svg: &mut dyn fmt::Write,
    ) {
        let part = &self.animation.scene.parts[number];
        let (x, y) = self.corner(part.at);
        let repeat = format!("dur=\"{}s\" repeatCount=\"indefinite\"", Px(timing.whole));
        let _ = write!(svg, "<g transform=\"translate({} {})\">", Px(x), Px(y));
        let mut way: Vec<At> = vec![part.at];
        // The cells gone by each time.
        let (mut gone, mut keys): (usize, Vec<(f64, usize)>) = (0, vec![(0.0, 0)]);
        for PartMove { step, path, .. } in moves {
            let start = timing.start(*step as usize);
            keys.push((start, gone));
            way.extend_from_slice(path);
            gone += path.len();
            keys.push((start + timing.motion, gone));
        }
        if gone > 0 {
            keys.push((timing.whole, gone));
            let points: Vec<(f64, f64)> = way
                .iter()
                .map(|at| (f64::from(at.x - part.at.x) * CELL, f64::from(at.y - part.at.y) * CELL))
                .collect();
            let _ = write!(
                svg,
                "<animateMotion path=\"{}\" calcMode=\"spline\" keyPoints=\"",
                polyline(&points)
            );
            for (number, &(_, gone_by)) in keys.iter().enumerate() {
                let _ = write!(svg, "{}{:.5}", separator(number), gone_by as f64 / gone as f64);
            }
            let _ = svg.write_str("\" keyTimes=\"");
            for (number, &(time, _)) in keys.iter().enumerate() {
                let _ = write!(svg, "{}{}", separator(number), timing.key(time));
            }
            let _ = write!(
                svg,
                "\" keySplines=\"{}\" {repeat}/>",
                vec![EASE; keys.len() - 1].join(";")
            );
        }
        // Where it turns another colour, the new one lies below and the old one goes.
        let turn = moves.iter().find_map(|motion| Some((motion.step, motion.turns?)));
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

    /// The board at a time, without the ground, for pictures that are made one by one.
    #[cfg(feature = "raster")]
    pub(crate) fn at(&self, spots: &[Spot], step: Option<(&Step, f64)>, svg: &mut dyn fmt::Write) {
        let moved = |number: usize| {
            let (step, progress) = step?;
            let motion = step.motions.iter().find(|motion| motion.part == number)?;
            let gone = ease(progress) * motion.path.len().saturating_sub(1) as f64;
            let (from, to) =
                (*motion.path.get(gone as usize)?, *motion.path.get(gone.ceil() as usize)?);
            let ((x, y), (to_x, to_y)) = (self.corner(from), self.corner(to));
            let part = gone.fract();
            Some(((x + (to_x - x) * part, y + (to_y - y) * part), motion.turns))
        };
        for (number, (part, &(at, ink))) in self.animation.scene.parts.iter().zip(spots).enumerate()
        {
            let ((x, y), turns) = moved(number).unwrap_or((self.corner(at), None));
            let _ = write!(svg, "<g transform=\"translate({} {})\">", Px(x), Px(y));
            self.part(part, Some(turns.unwrap_or(ink)), false, svg);
            let _ = svg.write_str("</g>");
        }
    }
}

/// What stands before an item of a list.
fn separator(number: usize) -> &'static str {
    if number > 0 { ";" } else { "" }
}

/// What allocators take for a few bytes.
const LEAST_ALLOCATION: usize = 32;

/// Slow at both ends, as a spline of SVG.
const EASE: &str = ".45 0 .55 1";

/// The same as a function from 0 to 1.
#[cfg(feature = "raster")]
fn ease(progress: f64) -> f64 {
    progress * progress * (3.0 - 2.0 * progress)
}

/// Path data of a line.
fn polyline(points: &[(f64, f64)]) -> String {
    points.iter().enumerate().fold(String::new(), |mut path, (number, &(x, y))| {
        let _ = write!(path, "{}{} {}", if number == 0 { 'M' } else { 'L' }, Px(x), Px(y));
        path
    })
}

/// So many columns of a text; what is more is `…`.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut short = String::new();
    for mark in text.chars() {
        if short.width() + mark.to_string().width() >= columns {
            break;
        }
        short.push(mark);
    }
    short + "…"
}

/// Where the label of a part goes, in cells: its middle, and how much room there is around.
pub(crate) struct Room {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Room {
    /// The middle of a rectangle; of any other piece, its cell nearest to the middle.
    pub(crate) fn of(part: &Part) -> Self {
        let cells = part.cells(At { x: 0, y: 0 });
        let ends = |of: fn(&At) -> i32| {
            (cells.iter().map(of).min().unwrap_or(0), cells.iter().map(of).max().unwrap_or(0))
        };
        let ((left, right), (top, bottom)) = (ends(|cell| cell.x), ends(|cell| cell.y));
        let (width, height) = (right - left + 1, bottom - top + 1);
        if cells.len() == (width * height) as usize {
            let [left, top, width, height] = [left, top, width, height].map(f64::from);
            return Self { x: left + width / 2.0, y: top + height / 2.0, width, height };
        }
        // In whole numbers, all being so many times as far as they are.
        let count = cells.len().max(1) as i64;
        let [x, y] = [|cell: &At| i64::from(cell.x), |cell: &At| i64::from(cell.y)];
        let sum = cells.iter().fold((0, 0), |sum, cell| (sum.0 + x(cell), sum.1 + y(cell)));
        let far = |cell: &&At| (x(cell) * count - sum.0).pow(2) + (y(cell) * count - sum.1).pow(2);
        let At { x, y } = cells.iter().min_by_key(far).copied().unwrap_or(At { x: 0, y: 0 });
        Self { x: f64::from(x) + 0.5, y: f64::from(y) + 0.5, width: 1.0, height: 1.0 }
    }

    /// A label as lines: one, or a character a line where it is of wide ones and there is more room
    /// downwards.
    pub(crate) fn lines(&self, label: &str) -> Vec<String> {
        let marks = label.chars().count();
        if self.height > self.width && marks > 1 && label.width() == 2 * marks {
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

    fn at(x: i32, y: i32) -> At {
        At { x, y }
    }

    /// A disc that goes east and then out in the south, pushing an edge that turns another colour.
    fn animation() -> Animation<'static> {
        let mut scene = Scene::new(2, 1);
        scene.ground.push(Part::new(Shape::Cells(vec![at(0, 0), at(1, 0)]), at(0, 0), Ink::Floor));
        scene.parts.push(Part::new(Shape::Disc, at(0, 0), Ink::Hue(4)).labelled("<").traced());
        scene.parts.push(Part::new(Shape::Edge(Side::West), at(1, 0), Ink::Wall));
        let goes = |part, from, to, turns| Motion { part, path: vec![from, to], turns };
        let east =
            vec![goes(0, at(0, 0), at(1, 0), None), goes(1, at(1, 0), at(2, 0), Some(Ink::Hue(0)))];
        let south = vec![goes(0, at(1, 0), at(1, 1), None)];
        let step = |caption: &str, motions| Step { caption: caption.to_owned(), motions };
        let steps = [step("E", east), step("S", south)];
        Animation::new(scene, move || steps.clone(), &Limits::NONE).expect("no limits")
    }

    type Draw<'a> =
        dyn Fn(&Animation<'_>, &Limits<'_>, &mut dyn io::Write) -> Result<(), DrawError> + 'a;

    fn drawn(draw: &Draw<'_>) -> String {
        let mut svg = Vec::new();
        draw(&animation(), &Limits::NONE, &mut svg).expect("a picture");
        String::from_utf8(svg).expect("UTF-8")
    }

    #[test]
    fn every_picture_is_a_document_of_svg() {
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
    fn a_picture_has_room_for_what_leaves_the_board() {
        let look = Look { theme: Theme::Light, cell: 20 };
        let svg = drawn(&|animation, limits, out| still(animation, &look, limits, out));
        assert!(svg.contains("width=\"48\" height=\"48\" viewBox=\"0 0 96 96\""), "{svg}");
    }

    #[test]
    fn a_strip_has_the_way_each_board_and_the_end() {
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
            "it turns with its first push"
        );
    }

    #[test]
    fn a_strip_may_leave_boards_out_but_not_the_end() {
        let svg =
            drawn(&|animation, limits, out| strip(animation, &Look::default(), 2, limits, out));
        assert!(svg.contains(">1 E<") && !svg.contains(">2 S<") && svg.contains(">end<"), "{svg}");
    }

    #[test]
    fn limits_are_kept() {
        let look = Look::default();
        let draws: [&Draw<'_>; 2] = [
            &|animation, limits, out| strip(animation, &look, 1, limits, out),
            &|animation, limits, out| moving(animation, &look, limits, out),
        ];
        for draw in draws {
            let stop = Limits { stop: &|| true, ..Limits::NONE };
            assert!(matches!(draw(&animation(), &stop, &mut Vec::new()), Err(DrawError::Stopped)));
            let little = Limits { memory_bytes: 10, ..Limits::NONE };
            assert!(matches!(
                draw(&animation(), &little, &mut Vec::new()),
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
    fn what_moves_goes_its_way_in_time() {
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
    fn labels_find_room() {
        let part = |cells: &[(i32, i32)]| {
            Part::new(
                Shape::Cells(cells.iter().map(|&(x, y)| at(x, y)).collect()),
                at(0, 0),
                Ink::Wall,
            )
        };
        let tall = Room::of(&part(&[(0, 0), (0, 1)]));
        assert_eq!(
            (tall.x, tall.y, tall.lines("张飞").len(), tall.lines("ab").len()),
            (0.5, 1.0, 2, 1)
        );
        let bent = Room::of(&part(&[(0, 0), (0, 1), (0, 2), (1, 2)]));
        assert_eq!((bent.x, bent.y, bent.width), (0.5, 1.5, 1.0));
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!([cut("abc", 3), cut("abcd", 3), cut("张飞曹", 5)], ["abc", "ab…", "张飞…"]);
    }
}
