//! The moves of all shortest plans as a graph with the pieces that move: what they say of a puzzle
//! beyond their number.

use fewest_core::budget::{Budget, Limit, Meter};
use fewest_core::memory::{Block, SegmentedVec};
use fewest_core::search::all_shortest::PlanGraph;

use crate::instance::Instance;
use crate::space::Boards;

/// The first cell of a piece before a move, and after it.
type Label = (u32, u32);

/// The boards that shortest plans go through, numbered from the start on by depth, and the moves
/// between them, numbered by the boards that they leave.
///
/// Takes 8 bytes a board and 20 a move.
pub(crate) struct PlanMoves {
    /// The moves from board `n` are those from `first_from[n]` to `first_from[n + 1]`.
    first_from: Block<u32>,
    /// The moves to board `n` are `to[first_to[n]..first_to[n + 1]]`.
    first_to: Block<u32>,
    to: Block<u32>,
    /// Of each move, the board that it leaves, the one that it leads to, and the piece.
    source: Block<u32>,
    target: Block<u32>,
    label: Block<Label>,
    starts: usize,
}

impl PlanMoves {
    pub(crate) fn new<S: Boards>(
        space: &S,
        plans: &PlanGraph<S::State>,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let (layers, memory) = (plans.layers(), budget.memory());
        let mut meter = budget.meter();
        let boards: usize = layers.iter().map(Vec::len).sum();
        let moves: usize = layers.iter().flatten().map(|board| board.next.len()).sum();
        if u32::try_from(boards.max(moves)).is_err() {
            return Err(Limit::Encoding);
        }
        let block = |length| Block::filled(0u32, length, memory);
        let (mut first_from, mut first_to) = (block(boards + 1)?, block(boards + 1)?);
        let (mut to, mut source, mut target) = (block(moves)?, block(moves)?, block(moves)?);
        let mut label = Block::filled((0, 0), moves, memory)?;
        let (mut board, mut number, mut first_of_next) = (0, 0, 0);
        for (depth, layer) in layers.iter().enumerate() {
            first_of_next += layer.len();
            for here in layer {
                for &next in &here.next {
                    meter.poll()?;
                    let moved = space.moved(here.state, layers[depth + 1][next as usize].state);
                    debug_assert!(moved.is_some(), "a move leads from a board to the next");
                    let (from, to) = moved.unwrap_or_default();
                    label[number] = (from as u32, to as u32);
                    source[number] = board as u32;
                    target[number] = (first_of_next + next as usize) as u32;
                    first_to[target[number] as usize + 1] += 1;
                    number += 1;
                }
                board += 1;
                first_from[board] = number as u32;
            }
        }
        for board in 0..boards {
            first_to[board + 1] += first_to[board];
        }
        let mut next_to = block(boards)?;
        next_to.copy_from_slice(&first_to[..boards]);
        for number in 0..moves {
            let place = &mut next_to[target[number] as usize];
            to[*place as usize] = number as u32;
            *place += 1;
        }
        Ok(Self { first_from, first_to, to, source, target, label, starts: layers[0].len() })
    }

    fn from(&self, board: u32) -> std::ops::Range<usize> {
        self.first_from[board as usize] as usize..self.first_from[board as usize + 1] as usize
    }

    fn to(&self, board: u32) -> &[u32] {
        &self.to[self.first_to[board as usize] as usize..self.first_to[board as usize + 1] as usize]
    }

    /// The pieces that no shortest plan moves, in the order of the board. A piece that moves does
    /// so from its first place before any other piece can leave from there.
    pub(crate) fn idle(&self, puzzle: &Instance) -> Vec<char> {
        let board = puzzle.board();
        let mut is_left = vec![false; board.cells().len()];
        self.label.iter().for_each(|&(from, _)| is_left[from as usize] = true);
        let is_idle = |&piece: &char| board.first_cell(piece).is_some_and(|cell| !is_left[cell]);
        board.pieces().into_iter().filter(is_idle).collect()
    }

    /// Whether all shortest plans come of one by exchanging moves: whether the boards and moves of
    /// one, closed under exchanging two in a row, are those of all.
    pub(crate) fn is_unique(&self, budget: &Budget) -> Result<bool, Limit> {
        if self.starts > 1 {
            return Ok(false);
        }
        let mut meter = budget.meter();
        let mut reached = Block::filled(false, self.source.len(), budget.memory())?;
        let mut waiting = SegmentedVec::new(budget.memory());
        let mut board = 0;
        while let Some(first) = self.from(board).next() {
            waiting.push(first as u32)?;
            board = self.target[first];
        }
        let mut count = 0;
        while let Some(number) = waiting.pop() {
            if std::mem::replace(&mut reached[number as usize], true) {
                continue;
            }
            count += 1;
            // A move before it, and one behind it, each with what it makes a pair of.
            for &before in self.to(self.source[number as usize]) {
                if reached[before as usize] {
                    self.exchange(
                        before as usize,
                        number as usize,
                        &reached,
                        &mut waiting,
                        &mut meter,
                    )?;
                }
            }
            for after in self.from(self.target[number as usize]) {
                if reached[after] {
                    self.exchange(number as usize, after, &reached, &mut waiting, &mut meter)?;
                }
            }
        }
        Ok(count == self.source.len())
    }

    /// Adds the two moves that make the same of the board in the other order, where there are such
    /// and they are new.
    fn exchange(
        &self,
        one: usize,
        other: usize,
        reached: &[bool],
        waiting: &mut SegmentedVec<u32>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Limit> {
        meter.poll()?;
        let mut firsts = self.from(self.source[one]);
        let first = firsts.find(|&first| first != one && self.label[first] == self.label[other]);
        let Some(first) = first else { return Ok(()) };
        let same_end = |&second: &usize| {
            self.label[second] == self.label[one] && self.target[second] == self.target[other]
        };
        let Some(second) = self.from(self.target[first]).find(same_end) else { return Ok(()) };
        for number in [first, second] {
            if !reached[number] {
                waiting.push(number as u32)?;
            }
        }
        Ok(())
    }
}
