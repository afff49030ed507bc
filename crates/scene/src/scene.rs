//! Scenes and animations: parts on a grid, and the motions of each step.

use fewest_geometry::{Cell, Direction};
use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;

use crate::draw::{DrawError, DrawLimits};
use crate::ink::Ink;

/// The side of a cell on which an [edge](Shape::Edge) is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The left side.
    West,
    /// The upper side.
    North,
}

/// The shape of a part. Its cells are relative to the cell of the part, [`Part::at`].
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Filled cells, drawn as one piece. They need not be connected. `Cell::ORIGIN` is the
    /// cell of the part.
    Cells(Vec<Cell>),
    /// Cells that a part has to reach: tinted floor, drawn above the paths of parts and below the
    /// parts. In text, its label, and with [lines](Scene::lines) shades.
    Goal(Vec<Cell>),
    /// An edge of the cell.
    Edge(Side),
    /// A disc in the cell.
    Disc,
    /// A filled outline within the cell, as SVG path data in units of one cell. In text it is drawn
    /// as a disc.
    Figure(&'static str),
}

/// An object on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The shape.
    pub shape: Shape,
    /// The cell at the start.
    pub at: Cell,
    /// The ink, which is the colour role, at the start.
    pub ink: Ink,
    /// The text on the part. May be empty.
    pub label: String,
    /// Whether the path of the part through the plan is drawn.
    pub traced: bool,
}

impl Part {
    /// A part without a label whose path is not drawn.
    pub fn new(shape: Shape, at: Cell, ink: Ink) -> Self {
        Self { shape, at, ink, label: String::new(), traced: false }
    }

    /// Returns the part with this label.
    #[must_use]
    pub fn labelled(self, label: impl Into<String>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// Returns the part with its path drawn.
    #[must_use]
    pub fn traced(self) -> Self {
        Self { traced: true, ..self }
    }

    /// Whether the shape is [`Shape::Goal`].
    pub(crate) fn is_goal(&self) -> bool {
        matches!(self.shape, Shape::Goal(_))
    }

    /// The upper left and the lower right cell of the bounding box, relative to the cell of the
    /// part. `None` if the part has no cells.
    pub(crate) fn bounding_box(&self) -> Option<(Cell, Cell)> {
        let cells = self.cells(Cell::ORIGIN);
        let (columns, rows) =
            (|| cells.iter().map(|cell| cell.column), || cells.iter().map(|cell| cell.row));
        let least = Cell { row: rows().min()?, column: columns().min()? };
        Some((least, Cell { row: rows().max()?, column: columns().max()? }))
    }

    /// The cells that the part covers if its cell is `at`. None for an edge.
    pub(crate) fn cells(&self, at: Cell) -> Vec<Cell> {
        match &self.shape {
            Shape::Cells(cells) | Shape::Goal(cells) => cells
                .iter()
                .map(|cell| Cell { row: cell.row + at.row, column: cell.column + at.column })
                .collect(),
            Shape::Edge(_) => Vec::new(),
            Shape::Disc | Shape::Figure(_) => vec![at],
        }
    }
}

/// A board: the ground, and above it the parts that can move. Later parts are drawn above earlier
/// ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The number of columns.
    pub columns: usize,
    /// The number of rows.
    pub rows: usize,
    /// Whether text output has lines between cells. Edges and pieces of several cells need them;
    /// without lines the output is smaller.
    pub lines: bool,
    /// The parts that never move.
    pub ground: Vec<Part>,
    /// The parts that can move. [`Motion::part`] is an index into this list.
    pub parts: Vec<Part>,
    /// The board that a plan has to reach, if that is another one: of the same size, with its
    /// ground, and with discs and figures on it. It is drawn once in a strip, and beside the board
    /// in the other pictures.
    pub target: Vec<Part>,
    /// The part that leaves the board when the puzzle is solved, and where: an index into
    /// [`parts`](Self::parts). Pictures show it where it ends.
    pub exit: Option<(usize, Direction)>,
}

impl Scene {
    /// An empty board without lines.
    pub fn new(columns: usize, rows: usize) -> Self {
        Self {
            columns,
            rows,
            lines: false,
            ground: Vec::new(),
            parts: Vec::new(),
            target: Vec::new(),
            exit: None,
        }
    }

    /// All cells of the board, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (columns, rows) = (self.columns as i32, self.rows as i32);
        (0..rows).flat_map(move |y| (0..columns).map(move |x| Cell { row: y, column: x }))
    }
}

/// The motion of one part in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The index of the part in [`Scene::parts`].
    pub part: usize,
    /// The cells that the part passes, from its current cell to its next one, both included.
    pub path: Vec<Cell>,
    /// The new colour role from this step on; `None` if the role does not change.
    pub turns: Option<Ink>,
}

impl Motion {
    /// The last cell of the path.
    pub(crate) fn end(&self) -> Option<Cell> {
        self.path.last().copied()
    }
}

/// The motions of one move, which happen at the same time.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The move as a line of a plan.
    pub line: String,
    /// The move in the words of the picture, if they are others.
    pub caption: Option<String>,
    /// The motions, at most one of each part.
    pub motions: Vec<Motion>,
}

impl Step {
    /// A step whose caption is its line.
    pub fn new(line: impl Into<String>, motions: Vec<Motion>) -> Self {
        Self { line: line.into(), caption: None, motions }
    }

    /// What a picture says above the board.
    pub fn caption(&self) -> &str {
        self.caption.as_ref().unwrap_or(&self.line)
    }
}

/// A scene with the steps of a plan. Without steps, it is the board alone.
///
/// The steps are not stored but generated on each use, so that the memory does not depend on the
/// length of the plan.
pub struct Animation<'a> {
    /// The board at the start.
    pub scene: Scene,
    /// What the picture shows, for people who do not see it. May be empty.
    pub title: String,
    steps: Box<dyn Steps + 'a>,
    step_count: usize,
    motion_count: usize,
    /// The upper left and the lower right cell of the picture.
    extent: (Cell, Cell),
    /// The colour roles that parts change to.
    turns: BTreeSet<Ink>,
}

/// A source of steps that can be generated repeatedly.
trait Steps {
    fn generate(&self) -> Box<dyn Iterator<Item = Step> + '_>;
}

struct Generator<F, I> {
    generate: F,
    steps: PhantomData<I>,
}

impl<I: IntoIterator<Item = Step>, F: Fn() -> I> Steps for Generator<F, I> {
    fn generate(&self) -> Box<dyn Iterator<Item = Step> + '_> {
        Box::new((self.generate)().into_iter())
    }
}

/// The current cell and colour role of a part.
pub(crate) type Placement = (Cell, Ink);

/// The board before a step, or after the last step.
pub(crate) struct Frame {
    /// The index of the step. After the last step, the number of steps.
    pub(crate) step_index: usize,
    /// The placement of each part before the step.
    pub(crate) placements: Vec<Placement>,
    /// The step. `None` after the last step.
    pub(crate) step: Option<Step>,
}

impl<'a> Animation<'a> {
    /// An animation of the steps that `steps` generates. Each call of `steps` must generate the
    /// same steps.
    ///
    /// This function generates the steps once, to count them and to find the cells that they use.
    ///
    /// # Errors
    /// [`DrawError::Stopped`] if [`DrawLimits::stop`] returns `true`.
    ///
    /// # Panics
    /// If a [`Motion::part`] is not an index into [`Scene::parts`].
    pub fn new<I: IntoIterator<Item = Step> + 'a>(
        scene: Scene,
        steps: impl Fn() -> I + 'a,
        limits: &DrawLimits<'_>,
    ) -> Result<Self, DrawError> {
        limits.check(0)?;
        let (mut step_count, mut motion_count, mut turns) = (0, 0, BTreeSet::new());
        let (mut from, mut to) =
            (Cell::ORIGIN, Cell { row: scene.rows as i32 - 1, column: scene.columns as i32 - 1 });
        let boxes: Vec<Option<(Cell, Cell)>> = scene.parts.iter().map(Part::bounding_box).collect();
        for step in steps() {
            step_count += 1;
            limits.check_at(step_count)?;
            motion_count += step.motions.len();
            for motion in &step.motions {
                turns.extend(motion.turns);
                // Edges have no cells and do not extend the picture: the last edge of a row or
                // column belongs to a cell outside the board.
                let Some((least, most)) = boxes[motion.part] else { continue };
                for &Cell { row: y, column: x } in &motion.path {
                    from = Cell {
                        row: from.row.min(y + least.row),
                        column: from.column.min(x + least.column),
                    };
                    to = Cell {
                        row: to.row.max(y + most.row),
                        column: to.column.max(x + most.column),
                    };
                }
            }
        }
        let steps = Box::new(Generator { generate: steps, steps: PhantomData });
        Ok(Self {
            scene,
            title: String::new(),
            steps,
            step_count,
            motion_count,
            extent: (from, to),
            turns,
        })
    }

    /// The steps, from the first to the last.
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        self.steps.generate()
    }

    /// The number of steps.
    pub fn step_count(&self) -> usize {
        self.step_count
    }

    /// The number of motions in all steps together.
    pub fn motion_count(&self) -> usize {
        self.motion_count
    }

    /// The colour roles that parts change to.
    pub(crate) fn turns(&self) -> &BTreeSet<Ink> {
        &self.turns
    }

    /// The upper left and the lower right cell of the bounding box of the board and all motions.
    pub(crate) fn extent(&self) -> (Cell, Cell) {
        self.extent
    }

    /// The placement of each part at the start.
    pub(crate) fn start(&self) -> Vec<Placement> {
        self.scene.parts.iter().map(|part| (part.at, part.ink)).collect()
    }

    /// The boards of a strip with their captions: the board before every `every`th step, starting
    /// with the first, and the board after the last step.
    pub(crate) fn boards<'s>(
        &'s self,
        every: usize,
        limits: &'s DrawLimits<'_>,
    ) -> impl Iterator<Item = Result<(String, Frame), DrawError>> + 's {
        self.frames(every, limits).map(|frame| {
            frame.map(|frame| {
                let caption = |step: &Step| format!("{} {}", frame.step_index + 1, step.caption());
                (frame.step.as_ref().map_or("end".to_owned(), caption), frame)
            })
        })
    }

    /// The number of items of [`boards`](Self::boards).
    pub(crate) fn board_count(&self, every: usize) -> usize {
        self.step_count.div_ceil(every.max(1)) + 1
    }

    /// The maximum number of boards of a strip: the board before every `every`th step, the board
    /// after the last step, one board with all paths, and the target.
    pub fn max_strip_boards(&self, every: usize) -> usize {
        self.board_count(every) + 2
    }

    /// The board before every `every`th step, and the board after the last step. The caller must
    /// stop at the first error.
    pub(crate) fn frames<'s>(
        &'s self,
        every: usize,
        limits: &'s DrawLimits<'_>,
    ) -> impl Iterator<Item = Result<Frame, DrawError>> + 's {
        let mut placements = self.start();
        let steps = self.steps().map(Some).chain([None]).enumerate();
        steps.filter_map(move |(step_index, step)| {
            let is_shown = step.is_none() || step_index.is_multiple_of(every.max(1));
            let checked = if is_shown { limits.check(0) } else { limits.check_at(step_index) };
            if let Err(error) = checked {
                return Some(Err(error));
            }
            let before = is_shown.then(|| placements.clone());
            for motion in step.iter().flat_map(|step| &step.motions) {
                let (at, ink) = &mut placements[motion.part];
                *at = motion.end().unwrap_or(*at);
                *ink = motion.turns.unwrap_or(*ink);
            }
            before.map(|placements| Ok(Frame { step_index, placements, step }))
        })
    }

    /// The path through the plan of each [traced](method@Part::traced) part that moves, with the
    /// index of the part. A path is the first cell, each cell at which the direction changes, and
    /// the last cell.
    ///
    /// # Errors
    /// If the paths need too much memory, or if [`DrawLimits::stop`] returns `true`.
    pub(crate) fn traced_paths(
        &self,
        limits: &DrawLimits<'_>,
    ) -> Result<Vec<(usize, Vec<Cell>)>, DrawError> {
        let traced = |part: &Part| if part.traced { vec![part.at] } else { Vec::new() };
        let mut paths: Vec<Vec<Cell>> = self.scene.parts.iter().map(traced).collect();
        let mut point_count = 0;
        for step in self.steps() {
            for motion in step.motions {
                let path = &mut paths[motion.part];
                if path.is_empty() {
                    continue;
                }
                for &at in &motion.path {
                    match path[..] {
                        [.., last] if last == at => {}
                        [.., before, last] if is_straight(before, last, at) => {
                            let end = path.len() - 1;
                            path[end] = at;
                        }
                        _ => {
                            path.push(at);
                            point_count += 1;
                        }
                    }
                }
            }
            limits.check(point_count * PATH_POINT_BYTES)?;
        }
        Ok(paths.into_iter().enumerate().filter(|(_, path)| path.len() > 1).collect())
    }
}

impl fmt::Debug for Animation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Animation")
            .field("scene", &self.scene)
            .field("step_count", &self.step_count)
            .finish()
    }
}

/// Memory of one point of a path: the cell in a list that grows by doubling, the point in pixels,
/// and its path data.
const PATH_POINT_BYTES: u64 = 64;

/// Whether the direction from `second` to `third` is that from `first` to `second`, along a row or
/// a column.
fn is_straight(first: Cell, second: Cell, third: Cell) -> bool {
    let direction =
        |from: Cell, to: Cell| ((to.column - from.column).signum(), (to.row - from.row).signum());
    let next = direction(second, third);
    direction(first, second) == next && (next.0 == 0) != (next.1 == 0)
}
