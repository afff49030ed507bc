//! Whether standard output was closed when the program started, as by `>&-`.
//!
//! Before `main`, Rust's runtime opens `/dev/null` in the place of a standard stream that is
//! closed. All answers would be lost and the exit code would be 0, so the look has to come before
//! that; decision 0010 has the alternatives.

use std::io;

/// An error if nothing can be written to standard output.
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
        reason = "the only place where a function can be named that runs before the runtime starts"
    )]
    // SAFETY: the section holds pointers to functions of this type, which the loader calls once
    // each before `main`. What the function uses of the standard library, the handle of standard
    // output and an atomic, is made when it is first used and does not need the runtime to have
    // started.
    #[used]
    #[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_os = "macos", unsafe(link_section = "__DATA,__mod_init_func"))]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        // Of the reasons why a descriptor cannot be duplicated, only this one says that it is
        // closed.
        const EBADF: i32 = 9;
        let error = io::stdout().as_fd().try_clone_to_owned().err();
        CLOSED
            .store(error.and_then(|error| error.raw_os_error()) == Some(EBADF), Ordering::Relaxed);
    }
}
