//! The summary of several data sets as a table.

use std::fmt::Write;
use std::time::Duration;

use fewest_core::outcome::Verdict;
use fewest_puzzle::solve::Solution;

use crate::batch::BatchEnd;
use crate::exit::Exit;
use crate::terminal;

/// The data sets by outcome.
#[derive(Default)]
pub(crate) struct Summary {
    solved: Group,
    unsolvable: Group,
    stopped: Group,
}

#[derive(Default)]
struct Group {
    data_sets: u64,
    /// The smallest and the largest number of moves.
    moves: Option<(u32, u32)>,
    /// The sum of the times of all data sets.
    time: Duration,
    /// The longest time of a data set, with its name.
    longest: Option<(Duration, String)>,
}

impl Summary {
    pub(crate) fn add(&mut self, solution: &Solution) {
        let group = match Exit::from_verdict(&solution.outcome.verdict) {
            Exit::Answered => &mut self.solved,
            Exit::Unsolvable => &mut self.unsolvable,
            _ => &mut self.stopped,
        };
        group.data_sets += 1;
        if let Verdict::Solved { cost, .. } = solution.outcome.verdict {
            let (least, most) = group.moves.unwrap_or((cost, cost));
            group.moves = Some((least.min(cost), most.max(cost)));
        }
        group.time += solution.elapsed;
        if group.longest.as_ref().is_none_or(|(longest, _)| solution.elapsed > *longest) {
            group.longest = Some((solution.elapsed, solution.name.clone()));
        }
    }

    /// The table, or `None` for fewer than two data sets. `elapsed` is the wall time of the run.
    pub(crate) fn table(
        &self,
        BatchEnd { invalid_count, interrupted }: BatchEnd,
        elapsed: Duration,
    ) -> Option<String> {
        let short = |time| terminal::format_time(time, 1);
        let groups = [
            ("solved", &self.solved),
            ("unsolvable", &self.unsolvable),
            ("stopped", &self.stopped),
        ];
        let all = invalid_count + groups.iter().map(|(_, group)| group.data_sets).sum::<u64>();
        if all < 2 {
            return None;
        }
        let mut text =
            format!("{:<10}  {:>9}  {:>12}  {:>9}  longest", "", "data sets", "moves", "time");
        for (name, Group { data_sets, moves, time, longest }) in groups {
            if *data_sets == 0 {
                continue;
            }
            let moves = match moves {
                Some((least, most)) if least == most => least.to_string(),
                Some((least, most)) => format!("{least} to {most}"),
                None => "-".to_owned(),
            };
            let (longest, which) =
                longest.as_ref().map_or((*time, ""), |(time, which)| (*time, which));
            let (time, longest) = (short(*time), short(longest));
            let _ = write!(
                text,
                "\n{name:<10}  {data_sets:>9}  {moves:>12}  {time:>9}  {longest}, {which}"
            );
        }
        if invalid_count > 0 {
            let _ = write!(text, "\n{:<10}  {invalid_count:>9}", "invalid");
        }
        let rest = if interrupted { "; interrupted, the rest was not started" } else { "" };
        let _ = write!(
            text,
            "\n{:<10}  {all:>9}  {:>12}  {:>9}  wall time{rest}",
            "all",
            "",
            short(elapsed)
        );
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_per_outcome_and_a_total() {
        let seconds = Duration::from_secs;
        let group = |data_sets, moves, longest: &str| Group {
            data_sets,
            moves,
            time: seconds(5),
            longest: Some((seconds(2), longest.to_owned())),
        };
        let summary = Summary {
            solved: group(7692, Some((1, 24)), "mazes#7"),
            unsolvable: Group::default(),
            stopped: group(3, None, "mazes#9"),
        };
        let expected = "
            data sets         moves       time  longest
solved           7692       1 to 24       5.0s  2.0s, mazes#7
stopped             3             -       5.0s  2.0s, mazes#9
invalid             2
all              7697                     6.0s  wall time; interrupted, the rest was not started";
        let end = BatchEnd { invalid_count: 2, interrupted: true };
        assert_eq!(summary.table(end, seconds(6)).as_deref(), expected.strip_prefix('\n'));
        let single = Summary { solved: group(1, None, ""), ..Summary::default() };
        let end = BatchEnd { invalid_count: 0, interrupted: false };
        assert_eq!(single.table(end, seconds(1)), None);
    }
}
