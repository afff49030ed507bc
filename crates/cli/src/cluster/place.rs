//! The configuration of a process in a cluster, from the options and the environment.

use std::fs;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::path::Path;
use std::time::Duration;

use fewest_cluster::Membership;
use fewest_core::checkpoint::Description;

use super::ClusterArgs;
use super::slurm::{Slurm, variable};
use crate::failure::Failure;
use crate::message::note;

/// The configuration of a process in a cluster.
pub(super) struct ProcessConfig {
    pub(super) process: usize,
    pub(super) processes: usize,
    pub(super) listener: TcpListener,
    pub(super) address: Option<String>,
    pub(super) coordinator: String,
    pub(super) secret: Vec<u8>,
}

impl ProcessConfig {
    pub(super) fn membership(self, description: Description, timeout: Duration) -> Membership {
        let Self { process, processes, listener, address, coordinator, secret } = self;
        Membership {
            process,
            processes,
            listener,
            address,
            coordinator,
            secret,
            description,
            timeout,
        }
    }
}

impl ClusterArgs {
    /// The Slurm environment, unless the options make it unnecessary.
    pub(super) fn slurm(&self) -> Result<Option<Slurm>, Failure> {
        let has_count = self.processes.is_some() || self.hosts.is_some();
        if self.process.is_some() && has_count { Ok(None) } else { Slurm::of_environment() }
    }

    /// The index of this process, from the options or the environment.
    pub(super) fn number(&self, slurm: Option<&Slurm>) -> Result<Option<usize>, Failure> {
        let given = self.process.map(|number| number as usize);
        match given.or(slurm.map(|slurm| slurm.task)) {
            None => variable("JOB_COMPLETION_INDEX"),
            number => Ok(number),
        }
    }

    /// The configuration of this process; `None` if the search is not distributed.
    pub(super) fn place(&self) -> Result<Option<ProcessConfig>, Failure> {
        let hosts = self.hosts.as_deref().map(read_hosts).transpose()?;
        let slurm = self.slurm()?;
        let count = self.processes.map(|count| count.get() as usize);
        // Precedence for the number of processes: --processes, the lines of --hosts, Slurm.
        let count =
            count.or(hosts.as_ref().map(Vec::len)).or(slurm.as_ref().map(|slurm| slurm.tasks));
        let Some(processes) = count else {
            return match self.process.is_some() || self.secret_file.is_some() {
                true => Err(Failure::usage_with_hint(
                    "the number of processes is missing",
                    "use --processes, --hosts or --local-processes",
                )),
                false => Ok(None),
            };
        };
        let process = self.number(slurm.as_ref())?.ok_or_else(|| {
            Failure::usage_with_hint("the index of this process is missing", "use --process")
        })?;
        if process >= processes {
            let what = format!(
                "there is no process {process}: processes are numbered from 0 to {}",
                processes - 1
            );
            return Err(Failure::usage(what));
        }
        let (coordinator, address) = match (&hosts, &slurm) {
            (Some(hosts), _) if hosts.len() < processes => {
                return Err(Failure::usage(format!(
                    "--hosts has {} lines, but there are {processes} processes",
                    hosts.len()
                )));
            }
            (Some(hosts), _) => (hosts[0].clone(), Some(hosts[process].clone())),
            // Under Slurm only the address of process 0 is known in advance; process 0 learns the
            // addresses of the others when they connect, so `address` is `None`.
            (None, Some(slurm)) => (format!("{}:{}", slurm.first_node, self.port), None),
            (None, None) if processes == 1 => (format!("localhost:{}", self.port), None),
            (None, None) => {
                return Err(Failure::usage_with_hint(
                    "the addresses of the other processes are missing",
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
        // Fall back to IPv4 on systems without IPv6.
        let listener = TcpListener::bind((Ipv6Addr::UNSPECIFIED, port))
            .or_else(|_| TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)))
            .map_err(|error| Failure::Cluster(format!("cannot listen on port {port}: {error}")))?;
        let secret = self.secret()?;
        if self.secret_file.is_none() && process == 0 && processes > 1 {
            note(format_args!(
                "note: without --secret-file, anyone who can connect to port {port} can take part"
            ));
        }
        Ok(Some(ProcessConfig { process, processes, listener, address, coordinator, secret }))
    }

    /// The shared secret; empty without --secret-file.
    fn secret(&self) -> Result<Vec<u8>, Failure> {
        let Some(file) = &self.secret_file else { return Ok(Vec::new()) };
        let secret = fs::read(file).map_err(|error| read_failure(file, error))?;
        match secret.trim_ascii() {
            [] => Err(Failure::usage(format!("`{}` is empty, expected a secret", file.display()))),
            secret => Ok(secret.to_vec()),
        }
    }
}

/// The port in a `host:port` address.
fn port_of(address: &str) -> Option<u16> {
    address.rsplit_once(':').and_then(|(_, port)| port.parse().ok())
}

/// Reads a hosts file: its lines without empty lines and comments.
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
                    "`{}`, line {number}: expected a port from 1 to 65535 in `{host}`",
                    file.display()
                ),
                "write a host and a port, such as `node1:4700`",
            ));
        }
        hosts.push(host.to_owned());
    }
    let twice = hosts.iter().enumerate().find(|&(index, host)| hosts[..index].contains(host));
    match (hosts.first(), twice) {
        (Some(_), None) => Ok(hosts),
        (_, Some((_, host))) => Err(Failure::usage(format!("--hosts contains `{host}` twice"))),
        (None, None) => Err(Failure::usage(format!("`{}` contains no hosts", file.display()))),
    }
}

fn read_failure(file: &Path, error: io::Error) -> Failure {
    Failure::usage(format!("`{}` cannot be read: {error}", file.display()))
}
