//! `convert`: instances in other notations.

use schemars::JsonSchema;
use serde::Serialize;

use crate::results::report;

/// An instance can be written in several notations.
pub trait Convert {
    /// The instance in the [notation](ConvertVerb::notations) with this name. `None` if it cannot
    /// be written in it without loss.
    fn convert(&self, notation: &str) -> Option<String>;

    /// The size of the instance, where a notation does not contain it.
    fn size(&self) -> Option<String> {
        None
    }
}

/// The verb `convert` of a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct ConvertVerb {
    /// One line for help.
    pub about: &'static str,
    /// The help of the choice.
    pub help: &'static str,
    /// The notations.
    pub notations: &'static [Notation],
}

/// A notation of instances.
#[derive(Clone, Copy, Debug)]
pub struct Notation {
    /// The name of the choice.
    pub name: &'static str,
    /// What it is called in messages.
    pub noun: &'static str,
    /// What is between two texts.
    pub separator: &'static str,
}

/// An instance in another notation: `convert --json`.
#[derive(Serialize, JsonSchema)]
pub struct ConvertReport<'a> {
    /// The name of the data set.
    pub instance: &'a str,
    /// The name of the notation: the value of `--to`.
    pub notation: &'a str,
    /// The rows and columns, such as `4x6`, if a notation does not contain them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub size: Option<String>,
    /// The instance in the notation.
    pub text: &'a str,
}

report!(ConvertReport<'_>, "convert", 1);
