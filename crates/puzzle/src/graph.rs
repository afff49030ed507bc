//! All boards that can be reached, and the moves between them.

use fewest_core::StateSpace;
use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::graph::{Edges, Graph};
use fewest_core::memory::{Block, Memory, Reservation};

use crate::work::WorkError;

/// How the states of a space are written.
pub struct StateTexts<'a, W> {
    /// A board on one line.
    pub board: &'a dyn Fn(W) -> String,
    /// The text of the instance that starts with a board; `None` if no instance can.
    pub instance: &'a dyn Fn(W) -> Option<String>,
    /// The move from a board to another one, as in a plan.
    pub move_text: &'a dyn Fn(W, W) -> String,
}

/// All boards that are reachable from a board, as a graph. The boards are numbered from 0, which is
/// the start. Texts are written when they are asked for.
pub struct BoardGraph<'a> {
    /// The distance of each board from the start.
    pub depths: Block<u32>,
    /// Whether each board is solved.
    pub solved: Block<bool>,
    /// Whether some moves cannot be undone.
    pub is_directed: bool,
    edges: &'a Edges,
    texts: StateTexts<'a, u32>,
}

/// Takes the graph of all boards.
pub type VisitGraph<'a> = &'a mut dyn FnMut(&BoardGraph<'_>) -> Result<(), WorkError>;

impl BoardGraph<'_> {
    /// Builds the graph of a space, and passes it to `visit`.
    ///
    /// # Errors
    /// The limit that stopped the exploration; an error of `visit`.
    pub fn visit<S: StateSpace>(
        space: &S,
        is_directed: bool,
        texts: &StateTexts<'_, S::State>,
        budget: &Budget,
        visit: VisitGraph<'_>,
    ) -> Result<(), WorkError> {
        let graph = Graph::of(space, budget)?;
        let mut solved = Block::filled(false, graph.len(), budget.memory()).map_err(Limit::from)?;
        solved.iter_mut().zip(graph.states()).for_each(|(solved, &state)| {
            *solved = space.is_goal(state);
        });
        let state = |number: u32| graph.states()[number as usize];
        visit(&BoardGraph {
            depths: distances(graph.edges(), [0], graph.len(), budget.memory())?,
            solved,
            is_directed,
            edges: graph.edges(),
            texts: StateTexts {
                board: &|number| (texts.board)(state(number)),
                instance: &|number| (texts.instance)(state(number)),
                move_text: &|from, to| (texts.move_text)(state(from), state(to)),
            },
        })
    }

    /// The number of boards.
    pub fn boards(&self) -> u32 {
        self.depths.len() as u32
    }

    /// A board on one line.
    pub fn board(&self, number: u32) -> String {
        (self.texts.board)(number)
    }

    /// The text of the instance that starts with a board; `None` if no instance can.
    pub fn instance(&self, number: u32) -> Option<String> {
        (self.texts.instance)(number)
    }

    /// The move from a board to another one, as in a plan.
    pub fn move_text(&self, from: u32, to: u32) -> String {
        (self.texts.move_text)(from, to)
    }

    /// The boards that one move leads to, in the order of the moves.
    pub fn successors(&self, number: u32) -> &[u32] {
        self.edges.successors(number)
    }

    /// The boards before and after each move. If all moves can be undone, a move and its inverse
    /// occur once, from the board with the lesser number.
    pub fn moves(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let moves = (0..self.boards())
            .flat_map(|from| self.successors(from).iter().map(move |&to| (from, to)));
        moves.filter(|(from, to)| self.is_directed || from < to)
    }

    /// The distance of each board to the nearest solved board; [`UNREACHED`] if none can be
    /// reached.
    ///
    /// # Errors
    /// If `memory` does not suffice.
    ///
    /// [`UNREACHED`]: fewest_core::explore::graph::UNREACHED
    pub fn goal_distances(&self, memory: &Memory) -> Result<Block<u32>, Limit> {
        let goals = (0..self.boards()).filter(|&number| self.solved[number as usize]);
        if self.is_directed {
            distances(&self.edges.reversed(memory)?, goals, self.depths.len(), memory)
        } else {
            distances(self.edges, goals, self.depths.len(), memory)
        }
    }
}

/// The distances from the nearest of some boards.
fn distances(
    edges: &Edges,
    from: impl IntoIterator<Item = u32>,
    boards: usize,
    memory: &Memory,
) -> Result<Block<u32>, Limit> {
    let mut distances = Block::filled(0, boards, memory)?;
    let mut order = Reservation::none(memory);
    order.grow(boards as u64 * size_of::<u32>() as u64)?;
    edges.distances(from, &mut distances, &mut Vec::with_capacity(boards));
    Ok(distances)
}
