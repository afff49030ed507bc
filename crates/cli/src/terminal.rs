//! What the terminal can show: how wide it is, which characters, whether colours, whether a line
//! can be drawn anew.

use std::env;
use std::io::{self, IsTerminal};
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};
use fewest_scene::text::Look;

/// Columns where nothing tells how many there are.
const WIDTH: usize = 80;

/// As text is to be drawn for standard output.
pub(crate) fn look() -> Look {
    let columns = env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok())
        .filter(|&columns| columns > 0);
    let width = columns.or_else(|| terminal_size::terminal_size().map(|(width, _)| width.0.into()));
    let colour = !matches!(AutoStream::choice(&io::stdout()), ColorChoice::Never);
    Look { width: width.unwrap_or(WIDTH), unicode: has_unicode(), colour }
}

/// A time of so many digits behind the point, as the locale can show it.
pub(crate) fn time(time: Duration, digits: usize) -> String {
    let text = format!("{time:.digits$?}");
    if has_unicode() { text } else { text.replace('µ', "u") }
}

fn has_unicode() -> bool {
    is_unicode(|name| env::var(name).ok())
}

/// Whether standard output is a terminal.
#[cfg(feature = "gif")]
pub(crate) fn is_output() -> bool {
    io::stdout().is_terminal()
}

/// Whether standard error is a terminal on which a line can be drawn anew.
pub(crate) fn redraws() -> bool {
    io::stderr().is_terminal() && env::var_os("TERM").is_none_or(|kind| kind != "dumb")
}

/// Whether the locale says that text is UTF-8; where there are no locales it is.
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
    fn the_first_variable_that_is_set_says_it() {
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
