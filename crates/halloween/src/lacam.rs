//! A planner that finds some plan in the end if there is one: LaCAM (Okumura 2023).
//!
//! It goes through the boards depth first. From a board it asks for one step after another, and the
//! first that comes to mind is a good one: that of PIBT (Okumura et al. 2022) with the swap of
//! Okumura 2023b. Each time that the search comes back to a board, it asks for another: the ghost
//! whose turn comes first is sent to each of its cells, then the first two to each two of theirs,
//! and so on, and the others do as before. So in the end all steps are asked for and all boards are
//! met that can be reached; mostly it is hardly more of them than the plan has.
//!
//! Nothing is known of the length of the plan.

use std::collections::HashMap;
use std::iter;
use std::rc::Rc;

use fewest_core::budget::{Limit, Meter};
use fewest_core::encoding::Cell;
use fewest_core::memory::{Reservation, SegmentedVec};

use crate::bounds::Positions;
use crate::pibt::{Asked, Stepper};
use crate::single_agent::SingleAgent;

/// A board that was met.
struct Node {
    board: Rc<[Cell]>,
    /// Of each ghost, the steps since it was at home last.
    away: Box<[u16]>,
    /// Where the board was met from.
    parent: usize,
    /// How many steps have been asked for.
    asked: u64,
}

/// So often the search comes back to some board before it goes back to the start, lest it stay
/// forever where it once has gone wrong. With none of that it finds plans for 88 of 100 generated
/// orders of 26 ghosts on 16 x 16, with it for 92.
const RETURNS: u64 = 1000;

/// The positions of all ghosts from start to goal by some plan; `None` if there is none, or none
/// was found after asking for so many steps.
///
/// A step takes time linear in the ghosts where they do not disturb each other; a board that is
/// met, four bytes a ghost and some two hundred.
pub fn plan(
    alone: &SingleAgent,
    most: u64,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<Positions>>, Limit> {
    let ghosts = alone.starts().len();
    let mut stepper = Stepper::new(alone, meter.memory())?;
    let start: Rc<[Cell]> = alone.starts().into();
    let mut numbers = HashMap::from([(Rc::clone(&start), 0)]);
    let mut nodes = vec![Node { board: start, away: vec![0; ghosts].into(), parent: 0, asked: 0 }];
    // Lists and maps grow by doubling.
    let bytes = 4 * ghosts as u64 + 4 * size_of::<Node>() as u64;
    let mut held = Reservation::none(meter.memory());
    let (mut stack, mut returns) = (SegmentedVec::new(meter.memory()), 0);
    stack.push(0)?;
    for _ in 0..most {
        let Some(&mut here) = stack.last_mut() else { return Ok(None) };
        let node = &mut nodes[here];
        if *node.board == *alone.goals() {
            let back = iter::successors(Some(here), |&here| (here > 0).then(|| nodes[here].parent));
            let mut plan: Vec<Positions> =
                back.map(|number| nodes[number].board.to_vec()).collect();
            plan.reverse();
            return Ok(Some(plan));
        }
        meter.expand()?;
        meter.poll_after(ghosts as u32)?;
        node.asked += 1;
        let board = match stepper.step(&node.board, &node.away, node.asked - 1) {
            Asked::Step(board) => board,
            Asked::Impossible => continue,
            Asked::NoMore => {
                stack.pop();
                continue;
            }
        };
        meter.generate()?;
        if let Some(&number) = numbers.get(&*board) {
            meter.duplicate();
            returns += 1;
            stack.push(if returns % RETURNS == 0 { 0 } else { number })?;
            continue;
        }
        held.grow(bytes)?;
        let away = |(ghost, &cell): (usize, &Cell)| match cell == alone.goals()[ghost] {
            true => 0,
            false => node.away[ghost].saturating_add(1),
        };
        let away = board.iter().enumerate().map(away).collect();
        let board: Rc<[Cell]> = board.into();
        stack.push(nodes.len())?;
        numbers.insert(Rc::clone(&board), nodes.len());
        nodes.push(Node { board, away, parent: here, asked: 0 });
    }
    Ok(None)
}
