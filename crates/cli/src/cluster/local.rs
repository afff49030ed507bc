//! Child processes of `--local-processes`: copies of this process on the same machine, with the
//! same arguments.

use std::env;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use fewest_puzzle::words::plural;

use super::place::ProcessConfig;
use crate::failure::Failure;
use crate::message::note;

/// The environment variable through which a child process gets its index, the number of processes,
/// the address of process 0 and the secret.
pub(super) const JOIN: &str = "FEWEST_JOIN";

/// Whether this is a child process of `--local-processes`. Its parent prints the answer.
pub(crate) fn is_child() -> bool {
    env::var_os(JOIN).is_some()
}

/// The child processes. They are killed when this is dropped.
#[derive(Default)]
pub(super) struct Children(Vec<Child>);

impl Children {
    /// A child process that has exited, and its status.
    pub(super) fn ended(&mut self) -> Option<(usize, ExitStatus)> {
        let mut all = (1..).zip(&mut self.0);
        all.find_map(|(process, child)| Some((process, child.try_wait().ok()??)))
    }

    /// Waits until all have exited, but at most for `time`.
    pub(super) fn wait(&mut self, time: Duration) {
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
            // Ignore errors: it may have exited already.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn no_port(error: io::Error) -> Failure {
    Failure::Cluster(format!("cannot listen on a local port: {error}"))
}

impl ProcessConfig {
    /// The configuration of process 0 of several processes on this machine.
    pub(super) fn local(processes: usize) -> Result<Self, Failure> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(no_port)?;
        let coordinator = listener.local_addr().map_err(no_port)?.to_string();
        let secret = fewest_cluster::random_secret().map_err(|error| {
            Failure::Cluster(format!("the system provides no random numbers: {error}"))
        })?;
        Ok(Self { process: 0, processes, listener, address: None, coordinator, secret })
    }

    /// The configuration of a child process, from the variable [`JOIN`].
    pub(super) fn of_child(join: &str) -> Result<Self, Failure> {
        let words: Vec<_> = join.split(' ').collect();
        // Do not print the value: it contains the secret.
        let unreadable =
            || Failure::Internal(format!("the environment variable {JOIN} is malformed"));
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
    pub(super) fn start_others(&self) -> Result<Children, Failure> {
        // All processes read the instance themselves, so it cannot come from a stream.
        let mut arguments = env::args_os().skip(1);
        if arguments.any(|argument| argument == "-" || argument == "/dev/stdin") {
            return Err(Failure::usage_with_hint(
                "only one process can read standard input",
                "use a file",
            ));
        }
        let program = env::current_exe();
        let failed =
            |error: io::Error| Failure::Cluster(format!("no process can be started: {error}"));
        let program = program.map_err(failed)?;
        let mut children = Children::default();
        for process in 1..self.processes {
            // In the environment, not in the arguments: other users can list arguments.
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
        let processes = plural("process", self.processes as u64);
        note(format_args!("note: {} {processes} on this machine", self.processes));
        Ok(children)
    }
}
