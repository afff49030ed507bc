//! Rectangular grids: cells, directions and sizes.
//!
//! All puzzles and pictures use these types. In text, in options and in messages a cell is its row
//! and its column, in this order, both counted from 1. In code they are counted from 0.
//!
//! ```
//! use fewest_geometry::{Cell, Direction, Grid};
//!
//! let grid: Grid<8> = "4x6".parse().unwrap();
//! assert_eq!((grid.rows(), grid.columns(), grid.len()), (4, 6, 24));
//! let corner = Cell::new(3, 5);
//! assert_eq!((grid.index(corner), grid.cell(23)), (23, corner));
//! assert_eq!(corner.step(Direction::North), Cell::new(2, 5));
//! assert_eq!(grid.neighbour(corner, Direction::East), None);
//! assert_eq!(corner.to_string(), "row 4, column 6");
//! assert_eq!("4,6".parse(), Ok(corner));
//! assert!("4x9".parse::<Grid<8>>().is_err());
//! ```

#![forbid(unsafe_code)]

mod cell;
mod direction;
mod grid;

pub use cell::{Cell, ParseCellError};
pub use direction::Direction;
pub use grid::{Grid, ParseGridError};
