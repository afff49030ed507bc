//! Whole state spaces, layer by layer.

mod in_memory;

pub use in_memory::{Exploration, explore};
