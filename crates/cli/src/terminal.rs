//! Capabilities of the terminal: width, Unicode, colours, and whether a line can be redrawn.

use std::env;
use std::io::{self, IsTerminal};
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};
use fewest_scene::text::Look;

/// The width in columns if it is unknown.
const DEFAULT_WIDTH: usize = 80;

/// How to draw text pictures on standard output.
pub(crate) fn look() -> Look {
    let columns = env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok())
        .filter(|&columns| columns > 0);
    let width = columns.or_else(|| terminal_size::terminal_size().map(|(width, _)| width.0.into()));
    let colour = !matches!(AutoStream::choice(&io::stdout()), ColorChoice::Never);
    Look { width: width.unwrap_or(DEFAULT_WIDTH), unicode: has_unicode(), colour }
}

/// A time with this number of decimal places. The unit `µs` becomes `us` if the locale is not
/// UTF-8.
pub(crate) fn format_time(time: Duration, digits: usize) -> String {
    let text = format!("{time:.digits$?}");
    if has_unicode() { text } else { text.replace('µ', "u") }
}

fn has_unicode() -> bool {
    is_unicode(|name| env::var(name).ok())
}

/// Whether standard output is a terminal.
pub(crate) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Whether standard error is a terminal on which a line can be redrawn.
pub(crate) fn can_redraw() -> bool {
    io::stderr().is_terminal() && env::var_os("TERM").is_none_or(|kind| kind != "dumb")
}

/// Whether the locale is UTF-8; always `true` on Windows, which has no such variables.
fn is_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name: &&str| variable(name).is_some_and(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(set).and_then(variable);
    let locale = locale.unwrap_or_default().to_lowercase();
    cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::is_unicode;

    #[test]
    #[cfg(not(windows))]
    fn the_first_variable_that_is_set_decides() {
        let of = |set: &[(&str, &str)]| {
            is_unicode(|name| {
                set.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(of(&[("LANG", "de_DE.UTF-8")]) && of(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8")]));
        assert!(
            !of(&[])
                && !of(&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")])
                && !of(&[("LANG", "zh_CN.GB18030")])
        );
    }
}
