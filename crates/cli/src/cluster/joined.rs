//! The processes of a search, from when they have met until they part.

use std::fmt::Arguments;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

use bytesize::ByteSize;
use fewest_cluster::{Cause, Reason, TcpCluster};
use fewest_core::budget::{Budget, Limit};
use fewest_puzzle::words::plural;

use super::local::{Children, is_child};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::message::{self, note};

/// How long a process that was started here may take to end after the answer, and after another one
/// was lost.
const EXIT_TIMEOUT: Duration = Duration::from_secs(60);
const EXIT_TIMEOUT_AFTER_LOSS: Duration = Duration::from_millis(500);

/// The processes of a search, as this one sees them.
#[derive(Default)]
pub(crate) struct JoinedCluster {
    pub(super) cluster: Option<Arc<TcpCluster>>,
    pub(super) process: usize,
    pub(super) threads: Option<NonZero<usize>>,
    pub(super) children: Children,
    /// How long the processes have waited for each other.
    pub(super) waited: Duration,
}

impl JoinedCluster {
    /// A budget whose searches are distributed.
    pub(crate) fn apply(&self, mut budget: Budget) -> Budget {
        budget = budget.postponed(self.waited);
        if let Some(threads) = self.threads {
            budget = budget.with_threads(threads);
        }
        match &self.cluster {
            Some(cluster) => {
                let storage = budget.storage().clone().with_cluster(Arc::clone(cluster) as _);
                budget.with_storage(storage)
            }
            None => budget,
        }
    }

    /// Writes a message of this process, also if another one writes the answer.
    pub(crate) fn write(&self, kind: &str, text: Arguments<'_>) {
        if self.process == 0 {
            message::message(format_args!("{kind}: {text}"));
        } else {
            message::message_of_other(format_args!("{kind}: process {}: {text}", self.process));
        }
    }

    /// Ends the work with the other processes. `end` is the limit that stopped the search of this
    /// one, if one did, or why it has no answer.
    ///
    /// # Errors
    /// Why another process left or was lost, unless this one has a complete answer, or a reason of
    /// its own.
    pub(crate) fn finish(mut self, end: Result<Option<Limit>, &Failure>) -> Result<(), Failure> {
        let Some(cluster) = self.cluster.take() else { return Ok(()) };
        let has_reason = match end {
            Ok(_) | Err(Failure::Elsewhere) => false,
            Err(Failure::Stopped(limit)) => {
                // If another process has stopped this one, it is known already.
                fewest_core::cluster::Cluster::stop(&*cluster, *limit);
                false
            }
            Err(_) => true,
        };
        match end {
            Err(failure) if has_reason => cluster.leave(failure.reason()),
            _ => cluster.close(),
        }
        let cause = cluster.cause();
        let is_answered = matches!(cause, None | Some(Cause::Limit { .. }));
        self.children.wait(if is_answered { EXIT_TIMEOUT } else { EXIT_TIMEOUT_AFTER_LOSS });
        let other = cause.as_ref().filter(|cause| cause.process() != self.process);
        match other {
            _ if has_reason => {
                // Where each process has its own log, the reason is in it.
                if !is_child() {
                    message::unsilence();
                }
                return Ok(());
            }
            // All states have arrived where they had to, so the answer holds.
            Some(cause) if end.is_ok_and(|limit| limit.is_none()) => {
                note(format_args!("note: after the search: {cause}"));
            }
            Some(Cause::Limit { process, .. }) => {
                note(format_args!("note: process {process} has stopped the search"));
            }
            Some(cause) => {
                // Process 0 does not say it. Those that it has started share its standard error.
                let is_first_lost = matches!(cause, Cause::Lost { process: 0, .. });
                if is_first_lost && (self.process == 1 || !is_child()) {
                    message::unsilence();
                }
                return Err(Failure::of_cause(cause));
            }
            None => {}
        }
        let sent = cluster.traffic();
        note(format_args!(
            "note: process 0 sent {} in {} {} of boards, at most {} at once",
            ByteSize(sent.bytes),
            sent.blocks,
            plural("block", sent.blocks),
            sent.most_in_flight,
        ));
        Ok(())
    }
}

impl Failure {
    /// What another process reports if this one leaves because of it.
    pub(super) fn reason(&self) -> Reason {
        let hint = match self {
            Self::Usage { hint: Some(hint), .. } => format!("\n{hint}"),
            _ => String::new(),
        };
        Reason { text: format!("{self}{hint}"), code: self.code() }
    }

    /// Why another process has stopped this one.
    pub(super) fn of_cause(cause: &Cause) -> Self {
        let text = cause.to_string();
        match cause {
            Cause::Limit { limit, .. } => Self::Stopped(*limit),
            Cause::Left { reason, .. } if reason.code == Exit::BadInput.code() => {
                match text.split_once('\n') {
                    Some((what, hint)) => Self::usage_with_hint(what, hint),
                    None => Self::usage(text),
                }
            }
            Cause::Left { reason, .. } => Self::Left { what: text, code: reason.code },
            _ => Self::Cluster(text),
        }
    }
}
