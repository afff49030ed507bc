//! A board as a scene: pieces with their labels. Pieces with a goal have a colour of their own, and
//! the others are coloured by shape.
//!
//! ```
//! use fewest_klotski::{Instance, Metric, Task, picture::{Labels, animation}};
//! use fewest_rules::replay;
//! use fewest_scene::DrawLimits;
//!
//! let layout = Instance::read(b"aCCb/aCCb/cdde/cfge/h..i").next().unwrap().unwrap();
//! let no_moves = replay(&Task::new(layout.clone(), Metric::Unit), vec![]).unwrap();
//! let labels = |labels| {
//!     let animation = animation(&layout, &no_moves, labels, &DrawLimits::NONE).unwrap();
//!     animation.scene.parts.into_iter().map(|part| part.label).collect::<Vec<_>>()
//! };
//! assert_eq!(labels(Labels::Characters)[..3], ["a", "C", "b"]);
//! assert_eq!(labels(Labels::Generals)[..5], ["张飞", "曹操", "赵云", "马超", "关羽"]);
//! ```

use fewest_geometry::{Cell, Direction};
use fewest_rules::Replayed;
use fewest_scene::{Animation, DrawError, DrawLimits, Ink, Motion, Part, Scene, Shape, Side, Step};

use crate::board::{Board, WALL};
use crate::instance::{Axis, Instance};
use crate::layout::shape_of;
use crate::task::Task;

/// The labels of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// The characters of the pieces.
    Characters,
    /// The names of Huarong Dao, if the pieces are [classic](Instance::is_of_classic_pieces): Cao
    /// Cao is the 2x2 piece, Guan Yu the first horizontal domino, generals are the other dominoes,
    /// and soldiers the singles. On any other board, the same as [`Characters`](Self::Characters).
    Generals,
}

/// The colour of pieces with a goal, and of goals.
const GOAL_INK: Ink = Ink::Hue(0);
/// What is written on a gate.
const GATE_LABEL: &str = "-";
/// The hues of the other pieces: of the shapes in [`SHAPES`], and then of other shapes in the order in
/// which they occur.
const OTHER_HUES: [usize; 5] = [1, 2, 3, 5, 4];
/// The shapes that have the same colour on every board, as rows and columns: upright and level
/// dominoes, single cells and large squares.
const SHAPES: [(i32, i32); 4] = [(2, 1), (1, 2), (1, 1), (2, 2)];

/// The names of the generals apart from Guan Yu, in the order of their pieces: the four of the
/// game, and more for boards with more dominoes.
const GENERALS: [&str; 8] = ["张飞", "赵云", "马超", "黄忠", "魏延", "姜维", "周仓", "关平"];

/// The scene of a puzzle with the motions of a plan.
///
/// # Errors
/// If one of `limits` is exceeded.
pub fn animation<'a>(
    instance: &'a Instance,
    plan: &'a Replayed<Task>,
    labels: Labels,
    limits: &DrawLimits<'_>,
) -> Result<Animation<'a>, DrawError> {
    let board = instance.board();
    let mut scene = Scene::new(board.columns(), board.rows());
    scene.lines = true;
    let cell_at = |cell: usize| Cell::at(cell / board.columns(), cell % board.columns());
    let (pieces, exit) = (board.pieces(), exit(instance));
    draw_ground(instance, exit.as_ref(), cell_at, &mut scene);
    scene.exit = exit.and_then(|(side, _)| {
        let leaving = instance.goals().first()?.piece;
        Some((pieces.iter().position(|&piece| piece == leaving)?, side))
    });
    let hues = hues(instance, cell_at);
    let names = piece_labels(instance, labels);
    let are_named = labels == Labels::Generals && instance.is_of_classic_pieces();
    for ((&piece, label), hue) in pieces.iter().zip(&names).zip(hues) {
        let cells = board.cells_of(piece);
        let (first, cells) = (cell_at(cells[0]), relative_cells(&cells, cell_at));
        let has_goal = instance.goals().iter().any(|goal| goal.piece == piece);
        let ink = if has_goal { GOAL_INK } else { Ink::Hue(hue) };
        scene.parts.push(Part::new(Shape::Cells(cells), first, ink).labelled(label.as_str()));
    }

    let start: Vec<Cell> = scene.parts.iter().map(|part| part.at).collect();
    let steps = move || {
        let (pieces, names, mut at) = (pieces.clone(), names.clone(), start.clone());
        plan.iter().map_while(move |slide| {
            let part = pieces.iter().position(|&piece| piece == slide.piece)?;
            let mut path = vec![at[part]];
            for direction in &slide.path {
                at[part] = at[part].step(*direction);
                path.push(at[part]);
            }
            let letters = || slide.path.iter().map(|direction| direction.letter());
            let caption =
                are_named.then(|| format!("{} {}", names[part], letters().collect::<String>()));
            let motions = vec![Motion { part, path, turns: None }];
            Some(Step { caption, ..Step::new(slide.to_string(), motions) })
        })
    };
    Animation::new(scene, steps, limits)
}

/// The hue of each piece without a goal: one for each shape, but where all pieces are locked, as in
/// Rush Hour, neighbours have different ones, because there are many cars and few shapes.
fn hues(instance: &Instance, cell_at: impl Fn(usize) -> Cell) -> Vec<usize> {
    let (board, pieces) = (instance.board(), instance.board().pieces());
    let shape_of = |piece| relative_cells(&board.cells_of(piece), &cell_at);
    if instance.locks().len() < pieces.len() {
        let known = |(rows, columns): (i32, i32)| -> Vec<Cell> {
            (0..rows).flat_map(|row| (0..columns).map(move |column| Cell { row, column })).collect()
        };
        let mut shapes: Vec<Vec<Cell>> = SHAPES.into_iter().map(known).collect();
        let mut hue_of = |piece| {
            let shape = shape_of(piece);
            let number = shapes.iter().position(|known| *known == shape).unwrap_or_else(|| {
                shapes.push(shape);
                shapes.len() - 1
            });
            OTHER_HUES[number % OTHER_HUES.len()]
        };
        return pieces.iter().map(|&piece| hue_of(piece)).collect();
    }
    let cells =
        |piece: char| -> Vec<Cell> { board.cells_of(piece).into_iter().map(&cell_at).collect() };
    let touch = |one: char, other: char| {
        let others = cells(other);
        cells(one)
            .iter()
            .any(|cell| Direction::ALL.iter().any(|&side| others.contains(&cell.step(side))))
    };
    let mut hues: Vec<usize> = Vec::new();
    for &piece in &pieces {
        let taken: Vec<usize> = pieces
            .iter()
            .zip(&hues)
            .filter(|&(&other, _)| touch(piece, other))
            .map(|(_, &hue)| hue)
            .collect();
        // More neighbours than hues: one of them has the same.
        let free = OTHER_HUES.into_iter().find(|hue| !taken.contains(hue));
        hues.push(free.unwrap_or(OTHER_HUES[0]));
    }
    hues
}

/// The positions of cells relative to the first of them.
fn relative_cells(cells: &[usize], cell_at: impl Fn(usize) -> Cell) -> Vec<Cell> {
    let first = cell_at(cells[0]);
    cells.iter().map(|&cell| cell_at(cell) - first).collect()
}

/// The side of the board at which the one piece with a goal ends, and the cells along it: the frame
/// is open there. `None` if several pieces have goals, or the goal is not at the frame.
fn exit(instance: &Instance) -> Option<(Direction, Vec<usize>)> {
    let ([goal], board) = (instance.goals(), instance.board()) else { return None };
    let lock = instance.locks().iter().find(|lock| lock.piece == goal.piece);
    let axis = |direction| match direction {
        Direction::North | Direction::South => Axis::Vertical,
        Direction::West | Direction::East => Axis::Horizontal,
    };
    let moved = board.cells_of(goal.piece).into_iter().map(|cell| cell + goal.first);
    let first = board.first_cell(goal.piece)?;
    let cells: Vec<usize> = moved.map(|cell| cell - first).collect();
    // In a corner, the lower side.
    let sides = [Direction::South, Direction::East, Direction::West, Direction::North];
    sides.into_iter().filter(|&side| lock.is_none_or(|lock| lock.axis == axis(side))).find_map(
        |side| {
            let ahead = |cell: usize| board.neighbour(cell, side);
            let is_front = |cell: &usize| ahead(*cell).is_none_or(|next| !cells.contains(&next));
            let front: Vec<usize> = cells.iter().copied().filter(is_front).collect();
            front.iter().all(|&cell| ahead(cell).is_none()).then_some((side, front))
        },
    )
}

/// Draws the cells that are not walls, the gates, the walls along their edges, and the goals.
fn draw_ground(
    instance: &Instance,
    exit: Option<&(Direction, Vec<usize>)>,
    cell_at: impl Fn(usize) -> Cell + Copy,
    scene: &mut Scene,
) {
    let board = instance.board();
    let is_open = |cell: usize| board.cells()[cell] != WALL;
    let open = (0..board.cells().len()).filter(|&cell| is_open(cell));
    let origin = Cell::ORIGIN;
    scene.ground.push(Part::new(
        Shape::Cells(open.clone().map(cell_at).collect()),
        origin,
        Ink::Floor,
    ));
    let mut gates: Vec<usize> = instance.gates().iter().map(|gate| gate.cell).collect();
    gates.sort_unstable();
    gates.dedup();
    for gate in gates.into_iter().map(cell_at) {
        let part = Part::new(Shape::Cells(vec![origin]), gate, Ink::Board);
        scene.ground.push(part.labelled(GATE_LABEL));
    }
    let is_exit = |cell: usize, side: Direction| {
        exit.is_some_and(|(exit, cells)| *exit == side && cells.contains(&cell))
    };
    for cell in open {
        let here = cell_at(cell);
        for (direction, side, at) in [
            (Direction::West, Side::West, here),
            (Direction::North, Side::North, here),
            (Direction::East, Side::West, here.step(Direction::East)),
            (Direction::South, Side::North, here.step(Direction::South)),
        ] {
            let is_wall = !board.neighbour(cell, direction).is_some_and(is_open);
            if is_wall && !is_exit(cell, direction) {
                scene.ground.push(Part::new(Shape::Edge(side), at, Ink::Wall));
            }
        }
    }
    for goal in instance.goals() {
        let cells = relative_cells(&board.cells_of(goal.piece), cell_at);
        scene.ground.push(Part::new(Shape::Goal(cells), cell_at(goal.first), GOAL_INK));
    }
}

/// The label of each piece.
fn piece_labels(instance: &Instance, labels: Labels) -> Vec<String> {
    let board: &Board = instance.board();
    if labels == Labels::Characters || !instance.is_of_classic_pieces() {
        return board.pieces().into_iter().map(String::from).collect();
    }
    let is_horizontal = |piece: char| shape_of(&board.cells_of(piece)) == Some((1, 2));
    let guan_yu = board.pieces().into_iter().find(|&piece| is_horizontal(piece));
    let mut generals = GENERALS.into_iter();
    let label = |piece: char| match shape_of(&board.cells_of(piece)) {
        Some((2, 2)) => "曹操",
        Some((1, 1)) => "兵",
        _ if Some(piece) == guan_yu => "关羽",
        _ => generals.next().unwrap_or("将"),
    };
    board.pieces().into_iter().map(label).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use fewest_rules::replay;

    use super::*;
    use crate::Metric;
    use crate::builtin::BUILTINS;
    use crate::plan::Slide;

    fn read(text: &str) -> Instance {
        Instance::read(text.as_bytes()).next().expect("a puzzle").expect("a valid one")
    }

    #[test]
    fn shapes_have_one_colour_on_all_boards_and_neighbours_of_rush_hour_differ() {
        let hues_of = |instance: &Instance| {
            let columns = instance.board().columns();
            hues(instance, |cell| Cell::at(cell / columns, cell % columns))
        };
        let mut known = std::collections::BTreeMap::new();
        for builtin in BUILTINS {
            let instance = read(builtin.text);
            if !instance.locks().is_empty() {
                continue;
            }
            let board = instance.board();
            for (piece, hue) in board.pieces().into_iter().zip(hues_of(&instance)) {
                let cells = board.cells_of(piece);
                let shape: Vec<usize> = cells.iter().map(|cell| cell - cells[0]).collect();
                assert_eq!(*known.entry((board.columns(), shape)).or_insert(hue), hue);
            }
        }
        assert!(known.len() >= 4);
        let mut pairs = 0;
        // Cards 1 and 2 of Rush Hour, and the hardest board.
        for board in [
            "AA...OP..Q.OPXXQ.OP..Q..B...CCB.RRR.",
            "A..OOOA..B.PXX.BCPQQQ.CP..D.EEFFDGG.",
            "GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo",
        ] {
            let instance = read(board);
            let (board, hues) = (instance.board(), hues_of(&instance));
            let hue_at = |cell: usize| {
                let piece = board.cells()[cell];
                board.pieces().iter().position(|&other| other == piece).map(|at| (piece, hues[at]))
            };
            for cell in 0..36 {
                let right = (cell % 6 < 5).then_some(cell + 1);
                for next in [right, (cell < 30).then_some(cell + 6)].into_iter().flatten() {
                    if let (Some((one, hue)), Some((other, next))) = (hue_at(cell), hue_at(next))
                        && one != other
                    {
                        assert_ne!(hue, next, "{one} and {other}");
                        pairs += 1;
                    }
                }
            }
        }
        assert!(pairs > 40, "{pairs}");
    }

    #[test]
    fn the_frame_is_open_where_the_piece_with_the_goal_ends() {
        let exit = |text: &str| exit(&read(text));
        let classic = exit("aCCb/aCCb/cdde/cfge/h..i");
        assert_eq!(classic, Some((Direction::South, vec![17, 18])));
        let rush_hour = exit("GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo");
        assert_eq!(rush_hour, Some((Direction::East, vec![17])));
        assert_eq!(exit("A../...\ngoal: A at 2,3\n"), Some((Direction::South, vec![5])));
        assert_eq!(
            exit("A../...\ngoal: A at 2,3\nlock: horizontal A\n"),
            Some((Direction::East, vec![5]))
        );
        assert_eq!(exit("A../.../...\ngoal: A at 2,2\n"), None);
        assert_eq!(exit("AB/..\ngoal: A at 2,1\ngoal: B at 2,2\n"), None);
    }

    #[test]
    fn captions_have_the_names_on_the_board() {
        let instance = read("aCCb/aCCb/cdde/cfge/h..i");
        let slide = Slide { piece: 'h', path: vec![Direction::East] };
        let plan = replay(&Task::new(instance.clone(), Metric::Unit), vec![slide]).expect("legal");
        for (labels, caption) in [(Labels::Characters, "hE"), (Labels::Generals, "兵 E")] {
            let animation =
                animation(&instance, &plan, labels, &DrawLimits::NONE).expect("no limits");
            let step = animation.steps().next().expect("a step");
            assert_eq!((step.caption(), &step.line[..]), (caption, "hE"));
        }
    }
}
