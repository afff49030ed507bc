//! Pictures of instances and plans: ghosts with their names and traces, and tinted goals.
//!
//! ```
//! use fewest_geometry::Direction;
//! use fewest_halloween::{Instance, picture::animation, plan::JointStep};
//! use fewest_rules::replay;
//! use fewest_scene::DrawLimits;
//!
//! let instance = Instance::read(b"3 1 1\na A\n").next().unwrap().unwrap();
//! let east = JointStep(vec![Some(Direction::East)]);
//! let plan = replay(&instance, vec![east.clone(), east]).unwrap();
//! let animation = animation(&instance, &plan, &DrawLimits::NONE)?;
//! let captions: Vec<String> = animation.steps().map(|step| step.line).collect();
//! assert_eq!((animation.scene.parts[0].label.as_str(), captions[1].as_str()), ("a", "aE"));
//! # Ok::<(), fewest_scene::DrawError>(())
//! ```

use fewest_geometry::Cell;
use fewest_rules::Replayed;
use fewest_scene::{Animation, DrawError, DrawLimits, Ink, Motion, Part, Scene, Shape, Step};

use crate::instance::{Instance, ghost_name};

/// The outline of a ghost, as an SVG path in a cell of 1 x 1.
const GHOST: &str = "M.14.9V.48a.36.36 0 0 1 .72 0V.9l-.12-.1-.12.1-.12-.1-.12.1-.12-.1z";

/// The scene of an instance with the motions of a plan.
///
/// # Errors
/// If a limit of `limits` is exceeded.
pub fn animation<'a>(
    instance: &'a Instance,
    plan: &'a Replayed<Instance>,
    limits: &DrawLimits<'_>,
) -> Result<Animation<'a>, DrawError> {
    let mut scene = Scene::new(instance.size().columns(), instance.size().rows());
    let (corridor, walls): (Vec<Cell>, Vec<Cell>) =
        instance.size().cells().partition(|&cell| instance.is_corridor(cell));
    for (cells, ink) in [(corridor, Ink::Floor), (walls, Ink::Wall)] {
        if !cells.is_empty() {
            scene.ground.push(Part::new(Shape::Cells(cells), Cell::ORIGIN, ink));
        }
    }
    for (index, ghost) in instance.ghosts().iter().enumerate() {
        let (name, hue) = (ghost_name(index), Ink::Hue(index));
        let goal = Shape::Goal(vec![Cell::ORIGIN]);
        scene.ground.push(Part::new(goal, ghost.goal, hue).labelled(name.to_uppercase()));
        scene.parts.push(Part::new(Shape::Figure(GHOST), ghost.start, hue).labelled(name).traced());
    }
    let steps = move || {
        let mut boards = plan.boards(instance, |board| board.cells().to_vec());
        let mut before = boards.next().unwrap_or_default();
        boards.zip(plan.iter()).map(move |(after, step)| {
            let moved = before.iter().zip(&after).enumerate().filter(|(_, (from, to))| from != to);
            let motions = moved.map(|(part, (&from, &to))| Motion {
                part,
                path: vec![from, to],
                turns: None,
            });
            let motions = motions.collect();
            before = after;
            Step::new(step.to_string(), motions)
        })
    };
    Animation::new(scene, steps, limits)
}
