//! The options of klotski: how to read boards and count moves, and what to generate and list.

use std::fmt;
use std::str::FromStr;

use fewest_puzzle::options::{LimitOptions, NumberRange, Whole, from_text, from_texts};
use fewest_rules::text::number;
use serde::Deserialize;
use serde::de::{Deserializer, Error};

use crate::layout::Pieces;
use crate::plan::Metric;
use crate::read::Target;
use crate::rush_hour::census::{Part, Selection, Side};
use crate::task::Encoding;

/// The options to read boards and to count moves.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args), group(skip))]
#[serde(default, deny_unknown_fields)]
pub struct ReadOptions {
    /// What counts as one move: a piece along any path (`rectilinear`), any distance in one
    /// direction (`straight`), or one cell (`unit`)
    #[cfg_attr(
        feature = "clap",
        arg(long, default_value = "rectilinear", value_parser = metric_parser())
    )]
    #[serde(deserialize_with = "from_text")]
    pub metric: Metric,

    /// Goal of a piece: `A at 4,2` means that its first cell, in reading order, has to be in row 4,
    /// column 2, counted from 1. The goals of the text are ignored then. Repeat the option for
    /// several pieces
    #[cfg_attr(feature = "clap", arg(long, value_name = "GOAL"))]
    #[serde(deserialize_with = "from_texts")]
    pub goal: Vec<Target>,

    /// The red car of a Rush Hour board, which has to leave at the right end of its row, if it is
    /// not `A` or `X` in the row of the exit
    #[cfg_attr(feature = "clap", arg(long, value_name = "CAR"))]
    pub red: Option<char>,

    /// Whether boards need no goal, since they are not solved.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(skip)]
    pub without_goals: bool,

    /// How boards are packed into bits: `classic` is the fastest, for 5 x 4 cells with one 2x2,
    /// dominoes and singles; `general` is for any board; `auto` takes the one that fits. The
    /// results are the same
    #[cfg_attr(
        feature = "clap",
        arg(long, default_value = "auto", value_parser = encoding_parser())
    )]
    #[serde(deserialize_with = "from_text")]
    pub encoding: Encoding,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            metric: Metric::Rectilinear,
            goal: Vec::new(),
            red: None,
            without_goals: false,
            encoding: Encoding::Auto,
        }
    }
}

#[cfg(feature = "clap")]
fn metric_parser() -> impl clap::builder::TypedValueParser<Value = Metric> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::from(Metric::ALL.map(Metric::name)).try_map(|name| name.parse::<Metric>())
}

#[cfg(feature = "clap")]
fn encoding_parser() -> impl clap::builder::TypedValueParser<Value = Encoding> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::from(Encoding::ALL.map(Encoding::name))
        .try_map(|name| name.parse::<Encoding>())
}

/// The labels of pieces in pictures.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args), group(skip))]
#[serde(default, deny_unknown_fields)]
pub struct PictureOptions {
    /// Label the pieces of a classic board with the names of Huarong Dao (Cao Cao, the generals who
    /// block his way, and the soldiers) instead of their characters
    #[cfg_attr(feature = "clap", arg(long, help_heading = "Pictures"))]
    pub names: bool,
}

/// Which boards to generate.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args), group(skip))]
#[serde(default, deny_unknown_fields)]
pub struct GenerateOptions {
    /// Generate Rush Hour boards with any cars, instead of boards with the pieces of a given one:
    /// the hardest first, and no two of them can be reached from each other or are mirror images
    #[cfg_attr(
        feature = "clap",
        arg(long, conflicts_with_all = ["instance", "metric", "goal", "encoding", "exhaustive"])
    )]
    pub rush_hour: bool,

    /// Size of the Rush Hour boards: `4x4`, `5x5` or `6x6`
    #[cfg_attr(
        feature = "clap",
        arg(long, default_value = "6x6", requires = "rush_hour", conflicts_with = "instance")
    )]
    #[serde(deserialize_with = "from_text")]
    pub size: Side,

    /// Number of Rush Hour cars of two cells, the red one among them, such as `2..10`
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "RANGE",
            default_value = "1..",
            requires = "rush_hour",
            conflicts_with = "instance"
        )
    )]
    pub cars: NumberRange<1>,

    /// Number of Rush Hour cars of three cells
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "RANGE",
            default_value = "0..",
            requires = "rush_hour",
            conflicts_with = "instance"
        )
    )]
    pub trucks: NumberRange,

    /// Number of walls of one cell on Rush Hour boards. None is in the row of the red car
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "RANGE",
            default_value = "0",
            requires = "rush_hour",
            conflicts_with = "instance"
        )
    )]
    pub walls: NumberRange,

    /// Generate boards whose shortest plans have this number of moves, such as `20`, `20..` or
    /// `20..30`, instead of the hardest
    #[cfg_attr(feature = "clap", arg(long, value_name = "RANGE"))]
    pub moves: Option<NumberRange>,

    /// Random seed
    #[cfg_attr(feature = "clap", arg(long, default_value_t = Whole::new(1)))]
    pub seed: Whole<0>,

    /// Number of random boards; the hardest board is searched among all that they reach. With
    /// --rush-hour, the number of random boards from which the search climbs to harder ones. By
    /// default 10; with --rush-hour and --moves 1000; with --rush-hour and --time without an end
    #[cfg_attr(feature = "clap", arg(long))]
    pub tries: Option<Whole<1>>,

    /// Search all boards instead of random ones, which proves that the result is the hardest
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["seed", "tries"]))]
    pub exhaustive: bool,

    /// Number of boards to print. Without --rush-hour, all have the same number of moves
    #[cfg_attr(feature = "clap", arg(long, default_value_t = Whole::new(1)))]
    pub count: Whole<1, 1_048_576>,

    /// Print only boards whose shortest plans differ only in the order of independent moves. At
    /// most 1000 boards are checked for each random board
    #[cfg_attr(feature = "clap", arg(long))]
    pub unique: bool,

    /// Print only boards on which every piece moves in some shortest plan, among the checked boards
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_idle_piece: bool,

    /// Print the difficulty of each board on standard error
    #[cfg_attr(feature = "clap", arg(long))]
    pub stats: bool,

    /// The limits.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub limits: LimitOptions,
}

impl Default for GenerateOptions {
    fn default() -> Self {
        Self {
            rush_hour: false,
            size: Side::Six,
            cars: NumberRange::new(1, u32::MAX),
            trucks: NumberRange::new(0, u32::MAX),
            walls: NumberRange::new(0, 0),
            moves: None,
            seed: Whole::new(1),
            tries: None,
            exhaustive: false,
            count: Whole::new(1),
            unique: false,
            no_idle_piece: false,
            stats: false,
            limits: LimitOptions::default(),
        }
    }
}

/// Which components to list.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args), group(skip))]
#[serde(default, deny_unknown_fields)]
pub struct CensusOptions {
    /// List only layouts with these pieces besides the 2x2: the numbers of vertical dominoes,
    /// horizontal dominoes and singles, such as `4,1,4`
    #[cfg_attr(feature = "clap", arg(long, value_name = "PIECES"))]
    #[serde(deserialize_with = "optional_from_text")]
    pub pieces: Option<Pieces>,

    /// For each solvable component, also print the most rectilinear moves that a layout needs, the
    /// number of layouts that need them, and one of these. This visits every layout; `--memory` and
    /// `--states` limit each search
    #[cfg_attr(feature = "clap", arg(long))]
    pub hardest: bool,

    /// List the Rush Hour boards of this size instead: `4x4`, `5x5` or `6x6`. All 27,103,652,326
    /// boards of 6x6 take about 70 minutes on one thread. `--states` limits the number of boards
    /// with the same cars in the rows
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "SIZE", conflicts_with_all = ["pieces", "hardest"])
    )]
    #[serde(deserialize_with = "optional_from_text")]
    pub rush_hour: Option<Side>,

    /// List only components in which every car is needed: whichever is removed from the hardest
    /// board, it takes fewer moves
    #[cfg_attr(feature = "clap", arg(long, requires = "rush_hour"))]
    pub minimal: bool,

    /// List one part of several, such as `2/8` for the second of eight. Together the parts are the
    /// whole, and they take about the same time
    #[cfg_attr(feature = "clap", arg(long, value_name = "PART", requires = "rush_hour"))]
    #[serde(deserialize_with = "optional_from_text")]
    pub part: Option<Part>,

    /// Search with this number of threads. The list does not change
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "COUNT", default_value_t = Whole::new(1), requires = "rush_hour")
    )]
    pub threads: Whole<1, 1024>,

    /// The limits.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub limits: LimitOptions,
}

impl Default for CensusOptions {
    fn default() -> Self {
        Self {
            pieces: None,
            hardest: false,
            rush_hour: None,
            minimal: false,
            part: None,
            threads: Whole::new(1),
            limits: LimitOptions::default(),
        }
    }
}

impl CensusOptions {
    /// What to list of the Rush Hour boards, if these are asked for.
    pub(crate) fn rush_hour_selection(&self) -> Option<Selection> {
        Some(Selection {
            side: self.rush_hour?,
            minimal: self.minimal,
            part: self.part.unwrap_or_default(),
            threads: self.threads.to_threads(),
        })
    }
}

fn optional_from_text<'de, T: FromStr<Err: fmt::Display>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
}

/// Why a text does not give the [`Pieces`] of layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParsePiecesError(&'static str);

impl FromStr for Pieces {
    type Err = ParsePiecesError;

    fn from_str(text: &str) -> Result<Self, ParsePiecesError> {
        let numbers: Vec<Option<usize>> = text.split(',').map(number).collect();
        let [Some(standing), Some(lying), Some(singles)] = numbers[..] else {
            return Err(ParsePiecesError("expected three numbers such as `4,1,4`"));
        };
        let pieces = Self { standing, lying, singles };
        let fits = standing.max(lying).max(singles) <= 16
            && pieces.blanks().is_some_and(|blanks| blanks >= 2);
        fits.then_some(pieces)
            .ok_or(ParsePiecesError("expected pieces that leave at least two blanks on 20 cells"))
    }
}
