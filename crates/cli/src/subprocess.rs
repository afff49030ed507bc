//! What systems offer for a program that this one starts. Only on Linux is its memory limited. On
//! Windows, what it has started is not ended with it.

use std::process::{Child, Command, ExitStatus};

use bytesize::ByteSize;

/// Prepares a program so that [`kill`] ends it together with what it has started. On Linux its
/// address space is limited, too, and it ends when this thread ends, however that happens; but not
/// what it has started.
pub(crate) fn confine(command: &mut Command, memory: ByteSize) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    limit(command, memory);
}

/// A limit that is set after the start comes too late for what a program takes at once. So the new
/// process limits itself before it executes the program; decision 0010 lists the alternatives.
#[cfg(target_os = "linux")]
fn limit(command: &mut Command, memory: ByteSize) {
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
    // SAFETY: after a fork, a process with several threads must not allocate or lock. These are
    // three system calls, and errors that are numbers.
    unsafe {
        command.pre_exec(limit_self);
    }
}

#[cfg(not(target_os = "linux"))]
fn limit(_: &mut Command, _: ByteSize) {}

/// Kills a program that was [confined](confine), with its process group.
#[cfg(unix)]
pub(crate) fn kill(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    // If the group has no process any more, nothing has to be done.
    let _ = Pid::from_raw(child.id() as i32).map(|group| kill_process_group(group, Signal::KILL));
}

#[cfg(not(unix))]
pub(crate) fn kill(child: &mut Child) {
    let _ = child.kill();
}

/// The signal that ended a program.
pub(crate) fn signal_of(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&status);
    #[cfg(not(unix))]
    {
        let _ = status;
        None
    }
}

/// The process that has started this one; `None` where the system does not report it.
#[cfg(feature = "cluster")]
pub(crate) fn parent() -> Option<u32> {
    #[cfg(unix)]
    return Some(std::os::unix::process::parent_id());
    #[cfg(not(unix))]
    return None;
}
