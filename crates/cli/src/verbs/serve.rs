//! `serve`: serves the page for the browser.

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
use fewest_serve::{Config, Server};
use serde_json::json;

use crate::PuzzleRef;
use crate::args::{instance_arg, parsed, reader, with};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::Source;
use crate::message::note;
use crate::output::standard_output;
use crate::run::Run;

/// The usual port: browsers keep what belongs to a page by its port.
const PORT: u16 = 27181;

#[derive(Args)]
#[group(skip)]
struct ServeArgs {
    /// Port of the page; by default 27181, or a free one if that is in use; 0 is always a free one.
    /// What the page keeps in the browser belongs to the port
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,

    /// Open the page in the browser of the system
    #[arg(long)]
    open: bool,

    /// Stop each search after this time, such as `10s` or `5m`
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = parse_time)]
    time: Duration,

    /// Memory that all searches together may use, such as `500MB` or `16GiB`
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = parse_memory)]
    memory: ByteSize,

    /// Maximum number of concurrent searches, each with an equal share of --memory; by default the
    /// number of processors, up to 4. Further searches wait
    #[arg(long, value_name = "COUNT")]
    threads: Option<Whole<1, 1024>>,
}

pub(crate) fn command() -> Command {
    let command =
        Command::new("serve").about("Play, solve and view puzzles in the browser").long_about(
            "Play, solve and view puzzles in the browser\n\n\
             Serves a page until Ctrl-C and prints its address. Only programs on this machine \
             can reach it, and only with the token in the address.",
        );
    with::<ServeArgs>(command)
}

/// The same for one puzzle.
pub(crate) fn of_puzzle(puzzle: PuzzleRef) -> Command {
    let command = command().arg(instance_arg(puzzle).required(false));
    // Other puzzles have their options on the page.
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
        let is_same = |again: &Arc<dyn AnyInstance>| again.part() == data_set.instance.part();
        if !matches!(&again, Some(Ok(again)) if is_same(again)) {
            let what = "is too large for the page";
            return Err(Failure::usage(format!("{} {what}", data_set.name())));
        }
        Ok::<_, Failure>(text)
    });
    // Leak the one-element list: the server runs until the process exits.
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
    let bind = |port| Server::bind(puzzles, Config { start: start.clone(), port, limits, threads });
    let server = match port {
        Some(port) => bind(port),
        None => bind(PORT).or_else(|_| bind(0)),
    };
    let port = port.unwrap_or(0);
    let server = server.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied => Failure::usage_with_hint(
            format!("port {port} cannot be used: {error}"),
            "leave out `--port` to use a free port",
        ),
        _ => Failure::Serve(error),
    })?;
    let run = Run::without_report();
    let url = server.url();
    let mut out = standard_output();
    writeln!(out, "{url}")?;
    out.flush()?;
    note(format_args!("note: press Ctrl-C to stop the server"));
    // Pass the address in a file, not as an argument: other users can list arguments, and the
    // address contains the token.
    let page = open.then(|| redirection(&url)).transpose().map_err(Failure::Serve)?;
    if let Some(page) = &page
        // The error only describes the last of several commands that were tried, so it is not
        // shown.
        && open::that_detached(page.path()).is_err()
    {
        note(format_args!("note: cannot start a browser; open the address yourself"));
    }
    server.run(run.interrupted()).map_err(Failure::Serve)?;
    Ok(Exit::Interrupted)
}

fn processors() -> NonZero<usize> {
    let processors = thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    processors.min(const { NonZero::<usize>::new(4).unwrap() })
}

/// Creates a page that redirects to an address and that only this user can read.
fn redirection(url: &str) -> io::Result<tempfile::NamedTempFile> {
    let mut page = tempfile::Builder::new().prefix("fewest-").suffix(".html").tempfile()?;
    write!(page, "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url={url}\">")?;
    page.flush()?;
    Ok(page)
}
