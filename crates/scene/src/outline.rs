//! The outline of cells as one piece: inset, with round corners.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::scene::At;
use crate::xml::Px;

/// The path data of the outline of cells of so many pixels: so many pixels within their edges, with
/// corners of a radius. Each contour and each hole is a closed loop.
///
/// Takes the cells times their logarithm.
pub(crate) fn outline(cells: &[At], cell: f64, inset: f64, radius: f64) -> String {
    let inside: BTreeSet<At> = cells.iter().copied().collect();
    // The edges between inside and outside, by the corner that they begin at when one walks with
    // the inside to the right.
    let mut edges: BTreeMap<At, Vec<At>> = BTreeMap::new();
    for &At { x, y } in &inside {
        let around = [
            ((0, -1), (0, 0), (1, 0)),
            ((1, 0), (1, 0), (1, 1)),
            ((0, 1), (1, 1), (0, 1)),
            ((-1, 0), (0, 1), (0, 0)),
        ];
        for ((dx, dy), from, to) in around {
            if !inside.contains(&At { x: x + dx, y: y + dy }) {
                let corner = |(dx, dy): (i32, i32)| At { x: x + dx, y: y + dy };
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

/// The corners of one loop, where it turns. Where two cells meet in a corner only, it turns right
/// and so keeps them apart.
fn take_loop(edges: &mut BTreeMap<At, Vec<At>>) -> Option<Vec<At>> {
    let first = *edges.first_key_value()?.0;
    let mut corners = vec![first];
    let mut way = (0, 0);
    let mut at = first;
    loop {
        let ends = edges.get_mut(&at)?;
        let right = (-way.1, way.0);
        let next = ends.iter().position(|end| (end.x - at.x, end.y - at.y) == right).unwrap_or(0);
        let end = ends.swap_remove(next);
        if ends.is_empty() {
            edges.remove(&at);
        }
        let ahead = (end.x - at.x, end.y - at.y);
        // The first corner of the least row is one.
        if ahead != way && at != first {
            corners.push(at);
        }
        (way, at) = (ahead, end);
        if at == first {
            return Some(corners);
        }
    }
}

fn write_loop(corners: &[At], cell: f64, inset: f64, radius: f64, path: &mut String) {
    let count = corners.len();
    let unit = |from: At, to: At| {
        (f64::from((to.x - from.x).signum()), f64::from((to.y - from.y).signum()))
    };
    // Of each corner, the point within and the directions to it and from it.
    let turns = (0..count).map(|number| {
        let (before, here, after) =
            (corners[(number + count - 1) % count], corners[number], corners[(number + 1) % count]);
        let (to, from) = (unit(before, here), unit(here, after));
        // The inside is to the right of both: (-y, x) of a direction.
        let x = f64::from(here.x) * cell + inset * (-to.1 - from.1);
        let y = f64::from(here.y) * cell + inset * (to.0 + from.0);
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
        let cells: Vec<At> = cells.iter().map(|&(x, y)| At { x, y }).collect();
        outline(&cells, 10.0, inset, radius)
    }

    #[test]
    fn neighbours_are_one_piece() {
        assert_eq!(of(&[(0, 0), (1, 0)], 0.0, 0.0), "M0 0L20 0L20 10L0 10Z");
        assert_eq!(of(&[(0, 0), (0, 1), (1, 1)], 1.0, 0.0), "M1 1L9 1L9 11L19 11L19 19L1 19Z");
    }

    #[test]
    fn corners_are_round() {
        assert_eq!(of(&[(0, 0)], 1.0, 2.0), "M1 3Q1 1 3 1L7 1Q9 1 9 3L9 7Q9 9 7 9L3 9Q1 9 1 7Z");
    }

    #[test]
    fn holes_and_parts_that_touch_in_a_corner_are_loops_of_their_own() {
        let ring: Vec<(i32, i32)> =
            (0..9).filter(|&cell| cell != 4).map(|cell| (cell % 3, cell / 3)).collect();
        let path = of(&ring, 1.0, 0.0);
        assert_eq!(path, "M1 1L29 1L29 29L1 29ZM9 9L9 21L21 21L21 9Z", "the hole is grown");
        assert_eq!(of(&[(0, 0), (1, 1)], 1.0, 0.0), "M1 1L9 1L9 9L1 9ZM11 11L19 11L19 19L11 19Z");
    }
}
