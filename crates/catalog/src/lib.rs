//! The list of the puzzles, with their searches. `fewest-check` has the same without them.
//!
//! ```
//! use fewest_catalog::{PUZZLES, find};
//!
//! for puzzle in PUZZLES {
//!     println!("{}: {}", puzzle.info().name, puzzle.info().about);
//! }
//! assert!(find("klotski").unwrap().info().verbs.rank);
//! ```
//!
//! A puzzle can be used without its types, with options from JSON:
//!
//! ```
//! use fewest_core::budget::Budget;
//! use fewest_puzzle::options::OptionSource;
//!
//! let klotski = fewest_catalog::find("klotski").unwrap();
//! let options = serde_json::json!({ "metric": "unit", "goal": ["A at 1,3"] });
//! let reader = klotski.reader(OptionSource::Json(&options))?;
//! let board = reader.read(b"AA..\nAA..\n").next().unwrap().unwrap();
//! let answer = board.solve(None, &Budget::unlimited())?;
//! let plan = answer.outcome.optimal().unwrap();
//! assert_eq!((plan.len(), plan.line(0).as_str()), (2, "AE"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

use fewest_puzzle::AnyPuzzle;

// Each has a name of its own, so that a program of one puzzle links only that.
macro_rules! puzzles {
    ($($name:ident = $puzzle:path;)*) => {
        $(
            #[doc = concat!("[`", stringify!($puzzle), "`]")]
            pub const $name: &dyn AnyPuzzle = &$puzzle;
        )*

        /// All puzzles, in the order of lists.
        pub static PUZZLES: &[&dyn AnyPuzzle] = &[$($name),*];

        #[cfg(test)]
        fn check_verbs_of_all() {
            $(tests::check_verbs::<$puzzle>();)*
        }
    };
}

puzzles! {
    HALLOWEEN = fewest_halloween::Halloween;
    WALL_PUSHER = fewest_wall_pusher::WallPusher;
    KLOTSKI = fewest_klotski::Klotski;
    BLACK_WHITE = fewest_black_white::BlackWhite;
}

/// The puzzle with this name.
pub fn find(name: &str) -> Option<&'static dyn AnyPuzzle> {
    PUZZLES.iter().copied().find(|puzzle| puzzle.info().name == name)
}

#[cfg(test)]
mod tests {
    use fewest_core::budget::{Budget, Limits};
    use fewest_puzzle::options::{OptionSource, OptionsError};
    use fewest_puzzle::work::{WorkContext, WorkError};
    use fewest_puzzle::{Info, Puzzle};
    use serde_json::{Value, json};

    use super::*;

    struct Unlimited;

    impl WorkContext for Unlimited {
        fn budget(&self, limits: Limits) -> Budget {
            Budget::new(limits)
        }
        fn is_interrupted(&self) -> bool {
            false
        }
        fn start(&self, _: &'static str, _: Option<u64>) {}
        fn add_done(&self, _: u64) {}
    }

    fn puzzle(name: &str) -> &'static dyn AnyPuzzle {
        find(name).expect("a puzzle")
    }

    #[test]
    fn invalid_options_of_instances_are_errors() {
        for (name, options, error) in [
            ("halloween", json!({ "agents": [0] }), "from 1 to 65535"),
            ("halloween", json!({ "scenery": "room.scen" }), "unknown field `scenery`"),
            ("wall-pusher", json!({ "size": "9x9" }), "from 1 to 8"),
            ("wall-pusher", json!({ "start": ["0,1"] }), "1"),
            ("klotski", json!({ "encoding": "tight" }), "`general`"),
            ("klotski", json!({ "metric": "miles" }), "unit"),
            ("black-white", json!({ "size": 4 }), "expected a string"),
        ] {
            let read = puzzle(name).reader(OptionSource::Json(&options));
            let found = read.err().expect("an error").to_string();
            assert!(found.contains(error), "{name} {options}: {found}");
        }
        for puzzle in PUZZLES {
            assert!(puzzle.reader(OptionSource::Json(&json!({}))).is_ok());
        }
    }

    fn generated(name: &str, options: &Value) -> Result<Vec<String>, WorkError> {
        let mut texts = Vec::new();
        let options = OptionSource::Json(options);
        puzzle(name).generate(None, options, &Unlimited, &mut |text, _| {
            texts.push(text);
            Ok(())
        })?;
        Ok(texts)
    }

    #[test]
    fn options_of_generate_are_read_from_json() {
        let mazes = json!({ "size": "3x3", "walls": 40, "random": { "seed": 7, "count": 3 } });
        let mazes = generated("wall-pusher", &mazes).expect("mazes");
        assert_eq!(mazes.len(), 3);
        for (name, options) in [
            ("wall-pusher", json!({ "walls": 101 })),
            ("wall-pusher", json!({ "random": { "count": 0 } })),
            ("wall-pusher", json!({ "seed": 7 })),
            ("halloween", json!({ "ghosts": 27 })),
            ("halloween", json!({ "random": { "time": "soon" } })),
            ("klotski", json!({ "limits": { "memory": "much" } })),
        ] {
            let error = generated(name, &options).expect_err("an error");
            assert!(matches!(error, WorkError::Options(OptionsError::Json(_))), "{error}");
        }
    }

    #[test]
    fn built_in_instances_have_the_listed_moves() {
        for puzzle in PUZZLES.iter().filter(|puzzle| puzzle.info().name != "klotski") {
            let reader = puzzle.reader(OptionSource::Json(&json!({}))).expect("the defaults");
            for builtin in puzzle.info().builtins {
                let instance = reader.read(builtin.text.as_bytes()).next().expect("an instance");
                let answer = instance.expect("valid").solve_cost(None, &Budget::unlimited());
                let moves = answer.expect("an answer").outcome.cost();
                assert_eq!(moves, builtin.moves, "{} {}", puzzle.info().name, builtin.names[0]);
            }
        }
    }

    /// A puzzle has a verb if and only if something answers it.
    pub(super) fn check_verbs<P: Puzzle>() {
        let Info { name, builtins, verbs, .. } = P::INFO;
        let (text, options) = (builtins[0].text.as_bytes(), P::Options::default());
        let instance = P::read(text, &options).next().expect("an instance").expect("valid");
        let stated = [
            verbs.count_plans,
            verbs.explore.is_some(),
            verbs.certify,
            verbs.rank,
            verbs.convert.is_some(),
            verbs.timeline,
            !verbs.brushes.is_empty(),
            verbs.generate.is_some(),
            verbs.census.is_some(),
            verbs.judge.is_some(),
        ];
        let answered = [
            P::plan_counter(&instance).is_some(),
            P::explorer(&instance).is_some(),
            P::certifier(&instance).is_some(),
            P::ranker(&instance).is_some(),
            P::converter(&instance).is_some(),
            P::timeline(&instance).is_some(),
            P::editor(&instance).is_some(),
            P::generator().is_some(),
            P::census().is_some(),
            P::judge().is_some(),
        ];
        assert_eq!(stated, answered, "{name}");
    }

    #[test]
    fn verbs_are_answered() {
        check_verbs_of_all();
    }

    #[test]
    fn null_is_the_same_as_a_missing_option() {
        let mut rows = 0;
        let options = json!({ "pieces": "0,0,2", "limits": { "time": null } });
        let census = puzzle("klotski").census().expect("a census");
        let listed = census.census(OptionSource::Json(&options), &Unlimited, &mut |_| {
            rows += 1;
            Ok(())
        });
        assert!(listed.is_ok() && rows > 0);
    }
}
