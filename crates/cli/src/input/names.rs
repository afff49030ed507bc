//! The files that a name stands for: a folder, a pattern, or itself.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The files that a name stands for, sorted: those of a folder without its hidden files and
/// folders, or those whose names match a pattern with `*`. Any other name stands for itself.
///
/// With an extension, only the files of a folder that have it.
pub(crate) fn expanded(name: &Path, extension: Option<&str>) -> Result<Vec<PathBuf>, Failure> {
    let pattern = name.file_name().map(OsStr::as_encoded_bytes);
    let (folder, pattern) = match pattern {
        _ if name.is_dir() => (name, None),
        Some(pattern) if pattern.contains(&b'*') && !name.exists() => {
            let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty());
            (folder.unwrap_or(Path::new(".")), Some(pattern))
        }
        _ => return Ok(vec![name.to_owned()]),
    };
    let shown = name.display();
    let read_failure = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Failure::usage(format!("no file matches `{shown}`")),
        _ => Failure::Read { origin: shown.to_string(), error },
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(read_failure)? {
        let entry = entry.map_err(read_failure)?;
        let (path, file_name) = (entry.path(), entry.file_name());
        let file_name = file_name.as_encoded_bytes();
        let is_wanted = match pattern {
            Some(pattern) => matches_pattern(pattern, file_name),
            None => {
                let has_extension = |wanted| path.extension().is_some_and(|found| found == wanted);
                !file_name.starts_with(b".") && extension.is_none_or(has_extension)
            }
        };
        if path.is_file() && is_wanted {
            files.push(path);
        }
    }
    files.sort();
    match (&pattern, files.is_empty()) {
        (Some(_), true) => Err(Failure::usage(format!("no file matches `{shown}`"))),
        (None, true) => Err(Failure::usage(format!("there are no files in the folder `{shown}`"))),
        _ => Ok(files),
    }
}

/// Whether a text matches a pattern in full. `*` stands for any characters.
pub(crate) fn matches_pattern(pattern: &[u8], text: &[u8]) -> bool {
    let mut parts = pattern.split(|&byte| byte == b'*');
    let Some(mut text) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&[u8]> = parts.collect();
    let Some((last, between)) = parts.split_last() else { return text.is_empty() };
    for part in between.iter().filter(|part| !part.is_empty()) {
        let Some(at) = text.windows(part.len()).position(|here| here == *part) else {
            return false;
        };
        text = &text[at + part.len()..];
    }
    text.ends_with(last)
}
