//! The exploration of all boards that are reachable from the start of a maze.

use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::explore_with;
use fewest_core::stats::Stats;
use fewest_core::visited::Adaptive;
use fewest_core::{StateSpace, Word};

use crate::instance::Instance;
use crate::relaxation::Relaxation;
use crate::space::{Abstraction, Space, SpaceVisitor, with_space};

/// The result of an exploration. A board consists of the walls and the cell of the player; boards
/// with the player outside are not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explored {
    /// The number of boards at each depth, from 0.
    pub layers: Vec<u64>,
    /// The cost of a shortest plan; `None` if no plan was found.
    pub way_out: Option<u32>,
    /// The limit that stopped the exploration; `None` if all boards were found. Each counted layer
    /// is complete.
    pub limit: Option<Limit>,
    /// The work of the search.
    pub stats: Stats,
}

impl Explored {
    /// The number of boards, over all layers.
    pub fn boards(&self) -> u64 {
        self.layers.iter().sum()
    }
}

/// Explores all boards that are reachable from the start, breadth-first, whether or not there is a
/// plan. The visited set holds all of them.
///
/// # Errors
/// [`Limit::Encoding`] if a board fits no word. This does not happen for mazes of at most 8 x 8
/// cells.
pub fn explore(maze: &Instance, budget: &Budget) -> Result<Explored, Limit> {
    struct Exploration<'a>(&'a Budget);
    impl SpaceVisitor for Exploration<'_> {
        type Output = Explored;

        fn visit<W: Word>(self, space: &Space<W>) -> Explored {
            let mut goal_depths = Vec::new();
            let all = explore_with::<Adaptive<_>, _>(space, self.0, |depth, state| {
                if space.is_goal(state) {
                    goal_depths.push(depth);
                }
            });
            let mut layers = all.layers;
            // A layer is counted before it is expanded, so the layer of each goal exists even if a
            // limit stops the exploration.
            goal_depths.iter().for_each(|&depth| layers[depth as usize] -= 1);
            layers
                .truncate(layers.iter().rposition(|&boards| boards > 0).map_or(0, |last| last + 1));
            Explored {
                layers,
                way_out: goal_depths.first().copied(),
                limit: all.limit,
                stats: all.stats,
            }
        }
    }
    with_space(maze, &Relaxation::new(maze), Abstraction::IDENTITY, Exploration(budget))
}
