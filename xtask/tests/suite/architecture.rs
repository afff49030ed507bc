//! The invariants of docs/architecture.md that the source files show.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates")
}

/// The text without comments, and so without the examples in doc comments.
fn code(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// The Rust files below a folder, each with its code without comments.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry"))
        {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("UTF-8");
                found.push((path.clone(), code(&text)));
            }
        }
    }
    assert!(!found.is_empty(), "no Rust files below {}", folder.display());
    found
}

/// The folders of all crates.
fn crates_folders() -> Vec<PathBuf> {
    let folders = fs::read_dir(crates()).expect("crates");
    folders.map(|entry| entry.expect("an entry").path()).collect()
}

/// The folders of the puzzle crates: the crates with an `instance.rs`.
fn puzzles() -> Vec<PathBuf> {
    let folders =
        fs::read_dir(crates()).expect("crates").map(|entry| entry.expect("an entry").path());
    let puzzles: Vec<_> = folders.filter(|path| path.join("src/instance.rs").exists()).collect();
    assert!(!puzzles.is_empty());
    puzzles
}

/// The names that follow `prefix::` in the code, including a list in braces.
fn names_after(code: &str, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices(&format!("{prefix}::")) {
        let rest = &code[at + prefix.len() + 2..];
        let list = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or(list).split(',').collect(),
            None => vec![rest],
        };
        for item in list {
            let name: String =
                item.trim().chars().take_while(|&c| c.is_alphanumeric() || c == '_').collect();
            if !name.is_empty() {
                names.push(name);
            }
        }
    }
    names
}

#[test]
fn the_rules_use_neither_the_space_nor_a_search() {
    for puzzle in puzzles() {
        let rules =
            code(&fs::read_to_string(puzzle.join("src/rules.rs")).expect("a puzzle has rules"));
        let own = names_after(&rules, "crate");
        assert!(!own.is_empty(), "{} uses nothing of its crate", puzzle.display());
        assert!(
            own.iter().all(|name| ["board", "instance", "plan", "task"].contains(&name.as_str())),
            "{own:?}"
        );
        for used in ["fewest_core", "fewest_puzzle", "fewest_scene"] {
            assert!(names_after(&rules, used).is_empty(), "{} uses {used}", puzzle.display());
        }
        for forbidden in ["super::", "fewest_core as", "crate as", "crate::*"] {
            let code = rules.split("#[cfg(test)]").next().unwrap_or(&rules);
            assert!(!code.contains(forbidden), "{} contains {forbidden}", puzzle.display());
        }
    }
}

/// A checker of plans links nothing else.
#[test]
fn texts_and_rules_need_no_search_no_picture_and_no_serialization() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let tree = std::process::Command::new(cargo)
        .args(["tree", "--package", "fewest-rules", "--edges", "normal", "--prefix", "none"])
        .args(["--format", "{p}", "--offline"])
        .output()
        .expect("cargo runs");
    let tree = String::from_utf8(tree.stdout).expect("UTF-8");
    let mut names: Vec<_> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    names.sort_unstable();
    names.dedup();
    // A macro of thiserror and what it uses run at build time only.
    let at_build_time = |name: &&str| {
        ["thiserror-impl", "proc-macro2", "quote", "syn", "unicode-ident"].contains(name)
    };
    names.retain(|name| !at_build_time(name));
    assert_eq!(names, ["fewest-rules", "strsim", "thiserror"]);
}

#[test]
fn geometry_has_no_dependencies() {
    let manifest = fs::read_to_string(crates().join("geometry/Cargo.toml")).expect("a manifest");
    assert!(!manifest.contains("dependencies"), "{manifest}");
}

#[test]
fn core_does_not_depend_on_a_puzzle() {
    let manifest = fs::read_to_string(crates().join("core/Cargo.toml")).expect("a manifest");
    for section in manifest.split("\n[").filter(|section| section.contains("dependencies]")) {
        // The shared test helpers depend on core and on what checks certificates, which has no
        // search, and geometry on nothing. An example of core makes certificates.
        let for_tests = ["fewest-testing", "fewest-certificate", "fewest-rules"];
        let for_tests = for_tests.iter().filter(|_| section.starts_with("dev-dependencies]"));
        let allowed = for_tests.chain(&["fewest-geometry"]);
        let others = allowed.fold(section.to_owned(), |section, name| section.replace(name, ""));
        assert!(!others.contains("fewest-"), "{section}");
    }
    for (path, code) in sources(&crates().join("core/src")) {
        for puzzle in puzzles() {
            let name = puzzle.file_name().expect("a name").to_string_lossy().replace('-', "_");
            assert!(!code.contains(&name), "{} names {name}", path.display());
        }
    }
}

/// What checks certificates has no search, no packed board, no picture and no serialization in it.
#[test]
fn the_checker_links_instances_and_rules_only() {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--package", "fewest-check", "--edges", "normal"])
        .args(["--prefix", "none", "--no-dedupe", "--format", "{p}"])
        .current_dir(crates())
        .output()
        .expect("cargo");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8(tree.stdout).expect("text");
    let names: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    let ours: Vec<&str> =
        names.iter().copied().filter(|name| name.starts_with("fewest-")).collect();
    let expected = [
        "fewest-black-white",
        "fewest-certificate",
        "fewest-check",
        "fewest-geometry",
        "fewest-halloween",
        "fewest-klotski",
        "fewest-rules",
        "fewest-wall-pusher",
    ];
    assert_eq!(ours, expected);
    for other in ["rayon", "clap", "serde", "memmap2"] {
        assert!(!names.contains(other), "{other}");
    }
}

#[test]
fn scene_depends_on_no_puzzle_and_puzzles_use_no_picture_format() {
    let manifest = fs::read_to_string(crates().join("scene/Cargo.toml")).expect("a manifest");
    assert!(!manifest.contains("fewest-core") && !manifest.contains("path ="), "{manifest}");
    for puzzle in puzzles() {
        for (path, code) in sources(&puzzle.join("src")) {
            let of_scene = names_after(&code, "fewest_scene");
            let is_picture = path.ends_with("picture.rs") || path.ends_with("puzzle.rs");
            assert!(is_picture || of_scene.is_empty(), "{} uses fewest_scene", path.display());
            for format in ["svg", "raster", "text", "chart"] {
                assert!(
                    !of_scene.iter().any(|name| name == format),
                    "{} uses {format}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn core_does_not_print_or_exit_and_accesses_files_in_one_place() {
    for (path, code) in sources(&crates().join("core/src")) {
        // Errors, and the traits of files that a disk opened.
        let code = code.replace("use std::io::", "").replace("use std::io;", "");
        for forbidden in
            ["print!", "println!", "process::", "std::fs", "std::env", "std::io", "panic!", "todo!"]
                .into_iter()
                .chain(["stdin", "stdout", "stderr"])
        {
            // Folders and locks have the number of the process, and tests write temporary files.
            let is_in = |files: &[&str]| files.iter().any(|file| path.ends_with(file));
            let is_allowed = match forbidden {
                "std::fs" => is_in(&["src/disk.rs", "src/run_file.rs"]),
                "process::" => is_in(&["src/disk.rs", "checkpoint/mod.rs", "src/run_file.rs"]),
                "std::env" => is_in(&["src/run_file.rs", "store/two_bits_on_disk.rs"]),
                _ => false,
            };
            assert!(
                is_allowed || !code.contains(forbidden),
                "{} contains {forbidden}",
                path.display()
            );
        }
        assert!(!code.contains("process::exit") && !code.contains("process::Command"));
    }
}

/// They are compiled once for each type of word, so they know no type of a space.
#[test]
fn layered_searches_and_stores_know_words_only() {
    let core = crates().join("core/src");
    let folders = ["store", "checkpoint", "visited"].map(|folder| core.join(folder));
    let searches = ["bfs", "bidirectional", "all_shortest", "recovery"];
    let files = searches.map(|file| core.join(format!("search/{file}.rs"))).into_iter();
    let files = files.chain(
        ["layers", "worker_pool", "explore/layers"].map(|file| core.join(format!("{file}.rs"))),
    );
    let sources = folders.iter().flat_map(|folder| sources(folder));
    let files = files.map(|file| {
        let text = fs::read_to_string(&file).expect("a layered search");
        (file, code(&text))
    });
    for (path, code) in sources.chain(files) {
        // Unit tests have spaces.
        let code = code.split("#[cfg(test)]\nmod tests").next().unwrap_or(&code);
        for name in ["StateSpace", "Predecessors", "Ranked", "Erased"] {
            assert!(!code.contains(name), "{} contains {name}", path.display());
        }
    }
}

/// A budget carries the storage, so what is stored and where knows nothing of budgets.
#[test]
fn files_and_checkpoints_know_no_budget() {
    let core = crates().join("core/src");
    let names = ["limit", "disk", "run_file", "cluster", "representation", "storage"];
    let files = names.map(|name| core.join(format!("{name}.rs")));
    let files = files.map(|file| (file.clone(), fs::read_to_string(&file).expect("a file")));
    for (path, text) in files.into_iter().chain(sources(&core.join("checkpoint"))) {
        let uses = used_modules(&code(&text));
        assert!(!uses.contains("budget"), "{} uses budgets", path.display());
        assert!(!code(&text).contains("super::budget"), "{} uses budgets", path.display());
    }
}

#[test]
fn unsafe_code_is_only_in_the_visited_sets_and_where_other_languages_are_called() {
    let allowed =
        ["core/src/visited", "cli/src/closed.rs", "cli/src/subprocess.rs", "page/src/worker.rs"];
    let allowed = allowed.map(|path| crates().join(path));
    for folder in
        fs::read_dir(crates()).expect("crates").map(|entry| entry.expect("an entry").path())
    {
        for (path, code) in sources(&folder.join("src")) {
            // `unsafe-inline` is a word of the policies of pages.
            let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
            let has_unsafe = words.any(|word| word == "unsafe");
            assert!(
                !has_unsafe || allowed.iter().any(|allowed| path.starts_with(allowed)),
                "{} contains unsafe",
                path.display()
            );
        }
    }
}

#[test]
fn the_command_line_depends_on_no_puzzle() {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--package", "fewest-cli", "--all-features"])
        .args(["--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .current_dir(crates())
        .output()
        .expect("cargo");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8(tree.stdout).expect("text");
    assert!(tree.contains("fewest-serve v"), "{tree}");
    let names = puzzles();
    let names = names.iter().filter_map(|folder| folder.file_name()?.to_str());
    for name in names.chain(["catalog"]) {
        assert!(!tree.contains(&format!("fewest-{name} v")), "{name}");
    }
}

#[test]
fn crates_without_unsafe_code_forbid_it() {
    // core has it in its visited sets, cli in closed.rs and subprocess.rs, page in worker.rs.
    for folder in crates_folders() {
        let may_have = ["core", "cli", "page"].iter().any(|name| folder.ends_with(name));
        let programs = fs::read_dir(folder.join("src/bin")).into_iter().flatten();
        let programs = programs.map(|entry| entry.expect("an entry").path());
        let roots = ["src/lib.rs", "src/main.rs"].map(|file| folder.join(file));
        let roots: Vec<_> =
            roots.into_iter().filter(|file| file.exists()).chain(programs).collect();
        assert!(!roots.is_empty(), "{}", folder.display());
        for root in roots {
            let code = fs::read_to_string(&root).expect("UTF-8");
            let forbids = code.contains("#![forbid(unsafe_code)]");
            assert_eq!(forbids, !may_have, "{}", root.display());
        }
    }
}

/// The modules that a module uses: the first names after `crate::`.
fn used_modules(code: &str) -> BTreeSet<String> {
    let code = code.split("#[cfg(test)]").next().unwrap_or(code);
    names_after(code, "crate").into_iter().collect()
}

/// A word knows the searches that are compiled for it, so that `W: Word` is all that generic code
/// needs.
const WORDS_KNOW_SEARCHES: (&str, &str) = ("word", "search");

/// Modules that use each other cannot be read one after the other.
#[test]
fn no_modules_use_each_other_in_a_circle() {
    for folder in crates_folders().into_iter().chain([crates().join("../xtask")]) {
        let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (path, code) in sources(&folder.join("src")) {
            let inside = path.strip_prefix(folder.join("src")).expect("a source file");
            let module = inside.iter().next().expect("a name").to_string_lossy();
            let module = module.trim_end_matches(".rs").to_owned();
            if !["lib", "bin"].contains(&module.as_str()) {
                let mut used = used_modules(&code);
                used.retain(|used| (&*module, &**used) != WORDS_KNOW_SEARCHES);
                uses.entry(module).or_default().extend(used);
            }
        }
        // What uses nothing that is left is read next.
        let mut left: BTreeMap<_, _> = uses.clone();
        loop {
            let names: BTreeSet<String> = left.keys().cloned().collect();
            let before = left.len();
            left.retain(|module, used| {
                used.iter().any(|name| name != module && names.contains(name))
            });
            if left.len() == before {
                break;
            }
        }
        assert!(left.is_empty(), "{}: {left:?}", folder.display());
    }
}

#[test]
fn every_puzzle_has_the_same_modules() {
    for puzzle in puzzles() {
        for module in ["instance", "rules", "space", "solve", "picture", "puzzle"] {
            assert!(
                puzzle.join(format!("src/{module}.rs")).exists(),
                "{} has no {module}.rs",
                puzzle.display()
            );
        }
    }
}

#[test]
fn every_module_has_a_doc_comment() {
    for folder in ["core", "scene", "cli", "fewest"]
        .map(|name| crates().join(name))
        .into_iter()
        .chain(puzzles())
    {
        for (path, _) in sources(&folder.join("src")) {
            let text = fs::read_to_string(&path).expect("UTF-8");
            assert!(text.starts_with("//! "), "{} has no module doc", path.display());
        }
    }
}
