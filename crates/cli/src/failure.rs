//! Errors that end a run or a data set.

use std::io;

use fewest_core::budget::Limit;
use fewest_puzzle::SolveError;
use fewest_puzzle::error::PictureError;
use fewest_puzzle::options::OptionsError;
use fewest_puzzle::work::WorkError;
use fewest_rules::text::Diagnostic;
use fewest_scene::DrawError;

use crate::exit::Exit;

/// An error that keeps a run from doing its work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The text of `origin` has an error in this line.
    #[error("{origin}:{diagnostic}")]
    Text { origin: String, line: String, diagnostic: Box<Diagnostic> },
    /// The command line asks for something that does not exist or is not possible.
    #[error("{what}")]
    Usage { what: String, hint: Option<String> },
    #[error("{origin}: {error}")]
    Read { origin: String, error: io::Error },
    #[error("cannot write `{file}`: {error}")]
    Create { file: String, error: io::Error },
    #[cfg_attr(not(feature = "serve"), expect(dead_code))]
    #[error("the page cannot be served: {0}")]
    Serve(io::Error),
    /// The processes of a distributed search could not be connected, or one of them was lost.
    #[cfg_attr(not(feature = "cluster"), expect(dead_code))]
    #[error("{0}")]
    Cluster(String),
    /// Another process of a distributed search aborted with this exit code and reason.
    #[cfg_attr(not(feature = "cluster"), expect(dead_code))]
    #[error("{what}")]
    Left { what: String, code: u8 },
    /// Another process of a distributed search failed and prints the reason itself.
    #[error("another process ended the search")]
    Elsewhere,
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
    /// The rules refuse a plan that the command starts from.
    #[error("{0}")]
    Refused(String),
    /// Ctrl-C ended both this program and the reader of its output.
    #[error("interrupted")]
    Interrupted,
    /// A limit ended the work, and there is no partial answer.
    #[error("stopped, {0}")]
    Stopped(Limit),
    /// An addition to the answer, such as a picture, needs more memory than the limit allows.
    #[error("{what}")]
    OutOfMemory { what: String, hint: &'static str },
    /// A bug in this program.
    #[error("internal error, please report it: {0}")]
    Internal(String),
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Unsupported { what, hint } => {
                Self::Usage { what, hint: hint.map(str::to_owned) }
            }
            SolveError::Stopped(limit) => Self::Stopped(limit),
            SolveError::Bug(what) => Self::Internal(what),
        }
    }
}

impl From<OptionsError> for Failure {
    fn from(error: OptionsError) -> Self {
        Self::Internal(error.to_string())
    }
}

impl From<DrawError> for Failure {
    fn from(error: DrawError) -> Self {
        match error {
            DrawError::Write(error) => Self::Write(error),
            error => Self::Internal(error.to_string()),
        }
    }
}

impl From<PictureError> for Failure {
    fn from(error: PictureError) -> Self {
        match error {
            PictureError::Options(error) => error.into(),
            PictureError::Draw(error) => error.into(),
        }
    }
}

impl From<WorkError> for Failure {
    fn from(error: WorkError) -> Self {
        match error {
            WorkError::Solve(error) => error.into(),
            WorkError::Options(error) => error.into(),
            WorkError::Write(error) => error.into(),
        }
    }
}

impl Failure {
    /// A usage error without a hint.
    pub(crate) fn usage(what: impl Into<String>) -> Self {
        Self::Usage { what: what.into(), hint: None }
    }

    /// A usage error with a hint.
    pub(crate) fn usage_with_hint(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage { what: what.into(), hint: Some(hint.into()) }
    }

    /// Adds the name of the data set to a message that does not contain a location.
    pub(crate) fn in_data_set(self, name: &str) -> Self {
        match self {
            Self::Usage { what, hint } => Self::Usage { what: format!("{name}: {what}"), hint },
            Self::OutOfMemory { what, hint } => {
                Self::OutOfMemory { what: format!("{name}: {what}"), hint }
            }
            other => other,
        }
    }

    /// The exit of a failure that concerns one data set or the command line; `None` for an internal
    /// or I/O error.
    pub(crate) fn exit(&self) -> Option<Exit> {
        match self {
            Self::Text { .. } | Self::Usage { .. } => Some(Exit::BadInput),
            Self::Refused(_) => Some(Exit::Refused),
            Self::Stopped(limit) => Some(Exit::from_limit(*limit)),
            Self::OutOfMemory { .. } => Some(Exit::OutOfMemory),
            Self::Interrupted => Some(Exit::Interrupted),
            Self::Read { .. }
            | Self::Create { .. }
            | Self::Serve(_)
            | Self::Cluster(_)
            | Self::Left { .. }
            | Self::Elsewhere
            | Self::Write(_)
            | Self::Internal(_) => None,
        }
    }

    /// The exit code if the failure ends the run.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Write(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::Left { code, .. } => *code,
            other => other.exit().map_or(1, Exit::code),
        }
    }
}
