//! What most programs need: `use fewest_core::prelude::*`.
//!
//! ```
//! use fewest_core::prelude::*;
//!
//! // A dial with ten digits that turns in both directions, from 0 to 7.
//! let dial = from_fn([0_u32], |digit| [1, 9].map(|turn| (turn, (digit + turn) % 10)), |d| d == 7);
//! let plan = Search::new(&dial).plan()?.expect("it turns to each digit");
//! assert_eq!(plan.moves(), [9, 9, 9]);
//! # Ok::<(), fewest_core::outcome::Stopped>(())
//! ```

pub use std::ops::ControlFlow;

pub use crate::space::cost::{CostRange, Costs};
pub use crate::space::{from_fn, moves_along};
pub use crate::{
    Budget, Engine, Goals, Heuristic, Limit, Limits, Outcome, Plan, Predecessors, Ranked, Search,
    StateSpace, Stopped, Verdict, Word,
};
