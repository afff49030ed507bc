//! A page with a board and a player of the plan, in one file that needs no network.
//!
//! Without JavaScript the page shows the board at the start and the moves.

use std::fmt::Write as _;
use std::io;

use serde_json::json;

use crate::draw::{DrawError, Limits};
use crate::scene::{Animation, Shape};
use crate::svg::{Buffered, Lettering, Look, Painter};
use crate::tokens::variables;
use crate::xml::escaped;

const SCRIPT: &str = include_str!("../assets/player.js");
const STYLE: &str = include_str!("../assets/player.css");

/// Writes a page that replays the plan: step by step, at several speeds, or from any move.
///
/// One step is in memory at a time.
///
/// # Errors
/// If writing fails, or if a limit stops drawing.
pub fn player(
    animation: &Animation<'_>,
    look: &Look,
    limits: &Limits<'_>,
    out: &mut dyn io::Write,
) -> Result<(), DrawError> {
    let painter = Painter::with_target(animation, Lettering::Text);
    let title = escaped(&animation.title);
    let mut page = Buffered::new(out);
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>{title}</title>\n\
         <style>\n{}\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n\
         <div class=\"board\">\n",
        variables(look.theme)
    );
    painter.open(look, painter.size(), &mut page);
    painter.background(&mut page);
    painter.ground(false, &mut page);
    painter.ground(true, &mut page);
    painter.target_beside(&mut page);
    for part in &animation.scene.parts {
        let (x, y) = painter.corner(part.at);
        let (kind, suffix) = match part.shape {
            Shape::Edge(_) => ("line", "-line"),
            _ => ("fill", ""),
        };
        let ink = part.ink.name();
        let _ = write!(
            page,
            "<g data-part=\"{kind}\" class=\"{ink}{suffix}\" transform=\"translate({x} {y})\">"
        );
        painter.part(part, None, false, &mut page);
        let _ = page.write_str("</g>\n");
    }
    let _ = page.write_str("</svg>\n</div>\n");
    if animation.step_count() > 0 {
        controls(animation.step_count(), &mut page);
        let _ = page.write_str("<ol class=\"moves\">\n");
        for (number, step) in animation.steps().enumerate() {
            limits.check_at(number)?;
            let caption = escaped(step.caption());
            let _ = writeln!(page, "<li><button type=\"button\">{caption}</button>");
            page.check()?;
        }
        let _ = page.write_str("</ol>\n");
    }
    let _ = page.write_str("</main>\n");
    if animation.step_count() > 0 {
        script(animation, &painter, limits, &mut page)?;
    }
    let _ = page.write_str("</body>\n</html>\n");
    page.finish()
}

/// The buttons, the scrub bar and the current move. The script shows them.
fn controls(steps: usize, page: &mut Buffered<'_>) {
    let _ = page.write_str("<div class=\"controls\" hidden>\n");
    // Drawn, because fonts lack some of the characters.
    let buttons = [
        ("first", "M3 3h2v10H3zM13 3v10L6 8z"),
        ("back", "M11 3v10L4 8zM11 7h2v2h-2z"),
        ("play", "M4 2v12l9-6z"),
        ("next", "M5 3v10l7-5zM3 7h2v2H3z"),
        ("last", "M11 3h2v10h-2zM3 3v10l7-5z"),
    ];
    for (role, icon) in buttons {
        let _ = writeln!(
            page,
            "<button type=\"button\" data-role=\"{role}\"><svg viewBox=\"0 0 16 16\" \
             aria-hidden=\"true\"><path d=\"{icon}\"/></svg></button>"
        );
    }
    let _ = page.write_str("<select data-role=\"speed\">");
    for (speed, name) in [("0.5", "½×"), ("1", "1×"), ("2", "2×"), ("4", "4×")] {
        let selected = if speed == "1" { " selected" } else { "" };
        let _ = write!(page, "<option value=\"{speed}\"{selected}>{name}</option>");
    }
    let _ = write!(
        page,
        "</select>\n<output data-role=\"move\" aria-live=\"polite\"></output>\n\
         <input type=\"range\" data-role=\"scrub\" min=\"0\" max=\"{steps}\" value=\"0\">\n</div>\n"
    );
}

/// The plan as JSON, and the script.
fn script(
    animation: &Animation<'_>,
    painter: &Painter<'_>,
    limits: &Limits<'_>,
    page: &mut Buffered<'_>,
) -> Result<(), DrawError> {
    let inks: Vec<String> = animation.scene.parts.iter().map(|part| part.ink.name()).collect();
    let _ = write!(
        page,
        "<script type=\"application/json\" id=\"plan\">\n{{\"inks\":{},\"steps\":[",
        json!(inks)
    );
    for (number, step) in animation.steps().enumerate() {
        limits.check_at(number)?;
        let motions = step.motions.iter().map(|motion| {
            let path = motion.path.iter().map(|&at| painter.corner(at)).collect::<Vec<_>>();
            json!([motion.part, path, motion.turns.map(|ink| ink.name())])
        });
        let motions = json!(motions.collect::<Vec<_>>());
        let _ = write!(page, "{}\n{motions}", if number > 0 { "," } else { "" });
        page.check()?;
    }
    let _ = write!(page, "]}}\n</script>\n<script>\n{SCRIPT}</script>\n");
    Ok(())
}
