//! Numbers for the open cells of a grid, and their neighbours.

use std::collections::VecDeque;

/// The number of an open cell.
pub type Cell = u16;

/// The distance to a cell that is not reachable; see [`Cells::distances`].
pub const UNREACHABLE: u16 = u16::MAX;

/// The open cells of a grid, numbered from 0 row by row, with the neighbours of each.
///
/// Walls have no number. So a position takes `ceil(log2(len))` bits, and the successors of a
/// position are a list: no move needs a test for walls. `x` is the column and `y` the row, both
/// from 0.
///
/// Memory: about 18 bytes per open cell and 4 bytes per cell of the grid.
///
/// ```
/// use fewest_core::encoding::Cells;
///
/// let rows = ["#  ", "  #"];
/// let cells = Cells::new(3, 2, |x, y| rows[y].as_bytes()[x] == b' ').unwrap();
/// assert_eq!(cells.len(), 4);
/// assert_eq!((cells.at(1, 0), cells.place(3)), (Some(0), (1, 1)));
/// assert_eq!(cells.neighbours(0), [1, 3]);
/// ```
#[derive(Clone, Debug)]
pub struct Cells {
    width: usize,
    /// By grid index `y * width + x`: the number of the cell, if it is open.
    numbers: Vec<Option<Cell>>,
    /// By cell number: the grid index.
    grid_indices: Vec<u32>,
    /// Cell `c` and its neighbours are `closed[first[c]..first[c + 1]]`.
    first: Vec<u32>,
    closed: Vec<Cell>,
}

impl Cells {
    /// Numbers the cells for which `is_open(x, y)` is true. `None` if there are more than 65,535.
    pub fn new(
        width: usize,
        height: usize,
        is_open: impl Fn(usize, usize) -> bool,
    ) -> Option<Self> {
        let mut numbers = Vec::with_capacity(width * height);
        let mut grid_indices = Vec::new();
        for y in 0..height {
            for x in 0..width {
                numbers.push(if is_open(x, y) {
                    let cell =
                        Cell::try_from(grid_indices.len()).ok().filter(|&cell| cell < Cell::MAX)?;
                    grid_indices.push((y * width + x) as u32);
                    Some(cell)
                } else {
                    None
                });
            }
        }
        let mut first = Vec::with_capacity(grid_indices.len() + 1);
        first.push(0);
        let mut closed = Vec::with_capacity(5 * grid_indices.len());
        for (cell, &index) in grid_indices.iter().enumerate() {
            closed.push(cell as Cell);
            let (x, y) = (index as usize % width, index as usize / width);
            let north = (y > 0).then(|| (x, y.wrapping_sub(1)));
            let west = (x > 0).then(|| (x.wrapping_sub(1), y));
            let east = (x + 1 < width).then_some((x + 1, y));
            let south = (y + 1 < height).then_some((x, y + 1));
            for (x, y) in [north, west, east, south].into_iter().flatten() {
                closed.extend(numbers[y * width + x]);
            }
            first.push(closed.len() as u32);
        }
        Some(Self { width, numbers, grid_indices, first, closed })
    }

    /// The number of open cells.
    pub fn len(&self) -> usize {
        self.grid_indices.len()
    }

    /// Whether every cell is a wall.
    pub fn is_empty(&self) -> bool {
        self.grid_indices.is_empty()
    }

    /// The number of the cell at column `x` and row `y`. `None` if it is a wall or not on the grid.
    pub fn at(&self, x: usize, y: usize) -> Option<Cell> {
        (x < self.width).then(|| self.numbers.get(y * self.width + x).copied().flatten()).flatten()
    }

    /// The column and the row of a cell: the inverse of [`at`](Self::at).
    ///
    /// # Panics
    /// If `cell` is not below [`len`](Self::len).
    pub fn place(&self, cell: Cell) -> (usize, usize) {
        let index = self.grid_indices[usize::from(cell)] as usize;
        (index % self.width, index / self.width)
    }

    /// The open cells that share an edge with `cell`, in the order north, west, east, south.
    ///
    /// # Panics
    /// If `cell` is not below [`len`](Self::len).
    #[inline]
    pub fn neighbours(&self, cell: Cell) -> &[Cell] {
        &self.closed_neighbourhood(cell)[1..]
    }

    /// `cell`, followed by its [`neighbours`](Self::neighbours): all cells where an agent at `cell`
    /// can be after one step or after staying.
    ///
    /// # Panics
    /// If `cell` is not below [`len`](Self::len).
    #[inline]
    pub fn closed_neighbourhood(&self, cell: Cell) -> &[Cell] {
        let cell = usize::from(cell);
        &self.closed[self.first[cell] as usize..self.first[cell + 1] as usize]
    }

    /// Computes the number of steps from `from` to every cell. `distances` is indexed by cell
    /// number; a cell that is not reachable gets [`UNREACHABLE`].
    ///
    /// Time: one breadth-first search. Time and memory are proportional to the number of cells.
    ///
    /// # Panics
    /// If `distances` is shorter than [`len`](Self::len), or `from` is not below it.
    pub fn distances(&self, from: Cell, distances: &mut [u16]) {
        distances.fill(UNREACHABLE);
        distances[usize::from(from)] = 0;
        let mut queue = VecDeque::from([from]);
        while let Some(cell) = queue.pop_front() {
            let next = distances[usize::from(cell)] + 1;
            for &neighbour in self.neighbours(cell) {
                let distance = &mut distances[usize::from(neighbour)];
                if *distance == UNREACHABLE {
                    *distance = next;
                    queue.push_back(neighbour);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(rows: &[&str]) -> Cells {
        Cells::new(rows[0].len(), rows.len(), |x, y| rows[y].as_bytes()[x] == b' ').unwrap()
    }

    #[test]
    fn cells_are_numbered_row_by_row_and_list_their_neighbours() {
        let cells = cells(&["# #", "   ", "# #"]);
        assert_eq!(cells.len(), 5);
        assert_eq!(cells.neighbours(2), [0, 1, 3, 4]);
        assert_eq!(cells.neighbours(0), [2]);
        assert_eq!((cells.at(1, 0), cells.at(0, 0)), (Some(0), None));
        assert_eq!((cells.at(3, 0), cells.at(0, 3)), (None, None));
        for cell in 0..5 {
            let (x, y) = cells.place(cell);
            assert_eq!(cells.at(x, y), Some(cell));
        }
    }

    #[test]
    fn distances_are_shortest_paths_around_walls() {
        let cells = cells(&["  # ", " ## ", "    ", "####", "    "]);
        let mut distances = vec![0; cells.len()];
        cells.distances(cells.at(1, 0).unwrap(), &mut distances);
        let distance = |x, y| distances[usize::from(cells.at(x, y).unwrap())];
        assert_eq!((distance(1, 0), distance(3, 0)), (0, 8));
        assert_eq!(distance(0, 4), UNREACHABLE);
    }

    #[test]
    fn more_than_65535_cells_are_rejected() {
        assert!(Cells::new(256, 256, |_, _| true).is_none());
        assert_eq!(Cells::new(255, 257, |_, _| true).unwrap().len(), 65_535);
    }
}
