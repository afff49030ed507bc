//! What a checker needs of a puzzle beyond its rules: boards as records of bytes.

use std::ops::ControlFlow;

use fewest_rules::Rules;
use fewest_rules::text::{Diagnostic, Line};

use crate::poll::Poll;
use crate::refusal::Refusal;

/// An instance whose boards have records: byte strings of one length.
///
/// Boards with the same record must be the same up to the names of pieces that are equal in all
/// that the rules look at, so that each plan from one of them is a plan from the other.
pub trait Boards: Sync {
    /// The rules of the instance.
    type Rules: Rules;

    /// The rules.
    fn rules(&self) -> &Self::Rules;

    /// What the certificate is about, as names and values: all that the rules depend on.
    fn question(&self) -> Vec<(&'static str, String)>;

    /// The number of bytes of a record. States need at most 255.
    fn record_bytes(&self) -> usize;

    /// The boards of a part of the instance, such as some of its pieces: each plan of the instance,
    /// looked at in this part, must be a plan of the part with as many moves. So what bounds the
    /// plans of the part bounds those of the instance.
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

    /// The boards of the instance that goes from the goal of this one to its start, with the same
    /// records: only if each move can be undone, and there is one solved board.
    ///
    /// # Errors
    /// If there are none.
    fn reversed(&self) -> Result<Self, String>
    where
        Self: Sized,
    {
        Err("moves of this puzzle cannot be undone".to_owned())
    }

    /// A *potential*: what numbers prove about the plans from each board. Each puzzle has its own
    /// way to make one of numbers, or none. The numbers may be false, so this must check by the
    /// rules that the bound of a solved board is no moves, and that a move lowers a bound by at
    /// most 1.
    ///
    /// # Errors
    /// What is wrong with the numbers; [`Refusal::Stopped`] from `poll`, with which a long check
    /// counts its work.
    fn potential<'a>(
        &'a self,
        numbers: &'a [i64],
        poll: &Poll<'_>,
    ) -> Result<Potential<'a, Self>, Refusal> {
        let _ = poll;
        if numbers.is_empty() {
            Ok(Box::new(|_| Bound::Moves(0)))
        } else {
            Err(Refusal::Numbers("nothing follows from numbers in this puzzle".to_owned()))
        }
    }

    /// Appends the record of a board. Only a solved board from which no move is legal may have
    /// none; then nothing is appended and the result is `false`.
    fn write_record(&self, board: &BoardOf<Self>, record: &mut Vec<u8>) -> bool;

    /// A board with a record; `None` if no board of the instance has it.
    fn read_record(&self, record: &[u8]) -> Option<BoardOf<Self>>;

    /// Calls `visit` with the board after each legal move, possibly more than once for one board,
    /// until it breaks. By default, the moves are those of [`Rules::moves`], which must be all of
    /// them then.
    fn successors<R>(
        &self,
        board: &BoardOf<Self>,
        visit: &mut dyn FnMut(&BoardOf<Self>) -> ControlFlow<R>,
    ) -> ControlFlow<R> {
        let rules = self.rules();
        for by in rules.moves(board) {
            let mut next = board.clone();
            if rules.play(&mut next, &by).is_ok() {
                visit(&next)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The mirror image of a board: if it is one of the instance, the mirror image of that must
    /// have the record of this board. Nothing else is claimed about mirror images: a checker looks
    /// at both.
    fn mirror(&self, board: &BoardOf<Self>) -> Option<BoardOf<Self>> {
        let _ = board;
        None
    }

    /// Reads a move of a plan.
    ///
    /// # Errors
    /// If the line is no move.
    fn read_move(&self, line: Line<'_>) -> Result<<Self::Rules as Rules>::Move, Diagnostic>;

    /// A board on one line, for messages.
    fn show(&self, board: &BoardOf<Self>) -> String;
}

/// What is proved of the plans from each board.
pub type Potential<'a, B> = Box<dyn Fn(&BoardOf<B>) -> Bound + Sync + 'a>;

/// What is proved of the plans from a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Each has at least this number of moves.
    Moves(u64),
    /// There is none.
    Unsolvable,
}

/// A board of the rules of an instance.
pub type BoardOf<B> = <<B as Boards>::Rules as Rules>::Board;
