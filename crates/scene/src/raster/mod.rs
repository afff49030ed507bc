//! Films as GIF, by `resvg`: each picture is drawn as SVG first, so that both look alike.

pub(crate) mod glyphs;

use std::cmp::Reverse;
use std::collections::HashMap;

use gif::{Encoder, EncodingError, Frame, Repeat};
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8, Transform};
use resvg::usvg::{Options, Tree};

use crate::ink::{Rgb, Theme};
use crate::scene::{Film, Spot, Step};
use crate::svg::{CAPTION, LEAD, Lettering, Look, Painter, TAIL, Timing};

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RasterError {
    /// It has more pixels than are drawn.
    #[error("a picture of {width} x {height} pixels is too large, the most is {MOST} x {MOST}")]
    TooLarge {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
    },
    /// The SVG could not be drawn, or its pixels not be written as GIF: a fault of this crate.
    #[error("{0}")]
    Fault(String),
}

impl From<EncodingError> for RasterError {
    fn from(error: EncodingError) -> Self {
        Self::Fault(error.to_string())
    }
}

/// The most pixels on a side.
pub const MOST: u32 = 4096;

/// The bytes of a GIF: a plan that moves, over and over, or the board alone if there are no steps.
///
/// Takes some milliseconds a picture, of which there are eight or so a step, and four pictures of memory at 4 bytes a pixel.
///
/// # Errors
/// If it has more than [`MOST`] pixels on a side.
pub fn gif(film: &Film, look: &Look) -> Result<Vec<u8>, RasterError> {
    let look = Look { theme: if look.theme == Theme::Dark { Theme::Dark } else { Theme::Light }, ..*look };
    let canvas = Canvas::new(film, look)?;
    let [width, height] = [canvas.ground.width(), canvas.ground.height()].map(|side| side as u16);
    let mut palette = canvas.palette(film)?;
    // Into memory, as the encoder cannot bear that a writer fails.
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width, height, &palette.bytes())?;
    if !film.steps.is_empty() {
        encoder.set_repeat(Repeat::Infinite)?;
    }
    let mut before: Option<Pixmap> = None;
    let mut show = |pixels: Pixmap, seconds: f64| -> Result<(), RasterError> {
        let mut frame = palette.frame(before.as_ref(), &pixels);
        frame.delay = (seconds * 100.0).round() as u16;
        encoder.write_frame(&frame)?;
        before = Some(pixels);
        Ok(())
    };
    if film.steps.is_empty() {
        show(canvas.draw(&film.start(), None)?, 1.0)?;
        drop(encoder);
        return Ok(bytes);
    }
    let timing = Timing::of(film);
    // No less than three hundredths of a second, as few programs show pictures any faster.
    let pictures = (timing.motion / 0.04).clamp(2.0, 10.0).floor();
    for (number, (spots, step)) in film.frames().enumerate() {
        match step {
            None => show(canvas.draw(&spots, None)?, TAIL)?,
            Some(step) => {
                if number == 0 {
                    show(canvas.draw(&spots, None)?, LEAD)?;
                }
                for picture in 1..=pictures as usize {
                    let progress = picture as f64 / pictures;
                    let last = progress >= 1.0;
                    let rest = if last { timing.pace - timing.motion } else { 0.0 };
                    show(canvas.draw(&spots, Some((number, step, progress)))?, timing.motion / pictures + rest)?;
                }
            }
        }
    }
    drop(encoder);
    Ok(bytes)
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
    fn new(film: &'a Film, look: Look) -> Result<Self, RasterError> {
        let painter = Painter::new(film, Lettering::Outlines);
        let (width, height) = painter.size();
        let top = if film.steps.is_empty() { 0.0 } else { CAPTION };
        let height = height + top;
        let mut svg = painter.open(&look, width, height);
        painter.paper(&mut svg);
        svg += &format!("<g transform=\"translate(0 {top})\">");
        painter.ground(false, &mut svg);
        painter.ways(&mut svg);
        painter.ground(true, &mut svg);
        svg += "</g></svg>";
        let tree = parse(&svg)?;
        let size = tree.size().to_int_size();
        if size.width().max(size.height()) > MOST {
            return Err(RasterError::TooLarge { width: size.width(), height: size.height() });
        }
        let mut ground = pixmap(size.width(), size.height())?;
        resvg::render(&tree, Transform::identity(), &mut ground.as_mut());
        Ok(Self { painter, look, ground, width, height, top })
    }

    /// The colours of some pictures of a film, which has few others.
    fn palette(&self, film: &Film) -> Result<Palette, RasterError> {
        const SAMPLES: usize = 8;
        let mut seen = HashMap::new();
        Palette::count(&self.ground, &mut seen);
        let every = film.steps.len().div_ceil(SAMPLES).max(1);
        for (number, (spots, step)) in film.frames().enumerate().step_by(every) {
            Palette::count(&self.draw(&spots, step.map(|step| (number, step, 0.4)))?, &mut seen);
        }
        Ok(Palette::of(seen))
    }

    /// The board with its parts at some spots, or on their way of a step.
    fn draw(&self, spots: &[Spot], step: Option<(usize, &Step, f64)>) -> Result<Pixmap, RasterError> {
        let mut svg = self.painter.open(&self.look, self.width, self.height);
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

fn parse(svg: &str) -> Result<Tree, RasterError> {
    Tree::from_str(svg, &Options::default()).map_err(|error| RasterError::Fault(error.to_string()))
}

fn pixmap(width: u32, height: u32) -> Result<Pixmap, RasterError> {
    Pixmap::new(width, height).ok_or_else(|| RasterError::Fault(format!("no room for {width} x {height} pixels")))
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
        Self { colours: seen.into_iter().map(|(colour, _)| colour).collect(), nearest: HashMap::new() }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colours.concat();
        bytes.resize(256 * 3, 0);
        bytes
    }

    fn number(&mut self, colour: Rgb) -> u8 {
        *self.nearest.entry(colour).or_insert_with(|| {
            let apart =
                |other: &Rgb| -> u32 { colour.iter().zip(other).map(|(&a, &b)| u32::from(a.abs_diff(b)).pow(2)).sum() };
            (0..STAYS).zip(&self.colours).min_by_key(|(_, other)| apart(other)).map_or(0, |(number, _)| number)
        })
    }

    /// The part of a picture that is not as before, which is all that a GIF has to hold.
    fn frame(&mut self, before: Option<&Pixmap>, now: &Pixmap) -> Frame<'static> {
        let (width, height) = (now.width() as usize, now.height() as usize);
        let differs = |x: usize, y: usize| {
            let index = y * width + x;
            before.is_none_or(|before| before.pixels()[index] != now.pixels()[index])
        };
        let is_row = |&y: &usize| (0..width).any(|x| differs(x, y));
        // Where nothing changed a picture still takes its time, with a pixel.
        let (top, bottom) = ((0..height).find(is_row).unwrap_or(0), (0..height).rfind(is_row).unwrap_or(0));
        let is_column = |&x: &usize| (top..=bottom).any(|y| differs(x, y));
        let (left, right) = ((0..width).find(is_column).unwrap_or(0), (0..width).rfind(is_column).unwrap_or(0));
        let mut numbers = Vec::with_capacity((bottom - top + 1) * (right - left + 1));
        for y in top..=bottom {
            let colours = (left..=right)
                .map(|x| if differs(x, y) { self.number(rgb(now.pixels()[y * width + x])) } else { STAYS });
            numbers.extend(colours);
        }
        Frame {
            left: left as u16,
            top: top as u16,
            width: (right - left + 1) as u16,
            height: (bottom - top + 1) as u16,
            transparent: Some(STAYS),
            buffer: numbers.into(),
            ..Frame::default()
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

    fn film(steps: usize) -> Film {
        let at = |x| At { x, y: 0 };
        let mut scene = Scene::new(3, 1);
        scene.ground.push(Part::new(Shape::Cells(vec![at(0), at(1), at(2)]), at(0), Ink::Floor));
        scene.parts.push(Part::new(Shape::Disc, at(0), Ink::Hue(4)));
        let step = |x: usize| Step {
            caption: "E".to_owned(),
            motions: vec![Motion { part: 0, path: vec![at(x as i32), at(x as i32 + 1)], turns: None }],
        };
        Film { scene, steps: (0..steps).map(step).collect() }
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
                for (pixel, drawn) in screen[start..start + wide].chunks_mut(4).zip(line.chunks(4)) {
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
            let bytes = gif(&film(2), &Look { theme, cell: 20 }).expect("a picture");
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
                    assert!(apart(&found, expected) < 12, "{theme:?} picture {picture} cell {cell}: {found:?}");
                }
            }
            let seconds: f64 = pictures.iter().map(|(_, delay)| f64::from(*delay) / 100.0).sum();
            assert!((seconds - Timing::of(&film(2)).whole).abs() < 0.3, "{seconds}");
        }
    }

    #[test]
    fn a_board_alone_is_one_picture_as_large_as_the_svg() {
        let look = Look { theme: Theme::Light, cell: 40 };
        let bytes = gif(&film(0), &look).expect("a picture");
        let (width, height, pictures) = decoded(&bytes);
        assert_eq!(pictures.len(), 1);
        assert!(svg::still(&film(0), &look).contains(&format!("width=\"{width}\" height=\"{height}\"")));
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let refused = gif(&film(0), &Look { theme: Theme::Light, cell: 2000 });
        assert!(matches!(refused, Err(RasterError::TooLarge { .. })), "{refused:?}");
    }
}
