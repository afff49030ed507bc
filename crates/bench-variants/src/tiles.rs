//! Sliding tiles.

use fxhash::FxHashSet;

/// The cells beside each cell of a grid: north, west, east, south.
pub fn neighbours(width: usize, height: usize) -> Vec<Vec<usize>> {
    let beside = |cell: usize| {
        let (x, y) = (cell % width, cell / width);
        let north = (y > 0).then(|| cell - width);
        let west = (x > 0).then(|| cell - 1);
        let east = (x + 1 < width).then_some(cell + 1);
        let south = (y + 1 < height).then_some(cell + width);
        [north, west, east, south].into_iter().flatten().collect()
    };
    (0..width * height).map(beside).collect()
}

/// Breadth-first from `start`, 4 bits a cell, with the states in a set of the standard kind (with a
/// faster hash) and a vector a layer. Returns the states at each depth.
pub fn layers_in_a_hash_set(width: usize, height: usize, start: u64) -> Vec<u64> {
    let neighbours = neighbours(width, height);
    let mut seen = FxHashSet::default();
    seen.insert(start);
    let mut layer = vec![start];
    let mut layers = Vec::new();
    while !layer.is_empty() {
        layers.push(layer.len() as u64);
        let mut next = Vec::new();
        for state in layer {
            let blank =
                (0..width * height).find(|cell| state >> (4 * cell) & 15 == 0).expect("a blank");
            for &from in &neighbours[blank] {
                let tile = state >> (4 * from) & 15;
                let state = state ^ tile << (4 * from) ^ tile << (4 * blank);
                if seen.insert(state) {
                    next.push(state);
                }
            }
        }
        layer = next;
    }
    layers
}

/// IDA* on the 15-puzzle with the Manhattan distance, kept up to date from move to move: one
/// function that calls itself, with everything that it looks up in arrays of bytes. With vectors of
/// vectors in their place, it makes a fifth less nodes a second.
#[derive(Debug)]
pub struct Idastar {
    /// The cells beside each cell, and how many they are.
    beside: [([u8; 4], u8); 16],
    /// `away[tile][cell]`.
    away: [[u8; 16]; 16],
    board: [u8; 16],
    threshold: u32,
    least_cut: u32,
    /// Boards that were generated.
    pub nodes: u64,
}

impl Idastar {
    /// The goal has the blank first and the tiles in order behind it.
    pub fn new(board: [u8; 16]) -> Self {
        let away = |tile: usize, cell: usize| {
            ((tile % 4).abs_diff(cell % 4) + (tile / 4).abs_diff(cell / 4)) as u8
        };
        let away = std::array::from_fn(|tile| std::array::from_fn(|cell| away(tile, cell)));
        let neighbours = neighbours(4, 4);
        let beside = std::array::from_fn(|cell| {
            let mut cells = [0; 4];
            cells.iter_mut().zip(&neighbours[cell]).for_each(|(place, &cell)| *place = cell as u8);
            (cells, neighbours[cell].len() as u8)
        });
        Self { beside, away, board, threshold: 0, least_cut: 0, nodes: 0 }
    }

    /// The fewest moves.
    pub fn solve(&mut self) -> u32 {
        let tiles = self.board.iter().enumerate().filter(|&(_, &tile)| tile != 0);
        let distance =
            tiles.map(|(cell, &tile)| u32::from(self.away[usize::from(tile)][cell])).sum();
        let blank = self.board.iter().position(|&tile| tile == 0).expect("a blank") as u8;
        self.threshold = distance;
        loop {
            self.least_cut = u32::MAX;
            if self.search(blank, u8::MAX, 0, distance) {
                return self.threshold;
            }
            self.threshold = self.least_cut;
        }
    }

    fn search(&mut self, blank: u8, before: u8, depth: u32, distance: u32) -> bool {
        if distance == 0 {
            return true;
        }
        let (cells, count) = self.beside[usize::from(blank)];
        for &from in &cells[..usize::from(count)] {
            if from == before {
                continue;
            }
            self.nodes += 1;
            let tile = self.board[usize::from(from)];
            let away = &self.away[usize::from(tile)];
            let distance =
                distance + u32::from(away[usize::from(blank)]) - u32::from(away[usize::from(from)]);
            if depth + 1 + distance > self.threshold {
                self.least_cut = self.least_cut.min(depth + 1 + distance);
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
    fn the_3x3_tiles_have_their_known_size_and_depth() {
        let layers = layers_in_a_hash_set(3, 3, 0x8_7654_3210);
        assert_eq!((layers.iter().sum(), layers.len()), (181_440, 32));
    }

    #[test]
    fn the_nearest_of_korfs_puzzles_takes_its_published_moves() {
        let board = [0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15];
        let mut search = Idastar::new(board);
        assert_eq!(search.solve(), 42);
        assert_eq!(search.nodes, 540_859);
    }
}
