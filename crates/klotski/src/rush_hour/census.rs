//! The census of all Rush Hour boards of a size: one row for each component that can be solved.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZero;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use fewest_core::budget::{Budget, Limit};
use fewest_puzzle::words::plural;
use fewest_puzzle::work::{WorkContext, WorkError};
use fewest_rules::text::number;
use schemars::JsonSchema;
use serde::Serialize;

use super::line::board_text;
use super::universe::{Component, Totals, Universe};

/// The number of cells of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// 4x4.
    Four,
    /// 5x5.
    Five,
    /// 6x6.
    Six,
}

/// Why a text is not a [`Side`] or a [`Part`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseCensusError(&'static str);

impl Side {
    /// The number of cells.
    pub fn cells(self) -> usize {
        match self {
            Self::Four => 4,
            Self::Five => 5,
            Self::Six => 6,
        }
    }
}

impl FromStr for Side {
    type Err = ParseCensusError;

    fn from_str(text: &str) -> Result<Self, ParseCensusError> {
        match text {
            "4x4" => Ok(Self::Four),
            "5x5" => Ok(Self::Five),
            "6x6" => Ok(Self::Six),
            _ => Err(ParseCensusError("expected `4x4`, `5x5` or `6x6`")),
        }
    }
}

/// One of several parts of the census that together are the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The number of the part, from 1.
    index: usize,
    /// The number of parts.
    count: NonZero<usize>,
}

impl Default for Part {
    fn default() -> Self {
        Self { index: 1, count: NonZero::<usize>::MIN }
    }
}

impl FromStr for Part {
    type Err = ParseCensusError;

    fn from_str(text: &str) -> Result<Self, ParseCensusError> {
        let (index, count) = text.split_once('/').unzip();
        let part = index.and_then(number).zip(count.and_then(number).and_then(NonZero::new));
        part.filter(|(index, count)| (1..=count.get()).contains(index))
            .map(|(index, count)| Self { index, count })
            .ok_or(ParseCensusError("expected a part such as `2/8`, from `1/8` to `8/8`"))
    }
}

/// What to list.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// The size of the boards.
    pub side: Side,
    /// Whether to list only minimal components.
    pub minimal: bool,
    /// Which part of the census.
    pub part: Part,
    /// The number of threads.
    pub threads: NonZero<usize>,
}

/// A component, as `klotski census --rush-hour` lists it: all boards that can be reached from one
/// another.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Row {
    /// The number of straight moves that the hardest board takes.
    moves: usize,
    /// The hardest board: its cells in reading order, with `o` for a blank.
    board: String,
    /// The number of boards.
    boards: u64,
    /// Whether every car is needed: whichever is removed from the hardest board, it takes fewer
    /// moves.
    minimal: bool,
    /// The number of boards at each number of moves from a solved board.
    layers: Vec<u64>,
}

impl From<&Component> for Row {
    fn from(component: &Component) -> Self {
        let Component { hardest, layers, is_minimal } = component;
        Self {
            moves: layers.len() - 1,
            board: board_text(hardest),
            boards: layers.iter().sum(),
            minimal: *is_minimal,
            layers: layers.clone(),
        }
    }
}

impl Row {
    /// The columns of [`fields`](Self::fields).
    pub(crate) const COLUMNS: [&'static str; 5] = ["moves", "board", "boards", "minimal", "layers"];

    pub(crate) fn fields(&self) -> [String; 5] {
        let Self { moves, board, boards, minimal, layers } = self;
        let layers: Vec<String> = layers.iter().map(ToString::to_string).collect();
        let numbers = (moves.to_string(), boards.to_string());
        [numbers.0, board.clone(), numbers.1, minimal.to_string(), layers.join(" ")]
    }
}

/// Passes the components to `emit`, in an order that does not depend on the number of threads, and
/// returns a summary.
///
/// # Errors
/// The limit that stopped the work; an error of `emit`.
pub fn run(
    selection: Selection,
    budget: &Budget,
    work: &dyn WorkContext,
    emit: &mut dyn FnMut(Row) -> io::Result<()>,
) -> Result<String, WorkError> {
    let totals = match selection.side {
        Side::Four => list(&Universe::<4>::new(), selection, budget, work, emit),
        Side::Five => list(&Universe::<5>::new(), selection, budget, work, emit),
        Side::Six => list(&Universe::<6>::new(), selection, budget, work, emit),
    }?;
    let Totals { boards, packed, components, solvable, minimal } = totals;
    Ok(format!(
        "{boards} {}, on {packed} of them no car can move left or up; {components} {}, {solvable} \
         solvable, {minimal} minimal",
        plural("board", boards),
        plural("component", components),
    ))
}

fn list<const N: usize>(
    universe: &Universe<N>,
    selection: Selection,
    budget: &Budget,
    work: &dyn WorkContext,
    emit: &mut dyn FnMut(Row) -> io::Result<()>,
) -> Result<Totals, WorkError> {
    let Part { index, count } = selection.part;
    let row_sets: Vec<usize> = (index - 1..universe.row_sets()).step_by(count.get()).collect();
    let boards = row_sets.iter().map(|&row_set| universe.row_set_boards(row_set));
    work.start("board", Some(boards.sum()));
    let search = |row_set: usize| -> Result<(Vec<Row>, Totals), Limit> {
        let mut rows = Vec::new();
        let totals = universe.search(row_set, budget, |component| {
            if component.is_minimal || !selection.minimal {
                rows.push(Row::from(&component));
            }
        })?;
        work.add_done(totals.boards);
        Ok((rows, totals))
    };
    let next = AtomicUsize::new(0);
    let mut totals = Totals::default();
    thread::scope(|scope| {
        let (send, results) = mpsc::sync_channel(selection.threads.get());
        for _ in 0..selection.threads.get() {
            let (send, row_sets, next) = (send.clone(), &row_sets, &next);
            scope.spawn(move || {
                while let Some(&row_set) = row_sets.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = search(row_set);
                    let is_stopped = result.is_err();
                    // Nobody receives after an error.
                    if send.send((row_set, result)).is_err() || is_stopped {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut early = BTreeMap::new();
        let mut expected = row_sets.iter().peekable();
        for (row_set, result) in results {
            early.insert(row_set, result);
            while let Some(result) = expected.peek().and_then(|row_set| early.remove(row_set)) {
                expected.next();
                let (rows, found) = result?;
                rows.into_iter().try_for_each(&mut *emit)?;
                totals += found;
            }
        }
        Ok(totals)
    })
}
