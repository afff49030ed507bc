//! The heuristic of A* and IDA*: the pieces that have to cross each cut between two rows or
//! columns.

use fewest_core::Heuristic;

use crate::space::Space;

/// The sum over all cuts between two adjacent rows or columns of the difference between the number
/// of black pieces before the cut (above it, or to the left of it) on the board and on the target.
///
/// At least as many moves cross the cut as this difference, and each move crosses exactly one cut,
/// so the sum is admissible. It is consistent because a move changes one difference by 1.
///
/// An evaluation takes one population count per cut, `rows + columns - 2` in total.
#[derive(Debug)]
pub struct Crossings {
    /// For each cut, the cells before it, and the number of black pieces of the target on them.
    cuts: Vec<(u64, u32)>,
}

impl Crossings {
    /// The heuristic of a space.
    pub fn new(space: &Space) -> Self {
        let size = space.size();
        let rows = (1..size.rows()).map(|row| size.mask(|place| (place.row as usize) < row));
        let columns =
            (1..size.columns()).map(|column| size.mask(|place| (place.column as usize) < column));
        let cuts =
            rows.chain(columns).map(|before| (before, (space.target() & before).count_ones()));
        Self { cuts: cuts.collect() }
    }
}

impl Heuristic<Space> for Crossings {
    type Evaluation = u32;

    #[inline]
    fn evaluate(&self, state: u64) -> u32 {
        self.cuts
            .iter()
            .map(|&(before, target)| (state & before).count_ones().abs_diff(target))
            .sum()
    }

    #[inline]
    fn bound(&self, crossings: u32) -> Option<u32> {
        Some(crossings)
    }
}

#[cfg(test)]
mod tests {
    use fewest_core::budget::{Budget, Limits};
    use fewest_core::check;

    use super::*;
    use crate::builtin::BUILTINS;
    use crate::instance::{Instance, Size};

    #[test]
    fn spaces_and_their_heuristic_keep_their_promises() {
        let limits = Limits { states: Some(20_000), ..Limits::default() };
        for builtin in BUILTINS {
            for boards in Instance::read(builtin.text.as_bytes(), Size::new(4, 4).expect("a size"))
            {
                let boards = boards.expect("well-formed");
                let Some(space) = Space::new(&boards) else { continue };
                let crossings = Crossings::new(&space);
                let states = check::reachable(&space, 200);
                // From the start, some goals are too far away for the budget.
                let near_both_ends = [&states[..], &check::near_goals(&space, 200)].concat();
                let checked = [
                    check::space(&space, &states),
                    check::predecessors(&space, &states),
                    check::goals(&space, &states),
                    check::ranks(&space, &states),
                    check::heuristic(&space, &crossings, &near_both_ends, &Budget::new(limits)),
                    check::consistency(&space, &crossings, &states),
                ];
                assert_eq!(
                    checked.into_iter().collect::<Result<(), _>>(),
                    Ok(()),
                    "{:?}",
                    builtin.names
                );
            }
        }
    }
}
