//! A program that is started with less than its parent may use.
//!
//! A limit that is set after the start comes too late for what a program takes at once. So the new process
//! limits itself before it executes the program; decision 0010 lists the alternatives.

use std::process::Command;

use bytesize::ByteSize;

/// Limits the address space of a program, and ends it when this thread ends, however that happens; but not what the
/// program has started. On Linux only.
#[cfg(target_os = "linux")]
pub(crate) fn limit(command: &mut Command, memory: ByteSize) {
    use std::io::ErrorKind;
    use std::os::unix::process::CommandExt;

    use rustix::process::{
        Resource, Rlimit, Signal, getpid, getppid, getrlimit, set_parent_process_death_signal,
        setrlimit,
    };

    let most = getrlimit(Resource::As).maximum.unwrap_or(u64::MAX).min(memory.as_u64());
    let limit = Rlimit { current: Some(most), maximum: Some(most) };
    let parent = getpid();
    let limit_self = move || {
        setrlimit(Resource::As, limit)?;
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have ended before.
        if getppid() == Some(parent) { Ok(()) } else { Err(ErrorKind::BrokenPipe.into()) }
    };
    #[expect(unsafe_code, reason = "only between fork and exec can a process limit itself")]
    // SAFETY: after a fork, a process with several threads must not allocate or lock. These are three system
    // calls, and errors that are numbers.
    unsafe {
        command.pre_exec(limit_self);
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn limit(_: &mut Command, _: ByteSize) {}
