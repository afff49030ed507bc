//! A run of a program that searches: signals stop it, and it reports its progress if it takes long.

use std::fs;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use fewest_core::budget::{Budget, Limits};
use fewest_core::progress::ProgressCounters;
use indicatif::{ProgressBar, ProgressStyle};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::exit::INTERRUPTED;
use crate::message::{self, message};
use crate::puzzle::plural;
use crate::terminal;

/// What takes no longer needs no progress.
const SILENT: Duration = Duration::from_millis(500);

/// How often it is told on a terminal, and elsewhere.
const DRAWN_EVERY: Duration = Duration::from_millis(100);
const TOLD_EVERY: Duration = Duration::from_secs(3);

pub(crate) struct Run {
    interrupted: Arc<AtomicBool>,
    shared: Arc<Shared>,
    teller: Option<JoinHandle<()>>,
}

struct Shared {
    watch: Arc<ProgressCounters>,
    start: Instant,
    /// What is counted, such as a `data set`; how many of them are done; and how many there are, 0
    /// where that is not known.
    what: &'static str,
    done: AtomicU64,
    total: AtomicU64,
    /// What there is to say beyond that.
    more: Mutex<String>,
    ended: Mutex<bool>,
    end: Condvar,
}

impl Run {
    /// From now on the first Ctrl-C, or other signal to end, raises a flag that stops the current
    /// work, so that it can report what it knows; a second one ends the program at once. `what` are
    /// the things that [`done`](Self::done) counts.
    pub(crate) fn start(what: &'static str) -> Self {
        let shared = Arc::new(Shared {
            watch: Arc::default(),
            start: Instant::now(),
            what,
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
            more: Mutex::default(),
            ended: Mutex::default(),
            end: Condvar::new(),
        });
        let drawn = terminal::redraws();
        let wanted = message::wants_progress() || drawn && !message::is_quiet();
        let teller = wanted.then(|| {
            let shared = Arc::clone(&shared);
            thread::Builder::new().spawn(move || if drawn { shared.draw() } else { shared.tell() })
        });
        let interrupted = Arc::<AtomicBool>::default();
        if let Err(error) = install_signal_handlers(&interrupted) {
            message(format_args!("warning: Ctrl-C will end the program at once: {error}"));
        }
        // Without a thread for it nothing is told.
        Self { interrupted, shared, teller: teller.and_then(Result::ok) }
    }

    /// A fresh budget, which Ctrl-C ends and whose searches tell how far they are.
    pub(crate) fn budget(&self, limits: Limits) -> Budget {
        let watch = Arc::clone(&self.shared.watch);
        Budget::new(limits).cancelled_by(Arc::clone(&self.interrupted)).with_progress(watch)
    }

    /// As if Ctrl-C had been pressed.
    pub(crate) fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// So many things more are done.
    pub(crate) fn done(&self, things: u64) {
        self.shared.done.fetch_add(things, Ordering::Relaxed);
    }

    /// There are so many things to do.
    pub(crate) fn expect(&self, things: u64) {
        self.shared.total.store(things, Ordering::Relaxed);
    }

    /// Tells this as well.
    pub(crate) fn say(&self, more: String) {
        *self.shared.more.lock().unwrap_or_else(PoisonError::into_inner) = more;
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        *self.shared.ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.shared.end.notify_all();
        if let Some(teller) = self.teller.take() {
            let _ = teller.join();
        }
    }
}

/// The first signal raises the flag, the second ends the program.
fn install_signal_handlers(interrupted: &Arc<AtomicBool>) -> io::Result<()> {
    for signal in ENDING_SIGNALS.iter().copied().filter(|&signal| !is_ignored(signal)) {
        // In this order: the flag is looked at before it is raised.
        flag::register_conditional_shutdown(signal, INTERRUPTED.into(), Arc::clone(interrupted))?;
        flag::register(signal, Arc::clone(interrupted))?;
    }
    Ok(())
}

/// SIGHUP only where it can be seen that `nohup` ignores it.
const ENDING_SIGNALS: &[i32] = &[
    SIGINT,
    SIGTERM,
    #[cfg(target_os = "linux")]
    signal_hook::consts::SIGHUP,
];

/// Whether whoever started the program, such as `nohup`, has it ignore a signal.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

impl Shared {
    /// Waits; whether the run has ended.
    fn wait(&self, time: Duration) -> bool {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        *self
            .end
            .wait_timeout_while(ended, time, |ended| !*ended)
            .unwrap_or_else(PoisonError::into_inner)
            .0
    }

    fn draw(&self) {
        if self.wait(SILENT) {
            return;
        }
        let style = ProgressStyle::with_template("{spinner} {wide_msg}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner());
        let bar = ProgressBar::new_spinner().with_style(style.tick_chars("|/-\\ "));
        message::draw_beside(Some(bar.clone()));
        loop {
            bar.set_message(self.line());
            bar.tick();
            if self.wait(DRAWN_EVERY) {
                break;
            }
        }
        message::draw_beside(None);
        bar.finish_and_clear();
    }

    fn tell(&self) {
        let mut pause = SILENT;
        while !self.wait(pause) {
            message(format_args!("progress: {}", self.line()));
            pause = TOLD_EVERY;
        }
    }

    fn line(&self) -> String {
        let elapsed = self.start.elapsed();
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        let (states, depth, bytes) =
            (self.watch.expanded(), self.watch.depth(), self.watch.held_bytes());
        let mut parts = Vec::new();
        match (done, total) {
            (0, 0) => {}
            (done, 0) => parts.push(format!("{} {}", grouped(done), plural(self.what, done))),
            (done, total) => parts.push(format!(
                "{} of {} {}",
                grouped(done),
                grouped(total),
                plural(self.what, total)
            )),
        }
        if depth > 0 {
            parts.push(format!("depth {depth}"));
        }
        if states > 0 {
            let rate = (states as f64 / elapsed.as_secs_f64()) as u64;
            parts.push(format!(
                "{} states, {}/s, {}",
                grouped(states),
                grouped(rate),
                ByteSize(bytes)
            ));
        }
        let more = self.more.lock().unwrap_or_else(PoisonError::into_inner);
        if !more.is_empty() {
            parts.push(more.clone());
        }
        parts.push(format!("{:.1} s", elapsed.as_secs_f64()));
        // Things that are much alike, of which some are done, tell how long the others take.
        if let Some(left) = (done > 0).then(|| total.checked_sub(done)).flatten() {
            parts.push(format!(
                "some {:.0} s left",
                elapsed.as_secs_f64() / done as f64 * left as f64
            ));
        }
        parts.join(", ")
    }
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}
