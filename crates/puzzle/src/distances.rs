//! `generate --distance`: boards at exact distances from the nearest solved board, among all that
//! can be reached from a board. Each has a shortest plan, and its legal moves with the distance
//! after each.

use std::collections::BTreeMap;
use std::io;

use fewest_core::explore::graph::UNREACHED;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::explore::Explore;
use crate::generate::{GenerateEnd, Generated};
use crate::graph::BoardGraph;
use crate::options::{LimitOptions, NumberRange, Whole};
use crate::random::Random;
use crate::results::report;
use crate::words::{counted, plural};
use crate::work::{WorkContext, WorkError};

/// Which boards to generate.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args), group(skip))]
#[serde(default, deny_unknown_fields)]
pub struct DistanceOptions {
    /// Generate boards at exactly these distances, such as `20`, `20..` or `1..80`, from the
    /// nearest solved board, among all boards that can be reached from INSTANCE. With --json, each
    /// has a shortest plan, and its legal moves with the distance after each
    #[cfg_attr(feature = "clap", arg(long, value_name = "RANGE"))]
    pub distance: Option<NumberRange>,

    /// Number of boards at each distance, chosen at random; all if there are fewer
    #[cfg_attr(feature = "clap", arg(long, value_name = "COUNT", default_value_t = Whole::new(1)))]
    pub each: Whole<1>,

    /// Random seed
    #[cfg_attr(feature = "clap", arg(long, default_value_t = Whole::new(1)))]
    pub seed: Whole<0>,

    /// The limits.
    #[cfg_attr(feature = "clap", command(flatten))]
    pub limits: LimitOptions,
}

impl Default for DistanceOptions {
    fn default() -> Self {
        Self {
            distance: None,
            each: Whole::new(1),
            seed: Whole::new(1),
            limits: LimitOptions::default(),
        }
    }
}

/// A board at a distance: `generate --distance --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BoardAtDistance {
    /// The text of the instance that starts with the board, as input for `solve -`; null if no
    /// instance starts with it.
    pub text: Option<String>,
    /// The board, on one line.
    pub board: String,
    /// The distance from the nearest solved board: the number of moves of a shortest plan.
    pub cost: u32,
    /// A shortest plan.
    pub plan: Vec<String>,
    /// The legal moves that change the board.
    pub moves: Vec<MoveWithDistance>,
}

report!(BoardAtDistance, "generate-distance", 1);

/// A legal move, and where it leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MoveWithDistance {
    /// The move as in a plan.
    pub by: String,
    /// The distance after it; null if no solved board can be reached then.
    pub cost: Option<u32>,
}

/// Passes boards at the distances of the options to `emit`, from the least distance on. `unit` is
/// the singular and the plural of the name of a move.
///
/// # Errors
/// If the boards cannot be explored, or a limit stopped that; an error of `emit`.
pub fn boards_at_distances(
    explorer: &dyn Explore,
    unit: [&'static str; 2],
    options: &DistanceOptions,
    work: &dyn WorkContext,
    emit: &mut dyn FnMut(BoardAtDistance) -> io::Result<()>,
) -> Result<Generated, WorkError> {
    let budget = work.budget(options.limits.limits());
    let wanted = options.distance.unwrap_or(NumberRange::new(0, u32::MAX));
    let mut generated = Generated::new(GenerateEnd::NoneExists);
    explorer.graph(&budget, &mut |graph| {
        let distances = &*graph.goal_distances(budget.memory())?;
        let mut at_distance: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut farthest = None;
        for (number, &distance) in (0..).zip(distances).filter(|(_, at)| **at != UNREACHED) {
            farthest = farthest.max(Some(distance));
            if wanted.contains(distance) {
                at_distance.entry(distance).or_default().push(number);
            }
        }
        let mut boards = Boards { graph, distances, chosen: BTreeMap::new() };
        let mut random = Random::from_seed(options.seed.get());
        let (mut fewer, mut written) = (Vec::new(), 0);
        for (distance, mut numbers) in at_distance {
            if numbers.len() as u64 > options.each.get() {
                random.shuffle(&mut numbers);
                numbers.truncate(options.each.get() as usize);
            } else if (numbers.len() as u64) < options.each.get() {
                fewer.push(format!("{} at {distance}", numbers.len()));
            }
            for number in numbers {
                budget.check()?;
                emit(boards.report(number))?;
                written += 1;
            }
        }
        generated = ended(unit, graph.boards(), wanted, farthest, written, &fewer);
        Ok(())
    })?;
    Ok(generated)
}

/// What to tell at the end. `fewer` names the distances at which there are fewer boards than
/// wanted.
fn ended(
    unit: [&str; 2],
    boards: u32,
    wanted: NumberRange,
    farthest: Option<u32>,
    written: u64,
    fewer: &[String],
) -> Generated {
    let Some(farthest) = farthest else {
        let message = "no solved board can be reached".to_owned();
        return Generated::new(GenerateEnd::NoneExists).message(message);
    };
    let moves = counted(unit, farthest);
    if written == 0 {
        let message = format!("no board is at such a distance; the farthest ones are at {moves}");
        return Generated::new(GenerateEnd::NoneExists).message(message);
    }
    let mut message = format!("wrote {written} {} of {boards}", plural("board", written));
    if !fewer.is_empty() {
        message += &format!("; no more exist than {}", fewer.join(", "));
    }
    if wanted.contains(farthest.saturating_add(1)) {
        message += &format!("; the farthest ones are at {moves}");
    }
    Generated::new(GenerateEnd::Complete).note(message)
}

/// The boards of a graph with their distances.
struct Boards<'a, 'g> {
    graph: &'a BoardGraph<'g>,
    distances: &'a [u32],
    /// For each board on a plan that was written, the next board and the move to it: plans that
    /// meet on a board go on in the same way.
    chosen: BTreeMap<u32, (u32, String)>,
}

impl Boards<'_, '_> {
    fn distance(&self, number: u32) -> u32 {
        self.distances[number as usize]
    }

    /// The first move from a board towards a goal.
    fn move_from(&mut self, number: u32) -> Option<&(u32, String)> {
        if !self.chosen.contains_key(&number) {
            let next = self.distance(number).checked_sub(1)?;
            let is_next = |&&to: &&u32| self.distance(to) == next;
            let to = *self.graph.successors(number).iter().find(is_next)?;
            self.chosen.insert(number, (to, self.graph.move_text(number, to)));
        }
        self.chosen.get(&number)
    }

    fn report(&mut self, number: u32) -> BoardAtDistance {
        let (mut plan, mut at) = (Vec::new(), number);
        while let Some((next, by)) = self.move_from(at) {
            plan.push(by.clone());
            at = *next;
        }
        let mut ends = self.graph.successors(number).to_vec();
        ends.sort_unstable();
        ends.dedup();
        let moves = ends.into_iter().filter(|&to| to != number).map(|to| MoveWithDistance {
            by: self.graph.move_text(number, to),
            cost: Some(self.distance(to)).filter(|&distance| distance != UNREACHED),
        });
        BoardAtDistance {
            moves: moves.collect(),
            text: self.graph.instance(number),
            board: self.graph.board(number),
            cost: self.distance(number),
            plan,
        }
    }
}
