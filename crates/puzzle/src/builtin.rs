//! `list`: built-in instances of a puzzle, selected by name.

pub use fewest_rules::builtin::{Builtin, did_you_mean, find};
use schemars::JsonSchema;
use serde::Serialize;

use crate::results::report;

/// What lists show of a built-in instance beside its names and its description.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// A short code that is also an instance.
    pub code: Option<String>,
    /// The number of pieces.
    pub pieces: Option<usize>,
    /// The group that it is listed in.
    pub group: Option<&'static str>,
}

/// A built-in instance: `list --json`.
#[derive(Serialize, JsonSchema)]
pub struct ListReport<'a> {
    /// The names of the instance, with the main name first.
    #[schemars(length(min = 1))]
    pub names: &'a [&'a str],
    /// The description of the instance.
    pub about: &'a str,
    /// The fewest moves with the default options; null if there is no plan.
    pub moves: Option<u32>,
    /// Only klotski: the code of the layout.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub code: Option<String>,
    /// Only klotski: the number of pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "usize")]
    pub pieces: Option<usize>,
    /// Only klotski: `classics`, or how many dominoes lie, such as `2-level`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub group: Option<&'static str>,
    /// The text of the instance, as input for `solve -`.
    pub text: &'a str,
}

report!(ListReport<'_>, "list", 1);
