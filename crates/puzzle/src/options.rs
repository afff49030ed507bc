//! Options of a puzzle: plain data, which a command line, a web request and a binding can fill.

use std::fmt::{self, Display};
use std::num::NonZero;
use std::str::FromStr;
use std::time::Duration;

use bytesize::ByteSize;
use fewest_core::budget::Limits;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};

use crate::random::Random;

/// Options of a puzzle.
#[cfg(feature = "clap")]
pub trait Options: clap::Args + DeserializeOwned + Default + Send + Sync + 'static {}

#[cfg(feature = "clap")]
impl<T: clap::Args + DeserializeOwned + Default + Send + Sync + 'static> Options for T {}

/// Options of a puzzle.
#[cfg(not(feature = "clap"))]
pub trait Options: DeserializeOwned + Default + Send + Sync + 'static {}

#[cfg(not(feature = "clap"))]
impl<T: DeserializeOwned + Default + Send + Sync + 'static> Options for T {}

/// No options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args), group(skip))]
#[serde(deny_unknown_fields)]
pub struct NoOptions {}

/// Where the values of options come from.
#[derive(Clone, Copy, Debug)]
pub enum OptionSource<'a> {
    /// A JSON object, in which a missing option has its default.
    Json(&'a serde_json::Value),
    /// A parsed command line.
    #[cfg(feature = "clap")]
    Arguments(&'a clap::ArgMatches),
}

/// Why options are not valid.
#[derive(Debug, thiserror::Error)]
pub enum OptionsError {
    /// A JSON object is not valid.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A command line is not valid.
    #[cfg(feature = "clap")]
    #[error(transparent)]
    Arguments(#[from] clap::Error),
}

impl OptionSource<'_> {
    /// The options.
    ///
    /// # Errors
    /// If an option is unknown or has no valid value.
    pub fn options<O: Options>(self) -> Result<O, OptionsError> {
        match self {
            Self::Json(value) => Ok(O::deserialize(value)?),
            #[cfg(feature = "clap")]
            Self::Arguments(matches) => Ok(O::from_arg_matches(matches)?),
        }
    }
}

/// Deserializes a value from its text, for `#[serde(deserialize_with)]`.
///
/// # Errors
/// The error of parsing the text.
pub fn from_text<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(Error::custom)
}

/// Deserializes a list of values from their texts, as [`from_text`].
///
/// # Errors
/// The first error of parsing a text.
pub fn from_texts<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| text.parse().map_err(Error::custom)).collect()
}

/// Adds options to a command. The text of the command stays: clap would replace it by that of the
/// options.
#[cfg(feature = "clap")]
pub fn add_arguments<O: clap::Args>(command: clap::Command) -> clap::Command {
    use clap::builder::Resettable;
    let kept = |text: Option<&_>| text.cloned().map_or(Resettable::Reset, Resettable::Value);
    let (about, long_about) = (kept(command.get_about()), kept(command.get_long_about()));
    O::augment_args(command).about(about).long_about(long_about)
}

/// A whole number from `MIN` to `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "u64")]
pub struct Whole<const MIN: u64, const MAX: u64 = { u64::MAX }>(u64);

/// The error of a number that a [`Whole`] does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a whole number from {min} to {max}")]
pub struct NotInRange {
    /// The least number.
    pub min: u64,
    /// The greatest number.
    pub max: u64,
}

impl<const MIN: u64, const MAX: u64> Whole<MIN, MAX> {
    const NOT_IN_RANGE: NotInRange = NotInRange { min: MIN, max: MAX };

    /// A number, as the default of an option.
    ///
    /// # Panics
    /// If it is not allowed.
    pub const fn new(number: u64) -> Self {
        assert!(MIN <= number && number <= MAX, "the number is not allowed");
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl<const MAX: u64> Whole<1, MAX> {
    /// The number as a number of threads.
    pub fn to_threads(self) -> NonZero<usize> {
        usize::try_from(self.0).ok().and_then(NonZero::new).unwrap_or(NonZero::<usize>::MIN)
    }
}

impl<const MIN: u64, const MAX: u64> TryFrom<u64> for Whole<MIN, MAX> {
    type Error = NotInRange;

    fn try_from(number: u64) -> Result<Self, NotInRange> {
        (MIN..=MAX).contains(&number).then_some(Self(number)).ok_or(Self::NOT_IN_RANGE)
    }
}

impl<const MIN: u64, const MAX: u64> FromStr for Whole<MIN, MAX> {
    type Err = NotInRange;

    fn from_str(text: &str) -> Result<Self, NotInRange> {
        text.parse::<u64>().map_err(|_| Self::NOT_IN_RANGE)?.try_into()
    }
}

impl<const MIN: u64, const MAX: u64> Display for Whole<MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The whole numbers from a least to a greatest one, as text `4`, `2..10`, `2..` or `..10`. Both
/// ends belong to it. All are from `MIN` to `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "NumberOrText")]
pub struct NumberRange<const MIN: u32 = 0, const MAX: u32 = { u32::MAX }> {
    least: u32,
    greatest: u32,
}

/// The error of a text that is not a [`NumberRange`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a whole number from {min} to {max}, or a range such as `2..10`, `2..` or `..10`, the \
     lesser number first"
)]
pub struct NotARange {
    /// The least number.
    pub min: u32,
    /// The greatest number.
    pub max: u32,
}

impl<const MIN: u32, const MAX: u32> NumberRange<MIN, MAX> {
    const NOT_A_RANGE: NotARange = NotARange { min: MIN, max: MAX };

    /// The numbers from a least to a greatest one.
    ///
    /// # Panics
    /// If there are none, or if one of them is not allowed.
    pub const fn new(least: u32, greatest: u32) -> Self {
        assert!(MIN <= least && least <= greatest && greatest <= MAX, "the range is not allowed");
        Self { least, greatest }
    }

    /// The least number.
    pub const fn least(self) -> u32 {
        self.least
    }

    /// The greatest number.
    pub const fn greatest(self) -> u32 {
        self.greatest
    }

    /// Whether a number is in the range.
    pub const fn contains(self, number: u32) -> bool {
        self.least <= number && number <= self.greatest
    }

    /// A random number of the range. No random number is taken if the range has only one.
    pub fn random(self, random: &mut Random) -> u32 {
        if self.least == self.greatest {
            return self.least;
        }
        self.least + random.below((self.greatest - self.least) as usize + 1) as u32
    }
}

impl<const MIN: u32, const MAX: u32> FromStr for NumberRange<MIN, MAX> {
    type Err = NotARange;

    fn from_str(text: &str) -> Result<Self, NotARange> {
        let number = |text: &str, missing| match text {
            "" => Some(missing),
            text => text.parse().ok(),
        };
        let (least, greatest) = match text.split_once("..") {
            _ if matches!(text, "" | "..") => (None, None),
            Some((least, greatest)) => (number(least, MIN), number(greatest, MAX)),
            None => (number(text, MIN), number(text, MIN)),
        };
        match (least, greatest) {
            (Some(least), Some(greatest))
                if MIN <= least && least <= greatest && greatest <= MAX =>
            {
                Ok(Self { least, greatest })
            }
            _ => Err(Self::NOT_A_RANGE),
        }
    }
}

impl<const MIN: u32, const MAX: u32> Display for NumberRange<MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { least, greatest } if least == greatest => write!(f, "{least}"),
            Self { least, greatest } if greatest == MAX => write!(f, "{least}.."),
            Self { least, greatest } => write!(f, "{least}..{greatest}"),
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum NumberOrText {
    Number(u64),
    Text(String),
}

impl<const MIN: u32, const MAX: u32> TryFrom<NumberOrText> for NumberRange<MIN, MAX> {
    type Error = NotARange;

    fn try_from(value: NumberOrText) -> Result<Self, NotARange> {
        match value {
            NumberOrText::Number(number) => number.to_string().parse(),
            NumberOrText::Text(text) => text.parse(),
        }
    }
}

/// The limits of work.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args), group(skip))]
#[serde(default, deny_unknown_fields)]
pub struct LimitOptions {
    /// Stop after this time per data set, such as `10s`, `1m 30s`, `500ms`, or a number of seconds;
    /// no limit by default
    #[cfg_attr(feature = "clap", arg(long, value_name = "TIME", value_parser = parse_time))]
    #[serde(deserialize_with = "deserialize_time")]
    pub time: Option<Duration>,

    /// Stop before using more memory than this, such as `500MB` or `16GiB`
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = parse_memory)
    )]
    #[serde(deserialize_with = "deserialize_memory")]
    pub memory: ByteSize,

    /// Stop after expanding this number of states per data set; no limit by default
    #[cfg_attr(feature = "clap", arg(long, value_name = "COUNT", value_parser = parse_count))]
    pub states: Option<u64>,
}

impl Default for LimitOptions {
    fn default() -> Self {
        Self { time: None, memory: ByteSize::gib(4), states: None }
    }
}

impl LimitOptions {
    /// The limits.
    pub fn limits(&self) -> Limits {
        Limits { time: self.time, memory_bytes: Some(self.memory.as_u64()), states: self.states }
    }
}

#[cfg(feature = "clap")]
fn parse_count(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "expected a whole number such as `1000000`")
}

/// Parses a number of bytes, for the command line.
///
/// # Errors
/// If the text is not a size.
pub fn parse_memory(text: &str) -> Result<ByteSize, &'static str> {
    text.parse().map_err(|_| "expected a size such as `500MB`, `16GiB`, or a number of bytes")
}

/// Parses a time, for the command line.
///
/// # Errors
/// If the text is not a time.
pub fn parse_time(text: &str) -> Result<Duration, &'static str> {
    let time = match text.parse() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => humantime::parse_duration(text).ok(),
    };
    time.ok_or("expected a time such as `10s`, `1m 30s`, `500ms`, or a number of seconds")
}

/// Deserializes a time from its text, or none.
///
/// # Errors
/// If the text is not a time.
pub fn deserialize_time<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Duration>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| parse_time(&text).map_err(Error::custom)).transpose()
}

fn deserialize_memory<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ByteSize, D::Error> {
    parse_memory(&String::deserialize(deserializer)?).map_err(Error::custom)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::generating::RandomOptions;

    fn read<O: Options>(options: &serde_json::Value) -> Result<O, String> {
        OptionSource::Json(options).options().map_err(|error| error.to_string())
    }

    #[test]
    fn json_is_checked_as_the_command_line_is() {
        let limits: LimitOptions = read(&json!({"time": "1m 30s", "memory": "500MB"})).unwrap();
        assert_eq!(limits.time, Some(Duration::from_secs(90)));
        assert_eq!(limits.limits().memory_bytes, Some(500_000_000));
        for (options, error) in [
            (json!({"memory": "much"}), "expected a size"),
            (json!({"time": 7}), "expected a string"),
            (json!({"stats": 1}), "unknown field `stats`"),
        ] {
            let found = read::<LimitOptions>(&options).unwrap_err();
            assert!(found.contains(error), "{options}: {found}");
        }
        assert_eq!(read::<RandomOptions>(&json!({})).unwrap().count.get(), 1);
        for options in [json!({"count": 0}), json!({"hard": -1}), json!({"sed": 1})] {
            assert!(read::<RandomOptions>(&options).is_err(), "{options}");
        }
        let range = |value| serde_json::from_value::<NumberRange>(value).ok();
        assert_eq!(range(json!(7)), Some(NumberRange::new(7, 7)));
        for (text, least, greatest) in
            [("4", 4, 4), ("2..10", 2, 10), ("2..", 2, u32::MAX), ("..10", 0, 10)]
        {
            let read = range(json!(text)).unwrap();
            assert_eq!((read.least(), read.greatest()), (least, greatest));
            assert_eq!(read.to_string().parse(), Ok(read), "{text}");
        }
        for text in ["", "..", "3..2", "a", "-1", "1...2", "1..x", "4294967296"] {
            assert!(text.parse::<NumberRange>().is_err(), "{text}");
        }
        for (text, is_allowed) in
            [("1..26", true), ("..26", true), ("0..", false), ("2..27", false)]
        {
            assert_eq!(text.parse::<NumberRange<1, 26>>().is_ok(), is_allowed, "{text}");
        }
        assert!("0".parse::<Whole<1, 5>>().is_err() && "6".parse::<Whole<1, 5>>().is_err());
        assert_eq!("5".parse::<Whole<1, 5>>().map(Whole::get), Ok(5));
    }
}
