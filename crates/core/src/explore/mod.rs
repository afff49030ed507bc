//! Whole state spaces, layer by layer.
//!
//! ```
//! use std::ops::ControlFlow;
//! use fewest_core::{StateSpace, budget::Budget, explore::explore, visited::Table};
//!
//! /// A dial of ten figures that turns both ways.
//! struct Dial;
//!
//! impl StateSpace for Dial {
//!     type State = u16;
//!     type Move = u16;
//!     fn initial(&self, mut emit: impl FnMut(u16)) {
//!         emit(0)
//!     }
//!     fn is_goal(&self, _: u16) -> bool {
//!         false
//!     }
//!     fn successors<B>(
//!         &self,
//!         figure: u16,
//!         _last: Option<u16>,
//!         mut emit: impl FnMut(u16, u16) -> ControlFlow<B>,
//!     ) -> ControlFlow<B> {
//!         [1, 9].into_iter().try_for_each(|turn| emit(turn, (figure + turn) % 10))
//!     }
//! }
//!
//! let all = explore::<Table<_>, _>(&Dial, &Budget::unlimited());
//! assert_eq!(all.layers, [1, 2, 2, 2, 2, 1]);
//! ```

mod in_memory;

pub use in_memory::{Exploration, explore};
