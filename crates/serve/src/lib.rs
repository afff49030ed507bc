//! `fewest serve`: a local web server with a page to play, solve and view puzzles in a browser.
//!
//! | to see | read |
//! | --- | --- |
//! | which requests are accepted | `guard` |
//! | how connections are accepted and bounded | `server` |
//! | concurrency, limits and cancellation of jobs | `jobs` |
//! | what is answered, and the page | the crate `fewest-web` |
//!
//! The crate depends on no puzzle; the caller passes a list of puzzles.
//!
//! ```no_run
//! use std::num::NonZero;
//! use std::sync::Arc;
//!
//! use fewest_serve::{Config, Server};
//!
//! let threads = NonZero::<usize>::MIN;
//! let config = Config { start: None, port: 0, limits: Default::default(), threads };
//! let server = Server::bind(fewest_catalog::PUZZLES, config)?;
//! println!("{}", server.url());
//! server.run(Arc::default())?;
//! # Ok::<(), std::io::Error>(())
//! ```

#![forbid(unsafe_code)]

mod guard;
mod jobs;
mod server;

pub use server::{Config, Server};
