//! Boards in the notation of [`read`](crate::read) but for a frame of `|`, `-` and `+` around them,
//! or spaces or commas between their cells, as many programs print them.

use fewest_rules::text::{Line, Lines};

use super::grid::Block;
use crate::parts::Parts;

pub(super) fn read<'a>(line: Line<'a>, lines: &mut Lines<'a>) -> Option<Parts<'a>> {
    let block = Block::at(line, lines);
    let grid = block.grid().filter(|grid| grid.is_changed && grid.rows() > 1)?;
    block.take_from(lines);
    Some(grid.drawing(grid.characters().collect()).into())
}
