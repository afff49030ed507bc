//! A maze as a picture: its walls, which turn another colour when they are pushed, and the way out.
//!
//! ```
//! use fewest_core::grid::Direction;
//! use fewest_scene::Limits;
//! use fewest_wall_pusher::{Instance, Size, picture::animation};
//!
//! let maze = Instance::read(b"1 1\n15 11 10\n", Size::new(1, 3).unwrap()).next().unwrap().unwrap();
//! let animation = animation(&maze, &[Direction::East], &Limits::NONE)?;
//! // The wall between the first two cells goes with whoever pushes it.
//! assert_eq!(animation.motion_count(), 2);
//! # Ok::<(), fewest_scene::DrawError>(())
//! ```

use fewest_core::grid::{Direction, Place};
use fewest_scene::{Animation, At, DrawError, Ink, Limits, Motion, Part, Scene, Shape, Side, Step};

use crate::instance::{Edge, Instance};
use crate::rules;

const PUSHED: Ink = Ink::Hue(0);
const WALKER: Ink = Ink::Hue(4);

fn of_cell(place: Place) -> At {
    At { x: place.column as i32, y: place.row as i32 }
}

fn of_edge(edge: Edge) -> At {
    let (line, index) = (edge.line as i32, edge.index as i32);
    if edge.in_row { At { x: index, y: line } } else { At { x: line, y: index } }
}

fn beyond(At { x, y }: At, way: Direction) -> At {
    match way {
        Direction::North => At { x, y: y - 1 },
        Direction::East => At { x: x + 1, y },
        Direction::South => At { x, y: y + 1 },
        Direction::West => At { x: x - 1, y },
    }
}

/// A maze and a plan, up to its first move that is illegal.
///
/// # Errors
/// If a limit ends it.
pub fn animation<'a>(
    maze: &'a Instance,
    plan: &'a [Direction],
    limits: &Limits<'_>,
) -> Result<Animation<'a>, DrawError> {
    let size = maze.size();
    let mut scene = Scene::new(size.columns(), size.rows());
    scene.lines = true;
    let floor = scene.cells().collect();
    scene.ground.push(Part::new(Shape::Cells(floor), At { x: 0, y: 0 }, Ink::Floor));
    // The part that stands on each edge.
    let mut on: Vec<Option<usize>> = Vec::new();
    for edge in Edge::all(size) {
        let side = if edge.in_row { Side::West } else { Side::North };
        let wall =
            maze.walls().has(edge).then(|| Part::new(Shape::Edge(side), of_edge(edge), Ink::Wall));
        let movable = wall.is_some() && !edge.is_border(size);
        on.push(movable.then_some(scene.parts.len()));
        let parts = if movable { &mut scene.parts } else { &mut scene.ground };
        parts.extend(wall);
    }
    let walker = scene.parts.len();
    scene.parts.push(Part::new(Shape::Disc, of_cell(maze.start()), WALKER).traced());

    let steps = move || {
        let (mut board, mut on) = (rules::start(maze), on.clone());
        plan.iter().map_while(move |&way| {
            let from = board.place?;
            rules::play(maze, &mut board, way).ok()?;
            let here = of_cell(from);
            let mut motions =
                vec![Motion { part: walker, path: vec![here, beyond(here, way)], turns: None }];
            let edge = Edge::of(from, way);
            if let (Some(part), Some(next)) = (on[edge.number(size)].take(), edge.next(way, size)) {
                motions.push(Motion {
                    part,
                    path: vec![of_edge(edge), of_edge(next)],
                    turns: Some(PUSHED),
                });
                on[next.number(size)] = Some(part);
            }
            Some(Step { caption: way.letter().to_string(), motions })
        })
    };
    Animation::new(scene, steps, limits)
}
