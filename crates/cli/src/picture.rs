//! Pictures of boards and plans: which kind, how they look, where they go.

use std::fs;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use fewest_scene::{Film, Theme, svg, text};

use crate::args::whole;
use crate::exit::Failure;
use crate::puzzle::Puzzle;
use crate::terminal;

/// The most shapes that a picture may have, and the most moves. More than that no program shows.
const MOST_SHAPES: usize = 2_000_000;
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
        let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
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
    /// Of what kind it is; without it the end of the file's name says so, and what goes to standard output is text
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Write it to this file, or to standard output for `-`; if there are several, `-1`, `-2` and so on is added to the name
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Make a board that moves of an SVG, instead of a strip of boards; a GIF always moves
    #[arg(long)]
    animate: bool,

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
    animate: bool,
    look: svg::Look,
}

impl<P: Puzzle> PictureArgs<P> {
    pub(crate) fn settle(&self) -> Result<Pictures, Failure> {
        let output = self.output.clone().filter(|file| file.as_os_str() != "-");
        let of_name = output.as_deref().filter(|_| self.format.is_none()).map(Format::of).transpose()?;
        let format = self.format.or(of_name).unwrap_or(Format::Text);
        #[cfg(feature = "gif")]
        if format == Format::Gif && output.is_none() && terminal::is_output() {
            return Err(Failure::advised("a GIF is not for a terminal", "`-o FILE.gif` writes it to a file"));
        }
        if self.animate && format == Format::Text {
            return Err(Failure::advised("`--animate` is for an SVG", "`--format svg`, or `-o FILE.svg`"));
        }
        let look = svg::Look { theme: self.theme, cell: self.cell };
        Ok(Pictures { format, output, animate: self.animate, look })
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

    /// Whether there are so many pixels to draw that one may grow tired of it.
    pub(crate) fn take_long(&self) -> bool {
        #[cfg(feature = "gif")]
        if self.format == Format::Gif {
            return true;
        }
        false
    }

    /// The file that a picture goes to, if it does not go to standard output; `number` counts those of this call from 1, and is
    /// `None` for the only one.
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

    /// The picture of a film.
    pub(crate) fn draw(&self, film: &Film) -> Result<Vec<u8>, Failure> {
        let is_plan = !film.steps.is_empty();
        let in_strip = is_plan && !self.animate && !self.take_long();
        let boards = if in_strip { film.steps.len() + 2 } else { 1 };
        check("shapes", film.scene.ground.len() + film.scene.parts.len() * boards, MOST_SHAPES)?;
        match self.format {
            Format::Text => {
                let mut look = terminal::look();
                // A file has no colours.
                look.colour &= self.output.is_none();
                Ok(if is_plan { text::strip(film, &look) } else { text::still(film, &look) }.into_bytes())
            }
            Format::Svg => {
                let draw = match (is_plan, self.animate) {
                    (false, _) => svg::still,
                    (true, false) => svg::strip,
                    (true, true) => svg::moving,
                };
                Ok(draw(film, &self.look).into_bytes())
            }
            #[cfg(feature = "gif")]
            Format::Gif => fewest_scene::raster::gif(film, &self.look).map_err(|error| match error {
                error @ fewest_scene::raster::RasterError::TooLarge { .. } => {
                    Failure::advised(error.to_string(), "`--cell` makes it smaller")
                }
                fault => Failure::Fault(fault.to_string()),
            }),
        }
    }
}

/// Writes a picture to its file.
pub(crate) fn write_file(file: &Path, picture: &[u8]) -> Result<(), Failure> {
    fs::write(file, picture).map_err(|error| Failure::Create { file: file.display().to_string(), error })
}

/// The film of an instance and a plan, unless that is too long.
pub(crate) fn film<P: Puzzle>(instance: &P::Instance, plan: &[P::Move], options: &P::Picture) -> Result<Film, Failure> {
    check("moves", plan.len(), MOST_MOVES)?;
    Ok(P::film(instance, plan, options))
}

fn check(what: &str, number: usize, most: usize) -> Result<(), Failure> {
    if number > most {
        return Err(Failure::usage(format!("a picture of {number} {what} is too large, the most is {most}")));
    }
    Ok(())
}
