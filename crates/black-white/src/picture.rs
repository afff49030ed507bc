//! Pictures of two boards: the current one on the left and the target on the right.
//!
//! ```
//! use fewest_black_white::{Instance, Size, picture::animation};
//! use fewest_scene::Limits;
//!
//! let boards = Instance::read(b"10 01", Size::new(1, 2).unwrap()).next().unwrap().unwrap();
//! assert_eq!(animation(&boards, &[], &Limits::NONE)?.scene.columns, 5);
//! # Ok::<(), fewest_scene::DrawError>(())
//! ```

use fewest_geometry::Cell;
use fewest_scene::{Animation, DrawError, Ink, Limits, Motion, Part, Scene, Shape, Step};

use crate::instance::Instance;
use crate::plan::Exchange;

/// The animation of a plan, up to its first exchange with a cell that has no piece.
///
/// # Errors
/// If a limit stops it.
pub fn animation<'a>(
    instance: &'a Instance,
    plan: &'a [Exchange],
    limits: &Limits<'_>,
) -> Result<Animation<'a>, DrawError> {
    let size = instance.size();
    let (rows, columns) = (size.rows(), size.columns());
    let mut scene = Scene::new(2 * columns + 1, rows);
    let origin = Cell::ORIGIN;
    let target = Cell::at(0, columns + 1);

    let cells_with = |wall: bool| -> Vec<Cell> {
        let places = size.cells().filter(|&place| instance.walls()[size.index(place)] == wall);
        places.collect()
    };
    for (cells, ink) in [(cells_with(false), Ink::Board), (cells_with(true), Ink::Wall)] {
        if !cells.is_empty() {
            scene.ground.push(Part::new(Shape::Cells(cells.clone()), origin, ink));
            scene.ground.push(Part::new(Shape::Cells(cells), target, ink));
        }
    }
    let arrow = Cell::at((rows - 1) / 2, columns);
    scene.ground.push(Part::new(Shape::Arrow, arrow, Ink::Text));

    // For each cell, the index of the part of its piece.
    let mut piece_parts: Vec<Option<usize>> = vec![None; size.len()];
    for place in size.cells() {
        let cell = size.index(place);
        if instance.walls()[cell] {
            continue;
        }
        let ink = |black: bool| if black { Ink::Black } else { Ink::White };
        piece_parts[cell] = Some(scene.parts.len());
        scene.parts.push(Part::new(Shape::Disc, place, ink(instance.start()[cell])));
        scene.ground.push(Part::new(Shape::Disc, target + place, ink(instance.target()[cell])));
    }

    let steps = move || {
        let mut piece_parts = piece_parts.clone();
        plan.iter().map_while(move |exchange| {
            let [one, other] = exchange.cells();
            if !size.contains(one) || !size.contains(other) {
                return None;
            }
            let cells = [size.index(one), size.index(other)];
            let [Some(first), Some(second)] = cells.map(|cell| piece_parts[cell]) else {
                return None;
            };
            piece_parts.swap(cells[0], cells[1]);
            let (from, to) = (one, other);
            let motion = |part, from, to| Motion { part, path: vec![from, to], turns: None };
            let motions = vec![motion(first, from, to), motion(second, to, from)];
            Some(Step { caption: exchange.text(size), motions })
        })
    };
    Animation::new(scene, steps, limits)
}
