//! A page with a board and a player of the plan, in one file that needs no network.
//!
//! Without JavaScript the page shows the board at the start and the moves.

use std::fmt::Write as _;
use std::io;

use crate::draw::{DrawError, Limits};
use crate::ink::Ink;
use crate::scene::{Animation, Motion, Shape};
use crate::svg::{Buffered, Lettering, Look, Painter, class_of};
use crate::tokens::variables;
use crate::xml::{Px, escaped};

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
    let heading = escaped(&animation.title);
    let title = if heading.is_empty() { "Board" } else { &heading };
    let mut page = Buffered::new(out);
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>{title}</title>\n\
         <style>\n{}\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{heading}</h1>\n\
         <div class=\"picture\">\n",
        variables(look.theme)
    );
    painter.open(look, painter.size(), &mut page);
    painter.background(&mut page);
    painter.ground(false, &mut page);
    painter.ground(true, &mut page);
    painter.target_beside(&mut page);
    for part in &animation.scene.parts {
        let (x, y) = painter.corner(part.at);
        let kind = if matches!(part.shape, Shape::Edge(_)) { "line" } else { "fill" };
        let (class, x, y) = (class_of(part, part.ink), Px(x), Px(y));
        let _ = write!(
            page,
            "<g data-part=\"{kind}\" class=\"{class}\" transform=\"translate({x} {y})\">"
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
            let _ = writeln!(page, "<li>{caption}</li>");
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
    let list = |items: Vec<String>| format!("[{}]", items.join(","));
    // The names of inks need no escapes.
    let ink = |ink: Ink| format!("\"{}\"", ink.name());
    let inks = list(animation.scene.parts.iter().map(|part| ink(part.ink)).collect());
    let _ = write!(
        page,
        "<script type=\"application/json\" id=\"plan\">\n{{\"inks\":{inks},\"steps\":["
    );
    for (number, step) in animation.steps().enumerate() {
        limits.check_at(number)?;
        let motion = |motion: &Motion| {
            let corners = motion.path.iter().map(|&at| {
                let (x, y) = painter.corner(at);
                format!("[{},{}]", Px(x), Px(y))
            });
            let turns = motion.turns.map_or_else(|| "null".to_owned(), ink);
            list(vec![motion.part.to_string(), list(corners.collect()), turns])
        };
        let motions = list(step.motions.iter().map(motion).collect());
        let _ = write!(page, "{}\n{motions}", if number > 0 { "," } else { "" });
        page.check()?;
    }
    let _ = write!(page, "]}}\n</script>\n<script>\n{SCRIPT}</script>\n");
    Ok(())
}

#[cfg(test)]
mod tests {
    use fewest_geometry::Cell;

    use super::*;
    use crate::scene::{Part, Scene, Step};

    #[test]
    fn titles_captions_and_labels_are_text() {
        let mut scene = Scene::new(2, 1);
        scene.parts.push(Part::new(Shape::Disc, Cell::ORIGIN, Ink::Hue(0)).labelled("</svg><b>"));
        let path = vec![Cell::ORIGIN, Cell::new(0, 1)];
        let motions = vec![Motion { part: 0, path, turns: Some(Ink::Hue(1)) }];
        let step = Step::new("<img src=x onerror=alert(1)>", motions);
        let steps = || [step.clone()];
        let mut animation = Animation::new(scene, steps, &Limits::NONE).expect("no limits");
        animation.title = "</title><script>alert(1)</script>".to_owned();
        let mut page = Vec::new();
        player(&animation, &Look::default(), &Limits::NONE, &mut page).expect("no limits");
        let page = String::from_utf8(page).expect("UTF-8");
        for markup in ["<img", "<b>", "</title><script>", "<script>alert"] {
            assert!(!page.contains(markup), "{markup} in {page}");
        }
        assert!(page.contains("[[0,[[8,8],[48,8]],\"hue1\"]]"), "{page}");
        assert!(page.contains("<li>&lt;img src=x onerror=alert(1)&gt;</li>"), "{page}");
    }
}
