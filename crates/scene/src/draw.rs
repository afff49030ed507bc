//! Limits and errors that all output formats share.

use std::io;

/// Limits of the resources that drawing may use.
pub struct DrawLimits<'a> {
    /// Bytes of memory that drawing may use, in addition to those of the animation.
    pub memory_bytes: u64,
    /// Returns whether to stop. Polled before each board of a plan.
    pub stop: &'a dyn Fn() -> bool,
}

impl DrawLimits<'_> {
    /// No limits.
    pub const NONE: DrawLimits<'static> = DrawLimits { memory_bytes: u64::MAX, stop: &|| false };

    /// Checks that drawing may continue while it uses this many bytes.
    ///
    /// # Errors
    /// If `bytes` exceeds the memory limit, or if [`stop`](Self::stop) returns `true`.
    pub(crate) fn check(&self, bytes: u64) -> Result<(), DrawError> {
        if bytes > self.memory_bytes {
            return Err(DrawError::Memory { bytes });
        }
        if (self.stop)() { Err(DrawError::Stopped) } else { Ok(()) }
    }

    /// Checks whether to stop at every 1024th call, for loops with little work per iteration.
    /// `number` counts the iterations.
    pub(crate) fn check_at(&self, number: usize) -> Result<(), DrawError> {
        if number.is_multiple_of(1024) { self.check(0) } else { Ok(()) }
    }

    /// The limits that remain after this many bytes are in use.
    pub(crate) fn remaining(&self, bytes: u64) -> Self {
        Self { memory_bytes: self.memory_bytes.saturating_sub(bytes), ..*self }
    }
}

/// The reason why a picture is incomplete.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// Writing the output failed.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// [`DrawLimits::stop`] returned `true`.
    #[error("stopped")]
    Stopped,
    /// The picture needs more memory than [`DrawLimits::memory_bytes`].
    #[error("the picture needs at least {bytes} bytes of memory")]
    Memory {
        /// A lower bound of the bytes that the picture needs.
        bytes: u64,
    },
    /// The picture is wider or higher than [`MAX_SIDE_PIXELS`](crate::raster::MAX_SIDE_PIXELS).
    #[cfg(feature = "raster")]
    #[error("the picture would have {width} x {height} pixels; the limit is {most} x {most}")]
    TooLarge {
        /// The most pixels of a side.
        most: u32,
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// Rasterising the SVG or encoding the GIF failed. This is a bug in this crate.
    #[cfg(feature = "raster")]
    #[error("{0}")]
    Internal(String),
}
