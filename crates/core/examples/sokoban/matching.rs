//! A lower bound: each box needs a goal of its own.

use fewest_core::Heuristic;

use super::Sokoban;
use super::level::{Squares, squares};

/// The least sum of pushes that bring each box to a goal of its own if no box is in the way of
/// another: a minimum-cost matching of boxes and goals. A push moves one box by one square, so the
/// bound is consistent.
pub struct Matching<'a> {
    sokoban: &'a Sokoban,
    /// For each goal, the number of pushes from each square.
    pushes: Vec<[u32; 128]>,
}

/// More than any sum of pushes.
const NEVER: u32 = 1 << 24;

impl<'a> Matching<'a> {
    pub fn new(sokoban: &'a Sokoban) -> Self {
        let level = &sokoban.level;
        let distances = |goal: u32| {
            let mut pushes = [NEVER; 128];
            let (mut known, mut layer): (Squares, Squares) = (1 << goal, 1 << goal);
            for distance in 0.. {
                squares(layer).for_each(|square| pushes[square as usize] = distance);
                let next = level.steps.iter().map(|&step| level.pulled(layer, step));
                layer = next.fold(0, |all, squares| all | squares) & !known;
                known |= layer;
                if layer == 0 {
                    break;
                }
            }
            pushes
        };
        Self { sokoban, pushes: squares(level.goals).map(distances).collect() }
    }

    /// The pushes from a square to the nearest goal; `None` if a box reaches none from there.
    pub fn pushes_to_nearest(&self, square: u32) -> Option<u32> {
        let pushes = self.pushes.iter().map(|pushes| pushes[square as usize]);
        pushes.min().filter(|&pushes| pushes < NEVER)
    }
}

impl Heuristic<Sokoban> for Matching<'_> {
    /// The least sum.
    type Evaluation = u32;

    fn evaluate(&self, state: u64) -> u32 {
        let (boxes, _) = self.sokoban.unpack(state);
        let costs: Vec<Vec<u32>> = squares(boxes)
            .map(|square| self.pushes.iter().map(|pushes| pushes[square as usize]).collect())
            .collect();
        least_matching(&costs)
    }

    fn bound(&self, sum: u32) -> Option<u32> {
        (sum < NEVER).then_some(sum)
    }
}

/// The cost of the cheapest matching of rows and columns, by the Hungarian method with potentials
/// (Kuhn 1955; Munkres 1957). Adds the rows one by one, each by a shortest augmenting path.
fn least_matching(costs: &[Vec<u32>]) -> u32 {
    let count = costs.len();
    // Index 0 stands for the row that is being added, and for no column.
    let (mut row_potential, mut column_potential) = (vec![0i64; count + 1], vec![0i64; count + 1]);
    let mut row_of = vec![0; count + 1];
    for row in 1..=count {
        row_of[0] = row;
        let mut column = 0;
        let mut slack = vec![i64::MAX; count + 1];
        let mut from = vec![0; count + 1];
        let mut done = vec![false; count + 1];
        while row_of[column] != 0 {
            done[column] = true;
            let row = row_of[column];
            let (mut least, mut nearest) = (i64::MAX, 0);
            for next in (1..=count).filter(|&next| !done[next]) {
                let cost = i64::from(costs[row - 1][next - 1]);
                let reduced = cost - row_potential[row] - column_potential[next];
                if reduced < slack[next] {
                    (slack[next], from[next]) = (reduced, column);
                }
                if slack[next] < least {
                    (least, nearest) = (slack[next], next);
                }
            }
            for next in 0..=count {
                if done[next] {
                    row_potential[row_of[next]] += least;
                    column_potential[next] -= least;
                } else {
                    slack[next] = slack[next].saturating_sub(least);
                }
            }
            column = nearest;
        }
        while column != 0 {
            row_of[column] = row_of[from[column]];
            column = from[column];
        }
    }
    (1..=count).map(|column| costs[row_of[column] - 1][column - 1]).sum()
}
