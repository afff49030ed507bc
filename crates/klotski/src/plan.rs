//! A plan as a user reads and writes it: a line a move, the character of a piece and its way, a
//! letter a cell.
//!
//! `hE` slides piece `h` a column to the right, `fSW` slides `f` a row down and then a column to
//! the left.
//!
//! ```
//! use fewest_core::text::Line;
//! use fewest_core::grid::Direction;
//! use fewest_klotski::Slide;
//!
//! let slide = Slide::read(Line { number: 1, text: "fSW" }).unwrap();
//! assert_eq!(slide, Slide { piece: 'f', way: vec![Direction::South, Direction::West] });
//! assert_eq!(slide.to_string(), "fSW");
//! ```

use std::fmt;
use std::str::FromStr;

use fewest_core::grid::Direction;
use fewest_core::text::{Diagnostic, Line, quote};

/// What counts as one move (the names are Storer's).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// One piece, any distance, around corners too.
    Rectilinear,
    /// One piece, any distance in one direction.
    Straight,
    /// One piece, one cell.
    Unit,
}

impl Metric {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::Rectilinear, Self::Straight, Self::Unit];

    /// The name that [`FromStr`] reads.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rectilinear => "rectilinear",
            Self::Straight => "straight",
            Self::Unit => "unit",
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no metric of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no metric of that name")]
pub struct UnknownMetric;

impl FromStr for Metric {
    type Err = UnknownMetric;

    fn from_str(name: &str) -> Result<Self, UnknownMetric> {
        Self::ALL.into_iter().find(|metric| metric.name() == name).ok_or(UnknownMetric)
    }
}

/// A piece and its way, cell by cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The character of the piece.
    pub piece: char,
    /// Where it goes, at least one cell.
    pub way: Vec<Direction>,
}

/// Moves, first to last. Whether they are legal, and in which metric, [`rules`](crate::rules) says.
pub type Plan = Vec<Slide>;

impl Slide {
    /// Reads a line that [`Display`](fmt::Display) wrote.
    pub fn read(line: Line<'_>) -> Result<Self, Diagnostic> {
        let (at, word) = (line.start(), line.text.trim_ascii());
        let mut marks = word.char_indices();
        let Some((_, piece)) = marks.next().filter(|_| word.chars().nth(1).is_some()) else {
            return Err(line.wrong(at, quote(word), "a piece and its way, such as `hE`"));
        };
        let direction = |(offset, mark): (usize, char)| {
            let found = Direction::of_letter(mark);
            let shown = || quote(mark.encode_utf8(&mut [0; 4]));
            found.ok_or_else(|| {
                line.wrong(at + offset, shown(), "the direction N, E, S or W, one for each cell")
            })
        };
        Ok(Self { piece, way: marks.map(direction).collect::<Result<_, _>>()? })
    }
}

impl fmt::Display for Slide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.piece, self.way.iter().map(|way| way.letter()).collect::<String>())
    }
}
