//! The connected components of all classic layouts with at least two blanks, computed without
//! visiting the layouts one by one.
//!
//! The *skeleton* of a layout is its 2x2 piece and its dominoes, without the singles. The cells
//! that the skeleton leaves free form connected regions. Within a region with at least one blank,
//! the singles and blanks can reach any arrangement. So all layouts with the same skeleton and the
//! same number of blanks in each region are in one component, and they are represented by one
//! *node*. A region of `n` cells with `k` blanks contributes a factor of `n` choose `k` layouts:
//! 1,446,166 nodes represent 29,334,498 layouts.
//!
//! A piece of the skeleton can move by one cell if and only if the cells ahead of it are blanks. A
//! move joins the nodes before and after it, for each distribution of the other blanks over the
//! regions that are free both before and after. The components of the resulting graph are the
//! components of the layouts. They are the same in all metrics.
//!
//! ```
//! use fewest_klotski::census::components;
//!
//! // Four vertical dominoes and one horizontal: with four singles, these are the pieces of 横刀立马.
//! let of_four: Vec<_> =
//!     components(4, 1).into_iter().filter(|component| component.pieces.singles == 4).collect();
//! assert_eq!(of_four.iter().map(|component| component.layouts).sum::<u64>(), 65_880);
//! let mut sizes = of_four.iter().map(|component| (component.layouts, component.solvable));
//! assert!(sizes.any(|size| size == (25_955, true)));
//! ```

use std::io;

use fewest_core::budget::Budget;
use fewest_puzzle::SolveError;
use fewest_puzzle::census::{Census, CensusRow};
use fewest_puzzle::explore::{Explore, Extreme};
use fewest_puzzle::options::{OptionSource, OptionsError};
use fewest_puzzle::results::schema_of;
use fewest_puzzle::words::plural;
use fewest_puzzle::work::{WorkContext, WorkError};
use schemars::{JsonSchema, Schema};
use serde::Serialize;

use crate::board::{BLANK, Board};
use crate::code;
use crate::instance::Instance;
use crate::layout::{CELLS, COLUMNS, EXIT, footprint};
pub use crate::layout::{LAYOUTS, Pieces};
use crate::options::CensusOptions;
use crate::plan::Metric;
use crate::puzzle::Klotski;
use crate::rush_hour;
use crate::task::Task;

/// A component of the classic layouts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutComponent {
    /// The pieces of its layouts.
    pub pieces: Pieces,
    /// The number of its layouts.
    pub layouts: u64,
    /// Whether one of its layouts, and therefore each of them, can be solved.
    pub solvable: bool,
    /// One of its layouts, always the same.
    pub layout: Board,
}

/// The greatest number of dominoes that leave room for the 2x2 piece and two blanks.
pub const MAX_DOMINOES: usize = 7;

/// All numbers of vertical and horizontal dominoes, up to [`MAX_DOMINOES`] in total: the arguments
/// of [`components`].
pub fn all_dominoes() -> impl Iterator<Item = (usize, usize)> + Clone {
    (0..=MAX_DOMINOES)
        .flat_map(|dominoes| (0..=dominoes).map(move |vertical| (vertical, dominoes - vertical)))
}

/// The components of all layouts with the given numbers of dominoes, any number of singles and at
/// least two blanks, sorted by the number of singles and then by their first skeleton.
///
/// Takes a few milliseconds, and a few hundred bytes for each of the
/// [skeletons](crate::space::classic::SKELETON_COUNTS).
pub fn components(vertical: usize, horizontal: usize) -> Vec<LayoutComponent> {
    let skeletons = skeletons(vertical, horizontal);
    let mut nodes = Vec::with_capacity(skeletons.len());
    let mut node_count = 0;
    for skeleton in &skeletons {
        let regions = Regions::of(skeleton.free(), node_count);
        node_count = regions.end;
        nodes.push(regions);
    }
    let mut sets = DisjointSets::singletons(node_count);
    for (skeleton, regions) in skeletons.iter().zip(&nodes) {
        skeleton.moves(|skeleton_move| {
            if let Ok(other) = skeletons.binary_search(&skeleton_move.skeleton) {
                join_nodes(skeleton_move, regions, &nodes[other], &mut sets);
            }
        });
    }
    let mut found: Vec<LayoutComponent> = Vec::new();
    // The index of the component of each root.
    let mut component_of = vec![usize::MAX; node_count];
    for (skeleton, regions) in skeletons.iter().zip(&nodes) {
        regions.for_each_node(|node, blanks| {
            let blank_count: u32 = blanks.iter().sum();
            if blank_count < 2 {
                return;
            }
            let root = sets.find(node);
            if component_of[root] == usize::MAX {
                component_of[root] = found.len();
                let singles = skeleton.free().count_ones() - blank_count;
                let singles = singles as usize;
                let pieces = Pieces { standing: vertical, lying: horizontal, singles };
                let layout = skeleton.board(regions, blanks);
                found.push(LayoutComponent { pieces, layouts: 0, solvable: false, layout });
            }
            let component = &mut found[component_of[root]];
            component.layouts += regions.layout_count(blanks);
            component.solvable |= skeleton.large == EXIT;
        });
    }
    found.sort_by_key(|component| component.pieces);
    found
}

/// A layout without its singles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Skeleton {
    /// The first cell of the 2x2 piece.
    large: usize,
    /// The set of the first cells of the vertical dominoes, one bit per cell.
    vertical: u32,
    /// The set of the first cells of the horizontal dominoes.
    horizontal: u32,
}

/// All skeletons with the given numbers of dominoes, in ascending order.
fn skeletons(vertical: usize, horizontal: usize) -> Vec<Skeleton> {
    /// Places the remaining vertical and horizontal dominoes with their first cells from `cell` on.
    fn place_dominoes(
        cell: usize,
        covered: u32,
        remaining: (usize, usize),
        partial: Skeleton,
        all: &mut Vec<Skeleton>,
    ) {
        if remaining == (0, 0) {
            all.push(partial);
            return;
        }
        if cell == CELLS {
            return;
        }
        let mut place = |shape, remaining, partial| {
            if let Some(cells) = cell_set(cell, shape).filter(|cells| covered & cells == 0) {
                place_dominoes(cell + 1, covered | cells, remaining, partial, all);
            }
        };
        let (vertical, horizontal) = remaining;
        let here = 1 << cell;
        if vertical > 0 {
            let partial = Skeleton { vertical: partial.vertical | here, ..partial };
            place((2, 1), (vertical - 1, horizontal), partial);
        }
        if horizontal > 0 {
            let partial = Skeleton { horizontal: partial.horizontal | here, ..partial };
            place((1, 2), (vertical, horizontal - 1), partial);
        }
        place_dominoes(cell + 1, covered, remaining, partial, all);
    }
    let mut all = Vec::new();
    for large in 0..CELLS {
        if let Some(covered) = cell_set(large, (2, 2)) {
            place_dominoes(
                0,
                covered,
                (vertical, horizontal),
                Skeleton { large, vertical: 0, horizontal: 0 },
                &mut all,
            );
        }
    }
    all.sort_unstable();
    all
}

/// The cells of a piece with the given rows and columns, one bit per cell; `None` if it extends
/// beyond the board.
fn cell_set(first: usize, shape: (usize, usize)) -> Option<u32> {
    Some(footprint(first, shape)?.into_iter().fold(0, |cells, cell| cells | 1 << cell))
}

/// The numbers of the bits that are set.
fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < CELLS).then_some(bit)
    })
}

/// A move of a piece of a skeleton by one cell.
struct SkeletonMove {
    /// The skeleton after the move.
    skeleton: Skeleton,
    /// The cells that are free before the move only.
    entered: u32,
    /// The cells that are free after the move only.
    left: u32,
    /// The cells that are free both before and after the move.
    free: u32,
}

impl Skeleton {
    /// The cells that the skeleton does not cover.
    fn free(&self) -> u32 {
        let vertical = self.vertical | self.vertical << COLUMNS;
        let horizontal = self.horizontal | self.horizontal << 1;
        let large = 1 << self.large | 1 << (self.large + 1);
        !(vertical | horizontal | large | large << COLUMNS) & ((1 << CELLS) - 1)
    }

    /// Emits all moves by one cell to the east or south. Each move or its inverse is among them.
    fn moves(&self, mut emit: impl FnMut(&SkeletonMove)) {
        let free = self.free();
        let mut try_moves = |from: usize, shape, skeleton_at: &dyn Fn(usize) -> Skeleton| {
            for to in [(from % COLUMNS + 1 < COLUMNS).then_some(from + 1), Some(from + COLUMNS)]
                .into_iter()
                .flatten()
            {
                let (Some(before), Some(after)) = (cell_set(from, shape), cell_set(to, shape))
                else {
                    continue;
                };
                if after & !(free | before) == 0 {
                    let (entered, left) = (after & !before, before & !after);
                    let skeleton = skeleton_at(to);
                    emit(&SkeletonMove { skeleton, entered, left, free: free & !entered });
                }
            }
        };
        try_moves(self.large, (2, 2), &|large| Self { large, ..*self });
        for from in bits(self.vertical) {
            try_moves(from, (2, 1), &|to| Self {
                vertical: self.vertical ^ 1 << from ^ 1 << to,
                ..*self
            });
        }
        for from in bits(self.horizontal) {
            try_moves(from, (1, 2), &|to| Self {
                horizontal: self.horizontal ^ 1 << from ^ 1 << to,
                ..*self
            });
        }
    }

    /// The layout of a node that has the blanks of each region on its last cells.
    fn board(&self, regions: &Regions, blanks: &[u32]) -> Board {
        let mut blank_cells = 0;
        for (region, &blanks) in regions.regions.iter().zip(blanks) {
            let cells: Vec<usize> = bits(region.cells).collect();
            cells[cells.len() - blanks as usize..].iter().for_each(|cell| blank_cells |= 1 << cell);
        }
        let mut board = vec![BLANK; CELLS];
        let mut letters = 'a'..='z';
        for cell in 0..CELLS {
            let shape = match cell {
                _ if cell == self.large => (2, 2),
                _ if self.vertical >> cell & 1 == 1 => (2, 1),
                _ if self.horizontal >> cell & 1 == 1 => (1, 2),
                _ if self.free() & !blank_cells & 1 << cell != 0 => (1, 1),
                _ => continue,
            };
            let letter = if shape == (2, 2) { code::LARGE } else { letters.next().unwrap_or('?') };
            footprint(cell, shape)
                .into_iter()
                .flatten()
                .for_each(|covered| board[covered] = letter);
        }
        Board::of_cells(COLUMNS, board)
    }
}

/// The regions of the free cells of a skeleton, and the numbers of its nodes.
///
/// The number of a node is in a mixed radix: each digit is the number of blanks in a region.
struct Regions {
    regions: Vec<Region>,
    /// The number of the first node, which has no blanks.
    first: usize,
    /// The number after that of the last node.
    end: usize,
}

struct Region {
    cells: u32,
    /// The weight of its digit: what one more blank in the region adds to the number of a node.
    weight: usize,
}

impl Region {
    fn size(&self) -> u32 {
        self.cells.count_ones()
    }
}

/// The connected parts of a set of cells.
fn connected(mut cells: u32) -> impl Iterator<Item = u32> {
    const FIRST_COLUMN: u32 = 0x1_1111;
    std::iter::from_fn(move || {
        let mut part = cells & cells.wrapping_neg();
        loop {
            let horizontal =
                (part & !(FIRST_COLUMN << (COLUMNS - 1))) << 1 | (part & !FIRST_COLUMN) >> 1;
            let grown = (part | part << COLUMNS | part >> COLUMNS | horizontal) & cells;
            if grown == part {
                break;
            }
            part = grown;
        }
        cells &= !part;
        (part != 0).then_some(part)
    })
}

impl Regions {
    /// The regions of a set of free cells, with nodes numbered from `first`.
    fn of(free: u32, first: usize) -> Self {
        let (mut regions, mut weight) = (Vec::new(), 1);
        for cells in connected(free) {
            let region = Region { cells, weight };
            weight *= region.size() as usize + 1;
            regions.push(region);
        }
        Self { regions, first, end: first + weight }
    }

    /// The weight of the first region that contains one of `cells`; 0 if there is none.
    fn weight(&self, cells: u32) -> usize {
        self.regions
            .iter()
            .find(|region| region.cells & cells != 0)
            .map_or(0, |region| region.weight)
    }

    /// Emits the number of each node and the number of blanks in each region.
    fn for_each_node(&self, mut emit: impl FnMut(usize, &[u32])) {
        let mut blanks = vec![0; self.regions.len()];
        for node in self.first..self.end {
            emit(node, &blanks);
            for (blanks, region) in blanks.iter_mut().zip(&self.regions) {
                if *blanks < region.size() {
                    *blanks += 1;
                    break;
                }
                *blanks = 0;
            }
        }
    }

    /// The number of layouts that a node represents.
    fn layout_count(&self, blanks: &[u32]) -> u64 {
        let binomial = |(region, &blanks): (&Region, &u32)| {
            (0..u64::from(blanks))
                .fold(1, |count, blank| count * (u64::from(region.size()) - blank) / (blank + 1))
        };
        self.regions.iter().zip(blanks).map(binomial).product()
    }
}

/// Joins the nodes before and after a move, for each distribution of blanks over the cells that are
/// free both before and after.
fn join_nodes(
    skeleton_move: &SkeletonMove,
    before: &Regions,
    after: &Regions,
    sets: &mut DisjointSets,
) {
    let weight_sum = |regions: &Regions, cells: u32| {
        bits(cells).map(|cell| regions.weight(1 << cell)).sum::<usize>()
    };
    let mut one = before.first + weight_sum(before, skeleton_move.entered);
    let mut other = after.first + weight_sum(after, skeleton_move.left);
    let parts: Vec<(u32, usize, usize)> = connected(skeleton_move.free)
        .map(|part| (part.count_ones(), before.weight(part), after.weight(part)))
        .collect();
    let mut blanks = vec![0; parts.len()];
    loop {
        sets.union(one, other);
        let mut has_next = false;
        for (blanks, &(size, weight_in_one, weight_in_other)) in blanks.iter_mut().zip(&parts) {
            if *blanks < size {
                *blanks += 1;
                (one, other) = (one + weight_in_one, other + weight_in_other);
                has_next = true;
                break;
            }
            one -= size as usize * weight_in_one;
            other -= size as usize * weight_in_other;
            *blanks = 0;
        }
        if !has_next {
            return;
        }
    }
}

/// Disjoint sets of numbers (Galler and Fischer, 1964). The least number of a set is its root.
struct DisjointSets(Vec<u32>);

impl DisjointSets {
    fn singletons(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    /// The root of the set of a number. Halves the path to it.
    fn find(&mut self, number: usize) -> usize {
        let mut here = number as u32;
        while self.0[here as usize] != here {
            let next = self.0[self.0[here as usize] as usize];
            self.0[here as usize] = next;
            here = next;
        }
        here as usize
    }

    fn union(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        self.0[one.max(other)] = one.min(other) as u32;
    }
}

/// A row of `klotski census`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Row {
    /// A component of the classic layouts.
    Component(ComponentRow),
    /// A component of the Rush Hour boards.
    RushHour(rush_hour::census::Row),
}

/// A component, as `klotski census` lists it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ComponentRow {
    /// The number of vertical dominoes.
    standing: usize,
    /// The number of horizontal dominoes.
    lying: usize,
    /// The number of singles.
    singles: usize,
    /// The number of blanks.
    blanks: usize,
    /// The number of layouts.
    layouts: u64,
    /// Whether the layouts can be solved.
    solvable: bool,
    /// The code of a layout.
    layout: String,
    /// With `--hardest`: the layouts that need the most rectilinear moves; null if the layouts
    /// cannot be solved.
    hardest: Option<HardestLayouts>,
    /// Whether the fields have them.
    #[serde(skip)]
    lists_hardest: bool,
}

/// The layouts of a component that need the most rectilinear moves.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct HardestLayouts {
    /// The number of moves.
    moves: u32,
    /// The number of layouts that need them.
    layouts: u64,
    /// The code of one of them.
    layout: String,
}

impl ComponentRow {
    const COLUMNS: [&'static str; 7] =
        ["standing", "lying", "singles", "blanks", "layouts", "solvable", "layout"];
    const HARDEST_COLUMNS: [&'static str; 3] =
        ["hardest_moves", "hardest_layouts", "hardest_layout"];

    fn fields(&self) -> Vec<String> {
        let Self { standing, lying, singles, blanks, layouts, solvable, layout, .. } = self;
        let mut fields = [standing, lying, singles, blanks].map(ToString::to_string).to_vec();
        fields.extend([layouts.to_string(), solvable.to_string(), layout.clone()]);
        if self.lists_hardest {
            fields.extend(self.hardest.as_ref().map_or_else(<[_; 3]>::default, |hardest| {
                [hardest.moves.to_string(), hardest.layouts.to_string(), hardest.layout.clone()]
            }));
        }
        fields
    }
}

impl CensusRow for Row {
    fn fields(&self) -> Vec<String> {
        match self {
            Self::Component(row) => row.fields(),
            Self::RushHour(row) => row.fields().to_vec(),
        }
    }
}

impl Census for Klotski {
    #[cfg(feature = "clap")]
    fn arguments(&self, command: clap::Command) -> clap::Command {
        fewest_puzzle::options::add_arguments::<CensusOptions>(command)
    }

    fn row_schema(&self) -> Schema {
        schema_of::<Row>()
    }

    fn columns(&self, options: OptionSource<'_>) -> Result<Vec<&'static str>, OptionsError> {
        let options: CensusOptions = options.options()?;
        if options.rush_hour.is_some() {
            return Ok(rush_hour::census::Row::COLUMNS.to_vec());
        }
        let mut columns = ComponentRow::COLUMNS.to_vec();
        if options.hardest {
            columns.extend(ComponentRow::HARDEST_COLUMNS);
        }
        Ok(columns)
    }

    fn census(
        &self,
        options: OptionSource<'_>,
        work: &dyn WorkContext,
        emit: &mut dyn FnMut(&dyn CensusRow) -> io::Result<()>,
    ) -> Result<String, WorkError> {
        let options: CensusOptions = options.options()?;
        run(&options, &work.budget(options.limits.limits()), work, &mut |row| emit(&row))
    }
}

/// Passes the components to `emit`, and returns a summary.
///
/// # Errors
/// The limit that stopped the work; an error of `emit`.
fn run(
    options: &CensusOptions,
    budget: &Budget,
    work: &dyn WorkContext,
    emit: &mut dyn FnMut(Row) -> io::Result<()>,
) -> Result<String, WorkError> {
    if let Some(selection) = options.rush_hour_selection() {
        return rush_hour::census::run(selection, budget, work, &mut |row| {
            emit(Row::RushHour(row))
        });
    }
    work.start("layout", options.pieces.is_none().then_some(LAYOUTS));
    let (mut count, mut layouts, mut largest, mut solvable) = (0u64, 0, 0, 0u64);
    let wanted = |(standing, lying): &(usize, usize)| {
        options.pieces.is_none_or(|pieces| (pieces.standing, pieces.lying) == (*standing, *lying))
    };
    for (standing, lying) in all_dominoes().filter(wanted) {
        budget.meter().poll()?;
        for component in components(standing, lying) {
            let pieces = component.pieces;
            if options.pieces.is_some_and(|wanted| wanted != pieces) {
                continue;
            }
            count += 1;
            layouts += component.layouts;
            work.add_done(component.layouts);
            largest = largest.max(component.layouts);
            solvable += u64::from(component.solvable);
            let layout = Instance::new(component.layout, Vec::new(), Vec::new());
            let layout = layout.map_err(|fault| SolveError::Bug(fault.found))?;
            let Pieces { standing, lying, singles } = pieces;
            emit(Row::Component(ComponentRow {
                standing,
                lying,
                singles,
                blanks: pieces.blanks().unwrap_or_default(),
                layouts: component.layouts,
                solvable: component.solvable,
                layout: layout.code().unwrap_or_default(),
                hardest: match options.hardest && component.solvable {
                    true => Some(hardest_layouts(layout, budget)?),
                    false => None,
                },
                lists_hardest: options.hardest,
            }))?;
        }
    }
    Ok(format!(
        "{layouts} {} in {count} {}, the largest with {largest}; {solvable} solvable",
        plural("layout", layouts),
        plural("component", count)
    ))
}

fn hardest_layouts(layout: Instance, budget: &Budget) -> Result<HardestLayouts, SolveError> {
    let component = Task::new(layout, Metric::Rectilinear).explore(budget, &mut |_, _| {})?;
    let none = || SolveError::Bug("a component marked as solvable has no goal".to_owned());
    let Extreme { moves, boards, board } = component.hardest?.ok_or_else(none)?;
    let hardest = Instance::read(board.as_bytes()).next().and_then(Result::ok);
    let code = hardest.and_then(|hardest| hardest.code());
    Ok(HardestLayouts { moves, layouts: boards, layout: code.unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::classic::SKELETON_COUNTS;

    #[test]
    fn skeletons_are_as_many_as_in_the_table() {
        for (vertical, row) in SKELETON_COUNTS.iter().enumerate() {
            let counted: Vec<usize> =
                (0..row.len()).map(|horizontal| skeletons(vertical, horizontal).len()).collect();
            assert_eq!(counted, row.map(|count| count as usize), "{vertical} vertical dominoes");
        }
    }
}
