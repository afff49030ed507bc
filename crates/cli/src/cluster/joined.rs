//! The connected processes of a search, from connecting to shutdown.

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

/// How long process 0 waits for its child processes to exit: after an answer, and after a failure.
const EXIT_TIMEOUT: Duration = Duration::from_secs(60);
const EXIT_TIMEOUT_AFTER_LOSS: Duration = Duration::from_millis(500);

/// The processes of a search; empty if the search is not distributed.
#[derive(Default)]
pub(crate) struct JoinedCluster {
    pub(super) cluster: Option<Arc<TcpCluster>>,
    pub(super) process: usize,
    pub(super) threads: Option<NonZero<usize>>,
    pub(super) children: Children,
    /// How long connecting took.
    pub(super) waited: Duration,
}

impl JoinedCluster {
    /// Distributes the searches of a budget over the processes, and extends its deadline by the
    /// time that connecting took.
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

    /// Writes a message of this process, even if it is not the one that prints the answer.
    pub(crate) fn write(&self, kind: &str, text: Arguments<'_>) {
        if self.process == 0 {
            message::message(format_args!("{kind}: {text}"));
        } else {
            message::message_even_if_silenced(format_args!(
                "{kind}: process {}: {text}",
                self.process
            ));
        }
    }

    /// Shuts the cluster down. `end` is the limit that stopped the search of this process, if any,
    /// or the error that kept it from an answer.
    ///
    /// # Errors
    /// The failure of another process, unless this process has a complete answer or failed itself.
    pub(crate) fn finish(mut self, end: Result<Option<Limit>, &Failure>) -> Result<(), Failure> {
        let Some(cluster) = self.cluster.take() else { return Ok(()) };
        let has_reason = match end {
            Ok(_) | Err(Failure::Elsewhere) => false,
            Err(Failure::Stopped(limit)) => {
                // No effect if another process stopped the search: its cause came first.
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
        // Which process prints: a process that failed itself sent its reason, and process 0 prints
        // it; a limit is part of the answer; a loss is an error, unless the answer was already
        // complete.
        let other = cause.as_ref().filter(|cause| cause.process() != self.process);
        match other {
            _ if has_reason => {
                // If this process has a log of its own, print the reason there, too.
                if !is_child() {
                    message::unsilence();
                }
                return Ok(());
            }
            // The search was complete before the process was lost, so the answer is valid.
            Some(cause) if end.is_ok_and(|limit| limit.is_none()) => {
                note(format_args!("note: after the search was complete, {cause}"));
            }
            Some(Cause::Limit { process, .. }) => {
                note(format_args!("note: process {process} stopped the search"));
            }
            Some(cause) => {
                // Process 0 is lost, so it cannot print the message. Its child processes share one
                // standard error: only process 1 prints.
                let is_first_lost = matches!(cause, Cause::Lost { process: 0, .. });
                if is_first_lost && (self.process == 1 || !is_child()) {
                    message::unsilence();
                }
                return Err(Failure::of_cause(cause));
            }
            None => {}
        }
        let sent = cluster.traffic();
        // Printed by process 0 only: in the others, notes are silenced.
        note(format_args!(
            "note: process 0 sent {} in {} {} of boards, with at most {} in flight",
            ByteSize(sent.bytes),
            sent.blocks,
            plural("block", sent.blocks),
            sent.most_in_flight,
        ));
        Ok(())
    }
}

impl Failure {
    /// The reason that is sent to the other processes if this failure ends the process.
    pub(super) fn reason(&self) -> Reason {
        let hint = match self {
            Self::Usage { hint: Some(hint), .. } => format!("\n{hint}"),
            _ => String::new(),
        };
        Reason { text: format!("{self}{hint}"), code: self.code() }
    }

    /// The failure of this process if another one ended the search for this cause.
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
