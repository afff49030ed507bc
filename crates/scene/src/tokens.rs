//! The style of all pictures: sizes in pixels for cells of 40 pixels, and the style sheet of SVG.
//!
//! Walls end where pieces begin: half a [`WALL_STROKE`] is less than [`PIECE_INSET`].

use std::fmt::Write as _;

use crate::ink::{Ink, Theme, hex};

/// The width of a cell, before scaling.
pub(crate) const CELL: f64 = 40.0;
/// The margin around a picture.
pub(crate) const MARGIN: f64 = 8.0;
/// The height of a caption.
pub(crate) const CAPTION_HEIGHT: f64 = 22.0;
/// The font size of a caption.
pub(crate) const CAPTION_SIZE: f64 = 14.0;
/// The greatest font size of a label.
pub(crate) const LABEL_SIZE: f64 = 20.0;
/// The space between the boards of a strip.
pub(crate) const BOARD_GAP: f64 = 20.0;
/// The width of a strip, unless one board is wider: that of a page in a browser.
pub(crate) const STRIP_WIDTH: f64 = 1200.0;
/// The radius of the corners of the ground.
pub(crate) const GROUND_RADIUS: f64 = 4.0;
/// The distance of a piece from the edges of its cells, and the radius of its corners.
pub(crate) const PIECE_INSET: f64 = 3.5;
pub(crate) const PIECE_RADIUS: f64 = 6.0;
/// The same for a goal, which a piece covers.
pub(crate) const GOAL_INSET: f64 = 4.5;
pub(crate) const GOAL_RADIUS: f64 = 5.0;
/// The radius of a disc.
pub(crate) const DISC_RADIUS: f64 = 14.0;
/// The width of a wall.
const WALL_STROKE: f64 = 6.0;
/// The width of an arrow, of its paper-coloured border, and of the path of a part.
const ARROW_STROKE: f64 = 3.0;
const HALO_STROKE: f64 = 6.0;
const PATH_STROKE: f64 = 3.0;
/// The length of the two lines of an arrow head, along the arrow.
pub(crate) const ARROW_HEAD: f64 = 7.0;
/// The opacity of the ink of a goal on the floor.
const GOAL_OPACITY: f64 = 0.35;

const _: () = assert!(WALL_STROKE / 2.0 < PIECE_INSET && PIECE_INSET < GOAL_INSET);

/// Rules for a theme, from those for a light or a dark background.
fn themed(theme: Theme, rules: impl Fn(bool) -> String) -> String {
    match theme {
        Theme::Light => rules(false),
        Theme::Dark => rules(true),
        Theme::Auto => {
            format!("{}\n@media(prefers-color-scheme:dark){{{}}}", rules(false), rules(true))
        }
    }
}

/// The colours of pages as properties of CSS.
pub(crate) fn variables(theme: Theme) -> String {
    let rule = |is_dark| {
        let inks = [
            ("paper", Ink::Paper),
            ("text", Ink::Text),
            ("floor", Ink::Floor),
            ("line", Ink::Wall),
            ("accent", Ink::Hue(4)),
        ];
        let colours = inks.map(|(name, ink)| format!("--{name}:{}", hex(ink.rgb(is_dark))));
        let scheme = if is_dark { "dark" } else { "light" };
        format!(":root{{color-scheme:{scheme};{}}}", colours.join(";"))
    };
    themed(theme, rule)
}

/// The rules of some inks: class `NAME` fills with the colour of an ink, class `NAME-line` strokes
/// with it.
pub(crate) fn colours(inks: &[Ink], theme: Theme) -> String {
    let rules = |is_dark| {
        inks.iter().fold(String::new(), |mut rules, ink| {
            let (name, colour) = (ink.name(), hex(ink.rgb(is_dark)));
            let _ =
                write!(rules, ".{name}{{fill:{colour}}}.{name}-line{{stroke:{colour};fill:none}}");
            rules
        })
    };
    themed(theme, rules)
}

/// The style sheet of boards with these inks.
pub(crate) fn style_sheet(inks: &[Ink], theme: Theme) -> String {
    format!(
        "{}\n.goal{{fill-opacity:{GOAL_OPACITY}}}\
         .way{{stroke-width:{PATH_STROKE};stroke-linejoin:round;stroke-linecap:round;fill:none}}\
         .arrow{{stroke-width:{ARROW_STROKE};stroke-linejoin:round;stroke-linecap:round;fill:none}}\
         .halo{{stroke-width:{HALO_STROKE};stroke-opacity:.7}}\
         .edge{{stroke-width:{WALL_STROKE};stroke-linecap:round}}\
         text{{font-family:system-ui,sans-serif;text-anchor:middle}}\
         text.caption{{font-size:{CAPTION_SIZE}px;text-anchor:start}}",
        colours(inks, theme)
    )
}
