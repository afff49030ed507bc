//! Cell numbering: the open cells of a grid as `0..len`, in reading order, with the neighbours of
//! each.

use std::collections::VecDeque;

/// The number of an open cell.
pub type Cell = u16;

/// The distance of a cell that cannot be reached.
pub const UNREACHABLE: u16 = u16::MAX;

/// The open cells of a grid, numbered. Walls get no number, so a position costs no more bits than
/// the cells ask for, and a step is a look at a short list: no wall is ever tested.
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
    /// Of each place of the grid in reading order, the number of the open cell there.
    numbers: Vec<Option<Cell>>,
    /// Of each cell, its index among the places of the grid.
    places: Vec<u32>,
    /// Cell `c` and its neighbours are `closed[first[c]..first[c + 1]]`.
    first: Vec<u32>,
    closed: Vec<Cell>,
}

impl Cells {
    /// Numbers the cells of a grid for which `open(x, y)` holds. `None` if there are more than
    /// 65,535 of them.
    pub fn new(width: usize, height: usize, open: impl Fn(usize, usize) -> bool) -> Option<Self> {
        let mut numbers = Vec::with_capacity(width * height);
        let mut places = Vec::new();
        for y in 0..height {
            for x in 0..width {
                numbers.push(if open(x, y) {
                    let cell =
                        Cell::try_from(places.len()).ok().filter(|&cell| cell < Cell::MAX)?;
                    places.push((y * width + x) as u32);
                    Some(cell)
                } else {
                    None
                });
            }
        }
        let mut first = Vec::with_capacity(places.len() + 1);
        first.push(0);
        let mut closed = Vec::with_capacity(5 * places.len());
        for (cell, &place) in places.iter().enumerate() {
            closed.push(cell as Cell);
            let (x, y) = (place as usize % width, place as usize / width);
            let north = (y > 0).then(|| (x, y.wrapping_sub(1)));
            let west = (x > 0).then(|| (x.wrapping_sub(1), y));
            let east = (x + 1 < width).then_some((x + 1, y));
            let south = (y + 1 < height).then_some((x, y + 1));
            for (x, y) in [north, west, east, south].into_iter().flatten() {
                closed.extend(numbers[y * width + x]);
            }
            first.push(closed.len() as u32);
        }
        Some(Self { width, numbers, places, first, closed })
    }

    /// How many open cells.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether every cell is a wall.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The number of the cell at column `x` and row `y`, if it is open and on the grid.
    pub fn at(&self, x: usize, y: usize) -> Option<Cell> {
        (x < self.width).then(|| self.numbers.get(y * self.width + x).copied().flatten()).flatten()
    }

    /// Column and row of a cell.
    pub fn place(&self, cell: Cell) -> (usize, usize) {
        let place = self.places[usize::from(cell)] as usize;
        (place % self.width, place / self.width)
    }

    /// The open cells that share an edge with `cell`: north, west, east, south.
    #[inline]
    pub fn neighbours(&self, cell: Cell) -> &[Cell] {
        &self.closed_neighbourhood(cell)[1..]
    }

    /// `cell` and its neighbours in their order: where what may stay or go can be next.
    #[inline]
    pub fn closed_neighbourhood(&self, cell: Cell) -> &[Cell] {
        let cell = usize::from(cell);
        &self.closed[self.first[cell] as usize..self.first[cell + 1] as usize]
    }

    /// Writes to `distances`, which has an entry a cell, the steps from `from` to each cell,
    /// [`UNREACHABLE`] where there is no way. One breadth-first search: time and memory linear in
    /// the cells.
    ///
    /// # Panics
    /// If `distances` is shorter than [`len`](Self::len).
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
    fn cells_are_numbered_in_reading_order_and_know_their_neighbours() {
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
    fn distances_go_round_walls_and_stop_at_them() {
        let cells = cells(&["  # ", " ## ", "    ", "####", "    "]);
        let mut distances = vec![0; cells.len()];
        cells.distances(cells.at(1, 0).unwrap(), &mut distances);
        let distance = |x, y| distances[usize::from(cells.at(x, y).unwrap())];
        assert_eq!((distance(1, 0), distance(3, 0)), (0, 8));
        assert_eq!(distance(0, 4), UNREACHABLE);
    }

    #[test]
    fn more_cells_than_numbers_are_refused() {
        assert!(Cells::new(256, 256, |_, _| true).is_none());
        assert_eq!(Cells::new(255, 257, |_, _| true).unwrap().len(), 65_535);
    }
}
