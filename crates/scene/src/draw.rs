//! What all formats share: limits of drawing, and errors.

use std::io;

/// Limits of drawing.
pub struct Limits<'a> {
    /// Bytes of memory beside the animation itself.
    pub memory_bytes: u64,
    /// Whether to stop; asked before each board.
    pub stop: &'a dyn Fn() -> bool,
}

impl Limits<'_> {
    /// No limits.
    pub const NONE: Limits<'static> = Limits { memory_bytes: u64::MAX, stop: &|| false };

    /// Whether drawing may go on and hold so many bytes.
    pub(crate) fn check(&self, bytes: u64) -> Result<(), DrawError> {
        if bytes > self.memory_bytes {
            return Err(DrawError::Memory { bytes });
        }
        if (self.stop)() { Err(DrawError::Stopped) } else { Ok(()) }
    }

    /// The same now and then, for work of which each piece is small; `number` counts the pieces.
    pub(crate) fn check_at(&self, number: usize) -> Result<(), DrawError> {
        if number.is_multiple_of(1024) { self.check(0) } else { Ok(()) }
    }

    /// The same limits for what holds so many bytes already.
    #[cfg(feature = "raster")]
    pub(crate) fn beside(&self, bytes: u64) -> Self {
        Self { memory_bytes: self.memory_bytes.saturating_sub(bytes), ..*self }
    }
}

/// Why a picture is not drawn to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// What it is written to failed.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// [`Limits::stop`] said so.
    #[error("stopped")]
    Stopped,
    /// It takes more memory than [`Limits::memory_bytes`].
    #[error("the picture takes {bytes} bytes of memory")]
    Memory {
        /// How many it takes, or more.
        bytes: u64,
    },
    /// It has more pixels than are drawn.
    #[cfg(feature = "raster")]
    #[error(
        "a picture of {width} x {height} pixels is too large, the most is {} x {}",
        crate::raster::MOST,
        crate::raster::MOST
    )]
    TooLarge {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
    },
    /// The SVG could not be drawn as pixels, or its pixels not be written as GIF: a fault of this
    /// crate.
    #[cfg(feature = "raster")]
    #[error("{0}")]
    Fault(String),
}
