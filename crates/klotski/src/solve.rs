//! Which space and which engine solve a puzzle, and why.
//!
//! Classic boards have a space of their own, which is the fastest. All other boards, and classic
//! ones on request, use the general space. The default engine is breadth-first search, with
//! symmetry reduction if the puzzle is symmetric: the heuristic is weak, since the distance of a
//! piece to its goal does not count the pieces that have to be moved out of its path.

use fewest_core::budget::{Budget, Limit};
use fewest_core::outcome::Outcome;
use fewest_core::search::{Answer, Engine, UnsupportedEngine, astar, bfs, idastar};
use fewest_core::symmetry::{Folded, unfold};
use fewest_core::visited::Adaptive;

use crate::heuristic::GoalDistance;
use crate::instance::Instance;
use crate::plan::{Metric, Plan};
use crate::rules::{self, Refusal};
use crate::space::{Boards, Rectilinear, StaticMetric, Straight, Unit, classic, general};

/// The engines that find a plan. Bidirectional search is not among them: there are too many solved
/// boards to start from.
pub const ENGINES: &[Engine] = &[Engine::Bfs, Engine::Astar, Engine::Idastar];

/// How a board is packed into bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// [`classic`]
    Classic,
    /// [`general`]
    General,
}

/// The engine and the encoding of a search; `None` selects the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// One of [`ENGINES`], by default breadth-first search.
    pub engine: Option<Engine>,
    /// By default classic for classic pieces, and general for all others. For pieces that are not
    /// classic, [`Encoding::Classic`] counts as `None`.
    pub encoding: Option<Encoding>,
}

/// Why [`solve`] has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The engine is not one of [`ENGINES`].
    #[error(transparent)]
    Engine(#[from] UnsupportedEngine),
    /// The rules reject the plan that the search found: a bug in this crate.
    #[error(transparent)]
    Plan(#[from] Refusal),
}

/// A computation on the space of a puzzle, generic over the type of the space.
/// [`with_space`] runs it.
pub trait SpaceVisitor {
    /// The result of the computation.
    type Output;

    /// Runs the computation on a space.
    fn visit<S: Boards>(self, space: &S) -> Self::Output;
}

/// Builds the space of a puzzle and runs a visitor on it.
///
/// The space has the classic encoding for classic pieces, unless `encoding` is
/// [`Encoding::General`]. Otherwise it has the general encoding, in 64 bits if they suffice, or
/// else in 128.
///
/// # Errors
/// [`Limit::Encoding`] if a state takes more than 128 bits.
pub fn with_space<V: SpaceVisitor>(
    instance: &Instance,
    metric: Metric,
    encoding: Option<Encoding>,
    visitor: V,
) -> Result<V::Output, Limit> {
    let visited = match metric {
        Metric::Rectilinear => visit_classic::<Rectilinear, V>(instance, encoding, visitor),
        Metric::Straight => visit_classic::<Straight, V>(instance, encoding, visitor),
        Metric::Unit => visit_classic::<Unit, V>(instance, encoding, visitor),
    };
    let visitor = match visited {
        Ok(output) => return Ok(output),
        Err(visitor) => visitor,
    };
    if let Some(space) = general::Space::<u64>::new(instance, metric) {
        Ok(visitor.visit(&space))
    } else if let Some(space) = general::Space::<u128>::new(instance, metric) {
        Ok(visitor.visit(&space))
    } else {
        Err(Limit::Encoding)
    }
}

/// Runs a visitor on the classic space, or returns it if the encoding is not the classic one.
fn visit_classic<M: StaticMetric, V: SpaceVisitor>(
    instance: &Instance,
    encoding: Option<Encoding>,
    visitor: V,
) -> Result<V::Output, V> {
    let is_allowed = encoding != Some(Encoding::General);
    match is_allowed.then(|| classic::Space::<M>::new(instance)).flatten() {
        Some(space) => Ok(visitor.visit(&space)),
        None => Err(visitor),
    }
}

/// Finds a shortest plan in a metric, or proves that there is none. A stopped search and a state of
/// more than 128 bits give an outcome with the [`Limit`].
///
/// # Errors
/// If the engine is not one of [`ENGINES`]; if the plan that the search found breaks the rules,
/// which is a bug in this crate.
pub fn solve(
    instance: &Instance,
    metric: Metric,
    choice: Choice,
    budget: &Budget,
) -> Result<Answer<Plan>, SolveError> {
    let engine = choice.engine.unwrap_or(Engine::Bfs);
    let search = FindShortestPlan { instance, metric, engine, budget };
    let outcome = match with_space(instance, metric, choice.encoding, search) {
        Ok(found) => found?,
        Err(limit) => Outcome::stopped(limit, budget),
    };
    Ok(Answer { outcome, engine: engine.name() })
}

struct FindShortestPlan<'a> {
    instance: &'a Instance,
    metric: Metric,
    engine: Engine,
    budget: &'a Budget,
}

impl SpaceVisitor for FindShortestPlan<'_> {
    type Output = Result<Outcome<Plan>, SolveError>;

    fn visit<S: Boards>(self, space: &S) -> Self::Output {
        let Self { instance, metric, engine, budget } = self;
        let outcome = if space.is_symmetric() {
            let folded = Folded(space);
            let outcome = match engine {
                Engine::Astar => {
                    astar::search_with_predecessors(&folded, &GoalDistance(space), budget)
                }
                Engine::Idastar => idastar::search(&folded, &GoalDistance(space), budget),
                Engine::Bfs => {
                    bfs::search_with_predecessors::<Adaptive<S::State>, _>(&folded, budget)
                }
                Engine::Bidirectional => return Err(UnsupportedEngine(engine).into()),
            };
            // If the chain cannot be unfolded, the rules refuse the empty plan below.
            outcome.map(|chain| unfold(space, &chain).unwrap_or_default())
        } else {
            match engine {
                Engine::Astar => {
                    astar::search_with_predecessors(space, &GoalDistance(space), budget)
                }
                Engine::Idastar => idastar::search(space, &GoalDistance(space), budget),
                Engine::Bfs => {
                    bfs::search_with_predecessors::<Adaptive<S::State>, _>(space, budget)
                }
                Engine::Bidirectional => return Err(UnsupportedEngine(engine).into()),
            }
        };
        Ok(outcome.try_map(|states| plan_through(space, instance, metric, &states))?)
    }
}

/// The plan through a chain of states, with the characters of the puzzle, replayed by the rules.
pub(crate) fn plan_through<S: Boards>(
    space: &S,
    instance: &Instance,
    metric: Metric,
    states: &[S::State],
) -> Result<Plan, Refusal> {
    let mut board = instance.board().clone();
    let mut plan = Plan::new();
    for (index, pair) in states.windows(2).enumerate() {
        let jump = Refusal::Jump { number: index + 1 };
        let (from, to) = space.moved_piece(pair[0], pair[1]).ok_or(jump)?;
        let mut slides = rules::slides(instance, &board, board.cells()[from], metric).into_iter();
        let (slide, _) = slides.find(|(_, cells)| cells[0] == to).ok_or(jump)?;
        let refused = |illegal| Refusal::Move { number: index + 1, illegal };
        rules::play_on(instance, &mut board, &slide, metric).map_err(refused)?;
        plan.push(slide);
    }
    rules::check_solved(instance, &board, plan.len())?;
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let plan_through = |states: &[u64]| plan_through(&space, &layout, Metric::Unit, states);
        let not_solved = |moves| Err(Refusal::NotSolved { moves, piece: 'C', row: 4, column: 2 });
        assert_eq!(plan_through(&[start, shifted_west]), not_solved(1));
        assert_eq!(plan_through(&[start, shifted_west, solved]), Err(Refusal::Jump { number: 2 }));
        assert_eq!(plan_through(&[start]), not_solved(0));
        assert_eq!(plan_through(&[]), not_solved(0));
    }

    #[test]
    fn an_unsupported_engine_is_refused_by_name() {
        let choice = Choice { engine: Some(Engine::Bidirectional), ..Choice::default() };
        for text in ["aCCb/aCCb/cdde/cfge/h..i", "A.\ngoal: A at 1,2\n"] {
            let instance =
                Instance::read(text.as_bytes()).next().expect("a puzzle").expect("valid");
            let error = solve(&instance, Metric::Unit, choice, &Budget::unlimited())
                .expect_err("not one of ENGINES");
            let expected = "the engine `bidirectional` is not available for this puzzle";
            assert_eq!(error.to_string(), expected);
        }
    }
}
