//! Pictures of boards and plans, independent of any puzzle.
//!
//! A puzzle describes its board as a [`Scene`] of [`Part`]s and the moves of a plan as [`Step`]s.
//! Together they are an [`Animation`], which is the input of all output formats:
//!
//! - [`text`]: text for terminals,
//! - [`svg`]: SVG, as a still board, a strip of boards, or an animation,
//! - [`html`]: a page with a player of the plan,
//! - `raster`: animated GIF (feature `raster`).
//!
//! [`chart`] draws bar charts and line charts as SVG. It does not use scenes.
//!
//! ```
//! use fewest_geometry::Cell;
//! use fewest_scene::{Animation, Ink, DrawLimits, Motion, Part, Scene, Shape, Step, svg, text};
//!
//! let corridor = (0..3).map(|column| Cell::new(0, column)).collect();
//! let mut scene = Scene::new(3, 1);
//! scene.ground.push(Part::new(Shape::Cells(corridor), Cell::ORIGIN, Ink::Floor));
//! scene.parts.push(Part::new(Shape::Disc, Cell::ORIGIN, Ink::Hue(0)).labelled("a").traced());
//! let east = Motion { part: 0, path: vec![Cell::ORIGIN, Cell::new(0, 1)], turns: None };
//! let steps = || [Step::new("aE", vec![east.clone()])];
//! let animation = Animation::new(scene, steps, &DrawLimits::NONE)?;
//!
//! let (mut picture, mut strip) = (Vec::new(), Vec::new());
//! svg::moving(&animation, &svg::Look::default(), &DrawLimits::NONE, &mut picture)?;
//! assert!(String::from_utf8_lossy(&picture).contains("<animateMotion"));
//! let look = text::Look { width: 80, unicode: false, colour: false };
//! text::strip(&animation, &look, 1, &DrawLimits::NONE, &mut strip)?;
//! assert_eq!(String::from_utf8_lossy(&strip), "\
//! whole plan   1 aE         end\n\
//! a**          a>             a\n");
//! # Ok::<(), fewest_scene::DrawError>(())
//! ```

#![forbid(unsafe_code)]

pub mod chart;
mod draw;
#[cfg(feature = "raster")]
mod glyphs;
pub mod html;
mod ink;
mod outline;
#[cfg(feature = "raster")]
pub mod raster;
mod scene;
pub mod svg;
pub mod text;
mod tokens;
mod xml;

pub use draw::{DrawError, DrawLimits};
pub use ink::{Ink, Theme};
pub use scene::{Animation, Motion, Part, Scene, Shape, Side, Step};
