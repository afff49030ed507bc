//! JSON schemas of types.

use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// The schema of a type when it is written.
pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12().for_serialize().with_transform(plain);
    settings.inline_subschemas = true;
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// Leaves out the sizes of Rust's numbers, and the line breaks of comments.
fn plain(schema: &mut Schema) {
    schema.remove("format");
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = description.replace('\n', " ");
    }
    transform_subschemas(&mut plain, schema);
}
