//! Pictures of boards and plans: format, style and destination.

use std::io::Write;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, ValueEnum};
use fewest_core::budget::{Budget, Limit};
use fewest_puzzle::any::{AnyInstance, AnyReplay};
use fewest_puzzle::error::PictureError;
use fewest_puzzle::options::{OptionSource, Whole};
use fewest_scene::{Animation, DrawError, DrawLimits, Part, Theme, html, svg, text};

use crate::args::parsed;
use crate::failure::Failure;
use crate::files::OutputFiles;
use crate::terminal;

/// The limits of a picture: shapes or motions of an SVG, characters of a text, moves of an
/// animation. No viewer shows more.
const MAX_SHAPES: usize = 2_000_000;
const MAX_CHARACTERS: usize = 50_000_000;
const MAX_MOVES: usize = 100_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Characters, in colours on a terminal
    Text,
    /// Vector graphics, for browsers and papers
    Svg,
    /// Page with a player of the plan, in one file that needs no network
    Html,
    /// Animated bitmap
    #[cfg(feature = "gif")]
    Gif,
    /// Bitmap of a board, or of a strip of boards
    #[cfg(feature = "gif")]
    Png,
}

impl Format {
    /// The format of a file extension.
    fn from_extension(file: &Path) -> Result<Self, Failure> {
        let extension = file
            .extension()
            .map(|extension| extension.to_string_lossy().to_lowercase())
            .unwrap_or_default();
        match extension.as_str() {
            "svg" => Ok(Self::Svg),
            "html" | "htm" => Ok(Self::Html),
            #[cfg(feature = "gif")]
            "gif" => Ok(Self::Gif),
            #[cfg(feature = "gif")]
            "png" => Ok(Self::Png),
            "txt" => Ok(Self::Text),
            _ => Err(Failure::usage_with_hint(
                format!(
                    "`{}` does not have a picture extension: expected `.svg`, `.html`{} or `.txt`",
                    file.display(),
                    if cfg!(feature = "gif") { ", `.gif`, `.png`" } else { "" }
                ),
                "`--format` sets the format for any file name",
            )),
        }
    }

    /// Whether nothing in it moves.
    fn is_still(self) -> bool {
        #[cfg(feature = "gif")]
        if self == Self::Png {
            return true;
        }
        self == Self::Text
    }

    #[cfg(feature = "gif")]
    fn is_bitmap(self) -> bool {
        matches!(self, Self::Gif | Self::Png)
    }
}

/// The options of pictures.
#[derive(Args)]
#[group(skip)]
#[command(next_help_heading = "Pictures")]
pub(crate) struct PictureArgs {
    /// Picture format; by default from the file extension, or text on standard output
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Write the picture to this file, or to standard output for `-`; if there are several
    /// pictures, `-1`, `-2` and so on are added to the file name, with as many zeros as sort them
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Draw an SVG as one animated board instead of a strip of boards; a GIF and a page always are
    #[arg(long)]
    animate: bool,

    /// In a strip, draw only every Nth board, starting with the first, and the final board
    #[arg(
        long,
        value_name = "N",
        default_value_t = Whole::new(1),
        conflicts_with = "animate",
    )]
    every: Whole<1>,

    /// Width of a strip: in pixels for an SVG or a PNG, by default 1200, and in columns for text,
    /// by default that of the terminal
    #[arg(long, value_name = "WIDTH", conflicts_with = "animate")]
    width: Option<Whole<1, 100_000>>,

    /// Background: `auto` follows the theme of the viewer in SVG and HTML, and is light in a GIF
    /// and a PNG
    #[arg(long, value_name = "THEME", default_value = "auto", value_parser = theme_parser())]
    theme: Theme,

    /// Width of a cell in pixels, in SVG, GIF and PNG
    #[arg(long, value_name = "PIXELS", default_value_t = Whole::new(40))]
    cell: Whole<4, 400>,
}

fn theme_parser() -> impl TypedValueParser<Value = Theme> {
    PossibleValuesParser::from(Theme::NAMES).try_map(|name| name.parse::<Theme>())
}

/// The resolved options of pictures.
pub(crate) struct Pictures<'a> {
    /// The command line with the options of the puzzle.
    matches: &'a ArgMatches,
    format: Format,
    output: Option<PathBuf>,
    files: OutputFiles,
    animate: bool,
    every: usize,
    width: Option<usize>,
    look: svg::Look,
}

impl<'a> Pictures<'a> {
    /// Checks and resolves the options of a command line that reads these inputs.
    pub(crate) fn resolve(
        matches: &'a ArgMatches,
        inputs: impl IntoIterator<Item: AsRef<Path>>,
    ) -> Result<Self, Failure> {
        let PictureArgs { format, output, animate, every, width, theme, cell } = parsed(matches)?;
        let output = output.filter(|file| file.as_os_str() != "-");
        let by_extension = output.as_deref().filter(|_| format.is_none());
        let by_extension = by_extension.map(Format::from_extension).transpose()?;
        let format = format.or(by_extension).unwrap_or(Format::Text);
        #[cfg(feature = "gif")]
        if format.is_bitmap() && output.is_none() && terminal::stdout_is_terminal() {
            return Err(Failure::usage_with_hint(
                "a bitmap cannot be shown on a terminal",
                "`-o FILE` writes it to a file",
            ));
        }
        if animate && format.is_still() {
            return Err(Failure::usage_with_hint(
                "`--animate` needs an SVG",
                "use `--format svg`, or `-o FILE.svg`",
            ));
        }
        let files = OutputFiles::new(inputs);
        output.as_deref().map_or(Ok(()), |file| files.check_writable(file))?;
        let (every, width) = (every.get() as usize, width.map(|width| width.get() as usize));
        let mut look = svg::Look { theme, cell: cell.get() as u32, ..svg::Look::default() };
        look.width = width.map_or(look.width, |width| width as u32);
        let pictures = Self { matches, format, output, files, animate, every, width, look };
        let of_strips = [("--every", every > 1), ("--width", width.is_some())];
        if let Some((option, _)) = of_strips.into_iter().find(|(_, is_given)| *is_given)
            && pictures.is_animated()
        {
            let what = format!("`{option}` needs a strip of boards, and this picture is animated");
            return Err(Failure::usage(what));
        }
        Ok(pictures)
    }

    /// Whether the pictures are text on standard output.
    pub(crate) fn are_text(&self) -> bool {
        self.output.is_none() && self.format == Format::Text
    }

    /// Whether the pictures go to files.
    pub(crate) fn are_files(&self) -> bool {
        self.output.is_some()
    }

    /// Whether a plan is one animated board instead of a strip of boards.
    fn is_animated(&self) -> bool {
        match self.format {
            #[cfg(feature = "gif")]
            Format::Gif => true,
            Format::Html => true,
            #[cfg(feature = "gif")]
            Format::Png => false,
            Format::Svg | Format::Text => self.animate,
        }
    }

    /// Draws a plan, or only the board, with a title to a file or with `print` to standard output.
    /// Stays within the memory and the time of the budget.
    pub(crate) fn draw(
        &self,
        title: String,
        instance: &dyn AnyInstance,
        plan: Option<&dyn AnyReplay>,
        file: Option<&Path>,
        budget: &Budget,
        print: impl FnOnce(&mut Draw<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let memory_bytes =
            budget.memory().limit_bytes().saturating_sub(budget.memory().held_bytes());
        // The list of shapes grows by doubling while the scene is built.
        let scene_bytes = 2 * (instance.max_shapes() * size_of::<Part>()) as u64;
        let limits = DrawLimits {
            memory_bytes: memory_bytes
                .checked_sub(scene_bytes)
                .ok_or_else(|| self.out_of_memory(scene_bytes))?,
            stop: &|| budget.check().is_err(),
        };
        if self.is_animated() {
            check("moves", plan.map_or(0, AnyReplay::len), MAX_MOVES, || {
                Some(STRIP_HINT.to_owned())
            })?;
        }
        let failure = |error| match error {
            DrawError::Stopped => {
                Failure::Stopped(budget.check().err().unwrap_or(Limit::Cancelled))
            }
            DrawError::Memory { bytes } => self.out_of_memory(scene_bytes.saturating_add(bytes)),
            #[cfg(feature = "gif")]
            error @ DrawError::TooLarge { .. } => {
                let smaller = "use a smaller `--cell`, or a larger `--every` for a strip";
                Failure::usage_with_hint(error.to_string(), smaller)
            }
            error => error.into(),
        };
        budget.check().map_err(Failure::Stopped)?;
        let given = OptionSource::Arguments(self.matches);
        let animation = match plan {
            Some(plan) => plan.animation(given, &limits),
            None => instance.animation(given, &limits),
        };
        let mut animation = animation.map_err(|error| match error {
            PictureError::Draw(error) => failure(error),
            PictureError::Options(error) => error.into(),
        })?;
        animation.title = title;
        self.check_size(&animation)?;
        let mut draw =
            |out: &mut dyn Write| self.draw_to(&animation, &limits, out).map_err(failure);
        match file {
            Some(file) => self.files.write(file, draw),
            None => print(&mut draw),
        }
    }

    fn draw_to(
        &self,
        animation: &Animation<'_>,
        limits: &DrawLimits<'_>,
        out: &mut dyn Write,
    ) -> Result<(), DrawError> {
        let is_plan = animation.step_count() > 0;
        match self.format {
            Format::Text if is_plan => {
                text::strip(animation, &self.text_look(), self.every, limits, out)
            }
            Format::Text => text::still(animation, &self.text_look(), out),
            Format::Svg if is_plan && self.animate => {
                svg::moving(animation, &self.look, limits, out)
            }
            Format::Svg if is_plan => svg::strip(animation, &self.look, self.every, limits, out),
            Format::Svg => svg::still(animation, &self.look, limits, out),
            Format::Html => html::player(animation, &self.look, limits, out),
            #[cfg(feature = "gif")]
            Format::Gif => fewest_scene::raster::gif(animation, &self.look, limits, out),
            #[cfg(feature = "gif")]
            Format::Png => {
                fewest_scene::raster::png(animation, &self.look, self.every, limits, out)
            }
        }
    }

    fn text_look(&self) -> text::Look {
        let mut look = terminal::look();
        // Text in a file has no colours.
        look.colour &= self.output.is_none();
        look.width = self.width.unwrap_or(look.width);
        look
    }

    /// Returns an error for a picture that no viewer shows.
    fn check_size(&self, animation: &Animation<'_>) -> Result<(), Failure> {
        let (ground, parts) = (animation.scene.ground.len(), animation.scene.parts.len());
        if self.is_animated() {
            return check("motions", parts + animation.motion_count(), MAX_SHAPES, || {
                Some(STRIP_HINT.to_owned())
            });
        }
        let (what, most, fixed, per_board) = match self.format {
            Format::Text => {
                let (width, height) = text::size(animation, &self.text_look());
                ("characters", MAX_CHARACTERS, 0, width * height)
            }
            _ => ("shapes", MAX_SHAPES, ground, parts),
        };
        let boards =
            if animation.step_count() > 0 { animation.max_strip_boards(self.every) } else { 1 };
        check(what, fixed + boards.saturating_mul(per_board), most, || {
            // In addition to the boards before moves there are the whole plan and the final board.
            let fitting = (most.saturating_sub(fixed) / per_board.max(1)).saturating_sub(3);
            (fitting > 0).then(|| {
                format!(
                    "use `--every {}` to draw fewer of the {boards} boards, or `show` without a plan for the first board",
                    animation.step_count().div_ceil(fitting)
                )
            })
        })
    }

    fn out_of_memory(&self, bytes: u64) -> Failure {
        let hint = match self.format {
            #[cfg(feature = "gif")]
            Format::Gif | Format::Png => "use a smaller `--cell`",
            Format::Svg if self.animate => STRIP_HINT,
            _ => "use `solve --memory` with a larger limit",
        };
        Failure::OutOfMemory {
            what: format!("the picture needs at least {} of memory", ByteSize(bytes)),
            hint,
        }
    }

    /// The file of picture `number` from 1 of `count`; `None` for standard output.
    pub(crate) fn file(&self, number: usize, count: usize) -> Result<Option<PathBuf>, Failure> {
        match (&self.output, count) {
            (None, 2..) if self.format != Format::Text => Err(Failure::usage_with_hint(
                "several pictures in this format need several files",
                "use `-o FILE`, which adds `-1`, `-2` and so on to the file name",
            )),
            (None, _) => Ok(None),
            (Some(file), ..=1) => Ok(Some(file.clone())),
            (Some(file), _) => {
                let mut name = file.file_stem().unwrap_or_default().to_owned();
                let digits = count.to_string().len();
                name.push(format!("-{number:0digits$}"));
                if let Some(extension) = file.extension() {
                    name.push(".");
                    name.push(extension);
                }
                Ok(Some(file.with_file_name(name)))
            }
        }
    }
}

/// The title of a picture: the name of a data set, and the number of moves of its plan, if any.
pub(crate) fn title(
    name: &str,
    instance: &dyn AnyInstance,
    plan: Option<&dyn AnyReplay>,
) -> String {
    match plan {
        Some(plan) => format!("{name}: {}", instance.moves(plan.len() as u32)),
        None => name.to_owned(),
    }
}

/// Draws a picture to a writer.
pub(crate) type Draw<'a> = dyn FnMut(&mut dyn Write) -> Result<(), Failure> + 'a;

/// The hint for an animation that is too large.
const STRIP_HINT: &str = "use an SVG without `--animate`: a strip of boards may be larger";

/// Returns an error if `number` exceeds `most`.
fn check(
    what: &str,
    number: usize,
    most: usize,
    hint: impl FnOnce() -> Option<String>,
) -> Result<(), Failure> {
    if number > most {
        let what = format!("the picture would have {number} {what}; the limit is {most}");
        return Err(Failure::Usage { what, hint: hint() });
    }
    Ok(())
}
