//! The replay of plans by the rules.

use std::error::Error;
use std::fmt;
use std::ops::Deref;

use crate::rules::Rules;

/// The moves of a plan of an instance of `R`, each of which its rules accept after those before it.
/// The plan may stop before the puzzle is solved.
///
/// Only [`replay`] and [`verify`] create a plan with moves. The plan does not hold its instance;
/// `fewest_puzzle` keeps both together.
pub struct Replayed<R: Rules>(Vec<R::Move>);

/// A [replayed](Replayed) plan that solves the puzzle.
///
/// Only [`verify`] creates it.
pub struct Verified<R: Rules>(Replayed<R>);

// `derive` would require the traits of `R` instead of its moves.
macro_rules! like_its_moves {
    ($($plan:ident)*) => {$(
        impl<R: Rules> Clone for $plan<R> {
            fn clone(&self) -> Self {
                Self(self.0.clone())
            }
        }

        impl<R: Rules<Move: fmt::Debug>> fmt::Debug for $plan<R> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($plan)).field(&self.0).finish()
            }
        }

        impl<R: Rules<Move: PartialEq>> PartialEq for $plan<R> {
            fn eq(&self, other: &Self) -> bool {
                self.0 == other.0
            }
        }

        impl<R: Rules<Move: Eq>> Eq for $plan<R> {}
    )*};
}

like_its_moves!(Replayed Verified);

impl<R: Rules> Deref for Replayed<R> {
    type Target = [R::Move];

    fn deref(&self) -> &[R::Move] {
        &self.0
    }
}

impl<R: Rules> AsRef<Self> for Replayed<R> {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl<R: Rules> AsRef<Replayed<R>> for Verified<R> {
    fn as_ref(&self) -> &Replayed<R> {
        self
    }
}

impl<R: Rules> Deref for Verified<R> {
    type Target = Replayed<R>;

    fn deref(&self) -> &Replayed<R> {
        &self.0
    }
}

impl<'a, R: Rules> IntoIterator for &'a Replayed<R> {
    type Item = &'a R::Move;
    type IntoIter = std::slice::Iter<'a, R::Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a, R: Rules> IntoIterator for &'a Verified<R> {
    type Item = &'a R::Move;
    type IntoIter = std::slice::Iter<'a, R::Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<R: Rules> Replayed<R> {
    /// The plan without moves, in which no move is illegal.
    pub const NO_MOVES: Self = Self(Vec::new());

    /// The plan of the first `count` moves, or of all if there are fewer.
    #[must_use]
    pub fn first_moves(&self, count: usize) -> Self {
        Self(self.0.iter().take(count).cloned().collect())
    }

    /// Accepts the plan if it solves the puzzle.
    ///
    /// # Errors
    /// What is missing after the last move.
    ///
    /// # Panics
    /// As [`boards`](Self::boards).
    pub fn check_solved(&self, rules: &R) -> Result<(), RefusalOf<R>> {
        check_solved(rules, &self.last_board(rules), self.len())
    }

    /// The board after the last move.
    ///
    /// # Panics
    /// As [`boards`](Self::boards).
    pub fn last_board(&self, rules: &R) -> R::Board {
        self.boards(rules, R::Board::clone).last().unwrap_or_else(|| rules.start_board())
    }

    /// What `view` returns for each board of the plan: first for the start, then after each move.
    ///
    /// # Panics
    /// If `rules` are those of another instance, and refuse a move.
    pub fn boards<'a, T>(
        &'a self,
        rules: &'a R,
        mut view: impl FnMut(&R::Board) -> T + 'a,
    ) -> impl Iterator<Item = T> + 'a {
        let mut board = rules.start_board();
        std::iter::once(None).chain(self.0.iter().map(Some)).map(move |by| {
            let legal = by.is_none_or(|by| rules.play(&mut board, by).is_ok());
            assert!(legal, "the plan is of another instance");
            view(&board)
        })
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
pub fn replay<R: Rules>(rules: &R, plan: Vec<R::Move>) -> Result<Replayed<R>, RefusalOf<R>> {
    play_all(rules, &plan)?;
    Ok(Replayed(plan))
}

/// Plays a plan from the start. It is accepted if and only if each move is legal and the puzzle is
/// solved after the last one.
///
/// # Errors
/// The first illegal move, or what is missing after the last one.
pub fn verify<R: Rules>(rules: &R, plan: Vec<R::Move>) -> Result<Verified<R>, RefusalOf<R>> {
    let board = play_all(rules, &plan)?;
    check_solved(rules, &board, plan.len())?;
    Ok(Verified(Replayed(plan)))
}

/// The board after all moves.
fn play_all<R: Rules>(rules: &R, plan: &[R::Move]) -> Result<R::Board, RefusalOf<R>> {
    let mut board = rules.start_board();
    for (index, by) in plan.iter().enumerate() {
        rules.play(&mut board, by).map_err(|illegal| Refusal::Illegal {
            noun: R::MOVE,
            number: index + 1,
            illegal,
        })?;
    }
    Ok(board)
}

/// Accepts the board after all moves if the puzzle is solved.
fn check_solved<R: Rules>(rules: &R, board: &R::Board, moves: usize) -> Result<(), RefusalOf<R>> {
    let refusal = |unsolved| Refusal::Unsolved { noun: R::MOVE, moves, unsolved };
    rules.check_solved(board).map_err(refusal)
}
