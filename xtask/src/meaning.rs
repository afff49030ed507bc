//! What a changed snapshot means, one line per data set: "answer unchanged, plan changed, expanded
//! +3.1 %".
//!
//! The golden tests write the snapshot of a search as sections. A section is a list of `key: value`
//! lines, the first of them with the key `instance`, and the plan as indented lines. For a snapshot
//! without sections only the number of lines is compared.

use std::collections::BTreeMap;

/// Summarizes the change from `old` to `new`, one line per data set. `old` is empty for a new
/// snapshot.
pub(crate) fn meaning(old: &str, new: &str) -> Vec<String> {
    if old.is_empty() {
        return vec!["new snapshot".to_owned()];
    }
    let (before, after) = (sections(old), sections(new));
    if before.is_empty() || after.is_empty() {
        let lines = |text: &str| text.lines().count();
        return vec![format!("text changed: {} lines before, {} now", lines(old), lines(new))];
    }
    let mut meanings = Vec::new();
    for (instance, old) in &before {
        match after.get(instance) {
            None => meanings.push(format!("{instance}: removed")),
            Some(new) if old != new => meanings.push(format!("{instance}: {}", old.change_to(new))),
            Some(_) => {}
        }
    }
    let added = after.keys().filter(|instance| !before.contains_key(*instance));
    meanings.extend(added.map(|instance| format!("{instance}: added")));
    meanings
}

/// The section of one data set.
#[derive(Debug, Default, PartialEq)]
struct Section<'a> {
    answer: &'a str,
    plan: Vec<&'a str>,
    counters: BTreeMap<&'a str, f64>,
}

fn sections(text: &str) -> BTreeMap<&str, Section<'_>> {
    let mut sections = BTreeMap::new();
    let mut section = None;
    for line in text.lines() {
        if let Some(instance) = line.strip_prefix("instance: ") {
            section = Some(sections.entry(instance).or_insert_with(Section::default));
        } else if let Some(section) = &mut section {
            match line.split_once(": ") {
                Some(("answer", answer)) => section.answer = answer,
                Some((counter, value)) if !line.starts_with(' ') => {
                    section.counters.extend(value.parse().map(|value| (counter, value)));
                }
                _ if line.starts_with("  ") => section.plan.push(line),
                _ => {}
            }
        }
    }
    sections
}

impl Section<'_> {
    fn change_to(&self, new: &Self) -> String {
        let mut parts = vec![if self.answer == new.answer {
            "answer unchanged".to_owned()
        } else {
            format!("ANSWER CHANGED from `{}` to `{}`", self.answer, new.answer)
        }];
        parts.push(format!("plan {}", if self.plan == new.plan { "unchanged" } else { "changed" }));
        for (counter, &value) in &new.counters {
            match self.counters.get(counter) {
                Some(&before) if before == value => {}
                Some(&before) if before != 0.0 => {
                    parts.push(format!("{counter} {:+.1} %", (value / before - 1.0) * 100.0));
                }
                before => parts
                    .push(format!("{counter} from {} to {value}", before.copied().unwrap_or(0.0))),
            }
        }
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "\
        instance: a#1\nanswer: solved, cost 2\nexpanded: 1000\nbytes: 10\n  aE\n  aE\n\n\
        instance: a#2\nanswer: unsolvable\nexpanded: 5\n";

    #[test]
    fn each_changed_data_set_has_one_line() {
        let new = OLD.replace("1000", "1031").replace("  aE\n\n", "  aN\n\n");
        assert_eq!(meaning(OLD, &new), ["a#1: answer unchanged, plan changed, expanded +3.1 %"]);
        let new = OLD.replace("unsolvable", "solved, cost 9").replace("bytes: 10", "bytes: 5");
        assert_eq!(
            meaning(OLD, &new),
            [
                "a#1: answer unchanged, plan unchanged, bytes -50.0 %",
                "a#2: ANSWER CHANGED from `unsolvable` to `solved, cost 9`, plan unchanged",
            ]
        );
        let new = OLD.replace("a#2", "b");
        assert_eq!(meaning(OLD, &new), ["a#2: removed", "b: added"]);
        assert_eq!(meaning(OLD, OLD), Vec::<String>::new());
    }

    #[test]
    fn snapshots_without_sections_are_compared_by_lines() {
        assert_eq!(meaning("", "x\n"), ["new snapshot"]);
        assert_eq!(
            meaning("Usage: x\n", "Usage: y\nmore\n"),
            ["text changed: 1 lines before, 2 now"]
        );
    }
}
