//! `census`: all instances of a kind by component.

use std::io;

use schemars::{JsonSchema, Schema};
use serde::Serialize;

use crate::options::{OptionSource, OptionsError};
use crate::results::report;
use crate::work::{WorkContext, WorkError};

/// All instances of a kind can be listed by component.
pub trait Census: Sync {
    /// Adds the options to a command.
    #[cfg(feature = "clap")]
    fn arguments(&self, command: clap::Command) -> clap::Command;

    /// The JSON schema of a row.
    fn row_schema(&self) -> Schema;

    /// The names of the columns.
    ///
    /// # Errors
    /// If the options are not valid.
    fn columns(&self, options: OptionSource<'_>) -> Result<Vec<&'static str>, OptionsError>;

    /// Passes each row to `emit`, and returns a summary.
    ///
    /// # Errors
    /// If the options are not valid, or a limit stopped the work; an error of `emit`.
    fn census(
        &self,
        options: OptionSource<'_>,
        work: &dyn WorkContext,
        emit: &mut dyn FnMut(&dyn CensusRow) -> io::Result<()>,
    ) -> Result<String, WorkError>;
}

/// A row of a census, which serializes to JSON.
pub trait CensusRow: erased_serde::Serialize {
    /// The fields of the columns.
    fn fields(&self) -> Vec<String>;
}

/// The verb `census` of a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct CensusVerb {
    /// One line for help.
    pub about: &'static str,
    /// More lines for help.
    pub long_about: &'static str,
}

/// A component of all instances of a kind: `census --json`.
#[derive(Serialize, JsonSchema)]
pub struct CensusReport<'a> {
    // The schema is that of the row of the puzzle.
    #[serde(flatten)]
    #[schemars(skip)]
    row: &'a dyn erased_serde::Serialize,
}

impl<'a> CensusReport<'a> {
    /// The report of a row.
    pub fn new(row: &'a dyn CensusRow) -> Self {
        Self { row }
    }
}

report!(CensusReport<'_>, "census", 1);
