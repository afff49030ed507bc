//! The JSON schemas of all results.

use serde_json::{Value, json};

use crate::any::AnyPuzzle;
use crate::builtin::ListReport;
use crate::census::{Census, CensusReport};
use crate::certify::{CertifyReport, CheckReport};
use crate::convert::ConvertReport;
use crate::distances::BoardAtDistance;
use crate::explore::{ExploreReport, LayerReport};
use crate::export::BoardReport;
use crate::generate::GenerateReport;
use crate::puzzle::Verbs;
use crate::rank::RankReport;
use crate::results::{Report, schema_name, schema_of};
use crate::show::ShowReport;
use crate::solve::SolveReport;
use crate::verify::VerifyReport;

/// The JSON schemas of all reports of these puzzles, each with its name.
pub fn schemas(puzzles: &[&dyn AnyPuzzle]) -> Vec<(String, Value)> {
    let having = |has: fn(&Verbs) -> bool| {
        let infos = puzzles.iter().map(|puzzle| puzzle.info());
        infos.filter(|info| has(&info.verbs)).map(|info| info.name).collect::<Vec<_>>()
    };
    let all = having(|_| true);
    let exploring = having(|verbs| verbs.explore.is_some());
    let certifying = having(|verbs| verbs.certify);
    let mut solve = schema::<SolveReport<'_>>(&all);
    let mut census = schema::<CensusReport<'_>>(&having(|verbs| verbs.census.is_some()));
    for puzzle in puzzles {
        let details = puzzle.details_schema();
        let row = puzzle.census().map(Census::row_schema);
        if let Some(texts) = puzzle.info().two_texts {
            let name = puzzle.info().name;
            let text = |what: &str| {
                let description =
                    format!("Only {name}, if the instance is in two files: the {what}.");
                json!({ "type": "string", "description": description })
            };
            let part = format!(
                "Only {name}, if the instance is in two files: the number of {}.",
                texts.part
            );
            let properties = json!({
                texts.first: text(texts.first),
                texts.second: text(texts.second),
                texts.part: { "type": "integer", "minimum": 0, "description": part },
            });
            add_properties(&mut solve.1, json!({ "properties": properties }), false);
        }
        // A plan has the details of its puzzle only.
        details
            .into_iter()
            .for_each(|details| add_properties(&mut solve.1, details.to_value(), false));
        row.into_iter().for_each(|row| add_properties(&mut census.1, row.to_value(), true));
    }
    vec![
        census,
        schema::<CertifyReport<'_>>(&certifying),
        schema::<CheckReport<'_>>(&certifying),
        schema::<ConvertReport<'_>>(&having(|verbs| verbs.convert.is_some())),
        schema::<LayerReport<'_>>(&exploring),
        schema::<BoardReport>(&exploring),
        schema::<ExploreReport<'_>>(&exploring),
        schema::<GenerateReport<'_>>(&having(|verbs| verbs.generate.is_some())),
        schema::<BoardAtDistance>(&having(|verbs| {
            verbs.generate.is_some() && verbs.explore.is_some()
        })),
        schema::<ListReport<'_>>(&all),
        schema::<RankReport<'_>>(&having(|verbs| verbs.rank)),
        schema::<ShowReport<'_>>(&all),
        solve,
        schema::<VerifyReport<'_>>(&all),
    ]
}

/// The schema of a report of these puzzles, with its name.
fn schema<R: Report>(puzzles: &[&str]) -> (String, Value) {
    let name = schema_name::<R>();
    let mut of_report = schema_of::<R>().to_value();
    let description = of_report["description"].take();
    let mut of_record = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "description": description,
        "type": "object",
        "properties": { "schema": { "const": name }, "puzzle": { "enum": puzzles } },
        "required": ["schema", "puzzle"],
    });
    add_properties(&mut of_record, of_report, true);
    (name, of_record)
}

/// Adds the properties of a schema to those of another.
fn add_properties(schema: &mut Value, from: Value, are_required: bool) {
    let Value::Object(mut from) = from else { return };
    if let (Some(Value::Object(to)), Some(Value::Object(added))) =
        (schema.get_mut("properties"), from.remove("properties"))
    {
        to.extend(added);
    }
    if let (Some(Value::Array(to)), Some(Value::Array(added))) =
        (schema.get_mut("required"), from.remove("required").filter(|_| are_required))
    {
        to.extend(added);
    }
    // The alternatives of an enum, each of which has properties of its own.
    if let (Value::Object(to), Some(alternatives)) = (schema, from.remove("anyOf")) {
        to.insert("anyOf".to_owned(), alternatives);
    }
}
