//! The graph of all shortest plans with the pieces that its moves move. It decides which pieces are
//! idle and whether the plan is unique up to the order of its moves.

use fewest_core::budget::{Budget, Limit, Meter};
use fewest_core::memory::{Block, SegmentedVec};
use fewest_core::search::all_shortest::PlanGraph;

use crate::instance::Instance;
use crate::space::BoardSpace;

/// The first cell of the moved piece before and after the move.
type Label = (u32, u32);

/// The moves of all shortest plans as the edges of a graph. Its nodes are numbered by depth from
/// the start, and its edges in the order of their source nodes.
///
/// Takes 8 bytes per node and 20 bytes per edge.
pub(crate) struct PlanMoves {
    /// The edges that leave node `n` are `outgoing_start[n]..outgoing_start[n + 1]`.
    outgoing_start: Block<u32>,
    /// The edges that enter node `n` are `incoming[incoming_start[n]..incoming_start[n + 1]]`.
    incoming_start: Block<u32>,
    incoming: Block<u32>,
    /// The source node, the target node and the label of each edge.
    source: Block<u32>,
    target: Block<u32>,
    label: Block<Label>,
    /// The number of initial states.
    starts: usize,
}

impl PlanMoves {
    pub(crate) fn new<S: BoardSpace>(
        space: &S,
        plans: &PlanGraph<S::State>,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        let (all, memory) = (plans.nodes(), budget.memory());
        let mut meter = budget.meter();
        let (nodes, edges) = (all.len(), all.iter().map(|node| node.next.len()).sum::<usize>());
        if u32::try_from(nodes.max(edges)).is_err() {
            return Err(Limit::Encoding);
        }
        let block = |length| Block::filled(0u32, length, memory);
        let (mut outgoing_start, mut incoming_start) = (block(nodes + 1)?, block(nodes + 1)?);
        let (mut incoming, mut source, mut target) = (block(edges)?, block(edges)?, block(edges)?);
        let mut label = Block::filled((0, 0), edges, memory)?;
        let mut edge = 0;
        for (node, here) in all.iter().enumerate() {
            for &next in &here.next {
                meter.poll()?;
                let moved = space.moved_piece(here.state, all[next as usize].state);
                debug_assert!(moved.is_some(), "an edge of the plan graph is a move");
                let (from, to) = moved.unwrap_or_default();
                label[edge] = (from as u32, to as u32);
                (source[edge], target[edge]) = (node as u32, next);
                incoming_start[next as usize + 1] += 1;
                edge += 1;
            }
            outgoing_start[node + 1] = edge as u32;
        }
        for node in 0..nodes {
            incoming_start[node + 1] += incoming_start[node];
        }
        let mut incoming_end = block(nodes)?;
        incoming_end.copy_from_slice(&incoming_start[..nodes]);
        for edge in 0..edges {
            let end = &mut incoming_end[target[edge] as usize];
            incoming[*end as usize] = edge as u32;
            *end += 1;
        }
        let starts = plans.starts().len();
        Ok(Self { outgoing_start, incoming_start, incoming, source, target, label, starts })
    }

    /// The edges that leave a node.
    fn outgoing(&self, node: u32) -> std::ops::Range<usize> {
        let node = node as usize;
        self.outgoing_start[node] as usize..self.outgoing_start[node + 1] as usize
    }

    /// The edges that enter a node.
    fn incoming(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.incoming[self.incoming_start[node] as usize..self.incoming_start[node + 1] as usize]
    }

    /// The pieces that no shortest plan moves, in the order of their first cells.
    ///
    /// A piece is idle if and only if no edge leaves its first cell on the start board. No other
    /// piece can leave from that cell before the piece itself has moved.
    pub(crate) fn idle_pieces(&self, instance: &Instance) -> String {
        let board = instance.board();
        let mut is_left = vec![false; board.cells().len()];
        self.label.iter().for_each(|&(from, _)| is_left[from as usize] = true);
        let is_idle = |&piece: &char| board.first_cell(piece).is_some_and(|cell| !is_left[cell]);
        board.pieces().into_iter().filter(is_idle).collect()
    }

    /// Whether each shortest plan can be obtained from any other by exchanging successive moves.
    ///
    /// This holds if and only if the edges of one plan, closed under exchanging two successive
    /// edges, are all edges.
    pub(crate) fn is_unique(&self, budget: &Budget) -> Result<bool, Limit> {
        if self.starts > 1 {
            return Ok(false);
        }
        let mut meter = budget.meter();
        let mut reached = Block::filled(false, self.source.len(), budget.memory())?;
        let mut stack = SegmentedVec::new(budget.memory());
        let mut node = 0;
        while let Some(first) = self.outgoing(node).next() {
            stack.push(first as u32)?;
            node = self.target[first];
        }
        let mut count = 0;
        while let Some(edge) = stack.pop() {
            if std::mem::replace(&mut reached[edge as usize], true) {
                continue;
            }
            count += 1;
            // Pair the edge with each reached edge directly before it and directly after it.
            for &before in self.incoming(self.source[edge as usize]) {
                if reached[before as usize] {
                    self.push_exchanged(
                        before as usize,
                        edge as usize,
                        &reached,
                        &mut stack,
                        &mut meter,
                    )?;
                }
            }
            for after in self.outgoing(self.target[edge as usize]) {
                if reached[after] {
                    self.push_exchanged(edge as usize, after, &reached, &mut stack, &mut meter)?;
                }
            }
        }
        Ok(count == self.source.len())
    }

    /// Pushes the edges with the labels of `one` and `other` in the opposite order, if they exist
    /// and are not reached yet.
    fn push_exchanged(
        &self,
        one: usize,
        other: usize,
        reached: &[bool],
        stack: &mut SegmentedVec<u32>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Limit> {
        meter.poll()?;
        let mut firsts = self.outgoing(self.source[one]);
        let first = firsts.find(|&first| first != one && self.label[first] == self.label[other]);
        let Some(first) = first else { return Ok(()) };
        let leads_to_same_node = |&second: &usize| {
            self.label[second] == self.label[one] && self.target[second] == self.target[other]
        };
        let Some(second) = self.outgoing(self.target[first]).find(leads_to_same_node) else {
            return Ok(());
        };
        for edge in [first, second] {
            if !reached[edge] {
                stack.push(edge as u32)?;
            }
        }
        Ok(())
    }
}
