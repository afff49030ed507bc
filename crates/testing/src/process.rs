//! Programs as a whole: how much memory they took at most, and how long.

use std::fs;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// What a program took.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// How it ended.
    pub status: ExitStatus,
    /// From its start to its end.
    pub elapsed: Duration,
    /// The most memory that was resident at one time, in bytes; `None` where the system does not
    /// say. What it takes in its last millisecond may be missing.
    pub peak_bytes: Option<u64>,
}

/// Runs a program to its end.
///
/// # Errors
/// If it does not start.
pub fn measure(command: &mut Command) -> io::Result<Usage> {
    let start = Instant::now();
    let mut child = command.spawn()?;
    let mut peak_bytes = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Usage { status, elapsed: start.elapsed(), peak_bytes });
        }
        peak_bytes = peak_bytes.max(resident_peak(&child));
        thread::sleep(Duration::from_millis(1));
    }
}

/// The high-water mark that Linux keeps for each process.
fn resident_peak(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let mark = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = mark.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_program_took_is_told() {
        let usage = measure(Command::new("sleep").arg("0.05")).expect("it starts");
        assert!(usage.status.success() && usage.elapsed >= Duration::from_millis(50));
        assert!(
            usage.peak_bytes.is_some_and(|bytes| (100_000..100_000_000).contains(&bytes)),
            "{usage:?}"
        );
    }
}
