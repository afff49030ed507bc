//! Animations as GIF. Each GIF frame is drawn as SVG and rasterised by `resvg`, so that GIF and SVG
//! look the same.

pub(crate) mod glyphs;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::Write;

use gif::{Encoder, EncodingError, Repeat};
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8, Transform};
use resvg::usvg::{Options, Tree};

use crate::draw::{DrawError, Limits};
use crate::ink::{Rgb, Theme};
use crate::scene::{Animation, Frame, Placement, Step};
use crate::svg::{
    CAPTION_HEIGHT, CELL, LEAD_SECONDS, Lettering, Look, Painter, TAIL_SECONDS, Timing,
};

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

/// An upper bound of the memory for drawing, in pixmaps of the size of the GIF.
const PIXMAPS: u64 = 5;

/// Writes an animated GIF that repeats indefinitely. Without steps, it is one GIF frame with the
/// board.
///
/// Time: a few milliseconds per GIF frame, 2 to 10 GIF frames per step. Memory: five
/// pixmaps of 4 bytes per pixel. [`Theme::Auto`] is drawn as [`Theme::Light`].
///
/// # Errors
/// [`DrawError::TooLarge`] if a side has more than [`MAX_SIDE_PIXELS`] pixels. Also if writing
/// fails, or if a limit stops drawing.
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
    let mut previous: Option<Pixmap> = None;
    let mut show = |pixels: Pixmap, seconds: f64| -> Result<(), DrawError> {
        limits.check(0)?;
        let mut frame = palette.frame(previous.as_ref(), &pixels);
        frame.delay = (seconds * 100.0).round() as u16;
        encoder.write_frame(&frame)?;
        previous = Some(pixels);
        Ok(())
    };
    let timing = Timing::of(animation);
    // GIF frames per step. A delay is at least 0.03 s because few programs support shorter ones.
    let frame_count = (timing.motion_seconds / 0.04).clamp(2.0, 10.0).floor();
    for frame in animation.frames(1, limits) {
        let Frame { step_index, placements, step } = frame?;
        match &step {
            None => {
                let seconds = if step_index == 0 { 1.0 } else { TAIL_SECONDS };
                show(canvas.draw(&placements, None)?, seconds)?
            }
            Some(step) => {
                if step_index == 0 {
                    show(canvas.draw(&placements, None)?, LEAD_SECONDS)?;
                }
                for index in 1..=frame_count as usize {
                    let progress = index as f64 / frame_count;
                    let last = progress >= 1.0;
                    let rest = if last { timing.step_seconds - timing.motion_seconds } else { 0.0 };
                    show(
                        canvas.draw(&placements, Some((step_index, step, progress)))?,
                        timing.motion_seconds / frame_count + rest,
                    )?;
                }
            }
        }
    }
    encoder.into_inner()?.flush()?;
    Ok(())
}

/// Draws boards as pixmaps. The ground and the paths are drawn once and copied.
struct Canvas<'a> {
    painter: Painter<'a>,
    look: Look,
    ground: Pixmap,
    width: f64,
    height: f64,
    /// The height of the caption above the board.
    caption_height: f64,
}

impl<'a> Canvas<'a> {
    fn new(
        animation: &'a Animation<'a>,
        look: Look,
        limits: &Limits<'_>,
    ) -> Result<Self, DrawError> {
        let painter = Painter::new(animation, Lettering::Outlines);
        let (width, height) = painter.size();
        let caption_height = if animation.step_count() == 0 { 0.0 } else { CAPTION_HEIGHT };
        let height = height + caption_height;
        let [width_pixels, height_pixels] =
            [width, height].map(|side| (side * f64::from(look.cell) / CELL).ceil() as u32);
        if width_pixels.max(height_pixels) > MAX_SIDE_PIXELS {
            return Err(DrawError::TooLarge { width: width_pixels, height: height_pixels });
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
        svg += "</g></svg>";
        let tree = parse(&svg)?;
        let size = tree.size().to_int_size();
        let mut ground = pixmap(size.width(), size.height())?;
        resvg::render(&tree, Transform::identity(), &mut ground.as_mut());
        Ok(Self { painter, look, ground, width, height, caption_height })
    }

    /// The palette of an animation. It is chosen from samples, because few other colours occur.
    fn palette(
        &self,
        animation: &Animation<'_>,
        limits: &Limits<'_>,
    ) -> Result<Palette, DrawError> {
        const SAMPLES: usize = 8;
        let mut counts = HashMap::new();
        Palette::count(&self.ground, &mut counts);
        let every = animation.step_count().div_ceil(SAMPLES).max(1);
        for frame in animation.frames(every, limits) {
            let Frame { step_index, placements, step } = frame?;
            Palette::count(
                &self.draw(&placements, step.as_ref().map(|step| (step_index, step, 0.4)))?,
                &mut counts,
            );
        }
        Ok(Palette::of(counts))
    }

    /// Draws a board. `step` is the index of the current step, the step, and its progress from 0
    /// to 1.
    fn draw(
        &self,
        placements: &[Placement],
        step: Option<(usize, &Step, f64)>,
    ) -> Result<Pixmap, DrawError> {
        let mut svg = String::new();
        self.painter.open(&self.look, (self.width, self.height), &mut svg);
        svg += &format!("<g transform=\"translate(0 {})\">", self.caption_height);
        self.painter.parts_at(
            placements,
            step.map(|(_, step, progress)| (step, progress)),
            &mut svg,
        );
        if let Some((step_index, step, _)) = step {
            self.painter.caption(&format!("{} {}", step_index + 1, step.caption), &mut svg);
        }
        svg += "</g></svg>";
        let mut pixels = self.ground.clone();
        resvg::render(&parse(&svg)?, Transform::identity(), &mut pixels.as_mut());
        Ok(pixels)
    }
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
        picture.pixels().iter().for_each(|pixel| *counts.entry(rgb(*pixel)).or_default() += 1);
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

    /// The GIF frame of a picture: the bounding box of all pixels that differ from the previous
    /// picture.
    fn frame(&mut self, previous: Option<&Pixmap>, now: &Pixmap) -> gif::Frame<'static> {
        let (width, height) = (now.width() as usize, now.height() as usize);
        let differs = |x: usize, y: usize| {
            let index = y * width + x;
            previous.is_none_or(|previous| previous.pixels()[index] != now.pixels()[index])
        };
        let row_differs = |&y: &usize| (0..width).any(|x| differs(x, y));
        // If nothing changes, one pixel remains, so that the delay of the GIF frame is not lost.
        let (top, bottom) = (
            (0..height).find(row_differs).unwrap_or(0),
            (0..height).rfind(row_differs).unwrap_or(0),
        );
        let column_differs = |&x: &usize| (top..=bottom).any(|y| differs(x, y));
        let (left, right) = (
            (0..width).find(column_differs).unwrap_or(0),
            (0..width).rfind(column_differs).unwrap_or(0),
        );
        let mut indices = Vec::with_capacity((bottom - top + 1) * (right - left + 1));
        for y in top..=bottom {
            let row = (left..=right).map(|x| {
                if differs(x, y) {
                    self.index(rgb(now.pixels()[y * width + x]))
                } else {
                    TRANSPARENT
                }
            });
            indices.extend(row);
        }
        gif::Frame {
            left: left as u16,
            top: top as u16,
            width: (right - left + 1) as u16,
            height: (bottom - top + 1) as u16,
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

    use crate::scene::{Motion, Part, Scene, Shape};
    use crate::{Ink, svg};

    fn animation(steps: usize) -> Animation<'static> {
        let at = |x| Cell { row: 0, column: x };
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

    fn draw_gif(steps: usize, look: &Look) -> Result<Vec<u8>, DrawError> {
        let mut bytes = Vec::new();
        gif(&animation(steps), look, &Limits::NONE, &mut bytes).map(|()| bytes)
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
            let bytes = draw_gif(2, &Look { theme, cell: 20 }).expect("no limits");
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

    #[test]
    fn a_board_without_steps_is_one_frame_of_the_size_of_the_svg() {
        let look = Look { theme: Theme::Light, cell: 40 };
        let bytes = draw_gif(0, &look).expect("no limits");
        let (width, height, pictures) = decode(&bytes);
        assert_eq!(pictures.len(), 1);
        let mut svg = Vec::new();
        svg::still(&animation(0), &look, &Limits::NONE, &mut svg).expect("no limits");
        let svg = String::from_utf8(svg).expect("UTF-8");
        assert!(svg.contains(&format!("width=\"{width}\" height=\"{height}\"")));
    }

    #[test]
    fn a_gif_that_is_too_large_is_an_error() {
        let result = draw_gif(0, &Look { theme: Theme::Light, cell: 2000 });
        assert!(matches!(result, Err(DrawError::TooLarge { .. })), "{result:?}");
    }

    #[test]
    fn limits_and_write_errors_stop_drawing() {
        let look = Look { theme: Theme::Light, cell: 20 };
        let stop = Limits { stop: &|| true, ..Limits::NONE };
        assert!(matches!(
            gif(&animation(2), &look, &stop, &mut Vec::new()),
            Err(DrawError::Stopped)
        ));
        let tight = Limits { memory_bytes: 1000, ..Limits::NONE };
        assert!(matches!(
            gif(&animation(2), &look, &tight, &mut Vec::new()),
            Err(DrawError::Memory { .. })
        ));
        for capacity in [0, 10, 1000] {
            let mut buffer = vec![0; capacity];
            let result = gif(&animation(2), &look, &Limits::NONE, &mut &mut buffer[..]);
            assert!(matches!(result, Err(DrawError::Write(_))), "{capacity} {result:?}");
        }
    }
}
