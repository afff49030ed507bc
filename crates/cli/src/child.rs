//! Another program that is run with a text on its standard input, within limits.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use bytesize::ByteSize;

use crate::failure::Failure;
use crate::subprocess::{self, kill};

/// How long the streams of a program that has ended may stay open. Only a process that left its
/// group holds them open.
const STREAMS_CLOSE: Duration = Duration::from_secs(5);
/// The longest time between two looks at a running program.
const POLL_INTERVAL: Duration = Duration::from_millis(2);
/// What is kept of standard error.
const MAX_ERROR_BYTES: usize = 4096;

/// A program and its arguments.
pub(crate) struct Program {
    pub(crate) name: String,
    arguments: Vec<String>,
    pub(crate) limits: ChildLimits,
}

/// The limits of a run.
#[derive(Clone, Copy)]
pub(crate) struct ChildLimits {
    pub(crate) time: Duration,
    /// The address space; limited on Linux only.
    pub(crate) memory: ByteSize,
    /// The bytes of standard output.
    pub(crate) output: usize,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// With exit code 0.
    Normally,
    /// With another exit code or by a signal, in words.
    Crashed(String),
    TimeOut,
    TooMuchOutput,
    /// It ended normally, and a process that it started still holds its standard output open.
    OpenOutput,
    /// Ctrl-C stopped it.
    Interrupted,
}

/// A run.
pub(crate) struct Ran {
    pub(crate) ended: Ended,
    pub(crate) output: String,
    /// The beginning of standard error.
    pub(crate) errors: String,
}

/// Bytes of a stream, which a thread of its own collects.
type Collected = Arc<Mutex<Vec<u8>>>;

impl Program {
    /// A program from its command line: words as a shell splits them, with quotes but without
    /// expansion, or the name of an existing file.
    pub(crate) fn new(command_line: &str, limits: ChildLimits) -> Result<Self, Failure> {
        let words = shell_words::split(command_line);
        let words = words.map_err(|_| Failure::usage("`--program` has a quote without its end"))?;
        let mut words = words.into_iter();
        let (name, arguments) = match Path::new(command_line).is_file() {
            true => (command_line.to_owned(), Vec::new()),
            false => (words.next().unwrap_or_default(), words.collect()),
        };
        if name.is_empty() {
            return Err(Failure::usage("`--program` needs the name of a program"));
        }
        Ok(Self { name, arguments, limits })
    }

    /// The words of the command line.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        [&self.name].into_iter().chain(&self.arguments).map(String::as_str)
    }

    /// Runs the program with a text on standard input. `is_interrupted` ends it early.
    pub(crate) fn run(
        &self,
        input: &[u8],
        is_interrupted: impl Fn() -> bool,
    ) -> Result<Ran, Failure> {
        let mut child = self.spawn()?;
        let (output, errors) = (Collected::default(), Collected::default());
        let mut readers = Vec::new();
        let most = self.limits.output;
        if let Some(stdout) = child.stdout.take() {
            readers.push(collect(stdout, most + 1, &output));
        }
        if let Some(stderr) = child.stderr.take() {
            readers.push(collect(stderr, MAX_ERROR_BYTES, &errors));
        }
        if let Some(mut stdin) = child.stdin.take() {
            let input = input.to_vec();
            // A program may end before it has read everything.
            thread::spawn(move || stdin.write_all(&input));
        }
        let is_too_much = || lock(&output).len() > most;
        let ended = self.wait(&mut child, is_too_much, is_interrupted)?;
        // What the program started, it may have left behind.
        kill(&mut child);
        let closed_at = Instant::now() + STREAMS_CLOSE;
        while readers.iter().any(|reader| !reader.is_finished()) && Instant::now() < closed_at {
            thread::sleep(Duration::from_micros(100));
        }
        // That of standard output.
        let is_open = readers.first().is_some_and(|reader| !reader.is_finished());
        let ended = match ended {
            _ if is_too_much() => Ended::TooMuchOutput,
            Ended::Normally if is_open => Ended::OpenOutput,
            ended => ended,
        };
        lock(&output).truncate(most);
        let text = |bytes: &Collected| String::from_utf8_lossy(&lock(bytes)).into_owned();
        let output = text(&output);
        Ok(Ran { ended, output, errors: text(&errors) })
    }

    fn spawn(&self) -> Result<Child, Failure> {
        let mut command = Command::new(&self.name);
        command.args(&self.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        subprocess::confine(&mut command, self.limits.memory);
        command.spawn().map_err(|error| {
            let hint = match error.kind() {
                io::ErrorKind::NotFound if !self.name.contains('/') => {
                    format!("a program in this folder is `./{}`", self.name)
                }
                io::ErrorKind::PermissionDenied => "is it executable?".to_owned(),
                _ => {
                    "`--program` takes a program and its arguments, separated by spaces".to_owned()
                }
            };
            Failure::usage_with_hint(format!("cannot start `{}`: {error}", self.name), hint)
        })
    }

    /// Waits for the end of the program, and kills it at a limit.
    fn wait(
        &self,
        child: &mut Child,
        is_too_much: impl Fn() -> bool,
        is_interrupted: impl Fn() -> bool,
    ) -> Result<Ended, Failure> {
        // A time that the clock cannot hold is no limit.
        let end = Instant::now().checked_add(self.limits.time);
        let mut pause = Duration::from_micros(50);
        loop {
            let status = child.try_wait();
            let status =
                status.map_err(|error| Failure::Read { origin: self.name.clone(), error })?;
            let stopped = match status {
                Some(status) if status.success() => return Ok(Ended::Normally),
                Some(status) => return Ok(Ended::Crashed(describe(status))),
                None if is_too_much() => Some(Ended::TooMuchOutput),
                None if end.is_some_and(|end| Instant::now() >= end) => Some(Ended::TimeOut),
                None if is_interrupted() => Some(Ended::Interrupted),
                None => None,
            };
            if let Some(stopped) = stopped {
                kill(child);
                // Killed, so it ends at once.
                let _ = child.wait();
                return Ok(stopped);
            }
            thread::sleep(pause);
            pause = POLL_INTERVAL.min(pause * 2);
        }
    }
}

fn lock(bytes: &Collected) -> std::sync::MutexGuard<'_, Vec<u8>> {
    bytes.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a stream to its end, and keeps its first bytes.
fn collect(
    mut stream: impl Read + Send + 'static,
    most: usize,
    bytes: &Collected,
) -> thread::JoinHandle<()> {
    let bytes = Arc::clone(bytes);
    thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        loop {
            let read = match stream.read(&mut buffer) {
                Ok(read @ 1..) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Ok(_) | Err(_) => return,
            };
            let mut bytes = lock(&bytes);
            let kept = read.min(most.saturating_sub(bytes.len()));
            bytes.extend_from_slice(&buffer[..kept]);
        }
    })
}

/// How a program ended that did not succeed.
fn describe(status: ExitStatus) -> String {
    if let Some(signal) = subprocess::signal_of(status) {
        let name = match signal {
            4 => " (illegal instruction)",
            6 => " (aborted)",
            8 => " (arithmetic error)",
            9 => " (killed)",
            11 => " (segmentation fault)",
            _ => "",
        };
        return format!("signal {signal}{name}");
    }
    status.code().map_or_else(|| "an unknown status".to_owned(), |code| format!("exit code {code}"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const LIMITS: ChildLimits =
        ChildLimits { time: Duration::from_secs(10), memory: ByteSize::gib(1), output: 1000 };

    fn run(command: &str, limits: ChildLimits) -> Ran {
        let program = Program {
            name: "sh".to_owned(),
            arguments: vec!["-c".to_owned(), command.to_owned()],
            limits,
        };
        program.run(b"a\nb\n", || false).expect("sh starts")
    }

    #[test]
    fn output_and_exit_codes_are_reported() {
        let ran = run("cat; echo c; echo wrong >&2", LIMITS);
        assert_eq!(
            (ran.ended, &*ran.output, &*ran.errors),
            (Ended::Normally, "a\nb\nc\n", "wrong\n")
        );
        assert_eq!(run("exit 3", LIMITS).ended, Ended::Crashed("exit code 3".to_owned()));
        let aborted = run("kill -ABRT $$", LIMITS).ended;
        assert_eq!(aborted, Ended::Crashed("signal 6 (aborted)".to_owned()));
        // A program that reads nothing is no error.
        assert_eq!(run("true", LIMITS).ended, Ended::Normally);
    }

    #[test]
    fn limits_end_a_program_and_what_it_started() {
        let short = ChildLimits { time: Duration::from_millis(200), ..LIMITS };
        let start = Instant::now();
        assert_eq!(run("sleep 60 & sleep 60", short).ended, Ended::TimeOut);
        // It ends, but what it started holds its output open.
        assert_eq!(run("sleep 60 & echo a", LIMITS).output, "a\n");
        let ran = run("yes", LIMITS);
        assert_eq!((ran.ended, ran.output.len()), (Ended::TooMuchOutput, LIMITS.output));
        assert!(start.elapsed() < Duration::from_secs(30), "nothing waits for `sleep`");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn output_that_stays_open_is_reported() {
        let ran = run("setsid sleep 8 2>/dev/null & sleep 1; echo a", LIMITS);
        assert_eq!((ran.ended, &*ran.output), (Ended::OpenOutput, "a\n"));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_is_limited() {
        let small = ChildLimits { memory: ByteSize::mib(64), ..LIMITS };
        // Reads everything into one string.
        let ran = run("x=$(head -c 200000000 /dev/zero | tr '\\0' a); echo $?", small);
        assert_ne!((ran.ended, &*ran.output), (Ended::Normally, "0\n"));
    }

    #[test]
    fn a_program_that_does_not_start_is_a_usage_error() {
        let program = Program::new("no-such-program --fast", LIMITS).expect("a name");
        let failure = program.run(b"", || false).err().expect("it does not exist");
        assert!(matches!(failure, Failure::Usage { .. }), "{failure}");
        assert!(Program::new(" ", LIMITS).is_err());
    }
}
