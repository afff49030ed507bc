//! Pictures of boards and plans: which kind, how they look, where they go.

use std::io::Write;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use fewest_core::budget::{Budget, Limit};
use fewest_scene::{Animation, DrawError, Limits, Part, Theme, svg, text};

use crate::args::whole;
use crate::exit::Failure;
use crate::files::OutputFiles;
use crate::puzzle::Puzzle;
use crate::terminal;

/// The most shapes or motions that an SVG may have, the most characters of a text, and the most
/// moves of a picture that moves. More than that no program shows.
const MOST_SHAPES: usize = 2_000_000;
const MOST_CHARACTERS: usize = 50_000_000;
const MOST_MOVES: usize = 100_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Characters, in colours on a terminal
    Text,
    /// Vector graphics, for browsers and papers
    Svg,
    /// Pixels that move
    #[cfg(feature = "gif")]
    Gif,
}

impl Format {
    /// What the end of a file's name says.
    fn of(file: &Path) -> Result<Self, Failure> {
        let ending = file
            .extension()
            .map(|ending| ending.to_string_lossy().to_lowercase())
            .unwrap_or_default();
        match ending.as_str() {
            "svg" => Ok(Self::Svg),
            #[cfg(feature = "gif")]
            "gif" => Ok(Self::Gif),
            "txt" => Ok(Self::Text),
            _ => Err(Failure::advised(
                format!(
                    "`{}` does not end like a picture, `.svg`{} or `.txt`",
                    file.display(),
                    if cfg!(feature = "gif") { ", `.gif`" } else { "" }
                ),
                "`--format` says which kind it is, whatever the name",
            )),
        }
    }
}

/// How a picture is made.
#[derive(Args)]
#[command(next_help_heading = "Pictures")]
pub(crate) struct PictureArgs<P: Puzzle> {
    /// Of what kind it is; without it the end of the file's name says so, and what goes to standard
    /// output is text
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Write it to this file, or to standard output for `-`; if there are several, `-1`, `-2` and
    /// so on is added to the name
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Make a board that moves of an SVG, instead of a strip of boards; a GIF always moves
    #[arg(long)]
    animate: bool,

    /// Of a strip, draw only the board before every Nth move, from the first on, and the last board
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1usize, usize::MAX), conflicts_with = "animate")]
    every: usize,

    /// The background: `auto` is the reader's own for an SVG, and light for a GIF
    #[arg(long, value_name = "THEME", default_value = "auto", value_parser = theme_parser())]
    theme: Theme,

    /// How wide a cell of the board is in SVG and GIF
    #[arg(long, value_name = "PIXELS", default_value_t = 40, value_parser = whole(4u32, 400))]
    cell: u32,

    #[command(flatten)]
    pub(crate) options: P::Picture,
}

fn theme_parser() -> impl TypedValueParser<Value = Theme> {
    PossibleValuesParser::from(Theme::NAMES).try_map(|name| name.parse::<Theme>())
}

/// Which pictures are wanted, and how.
pub(crate) struct Pictures {
    format: Format,
    output: Option<PathBuf>,
    files: OutputFiles,
    animate: bool,
    every: usize,
    look: svg::Look,
}

impl<P: Puzzle> PictureArgs<P> {
    /// For a command that reads these files.
    pub(crate) fn settle<'a>(
        &self,
        inputs: impl IntoIterator<Item = &'a str>,
    ) -> Result<Pictures, Failure> {
        let output = self.output.clone().filter(|file| file.as_os_str() != "-");
        let of_name =
            output.as_deref().filter(|_| self.format.is_none()).map(Format::of).transpose()?;
        let format = self.format.or(of_name).unwrap_or(Format::Text);
        #[cfg(feature = "gif")]
        if format == Format::Gif && output.is_none() && terminal::is_output() {
            return Err(Failure::advised(
                "a GIF is not for a terminal",
                "`-o FILE.gif` writes it to a file",
            ));
        }
        if self.animate && format == Format::Text {
            return Err(Failure::advised(
                "`--animate` is for an SVG",
                "`--format svg`, or `-o FILE.svg`",
            ));
        }
        let files = OutputFiles::new(inputs);
        output.as_deref().map_or(Ok(()), |file| files.check(file))?;
        let pictures = Pictures {
            format,
            output,
            files,
            animate: self.animate,
            every: self.every,
            look: svg::Look { theme: self.theme, cell: self.cell },
        };
        if self.every > 1 && pictures.moves() {
            return Err(Failure::usage(
                "`--every` is for strips of boards, and this picture moves",
            ));
        }
        Ok(pictures)
    }
}

impl Pictures {
    /// Whether they go among the text on standard output.
    pub(crate) fn are_text(&self) -> bool {
        self.output.is_none() && self.format == Format::Text
    }

    /// Whether they go to files.
    pub(crate) fn are_files(&self) -> bool {
        self.output.is_some()
    }

    /// Whether a plan is one board that moves, instead of a strip of boards.
    fn moves(&self) -> bool {
        #[cfg(feature = "gif")]
        if self.format == Format::Gif {
            return true;
        }
        self.animate
    }

    /// Draws a plan on an instance, or the instance alone, within the memory and the time of a
    /// budget: to a file, or to standard output by `print`.
    pub(crate) fn draw<P: Puzzle>(
        &self,
        (instance, plan): (&P::Instance, &[P::Move]),
        options: &P::Picture,
        file: Option<&Path>,
        budget: &Budget,
        print: impl FnOnce(&mut Draw<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let memory_bytes =
            budget.memory().limit_bytes().saturating_sub(budget.memory().held_bytes());
        // While a scene is built, a list of its shapes grows by doubling.
        let scene_bytes = 2 * (P::shapes(instance) * size_of::<Part>()) as u64;
        let limits = Limits {
            memory_bytes: memory_bytes
                .checked_sub(scene_bytes)
                .ok_or_else(|| self.out_of_memory(scene_bytes))?,
            stop: &|| budget.check().is_err(),
        };
        if self.moves() {
            check("moves", plan.len(), MOST_MOVES, || Some(STRIP.to_owned()))?;
        }
        let failure = |error| match error {
            DrawError::Write(error) => Failure::Write(error),
            DrawError::Stopped => {
                Failure::Stopped(budget.check().err().unwrap_or(Limit::Cancelled))
            }
            DrawError::Memory { bytes } => self.out_of_memory(scene_bytes.saturating_add(bytes)),
            #[cfg(feature = "gif")]
            error @ DrawError::TooLarge { .. } => {
                Failure::advised(error.to_string(), "`--cell` makes it smaller")
            }
            fault => Failure::Fault(fault.to_string()),
        };
        budget.check().map_err(Failure::Stopped)?;
        let animation = P::animation(instance, plan, options, &limits).map_err(failure)?;
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
        limits: &Limits<'_>,
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
            #[cfg(feature = "gif")]
            Format::Gif => fewest_scene::raster::gif(animation, &self.look, limits, out),
        }
    }

    fn text_look(&self) -> text::Look {
        let mut look = terminal::look();
        // A file has no colours.
        look.colour &= self.output.is_none();
        look
    }

    /// Refuses what no program shows.
    fn check_size(&self, animation: &Animation<'_>) -> Result<(), Failure> {
        let (ground, parts) = (animation.scene.ground.len(), animation.scene.parts.len());
        if self.moves() {
            return check("motions", parts + animation.motion_count(), MOST_SHAPES, || {
                Some(STRIP.to_owned())
            });
        }
        let (what, most, fixed, a_board) = match self.format {
            Format::Text => {
                let (width, height) = text::size(animation, &self.text_look());
                ("characters", MOST_CHARACTERS, 0, width * height)
            }
            _ => ("shapes", MOST_SHAPES, ground, parts),
        };
        let boards =
            if animation.step_count() > 0 { animation.strip_boards(self.every) } else { 1 };
        check(what, fixed + boards.saturating_mul(a_board), most, || {
            // Beside the boards before moves there are the plan at a glance and the end.
            let fitting = (most.saturating_sub(fixed) / a_board.max(1)).saturating_sub(3);
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
            Format::Gif => "`--cell` makes it smaller",
            Format::Svg if self.animate => STRIP,
            _ => "`solve` takes more with `--memory`",
        };
        Failure::OutOfMemory {
            what: format!("the picture takes {} of memory, or more", ByteSize(bytes)),
            hint,
        }
    }

    /// The file that a picture goes to, if it does not go to standard output; `number` counts those
    /// of this call from 1, and is `None` for the only one.
    pub(crate) fn file(&self, number: Option<usize>) -> Result<Option<PathBuf>, Failure> {
        match (&self.output, number) {
            (None, Some(_)) if self.format != Format::Text => Err(Failure::advised(
                "there are several pictures, each of which wants its own file",
                "`-o FILE` writes them to files with `-1`, `-2` and so on in their names",
            )),
            (None, _) => Ok(None),
            (Some(file), None) => Ok(Some(file.clone())),
            (Some(file), Some(number)) => {
                let mut name = file.file_stem().unwrap_or_default().to_owned();
                name.push(format!("-{number}"));
                if let Some(ending) = file.extension() {
                    name.push(".");
                    name.push(ending);
                }
                Ok(Some(file.with_file_name(name)))
            }
        }
    }
}

/// Draws a picture to a writer.
pub(crate) type Draw<'a> = dyn FnMut(&mut dyn Write) -> Result<(), Failure> + 'a;

/// What can be drawn where a picture that moves is too large.
const STRIP: &str = "a strip of boards, an SVG without `--animate`, can be larger";

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
