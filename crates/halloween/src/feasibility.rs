//! Whether any plan exists at all, told from the shape of the house, without a search.
//!
//! Ghosts are pebbles on a graph (Kornhauser, Miller and Spirakis 1984) that may also turn around a
//! full cycle all at once (Yu and Rus 2014); all else that a step can do, moves to blank cells do
//! one by one. So what matters is where ghosts can change their order. There are two kinds of such
//! places: a *ring*, cells that stay connected whichever way between two of them is shut, and a
//! *fork*, a cell on no cycle that has three neighbours or more. In a fork it takes one blank cell
//! more than in a ring.
//!
//! With `b` blank cells in all, two places whose distance is `d` act as one if a ghost can walk
//! from one to the other and change its order there: if `d`, and one more for each of the two that
//! is a fork, are at most `b`. A ghost that waits in a corridor gets to a place if its distance is
//! at most `b` once all blank cells have been gathered there, or `b - 1` for a fork (for forks see
//! de Wilde, ter Mors and Witteveen 2014). Ghosts that get to the same place can be put into any
//! order. So the ghosts fall into classes, and there is a plan if, with all blank cells gathered
//! somewhere, the start and the goal have ghosts of the same classes on the same cells. Exceptions
//! are a house that is a single cycle, and one without blank cells: a full cycle only turns.
//!
//! The tests hold this against exhaustion: all houses to eight cells with any number of ghosts, and
//! thousands of larger ones.
//!
//! ```
//! use fewest_core::budget::Budget;
//! use fewest_core::encoding::Cells;
//! use fewest_halloween::feasibility::has_plan;
//!
//! let house = |rows: [&str; 2]| Cells::new(5, 2, |x, y| rows[y].as_bytes()[x] == b' ').unwrap();
//! // Two ghosts change places at a fork, and not in a corridor.
//! let budget = Budget::unlimited();
//! assert_eq!(has_plan(&house(["     ", "## ##"]), &[0, 1], &[1, 0], &mut budget.meter()), Ok(true));
//! assert_eq!(has_plan(&house(["     ", "#####"]), &[0, 1], &[1, 0], &mut budget.meter()), Ok(false));
//! ```

use std::mem;

use fewest_core::budget::{Limit, Meter};
use fewest_core::encoding::{Cell, Cells};

/// Whether some plan takes each ghost from its start to its goal, at most one on each cell.
///
/// Linear in the cells where all ghosts of each part of the house get to one place, as in most
/// houses, times the parts that have ghosts; else at most the product of cells, ghosts and places.
pub fn has_plan(
    cells: &Cells,
    starts: &[Cell],
    goals: &[Cell],
    meter: &mut Meter<'_>,
) -> Result<bool, Limit> {
    let house = House::new(cells);
    let empty = |cells| Part { house: &house, cells, starts: Vec::new(), goals: Vec::new() };
    let mut parts: Vec<Part<'_>> =
        house.parts.iter().map(|cells| empty(cells.as_slice())).collect();
    for (ghost, (&start, &goal)) in starts.iter().zip(goals).enumerate() {
        parts[house.part(start)].starts.push((ghost, start));
        parts[house.part(goal)].goals.push((ghost, goal));
    }
    let mut walk = Walk { cells, met: vec![0; cells.len()], number: 0, queue: Vec::new(), meter };
    for part in &parts {
        if !part.has_plan(&mut walk)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Ghosts by number, each with its cell.
type Ghosts = Vec<(usize, Cell)>;

const NO_PART: usize = usize::MAX;

/// The house as a graph.
struct House<'a> {
    cells: &'a Cells,
    /// The cells of each connected part.
    parts: Vec<Vec<Cell>>,
    /// Of each cell, the index of its part; before that is known, of none.
    part: Vec<usize>,
    /// Of each cell, the cell that stands for its ring; a cell on no cycle is alone in its own.
    ring: Vec<Cell>,
}

impl<'a> House<'a> {
    /// Finds the rings by one depth-first search (Tarjan 1974).
    fn new(cells: &'a Cells) -> Self {
        let len = cells.len();
        let mut house =
            Self { cells, parts: Vec::new(), part: vec![NO_PART; len], ring: vec![0; len] };
        let mut parent: Vec<Cell> = vec![0; len];
        let mut number = vec![0; len];
        // The least number that is next to a cell or to what was found from it, but for the way
        // that the search came.
        let mut low = vec![0; len];
        for first in 0..len {
            if house.part[first] != NO_PART {
                continue;
            }
            let part = house.parts.len();
            let mut order = vec![first as Cell];
            (house.part[first], number[first], low[first], parent[first]) =
                (part, 0, 0, first as Cell);
            let mut path = vec![(first, 0)];
            while let Some((cell, turn)) = path.last_mut() {
                let cell = *cell;
                if let Some(&next) = cells.neighbours(cell as Cell).get(*turn) {
                    *turn += 1;
                    let next = usize::from(next);
                    if house.part[next] == NO_PART {
                        (house.part[next], parent[next]) = (part, cell as Cell);
                        (number[next], low[next]) = (order.len(), order.len());
                        order.push(next as Cell);
                        path.push((next, 0));
                    } else if next != usize::from(parent[cell]) {
                        low[cell] = low[cell].min(number[next]);
                    }
                } else {
                    path.pop();
                    if let Some(&(parent, _)) = path.last() {
                        low[parent] = low[parent].min(low[cell]);
                    }
                }
            }
            for &cell in &order {
                let index = usize::from(cell);
                let begins = low[index] == number[index];
                house.ring[index] =
                    if begins { cell } else { house.ring[usize::from(parent[index])] };
            }
            house.parts.push(order);
        }
        house
    }

    fn part(&self, cell: Cell) -> usize {
        self.part[usize::from(cell)]
    }

    fn ring(&self, cell: Cell) -> Cell {
        self.ring[usize::from(cell)]
    }

    fn neighbours_in_ring(&self, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
        self.cells
            .neighbours(cell)
            .iter()
            .copied()
            .filter(move |&next| self.ring(next) == self.ring(cell))
    }

    fn is_on_cycle(&self, cell: Cell) -> bool {
        self.neighbours_in_ring(cell).next().is_some()
    }

    /// Whether ghosts can change their order there.
    fn is_place(&self, cell: Cell) -> bool {
        self.is_on_cycle(cell) || self.cells.neighbours(cell).len() > 2
    }

    /// The blank cells that a place takes beyond those of a ring.
    fn cost(&self, place: Cell) -> usize {
        usize::from(!self.is_on_cycle(place))
    }

    /// The cells of the ring of `first` in their order around it, if it is a single cycle.
    fn around(&self, first: Cell) -> Option<Vec<Cell>> {
        let mut around = Vec::new();
        let (mut last, mut here) = (first, first);
        loop {
            let two: Vec<Cell> = self.neighbours_in_ring(here).collect();
            let &[one, other] = two.as_slice() else { return None };
            around.push(here);
            (last, here) = (here, if one == last { other } else { one });
            if here == first {
                return Some(around);
            }
        }
    }
}

/// Walks through the house, in all directions at once.
struct Walk<'a, 'm, 'b> {
    cells: &'a Cells,
    /// Of each cell, the number of the walk that met it last.
    met: Vec<u64>,
    number: u64,
    queue: Vec<Cell>,
    meter: &'m mut Meter<'b>,
}

impl Walk<'_, '_, '_> {
    /// The first cell that is `wanted`, by distance from the nearest of `centre` through cells that
    /// are `open`.
    fn nearest(
        &mut self,
        centre: &[Cell],
        open: impl Fn(Cell) -> bool,
        mut wanted: impl FnMut(Cell) -> bool,
    ) -> Result<Option<Cell>, Limit> {
        let Self { cells, met, number, queue, meter } = self;
        *number += 1;
        let mut is_new = |cell: Cell| mem::replace(&mut met[usize::from(cell)], *number) != *number;
        queue.clear();
        queue.extend(centre.iter().copied().filter(|&cell| is_new(cell)));
        let mut next = 0;
        while let Some(&cell) = queue.get(next) {
            meter.poll()?;
            if wanted(cell) {
                return Ok(Some(cell));
            }
            next += 1;
            queue.extend(
                cells
                    .neighbours(cell)
                    .iter()
                    .copied()
                    .filter(|&beside| open(beside) && is_new(beside)),
            );
        }
        Ok(None)
    }
}

/// A connected part of the house, and the ghosts that begin and end there.
struct Part<'a> {
    house: &'a House<'a>,
    cells: &'a [Cell],
    starts: Ghosts,
    goals: Ghosts,
}

impl Part<'_> {
    fn blanks(&self) -> usize {
        self.cells.len() - self.starts.len()
    }

    fn has_plan(&self, walk: &mut Walk<'_, '_, '_>) -> Result<bool, Limit> {
        if self.starts.len() != self.goals.len()
            || self.starts.iter().zip(&self.goals).any(|(one, other)| one.0 != other.0)
        {
            return Ok(false);
        }
        if self.starts.len() <= 1 {
            return Ok(self.blanks() > 0 || self.starts == self.goals);
        }
        // What follows takes time and memory by the cells of the whole house.
        walk.meter.poll_after(self.house.cells.len() as u32)?;
        Ok(match self.house.around(self.cells[0]) {
            Some(cycle) if cycle.len() == self.cells.len() => self.keep_order([cycle].into_iter()),
            _ if self.blanks() == 0 => self.has_plan_without_blanks(),
            _ => return self.has_plan_with_blanks(walk),
        })
    }

    /// The ghost on each cell of the house.
    fn on(&self, ghosts: &Ghosts) -> Vec<Option<usize>> {
        let mut on = vec![None; self.house.cells.len()];
        ghosts.iter().for_each(|&(ghost, cell)| on[usize::from(cell)] = Some(ghost));
        on
    }

    /// Whether the ghosts on each of these cycles have the same order around it at the start and at
    /// the goal.
    fn keep_order(&self, cycles: impl Iterator<Item = Vec<Cell>>) -> bool {
        let (starts, goals) = (self.on(&self.starts), self.on(&self.goals));
        let order = |cycle: &[Cell], on: &[Option<usize>]| -> Vec<usize> {
            cycle.iter().filter_map(|&cell| on[usize::from(cell)]).collect()
        };
        cycles.map(|cycle| (order(&cycle, &starts), order(&cycle, &goals))).all(
            |(start, mut goal)| {
                if let Some(turn) = goal.iter().position(|ghost| Some(ghost) == start.first()) {
                    goal.rotate_left(turn);
                }
                start == goal
            },
        )
    }

    /// A ghost can get anywhere in its ring and nowhere else, unless the ring is a single cycle.
    fn has_plan_without_blanks(&self) -> bool {
        let ring = |cell| self.house.ring(cell);
        let stays =
            self.starts.iter().zip(&self.goals).all(|(start, goal)| ring(start.1) == ring(goal.1));
        let rings = self.cells.iter().copied().filter(|&cell| ring(cell) == cell);
        stays && self.keep_order(rings.filter_map(|first| self.house.around(first)))
    }

    fn has_plan_with_blanks(&self, walk: &mut Walk<'_, '_, '_>) -> Result<bool, Limit> {
        let mut classes =
            Classes::new(self.starts.iter().map(|&(ghost, _)| ghost + 1).max().unwrap_or(0));
        let mut done = vec![false; self.house.cells.len()];
        for &first in self.cells {
            walk.meter.poll()?;
            if !self.house.is_place(first) || done[usize::from(first)] {
                continue;
            }
            let (place, corridors) = self.place(first);
            if place.len() + corridors.len() == self.cells.len() {
                return Ok(true);
            }
            place.iter().for_each(|&cell| done[usize::from(cell)] = true);
            let on = self.gather_blanks(&place, &self.starts, walk)?;
            let mut class =
                place.iter().chain(&corridors).filter_map(|&cell| on[usize::from(cell)]);
            if let Some(first) = class.next() {
                class.for_each(|ghost| classes.unite(first, ghost));
            }
        }
        let somewhere = &self.cells[..1];
        let start = self.gather_blanks(somewhere, &self.starts, walk)?;
        let goal = self.gather_blanks(somewhere, &self.goals, walk)?;
        Ok(start.iter().zip(goal).all(|(&start, goal)| match (start, goal) {
            (Some(start), Some(goal)) => classes.find(start) == classes.find(goal),
            _ => true,
        }))
    }

    /// The cells of the place of `first`, with all that act as one with it and what lies between
    /// them; and the cells of corridors from which ghosts get there.
    fn place(&self, first: Cell) -> (Vec<Cell>, Vec<Cell>) {
        let (house, blanks) = (self.house, self.blanks());
        let mut met = vec![false; house.cells.len()];
        met[usize::from(first)] = true;
        let (mut place, mut corridors) = (vec![first], Vec::new());
        let mut next = 0;
        while let Some(&from) = place.get(next) {
            next += 1;
            if !house.is_place(from) {
                continue;
            }
            for &beside in house.cells.neighbours(from) {
                if met[usize::from(beside)] {
                    continue;
                }
                let (corridor, end) = self.corridor(from, beside);
                let distance = corridor.len() + 1;
                let joins = |end: Cell| {
                    house.ring(end) == house.ring(from)
                        || distance + house.cost(from) + house.cost(end) <= blanks
                };
                if end.is_some_and(joins) {
                    let cells = corridor.into_iter().chain(end);
                    place.extend(
                        cells.filter(|&cell| !mem::replace(&mut met[usize::from(cell)], true)),
                    );
                } else {
                    corridors
                        .extend(corridor.into_iter().chain(end).take(blanks - house.cost(from)));
                }
            }
        }
        (place, corridors)
    }

    /// The cells from `next`, which is beside `from`, up to the next place or the end of the
    /// corridor; and the cell of the place.
    fn corridor(&self, from: Cell, next: Cell) -> (Vec<Cell>, Option<Cell>) {
        let (mut corridor, mut last, mut here) = (Vec::new(), from, next);
        while !self.house.is_place(here) {
            corridor.push(here);
            let Some(&next) = self.house.cells.neighbours(here).iter().find(|&&next| next != last)
            else {
                return (corridor, None);
            };
            (last, here) = (here, next);
        }
        (corridor, Some(here))
    }

    /// Which ghost is on each cell of the house once the blank cells are those nearest to `centre`,
    /// which is connected. The farthest cell takes the ghost that is nearest to it, by cells that
    /// are blank, then the farthest but one of the ghosts that are left, and so on.
    fn gather_blanks(
        &self,
        centre: &[Cell],
        ghosts: &Ghosts,
        walk: &mut Walk<'_, '_, '_>,
    ) -> Result<Vec<Option<usize>>, Limit> {
        let mut on = self.on(ghosts);
        let mut order = Vec::with_capacity(self.cells.len());
        let all = |cell| {
            order.push(cell);
            false
        };
        walk.nearest(centre, |_| true, all)?;
        let mut taken = vec![false; self.house.cells.len()];
        for &cell in order[self.blanks()..].iter().rev() {
            let near = walk.nearest(
                &[cell],
                |beside| !taken[usize::from(beside)],
                |near| on[usize::from(near)].is_some(),
            )?;
            on[usize::from(cell)] = near.and_then(|near| on[usize::from(near)].take());
            taken[usize::from(cell)] = true;
        }
        Ok(on)
    }
}

/// Classes of ghosts, united one by one.
struct Classes(Vec<usize>);

impl Classes {
    fn new(ghosts: usize) -> Self {
        Self((0..ghosts).collect())
    }

    fn find(&self, mut ghost: usize) -> usize {
        while self.0[ghost] != ghost {
            ghost = self.0[ghost];
        }
        ghost
    }

    fn unite(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        self.0[one.max(other)] = one.min(other);
    }
}
