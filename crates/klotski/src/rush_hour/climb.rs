//! Generates hard Rush Hour boards: climbs from random cars to cars whose hardest board takes more
//! moves.
//!
//! A step changes the cars of one or two rows and columns, or a wall, and judges all boards with
//! the new cars at once, by one search from all solved boards. It is kept if the hardest of these
//! boards is at least as hard as that of some steps before: late acceptance (Burke and Bykov 2017),
//! which crosses plateaus and small valleys and needs no other parameter than this number of steps.
//!
//! ```
//! use fewest_core::budget::Budget;
//! use fewest_klotski::rush_hour::climb::{Wanted, climb};
//!
//! let found = climb::<4>(&Wanted { tries: Some(3), ..Wanted::default() }, &Budget::unlimited());
//! let hardest = found.boards[0].published().unwrap();
//! assert_eq!(hardest.moves, 7);
//! ```

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use fewest_core::budget::{Budget, Limit, Meter};
use fewest_core::memory::Reservation;
use fewest_puzzle::options::NumberRange;
use fewest_puzzle::random::Random;
use fewest_puzzle::rank::Published;

use super::RED_ROW;
use super::cars::upside_down;
use super::lane_set::{Entry, LaneSet, RED_LANE, Tables, root};
use crate::board::Board;
use crate::instance::{Axis, Goal, Instance, Lock};
use crate::plan::Metric;
use crate::plans::difficulty;
use crate::task::Task;

/// The number of steps after which a climb ends if it found nothing harder.
const PATIENCE: u32 = 3000;
/// A step is kept if it is at least as hard as the one this number of steps before.
const LATE: usize = 30;
/// The greatest number of boards of a component that are checked for `unique` and `no_idle_piece`.
const MAX_CHECKED: usize = 20;
/// The number of random changes that are tried before the cars are taken as they are.
const MAX_CHANGES: usize = 1000;
/// The lengths of cars and of trucks.
const LENGTHS: [u8; 2] = [2, 3];

/// Which boards to generate.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The number of cars of two cells, the red one among them.
    pub cars: NumberRange<1>,
    /// The number of cars of three cells.
    pub trucks: NumberRange,
    /// The number of walls.
    pub walls: NumberRange,
    /// The number of straight moves; `None` for the hardest boards.
    pub moves: Option<NumberRange>,
    /// The number of boards.
    pub count: usize,
    /// Whether the shortest plans of a board may differ only in the order of independent moves.
    pub unique: bool,
    /// Whether each car has to move in some shortest plan.
    pub no_idle_piece: bool,
    /// The number of climbs; `None` for any number, until a limit or enough boards end them.
    pub tries: Option<u64>,
    /// The random seed.
    pub seed: u64,
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            cars: NumberRange::new(1, u32::MAX),
            trucks: NumberRange::new(0, u32::MAX),
            walls: NumberRange::new(0, 0),
            moves: None,
            count: 1,
            unique: false,
            no_idle_piece: false,
            tries: Some(10),
            seed: 1,
        }
    }
}

impl Wanted {
    /// The number of cells that the fewest cars and walls take, if a board of N x N cells has
    /// fewer. The red car's row has no walls.
    pub fn cells_without_room(&self, side: usize) -> Option<u64> {
        let [cars, trucks, walls] =
            [self.cars.least(), self.trucks.least(), self.walls.least()].map(u64::from);
        let [car, truck] = LENGTHS.map(u64::from);
        let cells = car * cars + truck * trucks + walls;
        let side = side as u64;
        (cells > side * side || walls > side * (side - 1)).then_some(cells)
    }
}

/// The result of [`climb`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Climbed {
    /// The boards, the hardest first, with their moves and the number of boards of their component.
    pub boards: Vec<Instance>,
    /// The number of climbs.
    pub climbs: u64,
    /// The number of times that cars were chosen and all boards with them were judged.
    pub steps: u64,
    /// The number of boards that were judged.
    pub judged: u64,
    /// The limit that stopped the search, if any.
    pub limit: Option<Limit>,
}

/// Generates boards of N x N cells, where N is 4, 5 or 6. Cars with more boards than a limit of
/// states are passed over.
pub fn climb<const N: usize>(wanted: &Wanted, budget: &Budget) -> Climbed {
    let tables = Tables::<N>::new();
    let mut climbed = Climbed::default();
    let mut records = Records {
        wanted,
        budget,
        best: BTreeMap::new(),
        seen: BTreeSet::new(),
        reserved: Reservation::none(budget.memory()),
    };
    climbed.limit = run(&tables, wanted, budget, &mut records, &mut climbed).err();
    climbed.boards = records.best.into_values().collect();
    climbed
}

fn run<const N: usize>(
    tables: &Tables<N>,
    wanted: &Wanted,
    budget: &Budget,
    records: &mut Records<'_>,
    climbed: &mut Climbed,
) -> Result<(), Limit> {
    let mut random = Random::from_seed(wanted.seed);
    let mut judge = Judge {
        tables,
        set: LaneSet::new(tables, Lanes::EMPTY.rows, Lanes::<N>::EMPTY.walls, budget.memory())?,
        states: budget.states(),
        meter: budget.meter(),
    };
    while wanted.tries.is_none_or(|tries| climbed.climbs < tries) {
        let here = Lanes::random(tables, wanted, &mut random, budget)?;
        let Some(mut here) = here else { return Ok(()) };
        climbed.climbs += 1;
        let mut moves = judge.judge(&here, climbed)?;
        let (mut best, mut late, mut step, mut improved_at) = (moves, vec![moves; LATE], 0u32, 0);
        loop {
            if let Some(moves) = moves
                && records.may_take(moves)
                && records.take(&mut judge.set, moves)?
                && wanted.moves.is_some()
            {
                // Boards of one climb are alike.
                break;
            }
            if step - improved_at == PATIENCE {
                break;
            }
            let next = here.changed(tables, wanted, &mut random, budget)?;
            let next_moves = judge.judge(&next, climbed)?;
            let score = records.score(next_moves);
            let before = &mut late[step as usize % LATE];
            if score >= records.score(*before) || score >= records.score(moves) {
                (here, moves) = (next, next_moves);
            }
            *before = moves;
            step += 1;
            if records.score(moves) > records.score(best) {
                (best, improved_at) = (moves, step);
            }
        }
        if wanted.moves.is_some() && records.best.len() == wanted.count {
            break;
        }
    }
    Ok(())
}

/// The cars of all rows and columns, as indices of lanes, and the walls of each row.
#[derive(Clone)]
struct Lanes<const N: usize> {
    rows: [usize; N],
    columns: [usize; N],
    walls: [u8; N],
}

impl<const N: usize> Lanes<N> {
    /// The red car alone.
    const EMPTY: Self = {
        let mut rows = [0; N];
        rows[RED_ROW] = RED_LANE;
        Self { rows, columns: [0; N], walls: [0; N] }
    };

    /// The lane of a line: a row other than that of the red car, or a column.
    fn lane_mut(&mut self, line: usize) -> &mut usize {
        match line.checked_sub(N - 1) {
            Some(column) => &mut self.columns[column],
            None => &mut self.rows[line + usize::from(line >= RED_ROW)],
        }
    }

    /// The numbers of cars, trucks and walls.
    fn counts(&self, tables: &Tables<N>) -> [u32; 3] {
        let lanes = || self.rows.iter().chain(&self.columns).map(|&lane| &tables.lanes[lane]);
        let count = |length: u8| {
            lanes().flat_map(|lane| &lane.lengths).filter(|&&other| other == length).count() as u32
        };
        let walls = self.walls.iter().map(|walls| walls.count_ones()).sum();
        [count(LENGTHS[0]), count(LENGTHS[1]), walls]
    }

    fn is_wanted(&self, tables: &Tables<N>, wanted: &Wanted) -> bool {
        let [cars, trucks, walls] = self.counts(tables);
        wanted.cars.contains(cars) && wanted.trucks.contains(trucks) && wanted.walls.contains(walls)
    }

    /// Random cars and walls; `None` if no room was found for as many as are wanted.
    fn random(
        tables: &Tables<N>,
        wanted: &Wanted,
        random: &mut Random,
        budget: &Budget,
    ) -> Result<Option<Self>, Limit> {
        for _ in 0..MAX_CHANGES {
            budget.check()?;
            let mut lanes = Self::EMPTY;
            // A board has room for about N cars and N trucks. More are added by steps, if wanted.
            let mut pick = |least: u32, greatest: u32| {
                let most = greatest.min(least.max(N as u32));
                <NumberRange>::new(least, most).random(random)
            };
            let cars = pick(wanted.cars.least(), wanted.cars.greatest());
            let trucks = pick(wanted.trucks.least(), wanted.trucks.greatest());
            let walls = pick(wanted.walls.least(), wanted.walls.greatest());
            lanes.add_walls(walls as usize, random);
            (0..trucks).for_each(|_| lanes.add_car(tables, LENGTHS[1], random));
            (1..cars).for_each(|_| lanes.add_car(tables, LENGTHS[0], random));
            if lanes.is_wanted(tables, wanted) {
                return Ok(Some(lanes));
            }
        }
        Ok(None)
    }

    /// Adds a car to a random line with room for it, or to none if all are full.
    fn add_car(&mut self, tables: &Tables<N>, length: u8, random: &mut Random) {
        let mut lines: Vec<usize> = (0..2 * N - 1).collect();
        random.shuffle(&mut lines);
        for line in lines {
            let lane = self.lane_mut(line);
            let mut lengths = tables.lanes[*lane].lengths.clone();
            lengths.insert(random.below(lengths.len() + 1), length);
            if let Some(longer) = tables.lanes.iter().position(|lane| lane.lengths == lengths) {
                *lane = longer;
                return;
            }
        }
    }

    /// Adds this number of walls to random cells, or fewer if there are not as many.
    fn add_walls(&mut self, walls: usize, random: &mut Random) {
        if walls == 0 {
            return;
        }
        let rows = (0..N).filter(|&row| row != RED_ROW);
        let cells = rows.flat_map(|row| (0..N).map(move |column| (row, column)));
        let mut cells: Vec<(usize, usize)> = cells.collect();
        random.shuffle(&mut cells);
        cells.into_iter().take(walls).for_each(|(row, column)| self.walls[row] |= 1 << column);
    }

    /// Adds or removes a random wall.
    fn toggle_wall(&mut self, random: &mut Random) {
        let row = random.below(N - 1);
        self.walls[row + usize::from(row >= RED_ROW)] ^= 1 << random.below(N);
    }

    /// The same after a random change.
    fn changed(
        &self,
        tables: &Tables<N>,
        wanted: &Wanted,
        random: &mut Random,
        budget: &Budget,
    ) -> Result<Self, Limit> {
        for _ in 0..MAX_CHANGES {
            budget.check()?;
            let mut next = self.clone();
            if wanted.walls.greatest() > 0 && random.below(4) == 0 {
                (0..1 + random.below(2)).for_each(|_| next.toggle_wall(random));
            } else {
                for _ in 0..1 + random.below(2) {
                    *next.lane_mut(random.below(2 * N - 1)) = random.below(tables.lanes.len());
                }
            }
            if next.is_wanted(tables, wanted) {
                return Ok(next);
            }
        }
        Ok(self.clone())
    }
}

/// Judges all boards with the same cars.
struct Judge<'a, const N: usize> {
    tables: &'a Tables<N>,
    set: LaneSet<'a, N>,
    states: u64,
    meter: Meter<'a>,
}

impl<const N: usize> Judge<'_, N> {
    /// The moves of the hardest board; `None` if no board can be solved, or if there are more
    /// boards than the limit of states.
    fn judge(&mut self, lanes: &Lanes<N>, climbed: &mut Climbed) -> Result<Option<u8>, Limit> {
        self.set.set_rows(lanes.rows, lanes.walls)?;
        self.set.columns = lanes.columns;
        let fittings = lanes.columns.map(|lane| &self.tables.fittings[lane]);
        let rows = self.set.placements.iter().zip(0u32..).filter(|(rows, _)| rows.fits);
        let rows = rows.filter_map(|(rows, index)| {
            let columns = rows.blocked.iter().zip(fittings);
            let counts = columns.map(|(&blocked, fitting)| fitting[usize::from(blocked)].count);
            let boards: u32 = counts.map(u32::from).product();
            (boards > 0).then_some((index, boards))
        });
        let rows: Vec<(u32, u32)> = rows.collect();
        if rows.iter().map(|&(_, boards)| u64::from(boards)).sum::<u64>() > self.states {
            return Ok(None);
        }
        let boards = self.set.number_boards(&rows)?;
        self.meter.poll_after(boards + self.set.placements.len() as u32)?;
        self.set.find_distances();
        climbed.steps += 1;
        climbed.judged += u64::from(boards);
        Ok(self.set.queue.last().map(|&board| self.set.distance(board)))
    }
}

/// The boards to print, so far.
struct Records<'a> {
    wanted: &'a Wanted,
    budget: &'a Budget,
    /// The boards, the hardest first.
    best: BTreeMap<(Reverse<u8>, String), Instance>,
    /// The components that were tried, each by the least text of its hardest boards.
    seen: BTreeSet<String>,
    /// The memory of `seen`.
    reserved: Reservation,
}

impl Records<'_> {
    /// How good it is that a hardest board takes this number of moves.
    fn score(&self, moves: Option<u8>) -> Option<u32> {
        let most = self.wanted.moves.map_or(u32::MAX, NumberRange::greatest);
        moves.map(|moves| u32::from(moves).min(most))
    }

    /// Whether boards with at most this number of moves may be printed.
    fn may_take(&self, most: u8) -> bool {
        match self.wanted.moves {
            Some(range) => range.least() <= u32::from(most),
            None => {
                let last = self.best.last_key_value().map(|((Reverse(moves), _), _)| *moves);
                self.best.len() < self.wanted.count || last < Some(most)
            }
        }
    }

    /// Takes one of the hardest boards of each component that has boards of at most this number of
    /// moves. Returns whether there was any.
    fn take<const N: usize>(
        &mut self,
        set: &mut LaneSet<'_, N>,
        hardest: u8,
    ) -> Result<bool, Limit> {
        let wanted = self.wanted;
        let most = wanted.moves.map_or(u32::MAX, NumberRange::greatest);
        let moves = hardest.min(u8::try_from(most).unwrap_or(u8::MAX));
        let first = set.queue.partition_point(|&board| set.distance(board) < moves);
        let end = set.queue.partition_point(|&board| set.distance(board) <= moves);
        let mut components: BTreeMap<u32, Vec<Entry>> = BTreeMap::new();
        for index in first..end {
            let board = set.queue[index];
            let label = root(&mut set.parents, set.marks[board.number as usize].label());
            components.entry(label).or_default().push(board);
        }
        let mut is_taken = false;
        for (label, mut entries) in components {
            self.budget.check()?;
            entries.sort_by_key(|&board| set.cells(board));
            let boards: Vec<Board> = entries.iter().map(|&board| set.cars(board).board()).collect();
            let texts = boards.iter().flat_map(|board| {
                // Only from the middle row does the red car stay in its row.
                let mirrored = (2 * RED_ROW + 1 == N).then(|| upside_down(board));
                [Some(board.row_text()), mirrored.map(|board| board.row_text())]
            });
            let key = texts.flatten().min().unwrap_or_default();
            if self.seen.contains(&key) {
                continue;
            }
            // The nodes of the tree are at least half full.
            self.reserved.grow((2 * size_of::<String>() + key.len()) as u64)?;
            self.seen.insert(key.clone());
            let size = (0..set.queue.len()).filter(|&index| {
                let board = set.queue[index];
                root(&mut set.parents, set.marks[board.number as usize].label()) == label
            });
            let published = Published { moves: moves.into(), boards: size.count() as u64 };
            let instances = boards.into_iter().filter_map(instance);
            for instance in instances.take(MAX_CHECKED) {
                let instance = instance.with_published(Some(published));
                if self.meets_options(&instance)? {
                    self.best.insert((Reverse(moves), key), instance);
                    is_taken = true;
                    break;
                }
            }
            if self.best.len() > wanted.count {
                self.best.pop_last();
            }
        }
        Ok(is_taken)
    }

    fn meets_options(&self, instance: &Instance) -> Result<bool, Limit> {
        let Wanted { unique, no_idle_piece, .. } = *self.wanted;
        if !unique && !no_idle_piece {
            return Ok(true);
        }
        let task = Task::new(instance.clone(), Metric::Straight);
        let found = difficulty(&task, self.budget)?;
        Ok(found.is_some_and(|found| {
            (found.unique || !unique) && (found.idle.is_empty() || !no_idle_piece)
        }))
    }
}

/// The puzzle of a board whose red car is `A`.
fn instance(board: Board) -> Option<Instance> {
    let locks = board.pieces().into_iter().map(|piece| {
        let axis = Axis::longer(&board, &board.cells_of(piece));
        axis.map(|axis| Lock { piece, axis })
    });
    let locks = locks.collect::<Option<_>>()?;
    let goal = Goal { piece: 'A', first: (RED_ROW + 1) * board.columns() - 2 };
    Instance::new(board, vec![goal], locks).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::rush_hour::lane_set::Mark;
    use crate::solve::solve;

    /// 10,000 boards of random cars and walls, solved and unsolvable ones, against the solver for
    /// any board of pieces, which shares no code with the lanes.
    #[test]
    fn distances_are_those_of_the_solver_for_any_board() {
        let wanted = Wanted { walls: NumberRange::new(0, 3), ..Wanted::default() };
        let mut judged = [0; 2];
        let mut check = |board: Board, distance: Option<u32>| {
            let task = Task::new(instance(board).expect("a puzzle"), Metric::Straight);
            let solved = solve(&task, None, &Budget::unlimited()).expect("it can be searched");
            assert_eq!(solved.outcome.cost(), distance, "{:?}", task.instance.board());
            judged[usize::from(distance.is_some())] += 1;
        };
        let tables = Tables::<6>::new();
        let (mut random, budget) = (Random::from_seed(7), Budget::unlimited());
        let set = LaneSet::new(&tables, Lanes::<6>::EMPTY.rows, [0; 6], budget.memory());
        let mut judge = Judge {
            tables: &tables,
            set: set.expect("no limit"),
            states: u64::MAX,
            meter: budget.meter(),
        };
        let mut climbed = Climbed::default();
        for _ in 0..BOARDS / 10 {
            let lanes = Lanes::random(&tables, &wanted, &mut random, &budget);
            let lanes = lanes.expect("no limit").expect("there is room");
            judge.judge(&lanes, &mut climbed).expect("no limit");
            let set = &judge.set;
            let mut boards = Vec::new();
            for slot in 0..set.boards.slots.len() {
                set.boards.for_each(slot, |board| boards.push(board));
            }
            random.shuffle(&mut boards);
            for &board in boards.iter().take(10) {
                let is_solvable = set.marks[board.number as usize] != Mark::NONE;
                check(set.cars(board).board(), is_solvable.then(|| set.distance(board).into()));
            }
        }
        assert!(judged[0] > BOARDS / 20 && judged[1] > BOARDS / 5, "{judged:?}");
    }

    const BOARDS: usize = 10_000;

    #[test]
    fn boards_are_as_wanted() {
        let wanted = Wanted {
            cars: NumberRange::new(5, 7),
            trucks: NumberRange::new(1, 2),
            walls: NumberRange::new(1, 2),
            moves: Some(NumberRange::new(8, 12)),
            count: 5,
            unique: true,
            no_idle_piece: true,
            tries: None,
            seed: 3,
        };
        let found = climb::<5>(&wanted, &Budget::unlimited());
        assert_eq!(found, climb::<5>(&wanted, &Budget::unlimited()), "it is the same each time");
        assert_eq!(found.boards.len(), 5);
        let mut last = u32::MAX;
        for puzzle in &found.boards {
            let published = puzzle.published().expect("it is known");
            let (board, task) = (puzzle.board(), Task::new(puzzle.clone(), Metric::Straight));
            let hard = difficulty(&task, &Budget::unlimited()).expect("small").expect("solvable");
            assert_eq!((hard.moves, hard.boards), (published.moves, published.boards));
            assert!(hard.unique && hard.idle.is_empty() && published.moves <= last);
            last = published.moves;
            let of_length = |length: usize| {
                let pieces = board.pieces().into_iter();
                pieces.filter(|&piece| board.cells_of(piece).len() == length).count() as u32
            };
            let walls = board.cells().iter().filter(|&&cell| cell == '#').count() as u32;
            assert!(wanted.cars.contains(of_length(2)) && wanted.trucks.contains(of_length(3)));
            assert!(wanted.walls.contains(walls) && (8..=12).contains(&published.moves));
            // No two are mirror images.
            let mirrored = upside_down(board).row_text();
            let same = |other: &Instance| other.board().row_text() == mirrored;
            assert!(found.boards.iter().all(|other| other == puzzle || !same(other)));
        }
    }

    /// The census of 5x5 has two components of 20 moves, which are mirror images, and none of more.
    #[test]
    fn the_hardest_board_of_5x5_is_found_once() {
        let wanted = Wanted { tries: Some(30), count: 2, ..Wanted::default() };
        let found = climb::<5>(&wanted, &Budget::unlimited());
        let moves: Vec<u32> =
            found.boards.iter().map(|board| board.published().unwrap().moves).collect();
        assert!(moves[0] == 20 && moves[1] <= 20, "{moves:?}");
    }

    #[test]
    fn more_than_there_is_room_for_is_known_before_the_search() {
        let wanted = |cars, trucks, walls| Wanted {
            cars: NumberRange::new(cars, u32::MAX),
            trucks: NumberRange::new(trucks, u32::MAX),
            walls: NumberRange::new(walls, walls),
            ..Wanted::default()
        };
        for (cars, trucks, walls, expected) in [
            (18, 0, 0, None),
            (19, 0, 0, Some(38)),
            (1, 11, 1, None),
            (1, 11, 2, Some(37)),
            (1, 0, 30, None),
            (1, 0, 31, Some(33)),
            (u32::MAX, u32::MAX, u32::MAX, Some(6 * u64::from(u32::MAX))),
        ] {
            let found = wanted(cars, trucks, walls).cells_without_room(6);
            assert_eq!(found, expected, "{cars} {trucks} {walls}");
        }
    }

    /// Each of the loops that look for numbers of cars ends at once.
    #[test]
    fn a_search_for_cars_that_do_not_fit_can_be_stopped() {
        let wanted = Wanted { cars: NumberRange::new(1_000_000, 1_000_000), ..Wanted::default() };
        let budget = Budget::unlimited().cancelled_by(Arc::new(AtomicBool::new(true)));
        let found = climb::<6>(&wanted, &budget);
        assert_eq!((found.climbs, found.limit), (0, Some(Limit::Cancelled)));
        let (tables, mut random) = (Tables::<6>::new(), Random::from_seed(1));
        let changed = Lanes::<6>::EMPTY.changed(&tables, &wanted, &mut random, &budget);
        assert!(matches!(changed, Err(Limit::Cancelled)));
    }

    #[test]
    fn what_does_not_fit_is_told() {
        let with = |cars| Wanted { cars: NumberRange::new(cars, cars), ..Wanted::default() };
        let found = climb::<6>(&with(24), &Budget::unlimited());
        assert_eq!((found.climbs, found.boards.len(), found.limit), (0, 0, None));
        // Two cars in each column and row, but only one in the row of the red car.
        assert_eq!(climb::<6>(&with(23), &Budget::unlimited()).climbs, 10);
    }
}
