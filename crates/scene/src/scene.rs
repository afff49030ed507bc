//! What a picture is of: parts on a grid, and what each step moves.

use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;

use crate::draw::{DrawError, Limits};
use crate::ink::Ink;

/// A cell of the grid, or the corner at its upper left. What leaves the board may be anywhere
/// around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    /// The column, from 0.
    pub x: i32,
    /// The row, from 0.
    pub y: i32,
}

/// Which edge of its cell an [edge](Shape::Edge) is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The upright one on the left.
    West,
    /// The lying one above.
    North,
}

/// What a part looks like, seen from its own place.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Cells as one piece, connected or not; `At { x: 0, y: 0 }` is the part's own.
    Cells(Vec<At>),
    /// Such cells, not filled: their outline alone, dashed, and above the ways of parts.
    Outline(Vec<At>),
    /// An edge of its cell.
    Edge(Side),
    /// A disc in its cell.
    Disc,
    /// A sign that points to the right, drawn as a line.
    Arrow,
    /// Any outline within its cell, as the path data of SVG, the cell being 1 x 1. As text it is
    /// like a disc.
    Figure(&'static str),
}

/// Something on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What it looks like.
    pub shape: Shape,
    /// Where it is at first.
    pub at: At,
    /// Its colour.
    pub ink: Ink,
    /// What is written on it; may be nothing.
    pub label: String,
    /// Whether its way is drawn.
    pub traced: bool,
}

impl Part {
    /// Without a label, its way not drawn.
    pub fn new(shape: Shape, at: At, ink: Ink) -> Self {
        Self { shape, at, ink, label: String::new(), traced: false }
    }

    /// The same with a label.
    #[must_use]
    pub fn labelled(self, label: impl Into<String>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// The same with its way drawn.
    #[must_use]
    pub fn traced(self) -> Self {
        Self { traced: true, ..self }
    }

    /// Whether it is drawn as an outline.
    pub(crate) fn is_outline(&self) -> bool {
        matches!(self.shape, Shape::Outline(_))
    }

    /// The upper left and the lower right corner of its cells, seen from its own place; `None` if
    /// it has no cells.
    fn corners(&self) -> Option<(At, At)> {
        let cells = self.cells(At { x: 0, y: 0 });
        let (columns, rows) =
            (|| cells.iter().map(|cell| cell.x), || cells.iter().map(|cell| cell.y));
        let least = At { x: columns().min()?, y: rows().min()? };
        Some((least, At { x: columns().max()?, y: rows().max()? }))
    }

    /// The cells that it is in when it is at a place; none for an edge.
    pub(crate) fn cells(&self, at: At) -> Vec<At> {
        match &self.shape {
            Shape::Cells(cells) | Shape::Outline(cells) => {
                cells.iter().map(|cell| At { x: cell.x + at.x, y: cell.y + at.y }).collect()
            }
            Shape::Edge(_) => Vec::new(),
            Shape::Disc | Shape::Arrow | Shape::Figure(_) => vec![at],
        }
    }
}

/// A board: what stays and, above it, what may move; both are drawn in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Cells from left to right.
    pub columns: usize,
    /// Cells from top to bottom.
    pub rows: usize,
    /// Whether text shows lines between cells, for edges and for pieces of several cells. Without
    /// them it takes less room.
    pub lines: bool,
    /// What stays.
    pub ground: Vec<Part>,
    /// What may move.
    pub parts: Vec<Part>,
}

impl Scene {
    /// Nothing on so many cells.
    pub fn new(columns: usize, rows: usize) -> Self {
        Self { columns, rows, lines: false, ground: Vec::new(), parts: Vec::new() }
    }

    /// All its cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = At> + use<> {
        let (columns, rows) = (self.columns as i32, self.rows as i32);
        (0..rows).flat_map(move |y| (0..columns).map(move |x| At { x, y }))
    }
}

/// What one part does in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// Its number among the parts of the scene. It has to be there.
    pub part: usize,
    /// Where it goes, from where it is to where it comes to, a cell after the other.
    pub path: Vec<At>,
    /// The colour that it has from then on, if it is another.
    pub turns: Option<Ink>,
}

impl Motion {
    /// Where it ends.
    pub(crate) fn end(&self) -> Option<At> {
        self.path.last().copied()
    }
}

/// A move: all that moves at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The move as a line of a plan says it.
    pub caption: String,
    /// What it moves; each part at most once.
    pub motions: Vec<Motion>,
}

/// A board and the moves of a plan on it; without steps, the board alone.
///
/// The steps are generated anew each time that they are needed, so that a plan of millions of moves
/// takes no memory here.
pub struct Animation<'a> {
    /// The board at first.
    pub scene: Scene,
    steps: Box<dyn Steps + 'a>,
    step_count: usize,
    motion_count: usize,
    extent: (At, At),
    /// The colours that parts change to.
    turns: BTreeSet<Ink>,
}

/// Steps that can be generated again and again.
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

/// Where a part is, and its colour.
pub(crate) type Spot = (At, Ink);

/// A board of an animation.
pub(crate) struct Frame {
    /// The number of the step, from 0; that of all steps after the last.
    pub(crate) number: usize,
    /// The parts before the step.
    pub(crate) spots: Vec<Spot>,
    /// `None` after the last.
    pub(crate) step: Option<Step>,
}

impl<'a> Animation<'a> {
    /// The steps are those that `steps` generates; each call has to generate the same. They are
    /// generated once here, to be counted.
    ///
    /// # Errors
    /// If a limit ends the count.
    ///
    /// # Panics
    /// If a step moves a part that the scene does not have.
    pub fn new<I: IntoIterator<Item = Step> + 'a>(
        scene: Scene,
        steps: impl Fn() -> I + 'a,
        limits: &Limits<'_>,
    ) -> Result<Self, DrawError> {
        limits.check(0)?;
        let (mut step_count, mut motion_count, mut turns) = (0, 0, BTreeSet::new());
        let (mut from, mut to) =
            (At { x: 0, y: 0 }, At { x: scene.columns as i32 - 1, y: scene.rows as i32 - 1 });
        let corners: Vec<Option<(At, At)>> = scene.parts.iter().map(Part::corners).collect();
        for step in steps() {
            step_count += 1;
            limits.check_at(step_count)?;
            motion_count += step.motions.len();
            for motion in &step.motions {
                turns.extend(motion.turns);
                // An edge is no cell, and the last of a line belongs to one beyond it.
                let Some((least, most)) = corners[motion.part] else { continue };
                for &At { x, y } in &motion.path {
                    from = At { x: from.x.min(x + least.x), y: from.y.min(y + least.y) };
                    to = At { x: to.x.max(x + most.x), y: to.y.max(y + most.y) };
                }
            }
        }
        let steps = Box::new(Generator { generate: steps, steps: PhantomData });
        Ok(Self { scene, steps, step_count, motion_count, extent: (from, to), turns })
    }

    /// The moves, first to last.
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        self.steps.generate()
    }

    /// How many moves.
    pub fn step_count(&self) -> usize {
        self.step_count
    }

    /// How many motions all moves have together.
    pub fn motion_count(&self) -> usize {
        self.motion_count
    }

    /// All colours that parts turn to.
    pub(crate) fn turns(&self) -> &BTreeSet<Ink> {
        &self.turns
    }

    /// The upper left cell that anything is ever in, and the lower right one.
    pub(crate) fn extent(&self) -> (At, At) {
        self.extent
    }

    /// The spots of all parts at first.
    pub(crate) fn start(&self) -> Vec<Spot> {
        self.scene.parts.iter().map(|part| (part.at, part.ink)).collect()
    }

    /// The boards of a strip, each with its caption: before every `every`th move, from the first
    /// on, with that move; and after the last.
    pub(crate) fn boards<'s>(
        &'s self,
        every: usize,
        limits: &'s Limits<'_>,
    ) -> impl Iterator<Item = Result<(String, Frame), DrawError>> + 's {
        self.frames(every, limits).map(|frame| {
            frame.map(|frame| {
                let caption = |step: &Step| format!("{} {}", frame.number + 1, step.caption);
                (frame.step.as_ref().map_or("end".to_owned(), caption), frame)
            })
        })
    }

    /// The number of boards that [`boards`](Self::boards) has.
    pub(crate) fn board_count(&self, every: usize) -> usize {
        self.step_count.div_ceil(every.max(1)) + 1
    }

    /// The most boards that a strip with the board before every `every`th move has.
    pub fn strip_boards(&self, every: usize) -> usize {
        // One more for the plan at a glance.
        self.board_count(every) + 1
    }

    /// The board before every `every`th step, and after the last; an error is the last item.
    pub(crate) fn frames<'s>(
        &'s self,
        every: usize,
        limits: &'s Limits<'_>,
    ) -> impl Iterator<Item = Result<Frame, DrawError>> + 's {
        let mut spots = self.start();
        let steps = self.steps().map(Some).chain([None]).enumerate();
        steps.filter_map(move |(number, step)| {
            let is_shown = step.is_none() || number.is_multiple_of(every.max(1));
            let checked = if is_shown { limits.check(0) } else { limits.check_at(number) };
            if let Err(error) = checked {
                return Some(Err(error));
            }
            let before = is_shown.then(|| spots.clone());
            for motion in step.iter().flat_map(|step| &step.motions) {
                let (at, ink) = &mut spots[motion.part];
                *at = motion.end().unwrap_or(*at);
                *ink = motion.turns.unwrap_or(*ink);
            }
            before.map(|spots| Ok(Frame { number, spots, step }))
        })
    }

    /// The whole way of each part whose way is drawn and that moves, with its number: where it
    /// starts, each place where it turns, and where it ends.
    pub(crate) fn ways(&self, limits: &Limits<'_>) -> Result<Vec<(usize, Vec<At>)>, DrawError> {
        let traced = |part: &Part| if part.traced { vec![part.at] } else { Vec::new() };
        let mut ways: Vec<Vec<At>> = self.scene.parts.iter().map(traced).collect();
        let mut places = 0;
        for step in self.steps() {
            for motion in step.motions {
                let way = &mut ways[motion.part];
                if way.is_empty() {
                    continue;
                }
                for &at in &motion.path {
                    match way[..] {
                        [.., last] if last == at => {}
                        [.., before, last] if goes_straight_on(before, last, at) => {
                            let end = way.len() - 1;
                            way[end] = at;
                        }
                        _ => {
                            way.push(at);
                            places += 1;
                        }
                    }
                }
            }
            limits.check(places * WAY_BYTES)?;
        }
        Ok(ways.into_iter().enumerate().filter(|(_, way)| way.len() > 1).collect())
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

/// Bytes of a place of a way: in a list that grows by doubling, as pixels, and as path data.
const WAY_BYTES: u64 = 64;

/// Whether the way from the second place to the third is in the direction of that from the first to
/// the second, all along a row or a column.
fn goes_straight_on(first: At, second: At, third: At) -> bool {
    let way = |from: At, to: At| ((to.x - from.x).signum(), (to.y - from.y).signum());
    let way_on = way(second, third);
    way(first, second) == way_on && (way_on.0 == 0) != (way_on.1 == 0)
}
