//! What a search is told besides its space and its heuristic, and what follows from it.
//!
//! Nothing here depends on the type of the space, so that it is compiled once.

use std::num::NonZero;

use super::Engine;
use crate::budget::{Budget, Limit, Limits};
use crate::checkpoint::Checkpoint;
use crate::cluster::Cluster;
use crate::representation::{RepresentationChoice, Request};
use crate::seam::Properties;
use crate::storage::IS_BROWSER;

#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    pub(super) engine: Option<Engine>,
    pub(super) threads: Option<NonZero<usize>>,
    pub(super) limits: LimitSource<'a>,
    pub(super) keeps_layers: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum LimitSource<'a> {
    Limits(Limits),
    Budget(&'a Budget),
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Self {
            engine: None,
            threads: None,
            limits: LimitSource::Limits(Limits::default()),
            keeps_layers: false,
        }
    }
}

impl Settings<'_> {
    /// A budget whose clock is running.
    pub(super) fn budget(self) -> Budget {
        match self.limits {
            LimitSource::Limits(limits) => Budget::new(limits),
            LimitSource::Budget(budget) => budget.clone(),
        }
    }

    pub(super) fn threads(self, budget: &Budget) -> NonZero<usize> {
        self.threads.filter(|_| !IS_BROWSER).unwrap_or(budget.threads())
    }

    /// Chooses how a layered search keeps the states of this process, and reports it.
    pub(super) fn choose(
        self,
        properties: &Properties,
        state_bytes: usize,
        needs_layers: bool,
        budget: &Budget,
    ) -> Result<RepresentationChoice, Limit> {
        let request = self.request(properties, state_bytes, needs_layers, budget);
        let storage = budget.storage();
        let processes = storage.cluster().map_or(1, Cluster::processes);
        let request = Request {
            ranks: request.ranks.map(|ranks| ranks.div_ceil(processes as u64)),
            expected_states: request.expected_states / processes,
            has_rank_layers: storage.checkpoint().is_some_and(Checkpoint::next_search_has_ranks),
            ..request
        };
        let choice = request.choose()?;
        storage.report(&choice);
        Ok(choice)
    }

    /// What the choice of a representation depends on.
    pub(super) fn request(
        self,
        properties: &Properties,
        state_bytes: usize,
        needs_layers: bool,
        budget: &Budget,
    ) -> Request {
        Request {
            asked: budget.storage().representation(),
            ranks: properties.ranks,
            expected_states: properties.expected_states,
            needs_layers,
            state_bytes,
            threads: self.threads(budget).get(),
            is_on_disk: budget.storage().disk().is_some(),
            has_rank_layers: false,
            memory: budget.memory().limit_bytes(),
        }
    }
}
