//! Ranks of the boards that exchanges of neighbours can make: no piece leaves its region, which
//! walls bound, so a region with `n` cells and `k` black pieces has `n` over `k` boards.

/// `CHOOSE[n][k]` is the number of ways to choose `k` of `n` things.
static CHOOSE: [[u64; 65]; 65] = {
    let mut choose = [[0; 65]; 65];
    let mut n = 0;
    while n < 65 {
        choose[n][0] = 1;
        let mut k = 1;
        while k <= n {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choose
};

/// A dense numbering of the boards with the same number of black pieces in each region.
///
/// The rank of a region is in the combinatorial number system: the sum of the binomials C(p, j),
/// where `p` is the position of its `j`-th black cell among its cells. The ranks of the regions are
/// digits of a number in mixed radix.
///
/// Time: [`rank`](Self::rank) takes one look into a table for each byte of each region.
#[derive(Clone, Debug)]
pub(crate) struct Combinations {
    regions: Vec<Region>,
    /// The black pieces that cannot move.
    fixed: u64,
    count: u64,
}

#[derive(Clone, Debug)]
struct Region {
    mask: u64,
    black: usize,
    /// The number of boards, and of those of the regions before.
    count: u64,
    weight: u64,
    /// The first bits of the bytes that have cells of the region, and for each the part of the
    /// rank: for a number of black pieces in the bytes before, and a byte.
    bytes: Vec<(u32, Vec<[u64; 256]>)>,
}

impl Combinations {
    /// The numbering of the boards that have as many black pieces in each of these regions as a
    /// board has.
    pub(crate) fn new(regions: &[u64], board: u64) -> Self {
        let mut all = Self { regions: Vec::new(), fixed: board, count: 1 };
        for &mask in regions {
            let black = (board & mask).count_ones() as usize;
            let count = CHOOSE[mask.count_ones() as usize][black];
            if count > 1 {
                all.regions.push(Region::new(mask, black, count, all.count));
                all.fixed &= !mask;
                all.count *= count;
            }
        }
        all
    }

    /// The number of boards.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Whether a board is numbered.
    pub(crate) fn has(&self, board: u64) -> bool {
        let movable = self.regions.iter().fold(0, |movable, region| movable | region.mask);
        let as_many = |region: &Region| (board & region.mask).count_ones() as usize == region.black;
        board & !movable == self.fixed && self.regions.iter().all(as_many)
    }

    #[inline]
    pub(crate) fn rank(&self, board: u64) -> u64 {
        self.regions.iter().map(|region| region.rank(board)).sum()
    }

    pub(crate) fn unrank(&self, rank: u64) -> u64 {
        let of = |region: &Region| region.unrank(rank / region.weight % region.count);
        self.regions.iter().fold(self.fixed, |board, region| board | of(region))
    }
}

impl Region {
    fn new(mask: u64, black: usize, count: u64, weight: u64) -> Self {
        let has_cells = |&first: &u32| mask >> first & 0xFF != 0;
        let bytes = (0..u64::BITS).step_by(8).filter(has_cells).map(|first| {
            let parts = (0..=black).map(|before| part(mask, first, before, black, weight));
            (first, parts.collect())
        });
        Self { mask, black, count, weight, bytes: bytes.collect() }
    }

    #[inline]
    fn rank(&self, board: u64) -> u64 {
        let (mut rank, mut before) = (0, 0);
        for (first, parts) in &self.bytes {
            let byte = (board & self.mask) >> first & 0xFF;
            rank += parts[before][byte as usize];
            before += byte.count_ones() as usize;
        }
        rank
    }

    fn unrank(&self, mut rank: u64) -> u64 {
        let (mut board, mut left) = (0, self.mask);
        for black in (1..=self.black).rev() {
            // The last cell whose position gives no more than the rank.
            loop {
                let cell = 1 << (63 - left.leading_zeros());
                left ^= cell;
                let before = CHOOSE[left.count_ones() as usize][black];
                if before <= rank {
                    rank -= before;
                    board |= cell;
                    break;
                }
            }
        }
        board
    }
}

/// What each byte adds to the rank, after `before` black pieces. What no board has stays 0.
fn part(mask: u64, first: u32, before: usize, black: usize, weight: u64) -> [u64; 256] {
    let mut part = [0; 256];
    for byte in 1..256_usize {
        let last = byte.ilog2();
        let number = before + byte.count_ones() as usize;
        if mask >> first >> last & 1 == 1 && number <= black {
            let position = (mask & ((1 << (first + last)) - 1)).count_ones() as usize;
            let others = part[byte ^ 1 << last];
            part[byte] = others + weight * CHOOSE[position][number];
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_dense_and_inverse() {
        // One region, two regions with an immovable piece outside, and all 64 cells.
        for (regions, board) in [
            (vec![0xFFF], 0b1010_0110_0001_u64),
            (vec![0xF0F, 0xF_0000_00F0, 1 << 63], 0b11 << 32 | 1 << 63 | 0b0111),
            (vec![u64::MAX], 0b11),
        ] {
            let numbers = Combinations::new(&regions, board);
            assert!(numbers.has(board) && !numbers.has(board ^ 1));
            let boards: Vec<u64> = (0..numbers.count()).map(|rank| numbers.unrank(rank)).collect();
            for (rank, &board) in (0..).zip(&boards) {
                assert!(numbers.has(board), "{board:x}");
                assert_eq!(numbers.rank(board), rank);
            }
        }
        let all = Combinations::new(&[u64::MAX], 0xFFFF_FFFF);
        assert_eq!(all.count(), 1_832_624_140_942_590_534);
        for rank in [0, 1, all.count() / 3, all.count() - 1] {
            assert_eq!(all.rank(all.unrank(rank)), rank);
        }
    }
}
