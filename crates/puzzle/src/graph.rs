//! All boards that can be reached, and the moves between them.

use std::collections::BTreeMap;

use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::graph::{Edges, Graph};
use fewest_core::memory::Reservation;
use fewest_core::{StateSpace, Word};

/// All boards that are reachable from a board, as a graph. The boards are numbered from 0, which is
/// the start.
pub struct BoardGraph {
    /// The distance of each board from the start.
    pub depths: Vec<u32>,
    /// Whether each board is solved.
    pub solved: Vec<bool>,
    /// The boards, each on one line.
    pub boards: Vec<String>,
    /// Whether some moves cannot be undone.
    pub is_directed: bool,
    edges: Edges,
    /// The text of each move, as an index into the different ones.
    texts: Vec<u32>,
    different_texts: Vec<String>,
    _held: Reservation,
}

/// A move of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphMove<'a> {
    /// The number of the board before it.
    pub from: u32,
    /// The number of the board after it.
    pub to: u32,
    /// The move as in a plan.
    pub text: &'a str,
}

impl BoardGraph {
    /// Builds the graph of a space. `show` is a board on one line, of at most `line_bytes` bytes,
    /// and `move_text` the move from a board to another one, as in a plan.
    ///
    /// # Errors
    /// The limit that stopped the exploration.
    pub fn of<S: StateSpace<State = W>, W: Word>(
        space: &S,
        is_directed: bool,
        line_bytes: usize,
        show: impl Fn(W) -> String,
        move_text: impl Fn(W, W) -> String,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let graph = Graph::of(space, budget)?;
        let mut held = Reservation::none(budget.memory());
        let board_bytes = size_of::<(u32, bool, String)>() + line_bytes;
        held.grow((graph.len() * board_bytes + graph.edges() * size_of::<u32>()) as u64)?;
        let mut depths = vec![0; graph.len()];
        graph.distances([0], &mut depths, &mut Vec::new());
        let mut meter = budget.meter();
        // The same moves occur on many boards.
        let (mut texts, mut numbers) = (Vec::with_capacity(graph.edges()), BTreeMap::new());
        for (number, &state) in (0..).zip(graph.states()) {
            for &next in graph.successors(number) {
                meter.poll()?;
                let (text, new) =
                    (move_text(state, graph.states()[next as usize]), numbers.len() as u32);
                texts.push(*numbers.entry(text).or_insert(new));
            }
        }
        let mut different_texts = vec![String::new(); numbers.len()];
        numbers.into_iter().for_each(|(text, number)| different_texts[number as usize] = text);
        let board = |&state: &W| {
            meter.poll()?;
            Ok(show(state))
        };
        Ok(Self {
            depths,
            boards: graph.states().iter().map(board).collect::<Result<_, Limit>>()?,
            solved: graph.states().iter().map(|&state| space.is_goal(state)).collect(),
            is_directed,
            edges: graph.into_edges(),
            texts,
            different_texts,
            _held: held,
        })
    }

    /// The moves from a board.
    pub fn moves_from(&self, from: u32) -> impl Iterator<Item = GraphMove<'_>> + '_ {
        let moves = (self.edges.first_move(from)..).zip(self.edges.successors(from));
        moves.map(move |(index, &to)| {
            let text = &self.different_texts[self.texts[index] as usize];
            GraphMove { from, to, text }
        })
    }

    /// All moves. If all of them can be undone, a move and its inverse occur once, from the board
    /// with the lesser number.
    pub fn moves(&self) -> impl Iterator<Item = GraphMove<'_>> + '_ {
        let moves = (0..self.boards.len() as u32).flat_map(|from| self.moves_from(from));
        moves.filter(|by| self.is_directed || by.from < by.to)
    }
}
