//! The solver of the page as WebAssembly: `cargo xtask page` builds it.
//!
//! A worker of the page, `worker.js` of the crate `fewest-web`, hands over the name and the JSON of
//! a request, and gets the parts of its answer one by one. It ends a search by ending itself.

#![cfg(target_family = "wasm")]

mod worker;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fewest_catalog::PUZZLES;
use fewest_core::budget::{Budget, Limits};
use fewest_core::clock::{self, Instant};
use fewest_core::progress::ProgressCounters;
use fewest_web::{Handler, Progress, RequestError, handler};
use serde_json::{Value, json};

/// The limits of each request. A phone gives a page about a gigabyte, and the page runs two searches
/// at a time. Sizes stay far from 32 bits.
const LIMITS: Limits =
    Limits { time: Some(Duration::from_secs(60)), memory_bytes: Some(1 << 29), states: None };

fn answer(name: &str, body: &[u8]) {
    std::panic::set_hook(Box::new(|panic| worker::log(&panic.to_string())));
    clock::set(|| Duration::from_secs_f64(worker::now() / 1000.0));
    let send = |part: &Value| worker::send(&part.to_string());
    let budget = Budget::new(LIMITS);
    let answered = match handler(name) {
        None => Err(RequestError::new(format!("no request `{name}`"))),
        Some(Handler::Value(answer)) => answer(PUZZLES, body, &budget).map(|value| send(&value)),
        Some(Handler::File(draw)) => draw(PUZZLES, body, &budget)
            .map(|(media_type, bytes)| worker::send_file(media_type, &bytes)),
        Some(Handler::Parts(answer)) => {
            let progress = Mutex::new((Progress::default(), Instant::now()));
            let counters = ProgressCounters::observed_by(move |counters| {
                let (progress, reported) =
                    &mut *progress.lock().unwrap_or_else(PoisonError::into_inner);
                if reported.elapsed() >= Progress::INTERVAL {
                    *reported = Instant::now();
                    send(&progress.report(counters));
                }
            });
            let budget = budget.with_progress(Arc::new(counters));
            answer(PUZZLES, body, &budget, &mut |part| send(&part))
        }
    };
    if let Err(error) = answered {
        send(&json!({ "error": error }));
    }
}
