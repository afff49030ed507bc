//! The requests of the page by name.

use fewest_core::budget::Budget;
use serde_json::{Value, from_slice};

use crate::request::{Download, Puzzles, RequestError, Send};
use crate::{api, line};

/// What answers a request: a function of the puzzles, the JSON that was asked, and the limits.
#[derive(Clone, Copy, Debug)]
pub enum Handler {
    /// Answers at once, without a search.
    Value(fn(Puzzles, &[u8], &Budget) -> Result<Value, RequestError>),
    /// Draws a file.
    File(fn(Puzzles, &[u8], &Budget) -> Result<Download, RequestError>),
    /// Searches, and answers in parts.
    Parts(fn(Puzzles, &[u8], &Budget, Send<'_>) -> Result<(), RequestError>),
}

/// The handler of a request; `None` if there is none of this name.
pub fn handler(name: &str) -> Option<Handler> {
    macro_rules! with {
        (Parts, $answer:path) => {
            Handler::Parts(|puzzles, body, budget, send| {
                $answer(puzzles, &from_slice(body)?, budget, send)
            })
        };
        ($kind:ident, $answer:path) => {
            Handler::$kind(|puzzles, body, budget| $answer(puzzles, &from_slice(body)?, budget))
        };
    }
    Some(match name {
        "board" => with!(Value, api::board),
        "moves" => with!(Value, api::moves),
        "by-hand" => with!(Value, api::by_hand),
        "texts" => with!(Value, api::texts),
        "blank" => with!(Value, api::blank),
        "read-plan" => with!(Value, line::read_plan),
        "convert" => with!(Value, line::convert),
        "import" => with!(Value, api::import),
        "edit" => with!(Value, api::edit),
        "draw" => with!(File, api::draw),
        "know" => with!(Parts, api::know),
        "solve" => with!(Parts, api::solve),
        "compare" => with!(Parts, api::compare),
        _ => return None,
    })
}
