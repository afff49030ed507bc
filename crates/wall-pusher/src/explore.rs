//! The exploration of all boards that are reachable from the start of a maze. A board consists of
//! the walls and the cell of the player; boards with the player outside are not counted.

use std::ops::ControlFlow;

use fewest_core::StateSpace;
use fewest_core::budget::Budget;
use fewest_core::search::Search;
use fewest_core::space::moves_along;
use fewest_puzzle::SolveError;
use fewest_puzzle::explore::{Explore, Explored, Extreme, InCheckpoint, OnLayer};
use fewest_puzzle::graph::{BoardGraph, StateTexts, VisitGraph};
use fewest_puzzle::work::WorkError;
use fewest_rules::Rules;

use crate::drawing::line;
use crate::instance::Instance;
use crate::relaxation::Relaxation;
use crate::space::{Abstraction, with_space};

impl Explore for Instance {
    /// Explores all boards that are reachable from the start, breadth-first, whether or not there
    /// is a plan. The visited set holds all of them. `on_layer` gets each layer when it is
    /// complete.
    ///
    /// # Errors
    /// If a board fits no word, which does not happen for mazes of at most 8 x 8 cells, or if the
    /// search cannot use the representation of the budget.
    fn explore(&self, budget: &Budget, on_layer: OnLayer<'_>) -> Result<Explored, SolveError> {
        let relaxation = Relaxation::new(self);
        let explored = with_space!(self, &relaxation, Abstraction::IDENTITY, |space| {
            let (mut layers, mut cost, mut farthest) = (Vec::new(), None, None);
            let all = Search::new(space).budget(budget).explore_layers(|depth, layer| {
                let (mut numbers, mut least) = ([0, 0], None);
                let read = layer.read(&mut |states| {
                    for &state in states {
                        if space.is_goal(state) {
                            numbers[1] += 1;
                        } else {
                            numbers[0] += 1;
                            least = Some(least.map_or(state, |least| state.min(least)));
                        }
                    }
                    ControlFlow::Continue(())
                })?;
                layer.sum(&mut numbers)?;
                let least = layer.gather(least.as_slice())?.into_iter().min();
                let [boards, goals] = numbers;
                if goals > 0 {
                    cost = cost.or(Some(depth));
                }
                layers.push(boards);
                if let Some(least) = least {
                    on_layer(depth, boards);
                    farthest = Some((depth, boards, least));
                }
                Ok(read)
            });
            let all = all.supported()?;
            // The last layers may have goals only.
            layers.truncate(farthest.map_or(0, |(depth, ..)| depth as usize + 1));
            let farthest = farthest.map(|(moves, boards, least)| Extreme {
                moves,
                boards,
                board: line(self, &space.unpack(least)),
            });
            Explored {
                layers,
                has_goal: true,
                goals: None,
                cost,
                farthest,
                hardest: Ok(None),
                limit: all.limit(),
                checkpoint: InCheckpoint::of(&all),
                stats: all.stats,
            }
        });
        Ok(explored?)
    }

    fn graph(&self, budget: &Budget, visit: VisitGraph<'_>) -> Result<(), WorkError> {
        let relaxation = Relaxation::new(self);
        let visited = with_space!(self, &relaxation, Abstraction::IDENTITY, |space| {
            let texts = StateTexts {
                board: &|state| line(self, &space.unpack(state)),
                instance: &|state| Some(self.with_board(space.unpack(state))?.drawing()),
                move_text: &|from, to| {
                    let moves = moves_along(space, &[from, to]).unwrap_or_default();
                    moves.iter().map(|by| by.letter()).collect()
                },
            };
            BoardGraph::visit(space, true, &texts, budget, visit)
        });
        visited?
    }
}
