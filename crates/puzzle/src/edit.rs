//! The editor of the page: strokes over the picture of an instance.

use fewest_geometry::Cell;
use serde::Serialize;

/// An instance can be edited on its picture.
pub trait Edit<I = Self> {
    /// The instance after a stroke over these cells, at least one. They need not be on the board.
    ///
    /// # Errors
    /// Why there is no such instance.
    fn edit(&self, brush: &str, cells: &[Cell]) -> Result<I, String>;

    /// An instance of this size with as little as possible, with the options of this one.
    ///
    /// # Errors
    /// If there is none of this size.
    fn blank(&self, rows: usize, columns: usize) -> Result<I, String>;
}

/// A brush of an editor.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Brush {
    /// The name.
    pub name: &'static str,
    /// What a stroke does.
    pub about: &'static str,
    /// Whether a stroke is over the edge between two neighbouring cells, of which one may be
    /// outside the board.
    pub on_edges: bool,
}
