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

// Each has a name of its own, so that a program of one puzzle links only that.

/// [`fewest_halloween`]
pub const HALLOWEEN: &dyn AnyPuzzle = of::<fewest_halloween::Halloween>();
/// [`fewest_wall_pusher`]
pub const WALL_PUSHER: &dyn AnyPuzzle = of::<fewest_wall_pusher::WallPusher>();
/// [`fewest_klotski`]
pub const KLOTSKI: &dyn AnyPuzzle = of::<fewest_klotski::Klotski>();
/// [`fewest_black_white`]
pub const BLACK_WHITE: &dyn AnyPuzzle = of::<fewest_black_white::BlackWhite>();

/// All puzzles, in the order of lists.
pub static PUZZLES: &[&dyn AnyPuzzle] = &[HALLOWEEN, WALL_PUSHER, KLOTSKI, BLACK_WHITE];

/// The puzzle with this name.
pub fn find(name: &str) -> Option<&'static dyn AnyPuzzle> {
    PUZZLES.iter().copied().find(|puzzle| puzzle.info().name == name)
}
