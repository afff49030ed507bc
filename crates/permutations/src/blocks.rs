//! How permutations act on places: orbits, blocks, and the colourings that follow from blocks.

use crate::moves::Images;

/// Classes of points that are joined.
struct Classes(Vec<usize>);

impl Classes {
    fn new(points: usize) -> Self {
        Self((0..points).collect())
    }

    fn of(&self, mut point: usize) -> usize {
        while self.0[point] != point {
            point = self.0[point];
        }
        point
    }

    /// Whether the two were in different classes.
    fn join(&mut self, one: usize, other: usize) -> bool {
        let (one, other) = (self.of(one), self.of(other));
        self.0[one.max(other)] = one.min(other);
        one != other
    }

    /// The number of the class of each point.
    fn numbers(&self) -> Vec<u8> {
        let mut roots: Vec<_> = (0..self.0.len()).map(|point| self.of(point)).collect();
        let of_point = roots.clone();
        roots.sort_unstable();
        roots.dedup();
        of_point.iter().map(|root| roots.partition_point(|other| other < root) as u8).collect()
    }
}

/// The orbits of more than one place, each in ascending order.
pub(crate) fn orbits(moves: &[Images], places: usize) -> Vec<Vec<u8>> {
    let mut classes = Classes::new(places);
    for images in moves {
        for (place, &to) in images.iter().enumerate() {
            classes.join(place, to.into());
        }
    }
    let mut orbits = vec![Vec::new(); places];
    for (place, orbit) in (0..).zip(classes.numbers()) {
        orbits[usize::from(orbit)].push(place);
    }
    orbits.retain(|orbit| orbit.len() > 1);
    orbits
}

/// The moves of some places that no move leaves, numbered from 0.
pub(crate) fn restricted(moves: &[Images], places: &[u8]) -> Vec<Images> {
    let number = |place| places.partition_point(|&other| other < place) as u8;
    let of_move =
        |images: &Images| places.iter().map(|&p| number(images[usize::from(p)])).collect();
    moves.iter().map(of_move).collect()
}

/// The number of the block of each point, for the smallest blocks of more than one point: sets that
/// each move maps to one another. `None` if there are none but all points. Each point must be
/// reachable from each other one.
///
/// For each point, the smallest block with it and point 0 (Atkinson, "An algorithm for finding the
/// blocks of a permutation group", 1975).
pub(crate) fn blocks(moves: &[Images], points: usize) -> Option<Vec<u8>> {
    let with = |other| {
        let (mut classes, mut pairs) = (Classes::new(points), vec![(0, other)]);
        while let Some((one, other)) = pairs.pop() {
            if classes.join(one, other) {
                pairs.extend(moves.iter().map(|by| (by[one].into(), by[other].into())));
            }
        }
        classes.numbers()
    };
    let most = |blocks: &Vec<u8>| blocks.iter().copied().max();
    (1..points).map(with).max_by_key(most).filter(|blocks| most(blocks) > Some(0))
}

/// Colourings of the points that together tell all points apart, and of which each has few
/// arrangements that the moves reach: for each level of blocks, which point of its block a point
/// is, and at last the number of the block.
pub(crate) fn colourings(moves: &[Images], points: usize) -> Vec<Vec<u8>> {
    let Some(blocks) = blocks(moves, points) else { return vec![(0..points as u8).collect()] };
    let mut all = vec![marks(moves, &blocks)];
    let count = blocks.iter().max().map_or(0, |&last| usize::from(last) + 1);
    let first_of = |block| blocks.iter().position(|&other| usize::from(other) == block);
    let firsts: Vec<_> = (0..count).filter_map(first_of).collect();
    let of_block =
        |by: &Images| firsts.iter().map(|&point| blocks[usize::from(by[point])]).collect();
    let moves: Vec<_> = moves.iter().map(of_block).collect();
    let of_points = |colours: Vec<u8>| blocks.iter().map(|&b| colours[usize::from(b)]).collect();
    all.extend(colourings(&moves, count).into_iter().map(of_points));
    all
}

/// A number for each point within its block, such that moves from block to block, on a tree from
/// the first one, keep it. So a block is marked anew only as a move from it to itself permutes it.
fn marks(moves: &[Images], blocks: &[u8]) -> Vec<u8> {
    let in_block = |block| (0..blocks.len()).filter(move |&point| blocks[point] == block);
    let mut marks = vec![None; blocks.len()];
    for (mark, point) in (0..).zip(in_block(0)) {
        marks[point] = Some(mark);
    }
    let mut marked = vec![0];
    while let Some(block) = marked.pop() {
        for by in moves {
            for point in in_block(block) {
                let to = usize::from(by[point]);
                if marks[to].is_none() {
                    marks[to] = marks[point];
                    if !marked.contains(&blocks[to]) {
                        marked.push(blocks[to]);
                    }
                }
            }
        }
    }
    marks.into_iter().map(Option::unwrap_or_default).collect()
}
