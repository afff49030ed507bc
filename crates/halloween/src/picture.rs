//! A house as a picture: ghosts with their letters and their ways, and outlines where they belong.
//!
//! ```
//! use fewest_halloween::{Direction, Instance, picture::animation, plan::Step};
//! use fewest_scene::Limits;
//!
//! let house = Instance::read(b"3 1 1\na A\n").next().unwrap().unwrap();
//! let east = Step(vec![Direction::East]);
//! let plan = [east.clone(), east];
//! let animation = animation(&house, &plan, &Limits::NONE)?;
//! let captions: Vec<String> = animation.steps().map(|step| step.caption).collect();
//! assert_eq!((animation.scene.parts[0].label.as_str(), captions[1].as_str()), ("a", "aE"));
//! # Ok::<(), fewest_scene::DrawError>(())
//! ```

use fewest_scene::{Animation, At, DrawError, Ink, Limits, Motion, Part, Scene, Shape, Step};

use crate::instance::{Instance, Place, name};
use crate::{plan, rules};

/// A sheet with a hem of three waves.
const GHOST: &str = "M.14.9V.48a.36.36 0 0 1 .72 0V.9l-.12-.1-.12.1-.12-.1-.12.1-.12-.1z";

fn at(place: Place) -> At {
    At { x: place.x.into(), y: place.y.into() }
}

/// A house and a plan, up to its first step that is illegal.
///
/// # Errors
/// If a limit ends it.
pub fn animation<'a>(
    house: &'a Instance,
    plan: &'a [plan::Step],
    limits: &Limits<'_>,
) -> Result<Animation<'a>, DrawError> {
    let mut scene = Scene::new(house.width().into(), house.height().into());
    let walls: Vec<At> = house.places().filter(|&place| !house.is_open(place)).map(at).collect();
    if !walls.is_empty() {
        scene.ground.push(Part::new(Shape::Cells(walls), At { x: 0, y: 0 }, Ink::Wall));
    }
    for (ghost, way) in house.ghosts().iter().enumerate() {
        let (letter, hue) = (name(ghost), Ink::Hue(ghost));
        let room = Shape::Outline(vec![At { x: 0, y: 0 }]);
        scene.ground.push(Part::new(room, at(way.goal), hue).labelled(letter.to_uppercase()));
        scene
            .parts
            .push(Part::new(Shape::Figure(GHOST), at(way.start), hue).labelled(letter).traced());
    }
    let steps = move || {
        let mut boards = rules::boards(house, plan);
        let mut before = boards.next().unwrap_or_default();
        boards.zip(plan).map(move |(after, step)| {
            let ghosts = before.iter().zip(&after).enumerate().filter(|(_, (from, to))| from != to);
            let motions = ghosts.map(|(part, (&from, &to))| Motion {
                part,
                path: vec![at(from), at(to)],
                turns: None,
            });
            let motions = motions.collect();
            before = after;
            Step { caption: step.to_string(), motions }
        })
    };
    Animation::new(scene, steps, limits)
}
