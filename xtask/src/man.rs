//! `cargo xtask man`: writes a manual page for each command of the programs.

use std::fs;
use std::io::{Write, stderr};
use std::path::Path;

use anyhow::Context;
use clap::Command;
use clap_mangen::Man;
use roff::{Roff, roman};

/// Writes all pages to a folder.
pub(crate) fn write(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut pages = 0;
    for program in fewest_cli::programs(fewest_catalog::PUZZLES) {
        let mut program = program.disable_help_subcommand(true);
        program.build();
        pages += write_all(&program, folder)?;
    }
    writeln!(stderr(), "wrote {pages} pages to {}: man -l {0}/fewest.1", folder.display())?;
    Ok(())
}

/// Writes the pages of a command and of all its subcommands, and returns their number.
fn write_all(command: &Command, folder: &Path) -> anyhow::Result<usize> {
    let file = folder.join(Man::new(command.clone()).get_filename());
    fs::write(&file, page(command)?).with_context(|| format!("cannot write {}", file.display()))?;
    command.get_subcommands().try_fold(1, |pages, verb| Ok(pages + write_all(verb, folder)?))
}

fn page(command: &Command) -> anyhow::Result<Vec<u8>> {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    // clap_mangen's own section joins the lines of this text, and with them the rows of boards.
    if let Some(notes_text) = command.get_after_long_help() {
        let mut notes = Roff::new();
        notes.control("SH", ["NOTES"]).control("nf", []);
        for line in notes_text.to_string().lines() {
            notes.text([roman(line)]);
        }
        notes.control("fi", []).to_writer(&mut page)?;
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_has_a_page_with_its_examples() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        write(folder.path()).expect("the pages are written");
        let page = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
        assert!(page("klotski-explore.1").contains("klotski explore heng\\-dao\\-li\\-ma"));
        assert!(page("fewest-exit-codes.1").contains("proved unsolvable"));
        // The rows of a map stay on separate lines.
        assert!(page("halloween.1").contains("\n  #b#a#\n"), "{}", page("halloween.1"));
        assert!(fs::read_dir(folder.path()).expect("the folder").count() > 40);
    }
}
