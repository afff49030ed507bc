//! The page on which puzzles are played, solved and viewed in a browser: its files, and the answers
//! to its requests, without sockets and threads.
//!
//! Two programs carry the requests: the crate `fewest-serve` is a web server on the machine of its
//! user, and the crate `fewest-page` answers in the browser, as WebAssembly. The files differ in one
//! module, `api.js`, and in the head of the page: [`Transport`](assets::Transport).
//!
//! | to see | read |
//! | --- | --- |
//! | the names of the requests, and what answers them | `handler` |
//! | reports of searches that run | `progress` |
//! | the handlers | `api`, `line` for moves from elsewhere, and `request` for what all requests share |
//! | the page | `assets` |
//!
//! The crate depends on no puzzle; the caller passes a list of puzzles.
//!
//! ```
//! use fewest_core::Budget;
//! use fewest_web::{Handler, handler};
//!
//! let Some(Handler::Value(answer)) = handler("moves") else { panic!("a request of the page") };
//! let at = br#"{ "at": { "puzzle": "klotski", "text": "1223\n1223\n4556\n4786\n9..0" } }"#;
//! let moves = answer(fewest_catalog::PUZZLES, at, &Budget::unlimited()).unwrap();
//! assert_eq!(moves["count"], 8);
//! ```

#![forbid(unsafe_code)]

mod api;
pub mod assets;
mod handler;
mod line;
mod progress;
mod request;

pub use api::catalog;
pub use handler::{Handler, handler};
pub use progress::Progress;
pub use request::{Download, Puzzles, RequestError, Send};
