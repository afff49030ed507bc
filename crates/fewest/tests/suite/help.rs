//! Tests of the help, its examples, and shell completion.
use crate::program::{program, puzzles, run, shell};

/// All commands with their command lines, such as `fewest klotski solve`.
fn commands() -> Vec<(String, clap::Command)> {
    let mut found = Vec::new();
    let mut left: Vec<_> = fewest_cli::programs(fewest_catalog::PUZZLES)
        .into_iter()
        .map(|program| (program.get_name().to_owned(), program))
        .collect();
    while let Some((line, command)) = left.pop() {
        left.extend(
            command
                .get_subcommands()
                .map(|verb| (format!("{line} {}", verb.get_name()), verb.clone())),
        );
        found.push((line, command));
    }
    found
}

#[test]
fn each_help_has_two_examples_and_they_run() {
    let mut seen = 0;
    for (line, command) in commands() {
        if line.ends_with("exit-codes") {
            continue;
        }
        let help = command
            .get_after_long_help()
            .unwrap_or_else(|| panic!("{line}: no long help"))
            .to_string();
        let examples =
            help.strip_prefix("Examples:\n").unwrap_or_else(|| panic!("{line}: no examples"));
        let examples: Vec<&str> =
            examples.lines().map_while(|line| line.strip_prefix("  ")).collect();
        assert_eq!(examples.len(), 2, "{line}");
        if line.starts_with("fewest ") && examples[0].split(' ').next() != Some("fewest") {
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        for example in examples {
            assert!(example.contains(&line), "{line}: {example}");
            let (code, output) = shell(example, folder.path());
            // Some of the maps and mazes that `generate` prints are unsolvable.
            let is_expected = code == Some(0) || code == Some(10) && example.contains("generate");
            assert!(is_expected, "{example}: {code:?}: {output}");
            seen += 1;
        }
    }
    assert!(seen > 60, "only {seen} examples");
}

#[test]
fn a_puzzle_has_a_verb_if_and_only_if_it_has_the_capability() {
    let all = commands();
    for puzzle in fewest_catalog::PUZZLES {
        let (name, verbs) = (puzzle.info().name, puzzle.info().verbs);
        let has = |line: &str| all.iter().any(|(other, _)| other == line);
        for (verb, is_offered) in [
            ("explore", verbs.explore.is_some()),
            ("generate", verbs.generate.is_some()),
            ("convert", verbs.convert.is_some()),
            ("rank", verbs.rank),
            ("census", verbs.census.is_some()),
            ("certify", verbs.certify),
            ("check", verbs.certify),
        ] {
            assert_eq!(has(&format!("{name} {verb}")), is_offered, "{name} {verb}");
            if !is_offered {
                for rest in ["", " sample", " sample --json"] {
                    let ran = run(&format!("{name} {verb}{rest}"), b"");
                    assert_eq!(ran.code, Some(2));
                    assert!(ran.err.contains(&format!("{name} has no `{verb}`")), "{}", ran.err);
                }
            }
        }
        let solve = all.iter().find(|(line, _)| *line == format!("{name} solve"));
        let has_all = solve.is_some_and(|(_, solve)| {
            solve.get_arguments().any(|argument| argument.get_long() == Some("all"))
        });
        assert_eq!(has_all, verbs.count_plans, "{name}");
    }
}

#[test]
fn completions_for_all_shells() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        for name in puzzles().chain(["fewest"]) {
            let ran = run(&format!("{name} completions {shell}"), b"");
            assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
            assert!(
                ran.out.contains(name) && ran.out.contains("COMPLETE"),
                "{name} {shell}: {}",
                ran.out
            );
        }
    }
    assert_eq!(run("klotski completions tcsh", b"").code, Some(2));

    let candidates = |words: &[&str]| {
        let mut command = program(words[0]);
        command
            .env("COMPLETE", "bash")
            .env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string())
            .env("_CLAP_IFS", "\n");
        let output = command.arg("--").args(words).output().expect("it runs");
        String::from_utf8(output.stdout)
            .expect("UTF-8")
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(candidates(&["klotski", "solve", "heng-d"]), ["heng-dao-li-ma"]);
    assert_eq!(candidates(&["fewest", "klotski", "solve", "heng-d"]), ["heng-dao-li-ma"]);
    assert_eq!(candidates(&["halloween", "solve", "sample"]), ["sample-1", "sample-2", "sample-3"]);
    assert_eq!(candidates(&["halloween", "solve", "testda"]), ["testdata/"]);
    for before in [
        &["halloween"][..],
        &["halloween", "verify", "sample-1"],
        &["halloween", "show", "sample-1", "--plan"],
    ] {
        let words = [before, &["testda"]].concat();
        assert_eq!(candidates(&words), ["testdata/"], "{words:?}");
    }
    assert_eq!(
        candidates(&["halloween", "solve", "sample-1", "--scenario", "testda"]),
        ["testdata/"]
    );
    assert_eq!(candidates(&["klotski", "solve", "--metric", "s"]), ["straight"]);
    assert!(candidates(&["wall-pusher", ""]).contains(&"explore".to_owned()));
}
