//! Measurement of child processes: elapsed time and peak memory.

use std::fs;
use std::io;
use std::process::{Child, Command, ExitStatus};
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
        peak_bytes = peak_bytes.max(resident_peak(&child));
        thread::sleep(Duration::from_millis(1));
    }
}

/// The peak resident memory of a process on Linux: `VmHWM` of `/proc/PID/status`.
fn resident_peak(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let value = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
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
