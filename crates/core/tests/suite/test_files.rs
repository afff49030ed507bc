//! Files in memory whose operations can fail, and that can lose what is not durable.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use fewest_core::disk::{Files, Input, Lock, Output};

/// The contents of a file, and those that are durable.
#[derive(Clone, Debug, Default)]
struct Contents {
    now: Vec<u8>,
    durable: Vec<u8>,
}

type Shared = Arc<Mutex<Contents>>;

#[derive(Debug, Default)]
struct State {
    folders: BTreeSet<PathBuf>,
    names: BTreeMap<PathBuf, Shared>,
    durable_names: BTreeMap<PathBuf, Shared>,
    locked: BTreeSet<PathBuf>,
    /// The number of operations, without reading from an open file.
    changes: u64,
    /// The first change that fails, and how many fail.
    fails: Option<(u64, u64)>,
    /// The bytes that are free.
    free: Option<u64>,
    /// The change from which on a flag is set.
    interrupts: Option<(u64, Arc<AtomicBool>)>,
}

/// Files in memory. Clones are the same files.
#[derive(Clone, Debug, Default)]
pub(crate) struct TestFiles(Arc<Mutex<State>>);

impl TestFiles {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no panic")
    }

    /// Sets how many bytes are free.
    pub(crate) fn set_free(&self, bytes: u64) {
        self.state().free = Some(bytes);
    }

    /// Lets this number of changes fail from the first on; counting starts again.
    pub(crate) fn fail(&self, fails: Option<(u64, u64)>) {
        let mut state = self.state();
        state.changes = 0;
        state.fails = fails;
    }

    /// Sets a flag when this number of changes were made; counting starts again.
    pub(crate) fn interrupt(&self, change: u64) -> Arc<AtomicBool> {
        let (mut state, flag) = (self.state(), Arc::default());
        state.changes = 0;
        state.interrupts = Some((change, Arc::clone(&flag)));
        flag
    }

    /// The number of changes since counting started.
    pub(crate) fn changes(&self) -> u64 {
        self.state().changes
    }

    /// Whether a change has failed.
    pub(crate) fn has_failed(&self) -> bool {
        let state = self.state();
        state.fails.is_some_and(|(first, _)| state.changes > first)
    }

    /// What is left after the power was lost: the durable contents of durable names.
    pub(crate) fn lose_power(&self) {
        let mut state = self.state();
        state.names = state.durable_names.clone();
        for file in state.names.values() {
            let mut file = file.lock().expect("no panic");
            file.now = file.durable.clone();
        }
        state.locked.clear();
    }

    pub(crate) fn len_of(&self, path: &Path) -> usize {
        self.state().names[path].lock().expect("no panic").now.len()
    }

    pub(crate) fn flip(&self, path: &Path, bit: usize) {
        self.state().names[path].lock().expect("no panic").now[bit / 8] ^= 1 << (bit % 8);
    }

    pub(crate) fn contents(&self, path: &Path) -> Vec<u8> {
        self.state().names[path].lock().expect("no panic").now.clone()
    }

    pub(crate) fn replace(&self, path: &Path, contents: Vec<u8>) {
        self.state().names[path].lock().expect("no panic").now = contents;
    }

    fn change(&self) -> io::Result<MutexGuard<'_, State>> {
        let mut state = self.state();
        let change = state.changes;
        let failed =
            |(first, count): (u64, u64)| (first..first.saturating_add(count)).contains(&change);
        let failed = state.fails.is_some_and(failed);
        state.changes += 1;
        if let Some((at, flag)) = &state.interrupts {
            flag.fetch_or(change >= *at, Ordering::Relaxed);
        }
        if failed { Err(ErrorKind::StorageFull.into()) } else { Ok(state) }
    }
}

impl Files for TestFiles {
    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        let mut state = self.change()?;
        state.folders.extend(folder.ancestors().map(Path::to_owned));
        Ok(())
    }

    fn remove_folder(&self, folder: &Path) -> io::Result<()> {
        let mut state = self.change()?;
        state.folders.retain(|path| !path.starts_with(folder));
        state.names.retain(|path, _| !path.starts_with(folder));
        Ok(())
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let state = self.change()?;
        if !state.folders.contains(folder) {
            return Err(ErrorKind::NotFound.into());
        }
        let paths = state.folders.iter().chain(state.names.keys());
        let names = paths.filter(|path| path.parent() == Some(folder));
        Ok(names.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect())
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        let mut state = self.change()?;
        let State { names, durable_names, .. } = &mut *state;
        let is_in = |path: &Path| path.parent() == Some(folder);
        durable_names.retain(|path, _| !is_in(path));
        let in_folder = names.iter().filter(|(path, _)| is_in(path));
        durable_names.extend(in_folder.map(|(path, file)| (path.clone(), Arc::clone(file))));
        Ok(())
    }

    fn create(&self, file: &Path) -> io::Result<Box<dyn Output>> {
        let mut state = self.change()?;
        let parent = file.parent().expect("a folder");
        if !state.folders.contains(parent) {
            return Err(ErrorKind::NotFound.into());
        }
        let contents = Arc::clone(state.names.entry(file.to_owned()).or_default());
        contents.lock().expect("no panic").now.clear();
        drop(state);
        Ok(Box::new(TestOutput { files: self.clone(), contents }))
    }

    fn open(&self, file: &Path) -> io::Result<Box<dyn Input>> {
        let state = self.change()?;
        let contents = state.names.get(file).ok_or(ErrorKind::NotFound)?;
        Ok(Box::new(TestInput(Cursor::new(contents.lock().expect("no panic").now.clone()))))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.change()?;
        let contents = state.names.remove(from).ok_or(ErrorKind::NotFound)?;
        state.names.insert(to.to_owned(), contents);
        Ok(())
    }

    fn remove(&self, file: &Path) -> io::Result<()> {
        let mut state = self.change()?;
        state.names.remove(file).map(drop).ok_or(ErrorKind::NotFound.into())
    }

    fn free_bytes(&self, _: &Path) -> io::Result<Option<u64>> {
        Ok(self.state().free)
    }

    fn lock(&self, file: &Path) -> io::Result<Option<Box<dyn Lock>>> {
        let mut state = self.change()?;
        state.names.entry(file.to_owned()).or_default();
        let is_free = state.locked.insert(file.to_owned());
        drop(state);
        let lock = TestLock { files: self.clone(), path: file.to_owned() };
        Ok(is_free.then(|| Box::new(lock) as Box<dyn Lock>))
    }
}

#[derive(Debug)]
struct TestOutput {
    files: TestFiles,
    contents: Shared,
}

impl Write for TestOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let state = self.files.change()?;
        self.contents.lock().expect("no panic").now.extend_from_slice(bytes);
        drop(state);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output for TestOutput {
    fn sync(&mut self) -> io::Result<()> {
        let state = self.files.change()?;
        let mut contents = self.contents.lock().expect("no panic");
        contents.durable = contents.now.clone();
        drop(state);
        Ok(())
    }
}

#[derive(Debug)]
struct TestInput(Cursor<Vec<u8>>);

impl Read for TestInput {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes)
    }
}

impl Seek for TestInput {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

impl Input for TestInput {}

#[derive(Debug)]
struct TestLock {
    files: TestFiles,
    path: PathBuf,
}

impl Lock for TestLock {}

impl Drop for TestLock {
    fn drop(&mut self) {
        self.files.state().locked.remove(&self.path);
    }
}
