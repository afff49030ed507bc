//! The outline of a set of cells: inset, with rounded corners.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use fewest_geometry::Cell;

use crate::xml::Px;

/// A corner of cells, by column and row.
type Corner = (i32, i32);

/// Returns the SVG path data of the outline of a set of cells. Each contour and each hole is a
/// closed loop.
///
/// `cell` is the width of a cell, `inset` the distance of the outline from the edges of the cells,
/// and `radius` the radius of the corners, all in pixels.
///
/// Time: O(n log n) for n cells.
pub(crate) fn outline(cells: &[Cell], cell: f64, inset: f64, radius: f64) -> String {
    let inside: BTreeSet<Corner> = cells.iter().map(|cell| (cell.column, cell.row)).collect();
    // The edges between inside and outside, keyed by their first corner. Each edge is directed so
    // that the inside is on its right.
    let mut edges: BTreeMap<Corner, Vec<Corner>> = BTreeMap::new();
    for &(x, y) in &inside {
        let around = [
            ((0, -1), (0, 0), (1, 0)),
            ((1, 0), (1, 0), (1, 1)),
            ((0, 1), (1, 1), (0, 1)),
            ((-1, 0), (0, 1), (0, 0)),
        ];
        for ((dx, dy), from, to) in around {
            if !inside.contains(&(x + dx, y + dy)) {
                let corner = |(dx, dy): Corner| (x + dx, y + dy);
                edges.entry(corner(from)).or_default().push(corner(to));
            }
        }
    }
    let mut path = String::new();
    while let Some(corners) = take_loop(&mut edges) {
        write_loop(&corners, cell, inset, radius, &mut path);
    }
    path
}

/// Removes one loop from the edges and returns the corners at which it turns. Where two cells share
/// only a corner, the loop turns right, so that the cells have separate loops.
fn take_loop(edges: &mut BTreeMap<Corner, Vec<Corner>>) -> Option<Vec<Corner>> {
    let first = *edges.first_key_value()?.0;
    let mut corners = vec![first];
    let mut direction = (0, 0);
    let mut at = first;
    loop {
        let ends = edges.get_mut(&at)?;
        let right = (-direction.1, direction.0);
        let next = ends.iter().position(|end| (end.0 - at.0, end.1 - at.1) == right).unwrap_or(0);
        let end = ends.swap_remove(next);
        if ends.is_empty() {
            edges.remove(&at);
        }
        let next_direction = (end.0 - at.0, end.1 - at.1);
        // The first corner is the topmost of the leftmost ones. It is already in the list.
        if next_direction != direction && at != first {
            corners.push(at);
        }
        (direction, at) = (next_direction, end);
        if at == first {
            return Some(corners);
        }
    }
}

/// Appends the path data of one loop to `path`.
fn write_loop(corners: &[Corner], cell: f64, inset: f64, radius: f64, path: &mut String) {
    let count = corners.len();
    let unit = |from: Corner, to: Corner| {
        (f64::from((to.0 - from.0).signum()), f64::from((to.1 - from.1).signum()))
    };
    // Each corner: the inset point, and the directions of the edges to it and from it.
    let turns = (0..count).map(|number| {
        let (before, here, after) =
            (corners[(number + count - 1) % count], corners[number], corners[(number + 1) % count]);
        let (to, from) = (unit(before, here), unit(here, after));
        // The inside is on the right of both directions. The right of (x, y) is (-y, x).
        let x = f64::from(here.0) * cell + inset * (-to.1 - from.1);
        let y = f64::from(here.1) * cell + inset * (to.0 + from.0);
        (x, y, to, from)
    });
    for (number, (x, y, to, from)) in turns.enumerate() {
        let radius = radius.min(cell / 2.0 - inset);
        let start = if number == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{start}{} {}", Px(x - radius * to.0), Px(y - radius * to.1));
        if radius > 0.0 {
            let _ = write!(
                path,
                "Q{} {} {} {}",
                Px(x),
                Px(y),
                Px(x + radius * from.0),
                Px(y + radius * from.1)
            );
        }
    }
    path.push('Z');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cells: &[(i32, i32)], inset: f64, radius: f64) -> String {
        let cells: Vec<Cell> = cells.iter().map(|&(x, y)| Cell::new(y, x)).collect();
        outline(&cells, 10.0, inset, radius)
    }

    #[test]
    fn neighbouring_cells_share_an_outline() {
        assert_eq!(of(&[(0, 0), (1, 0)], 0.0, 0.0), "M0 0L20 0L20 10L0 10Z");
        assert_eq!(of(&[(0, 0), (0, 1), (1, 1)], 1.0, 0.0), "M1 1L9 1L9 11L19 11L19 19L1 19Z");
    }

    #[test]
    fn corners_are_rounded() {
        assert_eq!(of(&[(0, 0)], 1.0, 2.0), "M1 3Q1 1 3 1L7 1Q9 1 9 3L9 7Q9 9 7 9L3 9Q1 9 1 7Z");
    }

    #[test]
    fn holes_and_cells_that_share_only_a_corner_have_separate_loops() {
        let ring: Vec<(i32, i32)> =
            (0..9).filter(|&cell| cell != 4).map(|cell| (cell % 3, cell / 3)).collect();
        let path = of(&ring, 1.0, 0.0);
        assert_eq!(
            path, "M1 1L29 1L29 29L1 29ZM9 9L9 21L21 21L21 9Z",
            "the inset enlarges the hole"
        );
        assert_eq!(of(&[(0, 0), (1, 1)], 1.0, 0.0), "M1 1L9 1L9 9L1 9ZM11 11L19 11L19 19L11 19Z");
    }
}
