//! The instances of the puzzles: every file of testdata with answers, solved by every engine.

use std::fmt::Display;
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context, ensure};
use fewest_core::budget::Budget;
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::Engine;
use fewest_core::stats::Stats;
use fewest_puzzle::any::AnyInstance;
use fewest_puzzle::options::OptionSource;
use serde_json::json;

use super::case::{Case, Work};
use super::measure::Comparison;
use super::testdata;

/// An instance as a function that solves it with an engine, by default that of the puzzle. The
/// outcome has no plan.
pub(crate) type Solve = Box<dyn Fn(Option<Engine>) -> anyhow::Result<Outcome<()>>>;

/// Reads all instances of a text.
pub(crate) fn instances(puzzle: &str, text: &str) -> anyhow::Result<Vec<Solve>> {
    let found = fewest_catalog::find(puzzle);
    let found = found.with_context(|| format!("there is no puzzle named {puzzle}"))?;
    let reader = found.reader(OptionSource::Json(&json!({})))?;
    let solve = |instance: Arc<dyn AnyInstance>| -> Solve {
        Box::new(move |engine| {
            let answer = Arc::clone(&instance).solve(engine, &Budget::unlimited())?;
            Ok(answer.outcome.map(drop))
        })
    };
    reader.read(text.as_bytes()).map(|instance| Ok(solve(instance?))).collect()
}

/// The fewest moves of each instance in a file of answers; `None` if an instance is unsolvable.
pub(crate) fn answers(path: &str) -> anyhow::Result<Vec<Option<u32>>> {
    let answer = |line: &str| match line {
        "-1" | "NO" => Ok(None),
        // The answer is a plan with one letter per move.
        _ if line.starts_with(['N', 'E', 'S', 'W']) => Ok(Some(line.len() as u32)),
        _ => line
            .parse()
            .map(Some)
            .with_context(|| format!("{path}: found {line}, expected an answer")),
    };
    testdata(path)?.lines().map(answer).collect()
}

/// A case that solves all instances with one engine.
pub(crate) fn case(
    id: String,
    about: &str,
    instances: &Rc<Vec<Solve>>,
    moves: &Rc<Vec<Option<u32>>>,
    engine: Option<Engine>,
) -> Case {
    let (instances, moves) = (Rc::clone(instances), Rc::clone(moves));
    let solve = move || instances.iter().map(|solve| solve(engine)).collect::<Vec<_>>();
    Case::new(id, about, solve, move |found| {
        ensure!(
            found.len() == moves.len(),
            "found {} expected answers for {} instances",
            moves.len(),
            found.len()
        );
        let (costs, work) = proved_costs(found)?;
        for (number, (found, &expected)) in costs.into_iter().zip(&*moves).enumerate() {
            ensure!(
                found == expected,
                "instance {}: found {found:?}, expected {expected:?}",
                number + 1
            );
        }
        Ok(work)
    })
}

/// The fewest moves of each instance, `None` if it is unsolvable, and the total work.
///
/// # Errors
/// If a search was stopped by a limit, or if the rules refuse a plan.
pub(crate) fn proved_costs<P, E: Display>(
    answers: &[Result<Outcome<P>, E>],
) -> anyhow::Result<(Vec<Option<u32>>, Work)> {
    let mut stats = Stats::default();
    let cost = |(number, answer): (usize, &Result<Outcome<P>, E>)| {
        let outcome = answer.as_ref().map_err(|refusal| anyhow::anyhow!("{refusal}"))?;
        ensure!(
            !matches!(outcome.verdict, Verdict::Stopped { .. }),
            "instance {} was stopped by a limit",
            number + 1
        );
        stats = stats.and_then(outcome.stats);
        Ok(outcome.cost())
    };
    let costs = answers.iter().enumerate().map(cost).collect::<anyhow::Result<_>>()?;
    Ok((costs, stats.into()))
}

/// The data sets of `name.in`, solved by `engines` and by the default. `name.out` has the answers.
fn comparison(puzzle: &str, name: &str, engines: &[Engine]) -> anyhow::Result<Comparison> {
    let instances = Rc::new(instances(puzzle, &testdata(&format!("{puzzle}/{name}.in"))?)?);
    let mut moves = answers(&format!("{puzzle}/{name}.out"))?;
    // The other answers are for boards of another size.
    moves.truncate(instances.len());
    let moves = Rc::new(moves);
    let by = |engine: Option<Engine>| {
        let engine_name = engine.map_or("auto", Engine::name);
        case(
            format!("{puzzle}.{name}.{engine_name}"),
            &format!("engine {engine_name}"),
            &instances,
            &moves,
            engine,
        )
    };
    let count = instances.len();
    let title = format!("{puzzle}, {name}: {count} instance{}", if count == 1 { "" } else { "s" });
    Ok(Comparison {
        title,
        cases: engines.iter().copied().map(Some).chain([None]).map(by).collect(),
        ..Comparison::default()
    })
}

pub(crate) fn comparisons() -> anyhow::Result<Vec<Comparison>> {
    let halloween = [
        "sample",
        "gen_valid10",
        "gen_unsolvable_order1",
        "community_10x5",
        "luogu_P1778_sample",
        "broken_row_unsolvable",
    ];
    let halloween = halloween.map(|name| comparison("halloween", name, &Engine::ALL));
    let mazes = ["sample", "mazes"]
        .map(|name| comparison("wall-pusher", name, fewest_wall_pusher::solve::ENGINES));
    let klotski = [comparison("klotski", "classics", fewest_klotski::solve::ENGINES)];
    let boards = ["boards", "P1225_sample", "P4289_sample"];
    let boards =
        boards.map(|name| comparison("black-white", name, fewest_black_white::solve::ENGINES));
    halloween.into_iter().chain(mazes).chain(klotski).chain(boards).collect()
}
