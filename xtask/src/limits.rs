//! `cargo xtask limits`: measures whether whole processes stay within `--memory` and `--time`.
//!
//! Runs verbs that search, and all output formats, on large inputs of each puzzle. The result is a
//! table.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{Write, stderr, stdout};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Context;
use fewest_puzzle::random::Random;
use fewest_testing::maps::{octile, routes_through, scenario, serpentine};
use fewest_testing::process::{Usage, allowed_peak_bytes, measure};

use crate::{cargo, root, target};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Run only the commands that contain this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,

    /// Time limit of each run that measures memory
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    memory_run_seconds: u64,

    /// Also write the table to docs/limits.md
    #[arg(long)]
    write_docs: bool,
}

const MIB: u64 = 1 << 20;

/// The memory limits to measure, in bytes.
const MEMORY_LIMITS: [u64; 3] = [64 * MIB, 256 * MIB, 1024 * MIB];

/// The time that a process with `--time 1s` is allowed: 1.1 s per data set.
fn allowed_time(line: &str) -> Duration {
    Duration::from_millis(1100) * if line.contains("IN/mazes.in") { MAZES } else { 1 }
}

/// The number of data sets in `mazes.in`.
const MAZES: u32 = 20;

/// The command lines. `IN/` stands for the input folder and `OUT/` for the output folder.
const COMMANDS: &[&str] = &[
    "halloween IN/hall.txt",
    "halloween IN/hall.txt --engine bfs",
    "halloween explore IN/three.txt --representation table --threads 2",
    "halloween explore IN/three.txt --representation bits --threads 2",
    "halloween explore IN/three.txt --representation two-bits --threads 2",
    "halloween explore IN/three.txt --representation two-bits --threads 2 --disk OUT/disk",
    "halloween explore IN/three.txt --representation runs --threads 2 --disk OUT/disk",
    "halloween explore IN/three.txt --checkpoint OUT/checkpoint",
    "halloween solve IN/serpentine.map --scenario IN/1.scen",
    "halloween solve IN/serpentine.map --scenario IN/1.scen --show",
    "halloween solve IN/serpentine.map --scenario IN/1.scen --show --every 400",
    "halloween solve IN/serpentine.map --scenario IN/1.scen --show -o OUT/1.gif --cell 12",
    "halloween solve IN/serpentine.map --scenario IN/26.scen",
    "halloween solve IN/serpentine.map --scenario IN/26.scen --json",
    "halloween solve IN/serpentine.map --scenario IN/26.scen --show",
    "halloween solve IN/serpentine.map --scenario IN/26.scen --show --every 400",
    "halloween solve IN/serpentine.map --scenario IN/26.scen --show -o OUT/26.svg",
    "halloween solve IN/serpentine.map --scenario IN/26.scen --show -o OUT/26.svg --every 100",
    "halloween solve IN/serpentine.map --scenario IN/26.scen --show -o OUT/26.svg --animate",
    "halloween solve IN/serpentine.map --scenario IN/26.scen --show -o OUT/26.gif --cell 8",
    "halloween solve IN/serpentine.map --scenario IN/60.scen --json",
    "halloween solve IN/serpentine.map --scenario IN/200.scen",
    "halloween solve IN/serpentine.map --scenario IN/200.scen --json",
    "halloween solve IN/serpentine.map --scenario IN/200.scen --show -o OUT/200.svg --every 400",
    "halloween solve IN/serpentine.map --scenario IN/3.scen --engine bfs",
    "halloween solve IN/serpentine.map --scenario IN/3.scen --engine astar",
    "halloween solve IN/open.map --scenario IN/1500.scen",
    "halloween solve IN/open.map --scenario IN/1500.scen --json",
    "halloween solve IN/open.map --scenario IN/1500.scen --hint",
    "halloween solve IN/open.map --scenario IN/1500.scen --show",
    "halloween solve IN/open.map --scenario IN/1500.scen --show -o OUT/1500.svg",
    "halloween solve IN/open.map --scenario IN/1500.scen --show -o OUT/1500.gif --cell 12",
    "wall-pusher IN/maze.in --size 8x8 --engine bfs",
    "wall-pusher solve IN/maze.in --size 8x8",
    "wall-pusher solve IN/maze.in --size 8x8 --engine bfs --json",
    "wall-pusher solve IN/mazes.in --size 8x8 --engine bfs",
    "wall-pusher solve IN/mazes.in --size 8x8 --engine astar --threads 2",
    "wall-pusher solve larger --all",
    "wall-pusher solve larger --show -o OUT/larger.gif",
    "wall-pusher explore IN/maze.in --size 8x8",
    "wall-pusher explore IN/mazes.in --size 8x8 --json",
    "wall-pusher explore IN/maze.in --size 8x8 --disk OUT/disk",
    "wall-pusher solve IN/maze.in --size 8x8 --disk OUT/disk --threads 2",
    "wall-pusher explore IN/maze.in --size 8x8 --plot OUT/plot.svg",
    "klotski IN/lanes-20.txt --metric unit",
    "klotski solve IN/lanes-20.txt --metric unit",
    "klotski solve IN/lanes-20.txt --metric unit --json",
    "klotski solve IN/lanes-20.txt --metric unit --engine astar",
    "klotski solve IN/lanes-11.txt --metric unit --all --limit 1000000",
    "klotski solve IN/lanes-11.txt --metric unit --show -o OUT/lanes.gif",
    "klotski explore IN/lanes-20.txt --metric unit",
    "klotski explore IN/lanes-20.txt --metric unit --json",
    "klotski explore IN/lanes-20.txt --metric unit --disk OUT/disk",
    "klotski explore IN/lanes-20.txt --metric unit --disk OUT/disk --threads 2",
    "klotski explore IN/lanes-20.txt --metric unit --checkpoint OUT/checkpoint",
    "klotski certify IN/lanes-11.txt --metric unit -o OUT/certificate",
    "klotski explore IN/lanes-11.txt --metric unit --diameter",
    "klotski explore IN/lanes-11.txt --metric unit --export graphml",
    "klotski explore IN/lanes-11.txt --metric unit --export dot",
    "klotski explore IN/lanes-11.txt --metric unit --export csv",
    "klotski explore IN/lanes-11.txt --metric unit --export jsonl",
    "klotski generate IN/lanes-11.txt --metric unit --exhaustive",
    "klotski generate IN/lanes-11.txt --metric unit --tries 3 --unique",
    "klotski rank IN/lanes-11.txt --metric unit",
    "klotski census --hardest",
    "black-white IN/halves.in --size 256x256",
    "black-white IN/halves.in --size 256x256 --count-only",
    "black-white solve IN/random.in --size 1024x1024",
    "black-white solve IN/random.in --size 1024x1024 --json",
    "black-white solve IN/random.in --size 1024x1024 --show",
    "black-white solve IN/random.in --size 1024x1024 --show -o OUT/random.svg",
    "black-white solve IN/random.in --size 1024x1024 --show -o OUT/random.gif --cell 4",
    "black-white solve IN/alike.in --size 800x800 --show -o OUT/alike.svg",
    "black-white solve IN/halves.in --size 256x256",
    "black-white solve IN/halves.in --size 256x256 --json",
    "black-white solve IN/halves.in --size 256x256 --show -o OUT/halves.svg --every 1000000",
    "black-white solve IN/square.in --size 8x8 --engine bfs",
    "black-white solve IN/square.in --size 8x8 --all",
];

/// Returns whether all processes stayed within their limits.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let built = Command::new(cargo())
        .args(["build", "--release", "-p", "fewest"])
        .current_dir(root())
        .status();
    anyhow::ensure!(built.context("cannot start cargo")?.success(), "the programs do not build");
    let folder = target().join("limits");
    let (inputs, outputs) = (folder.join("in"), folder.join("out"));
    fs::create_dir_all(&inputs)?;
    fs::create_dir_all(&outputs)?;
    write_inputs(&inputs)?;
    let expand = |line: &str| {
        line.replace("IN/", &format!("{}/", inputs.display()))
            .replace("OUT/", &format!("{}/", outputs.display()))
    };
    let mut table = Table::new();
    for line in COMMANDS.iter().filter(|line| line.contains(&arguments.only)) {
        let _ = writeln!(stderr(), "{line}");
        let memory_run_time = Duration::from_secs(arguments.memory_run_seconds);
        let run = |memory: u64, time: Duration| {
            let _ = fs::remove_dir_all(outputs.join("checkpoint"));
            measure_line(&format!(
                "{} --memory {memory} --time {}ms",
                expand(line),
                time.as_millis()
            ))
        };
        let peaks =
            MEMORY_LIMITS.map(|memory| run(memory, memory_run_time).map(|usage| (memory, usage)));
        let [small, middle, large] = peaks;
        let timed = run(1024 * MIB, Duration::from_secs(1))?;
        table.add(line, [small?, middle?, large?], timed);
    }
    write!(stdout(), "{}", table.text)?;
    fs::write(folder.join("report.md"), &table.text)?;
    if arguments.write_docs {
        fs::write(root().join("docs/limits.md"), &table.text)?;
    }
    Ok(table.violations == 0)
}

/// Runs a command line with a program of the release build.
fn measure_line(line: &str) -> anyhow::Result<Usage> {
    let mut words = line.split_whitespace();
    let program = target().join("release").join(words.next().context("the command line is empty")?);
    let mut command = Command::new(program);
    command.args(words).arg("--quiet").stdin(Stdio::null()).stderr(Stdio::null());
    // A file, as with a shell redirection.
    command.stdout(File::create(target().join("limits/out/stdout"))?);
    Ok(measure(&mut command)?)
}

struct Table {
    text: String,
    /// The number of cells that exceed a limit or have an unexpected exit code.
    violations: usize,
}

impl Table {
    fn new() -> Self {
        let mut text = "# Limits\n\n\
            The peak resident memory of the whole process in MiB for each `--memory`, and its \
            time with `--time 1s`, as\nmeasured by `cargo xtask limits`. The allowed peak is the \
            limit plus 10 % plus 16 MB. The allowed time is 1.1 s\nper data set; `mazes.in` has \
            20. **Bold** marks a value that exceeds these, or an exit code other \
            than 0, 2, 10, 20, 21 and 22.\nThe first column of exit codes is for the three memory \
            limits, the second for `--time 1s`.\n\n\
            | command |"
            .to_owned();
        for memory in MEMORY_LIMITS {
            let _ = write!(text, " {} MiB |", memory / MIB);
        }
        text += " exit codes (memory) | time | exit code (time) |\n| --- | --- | --- | --- | --- | --- | --- |\n";
        Self { text, violations: 0 }
    }

    fn add(&mut self, line: &str, peaks: [(u64, Usage); 3], timed: Usage) {
        let code = |usage: &Usage| {
            usage.status.code().map_or("killed".to_owned(), |code| code.to_string())
        };
        let mut cell = |text: String, is_allowed: bool| {
            self.violations += usize::from(!is_allowed);
            if is_allowed { format!(" {text} |") } else { format!(" **{text}** |") }
        };
        let mut row = format!("| {} |", line.replace("IN/", "").replace("OUT/", ""));
        for (limit, usage) in &peaks {
            let peak = usage
                .peak_bytes
                .map_or("unknown".to_owned(), |peak| peak.div_ceil(MIB).to_string());
            row += &cell(
                peak,
                usage.peak_bytes.is_some_and(|peak| peak <= allowed_peak_bytes(*limit)),
            );
        }
        // Answers, bad usage or input, and limits; not an internal error and not a signal.
        let is_expected = |usage: &Usage| matches!(usage.status.code(), Some(0 | 2 | 10 | 20..=22));
        let codes: Vec<String> = peaks.iter().map(|(_, usage)| code(usage)).collect();
        row += &cell(codes.join(", "), peaks.iter().all(|(_, usage)| is_expected(usage)));
        row += &cell(
            format!("{:.2} s", timed.elapsed.as_secs_f64()),
            timed.elapsed <= allowed_time(line),
        );
        row += &cell(code(&timed), is_expected(&timed));
        self.text += &row;
        self.text.push('\n');
    }
}

fn write_inputs(folder: &Path) -> anyhow::Result<()> {
    let write = |name: &str, text: String| {
        fs::write(folder.join(name), text).with_context(|| format!("cannot write {name}"))
    };
    let (map, corridor) = serpentine(255);
    write("serpentine.map", map)?;
    for agents in [1, 3, 26, 60, 200] {
        write(&format!("{agents}.scen"), scenario(routes_through(&corridor, agents), 255))?;
    }
    let side = 64;
    write("open.map", octile(&vec![".".repeat(side); side]))?;
    let mut random = Random::from_seed(1);
    let mut shuffled = || {
        let mut cells: Vec<(usize, usize)> =
            (0..side * side).map(|cell| (cell % side, cell / side)).collect();
        random.shuffle(&mut cells);
        cells
    };
    write(
        "hall.txt",
        "40 20 6\n".to_owned()
            + &format!("abcdef{0}\n{1}FEDCBA{0}\n0 0 0\n", " ".repeat(34), "\n".repeat(18)),
    )?;
    let rest = "\n".repeat(18);
    write("three.txt", format!("20 20 3\nabc{rest}\n{}CBA\n", " ".repeat(17)))?;
    write("1500.scen", scenario(shuffled().into_iter().zip(shuffled()).take(1500), side))?;

    let generate = |seed: u64| -> anyhow::Result<String> {
        let options = format!("generate --size 8x8 --walls 30 --gaps 0 --seed {seed}");
        let output =
            Command::new(target().join("release/wall-pusher")).args(options.split(' ')).output()?;
        anyhow::ensure!(output.status.success(), "wall-pusher cannot generate a maze");
        Ok(String::from_utf8(output.stdout)?)
    };
    write("maze.in", generate(3)?)?;
    write("mazes.in", generate(3)?.repeat(MAZES as usize))?;
    for columns in [11, 20] {
        write(&format!("lanes-{columns}.txt"), lanes(6, columns))?;
    }
    let mut random = Random::from_seed(1);
    let mut pieces = |cells: usize, black: &dyn Fn(usize) -> bool| {
        let mut board: Vec<bool> = (0..cells).map(black).collect();
        random.shuffle(&mut board);
        digits(board)
    };
    let half = |cells: usize| move |cell: usize| cell < cells / 2;
    write("random.in", pieces(1 << 20, &half(1 << 20)) + &pieces(1 << 20, &half(1 << 20)))?;
    write("square.in", pieces(64, &half(64)) + &pieces(64, &half(64)))?;
    write("alike.in", pieces(800 * 800, &half(800 * 800)).repeat(2))?;
    let cells = 1 << 16;
    write(
        "halves.in",
        digits((0..cells).map(half(cells)).collect())
            + &digits((0..cells).rev().map(half(cells)).collect()),
    )
}

/// A board with one piece per row, each locked to its row. Every order of their moves is a shortest
/// plan.
fn lanes(rows: usize, columns: usize) -> String {
    let pieces = || ('A'..='Z').take(rows);
    let board: String =
        pieces().map(|piece| format!("{piece}{}\n", ".".repeat(columns - 1))).collect();
    let goals = pieces().zip(1..).map(|(piece, row)| format!("goal: {piece} at {row},{columns}\n"));
    board + &goals.collect::<String>() + "lock: horizontal\n"
}

fn digits(board: Vec<bool>) -> String {
    board.into_iter().map(|black| if black { '1' } else { '0' }).chain(['\n']).collect()
}
