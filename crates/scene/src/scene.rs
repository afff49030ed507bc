//! What a picture is of: parts on a grid, and what each step moves.

use crate::ink::Ink;

/// A cell of the grid, or the corner at its upper left. What leaves the board may be anywhere around it.
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
    /// Any outline within its cell, as the path data of SVG, the cell being 1 x 1. As text it is like a disc.
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
    /// Whether text shows lines between cells, for edges and for pieces of several cells. Without them it takes less room.
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
    /// Its number among the parts of the scene. Whatever draws a film panics if there is no such part.
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

/// A board and a plan on it; without steps, the board alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// The board at first.
    pub scene: Scene,
    /// The moves.
    pub steps: Vec<Step>,
}

/// Where a part is, and its colour.
pub(crate) type Spot = (At, Ink);

impl Film {
    /// The upper left cell that anything is ever in, and the lower right one.
    pub(crate) fn extent(&self) -> (At, At) {
        let Scene { columns, rows, .. } = self.scene;
        let (mut from, mut to) = (At { x: 0, y: 0 }, At { x: columns as i32 - 1, y: rows as i32 - 1 });
        for motion in self.steps.iter().flat_map(|step| &step.motions) {
            // An edge is no cell, and the last of a line belongs to one beyond it.
            let part = &self.scene.parts[motion.part];
            for cell in motion.path.iter().flat_map(|&at| part.cells(at)) {
                from = At { x: from.x.min(cell.x), y: from.y.min(cell.y) };
                to = At { x: to.x.max(cell.x), y: to.y.max(cell.y) };
            }
        }
        (from, to)
    }

    /// The spots of all parts at first.
    pub(crate) fn start(&self) -> Vec<Spot> {
        self.scene.parts.iter().map(|part| (part.at, part.ink)).collect()
    }

    /// The spots before each step, with the step, and after the last.
    pub(crate) fn frames(&self) -> impl Iterator<Item = (Vec<Spot>, Option<&Step>)> {
        let steps = self.steps.iter().map(Some).chain([None]);
        steps.scan(self.start(), |spots, step| {
            let before = spots.clone();
            for motion in step.into_iter().flat_map(|step| &step.motions) {
                let (at, ink) = &mut spots[motion.part];
                *at = motion.end().unwrap_or(*at);
                *ink = motion.turns.unwrap_or(*ink);
            }
            Some((before, step))
        })
    }

    /// The whole way of each part whose way is drawn and that moves, with its number: places that follow one another, no two
    /// the same.
    pub(crate) fn ways(&self) -> Vec<(usize, Vec<At>)> {
        let traced = |part: &Part| if part.traced { vec![part.at] } else { Vec::new() };
        let mut ways: Vec<Vec<At>> = self.scene.parts.iter().map(traced).collect();
        for motion in self.steps.iter().flat_map(|step| &step.motions) {
            let way = &mut ways[motion.part];
            if !way.is_empty() {
                way.extend_from_slice(&motion.path);
                way.dedup();
            }
        }
        ways.into_iter().enumerate().filter(|(_, way)| way.len() > 1).collect()
    }
}
