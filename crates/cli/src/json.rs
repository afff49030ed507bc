//! What all JSON begins with. The schemas are in `docs/schemas`, one for each verb; whatever is added to an object or taken from it
//! changes its schema, and what no longer fits the old one raises its number.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use crate::puzzle::Puzzle;

/// The numbers of all schemas.
const VERSION: u32 = 1;

/// The first fields of an object that a verb prints.
fn head<P: Puzzle>(verb: &str) -> Map<String, Value> {
    let head = [("schema", json!(format!("fewest.{verb}.{VERSION}"))), ("puzzle", json!(P::NAME))];
    head.map(|(key, value)| (key.to_owned(), value)).into_iter().collect()
}

/// An object of a verb, with these fields behind the first ones.
pub(crate) fn object<P: Puzzle>(verb: &str, fields: Value) -> Value {
    let mut object = head::<P>(verb);
    if let Value::Object(fields) = fields {
        object.extend(fields);
    }
    Value::Object(object)
}

/// The same on a line.
pub(crate) fn write<P: Puzzle>(verb: &str, fields: Value, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", object::<P>(verb, fields))
}
