//! What the tests of all puzzles share: a plain search to judge by, the truth of an outcome, and
//! texts with faults. Each function panics where what it checks does not hold.

pub mod outcomes;
pub mod process;
pub mod spaces;
pub mod texts;
