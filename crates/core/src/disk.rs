//! Access to the files of searches.
//!
//! A [`Disk`] is a folder and a [`Files`] implementation that accesses it: that of the system, or
//! one of a test, which can make any operation fail. A [store](crate::store::Runs) keeps layers on
//! a disk, and a [checkpoint](crate::checkpoint::Checkpoint) what a search needs to go on.

use std::fmt::Debug;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::limit::Limit;
pub use crate::limit::RESERVED_BYTES;

/// A folder, and the operations by which it is accessed. Clones are of the same folder.
#[derive(Clone, Debug)]
pub struct Disk {
    folder: PathBuf,
    files: Arc<dyn Files>,
    /// The bytes that were written to all files of the stores and the checkpoints on it.
    written: Arc<AtomicU64>,
}

/// The free space is checked once per this many bytes written: much less than the reserve.
const CHECK_BYTES: u64 = RESERVED_BYTES / 16;

/// Operations on files and folders. Paths are in the folder of a [`Disk`].
///
/// Errors are those of the operations.
#[expect(missing_docs, reason = "named after the functions of `std::fs`")]
pub trait Files: Debug + Send + Sync {
    /// Creates a folder and its parents. Does nothing if it exists.
    fn create_folder(&self, folder: &Path) -> io::Result<()>;
    /// Removes a folder and its contents.
    fn remove_folder(&self, folder: &Path) -> io::Result<()>;
    /// The names of the entries of a folder.
    fn names(&self, folder: &Path) -> io::Result<Vec<String>>;
    /// Makes new, removed and renamed files and folders in the folder durable. The contents of a
    /// file need [`Output::sync`].
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
    /// Creates a file, or empties it.
    fn create(&self, file: &Path) -> io::Result<Box<dyn Output>>;
    fn open(&self, file: &Path) -> io::Result<Box<dyn Input>>;
    /// Renames a file. Atomically replaces an existing file of the new name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    fn remove(&self, file: &Path) -> io::Result<()>;
    /// Creates a file if necessary and locks it exclusively, until the lock is dropped or the
    /// process ends. `None` if another process holds the lock.
    fn lock(&self, file: &Path) -> io::Result<Option<Box<dyn Lock>>>;
    /// The bytes that can still be written to a folder. `None` if they are not known.
    fn free_bytes(&self, folder: &Path) -> io::Result<Option<u64>> {
        let _ = folder;
        Ok(None)
    }
}

/// A file that is written.
pub trait Output: Write + Debug + Send {
    /// Makes what was written durable.
    ///
    /// # Errors
    /// That of the operation.
    fn sync(&mut self) -> io::Result<()>;
}

/// A file that is read.
pub trait Input: Read + Seek + Debug + Send {}

/// A lock, which ends when it is dropped.
pub trait Lock: Debug + Send + Sync {}

impl Disk {
    /// A folder of the system. It need not exist.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self::with_files(folder, Arc::new(SystemFiles))
    }

    /// A folder of other files.
    pub fn with_files(folder: impl Into<PathBuf>, files: Arc<dyn Files>) -> Self {
        Self { folder: folder.into(), files, written: Arc::default() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Checks that a search can keep files here, by creating the folder and a temporary file.
    ///
    /// # Errors
    /// Why it cannot; [`StorageFull`](ErrorKind::StorageFull) if less than [`RESERVED_BYTES`] are
    /// free.
    pub fn check(&self) -> io::Result<()> {
        ScratchFolder::create(self)?;
        self.check_space()
    }

    /// The path of a file in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A folder in this one.
    pub(crate) fn sub_folder(&self, name: &str) -> Self {
        Self { folder: self.path(name), ..self.clone() }
    }

    pub(crate) fn files(&self) -> &dyn Files {
        &*self.files
    }

    /// Checks that at least [`RESERVED_BYTES`] are free.
    ///
    /// # Errors
    /// [`StorageFull`](ErrorKind::StorageFull) if less than [`RESERVED_BYTES`] are free.
    pub(crate) fn check_space(&self) -> io::Result<()> {
        match self.files.free_bytes(&self.folder)? {
            Some(free) if free < RESERVED_BYTES => Err(ErrorKind::StorageFull.into()),
            _ => Ok(()),
        }
    }

    /// Counts bytes that are about to be written, and [checks the free space](Self::check_space)
    /// once per [`CHECK_BYTES`].
    pub(crate) fn note_written(&self, bytes: u64) -> io::Result<()> {
        let before = self.written.fetch_add(bytes, Ordering::Relaxed);
        let is_due = (before + bytes) / CHECK_BYTES > before / CHECK_BYTES;
        if is_due { self.check_space() } else { Ok(()) }
    }

    /// Creates the folder with its parents, and makes new ones durable.
    pub(crate) fn create(&self) -> io::Result<()> {
        fn or_here(path: &Path) -> &Path {
            if path == Path::new("") { Path::new(".") } else { path }
        }
        let is_missing = |path: &&Path| self.files.names(or_here(path)).is_err();
        let missing: Vec<_> = self.folder.ancestors().take_while(is_missing).collect();
        self.files.create_folder(&self.folder)?;
        for folder in missing.iter().rev() {
            let parent = folder.parent().unwrap_or(Path::new(""));
            self.files.sync_folder(or_here(parent))?;
        }
        Ok(())
    }

    /// Replaces the contents of a file atomically and durably. After a crash, the file has either
    /// its old or its new contents.
    pub(crate) fn replace(&self, name: &str, contents: &[u8]) -> io::Result<()> {
        // The usual order for an atomic, durable replacement: write a temporary file, sync it,
        // rename it over the old one, sync the folder. Without the first sync, the rename could
        // become durable before the contents; without the second, the rename could be lost.
        let (new, file) = (self.path(&format!("{name}.new")), self.path(name));
        let mut output = self.files.create(&new)?;
        output.write_all(contents)?;
        output.sync()?;
        drop(output);
        self.files.rename(&new, &file)?;
        self.files.sync_folder(&self.folder)
    }

    /// The contents of a file; `None` if it does not exist.
    pub(crate) fn contents(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let mut file = match self.files.open(&self.path(name)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let mut contents = Vec::new();
        file.read_to_end(&mut contents)?;
        Ok(Some(contents))
    }
}

/// A new folder for the files of one store, which is removed with it.
#[derive(Debug)]
pub(crate) struct ScratchFolder {
    disk: Disk,
    /// Keeps another process from removing the folder.
    lock: Option<Box<dyn Lock>>,
    /// The number of files that were named.
    named: AtomicU64,
}

/// How the names of scratch folders start.
const SCRATCH: &str = "fewest-scratch-";
/// The lock of a scratch folder.
const LOCK: &str = "lock";
/// How many names are tried.
const MAX_TRIES: usize = 100;

impl ScratchFolder {
    /// Whether a folder of this name is, or was, one.
    pub(crate) fn is_name(name: &str) -> bool {
        name.starts_with(SCRATCH)
    }

    /// A new folder in another one. It first removes those of processes that have ended.
    pub(crate) fn create(parent: &Disk) -> io::Result<Self> {
        static FOLDERS: AtomicU64 = AtomicU64::new(0);
        let files = parent.files();
        files.create_folder(parent.folder())?;
        let names = |disk: &Disk| files.names(disk.folder()).unwrap_or_default();
        for name in names(parent).iter().filter(|name| Self::is_name(name)) {
            let old = parent.sub_folder(name);
            // A folder without a lock file may be one that another process creates.
            if names(&old).iter().any(|name| name == LOCK)
                && let Ok(Some(_lock)) = files.lock(&old.path(LOCK))
            {
                // Another process may be faster.
                let _ = files.remove_folder(old.folder());
            }
        }
        for _ in 0..MAX_TRIES {
            let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
            let disk = parent.sub_folder(&format!("{SCRATCH}{}-{number}", process::id()));
            files.create_folder(disk.folder())?;
            // A process with the same number, elsewhere, may have the folder, or one that looks for
            // old ones may have removed it.
            match files.lock(&disk.path(LOCK)) {
                Ok(Some(lock)) if names(&disk) == [LOCK] => {
                    return Ok(Self { disk, lock: Some(lock), named: AtomicU64::new(0) });
                }
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    let _ = files.remove_folder(disk.folder());
                    return Err(error);
                }
                _ => {}
            }
        }
        Err(ErrorKind::ResourceBusy.into())
    }

    pub(crate) fn disk(&self) -> &Disk {
        &self.disk
    }

    pub(crate) fn files(&self) -> &dyn Files {
        self.disk.files()
    }

    /// The path of a new file, for which there is room.
    pub(crate) fn new_file(&self) -> io::Result<PathBuf> {
        self.disk.check_space()?;
        Ok(self.disk.path(&format!("{}.run", self.named.fetch_add(1, Ordering::Relaxed))))
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        // Some systems do not remove a file that is open.
        drop(self.lock.take());
        let _ = self.disk.files().remove_folder(self.disk.folder());
    }
}

impl From<io::Error> for Limit {
    fn from(error: io::Error) -> Self {
        Self::Io(error.kind())
    }
}

/// The files of the system.
#[derive(Debug)]
struct SystemFiles;

impl Files for SystemFiles {
    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)
    }

    fn remove_folder(&self, folder: &Path) -> io::Result<()> {
        fs::remove_dir_all(folder)
    }

    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        fs::read_dir(folder)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect()
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        // Only on Unix can a folder be opened and be made durable.
        if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
    }

    fn create(&self, file: &Path) -> io::Result<Box<dyn Output>> {
        Ok(Box::new(File::create(file)?))
    }

    fn open(&self, file: &Path) -> io::Result<Box<dyn Input>> {
        Ok(Box::new(File::open(file)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, file: &Path) -> io::Result<()> {
        fs::remove_file(file)
    }

    #[cfg(unix)]
    fn free_bytes(&self, folder: &Path) -> io::Result<Option<u64>> {
        let free = rustix::fs::statvfs(folder)?;
        Ok(Some(free.f_bavail.saturating_mul(free.f_frsize)))
    }

    fn lock(&self, file: &Path) -> io::Result<Option<Box<dyn Lock>>> {
        let file = File::options().create(true).truncate(false).write(true).open(file)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Box::new(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

impl Output for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

impl Input for File {}

impl Lock for File {}
