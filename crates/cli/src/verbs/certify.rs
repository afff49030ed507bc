//! `certify`: writes an answer with a proof that can be checked with the rules alone.

use std::io::Write;
use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, ValueHint};
use fewest_puzzle::certify::{CertifyReport, Subject};
use fewest_puzzle::results;
use fewest_puzzle::work::WorkContext;

use crate::PuzzleRef;
use crate::args::{
    LimitOptions, instance, instance_arg, parsed, reader, short_instance_help, with,
};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::OutputFiles;
use crate::input::Source;
use crate::output::standard_output;
use crate::run::Run;
use crate::verbs::capability;

#[derive(Args)]
#[group(skip)]
struct CertifyArgs {
    /// Write the certificate to this file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: PathBuf,

    /// Certify the number of boards at each distance from the start instead of the answer
    #[arg(long)]
    layers: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn command(puzzle: PuzzleRef) -> Option<Command> {
    puzzle.info().verbs.certify.then(|| {
        let command = Command::new("certify")
            .about("Solve a board, and write a certificate that the rules alone can check")
            .long_about(
                "Solve a board, and write a certificate that the rules alone can check\n\n\
                 If there is a plan, the certificate contains a shortest plan and the boards that \
                 prove that no plan is shorter. Otherwise it proves that no plan exists, usually by \
                 all reachable boards. The certificate is checked before it is written. `check` and the separate program \
                 `fewest-check` check it again.",
            )
            .arg(instance_arg(puzzle).help(short_instance_help(puzzle)));
        puzzle.arguments(with::<CertifyArgs>(with::<LimitOptions>(command)))
    })
}

pub(super) fn run(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let CertifyArgs { output, layers, json } = parsed(matches)?;
    let (name, reader) = (instance(matches).to_owned(), reader(puzzle, matches)?);
    let files = OutputFiles::new(std::iter::once(&name).chain(reader.second_texts()));
    files.check_writable(&output)?;
    let source = Source::instance(puzzle, &name)?;
    let data_set = source.only_data_set(&*reader, "a certificate")?;
    let run = Run::start();
    run.start("board", None);
    let budget = run.budget(parsed::<LimitOptions>(matches)?.limits());
    let subject = if layers { Subject::Layers } else { Subject::Answer };
    let made = capability(data_set.instance.certifier())?.certify(subject, &budget);
    let made = made.map_err(|error| Failure::from(error).in_data_set(&data_set.name()))?;
    files.write(&output, |out| Ok(out.write_all(&made.file)?))?;
    let mut out = standard_output();
    let name = data_set.name();
    if json {
        results::write(puzzle.info().name, &CertifyReport::new(&name, &made), &mut out)?;
    } else {
        let (claim, bytes, file) = (&made.claim, made.file.len(), output.display());
        writeln!(out, "{name}: {claim}; {file} has {bytes} bytes")?;
    }
    out.flush()?;
    Ok(Exit::Answered)
}
