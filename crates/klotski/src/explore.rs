//! The boards that are reachable from a board: how many there are, how far away they are, and which
//! of them are hardest to solve.
//!
//! ```
//! use fewest_core::budget::Budget;
//! use fewest_klotski::{Instance, Metric, Task};
//! use fewest_puzzle::explore::Explore;
//!
//! let layout = Instance::read("横刀立马".as_bytes()).next().unwrap().unwrap();
//! let task = Task::new(layout, Metric::Rectilinear);
//! let component = task.explore(&Budget::unlimited(), &mut |_, _| {}).unwrap();
//! assert_eq!((component.boards(), component.goals), (25_955, Some(964)));
//! let farthest = component.farthest.unwrap();
//! assert_eq!((farthest.moves, farthest.boards), (124, 8));
//! let hardest = component.hardest.unwrap().unwrap();
//! assert_eq!((hardest.moves, hardest.boards), (93, 2));
//! ```

use std::ops::ControlFlow;

use fewest_core::budget::Budget;
use fewest_core::explore::Exploration;
use fewest_core::explore::diameter::{Diameter, Progress};
use fewest_core::search::Search;
use fewest_core::symmetry::Folded;
use fewest_puzzle::SolveError;
use fewest_puzzle::explore::{Explore, Explored, OnLayer};
use fewest_puzzle::exploring::{self, SpaceExplorer, VisitLayer, to_the_end};
use fewest_puzzle::graph::{BoardGraph, StateTexts, VisitGraph};
use fewest_puzzle::work::WorkError;
use fewest_rules::Rules;

use crate::instance::Instance;
use crate::solve::{check_encoding, slide_between};
use crate::space::{BoardSpace, unpack};
use crate::task::Task;
use crate::with_space;

impl Explore for Task {
    /// Boards that differ in interchangeable pieces only count as one.
    ///
    /// If the board is its own mirror image, only one board of each pair of mirror images is
    /// visited. The counts are the same as without this reduction.
    ///
    /// # Errors
    /// If the encoding does not fit, a state takes more than 192 bits, or the search cannot use the
    /// representation of the budget.
    fn explore(&self, budget: &Budget, on_layer: OnLayer<'_>) -> Result<Explored, SolveError> {
        let explored = with_space!(check_encoding(self)?, |space| {
            let (explorer, board) = MirrorExplorer::new(space, &self.instance);
            exploring::explore(space, board, &explorer, budget, on_layer)
        });
        let explored = explored??;
        let has_goal = !self.instance.goals().is_empty();
        Ok(Explored { has_goal, goals: explored.goals.filter(|_| has_goal), ..explored })
    }

    fn graph(&self, budget: &Budget, visit: VisitGraph<'_>) -> Result<(), WorkError> {
        let start = self.instance.board();
        let visited = with_space!(check_encoding(self)?, |space| {
            let texts = StateTexts {
                board: &|state| unpack(space, start, state).row_text(),
                instance: &|state| Some(self.with_board(unpack(space, start, state))?.to_string()),
                move_text: &|from, to| {
                    let slide = slide_between(space, self, &unpack(space, start, from), from, to);
                    slide.map_or_else(String::new, |(slide, _)| slide.to_string())
                },
            };
            BoardGraph::visit(space, false, &texts, budget, visit)
        });
        visited?
    }

    fn diameter(
        &self,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Diameter, SolveError> {
        let task = check_encoding(self)?;
        Ok(with_space!(task, |space| exploring::diameter(space, budget, progress))??)
    }
}

/// Visits one board of each pair of mirror images if the board of the instance is its own mirror
/// image: then the mirror image of each reachable board is reachable, too.
struct MirrorExplorer<'a, S> {
    space: &'a S,
    instance: &'a Instance,
    is_folded: bool,
}

impl<'a, S: BoardSpace> MirrorExplorer<'a, S> {
    /// Also returns the state of the board.
    fn new(space: &'a S, instance: &'a Instance) -> (Self, S::State) {
        let board = space.pack(instance.board());
        let is_folded = space.is_symmetric() && space.image(board, 1) == board;
        (Self { space, instance, is_folded }, board)
    }
}

impl<S: BoardSpace> SpaceExplorer<S> for MirrorExplorer<'_, S> {
    fn show(&self, state: S::State) -> String {
        unpack(self.space, self.instance.board(), state).row_text()
    }

    fn boards(&self, state: S::State) -> u64 {
        if self.is_folded && self.space.image(state, 1) != state { 2 } else { 1 }
    }

    fn explore(
        &self,
        space: &S,
        states: &[S::State],
        budget: &Budget,
        visit: VisitLayer<'_, S::State>,
    ) -> Exploration {
        if self.is_folded {
            // The start is its own mirror image, and goals come from a folded exploration.
            let folded = Folded::new(space);
            let search = Search::new(&folded).starting_from(states).predecessors().budget(budget);
            search.explore_layers(to_the_end(visit))
        } else {
            let search = Search::new(space).starting_from(states).predecessors().budget(budget);
            search.explore_layers(to_the_end(visit))
        }
    }
}

/// Counts the boards at each depth from the board of a puzzle, as [`Explore::explore`] does, but
/// without the search from the goals.
///
/// # Errors
/// As [`Explore::explore`].
pub fn count_boards(task: &Task, budget: &Budget) -> Result<Exploration, SolveError> {
    let counted = with_space!(task, |space| {
        let (explorer, board) = MirrorExplorer::new(space, &task.instance);
        let mut layers = Vec::new();
        let mut found = explorer.explore(space, &[board], budget, &mut |_, layer| {
            let mut boards = [0];
            let _ = layer.read(&mut |states| {
                boards[0] += states.iter().map(|&state| explorer.boards(state)).sum::<u64>();
                ControlFlow::Continue(())
            })?;
            layer.sum(&mut boards)?;
            layers.extend(boards);
            Ok(())
        });
        found.layers = layers;
        found
    });
    Ok(counted?.supported()?)
}
