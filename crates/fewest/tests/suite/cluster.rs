//! Searches of several processes: the same answers, and one clear message if one of them is lost.

use std::fs;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{Run, program, root, run, shell};

fn report(command: &str) -> Value {
    let found = run(command, b"");
    let mut report: Value = serde_json::from_str(&found.out)
        .unwrap_or_else(|error| panic!("{command}: {error}: {found:?}"));
    report.as_object_mut().expect("an object").remove("stats");
    report
}

/// A port that nobody uses, below the range from which systems give out ports. Other runs of the
/// tests on this machine begin elsewhere.
fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let first = std::process::id().wrapping_mul(101);
    let ports = std::iter::from_fn(|| Some(NEXT.fetch_add(1, Ordering::Relaxed)));
    let mut ports = ports.map(|next| 20_000 + (first.wrapping_add(next) % 12_000) as u16);
    // The program listens at all addresses.
    let is_free = |&port: &u16| {
        TcpListener::bind((Ipv6Addr::UNSPECIFIED, port))
            .or_else(|_| TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)))
            .is_ok()
    };
    ports.by_ref().take(12_000).find(is_free).expect("a port")
}

/// Writes a file of hosts for two processes here, and returns its path.
fn two_hosts(folder: &Path) -> String {
    let hosts = folder.join("hosts");
    let lines =
        format!("# two processes\nlocalhost:{}\n\nlocalhost:{}\n", free_port(), free_port());
    fs::write(&hosts, lines).expect("written");
    hosts.display().to_string()
}

/// Starts a process with further arguments and variables.
fn start(command: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Child {
    let mut words = command.split(' ');
    program(words.next().expect("a program"))
        .args(words)
        .args(arguments)
        .envs(variables.iter().copied())
        .spawn()
        .expect("it starts")
}

fn wait(child: Child) -> Run {
    let output = child.wait_with_output().expect("it ends");
    Run {
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
        code: output.status.code(),
    }
}

#[test]
fn all_processes_together_find_the_same_boards() {
    let folder = tempfile::tempdir().expect("a folder");
    let disk = folder.path().join("disk").display().to_string();
    for (space, has_ranks) in [
        ("klotski explore heng-dao-li-ma", false),
        ("klotski explore heng-dao-li-ma --metric unit", false),
        ("halloween explore order", true),
        ("wall-pusher explore testdata/wall-pusher/mazes.in#5", false),
        ("black-white explore sample", true),
    ] {
        let expected = report(&format!("fewest {space} --json"));
        for way in [
            "--local-processes 1".to_owned(),
            "--local-processes 2".to_owned(),
            "--local-processes 2 --workers 2".to_owned(),
            "--local-processes 4".to_owned(),
            format!("--local-processes 2 --disk {disk} --memory 64MB"),
        ] {
            assert_eq!(report(&format!("fewest {space} --json {way}")), expected, "{space} {way}");
        }
        if has_ranks {
            for way in ["bits", "two-bits"] {
                let way = format!("--local-processes 3 --representation {way}");
                let found = report(&format!("fewest {space} --json {way}"));
                assert_eq!(found, expected, "{space} {way}");
            }
        }
    }
    assert!(fs::read_dir(&disk).expect("a folder").next().is_none(), "files are left");
}

#[test]
fn all_processes_together_find_the_same_plan() {
    for board in [
        "klotski solve heng-dao-li-ma --metric unit",
        "halloween solve sample-3",
        "wall-pusher solve sample",
        "black-white solve testdata/black-white/P1225_sample.in",
    ] {
        let alone = run(&format!("fewest {board} --engine bfs"), b"");
        assert_eq!(alone.code, Some(0), "{board}");
        for way in ["--local-processes 2", "--local-processes 3 --workers 2"] {
            let found = run(&format!("fewest {board} {way}"), b"");
            assert_eq!((found.code, &found.out), (Some(0), &alone.out), "{board} {way}: {found:?}");
        }
    }
    // A picture is written once, and an unsolvable board has its exit code.
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("plan.svg");
    let draw = format!("klotski solve heng-dao-li-ma -o {}", picture.display());
    assert_eq!(run(&format!("fewest {draw} --local-processes 2"), b"").code, Some(0));
    assert!(fs::read_to_string(&picture).expect("a picture").starts_with("<svg"));
    let shut = run("fewest klotski solve testdata/klotski/shut.in --local-processes 2", b"");
    assert_eq!(shut.code, Some(10), "{shut:?}");
}

#[test]
fn processes_meet_by_a_file_of_hosts_or_by_the_variables_of_slurm_and_kubernetes() {
    let board = "fewest klotski solve heng-dao-li-ma --json";
    let expected = report(&format!("{board} --engine bfs"));
    let folder = tempfile::tempdir().expect("a folder");
    let secret = folder.path().join("secret");
    fs::write(&secret, "a secret\n").expect("written");
    let secret = secret.display().to_string();
    let hosts = two_hosts(folder.path());
    let port = free_port().to_string();
    let with_hosts = ["--hosts", &hosts, "--secret-file", &secret];
    let slurm = |task: &'static str| {
        vec![
            ("SLURM_PROCID", task),
            ("SLURM_NTASKS", "2"),
            ("SLURM_JOB_NODELIST", "localhost,other[1-3]"),
        ]
    };
    let number = |number: &'static str| vec![("JOB_COMPLETION_INDEX", number)];
    let own = [vec!["--process", "0"], vec!["--process", "1"]];
    let ways = [
        (with_hosts.to_vec(), own, [vec![], vec![]]),
        (with_hosts.to_vec(), [vec![], vec![]], [number("0"), number("1")]),
        (vec!["--workers", "1", "--port", &port], [vec![], vec![]], [slurm("0"), slurm("1")]),
    ];
    for (common, own, variables) in ways {
        let children: Vec<_> = own
            .iter()
            .zip(&variables)
            .map(|(own, variables)| start(board, &[&common[..], own].concat(), variables))
            .collect();
        let [first, second] =
            <[Run; 2]>::try_from(children.into_iter().map(wait).collect::<Vec<_>>())
                .expect("two processes");
        assert_eq!((first.code, second.code), (Some(0), Some(0)), "{first:?} {second:?}");
        let mut found: Value = serde_json::from_str(&first.out).expect("JSON");
        found.as_object_mut().expect("an object").remove("stats");
        assert_eq!(found, expected);
        assert_eq!((second.out.as_str(), second.err.as_str()), ("", ""), "the first one reports");
    }
}

/// What follows `command:` in a manifest of Kubernetes.
fn manifest_arguments(manifest: &str) -> Vec<&str> {
    let lines = manifest.lines().map(str::trim).skip_while(|&line| line != "command:").skip(1);
    lines.map_while(|line| line.strip_prefix("- ")).collect()
}

#[cfg(unix)]
#[test]
fn the_ready_files_for_slurm_and_kubernetes_work() {
    let expected = run("fewest klotski explore 0BDFF000", b"").out;
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    // Slurm, with a `srun` that starts two tasks here.
    let srun = "#!/bin/bash\nshift\nexport SLURM_NTASKS=2 SLURM_JOB_NODELIST=localhost\n\
                SLURM_PROCID=1 \"$@\" &\nSLURM_PROCID=0 \"$@\"\nwait\n";
    fs::write(path("srun"), srun).expect("written");
    let job = "export SLURM_SUBMIT_DIR=$PWD SLURM_JOB_ID=7 SLURM_CPUS_PER_TASK=1";
    let script = root().join("docs/cluster/fewest.slurm");
    let line = format!("{job}; chmod +x srun; PATH=$PWD:$PATH bash {} 2> notes", script.display());
    let (code, out) = shell(&line, folder.path());
    let notes = fs::read_to_string(path("notes")).unwrap_or_default();
    assert_eq!((code, out), (Some(0), expected.clone()), "{notes}");
    assert!(!fs::exists(path("secret-7")).expect("a path"), "the secret is removed");
    // Kubernetes.
    let manifest = fs::read_to_string(root().join("docs/cluster/fewest.yaml")).expect("a manifest");
    let hosts = two_hosts(folder.path());
    fs::write(path("secret"), "of the pods").expect("written");
    let mut words = manifest_arguments(&manifest).into_iter().map(|argument| {
        argument
            .replace("/etc/fewest/hosts", &hosts)
            .replace("/etc/fewest-secret/secret", &path("secret"))
    });
    let command = words.next().expect("a program");
    let words: Vec<_> = words.collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let pods = ["0", "1"].map(|index| start(&command, &words, &[("JOB_COMPLETION_INDEX", index)]));
    let [first, second] = pods.map(wait);
    assert_eq!((first.code, second.code), (Some(0), Some(0)), "{first:?} {second:?}");
    assert_eq!(first.out, expected);
}

#[test]
fn processes_with_other_boards_options_or_secrets_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let hosts = two_hosts(folder.path());
    let board = "fewest klotski explore heng-dao-li-ma";
    for (command, field) in [
        (
            "fewest klotski explore heng-dao-li-ma --metric unit",
            "the --metric of process 1 is `unit`",
        ),
        ("fewest klotski explore 0BDFF000", "the board of process 1 is"),
        ("fewest klotski explore heng-dao-li-ma --memory 1GiB", "the --memory of process 1 is"),
        ("fewest klotski solve heng-dao-li-ma", "the command of process 1 is `solve`"),
    ] {
        let first = start(board, &["--hosts", &hosts, "--process", "0"], &[]);
        let second = start(command, &["--hosts", &hosts, "--process", "1"], &[]);
        let (first, second) = (wait(first), wait(second));
        assert_eq!((first.code, second.code), (Some(2), Some(2)), "{first:?} {second:?}");
        assert!(first.err.contains(field) && second.err.contains(field), "{first:?} {second:?}");
    }
    let others = folder.path().join("others");
    fs::write(&others, fs::read_to_string(&hosts).expect("hosts") + "localhost:4711\n")
        .expect("written");
    let first = start(board, &["--hosts", &others.display().to_string(), "--process", "0"], &[]);
    let second = start(board, &["--hosts", &hosts, "--process", "1"], &[]);
    for found in [first, second].map(wait) {
        assert_eq!(found.code, Some(2), "{found:?}");
        let message = "the number of processes of process 1 is `2`, but that of process 0 is `3`";
        assert!(found.err.contains(message), "{found:?}");
    }
    for (lines, message) in [
        (
            "localhost:4700\n\nlocalhost:70000 # the second\n",
            "line 3: expected a port from 1 to 65535 in `localhost:70000`",
        ),
        ("localhost\n", "line 1: expected a port from 1 to 65535 in `localhost`"),
        ("localhost:0\n", "line 1: expected a port from 1 to 65535 in `localhost:0`"),
        ("localhost:4700\nlocalhost:4700\n", "contains `localhost:4700` twice"),
        ("# none\n", "contains no hosts"),
    ] {
        fs::write(&others, lines).expect("written");
        let refused = run(&format!("{board} --process 0 --hosts {}", others.display()), b"");
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.err.contains(message), "{refused:?}");
    }
    // One with another secret is refused, and the first one waits for another that has it.
    let secret = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::write(&file, text).expect("written");
        file.display().to_string()
    };
    let (right, wrong) = (secret("right", "right"), secret("wrong", "wrong"));
    let joins = |process: &str, secret: &str| {
        start(board, &["--hosts", &hosts, "--process", process, "--secret-file", secret], &[])
    };
    let first = joins("0", &right);
    let refused = wait(joins("1", &wrong));
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.err.contains("has a different secret"), "{refused:?}");
    let second = wait(joins("1", &right));
    let first = wait(first);
    assert_eq!((first.code, second.code), (Some(0), Some(0)), "{first:?} {second:?}");
    assert_eq!((second.out.as_str(), second.err.as_str()), ("", ""));
    let empty = run(
        &format!("{board} --hosts {hosts} --process 0 --secret-file {}", secret("empty", "\n")),
        b"",
    );
    assert_eq!(empty.code, Some(2), "{empty:?}");
    assert!(empty.err.contains("is empty, expected a secret"), "{empty:?}");
    for (options, message) in [
        ("--processes 2 --process 0", "the addresses of the other processes are missing"),
        ("--processes 2 --process 2", "there is no process 2: processes are numbered from 0 to 1"),
        ("--processes 2", "the index of this process is missing"),
        ("--process 1", "the number of processes is missing"),
        ("--local-processes 2 --engine astar", "need the engine `bfs`, not `astar`"),
        ("--local-processes 2 --processes 2", "cannot be used with"),
        ("--local-processes 2 --all", "--all does not work with several processes"),
    ] {
        let refused = run(&format!("klotski solve heng-dao-li-ma {options}"), b"");
        assert_eq!(refused.code, Some(2), "{options}: {refused:?}");
        assert!(refused.err.contains(message), "{options}: {refused:?}");
    }
    // Without them, each task would search alone.
    for (variables, message) in [
        (&[("SLURM_NTASKS", "2")][..], "not all of SLURM_PROCID"),
        (&[("SLURM_NTASKS", "2"), ("SLURM_PROCID", "1")], "not all of SLURM_PROCID"),
        (
            &[("SLURM_PROCID", "x")],
            "the environment variable SLURM_PROCID is `x`, expected a number",
        ),
        (
            &[("SLURM_NTASKS", "2"), ("SLURM_PROCID", "1"), ("SLURM_JOB_NODELIST", "a[1-")],
            "cannot parse the Slurm node list `a[1-`",
        ),
    ] {
        let refused = wait(start(board, &["--workers", "1"], variables));
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{refused:?}");
        assert!(refused.err.contains(message), "{refused:?}");
    }
    let alone = wait(start("klotski solve heng-dao-li-ma", &[], &[("SLURM_NTASKS", "2")]));
    assert!(
        alone.code == Some(0) && alone.err.contains("note: Slurm started 2 tasks"),
        "{alone:?}"
    );
    for instance in ["-", "/dev/stdin"] {
        let board = fs::read(root().join("testdata/klotski/shut.in")).expect("a board");
        let refused = run(&format!("klotski solve {instance} --local-processes 2"), &board);
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.err.contains("only one process can read standard input"), "{refused:?}");
    }
}

/// The processes that a process has started.
#[cfg(target_os = "linux")]
fn children(process: u32) -> Vec<u32> {
    let path = format!("/proc/{process}/task/{process}/children");
    let text = fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace().map(|number| number.parse().expect("a number")).collect()
}

/// Waits until something is so.
#[cfg(target_os = "linux")]
fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// The processes that a process has started, as soon as there are as many and all of them have met
/// the others.
#[cfg(target_os = "linux")]
fn children_at_work(parent: u32, count: usize) -> Vec<u32> {
    let has_engine = |process: &u32| {
        let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        let mut names = threads.map(|thread| fs::read_to_string(thread.path().join("comm")));
        names.any(|name| name.is_ok_and(|name| name.trim() == "engine"))
    };
    eventually("they meet", || {
        let children = children(parent);
        children.len() == count && children.iter().all(has_engine)
    });
    thread::sleep(Duration::from_millis(200));
    children(parent)
}

/// Whether a process has its own handler for SIGINT.
#[cfg(target_os = "linux")]
fn handles_interrupts(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & 2 != 0)
}

/// Whether a process has not ended. One that nobody has waited for has a folder, and the state Z.
#[cfg(target_os = "linux")]
fn is_running(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    status.lines().any(|line| line.starts_with("State:") && !line.contains('Z'))
}

#[cfg(target_os = "linux")]
fn signal(process: u32, name: &str) {
    let killed = Command::new("kill").args([format!("-{name}"), process.to_string()]).status();
    assert!(killed.expect("`kill` starts").success());
}

#[test]
fn a_checkpoint_of_numbers_is_for_one_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("saved").display().to_string();
    let search = format!("halloween explore order --checkpoint {saved}");
    let begun = run(&format!("{search} --representation two-bits --states 1000"), b"");
    assert_eq!(begun.code, Some(22), "{begun:?}");
    let refused = run(&format!("{search} --local-processes 2"), b"");
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused.err.contains("written with `two-bits`, which only a single process can read"),
        "{refused:?}"
    );
}

/// Process 1 learns first that the checkpoint is refused, and process 0 knows why.
#[test]
fn a_refused_checkpoint_is_named_by_its_reason_each_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("saved").display().to_string();
    let search = format!("klotski solve heng-dao-li-ma --local-processes 2 --checkpoint {saved}");
    let begun = run(&format!("{search} --states 6000"), b"");
    assert_eq!(begun.code, Some(22), "{begun:?}");
    for _ in 0..10 {
        let refused = run(&format!("{search} --metric unit"), b"");
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{refused:?}");
        assert!(refused.err.contains("its --metric is `rectilinear`, not `unit`"), "{refused:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn processes_that_wait_for_others_can_be_interrupted() {
    let folder = tempfile::tempdir().expect("a folder");
    let hosts = two_hosts(folder.path());
    for process in ["0", "1"] {
        let arguments = ["--hosts", &hosts, "--process", process];
        let waiting = start("fewest klotski explore heng-dao-li-ma", &arguments, &[]);
        eventually("it starts", || handles_interrupts(waiting.id()));
        thread::sleep(Duration::from_millis(200));
        signal(waiting.id(), "INT");
        let ended = wait(waiting);
        assert_eq!((ended.code, ended.out.as_str()), (Some(130), ""), "{ended:?}");
    }
}

#[test]
fn a_process_that_ends_before_all_have_met_ends_the_others_with_its_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let secret = folder.path().join("secret");
    fs::write(&secret, "a secret").expect("written");
    let secret = secret.display().to_string();
    let hosts = folder.path().join("hosts");
    let damaged = folder.path().join("damaged");
    fs::write(&damaged, "ab\n").expect("written");
    let damaged = damaged.display().to_string();
    let no_board = "there is no file `no-such-board`";
    for (ending, wrong, own, others) in [
        (0, "no-such-board", no_board, no_board),
        (1, "no-such-board", no_board, no_board),
        (1, &damaged, "expected", "the board is invalid"),
    ] {
        let lines = [free_port(), free_port(), free_port()].map(|port| format!("localhost:{port}"));
        fs::write(&hosts, lines.join("\n")).expect("written");
        let hosts = hosts.display().to_string();
        let process = |number: u32| {
            let board = if number == ending { wrong } else { "heng-dao-li-ma" };
            let number = number.to_string();
            let arguments = ["--hosts", &hosts, "--process", &number, "--secret-file", &secret];
            start(&format!("fewest klotski solve {board}"), &arguments, &[])
        };
        // One of them waits already, and the other one comes later.
        let mut processes = vec![process(1 - ending), process(ending)];
        processes.push(process(2));
        let ends: Vec<_> = processes.into_iter().map(wait).collect();
        for (number, ended) in [1 - ending, ending, 2].into_iter().zip(ends) {
            let told = format!("process {ending}: {others}");
            let expected = if number == ending { own } else { &told };
            assert!(ended.err.contains(expected), "{number}: {ended:?}");
            assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{number}: {ended:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_of_one_process_stops_all() {
    let parent = start(
        "fewest black-white explore testdata/black-white/5x5-twelve.txt --size 5x5",
        &["--local-processes", "2"],
        &[],
    );
    signal(children_at_work(parent.id(), 1)[0], "INT");
    let ended = wait(parent);
    assert_eq!(ended.code, Some(130), "{ended:?}");
    assert!(ended.err.contains("process 1 stopped the search"), "{ended:?}");
    assert!(ended.out.contains("stopped, interrupted"), "{ended:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_dies_or_hangs_ends_the_others() {
    for (signal_name, expected) in
        [("KILL", "exited before the search ended"), ("STOP", "has sent nothing for 4 seconds")]
    {
        // Ten times as many boards as are found in the time of this test.
        let parent = start(
            "fewest black-white explore testdata/black-white/5x5-twelve.txt --size 5x5",
            &["--local-processes", "3"],
            &[],
        );
        let others = children_at_work(parent.id(), 2);
        let begin = Instant::now();
        signal(others[0], signal_name);
        let ended = wait(parent);
        assert!(begin.elapsed() < Duration::from_secs(7), "{:?}", begin.elapsed());
        assert_eq!(ended.code, Some(1), "{ended:?}");
        let errors: Vec<_> = ended.err.lines().filter(|line| line.starts_with("error")).collect();
        assert_eq!(errors.len(), 1, "{ended:?}");
        // Another process may be the first to notice.
        let told = errors[0].contains("process 2") && errors[0].contains("has lost process 1");
        let noticed = errors[0].contains("process 1") && errors[0].contains(expected);
        assert!(noticed || told, "{ended:?}");
        assert!(!ended.err.contains("panicked"), "{ended:?}");
        for other in others {
            assert!(!is_running(other), "it has ended");
        }
    }
}

/// 20 kills if the tests are thorough, else 4: of one of two processes. Another number of processes
/// goes on after each second one.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_search_goes_on_with_as_many_or_other_processes() {
    let board = "fewest klotski explore 0BDFF000 --json";
    let begin = Instant::now();
    let expected = report(&format!("{board} --local-processes 2"));
    let whole = begin.elapsed();
    let mut resumed = 0;
    for number in 0..if fewest_testing::is_thorough() { 20 } else { 4 } {
        let folder = tempfile::tempdir().expect("a folder");
        let saved = folder.path().join("saved").display().to_string();
        let parent = start(board, &["--local-processes", "2", "--checkpoint", &saved], &[]);
        let begin = Instant::now();
        while children(parent.id()).is_empty() && begin.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(1));
        }
        let other = children(parent.id());
        thread::sleep(whole.mul_f64(f64::from(number * 7 % 20) / 20.0));
        // The first one or the second one.
        let victim = if number % 4 < 2 { other.first().copied() } else { Some(parent.id()) };
        // On a fast machine it may have ended.
        if let Some(victim) = victim {
            let _ = Command::new("kill").args(["-KILL", &victim.to_string()]).status();
        }
        let ended = wait(parent);
        assert!(!ended.err.contains("panicked"), "{ended:?}");
        let way = ["--local-processes 2", "--local-processes 3", "", "--local-processes 2"];
        let goes_on = format!("{board} --checkpoint {saved} {}", way[number as usize % 4]);
        let found = run(&goes_on, b"");
        resumed += u32::from(found.err.contains("resumes after"));
        let mut found: Value = serde_json::from_str(&found.out)
            .unwrap_or_else(|error| panic!("{goes_on}: {error}: {found:?}"));
        found.as_object_mut().expect("an object").remove("stats");
        assert_eq!(found, expected, "{goes_on}");
    }
    assert!(resumed > 0, "no search was killed after its first layers");
}

#[cfg(target_os = "linux")]
#[test]
fn the_others_end_with_the_first_process() {
    let parent = start(
        "fewest black-white explore testdata/black-white/5x5-twelve.txt --size 5x5",
        &["--local-processes", "2"],
        &[],
    );
    let other = children_at_work(parent.id(), 1)[0];
    signal(parent.id(), "KILL");
    // Its standard error is open until the other one has ended, too.
    let ended = wait(parent);
    assert!(ended.err.contains("process 0") && !ended.err.contains("panicked"), "{ended:?}");
    eventually("the other one ends", || !is_running(other));
}
