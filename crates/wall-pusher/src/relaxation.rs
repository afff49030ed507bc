//! A relaxation of the maze that treats each line of edges alone. If the relaxed maze has no plan,
//! the maze has none.
//!
//! # Lines and arrangements
//!
//! A wall on a vertical edge can only be pushed east or west, so it never leaves the line of its
//! row. In the same way, a wall on a horizontal edge never leaves the line of its column. An
//! *arrangement* of a line is the set of its edges that have a wall. The line of a row or column of
//! `n` cells has `n + 1` edges and therefore at most `2^(n + 1)` arrangements, at most `2^9 = 512`.
//!
//! # The relaxation
//!
//! A state of the maze consists of the cell of the player and the arrangements of all lines. The
//! relaxation does not store such states. It stores one set per line: the reachable pairs of a cell
//! of the line and an arrangement of the line. Two rules generate the pairs:
//!
//! 1. **Moves along the line.** From each reachable pair, the player moves to the next cell of the
//!    line by the rules of the puzzle, with or without a push. This gives another pair.
//! 2. **Entries from a crossing line.** If a move along a crossing line reaches a cell, this cell
//!    is reachable with every arrangement of this line that has been generated so far. The same
//!    holds for the start cell.
//!
//! Rule 2 is the relaxation. It forgets which arrangements of different lines occur together, so a
//! player who leaves a line and enters it again may find any of its arrangements. The rules are
//! applied until no set grows.
//!
//! By induction over its moves, each sequence of legal moves in the maze is also possible in the
//! relaxed maze. So three kinds of facts about the relaxed maze hold for the maze as well: a move
//! that is never possible, an edge that never has a wall or always has one, and a lower bound on a
//! distance. The converse does not hold in general.
//!
//! # Cost
//!
//! A set of arrangements is a bit set, and a move is applied to all arrangements of a cell at once:
//! the arrangements without a wall on the crossed edge stay as they are, and those with a wall on
//! it and none on the next edge are shifted. The relaxation of a maze of 4 x 6 cells takes a few
//! microseconds.

use fewest_geometry::{Cell, Direction};

use crate::bits::take_lowest;
use crate::instance::{Edge, Instance, Size};

/// What the relaxation proves about the wall of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeStatus {
    /// The edge never has a wall.
    Open,
    /// The edge always has a wall.
    Walled,
    /// Nothing is proved: the edge may have a wall at some times and none at others.
    Unknown,
}

/// The result of the relaxation: which moves may be possible, and which edges may change.
#[derive(Clone, Debug)]
pub struct Relaxation {
    size: Size,
    /// For each cell and each direction, in the order of [`Direction::ALL`], whether the move is
    /// possible in the relaxed maze.
    crossable: Vec<[bool; 4]>,
    /// For each [line](Edge::line_number), the edges that have a wall in some arrangement.
    walled: Vec<u16>,
    /// For each line, the edges that have no wall in some arrangement.
    open: Vec<u16>,
}

/// The greatest number of edges of a line.
const MAX_EDGES: usize = Size::MAX_SIDE + 1;

/// A set of arrangements of a line. An arrangement is numbered by its walls: bit `e` of the number
/// is set if edge `e` has a wall. Bit `i` of the set is set if arrangement `i` is in it.
///
/// A *limb* is a word of the bit set: limb `n` has the arrangements `64 n` to `64 n + 63`.
type Arrangements<const LIMBS: usize> = [u64; LIMBS];

impl Relaxation {
    /// Computes the relaxation of a maze.
    pub fn new(maze: &Instance) -> Self {
        // 7 edges have 128 arrangements, 9 edges have 512.
        if maze.size().rows().max(maze.size().columns()) <= 6 {
            relax::<2>(maze)
        } else {
            relax::<8>(maze)
        }
    }

    /// Whether a move from a cell in a direction may be possible. `false` is a proof that it is
    /// not.
    pub fn may_cross(&self, from: Cell, direction: Direction) -> bool {
        self.crossable[self.size.index(from)][direction as usize]
    }

    /// The gaps through which a plan may leave: for each, its cell and the direction out.
    pub fn gaps(&self) -> impl Iterator<Item = (Cell, Direction)> {
        let moves =
            self.size.cells().flat_map(|place| Direction::ALL.map(|direction| (place, direction)));
        moves.filter(|&(place, direction)| {
            self.size.neighbour(place, direction).is_none() && self.may_cross(place, direction)
        })
    }

    /// Excludes a move that is known to be impossible for another reason.
    pub(crate) fn rule_out(&mut self, from: Cell, direction: Direction) {
        self.crossable[self.size.index(from)][direction as usize] = false;
    }

    /// What is proved about the wall of an edge.
    pub fn edge_status(&self, edge: Edge) -> EdgeStatus {
        let line = edge.line_number(self.size);
        match (self.walled[line] >> edge.index & 1, self.open[line] >> edge.index & 1) {
            (0, _) => EdgeStatus::Open,
            (_, 0) => EdgeStatus::Walled,
            _ => EdgeStatus::Unknown,
        }
    }
}

/// For each edge, the set of all arrangements in which it has a wall.
const fn with_wall<const LIMBS: usize>() -> [Arrangements<LIMBS>; MAX_EDGES] {
    // Entry `e` has the bits `i` below 64 for which bit `e` of `i` is set.
    const WITHIN_LIMB: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    let mut sets = [[0; LIMBS]; MAX_EDGES];
    let mut edge = 0;
    while edge < MAX_EDGES {
        let mut limb = 0;
        while limb < LIMBS {
            sets[edge][limb] = if edge < 6 {
                WITHIN_LIMB[edge]
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

/// The reachable pairs of one line.
#[derive(Clone)]
struct LineRelaxation<const LIMBS: usize> {
    cell_count: usize,
    /// For each cell of the line, the arrangements with which the player can be on it.
    reachable: [Arrangements<LIMBS>; Size::MAX_SIDE],
    /// All arrangements that have been generated, the first one included.
    generated: Arrangements<LIMBS>,
    /// The cells that a move along the line reaches, one bit each.
    reached_along: u64,
    /// The start cell and the cells that a move along a crossing line reaches, one bit each.
    reached_across: u64,
}

impl<const LIMBS: usize> LineRelaxation<LIMBS> {
    const WITH_WALL: [Arrangements<LIMBS>; MAX_EDGES] = with_wall();

    /// The arrangements after a move from a cell along the line, to the next cell or outside;
    /// `forward` is to the east or south.
    fn after_move(&self, cell: usize, forward: bool) -> Arrangements<LIMBS> {
        let before = &self.reachable[cell];
        let edge = if forward { cell + 1 } else { cell };
        let wall = &Self::WITH_WALL[edge];
        let mut after = std::array::from_fn(|limb| before[limb] & !wall[limb]);
        let ahead = if forward {
            Some(edge + 1).filter(|&ahead| ahead <= self.cell_count)
        } else {
            edge.checked_sub(1)
        };
        if let Some(ahead) = ahead {
            let wall_ahead = &Self::WITH_WALL[ahead];
            let pushed = std::array::from_fn(|limb| before[limb] & wall[limb] & !wall_ahead[limb]);
            // The push replaces 2^edge by 2^ahead in the number of the arrangement.
            let pushed = if forward {
                shift_up(&pushed, 1 << edge)
            } else {
                shift_down(&pushed, 1 << ahead)
            };
            insert_all(&mut after, &pushed);
        }
        after
    }

    /// Applies both rules to the line until no set grows.
    fn run_to_fixpoint(&mut self) {
        // The cells whose set has grown since its moves were last applied.
        let mut grown = self.enter_across();
        while let Some(cell) = take_lowest(&mut grown) {
            for (forward, to) in [(true, cell + 1), (false, cell.wrapping_sub(1))] {
                if to >= self.cell_count {
                    continue;
                }
                let after = self.after_move(cell, forward);
                if after != [0; LIMBS] {
                    self.reached_along |= 1 << to;
                    grown |= u64::from(insert_all(&mut self.reachable[to], &after)) << to;
                    if insert_all(&mut self.generated, &after) {
                        grown |= self.enter_across();
                    }
                }
            }
        }
    }

    /// Applies rule 2: the cells that are reached across the line are reachable with all generated
    /// arrangements. Returns the cells whose set has grown.
    fn enter_across(&mut self) -> u64 {
        let mut grown = 0;
        for cell in set_bits(self.reached_across) {
            grown |= u64::from(insert_all(&mut self.reachable[cell], &self.generated)) << cell;
        }
        grown
    }

    /// The edges for which `select` keeps some arrangement. `select` gets one limb of the generated
    /// arrangements and the same limb of the arrangements with a wall on the edge.
    fn edges_where(&self, select: fn(u64, u64) -> u64) -> u16 {
        let is_selected = |edge: &usize| {
            let with_wall = &Self::WITH_WALL[*edge];
            self.generated
                .iter()
                .zip(with_wall)
                .any(|(&generated, &wall)| select(generated, wall) != 0)
        };
        (0..=self.cell_count).filter(is_selected).fold(0, |edges, edge| edges | 1 << edge)
    }
}

/// The indices of the set bits, in ascending order.
fn set_bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || take_lowest(&mut bits))
}

fn relax<const LIMBS: usize>(maze: &Instance) -> Relaxation {
    let size = maze.size();
    let (rows, columns) = (size.rows(), size.columns());
    let line = |cell_count| LineRelaxation {
        cell_count,
        reachable: [[0; LIMBS]; Size::MAX_SIDE],
        generated: [0; LIMBS],
        reached_along: 0,
        reached_across: 0,
    };
    let mut lines = vec![line(columns); rows];
    lines.resize(rows + columns, line(rows));
    for (number, line) in lines.iter_mut().enumerate() {
        let arrangement = maze.walls().of_line(number, size);
        line.generated[arrangement / 64] = 1 << (arrangement % 64);
    }
    let (row, column) = (maze.start().row as usize, maze.start().column as usize);
    lines[row].reached_across = 1 << column;
    lines[rows + column].reached_across = 1 << row;
    // The lines with a cell that has been reached across since they were last processed.
    let mut pending: u64 = 1 << row | 1 << (rows + column);
    while let Some(number) = take_lowest(&mut pending) {
        lines[number].run_to_fixpoint();
        // The index of this line among its parallels, and the number of the first crossing line.
        let (index, first_crossing) =
            if number < rows { (number, rows) } else { (number - rows, 0) };
        for cell in set_bits(lines[number].reached_along) {
            let crossing = &mut lines[first_crossing + cell];
            if crossing.reached_across >> index & 1 == 0 {
                crossing.reached_across |= 1 << index;
                pending |= 1 << (first_crossing + cell);
            }
        }
    }
    let crossable = |place: Cell| {
        Direction::ALL.map(|direction| {
            let edge = Edge::of(place, direction);
            let cell = if edge.in_row { place.column } else { place.row } as usize;
            lines[edge.line_number(size)].after_move(cell, edge.index > cell) != [0; LIMBS]
        })
    };
    Relaxation {
        size,
        crossable: size.cells().map(crossable).collect(),
        walled: lines
            .iter()
            .map(|line| line.edges_where(|generated, wall| generated & wall))
            .collect(),
        open: lines
            .iter()
            .map(|line| line.edges_where(|generated, wall| generated & !wall))
            .collect(),
    }
}

/// The set with `by` added to the number of each arrangement.
fn shift_up<const LIMBS: usize>(set: &Arrangements<LIMBS>, by: usize) -> Arrangements<LIMBS> {
    let limb_below = |limb: usize, distance: usize| {
        limb.checked_sub(distance).map_or(0, |limb| u128::from(set[limb]))
    };
    std::array::from_fn(|limb| {
        let pair = limb_below(limb, by / 64) << 64 | limb_below(limb, by / 64 + 1);
        (pair << (by % 64) >> 64) as u64
    })
}

/// The set with `by` subtracted from the number of each arrangement.
fn shift_down<const LIMBS: usize>(set: &Arrangements<LIMBS>, by: usize) -> Arrangements<LIMBS> {
    let limb_above =
        |limb: usize, distance: usize| set.get(limb + distance).map_or(0, |&limb| u128::from(limb));
    std::array::from_fn(|limb| {
        let pair = limb_above(limb, by / 64 + 1) << 64 | limb_above(limb, by / 64);
        (pair >> (by % 64)) as u64
    })
}

/// Inserts all elements of `other` into `set`. Returns whether one of them is new.
fn insert_all<const LIMBS: usize>(
    set: &mut Arrangements<LIMBS>,
    other: &Arrangements<LIMBS>,
) -> bool {
    let mut new = 0;
    for (set, other) in set.iter_mut().zip(other) {
        new |= other & !*set;
        *set |= other;
    }
    new != 0
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use fewest_puzzle::random::Random;
    use fewest_rules::Rules;

    use super::*;
    use crate::generate::{MazeOptions, maze};

    #[test]
    fn random_walks_make_no_move_and_no_change_that_is_ruled_out() {
        let mut random = Random::from_seed(1);
        for round in 0..3000 {
            let size = Size::new(1 + round % 8, 1 + round / 8 % 8).expect("a size");
            let options = MazeOptions { size, walls: 20 + random.below(60), gaps: random.below(8) };
            let maze = maze(options, &mut random);
            let relaxation = Relaxation::new(&maze);
            let mut board = maze.start_board();
            for _ in 0..100 {
                for edge in Edge::all(size) {
                    let impossible =
                        if board.walls.has(edge) { EdgeStatus::Open } else { EdgeStatus::Walled };
                    assert_ne!(relaxation.edge_status(edge), impossible, "{edge:?}\n{maze}");
                }
                let direction = Direction::ALL[random.below(4)];
                let (from, mut after) = (board.place.expect("inside"), board);
                if maze.play(&mut after, &direction).is_ok() {
                    assert!(relaxation.may_cross(from, direction), "{from} {direction}\n{maze}");
                    if after.place.is_some() {
                        board = after;
                    }
                }
            }
        }
    }

    /// In a single row rule 2 forgets nothing: no wall is on the path behind the player, who can
    /// return to the start with every arrangement.
    #[test]
    fn relaxation_of_a_single_row_is_exact() {
        let mut random = Random::from_seed(2);
        for round in 0..2000 {
            let options = MazeOptions {
                size: Size::new(1, 1 + round % 8).expect("a size"),
                walls: 40,
                gaps: random.below(3),
            };
            let maze = maze(options, &mut random);
            let (mut visited, mut stack) = (BTreeSet::new(), vec![maze.start_board()]);
            let mut crossed = BTreeSet::new();
            while let Some(board) = stack.pop() {
                if board.place.is_some() && visited.insert(board) {
                    for direction in Direction::ALL {
                        let mut after = board;
                        if maze.play(&mut after, &direction).is_ok() {
                            crossed.insert((board.place, direction as usize));
                            stack.push(after);
                        }
                    }
                }
            }
            let relaxation = Relaxation::new(&maze);
            for place in maze.size().cells() {
                for direction in Direction::ALL {
                    let occurs = crossed.contains(&(Some(place), direction as usize));
                    assert_eq!(
                        relaxation.may_cross(place, direction),
                        occurs,
                        "{place} {direction}\n{maze}"
                    );
                }
            }
        }
    }
}
