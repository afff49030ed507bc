//! The replay of plans by the rules.

use std::error::Error;
use std::ops::Deref;

use crate::rules::Rules;

/// The moves of a plan, each of which the rules accept after those before it. The plan may stop
/// before the puzzle is solved.
///
/// Only [`replay`] and [`verify`] create it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed<M>(Vec<M>);

/// A [replayed](Replayed) plan that solves the puzzle.
///
/// Only [`verify`] creates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified<M>(Replayed<M>);

impl<M> Deref for Replayed<M> {
    type Target = [M];

    fn deref(&self) -> &[M] {
        &self.0
    }
}

impl<M> Deref for Verified<M> {
    type Target = Replayed<M>;

    fn deref(&self) -> &Replayed<M> {
        &self.0
    }
}

impl<'a, M> IntoIterator for &'a Replayed<M> {
    type Item = &'a M;
    type IntoIter = std::slice::Iter<'a, M>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a, M> IntoIterator for &'a Verified<M> {
    type Item = &'a M;
    type IntoIter = std::slice::Iter<'a, M>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<M> Replayed<M> {
    /// What `view` returns for each board of the plan: first for the start, then after each move.
    pub fn boards<'a, R: Rules<Move = M>, T>(
        &'a self,
        rules: &'a R,
        mut view: impl FnMut(&R::Board) -> T + 'a,
    ) -> impl Iterator<Item = T> + 'a {
        let mut board = rules.start();
        std::iter::once(None).chain(self.0.iter().map(Some)).map_while(move |by| {
            // Another instance may refuse a move of this plan.
            by.map_or(Ok(()), |by| rules.play(&mut board, by)).ok()?;
            Some(view(&board))
        })
    }
}

impl<M> Verified<M> {
    /// The plan as one that may stop early.
    pub fn into_replayed(self) -> Replayed<M> {
        self.0
    }
}

/// Why the rules refuse a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal<I: Error, U: Error> {
    /// A move is illegal.
    #[error("{noun} {number}: {illegal}")]
    Illegal {
        /// What a move is called: [`Rules::MOVE`].
        noun: &'static str,
        /// The number of the move, from 1.
        number: usize,
        /// The rule that it breaks.
        illegal: I,
    },
    /// All moves are legal, but the puzzle is not solved after the last one.
    #[error("after {noun} {moves} {unsolved}")]
    Unsolved {
        /// What a move is called: [`Rules::MOVE`].
        noun: &'static str,
        /// The number of moves.
        moves: usize,
        /// What is missing.
        unsolved: U,
    },
}

/// The [`Refusal`] of some rules.
pub type RefusalOf<R> = Refusal<<R as Rules>::Illegal, <R as Rules>::Unsolved>;

/// Plays a plan from the start.
///
/// # Errors
/// The first illegal move.
pub fn replay<R: Rules>(rules: &R, plan: Vec<R::Move>) -> Result<Replayed<R::Move>, RefusalOf<R>> {
    play_all(rules, &plan)?;
    Ok(Replayed(plan))
}

/// Plays a plan from the start. It is accepted if and only if each move is legal and the puzzle is
/// solved after the last one.
///
/// # Errors
/// The first illegal move, or what is missing after the last one.
pub fn verify<R: Rules>(rules: &R, plan: Vec<R::Move>) -> Result<Verified<R::Move>, RefusalOf<R>> {
    let board = play_all(rules, &plan)?;
    rules.check_solved(&board).map_err(|unsolved| Refusal::Unsolved {
        noun: R::MOVE,
        moves: plan.len(),
        unsolved,
    })?;
    Ok(Verified(Replayed(plan)))
}

/// The board after all moves.
fn play_all<R: Rules>(rules: &R, plan: &[R::Move]) -> Result<R::Board, RefusalOf<R>> {
    let mut board = rules.start();
    for (index, by) in plan.iter().enumerate() {
        rules.play(&mut board, by).map_err(|illegal| Refusal::Illegal {
            noun: R::MOVE,
            number: index + 1,
            illegal,
        })?;
    }
    Ok(board)
}
