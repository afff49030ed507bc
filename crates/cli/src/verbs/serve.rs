//! `serve`: a page on this machine.

use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use bytesize::ByteSize;
use clap::{ArgMatches, Args, Command};
use fewest_core::budget::Limits;
use fewest_puzzle::any::AnyInstance;
use fewest_puzzle::builtin;
use fewest_puzzle::options::{OptionSource, Whole, parse_memory, parse_time};
use fewest_web::{Config, Server};
use serde_json::json;

use crate::PuzzleRef;
use crate::args::{instance_arg, parsed, reader, with};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Source;
use crate::message::note;
use crate::output::standard_output;
use crate::run::Run;

#[derive(Args)]
#[group(skip)]
struct ServeArgs {
    /// Port of the page; a free one by default
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,

    /// Open the page in the browser of the system
    #[arg(long)]
    open: bool,

    /// Stop each search after this time, such as `10s` or `5m`
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = parse_time)]
    time: Duration,

    /// Memory that all searches together may use, such as `500MB` or `16GiB`
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = parse_memory)]
    memory: ByteSize,

    /// Number of searches at once, each with an equal share of --memory; by default that of the
    /// processors, up to 4. Further ones wait
    #[arg(long, value_name = "COUNT")]
    threads: Option<Whole<1, 1024>>,
}

pub(crate) fn command() -> Command {
    let command = Command::new("serve")
        .about("Play, solve and look at puzzles in the browser")
        .long_about(
            "Play, solve and look at puzzles in the browser\n\n\
             Prints the address of a page and serves it until Ctrl-C. Only programs on this machine \
             can reach it, and only with the token in the address.",
        );
    with::<ServeArgs>(command)
}

/// The same for one puzzle.
pub(crate) fn of_puzzle(puzzle: PuzzleRef) -> Command {
    let command = command().arg(instance_arg(puzzle).required(false));
    // The options of others have their place on the page.
    if puzzle.info().two_texts.is_some() { puzzle.arguments(command) } else { command }
}

/// Serves the page of one puzzle, which begins with an instance if one is given.
pub(crate) fn run_one(puzzle: PuzzleRef, matches: &ArgMatches) -> Result<Exit, Failure> {
    let start = matches.get_one::<PathBuf>("instance").map(|name| {
        if let Some(builtin) = builtin::find(puzzle.info().builtins, name) {
            return Ok(builtin.text.to_owned());
        }
        let of_page = puzzle.reader(OptionSource::Json(&json!({})))?;
        let of_command = puzzle.info().two_texts.map(|_| reader(puzzle, matches)).transpose()?;
        let reader = of_command.as_ref().unwrap_or(&of_page);
        let sources = Source::instances(puzzle, std::slice::from_ref(name))?;
        let first = sources.iter().flat_map(|source| source.data_sets(&**reader)).next();
        let data_set = first.ok_or_else(|| Failure::usage("there is no data set"))??;
        let text = data_set.instance.drawing();
        let again = of_page.read(text.as_bytes()).next();
        // For example, one agent may start where another one ends.
        let is_same = |again: &Arc<dyn AnyInstance>| again.part() == data_set.instance.part();
        if !matches!(&again, Some(Ok(again)) if is_same(again)) {
            let what = "is too large for the page, or cannot be written as one text";
            return Err(Failure::usage(format!("{} {what}", data_set.name())));
        }
        Ok::<_, Failure>(text)
    });
    // The program ends with its server, so that the list of one is never freed.
    run(Box::leak(Box::new([puzzle])), start.transpose()?, matches)
}

/// Serves the page of these puzzles until a signal.
pub(crate) fn run(
    puzzles: &'static [PuzzleRef],
    start: Option<String>,
    matches: &ArgMatches,
) -> Result<Exit, Failure> {
    let ServeArgs { port, open, time, memory, threads } = parsed(matches)?;
    let threads = threads.map_or_else(processors, Whole::to_threads);
    let limits = Limits { time: Some(time), memory_bytes: Some(memory.as_u64()), states: None };
    let server = Server::bind(puzzles, Config { start, port, limits, threads });
    let server = server.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied => Failure::usage_with_hint(
            format!("port {port} cannot be used: {error}"),
            "without `--port`, a free one is taken",
        ),
        _ => Failure::Serve(error),
    })?;
    let run = Run::without_report();
    let url = server.url();
    let mut out = standard_output();
    writeln!(out, "{url}")?;
    out.flush()?;
    note(format_args!("note: Ctrl-C ends the server"));
    // The file has the address, so that the list of processes, which all users can read, has not.
    let page = open.then(|| redirection(&url)).transpose().map_err(Failure::Serve)?;
    if let Some(page) = &page
        // The error has nothing but how the last of several programs ended.
        && open::that_detached(page.path()).is_err()
    {
        note(format_args!("note: no browser starts; open the address yourself"));
    }
    server.run(run.interrupted()).map_err(Failure::Serve)?;
    Ok(Exit::Interrupted)
}

fn processors() -> NonZero<usize> {
    let processors = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    processors.min(const { NonZero::<usize>::new(4).unwrap() })
}

/// A page that only this user can read and that leads to an address.
fn redirection(url: &str) -> io::Result<tempfile::NamedTempFile> {
    let mut page = tempfile::Builder::new().prefix("fewest-").suffix(".html").tempfile()?;
    write!(page, "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url={url}\">")?;
    page.flush()?;
    Ok(page)
}
