//! A puzzle that is only added to a list has all verbs that it can have: water jugs, the example of
//! fewest-puzzle. This test starts itself as the program of the puzzle.

#[path = "../../puzzle/examples/water_jugs.rs"]
#[expect(unreachable_pub, reason = "the example is a library")]
mod water_jugs;

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, ExitCode, Output, Stdio};

use fewest_puzzle::AnyPuzzle;
use serde_json::{Value, json};

static PUZZLES: &[&dyn AnyPuzzle] = &[fewest_catalog::KLOTSKI, &water_jugs::WaterJugs];

/// If it is set, this is the program.
const IS_PROGRAM: &str = "FEWEST_TEST_PROGRAM";

fn main() -> ExitCode {
    if env::var_os(IS_PROGRAM).is_some() {
        return fewest_cli::fewest(PUZZLES);
    }
    solved_verified_shown_listed_and_explored();
    json_contest_mode_help_and_completions();
    a_verb_that_the_puzzle_does_not_have_is_named();
    the_page_has_its_board_and_its_legal_moves();
    ExitCode::SUCCESS
}

fn program() -> Command {
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.stdin(Stdio::null()).env(IS_PROGRAM, "").env("LC_ALL", "C.UTF-8");
    command
}

fn run(line: &str) -> Output {
    program().arg("water-jugs").args(line.split(' ')).output().expect("it runs")
}

fn text(line: &str) -> String {
    let ran = run(line);
    assert!(ran.status.success(), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).expect("UTF-8")
}

fn json(line: &str) -> Value {
    serde_json::from_str(&text(line)).expect("JSON")
}

fn solved_verified_shown_listed_and_explored() {
    let plan = text("solve classic");
    // Two shortest plans measure 4 litres with 5 and 3, and both take 6 moves.
    assert!(plan.starts_with("# classic\n6 moves, optimal\n0 to 1\n1 to 2\n2 to 0\n"), "{plan}");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("plan.txt");
    std::fs::write(&file, &plan).expect("written");
    let file = file.to_str().expect("Unicode");
    assert_eq!(text(&format!("verify classic {file}")), "classic: accepted, 6 moves\n");
    std::fs::write(file, "1 move\n1 to 2\n").expect("written");
    let refused = run(&format!("verify classic {file}"));
    assert_eq!(refused.status.code(), Some(11));
    let refusal = String::from_utf8_lossy(&refused.stdout);
    assert_eq!(refusal, "classic: refused, move 1: nothing is poured\n");
    assert!(text("show classic").contains('1'));
    assert!(text("list").contains("classic      6  4 litres of 5 and 3"));
    // 16 boards: one jug is empty or full on each of them.
    assert!(text("explore classic").contains("\nboards: 16, of which 2 are solved\n"));
    assert!(text("explore classic --export dot").starts_with("digraph water_jugs {\n"));
}

fn json_contest_mode_help_and_completions() {
    let solved = json("solve classic --json");
    assert_eq!(
        (&solved["schema"], &solved["puzzle"]),
        (&"fewest.solve.2".into(), &"water-jugs".into())
    );
    assert_eq!((&solved["cost"], solved["plan"].as_array().map(Vec::len)), (&6.into(), Some(6)));
    let explored = json("explore classic --json");
    assert_eq!((&explored["boards"], &explored["cost"]), (&16.into(), &6.into()));
    assert!(text("--help").contains("Water jugs: measure an amount with jugs that have no marks"));
    let examples = text("verify --help");
    let example = "water-jugs solve classic | water-jugs verify classic -";
    assert!(examples.contains(example), "{examples}");
    assert!(text("completions bash").contains("water-jugs"));
    let mut completed = program();
    completed.env("COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", "3").env("_CLAP_IFS", "\n");
    let completed =
        completed.args(["--", "fewest", "water-jugs", "solve", "cla"]).output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&completed.stdout), "classic");
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), "4 5 3\n1 4 6\n").expect("written");
    assert_eq!(text(file.path().to_str().expect("Unicode")), "6\n-1\n");
}

fn a_verb_that_the_puzzle_does_not_have_is_named() {
    let ran = run("generate");
    assert_eq!(ran.status.code(), Some(2));
    let message = String::from_utf8_lossy(&ran.stderr);
    assert!(message.contains("water-jugs has no `generate`"), "{message}");
    assert!(message.contains(
        "`solve`, `show`, `serve`, `sheet`, `verify`, `list`, `explore` and `completions`"
    ));
}

fn the_page_has_its_board_and_its_legal_moves() {
    let mut server = program().args(["serve"]).stdout(Stdio::piped()).spawn().expect("it runs");
    let mut url = String::new();
    BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut url).expect("an address");
    let (port, token) = url.trim().trim_end_matches('/')["http://127.0.0.1:".len()..]
        .split_once('/')
        .expect("a port and a token");
    let ask = |question: &str, body: &Value| {
        let body = body.to_string();
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).expect("a connection");
        write!(
            stream,
            "POST /{token}/api/{question} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        let first = answer.lines().find(|line| line.starts_with('{')).expect("JSON");
        serde_json::from_str::<Value>(first).expect("JSON")
    };
    let at = |moves: &[&str]| json!({ "at": { "puzzle": "water-jugs", "text": "4 5 3", "moves": moves } });
    let board = ask("board", &at(&["0 to 1"]));
    assert!(board["svg"].as_str().is_some_and(|svg| svg.starts_with("<svg")), "{board}");
    assert_eq!(board["steps"][0]["move"], "0 to 1");
    let moves = |moves: &[&str]| {
        let answer = ask("moves", &at(moves));
        let moves = answer["moves"].as_array().expect("moves").iter();
        moves.map(|step| step["move"].as_str().expect("a move").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(moves(&[]), ["0 to 1", "0 to 2"]);
    assert!(moves(&["0 to 1"]).contains(&"1 to 2".to_owned()));
    // The jugs are always empty at the start, so that only the start is an instance.
    let solved = ask("solve", &at(&[]));
    assert_eq!(solved["answer"]["cost"], 6, "{solved}");
    server.kill().expect("it runs");
    server.wait().expect("it ends");
}
