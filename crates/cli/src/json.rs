//! JSON output. `docs/schemas` has a schema for each verb. A change of the fields changes the
//! schema; an incompatible change increases its version.

use std::io::{self, Write};

use serde::Serializer as _;
use serde::ser::{Serialize, SerializeMap};
use serde_json::Value;
use serde_json::ser::{CompactFormatter, Compound, Serializer};

use crate::puzzle::Puzzle;

/// The version of all schemas.
const VERSION: u32 = 1;

/// Writes one object on a line: the fields that all objects have, then those that `fields` adds. No
/// field is buffered.
pub(crate) fn write_streamed<P: Puzzle, W: Write>(
    verb: &str,
    out: &mut W,
    fields: impl FnOnce(&mut Fields<'_, &mut W>) -> serde_json::Result<()>,
) -> io::Result<()> {
    let mut serializer = Serializer::new(&mut *out);
    let mut object = serializer.serialize_map(None)?;
    object.serialize_entry("schema", &format!("fewest.{verb}.{VERSION}"))?;
    object.serialize_entry("puzzle", P::NAME)?;
    fields(&mut object)?;
    SerializeMap::end(object)?;
    writeln!(out)
}

/// An object that is being written.
pub(crate) type Fields<'a, W> = Compound<'a, W, CompactFormatter>;

/// As [`write_streamed`], with fields that are in memory.
pub(crate) fn write<P: Puzzle>(verb: &str, fields: Value, out: &mut impl Write) -> io::Result<()> {
    write_streamed::<P, _>(verb, out, |object| add(fields, object))
}

/// Adds the fields of an object to another.
pub(crate) fn add<M: SerializeMap>(fields: Value, object: &mut M) -> Result<(), M::Error> {
    let fields = fields.as_object().into_iter().flatten();
    fields.into_iter().try_for_each(|(key, value)| object.serialize_entry(key, value))
}

/// A list whose items are created when they are written, so that they are never all in memory.
pub(crate) struct List<F>(pub(crate) F);

impl<I: IntoIterator<Item: Serialize>, F: Fn() -> I> Serialize for List<F> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}
