//! Boards in the notation of [`read`](crate::read) but for a frame of `|`, `-` and `+` around them,
//! or spaces or commas between their cells, as many programs print them.

use super::grid::Block;
use crate::parts::Parts;

pub(super) fn read<'a>(block: &Block<'a>) -> Option<Parts<'a>> {
    let grid = block.grid().filter(|grid| grid.is_changed && grid.rows() > 1)?;
    Some(grid.drawing(grid.characters().collect()).into())
}
