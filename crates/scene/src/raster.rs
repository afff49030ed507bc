//! Animations as GIF, and boards as PNG. The ground and each part are drawn as SVG and rasterised
//! by `resvg` once, so that GIF and SVG look the same. A GIF frame is composed of these pictures.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::ops::Range;

use fewest_geometry::Cell;
use gif::{Encoder, EncodingError, Repeat};
use resvg::tiny_skia::{Pixmap, PixmapPaint, PremultipliedColorU8, Transform};
use resvg::usvg::{Options, Tree};

use crate::draw::{DrawError, DrawLimits};
use crate::ink::{Ink, Rgb, Theme};
use crate::scene::{Animation, Frame, Motion, Step};
use crate::svg::{self, LEAD_SECONDS, Lettering, Look, Painter, TAIL_SECONDS, Timing};
use crate::tokens::{CAPTION_HEIGHT, CELL, MARGIN};

impl From<EncodingError> for DrawError {
    fn from(error: EncodingError) -> Self {
        match error {
            EncodingError::Io(error) => Self::Write(error),
            error => Self::Internal(error.to_string()),
        }
    }
}

/// The maximum width and height of a GIF, in pixels.
pub const MAX_SIDE_PIXELS: u32 = 4096;

/// An upper bound of the memory for boards, in pixmaps of the size of the GIF.
const PIXMAPS: u64 = 5;

/// Writes an animated GIF that repeats indefinitely. Without steps, it is one GIF frame with the
/// board.
///
/// Time: a few milliseconds per GIF frame, 2 to 10 GIF frames per step. Memory: five pixmaps of 4
/// bytes per pixel, and one of each different part. [`Theme::Auto`] is drawn as [`Theme::Light`].
///
/// # Errors
/// [`DrawError::TooLarge`] if a side has more than [`MAX_SIDE_PIXELS`] pixels. Also if writing
/// fails, or if a limit stops drawing.
pub fn gif(
    animation: &Animation<'_>,
    look: &Look,
    limits: &DrawLimits<'_>,
    out: &mut dyn Write,
) -> Result<(), DrawError> {
    let look =
        Look { theme: if look.theme == Theme::Dark { Theme::Dark } else { Theme::Light }, ..*look };
    let mut canvas = Canvas::new(animation, look, limits)?;
    let all = Rect::of(&canvas.ground);
    let mut palette = canvas.palette()?;
    let [width, height] = [all.right, all.bottom].map(|side| side as u16);
    let mut encoder = Encoder::new(out, width, height, &palette.bytes())?;
    if animation.step_count() > 0 {
        encoder.set_repeat(Repeat::Infinite)?;
    }
    let mut shown: Option<Pixmap> = None;
    // Only the pixels within the rectangles can have changed.
    let mut show = |screen: &Pixmap, changed: &[Rect], seconds: f64| -> Result<(), DrawError> {
        limits.check(0)?;
        let mut frame = palette.frame(shown.as_ref(), screen, changed);
        frame.delay = (seconds * 100.0).round() as u16;
        encoder.write_frame(&frame)?;
        let shown = shown.get_or_insert_with(|| screen.clone());
        changed.iter().for_each(|rect| rect.copy(screen, shown));
        Ok(())
    };
    let timing = Timing::of(animation);
    // GIF frames per step. A delay is at least 0.03 s because few programs support shorter ones.
    let frame_count = (timing.motion_seconds / 0.04).clamp(2.0, 10.0).floor();
    // Where the moving parts of the last GIF frame are.
    let mut moving = vec![all];
    for frame in animation.frames(1, limits) {
        let frame = frame?;
        if frame.step_index == 0 && frame.step.is_some() {
            show(&canvas.start(&frame)?, &moving, LEAD_SECONDS)?;
        }
        let rest = canvas.without_motions(&frame)?;
        let mut changed = std::mem::take(&mut moving);
        changed.push(canvas.caption_rect());
        let Some(step) = &frame.step else {
            show(&rest, &changed, if frame.step_index == 0 { 1.0 } else { TAIL_SECONDS })?;
            break;
        };
        let mut screen = rest.clone();
        // Where the parts were before the step.
        changed.extend(canvas.draw_motions(&frame, step, 0.0, &mut screen)?);
        for index in 1..=frame_count as usize {
            changed.iter().for_each(|rect| rect.copy(&rest, &mut screen));
            let progress = index as f64 / frame_count;
            moving = canvas.draw_motions(&frame, step, progress, &mut screen)?;
            changed.extend(&moving);
            let still =
                if progress < 1.0 { 0.0 } else { timing.step_seconds - timing.motion_seconds };
            show(&screen, &changed, timing.motion_seconds / frame_count + still)?;
            changed.clone_from(&moving);
        }
    }
    encoder.into_inner()?.flush()?;
    Ok(())
}

/// The maximum width and height of a PNG, in pixels.
pub const MAX_PNG_SIDE_PIXELS: u32 = 1 << 14;

/// Writes the board, or with steps a strip as [`svg::strip`], as PNG.
///
/// Memory: eight bytes per pixel, and the strip as SVG. [`Theme::Auto`] is drawn as
/// [`Theme::Light`].
///
/// # Errors
/// [`DrawError::TooLarge`] if a side has more than [`MAX_PNG_SIDE_PIXELS`] pixels. Also if writing
/// fails, or if a limit stops drawing.
pub fn png(
    animation: &Animation<'_>,
    look: &Look,
    every: usize,
    limits: &DrawLimits<'_>,
    out: &mut dyn Write,
) -> Result<(), DrawError> {
    let theme = if look.theme == Theme::Dark { Theme::Dark } else { Theme::Light };
    let (look, mut text) = (Look { theme, ..*look }, Vec::new());
    match animation.step_count() {
        0 => svg::still_with(Lettering::Outlines, animation, &look, limits, &mut text)?,
        _ => svg::strip_with(Lettering::Outlines, animation, &look, every, limits, &mut text)?,
    }
    // The tree of an SVG takes several times its bytes.
    let bytes = SVG_TREE * text.len() as u64;
    limits.check(bytes)?;
    let tree = parse(&String::from_utf8_lossy(&text))?;
    let size = tree.size().to_int_size();
    let (width, height) = (size.width(), size.height());
    if width.max(height) > MAX_PNG_SIDE_PIXELS {
        return Err(DrawError::TooLarge { most: MAX_PNG_SIDE_PIXELS, width, height });
    }
    limits.check(bytes + 2 * 4 * u64::from(width) * u64::from(height))?;
    let mut pixels = pixmap(width, height)?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    let encoded = pixels.encode_png().map_err(|error| DrawError::Internal(error.to_string()))?;
    Ok(out.write_all(&encoded)?)
}

/// An upper bound of the bytes of a tree for each byte of its SVG.
const SVG_TREE: u64 = 16;

/// A rectangle of pixels: from `left` and `top` to before `right` and `bottom`.
#[derive(Clone, Copy, Debug)]
struct Rect {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Rect {
    /// The whole picture.
    fn of(picture: &Pixmap) -> Self {
        let (right, bottom) = (picture.width() as usize, picture.height() as usize);
        Self { left: 0, top: 0, right, bottom }
    }

    /// The part of a picture of `size` at a place that is within this rectangle.
    fn part_at(&self, (x, y): (i32, i32), size: &Self) -> Self {
        let clipped = |from: i32, length: usize, end: usize| {
            let to = from.saturating_add_unsigned(length as u32).max(0) as usize;
            ((from.max(0) as usize).min(end), to.min(end))
        };
        let (left, right) = clipped(x, size.right, self.right);
        let (top, bottom) = clipped(y, size.bottom, self.bottom);
        Self { left, top, right, bottom }
    }

    /// The indices of the pixels of each row, in a picture of this width.
    fn rows(self, width: usize) -> impl Iterator<Item = Range<usize>> {
        (self.top..self.bottom).map(move |y| y * width + self.left..y * width + self.right)
    }

    /// Copies the pixels to another picture of the same size.
    fn copy(&self, from: &Pixmap, to: &mut Pixmap) {
        for row in self.rows(from.width() as usize) {
            to.pixels_mut()[row.clone()].copy_from_slice(&from.pixels()[row]);
        }
    }
}

/// Composes boards of pictures that are drawn once: the ground with the paths, and each part.
struct Canvas<'a> {
    animation: &'a Animation<'a>,
    painter: Painter<'a>,
    look: Look,
    ground: Pixmap,
    /// The pictures of parts, by their SVG: equal parts share one.
    parts: HashMap<String, Pixmap>,
    /// The bytes of all pictures.
    bytes: u64,
    limits: &'a DrawLimits<'a>,
    /// The height of the caption above the board.
    caption_height: f64,
}

impl<'a> Canvas<'a> {
    fn new(
        animation: &'a Animation<'a>,
        look: Look,
        limits: &'a DrawLimits<'a>,
    ) -> Result<Self, DrawError> {
        let painter = Painter::with_target(animation, Lettering::Outlines);
        let (width, height) = painter.size();
        let scale = f64::from(look.cell) / CELL;
        // Whole pixels, so that the ground and the parts are aligned.
        let caption_height = match animation.step_count() {
            0 => 0.0,
            _ => (CAPTION_HEIGHT * scale).ceil() / scale,
        };
        let height = height + caption_height;
        let [width_pixels, height_pixels] =
            [width, height].map(|side| (side * scale).ceil() as u32);
        if width_pixels.max(height_pixels) > MAX_SIDE_PIXELS {
            let (width, height) = (width_pixels, height_pixels);
            return Err(DrawError::TooLarge { most: MAX_SIDE_PIXELS, width, height });
        }
        let bytes = PIXMAPS * 4 * u64::from(width_pixels) * u64::from(height_pixels);
        limits.check(bytes)?;
        let paths = animation.traced_paths(&limits.remaining(bytes))?;
        let mut svg = String::new();
        painter.open(&look, (width, height), &mut svg);
        painter.background(&mut svg);
        svg += &format!("<g transform=\"translate(0 {caption_height})\">");
        painter.ground(false, &mut svg);
        painter.paths(&paths, &mut svg);
        painter.ground(true, &mut svg);
        painter.target_beside(&mut svg);
        svg += "</g></svg>";
        let ground = rasterised(&svg)?;
        let parts = HashMap::new();
        Ok(Self { animation, painter, look, ground, parts, bytes, limits, caption_height })
    }

    /// The palette of an animation. It is chosen from samples, because few other colours occur.
    fn palette(&mut self) -> Result<Palette, DrawError> {
        const SAMPLES: usize = 8;
        let (animation, limits) = (self.animation, self.limits);
        let mut counts = HashMap::new();
        Palette::count(&self.ground, &mut counts);
        let every = animation.step_count().div_ceil(SAMPLES).max(1);
        for frame in animation.frames(every, limits) {
            let frame = frame?;
            let mut pixels = self.without_motions(&frame)?;
            if let Some(step) = &frame.step {
                self.draw_motions(&frame, step, 0.4, &mut pixels)?;
            }
            Palette::count(&pixels, &mut counts);
        }
        Ok(Palette::of(counts))
    }

    /// The board before the first step, without a caption.
    fn start(&mut self, frame: &Frame) -> Result<Pixmap, DrawError> {
        let mut pixels = self.ground.clone();
        for (part, &(at, ink)) in frame.placements.iter().enumerate() {
            self.draw_part(part, ink, self.painter.corner(at), &mut pixels)?;
        }
        Ok(pixels)
    }

    /// The caption of a step, and the parts that do not move in it.
    fn without_motions(&mut self, frame: &Frame) -> Result<Pixmap, DrawError> {
        let mut pixels = self.ground.clone();
        let motions = frame.step.iter().flat_map(|step| &step.motions);
        let moving: HashSet<usize> = motions.map(|motion| motion.part).collect();
        for (part, &(at, ink)) in frame.placements.iter().enumerate() {
            if !moving.contains(&part) {
                self.draw_part(part, ink, self.painter.corner(at), &mut pixels)?;
            }
        }
        if let Some(step) = &frame.step {
            let mut svg = String::new();
            let (width, _) = self.painter.size();
            self.painter.open(&self.look, (width, self.caption_height + MARGIN), &mut svg);
            svg += &format!("<g transform=\"translate(0 {})\">", self.caption_height);
            let caption = format!("{} {}", frame.step_index + 1, step.caption());
            self.painter.caption(&caption, &mut svg);
            svg += "</g></svg>";
            draw(&rasterised(&svg)?, (0, 0), &mut pixels);
        }
        Ok(pixels)
    }

    /// Where the caption is.
    fn caption_rect(&self) -> Rect {
        let all = Rect::of(&self.ground);
        let height = (self.caption_height + MARGIN) * f64::from(self.look.cell) / CELL;
        Rect { bottom: (height.ceil() as usize).min(all.bottom), ..all }
    }

    /// Draws the parts that move in a step above all others. `progress` is from 0 to 1. Returns
    /// where they are.
    fn draw_motions(
        &mut self,
        frame: &Frame,
        step: &Step,
        progress: f64,
        pixels: &mut Pixmap,
    ) -> Result<Vec<Rect>, DrawError> {
        let mut motions: Vec<&Motion> = step.motions.iter().collect();
        motions.sort_by_key(|motion| motion.part);
        let drawn = motions.into_iter().map(|motion| {
            let (at, ink) = frame.placements[motion.part];
            let corner = self.painter.corner_on_path(&motion.path, progress);
            let corner = corner.unwrap_or_else(|| self.painter.corner(at));
            self.draw_part(motion.part, motion.turns.unwrap_or(ink), corner, pixels)
        });
        drawn.collect()
    }

    /// Draws a part with its upper left corner at a position before scaling. Returns where it is.
    fn draw_part(
        &mut self,
        part: usize,
        ink: Ink,
        (x, y): (f64, f64),
        pixels: &mut Pixmap,
    ) -> Result<Rect, DrawError> {
        let part = &self.animation.scene.parts[part];
        let mut key = String::new();
        self.painter.part(part, Some(ink), false, &mut key);
        let scale = f64::from(self.look.cell) / CELL;
        // The cells of a part can be left of or above its own cell. The margin is for the lines of
        // an edge.
        let (first, last) = part.bounding_box().unwrap_or((Cell::ORIGIN, Cell::ORIGIN));
        let to_corner = |cells: i32| MARGIN - f64::from(cells) * CELL;
        let (left, top) = (to_corner(first.column), to_corner(first.row));
        let picture = match self.parts.get(&key) {
            Some(picture) => picture,
            None => {
                let size = |cells: i32| f64::from(cells + 1) * CELL + 2.0 * MARGIN;
                let size = (size(last.column - first.column), size(last.row - first.row));
                let mut svg = String::new();
                self.painter.open(&self.look, size, &mut svg);
                svg += &format!("<g transform=\"translate({left} {top})\">{key}</g></svg>");
                let picture = rasterised(&svg)?;
                self.bytes += picture.data().len() as u64;
                self.limits.check(self.bytes)?;
                self.parts.entry(key).or_insert(picture)
            }
        };
        let pixel = |length: f64| (length * scale).round() as i32;
        let corner = (pixel(x - left), pixel(y + self.caption_height - top));
        draw(picture, corner, pixels);
        Ok(Rect::of(pixels).part_at(corner, &Rect::of(picture)))
    }
}

/// Draws a picture on another.
fn draw(picture: &Pixmap, (x, y): (i32, i32), pixels: &mut Pixmap) {
    let (paint, transform) = (PixmapPaint::default(), Transform::identity());
    pixels.draw_pixmap(x, y, picture.as_ref(), &paint, transform, None);
}

/// The pixels of an SVG.
fn rasterised(svg: &str) -> Result<Pixmap, DrawError> {
    let tree = parse(svg)?;
    let size = tree.size().to_int_size();
    let mut pixels = pixmap(size.width(), size.height())?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    Ok(pixels)
}

fn parse(svg: &str) -> Result<Tree, DrawError> {
    Tree::from_str(svg, &Options::default()).map_err(|error| DrawError::Internal(error.to_string()))
}

fn pixmap(width: u32, height: u32) -> Result<Pixmap, DrawError> {
    Pixmap::new(width, height).ok_or_else(|| {
        DrawError::Internal(format!("a pixmap of {width} x {height} pixels is invalid"))
    })
}

/// The colour table of a GIF: the 255 most frequent colours, and [`TRANSPARENT`].
struct Palette {
    colours: Vec<Rgb>,
    /// A cache of the nearest colour of the table.
    nearest: HashMap<Rgb, u8>,
}

/// The index of the transparent colour, for pixels that do not change.
const TRANSPARENT: u8 = 255;

impl Palette {
    /// Counts the pixels of each colour.
    fn count(picture: &Pixmap, counts: &mut HashMap<Rgb, usize>) {
        for run in picture.pixels().chunk_by(|one, other| one == other) {
            *counts.entry(rgb(run[0])).or_default() += run.len();
        }
    }

    /// The palette of the most frequent colours.
    fn of(counts: HashMap<Rgb, usize>) -> Self {
        let mut counts: Vec<(Rgb, usize)> = counts.into_iter().collect();
        counts.sort_unstable_by_key(|&(colour, count)| (Reverse(count), colour));
        counts.truncate(TRANSPARENT.into());
        Self {
            colours: counts.into_iter().map(|(colour, _)| colour).collect(),
            nearest: HashMap::new(),
        }
    }

    /// The colour table of the GIF format.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colours.concat();
        bytes.resize(256 * 3, 0);
        bytes
    }

    /// The index of the nearest colour.
    fn index(&mut self, colour: Rgb) -> u8 {
        *self.nearest.entry(colour).or_insert_with(|| {
            let distance = |other: &Rgb| -> u32 {
                colour.iter().zip(other).map(|(&a, &b)| u32::from(a.abs_diff(b)).pow(2)).sum()
            };
            (0..TRANSPARENT)
                .zip(&self.colours)
                .min_by_key(|(_, other)| distance(other))
                .map_or(0, |(index, _)| index)
        })
    }

    /// The GIF frame of a picture: the bounding box of the rectangles in which pixels can differ
    /// from the previous picture.
    fn frame(
        &mut self,
        previous: Option<&Pixmap>,
        now: &Pixmap,
        changed: &[Rect],
    ) -> gif::Frame<'static> {
        let union = |one: Rect, other: &Rect| Rect {
            left: one.left.min(other.left),
            top: one.top.min(other.top),
            right: one.right.max(other.right),
            bottom: one.bottom.max(other.bottom),
        };
        let all = changed.split_first().map(|(first, rest)| rest.iter().fold(*first, union));
        let Rect { left, top, right, bottom } = all.unwrap_or(Rect::of(now));
        let (picture_width, width) = (now.width() as usize, right - left);
        let mut indices = vec![TRANSPARENT; width * (bottom - top)];
        for rect in changed {
            for (row, y) in rect.rows(picture_width).zip(rect.top..) {
                let start = (y - top) * width + rect.left - left;
                let before = previous.map(|previous| &previous.pixels()[row.clone()]);
                for (x, &pixel) in now.pixels()[row].iter().enumerate() {
                    if before.is_none_or(|before| before[x] != pixel) {
                        indices[start + x] = self.index(rgb(pixel));
                    }
                }
            }
        }
        gif::Frame {
            left: left as u16,
            top: top as u16,
            width: width as u16,
            height: (bottom - top) as u16,
            transparent: Some(TRANSPARENT),
            buffer: indices.into(),
            ..gif::Frame::default()
        }
    }
}

/// The colour of an opaque pixel. All pixels are opaque, because the background is.
fn rgb(pixel: PremultipliedColorU8) -> Rgb {
    [pixel.red(), pixel.green(), pixel.blue()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use fewest_geometry::Cell;

    use crate::scene::{Part, Scene, Shape, Side};
    use crate::{Ink, svg};

    fn animation(steps: usize) -> Animation<'static> {
        let at = |x| Cell { row: 0, column: x };
        let mut scene = Scene::new(3, 1);
        scene.ground.push(Part::new(Shape::Cells(vec![at(0), at(1), at(2)]), at(0), Ink::Floor));
        scene.parts.push(Part::new(Shape::Disc, at(0), Ink::Hue(4)));
        let step = move |x: usize| {
            let path = vec![at(x as i32), at(x as i32 + 1)];
            Step::new("E", vec![Motion { part: 0, path, turns: None }])
        };
        Animation::new(scene, move || (0..steps).map(step), &DrawLimits::NONE).expect("no limits")
    }

    fn draw_gif(steps: usize, look: &Look) -> Result<Vec<u8>, DrawError> {
        let mut bytes = Vec::new();
        gif(&animation(steps), look, &DrawLimits::NONE, &mut bytes).map(|()| bytes)
    }

    /// Decodes a GIF: its width, its height, and each whole picture with its delay in hundredths of
    /// a second.
    fn decode(bytes: &[u8]) -> (usize, usize, Vec<(Vec<u8>, u16)>) {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).expect("a GIF");
        let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
        let mut screen = vec![0; width * height * 4];
        let mut pictures = Vec::new();
        while let Some(frame) = decoder.read_next_frame().expect("a GIF frame") {
            let row_bytes = usize::from(frame.width) * 4;
            for (row, line) in frame.buffer.chunks(row_bytes).enumerate() {
                let start = ((usize::from(frame.top) + row) * width + usize::from(frame.left)) * 4;
                for (pixel, drawn) in
                    screen[start..start + row_bytes].chunks_mut(4).zip(line.chunks(4))
                {
                    if drawn[3] > 0 {
                        pixel.copy_from_slice(drawn);
                    }
                }
            }
            pictures.push((screen.clone(), frame.delay));
        }
        (width, height, pictures)
    }

    /// The difference of two colours. Versions of the rasteriser differ a little.
    fn difference(one: &[u8], other: [u8; 3]) -> u32 {
        one.iter().zip(other).map(|(&a, b)| u32::from(a.abs_diff(b))).sum()
    }

    #[test]
    fn a_disc_has_its_position_at_the_start_and_at_the_end() {
        for (theme, dark) in [(Theme::Auto, false), (Theme::Light, false), (Theme::Dark, true)] {
            let bytes =
                draw_gif(2, &Look { theme, cell: 20, ..Look::default() }).expect("no limits");
            let (width, height, pictures) = decode(&bytes);
            assert_eq!((width, height), (68, 39));
            let middle = |pixels: &[u8], cell: usize| {
                let at = ((height - 14) * width + 14 + 20 * cell) * 4;
                pixels[at..at + 3].to_vec()
            };
            let (disc, floor) = (Ink::Hue(4).rgb(dark), Ink::Floor.rgb(dark));
            for (picture, at) in [(0, 0), (pictures.len() - 1, 2)] {
                for cell in 0..3 {
                    let expected = if cell == at { disc } else { floor };
                    let found = middle(&pictures[picture].0, cell);
                    assert!(
                        difference(&found, expected) < 12,
                        "{theme:?} picture {picture} cell {cell}: {found:?}"
                    );
                }
            }
            let seconds: f64 = pictures.iter().map(|(_, delay)| f64::from(*delay) / 100.0).sum();
            assert!((seconds - Timing::of(&animation(2)).total_seconds).abs() < 0.3, "{seconds}");
        }
    }

    /// Two discs that cross, one of which pushes an edge that changes its colour, and a piece that
    /// is left of its own cell.
    fn crossing() -> Animation<'static> {
        let mut scene = Scene::new(4, 3);
        let floor = scene.cells().collect();
        scene.ground.push(Part::new(Shape::Cells(floor), Cell::ORIGIN, Ink::Floor));
        let disc = |row, column, hue| Part::new(Shape::Disc, Cell::new(row, column), Ink::Hue(hue));
        let piece = Shape::Cells(vec![Cell::ORIGIN, Cell::new(1, -1)]);
        scene.parts = vec![
            disc(0, 0, 0),
            disc(0, 1, 1),
            Part::new(Shape::Edge(Side::West), Cell::new(0, 2), Ink::Wall),
            Part::new(piece, Cell::new(1, 2), Ink::Hue(3)),
        ];
        let motion = |part, from: (i32, i32), to: (i32, i32), turns| {
            let path = [from, to].map(|(row, column)| Cell::new(row, column)).to_vec();
            Motion { part, path, turns }
        };
        let steps = vec![
            Step::new(
                "gj",
                vec![
                    motion(1, (0, 1), (0, 0), None),
                    motion(0, (0, 0), (0, 1), None),
                    motion(2, (0, 2), (0, 3), Some(Ink::Hue(4))),
                ],
            ),
            Step::new("y", vec![motion(3, (1, 2), (1, 3), None)]),
            Step::new("p", vec![motion(0, (0, 1), (1, 1), None)]),
        ];
        Animation::new(scene, move || steps.clone(), &DrawLimits::NONE).expect("no limits")
    }

    #[test]
    fn each_frame_is_the_board_drawn_anew() {
        for cell in [24, 33, 40] {
            let (animation, look) =
                (crossing(), Look { theme: Theme::Light, cell, ..Look::default() });
            let mut bytes = Vec::new();
            gif(&animation, &look, &DrawLimits::NONE, &mut bytes).expect("no limits");
            let (width, height, pictures) = decode(&bytes);
            let mut canvas = Canvas::new(&animation, look, &DrawLimits::NONE).expect("no limits");
            let mut expected = Vec::new();
            for frame in animation.frames(1, &DrawLimits::NONE) {
                let frame = frame.expect("no limits");
                if expected.is_empty() {
                    expected.push(canvas.start(&frame).expect("a board"));
                }
                let rest = canvas.without_motions(&frame).expect("a board");
                let Some(step) = &frame.step else {
                    expected.push(rest);
                    break;
                };
                for index in 1..=10 {
                    let (mut pixels, progress) = (rest.clone(), f64::from(index) / 10.0);
                    canvas.draw_motions(&frame, step, progress, &mut pixels).expect("motions");
                    expected.push(pixels);
                }
            }
            assert_eq!(pictures.len(), expected.len());
            for (number, ((found, _), expected)) in pictures.iter().zip(&expected).enumerate() {
                assert_eq!(
                    (width, height),
                    (expected.width() as usize, expected.height() as usize)
                );
                for (found, &expected) in found.chunks(4).zip(expected.pixels()) {
                    // The palette has 255 colours.
                    let difference = difference(found, rgb(expected));
                    assert!(
                        difference < 48,
                        "cell {cell}, picture {number}: {found:?} {expected:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn parts_and_ground_are_aligned_and_captions_are_whole() {
        for cell in [24, 33, 40] {
            let (animation, look) =
                (crossing(), Look { theme: Theme::Light, cell, ..Look::default() });
            let mut canvas = Canvas::new(&animation, look, &DrawLimits::NONE).expect("no limits");
            let frame =
                animation.frames(1, &DrawLimits::NONE).next().expect("a frame").expect("a frame");
            let composed = canvas.start(&frame).expect("a board");
            let painter = Painter::with_target(&animation, Lettering::Outlines);
            let size = painter.size();
            let mut whole = String::new();
            painter.open(&look, (size.0, size.1 + canvas.caption_height), &mut whole);
            painter.background(&mut whole);
            whole += &format!("<g transform=\"translate(0 {})\">", canvas.caption_height);
            painter.ground(false, &mut whole);
            for part in &animation.scene.parts {
                let (x, y) = painter.corner(part.at);
                whole += &format!("<g transform=\"translate({x} {y})\">");
                painter.part(part, Some(part.ink), false, &mut whole);
                whole += "</g>";
            }
            let whole = rasterised(&(whole + "</g></svg>")).expect("an SVG");
            let all = composed.pixels().iter().zip(whole.pixels());
            let worst = all.map(|(&one, &other)| {
                let [red, green, blue] = rgb(other);
                difference(&rgb(one), [red, green, blue])
            });
            let worst = worst.max();
            // A shift by 0.2 pixels of a wall on the floor gives 90.
            assert!(worst.is_some_and(|worst| worst < 48), "cell {cell}: {worst:?}");
            // A letter such as `g` reaches below the caption's line.
            let below = canvas.without_motions(&frame).expect("a board");
            let line = (canvas.caption_height * f64::from(cell) / CELL) as u32;
            let is_dark = |x: u32| below.pixel(x, line).is_some_and(|pixel| pixel.red() < 128);
            assert!((0..below.width()).any(is_dark), "cell {cell}");
        }
    }

    #[test]
    fn a_board_without_steps_is_one_frame_of_the_size_of_the_svg() {
        let look = Look { theme: Theme::Light, cell: 40, ..Look::default() };
        let bytes = draw_gif(0, &look).expect("no limits");
        let (width, height, pictures) = decode(&bytes);
        assert_eq!(pictures.len(), 1);
        let mut svg = Vec::new();
        svg::still(&animation(0), &look, &DrawLimits::NONE, &mut svg).expect("no limits");
        let svg = String::from_utf8(svg).expect("UTF-8");
        assert!(svg.contains(&format!("width=\"{width}\" height=\"{height}\"")));
    }

    fn draw_png(steps: usize, look: &Look) -> Result<Pixmap, DrawError> {
        let mut bytes = Vec::new();
        png(&animation(steps), look, 1, &DrawLimits::NONE, &mut bytes)?;
        Ok(Pixmap::decode_png(&bytes).expect("a PNG"))
    }

    #[test]
    fn a_png_has_the_board_or_a_strip() {
        let look = Look { theme: Theme::Light, cell: 40, ..Look::default() };
        let (board, strip) =
            (draw_png(0, &look).expect("a board"), draw_png(2, &look).expect("a strip"));
        for (steps, picture) in [(0, &board), (2, &strip)] {
            let mut svg = Vec::new();
            match steps {
                0 => svg::still(&animation(steps), &look, &DrawLimits::NONE, &mut svg),
                _ => svg::strip(&animation(steps), &look, 1, &DrawLimits::NONE, &mut svg),
            }
            .expect("no limits");
            let svg = String::from_utf8(svg).expect("UTF-8");
            let (width, height) = (picture.width(), picture.height());
            assert!(svg.contains(&format!("width=\"{width}\" height=\"{height}\"")), "{svg:.300}");
        }
        // The same pixels as the only frame of a GIF, up to its palette.
        let animation = animation(0);
        let mut canvas = Canvas::new(&animation, look, &DrawLimits::NONE).expect("no limits");
        let frame =
            animation.frames(1, &DrawLimits::NONE).next().expect("a frame").expect("no limits");
        let composed = canvas.start(&frame).expect("a board");
        let both = board.pixels().iter().zip(composed.pixels());
        let worst = both.map(|(&one, &other)| difference(&rgb(one), rgb(other))).max();
        assert!(worst.is_some_and(|worst| worst < 48), "{worst:?}");
        let large = draw_png(0, &Look { cell: 10_000, ..look });
        assert!(matches!(large, Err(DrawError::TooLarge { .. })));
    }

    #[test]
    fn a_gif_that_is_too_large_is_an_error() {
        let result = draw_gif(0, &Look { theme: Theme::Light, cell: 2000, ..Look::default() });
        assert!(matches!(result, Err(DrawError::TooLarge { .. })), "{result:?}");
    }

    #[test]
    fn limits_and_write_errors_stop_drawing() {
        let look = Look { theme: Theme::Light, cell: 20, ..Look::default() };
        let stop = DrawLimits { stop: &|| true, ..DrawLimits::NONE };
        assert!(matches!(
            gif(&animation(2), &look, &stop, &mut Vec::new()),
            Err(DrawError::Stopped)
        ));
        let tight = DrawLimits { memory_bytes: 1000, ..DrawLimits::NONE };
        assert!(matches!(
            gif(&animation(2), &look, &tight, &mut Vec::new()),
            Err(DrawError::Memory { .. })
        ));
        for capacity in [0, 10, 1000] {
            let mut buffer = vec![0; capacity];
            let result = gif(&animation(2), &look, &DrawLimits::NONE, &mut &mut buffer[..]);
            assert!(matches!(result, Err(DrawError::Write(_))), "{capacity} {result:?}");
        }
    }
}
