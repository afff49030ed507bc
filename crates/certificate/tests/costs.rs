//! Certificates where moves have costs, on graphs: against relaxation, and against faults.

use std::ops::RangeInclusive;

use fewest_certificate::{Boards, Certificate, Claim, Proof, Refusal, StateList, check};
use fewest_rules::text::{Diagnostic, Line, number};
use fewest_rules::{Costs, Rules};
use fewest_testing::certificates::{PlantedFault, certificates_hold};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

const START: u8 = 0;
const GOAL: u8 = 1;

/// Edges with costs, and the nodes in their place of boards.
#[derive(Clone, Debug)]
struct Graph {
    nodes: u8,
    costs: RangeInclusive<u32>,
    edges: Vec<Edge>,
    has_both_directions: bool,
    start: u8,
    goal: u8,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    from: u8,
    to: u8,
    cost: u32,
}

#[derive(Debug, thiserror::Error)]
#[error("not here")]
struct NotHere;

impl Graph {
    fn new(nodes: u8, costs: RangeInclusive<u32>, mut edges: Vec<Edge>, both: bool) -> Self {
        if both {
            let back = |&Edge { from, to, cost }: &Edge| Edge { from: to, to: from, cost };
            edges.extend(edges.iter().map(back).collect::<Vec<_>>());
        }
        Self { nodes, costs, edges, has_both_directions: both, start: START, goal: GOAL }
    }

    /// The distance of each node and the last edge of a cheapest path to it, by relaxation.
    fn distances(&self) -> Vec<Option<(u32, Option<usize>)>> {
        let mut distances = vec![None; usize::from(self.nodes)];
        distances[usize::from(self.start)] = Some((0, None));
        for _ in 0..self.nodes {
            for (index, &Edge { from, to, cost }) in self.edges.iter().enumerate() {
                let Some((before, _)) = distances[usize::from(from)] else { continue };
                let known: &mut Option<(u32, Option<usize>)> = &mut distances[usize::from(to)];
                if known.is_none_or(|(known, _)| before + cost < known) {
                    *known = Some((before + cost, Some(index)));
                }
            }
        }
        distances
    }

    /// A cheapest plan, one edge on each line, and its cost.
    fn plan(&self) -> Option<(u32, String)> {
        let distances = self.distances();
        let (cost, mut last) = distances[usize::from(self.goal)]?;
        let mut lines = Vec::new();
        while let Some(edge) = last {
            lines.insert(0, format!("{edge}\n"));
            last = distances[usize::from(self.edges[edge].from)].and_then(|(_, last)| last);
        }
        Some((cost, lines.concat()))
    }
}

impl Rules for Graph {
    type Board = u8;
    type Move = usize;
    type Illegal = NotHere;
    type Unsolved = NotHere;

    const COSTS: Costs<Self> = Costs::ByMove {
        cost: |graph, _, &edge| graph.edges[edge].cost,
        range: |graph| graph.costs.clone(),
    };

    fn start_board(&self) -> u8 {
        self.start
    }

    fn play(&self, node: &mut u8, &edge: &usize) -> Result<(), NotHere> {
        let edge = self.edges.get(edge).filter(|edge| edge.from == *node).ok_or(NotHere)?;
        *node = edge.to;
        Ok(())
    }

    fn check_solved(&self, &node: &u8) -> Result<(), NotHere> {
        if node == self.goal { Ok(()) } else { Err(NotHere) }
    }

    fn moves(&self, &node: &u8) -> Vec<usize> {
        (0..self.edges.len()).filter(|&edge| self.edges[edge].from == node).collect()
    }
}

impl Boards for Graph {
    type Rules = Self;

    fn rules(&self) -> &Self {
        self
    }

    fn description(&self) -> Vec<(&'static str, String)> {
        vec![("puzzle", "graph".to_owned())]
    }

    fn record_bytes(&self) -> usize {
        1
    }

    fn reversed(&self) -> Result<Self, String> {
        let reversed = Self { start: self.goal, goal: self.start, ..self.clone() };
        Some(reversed).filter(|_| self.has_both_directions).ok_or("edges of one direction".into())
    }

    fn write_record(&self, &node: &u8, record: &mut Vec<u8>) -> bool {
        record.push(node);
        true
    }

    fn read_record(&self, record: &[u8]) -> Option<u8> {
        record.first().copied().filter(|&node| node < self.nodes)
    }

    fn read_move(&self, line: Line<'_>) -> Result<usize, Diagnostic> {
        number(line.text).ok_or_else(|| line.wrong(0, line.text, "the number of an edge"))
    }

    fn show(&self, node: &u8) -> String {
        node.to_string()
    }
}

fn graphs() -> impl Strategy<Value = Graph> {
    let costs = prop_oneof![Just(0..=0), Just(0..=1), Just(0..=5), Just(1..=9), Just(3..=7)];
    (3_u8..14, costs, any::<bool>()).prop_flat_map(|(nodes, costs, both)| {
        let edge = (0..nodes, 0..nodes, costs.clone());
        let edge = edge.prop_map(|(from, to, cost)| Edge { from, to, cost });
        let edges = prop::collection::vec(edge, 1..usize::from(3 * nodes));
        edges.prop_map(move |edges| Graph::new(nodes, costs.clone(), edges, both))
    })
}

#[test]
fn certificates_prove_costs_and_nothing_else() {
    let mut refused = std::collections::BTreeSet::new();
    let mut runner = TestRunner::new_with_rng(
        Config { cases: fewest_testing::count(400) as u32, ..Config::default() },
        proptest::test_runner::TestRng::deterministic_rng(Default::default()),
    );
    let found = std::cell::RefCell::new(&mut refused);
    let run = runner.run(&graphs(), |graph| {
        let (cost, plan) = graph.plan().unzip();
        // There and back along an edge of the start.
        let edges = graph.edges.iter().enumerate();
        let first = edges.clone().find(|(_, edge)| edge.from == START && edge.cost > 0);
        let idle = first.and_then(|(there, edge)| {
            let is_back = |other: &Edge| {
                (other.from, other.to, other.cost) == (edge.to, edge.from, edge.cost)
            };
            let (back, _) = edges.clone().find(|(_, other)| is_back(other))?;
            Some(format!("{there}\n{back}\n"))
        });
        let plan = plan.unwrap_or_default();
        let held = certificates_hold(&graph, cost, &plan, idle.as_deref(), false, 60);
        found.borrow_mut().extend(held.refused);
        Ok(())
    });
    run.expect("each graph");
    assert_eq!(refused, PlantedFault::ALL.into(), "each fault is found");
}

const fn edge(from: u8, to: u8, cost: u32) -> Edge {
    Edge { from, to, cost }
}

/// Checks a certificate by states.
fn checked(
    graph: &Graph,
    claim: &Claim,
    plan: &str,
    depths: &[(u8, u32)],
) -> Result<Claim, Refusal> {
    let mut states = StateList::new(1, 1 << 20);
    depths.iter().for_each(|&(node, depth)| states.push(&[node], depth).expect("memory"));
    let file = Certificate { claim, plan, proof: Proof::by_states(&states) }.file(graph);
    check(graph, &file, 1 << 20, &|| false)
}

/// Two nodes that a move of cost 0 joins must not vouch for each other.
#[test]
fn free_moves_do_not_prove_a_distance_of_each_other() {
    let graph = Graph::new(4, 0..=5, vec![edge(0, 2, 5), edge(2, 3, 0)], true);
    let layers = |layers: &[u64], depths: &[(u8, u32)]| {
        checked(&graph, &Claim::Layers(layers.to_vec()), "", depths)
    };
    assert!(layers(&[1, 0, 0, 0, 0, 2], &[(0, 0), (2, 5), (3, 5)]).is_ok());
    let refused = layers(&[1, 0, 0, 2], &[(0, 0), (2, 3), (3, 3)]).expect_err("too near");
    assert!(refused.to_string().contains("no plan leads to it"), "{refused}");
}

/// Sums beyond 32 bits are no proof of anything.
#[test]
fn sums_may_be_greater_than_any_claim() {
    const MOST: u32 = u32::MAX;
    let edges = vec![edge(0, 2, MOST - 1), edge(2, 1, 5), edge(0, 1, MOST), edge(2, 3, 7)];
    let graph = Graph::new(4, 5..=MOST, edges, false);
    let optimal = Claim::Optimal { cost: MOST };
    assert_eq!(checked(&graph, &optimal, "2\n", &[(0, 0), (2, MOST - 1)]), Ok(optimal));
    let refused = [
        checked(&graph, &Claim::Optimal { cost: 4 }, "0\n1\n", &[(0, 0)]),
        checked(&graph, &Claim::Optimal { cost: MOST }, "0\n1\n", &[(0, 0), (2, MOST - 1)]),
        checked(&graph, &Claim::Unsolvable, "", &[(0, 0), (2, 0), (3, 0)]),
    ];
    assert!(refused.iter().all(Result::is_err), "{refused:?}");
}

#[test]
#[should_panic(expected = "invalid rules: a move costs 9, expected 1..=4")]
fn a_cost_beyond_its_range_is_no_proof() {
    let graph = Graph::new(3, 1..=4, vec![edge(0, 2, 9), edge(2, 1, 1)], false);
    let _ = checked(&graph, &Claim::Unsolvable, "", &[(0, 0), (2, 0)]);
}
