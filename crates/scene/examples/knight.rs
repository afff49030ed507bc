//! An animation of a puzzle that is not part of this workspace, a knight's tour:
//! `cargo run -p fewest-scene --example knight > knight.svg`

use fewest_geometry::Cell;
use fewest_scene::svg::{Look, moving};
use fewest_scene::{Animation, DrawError, DrawLimits, Ink, Motion, Part, Scene, Shape, Step};

/// A knight's tour of a 3 x 4 board: the knight visits each cell once.
const TOUR: [(i32, i32); 12] = [
    (0, 0),
    (2, 1),
    (0, 2),
    (1, 0),
    (3, 1),
    (1, 2),
    (2, 0),
    (3, 2),
    (1, 1),
    (3, 0),
    (2, 2),
    (0, 1),
];

fn animation() -> Result<Animation<'static>, DrawError> {
    let mut scene = Scene::new(4, 3);
    for Cell { row: y, column: x } in scene.cells() {
        let ink = if (x + y) % 2 == 0 { Ink::Floor } else { Ink::Board };
        let cell = vec![Cell::ORIGIN];
        scene.ground.push(Part::new(Shape::Cells(cell), Cell { row: y, column: x }, ink));
    }
    scene.parts.push(Part::new(Shape::Disc, Cell::ORIGIN, Ink::Hue(4)).labelled("N").traced());
    let step = |hop: &[(i32, i32)]| {
        let [from, to] = [hop[0], hop[1]].map(|(x, y)| Cell { row: y, column: x });
        let motion = Motion { part: 0, path: vec![from, to], turns: None };
        Step::new(format!("{} {}", to.column, to.row), vec![motion])
    };
    Animation::new(scene, move || TOUR.windows(2).map(step), &DrawLimits::NONE)
}

fn main() -> Result<(), DrawError> {
    moving(&animation()?, &Look::default(), &DrawLimits::NONE, &mut std::io::stdout())
}

#[test]
fn each_hop_is_drawn() {
    let cells: std::collections::HashSet<_> = TOUR.into_iter().collect();
    let animation = animation().expect("no limits");
    assert_eq!((animation.step_count(), cells.len()), (11, 12));
    let mut svg = Vec::new();
    moving(&animation, &Look::default(), &DrawLimits::NONE, &mut svg)
        .expect("no limits, and writing to a vector succeeds");
    assert!(String::from_utf8_lossy(&svg).contains("animateMotion"));
}
