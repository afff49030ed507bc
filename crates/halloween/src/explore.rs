//! The boards of all ghosts that can be reached from the starts, by core's searches of the joint
//! state space.

use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::diameter::{Diameter, Progress};
use fewest_geometry::Cell;
use fewest_puzzle::SolveError;
use fewest_puzzle::explore::{Explore, Explored, OnLayer};
use fewest_puzzle::exploring::{self, RankedExplorer};
use fewest_puzzle::graph::{BoardGraph, StateTexts, VisitGraph};
use fewest_puzzle::work::WorkError;

use crate::instance::Instance;
use crate::plan::JointStep;
use crate::space::with_space;

impl Explore for Instance {
    /// Explores all boards that are reachable from the starts. `on_layer` gets each layer when it
    /// is complete.
    ///
    /// # Errors
    /// If a board fits no word, or the search cannot use the representation of the budget.
    fn explore(&self, budget: &Budget, on_layer: OnLayer<'_>) -> Result<Explored, SolveError> {
        let explored = with_space!(self, |space| {
            let explorer = RankedExplorer(|state| line(self, &space.unpack(state)));
            exploring::explore(space, space.start(), &explorer, budget, on_layer)
        });
        Ok(explored.ok_or(Limit::Encoding)??)
    }

    fn graph(&self, budget: &Budget, visit: VisitGraph<'_>) -> Result<(), WorkError> {
        let visited = with_space!(self, |space| {
            let texts = StateTexts {
                board: &|state| line(self, &space.unpack(state)),
                instance: &|state| Some(self.with_starts(&space.unpack(state))?.to_string()),
                move_text: &|from, to| {
                    let step = JointStep::between(&space.unpack(from), &space.unpack(to));
                    step.map_or_else(String::new, |step| step.to_string())
                },
            };
            BoardGraph::visit(space, false, &texts, budget, visit)
        });
        visited.ok_or(Limit::Encoding)?
    }

    fn diameter(
        &self,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Diameter, SolveError> {
        let diameter = with_space!(self, |space| exploring::diameter(space, budget, progress));
        Ok(diameter.ok_or(Limit::Encoding)??)
    }
}

/// The map with the ghosts on one line, the rows separated by `/`.
fn line(instance: &Instance, cells: &[Cell]) -> String {
    instance.map_text(cells).trim_end_matches('\n').replace('\n', "/")
}
