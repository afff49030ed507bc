//! Layered searches with a visited set or a store that a test chooses: [`Search`] chooses by
//! itself.

use std::num::NonZero;
use std::ops::ControlFlow;

use fewest_core::budget::{Budget, Limit};
use fewest_core::explore::{Exploration, explore_in};
use fewest_core::outcome::Outcome;
use fewest_core::seam::{Erased, SpaceView};
use fewest_core::search::{Engine, Search};
use fewest_core::store::{LayerStore, OneThread, Shard, Sharded, TwoBits};
use fewest_core::visited::{Adaptive, CompactTable, RankSet, Table, Visited};
use fewest_core::{Goals, Predecessors, Ranked, StateSpace, Word};

/// A set for the states of a space, and the space with what the set needs of it.
pub(crate) trait SetOf<S: StateSpace>: Visited<S::State> {
    fn erase(space: &S) -> Erased<'_, S> {
        Erased::new(space)
    }
}

impl<S: StateSpace> SetOf<S> for Table<S::State> {}
impl<S: StateSpace> SetOf<S> for Adaptive<S::State> {}
impl<S: StateSpace> SetOf<S> for CompactTable {}
impl<S: Ranked> SetOf<S> for RankSet {
    fn erase(space: &S) -> Erased<'_, S> {
        Erased::new(space).with_ranks()
    }
}

/// Explores with a store, and only counts.
pub(crate) fn explore_store<W: Word>(
    space: SpaceView<'_, W>,
    store: Result<impl LayerStore<W>, impl Into<Limit>>,
    budget: &Budget,
) -> Exploration {
    match store {
        Ok(mut store) => {
            explore_in(space, &mut store, true, budget, &mut |_, _| Ok(ControlFlow::Continue(())))
        }
        Err(error) => Exploration::stopped(error.into(), budget),
    }
}

/// Explores with one thread.
pub(crate) fn explore<V: SetOf<S>, S: StateSpace>(space: &S, budget: &Budget) -> Exploration {
    let erased = V::erase(space);
    let view = SpaceView::new(&erased);
    explore_store(view, OneThread::<S::State, V>::new(&view, budget.memory()), budget)
}

/// The same, and calls `visit` for each state.
pub(crate) fn explore_with<V: SetOf<S>, S: StateSpace>(
    space: &S,
    budget: &Budget,
    mut visit: impl FnMut(u32, S::State),
) -> Exploration {
    let erased = V::erase(space);
    let view = SpaceView::new(&erased);
    let mut store = OneThread::<S::State, V>::new(&view, budget.memory()).expect("memory");
    explore_in(view, &mut store, false, budget, &mut |depth, layer| {
        layer.read(&mut |states| {
            states.iter().for_each(|&state| visit(depth, state));
            ControlFlow::Continue(())
        })
    })
}

/// Explores with a store of shards.
pub(crate) fn sharded<V: SetOf<S> + Shard<S::State>, S: StateSpace>(
    space: &S,
    budget: &Budget,
    threads: NonZero<usize>,
) -> Exploration {
    let erased = <V as SetOf<S>>::erase(space);
    let view = SpaceView::new(&erased);
    explore_store(view, Sharded::<S::State, V>::new(&view, threads, budget.memory()), budget)
}

/// Explores with two bits per rank.
pub(crate) fn sweep<S: Ranked>(space: &S, budget: &Budget, threads: NonZero<usize>) -> Exploration {
    let erased = Erased::new(space).with_ranks();
    let view = SpaceView::new(&erased);
    explore_store(view, TwoBits::new(&view, threads, budget.memory()), budget)
}

pub(crate) fn search_sharded<V: SetOf<S> + Shard<S::State>, S: StateSpace>(
    space: &S,
    budget: &Budget,
    threads: NonZero<usize>,
) -> Outcome<Vec<S::State>> {
    bfs::shards::<V, S>(&<V as SetOf<S>>::erase(space), budget, threads)
}

pub(crate) fn search_sharded_with_predecessors<V, S>(
    space: &S,
    budget: &Budget,
    threads: NonZero<usize>,
) -> Outcome<Vec<S::State>>
where
    V: SetOf<S> + Shard<S::State>,
    S: Predecessors,
{
    bfs::shards::<V, S>(&<V as SetOf<S>>::erase(space).with_predecessors(), budget, threads)
}

pub(crate) mod bfs {
    use fewest_core::search::bfs::search_in;

    use super::*;

    /// Searches with one thread.
    pub(crate) fn search<V: SetOf<S>, S: StateSpace>(
        space: &S,
        budget: &Budget,
    ) -> Outcome<Vec<S::State>> {
        one_thread::<V, S>(&V::erase(space), budget)
    }

    pub(crate) fn search_with_predecessors<V: SetOf<S>, S: Predecessors>(
        space: &S,
        budget: &Budget,
    ) -> Outcome<Vec<S::State>> {
        one_thread::<V, S>(&V::erase(space).with_predecessors(), budget)
    }

    pub(crate) fn one_thread<V: Visited<S::State>, S: StateSpace>(
        erased: &Erased<'_, S>,
        budget: &Budget,
    ) -> Outcome<Vec<S::State>> {
        let view = SpaceView::new(erased);
        search_store(view, OneThread::<S::State, V>::new(&view, budget.memory()), budget)
    }

    pub(crate) fn shards<V: Shard<S::State>, S: StateSpace>(
        erased: &Erased<'_, S>,
        budget: &Budget,
        threads: NonZero<usize>,
    ) -> Outcome<Vec<S::State>> {
        let view = SpaceView::new(erased);
        search_store(view, Sharded::<S::State, V>::new(&view, threads, budget.memory()), budget)
    }

    /// Searches with a store.
    pub(crate) fn search_store<W: Word>(
        view: SpaceView<'_, W>,
        store: Result<impl LayerStore<W>, impl Into<Limit>>,
        budget: &Budget,
    ) -> Outcome<Vec<W>> {
        match store {
            Ok(mut store) => search_in(view, &mut store, budget),
            Err(error) => Outcome::stopped(error.into(), budget),
        }
    }
}

/// Bidirectional search; `ranked` and `compact` choose the visited set.
pub(crate) fn bidirectional<S: Goals + Predecessors>(
    space: &S,
    budget: &Budget,
    choose: impl for<'a> FnOnce(Search<'a, S>) -> Search<'a, S>,
) -> Outcome<Vec<S::State>> {
    let search = Search::new(space).goals().predecessors().engine(Engine::Bidirectional).unwrap();
    choose(search).budget(budget).run()
}

/// A* that recovers plans by predecessors.
pub(crate) fn astar_with_predecessors<S, H>(
    space: &S,
    heuristic: &H,
    budget: &Budget,
) -> Outcome<Vec<S::State>>
where
    S: Predecessors,
    H: fewest_core::Heuristic<S>,
{
    let search =
        Search::new(space).predecessors().heuristic(heuristic).engine(Engine::Astar).unwrap();
    search.budget(budget).run()
}
