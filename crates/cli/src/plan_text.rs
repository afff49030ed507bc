//! Plans as `solve` prints them, read back: blocks between blank lines.
//!
//! A line that starts with `#` is a comment. The first line of a block says how many moves follow, `7 steps, optimal`,
//! whatever stands behind the number; or that there is no plan, `unsolvable` or `stopped`.

use fewest_core::text::{Diagnostic, Line, Lines, quote};

/// One data set's.
pub(crate) struct Block<'a> {
    pub(crate) header: Line<'a>,
    /// The moves that the header promises; `None` if it says that there is no plan.
    pub(crate) moves: Option<u32>,
    pub(crate) plan: Vec<Line<'a>>,
}

/// All blocks of a text; at least one.
pub(crate) fn read(text: &[u8]) -> Result<Vec<Block<'_>>, Diagnostic> {
    const FORM: &str = "the number of moves of a plan, such as `7 steps`";
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
                number => Some(number.parse().map_err(|_| line.wrong(at, quote(word), form))?),
            };
            blocks.push(Block { header: line, moves, plan: Vec::new() });
            within = true;
        }
    }
    if blocks.is_empty() { Err(lines.ended(FORM)) } else { Ok(blocks) }
}
