//! Many results as rows of CSV, and the share of solved instances in two texts by their number of
//! agents.

use std::collections::BTreeMap;
use std::fmt::Write;

use fewest_core::outcome::Verdict;
use fewest_puzzle::puzzle::TwoTexts;
use fewest_puzzle::solution::{InTwoTexts, Solution};
use fewest_scene::Theme;
use fewest_scene::chart::{Axis, Line, lines};
use unicode_width::UnicodeWidthStr;

/// The names of [`fields`]. Only puzzles with instances in two texts name these.
pub(crate) fn columns(two_texts: Option<TwoTexts>) -> Vec<String> {
    let (of_instance, cost) = match two_texts {
        Some(names) => (vec![names.first, names.second, names.part], names.cost),
        None => (vec!["instance"], "moves"),
    };
    let rest = ["outcome", cost, "lower_bound", "seconds", "engine"];
    let details = two_texts.map_or(&[][..], |names| names.details);
    of_instance.into_iter().chain(rest).chain(details.iter().copied()).map(str::to_owned).collect()
}

/// A result as a row of these columns: an empty field is unknown.
pub(crate) fn fields(solution: &Solution, two_texts: Option<TwoTexts>) -> Vec<String> {
    let of_instance = match (&solution.texts, two_texts) {
        (Some(texts), _) => vec![texts.first.clone(), texts.second.clone(), texts.part.to_string()],
        (None, Some(_)) => {
            vec![solution.name.clone(), String::new(), solution.instance.part().to_string()]
        }
        (None, None) => vec![solution.name.clone()],
    };
    let outcome = match solution.outcome.verdict {
        Verdict::Solved { .. } => "solved",
        Verdict::Unsolvable => "unsolvable",
        Verdict::Stopped { .. } => "stopped",
    };
    let number = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
    let cost = solution.outcome.best().map(|(_, cost)| cost);
    let rest = [
        outcome.to_owned(),
        number(cost),
        number(solution.outcome.lower_bound()),
        format!("{:.6}", solution.elapsed.as_secs_f64()),
        solution.engine.to_owned(),
    ];
    let names = two_texts.map_or(&[][..], |names| names.details);
    let plan = solution.plan().filter(|_| !names.is_empty());
    let details = plan.and_then(|plan| serde_json::to_value(plan.details()?).ok());
    let detail = |name: &&str| {
        let number = details.as_ref().and_then(|details| details.get(*name));
        number.map(ToString::to_string).unwrap_or_default()
    };
    of_instance.into_iter().chain(rest).chain(names.iter().map(detail)).collect()
}

/// How many instances were solved, by their first text and their number of agents.
#[derive(Default)]
pub(crate) struct Success {
    names: Option<TwoTexts>,
    by_text: BTreeMap<String, BTreeMap<usize, Count>>,
}

#[derive(Clone, Copy, Default)]
struct Count {
    solved: u32,
    all: u32,
}

impl Success {
    pub(crate) fn add(&mut self, solution: &Solution) {
        if let Some(InTwoTexts { names, first, part, .. }) = &solution.texts {
            self.names = Some(*names);
            let count = self.by_text.entry(first.clone()).or_default().entry(*part).or_default();
            count.all += 1;
            count.solved += u32::from(matches!(solution.outcome.verdict, Verdict::Solved { .. }));
        }
    }

    /// The solved instances of all, in a row for each first text; `None` for fewer than two instances.
    pub(crate) fn table(&self) -> Option<String> {
        let names = self.names?;
        let all: u32 =
            self.by_text.values().flat_map(BTreeMap::values).map(|count| count.all).sum();
        if all < 2 {
            return None;
        }
        let mut parts: Vec<usize> =
            self.by_text.values().flat_map(BTreeMap::keys).copied().collect();
        parts.sort_unstable();
        parts.dedup();
        let width =
            self.by_text.keys().map(|name| name.width()).chain([names.first.len()]).max()?;
        let mut text = format!("solved by {}\n{:<width$}", names.part, names.first);
        parts.iter().for_each(|part| {
            // A string takes everything.
            let _ = write!(text, "  {part:>9}");
        });
        for (first, counts) in &self.by_text {
            let _ = write!(text, "\n{first}{:1$}", "", width - first.width());
            for part in &parts {
                let cell =
                    counts.get(part).map(|count| format!("{} of {}", count.solved, count.all));
                let _ = write!(text, "  {:>9}", cell.unwrap_or_default());
            }
        }
        Some(text)
    }

    /// The share of solved instances by the number of agents, as SVG.
    pub(crate) fn chart(&self) -> String {
        let part = self.names.map_or("agents", |names| names.part);
        let share = |(&part, count): (&usize, &Count)| {
            (part as f64, 100.0 * f64::from(count.solved) / f64::from(count.all))
        };
        let line = |(name, counts): (&String, &BTreeMap<usize, Count>)| Line {
            name: name.clone(),
            points: counts.iter().map(share).collect(),
        };
        let all: Vec<Line> = self.by_text.iter().map(line).collect();
        let most = self.by_text.values().flat_map(BTreeMap::keys).copied().max().unwrap_or(1);
        let parts = Axis::linear(part, most as f64);
        let solved = Axis::linear("solved instances in percent", 100.0);
        lines(&format!("Solved instances by {part}"), &parts, &solved, &all, Theme::Auto)
    }
}
