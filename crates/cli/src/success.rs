//! The share of solved instances in two texts by their number of agents.

use std::collections::BTreeMap;
use std::fmt::Write;

use fewest_core::outcome::Verdict;
use fewest_puzzle::puzzle::TwoTexts;
use fewest_puzzle::solve::{InTwoTexts, Solution};
use fewest_scene::Theme;
use fewest_scene::chart::{Axis, Line, lines};
use unicode_width::UnicodeWidthStr;

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

    /// The solved instances of all, in a row for each first text; `None` for fewer than two
    /// instances.
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
