//! The machine that the figures were measured on.

use std::fmt;
use std::fs;
use std::process::Command;

use crate::root;

/// The machine, and the revision of the source.
pub(crate) struct Machine {
    processor: String,
    threads: usize,
    memory_bytes: Option<u64>,
    system: String,
    compiler: String,
    /// The commit, followed by `+` if the work tree differs from it; `None` outside a repository.
    revision: Option<String>,
}

impl Machine {
    pub(crate) fn current() -> Self {
        let line = |file: &str, key: &str| {
            let text = fs::read_to_string(file).unwrap_or_default();
            let found = text.lines().find(|line| line.starts_with(key));
            found.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim().to_owned())
        };
        let kib = line("/proc/meminfo", "MemTotal")
            .and_then(|value| value.split(' ').next()?.parse::<u64>().ok());
        Self {
            processor: line("/proc/cpuinfo", "model name")
                .unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: kib.map(|kib| kib * 1024),
            system: std::env::consts::OS.to_owned(),
            compiler: command_output("rustc", &["--version"]).unwrap_or_default(),
            revision: revision(),
        }
    }

    /// The current date and time in UTC.
    pub(crate) fn now() -> String {
        humantime::format_rfc3339_seconds(std::time::SystemTime::now())
            .to_string()
            .replace(['T', 'Z'], " ")
            .trim()
            .to_owned()
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { processor, threads, system, compiler, .. } = self;
        write!(f, "{processor}, {threads} threads")?;
        if let Some(bytes) = self.memory_bytes {
            write!(f, ", {} GiB", bytes >> 30)?;
        }
        let revision = self.revision.as_deref().unwrap_or("unknown");
        write!(f, ", {system}, {compiler}, revision {revision}")
    }
}

fn revision() -> Option<String> {
    let commit = command_output("git", &["rev-parse", "--short=12", "HEAD"])?;
    let is_changed = !command_output("git", &["status", "--porcelain"])?.is_empty();
    Some(if is_changed { commit + "+" } else { commit })
}

/// The standard output of a command that succeeds.
fn command_output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).current_dir(root()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
