//! Permutation puzzles and Cayley graphs as data: [`Permutations`] lists the moves of a puzzle as
//! permutations of places, and makes a [`PermutationSpace`] of them, which the searches of
//! [`fewest_core`] explore and solve.
//!
//! ```
//! use std::ops::ControlFlow;
//! use fewest_core::Budget;
//! use fewest_permutations::Permutations;
//!
//! // Five labels in a row: it turns left and right, and the first two exchange.
//! let row = Permutations::new(5)
//!     .generator("L", [[4, 3, 2, 1, 0]])
//!     .with_inverses()
//!     .generator("X", [[0, 1]])
//!     .build()?;
//! assert!(row.names().eq(["L", "L'", "X"]));
//!
//! let budget = Budget::unlimited();
//! let found = row.count_layers(&budget, |_, _| ControlFlow::Continue(()));
//! assert_eq!(found.layers, [1, 3, 6, 10, 16, 24, 29, 21, 6, 3, 1]);
//!
//! let outcome = row.solve(&[4, 3, 2, 1, 0], &budget)?;
//! assert_eq!(outcome.cost(), Some(8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing is compiled for a puzzle. What a state is follows from the moves:
//!
//! | moves | a state is | ranks |
//! | --- | --- | --- |
//! | of up to 16 labels in one orbit without blocks | the labels, in 4 bits each | of permutations, or of the even ones |
//! | with few arrangements of each coordinate | the coordinates | the product of the coordinates |
//! | all others | the labels or colours, in up to 384 bits | none |
//!
//! The labels of a puzzle in which stickers stay on their pieces are moved in blocks. Painting each
//! label with the number of its piece, or with a mark that says which sticker of its piece it is,
//! makes arrangements of colours that are far fewer than those of the labels, and the moves permute
//! each kind for itself. Both kinds together tell the labels. The number of an arrangement of one
//! painting is a *coordinate*. On the 2x2x2 cube without one corner, there are 7! orders of the
//! pieces and 3^6 arrangements of the marks, which are the twists. A state is the number that the
//! coordinates make in mixed radix, which is its rank. Some ranks may not occur, for example where
//! the orders of two kinds of pieces have the same parity.
//!
//! With ranks, one or two bits for each of them hold billions of states: see
//! [`fewest_core::storage`].

#![forbid(unsafe_code)]

mod arrangement;
mod blocks;
mod coordinates;
mod families;
mod generators;
mod moves;
mod permutation_space;
mod space;
mod symmetries;

pub use generators::{InvalidGenerator, InvalidPermutations, Permutations};
pub use permutation_space::{InvalidArrangement, PermutationSpace};
pub use space::{Space, WithSpace};
