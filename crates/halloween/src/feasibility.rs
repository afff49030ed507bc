//! Whether an instance has a plan, decided from the structure of the map without a search.
//!
//! Ghosts are pebbles on a graph (Kornhauser, Miller and Spirakis 1984) that may also rotate around
//! a fully occupied cycle (Yu and Rus 2014). All steps except such rotations can be replaced by
//! moves of single ghosts to blank cells. So the existence of a plan depends on where ghosts can
//! change their order. A *junction* is a cell where they can. There are two kinds: a cell on a
//! cycle, and a *fork*, a cell on no cycle with three neighbours or more. A fork needs one blank
//! cell more than a cycle.
//!
//! Let `b` be the number of blank cells.
//!
//! - Two junctions at distance `d` act as one if a ghost can walk from one to the other and change
//!   places with another ghost there: if `d` plus the number of forks among the two is at most `b`.
//!   All junctions of a 2-edge-connected component act as one. A *region* is a maximal set of
//!   junctions that act as one, with the cells between them.
//! - A ghost in a corridor reaches a junction if, once all blank cells are gathered at the
//!   junction, its distance to it is at most `b`, or at most `b - 1` for a fork (de Wilde, ter Mors
//!   and Witteveen 2014 for forks).
//! - The ghosts that reach the same region can be put into any order. They form a class; classes
//!   with a ghost in common are one.
//!
//! There is a plan if and only if, once all blank cells are gathered at the same cells, the start
//! and the goal have ghosts of the same class on each cell. Two kinds of components are exceptions,
//! because a cycle only rotates: a component that is a single cycle, and one without blank cells.
//!
//! The tests compare this with exhaustive search on all maps of up to eight cells with any number
//! of ghosts, and on thousands of larger maps.
//!
//! ```
//! use fewest_core::budget::Budget;
//! use fewest_core::encoding::Cells;
//! use fewest_geometry::{Cell, Grid};
//! use fewest_halloween::feasibility::has_plan;
//!
//! let map = |rows: [&str; 2]| {
//!     let is_open =
//!         |cell: Cell| rows[cell.row as usize].as_bytes()[cell.column as usize] == b' ';
//!     Cells::new(Grid::<5>::new(2, 5).unwrap(), is_open).unwrap()
//! };
//! // Two ghosts can exchange their cells at a fork, but not in a corridor.
//! let budget = Budget::unlimited();
//! assert_eq!(has_plan(&map(["     ", "## ##"]), &[0, 1], &[1, 0], &mut budget.meter()), Ok(true));
//! assert_eq!(has_plan(&map(["     ", "#####"]), &[0, 1], &[1, 0], &mut budget.meter()), Ok(false));
//! ```

use std::mem;

use fewest_core::budget::{Limit, Meter};
use fewest_core::encoding::{CellIndex, Cells};

/// Whether a plan exists that takes each ghost from its cell in `starts` to its cell in `goals`.
/// Each slice has one cell per ghost and no cell twice.
///
/// Let `n` be the number of cells. Time is `O(n * c)` for `c` components with two ghosts or more if
/// all ghosts of each component reach the same region, as on most maps. Otherwise it is at most
/// `O(n * g * j)` for `g` ghosts and `j` junctions.
///
/// # Errors
/// If a limit of the budget stops the computation.
pub fn has_plan(
    cells: &Cells,
    starts: &[CellIndex],
    goals: &[CellIndex],
    meter: &mut Meter<'_>,
) -> Result<bool, Limit> {
    let graph = MapGraph::new(cells);
    let empty =
        |cells| MapComponent { graph: &graph, cells, starts: Vec::new(), goals: Vec::new() };
    let mut components: Vec<MapComponent<'_>> =
        graph.components.iter().map(|cells| empty(cells.as_slice())).collect();
    for (ghost, (&start, &goal)) in starts.iter().zip(goals).enumerate() {
        components[graph.component(start)].starts.push((ghost, start));
        components[graph.component(goal)].goals.push((ghost, goal));
    }
    let mut search = BreadthFirstSearch {
        cells,
        visited_in: vec![0; cells.len()],
        search_index: 0,
        queue: Vec::new(),
        meter,
    };
    for component in &components {
        if !component.has_plan(&mut search)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Ghosts by index, each with its cell.
type Ghosts = Vec<(usize, CellIndex)>;

const NO_COMPONENT: usize = usize::MAX;

/// The map as a graph.
struct MapGraph<'a> {
    cells: &'a Cells,
    /// The cells of each connected component.
    components: Vec<Vec<CellIndex>>,
    /// For each cell, the index of its connected component, or [`NO_COMPONENT`] if it is not
    /// visited yet.
    component_of: Vec<usize>,
    /// For each cell, the representative of its 2-edge-connected component. A cell on no cycle is
    /// the only cell of its component.
    two_edge_root: Vec<CellIndex>,
}

impl<'a> MapGraph<'a> {
    /// Finds the 2-edge-connected components by one depth-first search (Tarjan 1974).
    fn new(cells: &'a Cells) -> Self {
        let len = cells.len();
        let mut graph = Self {
            cells,
            components: Vec::new(),
            component_of: vec![NO_COMPONENT; len],
            two_edge_root: vec![0; len],
        };
        let mut parent: Vec<CellIndex> = vec![0; len];
        // The index of each cell in the order of the search.
        let mut discovery = vec![0; len];
        // The low-link of Tarjan: the smallest index reachable from the subtree of the cell by at
        // most one non-tree edge.
        let mut low = vec![0; len];
        for first in 0..len {
            if graph.component_of[first] != NO_COMPONENT {
                continue;
            }
            let component = graph.components.len();
            let mut order = vec![first as CellIndex];
            (graph.component_of[first], discovery[first], low[first], parent[first]) =
                (component, 0, 0, first as CellIndex);
            let mut path = vec![(first, 0)];
            while let Some((cell, next_neighbour)) = path.last_mut() {
                let cell = *cell;
                if let Some(&next) = cells.neighbours(cell as CellIndex).get(*next_neighbour) {
                    *next_neighbour += 1;
                    let next = next as usize;
                    if graph.component_of[next] == NO_COMPONENT {
                        (graph.component_of[next], parent[next]) = (component, cell as CellIndex);
                        (discovery[next], low[next]) = (order.len(), order.len());
                        order.push(next as CellIndex);
                        path.push((next, 0));
                    } else if next != parent[cell] as usize {
                        low[cell] = low[cell].min(discovery[next]);
                    }
                } else {
                    path.pop();
                    if let Some(&(parent, _)) = path.last() {
                        low[parent] = low[parent].min(low[cell]);
                    }
                }
            }
            for &cell in &order {
                let index = cell as usize;
                let is_root = low[index] == discovery[index];
                graph.two_edge_root[index] =
                    if is_root { cell } else { graph.two_edge_root[parent[index] as usize] };
            }
            graph.components.push(order);
        }
        graph
    }

    fn component(&self, cell: CellIndex) -> usize {
        self.component_of[cell as usize]
    }

    fn two_edge_root(&self, cell: CellIndex) -> CellIndex {
        self.two_edge_root[cell as usize]
    }

    /// The neighbours in the same 2-edge-connected component: those across an edge on a cycle.
    fn cycle_neighbours(&self, cell: CellIndex) -> impl Iterator<Item = CellIndex> + '_ {
        self.cells
            .neighbours(cell)
            .iter()
            .copied()
            .filter(move |&next| self.two_edge_root(next) == self.two_edge_root(cell))
    }

    fn is_on_cycle(&self, cell: CellIndex) -> bool {
        self.cycle_neighbours(cell).next().is_some()
    }

    /// Whether ghosts can change their order at a cell.
    fn is_junction(&self, cell: CellIndex) -> bool {
        self.is_on_cycle(cell) || self.cells.neighbours(cell).len() > 2
    }

    /// The number of blank cells that a junction needs in addition to those of a cycle.
    fn extra_blanks(&self, junction: CellIndex) -> usize {
        usize::from(!self.is_on_cycle(junction))
    }

    /// The cells of the 2-edge-connected component of `first` in cyclic order, if the component is
    /// a single cycle.
    fn single_cycle(&self, first: CellIndex) -> Option<Vec<CellIndex>> {
        let mut cycle = Vec::new();
        let (mut last, mut here) = (first, first);
        loop {
            let neighbours: Vec<CellIndex> = self.cycle_neighbours(here).collect();
            let &[one, other] = neighbours.as_slice() else { return None };
            cycle.push(here);
            (last, here) = (here, if one == last { other } else { one });
            if here == first {
                return Some(cycle);
            }
        }
    }
}

/// Breadth-first searches on the map that share their memory.
struct BreadthFirstSearch<'a, 'm, 'b> {
    cells: &'a Cells,
    /// For each cell, the index of the last search that visited it; 0 if none has.
    visited_in: Vec<u64>,
    /// The index of the current search, from 1.
    search_index: u64,
    queue: Vec<CellIndex>,
    meter: &'m mut Meter<'b>,
}

impl BreadthFirstSearch<'_, '_, '_> {
    /// The cell nearest to `sources` for which `is_wanted` holds, by paths through cells for which
    /// `is_open` holds. `is_wanted` is called on the cells in order of their distance.
    fn nearest(
        &mut self,
        sources: &[CellIndex],
        is_open: impl Fn(CellIndex) -> bool,
        mut is_wanted: impl FnMut(CellIndex) -> bool,
    ) -> Result<Option<CellIndex>, Limit> {
        let Self { cells, visited_in, search_index, queue, meter } = self;
        *search_index += 1;
        let search_index = *search_index;
        let mut is_new = |cell: CellIndex| {
            mem::replace(&mut visited_in[cell as usize], search_index) != search_index
        };
        queue.clear();
        queue.extend(sources.iter().copied().filter(|&cell| is_new(cell)));
        let mut next = 0;
        while let Some(&cell) = queue.get(next) {
            meter.poll()?;
            if is_wanted(cell) {
                return Ok(Some(cell));
            }
            next += 1;
            queue.extend(
                cells
                    .neighbours(cell)
                    .iter()
                    .copied()
                    .filter(|&neighbour| is_open(neighbour) && is_new(neighbour)),
            );
        }
        Ok(None)
    }
}

/// A connected component of the map, with the starts and the goals in it.
struct MapComponent<'a> {
    graph: &'a MapGraph<'a>,
    cells: &'a [CellIndex],
    starts: Ghosts,
    goals: Ghosts,
}

impl MapComponent<'_> {
    fn blanks(&self) -> usize {
        self.cells.len() - self.starts.len()
    }

    fn has_plan(&self, search: &mut BreadthFirstSearch<'_, '_, '_>) -> Result<bool, Limit> {
        if self.starts.len() != self.goals.len()
            || self.starts.iter().zip(&self.goals).any(|(start, goal)| start.0 != goal.0)
        {
            return Ok(false);
        }
        if self.starts.len() <= 1 {
            return Ok(self.blanks() > 0 || self.starts == self.goals);
        }
        // The setup that follows is linear in the cells of the whole map, so it is counted here.
        search.meter.poll_after(self.graph.cells.len() as u32)?;
        Ok(match self.graph.single_cycle(self.cells[0]) {
            Some(cycle) if cycle.len() == self.cells.len() => {
                self.have_same_orders([cycle].into_iter())
            }
            _ if self.blanks() == 0 => self.has_plan_without_blanks(),
            _ => return self.has_plan_with_blanks(search),
        })
    }

    /// For each cell of the map, the ghost on it.
    fn ghosts_by_cell(&self, ghosts: &Ghosts) -> Vec<Option<usize>> {
        let mut ghost_on = vec![None; self.graph.cells.len()];
        ghosts.iter().for_each(|&(ghost, cell)| ghost_on[cell as usize] = Some(ghost));
        ghost_on
    }

    /// Whether the cyclic order of the ghosts on each of `cycles` is the same at the start and at
    /// the goal.
    fn have_same_orders(&self, cycles: impl Iterator<Item = Vec<CellIndex>>) -> bool {
        let (starts, goals) = (self.ghosts_by_cell(&self.starts), self.ghosts_by_cell(&self.goals));
        let order = |cycle: &[CellIndex], ghost_on: &[Option<usize>]| -> Vec<usize> {
            cycle.iter().filter_map(|&cell| ghost_on[cell as usize]).collect()
        };
        cycles.map(|cycle| (order(&cycle, &starts), order(&cycle, &goals))).all(
            |(start, mut goal)| {
                if let Some(shift) = goal.iter().position(|ghost| Some(ghost) == start.first()) {
                    goal.rotate_left(shift);
                }
                start == goal
            },
        )
    }

    /// Without blank cells, a ghost can reach exactly the cells of its 2-edge-connected component.
    /// The ghosts of a component can be put into any order, unless it is a single cycle.
    fn has_plan_without_blanks(&self) -> bool {
        let root = |cell| self.graph.two_edge_root(cell);
        let stay_in_components =
            self.starts.iter().zip(&self.goals).all(|(start, goal)| root(start.1) == root(goal.1));
        let roots = self.cells.iter().copied().filter(|&cell| root(cell) == cell);
        stay_in_components
            && self.have_same_orders(roots.filter_map(|first| self.graph.single_cycle(first)))
    }

    fn has_plan_with_blanks(
        &self,
        search: &mut BreadthFirstSearch<'_, '_, '_>,
    ) -> Result<bool, Limit> {
        let mut classes =
            DisjointSets::new(self.starts.iter().map(|&(ghost, _)| ghost + 1).max().unwrap_or(0));
        let mut is_done = vec![false; self.graph.cells.len()];
        for &first in self.cells {
            search.meter.poll()?;
            if !self.graph.is_junction(first) || is_done[first as usize] {
                continue;
            }
            let (region, corridors) = self.region(first);
            if region.len() + corridors.len() == self.cells.len() {
                return Ok(true);
            }
            region.iter().for_each(|&cell| is_done[cell as usize] = true);
            let ghost_on = self.gather_blanks(&region, &self.starts, search)?;
            let mut class =
                region.iter().chain(&corridors).filter_map(|&cell| ghost_on[cell as usize]);
            if let Some(first) = class.next() {
                class.for_each(|ghost| classes.unite(first, ghost));
            }
        }
        let any_cell = &self.cells[..1];
        let start = self.gather_blanks(any_cell, &self.starts, search)?;
        let goal = self.gather_blanks(any_cell, &self.goals, search)?;
        Ok(start.iter().zip(goal).all(|(&start, goal)| match (start, goal) {
            (Some(start), Some(goal)) => classes.find(start) == classes.find(goal),
            _ => true,
        }))
    }

    /// The cells of the region of the junction `first`, and the corridor cells from which ghosts
    /// reach the region.
    fn region(&self, first: CellIndex) -> (Vec<CellIndex>, Vec<CellIndex>) {
        let (graph, blanks) = (self.graph, self.blanks());
        let mut is_in_region = vec![false; graph.cells.len()];
        is_in_region[first as usize] = true;
        let (mut region, mut corridors) = (vec![first], Vec::new());
        let mut next = 0;
        while let Some(&from) = region.get(next) {
            next += 1;
            if !graph.is_junction(from) {
                continue;
            }
            for &neighbour in graph.cells.neighbours(from) {
                if is_in_region[neighbour as usize] {
                    continue;
                }
                let (corridor, end) = self.corridor(from, neighbour);
                let distance = corridor.len() + 1;
                let acts_as_one = |end: CellIndex| {
                    graph.two_edge_root(end) == graph.two_edge_root(from)
                        || distance + graph.extra_blanks(from) + graph.extra_blanks(end) <= blanks
                };
                let cells = corridor.into_iter().chain(end);
                if end.is_some_and(acts_as_one) {
                    let is_new =
                        |&cell: &CellIndex| !mem::replace(&mut is_in_region[cell as usize], true);
                    region.extend(cells.filter(is_new));
                } else {
                    corridors.extend(cells.take(blanks - graph.extra_blanks(from)));
                }
            }
        }
        (region, corridors)
    }

    /// The cells from `next`, a neighbour of `from`, to the next junction or the end of the
    /// corridor, without the junction; and the junction.
    fn corridor(&self, from: CellIndex, next: CellIndex) -> (Vec<CellIndex>, Option<CellIndex>) {
        let (mut corridor, mut last, mut here) = (Vec::new(), from, next);
        while !self.graph.is_junction(here) {
            corridor.push(here);
            let Some(&next) = self.graph.cells.neighbours(here).iter().find(|&&next| next != last)
            else {
                return (corridor, None);
            };
            (last, here) = (here, next);
        }
        (corridor, Some(here))
    }

    /// For each cell of the map, the ghost on it once the blank cells are moved to the cells
    /// nearest to `centre`, a connected set.
    ///
    /// The farthest cell gets the ghost that is nearest to it along a path of blank cells, then the
    /// second farthest gets the nearest of the remaining ghosts, and so on.
    fn gather_blanks(
        &self,
        centre: &[CellIndex],
        ghosts: &Ghosts,
        search: &mut BreadthFirstSearch<'_, '_, '_>,
    ) -> Result<Vec<Option<usize>>, Limit> {
        let mut ghost_on = self.ghosts_by_cell(ghosts);
        let mut by_distance = Vec::with_capacity(self.cells.len());
        let collect = |cell| {
            by_distance.push(cell);
            false
        };
        search.nearest(centre, |_| true, collect)?;
        let mut is_filled = vec![false; self.graph.cells.len()];
        for &cell in by_distance[self.blanks()..].iter().rev() {
            let nearest = search.nearest(
                &[cell],
                |neighbour| !is_filled[neighbour as usize],
                |near| ghost_on[near as usize].is_some(),
            )?;
            ghost_on[cell as usize] = nearest.and_then(|near| ghost_on[near as usize].take());
            is_filled[cell as usize] = true;
        }
        Ok(ghost_on)
    }
}

/// Disjoint sets of ghosts: the smallest ghost of each set is its representative.
struct DisjointSets(Vec<usize>);

impl DisjointSets {
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
