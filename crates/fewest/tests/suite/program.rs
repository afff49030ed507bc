//! Runs the built programs as a user does.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The result of a program.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The root of the repository. Relative paths in arguments start there.
pub(crate) fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("the crate is two folders below the root").to_owned()
}

/// `fewest` or the program of a puzzle, with the root of the repository as working directory.
pub(crate) fn program(name: &str) -> Command {
    assert!(name == "fewest" || puzzles().any(|puzzle| puzzle == name), "no program {name}");
    let mut command = Command::new(Path::new(env!("CARGO_BIN_EXE_fewest")).with_file_name(name));
    reset_environment(&mut command);
    command.current_dir(root()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Removes the influence of the user's terminal settings.
fn reset_environment(command: &mut Command) {
    for name in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command.env("LC_ALL", "C.UTF-8");
}

/// Runs a line in a shell with the programs in `PATH`. Returns the exit code and the output of both
/// streams. `serve` gets a Ctrl-C when it says that this ends it.
pub(crate) fn shell(line: &str, folder: &Path) -> (Option<i32>, String) {
    #[cfg(unix)]
    if let Some(rest) = line.split_once(" serve").map(|(_, rest)| rest)
        && !rest.contains(['|', ';', '&'])
    {
        return served(line, folder, "note: press Ctrl-C to stop the server");
    }
    let output = in_shell(&format!("{{ {line}\n}} 2>&1"), folder).output().expect("a shell");
    (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
}

/// Runs a line that serves a page, until this is in its output; then it gets a Ctrl-C. The exit
/// code is 0 if the program ended as it says.
#[cfg(unix)]
pub(crate) fn served(line: &str, folder: &Path, until: &str) -> (Option<i32>, String) {
    use std::io::{BufRead, BufReader};
    let mut child = in_shell(&format!("exec {line} 2>&1"), folder).spawn().expect("a shell");
    let process = child.id().to_string();
    let signal = |name: &str, process: &str| {
        Command::new("kill").args([name, process]).status().expect("kill");
    };
    let (ended, is_ended) = std::sync::mpsc::channel::<()>();
    let patience = std::time::Duration::from_secs(60);
    let too_long = process.clone();
    let guard = std::thread::spawn(move || {
        if is_ended.recv_timeout(patience) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            signal("-KILL", &too_long);
        }
    });
    let mut output = String::new();
    for line in BufReader::new(child.stdout.take().expect("a pipe")).lines() {
        let line = line.expect("UTF-8");
        output += &format!("{line}\n");
        if line == until {
            signal("-INT", &process);
        }
    }
    let code = child.wait().expect("it ends").code();
    drop(ended);
    guard.join().expect("no panic");
    let is_served = code == Some(130) && output.contains("http://127.0.0.1:");
    (if is_served { Some(0) } else { code }, output)
}

/// A command for a shell with the programs in `PATH`.
fn in_shell(line: &str, folder: &Path) -> Command {
    let bin = Path::new(env!("CARGO_BIN_EXE_fewest")).parent().expect("a folder").to_owned();
    let path = env::join_paths(
        [bin].into_iter().chain(env::split_paths(&env::var_os("PATH").expect("a path"))),
    );
    let mut command = Command::new("sh");
    reset_environment(&mut command);
    command.env("PATH", path.expect("a path")).current_dir(folder);
    command.args(["-c", line]).stdout(Stdio::piped());
    command
}

/// Runs a command line, split at white space, with `input` on standard input. `NAME=VALUE` before
/// the program sets an environment variable.
pub(crate) fn run(line: &str, input: &[u8]) -> Run {
    let mut words = line.split_whitespace().peekable();
    let mut environment = Vec::new();
    while let Some(variable) = words.peek().and_then(|word| word.split_once('=')) {
        environment.push(variable);
        words.next();
    }
    let mut command = program(words.next().expect("a program"));
    command.envs(environment);
    let mut child = command.args(words).stdin(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let output = std::thread::scope(|scope| {
        // A program that refuses its command line does not read its input; ignore the write error.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("it ends")
    });
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// Sends a signal to a program that has the option `--progress`, at its first report of progress,
/// which proves that its work has started. Returns the result.
#[cfg(target_os = "linux")]
pub(crate) fn signal_at_work(mut child: std::process::Child, signal: &str) -> Run {
    use std::io::{BufRead, BufReader, Read};
    let (mut out, mut err) = (String::new(), String::new());
    let mut stdout = child.stdout.take().expect("a pipe");
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    std::thread::scope(|scope| {
        // Read at the same time, so that the program does not wait for its reader.
        scope.spawn(|| stdout.read_to_string(&mut out).expect("text"));
        while !err.contains("progress: ") {
            assert!(stderr.read_line(&mut err).expect("a line") > 0, "no progress: {err}");
        }
        let process = child.id().to_string();
        assert!(Command::new("kill").args([signal, &process]).status().expect("kill").success());
        stderr.read_to_string(&mut err).expect("text");
    });
    Run { code: child.wait().expect("it ends").code(), out, err }
}

/// The programs of the puzzles.
pub(crate) fn puzzles() -> impl Iterator<Item = &'static str> {
    fewest_catalog::PUZZLES.iter().map(|puzzle| puzzle.info().name)
}

/// The data files of a puzzle, without `.in`.
pub(crate) fn data_files(puzzle: &str) -> Vec<String> {
    let folder = root().join("testdata").join(puzzle);
    let entries = std::fs::read_dir(folder)
        .expect("the test data")
        .map(|entry| entry.expect("an entry").file_name());
    let names = entries.map(|name| name.into_string().expect("UTF-8"));
    let mut stems: Vec<_> =
        names.filter_map(|name| Some(name.strip_suffix(".in")?.to_owned())).collect();
    stems.sort();
    assert!(!stems.is_empty());
    stems
}
