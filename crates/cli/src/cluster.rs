//! Searches of several processes: `--local-processes`, `--processes`, and what Slurm and Kubernetes say.
//!
//! All processes run the same command. The first one writes the answer, and the others nothing.

use std::env;
use std::fmt::Arguments;
use std::fs;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use clap::{ArgMatches, Args, FromArgMatches, ValueHint};
use fewest_cluster::{Cause, Cluster, ConnectError, Membership, Reason, Waiting};
use fewest_core::budget::{Budget, Limit};
use fewest_core::checkpoint::Question;
use fewest_puzzle::options::Whole;
use fewest_puzzle::words::plural;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::message::{self, note};
use crate::subprocess;

/// The heading of the options.
const SEVERAL: &str = "Several processes";

#[derive(Args)]
#[group(skip)]
pub(crate) struct ClusterArgs {
    /// Distribute a breadth-first search over this number of processes, which are started on this
    /// machine
    #[arg(
        long,
        value_name = "COUNT",
        conflicts_with_all = ["processes", "process", "hosts", "secret_file"],
        help_heading = SEVERAL
    )]
    local_processes: Option<Whole<1, 256>>,

    /// Distribute a breadth-first search over this number of processes, each of which is started with the
    /// same command. The first one prints the answer. Without it: the lines of --hosts, or the tasks of
    /// Slurm
    #[arg(long, value_name = "COUNT", help_heading = SEVERAL)]
    processes: Option<Whole<1, 65_536>>,

    /// The number of this process, from 0. Without it, that of Slurm or of a Kubernetes Indexed Job
    #[arg(long, value_name = "NUMBER", help_heading = SEVERAL)]
    process: Option<u32>,

    /// A file with a host and a port for each process, one per line: `node1:4700`. Under Slurm it is
    /// not needed: process 0 is on the first node, at --port
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = SEVERAL)]
    hosts: Option<PathBuf>,

    /// The port of process 0 under Slurm
    #[arg(long, value_name = "PORT", default_value_t = 4700, help_heading = SEVERAL)]
    port: u16,

    /// The number of threads of each process, instead of --threads. Under Slurm it makes the tasks the
    /// processes of one search
    #[arg(long, value_name = "COUNT", conflicts_with = "threads", help_heading = SEVERAL)]
    workers: Option<Whole<1, 1024>>,

    /// A file with a secret that all processes have, so that no stranger takes part. What they send
    /// is not encrypted
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = SEVERAL)]
    secret_file: Option<PathBuf>,
}

/// Tells a process that another one has started where the others are.
const JOIN: &str = "FEWEST_JOIN";

/// How long processes wait for each other at the start: those of a cluster may be started one by one.
const PATIENCE: Duration = Duration::from_secs(600);

/// How long a process that cannot take part tries to tell the others, which may start later.
const WITHDRAWAL: Duration = Duration::from_secs(5);

/// Whether this process has begun to meet the others. From then on, the meeting and the farewell tell them why it ends.
static HAS_MET: AtomicBool = AtomicBool::new(false);

/// How long a process waits before it says for what, and how often it says it again.
const SILENT_WAIT: Duration = Duration::from_secs(5);
const NEXT_WORD: Duration = Duration::from_secs(30);

/// How long a process that was started here may take to end after the answer, and after another one was lost.
const FAREWELL: Duration = Duration::from_secs(60);
const FAREWELL_AFTER_LOSS: Duration = Duration::from_millis(500);

/// How long a process that was started here may have ended before the processes have met.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The processes of a search, as this one sees them.
#[derive(Default)]
pub(crate) struct Joined {
    cluster: Option<Arc<Cluster>>,
    process: usize,
    threads: Option<NonZero<usize>>,
    children: Children,
    /// How long the processes have waited for each other.
    waited: Duration,
}

/// Whether another process has started this one, and writes the answer.
pub(crate) fn is_child() -> bool {
    env::var_os(JOIN).is_some()
}

/// The processes that this one has started. They end with it.
#[derive(Default)]
struct Children(Vec<Child>);

impl Children {
    /// A process that has ended, and how.
    fn ended(&mut self) -> Option<(usize, ExitStatus)> {
        let mut all = (1..).zip(&mut self.0);
        all.find_map(|(process, child)| Some((process, child.try_wait().ok()??)))
    }

    /// Waits until all have ended, but no longer than this time.
    fn wait(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while self.0.iter_mut().any(|child| matches!(child.try_wait(), Ok(None)))
            && Instant::now() < end
        {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // It may have ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Tells the processes that were to meet this one why it has ended before, if it has.
pub(crate) fn withdraw(matches: &ArgMatches, result: &Result<Exit, Failure>) {
    let reason = match result {
        // Who interrupts a process may start it again.
        Err(Failure::Stopped(_) | Failure::Interrupted) => return,
        Err(failure) if failure.code() != 0 => failure.reason(),
        // The error was printed.
        Ok(Exit::BadInput) => {
            Reason { text: "its board is not valid".to_owned(), code: Exit::BadInput.code() }
        }
        _ => return,
    };
    if HAS_MET.load(Ordering::Relaxed) || is_child() {
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
            let membership = place.membership(Question::default(), WITHDRAWAL);
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

    /// How many tasks Slurm has, if each of them searches alone.
    pub(crate) fn separate_tasks(&self) -> Option<usize> {
        let tasks = Slurm::tasks().ok().flatten()?;
        (!self.is_set() && tasks > 1).then_some(tasks)
    }

    /// Whether another process writes the answer.
    pub(crate) fn is_other(&self) -> bool {
        let number = self.slurm().and_then(|slurm| self.number(slurm.as_ref()));
        // An error is reported when the processes are about to meet.
        self.is_set() && self.local_processes.is_none() && matches!(number, Ok(Some(1..)))
    }

    /// What Slurm says, unless the options say all of it.
    fn slurm(&self) -> Result<Option<Slurm>, Failure> {
        let has_count = self.processes.is_some() || self.hosts.is_some();
        if self.process.is_some() && has_count { Ok(None) } else { Slurm::of_environment() }
    }

    /// The number of this process, if the options or the environment say it.
    fn number(&self, slurm: Option<&Slurm>) -> Result<Option<usize>, Failure> {
        let given = self.process.map(|number| number as usize);
        match given.or(slurm.map(|slurm| slurm.task)) {
            None => variable("JOB_COMPLETION_INDEX"),
            number => Ok(number),
        }
    }

    /// Meets the other processes of a search, which are about to answer the same question. Gives up if
    /// `budget` is cancelled.
    pub(crate) fn join(&self, question: Question, budget: &Budget) -> Result<Joined, Failure> {
        if !self.is_set() {
            return Ok(Joined::default());
        }
        let begin = Instant::now();
        let threads = self.workers.map(Whole::to_threads);
        let mut children = Children::default();
        let place = match (env::var(JOIN), self.local_processes) {
            (Ok(join), _) => Some(Place::of_child(&join)?),
            (Err(_), Some(count)) => {
                let place = Place::local(count.get() as usize)?;
                children = place.start_others()?;
                Some(place)
            }
            (Err(_), None) => self.place()?,
        };
        // `--workers` alone is a number of threads.
        let Some(place) = place else { return Ok(Joined { threads, ..Joined::default() }) };
        let process = place.process;
        let membership = place.membership(question, PATIENCE);
        HAS_MET.store(true, Ordering::Relaxed);
        if is_child() {
            message::silence();
        }
        let is_cancelled = || budget.check() == Err(Limit::Cancelled);
        let (parent, mut next_word) = (subprocess::parent(), begin + SILENT_WAIT);
        let mut ended: Option<(Instant, (usize, ExitStatus))> = None;
        let connected = Cluster::connect_while(membership, &mut |waiting| {
            ended = ended.or_else(|| Some((Instant::now(), children.ended()?)));
            if !is_child() && Instant::now() >= next_word {
                next_word += NEXT_WORD;
                note(format_args!("note: {}", waiting_text(waiting)));
            }
            let is_orphan = is_child() && subprocess::parent() != parent;
            // What it has said before it ended is read first.
            let is_lost = ended.is_some_and(|(since, _)| since.elapsed() >= LAST_WORDS);
            !is_lost && !is_orphan && !is_cancelled()
        });
        let cluster = match (connected, ended) {
            (Ok(cluster), _) => cluster,
            // Ctrl-C ends the others, too.
            (Err(ConnectError::GivenUp), Some((_, (process, status)))) if !is_cancelled() => {
                let what = format!("process {process} has ended before the search: {status}");
                return Err(Failure::Cluster(what));
            }
            (Err(ConnectError::GivenUp), _) => return Err(Failure::Stopped(Limit::Cancelled)),
            (Err(error), _) => return Err(refused(error)),
        };
        if process > 0 {
            message::silence();
        }
        Ok(Joined { cluster: Some(cluster), process, threads, children, waited: begin.elapsed() })
    }

    /// The place of this process among those of a cluster; `None` if there is no cluster.
    fn place(&self) -> Result<Option<Place>, Failure> {
        let hosts = self.hosts.as_deref().map(read_hosts).transpose()?;
        let slurm = self.slurm()?;
        let count = self.processes.map(|count| count.get() as usize);
        let count =
            count.or(hosts.as_ref().map(Vec::len)).or(slurm.as_ref().map(|slurm| slurm.tasks));
        let Some(processes) = count else {
            return match self.process.is_some() || self.secret_file.is_some() {
                true => Err(Failure::usage_with_hint(
                    "the number of processes is not known",
                    "use --processes, --hosts or --local-processes",
                )),
                false => Ok(None),
            };
        };
        let process = self.number(slurm.as_ref())?.ok_or_else(|| {
            Failure::usage_with_hint("the number of this process is not known", "use --process")
        })?;
        if process >= processes {
            let what = format!(
                "there is no process {process}: they are numbered from 0 to {}",
                processes - 1
            );
            return Err(Failure::usage(what));
        }
        let (coordinator, address) = match (&hosts, &slurm) {
            (Some(hosts), _) if hosts.len() < processes => {
                return Err(Failure::usage(format!(
                    "--hosts has {} lines, and there are {processes} processes",
                    hosts.len()
                )));
            }
            (Some(hosts), _) => (hosts[0].clone(), Some(hosts[process].clone())),
            (None, Some(slurm)) => (format!("{}:{}", slurm.first_node, self.port), None),
            (None, None) if processes == 1 => (format!("localhost:{}", self.port), None),
            (None, None) => {
                return Err(Failure::usage_with_hint(
                    "it is not known where the other processes are",
                    "use --hosts, or --local-processes",
                ));
            }
        };
        if processes == 1 {
            note(format_args!("note: this is the only process"));
        }
        let port = match &address {
            Some(address) => port_of(address).unwrap_or(0),
            None if process == 0 => self.port,
            None => 0,
        };
        // Where there is no IPv6, only the second address can be used.
        let listener = TcpListener::bind((Ipv6Addr::UNSPECIFIED, port))
            .or_else(|_| TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)))
            .map_err(|error| Failure::Cluster(format!("port {port} cannot be used: {error}")))?;
        let secret = self.secret()?;
        if self.secret_file.is_none() && process == 0 && processes > 1 {
            note(format_args!(
                "note: without --secret-file, anybody who reaches port {port} can take part"
            ));
        }
        Ok(Some(Place { process, processes, listener, address, coordinator, secret }))
    }

    /// What all processes know and no stranger; empty without --secret-file.
    fn secret(&self) -> Result<Vec<u8>, Failure> {
        let Some(file) = &self.secret_file else { return Ok(Vec::new()) };
        let secret = fs::read(file).map_err(|error| read_failure(file, error))?;
        match secret.trim_ascii() {
            [] => Err(Failure::usage(format!("`{}` has no secret", file.display()))),
            secret => Ok(secret.to_vec()),
        }
    }
}

impl Joined {
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

    /// Ends the work with the other processes. `end` is the limit that stopped the search of this one, if one
    /// did, or why it has no answer.
    ///
    /// # Errors
    /// Why another process left or was lost, unless this one has a complete answer, or a reason of its own.
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
        self.children.wait(if is_answered { FAREWELL } else { FAREWELL_AFTER_LOSS });
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
    fn reason(&self) -> Reason {
        let hint = match self {
            Self::Usage { hint: Some(hint), .. } => format!("\n{hint}"),
            _ => String::new(),
        };
        Reason { text: format!("{self}{hint}"), code: self.code() }
    }

    /// Why another process has stopped this one.
    fn of_cause(cause: &Cause) -> Self {
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

fn processes_text(count: usize) -> &'static str {
    if count == 1 { "process" } else { "processes" }
}

/// What a process waits for.
fn waiting_text(waiting: &Waiting) -> String {
    let missing: Vec<_> = waiting.missing.iter().map(usize::to_string).collect();
    let noun = processes_text(missing.len());
    let refused = match waiting.strangers {
        0 => String::new(),
        count => format!(
            "; {count} {} refused, perhaps because of another secret",
            plural("connection", count as u64)
        ),
    };
    let unreachable = waiting.unreachable.as_ref().map(|why| format!(" ({why})"));
    format!("waits for {noun} {}{}{refused}", missing.join(", "), unreachable.unwrap_or_default())
}

fn refused(error: ConnectError) -> Failure {
    if let ConnectError::Left { process, reason } = error {
        Failure::of_cause(&Cause::Left { process, reason })
    } else if error.is_usage() {
        let hint = "start all processes with the same version, board, options and secret";
        Failure::usage_with_hint(error.to_string(), hint)
    } else {
        Failure::Cluster(error.to_string())
    }
}

fn read_failure(file: &Path, error: io::Error) -> Failure {
    Failure::usage(format!("`{}` cannot be read: {error}", file.display()))
}

/// The port of a host and a port.
fn port_of(address: &str) -> Option<u16> {
    address.rsplit_once(':').and_then(|(_, port)| port.parse().ok())
}

/// The lines of a file of hosts, without empty ones and comments.
fn read_hosts(file: &Path) -> Result<Vec<String>, Failure> {
    let text = fs::read_to_string(file).map_err(|error| read_failure(file, error))?;
    let mut hosts = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let host = line.split('#').next().unwrap_or("").trim();
        if host.is_empty() {
            continue;
        }
        if port_of(host).is_none_or(|port| port == 0) {
            return Err(Failure::usage_with_hint(
                format!(
                    "`{}`, line {number}: `{host}` has no port from 1 to 65535",
                    file.display()
                ),
                "write a host and a port, for example `node1:4700`",
            ));
        }
        hosts.push(host.to_owned());
    }
    let twice = hosts.iter().enumerate().find(|&(index, host)| hosts[..index].contains(host));
    match (hosts.first(), twice) {
        (Some(_), None) => Ok(hosts),
        (_, Some((_, host))) => Err(Failure::usage(format!("--hosts has `{host}` twice"))),
        (None, None) => Err(Failure::usage(format!("`{}` has no hosts", file.display()))),
    }
}

fn no_port(error: io::Error) -> Failure {
    Failure::Cluster(format!("no port can be used: {error}"))
}

/// Where a process is among the others.
struct Place {
    process: usize,
    processes: usize,
    listener: TcpListener,
    address: Option<String>,
    coordinator: String,
    secret: Vec<u8>,
}

impl Place {
    fn membership(self, question: Question, patience: Duration) -> Membership {
        let Self { process, processes, listener, address, coordinator, secret } = self;
        Membership {
            process,
            processes,
            listener,
            address,
            coordinator,
            secret,
            question,
            patience,
        }
    }

    /// The first of several processes on this machine.
    fn local(processes: usize) -> Result<Self, Failure> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(no_port)?;
        let coordinator = listener.local_addr().map_err(no_port)?.to_string();
        let secret = fewest_cluster::random_secret()
            .map_err(|error| Failure::Cluster(format!("the system has no secret: {error}")))?;
        Ok(Self { process: 0, processes, listener, address: None, coordinator, secret })
    }

    /// A process that another one has started.
    fn of_child(join: &str) -> Result<Self, Failure> {
        let words: Vec<_> = join.split(' ').collect();
        // The variable has a secret, which is not shown.
        let unreadable = || Failure::Internal(format!("the variable {JOIN} is not as expected"));
        let [process, processes, coordinator, secret] = words[..] else { return Err(unreadable()) };
        Ok(Self {
            process: process.parse().map_err(|_| unreadable())?,
            processes: processes.parse().map_err(|_| unreadable())?,
            listener: TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(no_port)?,
            address: None,
            coordinator: coordinator.to_owned(),
            secret: secret.as_bytes().to_vec(),
        })
    }

    /// Starts the other processes, with the arguments of this one.
    fn start_others(&self) -> Result<Children, Failure> {
        let mut arguments = env::args_os().skip(1);
        if arguments.any(|argument| argument == "-" || argument == "/dev/stdin") {
            return Err(Failure::usage_with_hint(
                "standard input can be read by one process only",
                "give a file",
            ));
        }
        let program = env::current_exe();
        let failed =
            |error: io::Error| Failure::Cluster(format!("no process can be started: {error}"));
        let program = program.map_err(failed)?;
        let mut children = Children::default();
        for process in 1..self.processes {
            let secret = String::from_utf8_lossy(&self.secret);
            let join = format!("{process} {} {} {secret}", self.processes, self.coordinator);
            let child = Command::new(&program)
                .args(env::args_os().skip(1))
                .env(JOIN, join)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .spawn();
            children.0.push(child.map_err(failed)?);
        }
        let processes = processes_text(self.processes);
        note(format_args!("note: {} {processes} on this machine", self.processes));
        Ok(children)
    }
}

/// What Slurm says to each task of a job step.
struct Slurm {
    task: usize,
    tasks: usize,
    first_node: String,
}

impl Slurm {
    /// `None` if there is no Slurm.
    fn of_environment() -> Result<Option<Self>, Failure> {
        let (task, tasks) = (variable("SLURM_PROCID")?, Self::tasks()?);
        let nodes = ["SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST"];
        let nodes = nodes.into_iter().find_map(|name| env::var(name).ok());
        if task.is_none() && tasks.is_none() {
            return Ok(None);
        }
        let (Some(task), Some(tasks), Some(nodes)) = (task, tasks, nodes) else {
            return Err(Failure::usage_with_hint(
                "not all of SLURM_PROCID, SLURM_NTASKS and SLURM_JOB_NODELIST are set",
                "start the processes with srun; for one process, use --threads",
            ));
        };
        let unreadable = || Failure::usage(format!("the list of nodes is `{nodes}`"));
        let first_node = first_node(&nodes).ok_or_else(unreadable)?;
        Ok(Some(Self { task, tasks, first_node }))
    }

    /// The number of tasks.
    fn tasks() -> Result<Option<usize>, Failure> {
        match variable("SLURM_STEP_NUM_TASKS")? {
            None => variable("SLURM_NTASKS"),
            tasks => Ok(tasks),
        }
    }
}

/// The number in a variable of the environment.
fn variable(name: &str) -> Result<Option<usize>, Failure> {
    let Ok(value) = env::var(name) else { return Ok(None) };
    match value.parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) => Err(Failure::usage(format!("the variable {name} is `{value}`, not a number"))),
    }
}

/// The first node of a list as Slurm writes it: `gpu[03-05,7],login`.
fn first_node(list: &str) -> Option<String> {
    let end = list.find([',', '[']).unwrap_or(list.len());
    let (prefix, rest) = list.split_at(end);
    let Some(ranges) = rest.strip_prefix('[') else {
        return (!prefix.is_empty()).then(|| prefix.to_owned());
    };
    let (ranges, rest) = ranges.split_once(']')?;
    let first = ranges.split([',', '-']).next().filter(|first| !first.is_empty())?;
    let suffix = rest.split(',').next().unwrap_or("");
    Some(format!("{prefix}{first}{suffix}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_node_of_a_list_of_slurm() {
        for (list, expected) in [
            ("node7", Some("node7")),
            ("node7,node9", Some("node7")),
            ("node[01-16]", Some("node01")),
            ("node[3,5-8],gpu1", Some("node3")),
            ("rack[2-3]-n,login", Some("rack2-n")),
            ("", None),
            ("node[", None),
            ("node[]", None),
        ] {
            assert_eq!(first_node(list).as_deref(), expected, "{list}");
        }
    }
}
