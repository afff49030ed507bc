//! Plans as `solve` prints them, read back: blocks between blank lines.
//!
//! A line that starts with `#` is a comment. The first line of a block says how many moves follow, `7 steps, optimal`,
//! whatever stands behind the number; or that there is no plan, `unsolvable` or `stopped`.

use fewest_core::text::{Diagnostic, Line, Lines, number, quote};

/// One data set's.
pub(crate) struct Block<'a> {
    pub(crate) header: Line<'a>,
    /// The moves that the header promises; `None` if it says that there is no plan.
    pub(crate) moves: Option<u32>,
    pub(crate) plan: Vec<Line<'a>>,
}

/// All blocks of a text; at least one.
pub(crate) fn read(text: &[u8]) -> Result<Vec<Block<'_>>, Diagnostic> {
    const FORM: &str = "the number of moves of a plan, such as `7`, and the moves on the lines below it";
    let mut lines = Lines::new(text);
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut within = false;
    for line in lines.by_ref() {
        let line = line?;
        if line.text.starts_with('#') {
            continue;
        }
        if line.is_blank() {
            within = false;
        } else if within && let Some(block) = blocks.last_mut() {
            block.plan.push(line);
        } else {
            let (at, word) = line.words().next().unwrap_or((0, ""));
            let form = if blocks.is_empty() {
                FORM
            } else {
                "the number of moves of the next plan, as a blank line ended the one before"
            };
            let moves = match word.trim_end_matches([',', ':']) {
                "unsolvable" | "stopped" => None,
                digits => Some(number(digits).ok_or_else(|| line.wrong(at, quote(word), form))?),
            };
            blocks.push(Block { header: line, moves, plan: Vec::new() });
            within = true;
        }
    }
    if blocks.is_empty() { Err(lines.ended(FORM)) } else { Ok(blocks) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::halloween::Halloween;
    use crate::halloween::Scenario;
    use crate::puzzle::Puzzle;

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(
            text in prop::collection::vec(prop::sample::select(&b"7 steps,\n\n#-aNbEcS \r\tunsolvable\xff"[..]), 0..80),
        ) {
            let house = Halloween::read(b"5 1 2\nab AB\n", &Scenario::default()).next().expect("a data set").expect("a good one");
            for block in read(&text).into_iter().flatten() {
                let plan: Result<Vec<_>, _> = block.plan.iter().map(|&line| Halloween::read_move(&house, line)).collect();
                if let Ok(plan) = plan {
                    let _ = Halloween::replay(&house, &plan);
                }
            }
        }
    }

    #[test]
    fn a_sign_is_no_part_of_a_number() {
        assert!(read(b"+7 steps\n").is_err());
        assert!(read(b"99999999999 steps\n").is_err());
    }
}
