//! Measurement of child processes: elapsed time and peak memory.

use std::fs;
use std::io;
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// The resource usage of a process.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// The exit status.
    pub status: ExitStatus,
    /// The time from the start of the process to its end.
    pub elapsed: Duration,
    /// The peak resident memory in bytes, or `None` on systems other than Linux. Sampled every
    /// millisecond, so the last millisecond may be missing.
    pub peak_bytes: Option<u64>,
}

/// Runs a command to its end and measures it.
///
/// # Errors
/// If the process cannot be started or waited for.
pub fn measure(command: &mut Command) -> io::Result<Usage> {
    let start = Instant::now();
    let mut child = command.spawn()?;
    let mut peak_bytes = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Usage { status, elapsed: start.elapsed(), peak_bytes });
        }
        peak_bytes = peak_bytes.max(status_bytes(&child.id().to_string(), "VmHWM"));
        thread::sleep(Duration::from_millis(1));
    }
}

/// The peak resident memory in bytes that a process with this memory limit may have: 10 % more than
/// the limit, and 16 MB for the program and its input.
pub fn allowed_peak_bytes(limit_bytes: u64) -> u64 {
    limit_bytes + limit_bytes / 10 + 16_000_000
}

/// The value in bytes of a line of `/proc/PROCESS/status`, such as `VmHWM`, the peak resident
/// memory. `process` is a process number or `self`. `None` on systems other than Linux.
pub fn status_bytes(process: &str, key: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let value = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    let kibibytes: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn measure_returns_status_time_and_memory() {
        let usage = measure(Command::new("sleep").arg("0.05")).expect("`sleep` starts");
        assert!(usage.status.success() && usage.elapsed >= Duration::from_millis(50));
        assert!(
            usage.peak_bytes.is_some_and(|bytes| (100_000..100_000_000).contains(&bytes)),
            "{usage:?}"
        );
    }
}
