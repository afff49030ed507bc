//! `man`: a manual page for each command of the programs.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, Command, ValueHint};
use clap_mangen::Man;
use roff::{Roff, roman};

use crate::PuzzleRef;
use crate::args::{parsed, with};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::OutputFiles;
use crate::message::note;

#[derive(Args)]
#[group(skip)]
struct ManArgs {
    /// Folder for the pages. It is created if there is none
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    folder: PathBuf,
}

pub(crate) fn command() -> Command {
    with::<ManArgs>(Command::new("man"))
        .about("Write the manual pages of all programs and verbs to a folder")
}

pub(crate) fn run(puzzles: &'static [PuzzleRef], matches: &ArgMatches) -> Result<Exit, Failure> {
    let ManArgs { folder } = parsed(matches)?;
    let shown = folder.display();
    let failure = |error| Failure::Create { file: folder.display().to_string(), error };
    fs::create_dir_all(&folder).map_err(failure)?;
    let mut pages = 0;
    for program in crate::programs(puzzles) {
        let mut program = program.disable_help_subcommand(true);
        program.build();
        pages += write_all(&program, &folder)?;
    }
    note(format_args!("{pages} pages: `man {shown}/fewest.1` shows the first"));
    Ok(Exit::Answered)
}

/// Writes the pages of a command and of all its subcommands, and returns their number.
fn write_all(command: &Command, folder: &Path) -> Result<usize, Failure> {
    let file = folder.join(Man::new(command.clone()).get_filename());
    let no_inputs = OutputFiles::new([""; 0]);
    no_inputs.write(&file, |out| Ok(out.write_all(&page(command)?)?))?;
    command.get_subcommands().try_fold(1, |pages, verb| Ok(pages + write_all(verb, folder)?))
}

fn page(command: &Command) -> Result<Vec<u8>, Failure> {
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
