//! A page with a board and a player of the plan, in one file that needs no network; and the parts
//! of it for a page that a program serves.
//!
//! Without JavaScript the file shows the board at the start and the moves.

use std::fmt::Write as _;
use std::io;

use fewest_geometry::Cell;

use crate::draw::{DrawError, DrawLimits};
use crate::ink::{Ink, Theme};
use crate::scene::{Animation, Motion, Shape};
use crate::svg::{Buffered, Lettering, Look, Painter, class_of};
use crate::tokens::{self, CELL, variables};
use crate::xml::{Px, escaped};

/// The player: JavaScript that says how it is used. A module has to add the exports of `boardOf`
/// and `playerIn`.
pub const PLAYER: &str = include_str!("../assets/player.js");
const FILE_SCRIPT: &str = include_str!("../assets/file.js");
/// The style sheet of the player and of its controls.
pub const PLAYER_STYLE: &str = include_str!("../assets/player.css");
const FILE_STYLE: &str = include_str!("../assets/file.css");

/// The style sheet of boards and pages in one theme: the colours of all inks, and for other
/// elements the properties `--paper`, `--text`, `--floor`, `--line` and `--accent`.
pub fn style_sheet(theme: Theme) -> String {
    let inks: Vec<Ink> = Ink::all().collect();
    format!("{}\n{}\n", variables(theme), tokens::style_sheet(&inks, theme))
}

/// A board whose parts a script can move.
#[derive(Clone, Debug)]
pub struct Board {
    /// An `<svg>` element without a style sheet. Each part that can move is a `<g data-part>` that
    /// is moved by its attribute `transform`.
    pub svg: String,
    /// Where the upper left corner of the first cell is, in the units of the picture: right and
    /// down.
    pub origin: [f64; 2],
    /// The classes of the inks of the parts.
    pub inks: Vec<String>,
}

/// The width of a cell in the units of a [`Board`].
pub const CELL_WIDTH: f64 = CELL;

/// Draws the board at the start of an animation.
pub fn board(animation: &Animation<'_>) -> Board {
    let painter = Painter::with_target(animation, Lettering::Text);
    let mut svg = String::new();
    painter.tag(Look::default().cell, painter.size(), &mut svg);
    draw_board(&painter, &mut svg);
    let (x, y) = painter.corner(Cell::ORIGIN);
    let inks = animation.scene.parts.iter().map(|part| part.ink.name()).collect();
    Board { svg, origin: [x, y], inks }
}

/// Draws the ground and the parts, and ends the picture.
fn draw_board(painter: &Painter<'_>, page: &mut dyn std::fmt::Write) {
    painter.ground(false, page);
    painter.ground(true, page);
    painter.target_beside(page);
    for part in painter.parts() {
        let (x, y) = painter.corner(part.at);
        let kind = if matches!(part.shape, Shape::Edge(_)) { "line" } else { "fill" };
        let (class, x, y) = (class_of(part, part.ink), Px(x), Px(y));
        let _ = write!(
            page,
            "<g data-part=\"{kind}\" class=\"{class}\" transform=\"translate({x} {y})\">"
        );
        painter.part(part, None, false, page);
        let _ = page.write_str("</g>\n");
    }
    let _ = page.write_str("</svg>\n");
}

/// Writes a page that replays the plan: step by step, at several speeds, or from any move.
///
/// One step is in memory at a time.
///
/// # Errors
/// If writing fails, or if a limit stops drawing.
pub fn player(
    animation: &Animation<'_>,
    look: &Look,
    limits: &DrawLimits<'_>,
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
         <style>\n{}\n{PLAYER_STYLE}{FILE_STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{heading}</h1>\n\
         <div class=\"picture\">\n",
        variables(look.theme)
    );
    painter.open(look, painter.size(), &mut page);
    painter.background(&mut page);
    draw_board(&painter, &mut page);
    let _ = page.write_str("</div>\n");
    if animation.step_count() > 0 {
        // The script fills and shows the controls.
        let _ = page.write_str("<div class=\"controls\" hidden></div>\n<ol class=\"moves\">\n");
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

/// The plan as JSON, and the script.
fn script(
    animation: &Animation<'_>,
    painter: &Painter<'_>,
    limits: &DrawLimits<'_>,
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
    let _ =
        write!(page, "]}}\n</script>\n<script type=\"module\">\n{PLAYER}{FILE_SCRIPT}</script>\n");
    Ok(())
}

#[cfg(test)]
mod tests {
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
        let mut animation = Animation::new(scene, steps, &DrawLimits::NONE).expect("no limits");
        animation.title = "</title><script>alert(1)</script>".to_owned();
        let mut page = Vec::new();
        player(&animation, &Look::default(), &DrawLimits::NONE, &mut page).expect("no limits");
        let page = String::from_utf8(page).expect("UTF-8");
        for markup in ["<img", "<b>", "</title><script>", "<script>alert"] {
            assert!(!page.contains(markup), "{markup} in {page}");
        }
        assert!(page.contains("[[0,[[8,8],[48,8]],\"hue1\"]]"), "{page}");
        assert!(page.contains("<li>&lt;img src=x onerror=alert(1)&gt;</li>"), "{page}");
    }
}
