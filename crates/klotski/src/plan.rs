//! A plan as a user reads and writes it: one line per move, with the character of a piece and its
//! path, one letter per cell.
//!
//! `hE` slides piece `h` one column to the right. `fSW` slides piece `f` one row down and then one
//! column to the left.
//!
//! ```
//! use fewest_rules::text::Line;
//! use fewest_geometry::Direction;
//! use fewest_klotski::Slide;
//!
//! let slide = Slide::read(Line { number: 1, text: "fSW" }).unwrap();
//! assert_eq!(slide, Slide { piece: 'f', path: vec![Direction::South, Direction::West] });
//! assert_eq!(slide.to_string(), "fSW");
//! ```

use std::fmt;
use std::str::FromStr;

use fewest_geometry::Direction;
use fewest_rules::text::{Diagnostic, Line, quote};

/// What counts as one move. The names are those of Storer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// One piece moves any distance along any path, around corners too.
    Rectilinear,
    /// One piece moves any distance in one direction.
    Straight,
    /// One piece moves by one cell.
    Unit,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Self; 3] = [Self::Rectilinear, Self::Straight, Self::Unit];

    /// The name, which [`FromStr`] parses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rectilinear => "rectilinear",
            Self::Straight => "straight",
            Self::Unit => "unit",
        }
    }

    /// The words for one move and for several.
    pub fn unit(self) -> [&'static str; 2] {
        match self {
            Self::Rectilinear => ["rectilinear move", "rectilinear moves"],
            Self::Straight => ["straight move", "straight moves"],
            Self::Unit => ["unit move", "unit moves"],
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for a name that is not the name of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `rectilinear`, `straight` or `unit`")]
pub struct UnknownMetric;

impl FromStr for Metric {
    type Err = UnknownMetric;

    fn from_str(name: &str) -> Result<Self, UnknownMetric> {
        Self::ALL.into_iter().find(|metric| metric.name() == name).ok_or(UnknownMetric)
    }
}

/// One move of one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The character of the piece.
    pub piece: char,
    /// The path of the piece, one direction per cell that it moves; at least one.
    pub path: Vec<Direction>,
}

/// The moves of a plan, first to last. The [`rules`](crate::rules) decide whether they are legal in
/// a metric.
pub type Plan = Vec<Slide>;

impl Slide {
    /// Parses a line in the format of [`Display`](fmt::Display).
    ///
    /// # Errors
    /// If the line is not the character of a piece followed by at least one of the letters N, E, S
    /// and W.
    pub fn read(line: Line<'_>) -> Result<Self, Diagnostic> {
        let (at, word) = (line.start(), line.text.trim_ascii());
        let mut characters = word.char_indices();
        let Some((_, piece)) = characters.next().filter(|_| word.chars().nth(1).is_some()) else {
            return Err(line.wrong(at, quote(word), "a piece and its path, such as `hE`"));
        };
        let direction = |(offset, letter): (usize, char)| {
            let found = || quote(letter.encode_utf8(&mut [0; 4]));
            Direction::from_letter(letter).ok_or_else(|| {
                line.wrong(at + offset, found(), "the direction N, E, S or W, one for each cell")
            })
        };
        Ok(Self { piece, path: characters.map(direction).collect::<Result<_, _>>()? })
    }
}

impl fmt::Display for Slide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path: String = self.path.iter().map(|direction| direction.letter()).collect();
        write!(f, "{}{path}", self.piece)
    }
}
