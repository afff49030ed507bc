//! The paths of pieces: a search yields boards, and a plan needs the path of the piece that moved.
//! The [rules](crate::rules) judge the result and are not used.

use fewest_geometry::Direction;

use crate::board::{BLANK, Board};
use crate::instance::{Axis, Instance};
use crate::plan::Metric;

/// A shortest path of the piece with the first cell `from` such that its first cell becomes `to`;
/// `None` if the piece cannot go there in one move.
pub(crate) fn path(
    instance: &Instance,
    board: &Board,
    from: usize,
    to: usize,
    metric: Metric,
) -> Option<Vec<Direction>> {
    let piece = board.cells()[from];
    let cells = board.cells_of(piece);
    let axis = instance.lock(piece);
    let is_free = |&cell: &usize| {
        let here = board.cells()[cell];
        (here == BLANK || here == piece) && !instance.is_closed(piece, cell)
    };
    let step = |first: usize, direction: Direction| {
        let next = board.neighbour(first, direction)?;
        board.translated(&cells, next)?.iter().all(is_free).then_some(next)
    };
    let directions =
        || Direction::ALL.into_iter().filter(|&to| axis.is_none_or(|axis| axis == Axis::of(to)));
    let most_cells = match metric {
        Metric::Rectilinear => return path_around_corners(from, to, directions, step),
        Metric::Straight => usize::MAX,
        Metric::Unit => 1,
    };
    directions().find_map(|direction| {
        let firsts = std::iter::successors(Some(from), |&first| step(first, direction));
        let cells = firsts.take(most_cells.saturating_add(1)).position(|first| first == to)?;
        (cells > 0).then(|| vec![direction; cells])
    })
}

/// A breadth-first search over the first cells of the piece.
fn path_around_corners<D: Iterator<Item = Direction>>(
    from: usize,
    to: usize,
    directions: impl Fn() -> D,
    step: impl Fn(usize, Direction) -> Option<usize>,
) -> Option<Vec<Direction>> {
    // The first cells in the order in which they are reached, each with the index of the one before
    // it.
    let mut reached = vec![(from, None)];
    let mut next = 0;
    while next < reached.len() {
        for direction in directions() {
            let Some(first) = step(reached[next].0, direction) else { continue };
            if reached.iter().any(|&(other, _)| other == first) {
                continue;
            }
            reached.push((first, Some((next, direction))));
            if first == to {
                let mut path = Vec::new();
                let mut at = reached.len() - 1;
                while let (_, Some((before, direction))) = reached[at] {
                    path.push(direction);
                    at = before;
                }
                path.reverse();
                return Some(path);
            }
        }
        next += 1;
    }
    None
}
