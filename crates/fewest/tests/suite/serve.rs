//! The server of `serve`: who is refused, and what it survives.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
#[cfg(target_os = "linux")]
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

#[cfg(target_os = "linux")]
use crate::program::served;
use crate::program::{program, root};

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server.
pub(crate) struct Serving {
    child: Child,
    port: u16,
    token: String,
}

impl Serving {
    /// Starts a program with these arguments.
    pub(crate) fn start(name: &str, args: &[&str]) -> Self {
        let mut child = program(name)
            .arg("serve")
            .args(args)
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("it starts");
        let mut url = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        BufReader::new(stdout).read_line(&mut url).expect("the address");
        let rest = url.trim().strip_prefix("http://127.0.0.1:").expect("the address");
        let (port, token) = rest.trim_end_matches('/').split_once('/').expect("a token");
        Self { child, port: port.parse().expect("a port"), token: token.to_owned() }
    }

    /// The address of the page.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        stream
    }

    /// The head of a request, without the empty line.
    fn head(&self, method: &str, path: &str, headers: &str) -> String {
        let (port, token) = (self.port, &self.token);
        format!("{method} /{token}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{headers}")
    }

    fn post(&self, question: &str, body: &Value) -> String {
        let body = body.to_string();
        let headers = format!(
            "Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n",
            body.len()
        );
        format!("{}\r\n{body}", self.head("POST", &format!("api/{question}"), &headers))
    }

    /// The status and the rest of the answer to a whole request; 0 if the connection was closed.
    fn send(&self, request: &str) -> (u16, String) {
        let mut stream = self.connect();
        // The answer may come before all is sent.
        let _ = stream.write_all(request.as_bytes());
        read_answer(&mut stream)
    }

    /// The status of a request that ends with its head.
    fn status(&self, head: &str) -> u16 {
        self.send(&format!("{head}Connection: close\r\n\r\n")).0
    }

    fn is_alive(&self) -> bool {
        self.status(&self.head("GET", "catalog.json", "")) == 200
    }

    /// The most memory that the program had, in bytes.
    fn peak_bytes(&self) -> u64 {
        let status =
            fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("Linux");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        line.trim().trim_end_matches(" kB").trim().parse::<u64>().expect("a number") << 10
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_answer(stream: &mut TcpStream) -> (u16, String) {
    let mut bytes = Vec::new();
    // A connection that is closed before all of the request is read gives an error after the
    // answer.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or(0), text)
}

/// A search that would take years: the 24-puzzle.
fn endless() -> Value {
    let rows = ["XWVUT", "SRQPO", "NMLKJ", "IHGFE", "DCAB."];
    let goals: String = (b'A'..=b'X')
        .enumerate()
        .map(|(cell, piece)| {
            format!("goal: {} at {},{}\n", char::from(piece), cell / 5 + 1, cell % 5 + 1)
        })
        .collect();
    let text = format!("{}\n{goals}", rows.join("\n"));
    json!({ "at": { "puzzle": "klotski", "options": { "metric": "unit" }, "text": text } })
}

/// The text of the board with which the page begins.
fn start_of(server: &Serving) -> String {
    let (status, answer) =
        server.send(&server.head("GET", "catalog.json", "Connection: close\r\n\r\n"));
    assert_eq!(status, 200, "{answer}");
    let body = answer.split_once("\r\n\r\n").expect("a body").1;
    let catalog: Value = serde_json::from_str(body).expect("JSON");
    catalog["start"].as_str().expect("a text").to_owned()
}

/// The rows of a map of the benchmark.
fn read_map(file: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(file)).expect("a map");
    text.lines().skip(4).map(str::to_owned).collect()
}

#[test]
fn the_page_begins_with_a_map_and_the_agents_of_a_scenario() {
    let folder = "testdata/halloween/moving-ai";
    let (map, scenario) = (format!("{folder}/room.map"), format!("{folder}/room.scen"));
    // Each of two agents starts where the other one ends, for which only YAML has a text.
    let server = Serving::start("halloween", &[&map, "--scenario", &scenario, "--agents", "2"]);
    let start = start_of(&server);
    assert!(start.starts_with("---\nagents:\n- name: agent0\n  start: [1, 1]\n"), "{start}");
    let at = json!({ "puzzle": "halloween", "options": {}, "text": start });
    let (status, board) = server.send(&server.post("board", &json!({ "at": at })));
    assert_eq!(status, 200, "{board}");
    let own = tempfile::tempdir().expect("a folder");
    let rows = "0\troom.map\t8\t5\t1\t1\t6\t3\t7\n0\troom.map\t8\t5\t1\t3\t6\t1\t7\n";
    let scenario = own.path().join("room.scen");
    fs::write(&scenario, format!("version 1\n{rows}")).expect("written");
    let scenario = scenario.display().to_string();
    let server = Serving::start("halloween", &[&map, "--scenario", &scenario, "--agents", "2"]);
    let (start, map) = (start_of(&server), read_map(&map));
    assert!(start.starts_with(&format!("{} {} 2\n", map[0].len(), map.len())), "{start}");
    let letters = |wanted: &str| start.chars().filter(|c| wanted.contains(*c)).count();
    assert_eq!((letters("ab"), letters("AB"), letters("cC")), (2, 2, 0), "{start}");
}

#[test]
fn only_the_page_with_the_token_is_answered() {
    let server = Serving::start("fewest", &[]);
    assert!(server.is_alive());
    let (port, token) = (server.port, &server.token);
    let get = |path: &str, headers: &str| format!("GET {path} HTTP/1.1\r\n{headers}");
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    let page = format!("/{token}/");
    assert_eq!(server.status(&get(&page, &own)), 200);
    assert_eq!(server.status(&get(&page, &format!("Host: localhost:{port}\r\n"))), 200);
    for (path, headers) in [
        (page.as_str(), format!("Host: evil.example:{port}\r\n")),
        (&page, format!("Host: evil.example\r\nX-Forwarded-Host: 127.0.0.1:{port}\r\n")),
        (&page, "Host: 127.0.0.1\r\n".to_owned()),
        (&page, format!("Host: [::1]:{port}\r\n")),
        (&page, format!("{own}Origin: http://evil.example\r\n")),
        (&page, format!("{own}Origin: null\r\n")),
        ("/", own.clone()),
        ("/catalog.json", own.clone()),
        ("/favicon.ico", own.clone()),
        ("/00000000000000000000000000000000/", own.clone()),
        ("//", own.clone()),
    ] {
        assert_eq!(server.status(&get(path, &headers)), 403, "{path} {headers}");
    }
    for path in ["../../etc/passwd", "..%2f..%2fetc/passwd", "assets/app.js", "app.js/"] {
        let status = server.status(&server.head("GET", path, ""));
        assert!(status == 404 || status == 422, "{path}: {status}");
    }
    assert_eq!(server.status(&server.head("PUT", "catalog.json", "")), 405);
    assert_eq!(server.status(&server.head("POST", "api/board", "")), 415);
    let text = "Content-Type: text/plain\r\nContent-Length: 0\r\n";
    assert_eq!(server.status(&server.head("POST", "api/board", text)), 415);
    for body in [json!({}), json!([]), json!({ "at": { "puzzle": "chess", "text": "" } })] {
        assert_eq!(server.send(&server.post("board", &body)).0, 422);
    }
    // Cells far away, more moves than a page has, and more parts than it shows.
    let at = json!({ "puzzle": "black-white", "options": { "size": "1x2" }, "text": "10 01" });
    for cell in [[i32::MIN, i32::MIN], [i32::MAX, i32::MAX], [-1, i32::MIN]] {
        let push = json!({ "at": at, "pushes": [{ "cell": cell, "path": "N" }] });
        assert_eq!(server.send(&server.post("by-hand", &push)).0, 422);
        let edit = json!({ "at": at, "brush": "piece", "cells": [cell] });
        assert_eq!(server.send(&server.post("edit", &edit)).0, 422);
    }
    let many = json!({ "at": { "puzzle": "black-white", "text": "10 01", "moves": vec!["1112"; 20_000] } });
    assert_eq!(server.send(&server.post("moves", &many)).0, 422);
    let (row, options) = ("0".repeat(100), json!({ "size": "100x100" }));
    let large = vec![row; 200].join("\n");
    let large = json!({ "at": { "puzzle": "black-white", "options": options, "text": large } });
    let (status, answer) = server.send(&server.post("board", &large));
    assert!(status == 422 && answer.contains("at most 4096 parts"), "{answer}");
    assert_eq!(server.send(&server.post("nothing", &json!({}))).0, 404);
    assert_eq!(server.status("nonsense\r\n"), 400);
}

#[test]
fn each_answer_forbids_other_sites() {
    let server = Serving::start("klotski", &[]);
    let close = "Connection: close\r\n\r\n";
    for path in ["", "app.js", "catalog.json", "nothing"] {
        let (_, answer) = server.send(&(server.head("GET", path, "") + close));
        let head = answer.split("\r\n\r\n").next().expect("a head").to_lowercase();
        for line in [
            "content-security-policy: default-src 'none';",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-resource-policy: same-origin",
            "cache-control: no-store",
        ] {
            assert!(head.contains(line), "{path}: {line} is not in {head}");
        }
        assert!(
            head.contains("frame-ancestors 'none'") && !head.contains("access-control"),
            "{head}"
        );
    }
}

/// The answers of a search: lines between the sizes of chunks.
fn last_line(answer: &str) -> Value {
    let is_answer = |line: &&str| {
        line.starts_with('{') && !line.starts_with("{\"end") && !line.starts_with("{\"progress")
    };
    let line = answer.lines().rfind(is_answer).expect("a line");
    serde_json::from_str(line).expect("JSON")
}

#[test]
fn requests_are_answered_as_by_the_programs() {
    let server = Serving::start("fewest", &[]);
    let at = json!({ "puzzle": "klotski", "options": { "metric": "unit" }, "text": "aCCb/aCCb/cdde/cfge/h..i" });
    let (status, answer) = server.send(&server.post("solve", &json!({ "at": at, "count": true })));
    let answer = last_line(&answer);
    assert_eq!((status, &answer["answer"]["cost"]), (200, &json!(116)));
    assert_eq!(answer["answer"]["schema"], "fewest.solve.2");
    assert_eq!(answer["steps"].as_array().map(Vec::len), Some(116));
    assert!(answer["answer"]["plan_count"].is_string());
    // Texts that need options, or a second text.
    let import = |puzzle: &str, options: Value, text: &str, second: Value| {
        let at = json!({ "puzzle": puzzle, "options": options, "text": text });
        let (_, answer) =
            server.send(&server.post("import", &json!({ "at": at, "second": second })));
        last_line(&answer)
    };
    let boards = import("black-white", json!({ "size": "1x2" }), "10 01", Value::Null);
    assert_eq!(boards["texts"][0], "X.\n\n.X\n");
    let (map, line) = ("type octile\nheight 1\nwidth 4\nmap\n....\n", "0\tm.map\t4\t1");
    let scenario = format!("version 1\n{line}\t0\t0\t2\t0\t2\n{line}\t1\t0\t3\t0\t2\n");
    let one = import("halloween", json!({ "agents": [1] }), map, json!(scenario));
    assert_eq!(one["texts"][0], "4 1 1\na A \n", "{one}");
    let none = import("halloween", json!({ "agents": [3] }), map, json!(scenario));
    assert!(
        none["error"]["message"].as_str().is_some_and(|text| text.starts_with("scenario: ")),
        "{none}"
    );
    let fault = json!({ "at": { "puzzle": "halloween", "text": "3 1 1\na x\n" } });
    let (status, answer) = server.send(&server.post("board", &fault));
    let error = &last_line(&answer)["error"];
    assert_eq!((status, &error["line"], &error["column"]), (422, &json!(2), &json!(3)), "{error}");
}

#[test]
fn large_bodies_and_slow_connections_are_ended() {
    let server = Serving::start("klotski", &["--memory", "64MiB"]);
    // 100 MB of a body.
    let headers = "Content-Type: application/json\r\nContent-Length: 100000000\r\n\r\n";
    let mut stream = server.connect();
    stream.write_all(server.head("POST", "api/board", headers).as_bytes()).expect("a head");
    let block = [b' '; 1 << 16];
    let mut sent = 0;
    while sent < 100_000_000 && stream.write_all(&block).is_ok() {
        sent += block.len();
    }
    assert!(sent < 50_000_000, "{sent} bytes were taken");
    assert_eq!(server.send(&server.post("board", &json!({ "pad": " ".repeat(2 << 20) }))).0, 413);
    // A head without an end.
    let mut stream = server.connect();
    let _ = stream
        .write_all(format!("{}X: {}", server.head("GET", "", ""), "a".repeat(1 << 20)).as_bytes());
    assert!([0, 431].contains(&read_answer(&mut stream).0));
    // 1,000 connections that send the beginning of a request.
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum.or(Some(65_536));
        let _ = setrlimit(Resource::Nofile, limit);
    }
    let slow: Vec<TcpStream> = (0..1000)
        .map(|_| {
            let mut stream = server.connect();
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost");
            stream
        })
        .collect();
    let start = Instant::now();
    assert!(server.is_alive());
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    drop(slow);
    assert!(server.peak_bytes() < 100 << 20, "{} bytes", server.peak_bytes());
}

#[test]
fn long_jobs_are_stopped_and_many_are_refused() {
    let server =
        Serving::start("klotski", &["--time", "1s", "--threads", "2", "--memory", "128MiB"]);
    let (status, answer) = server.send(&server.post("know", &endless()));
    let known = &last_line(&answer)["known"];
    assert_eq!((status, &known["moves"]), (200, &Value::Null), "{answer}");
    assert!(known["stopped"].is_string() && known["lower_bound"].as_u64() > Some(0), "{known}");
    assert!(answer.contains("\"progress\""), "{answer}");
    let statuses: Vec<u16> = thread::scope(|scope| {
        let asked: Vec<_> = (0..200)
            .map(|_| scope.spawn(|| server.send(&server.post("solve", &endless())).0))
            .collect();
        asked.into_iter().map(|asked| asked.join().expect("no panic")).collect()
    });
    let count = |wanted: u16| statuses.iter().filter(|&&status| status == wanted).count();
    // Some connections may be closed, because there are more than the server keeps.
    assert_eq!(count(200) + count(503) + count(0), 200, "{statuses:?}");
    assert!(count(200) > 2 && count(503) > 0, "{statuses:?}");
    assert!(server.is_alive());
    // The limit, 10 % and 16 MB, and what connections take.
    assert!(server.peak_bytes() < 180 << 20, "{} bytes", server.peak_bytes());
}

#[test]
fn a_job_ends_when_its_reader_is_gone() {
    let server = Serving::start("klotski", &["--time", "1h", "--threads", "1"]);
    for _ in 0..3 {
        let mut stream = server.connect();
        stream.write_all(server.post("know", &endless()).as_bytes()).expect("a request");
        let mut first = [0; 64];
        stream.read_exact(&mut first).expect("the beginning of the answer");
        stream.shutdown(Shutdown::Both).expect("a socket");
    }
    // One runs, and another one waits for its thread and goes.
    let mut running = server.connect();
    running.write_all(server.post("know", &endless()).as_bytes()).expect("a request");
    running.read_exact(&mut [0; 64]).expect("the beginning of the answer");
    let mut waiting = server.connect();
    waiting.write_all(server.post("solve", &endless()).as_bytes()).expect("a request");
    waiting.shutdown(Shutdown::Both).expect("a socket");
    drop(running);
    // The only thread is free again.
    let at = json!({ "at": { "puzzle": "klotski", "text": "aCCb/aCCb/cdde/cfge/h..i" } });
    let (status, answer) = server.send(&server.post("solve", &at));
    assert_eq!((status, &last_line(&answer)["answer"]["cost"]), (200, &json!(81)), "{answer}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_the_server_and_a_taken_port_is_refused() {
    let mut server = Serving::start("fewest", &[]);
    let port = server.port.to_string();
    let taken = program("fewest").args(["serve", "--port", &port]).output().expect("it runs");
    assert_eq!(taken.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&taken.stderr).contains(&format!("port {port} cannot be used"))
    );
    // Jobs are under way.
    let mut jobs = ["know", "solve"].map(|question| {
        let mut job = server.connect();
        job.write_all(server.post(question, &endless()).as_bytes()).expect("a request");
        job.read_exact(&mut [0; 64]).expect("the beginning of the answer");
        job
    });
    let process = server.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &process]).status().expect("kill").success());
    for job in &mut jobs {
        let mut rest = String::new();
        job.read_to_string(&mut rest).expect("the rest of the answer");
        // Larger limits would not help.
        assert!(rest.contains("interrupted") && !rest.contains("-time"), "{rest}");
    }
    assert_eq!(server.child.wait().expect("it ends").code(), Some(130));
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_browser_the_server_says_so_and_goes_on() {
    // No program that opens a page is found.
    let line = "env PATH=/nowhere $(command -v fewest) serve --open";
    let told = "note: cannot start a browser; open the address yourself";
    let (code, output) = served(line, Path::new("/"), told);
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains(told), "{output}");
}
