//! The list of the puzzles: the only place that names them all.
//!
//! ```
//! use fewest_catalog::{PUZZLES, find};
//!
//! for puzzle in PUZZLES {
//!     println!("{}: {}", puzzle.info().name, puzzle.info().about);
//! }
//! assert!(find("klotski").unwrap().verbs().rank);
//! ```

#![forbid(unsafe_code)]

use fewest_puzzle::{AnyPuzzle, of};

// Each has a name of its own, so that a program of one puzzle links only that.
macro_rules! puzzles {
    ($($name:ident = $puzzle:path;)*) => {
        $(
            #[doc = concat!("[`", stringify!($puzzle), "`]")]
            pub const $name: &dyn AnyPuzzle = of::<$puzzle>();
        )*

        /// All puzzles, in the order of lists.
        pub static PUZZLES: &[&dyn AnyPuzzle] = &[$($name),*];
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
