//! The list of the puzzles: the only place that names them all.
//!
//! ```
//! use fewest_catalog::{PUZZLES, find};
//!
//! let names: Vec<_> = PUZZLES.iter().map(|puzzle| puzzle.info().name).collect();
//! assert_eq!(names, ["halloween", "wall-pusher", "klotski", "black-white"]);
//! assert!(find("klotski").unwrap().verbs().rank);
//! ```

#![forbid(unsafe_code)]

use fewest_puzzle::{AnyPuzzle, of};

/// All puzzles, in the order of lists.
pub static PUZZLES: &[&dyn AnyPuzzle] = &[
    of::<fewest_halloween::Halloween>(),
    of::<fewest_wall_pusher::WallPusher>(),
    of::<fewest_klotski::Klotski>(),
    of::<fewest_black_white::BlackWhite>(),
];

/// The puzzle with this name.
pub fn find(name: &str) -> Option<&'static dyn AnyPuzzle> {
    PUZZLES.iter().copied().find(|puzzle| puzzle.info().name == name)
}
