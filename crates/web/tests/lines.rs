//! Lines of moves from elsewhere, through the requests of the page.

use fewest_core::Budget;
use fewest_web::{Handler, handler};
use serde_json::{Value, json};

fn ask(name: &str, request: &Value) -> Result<Value, String> {
    let Some(Handler::Value(answer)) = handler(name) else { panic!("no request `{name}`") };
    let body = request.to_string();
    answer(fewest_catalog::PUZZLES, body.as_bytes(), &Budget::unlimited())
        .map_err(|error| serde_json::to_string(&error).expect("JSON"))
}

fn at(text: &str, metric: &str, moves: &[Value]) -> Value {
    json!({ "puzzle": "klotski", "options": { "metric": metric }, "text": text, "moves": moves })
}

/// The board after moves.
fn after(text: &str, metric: &str, moves: &[Value]) -> Value {
    let texts = ask("texts", &json!({ "at": at(text, metric, moves) })).expect("a position");
    texts[0]["text"].clone()
}

#[test]
fn a_line_leads_to_the_same_board_under_each_metric() {
    const METRICS: [&str; 3] = ["rectilinear", "straight", "unit"];
    let mut random = 1u64;
    let mut below = |most: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % most
    };
    let mut shorter = 0;
    for text in
        ["aCCb/aCCb/cdde/cfge/h..i", "abCC/ccCC/ddee/ffgg/..hi", "A.B/.C./D.E\ngoal: A at 3,3"]
    {
        for metric in METRICS {
            // A random walk.
            let mut moves: Vec<Value> = Vec::new();
            for _ in 0..30 {
                let legal =
                    ask("moves", &json!({ "at": at(text, metric, &moves) })).expect("moves");
                if legal["solved"] == true {
                    break;
                }
                let legal = legal["moves"].as_array().expect("a list");
                moves.push(legal[below(legal.len())]["move"].clone());
            }
            let end = after(text, metric, &moves);
            for other in METRICS {
                let request =
                    json!({ "at": at(text, metric, &moves), "options": { "metric": other } });
                let converted = ask("convert", &request).expect("a line");
                let line = converted["moves"].as_array().expect("moves");
                let made: Vec<usize> = converted["made"]
                    .as_array()
                    .expect("numbers")
                    .iter()
                    .filter_map(|made| made.as_u64().map(|it| it as usize))
                    .collect();
                assert_eq!(made.len(), line.len());
                assert!(made.is_sorted() && made.iter().all(|&it| it <= moves.len()));
                // Where all moves are split, each has an end of its own.
                for (index, &of) in made.iter().enumerate() {
                    let is_end = index.checked_sub(1).map_or(0, |before| made[before]) < of;
                    if is_end && index % 5 == 0 && other == "unit" {
                        let before = after(text, metric, &moves[..of]);
                        assert_eq!(after(text, other, &line[..=index]), before);
                    }
                }
                assert_eq!(after(text, other, line), end, "{text} {metric} {other}");
                assert_eq!(converted["is_whole"], true);
                // Unit moves are the most, and rectilinear ones the fewest.
                let rank = |metric| METRICS.iter().position(|it| *it == metric);
                if rank(other) < rank(metric) {
                    assert!(line.len() <= moves.len());
                    shorter += usize::from(line.len() < moves.len());
                }
            }
        }
    }
    assert!(shorter > 3, "{shorter}");
}

#[test]
fn moves_that_cancel_are_kept_and_what_is_not_legal_ends_a_line() {
    let text = "A../...\ngoal: A at 2,3\n";
    let convert = |from: &str, to: &str, moves: Value| {
        let moves = moves.as_array().expect("moves").clone();
        let request = json!({ "at": at(text, from, &moves), "options": { "metric": to } });
        ask("convert", &request).expect("a line")
    };
    let cancelled = convert("rectilinear", "unit", json!(["AE", "AW", "AS"]));
    assert_eq!(
        cancelled,
        json!({ "moves": ["AE", "AW", "AS"], "made": [1, 2, 3], "is_whole": true })
    );
    let joined = convert("unit", "rectilinear", json!(["AE", "AE", "AS"]));
    assert_eq!(joined, json!({ "moves": ["AEES"], "made": [3], "is_whole": true }));
    let split = convert("rectilinear", "straight", json!(["AEES"]));
    assert_eq!(split, json!({ "moves": ["AEE", "AS"], "made": [0, 1], "is_whole": true }));
    // Under other locks, it cannot turn.
    let request =
        json!({ "at": at(text, "unit", &[json!("AS")]), "options": { "metric": "none" } });
    assert!(ask("convert", &request).is_err());
}

#[test]
fn a_text_has_many_boards_and_a_fault_ends_it() {
    let import =
        |text: &str| ask("import", &json!({ "at": { "puzzle": "klotski", "text": text } }));
    let board = "aCCb/aCCb/cdde/cfge/h..i\n";
    let many = import(&board.repeat(501)).expect("boards");
    assert_eq!(
        (many["texts"].as_array().map(Vec::len), &many["has_more"]),
        (Some(500), &json!(true))
    );
    let faulty = import(&format!("{board}\n{board}\n? ?\n")).expect("boards");
    assert_eq!(faulty["texts"].as_array().map(Vec::len), Some(2));
    assert_eq!(faulty["fault"]["line"], 5);
    assert!(import("? ?\n").is_err() && import("").is_err());
}

#[test]
fn a_plan_is_read_with_and_without_its_number() {
    let text = "A../...\ngoal: A at 2,2\n";
    let read = |plan: &str| ask("read-plan", &json!({ "at": at(text, "unit", &[]), "plan": plan }));
    for plan in ["2 unit moves\nAE\nAS\n", "AE\nAS\n", r#"{"plan": ["AE", "AS"]}"#] {
        assert_eq!(read(plan).expect("a plan")["moves"], json!(["AE", "AS"]), "{plan}");
    }
    // It may stop before the end, but not break a rule.
    assert_eq!(read("AE\n").expect("moves")["moves"], json!(["AE"]));
    for refused in ["", "2 moves\n", "AN\n", "AEE\n", "unsolvable\n", "x y z\n"] {
        assert!(read(refused).is_err(), "{refused}");
    }
}
