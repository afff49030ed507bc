//! Files that the programs write: each appears whole, or the one before it stays.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::Builder;

use crate::exit::Failure;

/// What a command writes to, other than what it reads.
pub(crate) struct OutputFiles {
    inputs: Vec<PathBuf>,
}

impl OutputFiles {
    /// For a command that reads these; inputs that are not files are skipped.
    pub(crate) fn new<'a>(inputs: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            inputs: inputs.into_iter().filter_map(|input| fs::canonicalize(input).ok()).collect(),
        }
    }

    /// Refuses to write to an input of the command.
    pub(crate) fn check(&self, file: &Path) -> Result<(), Failure> {
        match fs::canonicalize(file) {
            Ok(file_itself) if self.inputs.contains(&file_itself) => Err(Failure::advised(
                format!("`{}` is read by this command, and would be overwritten", file.display()),
                "give `-o` or `--plot` another name",
            )),
            _ => Ok(()),
        }
    }

    /// Writes a file: beside its place first, and there when it is complete. If `write` fails,
    /// nothing is left behind, and a file that was there stays; only a program that is killed
    /// leaves a file `.fewest-*`.
    ///
    /// A file is written in its place if it cannot be replaced: a device, a pipe, a link that leads
    /// nowhere yet, and a file in a folder that takes no new files.
    pub(crate) fn write(
        &self,
        file: &Path,
        write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.check(file)?;
        let cannot = |error: io::Error| Failure::Create { file: file.display().to_string(), error };
        let cannot_write = |failure| match failure {
            Failure::Write(error) => cannot(error),
            other => other,
        };
        let in_place = |write: &mut dyn FnMut(&mut dyn Write) -> Result<(), Failure>| {
            let mut out = BufWriter::new(File::create(file).map_err(cannot)?);
            write(&mut out).map_err(cannot_write)?;
            out.flush().map_err(cannot)
        };
        let mut write = Some(write);
        let mut write = |out: &mut dyn Write| write.take().map_or(Ok(()), |write| write(out));

        // A link keeps its place; what it leads to is written.
        let target = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
        let before = fs::symlink_metadata(&target).ok();
        let is_special = ["/dev", "/proc"].iter().any(|folder| file.starts_with(folder));
        if is_special || before.as_ref().is_some_and(|before| !before.is_file()) {
            return in_place(&mut write);
        }
        if before.is_some() {
            // Whoever may not write to the file may not replace it, either.
            File::options().append(true).open(&target).map_err(cannot)?;
        }
        let folder =
            target.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        // `File::create_new` lets others read it, as a picture may be read; a file of tempfile's
        // own would be the user's alone.
        let new = match Builder::new()
            .prefix(".fewest-")
            .make_in(folder, |path| File::create_new(path))
        {
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
        new.persist(&target).map_err(|error| cannot(error.error))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_complete_or_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("picture.svg");
        let files = OutputFiles::new([]);
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

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("picture.svg"), folder.path().join("link.svg"));
        fs::write(&file, "old").expect("written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("set");
        symlink(&file, &link).expect("a link");
        let write =
            |file: &Path| OutputFiles::new([]).write(file, |out| Ok(out.write_all(b"new")?));
        write(&link).expect("written");
        assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
        assert_eq!(fs::read_to_string(&file).expect("text"), "new");
        assert_eq!(fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o640);
        let (nowhere, later) = (folder.path().join("nowhere.svg"), folder.path().join("later.svg"));
        symlink(&later, &nowhere).expect("a link");
        write(&nowhere).expect("written");
        assert!(fs::symlink_metadata(&nowhere).expect("a link").is_symlink() && later.is_file());
        write(Path::new("/dev/null")).expect("a device takes it");
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
    }
}
