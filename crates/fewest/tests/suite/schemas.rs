//! JSON output is valid under the schemas of `docs/schemas` and has no field that they do not name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::program::{root, run};
use jsonschema::Validator;
use serde_json::{Value, json};

/// The validators by schema name. Other readers must accept fields that a later version adds; here
/// unknown fields are errors.
fn schemas() -> BTreeMap<String, Validator> {
    let folder = fs::read_dir(root().join("docs/schemas")).expect("the schemas");
    let files = folder.map(|entry| entry.expect("an entry").path());
    let strict = |file| {
        let mut schema: Value =
            serde_json::from_str(&fs::read_to_string(file).expect("a file")).expect("JSON");
        forbid_other_fields(&mut schema);
        let name = schema["properties"]["schema"]["const"].as_str().expect("a name").to_owned();
        (name, jsonschema::validator_for(&schema).expect("a schema"))
    };
    files.map(strict).collect()
}

/// Forbids unnamed fields in all objects of a schema.
fn forbid_other_fields(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(forbid_other_fields);
            if fields.contains_key("properties")
                && fields.get("type").is_some_and(|kind| kind != "array")
            {
                // Alternatives describe the same object, which has more fields than each names.
                let alternatives = fields.get_mut("anyOf").and_then(Value::as_array_mut);
                let alternatives = alternatives.map_or(&mut [][..], |all| &mut all[..]);
                for alternative in alternatives.iter_mut().filter_map(Value::as_object_mut) {
                    alternative.remove("unevaluatedProperties");
                }
                fields.insert("unevaluatedProperties".to_owned(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(forbid_other_fields),
        _ => {}
    }
}

#[test]
fn json_output_is_valid_under_its_schema() {
    let lines = [
        "fewest list --json",
        "klotski list --json",
        "halloween solve sample-1 cut testdata/halloween/sample.in --json",
        "halloween solve sample-3 --engine idastar --states 5 --json",
        "halloween generate --count 2 --json",
        "halloween generate --width 5 --height 5 --ghosts 1 --hard 20 --json",
        "halloween show sample-1 --json",
        "wall-pusher solve sample shut --json",
        "wall-pusher solve sample --all --limit 2 --json",
        "wall-pusher solve long --states 1 --engine bfs --json",
        "wall-pusher explore sample --json",
        "wall-pusher explore long --states 100 --json",
        "wall-pusher generate --json",
        "wall-pusher convert sample --to numbers --json",
        "wall-pusher show sample --json",
        "klotski solve heng-dao-li-ma --all --limit 0 --json",
        "klotski solve testdata/klotski/shut.in --json",
        "klotski explore heng-dao-li-ma --diameter --json",
        "klotski explore testdata/klotski/shut.in --json",
        "klotski explore heng-dao-li-ma --states 100 --json",
        "klotski explore testdata/klotski/shut.in --export jsonl",
        "klotski generate heng-dao-li-ma --tries 3 --seed 2 --json",
        "klotski rank testdata/klotski/at-large.in testdata/klotski/shut.in --json",
        "klotski census --pieces 4,1,4 --json --hardest",
        "klotski census --pieces 1,4,4 --json",
        "klotski census --rush-hour 4x4 --minimal --json",
        "klotski convert testdata/klotski/forms.in --to code --json",
        "klotski show heng-dao-li-ma --names --json",
        "black-white solve sample one-less --json",
        "black-white explore sample --diameter --json",
        "klotski explore testdata/klotski/shut.in --layers --json",
        "halloween explore cut --json",
        "wall-pusher explore sample --export jsonl",
        "black-white show sample --json",
        "klotski show testdata/klotski/at-large.in --json",
        "klotski solve heng-dao-li-ma --hint --json",
        "klotski generate heng-dao-li-ma --distance 1..3 --each 2 --json",
        "halloween generate sample-1 --distance 2 --json",
        "wall-pusher generate sample --distance 2 --json",
        "klotski generate --rush-hour --tries 1 --size 4x4 --json",
        "halloween solve testdata/halloween/moving-ai/room.map --scenario \
         testdata/halloween/moving-ai/room.scen --agents 1,2 --json",
    ];
    let mut seen = BTreeSet::new();
    let schemas = schemas();
    for line in lines {
        let ran = run(line, b"");
        assert!(!ran.out.is_empty(), "{line}: {}", ran.err);
        for text in ran.out.lines() {
            let object: Value = serde_json::from_str(text)
                .unwrap_or_else(|error| panic!("{line}: {error}: {text}"));
            let name =
                object["schema"].as_str().unwrap_or_else(|| panic!("{line}: no schema: {text}"));
            let schema = schemas.get(name).unwrap_or_else(|| panic!("{line}: no file for {name}"));
            if let Err(error) = schema.validate(&object) {
                panic!("{line}: at `{}`: {error}", error.instance_path());
            }
            seen.insert(name.to_owned());
        }
    }
    for (puzzle, instance) in
        [("halloween", "sample-1"), ("wall-pusher", "sample"), ("klotski", "heng-dao-li-ma")]
    {
        let plan = run(&format!("{puzzle} solve {instance}"), b"").out;
        for (plan, accepted) in [(plan.as_str(), true), ("unsolvable\n", false)] {
            let ran = run(&format!("{puzzle} verify {instance} - --json"), plan.as_bytes());
            let object: Value = serde_json::from_str(&ran.out).expect("JSON");
            assert_eq!(object["accepted"], accepted);
            assert!(schemas["fewest.verify.1"].is_valid(&object), "{object}");
            seen.insert("fewest.verify.1".to_owned());
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("certificate").display().to_string();
    for (puzzle, instance, options) in [
        ("klotski", "heng-dao-li-ma", ""),
        ("klotski", "testdata/klotski/shut.in", ""),
        ("halloween", "sample-1", "--layers"),
    ] {
        let words = format!("{puzzle} certify {instance} {options} -o {file} --json");
        let (made, checked) =
            (run(&words, b""), run(&format!("{puzzle} check {instance} {file} --json"), b""));
        std::fs::write(&file, "something else").expect("written");
        let refused = run(&format!("{puzzle} check {instance} {file} --json"), b"");
        assert_eq!((made.code, checked.code, refused.code), (Some(0), Some(0), Some(11)));
        for (name, ran) in [("certify", made), ("check", checked), ("check", refused)] {
            let object: Value = serde_json::from_str(&ran.out).expect("JSON");
            let name = format!("fewest.{name}.1");
            assert!(schemas[&name].is_valid(&object), "{object}");
            seen.insert(name);
        }
    }
    assert!(seen.iter().eq(schemas.keys()), "only {seen:?} were printed");
}

#[test]
fn schemas_reject_invalid_json() {
    let schemas = schemas();
    let schema = &schemas["fewest.solve.2"];
    let good: Value =
        serde_json::from_str(&run("wall-pusher solve sample --json", b"").out).expect("JSON");
    assert!(schema.is_valid(&good));
    for (key, value) in
        [("cost", json!("16")), ("surprise", json!(1)), ("schema", json!("fewest.solve.1"))]
    {
        let mut bad = good.clone();
        bad[key] = value;
        assert!(!schema.is_valid(&bad), "{key}");
    }
    let mut bad = good.clone();
    bad["stats"]["surprise"] = json!(1);
    assert!(!schema.is_valid(&bad));
    let mut bad = good;
    bad.as_object_mut().expect("an object").remove("plan");
    assert!(!schema.is_valid(&bad));
}
