//! The boards that searches expand, against a plain search on the rules.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use fewest_core::Budget;
use fewest_puzzle::any::AnyInstance;
use fewest_puzzle::options::OptionSource;
use fewest_puzzle::timeline::PlanForm;
use fewest_rules::text::Line;
use serde_json::json;

/// The boards that can be reached, as drawings.
fn reached(start: &Arc<dyn AnyInstance>) -> HashSet<String> {
    let mut seen = HashSet::from([start.drawing()]);
    let mut layer = vec![Arc::clone(start)];
    while !layer.is_empty() {
        let mut next = Vec::new();
        for board in layer {
            let none = Arc::clone(&board).replay(&[], PlanForm::Moves).expect("no moves");
            for text in none.legal_moves() {
                let line = [Line { number: 1, text: &text }];
                let moved = Arc::clone(&board).replay(&line, PlanForm::Moves).expect("legal");
                if let Some(rest) = moved.rest().filter(|rest| seen.insert(rest.drawing())) {
                    next.push(rest);
                }
            }
        }
        layer = next;
    }
    seen
}

#[test]
fn each_state_that_is_expanded_is_a_board_of_the_instance() {
    let walls = "+--+--+--+\n|S    |  |\n+  +--+  +\n|        |\n+--+--+  +\n";
    for (name, options, text) in [
        ("halloween", json!({}), "7 4 2\n#######\n#a   B#\n#b # A#\n#######\n"),
        ("wall-pusher", json!({}), walls),
        ("klotski", json!({ "metric": "unit" }), "aCCb/.CC./d..e\ngoal: C at 2,1\n"),
        ("klotski", json!({ "metric": "straight" }), "ab./..c/.d.\ngoal: a at 3,3\n"),
        // Its mirror image is as far from the goal, and cannot be reached.
        ("klotski", json!({ "metric": "unit" }), "\n.....CCa\ngoal: C at 1,4\n"),
        ("black-white", json!({}), "X..\n.X.\n\n..X\n.X.\n"),
    ] {
        let puzzle = fewest_catalog::find(name).expect("a puzzle");
        let reader = puzzle.reader(OptionSource::Json(&options)).expect("options");
        let start = reader.read(text.as_bytes()).next().expect("one").expect("an instance");
        let cost = start.solve_cost(None, &Budget::unlimited()).expect("a search").outcome.cost();
        let cost = cost.unwrap_or_else(|| panic!("{name}: no plan"));
        assert!(cost >= 2, "{name}: {cost}");
        let all = reached(&start);
        for &engine in puzzle.info().engines {
            let expanded = Arc::new(Mutex::new(Vec::new()));
            let (see, of) = (Arc::clone(&expanded), Arc::clone(&start));
            let budget = Budget::unlimited().on_step(move |_, _, state| {
                see.lock().unwrap().push(of.at_state(state).map(|board| board.drawing()));
            });
            let answer = start.solve_cost(Some(engine), &budget).expect("an engine");
            let expanded: Option<Vec<String>> = expanded.lock().unwrap().drain(..).collect();
            let expanded = expanded.unwrap_or_else(|| panic!("{name}, {engine}: no board"));
            assert_eq!(expanded.len() as u64, answer.outcome.stats.expanded, "{name}, {engine}");
            assert!(expanded.contains(&start.drawing()), "{name}, {engine}");
            for board in expanded {
                assert!(all.contains(&board), "{name}, {engine}:\n{board}");
            }
        }
        assert!(start.at_state(&"no state").is_none());
    }
}
