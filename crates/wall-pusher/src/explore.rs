//! What can be reached from the start of a maze.

use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::explore_with;
use fewest_core::stats::Stats;
use fewest_core::visited::Adaptive;
use fewest_core::{StateSpace, Word};

use crate::instance::Instance;
use crate::relaxation::Relaxation;
use crate::space::{Question, Space, View, ask};

/// All boards that the start leads to: the walls, and the cell that one stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explored {
    /// How many there are at 0, 1, 2 moves from the start and so on.
    pub layers: Vec<u64>,
    /// The fewest moves that lead out; `None` if none were met.
    pub way_out: Option<u32>,
    /// What ended it before all were met; the layers are complete up to there.
    pub limit: Option<Limit>,
    /// The work.
    pub stats: Stats,
}

impl Explored {
    /// All boards counted.
    pub fn boards(&self) -> u64 {
        self.layers.iter().sum()
    }
}

/// Goes on to the end, ways out or not.
///
/// # Errors
/// [`Limit::Encoding`] if the boards fit no word: not with mazes of 8 x 8.
pub fn explore(maze: &Instance, budget: &Budget) -> Result<Explored, Limit> {
    struct All<'a>(&'a Budget);
    impl Question for All<'_> {
        type Answer = Explored;

        fn ask<W: Word>(self, space: &Space<W>) -> Explored {
            let mut outside = Vec::new();
            let all = explore_with::<Adaptive<_>, _>(space, self.0, |depth, state| {
                if space.is_goal(state) {
                    outside.push(depth);
                }
            });
            let mut layers = all.layers;
            // A layer is shown before it is counted, and one that was not expanded to the end is
            // counted, too.
            outside.iter().for_each(|&depth| layers[depth as usize] -= 1);
            layers
                .truncate(layers.iter().rposition(|&boards| boards > 0).map_or(0, |last| last + 1));
            Explored {
                layers,
                way_out: outside.first().copied(),
                limit: all.limit,
                stats: all.stats,
            }
        }
    }
    ask(maze, &Relaxation::new(maze), View::ALL, All(budget))
}
