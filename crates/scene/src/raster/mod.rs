//! Animations as GIF, by `resvg`: each picture is drawn as SVG first, so that both look alike.

pub(crate) mod glyphs;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::Write;

use gif::{Encoder, EncodingError, Repeat};
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8, Transform};
use resvg::usvg::{Options, Tree};

use crate::draw::{DrawError, Limits};
use crate::ink::{Rgb, Theme};
use crate::scene::{Animation, Frame, Spot, Step};
use crate::svg::{CAPTION, CELL, LEAD, Lettering, Look, Painter, TAIL, Timing};

impl From<EncodingError> for DrawError {
    fn from(error: EncodingError) -> Self {
        match error {
            EncodingError::Io(error) => Self::Write(error),
            error => Self::Fault(error.to_string()),
        }
    }
}

/// The most pixels on a side.
pub const MOST: u32 = 4096;

/// How many pictures of all pixels are in memory at a time, with what draws them.
const PICTURES: u64 = 5;

/// Writes a GIF: a plan that moves, over and over, or the board alone if there are no steps.
///
/// Takes some milliseconds a picture, of which there are eight or so a step, and five pictures of
/// memory at 4 bytes a pixel.
///
/// # Errors
/// If it has more than [`MOST`] pixels on a side, if writing fails, or if a limit says so.
pub fn gif(
    animation: &Animation<'_>,
    look: &Look,
    limits: &Limits<'_>,
    out: &mut dyn Write,
) -> Result<(), DrawError> {
    let look =
        Look { theme: if look.theme == Theme::Dark { Theme::Dark } else { Theme::Light }, ..*look };
    let canvas = Canvas::new(animation, look, limits)?;
    let [width, height] = [canvas.ground.width(), canvas.ground.height()].map(|side| side as u16);
    let mut palette = canvas.palette(animation, limits)?;
    let mut encoder = Encoder::new(out, width, height, &palette.bytes())?;
    if animation.step_count() > 0 {
        encoder.set_repeat(Repeat::Infinite)?;
    }
    let mut before: Option<Pixmap> = None;
    let mut show = |pixels: Pixmap, seconds: f64| -> Result<(), DrawError> {
        limits.check(0)?;
        let mut frame = palette.frame(before.as_ref(), &pixels);
        frame.delay = (seconds * 100.0).round() as u16;
        encoder.write_frame(&frame)?;
        before = Some(pixels);
        Ok(())
    };
    let timing = Timing::of(animation);
    // No less than three hundredths of a second, as few programs show pictures any faster.
    let pictures = (timing.motion / 0.04).clamp(2.0, 10.0).floor();
    for frame in animation.frames(1, limits) {
        let Frame { number, spots, step } = frame?;
        match &step {
            None => show(canvas.draw(&spots, None)?, if number == 0 { 1.0 } else { TAIL })?,
            Some(step) => {
                if number == 0 {
                    show(canvas.draw(&spots, None)?, LEAD)?;
                }
                for picture in 1..=pictures as usize {
                    let progress = picture as f64 / pictures;
                    let last = progress >= 1.0;
                    let rest = if last { timing.pace - timing.motion } else { 0.0 };
                    show(
                        canvas.draw(&spots, Some((number, step, progress)))?,
                        timing.motion / pictures + rest,
                    )?;
                }
            }
        }
    }
    encoder.into_inner()?.flush()?;
    Ok(())
}

/// What stays, drawn once.
struct Canvas<'a> {
    painter: Painter<'a>,
    look: Look,
    ground: Pixmap,
    width: f64,
    height: f64,
    /// Above the board, for what is written there.
    top: f64,
}

impl<'a> Canvas<'a> {
    fn new(
        animation: &'a Animation<'a>,
        look: Look,
        limits: &Limits<'_>,
    ) -> Result<Self, DrawError> {
        let painter = Painter::new(animation, Lettering::Outlines);
        let (width, height) = painter.size();
        let top = if animation.step_count() == 0 { 0.0 } else { CAPTION };
        let height = height + top;
        let [wide, high] =
            [width, height].map(|side| (side * f64::from(look.cell) / CELL).ceil() as u32);
        if wide.max(high) > MOST {
            return Err(DrawError::TooLarge { width: wide, height: high });
        }
        let bytes = PICTURES * 4 * u64::from(wide) * u64::from(high);
        limits.check(bytes)?;
        let ways = animation.ways(&limits.beside(bytes))?;
        let mut svg = String::new();
        painter.open(&look, (width, height), &mut svg);
        painter.paper(&mut svg);
        svg += &format!("<g transform=\"translate(0 {top})\">");
        painter.ground(false, &mut svg);
        painter.ways(&ways, &mut svg);
        painter.ground(true, &mut svg);
        svg += "</g></svg>";
        let tree = parse(&svg)?;
        let size = tree.size().to_int_size();
        let mut ground = pixmap(size.width(), size.height())?;
        resvg::render(&tree, Transform::identity(), &mut ground.as_mut());
        Ok(Self { painter, look, ground, width, height, top })
    }

    /// The colours of some pictures of an animation, which has few others.
    fn palette(
        &self,
        animation: &Animation<'_>,
        limits: &Limits<'_>,
    ) -> Result<Palette, DrawError> {
        const SAMPLES: usize = 8;
        let mut seen = HashMap::new();
        Palette::count(&self.ground, &mut seen);
        let every = animation.step_count().div_ceil(SAMPLES).max(1);
        for frame in animation.frames(every, limits) {
            let Frame { number, spots, step } = frame?;
            Palette::count(
                &self.draw(&spots, step.as_ref().map(|step| (number, step, 0.4)))?,
                &mut seen,
            );
        }
        Ok(Palette::of(seen))
    }

    /// The board with its parts at some spots, or on their way of a step.
    fn draw(&self, spots: &[Spot], step: Option<(usize, &Step, f64)>) -> Result<Pixmap, DrawError> {
        let mut svg = String::new();
        self.painter.open(&self.look, (self.width, self.height), &mut svg);
        svg += &format!("<g transform=\"translate(0 {})\">", self.top);
        self.painter.at(spots, step.map(|(_, step, progress)| (step, progress)), &mut svg);
        if let Some((number, step, _)) = step {
            self.painter.caption(&format!("{} {}", number + 1, step.caption), &mut svg);
        }
        svg += "</g></svg>";
        let mut pixels = self.ground.clone();
        resvg::render(&parse(&svg)?, Transform::identity(), &mut pixels.as_mut());
        Ok(pixels)
    }
}

fn parse(svg: &str) -> Result<Tree, DrawError> {
    Tree::from_str(svg, &Options::default()).map_err(|error| DrawError::Fault(error.to_string()))
}

fn pixmap(width: u32, height: u32) -> Result<Pixmap, DrawError> {
    Pixmap::new(width, height)
        .ok_or_else(|| DrawError::Fault(format!("no room for {width} x {height} pixels")))
}

/// The colours of a GIF: the 255 that are seen most, and one for pixels that stay as they are.
struct Palette {
    colours: Vec<Rgb>,
    /// The nearest of them, for each colour that was looked up.
    nearest: HashMap<Rgb, u8>,
}

/// The number of the colour that changes nothing.
const STAYS: u8 = 255;

impl Palette {
    fn count(picture: &Pixmap, seen: &mut HashMap<Rgb, usize>) {
        picture.pixels().iter().for_each(|pixel| *seen.entry(rgb(*pixel)).or_default() += 1);
    }

    /// The most frequent of these.
    fn of(seen: HashMap<Rgb, usize>) -> Self {
        let mut seen: Vec<(Rgb, usize)> = seen.into_iter().collect();
        seen.sort_unstable_by_key(|&(colour, count)| (Reverse(count), colour));
        seen.truncate(STAYS.into());
        Self {
            colours: seen.into_iter().map(|(colour, _)| colour).collect(),
            nearest: HashMap::new(),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colours.concat();
        bytes.resize(256 * 3, 0);
        bytes
    }

    fn number(&mut self, colour: Rgb) -> u8 {
        *self.nearest.entry(colour).or_insert_with(|| {
            let apart = |other: &Rgb| -> u32 {
                colour.iter().zip(other).map(|(&a, &b)| u32::from(a.abs_diff(b)).pow(2)).sum()
            };
            (0..STAYS)
                .zip(&self.colours)
                .min_by_key(|(_, other)| apart(other))
                .map_or(0, |(number, _)| number)
        })
    }

    /// The part of a picture that is not as before, which is all that a GIF has to hold.
    fn frame(&mut self, before: Option<&Pixmap>, now: &Pixmap) -> gif::Frame<'static> {
        let (width, height) = (now.width() as usize, now.height() as usize);
        let differs = |x: usize, y: usize| {
            let index = y * width + x;
            before.is_none_or(|before| before.pixels()[index] != now.pixels()[index])
        };
        let is_row = |&y: &usize| (0..width).any(|x| differs(x, y));
        // Where nothing changed a picture still takes its time, with a pixel.
        let (top, bottom) =
            ((0..height).find(is_row).unwrap_or(0), (0..height).rfind(is_row).unwrap_or(0));
        let is_column = |&x: &usize| (top..=bottom).any(|y| differs(x, y));
        let (left, right) =
            ((0..width).find(is_column).unwrap_or(0), (0..width).rfind(is_column).unwrap_or(0));
        let mut numbers = Vec::with_capacity((bottom - top + 1) * (right - left + 1));
        for y in top..=bottom {
            let colours = (left..=right).map(|x| {
                if differs(x, y) { self.number(rgb(now.pixels()[y * width + x])) } else { STAYS }
            });
            numbers.extend(colours);
        }
        gif::Frame {
            left: left as u16,
            top: top as u16,
            width: (right - left + 1) as u16,
            height: (bottom - top + 1) as u16,
            transparent: Some(STAYS),
            buffer: numbers.into(),
            ..gif::Frame::default()
        }
    }
}

/// The background is opaque, and so is all that is drawn on it.
fn rgb(pixel: PremultipliedColorU8) -> Rgb {
    [pixel.red(), pixel.green(), pixel.blue()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{At, Motion, Part, Scene, Shape};
    use crate::{Ink, svg};

    fn animation(steps: usize) -> Animation<'static> {
        let at = |x| At { x, y: 0 };
        let mut scene = Scene::new(3, 1);
        scene.ground.push(Part::new(Shape::Cells(vec![at(0), at(1), at(2)]), at(0), Ink::Floor));
        scene.parts.push(Part::new(Shape::Disc, at(0), Ink::Hue(4)));
        let step = move |x: usize| Step {
            caption: "E".to_owned(),
            motions: vec![Motion {
                part: 0,
                path: vec![at(x as i32), at(x as i32 + 1)],
                turns: None,
            }],
        };
        Animation::new(scene, move || (0..steps).map(step), &Limits::NONE).expect("no limits")
    }

    fn drawn(steps: usize, look: &Look) -> Result<Vec<u8>, DrawError> {
        let mut bytes = Vec::new();
        gif(&animation(steps), look, &Limits::NONE, &mut bytes).map(|()| bytes)
    }

    /// The pictures of a GIF, each whole, with its time in hundredths of a second.
    fn decoded(bytes: &[u8]) -> (usize, usize, Vec<(Vec<u8>, u16)>) {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).expect("a GIF");
        let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
        let mut screen = vec![0; width * height * 4];
        let mut pictures = Vec::new();
        while let Some(frame) = decoder.read_next_frame().expect("a picture") {
            let wide = usize::from(frame.width) * 4;
            for (row, line) in frame.buffer.chunks(wide).enumerate() {
                let start = ((usize::from(frame.top) + row) * width + usize::from(frame.left)) * 4;
                for (pixel, drawn) in screen[start..start + wide].chunks_mut(4).zip(line.chunks(4))
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

    /// How far two colours are apart; rasterisers differ by little.
    fn apart(one: &[u8], other: [u8; 3]) -> u32 {
        one.iter().zip(other).map(|(&a, b)| u32::from(a.abs_diff(b))).sum()
    }

    #[test]
    fn a_disc_is_where_it_should_be_at_the_start_and_at_the_end() {
        for (theme, dark) in [(Theme::Auto, false), (Theme::Light, false), (Theme::Dark, true)] {
            let bytes = drawn(2, &Look { theme, cell: 20 }).expect("a picture");
            let (width, height, pictures) = decoded(&bytes);
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
                        apart(&found, expected) < 12,
                        "{theme:?} picture {picture} cell {cell}: {found:?}"
                    );
                }
            }
            let seconds: f64 = pictures.iter().map(|(_, delay)| f64::from(*delay) / 100.0).sum();
            assert!((seconds - Timing::of(&animation(2)).whole).abs() < 0.3, "{seconds}");
        }
    }

    #[test]
    fn a_board_alone_is_one_picture_as_large_as_the_svg() {
        let look = Look { theme: Theme::Light, cell: 40 };
        let bytes = drawn(0, &look).expect("a picture");
        let (width, height, pictures) = decoded(&bytes);
        assert_eq!(pictures.len(), 1);
        let mut svg = Vec::new();
        svg::still(&animation(0), &look, &Limits::NONE, &mut svg).expect("an SVG");
        let svg = String::from_utf8(svg).expect("UTF-8");
        assert!(svg.contains(&format!("width=\"{width}\" height=\"{height}\"")));
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let refused = drawn(0, &Look { theme: Theme::Light, cell: 2000 });
        assert!(matches!(refused, Err(DrawError::TooLarge { .. })), "{refused:?}");
    }

    #[test]
    fn limits_are_kept_and_a_writer_may_fail() {
        let look = Look { theme: Theme::Light, cell: 20 };
        let stop = Limits { stop: &|| true, ..Limits::NONE };
        assert!(matches!(
            gif(&animation(2), &look, &stop, &mut Vec::new()),
            Err(DrawError::Stopped)
        ));
        let little = Limits { memory_bytes: 1000, ..Limits::NONE };
        assert!(matches!(
            gif(&animation(2), &look, &little, &mut Vec::new()),
            Err(DrawError::Memory { .. })
        ));
        for room in [0, 10, 1000] {
            let mut full = vec![0; room];
            let written = gif(&animation(2), &look, &Limits::NONE, &mut &mut full[..]);
            assert!(matches!(written, Err(DrawError::Write(_))), "{room} {written:?}");
        }
    }
}
