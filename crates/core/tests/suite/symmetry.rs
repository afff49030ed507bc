//! Folded spaces compared with the same spaces without folding, on random graphs that are their own
//! mirror image.

use std::ops::ControlFlow;

use fewest_core::budget::Budget;
use fewest_core::search::Search;
use fewest_core::symmetry::{Folded, unfold, unfold_from};
use fewest_core::visited::Table;
use fewest_core::{StateSpace, Symmetric, check, heuristic};
use proptest::prelude::*;

use crate::by_set::{bfs, explore_with};
use crate::spaces::MirroredGraph;

fn mirrored_graphs() -> impl Strategy<Value = MirroredGraph> {
    let self_images = prop::collection::vec(prop::bool::weighted(0.1), 1..20);
    let links = prop::collection::vec((any::<u16>(), any::<u16>()), 0..40);
    (self_images, links, any::<u16>(), any::<u16>()).prop_map(
        |(self_images, links, start, goal)| MirroredGraph::new(self_images, &links, start, goal),
    )
}

proptest! {
    #![proptest_config(fewest_testing::cases(3000))]

    #[test]
    fn folding_keeps_distances(graph in mirrored_graphs()) {
        let budget = Budget::unlimited();
        let unfolded = bfs::search::<Table<_>, _>(&graph, &budget);
        let folded = bfs::search_with_predecessors::<Table<_>, _>(&Folded::new(&graph), &budget);
        prop_assert_eq!(folded.cost(), unfolded.cost());
        if let Some(chain) = folded.optimal() {
            let plan = unfold(&graph, chain).expect("a plan of the graph");
            prop_assert_eq!(plan.len(), chain.len());
            prop_assert_eq!(plan[0], graph.start);
            let is_move = |pair: &[u16]| graph.edges[usize::from(pair[0])].contains(&pair[1]);
            prop_assert!(plan.windows(2).all(is_move));
            prop_assert!(graph.is_goal(plan[plan.len() - 1]));
        }

        // After a move, the move back is pruned and no other.
        for state in 0..graph.edges.len() as u16 {
            let successors = |last| {
                let mut all = Vec::new();
                let _ = Folded::new(&graph).successors(state, last, |_, next| {
                    all.push(next);
                    ControlFlow::<()>::Continue(())
                });
                all
            };
            let all = successors(None);
            for &back in &all {
                let remaining = successors(Some(back));
                prop_assert!(remaining.iter().all(|next| all.contains(next)));
                prop_assert!(all.iter().all(|next| *next == back || remaining.contains(next)));
            }
        }

        let mut visited = Vec::new();
        let all = explore_with::<Table<_>, _>(&graph, &budget, |depth, state| {
            visited.push((depth, state));
        });
        for (&states, depth) in all.layers.iter().zip(0..) {
            prop_assert_eq!(visited.iter().filter(|&&(at, _)| at == depth).count() as u64, states);
        }
    }
}

#[test]
fn invalid_chains_do_not_unfold() {
    let graph = MirroredGraph::<true>::new(vec![false; 3], &[(0, 2), (2, 4)], 0, 4);
    assert_eq!(unfold(&graph, &[0, 4]), None);
    assert_eq!(unfold(&graph, &[2]), None);
    assert_eq!(unfold(&graph, &[]), None);
}

/// A directed graph that the six permutations of three things map onto itself. Its states are in
/// orbits of six, three, two states or one: state `8 * orbit + point`.
#[derive(Clone, Debug)]
struct Graph {
    sizes: Vec<u16>,
    edges: Vec<(u16, u16)>,
    start: u16,
    goal: u16,
}

/// The permutations of three things: the first three are even.
const PERMUTATIONS: [[u16; 3]; 6] =
    [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]];

/// A state under a permutation: permutations are composed in orbits of six, points are permuted in
/// those of three, and exchanged by the odd ones in those of two.
fn image(sizes: &[u16], state: u16, symmetry: u32) -> u16 {
    let (orbit, point) = (state / 8, state % 8);
    let by = PERMUTATIONS[symmetry as usize];
    let point = match sizes[usize::from(orbit)] {
        6 => {
            let composed = PERMUTATIONS[usize::from(point)].map(|thing| by[usize::from(thing)]);
            PERMUTATIONS.iter().position(|other| *other == composed).unwrap() as u16
        }
        3 => by[usize::from(point)],
        2 => point ^ u16::from(symmetry >= 3),
        _ => point,
    };
    8 * orbit + point
}

impl Graph {
    fn new(sizes: Vec<u16>, links: &[(u16, u16)], start: u16, goal: u16) -> Self {
        let all: Vec<u16> =
            (0..).zip(&sizes).flat_map(|(at, &n)| (0..n).map(move |p| 8 * at + p)).collect();
        let state = |number: u16| all[usize::from(number) % all.len()];
        let of_link = |&(from, to): &(u16, u16)| {
            let image = |state, symmetry| image(&sizes, state, symmetry);
            let (from, to) = (state(from), state(to));
            (0..6)
                .map(move |symmetry| (image(from, symmetry), image(to, symmetry)))
                .collect::<Vec<_>>()
        };
        let mut edges: Vec<_> = links.iter().flat_map(of_link).collect();
        edges.sort_unstable();
        edges.dedup();
        let (start, goal) = (state(start), state(goal));
        Self { sizes, edges, start, goal }
    }
}

impl StateSpace for Graph {
    type State = u16;
    type Move = u16;

    fn initial(&self, mut emit: impl FnMut(u16)) {
        emit(self.start);
    }

    fn is_goal(&self, state: u16) -> bool {
        (0..6).any(|symmetry| image(&self.sizes, self.goal, symmetry) == state)
    }

    fn successors<B>(
        &self,
        state: u16,
        _last: Option<u16>,
        mut emit: impl FnMut(u16, u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut edges = self.edges.iter().filter(|(from, _)| *from == state);
        edges.try_for_each(|&(_, to)| emit(to, to))
    }
}

impl Symmetric for Graph {
    fn order(&self) -> u32 {
        6
    }

    fn image(&self, state: u16, symmetry: u32) -> u16 {
        image(&self.sizes, state, symmetry)
    }

    fn image_of_move(&self, to: u16, symmetry: u32) -> u16 {
        self.image(to, symmetry)
    }
}

fn graphs() -> impl Strategy<Value = Graph> {
    let sizes = prop::collection::vec(prop::sample::select(&[6_u16, 3, 2, 1][..]), 1..8);
    let links = prop::collection::vec((any::<u16>(), any::<u16>()), 0..16);
    (sizes, links, any::<u16>(), any::<u16>())
        .prop_map(|(sizes, links, start, goal)| Graph::new(sizes, &links, start, goal))
}

proptest! {
    #![proptest_config(fewest_testing::cases(1000))]

    /// From a single start, an orbit may be reached in part only, so the layers are those of all
    /// images of the start.
    #[test]
    fn a_group_keeps_distances_and_its_orbits_are_the_layers(graph in graphs()) {
        let all = Search::new(&graph).explore(|_, _| ControlFlow::Continue(())).states();
        let states: Vec<_> = check::reachable(&graph, usize::MAX);
        prop_assert_eq!(states.len() as u64, all);
        prop_assert_eq!(check::symmetry(&graph, &states), Ok(()));

        let folded = Folded::new(&graph);
        let (plain, found) = (Search::new(&graph).run(), Search::new(&folded).run());
        prop_assert_eq!(found.cost(), plain.cost());
        let starts = graph.orbit(graph.start);
        if let Some(chain) = found.optimal() {
            let plan = unfold(&graph, chain).expect("a plan of the graph");
            prop_assert_eq!((plan.len(), plan[0]), (chain.len(), graph.start));
            prop_assert!(plan.windows(2).all(|pair| graph.edges.contains(&(pair[0], pair[1]))));
            prop_assert!(graph.is_goal(plan[plan.len() - 1]));
            for &start in &starts {
                let plan = unfold_from(&graph, start, chain).expect("a plan of the graph");
                prop_assert_eq!((plan.len(), plan[0]), (chain.len(), start));
                prop_assert!(plan.windows(2).all(|pair| graph.edges.contains(&(pair[0], pair[1]))));
                prop_assert!(graph.is_goal(plan[plan.len() - 1]));
            }
            let other = states.iter().copied().find(|state| !starts.contains(state));
            prop_assert_eq!(other.and_then(|other| unfold_from(&graph, other, chain)), None);
        }

        let layers = Search::new(&graph).starting_from(&starts).count_layers(|_, _| ControlFlow::Continue(())).layers;
        let mut unfolded = vec![0; layers.len()];
        Search::new(&folded).explore(|depth, state| {
            unfolded[depth as usize] += graph.orbit(state).len() as u64;
            ControlFlow::Continue(())
        });
        prop_assert_eq!(unfolded, layers);
    }
}

/// A ring of six cells, and turns of it by some cells as its symmetries.
struct Ring {
    turns: [u16; 2],
}

impl StateSpace for Ring {
    type State = u16;
    type Move = ();

    fn initial(&self, mut emit: impl FnMut(u16)) {
        emit(0);
    }

    fn is_goal(&self, _state: u16) -> bool {
        false
    }

    fn successors<B>(
        &self,
        cell: u16,
        _last: Option<()>,
        mut emit: impl FnMut((), u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        emit((), (cell + 1) % 6)
    }
}

impl Symmetric for Ring {
    fn order(&self) -> u32 {
        3
    }

    fn image(&self, cell: u16, symmetry: u32) -> u16 {
        (cell + self.turns[symmetry as usize - 1]) % 6
    }

    fn image_of_move(&self, (): (), _symmetry: u32) {}
}

#[test]
fn symmetries_that_are_no_group_are_found() {
    assert_eq!(check::symmetry(&Ring { turns: [2, 4] }, &[0, 1, 2, 3, 4, 5]), Ok(()));
    let violation = check::symmetry(&Ring { turns: [1, 2] }, &[0]).unwrap_err();
    assert_eq!(
        violation.to_string(),
        "state 0: its images are [0, 1, 2], and those of its image 1 are [1, 2, 3], so that the \
         symmetries are no group"
    );
}

/// Two steps to the right and up in either order, of which the second order is pruned.
struct Steps;

impl StateSpace for Steps {
    type State = u16;
    type Move = char;

    fn initial(&self, mut emit: impl FnMut(u16)) {
        emit(0);
    }

    fn is_goal(&self, cell: u16) -> bool {
        cell == 3
    }

    fn successors<B>(
        &self,
        cell: u16,
        last: Option<char>,
        mut emit: impl FnMut(char, u16) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if cell & 2 == 0 && last != Some('U') {
            emit('R', cell | 2)?;
        }
        if cell & 1 == 0 { emit('U', cell | 1) } else { ControlFlow::Continue(()) }
    }
}

impl Symmetric for Steps {
    fn image(&self, cell: u16, _symmetry: u32) -> u16 {
        cell >> 1 | (cell & 1) << 1
    }

    fn image_of_move(&self, by: char, _symmetry: u32) -> char {
        if by == 'R' { 'U' } else { 'R' }
    }
}

#[test]
fn what_depends_on_the_path_is_not_pruned_after_an_image_of_a_move() {
    let zero = heuristic::from_fn(|_: u16| 0);
    let states = [0, 1, 2, 3];
    assert_eq!(check::space(&Steps, &states), Ok(()));
    assert_eq!(check::symmetry(&Steps, &states), Ok(()));
    assert_eq!(Search::new(&Steps).heuristic(&zero).run_without_table().cost(), Some(2));
    let folded = Folded::new(&Steps);
    assert_eq!(Search::new(&folded).heuristic(&zero).run_without_table().cost(), Some(2));
}
