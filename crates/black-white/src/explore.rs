//! The boards that can be reached.

use fewest_core::budget::Budget;
use fewest_core::explore::diameter::{Diameter, Progress};
use fewest_puzzle::SolveError;
use fewest_puzzle::explore::{Explore, Explored, OnLayer};
use fewest_puzzle::exploring::{self, RankedExplorer};
use fewest_puzzle::graph::{BoardGraph, StateTexts, VisitGraph};
use fewest_puzzle::work::WorkError;
use fewest_rules::Rules;

use crate::instance::Instance;
use crate::solve::space_for;

impl Explore for Instance {
    fn explore(&self, budget: &Budget, on_layer: OnLayer<'_>) -> Result<Explored, SolveError> {
        let space = space_for(self, "explore")?;
        let explorer = RankedExplorer(|state| self.line(&space.unpack(state)));
        Ok(exploring::explore(&space, space.pack(self.start()), &explorer, budget, on_layer)?)
    }

    fn graph(&self, budget: &Budget, visit: VisitGraph<'_>) -> Result<(), WorkError> {
        let space = space_for(self, "explore")?;
        let texts = StateTexts {
            board: &|state| self.line(&space.unpack(state)),
            instance: &|state| Some(self.with_board(space.unpack(state))?.to_string()),
            move_text: &|from, to| {
                let exchange = space.exchange(from, to);
                exchange.map_or_else(String::new, |exchange| exchange.text(self.size()))
            },
        };
        BoardGraph::visit(&space, false, &texts, budget, visit)
    }

    fn diameter(
        &self,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Diameter, SolveError> {
        Ok(exploring::diameter(&space_for(self, "explore")?, budget, progress)?)
    }
}
