//! Sliding-tile puzzles.

use crate::layers;

/// The neighbours of each cell of a grid, in the order north, west, east, south.
pub fn neighbours(width: usize, height: usize) -> Vec<Vec<usize>> {
    let neighbours = |cell: usize| {
        let (x, y) = (cell % width, cell / width);
        let north = (y > 0).then(|| cell - width);
        let west = (x > 0).then(|| cell - 1);
        let east = (x + 1 < width).then_some(cell + 1);
        let south = (y + 1 < height).then_some(cell + width);
        [north, west, east, south].into_iter().flatten().collect()
    };
    (0..width * height).map(neighbours).collect()
}

/// The neighbours of each cell of a grid of 4x4, and their number.
pub(crate) fn neighbours_in_bytes() -> [([u8; 4], u8); 16] {
    let lists = neighbours(4, 4);
    std::array::from_fn(|cell| {
        let mut cells = [0; 4];
        cells.iter_mut().zip(&lists[cell]).for_each(|(entry, &cell)| *entry = cell as u8);
        (cells, lists[cell].len() as u8)
    })
}

/// Explores all states that are reachable from `start`, breadth-first. A state has 4 bits for each
/// cell. Returns the number of states at each depth.
pub fn layers_in_a_hash_set(width: usize, height: usize, start: u64) -> Vec<u64> {
    let neighbours = neighbours(width, height);
    layers::in_a_hash_set(start, |state| {
        let blank =
            (0..width * height).find(|cell| state >> (4 * cell) & 15 == 0).expect("a blank");
        neighbours[blank].iter().map(move |&from| {
            let tile = state >> (4 * from) & 15;
            state ^ tile << (4 * from) ^ tile << (4 * blank)
        })
    })
}

/// IDA* on the 15-puzzle with the Manhattan distance, which is updated incrementally.
///
/// The search is one recursive function. All its tables are arrays of bytes: with nested vectors,
/// it generates a fifth fewer nodes per second.
#[derive(Debug)]
pub struct Idastar {
    /// The neighbours of each cell, and their number.
    neighbours: [([u8; 4], u8); 16],
    /// The Manhattan distance of a tile from its goal: `manhattan[tile][cell]`.
    manhattan: [[u8; 16]; 16],
    board: [u8; 16],
    threshold: u32,
    /// The smallest estimate above the threshold.
    next_threshold: u32,
    /// The number of generated boards.
    pub generated: u64,
}

impl Idastar {
    /// A search from `board`. The goal has the blank in the first cell, then the tiles in order.
    pub fn new(board: [u8; 16]) -> Self {
        let manhattan = |tile: usize, cell: usize| {
            ((tile % 4).abs_diff(cell % 4) + (tile / 4).abs_diff(cell / 4)) as u8
        };
        let manhattan =
            std::array::from_fn(|tile| std::array::from_fn(|cell| manhattan(tile, cell)));
        let neighbours = neighbours_in_bytes();
        Self { neighbours, manhattan, board, threshold: 0, next_threshold: 0, generated: 0 }
    }

    /// Returns the optimal cost. Does not terminate if the board is unsolvable.
    pub fn solve(&mut self) -> u32 {
        let tiles = self.board.iter().enumerate().filter(|&(_, &tile)| tile != 0);
        let distance =
            tiles.map(|(cell, &tile)| u32::from(self.manhattan[usize::from(tile)][cell])).sum();
        let blank = self.board.iter().position(|&tile| tile == 0).expect("a blank") as u8;
        self.threshold = distance;
        loop {
            self.next_threshold = u32::MAX;
            if self.search(blank, u8::MAX, 0, distance) {
                return self.threshold;
            }
            self.threshold = self.next_threshold;
        }
    }

    /// Searches below a board and returns whether a goal is within the threshold. `previous` is the
    /// cell of the blank before the last move.
    fn search(&mut self, blank: u8, previous: u8, depth: u32, distance: u32) -> bool {
        if distance == 0 {
            return true;
        }
        let (cells, count) = self.neighbours[usize::from(blank)];
        for &from in &cells[..usize::from(count)] {
            if from == previous {
                continue;
            }
            self.generated += 1;
            let tile = self.board[usize::from(from)];
            let manhattan = &self.manhattan[usize::from(tile)];
            let distance = distance + u32::from(manhattan[usize::from(blank)])
                - u32::from(manhattan[usize::from(from)]);
            if depth + 1 + distance > self.threshold {
                self.next_threshold = self.next_threshold.min(depth + 1 + distance);
                continue;
            }
            self.board[usize::from(blank)] = tile;
            self.board[usize::from(from)] = 0;
            if self.search(from, blank, depth + 1, distance) {
                return true;
            }
            self.board[usize::from(from)] = tile;
            self.board[usize::from(blank)] = 0;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_3x3_space_has_its_known_size_and_depth() {
        let layers = layers_in_a_hash_set(3, 3, 0x8_7654_3210);
        assert_eq!((layers.iter().sum(), layers.len()), (181_440, 32));
    }

    #[test]
    fn an_instance_of_korf_has_its_published_cost() {
        let board = [0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15];
        let mut search = Idastar::new(board);
        assert_eq!(search.solve(), 42);
        assert_eq!(search.generated, 540_859);
    }
}
