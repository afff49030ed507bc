//! What a changed snapshot means, in a line a data set: "answer unchanged, plan changed, expanded
//! +3.1 %".
//!
//! It reads snapshots of searches, which the golden tests write as sections of `key: value` lines,
//! beginning with `instance`, with the plan as indented lines; of any other snapshot it only counts
//! lines.

use std::collections::BTreeMap;

/// The lines that sum up the change from `old` to `new`; `old` is empty for a new snapshot.
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
    for (instance, then) in &before {
        match after.get(instance) {
            None => meanings.push(format!("{instance}: removed")),
            Some(now) if then != now => {
                meanings.push(format!("{instance}: {}", then.change_to(now)))
            }
            Some(_) => {}
        }
    }
    let added = after.keys().filter(|instance| !before.contains_key(*instance));
    meanings.extend(added.map(|instance| format!("{instance}: added")));
    meanings
}

/// What a snapshot says of one data set.
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
    fn change_to(&self, now: &Self) -> String {
        let mut parts = vec![if self.answer == now.answer {
            "answer unchanged".to_owned()
        } else {
            format!("ANSWER CHANGED from `{}` to `{}`", self.answer, now.answer)
        }];
        parts.push(format!("plan {}", if self.plan == now.plan { "unchanged" } else { "changed" }));
        for (counter, &value) in &now.counters {
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

    const OLD: &str = "instance: a#1\nanswer: solved, cost 2\nexpanded: 1000\nbytes: 10\n  aE\n  aE\n\ninstance: a#2\nanswer: unsolvable\nexpanded: 5\n";

    #[test]
    fn each_data_set_that_changed_gets_a_line() {
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
    fn other_snapshots_count_their_lines() {
        assert_eq!(meaning("", "x\n"), ["new snapshot"]);
        assert_eq!(
            meaning("Usage: x\n", "Usage: y\nmore\n"),
            ["text changed: 1 lines before, 2 now"]
        );
    }
}
