//! Output files: each is written completely, or the previous file stays.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use fewest_rules::text::numbered;
use tempfile::{Builder, NamedTempFile};

use crate::failure::Failure;
use crate::input::{expanded, is_stdin};
use crate::message::writes_no_answers;

/// Writes output files, and refuses to overwrite the inputs of the command.
pub(crate) struct OutputFiles {
    inputs: Vec<PathBuf>,
}

impl OutputFiles {
    /// For a command that reads these inputs: also the files of a folder, those that match a
    /// pattern, and the file of `FILE#3`. Inputs that are not files are ignored.
    pub(crate) fn new(inputs: impl IntoIterator<Item: AsRef<Path>>) -> Self {
        let files = |input: &Path| match is_stdin(input) {
            true => vec!["/dev/stdin".into()],
            false => {
                let of_data_set = numbered(input).map(|(file, _)| file);
                expanded(input, None).unwrap_or_default().into_iter().chain(of_data_set).collect()
            }
        };
        let files = inputs.into_iter().flat_map(|input| files(input.as_ref()));
        Self { inputs: files.filter_map(|file| fs::canonicalize(file).ok()).collect() }
    }

    /// Returns an error if the file is an input of the command.
    pub(crate) fn check(&self, file: &Path) -> Result<(), Failure> {
        match fs::canonicalize(file) {
            Ok(resolved) if self.inputs.contains(&resolved) => Err(Failure::usage_with_hint(
                format!("`{}` is read by this command, and would be overwritten", file.display()),
                "choose another file for `-o` or `--plot`",
            )),
            _ => Ok(()),
        }
    }

    /// Returns an error if the file could not be [written](Self::write) now. An existing file stays
    /// as it is.
    pub(crate) fn check_writable(&self, file: &Path) -> Result<(), Failure> {
        self.check(file)?;
        let cannot = |error: io::Error| Failure::Create { file: file.display().to_string(), error };
        match fs::metadata(file) {
            Ok(existing) if existing.is_dir() => Err(cannot(io::ErrorKind::IsADirectory.into())),
            Ok(existing) if existing.is_file() => {
                File::options().append(true).open(file).map(drop).map_err(cannot)
            }
            // A device or a pipe.
            Ok(_) => Ok(()),
            Err(_) if fs::symlink_metadata(file).is_ok() => Ok(()),
            Err(_) => temporary_beside(file).map(drop).map_err(cannot),
        }
    }

    /// Writes a temporary file in the same folder and renames it when it is complete. If `write`
    /// fails, the temporary file is removed and an existing file stays as it was. Only a program
    /// that is killed leaves a file `.fewest-*`.
    ///
    /// A file that cannot be replaced is written in place: a device, a pipe, a dangling link, or a
    /// file in a folder without write permission. If only the rename is refused, as for a mount
    /// point or a file of another user in a sticky folder, the complete file is copied.
    pub(crate) fn write(
        &self,
        file: &Path,
        write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.check(file)?;
        if writes_no_answers() {
            return Ok(());
        }
        let cannot = |error: io::Error| Failure::Create { file: file.display().to_string(), error };
        let cannot_write = |failure| match failure {
            Failure::Write(error) if error.kind() != io::ErrorKind::BrokenPipe => cannot(error),
            other => other,
        };
        let in_place = |write: &mut dyn FnMut(&mut dyn Write) -> Result<(), Failure>| {
            let mut out = BufWriter::new(File::create(file).map_err(cannot)?);
            write(&mut out).map_err(cannot_write)?;
            out.flush().map_err(|error| cannot_write(Failure::Write(error)))
        };
        let mut write = Some(write);
        let mut write = |out: &mut dyn Write| write.take().map_or(Ok(()), |write| write(out));

        // A link stays; its target is written.
        let target = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        let before = fs::symlink_metadata(&target).ok();
        // The streams of this program, which a shell may have opened on regular files.
        let is_special = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"]
            .iter()
            .any(|folder| file.starts_with(folder));
        if is_special || before.as_ref().is_some_and(|before| !before.is_file()) {
            return in_place(&mut write);
        }
        if before.is_some() {
            // Without permission to write to the file, it must not be replaced either.
            File::options().append(true).open(&target).map_err(cannot)?;
        }
        let new = match temporary_beside(&target) {
            Ok(new) => new,
            Err(error) if before.is_some() && error.kind() == io::ErrorKind::PermissionDenied => {
                return in_place(&mut write);
            }
            Err(error) => return Err(cannot(error)),
        };
        if let Some(before) = before {
            new.as_file().set_permissions(before.permissions()).map_err(cannot)?;
        }
        let mut out = BufWriter::new(new);
        write(&mut out).map_err(cannot_write)?;
        let new = out.into_inner().map_err(|error| cannot(error.into_error()))?;
        new.as_file().sync_all().map_err(cannot)?;
        match new.persist(&target) {
            Ok(_) => Ok(()),
            Err(refused) if is_refused_rename(&refused.error) => {
                let mut complete = File::open(refused.file.path()).map_err(cannot)?;
                let mut out = File::create(file).map_err(cannot)?;
                io::copy(&mut complete, &mut out).map_err(cannot)?;
                Ok(())
            }
            Err(error) => Err(cannot(error.error)),
        }
    }
}

/// A new temporary file in the folder of a file.
fn temporary_beside(file: &Path) -> io::Result<NamedTempFile<File>> {
    let folder = file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    // `File::create_new` gives the usual permissions. A file that tempfile creates could be read by
    // its owner only.
    Builder::new().prefix(".fewest-").make_in(folder, |path| File::create_new(path))
}

/// Whether a file could be written though it cannot be replaced.
fn is_refused_rename(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ResourceBusy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_keeps_the_previous_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("picture.svg");
        let files = OutputFiles::new([""; 0]);
        let names = || fs::read_dir(folder.path()).expect("a folder").count();
        let write = |text: &'static str, end: Result<(), Failure>| {
            files.write(&file, |out| {
                out.write_all(text.as_bytes())?;
                end
            })
        };
        assert!(write("half", Err(Failure::Interrupted)).is_err());
        assert_eq!((file.exists(), names()), (false, 0));
        write("old", Ok(())).expect("written");
        assert!(write("half", Err(Failure::Write(io::ErrorKind::StorageFull.into()))).is_err());
        assert_eq!((fs::read_to_string(&file).expect("text").as_str(), names()), ("old", 1));
        write("new", Ok(())).expect("written");
        assert_eq!((fs::read_to_string(&file).expect("text").as_str(), names()), ("new", 1));
    }

    #[test]
    fn whether_a_file_can_be_written_is_known_before() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = OutputFiles::new([""; 0]);
        let check = |file: &Path| files.check_writable(file);
        assert!(check(&folder.path().join("picture.svg")).is_ok());
        assert!(check(folder.path()).is_err(), "a folder is no file");
        assert!(check(&folder.path().join("none").join("picture.svg")).is_err());
        let old = folder.path().join("old.svg");
        fs::write(&old, "old").expect("written");
        assert!(check(&old).is_ok());
        assert_eq!(fs::read_to_string(&old).expect("text"), "old");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_are_preserved() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("picture.svg"), folder.path().join("link.svg"));
        fs::write(&file, "old").expect("written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("set");
        symlink(&file, &link).expect("a link");
        let write =
            |file: &Path| OutputFiles::new([""; 0]).write(file, |out| Ok(out.write_all(b"new")?));
        write(&link).expect("written");
        assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
        assert_eq!(fs::read_to_string(&file).expect("text"), "new");
        assert_eq!(fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o640);
        let (dangling, target) =
            (folder.path().join("dangling.svg"), folder.path().join("target.svg"));
        symlink(&target, &dangling).expect("a link");
        write(&dangling).expect("written");
        assert!(fs::symlink_metadata(&dangling).expect("a link").is_symlink() && target.is_file());
        write(Path::new("/dev/null")).expect("a device is written in place");
    }

    #[test]
    fn inputs_are_not_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("maze.svg");
        fs::write(&file, "a maze").expect("written");
        let files = OutputFiles::new(["-", "sample", file.to_str().expect("Unicode")]);
        let other_name = folder.path().join(".").join("maze.svg");
        assert!(matches!(files.write(&other_name, |_| Ok(())), Err(Failure::Usage { .. })));
        assert_eq!(fs::read_to_string(&file).expect("text"), "a maze");
        let name = file.to_str().expect("Unicode");
        let pattern = format!("{}/*.svg", folder.path().display());
        let folder_name = folder.path().to_str().expect("Unicode");
        for input in [format!("{name}#3").as_str(), &pattern, folder_name] {
            assert!(OutputFiles::new([input]).check(&file).is_err(), "{input}");
        }
    }
}
