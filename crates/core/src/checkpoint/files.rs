//! The files of a search's layers: read, written, and made durable together with the list that
//! names them.

use std::io::{self, ErrorKind};
use std::mem;
use std::time::Instant;

use super::Checkpoint;
use super::list::{Coding, LAYERS};
use super::owner::{Owner, StateFile};
use super::pace::Pace;
use crate::disk::{Disk, Input, Output};
use crate::limit::Limit;
use crate::run_file::{RunFile, RunWriter, read_blocks};
use crate::word::Word;

/// The most files that are open because they are not durable yet.
const MAX_UNSYNCED: usize = 16;

/// The folder of a search. Its end lets the next search use the checkpoint.
pub(super) struct LayerFiles {
    pub(super) checkpoint: Checkpoint,
    pub(super) disk: Disk,
    /// The owner of the files.
    pub(super) owner: Owner,
    pub(super) pace: Pace,
    /// Whether the durable list names everything.
    is_durable: bool,
    /// Files that are written and not durable.
    unsynced: Vec<Box<dyn Output>>,
    /// Names of files that are not needed when the next list is durable.
    obsolete: Vec<String>,
    /// Whether making layers durable has failed. After that, it cannot be known what a disk has.
    is_broken: bool,
}

impl LayerFiles {
    pub(super) fn new(checkpoint: Checkpoint, disk: Disk, owner: Owner) -> Self {
        Self {
            checkpoint,
            disk,
            owner,
            pace: Pace::start(),
            is_durable: true,
            unsynced: Vec::new(),
            obsolete: Vec::new(),
            is_broken: false,
        }
    }

    /// Notes that the list differs from the durable one.
    pub(super) fn note_change(&mut self) {
        self.is_durable = false;
    }

    /// Removes files when the next list is durable, which does not name them.
    pub(super) fn remove_later(&mut self, names: impl IntoIterator<Item = String>) {
        self.obsolete.extend(names);
    }

    /// Whether it is time to make the layers durable.
    pub(super) fn should_publish(&self) -> bool {
        self.pace.may_publish() || self.unsynced.len() >= MAX_UNSYNCED
    }

    /// Removes the files that no list names.
    pub(super) fn remove_unnamed(&self, is_named: impl Fn(&str) -> bool) {
        for name in self.disk.files().names(self.disk.folder()).unwrap_or_default() {
            if !is_named(&name) {
                self.remove(&name);
            }
        }
    }

    /// Removes a file. One that stays costs space and nothing else.
    pub(super) fn remove(&self, name: &str) {
        let _ = self.disk.files().remove(&self.disk.path(name));
    }

    /// Reports an error of a file.
    pub(super) fn noted<T>(&self, result: io::Result<T>) -> Result<T, Limit> {
        result.map_err(|error| {
            let limit = Limit::Io(error.kind());
            self.checkpoint.note(error);
            limit
        })
    }

    /// Reports what failed.
    pub(super) fn failed(&self, kind: ErrorKind, what: String) -> Limit {
        self.checkpoint.note(io::Error::new(kind, what));
        Limit::Io(kind)
    }

    /// Reports why the search cannot go on.
    pub(super) fn refused(&self, what: &str) -> Limit {
        let what = format!("`{}`: {what}", self.disk.folder().display());
        self.failed(ErrorKind::InvalidData, what)
    }

    /// Opens a file of a depth, and returns it with the number of bytes of its head.
    pub(super) fn open_file(
        &self,
        disk: &Disk,
        owner: &Owner,
        file: StateFile<'_>,
    ) -> Result<(Box<dyn Input>, u64), Limit> {
        let name = file.name;
        let opened = disk.files().open(&disk.path(name));
        let mut input = opened.map_err(|error| self.unreadable(name, error.into()))?;
        match owner.read_head(&mut *input, file) {
            Ok(Ok(head)) => Ok((input, head)),
            Ok(Err(difference)) => Err(self.refused(&difference.of(name).to_string())),
            Err(error) => Err(self.unreadable(name, error.into())),
        }
    }

    /// Reads a file of a depth, of a known number of states and bytes.
    pub(super) fn read<W: Word>(
        &self,
        disk: &Disk,
        owner: &Owner,
        file: StateFile<'_>,
        expected: (u64, u64),
        visit: impl FnMut(&[W]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let (mut input, head) = self.open_file(disk, owner, file)?;
        let read = read_blocks(&mut *input, visit);
        self.checked(file.name, expected, read.map(|(states, bytes)| (states, head + bytes)))
    }

    /// Reports a file that cannot be read, or that has other states or bytes than expected.
    pub(super) fn checked(
        &self,
        name: &str,
        expected: (u64, u64),
        read: Result<(u64, u64), Limit>,
    ) -> Result<(), Limit> {
        match read {
            Ok(read) if read == expected => Ok(()),
            Ok(_) => Err(self.unreadable(name, Limit::Io(ErrorKind::InvalidData))),
            Err(limit) => Err(self.unreadable(name, limit)),
        }
    }

    /// Reports why a file was not opened, or not read to its end.
    fn unreadable(&self, name: &str, limit: Limit) -> Limit {
        match limit {
            Limit::Io(ErrorKind::InvalidData | ErrorKind::UnexpectedEof) => {
                self.refused(&format!("{name} is damaged"))
            }
            Limit::Io(ErrorKind::NotFound) => self.refused(&format!("{name} is missing")),
            Limit::Io(kind) => {
                self.refused(&format!("{name} cannot be read: {}", io::Error::from(kind)));
                limit
            }
            limit => limit,
        }
    }

    /// Writes a file of states of a depth.
    pub(super) fn write<W: Word>(
        &mut self,
        name: &str,
        depth: usize,
        coding: Coding,
        write: impl FnOnce(&mut RunWriter<W>) -> Result<(), Limit>,
    ) -> Result<RunFile, Limit> {
        let (path, begin) = (self.disk.path(name), Instant::now());
        let head = self.owner.head(StateFile { name, depth, coding: &coding.to_string() });
        let written = self
            .disk
            .check_space()
            .and_then(|()| RunWriter::create_with_head(&path, &self.disk, &head))
            .map_err(Limit::from)
            .and_then(|mut writer| write(&mut writer).and_then(|()| Ok(writer.end()?)));
        let (file, output) = written.inspect_err(|&limit| {
            // If the disk is full, there is room for the list.
            self.remove(name);
            if let Limit::Io(kind) = limit {
                self.failed(kind, format!("{name} is not in it: {}", io::Error::from(kind)));
            }
        })?;
        self.unsynced.push(output);
        self.pace.note_written(file.states, begin);
        Ok(file)
    }

    /// Makes all files and the list that names them durable, unless that has failed before.
    pub(super) fn publish(&mut self, list: &str) -> Result<(), Limit> {
        if self.is_durable || self.is_broken {
            return Ok(());
        }
        self.try_publish(list).map_err(|error| {
            self.failed(error.kind(), format!("the last layers are not in it: {error}"))
        })
    }

    fn try_publish(&mut self, list: &str) -> io::Result<()> {
        let begin = Instant::now();
        // A failed operation is not tried again: the system may have dropped what was to be
        // written.
        self.is_broken = true;
        self.unsynced.iter_mut().try_for_each(|output| output.sync())?;
        self.unsynced.clear();
        // The files of the layers are in the folder before the list names them.
        self.disk.files().sync_folder(self.disk.folder())?;
        self.disk.replace(LAYERS, list.as_bytes())?;
        self.is_broken = false;
        self.is_durable = true;
        for name in mem::take(&mut self.obsolete) {
            self.remove(&name);
        }
        self.pace.note_published(begin);
        Ok(())
    }
}

impl Drop for LayerFiles {
    fn drop(&mut self) {
        self.checkpoint.end_search();
    }
}
