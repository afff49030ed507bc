//! `cargo xtask book`: the pages of `docs` as a book of HTML, by mdBook.
//!
//! As a library mdBook would bring more crates than all the rest of the workspace has, for
//! something that few build, so the program is called where it is installed.

use std::io::{ErrorKind, Write, stderr};
use std::process::Command;

use anyhow::{Context, bail};

use crate::root;

/// Builds it into `target/book`, and returns whether mdBook was content.
pub(crate) fn build() -> anyhow::Result<bool> {
    let built = Command::new("mdbook").arg("build").arg(root().join("docs")).status();
    let status = match built {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("MISSING: mdbook is not installed: cargo install --locked mdbook --version 0.5.4")
        }
        status => status.context("mdbook does not start")?,
    };
    if status.success() {
        writeln!(stderr(), "The book is at target/book/index.html")?;
    }
    Ok(status.success())
}
