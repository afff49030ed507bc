//! Halloween: all ghosts move at the same time, without collisions or exchanges (UVa 1601).
//!
//! A program solves all data sets of an input. Each has at most three ghosts.

pub mod breadth_first;
pub mod informed;

/// A cell of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The column.
    pub x: u8,
    /// The row.
    pub y: u8,
}

/// A map with its ghosts. Its border consists of walls.
#[derive(Clone, Debug)]
pub struct GhostMap {
    rows: Vec<Vec<u8>>,
    /// The start of each ghost.
    starts: Vec<Cell>,
    /// The goal of each ghost.
    goals: Vec<Cell>,
}

impl GhostMap {
    /// Reads the data sets of a valid input in the contest format, each with at most its first
    /// `max_ghosts` ghosts.
    pub fn read(text: &str, max_ghosts: usize) -> Vec<Self> {
        let mut lines = text.lines();
        let mut maps = Vec::new();
        while let Some(line) = lines.next() {
            let sizes: Vec<usize> =
                line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            let &[width, height, count] = sizes.as_slice() else { continue };
            if width == 0 {
                break;
            }
            let row = |line: &str| format!("{line:<width$}").into_bytes();
            let rows: Vec<_> = lines.by_ref().take(height).map(row).collect();
            let cell = |letter: u8| {
                let mut cells = rows.iter().enumerate().flat_map(|(y, row)| {
                    row.iter()
                        .position(|&other| other == letter)
                        .map(|x| Cell { x: x as u8, y: y as u8 })
                });
                cells.next().expect("each ghost has a start and a goal")
            };
            let letters = 0..count.min(max_ghosts) as u8;
            let starts = letters.clone().map(|ghost| cell(b'a' + ghost)).collect();
            let goals = letters.map(|ghost| cell(b'A' + ghost)).collect();
            maps.push(Self { rows, starts, goals });
        }
        maps
    }

    /// The number of ghosts.
    fn ghost_count(&self) -> usize {
        self.starts.len()
    }

    /// Two cells that no ghost can leave or enter: upper corners of the border.
    fn isolated(&self) -> [Cell; 2] {
        [Cell { x: 0, y: 0 }, Cell { x: self.rows[0].len() as u8 - 1, y: 0 }]
    }

    /// The cell after one step of one ghost, or `None` if it is a wall. Direction 0 is to stay, 1
    /// to 4 are north, west, east and south.
    fn step(&self, from: Cell, direction: usize) -> Option<Cell> {
        const OFFSETS: [(u8, u8); 5] = [(0, 0), (0, u8::MAX), (u8::MAX, 0), (1, 0), (0, 1)];
        let to = Cell {
            x: from.x.wrapping_add(OFFSETS[direction].0),
            y: from.y.wrapping_add(OFFSETS[direction].1),
        };
        let is_open = |cell: Cell| {
            self.rows
                .get(cell.y as usize)
                .and_then(|row| row.get(cell.x as usize))
                .is_some_and(|&cell| cell != b'#')
        };
        (direction == 0 || is_open(to)).then_some(to)
    }

    /// The cells that one ghost can be in after one step: its own and its open neighbours.
    fn step_targets(&self, from: Cell) -> impl Iterator<Item = Cell> + '_ {
        (0..5).filter_map(move |direction| self.step(from, direction))
    }
}

/// Calls `emit` with each joint step from the cells `from` of all ghosts. `step_targets` are the
/// cells that a single ghost can be in after one step.
fn joint_steps<const N: usize, C: Copy + Eq, I: Iterator<Item = C>>(
    from: &[C; N],
    step_targets: &impl Fn(C) -> I,
    emit: &mut impl FnMut([C; N]),
) {
    /// Chooses the steps of the ghosts from `ghost` on.
    fn choose<const N: usize, C: Copy + Eq, I: Iterator<Item = C>>(
        ghost: usize,
        from: &[C; N],
        to: &mut [C; N],
        step_targets: &impl Fn(C) -> I,
        emit: &mut impl FnMut([C; N]),
    ) {
        if ghost == N {
            return emit(*to);
        }
        for cell in step_targets(from[ghost]) {
            let collides =
                |other: usize| cell == to[other] || cell == from[other] && from[ghost] == to[other];
            if !(0..ghost).any(collides) {
                to[ghost] = cell;
                choose(ghost + 1, from, to, step_targets, emit);
            }
        }
    }
    choose(0, from, &mut from.clone(), step_targets, emit);
}

/// A numbering of the open cells of a map.
struct Numbering {
    /// The cell of each number.
    cells: Vec<Cell>,
    /// The number of each cell, by row and column.
    numbers: Vec<[u16; 256]>,
    /// The step targets of each cell.
    step_targets: Vec<Vec<u16>>,
}

impl Numbering {
    /// Numbers the open cells of a map, then the two isolated cells.
    fn new(map: &GhostMap) -> Self {
        let mut cells = Vec::new();
        for (y, row) in map.rows.iter().enumerate() {
            let open = (0..row.len()).filter(|&x| row[x] != b'#');
            cells.extend(open.map(|x| Cell { x: x as u8, y: y as u8 }));
        }
        cells.extend(map.isolated());
        let mut numbers = vec![[0; 256]; map.rows.len()];
        for (number, cell) in cells.iter().enumerate() {
            numbers[cell.y as usize][cell.x as usize] = number as u16;
        }
        let number = |cell: Cell| numbers[cell.y as usize][cell.x as usize];
        let step_targets =
            cells.iter().map(|&cell| map.step_targets(cell).map(number).collect()).collect();
        Self { cells, numbers, step_targets }
    }

    fn number(&self, cell: Cell) -> u16 {
        self.numbers[cell.y as usize][cell.x as usize]
    }

    /// The state of these cells: one number, with a cell as a digit.
    fn pack<const N: usize>(&self, cells: [u16; N]) -> u32 {
        cells.iter().fold(0, |state, &cell| state * self.cells.len() as u32 + u32::from(cell))
    }

    fn unpack<const N: usize>(&self, mut state: u32) -> [u16; N] {
        let mut cells = [0; N];
        for cell in cells.iter_mut().rev() {
            *cell = (state % self.cells.len() as u32) as u16;
            state /= self.cells.len() as u32;
        }
        cells
    }

    /// The number of states of this many ghosts.
    fn state_count(&self, ghosts: usize) -> usize {
        self.cells.len().pow(ghosts as u32)
    }
}

/// The cells of `N` ghosts: the given ones, then dummies in isolated cells.
fn with_dummies<const N: usize>(map: &GhostMap, cells: &[Cell]) -> [Cell; N] {
    let mut dummies = map.isolated().into_iter();
    std::array::from_fn(|ghost| {
        cells.get(ghost).copied().or_else(|| dummies.next()).expect("at most three ghosts")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    type Program = fn(&[GhostMap]) -> Vec<crate::SearchResult>;

    const PROGRAMS: [Program; 10] = [
        breadth_first::structs,
        breadth_first::packed,
        breadth_first::fx,
        breadth_first::own_table,
        breadth_first::cleared,
        breadth_first::stamped,
        breadth_first::numbered,
        breadth_first::lists,
        breadth_first::exact,
        informed::astar,
    ];

    fn costs(program: Program, maps: &[GhostMap]) -> Vec<Option<u32>> {
        program(maps).iter().map(|result| result.moves).collect()
    }

    #[test]
    fn all_programs_solve_the_sample() {
        let maps = GhostMap::read(include_str!("../../../../testdata/halloween/sample.in"), 3);
        for program in PROGRAMS.into_iter().chain([informed::bidirectional as Program]) {
            assert_eq!(costs(program, &maps), [Some(7), Some(36), Some(77)]);
        }
    }

    #[test]
    fn fewer_ghosts_need_no_more_steps_with_and_without_dummies() {
        let text = include_str!("../../../../testdata/halloween/community_10x5.in");
        for ghosts in [1, 2] {
            let maps = GhostMap::read(text, ghosts);
            let exact = costs(breadth_first::exact, &maps);
            assert_eq!(costs(breadth_first::lists, &maps), exact);
            assert_eq!(costs(informed::astar, &maps), exact);
            let all = costs(breadth_first::exact, &GhostMap::read(text, 3));
            assert!(all.iter().zip(&exact).all(|(all, fewer)| all.is_none() || fewer <= all));
        }
    }

    #[test]
    fn programs_that_differ_only_in_the_state_return_the_same_results() {
        let maps =
            GhostMap::read(include_str!("../../../../testdata/halloween/community_10x5.in"), 3);
        let baseline = breadth_first::structs(&maps);
        for program in &PROGRAMS[1..9] {
            let results = program(&maps);
            // The order of cells is the same, so the order of states is the same.
            assert_eq!(results, baseline);
        }
    }
}
