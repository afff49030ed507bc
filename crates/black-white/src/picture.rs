//! Pictures of two boards: the current one, and the target.
//!
//! ```
//! use fewest_black_white::{Instance, Size, picture::animation};
//! use fewest_rules::replay;
//! use fewest_scene::DrawLimits;
//!
//! let boards = Instance::read(b"10 01", Size::new(1, 2).unwrap()).next().unwrap().unwrap();
//! let no_moves = replay(&boards, vec![]).unwrap();
//! assert_eq!(animation(&boards, &no_moves, &DrawLimits::NONE)?.scene.parts.len(), 2);
//! # Ok::<(), fewest_scene::DrawError>(())
//! ```

use fewest_geometry::Cell;
use fewest_rules::Replayed;
use fewest_scene::{Animation, DrawError, DrawLimits, Ink, Motion, Part, Scene, Shape, Step};

use crate::instance::Instance;

/// The animation of a plan.
///
/// # Errors
/// If a limit stops it.
pub fn animation<'a>(
    instance: &'a Instance,
    plan: &'a Replayed<Instance>,
    limits: &DrawLimits<'_>,
) -> Result<Animation<'a>, DrawError> {
    let size = instance.size();
    let mut scene = Scene::new(size.columns(), size.rows());

    let cells_with = |wall: bool| -> Vec<Cell> {
        let places = size.cells().filter(|&place| instance.walls()[size.index(place)] == wall);
        places.collect()
    };
    for (cells, ink) in [(cells_with(false), Ink::Board), (cells_with(true), Ink::Wall)] {
        if !cells.is_empty() {
            scene.ground.push(Part::new(Shape::Cells(cells), Cell::ORIGIN, ink));
        }
    }
    scene.target = scene.ground.clone();

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
        scene.target.push(Part::new(Shape::Disc, place, ink(instance.target()[cell])));
    }

    let steps = move || {
        let mut piece_parts = piece_parts.clone();
        plan.iter().map(move |exchange| {
            let [one, other] = exchange.cells();
            let [here, there] = [one, other].map(|cell| size.index(cell));
            let motion =
                |part, from, to| Some(Motion { part: part?, path: vec![from, to], turns: None });
            let moved = [(piece_parts[here], one, other), (piece_parts[there], other, one)];
            let motions = moved.into_iter().filter_map(|(part, from, to)| motion(part, from, to));
            let step = Step::new(exchange.text(size), motions.collect());
            piece_parts.swap(here, there);
            step
        })
    };
    Animation::new(scene, steps, limits)
}
