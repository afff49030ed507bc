//! Which space and which engine solve a puzzle, and why.
//!
//! Classic boards have a space of their own, which is the fastest. All other boards, and classic
//! ones on request, use the general space. The default engine is breadth-first search, with
//! symmetry reduction if the puzzle is symmetric: the heuristic is weak, since the distance of a
//! piece to its goal does not count the pieces that have to be moved out of its path.

use std::any::Any;

use fewest_core::budget::{Budget, Limit};
use fewest_core::outcome::Outcome;
use fewest_core::search::{Answer, Engine, Search};
use fewest_core::symmetry::{Folded, unfold};
use fewest_core::{Heuristic, Predecessors};
use fewest_puzzle::SolveError;
use fewest_rules::{Rules, Verified, verify};

use crate::board::Board;
use crate::heuristic::GoalDistance;
use crate::path::path;
use crate::plan::{Metric, Plan, Slide};
use crate::space::wide::Wide;
use crate::space::{BoardSpace, Rectilinear, Straight, Unit, classic, general, unpack};
use crate::task::{Encoding, Task};

/// The engines that find a plan. Bidirectional search is not among them: there are too many solved
/// boards to start from.
pub const ENGINES: &[Engine] = &[Engine::Bfs, Engine::Astar, Engine::Idastar];

/// The space of a puzzle.
pub enum AnySpace {
    /// The classic encoding, in the rectilinear metric.
    Rectilinear(classic::Space<Rectilinear>),
    /// The classic encoding, in the straight metric.
    Straight(classic::Space<Straight>),
    /// The classic encoding, in the unit metric.
    Unit(classic::Space<Unit>),
    /// The general encoding in 64 bits.
    Narrow(general::Space<u64>),
    /// The general encoding in 128 bits.
    Wide(general::Space<u128>),
    /// The general encoding in 192 bits.
    Widest(general::Space<Wide>),
}

impl AnySpace {
    /// The space has the classic encoding for classic pieces, unless the encoding of the task is
    /// [`Encoding::General`]. Otherwise it has the general encoding, in the fewest bits that
    /// suffice.
    ///
    /// # Errors
    /// [`Limit::Encoding`] if a state takes more than 192 bits.
    pub fn of(task: &Task) -> Result<Self, Limit> {
        let &Task { ref instance, metric, encoding } = task;
        let is_classic = encoding != Encoding::General;
        let classic = is_classic.then(|| match metric {
            Metric::Rectilinear => classic::Space::new(instance).map(Self::Rectilinear),
            Metric::Straight => classic::Space::new(instance).map(Self::Straight),
            Metric::Unit => classic::Space::new(instance).map(Self::Unit),
        });
        let narrow = || general::Space::new(instance, metric).map(Self::Narrow);
        let wide = || general::Space::new(instance, metric).map(Self::Wide);
        let widest = || general::Space::new(instance, metric).map(Self::Widest);
        classic.flatten().or_else(narrow).or_else(wide).or_else(widest).ok_or(Limit::Encoding)
    }
}

/// Evaluates an expression with the space of a task: `with_space!(task, |space| ...)`. It is
/// compiled for each [`AnySpace`]; all of them are [`BoardSpace`](crate::space::BoardSpace).
///
/// # Errors
/// As [`AnySpace::of`].
#[macro_export]
macro_rules! with_space {
    ($task:expr, |$space:ident| $result:expr) => {
        match $crate::solve::AnySpace::of($task) {
            Ok($crate::solve::AnySpace::Rectilinear($space)) => Ok($crate::with_space!(@ $space $result)),
            Ok($crate::solve::AnySpace::Straight($space)) => Ok($crate::with_space!(@ $space $result)),
            Ok($crate::solve::AnySpace::Unit($space)) => Ok($crate::with_space!(@ $space $result)),
            Ok($crate::solve::AnySpace::Narrow($space)) => Ok($crate::with_space!(@ $space $result)),
            Ok($crate::solve::AnySpace::Wide($space)) => Ok($crate::with_space!(@ $space $result)),
            Ok($crate::solve::AnySpace::Widest($space)) => Ok($crate::with_space!(@ $space $result)),
            Err(limit) => Err(limit),
        }
    };
    (@ $space:ident $result:expr) => {{
        let $space = &$space;
        $result
    }};
}

/// Returns an error if the encoding does not fit the puzzle.
pub(crate) fn check_encoding(task: &Task) -> Result<&Task, SolveError> {
    if task.encoding == Encoding::Classic && !task.instance.is_of_classic_pieces() {
        return Err(SolveError::unsupported(
            "--encoding classic needs 5 x 4 cells with dominoes, singles and one 2x2, which has \
             the goal",
        ));
    }
    Ok(task)
}

/// Finds a shortest plan in a metric, or proves that there is none. A stopped search and a state of
/// more than 192 bits give an outcome with the [`Limit`].
///
/// # Errors
/// If the engine is not one of [`ENGINES`]; if the plan that the search found breaks the rules,
/// which is a bug in this crate.
pub fn solve(
    task: &Task,
    engine: Option<Engine>,
    budget: &Budget,
) -> Result<Answer<Verified<Task>>, SolveError> {
    let engine = engine.unwrap_or(Engine::Bfs);
    let found = with_space!(task, |space| shortest_plan(space, task, engine, budget)?);
    let outcome = found.unwrap_or_else(|limit| Outcome::stopped(limit, budget));
    Ok(Answer { outcome: outcome.try_map(|plan| verify(task, plan))?, engine: engine.name() })
}

fn shortest_plan<S: BoardSpace>(
    space: &S,
    task: &Task,
    engine: Engine,
    budget: &Budget,
) -> Result<Outcome<Plan>, SolveError> {
    // Who looks at the steps looks at boards, not at pairs of mirror images.
    let outcome = if space.is_symmetric() && !budget.has_steps() {
        let outcome = search(&Folded::new(space), &GoalDistance(space), engine, budget)?;
        // If the chain cannot be unfolded, the rules refuse the empty plan.
        outcome.map(|chain| unfold(space, &chain).unwrap_or_default())
    } else {
        search(space, &GoalDistance(space), engine, budget)?
    };
    Ok(outcome.map(|states| plan_through(space, task, &states)))
}

fn search<S: Predecessors>(
    space: &S,
    heuristic: &impl Heuristic<S>,
    engine: Engine,
    budget: &Budget,
) -> Result<Outcome<Vec<S::State>>, SolveError> {
    let search = Search::new(space).predecessors().heuristic(heuristic).engine(engine)?;
    Ok(search.budget(budget).run().supported()?)
}

/// The plan through a chain of states, with the characters of the puzzle. If no move leads from one
/// state to the next, the plan is empty, and the rules refuse it.
pub(crate) fn plan_through<S: BoardSpace>(space: &S, task: &Task, states: &[S::State]) -> Plan {
    let mut board = task.instance.board().clone();
    let slide = |pair: &[S::State]| {
        let (slide, to) = slide_between(space, task, &board, pair[0], pair[1])?;
        board.put(slide.piece, &board.translated(&board.cells_of(slide.piece), to)?);
        Some(slide)
    };
    states.windows(2).map(slide).collect::<Option<_>>().unwrap_or_default()
}

/// The move from the state of a board to another one, and the first cell of the piece after it.
pub(crate) fn slide_between<S: BoardSpace>(
    space: &S,
    task: &Task,
    board: &Board,
    from: S::State,
    to: S::State,
) -> Option<(Slide, usize)> {
    let (from, to) = space.moved_piece(from, to)?;
    let path = path(&task.instance, board, from, to, task.metric)?;
    Some((Slide { piece: board.cells()[from], path }, to))
}

/// The instance that starts with a state of a search.
pub(crate) fn at_state(task: &Task, state: &dyn Any) -> Option<Task> {
    let start = task.instance.board();
    with_space!(task, |space| task.with_board(unpack(space, start, *state.downcast_ref()?))).ok()?
}

#[cfg(test)]
mod tests {
    use fewest_rules::Refusal;

    use super::*;
    use crate::instance::Instance;
    use crate::rules::NotAtGoal;

    #[test]
    fn chains_of_states_that_break_the_rules_are_refused() {
        let read = |rows: &[u8]| {
            Instance::read(rows).next().expect("one data set").expect("a valid data set")
        };
        let layout = read(b"..../..../.CC./.CC./abcd");
        let space = classic::Space::<Unit>::new(&layout).expect("classic pieces");
        let state = |rows: &[u8]| space.pack(read(rows).board());
        let start = space.pack(layout.board());
        let shifted_west = state(b"..../..../CC../CC../abcd");
        let solved = state(b"..../..../..../aCCd/bCCc");
        let task = Task::new(layout.clone(), Metric::Unit);
        let verify = |states: &[u64]| verify(&task, plan_through(&space, &task, states));
        let not_solved = |moves| {
            let unsolved = NotAtGoal { piece: 'C', goal: "4,2".to_owned() };
            Err(Refusal::Unsolved { noun: "move", moves, unsolved })
        };
        assert_eq!(verify(&[start, shifted_west]), not_solved(1));
        assert_eq!(verify(&[start, shifted_west, solved]), not_solved(0));
        assert_eq!(verify(&[start]), not_solved(0));
        assert_eq!(verify(&[]), not_solved(0));
    }

    #[test]
    fn an_unsupported_engine_is_refused_by_name() {
        for text in ["aCCb/aCCb/cdde/cfge/h..i", "A.\ngoal: A at 1,2\n"] {
            let instance =
                Instance::read(text.as_bytes()).next().expect("a puzzle").expect("valid");
            let task = Task::new(instance, Metric::Unit);
            let error = solve(&task, Some(Engine::Bidirectional), &Budget::unlimited())
                .expect_err("not one of ENGINES");
            let expected = "the engine `bidirectional` is not available: it needs lists of the goals \
                            and of predecessors";
            assert_eq!(error.to_string(), expected);
        }
    }
}
