//! Options of a puzzle: plain data, which a command line, a web request and a binding can fill.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args), group(skip))]
#[serde(deny_unknown_fields)]
pub struct NoOptions {}

/// Where the values of options come from.
#[derive(Clone, Copy, Debug)]
pub enum Given<'a> {
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

impl Given<'_> {
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

/// A parser of whole numbers from `min` to `max`, for the command line.
pub fn whole_number<T>(min: T, max: T) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Copy,
{
    move |text| {
        let number = text.parse().ok().filter(|number| (min..=max).contains(number));
        number.ok_or_else(|| format!("expected a whole number from {min} to {max}"))
    }
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
pub fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| parse_time(&text).map_err(Error::custom)).transpose()
}
