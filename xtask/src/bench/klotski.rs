//! Sliding pieces: the classic board in both encodings and all metrics, whole components, all named layouts, the census, and a
//! board at large.

use std::rc::Rc;

use anyhow::{Context, ensure};
use fewest_core::budget::Budget;
use fewest_core::explore::explore_with;
use fewest_core::outcome::Outcome;
use fewest_core::symmetry::Folded;
use fewest_core::visited::Adaptive;
use fewest_klotski::builtin::BUILTINS;
use fewest_klotski::census::{MOST_DOMINOES, components};
use fewest_klotski::explore::extent;
use fewest_klotski::solve::{Choice, Encoding, Question, ask, solve};
use fewest_klotski::space::Boards;
use fewest_klotski::{Instance, Metric};

use super::measure::{Case, Comparison, Work};
use super::puzzles;

const HENG_DAO_LI_MA: &str = "aCCb/aCCb/cdde/cfge/h..i";

/// The fewest moves of 横刀立马, and the diameter of its component, in each metric.
const PUBLISHED: [(Metric, u32, u32); 3] =
    [(Metric::Rectilinear, 81, 145), (Metric::Straight, 90, 156), (Metric::Unit, 116, 190)];

/// Two L-shaped pieces, two corners and singles on 6 x 6 cells.
const AT_LARGE: &str = "AA..bb/A.cc.b/A.c..b/d....e/d.ff.e/dd.fee\ngoal: A at 4,5";
const AT_LARGE_BOARDS: u64 = 158_678;

const ENCODINGS: [(&str, Encoding); 2] = [("classic", Encoding::Classic), ("general", Encoding::General)];

fn read(text: &str) -> anyhow::Result<Instance> {
    Ok(Instance::read(text.as_bytes()).next().context("a board")??)
}

/// A layout solved in both encodings and each metric.
fn solved() -> anyhow::Result<Comparison> {
    let layout = Rc::new(read(HENG_DAO_LI_MA)?);
    let mut cases = Vec::new();
    for (metric, moves, _) in PUBLISHED {
        for (name, encoding) in ENCODINGS {
            let layout = Rc::clone(&layout);
            let choice = Choice { engine: None, encoding: Some(encoding) };
            let run = move || solve(&layout, metric, choice, &Budget::unlimited()).map(|answer| answer.outcome);
            let about = format!("{metric}, {name} encoding, plan and proof");
            cases.push(Case::new(format!("klotski.proof.{metric}.{name}"), about, run, move |found| {
                let outcome = found.as_ref().map_err(|refusal| anyhow::anyhow!("{refusal}"))?;
                ensure!(outcome.cost() == Some(moves), "{:?}, expected {moves}", outcome.cost());
                Ok(work(outcome))
            }));
        }
    }
    let title = "Klotski: heng dao li ma with its plan and proof".to_owned();
    Ok(Comparison { title, cases, unlike: true, ..Comparison::default() })
}

fn work<P>(outcome: &Outcome<P>) -> Work {
    let stats = outcome.stats;
    Work { states: Some(stats.expanded), nodes: Some(stats.generated), bytes: Some(stats.bytes) }
}

/// The boards of a component, unfolded, and the work to count them.
struct Count;

impl Question for Count {
    type Answer = (u64, Work);

    fn ask<S: Boards>(self, space: &S) -> (u64, Work) {
        let mut boards = 0;
        let mut start = None;
        space.initial(|state| start = Some(state));
        let found = if start.is_some_and(|start| space.is_symmetric() && space.image(start) == start) {
            explore_with::<Adaptive<_>, _>(&Folded(space), &Budget::unlimited(), |_, state| {
                boards += if space.image(state) == state { 1 } else { 2 };
            })
        } else {
            explore_with::<Adaptive<_>, _>(space, &Budget::unlimited(), |_, _| boards += 1)
        };
        let stats = found.stats;
        (boards, Work { states: Some(stats.expanded), nodes: Some(stats.generated), bytes: Some(stats.bytes) })
    }
}

fn counted(id: String, about: String, puzzle: Instance, metric: Metric, encoding: Encoding, boards: u64) -> Case {
    Case::new(
        id,
        about,
        move || ask(&puzzle, metric, Some(encoding), Count),
        move |found| {
            let (found, work) = found.map_err(|limit| anyhow::anyhow!("{limit}"))?;
            ensure!(found == boards, "{found} boards, expected {boards}");
            Ok(work)
        },
    )
}

/// Whole components, counted and measured.
fn explored() -> anyhow::Result<Comparison> {
    let mut cases = Vec::new();
    for (metric, _, diameter) in PUBLISHED {
        for (name, encoding) in ENCODINGS {
            let id = format!("klotski.component.{metric}.{name}");
            let about = format!("25,955 boards, {metric}, {name} encoding");
            cases.push(counted(id, about, read(HENG_DAO_LI_MA)?, metric, encoding, 25_955));
        }
        let layout = read(HENG_DAO_LI_MA)?;
        let run = move || extent(&layout, metric, None, &Budget::unlimited(), |_| {});
        let about = format!("diameter and radius, {metric}");
        cases.push(Case::new(format!("klotski.component.{metric}.diameter"), about, run, move |found| {
            let found = found.map_err(|limit| anyhow::anyhow!("{limit}"))?;
            ensure!(found.diameter == diameter, "{}, expected {diameter}", found.diameter);
            Ok(Work::default())
        }));
    }
    let id = "klotski.component.at-large".to_owned();
    let about = "6 x 6 cells, pieces of L-shape, unit".to_owned();
    cases.push(counted(id, about, read(AT_LARGE)?, Metric::Unit, Encoding::General, AT_LARGE_BOARDS));
    let title = "Klotski: whole components".to_owned();
    Ok(Comparison { title, cases, unlike: true, ..Comparison::default() })
}

/// All named layouts, and the census of all layouts.
fn many() -> anyhow::Result<Comparison> {
    let layouts = Rc::new(BUILTINS.iter().map(|builtin| read(builtin.text)).collect::<anyhow::Result<Vec<_>>>()?);
    let by = |choice: Choice| {
        let layouts = Rc::clone(&layouts);
        move || -> Vec<Option<Outcome<()>>> {
            let outcome = |layout: &Instance| {
                let answer = solve(layout, Metric::Rectilinear, choice, &Budget::unlimited()).ok()?;
                Some(answer.outcome.map(drop))
            };
            layouts.iter().map(outcome).collect()
        }
    };
    // The forty classics come first, and what they take is published.
    let classics = puzzles::answers("klotski/classics.out")?;
    let case = |name: &str, encoding: Encoding| {
        let classics = classics.clone();
        let run = by(Choice { engine: None, encoding: Some(encoding) });
        let about = format!("363 named layouts, rectilinear, {name} encoding");
        Case::new(format!("klotski.named.{name}"), about, run, move |found| {
            let mut total = Work { states: Some(0), nodes: Some(0), bytes: Some(0) };
            let mut costs = Vec::new();
            for outcome in found {
                let work = work(outcome.as_ref().context("a plan was refused")?);
                let add = |one: Option<u64>, other: Option<u64>| Some(one? + other?);
                total = Work {
                    states: add(total.states, work.states),
                    nodes: add(total.nodes, work.nodes),
                    bytes: total.bytes.max(work.bytes),
                };
                costs.push(outcome.as_ref().and_then(Outcome::cost));
            }
            let sum: u32 = costs.iter().flatten().sum();
            ensure!(costs.len() == 363 && sum == NAMED_MOVES, "{sum} moves in all, expected {NAMED_MOVES}");
            ensure!(classics.iter().all(|moves| costs.contains(moves)), "another answer for a classic");
            Ok(total)
        })
    };
    let census = || {
        let dominoes = (0..=MOST_DOMINOES).flat_map(|all| (0..=all).map(move |standing| (standing, all - standing)));
        let all: Vec<_> = dominoes.flat_map(|(standing, lying)| components(standing, lying)).collect();
        let layouts = all.iter().map(|component| component.layouts);
        (all.len(), layouts.clone().sum::<u64>(), layouts.max())
    };
    let census = Case::new("klotski.census", "29,334,498 layouts in 25,422 components", census, |&found| {
        ensure!(found == (25_422, 29_334_498, Some(964_656)), "{found:?}");
        Ok(Work::default())
    });
    let title = "Klotski: all named layouts, and all there are".to_owned();
    let cases = ENCODINGS.into_iter().map(|(name, encoding)| case(name, encoding)).chain([census]).collect();
    Ok(Comparison { title, cases, unlike: true, ..Comparison::default() })
}

/// What all named layouts take together; each is held against the other encoding, and the classics against what is published,
/// in klotski's tests.
const NAMED_MOVES: u32 = 26_222;

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    Ok(vec![solved()?, explored()?, many()?])
}
