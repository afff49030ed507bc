//! `show --json`: a board and the motions of a plan on it, for other programs to draw.

use fewest_geometry::Cell;
use fewest_scene::{Animation, Motion, Part, Shape, Side, Step};
use schemars::JsonSchema;
use serde::Serialize;

use crate::results::{Position, Stream, position, report};

/// A board and the motions of a plan on it, for other programs to draw: `show --json`.
#[derive(Serialize, JsonSchema)]
pub struct ShowReport<'a> {
    /// The name of the data set.
    instance: &'a str,
    /// The number of columns.
    columns: usize,
    /// The number of rows.
    rows: usize,
    /// The parts that never move.
    ground: Stream<'a, PartReport>,
    /// The parts that can move. Later parts are drawn above earlier ones.
    parts: Stream<'a, PartReport>,
    /// The board that the plan has to reach, if that is another one: its parts, none of which
    /// moves.
    target: Stream<'a, PartReport>,
    /// The moves of the plan.
    steps: Stream<'a, StepReport>,
}

/// A part of a picture.
#[derive(Serialize, JsonSchema)]
struct PartReport {
    /// The shape.
    shape: ShapeReport,
    /// The row and the column of its cell, from 1.
    at: Position,
    /// The colour by its role, such as `wall` or `hue 3`.
    ink: String,
    /// The label, which may be empty.
    label: String,
}

/// A shape on cells.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ShapeReport {
    /// Whole cells, as rows and columns from the cell of the part.
    Cells(Vec<Position>),
    /// The cells of a goal, as rows and columns from the cell of the part.
    Goal(Vec<Position>),
    /// A side of the cell.
    Edge(SideName),
    /// A disc in the cell.
    Disc,
    /// An SVG path in a cell of 1 x 1.
    Path(&'static str),
}

/// A side of a cell.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SideName {
    West,
    North,
}

/// A move of a plan.
#[derive(Serialize, JsonSchema)]
pub struct StepReport {
    /// The move as a line of a plan.
    r#move: String,
    /// What moves, all at the same time.
    motions: Vec<MotionReport>,
}

/// The motion of a part.
#[derive(Serialize, JsonSchema)]
struct MotionReport {
    /// The index of the part in `parts`.
    part: usize,
    /// The rows and the columns of the cells that the part passes, from 1, from its current cell to
    /// its next one.
    #[schemars(length(min = 1))]
    path: Vec<Position>,
    /// The new colour of the part; null if it does not change.
    turns: Option<String>,
}

impl From<&Part> for PartReport {
    fn from(part: &Part) -> Self {
        let offsets = |cells: &[Cell]| {
            cells.iter().map(|cell| [cell.row.into(), cell.column.into()]).collect()
        };
        let shape = match &part.shape {
            Shape::Cells(cells) => ShapeReport::Cells(offsets(cells)),
            Shape::Goal(cells) => ShapeReport::Goal(offsets(cells)),
            Shape::Edge(Side::West) => ShapeReport::Edge(SideName::West),
            Shape::Edge(Side::North) => ShapeReport::Edge(SideName::North),
            Shape::Disc => ShapeReport::Disc,
            Shape::Figure(path) => ShapeReport::Path(path),
        };
        Self {
            shape,
            at: position(part.at),
            ink: part.ink.name().to_string(),
            label: part.label.clone(),
        }
    }
}

impl From<Step> for StepReport {
    fn from(step: Step) -> Self {
        let motion = |motion: &Motion| MotionReport {
            part: motion.part,
            path: motion.path.iter().copied().map(position).collect(),
            turns: motion.turns.map(|ink| ink.name().to_string()),
        };
        Self { r#move: step.line, motions: step.motions.iter().map(motion).collect() }
    }
}

impl<'a> ShowReport<'a> {
    /// The report of an animation. Once `is_stopped` returns `true`, the list of steps ends.
    pub fn new(
        name: &'a str,
        animation: &'a Animation<'_>,
        is_stopped: &'a (dyn Fn() -> bool + 'a),
    ) -> Self {
        let scene = &animation.scene;
        Self {
            instance: name,
            columns: scene.columns,
            rows: scene.rows,
            ground: Stream::new(|| scene.ground.iter().map(Into::into)),
            parts: Stream::new(|| scene.parts.iter().map(Into::into)),
            target: Stream::new(|| scene.target.iter().map(Into::into)),
            steps: Stream::new(move || {
                animation.steps().take_while(move |_| !is_stopped()).map(Into::into)
            }),
        }
    }
}

report!(ShowReport<'_>, "show", 3);
