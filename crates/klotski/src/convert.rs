//! Boards in other notations.

use fewest_puzzle::convert::Convert;

use crate::builtin::BUILTINS;
use crate::instance::Instance;
use crate::task::Task;
use crate::{rush_hour, short_code};

impl Convert for Task {
    fn convert(&self, notation: &str) -> Option<String> {
        let puzzle = &self.instance;
        match notation {
            "board" => Some(puzzle.to_string()),
            "rows" => Some(rows(puzzle)),
            "code" => puzzle.code().filter(|_| puzzle.is_classic()),
            "short-code" if puzzle.is_classic() => short_code::encode(puzzle.board()),
            "name" => named(puzzle),
            "rush-hour" => rush_hour::line::write(puzzle),
            _ => None,
        }
    }
}

/// The rows on one line, and the goals and locks below.
fn rows(puzzle: &Instance) -> String {
    let text = puzzle.to_string();
    let below = text.lines().skip(puzzle.board().rows()).map(|line| format!("\n{line}"));
    puzzle.board().row_text() + &below.collect::<String>()
}

/// The first built-in name of a layout. The pieces may have other characters than the built-in
/// ones.
fn named(puzzle: &Instance) -> Option<String> {
    let code = puzzle.code().filter(|_| puzzle.is_classic())?;
    let same = |text: &str| {
        let other = Instance::read(text.as_bytes()).next().and_then(Result::ok);
        other.and_then(|other| other.code()).as_ref() == Some(&code)
    };
    let builtin = BUILTINS.iter().find(|builtin| same(builtin.text))?;
    Some(builtin.names[0].to_owned())
}
