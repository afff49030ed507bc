//! The interface between a puzzle and the checker: boards as fixed-size byte records.

use std::ops::ControlFlow;

use fewest_rules::text::{Diagnostic, Line};
use fewest_rules::{Costs, Rules};

use crate::poll::Poll;
use crate::refusal::Refusal;

/// An instance whose boards can be written as records: byte strings of a fixed length.
///
/// Two boards with the same record must be equivalent: they may differ only in the names of pieces
/// that the rules cannot tell apart, so that every plan from one is a plan from the other.
pub trait Boards: Sync {
    /// The rules of the instance.
    type Rules: Rules;

    /// The rules.
    fn rules(&self) -> &Self::Rules;

    /// Identifies the instance: everything that the rules depend on, as names and values.
    fn description(&self) -> Vec<(&'static str, String)>;

    /// The size of a record in bytes. A certificate with states requires at most 255.
    fn record_bytes(&self) -> usize;

    /// The relaxation of the instance to a subset of its members, such as pieces. The projection of
    /// every plan of the instance must be a plan of the part with the same cost, so that
    /// lower bounds for the part hold for the instance.
    ///
    /// # Errors
    /// If there is no such part.
    fn part(&self, members: &[u64]) -> Result<Self, String>
    where
        Self: Sized,
    {
        let _ = members;
        Err("this puzzle has no parts".to_owned())
    }

    /// The reversed instance, from the goal to the start, with the same records. Only for instances
    /// in which every move can be undone by one that costs as much, and there is a single solved
    /// board.
    ///
    /// # Errors
    /// Why the instance cannot be reversed.
    fn reversed(&self) -> Result<Self, String>
    where
        Self: Sized,
    {
        Err("boards around the goal are not supported for this puzzle".to_owned())
    }

    /// Builds a *potential* from the numbers in a certificate: a lower bound on the cost of the
    /// plans from each board. Each puzzle defines what the numbers mean. They are untrusted, so the
    /// implementation must check with the rules that the bound of every solved board is 0 and that
    /// no move lowers a bound by more than its cost.
    ///
    /// # Errors
    /// Why the numbers are refused; [`Refusal::Stopped`] from `poll`, which a long check must call
    /// regularly.
    fn potential<'a>(
        &'a self,
        numbers: &'a [i64],
        poll: &Poll<'_>,
    ) -> Result<Potential<'a, Self>, Refusal> {
        let _ = poll;
        if numbers.is_empty() {
            Ok(Box::new(|_| Bound::Cost(0)))
        } else {
            Err(Refusal::Numbers("this puzzle has no potentials".to_owned()))
        }
    }

    /// Appends the record of a board and returns `true`. Returns `false` without appending anything
    /// if the board has no record, which is allowed only for solved boards without legal moves.
    fn write_record(&self, board: &BoardOf<Self>, record: &mut Vec<u8>) -> bool;

    /// Decodes a record; `None` if it is not the record of a board.
    fn read_record(&self, record: &[u8]) -> Option<BoardOf<Self>>;

    /// Calls `visit` with each successor and the cost of the move to it, possibly repeatedly, until
    /// it breaks. The default uses [`Rules::moves`], which must then list all legal moves, and
    /// [`Rules::COSTS`].
    fn successors<R>(
        &self,
        board: &BoardOf<Self>,
        visit: &mut dyn FnMut(&BoardOf<Self>, u32) -> ControlFlow<R>,
    ) -> ControlFlow<R> {
        let rules = self.rules();
        for by in rules.moves(board) {
            let mut next = board.clone();
            if rules.play(&mut next, &by).is_ok() {
                visit(&next, Costs::of(rules, board, &by))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The mirror image of a board, if it is a board of the instance. Mirroring twice must give a
    /// board with the same record. Nothing else is assumed, because the checker expands both.
    fn mirror(&self, board: &BoardOf<Self>) -> Option<BoardOf<Self>> {
        let _ = board;
        None
    }

    /// Reads a move of a plan.
    ///
    /// # Errors
    /// If the line is not a move.
    fn read_move(&self, line: Line<'_>) -> Result<<Self::Rules as Rules>::Move, Diagnostic>;

    /// A board on one line, for messages.
    fn show(&self, board: &BoardOf<Self>) -> String;
}

/// A lower bound for each board.
pub type Potential<'a, B> = Box<dyn Fn(&BoardOf<B>) -> Bound + Sync + 'a>;

/// A lower bound on the plans from a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Each costs at least this: the number of moves, if each costs 1.
    Cost(u64),
    /// There is no plan.
    Unsolvable,
}

/// A board of the rules of an instance.
pub type BoardOf<B> = <<B as Boards>::Rules as Rules>::Board;
