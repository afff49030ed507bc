//! Instances in two texts, such as a map and a scenario.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use fewest_puzzle::any::{AnyInstance, AnyReader};
use fewest_puzzle::puzzle::{TextError, TwoTexts};
use fewest_puzzle::solve::InTwoTexts;
use fewest_rules::text::quote;

use super::{DataSet, STDIN, Source, expanded, is_stdin};
use crate::failure::Failure;
use crate::message::message;

/// The second texts of a text.
#[derive(Default)]
pub(super) struct SecondTexts {
    /// What the instances of two texts are called.
    two_texts: Option<TwoTexts>,
    /// Whether they have to belong to the text, because there are other texts.
    is_one_of_many: bool,
    /// The texts, once they are read.
    read: OnceLock<Vec<Source>>,
}

impl SecondTexts {
    pub(super) fn new(two_texts: Option<TwoTexts>, is_one_of_many: bool) -> Self {
        Self { two_texts, is_one_of_many, read: OnceLock::new() }
    }
}

impl Source {
    /// The second texts of this text, which are read once. Those that were found in a folder or by
    /// a pattern, and all if there are several texts, have to belong to it.
    pub(super) fn second_texts(
        &self,
        names: &[PathBuf],
        reader: &dyn AnyReader,
    ) -> Result<&[Self], Failure> {
        let SecondTexts { two_texts, is_one_of_many, read } = &self.seconds;
        if let Some(seconds) = read.get() {
            return Ok(seconds);
        }
        if (self.name == STDIN || *is_one_of_many) && names.iter().any(|name| is_stdin(name)) {
            return Err(Failure::usage("standard input cannot be read twice"));
        }
        let extension = two_texts.map(|two_texts| two_texts.second_extension);
        let file_name = Path::new(&self.name).file_name().unwrap_or_default().to_string_lossy();
        let mut seconds = Vec::new();
        for name in names {
            let files = expanded(name, extension)?;
            let is_chosen = files == [name.clone()] && !*is_one_of_many;
            for file in files {
                let second = Self::file(&file, Default::default)?;
                let first = reader.first_text(&second.text).filter(|first| *first != file_name);
                if !is_chosen && first.is_some() {
                    continue;
                }
                if let Some(first) = first.filter(|_| self.name != STDIN) {
                    let name = quote(&file_name);
                    let text = format_args!(
                        "{} is for {}, and this is {name}",
                        second.full_name(),
                        quote(&first)
                    );
                    message(format_args!("warning: {text}"));
                }
                seconds.push(second);
            }
        }
        if seconds.is_empty() {
            let what = two_texts.map_or("second text", |two_texts| two_texts.second);
            return Err(Failure::usage(format!("no {what} is for {}", self.name)));
        }
        Ok(read.get_or_init(|| seconds))
    }

    /// The instances of this text and of each of its second texts.
    pub(super) fn with_seconds<'a>(
        &'a self,
        seconds: &'a [Self],
        reader: &'a dyn AnyReader,
    ) -> impl Iterator<Item = Result<DataSet<'a>, Failure>> + 'a {
        let are_many = seconds.len() > 1;
        seconds.iter().flat_map(move |second| {
            let instances = self.read_two(second, reader);
            let is_only = !are_many && instances.len() == 1;
            let data_set = move |instance: Result<Arc<dyn AnyInstance>, Failure>| {
                let instance = instance?;
                let texts = |names| InTwoTexts {
                    names,
                    first: self.name.clone(),
                    second: second.name.clone(),
                    part: instance.part(),
                };
                Ok(DataSet {
                    text_name: &self.name,
                    number: None,
                    is_only,
                    texts: self.seconds.two_texts.map(texts),
                    after: None,
                    instance,
                })
            };
            instances.into_iter().map(data_set)
        })
    }

    /// The instances of this text and of a second one.
    fn read_two(
        &self,
        second: &Self,
        reader: &dyn AnyReader,
    ) -> Vec<Result<Arc<dyn AnyInstance>, Failure>> {
        let failure = |error| match error {
            TextError::First(diagnostic) => self.error_at(diagnostic),
            TextError::Second(diagnostic) => second.error_at(diagnostic),
        };
        let instances = reader.read_two(&self.text, &second.text).into_iter();
        instances.map(|instance| instance.map_err(failure)).collect()
    }
}
