//! Colour roles, with one colour for light and one for dark backgrounds.
//!
//! The hues are those of Okabe and Ito ("Color Universal Design", 2008), which are distinguishable
//! with every kind of colour vision. Yellow is left out because its lines are hard to see on white.
//! A test simulates each kind of colour vision and compares each pair of hues. Some hues are
//! lighter on a dark background.

use std::str::FromStr;

/// A colour role, such as a wall or text, instead of a fixed colour. A [`Theme`] gives each role
/// its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ink {
    /// The background.
    Paper,
    /// Text.
    Text,
    /// Cells that can be entered.
    Floor,
    /// Cells that cannot be entered, and edges that cannot be crossed.
    Wall,
    /// A background on which both [`White`](Self::White) and [`Black`](Self::Black) pieces are
    /// visible.
    Board,
    /// A white piece.
    White,
    /// A black piece.
    Black,
    /// One of six hues, numbered from 0. Numbers are taken modulo 6.
    Hue(usize),
}

/// Red, green and blue, 0 to 255 each.
pub(crate) type Rgb = [u8; 3];

/// The number of hues.
pub(crate) const HUES: usize = 6;

/// The background of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// In SVG, light or dark as the viewer prefers (`prefers-color-scheme`). In GIF, light.
    #[default]
    Auto,
    /// A white background.
    Light,
    /// A nearly black background.
    Dark,
}

impl Theme {
    /// The names that [`FromStr`] accepts.
    pub const NAMES: [&'static str; 3] = ["auto", "light", "dark"];
}

impl FromStr for Theme {
    type Err = UnknownTheme;

    fn from_str(name: &str) -> Result<Self, UnknownTheme> {
        match name {
            "auto" => Ok(Self::Auto),
            "light" => Ok(Self::Light),
            "dark" => Ok(Self::Dark),
            _ => Err(UnknownTheme),
        }
    }
}

/// The error of parsing a name that is not in [`Theme::NAMES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown theme, expected `auto`, `light` or `dark`")]
pub struct UnknownTheme;

impl Ink {
    /// All roles, with each hue once.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        use Ink::{Black, Board, Floor, Paper, Text, Wall, White};
        [Paper, Text, Floor, Wall, Board, White, Black].into_iter().chain((0..HUES).map(Ink::Hue))
    }

    /// The colour on a dark or a light background.
    pub(crate) fn rgb(self, dark: bool) -> Rgb {
        let shade = |light: u32, on_dark: u32| {
            let [_, rgb @ ..] = (if dark { on_dark } else { light }).to_be_bytes();
            rgb
        };
        match self {
            Self::Paper => shade(0xffffff, 0x0d1117),
            Self::Text => shade(0x1f2328, 0xe6edf3),
            Self::Floor => shade(0xeef1f4, 0x21262d),
            Self::Wall => shade(0x57606a, 0x6e7681),
            Self::Board => shade(0xafb8c1, 0x656d76),
            Self::White => shade(0xfafafa, 0xfafafa),
            Self::Black => shade(0x101010, 0x101010),
            Self::Hue(number) => match number % HUES {
                0 => shade(0xd55e00, 0xe8721c),
                1 => shade(0x56b4e9, 0x56b4e9),
                2 => shade(0xe69f00, 0xe69f00),
                3 => shade(0x009e73, 0x14a97f),
                4 => shade(0x0072b2, 0x2b8fd6),
                _ => shade(0xcc79a7, 0xcc79a7),
            },
        }
    }

    /// The name of the role, which is also its CSS class in SVG: `wall`, `hue0`.
    pub fn name(self) -> String {
        match self {
            Self::Paper => "paper".to_owned(),
            Self::Text => "text".to_owned(),
            Self::Floor => "floor".to_owned(),
            Self::Wall => "wall".to_owned(),
            Self::Board => "board".to_owned(),
            Self::White => "white".to_owned(),
            Self::Black => "black".to_owned(),
            Self::Hue(number) => format!("hue{}", number % HUES),
        }
    }

    /// The ink for text on this ink.
    pub(crate) fn on(self) -> Self {
        match self {
            Self::Hue(number) if number % HUES == 4 => Self::White,
            Self::Hue(_) | Self::White => Self::Black,
            Self::Black => Self::White,
            Self::Text | Self::Wall => Self::Paper,
            Self::Paper | Self::Floor | Self::Board => Self::Text,
        }
    }

    /// The nearest colour of the 6 x 6 x 6 colour cube of a terminal (colours 16 to 231 of 256).
    /// Terminal themes do not change these. Roles whose colour depends on the background get a
    /// medium grey.
    pub(crate) fn terminal(self) -> u8 {
        let rgb = match self {
            Self::Floor | Self::Wall | Self::Board => [0x87, 0x87, 0x87],
            Self::Paper => Self::Black.rgb(false),
            Self::Text => Self::White.rgb(false),
            _ => self.rgb(false),
        };
        // The levels of the cube are 0, 95, 135, 175, 215 and 255.
        let level = |value: u8| if value < 48 { 0 } else { (value.saturating_sub(35) / 40).max(1) };
        let [red, green, blue] = rgb.map(level);
        16 + 36 * red + 6 * green + blue
    }
}

/// A colour in the notation of CSS: `#d55e00`.
pub(crate) fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulations of colour vision deficiency as matrices on linear RGB: Machado, Oliveira and
    /// Fernandes 2009, severity 1.
    const VISIONS: [(&str, [[f64; 3]; 3]); 4] = [
        ("common", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protanopia",
            [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
        ),
        (
            "deuteranopia",
            [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
        ),
        (
            "tritanopia",
            [
                [1.255528, -0.076749, -0.178779],
                [-0.078411, 0.930809, 0.147602],
                [0.004733, 0.691367, 0.303900],
            ],
        ),
    ];

    fn linear(rgb: Rgb) -> [f64; 3] {
        rgb.map(|value| {
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        })
    }

    fn times(matrix: [[f64; 3]; 3], vector: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum::<f64>().clamp(0.0, 1.0))
    }

    /// CIE L*a*b* of linear RGB, with white point D65.
    fn lab(rgb: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = times(
            [[0.4339, 0.3762, 0.1899], [0.2126, 0.7152, 0.0722], [0.0178, 0.1095, 0.8727]],
            rgb,
        );
        let root =
            |value: f64| if value > 0.008856 { value.cbrt() } else { 7.787 * value + 16.0 / 116.0 };
        [116.0 * root(y) - 16.0, 500.0 * (root(x) - root(y)), 200.0 * (root(y) - root(z))]
    }

    fn difference(one: Ink, other: Ink, dark: bool, vision: [[f64; 3]; 3]) -> f64 {
        let [one, other] = [one, other].map(|ink| lab(times(vision, linear(ink.rgb(dark)))));
        one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn hues_differ_for_every_colour_vision() {
        for (name, vision) in VISIONS {
            for dark in [false, true] {
                for one in 0..HUES {
                    for other in (0..one).map(Ink::Hue).chain([Ink::Paper, Ink::Floor, Ink::Wall]) {
                        // A difference of 2.3 is just noticeable.
                        let difference = difference(Ink::Hue(one), other, dark, vision);
                        assert!(
                            difference > 9.0,
                            "{name}, dark: {dark}: {one} and {other:?} differ by {difference}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn labels_have_enough_contrast() {
        let luminance = |ink: Ink, dark| {
            let [red, green, blue] = linear(ink.rgb(dark));
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        for ink in Ink::all() {
            for dark in [false, true] {
                let (one, other) = (luminance(ink, dark), luminance(ink.on(), dark));
                let contrast = (one.max(other) + 0.05) / (one.min(other) + 0.05);
                // The minimum contrast that WCAG 2 requires for large text.
                assert!(contrast > 3.0, "{ink:?}, dark: {dark}: {contrast}");
            }
        }
    }

    #[test]
    fn terminal_colours_are_the_nearest() {
        assert_eq!([Ink::Black, Ink::White, Ink::Hue(4)].map(Ink::terminal), [16, 231, 16 + 6 + 3]);
    }
}
