//! The program and the Python script: both accept true certificates, and refuse others.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fewest_black_white::{Instance as Boards, Size, certificate::BoardRecords as BoardsRecords};
use fewest_certificate::{Boards as _, Certificate, Claim, Proof, StateList};
use fewest_klotski::certificate::BoardRecords;
use fewest_klotski::{Instance, Metric, Task};
use fewest_testing::certificates::plain_states;
use fewest_testing::not_checked;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

/// A puzzle, the text of an instance, the arguments for it, its certificate, and what it says.
struct Case {
    puzzle: &'static str,
    text: &'static str,
    arguments: &'static [&'static str],
    file: Vec<u8>,
    claim: Claim,
}

fn klotski(text: &'static str, metric: Metric, plan: Option<&str>) -> Case {
    let instance = Instance::read(text.as_bytes()).next().expect("a board").expect("well-formed");
    let task = Task::new(instance, metric);
    let boards = BoardRecords::new(&task).expect("records");
    let claim = match plan {
        Some(plan) => Claim::Optimal { cost: plan.lines().count() as u32 },
        None => Claim::Layers(plain_states(&boards, u32::MAX, None).layers),
    };
    let end = if let Claim::Optimal { cost: moves } = claim { moves } else { u32::MAX };
    let states = plain_states(&boards, end, None).states;
    let plan = plan.unwrap_or_default();
    let file = Certificate { claim: &claim, plan, proof: Proof::by_states(&states) };
    let file = file.file(&boards);
    let arguments = match metric {
        Metric::Rectilinear => &["--metric", "rectilinear"],
        Metric::Straight => &["--metric", "straight"],
        Metric::Unit => &["--metric", "unit"],
    };
    Case { puzzle: "klotski", text, arguments, file, claim }
}

fn black_white(text: &'static str, plan: Option<&str>) -> Case {
    let size = Size::new(2, 3).expect("a size");
    let boards = Boards::read(text.as_bytes(), size).next().expect("boards").expect("well-formed");
    let records = BoardsRecords::new(&boards);
    let claim = match plan {
        Some(plan) => Claim::Optimal { cost: plan.lines().count() as u32 },
        None => Claim::Unsolvable,
    };
    let end = if let Claim::Optimal { cost: moves } = claim { moves } else { u32::MAX };
    let states = plain_states(&records, end, None).states;
    let plan = plan.unwrap_or_default();
    let file = Certificate { claim: &claim, plan, proof: Proof::by_states(&states) };
    let file = file.file(&records);
    Case { puzzle: "black-white", text, arguments: &["--size", "2x3"], file, claim }
}

/// A certificate by prices.
fn priced(text: &'static str, plan: &str, prices: &[i64]) -> Case {
    let case = black_white(text, (!plan.is_empty()).then_some(plan));
    let size = Size::new(2, 3).expect("a size");
    let boards = Boards::read(text.as_bytes(), size).next().expect("boards").expect("well-formed");
    let records = BoardsRecords::new(&boards);
    let none = StateList::new(records.record_bytes(), 0);
    let proof = Proof { numbers: prices, ..Proof::by_states(&none) };
    let file = Certificate { claim: &case.claim, plan, proof };
    Case { file: file.file(&records), ..case }
}

/// A certificate by a ball around the start and one around the target.
fn halved(text: &'static str, plan: &str) -> Case {
    let case = black_white(text, Some(plan));
    let size = Size::new(2, 3).expect("a size");
    let boards = Boards::read(text.as_bytes(), size).next().expect("boards").expect("well-formed");
    let records = BoardsRecords::new(&boards);
    let reversed = records.reversed().expect("moves can be undone");
    let moves = plan.lines().count() as u32;
    let back_end = moves.div_ceil(2);
    let states = plain_states(&records, moves + 1 - back_end, None).states;
    let back = plain_states(&reversed, back_end, None).states;
    let proof = Proof { back: Some((&back, back_end)), ..Proof::by_states(&states) };
    let file = Certificate { claim: &case.claim, plan, proof };
    Case { file: file.file(&records), ..case }
}

fn cases() -> Vec<Case> {
    vec![
        halved("100\n000\n\n000\n001\n", "1112\n1213\n1323\n"),
        priced("100\n000\n\n000\n001\n", "1112\n1213\n1323\n", &[0, 1, 2, 1, 2, 3]),
        priced("1#0\n0#0\n\n0#0\n0#1\n", "", &[7, 0, -2, 7, 0, -2]),
        klotski("AA.\nAA.\n...\ngoal: A at 2,2\n", Metric::Unit, Some("AS\nAE\n")),
        klotski("AA.\nAA.\n...\ngoal: A at 2,2\n", Metric::Rectilinear, Some("ASE\n")),
        klotski("aab\n.cb\n.dd\ngoal: b at 1,2\nlock: vertical c\n", Metric::Straight, None),
        klotski("aAAb\naAAb\ncdde\nfghi\nf..i\n", Metric::Unit, None),
        black_white("100\n000\n\n000\n001\n", Some("1112\n1213\n1323\n")),
        black_white("1#0\n0#0\n\n0#0\n0#1\n", None),
    ]
}

fn run(command: &mut Command) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = command.output().expect("it starts");
    let text = [stdout, stderr].concat();
    (status.code(), String::from_utf8(text).expect("text"))
}

fn checker(folder: &Path, case: &Case) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewest-check"));
    command.arg(case.puzzle).arg(folder.join("text")).arg(folder.join("certificate"));
    command.args(case.arguments);
    command
}

/// The script, for a metric; `None` if there is no Python.
fn script(folder: &Path, case: &Case) -> Option<Command> {
    if Command::new("python3").arg("--version").output().is_err() {
        not_checked("the Python script, because there is no python3");
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/check_certificate.py");
    let mut command = Command::new("python3");
    command.arg(script).arg(case.puzzle);
    command.arg(folder.join("text")).arg(folder.join("certificate"));
    if case.puzzle == "klotski" {
        command.arg(case.arguments[1]);
    }
    Some(command)
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn true_certificates_are_accepted_and_changed_ones_are_refused() {
    let folder = folder("certificates");
    for case in &cases() {
        fs::write(folder.join("text"), case.text).expect("written");
        let certificate = folder.join("certificate");
        fs::write(&certificate, &case.file).expect("written");
        let (code, text) = run(&mut checker(&folder, case));
        assert_eq!(code, Some(0), "{}: {text}", case.text);
        assert!(text.contains(&format!("accepted, {}", case.claim)), "{text}");
        if let Some(mut script) = script(&folder, case) {
            let (code, text) = run(&mut script);
            assert_eq!(code, Some(0), "{}: {text}", case.text);
        }
        let (code, text) = run(checker(&folder, case).args(["--memory", "100"]));
        assert_eq!(code, Some(20), "{text}");
        for at in (0..case.file.len()).step_by(case.file.len() / 9 + 1) {
            let mut changed = case.file.clone();
            changed[at] ^= 4;
            fs::write(&certificate, &changed).expect("written");
            let (code, text) = run(&mut checker(&folder, case));
            assert_eq!(code, Some(11), "byte {at}: {text}");
            if let Some(mut script) = script(&folder, case) {
                assert_eq!(run(&mut script).0, Some(11), "byte {at}");
            }
        }
        // The certificate of another case.
        let other = cases().into_iter().find(|other| other.text != case.text);
        fs::write(&certificate, other.expect("another case").file).expect("written");
        assert_eq!(run(&mut checker(&folder, case)).0, Some(11));
    }
}

#[test]
fn a_board_is_taken_as_check_takes_it() {
    let folder = folder("boards");
    let rows = "aAAb/aAAb/cdde/fghi/f..i";
    let case = klotski("aAAb\naAAb\ncdde\nfghi\nf..i\n", Metric::Unit, None);
    fs::write(folder.join("certificate"), &case.file).expect("written");
    let two = format!("{rows}\naAAb/aAAb/cdde/f..i/fghi\n");
    fs::write(folder.join("two"), two).expect("written");
    for (board, code, text) in [
        (rows, 0, "accepted"),
        ("two#1", 0, "accepted"),
        ("two#2", 11, "is about another"),
        ("two#3", 2, "has no board"),
        ("two#0", 2, "has no board"),
        ("two", 2, "has several boards"),
        ("nothing", 2, "nothing: "),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fewest-check"));
        command.current_dir(&folder).args(["klotski", board, "certificate", "--metric", "unit"]);
        let found = run(&mut command);
        assert_eq!(found.0, Some(code), "{board}: {found:?}");
        assert!(found.1.contains(text), "{board}: {found:?}");
    }
}

/// There are several faults, and several threads.
#[test]
fn the_refusal_does_not_depend_on_the_number_of_processors() {
    let folder = folder("processors");
    let case = klotski("aAAb\naAAb\ncdde\ncfge\nh..i\n", Metric::Rectilinear, None);
    fs::write(folder.join("text"), case.text).expect("written");
    let certificate = folder.join("certificate");
    fs::write(&certificate, &case.file).expect("written");
    assert_eq!(run(&mut checker(&folder, &case)).0, Some(0));
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:\t"));
    let first = allowed.and_then(|list| list.split([',', '-']).next()).filter(|_| {
        let has_several = std::thread::available_parallelism().is_ok_and(|count| count.get() > 1);
        has_several && Command::new("taskset").arg("--version").output().is_ok()
    });
    let Some(first) = first else {
        return not_checked("threads of the checker: it takes two processors, and `taskset`");
    };
    for fractions in [&[3, 90][..], &[60, 97], &[99]] {
        let mut sections = sections(&case.file);
        let depths = &mut sections.iter_mut().find(|(tag, ..)| *tag == b'u').expect("depths").2;
        for fraction in fractions {
            // Each byte is a small difference, whose last bit is its sign: this state gets a depth
            // that is too large.
            let state = depths.len() * fraction / 100;
            let larger = |byte: u8, by: i32| {
                let value = (i32::from(byte >> 1) ^ -i32::from(byte & 1)) + by;
                ((value << 1) ^ (value >> 31)) as u8
            };
            depths[state] = larger(depths[state], 3);
            depths[state + 1] = larger(depths[state + 1], -3);
        }
        fs::write(&certificate, file_of(&sections)).expect("written");
        let (code, of_all) = run(&mut checker(&folder, &case));
        assert_eq!(code, Some(11), "{of_all}");
        let checker = checker(&folder, &case);
        let mut on_one = Command::new("taskset");
        on_one.args(["-c", first]).arg(checker.get_program()).args(checker.get_args());
        assert_eq!(run(&mut on_one).1, of_all, "{fractions:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn file_names_need_not_be_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let [text, certificate] = [b"h\xff", b"c\xff"].map(|name| OsStr::from_bytes(name));
    let folder = folder("bytes");
    let case = klotski("aAAb\naAAb\ncdde\nfghi\nf..i\n", Metric::Unit, None);
    fs::write(folder.join(text), case.text).expect("written");
    fs::write(folder.join(certificate), &case.file).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fewest-check"));
    command.current_dir(&folder).arg("klotski").arg(OsStr::from_bytes(b"h\xff#1"));
    let (code, text) = run(command.arg(certificate).args(case.arguments));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("h\u{fffd}#1: accepted"), "{text}");
}

/// The sections of a file: their tags, the numbers of bytes that they say they have, and their
/// bytes.
fn sections(file: &[u8]) -> Vec<(u8, u64, Vec<u8>)> {
    let mut rest = &file[MAGIC.len()..file.len() - 4];
    let mut sections = Vec::new();
    while let Some((head, after)) = rest.split_first_chunk::<17>() {
        let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| head[at + byte]));
        let (stored, after) = after.split_at(number(9) as usize);
        let mut bytes = Vec::new();
        DeflateDecoder::new(stored).read_to_end(&mut bytes).expect("deflated");
        sections.push((head[0], number(1), bytes));
        rest = after;
    }
    sections
}

fn file_of(sections: &[(u8, u64, Vec<u8>)]) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    for (tag, says, bytes) in sections {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).expect("taken");
        let stored = encoder.finish().expect("taken");
        file.push(*tag);
        file.extend_from_slice(&says.to_le_bytes());
        file.extend_from_slice(&(stored.len() as u64).to_le_bytes());
        file.extend_from_slice(&stored);
    }
    let checksum = crc32fast::hash(&file);
    file.extend_from_slice(&checksum.to_le_bytes());
    file
}

const MAGIC: &[u8] = b"fewest-certificate 1\n";

/// Changes a text.
type Change = fn(String) -> String;

/// Files that say the same in another way, or more than they need, each with a right checksum.
fn forgeries(case: &Case) -> Vec<(&'static str, Vec<u8>)> {
    let original = sections(&case.file);
    let with = |tag: u8, change: &dyn Fn(&mut Vec<u8>)| {
        let mut sections = original.clone();
        for (_, says, bytes) in sections.iter_mut().filter(|(found, ..)| *found == tag) {
            change(bytes);
            *says = bytes.len() as u64;
        }
        file_of(&sections)
    };
    let head = |change: Change| {
        with(b'c', &|bytes| *bytes = change(String::from_utf8(bytes.clone()).expect("text")).into())
    };
    let plan = |change: Change| {
        with(b'p', &|bytes| *bytes = change(String::from_utf8(bytes.clone()).expect("text")).into())
    };
    let mut all = vec![
        ("a head without its last line feed", head(|text| text.trim_end().to_owned())),
        (
            "two fields exchanged",
            head(|text| {
                let mut lines: Vec<&str> = text.lines().collect();
                let last = lines.len() - 1;
                lines.swap(last, last - 1);
                lines.join("\n") + "\n"
            }),
        ),
        ("a sign", head(|text| text.replace("states\t", "states\t+"))),
        (
            "digits of another script",
            head(|text| text.replace("back\tnone", "back\t\u{661} \u{661}")),
        ),
        (
            "a board that is written in another way",
            head(|text| text.replacen("\\n\n", "\\n\\n\n", 1)),
        ),
        ("a field more", head(|text| format!("more\tthan that\n{text}"))),
        ("an unknown escape", head(|text| text.replacen("\\n", "\\t", 1))),
    ];
    let has = |tag: u8| original.iter().any(|(found, ..)| *found == tag);
    if has(b'p') {
        all.push(("a line of another kind", plan(|text| text.replacen('\n', "\u{b}", 1))));
        all.push(("digits of another script", plan(|text| text.replace('1', "\u{661}"))));
        all.push(("a long line", plan(|_| "\u{1b}[31m".repeat(1 << 16))));
    }
    if original.iter().any(|(tag, _, bytes)| *tag == b's' && bytes.iter().any(|&equal| equal > 0)) {
        all.push(("a byte that is not shared", {
            let mut sections = original.clone();
            let mut taken = None;
            let mut record: Vec<u8> = Vec::new();
            let rest: Vec<u8> =
                sections.iter().find(|(tag, ..)| *tag == b't').expect("rest").2.clone();
            let shared = &mut sections.iter_mut().find(|(tag, ..)| *tag == b's').expect("shared").2;
            let bytes = length_of_record(shared, rest.len());
            let mut at = 0;
            for equal in shared.iter_mut() {
                let end = at + bytes - usize::from(*equal);
                if *equal > 0 {
                    *equal -= 1;
                    taken = Some((at, record[usize::from(*equal)]));
                    break;
                }
                record = rest[at..end].to_vec();
                at = end;
            }
            let (at, byte) = taken.expect("a record that shares bytes");
            let rest = sections.iter_mut().find(|(tag, ..)| *tag == b't').expect("rest");
            rest.2.insert(at, byte);
            rest.1 += 1;
            file_of(&sections)
        }));
    }
    all.push(("a section that says it has more", {
        let mut sections = original.clone();
        sections.last_mut().expect("a section").1 = 1 << 40;
        file_of(&sections)
    }));
    all.push(("a section more", {
        let mut sections = original.clone();
        sections.push((b'z', 0, Vec::new()));
        file_of(&sections)
    }));
    if !has(b'v') {
        all.push(("numbers that are not needed", {
            let mut sections = original.clone();
            sections.push((b'v', 0, Vec::new()));
            file_of(&sections)
        }));
    }
    // What a text does not have cannot be changed.
    let same = file_of(&original);
    all.retain(|(_, file)| *file != same);
    all
}

/// The length of a record: all bytes, shared or not, over the number of records.
fn length_of_record(shared: &[u8], rest: usize) -> usize {
    (rest + shared.iter().map(|&equal| usize::from(equal)).sum::<usize>()) / shared.len()
}

/// What one checker accepts, the other one does, too.
#[test]
fn files_in_another_form_are_refused_by_both() {
    let folder = folder("forms");
    for case in &cases() {
        fs::write(folder.join("text"), case.text).expect("written");
        let certificate = folder.join("certificate");
        fs::write(&certificate, file_of(&sections(&case.file))).expect("written");
        assert_eq!(run(&mut checker(&folder, case)).0, Some(0), "written again");
        for (what, file) in forgeries(case) {
            fs::write(&certificate, &file).expect("written");
            let (code, text) = run(&mut checker(&folder, case));
            assert_eq!(code, Some(11), "{what}: {text}");
            let Some(mut script) = script(&folder, case) else { continue };
            let (code, text) = run(&mut script);
            assert_eq!(code, Some(11), "{what} in {}: {text}", case.text);
            assert!(text.len() < 300 && !text.contains('\u{1b}'), "{what}: {text}");
        }
    }
}

/// The script refuses what proves nothing, also if its checksum is right.
#[test]
fn searches_with_faults_are_refused_by_both() {
    use fewest_testing::certificates::PlantedFault;
    let folder = folder("faults");
    let text = "aAAb\naAAb\ncdde\nfghi\nf..i\n";
    let case = klotski(text, Metric::Unit, None);
    fs::write(folder.join("text"), text).expect("written");
    let instance = Instance::read(text.as_bytes()).next().expect("a board").expect("well-formed");
    let task = Task::new(instance, Metric::Unit);
    let boards = BoardRecords::new(&task).expect("records");
    for fault in
        [PlantedFault::LosesSuccessors, PlantedFault::LosesStates, PlantedFault::LateStates]
    {
        let states = plain_states(&boards, u32::MAX, Some(fault)).states;
        let file = Certificate { claim: &case.claim, plan: "", proof: Proof::by_states(&states) };
        fs::write(folder.join("certificate"), file.file(&boards)).expect("written");
        let (code, text) = run(&mut checker(&folder, &case));
        assert_eq!(code, Some(11), "{fault:?}: {text}");
        if let Some(mut script) = script(&folder, &case) {
            assert_eq!(run(&mut script).0, Some(11), "{fault:?}");
        }
    }
}

#[test]
fn bad_command_lines_are_refused() {
    for (words, expected) in [
        ("klotski heng-dao-li-ma", "expected a puzzle, an instance and a certificate"),
        ("chess a b", "unknown puzzle `chess`"),
        ("klotski nowhere.txt b", "nowhere.txt: "),
        ("klotski heng-dao-li-ma nowhere.cert", "nowhere.cert: "),
        ("klotski heng-dao-li-ma a --metric metre", "expected"),
        ("klotski a b --what", "unknown option `--what`"),
        ("black-white a b --size", "`--size` needs a value"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fewest-check"));
        let (code, text) = run(command.args(words.split(' ')));
        assert_eq!(code, Some(2), "{words}: {text}");
        assert!(text.contains(expected), "{words}: {text}");
    }
    for (option, expected) in [("--help", "Usage: fewest-check"), ("--version", "fewest-check 0.")]
    {
        let (code, text) = run(Command::new(env!("CARGO_BIN_EXE_fewest-check")).arg(option));
        assert_eq!(code, Some(0));
        assert!(text.starts_with(expected), "{text}");
    }
}
