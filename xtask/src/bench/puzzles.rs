//! The instances of the puzzles: every file of testdata with answers, solved by every engine.

use std::fmt::Display;
use std::rc::Rc;

use anyhow::{Context, bail, ensure};
use fewest_core::budget::Budget;
use fewest_core::outcome::{Outcome, Verdict};
use fewest_core::search::Engine;
use fewest_core::stats::Stats;
use fewest_klotski::{Metric, Task};
use fewest_rules::text::Diagnostic;

use super::case::{Case, Work};
use super::measure::Comparison;
use super::testdata;

/// An instance as a function that solves it with an engine, by default that of the puzzle. The
/// outcome has no plan.
pub(crate) type Solve = Box<dyn Fn(Option<Engine>) -> anyhow::Result<Outcome<()>>>;

/// Reads all instances of a text.
pub(crate) fn instances(puzzle: &str, text: &str) -> anyhow::Result<Vec<Solve>> {
    let (text, budget) = (text.as_bytes(), Budget::unlimited);
    match puzzle {
        "halloween" => all(fewest_halloween::Instance::read(text), move |instance, engine| {
            Ok(fewest_halloween::solve::solve(instance, engine, &budget())?.outcome.map(drop))
        }),
        "wall-pusher" => {
            let size = fewest_wall_pusher::Size::new(4, 6).context("a size")?;
            all(fewest_wall_pusher::Instance::read(text, size), move |maze, engine| {
                Ok(fewest_wall_pusher::solve::solve(maze, engine, &budget())?.outcome.map(drop))
            })
        }
        "klotski" => {
            let tasks = fewest_klotski::Instance::read(text)
                .map(|layout| Ok(Task::new(layout?, Metric::Rectilinear)));
            all::<_, Diagnostic>(tasks, move |task, engine| {
                Ok(fewest_klotski::solve::solve(task, engine, &budget())?.outcome.map(drop))
            })
        }
        "black-white" => {
            let size = fewest_black_white::Size::new(4, 4).context("a size")?;
            all(fewest_black_white::Instance::read(text, size), move |boards, engine| {
                Ok(fewest_black_white::solve::solve(boards, engine, &budget())?.outcome.map(drop))
            })
        }
        _ => bail!("there is no puzzle named {puzzle}"),
    }
}

fn all<T: 'static, E: std::error::Error + Send + Sync + 'static>(
    read: impl Iterator<Item = Result<T, E>>,
    solve: impl Fn(&T, Option<Engine>) -> anyhow::Result<Outcome<()>> + Clone + 'static,
) -> anyhow::Result<Vec<Solve>> {
    read.map(|instance| {
        let (instance, solve) = (instance?, solve.clone());
        Ok(Box::new(move |engine| solve(&instance, engine)) as Solve)
    })
    .collect()
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
