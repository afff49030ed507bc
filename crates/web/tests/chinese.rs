//! What puzzles say in Chinese can be read by the page.

use std::collections::HashSet;

#[test]
fn each_line_has_a_sentence_and_the_same_in_chinese() {
    for puzzle in fewest_catalog::PUZZLES {
        let info = puzzle.info();
        let (lines, format) = info.chinese.split_once("\n\n").expect("sentences, and a format");
        assert!(format.contains("走法"), "{}", info.name);
        let mut seen = HashSet::new();
        for line in lines.lines() {
            let pair: Vec<&str> = line.split(" = ").collect();
            let [english, chinese] = pair[..] else { panic!("{}: {line}", info.name) };
            assert!(seen.insert(english), "{}: twice: {line}", info.name);
            assert!(english.is_ascii() && !chinese.is_ascii(), "{}: {line}", info.name);
            let wildcards = english.matches(['*', '%']).count();
            let used = chinese.split('$').skip(1);
            let used = used.map(|rest| rest[..1].parse::<usize>().expect("a number"));
            assert!(used.into_iter().all(|number| number <= wildcards), "{}: {line}", info.name);
        }
    }
}
