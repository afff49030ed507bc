//! Signals that stop a run. On Windows, only Ctrl-C does.

use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::exit::INTERRUPTED;

/// SIGHUP is handled only on Linux, where `is_ignored` can detect that `nohup` ignores it.
const ENDING_SIGNALS: &[i32] = &[
    SIGINT,
    SIGTERM,
    #[cfg(target_os = "linux")]
    signal_hook::consts::SIGHUP,
];

/// Makes the first signal set the flag and the second one end the program.
pub(crate) fn install_handlers(interrupted: &Arc<AtomicBool>) -> io::Result<()> {
    for signal in ENDING_SIGNALS.iter().copied().filter(|&signal| !is_ignored(signal)) {
        // The order matters: the conditional shutdown must read the flag before it is set.
        flag::register_conditional_shutdown(signal, INTERRUPTED.into(), Arc::clone(interrupted))?;
        flag::register(signal, Arc::clone(interrupted))?;
    }
    Ok(())
}

/// Whether the parent process, such as `nohup`, set the signal to be ignored. Only Linux reports
/// it.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
