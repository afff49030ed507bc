//! What went wrong, as compilers tell it: the place, the line with a mark below the fault, and how
//! it may be mended.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use fewest_core::text::Diagnostic;

use crate::exit::Failure;

/// The message of a failure, with the escapes of colours.
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

/// The bytes of the line that are to be marked: what is quoted as found there, or a character.
fn span(line: &str, diagnostic: &Diagnostic) -> std::ops::Range<usize> {
    let start = line.char_indices().nth(diagnostic.column - 1).map_or(line.len(), |(at, _)| at);
    let quoted = diagnostic
        .found
        .strip_prefix('`')
        .and_then(|found| found.strip_suffix('`'))
        .unwrap_or_default();
    let quoted = quoted.strip_suffix("...").unwrap_or(quoted);
    let rest = &line[start..];
    let long = if rest.starts_with(quoted) { quoted.len() } else { 0 };
    start..start + long.max(rest.chars().next().map_or(0, char::len_utf8))
}
