//! What the walls can come to if each line of edges is looked at alone: no way out there is none at
//! all.
//!
//! A wall never leaves its line, a row's upright edges or a column's level ones. So a line has few
//! arrangements of walls, 2^9 at most, and the relaxation keeps of each line the set of pairs of an
//! arrangement and a cell of the line that the mover can stand on. What is forgotten is which
//! arrangements of different lines come together: who leaves a line and comes back to it by a
//! crossing line may find it in any arrangement that it ever had. That allows more than the rules
//! do, so what cannot be done here cannot be done.
//!
//! A set of arrangements is a set of bits, and a move takes all arrangements of a cell at once:
//! those with the edge free as they are, those with a wall on it and none behind it with the wall
//! one further, which is a shift. Some microseconds for the classic size.

use fewest_core::grid::{Direction, Place};

use crate::bits::take_lowest;
use crate::instance::{Edge, Instance, Size};

/// What is known of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ever {
    /// It never has a wall.
    Open,
    /// It always has one.
    Walled,
    /// Both may be.
    Changing,
}

/// What each line of edges can come to by itself.
#[derive(Clone, Debug)]
pub struct Relaxation {
    size: Size,
    /// Of each cell, and in the order of [`Direction::ALL`], whether a move may lead there.
    crossed: Vec<[bool; 4]>,
    /// Of each line, those of the rows first: the edges that have a wall in some arrangement, and
    /// those that have none in some.
    walled: Vec<u16>,
    open: Vec<u16>,
}

/// The most edges of a line.
const EDGES: usize = Size::MOST + 1;

/// A set of arrangements: bit `i` stands for that one in which edge `e` has a wall if bit `e` of
/// `i` is set.
type Arrangements<const LIMBS: usize> = [u64; LIMBS];

impl Relaxation {
    /// Looks at all lines until nothing new comes of it.
    pub fn new(maze: &Instance) -> Self {
        // 7 edges have 128 arrangements, 9 have 512.
        if maze.size().rows().max(maze.size().columns()) <= 6 {
            relax::<2>(maze)
        } else {
            relax::<8>(maze)
        }
    }

    /// Whether a move may ever lead from a cell in a direction.
    pub fn may_cross(&self, from: Place, way: Direction) -> bool {
        self.crossed[self.size.number(from)][way as usize]
    }

    /// The gaps that may be left by: the cell inside, and the way out.
    pub fn exits(&self) -> impl Iterator<Item = (Place, Direction)> {
        let ways = self.size.places().flat_map(|place| Direction::ALL.map(|way| (place, way)));
        ways.filter(|&(place, way)| {
            self.size.neighbour(place, way).is_none() && self.may_cross(place, way)
        })
    }

    /// Rules a move out that is known to be impossible for another reason.
    pub(crate) fn rule_out(&mut self, from: Place, way: Direction) {
        self.crossed[self.size.number(from)][way as usize] = false;
    }

    /// What is known of an edge.
    pub fn ever(&self, edge: Edge) -> Ever {
        let line = edge.line_number(self.size);
        match (self.walled[line] >> edge.index & 1, self.open[line] >> edge.index & 1) {
            (0, _) => Ever::Open,
            (_, 0) => Ever::Walled,
            _ => Ever::Changing,
        }
    }
}

/// For each edge the arrangements in which it has a wall.
const fn with_wall<const LIMBS: usize>() -> [Arrangements<LIMBS>; EDGES] {
    // Of 64 numbers in a row, those with the bit.
    const IN_LIMB: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    let mut sets = [[0; LIMBS]; EDGES];
    let mut edge = 0;
    while edge < EDGES {
        let mut limb = 0;
        while limb < LIMBS {
            sets[edge][limb] = if edge < 6 {
                IN_LIMB[edge]
            } else if limb >> (edge - 6) & 1 == 1 {
                u64::MAX
            } else {
                0
            };
            limb += 1;
        }
        edge += 1;
    }
    sets
}

/// A line while it is looked at.
#[derive(Clone)]
struct Line<const LIMBS: usize> {
    cells: usize,
    /// The arrangements in which the mover can stand on each cell.
    standing: [Arrangements<LIMBS>; Size::MOST],
    /// All that there can be.
    all: Arrangements<LIMBS>,
    /// The cells that can be come to along the line, and by the lines across it: a bit each.
    come_along: u64,
    come_across: u64,
}

impl<const LIMBS: usize> Line<LIMBS> {
    const WITH_WALL: [Arrangements<LIMBS>; EDGES] = with_wall();

    /// The arrangements after a move from a cell to the next, up or down the line, or out.
    fn after(&self, cell: usize, is_up: bool) -> Arrangements<LIMBS> {
        let standing = &self.standing[cell];
        let edge = if is_up { cell + 1 } else { cell };
        let wall = &Self::WITH_WALL[edge];
        let mut after = std::array::from_fn(|limb| standing[limb] & !wall[limb]);
        let ahead = if is_up {
            Some(edge + 1).filter(|&ahead| ahead <= self.cells)
        } else {
            edge.checked_sub(1)
        };
        if let Some(ahead) = ahead {
            let wall_ahead = &Self::WITH_WALL[ahead];
            let pushed =
                std::array::from_fn(|limb| standing[limb] & wall[limb] & !wall_ahead[limb]);
            // A wall that goes one edge up doubles what its bit is worth.
            let pushed = if is_up { up(&pushed, 1 << edge) } else { down(&pushed, 1 << ahead) };
            add(&mut after, &pushed);
        }
        after
    }

    /// Goes up and down the line until nothing new comes of it.
    fn settle(&mut self) {
        // The cells with arrangements that were not gone on from.
        let mut waiting = self.come_in();
        while let Some(cell) = take_lowest(&mut waiting) {
            for (is_up, to) in [(true, cell + 1), (false, cell.wrapping_sub(1))] {
                if to >= self.cells {
                    continue;
                }
                let after = self.after(cell, is_up);
                if after != [0; LIMBS] {
                    self.come_along |= 1 << to;
                    waiting |= u64::from(add(&mut self.standing[to], &after)) << to;
                    if add(&mut self.all, &after) {
                        waiting |= self.come_in();
                    }
                }
            }
        }
    }

    /// Comes to the line by those across it, whatever its arrangement. Returns the cells where that
    /// is new.
    fn come_in(&mut self) -> u64 {
        let mut new = 0;
        for cell in ones(self.come_across) {
            new |= u64::from(add(&mut self.standing[cell], &self.all)) << cell;
        }
        new
    }

    /// The edges for which it holds in some arrangement.
    fn edges(&self, holds: fn(u64, u64) -> u64) -> u16 {
        let some = |edge: &usize| {
            self.all.iter().zip(&Self::WITH_WALL[*edge]).any(|(&all, &wall)| holds(all, wall) != 0)
        };
        (0..=self.cells).filter(some).fold(0, |edges, edge| edges | 1 << edge)
    }
}

/// The bits that are set.
fn ones(mut cells: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || take_lowest(&mut cells))
}

fn relax<const LIMBS: usize>(maze: &Instance) -> Relaxation {
    let size = maze.size();
    let (rows, columns) = (size.rows(), size.columns());
    let line = |cells| Line {
        cells,
        standing: [[0; LIMBS]; Size::MOST],
        all: [0; LIMBS],
        come_along: 0,
        come_across: 0,
    };
    let mut lines = vec![line(columns); rows];
    lines.resize(rows + columns, line(rows));
    for (number, line) in lines.iter_mut().enumerate() {
        let first = maze.walls().of_line(number, size);
        line.all[first / 64] = 1 << (first % 64);
    }
    let Place { row, column } = maze.start();
    lines[row].come_across = 1 << column;
    lines[rows + column].come_across = 1 << row;
    // The lines to be looked at.
    let mut waiting: u64 = 1 << row | 1 << (rows + column);
    while let Some(number) = take_lowest(&mut waiting) {
        lines[number].settle();
        // Where it lies among the lines across it, and which of these is the first.
        let (index, first) = if number < rows { (number, rows) } else { (number - rows, 0) };
        for cell in ones(lines[number].come_along) {
            let across = &mut lines[first + cell];
            if across.come_across >> index & 1 == 0 {
                across.come_across |= 1 << index;
                waiting |= 1 << (first + cell);
            }
        }
    }
    let may_cross = |place: Place| {
        Direction::ALL.map(|way| {
            let edge = Edge::of(place, way);
            let cell = if edge.in_row { place.column } else { place.row };
            lines[edge.line_number(size)].after(cell, edge.index > cell) != [0; LIMBS]
        })
    };
    Relaxation {
        size,
        crossed: size.places().map(may_cross).collect(),
        walled: lines.iter().map(|line| line.edges(|all, wall| all & wall)).collect(),
        open: lines.iter().map(|line| line.edges(|all, wall| all & !wall)).collect(),
    }
}

/// The set with each number made greater.
fn up<const LIMBS: usize>(set: &Arrangements<LIMBS>, by: usize) -> Arrangements<LIMBS> {
    let at =
        |limb: usize, back: usize| limb.checked_sub(back).map_or(0, |limb| u128::from(set[limb]));
    std::array::from_fn(|limb| {
        let pair = at(limb, by / 64) << 64 | at(limb, by / 64 + 1);
        (pair << (by % 64) >> 64) as u64
    })
}

/// The set with each number made less.
fn down<const LIMBS: usize>(set: &Arrangements<LIMBS>, by: usize) -> Arrangements<LIMBS> {
    let at = |limb: usize, on: usize| set.get(limb + on).map_or(0, |&limb| u128::from(limb));
    std::array::from_fn(|limb| {
        let pair = at(limb, by / 64 + 1) << 64 | at(limb, by / 64);
        (pair >> (by % 64)) as u64
    })
}

/// Adds to a set, and tells whether anything was new.
fn add<const LIMBS: usize>(set: &mut Arrangements<LIMBS>, more: &Arrangements<LIMBS>) -> bool {
    let mut new = 0;
    for (set, more) in set.iter_mut().zip(more) {
        new |= more & !*set;
        *set |= more;
    }
    new != 0
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use fewest_core::random::Random;

    use super::*;
    use crate::generate::{Wanted, maze};
    use crate::rules;

    /// Nothing happens on random walks that the relaxation rules out.
    #[test]
    fn what_is_ruled_out_does_not_happen() {
        let mut random = Random::from_seed(1);
        for round in 0..3000 {
            let size = Size::new(1 + round % 8, 1 + round / 8 % 8).expect("a size");
            let wanted = Wanted { size, walls: 20 + random.below(60), gaps: random.below(8) };
            let maze = maze(wanted, &mut random);
            let relaxation = Relaxation::new(&maze);
            let mut board = rules::start(&maze);
            for _ in 0..100 {
                for edge in Edge::all(size) {
                    let impossible = if board.walls.has(edge) { Ever::Open } else { Ever::Walled };
                    assert_ne!(relaxation.ever(edge), impossible, "{edge:?}\n{maze}");
                }
                let way = Direction::ALL[random.below(4)];
                let (from, mut after) = (board.place.expect("inside"), board);
                if rules::play(&maze, &mut after, way).is_ok() {
                    assert!(relaxation.may_cross(from, way), "{from} {way}\n{maze}");
                    if after.place.is_some() {
                        board = after;
                    }
                }
            }
        }
    }

    /// In a single row nothing is forgotten, so what is not ruled out does happen.
    #[test]
    fn of_a_single_row_it_knows_all() {
        let mut random = Random::from_seed(2);
        for round in 0..2000 {
            let wanted = Wanted {
                size: Size::new(1, 1 + round % 8).expect("a size"),
                walls: 40,
                gaps: random.below(3),
            };
            let maze = maze(wanted, &mut random);
            let (mut met, mut next) = (BTreeSet::new(), vec![rules::start(&maze)]);
            let mut crossed = BTreeSet::new();
            while let Some(board) = next.pop() {
                if board.place.is_some() && met.insert(board) {
                    for way in Direction::ALL {
                        let mut after = board;
                        if rules::play(&maze, &mut after, way).is_ok() {
                            crossed.insert((board.place, way as usize));
                            next.push(after);
                        }
                    }
                }
            }
            let relaxation = Relaxation::new(&maze);
            for place in maze.size().places() {
                for way in Direction::ALL {
                    let happens = crossed.contains(&(Some(place), way as usize));
                    assert_eq!(relaxation.may_cross(place, way), happens, "{place} {way}\n{maze}");
                }
            }
        }
    }
}
