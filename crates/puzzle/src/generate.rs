//! `generate`: instances that a puzzle makes. [`generating`](crate::generating) makes random ones.

use std::fmt::Display;
use std::io;

use fewest_core::budget::Limit;
use schemars::JsonSchema;
use serde::Serialize;

use crate::options::OptionSource;
use crate::results::report;
use crate::work::{WorkContext, WorkError};

/// Instances can be generated.
pub trait Generate<I: Display>: Sync {
    /// Adds the options to a command.
    #[cfg(feature = "clap")]
    fn arguments(&self, command: clap::Command) -> clap::Command;

    /// Generates instances, and passes each to `emit` with its fewest moves if they are known.
    ///
    /// # Errors
    /// If the options are not valid, or allow no instance; an error of `emit`.
    fn generate(
        &self,
        base: Option<&I>,
        options: OptionSource<'_>,
        work: &dyn WorkContext,
        emit: Emit<'_, I>,
    ) -> Result<Generated, WorkError>;

    /// The text of a generated instance. Its own text by default.
    fn text(&self, instance: &I) -> String {
        instance.to_string()
    }
}

/// Takes a generated instance, with its fewest moves if they are known.
pub type Emit<'a, I> = &'a mut dyn FnMut(&I, Option<u32>) -> io::Result<()>;

/// The verb `generate` of a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct GenerateVerb {
    /// One line for help.
    pub about: &'static str,
    /// More lines for help.
    pub long_about: &'static str,
    /// The help of the instance that the generated ones are like; `None` if they need none.
    pub base: Option<&'static str>,
    /// The name of an option with which they need none.
    pub without_base: Option<&'static str>,
    /// The singular noun for what is generated.
    pub noun: &'static str,
    /// What is between two texts of generated instances that have several lines.
    pub separator: &'static str,
}

/// The end of the generation of instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// What to tell, in order.
    pub messages: Vec<Message>,
    /// How it ended.
    pub end: GenerateEnd,
}

/// A message at the end of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The message.
    pub text: String,
    /// Whether it may be suppressed.
    pub is_note: bool,
}

impl Generated {
    /// An end without messages.
    pub fn new(end: GenerateEnd) -> Self {
        Self { messages: Vec::new(), end }
    }

    /// The same with a message that may be suppressed.
    #[must_use]
    pub fn note(mut self, text: String) -> Self {
        self.messages.push(Message { text, is_note: true });
        self
    }

    /// The same with a message.
    #[must_use]
    pub fn message(mut self, text: String) -> Self {
        self.messages.push(Message { text, is_note: false });
        self
    }
}

/// How work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GenerateEnd {
    /// It is complete.
    Complete,
    /// Nothing was found, and nothing was given up: no instance exists, or none of the random ones
    /// has a plan.
    NoneExists,
    /// Nothing was found.
    NoneFound,
    /// A limit stopped it.
    Stopped(Limit),
}

/// A generated instance: `generate --json`.
#[derive(Serialize, JsonSchema)]
pub struct GenerateReport<'a> {
    /// The text of the instance, as input for `solve -`.
    pub text: &'a str,
    /// The number of moves of a shortest plan; null if it is not known.
    pub cost: Option<u32>,
}

report!(GenerateReport<'_>, "generate", 1);
