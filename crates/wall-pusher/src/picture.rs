//! Pictures of a maze and a plan. Walls change their colour when they are pushed.
//!
//! ```
//! use fewest_geometry::Direction;
//! use fewest_rules::replay;
//! use fewest_scene::DrawLimits;
//! use fewest_wall_pusher::{Instance, Size, picture::animation};
//!
//! let size = Size::new(1, 3).unwrap();
//! let maze = Instance::read(b"1 1\n15 11 10\n", size).next().unwrap().unwrap();
//! let plan = replay(&maze, vec![Direction::East]).unwrap();
//! let animation = animation(&maze, &plan, &DrawLimits::NONE)?;
//! // The player and the wall between the first two cells.
//! assert_eq!(animation.motion_count(), 2);
//! # Ok::<(), fewest_scene::DrawError>(())
//! ```

use fewest_geometry::Cell;
use fewest_rules::{Replayed, Rules};
use fewest_scene::{Animation, DrawError, DrawLimits, Ink, Motion, Part, Scene, Shape, Side, Step};

use crate::instance::{Edge, Instance};

const PUSHED: Ink = Ink::Hue(0);
const PLAYER: Ink = Ink::Hue(4);

fn edge_origin(edge: Edge) -> Cell {
    if edge.in_row { Cell::at(edge.line, edge.index) } else { Cell::at(edge.index, edge.line) }
}

/// The animation of a plan.
///
/// # Errors
/// If a limit stops it.
pub fn animation<'a>(
    maze: &'a Instance,
    plan: &'a Replayed<Instance>,
    limits: &DrawLimits<'_>,
) -> Result<Animation<'a>, DrawError> {
    let size = maze.size();
    let mut scene = Scene::new(size.columns(), size.rows());
    scene.lines = true;
    let floor = scene.cells().collect();
    scene.ground.push(Part::new(Shape::Cells(floor), Cell::ORIGIN, Ink::Floor));
    // For each edge, the index of the part of its wall, if the wall can move.
    let mut wall_parts: Vec<Option<usize>> = Vec::new();
    for edge in Edge::all(size) {
        let side = if edge.in_row { Side::West } else { Side::North };
        let wall = maze
            .walls()
            .has(edge)
            .then(|| Part::new(Shape::Edge(side), edge_origin(edge), Ink::Wall));
        let movable = wall.is_some() && !edge.is_border(size);
        wall_parts.push(movable.then_some(scene.parts.len()));
        let parts = if movable { &mut scene.parts } else { &mut scene.ground };
        parts.extend(wall);
    }
    let player = scene.parts.len();
    scene.parts.push(Part::new(Shape::Disc, maze.start(), PLAYER).traced());

    let steps = move || {
        let (mut board, mut wall_parts) = (maze.start_board(), wall_parts.clone());
        plan.iter().map_while(move |&direction| {
            let from = board.place?;
            maze.play(&mut board, &direction).ok()?;
            let path = vec![from, from.step(direction)];
            let mut motions = vec![Motion { part: player, path, turns: None }];
            let edge = Edge::of(from, direction);
            let pushed = wall_parts[edge.number(size)].take();
            if let (Some(part), Some(next)) = (pushed, edge.next(direction, size)) {
                motions.push(Motion {
                    part,
                    path: vec![edge_origin(edge), edge_origin(next)],
                    turns: Some(PUSHED),
                });
                wall_parts[next.number(size)] = Some(part);
            }
            Some(Step::new(direction.letter().to_string(), motions))
        })
    };
    Animation::new(scene, steps, limits)
}
