//! The puzzles' own instances: each set in testdata that has answers, by each engine.

use std::fs;
use std::rc::Rc;

use anyhow::{Context, ensure};
use fewest_core::budget::Budget;
use fewest_core::grid::Size;
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::Engine;
use fewest_core::stats::Stats;
use fewest_klotski::Metric;

use super::measure::{Case, Comparison, Work};
use crate::root;

/// The answer of classic mode, without its plan, and what it took.
type Answer = anyhow::Result<(String, Stats)>;

fn answer<P>(outcome: &Outcome<P>, unsolvable: &str) -> (String, Stats) {
    let word = match &outcome.verdict {
        Verdict::Solved { cost, .. } => cost.to_string(),
        Verdict::Unsolvable => unsolvable.to_owned(),
        Verdict::Stopped { .. } => "?".to_owned(),
    };
    (word, outcome.stats)
}

/// The instances of a file, each as a function that solves it.
type Instances = Vec<Box<dyn Fn(Engine) -> Answer>>;

/// A comparison of the engines on the data sets of a file, the answers to which stand in the file beside it.
fn set(
    puzzle: &str,
    name: &str,
    engines: &[Engine],
    read: impl Fn(&[u8]) -> anyhow::Result<Instances>,
) -> anyhow::Result<Comparison> {
    let file = |ending: &str| {
        let path = root().join(format!("testdata/{puzzle}/{name}.{ending}"));
        fs::read_to_string(&path).with_context(|| path.display().to_string())
    };
    let instances = Rc::new(read(file("in")?.as_bytes())?);
    // A plan of letters counts as its moves.
    let count = |line: &str| {
        if line.starts_with(['N', 'E', 'S', 'W']) && line != "NO" { line.len().to_string() } else { line.to_owned() }
    };
    let answers: Rc<Vec<String>> = Rc::new(file("out")?.lines().map(count).take(instances.len()).collect());
    let case = |&engine: &Engine| {
        let (instances, answers) = (Rc::clone(&instances), Rc::clone(&answers));
        let solve = move || instances.iter().map(|solve| solve(engine)).collect::<Vec<_>>();
        Case::new(format!("{puzzle}.{name}.{engine}"), format!("by {engine}"), solve, move |found| {
            let (mut states, mut nodes, mut bytes) = (0, 0, 0);
            ensure!(found.len() == answers.len(), "{} answers for {} instances", answers.len(), found.len());
            for (number, (found, expected)) in found.iter().zip(&*answers).enumerate() {
                let (word, stats) = found.as_ref().map_err(|refusal| anyhow::anyhow!("{refusal}"))?;
                ensure!(word == expected, "instance {}: {word}, expected {expected}", number + 1);
                states += stats.expanded;
                nodes += stats.generated;
                bytes = bytes.max(stats.bytes);
            }
            Ok(Work { states: Some(states), nodes: Some(nodes), bytes: Some(bytes) })
        })
    };
    let title = format!("{puzzle}, {name}: {} instances", instances.len());
    Ok(Comparison { title, cases: engines.iter().map(case).collect(), comparable: true, large: false })
}

/// Makes of each instance read a function that solves it.
fn all<T: 'static, E: std::error::Error + Send + Sync + 'static>(
    read: impl Iterator<Item = Result<T, E>>,
    solve: impl Fn(&T, Engine) -> Answer + Clone + 'static,
) -> anyhow::Result<Instances> {
    read.map(|instance| {
        let (instance, solve) = (instance?, solve.clone());
        Ok(Box::new(move |engine| solve(&instance, engine)) as Box<dyn Fn(Engine) -> Answer>)
    })
    .collect()
}

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    let mut comparisons = Vec::new();
    for name in [
        "sample",
        "gen_valid10",
        "gen_unsolvable_order1",
        "community_10x5",
        "luogu_P1778_sample",
        "broken_row_unsolvable",
    ] {
        comparisons.push(set("halloween", name, &Engine::ALL, |text| {
            all(fewest_halloween::Instance::read(text), |house, engine| {
                Ok(answer(&fewest_halloween::solve::solve(house, Some(engine), &Budget::unlimited())?.outcome, "-1"))
            })
        })?);
    }
    let size = Size::new(4, 6).context("a size")?;
    for name in ["sample", "mazes"] {
        comparisons.push(set("wall-pusher", name, fewest_wall_pusher::solve::ENGINES, |text| {
            all(fewest_wall_pusher::Instance::read(text, size), |maze, engine| {
                Ok(answer(&fewest_wall_pusher::solve::solve(maze, Some(engine), &Budget::unlimited())?.outcome, "NO"))
            })
        })?);
    }
    comparisons.push(set("klotski", "classics", fewest_klotski::solve::ENGINES, |text| {
        all(fewest_klotski::Instance::read(text), |layout, engine| {
            let solved = fewest_klotski::solve::solve(layout, Metric::Rectilinear, Some(engine), &Budget::unlimited())?;
            Ok(answer(&solved.outcome, "-1"))
        })
    })?);
    let size = Size::new(4, 4).context("a size")?;
    for name in ["boards", "P1225_sample", "P4289_sample"] {
        comparisons.push(set("black-white", name, fewest_black_white::solve::ENGINES, |text| {
            all(fewest_black_white::Instance::read(text, size), |boards, engine| {
                Ok(answer(&fewest_black_white::solve::solve(boards, Some(engine), &Budget::unlimited())?.outcome, "-1"))
            })
        })?);
    }
    Ok(comparisons)
}
