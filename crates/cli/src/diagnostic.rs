//! Error messages in the style of compilers: the location, the source line with the error marked,
//! and a hint.

use std::process::ExitCode;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use fewest_rules::text::Diagnostic;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::message::message;

/// Prints the message of a failure on standard error, except for a broken pipe, and returns the
/// exit code.
pub(crate) fn report(result: &Result<Exit, Failure>) -> ExitCode {
    ExitCode::from(match result {
        Ok(exit) => exit.code(),
        Err(failure) => {
            if failure.code() != 0 {
                message(format_args!("{}", render(failure)));
            }
            failure.code()
        }
    })
}

/// The message of a failure, with ANSI escapes for colours.
pub(crate) fn render(failure: &Failure) -> String {
    let what = failure.to_string();
    let title = match failure {
        Failure::Text { diagnostic, .. } => format!("found {}", diagnostic.found),
        _ => what,
    };
    let mut group = Group::with_title(Level::ERROR.primary_title(title));
    let expected;
    let hint = match failure {
        Failure::Text { origin, line, diagnostic } => {
            expected = format!("expected {}", diagnostic.expected);
            let mark = AnnotationKind::Primary.span(span(line, diagnostic)).label(&expected);
            group = group.element(
                Snippet::source(line).path(origin).line_start(diagnostic.line).annotation(mark),
            );
            diagnostic.hint.as_deref()
        }
        Failure::Usage { hint, .. } => hint.as_deref(),
        Failure::OutOfMemory { hint, .. } => Some(*hint),
        _ => None,
    };
    if let Some(hint) = hint {
        group = group.element(Level::HELP.message(hint));
    }
    Renderer::styled().render(&[group])
}

/// The byte range of the line to mark: the quoted text that was found there, or one character.
fn span(line: &str, diagnostic: &Diagnostic) -> std::ops::Range<usize> {
    let start = line.char_indices().nth(diagnostic.column - 1).map_or(line.len(), |(at, _)| at);
    let quoted = diagnostic
        .found
        .strip_prefix('`')
        .and_then(|found| found.strip_suffix('`'))
        .unwrap_or_default();
    let quoted = quoted.strip_suffix("...").unwrap_or(quoted);
    let rest = &line[start..];
    let length = if rest.starts_with(quoted) { quoted.len() } else { 0 };
    start..start + length.max(rest.chars().next().map_or(0, char::len_utf8))
}
