//! Reads and writes the layer files of one search, and makes them durable together with the list
//! that names them.

use std::io::{self, ErrorKind};
use std::mem;

use super::Checkpoint;
use super::header::{Header, StateFile};
use super::list::{Coding, LAYERS};
use super::pace::Pace;
use crate::clock::Instant;
use crate::disk::{Disk, Input, Output};
use crate::limit::Limit;
use crate::run_file::{RunFile, RunWriter, read_blocks};
use crate::word::Word;

/// The maximum number of files that are kept open because they are not synced yet.
const MAX_UNSYNCED: usize = 16;

/// The folder of one search. Dropping it allows the next search to use the checkpoint.
pub(super) struct LayerFiles {
    pub(super) checkpoint: Checkpoint,
    pub(super) disk: Disk,
    /// The header of the files.
    pub(super) header: Header,
    pub(super) pace: Pace,
    /// Whether the durable list is up to date.
    is_durable: bool,
    /// Files that are written but not synced.
    unsynced: Vec<Box<dyn Output>>,
    /// Files to remove as soon as the next list, which no longer names them, is durable.
    obsolete: Vec<String>,
    /// Whether a sync has failed. After a failed fsync the contents of the disk are unknown, so no
    /// list is written any more.
    is_broken: bool,
}

impl LayerFiles {
    pub(super) fn new(checkpoint: Checkpoint, disk: Disk, header: Header) -> Self {
        Self {
            checkpoint,
            disk,
            header,
            pace: Pace::start(),
            is_durable: true,
            unsynced: Vec::new(),
            obsolete: Vec::new(),
            is_broken: false,
        }
    }

    /// Marks the durable list as out of date.
    pub(super) fn note_change(&mut self) {
        self.is_durable = false;
    }

    /// Schedules files for removal after the next list is durable.
    pub(super) fn remove_later(&mut self, names: impl IntoIterator<Item = String>) {
        self.obsolete.extend(names);
    }

    /// Whether the layers should be synced now.
    pub(super) fn should_sync(&self) -> bool {
        self.pace.may_sync() || self.unsynced.len() >= MAX_UNSYNCED
    }

    /// Removes the files for which `is_named` is false.
    pub(super) fn remove_unnamed(&self, is_named: impl Fn(&str) -> bool) {
        for name in self.disk.files().names(self.disk.folder()).unwrap_or_default() {
            if !is_named(&name) {
                self.remove(&name);
            }
        }
    }

    /// Removes a file. Errors are ignored: a file that is left only costs space.
    pub(super) fn remove(&self, name: &str) {
        let _ = self.disk.files().remove(&self.disk.path(name));
    }

    /// Records an I/O error in the checkpoint and returns it as a limit.
    pub(super) fn noted<T>(&self, result: io::Result<T>) -> Result<T, Limit> {
        result.map_err(|error| {
            let limit = Limit::Io(error.kind());
            self.checkpoint.note(error);
            limit
        })
    }

    /// Records an error with this text and returns it as a limit.
    pub(super) fn failed(&self, kind: ErrorKind, what: String) -> Limit {
        self.checkpoint.note(io::Error::new(kind, what));
        Limit::Io(kind)
    }

    /// Records why the checkpoint cannot be used by this search.
    pub(super) fn refused(&self, what: &str) -> Limit {
        let what = format!("`{}`: {what}", self.disk.folder().display());
        self.failed(ErrorKind::InvalidData, what)
    }

    /// Opens a file of states, checks its header, and returns the file and the size of the header.
    pub(super) fn open_file(
        &self,
        disk: &Disk,
        header: &Header,
        file: StateFile<'_>,
    ) -> Result<(Box<dyn Input>, u64), Limit> {
        let name = file.name;
        let opened = disk.files().open(&disk.path(name));
        let mut input = opened.map_err(|error| self.unreadable(name, error.into()))?;
        match header.read_header(&mut *input, file) {
            Ok(Ok(head)) => Ok((input, head)),
            Ok(Err(difference)) => Err(self.refused(&difference.of(name).to_string())),
            Err(error) => Err(self.unreadable(name, error.into())),
        }
    }

    /// Reads a file of states and checks that it has the expected number of states and bytes.
    pub(super) fn read<W: Word>(
        &self,
        disk: &Disk,
        header: &Header,
        file: StateFile<'_>,
        expected: (u64, u64),
        visit: impl FnMut(&[W]) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        let (mut input, head) = self.open_file(disk, header, file)?;
        let read = read_blocks(&mut *input, visit);
        self.checked(file.name, expected, read.map(|(states, bytes)| (states, head + bytes)))
    }

    /// Checks the counts of a file that was read, and records the error if it could not be read or
    /// the counts differ.
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

    /// Records why a file could not be opened or read.
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

    /// Writes a file of states. It is synced by the next [`sync`](Self::sync).
    pub(super) fn write<W: Word>(
        &mut self,
        name: &str,
        depth: usize,
        coding: Coding,
        write: impl FnOnce(&mut RunWriter<W>) -> Result<(), Limit>,
    ) -> Result<RunFile, Limit> {
        let (path, begin) = (self.disk.path(name), Instant::now());
        let head = self.header.bytes(StateFile { name, depth, coding: &coding.to_string() });
        let written = self
            .disk
            .check_space()
            .and_then(|()| RunWriter::create_with_head(&path, &self.disk, &head))
            .map_err(Limit::from)
            .and_then(|mut writer| write(&mut writer).and_then(|()| Ok(writer.end()?)));
        let (file, output) = written.inspect_err(|&limit| {
            // If the disk is full, removing the file leaves room for the list.
            self.remove(name);
            if let Limit::Io(kind) = limit {
                self.failed(kind, format!("{name} was not saved: {}", io::Error::from(kind)));
            }
        })?;
        self.unsynced.push(output);
        self.pace.note_written(file.states, begin);
        Ok(file)
    }

    /// Makes all files and then the list that names them durable. Does nothing after a failure.
    pub(super) fn sync(&mut self, list: &str) -> Result<(), Limit> {
        if self.is_durable || self.is_broken {
            return Ok(());
        }
        self.try_sync(list).map_err(|error| {
            self.failed(error.kind(), format!("the last layers were not saved: {error}"))
        })
    }

    /// The order makes the list the commit point: (1) fsync the layer files, (2) fsync the folder,
    /// so that their names are durable, (3) replace the list: write `layers.new`, fsync it, rename
    /// it over `layers`, fsync the folder. A crash between any two steps leaves the old list, and
    /// the files that it names are still there: obsolete files are removed only after step 3.
    fn try_sync(&mut self, list: &str) -> io::Result<()> {
        let begin = Instant::now();
        // Do not retry after a failure: after a failed fsync the system may have dropped the dirty
        // pages, and the next fsync would succeed without writing them.
        //
        // Set before the first sync and cleared after the last one, so that an early return by `?`
        // leaves it set.
        self.is_broken = true;
        self.unsynced.iter_mut().try_for_each(|output| output.sync())?;
        self.unsynced.clear();
        // The folder entries of the layer files must be durable before a durable list names them.
        self.disk.files().sync_folder(self.disk.folder())?;
        self.disk.replace(LAYERS, list.as_bytes())?;
        self.is_broken = false;
        self.is_durable = true;
        for name in mem::take(&mut self.obsolete) {
            self.remove(&name);
        }
        self.pace.note_synced(begin);
        Ok(())
    }
}

impl Drop for LayerFiles {
    fn drop(&mut self) {
        self.checkpoint.end_search();
    }
}
