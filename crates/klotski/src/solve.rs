//! Which space and which search answer which question, and why.
//!
//! Classic boards have a space of their own, the fastest; all others, and classic ones on request,
//! the general one. The search is breadth-first by default, on mirror images folded into one where
//! a puzzle has them: the distance of a piece from its goal says little of what has to be cleared
//! out of its way.

use fewest_core::budget::{Budget, Limit};
use fewest_core::outcome::Outcome;
use fewest_core::search::{Answer, Engine, astar, bfs, idastar};
use fewest_core::symmetry::{Folded, unfold};
use fewest_core::visited::Adaptive;

use crate::heuristic::GoalDistance;
use crate::instance::Instance;
use crate::plan::{Metric, Plan};
use crate::rules::{self, Refusal};
use crate::space::{Boards, Reach, Rectilinear, Straight, Unit, classic, general};

/// The searches for a plan. Bidirectional search is not among them: the boards to end on are too
/// many to begin with.
pub const ENGINES: &[Engine] = &[Engine::Bfs, Engine::Astar, Engine::Idastar];

/// How a board becomes bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// [`classic`]
    Classic,
    /// [`general`]
    General,
}

/// What is left to us where it is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// One of [`ENGINES`]; others are as `None`.
    pub engine: Option<Engine>,
    /// The classic encoding is for classic pieces only, and as `None` for others.
    pub encoding: Option<Encoding>,
}

/// A question to whichever space a puzzle has.
pub trait Question {
    /// What is answered.
    type Answer;

    /// Asks it.
    fn ask<S: Boards>(self, space: &S) -> Self::Answer;
}

/// The answer to a question about the space of a puzzle.
///
/// # Errors
/// [`Limit::Encoding`] if its states have more than 128 bits.
pub fn ask<Q: Question>(
    puzzle: &Instance,
    metric: Metric,
    encoding: Option<Encoding>,
    question: Q,
) -> Result<Q::Answer, Limit> {
    match metric {
        Metric::Rectilinear => ask_in::<Rectilinear, Q>(puzzle, encoding, question),
        Metric::Straight => ask_in::<Straight, Q>(puzzle, encoding, question),
        Metric::Unit => ask_in::<Unit, Q>(puzzle, encoding, question),
    }
}

fn ask_in<M: Reach, Q: Question>(
    puzzle: &Instance,
    encoding: Option<Encoding>,
    question: Q,
) -> Result<Q::Answer, Limit> {
    let classic =
        if encoding == Some(Encoding::General) { None } else { classic::Space::<M>::new(puzzle) };
    if let Some(space) = classic {
        Ok(question.ask(&space))
    } else if let Some(space) = general::Space::<u64, M>::new(puzzle) {
        Ok(question.ask(&space))
    } else if let Some(space) = general::Space::<u128, M>::new(puzzle) {
        Ok(question.ask(&space))
    } else {
        Err(Limit::Encoding)
    }
}

/// Finds the fewest moves of a metric that solve a puzzle, or proves that nothing does.
///
/// # Errors
/// If the rules refuse the plan that the search found: a fault of this program.
pub fn solve(
    puzzle: &Instance,
    metric: Metric,
    choice: Choice,
    budget: &Budget,
) -> Result<Answer<Plan>, Refusal> {
    let engine = choice.engine.filter(|engine| ENGINES.contains(engine)).unwrap_or(Engine::Bfs);
    let outcome =
        match ask(puzzle, metric, choice.encoding, Shortest { puzzle, metric, engine, budget }) {
            Ok(found) => found?,
            Err(limit) => Outcome::stopped(limit, budget),
        };
    Ok(Answer { outcome, engine: engine.name() })
}

/// Which plan is shortest?
struct Shortest<'a> {
    puzzle: &'a Instance,
    metric: Metric,
    engine: Engine,
    budget: &'a Budget,
}

impl Question for Shortest<'_> {
    type Answer = Result<Outcome<Plan>, Refusal>;

    fn ask<S: Boards>(self, space: &S) -> Self::Answer {
        let Self { puzzle, metric, engine, budget } = self;
        let outcome = if space.is_symmetric() {
            let folded = Folded(space);
            let outcome = match engine {
                Engine::Astar => {
                    astar::search_with_predecessors(&folded, &GoalDistance(space), budget)
                }
                Engine::Idastar => idastar::search(&folded, &GoalDistance(space), budget),
                Engine::Bfs | Engine::Bidirectional => {
                    bfs::search_with_predecessors::<Adaptive<S::State>, _>(&folded, budget)
                }
            };
            // A chain that is none would show as a plan that the rules refuse.
            outcome.map(|chain| unfold(space, &chain).unwrap_or_default())
        } else {
            match engine {
                Engine::Astar => {
                    astar::search_with_predecessors(space, &GoalDistance(space), budget)
                }
                Engine::Idastar => idastar::search(space, &GoalDistance(space), budget),
                Engine::Bfs | Engine::Bidirectional => {
                    bfs::search_with_predecessors::<Adaptive<S::State>, _>(space, budget)
                }
            }
        };
        outcome.try_map(|states| accepted(space, puzzle, metric, &states))
    }
}

/// The plan through these states, in the characters of the puzzle, if the rules accept it.
pub(crate) fn accepted<S: Boards>(
    space: &S,
    puzzle: &Instance,
    metric: Metric,
    states: &[S::State],
) -> Result<Plan, Refusal> {
    let mut board = puzzle.board().clone();
    let mut plan = Plan::new();
    for (index, pair) in states.windows(2).enumerate() {
        let jump = Refusal::Jump { number: index + 1 };
        let (from, to) = space.moved(pair[0], pair[1]).ok_or(jump)?;
        let mut slides = rules::slides(puzzle, &board, board.cells()[from], metric).into_iter();
        let (slide, _) = slides.find(|(_, cells)| cells[0] == to).ok_or(jump)?;
        let refused = |illegal| Refusal::Move { number: index + 1, illegal };
        rules::play_on(puzzle, &mut board, &slide, metric).map_err(refused)?;
        plan.push(slide);
    }
    rules::check_end(puzzle, &board, plan.len())?;
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_plan_gets_past_the_rules() {
        let read =
            |rows: &[u8]| Instance::read(rows).next().expect("a data set").expect("a good one");
        let layout = read(b"..../..../.CC./.CC./abcd");
        let space = classic::Space::<Unit>::new(&layout).expect("classic pieces");
        let state = |rows: &[u8]| space.pack(read(rows).board());
        let (start, beside) = (space.pack(layout.board()), state(b"..../..../CC../CC../abcd"));
        let solved = state(b"..../..../..../aCCd/bCCc");
        let accepted = |states: &[u64]| accepted(&space, &layout, Metric::Unit, states);
        let not_solved = |moves| Err(Refusal::NotSolved { moves, piece: 'C', row: 4, column: 2 });
        assert_eq!(accepted(&[start, beside]), not_solved(1));
        assert_eq!(accepted(&[start, beside, solved]), Err(Refusal::Jump { number: 2 }));
        assert_eq!(accepted(&[start]), not_solved(0));
        assert_eq!(accepted(&[]), not_solved(0));
    }
}
