//! `fewest serve`: a page on the loopback interface on which puzzles are played, solved and looked
//! at in a browser.
//!
//! | to see | read |
//! | --- | --- |
//! | who may ask | `guard` |
//! | how connections are accepted and bounded | `server` |
//! | what runs, how much of it, and when it is cancelled | `jobs` |
//! | what can be asked | `api`, and `request` for what all requests have |
//! | the page | `assets` |
//!
//! The crate knows puzzles only by the list that it is given.
//!
//! ```no_run
//! use std::num::NonZero;
//! use std::sync::Arc;
//!
//! use fewest_web::{Config, Server};
//!
//! let threads = NonZero::<usize>::MIN;
//! let config = Config { start: None, port: 0, limits: Default::default(), threads };
//! let server = Server::bind(fewest_catalog::PUZZLES, config)?;
//! println!("{}", server.url());
//! server.run(Arc::default())?;
//! # Ok::<(), std::io::Error>(())
//! ```

#![forbid(unsafe_code)]

mod api;
mod assets;
mod guard;
mod jobs;
mod request;
mod server;

pub use server::{Config, Server};
