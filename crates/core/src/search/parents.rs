//! The parent of each state, stored so that a plan is recovered without an expansion.

use std::ops::ControlFlow;

use crate::memory::{Memory, OutOfMemory};
use crate::space::StateSpace;
use crate::visited::{StateHash, Table, Visited, insert_pipelined};
use crate::word::Word;

/// A space whose moves are the states before them.
pub(super) struct Traced<'a, S>(pub(super) &'a S);

impl<S: StateSpace> StateSpace for Traced<'_, S> {
    type State = S::State;
    type Move = S::State;

    fn initial(&self, emit: impl FnMut(S::State)) {
        self.0.initial(emit);
    }

    #[inline]
    fn is_goal(&self, state: S::State) -> bool {
        self.0.is_goal(state)
    }

    #[inline]
    fn successors<B>(
        &self,
        state: S::State,
        _: Option<S::State>,
        mut emit: impl FnMut(S::State, S::State) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.0.successors(state, None, |_, next| emit(state, next))
    }
}

/// A state with its depth and its parent. An initial state is its own parent.
#[derive(Clone, Copy)]
pub(super) struct Parent<W> {
    pub(super) state: W,
    pub(super) depth: u32,
}

impl<W: Word> Default for Parent<W> {
    fn default() -> Self {
        Self { state: W::ZERO, depth: 0 }
    }
}

/// A visited set that stores with each state its least parent in the layer before.
pub(super) struct Parents<W> {
    parents: Table<W, Parent<W>>,
    /// The depth of the states that are inserted.
    depth: u32,
}

impl<W: Word> Parents<W> {
    /// The path from an initial state to `target`.
    pub(super) fn path_to(&self, target: W) -> Vec<W> {
        path_to(&self.parents, target)
    }
}

/// The path from a state of depth 0 to `target`.
pub(super) fn path_to<W: Word>(parents: &Table<W, Parent<W>>, target: W) -> Vec<W> {
    let mut path = vec![target];
    let mut state = target;
    while let Some(Parent { state: before, depth }) = parents.get(state)
        && depth > 0
    {
        path.push(before);
        state = before;
    }
    path.reverse();
    path
}

impl<S: StateSpace> Visited<Traced<'_, S>> for Parents<S::State> {
    fn new(_: &Traced<'_, S>, memory: &Memory) -> Result<Self, OutOfMemory> {
        Ok(Self { parents: Table::new(memory)?, depth: 0 })
    }

    fn insert(&mut self, _: &Traced<'_, S>, state: S::State) -> Result<bool, OutOfMemory> {
        Ok(self.parents.entry(state, Parent { state, depth: 0 })?.1)
    }

    fn insert_batch(
        &mut self,
        _: &Traced<'_, S>,
        batch: &mut [(S::State, S::State)],
    ) -> Result<usize, OutOfMemory> {
        self.parents.make_room(batch.len())?;
        let depth = self.depth;
        Ok(insert_pipelined(
            &mut self.parents,
            batch,
            |parents, (state, _)| {
                let hash = StateHash::of(state);
                parents.prefetch(hash);
                hash
            },
            |parents, hash, (state, parent)| {
                let (known, new) =
                    parents.entry_with_hash(hash, state, Parent { state: parent, depth });
                if known.depth == depth && parent < known.state {
                    known.state = parent;
                }
                new
            },
        ))
    }

    fn commit_layer(&mut self) {
        self.depth += 1;
    }

    fn contains(&self, _: &Traced<'_, S>, state: S::State) -> bool {
        self.parents.get(state).is_some()
    }
}
