//! `explore --plot`: a chart of the number of boards at each depth.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, ValueHint};
use fewest_scene::Theme;
use fewest_scene::chart::{Axis, Line, lines};

use crate::failure::Failure;
use crate::files::OutputFiles;

#[derive(Args)]
#[group(skip)]
pub(crate) struct PlotArgs {
    /// Write a chart to this SVG file: the number of boards by moves from the start, one line per
    /// data set
    #[arg(long, value_name = "FILE.svg", value_parser = svg(), value_hint = ValueHint::FilePath)]
    plot: Option<PathBuf>,
}

/// Parses the name of an SVG file.
pub(crate) fn svg() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|file| {
        let is_svg =
            file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
        is_svg.then_some(file).ok_or("expected a file name that ends in `.svg`")
    })
}

impl PlotArgs {
    /// Whether a chart is written.
    pub(crate) fn is_set(&self) -> bool {
        self.plot.is_some()
    }

    /// An empty chart, for a command that reads these inputs.
    pub(crate) fn start(
        &self,
        inputs: impl IntoIterator<Item: AsRef<Path>>,
    ) -> Result<Plot<'_>, Failure> {
        let files = OutputFiles::new(inputs);
        self.plot.as_deref().map_or(Ok(()), |file| files.check_writable(file))?;
        Ok(Plot { file: self.plot.as_deref(), files, lines: Vec::new() })
    }
}

pub(crate) struct Plot<'a> {
    file: Option<&'a Path>,
    files: OutputFiles,
    lines: Vec<Line>,
}

impl Plot<'_> {
    /// Adds a line with the number of boards in each layer.
    pub(crate) fn add(&mut self, name: &str, layers: &[u64]) {
        if self.file.is_some() {
            let points = layers
                .iter()
                .enumerate()
                .map(|(moves, &boards)| (moves as f64, boards as f64))
                .collect();
            self.lines.push(Line { name: name.to_owned(), points });
        }
    }

    /// Writes the file of `--plot`, if the option is set.
    pub(crate) fn write(self) -> Result<(), Failure> {
        let Some(file) = self.file else { return Ok(()) };
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let moves =
            Axis::linear("moves from the start", points().map(|point| point.0).fold(0.0, f64::max));
        let boards = Axis::logarithmic(
            "boards, logarithmic",
            points().map(|point| point.1).fold(0.0, f64::max),
        );
        let chart =
            lines("Boards by moves from the start", &moves, &boards, &self.lines, Theme::Auto);
        self.files.write(file, |out| Ok(out.write_all(chart.as_bytes())?))
    }
}
