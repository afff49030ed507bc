//! What takes the place of `cluster` in a build without the feature: no options, and one process.

use std::fmt::Arguments;

use clap::{ArgMatches, Args};
use fewest_core::budget::{Budget, Limit};
use fewest_core::checkpoint::Description;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::message;

#[derive(Args)]
#[group(skip)]
pub(crate) struct ClusterArgs {}

pub(crate) struct JoinedCluster;

pub(crate) fn is_child() -> bool {
    false
}

pub(crate) fn withdraw(_: &ArgMatches, _: &Result<Exit, Failure>) {}

impl ClusterArgs {
    pub(crate) fn is_set(&self) -> bool {
        false
    }

    pub(crate) fn separate_tasks(&self) -> Option<usize> {
        None
    }

    pub(crate) fn is_other(&self) -> bool {
        false
    }

    pub(crate) fn join(&self, _: Description, _: &Budget) -> Result<JoinedCluster, Failure> {
        Ok(JoinedCluster)
    }
}

impl JoinedCluster {
    pub(crate) fn apply(&self, budget: Budget) -> Budget {
        budget
    }

    pub(crate) fn write(&self, kind: &str, text: Arguments<'_>) {
        message::message(format_args!("{kind}: {text}"));
    }

    pub(crate) fn finish(self, _: Result<Option<Limit>, &Failure>) -> Result<(), Failure> {
        Ok(())
    }
}
