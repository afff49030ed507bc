//! Additive pattern databases of the 15-puzzle.

use crate::tiles::{neighbours, neighbours_in_bytes};

/// The number of moves of some tiles to their goal cells, by their cells in 4 bits each, the first
/// tile in the lowest bits.
///
/// One search for all positions of the tiles and the blank, of which moves of other tiles cost
/// nothing: each layer is a vector, and a byte for each position is the distance.
pub fn table(tiles: &[u8]) -> Vec<u8> {
    let neighbours = neighbours(4, 4);
    let count = tiles.len();
    let mut distances = vec![u8::MAX; 1 << (4 * (count + 1))];
    let goal = (0..).zip(tiles).fold(0, |cells, (i, &tile)| cells | u32::from(tile) << (4 * i));
    distances[goal as usize] = 0;
    let (mut layer, mut distance) = (vec![goal], 0);
    while !layer.is_empty() {
        let mut next = Vec::new();
        // It grows by the positions that cost nothing.
        let mut index = 0;
        while index < layer.len() {
            let state = layer[index];
            index += 1;
            if distances[state as usize] < distance {
                continue;
            }
            let blank = (state >> (4 * count) & 15) as usize;
            for &from in &neighbours[blank] {
                let change = (blank ^ from) as u32;
                let tile = (0..count).find(|i| (state >> (4 * i) & 15) as usize == from);
                let moved = state ^ change << (4 * count);
                let (moved, cost) = match tile {
                    Some(tile) => (moved ^ change << (4 * tile), 1),
                    None => (moved, 0),
                };
                let known = &mut distances[moved as usize];
                if *known > distance + cost {
                    *known = distance + cost;
                    if cost == 0 { &mut layer } else { &mut next }.push(moved);
                }
            }
        }
        layer = next;
        distance += 1;
    }
    let cells = 1 << (4 * count);
    (0..cells)
        .map(|cells_of_tiles| {
            let blanks = (0..16).map(|blank| distances[cells_of_tiles | blank << (4 * count)]);
            blanks.min().unwrap_or(u8::MAX)
        })
        .collect()
}

/// IDA* on the 15-puzzle with the sum of the tables of disjoint patterns, in one recursive function.
#[derive(Debug)]
pub struct Idastar<'t, const N: usize> {
    /// The neighbours of each cell, and their number.
    neighbours: [([u8; 4], u8); 16],
    tables: [&'t [u8]; N],
    /// The pattern of a tile, and the lowest bit of its cell there.
    pattern_of: [(u8, u8); 16],
    board: [u8; 16],
    threshold: u32,
    /// The smallest estimate above the threshold.
    next_threshold: u32,
    /// The number of generated boards.
    pub generated: u64,
}

impl<'t, const N: usize> Idastar<'t, N> {
    /// A search from `board` with patterns that have all tiles, and their [tables](table).
    pub fn new(board: [u8; 16], patterns: [(&[u8], &'t [u8]); N]) -> Self {
        let mut pattern_of = [(0, 0); 16];
        for (pattern, (tiles, _)) in (0..).zip(patterns) {
            for (index, &tile) in (0..).zip(tiles) {
                pattern_of[usize::from(tile)] = (pattern, 4 * index);
            }
        }
        let neighbours = neighbours_in_bytes();
        let tables = patterns.map(|(_, table)| table);
        let (threshold, next_threshold, generated) = (0, 0, 0);
        Self { neighbours, tables, pattern_of, board, threshold, next_threshold, generated }
    }

    /// Returns the optimal cost. Does not terminate if the board is unsolvable.
    pub fn solve(&mut self) -> u32 {
        let mut cells = [0; N];
        for (cell, &tile) in (0..).zip(&self.board) {
            if tile != 0 {
                let (pattern, shift) = self.pattern_of[usize::from(tile)];
                cells[usize::from(pattern)] |= cell << shift;
            }
        }
        let distance = (0..N).map(|i| u32::from(self.tables[i][cells[i] as usize])).sum();
        let blank = self.board.iter().position(|&tile| tile == 0).expect("a blank") as u8;
        self.threshold = distance;
        loop {
            self.next_threshold = u32::MAX;
            if self.search(blank, u8::MAX, 0, distance, cells) {
                return self.threshold;
            }
            self.threshold = self.next_threshold;
        }
    }

    /// Searches below a board and returns whether a goal is within the threshold. `previous` is the
    /// cell of the blank before the last move, `cells` are those of the tiles of each pattern.
    fn search(
        &mut self,
        blank: u8,
        previous: u8,
        depth: u32,
        distance: u32,
        cells: [u32; N],
    ) -> bool {
        if distance == 0 {
            return true;
        }
        let (neighbours, count) = self.neighbours[usize::from(blank)];
        for &from in &neighbours[..usize::from(count)] {
            if from == previous {
                continue;
            }
            self.generated += 1;
            let tile = self.board[usize::from(from)];
            let (pattern, shift) = self.pattern_of[usize::from(tile)];
            let table = self.tables[usize::from(pattern)];
            let mut moved = cells;
            let of_pattern = &mut moved[usize::from(pattern)];
            let before = u32::from(table[*of_pattern as usize]);
            *of_pattern ^= u32::from(blank ^ from) << shift;
            let distance = distance + u32::from(table[*of_pattern as usize]) - before;
            if depth + 1 + distance > self.threshold {
                self.next_threshold = self.next_threshold.min(depth + 1 + distance);
                continue;
            }
            self.board[usize::from(blank)] = tile;
            self.board[usize::from(from)] = 0;
            if self.search(from, blank, depth + 1, distance, moved) {
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
    fn a_board_of_korf_has_its_published_cost() {
        let tiles: [&[u8]; 4] = [&[1, 4, 5, 8], &[2, 3, 6, 7], &[9, 10, 13, 14], &[11, 12, 15]];
        let tables = tiles.map(table);
        let board = [0, 1, 9, 7, 11, 13, 5, 3, 14, 12, 4, 2, 8, 6, 10, 15];
        let patterns = std::array::from_fn(|i| (tiles[i], &*tables[i]));
        let mut search = Idastar::<4>::new(board, patterns);
        assert_eq!(search.solve(), 42);
        assert!(search.generated < 540_859);
    }
}
