//! Boards and moves as pictures. A puzzle says once what its board looks like and what a move moves, as a [`Film`]; from
//! that come text for terminals, SVG, and GIF (with the feature `raster`).
//!
//! ```
//! use fewest_scene::{At, Film, Ink, Motion, Part, Scene, Shape, Step, svg, text};
//!
//! let corridor = (0..3).map(|x| At { x, y: 0 }).collect();
//! let mut scene = Scene::new(3, 1);
//! scene.ground.push(Part::new(Shape::Cells(corridor), At { x: 0, y: 0 }, Ink::Floor));
//! scene.parts.push(Part::new(Shape::Disc, At { x: 0, y: 0 }, Ink::Hue(0)).labelled("a").traced());
//! let east = Motion { part: 0, path: vec![At { x: 0, y: 0 }, At { x: 1, y: 0 }], turns: None };
//! let film = Film { scene, steps: vec![Step { caption: "aE".to_owned(), motions: vec![east] }] };
//!
//! assert!(svg::moving(&film, &svg::Look::default()).contains("<animateMotion"));
//! assert_eq!(text::strip(&film, &text::Look { width: 80, unicode: false, colour: false }), "\
//! whole plan   1 aE         end\n\
//! a**          a>             a\n");
//! ```

pub mod chart;
mod ink;
mod outline;
#[cfg(feature = "raster")]
pub mod raster;
mod scene;
pub mod svg;
pub mod text;
mod xml;

pub use ink::{Ink, Theme};
pub use scene::{At, Film, Motion, Part, Scene, Shape, Side, Step};
