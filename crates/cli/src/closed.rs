//! Detects whether standard output was closed when the program started, for example by `>&-`.
//!
//! Before `main`, Rust's runtime opens `/dev/null` in place of a closed standard stream. All
//! answers would be lost and the exit code would be 0. So the check runs before the runtime starts;
//! decision 0010 lists the alternatives.

use std::io;

/// Returns an error if standard output was closed at the start.
pub(crate) fn check() -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    if start::was_closed() {
        return Err(io::Error::other("standard output is closed"));
    }
    Ok(())
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod start {
    use std::io;
    use std::os::fd::AsFd;
    use std::sync::atomic::{AtomicBool, Ordering};

    static CLOSED: AtomicBool = AtomicBool::new(false);

    pub(super) fn was_closed() -> bool {
        CLOSED.load(Ordering::Relaxed)
    }

    #[expect(
        unsafe_code,
        reason = "only a link section can register a function that runs before the runtime"
    )]
    // SAFETY: the section holds pointers to functions of this type. The loader calls each of them
    // once before `main`. The function uses the handle of standard output and an atomic. The handle
    // is created on first use, and neither needs the runtime to have started.
    #[used]
    #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
    static CHECK_STDOUT: extern "C" fn() = check_stdout;

    extern "C" fn check_stdout() {
        // A descriptor can fail to be duplicated for several reasons. Only this one means that it
        // is closed.
        const EBADF: i32 = 9;
        let error = io::stdout().as_fd().try_clone_to_owned().err();
        CLOSED
            .store(error.and_then(|error| error.raw_os_error()) == Some(EBADF), Ordering::Relaxed);
    }
}
