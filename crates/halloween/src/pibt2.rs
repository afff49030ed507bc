//! The instance files of pibt2 and of the programs that follow it (Okumura et al.,
//! github.com/Kei18/pibt2): settings such as `map_file=room.map` and `agents=2`, and for each agent
//! a line with the column and the row of its start and of its goal, counted from 0, such as
//! `4,0,5,0`. Lines with `#` are comments.

use fewest_rules::text::{Diagnostic, Line, Lines, number, quote};

use crate::instance::Ghost;
#[cfg(feature = "search")]
use crate::instance::Instance;
use crate::placing::{PlacedAt, Placing};

/// Whether a text is such a file: its first line is a comment or a setting.
pub(crate) fn is_instance(text: &[u8]) -> bool {
    let first = Lines::new(text).next_filled();
    matches!(first, Some(Ok(line)) if is_comment(line) || setting(line).is_some())
}

/// The name of the map.
pub(crate) fn map_name(text: &[u8]) -> Option<&str> {
    let mut settings = Lines::new(text).map_while(Result::ok).filter_map(setting);
    settings.find_map(|(name, value)| (name == "map_file").then_some(value))
}

/// The first agents of a file: `agents` of them, or by default the number that it states.
pub(crate) fn agents(
    text: &[u8],
    agents: Option<usize>,
    mut placing: Placing<'_>,
) -> Result<Vec<Ghost>, Diagnostic> {
    let mut lines = Lines::new(text);
    let (mut ghosts, mut stated) = (Vec::new(), None);
    while let Some(line) = lines.next_filled().transpose()? {
        if is_comment(line) {
            continue;
        }
        if let Some((name, value)) = setting(line) {
            let at = line.text.trim_end().len() - value.len();
            match name {
                "agents" => {
                    let wrong = || line.wrong(at, quote(value), "a number of agents");
                    stated = Some(number(value).ok_or_else(wrong)?);
                }
                "random_problem" if value != "0" => {
                    let found = format!("`random_problem={value}`");
                    return Err(line.wrong(
                        line.start(),
                        found,
                        "a line with the cells of each agent",
                    ));
                }
                _ => {}
            }
        } else if agents.or(stated).is_none_or(|most| ghosts.len() < most) {
            ghosts.push(placing.agent(cells(line)?)?);
        }
    }
    match agents.or(stated) {
        Some(expected) if ghosts.len() < expected => {
            Err(lines.ended(format!("agent {} of {expected}", ghosts.len() + 1)))
        }
        _ if ghosts.is_empty() => Err(lines.ended("an agent")),
        _ => Ok(ghosts),
    }
}

fn is_comment(line: Line<'_>) -> bool {
    line.text.trim_start().starts_with('#')
}

fn setting(line: Line<'_>) -> Option<(&str, &str)> {
    let (name, value) = line.text.trim().split_once('=')?;
    name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_').then_some((name, value))
}

/// The start and the goal of a line.
fn cells(line: Line<'_>) -> Result<[PlacedAt<'_>; 2], Diagnostic> {
    let text = line.text.trim();
    let numbers: Option<Vec<u16>> = text.split(',').map(|word| number(word.trim())).collect();
    match numbers.as_deref() {
        Some(&[from_column, from_row, to_column, to_row]) => {
            let at = line.start();
            let to = text.match_indices(',').nth(1).map_or(at, |(comma, _)| at + comma + 1);
            Ok([
                PlacedAt { line, at, column: from_column, row: from_row },
                PlacedAt { line, at: to, column: to_column, row: to_row },
            ])
        }
        _ => {
            let expected = "the column and the row of a start and of a goal, such as `4,0,5,0`";
            Err(line.wrong(line.start(), quote(text), expected))
        }
    }
}

/// The ghosts of an instance as such a file, for a map of this name.
#[cfg(feature = "search")]
pub(crate) fn text(instance: &Instance, map: &str) -> String {
    let line = |ghost: &Ghost| {
        let Ghost { start, goal } = ghost;
        format!("{},{},{},{}\n", start.column, start.row, goal.column, goal.row)
    };
    let lines: String = instance.ghosts().iter().map(line).collect();
    let agents = instance.ghosts().len();
    format!("map_file={map}\nagents={agents}\nrandom_problem=0\n{lines}")
}
