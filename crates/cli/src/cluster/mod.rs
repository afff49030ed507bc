//! Distributed searches: `--local-processes`, `--processes`, and the environment of Slurm and
//! Kubernetes.
//!
//! All processes run the same command. Process 0 prints the answer; the others print nothing.

mod joined;
mod local;
mod place;
mod slurm;

use std::env;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::{ArgMatches, Args, FromArgMatches, ValueHint};
use fewest_cluster::{Cause, ConnectError, Reason, TcpCluster, Waiting};
use fewest_core::budget::{Budget, Limit};
use fewest_core::checkpoint::Description;
use fewest_puzzle::options::Whole;
use fewest_puzzle::words::plural;

pub(crate) use self::joined::JoinedCluster;
pub(crate) use self::local::is_child;
use self::local::{Children, JOIN};
use self::place::ProcessConfig;
use self::slurm::Slurm;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::message::{self, note};
use crate::subprocess;

/// The heading of the options.
const SEVERAL: &str = "Several processes";

#[derive(Args)]
#[group(skip)]
pub(crate) struct ClusterArgs {
    /// Start this number of processes on this machine and distribute a breadth-first search over
    /// them
    #[arg(
        long,
        value_name = "COUNT",
        conflicts_with_all = ["processes", "process", "hosts", "secret_file"],
        help_heading = SEVERAL
    )]
    local_processes: Option<Whole<1, 256>>,

    /// Number of processes of a distributed breadth-first search. Start each of them with the same
    /// command; process 0 prints the answer. By default the number of lines of --hosts, or of Slurm
    /// tasks
    #[arg(long, value_name = "COUNT", help_heading = SEVERAL)]
    processes: Option<Whole<1, 65_536>>,

    /// Index of this process, from 0. By default from Slurm or a Kubernetes Indexed Job
    #[arg(long, value_name = "NUMBER", help_heading = SEVERAL)]
    process: Option<u32>,

    /// File with the host and port of each process, one per line, such as `node1:4700`. Not needed
    /// under Slurm, where process 0 is on the first node, at --port
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = SEVERAL)]
    hosts: Option<PathBuf>,

    /// Port of process 0 under Slurm
    #[arg(long, value_name = "PORT", default_value_t = 4700, help_heading = SEVERAL)]
    port: u16,

    /// Number of threads of each process, instead of --threads. Under Slurm, this option
    /// distributes one search over the tasks
    #[arg(long, value_name = "COUNT", conflicts_with = "threads", help_heading = SEVERAL)]
    workers: Option<Whole<1, 1024>>,

    /// File with a secret that all processes have, so that no other can join. What they send
    /// is not encrypted
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = SEVERAL)]
    secret_file: Option<PathBuf>,
}

/// The timeout of each phase of connecting: the processes of a cluster may be started one by one.
const MEETING_TIMEOUT: Duration = Duration::from_secs(600);

/// How long a process that cannot take part tries to notify the others, which may start later.
const WITHDRAWAL_TIMEOUT: Duration = Duration::from_secs(5);

/// Whether this process has started to connect. From then on, connecting and
/// [`JoinedCluster::finish`] send the others the reason if it fails.
static HAS_STARTED_CONNECTING: AtomicBool = AtomicBool::new(false);

/// The delay until the first note about what a process is waiting for, and the interval of further
/// notes.
const FIRST_NOTE: Duration = Duration::from_secs(5);
const NOTE_INTERVAL: Duration = Duration::from_secs(30);

/// How long connecting continues after a child process has exited, so that its message can still
/// arrive.
const MESSAGE_TIMEOUT: Duration = Duration::from_secs(1);

/// If this process failed before it started to connect, sends the reason to the other processes.
pub(crate) fn withdraw(matches: &ArgMatches, result: &Result<Exit, Failure>) {
    let reason = match result {
        // An interrupted process may be restarted, so let the others wait.
        Err(Failure::Stopped(_) | Failure::Interrupted) => return,
        Err(failure) if failure.code() != 0 => failure.reason(),
        // The details were printed as a message of the data set and are not available here.
        Ok(Exit::BadInput) => {
            Reason { text: "the board is invalid".to_owned(), code: Exit::BadInput.code() }
        }
        _ => return,
    };
    // After connecting started, `connect_while` and `finish` send the reason. A child's failure is
    // seen by its parent as an exit status.
    if HAS_STARTED_CONNECTING.load(Ordering::Relaxed) || is_child() {
        return;
    }
    let mut matches = matches;
    while let Some((_, of_verb)) = matches.subcommand() {
        matches = of_verb;
    }
    let is_known = matches.try_contains_id("processes").is_ok();
    let args = is_known.then(|| ClusterArgs::from_arg_matches(matches).ok()).flatten();
    if let Some(args) = args.filter(|args| args.is_set() && args.local_processes.is_none()) {
        message::silence();
        if let Ok(Some(place)) = args.place()
            && place.processes > 1
        {
            let membership = place.membership(Description::default(), WITHDRAWAL_TIMEOUT);
            fewest_cluster::withdraw(membership, reason);
        }
    }
}

impl ClusterArgs {
    /// Whether a search is distributed.
    pub(crate) fn is_set(&self) -> bool {
        self.local_processes.is_some()
            || self.processes.is_some()
            || self.process.is_some()
            || self.hosts.is_some()
            || self.workers.is_some()
            || self.secret_file.is_some()
    }

    /// The number of Slurm tasks, if they are not combined to one search.
    pub(crate) fn separate_tasks(&self) -> Option<usize> {
        let tasks = Slurm::tasks().ok().flatten()?;
        (!self.is_set() && tasks > 1).then_some(tasks)
    }

    /// Whether this is not process 0, so that another process prints the answer.
    pub(crate) fn is_other(&self) -> bool {
        let number = self.slurm().and_then(|slurm| self.number(slurm.as_ref()));
        // Ignore errors here: connecting reports them.
        self.is_set() && self.local_processes.is_none() && matches!(number, Ok(Some(1..)))
    }

    /// Connects to the other processes of a search with the same description. Gives up
    /// if `budget` is cancelled.
    pub(crate) fn join(
        &self,
        description: Description,
        budget: &Budget,
    ) -> Result<JoinedCluster, Failure> {
        if !self.is_set() {
            return Ok(JoinedCluster::default());
        }
        let begin = Instant::now();
        let threads = self.workers.map(Whole::to_threads);
        let mut children = Children::default();
        let place = match (env::var(JOIN), self.local_processes) {
            (Ok(join), _) => Some(ProcessConfig::of_child(&join)?),
            (Err(_), Some(count)) => {
                let place = ProcessConfig::local(count.get() as usize)?;
                children = place.start_others()?;
                Some(place)
            }
            (Err(_), None) => self.place()?,
        };
        // Without other options, `--workers` only sets the number of threads.
        let Some(place) = place else {
            return Ok(JoinedCluster { threads, ..JoinedCluster::default() });
        };
        let process = place.process;
        let membership = place.membership(description, MEETING_TIMEOUT);
        HAS_STARTED_CONNECTING.store(true, Ordering::Relaxed);
        if is_child() {
            message::silence();
        }
        let is_cancelled = || budget.check() == Err(Limit::Cancelled);
        let (parent, mut next_note) = (subprocess::parent(), begin + FIRST_NOTE);
        let mut ended: Option<(Instant, (usize, ExitStatus))> = None;
        // The callback runs many times a second while the processes connect. It (1) notices child
        // processes that exited early, (2) prints what is missing, (3) stops waiting if the parent
        // is gone, the run is cancelled, or a child exited and its message had time to arrive.
        let connected = TcpCluster::connect_while(membership, &mut |waiting| {
            ended = ended.or_else(|| Some((Instant::now(), children.ended()?)));
            if !is_child() && Instant::now() >= next_note {
                next_note += NOTE_INTERVAL;
                note(format_args!("note: {}", waiting_text(waiting)));
            }
            // `getppid` changes when the parent exits: a child must not wait ten minutes for it.
            let is_orphan = is_child() && subprocess::parent() != parent;
            // Its last message may still arrive.
            let is_lost = ended.is_some_and(|(since, _)| since.elapsed() >= MESSAGE_TIMEOUT);
            !is_lost && !is_orphan && !is_cancelled()
        });
        let cluster = match (connected, ended) {
            (Ok(cluster), _) => cluster,
            // After Ctrl-C, the child processes exit as well; that is not their failure.
            (Err(ConnectError::GivenUp), Some((_, (process, status)))) if !is_cancelled() => {
                let what = format!("process {process} exited before the search started: {status}");
                return Err(Failure::Cluster(what));
            }
            (Err(ConnectError::GivenUp), _) => return Err(Failure::Stopped(Limit::Cancelled)),
            (Err(error), _) => return Err(refused(error)),
        };
        if process > 0 {
            message::silence();
        }
        Ok(JoinedCluster {
            cluster: Some(cluster),
            process,
            threads,
            children,
            waited: begin.elapsed(),
        })
    }
}

/// The text of a note about what a process waits for.
fn waiting_text(waiting: &Waiting) -> String {
    let missing: Vec<_> = waiting.missing.iter().map(usize::to_string).collect();
    let noun = plural("process", missing.len() as u64);
    let refused = match waiting.rejected {
        0 => String::new(),
        count => format!(
            "; {count} {} refused, possibly because of a wrong secret",
            plural("connection", count as u64)
        ),
    };
    let unreachable = waiting.unreachable.as_ref().map(|why| format!(" ({why})"));
    format!("waiting for {noun} {}{}{refused}", missing.join(", "), unreachable.unwrap_or_default())
}

fn refused(error: ConnectError) -> Failure {
    if let ConnectError::Left { process, reason } = error {
        Failure::of_cause(&Cause::Left { process, reason })
    } else if error.is_usage() {
        let hint =
            "start all processes with the same version of the program, board, options and secret";
        Failure::usage_with_hint(error.to_string(), hint)
    } else {
        Failure::Cluster(error.to_string())
    }
}
