//! `cargo xtask book`: builds the pages of `docs` as an HTML book with mdBook.
//!
//! mdBook is started as a program. As a library it would add more crates than the rest of the
//! workspace has, for a task that few people run.

use std::io::{ErrorKind, Write, stderr};
use std::process::Command;

use anyhow::{Context, bail};

use crate::root;

/// Builds the book in `target/book`, and returns whether mdBook succeeded.
pub(crate) fn build() -> anyhow::Result<bool> {
    let built = Command::new("mdbook").arg("build").arg(root().join("docs")).status();
    let status = match built {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("MISSING: mdbook is not installed: cargo install --locked mdbook --version 0.5.4")
        }
        status => status.context("cannot start mdbook")?,
    };
    if status.success() {
        writeln!(stderr(), "wrote target/book/index.html")?;
    }
    Ok(status.success())
}
