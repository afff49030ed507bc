//! The feature `serde` of core.

use fewest_core::prelude::*;
use fewest_core::stats::Stats;
use fewest_core::storage::Storage;
use serde_json::{from_value, json, to_value};

#[test]
fn outcomes_explorations_and_limits_are_serialized() {
    let numbers = from_fn([1_u32], |n| [('+', n + 1), ('*', 2 * n)], |n| n == 10);
    let search = || Search::new(&numbers);
    let outcome = to_value(search().run()).expect("JSON");
    assert_eq!(outcome["verdict"], json!({"solved": {"plan": [1, 2, 4, 5, 10], "cost": 4}}));
    assert_eq!(outcome["representation"]["representation"], json!("table"));
    let stats: Stats = from_value(outcome["stats"].clone()).expect("the work");
    assert_eq!(stats, search().run().stats);
    let plan = to_value(search().plan().expect("no limit")).expect("JSON");
    let moves = json!(["+", "*", "+", "*"]);
    assert_eq!(plan, json!({"states": [1, 2, 4, 5, 10], "moves": moves, "cost": 4}));

    let limits = Limits { states: Some(3), ..Limits::default() };
    assert_eq!(from_value::<Limits>(to_value(limits).expect("JSON")).expect("limits"), limits);
    let stopped = to_value(search().limits(limits).run().verdict).expect("JSON");
    let expected = json!({"stopped": {"limit": "states", "lower_bound": 3, "best": null}});
    assert_eq!(stopped, expected);

    let bits = fewest_core::representation::Representation::Bits;
    let budget = Budget::unlimited().with_storage(Storage::default().with_representation(bits));
    let refused = search().budget(&budget).count_layers(|_, _| ControlFlow::Continue(()));
    let limit = json!({"representation": {"representation": "bits", "why": "needs-ranks"}});
    assert_eq!(to_value(refused).expect("JSON")["end"], json!({"limit": limit}));
    let io = to_value(Limit::Io(std::io::ErrorKind::NotFound)).expect("JSON");
    assert_eq!(io, json!({"io": "entity not found"}));
}
