//! A board as a picture: pieces with their characters, those with a goal in a colour of their own
//! and the others by shape.
//!
//! ```
//! use fewest_klotski::{Instance, picture::{Labels, animation}};
//! use fewest_scene::Limits;
//!
//! let layout = Instance::read(b"aCCb/aCCb/cdde/cfge/h..i").next().unwrap().unwrap();
//! let labels = |labels| {
//!     let animation = animation(&layout, &[], labels, &Limits::NONE).unwrap();
//!     animation.scene.parts.into_iter().map(|part| part.label).collect::<Vec<_>>()
//! };
//! assert_eq!(labels(Labels::Characters)[..3], ["a", "C", "b"]);
//! assert_eq!(labels(Labels::Generals)[..5], ["张飞", "曹操", "赵云", "马超", "关羽"]);
//! ```

use fewest_core::grid::Direction;
use fewest_scene::{Animation, At, DrawError, Ink, Limits, Motion, Part, Scene, Shape, Side, Step};

use crate::board::{Board, WALL};
use crate::instance::{Instance, shape};
use crate::plan::Slide;

/// What is written on pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// Their characters.
    Characters,
    /// The names of Huarong Dao, on a board of [classic pieces](Instance::is_of_classic_pieces):
    /// Cao Cao, his five generals of whom Guan Yu lies, and soldiers. On any other board, the
    /// characters.
    Generals,
}

/// The goals' pieces.
const GOAL: Ink = Ink::Hue(0);
/// The other hues, for the other shapes.
const OTHERS: [usize; 5] = [1, 2, 3, 5, 4];

/// Of Huarong Dao: who stands, and then whoever follows where a board has more dominoes.
const STANDING: [&str; 8] = ["张飞", "赵云", "马超", "黄忠", "魏延", "姜维", "周仓", "关平"];

/// A puzzle and a plan on it, up to its first move of a piece that is not there.
///
/// # Errors
/// If a limit ends it.
pub fn animation<'a>(
    puzzle: &'a Instance,
    plan: &'a [Slide],
    labels: Labels,
    limits: &Limits<'_>,
) -> Result<Animation<'a>, DrawError> {
    let board = puzzle.board();
    let mut scene = Scene::new(board.columns(), board.rows());
    scene.lines = true;
    let place =
        |cell: usize| At { x: (cell % board.columns()) as i32, y: (cell / board.columns()) as i32 };
    ground(puzzle, place, &mut scene);

    let names = names(puzzle, labels);
    let mut shapes: Vec<Vec<At>> = Vec::new();
    let pieces = board.pieces();
    for (&piece, name) in pieces.iter().zip(names) {
        let cells = board.cells_of(piece);
        let (first, cells) = (place(cells[0]), relative(&cells, place));
        let has_goal = puzzle.goals().iter().any(|goal| goal.piece == piece);
        let ink = if has_goal {
            GOAL
        } else {
            let known = shapes.iter().position(|shape| *shape == cells);
            let number = known.unwrap_or_else(|| {
                shapes.push(cells.clone());
                shapes.len() - 1
            });
            Ink::Hue(OTHERS[number % OTHERS.len()])
        };
        scene.parts.push(Part::new(Shape::Cells(cells), first, ink).labelled(name));
    }

    let start: Vec<At> = scene.parts.iter().map(|part| part.at).collect();
    let steps = move || {
        let (pieces, mut at) = (pieces.clone(), start.clone());
        plan.iter().map_while(move |slide| {
            let part = pieces.iter().position(|&piece| piece == slide.piece)?;
            let mut path = vec![at[part]];
            for way in &slide.way {
                let At { x, y } = at[part];
                at[part] = match way {
                    Direction::North => At { x, y: y - 1 },
                    Direction::East => At { x: x + 1, y },
                    Direction::South => At { x, y: y + 1 },
                    Direction::West => At { x: x - 1, y },
                };
                path.push(at[part]);
            }
            Some(Step {
                caption: slide.to_string(),
                motions: vec![Motion { part, path, turns: None }],
            })
        })
    };
    Animation::new(scene, steps, limits)
}

/// Cells seen from the first of them.
fn relative(cells: &[usize], place: impl Fn(usize) -> At) -> Vec<At> {
    let first = place(cells[0]);
    cells
        .iter()
        .map(|&cell| place(cell))
        .map(|At { x, y }| At { x: x - first.x, y: y - first.y })
        .collect()
}

/// The cells that are no walls with a frame around them, and outlines where pieces are to come to.
fn ground(puzzle: &Instance, place: impl Fn(usize) -> At + Copy, scene: &mut Scene) {
    let board = puzzle.board();
    let is_open = |cell: usize| board.cells()[cell] != WALL;
    let open = (0..board.cells().len()).filter(|&cell| is_open(cell));
    let origin = At { x: 0, y: 0 };
    scene.ground.push(Part::new(
        Shape::Cells(open.clone().map(place).collect()),
        origin,
        Ink::Floor,
    ));
    for cell in open {
        let At { x, y } = place(cell);
        for (way, side, at) in [
            (Direction::West, Side::West, At { x, y }),
            (Direction::North, Side::North, At { x, y }),
            (Direction::East, Side::West, At { x: x + 1, y }),
            (Direction::South, Side::North, At { x, y: y + 1 }),
        ] {
            if !board.neighbour(cell, way).is_some_and(is_open) {
                scene.ground.push(Part::new(Shape::Edge(side), at, Ink::Wall));
            }
        }
    }
    for goal in puzzle.goals() {
        let cells = relative(&board.cells_of(goal.piece), place);
        scene.ground.push(Part::new(Shape::Outline(cells), place(goal.first), GOAL));
    }
}

/// What is written on each piece.
fn names(puzzle: &Instance, labels: Labels) -> Vec<String> {
    let board: &Board = puzzle.board();
    if labels == Labels::Characters || !puzzle.is_of_classic_pieces() {
        return board.pieces().into_iter().map(String::from).collect();
    }
    let lies = |piece: char| shape(&board.cells_of(piece)) == Some((1, 2));
    let guan_yu = board.pieces().into_iter().find(|&piece| lies(piece));
    let mut standing = STANDING.into_iter();
    let name = |piece: char| match shape(&board.cells_of(piece)) {
        Some((2, 2)) => "曹操",
        Some((1, 1)) => "兵",
        _ if Some(piece) == guan_yu => "关羽",
        _ => standing.next().unwrap_or("将"),
    };
    board.pieces().into_iter().map(name).map(str::to_owned).collect()
}
