//! Searches of a space that expands blocks of states.

use std::fmt;
use std::num::NonZero;
use std::ops::ControlFlow;

use super::PulledLayers;
use super::all_shortest::PlanGraph;
use super::settings::{LimitSource, Settings};
use crate::budget::{Budget, Limit, Limits};
use crate::explore::{CompleteLayer, Exploration, Layers};
use crate::outcome::Outcome;
use crate::seam::{SearchSpace, SpaceView};
use crate::word::Word;

/// A layered search of a [`SearchSpace`], which expands blocks of states: with vector instructions,
/// on a GPU, in another process. [`Search`](super::Search) is one for a
/// [`StateSpace`](crate::StateSpace), and has A* and IDA*, which expand single states.
///
/// Stores, threads, limits, checkpoints, clusters and plans are the same. What the search may use
/// of a space is in its [`Properties`](crate::seam::Properties).
pub struct LayeredSearch<'a, W> {
    space: SpaceView<'a, W>,
    settings: Settings<'a>,
}

impl<W> fmt::Debug for LayeredSearch<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { space, settings } = self;
        f.debug_struct("LayeredSearch").field("space", space).field("settings", settings).finish()
    }
}

impl<'a, W: Word> LayeredSearch<'a, W> {
    /// A search of a space, with one thread and without limits.
    pub fn new(space: &'a dyn SearchSpace<W>) -> Self {
        Self::with(SpaceView::new(space), Settings::default())
    }

    pub(super) fn with(space: SpaceView<'a, W>, settings: Settings<'a>) -> Self {
        Self { space, settings }
    }

    /// As [`Search::starting_from`](super::Search::starting_from).
    #[must_use]
    pub fn starting_from(self, states: &'a [W]) -> Self {
        Self { space: self.space.starting_from(Some(states)), ..self }
    }

    /// As [`Search::threads`](super::Search::threads): up to this number of blocks are expanded at
    /// the same time.
    #[must_use]
    pub fn threads(mut self, threads: NonZero<usize>) -> Self {
        self.settings.threads = Some(threads);
        self
    }

    /// As [`Search::limits`](super::Search::limits).
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = LimitSource::Limits(limits);
        self
    }

    /// As [`Search::budget`](super::Search::budget).
    #[must_use]
    pub fn budget(mut self, budget: &'a Budget) -> Self {
        self.settings.limits = LimitSource::Budget(budget);
        self
    }

    /// Keeps all [pulled layers](Self::pull_layers), so that a plan can be found. They take
    /// `size_of::<W>()` bytes for each state, in memory or on disk; two bits a state cannot be used.
    #[must_use]
    pub fn keep_layers(mut self) -> Self {
        self.settings.keeps_layers = true;
        self
    }

    /// As [`Search::run`](super::Search::run): bidirectional if the space lists its goals and knows
    /// predecessors, else breadth-first.
    pub fn run(self) -> Outcome<Vec<W>> {
        let properties = self.space.properties();
        if properties.has_goals && properties.has_predecessors {
            W::bidirectional(self.space, self.settings)
        } else {
            W::bfs(self.space, self.settings)
        }
    }

    /// As [`Search::all_shortest`](super::Search::all_shortest).
    pub fn all_shortest(self) -> Outcome<PlanGraph<W>> {
        W::all_shortest(self.space, self.settings)
    }

    /// As [`Search::layers`](super::Search::layers).
    pub fn layers(self) -> Layers<'a, W> {
        W::layers(self.space, self.settings)
    }

    /// A search whose states the caller expands.
    ///
    /// With several threads, each block of successors without costs is divided among them. A
    /// [cluster](crate::cluster) is not used.
    ///
    /// # Errors
    /// The limit that was reached before the first layer was there.
    pub fn pull_layers(self) -> Result<PulledLayers<'a, W>, Limit> {
        W::pull_layers(self.space, self.settings)
    }

    /// As [`Search::explore_layers`](super::Search::explore_layers).
    pub fn explore_layers(
        self,
        mut visit: impl FnMut(u32, &dyn CompleteLayer<W>) -> Result<ControlFlow<()>, Limit>,
    ) -> Exploration {
        W::explore(self.space, self.settings, false, &mut visit)
    }

    /// As [`Search::count_layers`](super::Search::count_layers).
    pub fn count_layers(self, mut visit: impl FnMut(u32, u64) -> ControlFlow<()>) -> Exploration {
        W::explore(self.space, self.settings, true, &mut |depth, layer| {
            Ok(visit(depth, layer.states()))
        })
    }
}
