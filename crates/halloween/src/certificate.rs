//! Boards as records, for certificates.

use std::borrow::Cow;
use std::ops::ControlFlow;

use fewest_certificate::{Boards, Bound, Poll, Potential, Refusal};
use fewest_geometry::{Cell, Direction};
use fewest_rules::text::{Diagnostic, Line};

use crate::instance::{Ghost, Instance, ghost_name};
use crate::plan::JointStep;
use crate::rules::Board;

/// A record has the number of each ghost's cell among the corridor cells in reading order, the most
/// significant byte first: one byte if there are fewer than 256 of them, two if there are fewer
/// than 65,536, else three.
pub struct BoardRecords<'a> {
    instance: Cow<'a, Instance>,
    /// The corridor cells in reading order.
    corridor: Vec<Cell>,
    /// The number of each cell of the map among them.
    numbers: Vec<u32>,
    cell_bytes: usize,
}

impl<'a> BoardRecords<'a> {
    /// `None` if there are 16,777,216 corridor cells or more.
    pub fn new(instance: &'a Instance) -> Option<Self> {
        Self::of(Cow::Borrowed(instance))
    }

    fn of(instance: Cow<'a, Instance>) -> Option<Self> {
        let size = instance.size();
        let corridor: Vec<Cell> = size.cells().filter(|&cell| instance.is_corridor(cell)).collect();
        let cell_bytes = match corridor.len() {
            ..=0xff => 1,
            0x100..=0xffff => 2,
            0x1_0000..=0xff_ffff => 3,
            _ => return None,
        };
        let mut numbers = vec![0; size.len()];
        (0..).zip(&corridor).for_each(|(number, &cell)| numbers[size.index(cell)] = number);
        Some(Self { instance, corridor, numbers, cell_bytes })
    }

    /// The number of corridor cells.
    pub(crate) fn cell_count(&self) -> usize {
        self.corridor.len()
    }

    /// The boards of other ghosts on the same map.
    fn with_ghosts(&self, ghosts: Vec<Ghost>) -> Result<Self, String> {
        let corridor = self.instance.corridor().to_bitvec();
        let other = Instance::new(self.instance.size(), corridor, ghosts);
        other
            .and_then(|other| Self::of(Cow::Owned(other)))
            .ok_or_else(|| "no instance has these ghosts".to_owned())
    }

    fn number(&self, cell: Cell) -> u32 {
        self.numbers[self.instance.size().index(cell)]
    }

    /// The index of a choice of cells in a table.
    pub(crate) fn index(&self, cells: impl IntoIterator<Item = Cell>) -> usize {
        let number = |cell| self.number(cell) as usize;
        cells.into_iter().fold(0, |index, cell| index * self.cell_count() + number(cell))
    }

    /// The cells of an entry of a table of this number of ghosts.
    pub(crate) fn cells(&self, mut index: usize, ghosts: usize) -> Vec<Cell> {
        let mut cells = vec![self.corridor[0]; ghosts];
        for cell in cells.iter_mut().rev() {
            *cell = self.corridor[index % self.cell_count()];
            index /= self.cell_count();
        }
        cells
    }

    /// Adds the steps of the ghosts from number `to.len()` on, if those before go from `from` to
    /// `to`.
    pub(crate) fn step<R>(
        &self,
        from: &[Cell],
        to: &mut Vec<Cell>,
        visit: &mut dyn FnMut(&[Cell]) -> ControlFlow<R>,
    ) -> ControlFlow<R> {
        let ghost = to.len();
        let Some(&here) = from.get(ghost) else { return visit(to) };
        let directions = Direction::ALL.map(Some).into_iter().chain([None]);
        for there in directions.map(|by| by.map_or(here, |direction| here.step(direction))) {
            let is_free = self.instance.is_corridor(there)
                && from.iter().zip(&*to).all(|(&other_from, &other_to)| {
                    other_to != there && !(other_to == here && other_from == there)
                });
            if is_free {
                to.push(there);
                self.step(from, to, visit)?;
                to.pop();
            }
        }
        ControlFlow::Continue(())
    }
}

/// A table of some ghosts: the fewest steps that they need from their cells to their goals, as if
/// there were no others.
///
/// In the numbers of a certificate, a table is the number of its ghosts; the ghosts, counted from
/// 0, in ascending order; and for each choice of cells for them, the last ghost's changing fastest,
/// a number of steps, or -1 if the goals are out of reach. What it has where two ghosts are on one
/// cell does not matter.
struct Table<'a> {
    ghosts: Vec<usize>,
    /// A number for each choice of cells.
    steps: &'a [i64],
}

/// The goals cannot be reached.
pub(crate) const OUT_OF_REACH: i64 = -1;

impl<'a> Table<'a> {
    /// Reads the tables of a certificate.
    fn read_all(records: &BoardRecords<'_>, mut numbers: &'a [i64]) -> Result<Vec<Self>, String> {
        let all = records.instance.ghosts().len();
        let mut tables = Vec::new();
        while let Some((&count, rest)) = numbers.split_first() {
            let fits = |count: &usize| (1..=rest.len().min(all)).contains(count);
            let count = usize::try_from(count).ok().filter(fits).ok_or("a table of no ghosts")?;
            let (ghosts, rest) = rest.split_at(count);
            let valid = |&ghost: &i64| usize::try_from(ghost).ok().filter(|&ghost| ghost < all);
            let ghosts: Option<Vec<_>> = ghosts.iter().map(valid).collect();
            let ghosts = ghosts.filter(|ghosts| ghosts.is_sorted_by(|one, next| one < next));
            let ghosts = ghosts.ok_or("a table of ghosts that there are not")?;
            // So no table is there twice, and there are few beside their entries.
            if tables.last().is_some_and(|last: &Self| last.ghosts >= ghosts) {
                return Err("the tables are not in order".to_owned());
            }
            let entries = records.cell_count().checked_pow(count as u32);
            let split = entries.and_then(|entries| rest.split_at_checked(entries));
            let (steps, rest) = split.ok_or("a table is cut short")?;
            tables.push(Self { ghosts, steps });
            numbers = rest;
        }
        Ok(tables)
    }

    /// Checks that the goals have no steps, and that a step of the ghosts lowers the number by at
    /// most 1.
    fn check(&self, records: &BoardRecords<'_>, poll: &Poll<'_>) -> Result<(), Refusal> {
        let wrong = |cells: &[Cell], what: &str| {
            let ghosts = self.ghosts.iter().zip(cells);
            let ghosts = ghosts.map(|(&ghost, cell)| format!("{} on {cell}", ghost_name(ghost)));
            let ghosts = ghosts.collect::<Vec<_>>().join(", ");
            Err(Refusal::Numbers(format!("{ghosts}: {what}")))
        };
        let goals = self.ghosts.iter().map(|&ghost| records.instance.ghosts()[ghost].goal);
        let goals: Vec<Cell> = goals.collect();
        if self.steps[records.index(goals.iter().copied())] != 0 {
            return wrong(&goals, "these are the goals, which have no steps left");
        }
        for (index, &steps) in self.steps.iter().enumerate() {
            poll.count()?;
            let cells = records.cells(index, self.ghosts.len());
            let is_double = |at: usize| cells[..at].contains(&cells[at]);
            if (0..cells.len()).any(is_double) {
                continue;
            }
            if steps < OUT_OF_REACH {
                return wrong(&cells, "a number of steps is negative");
            }
            let too_low = records.step(&cells, &mut Vec::new(), &mut |next| {
                let after = self.steps[records.index(next.iter().copied())];
                match (steps, after) {
                    (OUT_OF_REACH, OUT_OF_REACH) => ControlFlow::Continue(()),
                    (OUT_OF_REACH, _) => ControlFlow::Break(()),
                    // From a smaller number, also to where the goals are out of reach.
                    (_, OUT_OF_REACH) => ControlFlow::Continue(()),
                    _ if after >= steps - 1 => ControlFlow::Continue(()),
                    _ => ControlFlow::Break(()),
                }
            });
            if too_low.is_break() {
                return wrong(&cells, "a step lowers the number of steps by more than 1");
            }
        }
        Ok(())
    }

    /// What the table proves of a board.
    fn bound(&self, records: &BoardRecords<'_>, board: &Board) -> Bound {
        let cells = self.ghosts.iter().map(|&ghost| board.cells()[ghost]);
        match self.steps[records.index(cells)] {
            OUT_OF_REACH => Bound::Unsolvable,
            steps => Bound::Cost(steps.unsigned_abs()),
        }
    }
}

impl Boards for BoardRecords<'_> {
    type Rules = Instance;

    fn rules(&self) -> &Instance {
        &self.instance
    }

    fn description(&self) -> Vec<(&'static str, String)> {
        let ghosts = self.instance.ghosts().iter();
        let ghosts: Vec<_> =
            ghosts.map(|ghost| format!("{} to {}", ghost.start, ghost.goal)).collect();
        let map = self.instance.map_text(&[]);
        let map = map.replace(|symbol: char| symbol.is_ascii_uppercase(), " ");
        vec![("puzzle", "halloween".to_owned()), ("map", map), ("ghosts", ghosts.join("; "))]
    }

    fn record_bytes(&self) -> usize {
        self.instance.ghosts().len() * self.cell_bytes
    }

    /// Some of the ghosts, counted from 0, in ascending order: without the others, they can do all
    /// that they do in any plan.
    fn part(&self, members: &[u64]) -> Result<Self, String> {
        let all = self.instance.ghosts();
        let ghost = |&member: &u64| all.get(usize::try_from(member).ok()?).copied();
        let ghosts: Option<Vec<_>> = members.iter().map(ghost).collect();
        let is_sorted = members.is_sorted_by(|one, next| one < next);
        let ghosts = ghosts.filter(|_| is_sorted).ok_or("ghosts that there are not")?;
        self.with_ghosts(ghosts)
    }

    fn reversed(&self) -> Result<Self, String> {
        let ghosts = self.instance.ghosts().iter();
        let ghosts = ghosts.map(|&Ghost { start, goal }| Ghost { start: goal, goal: start });
        self.with_ghosts(ghosts.collect())
    }

    /// The numbers are tables of the fewest steps of some ghosts. The bound is the greatest one of
    /// them.
    fn potential<'b>(
        &'b self,
        numbers: &'b [i64],
        poll: &Poll<'_>,
    ) -> Result<Potential<'b, Self>, Refusal> {
        let tables = Table::read_all(self, numbers).map_err(Refusal::Numbers)?;
        tables.iter().try_for_each(|table| table.check(self, poll))?;
        Ok(Box::new(move |board| {
            let mut moves = 0;
            for bound in tables.iter().map(|table| table.bound(self, board)) {
                match bound {
                    Bound::Cost(bound) => moves = moves.max(bound),
                    Bound::Unsolvable => return Bound::Unsolvable,
                }
            }
            Bound::Cost(moves)
        }))
    }

    fn write_record(&self, board: &Board, record: &mut Vec<u8>) -> bool {
        for &cell in board.cells() {
            record.extend_from_slice(&self.number(cell).to_be_bytes()[4 - self.cell_bytes..]);
        }
        true
    }

    fn read_record(&self, record: &[u8]) -> Option<Board> {
        let cell = |bytes: &[u8]| {
            let number = bytes.iter().fold(0, |number, &byte| number << 8 | usize::from(byte));
            self.corridor.get(number).copied()
        };
        let cells: Option<Vec<_>> = record.chunks(self.cell_bytes).map(cell).collect();
        Board::new(&self.instance, cells?)
    }

    /// All steps of all ghosts. [`Rules::moves`](fewest_rules::Rules::moves) has those of one
    /// ghost.
    fn successors<R>(
        &self,
        board: &Board,
        visit: &mut dyn FnMut(&Board, u32) -> ControlFlow<R>,
    ) -> ControlFlow<R> {
        self.step(board.cells(), &mut Vec::new(), &mut |cells| match Board::new(
            &self.instance,
            cells.to_vec(),
        ) {
            Some(next) => visit(&next, 1),
            None => ControlFlow::Continue(()),
        })
    }

    fn read_move(&self, line: Line<'_>) -> Result<JointStep, Diagnostic> {
        JointStep::read(line, self.instance.ghosts().len())
    }

    fn show(&self, board: &Board) -> String {
        self.instance.map_text(board.cells()).trim_end_matches('\n').replace('\n', "/")
    }
}
