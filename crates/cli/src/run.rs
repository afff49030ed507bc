//! A run of a program: signals stop it, and it reports progress if it takes long.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use fewest_core::budget::{Budget, Limits};
use fewest_core::progress::ProgressCounters;
use fewest_puzzle::words::plural;
use fewest_puzzle::work::WorkContext;
use indicatif::{ProgressBar, ProgressStyle};

use crate::cluster;
use crate::message::{self, message};
use crate::signals;
use crate::terminal;
use crate::visible::visible;

/// Progress is reported only after this time.
const PROGRESS_DELAY: Duration = Duration::from_millis(500);

/// The interval of the progress bar on a terminal.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);
/// The interval of progress lines elsewhere.
const REPORT_INTERVAL: Duration = Duration::from_secs(3);

/// The state of a run. Dropping it ends the progress report.
pub(crate) struct Run {
    interrupted: Arc<AtomicBool>,
    progress: Arc<ProgressReporter>,
    reporter_thread: Option<JoinHandle<()>>,
}

/// The progress of a run, which a thread of its own prints.
struct ProgressReporter {
    counters: Arc<ProgressCounters>,
    start: Instant,
    /// The singular noun for the items of the run, such as `data set`, and their total number; 0 if
    /// it is unknown.
    items: Mutex<(&'static str, u64)>,
    done_count: AtomicU64,
    /// Text about the current item.
    message: Mutex<String>,
    ended: Mutex<bool>,
    end_signal: Condvar,
}

impl Run {
    /// Installs the signal handlers and starts the progress report. The first Ctrl-C, SIGTERM or
    /// SIGHUP sets a flag that stops the current work, so that the program can report what is
    /// known. A second one ends the program at once.
    pub(crate) fn start() -> Self {
        let has_bar = terminal::can_redraw();
        let is_wanted = message::wants_progress() || has_bar && !message::is_quiet();
        let is_reported = is_wanted && !cluster::is_child();
        Self::new(is_reported.then_some(has_bar))
    }

    /// A run that reports no progress.
    #[cfg(feature = "serve")]
    pub(crate) fn without_report() -> Self {
        Self::new(None)
    }

    /// A run whose progress is reported in a bar, in lines, or not at all.
    fn new(in_bar: Option<bool>) -> Self {
        let progress = Arc::new(ProgressReporter {
            counters: Arc::default(),
            start: Instant::now(),
            items: Mutex::new(("data set", 0)),
            done_count: AtomicU64::new(0),
            message: Mutex::default(),
            ended: Mutex::default(),
            end_signal: Condvar::new(),
        });
        let reporter_thread = in_bar.map(|has_bar| {
            let progress = Arc::clone(&progress);
            thread::Builder::new()
                .spawn(move || if has_bar { progress.draw_bar() } else { progress.print_lines() })
        });
        let interrupted = Arc::<AtomicBool>::default();
        if let Err(error) = signals::install_handlers(&interrupted) {
            message(format_args!("warning: Ctrl-C will end the program without a report: {error}"));
        }
        // If the thread cannot be started, no progress is reported.
        Self { interrupted, progress, reporter_thread: reporter_thread.and_then(Result::ok) }
    }

    /// The flag that a signal sets.
    #[cfg(feature = "serve")]
    pub(crate) fn interrupted(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupted)
    }

    /// Stops the run in the same way as Ctrl-C.
    pub(crate) fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
    }

    /// Sets the text about the current item in the progress line.
    pub(crate) fn set_message(&self, message: String) {
        *self.progress.message.lock().unwrap_or_else(PoisonError::into_inner) = visible(&message);
    }
}

impl WorkContext for Run {
    /// A new budget that Ctrl-C cancels, and whose searches count their progress.
    fn budget(&self, limits: Limits) -> Budget {
        let counters = Arc::clone(&self.progress.counters);
        Budget::new(limits).cancelled_by(Arc::clone(&self.interrupted)).with_progress(counters)
    }

    /// Whether Ctrl-C was pressed.
    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    fn add_done(&self, items: u64) {
        self.progress.done_count.fetch_add(items, Ordering::Relaxed);
    }

    fn start(&self, item: &'static str, total: Option<u64>) {
        *self.progress.items.lock().unwrap_or_else(PoisonError::into_inner) =
            (item, total.unwrap_or(0));
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        *self.progress.ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.progress.end_signal.notify_all();
        if let Some(thread) = self.reporter_thread.take() {
            let _ = thread.join();
        }
    }
}

impl ProgressReporter {
    /// Waits for this time or the end of the run. Returns whether the run has ended.
    fn wait(&self, time: Duration) -> bool {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        *self
            .end_signal
            .wait_timeout_while(ended, time, |ended| !*ended)
            .unwrap_or_else(PoisonError::into_inner)
            .0
    }

    /// Draws a progress bar until the run ends.
    fn draw_bar(&self) {
        if self.wait(PROGRESS_DELAY) {
            return;
        }
        let style = ProgressStyle::with_template("{spinner} {wide_msg}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner());
        let bar = ProgressBar::new_spinner().with_style(style.tick_chars("|/-\\ "));
        message::set_bar(Some(bar.clone()));
        loop {
            bar.set_message(self.line());
            bar.tick();
            if self.wait(REDRAW_INTERVAL) {
                break;
            }
        }
        message::set_bar(None);
        bar.finish_and_clear();
    }

    /// Prints a line at regular intervals until the run ends.
    fn print_lines(&self) {
        let mut pause = PROGRESS_DELAY;
        while !self.wait(pause) {
            message(format_args!("progress: {}", self.line()));
            pause = REPORT_INTERVAL;
        }
    }

    /// The most informative parts come first, because a terminal may cut the line.
    fn line(&self) -> String {
        let elapsed = self.start.elapsed();
        let done = self.done_count.load(Ordering::Relaxed);
        let (item, total) = *self.items.lock().unwrap_or_else(PoisonError::into_inner);
        let counters = &self.counters;
        let (states, depth, bytes) = (counters.expanded(), counters.depth(), counters.held_bytes());
        let mut parts = Vec::new();
        match (done, total) {
            (0, 0) => {}
            (done, 0) => parts.push(format!("{} {}", grouped(done), plural(item, done))),
            (done, total) => parts.push(format!(
                "{} of {} {}",
                grouped(done),
                grouped(total),
                plural(item, total)
            )),
        }
        // The estimate assumes that all items take about the same time.
        if let Some(left) = (done > 0).then(|| total.checked_sub(done)).flatten() {
            let seconds = elapsed.as_secs_f64() / done as f64 * left as f64;
            parts.push(format!("about {seconds:.0} s left"));
        }
        let message = self.message.lock().unwrap_or_else(PoisonError::into_inner);
        if !message.is_empty() {
            parts.push(message.clone());
        }
        if depth > 0 {
            parts.push(format!("depth {depth}"));
        }
        let [last, before] = counters.last_layers();
        if last > 0 && before > 0 {
            let (states, growth) = (grouped(last), last as f64 / before as f64);
            parts.push(format!("layer of {states}, {growth:.2} times the one before"));
        }
        parts.push(format!("{:.1} s", elapsed.as_secs_f64()));
        match counters.checked() {
            0 => {}
            checked => parts.push(format!("{} steps of the check", grouped(checked))),
        }
        if states > 0 {
            let rate = (states as f64 / elapsed.as_secs_f64()) as u64;
            parts.push(format!(
                "{} {}, {}/s, {}",
                grouped(states),
                plural("state", states),
                grouped(rate),
                ByteSize(bytes)
            ));
        }
        parts.join(", ")
    }
}

/// A number with thousands separators.
fn grouped(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}
