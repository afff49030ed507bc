//! Numbers for the open cells of a grid, and their neighbours.

use fewest_geometry::{Cell, Direction, Grid};

/// The number of an open cell.
pub type CellIndex = u32;

/// The greatest number of open cells: three numbers fit a `u64`.
pub const MAX_OPEN_CELLS: usize = 1 << 21;

/// The distance to a cell that is not reachable; see [`Cells::distances`].
pub const UNREACHABLE: u16 = u16::MAX;

/// The open cells of a grid, numbered from 0 in reading order, with the neighbours of each.
///
/// Walls have no number. So a position takes `ceil(log2(len))` bits, and the successors of a
/// position are a list: no move needs a test for walls.
///
/// Memory: 25 bytes per open cell and 4 bytes per cell of the grid.
///
/// ```
/// use fewest_core::encoding::Cells;
/// use fewest_geometry::{Cell, Grid};
///
/// let rows = ["#  ", "  #"];
/// let is_open = |cell: Cell| rows[cell.row as usize].as_bytes()[cell.column as usize] == b' ';
/// let cells = Cells::new(Grid::<3>::new(2, 3).unwrap(), is_open).unwrap();
/// assert_eq!(cells.len(), 4);
/// assert_eq!((cells.index(Cell::new(0, 1)), cells.cell(3)), (Some(0), Cell::new(1, 1)));
/// assert_eq!(cells.neighbours(0), [1, 3]);
/// ```
#[derive(Clone, Debug)]
pub struct Cells {
    columns: usize,
    /// By index in the grid: the number of the cell, or [`WALL`].
    numbers: Vec<CellIndex>,
    /// By number: the index in the grid.
    grid_indices: Vec<u32>,
    /// By number: the cell and its neighbours, and the cell itself in place of those that it lacks.
    closed: Vec<[CellIndex; 5]>,
    /// By number: 1 for the cell and 1 for each neighbour.
    lengths: Vec<u8>,
}

/// In place of the number of a cell that is not open.
const WALL: CellIndex = CellIndex::MAX;

/// The order of the neighbours.
const NEIGHBOURS: [Direction; 4] =
    [Direction::North, Direction::West, Direction::East, Direction::South];

impl Cells {
    /// Numbers the cells for which `is_open` is true. `None` if there are more than
    /// [`MAX_OPEN_CELLS`].
    pub fn new<const MAX_SIDE: usize>(
        grid: Grid<MAX_SIDE>,
        is_open: impl Fn(Cell) -> bool,
    ) -> Option<Self> {
        let mut numbers = Vec::with_capacity(grid.len());
        let mut grid_indices = Vec::new();
        for (index, cell) in grid.cells().enumerate() {
            if is_open(cell) {
                numbers.push(grid_indices.len() as CellIndex);
                grid_indices.push(index as u32);
                if grid_indices.len() > MAX_OPEN_CELLS {
                    return None;
                }
            } else {
                numbers.push(WALL);
            }
        }
        let mut closed = Vec::with_capacity(grid_indices.len());
        let mut lengths = Vec::with_capacity(grid_indices.len());
        for (number, &index) in grid_indices.iter().enumerate() {
            let (mut of_cell, mut length) = ([number as CellIndex; 5], 1);
            let cell = grid.cell(index as usize);
            for neighbour in NEIGHBOURS.into_iter().filter_map(|to| grid.neighbour(cell, to)) {
                let neighbour = numbers[grid.index(neighbour)];
                if neighbour != WALL {
                    of_cell[usize::from(length)] = neighbour;
                    length += 1;
                }
            }
            closed.push(of_cell);
            lengths.push(length);
        }
        Some(Self { columns: grid.columns(), numbers, grid_indices, closed, lengths })
    }

    /// The number of open cells.
    pub fn len(&self) -> usize {
        self.grid_indices.len()
    }

    /// Whether every cell is a wall.
    pub fn is_empty(&self) -> bool {
        self.grid_indices.is_empty()
    }

    /// The number of a cell. `None` if it is a wall or not on the grid.
    pub fn index(&self, cell: Cell) -> Option<CellIndex> {
        let (row, column) = (usize::try_from(cell.row).ok()?, usize::try_from(cell.column).ok()?);
        let on_row = column < self.columns;
        let number = self.numbers.get(row * self.columns + column).copied();
        number.filter(|&number| on_row && number != WALL)
    }

    /// The cell with a number: the inverse of [`index`](Self::index).
    ///
    /// # Panics
    /// If `number` is not below [`len`](Self::len).
    pub fn cell(&self, number: CellIndex) -> Cell {
        let index = self.grid_indices[number as usize] as usize;
        Cell::at(index / self.columns, index % self.columns)
    }

    /// The open cells that share an edge with `cell`, in the order north, west, east, south.
    ///
    /// # Panics
    /// If `cell` is not below [`len`](Self::len).
    #[inline]
    pub fn neighbours(&self, cell: CellIndex) -> &[CellIndex] {
        &self.closed_neighbourhood(cell)[1..]
    }

    /// `cell`, followed by its [`neighbours`](Self::neighbours): all cells where an agent at `cell`
    /// can be after one step or after staying.
    ///
    /// # Panics
    /// If `cell` is not below [`len`](Self::len).
    #[inline]
    pub fn closed_neighbourhood(&self, cell: CellIndex) -> &[CellIndex] {
        let cell = cell as usize;
        &self.closed[cell][..usize::from(self.lengths[cell])]
    }

    /// Computes the number of steps from `from` to every cell. `distances` is indexed by cell
    /// number; a cell that is not reachable gets [`UNREACHABLE`]. False if a distance is greater
    /// than 65,534; then they are not complete.
    ///
    /// Time: one breadth-first search. Time and memory are proportional to the number of cells.
    ///
    /// # Panics
    /// If `distances` is shorter than [`len`](Self::len), or `from` is not below it.
    #[must_use]
    pub fn distances(&self, from: CellIndex, distances: &mut [u16]) -> bool {
        distances.fill(UNREACHABLE);
        distances[from as usize] = 0;
        // No branch depends on whether a neighbour is new, which cannot be predicted: each of the
        // four is written to the end of the queue, and the end moves if it is new. The cell itself,
        // in place of a neighbour that is missing, is not.
        let mut queue = vec![from; self.len() + 1];
        let (mut read, mut end) = (0, 1);
        while read < end {
            let cell = queue[read] as usize;
            read += 1;
            let next = distances[cell] + 1;
            let neighbours = &self.closed[cell][1..];
            if next == UNREACHABLE
                && neighbours.iter().any(|&neighbour| distances[neighbour as usize] == UNREACHABLE)
            {
                return false;
            }
            for &neighbour in neighbours {
                let distance = &mut distances[neighbour as usize];
                queue[end] = neighbour;
                end += usize::from(*distance == UNREACHABLE);
                *distance = next.min(*distance);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(rows: &[&str]) -> Cells {
        let grid = Grid::<9>::new(rows.len(), rows[0].len()).unwrap();
        let is_open = |cell: Cell| rows[cell.row as usize].as_bytes()[cell.column as usize] == b' ';
        Cells::new(grid, is_open).unwrap()
    }

    #[test]
    fn cells_are_numbered_row_by_row_and_list_their_neighbours() {
        let cells = cells(&["# #", "   ", "# #"]);
        assert_eq!(cells.len(), 5);
        assert_eq!(cells.neighbours(2), [0, 1, 3, 4]);
        assert_eq!(cells.neighbours(0), [2]);
        let index = |row, column| cells.index(Cell::new(row, column));
        assert_eq!((index(0, 1), index(0, 0)), (Some(0), None));
        assert_eq!(
            (index(0, 3), index(3, 0), index(-1, 1), index(1, -1)),
            (None, None, None, None)
        );
        for number in 0..5 {
            assert_eq!(cells.index(cells.cell(number)), Some(number));
        }
    }

    #[test]
    fn distances_are_shortest_paths_around_walls() {
        let cells = cells(&["  # ", " ## ", "    ", "####", "    "]);
        let mut distances = vec![0; cells.len()];
        let index = |row, column| cells.index(Cell::new(row, column)).unwrap();
        assert!(cells.distances(index(0, 1), &mut distances));
        let distance = |row, column| distances[index(row, column) as usize];
        assert_eq!((distance(0, 1), distance(0, 3)), (0, 8));
        assert_eq!(distance(4, 0), UNREACHABLE);
    }

    #[test]
    fn too_many_cells_and_too_great_distances_are_rejected() {
        let cells =
            |rows, columns| Cells::new(Grid::<{ 1 << 17 }>::new(rows, columns).unwrap(), |_| true);
        assert!(cells(2048, 1025).is_none());
        assert_eq!(cells(2048, 1024).unwrap().len(), MAX_OPEN_CELLS);
        let has_distances =
            |columns| cells(1, columns).unwrap().distances(0, &mut vec![0; columns]);
        assert_eq!((has_distances(65_535), has_distances(65_536)), (true, false));
    }
}
