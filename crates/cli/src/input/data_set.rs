//! A data set: an instance with its name.

use std::sync::Arc;

use fewest_puzzle::any::AnyInstance;
use fewest_puzzle::solve::InTwoTexts;

use crate::diagnostic;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::message::message;

/// An instance of a text.
pub(crate) struct DataSet<'a> {
    /// The name of the text.
    pub(super) text_name: &'a str,
    /// The number in the text, from 1; `None` if the text has no other data set.
    pub(super) number: Option<usize>,
    /// Whether no other data set of the text is read.
    pub(super) is_only: bool,
    /// The texts, if there are two.
    pub(crate) texts: Option<InTwoTexts>,
    /// The moves that were played before the instance starts, such as `7 steps`.
    pub(super) after: Option<String>,
    pub(crate) instance: Arc<dyn AnyInstance>,
}

impl DataSet<'_> {
    /// The name of the text, followed by `#` and a number if the text has several data sets, and by
    /// the moves that were played before.
    pub(crate) fn name(&self) -> String {
        let mut name = self.text_name.to_owned();
        if let Some(number) = self.number {
            name += &format!("#{number}");
        }
        if let Some(InTwoTexts { names, second, part, .. }) = &self.texts
            && !self.is_only
        {
            // The name of the part is that of a column, in the plural.
            let noun = if *part == 1 { names.part.trim_end_matches('s') } else { names.part };
            name += &format!(", {second}, {part} {noun}");
        }
        if let Some(after) = &self.after {
            name += &format!(" after {after}");
        }
        name
    }

    /// The same data set after some moves, with the instance that starts there.
    pub(crate) fn going_on(self, after: String, instance: Arc<dyn AnyInstance>) -> Self {
        Self { after: Some(after), instance, ..self }
    }

    /// Whether no other data set of the text is read.
    pub(crate) fn is_only(&self) -> bool {
        self.is_only
    }
}

/// Returns the data set, or prints the error of its text and returns `None`.
pub(crate) fn skip_invalid<'a>(
    data_set: Result<DataSet<'a>, Failure>,
    exit: &mut Exit,
) -> Result<Option<DataSet<'a>>, Failure> {
    match data_set {
        Err(failure @ Failure::Text { .. }) => {
            message(format_args!("{}", diagnostic::render(&failure)));
            *exit = Exit::BadInput;
            Ok(None)
        }
        other => other.map(Some),
    }
}
