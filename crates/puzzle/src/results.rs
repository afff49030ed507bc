//! Results as data: what a program prints as JSON, and a page or a binding passes on.
//!
//! Each result is an object on one line: the name and the version of its schema, the puzzle, and
//! the fields of the [`Report`] of a verb, which stands in the file of this verb.
//! [`schemas`](crate::schemas::schemas) has a JSON schema for each. Cells are pairs of a row and a
//! column, both counted from 1.

use std::borrow::Cow;
use std::io;

use fewest_core::budget::Limit;
use fewest_geometry::Cell;
use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// A result that has a schema.
pub trait Report: Serialize + JsonSchema {
    /// The verb that reports it.
    const VERB: &'static str;
    /// The version of its schema.
    const VERSION: u32;
}

/// Names the verb of a result, and the version of its schema.
macro_rules! report {
    ($report:ty, $verb:literal, $version:literal) => {
        impl $crate::results::Report for $report {
            const VERB: &'static str = $verb;
            const VERSION: u32 = $version;
        }
    };
}

pub(crate) use report;

/// A result with the head that all results have.
#[derive(Serialize)]
struct Record<'a, R: Serialize> {
    schema: String,
    puzzle: &'a str,
    #[serde(flatten)]
    report: &'a R,
}

/// Writes a result of the puzzle with this name as an object on a line. Nothing is buffered.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write<R: Report>(puzzle: &str, report: &R, out: &mut dyn io::Write) -> io::Result<()> {
    let record = Record { schema: schema_name::<R>(), puzzle, report };
    serde_json::to_writer(&mut *out, &record)?;
    writeln!(out)
}

pub(crate) fn schema_name<R: Report>() -> String {
    format!("fewest.{}.{}", R::VERB, R::VERSION)
}

/// The row and the column of a cell, both counted from 1.
pub type Position = [i64; 2];

/// The position of a cell.
pub fn position(cell: Cell) -> Position {
    [i64::from(cell.row) + 1, i64::from(cell.column) + 1]
}

/// A list whose items are created when they are written, so that they are never all in memory.
pub struct Stream<'a, T>(Box<dyn Fn() -> Box<dyn Iterator<Item = T> + 'a> + 'a>);

impl<'a, T> Stream<'a, T> {
    /// The items of the iterator that `items` returns, each time the list is written.
    pub fn new<I: Iterator<Item = T> + 'a>(items: impl Fn() -> I + 'a) -> Self {
        Self(Box::new(move || Box::new(items())))
    }
}

impl<T: Serialize> Serialize for Stream<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

impl<T: JsonSchema> JsonSchema for Stream<'_, T> {
    fn schema_name() -> Cow<'static, str> {
        Vec::<T>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<T>::json_schema(generator)
    }

    fn inline_schema() -> bool {
        true
    }
}

/// The limit that stopped a search.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LimitName {
    Time,
    Memory,
    States,
    Encoding,
    Interrupted,
    Io,
}

impl From<Limit> for LimitName {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Time => Self::Time,
            Limit::Memory => Self::Memory,
            Limit::States => Self::States,
            Limit::Cancelled => Self::Interrupted,
            Limit::Io(_) => Self::Io,
            // A larger budget does not help.
            _ => Self::Encoding,
        }
    }
}

/// The schema of a type when it is written.
pub fn schema_of<T: JsonSchema>() -> Schema {
    let mut settings = SchemaSettings::draft2020_12().for_serialize().with_transform(plain);
    settings.inline_subschemas = true;
    settings.into_generator().into_root_schema_for::<T>()
}

/// Leaves out the sizes of Rust's numbers, and the line breaks of comments.
fn plain(schema: &mut Schema) {
    schema.remove("format");
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = description.replace('\n', " ");
    }
    transform_subschemas(&mut plain, schema);
}
